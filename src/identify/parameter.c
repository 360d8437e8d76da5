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
  RESTITUTION,
  SLIP_FRICTION,
  CONTACT_STIFFNESS,
  CONTACT_DAMPING,
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
                  {"offset", "", HEFT_NAMED_SENSOR, HEFT_STEP_PARAMETER_COUNT},
                  {"restitution", "", HEFT_NAMED_SHAPE, HEFT_STEP_PARAMETER_COUNT},
                  {"slipfriction", "s/m", HEFT_NAMED_SHAPE, HEFT_STEP_PARAMETER_COUNT},
                  {"contactstiffness", "N/m", HEFT_NAMED_SHAPE, HEFT_STEP_PARAMETER_COUNT},
                  {"contactdamping", "N s/m", HEFT_NAMED_SHAPE, HEFT_STEP_PARAMETER_COUNT}};

HeftStepParameterKind heft_parameter_step(HeftParameter p) {
  HEFT_REQUIRE(p.kind >= 0 && p.kind < KINDS, HEFT_STEP_PARAMETER_COUNT);
  return kinds[p.kind].step;
}

bool heft_parameter_has_derivative(HeftParameter p) {
  return p.kind == OFFSET || heft_parameter_step(p) != HEFT_STEP_PARAMETER_COUNT;
}

static const char all_kinds[] =
    "friction (of all shapes), friction:SHAPE, restitution, slipfriction, contactstiffness and "
    "contactdamping likewise, damping:JOINT, frictionloss:JOINT, stiffness:JOINT, armature:JOINT, "
    "gear:ACTUATOR, offset:SENSOR, offset:SENSOR.NUMBER";

const char* heft_parameter_unit(HeftParameter p) {
  HEFT_REQUIRE(p.kind >= 0 && p.kind < KINDS, "");
  return kinds[p.kind].unit;
}

bool heft_parameter_signed(HeftParameter p) { return p.kind == GEAR || p.kind == OFFSET; }

double heft_parameter_most(HeftParameter p) { return p.kind == RESTITUTION ? 1 : 1e30; }

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
  if (p.kind == CONTACT_STIFFNESS && !(heft_parameter_get(m, p) > 0))
    return heft_error_set(error, HEFT_ERR_VALUE,
                          "'%.80s': contact of the model is rigid; give it a guess (heft_soft)",
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
  if (text[length] == '\0' && kinds[out->kind].of == HEFT_NAMED_SHAPE)
    return check(m, *out, text, error);
  if (text[length] == '\0' || text[length + 1] == '\0')
    return heft_error_set(error, HEFT_ERR_NAME, "'%.60s' needs a name: expected one of %s", text,
                          all_kinds);
  const char* name = text + length + 1;
  const HeftStatus status =
      out->kind == OFFSET ? find_value(m, name, &out->index, error)
                          : heft_model_lookup(m, kinds[out->kind].of, name, &out->index, error);
  return status == HEFT_OK ? check(m, *out, text, error) : status;
}

// The number of a material.
static const double* material_number(const HeftModel* m, Kind kind, int k) {
  return kind == FRICTION            ? m->material_kinetic + k
         : kind == RESTITUTION       ? m->material_restitution + k
         : kind == SLIP_FRICTION     ? m->material_slip + 2L * k + 1
         : kind == CONTACT_STIFFNESS ? m->material_soft + 2L * k
                                     : m->material_soft + 2L * k + 1;
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
    case RESTITUTION:
    case SLIP_FRICTION:
    case CONTACT_STIFFNESS:
    case CONTACT_DAMPING:
      if (p.index >= 0) return *material_number(m, kind, m->shape_material[p.index]);
      for (int k = 0; k < m->nmaterial; ++k) most = fmax(most, *material_number(m, kind, k));
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

// The arrays of a model are its own; only its users see them as constant.
static void set_material(HeftModel* m, Kind kind, int k, double value) {
  const double before = m->material_kinetic[k];
  if (kind != FRICTION) {
    *(double*)material_number(m, kind, k) = value;
    return;
  }
  const double ratio = before > 0 ? m->material_friction[k] / before : 1;
  m->material_kinetic[k] = value;
  m->material_friction[k] = ratio * value;
}

void heft_parameter_set(HeftModel* m, HeftParameter p, double value) {
  HEFT_REQUIRE_VOID(m && p.kind >= 0 && p.kind < KINDS);
  const Kind kind = (Kind)p.kind;
  switch (kind) {
    case FRICTION:
    case RESTITUTION:
    case SLIP_FRICTION:
    case CONTACT_STIFFNESS:
    case CONTACT_DAMPING:
      for (int k = 0; k < m->nmaterial; ++k)
        if (p.index < 0 || k == m->shape_material[p.index]) set_material(m, kind, k, value);
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
      double* array = (double*)joint_array(m, kind);
      for (int k = 0; k < dofs(m, p.index); ++k) array[m->joint_dof[p.index] + k] = value;
      break;
    }
    case KINDS:
      break;
  }
}
