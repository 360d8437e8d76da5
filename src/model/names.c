// SPDX-License-Identifier: Apache-2.0
// Names of types and of the elements of a model.
#include <heft/model.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"

static const struct {
  const char* text;
  int q_count, dof_count;
} joint_types[] = {
#define ROW(name, text, q, dof) {text, q, dof},
    HEFT_JOINT_LIST(ROW)
#undef ROW
};

static const char* const shape_types[] = {
#define ROW(name, text) text,
    HEFT_SHAPE_LIST(ROW)
#undef ROW
};

static const struct {
  const char* text;
  int value_count;
  HeftSensorObject object;
} sensor_types[] = {
#define ROW(name, text, values, object) {text, values, HEFT_SENSOR_OF_##object},
    HEFT_SENSOR_LIST(ROW)
#undef ROW
};

static int joint_known(HeftJointType type) {
  return (int)type >= 0 && type < HEFT_JOINT_TYPE_COUNT;
}
static int sensor_known(HeftSensorType type) {
  return (int)type >= 0 && type < HEFT_SENSOR_TYPE_COUNT;
}

const char* heft_joint_type_name(HeftJointType type) {
  return joint_known(type) ? joint_types[type].text : "unknown";
}
int heft_joint_type_q_count(HeftJointType type) {
  return joint_known(type) ? joint_types[type].q_count : 0;
}
int heft_joint_type_dof_count(HeftJointType type) {
  return joint_known(type) ? joint_types[type].dof_count : 0;
}

const char* heft_shape_type_name(HeftShapeType type) {
  return (int)type >= 0 && type < HEFT_SHAPE_TYPE_COUNT ? shape_types[type] : "unknown";
}

const char* heft_sensor_type_name(HeftSensorType type) {
  return sensor_known(type) ? sensor_types[type].text : "unknown";
}
int heft_sensor_type_value_count(HeftSensorType type) {
  return sensor_known(type) ? sensor_types[type].value_count : 0;
}
HeftSensorObject heft_sensor_type_object(HeftSensorType type) {
  return sensor_known(type) ? sensor_types[type].object : HEFT_SENSOR_OF_NOTHING;
}

typedef struct NameTable {
  const int* offsets;
  int count;
} NameTable;

static NameTable name_table(const HeftModel* m, HeftNamed kind) {
  switch (kind) {
#define ROW(kind, offsets, count, text) \
  case kind:                            \
    return (NameTable){m->offsets, m->count};
    HEFT_NAMED_LIST(ROW)
#undef ROW
    case HEFT_NAMED_COUNT:
      break;
  }
  return (NameTable){NULL, 0};
}

int heft_model_named_count(const HeftModel* model, HeftNamed kind) {
  HEFT_REQUIRE(model, 0);
  HEFT_REQUIRE((int)kind >= 0 && kind < HEFT_NAMED_COUNT, 0);
  return name_table(model, kind).count;
}

int heft_model_find(const HeftModel* model, HeftNamed kind, const char* name) {
  HEFT_REQUIRE(model && name, -1);
  if (!name[0]) return -1;  // things without a name have this one
  const NameTable table = name_table(model, kind);
  for (int i = 0; i < table.count; ++i) {
    if (strcmp(model->names + table.offsets[i], name) == 0) return i;
  }
  return -1;
}

typedef struct NamesOfKind {
  const HeftModel* model;
  HeftNamed kind;
} NamesOfKind;

static const char* name_of_kind(const void* from, int index) {
  const NamesOfKind* of = from;
  return heft_model_name(of->model, of->kind, index);
}

static const char* const kind_texts[] = {
#define ROW(kind, offsets, count, text) text,
    HEFT_NAMED_LIST(ROW)
#undef ROW
};

HeftStatus heft_model_lookup(const HeftModel* model, HeftNamed kind, const char* name, int* index,
                             HeftError* error) {
  HEFT_REQUIRE(index, HEFT_ERR_ARGUMENT);
  *index = -1;
  HEFT_REQUIRE(model && name, HEFT_ERR_ARGUMENT);
  HEFT_REQUIRE((int)kind >= 0 && kind < HEFT_NAMED_COUNT, HEFT_ERR_ARGUMENT);
  *index = heft_model_find(model, kind, name);
  if (*index >= 0) return HEFT_OK;
  const NamesOfKind of = {model, kind};
  const HeftNames names = {name_of_kind, &of, heft_model_named_count(model, kind)};
  char hint[400];
  return heft_error_set(error, HEFT_ERR_NAME, "no '%.60s' among the %s of the model; %s", name,
                        kind_texts[kind], heft_names_hint(names, name, hint, sizeof hint));
}

const char* heft_model_name(const HeftModel* model, HeftNamed kind, int index) {
  HEFT_REQUIRE(model, "");
  const NameTable table = name_table(model, kind);
  HEFT_REQUIRE(index >= 0 && index < table.count, "");
  return index >= 0 && index < table.count ? model->names + table.offsets[index] : "";
}
