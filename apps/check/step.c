// SPDX-License-Identifier: Apache-2.0
// A step: its numbers, time, the balance of forces, and the motion of positions.
//
// Springs, dampers and servos act at the time t + θh, where the position of a dof is
// q_m + h (2θ - 1) v + hθ² (v_s - v) and its velocity v + θ (v_s - v). θ is 1 or the model's,
// and the same for all dofs of a tree; the checker tries those that q_m allows.
#include <math.h>

#include "check.h"

#define ERROR_BOUND(name, bound, unit, text) bound,
const double bounds[ERRORS] = {ERROR_LIST(ERROR_BOUND)};

enum { STEP_HEAD = 11 };  // numbers before q

static Step step;
static double last[2 * NUMBERED + ACTUATORS + 1];  // end of the last step: q, v, act, time
static int has_last;

void enter(Result* r, int error, double value, double explained, int at) {
  if (!(value <= bounds[error] + explained)) r->refused |= 1 << error;  // also NAN
  if (value <= r->error[error]) return;
  r->error[error] = isnan(value) ? HUGE_VAL : value;
  r->at[error] = at;
}

int is_refused(const Result* r) { return r->wrong || r->refused; }

// ---- numbers

static void read_contact(Numbers* n, Contact* c) {
  for (int i = 0; i < 2; ++i) {
    c->shape[i] = take_int(n, 0, model.nshape - 1);
    c->body[i] = model.shape[c->shape[i]].body;
  }
  c->middle = take_int(n, 0, 1);
  fill(n, &c->pos, 28);
}

static void read_row(Numbers* n, Row* r) {
  r->kind = take_int(n, LIMIT, TENDON_DRY);
  const int index = take_int(n, 0, MANY), most = r->kind == EQUAL ? model.nequality : model.nv;
  n->wrong |= r->kind <= EQUAL && index >= most;
  r->index = index < most ? index : 0;
  r->component = take_int(n, 0, 5);
  r->middle = take_int(n, 0, 1);
  fill(n, &r->force, 2);
}

static long read_step(const double* numbers, long count, Step* s) {
  Numbers n = {numbers, count, 0, 0};
  const int nq = model.nq, nv = model.nv, na = model.nact;
  static const int most[] = {1000000000, 100, MANY, CONTACTS, ROWS, MANY, MANY};
  take_ints(&n, &s->index, 7, most);
  fill(&n, &s->before, 4);
  n.wrong |= !(s->h > 0 && s->h < 1e3 && s->parts > 0);
  fill(&n, s->q, nq), fill(&n, s->v, nv), fill(&n, s->act, na);
  fill(&n, s->control, model.nactuator), fill(&n, s->joint_force, nv);
  fill(&n, s->q_middle, nq), fill(&n, s->v_solved, nv), fill(&n, s->v_mean, nv);
  fill(&n, s->v_correction, nv), fill(&n, s->v_bias, nv), fill(&n, s->scheme_force, nv);
  fill(&n, s->q_end, nq), fill(&n, s->v_end, nv), fill(&n, s->act_end, na);
  for (int i = 0; i < s->contacts; ++i) read_contact(&n, &s->contact[i]);
  for (int i = 0; i < s->rows; ++i) read_row(&n, &s->row[i]);
  for (long i = 0; i < count; ++i) n.wrong |= isinf(numbers[i]);
  return wrong_number(&n);
}

// ---- time, activations, the chain of steps

static double control_of(int i) {
  const Actuator* a = &model.actuator[i];
  return a->control_limited ? clamp(step.control[i], a->control[0], a->control[1])
                            : step.control[i];
}

// An activation after the step: an integrator, or a filter with its time constant.
static double act_after(int i, int at) {
  const Actuator* a = &model.actuator[i];
  const double act = step.act[at], u = control_of(i), h = model.h;
  const double share = a->time > 0 ? 1 - exp(-h / a->time) : 1;
  const double next = a->activation == 1  ? act + h * u
                      : a->activation > 1 ? act + share * (u - act)
                                          : act;
  return a->act_limited ? clamp(next, a->range[0], a->range[1]) : next;
}

static void check_time(Result* out) {
  const Step* s = &step;
  enter(out, TIME, fabs(s->after - s->before - model.h) / (model.h + 1e-6 * fabs(s->after)), 0, -1);
  if (s->parts == 1) enter(out, TIME, fabs(s->h - model.h) / model.h, 0, -1);
  for (int i = 0; i < model.nactuator && s->parts == 1; ++i) {
    const int at = model.actuator[i].act;
    if (at >= 0)
      enter(out, TIME, fabs(act_after(i, at) - s->act_end[at]) / (1 + fabs(s->act_end[at])), 0, i);
  }
}

// The end of the last step is the start of this one. Both are q, v, act in the message.
static void check_chain(const double* numbers, Result* out) {
  const Step* s = &step;
  const int n = model.nq + model.nv + model.nact;
  const double *start = numbers + STEP_HEAD,
               *end = start + n + model.nactuator + model.nq + 6L * model.nv;
  int same = last[n] == s->before;
  for (int i = 0; i < n; ++i) same &= last[i] == start[i], last[i] = end[i];
  if (has_last && s->index > 0) enter(out, CHAIN, same ? 0 : 1, 0, -1);
  has_last = 1, last[n] = s->after;
}

// ---- trees

// The errors of q_m for θ = 1 and for the θ of the model, by tree.
static double off[BODIES][2];

static void check_middle(Result* out) {
  static double d[NUMBERED];
  difference(step.q, step.q_middle, d);
  for (int i = 0; i < model.nbody; ++i) off[i][0] = off[i][1] = 0;
  for (int i = 0; i < model.nv; ++i) {
    double* x = off[root_of(i)];
    x[0] = larger(x[0], fabs(d[i]));
    x[1] = larger(x[1], fabs(d[i] - step.h * (1 - model.theta) * step.v[i]));
  }
  for (int i = 0; i < model.nbody; ++i) enter(out, MIDDLE, smaller(off[i][0], off[i][1]), 0, i);
}

// ---- balance of forces

// Joint force of springs and dampers of a dof.
static double passive(int i, double theta, double* size) {
  const Dof* d = &model.dof[i];
  const double h = step.h, v = step.v[i], dv = step.v_solved[i] - v;
  const int at = d->q;
  const double stretch = at < 0 ? 0 : step.q_middle[at] - model.q_spring[at];
  const double spring = d->stiffness * (stretch + h * (2 * theta - 1) * v + h * theta * theta * dv);
  const double damper = d->damping * (v + theta * dv);
  *size += fabs(spring) + fabs(damper);
  return -spring - damper;
}

// Force of an actuator along the one dof that it turns or shifts.
static double drive(int i, double theta) {
  const Actuator* a = &model.actuator[i];
  const int at = a->act;
  const double input = at < 0 ? control_of(i) : a->early ? act_after(i, at) : step.act[at];
  const double c0 = a->gain * input + a->bias[0], c1 = a->rate[0] * input + a->bias[1],
               c2 = a->rate[1] * input + a->bias[2];
  const double speed = a->gear[0] * step.v[a->dof], h = step.h;
  const double change = a->gear[0] * (step.v_solved[a->dof] - step.v[a->dof]);
  const double spring = smaller(c1, 0), damper = smaller(c2, 0);  // the parts that restore
  const double force = c0 + c1 * a->gear[0] * step.q_middle[model.dof[a->dof].q] + c2 * speed +
                       spring * h * (2 * theta - 1) * speed +
                       (spring * h * theta * theta + damper * theta) * change;
  return a->force_limited ? clamp(force, a->force[0], a->force[1]) : force;
}

// Adds the forces of all actuators, limited joint by joint. Trees that are driven otherwise are
// marked.
static void add_drives(double theta, double* force, double* size, int* unknown) {
  static double sum[NUMBERED];
  for (int i = 0; i < model.nv; ++i) sum[i] = 0;
  for (int i = 0; i < model.nactuator; ++i) {
    const Actuator* a = &model.actuator[i];
    unknown[0] |= a->dof < 0;
    if (a->dof < 0) continue;
    sum[a->dof] += a->gear[0] * drive(i, theta);
    size[a->dof] += fabs(a->gear[0] * drive(i, theta));
  }
  for (int i = 0; i < model.nv; ++i) {
    const Dof* d = &model.dof[i];
    force[i] += d->force_limited ? clamp(sum[i], d->force[0], d->force[1]) : sum[i];
  }
}

static void check_balance(Result* out) {
  static double a[NUMBERED], need[NUMBERED], size[NUMBERED], given[NUMBERED], given_size[NUMBERED],
      rounding[NUMBERED], error[BODIES][2];
  static int worst[BODIES];
  const Step* s = &step;
  int unknown = 0;
  for (int i = 0; i < model.nv; ++i) {
    a[i] = (s->v_solved[i] - s->v[i]) / s->h;
    given[i] = s->joint_force[i] + s->scheme_force[i];
    given_size[i] = fabs(s->joint_force[i]) + fabs(s->scheme_force[i]);
  }
  wrench_clear();
  law_forces(s, given, given_size);
  forces_needed(&s->middle, s->v_bias, a, need, size, rounding);
  for (int i = 0; i < model.nbody; ++i) error[i][0] = error[i][1] = 0;
  for (int k = 0; k < 2; ++k) {
    const double theta = k ? model.theta : 1;
    static double force[NUMBERED], all[NUMBERED];
    for (int i = 0; i < model.nv; ++i) force[i] = given[i], all[i] = size[i] + given_size[i];
    add_drives(theta, force, all, &unknown);
    for (int i = 0; i < model.nv; ++i) {
      force[i] += passive(i, theta, &all[i]);
      const double missing = larger(0, fabs(need[i] - force[i]) - rounding[i]);
      const double e = all[i] > 0 ? missing / all[i] + ROUNDING : 0;
      double* tree = &error[root_of(i)][k];
      if (!(e <= *tree)) *tree = e, worst[root_of(i)] = i;
    }
  }
  out->left[ACTUATED] += unknown;
  for (int i = 1; i < model.nbody && !unknown; ++i) {
    const double first = off[i][0] <= bounds[MIDDLE] ? error[i][0] : HUGE_VAL;
    const double second = off[i][1] <= bounds[MIDDLE] ? error[i][1] : HUGE_VAL;
    if (model.body[i].root == i) enter(out, BALANCE, smaller(first, second), 0, worst[i]);
  }
}

// ---- positions

// v_mean = s v + (1 - s) v_s, with a share s of the step before an impact, one for each tree.
static void check_mean(Result* out) {
  static double along[BODIES], square[BODIES], most[BODIES];
  const Step* s = &step;
  for (int i = 0; i < model.nbody; ++i) along[i] = square[i] = most[i] = 0;
  for (int i = 0; i < model.nv; ++i) {
    const int t = root_of(i);
    const double d = s->v[i] - s->v_solved[i];
    along[t] += d * (s->v_mean[i] - s->v_solved[i]);
    square[t] += d * d;
    most[t] = larger(most[t], larger(fabs(s->v[i]), fabs(s->v_solved[i])));
  }
  for (int i = 0; i < model.nv; ++i) {
    const int t = root_of(i);
    const double share = square[t] > 0 ? clamp(along[t] / square[t], 0, 1) : 0;
    const double mean = share * s->v[i] + (1 - share) * s->v_solved[i];
    step.share[t] = share;
    enter(out, MEAN, fabs(s->v_mean[i] - mean) / (most[t] + norm(model.gravity) * s->h + 1e-300), 0,
          i);
  }
}

// Quaternions have unit length.
static void check_units(const double* q, Result* out) {
  for (int i = 0; i < model.njoint; ++i) {
    const Joint* j = &model.joint[i];
    const double* x = q + j->q + (j->type == FREE ? 3 : 0);
    if (j->type < BALL) continue;
    const double square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3];
    enter(out, MOVE, 0.5 * fabs(square - 1), 0, j->dof);
  }
}

static void check_move(Result* out) {
  static double d[NUMBERED], q[NUMBERED];
  const Step* s = &step;
  difference(s->q, s->q_middle, d);
  for (int i = 0; i < model.nv; ++i) d[i] = s->v_mean[i] + s->v_correction[i] - d[i] / s->h;
  advance(s->q_middle, d, s->h, q);
  difference(q, s->q_end, d);
  for (int i = 0; i < model.nv; ++i) enter(out, MOVE, fabs(d[i]), 0, i);
  check_units(s->q_middle, out), check_units(s->q_end, out);
}

// The correction takes out depths and open loops; with levers, a joint moves by more than these. In
// flight it holds the centre of mass on its parabola, from which links that turn take it by
// (hω)² R.
static void check_correction(Result* out) {
  static double turned[BODIES];
  const Step* s = &step;
  for (int i = 0; i < model.nbody; ++i) {
    const int root = model.body[i].root;
    const double w = s->h * norm(s->twist[i].w);
    const Vec arm = sub(place(s->middle.body[i], model.body[i].com), s->middle.body[root].p);
    turned[i] = 0;
    if (root > 0) turned[root] = larger(turned[root], w * w * norm(arm));
  }
  for (int i = 0; i < model.nv && !s->unseen; ++i)
    enter(out, CORRECTED, fabs(s->h * s->v_correction[i]), 100 * s->depth + turned[root_of(i)], i);
}

void step_check(const double* numbers, long count, Result* out) {
  Step* s = &step;
  *out = (Result){0};
  out->wrong = read_step(numbers, count, s);
  if (out->wrong) return;
  out->index = s->index, out->status = s->status;
  out->left[UNSOLVED] = s->status != 0;
  s->depth = 0;
  const int foreign = model.moved > 0 || model.deformables > 0;
  const int pulled = model.tendons > 0 || model.fluid;  // forces that are not in the evidence
  const int ends_only = s->parts != 1 || !model.moreau || model.substeps != 1 || foreign;
  check_chain(numbers, out);
  check_time(out);
  frames_find(&s->start, s->q), frames_find(&s->end, s->q_end);
  if (!ends_only) {
    frames_find(&s->middle, s->q_middle);
    twists_find(&s->middle, s->v_solved, s->twist);
    twists_find(&s->start, s->v, s->twist_start);
    twists_find(&s->middle, s->v_correction, s->twist_correction);
    inertias_find(&s->middle, s->inertia);
    check_middle(out);
    if (!pulled) check_balance(out);
    check_mean(out);
    check_move(out);
    law_scale(s);
    law_contacts(s, out);
  }
  out->left[DIVIDED] += ends_only && !foreign;
  out->left[DRIVES] += foreign || pulled;
  if (foreign) return;
  law_rows(s, out, ends_only);
  touch_check(s, out, ends_only);
  if (!ends_only && !pulled) check_correction(out), flight_check(s, out);
}
