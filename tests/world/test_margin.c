// SPDX-License-Identifier: Apache-2.0
// Margins against closed forms, and against the loads at which replays fail.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "described.h"
#include "stage.h"

#define FLOOR(mu) "<geom type='plane' size='9 9 1' friction='" mu " 0 0'/>"
#define SCENE(gravity, parts)                                                 \
  "<mujoco><option timestep='0.001' gravity='" gravity "'/><worldbody>" parts \
  "</worldbody></mujoco>"
#define BOX(mu, size, height)                                                      \
  FLOOR(mu)                                                                        \
  "<body name='box' pos='0 0 " height "'><freejoint/><geom type='box' size='" size \
  "' mass='1' friction='" mu " 0 0'/></body>"
#define SPHERE(x, y, z) "<geom type='sphere' size='0.03' mass='0' pos='" x " " y " " z "'/>"

typedef struct Case {
  const char *name, *scene, *body;
  HeftVec3 point, force, torque;  // point: in the body's frame
  double load;                    // closed form [factor]; 0: none
  HeftMarginEnd end;
  double joint[2];   // forces of the first joints
  double tolerance;  // of the replays, relative; 0: 1e-3
} Case;

// 20 degrees: 9.81 sin, 9.81 cos.
#define SLOPE "3.3552376 0 -9.2183847"

static const Case cases[] = {
    {"box on a slope, pulled down at its base",
     SCENE(SLOPE, BOX("0.5", ".1 .1 .1", ".1")),
     "box",
     {0, 0, -0.1},
     {1, 0, 0},
     {0, 0, 0},
     0.5 * 9.2183847 - 3.3552376,
     HEFT_MARGIN_SLIPS,
     {0},
     0},
    {"box, pushed at its top",
     SCENE("0 0 -9.81", BOX("0.8", ".1 .1 .1", ".1")),
     "box",
     {0, 0, 0.1},
     {1, 0, 0},
     {0, 0, 0},
     9.81 * 0.5,
     HEFT_MARGIN_TIPS,
     {0},
     0},
    {"box, lifted",
     SCENE("0 0 -9.81", BOX("0.5", ".1 .1 .1", ".1")),
     "box",
     {0, 0, 0},
     {0, 0, 1},
     {0, 0, 0},
     9.81,
     HEFT_MARGIN_TIPS,
     {0},
     0},
    {"box, pressed down",
     SCENE("0 0 -9.81", BOX("0.5", ".1 .1 .1", ".1")),
     "box",
     {0, 0, 0},
     {0, 0, -1},
     {0, 0, 0},
     HUGE_VAL,
     HEFT_MARGIN_NEVER,
     {0},
     0},
    {"flat box, pushed at a corner",
     SCENE("0 0 -9.81", BOX("0.4", ".2 .1 .05", ".05")),
     "box",
     {0.2, 0.1, 0},
     {0, 1, 0},
     {0, 0, 0},
     0,
     HEFT_MARGIN_SLIPS,
     {0},
     0},
    {"flat box, twisted",
     SCENE("0 0 -9.81", BOX("0.4", ".2 .1 .05", ".05")),
     "box",
     {0, 0, 0},
     {0, 0, 0},
     {0, 0, 1},
     0.4 * 9.81 * 0.2236067977,
     HEFT_MARGIN_SLIPS,
     {0},
     0},
    {"capsule between two jaws",
     SCENE("0 0 -9.81",
           "<body name='left' pos='-.014 0 .5'><joint type='slide' axis='1 0 0'/>"
           "<geom type='box' size='.01 .02 .02' mass='.1' friction='.7 0 0'/></body>"
           "<body name='right' pos='.014 0 .5'><joint type='slide' axis='1 0 0'/>"
           "<geom type='box' size='.01 .02 .02' mass='.1' friction='.7 0 0'/></body>"
           "<body name='object' pos='0 0 .5'><freejoint/>"
           "<geom type='capsule' size='.004 .01' mass='.045' friction='.7 0 0'/></body>"),
     "object",
     {0, 0, 0},
     {0, 0, -1},
     {0, 0, 0},
     2 * 0.7 * 10 - 0.045 * 9.81,
     HEFT_MARGIN_SLIPS,
     {10, -10},
     0},
    {"ladder of 60 degrees on a rough floor, a man at its top",
     SCENE("0 0 -9.81",
           "<geom type='plane' size='9 9 1' friction='.5 0 0' priority='1'/>"
           "<geom type='box' pos='.53 0 3' size='.5 2 3' friction='0 0 0' priority='1'/>"
           "<body name='ladder' pos='-1 0 1.762050808'><freejoint/>"
           "<inertial pos='0 0 0' mass='10' diaginertia='13.33 13.33 .5'/>" SPHERE(
               "-1", "-.25", "-1.732050808") SPHERE("-1", ".25", "-1.732050808")
               SPHERE("1", "-.25", "1.732050808") SPHERE("1", ".25", "1.732050808") "</body>"),
     "ladder",
     {1, 0, 1.732050808},
     {0, 0, -1},
     {0, 0, 0},
     // the wall carries µ (W + L), at a height z; moments about the foot: µ (W + L) z = W + 2 L
     98.1 * (0.5 * 3.494101615 - 1) / (2 - 0.5 * 3.494101615),
     HEFT_MARGIN_SLIPS,
     {0},
     0},
};
enum { CASES = sizeof cases / sizeof *cases, SETTLE = 60, HELD = 400 };

static void start(Stage* s, const Case* c) {
  *s = stage_on(described(c->scene), NULL);
  double* joint = heft_world_joint_forces(s->world);
  for (int i = 0; i < 2 && i < s->model->nv; ++i) joint[i] = c->joint[i];
  for (int i = 0; i < SETTLE; ++i) heft_world_step(s->world);
}

static HeftMarginLoad load_of(const Stage* s, const Case* c) {
  const int body = heft_model_find(s->model, HEFT_NAMED_BODY, c->body);
  const HeftPose at = heft_dynamics_body_pose(heft_world_dynamics(s->world), body);
  return (HeftMarginLoad){body, heft_pose_apply(at, c->point), c->force, c->torque};
}

// 1 if nothing moves under a load for a while.
static int holds(const Case* c, double load) {
  Stage s;
  start(&s, c);
  const int nq = s.model->nq;
  double before[32], moved = 0;
  memcpy(before, heft_world_state(s.world)->q, sizeof(double) * (size_t)nq);
  for (int i = 0; i < HELD && moved < 1e-6; ++i) {
    const HeftMarginLoad at = load_of(&s, c);
    heft_world_apply_wrench(s.world, at.body, at.point, heft_vec3_scale(load, at.force),
                            heft_vec3_scale(load, at.torque));
    heft_world_step(s.world);
    for (int k = 0; k < nq; ++k)
      moved = fmax(moved, fabs(heft_world_state(s.world)->q[k] - before[k]));
  }
  stage_close(&s);
  return moved < 1e-6;
}

static double bisected(const Case* c, double guess) {
  double low = 0, high = 1.5 * guess;
  while (high - low > 1e-4 * guess)
    *(holds(c, 0.5 * (low + high)) ? &low : &high) = 0.5 * (low + high);
  return 0.5 * (low + high);
}

static void margins_are_the_limits(void** state) {
  (void)state;
  for (int i = 0; i < CASES; ++i) {
    const Case* c = &cases[i];
    Stage s;
    HeftMargin margin;
    HeftError error = {0};
    double tip = 0;
    start(&s, c);
    const HeftMarginLoad load = load_of(&s, c);
    assert_int_equal(heft_world_margin(s.world, &load, 1, &margin, &error), HEFT_OK);
    assert_int_equal(heft_world_tip_margin(s.world, &load, 1, &tip, &error), HEFT_OK);
    const double limit = margin.end == HEFT_MARGIN_NEVER ? HUGE_VAL : bisected(c, margin.load);
    printf("%s: %s at %.6f, closed form %.6f, replays %.6f\n", c->name,
           heft_margin_end_name(margin.end), margin.load, c->load, limit);
    stage_close(&s);
    assert_int_equal(margin.end, c->end);
    if (margin.end == HEFT_MARGIN_NEVER) continue;
    if (margin.end == HEFT_MARGIN_TIPS) CHECK_AT_MOST(fabs(tip / margin.load - 1), 1e-6);
    if (margin.end == HEFT_MARGIN_SLIPS) assert_true(tip > 1.01 * margin.load);
    if (c->load > 0) CHECK_AT_MOST(fabs(margin.load / c->load - 1), 1e-6);
    CHECK_AT_MOST(fabs(margin.load / limit - 1), c->tolerance > 0 ? c->tolerance : 1e-3);
  }
}

// ---- random stances

// Boxes, stacks and tables on slopes, pushed anywhere in any direction.
static void write_random(uint64_t* seed, char* text, size_t size) {
  const int kind = (int)between(seed, 0, 3);
  const double mu = between(seed, 0.3, 0.9), steep = between(seed, 0, 0.2), g = 9.81;
  const double a = between(seed, 0.05, 0.2), b = between(seed, 0.05, 0.2),
               c = between(seed, 0.05, 0.2);
  int used =
      snprintf(text, size,
               "<mujoco><option timestep='0.001' gravity='%.17g 0 %.17g'/><default><geom "
               "friction='%.17g 0 0'/></default><worldbody><geom type='plane' size='9 9 1'/>",
               g * sin(steep), -g * cos(steep), mu);
  const int boxes = kind == 1 ? 2 : 1;
  for (int k = 0; k < boxes; ++k)
    used += snprintf(text + used, size - (size_t)used,
                     "<body name='%s' pos='0 0 %.17g'><freejoint/><geom type='box' size='%.17g "
                     "%.17g %.17g' pos='0 0 %.17g' mass='1'/>%s",
                     k == boxes - 1 ? "box" : "base", (2 * k + 1) * c, a, b, c, kind == 2 ? 0.4 : 0,
                     kind == 2 ? "" : "</body>");
  for (int k = 0; k < 6 && kind == 2; ++k)
    used += snprintf(text + used, size - (size_t)used,
                     "<geom type='sphere' size='0.02' mass='0' pos='%.17g %.17g %.17g'/>",
                     a * cos(k * 1.047), b * sin(k * 1.047), 0.02 - c);
  snprintf(text + used, size - (size_t)used, "%s</worldbody></mujoco>", kind == 2 ? "</body>" : "");
}

static void random_stances(void** state) {
  (void)state;
  const int count = getenv("HEFT_LONG") ? 400 : getenv("HEFT_SHORT") ? 15 : 60;
  uint64_t seed = 20261118;
  double worst = 0, errors[400];
  int used = 0, never = 0;
  for (int i = 0; i < count; ++i) {
    char text[3000];
    Stage s;
    HeftMargin margin;
    write_random(&seed, text, sizeof text);
    Case c = {.name = "random", .scene = text, .body = "box"};
    double number[6];  // one after the other: compilers order arguments as they like
    for (int k = 0; k < 6; ++k) number[k] = between(&seed, -1, 1);
    c.point = heft_vec3_scale(0.05, heft_vec3_from(number));
    c.force = heft_vec3(number[3], number[4], 0.3 * number[5]);
    start(&s, &c);
    const HeftMarginLoad load = load_of(&s, &c);
    assert_int_equal(heft_world_margin(s.world, &load, 1, &margin, NULL), HEFT_OK);
    stage_close(&s);
    // A hundred times the weight, nearly along an edge of the cones, is as good as any load.
    if (!(margin.load > 0.01 && margin.load < 1000)) {
      never++;
      continue;
    }
    const double limit = bisected(&c, margin.load), error = margin.load / limit - 1;
    errors[used++] = fabs(error);
    if (fabs(error) > 1e-3)
      printf("stance %d: %s at %.6f, replays %.6f\n%s\n", i, heft_margin_end_name(margin.end),
             margin.load, limit, text);
    worst = fmax(worst, fabs(error));
  }
  int good = 0;
  for (int i = 0; i < used; ++i) good += errors[i] < 1e-3;
  printf("%d of %d random stances within 0.1 %%, worst %.2g; %d hold anything or nothing\n", good,
         used, worst, never);
  assert_true(used > 0.8 * count);
  assert_int_equal(good, used);
}

// ---- soft and weak joints

// A mass on a column with one hinge at its foot, a plate of 0.2 m.
#define COLUMN(joint, actuator) \
  "<mujoco><option timestep='0.001'/><worldbody>" FLOOR("1")                                      \
  "<body name='foot' pos='0 0 .01'><freejoint/><geom type='box' size='.1 .1 .01' mass='1e-3'/>"   \
  "<body name='mass' pos='0 0 .01'><joint name='hinge' axis='0 1 0' " joint "/>"                  \
  "<geom type='sphere' size='.05' pos='0 0 .5' mass='10' contype='0' conaffinity='0'/></body>"    \
  "</body></worldbody>" actuator "</mujoco>"

static HeftMargin push_column(const char* text) {
  const Case c = {.scene = text, .body = "mass", .point = {0, 0, 0.5}, .force = {1, 0, 0}};
  Stage s;
  HeftMargin margin;
  start(&s, &c);
  const HeftMarginLoad load = load_of(&s, &c);
  assert_int_equal(heft_world_margin(s.world, &load, 1, &margin, NULL), HEFT_OK);
  stage_close(&s);
  return margin;
}

// Moments about the edge of the plate: F (H + 0.02) + m g θ H = m g b; about the hinge
// F H = (k - m g H) θ.
static void soft_joints_sag(void** state) {
  (void)state;
  const double k = 2000, weight = 98.1, h = 0.5, b = 0.1;
  const HeftMargin soft = push_column(COLUMN("stiffness='2000' damping='200'", ""));
  const double rigid = (weight + 1e-3 * 9.81) * b / (h + 0.02),
               exact = (weight + 1e-3 * 9.81) * b / (h + 0.02 + weight * h * h / (k - weight * h));
  printf("column: rigid %.5f (%.5f), with sag %.5f (%.5f)\n", soft.rigid, rigid, soft.load, exact);
  CHECK_AT_MOST(fabs(soft.rigid / rigid - 1), 1e-6);
  CHECK_AT_MOST(fabs(soft.load / exact - 1), 1e-4);
}

static void weak_servos_give_way(void** state) {
  (void)state;
  const HeftMargin weak = push_column(
      COLUMN("damping='200'",
             "<actuator><general joint='hinge' gainprm='1e6' biastype='affine' biasprm='0 -1e6 "
             "0' forcelimited='true' forcerange='-4 6'/></actuator>"));
  printf("servo: %.6f (8)\n", weak.load);
  CHECK_AT_MOST(fabs(weak.load / 8 - 1), 1e-4);  // 4 N m at 0.5 m, less the sag of 4e-6 rad
  assert_int_equal(weak.end, HEFT_MARGIN_TIPS);
}

// A humanoid on eight points, pushed at its pelvis. Its feet lift one after the other, and slide.
typedef struct Push {
  double stiffness, angle;  // of its joints [N m/rad]; towards [degrees]
  double limit;             // by simulations: HEFT_LONG=1 finds it again [N]
} Push;

static const Push pushes[] = {{10000, 0, 102.6},  {10000, 180, 52.4},  {10000, 90, 97.6},
                              {10000, 45, 126.1}, {10000, 300, 106.8}, {2400, 0, 88.3},
                              {2400, 90, 87.9},   {2400, 45, 90.8}};

// A robot after some steps. stiffness: of its joints, 0: as in the file.
static Stage stand(const char* scene, double stiffness, int steps) {
  Stage s = {.model = NULL};
  char path[600];
  const HeftLoadDef def = heft_load_def_default();
  HeftModel* m = NULL;
  snprintf(path, sizeof path, "%s/scenes/%s", HEFT_SOURCE_DIR, scene);
  assert_int_equal(heft_model_load_file(&m, path, &def, NULL), HEFT_OK);
  for (int d = 6; d < m->nv && stiffness > 0; ++d) {
    m->dof_stiffness[d] = stiffness;
    m->dof_damping[d] = 0.05 * stiffness;
  }
  HeftWorldDef world = heft_world_def_default();
  world.rest = world.sleep = 0;
  s = stage_on(m, &world);
  for (int i = 0; i < steps; ++i) stage_step(&s);
  return s;
}

// 1 if it still stands after a push that grows for 12 s and lasts for 6 s more.
static int stands(const Stage* s, const HeftMarginLoad* load, double size) {
  const HeftPose start = heft_dynamics_body_pose(heft_world_dynamics(s->world), load->body);
  const HeftVec3 local = heft_pose_apply(heft_pose_inverse(start), load->point);
  HeftWorld* w = NULL;
  double moved = 0;
  assert_int_equal(heft_world_clone(&w, s->world, NULL), HEFT_OK);
  for (int i = 0; i < 18000 && moved < 0.3; ++i) {
    const HeftPose at = heft_dynamics_body_pose(heft_world_dynamics(w), load->body);
    heft_world_apply_wrench(w, load->body, heft_pose_apply(at, local),
                            heft_vec3_scale(size * fmin(1, i / 12000.0), load->force),
                            heft_vec3(0, 0, 0));
    heft_world_step(w);
    moved = heft_vec3_norm(heft_vec3_sub(at.pos, start.pos));
  }
  heft_world_destroy(w);
  return moved < 0.3;
}

static void stiff_robots_lift_their_feet(void** state) {
  (void)state;
  for (size_t i = 0; i < sizeof pushes / sizeof *pushes; ++i) {
    const Push* p = &pushes[i];
    Stage s = stand("humanoid_8.xml", p->stiffness, 2000);
    const int body = heft_model_find(s.model, HEFT_NAMED_BODY, "pelvis");
    const double angle = HEFT_PI / 180 * p->angle;
    const HeftMarginLoad load = {body,
                                 heft_dynamics_center_of_mass(heft_world_dynamics(s.world), body),
                                 {cos(angle), sin(angle), 0},
                                 {0, 0, 0}};
    HeftMargin margin;
    double low = 0.9 * p->limit, high = 1.1 * p->limit;
    assert_int_equal(heft_world_margin(s.world, &load, 1, &margin, NULL), HEFT_OK);
    while (getenv("HEFT_LONG") && high - low > 2e-3 * high)
      *(stands(&s, &load, 0.5 * (low + high)) ? &low : &high) = 0.5 * (low + high);
    const double limit = 0.5 * (low + high);
    printf("%.0f N m/rad towards %.0f degrees: %.2f N (rigid %.2f), simulations %.2f\n",
           p->stiffness, p->angle, margin.load, margin.rigid, limit);
    CHECK_AT_MOST(fabs(limit / p->limit - 1), 5e-3);
    CHECK_AT_MOST(fabs(margin.load / p->limit - 1), p->stiffness > 5000 ? 0.025 : 0.05);
    stage_close(&s);
  }
}

// Springs of 40 N m/rad let the legs lean by 25 degrees, and the feet are spheres of 30 mm. Limits
// by pushes that grow for 50 s and last for 100 s more.
static void round_feet_roll(void** state) {
  (void)state;
  static const double limits[][3] = {{1, 0, 24.71}, {0, 1, 32.16}, {1, 1, 14.34}};
  for (size_t i = 0; i < sizeof limits / sizeof *limits; ++i) {
    Stage s = stand("quadruped.xml", 0, 800);
    const int body = heft_model_find(s.model, HEFT_NAMED_BODY, "trunk");
    const HeftPose at = heft_dynamics_body_pose(heft_world_dynamics(s.world), body);
    const HeftMarginLoad load = {body,
                                 heft_pose_apply(at, heft_vec3(0, 0, -0.0537)),
                                 {limits[i][0], limits[i][1], 0},
                                 {0, 0, 0}};
    HeftMargin margin;
    assert_int_equal(heft_world_margin(s.world, &load, 1, &margin, NULL), HEFT_OK);
    printf("quadruped: %.2f N (rigid %.2f), simulations %.2f\n", margin.load, margin.rigid,
           limits[i][2]);
    CHECK_AT_MOST(fabs(margin.load / limits[i][2] - 1), 0.02);
    stage_close(&s);
  }
}

// ---- the other questions

static void friction_of_a_slope(void** state) {
  (void)state;
  Stage s;
  double factor = 0;
  start(&s, &cases[0]);
  assert_int_equal(heft_world_friction_needed(s.world, 1, &factor, NULL), HEFT_OK);
  CHECK_AT_MOST(fabs(factor - 3.3552376 / 9.2183847 / 0.5), 1e-6);
  stage_close(&s);
  start(&s, &cases[1]);  // level: none
  assert_int_equal(heft_world_friction_needed(s.world, 1, &factor, NULL), HEFT_OK);
  CHECK_AT_MOST(factor, 1e-6);
  stage_close(&s);
}

// Of a box on four corners each carries between nothing and half of the weight; the corners of one
// diagonal carry equal forces.
static void ranges_of_four_corners(void** state) {
  (void)state;
  Stage s;
  start(&s, &cases[1]);
  assert_int_equal(heft_world_contact_count(s.world), 4);
  for (int i = 0; i < 4; ++i) {
    double least = 1, most = 0;
    assert_int_equal(heft_world_contact_range(s.world, i, &least, &most, NULL), HEFT_OK);
    CHECK_AT_MOST(fabs(least), 1e-5);
    CHECK_AT_MOST(fabs(most - 0.5 * 9.81), 1e-5);
  }
  stage_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(margins_are_the_limits),
                                     cmocka_unit_test(random_stances),
                                     cmocka_unit_test(soft_joints_sag),
                                     cmocka_unit_test(weak_servos_give_way),
                                     cmocka_unit_test(stiff_robots_lift_their_feet),
                                     cmocka_unit_test(round_feet_roll),
                                     cmocka_unit_test(friction_of_a_slope),
                                     cmocka_unit_test(ranges_of_four_corners)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
