#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# python/check_abi3.py notices modules that would not run with another version of Python.
. tests/tools/plant.sh

include=$(python3 -c 'import sysconfig; print(sysconfig.get_path("include"))') || include=
if [ ! -f "$include/Python.h" ]; then
  echo "skipped: there is no Python.h (Debian: apt install python3-dev)"
  exit 77
fi

# module <file> <body of the function> [argument of the compiler...]
module() {
  name=$1
  cat >"$work/planted.c" <<END
#include <Python.h>
static PyObject* call(PyObject* self, PyObject* argument) { (void)self; $2 }
static PyMethodDef functions[] = {{"call", call, METH_O, NULL}, {NULL, NULL, 0, NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, .m_name = "planted", .m_methods = functions};
PyMODINIT_FUNC PyInit_planted(void);
PyMODINIT_FUNC PyInit_planted(void) { return PyModule_Create(&module); }
END
  shift 2
  "${CC:-cc}" -shared -fPIC -O1 "-I$include" "$work/planted.c" -o "$work/$name" "$@"
}
check() {
  python3 python/check_abi3.py "$@"
}
limited=-DPy_LIMITED_API=0x030B0000

module planted.abi3.so 'return PyLong_FromSsize_t(PyObject_Size(argument));' $limited
passes "a module of the limited API" check "$work/planted.abi3.so"
module planted.abi3.so 'const char* text;
  return PyArg_Parse(argument, "s", &text) ? PyUnicode_FromString(text) : NULL;' $limited -DPY_SSIZE_T_CLEAN
passes "a function that reads arguments" check "$work/planted.abi3.so"

module planted.abi3.so 'return PyUnicode_FromString(PyUnicode_AsUTF8(argument));'
fails "a function of one version" 'uses PyUnicode_AsUTF8, which is not in the limited API of 3.11' \
  check "$work/planted.abi3.so"
module planted.abi3.so 'Py_buffer view; (void)argument; PyBuffer_Release(&view); return NULL;' $limited
passes "the buffer protocol, limited since 3.11" check "$work/planted.abi3.so"
fails "the same for an older version" 'uses PyBuffer_Release' check --api 3.10 "$work/planted.abi3.so"

module planted.cpython-311-x86_64-linux-gnu.so 'return Py_NewRef(argument);' $limited
fails "a name that one version loads" 'does not end in .abi3.so' check "$work/planted.cpython-311-x86_64-linux-gnu.so"
module other.abi3.so 'return Py_NewRef(argument);' $limited
fails "an init function of another name" 'does not export PyInit_other' check "$work/other.abi3.so"
module planted.abi3.so 'return Py_NewRef(argument); } int leak(void); int leak(void) { return 1;' $limited
fails "another exported name" 'exports leak;' check "$work/planted.abi3.so"
printf 'void Py_IncRef(void* object); void Py_IncRef(void* object) { (void)object; }\n' >"$work/python.c"
"${CC:-cc}" -shared -fPIC -Wl,-soname,libpython3.11.so.1.0 "$work/python.c" -o "$work/libpython3.11.so"
module planted.abi3.so 'return Py_NewRef(argument);' $limited -Wl,--no-as-needed "$work/libpython3.11.so"
fails "a module that is linked with Python" 'is linked with libpython3.11.so.1.0' check "$work/planted.abi3.so"
fails "no file" 'failed' check "$work/nothing.abi3.so"
fails "no headers" 'there is no Python.h' check --include "$work" "$work/planted.abi3.so"

finish
