// SPDX-License-Identifier: Apache-2.0
// Derivatives of a step against central differences of whole steps, at a solver tolerance of 1e-12:
// at most 1e-6 of the largest number of each block, unless the derivative has a flag. Differences
// are at most half of the radius. Products with the transposed derivative agree with it.
// HEFT_LONG=1 takes all cases and prints them.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "described.h"
#include "stage.h"

#define SCENE(parts) "<mujoco><option timestep='0.001'/><worldbody>" parts "</worldbody></mujoco>"
#define FLOOR(mu) "<geom type='plane' size='9 9 1' friction='" mu " 0 0'/>"
#define FLOOR6 "<geom type='plane' size='9 9 1' friction='.5 .02 .01' condim='6'/>"
#define SPUN                                                                          \
  "<body pos='0 0 .1'><freejoint/><geom type='sphere' size='.1' mass='1' condim='6' " \
  "friction='.5 .02 .01'/></body>"
#define BALL(at) "<geom type='sphere' size='.02' pos='" at "' mass='.1'/>"

// An arm of hinges under a torso on slides, so that its island is a robot's.
#define LEG                                                                                     \
  "<body pos='0 0 .8'><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 0 1'/>"     \
  "<joint type='hinge' axis='0 1 0' damping='.1'/><geom type='box' size='.1 .1 .05' mass='4'/>" \
  "<body pos='0 0 -.05'><joint type='hinge' axis='0 1 0' damping='.2'/>"                        \
  "<geom type='capsule' fromto='0 0 0 .15 0 -.35' size='.03' mass='1' contype='0' "             \
  "conaffinity='0'/><body pos='.15 0 -.35'><joint type='hinge' axis='0 1 0' damping='.2'/>"     \
  "<geom type='capsule' fromto='0 0 0 -.1 0 -.35' size='.02' mass='.5' contype='0' "            \
  "conaffinity='0'/><geom type='box' pos='-.1 0 -.4' size='.08 .05 .02' mass='.2'/></body>"     \
  "</body></body>"

#define FOOT                                                \
  "<geom type='plane' size='9 9 1' pos='0 0 .95001'/>", "", \
      "<geom type='sphere' size='.05' pos='.3 0 0' mass='.1'/>", ""
#define FOURBAR(...) FOURBAR_OF(__VA_ARGS__)
#define FOURBAR_OF(floor, base, foot, end)                                                       \
  "<mujoco><option timestep='0.001'/><worldbody>" floor base "<body pos='0 0 1'>" foot           \
  "<joint type='hinge' "                                                                         \
  "axis='0 1 0'/><geom type='capsule' fromto='0 0 0 .3 0 .1' size='.02' mass='1' "               \
  "contype='0' conaffinity='0'/><body name='b' pos='.3 0 .1'><joint type='hinge' axis='0 1 0'/>" \
  "<geom type='capsule' fromto='0 0 0 .4 0 0' size='.02' mass='1' contype='0' "                  \
  "conaffinity='0'/></body></body><body name='c' pos='.7 0 1'><joint type='hinge' axis='0 1 0' " \
  "damping='.02' stiffness='3' springref='60'/>"                                                 \
  "<geom type='capsule' fromto='0 0 0 0 0 .1' size='.02' mass='1' contype='0' "                  \
  "conaffinity='0'/></body>" end                                                                 \
  "</worldbody><equality><connect body1='b' body2='c' "                                          \
  "anchor='.4 0 0'/></equality></mujoco>"
#define FIXED "", "", "", ""
#define FLOATING \
  "", "<body><freejoint/><geom type='box' size='.3 .1 .05' pos='.35 0 1' mass='2'/>", "", "</body>"
#define BOX "<body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .07 .1' mass='1'/></body>"
#define TRIPOD                                                                       \
  "<body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .07 .05' pos='0 0 .06' " \
  "mass='1'/>" BALL(".1 0 -.08") BALL("-.1 .07 -.08") BALL("-.1 -.07 -.08") "</body>"

#define PUSHER(custom) \
  "<mujoco><option timestep='0.001'/>" custom "<worldbody>"                                       \
  "<geom name='floor' type='plane' size='9 9 1' friction='.5 0 0'/>"                              \
  "<body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .07 .05' pos='0 0 .06' "              \
  "mass='1'/>" BALL(".1 0 -.08") BALL("-.1 .07 -.08") BALL(                                       \
      "-.1 -.07 -.08") "<body pos='0 0 .12'><joint name='j' type='hinge' axis='0 1 0' "           \
                       "damping='.02' stiffness='.3' armature='.01' frictionloss='.01'/>"         \
                       "<geom type='capsule' fromto='0 0 0 .05 0 .2' size='.02' mass='.3' "       \
                       "contype='0' conaffinity='0'/></body></body></worldbody><actuator>"        \
                       "<position joint='j' kp='.5' kv='.05' gear='1.3'/></actuator></mujoco>"
static const char rigid_pusher[] = PUSHER("");
static const char soft_pusher[] = PUSHER(
    "<custom><numeric name='heft_material_rubber' data='0.5 0.5 0 0 0'/>"
    "<numeric name='heft_soft_rubber' data='20000 30'/><tuple name='heft_material_rubber'>"
    "<element objtype='geom' objname='floor'/></tuple></custom>");

typedef struct Case {
  const char* name;
  const char* text;   // MJCF, or
  const char* file;   // of shared/models/mjcf, or
  const char* scene;  // of scenes/
  double lift;        // of the first free joint or the second slide [m]
  double speed;       // of random velocities
  double push;        // random joint forces
  double sink;        // after the steps, of a free joint [m]; random, of all others [m, rad]
  int steps;          // before
  int brief;          // 1: in the short form
  int key;            // 1 + keyframe of the start; 0: none, but models with loops take the first
} Case;

static const Case cases[] = {
    {"humanoid in flight", NULL, NULL, "humanoid", 1, 1, 0, 0, 0, 1, 0},
    {"chain in flight", NULL, NULL, "chain", 0, 1, 1, 0, 0, 0, 0},
    {"pendulum", NULL, NULL, "pendulum", 0, 1, 1, 0, 0, 1, 0},
    {"top", NULL, NULL, "top", 0, 1, 1, 0, 0, 1, 0},
    {"crowd in flight", NULL, NULL, "crowd", 0, 1, 1, 0, 0, 1, 0},
    {"G1 in flight", NULL, "unitree_g1/scene.xml", NULL, 1, 1, 0, 0, 0, 0, 0},
    {"G1 in flight, pushed", NULL, "unitree_g1/scene.xml", NULL, 1, 1, 3, 0, 0, 0, 0},
    {"four-bar turns", FOURBAR(FIXED), NULL, NULL, 0, 0, 0, 0, 200, 1, 0},
    {"four-bar turns, pushed", FOURBAR(FIXED), NULL, NULL, 0, 0, 1, 0, 100, 1, 0},
    {"four-bar floats", FOURBAR(FLOATING), NULL, NULL, 0, 0, 1, 0, 150, 1, 0},
    {"four-bar rests on a ball", FOURBAR(FOOT), NULL, NULL, 0, 0, 1, 0, 0, 1, 0},
    {"four-bar moves on a ball", FOURBAR(FOOT), NULL, NULL, 0, 0, 1, 0, 3, 1, 0},
    {"leg stands", SCENE(FLOOR(".6") LEG), NULL, NULL, -.02, 0, 1, 0, 0, 1, 0},
    {"leg stands deep", SCENE(FLOOR(".6") LEG), NULL, NULL, -.02001, 0, 1, 0, 0, 1, 0},
    {"leg moves", SCENE(FLOOR(".6") LEG), NULL, NULL, -.02, .3, 1, 0, 0, 1, 0},
    {"leg moves deep", SCENE(FLOOR(".6") LEG), NULL, NULL, -.02001, .3, 1, 0, 0, 1, 0},
    {"leg lands", SCENE(FLOOR(".6") LEG), NULL, NULL, -.0198, 1, 1, 0, 0, 1, 0},
    {"box sticks", SCENE(FLOOR(".5") BOX), NULL, NULL, 0, 0, 1, 1e-5, 0, 1, 0},
    {"box slides", SCENE(FLOOR(".5") BOX), NULL, NULL, 0, .3, 1, 1e-5, 0, 1, 0},
    {"box after 50", SCENE(FLOOR(".5") BOX), NULL, NULL, 0.001, 0, 1, 1e-5, 50, 1, 0},
    {"tripod sticks", SCENE(FLOOR(".5") TRIPOD), NULL, NULL, 0, 0, 1, 1e-5, 0, 1, 0},
    {"tripod slides", SCENE(FLOOR(".5") TRIPOD), NULL, NULL, 0, .3, 1, 1e-5, 0, 1, 0},
    {"tripod after 50", SCENE(FLOOR(".5") TRIPOD), NULL, NULL, 0.001, 0.01, 1, 1e-5, 50, 1, 0},
    {"tripod on rubber slides", soft_pusher, NULL, NULL, -2e-4, .3, 1, 0, 0, 1, 0},
    {"tripod lands on rubber", soft_pusher, NULL, NULL, 1e-4, .3, 1, 0, 0, 1, 0},
    {"tripod on rubber after 100", soft_pusher, NULL, NULL, 1e-4, .01, 1, 0, 100, 1, 0},
    {"G1 at 20", NULL, "unitree_g1/scene.xml", NULL, 0, 0, 0, 1e-5, 20, 0, 0},
    {"G1 at 100", NULL, "unitree_g1/scene.xml", NULL, 0, 0, 0, 1e-5, 100, 0, 0},
    {"G1 at 300", NULL, "unitree_g1/scene.xml", NULL, 0, 0, 0, 1e-5, 300, 0, 0},
    {"G1 at 300, moves", NULL, "unitree_g1/scene.xml", NULL, 0, .3, 1, 1e-5, 300, 0, 0},
    {"H1 at 100", NULL, "unitree_h1/scene.xml", NULL, 0, 0, 0, 1e-5, 100, 0, 0},
    {"H1 at 300", NULL, "unitree_h1/scene.xml", NULL, 0, 0, 0, 1e-5, 300, 0, 0},
    {"H1 at 300, moves", NULL, "unitree_h1/scene.xml", NULL, 0, .3, 1, 1e-5, 300, 0, 0},
    {"Cassie in flight", NULL, "agility_cassie/scene.xml", NULL, 1, 0, 0, 0, 100, 0, 0},
    {"Cassie in flight, pushed", NULL, "agility_cassie/scene.xml", NULL, 1, 0, .01, 0, 200, 0, 0},
    {"Cassie at 100", NULL, "agility_cassie/scene.xml", NULL, 0, 0, 0, 1e-5, 100, 0, 0},
    {"Cassie at 300", NULL, "agility_cassie/scene.xml", NULL, 0, 0, 0, 1e-5, 300, 0, 0},
    {"Talos in flight", NULL, "pal_talos/scene_motor.xml", NULL, 1, .3, 0, 1e-5, 0, 0, 0},
    {"Talos at 100", NULL, "pal_talos/scene_motor.xml", NULL, 0, 0, 0, 1e-5, 100, 0, 0},
    {"Talos at 300", NULL, "pal_talos/scene_position.xml", NULL, 0, 0, 0, 1e-5, 300, 0, 0},
    {"hand at 20", NULL, "shadow_hand/scene_right.xml", NULL, 0, .3, .1, 1e-5, 20, 0, 0},
    {"hand at 200", NULL, "shadow_hand/scene_right.xml", NULL, 0, .0, .1, 1e-5, 200, 0, 0},
    {"arm at 50", NULL, "kinova_gen3/scene.xml", NULL, 0, .3, 1, 1e-5, 50, 0, 0},
    {"humanoid_8 at 300", NULL, NULL, "humanoid_8.xml", 0, 0, 0, 1e-5, 300, 0, 0},
    {"humanoid_8 at 300, moves", NULL, NULL, "humanoid_8.xml", 0, .3, 1, 1e-5, 300, 0, 0},
    {"Talos at 100, servos", NULL, "pal_talos/scene_position.xml", NULL, 0, 0, 0, 1e-5, 100, 0, 1},
    {"Talos moves", NULL, "pal_talos/scene_position.xml", NULL, 0, .3, 1, 1e-5, 100, 0, 1},
    {"hand is closed", NULL, "shadow_hand/scene_right.xml", NULL, 0, .0, .1, 1e-5, 100, 0, 5},
    {"quadruped stands", NULL, NULL, "quadruped.xml", 0, 0, 1, 1e-5, 300, 1, 0},
    {"quadruped moves", NULL, NULL, "quadruped.xml", 0, .3, 1, 1e-5, 300, 0, 0},
    {"jaws hold", NULL, NULL, "grasp.xml", 0, 0, 0, 1e-5, 100, 0, 1},
    {"jaws let slip", NULL, NULL, "grasp.xml", 0, 0.01, 0.1, 1e-5, 100, 0, 2},
    {"ball rolls and spins", SCENE(FLOOR6 SPUN), NULL, NULL, 0, .3, .1, 1e-5, 0, 1, 0},
    {"ball spins in place", SCENE(FLOOR6 SPUN), NULL, NULL, 0, 0, .01, 1e-5, 0, 1, 0},
    {"tripod spins", SCENE(FLOOR6 TRIPOD), NULL, NULL, 0, .3, 1, 1e-5, 0, 1, 0},
    {"Cassie moves", NULL, "agility_cassie/scene.xml", NULL, 0, .01, .1, 1e-5, 300, 0, 0},
    {"humanoid_40 at 300", NULL, NULL, "humanoid_40.xml", 0, .0, 1, 1e-5, 300, 0, 0},
    {"walker", NULL, NULL, "walker", 0, .1, 1, 0, 100, 0, 0},
};

typedef struct Trial {
  Stage stage;
  HeftModel* model;
  int nv;
  double *q, *v, *tau;    // of the start
  double *state, *force;  // derivative
  double *state_fd, *force_fd;
  double *control, *control_fd;
  unsigned char* snapshot;
  size_t size;
  int* states;
  int count, changed;
  HeftDerivative info;
} Trial;

static double* numbers(size_t count) { return calloc(count + 8, sizeof(double)); }

static HeftModel* model_of(const Case* c) {
  if (c->text) return described(c->text);
  if (c->file) return loaded(c->file);
  if (!strchr(c->scene, '.')) return scene_create(c->scene, NULL);
  char path[600];
  HeftModel* model = NULL;
  HeftError error = {0};
  const HeftLoadDef def = heft_load_def_default();
  snprintf(path, sizeof path, "%s/scenes/%s", HEFT_SOURCE_DIR, c->scene);
  if (heft_model_load_file(&model, path, &def, &error) != HEFT_OK) fail_msg("%s", error.message);
  return model;
}

static void put(Trial* t, const double* q, const double* v, const double* tau) {
  assert_int_equal(heft_world_restore(t->stage.world, t->snapshot, t->size), HEFT_OK);
  stage_set(&t->stage, q, v);
  memcpy(heft_world_joint_forces(t->stage.world), tau, (size_t)t->nv * sizeof *tau);
}

// The states of contacts; returns 1 if they differ from those of the first step.
static int note_states(Trial* t, int first) {
  const int count = heft_world_contact_count(t->stage.world);
  int differs = !first && count != t->count;
  if (first) {
    t->count = count;
    t->states = calloc((size_t)count + 1, sizeof(int));
  }
  for (int i = 0; i < count && i < t->count; ++i) {
    const int state = (int)heft_world_contact(t->stage.world, i).state;
    if (first) t->states[i] = state;
    differs |= t->states[i] != state;
  }
  return differs;
}

// Columns by central differences: kind 0 q, 1 v, 2 joint forces, 3 controls.
static void difference(Trial* t, int kind, int column, double eps, double* dq, double* dv) {
  const size_t nv = (size_t)t->nv, nq = (size_t)t->model->nq;
  double *q = numbers(nq), *v = numbers(nv), *tau = numbers(nv), *unit = numbers(nv);
  double *end[2] = {numbers(nq), numbers(nq)}, *speed[2] = {numbers(nv), numbers(nv)};
  if (kind < 3) unit[column] = 1;
  for (int side = 0; side < 2; ++side) {
    const double by = side == 0 ? -eps : eps;
    memcpy(q, t->q, nq * sizeof *q);
    memcpy(v, t->v, nv * sizeof *v);
    memcpy(tau, t->tau, nv * sizeof *tau);
    if (kind == 0) heft_q_integrate(t->model, t->q, unit, by, q);
    if (kind == 1) v[column] += by;
    if (kind == 2) tau[column] += by;
    put(t, q, v, tau);
    if (kind == 3) heft_world_controls(t->stage.world)[column] += by;
    heft_world_step(t->stage.world);
    t->changed += note_states(t, 0);
    memcpy(end[side], heft_world_state(t->stage.world)->q, nq * sizeof *q);
    memcpy(speed[side], heft_world_state(t->stage.world)->v, nv * sizeof *v);
  }
  heft_q_difference(t->model, end[0], end[1], dq);
  for (size_t i = 0; i < nv; ++i) {
    dq[i] /= 2 * eps;
    dv[i] = (speed[1][i] - speed[0][i]) / (2 * eps);
  }
  double* all[] = {q, v, tau, unit, end[0], end[1], speed[0], speed[1]};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) free(all[i]);
}

static void find_differences(Trial* t) {
  const size_t nv = (size_t)t->nv;
  double *dq = numbers(nv), *dv = numbers(nv);
  const double force = fmin(3e-4, 0.5 * t->info.radius_force);
  const double eps[] = {fmin(1e-6, 0.5 * t->info.radius_q), fmin(1e-5, 0.5 * t->info.radius_v),
                        force, force};
  for (int kind = 0; kind < 4; ++kind) {
    const size_t inputs = (size_t)t->model->nactuator, columns = kind < 3 ? nv : inputs;
    for (size_t c = 0; c < columns; ++c) {
      const double gain = kind == 3 ? fmax(1, fabs(t->model->actuator_gain[c])) : 1;
      difference(t, kind, (int)c, eps[kind] / gain, dq, dv);
      const size_t wide = kind < 2 ? 2 * nv : columns, at = kind == 1 ? nv + c : c;
      double* out = kind < 2 ? t->state_fd : kind == 2 ? t->force_fd : t->control_fd;
      for (size_t i = 0; i < nv; ++i) {
        out[i * wide + at] = dq[i];
        out[(nv + i) * wide + at] = dv[i];
      }
    }
  }
  free(dq);
  free(dv);
}

// The largest difference of a block, relative to its largest number, or to the least that counts.
static double block_error(const double* a, const double* b, size_t rows, size_t columns,
                          size_t wide, double least) {
  double error = 0, most = least;
  for (size_t i = 0; i < rows; ++i) {
    for (size_t k = 0; k < columns; ++k) {
      error = fmax(error, fabs(a[i * wide + k] - b[i * wide + k]));
      most = fmax(most, fabs(b[i * wide + k]));
    }
  }
  return error / most;
}

// The largest error of all blocks; the least that counts: 1 m per m, h per m/s, 1 m/s per m, and
// joint forces on 1 kg.
static double worst_error(const Trial* t) {
  const size_t n = (size_t)t->nv, square = n * n, inputs = (size_t)t->model->nactuator;
  const double *a = t->state, *b = t->state_fd;
  const double errors[] = {
      block_error(a, b, n, n, 2 * n, 1),
      block_error(a + n, b + n, n, n, 2 * n, 1e-3),
      block_error(a + 2 * square, b + 2 * square, n, n, 2 * n, 1),
      block_error(a + 2 * square + n, b + 2 * square + n, n, n, 2 * n, 1),
      block_error(t->force, t->force_fd, n, n, n, 1e-6),
      block_error(t->force + square, t->force_fd + square, n, n, n, 1e-3),
      block_error(t->control, t->control_fd, n, inputs, inputs, 1e-6),
      block_error(t->control + n * inputs, t->control_fd + n * inputs, n, inputs, inputs, 1e-3)};
  double worst = 0;
  for (size_t i = 0; i < sizeof errors / sizeof *errors; ++i) {
    if (getenv("HEFT_SHOW")) printf("  %.1e", errors[i]);
    if (!(errors[i] <= worst)) worst = errors[i];
  }
  return worst;
}

// Gradients of random functions of the end, relative to the products with the derivative.
static double adjoint_error(const Trial* t) {
  const size_t n = (size_t)t->nv, inputs = (size_t)t->model->nactuator;
  uint64_t seed = 99;
  double *end = numbers(2 * n), *start = numbers(2 * n), *force = numbers(n),
         *control = numbers(inputs), worst = 0;
  const double* from[3] = {t->state, t->force, t->control};
  const double* to[3] = {start, force, control};
  const size_t columns[3] = {2 * n, n, inputs};
  HeftDerivative info;
  for (size_t i = 0; i < 2 * n; ++i) end[i] = between(&seed, -1, 1);
  assert_int_equal(
      heft_world_derivative_transposed(t->stage.world, end, start, force, control, &info, NULL),
      HEFT_OK);
  for (int b = 0; b < 3; ++b) {
    double error = 0, most = 1e-6;
    for (size_t c = 0; c < columns[b]; ++c) {
      double sum = 0, size = 0;
      for (size_t r = 0; r < 2 * n; ++r) {
        sum += end[r] * from[b][r * columns[b] + c];
        size += fabs(end[r] * from[b][r * columns[b] + c]);
      }
      error = fmax(error, fabs(sum - to[b][c]));
      most = fmax(most, size);
    }
    worst = fmax(worst, error / most);
  }
  free(end);
  free(start);
  free(force);
  free(control);
  return worst;
}

static void start(const Case* c, Trial* t) {
  const HeftModel* m = t->model;
  uint64_t seed = 7;
  if (c->key || (m->nequality > 0 && m->nkey > 0))  // loops are closed
    heft_world_set_key(t->stage.world, c->key ? c->key - 1 : 0);
  memcpy(t->q, heft_world_state(t->stage.world)->q, (size_t)m->nq * sizeof(double));
  const HeftJointType first = m->joint_type[0];
  if (first == HEFT_JOINT_FREE) t->q[2] += c->lift;
  if (first == HEFT_JOINT_SLIDE) t->q[1] += c->lift;
  stage_set(&t->stage, t->q, t->v);
  for (int i = 0; i < m->nactuator; ++i) {  // no control is at its limit
    const double *range = m->actuator_control_range + 2L * i, inside = 0.1 * (range[1] - range[0]);
    double* u = &heft_world_controls(t->stage.world)[i];
    if (m->actuator_control_limited[i]) *u = fmax(range[0] + inside, fmin(*u, range[1] - inside));
  }
  for (int i = 0; i < c->steps; ++i) stage_step(&t->stage);
  memcpy(t->q, heft_world_state(t->stage.world)->q, (size_t)m->nq * sizeof(double));
  for (int i = 0; i < m->nq && c->sink > 0 && first != HEFT_JOINT_FREE; ++i)
    t->q[i] += c->sink * between(&seed, -1, 1);
  for (int j = 0; j < m->njoint && c->sink > 0; ++j) {  // no gap of a limit is zero
    const int dof = m->joint_dof[j];
    double* q = &t->q[m->joint_q[j]];
    if (heft_joint_type_dof_count(m->joint_type[j]) != 1 || !m->dof_limited[dof]) continue;
    if (fabs(*q - m->dof_range[2 * dof]) < c->sink) *q = m->dof_range[2 * dof] - c->sink;
    if (fabs(*q - m->dof_range[2 * dof + 1]) < c->sink) *q = m->dof_range[2 * dof + 1] + c->sink;
  }
  // Loops are open by more than the correction leaves.
  for (int i = 0; i < m->nq && m->nequality > 0; ++i) t->q[i] += 3e-7 * between(&seed, -1, 1);
  if (first == HEFT_JOINT_FREE) t->q[2] -= c->sink;
  for (int i = 0; i < t->nv; ++i) {
    t->v[i] = heft_world_state(t->stage.world)->v[i] + c->speed * between(&seed, -1, 1);
    t->tau[i] = c->push * between(&seed, -1, 1);
  }
}

static void print_case(const Case* c, const Trial* t, double worst, double adjoint) {
  printf("%-28s nv %2d, contacts %2d, error %.0e, adjoint %.0e, radius %.0e %.0e, changed %d%s",
         c->name, t->nv, t->count, worst, adjoint, t->info.radius_q, t->info.radius_v, t->changed,
         t->info.flags ? "; inexact:" : "");
  for (int flag = 0; flag < HEFT_DERIVATIVE_FLAG_COUNT; ++flag) {
    if (t->info.flags >> flag & 1)
      printf(" [%s]", heft_derivative_flag_name((HeftDerivativeFlag)flag));
  }
  printf("\n");
}

static void take(Trial* t, const char* name) {
  HeftError error = {0};
  put(t, t->q, t->v, t->tau);
  stage_step(&t->stage);
  note_states(t, 1);
  if (heft_world_derivative(t->stage.world, t->state, t->force, t->control, &t->info, &error) !=
      HEFT_OK)
    fail_msg("%s: %s", name, error.message);
}

// Returns 1 if it is exact, 0 if it has a flag, -1 if there is no file.
static int run_case(const Case* c) {
  HeftWorldDef def = heft_world_def_default();
  def.tolerance = 1e-12;
  def.rest = 0;
  def.sleep = 0;
  Trial t = {.model = model_of(c)};
  if (!t.model) {
    printf("%-28s skipped: no file\n", c->name);
    return -1;
  }
  t.stage = stage_on(t.model, &def);
  const size_t nv = (size_t)(t.nv = t.model->nv), square = nv * nv,
               inputs = (size_t)t.model->nactuator;
  double** all[] = {&t.q,     &t.v,        &t.tau,     &t.state,     &t.state_fd,
                    &t.force, &t.force_fd, &t.control, &t.control_fd};
  const size_t sizes[] = {(size_t)t.model->nq, nv,         nv,         4 * square,
                          4 * square,          2 * square, 2 * square, 2 * nv * inputs,
                          2 * nv * inputs};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) *all[i] = numbers(sizes[i]);
  start(c, &t);
  t.size = heft_world_snapshot_size(t.stage.world);
  t.snapshot = malloc(t.size);
  heft_world_snapshot(t.stage.world, t.snapshot);
  take(&t, c->name);
  const double adjoint = adjoint_error(&t);
  find_differences(&t);
  const double worst = worst_error(&t);
  const int exact = t.info.flags == 0;
  print_case(c, &t, worst, adjoint);
  if (!(adjoint < (exact ? 1e-8 : 1e-5))) fail_msg("%s: adjoint differs by %g", c->name, adjoint);
  const int near = t.info.flags == 1U << HEFT_DERIVATIVE_CHANGE &&
                   fmin(t.info.radius_q, t.info.radius_v) > 1e-8;  // differences are nearer
  if ((exact || near) && !(worst < 1e-6)) fail_msg("%s: differs by %g", c->name, worst);
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) free(*all[i]);
  free(t.snapshot);
  free(t.states);
  stage_close(&t.stage);
  return exact;
}

static void test_cases(void** state) {
  (void)state;
  const char* only = getenv("HEFT_CASE");
  int exact = 0, run = 0;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    if (only && !strstr(cases[i].name, only)) continue;
    if (!only && !cases[i].brief && !getenv("HEFT_LONG")) continue;
    const int result = run_case(&cases[i]);
    run += result >= 0;
    exact += result > 0;
  }
  printf("%d of %d cases are exact\n", exact, run);
  if (!only && exact < run / 2) fail_msg("most cases have a flag");
}

// ---- parameters

// The parameter of a model that has no world.
static HeftModel* changed(HeftModel* m, HeftStepParameter by, double amount) {
  double* of[] = {NULL,
                  m->dof_damping,
                  m->dof_stiffness,
                  m->dof_armature,
                  m->dof_friction,
                  m->actuator_gain,
                  m->actuator_bias,
                  m->actuator_gear,
                  m->body_mass,
                  m->body_com,
                  m->body_inertia,
                  m->material_soft};
  for (int k = 0; k < m->nmaterial && by.kind == HEFT_STEP_FRICTION; ++k) {
    m->material_kinetic[k] += amount;
    m->material_friction[k] += amount;
  }
  if (by.kind != HEFT_STEP_FRICTION)
    of[by.kind][by.kind == HEFT_STEP_GEAR ? 6 * by.index : by.index] += amount;
  HeftModel* out = NULL;  // whose tree has these masses
  const size_t size = heft_model_save_size(m);
  unsigned char* bytes = malloc(size);
  heft_model_save(m, bytes);
  assert_int_equal(heft_model_load(&out, bytes, size, NULL, NULL), HEFT_OK);
  free(bytes);
  heft_model_destroy(m);
  return out;
}

// The end of `steps` steps from a start that moves; `last`: the world, for its derivatives.
static Stage run_from(const char* text, const HeftStepParameter* by, double amount, double lift,
                      int steps) {
  HeftWorldDef def = heft_world_def_default();
  def.tolerance = 1e-12;
  def.rest = 0;
  def.sleep = 0;
  HeftModel* m = described(text);
  if (by) m = changed(m, *by, amount);
  Stage s = stage_on(m, &def);
  double q[8], v[7];
  uint64_t seed = 5;
  memcpy(q, heft_world_state(s.world)->q, sizeof q);
  q[2] += lift;
  q[7] = .3;
  for (int i = 0; i < 7; ++i) v[i] = between(&seed, -.5, .5);
  if (lift < 0) memcpy(v, (const double[5]){1.5, .4, 0, 0, 0}, 5 * sizeof *v);  // slides
  stage_set(&s, q, v);
  heft_world_controls(s.world)[0] = .7;
  for (int i = 0; i < steps; ++i) stage_step(&s);
  return s;
}

// The parameters of the pusher; the last two only where its floor yields.
enum { NV = 7, COUNT = 31, RIGID = COUNT - 2 };

static void list_parameters(const HeftModel* m, HeftStepParameter by[COUNT]) {
  const HeftStepParameter first[] = {
      {HEFT_STEP_FRICTION, -1}, {HEFT_STEP_DAMPING, 6},      {HEFT_STEP_STIFFNESS, 6},
      {HEFT_STEP_ARMATURE, 6},  {HEFT_STEP_DRY_FRICTION, 6}, {HEFT_STEP_GAIN, 0},
      {HEFT_STEP_BIAS, 1},      {HEFT_STEP_BIAS, 2},         {HEFT_STEP_GEAR, 0}};
  memcpy(by, first, sizeof first);
  for (int body = 1; body < 3; ++body) {
    HeftStepParameter* of = by + 10 * body - 1;
    of[0] = (HeftStepParameter){HEFT_STEP_MASS, body};
    for (int i = 0; i < 3; ++i) of[1 + i] = (HeftStepParameter){HEFT_STEP_COM, 3 * body + i};
    for (int i = 0; i < 6; ++i) of[4 + i] = (HeftStepParameter){HEFT_STEP_INERTIA, 6 * body + i};
  }
  const int rubber = heft_model_find(m, HEFT_NAMED_MATERIAL, "rubber");
  for (int i = 0; i < 2; ++i)
    by[RIGID + i] = (HeftStepParameter){HEFT_STEP_SOFTNESS, 2 * (rubber >= 0 ? rubber : 0) + i};
}

// On the floor, where the tripod slides, in flight, and on a floor that yields.
static void test_parameters(void** state) {
  (void)state;
  HeftStepParameter by[COUNT];
  const double lifts[] = {-1e-5, 1, -2e-4};
  for (int scene = 0; scene < 3; ++scene) {
    const double lift = lifts[scene];
    const char* text = scene < 2 ? rigid_pusher : soft_pusher;
    Stage s = run_from(text, NULL, 0, lift, 1);
    list_parameters(s.model, by);
    double matrix[2 * NV * COUNT], end[2 * NV], gradient[COUNT], dq[NV];
    HeftDerivative info;
    for (int i = 0; i < 2 * NV; ++i) end[i] = 1 + 0.1 * i;
    assert_int_equal(
        heft_world_derivative_by(s.world, by, COUNT, matrix, end, gradient, &info, NULL), HEFT_OK);
    assert_int_equal(info.flags, 0);
    for (int k = 0; k < (scene < 2 ? (int)RIGID : (int)COUNT); ++k) {
      const HeftStepParameterKind kind = by[k].kind;
      const int small =
          kind == HEFT_STEP_ARMATURE || kind == HEFT_STEP_COM || kind == HEFT_STEP_INERTIA;
      const double eps = small ? 1e-6 : kind == HEFT_STEP_SOFTNESS ? 1e-2 : 1e-4;
      Stage plus = run_from(text, &by[k], eps, lift, 1),
            minus = run_from(text, &by[k], -eps, lift, 1);
      const HeftState *a = heft_world_state(minus.world), *b = heft_world_state(plus.world);
      double error = 0, most = 1e-6, sum = 0;
      heft_q_difference(s.model, a->q, b->q, dq);
      for (int i = 0; i < NV; ++i) {
        const double ends[2] = {dq[i] / (2 * eps), (b->v[i] - a->v[i]) / (2 * eps)};
        for (int part = 0; part < 2; ++part) {
          const double found = matrix[(part * NV + i) * COUNT + k];
          error = fmax(error, fabs(found - ends[part]));
          most = fmax(most, fabs(ends[part]));
          sum += end[part * NV + i] * found;
        }
      }
      if (getenv("HEFT_LONG"))
        printf("parameter %d, scene %d: %.1e of %.1e\n", k, scene, error, most);
      if (!(error <= 1e-6 * most)) fail_msg("parameter %d differs by %g of %g", k, error, most);
      assert_true(fabs(sum - gradient[k]) <= 1e-10 * (fabs(sum) + most));
      stage_close(&plus);
      stage_close(&minus);
    }
    stage_close(&s);
  }
}

// The gradient of a number at the end of 100 steps that slide, by its parameters: each step is
// repeated from its snapshot, last to first, and gives its products with the transposed derivative.
static void test_gradient(void** state) {
  (void)state;
  enum { STEPS = 100 };
  HeftStepParameter by[COUNT];
  Stage s = run_from(rigid_pusher, NULL, 0, -1e-5, 0);
  list_parameters(s.model, by);
  const size_t size = heft_world_snapshot_size_max(s.world);
  unsigned char* kept = malloc(STEPS * size);
  size_t length[STEPS];
  double end[2 * NV], start[2 * NV], part[COUNT], gradient[COUNT] = {0};
  HeftDerivative info;
  for (int n = 0; n < STEPS; ++n) {
    length[n] = heft_world_snapshot_size(s.world);
    heft_world_snapshot(s.world, kept + (size_t)n * size);
    stage_step(&s);
  }
  for (int i = 0; i < 2 * NV; ++i) end[i] = i < NV ? 1 : 0.1;
  for (int n = STEPS - 1; n >= 0; --n) {
    assert_int_equal(heft_world_restore(s.world, kept + (size_t)n * size, length[n]), HEFT_OK);
    stage_step(&s);
    assert_int_equal(heft_world_derivative_by(s.world, by, RIGID, NULL, end, part, &info, NULL),
                     HEFT_OK);
    for (int k = 0; k < RIGID; ++k) gradient[k] += part[k];
    assert_int_equal(heft_world_derivative_transposed(s.world, end, start, NULL, NULL, &info, NULL),
                     HEFT_OK);
    memcpy(end, start, sizeof end);
  }
  for (int k = 0; k < RIGID; ++k) {
    const double eps = by[k].kind == HEFT_STEP_ARMATURE || by[k].kind > HEFT_STEP_COM ? 1e-6 : 1e-5;
    Stage plus = run_from(rigid_pusher, &by[k], eps, -1e-5, STEPS),
          minus = run_from(rigid_pusher, &by[k], -eps, -1e-5, STEPS);
    const HeftState *a = heft_world_state(minus.world), *b = heft_world_state(plus.world);
    double dq[NV], sum = 0;
    heft_q_difference(s.model, a->q, b->q, dq);
    for (int i = 0; i < NV; ++i) sum += (dq[i] + 0.1 * (b->v[i] - a->v[i])) / (2 * eps);
    if (getenv("HEFT_LONG")) printf("gradient %d: %.9g, differences %.9g\n", k, gradient[k], sum);
    if (!(fabs(gradient[k] - sum) <= 1e-4 * fabs(sum)))
      fail_msg("gradient %d: %g, differences %g", k, gradient[k], sum);
    stage_close(&plus);
    stage_close(&minus);
  }
  free(kept);
  stage_close(&s);
}

// ---- sensors

static const char sensed[] =
    "<mujoco><option timestep='0.002'/><worldbody>" FLOOR(".5") "<site name='mark' pos='1 2 0'/>"
    "<body name='base' pos='0 0 .0799'><freejoint/><geom type='box' size='.1 .07 .08' mass='1'/>"
    "<body name='arm' pos='0 0 .12'><joint name='j' type='hinge' axis='0 1 0' damping='.02'/>"
    "<geom type='capsule' fromto='0 0 0 .05 0 .2' size='.02' mass='.3' contype='0' "
    "conaffinity='0'/><site name='tip' pos='.05 0 .2' euler='10 20 30'/>"
    "<body name='end' pos='.05 0 .2'><joint name='ball' type='ball'/><geom type='sphere' "
    "size='.03' pos='.02 0 .05' mass='.2' contype='0' conaffinity='0'/></body></body></body>"
    "</worldbody><tendon><fixed name='t'><joint joint='j' coef='.7'/></fixed></tendon>"
    "<actuator><position tendon='t' kp='.5' kv='.05' gear='1.3' name='a'/></actuator><sensor>"
    "<jointpos joint='j'/><jointvel joint='j'/><ballquat joint='ball'/><ballangvel joint='ball'/>"
    "<tendonpos tendon='t'/><tendonvel tendon='t'/><actuatorpos actuator='a'/>"
    "<actuatorvel actuator='a'/><accelerometer site='tip'/><velocimeter site='tip'/>"
    "<gyro site='tip'/><magnetometer site='tip'/><framepos objtype='site' objname='tip'/>"
    "<framequat objtype='body' objname='end'/><framelinvel objtype='body' objname='end'/>"
    "<frameangvel objtype='body' objname='end'/><framexaxis objtype='body' objname='arm'/>"
    "<framelinacc objtype='body' objname='end'/><frameangacc objtype='body' objname='end'/>"
    "<framepos objtype='site' objname='tip' reftype='body' refname='base'/>"
    "<subtreecom body='base'/><subtreelinvel body='base'/><subtreeangmom body='arm'/>"
    "<touch site='tip'/><actuatorfrc actuator='a'/><clock/></sensor></mujoco>";

static Stage sensed_after(const double* dq, const double* dv) {
  HeftWorldDef def = heft_world_def_default();
  def.tolerance = 1e-12;
  def.rest = def.sleep = 0;
  Stage s = stage_on(described(sensed), &def);
  const int nv = s.model->nv;
  double q[16], moved[16], v[16];
  uint64_t seed = 5;
  memcpy(q, heft_world_state(s.world)->q, (size_t)s.model->nq * sizeof *q);
  q[7] = .3;
  heft_q_integrate(s.model, q, dq, 1, moved);
  for (int i = 0; i < nv; ++i) v[i] = dv[i] + (i < 3 ? .3 - .1 * i : between(&seed, -.5, .5));
  v[2] = dv[2];
  stage_set(&s, moved, v);
  heft_world_controls(s.world)[0] = .2;
  stage_step(&s);
  return s;
}

// The chain of both derivatives against differences of whole steps and their sensors.
static void test_sensors(void** state) {
  (void)state;
  enum { N = 10, VALUES = 80 };
  double zero[16] = {0}, matrix[4 * N * N], end[VALUES * 2 * N], start[VALUES * N];
  double again[4 * N * N];
  HeftDerivative info;
  Stage s = sensed_after(zero, zero);
  const int values = s.model->nsensordata, motion = values - 3;
  assert_int_equal(s.model->nv, N);
  assert_true(values <= VALUES);
  assert_int_equal(heft_world_derivative(s.world, matrix, NULL, NULL, &info, NULL), HEFT_OK);
  assert_int_equal(info.flags, 0);
  assert_int_equal(heft_world_derivative_sensors(s.world, end, start, NULL), HEFT_OK);
  assert_int_equal(heft_world_derivative(s.world, again, NULL, NULL, &info, NULL), HEFT_OK);
  assert_memory_equal(again, matrix, sizeof matrix);
  for (int i = 0; i < values * 2 * N; ++i) assert_true(isnan(end[i]) == (i / (2 * N) >= motion));
  for (int c = 0; c < 2 * N; ++c) {
    const double eps = c < N ? 1e-6 : 1e-5;
    double dq[16] = {0}, dv[16] = {0}, error = 0, most = 1e-6;
    (c < N ? dq : dv)[c % N] = eps;
    Stage plus = sensed_after(dq, dv);
    (c < N ? dq : dv)[c % N] = -eps;
    Stage minus = sensed_after(dq, dv);
    const double *a = heft_world_sensors(minus.world), *b = heft_world_sensors(plus.world);
    for (int i = 0; i < motion; ++i) {
      double found = c < N ? 0 : start[i * N + c - N];
      for (int k = 0; k < 2 * N; ++k) found += end[i * 2 * N + k] * matrix[k * 2 * N + c];
      error = fmax(error, fabs(found - (b[i] - a[i]) / (2 * eps)));
      most = fmax(most, fabs(found));
    }
    if (getenv("HEFT_LONG")) printf("sensors, column %d: %.1e of %.1e\n", c, error, most);
    if (!(error <= 1e-6 * most)) fail_msg("column %d differs by %g of %g", c, error, most);
    stage_close(&plus);
    stage_close(&minus);
  }
  stage_close(&s);
}

// A world that changed since its last step has no derivative.
static void test_no_step(void** state) {
  (void)state;
  const HeftWorldDef def = stage_def(HEFT_INTEGRATOR_MOREAU, 1e-3);
  Stage s = stage_open("pendulum", &def);
  double matrix[4];
  HeftDerivative info;
  assert_int_equal(heft_world_derivative(s.world, matrix, NULL, NULL, &info, NULL),
                   HEFT_ERR_UNSUPPORTED);
  stage_step(&s);
  assert_int_equal(heft_world_derivative(s.world, matrix, NULL, NULL, &info, NULL), HEFT_OK);
  heft_world_reset(s.world);
  assert_int_equal(heft_world_derivative(s.world, matrix, NULL, NULL, &info, NULL),
                   HEFT_ERR_UNSUPPORTED);
  stage_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_step),
                                     cmocka_unit_test(test_parameters),
                                     cmocka_unit_test(test_gradient),
                                     cmocka_unit_test(test_sensors), cmocka_unit_test(test_cases)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
