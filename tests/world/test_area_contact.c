// SPDX-License-Identifier: Apache-2.0
// Papers: R7, R24.
// Area contact against theory: the volume of the overlap, Hertz, the centre of pressure, friction
// torque, energy, snapshots.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "heft/io.h"
#include "world/described.h"
#include "world/stage.h"

enum { MANY = 64 };  // contact points

static const double g = 9.81, pi = 3.14159265358979323846;

// A body on a floor whose material has area contact with these numbers.
static Stage on_area_floor(const char* area, double mu, const char* body, double h) {
  char text[1800];
  snprintf(text, sizeof text,
           "<mujoco><option timestep='%g'/><custom>"
           "<numeric name='heft_material_pad' data='%g %g 0 0 0'/>"
           "<numeric name='heft_area_pad' data='%s'/>"
           "<tuple name='heft_material_pad'><element objtype='geom' objname='floor'/></tuple>"
           "</custom><worldbody><geom name='floor' type='plane' size='5 5 1'/>%s</worldbody>"
           "</mujoco>",
           h, mu, mu, area, body);
  HeftModel* model = described(text);
  HeftWorldDef def = heft_world_def_default();
  def.time_step = h;
  def.tolerance = 1e-9;
  return stage_on(model, &def);
}

static double settle(Stage* s, int steps, int coordinate) {
  HeftStepReport r = {0};
  for (int n = 0; n < steps; ++n) r = stage_step(s);
  assert_int_equal(r.status, HEFT_STEP_SOLVED);
  return heft_world_state(s->world)->q[coordinate];
}

static const char slider[] =
    "<body pos='0 0 .1'><joint type='slide' axis='0 0 1'/>"
    "<geom type='sphere' size='.1' mass='%g' friction='.5 0 0'/></body>";

// An elastic foundation: the force is E / H times the volume of the overlap.
static void a_sphere_sinks_into_a_foundation(void** state) {
  (void)state;
  const double E = 1e5, H = 0.01, R = 0.1;
  for (int k = 0; k < 3; ++k) {
    const double d = 0.002 * (k + 1), force = E / H * pi * d * d * (3 * R - d) / 3;
    char body[300];
    snprintf(body, sizeof body, slider, force / g);
    Stage s = on_area_floor("1e5 0.01 5 1", 0.5, body, 0.002);
    const double sink = -settle(&s, 1500, 0);
    print_message("foundation: depth %.6f, expected %.6f\n", sink, d);
    CHECK_AT_MOST(fabs(sink / d - 1), 1e-3);
    stage_close(&s);
  }
}

// The exponent 1/2 with E = E* / π and H = R is the law of Hertz.
static void a_sphere_obeys_hertz(void** state) {
  (void)state;
  const double modulus = 1e6, R = 0.1;
  for (int k = 0; k < 3; ++k) {
    const double d = 0.0002 * (1 << (2 * k)), force = 4.0 / 3 * modulus * sqrt(R * d) * d;
    char body[300], area[100];
    snprintf(body, sizeof body, slider, force / g);
    snprintf(area, sizeof area, "%.17g %g 5 0.5", modulus / pi, R);
    Stage s = on_area_floor(area, 0.5, body, 0.002);
    const double sink = -settle(&s, 1500, 0), same = 4.0 / 3 * modulus * sqrt(R * sink) * sink;
    print_message("Hertz: depth %.6f, expected %.6f; force %.4f of Hertz\n", sink, d, force / same);
    CHECK_AT_MOST(fabs(force / same - 1), 0.02);
    stage_close(&s);
  }
}

// A box sinks by its weight over E A / H, and under a load off its centre it tilts as the
// foundation says: angle = M / (E I / H), less the moment of the weight above the floor.
static void a_box_tilts_under_an_eccentric_load(void** state) {
  (void)state;
  Stage s = on_area_floor("1e5 0.01 5 1", 0.5,
                          "<body pos='0 0 .05'><joint type='slide' axis='0 0 1'/><joint "
                          "type='hinge' axis='0 1 0' pos='0 0 -.05'/><inertial pos='.02 0 0' "
                          "mass='20' diaginertia='.1 .1 .1'/><geom type='box' size='.1 .05 .05' "
                          "friction='.5 0 0'/></body>",
                          0.002);
  const double stiffness = 1e5 / 0.01, area = 0.2 * 0.1, second = 0.1 * pow(0.2, 3) / 12;
  const double sink = -settle(&s, 2000, 0), angle = heft_world_state(s.world)->q[1];
  CHECK_AT_MOST(fabs(sink / (20 * g / (stiffness * area)) - 1), 1e-3);
  CHECK_AT_MOST(fabs(angle / (20 * g * 0.02 / (stiffness * second - 20 * g * 0.05)) - 1), 1e-2);
  stage_close(&s);
}

// 1 if a torque turns a body about the normal of its patch.
static int slips(const char* body, double torque) {
  Stage s = on_area_floor("1e5 0.01 5 1", 0.5, body, 0.002);
  settle(&s, 300, 0);
  const int last = s.model->nv - 1;
  heft_world_joint_forces(s.world)[last] = torque;
  for (int n = 0; n < 50; ++n) stage_step(&s);
  const int turned = fabs(heft_world_state(s.world)->v[last]) > 1e-6;
  stage_close(&s);
  return turned;
}

// By Coulomb the torque of a patch is µ ∫ p r dA.
static void friction_torque_arises_by_itself(void** state) {
  (void)state;
  const double mu = 0.5, weight = 20 * g;
  static const char box[] =
      "<body pos='0 0 .049'><joint type='slide' axis='0 0 1'/><joint type='hinge' axis='0 0 1'/>"
      "<geom type='box' size='.1 .1 .05' mass='20' friction='.5 0 0'/></body>";
  static const char sphere[] =
      "<body pos='0 0 .095'><joint type='slide' axis='0 0 1'/><joint type='hinge' axis='0 0 1'/>"
      "<geom type='sphere' size='.1' mass='20' friction='.5 0 0'/></body>";
  const double square = mu * weight * 0.1 * (sqrt(2) + log(1 + sqrt(2))) / 3;  // even, side 0.2 m
  assert_false(slips(box, 0.97 * square));
  assert_true(slips(box, 1.03 * square));
  // a paraboloid of pressure over a disc of radius a: 8 µ F a / 15
  const double d = sqrt(weight * 0.01 / (pi * 1e5 * 0.1)), a = sqrt(2 * 0.1 * d - d * d);
  assert_false(slips(sphere, 0.97 * 8 / 15 * mu * weight * a));
  assert_true(slips(sphere, 1.03 * 8 / 15 * mu * weight * a));
}

// Boxes, balls, capsules, cylinders, ellipsoids and hulls fall on each other: kinetic and potential
// energy are never more than what there was with the energy that areas store, and a restored
// snapshot goes on with the same bits.
static const char heap[] =
    "<mujoco><option timestep='0.002'/><custom>"
    "<numeric name='heft_material_pad' data='.6 .6 0 0 0'/>"
    "<numeric name='heft_area_pad' data='2e6 0.02 2 1'/>"
    "<numeric name='heft_material_ball' data='.6 .6 0 0 0'/>"
    "<numeric name='heft_area_ball' data='1e6 0.05 2 0.5'/>"
    "<tuple name='heft_material_pad'><element objtype='geom' objname='floor'/>"
    "<element objtype='geom' objname='box'/><element objtype='geom' objname='hull'/></tuple>"
    "<tuple name='heft_material_ball'><element objtype='geom' objname='ball'/></tuple></custom>"
    "<asset><mesh name='m' vertex='.08 0 -.04 -.08 .01 -.04 0 .09 -.05 0 -.08 -.04 .02 .01 .06'/>"
    "</asset><worldbody><geom name='floor' type='plane' size='5 5 1'/>"
    "<body pos='0 0 .1'><freejoint/><geom name='box' type='box' size='.2 .2 .05' mass='3'/></body>"
    "<body pos='.05 .02 .4'><freejoint/><geom name='ball' type='sphere' size='.06' "
    "mass='1'/></body>"
    "<body pos='-.04 .03 .7' euler='80 10 0'><freejoint/><geom type='capsule' size='.04 .1' "
    "mass='1'/></body>"
    "<body pos='.03 -.04 1' euler='20 70 0'><freejoint/><geom type='cylinder' size='.05 .08' "
    "mass='1'/></body>"
    "<body pos='-.02 -.05 1.3'><freejoint/><inertial pos='0 0 0' mass='.5' diaginertia='.001 .001 "
    ".001'/><geom name='hull' type='mesh' mesh='m' "
    "mass='.5'/></body>"
    "<body pos='.06 .06 1.6'><freejoint/><geom type='ellipsoid' size='.05 .06 .07' "
    "mass='1'/></body>"
    "</worldbody></mujoco>";

static void a_heap_gains_no_energy(void** state) {
  (void)state;
  Stage s = stage_on(described(heap), NULL);
  double most = HUGE_VAL, worst = 0, relative = 0;
  int points = 0, inexact = 0;
  for (int n = 0; n < 700; ++n) {
    const HeftStepReport r = stage_step(&s);
    const double energy = r.kinetic + r.potential + r.soft_energy;
    worst = fmax(worst, r.kinetic + r.potential - most);
    if (energy < most) most = energy;
    points = r.contact_count > points ? r.contact_count : points;
    inexact += r.status != HEFT_STEP_SOLVED;
    relative = fmax(relative, r.relative);
  }
  print_message("heap: gain %g J, %d points, %d steps not solved, residual %g\n", worst, points,
                inexact, relative);
  CHECK_AT_MOST(worst, 1e-3);
  assert_true(points > 30);
  stage_close(&s);
}

// Three bodies above a soft floor, beside a wall with soft points.
static const char thrown[] =
    "<mujoco><option timestep='0.002'/><custom>"
    "<numeric name='heft_material_pad' data='.6 .6 0 0 0'/>"
    "<numeric name='heft_area_pad' data='1e6 0.02 1 1'/>"
    "<numeric name='heft_material_soft' data='.6 .6 0 0 0'/>"
    "<numeric name='heft_soft_soft' data='20000 20'/>"
    "<tuple name='heft_material_pad'><element objtype='geom' objname='floor'/></tuple>"
    "<tuple name='heft_material_soft'><element objtype='geom' objname='wall'/></tuple></custom>"
    "<worldbody><geom name='floor' type='plane' size='5 5 1'/>"
    "<geom name='wall' type='box' size='.05 1 .5' pos='.4 0 .5'/>"
    "<body pos='0 0 .4'><freejoint/><geom type='box' size='.1 .08 .05' mass='2'/></body>"
    "<body pos='.05 .02 .7'><freejoint/><geom type='sphere' size='.06' mass='1'/></body>"
    "<body pos='-.04 .03 1'><freejoint/><geom type='capsule' size='.04 .08' mass='1'/></body>"
    "</worldbody></mujoco>";

// Throws them, turned and spinning. Returns the energy that appears in 300 steps.
static double throw_bodies(Stage* s, uint64_t seed) {
  Random random = {seed};
  double q[64], v[64], most = HUGE_VAL, worst = 0;
  for (int body = 0; body < s->model->nv / 6; ++body) {
    const HeftQuat turn = random_quat(&random);
    const double pose[7] = {0.02 * body, -0.01 * body, 0.3 + 0.3 * body, turn.w, turn.x,
                            turn.y,      turn.z};
    memcpy(q + 7L * body, pose, sizeof pose);
    for (int i = 0; i < 6; ++i)
      v[6 * body + i] = random_between(&random, -1, 1) * (i < 3 ? 0.5 : 8);
  }
  assert_int_equal(heft_world_set_q(s->world, 0, q, s->model->nq, NULL), HEFT_OK);
  assert_int_equal(heft_world_set_v(s->world, 0, v, s->model->nv, NULL), HEFT_OK);
  for (int n = 0; n < 300; ++n) {
    const HeftStepReport r = stage_step(s);
    worst = fmax(worst, r.kinetic + r.potential - most);
    most = fmin(most, r.kinetic + r.potential + r.soft_energy);
  }
  return worst;
}

// Bodies that rock on their edges and roll over each other: their patches change by factors from
// step to step. In free flight they gain up to 1e-6 J, which is the order of their integration.
static void soft_contact_returns_what_it_stored(void** state) {
  (void)state;
  static const uint64_t seeds[] = {3772, 3483, 9076, 9059, 7835};
  Stage s = stage_on(described(thrown), NULL);
  for (int k = 0; k < 5; ++k) {
    const double gain = throw_bodies(&s, seeds[k]);
    print_message("throw %d: gain %g J\n", k, gain);
    CHECK_AT_MOST(gain, 1e-6);
  }
  stage_close(&s);
}

static void snapshots_go_on(void** state) {
  (void)state;
  Stage s = stage_on(described(heap), NULL);
  for (int n = 0; n < 250; ++n) stage_step(&s);
  const size_t size = heft_world_snapshot_size(s.world);
  void* snapshot = malloc(size);
  heft_world_snapshot(s.world, snapshot);
  for (int n = 0; n < 100; ++n) stage_step(&s);
  double* q = malloc((size_t)s.model->nq * sizeof *q);
  memcpy(q, heft_world_state(s.world)->q, (size_t)s.model->nq * sizeof *q);
  assert_int_equal(heft_world_restore(s.world, snapshot, size), HEFT_OK);
  for (int n = 0; n < 100; ++n) stage_step(&s);
  assert_memory_equal(q, heft_world_state(s.world)->q, (size_t)s.model->nq * sizeof *q);
  free(q);
  free(snapshot);
  stage_close(&s);
}

// The patch of a box has the area of its face, its weight, and its centre of pressure below its
// centre; contacts without area make no patch.
static void patches_sum_contacts(void** state) {
  (void)state;
  Stage s = on_area_floor("1e6 0.01 5 1", 0.5,
                          "<body pos='.3 .2 .1'><freejoint/><geom type='box' size='.1 .05 .1' "
                          "mass='2'/></body>",
                          0.002);
  settle(&s, 800, 2);
  HeftContact contact[64];
  HeftContactPatch patch[2];
  const int count = heft_world_contacts(s.world, contact, 64);
  assert_int_equal(heft_contact_patches(contact, count, patch, 2), 1);
  assert_int_equal(patch[0].contact_count, count);
  CHECK_AT_MOST(fabs(patch[0].area - 0.02), 1e-9);
  CHECK_AT_MOST(fabs(patch[0].force - 2 * g), 1e-4);
  CHECK_AT_MOST(fabs(patch[0].peak_pressure - 2 * g / 0.02), 1);
  CHECK_AT_MOST(fabs(patch[0].center.x - 0.3) + fabs(patch[0].center.y - 0.2), 1e-6);
  assert_int_equal(heft_contact_patches(contact, count, patch, 0), 0);
  for (int i = 0; i < count; ++i) contact[i].area = 0;
  assert_int_equal(heft_contact_patches(contact, count, patch, 2), 0);
  stage_close(&s);
}

// A box and a cylinder rock on their faces: the deepest place rises while the others go down, and
// the whole face remains pressed in. All of it is in the patch, once, and in parts of a size.
static void a_face_that_rocks_keeps_its_patch(void** state) {
  (void)state;
  static const double tilts[] = {1e-7, 1e-6, 1e-5, 1e-4};
  static const char* const body[2] = {
      "<body><freejoint/><geom type='box' size='.1 .08 .05' mass='2'/></body>",
      "<body><freejoint/><geom type='cylinder' size='.1 .05' mass='2'/></body>"};
  const double face[2] = {0.2 * 0.16, pi * 0.1 * 0.1}, h = 0.002;
  const int parts[2] = {16, 24};
  for (int n = 0; n < 2 * 4 * 24; ++n) {
    const int shape = n % 2, turns = n / 8;
    const double tilt = tilts[n / 2 % 4], way = 0.01 + pi / 12 * turns;
    const double c = cos(way), d = sin(way), turn = -1.8 * tilt / h;
    Stage s = on_area_floor("1e6 0.02 1 1", 0.6, body[shape], h);
    const double q[7] = {0.1, 0.2, 0.05 - 0.15 * tilt, 1, 0.5 * tilt * c, 0.5 * tilt * d, 0};
    const double v[6] = {0, 0, 0, turn * c, turn * d, 0};
    assert_int_equal(heft_world_set_q(s.world, 0, q, 7, NULL), HEFT_OK);
    assert_int_equal(heft_world_set_v(s.world, 0, v, 6, NULL), HEFT_OK);
    stage_step(&s);
    HeftContact contact[MANY];
    const int count = heft_world_contacts(s.world, contact, MANY);
    double area = 0;
    assert_int_equal(count, parts[shape]);
    for (int i = 0; i < count; ++i) {
      const HeftVec3 at = contact[i].pos;
      area += contact[i].area;
      assert_true(contact[i].area > 0.01 * face[shape]);
      CHECK_AT_MOST(fabs(contact[i].gap - tilt * (c * (at.y - 0.2) - d * (at.x - 0.1) - 0.15)),
                    1e-5 * tilt + 1e-15);
    }
    CHECK_AT_MOST(fabs(area - face[shape]), 1e-6);
    stage_close(&s);
  }
}

// A rigid stamp, a ball and a cylinder on a floor that has the area: no point lacks room.
static void a_soft_floor_has_room_for_areas(void** state) {
  (void)state;
  HeftModel* model = NULL;
  HeftWorld* world = NULL;
  assert_int_equal(heft_model_load_file(&model, "docs/manual/pictures/pressure.xml", NULL, NULL),
                   HEFT_OK);
  assert_int_equal(heft_world_create(&world, model, NULL, NULL), HEFT_OK);
  int most = 0;
  for (int i = 0; i < 100; ++i) {
    const HeftStepReport r = heft_world_step(world);
    assert_int_equal(r.contact_dropped, 0);
    if (r.contact_count > most) most = r.contact_count;
  }
  assert_true(most > 64);
  heft_world_destroy(world);
  heft_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_sphere_sinks_into_a_foundation),
      cmocka_unit_test(a_sphere_obeys_hertz),
      cmocka_unit_test(a_box_tilts_under_an_eccentric_load),
      cmocka_unit_test(friction_torque_arises_by_itself),
      cmocka_unit_test(a_heap_gains_no_energy),
      cmocka_unit_test(soft_contact_returns_what_it_stored),
      cmocka_unit_test(snapshots_go_on),
      cmocka_unit_test(patches_sum_contacts),
      cmocka_unit_test(a_face_that_rocks_keeps_its_patch),
      cmocka_unit_test(a_soft_floor_has_room_for_areas),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
