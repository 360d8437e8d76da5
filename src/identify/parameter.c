// SPDX-License-Identifier: Apache-2.0
// Parameters of a model by name: the table of what a fit may change.
#include <math.h>
#include <string.h>
#include "identify/sensitivity.h"

#include "base/assert.h"
#include "base/error.h"

typedef enum Kind {
  FRICTION,
  DAMPING,
  FRICTIONLOSS,
  STIFFNESS,
  ARMATURE,
  GEAR,
  OFFSET,
  KINDS
} Kind;

static const struct {
  const char *name, *unit;
  HeftNamed of;
  HeftStepParameterKind step;  // HEFT_STEP_PARAMETER_COUNT: none
} kinds[KINDS] = {{"friction", "", HEFT_NAMED_SHAPE, HEFT_STEP_FRICTION},
                  {"damping", "N m s/rad", HEFT_NAMED_JOINT, HEFT_STEP_DAMPING},
                  {"frictionloss", "N m", HEFT_NAMED_JOINT, HEFT_STEP_DRY_FRICTION},
                  {"stiffness", "N m/rad", HEFT_NAMED_JOINT, HEFT_STEP_STIFFNESS},
                  {"armature", "kg m²", HEFT_NAMED_JOINT, HEFT_STEP_ARMATURE},
                  {"gear", "", HEFT_NAMED_ACTUATOR, HEFT_STEP_GEAR},
                  {"offset", "", HEFT_NAMED_SENSOR, HEFT_STEP_PARAMETER_COUNT}};

HeftStepParameterKind heft_parameter_step(HeftParameter p) {
  HEFT_REQUIRE(p.kind >= 0 && p.kind < KINDS, HEFT_STEP_PARAMETER_COUNT);
  return kinds[p.kind].step;
}

static const char all_kinds[] =
    "friction (of all shapes), friction:SHAPE, damping:JOINT, frictionloss:JOINT, "
    "stiffness:JOINT, armature:JOINT, gear:ACTUATOR, offset:SENSOR, offset:SENSOR.NUMBER";

const char* heft_parameter_unit(HeftParameter p) {
  HEFT_REQUIRE(p.kind >= 0 && p.kind < KINDS, "");
  return kinds[p.kind].unit;
}

bool heft_parameter_signed(HeftParameter p) { return p.kind == GEAR || p.kind == OFFSET; }

static const char* kind_name(const void* from, int index) {
  (void)from;
  return kinds[index].name;
}

// The value of a sensor in the sensor data: NAME, or NAME.NUMBER with NUMBER from 0.
static HeftStatus find_value(const HeftModel* m, const char* text, int* out, HeftError* error) {
  char name[200];
  const char* dot = strrchr(text, '.');
  const int digit = dot && dot[1] >= '0' && dot[1] <= '9' && dot[2] == '\0' ? dot[1] - '0' : -1;
  const size_t length = digit >= 0 ? (size_t)(dot - text) : strlen(text);
  int sensor = -1;
  if (length >= sizeof name)
    return heft_error_set(error, HEFT_ERR_NAME, "the name of a sensor is too long: '%.40s'", text);
  memcpy(name, text, length);
  name[length] = '\0';
  const HeftStatus status = heft_model_lookup(m, HEFT_NAMED_SENSOR, name, &sensor, error);
  if (status != HEFT_OK) return status;
  const int count = heft_sensor_type_value_count(m->sensor_type[sensor]);
  if (digit >= count)
    return heft_error_set(error, HEFT_ERR_NAME,
                          "sensor '%s' has %d values, counted from 0; found %d", name, count,
                          digit);
  *out = m->sensor_address[sensor] + (digit >= 0 ? digit : 0);
  return HEFT_OK;
}

// Dofs of a joint.
static int dofs(const HeftModel* m, int joint) {
  return heft_joint_type_dof_count(m->joint_type[joint]);
}

static HeftStatus check(const HeftModel* m, HeftParameter p, const char* text, HeftError* error) {
  if (kinds[p.kind].of == HEFT_NAMED_JOINT && dofs(m, p.index) == 0)
    return heft_error_set(error, HEFT_ERR_VALUE, "'%.80s': a fixed joint has none", text);
  if (p.kind == GEAR && heft_parameter_get(m, p) == 0)
    return heft_error_set(error, HEFT_ERR_VALUE,
                          "'%.80s': the model has a gear of 0; give it a guess of the right sign",
                          text);
  return HEFT_OK;
}

HeftStatus heft_parameter_find(const HeftModel* m, const char* text, HeftParameter* out,
                               HeftError* error) {
  HEFT_REQUIRE(m && text && out, HEFT_ERR_ARGUMENT);
  char hint[300];
  const size_t length = strcspn(text, ":");
  *out = (HeftParameter){-1, -1};
  for (int k = 0; k < KINDS; ++k)
    if (strlen(kinds[k].name) == length && memcmp(kinds[k].name, text, length) == 0) out->kind = k;
  if (out->kind < 0) {
    char word[40];
    const size_t cut = length < sizeof word ? length : sizeof word - 1;
    memcpy(word, text, cut);
    word[cut] = '\0';
    return heft_error_set(
        error, HEFT_ERR_NAME, "'%.60s' is no parameter; %s", text,
        heft_names_hint((HeftNames){kind_name, NULL, KINDS}, word, hint, sizeof hint));
  }
  if (text[length] == '\0' && out->kind == FRICTION) return HEFT_OK;
  if (text[length] == '\0' || text[length + 1] == '\0')
    return heft_error_set(error, HEFT_ERR_NAME, "'%.60s' needs a name: expected one of %s", text,
                          all_kinds);
  const char* name = text + length + 1;
  const HeftStatus status =
      out->kind == OFFSET ? find_value(m, name, &out->index, error)
                          : heft_model_lookup(m, kinds[out->kind].of, name, &out->index, error);
  return status == HEFT_OK ? check(m, *out, text, error) : status;
}

static const double* joint_array(const HeftModel* m, Kind kind) {
  return kind == DAMPING        ? m->dof_damping
         : kind == FRICTIONLOSS ? m->dof_friction
         : kind == STIFFNESS    ? m->dof_stiffness
                                : m->dof_armature;
}

double heft_parameter_get(const HeftModel* m, HeftParameter p) {
  HEFT_REQUIRE(m && p.kind >= 0 && p.kind < KINDS, 0);
  const Kind kind = (Kind)p.kind;
  double most = 0;
  switch (kind) {
    case FRICTION:
      if (p.index >= 0) return m->material_kinetic[m->shape_material[p.index]];
      for (int k = 0; k < m->nmaterial; ++k) most = fmax(most, m->material_kinetic[k]);
      return most;
    case GEAR:
      for (int k = 0; k < 6; ++k)
        if (m->actuator_gear[6L * p.index + k] != 0) return m->actuator_gear[6L * p.index + k];
      return 0;
    case OFFSET:
      return m->sensor_offset[p.index];
    case DAMPING:
    case FRICTIONLOSS:
    case STIFFNESS:
    case ARMATURE:
    case KINDS:
      break;
  }
  return joint_array(m, kind)[m->joint_dof[p.index]];
}

static void set_material(HeftModel* m, int k, double value) {
  const double before = m->material_kinetic[k];
  const double ratio = before > 0 ? m->material_friction[k] / before : 1;
  m->material_kinetic[k] = value;
  m->material_friction[k] = ratio * value;
}

void heft_parameter_set(HeftModel* m, HeftParameter p, double value) {
  HEFT_REQUIRE_VOID(m && p.kind >= 0 && p.kind < KINDS);
  const Kind kind = (Kind)p.kind;
  switch (kind) {
    case FRICTION:
      for (int k = 0; k < m->nmaterial; ++k)
        if (p.index < 0 || k == m->shape_material[p.index]) set_material(m, k, value);
      break;
    case GEAR: {
      const double before = heft_parameter_get(m, p);
      for (int k = 0; k < 6; ++k) m->actuator_gear[6L * p.index + k] *= value / before;
      break;
    }
    case OFFSET:
      m->sensor_offset[p.index] = value;
      break;
    case DAMPING:
    case FRICTIONLOSS:
    case STIFFNESS:
    case ARMATURE: {
      // The arrays of a model are its own; only its users see them as constant.
      double* array = (double*)joint_array(m, kind);
      for (int k = 0; k < dofs(m, p.index); ++k) array[m->joint_dof[p.index] + k] = value;
      break;
    }
    case KINDS:
      break;
  }
}
