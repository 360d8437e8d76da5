// SPDX-License-Identifier: Apache-2.0
// Motion and forces are functions of (q, v, inputs), also where contacts are redundant: bodies that
// slide on a face, forces of bodies at rest, and a pinch at its limit. HEFT_LONG=1 takes all
// headings and time steps.
#include <math.h>
#include <stdio.h>

#include "described.h"
#include "stage.h"

static int is_long(void) { return getenv("HEFT_LONG") != NULL; }

// ---- bodies that slide and spin

enum { TEXT = 6000 };

typedef struct Puck {
  const char* name;
  const char* geoms;
  const char* asset;
} Puck;

static const Puck pucks[] = {
    {"cylinder", "<geom type='cylinder' size='.1 .05' mass='1' friction='.3'/>", ""},
    {"box", "<geom type='box' size='.1 .1 .05' mass='1' friction='.3'/>", ""},
    {"16-gon", "<geom type='mesh' mesh='gon' mass='1' friction='.3'/>", "gon"},
    {"foot",
     "<inertial pos='.03 0 -.02' mass='5' diaginertia='.03 .03 .02'/>"
     "<geom type='capsule' fromto='-.07 -.01 -.023 .14 -.03 -.023' size='.027' friction='.3'/>"
     "<geom type='capsule' fromto='-.07 .01 -.023 .14 .03 -.023' size='.027' friction='.3'/>",
     ""},
};
enum { PUCKS = sizeof pucks / sizeof *pucks };

static int write_gon(char* text, int size) {
  int n = snprintf(text, (size_t)size, "<asset><mesh name='gon' vertex='");
  for (int k = 0; k < 32; ++k) {
    double s, c;
    heft_sincos(2 * HEFT_PI * (k % 16) / 16, &s, &c);
    n += snprintf(text + n, (size_t)(size - n), "%.9f %.9f %.9f ", 0.1 * c, 0.1 * s,
                  k < 16 ? -0.05 : 0.05);
  }
  return n + snprintf(text + n, (size_t)(size - n), "'/></asset>");
}

static HeftModel* load_puck(const Puck* puck) {
  char text[TEXT];
  int n = snprintf(text, sizeof text, "<mujoco><option gravity='0 0 -9.81'/>");
  if (*puck->asset) n += write_gon(text + n, TEXT - n);
  snprintf(text + n, sizeof text - (size_t)n,
           "<worldbody><geom type='plane' size='0 0 1' friction='.3'/><body pos='0 0 .05'>"
           "<freejoint/>%s</body></worldbody></mujoco>",
           puck->geoms);
  return described(text);
}

typedef struct Slide {
  double h;
  double heading;  // of the velocity [rad]
  double change;   // of the velocity along x [m/s]
  int forgets;     // every step is taken by a world that has no memory
} Slide;

typedef struct Place {
  double along, across;  // [m]
  double turned;         // [rad]
} Place;

// Thrown at 2 m/s and 15 rad/s, until it rests.
static Place throw_puck(const Puck* puck, Slide how) {
  HeftWorldDef def = stage_def(HEFT_INTEGRATOR_MOREAU, how.h);
  Stage s = stage_on(load_puck(puck), &def);
  HeftState* state = NULL;
  assert_int_equal(heft_state_create(&state, s.model, NULL, NULL), HEFT_OK);
  memcpy(state->q, heft_world_state(s.world)->q, 7 * sizeof(double));
  double sine, cosine, turned = 0, before = 15;
  heft_sincos(how.heading, &sine, &cosine);
  const double v[6] = {2 * cosine + how.change, 2 * sine, 0, 0, 0, 15};
  memcpy(state->v, v, sizeof v);
  heft_world_set_state(s.world, state);
  for (int k = 0; k < 2 / how.h; ++k) {
    if (how.forgets) {
      const HeftState* now = heft_world_state(s.world);
      memcpy(state->q, now->q, 7 * sizeof(double));
      memcpy(state->v, now->v, 6 * sizeof(double));
      heft_world_reset(s.world);
      heft_world_set_state(s.world, state);
    }
    const HeftStepReport report = stage_step(&s);
    assert_int_equal(report.status, HEFT_STEP_SOLVED);
    const double* now = heft_world_state(s.world)->v;
    turned += 0.5 * how.h * (before + now[5]);
    before = now[5];
    double speed = 0;
    for (int i = 0; i < 6; ++i) speed = fmax(speed, fabs(now[i]));
    if (speed < 1e-6) break;
  }
  const double* q = heft_world_state(s.world)->q;
  const Place place = {q[0] * cosine + q[1] * sine, q[1] * cosine - q[0] * sine, turned};
  heft_state_destroy(state);
  stage_close(&s);
  return place;
}

static double apart(Place a, Place b) {
  return fmax(fmax(fabs(a.along - b.along), fabs(a.across - b.across)), fabs(a.turned - b.turned));
}

static void test_sliding_converges(void** state) {
  (void)state;
  for (int p = 0; p < PUCKS; ++p) {
    Place at[5];
    const int count = is_long() ? 5 : 4;
    for (int k = 0; k < count; ++k) at[k] = throw_puck(&pucks[p], (Slide){.h = 0.004 / (1 << k)});
    for (int k = 0; k + 2 < count; ++k) {
      const double ratio =
          (at[k].turned - at[k + 1].turned) / (at[k + 1].turned - at[k + 2].turned);
      printf("%s: h %g ms, turned %.6f rad, ratio %.3f\n", pucks[p].name, 4.0 / (1 << k),
             at[k].turned, ratio);
      assert_true(ratio > 1.9);  // order 1 at least: friction opposes the slip at the end of a step
    }
  }
}

static void test_heading_is_no_input(void** state) {
  (void)state;
  const double h = 0.002;
  const int count = is_long() ? 24 : 6;
  double min = HUGE_VAL, max = 0, longest = 0, shortest = HUGE_VAL;
  for (int k = 0; k < count; ++k) {
    const Place at =
        throw_puck(&pucks[0], (Slide){.h = h, .heading = 2 * HEFT_PI * k / count + 0.1});
    min = fmin(min, at.turned), max = fmax(max, at.turned);
    shortest = fmin(shortest, at.along), longest = fmax(longest, at.along);
  }
  printf("cylinder, %d headings: turned %.4f..%.4f rad, moved %.4f..%.4f m\n", count, min, max,
         shortest, longest);
  CHECK_AT_MOST((max - min) / (max + min) * 2, 0.02);
  CHECK_AT_MOST((longest - shortest) / (longest + shortest) * 2, 0.02);
}

static void test_motion_has_no_hidden_state(void** state) {
  (void)state;
  for (int p = 0; p < PUCKS; ++p) {
    const Place plain = throw_puck(&pucks[p], (Slide){.h = 0.002});
    const double changed = apart(plain, throw_puck(&pucks[p], (Slide){.h = 0.002, .change = 1e-9})),
                 forgot = apart(plain, throw_puck(&pucks[p], (Slide){.h = 0.002, .forgets = 1}));
    printf("%s: a start changed by 1e-9 ends %.1e off, a world without memory %.1e\n",
           pucks[p].name, changed, forgot);
    CHECK_AT_MOST(changed, 1e-6);
    CHECK_AT_MOST(forgot, 1e-9);
  }
}

// ---- forces of bodies at rest

// Σ|t| / Σn of all contacts.
static double self_stress(const Stage* s) {
  double tangents = 0, normals = 0;
  for (int k = 0; k < heft_world_contact_count(s->world); ++k) {
    const HeftContact c = heft_world_contact(s->world, k);
    const double n = heft_vec3_dot(c.force, c.normal),
                 square = heft_vec3_dot(c.force, c.force) - n * n;
    tangents += square > 0 ? sqrt(square) : 0;
    normals += fabs(n);
  }
  return tangents / normals;
}

static void test_a_cube_stands_on_four_equal_forces(void** state) {
  (void)state;
  Stage s = stage_on(described("<mujoco><worldbody><geom type='plane' size='0 0 1'/>"
                               "<body pos='0 0 .05'><freejoint/><geom type='box' size='.05 .05 .05'"
                               " mass='.4'/></body></worldbody></mujoco>"),
                     NULL);
  for (int k = 0; k < 100; ++k) stage_step(&s);
  assert_int_equal(heft_world_contact_count(s.world), 4);
  for (int k = 0; k < 4; ++k) {
    const HeftVec3 f = heft_world_contact(s.world, k).force;
    printf("cube: %.9f %.9f %.9f N\n", f.x, f.y, f.z);
    CHECK_AT_MOST(fabs(f.z - 0.981), 1e-8);
    CHECK_AT_MOST(fmax(fabs(f.x), fabs(f.y)), 1e-8);
  }
  CHECK_AT_MOST(self_stress(&s), 1e-8);
  stage_close(&s);
}

// Robots that stand push sideways little. The feet of Talos do push against each other: its servos
// and the dry friction of its joints leave them no other way.
static void test_standing_robots_push_down(void** state) {
  (void)state;
  static const struct {
    const char* file;
    int shared, steps;  // shared: among the models outside of the repository, with a keyframe
    double most;
  } robots[] = {{"scenes/humanoid_8.xml", 0, 600, 0.01},
                {"unitree_g1/scene.xml", 1, 500, 0.01},
                {"pal_talos/scene_position.xml", 1, 2000, 0.03}};
  for (int k = 0; k < (is_long() ? 3 : 2); ++k) {
    HeftModel* model = robots[k].shared ? loaded(robots[k].file) : NULL;
    if (!robots[k].shared)
      assert_int_equal(heft_model_load_file(&model, robots[k].file, NULL, NULL), HEFT_OK);
    if (!model) {
      printf("%s is absent\n", robots[k].file);
      continue;
    }
    Stage s = stage_on(model, NULL);
    if (robots[k].shared) assert_int_equal(heft_world_set_key(s.world, 0), HEFT_OK);
    for (int n = 0; n < robots[k].steps; ++n) stage_step(&s);
    const double ratio = self_stress(&s);
    printf("%s: tangential forces are %.4f of the normal ones\n", robots[k].file, ratio);
    CHECK_AT_MOST(ratio, robots[k].most);
    stage_close(&s);
  }
}

// A stack of five boxes and a slider on one plate: the speed of the slider is nothing to the stack.
static void test_a_slider_leaves_a_stack_at_rest(void** state) {
  (void)state;
  enum { BOXES = 5, SLIDER = 6 * (1 + BOXES), STEPS = 100 };
  char text[TEXT];
  int n = snprintf(text, sizeof text,
                   "<mujoco><option timestep='0.002'/><worldbody><geom type='plane' size='0 0 1'/>"
                   "<body pos='0 0 .05'><freejoint/><geom type='box' size='500 1 .05' mass='1000'"
                   " friction='0'/></body>");
  for (int k = 0; k < BOXES; ++k)
    n += snprintf(text + n, sizeof text - (size_t)n,
                  "<body pos='0 0 %g'><freejoint/><geom type='box' size='.1 .1 .1' mass='1'"
                  " friction='.5' priority='1'/></body>",
                  0.2 + 0.2 * k);
  snprintf(text + n, sizeof text - (size_t)n,
           "<body pos='-400 .6 .15'><freejoint/><geom type='box' size='.05 .05 .05' mass='.001'"
           " friction='0' priority='2'/></body></worldbody></mujoco>");
  Stage s = stage_on(described(text), NULL);
  HeftState* start = NULL;
  assert_int_equal(heft_state_create(&start, s.model, NULL, NULL), HEFT_OK);
  memcpy(start->q, heft_world_state(s.world)->q, (size_t)s.model->nq * sizeof(double));
  start->v[SLIDER] = 100;
  heft_world_set_state(s.world, start);
  double fastest = 0;
  for (int k = 0; k < STEPS; ++k) {
    assert_int_equal(stage_step(&s).status, HEFT_STEP_SOLVED);
    for (int i = 6; i < SLIDER; ++i) fastest = fmax(fastest, fabs(heft_world_state(s.world)->v[i]));
  }
  printf("stack beside a slider of %.1f m/s: %.1e m/s\n", heft_world_state(s.world)->v[SLIDER],
         fastest);
  CHECK_AT_MOST(fastest, 1e-9);
  heft_state_destroy(start);
  stage_close(&s);
}

// ---- grasps

static const char* const grasp =
    "<mujoco><option timestep='0.002'/><default><geom friction='%.17g'/></default><worldbody>"
    "<body pos='-0.014 0 0'><joint name='l' type='slide' axis='1 0 0' damping='20'/>"
    "<geom type='box' size='0.01 0.02 0.02' mass='0.1'/></body>"
    "<body pos='0.014 0 0'><joint name='r' type='slide' axis='-1 0 0' damping='20'/>"
    "<geom type='box' size='0.01 0.02 0.02' mass='0.1'/></body>"
    "<body pos='0 0 0'><freejoint/><geom type='capsule' fromto='0 -0.01 0 0 0.01 0'"
    " size='0.004' mass='%.17g'/></body></worldbody>"
    "<actuator><motor joint='l'/><motor joint='r'/></actuator></mujoco>";

typedef struct Hold {
  double fallen;   // [m]
  double unequal;  // largest relative difference of a normal force from half of the grip
} Hold;

// Two pads press with `grip` newtons each; a capsule between them touches each at two points.
static Hold hold_in_grasp(double mu, double mass, double grip) {
  char text[TEXT];
  Hold out = {0};
  snprintf(text, sizeof text, grasp, mu, mass);
  Stage s = stage_on(described(text), NULL);
  heft_world_controls(s.world)[0] = heft_world_controls(s.world)[1] = grip;
  for (int k = 0; k < 200; ++k) stage_step(&s);
  assert_int_equal(heft_world_contact_count(s.world), 4);
  for (int k = 0; k < 4; ++k) {
    const double normal = fabs(heft_world_contact(s.world, k).force.x);
    out.unequal = fmax(out.unequal, fabs(normal / (0.5 * grip) - 1));
  }
  out.fallen = -heft_world_state(s.world)->q[4];
  stage_close(&s);
  return out;
}

static void test_a_pinch_is_symmetric(void** state) {
  (void)state;
  const double limit = 0.045 * 9.81 / 40;
  const Hold firm = hold_in_grasp(0.7, 0.045, 20), held = hold_in_grasp(1.0001 * limit, 0.045, 20);
  printf("pinch: forces unequal by %.1e, at 1.0001 of the limit %.1e; falls by %.1e m there\n",
         firm.unequal, held.unequal, held.fallen);
  CHECK_AT_MOST(firm.unequal, 1e-9);
  CHECK_AT_MOST(held.unequal, 1e-9);
  CHECK_AT_MOST(fabs(held.fallen), 1e-9);
}

// The friction that holds a mass is m g / (2 grip).
static void test_grasps_hold_to_their_limit(void** state) {
  (void)state;
  Random seed = {11};
  const int count = is_long() ? 50 : 5;
  double highest = 0, lowest = HUGE_VAL;
  for (int k = 0; k < count; ++k) {
    const double mass = random_between(&seed, 0.02, 0.5), grip = random_between(&seed, 3, 30),
                 limit = mass * 9.81 / (2 * grip);
    highest = fmax(highest, fabs(hold_in_grasp((1 + 1e-6) * limit, mass, grip).fallen));
    lowest = fmin(lowest, hold_in_grasp((1 - 1e-6) * limit, mass, grip).fallen);
  }
  printf("%d grasps: fall by at most %.1e m above their limit, at least %.1e m below\n", count,
         highest, lowest);
  CHECK_AT_MOST(highest, 1e-9);
  assert_true(lowest > 1e-7);
}

// ---- stances

enum { FEET_MAX = 6 };

// A body of 1 kg on feet, pushed at a point; its centre is the origin.
typedef struct Stance {
  int feet;
  double mu;
  HeftVec3 foot[FEET_MAX];
  HeftVec3 gravity, direction, place;
} Stance;

static const double moment = 0.01;  // of inertia [kg m²]

static Stance random_stance(Random* seed) {
  Stance s = {.feet = random_between(seed, 0, 1) < 0.5 ? 4 : 6, .mu = random_between(seed, 0.2, 1)};
  const double turn = random_between(seed, 0, 6), steep = 0.7 * s.mu * random_between(seed, 0, 1),
               way = random_between(seed, 0, 6);
  double sine, cosine;
  for (int k = 0; k < s.feet; ++k) {
    heft_sincos(turn + 2 * HEFT_PI * k / s.feet + random_between(seed, -0.3, 0.3), &sine, &cosine);
    s.foot[k] = heft_vec3(0.15 * cosine, 0.15 * sine, -0.1);
  }
  heft_sincos(way, &sine, &cosine);
  const double size = 9.81 / sqrt(1 + steep * steep);
  s.gravity = heft_vec3(size * steep * cosine, size * steep * sine, -size);
  s.direction = random_direction(seed);
  s.place = heft_vec3(random_between(seed, -0.1, 0.1), random_between(seed, -0.1, 0.1),
                      random_between(seed, -0.08, 0.08));
  return s;
}

// The motion V without contact and the mass matrix decide: the body rests if V = 0 is the nearest
// motion, by its kinetic energy, among those whose points all have u in the dual cone, u_n >= µ
// |u_t|. That nearest motion minimises
//
//   ½ (V - V₀)·M (V - V₀) - τ Σ log(u_n² - µ² |u_t|²),    τ -> 0,
//
// in six unknowns, by Newton steps. It is another method than those of the solver, for forces.
typedef struct Barrier {
  const Stance* s;
  double goal[6], mass[6];  // V₀: linear, angular; M
  double tau;
} Barrier;

static HeftVec3 velocity_of_foot(const Stance* s, int k, const double* v) {
  return heft_vec3_add(heft_vec3_from(v), heft_vec3_cross(heft_vec3(v[3], v[4], v[5]), s->foot[k]));
}

// The value at v, or infinity outside of the cones.
static double barrier_value(const Barrier* b, const double* v) {
  double sum = 0;
  for (int i = 0; i < 6; ++i) sum += 0.5 * b->mass[i] * (v[i] - b->goal[i]) * (v[i] - b->goal[i]);
  for (int k = 0; k < b->s->feet; ++k) {
    const HeftVec3 u = velocity_of_foot(b->s, k, v);
    const double gap = u.z * u.z - b->s->mu * b->s->mu * (u.x * u.x + u.y * u.y);
    if (!(u.z > 0 && gap > 0)) return HUGE_VAL;
    sum -= b->tau * heft_log(gap);
  }
  return sum;
}

// Gradient and second derivative at v.
static void barrier_derivatives(const Barrier* b, const double* v, double* g, double h[6][6]) {
  const double square = b->s->mu * b->s->mu, curve[3] = {-2 * square, -2 * square, 2};
  memset(h, 0, sizeof(double[6][6]));
  for (int i = 0; i < 6; ++i) g[i] = b->mass[i] * (v[i] - b->goal[i]), h[i][i] = b->mass[i];
  for (int k = 0; k < b->s->feet; ++k) {
    const HeftVec3 u = velocity_of_foot(b->s, k, v), q = b->s->foot[k];
    const double gap = u.z * u.z - square * (u.x * u.x + u.y * u.y);
    const double row[3][6] = {
        {1, 0, 0, 0, q.z, -q.y}, {0, 1, 0, -q.z, 0, q.x}, {0, 0, 1, q.y, -q.x, 0}};
    const double slope[3] = {curve[0] * u.x / gap, curve[1] * u.y / gap, curve[2] * u.z / gap};
    double along[6] = {0};
    for (int i = 0; i < 6; ++i) {
      for (int a = 0; a < 3; ++a) along[i] += slope[a] * row[a][i];
      g[i] -= b->tau * along[i];
    }
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j < 6; ++j) {
        double sum = along[i] * along[j];
        for (int a = 0; a < 3; ++a) sum -= row[a][i] * curve[a] / gap * row[a][j];
        h[i][j] += b->tau * sum;
      }
    }
  }
}

// Solves H x = g in place of g by elimination; H is positive definite.
static void eliminate(double h[6][6], double* g) {
  for (int k = 0; k < 6; ++k) {
    for (int i = k + 1; i < 6; ++i) {
      const double factor = h[i][k] / h[k][k];
      for (int j = k; j < 6; ++j) h[i][j] -= factor * h[k][j];
      g[i] -= factor * g[k];
    }
  }
  for (int k = 5; k >= 0; --k) {
    for (int j = k + 1; j < 6; ++j) g[k] -= h[k][j] * g[j];
    g[k] /= h[k][k];
  }
}

static void newton_on_barrier(const Barrier* b, double* v) {
  for (int step = 0; step < 50; ++step) {
    double g[6], x[6], h[6][6], next[6], slope = 0, length = 1;
    const double value = barrier_value(b, v);
    barrier_derivatives(b, v, g, h);
    memcpy(x, g, sizeof x);
    eliminate(h, x);
    for (int i = 0; i < 6; ++i) slope += g[i] * x[i];
    if (!(slope > 1e-6 * b->tau)) return;
    for (;; length *= 0.5) {
      for (int i = 0; i < 6; ++i) next[i] = v[i] - length * x[i];
      if (length < 1e-9 || barrier_value(b, next) <= value - 0.1 * length * slope) break;
    }
    if (length < 1e-9) return;
    memcpy(v, next, sizeof next);
  }
}

// The acceleration that is left under a load.
static double left_of(const Stance* s, double load) {
  const HeftVec3 force = heft_vec3_scale(load, s->direction),
                 torque = heft_vec3_cross(s->place, force), sum = heft_vec3_add(s->gravity, force);
  Barrier b = {
      .s = s,
      .goal = {sum.x, sum.y, sum.z, torque.x / moment, torque.y / moment, torque.z / moment},
      .mass = {1, 1, 1, moment, moment, moment}};
  double v[6] = {0, 0, 1, 0, 0, 0}, worst = 0;
  for (b.tau = 1; b.tau > 1e-15; b.tau *= 0.2) newton_on_barrier(&b, v);
  for (int k = 0; k < s->feet; ++k) {
    const HeftVec3 u = velocity_of_foot(s, k, v);
    worst = fmax(worst, sqrt(heft_vec3_dot(u, u)));
  }
  return worst;
}

// The largest load for which forces of the law keep the body at rest, up to `max`.
static double limit_of(const Stance* s, double max) {
  double low = 0, high = max;
  for (int k = 0; k < 25; ++k) {
    const double load = 0.5 * (low + high);
    *(left_of(s, load) < 3e-5 ? &low : &high) = load;
  }
  return low;
}

// Whether the body stays under a load that comes at once, or grows. history: steps of growth.
static int stays(const Stance* s, double load, int history) {
  char text[TEXT];
  int n = snprintf(text, sizeof text,
                   "<mujoco><option timestep='0.002' gravity='%.17g %.17g %.17g'/><default><geom "
                   "friction='%.17g'/></default><worldbody><geom type='plane' size='0 0 1'/>"
                   "<body pos='0 0 0.1'><freejoint/><inertial pos='0 0 0' mass='1' "
                   "diaginertia='%g %g %g'/>",
                   s->gravity.x, s->gravity.y, s->gravity.z, s->mu, moment, moment, moment);
  for (int k = 0; k < s->feet; ++k)
    n += snprintf(text + n, sizeof text - (size_t)n,
                  "<geom type='sphere' size='0.02' pos='%.17g %.17g %.17g'/>", s->foot[k].x,
                  s->foot[k].y, s->foot[k].z + 0.02);
  snprintf(text + n, sizeof text - (size_t)n, "</body></worldbody></mujoco>");
  Stage stage = stage_on(described(text), NULL);
  for (int k = 0; k < 20 + history + 150; ++k) {
    const double share = k < 20 ? 0 : k < 20 + history ? (k - 20.0) / history : 1;
    heft_world_apply_wrench(stage.world, 1, heft_vec3_add(s->place, heft_vec3(0, 0, 0.1)),
                            heft_vec3_scale(share * load, s->direction), heft_vec3(0, 0, 0));
    stage_step(&stage);
  }
  double moved = 0;
  const double *q = heft_world_state(stage.world)->q, start[7] = {0, 0, 0.1, 1, 0, 0, 0};
  for (int i = 0; i < 7; ++i) moved = fmax(moved, fabs(q[i] - start[i]));
  stage_close(&stage);
  return moved < 1e-8;
}

static void test_stances_hold_to_their_limit(void** state) {
  (void)state;
  Random seed = {5};
  const int wanted = is_long() ? 200 : 8;
  int count = 0, early = 0, late = 0;
  for (int k = 0; count < wanted; ++k) {
    const Stance s = random_stance(&seed);
    const double limit = limit_of(&s, 100);
    if (!(limit > 0.1 && limit < 99)) continue;
    for (int history = 0; history < 200; history += 150) {
      early += !stays(&s, 0.999 * limit, history);
      late += stays(&s, 1.001 * limit, history);
    }
    ++count;
  }
  printf(
      "%d stances, loads that come at once and that grow: %d slip at 0.999 of their limit, %d rest "
      "at 1.001\n",
      count, early, late);
  assert_int_equal(early, 0);
  assert_int_equal(late, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sliding_converges),
      cmocka_unit_test(test_heading_is_no_input),
      cmocka_unit_test(test_motion_has_no_hidden_state),
      cmocka_unit_test(test_a_cube_stands_on_four_equal_forces),
      cmocka_unit_test(test_standing_robots_push_down),
      cmocka_unit_test(test_a_slider_leaves_a_stack_at_rest),
      cmocka_unit_test(test_a_pinch_is_symmetric),
      cmocka_unit_test(test_grasps_hold_to_their_limit),
      cmocka_unit_test(test_stances_hold_to_their_limit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
