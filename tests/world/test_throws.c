// SPDX-License-Identifier: Apache-2.0
// Papers: R7.
// Balls, boxes, rods and sponges thrown at sponges: nothing passes through a skin, no element is
// inverted without a status, no energy is gained. HEFT_LONG=1 throws 10,000.
#include <heft/deform.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "world/stage.h"

typedef enum Thing { BALL, BOX, ROD, SPONGE, THINGS } Thing;
static const char* const thing_name[THINGS] = {"ball", "box", "rod", "sponge"};
static const HeftShapeType shape_of[THINGS] = {HEFT_SHAPE_SPHERE, HEFT_SHAPE_BOX,
                                               HEFT_SHAPE_CAPSULE, HEFT_SHAPE_SPHERE};

enum { PROBES_MAX = 512 };

/// A throw: what, how large, from where, how fast.
typedef struct Throw {
  Thing thing;
  double size[3], mass, young, speed, step;
  HeftVec3 from, velocity, spin;
} Throw;

static const double radius = 0.004, width = 0.04;

static void add_sponge(HeftBuilder* b, const char* name, HeftVec3 pos, double young,
                       const int cells[3]) {
  HeftTetrahedra mesh;
  HeftError error = {0};
  const double half[3] = {0.5 * width * cells[0], 0.5 * width * cells[1], 0.5 * width * cells[2]};
  if (heft_tetrahedra_box(&mesh, half, cells, NULL, &error) != HEFT_OK)
    fail_msg("%s", error.message);
  HeftDeformableDef def = heft_deformable_def_default();
  def.name = name;
  def.pos = pos;
  def.vertex_count = mesh.vertex_count;
  def.vertices = mesh.vertices;
  def.tetrahedron_count = mesh.tetrahedron_count;
  def.tetrahedra = mesh.tetrahedra;
  def.young = young;
  def.poisson = 0.2;
  def.density = 60;
  def.damping = 0.01;
  def.radius = radius;
  heft_builder_add_deformable(b, &def);
  heft_tetrahedra_release(&mesh, NULL);
}

static HeftModel* model_of(const Throw* t) {
  static const int target[3] = {4, 4, 2}, own[3] = {2, 2, 2};
  HeftError error = {0};
  HeftBuilder* b = NULL;
  HeftModel* model = NULL;
  assert_int_equal(heft_builder_create(&b, NULL, &error), HEFT_OK);
  HeftShapeDef floor = heft_shape_def_default();
  floor.type = HEFT_SHAPE_PLANE;
  heft_builder_add_shape(b, &floor);
  if (t->thing == SPONGE) {
    add_sponge(b, "thrown", t->from, t->young, own);
  } else {
    HeftBodyDef body = heft_body_def_default();
    body.name = "thrown";
    body.pos = t->from;
    body.mass = t->mass;
    const double moment = 0.4 * t->mass * 0.02 * 0.02;
    body.inertia = (HeftSym3){moment, moment, moment, 0, 0, 0};
    const int index = heft_builder_add_body(b, &body);
    HeftJointDef joint = heft_joint_def_default();
    joint.body = index;
    joint.type = HEFT_JOINT_FREE;
    heft_builder_add_joint(b, &joint);
    HeftShapeDef shape = heft_shape_def_default();
    shape.body = index;
    shape.type = shape_of[t->thing];
    memcpy(shape.size, t->size, sizeof t->size);
    heft_builder_add_shape(b, &shape);
  }
  add_sponge(b, "target", heft_vec3(0, 0, width + radius), t->young, target);
  if (heft_builder_finish(b, &model, &error) != HEFT_OK) fail_msg("%s", error.message);
  heft_builder_destroy(b);
  return model;
}

static Throw any_throw(Random* random) {
  Throw t = {.thing = (Thing)(int)random_between(random, 0, 3.999)};
  const double r = pow(10, random_between(random, -2.3, -1.3));  // 5 to 50 mm
  t.size[0] = r;
  t.size[1] =
      t.thing == ROD ? random_between(random, 0.02, 0.1) : r * random_between(random, 0.5, 1);
  t.size[2] = r * random_between(random, 0.5, 1);
  t.mass = 4000 * r * r * r + 0.002;
  t.young = pow(10, random_between(random, 3.7, 5.3));
  t.speed = pow(10, random_between(random, 0, 1.301));
  t.step = 0.002;
  const double angle = random_between(random, 0, 2 * 3.14159265),
               tilt = random_between(random, 0, 1.2);
  const HeftVec3 way = heft_vec3(sin(tilt) * cos(angle), sin(tilt) * sin(angle), -cos(tilt));
  const HeftVec3 aim = heft_vec3(random_between(random, -0.07, 0.07),
                                 random_between(random, -0.07, 0.07), 2 * width);
  t.from = heft_vec3_add_scaled(aim, -0.25, way);
  t.velocity = heft_vec3_scale(t.speed, way);
  t.spin = heft_vec3(random_between(random, -10, 10), random_between(random, -10, 10),
                     random_between(random, -10, 10));
  return t;
}

static double six_volumes(const HeftVec3 x[4]) {
  const HeftVec3 a = heft_vec3_sub(x[1], x[0]), b = heft_vec3_sub(x[2], x[0]);
  return heft_vec3_dot(a, heft_vec3_cross(b, heft_vec3_sub(x[3], x[0])));
}

static HeftPose body_at(const HeftWorld* w, int body) {
  return heft_dynamics_body_pose(heft_world_dynamics(w), body);
}

static HeftVec3 node_at(const HeftWorld* w, const HeftModel* m, int d, int node) {
  return body_at(w, m->node_body[m->deformable_node[d] + node]).pos;
}

// How deep a place is in the body d: the largest share of the least corner of a tetrahedron that
// holds it; below zero outside.
static double depth_in(const HeftWorld* w, const HeftModel* m, int d, HeftVec3 place) {
  double deepest = -1;
  for (int t = 0; t < m->deformable_tetrahedron_count[d]; ++t) {
    const int* corner = m->tetrahedron_node + 4L * (m->deformable_tetrahedron[d] + t);
    HeftVec3 x[4];
    for (int k = 0; k < 4; ++k) x[k] = node_at(w, m, d, corner[k]);
    const double all = six_volumes(x);
    if (!(all > 0)) continue;
    double least = 1;
    for (int k = 0; k < 4; ++k) {
      const HeftVec3 kept = x[k];
      x[k] = place;
      least = fmin(least, six_volumes(x) / all);
      x[k] = kept;
    }
    deepest = fmax(deepest, least);
  }
  return deepest;
}

// Places that are well inside of what is thrown: its axis, its centre, the nodes.
static int probes_of(const HeftWorld* w, const HeftModel* m, const Throw* t, HeftVec3* out) {
  if (t->thing == SPONGE) {
    for (int i = 0; i < m->deformable_node_count[0]; ++i) out[i] = node_at(w, m, 0, i);
    return m->deformable_node_count[0];
  }
  const HeftPose s = body_at(w, 1);
  int count = 0;
  for (int i = -1; i <= 1; ++i) {
    if (t->thing != ROD && i != 0) continue;
    out[count++] = heft_vec3_add_scaled(s.pos, i * t->size[1], heft_mat3_column(s.rot, 2));
  }
  return count;
}

static double deepest_probe(const HeftWorld* w, const HeftModel* m, const Throw* t) {
  static HeftVec3 probe[PROBES_MAX];
  const int count = probes_of(w, m, t, probe);
  double deepest = -1;
  for (int i = 0; i < count; ++i)
    deepest = fmax(deepest, depth_in(w, m, m->ndeformable - 1, probe[i]));
  return deepest;
}

static int any_inverted(const HeftWorld* w, const HeftModel* m) {
  for (int d = 0; d < m->ndeformable; ++d) {
    for (int t = 0; t < m->deformable_tetrahedron_count[d]; ++t) {
      const int* corner = m->tetrahedron_node + 4L * (m->deformable_tetrahedron[d] + t);
      HeftVec3 x[4];
      for (int k = 0; k < 4; ++k) x[k] = node_at(w, m, d, corner[k]);
      if (!(six_volumes(x) > 0)) return 1;
    }
  }
  return 0;
}

typedef struct Tally {
  int throws, passages, inverted, silent, gained, rises, steps, inexact, overlap, other;
  double most_gained, most_risen;
} Tally;

static void throw_one(const Throw* t, Tally* tally, int index) {
  HeftModel* model = model_of(t);
  HeftWorldDef def = heft_world_def_default();
  def.time_step = t->step;
  Stage s = stage_on(model, &def);
  double* v = calloc((size_t)model->nv, sizeof *v);
  if (t->thing == SPONGE) {
    for (int i = 0; i < model->deformable_node_count[0]; ++i)
      memcpy(v + 3L * i, &t->velocity, 3 * sizeof *v);
  } else {
    memcpy(v, &t->velocity, 3 * sizeof *v);
    memcpy(v + 3, &t->spin, 3 * sizeof *v);
  }
  assert_int_equal(heft_world_set_v(s.world, 0, v, model->nv, NULL), HEFT_OK);
  free(v);
  double first = 0, least = 0, gain = 0, rise = 0;
  int passed = 0;
  for (int i = 0; i < 150; ++i) {
    const HeftStepReport r = heft_world_step(s.world);
    const double energy = r.kinetic + r.potential;
    if (i == 0) first = least = energy;
    gain = fmax(gain, energy - first);
    rise = fmax(rise, energy - least);
    least = fmin(least, energy);
    ++tally->steps;
    tally->inexact += r.status == HEFT_STEP_INEXACT;
    tally->overlap += r.status == HEFT_STEP_OVERLAP;
    tally->inverted += r.status == HEFT_STEP_INVERTED;
    tally->other += r.status > HEFT_STEP_INVERTED || r.status == HEFT_STEP_ENERGY;
    if (any_inverted(s.world, model) && r.status < HEFT_STEP_INVERTED) ++tally->silent;
    const double deep = deepest_probe(s.world, model, t);
    if (deep > 0.02 && !passed) {
      passed = 1;
      if (getenv("HEFT_SHOW"))
        print_message(
            "throw %d: %s of %.1f mm, %.3f kg at %.1f m/s, %.0f Pa: inside by %.2f in step %d\n",
            index, thing_name[t->thing], 1e3 * t->size[0], t->mass, t->speed, t->young, deep, i);
    }
  }
  tally->passages += passed;
  tally->most_gained = fmax(tally->most_gained, gain / first);
  tally->most_risen = fmax(tally->most_risen, rise / first);
  tally->gained += gain > 1e-6 * first;
  tally->rises += rise > 1e-6 * first;
  ++tally->throws;
  stage_close(&s);
}

static void nothing_passes_through_a_skin(void** state) {
  (void)state;
  const int count = getenv("HEFT_LONG")     ? 10000
                    : getenv("HEFT_THROWS") ? atoi(getenv("HEFT_THROWS"))
                    : getenv("HEFT_SHORT")  ? 8
                                            : 30;
  const char* only = getenv("HEFT_THROW");
  Tally tally = {0};
  for (int i = 0; i < count; ++i) {
    Random random = {(uint64_t)i + 1};
    const Throw t = any_throw(&random);
    if (!only || atoi(only) == i) throw_one(&t, &tally, i);
    if (getenv("HEFT_LONG") && i % 500 == 499)
      print_message("%d throws: %d passages\n", i + 1, tally.passages);
  }
  print_message(
      "%d throws, %d steps: %d passages, %d steps with inverted elements, %d without a "
      "status; energy above the first in %d throws, at most %.1e, above the least before in "
      "%d, at most %.1e; inexact %d, overlap %d, other %d\n",
      tally.throws, tally.steps, tally.passages, tally.inverted, tally.silent, tally.gained,
      tally.most_gained, tally.rises, tally.most_risen, tally.inexact, tally.overlap, tally.other);
  assert_int_equal(tally.passages, 0);
  assert_int_equal(tally.silent, 0);
  assert_int_equal(tally.gained, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_passes_through_a_skin)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
