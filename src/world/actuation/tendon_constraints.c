// SPDX-License-Identifier: Apache-2.0
// Constraints on tendons: limits, dry friction, equalities.
//
// Their rows are like rows of joints (constraint_rows.c) with a direction a in joint space instead
// of a single dof: u = a·v. A tendon equality between lengths y and x has a = ∂y - p'(x) ∂x.
//
// A row of the contact problem acts on two trees at most. A tendon that acts on more trees (two
// bodies on a string over a third) is a *cross-tree tendon*. It is solved by itself, by
// Gauss-Seidel in joint space, before all other constraints. The contacts are solved after it; the
// velocity error that they leave in a cross-tree tendon is corrected in the next step, and makes
// this step inexact.
#include "world/actuation/tendon_constraints.h"

#include <math.h>
#include <string.h>

#include "dynamics/links.h"
#include "math/dense.h"

static const double share = 0.2;  // of a position error is corrected in a step
static const double fastest = 1;  // correction is no faster than this [m/s, rad/s]

enum { SWEEPS_MAX = 100 };
static const double tolerance = 1e-9;  // of the largest change of velocity in a sweep

// ---- memory

static int is_constrained(const HeftModel* m, int t) {
  return m->tendon_limited[t] || m->tendon_friction[t] > 0;
}

static int is_tendon_equality(const HeftModel* m, int e) {
  return m->equality_type[e] == HEFT_EQUALITY_TENDON;
}

static long dof_count_of(const Transmissions* l, int t) { return t >= 0 ? l->list[t].count : 0; }

// ---- which dofs, by tree

// Two tendons, merged in ascending order of their dofs.
typedef struct Merge {
  const Transmissions* source;
  int at[2], end[2];
} Merge;

static Merge merge_start(const Transmissions* l, const int tendon[2]) {
  Merge g = {.source = l};
  for (int s = 0; s < 2; ++s) {
    if (tendon[s] < 0) continue;
    g.at[s] = l->list[tendon[s]].first;
    g.end[s] = g.at[s] + l->list[tendon[s]].count;
  }
  return g;
}

// The next dof, and the places of its moment arms; -1 at the end.
static int merge_next(Merge* g, int part[2]) {
  int dof = -1;
  for (int s = 0; s < 2; ++s) {
    if (g->at[s] == g->end[s]) continue;
    const int here = g->source->dof[g->at[s]];
    if (dof < 0 || here < dof) dof = here;
  }
  for (int s = 0; s < 2; ++s) {
    const int has = dof >= 0 && g->at[s] < g->end[s] && g->source->dof[g->at[s]] == dof;
    part[s] = has ? g->at[s]++ : -1;
  }
  return dof;
}

// The roots of the trees that two tendons act on: how many, or 3 if more than two.
static int find_roots(const Transmissions* l, const int tendon[2], int roots[2]) {
  int count = 0, part[2];
  Merge g = merge_start(l, tendon);
  for (int dof = merge_next(&g, part); dof >= 0; dof = merge_next(&g, part)) {
    const int root = heft_dof_root(l->model, dof);
    if ((count > 0 && roots[0] == root) || (count > 1 && roots[1] == root)) continue;
    if (count == 2) return 3;
    roots[count++] = root;
  }
  return count;
}

static int is_cross_tree(const Transmissions* l, int tendon1, int tendon2) {
  int roots[2];
  const int tendon[2] = {tendon1, tendon2};
  return find_roots(l, tendon, roots) > 2;
}

static void place(void* object, Arena* arena, const void* user) {
  TendonConstraints* x = object;
  const Transmissions* l = user;
  const HeftModel* m = l->model;
  long directions = 0, dofs = 0, cross = 0;
  for (int t = 0; t < m->ntendon; ++t) {
    if (!is_constrained(m, t)) continue;
    directions += 2;
    cross += is_cross_tree(l, t, -1);
    dofs += dof_count_of(l, t);
  }
  for (int e = 0; e < m->nequality; ++e) {
    if (!is_tendon_equality(m, e)) continue;
    const int* t = m->equality_object + 2L * e;
    directions += 2;
    cross += is_cross_tree(l, t[0], t[1]);
    dofs += dof_count_of(l, t[0]) + dof_count_of(l, t[1]);
  }
  x->direction = arena_take(arena, directions, HeftJointDirection);
  x->root = arena_take(arena, directions, int);
  x->dof = arena_take(arena, dofs, int);
  x->arm = arena_take(arena, dofs, double);
  x->part = arena_take_bytes(arena, (size_t)dofs, sizeof *x->part);
  x->tendon = arena_take_bytes(arena, (size_t)m->ntendon, sizeof *x->tendon);
  x->equality = arena_take_bytes(arena, (size_t)m->nequality, sizeof *x->equality);
  x->at_default = arena_take(arena, m->ntendon, double);
  x->cross = arena_take(arena, cross, CrossTreeTendon);
  for (long i = 0; i < cross; ++i) {
    double *arm = arena_take(arena, m->nv, double), *response = arena_take(arena, m->nv, double);
    if (x->cross) x->cross[i] = (CrossTreeTendon){.arm = arm, .response = response};
  }
}

static void add_direction(TendonConstraints* x, const int tendon[2], int root, int* next) {
  int part[2], count = 0;
  Merge g = merge_start(x->transmissions, tendon);
  for (int dof = merge_next(&g, part); dof >= 0; dof = merge_next(&g, part)) {
    if (heft_dof_root(x->model, dof) != root) continue;
    x->dof[*next + count] = dof;
    x->part[*next + count][0] = part[0];
    x->part[*next + count++][1] = part[1];
  }
  x->root[x->count] = root;
  x->direction[x->count++] = (HeftJointDirection){count, x->dof + *next, x->arm + *next};
  *next += count;
}

static void add_directions(TendonConstraints* x, const int tendon[2], int equality, int out[2],
                           int* next) {
  int roots[2] = {0, 0};
  const int trees = find_roots(x->transmissions, tendon, roots);
  for (int s = 0; s < 2; ++s) {
    if (tendon[s] >= 0) x->transmissions->list[tendon[s]].wanted = 1;
  }
  if (trees > 2) {
    CrossTreeTendon* cross = &x->cross[x->cross_count++];
    cross->tendon[0] = tendon[0];
    cross->tendon[1] = tendon[1];
    cross->equality = equality;
    return;
  }
  for (int i = 0; i < trees; ++i) {
    out[i] = x->count;
    add_direction(x, tendon, roots[i], next);
  }
}

static void add_all(TendonConstraints* x) {
  const HeftModel* m = x->model;
  int next = 0;
  for (int t = 0; t < m->ntendon; ++t) {
    const int tendon[2] = {t, -1};
    x->at_default[t] = x->transmissions->length[t];
    x->tendon[t][0] = x->tendon[t][1] = -1;
    if (is_constrained(m, t)) add_directions(x, tendon, -1, x->tendon[t], &next);
  }
  for (int e = 0; e < m->nequality; ++e) {
    x->equality[e][0] = x->equality[e][1] = -1;
    if (is_tendon_equality(m, e))
      add_directions(x, m->equality_object + 2L * e, e, x->equality[e], &next);
  }
}

TendonConstraints* heft_tendon_constraints_create(const HeftModel* m, Transmissions* transmissions,
                                                  const HeftAllocator* allocator,
                                                  HeftError* error) {
  TendonConstraints start = {.model = m, .transmissions = transmissions};
  TendonConstraints* x = heft_block_create(&start, sizeof start, place, transmissions, allocator,
                                           "tendon constraints", error);
  if (x) add_all(x);
  return x;
}

// ---- rows

// Where a gathering writes: the inputs of the step, and the set that is filled.
typedef struct Gathering {
  TendonConstraints* tendons;
  const StepInput* in;
  const HeftDynamics* dynamics;
  const WarmStart* warm;
  ConstraintSet* set;
} Gathering;

// The present moment arms of directions: arms of the first tendon, plus `second` times arms of the
// second.
static void write_arms(const TendonConstraints* x, const int directions[2], double second) {
  const double* arm = x->transmissions->arm;
  for (int s = 0; s < 2 && directions[s] >= 0; ++s) {
    const HeftJointDirection* d = &x->direction[directions[s]];
    const long first = d->dof - x->dof;
    for (long i = first; i < first + d->count; ++i) {
      const int* part = x->part[i];
      x->arm[i] = (part[0] >= 0 ? arm[part[0]] : 0) + (part[1] >= 0 ? second * arm[part[1]] : 0);
    }
  }
}

static Constraint* add_row(const Gathering* g, ConstraintKind kind, int source,
                           HeftConstraintType type, const int directions[2], double sign) {
  Constraint* k = heft_constraint_set_add(g->set, kind, source, type);
  if (!k) return NULL;
  k->direction[0] = directions[0];
  k->direction[1] = directions[1];
  g->set->axis[k->row][0] = sign;
  g->set->warm[k->row] = g->warm->by_source[kind][source];
  return k;
}

// ---- laws

// 1 if a limit can be reached within about the step.
static int in_range(const StepInput* in, double gap, double speed) {
  return gap <= in->h * (2 * fabs(speed) + 0.1);
}

// Distance of a tendon from its lower and upper end.
static void measure_gaps(const Gathering* g, int t, double gap[2], double* speed) {
  Transmissions* l = g->tendons->transmissions;
  const double* range = l->model->tendon_range + 2L * t;
  heft_transmission_update(l, g->dynamics, t, g->in->start->q);
  gap[0] = l->length[t] - range[0];
  gap[1] = range[1] - l->length[t];
  *speed = heft_transmission_speed(l, t, g->in->start->v);
}

// The slope of the polynomial of a tendon equality, at the present lengths.
static double slope_of(const TendonConstraints* x, int e) {
  const HeftModel* m = x->model;
  const int other = m->equality_object[2L * e + 1];
  const double* p = m->equality_poly + 5L * e;
  const double at = other >= 0 ? x->transmissions->length[other] - x->at_default[other] : 0;
  return p[1] + at * (2 * p[2] + at * (3 * p[3] + at * 4 * p[4]));
}

// Length 1 follows a polynomial of length 2, both counted from q_default: the error, and the slope.
static double measure_equality(const Gathering* g, int e, double* slope) {
  Transmissions* l = g->tendons->transmissions;
  const HeftModel* m = l->model;
  const int* t = m->equality_object + 2L * e;
  const double *p = m->equality_poly + 5L * e, *start = g->tendons->at_default;
  for (int s = 0; s < 2; ++s) {
    if (t[s] >= 0) heft_transmission_update(l, g->dynamics, t[s], g->in->start->q);
  }
  const double y = l->length[t[0]] - start[t[0]];
  const double x = t[1] >= 0 ? l->length[t[1]] - start[t[1]] : 0;
  const double value = p[0] + x * (p[1] + x * (p[2] + x * (p[3] + x * p[4])));
  *slope = slope_of(g->tendons, e);
  return y - value;
}

// ---- rows of the contact problem

static void gather_tendon(const Gathering* g, int t) {
  const HeftModel* m = g->tendons->model;
  const int* directions = g->tendons->tendon[t];
  double gap[2], speed;
  measure_gaps(g, t, gap, &speed);
  write_arms(g->tendons, directions, 0);
  for (int upper = 0; upper < 2 && m->tendon_limited[t]; ++upper) {
    if (!in_range(g->in, gap[upper], speed)) continue;
    Constraint* k = add_row(g, CONSTRAINT_TENDON_LIMIT, 2 * t + upper, HEFT_CONSTRAINT_FRICTIONLESS,
                            directions, upper ? -1 : 1);
    if (!k) return;
    k->gap = gap[upper];
    g->set->bias[k->row] = fmax(0, gap[upper] / g->in->h);
  }
  if (!(m->tendon_friction[t] > 0)) return;
  Constraint* k = add_row(g, CONSTRAINT_TENDON_DRY, t, HEFT_CONSTRAINT_BOX, directions, 1);
  if (!k) return;
  k->upper = g->in->h * m->tendon_friction[t];
  k->lower = -k->upper;
}

static void gather_equality(const Gathering* g, int e) {
  const int* directions = g->tendons->equality[e];
  double slope;
  const double error = measure_equality(g, e, &slope);
  write_arms(g->tendons, directions, -slope);
  Constraint* k = add_row(g, CONSTRAINT_EQUALITY, 6 * e, HEFT_CONSTRAINT_BILATERAL, directions, 1);
  if (k) k->gap = error;
}

void heft_tendon_constraints_turn(const TendonConstraints* x, const HeftDynamics* dynamics,
                                  const double* q, const ConstraintSet* set) {
  const HeftModel* m = x->model;
  for (int i = set->contact_point_count; i < set->count; ++i) {
    const Constraint* k = &set->list[i];
    if (!k->middle || k->direction[0] < 0) continue;
    const int e = k->kind == CONSTRAINT_EQUALITY ? k->source / 6 : -1;
    const int t = k->kind == CONSTRAINT_TENDON_LIMIT ? k->source / 2 : k->source;
    const int tendon[2] = {e >= 0 ? m->equality_object[2L * e] : t,
                           e >= 0 ? m->equality_object[2L * e + 1] : -1};
    for (int s = 0; s < 2; ++s) {
      if (tendon[s] >= 0) heft_transmission_update(x->transmissions, dynamics, tendon[s], q);
    }
    write_arms(x, k->direction, e >= 0 ? -slope_of(x, e) : 0);
  }
}

// ---- cross-tree tendons

// The position correction (correction.c) does not contain these rows: a share of their error is
// corrected with the velocity.
static double correcting_bias(double h, double error) {
  const double back = share * error / h;
  return fmax(-fastest, fmin(fastest, back));
}

static void add_cross_row(CrossTreeTendon* cross, double sign, double bias, double lower,
                          double upper) {
  cross->row[cross->row_count++] = (CrossTreeRow){sign, bias, lower, upper, 0, 0};
}

static void gather_cross_tree(const Gathering* g, CrossTreeTendon* cross) {
  const HeftModel* m = g->tendons->model;
  const Transmissions* l = g->tendons->transmissions;
  const int t = cross->tendon[0];
  const double h = g->in->h;
  double gap[2], speed, slope = 0;
  cross->row_count = 0;
  if (cross->equality >= 0) {
    if (!m->equality_active[cross->equality]) return;
    const double bias = correcting_bias(h, measure_equality(g, cross->equality, &slope));
    add_cross_row(cross, 1, bias, -(double)INFINITY, (double)INFINITY);
  } else {
    measure_gaps(g, t, gap, &speed);
    const double dry = h * m->tendon_friction[t];
    for (int upper = 0; upper < 2 && m->tendon_limited[t]; ++upper) {
      if (!in_range(g->in, gap[upper], speed)) continue;
      const double bias = gap[upper] > 0 ? gap[upper] / h : correcting_bias(h, gap[upper]);
      add_cross_row(cross, upper ? -1 : 1, bias, 0, (double)INFINITY);
    }
    if (dry > 0) add_cross_row(cross, 1, 0, -dry, dry);
  }
  memset(cross->arm, 0, (size_t)m->nv * sizeof(double));
  heft_transmission_pull(l, t, 1, cross->arm);
  if (cross->tendon[1] >= 0) heft_transmission_pull(l, cross->tendon[1], -slope, cross->arm);
}

static void mark_trees(const HeftModel* m, const CrossTreeTendon* cross, int* tied) {
  for (int d = 0; d < m->nv && cross->row_count > 0; ++d) {
    if (cross->arm[d] != 0) tied[heft_dof_root(m, d)] = 1;
  }
}

static double speed_of(const HeftModel* m, const CrossTreeTendon* cross, const CrossTreeRow* row,
                       const double* v) {
  return row->sign * heft_dot(m->nv, cross->arm, v) + row->bias;
}

// Solves the rows of one tendon one after the other. Returns the largest change of velocity along
// it.
static double apply_one(const HeftModel* m, CrossTreeTendon* cross, double* v) {
  double max = 0;
  for (int r = 0; r < cross->row_count; ++r) {
    CrossTreeRow* row = &cross->row[r];
    const double u = speed_of(m, cross, row, v);
    const double wanted = row->impulse - u / cross->mobility;
    const double next = fmax(row->lower, fmin(row->upper, wanted)), change = next - row->impulse;
    row->impulse = next;
    for (int i = 0; i < m->nv; ++i) v[i] += row->sign * change * cross->response[i];
    max = fmax(max, fabs(change) * cross->mobility);
  }
  return max;
}

void heft_cross_tree_tendons_apply(TendonConstraints* x, const HeftDynamics* dynamics, double* v) {
  const HeftModel* m = x->model;
  for (int i = 0; i < x->cross_count; ++i) {
    CrossTreeTendon* cross = &x->cross[i];
    if (cross->row_count == 0) continue;
    memcpy(cross->response, cross->arm, (size_t)m->nv * sizeof(double));
    heft_dynamics_solve(dynamics, cross->response);
    cross->mobility = heft_dot(m->nv, cross->arm, cross->response);
    for (int r = 0; r < cross->row_count; ++r) {
      cross->row[r].impulse = 0;
      cross->row[r].free = speed_of(m, cross, &cross->row[r], v);
    }
    if (!(cross->mobility > 0)) cross->row_count = 0;
  }
  double first = 0;
  for (int sweep = 0; sweep < SWEEPS_MAX && x->cross_count > 0; ++sweep) {
    double max = 0;
    for (int i = 0; i < x->cross_count; ++i) max = fmax(max, apply_one(m, &x->cross[i], v));
    if (sweep == 0) first = max;
    if (max <= tolerance * first) return;
  }
}

void heft_cross_tree_tendons_judge(const TendonConstraints* x, const StepInput* in, const double* v,
                                   HeftStepReport* report) {
  double residual = 0, scale = in->weight_speed;
  int worst = -1;
  for (int i = 0; i < x->cross_count; ++i) {
    const CrossTreeTendon* cross = &x->cross[i];
    const double w = cross->mobility > 0 ? cross->mobility : 1;
    for (int r = 0; r < cross->row_count; ++r) {
      const CrossTreeRow* row = &cross->row[r];
      const double wanted = row->impulse - speed_of(x->model, cross, row, v) / w;
      const double next = fmax(row->lower, fmin(row->upper, wanted));
      const double own = w * fabs(next - row->impulse);
      if (!(own <= residual)) worst = cross->tendon[0];
      residual = fmax(residual, own);
      scale = fmax(scale, fabs(row->free));
    }
  }
  if (!(residual > 0)) return;
  const double relative = residual / fmax(scale, residual);
  report->residual = fmax(report->residual, residual);
  report->relative = fmax(report->relative, relative);
  report->inexact += !(relative <= in->def->tolerance);
  heft_step_report_raise(report, HEFT_QUANTITY_TENDON_RESIDUAL, relative, worst, -1);
}

void heft_cross_tree_tendons_work(const TendonConstraints* x, const double* v_mean,
                                  HeftStepReport* report) {
  for (int i = 0; i < x->cross_count; ++i) {
    const CrossTreeTendon* cross = &x->cross[i];
    const double speed = cross->row_count > 0 ? heft_dot(x->model->nv, cross->arm, v_mean) : 0;
    for (int r = 0; r < cross->row_count; ++r) {
      const CrossTreeRow* row = &cross->row[r];
      const int dry = row->lower < 0 && row->upper < (double)INFINITY;
      double* part = cross->equality >= 0 ? &report->loop_work
                     : dry                ? &report->friction_work
                                          : &report->limit_work;
      *part += row->sign * row->impulse * speed;
    }
  }
}

// ---- all of them

void heft_tendon_constraints_gather(TendonConstraints* x, const StepInput* in,
                                    const HeftDynamics* dynamics, const WarmStart* warm,
                                    ConstraintSet* set) {
  const HeftModel* m = x->model;
  const Gathering g = {x, in, dynamics, warm, set};
  set->direction = x->direction;
  set->direction_root = x->root;
  for (int t = 0; t < m->ntendon && x->count > 0; ++t) {
    if (x->tendon[t][0] >= 0) gather_tendon(&g, t);
  }
  for (int e = 0; e < m->nequality && x->count > 0; ++e) {
    if (m->equality_active[e] && x->equality[e][0] >= 0) gather_equality(&g, e);
  }
  for (int i = 0; i < x->cross_count; ++i) {
    gather_cross_tree(&g, &x->cross[i]);
    mark_trees(m, &x->cross[i], set->tied);
  }
}
