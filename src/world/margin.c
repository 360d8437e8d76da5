// SPDX-License-Identifier: Apache-2.0
// Margins of a stance, from the constraints of the last step (docs/theory/margins.md).
//
// The impulses of the step explain its motion: w = Jᵀ f. All other forces f' in their cones with
// Jᵀ f' = w explain it as well, and with Jᵀ f' + a D = w they hold a load whose generalised forces
// are a D. The largest a is a linear program over cones (math/cone_program.c). Its unknowns are the
// velocities of the stance, of dofs that neither springs nor servos without a limit hold. A servo
// with a limit, dry friction and the torques of a contact point are boxes; equalities are rows that
// no motion has.
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "dynamics/links.h"
#include "math/cone_program.h"
#include "math/dense.h"
#include "world/constraints.h"
#include "world/margin_sag.h"
#include "world/world_internal.h"

static const double TOLERANCE = 1e-8,  // relative gap of a program
    MOST = 1e3,                        // forces, relative to the largest of the step
    SAME = 1e-5,                       // relative difference of two loads that are equal, and share
                                       // of the load that friction carries if it slips
    ROUGHLY = 1e-6,                    // of a load that is predicted
    SMALL = 1e-3,                      // forces, relative to the largest, that count as none
    NEEDLESS = 5e-7;                   // factor of friction that counts as none
enum { HALVINGS = 40 };

static double larger(double a, double b) { return b > a ? b : a; }

static const char* const end_names[] = {
#define NAME(id, name) name,
    HEFT_MARGIN_END_LIST(NAME)
#undef NAME
};

const char* heft_margin_end_name(HeftMarginEnd end) {
  return (int)end >= 0 && end < HEFT_MARGIN_END_COUNT ? end_names[end] : "unknown";
}

// The program of a stance. Only its first arrays are filled before the numbers are known.
typedef struct Stance {
  Block block;
  int unknowns, cones, boxes, fixed;
  int* root;              // nlink: 1 if the tree is part of the stance
  int *colour, *active;   // nlink: of the trees; columns that are measured
  int* done;              // unknowns: 1: measured
  int* limit;             // nv: -1: held; 0: free; 1 + actuator: held by a servo with a limit
  int *dof, *column;      // unknowns: their dofs; nv: unknown of a dof, or -1
  int *of_cone, *of_box;  // constraints; -1 - dof: a servo
  int* of_fixed;          // constraints
  int* box_row;           // row of the constraint
  int* fixed_row;         // rows of equalities
  double *v, *u;          // nv: a unit velocity; rows: J v
  double *cost, *along, *shift, *mu, *none, *half, *cone, *box, *rigid, *y;  // none: zeros
  double* force;                    // three of each cone: the dual of y
  double* rigid_cost;               // without sag
  double *moved_cone, *moved_cost;  // contacts of the step: rows; unknowns: weight
  double scale;                     // the largest normal force [N]
  double least;                     // values below this count as zero
  size_t scratch;                   // of the program [bytes]
  unsigned char* memory;
} Stance;

// ---- which dofs and constraints

static double force_of(const MarginInput* in, int row) {
  return in->constraints->solution.impulse[row] / in->step->h;
}

// 1 if a contact point or a limit can carry a load without a gap that must close first.
static int touches(const MarginInput* in, const Constraint* k) {
  return force_of(in, k->row) > 0 || heft_contact_gap_speed(in->step, k->gap) <= 0;
}

static int is_unilateral(const Constraint* k) {
  return k->kind == CONSTRAINT_CONTACT || heft_constraint_is_limit(k);
}

static int counts(const MarginInput* in, const Constraint* k) {
  return !is_unilateral(k) || touches(in, k);
}

// The roots that a constraint acts on, 0: none. Returns 1 if one of them is part of the stance.
static int find_roots(const MarginInput* in, const Constraint* k, const int* part, int out[5]) {
  const ConstraintSet* set = &in->constraints->set;
  int any = 0, count = 0;
  for (int s = 0; s < 2; ++s) out[count++] = heft_link_root(in->model, k->link[s]);
  for (int s = 0; s < 2; ++s)
    out[count++] = k->direction[s] >= 0 ? set->direction_root[k->direction[s]] : 0;
  out[count++] = k->dof[0] >= 0 ? heft_dof_root(in->model, k->dof[0]) : 0;
  HEFT_ASSERT(count == 5);
  for (int s = 0; s < count; ++s) any |= out[s] != 0 && part[out[s]];
  return any;
}

// Adds all trees that are joined to the stance by constraints.
static void join_trees(const MarginInput* in, int* part) {
  const ConstraintSet* set = &in->constraints->set;
  for (int grows = 1; grows;) {
    grows = 0;
    for (int i = 0; i < set->count; ++i) {
      int root[5];
      if (!counts(in, &set->list[i]) || !find_roots(in, &set->list[i], part, root)) continue;
      for (int s = 0; s < 5; ++s) {
        if (root[s] == 0 || part[root[s]]) continue;
        part[root[s]] = grows = 1;
      }
    }
  }
}

static int is_part(const MarginInput* in, const Constraint* k, const int* part) {
  int root[5];
  return counts(in, k) && find_roots(in, k, part, root);
}

static void find_held(const HeftModel* m, int* limit) {
  for (int d = 0; d < m->nv; ++d) limit[d] = m->dof_stiffness[d] > 0 ? -1 : 0;
  for (int a = 0; a < m->nactuator; ++a) {
    const int d = heft_servo_dof(m, a);
    if (d >= 0 && limit[d] == 0) limit[d] = m->actuator_force_limited[a] ? 1 + a : -1;
  }
}

// Counts, and notes which constraint a row is of, where there is room for it.
static void lay_out(const MarginInput* in, Stance* s) {
  const ConstraintSet* set = &in->constraints->set;
  s->unknowns = s->cones = s->boxes = s->fixed = 0;
  for (int d = 0; d < in->model->nv; ++d) {
    const int used = s->limit[d] >= 0 && s->root[heft_dof_root(in->model, d)];
    s->column[d] = used ? s->unknowns : -1;
    if (used && s->dof) s->dof[s->unknowns] = d;
    if (used && s->limit[d] > 0 && s->of_box) s->of_box[s->boxes] = -1 - d;
    s->unknowns += used;
    s->boxes += used && s->limit[d] > 0;
  }
  for (int i = 0; i < set->count; ++i) {
    const Constraint* k = &set->list[i];
    if (!is_part(in, k, s->root)) continue;
    if (is_unilateral(k)) {
      if (s->of_cone) s->of_cone[s->cones] = i;
      s->cones++;
    }
    if (k->kind == CONSTRAINT_EQUALITY) {
      for (int r = 0; r < k->rows; ++r, ++s->fixed) {
        if (s->of_fixed) s->of_fixed[s->fixed] = i;
        if (s->fixed_row) s->fixed_row[s->fixed] = k->row + r;
      }
      continue;
    }
    for (int r = is_unilateral(k) ? 3 : 0; r < k->rows; ++r, ++s->boxes) {
      if (s->of_box) s->of_box[s->boxes] = i;
      if (s->box_row) s->box_row[s->boxes] = k->row + r;
    }
  }
}

// ---- its numbers

// Adds the power of a load at the velocities of the dynamics.
static void add_power(const HeftMarginLoad* load, const HeftDynamics* dynamics, double* power) {
  const HeftSpatial speed = heft_dynamics_body_velocity(dynamics, load->body, load->point);
  *power += heft_vec3_dot(load->force, speed.lin) + heft_vec3_dot(load->torque, speed.ang);
}

// Trees that a constraint joins get different colours: the dofs of trees of one colour are measured
// together.
static int find_colours(const MarginInput* in, Stance* s) {
  const ConstraintSet* set = &in->constraints->set;
  int most = 0;
  memset(s->colour, 0, sizeof(int) * (size_t)heft_link_count(in->model));
  for (int changes = 1; changes;) {
    changes = 0;
    for (int i = 0; i < set->count; ++i) {
      int root[5];
      if (!counts(in, &set->list[i]) || !find_roots(in, &set->list[i], s->root, root)) continue;
      for (int a = 0; a < 5; ++a)
        for (int b = 0; b < 5; ++b) {
          if (root[b] == 0 || root[a] <= root[b] || s->colour[root[a]] != s->colour[root[b]])
            continue;
          changes = ++s->colour[root[a]];
          most = changes > most ? changes : most;
        }
    }
  }
  return most + 1;
}

// A unit velocity of the next dof of each tree of a colour; s->active: its column by root, or -1.
// Returns 0 if all are measured.
static int activate(const MarginInput* in, Stance* s, int colour) {
  int any = 0;
  for (int k = 0; k < heft_link_count(in->model); ++k) s->active[k] = -1;
  memset(s->v, 0, sizeof(double) * (size_t)in->model->nv);
  for (int c = 0; c < s->unknowns; ++c) {
    const int root = heft_dof_root(in->model, s->dof[c]);
    if (s->colour[root] != colour || s->active[root] >= 0 || s->done[c]) continue;
    s->active[root] = c;
    s->v[s->dof[c]] = s->done[c] = any = 1;
  }
  return any;
}

// Writes rows of the constraint i, as measured, to the columns that are active.
static void put_rows(const MarginInput* in, const Stance* s, int i, int row, int rows, double* to) {
  const ConstraintSet* set = &in->constraints->set;
  int root[5];
  find_roots(in, &set->list[i], s->root, root);
  for (int k = 0; k < 5; ++k) {
    const int c = root[k] != 0 ? s->active[root[k]] : -1;
    for (int r = 0; r < rows && c >= 0; ++r)
      to[r * s->unknowns + c] = s->u[row + r] - (set->carried ? set->surface[row + r] : 0);
  }
}

// Zeros for sums, and for rows with numbers in few places.
static void clear(Stance* s) {
  const size_t n = (size_t)s->unknowns, number = sizeof(double), cones = (size_t)s->cones;
  memset(s->cost, 0, n * number);
  memset(s->along, 0, n * number);
  memset(s->moved_cost, 0, n * number);
  memset(s->shift, 0, 3 * cones * number);
  memset(s->none, 0, cones * number);
  memset(s->cone, 0, 3 * cones * n * number);
  memset(s->box, 0, (size_t)s->boxes * n * number);
  memset(s->rigid, 0, (size_t)s->fixed * n * number);
}

// The numbers of rows in the columns of the stance are J e_d.
static void fill_columns(const MarginInput* in, Stance* s, const HeftMarginLoad* loads, int count) {
  const ConstraintSet* set = &in->constraints->set;
  const size_t n = (size_t)s->unknowns;
  const int colours = find_colours(in, s);
  for (int c = 0; c < s->unknowns; ++c) s->done[c] = 0;
  for (int colour = 0; colour < colours; ++colour) {
    while (activate(in, s, colour)) {
      heft_constraint_set_measure(set, in->dynamics, NULL, s->v, s->u);
      for (int i = 0; i < s->cones; ++i) {
        const Constraint* k = &set->list[s->of_cone[i]];
        put_rows(in, s, s->of_cone[i], k->row, k->rows < 3 ? k->rows : 3,
                 s->cone + 3 * (size_t)i * n);
      }
      for (int j = 0; j < s->boxes; ++j)
        if (s->of_box[j] >= 0)
          put_rows(in, s, s->of_box[j], s->box_row[j], 1, s->box + (size_t)j * n);
      for (int j = 0; j < s->fixed; ++j)
        put_rows(in, s, s->of_fixed[j], s->fixed_row[j], 1, s->rigid + (size_t)j * n);
      for (int l = 0; l < count; ++l) {
        const int link = heft_body_mobile_link(in->model, loads[l].body);
        const int c = link > 0 ? s->active[heft_link_root(in->model, link)] : -1;
        if (c >= 0) add_power(&loads[l], in->dynamics, &s->along[c]);
      }
    }
  }
  for (int j = 0; j < s->boxes; ++j)
    if (s->of_box[j] < 0) s->box[(size_t)j * n + (size_t)s->column[-1 - s->of_box[j]]] = 1;
}

// Half the width of a constraint's box.
static void size_box(const MarginInput* in, const Stance* s, int j) {
  const Constraint* k = &in->constraints->set.list[s->of_box[j]];
  const int r = s->box_row[j] - k->row;
  HEFT_ASSERT(r >= 0 && r < k->rows);
  if (k->kind == CONSTRAINT_CONTACT) {
    const double mu = k->type == HEFT_CONSTRAINT_TORSIONAL || r == 5 ? k->mu_spin : k->mu_roll;
    s->half[j] = mu * larger(0, force_of(in, k->row));
  } else {
    s->half[j] = k->upper / in->step->h;
  }
}

// Forces of the constraints, as generalised forces of the stance. The force of a servo is relative
// to the step, so its box has a middle.
static void fill_cost(const MarginInput* in, const Stance* s) {
  const ConstraintSet* set = &in->constraints->set;
  const size_t n = (size_t)s->unknowns;
  for (int i = 0; i < s->cones; ++i) {
    const Constraint* k = &set->list[s->of_cone[i]];
    s->mu[i] = k->rows >= 2 ? larger(k->mu, k->mu_static) : 0;
    for (int r = 0; r < 3 && r < k->rows; ++r) {
      const double force = force_of(in, k->row + r);
      for (size_t c = 0; c < n; ++c)
        s->cost[c] += force * s->cone[(3 * (size_t)i + (size_t)r) * n + c];
    }
  }
  for (int j = 0; j < s->fixed; ++j) {
    const double force = force_of(in, s->fixed_row[j]);
    for (size_t c = 0; c < n; ++c) s->cost[c] += force * s->rigid[(size_t)j * n + c];
  }
  for (int j = 0; j < s->boxes; ++j) {
    double force = 0;
    if (s->of_box[j] >= 0) {
      force = force_of(in, s->box_row[j]);
    } else {
      const int a = s->limit[-1 - s->of_box[j]] - 1;
      const double gear = in->model->actuator_gear[6L * a], now = in->actuator_force[a],
                   *range = &in->model->actuator_force_range[2L * a];
      s->half[j] = 0.5 * fabs(gear) * (range[1] - range[0]);
      force = gear * (now - 0.5 * (range[0] + range[1]));
    }
    for (size_t c = 0; c < n; ++c) s->cost[c] += force * s->box[(size_t)j * n + c];
  }
}

static double largest_force(const MarginInput* in) {
  const ConstraintSet* set = &in->constraints->set;
  double largest = 0;
  for (int i = 0; i < set->count; ++i) {
    const Constraint* k = &set->list[i];
    for (int r = 0; r < k->rows; ++r) largest = larger(largest, fabs(force_of(in, k->row + r)));
  }
  return larger(largest, 1e-3);
}

static void place(void* object, Arena* arena, const void* user) {
  Stance* s = object;
  const MarginInput* in = user;
  const size_t n = (size_t)s->unknowns, cones = (size_t)s->cones, boxes = (size_t)s->boxes;
  s->root = arena_take(arena, heft_link_count(in->model), int);
  s->colour = arena_take(arena, heft_link_count(in->model), int);
  s->active = arena_take(arena, heft_link_count(in->model), int);
  s->done = arena_take(arena, n, int);
  s->limit = arena_take(arena, in->model->nv, int);
  s->column = arena_take(arena, in->model->nv, int);
  s->dof = arena_take(arena, n, int);
  s->of_cone = arena_take(arena, cones, int);
  s->of_box = arena_take(arena, boxes, int);
  s->of_fixed = arena_take(arena, s->fixed, int);
  s->box_row = arena_take(arena, boxes, int);
  s->fixed_row = arena_take(arena, s->fixed, int);
  s->v = arena_take(arena, in->model->nv, double);
  s->u = arena_take(arena, in->constraints->set.row_count, double);
  s->cost = arena_take(arena, n, double);
  s->along = arena_take(arena, n, double);
  s->y = arena_take(arena, n, double);
  s->force = arena_take(arena, 3 * cones, double);
  s->rigid_cost = arena_take(arena, n, double);
  s->moved_cost = arena_take(arena, n, double);
  s->moved_cone =
      arena_take(arena, 3 * (size_t)in->constraints->set.contact_point_count * n, double);
  s->shift = arena_take(arena, 3 * cones, double);
  s->mu = arena_take(arena, cones, double);
  s->none = arena_take(arena, cones, double);
  s->half = arena_take(arena, boxes, double);
  s->cone = arena_take(arena, 3 * cones * n, double);
  s->box = arena_take(arena, boxes * n, double);
  s->rigid = arena_take(arena, ((size_t)s->fixed + 2 * cones) * n, double);
  s->memory = arena_take(arena, s->scratch, unsigned char);
}

static Stance* stance_make(const MarginInput* in, Stance start, HeftError* error) {
  start.scratch = cone_program_scratch(start.unknowns, start.cones, start.boxes);
  return heft_block_create_raw(&start, sizeof start, place, in, in->allocator,
                               "the margin of a stance", error);
}

// The stance of the loads' bodies. NULL if there is no memory.
static Stance* stance_read(const MarginInput* in, const HeftMarginLoad* loads, int count,
                           HeftError* error) {
  Stance* count_only = stance_make(in, (Stance){0}, error);
  if (!count_only) return NULL;
  memset(count_only->root, 0, sizeof(int) * (size_t)heft_link_count(in->model));
  for (int l = 0; l < count; ++l) {
    const int link = heft_body_mobile_link(in->model, loads[l].body);
    if (link > 0) count_only->root[heft_link_root(in->model, link)] = 1;
  }
  join_trees(in, count_only->root);
  find_held(in->model, count_only->limit);
  count_only->dof = count_only->of_cone = count_only->of_box = NULL;
  count_only->box_row = count_only->fixed_row = count_only->of_fixed = NULL;
  lay_out(in, count_only);
  const Stance sizes = {.unknowns = count_only->unknowns,
                        .cones = count_only->cones,
                        .boxes = count_only->boxes,
                        .fixed = count_only->fixed,
                        .scale = largest_force(in)};
  Stance* s = stance_make(in, sizes, error);
  if (s) {
    memcpy(s->root, count_only->root, sizeof(int) * (size_t)heft_link_count(in->model));
    memcpy(s->limit, count_only->limit, sizeof(int) * (size_t)in->model->nv);
    lay_out(in, s);
    clear(s);
    HEFT_ASSERT(s->unknowns == count_only->unknowns && s->cones == count_only->cones &&
                s->boxes == count_only->boxes);
    for (int j = 0; j < s->boxes; ++j) {
      if (s->of_box[j] >= 0) size_box(in, s, j);
    }
    fill_columns(in, s, loads, count);
    heft_dynamics_velocities(in->dynamics, in->state->v);
    fill_cost(in, s);
    memcpy(s->rigid_cost, s->cost, sizeof(double) * (size_t)s->unknowns);
  }
  heft_block_destroy(count_only, in->allocator);
  return s;
}

// ---- questions

// tips: with endless friction: no contact moves along its surface.
static ConeProgram program_of(const Stance* s, int tips) {
  const size_t n = (size_t)s->unknowns;
  int fixed = s->fixed;
  for (int i = 0; i < s->cones && tips; ++i) {
    if (!(s->mu[i] > 0)) continue;
    memcpy(s->rigid + (size_t)fixed * n, s->cone + (3 * (size_t)i + 1) * n, 2 * n * sizeof(double));
    fixed += 2;
  }
  HEFT_ASSERT(fixed <= s->fixed + 2 * s->cones);
  return (ConeProgram){.unknowns = s->unknowns,
                       .cones = s->cones,
                       .boxes = s->boxes,
                       .fixed = fixed,
                       .cost = s->cost,
                       .along = s->along,
                       .cone = s->cone,
                       .mu = tips ? s->none : s->mu,
                       .box = s->box,
                       .half = s->half,
                       .fixed_rows = s->rigid,
                       .bound = MOST * s->scale * (s->cones + 1),
                       .usual = s->scale,
                       .scale = s->least};
}

static HeftStatus solve(Stance* s, const ConeProgram* p, ConeAnswer* answer, HeftError* error) {
  const Arena scratch = arena_make(s->memory, s->scratch, NULL);
  if (cone_program_solve(p, TOLERANCE, scratch, s->y, s->force, answer)) return HEFT_OK;
  return heft_error_set(error, HEFT_ERR_UNSUPPORTED,
                        "the margin of %d contacts and %d degrees of freedom was not found in %d "
                        "steps",
                        s->cones, s->unknowns, answer->steps);
}

// 1 if the load moves a dof that no force of the stance resists.
static int is_free(const Stance* s) {
  const size_t n = (size_t)s->unknowns;
  for (size_t c = 0; c < n; ++c) {
    int held = s->along[c] == 0;
    for (size_t r = 0; r < 3 * (size_t)s->cones && !held; ++r) held = s->cone[r * n + c] != 0;
    for (size_t r = 0; r < (size_t)s->boxes && !held; ++r)
      held = s->box[r * n + c] != 0 && s->half[r] > 0;
    for (size_t r = 0; r < (size_t)s->fixed && !held; ++r) held = s->rigid[r * n + c] != 0;
    if (!held) return 1;
  }
  return 0;
}

static int is_loaded(const Stance* s) {
  for (int c = 0; c < s->unknowns; ++c) {
    if (s->along[c] != 0) return 1;
  }
  return 0;
}

// The contact that moves fastest in the motion y, or -1.
static int find_fastest(const MarginInput* in, const Stance* s) {
  const int count = in->constraints->set.contact_point_count;
  const size_t n = (size_t)s->unknowns;
  double most = 0;
  int fastest = -1;
  for (int i = 0; i < s->cones && s->of_cone[i] < count; ++i) {
    double square = 0;
    for (size_t r = 3 * (size_t)i; r < 3 * (size_t)i + 3; ++r) {
      double sum = 0;
      for (size_t c = 0; c < n; ++c) sum += s->cone[r * n + c] * s->y[c];
      square += sum * sum;
    }
    if (square <= most) continue;
    most = square;
    fastest = s->of_cone[i];
  }
  return fastest;
}

// The speed of a row of a cone in the motion y.
static double speed_of(const Stance* s, int row) {
  return heft_dot(s->unknowns, s->cone + (size_t)row * (size_t)s->unknowns, s->y);
}

// The power of friction in the motion y: the growth of the load per relative growth of friction.
static double friction_power(const Stance* s) {
  double sum = 0;
  for (int i = 0; i < s->cones; ++i)
    sum += fabs(s->force[3 * i + 1] * speed_of(s, 3 * i + 1) +
                s->force[3 * i + 2] * speed_of(s, 3 * i + 2));
  return sum;
}

// The program of the stance after the sag of a load. Returns 0 if no sag carries it.
static int displace(const MarginInput* in, const Stance* s, Sag* sag, double load) {
  const size_t n = (size_t)s->unknowns;
  const int contacts = in->constraints->set.contact_point_count;
  if (!heft_sag_displace(sag, load, s->column, s->unknowns, s->moved_cone, s->moved_cost, s->along))
    return 0;
  for (size_t c = 0; c < n; ++c) s->cost[c] = s->rigid_cost[c] + s->moved_cost[c];
  for (int i = 0; i < s->cones && s->of_cone[i] < contacts; ++i) {
    const size_t rows = (size_t)in->constraints->set.list[s->of_cone[i]].rows;
    memcpy(s->cone + 3 * (size_t)i * n, s->moved_cone + 3 * (size_t)s->of_cone[i] * n,
           sizeof(double) * n * (rows < 3 ? rows : 3));
  }
  return 1;
}

// (cost - Coneᵀ f - a along) · y: at the solution y, f it changes with the sag as the value a does.
static double lagrangian(const Stance* s, double value) {
  double sum = heft_dot(s->unknowns, s->cost, s->y) - value * heft_dot(s->unknowns, s->along, s->y);
  for (int r = 0; r < 3 * s->cones; ++r) sum -= s->force[r] * speed_of(s, r);
  return sum;
}

// The load of which a sag takes so much that it is left, if the stance fails in the motion y with
// these forces: the root of lagrangian(load) = 0 between low and high, where the value at `at` is
// known. The value of the program at a load is stationary in y and the forces, so that the root is
// the load of the program up to the square of the error of `at`.
static double predict(const MarginInput* in, const Stance* s, Sag* sag, double at, double value,
                      double low, double high) {
  const double kept = -lagrangian(s, value);  // what boxes take
  double left = value - at, next = left > 0 ? high : low;
  for (int k = 0; k < 8 && fabs(next - at) > ROUGHLY * fabs(next); ++k) {
    // the multiplier of the load is about the load itself
    const int carried = displace(in, s, sag, next);
    const double there = carried ? lagrangian(s, next) + kept : 0,
                 slope = (there - left) / (next - at);
    if (!carried) {  // just within the end of the way
      high = heft_sag_end(sag);
      next = (1 - 0.5 * SAME) * high;
      if (!(next > low) || !displace(in, s, sag, next)) return 0.5 * (low + high);
      if (lagrangian(s, next) + kept >= 0) return next;
      next = 0.5 * (low + high);
      continue;
    }
    *(there > 0 ? &low : &high) = next;
    at = next;
    left = there;
    next = slope < 0 ? at - left / slope : low;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
  }
  return next;
}

// The load that the stance holds after the sag of that load, at most the load of rigid joints. The
// load that is left falls as the sag grows. A stance that leans so far that no program is found
// does not hold. s->y and s->force: of the motion in which it fails.
static void with_sag(const MarginInput* in, Stance* s, Sag* sag, int tips, double* load) {
  const double rigid = *load;
  double low = 0, high = rigid, at = 0, value = rigid;
  int found = 1;
  for (int k = 0; k < HALVINGS && rigid > 0; ++k) {
    ConeAnswer answer = {0};
    *(value > at ? &low : &high) = at;
    if (heft_sag_end(sag) < high) high = heft_sag_end(sag);
    *load = found ? predict(in, s, sag, at, value, low, high) : 0.5 * (low + high);
    if (fabs(*load - at) <= SAME * *load || high - low <= SAME * high) break;
    at = *load;
    found = displace(in, s, sag, at);
    if (found) {
      const ConeProgram p = program_of(s, tips);
      found = solve(s, &p, &answer, NULL) == HEFT_OK;
    }
    value = answer.value;
    if (fabs(value - at) <= SAME * at || (at >= rigid && value >= rigid)) break;
  }
}

// The size of loads: of their forces, and torques at an arm of a metre.
static double size_of(const HeftMarginLoad* loads, int count) {
  double sum = 0;
  for (int l = 0; l < count; ++l)
    sum += heft_vec3_norm(loads[l].force) + heft_vec3_norm(loads[l].torque);
  return sum;
}

static int is_finite_load(const HeftMarginLoad* load) {
  const HeftVec3 sum = heft_vec3_add(load->point, heft_vec3_add(load->force, load->torque));
  return isfinite(sum.x) && isfinite(sum.y) && isfinite(sum.z);
}

static HeftStatus check_loads(const HeftMarginLoad* loads, int count, HeftError* error) {
  for (int l = 0; l < count; ++l) {
    if (!is_finite_load(&loads[l]))
      return heft_error_set(error, HEFT_ERR_VALUE, "load %d: a number is not finite", l);
  }
  return size_of(loads, count) > 0
             ? HEFT_OK
             : heft_error_set(error, HEFT_ERR_VALUE, "all forces and torques are zero");
}

// The kinematics of the present state are computed if they are not known.
static MarginInput input_of(HeftWorld* w) {
  heft_world_pose(w);
  return (MarginInput){.model = w->model,
                       .state = w->state,
                       .dynamics = w->dynamics,
                       .constraints = w->constraints,
                       .step = &w->input,
                       .actuator_force = w->drives->actuators->force,
                       .allocator = &w->def.allocator};
}

// A margin, of a stance whose friction ends nowhere if `tips`.
static HeftStatus find_margin(const MarginInput* in, Stance* s, const HeftMarginLoad* loads,
                              int count, int tips, HeftMargin* out, HeftError* error) {
  const ConeProgram p = program_of(s, tips);
  Sag* sag = NULL;
  ConeAnswer real;
  HeftStatus status = solve(s, &p, &real, error);
  if (status != HEFT_OK) return status;
  out->end = HEFT_MARGIN_NEVER;
  out->load = out->rigid = HUGE_VAL;
  if (real.bounded || (tips && real.value > 0.1 * MOST * s->least / SMALL)) return HEFT_OK;
  out->load = out->rigid = larger(0, real.value);
  out->gap = real.gap;
  if (heft_sag_exists(in->model, s->root))
    status = heft_sag_create(&sag, in, s->root, loads, count, error);
  if (sag) with_sag(in, s, sag, tips, &out->load);
  heft_sag_destroy(sag);
  out->contact = find_fastest(in, s);
  out->end =
      friction_power(s) > SAME * larger(out->load, s->least) ? HEFT_MARGIN_SLIPS : HEFT_MARGIN_TIPS;
  return status;
}

static HeftStatus ask(const MarginInput* in, const HeftMarginLoad* loads, int count, int tips,
                      HeftMargin* out, HeftError* error) {
  for (int l = 0; l < count; ++l)
    HEFT_REQUIRE(loads[l].body >= 0 && loads[l].body < in->model->nbody, HEFT_ERR_ARGUMENT);
  *out = (HeftMargin){.end = HEFT_MARGIN_FREE, .contact = -1};
  HeftStatus status = check_loads(loads, count, error);
  if (status != HEFT_OK) return status;
  Stance* s = stance_read(in, loads, count, error);
  if (!s) return HEFT_ERR_MEMORY;
  s->least = SMALL * s->scale / size_of(loads, count);
  if (!is_loaded(s)) {
    *out = (HeftMargin){HEFT_MARGIN_NEVER, HUGE_VAL, HUGE_VAL, 0, -1};
  } else if (!is_free(s)) {
    status = find_margin(in, s, loads, count, tips, out, error);
  }
  heft_block_destroy(s, in->allocator);
  return status;
}

HeftStatus heft_world_margin(HeftWorld* w, const HeftMarginLoad* loads, int count, HeftMargin* out,
                             HeftError* error) {
  HEFT_REQUIRE(w && loads && count > 0 && out, HEFT_ERR_ARGUMENT);
  const MarginInput in = input_of(w);
  return ask(&in, loads, count, 0, out, error);
}

HeftStatus heft_world_tip_margin(HeftWorld* w, const HeftMarginLoad* loads, int count,
                                 double* factor, HeftError* error) {
  HEFT_REQUIRE(w && loads && count > 0 && factor, HEFT_ERR_ARGUMENT);
  const MarginInput in = input_of(w);
  HeftMargin margin = {0};
  const HeftStatus status = ask(&in, loads, count, 1, &margin, error);
  *factor = margin.load;
  return status;
}

// ---- friction

// Forces with `factor` times the friction explain the motion of the step, Jᵀ f = w, if they do so
// with some of the normal forces to spare: Jᵀ f + a Jᵀ n = w with a >= 0, where n has a force of
// the size of the largest at every contact. *spare := the largest a. It grows with the factor, by
// what friction takes in the motion that ends it.
static HeftStatus find_spare(Stance* s, const ConeProgram* p, double factor, double* spare,
                             double* growth, HeftError* error) {
  double* mu = s->shift;  // not used otherwise
  ConeProgram scaled = *p;
  ConeAnswer answer;
  for (int i = 0; i < s->cones; ++i) mu[i] = factor * s->mu[i];
  scaled.mu = mu;
  const HeftStatus status = solve(s, &scaled, &answer, error);
  *spare = answer.bounded ? HUGE_VAL : answer.value;
  *growth = 0;
  for (int i = 0; i < s->cones && status == HEFT_OK; ++i) {  // else there may be no motion
    const double x = speed_of(s, 3 * i + 1), y = speed_of(s, 3 * i + 2);
    *growth += s->force[3 * i] * s->mu[i] * sqrt(x * x + y * y);
  }
  return status != HEFT_OK && *spare < 0 ? HEFT_OK : status;  // every motion bounds it from above
}

static HeftStatus find_friction(Stance* s, double* factor, HeftError* error) {
  const size_t n = (size_t)s->unknowns;
  double low = NEEDLESS, high = 1, at = NEEDLESS, spare, growth;
  s->least = 1;
  memset(s->along, 0, sizeof(double) * n);
  for (int i = 0; i < s->cones; ++i)
    for (size_t c = 0; c < n; ++c) s->along[c] += s->scale * s->cone[3 * (size_t)i * n + c];
  if (!is_loaded(s)) return HEFT_OK;
  const ConeProgram p = program_of(s, 0);
  HeftStatus status = find_spare(s, &p, at, &spare, &growth, error);
  int any = status == HEFT_OK;
  if (any && spare >= -NEEDLESS) return status;
  // Almost without friction there may be no answer: a factor counts if it was seen to do.
  for (int k = 0; k < HALVINGS && high - low > NEEDLESS; ++k) {
    const int newton = status == HEFT_OK && growth > 0;
    double next = newton ? at - spare / growth : -1;
    if (next >= high && at < high) next = high;
    if (!(next > low && next <= high)) next = sqrt(low * high);
    if (newton && fabs(next - at) <= NEEDLESS) {  // what is left is its square
      high = next;
      break;
    }
    at = next;
    status = find_spare(s, &p, at, &spare, &growth, error);
    any |= status == HEFT_OK;
    *(status == HEFT_OK && spare >= 0 ? &high : &low) = at;
  }
  *factor = high;
  HEFT_ASSERT(*factor >= 0 && *factor <= 1);
  return any ? HEFT_OK : status;
}

HeftStatus heft_world_friction_needed(HeftWorld* w, int body, double* factor, HeftError* error) {
  HEFT_REQUIRE(w && body > 0 && body < w->model->nbody && factor, HEFT_ERR_ARGUMENT);
  *factor = 0;
  const MarginInput in = input_of(w);
  Stance* s = stance_read(&in, &(HeftMarginLoad){.body = body}, 1, error);
  if (!s) return HEFT_ERR_MEMORY;
  const HeftStatus status = find_friction(s, factor, error);
  heft_block_destroy(s, in.allocator);
  return status;
}

// ---- ranges of normal forces

static HeftStatus find_range(Stance* s, int cone, double* min, double* max, HeftError* error) {
  s->least = SMALL * s->scale;
  ConeProgram p = program_of(s, 0);
  ConeAnswer answer;
  p.along = NULL;
  p.shift = s->shift;
  s->shift[3 * cone] = -1;
  HeftStatus status = solve(s, &p, &answer, error);
  *max = answer.bounded ? HUGE_VAL : answer.value;
  s->shift[3 * cone] = 1;
  if (status == HEFT_OK) status = solve(s, &p, &answer, error);
  *min = larger(0, -answer.value);
  return status;
}

HeftStatus heft_world_contact_range(HeftWorld* w, int contact, double* min, double* max,
                                    HeftError* error) {
  HEFT_REQUIRE(w && min && max, HEFT_ERR_ARGUMENT);
  HEFT_REQUIRE(contact >= 0 && contact < heft_world_contact_count(w), HEFT_ERR_ARGUMENT);
  const HeftContactPoint* point = &w->constraints->set.contact_points.point[contact];
  const int body = heft_body_mobile_link(w->model, point->body_b) ? point->body_b : point->body_a;
  *min = *max = 0;
  const MarginInput in = input_of(w);
  Stance* s = stance_read(&in, &(HeftMarginLoad){.body = body}, 1, error);
  if (!s) return HEFT_ERR_MEMORY;
  HeftStatus status = HEFT_OK;
  for (int i = 0; i < s->cones; ++i) {
    if (s->of_cone[i] == contact) status = find_range(s, i, min, max, error);
  }
  heft_block_destroy(s, in.allocator);
  return status;
}
