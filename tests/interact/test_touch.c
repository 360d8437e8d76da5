// SPDX-License-Identifier: Apache-2.0
// Papers: R41, R42.
// Touching: where the hand comes to rest, what it feels of weight and friction, and that it cannot
// get in.
#include <heft/collision.h>

#include "interact/rig.h"

static const char wall[] =
    "<mujoco><option timestep='0.001'/><worldbody>"
    "<geom type='plane' size='0 0 1' friction='0.5'/></worldbody></mujoco>";

// A hand of 100 N/m that wants to be 20 mm below the surface.
static void rests_where_springs_agree(void** state) {
  (void)state;
  const double stiffness[2] = {500, 2000};
  for (int i = 0; i < 2; ++i) {
    RigDef def = rig_def(wall);
    def.probe.stiffness = stiffness[i];
    def.mapping.origin.z = def.probe.radius;
    def.hand.start.z = 0.01;
    Rig r = rig_make(&def);
    r.hand->intention.z = -0.02;
    rig_run(&r, 6);
    const double expected = -100 * 0.02 / (100 + stiffness[i]);
    print_message("%g N/m: %.6f mm, expected %.6f\n", stiffness[i], 1e3 * r.hand->pos.z,
                  1e3 * expected);
    CHECK_AT_MOST(fabs(r.hand->pos.z - expected), 1e-6);
    CHECK_AT_MOST(fabs(heft_device_report(r.device).energy_lowest), 1e-3);
    rig_end(&r);
  }
}

static const char things[] =
    "<mujoco><option timestep='0.001'/><worldbody>"
    "<geom type='plane' size='0 0 1' friction='0.5'/>"
    "<body name='box' pos='0 0 0.05'><freejoint/>"
    "<geom type='box' size='0.05 0.05 0.05' mass='1' friction='0.5'/></body>"
    "</worldbody></mujoco>";

// Taken by its top and lifted, a kilogram is felt as 9.81 N.
static void a_kilogram_is_felt(void** state) {
  (void)state;
  RigDef def = rig_def(things);
  def.probe.stiffness = 1000;
  def.probe.rotational_stiffness = 20;
  def.hand.hand_stiffness = 300;
  def.hand.start = heft_vec3(0, 0, 0.107);
  Rig r = rig_make(&def);
  assert_int_equal(
      HEFT_OK, heft_emulator_script(
                   r.hand, "0 0 0 0.107; 0.5 0 0 0.09; 0.6 0 0 0.09 1; 2 0 0 0.3 1; 9 0 0 0.3 1"));
  rig_run(&r, 8);
  const HeftProbeState* s = heft_probe_state(r.probe);
  assert_int_equal(s->holds, 1);
  print_message("felt: %.6f N\n", r.hand->force.force.z);
  CHECK_AT_MOST(fabs(r.hand->force.force.z + 9.81), 0.0981);
  assert_true(heft_dynamics_body_pose(heft_world_dynamics(r.world), 1).pos.z > 0.1);
  rig_end(&r);
}

// Pushed from the side, the box holds until µ m g and slides then, and the hand feels no more.
static void friction_is_felt(void** state) {
  (void)state;
  RigDef def = rig_def(things);
  def.probe.friction = 0;
  def.hand.start = heft_vec3(-0.08, 0, 0.03);
  def.hand.hand_stiffness = 400;
  def.hand.hand_damping = 20;
  Rig r = rig_make(&def);
  assert_int_equal(HEFT_OK,
                   heft_emulator_script(r.hand, "0 -0.08 0 0.03; 1 -0.06 0 0.03; 13 0 0 0.03"));
  double peak = 0, stuck = 0, slid = 0;
  for (int i = 0; i < 13000; ++i) {
    rig_tick(&r);
    const double x = heft_dynamics_body_pose(heft_world_dynamics(r.world), 1).pos.x;
    if (-r.hand->force.force.x < 0.95 * 0.5 * 9.81 && peak < 0.95 * 0.5 * 9.81) stuck = x;
    peak = fmax(peak, -r.hand->force.force.x);
    slid = x;
  }
  print_message("peak %.4f N, expected %.4f; moved %.2g m before, %.4f after\n", peak, 0.5 * 9.81,
                stuck, slid);
  CHECK_AT_MOST(fabs(peak - 0.5 * 9.81), 0.02 * 0.5 * 9.81);
  CHECK_AT_MOST(fabs(stuck), 1e-5);
  assert_true(slid > 0.01);
  rig_end(&r);
}

static const char shapes[] =
    "<mujoco><option timestep='0.001'/><asset><mesh name='wedge' vertex='-0.1 -0.1 0  0.1 -0.1 0 "
    " 0.1 0.1 0  -0.1 0.1 0  -0.1 -0.1 0.1  -0.1 0.1 0.1'/></asset><worldbody>"
    "<geom type='plane' size='0 0 1' pos='0 0 -1'/>"
    "<geom type='sphere' size='0.1' pos='1 0 0'/>"
    "<geom type='box' size='0.1 0.1 0.1' pos='2 0 0'/>"
    "<geom type='capsule' size='0.05 0.1' pos='3 0 0'/>"
    "<geom type='cylinder' size='0.1 0.1' pos='4 0 0'/>"
    "<geom type='ellipsoid' size='0.1 0.05 0.08' pos='5 0 0'/>"
    "<geom type='mesh' mesh='wedge' pos='6 0 0'/>"
    "</worldbody></mujoco>";

// Random pokes from all sides: the proxy never gets in, and the force points out.
static void nothing_is_entered(void** state) {
  (void)state;
  RigDef def = rig_def(shapes);
  Rig r = rig_make(&def);
  HeftCollider* collider = NULL;
  assert_int_equal(heft_collider_create(&collider, r.model, NULL, NULL), HEFT_OK);
  HeftPose poses[1] = {heft_pose_identity()};
  heft_collider_update(collider, poses);
  uint64_t seed = 88172645463325252u;
  int touched = 0;
  for (int shape = 1; shape <= 6; ++shape) {
    for (int poke = 0; poke < 40; ++poke) {
      double u[6];
      for (int k = 0; k < 6; ++k) {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        u[k] = 2 * ((double)(seed >> 11) * 0x1p-53) - 1;
      }
      const HeftVec3 center = heft_vec3(shape, 0, shape == 6 ? 0.03 : 0);
      const HeftVec3 way = heft_vec3_normalize(heft_vec3_from(u));
      const HeftVec3 from = heft_vec3_add_scaled(center, 0.25, way);
      const HeftVec3 to = heft_vec3_add_scaled(center, 0.05, heft_vec3_from(u + 3));
      HeftProbeInput in = {.rot = heft_quat_identity()};
      heft_probe_begin(r.probe, r.world, &in);
      in.present = 1;
      for (int i = 0; i <= 200; ++i) {
        in.pos = heft_vec3_add_scaled(from, i / 200.0, heft_vec3_sub(to, from));
        heft_probe_begin(r.probe, r.world, &in);
        heft_probe_end(r.probe, r.world);
        const HeftProbeState* s = heft_probe_state(r.probe);
        const HeftClosestPoint near =
            heft_collider_closest(collider, s->proxy, 1, heft_query_filter_all());
        CHECK_AT_MOST(def.probe.radius - near.distance, 1e-6);
        if (s->body >= 0) assert_true(heft_vec3_dot(s->force, s->normal) >= 0);
      }
      touched += heft_probe_state(r.probe)->body >= 0;
    }
  }
  print_message("%d of 240 pokes end inside\n", touched);
  assert_true(touched > 150);
  heft_collider_destroy(collider);
  rig_end(&r);
}

// In the corner between a floor and two walls all three push back.
static void a_corner_holds_on_three_sides(void** state) {
  (void)state;
  static const char corner[] =
      "<mujoco><option timestep='0.001'/><worldbody>"
      "<geom type='plane' size='0 0 1' friction='0'/>"
      "<geom type='box' size='0.1 1 1' pos='-0.1 0 0' friction='0'/>"
      "<geom type='box' size='1 0.1 1' pos='0 -0.1 0' friction='0'/></worldbody></mujoco>";
  RigDef def = rig_def(corner);
  Rig r = rig_make(&def);
  HeftProbeInput in = {.rot = heft_quat_identity(), .present = 1};
  for (int i = 0; i <= 300; ++i) {
    const double x = 0.03 - 0.04 * i / 300;
    in.pos = heft_vec3(x, x + 0.002, x + 0.004);
    heft_probe_begin(r.probe, r.world, &in);
    heft_probe_end(r.probe, r.world);
  }
  const HeftProbeState* s = heft_probe_state(r.probe);
  CHECK_AT_MOST(fabs(s->proxy.x - 0.005), 1e-6);
  CHECK_AT_MOST(fabs(s->proxy.y - 0.005), 1e-6);
  CHECK_AT_MOST(fabs(s->proxy.z - 0.005), 1e-6);
  CHECK_AT_MOST(fabs(s->force.x - 500 * 0.015), 1e-3);
  CHECK_AT_MOST(fabs(s->force.z - 500 * 0.011), 1e-3);
  rig_end(&r);
}

// On a surface with friction the proxy stays until the pull leaves the cone.
static void a_surface_with_friction_sticks(void** state) {
  (void)state;
  RigDef def = rig_def(wall);
  Rig r = rig_make(&def);
  HeftProbeInput in = {.rot = heft_quat_identity(), .present = 1, .pos = {0, 0, 0.02}};
  double stuck = 0, worst = 0;
  for (int i = 0; i <= 1000; ++i) {
    in.pos.z = i < 200 ? 0.02 - 1e-4 * i : 0;  // 5 mm deep
    if (i > 200) in.pos.x = 1e-5 * (i - 200);
    heft_probe_begin(r.probe, r.world, &in);
    heft_probe_end(r.probe, r.world);
    const HeftProbeState* s = heft_probe_state(r.probe);
    if (in.pos.x < 0.5 * 0.005 - 1e-6) stuck = fmax(stuck, fabs(s->proxy.x));
    const double along = fabs(s->force.x), down = s->force.z;
    worst = fmax(worst, along - 0.5 * down);
  }
  CHECK_AT_MOST(stuck, 1e-9);
  CHECK_AT_MOST(worst, 1e-6);
  CHECK_AT_MOST(fabs(heft_probe_state(r.probe)->proxy.x - (0.008 - 0.0025)), 1e-6);
  rig_end(&r);
}

// A moving surface takes the hand along, and its energy is not the coupling's.
static void a_moving_wall_pushes(void** state) {
  (void)state;
  static const char piston[] =
      "<mujoco><option timestep='0.001' gravity='0 0 0'/><worldbody><body name='piston'>"
      "<joint type='slide' axis='0 0 1'/><geom type='box' size='0.1 0.1 0.1' mass='100'/></body>"
      "</worldbody></mujoco>";
  RigDef def = rig_def(piston);
  def.hand.start = heft_vec3(0, 0, 0.12);
  Rig r = rig_make(&def);
  HeftState* state0 = NULL;
  heft_state_create(&state0, r.model, NULL, NULL);
  heft_state_copy(state0, heft_world_state(r.world));
  state0->v[0] = 0.05;
  heft_world_set_state(r.world, state0);
  heft_state_destroy(state0);
  r.hand->intention.z = 0.12;
  rig_run(&r, 1.5);
  assert_true(r.hand->pos.z > 0.14);
  assert_true(r.hand->force.force.z > 1);
  assert_true(r.hand->worked < -0.01);  // the piston gave it
  CHECK_AT_MOST(-heft_device_report(r.device).energy_lowest, 1e-3);
  rig_end(&r);
}

// A hand that appears inside of a wall is not thrown out.
static void a_start_inside_is_no_kick(void** state) {
  (void)state;
  RigDef def = rig_def(wall);
  def.mapping.origin.z = def.probe.radius;
  def.hand.start.z = -0.02;
  Rig r = rig_make(&def);
  r.hand->intention.z = -0.02;
  rig_run(&r, 0.5);
  assert_true(heft_vec3_norm(r.hand->force.force) == 0);
  CHECK_AT_MOST(fabs(r.hand->pos.z + 0.02), 1e-12);
  r.hand->intention.z = 0.02;  // out, and in again
  rig_run(&r, 2);
  r.hand->intention.z = -0.02;
  rig_run(&r, 4);
  CHECK_AT_MOST(fabs(r.hand->pos.z + 0.02 / 6), 1e-6);
  rig_end(&r);
}

// A thing of a gram under a spring of 5000 N/m: it is pushed away, and nothing explodes.
static void a_light_thing_is_pushed(void** state) {
  (void)state;
  static const char light[] =
      "<mujoco><option timestep='0.001' gravity='0 0 0'/><worldbody><body><freejoint/>"
      "<geom type='box' size='0.01 0.01 0.01' mass='0.001'/></body></worldbody></mujoco>";
  RigDef def = rig_def(light);
  def.probe.stiffness = 5000;
  def.hand.start = heft_vec3(-0.05, 0, 0);
  Rig r = rig_make(&def);
  assert_int_equal(HEFT_OK, heft_emulator_script(r.hand, "0 -0.05 0 0; 2 0.2 0 0"));
  double fastest = 0;
  for (int i = 0; i < 2000; ++i) {
    rig_tick(&r);
    assert_int_equal(r.report.status, HEFT_STEP_SOLVED);
    fastest = fmax(fastest, fabs(heft_world_state(r.world)->v[0]));
  }
  CHECK_AT_MOST(fastest, 1);
  assert_true(heft_dynamics_body_pose(heft_world_dynamics(r.world), 1).pos.x > 0.05);
  rig_end(&r);
}

static const char sponge[] =
    "<mujoco><option timestep='0.001' gravity='0 0 0'/><worldbody><body pos='0 0 -0.042'>"
    "<flexcomp name='sponge' type='grid' dim='3' count='3 3 3' spacing='.04 .04 .04' mass='.1' "
    "radius='.002'><elasticity young='2e4' poisson='.2' damping='.01'/>"
    "<pin gridrange='0 0 0 2 2 0'/></flexcomp></body></worldbody></mujoco>";

// A deformable body is touched between its vertices, too: there, at an edge and at a vertex the
// hand stays outside, and the force on it is that which deforms the body.
static void a_small_hand_does_not_slip_between_vertices(void** state) {
  (void)state;
  const double place[3][2] = {{0.013, 0.007}, {0.02, 0}, {0, 0}};
  for (int i = 0; i < 3; ++i) {
    RigDef def = rig_def(sponge);
    def.probe.radius = 0.003;
    def.mapping.origin = heft_vec3(place[i][0], place[i][1], def.probe.radius);
    def.hand.start.z = 0.004;
    def.device.guard.ramp = 0;
    Rig r = rig_make(&def);
    for (int n = 0; n < 1100; ++n) {
      r.hand->intention.z = 0.004 - 0.024 * fmin(0.002 * n, 1);
      rig_tick(&r);
      assert_int_equal(r.report.status, HEFT_STEP_SOLVED);
    }
    const HeftProbeState* s = heft_probe_state(r.probe);
    double sink = 0;
    for (int k = 0; k < r.model->nnode; ++k) {
      const int body = r.model->node_body[k];
      const double z = heft_dynamics_body_pose(heft_world_dynamics(r.world), body).pos.z;
      sink = fmin(sink, z - (r.model->node_rest[3 * k + 2] - 0.042));
    }
    const double felt = r.hand->force.force.z;
    print_message("at %g %g: %.4f N, hand at %.3f mm, proxy %.3f mm, deepest node %.3f mm\n",
                  place[i][0], place[i][1], felt, 1e3 * r.hand->pos.z,
                  1e3 * (s->proxy.z - def.probe.radius), 1e3 * sink);
    assert_true(s->body > 0);
    CHECK_AT_MOST(fabs(felt - 500 * (s->proxy.z - def.probe.radius - r.hand->pos.z)), 1e-3);
    assert_true(felt > 0.5 && sink < -0.0005);
    CHECK_AT_MOST(-heft_device_report(r.device).energy_lowest, 1e-6);
    rig_end(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_small_hand_does_not_slip_between_vertices),
      cmocka_unit_test(rests_where_springs_agree),
      cmocka_unit_test(a_kilogram_is_felt),
      cmocka_unit_test(friction_is_felt),
      cmocka_unit_test(nothing_is_entered),
      cmocka_unit_test(a_corner_holds_on_three_sides),
      cmocka_unit_test(a_surface_with_friction_sticks),
      cmocka_unit_test(a_moving_wall_pushes),
      cmocka_unit_test(a_start_inside_is_no_kick),
      cmocka_unit_test(a_light_thing_is_pushed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
