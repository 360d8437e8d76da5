// SPDX-License-Identifier: Apache-2.0
// Every request for memory of pictures and of simulations for windows fails; those of SDL,
// Dear ImGui, the drivers of OpenGL and libpng do not.
#include <heft/view.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "faults/starved.h"
#include "support/check.h"
#include "support/scene.h"

static const char text[] =
    "<mujoco><worldbody><geom type='plane' size='5 5 1'/><body name='box' pos='0 0 0.3'>"
    "<freejoint/><geom type='box' size='.1 .1 .1' mass='2'/><site name='s'/></body></worldbody>"
    "</mujoco>";

static HeftModel* model;

static int begin(void** state) {
  (void)state;
  model = scene_model(text);
  return 0;
}

static int end(void** state) {
  (void)state;
  heft_model_destroy(model);
  return 0;
}

// ---- simulations

static HeftStatus passive(HeftError* error) {
  HeftStatus status;
  HeftSimulation* made = NULL;
  STARVED(status, heft_simulation_create_passive(&made, model, NULL, error));
  assert_true((status == HEFT_OK) == (made != NULL));
  heft_simulation_destroy(made);
  return status;
}

static double row_time(void* user, long row) {
  (void)user;
  return 1e-3 * (double)row;
}

static int read_row(void* user, long row, HeftViewFrame* frame, int contact_capacity) {
  (void)user, (void)contact_capacity;
  frame->time = row_time(user, row);
  memcpy(frame->q, model->q_default, (size_t)model->nq * sizeof(double));
  return 1;
}

static HeftStatus recorded(HeftError* error) {
  HeftStatus status;
  HeftSimulation* made = NULL;
  const HeftRecording run = {.row_count = 10, .time = row_time, .read = read_row};
  STARVED(status, heft_simulation_create_recorded(&made, model, &run, &run, NULL, error));
  heft_simulation_destroy(made);
  return status;
}

static HeftStatus simulation(HeftError* error) {
  HeftStatus status;
  HeftSimulation* made = NULL;
  STARVED(status, heft_simulation_create(&made, model, NULL, error));
  heft_simulation_destroy(made);
  return status;
}

static HeftStatus change_model(HeftError* error) {
  HeftStatus status;
  HeftSimulation* made = NULL;
  HeftModel* more = NULL;
  const HeftChange change = {.kind = HEFT_CHANGE_BALL, .value = 0.1, .name = "new"};
  assert_int_equal(heft_simulation_create(&made, model, NULL, NULL), HEFT_OK);
  assert_int_equal(heft_model_apply_change(&more, model, &change, NULL, NULL), HEFT_OK);
  STARVED(status, heft_simulation_change_model(made, more, &change, error));
  heft_simulation_destroy(made);
  heft_model_destroy(more);
  return status;
}

static HeftStatus marks(HeftError* error) {
  (void)error;
  HeftStatus status;
  HeftMark room;
  HeftMarks list = {.mark = &room, .max = 1};
  const HeftVec3 up = heft_vec3(0, 0, 1);
  return STARVED(status,
                 heft_marks_add(&list, HEFT_MARK_SPHERE, up, up, 1, 0) ? HEFT_OK : HEFT_ERR_MEMORY);
}

// ---- pictures

static HeftStatus write_png(HeftError* error) {
  HeftStatus status;
  unsigned char pixels[8 * 8 * 3] = {0};
  char path[80];
  const HeftImage image = {8, 8, pixels};
  snprintf(path, sizeof path, "/tmp/heft_test_starved_%d.png", (int)getpid());
  STARVED(status, heft_image_write_png(&image, path, error));
  unlink(path);
  return status;
}

static HeftStatus headless(HeftError* error) {
  HeftStatus status;
  HeftHeadless* made = NULL;
  STARVED(status, heft_headless_create(&made, error));
  heft_headless_destroy(made);
  return status;
}

static HeftStatus renderer(HeftError* error) {
  HeftStatus status;
  HeftRenderer* made = NULL;
  STARVED(status, heft_renderer_create(&made, model, NULL, error));
  assert_true((status == HEFT_OK) == (made != NULL));
  heft_renderer_destroy(made);
  return status;
}

static HeftStatus draw(HeftError* error) {
  HeftStatus status;
  HeftRenderer* made = NULL;
  const HeftPose poses[2] = {heft_pose_identity(), heft_pose_identity()};
  HeftPicture picture = heft_picture_default();
  picture.poses = poses;
  assert_int_equal(heft_renderer_create(&made, model, NULL, NULL), HEFT_OK);
  STARVED(status, heft_renderer_draw(made, &picture, 32, 24, 0, error));
  heft_renderer_destroy(made);
  return status;
}

static void simulations(void** state) {
  (void)state;
  static const StarvedRow all[] = {
      STARVED_ROW(heft_simulation_create_passive, passive, STARVED_OWN),
      STARVED_ROW(heft_simulation_create_recorded, recorded, STARVED_OWN),
      STARVED_ROW(heft_simulation_create, simulation, STARVED_OWN),
      STARVED_ROW(heft_simulation_change_model, change_model, STARVED_OWN),
      STARVED_ROW(heft_marks_add, marks, STARVED_OWN | STARVED_SILENT),
      STARVED_ROW(heft_image_write_png, write_png, STARVED_OWN),
  };
  starved_rows(all, (int)(sizeof all / sizeof *all));
}

static void pictures(void** state) {
  (void)state;
  static const StarvedRow first[] = {STARVED_ROW(heft_headless_create, headless, STARVED_DRIVER)};
  static const StarvedRow all[] = {
      STARVED_ROW(heft_renderer_create, renderer, STARVED_DRIVER),
      STARVED_ROW(heft_renderer_draw, draw, STARVED_DRIVER),
  };
  HeftHeadless* context = NULL;
  HeftError error = {0};
  if (heft_headless_create(&context, &error) != HEFT_OK) {
    print_message("%s\n", error.message);
    skip();
  }
  heft_headless_destroy(context);
  starved_rows(first, 1);
  assert_int_equal(heft_headless_create(&context, &error), HEFT_OK);
  starved_rows(all, (int)(sizeof all / sizeof *all));
  heft_headless_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(simulations), cmocka_unit_test(pictures)};
  return cmocka_run_group_tests(tests, begin, end);
}
