// SPDX-License-Identifier: Apache-2.0
// Positions follow velocities: nothing hangs in the air, no time is lost without a status, and the
// centre of mass goes where momentum says. HEFT_LONG=1 takes 1000 drops of each kind, and 100000
// steps of each robot.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "world/described.h"

static int takes_long(void) { return getenv("HEFT_LONG") != NULL; }

// ---- watching

// Steps in which a body moves by less than half of its velocity times the step.
typedef struct Watch {
  double *q, *v, *way;  ///< before the step; the motion
  int* run;             ///< njoint + 1: such steps in a row
  int longest, short_steps, unnamed, shortened;
  long steps, tries, parts;
  double time, lost, defect;
} Watch;

static Watch watch_begin(const HeftModel* m) {
  return (Watch){.q = calloc((size_t)m->nq, sizeof(double)),
                 .v = calloc((size_t)m->nv, sizeof(double)),
                 .way = calloc((size_t)m->nv, sizeof(double)),
                 .run = calloc((size_t)m->njoint + 1, sizeof(int))};
}

static void watch_end(Watch* w) {
  free(w->q);
  free(w->v);
  free(w->way);
  free(w->run);
}

// A motion along a velocity: their product, and the square of the velocity.
typedef struct Along {
  double product, square;
} Along;

static Along add_along(Along sum, const double* way, const double* v, double h, int dof,
                       int count) {
  for (int i = dof; i < dof + count; ++i) {
    sum.product += way[i] * h * v[i];
    sum.square += h * v[i] * h * v[i];
  }
  return sum;
}

static int is_half(Along a, double h) {
  return a.square > 0.3 * h * 0.3 * h && a.product < 0.5 * a.square;
}

// 1 if the translation of a free joint, or all hinges and slides together (joint -1), go less than
// half of the way of their velocities, of those before the step and of those after it.
static int falls_short(const Watch* w, const HeftModel* m, int joint, double h, const double* v) {
  Along before = {0, 0}, after = {0, 0};
  for (int j = joint < 0 ? 0 : joint; j < (joint < 0 ? m->njoint : joint + 1); ++j) {
    const HeftJointType type = m->joint_type[j];
    const int dof = m->joint_dof[j];
    if (type == HEFT_JOINT_BALL || (type == HEFT_JOINT_FREE) == (joint < 0)) continue;
    before = add_along(before, w->way, w->v, h, dof, type == HEFT_JOINT_FREE ? 3 : 1);
    after = add_along(after, w->way, v, h, dof, type == HEFT_JOINT_FREE ? 3 : 1);
  }
  return is_half(before, h) && is_half(after, h);
}

static HeftStepReport watch_step(Watch* w, Stage* s) {
  const HeftModel* m = s->model;
  const HeftState* state = heft_world_state(s->world);
  const double h = heft_world_time_step(s->world);
  memcpy(w->q, state->q, (size_t)m->nq * sizeof(double));
  memcpy(w->v, state->v, (size_t)m->nv * sizeof(double));
  const HeftStepReport r = stage_step(s);
  const double lost = r.error[HEFT_QUANTITY_TIME_LOST].value;
  heft_q_difference(m, w->q, state->q, w->way);
  int any = 0;
  for (int j = -1; j < m->njoint; ++j) {
    const int is_short = falls_short(w, m, j, h, state->v);
    w->run[j + 1] = is_short ? w->run[j + 1] + 1 : 0;
    if (w->run[j + 1] > w->longest) w->longest = w->run[j + 1];
    any |= is_short;
  }
  w->short_steps += any;
  w->unnamed += r.error[HEFT_QUANTITY_MOTION_DEFECT].value > 0.5 && r.status == HEFT_STEP_SOLVED;
  w->unnamed += lost > 0 && r.status < HEFT_STEP_SHORTENED;
  w->shortened += lost > 0;
  w->steps += 1;
  w->tries += r.tries;
  w->parts += r.parts;
  w->time += h;
  w->lost += lost;
  if (!(lost > 0)) w->defect = fmax(w->defect, r.error[HEFT_QUANTITY_MOTION_DEFECT].value);
  return r;
}

static void watch_add(Watch* sum, const Watch* w) {
  sum->longest = w->longest > sum->longest ? w->longest : sum->longest;
  sum->short_steps += w->short_steps;
  sum->unnamed += w->unnamed;
  sum->shortened += w->shortened;
  sum->steps += w->steps;
  sum->tries += w->tries;
  sum->parts += w->parts;
  sum->time += w->time;
  sum->lost += w->lost;
  sum->defect = fmax(sum->defect, w->defect);
}

static void watch_judge(const Watch* w, const char* what) {
  print_message("%s: %ld steps, %ld tries, %ld parts, %d shortened, %d short, longest run %d\n",
                what, w->steps, w->tries, w->parts, w->shortened, w->short_steps, w->longest);
  print_message("  time lost %.1e of %.1f s, largest motion defect %.1e\n", w->lost, w->time,
                w->defect);
  CHECK_AT_MOST(w->longest, 2);
  CHECK_AT_MOST(w->lost, 1e-4 * w->time);
  assert_int_equal(w->unnamed, 0);
}

// ---- drops

enum { BODIES = 20, TEXT = 8000 };

typedef enum Flat { PLATE, DISC, ROD } Flat;
static const char* const kinds[] = {"plates", "discs", "rods"};

static HeftQuat random_turn(uint64_t* seed) {
  const HeftVec3 turn = {between(seed, -2, 2), between(seed, -2, 2), between(seed, -2, 2)};
  return heft_quat_exp(turn);
}

static void write_drop(char* text, Flat kind, double thick, uint64_t* seed) {
  static const char* const shapes[] = {"type=\"box\" size=\".05 .03 %.17g\"",
                                       "type=\"cylinder\" size=\".04 %.17g\"",
                                       "type=\"capsule\" size=\"%.17g .06\""};
  char shape[100];
  snprintf(shape, sizeof shape, shapes[kind], 0.5 * thick);
  int used = snprintf(text, TEXT, "<mujoco><worldbody><geom type=\"plane\" size=\"0 0 1\"/>");
  for (int i = 0; i < BODIES; ++i) {
    const HeftQuat q = random_turn(seed);
    used +=
        snprintf(text + used, (size_t)(TEXT - used),
                 "<body pos=\"%.4f %.4f %.4f\" quat=\"%.5f %.5f %.5f %.5f\"><freejoint/><geom %s "
                 "mass=\".05\" friction=\".4\"/></body>",
                 between(seed, -0.06, 0.06), between(seed, -0.06, 0.06), 0.1 + 0.13 * i, q.w, q.x,
                 q.y, q.z, shape);
  }
  snprintf(text + used, (size_t)(TEXT - used), "</worldbody></mujoco>");
}

static void drop(Flat kind, double thick, double h, uint64_t seed, double span, Watch* sum) {
  char text[TEXT];
  uint64_t state = 88172645463325252u + 7919 * seed;
  write_drop(text, kind, thick, &state);
  const HeftWorldDef def = stage_def(HEFT_INTEGRATOR_MOREAU, h);
  Stage s = stage_on(described(text), &def);
  Watch w = watch_begin(s.model);
  for (int k = 0; k * h < span; ++k) watch_step(&w, &s);
  watch_add(sum, &w);
  watch_end(&w);
  stage_close(&s);
}

// Plates, discs and rods of 0.3 to 20 mm fall on each other.
static void drops_do_not_hang(void** state) {
  (void)state;
  static const double steps[] = {0.001, 0.002, 0.005};
  static const double thin[] = {0.0003, 0.001, 0.003, 0.006, 0.012, 0.02};
  const char* only = getenv("HEFT_DROPS");
  const int count = only ? atoi(only) : takes_long() ? 1000 : 3;
  for (int kind = PLATE; kind <= ROD; ++kind) {
    Watch sum = {0};
    for (int i = STAGE_SANITIZED ? count - 1 : 0; i < count; ++i)  // one of them is enough there
      drop((Flat)kind, thin[i % 6], steps[(i + i / 3) % 3], (uint64_t)i, takes_long() ? 1.8 : 0.9,
           &sum);
    watch_judge(&sum, kinds[kind]);
  }
}

// ---- a closed box with fast balls inside

static const double box_speed = 200, box_step = 0.005;

static void write_box(char* text, double restitution) {
  static const char* const walls[] = {".21 0 0",  "-.21 0 0", "0 .21 0",
                                      "0 -.21 0", "0 0 .21",  "0 0 -.21"};
  static const char* const sizes[] = {".01 .22 .22", ".22 .01 .22", ".22 .22 .01"};
  uint64_t seed = 5;
  int used =
      snprintf(text, TEXT, "<mujoco><option gravity=\"0 0 0\"/><worldbody><body><freejoint/>");
  (void)restitution;
  for (int i = 0; i < 6; ++i)
    used +=
        snprintf(text + used, (size_t)(TEXT - used),
                 "<geom type=\"box\" size=\"%s\" pos=\"%s\" mass=\".5\"/>", sizes[i / 2], walls[i]);
  used += snprintf(text + used, (size_t)(TEXT - used), "</body>");
  for (int i = 0; i < 10; ++i)
    used +=
        snprintf(text + used, (size_t)(TEXT - used),
                 "<body pos=\"%.4f %.4f %.4f\"><freejoint/><geom type=\"sphere\" size=\".01\" "
                 "mass=\".05\"/></body>",
                 between(&seed, -.15, .15), between(&seed, -.15, .15), between(&seed, -.15, .15));
  snprintf(text + used, (size_t)(TEXT - used), "</worldbody></mujoco>");
}

static void run_box(double restitution) {
  char text[TEXT];
  uint64_t seed = 11;
  write_box(text, restitution);
  HeftModel* m = described(text);
  for (int i = 0; i < m->nmaterial; ++i) m->material_restitution[i] = restitution;
  const HeftWorldDef def = stage_def(HEFT_INTEGRATOR_MOREAU, box_step);
  Stage s = stage_on(m, &def);
  double v[66] = {1};
  for (int i = 1; i < 11; ++i) {
    const HeftVec3 d =
        heft_vec3(between(&seed, -1, 1), between(&seed, -1, 1), between(&seed, -1, 1));
    const HeftVec3 u = heft_vec3_scale(box_speed / heft_vec3_norm(d), d);
    v[6 * i] = 1 + u.x;
    v[6 * i + 1] = u.y;
    v[6 * i + 2] = u.z;
  }
  stage_set(&s, heft_world_state(s.world)->q, v);
  const Sums start = stage_sums(&s);
  const int steps = takes_long() ? 2000 : 200;
  Watch w = watch_begin(m);
  for (int k = 0; k < steps; ++k) watch_step(&w, &s);
  const Sums end = stage_sums(&s);
  const HeftVec3 way = heft_vec3_scale(steps * box_step / 3.5, start.linear);
  const HeftVec3 should = heft_vec3_add(start.com, way);
  print_message("box, restitution %g: way %.4f m, off by %.1e m, momentum by %.1e, energy %.4f\n",
                restitution, heft_vec3_norm(way), distance(end.com, should),
                distance(end.linear, start.linear), end.energy / start.energy);
  CHECK_AT_MOST(distance(end.com, should), 1e-9 * heft_vec3_norm(way));
  CHECK_AT_MOST(distance(end.linear, start.linear), 1e-9 * 0.05 * box_speed * 10);
  CHECK_AT_MOST(end.energy, start.energy * (1 + 1e-9));
  watch_judge(&w, "box");
  for (int i = 1; i < 11; ++i) {  // all are inside still
    const double* q = heft_world_state(s.world)->q;
    const HeftVec3 d = heft_vec3_sub(heft_vec3_from(q + 7 * i), heft_vec3_from(q));
    CHECK_AT_MOST(heft_vec3_norm(d), 0.22 * sqrt(3));
  }
  watch_end(&w);
  stage_close(&s);
}

static void a_box_with_balls_goes_where_momentum_says(void** state) {
  (void)state;
  run_box(0);
  run_box(1);
}

// ---- cards and bridges

// Cards of 0.3 mm that lean on each other, and fall when one is pushed at 2 m/s.
static void cards_fall(void** state) {
  (void)state;
  const double h[] = {0.001, 0.002, 0.005};
  for (int i = 0; i < (takes_long() ? 3 : 1); ++i) {
    char text[TEXT];
    int used = snprintf(text, TEXT, "<mujoco><worldbody><geom type=\"plane\" size=\"0 0 1\"/>");
    for (int k = 0; k < 12; ++k)
      used += snprintf(text + used, (size_t)(TEXT - used),
                       "<body pos=\"%g 0 .0435\" euler=\"0 %g 0\"><freejoint/><geom type=\"box\" "
                       "size=\".00015 .03 .044\" mass=\".002\" friction=\".5\"/></body>",
                       0.025 * k, k % 2 ? -15.0 : 15.0);
    snprintf(text + used, (size_t)(TEXT - used), "</worldbody></mujoco>");
    const HeftWorldDef def = stage_def(HEFT_INTEGRATOR_MOREAU, h[i]);
    Stage s = stage_on(described(text), &def);
    Watch w = watch_begin(s.model);
    for (int k = 0; k * h[i] < (STAGE_SANITIZED ? 0.2 : 1.5); ++k) {
      const double push = 2;
      if (k == (int)(0.3 / h[i]))
        assert_int_equal(heft_world_set_v(s.world, 6 * 5, &push, 1, NULL), HEFT_OK);
      watch_step(&w, &s);
    }
    watch_judge(&w, "cards");
    watch_end(&w);
    stage_close(&s);
  }
}

// A ball of 3 kg falls on a bridge of planks that hang on each other by loops.
static void a_bridge_carries(void** state) {
  (void)state;
  enum { PLANKS = 16 };
  const double h[] = {0.001, 0.002, 0.005};
  for (int i = 0; i < (takes_long() ? 3 : 1); ++i) {
    char text[TEXT];
    int used = snprintf(text, TEXT, "<mujoco><worldbody>");
    for (int k = 0; k < PLANKS; ++k)  // a parabola
      used += snprintf(text + used, (size_t)(TEXT - used),
                       "<body name=\"p%d\" pos=\"%g 0 %g\"><freejoint/><geom type=\"box\" "
                       "size=\".045 .2 .005\" mass=\".1\"/></body>",
                       k, 0.1 * k, 0.004 * (k - 7.5) * (k - 7.5));
    used += snprintf(text + used, (size_t)(TEXT - used),
                     "<body pos=\".75 0 .4\"><freejoint/><geom size=\".08\" mass=\"3\"/></body>"
                     "</worldbody><contact>");
    for (int k = 1; k < PLANKS; ++k)
      used += snprintf(text + used, (size_t)(TEXT - used), "<exclude body1=\"p%d\" body2=\"p%d\"/>",
                       k - 1, k);
    used += snprintf(text + used, (size_t)(TEXT - used), "</contact><equality>");
    for (int k = 0; k <= PLANKS; ++k) {
      char other[20] = "world";
      if (k > 0 && k < PLANKS) snprintf(other, sizeof other, "p%d", k - 1);
      for (int side = -1; side <= 1; side += 2)
        used += snprintf(text + used, (size_t)(TEXT - used),
                         "<connect body1=\"p%d\" body2=\"%s\" anchor=\"%g %g 0\"/>",
                         k < PLANKS ? k : PLANKS - 1, other, k < PLANKS ? -0.05 : 0.05, 0.2 * side);
    }
    snprintf(text + used, (size_t)(TEXT - used), "</equality></mujoco>");
    const HeftWorldDef def = stage_def(HEFT_INTEGRATOR_MOREAU, h[i]);
    Stage s = stage_on(described(text), &def);
    Watch w = watch_begin(s.model);
    double loop = 0;
    for (int k = 0; k * h[i] < (STAGE_SANITIZED ? 0.2 : 1.5); ++k) {
      const HeftStepReport r = watch_step(&w, &s);
      loop = fmax(loop, r.error[HEFT_QUANTITY_LOOP_ERROR].value);
    }
    watch_judge(&w, "bridge");
    print_message("  loops at most %.1e m apart, ball at %.3f m\n", loop,
                  heft_world_state(s.world)->q[7 * PLANKS + 2]);
    watch_end(&w);
    stage_close(&s);
  }
}

// ---- robots

static void run_robot(const char* name, const char* file, int key) {
  HeftModel* m = loaded(file);
  if (!m) {
    print_message("%s: not there\n", file);
    return;
  }
  HeftWorldDef def = heft_world_def_default();
  Stage s = stage_on(m, &def);
  if (key >= 0 && m->nkey > key) assert_int_equal(heft_world_set_key(s.world, key), HEFT_OK);
  const double h = heft_world_time_step(s.world);
  const int hold = (int)(0.2 / h), steps = takes_long() ? 100000 : STAGE_SANITIZED ? 300 : 1500;
  uint64_t seed = 88172645463325252u;
  Watch w = watch_begin(m);
  for (int k = 0; k < steps; ++k) {
    for (int i = 0; k % hold == 0 && i < m->nactuator; ++i) {
      const double* range = m->actuator_control_range + 2L * i;
      const int limited = m->actuator_control_limited[i];
      heft_world_controls(s.world)[i] =
          between(&seed, limited ? range[0] : -1, limited ? range[1] : 1);
    }
    watch_step(&w, &s);
  }
  watch_judge(&w, name);
  watch_end(&w);
  stage_close(&s);
}

static void robots_move_as_their_velocities_say(void** state) {
  (void)state;
  run_robot("g1", "unitree_g1/scene.xml", 0);
  if ((STAGE_SANITIZED || getenv("HEFT_SHORT")) && !takes_long()) return;
  run_robot("talos", "pal_talos/scene_position.xml", 0);
  run_robot("h1", "unitree_h1/scene.xml", 0);
  run_robot("cassie", "agility_cassie/scene.xml", 0);
  run_robot("shadow hand", "shadow_hand/scene_right.xml", -1);
  run_robot("humanoid", "mujoco/humanoid/humanoid.xml", 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(drops_do_not_hang),
      cmocka_unit_test(a_box_with_balls_goes_where_momentum_says),
      cmocka_unit_test(cards_fall),
      cmocka_unit_test(a_bridge_carries),
      cmocka_unit_test(robots_move_as_their_velocities_say),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
