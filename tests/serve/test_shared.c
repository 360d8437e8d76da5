// SPDX-License-Identifier: Apache-2.0
// A shared world over a simulated network: datagrams with delay, jitter and loss between persons
// and a relay, in one process and with a simulated clock. HEFT_LONG=1: ten minutes with five
// persons.
#include <heft/device.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "serve/relay.h"
#include "serve/shared.h"
#include "support/check.h"
#include "support/scene.h"

#define PLANK                                                                \
  "<mujoco><option timestep='0.001'/><worldbody>"                            \
  "<geom type='plane' size='5 5 1' friction='0.8'/>"                         \
  "<geom type='box' size='0.08 0.05 0.1' pos='0 0.35 0.1' friction='0.8'/>"  \
  "<geom type='box' size='0.08 0.05 0.1' pos='0 -0.35 0.1' friction='0.8'/>" \
  "<body name='plank' pos='0 0 0.22'><freejoint/>"                           \
  "<geom type='box' size='0.06 0.55 0.02' mass='1.2' friction='0.6'/></body>"
#define BOX(name, y)                  \
  "<body name='" name "' pos='0.6 " y \
  " 0.05'><freejoint/>"               \
  "<geom type='box' size='0.05 0.05 0.05' mass='0.4'/></body>"
static const char plank[] = PLANK "</worldbody></mujoco>";
static const char boxes[] =
    PLANK BOX("a", "0.5") BOX("b", "0") BOX("c", "-0.5") "</worldbody></mujoco>";

enum {
  PERSONS = 5,
  ROOM = 32768,  // of a datagram
  ON_WAY = 512,
  HASHES = 700,
  BODIES = 5,
  SEND_EVERY = 10,  // [steps]
  DRAW_EVERY = 16,  // a frame of a display
  DEPTH = 200,
  PATIENCE = 120
};

// ---- the network

typedef struct Datagram {
  uint64_t due;  // 0: free
  int to;        // person, or -1: the relay
  int from;
  size_t size;
  unsigned char bytes[ROOM];
} Datagram;

typedef struct Person {
  HeftWorld* world;
  HeftSession* session;
  Shared* shared;
  HeftServo* servo;
  HeftDevice* device;
  int delay;       // to the relay [steps]
  uint64_t acked;  // own inputs that the relay has
  uint64_t hash[HASHES];
  int hashes;
  long frames, jumps;
  double jump;
  HeftVec3 shown[2][BODIES];  // in the last two frames
  HeftLocalModel felt;
} Person;

typedef struct Scene {
  HeftModel* model;
  int count;
  int jitter;  // [steps]
  double loss;
  uint64_t now, random;
  Person person[PERSONS];
  Relay relay;
  uint64_t sent[PERSONS];  // what each person has
  Datagram way[ON_WAY];
  FrameInput inputs[FRAME_RING * FRAME_USERS];  // of a datagram
} Scene;

static double chance(Scene* s) {
  s->random ^= s->random << 13;
  s->random ^= s->random >> 7;
  s->random ^= s->random << 17;
  return (double)(s->random >> 11) * 0x1p-53;
}

// A datagram to be filled and sent; NULL: it is lost.
static Datagram* begin_datagram(Scene* s, int from, int to) {
  const int person = from < 0 ? to : from;
  const double late = s->jitter * chance(s);
  if (chance(s) < s->loss) return NULL;
  for (int i = 0; i < ON_WAY; ++i) {
    if (s->way[i].due) continue;
    s->way[i].due = s->now + 1 + (uint64_t)(s->person[person].delay + late);
    s->way[i].from = from;
    s->way[i].to = to;
    return &s->way[i];
  }
  fail_msg("too many datagrams are on their way");
  return NULL;
}

static void put_number(unsigned char* at, uint64_t x) {
  for (int k = 0; k < 8; ++k) at[k] = (unsigned char)(x >> (8 * k));
}
static uint64_t get_number(const unsigned char* at) {
  uint64_t x = 0;
  for (int k = 0; k < 8; ++k) x |= (uint64_t)at[k] << (8 * k);
  return x;
}

static void send_inputs(Scene* s, int i) {
  Person* p = &s->person[i];
  Datagram* d = begin_datagram(s, i, -1);
  if (!d) return;
  put_number(d->bytes, shared_known(p->shared));
  d->size = 8 + shared_inputs(p->shared, p->acked, FRAME_RING, d->bytes + 8, ROOM - 8);
}

static void send_frames(Scene* s, int i) {
  Datagram* d = begin_datagram(s, -1, i);
  if (!d) return;
  put_number(d->bytes, relay_missing(&s->relay, i));
  d->size = 8 + frame_write(s->relay.ring, s->count, s->sent[i],
                            (int)(s->relay.closed - s->sent[i]), d->bytes + 8, ROOM - 8);
}

static void take_all(Relay* r, int seat, uint64_t first, int count, const FrameInput* ring) {
  for (uint64_t n = first; n < first + (uint64_t)count; ++n)
    relay_put(r, seat, n, &ring[n % FRAME_RING]);
}

static void arrive(Scene* s, Datagram* d) {
  uint64_t first = 0;
  const uint64_t ack = get_number(d->bytes);
  const int users = d->to < 0 ? 1 : s->count;
  const int count = frame_read(d->bytes + 8, d->size - 8, users, &first, s->inputs);
  assert_true(count >= 0);
  d->due = 0;
  if (d->to < 0) {
    if (ack > s->sent[d->from]) s->sent[d->from] = ack;
    take_all(&s->relay, d->from, first, count, s->inputs);
  } else {
    if (ack > s->person[d->to].acked) s->person[d->to].acked = ack;
    shared_take(s->person[d->to].shared, first, count, s->inputs);
  }
}

// ---- persons

// Hands without a device carry a box between random places, with pauses.
static HeftProbeInput script(int user, uint64_t step) {
  const double t = 1e-3 * (double)step, leg = 1.1, moving = 0.8;
  const long k = (long)(t / leg);
  HeftVec3 at[2];
  for (int i = 0; i < 2; ++i) {
    uint64_t r = (uint64_t)(k + i) * 0x9E3779B97F4A7C15u + (uint64_t)user * 0xD1B54A32D192ED03u;
    r ^= r >> 29, r *= 0xBF58476D1CE4E5B9u, r ^= r >> 32;
    const double x = (double)(r & 1023) / 1023 - 0.5, y = (double)(r >> 10 & 1023) / 1023 - 0.5,
                 z = (double)(r >> 20 & 1023) / 1023;
    at[i] = k + i == 0 ? heft_vec3(0.6, 0.5 * (3 - user), 0.05)
                       : heft_vec3(0.6 + 0.2 * x, 0.5 * (3 - user) + 0.2 * y, 0.25 + 0.2 * z);
  }
  const double u = fmin((t - (double)k * leg) / moving, 1), s = u * u * u * (10 + u * (6 * u - 15)),
               v = u < 1 ? 30 * u * u * (1 - u) * (1 - u) / moving : 0;
  const HeftVec3 way = heft_vec3_sub(at[1], at[0]);
  return (HeftProbeInput){.pos = heft_vec3_add_scaled(at[0], s, way),
                          .rot = heft_quat_identity(),
                          .vel = heft_vec3_scale(v, way),
                          .present = 1};
}

static HeftProbeDef probe_of(const HeftModel* m, int user) {
  static const char* const bodies[PERSONS] = {"plank", "plank", "a", "b", "c"};
  HeftProbeDef def = heft_probe_def_default();
  def.mode = HEFT_PROBE_ATTACH;
  def.body = heft_model_find(m, HEFT_NAMED_BODY, bodies[user]);
  if (user < 2) def.point = heft_vec3(0, user ? -0.5 : 0.5, 0);
  def.stiffness = user < 2 ? 300 : 150;
  def.rotational_stiffness = 1;
  def.force_max = 20;
  return def;
}

static void open_device(Person* p, int user) {
  static const char* const text[2] = {
      "inverse3,hand-stiffness=1000,hand-damping=25:0 0 0 -0.065; .2 0 0 -0.065; 1.3 0 0 0.085",
      "omega,hand-stiffness=1000,hand-damping=25:0 0 0 -0.065; .3 0 0 -0.065; 1.5 0 0 0.085"};
  HeftMapping map = heft_mapping_default();
  HeftError error = {0};
  map.origin = heft_vec3(0, user ? -0.5 : 0.5, 0.35);
  map.scale = 2;
  if (heft_device_open(&p->device, heft_driver_find("emulated"), text[user], NULL, &error) ||
      heft_servo_create(&p->servo, NULL, &error))
    fail_msg("%s", error.message);
  heft_servo_add(p->servo, p->device, &map);
}

static void open_person(Scene* s, int i, int devices) {
  Person* p = &s->person[i];
  HeftProbeDef probes[PERSONS];
  HeftError error = {0};
  for (int k = 0; k < s->count; ++k) probes[k] = probe_of(s->model, k);
  p->world = scene_world(s->model);
  const int well =
      heft_session_create(&p->session, p->world, s->count, probes, NULL, &error) == HEFT_OK;
  const SharedDef def = {.world = p->world, .session = p->session, .self = i, .depth = DEPTH};
  if (!well || shared_create(&p->shared, &def, NULL, &error)) fail_msg("%s", error.message);
  if (i < devices) open_device(p, i);
  relay_join(&s->relay, i, 0);
}

// delay: one way from one person to another, in ms.
static Scene* open_scene(int persons, int devices, int delay, double loss) {
  Scene* s = calloc(1, sizeof *s);
  assert_non_null(s);
  s->model = scene_model(persons > 2 ? boxes : plank);
  s->count = persons;
  s->loss = loss;
  s->jitter = delay > 0 ? 5 : 0;
  s->random = 1;
  relay_init(&s->relay, persons, PATIENCE, 0);
  for (int i = 0; i < persons; ++i) {
    s->person[i].delay = delay / 2;
    open_person(s, i, devices);
  }
  return s;
}

static void close_scene(Scene* s) {
  for (int i = 0; i < s->count; ++i) {
    Person* p = &s->person[i];
    heft_servo_destroy(p->servo);
    heft_device_close(p->device);
    shared_destroy(p->shared);
    heft_session_destroy(p->session);
    heft_world_destroy(p->world);
  }
  heft_model_destroy(s->model);
  free(s);
}

// ---- time

static void note_hash(Person* p) {
  uint64_t step = 0;
  const uint64_t hash = shared_hash(p->shared, &step);
  if (step == 0 || step / 1000 == (uint64_t)p->hashes) return;
  assert_int_equal(step / 1000, p->hashes + 1);  // none is left out
  p->hash[p->hashes++] = hash;
}

// A jump is a place that differs by more than 1 mm from the one to which the last two frames lead:
// a motion of 2 m/s^2 makes 0.5 mm.
static void draw(Person* p) {
  double jump = 0;
  shared_correct(p->shared, &p->felt);
  for (int b = 0; b < heft_world_model(p->world)->nbody; ++b) {
    const HeftVec3 now = shared_shown(p->shared, b), last = p->shown[0][b];
    const HeftVec3 led = heft_vec3_sub(heft_vec3_scale(2, last), p->shown[1][b]);
    jump = fmax(jump, heft_vec3_norm(heft_vec3_sub(now, led)));
    p->shown[1][b] = last;
    p->shown[0][b] = now;
  }
  if (++p->frames > 2) {
    p->jumps += jump > 1e-3;
    p->jump = fmax(p->jump, jump);
  }
  note_hash(p);
}

static void live(Scene* s, int i) {
  Person* p = &s->person[i];
  HeftProbeInput input = script(i, s->now);
  if (s->now % DRAW_EVERY == 0) draw(p);
  if (p->servo) {
    heft_servo_tick(p->servo, 1000000000u + 1000000u * s->now);
    heft_servo_input(p->servo, 0, &input);
  }
  while (shared_present(p->shared) <= s->now && shared_step(p->shared, &input, &p->felt)) continue;
  if (p->servo) heft_servo_model(p->servo, 0, &p->felt);
}

static void tick(Scene* s) {
  for (int i = 0; i < ON_WAY; ++i)
    if (s->way[i].due && s->way[i].due <= s->now) arrive(s, &s->way[i]);
  for (int i = 0; i < s->count; ++i) {
    const int sleeps = i == 4 && s->now > 500 && s->now < 800;  // its machine has no time
    if (!sleeps) live(s, i);
  }
  relay_close(&s->relay, s->now + 1);
  for (int i = 0; i < s->count && s->now % SEND_EVERY == 0; ++i) {
    send_inputs(s, i);
    send_frames(s, i);
  }
  ++s->now;
}

static int compared(const Scene* s) {
  int least = HASHES;
  for (int i = 0; i < s->count; ++i)
    least = s->person[i].hashes < least ? s->person[i].hashes : least;
  for (int i = 1; i < s->count; ++i)
    assert_memory_equal(s->person[i].hash, s->person[0].hash, (size_t)least * sizeof(uint64_t));
  return least;
}

// ---- two lift a plank

static void lift(int delay, double loss) {
  Scene* s = open_scene(2, 2, delay, loss);
  const double half = 0.5 * 1.2 * 9.81;
  double low[2] = {1e9, 1e9}, high[2] = {0, 0};
  while (s->now < 2300) {
    tick(s);
    for (int i = 0; i < 2 && s->now > 2150; ++i) {
      const HeftEmulator* e = heft_device_self(s->person[i].device);
      low[i] = fmin(low[i], -e->force.force.z);
      high[i] = fmax(high[i], -e->force.force.z);
    }
  }
  const double height = heft_dynamics_body_pose(heft_world_dynamics(s->person[0].world), 1).pos.z;
  for (int i = 0; i < 2; ++i) {
    const Person* p = &s->person[i];
    const HeftGuardReport g = heft_device_report(p->device);
    const SharedReport r = shared_report(p->shared);
    if (getenv("HEFT_SHOW"))
      printf(
          "%3d ms %.0f %%: hand %d feels %.3f to %.3f N of %.3f, ledger %.1e J, peak %.2f N of "
          "%.0f, %ld interventions, deepest %d, waits %ld, refused %.2e J, jumps %ld of %ld "
          "(%.1f mm), held %ld\n",
          delay, 100 * loss, i, low[i], high[i], half, g.energy_lowest, g.force_peak,
          heft_device_info(p->device).force_max, g.interventions, r.deepest, r.waits, r.refused,
          p->jumps, p->frames, 1e3 * p->jump, s->relay.held);
    CHECK_AT_MOST(fabs(low[i] - half), 0.05 * half);
    CHECK_AT_MOST(fabs(high[i] - half), 0.05 * half);
    CHECK_AT_MOST(-g.energy_lowest, 1e-6);
    CHECK_AT_MOST(g.force_peak, heft_device_info(p->device).force_max);
    CHECK_AT_MOST(r.deepest, DEPTH);
    CHECK_AT_MOST(r.given, 1e-12);
    CHECK_AT_MOST((double)p->jumps, 0.05 * (double)p->frames);
    assert_true(delay < 100 || r.refused > 0);  // or the line above checks nothing
  }
  CHECK_AT_MOST(0.2, height - 0.22);
  assert_true(compared(s) >= 1);
  close_scene(s);
}

static void test_plank(void** state) {
  (void)state;
  lift(150, 0.05);
  if (getenv("HEFT_SHORT")) return;
  lift(0, 0.01);
  lift(0, 0.05);
  lift(50, 0.01);
  lift(50, 0.05);
  lift(150, 0.01);
}

// ---- four hands and a device

static void test_five(void** state) {
  (void)state;
  static const int delay[PERSONS] = {5, 10, 20, 30, 40};
  const int seconds = getenv("HEFT_LONG") ? 600 : getenv("HEFT_SHORT") ? 1 : 7;
  Scene* s = open_scene(PERSONS, 1, 0, 0.01);
  s->jitter = 5;
  for (int i = 0; i < PERSONS; ++i) s->person[i].delay = delay[i];
  while (s->now < (uint64_t)seconds * 1000 + 300) tick(s);
  for (int i = 0; i < PERSONS; ++i) {
    const Person* p = &s->person[i];
    const SharedReport r = shared_report(p->shared);
    if (getenv("HEFT_SHOW"))
      printf(
          "person %d: %d hashes, deepest %d steps, %ld corrections, %.2f steps repeated per "
          "step, waits %ld, jumps %ld of %ld frames, largest %.1f mm\n",
          i, p->hashes, r.deepest, r.corrections, (double)r.repeated / (double)s->now, r.waits,
          p->jumps, p->frames, 1e3 * p->jump);
    CHECK_AT_MOST(r.deepest, DEPTH);
    // All take hold and leave the floor in the first second.
    if (seconds > 1) CHECK_AT_MOST((double)p->jumps, 0.05 * (double)p->frames);
  }
  assert_true(compared(s) >= seconds);
  CHECK_AT_MOST(-heft_device_report(s->person[0].device).energy_lowest, 1e-6);
  close_scene(s);
}

// ---- blocks from anyone

static void test_blocks(void** state) {
  (void)state;
  static FrameInput ring[FRAME_RING], back[FRAME_RING];
  static unsigned char bytes[4096];
  uint64_t first = 0;
  HeftProbeInput in = script(2, 100);
  for (int k = 0; k < 40; ++k) {
    in.pos.x += k % 3 ? 0.01 : 0;
    ring[(4080 + k) % FRAME_RING] = frame_input(&in);
  }
  const size_t size = frame_write(ring, 1, 4080, 40, bytes, sizeof bytes);
  assert_int_equal(frame_read(bytes, size, 1, &first, back), 40);
  assert_int_equal(first, 4080);
  assert_memory_equal(back, ring, sizeof ring);
  CHECK_AT_MOST(fabs(frame_probe(&back[(4080 + 39) % FRAME_RING]).pos.x - in.pos.x), 1e-7);
  assert_int_equal(frame_read(bytes, size, 2, &first, back), -1);  // another number of users
  for (size_t n = 0; n < size; ++n) assert_int_equal(frame_read(bytes, n, 1, &first, back), -1);
  // A flipped bit may change a number, but nothing that comes through is unusable.
  for (size_t bit = 0; bit < 8 * size; bit += 3) {
    bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    const int count = frame_read(bytes, size, 1, &first, back);
    for (int k = 0; k < count; ++k) {
      const HeftProbeInput p = frame_probe(&back[(first + (uint64_t)k) % FRAME_RING]);
      assert_true(fabs(p.pos.x) <= 1e4 && fabs(p.vel.z) <= 1e4 && fabs(p.rot.w) < 1.01);
    }
    bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
  }
  in.pos.y = NAN;
  assert_int_equal(frame_input(&in).flags, 0);
}

// A user whose inputs do not come holds up the others for the patience and no longer.
static void test_silence(void** state) {
  (void)state;
  static Relay r;
  static FrameInput ring[FRAME_RING];
  const HeftProbeInput in = script(2, 100);
  relay_init(&r, 2, PATIENCE, 0);
  relay_join(&r, 0, 0);
  relay_join(&r, 1, 10);
  for (int k = 0; k < 1000; ++k) ring[k] = frame_input(&in);
  take_all(&r, 0, 0, 1000, ring);
  relay_close(&r, 20);
  assert_int_equal(r.closed, 10);  // waits for the other
  take_all(&r, 1, 10, 5, ring);
  relay_close(&r, 20);
  assert_int_equal(r.closed, 15);
  assert_int_equal(relay_missing(&r, 1), 15);
  relay_close(&r, 15 + PATIENCE - 1);
  assert_int_equal(r.closed, 15);
  relay_close(&r, 15 + PATIENCE);
  assert_int_equal(r.closed, 16);
  assert_int_equal(r.held, 1);
  assert_memory_equal(&r.ring[15 * 2 + 1], &ring[14], sizeof ring[0]);
  take_all(&r, 1, 0, 16, ring);  // too late
  assert_int_equal(relay_missing(&r, 1), 16);
  relay_leave(&r, 1);
  relay_close(&r, 500);
  assert_int_equal(r.closed, 500);
  assert_int_equal(r.ring[499 * 2 + 1].flags, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_plank), cmocka_unit_test(test_five),
                                     cmocka_unit_test(test_blocks), cmocka_unit_test(test_silence)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
