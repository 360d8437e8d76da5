// SPDX-License-Identifier: Apache-2.0
// A served world for tests: a box on a floor and an arm with a motor. It stops after a number of
// steps.
#ifndef HEFT_TESTS_SERVE_SERVED_H
#define HEFT_TESTS_SERVE_SERVED_H

#include <stdlib.h>
#include <time.h>
#include "serve/serve.h"

#include "serve/client.h"
#include "support/check.h"
#include "support/scene.h"

static const char served_text[] =
    "<mujoco><option timestep='0.001'/><worldbody><geom type='plane' size='5 5 1'/>"
    "<body name='box' pos='0 0 0.3'><freejoint/><geom type='box' size='.1 .1 .1' mass='2'/></body>"
    "<body name='arm' pos='2 0 1'><joint name='j' axis='0 1 0'/><geom type='capsule' size='.05 .3' "
    "mass='1' pos='0 0 .3'/></body></worldbody>"
    "<actuator><motor joint='j' ctrllimited='true' ctrlrange='-1 1'/></actuator>"
    "<keyframe><key name='high' qpos='0 0 1 1 0 0 0 0.5'/></keyframe></mujoco>";

#define SERVED_TOKEN "0123456789abcdef-of-this-test"
#define SERVED_HELLO "{\"type\":\"hello\",\"version\":1,\"token\":\"" SERVED_TOKEN "\"}"

typedef struct Served {
  HeftModel* model;
  HeftWorld* world;
  HeftServer* server;
  int port;
  long steps, steps_max;  ///< steps_max 0: no end; used by the thread that steps
} Served;

static inline bool served_goes_on(void* user) {
  Served* s = user;
  if (s->steps_max > 0 && s->steps == s->steps_max) return false;
  ++s->steps;
  return true;
}

static inline HeftServeDef served_def(void) {
  HeftServeDef def = heft_serve_def_default();
  def.name = "test";
  def.token = SERVED_TOKEN;
  return def;
}

static inline void served_open(Served* s, HeftServeDef def, long steps_max) {
  HeftError error = {0};
  *s = (Served){.steps_max = steps_max};
  s->model = scene_model(served_text);
  s->world = scene_world(s->model);
  def.hooks = (HeftServeHooks){.user = s, .before_step = served_goes_on};
  if (heft_server_create(&s->server, s->world, &def, &error) != HEFT_OK)
    fail_msg("%s", error.message);
  assert_int_equal(heft_server_start(s->server, &error), HEFT_OK);
  s->port = heft_server_port(s->server);
}

static inline void served_stop(Served* s) {
  heft_server_destroy(s->server);
  s->server = NULL;
}

static inline void served_close(Served* s) {
  served_stop(s);
  heft_world_destroy(s->world);
  heft_model_destroy(s->model);
}

/// Hash of the world after so many steps without anyone.
static inline uint64_t served_alone(long steps) {
  HeftModel* model = scene_model(served_text);
  HeftWorld* world = scene_world(model);
  for (long i = 0; i < steps; ++i) heft_world_step(world);
  const uint64_t hash = heft_world_hash(world);
  heft_world_destroy(world);
  heft_model_destroy(model);
  return hash;
}

static inline void served_rest(void) {
  const struct timespec t = {0, 1000000};
  nanosleep(&t, NULL);
}

/// Waits until a condition on the report `r` holds; at most a minute.
#define SERVED_WAIT(s, condition)                                                 \
  do {                                                                            \
    const uint64_t wait_end = heft_clock_ns() + 60000000000u;                     \
    for (;;) {                                                                    \
      const HeftServeReport r = heft_server_report((s)->server);                  \
      if (condition) break;                                                       \
      if (heft_clock_ns() > wait_end) fail_msg("never happened: %s", #condition); \
      served_rest();                                                              \
    }                                                                             \
  } while (0)

#endif
