// SPDX-License-Identifier: Apache-2.0
// How springs, dampers, servos and tendons pull when positions, velocities and controls change.
//
// A force F = c₀ + c₁ l + c₂ l̇ along a transmission with constant arms a changes by c₁ a aᵀ dq_m +
// (c₂ + h (2θ - 1) c₁) a aᵀ dv, as the scheme evaluates it (actuation/actuators.c). A force at a
// limit does not change. Transmissions whose arms change are not differentiated.
#include <math.h>
#include <string.h>

#include "model/joint_kind.h"
#include "world/derivative.h"

// Where the derivatives are added, and their factor.
typedef struct DriveRates {
  StepMap* map;
  double scale;
  double *by_q, *by_v;  // nv x nv
} DriveRates;

// matrix += scale a aᵀ, a: the arms of a transmission.
static void add_arms(const Transmissions* l, int t, double scale, int nv, double* matrix) {
  const Transmission* line = &l->list[t];
  for (int i = line->first; i < line->first + line->count; ++i) {
    for (int k = line->first; k < line->first + line->count; ++k)
      matrix[(size_t)l->dof[i] * (size_t)nv + (size_t)l->dof[k]] += scale * l->arm[i] * l->arm[k];
  }
}

// A force c₁ l + c₂ l̇ along a transmission of constant arms. ahead: h (2θ - 1) of its implicit
// spring, or 0.
static void add_force(DriveRates* x, int t, double scale, double c1, double c2, double ahead) {
  const Transmissions* l = x->map->in.drives->transmissions;
  const double square = x->scale * scale * scale;
  if (!l->list[t].straight) {
    x->map->flags |= flag_bit(HEFT_DERIVATIVE_DRIVES);
    return;
  }
  add_arms(l, t, square * c1, x->map->in.model->nv, x->by_q);
  add_arms(l, t, square * (c2 + (c1 < 0 ? c1 * ahead : 0)), x->map->in.model->nv, x->by_v);
}

static double ahead_of(const StepMap* x, int t) {
  const Transmissions* l = x->in.drives->transmissions;
  const double theta = x->in.middle->theta[l->dof[l->list[t].first]];
  return l->list[t].one_path ? x->in.step->h * (2 * theta - 1) : 0;
}

int heft_derivative_is_held(const StepMap* x, int i) {
  const HeftModel* m = x->in.model;
  const Actuators* a = x->in.drives->actuators;
  const double* range = m->actuator_force_range + 2L * i;
  if (a->scheme[i] == ACTUATOR_EXPLICIT)
    return m->actuator_force_limited[i] && (a->plain[i] <= range[0] || a->plain[i] >= range[1]);
  return a->saturated[i] != 0 ||
         (a->dof[i] >= 0 && a->joint_saturated[m->dof_joint[a->dof[i]]] != 0);
}

static void add_actuator(DriveRates* rates, int i) {
  const StepMap* x = rates->map;
  const HeftModel* m = x->in.model;
  const Actuators* a = x->in.drives->actuators;
  const double *rate = m->actuator_gain_rate + 2L * i, *bias = m->actuator_bias + 3L * i;
  const double c1 = rate[0] * a->input[i] + bias[1], c2 = rate[1] * a->input[i] + bias[2];
  const int t = a->transmissions->of_actuator[i];
  if (heft_derivative_is_held(x, i)) return;
  const double ahead = a->scheme[i] == ACTUATOR_EXPLICIT ? 0 : ahead_of(x, t);
  add_force(rates, t, a->transmissions->actuator_scale[i], c1, c2, ahead);
}

static void add_tendon(DriveRates* rates, int t) {
  const StepMap* x = rates->map;
  const HeftModel* m = x->in.model;
  const double *rest = x->in.drives->tendons->rest[t],
               length = x->in.drives->transmissions->length[t];
  const int pulls = length < rest[0] || length > rest[1];
  if (x->in.drives->transmissions->list[t].count == 0) return;
  add_force(rates, t, 1, pulls ? -m->tendon_stiffness[t] : 0, -m->tendon_damping[t],
            ahead_of(x, t));
}

void heft_derivative_drives(StepMap* x, double scale, double* by_q, double* by_v) {
  const DerivativeInput* in = &x->in;
  const HeftModel* m = in->model;
  const size_t nv = (size_t)m->nv;
  DriveRates rates = {x, scale, by_q, by_v};
  for (int i = 0; i < m->nv; ++i) {
    const double k = m->dof_stiffness[i], ahead = in->step->h * (2 * in->middle->theta[i] - 1);
    by_q[(size_t)i * (nv + 1)] -= scale * k;
    by_v[(size_t)i * (nv + 1)] -= scale * (m->dof_damping[i] + ahead * k);
    if (k > 0 && joint_rotation(m->joint_type[m->dof_joint[i]]) >= 0)
      x->flags |= flag_bit(HEFT_DERIVATIVE_DRIVES);
  }
  if (in->drives->idle) return;
  if (in->drives->couplings->count > 0 || in->drives->fluid_count > 0)
    x->flags |= flag_bit(HEFT_DERIVATIVE_DRIVES);
  for (int i = 0; i < m->nactuator; ++i) add_actuator(&rates, i);
  for (int t = 0; t < m->ntendon; ++t) {
    if (m->tendon_stiffness[t] > 0 || m->tendon_damping[t] > 0) add_tendon(&rates, t);
  }
}

// ∂(input of the gain)/∂(control) of an actuator, as actuators.c computes it.
static double input_rate(const StepMap* x, int i) {
  const HeftModel* m = x->in.model;
  const Actuators* a = x->in.drives->actuators;
  const double *range = m->actuator_control_range + 2L * i, u = a->control[i];
  if (m->actuator_control_limited[i] && (u <= range[0] || u >= range[1])) return 0;
  const int at = m->actuator_act[i];
  if (at < 0) return 1;
  const double *limit = m->actuator_act_range + 2L * i, end = a->act_end[at];
  if (!m->actuator_act_early[i]) return 0;
  if (m->actuator_act_limited[i] && (end <= limit[0] || end >= limit[1])) return 0;
  if (m->actuator_activation[i] == HEFT_ACTIVATION_INTEGRATOR) return x->in.step->h;
  const double constant = m->actuator_time[i];
  return constant > 0 ? 1 - heft_exp(-x->in.step->h / constant) : 1;
}

double heft_derivative_control(const StepMap* x, int i) {
  return heft_derivative_is_held(x, i) ? 0
                                       : x->in.model->actuator_gain[i] * input_rate(x, i) *
                                             x->in.drives->transmissions->actuator_scale[i];
}
