// SPDX-License-Identifier: Apache-2.0
// Actuators and sensors: a servo with a force limit lifts a table with a box on it. A touch sensor
// measures the weight of the box, and an accelerometer measures the acceleration of the table.
#include <heft/heft.h>
#include <heft/io.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const description =
    "<mujoco model='lift'>"
    "  <option timestep='0.002'/>"
    "  <worldbody>"
    "    <body name='table' pos='0 0 0.5'>"
    "      <joint name='lift' type='slide' axis='0 0 1'/>"
    "      <geom type='box' size='0.3 0.3 0.02' mass='2'/>"
    "      <site name='plate' type='box' size='0.3 0.3 0.03'/>"
    "    </body>"
    "    <body name='box' pos='0.1 0 0.62'>"
    "      <freejoint/>"
    "      <geom type='box' size='0.1 0.1 0.1' mass='3'/>"
    "      <site name='rider'/>"
    "    </body>"
    "  </worldbody>"
    "  <actuator>"
    "    <general name='servo' joint='lift' gainprm='5000' biastype='affine' "
    "biasprm='0 -5000 -400' forcelimited='true' forcerange='0 80'/>"
    "  </actuator>"
    "  <sensor>"
    "    <touch name='scale' site='plate'/>"
    "    <jointpos name='height' joint='lift'/>"
    "    <accelerometer name='rider' site='rider' noise='0.02'/>"
    "  </sensor>"
    "</mujoco>";

// The values of a sensor. An unknown name ends the program with a message that suggests a name.
static HeftVec3 reading(HeftWorld* world, const char* sensor, int count) {
  double values[3] = {0};
  HeftError error = {0};
  if (heft_world_sensor(world, sensor, values, count, &error) != HEFT_OK) {
    fprintf(stderr, "%s\n", error.message);
    exit(1);
  }
  return heft_vec3_from(values);
}

static void print_state(HeftWorld* world) {
  printf("%4.2f s: %6.4f m up, servo %7.3f N, scale %7.3f N, rider %6.3f m/s2\n",
         *heft_world_state(world)->time, reading(world, "height", 1).x,
         heft_world_actuator_force(world, 0), reading(world, "scale", 1).x,
         reading(world, "rider", 3).z);
}

// Simulates two seconds. Returns 0 if the table rests at its height and carries the weight.
static int lift(HeftWorld* world) {
  if (heft_world_set_control(world, "servo", 0.2, NULL) != HEFT_OK) return 1;  // target [m]
  HeftStepTally tally = {0};
  double force_max = 0;
  for (int i = 0; i < 1000; ++i) {
    if (i % 100 == 10) print_state(world);
    const HeftStepReport report = heft_world_step(world);
    if (!heft_step_taken(report.status)) return 1;
    heft_step_tally_add(&tally, &report);
    force_max = fmax(force_max, heft_world_actuator_force(world, 0));
  }
  print_state(world);
  char text[2000];
  printf("%s\n", heft_step_tally_text(&tally, heft_world_model(world), text, sizeof text));
  const double weight = 5 * 9.81, sag = weight / 5000;
  const int stands = fabs(reading(world, "height", 1).x - 0.2 + sag) < 1e-6;
  const int weighs = fabs(reading(world, "scale", 1).x - 3 * 9.81) < 1e-4;
  const int carries = fabs(heft_world_actuator_force(world, 0) - weight) < 1e-4;
  return stands && weighs && carries && force_max == 80 ? 0 : 1;
}

int main(void) {
  HeftModel* model = NULL;
  HeftWorld* world = NULL;
  HeftError error = {0};
  char text[800];
  const HeftLoadDef def = heft_load_def_default();
  const size_t size = strlen(description);
  if (heft_model_load_bytes(&model, description, size, "lift.xml", &def, &error) != HEFT_OK ||
      heft_world_create(&world, model, NULL, &error) != HEFT_OK) {
    fprintf(stderr, "%s\n", heft_error_format(&error, text, sizeof text));
    heft_model_destroy(model);
    return 1;
  }
  const int failed = lift(world);
  heft_world_destroy(world);
  heft_model_destroy(model);
  return failed;
}
