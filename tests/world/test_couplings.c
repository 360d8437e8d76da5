// SPDX-License-Identifier: Apache-2.0
// Couplings: hands that hold bodies. Weight, friction and stiffness without limit.
#include <heft/io.h>
#include <heft/world.h>
#include <string.h>

#include "support/check.h"

static const char scene[] =
    "<mujoco><option timestep='0.001'/><worldbody>"
    "<geom type='plane' size='0 0 1' friction='0.5'/>"
    "<body name='box' pos='0 0 0.05'><freejoint/>"
    "<geom type='box' size='0.05 0.05 0.05' mass='1' friction='0.5'/></body>"
    "<body name='arm' pos='0 2 1'><joint type='hinge' axis='0 1 0' damping='0.1'/>"
    "<geom type='capsule' fromto='0 0 0 0.5 0 0' size='0.02' mass='1' contype='0'"
    " conaffinity='0'/></body></worldbody></mujoco>";

typedef struct Stage {
  HeftModel* model;
  HeftWorld* world;
} Stage;

static Stage make(HeftWorldDef def) {
  Stage s = {0};
  const HeftLoadDef load = heft_load_def_default();
  HeftError error = {0};
  if (heft_model_load_bytes(&s.model, scene, strlen(scene), "scene.xml", &load, &error) !=
          HEFT_OK ||
      heft_world_create(&s.world, s.model, &def, &error) != HEFT_OK)
    fail_msg("%s", error.message);
  return s;
}

static void end(Stage* s) {
  heft_world_destroy(s->world);
  heft_model_destroy(s->model);
}

static HeftVec3 place(const Stage* s, int body) {
  return heft_dynamics_body_pose(heft_world_dynamics(s->world), body).pos;
}

static HeftCoupling at(int body, HeftVec3 target, double k, double c) {
  return (HeftCoupling){.body = body,
                        .at = heft_pose_identity(),
                        .target = {heft_mat3_identity(), target},
                        .stiffness = k,
                        .damping = c};
}

static void hold(Stage* s, const HeftCoupling* c, int steps, HeftVec3* force) {
  for (int i = 0; i < steps; ++i) {
    assert_int_equal(heft_world_add_coupling(s->world, c), 0);
    const HeftStepReport report = heft_world_step(s->world);
    assert_int_equal(report.status, HEFT_STEP_SOLVED);
  }
  if (force) *force = heft_world_coupling_wrench(s->world, 0).lin;
}

// A kilogram hangs from the hand with its weight, as far below it as the spring gives.
static void a_kilogram_weighs_a_kilogram(void** state) {
  (void)state;
  Stage s = make(heft_world_def_default());
  HeftVec3 force;
  const HeftCoupling c = at(1, heft_vec3(0, 0, 0.5), 500, 32);
  hold(&s, &c, 4000, &force);
  CHECK_AT_MOST(fabs(force.z - 9.81), 1e-9);
  CHECK_AT_MOST(fabs(place(&s, 1).z - (0.5 - 9.81 / 500)), 1e-9);
  end(&s);
}

// Pulled sideways by a hand that goes away slowly, the box holds until µ m g, and then slides.
static void a_box_holds_until_friction_is_spent(void** state) {
  (void)state;
  Stage s = make(heft_world_def_default());
  const double max = 0.5 * 9.81, speed = 1e-3;
  double peak = 0, stuck = 0;
  for (int i = 0; i < 15000; ++i) {
    const double away = 1e-3 * speed * i, pull = 500 * away + 32 * speed;
    HeftCoupling c = at(1, heft_vec3(away, 0, 0.05), 500, 32);
    c.velocity.lin.x = speed;
    HeftVec3 force;
    hold(&s, &c, 1, &force);
    peak = fmax(peak, force.x);
    if (pull > max - 0.05) continue;
    CHECK_AT_MOST(fabs(force.x - pull), 1e-6);
    stuck = place(&s, 1).x;
  }
  CHECK_AT_MOST(fabs(stuck), 1e-9);
  CHECK_AT_MOST(fabs(peak - max), 0.01 * max);
  assert_true(place(&s, 1).x > 0.004);
  end(&s);
}

// However stiff, and however long the step: nothing explodes, and the body is where the hand is.
static void stiffness_has_no_limit(void** state) {
  (void)state;
  HeftWorldDef def = heft_world_def_default();
  for (int n = 0; n < 3; ++n) {
    def.time_step = n == 0 ? 1e-4 : n == 1 ? 1e-3 : 1e-2;
    Stage s = make(def);
    HeftCoupling c = at(1, heft_vec3(0.3, 0.2, 0.4), 1e9, 1e5);
    c.rotational_stiffness = 1e7;
    c.rotational_damping = 1e3;
    c.target.rot = heft_quat_to_mat3(heft_quat_exp(heft_vec3(0.5, -1, 0.7)));
    hold(&s, &c, 300, NULL);
    const HeftPose pose = heft_dynamics_body_pose(heft_world_dynamics(s.world), 1);
    CHECK_AT_MOST(heft_vec3_norm(heft_vec3_sub(pose.pos, c.target.pos)), 1e-6);
    const HeftVec3 turn = heft_quat_log(heft_quat_mul(
        heft_quat_from_mat3(pose.rot), heft_quat_conjugate(heft_quat_from_mat3(c.target.rot))));
    CHECK_AT_MOST(heft_vec3_norm(turn), 1e-6);
    const HeftSpatial v = heft_dynamics_body_velocity(heft_world_dynamics(s.world), 1, pose.pos);
    CHECK_AT_MOST(heft_vec3_norm(v.lin) + heft_vec3_norm(v.ang), 1e-6);
    end(&s);
  }
}

// A hand that presses the box into the ground, stiff as it is, adds no energy.
static void pressed_against_the_ground_it_rests(void** state) {
  (void)state;
  Stage s = make(heft_world_def_default());
  HeftVec3 force;
  const HeftCoupling c = at(1, heft_vec3(0, 0, 0.04), 1e5, 100);
  hold(&s, &c, 500, &force);
  CHECK_AT_MOST(fabs(force.z + 1000), 1);
  CHECK_AT_MOST(fabs(place(&s, 1).z - 0.05), 1e-5);
  end(&s);
}

// The force limit holds for a body that cannot follow.
static void the_spring_has_a_limit(void** state) {
  (void)state;
  Stage s = make(heft_world_def_default());
  HeftCoupling c = at(0, heft_vec3(0, 0, 1), 1000, 10);
  HeftVec3 force;
  c.force_max = 3;
  hold(&s, &c, 1, &force);
  CHECK_AT_MOST(fabs(force.z - 3), 1e-12);
  end(&s);
}

// Lifts the box, so that it falls without touching the floor: Runge-Kutta refuses contact.
static void lift_box(Stage* s) {
  const double up = 1;
  assert_int_equal(heft_world_set_q(s->world, 2, &up, 1, NULL), HEFT_OK);
}

// The work that is reported is what the body has, on an arm that turns and under Runge-Kutta too.
static void work_is_counted(void** state) {
  (void)state;
  for (int n = 0; n < 2; ++n) {
    HeftWorldDef def = heft_world_def_default();
    def.time_step = 1e-4;
    if (n == 1) def.integrator = HEFT_INTEGRATOR_RK4;
    Stage s = make(def);
    if (n == 1) lift_box(&s);
    HeftCoupling c = at(2, heft_vec3(0.3, 2, 1.4), 200, 2);
    c.at.pos = heft_vec3(0.5, 0, 0);
    double work = 0, lost = 0, start = 0;
    for (int i = 0; i < 2000; ++i) {
      heft_world_add_coupling(s.world, &c);
      const HeftStepReport r = heft_world_step(s.world);
      if (i == 0) start = r.kinetic + r.potential - r.work + r.damping;
      work += r.work;
      lost += r.damping;
      if (i < 1999) continue;
      const double error = r.kinetic + r.potential - start - work + lost;
      CHECK_AT_MOST(error, 1e-9);  // the implicit scheme takes some, and never gives
      CHECK_AT_MOST(-error, n == 0 ? 0.1 : 1e-9);
    }
    assert_true(work > 1);
    end(&s);
  }
}

static void nonsense_is_refused(void** state) {
  (void)state;
  Stage s = make(heft_world_def_default());
  HeftCoupling c = at(1, heft_vec3(0, 0, 1), 1000, 10);
  c.target.pos.x = (double)NAN;
  assert_int_equal(heft_world_add_coupling(s.world, &c), -1);
  c = at(99, heft_vec3(0, 0, 1), 1000, 10);
  assert_int_equal(heft_world_add_coupling(s.world, &c), -1);
  c = at(1, heft_vec3(0, 0, 1), -1, 10);
  assert_int_equal(heft_world_add_coupling(s.world, &c), -1);
  c = at(1, heft_vec3(0, 0, 1), 1, 10);
  for (int i = 0; i < HEFT_COUPLING_MAX; ++i)
    assert_int_equal(heft_world_add_coupling(s.world, &c), i);
  assert_int_equal(heft_world_add_coupling(s.world, &c), -1);
  heft_world_step(s.world);
  assert_int_equal(heft_world_add_coupling(s.world, &c), 0);
  end(&s);
}

// Ten hands on one step, some on the same body: the same bits again from a snapshot.
static void a_replay_has_the_same_bits(void** state) {
  (void)state;
  Stage s = make(heft_world_def_default());
  static unsigned char bytes[1 << 16];
  uint64_t hash[2];
  const size_t size = heft_world_snapshot_size(s.world);
  assert_true(size <= sizeof bytes);
  heft_world_snapshot(s.world, bytes);
  for (int run = 0; run < 2; ++run) {
    if (run == 1) assert_int_equal(heft_world_restore(s.world, bytes, size), HEFT_OK);
    for (int i = 0; i < 200; ++i) {
      for (int n = 0; n < 10; ++n) {
        HeftCoupling c = at(1 + n % 2, heft_vec3(0.1 * n, n % 3, 0.2 + 1e-3 * i), 100 + n, 5);
        c.rotational_damping = 0.1;
        heft_world_add_coupling(s.world, &c);
      }
      heft_world_step(s.world);
    }
    hash[run] = heft_world_hash(s.world);
  }
  assert_int_equal(hash[0], hash[1]);
  end(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_kilogram_weighs_a_kilogram),
      cmocka_unit_test(a_box_holds_until_friction_is_spent),
      cmocka_unit_test(stiffness_has_no_limit),
      cmocka_unit_test(pressed_against_the_ground_it_rests),
      cmocka_unit_test(the_spring_has_a_limit),
      cmocka_unit_test(work_is_counted),
      cmocka_unit_test(nonsense_is_refused),
      cmocka_unit_test(a_replay_has_the_same_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
