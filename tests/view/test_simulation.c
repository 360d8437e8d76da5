// SPDX-License-Identifier: Apache-2.0
// The simulation in its thread: rewinding is exact, hands pull, settings take effect.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include <heft/view.h>

#include "scenes/scenes.h"
#include "view/timeline.h"

static void nap(void) { nanosleep(&(struct timespec){0, 1000000}, NULL); }

// Waits until a step was reached and nothing is left to do; fails after a while.
static const HeftViewFrame* wait_step(HeftSimulation* s, long step) {
  for (int i = 0; i < 60000; ++i) {
    const HeftViewFrame* f = heft_simulation_frame(s, NULL);
    if (f->step == step) return f;
    nap();
  }
  fail_msg("the simulation did not come to step %ld", step);
  return NULL;
}

static HeftSimulation* open_simulation(const HeftModel* m) {
  HeftSimulationDef def = heft_simulation_def_default();
  HeftSimulation* s = NULL;
  HeftError error = {0};
  def.timeline_bytes = (size_t)32 << 20;
  assert_int_equal(heft_simulation_create(&s, m, &def, &error), HEFT_OK);
  return s;
}

// The same steps in this thread, by the world alone.
static uint64_t plain_hash(const HeftModel* m, int steps) {
  HeftWorld* w = NULL;
  assert_int_equal(heft_world_create(&w, m, NULL, NULL), HEFT_OK);
  for (int i = 0; i < steps; ++i) heft_world_step(w);
  const uint64_t hash = heft_world_hash(w);
  heft_world_destroy(w);
  return hash;
}

static void rewinding_is_exact(void** state) {
  (void)state;
  HeftModel* m = scene_create("heap", NULL);
  HeftSimulation* s = open_simulation(m);
  heft_simulation_step(s, 600);
  const HeftViewFrame* f = wait_step(s, 600);
  const uint64_t end = f->hash;
  assert_true(end == plain_hash(m, 600));
  assert_int_equal(f->branched, 0);
  // Back to a time between two snapshots, and on.
  const double h = m->physics.time_step;
  heft_simulation_rewind(s, 133 * h);
  f = wait_step(s, 133);
  assert_true(f->hash == plain_hash(m, 133));
  assert_true(fabs(f->time - 133 * h) < 1e-9 && f->last > 599 * h);
  heft_simulation_step(s, 467);
  f = wait_step(s, 600);
  assert_true(f->hash == end);
  assert_true(f->same > 5);
  assert_int_equal(f->branched, 0);
  heft_simulation_destroy(s);
  heft_model_destroy(m);
}

static void a_tap_makes_a_branch(void** state) {
  (void)state;
  HeftModel* m = scene_create("heap", NULL);
  HeftSimulation* s = open_simulation(m);
  heft_simulation_step(s, 300);
  const uint64_t end = wait_step(s, 300)->hash;
  heft_simulation_rewind(s, 100 * m->physics.time_step);
  wait_step(s, 100);
  heft_simulation_push(s, 1, heft_vec3(0, 0, 1), heft_vec3(0.5, 0, 0));
  heft_simulation_step(s, 200);
  const HeftViewFrame* f = wait_step(s, 300);
  assert_true(f->hash != end);
  assert_int_equal(f->branched, 1);
  heft_simulation_destroy(s);
  heft_model_destroy(m);
}

// A body that is pulled comes to the hand and stays there, whatever the gains.
static void the_hand_pulls(void** state) {
  (void)state;
  HeftModel* m = scene_create("humanoid", NULL);
  HeftSimulation* s = open_simulation(m);
  HeftDynamics* d = NULL;
  assert_int_equal(heft_dynamics_create(&d, m, NULL, NULL), HEFT_OK);
  const int hand = m->nbody - 1;
  heft_kinematics(d, m->q_default);
  HeftVec3 from = heft_body_pose(d, hand).pos;
  const HeftGrab grab = {hand, {0, 0, 0}, heft_vec3_add(from, heft_vec3(0.2, 0, 0.8))};
  heft_simulation_grab(s, &grab);
  heft_simulation_step(s, 3000);
  const HeftViewFrame* f = wait_step(s, 3000);
  assert_string_equal(f->trouble, "");
  heft_kinematics(d, f->q);
  const double away = heft_vec3_norm(heft_vec3_sub(heft_body_pose(d, hand).pos, grab.target));
  assert_true(away < 0.5 * heft_vec3_norm(heft_vec3_sub(from, grab.target)));
  assert_true(heft_vec3_norm(f->grab_force) > 1);
  heft_dynamics_destroy(d);
  heft_simulation_destroy(s);
  heft_model_destroy(m);
}

// A person with a device touches what is there in a running simulation, and feels it.
static void a_person_reaches_in(void** state) {
  (void)state;
  HeftModel* m = scene_create("heap", NULL);
  HeftPeople people = {.count = 1, .probe = {heft_probe_def_default()}};
  HeftDevice* device = NULL;
  HeftError error = {0};
  HeftMapping mapping = heft_mapping_default();
  HeftDynamics* d = NULL;
  assert_int_equal(heft_dynamics_create(&d, m, NULL, NULL), HEFT_OK);
  heft_kinematics(d, m->q_default);
  mapping.origin = heft_vec3_add(heft_center_of_mass(d, 0), heft_vec3(0, 0, 2));
  heft_dynamics_destroy(d);
  assert_int_equal(heft_servo_create(&people.servo, NULL, &error), HEFT_OK);
  assert_int_equal(heft_device_open(&device, heft_driver_named("emulated"),
                                    "ideal:0 0 0 0; 3 0 0 -4", NULL, &error),
                   HEFT_OK);
  assert_int_equal(heft_servo_add(people.servo, device, &mapping), 0);
  assert_int_equal(heft_servo_start(people.servo, &error), HEFT_OK);
  HeftSimulationDef def = heft_simulation_def_default();
  HeftSimulation* s = NULL;
  def.people = &people;
  def.running = 1;
  def.timeline_bytes = (size_t)32 << 20;
  assert_int_equal(heft_simulation_create(&s, m, &def, &error), HEFT_OK);
  int touched = 0;
  for (int i = 0; i < 10000 && !touched; ++i) {
    const HeftViewFrame* f = heft_simulation_frame(s, NULL);
    assert_int_equal(f->person_count, 1);
    touched = f->person[0].state.body >= 0 && heft_vec3_norm(f->person[0].state.force) > 0.1;
    nap();
  }
  assert_true(touched);
  heft_simulation_destroy(s);
  heft_servo_destroy(people.servo);
  heft_device_close(device);
  heft_model_destroy(m);
}

static void settings_take_effect(void** state) {
  (void)state;
  HeftModel* m = scene_create("heap", NULL);
  HeftSimulation* s = open_simulation(m);
  HeftSettings none = heft_settings_default();
  none.gravity = 0;
  heft_simulation_set(s, &none);
  heft_simulation_ghost(s, 1);  // keeps what is set now
  HeftSettings usual = heft_settings_default();
  heft_simulation_set(s, &usual);
  heft_simulation_step(s, 200);
  const HeftViewFrame* f = wait_step(s, 200);
  assert_true(f->ghost);
  assert_true(f->hash == plain_hash(m, 200));
  double apart = 0;
  for (int i = 0; i < m->nq; ++i) apart = fmax(apart, fabs(f->q[i] - f->ghost_q[i]));
  assert_true(apart > 0.01);  // one of them fell
  heft_simulation_destroy(s);
  heft_model_destroy(m);
}

// Two contact models side by side: the ghost is on springs.
static void contact_models_take_effect(void** state) {
  (void)state;
  HeftModel* m = scene_create("heap", NULL);
  HeftSimulation* s = open_simulation(m);
  HeftSettings soft = heft_settings_default();
  soft.contact_model = HEFT_CONTACT_MODEL_PENALTY;
  soft.contact_options.stiffness = 500;
  heft_simulation_set(s, &soft);
  heft_simulation_ghost(s, 1);
  HeftSettings usual = heft_settings_default();
  heft_simulation_set(s, &usual);
  heft_simulation_step(s, 400);
  const HeftViewFrame* f = wait_step(s, 400);
  assert_true(f->ghost);
  assert_true(f->hash == plain_hash(m, 400));
  double apart = 0;
  for (int i = 0; i < m->nq; ++i) apart = fmax(apart, fabs(f->q[i] - f->ghost_q[i]));
  assert_true(apart > 1e-3);  // one of them sank in
  assert_string_equal(f->trouble, "");
  heft_simulation_destroy(s);
  heft_model_destroy(m);
}

static void the_clock_is_kept(void** state) {
  (void)state;
  HeftModel* m = scene_create("pendulum", NULL);
  HeftSimulation* s = open_simulation(m);
  heft_simulation_factor(s, 4);
  heft_simulation_run(s, 1);
  const uint64_t start = heft_clock_ns();
  while (heft_clock_ns() - start < 300000000u) nap();
  heft_simulation_run(s, 0);
  const HeftViewFrame* f = heft_simulation_frame(s, NULL);
  for (int i = 0; i < 10000 && f->running; ++i, nap()) f = heft_simulation_frame(s, NULL);
  // Never ahead of the clock; how far behind is up to the machine.
  assert_true(f->time > 0);
  assert_true(f->time < 4 * (double)(heft_clock_ns() - start) * 1e-9 + 0.01);
  heft_simulation_destroy(s);
  heft_model_destroy(m);
}

// A ring far too small for all: what is left is in order, whole, and restores.
static void the_timeline_forgets_the_oldest(void** state) {
  (void)state;
  HeftModel* m = scene_create("heap", NULL);
  HeftWorld* w = NULL;
  Timeline t;
  const HeftAllocator heap = heft_allocator_default();
  assert_int_equal(heft_world_create(&w, m, NULL, NULL), HEFT_OK);
  assert_true(timeline_make(&t, &heap, 12 * heft_world_snapshot_size(w) + 100));
  for (long i = 0; i < 200; ++i) {
    timeline_keep(&t, w, i);
    heft_world_step(w);
    assert_true(t.count > 0);
    for (int k = 1; k < t.count; ++k)
      assert_true(timeline_at(&t, k)->step == timeline_at(&t, k - 1)->step + 1);
  }
  for (int k = 0; k < t.count; ++k) {
    const Snapshot* at = timeline_at(&t, k);
    assert_int_equal(heft_world_restore(w, t.bytes + at->offset, at->size), HEFT_OK);
    assert_true(heft_world_hash(w) == at->hash);
  }
  timeline_free(&t);
  heft_world_destroy(w);
  heft_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rewinding_is_exact),  cmocka_unit_test(a_tap_makes_a_branch),
      cmocka_unit_test(the_hand_pulls),      cmocka_unit_test(settings_take_effect),
      cmocka_unit_test(a_person_reaches_in), cmocka_unit_test(contact_models_take_effect),
      cmocka_unit_test(the_clock_is_kept),   cmocka_unit_test(the_timeline_forgets_the_oldest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
