// SPDX-License-Identifier: Apache-2.0
// Papers: R33.
// The plug-in of a link, in lockstep or free running.
//
// Lockstep: the world sends a state and waits for the answer to it. The answer goes over the
// simulated way (channel.h), so that with a delay it acts some steps later. Nothing depends on a
// clock but the timeout: the same controller leads to the same bits.
//
// Free: a step begins when it is due in real time. The world sends a state and waits for the answer
// at most until the deadline. If there is none, the last controls act again.
#include "link/link.h"
#include <heft/dynamics.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/allocator.h"
#include "base/assert.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/log.h"
#include "link/channel.h"
#include "link/conversation.h"
#include "link/description.h"

enum { PLACE = 200, OPTIONS = 512, RECORD_VALUES = 8 };
static const uint64_t repeat_ns = 100000000, catch_up_ns = 50000000;

struct HeftLink {
  HeftAllocator allocator;
  HeftPlugin plugin;
  char place[PLACE];      // "unix:/tmp/robot", without a key
  char options[OPTIONS];  // "delay=0.005"
  bool paced, broken, met, free;
  bool told;                  // the user knows that a controller is connected
  uint64_t due_ns;            // of the step, in free running
  char* description;          // or NULL
  size_t description_size;    // bytes that were taken for it
  double* numbers;            // q, v, sensors, nv scratch, answer
  size_t numbers_size;        // bytes
  ChannelCounts counts;       // of the last step, for the report
  double trip_sum, trip_max;  // round trips [s]
  long trips;
  Conversation talk;
};

/// self of the plug-in.
typedef struct Controller {
  double free, rate, pace, wait, timeout, deadline, delay, jitter, loss, noise, velocity_noise,
      sensor_noise, seed;                                                          // options
  double connected, late, lost, out_of_order, repeated, refused, age, round_trip;  // values
  HeftLink* link;
  Channel channel;
} Controller;

static const HeftOption option_rows[] = {
    HEFT_PLUGIN_OPTION(Controller, free, 0, 1, 0, "",
                       "0: the world waits for the controller (lockstep), 1: it does not"),
    HEFT_PLUGIN_OPTION(Controller, rate, 0, 10000, 0, "Hz",
                       "states per second; 0: one in each step"),
    HEFT_PLUGIN_OPTION(Controller, pace, 0.01, 10, 1, "", "free: speed of the world; 1: real time"),
    HEFT_PLUGIN_OPTION(Controller, wait, 0, 600, 30, "s",
                       "time to wait for the controller at first"),
    HEFT_PLUGIN_OPTION(Controller, timeout, 0, 600, 2, "s", "lockstep: time to wait for an answer"),
    HEFT_PLUGIN_OPTION(Controller, deadline, 0, 1, 0, "s",
                       "free: time to wait for an answer; 0: half of the time to the next state"),
    HEFT_PLUGIN_OPTION(Controller, delay, 0, 1, 0, "s", "time from a state to the controls"),
    HEFT_PLUGIN_OPTION(Controller, jitter, 0, 1, 0, "s", "largest random addition to the delay"),
    HEFT_PLUGIN_OPTION(Controller, loss, 0, 1, 0, "", "share of datagrams lost, in each direction"),
    HEFT_PLUGIN_OPTION(Controller, noise, 0, 1, 0, "rad, m",
                       "standard deviation of the noise on positions"),
    HEFT_PLUGIN_OPTION(Controller, velocity_noise, 0, 10, 0, "rad/s, m/s",
                       "standard deviation of the noise on velocities"),
    HEFT_PLUGIN_OPTION(Controller, sensor_noise, 0, 1000, 0, "",
                       "standard deviation of the noise on sensors, in their units"),
    HEFT_PLUGIN_OPTION(Controller, seed, 0, 1e6, 1, "", "of noise, loss and jitter")};
static const HeftOption value_rows[] = {
    HEFT_PLUGIN_VALUE(Controller, connected, "", "1: a controller answers"),
    HEFT_PLUGIN_VALUE(Controller, late, "", "answers that arrived after they were due"),
    HEFT_PLUGIN_VALUE(Controller, lost, "", "states without an answer"),
    HEFT_PLUGIN_VALUE(Controller, out_of_order, "", "answers overtaken by a later one"),
    HEFT_PLUGIN_VALUE(Controller, repeated, "", "times that the last controls acted again"),
    HEFT_PLUGIN_VALUE(Controller, refused, "", "datagrams that were not accepted"),
    HEFT_PLUGIN_VALUE(Controller, age, "s", "age of the state that the controls respond to"),
    HEFT_PLUGIN_VALUE(Controller, round_trip, "s", "free: time from a state to its answer")};

#define COUNT(rows) ((int)(sizeof(rows) / sizeof *(rows)))

static bool is_open(const HeftLink* l) { return l->talk.endpoint.socket >= 0; }

// Steps from one state to the next.
static int64_t steps_between(const Controller* c, double h) {
  const double steps = c->rate > 0 ? floor(1 / (c->rate * h) + 0.5) : 1;
  return steps < 1 ? 1 : steps > 1e9 ? 1000000000 : (int64_t)steps;
}

static ChannelOptions way_of(const Controller* c, double h) {
  return (ChannelOptions){.delay = c->delay,
                          .jitter = c->jitter,
                          .loss = c->loss,
                          .noise = c->noise,
                          .velocity_noise = c->velocity_noise,
                          .sensor_noise = c->sensor_noise,
                          .seed = (uint64_t)c->seed,
                          .period = h * (double)steps_between(c, h)};
}

// ---- life of an instance

static void* take_memory(const HeftLink* l, size_t size) {
  void* memory = l->allocator.allocate(l->allocator.user, size > 0 ? size : 1, 64);
  if (memory) memset(memory, 0, size);
  return memory;
}

static void give_memory(const HeftLink* l, void* memory, size_t size) {
  if (memory) l->allocator.release(l->allocator.user, memory, size > 0 ? size : 1);
}

static bool make_channel(Controller* c, const HeftModel* m, int64_t capacity) {
  const size_t size = channel_size(m, capacity);
  ChannelState* block = take_memory(c->link, size);
  if (!block) return false;
  block->capacity = capacity;
  channel_place(&c->channel, m, block);
  channel_clear(&c->channel, capacity);
  return true;
}

static void free_channel(Controller* c) {
  if (c->channel.state) give_memory(c->link, c->channel.state, (size_t)c->channel.state->size);
  c->channel.state = NULL;
}

static bool make_numbers(HeftLink* l, const HeftModel* m) {
  const size_t count =
      (size_t)m->nq + 3 * (size_t)m->nv + (size_t)m->nsensordata + (size_t)m->nactuator;
  give_memory(l, l->numbers, l->numbers_size);
  l->numbers_size = count * sizeof(double);
  l->numbers = take_memory(l, l->numbers_size);
  l->talk.controls = m->nactuator;
  l->talk.forces = m->nv;
  l->talk.answer = l->numbers ? l->numbers + m->nq + 2L * m->nv + m->nsensordata : NULL;
  return l->numbers != NULL;
}

// Describes the model. If it is described as before, the session goes on.
static bool make_description(HeftLink* l, const HeftModel* m, const DescriptionTimes* times) {
  const size_t size = description_write(m, times, NULL, 0);
  char* text = take_memory(l, size);
  if (!text) return false;
  description_write(m, times, text, size);
  const bool same =
      l->description && l->description_size == size && memcmp(l->description, text, size) == 0;
  if (l->description && !same) conversation_begin(&l->talk);
  give_memory(l, l->description, l->description_size);
  l->description = text;
  l->talk.description = text;
  l->talk.description_size = l->description_size = size;
  return true;
}

static HeftStatus check_sizes(const HeftModel* m, HeftError* error) {
  const size_t out = 1 + (size_t)m->nq + (size_t)m->nv + (size_t)m->nsensordata;
  const size_t in = (size_t)m->nactuator + (size_t)m->nv, frame = LINK_HEAD + LINK_TAG;
  if (frame + 8 * out <= LINK_DATAGRAM && frame + 8 * in <= LINK_DATAGRAM) return HEFT_OK;
  return heft_error_set(error, HEFT_ERR_LIMIT,
                        "a state of this model has %d numbers, and a datagram has room for %d",
                        (int)(out > in ? out : in), (int)(LINK_DATAGRAM - frame) / 8);
}

static void bind_link(void* self, void* user) { ((Controller*)self)->link = user; }

static HeftStatus create(void* self, HeftWorld* world, HeftError* error) {
  Controller* c = self;
  HeftLink* l = c->link;
  const HeftModel* m = heft_world_model(world);
  const double h = heft_world_time_step(world);
  const ChannelOptions way = way_of(c, h);
  const DescriptionTimes times = {.step = h, .period = way.period, .free = c->free > 0};
  const HeftStatus status = check_sizes(m, error);
  if (status != HEFT_OK) return status;
  if (!make_channel(c, m, channel_capacity(&way)) || !make_numbers(l, m) ||
      (is_open(l) && !make_description(l, m, &times))) {
    free_channel(c);
    return heft_error_set(error, HEFT_ERR_MEMORY, "not enough memory for the link");
  }
  conversation_restart(&l->talk, 0);
  return HEFT_OK;
}

static void destroy(void* self) { free_channel(self); }

static void show_values(Controller* c, double now);

static void reset(void* self, HeftWorld* world) {
  Controller* c = self;
  channel_clear(&c->channel, c->channel.state->capacity);
  conversation_restart(&c->link->talk, 0);
  show_values(c, *heft_world_state(world)->time);
}

// ---- data

static size_t save_size(const void* self) {
  return (size_t)((const Controller*)self)->channel.state->size;
}

static void save(const void* self, void* bytes) {
  const Controller* c = self;
  memcpy(bytes, c->channel.state, (size_t)c->channel.state->size);
}

// The way may have another length in a recording.
static bool load(void* self, const void* bytes, size_t size) {
  Controller* c = self;
  ChannelState head;
  if (!channel_fits(c->channel.model, bytes, size)) return false;
  memcpy(&head, bytes, sizeof head);
  if (head.capacity != c->channel.state->capacity) {
    Controller other = *c;
    if (!make_channel(&other, c->channel.model, head.capacity)) return false;
    free_channel(c);
    c->channel = other.channel;
  }
  memcpy(c->channel.state, bytes, size);
  conversation_restart(&c->link->talk, head.sent);
  return true;
}

// ---- an exchange

typedef struct Turn {
  Controller* controller;
  const ChannelOptions* way;
  double now;  // time of the world [s]
} Turn;

static void take_answer(void* user, const Answer* a) {
  const Turn* turn = user;
  Controller* c = turn->controller;
  HeftLink* l = c->link;
  ++l->trips;
  l->trip_sum += a->round_trip;
  l->trip_max = fmax(l->trip_max, a->round_trip);
  c->round_trip = c->free > 0 ? a->round_trip : 0;  // lockstep repeats all values
  if (!channel_loses_controls(turn->way, a->index))
    channel_arrive(&c->channel, turn->way, a->index, a->time, turn->now, a->numbers, a->forced);
}

static void listen_now(Turn* turn) {
  conversation_listen(&turn->controller->link->talk, take_answer, turn);
}

static uint64_t after(uint64_t from_ns, double seconds) {
  return from_ns + (uint64_t)(seconds * 1e9);
}

// Waits until a time, and reads what arrives. With `index` >= 0 it ends with the answer to it.
static void listen_until(Turn* turn, uint64_t until_ns, int64_t index) {
  Conversation* t = &turn->controller->link->talk;
  while (heft_clock_ns() < until_ns && (index < 0 || t->answered < index)) {
    endpoint_wait(&t->endpoint, until_ns);
    listen_now(turn);
  }
}

// At the first step: a person starts two programs one after the other.
static void wait_for_controller(Turn* turn) {
  const Controller* c = turn->controller;
  HeftLink* l = c->link;
  const uint64_t until = after(heft_clock_ns(), c->wait);
  listen_now(turn);
  l->met = true;
  if (l->talk.connected || !(c->wait > 0)) return;
  heft_log_write(HEFT_LOG_INFO, "waiting for a controller at %s", l->place);
  while (!l->talk.connected && heft_clock_ns() < until) {
    endpoint_wait(&l->talk.endpoint, until);
    listen_now(turn);
  }
  if (!l->talk.connected)
    heft_log_write(HEFT_LOG_WARNING,
                   "no controller came to %s within %g s; the world goes on without one", l->place,
                   c->wait);
}

// Free running: waits until the step is due. A world that is late moves its schedule.
static void keep_pace(Turn* turn, double h) {
  HeftLink* l = turn->controller->link;
  const uint64_t now = heft_clock_ns();
  l->due_ns = l->due_ns == 0 ? now : after(l->due_ns, h / turn->controller->pace);
  if (now > l->due_ns + catch_up_ns) l->due_ns = now;
  if (now < l->due_ns) listen_until(turn, l->due_ns, -1);
}

// Lockstep: waits for the answer. A state may get lost, and a controller may be started again.
static void await(Turn* turn, int64_t index) {
  const Controller* c = turn->controller;
  HeftLink* l = c->link;
  Conversation* t = &l->talk;
  const uint64_t begun = heft_clock_ns(), until = after(begun, c->timeout);
  uint64_t again = begun + repeat_ns;
  while (t->answered < index && !t->left) {
    const uint64_t now = heft_clock_ns();
    if (now >= until) {
      t->connected = false;
      l->broken = true;
      return;
    }
    if (now >= again || (t->renewed && t->peer.size > 0)) {
      conversation_repeat(t);
      again = now + repeat_ns;
    }
    endpoint_wait(&t->endpoint, until < again ? until : again);
    listen_now(turn);
  }
}

// Writes the state into the datagram. Returns its size; *count is the number of its numbers.
static size_t fill_state(Turn* turn, HeftWorld* world, int* count) {
  HeftLink* l = turn->controller->link;
  const HeftModel* m = heft_world_model(world);
  const HeftState* s = heft_world_state(world);
  double *q = l->numbers, *v = q + m->nq, *sensors = v + m->nv;
  memcpy(q, s->q, (size_t)m->nq * sizeof(double));
  memcpy(v, s->v, (size_t)m->nv * sizeof(double));
  if (m->nsensordata > 0)
    memcpy(sensors, heft_world_sensors(world), (size_t)m->nsensordata * sizeof(double));
  channel_add_noise(m, turn->way, turn->now, q, v, sensors, sensors + m->nsensordata);
  *count = 1 + m->nq + m->nv + m->nsensordata;
  unsigned char* at = l->talk.out + LINK_HEAD;
  link_put_numbers(link_put_numbers(at, s->time, 1), q, *count - 1);
  return 8 * (size_t)*count;
}

static void exchange(Turn* turn, HeftWorld* world) {
  Controller* c = turn->controller;
  Conversation* t = &c->link->talk;
  ChannelState* s = c->channel.state;
  if (t->connected) {
    const int64_t index = s->sent++;
    const bool lost = channel_loses_state(turn->way, index), free = c->free > 0;
    const uint64_t begun = free && c->link->paced ? c->link->due_ns : heft_clock_ns();
    int count;
    const size_t size = fill_state(turn, world, &count);
    conversation_send(t, index, turn->now, size, count, free, lost);
    const double deadline = c->deadline > 0 ? c->deadline : 0.5 * turn->way->period / c->pace;
    if (!lost && !free) await(turn, index);
    if (!lost && free && c->delay < turn->way->period)
      listen_until(turn, after(begun, deadline), index);
  }
  if (!channel_deliver(&c->channel, turn->way, turn->now)) ++s->counts.repeated;
}

// ---- steps

static void show_values(Controller* c, double now) {
  HeftLink* l = c->link;
  const ChannelState* s = c->channel.state;
  c->connected = c->free > 0 ? conversation_alive(&l->talk) : l->talk.connected;
  c->late = s->counts.late;
  c->lost = s->counts.lost;
  c->out_of_order = s->counts.out_of_order;
  c->repeated = s->counts.repeated;
  c->refused = (double)l->talk.refused;
  c->age = s->newest >= 0 ? now - s->time : 0;
  l->counts = s->counts;
}

// Reports to the user when a controller comes and goes.
static void tell(const Controller* c, double now) {
  HeftLink* l = c->link;
  if (l->told == (c->connected > 0)) return;
  l->told = c->connected > 0;
  if (l->told) {
    heft_log_write(HEFT_LOG_INFO, "a controller is connected to %s, at time %g s", l->place, now);
    return;
  }
  heft_log_write(HEFT_LOG_WARNING,
                 "the controller at %s %s, at time %g s; the world goes on with the last controls",
                 l->place, l->talk.left ? "has left" : "does not answer", now);
}

// The controls in use act, if some have arrived; else the world's controls stay.
static void write_controls(const Controller* c, HeftWorld* world) {
  const HeftModel* m = heft_world_model(world);
  const Channel* way = &c->channel;
  if (way->state->newest < 0) return;
  if (m->nactuator > 0)
    memcpy(heft_world_controls(world), way->use, (size_t)m->nactuator * sizeof(double));
  if (way->state->forced && m->nv > 0)
    memcpy(heft_world_joint_forces(world), way->use + m->nactuator, (size_t)m->nv * sizeof(double));
}

static void before_step(void* self, HeftWorld* world) {
  Controller* c = self;
  HeftLink* l = c->link;
  if (!is_open(l)) return;
  const double h = heft_world_time_step(world);
  const ChannelOptions way = way_of(c, h);
  Turn turn = {c, &way, *heft_world_state(world)->time};
  l->free = c->free > 0;
  if (!l->met) wait_for_controller(&turn);
  if (l->free && l->paced) keep_pace(&turn, h);
  listen_now(&turn);
  if (c->channel.state->steps++ % steps_between(c, h) == 0) exchange(&turn, world);
  write_controls(c, world);
  show_values(c, turn.now);
  tell(c, turn.now);
}

static void draw(const void* self, const HeftWorld* world, const HeftPluginCanvas* canvas) {
  const Controller* c = self;
  char text[48];
  if (c->connected > 0 || !is_open(c->link) || heft_world_model(world)->nbody < 2) return;
  const HeftVec3 at = heft_dynamics_body_pose(heft_world_dynamics(world), 1).pos;
  snprintf(text, sizeof text, "no controller at %.30s", c->link->place);
  canvas->text(canvas->user, at, 0xff4040ff, text);
}

// ---- records: u64 (1: controls act, 2: joint forces, too), values, controls, joint forces

static size_t record_size(const void* self) {
  const Controller* c = self;
  return 8 + (RECORD_VALUES + (size_t)c->channel.numbers) * sizeof(double);
}

static void record(const void* self, void* bytes) {
  const Controller* c = self;
  const ChannelState* s = c->channel.state;
  const uint64_t flags = (s->newest >= 0 ? 1u : 0u) | (s->forced ? 2u : 0u);
  const double values[RECORD_VALUES] = {c->connected, c->late,    c->lost, c->out_of_order,
                                        c->repeated,  c->refused, c->age,  c->round_trip};
  unsigned char* to = bytes_put(bytes, flags, 8);
  to = bytes_put_array(to, values, RECORD_VALUES, sizeof(double));
  bytes_put_array(to, c->channel.use, (size_t)c->channel.numbers, sizeof(double));
}

static bool numbers_finite(const unsigned char* bytes, int count) {
  for (int i = 0; i < count; ++i) {
    if (!isfinite(bytes_get_double(&bytes))) return false;
  }
  return true;
}

static bool replay(void* self, HeftWorld* world, const void* bytes, size_t size) {
  Controller* c = self;
  const unsigned char* from = bytes;
  double values[RECORD_VALUES];
  if (size != record_size(c)) return false;
  const uint64_t flags = bytes_get(&from, 8);
  if (!numbers_finite(from, RECORD_VALUES + c->channel.numbers)) return false;
  const unsigned char* numbers = bytes_get_array(from, values, RECORD_VALUES, sizeof(double));
  double* const fields[RECORD_VALUES] = {&c->connected, &c->late,    &c->lost, &c->out_of_order,
                                         &c->repeated,  &c->refused, &c->age,  &c->round_trip};
  for (int i = 0; i < RECORD_VALUES; ++i) *fields[i] = values[i];
  bytes_get_array(numbers, c->channel.use, (size_t)c->channel.numbers, sizeof(double));
  c->channel.state->newest = flags & 1u ? 0 : -1;
  c->channel.state->forced = flags & 2u ? 1 : 0;
  write_controls(c, world);
  return true;
}

// ---- links

static const HeftPlugin description_of_plugin = {.cookie = HEFT_DEF_COOKIE(HeftPlugin),
                                                 .data_version = LINK_VERSION,
                                                 .name = HEFT_LINK_NAME,
                                                 .help = "a controller in another process",
                                                 .size = sizeof(Controller),
                                                 .options = {option_rows, COUNT(option_rows)},
                                                 .values = {value_rows, COUNT(value_rows)},
                                                 .create = create,
                                                 .destroy = destroy,
                                                 .reset = reset,
                                                 .before_step = before_step,
                                                 .draw = draw,
                                                 .save_size = save_size,
                                                 .save = save,
                                                 .load = load,
                                                 .bind = bind_link,
                                                 .record_size = record_size,
                                                 .record = record,
                                                 .replay = replay};

// Splits "unix:/tmp/robot,free,delay=0.005" into the place and "free=1,delay=0.005". The version of
// the protocol belongs to the place. Its key is left out of the place that is shown.
static HeftStatus read_spec(HeftLink* l, const char* spec, char place[PLACE], HeftError* error) {
  const size_t length = strcspn(spec, ","), shown = strcspn(spec, ",#");
  if (length >= PLACE - 16 || strlen(spec + length) > sizeof l->options / 2)
    return heft_error_set(error, HEFT_ERR_LIMIT, "the place of a controller is too long: '%.*s'",
                          shown < 100 ? (int)shown : 100, spec);
  memcpy(place, spec, length);
  memcpy(l->place, spec, shown);
  size_t used = 0;
  for (const char* at = spec + length; *at;) {
    const char* word = at + 1;
    const int size = (int)strcspn(word, ",");
    if (size == 9 && strncmp(word, "version=", 8) == 0) {
      snprintf(place + length, PLACE - length, ",%.9s", word);
      at = word + size;
      continue;
    }
    const bool free = size == 4 && strncmp(word, "free", 4) == 0;
    const bool lockstep = size == 8 && strncmp(word, "lockstep", 8) == 0;
    const int wrote = snprintf(l->options + used, sizeof l->options - used, "%s%.*s",
                               used > 0 ? "," : "", free || lockstep ? 6 : size,
                               free       ? "free=1"
                               : lockstep ? "free=0"
                                          : word);
    used += wrote > 0 ? (size_t)wrote : 0;
    if (used >= sizeof l->options)
      return heft_error_set(error, HEFT_ERR_LIMIT, "too many options of the controller at '%.100s'",
                            l->place);
    at = word + size;
  }
  return HEFT_OK;
}

HeftStatus heft_link_create(HeftLink** out, const char* spec, bool paced,
                            const HeftAllocator* allocator, HeftError* error) {
  HEFT_REQUIRE(out, HEFT_ERR_ARGUMENT);
  *out = NULL;
  const HeftAllocator from = allocator_or_default(allocator);
  HeftLink* l = from.allocate(from.user, sizeof *l, 64);
  if (!l) return heft_error_set(error, HEFT_ERR_MEMORY, "not enough memory for a link");
  memset(l, 0, sizeof *l);
  l->allocator = from;
  l->plugin = description_of_plugin;
  l->plugin.user = l;
  l->paced = paced;
  l->talk.endpoint.socket = -1;
  char place[PLACE] = "";
  HeftStatus status = spec ? read_spec(l, spec, place, error) : HEFT_OK;
  if (status == HEFT_OK && spec) status = conversation_open(&l->talk, place, error);
  tunnel_wipe(place, sizeof place);
  if (status != HEFT_OK) {
    from.release(from.user, l, sizeof *l);
    return status;
  }
  *out = l;
  return HEFT_OK;
}

void heft_link_destroy(HeftLink* l) {
  if (!l) return;
  const HeftAllocator from = l->allocator;
  conversation_close(&l->talk);
  give_memory(l, l->description, l->description_size);
  give_memory(l, l->numbers, l->numbers_size);
  from.release(from.user, l, sizeof *l);
}

const HeftPlugin* heft_link_plugin(const HeftLink* l) {
  HEFT_REQUIRE(l, NULL);
  return &l->plugin;
}

const char* heft_link_options(const HeftLink* l) {
  HEFT_REQUIRE(l, "");
  return l->options;
}

bool heft_link_broken(const HeftLink* l) {
  HEFT_REQUIRE(l, false);
  return l->broken;
}

char* heft_link_report(const HeftLink* l, char* text, size_t size) {
  HEFT_REQUIRE(text && size > 0, text);
  text[0] = '\0';
  HEFT_REQUIRE(l, text);
  const ChannelCounts* n = &l->counts;
  snprintf(text, size,
           "%ld states, %.0f answers, %.0f late, %.0f lost, %.0f out of order, %.0f repeated, %ld "
           "refused; round trip %.0f µs, longest %.0f µs",
           l->talk.states, n->answers, n->late, n->lost, n->out_of_order, n->repeated,
           l->talk.refused, l->trips > 0 ? 1e6 * l->trip_sum / (double)l->trips : 0,
           1e6 * l->trip_max);
  return text;
}
