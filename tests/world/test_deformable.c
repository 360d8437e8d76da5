// SPDX-License-Identifier: Apache-2.0
// Papers: R7, U9, U10.
// Deformable bodies against the theory of elasticity, and in contact.
#include <heft/deform.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "dynamics/deform/deform.h"
#include "dynamics/links.h"
#include "scenes/block.h"
#include "world/stage.h"

static const double young = BLOCK_YOUNG, density = BLOCK_DENSITY;

static Stage open_block_on(const Block* b, const HeftWorldDef* given) {
  HeftError error = {0};
  HeftModel* model = block_model(b, &error);
  if (!model) fail_msg("%s", error.message);
  HeftWorldDef world = given ? *given : heft_world_def_default();
  return stage_on(model, &world);
}

static Stage open_block(const Block* b) { return open_block_on(b, NULL); }

static HeftVec3 place_of(const Stage* s, int node) { return block_node(s->world, node); }

static int dof_of(const Stage* s, int node) { return block_dof(s->model, node); }

static double volume_of(const HeftVec3 x[4]) {
  const HeftVec3 a = heft_vec3_sub(x[1], x[0]), b = heft_vec3_sub(x[2], x[0]);
  return heft_vec3_dot(a, heft_vec3_cross(b, heft_vec3_sub(x[3], x[0]))) / 6;
}

// A bar under tension has the uniform strain of its law (scenes/block.h) at every node, in any
// orientation of the mesh, also at large strain.
static void a_constant_strain_is_exact(void** state) {
  (void)state;
  const double stress[] = {1e3, 1e5};
  for (int k = 0; k < 2; ++k) {
    Block b = block_cube();
    b.step = 0.02;
    b.half[0] = 0.1;
    Stage s = open_block(&b);
    double* force = heft_world_joint_forces(s.world);
    block_load(s.model, &b, 1, heft_vec3(stress[k], 0, 0), force);
    block_load(s.model, &b, -1, heft_vec3(-stress[k], 0, 0), force);
    for (int i = 0; i < 300; ++i) heft_world_step(s.world);
    const HeftVec3 o = place_of(&s, 0);
    const HeftVec3 rest = heft_vec3_from(s.model->node_rest);
    double along, across;
    block_stretch(&b, stress[k], &along, &across);
    for (int i = 1; i < s.model->nnode; ++i) {
      const HeftVec3 x = heft_vec3_sub(place_of(&s, i), o);
      const HeftVec3 r = heft_vec3_sub(heft_vec3_from(s.model->node_rest + 3L * i), rest);
      const HeftVec3 e = heft_vec3(along * r.x, across * r.y, across * r.z);
      // lengths, since a free body may turn a little while it finds its strain
      CHECK_AT_MOST(fabs(heft_vec3_norm(x) - heft_vec3_norm(e)), 1e-6 * stress[k] / young);
    }
    stage_close(&s);
  }
}

// The sag of a beam under a load at its end, with `cells` cells across.
static double sag_of_beam(Block b, int cells, double load) {
  b = block_beam(b, cells);
  Stage s = open_block(&b);
  const double area =
      block_load(s.model, &b, 1, heft_vec3(0, 0, -load / 0.01), heft_world_joint_forces(s.world));
  CHECK_AT_MOST(fabs(area - 0.01), 1e-12);
  for (int i = 0; i < 100; ++i) heft_world_step(s.world);
  const double sag = block_sag(s.world, &b);
  stage_close(&s);
  return sag;
}

// Two cells across a beam are enough for 5 % of beam theory, four for 1 %.
static void a_beam_bends_as_theory_says(void** state) {
  (void)state;
  const Block beam = block_beam(block_cube(), 1);
  const double load = 0.05, theory = block_theory_sag(&beam, load);
  const double coarse = sag_of_beam(block_cube(), 2, load) / theory,
               fine = sag_of_beam(block_cube(), 4, load) / theory;
  print_message("sag: 2 cells %.4f, 4 cells %.4f of theory\n", coarse, fine);
  CHECK_AT_MOST(fabs(coarse - 1), 0.05);
  CHECK_AT_MOST(fabs(fine - 1), 0.01);
}

// A cube of rubber on a wall keeps its volume to 1 % under a quarter of its modulus.
static void a_cube_keeps_its_volume(void** state) {
  (void)state;
  Block b = block_cube();
  b.cells[0] = b.cells[1] = b.cells[2] = 4;
  b.poisson = 0.49;
  b.damping = 0.02;
  b.step = 0.01;
  b.held = 1;
  Stage s = open_block(&b);
  block_load(s.model, &b, 1, heft_vec3(-0.25 * young, 0, 0), heft_world_joint_forces(s.world));
  for (int i = 0; i < 200; ++i) heft_world_step(s.world);
  double volume = 0, first = 0;
  for (int t = 0; t < s.model->ntetrahedron; ++t) {
    const int* node = s.model->tetrahedron_node + 4L * t;
    HeftVec3 now[4], rest[4];
    for (int k = 0; k < 4; ++k) {
      now[k] = place_of(&s, node[k]);
      rest[k] = heft_vec3_from(s.model->node_rest + 3L * node[k]);
    }
    volume += volume_of(now);
    first += volume_of(rest);
  }
  print_message("volume: %.4f of that at rest\n", volume / first);
  CHECK_AT_MOST(fabs(volume / first - 1), 0.01);
  stage_close(&s);
}

// Weight does not deform a free body, and its centre falls as that of any other body.
static void a_body_falls_freely(void** state) {
  (void)state;
  Block b = block_cube();
  b.gravity = 9.81;
  Stage s = open_block(&b);
  for (int i = 0; i < 500; ++i) assert_true(heft_step_taken(heft_world_step(s.world).status));
  for (int i = 0; i < s.model->nnode; ++i) {
    const HeftVec3 x = heft_vec3_sub(place_of(&s, i), heft_vec3_from(s.model->node_rest + 3L * i));
    CHECK_AT_MOST(fabs(x.z - (-0.5 * 9.81 * 0.25)), 0.5 * 9.81 * 0.001 * 0.5 + 1e-9);
    CHECK_AT_MOST(fabs(x.x), 1e-12);
  }
  stage_close(&s);
}

// ---- links that hold nodes

// A beam on a body that slides along it bends as one on the world does, in any axes.
static void a_beam_bends_on_a_link(void** state) {
  (void)state;
  Block b = block_cube();
  const double world = sag_of_beam(b, 2, 0.05);
  b.holder = 1;
  b.joint = HEFT_JOINT_SLIDE;
  b.tilt = heft_quat_normalize(heft_quat(1, 0.3, -0.2, 0.5));
  b.axis = heft_mat3_tmul_vec(heft_quat_to_mat3(b.tilt), heft_vec3(1, 0, 0));
  const double link = sag_of_beam(b, 2, 0.05);
  CHECK_AT_MOST(fabs(link / world - 1), 1e-6);
}

// A block hangs on a body on a spring: the spring carries both, and the block stretches by
// ρ g l² / 2E.
static void a_block_hangs_on_a_link(void** state) {
  (void)state;
  Block b = block_cube();
  b.half[0] = 0.1;
  b.cells[0] = 6;
  b.quat = heft_quat_normalize(heft_quat(1, 0, 1, 0));  // x points down
  b.gravity = 9.81;
  b.step = 0.02;
  b.poisson = 0;
  b.damping = 0.05;
  b.held = b.holder = 1;
  b.joint = HEFT_JOINT_SLIDE;
  b.axis = heft_vec3(0, 0, 1);
  b.stiffness = 500;
  b.radius = 0.002;
  Stage s = open_block(&b);
  double energy = INFINITY;
  for (int i = 0; i < 2000; ++i) {
    const HeftStepReport r = heft_world_step(s.world);
    assert_int_equal(r.status, HEFT_STEP_SOLVED);
    assert_int_equal(r.contact_count, 0);  // with the body that holds it
    assert_true(r.kinetic + r.potential <= energy + 1e-9);
    energy = r.kinetic + r.potential;
  }
  const double weight = 9.81 * heft_model_mass(s.model);
  const double* q = heft_world_state(s.world)->q;
  CHECK_AT_MOST(fabs(q[0] + weight / b.stiffness), 1e-9);
  double length = 0;  // between the means of both ends, which have as many nodes
  int count = 0;
  for (int i = 0; i < s.model->nnode; ++i) {
    const double x = s.model->node_rest[3L * i];
    if (fabs(fabs(x) - b.half[0]) > 1e-12) continue;
    length += x < 0 ? place_of(&s, i).z : -place_of(&s, i).z;
    ++count;
  }
  length /= 0.5 * count;
  const double stretch = density * 9.81 * 0.2 * 0.2 / (2 * young);
  CHECK_AT_MOST(fabs((length - 0.2) / stretch - 1), 0.01);
  stage_close(&s);
}

// A free body and the block that it holds keep their momentum, linear to rounding, and gain no
// energy while they swing.
static void a_link_and_its_block_keep_their_momentum(void** state) {
  (void)state;
  Block b = block_cube();
  b.held = b.holder = 1;
  b.joint = HEFT_JOINT_FREE;
  b.tilt = heft_quat_normalize(heft_quat(1, 0.3, -0.2, 0.5));
  b.damping = 0.002;
  Stage s = open_block(&b);
  double *q = calloc((size_t)s.model->nq, sizeof *q), *v = calloc((size_t)s.model->nv, sizeof *v);
  memcpy(q, heft_world_state(s.world)->q, (size_t)s.model->nq * sizeof *q);
  const double motion[6] = {0.3, -0.2, 0.1, 1, 4, 2};
  memcpy(v, motion, sizeof motion);
  stage_set(&s, q, v);
  free(q);
  free(v);
  const Sums first = stage_sums(&s);
  double energy = INFINITY;
  for (int i = 0; i < 500; ++i) {
    const HeftStepReport r = heft_world_step(s.world);
    assert_int_equal(r.status, HEFT_STEP_SOLVED);
    assert_true(r.kinetic + r.potential <= energy * (1 + 1e-9));
    energy = r.kinetic + r.potential;
  }
  const Sums last = stage_sums(&s);
  const HeftVec3 p = heft_vec3_sub(last.linear, first.linear);
  const HeftVec3 l = heft_vec3_sub(last.angular, first.angular);
  print_message("momentum changed by %g, angular by %g of %g; energy %g of %g\n", heft_vec3_norm(p),
                heft_vec3_norm(l), heft_vec3_norm(first.angular), energy, first.kinetic);
  CHECK_AT_MOST(heft_vec3_norm(p), 1e-12);
  CHECK_AT_MOST(heft_vec3_norm(l) / heft_vec3_norm(first.angular), 1e-3);
  stage_close(&s);
}

// A body falls on the block that it holds, and the floor carries both.
static void a_link_rests_on_its_block(void** state) {
  (void)state;
  Block b = block_falling();
  b.quat = heft_quat_normalize(heft_quat(1, 0, 1, 0));  // its face at low x is above
  b.damping = 0.01;
  b.held = b.holder = 1;
  b.joint = HEFT_JOINT_FREE;
  Stage s = open_block(&b);
  double energy = INFINITY;
  HeftStepReport r = {0};
  for (int i = 0; i < 700; ++i) {
    r = heft_world_step(s.world);

    assert_int_equal(r.status, HEFT_STEP_SOLVED);
    assert_true(r.kinetic + r.potential <= energy + 1e-9);
    energy = r.kinetic + r.potential;
  }
  double force = 0;
  HeftContact list[64];
  const int count = heft_world_contacts(s.world, list, 64);
  for (int i = 0; i < count; ++i) force += fabs(list[i].force.z);
  print_message("carried: %.6f of the weight at %d points, kinetic energy %g\n",
                force / (9.81 * heft_model_mass(s.model)), count, r.kinetic);
  CHECK_AT_MOST(fabs(force / (9.81 * heft_model_mass(s.model)) - 1), 1e-4);
  stage_close(&s);
}

static void spin(const Stage* s, HeftVec3 omega, HeftVec3 drift) {
  const HeftModel* m = s->model;
  double *q = calloc((size_t)m->nq, sizeof *q), *v = calloc((size_t)m->nv, sizeof *v);
  for (int i = 0; i < m->nnode; ++i) {
    const HeftVec3 u =
        heft_vec3_add(drift, heft_vec3_cross(omega, heft_vec3_from(m->node_rest + 3L * i)));
    double* own = v + dof_of(s, i);
    own[0] = u.x;
    own[1] = u.y;
    own[2] = u.z;
  }
  Stage target = *s;
  stage_set(&target, q, v);
  free(q);
  free(v);
}

static void momentum_of(const Stage* s, HeftVec3* linear, HeftVec3* angular) {
  const HeftModel* m = s->model;
  const double* v = heft_world_state(s->world)->v;
  *linear = *angular = heft_vec3(0, 0, 0);
  for (int i = 0; i < m->nnode; ++i) {
    const HeftVec3 p =
        heft_vec3_scale(m->body_mass[m->node_body[i]], heft_vec3_from(v + dof_of(s, i)));
    *linear = heft_vec3_add(*linear, p);
    *angular = heft_vec3_add(*angular, heft_vec3_cross(place_of(s, i), p));
  }
}

static double kinetic_of(const Stage* s) {
  const double* v = heft_world_state(s->world)->v;
  return heft_dynamics_kinetic_energy(heft_world_dynamics(s->world), v);
}

// Linear momentum stays. The body starts without the stretch of its rotation; while it finds it,
// its energy may rise by the share (h ω)² / 2; then it never does.
static void a_spinning_body_keeps_its_momentum(void** state) {
  (void)state;
  Block b = block_cube();
  Stage s = open_block(&b);
  spin(&s, heft_vec3(3, 1, 6), heft_vec3(0.2, -0.1, 0.3));
  HeftVec3 p0, l0, p, l;
  momentum_of(&s, &p0, &l0);
  const double first = kinetic_of(&s);
  double energy = 0, last = INFINITY;
  for (int i = 0; i < 1000; ++i) {
    const HeftStepReport r = heft_world_step(s.world);
    assert_true(heft_step_taken(r.status));
    assert_true(r.kinetic + r.potential <= 1.00002 * first);
    energy = r.kinetic + r.potential;
    if (i > 100) assert_true(energy <= last + 1e-12);
    last = energy;
  }
  momentum_of(&s, &p, &l);
  print_message("angular momentum: %.4f of the first\n", heft_vec3_norm(l) / heft_vec3_norm(l0));
  assert_true(heft_vec3_norm(heft_vec3_sub(p, p0)) < 1e-10);
  CHECK_AT_MOST(fabs(heft_vec3_norm(l) / heft_vec3_norm(l0) - 1), 1e-4);
  stage_close(&s);
}

// A block falls on the floor, comes to rest, and the floor carries its weight.
static void a_block_rests_on_the_floor(void** state) {
  (void)state;
  Block b = block_falling();
  b.pos = heft_vec3(0, 0, 0.05 + 0.002 + 0.02);
  b.damping = 0.01;
  Stage s = open_block(&b);
  double energy = INFINITY, worst = 0;
  HeftStepReport r = {0};
  int taken = 0;
  for (int i = 0; i < 1500; ++i) {
    r = heft_world_step(s.world);
    taken += r.status == HEFT_STEP_SOLVED;
    worst = fmax(worst, r.relative);
    assert_true(r.kinetic + r.potential <= energy + 1e-9);
    energy = r.kinetic + r.potential;
  }
  print_message("solved %d of 1500, worst residual %g, contacts %d\n", taken, worst,
                r.contact_count);
  assert_int_equal(taken, 1500);
  assert_true(worst <= 1e-6);
  double force = 0;
  HeftContact list[64];
  const int count = heft_world_contacts(s.world, list, 64);
  for (int i = 0; i < count; ++i) force += fabs(list[i].force.z);
  CHECK_AT_MOST(fabs(force - (9.81 * heft_model_mass(s.model))), 1e-4 * force);
  stage_close(&s);
}

// A block of a thousand tetrahedra falls on its face: 49 points hit the floor at once, and every
// step is solved.
static void a_fine_block_is_solved_in_every_step(void** state) {
  (void)state;
  Block b = block_falling();
  b.cells[0] = b.cells[1] = 6;
  b.cells[2] = 5;
  b.damping = 0.01;
  b.step = 0.005;
  Stage s = open_block(&b);
  for (int i = 0; i < 40; ++i) assert_int_equal(heft_world_step(s.world).status, HEFT_STEP_SOLVED);
  stage_close(&s);
}

// A hundred points of a soft slab hit the floor at once. A Newton step has a dense factor of all of
// them and costs as much as dozens of sweeps, which solve such contacts alone.
static void many_points_are_solved_by_sweeps(void** state) {
  (void)state;
  Block b = block_falling();
  b.cells[0] = b.cells[1] = 9;
  b.cells[2] = 2;
  b.half[2] = 0.011;
  b.pos.z = 0.022;
  b.damping = 0.01;
  b.step = 0.005;
  Stage s = open_block(&b);
  int most = 0, sweeps = 0;
  for (int i = 0; i < 30; ++i) {
    const HeftStepReport r = heft_world_step(s.world);
    assert_int_equal(r.status, HEFT_STEP_SOLVED);
    most = r.newton_steps > most ? r.newton_steps : most;
    sweeps = r.sweeps > sweeps ? r.sweeps : sweeps;
  }
  print_message("at most %d sweeps and %d Newton steps\n", sweeps, most);
  CHECK_AT_MOST(most, 2);
  stage_close(&s);
}

// A restored snapshot goes on with the same bits, and threads do not change them. Under its weight
// alone a block is near its rest shape; a large one has it use the factor of another shape.
static void check_bits(double gravity, int far) {
  Block b = block_falling();
  b.quat = heft_quat_normalize(heft_quat(1, 0.1, 0.2, 0.05));
  b.gravity = gravity;
  HeftWorldDef def = heft_world_def_default();
  Stage one = open_block_on(&b, &def);
  def.threads = 2;
  Stage two = open_block_on(&b, &def);
  for (int i = 0; i < 60; ++i) {
    heft_world_step(one.world);
    heft_world_step(two.world);
  }
  assert_int_equal(heft_world_hash(one.world), heft_world_hash(two.world));
  size_t numbers = 0;
  const Deform* deform = heft_dynamics_deform(heft_world_dynamics(one.world));
  assert_int_equal(heft_deform_shapes(deform, &numbers)[0], far);
  const size_t size = heft_world_snapshot_size(one.world);
  void* bytes = malloc(size);
  heft_world_snapshot(one.world, bytes);
  for (int i = 0; i < 60; ++i) heft_world_step(one.world);
  assert_int_equal(heft_world_restore(two.world, bytes, size), HEFT_OK);
  for (int i = 0; i < 60; ++i) heft_world_step(two.world);
  assert_int_equal(heft_world_hash(one.world), heft_world_hash(two.world));
  free(bytes);
  stage_close(&one);
  stage_close(&two);
}

static void bits_stay_the_same(void** state) {
  (void)state;
  check_bits(9.81, 0);
  check_bits(2000, 1);
}

// What does not fit is refused with its name.
static void mistakes_are_named(void** state) {
  (void)state;
  const double flat[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
  const int corners[4] = {0, 1, 2, 3}, wrong[4] = {0, 1, 2, 4};
  for (int k = 0; k < 3; ++k) {
    HeftBuilder* builder = NULL;
    HeftError error = {0};
    HeftModel* model = NULL;
    assert_int_equal(heft_builder_create(&builder, NULL, NULL), HEFT_OK);
    HeftDeformableDef def = heft_deformable_def_default();
    def.name = k == 2 ? NULL : "sheet";
    def.vertex_count = 4;
    def.vertices = flat;
    def.tetrahedron_count = 1;
    def.tetrahedra = k == 1 ? wrong : corners;
    assert_int_equal(heft_builder_add_deformable(builder, &def), -1);
    assert_int_not_equal(heft_builder_finish(builder, &model, &error), HEFT_OK);
    assert_non_null(strstr(error.message, k == 0 ? "flat" : k == 1 ? "expected 0 to 3" : "name"));
    heft_builder_destroy(builder);
  }
}

// Nodes may be held by one link that moves, not by two, and not by what does not exist.
static void bonds_that_do_not_fit_are_named(void** state) {
  (void)state;
  const double corner[12] = {0, 0, 0, 0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1};
  const int corners[4] = {0, 1, 2, 3}, bonds[2] = {0, 1}, two[2] = {1, 2}, none[2] = {1, 7};
  for (int k = 0; k < 2; ++k) {
    HeftBuilder* builder = NULL;
    HeftError error = {0};
    HeftModel* model = NULL;
    assert_int_equal(heft_builder_create(&builder, NULL, NULL), HEFT_OK);
    Block b = block_cube();
    b.joint = HEFT_JOINT_FREE;
    block_add_holder(builder, &b);
    HeftBodyDef other = heft_body_def_default();
    other.name = "other";
    other.mass = 1;
    other.inertia = (HeftSym3){1, 1, 1, 0, 0, 0};
    HeftJointDef joint = heft_joint_def_default();
    joint.body = heft_builder_add_body(builder, &other);
    joint.type = HEFT_JOINT_FREE;
    heft_builder_add_joint(builder, &joint);
    HeftDeformableDef def = heft_deformable_def_default();
    def.name = "wedge";
    def.vertex_count = 4;
    def.vertices = corner;
    def.tetrahedron_count = 1;
    def.tetrahedra = corners;
    def.bond_count = 2;
    def.bonds = bonds;
    def.bond_bodies = k == 0 ? two : none;
    assert_int_equal(heft_builder_add_deformable(builder, &def), k == 0 ? 0 : -1);
    assert_int_not_equal(heft_builder_finish(builder, &model, &error), HEFT_OK);
    assert_non_null(strstr(error.message, k == 0 ? "by one link" : "expected 0 to 2"));
    heft_builder_destroy(builder);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_constant_strain_is_exact),
      cmocka_unit_test(a_beam_bends_as_theory_says),
      cmocka_unit_test(a_cube_keeps_its_volume),
      cmocka_unit_test(a_body_falls_freely),
      cmocka_unit_test(a_beam_bends_on_a_link),
      cmocka_unit_test(a_block_hangs_on_a_link),
      cmocka_unit_test(a_link_and_its_block_keep_their_momentum),
      cmocka_unit_test(a_link_rests_on_its_block),
      cmocka_unit_test(a_spinning_body_keeps_its_momentum),
      cmocka_unit_test(a_block_rests_on_the_floor),
      cmocka_unit_test(a_fine_block_is_solved_in_every_step),
      cmocka_unit_test(many_points_are_solved_by_sweeps),
      cmocka_unit_test(bits_stay_the_same),
      cmocka_unit_test(mistakes_are_named),
      cmocka_unit_test(bonds_that_do_not_fit_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
