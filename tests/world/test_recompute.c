// SPDX-License-Identifier: Apache-2.0
// Steps recomputed from outside: 10,000 steps of robots and heaps in motion, from public outputs
// only. The law of each row, w |r - P(r - û / w)|, has the residual that the world reports to three
// digits, and positions must follow q⁺ = q ⊕ h (v_mean + v_correction), by way of q_middle.
#include <heft/heft.h>
#include <heft/io.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/random.h"
#include "support/check.h"

enum { NV = 700, ROWS = 4000 };
static double q0[NV], v_all[NV], q_end[NV], missed[NV];
static HeftContact contacts[ROWS];
static HeftConstraintForce rows[ROWS];

typedef struct Checked {
  long steps, rows, large;  ///< large: residuals above rounding
  double worst;             ///< difference of one of these, relative
  double missed;            ///< largest distance of a coordinate from the recomputed one [m, rad]
  double size;              ///< largest velocity that an impulse of the step gives [m/s]
} Checked;

// residual: as reported. u is the sum of the velocities of all impulses, so that it has a rounding.
static void compare(Checked* x, double own, double residual) {
  const double rounding = 1e-11 * x->size, difference = fabs(own - residual);
  x->rows += 1, x->large += residual > 1e3 * rounding;
  if (!(difference <= 1e-3 * residual + rounding))
    fail_msg("residual %.6e recomputed as %.6e", residual, own);
  if (residual > 1e3 * rounding) x->worst = fmax(x->worst, difference / residual);
}

static double cone_error(const double r[3], const double u[3], double mu, double w) {
  const double x[3] = {r[0] - (u[0] + mu * hypot(u[1], u[2])) / w, r[1] - u[1] / w,
                       r[2] - u[2] / w};
  const double t = hypot(x[1], x[2]), flank = (x[0] + mu * t) / (1 + mu * mu);
  const double n = fmax(0, t <= mu * x[0] ? x[0] : flank), part = t > mu * n ? mu * n / t : 1;
  return w * hypot(r[0] - n, hypot(r[1] - part * x[1], r[2] - part * x[2]));
}

static void check_contact(Checked* x, HeftDynamics* d, const HeftStepMotion* motion,
                          const HeftContact* c) {
  const double h = motion->h;
  if (c->weight == 0) return;
  heft_dynamics_kinematics(d, c->middle ? motion->q_middle : q0);
  heft_dynamics_velocities(d, motion->v_solved);
  const HeftVec3 at_b = heft_vec3_add_scaled(c->pos, 0.5, c->offset),
                 at_a = heft_vec3_add_scaled(c->pos, -0.5, c->offset);
  const HeftVec3 moves = heft_vec3_sub(heft_dynamics_body_velocity(d, c->body_b, at_b).lin,
                                       heft_dynamics_body_velocity(d, c->body_a, at_a).lin);
  const HeftVec3 velocity = heft_vec3_add(moves, c->turning);
  const HeftVec3 second = heft_vec3_cross(c->normal, c->tangent);
  const double r[3] = {h * heft_vec3_dot(c->force, c->normal),
                       h * heft_vec3_dot(c->force, c->tangent),
                       h * heft_vec3_dot(c->force, second) / c->anisotropy};
  const double u[3] = {heft_vec3_dot(velocity, c->normal) + c->bias + c->softness * r[0],
                       heft_vec3_dot(velocity, c->tangent),
                       c->anisotropy * heft_vec3_dot(velocity, second)};
  double own = cone_error(r, u, c->kinetic, c->weight);
  if (c->friction > c->kinetic)  // it may also stick between the two cones
    own = fmin(own, fmax(cone_error(r, u, c->friction, c->weight), hypot(u[1], u[2])));
  compare(x, own, c->residual);
}

static HeftVec3 loop_velocity(const HeftModel* m, const HeftDynamics* d, int e) {
  HeftVec3 v[2];
  for (int s = 0; s < 2; ++s) {
    const int body = m->equality_object[2 * e + s];
    const HeftVec3 at = heft_pose_apply(heft_dynamics_body_pose(d, body),
                                        heft_vec3_from(m->equality_anchor + 6L * e + 3L * s));
    v[s] = heft_dynamics_body_velocity(d, body, at).lin;
  }
  return heft_vec3_sub(v[0], v[1]);
}

static void check_row(Checked* x, const HeftModel* m, HeftDynamics* d, double h,
                      const HeftStepMotion* motion, const HeftConstraintForce* k) {
  const double r = k->force * h, w = k->weight, *v = motion->v_solved;
  double own = 0;
  if (w == 0 || k->kind >= HEFT_CONSTRAINT_TENDON_LIMIT || k->component > 2) return;
  if (k->kind == HEFT_CONSTRAINT_LIMIT) {
    const double u = (k->component ? -v[k->index] : v[k->index]) + k->bias;
    own = w * fabs(r - fmax(0, r - u / w));
  } else if (k->kind == HEFT_CONSTRAINT_DRY_FRICTION) {
    const double most = h * m->dof_friction[k->index], u = v[k->index] + k->bias;
    own = w * fabs(r - fmax(-most, fmin(r - u / w, most)));
  } else {
    heft_dynamics_kinematics(d, k->middle ? motion->q_middle : q0), heft_dynamics_velocities(d, v);
    const HeftConstraintForce* first = k - k->component;
    const HeftVec3 bias = heft_vec3(first[0].bias, first[1].bias, first[2].bias);
    own = fabs(heft_vec3_dot(heft_vec3_add(loop_velocity(m, d, k->index), bias), k->axis));
  }
  compare(x, own, k->residual);
}

static void check_step(Checked* x, const HeftModel* m, HeftDynamics* d, const HeftWorld* w,
                       int lost) {
  const HeftStepMotion motion = heft_world_step_motion(w);
  const int count = heft_world_contacts(w, contacts, ROWS),
            others = heft_world_constraint_forces(w, rows, ROWS);
  x->size = 1;
  for (int i = 0; i < others; ++i)
    x->size = fmax(x->size, rows[i].weight * fabs(rows[i].force) * motion.h);
  for (int i = 0; i < count; ++i) check_contact(x, d, &motion, &contacts[i]);
  for (int i = 0; i < others; ++i) check_row(x, m, d, motion.h, &motion, &rows[i]);
  heft_q_difference(m, q0, motion.q_middle, missed);  // the way to the middle
  for (int i = 0; i < m->nv; ++i)
    v_all[i] = motion.v_mean[i] + motion.v_correction[i] - missed[i] / motion.h;
  heft_q_integrate(m, motion.q_middle, v_all, motion.h, q_end);
  heft_q_difference(m, q_end, heft_world_state(w)->q, missed);
  for (int i = 0; i < m->nv && !lost; ++i) x->missed = fmax(x->missed, fabs(missed[i]));
  ++x->steps;
}

static void check_model(Checked* x, const char* path, double push, int steps) {
  HeftModel* m = NULL;
  HeftWorld* w = NULL;
  HeftDynamics* d = NULL;
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
    const HeftStepReport r = heft_world_step(w);
    assert_true(heft_step_taken(r.status));
    if (r.parts == 1) check_step(x, m, d, w, r.error[HEFT_QUANTITY_TIME_LOST].value > 0);
  }
  heft_dynamics_destroy(d), heft_world_destroy(w), heft_model_destroy(m);
}

static void residuals_are_confirmed(void** state) {
  (void)state;
  Checked x = {0};
  const int share = getenv("HEFT_SHORT") ? 5 : 1;
  check_model(&x, "scenes/humanoid_8.xml", 20, 3000 / share);
  check_model(&x, "scenes/quadruped.xml", 5, 3000 / share);
  check_model(&x, "scenes/heap.xml", 2, 1500 / share);
  check_model(&x, "scenes/cards.xml", 0.2, 1000 / share);
  check_model(&x, "models/hrp2_like_robot.xml", 10, 1500 / share);
  check_model(&x, "../shared/models/mjcf/agility_cassie/scene.xml", 10, 800 / share);
  check_model(&x, "../shared/models/mjcf/unitree_g1/scene.xml", 10, 800 / share);
  printf("%ld steps, %ld rows, %ld residuals above rounding: worst difference %.1e of one\n",
         x.steps, x.rows, x.large, x.worst);
  printf("positions within %.1e\n", x.missed);
  CHECK_AT_MOST(x.missed, 1e-9);
  assert_true(x.steps >= 9900 / share && x.large > x.steps);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(residuals_are_confirmed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
