// SPDX-License-Identifier: Apache-2.0
// Tendons in the step: springs, dampers, limits, dry friction, equalities, across branches and
// trees, and the shared models that live on them.
#include "world/described.h"

// A weight of 3 kg on a vertical rail, at z = 1, hung on a hook at z = 2 by a tendon.
static const char* const hung =
    "<mujoco><option timestep='%g'/><worldbody><site name='hook' pos='0 0 2'/>"
    "<body pos='0 0 1'><joint name='z' type='slide' axis='0 0 1'/>"
    "<inertial pos='0 0 0' mass='3' diaginertia='1 1 1'/><site name='ring'/></body></worldbody>"
    "<tendon><spatial name='rope' %s><site site='hook'/><site site='ring'/></spatial></tendon>"
    "</mujoco>";

static Stage hang(double h, const char* rope) {
  char text[2000];
  snprintf(text, sizeof text, hung, h, rope);
  return stage_on(described(text), NULL);
}

// ---- springs and dampers

// A spring of 1200 N/m at rest at 0.5 m: z = z_eq + A cos ωt about 2 - 0.5 - mg/k.
static double swing_error(double h) {
  Stage s = hang(h, "stiffness='1200' springlength='0.5'");
  const double rest = -1 + 2 - 0.5 - 3 * 9.81 / 1200, omega = sqrt(1200.0 / 3);
  double worst = 0;
  for (int i = 1; i <= (int)lround(0.5 / h); ++i) {
    const HeftStepReport r = stage_step(&s);
    const double z = rest - rest * cos(omega * i * h);
    worst = fmax(worst, fabs(heft_world_state(s.world)->q[0] - z));
    CHECK_AT_MOST(fabs(r.energy_change), 1e-10);
  }
  stage_close(&s);
  return worst;
}

static void spring_swings_by_its_formula(void** state) {
  (void)state;
  const double coarse = swing_error(0.002), fine = swing_error(0.001);
  printf("weight on a tendon's spring: error %.2e m at 2 ms, %.2e at 1 ms\n", coarse, fine);
  CHECK_AT_MOST(coarse, 5e-3);
  CHECK_AT_MOST(fabs(coarse / fine - 4), 0.2);
}

// Slack between 0.9 and 1.4 m: falls free, then is caught; both integrators agree.
static void slack_does_nothing(void** state) {
  (void)state;
  Stage s = hang(0.001, "stiffness='1000' damping='2' springlength='0.9 1.4'");
  s.model->tendon_damping[0] = 0;
  for (int i = 1; i <= 250; ++i) {
    stage_step(&s);
    const double t = i * 0.001;
    CHECK_AT_MOST(fabs(heft_world_state(s.world)->q[0] + 0.5 * 9.81 * t * t), 1e-12);
  }
  for (int i = 0; i < 300; ++i) stage_step(&s);
  CHECK_AT_MOST(-heft_world_state(s.world)->q[0], 0.7);
  stage_close(&s);
}

// Stiffness and damping without end on one path: a rope that is a rod.
static void stiff_tendons_on_one_path_are_stable(void** state) {
  (void)state;
  static const char* const arm =
      "<mujoco><option timestep='0.005'/><worldbody><body pos='0 0 2'>"
      "<joint name='a' axis='0 1 0'/><geom type='capsule' size='0.05' fromto='0 0 0 0.5 0 0'/>"
      "<body pos='0.5 0 0'><joint name='b' axis='0 1 0'/>"
      "<geom type='capsule' size='0.04' fromto='0 0 0 0.4 0 0'/></body></body></worldbody>"
      "<tendon><fixed name='t' stiffness='1e9' damping='1e6'><joint joint='a' coef='1'/>"
      "<joint joint='b' coef='0.5'/></fixed></tendon></mujoco>";
  Stage s = stage_on(described(arm), NULL);
  assert_true(s.world->drives->transmissions->list[0].one_path == 1);
  double worst = 0, energy = 0;
  for (int i = 0; i < 2000; ++i) {
    const HeftStepReport r = stage_step(&s);
    const double* q = heft_world_state(s.world)->q;
    worst = fmax(worst, fabs(q[0] + 0.5 * q[1]));
    if (i == 0) energy = r.kinetic + r.potential;
    CHECK_AT_MOST(r.kinetic + r.potential, energy + 0.5);
  }
  printf("two joints tied by 1e9 N m: apart by at most %.1e rad\n", worst);
  CHECK_AT_MOST(worst, 1e-6);
  stage_close(&s);
}

// ---- limits

// The rope of 1.2 m catches the falling weight; it hangs still, and the rope holds 3 g.
static void rope_catches_and_holds(void** state) {
  (void)state;
  Stage s = hang(0.002, "limited='true' range='0 1.2'");
  for (int i = 0; i < 1000; ++i) stage_step(&s);
  const HeftState* now = heft_world_state(s.world);
  CHECK_AT_MOST(fabs(now->q[0] + 0.2), 1e-6);
  CHECK_AT_MOST(fabs(now->v[0]), 1e-7);
  const double pull =
      s.world->constraints->warm_start.by_source[CONSTRAINT_TENDON_LIMIT][1] / 0.002;
  CHECK_AT_MOST(fabs(pull - 3 * 9.81), 1e-4);
  stage_close(&s);
}

// A rope between two free bodies: the pair flies on with its momentum, and the rope is never
// longer.
static void rope_between_two_trees(void** state) {
  (void)state;
  static const char* const pair =
      "<mujoco><option gravity='0 0 0' timestep='0.001'/><worldbody>"
      "<body pos='0 0 0'><freejoint/><geom type='box' size='0.1 0.1 0.1' mass='2'/>"
      "<site name='a' pos='0.1 0 0'/></body>"
      "<body pos='1 0 0'><freejoint/><geom type='sphere' size='0.1' mass='1'/>"
      "<site name='b' pos='-0.1 0 0'/></body></worldbody>"
      "<tendon><spatial limited='true' range='0 1'><site site='a'/><site site='b'/></spatial>"
      "</tendon></mujoco>";
  Stage s = stage_on(described(pair), NULL);
  HeftState* start = NULL;
  assert_int_equal(heft_state_create(&start, s.model, NULL, NULL), HEFT_OK);
  start->v[6] = 1;
  start->v[7] = 0.5;
  assert_int_equal(heft_world_set_state(s.world, start), HEFT_OK);
  heft_state_destroy(start);
  double longest = 0, drift = 0;
  for (int i = 0; i < 5000; ++i) {
    stage_step(&s);
    const double length = heft_dynamics_tendon_length(heft_world_dynamics(s.world), 0,
                                                      heft_world_state(s.world)->q, NULL);
    longest = fmax(longest, length);
    drift = fmax(drift, distance(stage_sums(&s).linear, heft_vec3(1, 0.5, 0)));
  }
  printf("rope of 1 m between two bodies: longest %.6f m, momentum off by %.1e\n", longest, drift);
  CHECK_AT_MOST(longest, 1 + 1e-3);
  CHECK_AT_MOST(drift, 1e-9);
  assert_true(longest > 0.999);
  stage_close(&s);
}

// Two weights on a string over a third body, which hangs free: a wide tendon. Nothing is longer
// than it may be, and nothing gains momentum beside weight.
static void string_over_a_third_body(void** state) {
  (void)state;
  static const char* const three =
      "<mujoco><option timestep='0.001'/><worldbody>"
      "<body pos='0 0 2'><freejoint/><geom name='drum' type='sphere' size='0.3' mass='4' "
      "contype='0' conaffinity='0'/><site name='top' pos='0 0 0.5'/></body>"
      "<body pos='0.5 0 1.6'><freejoint/><geom size='0.05' mass='1'/><site name='a'/></body>"
      "<body pos='-0.5 0 1.6'><freejoint/><geom size='0.05' mass='2'/><site name='b'/></body>"
      "</worldbody><tendon><spatial name='string' limited='true' range='0 2.2'><site site='a'/>"
      "<geom geom='drum' sidesite='top'/><site site='b'/></spatial></tendon></mujoco>";
  Stage s = stage_on(described(three), NULL);
  assert_int_equal(s.world->drives->tendon_constraints->cross_count, 1);
  HeftState* start = NULL;
  assert_int_equal(heft_state_create(&start, s.model, NULL, NULL), HEFT_OK);
  start->v[2] = 2;   // the drum rises
  start->v[8] = -1;  // the weights fall
  start->v[14] = -2;
  assert_int_equal(heft_world_set_state(s.world, start), HEFT_OK);
  heft_state_destroy(start);
  double longest = 0, drift = 0;
  const double at_start = stage_sums(&s).linear.z;
  for (int i = 1; i <= 300; ++i) {
    stage_step(&s);
    longest = fmax(longest, heft_dynamics_tendon_length(heft_world_dynamics(s.world), 0,
                                                        heft_world_state(s.world)->q, NULL));
    const HeftVec3 fallen = {0, 0, at_start - 7 * 9.81 * 0.001 * i};
    drift = fmax(drift, distance(stage_sums(&s).linear, fallen));
  }
  printf("string of 2.2 m over a drum: longest %.5f m, momentum off by %.1e\n", longest, drift);
  assert_true(longest > 2.199);
  CHECK_AT_MOST(longest, 2.2 + 1e-3);
  CHECK_AT_MOST(drift, 1e-9);
  stage_close(&s);
}

// ---- dry friction and equalities

// Friction of 40 N holds 3 kg still; 20 N lets it slide down with g - 20/3.
static void dry_friction_holds_or_slides(void** state) {
  (void)state;
  for (int slides = 0; slides < 2; ++slides) {
    Stage s = hang(0.001, slides ? "frictionloss='20'" : "frictionloss='40'");
    for (int i = 0; i < 300; ++i) stage_step(&s);
    const double v = heft_world_state(s.world)->v[0];
    CHECK_AT_MOST(fabs(v + (slides ? 0.3 * (9.81 - 20.0 / 3) : 0)), 1e-9);
    stage_close(&s);
  }
}

// Two fixed tendons of two joints each, in two branches; one is twice the other.
static void equality_of_tendons_is_kept(void** state) {
  (void)state;
  static const char* const fork =
      "<mujoco><option timestep='0.001'/><worldbody><body pos='0 0 2'>"
      "<joint name='root' axis='0 1 0'/><geom type='box' size='0.1 0.1 0.1'/>"
      "<body pos='0.2 0 0'><joint name='a1' axis='0 1 0'/>"
      "<geom type='capsule' size='0.03' fromto='0 0 0 0.3 0 0'/>"
      "<body pos='0.3 0 0'><joint name='a2' axis='0 1 0'/>"
      "<geom type='capsule' size='0.03' fromto='0 0 0 0.2 0 0'/></body></body>"
      "<body pos='-0.2 0 0'><joint name='b1' axis='0 1 0'/>"
      "<geom type='capsule' size='0.03' fromto='0 0 0 -0.3 0 0'/></body></body>"
      "<body pos='1 0 2'><joint name='c' axis='0 1 0'/>"
      "<geom type='capsule' size='0.03' fromto='0 0 0 0.3 0 0'/></body></worldbody><tendon>"
      "<fixed name='y'><joint joint='a1' coef='1'/><joint joint='a2' coef='-0.5'/></fixed>"
      "<fixed name='x'><joint joint='b1' coef='1'/>%s</fixed></tendon>"
      "<equality><tendon tendon1='y' tendon2='x' polycoef='0.1 2 %s 0 0'/></equality></mujoco>";
  for (int kind = 0; kind < 3; ++kind) {
    char text[3000];
    snprintf(text, sizeof text, fork, kind == 1 ? "<joint joint='c' coef='1'/>" : "",
             kind == 2 ? "0.3" : "0");
    Stage s = stage_on(described(text), NULL);
    double worst = 0, energy = 0;
    for (int i = 0; i < 3000; ++i) {
      const HeftStepReport r = stage_step(&s);
      const double* q = heft_world_state(s.world)->q;
      const double y = q[1] - 0.5 * q[2], x = q[3] + (kind == 1 ? q[4] : 0);
      if (i > 400) worst = fmax(worst, fabs(y - 0.1 - 2 * x - (kind == 2 ? 0.3 * x * x : 0)));
      if (i == 400) energy = r.kinetic + r.potential;
      if (i > 400) CHECK_AT_MOST(r.kinetic + r.potential, energy + 0.05);
    }
    printf("tendon equality %d: off by at most %.1e\n", kind, worst);
    CHECK_AT_MOST(worst, 1e-3);
    stage_close(&s);
  }
}

// ---- snapshots and shared models

static void snapshot_keeps_the_bits(void** state) {
  (void)state;
  Stage s = hang(0.002, "limited='true' range='0 1.2' frictionloss='2' stiffness='30'");
  Stage other = hang(0.002, "limited='true' range='0 1.2' frictionloss='2' stiffness='30'");
  for (int i = 0; i < 120; ++i) stage_step(&s);
  const size_t size = heft_world_snapshot_size(s.world);
  void* bytes = malloc(size);
  heft_world_snapshot(s.world, bytes);
  assert_int_equal(heft_world_restore(other.world, bytes, size), HEFT_OK);
  for (int i = 0; i < 200; ++i) {
    stage_step(&s);
    stage_step(&other);
    assert_true(heft_world_hash(s.world) == heft_world_hash(other.world));
  }
  free(bytes);
  stage_close(&s);
  stage_close(&other);
}

// Models with tendons and equalities, from their first keyframe: HEFT_LONG=1 runs ten seconds.
static void shared_models_run(void** state) {
  (void)state;
  static const char* const files[] = {
      "shadow_hand/right_hand.xml",           "agility_cassie/scene.xml",
      "mujoco/humanoid/humanoid.xml",         "mujoco/car/car.xml",

      "mujoco/replicate/tendon.xml",          "mujoco/tendon_arm/arm26.xml",
      "mujoco/slider_crank/slider_crank.xml", "mujoco/replicate/newton_cradle.xml"};
  const double span = getenv("HEFT_LONG") ? 10 : STAGE_SANITIZED ? 0.1 : 1;
  for (size_t f = 0; f < sizeof files / sizeof *files; ++f) {
    HeftModel* m = loaded(files[f]);
    if (!m) continue;
    Stage s = stage_on(m, NULL);
    if (m->nkey > 0) {
      HeftState* start = NULL;
      assert_int_equal(heft_state_create(&start, m, NULL, NULL), HEFT_OK);
      heft_state_set_key(start, m, 0);
      assert_int_equal(heft_world_set_state(s.world, start), HEFT_OK);
      memcpy(heft_world_controls(s.world), m->key_control, (size_t)m->nactuator * sizeof(double));
      heft_state_destroy(start);
    }
    double fastest = 0, residual = 0;
    const int steps = (int)(span / s.world->def.time_step);
    for (int i = 0; i < steps; ++i) {
      const HeftStepReport r = stage_step(&s);
      residual = fmax(residual, r.relative);
      fastest = fmax(fastest, r.kinetic);
    }
    double speed = 0;
    for (int i = 0; i < m->nv; ++i) speed = fmax(speed, fabs(heft_world_state(s.world)->v[i]));
    printf("   %-38s %5d steps, kinetic energy up to %.3g J, %.2g at the end, residual %.1e\n",
           files[f], steps, fastest, speed, residual);
    CHECK_AT_MOST(speed, 200);
    stage_close(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(spring_swings_by_its_formula),
      cmocka_unit_test(slack_does_nothing),
      cmocka_unit_test(stiff_tendons_on_one_path_are_stable),
      cmocka_unit_test(rope_catches_and_holds),
      cmocka_unit_test(rope_between_two_trees),
      cmocka_unit_test(string_over_a_third_body),
      cmocka_unit_test(dry_friction_holds_or_slides),
      cmocka_unit_test(equality_of_tendons_is_kept),
      cmocka_unit_test(snapshot_keeps_the_bits),
      cmocka_unit_test(shared_models_run),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
