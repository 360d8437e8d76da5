// SPDX-License-Identifier: Apache-2.0
// The plug-in of `heft run --ros2`: a world as a node of ROS 2.
//
// The thread of the step copies a state into a ring after each step, and takes the newest command
// before it. The thread of DDS (node.c) does the rest. Only a pause, the wait for the first command
// and the pace of real time hold the step, and they end with a signal.
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <heft/plugin.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/log.h"
#include "ros2/exchange.h"
#include "ros2/node.h"

enum { STATES = 512, SPENT_BINS = 80, SPENT_BIN_NS = 250 };
static const double bodies_period = 0.01;
static const uint64_t catch_up_ns = 50000000, repeat_ns = 100000000;

/// All that does not fit into plain data.
typedef struct Bridge {
  Exchange exchange;
  Node* node;            // NULL until the first step: a replay needs none
  unsigned char* start;  // snapshot of the initial state
  size_t start_size;
  double* command;            // in use: controls, joint forces
  uint64_t due_ns, spent_ns;  // spent: in this step
  long spent[SPENT_BINS];     // steps by the time that they paid
  long steps, unsent;
  bool met, leave, reset;
} Bridge;

/// self of the plug-in.
typedef struct Ros2 {
  double wait;                      // option
  double commands, unsent, resets;  // values
  Bridge* bridge;
} Ros2;

static const HeftOption option_rows[] = {HEFT_PLUGIN_OPTION(
    Ros2, wait, 0, 600, 0, "s", "time to wait at the start for the first command")};
static const HeftOption value_rows[] = {
    HEFT_PLUGIN_VALUE(Ros2, commands, "", "commands that acted"),
    HEFT_PLUGIN_VALUE(Ros2, unsent, "", "states that were dropped, because DDS was late"),
    HEFT_PLUGIN_VALUE(Ros2, resets, "", "returns to the start")};

// ---- life of an instance

static void free_bridge(Bridge* b) {
  if (!b) return;
  node_stop(b->node);
  ring_free(&b->exchange.states);
  mailbox_free(&b->exchange.commands);
  free(b->exchange.latest);
  free(b->command);
  free(b->start);
  free(b);
}

static double* make_command(const HeftModel* m) {
  double* command = calloc(command_count(m) + 1, sizeof *command);
  for (size_t i = 0; command && i < command_count(m); ++i) command[i] = (double)NAN;
  return command;
}

static HeftStatus create(void* self, HeftWorld* world, HeftError* error) {
  const HeftModel* m = heft_world_model(world);
  Bridge* b = calloc(1, sizeof *b);
  ((Ros2*)self)->bridge = b;
  if (b) {
    b->exchange.model = m;
    b->exchange.latest = make_command(m);
    b->command = make_command(m);
    b->start_size = heft_world_snapshot_size(world);
    b->start = malloc(b->start_size);
  }
  if (!b || !b->exchange.latest || !b->command || !b->start ||
      !ring_create(&b->exchange.states, frame_size(m), STATES) ||
      !mailbox_create(&b->exchange.commands, sizeof(double) * (command_count(m) + 1))) {
    free_bridge(b);
    return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for ROS 2");
  }
  heft_world_snapshot(world, b->start);
  return HEFT_OK;
}

// The time below which a share of the steps paid [µs].
static double spent_us(const Bridge* b, double share) {
  long below = 0;
  int i = 0;
  while (i < SPENT_BINS - 1 && (double)(below += b->spent[i]) < share * (double)b->steps) ++i;
  return 1e-3 * SPENT_BIN_NS * (i + 1);
}

static void sum_up(const Ros2* r) {
  const Bridge* b = r->bridge;
  heft_log_write(
      HEFT_LOG_INFO,
      "ROS 2: %ld states, %ld dropped, %u messages lost, %.0f commands, %u refused; half "
      "of the steps paid less than %.2f µs, 99 %% less than %.2f µs",
      b->steps, b->unsent, atomic_load(&b->exchange.lost), r->commands,
      atomic_load(&b->exchange.refused), spent_us(b, 0.5), spent_us(b, 0.99));
}

static void destroy(void* self) {
  const Ros2* r = self;
  if (r->bridge->node) {
    atomic_store(&r->bridge->exchange.ending, true);
    sum_up(r);
  }
  free_bridge(r->bridge);
}

// ---- a step

static void fill_bodies(const HeftWorld* world, const HeftModel* m, Frame* f) {
  const HeftDynamics* d = heft_world_dynamics(world);
  double* pose = f->numbers + m->nq + m->nv;
  double* wrench = pose + (size_t)POSE_NUMBERS * (size_t)m->nbody;
  memset(wrench, 0, sizeof(double) * WRENCH_NUMBERS * (size_t)m->nbody);
  for (int i = 0; i < m->nbody; ++i) {
    const HeftPose p = heft_dynamics_body_pose(d, i);
    memcpy(pose + (size_t)POSE_NUMBERS * (size_t)i, &p, sizeof p);
  }
  for (int k = 0; k < heft_world_contact_count(world); ++k) {
    const HeftContact c = heft_world_contact(world, k);
    const int body[2] = {c.body_a, c.body_b};
    for (int side = 0; side < 2; ++side) {
      const HeftPose p = heft_dynamics_body_pose(d, body[side]);
      const double sign = side == 0 ? -1 : 1;
      const HeftVec3 at = heft_vec3_add(c.pos, heft_vec3_scale(0.5 * sign, c.offset)),
                     torque = heft_vec3_add(c.torque,
                                            heft_vec3_cross(heft_vec3_sub(at, p.pos), c.force)),
                     force_in = heft_mat3_tmul_vec(p.rot, c.force),
                     torque_in = heft_mat3_tmul_vec(p.rot, torque);
      double* w = wrench + (size_t)WRENCH_NUMBERS * (size_t)body[side];
      const double add[WRENCH_NUMBERS] = {force_in.x,  force_in.y,  force_in.z,
                                          torque_in.x, torque_in.y, torque_in.z};
      for (int j = 0; j < WRENCH_NUMBERS; ++j) w[j] += sign * add[j];
    }
  }
}

static void send_state(Bridge* b, const HeftWorld* world, bool bodies) {
  const HeftModel* m = b->exchange.model;
  const HeftState* s = heft_world_state(world);
  Frame* f = ring_back(&b->exchange.states);
  if (!f) {
    ++b->unsent;
    return;
  }
  f->time_ns = (uint64_t)(fmax(*s->time, 0) * 1e9 + 0.5);
  f->bodies = bodies;
  memcpy(f->numbers, s->q, (size_t)m->nq * sizeof(double));
  memcpy(f->numbers + m->nq, s->v, (size_t)m->nv * sizeof(double));
  if (bodies) fill_bodies(world, m, f);
  ring_push(&b->exchange.states);
}

// NaN: nothing is commanded. A joint force acts in one step; so it is written in each.
static void act(const Bridge* b, HeftWorld* world) {
  const HeftModel* m = b->exchange.model;
  double *control = heft_world_controls(world), *force = heft_world_joint_forces(world);
  for (int i = 0; i < m->nactuator; ++i)
    if (!isnan(b->command[i])) control[i] = b->command[i];
  for (int i = 0; i < m->nv; ++i)
    if (!isnan(b->command[m->nactuator + i])) force[i] = b->command[m->nactuator + i];
}

static void take_command(Ros2* r) {
  Bridge* b = r->bridge;
  const double* newest = mailbox_take(&b->exchange.commands);
  if (!newest) return;
  memcpy(b->command, newest, command_count(b->exchange.model) * sizeof(double));
  r->commands += 1;
}

static void go_to_start(Ros2* r, HeftWorld* world) {
  if (heft_world_restore(world, r->bridge->start, r->bridge->start_size) != HEFT_OK)
    heft_log_write(HEFT_LOG_WARNING, "ROS 2: the world cannot return to its start");
  r->resets += 1;
  r->bridge->reset = true;
}

static void follow_resets(Ros2* r, HeftWorld* world) {
  Exchange* x = &r->bridge->exchange;
  const unsigned asked = atomic_load_explicit(&x->resets_asked, memory_order_relaxed);
  if (asked == atomic_load_explicit(&x->resets_done, memory_order_relaxed)) return;
  go_to_start(r, world);
  atomic_store(&x->resets_done, asked);
}

static void nap(Bridge* b, uint64_t ns) {
  const struct timespec t = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
  if (nanosleep(&t, NULL) != 0 && errno == EINTR) b->leave = true;
}

static bool held(Ros2* r, uint64_t until_ns) {
  Bridge* b = r->bridge;
  const bool paused = atomic_load_explicit(&b->exchange.pause_asked, memory_order_relaxed);
  return !b->leave && (paused || (r->commands < 1 && heft_clock_ns() < until_ns));
}

// While the world is held, readers that come late get its state.
static void hold(Ros2* r, HeftWorld* world, uint64_t until_ns) {
  Bridge* b = r->bridge;
  uint64_t again = 0;
  while (held(r, until_ns)) {
    atomic_store(&b->exchange.paused, atomic_load(&b->exchange.pause_asked));
    if (r->resets < atomic_load(&b->exchange.resets_asked)) again = 0;
    follow_resets(r, world);
    if (heft_clock_ns() >= again) {
      send_state(b, world, true);
      again = heft_clock_ns() + repeat_ns;
    }
    nap(b, 500000);
    take_command(r);
    b->due_ns = 0;
  }
  atomic_store(&b->exchange.paused, false);
}

// A world that is late moves its schedule.
static void keep_pace(Bridge* b, double h) {
  const uint64_t now = heft_clock_ns();
  b->due_ns = b->due_ns == 0 ? now : b->due_ns + (uint64_t)(h * 1e9 + 0.5);
  if (now > b->due_ns + catch_up_ns) b->due_ns = now;
  if (now < b->due_ns && !b->leave) nap(b, b->due_ns - now);
}

static void count_spent(Bridge* b) {
  const uint64_t bin = b->spent_ns / SPENT_BIN_NS;
  ++b->spent[bin < SPENT_BINS ? bin : SPENT_BINS - 1];
}

static void meet(Ros2* r, HeftWorld* world) {
  Bridge* b = r->bridge;
  HeftError error = {0};
  b->met = true;
  if (node_start(&b->node, &b->exchange, &error) != HEFT_OK) {
    heft_log_write(HEFT_LOG_WARNING, "ROS 2: %s; the world goes on without it", error.message);
    return;
  }
  const uint64_t until = heft_clock_ns() + (uint64_t)(r->wait * 1e9);
  send_state(b, world, true);
  hold(r, world, until);
  if (r->wait > 0 && r->commands < 1 && !b->leave)
    heft_log_write(HEFT_LOG_WARNING, "ROS 2: no command came within %g s", r->wait);
}

static void before_step(void* self, HeftWorld* world) {
  Ros2* r = self;
  Bridge* b = r->bridge;
  b->reset = false;
  if (!b->met) meet(r, world);
  if (!b->node) return;
  keep_pace(b, heft_world_time_step(world));
  if (atomic_load_explicit(&b->exchange.pause_asked, memory_order_relaxed)) hold(r, world, 0);
  const uint64_t begun = heft_clock_ns();
  follow_resets(r, world);
  take_command(r);
  act(b, world);
  b->spent_ns = heft_clock_ns() - begun;
}

static void after_step(void* self, const HeftWorld* world, const HeftStepReport* report) {
  Ros2* r = self;
  Bridge* b = r->bridge;
  (void)report;
  if (!b->node) return;
  const uint64_t begun = heft_clock_ns();
  const double h = heft_world_time_step(world);
  const long every = h < bodies_period ? (long)(bodies_period / h + 0.5) : 1;
  send_state(b, world, ++b->steps % every == 0);
  r->unsent = (double)b->unsent;
  b->spent_ns += heft_clock_ns() - begun;
  count_spent(b);
}

// ---- recordings: the command in use, and whether the world went back to its start

static size_t record_size(const void* self) {
  return sizeof(double) * (1 + command_count(((const Ros2*)self)->bridge->exchange.model));
}

static void record(const void* self, void* bytes) {
  const Bridge* b = ((const Ros2*)self)->bridge;
  const double reset = b->reset;
  memcpy(bytes, &reset, sizeof reset);
  memcpy((unsigned char*)bytes + sizeof reset, b->command, record_size(self) - sizeof reset);
}

static bool replay(void* self, HeftWorld* world, const void* bytes, size_t size) {
  Ros2* r = self;
  double reset;
  if (size != record_size(self)) return false;
  memcpy(&reset, bytes, sizeof reset);
  memcpy(r->bridge->command, (const unsigned char*)bytes + sizeof reset, size - sizeof reset);
  if (reset > 0) go_to_start(r, world);
  act(r->bridge, world);
  return true;
}

// A node has no state of the simulation.
static size_t save_size(const void* self) {
  (void)self;
  return 0;
}
static void save(const void* self, void* bytes) {
  (void)self;
  (void)bytes;
}
static bool load(void* self, const void* bytes, size_t size) {
  (void)self;
  (void)bytes;
  return size == 0;
}

static const HeftPlugin ros2 = {.cookie = HEFT_DEF_COOKIE(HeftPlugin),
                                .name = "ros2",
                                .help = "a node of ROS 2, over Cyclone DDS",
                                .size = sizeof(Ros2),
                                .options = {option_rows, 1},
                                .values = {value_rows, 3},
                                .create = create,
                                .destroy = destroy,
                                .before_step = before_step,
                                .after_step = after_step,
                                .save_size = save_size,
                                .save = save,
                                .load = load,
                                .record_size = record_size,
                                .record = record,
                                .replay = replay};
HEFT_PLUGIN(ros2)
