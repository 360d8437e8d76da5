// SPDX-License-Identifier: Apache-2.0
// Changes of a running world, as plain data: a window makes them, a recording holds them, and a
// replay repeats them. Numbers are relative to the model or absolute, never to the last change, so
// the same change twice has the same effect as once.
#include <heft/access.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"

static const char* const names[] = {
#define ROW(kind, text, object) text,
    HEFT_CHANGE_LIST(ROW)
#undef ROW
};

const char* heft_change_name(HeftChangeKind kind) {
  return (int)kind >= 0 && kind < HEFT_CHANGE_COUNT ? names[kind] : "unknown";
}

bool heft_change_is_object(HeftChangeKind kind) {
  return kind >= HEFT_CHANGE_BOX && kind <= HEFT_CHANGE_REMOVE;
}

// ---- parameters

// Number of objects that the index of a parameter counts.
static int count_for(const HeftModel* m, HeftChangeKind kind) {
  switch (kind) {
    case HEFT_CHANGE_FRICTION:
    case HEFT_CHANGE_RESTITUTION:
      return m->nmaterial;
    case HEFT_CHANGE_PAIR_FRICTION:
    case HEFT_CHANGE_PAIR_RESTITUTION:
      return m->npair;
    case HEFT_CHANGE_MASS:
      return m->nbody;
    case HEFT_CHANGE_GAIN:
      return m->nactuator;
    case HEFT_CHANGE_GRAVITY:
    case HEFT_CHANGE_BOX:
    case HEFT_CHANGE_BALL:
    case HEFT_CHANGE_FILE:
    case HEFT_CHANGE_REMOVE:
    case HEFT_CHANGE_COUNT:
      break;
  }
  return 1;
}

// Kinetic friction keeps its ratio to the static one.
static HeftMaterial changed_material(HeftMaterial x, const HeftChange* c, bool friction) {
  if (!friction) {
    x.restitution = c->value;
    return x;
  }
  x.kinetic = x.friction > 0 ? c->value * fmin(1, x.kinetic / x.friction) : c->value;
  x.friction = c->value;
  return x;
}

static HeftStatus change_gains(HeftWorld* w, const HeftChange* c, HeftError* error) {
  const HeftModel* m = heft_world_model(w);
  const long i = c->index;
  const double f = c->value;
  const HeftActuatorGains gains = {
      .gain = f * m->actuator_gain[i],
      .gain_rate = {f * m->actuator_gain_rate[2 * i], f * m->actuator_gain_rate[2 * i + 1]},
      .bias = {f * m->actuator_bias[3 * i], f * m->actuator_bias[3 * i + 1],
               f * m->actuator_bias[3 * i + 2]}};
  return heft_world_set_actuator_gains(w, c->index, &gains, error);
}

static HeftStatus change_gravity(HeftWorld* w, const HeftChange* c, HeftError* error) {
  const HeftVec3 g = heft_vec3_from(heft_world_model(w)->physics.gravity);
  return heft_world_set_gravity(w, heft_vec3_scale(c->value, g), error);
}

HeftStatus heft_world_apply_change(HeftWorld* w, const HeftChange* c, HeftError* error) {
  HEFT_REQUIRE(w && c, HEFT_ERR_ARGUMENT);
  const HeftModel* m = heft_world_model(w);
  const int first = c->kind == HEFT_CHANGE_MASS ? 1 : 0;
  if ((int)c->kind < 0 || c->kind >= HEFT_CHANGE_BOX)
    return heft_error_set(error, HEFT_ERR_VALUE, "a world has no change of the kind %d",
                          (int)c->kind);
  if (c->index < first || c->index >= count_for(m, c->kind) || !isfinite(c->value))
    return heft_error_set(
        error, HEFT_ERR_VALUE,
        "%s: index %d and value %g were found, expected %d to %d and a finite one",
        heft_change_name(c->kind), c->index, c->value, first, count_for(m, c->kind) - 1);
  HeftMaterial x;
  switch (c->kind) {
    case HEFT_CHANGE_FRICTION:
    case HEFT_CHANGE_RESTITUTION:
      x = changed_material(heft_world_material(w, c->index), c, c->kind == HEFT_CHANGE_FRICTION);
      return heft_world_set_material(w, c->index, &x, error);
    case HEFT_CHANGE_PAIR_FRICTION:
    case HEFT_CHANGE_PAIR_RESTITUTION:
      x = changed_material(heft_world_pair_material(w, c->index), c,
                           c->kind == HEFT_CHANGE_PAIR_FRICTION);
      return heft_world_set_pair_material(w, c->index, &x, error);
    case HEFT_CHANGE_MASS:
      return heft_world_set_mass_factors(w, c->index, c->value, c->value, error);
    case HEFT_CHANGE_GAIN:
      return change_gains(w, c, error);
    case HEFT_CHANGE_GRAVITY:
    case HEFT_CHANGE_BOX:
    case HEFT_CHANGE_BALL:
    case HEFT_CHANGE_FILE:
    case HEFT_CHANGE_REMOVE:
    case HEFT_CHANGE_COUNT:
      break;
  }
  return change_gravity(w, c, error);
}

// ---- objects

static const double density = 500;  // of wood [kg/m³]

static void add_solid(HeftBuilder* b, const HeftChange* c) {
  HeftBodyDef body = heft_body_def_default();
  HeftJointDef joint = heft_joint_def_default();
  HeftShapeDef shape = heft_shape_def_default();
  const bool ball = c->kind == HEFT_CHANGE_BALL;
  const double r = c->value, volume = ball ? 4.0 / 3 * HEFT_PI * r * r * r : 8 * r * r * r;
  const double inertia = density * volume * (ball ? 0.4 : 2.0 / 3) * r * r;
  static const double colors[2][4] = {{0.80, 0.55, 0.25, 1}, {0.25, 0.50, 0.80, 1}};
  body.name = c->name;
  body.pos = c->pos;
  body.mass = density * volume;
  body.inertia = (HeftSym3){inertia, inertia, inertia, 0, 0, 0};
  joint.body = shape.body = heft_builder_add_body(b, &body);
  joint.type = HEFT_JOINT_FREE;
  shape.type = ball ? HEFT_SHAPE_SPHERE : HEFT_SHAPE_BOX;
  shape.size[0] = shape.size[1] = shape.size[2] = r;
  memcpy(shape.color, colors[ball], sizeof shape.color);
  heft_builder_add_joint(b, &joint);
  heft_builder_add_shape(b, &shape);
}

static void add_part(HeftBuilder* b, const HeftChange* c, const HeftModel* part) {
  HeftPartDef def = heft_part_def_default();
  char prefix[sizeof c->name + 1];
  const size_t length = strlen(c->name);
  memcpy(prefix, c->name, length);
  prefix[length] = '/';
  prefix[length + 1] = '\0';
  def.prefix = prefix;
  def.pos = c->pos;
  def.world = def.keys = 0;
  heft_builder_add_model(b, part, &def);
}

static HeftStatus check_object(const HeftModel* m, const HeftChange* c, const HeftModel* part,
                               HeftError* error) {
  if (!heft_change_is_object(c->kind))
    return heft_error_set(error, HEFT_ERR_VALUE, "%s is no object", heft_change_name(c->kind));
  if (!memchr(c->name, '\0', sizeof c->name))
    return heft_error_set(error, HEFT_ERR_VALUE, "the name of an object is too long");
  if (c->kind == HEFT_CHANGE_REMOVE && (c->index <= 0 || c->index >= m->nbody))
    return heft_error_set(error, HEFT_ERR_VALUE, "there is no body %d to be removed", c->index);
  if (c->kind == HEFT_CHANGE_FILE && (!part || part->nbody < 2))
    return heft_error_set(error, HEFT_ERR_VALUE, "the file has no bodies that can be added");
  if ((c->kind == HEFT_CHANGE_BOX || c->kind == HEFT_CHANGE_BALL) &&
      !(c->value > 0 && isfinite(c->value)))
    return heft_error_set(error, HEFT_ERR_VALUE, "the size of an object is %g m", c->value);
  return HEFT_OK;
}

HeftStatus heft_model_apply_change(HeftModel** out, const HeftModel* m, const HeftChange* c,
                                   const HeftModel* part, HeftError* error) {
  HEFT_REQUIRE(out, HEFT_ERR_ARGUMENT);
  *out = NULL;
  HEFT_REQUIRE(m && c, HEFT_ERR_ARGUMENT);
  HeftStatus status = check_object(m, c, part, error);
  if (status != HEFT_OK) return status;
  const HeftAllocator* a = &m->allocator;
  bool* without = a->allocate(a->user, (size_t)m->nbody * sizeof(bool), 64);
  HeftBuilder* b = NULL;
  if (!without) return heft_error_set(error, HEFT_ERR_MEMORY, "no memory to change a model");
  memset(without, 0, (size_t)m->nbody * sizeof(bool));
  without[c->kind == HEFT_CHANGE_REMOVE ? c->index : 0] = c->kind == HEFT_CHANGE_REMOVE;
  HeftPartDef def = heft_part_def_default();
  def.without = without;
  status = heft_builder_from_model(&b, m, &def, a, error);
  if (status == HEFT_OK) {
    if (c->kind == HEFT_CHANGE_FILE) {
      add_part(b, c, part);
    } else if (c->kind != HEFT_CHANGE_REMOVE) {
      add_solid(b, c);
    }
    status = heft_builder_finish(b, out, error);
    heft_builder_destroy(b);
  }
  a->release(a->user, without, (size_t)m->nbody * sizeof(bool));
  return status;
}
