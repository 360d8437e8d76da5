// SPDX-License-Identifier: Apache-2.0
// Papers: R23, R26, R27, R28, R29, R30, R31, R34, R35, R36, R37, R38, R39, R58, R64, R71, U8.
// Contact models: each holds a box at rest, lets it slide as theory says, catches one that falls,
// and can be saved, restored and exchanged; and each shows its limits where it has them.
#include <stdlib.h>
#include <string.h>

#include "contact_scene.h"

static const double side = 0.1;  // half of it

// Names the model that it is about, where it fails.
static HeftContactModel about = HEFT_CONTACT_MODEL_EXACT;

#define CHECK_CLOSE(value, wanted, within)                                                  \
  do {                                                                                      \
    const double check_value = (value), check_wanted = (wanted), check_within = (within);   \
    if (!(fabs(check_value - check_wanted) <= check_within))                                \
      fail_msg("%s: %s is %.9g, expected %.9g within %.3g", heft_contact_model_name(about), \
               #value, check_value, check_wanted, check_within);                            \
  } while (0)

// A box of 1 kg over a floor; gravity leans by atan(slope).
static Scene box_with(HeftContactModel model, const HeftContactOptions* options, double slope,
                      double mu, double height, double step) {
  about = model;
  const double down = g / sqrt(1 + slope * slope);
  Scene s = scene_open(heft_vec3(slope * down, 0, -down), step);
  const int material = add_material(&s, mu, 0);
  add_floor(&s, material);
  add_free(&s, HEFT_SHAPE_BOX, side, 1, heft_vec3(0, 0, side + height), material);
  HeftWorldDef def = heft_world_def_default();
  def.contact_model = model;
  if (options) def.contact_options = *options;
  scene_start_with(&s, &def);
  return s;
}

static HeftStepReport run(Scene* s, int steps) {
  HeftStepReport report = {0};
  for (int i = 0; i < steps; ++i) {
    report = heft_world_step(s->world);
    assert_int_equal(report.status, HEFT_STEP_SOLVED);
    assert_int_equal(report.fallbacks, 0);
  }
  return report;
}

static HeftContactModel each(int index) { return (HeftContactModel)(index + 1); }
enum { MODELS = HEFT_CONTACT_MODEL_COUNT - 1 };

// ---- choosing

static void test_names(void** state) {
  (void)state;
  HeftError error = {0};
  for (int i = 0; i < HEFT_CONTACT_MODEL_COUNT; ++i) {
    HeftContactModel found = HEFT_CONTACT_MODEL_COUNT;
    const char* name = heft_contact_model_name((HeftContactModel)i);
    assert_int_equal(heft_contact_model_find(name, &found, NULL), HEFT_OK);
    assert_int_equal(found, i);
    assert_true(strlen(heft_contact_model_meaning((HeftContactModel)i)) > 10);
  }
  HeftContactModel kept = HEFT_CONTACT_MODEL_PENALTY;
  assert_int_equal(heft_contact_model_find("rubber", &kept, &error), HEFT_ERR_NAME);
  assert_int_equal(kept, HEFT_CONTACT_MODEL_PENALTY);
  assert_non_null(strstr(error.message, "rubber"));
  assert_non_null(strstr(error.message, "exact, penalty"));
  assert_string_equal(heft_contact_model_name((HeftContactModel)-1), "unknown");
}

static void test_options(void** state) {
  (void)state;
  HeftError error = {0};
  HeftContactOptions o = heft_contact_options_default();
  assert_int_equal(heft_contact_options_set(&o, "stiffness", 4410, &error), HEFT_OK);
  assert_true(o.stiffness == 4410);
  assert_int_equal(heft_contact_options_set(&o, "law", 1, &error), HEFT_OK);
  assert_int_equal(o.law, HEFT_PENALTY_HUNT_CROSSLEY);
  assert_int_equal(heft_contact_options_set(&o, "exponent", 0, &error), HEFT_ERR_VALUE);
  assert_true(o.exponent == 1.5);
  assert_int_equal(heft_contact_options_set(&o, "exponent", (double)NAN, &error), HEFT_ERR_VALUE);
  assert_int_equal(heft_contact_options_set(&o, "colour", 1, &error), HEFT_ERR_NAME);
  assert_non_null(strstr(error.message, "damping"));
}

static HeftStatus create_with_word(const char* word, HeftContactModel asked, HeftContactModel* got,
                                   HeftError* error) {
  HeftBuilder* builder = NULL;
  HeftModel* model = NULL;
  HeftWorld* world = NULL;
  assert_int_equal(heft_builder_create(&builder, NULL, NULL), HEFT_OK);
  heft_builder_set_contact_model(builder, word);
  assert_int_equal(heft_builder_finish(builder, &model, NULL), HEFT_OK);
  HeftWorldDef def = heft_world_def_default();
  def.contact_model = asked;
  const HeftStatus status = heft_world_create(&world, model, &def, error);
  if (world) *got = heft_world_contact_model(world);
  heft_world_destroy(world);
  heft_model_destroy(model);
  heft_builder_destroy(builder);
  return status;
}

static void test_word_in_the_model(void** state) {
  (void)state;
  HeftError error = {0};
  HeftContactModel got = HEFT_CONTACT_MODEL_COUNT;
  const HeftContactModel file = HEFT_CONTACT_MODEL_FROM_FILE;
  assert_int_equal(create_with_word("", file, &got, &error), HEFT_OK);
  assert_int_equal(got, HEFT_CONTACT_MODEL_EXACT);
  assert_int_equal(create_with_word("penalty", file, &got, &error), HEFT_OK);
  assert_int_equal(got, HEFT_CONTACT_MODEL_PENALTY);
  assert_int_equal(create_with_word("penalty", HEFT_CONTACT_MODEL_EXACT, &got, &error), HEFT_OK);
  assert_int_equal(got, HEFT_CONTACT_MODEL_EXACT);
  assert_int_equal(create_with_word("rubber", file, &got, &error), HEFT_ERR_NAME);
  assert_non_null(strstr(error.message, "rubber"));
  assert_int_equal(create_with_word("rubber", HEFT_CONTACT_MODEL_EXACT, &got, &error), HEFT_OK);
  assert_int_equal(create_with_word("", HEFT_CONTACT_MODEL_COUNT, &got, &error), HEFT_ERR_ARGUMENT);
}

// ---- all models

static void test_box_at_rest(void** state) {
  (void)state;
  for (int i = 0; i < MODELS; ++i) {
    Scene s = box_with(each(i), NULL, 0, 0.5, 0, 0.001);
    run(&s, 1500);
    const HeftBodyContact c = heft_world_body_contact(s.world, 1);
    CHECK_CLOSE(c.force, g, 0.01 * g);
    assert_int_equal(c.state, HEFT_CONTACT_STICKING);
    if (each(i) != HEFT_CONTACT_MODEL_LCP) {  // whose solutions leave out all points they can
      assert_int_equal(c.shape, HEFT_CONTACT_SHAPE_SOLE);
      assert_int_equal(c.points, 4);
    }
    CHECK_CLOSE(c.center.x, 0, 1e-3);
    CHECK_CLOSE(c.center.y, 0, 1e-3);
    CHECK_CLOSE(q_of(&s)[2], side, 2e-3);
    for (int k = 0; k < 6; ++k) CHECK_CLOSE(v_of(&s)[k], 0, 1e-3);
    scene_close(&s);
  }
}

static void test_sticks_and_slides_on_a_slope(void** state) {
  (void)state;
  const double slope = 0.5, mu = 0.4, wanted = g / sqrt(1.25) * (slope - mu);
  for (int i = 0; i < MODELS; ++i) {
    // micro_macro gives the upper points less to press and as much to hold: they slip first
    const double enough = each(i) == HEFT_CONTACT_MODEL_MICRO_MACRO ? 1.2 : 0.6;
    Scene held = box_with(each(i), NULL, slope, enough, 0, 0.001);
    run(&held, 1000);
    CHECK_CLOSE(v_of(&held)[0], 0, 1e-3);
    CHECK_CLOSE(q_of(&held)[0], 0, 2e-3);
    assert_int_equal(heft_world_body_contact(held.world, 1).state, HEFT_CONTACT_STICKING);
    scene_close(&held);
    Scene slides = box_with(each(i), NULL, slope, mu, 0, 0.001);
    run(&slides, 1000);
    CHECK_CLOSE(v_of(&slides)[0] / wanted, 1, 0.03);
    assert_int_equal(heft_world_body_contact(slides.world, 1).state, HEFT_CONTACT_SLIPPING);
    scene_close(&slides);
  }
}

static void test_catches_what_falls(void** state) {
  (void)state;
  for (int i = 0; i < MODELS; ++i) {
    Scene s = box_with(each(i), NULL, 0, 0.5, 0.05, 0.001);
    double deepest = 0;
    for (int k = 0; k < 2000; ++k) deepest = fmax(deepest, run(&s, 1).penetration);
    assert_true(deepest < 0.02);
    CHECK_CLOSE(q_of(&s)[2], side, 2e-3);
    CHECK_CLOSE(v_of(&s)[2], 0, 1e-2);
    scene_close(&s);
  }
}

static void test_saved_and_restored(void** state) {
  (void)state;
  for (int i = 0; i < MODELS; ++i) {
    Scene s = box_with(each(i), NULL, 0.5, 0.4, 0.01, 0.001);
    run(&s, 150);
    const size_t size = heft_world_snapshot_size(s.world);
    void* bytes = malloc(size);
    heft_world_snapshot(s.world, bytes);
    run(&s, 100);
    const uint64_t hash = heft_world_hash(s.world);
    assert_int_equal(heft_world_restore(s.world, bytes, size), HEFT_OK);
    run(&s, 100);
    assert_true(heft_world_hash(s.world) == hash);
    free(bytes);
    scene_close(&s);
  }
}

static void test_exchanged_while_running(void** state) {
  (void)state;
  Scene s = box_with(HEFT_CONTACT_MODEL_EXACT, NULL, 0, 0.5, 0, 0.001);
  for (int i = 0; i < 2 * MODELS; ++i) {
    const HeftContactModel model = each(i % MODELS);
    assert_int_equal(heft_world_set_contact_model(s.world, model, NULL, NULL), HEFT_OK);
    assert_int_equal(heft_world_contact_model(s.world), model);
    run(&s, 800);
    CHECK_CLOSE(heft_world_body_contact(s.world, 1).force, g, 0.02 * g);
  }
  HeftContactOptions bad = heft_world_contact_options(s.world);
  HeftError error = {0};
  bad.exponent = -1;
  const HeftContactModel before = heft_world_contact_model(s.world);
  assert_int_equal(heft_world_set_contact_model(s.world, HEFT_CONTACT_MODEL_PENALTY, &bad, &error),
                   HEFT_ERR_VALUE);
  assert_int_equal(heft_world_contact_model(s.world), before);
  run(&s, 10);
  scene_close(&s);
}

typedef struct Purse {
  int left;  ///< allocations that still succeed
  HeftAllocator own;
} Purse;

static void* purse_allocate(void* user, size_t size, size_t alignment) {
  Purse* p = user;
  return p->left-- > 0 ? p->own.allocate(p->own.user, size, alignment) : NULL;
}

static void purse_release(void* user, void* memory, size_t size) {
  Purse* p = user;
  p->own.release(p->own.user, memory, size);
}

// Without memory for another model a world keeps the one that it has.
static void test_no_memory_for_another(void** state) {
  (void)state;
  Purse purse = {.left = 1000, .own = heft_allocator_default()};
  Scene s = scene_open(heft_vec3(0, 0, -g), 0.001);
  add_floor(&s, 0);
  add_free(&s, HEFT_SHAPE_BOX, side, 1, heft_vec3(0, 0, side), 0);
  HeftWorldDef def = heft_world_def_default();
  def.allocator = (HeftAllocator){purse_allocate, purse_release, &purse};
  def.contact_model = HEFT_CONTACT_MODEL_PENALTY;
  def.threads = 3;
  scene_start_with(&s, &def);
  for (int left = 0; left < 3; ++left) {
    HeftError error = {0};
    purse.left = left;
    assert_int_equal(heft_world_set_contact_model(s.world, HEFT_CONTACT_MODEL_LCP, NULL, &error),
                     HEFT_ERR_MEMORY);
    assert_int_equal(heft_world_contact_model(s.world), HEFT_CONTACT_MODEL_PENALTY);
    purse.left = 0;  // steps need none
    run(&s, 20);
  }
  purse.left = 3;
  assert_int_equal(heft_world_set_contact_model(s.world, HEFT_CONTACT_MODEL_LCP, NULL, NULL),
                   HEFT_OK);
  purse.left = 0;
  run(&s, 20);
  scene_close(&s);
}

static void test_certificate_tells_them_apart(void** state) {
  (void)state;
  Scene exact = box_with(HEFT_CONTACT_MODEL_EXACT, NULL, 0, 0.5, 0.01, 0.001);
  Scene penalty = box_with(HEFT_CONTACT_MODEL_PENALTY, NULL, 0, 0.5, 0.01, 0.001);
  double worst[2] = {0, 0};
  for (int i = 0; i < 200; ++i) {
    worst[0] = fmax(worst[0], run(&exact, 1).residual);
    worst[1] = fmax(worst[1], run(&penalty, 1).residual);
  }
  assert_true(worst[0] < 1e-6);
  assert_true(worst[1] > 1e-2);
  scene_close(&exact);
  scene_close(&penalty);
}

// ---- penalty

static void test_penalty_sinks_by_weight_over_stiffness(void** state) {
  (void)state;
  HeftContactOptions o = heft_contact_options_default();
  o.stiffness = 2000;
  o.damping = 50;
  Scene s = box_with(HEFT_CONTACT_MODEL_PENALTY, &o, 0, 0.5, 0, 0.001);
  run(&s, 3000);
  CHECK_CLOSE(q_of(&s)[2] - side, -g / (4 * o.stiffness), 1e-9);
  scene_close(&s);
  o.law = HEFT_PENALTY_HUNT_CROSSLEY;
  o.stiffness = 1e5;
  o.damping = 20;
  Scene hunt = box_with(HEFT_CONTACT_MODEL_PENALTY, &o, 0, 0.5, 0, 0.001);
  run(&hunt, 10000);
  const double sunk = side - q_of(&hunt)[2];
  CHECK_CLOSE(4 * o.stiffness * sunk * sqrt(sunk), g, 0.02 * g);
  scene_close(&hunt);
}

// The limit of an explicit method: a damper that is too strong for the step throws the box up.
static void test_penalty_leaps_when_too_stiff(void** state) {
  (void)state;
  HeftContactOptions o = heft_contact_options_default();
  o.stiffness = 4410;
  o.damping = 282;
  double highest[2] = {0, 0};
  for (int i = 0; i < 2; ++i) {
    Scene s = box_with(HEFT_CONTACT_MODEL_PENALTY, &o, 0, 0.4, 0.05, i == 0 ? 0.0002 : 0.005);
    for (int k = 0; k < 400; ++k) {
      if (!heft_step_taken(heft_world_step(s.world).status)) break;
      if (v_of(&s)[2] > 0) highest[i] = fmax(highest[i], q_of(&s)[2] - side);
    }
    scene_close(&s);
  }
  assert_true(highest[0] < 0.01);
  assert_true(highest[1] > 0.2);
}

// ---- lcp

// How much a block slows down that slides at an angle of 0.3 to the first direction, over g mu.
static double slowing(HeftContactModel model, int facets, double* turned) {
  HeftContactOptions o = heft_contact_options_default();
  o.facets = facets;
  o.size = 1000;
  Scene s = box_with(model, &o, 0, 0.5, 0, 0.001);
  set_velocity(&s, 0, cos(0.3));
  set_velocity(&s, 1, sin(0.3));
  run(&s, 100);
  const double vx = v_of(&s)[0], vy = v_of(&s)[1];
  scene_close(&s);
  *turned = fabs(atan2(vy, vx) - 0.3);
  return (1 - sqrt(vx * vx + vy * vy)) / (0.1 * 0.5 * g);
}

static void test_facets_become_a_cone(void** state) {
  (void)state;
  double turned = 0, error[3], turn[3];
  CHECK_AT_MOST(fabs(slowing(HEFT_CONTACT_MODEL_EXACT, 8, &turned) - 1), 1e-6);
  CHECK_AT_MOST(turned, 1e-6);
  const int facets[3] = {4, 16, 64};
  for (int i = 0; i < 3; ++i)
    error[i] = fabs(slowing(HEFT_CONTACT_MODEL_LCP, facets[i], &turn[i]) - 1);
  assert_true(turn[0] > 0.05);  // four facets turn what slides
  assert_true(error[1] < 0.5 * error[0]);
  assert_true(turn[1] < 0.5 * turn[0]);
  CHECK_AT_MOST(error[2], 2e-3);
  CHECK_AT_MOST(turn[2], 1e-2);
}

// Many facets are many equal choices, and rounding can lead astray; what is no solution is not
// taken.
static void test_many_facets_at_all_headings(void** state) {
  (void)state;
  HeftContactOptions o = heft_contact_options_default();
  o.facets = 64;
  o.size = 1000;
  for (int i = 0; i < 12; ++i) {
    Scene s = box_with(HEFT_CONTACT_MODEL_LCP, &o, 0, 0.5, 0, 0.001);
    set_velocity(&s, 0, cos(0.01 + 0.5236 * i));
    set_velocity(&s, 1, sin(0.01 + 0.5236 * i));
    int exact = 0;
    for (int k = 0; k < 40; ++k) exact += heft_world_step(s.world).fallbacks;
    const double vx = v_of(&s)[0], vy = v_of(&s)[1];
    CHECK_CLOSE((1 - sqrt(vx * vx + vy * vy)) / (0.04 * 0.5 * g), 1, 3e-3);
    assert_true(exact <= 2);
    scene_close(&s);
  }
}

// What does not fit into the memory that was asked for is solved exactly, and counted.
static void test_lcp_too_large(void** state) {
  (void)state;
  HeftContactOptions o = heft_contact_options_default();
  o.size = 16;
  Scene s = box_with(HEFT_CONTACT_MODEL_LCP, &o, 0, 0.5, 0, 0.001);
  const HeftStepReport report = heft_world_step(s.world);
  assert_int_equal(report.fallbacks, 1);
  assert_true(report.relative < 1e-6);
  scene_close(&s);
}

// ---- micro_macro

// λ leaves λ / (a² + λ) of every velocity, a = 4 / m for four points: with what gravity adds in
// each step the body creeps down by g h λ / a².
static void test_lambda_lets_creep(void** state) {
  (void)state;
  HeftContactOptions o = heft_contact_options_default();
  o.unit_free = 0;
  for (int i = 0; i < 3; ++i) {
    o.lambda = i == 0 ? 0.01 : i == 1 ? 1 : 4;
    Scene s = box_with(HEFT_CONTACT_MODEL_MICRO_MACRO, &o, 0, 0.5, 0, 0.001);
    run(&s, 300);
    CHECK_CLOSE(v_of(&s)[2] / (-g * 0.001 * o.lambda / 16), 1, 1e-6);
    scene_close(&s);
  }
}

// Unit-free, the creep of a heavy box is that of a light one; literally it is not.
static void test_lambda_without_unit(void** state) {
  (void)state;
  double speed[2][2];
  for (int i = 0; i < 4; ++i) {
    HeftContactOptions o = heft_contact_options_default();
    o.unit_free = i / 2;
    o.lambda = 0.01;
    Scene s = scene_open(heft_vec3(0, 0, -g), 0.001);
    const int material = add_material(&s, 0.5, 0);
    add_floor(&s, material);
    add_free(&s, HEFT_SHAPE_BOX, side, i % 2 == 0 ? 1 : 100, heft_vec3(0, 0, side), material);
    HeftWorldDef def = heft_world_def_default();
    def.contact_model = HEFT_CONTACT_MODEL_MICRO_MACRO;
    def.contact_options = o;
    scene_start_with(&s, &def);
    for (int k = 0; k < 500; ++k) heft_world_step(s.world);
    speed[i / 2][i % 2] = v_of(&s)[2];
    scene_close(&s);
  }
  CHECK_AT_MOST(fabs(speed[1][1] / speed[1][0] - 1), 1e-6);
  assert_true(speed[0][1] < 100 * speed[0][0]);
}

// Four corners share the load alike, though statics leaves it open.
static void test_least_forces_are_even(void** state) {
  (void)state;
  Scene s = box_with(HEFT_CONTACT_MODEL_MICRO_MACRO, NULL, 0, 0.5, 0, 0.001);
  run(&s, 200);
  assert_int_equal(heft_world_contact_count(s.world), 4);
  for (int i = 0; i < 4; ++i) CHECK_CLOSE(heft_world_contact(s.world, i).force.z, g / 4, 1e-3);
  scene_close(&s);
}

// How high a box comes back that fell by 0.05 m on an elastic floor.
static double rebound(int step_damper, double step) {
  HeftContactOptions o = heft_contact_options_default();
  o.membrane = -1;
  o.step_damper = step_damper;
  o.stiffness = 20000;
  o.damping = 0;
  Scene s = box_with(HEFT_CONTACT_MODEL_MICRO_MACRO, &o, 0, 0.4, 0.05, step);
  double highest = -side;
  int touched = 0;
  for (int k = 0; k < (int)(0.5 / step); ++k) {
    run(&s, 1);
    touched |= q_of(&s)[2] < side;
    if (touched) highest = fmax(highest, q_of(&s)[2] - side);
  }
  scene_close(&s);
  return highest;
}

static void test_damper_that_grows_with_the_step(void** state) {
  (void)state;
  const double conventional = rebound(0, 0.0025), proposed = rebound(1, 0.0025);
  assert_true(conventional > 0.04);
  assert_true(proposed < 0.5 * conventional);
}

// A ball of 1 kg hits a ground that is elastic throughout, with 1 m/s: its speed afterwards, and
// its largest depth.
static double bounce(const HeftContactOptions* o, double restitution, double* deepest) {
  const double radius = 0.1;
  about = HEFT_CONTACT_MODEL_MICRO_MACRO;
  Scene s = scene_open(heft_vec3(0, 0, 0), 2e-5);
  const int material = add_material(&s, 0, restitution);
  add_floor(&s, material);
  add_free(&s, HEFT_SHAPE_SPHERE, radius, 1, heft_vec3(0, 0, radius + 1e-4), material);
  HeftWorldDef def = heft_world_def_default();
  def.contact_model = about;
  def.contact_options = *o;
  scene_start_with(&s, &def);
  set_velocity(&s, 2, -1);
  *deepest = 0;
  for (int i = 0; i < 5000 && !(i > 50 && q_of(&s)[2] > radius); ++i) {
    run(&s, 1);
    *deepest = fmax(*deepest, radius - q_of(&s)[2]);
  }
  const double speed = v_of(&s)[2];
  scene_close(&s);
  return speed;
}

static HeftContactOptions elastic_throughout(HeftPenaltyLaw law, double k, double c) {
  HeftContactOptions o = heft_contact_options_default();
  o.membrane = -1;
  o.step_damper = 0;
  o.law = law;
  o.stiffness = k;
  o.damping = c;
  return o;
}

// Poisson: the impulse of restitution is e times the impulse of compression, whose spring stops
// 1 kg and 1 m/s at sqrt(m / k).
static void test_poisson_gives_back_impulse(void** state) {
  (void)state;
  static const double restitution[] = {0.25, 0.5, 0.8, 1};
  const HeftContactOptions o = elastic_throughout(HEFT_PENALTY_POISSON, 1e5, 0);
  for (int i = 0; i < 4; ++i) {
    double deepest = 0;
    CHECK_CLOSE(bounce(&o, restitution[i], &deepest), restitution[i], 0.005);
    CHECK_CLOSE(deepest, sqrt(1 / 1e5), 1e-5);
  }
}

// Hunt and Crossley: m v dv = -k d^p (1 + c v) dd, so that F(v) = v / c - ln(1 + c v) / c² is
// k D^(p+1) / (m (p + 1)) at the depth D, and equal before and after the bounce. Without c: Hertz.
static void test_nonlinear_springs_bounce(void** state) {
  (void)state;
  static const double damping[] = {0.1, 0.5, 2}, exponent[] = {1, 1.5, 3},
                      stiff[] = {1e5, 1e6, 1e10};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const double c = damping[i], p = exponent[j], work = 1 / c - log(1 + c) / (c * c);
      double low = 0, high = fmin(1, (1 - 1e-12) / c), deepest = 0;
      for (int k = 0; k < 60; ++k) {
        const double v = 0.5 * (low + high);
        *(-v / c - log(1 - c * v) / (c * c) < work ? &low : &high) = v;
      }
      HeftContactOptions o = elastic_throughout(HEFT_PENALTY_HUNT_CROSSLEY, stiff[j], c);
      o.exponent = p;
      CHECK_CLOSE(bounce(&o, 0, &deepest), low, 0.005);
      CHECK_CLOSE(deepest, pow(work * (p + 1) / stiff[j], 1 / (p + 1)), 0.005 * deepest);
    }
  }
  double deepest = 0;
  const HeftContactOptions hertz = elastic_throughout(HEFT_PENALTY_HUNT_CROSSLEY, 1e6, 0);
  CHECK_CLOSE(bounce(&hertz, 0, &deepest), 1, 0.005);
  CHECK_CLOSE(deepest, pow(2.5 / 2 / 1e6, 0.4), 0.005 * deepest);
}

// The depth at the end of the step lessens rebounds by nonlinear laws, too (14).
static void test_step_damper_acts_on_all_laws(void** state) {
  (void)state;
  for (int law = 0; law < HEFT_PENALTY_LAW_COUNT; ++law) {
    double deepest[2], speed[2];
    for (int damper = 0; damper < 2; ++damper) {
      HeftContactOptions o = elastic_throughout((HeftPenaltyLaw)law, law == 1 ? 1e6 : 1e5, 0);
      o.step_damper = damper;
      speed[damper] = bounce(&o, 1, &deepest[damper]);
    }
    assert_true(speed[1] < speed[0] && deepest[1] < deepest[0]);
  }
}

// The layer carries what it can; points in it and points on the rigid body stand side by side.
static void test_membrane_carries(void** state) {
  (void)state;
  HeftContactOptions o = heft_contact_options_default();
  o.membrane = 0.0005;
  o.stiffness = 5512;
  o.damping = 158;
  Scene s = box_with(HEFT_CONTACT_MODEL_MICRO_MACRO, &o, 0, 0.4, 0.0005, 0.001);
  HeftError error = {0};
  HeftContactOptions thick = o;
  thick.membrane = 0.01;  // farther than bodies are watched
  assert_int_equal(
      heft_world_set_contact_model(s.world, HEFT_CONTACT_MODEL_MICRO_MACRO, &thick, &error),
      HEFT_ERR_VALUE);
  run(&s, 3000);
  CHECK_CLOSE(q_of(&s)[2] - side, 0.0005 - g / (4 * 5512), 1e-6);
  CHECK_CLOSE(heft_world_body_contact(s.world, 1).force, g, 1e-3 * g);
  scene_close(&s);
}

// Layers of materials: three boxes on one floor, each with a layer of its own, sink by their weight
// over the stiffness; the layer of the floor acts in series with that of a box.
static void test_layers_of_materials(void** state) {
  (void)state;
  static const double layer[3][3] = {{10000, 5, 0.0006}, {20000, 5, 0.0003}, {0, 0, 0}};
  static const double ground[3] = {10000, 5, 0.0004};
  about = HEFT_CONTACT_MODEL_MICRO_MACRO;
  for (int covered = 0; covered < 2; ++covered) {
    Scene s = scene_open(heft_vec3(0, 0, -g), 0.001);
    HeftMaterialDef def = heft_material_def_default();
    if (covered) memcpy(def.layer, ground, sizeof def.layer);
    add_floor(&s, heft_builder_add_material(s.builder, &def));
    for (int i = 0; i < 3; ++i) {
      memcpy(def.layer, layer[i], sizeof def.layer);
      add_free(&s, HEFT_SHAPE_BOX, side, 1,
               heft_vec3(i, 0, side + layer[i][2] + (covered ? ground[2] : 0)),
               heft_builder_add_material(s.builder, &def));
    }
    HeftWorldDef world = heft_world_def_default();
    world.contact_model = HEFT_CONTACT_MODEL_MICRO_MACRO;
    world.contact_options.lambda = 1e-9;
    scene_start_with(&s, &world);
    run(&s, 1000);
    for (int i = 0; i < 3; ++i) {
      double soft = layer[i][0] > 0 ? 1 / layer[i][0] : 0, thick = layer[i][2];
      if (covered) soft += 1 / ground[0];
      if (covered) thick += ground[2];
      CHECK_CLOSE(q_of(&s)[7 * i + 2] - side, thick - soft * g / 4, 2e-6);
    }
    scene_close(&s);
  }
}

// µ_S = 0: what rests is pushed to and fro by kinetic friction, or slides; with µ_S it holds.
static void test_static_friction_holds(void** state) {
  (void)state;
  double gone[2];
  for (int i = 0; i < 2; ++i) {
    HeftContactOptions o = heft_contact_options_default();
    o.static_friction = i == 0 ? 1.2 : 0;
    Scene s = box_with(HEFT_CONTACT_MODEL_MICRO_MACRO, &o, 0.2, 0.15, 0, 0.001);
    run(&s, 500);
    gone[i] = q_of(&s)[0];
    scene_close(&s);
  }
  CHECK_AT_MOST(fabs(gone[0]), 1e-3);
  assert_true(gone[1] > 0.02);
}

// ---- feet

static const HeftContactModel foot_models[2] = {HEFT_CONTACT_MODEL_FOOT_EXACT,
                                                HEFT_CONTACT_MODEL_FOOT_ONESTEP};

// Gravity leans more than the box is broad: it tips about its front edge, as under the exact law.
static void test_foot_tips_about_its_edge(void** state) {
  (void)state;
  Scene exact = box_with(HEFT_CONTACT_MODEL_EXACT, NULL, 1.1, 2, 0, 0.001);
  run(&exact, 150);
  for (int i = 0; i < 2; ++i) {
    Scene s = box_with(foot_models[i], NULL, 1.1, 2, 0, 0.001);
    run(&s, 150);
    const HeftBodyContact c = heft_world_body_contact(s.world, 1);
    assert_int_equal(c.shape, HEFT_CONTACT_SHAPE_EDGE);
    assert_int_equal(c.state, HEFT_CONTACT_STICKING);
    CHECK_CLOSE(c.center.x, side, 2e-3);
    assert_true(v_of(&exact)[4] > 0.1);
    CHECK_CLOSE(v_of(&s)[4] / v_of(&exact)[4], 1, 0.02);
    scene_close(&s);
  }
  scene_close(&exact);
}

// A box that leans lands on an edge, and then on its sole.
static void test_foot_lands_on_edge_then_sole(void** state) {
  (void)state;
  for (int i = 0; i < 2; ++i) {
    Scene s = box_with(foot_models[i], NULL, 0, 0.5, 0.02, 0.001);
    HeftState* start = NULL;
    assert_int_equal(heft_state_create(&start, s.model, NULL, NULL), HEFT_OK);
    heft_state_copy(start, heft_world_state(s.world));
    start->q[3] = cos(0.05);
    start->q[5] = sin(0.05);
    assert_int_equal(heft_world_set_state(s.world, start), HEFT_OK);
    heft_state_destroy(start);
    int seen[HEFT_CONTACT_SHAPE_COUNT] = {0}, order = 0;
    for (int k = 0; k < 1000; ++k) {
      run(&s, 1);
      const HeftContactShape shape = heft_world_body_contact(s.world, 1).shape;
      if (!seen[shape]) seen[shape] = ++order;
    }
    assert_int_equal(seen[HEFT_CONTACT_SHAPE_NONE], 1);
    assert_int_equal(seen[HEFT_CONTACT_SHAPE_EDGE], 2);
    assert_true(seen[HEFT_CONTACT_SHAPE_SOLE] >= 3);
    CHECK_CLOSE(heft_world_body_contact(s.world, 1).force, g, 0.01 * g);
    scene_close(&s);
  }
}

// No magnetic shoes: what is lifted lets go, and nothing pulls on it.
static void test_foot_is_lifted(void** state) {
  (void)state;
  for (int i = 0; i < 2; ++i) {
    Scene s = box_with(foot_models[i], NULL, 0, 0.5, 0, 0.001);
    run(&s, 100);
    double pulled = 0;
    for (int k = 0; k < 100; ++k) {
      heft_world_apply_wrench(s.world, 1, heft_vec3(0, 0, side), heft_vec3(0, 0, 1.5 * g),
                              heft_vec3(0, 0, 0));
      run(&s, 1);
      if (k > 1) pulled = fmin(pulled, heft_world_body_contact(s.world, 1).force);
    }
    assert_true(pulled >= 0);
    assert_int_equal(heft_world_body_contact(s.world, 1).shape, HEFT_CONTACT_SHAPE_NONE);
    CHECK_CLOSE(v_of(&s)[2], 0.1 * 0.5 * g, 0.03 * g);
    scene_close(&s);
  }
}

// The pressure is centred inside of the sole, but towards a corner, so that least squares would
// have the opposite one pulled. With the rule of the centre of pressure the foot stays on its sole.
static void test_center_of_pressure_rule(void** state) {
  (void)state;
  int left[2] = {0, 0};
  for (int rule = 0; rule < 2; ++rule) {
    Scene s = scene_open(heft_vec3(6, 6, -10), 0.001);
    const int material = add_material(&s, 2, 0);
    add_floor(&s, material);
    add_free(&s, HEFT_SHAPE_BOX, side, 1, heft_vec3(0, 0, side), material);
    HeftWorldDef def = heft_world_def_default();
    def.contact_model = HEFT_CONTACT_MODEL_FOOT_EXACT;
    def.contact_options.pressure_rule = rule;
    scene_start_with(&s, &def);
    for (int k = 0; k < 300; ++k) {
      heft_world_step(s.world);
      left[rule] += heft_world_body_contact(s.world, 1).shape != HEFT_CONTACT_SHAPE_SOLE;
    }
    scene_close(&s);
  }
  assert_int_equal(left[1], 0);
  assert_true(left[0] > 0);
}

// The corner of a box on a slope leaves the ground once, at the moment when the centre of pressure
// reaches the front edge, and nothing pulls on the way.
static void test_foot_changes_once(void** state) {
  (void)state;
  for (int i = 0; i < 2; ++i) {
    Scene s = box_with(foot_models[i], NULL, 0, 2, 0, 0.001);
    HeftContactShape was = HEFT_CONTACT_SHAPE_SOLE;
    int changes = 0;
    double pulled = 0;
    run(&s, 10);
    for (int k = 0; k < 1000; ++k) {  // it tips when the pull equals the weight
      heft_world_apply_wrench(s.world, 1, heft_vec3(q_of(&s)[0], 0, q_of(&s)[2]),
                              heft_vec3(g * (0.8 + 0.0004 * k), 0, 0), heft_vec3(0, 0, 0));
      run(&s, 1);
      const HeftBodyContact c = heft_world_body_contact(s.world, 1);
      if (c.shape != was) CHECK_CLOSE(k, 500, 2);
      changes += c.shape != was;
      was = c.shape;
      for (int n = 0; n < heft_world_contact_count(s.world); ++n)
        pulled = fmin(pulled, heft_world_contact(s.world, n).force.z);
      if (fabs(q_of(&s)[5]) > 0.1) break;
    }
    assert_int_equal(changes, 1);
    assert_int_equal(was, HEFT_CONTACT_SHAPE_EDGE);
    CHECK_AT_MOST(-pulled, 1e-9);
    scene_close(&s);
  }
}

// A foot with a toe on a hinge, a millimetre behind it the front edge of the foot: to hold both
// would take thousands of times the weight. A mast falls forward over them.
static Scene foot_with_toe(HeftContactModel model) {
  about = model;
  Scene s = scene_open(heft_vec3(0, 0, -g), 0.001);
  const int material = add_material(&s, 1, 0);
  add_floor(&s, material);
  const int foot = add_free(&s, HEFT_SHAPE_BOX, 0.05, 5, heft_vec3(0, 0, 0.05), material);
  HeftBodyDef mast = heft_body_def_default();
  mast.parent = foot;
  mast.pos = heft_vec3(0.03, 0, 1);
  mast.mass = 50;
  mast.inertia = (HeftSym3){2, 2, 0.5, 0, 0, 0};
  heft_builder_add_body(s.builder, &mast);
  HeftBodyDef toe = heft_body_def_default();
  toe.parent = foot;
  toe.pos = heft_vec3(0.051, 0, -0.04);
  toe.com = heft_vec3(0.03, 0, 0);
  toe.mass = 0.5;
  toe.inertia = (HeftSym3){3e-4, 3e-4, 3e-4, 0, 0, 0};
  HeftShapeDef plate = heft_shape_def_default();
  plate.body = heft_builder_add_body(s.builder, &toe);
  HeftJointDef hinge = heft_joint_def_default();
  hinge.body = plate.body;
  hinge.axis = heft_vec3(0, 1, 0);
  hinge.damping[0] = 0.05;
  heft_builder_add_joint(s.builder, &hinge);
  plate.type = HEFT_SHAPE_BOX;
  plate.pos = heft_vec3(0.03, 0, 0);
  plate.size[0] = 0.03;
  plate.size[1] = 0.05;
  plate.size[2] = 0.01;
  plate.material = material;
  heft_builder_add_shape(s.builder, &plate);
  HeftWorldDef def = heft_world_def_default();
  def.contact_model = model;
  scene_start_with(&s, &def);
  set_velocity(&s, 4, 0.3);
  return s;
}

static void test_no_forces_between_foot_and_toe(void** state) {
  (void)state;
  for (int i = 0; i < 2; ++i) {
    Scene s = foot_with_toe(foot_models[i]);
    const double weight = 55.5 * g;
    double max = 0, pulled = 0;
    for (int k = 0; k < 400; ++k) {
      run(&s, 1);
      for (int n = 0; n < heft_world_contact_count(s.world); ++n) {
        const double force = heft_world_contact(s.world, n).force.z;
        max = fmax(max, force);
        pulled = fmax(pulled, -force);
      }
    }
    CHECK_AT_MOST(max, 20 * weight);
    CHECK_AT_MOST(pulled, 1e-6 * weight);
    assert_true(max > 0.25 * weight);
    scene_close(&s);
  }
}

// All states of the table: a box lands on a vertex, an edge and its sole; then a force at a corner
// lifts it from the sole by an edge and a vertex. Every transition happens, with and without the
// rule of the centre of pressure, and nothing pulls.
static void test_foot_passes_all_states(void** state) {
  (void)state;
  for (int i = 0; i < 4; ++i) {
    HeftContactOptions o = heft_contact_options_default();
    o.pressure_rule = i / 2;
    Scene s = box_with(foot_models[i % 2], &o, 0, 0.8, 0.2, 0.001);
    HeftState* start = NULL;
    assert_int_equal(heft_state_create(&start, s.model, NULL, NULL), HEFT_OK);
    heft_state_copy(start, heft_world_state(s.world));
    const HeftQuat turn = heft_quat_mul(heft_quat_from_axis_angle(heft_vec3(1, 0, 0), 0.25),
                                        heft_quat_from_axis_angle(heft_vec3(0, 1, 0), 0.15));
    const double q[7] = {0, 0, 1.5 * side, turn.w, turn.x, turn.y, turn.z};
    memcpy(start->q, q, sizeof q);
    assert_int_equal(heft_world_set_state(s.world, start), HEFT_OK);
    heft_state_destroy(start);
    int seen[2][HEFT_CONTACT_SHAPE_COUNT] = {{0}};
    double pulled = 0;
    for (int k = 0; k < 1700; ++k) {
      const int lifting = k >= 600;
      if (lifting) {  // at a corner, upwards, ever more
        const HeftPose pose = heft_dynamics_body_pose(heft_world_dynamics(s.world), 1);
        heft_world_apply_wrench(s.world, 1, heft_pose_apply(pose, heft_vec3(side, 0.9 * side, 0)),
                                heft_vec3(0, 0, 0.0015 * (k - 600) * g), heft_vec3(0, 0, 0));
      }
      heft_world_step(s.world);
      ++seen[lifting][heft_world_body_contact(s.world, 1).shape];
      for (int n = 0; n < heft_world_contact_count(s.world); ++n)
        pulled = fmin(pulled, heft_world_contact(s.world, n).force.z);
    }
    for (int phase = 0; phase < 2; ++phase)
      for (int shape = 0; shape < HEFT_CONTACT_SHAPE_COUNT; ++shape)
        if (seen[phase][shape] == 0)
          fail_msg("%s, rule %d, phase %d: never %d", heft_contact_model_name(foot_models[i % 2]),
                   i / 2, phase, shape);
    CHECK_AT_MOST(-pulled, 1e-9);
    scene_close(&s);
  }
}

// At most four tries per step and foot, whatever happens; the search takes as many as it needs.
static void test_one_step_is_bounded(void** state) {
  (void)state;
  int max[2] = {0, 0};
  for (int i = 0; i < 2; ++i) {
    Scene s = box_with(foot_models[i], NULL, 1.1, 2, 0.03, 0.001);
    for (int k = 0; k < 200; ++k) {
      const int trials = run(&s, 1).trials;
      if (trials > max[i]) max[i] = trials;
    }
    scene_close(&s);
  }
  assert_true(max[0] > 1);
  assert_true(max[1] >= 1 && max[1] <= 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_names),
      cmocka_unit_test(test_options),
      cmocka_unit_test(test_word_in_the_model),
      cmocka_unit_test(test_box_at_rest),
      cmocka_unit_test(test_sticks_and_slides_on_a_slope),
      cmocka_unit_test(test_catches_what_falls),
      cmocka_unit_test(test_saved_and_restored),
      cmocka_unit_test(test_exchanged_while_running),
      cmocka_unit_test(test_no_memory_for_another),
      cmocka_unit_test(test_certificate_tells_them_apart),
      cmocka_unit_test(test_penalty_sinks_by_weight_over_stiffness),
      cmocka_unit_test(test_penalty_leaps_when_too_stiff),
      cmocka_unit_test(test_facets_become_a_cone),
      cmocka_unit_test(test_many_facets_at_all_headings),
      cmocka_unit_test(test_lcp_too_large),
      cmocka_unit_test(test_lambda_lets_creep),
      cmocka_unit_test(test_lambda_without_unit),
      cmocka_unit_test(test_least_forces_are_even),
      cmocka_unit_test(test_damper_that_grows_with_the_step),
      cmocka_unit_test(test_poisson_gives_back_impulse),
      cmocka_unit_test(test_nonlinear_springs_bounce),
      cmocka_unit_test(test_step_damper_acts_on_all_laws),
      cmocka_unit_test(test_membrane_carries),
      cmocka_unit_test(test_layers_of_materials),
      cmocka_unit_test(test_static_friction_holds),
      cmocka_unit_test(test_foot_tips_about_its_edge),
      cmocka_unit_test(test_foot_lands_on_edge_then_sole),
      cmocka_unit_test(test_foot_is_lifted),
      cmocka_unit_test(test_center_of_pressure_rule),
      cmocka_unit_test(test_foot_changes_once),
      cmocka_unit_test(test_no_forces_between_foot_and_toe),
      cmocka_unit_test(test_foot_passes_all_states),
      cmocka_unit_test(test_one_step_is_bounded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
