// SPDX-License-Identifier: Apache-2.0
// Papers: U12.
// How easily what is touched gives way, against formulas; and what it buys when a step is late.
#include <stdlib.h>

#include "interact/mobility.h"
#include "interact/rig.h"

static HeftLocalModel press(Rig* r, HeftVec3 from, HeftVec3 to, int steps) {
  HeftProbeInput in = {.rot = heft_quat_identity(), .present = 1};
  HeftLocalModel m = {0};
  for (int i = 0; i <= steps; ++i) {
    in.pos = heft_vec3_add_scaled(from, (double)i / steps, heft_vec3_sub(to, from));
    heft_probe_begin(r->probe, r->world, &in);
    r->report = heft_world_step(r->world);
    m = heft_probe_end(r->probe, r->world);
  }
  return m;
}

// A box of 2 kg that flies: 1/m + (r x n)² / I.
static void a_free_box_gives_way_as_its_mass_says(void** state) {
  (void)state;
  static const char box[] =
      "<mujoco><option timestep='0.001' gravity='0 0 0'/><worldbody><body><freejoint/>"
      "<geom type='box' size='0.1 0.1 0.1' mass='2'/></body></worldbody></mujoco>";
  RigDef def = rig_def(box);
  Rig r = rig_make(&def);
  const HeftLocalModel m = press(&r, heft_vec3(0.06, 0, 0.11), heft_vec3(0.06, 0, 0.1045), 20);
  assert_int_equal(m.kind, HEFT_LOCAL_SURFACE);
  const double inertia = 2 * (0.2 * 0.2 + 0.2 * 0.2) / 12;
  const double expected = 1 / 2.0 + m.anchor.x * m.anchor.x / inertia;
  print_message("%.6f 1/kg, expected %.6f\n", m.mobility.m[2][2], expected);
  CHECK_AT_MOST(fabs(m.mobility.m[2][2] - expected), 1e-3);
  CHECK_AT_MOST(fabs(m.mobility.m[1][2] - m.mobility.m[2][1]), 1e-9);
  rig_end(&r);
}

// On the floor it cannot go down, and with friction not aside; a box on a box neither.
static void what_stands_on_the_floor_is_hard(void** state) {
  (void)state;
  static const char boxes[] =
      "<mujoco><option timestep='0.001'/><worldbody><geom type='plane' size='0 0 1'/>"
      "<body pos='0 0 0.1'><freejoint/><geom type='box' size='0.1 0.1 0.1' mass='2'/></body>"
      "<body pos='0 0 0.25'><freejoint/><geom type='box' size='0.05 0.05 0.05' mass='0.1'/></body>"
      "</worldbody></mujoco>";
  RigDef def = rig_def(boxes);
  Rig r = rig_make(&def);
  for (int i = 0; i < 300; ++i) heft_world_step(r.world);
  const HeftLocalModel on_one =
      press(&r, heft_vec3(0.07, 0.02, 0.21), heft_vec3(0.07, 0.02, 0.202), 20);
  print_message("on a box on the floor: %.2g 1/kg down, %.2g aside\n", on_one.mobility.m[2][2],
                on_one.mobility.m[0][0]);
  CHECK_AT_MOST(on_one.mobility.m[2][2], 1e-3);
  CHECK_AT_MOST(on_one.mobility.m[0][0], 1e-3);
  HeftProbeInput away = {.rot = heft_quat_identity()};
  heft_probe_begin(r.probe, r.world, &away);
  const HeftLocalModel on_two = press(&r, heft_vec3(0, 0, 0.31), heft_vec3(0, 0, 0.302), 20);
  print_message("on a box on a box: %.2g 1/kg down (free: 10)\n", on_two.mobility.m[2][2]);
  CHECK_AT_MOST(on_two.mobility.m[2][2], 0.1);
  rig_end(&r);
}

// The world itself does not give way, and a surface that does not is rendered as before.
static void a_wall_stays_a_wall(void** state) {
  (void)state;
  const HeftLocalModel wall = {.kind = HEFT_LOCAL_SURFACE,
                               .time_ns = 1000000000u,
                               .turn = {1, 0, 0, 0},
                               .normal = {0, 0, 1},
                               .stiffness = 500};
  const HeftDeviceSample hand = {.pos = {0, 0, -0.01}, .rot = {1, 0, 0, 0}};
  for (uint64_t ms = 0; ms < 30; ++ms)
    CHECK_AT_MOST(
        fabs(heft_local_model_force(&wall, 1000000000u + ms * 1000000u, &hand).force.z - 5), 1e-12);
}

// A formula: after 10 ms a free mass feels like k / (1 + k t² / 2 m).
static void a_light_thing_gets_softer(void** state) {
  (void)state;
  HeftLocalModel m = {.kind = HEFT_LOCAL_SPRING,
                      .time_ns = 1000000000u,
                      .turn = {1, 0, 0, 0},
                      .stiffness = 400,
                      .force = {0, 0, 2}};
  for (int i = 0; i < 3; ++i) m.mobility.m[i][i] = 1 / 0.05;
  const HeftDeviceSample hand = {.pos = {0, 0, -0.01}, .rot = {1, 0, 0, 0}};
  const double yield = 0.5 * 400 * 1e-4 / 0.05;
  const double f = heft_local_model_force(&m, 1010000000u, &hand).force.z;
  CHECK_AT_MOST(fabs(f - (4 + yield * 2) / (1 + yield)), 1e-12);
  m.kind = HEFT_LOCAL_SURFACE;
  m.normal = heft_vec3(0, 0, 1);
  CHECK_AT_MOST(fabs(heft_local_model_force(&m, 1010000000u, &hand).force.z - f), 1e-12);
}

// A ball of 50 g that is carried about, with steps that are 20 ms late: what the servo renders
// while it waits is nearer to what the world then says.
static double worst_error(int mobile) {
  static const char ball[] =
      "<mujoco><option timestep='0.001' gravity='0 0 0'/><worldbody>"
      "<body><freejoint/><geom type='sphere' size='0.05' mass='0.05'/></body></worldbody></mujoco>";
  RigDef def = rig_def(ball);
  def.probe.mode = HEFT_PROBE_ATTACH;
  def.probe.body = 1;
  def.probe.stiffness = 200;
  def.probe.rotational_stiffness = 0;
  Rig r = rig_make(&def);
  double worst = 0;
  HeftProbeInput in = {.rot = heft_quat_identity(), .present = 1};
  HeftLocalModel m = {0};
  uint64_t now = 1000000000u;
  for (int i = 0; i < 2000; ++i) {
    HeftLocalModel late = m;
    const double t = 1e-3 * i, w = 20;
    now += 1000000u;
    in.time_ns = now;
    in.pos = heft_vec3(0.02 * heft_sin(w * t), 0, 0);
    in.vel = heft_vec3(0.02 * w * heft_cos(w * t), 0, 0);
    heft_probe_begin(r.probe, r.world, &in);
    heft_world_step(r.world);
    const HeftLocalModel fresh = heft_probe_end(r.probe, r.world);
    if (i % 20 == 0) m = late = fresh;  // the servo hears of every twentieth step alone
    if (!mobile) memset(&late.mobility, 0, sizeof late.mobility);
    const HeftDeviceSample hand = {.pos = in.pos, .rot = in.rot, .vel = in.vel};
    const double felt = heft_local_model_force(&late, now, &hand).force.x;
    const double is = heft_local_model_force(&fresh, now, &hand).force.x;
    if (i > 200) worst = fmax(worst, fabs(felt - is));
  }
  rig_end(&r);
  return worst;
}

static void late_steps_are_foreseen(void** state) {
  (void)state;
  const double rigid = worst_error(0), mobile = worst_error(1);
  print_message("off by %.3f N with a constant, %.3f N with the mobility\n", rigid, mobile);
  CHECK_AT_MOST(mobile, 0.6 * rigid);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_free_box_gives_way_as_its_mass_says),
      cmocka_unit_test(what_stands_on_the_floor_is_hard),
      cmocka_unit_test(a_wall_stays_a_wall),
      cmocka_unit_test(a_light_thing_gets_softer),
      cmocka_unit_test(late_steps_are_foreseen),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
