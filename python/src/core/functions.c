// SPDX-License-Identifier: Apache-2.0
// Written by tools/python_bindings.py from the public headers.
// clang-format off
#include <string.h>

#include "bind.h"
#include "tables.h"

static PyObject* py_heft_world_set_control(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWorld* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_actuator = Py_None;
  PyObject* a_value = Py_None;
  static const char* const names[] = {"actuator", "value", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:set_control", core_keywords(names), &a_actuator, &a_value)) return NULL;
  PyObject* result = NULL;
  const char* actuator = NULL;
  double n_value = 0;
  HeftError error = {.status = HEFT_OK};
  if (core_read_text(a_actuator, "actuator", 0, &actuator)) goto end;
  if (core_read_double(a_value, "value", &n_value)) goto end;
  {
    const HeftStatus returned = heft_world_set_control(object, actuator, (double)n_value, &error);
    if (returned != HEFT_OK) {
      core_fail(returned, &error);
      goto end;
    }
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  return result;
}

static PyObject* py_heft_world_control(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWorld* object = core_use(self);
  if (!object) return NULL;
  PyObject* a_actuator = Py_None;
  static const char* const names[] = {"actuator", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:control", core_keywords(names), &a_actuator)) return NULL;
  PyObject* result = NULL;
  const char* actuator = NULL;
  double out_value = 0;
  HeftError error = {.status = HEFT_OK};
  if (core_read_text(a_actuator, "actuator", 0, &actuator)) goto end;
  {
    const HeftStatus returned = heft_world_control(object, actuator, &out_value, &error);
    if (returned != HEFT_OK) {
      core_fail(returned, &error);
      goto end;
    }
    if (core_contract_broken()) goto end;
    result = PyFloat_FromDouble(out_value);
  }
end:
  return result;
}

static PyObject* py_heft_world_body_pose(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWorld* object = core_use(self);
  if (!object) return NULL;
  PyObject* a_body = Py_None;
  static const char* const names[] = {"body", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:body_pose", core_keywords(names), &a_body)) return NULL;
  PyObject* result = NULL;
  const char* body = NULL;
  HeftPose out_pose = {0};
  HeftError error = {.status = HEFT_OK};
  if (core_read_text(a_body, "body", 0, &body)) goto end;
  {
    const HeftStatus returned = heft_world_body_pose(object, body, &out_pose, &error);
    if (returned != HEFT_OK) {
      core_fail(returned, &error);
      goto end;
    }
    if (core_contract_broken()) goto end;
    result = core_struct(47, &out_pose);
  }
end:
  return result;
}

static PyObject* py_heft_world_site_pose(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWorld* object = core_use(self);
  if (!object) return NULL;
  PyObject* a_site = Py_None;
  static const char* const names[] = {"site", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:site_pose", core_keywords(names), &a_site)) return NULL;
  PyObject* result = NULL;
  const char* site = NULL;
  HeftPose out_pose = {0};
  HeftError error = {.status = HEFT_OK};
  if (core_read_text(a_site, "site", 0, &site)) goto end;
  {
    const HeftStatus returned = heft_world_site_pose(object, site, &out_pose, &error);
    if (returned != HEFT_OK) {
      core_fail(returned, &error);
      goto end;
    }
    if (core_contract_broken()) goto end;
    result = core_struct(47, &out_pose);
  }
end:
  return result;
}

static PyObject* py_heft_world_body_velocity(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWorld* object = core_use(self);
  if (!object) return NULL;
  PyObject* a_body = Py_None;
  static const char* const names[] = {"body", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:body_velocity", core_keywords(names), &a_body)) return NULL;
  PyObject* result = NULL;
  const char* body = NULL;
  HeftSpatial out_velocity = {0};
  HeftError error = {.status = HEFT_OK};
  if (core_read_text(a_body, "body", 0, &body)) goto end;
  {
    const HeftStatus returned = heft_world_body_velocity(object, body, &out_velocity, &error);
    if (returned != HEFT_OK) {
      core_fail(returned, &error);
      goto end;
    }
    if (core_contract_broken()) goto end;
    result = core_struct(48, &out_velocity);
  }
end:
  return result;
}

static PyObject* py_heft_world_move_body(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWorld* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_body = Py_None;
  PyObject* a_target = Py_None;
  static const char* const names[] = {"body", "target", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:move_body", core_keywords(names), &a_body, &a_target)) return NULL;
  PyObject* result = NULL;
  const char* body = NULL;
  HeftPose* s_target = NULL;
  HeftError error = {.status = HEFT_OK};
  if (core_read_text(a_body, "body", 0, &body)) goto end;
  if (!(s_target = core_struct_data(a_target, 47, "target"))) goto end;
  {
    const HeftStatus returned = heft_world_move_body(object, body, *s_target, &error);
    if (returned != HEFT_OK) {
      core_fail(returned, &error);
      goto end;
    }
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  return result;
}

static PyObject* py_heft_world_set_body_velocity(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWorld* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_body = Py_None;
  PyObject* a_velocity = Py_None;
  static const char* const names[] = {"body", "velocity", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:set_body_velocity", core_keywords(names), &a_body, &a_velocity)) return NULL;
  PyObject* result = NULL;
  const char* body = NULL;
  HeftSpatial* s_velocity = NULL;
  HeftError error = {.status = HEFT_OK};
  if (core_read_text(a_body, "body", 0, &body)) goto end;
  if (!(s_velocity = core_struct_data(a_velocity, 48, "velocity"))) goto end;
  {
    const HeftStatus returned = heft_world_set_body_velocity(object, body, *s_velocity, &error);
    if (returned != HEFT_OK) {
      core_fail(returned, &error);
      goto end;
    }
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  return result;
}

static PyObject* py_heft_world_set_conveyor(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWorld* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_shape = Py_None;
  PyObject* a_linear = Py_None;
  PyObject* a_angular = Py_None;
  static const char* const names[] = {"shape", "linear", "angular", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OOO:set_conveyor", core_keywords(names), &a_shape, &a_linear, &a_angular)) return NULL;
  PyObject* result = NULL;
  const char* shape = NULL;
  HeftVec3 s_linear = {0};
  HeftVec3 s_angular = {0};
  HeftError error = {.status = HEFT_OK};
  if (core_read_text(a_shape, "shape", 0, &shape)) goto end;
  if (core_read_shape(a_linear, "linear", &s_linear, core_shape1(3), sizeof s_linear)) goto end;
  if (core_read_shape(a_angular, "angular", &s_angular, core_shape1(3), sizeof s_angular)) goto end;
  {
    const HeftStatus returned = heft_world_set_conveyor(object, shape, s_linear, s_angular, &error);
    if (returned != HEFT_OK) {
      core_fail(returned, &error);
      goto end;
    }
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  return result;
}

static PyObject* py_heft_world_apply_force(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWorld* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_body = Py_None;
  PyObject* a_force = Py_None;
  static const char* const names[] = {"body", "force", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:apply_force", core_keywords(names), &a_body, &a_force)) return NULL;
  PyObject* result = NULL;
  const char* body = NULL;
  HeftVec3 s_force = {0};
  HeftError error = {.status = HEFT_OK};
  if (core_read_text(a_body, "body", 0, &body)) goto end;
  if (core_read_shape(a_force, "force", &s_force, core_shape1(3), sizeof s_force)) goto end;
  {
    const HeftStatus returned = heft_world_apply_force(object, body, s_force, &error);
    if (returned != HEFT_OK) {
      core_fail(returned, &error);
      goto end;
    }
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  return result;
}

static PyObject* py_heft_world_body_contact_force(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWorld* object = core_use(self);
  if (!object) return NULL;
  PyObject* a_body = Py_None;
  static const char* const names[] = {"body", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:body_contact_force", core_keywords(names), &a_body)) return NULL;
  PyObject* result = NULL;
  const char* body = NULL;
  HeftVec3 out_force = {0};
  HeftError error = {.status = HEFT_OK};
  if (core_read_text(a_body, "body", 0, &body)) goto end;
  {
    const HeftStatus returned = heft_world_body_contact_force(object, body, &out_force, &error);
    if (returned != HEFT_OK) {
      core_fail(returned, &error);
      goto end;
    }
    if (core_contract_broken()) goto end;
    result = core_numbers(&out_force, core_shape1(3));
  }
end:
  return result;
}

static PyObject* py_heft_change_name(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_kind = Py_None;
  static const char* const names[] = {"kind", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:change_name", core_keywords(names), &a_kind)) return NULL;
  PyObject* result = NULL;
  int kind = 0;
  if (core_read_enum(0, a_kind, "kind", &kind)) goto end;
  {
    const char* returned = heft_change_name((HeftChangeKind)kind);
    if (core_contract_broken()) goto end;
    result = PyUnicode_FromString(returned);
  }
end:
  return result;
}

static PyObject* py_heft_change_is_object(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_kind = Py_None;
  static const char* const names[] = {"kind", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:change_is_object", core_keywords(names), &a_kind)) return NULL;
  PyObject* result = NULL;
  int kind = 0;
  if (core_read_enum(0, a_kind, "kind", &kind)) goto end;
  {
    const bool returned = heft_change_is_object((HeftChangeKind)kind);
    if (core_contract_broken()) goto end;
    result = PyBool_FromLong(returned);
  }
end:
  return result;
}

static PyObject* py_heft_world_apply_change(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWorld* object = core_use_alone(self);
  if (!object) return NULL;
  PyObject* a_change = Py_None;
  static const char* const names[] = {"change", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:apply_change", core_keywords(names), &a_change)) return NULL;
  PyObject* result = NULL;
  HeftChange* s_change = NULL;
  HeftError error = {.status = HEFT_OK};
  if (!(s_change = core_struct_data(a_change, 0, "change"))) goto end;
  {
    const HeftStatus returned = heft_world_apply_change(object, s_change, &error);
    if (returned != HEFT_OK) {
      core_fail(returned, &error);
      goto end;
    }
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  return result;
}

static PyObject* py_heft_model_apply_change(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_model = Py_None;
  PyObject* a_change = Py_None;
  PyObject* a_part = Py_None;
  static const char* const names[] = {"model", "change", "part", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO|O:model_apply_change", core_keywords(names), &a_model, &a_change, &a_part)) return NULL;
  PyObject* result = NULL;
  HeftModel* out_out = NULL;
  HeftModel* h_model = NULL;
  HeftChange* s_change = NULL;
  HeftModel* h_part = NULL;
  HeftError error = {.status = HEFT_OK};
  if (!(h_model = core_use_as(a_model, core_class(CLASS_MODEL), "model"))) goto end;
  if ((a_part != Py_None && !(h_part = core_use_as(a_part, core_class(CLASS_MODEL), "part")))) goto end;
  if (!(s_change = core_struct_data(a_change, 0, "change"))) goto end;
  {
    const HeftStatus returned = heft_model_apply_change(&out_out, h_model, s_change, h_part, &error);
    if (returned != HEFT_OK) {
      core_fail(returned, &error);
      goto end;
    }
    if (core_contract_broken()) goto end;
    result = core_new(CLASS_MODEL, out_out, a_model);
  }
end:
  return result;
}

static PyObject* py_heft_world_key_model(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_world = Py_None;
  PyObject* a_key = Py_None;
  static const char* const names[] = {"world", "key", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:world_key_model", core_keywords(names), &a_world, &a_key)) return NULL;
  PyObject* result = NULL;
  HeftModel* out_out = NULL;
  HeftWorld* h_world = NULL;
  const char* key = NULL;
  HeftError error = {.status = HEFT_OK};
  if (!(h_world = core_use_as(a_world, core_class(CLASS_WORLD), "world"))) goto end;
  if (core_refuse_constant(a_world, "world")) goto end;
  if (core_read_text(a_key, "key", 0, &key)) goto end;
  {
    const HeftStatus returned = heft_world_key_model(&out_out, h_world, key, &error);
    if (returned != HEFT_OK) {
      core_fail(returned, &error);
      goto end;
    }
    if (core_contract_broken()) goto end;
    result = core_new(CLASS_MODEL, out_out, a_world);
  }
end:
  return result;
}

static PyObject* py_heft_status_name(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_status = Py_None;
  static const char* const names[] = {"status", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:status_name", core_keywords(names), &a_status)) return NULL;
  PyObject* result = NULL;
  int status = 0;
  if (core_read_enum(1, a_status, "status", &status)) goto end;
  {
    const char* returned = heft_status_name((HeftStatus)status);
    if (core_contract_broken()) goto end;
    result = PyUnicode_FromString(returned);
  }
end:
  return result;
}

static PyObject* py_heft_status_text(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_status = Py_None;
  static const char* const names[] = {"status", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:status_text", core_keywords(names), &a_status)) return NULL;
  PyObject* result = NULL;
  int status = 0;
  if (core_read_enum(1, a_status, "status", &status)) goto end;
  {
    const char* returned = heft_status_text((HeftStatus)status);
    if (core_contract_broken()) goto end;
    result = PyUnicode_FromString(returned);
  }
end:
  return result;
}

static PyObject* py_heft_clock_ns(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  static const char* const names[] = {NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, ":clock_ns", core_keywords(names))) return NULL;
  PyObject* result = NULL;
  {
    const unsigned long long returned = heft_clock_ns();
    if (core_contract_broken()) goto end;
    result = PyLong_FromUnsignedLongLong(returned);
  }
end:
  return result;
}

static int py_heft_collider_create(PyObject* self, PyObject* args, PyObject* keywords) {
  PyObject* a_model = Py_None;
  PyObject* a_def = Py_None;
  static const char* const names[] = {"model", "def_", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|O:Collider", core_keywords(names), &a_model, &a_def)) return -1;
  int result = -1;
  HeftModel* h_model = NULL;
  HeftColliderDef* s_def = NULL;
  HeftCollider* made = NULL;
  HeftError error = {.status = HEFT_OK};
  if (!(h_model = core_use_as(a_model, core_class(CLASS_MODEL), "model"))) goto end;
  if ((a_def != Py_None && !(s_def = core_struct_data(a_def, 1, "def")))) goto end;
  {
    const HeftStatus returned = heft_collider_create(&made, h_model, s_def, &error);
    if (returned != HEFT_OK) {
      core_fail(returned, &error);
      goto end;
    }
    if (core_contract_broken()) goto end;
    result = core_start((Object*)self, CLASS_COLLIDER, made, a_model);
  }
end:
  return result;
}

static PyObject* py_heft_collider_memory(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftCollider* object = core_use(self);
  if (!object) return NULL;
  static const char* const names[] = {NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, ":memory", core_keywords(names))) return NULL;
  PyObject* result = NULL;
  {
    const unsigned long long returned = heft_collider_memory(object);
    if (core_contract_broken()) goto end;
    result = PyLong_FromUnsignedLongLong(returned);
  }
end:
  return result;
}

static PyObject* py_heft_collider_contact_capacity(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftCollider* object = core_use(self);
  if (!object) return NULL;
  static const char* const names[] = {NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, ":contact_capacity", core_keywords(names))) return NULL;
  PyObject* result = NULL;
  {
    const long long returned = heft_collider_contact_capacity(object);
    if (core_contract_broken()) goto end;
    result = PyLong_FromLongLong(returned);
  }
end:
  return result;
}

static PyObject* py_heft_query_filter_all(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  static const char* const names[] = {NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, ":query_filter_all", core_keywords(names))) return NULL;
  PyObject* result = NULL;
  {
    const HeftQueryFilter returned = heft_query_filter_all();
    if (core_contract_broken()) goto end;
    result = core_struct(3, &returned);
  }
end:
  return result;
}

static PyObject* py_heft_collider_ray(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftCollider* object = core_use(self);
  if (!object) return NULL;
  PyObject* a_from = Py_None;
  PyObject* a_direction = Py_None;
  PyObject* a_max_distance = Py_None;
  PyObject* a_filter = Py_None;
  static const char* const names[] = {"from_", "direction", "max_distance", "filter", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OOOO:ray", core_keywords(names), &a_from, &a_direction, &a_max_distance, &a_filter)) return NULL;
  PyObject* result = NULL;
  HeftVec3 s_from = {0};
  HeftVec3 s_direction = {0};
  double n_max_distance = 0;
  HeftQueryFilter* s_filter = NULL;
  if (core_read_shape(a_from, "from", &s_from, core_shape1(3), sizeof s_from)) goto end;
  if (core_read_shape(a_direction, "direction", &s_direction, core_shape1(3), sizeof s_direction)) goto end;
  if (core_read_double(a_max_distance, "max_distance", &n_max_distance)) goto end;
  if (!(s_filter = core_struct_data(a_filter, 3, "filter"))) goto end;
  {
    const HeftRayHit returned = heft_collider_ray(object, s_from, s_direction, (double)n_max_distance, *s_filter);
    if (core_contract_broken()) goto end;
    result = core_struct(4, &returned);
  }
end:
  return result;
}

static PyObject* py_heft_collider_closest(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftCollider* object = core_use(self);
  if (!object) return NULL;
  PyObject* a_point = Py_None;
  PyObject* a_max_distance = Py_None;
  PyObject* a_filter = Py_None;
  static const char* const names[] = {"point", "max_distance", "filter", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OOO:closest", core_keywords(names), &a_point, &a_max_distance, &a_filter)) return NULL;
  PyObject* result = NULL;
  HeftVec3 s_point = {0};
  double n_max_distance = 0;
  HeftQueryFilter* s_filter = NULL;
  if (core_read_shape(a_point, "point", &s_point, core_shape1(3), sizeof s_point)) goto end;
  if (core_read_double(a_max_distance, "max_distance", &n_max_distance)) goto end;
  if (!(s_filter = core_struct_data(a_filter, 3, "filter"))) goto end;
  {
    const HeftClosestPoint returned = heft_collider_closest(object, s_point, (double)n_max_distance, *s_filter);
    if (core_contract_broken()) goto end;
    result = core_struct(5, &returned);
  }
end:
  return result;
}

static PyObject* py_heft_collider_distance(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftCollider* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_shape_a = Py_None;
  PyObject* a_shape_b = Py_None;
  static const char* const names[] = {"shape_a", "shape_b", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:distance", core_keywords(names), &a_shape_a, &a_shape_b)) return NULL;
  PyObject* result = NULL;
  long long n_shape_a = 0;
  long long n_shape_b = 0;
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (core_read_int(a_shape_a, "shape_a", 0, m->nshape - 1, &n_shape_a)) goto end;
  if (core_read_int(a_shape_b, "shape_b", 0, m->nshape - 1, &n_shape_b)) goto end;
  {
    const HeftDistance returned = heft_collider_distance(object, (int)n_shape_a, (int)n_shape_b);
    if (core_contract_broken()) goto end;
    result = core_struct(6, &returned);
  }
end:
  return result;
}

static PyObject* py_heft_constraint_type_row_count(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_type = Py_None;
  static const char* const names[] = {"type", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:constraint_type_row_count", core_keywords(names), &a_type)) return NULL;
  PyObject* result = NULL;
  int type = 0;
  if (core_read_enum(4, a_type, "type", &type)) goto end;
  {
    const long long returned = heft_constraint_type_row_count((HeftConstraintType)type);
    if (core_contract_broken()) goto end;
    result = PyLong_FromLongLong(returned);
  }
end:
  return result;
}

static PyObject* py_heft_contact_solver_bytes(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_def = Py_None;
  static const char* const names[] = {"def_", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:contact_solver_bytes", core_keywords(names), &a_def)) return NULL;
  PyObject* result = NULL;
  HeftContactSolverDef* s_def = NULL;
  if (!(s_def = core_struct_data(a_def, 10, "def"))) goto end;
  {
    const unsigned long long returned = heft_contact_solver_bytes(s_def);
    if (core_contract_broken()) goto end;
    result = PyLong_FromUnsignedLongLong(returned);
  }
end:
  return result;
}

static int py_heft_whole_body_create(PyObject* self, PyObject* args, PyObject* keywords) {
  PyObject* a_model = Py_None;
  PyObject* a_def = Py_None;
  static const char* const names[] = {"model", "def_", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|O:WholeBody", core_keywords(names), &a_model, &a_def)) return -1;
  int result = -1;
  HeftModel* h_model = NULL;
  HeftWholeBodyDef* s_def = NULL;
  HeftWholeBody* made = NULL;
  HeftError error = {.status = HEFT_OK};
  if (!(h_model = core_use_as(a_model, core_class(CLASS_MODEL), "model"))) goto end;
  if ((a_def != Py_None && !(s_def = core_struct_data(a_def, 13, "def")))) goto end;
  {
    const HeftStatus returned = heft_whole_body_create(&made, h_model, s_def, &error);
    if (returned != HEFT_OK) {
      core_fail(returned, &error);
      goto end;
    }
    if (core_contract_broken()) goto end;
    result = core_start((Object*)self, CLASS_WHOLE_BODY, made, a_model);
  }
end:
  return result;
}

static PyObject* py_heft_whole_body_begin(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWholeBody* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_q = Py_None;
  PyObject* a_v = Py_None;
  static const char* const names[] = {"q", "v", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:begin", core_keywords(names), &a_q, &a_v)) return NULL;
  PyObject* held[2] = {NULL};
  PyObject* result = NULL;
  const double* q = NULL;
  const double* v = NULL;
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (!(held[0] = core_doubles(a_q, "q", core_shape1(m->nq), 1, &q))) goto end;
  if (!(held[1] = core_doubles(a_v, "v", core_shape1(m->nv), 1, &v))) goto end;
  {
    heft_whole_body_begin(object, q, v);
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  for (int i = 0; i < 2; ++i) Py_XDECREF(held[i]);
  return result;
}

static PyObject* py_heft_whole_body_dynamics(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWholeBody* object = core_use(self);
  if (!object) return NULL;
  static const char* const names[] = {NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, ":dynamics", core_keywords(names))) return NULL;
  PyObject* result = NULL;
  {
    const HeftDynamics* returned = heft_whole_body_dynamics(object);
    if (core_contract_broken()) goto end;
    result = core_borrow(CLASS_DYNAMICS, (void*)(uintptr_t)returned, self);
  }
end:
  return result;
}

static PyObject* py_heft_whole_body_memory(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWholeBody* object = core_use(self);
  if (!object) return NULL;
  static const char* const names[] = {NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, ":memory", core_keywords(names))) return NULL;
  PyObject* held[1] = {NULL};
  PyObject* result = NULL;
  void* numbers = NULL;
  if (!(held[0] = core_array(core_shape1(HEFT_WHOLE_BODY_MEMORY), "d", &numbers))) goto end;
  {
    heft_whole_body_memory(object, numbers);
    if (core_contract_broken()) goto end;
    result = core_take(&held[0]);
  }
end:
  for (int i = 0; i < 1; ++i) Py_XDECREF(held[i]);
  return result;
}

static PyObject* py_heft_whole_body_set_memory(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWholeBody* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_numbers = Py_None;
  static const char* const names[] = {"numbers", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:set_memory", core_keywords(names), &a_numbers)) return NULL;
  PyObject* held[1] = {NULL};
  PyObject* result = NULL;
  const double* numbers = NULL;
  if (!(held[0] = core_doubles(a_numbers, "numbers", core_shape1(HEFT_WHOLE_BODY_MEMORY), 1, &numbers))) goto end;
  {
    heft_whole_body_set_memory(object, numbers);
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  for (int i = 0; i < 1; ++i) Py_XDECREF(held[i]);
  return result;
}

static PyObject* py_heft_whole_body_mass(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWholeBody* object = core_use(self);
  if (!object) return NULL;
  static const char* const names[] = {NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, ":mass", core_keywords(names))) return NULL;
  PyObject* result = NULL;
  {
    const double returned = heft_whole_body_mass(object);
    if (core_contract_broken()) goto end;
    result = PyFloat_FromDouble(returned);
  }
end:
  return result;
}

static PyObject* py_heft_whole_body_com(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWholeBody* object = core_use(self);
  if (!object) return NULL;
  static const char* const names[] = {NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, ":com", core_keywords(names))) return NULL;
  PyObject* result = NULL;
  HeftVec3 out_velocity = {0};
  {
    const HeftVec3 returned = heft_whole_body_com(object, &out_velocity);
    if (core_contract_broken()) goto end;
    result = core_tuple(2, (PyObject*[]){core_numbers(&returned, core_shape1(3)), core_numbers(&out_velocity, core_shape1(3))});
  }
end:
  return result;
}

static PyObject* py_heft_whole_body_add_wrench(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWholeBody* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_on = Py_None;
  PyObject* a_point = Py_None;
  PyObject* a_force = Py_None;
  PyObject* a_torque = Py_None;
  static const char* const names[] = {"on", "point", "force", "torque", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OOOO:add_wrench", core_keywords(names), &a_on, &a_point, &a_force, &a_torque)) return NULL;
  PyObject* result = NULL;
  long long n_on = 0;
  HeftVec3 s_point = {0};
  HeftVec3 s_force = {0};
  HeftVec3 s_torque = {0};
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (core_read_int(a_on, "on", 0, m->nbody - 1, &n_on)) goto end;
  if (core_read_shape(a_point, "point", &s_point, core_shape1(3), sizeof s_point)) goto end;
  if (core_read_shape(a_force, "force", &s_force, core_shape1(3), sizeof s_force)) goto end;
  if (core_read_shape(a_torque, "torque", &s_torque, core_shape1(3), sizeof s_torque)) goto end;
  {
    heft_whole_body_add_wrench(object, (int)n_on, s_point, s_force, s_torque);
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  return result;
}

static PyObject* py_heft_whole_body_add_com_task(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWholeBody* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_acc = Py_None;
  PyObject* a_weight = Py_None;
  static const char* const names[] = {"acc", "weight", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:add_com_task", core_keywords(names), &a_acc, &a_weight)) return NULL;
  PyObject* result = NULL;
  HeftVec3 s_acc = {0};
  HeftVec3 s_weight = {0};
  if (core_read_shape(a_acc, "acc", &s_acc, core_shape1(3), sizeof s_acc)) goto end;
  if (core_read_shape(a_weight, "weight", &s_weight, core_shape1(3), sizeof s_weight)) goto end;
  {
    heft_whole_body_add_com_task(object, s_acc, s_weight);
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  return result;
}

static PyObject* py_heft_whole_body_add_point_task(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWholeBody* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_of = Py_None;
  PyObject* a_point = Py_None;
  PyObject* a_acc = Py_None;
  PyObject* a_weight = Py_None;
  static const char* const names[] = {"of", "point", "acc", "weight", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OOOO:add_point_task", core_keywords(names), &a_of, &a_point, &a_acc, &a_weight)) return NULL;
  PyObject* result = NULL;
  long long n_of = 0;
  HeftVec3 s_point = {0};
  HeftVec3 s_acc = {0};
  HeftVec3 s_weight = {0};
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (core_read_int(a_of, "of", 0, m->nbody - 1, &n_of)) goto end;
  if (core_read_shape(a_point, "point", &s_point, core_shape1(3), sizeof s_point)) goto end;
  if (core_read_shape(a_acc, "acc", &s_acc, core_shape1(3), sizeof s_acc)) goto end;
  if (core_read_shape(a_weight, "weight", &s_weight, core_shape1(3), sizeof s_weight)) goto end;
  {
    heft_whole_body_add_point_task(object, (int)n_of, s_point, s_acc, s_weight);
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  return result;
}

static PyObject* py_heft_whole_body_add_rotation_task(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWholeBody* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_of = Py_None;
  PyObject* a_acc = Py_None;
  PyObject* a_weight = Py_None;
  static const char* const names[] = {"of", "acc", "weight", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OOO:add_rotation_task", core_keywords(names), &a_of, &a_acc, &a_weight)) return NULL;
  PyObject* result = NULL;
  long long n_of = 0;
  HeftVec3 s_acc = {0};
  HeftVec3 s_weight = {0};
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (core_read_int(a_of, "of", 0, m->nbody - 1, &n_of)) goto end;
  if (core_read_shape(a_acc, "acc", &s_acc, core_shape1(3), sizeof s_acc)) goto end;
  if (core_read_shape(a_weight, "weight", &s_weight, core_shape1(3), sizeof s_weight)) goto end;
  {
    heft_whole_body_add_rotation_task(object, (int)n_of, s_acc, s_weight);
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  return result;
}

static PyObject* py_heft_whole_body_add_dof_task(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWholeBody* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_dof = Py_None;
  PyObject* a_acc = Py_None;
  PyObject* a_weight = Py_None;
  static const char* const names[] = {"dof", "acc", "weight", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OOO:add_dof_task", core_keywords(names), &a_dof, &a_acc, &a_weight)) return NULL;
  PyObject* result = NULL;
  long long n_dof = 0;
  double n_acc = 0;
  double n_weight = 0;
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (core_read_int(a_dof, "dof", 0, m->nv - 1, &n_dof)) goto end;
  if (core_read_double(a_acc, "acc", &n_acc)) goto end;
  if (core_read_double(a_weight, "weight", &n_weight)) goto end;
  {
    heft_whole_body_add_dof_task(object, (int)n_dof, (double)n_acc, (double)n_weight);
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  return result;
}

static PyObject* py_heft_whole_body_add_contact(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWholeBody* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_on = Py_None;
  PyObject* a_point = Py_None;
  PyObject* a_normal = Py_None;
  PyObject* a_friction = Py_None;
  PyObject* a_share = Py_None;
  static const char* const names[] = {"on", "point", "normal", "friction", "share", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OOOOO:add_contact", core_keywords(names), &a_on, &a_point, &a_normal, &a_friction, &a_share)) return NULL;
  PyObject* result = NULL;
  long long n_on = 0;
  HeftVec3 s_point = {0};
  HeftVec3 s_normal = {0};
  double n_friction = 0;
  double n_share = 0;
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (core_read_int(a_on, "on", 0, m->nbody - 1, &n_on)) goto end;
  if (core_read_shape(a_point, "point", &s_point, core_shape1(3), sizeof s_point)) goto end;
  if (core_read_shape(a_normal, "normal", &s_normal, core_shape1(3), sizeof s_normal)) goto end;
  if (core_read_double(a_friction, "friction", &n_friction)) goto end;
  if (core_read_double(a_share, "share", &n_share)) goto end;
  {
    const long long returned = heft_whole_body_add_contact(object, (int)n_on, s_point, s_normal, (double)n_friction, (double)n_share);
    if (core_contract_broken()) goto end;
    result = PyLong_FromLongLong(returned);
  }
end:
  return result;
}

static PyObject* py_heft_whole_body_solve(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWholeBody* object = core_use_to_change(self);
  if (!object) return NULL;
  static const char* const names[] = {NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, ":solve", core_keywords(names))) return NULL;
  PyObject* held[1] = {NULL};
  PyObject* result = NULL;
  void* tau = NULL;
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (!(held[0] = core_array(core_shape1(m->nv), "d", &tau))) goto end;
  {
    const HeftStatus returned = heft_whole_body_solve(object, tau);
    if (returned != HEFT_OK) {
      core_fail(returned, NULL);
      goto end;
    }
    if (core_contract_broken()) goto end;
    result = core_take(&held[0]);
  }
end:
  for (int i = 0; i < 1; ++i) Py_XDECREF(held[i]);
  return result;
}

static PyObject* py_heft_whole_body_acceleration(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWholeBody* object = core_use(self);
  if (!object) return NULL;
  static const char* const names[] = {NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, ":acceleration", core_keywords(names))) return NULL;
  PyObject* result = NULL;
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  {
    const double* returned = heft_whole_body_acceleration(object);
    if (core_contract_broken()) goto end;
    result = core_view(((Object*)self)->memory, returned, 'd', core_shape1(m->nv), 1);
  }
end:
  return result;
}

static PyObject* py_heft_whole_body_force(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWholeBody* object = core_use(self);
  if (!object) return NULL;
  PyObject* a_contact = Py_None;
  static const char* const names[] = {"contact", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:force", core_keywords(names), &a_contact)) return NULL;
  PyObject* result = NULL;
  long long n_contact = 0;
  if (core_read_int(a_contact, "contact", INT32_MIN, INT32_MAX, &n_contact)) goto end;
  {
    const HeftVec3 returned = heft_whole_body_force(object, (int)n_contact);
    if (core_contract_broken()) goto end;
    result = core_numbers(&returned, core_shape1(3));
  }
end:
  return result;
}

static PyObject* py_heft_model_torques_to_controls(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftModel* object = core_use(self);
  if (!object) return NULL;
  PyObject* a_tau = Py_None;
  PyObject* a_controls = Py_None;
  static const char* const names[] = {"tau", "controls", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:torques_to_controls", core_keywords(names), &a_tau, &a_controls)) return NULL;
  PyObject* held[2] = {NULL};
  PyObject* result = NULL;
  const double* tau = NULL;
  double* controls = NULL;
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (!(held[0] = core_doubles(a_tau, "tau", core_shape1(m->nv), 1, &tau))) goto end;
  if (!(held[1] = core_copy(a_controls, "controls", m->nactuator, &controls))) goto end;
  {
    heft_model_torques_to_controls(object, tau, controls);
    if (core_contract_broken()) goto end;
    result = core_take(&held[1]);
  }
end:
  for (int i = 0; i < 2; ++i) Py_XDECREF(held[i]);
  return result;
}

static int py_heft_biped_create(PyObject* self, PyObject* args, PyObject* keywords) {
  PyObject* a_model = Py_None;
  PyObject* a_def = Py_None;
  static const char* const names[] = {"model", "def_", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|O:Biped", core_keywords(names), &a_model, &a_def)) return -1;
  int result = -1;
  HeftModel* h_model = NULL;
  HeftBipedDef* s_def = NULL;
  HeftBiped* made = NULL;
  HeftError error = {.status = HEFT_OK};
  if (!(h_model = core_use_as(a_model, core_class(CLASS_MODEL), "model"))) goto end;
  if ((a_def != Py_None && !(s_def = core_struct_data(a_def, 87, "def")))) goto end;
  {
    const HeftStatus returned = heft_biped_create(&made, h_model, s_def, &error);
    if (returned != HEFT_OK) {
      core_fail(returned, &error);
      goto end;
    }
    if (core_contract_broken()) goto end;
    result = core_start((Object*)self, CLASS_BIPED, made, a_model);
  }
end:
  return result;
}

static PyObject* py_heft_biped_torques(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftBiped* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_goal = Py_None;
  PyObject* a_q = Py_None;
  PyObject* a_v = Py_None;
  static const char* const names[] = {"goal", "q", "v", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OOO:torques", core_keywords(names), &a_goal, &a_q, &a_v)) return NULL;
  PyObject* held[3] = {NULL};
  PyObject* result = NULL;
  HeftBipedGoal* s_goal = NULL;
  const double* q = NULL;
  const double* v = NULL;
  void* tau = NULL;
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (!(s_goal = core_struct_data(a_goal, 94, "goal"))) goto end;
  if (!(held[0] = core_doubles(a_q, "q", core_shape1(m->nq), 1, &q))) goto end;
  if (!(held[1] = core_doubles(a_v, "v", core_shape1(m->nv), 1, &v))) goto end;
  if (!(held[2] = core_array(core_shape1(m->nv), "d", &tau))) goto end;
  {
    const HeftStatus returned = heft_biped_torques(object, s_goal, q, v, tau);
    if (returned != HEFT_OK) {
      core_fail(returned, NULL);
      goto end;
    }
    if (core_contract_broken()) goto end;
    result = core_take(&held[2]);
  }
end:
  for (int i = 0; i < 3; ++i) Py_XDECREF(held[i]);
  return result;
}

static PyObject* py_heft_biped_step(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftBiped* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_goal = Py_None;
  PyObject* a_world = Py_None;
  static const char* const names[] = {"goal", "world", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:step", core_keywords(names), &a_goal, &a_world)) return NULL;
  PyObject* result = NULL;
  HeftBipedGoal* s_goal = NULL;
  HeftWorld* h_world = NULL;
  if (!(h_world = core_use_as(a_world, core_class(CLASS_WORLD), "world"))) goto end;
  if (!(s_goal = core_struct_data(a_goal, 94, "goal"))) goto end;
  if (core_refuse_constant(a_world, "world")) goto end;
  {
    const HeftStatus returned = heft_biped_step(object, s_goal, h_world);
    if (returned != HEFT_OK) {
      core_fail(returned, NULL);
      goto end;
    }
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  return result;
}

static PyObject* py_heft_biped_set_memory(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftBiped* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_numbers = Py_None;
  static const char* const names[] = {"numbers", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:set_memory", core_keywords(names), &a_numbers)) return NULL;
  PyObject* held[1] = {NULL};
  PyObject* result = NULL;
  const double* numbers = NULL;
  if (!(held[0] = core_doubles(a_numbers, "numbers", core_shape1(HEFT_WHOLE_BODY_MEMORY), 1, &numbers))) goto end;
  {
    heft_biped_set_memory(object, numbers);
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  for (int i = 0; i < 1; ++i) Py_XDECREF(held[i]);
  return result;
}

static PyObject* py_heft_biped_whole_body(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftBiped* object = core_use(self);
  if (!object) return NULL;
  static const char* const names[] = {NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, ":whole_body", core_keywords(names))) return NULL;
  PyObject* result = NULL;
  {
    const HeftWholeBody* returned = heft_biped_whole_body(object);
    if (core_contract_broken()) goto end;
    result = core_borrow(CLASS_WHOLE_BODY, (void*)(uintptr_t)returned, self);
  }
end:
  return result;
}

static int py_heft_walk_create(PyObject* self, PyObject* args, PyObject* keywords) {
  PyObject* a_def = Py_None;
  PyObject* a_stand = Py_None;
  PyObject* a_gravity = Py_None;
  static const char* const names[] = {"def_", "stand", "gravity", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OOO:Walk", core_keywords(names), &a_def, &a_stand, &a_gravity)) return -1;
  int result = -1;
  HeftWalkDef* s_def = NULL;
  HeftBipedGoal* s_stand = NULL;
  double n_gravity = 0;
  HeftWalk* made = NULL;
  HeftError error = {.status = HEFT_OK};
  if ((a_def != Py_None && !(s_def = core_struct_data(a_def, 18, "def")))) goto end;
  if (!(s_stand = core_struct_data(a_stand, 94, "stand"))) goto end;
  if (core_read_double(a_gravity, "gravity", &n_gravity)) goto end;
  {
    const HeftStatus returned = heft_walk_create(&made, s_def, s_stand, (double)n_gravity, &error);
    if (returned != HEFT_OK) {
      core_fail(returned, &error);
      goto end;
    }
    if (core_contract_broken()) goto end;
    result = core_start((Object*)self, CLASS_WALK, made, NULL);
  }
end:
  return result;
}

static PyObject* py_heft_walk_duration(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWalk* object = core_use(self);
  if (!object) return NULL;
  static const char* const names[] = {NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, ":duration", core_keywords(names))) return NULL;
  PyObject* result = NULL;
  {
    const double returned = heft_walk_duration(object);
    if (core_contract_broken()) goto end;
    result = PyFloat_FromDouble(returned);
  }
end:
  return result;
}

static PyObject* py_heft_walk_goal(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWalk* object = core_use(self);
  if (!object) return NULL;
  PyObject* a_time = Py_None;
  PyObject* a_goal = Py_None;
  static const char* const names[] = {"time", "goal", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:goal", core_keywords(names), &a_time, &a_goal)) return NULL;
  PyObject* result = NULL;
  double n_time = 0;
  HeftBipedGoal* s_goal = NULL;
  HeftVec3 out_zmp = {0};
  if (core_read_double(a_time, "time", &n_time)) goto end;
  if (!(s_goal = core_struct_data(a_goal, 94, "goal"))) goto end;
  {
    heft_walk_goal(object, (double)n_time, s_goal, &out_zmp);
    if (core_contract_broken()) goto end;
    result = core_numbers(&out_zmp, core_shape1(3));
  }
end:
  return result;
}

static PyObject* py_heft_pd_torques(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_model = Py_None;
  PyObject* a_kp = Py_None;
  PyObject* a_kv = Py_None;
  PyObject* a_q_d = Py_None;
  PyObject* a_v_d = Py_None;
  PyObject* a_ff = Py_None;
  PyObject* a_q = Py_None;
  PyObject* a_v = Py_None;
  static const char* const names[] = {"model", "kp", "kv", "q_d", "v_d", "ff", "q", "v", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OOOOOOOO:pd_torques", core_keywords(names), &a_model, &a_kp, &a_kv, &a_q_d, &a_v_d, &a_ff, &a_q, &a_v)) return NULL;
  PyObject* held[9] = {NULL};
  PyObject* result = NULL;
  HeftModel* h_model = NULL;
  const double* kp = NULL;
  const double* kv = NULL;
  const double* q_d = NULL;
  const double* v_d = NULL;
  const double* ff = NULL;
  const double* q = NULL;
  const double* v = NULL;
  void* scratch = NULL;
  void* tau = NULL;
  if (!(h_model = core_use_as(a_model, core_class(CLASS_MODEL), "model"))) goto end;
  const HeftModel* m = ((Object*)a_model)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (!(held[0] = core_doubles(a_kp, "kp", core_shape1(m->nv), 1, &kp))) goto end;
  if (!(held[1] = core_doubles(a_kv, "kv", core_shape1(m->nv), 1, &kv))) goto end;
  if (!(held[2] = core_doubles(a_q_d, "q_d", core_shape1(m->nq), 1, &q_d))) goto end;
  if ((a_v_d != Py_None && !(held[3] = core_doubles(a_v_d, "v_d", core_shape1(m->nv), 1, &v_d)))) goto end;
  if ((a_ff != Py_None && !(held[4] = core_doubles(a_ff, "ff", core_shape1(m->nv), 1, &ff)))) goto end;
  if (!(held[5] = core_doubles(a_q, "q", core_shape1(m->nq), 1, &q))) goto end;
  if (!(held[6] = core_doubles(a_v, "v", core_shape1(m->nv), 1, &v))) goto end;
  if (!(held[7] = core_array(core_shape1(m->nv), "d", &scratch))) goto end;
  if (!(held[8] = core_array(core_shape1(m->nv), "d", &tau))) goto end;
  {
    heft_pd_torques(h_model, kp, kv, q_d, v_d, ff, q, v, scratch, tau);
    if (core_contract_broken()) goto end;
    result = core_take(&held[8]);
  }
end:
  for (int i = 0; i < 9; ++i) Py_XDECREF(held[i]);
  return result;
}

static PyObject* py_heft_drive_torque(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_drive = Py_None;
  PyObject* a_q_d = Py_None;
  PyObject* a_v_d = Py_None;
  PyObject* a_ff = Py_None;
  PyObject* a_q = Py_None;
  PyObject* a_v = Py_None;
  static const char* const names[] = {"drive", "q_d", "v_d", "ff", "q", "v", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OOOOOO:drive_torque", core_keywords(names), &a_drive, &a_q_d, &a_v_d, &a_ff, &a_q, &a_v)) return NULL;
  PyObject* result = NULL;
  HeftDrive* s_drive = NULL;
  double n_q_d = 0;
  double n_v_d = 0;
  double n_ff = 0;
  double n_q = 0;
  double n_v = 0;
  if (!(s_drive = core_struct_data(a_drive, 19, "drive"))) goto end;
  if (core_read_double(a_q_d, "q_d", &n_q_d)) goto end;
  if (core_read_double(a_v_d, "v_d", &n_v_d)) goto end;
  if (core_read_double(a_ff, "ff", &n_ff)) goto end;
  if (core_read_double(a_q, "q", &n_q)) goto end;
  if (core_read_double(a_v, "v", &n_v)) goto end;
  {
    const double returned = heft_drive_torque(s_drive, (double)n_q_d, (double)n_v_d, (double)n_ff, (double)n_q, (double)n_v);
    if (core_contract_broken()) goto end;
    result = PyFloat_FromDouble(returned);
  }
end:
  return result;
}

static PyObject* py_heft_drive_armature(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_drive = Py_None;
  static const char* const names[] = {"drive", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:drive_armature", core_keywords(names), &a_drive)) return NULL;
  PyObject* result = NULL;
  HeftDrive* s_drive = NULL;
  if (!(s_drive = core_struct_data(a_drive, 19, "drive"))) goto end;
  {
    const double returned = heft_drive_armature(s_drive);
    if (core_contract_broken()) goto end;
    result = PyFloat_FromDouble(returned);
  }
end:
  return result;
}

static PyObject* py_heft_spline_channels(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftSpline* object = core_use(self);
  if (!object) return NULL;
  static const char* const names[] = {NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, ":channels", core_keywords(names))) return NULL;
  PyObject* result = NULL;
  {
    const long long returned = heft_spline_channels(object);
    if (core_contract_broken()) goto end;
    result = PyLong_FromLongLong(returned);
  }
end:
  return result;
}

static PyObject* py_heft_spline_end(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftSpline* object = core_use(self);
  if (!object) return NULL;
  static const char* const names[] = {NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, ":end", core_keywords(names))) return NULL;
  PyObject* result = NULL;
  {
    const double returned = heft_spline_end(object);
    if (core_contract_broken()) goto end;
    result = PyFloat_FromDouble(returned);
  }
end:
  return result;
}

static PyObject* py_heft_spline_at(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftSpline* object = core_use(self);
  if (!object) return NULL;
  PyObject* a_time = Py_None;
  static const char* const names[] = {"time", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:at", core_keywords(names), &a_time)) return NULL;
  PyObject* held[3] = {NULL};
  PyObject* result = NULL;
  double n_time = 0;
  void* value = NULL;
  void* velocity = NULL;
  void* acceleration = NULL;
  if (core_read_double(a_time, "time", &n_time)) goto end;
  if (!(held[0] = core_array(core_shape1(heft_spline_channels(object)), "d", &value))) goto end;
  if (!(held[1] = core_array(core_shape1(heft_spline_channels(object)), "d", &velocity))) goto end;
  if (!(held[2] = core_array(core_shape1(heft_spline_channels(object)), "d", &acceleration))) goto end;
  {
    heft_spline_at(object, (double)n_time, value, velocity, acceleration);
    if (core_contract_broken()) goto end;
    result = core_tuple(3, (PyObject*[]){core_take(&held[0]), core_take(&held[1]), core_take(&held[2])});
  }
end:
  for (int i = 0; i < 3; ++i) Py_XDECREF(held[i]);
  return result;
}

static PyObject* py_heft_spline_smooth_step(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_s = Py_None;
  static const char* const names[] = {"s", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:spline_smooth_step", core_keywords(names), &a_s)) return NULL;
  PyObject* held[1] = {NULL};
  PyObject* result = NULL;
  double n_s = 0;
  void* out = NULL;
  if (core_read_double(a_s, "s", &n_s)) goto end;
  if (!(held[0] = core_array(core_shape1(3), "d", &out))) goto end;
  {
    heft_spline_smooth_step((double)n_s, out);
    if (core_contract_broken()) goto end;
    result = core_take(&held[0]);
  }
end:
  for (int i = 0; i < 1; ++i) Py_XDECREF(held[i]);
  return result;
}

static int py_heft_pose_solver_create(PyObject* self, PyObject* args, PyObject* keywords) {
  PyObject* a_model = Py_None;
  PyObject* a_root = Py_None;
  static const char* const names[] = {"model", "root", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:PoseSolver", core_keywords(names), &a_model, &a_root)) return -1;
  int result = -1;
  HeftModel* h_model = NULL;
  long long n_root = 0;
  HeftPoseSolver* made = NULL;
  HeftError error = {.status = HEFT_OK};
  if (!(h_model = core_use_as(a_model, core_class(CLASS_MODEL), "model"))) goto end;
  const HeftModel* m = ((Object*)a_model)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (core_read_int(a_root, "root", 0, m->nbody - 1, &n_root)) goto end;
  {
    const HeftStatus returned = heft_pose_solver_create(&made, h_model, (int)n_root, NULL, &error);
    if (returned != HEFT_OK) {
      core_fail(returned, &error);
      goto end;
    }
    if (core_contract_broken()) goto end;
    result = core_start((Object*)self, CLASS_POSE_SOLVER, made, a_model);
  }
end:
  return result;
}

static PyObject* py_heft_pose_solver_solve(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftPoseSolver* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_targets = Py_None;
  PyObject* a_q = Py_None;
  static const char* const names[] = {"targets", "q", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:solve", core_keywords(names), &a_targets, &a_q)) return NULL;
  PyObject* held[2] = {NULL};
  PyObject* result = NULL;
  HeftPoseTarget* targets = NULL;
  int count_targets = 0;
  double* q = NULL;
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (!(held[0] = core_struct_array(a_targets, 20, "targets", (void**)&targets, &count_targets))) goto end;
  if (!(held[1] = core_copy(a_q, "q", m->nq, &q))) goto end;
  {
    const double returned = heft_pose_solver_solve(object, targets, count_targets, q);
    if (core_contract_broken()) goto end;
    result = core_tuple(2, (PyObject*[]){PyFloat_FromDouble(returned), core_take(&held[1])});
  }
end:
  for (int i = 0; i < 2; ++i) Py_XDECREF(held[i]);
  return result;
}

static int py_heft_compliance_create(PyObject* self, PyObject* args, PyObject* keywords) {
  PyObject* a_model = Py_None;
  PyObject* a_def = Py_None;
  static const char* const names[] = {"model", "def_", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|O:Compliance", core_keywords(names), &a_model, &a_def)) return -1;
  int result = -1;
  HeftModel* h_model = NULL;
  HeftComplianceDef* s_def = NULL;
  HeftCompliance* made = NULL;
  HeftError error = {.status = HEFT_OK};
  if (!(h_model = core_use_as(a_model, core_class(CLASS_MODEL), "model"))) goto end;
  if ((a_def != Py_None && !(s_def = core_struct_data(a_def, 21, "def")))) goto end;
  {
    const HeftStatus returned = heft_compliance_create(&made, h_model, s_def, &error);
    if (returned != HEFT_OK) {
      core_fail(returned, &error);
      goto end;
    }
    if (core_contract_broken()) goto end;
    result = core_start((Object*)self, CLASS_COMPLIANCE, made, a_model);
  }
end:
  return result;
}

static PyObject* py_heft_compliance_set_dof(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftCompliance* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_dof = Py_None;
  PyObject* a_inertia = Py_None;
  PyObject* a_damping = Py_None;
  PyObject* a_stiffness = Py_None;
  static const char* const names[] = {"dof", "inertia", "damping", "stiffness", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OOOO:set_dof", core_keywords(names), &a_dof, &a_inertia, &a_damping, &a_stiffness)) return NULL;
  PyObject* result = NULL;
  long long n_dof = 0;
  double n_inertia = 0;
  double n_damping = 0;
  double n_stiffness = 0;
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (core_read_int(a_dof, "dof", 0, m->nv - 1, &n_dof)) goto end;
  if (core_read_double(a_inertia, "inertia", &n_inertia)) goto end;
  if (core_read_double(a_damping, "damping", &n_damping)) goto end;
  if (core_read_double(a_stiffness, "stiffness", &n_stiffness)) goto end;
  {
    heft_compliance_set_dof(object, (int)n_dof, (double)n_inertia, (double)n_damping, (double)n_stiffness);
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  return result;
}

static PyObject* py_heft_compliance_reset(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftCompliance* object = core_use_to_change(self);
  if (!object) return NULL;
  static const char* const names[] = {NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, ":reset", core_keywords(names))) return NULL;
  PyObject* result = NULL;
  {
    heft_compliance_reset(object);
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  return result;
}

static PyObject* py_heft_compliance_step(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftCompliance* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_dynamics = Py_None;
  PyObject* a_loads = Py_None;
  PyObject* a_dt = Py_None;
  static const char* const names[] = {"dynamics", "loads", "dt", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OOO:step", core_keywords(names), &a_dynamics, &a_loads, &a_dt)) return NULL;
  PyObject* held[1] = {NULL};
  PyObject* result = NULL;
  HeftDynamics* h_dynamics = NULL;
  HeftLoad* loads = NULL;
  int count_loads = 0;
  double n_dt = 0;
  if (!(h_dynamics = core_use_as(a_dynamics, core_class(CLASS_DYNAMICS), "dynamics"))) goto end;
  if (!(held[0] = core_struct_array(a_loads, 16, "loads", (void**)&loads, &count_loads))) goto end;
  if (core_read_double(a_dt, "dt", &n_dt)) goto end;
  {
    heft_compliance_step(object, h_dynamics, loads, count_loads, (double)n_dt);
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  for (int i = 0; i < 1; ++i) Py_XDECREF(held[i]);
  return result;
}

static PyObject* py_heft_compliance_set_offset(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftCompliance* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_offset = Py_None;
  PyObject* a_velocity = Py_None;
  static const char* const names[] = {"offset", "velocity", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:set_offset", core_keywords(names), &a_offset, &a_velocity)) return NULL;
  PyObject* held[2] = {NULL};
  PyObject* result = NULL;
  const double* offset = NULL;
  const double* velocity = NULL;
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (!(held[0] = core_doubles(a_offset, "offset", core_shape1(m->nv), 1, &offset))) goto end;
  if (!(held[1] = core_doubles(a_velocity, "velocity", core_shape1(m->nv), 1, &velocity))) goto end;
  {
    heft_compliance_set_offset(object, offset, velocity);
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  for (int i = 0; i < 2; ++i) Py_XDECREF(held[i]);
  return result;
}

static PyObject* py_heft_compliance_offset(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftCompliance* object = core_use(self);
  if (!object) return NULL;
  static const char* const names[] = {NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, ":offset", core_keywords(names))) return NULL;
  PyObject* result = NULL;
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  {
    const double* returned = heft_compliance_offset(object);
    if (core_contract_broken()) goto end;
    result = core_view(((Object*)self)->memory, returned, 'd', core_shape1(m->nv), 1);
  }
end:
  return result;
}

static PyObject* py_heft_compliance_velocity(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftCompliance* object = core_use(self);
  if (!object) return NULL;
  static const char* const names[] = {NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, ":velocity", core_keywords(names))) return NULL;
  PyObject* result = NULL;
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  {
    const double* returned = heft_compliance_velocity(object);
    if (core_contract_broken()) goto end;
    result = core_view(((Object*)self)->memory, returned, 'd', core_shape1(m->nv), 1);
  }
end:
  return result;
}

static PyObject* py_heft_compliance_apply(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftCompliance* object = core_use(self);
  if (!object) return NULL;
  PyObject* a_posture = Py_None;
  static const char* const names[] = {"posture", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:apply", core_keywords(names), &a_posture)) return NULL;
  PyObject* held[2] = {NULL};
  PyObject* result = NULL;
  const double* posture = NULL;
  void* out = NULL;
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (!(held[0] = core_doubles(a_posture, "posture", core_shape1(m->nq), 1, &posture))) goto end;
  if (!(held[1] = core_array(core_shape1(m->nq), "d", &out))) goto end;
  {
    heft_compliance_apply(object, posture, out);
    if (core_contract_broken()) goto end;
    result = core_take(&held[1]);
  }
end:
  for (int i = 0; i < 2; ++i) Py_XDECREF(held[i]);
  return result;
}

static PyObject* py_heft_wrist_wrench(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_world = Py_None;
  PyObject* a_site = Py_None;
  PyObject* a_object = Py_None;
  static const char* const names[] = {"world", "site", "object", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OOO:wrist_wrench", core_keywords(names), &a_world, &a_site, &a_object)) return NULL;
  PyObject* result = NULL;
  HeftWorld* h_world = NULL;
  long long n_site = 0;
  long long n_object = 0;
  if (!(h_world = core_use_as(a_world, core_class(CLASS_WORLD), "world"))) goto end;
  const HeftModel* m = ((Object*)a_world)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (core_read_int(a_site, "site", 0, m->nsite - 1, &n_site)) goto end;
  if (core_read_int(a_object, "object", INT32_MIN, INT32_MAX, &n_object)) goto end;
  {
    const HeftSpatial returned = heft_wrist_wrench(h_world, (int)n_site, (int)n_object);
    if (core_contract_broken()) goto end;
    result = core_struct(48, &returned);
  }
end:
  return result;
}

static PyObject* py_heft_wrist_weight(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_world = Py_None;
  PyObject* a_site = Py_None;
  PyObject* a_object = Py_None;
  PyObject* a_share = Py_None;
  static const char* const names[] = {"world", "site", "object", "share", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OOOO:wrist_weight", core_keywords(names), &a_world, &a_site, &a_object, &a_share)) return NULL;
  PyObject* result = NULL;
  HeftWorld* h_world = NULL;
  long long n_site = 0;
  long long n_object = 0;
  double n_share = 0;
  if (!(h_world = core_use_as(a_world, core_class(CLASS_WORLD), "world"))) goto end;
  const HeftModel* m = ((Object*)a_world)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (core_read_int(a_site, "site", 0, m->nsite - 1, &n_site)) goto end;
  if (core_read_int(a_object, "object", INT32_MIN, INT32_MAX, &n_object)) goto end;
  if (core_read_double(a_share, "share", &n_share)) goto end;
  {
    const HeftSpatial returned = heft_wrist_weight(h_world, (int)n_site, (int)n_object, (double)n_share);
    if (core_contract_broken()) goto end;
    result = core_struct(48, &returned);
  }
end:
  return result;
}

static PyObject* py_heft_wrist_load(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_world = Py_None;
  PyObject* a_site = Py_None;
  PyObject* a_wrench = Py_None;
  static const char* const names[] = {"world", "site", "wrench", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OOO:wrist_load", core_keywords(names), &a_world, &a_site, &a_wrench)) return NULL;
  PyObject* result = NULL;
  HeftWorld* h_world = NULL;
  long long n_site = 0;
  HeftSpatial* s_wrench = NULL;
  if (!(h_world = core_use_as(a_world, core_class(CLASS_WORLD), "world"))) goto end;
  const HeftModel* m = ((Object*)a_world)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (core_read_int(a_site, "site", 0, m->nsite - 1, &n_site)) goto end;
  if (!(s_wrench = core_struct_data(a_wrench, 48, "wrench"))) goto end;
  {
    const HeftLoad returned = heft_wrist_load(h_world, (int)n_site, *s_wrench);
    if (core_contract_broken()) goto end;
    result = core_struct(16, &returned);
  }
end:
  return result;
}

static int py_heft_gaze_create(PyObject* self, PyObject* args, PyObject* keywords) {
  PyObject* a_model = Py_None;
  PyObject* a_site = Py_None;
  PyObject* a_base = Py_None;
  PyObject* a_speed = Py_None;
  static const char* const names[] = {"model", "site", "base", "speed", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OOOO:Gaze", core_keywords(names), &a_model, &a_site, &a_base, &a_speed)) return -1;
  int result = -1;
  HeftModel* h_model = NULL;
  long long n_site = 0;
  long long n_base = 0;
  double n_speed = 0;
  HeftGaze* made = NULL;
  HeftError error = {.status = HEFT_OK};
  if (!(h_model = core_use_as(a_model, core_class(CLASS_MODEL), "model"))) goto end;
  const HeftModel* m = ((Object*)a_model)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (core_read_int(a_site, "site", 0, m->nsite - 1, &n_site)) goto end;
  if (core_read_int(a_base, "base", -1, m->nbody - 1, &n_base)) goto end;
  if (core_read_double(a_speed, "speed", &n_speed)) goto end;
  {
    const HeftStatus returned = heft_gaze_create(&made, h_model, (int)n_site, (int)n_base, (double)n_speed, NULL, &error);
    if (returned != HEFT_OK) {
      core_fail(returned, &error);
      goto end;
    }
    if (core_contract_broken()) goto end;
    result = core_start((Object*)self, CLASS_GAZE, made, a_model);
  }
end:
  return result;
}

static PyObject* py_heft_gaze_step(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftGaze* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_dynamics = Py_None;
  PyObject* a_q = Py_None;
  PyObject* a_point = Py_None;
  PyObject* a_dt = Py_None;
  PyObject* a_posture = Py_None;
  static const char* const names[] = {"dynamics", "q", "point", "dt", "posture", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OOOOO:step", core_keywords(names), &a_dynamics, &a_q, &a_point, &a_dt, &a_posture)) return NULL;
  PyObject* held[2] = {NULL};
  PyObject* result = NULL;
  HeftDynamics* h_dynamics = NULL;
  const double* q = NULL;
  HeftVec3 s_point = {0};
  double n_dt = 0;
  double* posture = NULL;
  if (!(h_dynamics = core_use_as(a_dynamics, core_class(CLASS_DYNAMICS), "dynamics"))) goto end;
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (!(held[0] = core_doubles(a_q, "q", core_shape1(m->nq), 1, &q))) goto end;
  if (core_read_shape(a_point, "point", &s_point, core_shape1(3), sizeof s_point)) goto end;
  if (core_read_double(a_dt, "dt", &n_dt)) goto end;
  if (!(held[1] = core_copy(a_posture, "posture", m->nq, &posture))) goto end;
  {
    const double returned = heft_gaze_step(object, h_dynamics, q, s_point, (double)n_dt, posture);
    if (core_contract_broken()) goto end;
    result = core_tuple(2, (PyObject*[]){PyFloat_FromDouble(returned), core_take(&held[1])});
  }
end:
  for (int i = 0; i < 2; ++i) Py_XDECREF(held[i]);
  return result;
}

static PyObject* py_heft_force_sensor_read(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_sensor = Py_None;
  PyObject* a_body = Py_None;
  PyObject* a_wrench = Py_None;
  PyObject* a_tick = Py_None;
  static const char* const names[] = {"sensor", "body", "wrench", "tick", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OOOO:force_sensor_read", core_keywords(names), &a_sensor, &a_body, &a_wrench, &a_tick)) return NULL;
  PyObject* held[1] = {NULL};
  PyObject* result = NULL;
  HeftForceSensor* s_sensor = NULL;
  HeftQuat s_body = {0};
  HeftSpatial* s_wrench = NULL;
  unsigned long long n_tick = 0;
  void* raw = NULL;
  if (!(s_sensor = core_struct_data(a_sensor, 22, "sensor"))) goto end;
  if (core_read_shape(a_body, "body", &s_body, core_shape1(4), sizeof s_body)) goto end;
  if (!(s_wrench = core_struct_data(a_wrench, 48, "wrench"))) goto end;
  if (core_read_unsigned(a_tick, "tick", &n_tick)) goto end;
  if (!(held[0] = core_array(core_shape1(6), "d", &raw))) goto end;
  {
    const HeftStatus returned = heft_force_sensor_read(s_sensor, s_body, *s_wrench, (uint64_t)n_tick, raw);
    if (returned != HEFT_OK) {
      core_fail(returned, NULL);
      goto end;
    }
    if (core_contract_broken()) goto end;
    result = core_take(&held[0]);
  }
end:
  for (int i = 0; i < 1; ++i) Py_XDECREF(held[i]);
  return result;
}

static PyObject* py_heft_force_sensor_outside(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_sensor = Py_None;
  PyObject* a_body = Py_None;
  PyObject* a_gravity = Py_None;
  PyObject* a_raw = Py_None;
  static const char* const names[] = {"sensor", "body", "gravity", "raw", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OOOO:force_sensor_outside", core_keywords(names), &a_sensor, &a_body, &a_gravity, &a_raw)) return NULL;
  PyObject* held[1] = {NULL};
  PyObject* result = NULL;
  HeftForceSensor* s_sensor = NULL;
  HeftQuat s_body = {0};
  HeftVec3 s_gravity = {0};
  const double* raw = NULL;
  if (!(s_sensor = core_struct_data(a_sensor, 22, "sensor"))) goto end;
  if (core_read_shape(a_body, "body", &s_body, core_shape1(4), sizeof s_body)) goto end;
  if (core_read_shape(a_gravity, "gravity", &s_gravity, core_shape1(3), sizeof s_gravity)) goto end;
  if (!(held[0] = core_doubles(a_raw, "raw", core_shape1(6), 1, &raw))) goto end;
  {
    const HeftSpatial returned = heft_force_sensor_outside(s_sensor, s_body, s_gravity, raw);
    if (core_contract_broken()) goto end;
    result = core_struct(48, &returned);
  }
end:
  for (int i = 0; i < 1; ++i) Py_XDECREF(held[i]);
  return result;
}

static PyObject* py_heft_force_plate_read(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_world = Py_None;
  PyObject* a_body = Py_None;
  PyObject* a_other = Py_None;
  PyObject* a_height = Py_None;
  static const char* const names[] = {"world", "body", "other", "height", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OOOO:force_plate_read", core_keywords(names), &a_world, &a_body, &a_other, &a_height)) return NULL;
  PyObject* result = NULL;
  HeftWorld* h_world = NULL;
  long long n_body = 0;
  long long n_other = 0;
  double n_height = 0;
  if (!(h_world = core_use_as(a_world, core_class(CLASS_WORLD), "world"))) goto end;
  const HeftModel* m = ((Object*)a_world)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (core_read_int(a_body, "body", 0, m->nbody - 1, &n_body)) goto end;
  if (core_read_int(a_other, "other", 0, m->nbody - 1, &n_other)) goto end;
  if (core_read_double(a_height, "height", &n_height)) goto end;
  {
    const HeftForcePlate returned = heft_force_plate_read(h_world, (int)n_body, (int)n_other, (double)n_height);
    if (core_contract_broken()) goto end;
    result = core_struct(23, &returned);
  }
end:
  return result;
}

static PyObject* py_heft_butterworth_make(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_order = Py_None;
  PyObject* a_cutoff = Py_None;
  PyObject* a_rate = Py_None;
  static const char* const names[] = {"order", "cutoff", "rate", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OOO:butterworth_make", core_keywords(names), &a_order, &a_cutoff, &a_rate)) return NULL;
  PyObject* result = NULL;
  long long n_order = 0;
  double n_cutoff = 0;
  double n_rate = 0;
  if (core_read_int(a_order, "order", INT32_MIN, INT32_MAX, &n_order)) goto end;
  if (core_read_double(a_cutoff, "cutoff", &n_cutoff)) goto end;
  if (core_read_double(a_rate, "rate", &n_rate)) goto end;
  {
    const HeftButterworth returned = heft_butterworth_make((int)n_order, (double)n_cutoff, (double)n_rate);
    if (core_contract_broken()) goto end;
    result = core_struct(24, &returned);
  }
end:
  return result;
}

static PyObject* py_heft_butterworth_step(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_filter = Py_None;
  PyObject* a_x = Py_None;
  static const char* const names[] = {"filter", "x", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:butterworth_step", core_keywords(names), &a_filter, &a_x)) return NULL;
  PyObject* result = NULL;
  HeftButterworth* s_filter = NULL;
  double n_x = 0;
  if (!(s_filter = core_struct_data(a_filter, 24, "filter"))) goto end;
  if (core_read_double(a_x, "x", &n_x)) goto end;
  {
    const double returned = heft_butterworth_step(s_filter, (double)n_x);
    if (core_contract_broken()) goto end;
    result = PyFloat_FromDouble(returned);
  }
end:
  return result;
}

static int py_heft_dynamics_create(PyObject* self, PyObject* args, PyObject* keywords) {
  PyObject* a_model = Py_None;
  static const char* const names[] = {"model", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:Dynamics", core_keywords(names), &a_model)) return -1;
  int result = -1;
  HeftModel* h_model = NULL;
  HeftDynamics* made = NULL;
  HeftError error = {.status = HEFT_OK};
  if (!(h_model = core_use_as(a_model, core_class(CLASS_MODEL), "model"))) goto end;
  {
    const HeftStatus returned = heft_dynamics_create(&made, h_model, NULL, &error);
    if (returned != HEFT_OK) {
      core_fail(returned, &error);
      goto end;
    }
    if (core_contract_broken()) goto end;
    result = core_start((Object*)self, CLASS_DYNAMICS, made, a_model);
  }
end:
  return result;
}

static PyObject* py_heft_dynamics_kinematics(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftDynamics* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_q = Py_None;
  static const char* const names[] = {"q", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:kinematics", core_keywords(names), &a_q)) return NULL;
  PyObject* held[1] = {NULL};
  PyObject* result = NULL;
  const double* q = NULL;
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (!(held[0] = core_doubles(a_q, "q", core_shape1(m->nq), 1, &q))) goto end;
  {
    heft_dynamics_kinematics(object, q);
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  for (int i = 0; i < 1; ++i) Py_XDECREF(held[i]);
  return result;
}

static PyObject* py_heft_dynamics_set_moved(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftDynamics* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_moved = Py_None;
  static const char* const names[] = {"moved", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "|O:set_moved", core_keywords(names), &a_moved)) return NULL;
  PyObject* held[1] = {NULL};
  PyObject* result = NULL;
  const double* moved = NULL;
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if ((a_moved != Py_None && !(held[0] = core_doubles(a_moved, "moved", core_shape2(m->nmoved, 13), 1, &moved)))) goto end;
  {
    heft_dynamics_set_moved(object, moved);
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  for (int i = 0; i < 1; ++i) Py_XDECREF(held[i]);
  return result;
}

static PyObject* py_heft_dynamics_velocities(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftDynamics* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_v = Py_None;
  static const char* const names[] = {"v", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:velocities", core_keywords(names), &a_v)) return NULL;
  PyObject* held[1] = {NULL};
  PyObject* result = NULL;
  const double* v = NULL;
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (!(held[0] = core_doubles(a_v, "v", core_shape1(m->nv), 1, &v))) goto end;
  {
    heft_dynamics_velocities(object, v);
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  for (int i = 0; i < 1; ++i) Py_XDECREF(held[i]);
  return result;
}

static PyObject* py_heft_dynamics_body_pose(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftDynamics* object = core_use(self);
  if (!object) return NULL;
  PyObject* a_body = Py_None;
  static const char* const names[] = {"body", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:body_pose", core_keywords(names), &a_body)) return NULL;
  PyObject* result = NULL;
  long long n_body = 0;
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (core_read_int(a_body, "body", 0, m->nbody - 1, &n_body)) goto end;
  {
    const HeftPose returned = heft_dynamics_body_pose(object, (int)n_body);
    if (core_contract_broken()) goto end;
    result = core_struct(47, &returned);
  }
end:
  return result;
}

static PyObject* py_heft_dynamics_site_pose(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftDynamics* object = core_use(self);
  if (!object) return NULL;
  PyObject* a_site = Py_None;
  static const char* const names[] = {"site", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:site_pose", core_keywords(names), &a_site)) return NULL;
  PyObject* result = NULL;
  long long n_site = 0;
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (core_read_int(a_site, "site", 0, m->nsite - 1, &n_site)) goto end;
  {
    const HeftPose returned = heft_dynamics_site_pose(object, (int)n_site);
    if (core_contract_broken()) goto end;
    result = core_struct(47, &returned);
  }
end:
  return result;
}

static PyObject* py_heft_dynamics_body_velocity(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftDynamics* object = core_use(self);
  if (!object) return NULL;
  PyObject* a_body = Py_None;
  PyObject* a_point = Py_None;
  static const char* const names[] = {"body", "point", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:body_velocity", core_keywords(names), &a_body, &a_point)) return NULL;
  PyObject* result = NULL;
  long long n_body = 0;
  HeftVec3 s_point = {0};
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (core_read_int(a_body, "body", 0, m->nbody - 1, &n_body)) goto end;
  if (core_read_shape(a_point, "point", &s_point, core_shape1(3), sizeof s_point)) goto end;
  {
    const HeftSpatial returned = heft_dynamics_body_velocity(object, (int)n_body, s_point);
    if (core_contract_broken()) goto end;
    result = core_struct(48, &returned);
  }
end:
  return result;
}

static PyObject* py_heft_dynamics_body_acceleration(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftDynamics* object = core_use(self);
  if (!object) return NULL;
  PyObject* a_body = Py_None;
  PyObject* a_point = Py_None;
  static const char* const names[] = {"body", "point", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:body_acceleration", core_keywords(names), &a_body, &a_point)) return NULL;
  PyObject* result = NULL;
  long long n_body = 0;
  HeftVec3 s_point = {0};
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (core_read_int(a_body, "body", 0, m->nbody - 1, &n_body)) goto end;
  if (core_read_shape(a_point, "point", &s_point, core_shape1(3), sizeof s_point)) goto end;
  {
    const HeftSpatial returned = heft_dynamics_body_acceleration(object, (int)n_body, s_point);
    if (core_contract_broken()) goto end;
    result = core_struct(48, &returned);
  }
end:
  return result;
}

static PyObject* py_heft_dynamics_body_jacobian(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftDynamics* object = core_use(self);
  if (!object) return NULL;
  PyObject* a_body = Py_None;
  PyObject* a_point = Py_None;
  static const char* const names[] = {"body", "point", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:body_jacobian", core_keywords(names), &a_body, &a_point)) return NULL;
  PyObject* held[1] = {NULL};
  PyObject* result = NULL;
  long long n_body = 0;
  HeftVec3 s_point = {0};
  void* out = NULL;
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (core_read_int(a_body, "body", 0, m->nbody - 1, &n_body)) goto end;
  if (core_read_shape(a_point, "point", &s_point, core_shape1(3), sizeof s_point)) goto end;
  if (!(held[0] = core_array(core_shape2(6, m->nv), "d", &out))) goto end;
  {
    heft_dynamics_body_jacobian(object, (int)n_body, s_point, out);
    if (core_contract_broken()) goto end;
    result = core_take(&held[0]);
  }
end:
  for (int i = 0; i < 1; ++i) Py_XDECREF(held[i]);
  return result;
}

static PyObject* py_heft_dynamics_clear_wrenches(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftDynamics* object = core_use_to_change(self);
  if (!object) return NULL;
  static const char* const names[] = {NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, ":clear_wrenches", core_keywords(names))) return NULL;
  PyObject* result = NULL;
  {
    heft_dynamics_clear_wrenches(object);
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  return result;
}

static PyObject* py_heft_dynamics_add_wrench(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftDynamics* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_body = Py_None;
  PyObject* a_point = Py_None;
  PyObject* a_force = Py_None;
  PyObject* a_torque = Py_None;
  static const char* const names[] = {"body", "point", "force", "torque", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OOOO:add_wrench", core_keywords(names), &a_body, &a_point, &a_force, &a_torque)) return NULL;
  PyObject* result = NULL;
  long long n_body = 0;
  HeftVec3 s_point = {0};
  HeftVec3 s_force = {0};
  HeftVec3 s_torque = {0};
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (core_read_int(a_body, "body", 0, m->nbody - 1, &n_body)) goto end;
  if (core_read_shape(a_point, "point", &s_point, core_shape1(3), sizeof s_point)) goto end;
  if (core_read_shape(a_force, "force", &s_force, core_shape1(3), sizeof s_force)) goto end;
  if (core_read_shape(a_torque, "torque", &s_torque, core_shape1(3), sizeof s_torque)) goto end;
  {
    heft_dynamics_add_wrench(object, (int)n_body, s_point, s_force, s_torque);
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  return result;
}

static PyObject* py_heft_dynamics_wrenches_to_joints(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftDynamics* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_tau = Py_None;
  static const char* const names[] = {"tau", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:wrenches_to_joints", core_keywords(names), &a_tau)) return NULL;
  PyObject* held[1] = {NULL};
  PyObject* result = NULL;
  double* tau = NULL;
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (!(held[0] = core_copy(a_tau, "tau", m->nv, &tau))) goto end;
  {
    heft_dynamics_wrenches_to_joints(object, tau);
    if (core_contract_broken()) goto end;
    result = core_take(&held[0]);
  }
end:
  for (int i = 0; i < 1; ++i) Py_XDECREF(held[i]);
  return result;
}

static PyObject* py_heft_dynamics_rnea(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftDynamics* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_v = Py_None;
  PyObject* a_a = Py_None;
  static const char* const names[] = {"v", "a", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|O:rnea", core_keywords(names), &a_v, &a_a)) return NULL;
  PyObject* held[3] = {NULL};
  PyObject* result = NULL;
  const double* v = NULL;
  const double* a = NULL;
  void* tau = NULL;
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (!(held[0] = core_doubles(a_v, "v", core_shape1(m->nv), 1, &v))) goto end;
  if ((a_a != Py_None && !(held[1] = core_doubles(a_a, "a", core_shape1(m->nv), 1, &a)))) goto end;
  if (!(held[2] = core_array(core_shape1(m->nv), "d", &tau))) goto end;
  {
    heft_dynamics_rnea(object, v, a, tau);
    if (core_contract_broken()) goto end;
    result = core_take(&held[2]);
  }
end:
  for (int i = 0; i < 3; ++i) Py_XDECREF(held[i]);
  return result;
}

static PyObject* py_heft_dynamics_aba(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftDynamics* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_v = Py_None;
  PyObject* a_tau = Py_None;
  static const char* const names[] = {"v", "tau", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|O:aba", core_keywords(names), &a_v, &a_tau)) return NULL;
  PyObject* held[3] = {NULL};
  PyObject* result = NULL;
  const double* v = NULL;
  const double* tau = NULL;
  void* a = NULL;
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (!(held[0] = core_doubles(a_v, "v", core_shape1(m->nv), 1, &v))) goto end;
  if ((a_tau != Py_None && !(held[1] = core_doubles(a_tau, "tau", core_shape1(m->nv), 1, &tau)))) goto end;
  if (!(held[2] = core_array(core_shape1(m->nv), "d", &a))) goto end;
  {
    heft_dynamics_aba(object, v, tau, a);
    if (core_contract_broken()) goto end;
    result = core_take(&held[2]);
  }
end:
  for (int i = 0; i < 3; ++i) Py_XDECREF(held[i]);
  return result;
}

static PyObject* py_heft_dynamics_crba(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftDynamics* object = core_use_to_change(self);
  if (!object) return NULL;
  static const char* const names[] = {NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, ":crba", core_keywords(names))) return NULL;
  PyObject* result = NULL;
  {
    heft_dynamics_crba(object);
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  return result;
}

static PyObject* py_heft_dynamics_factor(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftDynamics* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_extra = Py_None;
  static const char* const names[] = {"extra", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "|O:factor", core_keywords(names), &a_extra)) return NULL;
  PyObject* held[1] = {NULL};
  PyObject* result = NULL;
  const double* extra = NULL;
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if ((a_extra != Py_None && !(held[0] = core_doubles(a_extra, "extra", core_shape1(m->nv), 1, &extra)))) goto end;
  {
    const HeftStatus returned = heft_dynamics_factor(object, extra);
    if (returned != HEFT_OK) {
      core_fail(returned, NULL);
      goto end;
    }
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  for (int i = 0; i < 1; ++i) Py_XDECREF(held[i]);
  return result;
}

static PyObject* py_heft_dynamics_solve(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftDynamics* object = core_use(self);
  if (!object) return NULL;
  PyObject* a_x = Py_None;
  static const char* const names[] = {"x", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:solve", core_keywords(names), &a_x)) return NULL;
  PyObject* held[1] = {NULL};
  PyObject* result = NULL;
  double* x = NULL;
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (!(held[0] = core_copy(a_x, "x", m->nv, &x))) goto end;
  {
    heft_dynamics_solve(object, x);
    if (core_contract_broken()) goto end;
    result = core_take(&held[0]);
  }
end:
  for (int i = 0; i < 1; ++i) Py_XDECREF(held[i]);
  return result;
}

static PyObject* py_heft_dynamics_mass_matrix(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftDynamics* object = core_use(self);
  if (!object) return NULL;
  static const char* const names[] = {NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, ":mass_matrix", core_keywords(names))) return NULL;
  PyObject* held[1] = {NULL};
  PyObject* result = NULL;
  void* out = NULL;
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (!(held[0] = core_array(core_shape2(m->nv, m->nv), "d", &out))) goto end;
  {
    heft_dynamics_mass_matrix(object, out);
    if (core_contract_broken()) goto end;
    result = core_take(&held[0]);
  }
end:
  for (int i = 0; i < 1; ++i) Py_XDECREF(held[i]);
  return result;
}

static PyObject* py_heft_dynamics_center_of_mass(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftDynamics* object = core_use(self);
  if (!object) return NULL;
  PyObject* a_body = Py_None;
  static const char* const names[] = {"body", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:center_of_mass", core_keywords(names), &a_body)) return NULL;
  PyObject* result = NULL;
  long long n_body = 0;
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (core_read_int(a_body, "body", 0, m->nbody - 1, &n_body)) goto end;
  {
    const HeftVec3 returned = heft_dynamics_center_of_mass(object, (int)n_body);
    if (core_contract_broken()) goto end;
    result = core_numbers(&returned, core_shape1(3));
  }
end:
  return result;
}

static PyObject* py_heft_dynamics_momentum(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftDynamics* object = core_use(self);
  if (!object) return NULL;
  PyObject* a_body = Py_None;
  PyObject* a_about = Py_None;
  static const char* const names[] = {"body", "about", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:momentum", core_keywords(names), &a_body, &a_about)) return NULL;
  PyObject* result = NULL;
  long long n_body = 0;
  HeftVec3 s_about = {0};
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (core_read_int(a_body, "body", 0, m->nbody - 1, &n_body)) goto end;
  if (core_read_shape(a_about, "about", &s_about, core_shape1(3), sizeof s_about)) goto end;
  {
    const HeftSpatial returned = heft_dynamics_momentum(object, (int)n_body, s_about);
    if (core_contract_broken()) goto end;
    result = core_struct(48, &returned);
  }
end:
  return result;
}

static PyObject* py_heft_dynamics_kinetic_energy(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftDynamics* object = core_use(self);
  if (!object) return NULL;
  PyObject* a_v = Py_None;
  static const char* const names[] = {"v", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:kinetic_energy", core_keywords(names), &a_v)) return NULL;
  PyObject* held[1] = {NULL};
  PyObject* result = NULL;
  const double* v = NULL;
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (!(held[0] = core_doubles(a_v, "v", core_shape1(m->nv), 1, &v))) goto end;
  {
    const double returned = heft_dynamics_kinetic_energy(object, v);
    if (core_contract_broken()) goto end;
    result = PyFloat_FromDouble(returned);
  }
end:
  for (int i = 0; i < 1; ++i) Py_XDECREF(held[i]);
  return result;
}

static PyObject* py_heft_dynamics_potential_energy(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftDynamics* object = core_use(self);
  if (!object) return NULL;
  PyObject* a_q = Py_None;
  static const char* const names[] = {"q", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:potential_energy", core_keywords(names), &a_q)) return NULL;
  PyObject* held[1] = {NULL};
  PyObject* result = NULL;
  const double* q = NULL;
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (!(held[0] = core_doubles(a_q, "q", core_shape1(m->nq), 1, &q))) goto end;
  {
    const double returned = heft_dynamics_potential_energy(object, q);
    if (core_contract_broken()) goto end;
    result = PyFloat_FromDouble(returned);
  }
end:
  for (int i = 0; i < 1; ++i) Py_XDECREF(held[i]);
  return result;
}

static PyObject* py_heft_model_spring_forces(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftModel* object = core_use(self);
  if (!object) return NULL;
  PyObject* a_q = Py_None;
  PyObject* a_tau = Py_None;
  static const char* const names[] = {"q", "tau", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:spring_forces", core_keywords(names), &a_q, &a_tau)) return NULL;
  PyObject* held[2] = {NULL};
  PyObject* result = NULL;
  const double* q = NULL;
  double* tau = NULL;
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (!(held[0] = core_doubles(a_q, "q", core_shape1(m->nq), 1, &q))) goto end;
  if (!(held[1] = core_copy(a_tau, "tau", m->nv, &tau))) goto end;
  {
    heft_model_spring_forces(object, q, tau);
    if (core_contract_broken()) goto end;
    result = core_take(&held[1]);
  }
end:
  for (int i = 0; i < 2; ++i) Py_XDECREF(held[i]);
  return result;
}

static PyObject* py_heft_dynamics_tendon_length(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftDynamics* object = core_use(self);
  if (!object) return NULL;
  PyObject* a_tendon = Py_None;
  PyObject* a_q = Py_None;
  static const char* const names[] = {"tendon", "q", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:tendon_length", core_keywords(names), &a_tendon, &a_q)) return NULL;
  PyObject* held[2] = {NULL};
  PyObject* result = NULL;
  long long n_tendon = 0;
  const double* q = NULL;
  void* moment_arm = NULL;
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (core_read_int(a_tendon, "tendon", 0, m->ntendon - 1, &n_tendon)) goto end;
  if (!(held[0] = core_doubles(a_q, "q", core_shape1(m->nq), 1, &q))) goto end;
  if (!(held[1] = core_array(core_shape1(m->nv), "d", &moment_arm))) goto end;
  {
    const double returned = heft_dynamics_tendon_length(object, (int)n_tendon, q, moment_arm);
    if (core_contract_broken()) goto end;
    result = core_tuple(2, (PyObject*[]){PyFloat_FromDouble(returned), core_take(&held[1])});
  }
end:
  for (int i = 0; i < 2; ++i) Py_XDECREF(held[i]);
  return result;
}

static PyObject* py_heft_dynamics_actuator_length(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftDynamics* object = core_use(self);
  if (!object) return NULL;
  PyObject* a_actuator = Py_None;
  PyObject* a_q = Py_None;
  static const char* const names[] = {"actuator", "q", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:actuator_length", core_keywords(names), &a_actuator, &a_q)) return NULL;
  PyObject* held[2] = {NULL};
  PyObject* result = NULL;
  long long n_actuator = 0;
  const double* q = NULL;
  void* moment_arm = NULL;
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (core_read_int(a_actuator, "actuator", 0, m->nactuator - 1, &n_actuator)) goto end;
  if (!(held[0] = core_doubles(a_q, "q", core_shape1(m->nq), 1, &q))) goto end;
  if (!(held[1] = core_array(core_shape1(m->nv), "d", &moment_arm))) goto end;
  {
    const double returned = heft_dynamics_actuator_length(object, (int)n_actuator, q, moment_arm);
    if (core_contract_broken()) goto end;
    result = core_tuple(2, (PyObject*[]){PyFloat_FromDouble(returned), core_take(&held[1])});
  }
end:
  for (int i = 0; i < 2; ++i) Py_XDECREF(held[i]);
  return result;
}

static PyObject* py_heft_delassus_name(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_method = Py_None;
  static const char* const names[] = {"method", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:delassus_name", core_keywords(names), &a_method)) return NULL;
  PyObject* result = NULL;
  int method = 0;
  if (core_read_enum(7, a_method, "method", &method)) goto end;
  {
    const char* returned = heft_delassus_name((HeftDelassusMethod)method);
    if (core_contract_broken()) goto end;
    result = PyUnicode_FromString(returned);
  }
end:
  return result;
}

static PyObject* py_heft_delassus_text(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_method = Py_None;
  static const char* const names[] = {"method", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:delassus_text", core_keywords(names), &a_method)) return NULL;
  PyObject* result = NULL;
  int method = 0;
  if (core_read_enum(7, a_method, "method", &method)) goto end;
  {
    const char* returned = heft_delassus_text((HeftDelassusMethod)method);
    if (core_contract_broken()) goto end;
    result = PyUnicode_FromString(returned);
  }
end:
  return result;
}

static PyObject* py_heft_delassus_needs_aba(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_method = Py_None;
  static const char* const names[] = {"method", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:delassus_needs_aba", core_keywords(names), &a_method)) return NULL;
  PyObject* result = NULL;
  int method = 0;
  if (core_read_enum(7, a_method, "method", &method)) goto end;
  {
    const bool returned = heft_delassus_needs_aba((HeftDelassusMethod)method);
    if (core_contract_broken()) goto end;
    result = PyBool_FromLong(returned);
  }
end:
  return result;
}

static PyObject* py_heft_dynamics_tree_origin(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftDynamics* object = core_use(self);
  if (!object) return NULL;
  PyObject* a_body = Py_None;
  static const char* const names[] = {"body", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:tree_origin", core_keywords(names), &a_body)) return NULL;
  PyObject* result = NULL;
  long long n_body = 0;
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (core_read_int(a_body, "body", 0, m->nbody - 1, &n_body)) goto end;
  {
    const HeftVec3 returned = heft_dynamics_tree_origin(object, (int)n_body);
    if (core_contract_broken()) goto end;
    result = core_numbers(&returned, core_shape1(3));
  }
end:
  return result;
}

static PyObject* py_heft_local_model_force(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_model = Py_None;
  PyObject* a_now_ns = Py_None;
  PyObject* a_handle = Py_None;
  static const char* const names[] = {"model", "now_ns", "handle", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OOO:local_model_force", core_keywords(names), &a_model, &a_now_ns, &a_handle)) return NULL;
  PyObject* result = NULL;
  HeftLocalModel* s_model = NULL;
  unsigned long long n_now_ns = 0;
  HeftDeviceSample* s_handle = NULL;
  if (!(s_model = core_struct_data(a_model, 88, "model"))) goto end;
  if (core_read_unsigned(a_now_ns, "now_ns", &n_now_ns)) goto end;
  if (!(s_handle = core_struct_data(a_handle, 30, "handle"))) goto end;
  {
    const HeftDeviceForce returned = heft_local_model_force(s_model, (uint64_t)n_now_ns, s_handle);
    if (core_contract_broken()) goto end;
    result = core_struct(31, &returned);
  }
end:
  return result;
}

static PyObject* py_heft_local_moved(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_model = Py_None;
  PyObject* a_now_ns = Py_None;
  static const char* const names[] = {"model", "now_ns", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:local_moved", core_keywords(names), &a_model, &a_now_ns)) return NULL;
  PyObject* result = NULL;
  HeftLocalModel* s_model = NULL;
  unsigned long long n_now_ns = 0;
  if (!(s_model = core_struct_data(a_model, 88, "model"))) goto end;
  if (core_read_unsigned(a_now_ns, "now_ns", &n_now_ns)) goto end;
  {
    const HeftSpatial returned = heft_local_moved(s_model, (uint64_t)n_now_ns);
    if (core_contract_broken()) goto end;
    result = core_struct(48, &returned);
  }
end:
  return result;
}

static PyObject* py_heft_mapping_apply(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_mapping = Py_None;
  PyObject* a_sample = Py_None;
  static const char* const names[] = {"mapping", "sample", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:mapping_apply", core_keywords(names), &a_mapping, &a_sample)) return NULL;
  PyObject* result = NULL;
  HeftMapping* s_mapping = NULL;
  HeftDeviceSample* s_sample = NULL;
  if (!(s_mapping = core_struct_data(a_mapping, 33, "mapping"))) goto end;
  if (!(s_sample = core_struct_data(a_sample, 30, "sample"))) goto end;
  {
    const HeftProbeInput returned = heft_mapping_apply(s_mapping, s_sample);
    if (core_contract_broken()) goto end;
    result = core_struct(32, &returned);
  }
end:
  return result;
}

static PyObject* py_heft_mapping_force(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_mapping = Py_None;
  PyObject* a_in_world = Py_None;
  static const char* const names[] = {"mapping", "in_world", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:mapping_force", core_keywords(names), &a_mapping, &a_in_world)) return NULL;
  PyObject* result = NULL;
  HeftMapping* s_mapping = NULL;
  HeftDeviceForce* s_in_world = NULL;
  if (!(s_mapping = core_struct_data(a_mapping, 33, "mapping"))) goto end;
  if (!(s_in_world = core_struct_data(a_in_world, 31, "in_world"))) goto end;
  {
    const HeftDeviceForce returned = heft_mapping_force(s_mapping, s_in_world);
    if (core_contract_broken()) goto end;
    result = core_struct(31, &returned);
  }
end:
  return result;
}

static PyObject* py_heft_probe_mode_name(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_mode = Py_None;
  static const char* const names[] = {"mode", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:probe_mode_name", core_keywords(names), &a_mode)) return NULL;
  PyObject* result = NULL;
  int mode = 0;
  if (core_read_enum(9, a_mode, "mode", &mode)) goto end;
  {
    const char* returned = heft_probe_mode_name((HeftProbeMode)mode);
    if (core_contract_broken()) goto end;
    result = PyUnicode_FromString(returned);
  }
end:
  return result;
}

static int py_heft_probe_create(PyObject* self, PyObject* args, PyObject* keywords) {
  PyObject* a_model = Py_None;
  PyObject* a_def = Py_None;
  static const char* const names[] = {"model", "def_", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|O:Probe", core_keywords(names), &a_model, &a_def)) return -1;
  int result = -1;
  HeftModel* h_model = NULL;
  HeftProbeDef* s_def = NULL;
  HeftProbe* made = NULL;
  HeftError error = {.status = HEFT_OK};
  if (!(h_model = core_use_as(a_model, core_class(CLASS_MODEL), "model"))) goto end;
  if ((a_def != Py_None && !(s_def = core_struct_data(a_def, 34, "def")))) goto end;
  {
    const HeftStatus returned = heft_probe_create(&made, h_model, s_def, &error);
    if (returned != HEFT_OK) {
      core_fail(returned, &error);
      goto end;
    }
    if (core_contract_broken()) goto end;
    result = core_start((Object*)self, CLASS_PROBE, made, a_model);
  }
end:
  return result;
}

static PyObject* py_heft_probe_begin(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftProbe* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_world = Py_None;
  PyObject* a_input = Py_None;
  static const char* const names[] = {"world", "input", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:begin", core_keywords(names), &a_world, &a_input)) return NULL;
  PyObject* result = NULL;
  HeftWorld* h_world = NULL;
  HeftProbeInput* s_input = NULL;
  if (!(h_world = core_use_as(a_world, core_class(CLASS_WORLD), "world"))) goto end;
  if (core_refuse_constant(a_world, "world")) goto end;
  if (!(s_input = core_struct_data(a_input, 32, "input"))) goto end;
  {
    heft_probe_begin(object, h_world, s_input);
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  return result;
}

static PyObject* py_heft_probe_end(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftProbe* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_world = Py_None;
  static const char* const names[] = {"world", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:end", core_keywords(names), &a_world)) return NULL;
  PyObject* result = NULL;
  HeftWorld* h_world = NULL;
  if (!(h_world = core_use_as(a_world, core_class(CLASS_WORLD), "world"))) goto end;
  if (core_refuse_constant(a_world, "world")) goto end;
  {
    const HeftLocalModel returned = heft_probe_end(object, h_world);
    if (core_contract_broken()) goto end;
    result = core_struct(88, &returned);
  }
end:
  return result;
}

static PyObject* py_heft_probe_state(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftProbe* object = core_use(self);
  if (!object) return NULL;
  static const char* const names[] = {NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, ":state", core_keywords(names))) return NULL;
  PyObject* result = NULL;
  {
    const HeftProbeState* returned = heft_probe_state(object);
    if (core_contract_broken()) goto end;
    result = core_struct(89, returned);
  }
end:
  return result;
}

static PyObject* py_heft_probe_set_state(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftProbe* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_state = Py_None;
  static const char* const names[] = {"state", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:set_state", core_keywords(names), &a_state)) return NULL;
  PyObject* result = NULL;
  HeftProbeState* s_state = NULL;
  if (!(s_state = core_struct_data(a_state, 89, "state"))) goto end;
  {
    heft_probe_set_state(object, s_state);
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  return result;
}

static PyObject* py_heft_probe_def(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftProbe* object = core_use(self);
  if (!object) return NULL;
  static const char* const names[] = {NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, ":def_", core_keywords(names))) return NULL;
  PyObject* result = NULL;
  {
    const HeftProbeDef returned = heft_probe_def(object);
    if (core_contract_broken()) goto end;
    result = core_struct(34, &returned);
  }
end:
  return result;
}

static PyObject* py_heft_coupling_damping(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_mass = Py_None;
  PyObject* a_stiffness = Py_None;
  static const char* const names[] = {"mass", "stiffness", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:coupling_damping", core_keywords(names), &a_mass, &a_stiffness)) return NULL;
  PyObject* result = NULL;
  double n_mass = 0;
  double n_stiffness = 0;
  if (core_read_double(a_mass, "mass", &n_mass)) goto end;
  if (core_read_double(a_stiffness, "stiffness", &n_stiffness)) goto end;
  {
    const double returned = heft_coupling_damping((double)n_mass, (double)n_stiffness);
    if (core_contract_broken()) goto end;
    result = PyFloat_FromDouble(returned);
  }
end:
  return result;
}

static PyObject* py_heft_gesture_name(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_gesture = Py_None;
  static const char* const names[] = {"gesture", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:gesture_name", core_keywords(names), &a_gesture)) return NULL;
  PyObject* result = NULL;
  int gesture = 0;
  if (core_read_enum(10, a_gesture, "gesture", &gesture)) goto end;
  {
    const char* returned = heft_gesture_name((HeftGesture)gesture);
    if (core_contract_broken()) goto end;
    result = PyUnicode_FromString(returned);
  }
end:
  return result;
}

static PyObject* py_heft_gesture_step(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_def = Py_None;
  PyObject* a_state = Py_None;
  PyObject* a_force = Py_None;
  PyObject* a_dt = Py_None;
  static const char* const names[] = {"def_", "state", "force", "dt", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OOOO:gesture_step", core_keywords(names), &a_def, &a_state, &a_force, &a_dt)) return NULL;
  PyObject* result = NULL;
  HeftGestureDef* s_def = NULL;
  HeftGestureState* s_state = NULL;
  HeftVec3 s_force = {0};
  double n_dt = 0;
  if (!(s_def = core_struct_data(a_def, 35, "def"))) goto end;
  if (!(s_state = core_struct_data(a_state, 36, "state"))) goto end;
  if (core_read_shape(a_force, "force", &s_force, core_shape1(3), sizeof s_force)) goto end;
  if (core_read_double(a_dt, "dt", &n_dt)) goto end;
  {
    const HeftGesture returned = heft_gesture_step(s_def, s_state, s_force, (double)n_dt);
    if (core_contract_broken()) goto end;
    result = core_enum(10, (int)returned);
  }
end:
  return result;
}

static PyObject* py_heft_mjcf_attribute_count(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  static const char* const names[] = {NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, ":mjcf_attribute_count", core_keywords(names))) return NULL;
  PyObject* result = NULL;
  {
    const long long returned = heft_mjcf_attribute_count();
    if (core_contract_broken()) goto end;
    result = PyLong_FromLongLong(returned);
  }
end:
  return result;
}

static PyObject* py_heft_mjcf_attribute(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_i = Py_None;
  static const char* const names[] = {"i", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:mjcf_attribute", core_keywords(names), &a_i)) return NULL;
  PyObject* result = NULL;
  long long n_i = 0;
  HeftMjcfAttribute out_out = {0};
  if (core_read_int(a_i, "i", INT32_MIN, INT32_MAX, &n_i)) goto end;
  {
    const HeftStatus returned = heft_mjcf_attribute((int)n_i, &out_out);
    if (returned != HEFT_OK) {
      core_fail(returned, NULL);
      goto end;
    }
    if (core_contract_broken()) goto end;
    result = core_struct(44, &out_out);
  }
end:
  return result;
}

static PyObject* py_heft_mjcf_custom_count(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  static const char* const names[] = {NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, ":mjcf_custom_count", core_keywords(names))) return NULL;
  PyObject* result = NULL;
  {
    const long long returned = heft_mjcf_custom_count();
    if (core_contract_broken()) goto end;
    result = PyLong_FromLongLong(returned);
  }
end:
  return result;
}

static PyObject* py_heft_mjcf_custom(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_i = Py_None;
  static const char* const names[] = {"i", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:mjcf_custom", core_keywords(names), &a_i)) return NULL;
  PyObject* result = NULL;
  long long n_i = 0;
  HeftMjcfCustom out_out = {0};
  if (core_read_int(a_i, "i", INT32_MIN, INT32_MAX, &n_i)) goto end;
  {
    const HeftStatus returned = heft_mjcf_custom((int)n_i, &out_out);
    if (returned != HEFT_OK) {
      core_fail(returned, NULL);
      goto end;
    }
    if (core_contract_broken()) goto end;
    result = core_struct(45, &out_out);
  }
end:
  return result;
}

static PyObject* py_heft_sin(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_x = Py_None;
  static const char* const names[] = {"x", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:sin", core_keywords(names), &a_x)) return NULL;
  PyObject* result = NULL;
  double n_x = 0;
  if (core_read_double(a_x, "x", &n_x)) goto end;
  {
    const double returned = heft_sin((double)n_x);
    if (core_contract_broken()) goto end;
    result = PyFloat_FromDouble(returned);
  }
end:
  return result;
}

static PyObject* py_heft_cos(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_x = Py_None;
  static const char* const names[] = {"x", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:cos", core_keywords(names), &a_x)) return NULL;
  PyObject* result = NULL;
  double n_x = 0;
  if (core_read_double(a_x, "x", &n_x)) goto end;
  {
    const double returned = heft_cos((double)n_x);
    if (core_contract_broken()) goto end;
    result = PyFloat_FromDouble(returned);
  }
end:
  return result;
}

static PyObject* py_heft_sincos(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_x = Py_None;
  static const char* const names[] = {"x", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:sincos", core_keywords(names), &a_x)) return NULL;
  PyObject* result = NULL;
  double n_x = 0;
  double out_s = 0;
  double out_c = 0;
  if (core_read_double(a_x, "x", &n_x)) goto end;
  {
    heft_sincos((double)n_x, &out_s, &out_c);
    if (core_contract_broken()) goto end;
    result = core_tuple(2, (PyObject*[]){PyFloat_FromDouble(out_s), PyFloat_FromDouble(out_c)});
  }
end:
  return result;
}

static PyObject* py_heft_atan2(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_y = Py_None;
  PyObject* a_x = Py_None;
  static const char* const names[] = {"y", "x", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:atan2", core_keywords(names), &a_y, &a_x)) return NULL;
  PyObject* result = NULL;
  double n_y = 0;
  double n_x = 0;
  if (core_read_double(a_y, "y", &n_y)) goto end;
  if (core_read_double(a_x, "x", &n_x)) goto end;
  {
    const double returned = heft_atan2((double)n_y, (double)n_x);
    if (core_contract_broken()) goto end;
    result = PyFloat_FromDouble(returned);
  }
end:
  return result;
}

static PyObject* py_heft_asin(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_x = Py_None;
  static const char* const names[] = {"x", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:asin", core_keywords(names), &a_x)) return NULL;
  PyObject* result = NULL;
  double n_x = 0;
  if (core_read_double(a_x, "x", &n_x)) goto end;
  {
    const double returned = heft_asin((double)n_x);
    if (core_contract_broken()) goto end;
    result = PyFloat_FromDouble(returned);
  }
end:
  return result;
}

static PyObject* py_heft_acos(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_x = Py_None;
  static const char* const names[] = {"x", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:acos", core_keywords(names), &a_x)) return NULL;
  PyObject* result = NULL;
  double n_x = 0;
  if (core_read_double(a_x, "x", &n_x)) goto end;
  {
    const double returned = heft_acos((double)n_x);
    if (core_contract_broken()) goto end;
    result = PyFloat_FromDouble(returned);
  }
end:
  return result;
}

static PyObject* py_heft_exp(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_x = Py_None;
  static const char* const names[] = {"x", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:exp", core_keywords(names), &a_x)) return NULL;
  PyObject* result = NULL;
  double n_x = 0;
  if (core_read_double(a_x, "x", &n_x)) goto end;
  {
    const double returned = heft_exp((double)n_x);
    if (core_contract_broken()) goto end;
    result = PyFloat_FromDouble(returned);
  }
end:
  return result;
}

static PyObject* py_heft_log(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_x = Py_None;
  static const char* const names[] = {"x", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:log", core_keywords(names), &a_x)) return NULL;
  PyObject* result = NULL;
  double n_x = 0;
  if (core_read_double(a_x, "x", &n_x)) goto end;
  {
    const double returned = heft_log((double)n_x);
    if (core_contract_broken()) goto end;
    result = PyFloat_FromDouble(returned);
  }
end:
  return result;
}

static PyObject* py_heft_vec3_normalize(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_a = Py_None;
  static const char* const names[] = {"a", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:vec3_normalize", core_keywords(names), &a_a)) return NULL;
  PyObject* result = NULL;
  HeftVec3 s_a = {0};
  if (core_read_shape(a_a, "a", &s_a, core_shape1(3), sizeof s_a)) goto end;
  {
    const HeftVec3 returned = heft_vec3_normalize(s_a);
    if (core_contract_broken()) goto end;
    result = core_numbers(&returned, core_shape1(3));
  }
end:
  return result;
}

static PyObject* py_heft_vec3_tangents(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_n = Py_None;
  static const char* const names[] = {"n", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:vec3_tangents", core_keywords(names), &a_n)) return NULL;
  PyObject* result = NULL;
  HeftVec3 s_n = {0};
  HeftVec3 out_t1 = {0};
  HeftVec3 out_t2 = {0};
  if (core_read_shape(a_n, "n", &s_n, core_shape1(3), sizeof s_n)) goto end;
  {
    heft_vec3_tangents(s_n, &out_t1, &out_t2);
    if (core_contract_broken()) goto end;
    result = core_tuple(2, (PyObject*[]){core_numbers(&out_t1, core_shape1(3)), core_numbers(&out_t2, core_shape1(3))});
  }
end:
  return result;
}

static PyObject* py_heft_mat3_from_columns(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_a = Py_None;
  PyObject* a_b = Py_None;
  PyObject* a_c = Py_None;
  static const char* const names[] = {"a", "b", "c", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OOO:mat3_from_columns", core_keywords(names), &a_a, &a_b, &a_c)) return NULL;
  PyObject* result = NULL;
  HeftVec3 s_a = {0};
  HeftVec3 s_b = {0};
  HeftVec3 s_c = {0};
  if (core_read_shape(a_a, "a", &s_a, core_shape1(3), sizeof s_a)) goto end;
  if (core_read_shape(a_b, "b", &s_b, core_shape1(3), sizeof s_b)) goto end;
  if (core_read_shape(a_c, "c", &s_c, core_shape1(3), sizeof s_c)) goto end;
  {
    const HeftMat3 returned = heft_mat3_from_columns(s_a, s_b, s_c);
    if (core_contract_broken()) goto end;
    result = core_numbers(&returned, core_shape2(3, 3));
  }
end:
  return result;
}

static PyObject* py_heft_mat3_transpose(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_a = Py_None;
  static const char* const names[] = {"a", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:mat3_transpose", core_keywords(names), &a_a)) return NULL;
  PyObject* result = NULL;
  HeftMat3 s_a = {0};
  if (core_read_shape(a_a, "a", &s_a, core_shape2(3, 3), sizeof s_a)) goto end;
  {
    const HeftMat3 returned = heft_mat3_transpose(s_a);
    if (core_contract_broken()) goto end;
    result = core_numbers(&returned, core_shape2(3, 3));
  }
end:
  return result;
}

static PyObject* py_heft_mat3_mul(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_a = Py_None;
  PyObject* a_b = Py_None;
  static const char* const names[] = {"a", "b", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:mat3_mul", core_keywords(names), &a_a, &a_b)) return NULL;
  PyObject* result = NULL;
  HeftMat3 s_a = {0};
  HeftMat3 s_b = {0};
  if (core_read_shape(a_a, "a", &s_a, core_shape2(3, 3), sizeof s_a)) goto end;
  if (core_read_shape(a_b, "b", &s_b, core_shape2(3, 3), sizeof s_b)) goto end;
  {
    const HeftMat3 returned = heft_mat3_mul(s_a, s_b);
    if (core_contract_broken()) goto end;
    result = core_numbers(&returned, core_shape2(3, 3));
  }
end:
  return result;
}

static PyObject* py_heft_mat3_skew(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_v = Py_None;
  static const char* const names[] = {"v", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:mat3_skew", core_keywords(names), &a_v)) return NULL;
  PyObject* result = NULL;
  HeftVec3 s_v = {0};
  if (core_read_shape(a_v, "v", &s_v, core_shape1(3), sizeof s_v)) goto end;
  {
    const HeftMat3 returned = heft_mat3_skew(s_v);
    if (core_contract_broken()) goto end;
    result = core_numbers(&returned, core_shape2(3, 3));
  }
end:
  return result;
}

static PyObject* py_heft_mat3_determinant(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_a = Py_None;
  static const char* const names[] = {"a", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:mat3_determinant", core_keywords(names), &a_a)) return NULL;
  PyObject* result = NULL;
  HeftMat3 s_a = {0};
  if (core_read_shape(a_a, "a", &s_a, core_shape2(3, 3), sizeof s_a)) goto end;
  {
    const double returned = heft_mat3_determinant(s_a);
    if (core_contract_broken()) goto end;
    result = PyFloat_FromDouble(returned);
  }
end:
  return result;
}

static PyObject* py_heft_quat_mul(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_a = Py_None;
  PyObject* a_b = Py_None;
  static const char* const names[] = {"a", "b", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:quat_mul", core_keywords(names), &a_a, &a_b)) return NULL;
  PyObject* result = NULL;
  HeftQuat s_a = {0};
  HeftQuat s_b = {0};
  if (core_read_shape(a_a, "a", &s_a, core_shape1(4), sizeof s_a)) goto end;
  if (core_read_shape(a_b, "b", &s_b, core_shape1(4), sizeof s_b)) goto end;
  {
    const HeftQuat returned = heft_quat_mul(s_a, s_b);
    if (core_contract_broken()) goto end;
    result = core_numbers(&returned, core_shape1(4));
  }
end:
  return result;
}

static PyObject* py_heft_quat_normalize(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_q = Py_None;
  static const char* const names[] = {"q", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:quat_normalize", core_keywords(names), &a_q)) return NULL;
  PyObject* result = NULL;
  HeftQuat s_q = {0};
  if (core_read_shape(a_q, "q", &s_q, core_shape1(4), sizeof s_q)) goto end;
  {
    const HeftQuat returned = heft_quat_normalize(s_q);
    if (core_contract_broken()) goto end;
    result = core_numbers(&returned, core_shape1(4));
  }
end:
  return result;
}

static PyObject* py_heft_quat_rotate(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_q = Py_None;
  PyObject* a_v = Py_None;
  static const char* const names[] = {"q", "v", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:quat_rotate", core_keywords(names), &a_q, &a_v)) return NULL;
  PyObject* result = NULL;
  HeftQuat s_q = {0};
  HeftVec3 s_v = {0};
  if (core_read_shape(a_q, "q", &s_q, core_shape1(4), sizeof s_q)) goto end;
  if (core_read_shape(a_v, "v", &s_v, core_shape1(3), sizeof s_v)) goto end;
  {
    const HeftVec3 returned = heft_quat_rotate(s_q, s_v);
    if (core_contract_broken()) goto end;
    result = core_numbers(&returned, core_shape1(3));
  }
end:
  return result;
}

static PyObject* py_heft_quat_to_mat3(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_q = Py_None;
  static const char* const names[] = {"q", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:quat_to_mat3", core_keywords(names), &a_q)) return NULL;
  PyObject* result = NULL;
  HeftQuat s_q = {0};
  if (core_read_shape(a_q, "q", &s_q, core_shape1(4), sizeof s_q)) goto end;
  {
    const HeftMat3 returned = heft_quat_to_mat3(s_q);
    if (core_contract_broken()) goto end;
    result = core_numbers(&returned, core_shape2(3, 3));
  }
end:
  return result;
}

static PyObject* py_heft_quat_from_mat3(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_r = Py_None;
  static const char* const names[] = {"r", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:quat_from_mat3", core_keywords(names), &a_r)) return NULL;
  PyObject* result = NULL;
  HeftMat3 s_r = {0};
  if (core_read_shape(a_r, "r", &s_r, core_shape2(3, 3), sizeof s_r)) goto end;
  {
    const HeftQuat returned = heft_quat_from_mat3(s_r);
    if (core_contract_broken()) goto end;
    result = core_numbers(&returned, core_shape1(4));
  }
end:
  return result;
}

static PyObject* py_heft_quat_from_axis_angle(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_axis = Py_None;
  PyObject* a_angle = Py_None;
  static const char* const names[] = {"axis", "angle", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:quat_from_axis_angle", core_keywords(names), &a_axis, &a_angle)) return NULL;
  PyObject* result = NULL;
  HeftVec3 s_axis = {0};
  double n_angle = 0;
  if (core_read_shape(a_axis, "axis", &s_axis, core_shape1(3), sizeof s_axis)) goto end;
  if (core_read_double(a_angle, "angle", &n_angle)) goto end;
  {
    const HeftQuat returned = heft_quat_from_axis_angle(s_axis, (double)n_angle);
    if (core_contract_broken()) goto end;
    result = core_numbers(&returned, core_shape1(4));
  }
end:
  return result;
}

static PyObject* py_heft_quat_exp(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_v = Py_None;
  static const char* const names[] = {"v", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:quat_exp", core_keywords(names), &a_v)) return NULL;
  PyObject* result = NULL;
  HeftVec3 s_v = {0};
  if (core_read_shape(a_v, "v", &s_v, core_shape1(3), sizeof s_v)) goto end;
  {
    const HeftQuat returned = heft_quat_exp(s_v);
    if (core_contract_broken()) goto end;
    result = core_numbers(&returned, core_shape1(4));
  }
end:
  return result;
}

static PyObject* py_heft_quat_log(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_q = Py_None;
  static const char* const names[] = {"q", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:quat_log", core_keywords(names), &a_q)) return NULL;
  PyObject* result = NULL;
  HeftQuat s_q = {0};
  if (core_read_shape(a_q, "q", &s_q, core_shape1(4), sizeof s_q)) goto end;
  {
    const HeftVec3 returned = heft_quat_log(s_q);
    if (core_contract_broken()) goto end;
    result = core_numbers(&returned, core_shape1(3));
  }
end:
  return result;
}

static PyObject* py_heft_quat_between(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_a = Py_None;
  PyObject* a_b = Py_None;
  static const char* const names[] = {"a", "b", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:quat_between", core_keywords(names), &a_a, &a_b)) return NULL;
  PyObject* result = NULL;
  HeftVec3 s_a = {0};
  HeftVec3 s_b = {0};
  if (core_read_shape(a_a, "a", &s_a, core_shape1(3), sizeof s_a)) goto end;
  if (core_read_shape(a_b, "b", &s_b, core_shape1(3), sizeof s_b)) goto end;
  {
    const HeftQuat returned = heft_quat_between(s_a, s_b);
    if (core_contract_broken()) goto end;
    result = core_numbers(&returned, core_shape1(4));
  }
end:
  return result;
}

static PyObject* py_heft_pose_mul(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_outer = Py_None;
  PyObject* a_inner = Py_None;
  static const char* const names[] = {"outer", "inner", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:pose_mul", core_keywords(names), &a_outer, &a_inner)) return NULL;
  PyObject* result = NULL;
  HeftPose* s_outer = NULL;
  HeftPose* s_inner = NULL;
  if (!(s_outer = core_struct_data(a_outer, 47, "outer"))) goto end;
  if (!(s_inner = core_struct_data(a_inner, 47, "inner"))) goto end;
  {
    const HeftPose returned = heft_pose_mul(*s_outer, *s_inner);
    if (core_contract_broken()) goto end;
    result = core_struct(47, &returned);
  }
end:
  return result;
}

static PyObject* py_heft_pose_inverse(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_x = Py_None;
  static const char* const names[] = {"x", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:pose_inverse", core_keywords(names), &a_x)) return NULL;
  PyObject* result = NULL;
  HeftPose* s_x = NULL;
  if (!(s_x = core_struct_data(a_x, 47, "x"))) goto end;
  {
    const HeftPose returned = heft_pose_inverse(*s_x);
    if (core_contract_broken()) goto end;
    result = core_struct(47, &returned);
  }
end:
  return result;
}

static PyObject* py_heft_spatial_cross_motion(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_a = Py_None;
  PyObject* a_b = Py_None;
  static const char* const names[] = {"a", "b", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:spatial_cross_motion", core_keywords(names), &a_a, &a_b)) return NULL;
  PyObject* result = NULL;
  HeftSpatial* s_a = NULL;
  HeftSpatial* s_b = NULL;
  if (!(s_a = core_struct_data(a_a, 48, "a"))) goto end;
  if (!(s_b = core_struct_data(a_b, 48, "b"))) goto end;
  {
    const HeftSpatial returned = heft_spatial_cross_motion(*s_a, *s_b);
    if (core_contract_broken()) goto end;
    result = core_struct(48, &returned);
  }
end:
  return result;
}

static PyObject* py_heft_spatial_cross_force(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_a = Py_None;
  PyObject* a_f = Py_None;
  static const char* const names[] = {"a", "f", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:spatial_cross_force", core_keywords(names), &a_a, &a_f)) return NULL;
  PyObject* result = NULL;
  HeftSpatial* s_a = NULL;
  HeftSpatial* s_f = NULL;
  if (!(s_a = core_struct_data(a_a, 48, "a"))) goto end;
  if (!(s_f = core_struct_data(a_f, 48, "f"))) goto end;
  {
    const HeftSpatial returned = heft_spatial_cross_force(*s_a, *s_f);
    if (core_contract_broken()) goto end;
    result = core_struct(48, &returned);
  }
end:
  return result;
}

static PyObject* py_heft_spatial_move_motion(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_motion = Py_None;
  PyObject* a_offset = Py_None;
  static const char* const names[] = {"motion", "offset", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:spatial_move_motion", core_keywords(names), &a_motion, &a_offset)) return NULL;
  PyObject* result = NULL;
  HeftSpatial* s_motion = NULL;
  HeftVec3 s_offset = {0};
  if (!(s_motion = core_struct_data(a_motion, 48, "motion"))) goto end;
  if (core_read_shape(a_offset, "offset", &s_offset, core_shape1(3), sizeof s_offset)) goto end;
  {
    const HeftSpatial returned = heft_spatial_move_motion(*s_motion, s_offset);
    if (core_contract_broken()) goto end;
    result = core_struct(48, &returned);
  }
end:
  return result;
}

static PyObject* py_heft_spatial_move_force(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_force = Py_None;
  PyObject* a_offset = Py_None;
  static const char* const names[] = {"force", "offset", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:spatial_move_force", core_keywords(names), &a_force, &a_offset)) return NULL;
  PyObject* result = NULL;
  HeftSpatial* s_force = NULL;
  HeftVec3 s_offset = {0};
  if (!(s_force = core_struct_data(a_force, 48, "force"))) goto end;
  if (core_read_shape(a_offset, "offset", &s_offset, core_shape1(3), sizeof s_offset)) goto end;
  {
    const HeftSpatial returned = heft_spatial_move_force(*s_force, s_offset);
    if (core_contract_broken()) goto end;
    result = core_struct(48, &returned);
  }
end:
  return result;
}

static PyObject* py_heft_sym3_mul_vec(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_a = Py_None;
  PyObject* a_v = Py_None;
  static const char* const names[] = {"a", "v", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:sym3_mul_vec", core_keywords(names), &a_a, &a_v)) return NULL;
  PyObject* result = NULL;
  HeftSym3 s_a = {0};
  HeftVec3 s_v = {0};
  if (core_read_shape(a_a, "a", &s_a, core_shape1(6), sizeof s_a)) goto end;
  if (core_read_shape(a_v, "v", &s_v, core_shape1(3), sizeof s_v)) goto end;
  {
    const HeftVec3 returned = heft_sym3_mul_vec(s_a, s_v);
    if (core_contract_broken()) goto end;
    result = core_numbers(&returned, core_shape1(3));
  }
end:
  return result;
}

static PyObject* py_heft_sym3_add(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_a = Py_None;
  PyObject* a_b = Py_None;
  static const char* const names[] = {"a", "b", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:sym3_add", core_keywords(names), &a_a, &a_b)) return NULL;
  PyObject* result = NULL;
  HeftSym3 s_a = {0};
  HeftSym3 s_b = {0};
  if (core_read_shape(a_a, "a", &s_a, core_shape1(6), sizeof s_a)) goto end;
  if (core_read_shape(a_b, "b", &s_b, core_shape1(6), sizeof s_b)) goto end;
  {
    const HeftSym3 returned = heft_sym3_add(s_a, s_b);
    if (core_contract_broken()) goto end;
    result = core_numbers(&returned, core_shape1(6));
  }
end:
  return result;
}

static PyObject* py_heft_sym3_rotate(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_a = Py_None;
  PyObject* a_r = Py_None;
  static const char* const names[] = {"a", "r", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:sym3_rotate", core_keywords(names), &a_a, &a_r)) return NULL;
  PyObject* result = NULL;
  HeftSym3 s_a = {0};
  HeftMat3 s_r = {0};
  if (core_read_shape(a_a, "a", &s_a, core_shape1(6), sizeof s_a)) goto end;
  if (core_read_shape(a_r, "r", &s_r, core_shape2(3, 3), sizeof s_r)) goto end;
  {
    const HeftSym3 returned = heft_sym3_rotate(s_a, s_r);
    if (core_contract_broken()) goto end;
    result = core_numbers(&returned, core_shape1(6));
  }
end:
  return result;
}

static PyObject* py_heft_sym3_eigen(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_a = Py_None;
  static const char* const names[] = {"a", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:sym3_eigen", core_keywords(names), &a_a)) return NULL;
  PyObject* result = NULL;
  HeftSym3 s_a = {0};
  HeftVec3 out_eigenvalues = {0};
  HeftMat3 out_r = {0};
  if (core_read_shape(a_a, "a", &s_a, core_shape1(6), sizeof s_a)) goto end;
  {
    heft_sym3_eigen(s_a, &out_eigenvalues, &out_r);
    if (core_contract_broken()) goto end;
    result = core_tuple(2, (PyObject*[]){core_numbers(&out_eigenvalues, core_shape1(3)), core_numbers(&out_r, core_shape2(3, 3))});
  }
end:
  return result;
}

static PyObject* py_heft_sym3_point_mass(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_mass = Py_None;
  PyObject* a_d = Py_None;
  static const char* const names[] = {"mass", "d", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:sym3_point_mass", core_keywords(names), &a_mass, &a_d)) return NULL;
  PyObject* result = NULL;
  double n_mass = 0;
  HeftVec3 s_d = {0};
  if (core_read_double(a_mass, "mass", &n_mass)) goto end;
  if (core_read_shape(a_d, "d", &s_d, core_shape1(3), sizeof s_d)) goto end;
  {
    const HeftSym3 returned = heft_sym3_point_mass((double)n_mass, s_d);
    if (core_contract_broken()) goto end;
    result = core_numbers(&returned, core_shape1(6));
  }
end:
  return result;
}

static PyObject* py_heft_inertia_transform(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_inertia = Py_None;
  PyObject* a_pose = Py_None;
  static const char* const names[] = {"inertia", "pose", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:inertia_transform", core_keywords(names), &a_inertia, &a_pose)) return NULL;
  PyObject* result = NULL;
  HeftInertia* s_inertia = NULL;
  HeftPose* s_pose = NULL;
  if (!(s_inertia = core_struct_data(a_inertia, 49, "inertia"))) goto end;
  if (!(s_pose = core_struct_data(a_pose, 47, "pose"))) goto end;
  {
    const HeftInertia returned = heft_inertia_transform(*s_inertia, *s_pose);
    if (core_contract_broken()) goto end;
    result = core_struct(49, &returned);
  }
end:
  return result;
}

static PyObject* py_heft_inertia_add(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_a = Py_None;
  PyObject* a_b = Py_None;
  static const char* const names[] = {"a", "b", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:inertia_add", core_keywords(names), &a_a, &a_b)) return NULL;
  PyObject* result = NULL;
  HeftInertia* s_a = NULL;
  HeftInertia* s_b = NULL;
  if (!(s_a = core_struct_data(a_a, 49, "a"))) goto end;
  if (!(s_b = core_struct_data(a_b, 49, "b"))) goto end;
  {
    const HeftInertia returned = heft_inertia_add(*s_a, *s_b);
    if (core_contract_broken()) goto end;
    result = core_struct(49, &returned);
  }
end:
  return result;
}

static PyObject* py_heft_inertia_mul(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_inertia = Py_None;
  PyObject* a_motion = Py_None;
  static const char* const names[] = {"inertia", "motion", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:inertia_mul", core_keywords(names), &a_inertia, &a_motion)) return NULL;
  PyObject* result = NULL;
  HeftInertia* s_inertia = NULL;
  HeftSpatial* s_motion = NULL;
  if (!(s_inertia = core_struct_data(a_inertia, 49, "inertia"))) goto end;
  if (!(s_motion = core_struct_data(a_motion, 48, "motion"))) goto end;
  {
    const HeftSpatial returned = heft_inertia_mul(*s_inertia, *s_motion);
    if (core_contract_broken()) goto end;
    result = core_struct(48, &returned);
  }
end:
  return result;
}

static PyObject* py_heft_joint_type_name(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_type = Py_None;
  static const char* const names[] = {"type", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:joint_type_name", core_keywords(names), &a_type)) return NULL;
  PyObject* result = NULL;
  int type = 0;
  if (core_read_enum(14, a_type, "type", &type)) goto end;
  {
    const char* returned = heft_joint_type_name((HeftJointType)type);
    if (core_contract_broken()) goto end;
    result = PyUnicode_FromString(returned);
  }
end:
  return result;
}

static PyObject* py_heft_joint_type_q_count(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_type = Py_None;
  static const char* const names[] = {"type", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:joint_type_q_count", core_keywords(names), &a_type)) return NULL;
  PyObject* result = NULL;
  int type = 0;
  if (core_read_enum(14, a_type, "type", &type)) goto end;
  {
    const long long returned = heft_joint_type_q_count((HeftJointType)type);
    if (core_contract_broken()) goto end;
    result = PyLong_FromLongLong(returned);
  }
end:
  return result;
}

static PyObject* py_heft_joint_type_dof_count(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_type = Py_None;
  static const char* const names[] = {"type", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:joint_type_dof_count", core_keywords(names), &a_type)) return NULL;
  PyObject* result = NULL;
  int type = 0;
  if (core_read_enum(14, a_type, "type", &type)) goto end;
  {
    const long long returned = heft_joint_type_dof_count((HeftJointType)type);
    if (core_contract_broken()) goto end;
    result = PyLong_FromLongLong(returned);
  }
end:
  return result;
}

static PyObject* py_heft_shape_type_name(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_type = Py_None;
  static const char* const names[] = {"type", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:shape_type_name", core_keywords(names), &a_type)) return NULL;
  PyObject* result = NULL;
  int type = 0;
  if (core_read_enum(15, a_type, "type", &type)) goto end;
  {
    const char* returned = heft_shape_type_name((HeftShapeType)type);
    if (core_contract_broken()) goto end;
    result = PyUnicode_FromString(returned);
  }
end:
  return result;
}

static PyObject* py_heft_sensor_type_name(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_type = Py_None;
  static const char* const names[] = {"type", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:sensor_type_name", core_keywords(names), &a_type)) return NULL;
  PyObject* result = NULL;
  int type = 0;
  if (core_read_enum(19, a_type, "type", &type)) goto end;
  {
    const char* returned = heft_sensor_type_name((HeftSensorType)type);
    if (core_contract_broken()) goto end;
    result = PyUnicode_FromString(returned);
  }
end:
  return result;
}

static PyObject* py_heft_sensor_type_value_count(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_type = Py_None;
  static const char* const names[] = {"type", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:sensor_type_value_count", core_keywords(names), &a_type)) return NULL;
  PyObject* result = NULL;
  int type = 0;
  if (core_read_enum(19, a_type, "type", &type)) goto end;
  {
    const long long returned = heft_sensor_type_value_count((HeftSensorType)type);
    if (core_contract_broken()) goto end;
    result = PyLong_FromLongLong(returned);
  }
end:
  return result;
}

static PyObject* py_heft_sensor_type_object(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_type = Py_None;
  static const char* const names[] = {"type", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:sensor_type_object", core_keywords(names), &a_type)) return NULL;
  PyObject* result = NULL;
  int type = 0;
  if (core_read_enum(19, a_type, "type", &type)) goto end;
  {
    const HeftSensorObject returned = heft_sensor_type_object((HeftSensorType)type);
    if (core_contract_broken()) goto end;
    result = core_enum(13, (int)returned);
  }
end:
  return result;
}

static PyObject* py_heft_field_type_name(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_type = Py_None;
  static const char* const names[] = {"type", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:field_type_name", core_keywords(names), &a_type)) return NULL;
  PyObject* result = NULL;
  int type = 0;
  if (core_read_enum(16, a_type, "type", &type)) goto end;
  {
    const char* returned = heft_field_type_name((HeftFieldType)type);
    if (core_contract_broken()) goto end;
    result = PyUnicode_FromString(returned);
  }
end:
  return result;
}

static PyObject* py_heft_field_parameter(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_type = Py_None;
  PyObject* a_i = Py_None;
  static const char* const names[] = {"type", "i", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:field_parameter", core_keywords(names), &a_type, &a_i)) return NULL;
  PyObject* result = NULL;
  int type = 0;
  long long n_i = 0;
  if (core_read_enum(16, a_type, "type", &type)) goto end;
  if (core_read_int(a_i, "i", INT32_MIN, INT32_MAX, &n_i)) goto end;
  {
    const char* returned = heft_field_parameter((HeftFieldType)type, (int)n_i);
    if (core_contract_broken()) goto end;
    result = PyUnicode_FromString(returned);
  }
end:
  return result;
}

static PyObject* py_heft_field_check(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_field = Py_None;
  static const char* const names[] = {"field", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:field_check", core_keywords(names), &a_field)) return NULL;
  PyObject* result = NULL;
  HeftField* s_field = NULL;
  HeftError error = {.status = HEFT_OK};
  if (!(s_field = core_struct_data(a_field, 50, "field"))) goto end;
  {
    const HeftStatus returned = heft_field_check(s_field, &error);
    if (returned != HEFT_OK) {
      core_fail(returned, &error);
      goto end;
    }
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  return result;
}

static PyObject* py_heft_field_distance(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_field = Py_None;
  PyObject* a_p = Py_None;
  static const char* const names[] = {"field", "p", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:field_distance", core_keywords(names), &a_field, &a_p)) return NULL;
  PyObject* result = NULL;
  HeftField* s_field = NULL;
  HeftVec3 s_p = {0};
  HeftVec3 out_gradient = {0};
  if (!(s_field = core_struct_data(a_field, 50, "field"))) goto end;
  if (core_read_shape(a_p, "p", &s_p, core_shape1(3), sizeof s_p)) goto end;
  {
    const double returned = heft_field_distance(s_field, s_p, &out_gradient);
    if (core_contract_broken()) goto end;
    result = core_tuple(2, (PyObject*[]){PyFloat_FromDouble(returned), core_numbers(&out_gradient, core_shape1(3))});
  }
end:
  return result;
}

static PyObject* py_heft_field_bounds(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_field = Py_None;
  static const char* const names[] = {"field", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:field_bounds", core_keywords(names), &a_field)) return NULL;
  PyObject* result = NULL;
  HeftField* s_field = NULL;
  HeftVec3 out_low = {0};
  HeftVec3 out_high = {0};
  if (!(s_field = core_struct_data(a_field, 50, "field"))) goto end;
  {
    heft_field_bounds(s_field, &out_low, &out_high);
    if (core_contract_broken()) goto end;
    result = core_tuple(2, (PyObject*[]){core_numbers(&out_low, core_shape1(3)), core_numbers(&out_high, core_shape1(3))});
  }
end:
  return result;
}

static PyObject* py_heft_field_triangles_effort(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_field = Py_None;
  PyObject* a_spacing = Py_None;
  static const char* const names[] = {"field", "spacing", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:field_triangles_effort", core_keywords(names), &a_field, &a_spacing)) return NULL;
  PyObject* result = NULL;
  HeftField* s_field = NULL;
  double n_spacing = 0;
  if (!(s_field = core_struct_data(a_field, 50, "field"))) goto end;
  if (core_read_double(a_spacing, "spacing", &n_spacing)) goto end;
  {
    const double returned = heft_field_triangles_effort(s_field, (double)n_spacing);
    if (core_contract_broken()) goto end;
    result = PyFloat_FromDouble(returned);
  }
end:
  return result;
}

static PyObject* py_heft_model_array_count(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  static const char* const names[] = {NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, ":model_array_count", core_keywords(names))) return NULL;
  PyObject* result = NULL;
  {
    const long long returned = heft_model_array_count();
    if (core_contract_broken()) goto end;
    result = PyLong_FromLongLong(returned);
  }
end:
  return result;
}

static PyObject* py_heft_model_array_find(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_name = Py_None;
  static const char* const names[] = {"name", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:model_array_find", core_keywords(names), &a_name)) return NULL;
  PyObject* result = NULL;
  const char* name = NULL;
  if (core_read_text(a_name, "name", 0, &name)) goto end;
  {
    const long long returned = heft_model_array_find(name);
    if (core_contract_broken()) goto end;
    result = PyLong_FromLongLong(returned);
  }
end:
  return result;
}

static PyObject* py_heft_model_size_count(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  static const char* const names[] = {NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, ":model_size_count", core_keywords(names))) return NULL;
  PyObject* result = NULL;
  {
    const long long returned = heft_model_size_count();
    if (core_contract_broken()) goto end;
    result = PyLong_FromLongLong(returned);
  }
end:
  return result;
}

static int py_heft_state_create(PyObject* self, PyObject* args, PyObject* keywords) {
  PyObject* a_model = Py_None;
  static const char* const names[] = {"model", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:State", core_keywords(names), &a_model)) return -1;
  int result = -1;
  HeftModel* h_model = NULL;
  HeftState* made = NULL;
  HeftError error = {.status = HEFT_OK};
  if (!(h_model = core_use_as(a_model, core_class(CLASS_MODEL), "model"))) goto end;
  {
    const HeftStatus returned = heft_state_create(&made, h_model, NULL, &error);
    if (returned != HEFT_OK) {
      core_fail(returned, &error);
      goto end;
    }
    if (core_contract_broken()) goto end;
    result = core_start((Object*)self, CLASS_STATE, made, a_model);
  }
end:
  return result;
}

static PyObject* py_heft_state_reset(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftState* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_model = Py_None;
  static const char* const names[] = {"model", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:reset", core_keywords(names), &a_model)) return NULL;
  PyObject* result = NULL;
  HeftModel* h_model = NULL;
  if (!(h_model = core_use_as(a_model, core_class(CLASS_MODEL), "model"))) goto end;
  {
    heft_state_reset(object, h_model);
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  return result;
}

static PyObject* py_heft_state_copy(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftState* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_from = Py_None;
  static const char* const names[] = {"from_", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:copy", core_keywords(names), &a_from)) return NULL;
  PyObject* result = NULL;
  HeftState* h_from = NULL;
  if (!(h_from = core_use_as(a_from, core_class(CLASS_STATE), "from"))) goto end;
  {
    heft_state_copy(object, h_from);
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  return result;
}

static PyObject* py_heft_state_set_key(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftState* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_model = Py_None;
  PyObject* a_key = Py_None;
  static const char* const names[] = {"model", "key", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:set_key", core_keywords(names), &a_model, &a_key)) return NULL;
  PyObject* result = NULL;
  HeftModel* h_model = NULL;
  long long n_key = 0;
  if (!(h_model = core_use_as(a_model, core_class(CLASS_MODEL), "model"))) goto end;
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (core_read_int(a_key, "key", 0, m->nkey - 1, &n_key)) goto end;
  {
    heft_state_set_key(object, h_model, (int)n_key);
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  return result;
}

static PyObject* py_heft_state_hash(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftState* object = core_use(self);
  if (!object) return NULL;
  static const char* const names[] = {NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, ":hash", core_keywords(names))) return NULL;
  PyObject* result = NULL;
  {
    const unsigned long long returned = heft_state_hash(object);
    if (core_contract_broken()) goto end;
    result = PyLong_FromUnsignedLongLong(returned);
  }
end:
  return result;
}

static PyObject* py_heft_state_finite(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftState* object = core_use(self);
  if (!object) return NULL;
  static const char* const names[] = {NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, ":finite", core_keywords(names))) return NULL;
  PyObject* result = NULL;
  {
    const bool returned = heft_state_finite(object);
    if (core_contract_broken()) goto end;
    result = PyBool_FromLong(returned);
  }
end:
  return result;
}

static PyObject* py_heft_q_integrate(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_model = Py_None;
  PyObject* a_q = Py_None;
  PyObject* a_v = Py_None;
  PyObject* a_dt = Py_None;
  static const char* const names[] = {"model", "q", "v", "dt", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OOOO:q_integrate", core_keywords(names), &a_model, &a_q, &a_v, &a_dt)) return NULL;
  PyObject* held[3] = {NULL};
  PyObject* result = NULL;
  HeftModel* h_model = NULL;
  const double* q = NULL;
  const double* v = NULL;
  double n_dt = 0;
  void* out = NULL;
  if (!(h_model = core_use_as(a_model, core_class(CLASS_MODEL), "model"))) goto end;
  const HeftModel* m = ((Object*)a_model)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (!(held[0] = core_doubles(a_q, "q", core_shape1(m->nq), 1, &q))) goto end;
  if (!(held[1] = core_doubles(a_v, "v", core_shape1(m->nv), 1, &v))) goto end;
  if (core_read_double(a_dt, "dt", &n_dt)) goto end;
  if (!(held[2] = core_array(core_shape1(m->nq), "d", &out))) goto end;
  {
    heft_q_integrate(h_model, q, v, (double)n_dt, out);
    if (core_contract_broken()) goto end;
    result = core_take(&held[2]);
  }
end:
  for (int i = 0; i < 3; ++i) Py_XDECREF(held[i]);
  return result;
}

static PyObject* py_heft_q_difference(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_model = Py_None;
  PyObject* a_q0 = Py_None;
  PyObject* a_q1 = Py_None;
  static const char* const names[] = {"model", "q0", "q1", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OOO:q_difference", core_keywords(names), &a_model, &a_q0, &a_q1)) return NULL;
  PyObject* held[3] = {NULL};
  PyObject* result = NULL;
  HeftModel* h_model = NULL;
  const double* q0 = NULL;
  const double* q1 = NULL;
  void* out = NULL;
  if (!(h_model = core_use_as(a_model, core_class(CLASS_MODEL), "model"))) goto end;
  const HeftModel* m = ((Object*)a_model)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (!(held[0] = core_doubles(a_q0, "q0", core_shape1(m->nq), 1, &q0))) goto end;
  if (!(held[1] = core_doubles(a_q1, "q1", core_shape1(m->nq), 1, &q1))) goto end;
  if (!(held[2] = core_array(core_shape1(m->nv), "d", &out))) goto end;
  {
    heft_q_difference(h_model, q0, q1, out);
    if (core_contract_broken()) goto end;
    result = core_take(&held[2]);
  }
end:
  for (int i = 0; i < 3; ++i) Py_XDECREF(held[i]);
  return result;
}

static PyObject* py_heft_q_normalize(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_model = Py_None;
  PyObject* a_q = Py_None;
  static const char* const names[] = {"model", "q", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:q_normalize", core_keywords(names), &a_model, &a_q)) return NULL;
  PyObject* held[1] = {NULL};
  PyObject* result = NULL;
  HeftModel* h_model = NULL;
  double* q = NULL;
  if (!(h_model = core_use_as(a_model, core_class(CLASS_MODEL), "model"))) goto end;
  const HeftModel* m = ((Object*)a_model)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (!(held[0] = core_copy(a_q, "q", m->nq, &q))) goto end;
  {
    heft_q_normalize(h_model, q);
    if (core_contract_broken()) goto end;
    result = core_take(&held[0]);
  }
end:
  for (int i = 0; i < 1; ++i) Py_XDECREF(held[i]);
  return result;
}

static int py_heft_builder_create(PyObject* self, PyObject* args, PyObject* keywords) {
  static const char* const names[] = {NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, ":Builder", core_keywords(names))) return -1;
  int result = -1;
  HeftBuilder* made = NULL;
  HeftError error = {.status = HEFT_OK};
  {
    const HeftStatus returned = heft_builder_create(&made, NULL, &error);
    if (returned != HEFT_OK) {
      core_fail(returned, &error);
      goto end;
    }
    if (core_contract_broken()) goto end;
    result = core_start((Object*)self, CLASS_BUILDER, made, NULL);
  }
end:
  return result;
}

static PyObject* py_heft_builder_set_physics(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftBuilder* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_physics = Py_None;
  static const char* const names[] = {"physics", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:set_physics", core_keywords(names), &a_physics)) return NULL;
  PyObject* result = NULL;
  HeftPhysics* s_physics = NULL;
  if (!(s_physics = core_struct_data(a_physics, 52, "physics"))) goto end;
  {
    heft_builder_set_physics(object, *s_physics);
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  return result;
}

static PyObject* py_heft_builder_physics(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftBuilder* object = core_use(self);
  if (!object) return NULL;
  static const char* const names[] = {NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, ":physics", core_keywords(names))) return NULL;
  PyObject* result = NULL;
  {
    const HeftPhysics returned = heft_builder_physics(object);
    if (core_contract_broken()) goto end;
    result = core_struct(52, &returned);
  }
end:
  return result;
}

static PyObject* py_heft_builder_set_contact_model(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftBuilder* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_word = Py_None;
  static const char* const names[] = {"word", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "|O:set_contact_model", core_keywords(names), &a_word)) return NULL;
  PyObject* result = NULL;
  const char* word = NULL;
  if (core_read_text(a_word, "word", 1, &word)) goto end;
  {
    heft_builder_set_contact_model(object, word);
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  return result;
}

static PyObject* py_heft_builder_set_limits(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftBuilder* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_limits = Py_None;
  static const char* const names[] = {"limits", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:set_limits", core_keywords(names), &a_limits)) return NULL;
  PyObject* result = NULL;
  HeftModelLimits* s_limits = NULL;
  if (!(s_limits = core_struct_data(a_limits, 53, "limits"))) goto end;
  {
    heft_builder_set_limits(object, *s_limits);
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  return result;
}

static PyObject* py_heft_builder_add_body(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftBuilder* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_def = Py_None;
  static const char* const names[] = {"def_", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:add_body", core_keywords(names), &a_def)) return NULL;
  PyObject* result = NULL;
  HeftBodyDef* s_def = NULL;
  if (!(s_def = core_struct_data(a_def, 54, "def"))) goto end;
  {
    const long long returned = heft_builder_add_body(object, s_def);
    if (core_contract_broken()) goto end;
    result = PyLong_FromLongLong(returned);
  }
end:
  return result;
}

static PyObject* py_heft_builder_add_joint(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftBuilder* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_def = Py_None;
  static const char* const names[] = {"def_", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:add_joint", core_keywords(names), &a_def)) return NULL;
  PyObject* result = NULL;
  HeftJointDef* s_def = NULL;
  if (!(s_def = core_struct_data(a_def, 55, "def"))) goto end;
  {
    const long long returned = heft_builder_add_joint(object, s_def);
    if (core_contract_broken()) goto end;
    result = PyLong_FromLongLong(returned);
  }
end:
  return result;
}

static PyObject* py_heft_builder_add_site(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftBuilder* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_def = Py_None;
  static const char* const names[] = {"def_", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:add_site", core_keywords(names), &a_def)) return NULL;
  PyObject* result = NULL;
  HeftSiteDef* s_def = NULL;
  if (!(s_def = core_struct_data(a_def, 56, "def"))) goto end;
  {
    const long long returned = heft_builder_add_site(object, s_def);
    if (core_contract_broken()) goto end;
    result = PyLong_FromLongLong(returned);
  }
end:
  return result;
}

static PyObject* py_heft_builder_add_material(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftBuilder* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_def = Py_None;
  static const char* const names[] = {"def_", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:add_material", core_keywords(names), &a_def)) return NULL;
  PyObject* result = NULL;
  HeftMaterialDef* s_def = NULL;
  if (!(s_def = core_struct_data(a_def, 57, "def"))) goto end;
  {
    const long long returned = heft_builder_add_material(object, s_def);
    if (core_contract_broken()) goto end;
    result = PyLong_FromLongLong(returned);
  }
end:
  return result;
}

static PyObject* py_heft_builder_add_shape(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftBuilder* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_def = Py_None;
  static const char* const names[] = {"def_", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:add_shape", core_keywords(names), &a_def)) return NULL;
  PyObject* result = NULL;
  HeftShapeDef* s_def = NULL;
  if (!(s_def = core_struct_data(a_def, 58, "def"))) goto end;
  {
    const long long returned = heft_builder_add_shape(object, s_def);
    if (core_contract_broken()) goto end;
    result = PyLong_FromLongLong(returned);
  }
end:
  return result;
}

static PyObject* py_heft_builder_add_mesh(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftBuilder* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_def = Py_None;
  static const char* const names[] = {"def_", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:add_mesh", core_keywords(names), &a_def)) return NULL;
  PyObject* result = NULL;
  HeftMeshDef* s_def = NULL;
  if (!(s_def = core_struct_data(a_def, 90, "def"))) goto end;
  {
    const long long returned = heft_builder_add_mesh(object, s_def);
    if (core_contract_broken()) goto end;
    result = PyLong_FromLongLong(returned);
  }
end:
  return result;
}

static PyObject* py_heft_builder_add_height_field(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftBuilder* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_def = Py_None;
  static const char* const names[] = {"def_", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:add_height_field", core_keywords(names), &a_def)) return NULL;
  PyObject* result = NULL;
  HeftHeightFieldDef* s_def = NULL;
  if (!(s_def = core_struct_data(a_def, 59, "def"))) goto end;
  {
    const long long returned = heft_builder_add_height_field(object, s_def);
    if (core_contract_broken()) goto end;
    result = PyLong_FromLongLong(returned);
  }
end:
  return result;
}

static PyObject* py_heft_builder_add_texture(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftBuilder* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_def = Py_None;
  static const char* const names[] = {"def_", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:add_texture", core_keywords(names), &a_def)) return NULL;
  PyObject* result = NULL;
  HeftTextureDef* s_def = NULL;
  if (!(s_def = core_struct_data(a_def, 60, "def"))) goto end;
  {
    const long long returned = heft_builder_add_texture(object, s_def);
    if (core_contract_broken()) goto end;
    result = PyLong_FromLongLong(returned);
  }
end:
  return result;
}

static PyObject* py_heft_builder_add_appearance(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftBuilder* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_def = Py_None;
  static const char* const names[] = {"def_", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:add_appearance", core_keywords(names), &a_def)) return NULL;
  PyObject* result = NULL;
  HeftAppearanceDef* s_def = NULL;
  if (!(s_def = core_struct_data(a_def, 61, "def"))) goto end;
  {
    const long long returned = heft_builder_add_appearance(object, s_def);
    if (core_contract_broken()) goto end;
    result = PyLong_FromLongLong(returned);
  }
end:
  return result;
}

static PyObject* py_heft_builder_add_camera(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftBuilder* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_def = Py_None;
  static const char* const names[] = {"def_", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:add_camera", core_keywords(names), &a_def)) return NULL;
  PyObject* result = NULL;
  HeftCameraDef* s_def = NULL;
  if (!(s_def = core_struct_data(a_def, 62, "def"))) goto end;
  {
    const long long returned = heft_builder_add_camera(object, s_def);
    if (core_contract_broken()) goto end;
    result = PyLong_FromLongLong(returned);
  }
end:
  return result;
}

static PyObject* py_heft_builder_add_light(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftBuilder* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_def = Py_None;
  static const char* const names[] = {"def_", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:add_light", core_keywords(names), &a_def)) return NULL;
  PyObject* result = NULL;
  HeftLightDef* s_def = NULL;
  if (!(s_def = core_struct_data(a_def, 63, "def"))) goto end;
  {
    const long long returned = heft_builder_add_light(object, s_def);
    if (core_contract_broken()) goto end;
    result = PyLong_FromLongLong(returned);
  }
end:
  return result;
}

static PyObject* py_heft_builder_add_pair(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftBuilder* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_def = Py_None;
  static const char* const names[] = {"def_", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:add_pair", core_keywords(names), &a_def)) return NULL;
  PyObject* result = NULL;
  HeftPairDef* s_def = NULL;
  if (!(s_def = core_struct_data(a_def, 64, "def"))) goto end;
  {
    const long long returned = heft_builder_add_pair(object, s_def);
    if (core_contract_broken()) goto end;
    result = PyLong_FromLongLong(returned);
  }
end:
  return result;
}

static PyObject* py_heft_builder_add_exclude(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftBuilder* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_def = Py_None;
  static const char* const names[] = {"def_", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:add_exclude", core_keywords(names), &a_def)) return NULL;
  PyObject* result = NULL;
  HeftExcludeDef* s_def = NULL;
  if (!(s_def = core_struct_data(a_def, 65, "def"))) goto end;
  {
    const long long returned = heft_builder_add_exclude(object, s_def);
    if (core_contract_broken()) goto end;
    result = PyLong_FromLongLong(returned);
  }
end:
  return result;
}

static PyObject* py_heft_builder_add_equality(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftBuilder* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_def = Py_None;
  static const char* const names[] = {"def_", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:add_equality", core_keywords(names), &a_def)) return NULL;
  PyObject* result = NULL;
  HeftEqualityDef* s_def = NULL;
  if (!(s_def = core_struct_data(a_def, 66, "def"))) goto end;
  {
    const long long returned = heft_builder_add_equality(object, s_def);
    if (core_contract_broken()) goto end;
    result = PyLong_FromLongLong(returned);
  }
end:
  return result;
}

static PyObject* py_heft_builder_add_tendon(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftBuilder* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_def = Py_None;
  static const char* const names[] = {"def_", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:add_tendon", core_keywords(names), &a_def)) return NULL;
  PyObject* result = NULL;
  HeftTendonDef* s_def = NULL;
  if (!(s_def = core_struct_data(a_def, 68, "def"))) goto end;
  {
    const long long returned = heft_builder_add_tendon(object, s_def);
    if (core_contract_broken()) goto end;
    result = PyLong_FromLongLong(returned);
  }
end:
  return result;
}

static PyObject* py_heft_builder_add_actuator(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftBuilder* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_def = Py_None;
  static const char* const names[] = {"def_", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:add_actuator", core_keywords(names), &a_def)) return NULL;
  PyObject* result = NULL;
  HeftActuatorDef* s_def = NULL;
  if (!(s_def = core_struct_data(a_def, 69, "def"))) goto end;
  {
    const long long returned = heft_builder_add_actuator(object, s_def);
    if (core_contract_broken()) goto end;
    result = PyLong_FromLongLong(returned);
  }
end:
  return result;
}

static PyObject* py_heft_builder_add_sensor(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftBuilder* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_def = Py_None;
  static const char* const names[] = {"def_", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:add_sensor", core_keywords(names), &a_def)) return NULL;
  PyObject* result = NULL;
  HeftSensorDef* s_def = NULL;
  if (!(s_def = core_struct_data(a_def, 70, "def"))) goto end;
  {
    const long long returned = heft_builder_add_sensor(object, s_def);
    if (core_contract_broken()) goto end;
    result = PyLong_FromLongLong(returned);
  }
end:
  return result;
}

static PyObject* py_heft_builder_add_key(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftBuilder* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_def = Py_None;
  static const char* const names[] = {"def_", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:add_key", core_keywords(names), &a_def)) return NULL;
  PyObject* result = NULL;
  HeftKeyDef* s_def = NULL;
  if (!(s_def = core_struct_data(a_def, 71, "def"))) goto end;
  {
    const long long returned = heft_builder_add_key(object, s_def);
    if (core_contract_broken()) goto end;
    result = PyLong_FromLongLong(returned);
  }
end:
  return result;
}

static PyObject* py_heft_builder_add_deformable(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftBuilder* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_def = Py_None;
  static const char* const names[] = {"def_", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:add_deformable", core_keywords(names), &a_def)) return NULL;
  PyObject* result = NULL;
  HeftDeformableDef* s_def = NULL;
  if (!(s_def = core_struct_data(a_def, 72, "def"))) goto end;
  {
    const long long returned = heft_builder_add_deformable(object, s_def);
    if (core_contract_broken()) goto end;
    result = PyLong_FromLongLong(returned);
  }
end:
  return result;
}

static PyObject* py_heft_builder_add_model(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftBuilder* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_model = Py_None;
  PyObject* a_def = Py_None;
  static const char* const names[] = {"model", "def_", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|O:add_model", core_keywords(names), &a_model, &a_def)) return NULL;
  PyObject* result = NULL;
  HeftModel* h_model = NULL;
  HeftPartDef* s_def = NULL;
  if (!(h_model = core_use_as(a_model, core_class(CLASS_MODEL), "model"))) goto end;
  if ((a_def != Py_None && !(s_def = core_struct_data(a_def, 73, "def")))) goto end;
  {
    const long long returned = heft_builder_add_model(object, h_model, s_def);
    if (core_contract_broken()) goto end;
    result = PyLong_FromLongLong(returned);
  }
end:
  return result;
}

static PyObject* py_heft_builder_scale_mass(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftBuilder* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_factor = Py_None;
  static const char* const names[] = {"factor", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:scale_mass", core_keywords(names), &a_factor)) return NULL;
  PyObject* result = NULL;
  double n_factor = 0;
  if (core_read_double(a_factor, "factor", &n_factor)) goto end;
  {
    heft_builder_scale_mass(object, (double)n_factor);
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  return result;
}

static PyObject* py_heft_builder_count(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftBuilder* object = core_use(self);
  if (!object) return NULL;
  PyObject* a_kind = Py_None;
  static const char* const names[] = {"kind", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:count", core_keywords(names), &a_kind)) return NULL;
  PyObject* result = NULL;
  int kind = 0;
  if (core_read_enum(27, a_kind, "kind", &kind)) goto end;
  {
    const long long returned = heft_builder_count(object, (HeftNamed)kind);
    if (core_contract_broken()) goto end;
    result = PyLong_FromLongLong(returned);
  }
end:
  return result;
}

static PyObject* py_heft_builder_status(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftBuilder* object = core_use(self);
  if (!object) return NULL;
  static const char* const names[] = {NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, ":status", core_keywords(names))) return NULL;
  PyObject* result = NULL;
  HeftError error = {.status = HEFT_OK};
  {
    const HeftStatus returned = heft_builder_status(object, &error);
    if (returned != HEFT_OK) {
      core_fail(returned, &error);
      goto end;
    }
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  return result;
}

static PyObject* py_heft_builder_finish(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftBuilder* object = core_use_to_change(self);
  if (!object) return NULL;
  static const char* const names[] = {NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, ":finish", core_keywords(names))) return NULL;
  PyObject* result = NULL;
  HeftModel* out_out = NULL;
  HeftError error = {.status = HEFT_OK};
  {
    const HeftStatus returned = heft_builder_finish(object, &out_out, &error);
    if (returned != HEFT_OK) {
      core_fail(returned, &error);
      goto end;
    }
    if (core_contract_broken()) goto end;
    result = core_new(CLASS_MODEL, out_out, NULL);
  }
end:
  return result;
}

static PyObject* py_heft_abi_version(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  static const char* const names[] = {NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, ":abi_version", core_keywords(names))) return NULL;
  PyObject* result = NULL;
  {
    const long long returned = heft_abi_version();
    if (core_contract_broken()) goto end;
    result = PyLong_FromLongLong(returned);
  }
end:
  return result;
}

static PyObject* py_heft_integrator_name(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_integrator = Py_None;
  static const char* const names[] = {"integrator", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:integrator_name", core_keywords(names), &a_integrator)) return NULL;
  PyObject* result = NULL;
  int integrator = 0;
  if (core_read_enum(28, a_integrator, "integrator", &integrator)) goto end;
  {
    const char* returned = heft_integrator_name((HeftIntegrator)integrator);
    if (core_contract_broken()) goto end;
    result = PyUnicode_FromString(returned);
  }
end:
  return result;
}

static PyObject* py_heft_contact_model_name(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_model = Py_None;
  static const char* const names[] = {"model", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:contact_model_name", core_keywords(names), &a_model)) return NULL;
  PyObject* result = NULL;
  int model = 0;
  if (core_read_enum(29, a_model, "model", &model)) goto end;
  {
    const char* returned = heft_contact_model_name((HeftContactModel)model);
    if (core_contract_broken()) goto end;
    result = PyUnicode_FromString(returned);
  }
end:
  return result;
}

static PyObject* py_heft_contact_model_meaning(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_model = Py_None;
  static const char* const names[] = {"model", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:contact_model_meaning", core_keywords(names), &a_model)) return NULL;
  PyObject* result = NULL;
  int model = 0;
  if (core_read_enum(29, a_model, "model", &model)) goto end;
  {
    const char* returned = heft_contact_model_meaning((HeftContactModel)model);
    if (core_contract_broken()) goto end;
    result = PyUnicode_FromString(returned);
  }
end:
  return result;
}

static PyObject* py_heft_contact_model_find(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_word = Py_None;
  static const char* const names[] = {"word", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:contact_model_find", core_keywords(names), &a_word)) return NULL;
  PyObject* result = NULL;
  const char* word = NULL;
  HeftContactModel out_out = (HeftContactModel)0;
  HeftError error = {.status = HEFT_OK};
  if (core_read_text(a_word, "word", 0, &word)) goto end;
  {
    const HeftStatus returned = heft_contact_model_find(word, &out_out, &error);
    if (returned != HEFT_OK) {
      core_fail(returned, &error);
      goto end;
    }
    if (core_contract_broken()) goto end;
    result = core_enum(29, (int)out_out);
  }
end:
  return result;
}

static PyObject* py_heft_contact_options_set(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_name = Py_None;
  PyObject* a_value = Py_None;
  static const char* const names[] = {"name", "value", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:contact_options_set", core_keywords(names), &a_name, &a_value)) return NULL;
  PyObject* result = NULL;
  HeftContactOptions out_options = {0};
  const char* name = NULL;
  double n_value = 0;
  HeftError error = {.status = HEFT_OK};
  if (core_read_text(a_name, "name", 0, &name)) goto end;
  if (core_read_double(a_value, "value", &n_value)) goto end;
  {
    const HeftStatus returned = heft_contact_options_set(&out_options, name, (double)n_value, &error);
    if (returned != HEFT_OK) {
      core_fail(returned, &error);
      goto end;
    }
    if (core_contract_broken()) goto end;
    result = core_struct(74, &out_options);
  }
end:
  return result;
}

static PyObject* py_heft_step_status_text(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_status = Py_None;
  static const char* const names[] = {"status", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:step_status_text", core_keywords(names), &a_status)) return NULL;
  PyObject* result = NULL;
  int status = 0;
  if (core_read_enum(31, a_status, "status", &status)) goto end;
  {
    const char* returned = heft_step_status_text((HeftStepStatus)status);
    if (core_contract_broken()) goto end;
    result = PyUnicode_FromString(returned);
  }
end:
  return result;
}

static PyObject* py_heft_step_taken(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_status = Py_None;
  static const char* const names[] = {"status", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:step_taken", core_keywords(names), &a_status)) return NULL;
  PyObject* result = NULL;
  int status = 0;
  if (core_read_enum(31, a_status, "status", &status)) goto end;
  {
    const bool returned = heft_step_taken((HeftStepStatus)status);
    if (core_contract_broken()) goto end;
    result = PyBool_FromLong(returned);
  }
end:
  return result;
}

static PyObject* py_heft_step_quantity_status(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_quantity = Py_None;
  static const char* const names[] = {"quantity", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:step_quantity_status", core_keywords(names), &a_quantity)) return NULL;
  PyObject* result = NULL;
  int quantity = 0;
  if (core_read_enum(32, a_quantity, "quantity", &quantity)) goto end;
  {
    const HeftStepStatus returned = heft_step_quantity_status((HeftStepQuantity)quantity);
    if (core_contract_broken()) goto end;
    result = core_enum(31, (int)returned);
  }
end:
  return result;
}

static PyObject* py_heft_step_quantity_place(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_quantity = Py_None;
  static const char* const names[] = {"quantity", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:step_quantity_place", core_keywords(names), &a_quantity)) return NULL;
  PyObject* result = NULL;
  int quantity = 0;
  if (core_read_enum(32, a_quantity, "quantity", &quantity)) goto end;
  {
    const HeftNamed returned = heft_step_quantity_place((HeftStepQuantity)quantity);
    if (core_contract_broken()) goto end;
    result = core_enum(27, (int)returned);
  }
end:
  return result;
}

static PyObject* py_heft_step_report_worst(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_report = Py_None;
  static const char* const names[] = {"report", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:step_report_worst", core_keywords(names), &a_report)) return NULL;
  PyObject* result = NULL;
  HeftStepReport* s_report = NULL;
  if (!(s_report = core_struct_data(a_report, 91, "report"))) goto end;
  {
    const HeftStepQuantity returned = heft_step_report_worst(s_report);
    if (core_contract_broken()) goto end;
    result = core_enum(32, (int)returned);
  }
end:
  return result;
}

static PyObject* py_heft_step_tally_add(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_tally = Py_None;
  PyObject* a_report = Py_None;
  static const char* const names[] = {"tally", "report", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:step_tally_add", core_keywords(names), &a_tally, &a_report)) return NULL;
  PyObject* result = NULL;
  HeftStepTally* s_tally = NULL;
  HeftStepReport* s_report = NULL;
  if (!(s_tally = core_struct_data(a_tally, 92, "tally"))) goto end;
  if (!(s_report = core_struct_data(a_report, 91, "report"))) goto end;
  {
    heft_step_tally_add(s_tally, s_report);
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  return result;
}

static PyObject* py_heft_world_min_step_ns(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWorld* object = core_use(self);
  if (!object) return NULL;
  static const char* const names[] = {NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, ":min_step_ns", core_keywords(names))) return NULL;
  PyObject* result = NULL;
  {
    const unsigned long long returned = heft_world_min_step_ns(object);
    if (core_contract_broken()) goto end;
    result = PyLong_FromUnsignedLongLong(returned);
  }
end:
  return result;
}

static PyObject* py_heft_world_time_step(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWorld* object = core_use(self);
  if (!object) return NULL;
  static const char* const names[] = {NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, ":time_step", core_keywords(names))) return NULL;
  PyObject* result = NULL;
  {
    const double returned = heft_world_time_step(object);
    if (core_contract_broken()) goto end;
    result = PyFloat_FromDouble(returned);
  }
end:
  return result;
}

static PyObject* py_heft_world_set_state(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWorld* object = core_use_alone(self);
  if (!object) return NULL;
  PyObject* a_state = Py_None;
  static const char* const names[] = {"state", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:set_state", core_keywords(names), &a_state)) return NULL;
  PyObject* result = NULL;
  HeftState* h_state = NULL;
  if (!(h_state = core_use_as(a_state, core_class(CLASS_STATE), "state"))) goto end;
  {
    const HeftStatus returned = heft_world_set_state(object, h_state);
    if (returned != HEFT_OK) {
      core_fail(returned, NULL);
      goto end;
    }
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  return result;
}

static PyObject* py_heft_world_actuator_force(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWorld* object = core_use(self);
  if (!object) return NULL;
  PyObject* a_actuator = Py_None;
  static const char* const names[] = {"actuator", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:actuator_force", core_keywords(names), &a_actuator)) return NULL;
  PyObject* result = NULL;
  long long n_actuator = 0;
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (core_read_int(a_actuator, "actuator", 0, m->nactuator - 1, &n_actuator)) goto end;
  {
    const double returned = heft_world_actuator_force(object, (int)n_actuator);
    if (core_contract_broken()) goto end;
    result = PyFloat_FromDouble(returned);
  }
end:
  return result;
}

static PyObject* py_heft_world_apply_wrench(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWorld* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_body = Py_None;
  PyObject* a_point = Py_None;
  PyObject* a_force = Py_None;
  PyObject* a_torque = Py_None;
  static const char* const names[] = {"body", "point", "force", "torque", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OOOO:apply_wrench", core_keywords(names), &a_body, &a_point, &a_force, &a_torque)) return NULL;
  PyObject* result = NULL;
  long long n_body = 0;
  HeftVec3 s_point = {0};
  HeftVec3 s_force = {0};
  HeftVec3 s_torque = {0};
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (core_read_int(a_body, "body", 0, m->nbody - 1, &n_body)) goto end;
  if (core_read_shape(a_point, "point", &s_point, core_shape1(3), sizeof s_point)) goto end;
  if (core_read_shape(a_force, "force", &s_force, core_shape1(3), sizeof s_force)) goto end;
  if (core_read_shape(a_torque, "torque", &s_torque, core_shape1(3), sizeof s_torque)) goto end;
  {
    heft_world_apply_wrench(object, (int)n_body, s_point, s_force, s_torque);
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  return result;
}

static PyObject* py_heft_world_add_coupling(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWorld* object = core_use_to_change(self);
  if (!object) return NULL;
  PyObject* a_coupling = Py_None;
  static const char* const names[] = {"coupling", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:add_coupling", core_keywords(names), &a_coupling)) return NULL;
  PyObject* result = NULL;
  HeftCoupling* s_coupling = NULL;
  if (!(s_coupling = core_struct_data(a_coupling, 93, "coupling"))) goto end;
  {
    const long long returned = heft_world_add_coupling(object, s_coupling);
    if (core_contract_broken()) goto end;
    result = PyLong_FromLongLong(returned);
  }
end:
  return result;
}

static PyObject* py_heft_world_coupling_wrench(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWorld* object = core_use(self);
  if (!object) return NULL;
  PyObject* a_coupling = Py_None;
  static const char* const names[] = {"coupling", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:coupling_wrench", core_keywords(names), &a_coupling)) return NULL;
  PyObject* result = NULL;
  long long n_coupling = 0;
  if (core_read_int(a_coupling, "coupling", INT32_MIN, INT32_MAX, &n_coupling)) goto end;
  {
    const HeftSpatial returned = heft_world_coupling_wrench(object, (int)n_coupling);
    if (core_contract_broken()) goto end;
    result = core_struct(48, &returned);
  }
end:
  return result;
}

static PyObject* py_heft_world_reserve_contacts(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWorld* object = core_use_alone(self);
  if (!object) return NULL;
  PyObject* a_contact_points = Py_None;
  static const char* const names[] = {"contact_points", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:reserve_contacts", core_keywords(names), &a_contact_points)) return NULL;
  PyObject* result = NULL;
  long long n_contact_points = 0;
  HeftError error = {.status = HEFT_OK};
  if (core_read_int(a_contact_points, "contact_points", INT32_MIN, INT32_MAX, &n_contact_points)) goto end;
  {
    const HeftStatus returned = heft_world_reserve_contacts(object, (int)n_contact_points, &error);
    if (returned != HEFT_OK) {
      core_fail(returned, &error);
      goto end;
    }
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  return result;
}

static PyObject* py_heft_world_contact_model(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWorld* object = core_use(self);
  if (!object) return NULL;
  static const char* const names[] = {NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, ":contact_model", core_keywords(names))) return NULL;
  PyObject* result = NULL;
  {
    const HeftContactModel returned = heft_world_contact_model(object);
    if (core_contract_broken()) goto end;
    result = core_enum(29, (int)returned);
  }
end:
  return result;
}

static PyObject* py_heft_world_contact_options(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWorld* object = core_use(self);
  if (!object) return NULL;
  static const char* const names[] = {NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, ":contact_options", core_keywords(names))) return NULL;
  PyObject* result = NULL;
  {
    const HeftContactOptions returned = heft_world_contact_options(object);
    if (core_contract_broken()) goto end;
    result = core_struct(74, &returned);
  }
end:
  return result;
}

static PyObject* py_heft_world_set_contact_model(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWorld* object = core_use_alone(self);
  if (!object) return NULL;
  PyObject* a_model = Py_None;
  PyObject* a_options = Py_None;
  static const char* const names[] = {"model", "options", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|O:set_contact_model", core_keywords(names), &a_model, &a_options)) return NULL;
  PyObject* result = NULL;
  int model = 0;
  HeftContactOptions* s_options = NULL;
  HeftError error = {.status = HEFT_OK};
  if (core_read_enum(29, a_model, "model", &model)) goto end;
  if ((a_options != Py_None && !(s_options = core_struct_data(a_options, 74, "options")))) goto end;
  {
    const HeftStatus returned = heft_world_set_contact_model(object, (HeftContactModel)model, s_options, &error);
    if (returned != HEFT_OK) {
      core_fail(returned, &error);
      goto end;
    }
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  return result;
}

static PyObject* py_heft_world_set_gravity(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWorld* object = core_use_alone(self);
  if (!object) return NULL;
  PyObject* a_gravity = Py_None;
  static const char* const names[] = {"gravity", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:set_gravity", core_keywords(names), &a_gravity)) return NULL;
  PyObject* result = NULL;
  HeftVec3 s_gravity = {0};
  HeftError error = {.status = HEFT_OK};
  if (core_read_shape(a_gravity, "gravity", &s_gravity, core_shape1(3), sizeof s_gravity)) goto end;
  {
    const HeftStatus returned = heft_world_set_gravity(object, s_gravity, &error);
    if (returned != HEFT_OK) {
      core_fail(returned, &error);
      goto end;
    }
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  return result;
}

static PyObject* py_heft_world_gravity(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWorld* object = core_use(self);
  if (!object) return NULL;
  static const char* const names[] = {NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, ":gravity", core_keywords(names))) return NULL;
  PyObject* result = NULL;
  {
    const HeftVec3 returned = heft_world_gravity(object);
    if (core_contract_broken()) goto end;
    result = core_numbers(&returned, core_shape1(3));
  }
end:
  return result;
}

static PyObject* py_heft_world_set_material(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWorld* object = core_use_alone(self);
  if (!object) return NULL;
  PyObject* a_material = Py_None;
  PyObject* a_value = Py_None;
  static const char* const names[] = {"material", "value", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:set_material", core_keywords(names), &a_material, &a_value)) return NULL;
  PyObject* result = NULL;
  long long n_material = 0;
  HeftMaterial* s_value = NULL;
  HeftError error = {.status = HEFT_OK};
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (core_read_int(a_material, "material", 0, m->nmaterial - 1, &n_material)) goto end;
  if (!(s_value = core_struct_data(a_value, 79, "value"))) goto end;
  {
    const HeftStatus returned = heft_world_set_material(object, (int)n_material, s_value, &error);
    if (returned != HEFT_OK) {
      core_fail(returned, &error);
      goto end;
    }
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  return result;
}

static PyObject* py_heft_world_material(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWorld* object = core_use(self);
  if (!object) return NULL;
  PyObject* a_material = Py_None;
  static const char* const names[] = {"material", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:material", core_keywords(names), &a_material)) return NULL;
  PyObject* result = NULL;
  long long n_material = 0;
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (core_read_int(a_material, "material", 0, m->nmaterial - 1, &n_material)) goto end;
  {
    const HeftMaterial returned = heft_world_material(object, (int)n_material);
    if (core_contract_broken()) goto end;
    result = core_struct(79, &returned);
  }
end:
  return result;
}

static PyObject* py_heft_world_set_pair_material(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWorld* object = core_use_alone(self);
  if (!object) return NULL;
  PyObject* a_pair = Py_None;
  PyObject* a_value = Py_None;
  static const char* const names[] = {"pair", "value", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:set_pair_material", core_keywords(names), &a_pair, &a_value)) return NULL;
  PyObject* result = NULL;
  long long n_pair = 0;
  HeftMaterial* s_value = NULL;
  HeftError error = {.status = HEFT_OK};
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (core_read_int(a_pair, "pair", 0, m->npair - 1, &n_pair)) goto end;
  if (!(s_value = core_struct_data(a_value, 79, "value"))) goto end;
  {
    const HeftStatus returned = heft_world_set_pair_material(object, (int)n_pair, s_value, &error);
    if (returned != HEFT_OK) {
      core_fail(returned, &error);
      goto end;
    }
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  return result;
}

static PyObject* py_heft_world_pair_material(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWorld* object = core_use(self);
  if (!object) return NULL;
  PyObject* a_pair = Py_None;
  static const char* const names[] = {"pair", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:pair_material", core_keywords(names), &a_pair)) return NULL;
  PyObject* result = NULL;
  long long n_pair = 0;
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (core_read_int(a_pair, "pair", 0, m->npair - 1, &n_pair)) goto end;
  {
    const HeftMaterial returned = heft_world_pair_material(object, (int)n_pair);
    if (core_contract_broken()) goto end;
    result = core_struct(79, &returned);
  }
end:
  return result;
}

static PyObject* py_heft_world_set_shape_material(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWorld* object = core_use_alone(self);
  if (!object) return NULL;
  PyObject* a_shape = Py_None;
  PyObject* a_value = Py_None;
  static const char* const names[] = {"shape", "value", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:set_shape_material", core_keywords(names), &a_shape, &a_value)) return NULL;
  PyObject* result = NULL;
  long long n_shape = 0;
  HeftMaterial* s_value = NULL;
  HeftError error = {.status = HEFT_OK};
  if (core_read_int(a_shape, "shape", INT32_MIN, INT32_MAX, &n_shape)) goto end;
  if (!(s_value = core_struct_data(a_value, 79, "value"))) goto end;
  {
    const HeftStatus returned = heft_world_set_shape_material(object, (int)n_shape, s_value, &error);
    if (returned != HEFT_OK) {
      core_fail(returned, &error);
      goto end;
    }
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  return result;
}

static PyObject* py_heft_world_shape_material(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWorld* object = core_use(self);
  if (!object) return NULL;
  PyObject* a_shape = Py_None;
  static const char* const names[] = {"shape", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:shape_material", core_keywords(names), &a_shape)) return NULL;
  PyObject* result = NULL;
  long long n_shape = 0;
  if (core_read_int(a_shape, "shape", INT32_MIN, INT32_MAX, &n_shape)) goto end;
  {
    const HeftMaterial returned = heft_world_shape_material(object, (int)n_shape);
    if (core_contract_broken()) goto end;
    result = core_struct(79, &returned);
  }
end:
  return result;
}

static PyObject* py_heft_world_set_mass_factors(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWorld* object = core_use_alone(self);
  if (!object) return NULL;
  PyObject* a_body = Py_None;
  PyObject* a_mass = Py_None;
  PyObject* a_inertia = Py_None;
  static const char* const names[] = {"body", "mass", "inertia", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OOO:set_mass_factors", core_keywords(names), &a_body, &a_mass, &a_inertia)) return NULL;
  PyObject* result = NULL;
  long long n_body = 0;
  double n_mass = 0;
  double n_inertia = 0;
  HeftError error = {.status = HEFT_OK};
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (core_read_int(a_body, "body", 0, m->nbody - 1, &n_body)) goto end;
  if (core_read_double(a_mass, "mass", &n_mass)) goto end;
  if (core_read_double(a_inertia, "inertia", &n_inertia)) goto end;
  {
    const HeftStatus returned = heft_world_set_mass_factors(object, (int)n_body, (double)n_mass, (double)n_inertia, &error);
    if (returned != HEFT_OK) {
      core_fail(returned, &error);
      goto end;
    }
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  return result;
}

static PyObject* py_heft_world_body_mass(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWorld* object = core_use(self);
  if (!object) return NULL;
  PyObject* a_body = Py_None;
  static const char* const names[] = {"body", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:body_mass", core_keywords(names), &a_body)) return NULL;
  PyObject* result = NULL;
  long long n_body = 0;
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (core_read_int(a_body, "body", 0, m->nbody - 1, &n_body)) goto end;
  {
    const double returned = heft_world_body_mass(object, (int)n_body);
    if (core_contract_broken()) goto end;
    result = PyFloat_FromDouble(returned);
  }
end:
  return result;
}

static PyObject* py_heft_world_set_actuator_gains(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWorld* object = core_use_alone(self);
  if (!object) return NULL;
  PyObject* a_actuator = Py_None;
  PyObject* a_gains = Py_None;
  static const char* const names[] = {"actuator", "gains", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:set_actuator_gains", core_keywords(names), &a_actuator, &a_gains)) return NULL;
  PyObject* result = NULL;
  long long n_actuator = 0;
  HeftActuatorGains* s_gains = NULL;
  HeftError error = {.status = HEFT_OK};
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (core_read_int(a_actuator, "actuator", 0, m->nactuator - 1, &n_actuator)) goto end;
  if (!(s_gains = core_struct_data(a_gains, 80, "gains"))) goto end;
  {
    const HeftStatus returned = heft_world_set_actuator_gains(object, (int)n_actuator, s_gains, &error);
    if (returned != HEFT_OK) {
      core_fail(returned, &error);
      goto end;
    }
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  return result;
}

static PyObject* py_heft_world_actuator_gains(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWorld* object = core_use(self);
  if (!object) return NULL;
  PyObject* a_actuator = Py_None;
  static const char* const names[] = {"actuator", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:actuator_gains", core_keywords(names), &a_actuator)) return NULL;
  PyObject* result = NULL;
  long long n_actuator = 0;
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (core_read_int(a_actuator, "actuator", 0, m->nactuator - 1, &n_actuator)) goto end;
  {
    const HeftActuatorGains returned = heft_world_actuator_gains(object, (int)n_actuator);
    if (core_contract_broken()) goto end;
    result = core_struct(80, &returned);
  }
end:
  return result;
}

static PyObject* py_heft_world_set_seed(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWorld* object = core_use_alone(self);
  if (!object) return NULL;
  PyObject* a_seed = Py_None;
  static const char* const names[] = {"seed", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:set_seed", core_keywords(names), &a_seed)) return NULL;
  PyObject* result = NULL;
  unsigned long long n_seed = 0;
  if (core_read_unsigned(a_seed, "seed", &n_seed)) goto end;
  {
    heft_world_set_seed(object, (uint64_t)n_seed);
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  return result;
}

static PyObject* py_heft_world_transfer(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWorld* object = core_use_alone(self);
  if (!object) return NULL;
  PyObject* a_from = Py_None;
  static const char* const names[] = {"from_", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:transfer", core_keywords(names), &a_from)) return NULL;
  PyObject* result = NULL;
  HeftWorld* h_from = NULL;
  HeftError error = {.status = HEFT_OK};
  if (!(h_from = core_use_as(a_from, core_class(CLASS_WORLD), "from"))) goto end;
  {
    const HeftStatus returned = heft_world_transfer(object, h_from, &error);
    if (returned != HEFT_OK) {
      core_fail(returned, &error);
      goto end;
    }
    if (core_contract_broken()) goto end;
    result = core_none();
  }
end:
  return result;
}

static PyObject* py_heft_world_dynamics(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWorld* object = core_use(self);
  if (!object) return NULL;
  static const char* const names[] = {NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, ":dynamics", core_keywords(names))) return NULL;
  PyObject* result = NULL;
  {
    const HeftDynamics* returned = heft_world_dynamics(object);
    if (core_contract_broken()) goto end;
    result = core_borrow(CLASS_DYNAMICS, (void*)(uintptr_t)returned, self);
  }
end:
  return result;
}

static PyObject* py_heft_contact_state_name(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_state = Py_None;
  static const char* const names[] = {"state", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:contact_state_name", core_keywords(names), &a_state)) return NULL;
  PyObject* result = NULL;
  int state = 0;
  if (core_read_enum(33, a_state, "state", &state)) goto end;
  {
    const char* returned = heft_contact_state_name((HeftContactState)state);
    if (core_contract_broken()) goto end;
    result = PyUnicode_FromString(returned);
  }
end:
  return result;
}

static PyObject* py_heft_world_contact(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWorld* object = core_use(self);
  if (!object) return NULL;
  PyObject* a_index = Py_None;
  static const char* const names[] = {"index", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:contact", core_keywords(names), &a_index)) return NULL;
  PyObject* result = NULL;
  long long n_index = 0;
  if (core_read_int(a_index, "index", INT32_MIN, INT32_MAX, &n_index)) goto end;
  {
    const HeftContact returned = heft_world_contact(object, (int)n_index);
    if (core_contract_broken()) goto end;
    result = core_struct(82, &returned);
  }
end:
  return result;
}

static PyObject* py_heft_constraint_kind_name(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_kind = Py_None;
  static const char* const names[] = {"kind", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:constraint_kind_name", core_keywords(names), &a_kind)) return NULL;
  PyObject* result = NULL;
  int kind = 0;
  if (core_read_enum(34, a_kind, "kind", &kind)) goto end;
  {
    const char* returned = heft_constraint_kind_name((HeftConstraintKind)kind);
    if (core_contract_broken()) goto end;
    result = PyUnicode_FromString(returned);
  }
end:
  return result;
}

static PyObject* py_heft_world_contact_wrench(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWorld* object = core_use(self);
  if (!object) return NULL;
  PyObject* a_body = Py_None;
  PyObject* a_about = Py_None;
  static const char* const names[] = {"body", "about", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:contact_wrench", core_keywords(names), &a_body, &a_about)) return NULL;
  PyObject* result = NULL;
  long long n_body = 0;
  HeftVec3 s_about = {0};
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (core_read_int(a_body, "body", 0, m->nbody - 1, &n_body)) goto end;
  if (core_read_shape(a_about, "about", &s_about, core_shape1(3), sizeof s_about)) goto end;
  {
    const HeftSpatial returned = heft_world_contact_wrench(object, (int)n_body, s_about);
    if (core_contract_broken()) goto end;
    result = core_struct(48, &returned);
  }
end:
  return result;
}

static PyObject* py_heft_world_pair_wrench(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWorld* object = core_use(self);
  if (!object) return NULL;
  PyObject* a_body = Py_None;
  PyObject* a_other = Py_None;
  PyObject* a_about = Py_None;
  static const char* const names[] = {"body", "other", "about", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OOO:pair_wrench", core_keywords(names), &a_body, &a_other, &a_about)) return NULL;
  PyObject* result = NULL;
  long long n_body = 0;
  long long n_other = 0;
  HeftVec3 s_about = {0};
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (core_read_int(a_body, "body", 0, m->nbody - 1, &n_body)) goto end;
  if (core_read_int(a_other, "other", 0, m->nbody - 1, &n_other)) goto end;
  if (core_read_shape(a_about, "about", &s_about, core_shape1(3), sizeof s_about)) goto end;
  {
    const HeftSpatial returned = heft_world_pair_wrench(object, (int)n_body, (int)n_other, s_about);
    if (core_contract_broken()) goto end;
    result = core_struct(48, &returned);
  }
end:
  return result;
}

static PyObject* py_heft_world_contact_pressure_center(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWorld* object = core_use(self);
  if (!object) return NULL;
  PyObject* a_body = Py_None;
  static const char* const names[] = {"body", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:contact_pressure_center", core_keywords(names), &a_body)) return NULL;
  PyObject* result = NULL;
  long long n_body = 0;
  HeftVec3 out_center = {0};
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (core_read_int(a_body, "body", 0, m->nbody - 1, &n_body)) goto end;
  {
    const bool returned = heft_world_contact_pressure_center(object, (int)n_body, &out_center);
    if (core_contract_broken()) goto end;
    result = returned ? core_numbers(&out_center, core_shape1(3)) : core_none();
  }
end:
  return result;
}

static PyObject* py_heft_contact_shape_name(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)self;
  PyObject* a_shape = Py_None;
  static const char* const names[] = {"shape", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:contact_shape_name", core_keywords(names), &a_shape)) return NULL;
  PyObject* result = NULL;
  int shape = 0;
  if (core_read_enum(35, a_shape, "shape", &shape)) goto end;
  {
    const char* returned = heft_contact_shape_name((HeftContactShape)shape);
    if (core_contract_broken()) goto end;
    result = PyUnicode_FromString(returned);
  }
end:
  return result;
}

static PyObject* py_heft_world_body_contact(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWorld* object = core_use(self);
  if (!object) return NULL;
  PyObject* a_body = Py_None;
  static const char* const names[] = {"body", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:body_contact", core_keywords(names), &a_body)) return NULL;
  PyObject* result = NULL;
  long long n_body = 0;
  const HeftModel* m = ((Object*)self)->model;
  if (!m) {
    core_no_model();
    goto end;
  }
  if (core_read_int(a_body, "body", 0, m->nbody - 1, &n_body)) goto end;
  {
    const HeftBodyContact returned = heft_world_body_contact(object, (int)n_body);
    if (core_contract_broken()) goto end;
    result = core_struct(85, &returned);
  }
end:
  return result;
}

static PyObject* py_heft_world_snapshot_size_max(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWorld* object = core_use(self);
  if (!object) return NULL;
  static const char* const names[] = {NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, ":snapshot_size_max", core_keywords(names))) return NULL;
  PyObject* result = NULL;
  {
    const unsigned long long returned = heft_world_snapshot_size_max(object);
    if (core_contract_broken()) goto end;
    result = PyLong_FromUnsignedLongLong(returned);
  }
end:
  return result;
}

static PyObject* py_heft_world_memory(PyObject* self, PyObject* args, PyObject* keywords) {
  HeftWorld* object = core_use(self);
  if (!object) return NULL;
  static const char* const names[] = {NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, ":memory", core_keywords(names))) return NULL;
  PyObject* result = NULL;
  {
    const unsigned long long returned = heft_world_memory(object);
    if (core_contract_broken()) goto end;
    result = PyLong_FromUnsignedLongLong(returned);
  }
end:
  return result;
}

static PyObject* get_heft_collider_memory(PyObject* self, void* closure) {
  (void)closure;
  return py_heft_collider_memory(self, core.no_arguments, NULL);
}
static PyObject* get_heft_collider_contact_capacity(PyObject* self, void* closure) {
  (void)closure;
  return py_heft_collider_contact_capacity(self, core.no_arguments, NULL);
}
static PyObject* get_heft_whole_body_dynamics(PyObject* self, void* closure) {
  (void)closure;
  return py_heft_whole_body_dynamics(self, core.no_arguments, NULL);
}
static PyObject* get_heft_whole_body_mass(PyObject* self, void* closure) {
  (void)closure;
  return py_heft_whole_body_mass(self, core.no_arguments, NULL);
}
static PyObject* get_heft_biped_whole_body(PyObject* self, void* closure) {
  (void)closure;
  return py_heft_biped_whole_body(self, core.no_arguments, NULL);
}
static PyObject* get_heft_walk_duration(PyObject* self, void* closure) {
  (void)closure;
  return py_heft_walk_duration(self, core.no_arguments, NULL);
}
static PyObject* get_heft_spline_channels(PyObject* self, void* closure) {
  (void)closure;
  return py_heft_spline_channels(self, core.no_arguments, NULL);
}
static PyObject* get_heft_spline_end(PyObject* self, void* closure) {
  (void)closure;
  return py_heft_spline_end(self, core.no_arguments, NULL);
}
static PyObject* get_heft_probe_state(PyObject* self, void* closure) {
  (void)closure;
  return py_heft_probe_state(self, core.no_arguments, NULL);
}
static PyObject* get_heft_probe_def(PyObject* self, void* closure) {
  (void)closure;
  return py_heft_probe_def(self, core.no_arguments, NULL);
}
static PyObject* get_heft_state_hash(PyObject* self, void* closure) {
  (void)closure;
  return py_heft_state_hash(self, core.no_arguments, NULL);
}
static PyObject* get_heft_state_finite(PyObject* self, void* closure) {
  (void)closure;
  return py_heft_state_finite(self, core.no_arguments, NULL);
}
static PyObject* get_heft_world_min_step_ns(PyObject* self, void* closure) {
  (void)closure;
  return py_heft_world_min_step_ns(self, core.no_arguments, NULL);
}
static PyObject* get_heft_world_time_step(PyObject* self, void* closure) {
  (void)closure;
  return py_heft_world_time_step(self, core.no_arguments, NULL);
}
static PyObject* get_heft_world_contact_model(PyObject* self, void* closure) {
  (void)closure;
  return py_heft_world_contact_model(self, core.no_arguments, NULL);
}
static PyObject* get_heft_world_contact_options(PyObject* self, void* closure) {
  (void)closure;
  return py_heft_world_contact_options(self, core.no_arguments, NULL);
}
static PyObject* get_heft_world_gravity(PyObject* self, void* closure) {
  (void)closure;
  return py_heft_world_gravity(self, core.no_arguments, NULL);
}
static PyObject* get_heft_world_dynamics(PyObject* self, void* closure) {
  (void)closure;
  return py_heft_world_dynamics(self, core.no_arguments, NULL);
}
static PyObject* get_heft_world_snapshot_size_max(PyObject* self, void* closure) {
  (void)closure;
  return py_heft_world_snapshot_size_max(self, core.no_arguments, NULL);
}
static PyObject* get_heft_world_memory(PyObject* self, void* closure) {
  (void)closure;
  return py_heft_world_memory(self, core.no_arguments, NULL);
}
PyMethodDef core_functions[] = {
    {"change_name", (PyCFunction)(void (*)(void))py_heft_change_name, METH_VARARGS | METH_KEYWORDS,
     "Name of a kind of change. Static string, never NULL."},
    {"change_is_object", (PyCFunction)(void (*)(void))py_heft_change_is_object, METH_VARARGS | METH_KEYWORDS,
     "True if the kind makes another model: heft_model_apply_change()."},
    {"model_apply_change", (PyCFunction)(void (*)(void))py_heft_model_apply_change, METH_VARARGS | METH_KEYWORDS,
     "Makes a model with another object, or without one; a world of it goes on by heft_world_transfer(). part: the model of a file, NULL otherwise. *out is NULL on failure."},
    {"world_key_model", (PyCFunction)(void (*)(void))py_heft_world_key_model, METH_VARARGS | METH_KEYWORDS,
     "Makes a model of the present of a world: one more keyframe with time, q, v, activations, controls and moved bodies, and the changed parameters of the world as numbers of the model; the inertia of a body changes with its mass. So heft_model_write_file() saves a moment. HEFT_ERR_VALUE: a keyframe has this name already, or the material of only one shape or contact pair was changed and is shared with others. *out is NULL on failure, and has to be destroyed by heft_model_destroy() otherwise."},
    {"status_name", (PyCFunction)(void (*)(void))py_heft_status_name, METH_VARARGS | METH_KEYWORDS,
     "The identifier of a status as text, for example \"HEFT_ERR_MEMORY\". Static string, never NULL."},
    {"status_text", (PyCFunction)(void (*)(void))py_heft_status_text, METH_VARARGS | METH_KEYWORDS,
     "The sentence that explains a status. Static string, never NULL."},
    {"clock_ns", (PyCFunction)(void (*)(void))py_heft_clock_ns, METH_VARARGS | METH_KEYWORDS,
     "Monotonic clock [ns], for deadlines and measurements; its origin is arbitrary."},
    {"query_filter_all", (PyCFunction)(void (*)(void))py_heft_query_filter_all, METH_VARARGS | METH_KEYWORDS,
     "A filter that includes all shapes that can collide."},
    {"constraint_type_row_count", (PyCFunction)(void (*)(void))py_heft_constraint_type_row_count, METH_VARARGS | METH_KEYWORDS,
     "Number of rows of a constraint block of this type, 1 to 6."},
    {"contact_solver_bytes", (PyCFunction)(void (*)(void))py_heft_contact_solver_bytes, METH_VARARGS | METH_KEYWORDS,
     "Memory of a solver with this def [bytes]."},
    {"pd_torques", (PyCFunction)(void (*)(void))py_heft_pd_torques, METH_VARARGS | METH_KEYWORDS,
     "Γ = ff + K_p (q_d - q) + K_v (q̇_d - q̇) for all degrees of freedom: tau (nv). kp, kv (nv): 0 for a dof without servo. v_d and ff may be NULL (zero). For ball and free joints q_d - q is the rotation vector from q to q_d. scratch: nv."},
    {"drive_torque", (PyCFunction)(void (*)(void))py_heft_drive_torque, METH_VARARGS | METH_KEYWORDS,
     "Γ = R (K_p (q_d - q) + K_v (q̇_d - q̇)) + ff - μ_v q̇ - μ_d sign(q̇): the torque at the joint."},
    {"drive_armature", (PyCFunction)(void (*)(void))py_heft_drive_armature, METH_VARARGS | METH_KEYWORDS,
     "Rotor inertia reduced to the joint, R² J [kg m²]: the value of dof_armature in the model."},
    {"spline_smooth_step", (PyCFunction)(void (*)(void))py_heft_spline_smooth_step, METH_VARARGS | METH_KEYWORDS,
     "Smooth step from 0 to 1 for s in [0, 1], with zero velocity and acceleration at both ends. out: value and the first two derivatives by s. Outside [0, 1] the value is constant."},
    {"wrist_wrench", (PyCFunction)(void (*)(void))py_heft_wrist_wrench, METH_VARARGS | METH_KEYWORDS,
     "Wrench of a held object on a hand, as the force sensor in a wrist reads it: torque [N m] and force [N] of all contacts of the object with the body of a site and the bodies beyond it, about the origin and along the axes of the site."},
    {"wrist_weight", (PyCFunction)(void (*)(void))py_heft_wrist_weight, METH_VARARGS | METH_KEYWORDS,
     "heft_wrist_wrench() of an object at rest of whose weight this hand carries a share. The weight acts at the object's centre of mass."},
    {"wrist_load", (PyCFunction)(void (*)(void))py_heft_wrist_load, METH_VARARGS | METH_KEYWORDS,
     "A wrench in the frame of a site as a load on its body, for heft_compliance_step()."},
    {"force_sensor_read", (PyCFunction)(void (*)(void))py_heft_force_sensor_read, METH_VARARGS | METH_KEYWORDS,
     "Raw values for a wrench on the sensor (torque, force; at its centre, in world axes), if its body has the orientation `body`. tick numbers the readings, for the noise. HEFT_ERR_SINGULAR if G has no inverse."},
    {"force_sensor_outside", (PyCFunction)(void (*)(void))py_heft_force_sensor_outside, METH_VARARGS | METH_KEYWORDS,
     "External wrench (torque, force) in world axes, from the raw values."},
    {"force_plate_read", (PyCFunction)(void (*)(void))py_heft_force_plate_read, METH_VARARGS | METH_KEYWORDS,
     "Reading of a level plate at height z [m], from the contacts of `body` with `other`."},
    {"butterworth_make", (PyCFunction)(void (*)(void))py_heft_butterworth_make, METH_VARARGS | METH_KEYWORDS,
     "order: 1 to HEFT_BUTTERWORTH_ORDER_MAX. cutoff and rate [Hz], 0 < cutoff < rate / 2."},
    {"butterworth_step", (PyCFunction)(void (*)(void))py_heft_butterworth_step, METH_VARARGS | METH_KEYWORDS,
     "Filters one value; called once per 1 / rate."},
    {"delassus_name", (PyCFunction)(void (*)(void))py_heft_delassus_name, METH_VARARGS | METH_KEYWORDS,
     "Name of a method, and one phrase on it. Static strings, never NULL."},
    {"delassus_text", (PyCFunction)(void (*)(void))py_heft_delassus_text, METH_VARARGS | METH_KEYWORDS,
     "Name of a method, and one phrase on it. Static strings, never NULL."},
    {"delassus_needs_aba", (PyCFunction)(void (*)(void))py_heft_delassus_needs_aba, METH_VARARGS | METH_KEYWORDS,
     "True if a method requires heft_dynamics_aba() at the same q; false if it requires heft_dynamics_crba() and heft_dynamics_factor()."},
    {"local_model_force", (PyCFunction)(void (*)(void))py_heft_local_model_force, METH_VARARGS | METH_KEYWORDS,
     "The force of a model on a handle at `now`. For at most 20 ms the anchor continues with its velocity, and moves by its mobility if the force has changed."},
    {"local_moved", (PyCFunction)(void (*)(void))py_heft_local_moved, METH_VARARGS | METH_KEYWORDS,
     "Rotation and displacement of the surface or the grasped frame up to `now` [rad, m]: `moved`, continued with the anchor's velocity as heft_local_model_force() continues it."},
    {"mapping_apply", (PyCFunction)(void (*)(void))py_heft_mapping_apply, METH_VARARGS | METH_KEYWORDS,
     "Maps a sample to the world. While the clutch is pressed the probe does not move and is not present."},
    {"mapping_force", (PyCFunction)(void (*)(void))py_heft_mapping_force, METH_VARARGS | METH_KEYWORDS,
     "Maps a force in the world to the hand."},
    {"probe_mode_name", (PyCFunction)(void (*)(void))py_heft_probe_mode_name, METH_VARARGS | METH_KEYWORDS,
     "Name of a mode. Static string, never NULL."},
    {"coupling_damping", (PyCFunction)(void (*)(void))py_heft_coupling_damping, METH_VARARGS | METH_KEYWORDS,
     "The damping of a coupling by [Chardonnet 2012]: k_v = sqrt(2 m k_p) [N s/m]."},
    {"gesture_name", (PyCFunction)(void (*)(void))py_heft_gesture_name, METH_VARARGS | METH_KEYWORDS,
     "Name of a gesture. Static string, never NULL."},
    {"gesture_step", (PyCFunction)(void (*)(void))py_heft_gesture_step, METH_VARARGS | METH_KEYWORDS,
     "One step with the force of the user. Returns the gesture recognised in this step, or NONE."},
    {"mjcf_attribute_count", (PyCFunction)(void (*)(void))py_heft_mjcf_attribute_count, METH_VARARGS | METH_KEYWORDS,
     "Number of attributes."},
    {"mjcf_attribute", (PyCFunction)(void (*)(void))py_heft_mjcf_attribute, METH_VARARGS | METH_KEYWORDS,
     "Stores attribute i in out, 0 <= i < heft_mjcf_attribute_count(). HEFT_ERR_ARGUMENT for another i."},
    {"mjcf_custom_count", (PyCFunction)(void (*)(void))py_heft_mjcf_custom_count, METH_VARARGS | METH_KEYWORDS,
     "Number of elements of <custom>."},
    {"mjcf_custom", (PyCFunction)(void (*)(void))py_heft_mjcf_custom, METH_VARARGS | METH_KEYWORDS,
     "Stores row i in out, 0 <= i < heft_mjcf_custom_count(). HEFT_ERR_ARGUMENT for another i."},
    {"sin", (PyCFunction)(void (*)(void))py_heft_sin, METH_VARARGS | METH_KEYWORDS,
     "Sine and cosine of any finite angle [rad], however large."},
    {"cos", (PyCFunction)(void (*)(void))py_heft_cos, METH_VARARGS | METH_KEYWORDS,
     "Sine and cosine of any finite angle [rad], however large."},
    {"sincos", (PyCFunction)(void (*)(void))py_heft_sincos, METH_VARARGS | METH_KEYWORDS,
     "Both with one call; equal bits."},
    {"atan2", (PyCFunction)(void (*)(void))py_heft_atan2, METH_VARARGS | METH_KEYWORDS,
     "Angle of the point (x, y) in [-π, π]; signed zeros and infinities as in the C standard."},
    {"asin", (PyCFunction)(void (*)(void))py_heft_asin, METH_VARARGS | METH_KEYWORDS,
     "Angles in [-π/2, π/2] and [0, π]; NaN outside of -1 <= x <= 1."},
    {"acos", (PyCFunction)(void (*)(void))py_heft_acos, METH_VARARGS | METH_KEYWORDS,
     "Angles in [-π/2, π/2] and [0, π]; NaN outside of -1 <= x <= 1."},
    {"exp", (PyCFunction)(void (*)(void))py_heft_exp, METH_VARARGS | METH_KEYWORDS,
     "eˣ, down to the subnormal numbers and up to infinity."},
    {"log", (PyCFunction)(void (*)(void))py_heft_log, METH_VARARGS | METH_KEYWORDS,
     "Natural logarithm; -infinity at zero, NaN below."},
    {"vec3_normalize", (PyCFunction)(void (*)(void))py_heft_vec3_normalize, METH_VARARGS | METH_KEYWORDS,
     "a / |a|, of any finite length; the zero vector stays zero."},
    {"vec3_tangents", (PyCFunction)(void (*)(void))py_heft_vec3_tangents, METH_VARARGS | METH_KEYWORDS,
     "Two unit vectors that make (n, t1, t2) a right-handed frame, for a unit vector n; continuous in n except where n.z changes its sign."},
    {"mat3_from_columns", (PyCFunction)(void (*)(void))py_heft_mat3_from_columns, METH_VARARGS | METH_KEYWORDS,
     "The matrix with these columns."},
    {"mat3_transpose", (PyCFunction)(void (*)(void))py_heft_mat3_transpose, METH_VARARGS | METH_KEYWORDS,
     "aᵀ: the inverse of a rotation."},
    {"mat3_mul", (PyCFunction)(void (*)(void))py_heft_mat3_mul, METH_VARARGS | METH_KEYWORDS,
     "a b."},
    {"mat3_skew", (PyCFunction)(void (*)(void))py_heft_mat3_skew, METH_VARARGS | METH_KEYWORDS,
     "[v]× with [v]× w = v × w."},
    {"mat3_determinant", (PyCFunction)(void (*)(void))py_heft_mat3_determinant, METH_VARARGS | METH_KEYWORDS,
     "[v]× with [v]× w = v × w."},
    {"quat_mul", (PyCFunction)(void (*)(void))py_heft_quat_mul, METH_VARARGS | METH_KEYWORDS,
     "a b: first b turns, then a."},
    {"quat_normalize", (PyCFunction)(void (*)(void))py_heft_quat_normalize, METH_VARARGS | METH_KEYWORDS,
     "q / |q|, of any finite length; the zero quaternion becomes the identity."},
    {"quat_rotate", (PyCFunction)(void (*)(void))py_heft_quat_rotate, METH_VARARGS | METH_KEYWORDS,
     "q / |q|, of any finite length; the zero quaternion becomes the identity."},
    {"quat_to_mat3", (PyCFunction)(void (*)(void))py_heft_quat_to_mat3, METH_VARARGS | METH_KEYWORDS,
     "The rotation matrix of a unit quaternion."},
    {"quat_from_mat3", (PyCFunction)(void (*)(void))py_heft_quat_from_mat3, METH_VARARGS | METH_KEYWORDS,
     "The unit quaternion of a rotation matrix, w >= 0."},
    {"quat_from_axis_angle", (PyCFunction)(void (*)(void))py_heft_quat_from_axis_angle, METH_VARARGS | METH_KEYWORDS,
     "Rotation by `angle` about the unit vector `axis`."},
    {"quat_exp", (PyCFunction)(void (*)(void))py_heft_quat_exp, METH_VARARGS | METH_KEYWORDS,
     "Rotation by |v| about v: the exponential map of SO(3)."},
    {"quat_log", (PyCFunction)(void (*)(void))py_heft_quat_log, METH_VARARGS | METH_KEYWORDS,
     "The shortest v with heft_quat_exp(v) = ±q, |v| <= π: the logarithm."},
    {"quat_between", (PyCFunction)(void (*)(void))py_heft_quat_between, METH_VARARGS | METH_KEYWORDS,
     "The shortest rotation that turns the direction a to the direction b."},
    {"pose_mul", (PyCFunction)(void (*)(void))py_heft_pose_mul, METH_VARARGS | METH_KEYWORDS,
     "The pose of the inner frame seen from outside of the outer one: outer ∘ inner."},
    {"pose_inverse", (PyCFunction)(void (*)(void))py_heft_pose_inverse, METH_VARARGS | METH_KEYWORDS,
     "The pose of the inner frame seen from outside of the outer one: outer ∘ inner."},
    {"spatial_cross_motion", (PyCFunction)(void (*)(void))py_heft_spatial_cross_motion, METH_VARARGS | METH_KEYWORDS,
     "a × b for two motions."},
    {"spatial_cross_force", (PyCFunction)(void (*)(void))py_heft_spatial_cross_force, METH_VARARGS | METH_KEYWORDS,
     "a ×* f for a motion and a force."},
    {"spatial_move_motion", (PyCFunction)(void (*)(void))py_heft_spatial_move_motion, METH_VARARGS | METH_KEYWORDS,
     "A motion, described at a point that lies `offset` from the old one."},
    {"spatial_move_force", (PyCFunction)(void (*)(void))py_heft_spatial_move_force, METH_VARARGS | METH_KEYWORDS,
     "A force, described at a point that lies `offset` from the old one."},
    {"sym3_mul_vec", (PyCFunction)(void (*)(void))py_heft_sym3_mul_vec, METH_VARARGS | METH_KEYWORDS,
     "a v."},
    {"sym3_add", (PyCFunction)(void (*)(void))py_heft_sym3_add, METH_VARARGS | METH_KEYWORDS,
     "a + b."},
    {"sym3_rotate", (PyCFunction)(void (*)(void))py_heft_sym3_rotate, METH_VARARGS | METH_KEYWORDS,
     "r a rᵀ."},
    {"sym3_eigen", (PyCFunction)(void (*)(void))py_heft_sym3_eigen, METH_VARARGS | METH_KEYWORDS,
     "Eigenvalues in descending order and the rotation whose columns are the eigenvectors: a = r diag(e) rᵀ."},
    {"sym3_point_mass", (PyCFunction)(void (*)(void))py_heft_sym3_point_mass, METH_VARARGS | METH_KEYWORDS,
     "mass (|d|² 1 - d dᵀ): what a point mass at d adds about the origin."},
    {"inertia_transform", (PyCFunction)(void (*)(void))py_heft_inertia_transform, METH_VARARGS | METH_KEYWORDS,
     "The inertia seen from a frame in which its old frame has this pose."},
    {"inertia_add", (PyCFunction)(void (*)(void))py_heft_inertia_add, METH_VARARGS | METH_KEYWORDS,
     "Two bodies as one, both given in the same frame."},
    {"inertia_mul", (PyCFunction)(void (*)(void))py_heft_inertia_mul, METH_VARARGS | METH_KEYWORDS,
     "Momentum at the frame's origin of a body that moves with `motion` (given at the frame's origin)."},
    {"joint_type_name", (PyCFunction)(void (*)(void))py_heft_joint_type_name, METH_VARARGS | METH_KEYWORDS,
     "Name of a type of joint, the number of its coordinates in q, and the number of its degrees of freedom."},
    {"joint_type_q_count", (PyCFunction)(void (*)(void))py_heft_joint_type_q_count, METH_VARARGS | METH_KEYWORDS,
     "Name of a type of joint, the number of its coordinates in q, and the number of its degrees of freedom."},
    {"joint_type_dof_count", (PyCFunction)(void (*)(void))py_heft_joint_type_dof_count, METH_VARARGS | METH_KEYWORDS,
     "Name of a type of joint, the number of its coordinates in q, and the number of its degrees of freedom."},
    {"shape_type_name", (PyCFunction)(void (*)(void))py_heft_shape_type_name, METH_VARARGS | METH_KEYWORDS,
     "Name of a type of shape. Static string, never NULL."},
    {"sensor_type_name", (PyCFunction)(void (*)(void))py_heft_sensor_type_name, METH_VARARGS | METH_KEYWORDS,
     "Name of a type of sensor, the number of its values, and the kind of object that it measures."},
    {"sensor_type_value_count", (PyCFunction)(void (*)(void))py_heft_sensor_type_value_count, METH_VARARGS | METH_KEYWORDS,
     "Name of a type of sensor, the number of its values, and the kind of object that it measures."},
    {"sensor_type_object", (PyCFunction)(void (*)(void))py_heft_sensor_type_object, METH_VARARGS | METH_KEYWORDS,
     "Name of a type of sensor, the number of its values, and the kind of object that it measures."},
    {"field_type_name", (PyCFunction)(void (*)(void))py_heft_field_type_name, METH_VARARGS | METH_KEYWORDS,
     "\"\" if there is no such type."},
    {"field_parameter", (PyCFunction)(void (*)(void))py_heft_field_parameter, METH_VARARGS | METH_KEYWORDS,
     "Name of number i of a distance shape, as in model files; \"\" if it has fewer."},
    {"field_check", (PyCFunction)(void (*)(void))py_heft_field_check, METH_VARARGS | METH_KEYWORDS,
     "HEFT_OK if the numbers describe a shape. error may be NULL."},
    {"field_distance", (PyCFunction)(void (*)(void))py_heft_field_distance, METH_VARARGS | METH_KEYWORDS,
     "The distance of a point from the surface, negative inside, where the gradient has the length 1; elsewhere, the value over the length of the gradient is its first approximation [m]."},
    {"field_bounds", (PyCFunction)(void (*)(void))py_heft_field_bounds, METH_VARARGS | METH_KEYWORDS,
     "A box that holds the solid."},
    {"field_triangles_effort", (PyCFunction)(void (*)(void))py_heft_field_triangles_effort, METH_VARARGS | METH_KEYWORDS,
     "Cells that heft_field_triangles() looks at: its effort, for a limit of one's own."},
    {"model_array_count", (PyCFunction)(void (*)(void))py_heft_model_array_count, METH_VARARGS | METH_KEYWORDS,
     "Number of arrays of every model."},
    {"model_array_find", (PyCFunction)(void (*)(void))py_heft_model_array_find, METH_VARARGS | METH_KEYWORDS,
     "Index of the array with this name, -1 if there is none."},
    {"model_size_count", (PyCFunction)(void (*)(void))py_heft_model_size_count, METH_VARARGS | METH_KEYWORDS,
     "Number of sizes of every model."},
    {"q_integrate", (PyCFunction)(void (*)(void))py_heft_q_integrate, METH_VARARGS | METH_KEYWORDS,
     "q ⊕ v dt: coordinates after moving with the constant velocity v for dt; exact on rotations. out may be q."},
    {"q_difference", (PyCFunction)(void (*)(void))py_heft_q_difference, METH_VARARGS | METH_KEYWORDS,
     "Velocity that leads from q0 to q1 in unit time: q1 = q0 ⊕ out (nv)."},
    {"q_normalize", (PyCFunction)(void (*)(void))py_heft_q_normalize, METH_VARARGS | METH_KEYWORDS,
     "Normalises all quaternions in q to unit length."},
    {"abi_version", (PyCFunction)(void (*)(void))py_heft_abi_version, METH_VARARGS | METH_KEYWORDS,
     "HEFT_ABI_VERSION of the library that is loaded. A program whose own HEFT_ABI_VERSION differs must not exchange structs with this library."},
    {"integrator_name", (PyCFunction)(void (*)(void))py_heft_integrator_name, METH_VARARGS | METH_KEYWORDS,
     "Name of an integrator. Static string, never NULL."},
    {"contact_model_name", (PyCFunction)(void (*)(void))py_heft_contact_model_name, METH_VARARGS | METH_KEYWORDS,
     "Name of a contact model, and one phrase on it. Static strings, never NULL."},
    {"contact_model_meaning", (PyCFunction)(void (*)(void))py_heft_contact_model_meaning, METH_VARARGS | METH_KEYWORDS,
     "Name of a contact model, and one phrase on it. Static strings, never NULL."},
    {"contact_model_find", (PyCFunction)(void (*)(void))py_heft_contact_model_find, METH_VARARGS | METH_KEYWORDS,
     "Finds a contact model by its name. HEFT_ERR_NAME: there is none; the message lists the names."},
    {"contact_options_set", (PyCFunction)(void (*)(void))py_heft_contact_options_set, METH_VARARGS | METH_KEYWORDS,
     "Sets an option by its name. HEFT_ERR_NAME: no option has this name; HEFT_ERR_VALUE: the value is outside its range. The message states what is allowed; options then stay as they were."},
    {"step_status_text", (PyCFunction)(void (*)(void))py_heft_step_status_text, METH_VARARGS | METH_KEYWORDS,
     "A phrase on a status. Static string, never NULL."},
    {"step_taken", (PyCFunction)(void (*)(void))py_heft_step_taken, METH_VARARGS | METH_KEYWORDS,
     "Whether a step with this status moved the world; false if it was rolled back."},
    {"step_quantity_status", (PyCFunction)(void (*)(void))py_heft_step_quantity_status, METH_VARARGS | METH_KEYWORDS,
     "The status of a step that exceeds the bound of a quantity."},
    {"step_quantity_place", (PyCFunction)(void (*)(void))py_heft_step_quantity_place, METH_VARARGS | METH_KEYWORDS,
     "The kind of objects that HeftStepError::place counts; HEFT_NAMED_COUNT: it has no place."},
    {"step_report_worst", (PyCFunction)(void (*)(void))py_heft_step_report_worst, METH_VARARGS | METH_KEYWORDS,
     "The quantity that decides the status of a step: among those with this status, the one that is farthest above its bound. HEFT_QUANTITY_COUNT: none, the step is solved or was not judged by a bound."},
    {"step_tally_add", (PyCFunction)(void (*)(void))py_heft_step_tally_add, METH_VARARGS | METH_KEYWORDS,
     "Counts a step."},
    {"contact_state_name", (PyCFunction)(void (*)(void))py_heft_contact_state_name, METH_VARARGS | METH_KEYWORDS,
     "Name of a state. Static string, never NULL."},
    {"constraint_kind_name", (PyCFunction)(void (*)(void))py_heft_constraint_kind_name, METH_VARARGS | METH_KEYWORDS,
     "Name of a kind of constraint. Static string, never NULL."},
    {"contact_shape_name", (PyCFunction)(void (*)(void))py_heft_contact_shape_name, METH_VARARGS | METH_KEYWORDS,
     "Name of a shape of contact. Static string, never NULL."},
    {NULL, NULL, 0, NULL}};
static PyMethodDef methods_model[] = {
    {"torques_to_controls", (PyCFunction)(void (*)(void))py_heft_model_torques_to_controls, METH_VARARGS | METH_KEYWORDS,
     "Writes torques (nv) to the controls of the actuators that act on single joints, within their limits. controls: nactuator (heft_world_controls())."},
    {"spring_forces", (PyCFunction)(void (*)(void))py_heft_model_spring_forces, METH_VARARGS | METH_KEYWORDS,
     "Adds the forces of joint springs at q: tau += -k (q - q_spring) (nv)."},
    {NULL, NULL, 0, NULL}};
static PyGetSetDef getset_model[] = {
    {NULL, NULL, NULL, NULL, NULL}};
static PyMethodDef methods_world[] = {
    {"set_control", (PyCFunction)(void (*)(void))py_heft_world_set_control, METH_VARARGS | METH_KEYWORDS,
     "The control of an actuator, in the unit that its gain expects."},
    {"control", (PyCFunction)(void (*)(void))py_heft_world_control, METH_VARARGS | METH_KEYWORDS,
     "The control of an actuator, in the unit that its gain expects."},
    {"body_pose", (PyCFunction)(void (*)(void))py_heft_world_body_pose, METH_VARARGS | METH_KEYWORDS,
     "Pose of a body or site in the world frame."},
    {"site_pose", (PyCFunction)(void (*)(void))py_heft_world_site_pose, METH_VARARGS | METH_KEYWORDS,
     "Pose of a body or site in the world frame."},
    {"body_velocity", (PyCFunction)(void (*)(void))py_heft_world_body_velocity, METH_VARARGS | METH_KEYWORDS,
     "Velocity of a body at its origin, in world axes: angular [rad/s] and linear [m/s]."},
    {"move_body", (PyCFunction)(void (*)(void))py_heft_world_move_body, METH_VARARGS | METH_KEYWORDS,
     "Moves a moved body during the next step to a pose; then it rests, unless it is moved again. HEFT_ERR_ARGUMENT: the body is not a moved one. HEFT_ERR_VALUE: a number is not finite."},
    {"set_body_velocity", (PyCFunction)(void (*)(void))py_heft_world_set_body_velocity, METH_VARARGS | METH_KEYWORDS,
     "Sets the velocity of a moved body from the next step on, until it is changed: angular, and linear of its origin, in world axes [rad/s, m/s]. Errors as above."},
    {"set_conveyor", (PyCFunction)(void (*)(void))py_heft_world_set_conveyor, METH_VARARGS | METH_KEYWORDS,
     "Sets the velocity of the surface of a conveyor from the next step on, until it is changed: linear, and angular about the origin of the shape, in its frame [m/s, rad/s]. HEFT_ERR_ARGUMENT: the shape is not a conveyor. HEFT_ERR_VALUE: a number is not finite."},
    {"apply_force", (PyCFunction)(void (*)(void))py_heft_world_apply_force, METH_VARARGS | METH_KEYWORDS,
     "Applies a force at the centre of mass of a body during the next step [N]."},
    {"body_contact_force", (PyCFunction)(void (*)(void))py_heft_world_body_contact_force, METH_VARARGS | METH_KEYWORDS,
     "Sum of the contact forces on a body in the last step [N]."},
    {"apply_change", (PyCFunction)(void (*)(void))py_heft_world_apply_change, METH_VARARGS | METH_KEYWORDS,
     "Changes a parameter of a world. HEFT_ERR_VALUE: there is no such parameter, or its value is out of range."},
    {"set_state", (PyCFunction)(void (*)(void))py_heft_world_set_state, METH_VARARGS | METH_KEYWORDS,
     "Copies a state of the same model. HEFT_ERR_VALUE: a number is not finite, or a quaternion is far from unit length; the state then stays as it was."},
    {"actuator_force", (PyCFunction)(void (*)(void))py_heft_world_actuator_force, METH_VARARGS | METH_KEYWORDS,
     "Force of an actuator along its transmission, mean over the last step [N, N m]; 0 before the first."},
    {"apply_wrench", (PyCFunction)(void (*)(void))py_heft_world_apply_wrench, METH_VARARGS | METH_KEYWORDS,
     "Applies a force [N] at a point of the world frame and a torque [N m] to a body, during the next step only."},
    {"add_coupling", (PyCFunction)(void (*)(void))py_heft_world_add_coupling, METH_VARARGS | METH_KEYWORDS,
     "Couples a body during the next step only. Returns the index of the coupling in that step. Returns -1 if there are HEFT_COUPLING_MAX already, the body does not exist, a number is not finite, or a stiffness, damping or limit is negative."},
    {"coupling_wrench", (PyCFunction)(void (*)(void))py_heft_world_coupling_wrench, METH_VARARGS | METH_KEYWORDS,
     "Torque and force of a coupling of the last step on its body, mean over the step, at its frame; zero if there was no such coupling."},
    {"reserve_contacts", (PyCFunction)(void (*)(void))py_heft_world_reserve_contacts, METH_VARARGS | METH_KEYWORDS,
     "Makes room for at least so many contact points in a step, and for as many pairs of shapes as the last step had. To be called between two steps, for example if one ends with HEFT_STEP_CONTACTS_DROPPED: twice contact_count + contact_dropped of its report is a good number. Allocates, so it does not belong into a control loop. State, controls and the impulses that the next step starts from stay as they are: it has the bits of a world that was created with this capacity. The contacts of the last step are forgotten. Never reduces room. HEFT_ERR_MEMORY, HEFT_ERR_VALUE (too many): nothing changes. error may be NULL."},
    {"set_contact_model", (PyCFunction)(void (*)(void))py_heft_world_set_contact_model, METH_VARARGS | METH_KEYWORDS,
     "Sets contact model and options (options may be NULL: the present ones) from the next step on. Allocates, so it does not belong into a control loop. On failure nothing changes. error may be NULL."},
    {"set_gravity", (PyCFunction)(void (*)(void))py_heft_world_set_gravity, METH_VARARGS | METH_KEYWORDS,
     "Gravity [m/s²]."},
    {"set_material", (PyCFunction)(void (*)(void))py_heft_world_set_material, METH_VARARGS | METH_KEYWORDS,
     "A material of the model, for all shapes and pairs that use it."},
    {"material", (PyCFunction)(void (*)(void))py_heft_world_material, METH_VARARGS | METH_KEYWORDS,
     "A material of the model, for all shapes and pairs that use it."},
    {"set_pair_material", (PyCFunction)(void (*)(void))py_heft_world_set_pair_material, METH_VARARGS | METH_KEYWORDS,
     "The material of only one contact pair of the model."},
    {"pair_material", (PyCFunction)(void (*)(void))py_heft_world_pair_material, METH_VARARGS | METH_KEYWORDS,
     "The material of only one contact pair of the model."},
    {"set_shape_material", (PyCFunction)(void (*)(void))py_heft_world_set_shape_material, METH_VARARGS | METH_KEYWORDS,
     "The material of only one shape of the model. Later changes of the material that it had in the model do not reach it."},
    {"shape_material", (PyCFunction)(void (*)(void))py_heft_world_shape_material, METH_VARARGS | METH_KEYWORDS,
     "The material of only one shape of the model. Later changes of the material that it had in the model do not reach it."},
    {"set_mass_factors", (PyCFunction)(void (*)(void))py_heft_world_set_mass_factors, METH_VARARGS | METH_KEYWORDS,
     "Multiplies mass and inertia of a body of the model by two factors above 0; 1 restores the model's. The centre of mass of the body stays."},
    {"body_mass", (PyCFunction)(void (*)(void))py_heft_world_body_mass, METH_VARARGS | METH_KEYWORDS,
     "Mass of a body in this world [kg]."},
    {"set_actuator_gains", (PyCFunction)(void (*)(void))py_heft_world_set_actuator_gains, METH_VARARGS | METH_KEYWORDS,
     "Sets and gets the gains of an actuator in this world. HEFT_ERR_VALUE: a gain is not finite."},
    {"actuator_gains", (PyCFunction)(void (*)(void))py_heft_world_actuator_gains, METH_VARARGS | METH_KEYWORDS,
     "Sets and gets the gains of an actuator in this world. HEFT_ERR_VALUE: a gain is not finite."},
    {"set_seed", (PyCFunction)(void (*)(void))py_heft_world_set_seed, METH_VARARGS | METH_KEYWORDS,
     "Seed of the noise of sensors, instead of the def's. A snapshot does not hold it."},
    {"transfer", (PyCFunction)(void (*)(void))py_heft_world_transfer, METH_VARARGS | METH_KEYWORDS,
     "Makes a world of a changed model go on where a world of the former model is: objects can be created and removed while a program runs. Change the model by heft_builder_add_model(), create a world `to` of it, transfer, and destroy the former world. Bodies, joints, shapes, materials, actuators, tendons and equalities are matched by name, those without a name by what they are and where. Matched objects keep coordinates, velocities, activations, controls, joint forces, commands of moved bodies, conveyors, changed parameters, data of the user, and the impulses of the last step: contact forces go on without a jump, and islands at rest stay at rest. New objects have the state of `to` at its start. Callbacks, wrenches and couplings are not carried. error may be NULL."},
    {"contact", (PyCFunction)(void (*)(void))py_heft_world_contact, METH_VARARGS | METH_KEYWORDS,
     "Number of contacts of the last step; 0 after the state was set."},
    {"contact_wrench", (PyCFunction)(void (*)(void))py_heft_world_contact_wrench, METH_VARARGS | METH_KEYWORDS,
     "Sum of the contact forces on a body in the last step: force [N] and torque about a point [N m]."},
    {"pair_wrench", (PyCFunction)(void (*)(void))py_heft_world_pair_wrench, METH_VARARGS | METH_KEYWORDS,
     "Sum of the forces of the contacts with one other body, as heft_world_contact_wrench()."},
    {"contact_pressure_center", (PyCFunction)(void (*)(void))py_heft_world_contact_pressure_center, METH_VARARGS | METH_KEYWORDS,
     "Centre of pressure of all contacts of a body: the mean of their positions, weighted by the normal forces. Returns false, and writes nothing, if all normal forces are zero."},
    {"body_contact", (PyCFunction)(void (*)(void))py_heft_world_body_contact, METH_VARARGS | METH_KEYWORDS,
     "Contact of a body with all others in the last step."},
    {NULL, NULL, 0, NULL}};
static PyGetSetDef getset_world[] = {
    {"min_step_ns", get_heft_world_min_step_ns, NULL, "Time that the last step with a deadline took outside the solver [ns]; 0 before the first. A deadline closer than this cannot be met.", NULL},
    {"time_step", get_heft_world_time_step, NULL, "Length of a step [s]: def.time_step, or the model's.", NULL},
    {"contact_model", get_heft_world_contact_model, NULL, "The contact model in use; never FROM_FILE.", NULL},
    {"contact_options", get_heft_world_contact_options, NULL, "The contact model in use; never FROM_FILE.", NULL},
    {"gravity", get_heft_world_gravity, NULL, "Gravity [m/s²].", NULL},
    {"dynamics", get_heft_world_dynamics, NULL, "Poses, velocities and energies at the present state, for the functions of dynamics.h that take a const HeftDynamics. The world computes them when it is created, stepped or given another state.", NULL},
    {"snapshot_size_max", get_heft_world_snapshot_size_max, NULL, "Upper bound of heft_world_snapshot_size() for this world.", NULL},
    {"memory", get_heft_world_memory, NULL, "Memory that the world holds [bytes]: everything that it took from the allocator of its def, for all its parts. heft_world_set_contact_model() and changes of parameters alter it.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};
static PyMethodDef methods_batch[] = {
    {NULL, NULL, 0, NULL}};
static PyGetSetDef getset_batch[] = {
    {NULL, NULL, NULL, NULL, NULL}};
static PyMethodDef methods_dynamics[] = {
    {"kinematics", (PyCFunction)(void (*)(void))py_heft_dynamics_kinematics, METH_VARARGS | METH_KEYWORDS,
     "Poses, motion axes and inertias at q (nq)."},
    {"set_moved", (PyCFunction)(void (*)(void))py_heft_dynamics_set_moved, METH_VARARGS | METH_KEYWORDS,
     "Poses and velocities of the moved bodies (nmoved x 13), as in HeftState. moved may be NULL: they rest as the model describes them, which they do after heft_dynamics_create()."},
    {"velocities", (PyCFunction)(void (*)(void))py_heft_dynamics_velocities, METH_VARARGS | METH_KEYWORDS,
     "Velocities of all bodies at v (nv). heft_dynamics_rnea() and heft_dynamics_aba() include this."},
    {"body_pose", (PyCFunction)(void (*)(void))py_heft_dynamics_body_pose, METH_VARARGS | METH_KEYWORDS,
     "Pose of a body or of a site in the world, at the q of the last heft_dynamics_kinematics()."},
    {"site_pose", (PyCFunction)(void (*)(void))py_heft_dynamics_site_pose, METH_VARARGS | METH_KEYWORDS,
     "Pose of a body or of a site in the world, at the q of the last heft_dynamics_kinematics()."},
    {"body_velocity", (PyCFunction)(void (*)(void))py_heft_dynamics_body_velocity, METH_VARARGS | METH_KEYWORDS,
     "Velocity of a body at a point that moves with it: (angular velocity, velocity of the point). Needs heft_dynamics_velocities(), RNEA or ABA."},
    {"body_acceleration", (PyCFunction)(void (*)(void))py_heft_dynamics_body_acceleration, METH_VARARGS | METH_KEYWORDS,
     "Acceleration of a body at a point that moves with it: (angular acceleration, acceleration of the point), for the motion that the last heft_dynamics_rnea() was about. Without a it gives the part that only the velocities make, dJ/dt v."},
    {"body_jacobian", (PyCFunction)(void (*)(void))py_heft_dynamics_body_jacobian, METH_VARARGS | METH_KEYWORDS,
     "Jacobian of the motion of a body at a point: out (6 x nv, row-major), rows angular then linear."},
    {"clear_wrenches", (PyCFunction)(void (*)(void))py_heft_dynamics_clear_wrenches, METH_VARARGS | METH_KEYWORDS,
     "Removes all wrenches."},
    {"add_wrench", (PyCFunction)(void (*)(void))py_heft_dynamics_add_wrench, METH_VARARGS | METH_KEYWORDS,
     "Adds a force and a torque that act on a body at a point of the world, until they are cleared."},
    {"wrenches_to_joints", (PyCFunction)(void (*)(void))py_heft_dynamics_wrenches_to_joints, METH_VARARGS | METH_KEYWORDS,
     "tau += Σ Jᵀ f of all wrenches (nv)."},
    {"rnea", (PyCFunction)(void (*)(void))py_heft_dynamics_rnea, METH_VARARGS | METH_KEYWORDS,
     "Inverse dynamics, recursive Newton-Euler: tau = M a + b(q, v) - Σ Jᵀ f, gravity in b. a may be NULL (zero)."},
    {"aba", (PyCFunction)(void (*)(void))py_heft_dynamics_aba, METH_VARARGS | METH_KEYWORDS,
     "Forward dynamics, articulated bodies: a = M⁻¹ (tau - b + Σ Jᵀ f). tau may be NULL (zero)."},
    {"crba", (PyCFunction)(void (*)(void))py_heft_dynamics_crba, METH_VARARGS | METH_KEYWORDS,
     "The mass matrix by composite rigid bodies, armature included, stored along the paths of the tree."},
    {"factor", (PyCFunction)(void (*)(void))py_heft_dynamics_factor, METH_VARARGS | METH_KEYWORDS,
     "Factors M + diag(extra) = Lᵀ D L without fill-in; M itself stays. extra (nv) may be NULL. Needs heft_dynamics_crba(). HEFT_ERR_SINGULAR if the matrix is not positive definite; the factor must not be used then."},
    {"solve", (PyCFunction)(void (*)(void))py_heft_dynamics_solve, METH_VARARGS | METH_KEYWORDS,
     "x = (M + diag(extra))⁻¹ x in place (nv), from heft_dynamics_factor()."},
    {"mass_matrix", (PyCFunction)(void (*)(void))py_heft_dynamics_mass_matrix, METH_VARARGS | METH_KEYWORDS,
     "The mass matrix of heft_dynamics_crba() as nv x nv, row-major."},
    {"center_of_mass", (PyCFunction)(void (*)(void))py_heft_dynamics_center_of_mass, METH_VARARGS | METH_KEYWORDS,
     "Centre of mass of the subtree of a body [m]; body 0: of the whole model."},
    {"momentum", (PyCFunction)(void (*)(void))py_heft_dynamics_momentum, METH_VARARGS | METH_KEYWORDS,
     "Momentum of the subtree of a body about a point: (angular [kg m²/s], linear [kg m/s]). Needs velocities."},
    {"kinetic_energy", (PyCFunction)(void (*)(void))py_heft_dynamics_kinetic_energy, METH_VARARGS | METH_KEYWORDS,
     "Kinetic energy [J], including armatures. Needs velocities at the same v."},
    {"potential_energy", (PyCFunction)(void (*)(void))py_heft_dynamics_potential_energy, METH_VARARGS | METH_KEYWORDS,
     "Potential energy of gravity (zero at the world's origin) and of joint springs [J]."},
    {"tendon_length", (PyCFunction)(void (*)(void))py_heft_dynamics_tendon_length, METH_VARARGS | METH_KEYWORDS,
     "Length of a tendon [m, or the unit of its joints]. q: the coordinates of the last heft_dynamics_kinematics(). moment_arm (nv, may be NULL): ∂l/∂q."},
    {"actuator_length", (PyCFunction)(void (*)(void))py_heft_dynamics_actuator_length, METH_VARARGS | METH_KEYWORDS,
     "Length of the transmission of an actuator, including the gear. Its force times moment_arm (nv, may be NULL) is its contribution to tau."},
    {"tree_origin", (PyCFunction)(void (*)(void))py_heft_dynamics_tree_origin, METH_VARARGS | METH_KEYWORDS,
     "Point about which the tree of a body is described: the centre of mass of the root body [m]."},
    {NULL, NULL, 0, NULL}};
static PyGetSetDef getset_dynamics[] = {
    {NULL, NULL, NULL, NULL, NULL}};
static PyMethodDef methods_collider[] = {
    {"ray", (PyCFunction)(void (*)(void))py_heft_collider_ray, METH_VARARGS | METH_KEYWORDS,
     "The first surface that a ray from `from` along the unit vector `direction` enters within `max_distance` [m]. Shapes that contain the origin of the ray are not hit."},
    {"closest", (PyCFunction)(void (*)(void))py_heft_collider_closest, METH_VARARGS | METH_KEYWORDS,
     "The surface closest to a point, within max_distance [m]."},
    {"distance", (PyCFunction)(void (*)(void))py_heft_collider_distance, METH_VARARGS | METH_KEYWORDS,
     "Distance of two shapes of the model, whatever the rules of contact between them. Not for two planes, nor for a plane with a triangle mesh or height field, nor for two of those."},
    {NULL, NULL, 0, NULL}};
static PyGetSetDef getset_collider[] = {
    {"memory", get_heft_collider_memory, NULL, "Memory taken [bytes].", NULL},
    {"contact_capacity", get_heft_collider_contact_capacity, NULL, "Max number of contact points of a call.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};
static PyMethodDef methods_builder[] = {
    {"set_physics", (PyCFunction)(void (*)(void))py_heft_builder_set_physics, METH_VARARGS | METH_KEYWORDS,
     "A builder with the world body and the default material. allocator may be NULL (the default one), error may be NULL. *out is NULL on failure."},
    {"physics", (PyCFunction)(void (*)(void))py_heft_builder_physics, METH_VARARGS | METH_KEYWORDS,
     "A builder with the world body and the default material. allocator may be NULL (the default one), error may be NULL. *out is NULL on failure."},
    {"set_contact_model", (PyCFunction)(void (*)(void))py_heft_builder_set_contact_model, METH_VARARGS | METH_KEYWORDS,
     "Name of the contact model that the model requests, for example \"exact\"; word may be NULL or \"\": none. The name is copied; the world checks it (HEFT_CONTACT_MODEL_LIST)."},
    {"set_limits", (PyCFunction)(void (*)(void))py_heft_builder_set_limits, METH_VARARGS | METH_KEYWORDS,
     "Limits that heft_builder_finish() checks before it allocates."},
    {"add_body", (PyCFunction)(void (*)(void))py_heft_builder_add_body, METH_VARARGS | METH_KEYWORDS,
     "Each function adds one object and returns its index, -1 after an error. The builder stores the first error; later calls do nothing, and heft_builder_finish() reports it. A sequence of calls therefore needs no checks in between."},
    {"add_joint", (PyCFunction)(void (*)(void))py_heft_builder_add_joint, METH_VARARGS | METH_KEYWORDS,
     "Each function adds one object and returns its index, -1 after an error. The builder stores the first error; later calls do nothing, and heft_builder_finish() reports it. A sequence of calls therefore needs no checks in between."},
    {"add_site", (PyCFunction)(void (*)(void))py_heft_builder_add_site, METH_VARARGS | METH_KEYWORDS,
     "Each function adds one object and returns its index, -1 after an error. The builder stores the first error; later calls do nothing, and heft_builder_finish() reports it. A sequence of calls therefore needs no checks in between."},
    {"add_material", (PyCFunction)(void (*)(void))py_heft_builder_add_material, METH_VARARGS | METH_KEYWORDS,
     "Each function adds one object and returns its index, -1 after an error. The builder stores the first error; later calls do nothing, and heft_builder_finish() reports it. A sequence of calls therefore needs no checks in between."},
    {"add_shape", (PyCFunction)(void (*)(void))py_heft_builder_add_shape, METH_VARARGS | METH_KEYWORDS,
     "Each function adds one object and returns its index, -1 after an error. The builder stores the first error; later calls do nothing, and heft_builder_finish() reports it. A sequence of calls therefore needs no checks in between."},
    {"add_mesh", (PyCFunction)(void (*)(void))py_heft_builder_add_mesh, METH_VARARGS | METH_KEYWORDS,
     "Each function adds one object and returns its index, -1 after an error. The builder stores the first error; later calls do nothing, and heft_builder_finish() reports it. A sequence of calls therefore needs no checks in between."},
    {"add_height_field", (PyCFunction)(void (*)(void))py_heft_builder_add_height_field, METH_VARARGS | METH_KEYWORDS,
     "Each function adds one object and returns its index, -1 after an error. The builder stores the first error; later calls do nothing, and heft_builder_finish() reports it. A sequence of calls therefore needs no checks in between."},
    {"add_texture", (PyCFunction)(void (*)(void))py_heft_builder_add_texture, METH_VARARGS | METH_KEYWORDS,
     "Each function adds one object and returns its index, -1 after an error. The builder stores the first error; later calls do nothing, and heft_builder_finish() reports it. A sequence of calls therefore needs no checks in between."},
    {"add_appearance", (PyCFunction)(void (*)(void))py_heft_builder_add_appearance, METH_VARARGS | METH_KEYWORDS,
     "Each function adds one object and returns its index, -1 after an error. The builder stores the first error; later calls do nothing, and heft_builder_finish() reports it. A sequence of calls therefore needs no checks in between."},
    {"add_camera", (PyCFunction)(void (*)(void))py_heft_builder_add_camera, METH_VARARGS | METH_KEYWORDS,
     "Each function adds one object and returns its index, -1 after an error. The builder stores the first error; later calls do nothing, and heft_builder_finish() reports it. A sequence of calls therefore needs no checks in between."},
    {"add_light", (PyCFunction)(void (*)(void))py_heft_builder_add_light, METH_VARARGS | METH_KEYWORDS,
     "Each function adds one object and returns its index, -1 after an error. The builder stores the first error; later calls do nothing, and heft_builder_finish() reports it. A sequence of calls therefore needs no checks in between."},
    {"add_pair", (PyCFunction)(void (*)(void))py_heft_builder_add_pair, METH_VARARGS | METH_KEYWORDS,
     "Each function adds one object and returns its index, -1 after an error. The builder stores the first error; later calls do nothing, and heft_builder_finish() reports it. A sequence of calls therefore needs no checks in between."},
    {"add_exclude", (PyCFunction)(void (*)(void))py_heft_builder_add_exclude, METH_VARARGS | METH_KEYWORDS,
     "Each function adds one object and returns its index, -1 after an error. The builder stores the first error; later calls do nothing, and heft_builder_finish() reports it. A sequence of calls therefore needs no checks in between."},
    {"add_equality", (PyCFunction)(void (*)(void))py_heft_builder_add_equality, METH_VARARGS | METH_KEYWORDS,
     "Each function adds one object and returns its index, -1 after an error. The builder stores the first error; later calls do nothing, and heft_builder_finish() reports it. A sequence of calls therefore needs no checks in between."},
    {"add_tendon", (PyCFunction)(void (*)(void))py_heft_builder_add_tendon, METH_VARARGS | METH_KEYWORDS,
     "Each function adds one object and returns its index, -1 after an error. The builder stores the first error; later calls do nothing, and heft_builder_finish() reports it. A sequence of calls therefore needs no checks in between."},
    {"add_actuator", (PyCFunction)(void (*)(void))py_heft_builder_add_actuator, METH_VARARGS | METH_KEYWORDS,
     "Each function adds one object and returns its index, -1 after an error. The builder stores the first error; later calls do nothing, and heft_builder_finish() reports it. A sequence of calls therefore needs no checks in between."},
    {"add_sensor", (PyCFunction)(void (*)(void))py_heft_builder_add_sensor, METH_VARARGS | METH_KEYWORDS,
     "Each function adds one object and returns its index, -1 after an error. The builder stores the first error; later calls do nothing, and heft_builder_finish() reports it. A sequence of calls therefore needs no checks in between."},
    {"add_key", (PyCFunction)(void (*)(void))py_heft_builder_add_key, METH_VARARGS | METH_KEYWORDS,
     "Each function adds one object and returns its index, -1 after an error. The builder stores the first error; later calls do nothing, and heft_builder_finish() reports it. A sequence of calls therefore needs no checks in between."},
    {"add_deformable", (PyCFunction)(void (*)(void))py_heft_builder_add_deformable, METH_VARARGS | METH_KEYWORDS,
     "Adds bodies, slides and spheres of its vertices, too. Returns its index, -1 after an error."},
    {"add_model", (PyCFunction)(void (*)(void))py_heft_builder_add_model, METH_VARARGS | METH_KEYWORDS,
     "Adds a model, or a part of it: the way to change a model. Returns the index of its first body, -1 after an error; its bodies keep their order. The physics and the contact model of the builder stay as they are. A name that the builder has already is an error at the end: use a prefix. def may be NULL: all of the model, with its names, in its place. Then heft_builder_finish() makes the same bits again, after heft_builder_set_physics() and heft_builder_set_contact_model()."},
    {"scale_mass", (PyCFunction)(void (*)(void))py_heft_builder_scale_mass, METH_VARARGS | METH_KEYWORDS,
     "Multiplies masses and inertias of all bodies so far by a factor > 0."},
    {"count", (PyCFunction)(void (*)(void))py_heft_builder_count, METH_VARARGS | METH_KEYWORDS,
     "How many bodies (the world included), sites, shapes, cameras or lights there are so far."},
    {"status", (PyCFunction)(void (*)(void))py_heft_builder_status, METH_VARARGS | METH_KEYWORDS,
     "The first error so far; HEFT_OK if there is none. error may be NULL."},
    {"finish", (PyCFunction)(void (*)(void))py_heft_builder_finish, METH_VARARGS | METH_KEYWORDS,
     "Makes the model. The builder can be destroyed afterwards. *out is NULL on failure."},
    {NULL, NULL, 0, NULL}};
static PyGetSetDef getset_builder[] = {
    {NULL, NULL, NULL, NULL, NULL}};
static PyMethodDef methods_state[] = {
    {"reset", (PyCFunction)(void (*)(void))py_heft_state_reset, METH_VARARGS | METH_KEYWORDS,
     "Sets q to q_default, and velocities, activations and time to zero."},
    {"copy", (PyCFunction)(void (*)(void))py_heft_state_copy, METH_VARARGS | METH_KEYWORDS,
     "Copies a state. Both must belong to the same model."},
    {"set_key", (PyCFunction)(void (*)(void))py_heft_state_set_key, METH_VARARGS | METH_KEYWORDS,
     "Copies time, q, v, act and poses of moved bodies of a keyframe, 0 <= key < nkey. The moved bodies are at rest; conveyors move as in the model."},
    {NULL, NULL, 0, NULL}};
static PyGetSetDef getset_state[] = {
    {"hash", get_heft_state_hash, NULL, "64 bits that depend on every bit of the state.", NULL},
    {"finite", get_heft_state_finite, NULL, "True if all numbers of the state are finite.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};
static PyMethodDef methods_whole_body[] = {
    {"begin", (PyCFunction)(void (*)(void))py_heft_whole_body_begin, METH_VARARGS | METH_KEYWORDS,
     "Starts a problem at coordinates q (nq) and velocities v (nv), without tasks, contacts and wrenches. Both arrays are copied."},
    {"memory", (PyCFunction)(void (*)(void))py_heft_whole_body_memory, METH_VARARGS | METH_KEYWORDS,
     "The numbers that the solution of a problem reuses from the last one (a start for the forces), for rewinding: HEFT_WHOLE_BODY_MEMORY numbers, written and read."},
    {"set_memory", (PyCFunction)(void (*)(void))py_heft_whole_body_set_memory, METH_VARARGS | METH_KEYWORDS,
     "The numbers that the solution of a problem reuses from the last one (a start for the forces), for rewinding: HEFT_WHOLE_BODY_MEMORY numbers, written and read."},
    {"com", (PyCFunction)(void (*)(void))py_heft_whole_body_com, METH_VARARGS | METH_KEYWORDS,
     "Centre of mass of the robot [m]. *velocity, which may be NULL, is its velocity [m/s]."},
    {"add_wrench", (PyCFunction)(void (*)(void))py_heft_whole_body_add_wrench, METH_VARARGS | METH_KEYWORDS,
     "Adds a force [N] at a point of the world and a torque [N m] that act on body `on`, for example the weight of a load. All wrenches must be added before the first task."},
    {"add_com_task", (PyCFunction)(void (*)(void))py_heft_whole_body_add_com_task, METH_VARARGS | METH_KEYWORDS,
     "Adds a task: acceleration of the centre of mass [m/s²], with a weight per axis."},
    {"add_point_task", (PyCFunction)(void (*)(void))py_heft_whole_body_add_point_task, METH_VARARGS | METH_KEYWORDS,
     "Adds a task: acceleration [m/s²] of a point, given in the world, that moves with body `of`."},
    {"add_rotation_task", (PyCFunction)(void (*)(void))py_heft_whole_body_add_rotation_task, METH_VARARGS | METH_KEYWORDS,
     "Adds a task: angular acceleration of body `of` [rad/s²]."},
    {"add_dof_task", (PyCFunction)(void (*)(void))py_heft_whole_body_add_dof_task, METH_VARARGS | METH_KEYWORDS,
     "Adds a task: acceleration of one degree of freedom [m/s², rad/s²]."},
    {"add_contact", (PyCFunction)(void (*)(void))py_heft_whole_body_add_contact, METH_VARARGS | METH_KEYWORDS,
     "Adds a contact that may carry force: a point of the world on body `on`, the unit normal that points into the body, the coefficient of friction, and the share of the load relative to other contacts (0 < share <= 1). Returns its index, -1 if contact_capacity is reached."},
    {"solve", (PyCFunction)(void (*)(void))py_heft_whole_body_solve, METH_VARARGS | METH_KEYWORDS,
     "Solves. tau (nv): torques at the joints with actuators, 0 elsewhere. HEFT_ERR_SINGULAR if the problem has no unique solution; tau is 0 then."},
    {"acceleration", (PyCFunction)(void (*)(void))py_heft_whole_body_acceleration, METH_VARARGS | METH_KEYWORDS,
     "Accelerations of the last heft_whole_body_solve() (nv). Owned by the controller; valid until the next solve."},
    {"force", (PyCFunction)(void (*)(void))py_heft_whole_body_force, METH_VARARGS | METH_KEYWORDS,
     "Force of a contact on the robot in the last solution [N], in the world's frame."},
    {NULL, NULL, 0, NULL}};
static PyGetSetDef getset_whole_body[] = {
    {"dynamics", get_heft_whole_body_dynamics, NULL, "Kinematics and velocities at the state of heft_whole_body_begin().", NULL},
    {"mass", get_heft_whole_body_mass, NULL, "Mass of the robot [kg].", NULL},
    {NULL, NULL, NULL, NULL, NULL}};
static PyMethodDef methods_biped[] = {
    {"torques", (PyCFunction)(void (*)(void))py_heft_biped_torques, METH_VARARGS | METH_KEYWORDS,
     "Torques for a goal at (q, v): tau (nv). HEFT_ERR_SINGULAR if the problem has no unique solution; tau is 0 then."},
    {"step", (PyCFunction)(void (*)(void))py_heft_biped_step, METH_VARARGS | METH_KEYWORDS,
     "Sets a world's controls to heft_biped_torques() at its state. On failure they stay as they were."},
    {"set_memory", (PyCFunction)(void (*)(void))py_heft_biped_set_memory, METH_VARARGS | METH_KEYWORDS,
     "Sets the numbers that the controller keeps from step to step, as heft_whole_body_memory() of its problem wrote them."},
    {NULL, NULL, 0, NULL}};
static PyGetSetDef getset_biped[] = {
    {"whole_body", get_heft_biped_whole_body, NULL, "The problem of the last heft_biped_torques(), for its forces and accelerations. Owned by biped.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};
static PyMethodDef methods_walk[] = {
    {"goal", (PyCFunction)(void (*)(void))py_heft_walk_goal, METH_VARARGS | METH_KEYWORDS,
     "Writes centre of mass and feet at a time [s] into the goal. *zmp, which may be NULL, is the planned centre of pressure [m]."},
    {NULL, NULL, 0, NULL}};
static PyGetSetDef getset_walk[] = {
    {"duration", get_heft_walk_duration, NULL, "Duration of the plan [s].", NULL},
    {NULL, NULL, NULL, NULL, NULL}};
static PyMethodDef methods_spline[] = {
    {"at", (PyCFunction)(void (*)(void))py_heft_spline_at, METH_VARARGS | METH_KEYWORDS,
     "Values, velocities and accelerations at a time [s] (channels each; each may be NULL). Before the first point the first value holds, after the last point the last."},
    {NULL, NULL, 0, NULL}};
static PyGetSetDef getset_spline[] = {
    {"channels", get_heft_spline_channels, NULL, "Reads a spline from text: one point per line, time first, numbers separated by commas, semicolons or blanks. Lines that begin with # or a letter are skipped. Numbers are written as in C, independent of the locale.", NULL},
    {"end", get_heft_spline_end, NULL, "Reads a spline from text: one point per line, time first, numbers separated by commas, semicolons or blanks. Lines that begin with # or a letter are skipped. Numbers are written as in C, independent of the locale.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};
static PyMethodDef methods_pose_solver[] = {
    {"solve", (PyCFunction)(void (*)(void))py_heft_pose_solver_solve, METH_VARARGS | METH_KEYWORDS,
     "Changes q (nq) to minimise the weighted error of the targets, within the ranges of the joints and close to the given q. Joints with springs keep their coordinates. Returns the remaining weighted error, the root of the sum of squares [m, rad]."},
    {NULL, NULL, 0, NULL}};
static PyGetSetDef getset_pose_solver[] = {
    {NULL, NULL, NULL, NULL, NULL}};
static PyMethodDef methods_compliance[] = {
    {"set_dof", (PyCFunction)(void (*)(void))py_heft_compliance_set_dof, METH_VARARGS | METH_KEYWORDS,
     "Sets the elements of the diagonal matrices M_d [kg m²], B_d [N m s/rad] and of the stiffness [N m/rad] of one dof; ranges as in HeftComplianceDef."},
    {"reset", (PyCFunction)(void (*)(void))py_heft_compliance_reset, METH_VARARGS | METH_KEYWORDS,
     "Sets offset and velocity to zero."},
    {"step", (PyCFunction)(void (*)(void))py_heft_compliance_step, METH_VARARGS | METH_KEYWORDS,
     "One step of dt [s] with load_count forces on the robot. dynamics: at the present pose."},
    {"set_offset", (PyCFunction)(void (*)(void))py_heft_compliance_set_offset, METH_VARARGS | METH_KEYWORDS,
     "Sets offset and velocity (nv each), as they were read before."},
    {"offset", (PyCFunction)(void (*)(void))py_heft_compliance_offset, METH_VARARGS | METH_KEYWORDS,
     "Offset of each dof from the posture, and its rate (nv). Owned by the controller."},
    {"velocity", (PyCFunction)(void (*)(void))py_heft_compliance_velocity, METH_VARARGS | METH_KEYWORDS,
     "Offset of each dof from the posture, and its rate (nv). Owned by the controller."},
    {"apply", (PyCFunction)(void (*)(void))py_heft_compliance_apply, METH_VARARGS | METH_KEYWORDS,
     "out (nq) = posture plus offset, within the ranges of the joints. out may be posture."},
    {NULL, NULL, 0, NULL}};
static PyGetSetDef getset_compliance[] = {
    {NULL, NULL, NULL, NULL, NULL}};
static PyMethodDef methods_gaze[] = {
    {"step", (PyCFunction)(void (*)(void))py_heft_gaze_step, METH_VARARGS | METH_KEYWORDS,
     "Turns the joints of the neck in a posture (nq) towards a point of the world. dynamics: at the present coordinates q. Returns the remaining angle [rad]."},
    {NULL, NULL, 0, NULL}};
static PyGetSetDef getset_gaze[] = {
    {NULL, NULL, NULL, NULL, NULL}};
static PyMethodDef methods_probe[] = {
    {"begin", (PyCFunction)(void (*)(void))py_heft_probe_begin, METH_VARARGS | METH_KEYWORDS,
     "Called before a step: finds the contact of the hand and couples it to the world."},
    {"end", (PyCFunction)(void (*)(void))py_heft_probe_end, METH_VARARGS | METH_KEYWORDS,
     "Called after the step: returns the local model until the next step."},
    {"set_state", (PyCFunction)(void (*)(void))py_heft_probe_set_state, METH_VARARGS | METH_KEYWORDS,
     "Called after the step: returns the local model until the next step."},
    {NULL, NULL, 0, NULL}};
static PyGetSetDef getset_probe[] = {
    {"state", get_heft_probe_state, NULL, "Called after the step: returns the local model until the next step.", NULL},
    {"def_", get_heft_probe_def, NULL, "Called after the step: returns the local model until the next step.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};
static void end_model(void* object) { heft_model_destroy(object); }
static void end_world(void* object) { heft_world_destroy(object); }
static void end_batch(void* object) { heft_batch_destroy(object); }
static void end_dynamics(void* object) { heft_dynamics_destroy(object); }
static void end_collider(void* object) { heft_collider_destroy(object); }
static void end_builder(void* object) { heft_builder_destroy(object); }
static void end_state(void* object) { heft_state_destroy(object); }
static void end_whole_body(void* object) { heft_whole_body_destroy(object); }
static void end_biped(void* object) { heft_biped_destroy(object); }
static void end_walk(void* object) { heft_walk_destroy(object); }
static void end_spline(void* object) { heft_spline_destroy(object); }
static void end_pose_solver(void* object) { heft_pose_solver_destroy(object); }
static void end_compliance(void* object) { heft_compliance_destroy(object); }
static void end_gaze(void* object) { heft_gaze_destroy(object); }
static void end_probe(void* object) { heft_probe_destroy(object); }
const Class core_classes[] = {
    {"heft._core.Model", NULL, end_model, methods_model, getset_model},
    {"heft._core.World", NULL, end_world, methods_world, getset_world},
    {"heft._core.Batch", NULL, end_batch, methods_batch, getset_batch},
    {"heft._core.Dynamics", py_heft_dynamics_create, end_dynamics, methods_dynamics, getset_dynamics},
    {"heft._core.Collider", py_heft_collider_create, end_collider, methods_collider, getset_collider},
    {"heft._core.Builder", py_heft_builder_create, end_builder, methods_builder, getset_builder},
    {"heft._core.State", py_heft_state_create, end_state, methods_state, getset_state},
    {"heft._core.WholeBody", py_heft_whole_body_create, end_whole_body, methods_whole_body, getset_whole_body},
    {"heft._core.Biped", py_heft_biped_create, end_biped, methods_biped, getset_biped},
    {"heft._core.Walk", py_heft_walk_create, end_walk, methods_walk, getset_walk},
    {"heft._core.Spline", NULL, end_spline, methods_spline, getset_spline},
    {"heft._core.PoseSolver", py_heft_pose_solver_create, end_pose_solver, methods_pose_solver, getset_pose_solver},
    {"heft._core.Compliance", py_heft_compliance_create, end_compliance, methods_compliance, getset_compliance},
    {"heft._core.Gaze", py_heft_gaze_create, end_gaze, methods_gaze, getset_gaze},
    {"heft._core.Probe", py_heft_probe_create, end_probe, methods_probe, getset_probe},
};
const int core_class_count = CLASS_COUNT;
