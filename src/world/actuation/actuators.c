// SPDX-License-Identifier: Apache-2.0
// Actuators.
//
// An actuator pulls along a transmission of length l with the force
//     F = (g + g₁ l + g₂ l̇) u + b₀ + b₁ l + b₂ l̇ = c₀ + c₁ l + c₂ l̇,
// u its control or its activation, constant during the step. So every servo is a spring and a
// damper. The theta scheme (moreau.c) evaluates both at the time t + θh, where
//     l = l_m + h (2θ - 1) a·v + hθ² a·(v⁺ - v),   l̇ = a·v + θ a·(v⁺ - v),      a = ∂l/∂q,
// so that F = F₀ + R a·(v⁺ - v) with R = hθ² c₁ + θ c₂ <= 0, and M̂ grows by -h R a aᵀ. Only
// restoring terms (c₁, c₂ < 0) are implicit; the others stay explicit. A servo is therefore stable
// for every stiffness. An actuator is implicit if a has one dof or lies on one path of a tree, so
// that the factor does not fill in; all other actuators are explicit. Motors have c₁ = c₂ = 0: they
// need no length and no speed.
//
// A force limit makes F a constant and R zero. The limits that hold depend on v⁺. The step is
// therefore repeated with another factor if the limits at v⁺ differ from those assumed. As v⁺ grows
// with F and F falls with v⁺, a single actuator has exactly one solution. The limits that hold are
// stored for the next step, which seldom repeats.
#include "world/actuation/actuators.h"
#include "math/scalar.h"

#include <math.h>
#include <string.h>

static const double limit_slack = 1e-9;  // of a limit: rounding does not switch it

// ---- memory

static void place(void* object, Arena* arena, const void* user) {
  Actuators* a = object;
  const HeftModel* m = user;
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
  a->scheme = arena_take(arena, m->nactuator, int);
  a->dof = arena_take(arena, m->nactuator, int);
  a->place = arena_take(arena, m->nactuator, int);
  a->arm = arena_take(arena, m->nactuator, double);
}

// An actuator on one hinge or slide needs no transmission.
static void find_simple(Actuators* a, Transmissions* l, int i) {
  Transmission* t = &l->list[l->of_actuator[i]];
  a->dof[i] = -1;
  if (!t->on_actuator || !t->straight || t->count != 1) return;
  a->dof[i] = l->dof[t->first];
  a->place[i] = l->place[t->first];
  a->arm[i] = l->arm[t->first];
  t->wanted = 0;
}

// The limit of a joint cuts what acts on its one dof.
static int joint_limits(const HeftModel* m, int joint) {
  return m->joint_force_limited[joint] && heft_joint_type_dof_count(m->joint_type[joint]) == 1;
}

static ActuatorScheme choose_scheme(const HeftModel* m, const Transmissions* l, int i) {
  const Transmission* t = &l->list[l->of_actuator[i]];
  if (!t->one_path || t->count == 0) return ACTUATOR_EXPLICIT;
  if (t->count == 1) return ACTUATOR_ON_DOF;
  for (int k = t->first; k < t->first + t->count; ++k) {
    if (joint_limits(m, m->dof_joint[l->dof[k]])) return ACTUATOR_EXPLICIT;
  }
  return ACTUATOR_ON_PATH;
}

Actuators* heft_actuators_create(const HeftModel* m, Transmissions* transmissions,
                                 const HeftAllocator* allocator, HeftError* error) {
  Actuators start = {.model = m, .transmissions = transmissions};
  Actuators* a = heft_block_create(&start, sizeof start, place, m, allocator, "actuators", error);
  if (!a) return NULL;
  for (int i = 0; i < m->nactuator; ++i) {
    a->scheme[i] = choose_scheme(m, transmissions, i);
    find_simple(a, transmissions, i);
    a->may_saturate |= a->scheme[i] != ACTUATOR_EXPLICIT && m->actuator_force_limited[i];
  }
  for (int j = 0; j < m->njoint; ++j) a->joints_limited |= joint_limits(m, j);
  a->may_saturate |= a->joints_limited && m->nactuator > 0;
  return a;
}

void heft_actuators_reset(Actuators* a) {
  const HeftModel* m = a->model;
  memset(a->control, 0, (size_t)m->nactuator * sizeof(double));
  memset(a->force, 0, (size_t)m->nactuator * sizeof(double));
  memset(a->saturated, 0, (size_t)m->nactuator * sizeof(double));
  memset(a->joint_saturated, 0, (size_t)m->njoint * sizeof(double));
  memset(a->tau, 0, (size_t)m->nv * sizeof(double));
}

// ---- inputs

static double clamp(double x, const double range[2]) { return heft_clamp(x, range[0], range[1]); }

// An activation after some time under a constant control: exact.
static double activation_after(const HeftModel* m, int i, double act, double control, double time) {
  double next = act;
  switch (m->actuator_activation[i]) {
    case HEFT_ACTIVATION_INTEGRATOR:
      next = act + time * control;
      break;
    case HEFT_ACTIVATION_FILTER:
    case HEFT_ACTIVATION_FILTER_EXACT: {
      const double constant = m->actuator_time[i];
      const double share = constant > 0 ? 1 - heft_exp(-time / constant) : 1;
      next = act + share * (control - act);
      break;
    }
    case HEFT_ACTIVATION_NONE:
    case HEFT_ACTIVATION_COUNT:
      break;
  }
  return m->actuator_act_limited[i] ? clamp(next, m->actuator_act_range + 2L * i) : next;
}

static double used_control(const Actuators* a, int i) {
  const HeftModel* m = a->model;
  const double u = a->control[i];
  return m->actuator_control_limited[i] ? clamp(u, m->actuator_control_range + 2L * i) : u;
}

int heft_actuators_begin(Actuators* a, const StepInput* in) {
  const HeftModel* m = a->model;
  for (int i = 0; i < m->nactuator; ++i) {
    if (!isfinite(a->control[i])) return 0;
    const int at = m->actuator_act[i];
    a->input[i] = used_control(a, i);
    if (at < 0) continue;
    const double act = in->start->act[at];
    a->act_end[at] = activation_after(m, i, act, a->input[i], in->h);
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

// Length of what an actuator acts on, and its rate.
static double length_of(const Actuators* a, int i, const double* q) {
  const Transmissions* l = a->transmissions;
  if (a->dof[i] >= 0) return a->arm[i] * q[a->place[i]];
  return l->actuator_scale[i] * l->length[l->of_actuator[i]];
}

static double speed_of(const Actuators* a, int i, const double* v) {
  const Transmissions* l = a->transmissions;
  if (a->dof[i] >= 0) return a->arm[i] * v[a->dof[i]];
  return l->actuator_scale[i] * heft_transmission_speed(l, l->of_actuator[i], v);
}

static void pull(const Actuators* a, int i, double force, double* tau) {
  const Transmissions* l = a->transmissions;
  if (a->dof[i] >= 0) {
    tau[a->dof[i]] += force * a->arm[i];
  } else {
    heft_transmission_pull(l, l->of_actuator[i], l->actuator_scale[i] * force, tau);
  }
}

void heft_actuators_prepare(Actuators* a, const StepInput* in, const double* q,
                            const double* thetas) {
  const HeftModel* m = a->model;
  const Transmissions* l = a->transmissions;
  const double h = in->h;
  for (int i = 0; i < m->nactuator; ++i) {
    double c[3];
    coefficients(m, i, a->input[i], c);
    a->plain[i] = c[0];
    a->response[i] = 0;
    const int motor = c[1] == 0 && c[2] == 0;
    const double speed = motor ? 0 : speed_of(a, i, in->start->v);
    if (!motor) a->plain[i] = c[0] + c[1] * length_of(a, i, q) + c[2] * speed;
    if (a->scheme[i] == ACTUATOR_EXPLICIT) a->plain[i] = limited(m, i, a->plain[i]);
    if (motor || a->scheme[i] == ACTUATOR_EXPLICIT) continue;
    const double theta = thetas[l->dof[l->list[l->of_actuator[i]].first]];
    const double spring = c[1] < 0 ? c[1] : 0, damper = c[2] < 0 ? c[2] : 0;
    a->plain[i] += spring * h * (2 * theta - 1) * speed;
    a->response[i] = spring * h * theta * theta + damper * theta;
  }
}

// The force in this step: a limit that holds replaces the computed force.
static double acting(const Actuators* a, int i) {
  const double* range = a->model->actuator_force_range + 2L * i;
  if (!a->may_saturate) return a->plain[i];
  return a->saturated[i] < 0 ? range[0] : a->saturated[i] > 0 ? range[1] : a->plain[i];
}

static double answering(const Actuators* a, int i) {
  return a->may_saturate && a->saturated[i] != 0 ? 0 : a->response[i];
}

// Sums over the actuators, dof by dof; the responses of whole paths are appended to more.
static int sum_up(Actuators* a, double h, Stiffening* more) {
  const HeftModel* m = a->model;
  const Transmissions* l = a->transmissions;
  int count = 0;
  memset(a->sum, 0, (size_t)m->nv * sizeof(double));
  memset(a->yield, 0, (size_t)m->nv * sizeof(double));
  for (int i = 0; i < m->nactuator; ++i) {
    pull(a, i, acting(a, i), a->sum);
    if (answering(a, i) == 0) continue;
    const Transmission* t = &l->list[l->of_actuator[i]];
    const double scale = l->actuator_scale[i], response = scale * scale * answering(a, i);
    const double* arm = l->arm + t->first;
    if (a->scheme[i] == ACTUATOR_ON_DOF) {
      a->yield[l->dof[t->first]] += arm[0] * arm[0] * response;
    } else {
      more[count++] = (Stiffening){
          .count = t->count, .dof = l->dof + t->first, .arm = arm, .scale = -h * response};
    }
  }
  return count;
}

int heft_actuators_act(Actuators* a, double h, double* tau, double* extra, Stiffening* more) {
  const HeftModel* m = a->model;
  const int count = sum_up(a, h, more);
  for (int i = 0; i < m->nv && !a->joints_limited; ++i) {
    tau[i] += a->sum[i];
    extra[i] -= h * a->yield[i];
  }
  for (int i = 0; i < m->nv && a->joints_limited; ++i) {
    const int joint = m->dof_joint[i];
    const double* range = m->joint_force_range + 2L * joint;
    if (a->joint_saturated[joint] != 0) {
      tau[i] += a->joint_saturated[joint] < 0 ? range[0] : range[1];
    } else {
      tau[i] += a->sum[i];
      extra[i] -= h * a->yield[i];
    }
  }
  return count;
}

// ---- limits

// -1, 0, 1 for a force below, between and above its limits. A limit that holds is released only if
// the force has come back by more than the slack, and none is followed by the opposite one: a servo
// that is stiff enough to jump from limit to limit has its force between them.
static double side_of(double force, const double range[2], double now, int only_more) {
  const double slack = limit_slack * (fabs(range[0]) + fabs(range[1]));
  if (now > 0) return only_more || force > range[1] - slack ? 1 : 0;
  if (now < 0) return only_more || force < range[0] + slack ? -1 : 0;
  return force > range[1] + slack ? 1 : force < range[0] - slack ? -1 : 0;
}

// Change of the transmission's speed during the step.
static double speed_change(const Actuators* a, int i, const double* v_start, const double* v) {
  return speed_of(a, i, v) - speed_of(a, i, v_start);
}

// Finds the limits that hold at v. keep: 1 to leave those assumed as they are.
static int judge_joints(const Actuators* a, const double* v_start, const double* v, int only_more,
                        int keep) {
  const HeftModel* m = a->model;
  int changed = 0;
  for (int j = 0; j < m->njoint; ++j) {
    if (!joint_limits(m, j)) continue;
    const int dof = m->joint_dof[j];
    const double force = a->sum[dof] + a->yield[dof] * (v[dof] - v_start[dof]);
    const double side =
        side_of(force, m->joint_force_range + 2L * j, a->joint_saturated[j], only_more);
    changed |= side != a->joint_saturated[j];
    if (!keep) a->joint_saturated[j] = side;
  }
  return changed;
}

static int judge(const Actuators* a, const double* v_start, const double* v, int only_more,
                 int keep) {
  const HeftModel* m = a->model;
  if (!a->may_saturate) return 0;
  int changed = a->joints_limited ? judge_joints(a, v_start, v, only_more, keep) : 0;
  for (int i = 0; i < m->nactuator; ++i) {
    if (!m->actuator_force_limited[i] || a->scheme[i] == ACTUATOR_EXPLICIT) continue;
    const double force = a->plain[i] + a->response[i] * speed_change(a, i, v_start, v);
    const double side =
        side_of(force, m->actuator_force_range + 2L * i, a->saturated[i], only_more);
    changed |= side != a->saturated[i];
    if (!keep) a->saturated[i] = side;
  }
  return changed;
}

int heft_actuators_judge(Actuators* a, const double* v_start, const double* v, int only_more) {
  return judge(a, v_start, v, only_more, 0);
}

int heft_actuators_settled(const Actuators* a, const double* v_start, const double* v,
                           int only_more) {
  return !judge(a, v_start, v, only_more, 1);
}

int heft_actuators_limited(const Actuators* a) {
  const HeftModel* m = a->model;
  if (!a->may_saturate) return 0;
  for (int i = 0; i < m->nactuator; ++i) {
    if (a->saturated[i] != 0) return 1;
  }
  for (int j = 0; j < m->njoint && a->joints_limited; ++j) {
    if (a->joint_saturated[j] != 0) return 1;
  }
  return 0;
}

// ---- the end of a step

void heft_actuators_finish(Actuators* a, const double* v_start, const double* v) {
  const HeftModel* m = a->model;
  memset(a->tau, 0, (size_t)m->nv * sizeof(double));
  for (int i = 0; i < m->nactuator; ++i) {
    const double response = answering(a, i);
    a->force[i] = acting(a, i) + (response != 0 ? response * speed_change(a, i, v_start, v) : 0);
    pull(a, i, a->force[i], a->tau);
  }
  for (int j = 0; j < m->njoint && a->joints_limited; ++j) {
    if (a->joint_saturated[j] == 0) continue;
    const double* range = m->joint_force_range + 2L * j;
    a->tau[m->joint_dof[j]] = a->joint_saturated[j] < 0 ? range[0] : range[1];
  }
}

void heft_actuators_stage(Actuators* a, const StepInput* in, const double* q, const double* v,
                          double time, double share, double* tau) {
  const HeftModel* m = a->model;
  memset(tau, 0, (size_t)m->nv * sizeof(double));
  for (int i = 0; i < m->nactuator; ++i) {
    const int at = m->actuator_act[i];
    double input = a->input[i], c[3];
    if (at >= 0 && !m->actuator_act_early[i])
      input = activation_after(m, i, in->start->act[at], used_control(a, i), time);
    coefficients(m, i, input, c);
    const double force = limited(m, i, c[0] + c[1] * length_of(a, i, q) + c[2] * speed_of(a, i, v));
    a->force[i] += share * force;
    pull(a, i, force, tau);
  }
  for (int j = 0; j < m->njoint && a->joints_limited; ++j) {
    if (joint_limits(m, j))
      tau[m->joint_dof[j]] = clamp(tau[m->joint_dof[j]], m->joint_force_range + 2L * j);
  }
  for (int i = 0; i < m->nv; ++i) a->tau[i] += share * tau[i];
}
