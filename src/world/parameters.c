// SPDX-License-Identifier: Apache-2.0
// Parameters of one world: gravity, materials, masses and actuator gains that differ from the
// model.
//
// A model is const and shared by many worlds. A world therefore reads its model through a view: a
// shallow copy of HeftModel whose arrays belong to the shared model. The first change of a group of
// parameters allocates arrays of the world's own, copies the model's numbers into them and points
// the view there. Dynamics, collision and actuation hold a pointer to the view and see the change
// in the next step. Two rooms keep numbers that are derived from the model: the collider keeps the
// material and the pose of each shape in its link, and the tree keeps the links' masses, centres of
// mass and principal axes. The tree is computed again here, the rest by refresh.c.
//
// A contact pair or a shape of the model names a material, which others may share. Behind the
// model's materials, each pair and each shape has an entry of its own; the first change of a pair's
// or a shape's material points it there.
#include "world/parameters.h"
#include "base/assert.h"

#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "model/tree.h"

enum { MATERIAL_WIDTH = 16, MASS_WIDTH = 9, GAIN_WIDTH = 6 };

static size_t material_count(const HeftModel* m) {
  return MATERIAL_WIDTH * ((size_t)m->nmaterial + (size_t)m->npair + (size_t)m->nshape);
}
static size_t mass_count(const HeftModel* m) { return MASS_WIDTH * (size_t)m->nbody; }
static size_t gain_count(const HeftModel* m) { return GAIN_WIDTH * (size_t)m->nactuator; }

void heft_parameters_begin(Parameters* p, const HeftModel* model) {
  *p = (Parameters){.view = *model, .source = model};
}

static void release(const HeftAllocator* a, void* memory, size_t size) {
  if (memory) a->release(a->user, memory, size);
}

void heft_parameters_end(Parameters* p, const HeftAllocator* a) {
  const HeftModel* m = p->source;
  if (!m) return;
  release(a, p->materials, material_count(m) * sizeof(double));
  release(a, p->pair_material, (size_t)m->npair * sizeof(int));
  release(a, p->shape_material, (size_t)m->nshape * sizeof(int));
  release(a, p->masses, mass_count(m) * sizeof(double));
  release(a, p->gains, gain_count(m) * sizeof(double));
  if (p->tree) heft_tree_destroy(p->tree, a);
}

static void* take(const HeftAllocator* a, size_t size, size_t alignment, HeftError* error) {
  void* memory = a->allocate(a->user, size, alignment);
  if (!memory)
    heft_error_set(error, HEFT_ERR_MEMORY, "no memory for %zu bytes of parameters", size);
  return memory;
}

// ---- materials

// Seven arrays, one behind the other, each with room for the materials of the model, of its pairs
// and of its shapes.
static void point_to_materials(Parameters* p, double* at) {
  const int n = p->source->nmaterial + p->source->npair + p->source->nshape;
  HeftModel* view = &p->view;
  view->material_friction = at;
  view->material_kinetic = at + n;
  view->material_torsion = at + 2L * n;
  view->material_rolling = at + 3L * n;
  view->material_restitution = at + 4L * n;
  view->material_layer = at + 5L * n;
  view->material_slip = at + 8L * n;
  view->material_soft = at + 10L * n;
  view->material_area = at + 12L * n;
}

HeftMaterial heft_material_read(const HeftModel* m, int i) {
  return (HeftMaterial){.friction = m->material_friction[i],
                        .kinetic = m->material_kinetic[i],
                        .torsion = m->material_torsion[i],
                        .rolling = m->material_rolling[i],
                        .restitution = m->material_restitution[i]};
}

static void write_material(HeftModel* m, int i, const HeftMaterial* material) {
  m->material_friction[i] = material->friction;
  m->material_kinetic[i] = material->kinetic;
  m->material_torsion[i] = material->torsion;
  m->material_rolling[i] = material->rolling;
  m->material_restitution[i] = material->restitution;
}

static void copy_material(const HeftModel* from, int at, HeftModel* to, int place) {
  const HeftMaterial material = heft_material_read(from, at);
  write_material(to, place, &material);
  memcpy(to->material_layer + 3L * place, from->material_layer + 3L * at, 3 * sizeof(double));
  memcpy(to->material_slip + 2L * place, from->material_slip + 2L * at, 2 * sizeof(double));
  memcpy(to->material_soft + 2L * place, from->material_soft + 2L * at, 2 * sizeof(double));
  memcpy(to->material_area + 4L * place, from->material_area + 4L * at, 4 * sizeof(double));
}

static HeftStatus own_materials(Parameters* p, const HeftAllocator* a, HeftError* error) {
  const HeftModel* m = p->source;
  if (p->materials) return HEFT_OK;
  double* memory = take(a, material_count(m) * sizeof(double), _Alignof(double), error);
  if (!memory) return HEFT_ERR_MEMORY;
  p->materials = memory;
  point_to_materials(p, memory);
  for (int i = 0; i < m->nmaterial; ++i) copy_material(m, i, &p->view, i);
  for (int i = 0; i < m->npair; ++i)
    copy_material(m, m->pair_material[i], &p->view, m->nmaterial + i);
  for (int i = 0; i < m->nshape; ++i)
    copy_material(m, m->shape_material[i], &p->view, m->nmaterial + m->npair + i);
  return HEFT_OK;
}

// The materials of pairs or shapes as an array of the world's own; *own is NULL before.
static HeftStatus own_indices(Parameters* p, const HeftAllocator* a, const int* from, int count,
                              int** own, HeftError* error) {
  const HeftStatus status = own_materials(p, a, error);
  if (status != HEFT_OK || *own) return status;
  int* memory = take(a, (size_t)count * sizeof(int), _Alignof(int), error);
  if (!memory) return HEFT_ERR_MEMORY;
  memcpy(memory, from, (size_t)count * sizeof(int));
  *own = memory;
  return HEFT_OK;
}

static HeftStatus own_pairs(Parameters* p, const HeftAllocator* a, HeftError* error) {
  const HeftModel* m = p->source;
  const HeftStatus status = own_indices(p, a, m->pair_material, m->npair, &p->pair_material, error);
  if (status == HEFT_OK) p->view.pair_material = p->pair_material;
  return status;
}

static HeftStatus own_shapes(Parameters* p, const HeftAllocator* a, HeftError* error) {
  const HeftModel* m = p->source;
  const HeftStatus status =
      own_indices(p, a, m->shape_material, m->nshape, &p->shape_material, error);
  if (status == HEFT_OK) p->view.shape_material = p->shape_material;
  return status;
}

HeftStatus heft_parameters_set_material(Parameters* p, const HeftAllocator* a, int material,
                                        const HeftMaterial* value, HeftError* error) {
  const HeftStatus status = own_materials(p, a, error);
  if (status == HEFT_OK) write_material(&p->view, material, value);
  return status;
}

HeftStatus heft_parameters_set_pair(Parameters* p, const HeftAllocator* a, int pair,
                                    const HeftMaterial* value, HeftError* error) {
  const HeftStatus status = own_pairs(p, a, error);
  if (status != HEFT_OK) return status;
  p->pair_material[pair] = p->source->nmaterial + pair;
  HEFT_ASSERT(p->pair_material[pair] < p->source->nmaterial + p->source->npair);
  write_material(&p->view, p->pair_material[pair], value);
  return HEFT_OK;
}

HeftStatus heft_parameters_set_shape(Parameters* p, const HeftAllocator* a, int shape,
                                     const HeftMaterial* value, HeftError* error) {
  const HeftStatus status = own_shapes(p, a, error);
  if (status != HEFT_OK) return status;
  p->shape_material[shape] = p->source->nmaterial + p->source->npair + shape;
  write_material(&p->view, p->shape_material[shape], value);
  return HEFT_OK;
}

// ---- masses

// Masses, inertias, and the two factors that made them.
static HeftStatus own_masses(Parameters* p, const HeftAllocator* a, HeftError* error) {
  const HeftModel* m = p->source;
  if (p->masses) return HEFT_OK;
  double* memory = take(a, mass_count(m) * sizeof(double), _Alignof(double), error);
  if (!memory) return HEFT_ERR_MEMORY;
  p->masses = memory;
  p->view.body_mass = memory;
  p->view.body_inertia = memory + m->nbody;
  memcpy(memory, m->body_mass, (size_t)m->nbody * sizeof(double));
  memcpy(memory + m->nbody, m->body_inertia, 6 * (size_t)m->nbody * sizeof(double));
  for (int i = 0; i < 2 * m->nbody; ++i) memory[7L * m->nbody + i] = 1;
  return HEFT_OK;
}

static double* mass_factors(const Parameters* p, int body) {
  return p->masses + 7L * p->source->nbody + 2L * body;
}

static void scale_body(Parameters* p, int body, double mass, double inertia) {
  const HeftModel* m = p->source;
  HEFT_ASSERT(body >= 0 && body < m->nbody && !(mass < 0) && !(inertia < 0));
  mass_factors(p, body)[0] = mass;
  mass_factors(p, body)[1] = inertia;
  p->view.body_mass[body] = mass * m->body_mass[body];
  for (int i = 0; i < 6; ++i)
    p->view.body_inertia[6L * body + i] = inertia * m->body_inertia[6L * body + i];
}

// The tree of the view's masses replaces the present one.
static HeftStatus rebuild_tree(Parameters* p, const HeftAllocator* a, HeftError* error) {
  HeftTree* tree = NULL;
  const HeftStatus status =
      heft_tree_create(&tree, &p->view, heft_model_limits_default(), a, error);
  if (status != HEFT_OK) return status;
  if (p->tree) heft_tree_destroy(p->tree, a);
  p->tree = p->view.tree = tree;
  return HEFT_OK;
}

HeftStatus heft_parameters_set_masses(Parameters* p, const HeftAllocator* a, int body, double mass,
                                      double inertia, HeftError* error) {
  HeftStatus status = own_masses(p, a, error);
  if (status != HEFT_OK) return status;
  const double before[2] = {mass_factors(p, body)[0], mass_factors(p, body)[1]};
  scale_body(p, body, mass, inertia);
  status = rebuild_tree(p, a, error);
  if (status != HEFT_OK) scale_body(p, body, before[0], before[1]);
  return status;
}

// ---- gains

static HeftStatus own_gains(Parameters* p, const HeftAllocator* a, HeftError* error) {
  const HeftModel* m = p->source;
  const size_t n = (size_t)m->nactuator;
  if (p->gains) return HEFT_OK;
  double* memory = take(a, gain_count(m) * sizeof(double), _Alignof(double), error);
  if (!memory) return HEFT_ERR_MEMORY;
  p->gains = memory;
  memcpy(memory, m->actuator_gain, n * sizeof(double));
  memcpy(memory + n, m->actuator_gain_rate, 2 * n * sizeof(double));
  memcpy(memory + 3 * n, m->actuator_bias, 3 * n * sizeof(double));
  p->view.actuator_gain = memory;
  p->view.actuator_gain_rate = memory + n;
  p->view.actuator_bias = memory + 3 * n;
  return HEFT_OK;
}

HeftStatus heft_parameters_set_gains(Parameters* p, const HeftAllocator* a, int actuator,
                                     const HeftActuatorGains* gains, HeftError* error) {
  const HeftStatus status = own_gains(p, a, error);
  if (status != HEFT_OK) return status;
  p->view.actuator_gain[actuator] = gains->gain;
  memcpy(p->view.actuator_gain_rate + 2L * actuator, gains->gain_rate, sizeof gains->gain_rate);
  memcpy(p->view.actuator_bias + 3L * actuator, gains->bias, sizeof gains->bias);
  return HEFT_OK;
}

// ---- all of them

HeftStatus heft_parameters_copy(Parameters* to, const Parameters* from, const HeftAllocator* a,
                                HeftError* error) {
  const HeftModel* m = from->source;
  HeftStatus status = HEFT_OK;
  if (from->materials) status = own_materials(to, a, error);
  if (status == HEFT_OK && from->pair_material) status = own_pairs(to, a, error);
  if (status == HEFT_OK && from->shape_material) status = own_shapes(to, a, error);
  if (status == HEFT_OK && from->masses) status = own_masses(to, a, error);
  if (status == HEFT_OK && from->gains) status = own_gains(to, a, error);
  if (status != HEFT_OK) return status;
  memcpy(to->view.physics.gravity, from->view.physics.gravity, sizeof from->view.physics.gravity);
  to->gravity_set = from->gravity_set;
  if (from->materials) memcpy(to->materials, from->materials, material_count(m) * sizeof(double));
  if (from->pair_material)
    memcpy(to->pair_material, from->pair_material, (size_t)m->npair * sizeof(int));
  if (from->shape_material)
    memcpy(to->shape_material, from->shape_material, (size_t)m->nshape * sizeof(int));
  if (from->gains) memcpy(to->gains, from->gains, gain_count(m) * sizeof(double));
  if (!from->masses) return HEFT_OK;
  memcpy(to->masses, from->masses, mass_count(m) * sizeof(double));
  return rebuild_tree(to, a, error);
}

static HeftStatus carry_materials(Parameters* to, const Parameters* from, const ModelMatch* match,
                                  const HeftAllocator* a, HeftError* error) {
  HeftStatus status = HEFT_OK;
  const HeftModel* m = from->source;
  for (int i = 0; i < m->nmaterial && from->materials && status == HEFT_OK; ++i) {
    const HeftMaterial value = heft_material_read(&from->view, i);
    if (match->material[i] >= 0)
      status = heft_parameters_set_material(to, a, match->material[i], &value, error);
  }
  for (int i = 0; i < m->npair && from->pair_material && status == HEFT_OK; ++i) {
    if (match->pair[i] < 0 || from->pair_material[i] < m->nmaterial) continue;
    const HeftMaterial value = heft_material_read(&from->view, from->pair_material[i]);
    status = heft_parameters_set_pair(to, a, match->pair[i], &value, error);
  }
  for (int i = 0; i < m->nshape && from->shape_material && status == HEFT_OK; ++i) {
    if (match->shape[i] < 0 || from->shape_material[i] < m->nmaterial) continue;
    const HeftMaterial value = heft_material_read(&from->view, from->shape_material[i]);
    status = heft_parameters_set_shape(to, a, match->shape[i], &value, error);
  }
  return status;
}

static HeftStatus carry_masses(Parameters* to, const Parameters* from, const ModelMatch* match,
                               const HeftAllocator* a, HeftError* error) {
  if (!from->masses) return HEFT_OK;
  const HeftStatus status = own_masses(to, a, error);
  if (status != HEFT_OK) return status;
  for (int i = 1; i < from->source->nbody; ++i) {
    const double* factor = mass_factors(from, i);
    if (match->body[i] >= 0) scale_body(to, match->body[i], factor[0], factor[1]);
  }
  return rebuild_tree(to, a, error);
}

static HeftStatus carry_gains(Parameters* to, const Parameters* from, const ModelMatch* match,
                              const HeftAllocator* a, HeftError* error) {
  if (!from->gains) return HEFT_OK;
  const HeftStatus status = own_gains(to, a, error);
  if (status != HEFT_OK) return status;
  const int n = from->source->nactuator;
  heft_match_copy(match->actuator, n, from->view.actuator_gain, to->view.actuator_gain, 1);
  heft_match_copy(match->actuator, n, from->view.actuator_gain_rate, to->view.actuator_gain_rate,
                  2);
  heft_match_copy(match->actuator, n, from->view.actuator_bias, to->view.actuator_bias, 3);
  return HEFT_OK;
}

HeftStatus heft_parameters_carry(Parameters* to, const Parameters* from, const ModelMatch* match,
                                 const HeftAllocator* a, HeftError* error) {
  if (from->gravity_set)
    memcpy(to->view.physics.gravity, from->view.physics.gravity, sizeof from->view.physics.gravity);
  to->gravity_set |= from->gravity_set;
  HeftStatus status = carry_materials(to, from, match, a, error);
  if (status == HEFT_OK) status = carry_masses(to, from, match, a, error);
  return status == HEFT_OK ? carry_gains(to, from, match, a, error) : status;
}

uint64_t heft_parameters_hash(const Parameters* p, uint64_t seed) {
  const HeftModel* m = p->source;
  uint64_t hash = seed;
  if (p->gravity_set) hash = hash_array(p->view.physics.gravity, 3, sizeof(double), hash);
  if (p->materials) hash = hash_array(p->materials, material_count(m), sizeof(double), hash);
  if (p->pair_material) hash = hash_array(p->pair_material, (size_t)m->npair, sizeof(int), hash);
  if (p->shape_material) hash = hash_array(p->shape_material, (size_t)m->nshape, sizeof(int), hash);
  if (p->masses) hash = hash_array(p->masses, mass_count(m), sizeof(double), hash);
  if (p->gains) hash = hash_array(p->gains, gain_count(m), sizeof(double), hash);
  return hash;
}
