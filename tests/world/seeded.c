// SPDX-License-Identifier: Apache-2.0
// Runs models whose steps are all solved, for tests/world/seeded.sh: it plants a fault in the core,
// and this program prints the first step that is not solved. Exit code 0: all are solved, 1: not.
#include <heft/heft.h>
#include <heft/io.h>
#include <stdio.h>
#include <string.h>

// A box that rests on a slope and one that slides, by gravity that is turned.
#define SLOPE(x)                                                                             \
  "<mujoco><option gravity='" x                                                              \
  "' timestep='.001'/><worldbody>"                                                           \
  "<geom type='plane' size='0 0 1' friction='.5'/>"                                          \
  "<body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1' mass='2' friction='.5'/>" \
  "</body></worldbody></mujoco>"

static const struct {
  const char *name, *text;  ///< MJCF, or NULL: the name is a file
  int steps;
} models[] = {
    {"rest", SLOPE("4.32 0 -8.81"), 300},
    {"slide", SLOPE("5.05 0 -8.41"), 300},
    {"fall",
     "<mujoco><option timestep='.001'/><worldbody><geom type='plane' size='0 0 1'/>"
     "<body pos='0 0 .3' quat='.9 .3 .2 .1'><freejoint/>"
     "<geom type='box' size='.1 .07 .05' mass='2'/></body>"
     "<body pos='.5 0 .3'><freejoint/><geom size='.1' mass='1'/></body>"
     "<body pos='1 0 .2' quat='.7 0 .7 0'><freejoint/>"
     "<geom type='capsule' size='.03 .1' mass='1'/></body></worldbody></mujoco>",
     300},
    {"overlap",
     "<mujoco><option timestep='.001'/><worldbody><geom type='plane' size='0 0 1'/>"
     "<body pos='0 0 .098'><freejoint/><geom type='box' size='.1 .1 .1' mass='2'/></body>"
     "</worldbody></mujoco>",
     30},
    {"limit",
     "<mujoco><option timestep='.001'/><worldbody><body pos='0 0 1'>"
     "<joint axis='0 1 0' limited='true' range='-10 30'/>"
     "<geom type='capsule' fromto='0 0 0 .2 0 0' size='.01' mass='1'/></body></worldbody></mujoco>",
     300},
    {"linkage",
     "<mujoco><option timestep='.001'/><worldbody>"
     "<body name='a' pos='0 0 1'><joint axis='0 1 0'/>"
     "<geom type='capsule' fromto='0 0 0 .2 0 0' size='.01' mass='1'/>"
     "<body name='b' pos='.2 0 0'><joint axis='0 1 0' limited='true' range='-60 60'/>"
     "<geom type='capsule' fromto='0 0 0 .3 0 0' size='.01' mass='1'/>"
     "<body name='c' pos='.3 0 0'><joint axis='0 1 0' limited='true' range='-170 170'/>"
     "<geom type='capsule' fromto='0 0 0 0 0 -.2' size='.01' mass='1'/></body></body></body>"
     "</worldbody><equality><connect body1='c' anchor='0 0 -.2'/></equality></mujoco>",
     500},
    {"spin",
     "<mujoco><option timestep='.001' gravity='0 0 0'/><worldbody><body><freejoint/>"
     "<geom type='box' size='.2 .1 .03' mass='2'/>"
     "<body pos='.2 0 0'><joint axis='0 1 0'/>"
     "<geom type='box' size='.1 .02 .01' pos='.1 0 0' mass='.3'/></body></body></worldbody>"
     "<keyframe><key qvel='.5 0 .2 3 5 1 4'/></keyframe></mujoco>",
     500},
    {"scenes/quadruped.xml", NULL, 200},
    {"scenes/humanoid_8.xml", NULL, 200},
    {"scenes/chain.xml", NULL, 100},
    {"scenes/wall.xml", NULL, 100},
};

// 1: a step is not solved.
static int run(const char* name, const HeftModel* model, int steps) {
  HeftWorld* world = NULL;
  char text[400];
  int wrong = 0;
  if (heft_world_create(&world, model, NULL, NULL) != HEFT_OK) return 1;
  if (model->nkey > 0) heft_world_set_key(world, 0);
  for (int i = 0; i < steps && !wrong; ++i) {
    const HeftStepReport r = heft_world_step(world);
    wrong = r.status != HEFT_STEP_SOLVED;
    if (wrong) printf("%s, step %d: %s", name, i, heft_step_report_text(&r, model, text, 400));
  }
  heft_world_destroy(world);
  return wrong;
}

int main(void) {
  for (size_t i = 0; i < sizeof models / sizeof *models; ++i) {
    HeftModel* model = NULL;
    const char* text = models[i].text;
    HeftError error = {0};
    if ((text ? heft_model_load_bytes(&model, text, strlen(text), NULL, NULL, &error)
              : heft_model_load_file(&model, models[i].name, NULL, &error)) != HEFT_OK) {
      printf("%s: %s", models[i].name, error.message);
      return 2;
    }
    const int wrong = run(models[i].name, model, models[i].steps);
    heft_model_destroy(model);
    if (wrong) return 1;
  }
  printf("all steps solved");
  return 0;
}
