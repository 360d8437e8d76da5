// SPDX-License-Identifier: Apache-2.0
// Constraints on tendons: limits, dry friction, equalities.
//
// Their rows are those of joints (constraint_rows.c) with a direction a in joint space instead of a
// single dof: u = a·v. A tendon equality between lengths y and x has a = ∂y - p'(x) ∂x.
//
// The contact problem knows rows between two trees at most. A tendon that ties more of them
// together (two bodies on a string over a third) is *wide*: it is solved by itself, by Gauss-Seidel
// in joint space, before everything else. Contacts then have the last word, and what they do to a
// wide tendon is taken up in the next step.
#include "world/wires.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "world/world_internal.h"

static const double wire_share = 0.2;  // of an error is taken back in a step
static const double wire_speed = 1;    // and no faster than this [m/s, rad/s]

enum { WIDE_SWEEPS = 100 };
static const double wide_tolerance = 1e-9;  // of the largest change of velocity in a sweep

// ---- memory

static int is_constrained(const HeftModel* m, int t) {
  return m->tendon_limited[t] || m->tendon_friction[t] > 0;
}

static int is_tendon_equality(const HeftModel* m, int e) {
  return m->equality_type[e] == HEFT_EQUALITY_TENDON;
}

static long line_size(const HeftWorld* w, int t) { return t >= 0 ? w->lines->line[t].count : 0; }

// ---- which dofs, by tree

// Two lines, merged in ascending order of their dofs.
typedef struct Merge {
  const Lines* lines;
  int at[2], end[2];
} Merge;

static Merge merge_start(const Lines* l, const int line[2]) {
  Merge g = {.lines = l};
  for (int s = 0; s < 2; ++s) {
    if (line[s] < 0) continue;
    g.at[s] = l->line[line[s]].first;
    g.end[s] = g.at[s] + l->line[line[s]].count;
  }
  return g;
}

// The next dof, and where its arms stand; -1 at the end.
static int merge_next(Merge* g, int part[2]) {
  int dof = -1;
  for (int s = 0; s < 2; ++s) {
    if (g->at[s] == g->end[s]) continue;
    const int here = g->lines->dof[g->at[s]];
    if (dof < 0 || here < dof) dof = here;
  }
  for (int s = 0; s < 2; ++s) {
    const int has = dof >= 0 && g->at[s] < g->end[s] && g->lines->dof[g->at[s]] == dof;
    part[s] = has ? g->at[s]++ : -1;
  }
  return dof;
}

// The roots of the trees that lines move: how many, or 3 if more than two.
static int find_roots(const HeftWorld* w, const int line[2], int roots[2]) {
  int count = 0, part[2];
  Merge g = merge_start(w->lines, line);
  for (int dof = merge_next(&g, part); dof >= 0; dof = merge_next(&g, part)) {
    const int root = heft_dof_root(w->model, dof);
    if ((count > 0 && roots[0] == root) || (count > 1 && roots[1] == root)) continue;
    if (count == 2) return 3;
    roots[count++] = root;
  }
  return count;
}

static int is_wide(const HeftWorld* w, int tendon1, int tendon2) {
  int roots[2];
  const int line[2] = {tendon1, tendon2};
  return find_roots(w, line, roots) > 2;
}

static void place(Wires* x, Arena* arena, const HeftWorld* w) {
  const HeftModel* m = w->model;
  long wires = 0, dofs = 0, wide = 0;
  for (int t = 0; t < m->ntendon; ++t) {
    if (!is_constrained(m, t)) continue;
    wires += 2;
    wide += is_wide(w, t, -1);
    dofs += line_size(w, t);
  }
  for (int e = 0; e < m->nequality; ++e) {
    if (!is_tendon_equality(m, e)) continue;
    wires += 2;
    wide += is_wide(w, m->equality_object[2L * e], m->equality_object[2L * e + 1]);
    dofs += line_size(w, m->equality_object[2L * e]) + line_size(w, m->equality_object[2L * e + 1]);
  }
  x->direction = arena_take(arena, wires, HeftJointDirection);
  x->root = arena_take(arena, wires, int);
  x->effector = arena_take(arena, wires, int);
  x->lane = arena_take(arena, wires, int);
  x->dof = arena_take(arena, dofs, int);
  x->arm = arena_take(arena, dofs, double);
  x->part = arena_take_bytes(arena, (size_t)dofs, sizeof *x->part);
  x->tendon = arena_take_bytes(arena, (size_t)m->ntendon, sizeof *x->tendon);
  x->equality = arena_take_bytes(arena, (size_t)m->nequality, sizeof *x->equality);
  x->at_default = arena_take(arena, m->ntendon, double);
  x->wide = arena_take(arena, wide, Wide);
  for (long i = 0; i < wide; ++i) {
    double *arm = arena_take(arena, m->nv, double), *answer = arena_take(arena, m->nv, double);
    if (x->wide) x->wide[i] = (Wide){.arm = arm, .answer = answer};
  }
}

static void add_wire(const HeftWorld* w, Wires* x, const int line[2], int root, int* next) {
  int part[2], count = 0;
  Merge g = merge_start(w->lines, line);
  for (int dof = merge_next(&g, part); dof >= 0; dof = merge_next(&g, part)) {
    if (heft_dof_root(w->model, dof) != root) continue;
    x->dof[*next + count] = dof;
    x->part[*next + count][0] = part[0];
    x->part[*next + count++][1] = part[1];
  }
  x->root[x->count] = root;
  x->effector[x->count] = -1;
  x->direction[x->count++] = (HeftJointDirection){count, x->dof + *next, x->arm + *next};
  *next += count;
}

static void add_wires(HeftWorld* w, const int line[2], int equality, int out[2], int* next) {
  Wires* x = w->wires;
  int roots[2] = {0, 0};
  const int trees = find_roots(w, line, roots);
  for (int s = 0; s < 2; ++s) {
    if (line[s] >= 0) w->lines->line[line[s]].wanted = 1;
  }
  if (trees > 2) {
    Wide* wide = &x->wide[x->wide_count++];
    wide->line[0] = line[0];
    wide->line[1] = line[1];
    wide->equality = equality;
    return;
  }
  for (int i = 0; i < trees; ++i) {
    out[i] = x->count;
    add_wire(w, x, line, roots[i], next);
  }
}

static void add_all(HeftWorld* w) {
  const HeftModel* m = w->model;
  Wires* x = w->wires;
  int next = 0;
  for (int t = 0; t < m->ntendon; ++t) {
    const int line[2] = {t, -1};
    x->at_default[t] = w->lines->length[t];
    x->tendon[t][0] = x->tendon[t][1] = -1;
    if (is_constrained(m, t)) add_wires(w, line, -1, x->tendon[t], &next);
  }
  for (int e = 0; e < m->nequality; ++e) {
    x->equality[e][0] = x->equality[e][1] = -1;
    if (is_tendon_equality(m, e))
      add_wires(w, m->equality_object + 2L * e, e, x->equality[e], &next);
  }
}

HeftStatus heft_wires_create(HeftWorld* w, HeftError* error) {
  const HeftAllocator* allocator = &w->def.allocator;
  Wires measured = {0};
  Arena sizes = arena_measure();
  arena_take(&sizes, 1, Wires);
  place(&measured, &sizes, w);
  Wires* x = allocator->allocate(allocator->user, sizes.used, ARENA_ALIGNMENT);
  if (!x)
    return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for wires of %zu bytes", sizes.used);
  memset(x, 0, sizes.used);
  Arena arena = arena_make(x, sizes.used, NULL);
  arena_take(&arena, 1, Wires);
  place(x, &arena, w);
  x->memory_size = sizes.used;
  w->wires = x;
  add_all(w);
  return HEFT_OK;
}

void heft_wires_destroy(HeftWorld* w) {
  if (!w->wires) return;
  w->def.allocator.release(w->def.allocator.user, w->wires, w->wires->memory_size);
  w->wires = NULL;
}

// ---- rows

// The arms of now: those of the first line, plus so much of those of the second.
static void write_arms(const HeftWorld* w, const int wires[2], double second) {
  const Wires* x = w->wires;
  const double* arm = w->lines->arm;
  for (int s = 0; s < 2 && wires[s] >= 0; ++s) {
    const HeftJointDirection* d = &x->direction[wires[s]];
    const long first = d->dof - x->dof;
    for (long i = first; i < first + d->count; ++i) {
      const int* part = x->part[i];
      x->arm[i] = (part[0] >= 0 ? arm[part[0]] : 0) + (part[1] >= 0 ? second * arm[part[1]] : 0);
    }
  }
}

static Constraint* add_row(HeftWorld* w, ConstraintKind kind, int source, HeftConstraintType type,
                           const int wires[2], double sign) {
  Constraints* c = w->constraints;
  Constraint* k = heft_constraints_add(c, kind, source, type);
  if (!k) return NULL;
  k->wire[0] = wires[0];
  k->wire[1] = wires[1];
  c->axis[k->row][0] = sign;
  c->warm[k->row] = c->old_joint[kind][source];
  return k;
}

// ---- laws

// Whether a limit can be reached within the step, and some more.
static int in_reach(const HeftWorld* w, double gap, double speed) {
  return gap <= w->def.time_step * (2 * fabs(speed) + 0.1);
}

// How far a tendon is from its lower and upper end.
static void measure_gaps(HeftWorld* w, int t, double gap[2], double* speed) {
  const double* range = w->model->tendon_range + 2L * t;
  heft_line_update(w, t, w->state->q);
  gap[0] = w->lines->length[t] - range[0];
  gap[1] = range[1] - w->lines->length[t];
  *speed = heft_line_speed(w->lines, t, w->state->v);
}

// Length 1 follows a polynomial of length 2, both counted from q_default: the error, and the slope.
static double measure_equality(HeftWorld* w, int e, double* slope) {
  const HeftModel* m = w->model;
  const int* t = m->equality_object + 2L * e;
  const double *p = m->equality_poly + 5L * e, *start = w->wires->at_default;
  for (int s = 0; s < 2; ++s) {
    if (t[s] >= 0) heft_line_update(w, t[s], w->state->q);
  }
  const double y = w->lines->length[t[0]] - start[t[0]];
  const double x = t[1] >= 0 ? w->lines->length[t[1]] - start[t[1]] : 0;
  const double value = p[0] + x * (p[1] + x * (p[2] + x * (p[3] + x * p[4])));
  *slope = p[1] + x * (2 * p[2] + x * (3 * p[3] + x * 4 * p[4]));
  return y - value;
}

// ---- rows of the contact problem

static void gather_tendon(HeftWorld* w, int t) {
  const HeftModel* m = w->model;
  Constraints* c = w->constraints;
  const int* wires = w->wires->tendon[t];
  double gap[2], speed;
  measure_gaps(w, t, gap, &speed);
  write_arms(w, wires, 0);
  for (int upper = 0; upper < 2 && m->tendon_limited[t]; ++upper) {
    if (!in_reach(w, gap[upper], speed)) continue;
    Constraint* k = add_row(w, CONSTRAINT_TENDON_LIMIT, 2 * t + upper, HEFT_CONSTRAINT_FRICTIONLESS,
                            wires, upper ? -1 : 1);
    if (!k) return;
    k->gap = gap[upper];
    c->push[k->row] = fmax(0, gap[upper] / w->def.time_step);
  }
  if (!(m->tendon_friction[t] > 0)) return;
  Constraint* k = add_row(w, CONSTRAINT_TENDON_DRY, t, HEFT_CONSTRAINT_BOX, wires, 1);
  if (!k) return;
  k->upper = w->def.time_step * m->tendon_friction[t];
  k->lower = -k->upper;
}

static void gather_equality(HeftWorld* w, int e) {
  double slope;
  const double error = measure_equality(w, e, &slope);
  write_arms(w, w->wires->equality[e], -slope);
  Constraint* k =
      add_row(w, CONSTRAINT_EQUALITY, 6 * e, HEFT_CONSTRAINT_BILATERAL, w->wires->equality[e], 1);
  if (k) k->gap = error;
}

// ---- wide tendons

// These are not among the rows that correction.c looks at: they take back a share of their error
// with the velocity.
static double back_push(const HeftWorld* w, double error) {
  const double back = wire_share * error / w->def.time_step;
  return fmax(-wire_speed, fmin(wire_speed, back));
}

static void add_wide_row(Wide* wide, double sign, double push, double lower, double upper) {
  wide->row[wide->row_count++] = (WideRow){sign, push, lower, upper, 0};
}

static void gather_wide(HeftWorld* w, Wide* wide) {
  const HeftModel* m = w->model;
  const int t = wide->line[0];
  double gap[2], speed, slope = 0;
  wide->row_count = 0;
  if (wide->equality >= 0) {
    if (!m->equality_active[wide->equality]) return;
    const double push = back_push(w, measure_equality(w, wide->equality, &slope));
    add_wide_row(wide, 1, push, -(double)INFINITY, (double)INFINITY);
  } else {
    measure_gaps(w, t, gap, &speed);
    const double dry = w->def.time_step * m->tendon_friction[t];
    for (int upper = 0; upper < 2 && m->tendon_limited[t]; ++upper) {
      if (!in_reach(w, gap[upper], speed)) continue;
      const double push = gap[upper] > 0 ? gap[upper] / w->def.time_step : back_push(w, gap[upper]);
      add_wide_row(wide, upper ? -1 : 1, push, 0, (double)INFINITY);
    }
    if (dry > 0) add_wide_row(wide, 1, 0, -dry, dry);
  }
  memset(wide->arm, 0, (size_t)m->nv * sizeof(double));
  heft_line_pull(w->lines, t, 1, wide->arm);
  if (wide->line[1] >= 0) heft_line_pull(w->lines, wide->line[1], -slope, wide->arm);
}

void heft_wires_mark(const HeftWorld* w, int* active) {
  const HeftModel* m = w->model;
  for (int i = 0; i < w->wires->wide_count; ++i) {
    const Wide* wide = &w->wires->wide[i];
    for (int d = 0; d < m->nv && wide->row_count > 0; ++d) {
      if (wide->arm[d] != 0) active[heft_dof_root(m, d)] = 1;
    }
  }
}

static double dot(int count, const double* a, const double* b) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

// One law after the other of one tendon. Returns the largest change of velocity along it.
static double push_wide(const HeftModel* m, Wide* wide, double* v) {
  double max = 0;
  for (int r = 0; r < wide->row_count; ++r) {
    WideRow* row = &wide->row[r];
    const double u = row->sign * dot(m->nv, wide->arm, v) + row->push;
    const double wanted = row->impulse - u / wide->mobility;
    const double next = fmax(row->lower, fmin(row->upper, wanted)), change = next - row->impulse;
    row->impulse = next;
    for (int i = 0; i < m->nv; ++i) v[i] += row->sign * change * wide->answer[i];
    max = fmax(max, fabs(change) * wide->mobility);
  }
  return max;
}

void heft_wires_sweep(HeftWorld* w, double* v) {
  const HeftModel* m = w->model;
  Wires* x = w->wires;
  for (int i = 0; i < x->wide_count; ++i) {
    Wide* wide = &x->wide[i];
    if (wide->row_count == 0) continue;
    memcpy(wide->answer, wide->arm, (size_t)m->nv * sizeof(double));
    heft_dynamics_solve(w->dynamics, wide->answer);
    wide->mobility = dot(m->nv, wide->arm, wide->answer);
    for (int r = 0; r < wide->row_count; ++r) wide->row[r].impulse = 0;
    if (!(wide->mobility > 0)) wide->row_count = 0;
  }
  double first = 0;
  for (int sweep = 0; sweep < WIDE_SWEEPS && x->wide_count > 0; ++sweep) {
    double max = 0;
    for (int i = 0; i < x->wide_count; ++i) max = fmax(max, push_wide(m, &x->wide[i], v));
    if (sweep == 0) first = max;
    if (max <= wide_tolerance * first) return;
  }
}

// ---- all of them

void heft_wires_gather(HeftWorld* w) {
  const HeftModel* m = w->model;
  Wires* x = w->wires;
  for (int t = 0; t < m->ntendon && x->count > 0; ++t) {
    if (x->tendon[t][0] >= 0) gather_tendon(w, t);
  }
  for (int e = 0; e < m->nequality && x->count > 0; ++e) {
    if (m->equality_active[e] && x->equality[e][0] >= 0) gather_equality(w, e);
  }
  for (int i = 0; i < x->wide_count; ++i) gather_wide(w, &x->wide[i]);
}
