// SPDX-License-Identifier: Apache-2.0
// Papers: R26, R32, S11, U5.
// The small robot bends and jumps on feet of 4 to 32 vertices ([Moraud 2008], section IV, Fig. 8).
// The experiment counts the cost of finding the contact state of the feet, by search (`foot_exact`)
// and by one choice per step (`foot_onestep`). The robot crouches, stretches its legs, flies for a
// quarter of a second, and lands on its heels; servos hold its joints. Its soles stand on studs
// around an ellipse, so that each sole is a polygon with as many vertices as studs.
//
// The cost is the number of contact states that are tried, which does not depend on the machine,
// and the time of a step, as in Fig. 8. docs/theory/feet.md gives the time of one trial and of the
// other work for a foot.
#include <heft/io.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "experiments/acts.h"
#include "experiments/experiments.h"
#include "experiments/membrane.h"
#include "experiments/poses.h"

enum { SIZES = 7, SIZES_BRIEF = 3 };
static const int sizes[SIZES] = {4, 8, 16, 6, 12, 24, 32};  // the first of them in the short form
enum {
  VERTICES,
  SEARCH_MAX,
  STEP_MAX,
  SEARCH_MEAN,
  STEP_MEAN,
  SEARCH_US,
  STEP_US,
  EXACT_US,
  SEARCH_WORST,
  STEP_WORST,
  EXACT_WORST,
  CHANNELS
};
static const char* const names[CHANNELS] = {
    "vertices of a foot", "foot_exact worst",     "foot_onestep worst", "foot_exact mean",
    "foot_onestep mean",  "foot_exact",           "foot_onestep",       "exact law",
    "foot_exact longest", "foot_onestep longest", "exact law longest"};

// ---- the jump

static void bend_legs(Lab* lab, double* q, double hip, double knee, double ankle) {
  const HeftModel* m = lab->model;
  const double degree = HEFT_PI / 180;
  for (int side = 0; side < 2; ++side) {
    const char* joint[3] = {side ? "right_hip_pitch" : "left_hip_pitch",
                            side ? "right_knee" : "left_knee",
                            side ? "right_ankle_pitch" : "left_ankle_pitch"};
    const double angle[3] = {hip, knee, ankle};
    for (int k = 0; k < 3; ++k)
      q[m->joint_q[heft_model_find(m, HEFT_NAMED_JOINT, joint[k])]] = angle[k] * degree;
  }
}

static void set_goal(Lab* lab) {
  const double t = lab_time(lab);
  if (t < 0.65)
    lab_move(lab, 0, 1, 0.1, 0.5);
  else if (t < 0.8)
    lab_move(lab, 1, 2, 0.65, 0.09);
  else
    lab_move(lab, 2, 0, 0.8, 0.1);
}

// ---- the act, on feet of four vertices

typedef struct Bending {
  double law;     ///< option
  double trials;  ///< value
} Bending;

static const HeftOption options[] = {
    ACT_OPTION(Bending, law, 0, 2, 2, "", "0 search, 1 one choice a step, 2 exact law")};
static const HeftOption values[] = {
    ACT_VALUE(Bending, trials, "", "ways to stand that were tried")};

static const HeftContactModel laws[3] = {HEFT_CONTACT_MODEL_FOOT_EXACT,
                                         HEFT_CONTACT_MODEL_FOOT_ONESTEP, HEFT_CONTACT_MODEL_EXACT};

static HeftContactOptions all_candidates(void) {
  HeftContactOptions o = heft_contact_options_default();
  o.candidates = 10000;
  return o;
}

static void bend(Lab* lab) {
  bend_legs(lab, lab->pose[1], -50, 95, -45);
  bend_legs(lab, lab->pose[2], -8, 14, -6);
}

static int begin(Lab* lab, void* self) {
  const HeftContactOptions o = all_candidates();
  bend(lab);
  return lab_use_now(lab, laws[(int)(((const Bending*)self)->law + 0.5)], &o);
}

static void control(Lab* lab, void* self) {
  (void)self;
  set_goal(lab);
  lab_servo(lab, 12, 0.5);
}

static void observe(Lab* lab, void* self, const HeftStepReport* report) {
  (void)lab;
  ((Bending*)self)->trials = report->trials;
}

const Act act_vertices = {.name = "vertices",
                          .text = "the small robot bends and jumps on feet of four vertices",
                          .file = "hoap_like.xml",
                          .pose = pose_small,
                          .size = sizeof(Bending),
                          .options = {options, 1},
                          .values = {values, 1},
                          .begin = begin,
                          .control = control,
                          .observe = observe};

// ---- with other feet

typedef struct Jump {
  long trials;     ///< of all steps
  int max, steps;  ///< of a step; steps with contact
  double air;      ///< time in the air [s]
  double highest;  ///< of the pelvis [m]
  double us;       ///< time of the steps with contact [us]
  double longest;  ///< of them [us]
} Jump;

static int jump(Lab* lab, Jump* j, const char* text, int pictures) {
  *j = (Jump){0};
  if (!lab_open_text(lab, text, pose_small)) return 0;
  bend(lab);
  for (int i = 0; i < 1200; ++i) {
    set_goal(lab);
    lab_servo(lab, 12, 0.5);
    const double begin_us = lab_cpu_us();
    const HeftStepReport r = lab_step_alone(lab);
    const double us = lab_cpu_us() - begin_us;
    const int contacts = heft_world_contact_count(lab->world);
    j->trials += r.trials;
    j->max = r.trials > j->max ? r.trials : j->max;
    j->steps += contacts > 0;
    j->us += contacts > 0 ? us : 0;
    j->longest = fmax(j->longest, us);
    j->air += contacts > 0 ? 0 : lab->model->physics.time_step;
    j->highest = fmax(j->highest, heft_world_state(lab->world)->q[2]);
    if (pictures && (i == 20 || i == 640 || i == 800 || i == 1150)) lab_instant(lab);
  }
  return 1;
}

// Both ways, and the exact law to compare with, on feet of one kind.
static int compare(Lab* lab, int vertices, Jump out[3], int pictures) {
  const HeftContactOptions o = all_candidates();
  const Setting studs = {.vertices = vertices, .reach = 1, .armature = 1};
  char* text = setting_text(lab, &studs, "hoap_like.xml");
  int well = text != NULL;
  for (int k = 0; k < 3 && well; ++k) {
    lab_use(lab, laws[k], &o);
    well = jump(lab, &out[k], text, pictures && k == 2);
  }
  free(text);
  return well;
}

static void log_all(Lab* lab, int count, Jump (*j)[3]) {
  lab_channels(lab, CHANNELS, names);
  lab_panel(lab, "contact states tried in the worst step", "states",
            (const char*[]){names[SEARCH_MAX], names[STEP_MAX], NULL});
  lab_panel(lab, "contact states tried per step with contact", "states",
            (const char*[]){names[SEARCH_MEAN], names[STEP_MEAN], NULL});
  lab_panel(lab, "time of a step with contact, mean (Fig. 8)", "us",
            (const char*[]){names[SEARCH_US], names[STEP_US], names[EXACT_US], NULL});
  lab_panel(lab, "time of the longest step (Fig. 8)", "us",
            (const char*[]){names[SEARCH_WORST], names[STEP_WORST], names[EXACT_WORST], NULL});
  for (int size = 0; size <= 32; ++size) {
    for (int i = 0; i < count; ++i) {
      const double row[CHANNELS] = {size,
                                    j[i][0].max,
                                    j[i][1].max,
                                    (double)j[i][0].trials / j[i][0].steps,
                                    (double)j[i][1].trials / j[i][1].steps,
                                    j[i][0].us / j[i][0].steps,
                                    j[i][1].us / j[i][1].steps,
                                    j[i][2].us / j[i][2].steps,
                                    j[i][0].longest,
                                    j[i][1].longest,
                                    j[i][2].longest};
      if (sizes[i] == size) lab_log(lab, row);
    }
  }
}

void experiment_vertices(Lab* lab) {
  Jump j[SIZES][3];
  const int count = lab_brief(lab) ? SIZES_BRIEF : SIZES;
  lab_camera(lab, -60, 8, 1.1, heft_vec3(0, 0, 0.22));
  for (int i = 0; i < count; ++i)
    if (!compare(lab, sizes[i], j[i], i == 1)) return;
  lab_use(lab, HEFT_CONTACT_MODEL_EXACT, NULL);
  log_all(lab, count, j);
  double min_air = 1, apart = 0;
  int bound = 0;
  for (int i = 0; i < count; ++i) {
    bound = j[i][1].max > bound ? j[i][1].max : bound;
    for (int k = 0; k < 3; ++k) {
      min_air = fmin(min_air, j[i][k].air);
      apart = fmax(apart, fabs(j[i][k].highest - j[i][2].highest));
    }
  }
  const Jump *few = j[0], *many = j[count - 1];
  lab->success = min_air > 0.15;
  lab_claim(lab, lab->success, "it bends and jumps, whatever its feet are", "[Moraud 2008], IV",
            "%.0f ms in the air or more; pelvis within %.1f mm of the exact law's", 1000 * min_air,
            1000 * apart);
  lab_claim(lab, many[0].max * sizes[0] > 0.8 * few[0].max * sizes[count - 1],
            "a search takes longer the more vertices there are", "[Moraud 2008], Fig. 8",
            "worst step: %d trials with %d vertices, %d with %d", few[0].max, sizes[0], many[0].max,
            sizes[count - 1]);
  lab_claim(lab, bound <= 7, "one choice a step is bounded", "[Moraud 2008], IV",
            "at most %d trials in a step, of 7 that two feet may take", bound);
  const double mean[2] = {(double)few[1].trials / few[1].steps,
                          (double)many[1].trials / many[1].steps};
  lab_claim(lab, mean[1] < 1.1 * mean[0], "and hardly depends on the number of vertices",
            "[Moraud 2008], Fig. 8", "%.3f trials a step with %d vertices, %.3f with %d", mean[0],
            sizes[0], mean[1], sizes[count - 1]);
  // Time depends on the machine: stated, and judged by a wide margin.
  lab_claim(lab, many[0].longest > 1.5 * many[1].longest ? LAB_HOLDS : LAB_DIFFERS,
            "with many vertices the longest step of a search takes longer", "[Moraud 2008], Fig. 8",
            "%d vertices: %.0f us by search, %.0f us by one choice; on average %.0f and %.0f us",
            sizes[count - 1], many[0].longest, many[1].longest, many[0].us / many[0].steps,
            many[1].us / many[1].steps);
  lab_claim_certificate(lab);
}
