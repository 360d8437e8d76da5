// SPDX-License-Identifier: Apache-2.0
// A controller in a process of its own: a robot like HRP-2 stands or walks by its sensors, steps
// when it is pushed, and gets up after a fall. Of the state it reads encoders and sensors only,
// after a start at rest.
//   cc -O2 -o balance balance.c $(pkg-config --cflags --libs heft_device heft_io heft)
//   ./balance unix:/tmp/robot models/hrp2_like.xml [walk]
#include <heft/io.h>
#include <heft/robot.h>
#include <stdio.h>

#include "rise.h"

static int fail(const char* why) {
  fprintf(stderr, "balance: %s\n", why);
  return 1;
}

int main(int argc, char** argv) {
  HeftRobot* robot = NULL;
  HeftModel* model = NULL;
  Balance balance = {0};
  RiseState state;
  HeftError error = {0};
  const HeftLoadDef load = heft_load_def_default();
  if (argc < 3) return fail("usage: balance unix:PATH|udp:PORT MODEL [walk]");
  if (heft_model_load_file(&model, argv[2], &load, &error) != HEFT_OK ||
      heft_robot_open(&robot, argv[1], 30, NULL, &error) != HEFT_OK)
    return fail(error.message);
  const HeftRobotModel* is = heft_robot_model(robot);
  if (is->nq != model->nq || is->nv != model->nv || is->ncontrol != model->nactuator ||
      is->nsensor != model->nsensordata)
    return fail("the simulation has another model");
  double* pose = calloc((size_t)model->nq, sizeof *pose);
  if (!pose) return fail("out of memory");
  long states = 0;
  double before = 0;
  for (; heft_robot_wait(robot); ++states) {
    const HeftRobotState* now = heft_robot_state(robot);
    if (now->restarted) {
      balance_close(&balance);
      memset(&state, 0, sizeof state);
      if (!balance_open(&balance, &state.balance, model, now->q, &error))
        return fail(error.message);
      state.balance.stepper.walking = argc > 3;
    }
    // whole steps, the same bits as inside; states may be lost on the way
    const double passed = now->restarted ? is->period : now->time - before;
    const double dt = is->step * fmax(1, round(passed / is->step));
    before = now->time;
    rise_or_balance(&balance, &state, now->q, now->v, now->sensors, dt, heft_robot_controls(robot),
                    pose);
    heft_robot_send(robot);
  }
  printf("%ld states, %d steps of the feet\n", states, state.balance.stepper.steps);
  free(pose);
  balance_close(&balance);
  heft_robot_close(robot);
  heft_model_destroy(model);
  return 0;
}
