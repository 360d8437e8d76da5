// SPDX-License-Identifier: Apache-2.0
// A world with a link, and a controller at its other end, in a thread, for the tests of links.
#ifndef HEFT_TESTS_LINK_RIG_H
#define HEFT_TESTS_LINK_RIG_H

#include <heft/io.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "link/link.h"

#include "robot/robot_internal.h"
#include "support/check.h"
#include "support/scene.h"

static const char text[] =
    "<mujoco><compiler angle='radian'/><option timestep='0.001'/><worldbody>"
    "<body name='upper'><joint name='shoulder' axis='0 1 0' range='-1 2' limited='true'/>"
    "<inertial pos='0 0 -0.2' mass='1' diaginertia='0.02 0.02 0.02'/>"
    "<body name='lower' pos='0 0 -0.4'><joint name='elbow' axis='0 1 0'/>"
    "<inertial pos='0 0 -0.2' mass='1' diaginertia='0.02 0.02 0.02'/></body></body></worldbody>"
    "<actuator><motor name='first' joint='shoulder' ctrlrange='-9 9'/>"
    "<position name='second' joint='elbow' kp='20'/></actuator>"
    "<sensor><jointvel name='rate' joint='elbow'/></sensor>"
    "<keyframe><key name='bent' qpos='0.5 1' ctrl='0 1'/></keyframe></mujoco>";

static HeftModel* model;
static HeftWorld* world;
static char place[100];

static inline int open_world(void** state) {
  (void)state;
  model = scene_model(text);
  world = scene_world(model);
  snprintf(place, sizeof place, "unix:/tmp/heft_test_link_%d", (int)getpid());
  return 0;
}

static inline int close_world(void** state) {
  (void)state;
  heft_world_destroy(world);
  heft_model_destroy(model);
  return 0;
}

// ---- the controller

static inline void law(double time, const double* q, const double* v, const double* sensor,
                       double* control, double* force) {
  control[0] = 30 * (0.3 - q[0]) - v[0];
  control[1] = 0.5 + 0.2 * q[0] - 0.01 * sensor[0];
  force[0] = time < 0.1 ? 0.5 : 0;
  force[1] = -0.05 * v[1];
}

typedef struct Arm {
  const char* place;
  int limit;  // states to answer; then it goes without a word; 0: until the end
  atomic_int states;
  int restarts;
  double last_time;
  int polite;  // says goodbye
  int failed;
  atomic_int ended;
  pthread_t thread;
} Arm;

static inline int knows_model(const HeftRobot* robot) {
  const HeftRobotModel* m = heft_robot_model(robot);
  HeftError error = {0};
  int elbow = 0, first = 0, none = 0;
  heft_robot_find_joint(robot, "elbow", &elbow, NULL);
  heft_robot_find_actuator(robot, "first", &first, NULL);
  const HeftStatus unknown = heft_robot_find_actuator(robot, "frist", &none, &error);
  return elbow == 1 && first == 0 && none == -1 && unknown == HEFT_ERR_NAME &&
         strstr(error.message, "did you mean 'first'") && m->joint[1].q == 1 &&
         m->joint[1].v == 1 && m->actuator[0].min == -9 && m->actuator[0].max == 9 &&
         m->actuator[1].joint == 1 && strcmp(m->actuator[1].unit, "rad") == 0 &&
         m->sensor_count == 1 && m->sensor[0].at == 0 && m->key_count == 1 && m->key[0].q[1] == 1 &&
         m->key[0].controls[1] == 1;
}

static inline void* control(void* user) {
  Arm* arm = user;
  HeftRobot* robot = NULL;
  arm->failed =
      heft_robot_open(&robot, arm->place, 60, NULL, NULL) != HEFT_OK || !knows_model(robot);
  while (!arm->failed && (arm->limit == 0 || arm->states < arm->limit) && heft_robot_wait(robot)) {
    const HeftRobotState* s = heft_robot_state(robot);
    law(s->time, s->q, s->v, s->sensors, heft_robot_controls(robot), heft_robot_forces(robot));
    ++arm->states;
    arm->restarts += s->restarted;
    arm->last_time = s->time;
    heft_robot_send(robot);
  }
  if (robot && !arm->polite) {  // as if it had been killed
    close(robot->socket);
    robot->socket = -1;
  }
  heft_robot_close(robot);
  arm->ended = 1;
  return NULL;
}

static inline void start(Arm* arm) {
  assert_int_equal(pthread_create(&arm->thread, NULL, control, arm), 0);
}

static inline void stop(Arm* arm) {
  pthread_join(arm->thread, NULL);
  assert_false(arm->failed);
}

// ---- the world

typedef struct Rig {
  HeftLink* link;
  HeftPluginSet* set;
} Rig;

static inline Rig make_rig(const char* where, const char* options) {
  Rig rig = {0};
  HeftError error = {0};
  char spec[300];
  snprintf(spec, sizeof spec, "%s,wait=60,timeout=60%s", where, options);
  if (heft_link_create(&rig.link, spec, true, NULL, &error) != HEFT_OK)
    fail_msg("%s", error.message);
  assert_int_equal(heft_plugin_set_create(&rig.set, NULL, NULL), HEFT_OK);
  if (heft_plugin_set_add(rig.set, heft_link_plugin(rig.link), heft_link_options(rig.link),
                          &error) != HEFT_OK ||
      heft_plugin_set_attach(rig.set, world, &error) != HEFT_OK)
    fail_msg("%s", error.message);
  return rig;
}

static inline void free_rig(Rig* rig) {
  heft_plugin_set_destroy(rig->set);
  heft_link_destroy(rig->link);
}

static inline void step(const Rig* rig, int count) {
  HeftError error = {0};
  for (int i = 0; i < count; ++i) {
    if (heft_plugin_set_before_step(rig->set, &error) != HEFT_OK) fail_msg("%s", error.message);
    assert_true(heft_step_taken(heft_world_step(world).status));
  }
}

static inline double value(const Rig* rig, const char* name) {
  const HeftOptions rows = heft_plugin_set_plugin(rig->set, 0)->values;
  int i;
  assert_int_equal(heft_options_find(rows, name, &i, NULL), HEFT_OK);
  return heft_plugin_set_value(rig->set, 0, i);
}

static inline void set_option(const Rig* rig, const char* name, double number) {
  int i;
  assert_int_equal(heft_options_find(heft_plugin_set_plugin(rig->set, 0)->options, name, &i, NULL),
                   HEFT_OK);
  assert_int_equal(heft_plugin_set_set_option(rig->set, 0, i, number, NULL), HEFT_OK);
}

#endif
