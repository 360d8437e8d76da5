// SPDX-License-Identifier: Apache-2.0
// The robot crouches, accelerates its centre of mass upwards, leaves the ground with both feet,
// lands and stands ([Moraud 2008], section IV; [Sugihara 2006], Fig. 12). In the air its motors
// hold the posture and keep the feet level. Without ground contact its centre of mass follows a
// parabola.
#include <math.h>
#include <stddef.h>

#include "experiments/acts.h"
#include "experiments/experiments.h"
#include "experiments/poses.h"

enum { TIME, COM, GOAL, FORCE, CHANNELS };
static const char* const names[CHANNELS] = {"time", "com z", "planned com z", "feet"};

static const double crouch = 0.16, rise = 0.14, crouch_from = 0.3, crouch_takes = 0.8, speed = 1.1;
static const double push_from = 1.2;

typedef enum Phase { ON_GROUND, IN_AIR, LANDED } Phase;

typedef struct Jump {
  Phase phase;
  double stand_height;  ///< of the centre of mass [m]
  double left, landed;  ///< when [s]
  HeftVec3 sole[2];     ///< under the centre of mass, when it left
  int flies;            ///< 1: the feet have no load
  double highest, off_parabola, t0, z0, v0;
  double goal, force;  ///< height of the centre of mass [m], and force of the feet [N]
} Jump;

// Down, then up with an acceleration that reaches the speed at the height `rise` above the crouch.
static void ground_goal(Lab* lab, const Jump* j, double t) {
  HeftBipedGoal* g = &lab->goal;
  double s[3];
  heft_spline_smooth_step((t - crouch_from) / crouch_takes, s);
  g->com.z = j->stand_height - crouch * s[0];
  g->com_velocity.z = -crouch * s[1] / crouch_takes;
  g->com_acceleration.z = -crouch * s[2] / (crouch_takes * crouch_takes);
  if (t < push_from) return;
  const double a = 0.5 * speed * speed / rise, p = t - push_from;
  g->com.z = j->stand_height - crouch + 0.5 * a * p * p;
  g->com_velocity.z = a * p;
  g->com_acceleration.z = a;
}

static HeftVec3 com_velocity(const Lab* lab, HeftVec3 com) {
  const HeftSpatial p = heft_dynamics_momentum(heft_world_dynamics(lab->world), 1, com);
  return heft_vec3_scale(lab->gravity / lab_weight(lab), p.lin);
}

// The feet keep their position under the body, level.
static void air_goal(Lab* lab, const Jump* j) {
  HeftBipedGoal* g = &lab->goal;
  const HeftVec3 com = lab_com(lab), v = com_velocity(lab, com);
  g->com = com;
  g->com_velocity = v;
  g->com_acceleration = heft_vec3(0, 0, -lab->gravity);
  for (int side = 0; side < 2; ++side) {
    g->foot[side].load = 0;
    g->foot[side].pos = heft_vec3_add(com, j->sole[side]);
    g->foot[side].velocity = v;
    g->foot[side].acceleration = heft_vec3(0, 0, -lab->gravity);
  }
}

// Moves down smoothly to half sitting, above the feet.
static void landed_goal(Lab* lab, const Jump* j, double t) {
  double s[3];
  heft_spline_smooth_step((t - j->landed) / 0.8, s);
  lab->goal.com.z = j->stand_height - crouch * (1 - s[0]);
  lab->goal.com_velocity = heft_vec3(0, 0, 0);
  lab->goal.com_acceleration = heft_vec3(0, 0, 0);
}

static void leave(Lab* lab, Jump* j) {
  const HeftVec3 com = lab_com(lab);
  j->phase = IN_AIR;
  j->left = lab_time(lab);
  for (int side = 0; side < 2; ++side) j->sole[side] = heft_vec3_sub(lab->goal.foot[side].pos, com);
}

static void land(Lab* lab, Jump* j) {
  j->phase = LANDED;
  j->landed = lab_time(lab);
  heft_biped_stand(lab->biped, heft_world_state(lab->world)->q, &lab->goal);
  lab->goal.posture = lab->start;
  for (int side = 0; side < 2; ++side) lab->goal.foot[side].pos.z = 0;
}

// Distance of the centre of mass from its parabola.
static void fly(Lab* lab, Jump* j) {
  const HeftVec3 com = lab_com(lab);
  if (!j->flies) {
    j->flies = 1;
    j->t0 = lab_time(lab);
    j->z0 = com.z;
    j->v0 = com_velocity(lab, com).z;
  }
  const double f = lab_time(lab) - j->t0;
  const double z = j->z0 + j->v0 * f - 0.5 * lab->gravity * f * f;
  j->off_parabola = fmax(j->off_parabola, fabs(com.z - z));
}

static void choose_phase(Lab* lab, Jump* j, double force) {
  const double t = lab_time(lab);
  if (j->phase == ON_GROUND && t > push_from + 2 * rise / speed) leave(lab, j);
  if (j->phase == IN_AIR && t > j->left + 0.05 && force > 20) land(lab, j);
}

static void set_goal(Lab* lab, Jump* j) {
  const double t = lab_time(lab);
  if (j->phase == ON_GROUND) ground_goal(lab, j, t);
  if (j->phase == IN_AIR) air_goal(lab, j);
  if (j->phase == LANDED) landed_goal(lab, j, t);
  j->goal = lab->goal.com.z;
}

static int begin(Lab* lab, void* self) {
  ((Jump*)self)->stand_height = lab->goal.com.z;
  return 1;
}

static void control(Lab* lab, void* self) {
  set_goal(lab, self);
  lab_balance(lab);
}

static void observe(Lab* lab, void* self, const HeftStepReport* report) {
  Jump* j = self;
  (void)report;
  j->force = lab_foot_force(lab, 0, NULL) + lab_foot_force(lab, 1, NULL);
  j->highest = fmax(j->highest, lab_com(lab).z);
  if (j->phase == IN_AIR && j->force == 0) fly(lab, j);
  choose_phase(lab, j, j->force);
}

static const ActPart parts[] = {ACT_RANGE(Jump, phase, ON_GROUND, LANDED)};
const Act act_jump = {.name = "jump",
                      .text = "the HRP-2-like robot bends its knees, jumps, and lands",
                      .file = "hrp2_like.xml",
                      .pose = pose_half_sitting,
                      .size = sizeof(Jump),
                      .parts = ACT_PARTS(parts),
                      .begin = begin,
                      .control = control,
                      .observe = observe};

void experiment_jump(Lab* lab) {
  Jump j = {0};
  if (!act_open(&act_jump, lab, &j)) return;
  lab_camera(lab, -60, 8, 3, heft_vec3(0, 0, 0.75));
  lab_channels(lab, CHANNELS, names);
  lab_panel(lab, "height of the centre of mass", "m",
            (const char*[]){"com z", "planned com z", NULL});
  lab_panel(lab, "force of the feet", "N", (const char*[]){"feet", NULL});
  int shown = 0;
  for (int i = 0; lab_time(lab) < 3.5 && lab_upright(lab); ++i) {
    act_step(&act_jump, lab, &j);
    const double z = lab_com(lab).z, t = lab_time(lab);
    const double row[CHANNELS] = {t, z, j.goal, j.force};
    if (i % 2 == 0) lab_log(lab, row);
    if (i == 100 || i == 1150 || i == 3400 || (!shown && j.phase == IN_AIR && t > j.left + 0.1)) {
      shown += j.phase == IN_AIR;
      lab_instant(lab);
    }
  }
  const double air = j.landed - j.left;
  lab->success = j.phase == LANDED && lab_upright(lab);
  lab_claim(lab, j.phase == LANDED && air > 0.1, "it jumps", "[Sugihara 2006], Fig. 12",
            "%.0f ms in the air, centre of mass up to %.3f m", 1000 * air, j.highest);
  lab_claim(lab, lab->success, "it lands and stands", "[Sugihara 2006], Fig. 12",
            "pelvis at %.3f m", heft_world_state(lab->world)->q[2]);
  lab_claim(lab, j.off_parabola < 0.003, "in the air the centre of mass flies a parabola", "Newton",
            "at most %.2g mm off", 1000 * j.off_parabola);
  lab_claim_certificate(lab);
}
