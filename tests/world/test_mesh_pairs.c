// SPDX-License-Identifier: Apache-2.0
// Meshes that collide as their triangles: at rest on planes, height fields and meshes, and fast. No
// thin plate passes through another one, a plane or a height field in steps of 1 ms.
#include <math.h>
#include <stdio.h>

#include "world/described.h"

#define FACES "0 2 3 0 3 1 4 5 7 4 7 6 0 1 5 0 5 4 2 6 7 2 7 3 0 4 6 0 6 2 1 3 7 1 7 5"
#define HEAD                                                                                  \
  "<mujoco><custom><numeric name='heft_triangles_p' data='1'/>%s</custom>"                    \
  "<option gravity='0 0 %g'/><asset>"                                                         \
  "<mesh name='plate' vertex='-.1 -.1 -.0005 .1 -.1 -.0005 -.1 .1 -.0005 .1 .1 -.0005 "       \
  "-.1 -.1 .0005 .1 -.1 .0005 -.1 .1 .0005 .1 .1 .0005' face='" FACES                         \
  "'/>"                                                                                       \
  "<mesh name='wall' scale='5 5 1' vertex='-.1 -.1 -.0005 .1 -.1 -.0005 -.1 .1 -.0005 .1 .1 " \
  "-.0005 "                                                                                   \
  "-.1 -.1 .0005 .1 -.1 .0005 -.1 .1 .0005 .1 .1 .0005' face='" FACES                         \
  "'/>"                                                                                       \
  "<mesh name='cube' vertex='-.05 -.05 -.05 .05 -.05 -.05 -.05 .05 -.05 .05 .05 -.05 "        \
  "-.05 -.05 .05 .05 -.05 .05 -.05 .05 .05 .05 .05 .05' face='" FACES                         \
  "'/>"                                                                                       \
  "<hfield name='h' nrow='5' ncol='5' size='1 1 .01 .2' elevation='"                          \
  "0 0 0 0 0 0 %s 0 0 0 %s 0 0 0 0 0 0 0 0 0 0 0 0 0 0'/></asset><worldbody>"
#define WALL_TOO "<numeric name='heft_triangles_w' data='1'/>"
#define END "</worldbody></mujoco>"

#define MESH_WALL "<geom name='w' type='mesh' mesh='wall'/>"
#define PLANE "<geom name='w' type='plane' size='1 1 1'/>"
#define FIELD "<geom name='w' type='hfield' hfield='h'/>"

// ground: the shape that stands still; body: the mesh that moves; bumps: heights of the field.
static Stage open_pair(const char* ground, const char* body, double gravity, int bumps) {
  char text[4000];
  const char* height = bumps ? "1" : "0";
  snprintf(text, sizeof text,
           HEAD
           "%s<body><freejoint/><geom name='p' type='mesh' mesh='%s'/>"
           "</body>" END,
           strstr(ground, "mesh") ? WALL_TOO : "", gravity, height, height, ground, body);
  HeftWorldDef def = heft_world_def_default();
  def.time_step = 0.001;
  return stage_on(described(text), &def);
}

static void start(Stage* s, const double* q, const double* v) {
  HeftState* state = NULL;
  assert_int_equal(heft_state_create(&state, s->model, NULL, NULL), HEFT_OK);
  memcpy(state->q, q, (size_t)s->model->nq * sizeof(double));
  memcpy(state->v, v, (size_t)s->model->nv * sizeof(double));
  assert_int_equal(heft_world_set_state(s->world, state), HEFT_OK);
  heft_state_destroy(state);
}

static const HeftState* run(Stage* s, int steps) {
  for (int i = 0; i < steps; ++i) assert_true(heft_step_taken(heft_world_step(s->world).status));
  return heft_world_state(s->world);
}

static void cubes_of_triangles_rest(void** state) {
  (void)state;
  static const char* const grounds[] = {PLANE, FIELD, MESH_WALL};
  static const double tops[] = {0, 0, 0.0005};
  for (int i = 0; i < 3; ++i) {
    Stage s = open_pair(grounds[i], "cube", -9.81, 0);
    start(&s, (double[]){0.01, 0.02, tops[i] + 0.06, 1, 0, 0, 0}, (double[6]){0});
    const HeftState* end = run(&s, 300);
    CHECK_AT_MOST(fabs(end->q[2] - tops[i] - 0.05), 1e-6);
    for (int k = 0; k < 6; ++k) CHECK_AT_MOST(fabs(end->v[k]), 1e-5);
    stage_close(&s);
  }
}

// On two bumps of 10 mm the cube leans, and no corner of it is below the ground.
static void a_cube_of_triangles_leans_on_bumps(void** state) {
  (void)state;
  Stage s = open_pair(FIELD, "cube", -9.81, 1);
  start(&s, (double[]){-0.45, -0.45, 0.08, 1, 0, 0, 0}, (double[6]){0});
  for (int i = 0; i < 600; ++i) {
    const HeftStepReport r = heft_world_step(s.world);
    assert_true(heft_step_taken(r.status));
    CHECK_AT_MOST(r.penetration, 2e-4);
  }
  assert_true(heft_world_state(s.world)->q[2] > 0.05);
  stage_close(&s);
}

// A plate of 1 mm, level and tilted, that moves by up to 300 times its thickness in a step.
static void fast_plates_do_not_pass(void** state) {
  (void)state;
  static const char* const grounds[] = {PLANE, FIELD, MESH_WALL};
  static const double speeds[] = {2, 20, 300};
  for (int i = 0; i < 18; ++i) {
    const double speed = speeds[i / 3 % 3], tilt = i / 9 ? 0.2 : 0;
    Stage s = open_pair(grounds[i % 3], "plate", 0, 0);
    const double q[7] = {0.003, 0.002, 0.05 + 0.0004 * speed, cos(tilt), sin(tilt), 0, 0};
    start(&s, q, (double[]){0, 0, -speed, 0, 0, 0});
    for (int k = 0; k < 60; ++k) assert_true(run(&s, 1)->q[2] > 0);
    stage_close(&s);
  }
}

// A ball hits a plate of triangles, which hits a wall of triangles 5 mm behind it.
static void a_plate_that_is_pushed_does_not_pass(void** state) {
  (void)state;
  char text[4000];
  snprintf(text, sizeof text,
           HEAD MESH_WALL
           "<body><freejoint/><geom name='p' type='mesh' mesh='plate' mass='.01'/></body>"
           "<body><freejoint/><geom type='sphere' size='.01'/></body>" END,
           WALL_TOO, 0.0, "0", "0");
  HeftWorldDef def = heft_world_def_default();
  def.time_step = 0.001;
  Stage s = stage_on(described(text), &def);
  for (int i = 1; i <= 4; ++i) {
    const double q[14] = {0, 0, 0.005, 1, 0, 0, 0, 0.01 * i, 0.004, 0.1, 1, 0, 0, 0};
    start(&s, q, (double[12]){0, 0, 0, 0, 0, 0, 0, 0, -40.0 * i, 0, 0, 0});
    const HeftState* end = run(&s, 60);
    assert_true(end->q[2] > 0 && end->q[9] > end->q[2]);
  }
  stage_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cubes_of_triangles_rest),
      cmocka_unit_test(a_cube_of_triangles_leans_on_bumps),
      cmocka_unit_test(fast_plates_do_not_pass),
      cmocka_unit_test(a_plate_that_is_pushed_does_not_pass),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
