// SPDX-License-Identifier: Apache-2.0
// Papers: U5.
// A trunk on 1 to 8 springy legs drops askew and slides. The experiment finds the limits of one
// choice per step (`foot_onestep`) against the number of feet. [Moraud 2008] (section VI) leaves
// this open: it varies the vertices of two feet (Fig. 8; experiment vertices). Each foot is a box
// on an ankle that turns, so that it lands on edges and corners. Every way is run from the same
// start; the exact law is the reference.
//
// Cost is the number of contact states that are tried in a step. Accuracy is the distance of the
// trunk from where the exact law takes it. A search (`foot_exact`) goes through combinations of the
// states of all feet, so its tries grow as a power of their number. It stops at a limit and then
// takes the best state so far. One choice per step needs at most three tries per foot and one more.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiments/experiments.h"

enum { COUNTS = 6, COUNTS_BRIEF = 2, STEPS = 600 };
static const int counts[COUNTS] = {1, 2, 3, 4, 6, 8};  // the first of them in the short form

enum {
  FEET,
  STEP_MAX,
  SEARCH_MAX,
  BOUND,
  STEP_MEAN,
  SEARCH_MEAN,
  STEP_MM,
  SEARCH_MM,
  STEP_US,
  SEARCH_US,
  EXACT_US,
  CHANNELS
};
static const char* const names[CHANNELS] = {"feet",
                                            "foot_onestep worst",
                                            "foot_exact worst",
                                            "3 n + 1",
                                            "foot_onestep mean",
                                            "foot_exact mean",
                                            "foot_onestep",
                                            "foot_exact",
                                            "foot_onestep time",
                                            "foot_exact time",
                                            "exact law time"};

// The trunk is turned by 3 and 2 degrees, so that no two feet land at once.
static void write_model(int feet, char* out, size_t size) {
  size_t n = (size_t)snprintf(
      out, size,
      "<mujoco><option timestep='0.001'/><worldbody><geom type='plane' size='0 0 1' "
      "friction='0.6'/>"
      "<body name='trunk' pos='0 0 0.32' euler='3 2 0'><freejoint/>"
      "<geom type='cylinder' size='0.2 0.03' mass='6' contype='0' conaffinity='0'/>");
  for (int i = 0; i < feet; ++i) {
    const double angle = 2 * HEFT_PI * (i + 0.5) / feet;
    n += (size_t)snprintf(
        out + n, size - n,
        "<body pos='%.9g %.9g -0.2'>"
        "<joint type='slide' axis='0 0 1' stiffness='4000' damping='40' armature='0.01'/>"
        "<joint axis='0 1 0' stiffness='40' damping='0.6' armature='0.001'/>"
        "<geom type='box' size='0.04 0.03 0.01' mass='0.3' pos='0 0 -0.09'/></body>",
        feet > 1 ? 0.2 * heft_cos(angle) : 0, feet > 1 ? 0.2 * heft_sin(angle) : 0);
  }
  snprintf(out + n, size - n, "</body></worldbody></mujoco>");
}

typedef struct Drop {
  HeftVec3 path[STEPS];  ///< of the trunk
  double mean, us;       ///< tries per step with contact; time of a step [us]
  int max, cut;          ///< most tries of a step; steps in which the model met no state
  double apart;          ///< largest distance from the exact law [m]
} Drop;

static int drop(Lab* lab, const char* text, HeftContactModel law, Drop* out) {
  memset(out, 0, sizeof *out);
  lab_use(lab, law, NULL);
  if (!lab_open_text(lab, text, NULL)) return 0;
  const double slide[3] = {0.3, 0.1, 0};
  if (heft_world_set_v(lab->world, 0, slide, 3, NULL) != HEFT_OK) return 0;
  int touching = 0;
  for (int i = 0; i < STEPS; ++i) {
    const double begin = lab_cpu_us();
    const HeftStepReport r = lab_step_alone(lab);
    out->us += (lab_cpu_us() - begin) / STEPS;
    out->path[i] = heft_vec3_from(heft_world_state(lab->world)->q);
    out->max = r.trials > out->max ? r.trials : out->max;
    out->mean += r.trials;
    out->cut += r.status == HEFT_STEP_INEXACT;
    touching += heft_world_contact_count(lab->world) > 0;
  }
  out->mean /= touching > 0 ? touching : 1;
  return 1;
}

static void measure(const Drop* exact, Drop* other) {
  for (int i = 0; i < STEPS; ++i)
    other->apart =
        fmax(other->apart, heft_vec3_norm(heft_vec3_sub(other->path[i], exact->path[i])));
}

// The fewest feet with which a search ends without a state in most steps; 0: none.
static int first_cut(const Drop* search, int count) {
  for (int i = 0; i < count; ++i)
    if (2 * search[i].cut > STEPS) return counts[i];
  return 0;
}

static void judge(Lab* lab, const Drop* step, const Drop* search, int count) {
  const int last = count - 1;
  int bounded = 1;
  double ratio = 0;
  for (int i = 0; i < count; ++i) {
    bounded &= step[i].max <= 3 * counts[i] + 1;
    ratio = fmax(ratio, step[i].apart / search[i].apart);
  }
  lab_claim(lab, bounded, "one choice a step tries at most 3 n + 1 states on n feet",
            "[Moraud 2008], VI", "%d feet: at most %d of %d, %.2f on average", counts[last],
            step[last].max, 3 * counts[last] + 1, step[last].mean);
  const int cut = first_cut(search, count);
  if (!lab_brief(lab))
    lab_claim(lab, cut > 2 ? LAB_HOLDS : LAB_DIFFERS,
              "a search has its limit at more feet than two", "[Moraud 2008], VI",
              "from %d feet on it finds no state within its %d tries in most steps", cut,
              search[last].max);
  lab->success = ratio < 2;
  lab_claim(
      lab, lab->success ? LAB_HOLDS : LAB_DIFFERS,
      "one choice is about as near to the exact law as a search", "[Moraud 2008], IV and VI",
      "trunk off by %.0f and %.0f mm with %d feet, %.0f and %.0f mm with %d; ratio up to %.2f",
      1e3 * step[1].apart, 1e3 * search[1].apart, counts[1], 1e3 * step[last].apart,
      1e3 * search[last].apart, counts[last], ratio);
}

void experiment_feet(Lab* lab) {
  static Drop exact, step[COUNTS], search[COUNTS];
  const int count = lab_brief(lab) ? COUNTS_BRIEF : COUNTS;
  char text[8192];
  lab_camera(lab, -60, 12, 1.3, heft_vec3(0.05, 0, 0.15));
  lab_channels(lab, CHANNELS, names);
  lab_panel(lab, "contact states tried in the worst step: one choice", "states",
            (const char*[]){names[STEP_MAX], names[BOUND], NULL});
  lab_panel(lab, "contact states tried in the worst step: search", "states",
            (const char*[]){names[SEARCH_MAX], NULL});
  lab_panel(lab, "largest distance of the trunk from the exact law", "mm",
            (const char*[]){names[STEP_MM], names[SEARCH_MM], NULL});
  lab_panel(lab, "time of a step, mean", "us",
            (const char*[]){names[STEP_US], names[EXACT_US], NULL});
  lab_panel(lab, "time of a step, mean: search", "us", (const char*[]){names[SEARCH_US], NULL});
  for (int i = 0; i < count; ++i) {
    write_model(counts[i], text, sizeof text);
    if (!drop(lab, text, HEFT_CONTACT_MODEL_EXACT, &exact) ||
        !drop(lab, text, HEFT_CONTACT_MODEL_FOOT_ONESTEP, &step[i]) ||
        !drop(lab, text, HEFT_CONTACT_MODEL_FOOT_EXACT, &search[i]))
      return;
    measure(&exact, &step[i]);
    measure(&exact, &search[i]);
    const double row[CHANNELS] = {
        counts[i],      step[i].max,         search[i].max,         3 * counts[i] + 1, step[i].mean,
        search[i].mean, 1e3 * step[i].apart, 1e3 * search[i].apart, step[i].us,        search[i].us,
        exact.us};
    lab_log(lab, row);
    if (counts[i] == 6) lab_instant(lab);
  }
  lab_use(lab, HEFT_CONTACT_MODEL_EXACT, NULL);
  judge(lab, step, search, count);
  lab_claim_certificate(lab);
}
