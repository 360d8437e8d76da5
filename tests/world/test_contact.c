// SPDX-License-Identifier: Apache-2.0
// Papers: R9.
// Contact in the world against closed forms: blocks on slopes, sliding and stopping, a ball that
// slides and rolls, bouncing, stacks, joint limits, dry friction, a closed loop. The scheme with θ
// = 1 has exact answers of its own: a constant acceleration a gives v_n = a h n and x_n = a h² n (n
// + 1) / 2.
#include <stdlib.h>
#include <string.h>

#include "contact_scene.h"

// Steps on; every step must be certified.
static void run(Scene* s, int steps) {
  for (int i = 0; i < steps; ++i) {
    const HeftStepReport report = heft_world_step(s->world);
    assert_true(heft_step_taken(report.status));
    CHECK_AT_MOST(report.relative, 1e-9);
  }
}

static void block_sticks_below_the_threshold(void** state) {
  (void)state;
  Scene s = block_on_slope(0.5 * (1 - 1e-6), 0.5);
  run(&s, 1000);
  printf("block at tan α = µ (1 - 1e-6): %.1e m/s, %.1e m after 1 s\n", v_of(&s)[0], q_of(&s)[0]);
  CHECK_AT_MOST(fabs(v_of(&s)[0]), 1e-10);
  CHECK_AT_MOST(fabs(q_of(&s)[0]), 1e-10);
  scene_close(&s);
}

static void block_slides_as_it_should(void** state) {
  (void)state;
  const double slope = 0.6, mu = 0.5, h = 0.001;
  const double a = g * (slope - mu) / sqrt(1 + slope * slope);
  const int n = 1000;
  Scene s = block_on_slope(slope, mu);
  run(&s, n);
  // the first step, from rest, moves by v⁺
  const double v = a * h * n, x = a * h * h * ((double)n * n + 1) / 2;
  printf("block at tan α = 1.2 µ: relative errors v %.1e, x %.1e\n", v_of(&s)[0] / v - 1,
         q_of(&s)[0] / x - 1);
  CHECK_AT_MOST(fabs(v_of(&s)[0] / v - 1), 1e-9);
  CHECK_AT_MOST(fabs(q_of(&s)[0] / x - 1), 1e-9);
  scene_close(&s);
}

static void block_stops_where_it_should(void** state) {
  (void)state;
  const double mu = 0.5, v0 = 1, h = 0.001;
  Scene s = block_on_slope(0, mu);
  set_velocity(&s, 0, v0);
  run(&s, 1000);
  double x = 0, v = v0;  // the scheme's own way
  for (int i = 0; i < 1000; ++i) {
    const double before = v;
    v = fmax(0, v - mu * g * h);
    x += 0.5 * h * (before + v);
  }
  printf("sliding block: stops after %.6f m, theory %.6f, of the scheme %.6f; creep %.1e m/s\n",
         q_of(&s)[0], v0 * v0 / (2 * mu * g), x, v_of(&s)[0]);
  CHECK_AT_MOST(fabs(q_of(&s)[0] - x), 1e-9);
  CHECK_AT_MOST(fabs(x - v0 * v0 / (2 * mu * g)), 2e-6);
  CHECK_AT_MOST(fabs(v_of(&s)[0]), 1e-12);
  scene_close(&s);
}

static void ball_slides_then_rolls(void** state) {
  (void)state;
  const double mu = 0.3, v0 = 1;
  Scene s = scene_open(heft_vec3(0, 0, -g), 0.001);
  const int material = add_material(&s, mu, 0);
  add_floor(&s, material);
  add_free(&s, HEFT_SHAPE_SPHERE, 0.1, 1, heft_vec3(0, 0, 0.1), material);
  scene_start(&s);
  set_velocity(&s, 0, v0);
  run(&s, 500);
  printf("ball: rolls at %.12f v0, theory %.12f\n", v_of(&s)[0] / v0, 5.0 / 7);
  CHECK_AT_MOST(fabs(v_of(&s)[0] / v0 - 5.0 / 7), 1e-9);
  CHECK_AT_MOST(fabs(v_of(&s)[4] * 0.1 - v_of(&s)[0]), 1e-9);
  scene_close(&s);
}

// The direction of motion must not matter: no facets.
static void friction_is_round(void** state) {
  (void)state;
  double min = INFINITY, max = 0, aside = 0;
  for (int heading = 0; heading < 360; heading += 5) {
    const double angle = heading * HEFT_PI / 180, c = cos(angle), sn = sin(angle);
    Scene s = scene_open(heft_vec3(0, 0, -g), 0.001);
    const int material = add_material(&s, 0.5, 0);
    add_floor(&s, material);
    add_free(&s, HEFT_SHAPE_SPHERE, 0.1, 1, heft_vec3(0, 0, 0.1), material);
    scene_start(&s);
    set_velocity(&s, 0, c);
    set_velocity(&s, 1, sn);
    run(&s, 20);
    const double along = v_of(&s)[0] * c + v_of(&s)[1] * sn;
    min = fmin(min, along);
    max = fmax(max, along);
    aside = fmax(aside, fabs(v_of(&s)[1] * c - v_of(&s)[0] * sn));
    scene_close(&s);
  }
  printf("headings: speeds within %.1e, at most %.1e aside\n", max - min, aside);
  CHECK_AT_MOST(max - min, 1e-12);
  CHECK_AT_MOST(aside, 1e-12);
}

static void ball_bounces(void** state) {
  (void)state;
  const double e = 0.5, height = 1;
  Scene s = scene_open(heft_vec3(0, 0, -g), 0.001);
  const int material = add_material(&s, 0, e);
  add_floor(&s, material);
  add_free(&s, HEFT_SHAPE_SPHERE, 0.1, 1, heft_vec3(0, 0, 0.1 + height), material);
  scene_start(&s);
  double arrival = 0, departure = 0;
  for (int i = 0; i < 1000 && departure <= 0; ++i) {
    arrival = v_of(&s)[2];
    run(&s, 1);
    departure = v_of(&s)[2];
  }
  printf("ball: arrives at %.4f m/s (theory %.4f), leaves at %.4f of it\n", -arrival,
         sqrt(2 * g * height), -departure / arrival);
  CHECK_AT_MOST(fabs(departure / arrival + e), 0.02);  // one step of weight between the two
  scene_close(&s);
}

// Balls that fall together and hit each other aslant: elastic impacts in flight change neither
// energy nor momentum, though the balls go on during the step in which they meet.
static void elastic_impacts_in_flight_keep_everything(void** state) {
  (void)state;
  Scene s = scene_open(heft_vec3(0, 0, -g), 0.001);
  const int material = add_material(&s, 0, 1);
  add_free(&s, HEFT_SHAPE_SPHERE, 0.1, 1, heft_vec3(0, 0, 10), material);
  add_free(&s, HEFT_SHAPE_SPHERE, 0.1, 3, heft_vec3(0.6, 0.15, 10), material);
  add_free(&s, HEFT_SHAPE_SPHERE, 0.1, 2, heft_vec3(-0.5, -0.02, 10.13), material);
  scene_start(&s);
  set_velocity(&s, 0, 4);
  set_velocity(&s, 6, -3);
  set_velocity(&s, 12, 9);
  const HeftStepReport first = heft_world_step(s.world);
  double energy = 0, spin = 0;
  int touched = 0;
  HeftVec3 start = {0, 0, 0};
  for (int i = 0; i < 500; ++i) {
    const HeftStepReport r = heft_world_step(s.world);
    assert_int_equal(r.status, HEFT_STEP_SOLVED);
    touched += r.contact_count > 0;
    energy = fmax(energy, fabs(r.kinetic + r.potential - first.kinetic - first.potential));
    const HeftDynamics* d = heft_world_dynamics(s.world);
    const HeftVec3 now = heft_dynamics_momentum(d, 0, heft_dynamics_center_of_mass(d, 0)).ang;
    if (i == 0) start = now;
    spin = fmax(spin, heft_vec3_norm(heft_vec3_sub(now, start)));
  }
  printf("elastic in flight: touched in %d steps, energy to %.1e of %.1f J, L to %.1e\n", touched,
         energy, first.kinetic, spin);
  assert_true(touched > 1);
  CHECK_AT_MOST(energy, 1e-10);
  CHECK_AT_MOST(spin, 1e-12);
  scene_close(&s);
}

// What lies still, or nearly, does not ask for one round of impacts after the other, only because
// its material could bounce. A report counts islands once in every round.
static void slow_touches_end_in_few_rounds(void** state) {
  (void)state;
  const double restitutions[] = {0.07, 0.3, 0.6, 0.9};
  int max = 0;
  for (int k = 0; k < 4; ++k) {
    Scene s = scene_open(heft_vec3(0, 0, -g), 0.002);
    const int material = add_material(&s, 0.4, restitutions[k]);
    add_floor(&s, material);
    add_free(&s, HEFT_SHAPE_BOX, 0.1, 1, heft_vec3(0, 0, 0.2), material);
    add_free(&s, HEFT_SHAPE_BOX, 0.08, 2, heft_vec3(0.05, 0.03, 0.45), material);
    HeftWorldDef def = heft_world_def_default();
    scene_start_with(&s, &def);
    set_velocity(&s, 3, 1);
    for (int i = 0; i < 1500; ++i) {
      const HeftStepReport r = heft_world_step(s.world);
      assert_int_equal(r.status, HEFT_STEP_SOLVED);
      if (r.islands > max) max = r.islands;
    }
    scene_close(&s);
  }
  printf("slow touches: at most %d islands in a step, all rounds together\n", max);
  assert_true(max < 20);
}

static void stack_carries_its_weight(void** state) {
  (void)state;
  enum { BOXES = 6 };
  Scene s = scene_open(heft_vec3(0, 0, -g), 0.001);
  const int material = add_material(&s, 0.5, 0);
  add_floor(&s, material);
  double above = 0;
  for (int i = 0; i < BOXES; ++i) {
    const double mass = i == BOXES - 1 ? 100 : 1;
    above += mass;
    add_free(&s, HEFT_SHAPE_BOX, 0.1, mass, heft_vec3(0, 0, 0.1 + 0.2 * i), material);
  }
  scene_start(&s);
  run(&s, 200);
  double worst = 0;
  for (int level = 0; level < BOXES;
       ++level) {  // between body level (0: the floor) and body level + 1
    double force = 0;
    for (int i = 0; i < heft_world_contact_count(s.world); ++i) {
      const HeftContact contact = heft_world_contact(s.world, i);
      if (contact.body_a == level && contact.body_b == level + 1)
        force += heft_vec3_dot(contact.force, contact.normal);
    }
    worst = fmax(worst, fabs(force / (above * g) - 1));
    above -= level == BOXES - 1 ? 100 : 1;
  }
  printf("stack: forces are the weights above to %.1e; top at %.9f m\n", worst,
         q_of(&s)[7 * (BOXES - 1) + 2]);
  CHECK_AT_MOST(worst, 1e-8);
  CHECK_AT_MOST(fabs(q_of(&s)[7 * (BOXES - 1) + 2] - (0.1 + 0.2 * (BOXES - 1))), 1e-6);
  const HeftSpatial wrench = heft_world_contact_wrench(s.world, 1, heft_vec3(0, 0, 0));
  CHECK_AT_MOST(fabs(wrench.lin.z - g),
                1e-6);  // what the lowest box carries and what carries it differ by its weight
  scene_close(&s);
}

static int add_arm(Scene* s, int parent, HeftVec3 pos, double friction, double low, double high) {
  HeftBodyDef body = heft_body_def_default();
  body.parent = parent;
  body.pos = pos;
  body.mass = 1;
  body.com = heft_vec3(0.5, 0, 0);
  body.inertia = (HeftSym3){0.001, 1.0 / 12, 1.0 / 12, 0, 0, 0};
  const int index = heft_builder_add_body(s->builder, &body);
  HeftJointDef joint = heft_joint_def_default();
  joint.body = index;
  joint.axis = heft_vec3(0, 1, 0);
  joint.friction[0] = friction;
  joint.limited[0] = low < high;
  joint.range[0][0] = low;
  joint.range[0][1] = high;
  heft_builder_add_joint(s->builder, &joint);
  return index;
}

static void limits_hold(void** state) {
  (void)state;
  Scene s = scene_open(heft_vec3(0, 0, -g), 0.001);
  add_arm(&s, 0, heft_vec3(0, 0, 0), 0, -0.5, 0.5);  // turning about y lowers it
  scene_start(&s);
  run(&s, 3000);
  printf("limit: arm rests at %.9f rad, limit 0.5; speed %.1e\n", q_of(&s)[0], v_of(&s)[0]);
  CHECK_AT_MOST(fabs(q_of(&s)[0] - 0.5), 1e-6);
  CHECK_AT_MOST(fabs(v_of(&s)[0]), 1e-9);
  scene_close(&s);
}

static void dry_friction_holds_and_yields(void** state) {
  (void)state;
  const double torque = 0.5 * g;  // of the arm's weight, when it is level
  for (int yields = 0; yields < 2; ++yields) {
    Scene s = scene_open(heft_vec3(0, 0, -g), 0.001);
    add_arm(&s, 0, heft_vec3(0, 0, 0), torque * (yields ? 0.9 : 1.001), 0, 0);
    scene_start(&s);
    run(&s, 100);
    if (yields) {
      const double a = 0.1 * torque / (1.0 / 12 + 0.25);
      CHECK_AT_MOST(fabs(v_of(&s)[0] / (a * 0.1) - 1), 1e-3);
    } else {
      CHECK_AT_MOST(fabs(v_of(&s)[0]), 1e-12);
    }
    scene_close(&s);
  }
}

// Two arms joined at their ends: a triangle that cannot fall.
static void loops_stay_closed(void** state) {
  (void)state;
  Scene s = scene_open(heft_vec3(0, 0, -g), 0.001);
  const int left = add_arm(&s, 0, heft_vec3(-0.6, 0, 0), 0, 0, 0);
  const int right = add_arm(&s, 0, heft_vec3(0.6, 0, 0), 0, 0, 0);
  HeftEqualityDef loop = heft_equality_def_default();
  loop.type = HEFT_EQUALITY_CONNECT;
  loop.object[0] = left;
  loop.object[1] = right;
  loop.anchor[0] = heft_vec3(1, 0, 0);
  loop.anchor[1] = heft_vec3(1, 0, 0);
  heft_builder_add_equality(s.builder, &loop);
  scene_start(&s);
  HeftState* start = NULL;
  assert_int_equal(heft_state_create(&start, s.model, NULL, NULL), HEFT_OK);
  const double angle = heft_atan2(0.8, 0.6);  // both ends meet above the middle
  start->q[0] = -angle;
  start->q[1] = -(HEFT_PI - angle);
  assert_int_equal(heft_world_set_state(s.world, start), HEFT_OK);
  run(&s, 1000);
  printf("loop: moved %.1e rad, speed %.1e\n", fabs(q_of(&s)[0] + angle), fabs(v_of(&s)[0]));
  CHECK_AT_MOST(fabs(q_of(&s)[0] + angle), 1e-9);
  CHECK_AT_MOST(fabs(v_of(&s)[0]), 1e-9);
  heft_state_destroy(start);
  scene_close(&s);
}

// A box with an arm on a hinge, hit off its centre by a ball, far from everything else: what they
// do to each other adds nothing to their common momentum, though the arm turns while they touch.
static void what_floats_together_keeps_its_momentum(void** state) {
  (void)state;
  Scene s = scene_open(heft_vec3(0, 0, 0), 0.001);
  const int material = add_material(&s, 0.6, 0);
  const int box = add_free(&s, HEFT_SHAPE_BOX, 0.1, 1, heft_vec3(0, 0, 0), material);
  add_free(&s, HEFT_SHAPE_SPHERE, 0.1, 2, heft_vec3(0.05, -0.3, 0.06), material);
  HeftBodyDef arm = heft_body_def_default();
  arm.parent = box;
  arm.pos = heft_vec3(0.1, 0, 0.1);
  arm.com = heft_vec3(0.2, 0, 0);
  arm.mass = 0.7;
  arm.inertia = (HeftSym3){0.001, 0.004, 0.004, 0, 0, 0};
  HeftJointDef hinge = heft_joint_def_default();
  hinge.body = heft_builder_add_body(s.builder, &arm);
  hinge.type = HEFT_JOINT_HINGE;
  hinge.axis = heft_vec3(0, 0.6, 0.8);
  heft_builder_add_joint(s.builder, &hinge);
  scene_start(&s);
  const HeftModel* m = s.model;
  for (int j = 0; j < m->njoint; ++j) {  // the ball comes, the arm turns
    if (m->joint_type[j] == HEFT_JOINT_HINGE) set_velocity(&s, m->joint_dof[j], 8);
    if (m->joint_type[j] == HEFT_JOINT_FREE && m->joint_body[j] != box)
      set_velocity(&s, m->joint_dof[j] + 1, 2);
  }
  const HeftVec3 origin = {0, 0, 0};
  const HeftSpatial start = heft_dynamics_momentum(heft_world_dynamics(s.world), 0, origin);
  double linear = 0, angular = 0;
  int touched = 0;
  for (int i = 0; i < 500; ++i) {
    touched += heft_world_step(s.world).contact_count > 0;
    const HeftSpatial now = heft_dynamics_momentum(heft_world_dynamics(s.world), 0, origin);
    linear = fmax(linear, heft_vec3_norm(heft_vec3_sub(now.lin, start.lin)));
    angular = fmax(angular, heft_vec3_norm(heft_vec3_sub(now.ang, start.ang)));
  }
  printf("floating together: touched in %d steps, P to %.1e, L to %.1e\n", touched, linear,
         angular);
  assert_true(touched > 10);
  CHECK_AT_MOST(linear, 1e-12);
  CHECK_AT_MOST(angular, 1e-12);
  scene_close(&s);
}

// Leaves that spin by half a radian and more in a step hit the floor on their edges: the bias of
// their motion must not wind them up.
static void fast_spin_adds_no_energy(void** state) {
  (void)state;
  double worst = 0;
  for (int k = 0; k < 20; ++k) {
    Scene s = scene_open(heft_vec3(0, 0, -g), 0.003);
    const int material = add_material(&s, 0.5, 0);
    add_floor(&s, material);
    HeftBodyDef leaf = heft_body_def_default();
    leaf.pos = heft_vec3(0, 0, 0.1);
    leaf.mass = 2e-4;
    leaf.inertia = (HeftSym3){4e-9, 2.6e-8, 3e-8, 0, 0, 0};
    HeftJointDef joint = heft_joint_def_default();
    joint.body = heft_builder_add_body(s.builder, &leaf);
    joint.type = HEFT_JOINT_FREE;
    heft_builder_add_joint(s.builder, &joint);
    HeftShapeDef shape = heft_shape_def_default();
    shape.body = joint.body;
    shape.type = HEFT_SHAPE_ELLIPSOID;
    shape.size[0] = 0.025;
    shape.size[1] = 0.01;
    shape.size[2] = 0.001;
    shape.material = material;
    heft_builder_add_shape(s.builder, &shape);
    scene_start(&s);
    const double v[6] = {1, 0, -7, 150.0 + 10 * k, 180.0 - 7 * k, 90.0 + 3 * k};
    for (int i = 0; i < 6; ++i) set_velocity(&s, i, v[i]);
    const HeftStepReport first = heft_world_step(s.world);
    double max = 0;
    for (int i = 0; i < 1000; ++i) {
      const HeftStepReport r = heft_world_step(s.world);
      assert_true(heft_step_taken(r.status));
      max = fmax(max, r.kinetic + r.potential);
    }
    worst = fmax(worst, max / (first.kinetic + first.potential));
    scene_close(&s);
  }
  printf("leaves: most energy %.6f of that of the start\n", worst);
  CHECK_AT_MOST(worst, 1.01);
}

static void restored_worlds_go_on_alike(void** state) {
  (void)state;
  Scene s = scene_open(heft_vec3(0.3, 0, -g), 0.001);
  const int material = add_material(&s, 0.5, 0);
  add_floor(&s, material);
  for (int i = 0; i < 4; ++i) {
    add_free(&s, i % 2 ? HEFT_SHAPE_SPHERE : HEFT_SHAPE_BOX, 0.1, 1,
             heft_vec3(0.03 * i, 0.01 * i, 0.1 + 0.21 * i), material);
  }
  scene_start(&s);
  run(&s, 150);
  const size_t size = heft_world_snapshot_size(s.world);
  void* bytes = malloc(size);
  heft_world_snapshot(s.world, bytes);
  run(&s, 150);
  const uint64_t hash = heft_world_hash(s.world);
  assert_int_equal(heft_world_restore(s.world, bytes, size), HEFT_OK);
  run(&s, 150);
  assert_true(heft_world_hash(s.world) == hash);
  free(bytes);
  scene_close(&s);
}

// A table on four balls, one of them too small by `missing`. Returns what that leg carries, as a
// share of the weight, after a step.
static double share_of_short_leg(double missing, double tolerance) {
  Scene s = scene_open(heft_vec3(0, 0, -g), 0.001);
  const int material = add_material(&s, 0.5, 0);
  add_floor(&s, material);
  const int table = add_free(&s, HEFT_SHAPE_SPHERE, 0.05, 1, heft_vec3(0, 0, 0.1), material);
  for (int leg = 0; leg < 4; ++leg) {
    HeftShapeDef shape = heft_shape_def_default();
    shape.body = table;
    shape.type = HEFT_SHAPE_SPHERE;
    shape.pos = heft_vec3(leg % 2 ? 1 : -1, leg / 2 ? 1 : -1, 0.05);
    shape.size[0] = 0.15 - (leg == 3 ? missing : 0);
    shape.material = material;
    heft_builder_add_shape(s.builder, &shape);
  }
  HeftWorldDef def = heft_world_def_default();
  def.tolerance = tolerance;
  scene_start_with(&s, &def);
  heft_world_step(s.world);
  double force = 0;
  for (int i = 0; i < heft_world_contact_count(s.world); ++i) {
    const HeftContact contact = heft_world_contact(s.world, i);
    if (contact.pos.x > 0.5 && contact.pos.y > 0.5) force += contact.force.z;
  }
  scene_close(&s);
  return force / g;
}

// A gap that the tolerance would let open and close again within a few steps is none; a larger one
// is.
static void gaps_below_the_tolerance_are_none(void** state) {
  (void)state;
  const double tolerance = 1e-6, min = 10 * tolerance * g * 0.001 * 0.001;
  const double near = share_of_short_leg(0.5 * min, tolerance),
               far = share_of_short_leg(100 * min, tolerance);
  printf("a leg that is %.0e m too short carries %.3f of the weight, %.0e m: %.3f\n", 0.5 * min,
         near, 100 * min, far);
  assert_true(near > 0.1);
  CHECK_AT_MOST(far, 1e-3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gaps_below_the_tolerance_are_none),
      cmocka_unit_test(block_sticks_below_the_threshold),
      cmocka_unit_test(block_slides_as_it_should),
      cmocka_unit_test(block_stops_where_it_should),
      cmocka_unit_test(ball_slides_then_rolls),
      cmocka_unit_test(friction_is_round),
      cmocka_unit_test(ball_bounces),
      cmocka_unit_test(elastic_impacts_in_flight_keep_everything),
      cmocka_unit_test(slow_touches_end_in_few_rounds),
      cmocka_unit_test(stack_carries_its_weight),
      cmocka_unit_test(limits_hold),
      cmocka_unit_test(dry_friction_holds_and_yields),
      cmocka_unit_test(loops_stay_closed),
      cmocka_unit_test(what_floats_together_keeps_its_momentum),
      cmocka_unit_test(fast_spin_adds_no_energy),
      cmocka_unit_test(restored_worlds_go_on_alike),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
