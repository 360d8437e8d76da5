// SPDX-License-Identifier: Apache-2.0
// <joint springdamper="τ ζ">: stiffness and damping by time constant and damping ratio, as MuJoCo
// has them (documentation of MJCF, joint/springdamper). With the inertia that the joint feels in
// the pose of the file, n / Σ (M⁻¹)_ii over its n dofs,
//
//     stiffness = inertia / (τ ζ)²,   damping = 2 inertia / τ.
#include <heft/dynamics.h>

#include "io/mjcf_tree.h"
#include "io/readers.h"

void mj_read_springdamper(Mjcf* m, const Item* item, int dof, int count) {
  double x[2] = {0, 0};
  if (!mj_given(m, item, MJ_joint_springdamper)) return;
  mj_reals(m, item, MJ_joint_springdamper, x);
  if (!LOAD_OK(m->load) || !(x[0] > 0 && x[1] > 0)) return;
  SpringDamper* s = LOAD_ADD(m->load, &m->load->spring_dampers, SpringDamper);
  if (s) *s = (SpringDamper){dof, count, x[0], x[1], xml_place(item->node)};
}

static void apply(const SpringDamper* s, const HeftDynamics* dynamics, double* column,
                  HeftModel* m) {
  double mobility = 0;
  for (int k = 0; k < s->count; ++k) {
    for (int i = 0; i < m->nv; ++i) column[i] = i == s->dof + k;
    heft_dynamics_solve(dynamics, column);
    mobility += column[s->dof + k];
  }
  const double inertia = s->count / mobility;
  for (int k = s->dof; k < s->dof + s->count; ++k) {
    m->dof_stiffness[k] = inertia / (s->time * s->time * s->ratio * s->ratio);
    m->dof_damping[k] = 2 * inertia / s->time;
  }
}

void spring_dampers_apply(Load* load, HeftModel* model) {
  double* column = load_take(load, (size_t)model->nv, sizeof(double));
  HeftDynamics* dynamics = NULL;
  HeftError error = {0};
  if (!column) return;
  HeftStatus status = heft_dynamics_create(&dynamics, model, &load->allocator, &error);
  if (status == HEFT_OK) {
    heft_dynamics_kinematics(dynamics, model->q_default);
    heft_dynamics_crba(dynamics);
    status = heft_dynamics_factor(dynamics, NULL);
  }
  for (int i = 0; status == HEFT_OK && i < load->spring_dampers.count && LOAD_OK(load); ++i) {
    const SpringDamper* s = &GROW_AT(load->spring_dampers, SpringDamper, i);
    if (load_work(load, s->place, 20.0 * s->count * model->nv)) apply(s, dynamics, column, model);
  }
  heft_dynamics_destroy(dynamics);
  if (status != HEFT_OK)
    load_fail(
        load, status, GROW_AT(load->spring_dampers, SpringDamper, 0).place,
        "<joint springdamper>: %s",
        error.message[0] ? error.message : "the mass matrix in the pose of the file is singular");
}
