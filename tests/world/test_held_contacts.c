// SPDX-License-Identifier: Apache-2.0
// Contact points along whose normal nothing can move: bodies on one hinge that overlap along its
// axis. HEFT_LONG=1 takes 100000 robots, and ten seconds of a real one.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "world/described.h"

enum { TEXT = 6000 };

static int takes_long(void) { return getenv("HEFT_LONG") != NULL; }

// Base and shoulder of this arm overlap along the axis of the first hinge.
static void an_arm_on_its_base_runs(void** state) {
  (void)state;
  HeftModel* m = loaded("kinova_gen3/gen3.xml");
  if (!m) skip();
  Stage s = stage_on(m, NULL);
  if (m->nkey > 0) assert_int_equal(heft_world_set_key(s.world, 0), HEFT_OK);
  const double h = heft_world_time_step(s.world), span = takes_long() ? 10 : 2;
  for (int k = 0; k * h < span; ++k) {
    const HeftStepReport r = stage_step(&s);
    assert_true(r.status == HEFT_STEP_SOLVED || r.status == HEFT_STEP_OVERLAP);  // as it is made
    CHECK_AT_MOST(r.relative, 1e-6);
  }
  stage_close(&s);
}

static int write_shape(char* out, size_t size, uint64_t* seed, const char* more) {
  static const char* const types[] = {"box", "cylinder", "capsule", "sphere", "ellipsoid"};
  return snprintf(out, size, "<geom type=\"%s\" size=\"%.3f %.3f %.3f\" %s/>",
                  types[(int)between(seed, 0, 4.999)], between(seed, .02, .1),
                  between(seed, .02, .1), between(seed, .02, .1), more);
}

// A chain on a static base. Its axes are those of its shapes, or near them, or any.
static void write_robot(char* text, uint64_t* seed) {
  static const double tilts[] = {0, 1e-12, 1e-9, 1e-6, 1e-4, 1};
  const int links = 1 + (int)between(seed, 0, 3.999);
  int used = snprintf(text, TEXT,
                      "<mujoco><option timestep=\"%g\"/><worldbody><body pos=\"%.3f 0 1\" "
                      "quat=\"%.9g %.9g %.9g %.9g\">",
                      between(seed, 0, 1) < 0.5 ? 0.002 : 0.005, between(seed, -1, 1),
                      between(seed, .1, 1), between(seed, -1, 1), between(seed, -1, 1),
                      between(seed, -1, 1));
  used += write_shape(text + used, (size_t)(TEXT - used), seed, "");
  for (int i = 0; i < links; ++i) {
    const double tilt = tilts[(int)between(seed, 0, 5.999)];
    used += snprintf(text + used, (size_t)(TEXT - used),
                     "<body pos=\"%.9g %.9g %.3f\"><joint type=\"%s\" axis=\"%.9g %.9g 1\"/>",
                     tilt * between(seed, -.05, .05), tilt * between(seed, -.05, .05),
                     between(seed, 0, .12), between(seed, 0, 1) < 0.8 ? "hinge" : "slide",
                     tilt * between(seed, -1, 1), tilt * between(seed, -1, 1));
    used += write_shape(text + used, (size_t)(TEXT - used), seed, "");
  }
  for (int i = 0; i < links; ++i) used += snprintf(text + used, (size_t)(TEXT - used), "</body>");
  snprintf(text + used, (size_t)(TEXT - used), "</body></worldbody></mujoco>");
}

static void robots_on_overlapping_bases_stay_in_range(void** state) {
  (void)state;
  const int count = takes_long() ? 100000 : STAGE_SANITIZED ? 100 : 1000;
  uint64_t seed = 88172645463325252u;
  int refused = 0, touching = 0;
  for (int i = 0; i < count; ++i) {
    char text[TEXT];
    write_robot(text, &seed);
    Stage s = stage_on(described(text), NULL);
    for (int k = 0; k < 20; ++k) {
      const HeftStepReport r = heft_world_step(s.world);
      if (!heft_step_taken(r.status) && refused++ < 3)
        print_message("%s\n%s\n", heft_step_status_text(r.status), text);
      touching += r.contact_count > 0 && k == 0;
    }
    stage_close(&s);
  }
  print_message("%d robots, %d overlap, %d steps refused\n", count, touching, refused);
  assert_true(touching > count / 3);
  assert_int_equal(refused, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_arm_on_its_base_runs),
      cmocka_unit_test(robots_on_overlapping_bases_stay_in_range),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
