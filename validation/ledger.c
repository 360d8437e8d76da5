// SPDX-License-Identifier: Apache-2.0
// The energy ledger of a step: at rest all of it is zero, and in motion its parts and the defect
// sum up to the change of kinetic and potential energy. The defect is a part of its own: the rows
// in motion state it, too, relative to the energy that went through the other parts.
#include <math.h>

#include "validation/cases.h"
#include "validation/energy_parts.h"

enum { SETTLE = 900, JUDGED = 100 };

// Scenes that come to rest within a second, and others that move.
static const char* const resting[] = {
    "slope.xml",      "two_boxes.xml",   "stack_plain.xml", "table.xml",        "foot.xml",
    "pinch.xml",      "wall.xml",        "boxes.xml",       "cubes.xml",        "cards.xml",
    "rocking.xml",    "slide.xml",       "chain.xml",       "humanoid_120.xml", "quadruped.xml",
    "humanoid_8.xml", "humanoid_40.xml", "disk.xml",        "roll.xml",         "rolling.xml"};
// The last of the two lists below take long and stand in the long form alone.
enum { LONG_HEAVY = 2, LONG_MOVING = 1 };
static const char* const moving[] = {"quadruped.xml", "humanoid.xml", "bounce.xml",
                                     "tumbler.xml",   "cradle.xml",   "heap.xml"};

// Tons of material, whose energies are rounded to 1e-13 to 1e-12 J.
static const char* const heavy[] = {"stack.xml", "pyramid.xml", "kapla.xml"};

static void rest(Run* run, const char* scene, int relative) {
  EngineSettings s = engine_settings();
  char what[ROW_TEXT];
  double worst = 0, energy = 1;
  if (!run_open(run, scene, &s)) return;
  HeftWorld* w = run->engine->world;
  for (int i = 0; i < SETTLE + JUDGED; ++i) {
    const HeftStepReport r = heft_world_step(w);
    if (i >= SETTLE) worst = fmax(worst, fabs(r.energy_change));
    energy = fabs(r.potential);
  }
  run_close(run);
  snprintf(what, sizeof what, "%s after 0.9 s: largest defect of a step%s", scene,
           relative ? ", of its energy" : " [J]");
  run_report(run, what, 0, relative ? worst / energy : worst, relative ? 1e-14 : 1e-12);
}

static void motion(Run* run, const char* scene) {
  EngineSettings s = engine_settings();
  char what[ROW_TEXT];
  double worst = 0, through = 0, defect = 0, before = (double)NAN;
  if (!run_open(run, scene, &s)) return;
  HeftWorld* w = run->engine->world;
  for (int i = 0; i < SETTLE; ++i) {
    const HeftStepReport r = heft_world_step(w);
    const double after = r.kinetic + r.potential;
    if (i > 0)
      worst = fmax(worst, fabs(after - before - energy_parts_sum(&r) - r.energy_change) /
                              (fabs(after) + r.kinetic));
    through += energy_parts_size(&r);
    defect += r.energy_change;
    before = after;
  }
  run_close(run);
  snprintf(what, sizeof what, "%s: energy less all parts of the ledger, relative", scene);
  run_report(run, what, 0, worst, 1e-9);
  snprintf(what, sizeof what, "%s: sum of the defect, of what the parts moved", scene);
  run_report(run, what, 0, defect / fmax(through, 1e-300), 0.1);
}

void case_ledger(Run* run) {
  for (size_t i = 0; i < sizeof resting / sizeof *resting; ++i) rest(run, resting[i], 0);
  const int heavies = (int)(sizeof heavy / sizeof *heavy) - (run->full ? 0 : LONG_HEAVY);
  const int movings = (int)(sizeof moving / sizeof *moving) - (run->full ? 0 : LONG_MOVING);
  for (int i = 0; i < heavies; ++i) rest(run, heavy[i], 1);
  for (int i = 0; i < movings; ++i) motion(run, moving[i]);
}
