// SPDX-License-Identifier: Apache-2.0
// Runs models whose steps are all solved, for tests/world/seeded.sh: it plants a fault in the core,
// and this program prints the first step that is not solved. Exit code 0: all are solved, 1: not.
// With two arguments, a file and the command heft-check, each run is written to the file and
// checked by the command instead; 1: a step is refused.
#include <heft/heft.h>
#include <heft/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../apps/heft/evidence.h"

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
    {"servo",
     "<mujoco><option timestep='.001'/><worldbody><geom type='plane' size='0 0 1'/>"
     "<body pos='0 0 1'><joint name='a' axis='0 1 0' stiffness='2' damping='.3' armature='.01'/>"
     "<geom type='capsule' fromto='0 0 0 .2 0 0' size='.01' mass='1'/>"
     "<body pos='.2 0 0'><joint name='b' axis='0 1 0' frictionloss='.1'/>"
     "<geom type='capsule' fromto='0 0 0 .2 0 0' size='.01' mass='.5'/>"
     "<body pos='.2 0 0'><joint name='c' type='slide' axis='1 0 0' range='-.02 .02'"
     " limited='true'/><geom size='.03' mass='.2'/></body></body></body>"
     "<body pos='0 .3 .1'><joint name='d' type='ball' damping='.01'/>"
     "<geom type='box' size='.05 .04 .03' pos='.1 0 0' mass='.4'/></body>"
     "</worldbody><actuator><position joint='a' kp='30' forcerange='-2 2' forcelimited='true'/>"
     "<velocity joint='b' kv='.2'/>"
     "<general joint='c' dyntype='filter' dynprm='.05' gainprm='3'/></actuator>"
     "<keyframe><key qpos='.3 -.4 0 1 0 0 0' qvel='1 2 .1 .5 .2 .1' ctrl='.5 3 1'"
     " act='.2'/></keyframe></mujoco>",
     300},
    {"pile",
     "<mujoco><option timestep='.001'/><worldbody><geom type='plane' size='0 0 1'"
     " friction='.4'/>"
     "<body pos='0 0 .05'><freejoint/><geom type='box' size='.1 .1 .05' mass='2'/></body>"
     "<body pos='.02 .01 .14'><freejoint/><geom type='box' size='.05 .06 .04' mass='1'/></body>"
     "<body pos='.02 .01 .21'><freejoint/><geom size='.03' mass='.2'/></body>"
     "<body pos='.3 0 .05'><freejoint/>"
     "<geom type='capsule' fromto='-.1 0 0 .1 0 0' size='.05' mass='1'/></body>"
     "<body pos='.3 .02 .15'><freejoint/><geom size='.05' mass='.3'/></body>"
     "</worldbody></mujoco>",
     300},
    {"scenes/quadruped.xml", NULL, 200},
    {"scenes/humanoid_8.xml", NULL, 200},
    {"scenes/chain.xml", NULL, 100},
    {"scenes/wall.xml", NULL, 100},
};

typedef struct Check {
  const char *file, *command;  ///< NULL: the status of a step decides
} Check;

static int is_refused(const Check* check) {
  char line[1000];
  snprintf(line, sizeof line, "%s %s", check->command, check->file);
  return system(line) != 0;  // NOLINT(cert-env33-c): a test
}

// 1: a step is not solved, or refused.
static int run(const char* name, const HeftModel* model, int steps, const Check* check) {
  const HeftWorldDef def = heft_world_def_default();
  HeftWorld* world = NULL;
  char text[400];
  int wrong = 0;
  if (heft_world_create(&world, model, &def, NULL) != HEFT_OK) return 1;
  if (model->nkey > 0) heft_world_set_key(world, 0);
  Evidence* evidence = check->file ? evidence_open(check->file, world, &def) : NULL;
  for (int i = 0; i < steps && !wrong; ++i) {
    evidence_before(evidence, world);
    const HeftStepReport r = heft_world_step(world);
    if (evidence) evidence_after(evidence, world, &r);
    wrong = r.status != HEFT_STEP_SOLVED && !check->file;
    if (wrong) printf("%s, step %d: %s", name, i, heft_step_report_text(&r, model, text, 400));
  }
  evidence_close(evidence);
  heft_world_destroy(world);
  return wrong || (check->file && is_refused(check));
}

int main(int argc, char** argv) {
  const Check check = {argc > 2 ? argv[1] : NULL, argc > 2 ? argv[2] : NULL};
  for (size_t i = 0; i < sizeof models / sizeof *models; ++i) {
    HeftModel* model = NULL;
    const char* text = models[i].text;
    HeftError error = {0};
    if ((text ? heft_model_load_bytes(&model, text, strlen(text), NULL, NULL, &error)
              : heft_model_load_file(&model, models[i].name, NULL, &error)) != HEFT_OK) {
      printf("%s: %s", models[i].name, error.message);
      return 2;
    }
    const int wrong = run(models[i].name, model, models[i].steps, &check);
    heft_model_destroy(model);
    if (wrong) return 1;
  }
  printf("all steps solved");
  return 0;
}
