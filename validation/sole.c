// SPDX-License-Identifier: Apache-2.0
// Papers: R7, U9.
// The vertical force under a foot with a soft sole that steps on a floor, against a solution with
// finer tetrahedra and shorter steps.
//
// - Heel first: a body of 20 kg on a springy leg, whose ankle turns the foot flat.
// - Flat: leg and ankle are stiff, so that the sole alone decides how fast the force rises.
//
// A contact force is the mean over a step. So the refined one is averaged over the steps of the
// other before both are compared.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "validation/cases.h"

enum { SCENE_TEXT = 4000 };

static const double length = 0.24, width = 0.09, thick = 0.02;  // of the sole [m]
static const double radius = 0.002;                             // of the spheres of its nodes [m]
static const double back = 0.04, high = 0.07;  // the ankle is behind the middle, above the sole
static const double speed = 0.2;               // of the foot at touch-down [m/s]

typedef struct Landing {
  const char* name;
  double pitch;  ///< toes up [rad]
  int springy;   ///< 1: leg and ankle have springs
  double time;   ///< [s]
} Landing;

static const Landing landings[] = {{"heel first", 0.14, 1, 0.3}, {"flat", 0, 0, 0.15}};

/// How finely a landing is solved.
typedef struct Fineness {
  int cells[3];
  double step;  ///< [s]
} Fineness;

/// The force of the floor in every step.
typedef struct Series {
  double* force;  ///< [N]
  int count;
  int unsolved;
  double gain;  ///< largest rise of the energy in a step [J]
} Series;

static void write_scene(const Landing* l, const Fineness* f, char text[SCENE_TEXT]) {
  const int *n = f->cells, top = n[2];
  const double s = heft_sin(l->pitch), c = heft_cos(l->pitch);
  // the lowest node is that of the heel; it starts half a millimetre above the floor
  const double heel = (back - 0.5 * length) * s - (high + thick) * c - radius;
  snprintf(
      text, SCENE_TEXT,
      "<mujoco><compiler angle='radian'/><option timestep='%.17g'/><worldbody>"
      "<geom type='plane' size='5 5 1' friction='.8'/><body pos='0 0 %.17g'>"
      "<joint type='slide' axis='0 0 1'/><inertial pos='0 0 .3' mass='20' diaginertia='1 1 1'/>"
      "<body>%s<inertial pos='0 0 .1' mass='1.5' diaginertia='.01 .01 .01'/>"
      "<body euler='0 %.17g 0'>%s<geom type='box' size='.12 .045 .01' pos='%g 0 %g' mass='1' "
      "contype='0' conaffinity='0'/>"
      "<flexcomp name='sole' type='grid' dim='3' count='%d %d %d' spacing='%.17g %.17g %.17g' "
      "pos='%g 0 %g' mass='.45' radius='%g'><elasticity young='2e5' poisson='.3' damping='.005'/>"
      "<contact friction='.8'/><pin gridrange='0 0 %d %d %d %d'/></flexcomp>"
      "</body></body></body></worldbody></mujoco>",
      f->step, 0.0005 - heel,
      l->springy ? "<joint type='slide' axis='0 0 1' stiffness='10000' damping='300'/>" : "",
      -l->pitch,
      l->springy ? "<joint axis='0 1 0' stiffness='60' damping='3' springref='.14'/>" : "", back,
      0.01 - high, n[0] + 1, n[1] + 1, n[2] + 1, length / n[0], width / n[1], thick / n[2], back,
      -high - 0.5 * thick, radius, top, n[0], n[1], top);
}

// Everything moves down: the slide of the leg, and the nodes of the sole that are not held.
static void let_down(Run* run) {
  const HeftModel* m = run->engine->model;
  double* v = calloc((size_t)m->nv, sizeof *v);
  if (!v) abort();
  v[0] = -speed;
  for (int i = 0; i < m->nnode; ++i) {
    const int body = m->node_body[i];
    if (m->body_joint_count[body] == 3) v[m->joint_dof[m->body_joint[body]] + 2] = -speed;
  }
  heft_world_set_v(run->engine->world, 0, v, m->nv, NULL);
  free(v);
}

static Series land(Run* run, const Landing* l, const Fineness* f) {
  char text[SCENE_TEXT];
  EngineSettings settings = engine_settings();
  Series s = {.count = (int)(l->time / f->step + 0.5)};
  double before = HUGE_VAL;
  settings.tolerance = 1e-6;
  write_scene(l, f, text);
  s.force = calloc((size_t)s.count, sizeof *s.force);
  if (!s.force) abort();
  if (!run_open_text(run, text, strlen(text), &settings)) return s;
  let_down(run);
  for (int i = 0; i < s.count && !run->engine->reason[0]; ++i) {
    run_step(run, 1);
    const HeftStepReport* r = &run->engine->report;
    for (int k = 0; k < heft_world_contact_count(run->engine->world); ++k) {
      const HeftContact c = heft_world_contact(run->engine->world, k);
      s.force[i] += c.body_a == 0 ? c.force.z : -c.force.z;
    }
    s.gain = fmax(s.gain, r->kinetic + r->potential - before);
    before = r->kinetic + r->potential;
    s.unsolved += r->status != HEFT_STEP_SOLVED;
    if (i % 50 == 0) run_progress(run, i / (double)s.count);
  }
  run_close(run);
  return s;
}

static double peak_of(const Series* s) {
  double peak = 0;
  for (int i = 0; i < s->count; ++i) peak = fmax(peak, s->force[i]);
  return peak;
}

// The mean of the last tenth.
static double end_of(const Series* s) {
  const int few = s->count / 10;
  double sum = 0;
  for (int i = s->count - few; i < s->count; ++i) sum += s->force[i];
  return sum / few;
}

// The same force in steps of another length.
static Series averaged(const Series* fine, int count) {
  Series s = {.count = count, .force = calloc((size_t)count, sizeof *s.force)};
  const int each = fine->count / count;
  if (!s.force) abort();
  for (int i = 0; i < each * count; ++i) s.force[i / each] += fine->force[i] / each;
  return s;
}

static double distance_of(const Series* a, const Series* b) {
  double sum = 0;
  for (int i = 0; i < a->count; ++i)
    sum += (a->force[i] - b->force[i]) * (a->force[i] - b->force[i]);
  return sqrt(sum / a->count);
}

static void compare(Run* run, const Landing* l, const Fineness* f, const Series* refined,
                    double limit) {
  const Series s = land(run, l, f);
  const Series fine = averaged(refined, s.count);
  const double peak = peak_of(&fine);
  char what[ROW_TEXT];
  snprintf(what, sizeof what, "%s, %d tetrahedra, %g ms: peak force [N]%s", l->name,
           6 * f->cells[0] * f->cells[1] * f->cells[2], 1e3 * f->step,
           isinf(limit) ? " (no limit)" : "");
  run_report_relative(run, what, peak, peak_of(&s), limit);
  run_report_relative(run, "the same: force at the end [N]", end_of(&fine), end_of(&s), limit);
  run_report(run, "the same: difference, root of mean square, of the peak", 0,
             distance_of(&s, &fine) / peak, limit);
  run_report(run, "the same: steps that are not solved", 0, s.unsolved, 0);
  run_report(run, "the same: largest rise of energy in a step [J]", 0, s.gain, 1e-9);
  free(s.force);
  free(fine.force);
}

void case_sole(Run* run) {
  const Fineness usual = {{8, 3, 2}, 0.001};
  const Fineness others[] = {{{8, 3, 2}, 0.002}, {{8, 3, 2}, 0.0005}, {{4, 2, 1}, 0.001}};
  const Fineness refined =
      run->full ? (Fineness){{16, 6, 4}, 0.00025} : (Fineness){{12, 4, 3}, 0.0005};
  for (size_t i = 0; i < sizeof landings / sizeof *landings; ++i) {
    const Series fine = land(run, &landings[i], &refined);
    compare(run, &landings[i], &usual, &fine, 0.05);
    for (size_t k = 0; run->full && k < sizeof others / sizeof *others; ++k)
      compare(run, &landings[i], &others[k], &fine, HUGE_VAL);
    free(fine.force);
  }
}
