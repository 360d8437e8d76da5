// SPDX-License-Identifier: Apache-2.0
// The last step as a linear map (docs/theory/derivatives.md).
//
// The step is a set of equations of v⁺ and the impulses r (moreau.c). Each is differentiated where
// the step has found them,
//
//     M̂ (dv⁺ - dv) - Jᵀ dr = -h ∂f dq_m - ... ,
//     rows: the law of each constraint in the state that it has in the step.
//
// A row that holds stays at its velocity; a contact point that slips keeps its impulse at µ r_n
// against the slip, so that along the slip it pushes with its normal, N = J_n - µ s J_t, and across
// the slip it yields by |slip| / µ r_n; all other rows have no dr. The inertia of the trees comes
// from dynamics/rnea_derivatives.c, with the impulses as wrenches; what turns with the positions
// from derivative_rows.c. The bias of trees of second order is evaluated at a velocity that a first
// pass predicts (prediction.c), which is a linear map of its own.
#include "world/derivative.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "collision/collider.h"
#include "dynamics/links.h"
#include "model/joint_kind.h"
#include "world/contacts.h"
#include "world/softness.h"

static const double least_weight = 0.03;  // of a contact point that carries nothing, in the choice
                                          // among rows that depend on each other

// ---- memory

void heft_step_map_place(void* object, Arena* arena, const void* user) {
  StepMap* x = object;
  const DerivativeInput* in = user;
  const HeftModel* m = in->model;
  const ConstraintSet* set = &in->constraints->set;
  const int nv = m->nv;
  const size_t rows = (size_t)set->row_count * (size_t)nv;
  x->middle.set = set;
  x->start.set = &x->start_set;
  x->start_set.row_count = set->row_count;
  x->start_set.contact_point_count = set->contact_point_count;
  heft_rnea_derivatives_place(&x->rnea, arena, m);
  heft_derivative_rows_place(&x->middle, arena, in);
  heft_derivative_rows_place(&x->start, arena, in);
  x->start_set.list = arena_take(arena, set->count, Constraint);
  x->turns = arena_take(arena, set->row_count, int);
  x->start_set.axis = arena_take_bytes(arena, (size_t)set->row_count, sizeof *set->axis);
  heft_active_rows_place(&x->active, arena, set->row_count, nv);
  x->of_row = arena_take(arena, set->row_count, int);
  x->active_at = arena_take(arena, set->row_count, int);
  x->held = arena_take(arena, nv, int);
  x->held_row = arena_take(arena, nv, int);
  heft_tangent_maps_place(&x->lead, arena, nv);
  heft_tangent_maps_place(&x->rest, arena, nv);
  x->wrench = arena_take_bytes(arena, (size_t)heft_link_count(m), sizeof *x->wrench);
  double** vectors[] = {&x->a, &x->d, &x->after, &x->before, &x->hold_q, &x->hold_v};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; ++i)
    *vectors[i] = arena_take(arena, nv, double);
  heft_kept_momentum_place(&x->kept, arena, m);
  heft_kept_energy_place(&x->energy, arena, m);
  Adjoint* adjoint = &x->adjoint;
  adjoint->start = arena_take(arena, 2L * nv, double);
  double** gradients[] = {&adjoint->force, &adjoint->position, &adjoint->velocity, &adjoint->middle,
                          &adjoint->corrected};
  adjoint->solved = arena_take(arena, 2L * nv, double);
  adjoint->kept = arena_take(arena, 9L * in->keepers->groups.count, double);
  for (size_t i = 0; i < sizeof gradients / sizeof *gradients; ++i)
    *gradients[i] = arena_take(arena, nv, double);
  adjoint->rows = arena_take(arena, set->row_count, double);
  x->by_force = arena_take(arena, 2 * square_of(nv), double);
  heft_correcting_place(&x->correcting, arena, &x->in, set->count);
  double** squares[] = {&x->by_q,     &x->by_v,     &x->early_q,      &x->early_v, &x->mobility,
                        &x->smooth_q, &x->smooth_v, &x->smooth_force, &x->square,  &x->fixed_q,
                        &x->fixed_v,  &x->mass,     &x->freed};
  for (size_t i = 0; i < sizeof squares / sizeof *squares; ++i)
    *squares[i] = arena_take(arena, square_of(nv), double);
  double** wide[] = {&x->rows_q, &x->rows_v, &x->rows_by, &x->turned, &x->turned_v, &x->turned_end};
  for (size_t i = 0; i < sizeof wide / sizeof *wide; ++i)
    *wide[i] = arena_take(arena, rows, double);
}

// ---- smooth forces

// The derivative of inverse dynamics at the bias velocity v_bias and the acceleration x->a, under
// these impulses.
static void find_inverse(StepMap* x, const double* v_bias, const double* impulse, double* by_q,
                         double* by_v) {
  const DerivativeInput* in = &x->in;
  heft_derivative_wrenches(x, impulse, 1 / in->step->h);
  heft_rnea_derivatives(&x->rnea, in->dynamics, v_bias, x->a, (const double(*)[8])x->wrench, by_q,
                        by_v);
  heft_derivative_rows_push(&x->middle, impulse, 1 / in->step->h, by_q);
}

// The part of the first pass: v̄ = v + h/2 a₁ for trees that nothing touches, with the warm
// impulses of their rows.
static void add_first_pass(StepMap* x) {
  const DerivativeInput* in = &x->in;
  const int nv = in->model->nv;
  const double h = in->step->h, *v = in->step->start->v;
  const ConstraintSet* set = &in->constraints->set;
  double* warm = x->turned;  // not used yet
  int any = 0;
  for (int i = 0; i < nv; ++i) {
    x->a[i] = 2 / h * (in->prediction->v_bias[i] - v[i]);
    any |= x->a[i] != 0;
  }
  if (!any) return;
  x->has_early = 1;
  heft_step_map_find_mobility(x);
  for (int i = 0; i < set->count; ++i) {
    const Constraint* k = &set->list[i];
    for (int r = k->row; r < k->row + k->rows; ++r)
      warm[r] = k->middle && k->kind != CONSTRAINT_CONTACT ? set->warm[r] : 0;
  }
  find_inverse(x, v, warm, x->early_q, x->early_v);
  heft_derivative_drives(x, -1, x->early_q, x->early_v);
  // -h B (h/2) Z M̂⁻¹, B = ∂b/∂v at v̄
  memcpy(x->square, x->by_v, square_of(nv) * sizeof(double));
  for (int i = 0; i < nv; ++i) {
    const int root = heft_dof_root(in->model, i);
    if (!in->constraints->lasting.touched[root]) continue;
    for (int k = 0; k < nv; ++k) x->square[(size_t)k * (size_t)nv + (size_t)i] = 0;
  }
  double* share = x->by_q;  // used up
  heft_set_product(nv, nv, nv, -0.5 * h * h, x->square, x->mobility, share);
  for (size_t i = 0; i < square_of(nv); ++i) x->smooth_force[i] += share[i];
  heft_add_product(nv, nv, nv, -1, share, x->early_q, x->smooth_q);
  heft_add_product(nv, nv, nv, -1, share, x->early_v, x->smooth_v);
}

// smooth_q by q_m, smooth_v, smooth_force.
static void find_smooth(StepMap* x) {
  const DerivativeInput* in = &x->in;
  const int nv = in->model->nv;
  const double h = in->step->h, *v = in->step->start->v;
  for (int i = 0; i < nv; ++i) x->a[i] = (in->output->v_solved[i] - v[i]) / h;
  find_inverse(x, in->prediction->v_bias, in->constraints->solution.impulse, x->by_q, x->by_v);
  for (size_t i = 0; i < square_of(nv); ++i) {
    x->smooth_q[i] = -h * x->by_q[i];
    x->smooth_v[i] = -h * x->by_v[i];
    x->smooth_force[i] = 0;
  }
  heft_derivative_drives(x, h, x->smooth_q, x->smooth_v);
  x->has_early = 0;
  for (int i = 0; i < nv; ++i) x->smooth_force[(size_t)i * ((size_t)nv + 1)] = h;
  add_first_pass(x);
}

// ---- rows that hold

static double* jacobian_row(const StepMap* x, int row) {
  return x->middle.jacobian + (size_t)row * (size_t)x->in.model->nv;
}

// Adds a row that holds; returns its number.
static int add_row(StepMap* x, int row, double compliance) {
  ActiveRows* active = &x->active;
  const size_t nv = (size_t)x->in.model->nv, at = (size_t)active->count * nv;
  memcpy(active->along + at, jacobian_row(x, row), nv * sizeof(double));
  memcpy(active->push + at, jacobian_row(x, row), nv * sizeof(double));
  active->compliance[active->count] = compliance;
  active->weight[active->count] = 1;
  x->of_row[active->count] = row;
  x->active_at[row] = active->count;
  return active->count++;
}

// A row along one dof holds it, unless another one does already.
static void hold(StepMap* x, const Constraint* k) {
  const int dof = k->dof[0];
  if (dof < 0 || k->dof[1] >= 0 || k->direction[0] >= 0 || x->held[dof]) {
    add_row(x, k->row, 0);
    return;
  }
  x->held[dof] = 1;
  x->held_row[dof] = k->row;
  ++x->held_count;
}

// Friction of one or two rows within a disk of radius mu r_n; normal: the number of the normal row.
static void add_disk(StepMap* x, int row, int count, double mu, int normal) {
  const IslandSolution* s = &x->in.constraints->solution;
  ActiveRows* active = &x->active;
  const size_t nv = (size_t)x->in.model->nv;
  const double *r = s->impulse + row, *u = s->velocity + row;
  const double pressure = s->impulse[x->of_row[normal]];
  const double force = count == 2 ? sqrt(r[0] * r[0] + r[1] * r[1]) : fabs(r[0]);
  const double slip = count == 2 ? sqrt(u[0] * u[0] + u[1] * u[1]) : fabs(u[0]);
  if (mu == 0) return;
  if (!(slip > heft_slip_limit(x->in.step) && force >= 0.99 * mu * pressure)) {
    for (int i = 0; i < count; ++i) add_row(x, row + i, 0);
    return;
  }
  const double along[2] = {u[0] / slip, count == 2 ? u[1] / slip : 0};
  heft_combine_rows(x->middle.jacobian, nv, row, -mu * along[0], row + (count == 2), -mu * along[1],
                    active->push + (size_t)normal * nv);
  if (count == 1) return;
  const int across = add_row(x, row, slip / (mu * pressure));
  double* to = active->along + (size_t)across * nv;
  memset(to, 0, nv * sizeof(double));
  heft_combine_rows(x->middle.jacobian, nv, row, -along[1], row + 1, along[0], to);
  memcpy(active->push + (size_t)across * nv, to, nv * sizeof(double));
  x->of_row[across] = -1 - row;
  x->active_at[row] = -1;
}

static void add_contact(StepMap* x, const Constraint* k, const HeftContactPoint* point) {
  const double* r = x->in.constraints->solution.impulse + k->row;
  if (!(r[0] > 0)) return;
  const int normal = add_row(x, k->row, k->softness);
  x->active.weight[normal] = fmax(least_weight, r[0] / x->largest);
  if (k->rows >= 3) add_disk(x, k->row + 1, 2, k->mu, normal);
  if (k->rows == 4) add_disk(x, k->row + 3, 1, k->mu_spin, normal);
  if (k->rows == 6) {
    add_disk(x, k->row + 3, 2, k->mu_roll, normal);
    add_disk(x, k->row + 5, 1, k->mu_spin, normal);
  }
  const int patch = k->softness > 0 && point->area > 0;
  if (k->mu_static != k->mu || patch) x->flags |= flag_bit(HEFT_DERIVATIVE_LAW);
}

// 1 if the row of a constraint turns in a way that derivative_rows.c does not know.
static int turns_unknown(const StepMap* x, const Constraint* k) {
  if (k->kind == CONSTRAINT_LIMIT) return k->dof[1] >= 0;
  if (k->direction[0] < 0) return 0;
  const int tendon = k->kind == CONSTRAINT_TENDON_LIMIT ? k->source / 2 : k->source;
  return k->kind == CONSTRAINT_EQUALITY || !x->in.drives->transmissions->list[tendon].straight;
}

// 1 if dry friction is at its limit.
static int slips(const StepMap* x, const Constraint* k) {
  const IslandSolution* s = &x->in.constraints->solution;
  return fabs(s->velocity[k->row]) > heft_slip_limit(x->in.step) &&
         fabs(s->impulse[k->row]) >= 0.99 * fmin(k->upper, -k->lower);
}

static void find_active(StepMap* x) {
  const ConstraintSet* set = &x->in.constraints->set;
  const double* impulse = x->in.constraints->solution.impulse;
  x->active.count = x->held_count = 0;
  x->largest = 0;
  for (int i = 0; i < x->in.model->nv; ++i) x->held[i] = 0;
  for (int i = 0; i < set->row_count; ++i) x->active_at[i] = -1;
  for (int i = 0; i < set->contact_point_count; ++i)
    x->largest = fmax(x->largest, impulse[set->list[i].row]);
  for (int i = 0; i < set->count; ++i) {
    const Constraint* k = &set->list[i];
    const double r = impulse[k->row];
    if (turns_unknown(x, k)) x->flags |= flag_bit(HEFT_DERIVATIVE_DRIVES);
    switch (k->kind) {
      case CONSTRAINT_CONTACT:
        add_contact(x, k, &set->contact_points.point[i]);
        break;
      case CONSTRAINT_LIMIT:
      case CONSTRAINT_TENDON_LIMIT:
        if (r > 0) hold(x, k);
        break;
      case CONSTRAINT_DRY:
      case CONSTRAINT_TENDON_DRY:
        if (!slips(x, k)) hold(x, k);
        break;
      case CONSTRAINT_EQUALITY:
        if (!heft_derivative_is_idle(&x->in, k)) add_row(x, k->row, 0);
        break;
      case CONSTRAINT_KIND_COUNT:
        break;
    }
  }
}

// ---- how the laws of the rows change

// out (active rows x nv) = scale times the rows of the set that they are.
static void add_of_rows(const StepMap* x, const double* all, double scale, const int* chosen,
                        double* out) {
  const size_t nv = (size_t)x->in.model->nv;
  const double* u = x->in.constraints->solution.velocity;
  for (int n = 0; n < x->active.count; ++n) {
    const int row = x->of_row[n];
    if (chosen && !chosen[n]) continue;
    if (row >= 0) {
      heft_combine_rows(all, nv, row, scale, row, 0, out + (size_t)n * nv);
      continue;
    }
    const int first = -1 - row;
    const double slip = sqrt(u[first] * u[first] + u[first + 1] * u[first + 1]);
    heft_combine_rows(all, nv, first, -scale * u[first + 1] / slip, first + 1,
                      scale * u[first] / slip, out + (size_t)n * nv);
  }
}

// The bias -R h k d of a contact point that yields, by its gap -d.
static double spring_rate(const StepMap* x, const Constraint* k, int index) {
  const DerivativeInput* in = &x->in;
  const HeftContactPoint* p = &in->constraints->set.contact_points.point[index];
  if (!(k->softness > 0)) return 0;
  return k->softness * in->step->h * heft_softness_stiffness(in->model, p);
}

// Gaps that close within the step: bias gap / h. Held dofs: dw of their own.
static void add_gaps(StepMap* x) {
  const DerivativeInput* in = &x->in;
  const ConstraintSet* set = &in->constraints->set;
  const size_t nv = (size_t)in->model->nv;
  const double theta = in->step->def->theta;
  for (int i = 0; i < in->model->nv; ++i) {
    x->hold_q[i] = 0;
    x->hold_v[i] = x->held[i] ? -1 : 0;
  }
  for (int i = 0; i < set->count; ++i) {
    const Constraint* k = &set->list[i];
    const int n = x->active_at[k->row], contact = k->kind == CONSTRAINT_CONTACT;
    const int open = contact ? heft_contact_gap_speed(in->step, k->gap) > 0
                             : heft_constraint_is_limit(k) && k->gap > 0;
    const int middle = !contact && k->middle, dof = k->dof[0];
    const double ahead = middle ? theta * in->step->h : in->step->h;
    const double start = middle ? (1 - theta) / theta : 0;
    const double spring = contact && n >= 0 ? spring_rate(x, k, i) : 0;
    if (!open && spring == 0) continue;
    if (n >= 0) {
      heft_combine_rows(x->middle.jacobian, nv, k->row, open ? 1 / ahead : spring, k->row, 0,
                        x->rows_q + (size_t)n * nv);
      heft_combine_rows(x->middle.jacobian, nv, k->row, start, k->row, 0,
                        x->rows_v + (size_t)n * nv);
    } else if (!contact && dof >= 0 && x->held[dof] && x->held_row[dof] == k->row) {
      x->hold_q[dof] = -1 / ahead;
      x->hold_v[dof] = -1 - start;
    }
  }
}

// Takes held dofs out of the equations.
static void take_out(StepMap* x) {
  const size_t nv = (size_t)x->in.model->nv, n = (size_t)x->active.count;
  for (size_t c = 0; c < nv && x->held_count > 0; ++c) {
    if (!x->held[c]) continue;
    for (size_t i = 0; i < nv; ++i) {
      x->smooth_q[i * nv + c] -= x->mass[i * nv + c] * x->hold_q[c];
      x->smooth_v[i * nv + c] -= x->mass[i * nv + c] * x->hold_v[c];
      x->mass[i * nv + c] = 0;
    }
    for (size_t r = 0; r < n; ++r) {
      x->rows_q[r * nv + c] += x->active.along[r * nv + c] * x->hold_q[c];
      x->rows_v[r * nv + c] += x->active.along[r * nv + c] * x->hold_v[c];
      x->active.along[r * nv + c] = 0;
    }
  }
}

static double rate_of(const DerivativeInput* in) {
  return in->step->def->theta / (1 - in->step->def->theta);
}

// Marks the active rows whose bias is due to their turning.
static void mark_loops(StepMap* x) {
  const ConstraintSet* set = &x->in.constraints->set;
  for (int n = 0; n < x->active.count; ++n) x->turns[n] = 0;
  for (int i = set->contact_point_count; i < set->count; ++i) {
    const Constraint* k = &set->list[i];
    const int n = x->active_at[k->row];
    if (n >= 0 && k->middle && k->kind == CONSTRAINT_EQUALITY) x->turns[n] = 1;
  }
}

// rows_q by q_m first, then by q. Rows of trees of second order have the bias
// θ / (1 - θ) (J(q_m) - J(q)) v.
static void find_laws(StepMap* x) {
  const DerivativeInput* in = &x->in;
  const int nv = in->model->nv;
  const size_t size = (size_t)x->active.count * (size_t)nv * sizeof(double);
  heft_clear_rows(x->active.count, nv, x->rows_q);
  memcpy(x->rows_v, x->active.along, size);
  heft_derivative_rows_turn(&x->middle, in->output->v_solved, x->turned_end);
  add_of_rows(x, x->turned_end, 1, NULL, x->rows_q);
  if (!in->constraints->midpoint.any) return;
  mark_loops(x);
  heft_derivative_rows_turn(&x->middle, in->step->start->v, x->turned);
  add_of_rows(x, x->turned, rate_of(in), x->turns, x->rows_q);
  add_of_rows(x, x->middle.jacobian, rate_of(in), x->turns, x->rows_v);
}

// The part of the bias at q.
static void add_start(StepMap* x) {
  const DerivativeInput* in = &x->in;
  if (!in->constraints->midpoint.any) return;
  heft_derivative_pose(x, &x->start, in->step->start->q);
  heft_derivative_rows_turn(&x->start, in->step->start->v, x->turned);
  add_of_rows(x, x->turned, -rate_of(in), x->turns, x->rows_q);
  add_of_rows(x, x->start.jacobian, -rate_of(in), x->turns, x->rows_v);
  heft_dynamics_kinematics(in->dynamics, in->middle->q);
}

static void find_lead(StepMap* x) {
  const DerivativeInput* in = &x->in;
  const HeftModel* m = in->model;
  for (int i = 0; i < m->nv; ++i)
    x->d[i] = in->step->h * (1 - in->middle->theta[i]) * in->step->start->v[i];
  heft_tangent_maps_find(&x->lead, m, x->d);
  for (int i = 0; i < m->nv; ++i)
    x->d[i] = in->step->h * (in->motion->v_position[i] + in->motion->v_correction[i]);
  heft_tangent_maps_find(&x->rest, m, x->d);
  for (int i = 0; i < m->nv; ++i) {
    const int root = heft_dof_root(m, i);
    const Constraints* c = in->constraints;
    const int loose = c->midpoint.first_order[root] && c->regime[root] != REGIME_SUSTAINED;
    x->after[i] = loose ? 0.5 : in->middle->theta[i];
    x->before[i] = loose ? 0.5 : 0;
  }
}

static void find_flags(StepMap* x) {
  const DerivativeInput* in = &x->in;
  const Constraints* c = in->constraints;
  for (int i = 0; i < c->set.count; ++i) {
    if (c->round.bounces[i] || c->round.rebounds[i]) x->flags |= flag_bit(HEFT_DERIVATIVE_IMPACT);
    if (i < c->set.contact_point_count && c->set.contact_points.point[i].time > 0)
      x->flags |= flag_bit(HEFT_DERIVATIVE_IMPACT);
  }
  for (int i = 0; i < c->islands.count; ++i) {
    if (c->islands.list[i].count > 0 && c->solution.island[i].settled)
      x->flags |= flag_bit(HEFT_DERIVATIVE_REST);
  }
  if (c->passage.any_impact || c->passage.stopped) x->flags |= flag_bit(HEFT_DERIVATIVE_IMPACT);
  if (in->prediction->tension.any || in->prediction->tension.pull_count > 0)
    x->flags |= flag_bit(HEFT_DERIVATIVE_SCHEME);
  for (int f = 0; f < in->keepers->groups.count; ++f) {  // of one tree are differentiated
    if (in->keepers->groups.first[f + 1] - in->keepers->groups.first[f] > 1)
      x->flags |= flag_bit(HEFT_DERIVATIVE_SCHEME);
  }
  if (in->keepers->groups.count > 0 && in->model->tree->floats)
    x->flags |= flag_bit(HEFT_DERIVATIVE_SCHEME);
  if (in->keepers->soft_store.slowed) x->flags |= flag_bit(HEFT_DERIVATIVE_SCHEME);
  if (in->keepers->spin.bias.restrains) x->flags |= flag_bit(HEFT_DERIVATIVE_SCHEME);
  if (c->lasting.any) x->flags |= flag_bit(HEFT_DERIVATIVE_SCHEME);
  if (c->collider->detector) x->flags |= flag_bit(HEFT_DERIVATIVE_GEOMETRY);
  if (c->set.carried || c->contact_model || in->model->ndeformable > 0)
    x->flags |= flag_bit(HEFT_DERIVATIVE_LAW);
}

// Returns 1 if M̂ is not positive.
int heft_step_map_find(StepMap* x) {
  const DerivativeInput* in = &x->in;
  const int nv = in->model->nv;
  x->middle.q = in->middle->q;
  x->middle.in = x->start.in = in;
  heft_dynamics_kinematics(in->dynamics, in->middle->q);
  heft_transmissions_update(in->drives->transmissions, in->dynamics, in->middle->q);
  find_flags(x);
  find_lead(x);
  heft_derivative_rows_find(&x->middle);
  if (x->middle.lost) x->flags |= flag_bit(HEFT_DERIVATIVE_GEOMETRY);
  find_active(x);
  if (heft_step_map_find_freed(x)) return 1;
  find_smooth(x);
  heft_derivative_lead(x, nv, x->smooth_q, x->smooth_v);
  find_laws(x);
  heft_derivative_lead(x, x->active.count, x->rows_q, x->rows_v);
  add_gaps(x);
  add_start(x);
  take_out(x);
  heft_active_rows_solve(&x->active, nv, x->freed);
  heft_correcting_find(x);
  heft_kept_energy_find(x);
  return 0;
}
