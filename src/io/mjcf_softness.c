// SPDX-License-Identifier: Apache-2.0
// From solref and solimp to stiffness and damping (decision 175).
//
// A contact of MuJoCo at the depth x has the impedance d(x), the numbers K and B of solref, and the
// mobility A = A₁ + A₂ of its two bodies. At rest and in slow motion its normal force is
//
//     f = s (K d² x + B d ẋ) / ((1 - d) A),
//     K = 1 / (dmax τ ζ)²,  B = 2 / (dmax τ)     for solref = (τ, ζ), τ > 0; τ at least 2 steps,
//     K = -r₁ / dmax²,      B = -r₂ / dmax       for solref = (r₁, r₂), r₁ <= 0,
//     s = 1 for round cones and for contacts without friction,
//     s = (n - 1) i / (µ² (1 + µ²)) for pyramids, n = condim, i = impratio.
//
// A of a body is the mean of the diagonal of J M⁻¹ Jᵀ at its centre of mass in the pose of the
// file; 0 if it does not move. A is a sum, so the compliance (1 - d) A / (s K d²) is one, too: the
// materials of the two bodies act in series (world/softness.c), and each has its own part.
//
// d changes with the depth, a spring of a material does not. So d is evaluated at the depth at
// which the contact points of a geom that lies on a plane carry the weight of its whole tree: one
// point of a sphere or ellipsoid, two of a capsule, four of others.
//
// MuJoCo mixes the numbers of the two geoms. A geom of a moving body is mixed with the geoms of the
// world if those agree with each other; else it keeps its own numbers.
#include "io/mjcf_softness.h"

#include <heft/dynamics.h>
#include <math.h>
#include <string.h>

#include "io/bits.h"

// ---- the file

void soft_law_read(Mjcf* m, const Item* item, MjcfKey solref, SoftLaw* law) {
  for (int k = 0; k < 2; ++k) {
    const MjcfKey key = (MjcfKey)((int)solref + k);
    const XmlNode* where;
    const char* text = mj_text(m, item, key, &where);
    if (text && text[0] && k == 0) xml_numbers(m->load, where, "solref", text, 1, 2, law->ref);
    if (text && text[0] && k == 1) xml_numbers(m->load, where, "solimp", text, 1, 5, law->imp);
  }
}

int soft_law_material(Mjcf* m, const double friction[MATERIAL_NUMBERS], const SoftLaw* law) {
  SoftLaw* kept = LOAD_ADD(m->load, &m->load->soft_laws, SoftLaw);
  if (!kept) return 0;
  *kept = *law;
  kept->material = mj_material(m, friction, "#soft");
  if (LOAD_OK(m->load))  // others do not share it
    GROW_AT(m->materials, MaterialInfo, kept->material).law[MATERIAL_SOFT] = (double)NAN;
  return kept->material;
}

// ---- MuJoCo's rules

static double between(double low, double x, double high) { return fmin(fmax(x, low), high); }

SoftLaw soft_law_mix(const SoftLaw* a, const SoftLaw* b) {
  SoftLaw out = *a;
  if (a->priority != b->priority) {
    out = a->priority > b->priority ? *a : *b;
    out.material = a->material;
    return out;
  }
  const double tiny = 1e-15;
  const double share = a->mix >= tiny && b->mix >= tiny ? a->mix / (a->mix + b->mix)
                       : a->mix < tiny && b->mix < tiny ? 0.5
                                                        : (double)(a->mix >= tiny);
  for (int i = 0; i < 2; ++i)
    out.ref[i] = a->ref[0] > 0 && b->ref[0] > 0 ? share * a->ref[i] + (1 - share) * b->ref[i]
                                                : fmin(a->ref[i], b->ref[i]);
  for (int i = 0; i < 5; ++i) out.imp[i] = share * a->imp[i] + (1 - share) * b->imp[i];
  out.friction = fmax(a->friction, b->friction);
  out.condim = a->condim > b->condim ? a->condim : b->condim;
  return out;
}

static double power(double base, double exponent) {
  return exponent == 2 ? base * base : base > 0 ? heft_exp(exponent * heft_log(base)) : 0;
}

// d at the depth x.
static double impedance(const double imp[5], double x) {
  const double low = between(1e-4, imp[0], 0.9999), high = between(1e-4, imp[1], 0.9999);
  const double width = fmax(imp[2], 0), middle = between(1e-4, imp[3], 0.9999);
  const double p = fmax(imp[4], 1);
  if (low == high || width <= 1e-15) return 0.5 * (low + high);
  const double y = fmin(x / width, 1);
  double share = y;
  if (p > 1 && y <= middle) share = power(y / middle, p) * middle;
  if (p > 1 && y > middle) share = 1 - power((1 - y) / (1 - middle), p) * (1 - middle);
  return low + share * (high - low);
}

// Stiffness and damping at the depth x for the mobility 1.
static void spring_at(const SoftLaw* law, const SoftSettings* settings, double step, double x,
                      double out[2]) {
  const double d = impedance(law->imp, x), most = between(1e-4, law->imp[1], 0.9999);
  const int periods = law->ref[0] > 0;
  const double time = fmax(law->ref[0], 2 * step), ratio = fmax(law->ref[1], 1e-15);
  const double k = periods ? 1 / (most * time * ratio * most * time * ratio)
                           : -law->ref[0] / (most * most),
               b = periods ? 2 / (most * time) : -fmin(law->ref[1], 0) / most;
  const double mu = fmax(law->friction, 1e-5);
  const double pyramid = settings->elliptic || law->condim == 1
                             ? 1
                             : (law->condim - 1) * settings->impratio / (mu * mu * (1 + mu * mu));
  out[0] = pyramid * k * d * d / (1 - d);
  out[1] = pyramid * b * d / (1 - d);
}

// spring_at() at the depth at which `points` points carry a force. The force grows with the depth,
// so halving intervals finds it. A contact without a spring, or with one beyond what a model may
// have, is rigid: both numbers are 0.
static void spring_under(const SoftLaw* law, const SoftSettings* settings, double step,
                         double mobility, double force, double out[2]) {
  double low = 0, high = 1;
  for (int k = 0; k < 100; ++k) {
    const double x = 0.5 * (low + high);
    spring_at(law, settings, step, x, out);
    *(out[0] * x > mobility * force ? &high : &low) = x;
  }
  spring_at(law, settings, step, 0.5 * (low + high), out);
  out[0] /= mobility;
  out[1] /= mobility;
  const double stiffest = 1e15;  // of a model
  if (!(out[0] > 0 && out[0] <= stiffest && out[1] <= stiffest)) out[0] = out[1] = 0;
}

// ---- the model

typedef struct Bodies {
  const HeftModel* model;
  double* mobility;  ///< [1/kg]; of bodies that have shapes
  double* load;      ///< weight of the tree [N]
} Bodies;

static int points_of(const HeftModel* m, int shape) {
  const HeftShapeType type = m->shape_type[shape];
  if (type == HEFT_SHAPE_SPHERE || type == HEFT_SHAPE_ELLIPSOID) return 1;
  return type == HEFT_SHAPE_CAPSULE ? 2 : 4;
}

static double mobility_of(HeftDynamics* dynamics, const HeftModel* m, int body, double* scratch) {
  const double* com = m->body_com + 3L * body;
  const HeftVec3 at = heft_pose_apply(heft_dynamics_body_pose(dynamics, body), heft_vec3_from(com));
  const int n = m->nv;
  double *jacobian = scratch, *x = scratch + 6L * n, sum = 0;
  heft_dynamics_body_jacobian(dynamics, body, at, jacobian);
  for (int row = 3; row < 6; ++row) {
    memcpy(x, jacobian + (long)row * n, (size_t)n * sizeof *x);
    heft_dynamics_solve(dynamics, x);
    for (int i = 0; i < n; ++i) sum += x[i] * jacobian[(long)row * n + i];
  }
  return sum / 3;
}

// Operations for the mobility of a body: three solves with the factor of the mass matrix, which has
// a number for each dof and each dof between it and the root.
static double effort_of_solves(const HeftModel* m, double* scratch) {
  double *above = scratch, entries = 0;  // dofs between a body and the root
  above[0] = 0;
  for (int i = 1; i < m->nbody; ++i) {
    above[i] = above[m->body_parent[i]];
    for (int j = 0; j < m->body_joint_count[i]; ++j) {
      const HeftJointType type = m->joint_type[m->body_joint[i] + j];
      const int dofs = heft_joint_type_dof_count(type);
      above[i] += dofs;
      entries += dofs * above[i];
    }
  }
  return 20.0 * m->nv + 12 * entries;
}

static void measure(Load* load, HeftDynamics* dynamics, Bodies* b, double* scratch) {
  const HeftModel* m = b->model;
  const double* g = m->physics.gravity;
  const double gravity = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
  heft_dynamics_kinematics(dynamics, m->q_default);
  heft_dynamics_crba(dynamics);
  if (heft_dynamics_factor(dynamics, NULL) != HEFT_OK) {
    load_fail(load, HEFT_ERR_SINGULAR, (Place){0},
              "soft contacts: the mass matrix in the pose of the file is singular; give each joint "
              "a body with mass, or load without soft contacts");
    return;
  }
  for (int i = 1; i < m->nbody; ++i) {
    const int parent = m->body_parent[i];
    b->load[i] = parent > 0 ? parent : i;  // the root of its tree, for now
    if (parent > 0) b->load[i] = b->load[parent];
  }
  double *weight = scratch, effort = 0;
  memset(weight, 0, (size_t)m->nbody * sizeof *weight);
  for (int i = 1; i < m->nbody; ++i) weight[(int)b->load[i]] += gravity * m->body_mass[i];
  for (int i = 1; i < m->nbody; ++i) b->load[i] = weight[(int)b->load[i]];
  effort = effort_of_solves(m, scratch);
  for (int s = 0; s < m->nshape && LOAD_OK(load); ++s) {
    const int body = m->shape_body[s];
    if (body == 0 || b->mobility[body] >= 0) continue;
    if (load_work(load, (Place){0}, effort))
      b->mobility[body] = mobility_of(dynamics, m, body, scratch);
  }
}

// The law of the geoms of the world; NULL: they differ, or there are none.
static const SoftLaw* law_of_world(const Bodies* b, SoftLaw* const* law_of) {
  const HeftModel* m = b->model;
  const SoftLaw* found = NULL;
  for (int s = 0; s < m->nshape; ++s) {
    const SoftLaw* law = law_of[m->shape_material[s]];
    if (!law || b->mobility[m->shape_body[s]] > 0) continue;
    if (found && !(bits_same(found->ref, law->ref, 2) && bits_same(found->imp, law->imp, 5) &&
                   found->mix == law->mix && found->friction == law->friction &&
                   found->priority == law->priority && found->condim == law->condim))
      return NULL;
    found = law;
  }
  return found;
}

static void soften_shapes(const Load* load, HeftModel* m, const Bodies* b, SoftLaw* const* law_of) {
  const SoftLaw* world = law_of_world(b, law_of);
  for (int s = 0; s < m->nshape; ++s) {
    const int material = m->shape_material[s], body = m->shape_body[s];
    const SoftLaw* law = law_of[material];
    if (!law || law->is_pair || !(b->mobility[body] > 0)) continue;
    const SoftLaw mixed = world ? soft_law_mix(law, world) : *law;
    spring_under(&mixed, &load->soft_settings, m->physics.time_step, b->mobility[body],
                 b->load[body] / points_of(m, s), m->material_soft + 2L * material);
  }
}

static void soften_pairs(const Load* load, HeftModel* m, const Bodies* b, SoftLaw* const* law_of) {
  for (int p = 0; p < m->npair; ++p) {
    const int material = m->pair_material[p];
    const int *shape = m->pair_shape + 2L * p, one = m->shape_body[shape[0]],
              two = m->shape_body[shape[1]];
    const double mobility = b->mobility[one] + b->mobility[two];
    if (!law_of[material] || !(mobility > 0)) continue;
    const double weight = b->mobility[one] > 0 && b->mobility[two] > 0
                              ? fmin(b->load[one], b->load[two])
                              : b->load[b->mobility[one] > 0 ? one : two];
    const int a = points_of(m, shape[0]), c = points_of(m, shape[1]);
    spring_under(law_of[material], &load->soft_settings, m->physics.time_step, mobility,
                 weight / (a < c ? a : c), m->material_soft + 2L * material);
  }
}

void soft_laws_apply(Load* load, HeftModel* model) {
  const size_t bodies = (size_t)model->nbody, dofs = (size_t)model->nv;
  Bodies b = {.model = model,
              .mobility = load_take(load, bodies, sizeof(double)),
              .load = load_take(load, bodies, sizeof(double))};
  SoftLaw** law_of = load_take(load, (size_t)model->nmaterial, sizeof(SoftLaw*));
  double* scratch = load_take(load, 7 * dofs + bodies, sizeof(double));
  HeftDynamics* dynamics = NULL;
  if (!b.mobility || !b.load || !law_of || !scratch) return;
  for (int i = 1; i < model->nbody; ++i) b.mobility[i] = -1;
  for (int i = 0; i < load->soft_laws.count; ++i) {
    SoftLaw* law = &GROW_AT(load->soft_laws, SoftLaw, i);
    law_of[law->material] = law;
  }
  HeftError error = {0};
  const HeftStatus status = heft_dynamics_create(&dynamics, model, &load->allocator, &error);
  if (status != HEFT_OK) {
    load_fail(load, status, (Place){0}, "soft contacts: %s", error.message);
    return;
  }
  measure(load, dynamics, &b, scratch);
  heft_dynamics_destroy(dynamics);
  if (!LOAD_OK(load)) return;
  soften_shapes(load, model, &b, law_of);
  soften_pairs(load, model, &b, law_of);
}
