// SPDX-License-Identifier: Apache-2.0
// Tables of settings, for help and for programs that offer them.
#include <string.h>

#include "bind.h"

static const struct {
  const char* name;
  HeftOptions (*options)(void);
} tables[] = {{"world", heft_world_options},
              {"contact_model", heft_contact_model_options},
              {"step_bounds", heft_step_bounds_options},
              {"contact_solver", heft_contact_solver_options},
              {"contact_termination", heft_contact_termination_options},
              {"collider", heft_collider_options},
              {"whole_body", heft_whole_body_options},
              {"walk", heft_walk_options}};

static PyObject* rows(HeftOptions options) {
  PyObject* list = PyList_New(options.count);
  for (int i = 0; list && i < options.count; ++i) {
    const HeftOption* o = &options.option[i];
    PyObject* row =
        Py_BuildValue("{s:s,s:d,s:d,s:d,s:s,s:s}", "name", o->name, "min", o->min, "max", o->max,
                      "default", o->default_value, "unit", o->unit, "meaning", o->meaning);
    if (!row)
      Py_CLEAR(list);
    else
      PyList_SetItem(list, i, row);
  }
  return list;
}

static PyObject* options(PyObject* module, PyObject* given) {
  (void)module;
  const char* name = NULL;
  if (core_read_text(given, "name", 0, &name)) return NULL;
  for (size_t i = 0; i < sizeof tables / sizeof tables[0]; ++i)
    if (strcmp(name, tables[i].name) == 0) return rows(tables[i].options());
  return PyErr_Format(PyExc_KeyError,
                      "there is no table '%s'; these exist: world, contact_model, step_bounds, "
                      "contact_solver, "
                      "contact_termination, collider, whole_body, walk",
                      name);
}

PyMethodDef core_option_functions[] = {
    {"options", options, METH_O,
     "options(name): settings of 'world', 'contact_model', ...: name, range, default, meaning."},
    {NULL, NULL, 0, NULL}};
