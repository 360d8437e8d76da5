// SPDX-License-Identifier: Apache-2.0
// Time: as in the window, the simulated time follows the clock. The thread steps until it has
// caught up, then sleeps until the next step is due. If it is late by more than 0.1 s, the schedule
// is moved by that time: the motion is slower, and no lateness accumulates.
#include "serve/station.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "base/assert.h"
#include "base/error.h"
#include "interact/hand.h"
#include "math/histogram.h"

static const uint64_t second_ns = 1000000000u;
static const uint64_t late_ns = 100000000u;  // the schedule is moved
static const uint64_t pause_ns = 10000000u;  // between two looks at the commands of a paused world
static const uint64_t forget_ns = 1000000000u;  // a pull that is not repeated ends
static const double push_max = 2;               // change of the speed of a whole tree [m/s]
static const HistogramScale step_bins = {0.05, 0.05, STATION_BINS};  // [µs]

static void restart_clock(Station* s, uint64_t now) {
  s->anchor_ns = s->window_ns = now;
  s->anchor_time = s->window_time = *heft_world_state(s->world)->time;
}

// ---- commands

static void release_all(Station* s) {
  for (int i = 0; i < PICTURE_HANDS; ++i) s->hand[i] = (StationHand){.body = -1, .coupling = -1};
}

static void go_to_start(Station* s, int key) {
  if (key >= 0) {
    heft_world_set_key(s->world, key);
  } else {
    heft_world_reset(s->world);
  }
  release_all(s);
  s->report = (HeftStepReport){0};
  s->not_solved = s->dropped = 0;
  s->pending = 0;
  atomic_store(&s->steps, 0);
  if (s->def.hooks.reset && !s->def.hooks.reset(s->def.hooks.user)) s->running = 0;
}

static void push(Station* s, const Command* c) {
  const double most = push_max * hand_tree_mass(s->model, c->index);
  const double size = heft_vec3_norm(c->vector);
  const double share = size > most ? most / size : 1;
  heft_world_apply_wrench(s->world, c->index, c->at,
                          heft_vec3_scale(share / heft_world_time_step(s->world), c->vector),
                          heft_vec3(0, 0, 0));
}

static void fulfil(Station* s, const Command* c, uint64_t now) {
  s->dirty = 1;
  switch (c->kind) {
    case MESSAGE_PULL:
      s->hand[c->user] = (StationHand){c->index, c->at, c->vector, now, -1};
      return;
    case MESSAGE_RELEASE:
      s->hand[c->user] = (StationHand){.body = -1, .coupling = -1};
      return;
    case MESSAGE_PUSH:
      push(s, c);
      return;
    case MESSAGE_CONTROL:
      heft_world_controls(s->world)[c->index] = c->value;
      return;
    case MESSAGE_RUN:
      if (c->index && !s->running) restart_clock(s, now);
      s->running = c->index;
      s->pending = 0;
      return;
    case MESSAGE_STEP:
      s->running = 0;
      s->pending = c->index;
      return;
    case MESSAGE_RESET:
      go_to_start(s, c->index >= 0 ? c->index : s->def.start_key);
      restart_clock(s, now);
      return;
    case MESSAGE_HELLO:
    case MESSAGE_MODEL:
    case MESSAGE_JOIN:
    case MESSAGE_COUNT:
      return;
  }
}

// ---- stepping

// Pulls that were not repeated end.
static void forget(Station* s, uint64_t now) {
  for (int i = 0; i < PICTURE_HANDS; ++i) {
    if (s->hand[i].body < 0 || now <= s->hand[i].heard_ns + forget_ns) continue;
    s->hand[i].body = -1;
    s->dirty = 1;
  }
}

static void pull(Station* s) {
  for (int i = 0; i < PICTURE_HANDS; ++i) {
    StationHand* h = &s->hand[i];
    h->coupling = -1;
    if (h->body < 0) continue;
    const HeftCoupling c = hand_coupling(s->model, h->body, h->at, h->target);
    h->coupling = heft_world_add_coupling(s->world, &c);
  }
}

static void tell_hands(const Station* s) {
  HeftHand hands[PICTURE_HANDS];
  int count = 0;
  for (int i = 0; i < PICTURE_HANDS; ++i) {
    const StationHand* h = &s->hand[i];
    if (h->body < 0) continue;
    const HeftPose pose = heft_dynamics_body_pose(heft_world_dynamics(s->world), h->body);
    hands[count++] = (HeftHand){.pos = h->target,
                                .present = 1,
                                .body = h->body,
                                .point = heft_pose_apply(pose, h->at),
                                .force = heft_world_coupling_wrench(s->world, h->coupling).lin,
                                .buttons = 1};
  }
  s->def.hooks.hands(s->def.hooks.user, hands, count);
}

// 0: the world does not go on.
static int step_once(Station* s) {
  const HeftServeHooks* hooks = &s->def.hooks;
  if (hooks->hands) tell_hands(s);
  if (hooks->before_step && !hooks->before_step(hooks->user)) return 0;
  pull(s);
  const uint64_t before = heft_clock_ns();
  if (s->sharing) {
    const HeftStepReport* report = sharing_step(s->sharing, before);
    if (!report) return 1;
    s->report = *report;
  } else {
    s->report = heft_world_step(s->world);
  }
  ++s->bins[histogram_bin(step_bins, (double)(heft_clock_ns() - before) * 1e-3)];
  s->dirty = 1;
  if (s->report.status != HEFT_STEP_SOLVED) ++s->not_solved;
  s->dropped += s->report.contact_dropped;
  if (!heft_step_taken(s->report.status)) return 0;
  if (hooks->after_step) hooks->after_step(hooks->user, &s->report);
  atomic_fetch_add_explicit(&s->steps, 1, memory_order_relaxed);
  atomic_store_explicit(&s->time, *heft_world_state(s->world)->time, memory_order_relaxed);
  return 1;
}

static uint64_t due_ns(const Station* s) {
  const double ahead = (*heft_world_state(s->world)->time - s->anchor_time) / s->def.speed;
  return s->anchor_ns + (uint64_t)(fmax(0, ahead) * 1e9);
}

// One step, if it is due: between two steps there is always a look at the commands.
static void step_due(Station* s, uint64_t now) {
  if (due_ns(s) + late_ns < now) {
    atomic_fetch_add_explicit(&s->late, 1, memory_order_relaxed);
    s->anchor_ns = now;
    s->anchor_time = *heft_world_state(s->world)->time;
  }
  if (due_ns(s) <= now) s->running = step_once(s);
}

// ---- pictures

static void put_vec3(float out[3], HeftVec3 v) {
  out[0] = (float)v.x;
  out[1] = (float)v.y;
  out[2] = (float)v.z;
}

static void show_hands(const Station* s, Picture* p) {
  p->hand_count = 0;
  for (int i = 0; i < PICTURE_HANDS; ++i) {
    const StationHand* h = &s->hand[i];
    if (h->body < 0) continue;
    PictureHand* out = &p->hand[p->hand_count++];
    const HeftPose pose = heft_dynamics_body_pose(heft_world_dynamics(s->world), h->body);
    out->body = h->body;
    out->user = i;
    put_vec3(out->point, heft_pose_apply(pose, h->at));
    put_vec3(out->target, h->target);
    put_vec3(out->force, heft_world_coupling_wrench(s->world, h->coupling).lin);
  }
}

// Twice a second.
static void measure(Station* s, uint64_t now) {
  const double time = *heft_world_state(s->world)->time;
  if (now < s->window_ns + second_ns / 2) return;
  s->speed = (time - s->window_time) / ((double)(now - s->window_ns) * 1e-9);
  s->p99 = histogram_quantile(step_bins, s->bins, 0.99);
  s->window_ns = now;
  s->window_time = time;
}

static void publish(Station* s, uint64_t now) {
  const uint64_t period = (uint64_t)(1e9 / s->def.picture_rate);
  Picture* p = &s->picture[s->pictures.writing];
  const HeftStepReport* r = &s->report;
  picture_take(p, s->world);
  for (int b = 0; s->sharing && b < p->body_count; ++b)
    put_vec3(p->body[b].pos, shared_shown(s->sharing->shared, b));
  show_hands(s, p);
  p->running = s->running;
  p->status = (int)r->status;
  p->steps = (double)atomic_load_explicit(&s->steps, memory_order_relaxed);
  const double numbers[PICTURE_NUMBERS] = {r->residual,
                                           r->relative,
                                           r->penetration,
                                           r->kinetic,
                                           r->potential,
                                           (double)r->contact_count,
                                           (double)s->not_solved,
                                           s->running ? s->speed : 0,
                                           s->p99,
                                           r->cone,
                                           r->gap_power,
                                           r->energy_change,
                                           (double)r->sweeps,
                                           (double)r->newton_steps,
                                           (double)r->islands,
                                           (double)s->dropped};
  for (int i = 0; i < PICTURE_NUMBERS; ++i) p->number[i] = (float)numbers[i];
  triple_buffer_publish(&s->pictures);
  s->dirty = 0;
  s->published_ns += period;
  if (s->published_ns + period < now) s->published_ns = now;
}

uint64_t station_turn(Station* s, uint64_t now) {
  const uint64_t period = (uint64_t)(1e9 / s->def.picture_rate);
  Command command;
  // At most one queue: what arrives meanwhile waits for the next step.
  for (int i = 0; i < COMMAND_QUEUE_SIZE && command_queue_take(&s->queue, &command); ++i)
    fulfil(s, &command, now);
  forget(s, now);
  if (s->running) {
    step_due(s, now);
  } else if (s->pending > 0) {
    s->pending = step_once(s) ? s->pending - 1 : 0;
  }
  measure(s, now);
  if (s->dirty && now >= s->published_ns + period) publish(s, now);
  if (s->running) return due_ns(s);
  return s->pending > 0 ? now : now + pause_ns;
}

static void sleep_until(uint64_t at_ns) {
  if (at_ns <= heft_clock_ns()) return;
  const struct timespec at = {(time_t)(at_ns / second_ns), (long)(at_ns % second_ns)};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
}

static void* live(void* user) {
  Station* s = user;
  restart_clock(s, heft_clock_ns());
  while (!atomic_load_explicit(&s->quit, memory_order_relaxed))
    sleep_until(station_turn(s, heft_clock_ns()));
  return NULL;
}

// ---- life

HeftStatus station_make(Station* s, HeftWorld* world, const HeftServeDef* def, HeftError* error) {
  HEFT_REQUIRE(s && world && def && def->speed > 0 && def->picture_rate > 0, HEFT_ERR_ARGUMENT);
  memset(s, 0, sizeof *s);
  s->allocator = def->allocator;
  s->world = world;
  s->model = heft_world_model(world);
  s->def = *def;
  command_queue_init(&s->queue);
  triple_buffer_init(&s->pictures);
  release_all(s);
  for (int i = 0; i < 3; ++i) {
    if (!picture_make(&s->picture[i], s->model, &s->allocator))
      return heft_error_set(error, HEFT_ERR_MEMORY, "not enough memory for pictures");
  }
  if (def->probes) {
    const HeftStatus status = sharing_create(&s->sharing, world, &s->def, error);
    if (status != HEFT_OK) return status;
  }
  s->running = !def->paused;
  restart_clock(s, heft_clock_ns());
  publish(s, 0);
  return HEFT_OK;
}

HeftStatus station_start(Station* s, HeftError* error) {
  HEFT_REQUIRE(s && !s->started, HEFT_ERR_ARGUMENT);
  if (pthread_create(&s->thread, NULL, live, s) != 0)
    return heft_error_set(error, HEFT_ERR_MEMORY, "the thread of the world could not be started");
  s->started = 1;
  return HEFT_OK;
}

void station_stop(Station* s) {
  if (!s->started) return;
  atomic_store(&s->quit, 1);
  pthread_join(s->thread, NULL);
  s->started = 0;
}

void station_free(Station* s) {
  sharing_destroy(s->sharing);
  for (int i = 0; i < 3; ++i) picture_free(&s->picture[i], &s->allocator);
}
