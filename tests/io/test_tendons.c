// SPDX-License-Identifier: Apache-2.0
// Lengths of tendons and of transmissions against geometry on paper, and their moment arms against
// central differences of the lengths: on tendons made here, with every kind of thing that they can
// pass, and on all tendons of the shared models.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
// after the above
#include <heft/dynamics.h>
#include <heft/io.h>
#include <math.h>
#include <cmocka.h>

#include "scenes/scenes.h"

typedef double Length(const HeftDynamics* dynamics, int i, const double* q, double* moment_arm);

static HeftModel* read_text(const char* text) {
  HeftLoadDef def = heft_load_def_default();
  HeftModel* model = NULL;
  HeftError error = {0};
  if (heft_model_load_bytes(&model, text, strlen(text), "x", &def, &error) != HEFT_OK)
    fail_msg("%d:%d: %s", error.line, error.column, error.message);
  return model;
}

static double length_at(Length* length, HeftDynamics* d, int i, const double* q) {
  heft_dynamics_kinematics(d, q);
  return length(d, i, q, NULL);
}

// The largest deviation of a moment arm from (l(q + h) - l(q - h)) / 2h. A tendon that begins to
// touch or to leave a shape within the step is no smooth function there: that dof is left out, and
// counted, where one step and another of half its size do not agree.
static double compare(const HeftModel* m, Length* length, int i, const double* q, int* tried,
                      int* rough) {
  HeftDynamics* d = NULL;
  assert_int_equal(heft_dynamics_create(&d, m, NULL, NULL), HEFT_OK);
  double* moment_arm = calloc((size_t)m->nv + 1, sizeof(double));
  double* v = calloc((size_t)m->nv + 1, sizeof(double));
  double* moved = calloc((size_t)m->nq + 1, sizeof(double));
  double worst = 0;
  heft_dynamics_kinematics(d, q);
  length(d, i, q, moment_arm);
  for (int k = 0; k < m->nv; ++k) {
    double slope[2];
    for (int s = 0; s < 2; ++s) {
      const double h = s == 0 ? 1e-5 : 5e-6;
      v[k] = 1;
      heft_q_integrate(m, q, v, h, moved);
      const double after = length_at(length, d, i, moved);
      heft_q_integrate(m, q, v, -h, moved);
      const double before = length_at(length, d, i, moved);
      v[k] = 0;
      slope[s] = (after - before) / (2 * h);
    }
    ++*tried;
    if (fabs(slope[1] - slope[0]) > 1e-8) {
      ++*rough;
      continue;
    }
    worst = fmax(worst, fabs(moment_arm[k] - slope[1]));
  }
  free(moment_arm);
  free(v);
  free(moved);
  heft_dynamics_destroy(d);
  return worst;
}

// ---- on paper

#define AROUND(shape)                                                                             \
  "<mujoco><worldbody><geom name='g' " shape                                                      \
  " contype='0' conaffinity='0'/>"                                                                \
  "<site name='a' pos='-3 0 0'/><site name='up' pos='0 0 2'/><site name='in' pos='0 0 0.1'/>"     \
  "<body pos='3 0 0'><joint type='slide' axis='1 0 0'/><geom size='0.1'/><site name='b'/></body>" \
  "</worldbody><tendon>"                                                                          \
  "<spatial><site site='a'/><geom geom='g' sidesite='up'/><site site='b'/></spatial>"             \
  "<spatial><site site='a'/><geom geom='g'/><site site='b'/></spatial>"                           \
  "<spatial><site site='a'/><site site='b'/><pulley divisor='4'/><site site='a'/><site "          \
  "site='b'/></spatial></tendon></mujoco>"

static void expect_length(HeftDynamics* d, int tendon, const double* q, double expected) {
  heft_dynamics_kinematics(d, q);
  const double found = heft_dynamics_tendon_length(d, tendon, q, NULL);
  if (fabs(found - expected) > 1e-13)
    fail_msg("tendon %d: %.17g, expected %.17g", tendon, found, expected);
}

// What is drawn is as long as the tendon, less what chords cut off; the branch behind a pulley
// counts a fourth of what is drawn.
static void expect_path(HeftDynamics* d, int tendon, const double* q, double scale) {
  HeftVec3 piece[32][2];
  const int count = heft_dynamics_tendon_path(d, tendon, piece, 32);
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += heft_vec3_norm(heft_vec3_sub(piece[i][1], piece[i][0]));
  assert_in_range(count, 2, 32);
  const double length = heft_dynamics_tendon_length(d, tendon, q, NULL) * scale;
  if (!(sum <= length + 1e-12 && sum > 0.998 * length))
    fail_msg("tendon %d: drawn %.17g, length %.17g", tendon, sum, length);
}

static void test_lengths_on_paper(void** state) {
  (void)state;
  static const char* const texts[] = {AROUND("type='sphere' size='1'"),
                                      AROUND("type='cylinder' size='1 5' euler='90 0 0'")};
  for (int t = 0; t < 2; ++t) {
    HeftModel* model = read_text(texts[t]);
    HeftDynamics* d = NULL;
    assert_int_equal(heft_dynamics_create(&d, model, NULL, NULL), HEFT_OK);
    for (double x = 0; x < 2; x += 0.5) {  // sites 3 and 3 + x from the centre, radius 1
      const double a = 3, b = 3 + x;
      const double round = sqrt(a * a - 1) + sqrt(b * b - 1) + HEFT_PI - acos(1 / a) - acos(1 / b);
      expect_length(d, 0, &x, round);
      if (t == 1) expect_length(d, 1, &x, round);  // round the sphere any side is as good
      expect_length(d, 2, &x, (a + b) * 1.25);
      expect_path(d, 0, &x, 1);
      expect_path(d, 2, &x, 2 / 1.25);
    }
    heft_dynamics_destroy(d);
    heft_model_destroy(model);
  }
}

static void test_slider_crank_on_paper(void** state) {
  (void)state;
  static const char text[] =
      "<mujoco><compiler angle='radian'/><worldbody><body><joint axis='0 1 0'/><geom size='0.1'/>"
      "<site name='crank' pos='0.5 0 0'/></body><site name='slider' pos='0 0 -3'/></worldbody>"
      "<actuator><motor cranksite='crank' slidersite='slider' "
      "cranklength='2'/></actuator></mujoco>";
  HeftModel* model = read_text(text);
  HeftDynamics* d = NULL;
  assert_int_equal(heft_dynamics_create(&d, model, NULL, NULL), HEFT_OK);
  for (double q = -1; q <= 1; q += 0.25) {
    heft_dynamics_kinematics(d, &q);
    const double found = heft_dynamics_actuator_length(d, 0, &q, NULL);
    const double expected = 3 - 0.5 * sin(q) - sqrt(4 - 0.25 * cos(q) * cos(q));
    assert_true(fabs(found - expected) < 1e-13);
    int tried = 0, rough = 0;
    assert_true(compare(model, heft_dynamics_actuator_length, 0, &q, &tried, &rough) < 1e-8);
    assert_int_equal(rough, 0);
  }
  heft_dynamics_destroy(d);
  heft_model_destroy(model);
}

// ---- against differences

static void test_moments_of_tendons(void** state) {
  (void)state;
  static const char text[] =
      "<mujoco><worldbody><site name='w' pos='0.2 0.1 1'/>"
      "<body name='base' pos='0 0 1'><freejoint/><geom size='0.1'/><site name='s0' pos='0 0.2 0'/>"
      "<geom name='ball' size='0.08' pos='0.2 0 0' contype='0' conaffinity='0'/>"
      "<body pos='0.3 0 0'><joint name='h' axis='0 1 0.2' pos='-0.02 0.01 0'/><geom size='0.05'/>"
      "<geom name='drum' type='cylinder' size='0.04 0.3' euler='80 5 3' contype='0' "
      "conaffinity='0'/><site name='s1' pos='0 0.1 0.1'/><site name='side' pos='0 0 0.3'/>"
      "<body pos='0.3 0 0'><joint name='b' type='ball' pos='0 0.03 0'/><geom size='0.05'/>"
      "<site name='s2' pos='0.1 0 -0.05'/><body pos='0.2 0 0'><joint name='s' type='slide' axis='1 "
      "0 1'/><geom size='0.05'/><site name='s3' pos='0 0 0.1'/></body></body></body></body>"
      "</worldbody><tendon>"
      "<spatial><site site='w'/><site site='s0'/><site site='s3'/></spatial>"
      "<spatial><site site='s0'/><geom geom='ball'/><site site='s1'/></spatial>"
      "<spatial><site site='s1'/><geom geom='drum' sidesite='side'/><site site='s2'/></spatial>"
      "<spatial><site site='s0'/><geom geom='ball' sidesite='side'/><site site='s1'/><geom "
      "geom='drum'/><site site='s2'/><pulley divisor='2'/><site site='s2'/><site "
      "site='s3'/></spatial>"
      "<fixed name='t'><joint joint='h' coef='0.7'/><joint joint='s' coef='-2'/></fixed></tendon>"
      "<actuator><motor joint='h' gear='3'/><motor tendon='t' gear='-2'/></actuator></mujoco>";
  HeftModel* model = read_text(text);
  double* q = calloc((size_t)model->nq, sizeof(double));
  double* v = calloc((size_t)model->nv, sizeof(double));
  int tried = 0, rough = 0;
  double worst = 0;
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    scene_random_state(model, seed, 1, q, v);
    for (int t = 0; t < model->ntendon; ++t)
      worst = fmax(worst, compare(model, heft_dynamics_tendon_length, t, q, &tried, &rough));
    for (int a = 0; a < model->nactuator; ++a)
      worst = fmax(worst, compare(model, heft_dynamics_actuator_length, a, q, &tried, &rough));
  }
  print_message("%d moment arms, largest deviation %.1e; %d at a corner\n", tried, worst, rough);
  assert_true(worst < 1e-7);
  assert_true(rough < tried / 50);
  free(q);
  free(v);
  heft_model_destroy(model);
}

static void test_moments_of_shared_models(void** state) {
  (void)state;
  static const char* const files[] = {"mujoco/tendon_arm/arm26.xml", "mujoco/replicate/tendon.xml",
                                      "shadow_hand/right_hand.xml",  "agility_cassie/cassie.xml",
                                      "iit_softfoot/softfoot.xml",   "mujoco/car/car.xml",
                                      "mujoco/humanoid/humanoid.xml"};
  if (access(HEFT_SHARED_DIR "/models/mjcf", R_OK) != 0) {
    print_message("the shared models are absent\n");
    skip();
  }
  int tried = 0, rough = 0, tendons = 0;
  double worst = 0;
  for (size_t f = 0; f < sizeof files / sizeof *files; ++f) {
    char path[1024];
    snprintf(path, sizeof path, "%s/models/mjcf/%s", HEFT_SHARED_DIR, files[f]);
    HeftLoadDef def = heft_load_def_default();
    def.hulls = 0;
    HeftModel* model = NULL;
    assert_int_equal(heft_model_load_file(&model, path, &def, NULL), HEFT_OK);
    double* q = calloc((size_t)model->nq, sizeof(double));
    double* v = calloc((size_t)model->nv, sizeof(double));
    tendons += model->ntendon;
    for (uint64_t seed = 1; seed <= 3; ++seed) {
      scene_random_state(model, seed, 1, q, v);
      for (int t = 0; t < model->ntendon; ++t)
        worst = fmax(worst, compare(model, heft_dynamics_tendon_length, t, q, &tried, &rough));
    }
    free(q);
    free(v);
    heft_model_destroy(model);
  }
  print_message("%d tendons, %d moment arms, largest deviation %.1e; %d at a corner\n", tendons,
                tried, worst, rough);
  assert_true(worst < 1e-7);
  assert_true(tendons >= 10 && rough < tried / 50);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lengths_on_paper),
      cmocka_unit_test(test_slider_crank_on_paper),
      cmocka_unit_test(test_moments_of_tendons),
      cmocka_unit_test(test_moments_of_shared_models),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
