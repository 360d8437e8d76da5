// SPDX-License-Identifier: Apache-2.0
// A person pulls a standing humanoid by any of its bodies until it falls: all steps are solved. The
// falls here have steps that proximal points alone do not solve. HEFT_LONG=1 takes 2000 falls, and
// allows one inexact step in 10^6.
#include <heft/io.h>

#include "interact/hand.h"
#include "world/stage.h"

enum { STEPS = 2500 };

typedef struct Pull {
  HeftCoupling spring;
  int begin, end;       // steps
  HeftVec3 start, way;  // of the mouse: where it takes the body, and how far it goes
} Pull;

static Pull random_pull(uint64_t seed, const HeftModel* model) {
  Random random = {seed};
  const HeftVec3 origin = {0};
  Pull pull = {.begin = 300 + random_index(&random, 300)};
  pull.end = pull.begin + 300 + random_index(&random, 700);
  pull.way = random_vec3(&random, 1);
  pull.way.z = 0.3 * pull.way.z - 0.1;
  const int body = 1 + random_index(&random, model->nbody - 1);
  pull.spring = hand_coupling(model, body, origin, origin);
  return pull;
}

// The mouse goes its way in six moves, one in each picture.
static void pull_at(Pull* pull, HeftWorld* world, int step) {
  if (step < pull->begin || step >= pull->end) return;
  if (step == pull->begin)
    pull->start = heft_dynamics_body_pose(heft_world_dynamics(world), pull->spring.body).pos;
  const int move = (step - pull->begin) / 16;
  const double share = move < 6 ? move / 6.0 : 1;
  pull->spring.target.pos = heft_vec3_add_scaled(pull->start, share, pull->way);
  assert_true(heft_world_add_coupling(world, &pull->spring) >= 0);
}

// Returns the number of inexact steps of a fall.
static int fall(const HeftModel* model, uint64_t seed, double* lowest) {
  HeftError error = {0};
  HeftWorld* world = NULL;
  const HeftWorldDef def = heft_world_def_default();
  if (heft_world_create(&world, model, &def, &error) != HEFT_OK) fail_msg("%s", error.message);
  Pull pull = random_pull(seed, model);
  int inexact = 0;
  for (int step = 0; step < STEPS; ++step) {
    pull_at(&pull, world, step);
    const HeftStepReport report = heft_world_step(world);
    if (report.inexact == 0) continue;
    ++inexact;
    printf("seed %d, step %d: residual %.1e\n", (int)seed, step, report.relative);
  }
  *lowest = fmin(*lowest, heft_world_state(world)->q[2]);
  heft_world_destroy(world);
  return inexact;
}

static void steps_are_solved(void** state) {
  (void)state;
  static const int hard[] = {209, 515, 519, 594, 711, 740, 1285, 1516};
  HeftError error = {0};
  HeftModel* model = NULL;
  if (heft_model_load_file(&model, "scenes/humanoid_8.xml", NULL, &error) != HEFT_OK)
    fail_msg("%s", error.message);
  const int every = getenv("HEFT_LONG") != NULL;
  const int count = every ? 2000 : (int)(sizeof hard / sizeof *hard);
  double lowest = HUGE_VAL;
  int inexact = 0;
  for (int i = 0; i < count; ++i) inexact += fall(model, (uint64_t)(every ? i : hard[i]), &lowest);
  printf("%d falls, %d inexact steps of %d\n", count, inexact, count * STEPS);
  CHECK_AT_MOST(inexact, 1e-6 * count * STEPS);
  CHECK_AT_MOST(lowest, 0.5);  // it did fall
  heft_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(steps_are_solved)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
