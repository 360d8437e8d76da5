// SPDX-License-Identifier: Apache-2.0
// The extension module heft._core.
#include <Python.h>
#include <heft/heft.h>

static PyObject* version(PyObject* self, PyObject* unused) {
  (void)self;
  (void)unused;
  return PyUnicode_FromString(heft_version());
}

static PyMethodDef functions[] = {
    {"version", version, METH_NOARGS, "Version of the library that is loaded."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, .m_name = "heft._core",
                                    .m_doc = "Heft in C.", .m_methods = functions};

PyMODINIT_FUNC PyInit__core(void);  // NOLINT(readability-identifier-naming): Python asks for it
PyMODINIT_FUNC PyInit__core(void) { return PyModule_Create(&module); }
