// SPDX-License-Identifier: Apache-2.0
// Papers: R7.
// A deformable body touches itself: a plate closes a clip of foam, whose jaws do not enter each
// other and hold the plate.
#include <heft/deform.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "world/stage.h"

enum { LONG = 6, WIDE = 2, HIGH = 5 };
static const double cell = 0.02, radius = 0.002;

// The clip is a block without the middle layer of its cells, but for the back.
static int is_open(const HeftTetrahedra* mesh, const int* corner) {
  double x = 0, z = 0;
  for (int k = 0; k < 4; ++k) {
    x += 0.25 * mesh->vertices[3L * corner[k]];
    z += 0.25 * mesh->vertices[3L * corner[k] + 2];
  }
  return x > -0.5 * cell * LONG + cell && fabs(z) < 0.5 * cell;
}

static void add_clip(HeftBuilder* b) {
  HeftTetrahedra mesh;
  HeftError error = {0};
  const double half[3] = {0.5 * cell * LONG, 0.5 * cell * WIDE, 0.5 * cell * HIGH};
  const int cells[3] = {LONG, WIDE, HIGH};
  assert_int_equal(heft_tetrahedra_box(&mesh, half, cells, NULL, &error), HEFT_OK);
  int kept = 0;
  for (int t = 0; t < mesh.tetrahedron_count; ++t) {
    if (is_open(&mesh, mesh.tetrahedra + 4L * t)) continue;
    memmove(mesh.tetrahedra + 4L * kept++, mesh.tetrahedra + 4L * t, 4 * sizeof(int));
  }
  HeftDeformableDef def = heft_deformable_def_default();
  def.name = "clip";
  def.pos = heft_vec3(0, 0, half[2] + radius);
  def.vertex_count = mesh.vertex_count;
  def.vertices = mesh.vertices;
  def.tetrahedron_count = kept;
  def.tetrahedra = mesh.tetrahedra;
  def.young = 2e4;
  def.poisson = 0.2;
  def.density = 100;
  def.damping = 0.02;
  def.radius = radius;
  heft_builder_add_deformable(b, &def);
  heft_tetrahedra_release(&mesh, NULL);
}

static HeftModel* clip_model(void) {
  HeftError error = {0};
  HeftBuilder* b = NULL;
  HeftModel* model = NULL;
  assert_int_equal(heft_builder_create(&b, NULL, &error), HEFT_OK);
  HeftShapeDef floor = heft_shape_def_default();
  floor.type = HEFT_SHAPE_PLANE;
  heft_builder_add_shape(b, &floor);
  HeftBodyDef body = heft_body_def_default();
  body.name = "plate";
  body.pos = heft_vec3(0.02, 0, cell * HIGH + 2 * radius + 0.012);
  body.mass = 1.5;
  body.inertia = (HeftSym3){0.004, 0.004, 0.008, 0, 0, 0};
  HeftJointDef joint = heft_joint_def_default();
  joint.body = heft_builder_add_body(b, &body);
  joint.type = HEFT_JOINT_SLIDE;
  joint.axis = heft_vec3(0, 0, 1);
  heft_builder_add_joint(b, &joint);
  HeftShapeDef shape = heft_shape_def_default();
  shape.body = joint.body;
  shape.type = HEFT_SHAPE_BOX;
  shape.size[0] = 0.08;
  shape.size[1] = 0.05;
  shape.size[2] = 0.01;
  heft_builder_add_shape(b, &shape);
  add_clip(b);
  if (heft_builder_finish(b, &model, &error) != HEFT_OK) fail_msg("%s", error.message);
  heft_builder_destroy(b);
  return model;
}

// The least distance of a node of the upper jaw above the nodes of the lower one that were below
// it, of those inside.
static double least_opening(const Stage* s) {
  const HeftModel* m = s->model;
  double least = INFINITY;
  for (int a = 0; a < m->nnode; ++a) {
    const double* x = m->node_rest + 3L * a;
    for (int b = 0; b < m->nnode && x[0] > -0.5 * cell * LONG + 1.5 * cell; ++b) {
      const double* y = m->node_rest + 3L * b;
      if (fabs(x[0] - y[0]) > 1e-9 || fabs(x[1] - y[1]) > 1e-9) continue;
      if (fabs(x[2] - 0.5 * cell) > 1e-9 || fabs(y[2] + 0.5 * cell) > 1e-9) continue;
      const HeftDynamics* d = heft_world_dynamics(s->world);
      least = fmin(least, heft_dynamics_body_pose(d, m->node_body[a]).pos.z -
                              heft_dynamics_body_pose(d, m->node_body[b]).pos.z);
    }
  }
  return least;
}

static int own_points(const Stage* s) {
  int count = 0;
  for (int i = 0; i < heft_world_contact_count(s->world); ++i) {
    const HeftContact c = heft_world_contact(s->world, i);
    count += c.body_a > 1 && c.body_b > 1;
  }
  return count;
}

static int snap(double time_step) {
  HeftWorldDef def = heft_world_def_default();
  def.time_step = time_step;
  Stage s = stage_on(clip_model(), &def);
  double least = INFINITY, highest = 0, first = 0;
  int most = 0, unsolved = 0;
  for (int i = 0; i < 120; ++i) {
    const HeftStepReport r = heft_world_step(s.world);
    const double energy = r.kinetic + r.potential;
    if (i == 0) first = energy;
    highest = fmax(highest, energy - first);
    unsolved += r.status != HEFT_STEP_SOLVED;
    least = fmin(least, least_opening(&s));
    const int own = own_points(&s);
    most = own > most ? own : most;
  }
  print_message(
      "jaws at least %.2f mm apart, %d points between them, %d steps not solved, energy "
      "gained %.1e of %.1e J\n",
      1e3 * least, most, unsolved, highest, first);
  assert_true(most > 0);
  CHECK_AT_MOST(2 * radius - least, 2e-4);
  CHECK_AT_MOST(highest, 1e-6 * first);
  stage_close(&s);
  return unsolved;
}

// Which steps are hard depends on the time step as by chance: 0 to 13 of 120.
static void jaws_do_not_enter_each_other(void** state) {
  (void)state;
  int unsolved = 0;
  for (int k = -1; k <= 1; ++k) unsolved += snap(0.002 + 2e-5 * k);
  CHECK_AT_MOST(unsolved, 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(jaws_do_not_enter_each_other)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
