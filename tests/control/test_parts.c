// SPDX-License-Identifier: Apache-2.0
// Papers: R45, R47, R48, R50.
// Servos, trajectories, inverse kinematics, compliance, gaze, sensors and filters, each against
// what is known about it.
#include "control/robot.h"

static void a_drive_resists(void** state) {
  (void)state;
  const HeftDrive d = {
      .gear = 100, .kp = 2, .kv = 0.1, .rotor_inertia = 1e-5, .viscous = 3, .dry = 5, .limit = 1};
  assert_true(heft_drive_torque(&d, 0.1, 0, 0, 0, 0) == 100 * 2 * 0.1);
  CHECK_AT_MOST(fabs(heft_drive_torque(&d, 0, 0, 0, 0, 0.5) - (-100 * 0.05 - 1.5 - 5)), 1e-12);
  CHECK_AT_MOST(fabs(heft_drive_torque(&d, 0, 0, 0, 0, -0.5) - (100 * 0.05 + 1.5 + 5)), 1e-12);
  assert_true(heft_drive_torque(&d, 10, 0, 0, 0, 0) == 100);  // the limit
  assert_true(heft_drive_torque(&d, 0, 0, 40, 0, 0) == 40);
  CHECK_AT_MOST(fabs(heft_drive_armature(&d) - 0.1), 1e-15);
  HeftDrive soft = d;
  soft.dry_speed = 1;
  CHECK_AT_MOST(fabs(heft_drive_torque(&soft, 0, 0.5, 0, 0, 0.5) - (-1.5 - 2.5)), 1e-12);
}

static void splines_go_through_their_points(void** state) {
  (void)state;
  const double t[5] = {0, 0.5, 1.5, 2, 4};
  const double y[10] = {0, 1, 2, -1, 3, 0, 1, 2, 5, 5};
  HeftSpline* s = NULL;
  assert_int_equal(heft_spline_create(&s, 5, 2, t, y, NULL, NULL), HEFT_OK);
  double x[2], v[2], a[2], before[2], after[2];
  for (int i = 0; i < 5; ++i) {
    heft_spline_at(s, t[i], x, v, a);
    CHECK_AT_MOST(fabs(x[0] - y[2 * i]) + fabs(x[1] - y[2 * i + 1]), 1e-12);
    if (i == 0 || i == 4) CHECK_AT_MOST(fabs(v[0]) + fabs(v[1]), 1e-12);
    if (i == 0 || i == 4) continue;
    heft_spline_at(s, t[i] - 1e-9, NULL, NULL, before);
    heft_spline_at(s, t[i] + 1e-9, NULL, NULL, after);
    CHECK_AT_MOST(fabs(before[0] - after[0]) + fabs(before[1] - after[1]), 1e-6);
  }
  for (double at = 0.05; at < 4; at += 0.1) {  // velocities are differences
    double low[2], high[2];
    heft_spline_at(s, at - 1e-5, low, NULL, NULL);
    heft_spline_at(s, at + 1e-5, high, NULL, NULL);
    heft_spline_at(s, at, x, v, a);
    CHECK_AT_MOST(fabs((high[0] - low[0]) / 2e-5 - v[0]), 1e-7);
  }
  heft_spline_at(s, 9, x, v, NULL);
  assert_true(x[0] == 5 && v[0] == 0);
  heft_spline_destroy(s);
}

static void trajectories_are_read(void** state) {
  (void)state;
  const char* text = "# a curve\ntime,a,b\n0, 1.5, -2e-3\n0.25;  2.5 0.125\n\n1 3e2,4\n";
  HeftSpline* s = NULL;
  HeftError error = {0};
  assert_int_equal(heft_spline_read(&s, text, strlen(text), NULL, &error), HEFT_OK);
  assert_int_equal(heft_spline_channels(s), 2);
  assert_true(heft_spline_end(s) == 1);
  double x[2];
  heft_spline_at(s, 0, x, NULL, NULL);
  assert_true(x[0] == 1.5);
  CHECK_AT_MOST(fabs(x[1] + 0.002), 1e-18);
  heft_spline_at(s, 0.25, x, NULL, NULL);
  assert_true(x[0] == 2.5 && x[1] == 0.125);
  heft_spline_destroy(s);
  const char* wrong[] = {"",           "0 1\n",        "0 1\n0 2\n",     "0 1\n1 2 3\n",
                         "0 1\n1 x\n", "0 1\n1 2,-\n", "0 1\n1 1e999\n", "0 1\n1 2e\n"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    error = (HeftError){0};
    assert_int_equal(heft_spline_read(&s, wrong[i], strlen(wrong[i]), NULL, &error),
                     HEFT_ERR_VALUE);
    assert_true(!s && error.message[0]);
  }
}

static void hands_are_placed(void** state) {
  (void)state;
  Lab lab = robot_lab("hrp2_like.xml", pose_half_sitting);
  const int root = lab_body(&lab, "pelvis");
  HeftPoseSolver* solver = NULL;
  assert_int_equal(heft_pose_solver_create(&solver, lab.model, root, NULL, NULL), HEFT_OK);
  HeftDynamics* d = NULL;
  assert_int_equal(heft_dynamics_create(&d, lab.model, NULL, NULL), HEFT_OK);
  heft_dynamics_kinematics(d, lab.start);
  HeftPoseTarget t[4] = {0};
  for (int side = 0; side < 2; ++side) {  // feet stay, the right hand goes up, the weight sideways
    const int foot = lab_body(&lab, side == 0 ? "left_foot" : "right_foot");
    const HeftPose x = heft_dynamics_body_pose(d, foot);
    t[side] = (HeftPoseTarget){.body = foot,
                               .pos = x.pos,
                               .quat = heft_quat_from_mat3(x.rot),
                               .move = {1, 1, 1},
                               .turn = 1};
  }
  t[2] = (HeftPoseTarget){
      .body = lab_body(&lab, "right_hand"), .pos = {0.35, -0.2, 1.05}, .move = {1, 1, 1}};
  t[3] = (HeftPoseTarget){.body = -1, .pos = {lab.goal.com.x, 0.04, 0}, .move = {1, 1, 0}};
  const double left = heft_pose_solver_solve(solver, t, 4, lab.start);
  CHECK_AT_MOST(left, 1e-5);
  heft_dynamics_kinematics(d, lab.start);
  const HeftVec3 hand = heft_dynamics_body_pose(d, t[2].body).pos;
  CHECK_AT_MOST(heft_vec3_norm(heft_vec3_sub(hand, t[2].pos)), 1e-5);
  CHECK_AT_MOST(fabs(heft_dynamics_center_of_mass(d, root).y - 0.04), 1e-5);
  t[2].pos = heft_vec3(3, 0, 1);  // out of reach: it says so, and stays sound
  assert_true(heft_pose_solver_solve(solver, t, 4, lab.start) > 0.5);
  for (int i = 0; i < lab.model->nq; ++i) assert_true(isfinite(lab.start[i]));
  heft_dynamics_destroy(d);
  heft_pose_solver_destroy(solver);
  lab_release(&lab);
}

// A dof of the chain from the right hand to the pelvis: right arm and waist.
static int is_between(const HeftModel* m, int dof) {
  static const char* const parts[] = {"right_shoulder", "right_elbow", "right_wrist", "waist"};
  const char* name = heft_model_name(m, HEFT_NAMED_JOINT, m->dof_joint[dof]);
  for (int i = 0; i < 4; ++i)
    if (strncmp(name, parts[i], strlen(parts[i])) == 0) return 1;
  return 0;
}

// M q̈ + B q̇ = Jᵀ f from rest: q̇ = Jᵀf / B (1 - e^{-B t / M}) for each dof with its own M and B,
// f a force and a torque. Implicit steps have the power (1 + h B / M)^-n in the place of e^{-Bt/M}.
// Only joints between hand and waist move.
static void a_touched_arm_gives_way(void** state) {
  (void)state;
  Lab lab = robot_lab("hrp2_like.xml", pose_half_sitting);
  HeftCompliance* c = NULL;
  assert_int_equal(heft_compliance_create(&c, lab.model, NULL, NULL), HEFT_OK);
  const HeftDynamics* d = heft_world_dynamics(lab.world);
  const int hand = lab_body(&lab, "right_hand"), nv = lab.model->nv, steps = 150;
  const HeftVec3 at = heft_dynamics_body_pose(d, hand).pos;
  const HeftLoad push = {.body = hand, .point = at, .force = {10, -4, 3}, .torque = {0.5, 2, -1}};
  const double f[6] = {0.5, 2, -1, 10, -4, 3}, h = 0.001;
  double jacobian[6 * 64], before[64];
  heft_dynamics_body_jacobian(d, hand, at, jacobian);
  for (int i = 0; i < nv; ++i) heft_compliance_set_dof(c, i, 0.2 + 0.05 * i, 1 + 0.5 * i, 0);
  const double* speed = heft_compliance_velocity(c);
  for (int i = 0; i < steps; ++i) heft_compliance_step(c, d, &push, 1, h);
  int moved = 0;
  for (int i = 0; i < nv; ++i) {
    const double inertia = 0.2 + 0.05 * i, damping = 1 + 0.5 * i;
    double torque = 0;
    for (int k = 0; k < 6; ++k) torque += jacobian[k * nv + i] * f[k];
    const double last = is_between(lab.model, i) ? torque / damping : 0;
    const double implicit = last * (1 - pow(1 + h * damping / inertia, -steps));
    const double exact = last * (1 - exp(-damping * steps * h / inertia));
    CHECK_AT_MOST(fabs(speed[i] - implicit), 1e-12);
    CHECK_AT_MOST(fabs(speed[i] - exact), 0.01 * fabs(last));
    moved += speed[i] != 0;
    before[i] = speed[i];
  }
  assert_true(moved == 8);  // six of the arm, two of the waist
  heft_compliance_step(c, d, NULL, 0, h);
  for (int i = 0; i < nv; ++i)
    CHECK_AT_MOST(fabs(speed[i] - before[i] / (1 + h * (1 + 0.5 * i) / (0.2 + 0.05 * i))), 1e-12);
  heft_compliance_apply(c, lab.start, lab.posture);
  assert_true(memcmp(lab.posture, lab.start, 7 * sizeof(double)) == 0);
  heft_compliance_destroy(c);
  lab_release(&lab);
}

static void eyes_find_a_point(void** state) {
  (void)state;
  const char* robots[] = {"hrp2_like.xml", "cb_like.xml", "avatar.xml"};
  for (int r = 0; r < 3; ++r) {
    Lab lab = robot_lab(robots[r], NULL);
    HeftGaze* gaze = NULL;
    const int site = heft_model_find(lab.model, HEFT_NAMED_SITE, "gaze");
    assert_int_equal(heft_gaze_create(&gaze, lab.model, site, -1, 3, NULL, NULL), HEFT_OK);
    HeftDynamics* d = NULL;
    assert_int_equal(heft_dynamics_create(&d, lab.model, NULL, NULL), HEFT_OK);
    const HeftVec3 point = heft_vec3(1, 0.4, 1.2);
    double left = 1;
    for (int i = 0; i < 600; ++i) {
      heft_dynamics_kinematics(d, lab.start);
      left = heft_gaze_step(gaze, d, lab.start, point, 0.001, lab.start);
    }
    CHECK_AT_MOST(left, 1e-3);
    heft_gaze_destroy(gaze);
    heft_dynamics_destroy(d);
    lab_release(&lab);
  }
}

// What a sensor with a skew calibration, an offset and a tool reads, its calibration takes back.
static const HeftSpatial nothing = {{0, 0, 0}, {0, 0, 0}};

static void a_force_sensor_is_calibrated(void** state) {
  (void)state;
  Random random = {5};
  HeftForceSensor s = heft_force_sensor_default();
  for (int i = 0; i < 36; ++i) s.matrix[i] += random_between(&random, -0.1, 0.1);
  for (int i = 0; i < 6; ++i) s.offset[i] = random_between(&random, -5, 5);
  s.quat = heft_quat_from_axis_angle(heft_vec3(0, 1, 0), HEFT_PI / 2);
  s.mass = 0.8;
  s.com = heft_vec3(0, 0.01, -0.05);
  const HeftVec3 g = heft_vec3(0, 0, -9.81);
  for (int trial = 0; trial < 50; ++trial) {
    const HeftQuat body = random_quat(&random);
    const HeftSpatial outside = {random_vec3(&random, 3), random_vec3(&random, 50)};
    const HeftVec3 weight = heft_vec3_scale(s.mass, g);
    const HeftVec3 arm = heft_quat_rotate(heft_quat_mul(body, s.quat), s.com);
    const HeftSpatial felt = {heft_vec3_add(outside.ang, heft_vec3_cross(arm, weight)),
                              heft_vec3_add(outside.lin, weight)};
    double raw[6];
    assert_int_equal(heft_force_sensor_read(&s, body, felt, 0, raw), HEFT_OK);
    const HeftSpatial back = heft_force_sensor_outside(&s, body, g, raw);
    CHECK_AT_MOST(heft_vec3_norm(heft_vec3_sub(back.lin, outside.lin)), 1e-10);
    CHECK_AT_MOST(heft_vec3_norm(heft_vec3_sub(back.ang, outside.ang)), 1e-10);
  }
  s = heft_force_sensor_default();
  double sum = 0, squares = 0;
  for (int i = 0; i < 6; ++i) s.noise[i] = 0.5;
  for (uint64_t k = 0; k < 5000; ++k) {
    double raw[6], again[6];
    heft_force_sensor_read(&s, heft_quat_identity(), nothing, k, raw);
    heft_force_sensor_read(&s, heft_quat_identity(), nothing, k, again);
    assert_memory_equal(raw, again, sizeof raw);
    sum += raw[2];
    squares += raw[2] * raw[2];
  }
  CHECK_AT_MOST(fabs(sum / 5000), 0.03);
  CHECK_AT_MOST(fabs(sqrt(squares / 5000) - 0.5), 0.02);
  memset(s.matrix, 0, sizeof s.matrix);
  double raw[6];
  assert_int_equal(heft_force_sensor_read(&s, heft_quat_identity(), nothing, 0, raw),
                   HEFT_ERR_SINGULAR);
}

// Half the power at the cutoff, nothing lost at rest, falling by 6 dB an octave and order above.
static void a_filter_has_its_cutoff(void** state) {
  (void)state;
  for (int order = 1; order <= HEFT_BUTTERWORTH_ORDER_MAX; ++order) {
    for (int octave = -2; octave <= 1; ++octave) {
      const double rate = 2000, cutoff = 20;
      const double f = octave < 0 ? cutoff / (double)(1 << -octave) : cutoff * (1 << octave);
      HeftButterworth filter = heft_butterworth_make(order, cutoff, rate);
      double max = 0;
      for (int i = 0; i < 8000; ++i) {
        const double y = heft_butterworth_step(&filter, heft_sin(2 * HEFT_PI * f * i / rate));
        if (i > 6000) max = fmax(max, fabs(y));
      }
      double ratio = 1;
      for (int k = 0; k < order; ++k) ratio *= (f / cutoff) * (f / cutoff);
      CHECK_AT_MOST(fabs(max - 1 / sqrt(1 + ratio)), 0.01);
    }
    HeftButterworth filter = heft_butterworth_make(order, 20, 1000);
    for (int i = 0; i < 100; ++i)
      CHECK_AT_MOST(fabs(heft_butterworth_step(&filter, 3.5) - 3.5), 1e-9);
  }
}

static void a_plate_finds_the_center(void** state) {
  (void)state;
  Lab lab = robot_lab("hrp2_like.xml", pose_half_sitting);
  for (int i = 0; i < 800; ++i) lab_step(&lab);
  const int foot = lab_body(&lab, "left_foot");
  const HeftForcePlate p = heft_force_plate_read(lab.world, foot, 0, 0);
  HeftVec3 center;
  assert_int_equal(heft_world_contact_pressure_center(lab.world, foot, &center), 1);
  assert_int_equal(p.loaded, 1);
  CHECK_AT_MOST(fabs(p.center.x - center.x) + fabs(p.center.y - center.y), 1e-6);
  CHECK_AT_MOST(fabs(p.force.z - lab_foot_force(&lab, 0, NULL)), 1e-9);
  assert_int_equal(heft_force_plate_read(lab.world, lab_body(&lab, "head"), 0, 0).loaded, 0);
  lab_release(&lab);
}

// Joints, mass and height as the papers have them.
static void robots_are_as_described(void** state) {
  (void)state;
  static const struct {
    const char* file;
    int actuators, balls;
    double mass, height;
  } robots[] = {{"hrp2_like.xml", 30, 0, 58, 1.54},
                {"hoap_like.xml", 20, 0, 5, 0.48},
                {"cb_like.xml", 50, 0, 92, 0},
                {"cb_shoes.xml", 48, 0, 92, 0},
                {"avatar.xml", 41, 13, 70, 1.75}};
  for (int r = 0; r < 5; ++r) {
    Lab lab = robot_lab(robots[r].file, NULL);
    const HeftModel* m = lab.model;
    int balls = 0;
    double top = 0;
    for (int i = 0; i < m->njoint; ++i) balls += m->joint_type[i] == HEFT_JOINT_BALL;
    for (int i = 0; i < m->nshape; ++i) {
      if (m->shape_type[i] != HEFT_SHAPE_ELLIPSOID) continue;  // heads are
      const HeftPose body =
          heft_dynamics_body_pose(heft_world_dynamics(lab.world), m->shape_body[i]);
      top = fmax(top, heft_pose_apply(body, heft_vec3_from(m->shape_pos + 3L * i)).z +
                          m->shape_size[3L * i + 2]);
    }
    assert_int_equal(m->nactuator, robots[r].actuators);
    assert_int_equal(balls, robots[r].balls);
    CHECK_AT_MOST(fabs(heft_model_mass(m) - robots[r].mass), 1e-6);
    if (robots[r].height > 0) CHECK_AT_MOST(fabs(top - robots[r].height), 0.015);
    lab_release(&lab);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(robots_are_as_described),
      cmocka_unit_test(a_drive_resists),
      cmocka_unit_test(splines_go_through_their_points),
      cmocka_unit_test(trajectories_are_read),
      cmocka_unit_test(hands_are_placed),
      cmocka_unit_test(a_touched_arm_gives_way),
      cmocka_unit_test(eyes_find_a_point),
      cmocka_unit_test(a_force_sensor_is_calibrated),
      cmocka_unit_test(a_filter_has_its_cutoff),
      cmocka_unit_test(a_plate_finds_the_center),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
