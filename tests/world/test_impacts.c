// SPDX-License-Identifier: Apache-2.0
// Papers: R24.
// Impacts with friction and restitution: the planar cases of Routh, the double pendulum of Kane and
// Levinson, joint limits, and the energy of all of them (docs/theory/impacts.md).
#include <heft/io.h>
#include <heft/world.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/double_pendulum.h"
#include "scenes/random.h"
#include "support/check.h"

typedef struct Bench {
  HeftModel* model;
  HeftWorld* world;
  HeftState* state;
} Bench;

static Bench bench_open(const char* text, const HeftWorldDef* asked) {
  Bench b = {0};
  HeftError error = {0};
  const HeftLoadDef load = heft_load_def_default();
  HeftWorldDef def = heft_world_def_default();
  def.tolerance = 1e-12;
  if (heft_model_load_bytes(&b.model, text, strlen(text), "impact.xml", &load, &error) != HEFT_OK)
    fail_msg("%s", error.message);
  if (heft_world_create(&b.world, b.model, asked ? asked : &def, &error) != HEFT_OK)
    fail_msg("%s", error.message);
  assert_int_equal(heft_state_create(&b.state, b.model, NULL, NULL), HEFT_OK);
  heft_state_copy(b.state, heft_world_state(b.world));
  return b;
}

static void bench_close(Bench* b) {
  heft_world_destroy(b->world);
  heft_state_destroy(b->state);
  heft_model_destroy(b->model);
}

static void set_law(const Bench* b, double friction, double restitution) {
  for (int i = 0; i < b->model->nmaterial; ++i) {
    const HeftMaterial value = {
        .friction = friction, .kinetic = friction, .restitution = restitution};
    assert_int_equal(heft_world_set_material(b->world, i, &value, NULL), HEFT_OK);
  }
}

// ---- one contact point in a plane

// u = (normal, tangent); W = (n n, n t, t t).
typedef struct Planar {
  double u[2], w[3], mu, e;
} Planar;

static void add_impulse(const Planar* p, const double r[2], double u[2]) {
  u[0] += p->w[0] * r[0] + p->w[1] * r[1];
  u[1] += p->w[1] * r[0] + p->w[2] * r[1];
}

static double energy_of(const Planar* p, const double r[2]) {
  double u[2] = {p->u[0], p->u[1]};
  add_impulse(p, r, u);
  return 0.5 * (r[0] * (p->u[0] + u[0]) + r[1] * (p->u[1] + u[1]));
}

// Newton's law with Coulomb's law at the end of the impact (Moreau).
static void moreau(const Planar* p, double e, double r[2]) {
  const double rise = -(1 + e) * p->u[0], det = p->w[0] * p->w[2] - p->w[1] * p->w[1];
  r[0] = (p->w[2] * rise + p->w[1] * p->u[1]) / det;
  r[1] = (-p->w[1] * rise - p->w[0] * p->u[1]) / det;
  if (r[0] >= 0 && fabs(r[1]) <= p->mu * r[0]) return;
  for (int way = -1; way <= 1; way += 2) {
    const double slope = p->w[0] - way * p->mu * p->w[1];
    if (!(slope > 0)) continue;
    r[0] = rise / slope;
    r[1] = -way * p->mu * r[0];
    if (way * (p->u[1] + p->w[1] * r[0] + p->w[2] * r[1]) >= 0) return;
  }
  fail_msg("no solution");
}

typedef enum Law { NEWTON, POISSON, STRONGE } Law;
static const char* const law_names[] = {"Newton", "Poisson", "Stronge"};

// Routh's method: friction follows the slip while the normal impulse grows, until the slip stops;
// then it sticks, or slips on. The law decides where the impulse ends. W_n is the work of the
// normal impulse. Returns how often the slip stopped.
static int routh(const Planar* p, Law law, double r[2]) {
  double u[2] = {p->u[0], p->u[1]}, compression = 0, work = 0, restitution = 0;
  int phase = 0, stops = 0;
  r[0] = r[1] = 0;
  for (int piece = 0; piece < 10; ++piece) {
    double slope = u[1] > 0 ? -p->mu : p->mu;
    if (u[1] == 0) slope = fmax(-p->mu, fmin(p->mu, -p->w[1] / p->w[2]));
    const double d[2] = {1, slope};
    double du[2] = {0, 0};
    add_impulse(p, d, du);
    double step = HUGE_VAL;
    int stop = 0;
    if (u[1] * du[1] < 0) {
      step = -u[1] / du[1];
      stop = 1;
    }
    double end = HUGE_VAL;
    if (phase == 0 && du[0] > 0) end = -u[0] / du[0];
    if (phase == 1 && law == NEWTON && du[0] > 0) end = (-p->e * p->u[0] - u[0]) / du[0];
    if (phase == 1 && law == POISSON) end = (1 + p->e) * compression - r[0];
    if (phase == 1 && law == STRONGE) {  // restitution + u x + du x²/2 = -e² work
      const double left = -p->e * p->e * work - restitution;
      end = (-u[0] + sqrt(u[0] * u[0] + 2 * du[0] * left)) / du[0];
    }
    const int ends = end <= step;
    if (ends) step = end;
    assert_true(step < HUGE_VAL);
    *(phase == 0 ? &work : &restitution) += step * (u[0] + 0.5 * du[0] * step);
    for (int i = 0; i < 2; ++i) {
      r[i] += step * d[i];
      u[i] += step * du[i];
    }
    if (ends && phase == 1) return stops;
    if (ends) {
      u[0] = 0;
      compression = r[0];
      phase = 1;
    } else if (stop) {
      u[1] = 0;
      ++stops;
    }
  }
  fail_msg("the impact does not end");
  return 0;
}

// ---- Routh's rod

static const char rod[] =
    "<mujoco><option timestep=\"0.001\" gravity=\"0 0 0\"/><worldbody>"
    "<geom type=\"plane\" size=\"0 0 1\" condim=\"3\"/><body>"
    "<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"0.3333333333333333 0.3333333333333333 "
    "0.3333333333333333\"/>"
    "<joint type=\"slide\" axis=\"1 0 0\"/><joint type=\"slide\" axis=\"0 0 1\"/>"
    "<joint type=\"hinge\" axis=\"0 1 0\"/><geom type=\"sphere\" size=\"0.01\" pos=\"%.17g 0 "
    "%.17g\"/>"
    "</body></worldbody></mujoco>";

typedef struct RodCase {
  const char* what;
  double angle;  // of the rod to the floor, degrees
  double u[2];   // velocity of the tip: normal, tangent
  double mu, e;
  int agrees;  // 1 if all laws give the same, 2 if Newton's law along Routh's path does
} RodCase;

// The rod of 2 m and 1 kg strikes the floor with its tip at (x, z) from its centre.
static Planar planar_of(const RodCase* c, double* x, double* z) {
  const double angle = c->angle * HEFT_PI / 180, inertia = 1.0 / 3;
  *x = cos(angle);
  *z = -sin(angle) - 0.01;
  return (Planar){.u = {c->u[0], c->u[1]},
                  .w = {1 + *x * *x / inertia, -*x * *z / inertia, 1 + *z * *z / inertia},
                  .mu = c->mu,
                  .e = c->e};
}

static void print_law(const Planar* p, const char* name, const double r[2]) {
  double u[2] = {p->u[0], p->u[1]};
  add_impulse(p, r, u);
  printf("    %-8s u_n %8.5f  u_t %8.5f  r_n %8.5f  r_t %8.5f  energy %8.5f\n", name, u[0], u[1],
         r[0], r[1], energy_of(p, r));
}

static void strike_rod(const RodCase* c) {
  char text[1024];
  double x, z, r[2], none[2];
  const Planar p = planar_of(c, &x, &z);
  snprintf(text, sizeof text, rod, x, z + 0.01);
  Bench b = bench_open(text, NULL);
  set_law(&b, c->mu, c->e);
  b.state->q[0] = 0;
  b.state->q[1] = -z;
  b.state->v[0] = c->u[1];
  b.state->v[1] = c->u[0];
  assert_int_equal(heft_world_set_state(b.world, b.state), HEFT_OK);
  const HeftStepReport report = heft_world_step(b.world);
  assert_int_equal(report.status, HEFT_STEP_SOLVED);
  assert_int_equal(report.impacts, 1);
  const double* v = heft_world_state(b.world)->v;
  const double after[2] = {v[1] - v[2] * x, v[0] + v[2] * z};
  const double found[2] = {v[1] - c->u[0], v[0] - c->u[1]};  // impulses on the mass of 1 kg
  printf("  %s: angle %g, u (%g, %g), mu %g, e %g, share %.6f\n", c->what, c->angle, c->u[0],
         c->u[1], c->mu, c->e, report.restitution_share);
  for (int law = 0; law < 3; ++law) {
    routh(&p, (Law)law, r);
    print_law(&p, law_names[law], r);
    if (c->agrees == 1 || (c->agrees == 2 && law == NEWTON)) {
      CHECK_AT_MOST(fabs(found[0] - r[0]), 1e-9);
      CHECK_AT_MOST(fabs(found[1] - r[1]), 1e-9);
    }
  }
  moreau(&p, p.e, r);
  print_law(&p, "Moreau", r);
  print_law(&p, "Heft", found);
  // Newton's law with the effective coefficient, and the bound of the energy
  moreau(&p, p.e * report.restitution_share, r);
  CHECK_AT_MOST(fabs(found[0] - r[0]), 1e-9);
  CHECK_AT_MOST(fabs(found[1] - r[1]), 1e-9);
  CHECK_AT_MOST(fabs(after[0] + p.e * report.restitution_share * p.u[0]), 1e-9);
  moreau(&p, 0, none);
  const double lost = -energy_of(&p, none), bound = -(1 - p.e * p.e) * lost;
  CHECK_AT_MOST(energy_of(&p, found) - bound, 2e-6 * lost);
  if (report.restitution_share < 1) CHECK_AT_MOST(bound - energy_of(&p, found), 2e-4 * lost);
  if (c->agrees) assert_true(report.restitution_share == 1);
  bench_close(&b);
}

static void rods_follow_routh(void** state) {
  (void)state;
  const RodCase cases[] = {
      {"slides on", 60, {-1, 3}, 0.2, 0.5, 1},
      {"slides on against the coupling", 60, {-1, -3}, 0.2, 0.5, 1},
      {"begins to slide", 45, {-1, 0}, 0.2, 0.6, 1},
      {"sticks at once", 60, {-1, 0}, 1.2, 0.6, 1},
      {"stops and sticks, no coupling", 90, {-1, 0.5}, 0.8, 0.7, 1},
      {"stops and sticks", 70, {-1, 0.2}, 1.5, 0.5, 2},
      {"stops and sticks, against the coupling", 60, {-1, -0.3}, 1.5, 0.5, 0},
      {"stops and slides back", 45, {-1, -0.4}, 0.3, 0.5, 0},
      {"the same, elastic", 45, {-1, -0.4}, 0.3, 1, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) strike_rod(&cases[i]);
}

// ---- Kane and Levinson's double pendulum

static double kinetic_at(HeftDynamics* d, const double* q, const double* v) {
  heft_dynamics_kinematics(d, q);
  heft_dynamics_velocities(d, v);
  return heft_dynamics_kinetic_energy(d, v);
}

// The kinetic energy that Newton's law would give, of that before.
static double newton_ratio(HeftDynamics* d, const HeftState* s, double mu, double e, double start) {
  double jacobian[12], row[2][2], m[4];
  heft_dynamics_kinematics(d, s->q);
  heft_dynamics_crba(d);
  heft_dynamics_mass_matrix(d, m);
  const HeftPose pose = heft_dynamics_body_pose(d, 2);
  const HeftVec3 tip =
      heft_vec3_sub(heft_pose_apply(pose, heft_vec3(0, 0, -1)), heft_vec3(0, 0, 0.001));
  heft_dynamics_body_jacobian(d, 2, tip, jacobian);
  for (int k = 0; k < 2; ++k) {
    row[0][k] = jacobian[2 * 5 + k];  // rows: rotation, then translation x y z
    row[1][k] = jacobian[2 * 3 + k];
  }
  const double det = m[0] * m[3] - m[1] * m[2];
  const double inverse[2][2] = {{m[3] / det, -m[1] / det}, {-m[2] / det, m[0] / det}};
  double w[2][2] = {{0}}, u[2] = {0};
  for (int i = 0; i < 2; ++i) {
    for (int k = 0; k < 2; ++k) {
      u[i] += row[i][k] * s->v[k];
      for (int a = 0; a < 2; ++a) {
        for (int c = 0; c < 2; ++c) w[i][k] += row[i][a] * inverse[a][c] * row[k][c];
      }
    }
  }
  const Planar p = {.u = {u[0], u[1]}, .w = {w[0][0], w[0][1], w[1][1]}, .mu = mu, .e = e};
  double r[2];
  moreau(&p, e, r);
  return 1 + energy_of(&p, r) / start;
}

static int place_tip(const Bench* b, Random* r) {
  const double first = random_between(r, -1.2, 1.2), rest = 1.2 - cos(first) - 0.001 - 1e-6;
  const double side = random_index(r, 2) ? 1 : -1;
  const double v[2] = {random_between(r, -10, 10), random_between(r, -10, 10)};
  if (!(fabs(rest) < 0.999)) return 0;
  b->state->q[0] = first;
  b->state->q[1] = side * acos(rest) - first;
  memcpy(b->state->v, v, sizeof v);
  return heft_world_set_state(b->world, b->state) == HEFT_OK;
}

static void pendulum_gains_nothing(void** state) {
  (void)state;
  HeftWorldDef def = heft_world_def_default();
  def.tolerance = 1e-10;
  Bench b = bench_open(double_pendulum, &def);
  HeftDynamics* d = NULL;
  double newton = 0, worst = -1;
  int impacts = 0, reduced = 0;
  Random r = {7};
  assert_int_equal(heft_dynamics_create(&d, b.model, NULL, NULL), HEFT_OK);
  for (int i = 0; i < 4000; ++i) {
    const double mu = random_between(&r, 0, 2), e = random_unit(&r);
    if (!place_tip(&b, &r)) continue;
    set_law(&b, mu, e);
    const double start = kinetic_at(d, b.state->q, b.state->v);
    const HeftStepReport report = heft_world_step(b.world);
    assert_int_equal(report.inexact, 0);
    if (report.impacts == 0) continue;
    const double* v = heft_world_state(b.world)->v;
    double bias[2], work = 0;
    heft_dynamics_kinematics(d, b.state->q);
    heft_dynamics_rnea(d, b.state->v, NULL, bias);
    for (int k = 0; k < 2; ++k) work -= 0.5 * 1e-4 * bias[k] * (b.state->v[k] + v[k]);
    ++impacts;
    reduced += report.restitution_share < 1;
    worst = fmax(worst, (kinetic_at(d, b.state->q, v) - start - work) / start);
    newton = fmax(newton, newton_ratio(d, b.state, mu, e, start));
  }
  printf(
      "pendulum: %d impacts, %d with less restitution; energy gained at most %.1e of it; "
      "Newton's law alone: times %.0f\n",
      impacts, reduced, worst, newton);
  assert_true(impacts > 1000 && reduced > 100);
  assert_true(newton > 10);
  CHECK_AT_MOST(worst, 1e-9);
  heft_dynamics_destroy(d);
  bench_close(&b);
}

// ---- limits of joints

static const char door[] =
    "<mujoco><option timestep=\"0.001\" gravity=\"0 0 %g\"/><worldbody><body>"
    "<joint name=\"j\" type=\"%s\" axis=\"0 0 1\" range=\"%s\" limited=\"true\"/>"
    "<geom type=\"box\" size=\"0.1 0.1 0.1\" mass=\"1\"/></body></worldbody>"
    "<custom><numeric name=\"heft_limit_j\" data=\"%g\"/></custom></mujoco>";

// A joint leaves its limit with e times its speed; without weight to the last digits.
static void limits_return_speed(void** state) {
  (void)state;
  static const struct {
    const char *type, *range;
    double e, q, v;
  } cases[] = {{"hinge", "-30 60", 0.4, 1.0471, 3},
               {"hinge", "-30 60", 1, -0.5235, -3},
               {"slide", "-1 1", 0.7, 0.999, 2},
               {"slide", "-1 1", 0, 0.999, 2}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char text[1024];
    snprintf(text, sizeof text, door, 0.0, cases[i].type, cases[i].range, cases[i].e);
    Bench b = bench_open(text, NULL);
    b.state->q[0] = cases[i].q;
    b.state->v[0] = cases[i].v;
    assert_int_equal(heft_world_set_state(b.world, b.state), HEFT_OK);
    int bounced = 0;
    for (int k = 0; k < 3; ++k) bounced += heft_world_step(b.world).impacts;
    assert_int_equal(bounced, cases[i].e > 0);
    CHECK_AT_MOST(fabs(heft_world_state(b.world)->v[0] + cases[i].e * cases[i].v), 1e-12);
    bench_close(&b);
  }
}

// A slide that falls on its limit comes to rest like a ball that falls on the floor.
static void limit_bounces_to_rest(void** state) {
  (void)state;
  char text[1024];
  const double e = 0.5, g = 9.81;
  snprintf(text, sizeof text, door, -g, "slide", "0 10", e);
  Bench b = bench_open(text, NULL);
  b.state->q[0] = 1;
  assert_int_equal(heft_world_set_state(b.world, b.state), HEFT_OK);
  double rest = 0, energy = HUGE_VAL;
  for (int i = 0; i < 2000; ++i) {
    const HeftStepReport r = heft_world_step(b.world);
    if (heft_world_state(b.world)->q[0] > 1e-6) rest = r.time;
    if (r.impacts) energy = fmin(energy, r.kinetic + r.potential);
    CHECK_AT_MOST(r.impact_gain, 0);
  }
  printf("limit: at rest after %.4f s, exact %.4f\n", rest, sqrt(2 / g) * (1 + e) / (1 - e));
  CHECK_AT_MOST(fabs(rest - sqrt(2 / g) * (1 + e) / (1 - e)), 0.01);
  CHECK_AT_MOST(fabs(heft_world_state(b.world)->v[0]), 1e-12);
  bench_close(&b);
}

// A ball joint has one limit, of its angle.
static void ball_limit_returns_speed(void** state) {
  (void)state;
  Bench b = bench_open(
      "<mujoco><option timestep=\"0.001\" gravity=\"0 0 0\"/><worldbody><body>"
      "<joint name=\"j\" type=\"ball\" range=\"0 30\" limited=\"true\"/>"
      "<geom type=\"sphere\" size=\"0.1\" mass=\"1\"/></body></worldbody>"
      "<custom><numeric name=\"heft_limit_j\" data=\"0.8\"/></custom></mujoco>",
      NULL);
  const double half = 0.5235 / 2;
  const double q[4] = {cos(half), sin(half), 0, 0};
  memcpy(b.state->q, q, sizeof q);
  b.state->v[0] = 2;
  b.state->v[2] = 0.5;
  assert_int_equal(heft_world_set_state(b.world, b.state), HEFT_OK);
  heft_world_step(b.world);
  const double* v = heft_world_state(b.world)->v;
  CHECK_AT_MOST(fabs(v[0] + 1.6), 1e-12);
  CHECK_AT_MOST(fabs(v[2] - 0.5), 1e-12);
  bench_close(&b);
}

// ---- inexact solutions and other contact models

static const char heap[] =
    "<mujoco><option timestep=\"0.002\"/><worldbody><geom type=\"plane\" size=\"0 0 1\"/>"
    "<body pos=\"0 0 0.5\"><freejoint/><geom type=\"box\" size=\"0.1 0.05 0.2\"/></body>"
    "<body pos=\"0.05 0 1\"><freejoint/><geom type=\"capsule\" size=\"0.05 0.2\"/><body pos=\"0 0 "
    "0.25\">"
    "<joint axis=\"0 1 0\" range=\"-60 60\" name=\"k\"/><geom type=\"capsule\" size=\"0.04\" "
    "fromto=\"0 0 0 0.3 0 0\"/></body></body></worldbody>"
    "<custom><numeric name=\"heft_limit_k\" data=\"0.9\"/></custom></mujoco>";

static void throw_heap(const Bench* b, Random* r) {
  memcpy(b->state->q, b->model->q_default, (size_t)b->model->nq * sizeof(double));
  for (int i = 0; i < 2; ++i) {
    const HeftQuat turn = random_quat(r);
    const double at[4] = {turn.w, turn.x, turn.y, turn.z};
    memcpy(b->state->q + 7L * i + 3, at, sizeof at);
  }
  for (int i = 0; i < b->model->nv; ++i) b->state->v[i] = random_between(r, -5, 5);
  assert_int_equal(heft_world_set_state(b->world, b->state), HEFT_OK);
}

// Returns the impacts; *gain becomes the largest energy that one added, of the kinetic energy.
static int drop_heaps(const HeftWorldDef* def, int worlds, double* gain) {
  Random r = {3};
  int impacts = 0;
  Bench b = bench_open(heap, def);
  for (int k = 0; k < worlds; ++k) {
    throw_heap(&b, &r);
    const double mu = random_between(&r, 0, 2), e = random_unit(&r);
    set_law(&b, mu, e);
    for (int i = 0; i < 400; ++i) {
      const HeftStepReport report = heft_world_step(b.world);
      assert_true(heft_step_taken(report.status));
      impacts += report.impacts;
      *gain = fmax(*gain, report.impact_gain / report.kinetic);
    }
  }
  bench_close(&b);
  return impacts;
}

static void inexact_impacts_gain_nothing(void** state) {
  (void)state;
  for (int effort = 1; effort <= 10; effort *= 3) {
    HeftWorldDef def = heft_world_def_default();
    double gain = -1;
    def.effort_max = effort;
    const int impacts = drop_heaps(&def, 40, &gain);
    printf("effort %d: %d impacts, gain at most %.1e\n", effort, impacts, gain);
    assert_true(impacts > 100);
    CHECK_AT_MOST(gain, 1e-9);
  }
}

static void other_models_gain_nothing(void** state) {
  (void)state;
  for (int model = HEFT_CONTACT_MODEL_EXACT; model < HEFT_CONTACT_MODEL_COUNT; ++model) {
    HeftWorldDef def = heft_world_def_default();
    double gain = -1;
    def.contact_model = (HeftContactModel)model;
    const int impacts = drop_heaps(&def, 40, &gain);
    printf("model %s: %d impacts, gain at most %.1e\n",
           heft_contact_model_name((HeftContactModel)model), impacts, gain);
    CHECK_AT_MOST(gain, 1e-9);
  }
}

// A step with many solutions, some of which ended by a deadline, can be repeated bit for bit.
static void impacts_are_repeated(void** state) {
  (void)state;
  enum { EFFORT_MAX = 4096 };
  static int effort[EFFORT_MAX];
  Random r = {5};
  Bench a = bench_open(heap, NULL), b = bench_open(heap, NULL);
  int most = 0, impacts = 0;
  for (int k = 0; k < 20; ++k) {
    throw_heap(&a, &r);
    const double mu = random_between(&r, 0.5, 2), e = random_between(&r, 0.5, 1);
    set_law(&a, mu, e);
    set_law(&b, mu, e);
    assert_int_equal(heft_world_set_state(b.world, a.state), HEFT_OK);
    for (int i = 0; i < 300; ++i) {
      const HeftStepReport report =
          i % 2 ? heft_world_step(a.world) : heft_world_step_until(a.world, 1);  // long over
      const int count = heft_world_effort(a.world, effort, EFFORT_MAX);
      assert_in_range(count, 0, EFFORT_MAX);
      heft_world_step_replay(b.world, effort, count);
      assert_memory_equal(heft_world_state(a.world)->v, heft_world_state(b.world)->v,
                          (size_t)a.model->nv * sizeof(double));
      CHECK_AT_MOST(report.impact_gain, 1e-9 * report.kinetic);
      impacts += report.impacts;
      most = count > most ? count : most;
    }
  }
  printf("repeated: %d impacts, at most %d solutions in a step\n", impacts, most);
  assert_true(impacts > 50);
  bench_close(&a);
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rods_follow_routh),         cmocka_unit_test(pendulum_gains_nothing),
      cmocka_unit_test(limits_return_speed),       cmocka_unit_test(limit_bounces_to_rest),
      cmocka_unit_test(ball_limit_returns_speed),  cmocka_unit_test(inexact_impacts_gain_nothing),
      cmocka_unit_test(other_models_gain_nothing), cmocka_unit_test(impacts_are_repeated),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
