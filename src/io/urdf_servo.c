// SPDX-License-Identifier: Apache-2.0
// Position servos for the joints of a URDF: force = stiffness (control - q) - damping v, within the
// effort limit of the joint.
//
// URDF has no gains. Without gains of the user, the effort limit f gives them: the full effort acts
// at an error e of 0.02 rad or 5 mm, so that stiffness = f / e; damping = stiffness x 50 ms, by
// which an error dies out within about 0.1 s if the inertia is small compared with stiffness (50
// ms)². The step treats both implicitly, so that large values need no small time step. A joint
// without effort limit counts as one that carries its links at an arm of 1 m (a slide: five times
// their weight).
#include "io/urdf.h"
#include "model/joint_kind.h"

static const double error_max[2] = {0.02, 0.005};  // [rad, m]
static const double settling = 0.05;               // [s]
static const double gravity = 9.81;                // [m/s²]

static double effort_of(const Urdf* u, const Joint* joint, const HeftJointDef* def) {
  if (def->force_limited) return def->force_range[1];
  const double weight = gravity * u->links[joint->child].tree_mass;
  return joint->type == HEFT_JOINT_SLIDE ? 5 * weight : weight;
}

static void find_gains(Urdf* u, const Joint* joint, double gains[2]) {
  const HeftLoadDef* def = u->load->def;
  gains[0] = def->urdf_gains[0];
  gains[1] = def->urdf_gains[1];
  if (def->urdf_servos == HEFT_URDF_SERVOS_BY_GAINS) return;
  HeftJointDef limits = heft_joint_def_default();
  urdf_effort(u, joint, &limits);
  gains[0] = effort_of(u, joint, &limits) / error_max[joint->type == HEFT_JOINT_SLIDE];
  gains[1] = settling * gains[0];
  if (!limits.force_limited)
    load_warn(u->load, xml_place(joint->node), "no effort",
              "joint '%.80s' has no effort limit; its servo has a stiffness of %.3g by the weight "
              "that it carries",
              joint->name, gains[0]);
}

void urdf_add_servos(Urdf* u) {
  if (u->load->def->urdf_servos == HEFT_URDF_SERVOS_NONE) return;
  for (int i = 0; i < u->link_count && LOAD_OK(u->load); ++i) {
    const int j = u->links[u->order[i]].parent_joint;
    Joint* joint = j >= 0 ? &u->joints[j] : NULL;
    if (!joint || joint->index < 0 || joint->mimics || !joint_is_scalar(joint->type)) continue;
    HeftActuatorDef servo = heft_actuator_def_default();
    double gains[2];
    find_gains(u, joint, gains);
    if (!LOAD_OK(u->load)) return;
    servo.name = joint->name;
    servo.transmission = HEFT_TRANSMISSION_JOINT;
    servo.target = joint->index;
    servo.gain = gains[0];
    servo.bias[1] = -gains[0];
    servo.bias[2] = -gains[1];
    servo.control_limited = urdf_limits(u, joint, servo.control_range);
    joint->servo = heft_builder_add_actuator(u->load->builder, &servo);
  }
}
