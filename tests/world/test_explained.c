// SPDX-License-Identifier: Apache-2.0
// Reported forces explain momentum: for each floating tree and step, from public outputs only,
//
//     M(q_middle) (v_solved - v) = h (Jᵀ f + τ + scheme_force - b(q_middle, v_bias))
//
// along the six dofs of its base, which is the balance of linear and angular momentum of the whole
// tree. f are contacts, equalities and wrenches, b has weight and inertia. The state after the step
// has v_solved and what keepers of momentum and energy add, v - v_solved.
#include <heft/heft.h>
#include <heft/io.h>
#include <math.h>
#include <string.h>

#include "scenes/random.h"
#include "support/check.h"

enum { NV = 700, ROWS = 4000 };
static double q0[NV], v0[NV], change[NV], at_rest[NV], inertia[NV], weight[NV], bias[NV];
static HeftContact contacts[ROWS];
static HeftConstraintForce rows[ROWS];

typedef struct Explained {
  long steps, trees, loaded;  ///< loaded: trees with contacts or equalities
  double linear, angular;     ///< largest defect, relative to the forces on the tree
  double kept;                ///< largest velocity that keepers add to a base in a step [m/s]
} Explained;

static HeftVec3 row_direction(int component, double size) {
  return heft_vec3(component % 3 == 0 ? size : 0, component % 3 == 1 ? size : 0,
                   component % 3 == 2 ? size : 0);
}

// Contacts and equalities as wrenches. Returns the largest force.
static double add_forces(const HeftModel* m, HeftDynamics* d, const HeftWorld* w) {
  const HeftVec3 zero = {0, 0, 0};
  double most = 0;
  const int count = heft_world_contacts(w, contacts, ROWS),
            others = heft_world_constraint_forces(w, rows, ROWS);
  heft_dynamics_clear_wrenches(d);
  for (int i = 0; i < count; ++i) {
    const HeftContact* c = &contacts[i];
    most = fmax(most, heft_vec3_norm(c->force));
    heft_dynamics_add_wrench(d, c->body_b, heft_vec3_add_scaled(c->pos, 0.5, c->offset), c->force,
                             c->torque);
    heft_dynamics_add_wrench(d, c->body_a, heft_vec3_add_scaled(c->pos, -0.5, c->offset),
                             heft_vec3_neg(c->force), heft_vec3_neg(c->torque));
  }
  for (int i = 0; i < others; ++i) {
    const HeftConstraintForce* k = &rows[i];
    if (k->kind != HEFT_CONSTRAINT_EQUALITY) continue;
    const HeftEqualityType type = m->equality_type[k->index];
    if (type != HEFT_EQUALITY_CONNECT && type != HEFT_EQUALITY_WELD) continue;
    most = fmax(most, fabs(k->force));
    for (int s = 0; s < 2; ++s) {
      const int body = m->equality_object[2 * k->index + s];
      const HeftVec3 along = row_direction(k->component, s == 0 ? k->force : -k->force);
      const HeftVec3 at =
          heft_pose_apply(heft_dynamics_body_pose(d, body),
                          heft_vec3_from(m->equality_anchor + 6L * k->index + 3L * s));
      heft_dynamics_add_wrench(d, body, at, k->component < 3 ? along : zero,
                               k->component < 3 ? zero : along);
    }
  }
  return most;
}

static double largest(const double* x) { return fmax(fabs(x[0]), fmax(fabs(x[1]), fabs(x[2]))); }

// Forces are relative to the weight of the tree or the largest force, torques to these at an arm of
// 0.1 m.
static void check_base(Explained* x, const HeftWorld* w, const HeftStepMotion* motion, int dof,
                       double most) {
  const double *v = heft_world_state(w)->v, h = motion->h;
  const double* applied = heft_world_joint_forces((HeftWorld*)w);
  const double force = fmax(largest(weight + dof), most), torque = 0.1 * force;
  for (int i = dof; i < dof + 6; ++i) {
    const double missing = inertia[i] / h + bias[i] - motion->scheme_force[i] - applied[i];
    double* worst = i < dof + 3 ? &x->linear : &x->angular;
    *worst = fmax(*worst, fabs(missing) / (i < dof + 3 ? force : torque));
    if (i < dof + 3) x->kept = fmax(x->kept, fabs(v[i] - motion->v_solved[i]));
  }
  x->loaded += fabs(bias[dof + 2] - weight[dof + 2]) > 0.01 * fabs(weight[dof + 2]);
  ++x->trees;
}

static void check_step(Explained* x, const HeftModel* m, HeftDynamics* d, const HeftWorld* w) {
  const HeftStepMotion motion = heft_world_step_motion(w);
  for (int i = 0; i < m->nv; ++i) change[i] = motion.v_solved[i] - v0[i];
  heft_dynamics_clear_wrenches(d);
  heft_dynamics_kinematics(d, motion.q_middle);
  heft_dynamics_rnea(d, at_rest, change, inertia);
  heft_dynamics_rnea(d, at_rest, NULL, weight);
  for (int i = 0; i < m->nv; ++i) inertia[i] -= weight[i];
  const double most = add_forces(m, d, w);
  heft_dynamics_rnea(d, motion.v_bias, NULL, bias);
  for (int j = 0; j < m->njoint; ++j) {
    if (m->joint_type[j] == HEFT_JOINT_FREE) check_base(x, w, &motion, m->joint_dof[j], most);
  }
  ++x->steps;
}

static void check_model(Explained* all, const char* path, double push, int steps) {
  HeftModel* m = NULL;
  HeftWorld* w = NULL;
  HeftDynamics* d = NULL;
  Explained x = {0};
  if (heft_model_load_file(&m, path, NULL, NULL) != HEFT_OK) print_message("no %s\n", path);
  if (!m) return;
  HeftWorldDef def = heft_world_def_default();
  Random random = {7};
  def.sleep = 0, def.rest = 0, def.spin_parts = 1, def.contact_model = HEFT_CONTACT_MODEL_EXACT;
  assert_int_equal(heft_world_create(&w, m, &def, NULL), HEFT_OK);
  assert_int_equal(heft_dynamics_create(&d, m, NULL, NULL), HEFT_OK);
  assert_true(m->nq <= NV);
  for (int i = 0; i < steps; ++i) {
    for (int k = 0; k < m->nv && i % 50 == 0; ++k)
      heft_world_joint_forces(w)[k] = random_between(&random, -push, push);
    memcpy(q0, heft_world_state(w)->q, (size_t)m->nq * sizeof(double));
    memcpy(v0, heft_world_state(w)->v, (size_t)m->nv * sizeof(double));
    const HeftStepReport r = heft_world_step(w);
    assert_true(heft_step_taken(r.status));
    if (r.parts == 1) check_step(&x, m, d, w);
  }
  printf(
      "%s: %ld steps, %ld trees, %ld with load: force to %.1e, torque to %.1e; keepers at most "
      "%.1e m/s\n",
      path, x.steps, x.trees, x.loaded, x.linear, x.angular, x.kept);
  all->steps += x.steps, all->loaded += x.loaded;
  all->linear = fmax(all->linear, x.linear), all->angular = fmax(all->angular, x.angular);
  heft_dynamics_destroy(d), heft_world_destroy(w), heft_model_destroy(m);
}

static void forces_explain_momentum(void** state) {
  (void)state;
  Explained x = {0};
  check_model(&x, "scenes/humanoid_8.xml", 20, 600);
  check_model(&x, "scenes/quadruped.xml", 5, 600);
  check_model(&x, "scenes/heap.xml", 2, 800);
  check_model(&x, "scenes/cards.xml", 0.2, 800);
  check_model(&x, "models/hrp2_like_robot.xml", 10, 500);
  check_model(&x, "../shared/models/mjcf/agility_cassie/scene.xml", 10, 300);
  check_model(&x, "../shared/models/mjcf/unitree_g1/scene.xml", 10, 300);
  CHECK_AT_MOST(x.linear, 1e-9);
  CHECK_AT_MOST(x.angular, 1e-9);
  assert_true(x.loaded > x.steps);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(forces_explain_momentum)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
