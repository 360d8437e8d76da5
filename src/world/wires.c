// SPDX-License-Identifier: Apache-2.0
// Constraints on tendons: limits, dry friction, equalities.
//
// Their rows are those of joints (constraint_rows.c) with a direction a in joint space instead of a
// single dof: u = a·v. A tendon equality between lengths y and x has a = ∂y - p'(x) ∂x.
#include "world/wires.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "world/world_internal.h"

static const double wire_share = 0.2;  // of an error is taken back in a step

// ---- memory

static int is_constrained(const HeftModel* m, int t) {
  return m->tendon_limited[t] || m->tendon_friction[t] > 0;
}

static int is_tendon_equality(const HeftModel* m, int e) {
  return m->equality_type[e] == HEFT_EQUALITY_TENDON;
}

static long line_size(const HeftWorld* w, int t) { return t >= 0 ? w->lines->line[t].count : 0; }

static void place(Wires* x, Arena* arena, const HeftWorld* w) {
  const HeftModel* m = w->model;
  long wires = 0, dofs = 0;
  for (int t = 0; t < m->ntendon; ++t) {
    if (!is_constrained(m, t)) continue;
    wires += 2;
    dofs += line_size(w, t);
  }
  for (int e = 0; e < m->nequality; ++e) {
    if (!is_tendon_equality(m, e)) continue;
    wires += 2;
    dofs += line_size(w, m->equality_object[2L * e]) + line_size(w, m->equality_object[2L * e + 1]);
  }
  x->direction = arena_take(arena, wires, HeftDirection);
  x->root = arena_take(arena, wires, int);
  x->mover = arena_take(arena, wires, int);
  x->lane = arena_take(arena, wires, int);
  x->dof = arena_take(arena, dofs, int);
  x->arm = arena_take(arena, dofs, double);
  x->part = arena_take_bytes(arena, (size_t)dofs, sizeof *x->part);
  x->tendon = arena_take_bytes(arena, (size_t)m->ntendon, sizeof *x->tendon);
  x->equality = arena_take_bytes(arena, (size_t)m->nequality, sizeof *x->equality);
  x->at_default = arena_take(arena, m->ntendon, double);
}

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

// The roots of the trees that lines move: how many, the first two in roots.
static int find_roots(const HeftWorld* w, const int line[2], int roots[2]) {
  int count = 0, part[2];
  Merge g = merge_start(w->lines, line);
  for (int dof = merge_next(&g, part); dof >= 0; dof = merge_next(&g, part)) {
    const int root = heft_dof_root(w->model, dof);
    int known = 0;
    for (int i = 0; i < count && i < 2; ++i) known |= roots[i] == root;
    if (known) continue;
    if (count < 2) roots[count] = root;
    ++count;
  }
  return count;
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
  x->mover[x->count] = -1;
  x->direction[x->count++] = (HeftDirection){count, x->dof + *next, x->arm + *next};
  *next += count;
}

static HeftStatus add_wires(HeftWorld* w, const int line[2], int out[2], int* next,
                            HeftError* error) {
  int roots[2] = {0, 0};
  const int trees = find_roots(w, line, roots);
  if (trees > 2)
    return heft_error_set(error, HEFT_ERR_UNSUPPORTED,
                          "a constraint on tendon '%s' ties %d separate mechanisms together; "
                          "at most two are possible",
                          heft_model_name(w->model, HEFT_NAMED_TENDON, line[0]), trees);
  for (int i = 0; i < trees; ++i) {
    out[i] = w->wires->count;
    add_wire(w, w->wires, line, roots[i], next);
  }
  for (int s = 0; s < 2; ++s) {
    if (line[s] >= 0) w->lines->line[line[s]].wanted = 1;
  }
  return HEFT_OK;
}

static HeftStatus add_all(HeftWorld* w, HeftError* error) {
  const HeftModel* m = w->model;
  Wires* x = w->wires;
  HeftStatus status = HEFT_OK;
  int next = 0;
  for (int t = 0; t < m->ntendon && status == HEFT_OK; ++t) {
    const int line[2] = {t, -1};
    x->at_default[t] = w->lines->length[t];
    x->tendon[t][0] = x->tendon[t][1] = -1;
    if (is_constrained(m, t)) status = add_wires(w, line, x->tendon[t], &next, error);
  }
  for (int e = 0; e < m->nequality && status == HEFT_OK; ++e) {
    x->equality[e][0] = x->equality[e][1] = -1;
    if (is_tendon_equality(m, e))
      status = add_wires(w, m->equality_object + 2L * e, x->equality[e], &next, error);
  }
  return status;
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
  return add_all(w, error);
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
    const HeftDirection* d = &x->direction[wires[s]];
    const long first = d->dof - x->dof;
    for (long i = first; i < first + d->count; ++i) {
      const int* part = x->part[i];
      x->arm[i] = (part[0] >= 0 ? arm[part[0]] : 0) + (part[1] >= 0 ? second * arm[part[1]] : 0);
    }
  }
}

static Constraint* add_row(HeftWorld* w, ConstraintKind kind, int source, HeftContactType type,
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

static void add_limit(HeftWorld* w, int t, int upper, double gap, double speed) {
  const double h = w->def.time_step;
  if (gap > h * (2 * fabs(speed) + 0.1)) return;  // out of reach within the step
  Constraint* k = add_row(w, CONSTRAINT_TENDON_LIMIT, 2 * t + upper, HEFT_CONTACT_FRICTIONLESS,
                          w->wires->tendon[t], upper ? -1 : 1);
  if (!k) return;
  k->gap = gap;
  w->constraints->push[k->row] = (gap > 0 ? gap : wire_share * gap) / h;
}

static void add_friction(HeftWorld* w, int t) {
  Constraint* k = add_row(w, CONSTRAINT_TENDON_DRY, t, HEFT_CONTACT_BOX, w->wires->tendon[t], 1);
  if (!k) return;
  k->upper = w->def.time_step * w->model->tendon_friction[t];
  k->lower = -k->upper;
}

static void gather_tendon(HeftWorld* w, int t) {
  const HeftModel* m = w->model;
  heft_line_update(w, t, w->state->q);
  write_arms(w, w->wires->tendon[t], 0);
  const double length = w->lines->length[t], speed = heft_line_speed(w->lines, t, w->state->v);
  if (m->tendon_limited[t]) {
    add_limit(w, t, 0, length - m->tendon_range[2L * t], speed);
    add_limit(w, t, 1, m->tendon_range[2L * t + 1] - length, speed);
  }
  if (m->tendon_friction[t] > 0) add_friction(w, t);
}

// Length 1 follows a polynomial of length 2, both counted from q_default.
static void gather_equality(HeftWorld* w, int e) {
  const HeftModel* m = w->model;
  const int *t = m->equality_object + 2L * e, *wires = w->wires->equality[e];
  const double *p = m->equality_poly + 5L * e, *start = w->wires->at_default;
  for (int s = 0; s < 2; ++s) {
    if (t[s] >= 0) heft_line_update(w, t[s], w->state->q);
  }
  const double y = w->lines->length[t[0]] - start[t[0]];
  const double x = t[1] >= 0 ? w->lines->length[t[1]] - start[t[1]] : 0;
  const double value = p[0] + x * (p[1] + x * (p[2] + x * (p[3] + x * p[4])));
  const double slope = p[1] + x * (2 * p[2] + x * (3 * p[3] + x * 4 * p[4]));
  write_arms(w, wires, -slope);
  Constraint* k = add_row(w, CONSTRAINT_EQUALITY, 6 * e, HEFT_CONTACT_BILATERAL, wires, 1);
  if (k) w->constraints->push[k->row] = wire_share * (y - value) / w->def.time_step;
}

void heft_wires_gather(HeftWorld* w) {
  const HeftModel* m = w->model;
  if (w->wires->count == 0) return;
  for (int t = 0; t < m->ntendon; ++t) {
    if (w->wires->tendon[t][0] >= 0) gather_tendon(w, t);
  }
  for (int e = 0; e < m->nequality; ++e) {
    if (m->equality_active[e] && w->wires->equality[e][0] >= 0) gather_equality(w, e);
  }
}
