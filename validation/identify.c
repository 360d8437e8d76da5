// SPDX-License-Identifier: Apache-2.0
// Papers: R48, R50, R68, R72, U4.
// Identification from logs that were made with known parameters and the noise of sensors: how far
// estimates are from the truth, and in how many of 100 runs the interval of 95.45 % contains it.
//
// Each run has its own noise. The dynamometer has 0.7 N, two thirds of the resolution of the plates
// of [Moraud 2008]; force sensors 0.3 N and 0.01 N m; encoders 0.2 mrad, a gyroscope 5 mrad/s.
// Pulls by hand are up to 3 degrees off the plane, at different heights and rates. The fits do not
// start at the truth: their models have parameters that are 20 to 50 % off.
#include "identify/identify.h"
#include <heft/control.h>
#include <heft/io.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "validation/cases.h"

enum { RUNS = 200, RUNS_PULLS = 1000, RUNS_SHORT = 2 };

// ---- counting

typedef struct Count {
  const char* what;
  int inside, all;
  double worst;         // relative error
  struct Count* total;  // of all parameters
} Count;

static void note(Count* c, const HeftEstimate* e, double truth, double scale) {
  const int inside = e->excited && e->low <= truth && truth <= e->high;
  ++c->all;
  c->inside += inside;
  ++c->total->all;
  c->total->inside += inside;
  c->worst = fmax(c->worst, fabs(e->value - truth) / scale);
}

// The share of one parameter may fall short of 95.45 % by chance: by two deviations of the binomial
// distribution. That of all together must be 95. The short form has enough intervals of the sensor
// alone.
static void report(Run* run, const Count* c, double limit) {
  char what[ROW_TEXT];
  const double share = 100.0 * c->inside / fmax(1, c->all);
  const double chance = 2 * sqrt(95.45 * 4.55 / fmax(1, c->all));
  snprintf(what, sizeof what, "%s: largest error of %d", c->what, c->all);
  run_report_error(run, what, 0, c->worst, c->worst, limit);
  if (!run->full && c->all < 50) return;
  snprintf(what, sizeof what, "%s: intervals that contain the truth [%%]", c->what);
  run_report_error(run, what, 95.45, share, fmax(0, 95.45 - share), chance);
}

static int runs(const Run* run) { return run->full ? RUNS : RUNS_SHORT; }

static double normal(int seed, int index, long tick) {
  HeftForceSensor s = heft_force_sensor_default();
  double raw[6];
  s.noise[0] = 1;
  s.seed = (uint64_t)seed * 1000 + (uint64_t)index;
  heft_force_sensor_read(&s, heft_quat_identity(), (HeftSpatial){0}, (uint64_t)tick, raw);
  return raw[0];
}

static HeftModel* load(const char* text) {
  HeftModel* model = NULL;
  const HeftLoadDef def = heft_load_def_default();
  heft_model_load_bytes(&model, text, strlen(text), "identify.xml", &def, NULL);
  return model;
}

// ---- a motion

enum { CHANNELS = 2, ROWS = 401, EVERY = 5 };

typedef struct Bench {
  const char* text;           // with a %g for each parameter
  double truth[3], guess[3];  // of the parameters, in their order in the text
  const char* parameter[3];
  int parameters;
  double noise[CHANNELS];
  int channels;
  double (*control)(double time);
} Bench;

static HeftModel* bench_model(const Bench* b, const double* x) {
  char text[2000];
  // The texts are those of this file.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  snprintf(text, sizeof text, b->text, x[0], x[1], x[2]);
#pragma GCC diagnostic pop
  return load(text);
}

typedef struct Sheet {
  double time[ROWS], control[ROWS], clean[ROWS * CHANNELS], sensed[ROWS * CHANNELS];
  int value[CHANNELS];
} Sheet;

static const double still[8] = {0};

static HeftMotion sheet_motion(const Bench* b, const Sheet* s, const HeftModel* m) {
  return (HeftMotion){.model = m,
                      .rows = ROWS,
                      .time = s->time,
                      .control = m->nactuator > 0 ? s->control : NULL,
                      .sensed = s->sensed,
                      .value = s->value,
                      .channels = b->channels,
                      .q = m->q_default,
                      .v = still};
}

static void bench(Run* run, Count* total, const Bench* b, const char* const* what, double limit) {
  Count count[3] = {
      {what[0], 0, 0, 0, total}, {what[1], 0, 0, 0, total}, {what[2], 0, 0, 0, total}};
  HeftModel *truth = bench_model(b, b->truth), *guess = bench_model(b, b->guess);
  Sheet* s = calloc(1, sizeof *s);
  if (!truth || !guess || !s) {
    free(s);
    return;
  }
  HeftMotion motion = sheet_motion(b, s, truth);
  for (int i = 0; i < ROWS; ++i) {
    s->time[i] = i * EVERY * truth->physics.time_step;
    s->control[i] = b->control ? b->control(s->time[i]) : 0;
  }
  for (int c = 0; c < b->channels; ++c) s->value[c] = c;
  if (heft_motion_simulate(&motion, s->clean, NULL) == HEFT_OK) {
    for (int k = 0; k < runs(run); ++k) {
      HeftParameter p[3];
      HeftFit fit;
      double noise[CHANNELS];
      for (int i = 0; i < ROWS * b->channels; ++i)
        s->sensed[i] = s->clean[i] + b->noise[i % b->channels] * normal(k, 1, i);
      motion.model = guess;
      motion.q = guess->q_default;
      int good = 1;
      for (int i = 0; i < b->parameters; ++i)
        good &= heft_parameter_find(guess, b->parameter[i], &p[i], NULL) == HEFT_OK;
      good = good &&
             heft_identify_motion(&motion, p, b->parameters, &fit, noise, NULL, NULL) == HEFT_OK;
      for (int i = 0; i < b->parameters && good; ++i)
        note(&count[i], &fit.estimate[i], b->truth[i], b->truth[i]);
      run_progress(run, (double)k / runs(run));
    }
  }
  for (int i = 0; i < b->parameters; ++i) report(run, &count[i], limit);
  free(s);
  heft_model_destroy(truth);
  heft_model_destroy(guess);
}

static double shake(double t) { return 0.25 * heft_sin(7 * t) + 0.15 * heft_sin(19 * t + 1); }

// An elbow with the drive of Eq. 22: gear, viscous and dry friction. The motor's torque moves it.
static const Bench elbow = {
    "<mujoco><option timestep='0.001'/><compiler angle='radian'/><worldbody>"
    "<body><joint name='elbow' axis='0 1 0' armature='0.3' damping='%g' frictionloss='%g'/>"
    "<geom type='capsule' fromto='0 0 0 0 0 -0.3' size='0.04' mass='2.5'/></body></worldbody>"
    "<actuator><motor name='motor' joint='elbow' gear='%g'/></actuator>"
    "<sensor><jointpos joint='elbow'/><jointvel joint='elbow'/></sensor></mujoco>",
    {0.9, 1.5, 100},
    {0.6, 1, 80},
    {"damping:elbow", "frictionloss:elbow", "gear:motor"},
    3,
    {2e-4, 5e-3},
    2,
    shake};

// A body on a flexible ankle that was let go at 0.05 rad.
static const Bench ankle = {
    "<mujoco><option timestep='0.001'/><compiler angle='radian'/><worldbody>"
    "<body><joint name='ankle' axis='0 1 0' ref='0.05' springref='0' stiffness='%g' damping='%g'/>"
    "<geom type='box' pos='0 0 0.8' size='0.15 0.2 0.3' mass='55'/></body></worldbody>"
    "<sensor><jointpos joint='ankle'/><jointvel joint='ankle'/></sensor></mujoco>",
    {3000, 60, 0},
    {2400, 40, 0},
    {"stiffness:ankle", "damping:ankle", NULL},
    2,
    {2e-4, 5e-3},
    2,
    NULL};

static double ramp(double t) { return t < 1 ? 120 * t : 0; }

// A block that is pulled until it slips, and let go.
static const Bench block = {
    "<mujoco><option timestep='0.001'/><worldbody><geom name='floor' type='plane' size='0 0 1' "
    "friction='0.01'/><body name='block' pos='0 0 0.02'><joint type='slide' axis='1 0 0'/>"
    "<joint type='slide' axis='0 0 1'/><geom name='block' type='box' size='0.12 0.07 0.02' "
    "mass='15' friction='%g'/><site name='hook'/></body></worldbody>"
    "<actuator><motor site='hook' gear='1 0 0 0 0 0'/></actuator>"
    "<sensor><framepos objtype='site' objname='hook'/></sensor></mujoco>",
    {0.45, 0, 0},
    {0.6, 0, 0},
    {"friction:block", NULL, NULL},
    1,
    {2e-4, 0},
    1,
    ramp};

// ---- tosses

enum { TOSSES = 20, SETS = 400 };

// A uniform number between -1 and 1.
static double vary(int set, int toss, int number) {
  const uint64_t key[3] = {(uint64_t)set, (uint64_t)toss, (uint64_t)number};
  return 2 * (double)(heft_hash(key, sizeof key, 0) >> 11) * 0x1p-53 - 1;
}

// One impact of a body in a plane, which a world computes: it hits a floor by a ball of 5 mm, 25 mm
// below its middle. Velocities are measured to 10 mm/s and 0.3 rad/s.
static int toss(HeftWorld* w, int set, int number, HeftImpact* m) {
  double u[4];
  for (int i = 0; i < 4; ++i) u[i] = vary(set, number, i);
  const double turn = 0.4 * u[0], x = -0.025 * heft_sin(turn), z = -0.025 * heft_cos(turn) - 0.005;
  const double q[3] = {0, 1e-6 - z, turn}, v[3] = {4 * u[1], -2 + u[2], 10 * u[3]};
  if (heft_world_set_q(w, 0, q, 3, NULL) != HEFT_OK ||
      heft_world_set_v(w, 0, v, 3, NULL) != HEFT_OK)
    return 0;
  heft_world_step(w);
  const double* after = heft_world_state(w)->v;
  *m = (HeftImpact){x, -z, {v[0], v[1], -v[2]}, {after[0], after[1], -after[2]}};
  for (int k = 0; k < 3; ++k) m->after[k] += (k == 2 ? 0.3 : 0.01) * normal(set + 1, 7 + k, number);
  return 1;
}

static void tosses(Run* run, Count* total) {
  static const char text[] =
      "<mujoco><option timestep='1e-4' gravity='0 0 0'/><worldbody><geom type='plane' size='0 0 1' "
      "friction='0.2'/><body><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 0 1'/>"
      "<joint axis='0 1 0'/><inertial pos='0 0 0' mass='1' diaginertia='4e-4 4e-4 4e-4'/>"
      "<geom type='sphere' pos='0 0 -0.025' size='0.005' friction='0.2'/></body></worldbody>"
      "</mujoco>";
  const double truth[2] = {0.55, 0.2};
  Count count[2] = {{.what = "restitution, 20 tosses", .total = total},
                    {.what = "friction, 20 tosses", .total = total}};
  HeftModel* model = load(text);
  HeftWorld* w = NULL;
  for (int i = 0; model && i < model->nmaterial; ++i) model->material_restitution[i] = truth[0];
  if (model && heft_world_create(&w, model, NULL, NULL) == HEFT_OK) {
    for (int set = 0; set < SETS; ++set) {
      HeftImpact m[TOSSES];
      HeftImpactFit fit;
      int good = 1;
      for (int i = 0; i < TOSSES && good; ++i) good = toss(w, set, i, &m[i]);
      good =
          good && heft_identify_impacts(HEFT_IMPACT_HEFT, m, TOSSES, false, &fit, NULL) == HEFT_OK;
      for (int k = 0; k < 2 && good; ++k) note(&count[k], &fit.estimate[k], truth[k], truth[k]);
      run_progress(run, (double)set / SETS);
    }
  }
  heft_world_destroy(w);
  heft_model_destroy(model);
  for (int k = 0; k < 2; ++k) report(run, &count[k], 0.02);
}

// ---- pulls by hand

enum { PULLS = 50 };
static const double hand_mass = 15;

static HeftModel* hand_block(double mu) {
  char text[900];
  snprintf(text, sizeof text,
           "<mujoco><option timestep='0.001'/><worldbody>"
           "<geom type='plane' size='0 0 1' friction='%.9g'/>"
           "<body name='foot' pos='0 0 0.02'><freejoint/><geom type='box' size='0.12 0.07 0.02' "
           "mass='%.9g' friction='%.9g'/></body></worldbody></mujoco>",
           mu, hand_mass, mu);
  return load(text);
}

// The pull at the start of slip: halfway between the last step at rest and the next one.
static double pull(const HeftModel* m, double mu, int seed, int number) {
  HeftWorld* w = NULL;
  if (heft_world_create(&w, m, NULL, NULL) != HEFT_OK) return NAN;
  double vary[4], force = 0;
  for (int i = 0; i < 4; ++i) {  // uniform numbers from -1 to 1
    const uint64_t key[3] = {(uint64_t)seed, (uint64_t)number, (uint64_t)i};
    vary[i] = 2 * (double)(heft_hash(key, sizeof key, 0) >> 11) * 0x1p-53 - 1;
  }
  const double rate = mu * hand_mass * CASE_GRAVITY / (0.8 + 0.4 * vary[0]);
  const double rise = 3 * HEFT_PI / 180 * vary[1], turn = HEFT_PI * vary[2];
  const double high = 0.015 * (1 + vary[3]);
  // Below 85 % of the limit the block is at rest whatever the direction: nothing is to be seen.
  for (int i = (int)(850 * (0.8 + 0.4 * vary[0])); i < 4000; ++i) {
    const double next = rate * 0.001 * i;
    const HeftVec3 along =
        heft_vec3(heft_cos(rise) * heft_cos(turn), heft_cos(rise) * heft_sin(turn), heft_sin(rise));
    heft_world_apply_wrench(w, 1, heft_vec3(0, 0, high), heft_vec3_scale(next, along),
                            heft_vec3(0, 0, 0));
    heft_world_step(w);
    const double* v = heft_world_state(w)->v;
    force = next;
    if (v[0] * v[0] + v[1] * v[1] > 1e-12) break;
  }
  force -= 0.5 * rate * 0.001;
  heft_world_destroy(w);
  return force + 0.7 * normal(seed, mu > 0.5 ? 2 : 3, number);  // of its own for each coefficient
}

static void pulls(Run* run, Count* total, double mu, const char* what) {
  Count count = {.what = what, .total = total};
  HeftModel* m = hand_block(mu);
  const int all = run->full ? RUNS_PULLS : RUNS_SHORT;
  for (int k = 0; m && k < all; ++k) {
    double load[PULLS], force[PULLS];
    HeftEstimate found, offset;
    for (int i = 0; i < PULLS; ++i) {
      load[i] = hand_mass * CASE_GRAVITY;
      force[i] = pull(m, mu, k, i);
    }
    const HeftPulls p = {.load = load, .pull = force, .count = PULLS, .proportional = true};
    if (heft_identify_pulls(&p, &found, &offset, NULL) == HEFT_OK) note(&count, &found, mu, mu);
    run_progress(run, (double)k / all);
  }
  heft_model_destroy(m);
  report(run, &count, 0.02);
}

// ---- a force sensor

enum { POSES = 12, LOADS = 4, SAMPLES = 200, SAMPLES_SHORT = 100 };

static HeftForceSensor old_sensor(void) {
  static const double offset[6] = {3, -2, 4, 0.3, -0.2, 0.25};
  HeftForceSensor s = heft_force_sensor_default();
  for (int i = 0; i < 6; ++i) {
    for (int k = 0; k < 6; ++k) s.matrix[6 * i + k] = i == k ? 1 + 0.02 * (i - 2) : 0.03;
    s.offset[i] = offset[i];
    s.noise[i] = i < 3 ? 0.3 : 0.01;
  }
  return s;
}

// The hand in a pose, with a weight at one of four places.
static HeftSpatial weight_in(int pose, int load, HeftQuat* frame) {
  static const HeftVec3 place[LOADS] = {
      {0, 0, -0.06}, {0.15, 0, -0.1}, {0, 0.15, -0.1}, {-0.1, -0.1, -0.15}};
  static const double mass[LOADS] = {1, 3, 3, 3};
  const HeftQuat a = heft_quat_from_axis_angle(heft_vec3(1, 0, 0), HEFT_PI / 2 * (pose % 4));
  const HeftQuat b = heft_quat_from_axis_angle(heft_vec3(0, 1, 0), HEFT_PI / 3 * (pose / 4.0));
  *frame = heft_quat_mul(a, b);
  const HeftVec3 f = heft_vec3(0, 0, -mass[load] * CASE_GRAVITY);
  return heft_spatial(heft_vec3_cross(heft_quat_rotate(*frame, place[load]), f), f);
}

static void sensor(Run* run, Count* total) {
  Count matrix = {.what = "sensor G", .total = total};
  Count offset = {.what = "sensor offset", .total = total};
  const int samples = run->full ? SAMPLES : SAMPLES_SHORT, rows = POSES * LOADS * samples;
  double *wrench = calloc((size_t)rows, 6 * sizeof(double)),
         *raw = calloc((size_t)rows, 6 * sizeof(double));
  for (int k = 0; wrench && raw && k < runs(run); ++k) {
    HeftForceSensor s = old_sensor();
    HeftCalibration found;
    s.seed = (uint64_t)k + 1;
    for (int i = 0; i < rows; ++i) {
      HeftQuat frame;
      const HeftSpatial w = weight_in(i / samples % POSES, i / samples / POSES, &frame);
      const HeftQuat back = heft_quat_conjugate(frame);
      const HeftVec3 f = heft_quat_rotate(back, w.lin), n = heft_quat_rotate(back, w.ang);
      const double felt[6] = {f.x, f.y, f.z, n.x, n.y, n.z};
      memcpy(wrench + 6L * i, felt, sizeof felt);
      heft_force_sensor_read(&s, frame, w, (uint64_t)i, raw + 6L * i);
    }
    if (heft_identify_calibration(6, rows, wrench, raw, &found, NULL) != HEFT_OK) break;
    for (int i = 0; i < 6; ++i) {
      // An entry is a force, or torque, per unit; forces per torque are judged by their effect at
      // 1 N m beside 10 N.
      for (int c = 0; c < 6; ++c)
        note(&matrix, &found.matrix[i][c], s.matrix[6 * i + c], i < 3 && c >= 3 ? 10 : 1);
      note(&offset, &found.offset[i], s.offset[i], fabs(s.offset[i]));
    }
    run_progress(run, (double)k / runs(run));
  }
  free(wrench);
  free(raw);
  report(run, &matrix, 0.01);
  report(run, &offset, 0.01);
}

void case_identify(Run* run) {
  static const char* const drive[3] = {"viscous friction of a joint", "dry friction of a joint",
                                       "gear"};
  static const char* const spring[3] = {"stiffness of an ankle", "damping of an ankle", ""};
  static const char* const slide[3] = {"friction from a motion", "", ""};
  Count total = {0};
  pulls(run, &total, 0.983, "friction, foot on floor, 50 pulls");
  pulls(run, &total, 0.1, "friction, hand on pillar, 50 pulls");
  tosses(run, &total);
  bench(run, &total, &block, slide, 0.02);
  bench(run, &total, &elbow, drive, 0.01);
  bench(run, &total, &ankle, spring, 0.01);
  sensor(run, &total);
  if (!run->full) return;
  const double share = 100.0 * total.inside / fmax(1, total.all);
  run_report_error(run, "intervals of all parameters that contain the truth [%]", 95.45, share,
                   fmax(0, 95 - share), 0);
}
