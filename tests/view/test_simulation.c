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
  heft_simulation_apply_impulse(s, 1, heft_vec3(0, 0, 1), heft_vec3(0.5, 0, 0));
  heft_simulation_step(s, 200);
  const HeftViewFrame* f = wait_step(s, 300);
  assert_true(f->hash != end);
  assert_int_equal(f->branched, 1);
  heft_simulation_destroy(s);
  heft_model_destroy(m);
}

// With a tolerance that rounding does not meet, steps are inexact: the simulation goes on and
// counts them, as a world alone does.
static void inexact_steps_are_counted(void** state) {
  (void)state;
  enum { STEPS = 200 };
  HeftModel* m = scene_create("heap", NULL);
  HeftSimulation* s = open_simulation(m);
  HeftSimulationSettings settings = heft_simulation_settings_default();
  HeftWorldDef def = heft_world_def_default();
  HeftWorld* w = NULL;
  HeftStepTally tally = {0};
  settings.tolerance = def.tolerance = 1e-17;
  assert_int_equal(heft_world_create(&w, m, &def, NULL), HEFT_OK);
  for (int i = 0; i < STEPS; ++i) {
    const HeftStepReport r = heft_world_step(w);
    heft_step_tally_add(&tally, &r);
  }
  heft_simulation_set_settings(s, &settings);
  heft_simulation_step(s, STEPS);
  const HeftViewFrame* f = wait_step(s, STEPS);
  assert_string_equal(f->trouble, "");
  assert_true(tally.inexact > 0);
  assert_int_equal(f->tally.inexact, tally.inexact);
  assert_int_equal(f->tally.steps, STEPS);
  float most = 0;
  for (int i = 0; i < f->sample_count; ++i)
    most = fmaxf(most, f->sample[i].value[HEFT_PLOT_INEXACT]);
  assert_true(most > 0);
  heft_simulation_reset(s, -1);
  f = wait_step(s, 0);
  assert_int_equal(f->tally.steps, 0);
  heft_world_destroy(w);
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
  heft_dynamics_kinematics(d, m->q_default);
  HeftVec3 from = heft_dynamics_body_pose(d, hand).pos;
  const HeftGrab grab = {.body = hand, .target = heft_vec3_add(from, heft_vec3(0.2, 0, 0.8))};
  heft_simulation_grab(s, &grab);
  heft_simulation_step(s, 3000);
  const HeftViewFrame* f = wait_step(s, 3000);
  assert_string_equal(f->trouble, "");
  heft_dynamics_kinematics(d, f->q);
  const double away =
      heft_vec3_norm(heft_vec3_sub(heft_dynamics_body_pose(d, hand).pos, grab.target));
  assert_true(away < 0.5 * heft_vec3_norm(heft_vec3_sub(from, grab.target)));
  assert_true(heft_vec3_norm(f->grab_force) > 1);
  heft_dynamics_destroy(d);
  heft_simulation_destroy(s);
  heft_model_destroy(m);
}

// A pull has at most the force that was asked for, however far away the hand is.
static void a_pull_has_a_limit(void** state) {
  (void)state;
  HeftModel* m = scene_create("humanoid", NULL);
  HeftSimulation* s = open_simulation(m);
  const double half = 0.5 * 9.81 * heft_model_mass(m);
  HeftGrab grab = {.body = 1, .target = {3, 0, 2}, .force_max = half};
  heft_simulation_grab(s, &grab);
  heft_simulation_step(s, 50);
  const double gentle = heft_vec3_norm(wait_step(s, 50)->grab_force);
  assert_true(gentle > 0.9 * half && gentle < half * (1 + 1e-9));
  grab.force_max = 0;
  heft_simulation_grab(s, &grab);
  heft_simulation_step(s, 20);
  assert_true(heft_vec3_norm(wait_step(s, 70)->grab_force) > 2 * half);
  heft_simulation_destroy(s);
  heft_model_destroy(m);
}

// An arm with a motor.
static void add_arm(HeftBuilder* b, const char* joint, const char* motor) {
  HeftBodyDef body = heft_body_def_default();
  body.mass = 2;
  body.inertia = (HeftSym3){0.1, 0.1, 0.1, 0, 0, 0};
  HeftJointDef hinge = heft_joint_def_default();
  hinge.body = heft_builder_add_body(b, &body);
  hinge.name = joint;
  hinge.type = HEFT_JOINT_HINGE;
  hinge.axis = heft_vec3(0, 1, 0);
  HeftActuatorDef actuator = heft_actuator_def_default();
  actuator.name = motor;
  actuator.target = heft_builder_add_joint(b, &hinge);
  actuator.gain = 1000;
  heft_builder_add_actuator(b, &actuator);
}

// After a step that was rolled back, the message has the joint and what drives it.
static void divergence_has_a_name(void** state) {
  (void)state;
  HeftBuilder* b = NULL;
  HeftModel* m = NULL;
  HeftError error = {0};
  assert_int_equal(heft_builder_create(&b, NULL, &error), HEFT_OK);
  add_arm(b, "idle", "mild");
  add_arm(b, "shoulder", "drive");
  assert_int_equal(heft_builder_finish(b, &m, &error), HEFT_OK);
  heft_builder_destroy(b);
  HeftSimulation* s = open_simulation(m);
  heft_simulation_control(s, 0, 1);
  heft_simulation_control(s, 1, 1e15);
  heft_simulation_step(s, 2);
  const HeftViewFrame* f = heft_simulation_frame(s, NULL);
  for (int i = 0; i < 20000 && !f->trouble[0]; ++i) {
    nap();
    f = heft_simulation_frame(s, NULL);
  }
  assert_non_null(strstr(f->trouble, "rolled back"));
  assert_non_null(strstr(f->trouble, "'shoulder' at 0"));
  assert_non_null(strstr(f->trouble, "'drive' exerts 1e+18, control 1e+15"));
  heft_simulation_destroy(s);
  heft_model_destroy(m);
}

// A person with a device touches what is there in a running simulation, and feels it.
static void a_person_reaches_in(void** state) {
  (void)state;
  HeftModel* m = scene_create("heap", NULL);
  HeftUsers users = {.count = 1, .probe = {heft_probe_def_default()}};
  HeftDevice* device = NULL;
  HeftError error = {0};
  HeftMapping mapping = heft_mapping_default();
  HeftDynamics* d = NULL;
  assert_int_equal(heft_dynamics_create(&d, m, NULL, NULL), HEFT_OK);
  heft_dynamics_kinematics(d, m->q_default);
  mapping.origin = heft_vec3_add(heft_dynamics_center_of_mass(d, 0), heft_vec3(0, 0, 2));
  heft_dynamics_destroy(d);
  assert_int_equal(heft_servo_create(&users.servo, NULL, &error), HEFT_OK);
  assert_int_equal(heft_device_open(&device, heft_driver_find("emulated"),
                                    "ideal:0 0 0 0; 3 0 0 -4", NULL, &error),
                   HEFT_OK);
  assert_int_equal(heft_servo_add(users.servo, device, &mapping), 0);
  assert_int_equal(heft_servo_start(users.servo, &error), HEFT_OK);
  HeftSimulationDef def = heft_simulation_def_default();
  HeftSimulation* s = NULL;
  def.users = &users;
  def.running = 1;
  def.timeline_bytes = (size_t)32 << 20;
  assert_int_equal(heft_simulation_create(&s, m, &def, &error), HEFT_OK);
  int touched = 0;
  for (int i = 0; i < 60000 && !touched; ++i) {
    const HeftViewFrame* f = heft_simulation_frame(s, NULL);
    assert_int_equal(f->user_count, 1);
    touched = f->person[0].state.body >= 0 && heft_vec3_norm(f->person[0].state.force) > 0.1;
    nap();
  }
  assert_true(touched);
  heft_simulation_destroy(s);
  heft_servo_destroy(users.servo);
  heft_device_close(device);
  heft_model_destroy(m);
}

// ---- a device that the test holds in its own hand

typedef struct Handle {
  double height;  // of the hand [m]
  HeftVec3 felt;
} Handle;
static Handle handle;

static HeftStatus handle_open(void* self, const char* address, HeftError* error) {
  (void)self;
  (void)address;
  (void)error;
  return HEFT_OK;
}
static void handle_close(void* self) { (void)self; }
static void handle_info(void* self, HeftDeviceInfo* info) {
  (void)self;
  *info = (HeftDeviceInfo){.name = "of the test", .rate = 1000, .force_max = 20};
}
static HeftDeviceRead handle_read(void* self, uint64_t now_ns, HeftDeviceSample* sample) {
  (void)self;
  *sample = (HeftDeviceSample){.time_ns = now_ns, .pos = {0, 0, handle.height}};
  sample->rot = heft_quat_identity();
  return HEFT_DEVICE_FRESH;
}
static bool handle_write(void* self, uint64_t now_ns, const HeftDeviceForce* force) {
  (void)self;
  (void)now_ns;
  handle.felt = force->force;
  return 1;
}
static const HeftDriver handle_driver = {.name = "handle",
                                         .text = "of the test",
                                         .address = "",
                                         .size = 8,
                                         .open = handle_open,
                                         .close = handle_close,
                                         .info = handle_info,
                                         .read = handle_read,
                                         .write = handle_write};

typedef struct Touching {
  HeftModel* model;
  HeftDevice* device;
  HeftUsers users;
  HeftSimulation* simulation;
} Touching;

// A hand beside the heap, over the ground.
static void open_touching(Touching* t) {
  HeftError error = {0};
  HeftMapping mapping = heft_mapping_default();
  mapping.origin = heft_vec3(8, 8, 0);
  handle = (Handle){.height = 0.05};
  memset(t, 0, sizeof *t);
  t->model = scene_create("heap", NULL);
  t->users.count = 1;
  t->users.probe[0] = heft_probe_def_default();
  t->users.mapping[0] = mapping;
  assert_int_equal(heft_device_open(&t->device, &handle_driver, "", NULL, &error), HEFT_OK);
  assert_int_equal(heft_servo_create(&t->users.servo, NULL, &error), HEFT_OK);
  assert_int_equal(heft_servo_add(t->users.servo, t->device, &mapping), 0);
  HeftSimulationDef def = heft_simulation_def_default();
  def.users = &t->users;
  def.running = 1;
  def.timeline_bytes = (size_t)32 << 20;
  assert_int_equal(heft_simulation_create(&t->simulation, t->model, &def, &error), HEFT_OK);
}

static void close_touching(Touching* t) {
  heft_simulation_destroy(t->simulation);
  heft_servo_destroy(t->users.servo);
  heft_device_close(t->device);
  heft_model_destroy(t->model);
}

// Turns of the servo while the hand goes to a height; returns the largest jump of the force in a
// millisecond, as long as turns came in time. A force that fades changes more in a turn that came
// later.
static double turn(const Touching* t, int turns, double height) {
  double jump = 0;
  const double from = handle.height;
  uint64_t last = heft_clock_ns();
  for (int i = 0; i < turns; ++i) {
    const HeftVec3 before = handle.felt;
    handle.height = from + (height - from) * fmin(1, (i + 1) / (0.8 * turns));
    nap();
    const uint64_t now = heft_clock_ns();
    heft_servo_tick(t->users.servo, now);
    if (now - last < 3000000u)
      jump = fmax(jump, heft_vec3_norm(heft_vec3_sub(handle.felt, before)) /
                            fmax(1, 1e-6 * (double)(now - last)));
    last = now;
  }
  return jump;
}

static double felt(void) { return heft_vec3_norm(handle.felt); }

static double simulated(const Touching* t) {
  return heft_simulation_frame(t->simulation, NULL)->time;
}

// Turns while the hand stays where it is, until a time is simulated; returns as turn() does. On a
// machine with other work, the simulation falls behind the clock.
static double turn_until(const Touching* t, double time) {
  double jump = 0;
  for (int i = 0; i < 60000 && simulated(t) < time; ++i)
    jump = fmax(jump, turn(t, 1, handle.height));
  assert_true(simulated(t) >= time);
  return jump;
}

// Turns while the hand stays where it is, until it feels a force: without fresh steps, forces fade.
// If steps come so seldom that one of them finds the hand inside of the ground, the hand comes from
// above again.
static double press_until(const Touching* t, double force) {
  double jump = 0;
  for (int i = 1; i <= 30000 && felt() <= force; ++i) {
    jump = fmax(jump, turn(t, 1, handle.height));
    if (i % 3000 != 0) continue;
    const double height = handle.height;
    turn(t, 300, 0.05);
    turn_until(t, simulated(t) + 0.1);
    turn(t, 2000, height);
  }
  assert_true(felt() > force);
  return jump;
}

// Going back in time while a hand presses: what it feels fades, and comes back from nothing when
// the hand touches again. It is never a kick.
static void rewinding_gives_no_kick(void** state) {
  (void)state;
  Touching t;
  open_touching(&t);
  turn(&t, 300, 0.05);
  turn_until(&t, 0.2);
  turn(&t, 500, -0.01);
  turn_until(&t, 0.5);
  const double full = 7.5;  // 500 N/m, 15 mm with the radius of the ball [N]
  press_until(&t, 3);
  const double time = simulated(&t);
  heft_simulation_rewind(t.simulation, time - 0.4);
  double jump = turn(&t, 200, -0.01);
  for (int i = 0; i < 30000 && felt() > 0; ++i) jump = fmax(jump, turn(&t, 1, -0.01));
  assert_true(felt() == 0);
  const uint64_t start = heft_clock_ns();
  heft_simulation_run(t.simulation, 1);
  jump = fmax(jump, turn(&t, 300, -0.01));
  assert_true(felt() < 1e-9);  // it is inside of the ground, and was not there before
  assert_true(jump < 0.15 * full);
  assert_true(simulated(&t) < time - 0.4 + 1e-9 * (double)(heft_clock_ns() - start) + 0.1);
  turn(&t, 300, 0.05);
  turn_until(&t, simulated(&t) + 0.1);
  jump = turn(&t, 600, -0.01);
  jump = fmax(jump, press_until(&t, 3));
  assert_true(jump < 0.15 * full);
  close_touching(&t);
}

// The simulation lets go of people, and takes others.
static void people_come_and_go(void** state) {
  (void)state;
  Touching t;
  open_touching(&t);
  turn(&t, 100, 0.05);
  assert_int_equal(heft_simulation_frame(t.simulation, NULL)->user_count, 1);
  for (int i = 0; i < 20; ++i) {
    heft_simulation_set_users(t.simulation, NULL);
    heft_servo_destroy(t.users.servo);
    assert_int_equal(heft_servo_create(&t.users.servo, NULL, NULL), HEFT_OK);
    heft_servo_add(t.users.servo, t.device, &t.users.mapping[0]);
    heft_simulation_set_users(t.simulation, &t.users);
  }
  turn(&t, 300, 0.05);
  turn_until(&t, simulated(&t) + 0.1);
  turn(&t, 300, -0.01);
  press_until(&t, 3);
  heft_simulation_set_users(t.simulation, NULL);
  turn(&t, 200, -0.01);
  assert_int_equal(heft_simulation_frame(t.simulation, NULL)->user_count, 0);
  assert_true(felt() == 0);
  close_touching(&t);
}

// ---- sessions

typedef struct Tape {
  HeftWorld* world;
  HeftSession* session;
  unsigned char *start, *notes;
  size_t start_size, used, size;  // of the notes: as far as they are used, and in all
  int count, max;
  uint64_t last;
} Tape;

static int tape_begin(void* user, const char* path, HeftWorld* world, HeftSession* session,
                      double time_step) {
  Tape* t = user;
  if (strcmp(path, "tape") != 0 || !(time_step > 0)) return 0;
  t->world = world;
  t->session = session;
  t->start_size = heft_session_snapshot_size(session);
  t->start = malloc(t->start_size);
  heft_session_snapshot(session, t->start);
  t->size = (size_t)t->max * 2048;  // those of steps that a deadline cut are longer
  t->notes = malloc(t->size);
  return t->notes != NULL;
}

static void tape_step(void* user, const HeftStepReport* report) {
  Tape* t = user;
  (void)report;
  const size_t size = heft_session_record_size(t->session);
  if (t->count == t->max || t->used + sizeof size + size > t->size) return;
  memcpy(t->notes + t->used, &size, sizeof size);
  heft_session_record(t->session, t->notes + t->used + sizeof size);
  t->used += sizeof size + size;
  ++t->count;
  t->last = heft_world_hash(t->world);
}

static int tape_end(void* user) {
  (void)user;
  return 1;
}

// The steps of a tape in another world: the same bits, and the hand touched something.
static void expect_again(const Tape* tape, const Touching* t) {
  HeftWorld* w = NULL;
  HeftSession* again = NULL;
  HeftStepReport report;
  int touched = 0;
  assert_int_equal(heft_world_create(&w, t->model, NULL, NULL), HEFT_OK);
  assert_int_equal(heft_session_create(&again, w, 1, t->users.probe, NULL, NULL), HEFT_OK);
  assert_int_equal(heft_session_restore(again, tape->start, tape->start_size), HEFT_OK);
  const unsigned char* at = tape->notes;
  for (int i = 0; i < tape->count; ++i) {
    size_t size;
    memcpy(&size, at, sizeof size);
    assert_int_equal(heft_session_replay(again, at + sizeof size, size, &report), HEFT_OK);
    at += sizeof size + size;
    touched |= heft_vec3_norm(heft_probe_state(heft_session_probe(again, 0))->force) > 3;
  }
  assert_true(touched);
  assert_true(heft_world_hash(w) == tape->last);
  heft_session_destroy(again);
  heft_world_destroy(w);
}

static const HeftViewFrame* wait_recordings(const Touching* t, int count) {
  const HeftViewFrame* f = heft_simulation_frame(t->simulation, NULL);
  for (int i = 0; i < 60000 && f->recordings < count; ++i) {
    nap();
    f = heft_simulation_frame(t->simulation, NULL);
  }
  assert_int_equal(f->recordings, count);
  return f;
}

// What a hand does is recorded, the mouse stays out, and it can be lived again to the same bits.
static void sessions_replay(void** state) {
  (void)state;
  Touching t;
  Tape tape = {.max = 20000};
  const HeftRecorder recorder = {&tape, tape_begin, tape_step, tape_end, NULL};
  open_touching(&t);
  turn(&t, 200, 0.05);
  turn_until(&t, 0.1);
  heft_simulation_record(t.simulation, &recorder, "tape");
  turn(&t, 200, -0.01);
  press_until(&t, 4);
  const HeftGrab grab = {.body = 1, .target = {0, 0, 3}};
  heft_simulation_grab(t.simulation, &grab);
  heft_simulation_apply_impulse(t.simulation, 2, heft_vec3(0, 0, 0), heft_vec3(0, 0, 1));
  turn(&t, 200, -0.01);
  turn_until(&t, simulated(&t) + 0.2);
  heft_simulation_record(t.simulation, NULL, NULL);
  const HeftViewFrame* f = wait_recordings(&t, 1);
  assert_true(f->recorded > 100 && f->recorded == tape.count && f->last_hash == tape.last);
  assert_int_equal(f->grab.body, -1);
  expect_again(&tape, &t);
  // With other settings than the file's it says no.
  HeftSimulationSettings slippery = heft_simulation_settings_default();
  slippery.friction = 0.5;
  heft_simulation_set_settings(t.simulation, &slippery);
  heft_simulation_record(t.simulation, &recorder, "tape");
  f = wait_recordings(&t, 2);
  assert_int_equal(f->recording, 0);
  assert_non_null(strstr(f->record_end, "settings"));
  close_touching(&t);
  free(tape.start);
  free(tape.notes);
}

static void settings_take_effect(void** state) {
  (void)state;
  HeftModel* m = scene_create("heap", NULL);
  HeftSimulation* s = open_simulation(m);
  HeftSimulationSettings none = heft_simulation_settings_default();
  none.gravity = 0;
  heft_simulation_set_settings(s, &none);
  heft_simulation_ghost(s, 1);  // keeps what is set now
  HeftSimulationSettings usual = heft_simulation_settings_default();
  heft_simulation_set_settings(s, &usual);
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
// A cube of 0.2 m on a floor, under a gravity that leans: friction takes what acts sideways.
static HeftModel* leaning_cube(double lean) {
  HeftBuilder* b = NULL;
  HeftModel* m = NULL;
  HeftError error = {0};
  assert_int_equal(heft_builder_create(&b, NULL, &error), HEFT_OK);
  HeftShapeDef shape = heft_shape_def_default();
  shape.type = HEFT_SHAPE_PLANE;
  heft_builder_add_shape(b, &shape);
  HeftBodyDef body = heft_body_def_default();
  body.pos.z = 0.1;
  body.mass = 1;
  body.inertia = (HeftSym3){0.01, 0.01, 0.01, 0, 0, 0};
  HeftJointDef joint = heft_joint_def_default();
  joint.type = HEFT_JOINT_FREE;
  joint.body = shape.body = heft_builder_add_body(b, &body);
  heft_builder_add_joint(b, &joint);
  shape.type = HEFT_SHAPE_BOX;
  for (int k = 0; k < 3; ++k) shape.size[k] = 0.1;
  heft_builder_add_shape(b, &shape);
  assert_int_equal(heft_builder_finish(b, &m, &error), HEFT_OK);
  heft_builder_destroy(b);
  m->physics.gravity[0] = lean * 9.81;
  m->physics.gravity[2] = -9.81;
  return m;
}

// A body at rest needs the share lean / mu of its friction, whatever its four contact forces are.
static void friction_needed_is_found_on_request(void** state) {
  (void)state;
  const double lean = 0.2;
  HeftModel* m = leaning_cube(lean);
  HeftSimulation* s = open_simulation(m);
  heft_simulation_step(s, 200);
  const HeftViewFrame* f = wait_step(s, 200);
  const uint64_t hash = f->hash;
  assert_true(f->friction_needed[1] < 0);
  heft_simulation_margins(s, true);
  for (int i = 0; i < 60000 && f->friction_needed[1] < 0; ++i, nap())
    f = heft_simulation_frame(s, NULL);
  const double share = lean / f->contact[0].friction;
  assert_true(fabs(f->friction_needed[1] / share - 1) < 1e-5);
  assert_true(f->friction_needed[0] < 0 && f->hash == hash);
  heft_simulation_step(s, 10);
  f = wait_step(s, 210);
  assert_true(fabs((double)f->sample[0].value[HEFT_PLOT_FRICTION_NEEDED] / share - 1) < 1e-5);
  assert_true(f->hash == plain_hash(m, 210));
  heft_simulation_margins(s, false);
  for (int i = 0; i < 60000 && f->friction_needed[1] >= 0; ++i, nap())
    f = heft_simulation_frame(s, NULL);
  assert_true(f->friction_needed[1] < 0);
  heft_simulation_destroy(s);
  heft_model_destroy(m);
}

static void contact_models_take_effect(void** state) {
  (void)state;
  HeftModel* m = scene_create("heap", NULL);
  HeftSimulation* s = open_simulation(m);
  HeftSimulationSettings soft = heft_simulation_settings_default();
  soft.contact_model = HEFT_CONTACT_MODEL_PENALTY;
  soft.contact_options.stiffness = 500;
  heft_simulation_set_settings(s, &soft);
  heft_simulation_ghost(s, 1);
  HeftSimulationSettings usual = heft_simulation_settings_default();
  heft_simulation_set_settings(s, &usual);
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
    timeline_keep(&t, w, NULL, i, 0);
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

// Waits for the count of the last second that meets a condition; fails after a while.
static const HeftViewFrame* wait_cut(HeftSimulation* s, int cut) {
  for (int i = 0; i < 60000; ++i) {
    const HeftViewFrame* f = heft_simulation_frame(s, NULL);
    if (f->running && f->recent_steps > 20 && (f->recent_cut > 0) == cut) return f;
    nap();
  }
  fail_msg("the steps of the last second were %scut", cut ? "not " : "");
  return NULL;
}

// At a speed that no machine reaches steps are cut and counted; without deadlines none is. What
// was cut can be rewound to a snapshot, with its bits.
static void late_steps_are_cut(void** state) {
  (void)state;
  HeftModel* m = scene_create("heap", NULL);
  HeftSimulation* s = open_simulation(m);
  heft_simulation_factor(s, 1e5);
  heft_simulation_run(s, 1);
  const HeftViewFrame* f = wait_cut(s, 1);
  assert_int_equal(f->deadline, 1);
  assert_true(f->recent_cut <= f->recent_steps && f->recent_worst > 0 && f->achieved < 1e5);
  heft_simulation_set_deadline(s, 0);
  f = wait_cut(s, 0);
  assert_int_equal(f->deadline, 0);
  heft_simulation_run(s, 0);
  for (int i = 0; i < 60000 && f->running; ++i) {
    nap();
    f = heft_simulation_frame(s, NULL);
  }
  // A snapshot at most 20 ms before the time, or the step nearest to it.
  const double time = 0.5 * (f->first + f->last);
  const double latest = time + 0.5 * m->physics.time_step + 1e-9;
  heft_simulation_rewind(s, time);
  for (int i = 0; i < 60000 && f->time > latest; ++i) {
    nap();
    f = heft_simulation_frame(s, NULL);
  }
  assert_true(f->time <= latest && f->time > time - 0.021);
  assert_string_equal(f->trouble, "");
  heft_simulation_destroy(s);
  heft_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rewinding_is_exact),
      cmocka_unit_test(a_tap_makes_a_branch),
      cmocka_unit_test(inexact_steps_are_counted),
      cmocka_unit_test(late_steps_are_cut),
      cmocka_unit_test(the_hand_pulls),
      cmocka_unit_test(a_pull_has_a_limit),
      cmocka_unit_test(divergence_has_a_name),
      cmocka_unit_test(settings_take_effect),
      cmocka_unit_test(friction_needed_is_found_on_request),
      cmocka_unit_test(a_person_reaches_in),
      cmocka_unit_test(rewinding_gives_no_kick),
      cmocka_unit_test(people_come_and_go),
      cmocka_unit_test(sessions_replay),
      cmocka_unit_test(contact_models_take_effect),
      cmocka_unit_test(the_clock_is_kept),
      cmocka_unit_test(the_timeline_forgets_the_oldest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
