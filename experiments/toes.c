// SPDX-License-Identifier: Apache-2.0
// Papers: R31, S10.
// The robot leans forward from its ankles until its centre of mass has left the feet. They then
// turn about their front edges ([Moraud 2008], section III, Fig. 6). Servos hold the joints; no
// controller keeps the balance. The centre of pressure should move to the front edge and stay
// there, and the forces should not jump.
//
// The small robot, which has no springs in its ankles, then repeats the fall with the foot models
// of [Moraud 2008]. With the rule of the centre of pressure, its feet change once, from sole to
// front edge, at the same step as under the exact law. `foot_exact` and `foot_onestep` agree in
// this. Without the rule, the feet alternate until the transition is complete, as the lower half of
// Fig. 6 shows. The figure has the four curves of Fig. 6 for the small robot, with the rule and
// without. They are the centre of pressure forward and sideways, the vertical force and the state
// of the left foot (0 none, 1 vertex, 2 edge, 3 sole).
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/acts.h"
#include "experiments/experiments.h"
#include "experiments/poses.h"

enum { TIME, COP, SIDE, FORCE, STATE, CURVES = STATE, CHANNELS = 1 + 2 * CURVES };
static const char* const names[CHANNELS] = {
    "time",         "forward",         "sideways",         "force",
    "state",        "forward no rule", "sideways no rule", "force no rule",
    "state no rule"};
enum { ROWS = 4000 };

// The curves of one fall.
typedef struct Trace {
  double curve[ROWS][CURVES];
  int rows;
} Trace;
static const double settled = 0.6, lean_takes = 1.2;

typedef struct Toes {
  double lean;  ///< option: angle by which it leans forward [rad]
  int foot, sole;
  double cop, side, force, edge, tilt;
  double jump, force_jump;  ///< worst change of one step while the sole stands
  double at_lift;           ///< pressure to edge when the heel lifts [m]
  double off_edge;          ///< farthest from the edge while the foot turns [m]
  double before;            ///< when the heel lifts [s]
  HeftContactShape shape;   ///< how it stands
  int changes;              ///< how often that changed
} Toes;

static void look(Lab* lab, Toes* t) {
  const HeftModel* m = lab->model;
  const HeftPose foot = heft_dynamics_body_pose(heft_world_dynamics(lab->world), t->foot);
  const double* size = m->shape_size + 3L * t->sole;
  const HeftVec3 at = heft_vec3_from(m->shape_pos + 3L * t->sole);
  t->edge = heft_pose_apply(foot, heft_vec3(at.x + size[0], at.y, at.z - size[2])).x;
  t->tilt = heft_atan2(-foot.rot.m[2][0], foot.rot.m[0][0]);
  const HeftForcePlate p = heft_force_plate_read(lab->world, t->foot, 0, 0);
  t->force = p.force.z;
  t->cop = p.loaded ? p.center.x : t->cop;
  t->side = p.loaded ? p.center.y : t->side;
  t->shape = heft_world_body_contact(lab->world, t->foot).shape;
}

static void judge_step(Lab* lab, Toes* t, const Toes* was) {
  const double now = lab_time(lab);
  if (now < settled) return;
  const double jump = fabs(t->cop - was->cop);
  if (t->tilt < 0.3 && now > settled + 0.1) t->changes += t->shape != was->shape;
  if (t->before < 0) {
    t->jump = fmax(t->jump, jump);
    t->force_jump = fmax(t->force_jump, fabs(t->force - was->force));
    if (t->tilt > 0.005) {
      t->before = now;
      t->at_lift = t->edge - t->cop;
    }
  } else if (t->tilt < 0.3 && t->force > 20) {
    t->off_edge = fmax(t->off_edge, fabs(t->edge - t->cop));
  }
}

static const HeftOption options[] = {
    ACT_OPTION(Toes, lean, 0, 1.5, 0.5, "rad", "angle by which it leans forward")};

static int begin(Lab* lab, void* self) {
  Toes* t = self;
  const HeftModel* m = lab->model;
  t->foot = lab_body(lab, "left_foot");
  t->sole = heft_model_find(m, HEFT_NAMED_SHAPE, "left_sole");
  t->before = -1;
  for (int side = 0; side < 2; ++side) {
    const int ankle =
        heft_model_find(m, HEFT_NAMED_JOINT, side ? "right_ankle_pitch" : "left_ankle_pitch");
    const int hip =
        heft_model_find(m, HEFT_NAMED_JOINT, side ? "right_hip_pitch" : "left_hip_pitch");
    lab->pose[1][m->joint_q[ankle]] -= 0.3 * t->lean;
    lab->pose[1][m->joint_q[hip]] -= 0.7 * t->lean;
  }
  return 1;
}

static void control(Lab* lab, void* self) {
  (void)self;
  lab_move(lab, 0, 1, settled, lean_takes);
  lab_servo(lab, 12, 0.5);
}

static void observe(Lab* lab, void* self, const HeftStepReport* report) {
  Toes* t = self;
  const Toes was = *t;
  (void)report;
  look(lab, t);
  judge_step(lab, t, &was);
}

static const ActPart parts[] = {ACT_FOUND(Toes, foot), ACT_FOUND(Toes, sole),
                                ACT_RANGE(Toes, changes, 0, 1000000000)};
const Act act_toes = {.name = "toes",
                      .text = "the HRP-2-like robot leans forward until it falls over its toes",
                      .file = "hrp2_like.xml",
                      .pose = pose_half_sitting,
                      .size = sizeof(Toes),
                      .parts = ACT_PARTS(parts),
                      .options = {options, 1},
                      .begin = begin,
                      .control = control,
                      .observe = observe};

// One fall. keep: pictures; trace: its curves, or NULL.
static int fall(Lab* lab, Toes* t, const char* file, const LabAngle* pose, double lean, int keep,
                Trace* trace) {
  Act act = act_toes;
  act.file = file;
  act.pose = pose;
  *t = (Toes){.lean = lean};
  if (!act_open(&act, lab, t)) return 0;
  int shown = 0;
  for (int i = 0; lab_time(lab) < 4 && t->tilt < 0.6; ++i) {
    act_step(&act, lab, t);
    if (trace && trace->rows < ROWS) {
      const double row[CURVES] = {t->cop, t->side, t->force, (double)t->shape};
      memcpy(trace->curve[trace->rows++], row, sizeof row);
    }
    if (!keep) continue;
    if (i == 500 || (shown == 0 && t->tilt > 0.02) || (shown == 1 && t->tilt > 0.3)) {
      shown += i != 500;
      lab_instant(lab);
    }
  }
  return 1;
}

// The feet of [Moraud 2008]: with and without its rule of the centre of pressure, by search and in
// one step. How often a foot changes the way it stands, and how far its pressure jumps.
static void by_constraints(Lab* lab, Trace* trace) {
  static const struct {
    HeftContactModel model;
    int rule;
  } way[3] = {{HEFT_CONTACT_MODEL_FOOT_EXACT, 1},
              {HEFT_CONTACT_MODEL_FOOT_EXACT, 0},
              {HEFT_CONTACT_MODEL_FOOT_ONESTEP, 1}};
  Toes t[3];
  for (int k = 0; k < 3; ++k) {
    HeftContactOptions o = heft_contact_options_default();
    o.pressure_rule = way[k].rule;
    lab_use(lab, way[k].model, &o);
    if (!fall(lab, &t[k], "hoap_like.xml", pose_small, 1.1, 0, k < 2 ? &trace[k] : NULL)) return;
  }
  lab_use(lab, HEFT_CONTACT_MODEL_EXACT, NULL);
  lab_claim(lab, t[0].changes == 1 && t[0].jump < 0.002,
            "with the rule of the pressure there is no discontinuity", "[Moraud 2008], Fig. 6, top",
            "%d change, pressure moves at most %.1f mm a step (certificates up to %.0e)",
            t[0].changes, 1000 * t[0].jump, lab->other_relative);
  lab_claim(lab, t[1].changes > 10 && t[1].jump > 0.02,
            "without it there are some until the transition is done",
            "[Moraud 2008], Fig. 6, bottom", "%d changes, pressure jumps by up to %.0f mm",
            t[1].changes, 1000 * t[1].jump);
  lab_claim(lab, t[2].changes == 1 && t[2].jump < 0.002, "one choice a step does as well",
            "[Moraud 2008], IV", "%d change, at most %.1f mm a step", t[2].changes,
            1000 * t[2].jump);
}

// Fig. 6: on the left with the rule, on the right without.
static void draw_up(Lab* lab, const Trace* trace) {
  lab_channels(lab, CHANNELS, names);
  for (int k = 0; k < CURVES; ++k) {
    static const char* const titles[3] = {"pressure of the left foot", "vertical force", "state"};
    static const char* const units[3] = {"m", "N", "0 none to 3 sole"};
    char title[64];
    if (k == SIDE - 1) continue;
    for (int rule = 0; rule < 2; ++rule) {
      const char* const* own = names + 1 + rule * CURVES;
      const int which = k == 0 ? 0 : k - 1;
      snprintf(title, sizeof title, "Fig. 6 %s: %s", rule ? "bottom" : "top", titles[which]);
      lab_panel(lab, title, units[which],
                (const char*[]){own[k], k == 0 ? own[SIDE - 1] : NULL, NULL});
    }
  }
  for (int i = 600; i < trace[0].rows || i < trace[1].rows; ++i) {
    double row[CHANNELS] = {0.001 * i};
    for (int k = 0; k < 2 * CURVES; ++k)
      row[1 + k] =
          i < trace[k / CURVES].rows ? trace[k / CURVES].curve[i][k % CURVES] : (double)NAN;
    lab_log(lab, row);
  }
}

void experiment_toes(Lab* lab) {
  lab_camera(lab, -75, 8, 3, heft_vec3(0.3, 0, 0.6));
  Toes t;
  if (!fall(lab, &t, "hrp2_like.xml", pose_half_sitting, 0.5, 1, NULL)) return;
  lab->success = t.before > 0 && t.tilt >= 0.6;
  lab_claim(lab, lab->success, "it falls: the feet turn about their front edges",
            "[Moraud 2008], Fig. 6", "heels lift at %.3f s", t.before);
  lab_claim(lab, t.at_lift >= 0 && t.at_lift < 0.003,
            "heels lift when the pressure has reached the edge", "[Moraud 2008], III",
            "%.2f mm from it then", 1000 * t.at_lift);
  lab_claim(lab, t.off_edge < 0.003, "while the feet turn the pressure stays at the edge",
            "[Moraud 2008], Fig. 6", "at most %.2f mm from it", 1000 * t.off_edge);
  lab_claim(lab, t.jump < 0.002 && t.force_jump < 30,
            "no jump of pressure or force from step to step", "[Moraud 2008], Fig. 6",
            "at most %.2f mm and %.1f N in 1 ms", 1000 * t.jump, t.force_jump);
  lab_claim_certificate(lab);
  Trace* trace = calloc(2, sizeof *trace);
  if (lab->seed == 0 && trace) {
    by_constraints(lab, trace);
    draw_up(lab, trace);
  }
  free(trace);
}
