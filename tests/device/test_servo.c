// SPDX-License-Identifier: Apache-2.0
// The servo: late steps are bridged, faults end in zero force within 100 ms, threads keep apart.
#include <pthread.h>
#include <stdatomic.h>

#include "interact/rig.h"

static const char wall[] =
    "<mujoco><option timestep='0.001'/><worldbody>"
    "<geom type='plane' size='0 0 1' friction='0.5'/></worldbody></mujoco>";
static const char ball[] =
    "<mujoco><option timestep='0.001'/><worldbody><geom type='plane' size='0 0 1'/>"
    "<body pos='0 0 0.1'><freejoint/><geom type='sphere' size='0.1' mass='1'/></body>"
    "</worldbody></mujoco>";

static Rig pressing(const char* scene, double height) {
  RigDef def = rig_def(scene);
  def.mapping.origin.z = def.probe.radius + height;
  def.hand.start.z = 0.01;
  Rig r = rig_make(&def);
  r.hand->intention.z = -0.02;
  rig_run(&r, 3);
  return r;
}

static double felt(const Rig* r) { return r->hand->force.force.z; }

// Steps of the world that take 20 ms, while the hand moves: no jump above 0.2 N.
static void a_late_step_is_bridged(void** state) {
  (void)state;
  RigDef def = rig_def(ball);
  def.probe.stiffness = 400;
  def.probe.rotational_stiffness = 0;
  def.hand.start = heft_vec3(0, 0, 0.21);
  Rig r = rig_make(&def);
  assert_int_equal(HEFT_OK,
                   heft_emulator_script(r.hand,
                                        "0 0 0 0.21; 0.5 0 0 0.195; 0.6 0 0 0.195 1; 1 0 0 0.33 1;"
                                        "2 0.1 0 0.33 1; 3 0 0.1 0.36 1; 4 0.05 0 0.33 1"));
  rig_run(&r, 1.6);  // holding and moving
  double worst = 0, last = felt(&r), usual = 0;
  for (int i = 0; i < 2000; ++i) {
    // every 100 ms one step is 20 ms late, and then the world catches up
    r.step_every = i % 100 < 20 ? 1000000 : 1;
    rig_tick(&r);
    if (i % 100 == 20) {
      for (int k = 0; k < 19; ++k) rig_step(&r);
    }
    const double jump = fabs(felt(&r) - last);
    if (i % 100 >= 20 && i % 100 < 45) worst = fmax(worst, jump);
    if (i % 100 >= 45) usual = fmax(usual, jump);
    last = felt(&r);
  }
  print_message("largest jump of force: %.4f N after a late step, %.4f N otherwise\n", worst,
                usual);
  CHECK_AT_MOST(worst, 0.2);
  assert_int_equal(heft_probe_state(r.probe)->holds, 1);
  rig_end(&r);
}

// Milliseconds until the force is gone.
static int until_zero(Rig* r) {
  for (int i = 1; i <= 200; ++i) {
    rig_tick(r);
    if (heft_vec3_norm(r->hand->force.force) == 0) return i;
  }
  return 1000;
}

// The world goes on. The hand has sunk in meanwhile: it feels nothing until it has come out, and
// then what it touches.
static void comes_back(Rig* r, double out) {
  double max = 0;
  for (int i = 0; i < 500; ++i) {
    rig_tick(r);
    max = fmax(max, heft_vec3_norm(r->hand->force.force));
  }
  CHECK_AT_MOST(max, 0);
  r->hand->intention.z = out;
  rig_run(r, 2);
  r->hand->intention.z = -0.02;
  rig_run(r, 3);
  assert_true(felt(r) > 1);
}

static void a_world_that_stands_still_is_let_go(void** state) {
  (void)state;
  Rig r = pressing(wall, 0);
  assert_true(felt(&r) > 1);
  r.step_every = 1000000000;
  const int ms = until_zero(&r);
  print_message("zero after %d ms\n", ms);
  CHECK_AT_MOST(ms, 100);
  r.step_every = 1;
  comes_back(&r, 0.01);
  rig_end(&r);
}

// However long the world stood still: when it goes on, no force jumps. The device would let 3 N
// pass in a millisecond.
static void forces_do_not_jump_after_a_stall(void** state) {
  (void)state;
  double max = 0;
  for (int ms = 10; ms <= 300; ms += 10) {
    Rig r = pressing(wall, 0);
    r.step_every = 1000000000;
    rig_run(&r, 0.001 * ms);
    double last = felt(&r), worst = 0;
    r.step_every = 1;
    for (int i = 0; i < 60; ++i) {
      rig_tick(&r);
      worst = fmax(worst, fabs(felt(&r) - last));
      last = felt(&r);
    }
    if (ms == 20 || ms == 60 || ms == 80 || ms == 200)
      print_message("still for %d ms: %.3f N in a millisecond at most\n", ms, worst);
    max = fmax(max, worst);
    rig_end(&r);
  }
  CHECK_AT_MOST(max, 2);
}

// A world whose numbers are not finite is rolled back, step after step: nothing new comes.
static void a_world_that_diverges_is_let_go(void** state) {
  (void)state;
  Rig r = pressing(ball, 0.2);
  assert_true(felt(&r) > 1);
  heft_world_joint_forces(r.world)[0] = (double)NAN;
  CHECK_AT_MOST(until_zero(&r), 100);
  assert_true(!heft_step_taken(r.report.status));
  heft_world_joint_forces(r.world)[0] = 0;
  comes_back(&r, 0.01);
  rig_end(&r);
}

// Unplugged: the device is gone, is looked for, comes back, and the force comes back slowly.
static void an_unplugged_device_comes_back(void** state) {
  (void)state;
  Rig r = pressing(wall, 0);
  r.hand->dead = 1;
  rig_tick(&r);
  assert_false(heft_device_alive(r.device));
  HeftProbeInput input;
  rig_tick(&r);
  heft_servo_input(r.servo, 0, &input);
  assert_false(input.present);
  assert_true(heft_probe_state(r.probe)->body < 0);
  rig_run(&r, 1);  // the driver opens again: a hand at rest at the origin
  assert_true(heft_device_alive(r.device));
  double largest = 0, last = 0;
  r.hand->intention.z = -0.02;
  for (int i = 0; i < 1500; ++i) {
    rig_tick(&r);
    largest = fmax(largest, fabs(felt(&r) - last));
    last = felt(&r);
  }
  assert_true(last > 1);
  CHECK_AT_MOST(largest, 0.2);
  rig_end(&r);
}

// Samples that stop coming while the device says that all is well.
static void a_silent_device_is_let_go(void** state) {
  (void)state;
  Rig r = pressing(wall, 0);
  r.hand->def.loss = 0;
  const double before = felt(&r);
  assert_true(before > 1);
  r.hand->def.loss = 1;  // samples and forces are lost: what is written counts
  HeftServoView view;
  int ms = 0;
  for (; ms < 200; ++ms) {
    rig_tick(&r);
    if (heft_servo_view(r.servo, 0, &view) && heft_vec3_norm(view.given.force) == 0) break;
  }
  CHECK_AT_MOST(ms, 100);
  rig_end(&r);
}

// ---- threads

typedef struct Shared {
  HeftServo* servo;
  atomic_int quit;
} Shared;

static void* watch(void* user) {
  Shared* s = user;
  HeftServoView view;
  long seen = 0;
  while (!atomic_load(&s->quit)) seen += heft_servo_view(s->servo, 0, &view);
  return (void*)seen;
}

// A servo in its own thread, a world in another, a panel in a third.
static void three_threads_keep_apart(void** state) {
  (void)state;
  RigDef def = rig_def(ball);
  def.mapping.origin.z = 0.22;
  Rig r = rig_make(&def);
  r.hand->intention.z = -0.04;
  assert_int_equal(heft_servo_start(r.servo, NULL), HEFT_OK);
  Shared shared = {.servo = r.servo};
  atomic_init(&shared.quit, 0);
  pthread_t panel;
  assert_int_equal(pthread_create(&panel, NULL, watch, &shared), 0);
  // Longer if a loaded machine has not let the hand arrive.
  const uint64_t end = heft_clock_ns() + 700000000u, latest = end + 20000000000u;
  long steps = 0;
  while (heft_clock_ns() < end ||
         (heft_probe_state(r.probe)->body < 0 && heft_clock_ns() < latest)) {
    rig_step(&r);
    heft_servo_map(r.servo, 0, &def.mapping);
    ++steps;
  }
  atomic_store(&shared.quit, 1);
  void* seen = NULL;
  pthread_join(panel, &seen);
  heft_servo_stop(r.servo);
  HeftServoView view;
  heft_servo_view(r.servo, 0, &view);
  print_message(
      "%ld steps, %ld turns, %ld missed, late %.0f us median, %.0f us p99, %.0f us max; "
      "real time: %d %s\n",
      steps, view.servo.ticks, view.servo.missed, 1e6 * view.servo.late_median,
      1e6 * view.servo.late_p99, 1e6 * view.servo.late_max, view.servo.real_time,
      view.servo.message);
  assert_true(view.servo.ticks + view.servo.missed > 300);
  assert_true((long)seen > 0);
  assert_true(heft_probe_state(r.probe)->body >= 0);
  rig_end(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_late_step_is_bridged),
      cmocka_unit_test(a_world_that_stands_still_is_let_go),
      cmocka_unit_test(forces_do_not_jump_after_a_stall),
      cmocka_unit_test(a_world_that_diverges_is_let_go),
      cmocka_unit_test(an_unplugged_device_comes_back),
      cmocka_unit_test(a_silent_device_is_let_go),
      cmocka_unit_test(three_threads_keep_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
