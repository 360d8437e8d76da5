// SPDX-License-Identifier: Apache-2.0
// Papers: R37, S16.
// The HOAP-1-like robot stands on the ground of [Sugihara 2006], section IV-C, Fig. 7-8
// (membrane.h). Static friction is 1, kinetic friction 0.4, a step has 1 ms, and the weight λ of
// the impulses is 0.01, 0.1, 1, 4 and 7 in its own unit. Drives hold the joints; the robot is
// released 5 mm above the ground.
//
// The source shows impulsive forces of one vertex at 0.01 that become smooth up to 4, and forces of
// a sole that are uneven at 0.01 and even at 4. With the ε of all our experiments (20 mm/s) points
// stick; with 10 µm/s they jump back and forth in every step.
//
// The model leaves λ / (a² + λ) of the velocity along each direction of eigenvalue a
// (docs/theory/micro-macro.md), so the robot sinks at every λ, not only near 7. `region` looks for
// a setting that shows all figures.
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/acts.h"
#include "experiments/experiments.h"
#include "experiments/membrane.h"
#include "experiments/poses.h"

enum { LAMBDAS = MEMBRANE_WEIGHTS, VERTICES = 4, VERTICES_MAX = 16, ROWS = 1500 };
enum { LANDED = 100, COUNTED = 900 };  // steps
static const double lambdas[LAMBDAS] = {0.01, 0.1, 1, 4, 7};
static const double chattering = 1e-5;  // an ε below which no point comes to stick [m/s]

// Columns: the first vertex at four λ for both ε, then the four vertices at 0.01 and at 4.
enum {
  TIME,
  CHATTERS,
  STICKS = CHATTERS + 4,
  UNEVEN = STICKS + 4,
  EVEN = UNEVEN + VERTICES,
  CHANNELS = EVEN + VERTICES
};
static const char* const names[CHANNELS] = {
    "time",       "0.01",          "0.1",           "1.0",           "4.0",          "0.01 sticks",
    "0.1 sticks", "1.0 sticks",    "4.0 sticks",    "vertex 1",      "vertex 2",     "vertex 3",
    "vertex 4",   "vertex 1 at 4", "vertex 2 at 4", "vertex 3 at 4", "vertex 4 at 4"};

typedef struct Standing {
  double force[ROWS][VERTICES];  ///< of the left sole, its first four vertices [N]
  int rows;
} Standing;

// The normal forces of the vertices of the left sole, by their angle around its middle: 0 where
// there is no contact point.
static void vertex_forces(const Lab* lab, int foot, int count, double* out) {
  const HeftPose pose = heft_dynamics_body_pose(heft_world_dynamics(lab->world), foot);
  const HeftModel* m = lab->model;
  const int sole = heft_model_find(m, HEFT_NAMED_SHAPE, "left_sole");
  const double *middle = m->shape_pos + 3L * sole, *size = m->shape_size + 3L * sole;
  for (int i = 0; i < count; ++i) out[i] = 0;
  for (int i = 0; i < heft_world_contact_count(lab->world); ++i) {
    const HeftContact c = heft_world_contact(lab->world, i);
    if (c.body_a != foot && c.body_b != foot) continue;
    const HeftVec3 at = heft_pose_apply_inverse(pose, c.pos);
    const double turn =
        heft_atan2((at.y - middle[1]) / size[1], (at.x - middle[0]) / size[0]) / (2 * HEFT_PI);
    out[(int)((turn < 0 ? turn + 1 : turn) * count) % count] += c.force.z;
  }
}

// The part of the forces beside a plane over the vertices, which statics leaves open, over their
// sum.
static double unevenness(int count, const double* f) {
  double sum = 0, along[2] = {0, 0}, beside = 0;
  for (int i = 0; i < count; ++i) {
    const double angle = 2 * HEFT_PI * (i + 0.5) / count;
    sum += f[i];
    along[0] += 2 * f[i] * heft_cos(angle) / count;
    along[1] += 2 * f[i] * heft_sin(angle) / count;
  }
  for (int i = 0; i < count; ++i) {
    const double angle = 2 * HEFT_PI * (i + 0.5) / count;
    beside += fabs(f[i] - sum / count - along[0] * heft_cos(angle) - along[1] * heft_sin(angle));
  }
  return sum > 0 ? beside / sum : 0;
}

// ---- the act

typedef struct Weighed {
  double lambda, slip_speed;  ///< options
  double force, uneven;       ///< values: of the left foot [N], share that statics leaves open
} Weighed;

static const HeftOption options[] = {
    ACT_OPTION(Weighed, lambda, 0.01, 10, 1, "", "weight of the impulses"),
    ACT_OPTION(Weighed, slip_speed, 0, 1, 0.02, "m/s", "points below this speed may stick")};
static const HeftOption values[] = {
    ACT_VALUE(Weighed, force, "N", "force of the left foot"),
    ACT_VALUE(Weighed, uneven, "", "share of it that statics leaves open")};

static int begin(Lab* lab, void* self) {
  const Weighed* w = self;
  HeftContactOptions o = membrane_options(&setting_usual, w->lambda);
  o.slip_speed = w->slip_speed;
  return lab_use_now(lab, HEFT_CONTACT_MODEL_MICRO_MACRO, &o) && lab_raise(lab, 0.005);
}

static void control(Lab* lab, void* self) {
  (void)self;
  lab_drive(lab, &drives_small);
}

static void observe(Lab* lab, void* self, const HeftStepReport* report) {
  Weighed* w = self;
  double f[VERTICES];
  (void)report;
  vertex_forces(lab, lab_body(lab, "left_foot"), VERTICES, f);
  w->force = lab_foot_force(lab, 0, NULL);
  w->uneven = unevenness(VERTICES, f);
}

const Act act_lambda = {.name = "lambda",
                        .text = "the small robot stands on a membrane, forces weighed by lambda",
                        .file = "hoap_membrane.xml",
                        .pose = pose_small,
                        .size = sizeof(Weighed),
                        .options = {options, 2},
                        .values = {values, 2},
                        .begin = begin,
                        .control = control,
                        .observe = observe};

// Stands under one λ, into column k of the measurements. shown: may be NULL.
static int stand(Lab* lab, const Setting* s, int k, int steps, StandMeasure* out, Standing* shown) {
  const HeftContactOptions o = membrane_options(s, lambdas[k]);
  lab_use(lab, HEFT_CONTACT_MODEL_MICRO_MACRO, &o);
  if (!setting_open(lab, s, "hoap_membrane.xml") || !lab_raise(lab, 0.005)) return 0;
  const int foot = lab_body(lab, "left_foot"), count = s->vertices > 0 ? s->vertices : VERTICES;
  const LabDrives drives = setting_drives(s);
  double f[VERTICES_MAX] = {0}, was = 0;
  for (int i = 0; i < steps; ++i) {
    lab_drive(lab, &drives);
    out->sunk[k] = lab_step_alone(lab).penetration;
    vertex_forces(lab, foot, count, f);
    if (i >= LANDED && i < LANDED + COUNTED) {
      out->rough[k] += fabs(f[0] - was) / COUNTED;
      out->uneven[k] += unevenness(count, f) / COUNTED;
    }
    if (shown && i < ROWS) memcpy(shown->force[shown->rows++], f, sizeof shown->force[0]);
    was = f[0];
  }
  return 1;
}

int stand_measure(Lab* lab, const Setting* s, double seconds, StandMeasure* out) {
  int well = s->vertices <= VERTICES_MAX;
  *out = (StandMeasure){.rough = {0}};
  for (int k = 0; k < LAMBDAS && well; ++k)
    well = stand(lab, s, k, k < 3 ? LANDED + COUNTED : (int)(1000 * seconds), out, NULL);
  return well;
}

static void draw_up(Lab* lab, const Standing* chatters, const Standing* sticks) {
  lab_channels(lab, CHANNELS, names);
  lab_panel(lab, "Fig. 7: force of a vertex, eps 10 um/s", "N",
            (const char*[]){names[1], names[2], names[3], names[4], NULL});
  lab_panel(lab, "force of a vertex, eps 20 mm/s", "N",
            (const char*[]){names[5], names[6], names[7], names[8], NULL});
  lab_panel(lab, "Fig. 8: vertices of a sole at 0.01", "N",
            (const char*[]){names[9], names[10], names[11], names[12], NULL});
  lab_panel(lab, "Fig. 8: vertices of a sole at 4", "N",
            (const char*[]){names[13], names[14], names[15], names[16], NULL});
  for (int i = 500; i < chatters[0].rows && i < 560; ++i) {  // few enough to see each step
    double row[CHANNELS] = {0.001 * i};
    for (int k = 0; k < 4; ++k) {
      row[CHATTERS + k] = chatters[k].force[i][0];
      row[STICKS + k] = sticks[k].force[i][0];
      row[UNEVEN + k] = chatters[0].force[i][k];
      row[EVEN + k] = chatters[3].force[i][k];
    }
    lab_log(lab, row);
  }
}

static void judge(Lab* lab, const StandMeasure* c, const StandMeasure* s, double seconds) {
  lab->success = s->sunk[0] < 0.001;
  lab_claim(lab, shows_figure_7(c) ? LAB_HOLDS : LAB_DIFFERS,
            "forces are impulsive at 0.01 and get smoother up to 4 (eps 10 um/s)",
            "[Sugihara 2006], Fig. 7", "change per step %.2g, %.2g, %.2g, %.2g N", c->rough[0],
            c->rough[1], c->rough[2], c->rough[3]);
  lab_claim(lab, shows_figure_7(s) ? LAB_HOLDS : LAB_DIFFERS,
            "the same with the eps of the other experiments (20 mm/s)", "[Sugihara 2006], Fig. 7",
            "change per step %.2g, %.2g, %.2g, %.2g N: points stick", s->rough[0], s->rough[1],
            s->rough[2], s->rough[3]);
  lab_claim(lab, shows_figure_8(c) ? LAB_HOLDS : LAB_DIFFERS,
            "a sole's forces are uneven at 0.01 and smooth at 4 (eps 10 um/s)",
            "[Sugihara 2006], Fig. 8", "%.2g %% of the force at 0.01, %.2g %% at 4",
            100 * c->uneven[0], 100 * c->uneven[3]);
  lab_claim(lab, shows_sinking_at_seven(s) ? LAB_HOLDS : LAB_DIFFERS,
            "the robot stands up to 4 and penetrates near 7", "[Sugihara 2006], IV-C",
            "soles %.2g, %.2g, %.2g, %.2g, %.2g mm deep after %.0f s", 1000 * s->sunk[0],
            1000 * s->sunk[1], 1000 * s->sunk[2], 1000 * s->sunk[3], 1000 * s->sunk[4], seconds);
}

void experiment_lambda(Lab* lab) {
  Standing* s = calloc(2 * LAMBDAS, sizeof *s);
  StandMeasure m[2] = {{.rough = {0}}, {.rough = {0}}};
  const double seconds = lab_brief(lab) ? 1.2 : 3;
  int well = s != NULL;
  for (int k = 0; k < 2 * LAMBDAS && well; ++k) {
    const int sticking = k >= LAMBDAS;
    Setting setting = setting_usual;
    if (!sticking) setting.slip_speed = chattering;
    well = stand(lab, &setting, k % LAMBDAS, (int)(1000 * (sticking ? seconds : 1.2)), &m[sticking],
                 &s[k]);
  }
  lab_use(lab, HEFT_CONTACT_MODEL_EXACT, NULL);
  if (well) draw_up(lab, s, s + LAMBDAS);
  if (well) judge(lab, &m[0], &m[1], seconds);
  free(s);
}
