// SPDX-License-Identifier: Apache-2.0
// Impacts with friction create no energy (docs/theory/impacts.md). Single impacts of Kane and
// Levinson's double pendulum, blocks that rock and tumble, and thrown humanoids have restitution 0
// to 1 and friction 0 to 2. The short form takes some 10⁴ impacts, the long form 10⁷.
//
// The energy is measured apart from the engine, at the configuration q where the step began. With
// M (v⁺ - v) = h f + Jᵀ r, and f the forces without contact, the impulses r add
//
//     ½ v⁺ · M v⁺ - ½ v · M v - h f · (v + v⁺) / 2,    f = -c(q, v) - C v⁺ - K (q + h v⁺ - q_s)
//
// to the kinetic energy. Impulses of a step that carry weight beside an impact may do so by the
// square of the velocity that weight adds in a step; then the velocity without contact, which has
// more energy, is the reference: ½ v⁺ · M̂ v⁺ - ½ v_f · M̂ v_f, M̂ = M + h C + h² K.
#include <heft/dynamics.h>
#include <heft/io.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/double_pendulum.h"
#include "scenes/random.h"
#include "validation/cases.h"

typedef struct Bench {
  HeftModel* model;
  HeftWorld* world;
  HeftDynamics* dynamics;
  HeftState* before;
  double *force, *free_velocity, *implicit;  // nv
  double h;
} Bench;

static void bench_close(Bench* b) {
  heft_world_destroy(b->world);
  heft_dynamics_destroy(b->dynamics);
  heft_state_destroy(b->before);
  heft_model_destroy(b->model);
  free(b->force);
  free(b->free_velocity);
  free(b->implicit);
  *b = (Bench){0};
}

// A world of this model, which it takes.
static int bench_open(Bench* b, HeftModel* m, double friction, double restitution) {
  HeftWorldDef def = heft_world_def_default();
  def.tolerance = 1e-8;
  *b = (Bench){.model = m, .h = m->physics.time_step};
  for (int i = 0; i < m->nmaterial; ++i) {
    m->material_friction[i] = m->material_kinetic[i] = friction;
    m->material_restitution[i] = restitution;
  }
  b->force = calloc((size_t)m->nv + 1, sizeof(double));
  b->free_velocity = calloc((size_t)m->nv + 1, sizeof(double));
  b->implicit = calloc((size_t)m->nv + 1, sizeof(double));
  return b->force && b->free_velocity && b->implicit &&
         heft_world_create(&b->world, m, &def, NULL) == HEFT_OK &&
         heft_dynamics_create(&b->dynamics, m, NULL, NULL) == HEFT_OK &&
         heft_state_create(&b->before, m, NULL, NULL) == HEFT_OK;
}

static double kinetic_energy(const Bench* b, const double* v) {
  heft_dynamics_velocities(b->dynamics, v);
  return heft_dynamics_kinetic_energy(b->dynamics, v);
}

// The same with the metric M̂.
static double energy_with_springs(const Bench* b, const double* v) {
  double energy = kinetic_energy(b, v);
  for (int i = 0; i < b->model->nv; ++i) energy += 0.5 * b->implicit[i] * v[i] * v[i];
  return energy;
}

// The energy that the impulses of the step from `before` added, relative to the larger kinetic
// energy.
static double gain_of_step(const Bench* b) {
  const HeftModel* m = b->model;
  const double *v = b->before->v, *after = heft_world_state(b->world)->v, h = b->h;
  double *force = b->force, *free_velocity = b->free_velocity, work = 0;
  heft_dynamics_kinematics(b->dynamics, b->before->q);
  heft_dynamics_crba(b->dynamics);
  heft_dynamics_rnea(b->dynamics, v, NULL, force);
  for (int i = 0; i < m->nv; ++i) {
    b->implicit[i] = h * m->dof_damping[i] + h * h * m->dof_stiffness[i];
    force[i] = -force[i];
  }
  heft_model_spring_forces(m, b->before->q, force);
  for (int i = 0; i < m->nv; ++i) {
    free_velocity[i] = h * force[i] - b->implicit[i] * v[i];
    work += 0.5 * (h * force[i] - b->implicit[i] * after[i]) * (v[i] + after[i]);
  }
  if (heft_dynamics_factor(b->dynamics, b->implicit) != HEFT_OK) return (double)NAN;
  heft_dynamics_solve(b->dynamics, free_velocity);
  for (int i = 0; i < m->nv; ++i) free_velocity[i] += v[i];
  const double start = kinetic_energy(b, v), end = kinetic_energy(b, after);
  const double of_free = energy_with_springs(b, after) - energy_with_springs(b, free_velocity);
  return fmin(end - start - work, of_free) / fmax(start, end);
}

// What a campaign has seen.
typedef struct Tally {
  long impacts, steps, reduced, failed, inexact;
  long fast;        // steps with impacts that are left to the report because trees turn fast
  double gain;      // largest, measured here, of the kinetic energy
  double solved;    // the same, of steps that were solved
  double reported;  // largest of the reports, of the kinetic energy
} Tally;

static int touches_ground(const HeftWorld* w) {
  for (int i = 0; i < heft_world_contact_count(w); ++i) {
    if (heft_world_contact(w, i).body_a == 0 || heft_world_contact(w, i).body_b == 0) return 1;
  }
  return 0;
}

// 1 if a body turns by more than 0.03 rad in a step: Heft may then change the bias of its tree, by
// decision 034, so that the forces without contact are not those of the plain scheme.
static int turns_fast(const Bench* b) {
  const HeftDynamics* d = heft_world_dynamics(b->world);
  for (int i = 1; i < b->model->nbody; ++i) {
    const HeftVec3 pos = heft_dynamics_body_pose(d, i).pos;
    if (heft_vec3_norm(heft_dynamics_body_velocity(d, i, pos).ang) * b->h > 0.03) return 1;
  }
  return 0;
}

// One step. Trees in flight are left to the report: the scheme then sets their momentum; so are
// trees that turn fast.
static void step(const Bench* b, Tally* t) {
  const int fast = turns_fast(b);
  heft_state_copy(b->before, heft_world_state(b->world));
  const HeftStepReport r = heft_world_step(b->world);
  t->steps += 1;
  t->failed += !heft_step_taken(r.status);
  t->inexact += r.status != HEFT_STEP_SOLVED;
  if (r.impacts == 0) return;
  t->impacts += r.impacts;
  t->reduced += r.restitution_share < 1;
  t->reported = fmax(t->reported, r.impact_gain / r.kinetic);
  const double gain = touches_ground(b->world) && !fast ? gain_of_step(b) : 0;
  t->fast += fast;
  t->gain = fmax(t->gain, gain);
  if (r.status == HEFT_STEP_SOLVED)
    t->solved = fmax(t->solved, fmax(gain, r.impact_gain / r.kinetic));
}

static void report(Run* run, const Tally* t, const char* what, const char* count) {
  const double worst = t->failed ? (double)NAN : fmax(t->gain, t->reported);
  if (run->full)
    fprintf(stderr,
            "%s: %ld in %ld steps, %ld steps with less restitution, %ld not solved, added %.3g, in "
            "solved steps %.3g, by the reports %.3g; %ld steps by the reports alone\n",
            count, t->impacts, t->steps, t->reduced, t->inexact, worst, t->solved, t->reported,
            t->fast);
  run_report_error(run, what, 0, worst, worst, 1e-9);
  run_report_error(run, count, (double)t->impacts, (double)t->impacts, 0, 0);
}

// ---- Kane and Levinson's double pendulum

// Places the tip 1 µm above the floor with a random velocity. Returns 0 if it cannot reach.
static int place_pendulum(const Bench* b, Random* r) {
  const double first = random_between(r, -1.2, 1.2);
  const double rest = 1.2 - cos(first) - 0.001 - 1e-6;  // = cos of the second angle
  const int left = random_index(r, 2);
  const double v[2] = {random_between(r, -10, 10), random_between(r, -10, 10)};
  if (!(fabs(rest) < 1)) return 0;
  heft_state_copy(b->before, heft_world_state(b->world));
  b->before->q[0] = first;
  b->before->q[1] = (left ? acos(rest) : -acos(rest)) - first;
  memcpy(b->before->v, v, sizeof v);
  return heft_world_set_state(b->world, b->before) == HEFT_OK;
}

static void try_pendulum(Run* run, long impacts) {
  Random r = {1};
  Tally t = {0};
  Bench b = {0};
  while (t.impacts < impacts && !t.failed) {
    const HeftLoadDef def = heft_load_def_default();
    HeftModel* m = NULL;
    if (heft_model_load_bytes(&m, double_pendulum, sizeof double_pendulum - 1, "pendulum.xml", &def,
                              NULL) != HEFT_OK)
      return;
    const double friction = random_between(&r, 0, 2), restitution = random_unit(&r);
    t.failed = !bench_open(&b, m, friction, restitution);
    for (int i = 0; i < 400 && !t.failed; ++i) {
      if (place_pendulum(&b, &r)) step(&b, &t);
    }
    bench_close(&b);
    run_progress(run, (double)t.impacts / (double)impacts);
  }
  report(run, &t, "Kane and Levinson: energy added by an impact, of the kinetic energy",
         "impacts of the pendulum");
}

// ---- blocks and humanoids that are thrown

static const char block[] =
    "<mujoco><option timestep=\"1e-3\"/><worldbody><geom type=\"plane\" size=\"0 0 1\"/>"
    "<body pos=\"0 0 1\"><freejoint/><geom type=\"box\" size=\"%.4f %.4f %.4f\" mass=\"1\"/></body>"
    "</worldbody></mujoco>";

static HeftModel* load_block(Run* run, Random* r) {
  char text[512];
  HeftModel* m = NULL;
  const HeftLoadDef def = heft_load_def_default();
  const double a = random_between(r, 0.02, 0.3), c = random_between(r, 0.02, 0.3),
               height = random_between(r, 0.02, 0.3);
  (void)run;
  snprintf(text, sizeof text, block, a, c, height);
  return heft_model_load_bytes(&m, text, strlen(text), "block.xml", &def, NULL) == HEFT_OK ? m
                                                                                           : NULL;
}

static HeftModel* load_humanoid(Run* run, Random* r) {
  static const char* const files[] = {"humanoid.xml", "humanoid_8.xml"};
  char path[1024];
  HeftModel* m = NULL;
  const HeftLoadDef def = heft_load_def_default();
  snprintf(path, sizeof path, "%s/%s", run->scenes, files[random_index(r, 2)]);
  if (heft_model_load_file(&m, path, &def, NULL) != HEFT_OK) return NULL;
  return m;
}

// Sets the pose of the first body and random velocities; it falls.
static int start_fall(const Bench* b, Random* r, double height, HeftQuat turn) {
  HeftState* s = b->before;
  heft_state_copy(s, heft_world_state(b->world));
  const double q[7] = {0, 0, height, turn.w, turn.x, turn.y, turn.z};
  memcpy(s->q, q, sizeof q);
  for (int i = 0; i < b->model->nv; ++i) s->v[i] = random_between(r, -5, 5);
  s->v[2] = -fabs(s->v[2]);
  return heft_world_set_state(b->world, s) == HEFT_OK;
}

static int throw_humanoid(const Bench* b, Random* r) {
  const HeftQuat turn = random_quat(r);
  return start_fall(b, r, random_between(r, 0.3, 1.2), turn);
}

// Half of the blocks fall nearly flat onto a face, and rock; the others fall in any orientation.
// The lowest corner starts up to 1 mm above the floor, so that nearly all steps have impacts.
static int throw_block(const Bench* b, Random* r) {
  const HeftModel* m = b->model;
  const HeftVec3 tilt = heft_vec3_scale(random_between(r, 0, 0.1), random_direction(r));
  const HeftQuat any = random_quat(r), turn = random_index(r, 2) ? any : heft_quat_exp(tilt);
  const HeftMat3 axes = heft_quat_to_mat3(turn);
  double reach = random_between(r, 1e-6, 1e-3);
  for (int k = 0; k < 3; ++k) reach += fabs(axes.m[2][k]) * m->shape_size[3 * (m->nshape - 1) + k];
  return start_fall(b, r, reach, turn);
}

// Bodies that are thrown at the floor.
typedef struct Thrown {
  HeftModel* (*load)(Run* run, Random* r);
  int (*start)(const Bench* b, Random* r);
  int throws, steps;  // of each world, of each throw
  const char *what, *count;
} Thrown;

static void try_thrown(Run* run, const Thrown* thrown, long impacts) {
  Random r = {2};
  Tally t = {0};
  while (t.impacts < impacts && !t.failed) {
    Bench b = {0};
    HeftModel* m = thrown->load(run, &r);
    if (!m) {
      snprintf(run->engine->reason, sizeof run->engine->reason, "a model could not be loaded");
      return;
    }
    const double friction = random_between(&r, 0, 2), restitution = random_unit(&r);
    t.failed = !bench_open(&b, m, friction, restitution);
    for (int n = 0; n < thrown->throws && !t.failed; ++n) {
      t.failed = !thrown->start(&b, &r);
      for (int i = 0; i < thrown->steps && !t.failed; ++i) step(&b, &t);
    }
    bench_close(&b);
    run_progress(run, (double)t.impacts / (double)impacts);
  }
  report(run, &t, thrown->what, thrown->count);
}

// ---- blocks in any engine

// Kinetic and potential energy of a block of 1 kg with these half sizes.
static double block_energy(const EngineBody* b, const double half[3], double* kinetic) {
  const HeftVec3 w = heft_quat_rotate(heft_quat_conjugate(b->quat), b->omega);
  const double x = half[0] * half[0], y = half[1] * half[1], z = half[2] * half[2];
  const double turns = (y + z) * w.x * w.x + (x + z) * w.y * w.y + (x + y) * w.z * w.z;
  *kinetic = 0.5 * heft_vec3_dot(b->vel, b->vel) + turns / 6;
  return *kinetic + CASE_GRAVITY * b->pos.z;
}

// Throws a block at the floor and returns the largest energy above that of the throw, relative to
// its kinetic energy, in the 20 steps that follow.
static double gain_of_throw(Run* run, Random* r, const double half[3]) {
  const HeftVec3 tilt = heft_vec3_scale(random_between(r, 0, 0.1), random_direction(r));
  const HeftQuat any = random_quat(r);
  EngineBody b = {.quat = random_index(r, 2) ? any : heft_quat_exp(tilt)};
  const HeftMat3 axes = heft_quat_to_mat3(b.quat);
  double kinetic = 0, now = 0, worst = 0;
  b.pos.z = random_between(r, 1e-6, 1e-3);
  for (int k = 0; k < 3; ++k) b.pos.z += fabs(axes.m[2][k]) * half[k];
  b.vel = random_vec3(r, 5);
  b.vel.z = -fabs(b.vel.z);
  b.omega = random_vec3(r, 5);
  run_place(run, 1, b);
  const double start = block_energy(&b, half, &kinetic);
  for (int i = 0; i < 20 && run->engine->reason[0] == '\0'; ++i) {
    run_step(run, 1);
    b = run_body(run, 1);
    worst = fmax(worst, (block_energy(&b, half, &now) - start) / kinetic);
  }
  return worst;
}

static void try_engine(Run* run, int bounces, const char* what) {
  Random r = {3};
  double worst = 0;
  for (int i = 0; i < (run->full ? 1000 : 40); ++i) {
    char text[512];
    EngineSettings s = engine_settings();
    double half[3];
    for (int k = 0; k < 3; ++k) half[k] = random_between(&r, 0.02, 0.3);
    s.friction = random_between(&r, 0, 2);
    s.restitution = bounces ? random_unit(&r) : 0;
    s.tolerance = 1e-9;
    snprintf(text, sizeof text, block, half[0], half[1], half[2]);
    if (!run_open_text(run, text, strlen(text), &s)) return;
    for (int n = 0; n < 10; ++n) worst = fmax(worst, gain_of_throw(run, &r, half));
    run_close(run);
  }
  run_report(run, what, 0, worst, 1e-4);
}

void case_impacts(Run* run) {
  try_engine(run, 0, "thrown blocks: energy above that of the throw, relative");
  if (run->engine->reason[0] == '\0') try_engine(run, 1, "the same with restitution 0 to 1");
  if (run->engine->type != &engine_heft) return;
  static const Thrown blocks = {load_block, throw_block,        100,
                                20,         "the same: blocks", "impacts of the blocks"};
  static const Thrown humanoids = {load_humanoid,
                                   throw_humanoid,
                                   1,
                                   1000,
                                   "the same: thrown humanoids",
                                   "impacts of the humanoids"};
  try_pendulum(run, run->full ? 7500000 : 10000);
  try_thrown(run, &blocks, run->full ? 2200000 : 10000);
  if (run->engine->reason[0]) return;
  try_thrown(run, &humanoids, run->full ? 300000 : 2000);
}
