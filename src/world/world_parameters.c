// SPDX-License-Identifier: Apache-2.0
// Parameters of a world as its user sees them: checks, then a change of the view (parameters.c).
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "world/world_internal.h"

static bool gains_finite(const HeftActuatorGains* g) {
  return isfinite(g->gain) && isfinite(g->gain_rate[0]) && isfinite(g->gain_rate[1]) &&
         isfinite(g->bias[0]) && isfinite(g->bias[1]) && isfinite(g->bias[2]);
}

static HeftStatus check_material(const HeftMaterial* x, HeftError* error) {
  const double numbers[] = {x->friction, x->kinetic, x->torsion, x->rolling};
  for (int i = 0; i < 4; ++i) {
    if (!(numbers[i] >= 0 && isfinite(numbers[i])))
      return heft_error_set(error, HEFT_ERR_VALUE,
                            "a friction coefficient is %g, expected a finite number >= 0",
                            numbers[i]);
  }
  if (x->kinetic > x->friction)
    return heft_error_set(error, HEFT_ERR_VALUE,
                          "kinetic friction is %g, expected at most the static friction %g",
                          x->kinetic, x->friction);
  if (!(x->restitution >= 0 && x->restitution <= 1))
    return heft_error_set(error, HEFT_ERR_VALUE, "restitution is %g, expected 0 to 1",
                          x->restitution);
  return HEFT_OK;
}

static bool is_finite(HeftVec3 x) { return isfinite(x.x) && isfinite(x.y) && isfinite(x.z); }

HeftStatus heft_world_set_gravity(HeftWorld* w, HeftVec3 gravity, HeftError* error) {
  HEFT_REQUIRE(w, HEFT_ERR_ARGUMENT);
  if (!is_finite(gravity))
    return heft_error_set(error, HEFT_ERR_VALUE, "gravity (%g, %g, %g) m/s² is not finite",
                          gravity.x, gravity.y, gravity.z);
  double* g = w->parameters.view.physics.gravity;
  g[0] = gravity.x;
  g[1] = gravity.y;
  g[2] = gravity.z;
  w->parameters.gravity_set = true;
  heft_world_parameters_changed(w);
  return HEFT_OK;
}

HeftVec3 heft_world_gravity(const HeftWorld* w) {
  HEFT_REQUIRE(w, heft_vec3(0, 0, 0));
  return heft_vec3_from(w->model->physics.gravity);
}

HeftStatus heft_world_set_material(HeftWorld* w, int material, const HeftMaterial* value,
                                   HeftError* error) {
  HEFT_REQUIRE(w && value && material >= 0 && material < w->model->nmaterial, HEFT_ERR_ARGUMENT);
  HeftStatus status = check_material(value, error);
  if (status == HEFT_OK)
    status =
        heft_parameters_set_material(&w->parameters, &w->def.allocator, material, value, error);
  if (status == HEFT_OK) heft_world_parameters_changed(w);
  return status;
}

HeftMaterial heft_world_material(const HeftWorld* w, int material) {
  HEFT_REQUIRE(w && material >= 0 && material < w->model->nmaterial, (HeftMaterial){0});
  return heft_material_read(w->model, material);
}

HeftStatus heft_world_set_pair_material(HeftWorld* w, int pair, const HeftMaterial* value,
                                        HeftError* error) {
  HEFT_REQUIRE(w && value && pair >= 0 && pair < w->model->npair, HEFT_ERR_ARGUMENT);
  HeftStatus status = check_material(value, error);
  if (status == HEFT_OK)
    status = heft_parameters_set_pair(&w->parameters, &w->def.allocator, pair, value, error);
  if (status == HEFT_OK) heft_world_parameters_changed(w);
  return status;
}

HeftMaterial heft_world_pair_material(const HeftWorld* w, int pair) {
  HEFT_REQUIRE(w && pair >= 0 && pair < w->model->npair, (HeftMaterial){0});
  return heft_material_read(w->model, w->model->pair_material[pair]);
}

HeftStatus heft_world_set_shape_material(HeftWorld* w, int shape, const HeftMaterial* value,
                                         HeftError* error) {
  HEFT_REQUIRE(w && value && shape >= 0 && shape < w->model->nshape, HEFT_ERR_ARGUMENT);
  HeftStatus status = check_material(value, error);
  if (status == HEFT_OK)
    status = heft_parameters_set_shape(&w->parameters, &w->def.allocator, shape, value, error);
  if (status == HEFT_OK) heft_world_parameters_changed(w);
  return status;
}

HeftMaterial heft_world_shape_material(const HeftWorld* w, int shape) {
  HEFT_REQUIRE(w && shape >= 0 && shape < w->model->nshape, (HeftMaterial){0});
  return heft_material_read(w->model, w->model->shape_material[shape]);
}

HeftStatus heft_world_set_mass_factors(HeftWorld* w, int body, double mass, double inertia,
                                       HeftError* error) {
  HEFT_REQUIRE(w && body > 0 && body < w->model->nbody, HEFT_ERR_ARGUMENT);
  if (!(mass > 0 && isfinite(mass) && inertia > 0 && isfinite(inertia)))
    return heft_error_set(error, HEFT_ERR_VALUE,
                          "the factors of mass and inertia are %g and %g, expected finite numbers "
                          "above 0",
                          mass, inertia);
  const HeftStatus status =
      heft_parameters_set_masses(&w->parameters, &w->def.allocator, body, mass, inertia, error);
  if (status == HEFT_OK) heft_world_parameters_changed(w);
  return status;
}

double heft_world_body_mass(const HeftWorld* w, int body) {
  HEFT_REQUIRE(w && body >= 0 && body < w->model->nbody, 0);
  return w->model->body_mass[body];
}

HeftStatus heft_world_set_actuator_gains(HeftWorld* w, int actuator, const HeftActuatorGains* gains,
                                         HeftError* error) {
  HEFT_REQUIRE(w && gains && actuator >= 0 && actuator < w->model->nactuator, HEFT_ERR_ARGUMENT);
  if (!gains_finite(gains))
    return heft_error_set(error, HEFT_ERR_VALUE, "a gain of actuator %d is not finite", actuator);
  const HeftStatus status =
      heft_parameters_set_gains(&w->parameters, &w->def.allocator, actuator, gains, error);
  if (status == HEFT_OK) heft_world_parameters_changed(w);
  return status;
}

HeftActuatorGains heft_world_actuator_gains(const HeftWorld* w, int actuator) {
  HeftActuatorGains out = {0};
  HEFT_REQUIRE(w && actuator >= 0 && actuator < w->model->nactuator, out);
  out.gain = w->model->actuator_gain[actuator];
  memcpy(out.gain_rate, w->model->actuator_gain_rate + 2L * actuator, sizeof out.gain_rate);
  memcpy(out.bias, w->model->actuator_bias + 3L * actuator, sizeof out.bias);
  return out;
}

void heft_world_set_seed(HeftWorld* w, uint64_t seed) {
  HEFT_REQUIRE_VOID(w);
  w->def.seed = seed;
}
