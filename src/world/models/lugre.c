// SPDX-License-Identifier: Apache-2.0
// Papers: R22.
// The model `lugre`: friction by bristles that bend ([Canudas 1995]).
//
// Two surfaces touch by bristles of mean deflection z along the surface. With the slip velocity v
// and the normal force n,
//     ż = v - σ0 |v| / g(v) z,    f_t = -(σ0 z + σ1 ż + σ2 v),
//     g(v) = n (µ_k + (µ_s - µ_k) exp(-(v / v_s)²)),    σ2 = n c,
// with the Stribeck curve and the viscous term c of the materials (slip_law.c). At constant speed
// the friction is g + σ2 v. Below it the point is a spring σ0 with a damper σ1: it gives before it
// slips, and returns if the force goes.
//
// In a step |v| and g(v) are taken at its start, all else at its end:
//     z⁺ = κ (z + h v⁺),  κ = 1 / (1 + h σ0 |v| / g),
//     f_t = -(A z + B v⁺),  A = σ0 κ - σ1 (1 - κ) / h,  B = (σ0 h + σ1) κ + σ2.
// The damper fades where it would exceed the friction of slip, σ1 / (1 + σ1 |v| / g): with a
// constant σ1 the law is not passive ([Olsson 1998]), and f_t would depend on n by up to σ1 / (h
// σ0) times µ, however small h is; so it is by at most µ. At constant speed ż = 0, and the damper
// does not matter.
//
// This is linear in v⁺, stable for any σ0 and σ1, and the constant speed of the law is a fixed
// point: z = g / σ0. Along the normal nothing is elastic: Signorini's law holds as in the exact
// model. Both are solved by Gauss-Seidel over the points; the friction of a point is bounded by the
// cone of µ_s + c |v|, and z by the deflection that this friction has, so that a bristle that is
// torn along in a single step does not store more than it can hold.
//
// σ0 and σ1 are the layer of the materials, or the options tangent_stiffness and tangent_damping.
// If neither is given, σ0 = 1 / (h² w) and σ1 has a damping ratio of 0.7. The deflection is stored
// with the contact point, and leaves with it. Torsion and rolling of a point have no bristles.
#include <math.h>
#include <string.h>

#include "world/models/contact_model.h"
#include "world/slip_law.h"

enum { SWEEPS = 2000, EAGER = 1000 };   // after the first ones, smaller steps end cycles
static const double tolerance = 1e-10;  // of the velocity that gravity adds in a step
static const double ratio = 0.7;        // of damping

typedef struct Bristle {
  double sigma0, sigma1, viscous;  // c [s/m]
  double stribeck, limit;          // g / n, µ_s + c |v|
  double speed;                    // at the start
  double z[2];                     // along the tangents, at the start
  double w[6];                     // diagonal of W
} Bristle;

static size_t bristle_doubles(void) {
  return (sizeof(Bristle) + sizeof(double) - 1) / sizeof(double);
}

static size_t count_scratch(int constraint_capacity, const HeftContactOptions* o) {
  (void)o;
  return (size_t)constraint_capacity * bristle_doubles();
}

static int has_friction(const ModelTask* t, int contact) {
  return heft_constraint_type_row_count(t->problem->constraints[contact].type) >= 3;
}

static void begin_point(const ModelTask* t, int contact, Bristle* b) {
  const HeftContactPoint* point = heft_model_contact_point(t, contact);
  const double* u = heft_model_start(t, contact);
  const HeftVec3 z = heft_vec3_from(heft_model_memory(t, contact));
  double law[2], layer[3];
  memset(b, 0, sizeof *b);
  heft_operator_diagonal(t->problem, &t->problem->constraints[contact], b->w);
  if (!has_friction(t, contact)) return;
  heft_slip_law_read(t->model, point, law);
  b->speed = sqrt(u[1] * u[1] + u[2] * u[2]);
  b->stribeck = heft_slip_law_curve(point, law, b->speed);
  b->viscous = law[1];
  b->limit = fmax(point->friction, point->kinetic) + b->viscous * b->speed;
  b->z[0] = heft_vec3_dot(z, point->tangent1);
  b->z[1] = heft_vec3_dot(z, point->tangent2);
  const double w = 0.5 * (b->w[1] + b->w[2]);
  const HeftContactOptions* o = t->options;
  if (heft_model_layer(t, contact, layer)) {
    b->sigma0 = layer[0];
    b->sigma1 = layer[1];
  } else {
    b->sigma0 = o->tangent_stiffness > 0 ? o->tangent_stiffness : 1 / (t->h * t->h * w);
    b->sigma1 = o->tangent_damping >= 0 ? o->tangent_damping : 2 * ratio * sqrt(b->sigma0 / w);
  }
}

// κ for the normal force n.
static double relaxation(const Bristle* b, double n, double h) {
  const double g = b->stribeck * n;
  return g > 0 ? 1 / (1 + h * b->sigma0 * b->speed / g) : 0;
}

// The tangential impulses that the law wants for the velocities u, which contain the impulses r.
static void bend(const Bristle* b, double h, const double* u, const double* r, double out[2]) {
  const double n = r[0] / h, kappa = relaxation(b, n, h);
  const double g = b->stribeck * n, damper = g > 0 ? b->sigma1 / (1 + b->sigma1 * b->speed / g) : 0;
  const double a = b->sigma0 * kappa - damper * (1 - kappa) / h;
  const double resist = (b->sigma0 * h + damper) * kappa + b->viscous * n;
  double square = 0;
  for (int i = 0; i < 2; ++i) {
    const double w = b->w[1 + i], free = u[1 + i] - w * r[1 + i];
    out[i] = -h * (a * b->z[i] + resist * free) / (1 + h * resist * w);
    square += out[i] * out[i];
  }
  const double most = b->limit * r[0], size = sqrt(square);
  for (int i = 0; i < 2 && size > most; ++i) out[i] *= most / size;
}

// Sets a row of a contact point to an impulse. Returns the change of its velocity.
static double set_row(ModelTask* t, int contact, int i, double value, double w) {
  const HeftConstraintBlock* c = &t->problem->constraints[contact];
  double* r = &t->impulse[c->row + i];
  const double change = value - *r;
  if (change == 0) return 0;
  heft_operator_apply_row(t->problem, c->effector, t->problem->jacobian + 12L * (c->row + i),
                          change, t->scratch->twist);
  *r = value;
  return fabs(change) * w;
}

static void velocities(const ModelTask* t, int contact, const double* free, int rows, double* u) {
  const HeftConstraintBlock* c = &t->problem->constraints[contact];
  for (int i = 0; i < rows; ++i)
    u[i] = free[c->row + i] + heft_operator_speed(c->effector,
                                                  t->problem->jacobian + 12L * (c->row + i),
                                                  t->scratch->twist);
}

// share: of the change of friction that is taken.
static double sweep(ModelTask* t, const double* free, const Bristle* bristle, double share) {
  double most = 0;
  for (int k = 0; k < t->contact_points; ++k) {
    const Bristle* b = &bristle[k];
    const double* r = t->impulse + t->problem->constraints[k].row;
    double u[3], f[2];
    velocities(t, k, free, 1, u);
    most = fmax(most, set_row(t, k, 0, fmax(0, r[0] - u[0] / b->w[0]), b->w[0]));
    if (!has_friction(t, k)) continue;
    velocities(t, k, free, 3, u);
    bend(b, t->h, u, r, f);
    for (int i = 0; i < 2; ++i)
      most = fmax(most, set_row(t, k, 1 + i, r[1 + i] + share * (f[i] - r[1 + i]), b->w[1 + i]));
  }
  return most;
}

static void solve_points(ModelTask* t, const double* free, void* user) {
  const Bristle* bristle = user;
  double scale = t->weight_speed, change = 0;
  for (int r = 0; r < t->contact_rows; ++r) scale = fmax(scale, fabs(free[r]));
  const double small = tolerance * scale;
  int sweeps = 0;
  memset(t->scratch->twist, 0, 6 * (size_t)t->problem->effector_count * sizeof(double));
  for (int k = 0; k < t->contact_points && t->problem->warm; ++k) {  // from the last step
    const int row = t->problem->constraints[k].row;
    for (int i = 0; i < (has_friction(t, k) ? 3 : 1); ++i)
      set_row(t, k, i, t->problem->warm[row + i], 0);
  }
  for (; sweeps < SWEEPS; ++sweeps) {
    change = sweep(t, free, bristle, sweeps < EAGER ? 1 : 0.5);
    if (!(change > small)) break;
  }
  t->result->effort += sweeps;
  t->result->sweeps += sweeps;
  t->result->relative = change > small ? change / scale : 0;
}

// The deflection at the end, stored in the axes of the world.
static void end_point(const ModelTask* t, int contact, const Bristle* b) {
  const HeftContactPoint* point = heft_model_contact_point(t, contact);
  const int row = t->problem->constraints[contact].row;
  const double *r = t->impulse + row, *u = t->velocity + row, n = r[0] / t->h;
  double* memory = heft_model_memory(t, contact);
  const double kappa = relaxation(b, n, t->h), most = b->limit * n / b->sigma0;
  double z[2], square = 0;
  for (int i = 0; i < 2; ++i) {
    z[i] = kappa * (b->z[i] + t->h * u[1 + i]);
    square += z[i] * z[i];
  }
  const double size = sqrt(square), part = size > most ? most / size : 1;
  const HeftVec3 kept = heft_vec3_add_scaled(heft_vec3_scale(part * z[0], point->tangent1),
                                             part * z[1], point->tangent2);
  memory[0] = kept.x;
  memory[1] = kept.y;
  memory[2] = kept.z;
}

static int solve(ModelTask* t) {
  Bristle* bristle = (Bristle*)t->scratch->numbers;
  for (int i = 0; i < t->contact_points; ++i) begin_point(t, i, &bristle[i]);
  memset(t->impulse, 0, (size_t)t->contact_rows * sizeof(double));
  heft_model_alternate(t, solve_points, bristle);
  for (int i = 0; i < t->contact_points; ++i)
    if (has_friction(t, i)) end_point(t, i, &bristle[i]);
  return 1;
}

const ContactModel heft_contact_lugre = {.model = HEFT_CONTACT_MODEL_LUGRE,
                                         .bounces = 0,
                                         .rebounds = 1,
                                         .corrects = 1,
                                         .scratch = count_scratch,
                                         .solve = solve};
