// SPDX-License-Identifier: Apache-2.0
// Coefficients of friction as paper B found them (section V-C): a foot is loaded with weights and
// pulled until it slips; the pull at that moment against the load is a line through the origin,
// whose slope is the coefficient. 0.13 for plastic feet, 0.45 for soles of robot shoes.
#include <heft/io.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "experiments/experiments.h"

enum { TIME, PULL, SLIP, CHANNELS };
static const char* const names[CHANNELS] = {"time", "pull", "slip"};

static HeftModel* foot(double mass, double mu) {
  char text[900];
  HeftModel* model = NULL;
  const HeftLoadDef def = heft_load_def_default();
  snprintf(text, sizeof text,
           "<mujoco><option timestep='0.001'/><worldbody>"
           "<geom type='plane' size='0 0 1' friction='%.9g'/>"
           "<body name='foot' pos='0 0 0.02'><freejoint/>"
           "<geom type='box' size='0.12 0.07 0.02' mass='%.9g' friction='%.9g'/></body>"
           "</worldbody></mujoco>",
           mu, mass, mu);
  return heft_load_bytes(&model, text, strlen(text), "foot.xml", &def, NULL) == HEFT_OK ? model
                                                                                        : NULL;
}

// Pulls harder and harder, low on the foot, until it moves. Returns the pull, as a sensor with a
// noise of 1 N (two thirds of what the papers' plates resolve) has it.
static double pull_until(Lab* lab, double mass, double mu, int number, int keep) {
  lab->model = foot(mass, mu);
  if (!lab->model || heft_world_create(&lab->world, lab->model, &lab->def, NULL) != HEFT_OK)
    return 0;
  HeftForceSensor sensor = heft_force_sensor_default();
  sensor.noise[0] = 0.7;
  sensor.seed = lab->seed + 1;
  double pull = 0;
  const double rate = 2 * mu * mass * 9.81;  // slips after half a second
  for (int i = 0; i < 2000; ++i) {
    pull = rate * lab_time(lab);
    const HeftVec3 at = heft_vec3(heft_world_state(lab->world)->q[0], 0, 0);
    heft_world_apply_wrench(lab->world, 1, at, heft_vec3(pull, 0, 0), heft_vec3(0, 0, 0));
    lab_step_alone(lab);
    const double slip = heft_world_state(lab->world)->v[0];
    const double row[CHANNELS] = {lab_time(lab), pull, 1000 * slip};
    if (keep && i % 2 == 0) lab_log(lab, row);
    if (slip > 1e-5) break;
  }
  double raw[6];
  const HeftSpatial w = {{0, 0, 0}, {pull, 0, 0}};
  heft_force_sensor_read(&sensor, heft_quat_identity(), w, (uint64_t)number, raw);
  lab_close(lab);
  return raw[0];
}

static void identify(Lab* lab, double mu, const char* what, const char* where) {
  char claim[LAB_TEXT];
  enum { LOADS = 10 };
  double xy = 0, xx = 0, sy = 0, syy = 0, left = 0, load[LOADS], pull[LOADS];
  for (int i = 0; i < LOADS; ++i) {
    const double mass = 2 + 2.0 * i;
    load[i] = mass * 9.81;
    pull[i] = pull_until(lab, mass, mu, i, mu > 0.4 && i == LOADS - 1);
    xy += load[i] * pull[i];
    xx += load[i] * load[i];
    sy += pull[i];
    syy += pull[i] * pull[i];
  }
  const double slope = xy / xx;
  for (int i = 0; i < LOADS; ++i) left += (pull[i] - slope * load[i]) * (pull[i] - slope * load[i]);
  const double r2 = 1 - left / (syy - sy * sy / LOADS);
  snprintf(claim, sizeof claim, "%s: pulling finds the coefficient of %.2f", what, mu);
  lab_claim(lab, fabs(slope - mu) < 0.02 * mu + 0.003 && r2 > 0.95, claim, where,
            "%.4f, r² = %.2f %%", slope, 100 * r2);
}

void experiment_friction(Lab* lab) {
  lab_channels(lab, CHANNELS, names);
  lab_panel(lab, "pull on the foot [N], and its slip [mm/s]", "",
            (const char*[]){"pull", "slip", NULL});
  identify(lab, 0.13, "plastic feet", "paper B, V-C: r² = 95.83 %");
  identify(lab, 0.45, "soles of robot shoes", "paper B, V-C: r² = 99.25 %");
  lab->success = lab->failed == 0;
  lab_claim_certificate(lab);
}
