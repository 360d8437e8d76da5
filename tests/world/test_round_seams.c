// SPDX-License-Identifier: Apache-2.0
// Round flat bodies slide over the seams of tiles as over one surface: cylinders, discs and prisms
// of sixteen sides. HEFT_LONG=1 takes 10000 throws.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "world/described.h"

enum { TEXT = 12000 };

static const char* const shapes[] = {"type=\"cylinder\" size=\".05 .05\"",
                                     "type=\"cylinder\" size=\".1 .02\" pos=\"0 0 -.03\"",
                                     "type=\"mesh\" mesh=\"prism\""};
static const char* const names[] = {"cylinders", "discs", "prisms"};

static void write_scene(char* text, int shape, double step, double friction) {
  int used =
      snprintf(text, TEXT,
               "<mujoco><option timestep=\"%g\"/><default><geom friction=\"%g 0 0\"/></default>"
               "<asset><mesh name=\"prism\" vertex=\"",
               step, friction);
  for (int i = 0; i < 32; ++i)
    used += snprintf(text + used, (size_t)(TEXT - used), "%.9f %.9f %.3f ",
                     0.05 * cos(HEFT_PI / 8 * (i / 2)), 0.05 * sin(HEFT_PI / 8 * (i / 2)),
                     i % 2 ? 0.05 : -0.05);
  used += snprintf(text + used, (size_t)(TEXT - used), "\"/></asset><worldbody>");
  for (int i = -2; i < 6; ++i) {
    for (int j = -2; j <= 2; ++j)
      used += snprintf(text + used, (size_t)(TEXT - used),
                       "<geom type=\"box\" size=\".2 .2 .05\" pos=\"%.12g %.12g -.05\"/>", 0.4 * i,
                       0.4 * j);
  }
  snprintf(text + used, (size_t)(TEXT - used),
           "<body pos=\"0 0 .05\"><freejoint/><geom %s mass=\"1\"/></body></worldbody></mujoco>",
           shapes[shape]);
}

// 1 if the body hops, or stops before it should.
static int snags(Stage* s, double step, double friction, uint64_t* seed) {
  const double x = between(seed, -.2, .2), y = between(seed, -.2, .2), yaw = between(seed, 0, 1.5);
  const double speed = between(seed, 1, 2.5), angle = between(seed, -.3, .3);
  const double q[7] = {x, y, 0.05, cos(0.5 * yaw), 0, 0, sin(0.5 * yaw)};
  const double v[6] = {speed * cos(angle), speed * sin(angle)};
  stage_set(s, q, v);
  const int steps = (int)(0.4 / step + 0.5);
  double hop = 0;
  for (int k = 0; k < steps; ++k) {
    stage_step(s);
    hop = fmax(hop, fabs(heft_world_state(s->world)->q[2] - 0.05));
  }
  const double* end = heft_world_state(s->world)->q;
  const double time = friction > 0 ? fmin(0.4, speed / (friction * 9.81)) : 0.4;
  const double way = speed * time - 0.5 * friction * 9.81 * time * time;
  const double went = hypot(end[0] - x, end[1] - y);
  return went < 0.97 * way || hop > 1e-4;
}

static void round_bodies_do_not_snag(void** state) {
  (void)state;
  static const double steps[] = {0.001, 0.002, 0.005}, frictions[] = {0, 0.1, 0.3};
  const int throws = getenv("HEFT_LONG") ? 371 : STAGE_SANITIZED ? 1 : 25;
  for (int shape = 0; shape < 3; ++shape) {
    uint64_t seed = 88172645463325252u;
    int count = 0, bad = 0;
    for (int i = 0; i < 9; ++i) {
      char text[TEXT];
      write_scene(text, shape, steps[i % 3], frictions[i / 3]);
      Stage s = stage_on(described(text), NULL);
      for (int k = 0; k < throws; ++k, ++count)
        bad += snags(&s, steps[i % 3], frictions[i / 3], &seed);
      stage_close(&s);
    }
    print_message("%s: %d of %d throws snag\n", names[shape], bad, count);
    assert_int_equal(bad, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(round_bodies_do_not_snag)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
