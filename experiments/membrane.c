// SPDX-License-Identifier: Apache-2.0
// Papers: R39.
#include "experiments/membrane.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/poses.h"

const Setting setting_usual = {
    .vertices = 0, .armature = 1, .gains = 1, .slip_speed = 0.02, .stays = 1};

// ---- the robot of a setting

// The text with `by` in place of its first `what`; NULL, with lab->error, if there is none.
static char* replaced(Lab* lab, char* text, const char* what, const char* by) {
  char* found = text ? strstr(text, what) : NULL;
  char* out = found ? malloc(strlen(text) - strlen(what) + strlen(by) + 1) : NULL;
  if (out) {
    *found = 0;
    strcpy(out, text);
    strcat(out, by);
    strcat(out, found + strlen(what));
  } else if (!lab->error[0]) {
    snprintf(lab->error, sizeof lab->error, "the robot has no %.100s", what);
  }
  free(text);
  return out;
}

// A sole without contact, and studs on an ellipse below it.
static char* with_studs(Lab* lab, char* text, const char* sole, int count, double reach) {
  const double radius = 0.002;
  char* studs = malloc(200 + 160 * (size_t)count);
  char mark[40];
  snprintf(mark, sizeof mark, "name=\"%s\"/>", sole);
  if (!studs) {
    free(text);
    return NULL;
  }
  char* end = studs + sprintf(studs, "name=\"%s\" contype='0' conaffinity='0'/>", sole);
  for (int i = 0; i < count; ++i) {
    const double angle = 2 * HEFT_PI * (i + 0.5) / count;
    end += sprintf(end, "\n<geom type='sphere' size='%g' mass='0' pos='%.9g %.9g %.9g'/>", radius,
                   0.012 + 0.049 * reach * heft_cos(angle), 0.0315 * reach * heft_sin(angle),
                   -0.012 + radius);
  }
  text = replaced(lab, text, mark, studs);
  free(studs);
  return text;
}

static char* with_armature(Lab* lab, char* text, double factor) {
  static const double usual[2] = {0.002, 0.001};  // of legs and arms [kg m²]
  for (int i = 0; i < 2; ++i) {
    char was[40], is[40];
    snprintf(was, sizeof was, "armature=\"%g\"", usual[i]);
    snprintf(is, sizeof is, "armature='%g'", usual[i] * factor);
    while (text && strstr(text, was)) text = replaced(lab, text, was, is);
  }
  return text;
}

char* setting_text(Lab* lab, const Setting* s, const char* file) {
  char* robot = lab_read(lab, "hoap_like_robot.xml");
  char* text = robot ? lab_read(lab, file) : NULL;
  char *from = robot ? strstr(robot, "<compiler") : NULL,
       *end = from ? strstr(from, "</mujoco>") : NULL;
  if (end) {
    *end = 0;
    text = replaced(lab, text, "<include file=\"hoap_like_robot.xml\"/>", from);
  }
  free(robot);
  for (int k = 0; k < 2 && s->vertices > 0; ++k)
    text = with_studs(lab, text, k ? "right_sole" : "left_sole", s->vertices, s->reach);
  return with_armature(lab, text, s->armature);
}

int setting_open(Lab* lab, const Setting* s, const char* file) {
  if (lab->guest || (s->vertices == 0 && s->armature == 1)) return lab_open(lab, file, pose_small);
  char* text = setting_text(lab, s, file);
  const int well = text && lab_open_text(lab, text, pose_small);
  free(text);
  return well;
}

LabDrives setting_drives(const Setting* s) {
  LabDrives d = drives_small;
  d.kp *= s->gains;
  d.kv *= s->gains;
  return d;
}

HeftContactOptions membrane_options(const Setting* s, double lambda) {
  HeftContactOptions o = heft_contact_options_default();
  o.lambda = lambda;
  o.unit_free = 0;
  o.slip_speed = s->slip_speed;
  o.membrane_stays = s->stays;
  o.size = s->vertices > 8 ? 128 : o.size;
  return o;  // layer and friction of the floor
}

// ---- the walk

static void along_walk(const Lab* lab, double time, HeftBipedGoal* goal, void* user) {
  (void)user;
  heft_walk_goal(lab->walk, time, goal, NULL);
}

int membrane_plan_walk(Lab* lab, int steps) {
  HeftWalkDef def = heft_walk_def_default();
  def.steps = steps;
  def.length = 0.04;
  def.swing = 0.4;
  def.both = 0.15;
  def.lift = 0.012;
  def.start = 0.8;
  def.end = 1;
  if (!lab_plan_walk(lab, &def)) return 0;
  const double off = lab_plan_motion(lab, heft_walk_duration(lab->walk), along_walk, NULL);
  if (off > 1e-3)
    snprintf(lab->error, sizeof lab->error, "the walk is out of reach by %.3g m", off);
  return off >= 0 && off <= 1e-3;
}

void membrane_walk(Lab* lab, const Setting* s) {
  const LabDrives drives = setting_drives(s);
  lab_play_motion(lab);
  lab_drive(lab, &drives);
}

// ---- what the source shows

int drop_stays(double leap) { return leap < 0.005; }

int shows_figure_6(const DropMeasure* m) {
  return drop_stays(m->old_leap[0]) && drop_stays(m->new_leap[0]) && !drop_stays(m->old_leap[1]) &&
         drop_stays(m->new_leap[1]);
}

int shows_figure_7(const StandMeasure* m) {
  int smoother = 1;
  for (int k = 1; k < 4; ++k) smoother &= m->rough[k] < m->rough[k - 1];
  return smoother && m->rough[0] > 0.1 && m->rough[3] < 0.33 * m->rough[0];
}

int shows_figure_8(const StandMeasure* m) {
  return m->uneven[0] > 0.01 && m->uneven[3] < 0.33 * m->uneven[0];
}

// At a third of the thickness of the sole it has not sunk; beyond the sole it has.
int shows_sinking_at_seven(const StandMeasure* m) {
  return m->sunk[3] < 0.004 && !walks_on_soles(m->sunk[4]);
}

int shows_figure_9(const WalkMeasure* m) {
  return m->upright[0] && m->upright[1] && m->apart < 0.33 * m->sway &&
         m->dither[1] > 10 * m->dither[0];
}

int walks_on_soles(double deepest) { return deepest < 0.012; }
