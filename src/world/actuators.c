// SPDX-License-Identifier: Apache-2.0
// Actuators.
//
// An actuator pulls along a line of length l with the force
//     F = (g + g₁ l + g₂ l̇) u + b₀ + b₁ l + b₂ l̇ = c₀ + c₁ l + c₂ l̇,
// u its control or its activation, held during the step. So every servo is a spring and a damper.
// In the theta scheme (moreau.c) both are taken at the moment t + θh, where
//     l = l_m + h (2θ - 1) a·v + hθ² a·(v⁺ - v),   l̇ = a·v + θ a·(v⁺ - v),      a = ∂l/∂q,
// so that F = F₀ + R a·(v⁺ - v) with R = hθ² c₁ + θ c₂ <= 0 (only what holds back is taken so; what
// pushes on stays explicit), and M̂ grows by -h R a aᵀ: a servo may be as stiff as it likes. This
// is
// done where a has one dof or lies on one path of a tree, so that the factor does not fill in; all
// other actuators are explicit. Motors have neither c₁ nor c₂: they need no length and no speed.
//
// A force limit makes F a constant and R zero. Which limits hold is known only with v⁺, so the step
// asks afterwards and repeats itself with another factor if the answer has changed. As v⁺ grows
// with F and F falls with v⁺, an actuator alone has exactly one answer. The answer is kept for the
// next step, which therefore seldom has to repeat anything.
#include "world/actuators.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "world/world_internal.h"

static const double limit_slack = 1e-9;  // of a limit: rounding does not switch it

// ---- memory

static void place(Actuators* a, Arena* arena, const HeftModel* m) {
  a->control = arena_take(arena, m->nactuator, double);
  a->input = arena_take(arena, m->nactuator, double);
  a->plain = arena_take(arena, m->nactuator, double);
  a->response = arena_take(arena, m->nactuator, double);
  a->force = arena_take(arena, m->nactuator, double);
  a->saturated = arena_take(arena, m->nactuator, double);
  a->joint_saturated = arena_take(arena, m->njoint, double);
  a->tau = arena_take(arena, m->nv, double);
  a->sum = arena_take(arena, m->nv, double);
  a->yield = arena_take(arena, m->nv, double);
  a->act_end = arena_take(arena, m->nact, double);
  a->way = arena_take(arena, m->nactuator, int);
  a->dof = arena_take(arena, m->nactuator, int);
  a->place = arena_take(arena, m->nactuator, int);
  a->arm = arena_take(arena, m->nactuator, double);
}

// Most actuators turn one hinge or push one slide: these need no line.
static void find_simple(HeftWorld* w, int i) {
  Actuators* a = w->actuators;
  const Lines* l = w->lines;
  Line* line = &l->line[l->actuator_line[i]];
  a->dof[i] = -1;
  if (!line->on_actuator || !line->straight || line->count != 1) return;
  a->dof[i] = l->dof[line->first];
  a->place[i] = l->place[line->first];
  a->arm[i] = l->arm[line->first];
  line->wanted = 0;
}

// The limit of a joint cuts what acts on its one dof.
static int joint_limits(const HeftModel* m, int joint) {
  return m->joint_force_limited[joint] &&
         heft_joint_type_dof_count((HeftJointType)m->joint_type[joint]) == 1;
}

static ActuatorWay choose_way(const HeftWorld* w, int i) {
  const Lines* l = w->lines;
  const Line* line = &l->line[l->actuator_line[i]];
  if (!line->one_path || line->count == 0) return ACTUATOR_EXPLICIT;
  if (line->count == 1) return ACTUATOR_ON_DOF;
  for (int k = line->first; k < line->first + line->count; ++k) {
    if (joint_limits(w->model, w->model->dof_joint[l->dof[k]])) return ACTUATOR_EXPLICIT;
  }
  return ACTUATOR_ON_PATH;
}

HeftStatus heft_actuators_create(HeftWorld* w, HeftError* error) {
  const HeftModel* m = w->model;
  const HeftAllocator* allocator = &w->def.allocator;
  Actuators measured = {0};
  Arena sizes = arena_measure();
  arena_take(&sizes, 1, Actuators);
  place(&measured, &sizes, m);
  Actuators* a = allocator->allocate(allocator->user, sizes.used, ARENA_ALIGNMENT);
  if (!a)
    return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for actuators of %zu bytes",
                          sizes.used);
  memset(a, 0, sizes.used);
  Arena arena = arena_make(a, sizes.used, NULL);
  arena_take(&arena, 1, Actuators);
  place(a, &arena, m);
  a->memory_size = sizes.used;
  w->actuators = a;
  for (int i = 0; i < m->nactuator; ++i) {
    a->way[i] = choose_way(w, i);
    find_simple(w, i);
    a->may_saturate |= a->way[i] != ACTUATOR_EXPLICIT && m->actuator_force_limited[i];
  }
  for (int j = 0; j < m->njoint; ++j) a->joints_limited |= joint_limits(m, j);
  a->may_saturate |= a->joints_limited && m->nactuator > 0;
  return HEFT_OK;
}

void heft_actuators_destroy(HeftWorld* w) {
  if (!w->actuators) return;
  w->def.allocator.release(w->def.allocator.user, w->actuators, w->actuators->memory_size);
  w->actuators = NULL;
}

void heft_actuators_reset(HeftWorld* w) {
  const HeftModel* m = w->model;
  Actuators* a = w->actuators;
  memset(a->control, 0, (size_t)m->nactuator * sizeof(double));
  memset(a->force, 0, (size_t)m->nactuator * sizeof(double));
  memset(a->saturated, 0, (size_t)m->nactuator * sizeof(double));
  memset(a->joint_saturated, 0, (size_t)m->njoint * sizeof(double));
  memset(a->tau, 0, (size_t)m->nv * sizeof(double));
}

// ---- inputs

// Keeps what is not a number.
static double clamp(double x, const double range[2]) {
  return x < range[0] ? range[0] : x > range[1] ? range[1] : x;
}

// An activation after some time under a constant control: exact.
static double activation_after(const HeftModel* m, int i, double act, double control, double time) {
  double next = act;
  if (m->actuator_activation[i] == HEFT_ACTIVATION_INTEGRATOR) {
    next = act + time * control;
  } else {
    const double constant = m->actuator_time[i];
    const double share = constant > 0 ? 1 - heft_exp(-time / constant) : 1;
    next = act + share * (control - act);
  }
  return m->actuator_act_limited[i] ? clamp(next, m->actuator_act_range + 2L * i) : next;
}

static double used_control(const HeftModel* m, const Actuators* a, int i) {
  const double u = a->control[i];
  return m->actuator_control_limited[i] ? clamp(u, m->actuator_control_range + 2L * i) : u;
}

int heft_actuators_begin(HeftWorld* w) {
  const HeftModel* m = w->model;
  Actuators* a = w->actuators;
  for (int i = 0; i < m->nactuator; ++i) {
    if (!isfinite(a->control[i])) return 0;
    const int at = m->actuator_act[i];
    a->input[i] = used_control(m, a, i);
    if (at < 0) continue;
    const double act = w->state->act[at];
    a->act_end[at] = activation_after(m, i, act, a->input[i], w->def.time_step);
    a->input[i] = m->actuator_act_early[i] ? a->act_end[at] : act;
  }
  return 1;
}

// ---- forces

// c₀, c₁, c₂ for this input.
static void coefficients(const HeftModel* m, int i, double input, double c[3]) {
  const double *rate = m->actuator_gain_rate + 2L * i, *bias = m->actuator_bias + 3L * i;
  c[0] = m->actuator_gain[i] * input + bias[0];
  c[1] = rate[0] * input + bias[1];
  c[2] = rate[1] * input + bias[2];
}

static double limited(const HeftModel* m, int i, double force) {
  return m->actuator_force_limited[i] ? clamp(force, m->actuator_force_range + 2L * i) : force;
}

// What an actuator acts on: how long it is, how fast it grows.
static double length_of(const HeftWorld* w, int i, const double* q) {
  const Actuators* a = w->actuators;
  if (a->dof[i] >= 0) return a->arm[i] * q[a->place[i]];
  return w->lines->actuator_scale[i] * w->lines->length[w->lines->actuator_line[i]];
}

static double speed_of(const HeftWorld* w, int i, const double* v) {
  const Actuators* a = w->actuators;
  if (a->dof[i] >= 0) return a->arm[i] * v[a->dof[i]];
  return w->lines->actuator_scale[i] * heft_line_speed(w->lines, w->lines->actuator_line[i], v);
}

static void pull(const HeftWorld* w, int i, double force, double* tau) {
  const Actuators* a = w->actuators;
  if (a->dof[i] >= 0) {
    tau[a->dof[i]] += force * a->arm[i];
  } else {
    heft_line_pull(w->lines, w->lines->actuator_line[i], w->lines->actuator_scale[i] * force, tau);
  }
}

void heft_actuators_prepare(HeftWorld* w, const double* q) {
  const HeftModel* m = w->model;
  const Lines* l = w->lines;
  Actuators* a = w->actuators;
  const double h = w->def.time_step;
  for (int i = 0; i < m->nactuator; ++i) {
    double c[3];
    coefficients(m, i, a->input[i], c);
    a->plain[i] = c[0];
    a->response[i] = 0;
    const int motor = c[1] == 0 && c[2] == 0;
    const double speed = motor ? 0 : speed_of(w, i, w->state->v);
    if (!motor) a->plain[i] = c[0] + c[1] * length_of(w, i, q) + c[2] * speed;
    if (a->way[i] == ACTUATOR_EXPLICIT) a->plain[i] = limited(m, i, a->plain[i]);
    if (motor || a->way[i] == ACTUATOR_EXPLICIT) continue;
    const double theta = w->theta[l->dof[l->line[l->actuator_line[i]].first]];
    const double spring = c[1] < 0 ? c[1] : 0, damper = c[2] < 0 ? c[2] : 0;
    a->plain[i] += spring * h * (2 * theta - 1) * speed;
    a->response[i] = spring * h * theta * theta + damper * theta;
  }
}

// What acts in this step: a limit that is reached takes the place of the force.
static double acting(const HeftModel* m, const Actuators* a, int i) {
  const double* range = m->actuator_force_range + 2L * i;
  if (!a->may_saturate) return a->plain[i];
  return a->saturated[i] < 0 ? range[0] : a->saturated[i] > 0 ? range[1] : a->plain[i];
}

static double answering(const Actuators* a, int i) {
  return a->may_saturate && a->saturated[i] != 0 ? 0 : a->response[i];
}

// Sums over the actuators, dof by dof; the responses of whole paths go into more.
static int sum_up(HeftWorld* w, Stiffening* more) {
  const HeftModel* m = w->model;
  const Lines* l = w->lines;
  Actuators* a = w->actuators;
  int count = 0;
  memset(a->sum, 0, (size_t)m->nv * sizeof(double));
  memset(a->yield, 0, (size_t)m->nv * sizeof(double));
  for (int i = 0; i < m->nactuator; ++i) {
    pull(w, i, acting(m, a, i), a->sum);
    if (answering(a, i) == 0) continue;
    const Line* line = &l->line[l->actuator_line[i]];
    const double scale = l->actuator_scale[i], response = scale * scale * answering(a, i);
    const double* arm = l->arm + line->first;
    if (a->way[i] == ACTUATOR_ON_DOF) {
      a->yield[l->dof[line->first]] += arm[0] * arm[0] * response;
    } else {
      more[count++] = (Stiffening){.count = line->count,
                                   .dof = l->dof + line->first,
                                   .arm = arm,
                                   .scale = -w->def.time_step * response};
    }
  }
  return count;
}

int heft_actuators_act(HeftWorld* w, double* tau, double* extra, Stiffening* more) {
  const HeftModel* m = w->model;
  const Actuators* a = w->actuators;
  const int count = sum_up(w, more);
  for (int i = 0; i < m->nv && !a->joints_limited; ++i) {
    tau[i] += a->sum[i];
    extra[i] -= w->def.time_step * a->yield[i];
  }
  for (int i = 0; i < m->nv && a->joints_limited; ++i) {
    const int joint = m->dof_joint[i];
    const double* range = m->joint_force_range + 2L * joint;
    if (a->joint_saturated[joint] != 0) {
      tau[i] += a->joint_saturated[joint] < 0 ? range[0] : range[1];
    } else {
      tau[i] += a->sum[i];
      extra[i] -= w->def.time_step * a->yield[i];
    }
  }
  return count;
}

// ---- limits

// Where a force belongs: below, between or above its limits. One that holds is let go only when the
// force has really come back.
static double side_of(double force, const double range[2], double now, int only_more) {
  const double slack = limit_slack * (fabs(range[0]) + fabs(range[1]));
  if (now > 0 && (only_more || force > range[1] - slack)) return 1;
  if (now < 0 && (only_more || force < range[0] + slack)) return -1;
  return force > range[1] + slack ? 1 : force < range[0] - slack ? -1 : 0;
}

// How much faster its line has become during the step.
static double speed_change(const HeftWorld* w, int i, const double* v) {
  return speed_of(w, i, v) - speed_of(w, i, w->before->v);
}

static int judge_joints(HeftWorld* w, const double* v, int only_more) {
  const HeftModel* m = w->model;
  Actuators* a = w->actuators;
  int changed = 0;
  for (int j = 0; j < m->njoint; ++j) {
    if (!joint_limits(m, j)) continue;
    const int dof = m->joint_dof[j];
    const double force = a->sum[dof] + a->yield[dof] * (v[dof] - w->before->v[dof]);
    const double side =
        side_of(force, m->joint_force_range + 2L * j, a->joint_saturated[j], only_more);
    changed |= side != a->joint_saturated[j];
    a->joint_saturated[j] = side;
  }
  return changed;
}

int heft_actuators_judge(HeftWorld* w, const double* v, int only_more) {
  const HeftModel* m = w->model;
  Actuators* a = w->actuators;
  if (!a->may_saturate) return 0;
  int changed = a->joints_limited ? judge_joints(w, v, only_more) : 0;
  for (int i = 0; i < m->nactuator; ++i) {
    if (!m->actuator_force_limited[i] || a->way[i] == ACTUATOR_EXPLICIT) continue;
    const double force = a->plain[i] + a->response[i] * speed_change(w, i, v);
    const double side =
        side_of(force, m->actuator_force_range + 2L * i, a->saturated[i], only_more);
    changed |= side != a->saturated[i];
    a->saturated[i] = side;
  }
  return changed;
}

// ---- the end of a step

void heft_actuators_finish(HeftWorld* w, const double* v) {
  const HeftModel* m = w->model;
  Actuators* a = w->actuators;
  memset(a->tau, 0, (size_t)m->nv * sizeof(double));
  for (int i = 0; i < m->nactuator; ++i) {
    const double response = answering(a, i);
    a->force[i] = acting(m, a, i) + (response != 0 ? response * speed_change(w, i, v) : 0);
    pull(w, i, a->force[i], a->tau);
  }
  for (int j = 0; j < m->njoint && a->joints_limited; ++j) {
    if (a->joint_saturated[j] == 0) continue;
    const double* range = m->joint_force_range + 2L * j;
    a->tau[m->joint_dof[j]] = a->joint_saturated[j] < 0 ? range[0] : range[1];
  }
}

void heft_actuators_stage(HeftWorld* w, const double* q, const double* v, double time, double share,
                          double* tau) {
  const HeftModel* m = w->model;
  Actuators* a = w->actuators;
  memset(tau, 0, (size_t)m->nv * sizeof(double));
  for (int i = 0; i < m->nactuator; ++i) {
    const int at = m->actuator_act[i];
    double input = a->input[i], c[3];
    if (at >= 0 && !m->actuator_act_early[i])
      input = activation_after(m, i, w->before->act[at], used_control(m, a, i), time);
    coefficients(m, i, input, c);
    const double force = limited(m, i, c[0] + c[1] * length_of(w, i, q) + c[2] * speed_of(w, i, v));
    a->force[i] += share * force;
    pull(w, i, force, tau);
  }
  for (int j = 0; j < m->njoint && a->joints_limited; ++j) {
    if (joint_limits(m, j))
      tau[m->joint_dof[j]] = clamp(tau[m->joint_dof[j]], m->joint_force_range + 2L * j);
  }
  for (int i = 0; i < m->nv; ++i) a->tau[i] += share * tau[i];
}

// ---- for people

double* heft_world_controls(HeftWorld* w) {
  HEFT_ASSERT(w);
  return w->actuators->control;
}

double heft_world_actuator_force(const HeftWorld* w, int actuator) {
  HEFT_ASSERT(actuator >= 0 && actuator < w->model->nactuator);
  return w->actuators->force[actuator];
}
