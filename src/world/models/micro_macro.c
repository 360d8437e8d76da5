// SPDX-License-Identifier: Apache-2.0
// Papers: R34, R35, R36, R37, R38, R39, R64, R70, R71, S15, S16, S17, S18, S19.
// The model `micro_macro`: balanced micro and macro contact ([Sugihara 2006];
// docs/theory/micro-macro.md lists its misprints).
//
// Micro. The force on a point in an elastic layer, at the depth d below its surface, is
//     f_n = k (d + ḋ h) + c ḋ   while it sinks,      f_n = k (d + ḋ h)   while it rises       (14)
// (with the signs reversed so that it presses), with a damper that grows with the step; the
// conventional law has no terms with h (13). The option `law` replaces the spring by a nonlinear
// one or by Poisson's restitution (spring.c), at the same depth d + ḋ h. Friction is kinetic, µ f_n
// against the slip, limited so that it does not reverse the slip within the step.
//
// Macro. Points in the rigid body under the layer get the impulses x that stop them. A point that
// does not slip has three unknowns and three equations W x = -u_free. A point that slips has one
// unknown, along n - µ σ, and the equation of its normal, with the rebound e. With these in
// A x = v (32),
//     minimise ½ |A x - v|² + ½ λ |x|²,   n >= 0                                              (33)
// has a unique solution for any number of points. λ has the unit of A², 1/kg²: as printed it
// depends on the mass of the robot; unit-free it is relative to the square of the mean of W_ii. It
// leaves λ / (a² + λ) of the velocity along each direction of eigenvalue a: the body sinks slowly.
//
// Layers come from the materials (material_layer). Two of them act in series, with 1/k = 1/k_1 +
// 1/k_2, and their thicknesses add up. Where neither surface has a layer of its own, the options of
// the model give it.
//
// Then the friction of points that do not slip and need more than µ_S n becomes µ_K n (36). Normal
// impulses are not computed again after that, so the result does not obey Coulomb's law; the
// certificate measures by how much.
#include <math.h>
#include <string.h>

#include "world/models/contact_model.h"
#include "world/models/signed_quadratic.h"
#include "world/models/spring.h"

typedef enum PointKind { POINT_AWAY, POINT_MICRO, POINT_STICKS, POINT_SLIPS } PointKind;

typedef struct Point {
  PointKind kind;
  int first;       ///< its first unknown
  int rows;        ///< of friction: 1 or 3
  double slip[2];  ///< σ
  double layer;    ///< thickness of the elastic layer [m]; -1: the points are elastic throughout
  double k, c;     ///< of the layer; -1: from mobility and step
} Point;

typedef struct Macro {
  int n, rows;
  int failed;  ///< 1 if a quadratic program of the step was not solved
  Point* point;
  unsigned char* bounded;
  double *w, *a, *h, *v, *g, *x, *scratch;
} Macro;

static size_t bytes_as_doubles(size_t bytes) {
  return (bytes + sizeof(double) - 1) / sizeof(double);
}

static size_t count_scratch(int constraint_capacity, const HeftContactOptions* o) {
  const size_t n = (size_t)o->size, points = (size_t)constraint_capacity;
  return bytes_as_doubles(points * sizeof(Point)) + bytes_as_doubles(n) + 3 * n * n + 3 * n +
         heft_signed_quadratic_scratch(o->size);
}

static Macro lay_out(const ModelTask* t) {
  const size_t n = (size_t)t->options->size;
  Macro m = {.rows = t->contact_rows};
  double* next = t->scratch->numbers;
  m.point = (Point*)next;
  next += bytes_as_doubles((size_t)t->set->capacity * sizeof(Point));
  m.bounded = (unsigned char*)next;
  m.w = next + bytes_as_doubles(n);
  m.a = m.w + n * n;
  m.h = m.a + n * n;
  m.v = m.h + n * n;
  m.g = m.v + n;
  m.x = m.g + n;
  m.scratch = m.x + n;
  return m;
}

// ---- layers

static void find_layer(const ModelTask* t, int contact, Point* p) {
  const HeftContactOptions* o = t->options;
  double layer[3] = {o->stiffness, o->damping, o->membrane};
  heft_model_layer(t, contact, layer);
  p->k = layer[0];
  p->c = layer[1];
  p->layer = layer[2];
}

// ---- kinds of points

static double slip_limit(const ModelTask* t) {
  return t->options->slip_speed >= 0 ? t->options->slip_speed : t->weight_speed;
}

static Point classify(const ModelTask* t, int contact) {
  const HeftConstraintBlock* c = &t->problem->constraints[contact];
  const double gap = heft_model_contact_point(t, contact)->gap;
  const double* u = heft_model_start(t, contact);
  Point p = {.kind = POINT_AWAY, .rows = heft_constraint_type_row_count(c->type) < 3 ? 1 : 3};
  find_layer(t, contact, &p);
  const double layer = p.layer;
  if (layer < 0 ? gap < 0 : gap > 0 && gap < layer) p.kind = POINT_MICRO;
  const double speed = p.rows == 3 ? sqrt(u[1] * u[1] + u[2] * u[2]) : 0;
  if (layer >= 0 && !(gap > 0)) p.kind = speed > slip_limit(t) ? POINT_SLIPS : POINT_STICKS;
  for (int i = 0; i < 2 && speed > 0; ++i) p.slip[i] = u[1 + i] / speed;
  return p;
}

// ---- micro

static double micro_normal(const ModelTask* t, int contact, const Point* p, double d, double rate,
                           double mobility) {
  const HeftContactOptions* o = t->options;
  const int undamped = o->law == HEFT_PENALTY_LINEAR && !(rate > 0);
  const SpringPoint s = {.k = p->k,
                         .c = undamped ? 0 : p->c,
                         .exponent = o->exponent,
                         .restitution = heft_model_contact_point(t, contact)->restitution,
                         .mobility = mobility,
                         .h = t->h};
  return heft_spring_normal(o->law, &s, d + (o->step_damper ? rate * t->h : 0), rate);
}

// The force of the layer on a point, as impulses into r.
static void push_micro(const ModelTask* t, int contact, const Point* p, double* r) {
  const HeftConstraintBlock* c = &t->problem->constraints[contact];
  const double layer = p->layer, gap = heft_model_contact_point(t, contact)->gap;
  const double depth = layer < 0 ? -gap : fmin(layer, layer - gap);
  const double* u = heft_model_start(t, contact);
  double mobility[6];
  heft_operator_diagonal(t->problem, c, mobility);
  r[0] = t->h * micro_normal(t, contact, p, depth, -u[0], mobility[0]);
  if (p->rows < 3) return;
  const double speed = sqrt(u[1] * u[1] + u[2] * u[2]);
  const double friction = fmin(c->mu * r[0], 2 * speed / (mobility[1] + mobility[2]));
  for (int i = 0; i < 2; ++i) r[1 + i] = -friction * p->slip[i];
}

// ---- macro

// Unknown j of a point, as a combination of the point's rows.
static void direction(const Point* p, double mu, int j, double out[3]) {
  for (int i = 0; i < 3; ++i) out[i] = i == j;
  if (p->kind != POINT_SLIPS || p->rows < 3) return;
  out[1] = -mu * p->slip[0];
  out[2] = -mu * p->slip[1];
}

static int unknowns_of(const Point* p) {
  if (p->kind == POINT_STICKS) return p->rows;
  return p->kind == POINT_SLIPS ? 1 : 0;
}

// A: for each equation (a row of a point) and unknown (a combination of rows of a point).
static void assemble(const ModelTask* t, Macro* m) {
  const size_t n = (size_t)m->n;
  for (int i = 0; i < t->contact_points; ++i) {
    const Point* p = &m->point[i];
    const int row = t->problem->constraints[i].row;
    for (int e = 0; e < unknowns_of(p); ++e) {
      m->bounded[p->first + e] = e == 0;
      for (int j = 0; j < t->contact_points; ++j) {
        const Point* q = &m->point[j];
        const double* w =
            m->w + (size_t)(row + e) * (size_t)m->rows + t->problem->constraints[j].row;
        for (int k = 0; k < unknowns_of(q); ++k) {
          double along[3], sum = 0;
          direction(q, t->problem->constraints[j].mu, k, along);
          for (int s = 0; s < 3 && s < q->rows; ++s) sum += w[s] * along[s];
          m->a[(size_t)(p->first + e) * n + (size_t)(q->first + k)] = sum;
        }
      }
    }
  }
}

// H = AᵀA + λ.
static void square(const ModelTask* t, Macro* m) {
  const size_t n = (size_t)m->n;
  double trace = 0;
  for (size_t i = 0; i < n; ++i) trace += m->a[i * n + i];
  const double mean = trace / (double)n;
  const double lambda = t->options->lambda * (t->options->unit_free ? mean * mean : 1);
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j <= i; ++j) {
      double sum = 0;
      for (size_t k = 0; k < n; ++k) sum += m->a[k * n + i] * m->a[k * n + j];
      m->h[i * n + j] = m->h[j * n + i] = sum;
    }
    m->h[i * n + i] += lambda + 1e-12 * mean * mean;
  }
}

// g = Aᵀ v, where v stops the free velocity; the rebound is part of it (impacts.c).
static void aim(const ModelTask* t, Macro* m, const double* free) {
  const size_t n = (size_t)m->n;
  for (int i = 0; i < t->contact_points; ++i) {
    const Point* p = &m->point[i];
    for (int e = 0; e < unknowns_of(p); ++e)
      m->v[p->first + e] = -free[t->problem->constraints[i].row + e];
  }
  for (size_t i = 0; i < n; ++i) {
    m->g[i] = 0;
    for (size_t k = 0; k < n; ++k) m->g[i] += m->a[k * n + i] * m->v[k];
  }
}

// Impulses of a macro point, its friction corrected (35, 36), added to r.
static void read_point(const ModelTask* t, const Macro* m, int contact, double* r) {
  const Point* p = &m->point[contact];
  const HeftConstraintBlock* c = &t->problem->constraints[contact];
  double sum[3] = {0, 0, 0};
  for (int k = 0; k < unknowns_of(p); ++k) {
    double along[3];
    direction(p, c->mu, k, along);
    for (int s = 0; s < 3; ++s) sum[s] += m->x[p->first + k] * along[s];
  }
  const double friction = sqrt(sum[1] * sum[1] + sum[2] * sum[2]);
  const double mu_static =
      t->options->static_friction >= 0 ? t->options->static_friction : fmax(c->mu_static, c->mu);
  const int slips = p->kind == POINT_STICKS && friction > mu_static * sum[0];
  for (int s = 1; s < 3 && slips; ++s) sum[s] *= friction > 0 ? c->mu * sum[0] / friction : 0;
  for (int s = 0; s < 3 && s < p->rows; ++s) r[s] += sum[s];
}

// Micro impulses, which are known, into t->impulse; kinds and unknowns of all points.
static int begin(const ModelTask* t, Macro* m) {
  for (int i = 0; i < t->contact_points; ++i) {
    Point* p = &m->point[i];
    *p = classify(t, i);
    p->first = m->n;
    m->n += unknowns_of(p);
    double* r = t->impulse + t->problem->constraints[i].row;
    const int layered = p->kind > POINT_MICRO && t->options->membrane_stays && p->layer > 0;
    memset(r, 0,
           (size_t)heft_constraint_type_row_count(t->problem->constraints[i].type) * sizeof *r);
    if (p->kind == POINT_MICRO || layered) push_micro(t, i, p, r);
  }
  return m->n <= t->options->size && m->rows <= t->options->size;
}

static void solve_contacts(ModelTask* t, const double* free, void* user) {
  Macro* m = user;
  aim(t, m, free);
  const int rounds = heft_signed_quadratic(m->n, m->h, m->g, m->bounded, m->x, m->scratch);
  if (rounds > 0) t->result->effort += rounds;
  m->failed |= rounds < 0;
  for (int i = 0; i < t->contact_points; ++i)
    read_point(t, m, i, t->impulse + t->problem->constraints[i].row);
}

static int solve(ModelTask* t) {
  Macro m = lay_out(t);
  if (!begin(t, &m)) return 0;
  if (m.n == 0) {
    heft_model_finish(t);
    return 1;
  }
  HeftContactProblem contact_points = *t->problem;
  contact_points.constraint_count = t->contact_points;
  contact_points.row_count = t->contact_rows;
  heft_operator_dense(&contact_points, m.w, t->scratch->twist);
  assemble(t, &m);
  square(t, &m);
  heft_model_alternate(t, solve_contacts, &m);
  return !m.failed;
}

const ContactModel heft_contact_micro_macro = {.model = HEFT_CONTACT_MODEL_MICRO_MACRO,
                                               .bounces = 0,
                                               .rebounds = 1,
                                               .corrects = 0,
                                               .scratch = count_scratch,
                                               .solve = solve};
