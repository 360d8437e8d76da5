// SPDX-License-Identifier: Apache-2.0
// Papers: S18, S19.
// The HOAP-1-like robot walks, falls while it walks, and jumps on the ground of [Sugihara 2006],
// section IV-E, Fig. 10-12: micro_macro with λ = 1 in its own unit. Drives follow planned joint
// angles in open loop. The fall is the walk with a push from the side. Section IV-A states a mean
// cycle of about 1.5 ms on a processor of 2 GHz.
//
// The model has no term that restores the position of a point: at λ = 1 the soles sink into the
// floor while the robot walks (docs/theory/micro-macro.md). The figure shows how far.
#include <math.h>
#include <stddef.h>

#include "experiments/acts.h"
#include "experiments/experiments.h"
#include "experiments/membrane.h"
#include "experiments/open_loop.h"
#include "experiments/poses.h"

enum { TIME, WALK_X, WALK_Z, FALL_Z, JUMP_Z, LEFT, RIGHT, SUNK, CHANNELS };
static const char* const names[CHANNELS] = {"time",   "walk x",    "walk z",     "fall z",
                                            "jump z", "left foot", "right foot", "depth of soles"};
enum { ROWS = 1200, EVERY = 5, STEPS = 6 };

typedef struct Motion {
  double x[ROWS], z[ROWS], force[ROWS][2], sunk[ROWS];
  int rows, upright, air;  ///< air: steps without contact after the start
  double us;               ///< processor time of a step of the world, mean [us]
  double deepest;          ///< [m]
} Motion;

enum { WALK, FALL, JUMP, MOTIONS };

// The centre of mass goes down, up within 0.12 s, and back.
static void along_jump(const Lab* lab, double time, HeftBipedGoal* goal, void* user) {
  double down[3], up[3], back[3];
  (void)lab;
  (void)user;
  heft_spline_smooth_step((time - 0.4) / 0.6, down);
  heft_spline_smooth_step((time - 1.1) / 0.12, up);
  heft_spline_smooth_step((time - 1.24) / 0.1, back);
  goal->com.z += -0.045 * down[0] + 0.055 * up[0] - 0.02 * back[0];
}

// A push of 20 N for 0.3 s at the pelvis, from the side.
static void push(Lab* lab) {
  const int pelvis = lab->model->joint_body[0];
  const double t = lab_time(lab);
  if (t < 1.6 || t > 1.9) return;
  const HeftVec3 at = heft_dynamics_body_pose(heft_world_dynamics(lab->world), pelvis).pos;
  heft_world_apply_wrench(lab->world, pelvis, at, heft_vec3(0, 20, 0), heft_vec3(0, 0, 0));
}

static int move(Lab* lab, Motion* m, int which, double seconds) {
  const HeftContactOptions o = membrane_options(&setting_usual, 1);
  lab_use(lab, HEFT_CONTACT_MODEL_MICRO_MACRO, &o);
  if (!lab_open(lab, "hoap_membrane.xml", pose_small)) return 0;
  if (which != JUMP && !membrane_plan_walk(lab, STEPS)) return 0;
  if (which == JUMP && lab_plan_motion(lab, seconds, along_jump, NULL) < 0) return 0;
  const int z = lab->model->joint_q[0] + 2;
  const double stands = lab->start[z];
  const int steps = (int)(1000 * seconds), shown = which == FALL   ? 2100
                                                   : which == JUMP ? 1290
                                                                   : 2000;
  *m = (Motion){0};
  for (int i = 0; i < steps; ++i) {
    membrane_walk(lab, &setting_usual);
    if (which == FALL) push(lab);
    const double begin = lab_cpu_us();
    const HeftStepReport r = lab_step_alone(lab);
    m->us += (lab_cpu_us() - begin) / steps;
    m->deepest = fmax(m->deepest, r.penetration);
    m->air += i > 200 && heft_world_contact_count(lab->world) == 0;
    if (i == shown || i == steps - 1) lab_instant(lab);
    if (i % EVERY != 0 || m->rows == ROWS) continue;
    m->x[m->rows] = heft_world_state(lab->world)->q[z - 2] - lab->start[z - 2];
    m->z[m->rows] = heft_world_state(lab->world)->q[z] - stands;
    m->sunk[m->rows] = 1000 * r.penetration;
    for (int k = 0; k < 2; ++k) m->force[m->rows][k] = lab_foot_force(lab, k, NULL);
    ++m->rows;
  }
  m->upright = lab_upright(lab);
  return 1;
}

void experiment_motions(Lab* lab) {
  static Motion m[MOTIONS];
  lab_camera(lab, -60, 10, 1.3, heft_vec3(0.1, 0, 0.2));
  const double seconds[MOTIONS] = {5.1, 5.1, 2.5};
  for (int k = 0; k < MOTIONS; ++k)
    if (!move(lab, &m[k], k, seconds[k])) return;
  lab_use(lab, HEFT_CONTACT_MODEL_EXACT, NULL);
  lab_channels(lab, CHANNELS, names);
  lab_panel(lab, "height of the pelvis over its start", "m",
            (const char*[]){names[WALK_Z], names[FALL_Z], names[JUMP_Z], NULL});
  lab_panel(lab, "Fig. 10: way of the pelvis while it walks", "m",
            (const char*[]){names[WALK_X], NULL});
  lab_panel(lab, "Fig. 10: vertical force of each foot", "N",
            (const char*[]){names[LEFT], names[RIGHT], NULL});
  lab_panel(lab, "depth of the soles while it walks", "mm", (const char*[]){names[SUNK], NULL});
  for (int i = 0; i < m[WALK].rows; ++i) {
    const double row[CHANNELS] = {0.001 * EVERY * i,
                                  m[WALK].x[i],
                                  m[WALK].z[i],
                                  i < m[FALL].rows ? m[FALL].z[i] : (double)NAN,
                                  i < m[JUMP].rows ? m[JUMP].z[i] : (double)NAN,
                                  m[WALK].force[i][0],
                                  m[WALK].force[i][1],
                                  m[WALK].sunk[i]};
    lab_log(lab, row);
  }
  const double wanted = 0.04 * (STEPS - 1), way = m[WALK].x[m[WALK].rows - 1];
  lab->success = m[WALK].upright;
  lab_claim(lab, m[WALK].upright && fabs(way - wanted) < 0.33 * wanted ? LAB_HOLDS : LAB_DIFFERS,
            "it walks in open loop", "[Sugihara 2006], Fig. 10", "%.0f mm of %.0f mm, upright",
            1000 * way, 1000 * wanted);
  lab_claim(lab, walks_on_soles(m[WALK].deepest) ? LAB_HOLDS : LAB_DIFFERS,
            "it walks on its soles: they sink by less than their thickness of 12 mm",
            "[Sugihara 2006], Fig. 10", "by up to %.1f mm", 1000 * m[WALK].deepest);
  lab_claim(lab, !m[FALL].upright, "pushed with 20 N while it walks, it falls",
            "[Sugihara 2006], Fig. 11", "pelvis %.0f mm below its start at the end",
            -1000 * m[FALL].z[m[FALL].rows - 1]);
  lab_claim(lab, m[JUMP].air > 30 && m[JUMP].upright, "it jumps and lands upright",
            "[Sugihara 2006], Fig. 12", "%d ms in the air", m[JUMP].air);
  const double us = (m[WALK].us + m[FALL].us + m[JUMP].us) / 3;
  lab_claim(lab, us < 1500, "a cycle takes less than 1.5 ms", "[Sugihara 2006], IV-A: 1.5 ms",
            "%.3f ms of CPU time on average", 1e-3 * us);
}
