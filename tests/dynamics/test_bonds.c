// SPDX-License-Identifier: Apache-2.0
// Links that hold nodes of deformable bodies: the operator of the contact problem has the numbers
// that solving with the whole matrix gives, and the whole matrix is what deform.h says.
#include <heft/deform.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "dynamics/bonds.h"
#include "scenes/random.h"
#include "support/check.h"

enum { EFFECTORS = 6, ROWS = 6 * EFFECTORS };

static int add_link(HeftBuilder* b, int parent, HeftJointType type, HeftVec3 pos) {
  HeftBodyDef body = heft_body_def_default();
  body.parent = parent;
  body.pos = pos;
  body.quat = heft_quat_normalize(heft_quat(1, 0.2, 0.1, -0.3));
  body.mass = 0.4;
  body.inertia = (HeftSym3){1e-3, 2e-3, 1.5e-3, 0, 0, 0};
  const int index = heft_builder_add_body(b, &body);
  HeftJointDef joint = heft_joint_def_default();
  joint.body = index;
  joint.type = type;
  joint.axis = heft_vec3_normalize(heft_vec3(1, 2, -1));
  heft_builder_add_joint(b, &joint);
  return index;
}

static void add_block(HeftBuilder* b, const char* name, int holder) {
  HeftTetrahedra mesh;
  const double half[3] = {0.05, 0.04, 0.03};
  const int cells[3] = {2, 2, 1};
  int bonds[64], bodies[64], count = 0;
  assert_int_equal(heft_tetrahedra_box(&mesh, half, cells, NULL, NULL), HEFT_OK);
  for (int i = 0; i < mesh.vertex_count; ++i) {
    if (mesh.vertices[3L * i] > -half[0]) continue;
    bodies[count] = holder;
    bonds[count++] = i;
  }
  HeftDeformableDef def = heft_deformable_def_default();
  def.name = name;
  def.pos = heft_vec3(0.3, 0.1, 0.2);
  def.quat = heft_quat_normalize(heft_quat(1, 0.1, -0.3, 0.2));
  def.vertex_count = mesh.vertex_count;
  def.vertices = mesh.vertices;
  def.tetrahedron_count = mesh.tetrahedron_count;
  def.tetrahedra = mesh.tetrahedra;
  def.young = 3e4;
  def.damping = 0.01;
  def.bond_count = count;
  def.bonds = bonds;
  def.bond_bodies = bodies;
  heft_builder_add_deformable(b, &def);
  heft_tetrahedra_release(&mesh, NULL);
}

// A tree whose base has joints of a type, with two links that hold a block each, and one that holds
// none, which comes after the nodes.
static HeftModel* make_model(HeftJointType base) {
  HeftBuilder* b = NULL;
  HeftModel* model = NULL;
  HeftError error = {0};
  assert_int_equal(heft_builder_create(&b, NULL, NULL), HEFT_OK);
  const int first = add_link(b, 0, base, heft_vec3(0.1, 0, 0.3));
  const int second = add_link(b, first, HEFT_JOINT_HINGE, heft_vec3(0.2, 0.1, 0));
  add_block(b, "one", second);
  add_block(b, "two", first);
  add_link(b, first, HEFT_JOINT_BALL, heft_vec3(-0.2, 0.1, 0));
  if (heft_builder_finish(b, &model, &error) != HEFT_OK) fail_msg("%s", error.message);
  heft_builder_destroy(b);
  return model;
}

// The rows of J of an effector: the path of a body, or single dofs.
static void write_rows(const HeftDynamics* d, const HeftEffector* e, double* rows) {
  const HeftTree* t = d->tree;
  const int nv = t->nv;
  memset(rows, 0, 6 * (size_t)nv * sizeof *rows);
  for (int k = 0; k < e->dof_count; ++k) rows[(long)k * nv + e->dof[k]] = 1;
  if (e->body < 0) return;
  const Link* link = &t->link[t->body_link[e->body]];
  for (int dof = link->dof + link->dof_count - 1; dof >= 0; dof = t->dof_parent[dof]) {
    for (int i = 0; i < 3; ++i) {
      rows[(long)i * nv + dof] = d->axis[dof].ang[i];
      rows[(long)(i + 3) * nv + dof] = d->axis[dof].lin[i];
    }
  }
}

static void choose_effectors(const HeftModel* m, HeftEffector out[EFFECTORS]) {
  const int last = m->node_body[m->deformable_node_count[0] - 1];
  memset(out, 0, EFFECTORS * sizeof *out);
  out[0].body = 1;
  out[1].body = 2;
  out[2].body = last;
  out[3].body = last - 1;
  out[4].body = m->node_body[m->nnode - 1];
  out[5] = (HeftEffector){.body = -1, .dof_count = 3};
  out[5].dof[0] = m->joint_dof[m->body_joint[2]];
  out[5].dof[1] = m->joint_dof[m->body_joint[last]] + 1;
  out[5].dof[2] = m->nv - 1;
}

static double step(Random* r) { return random_between(r, -1, 1); }

static void compare(HeftJointType base, double shake) {
  HeftModel* m = make_model(base);
  HeftDynamics* d = NULL;
  HeftEffector effectors[EFFECTORS];
  Random random = {7};
  assert_int_equal(heft_dynamics_create(&d, m, NULL, NULL), HEFT_OK);
  double *q = calloc((size_t)m->nq, sizeof *q), *v = calloc((size_t)m->nv, sizeof *v),
         *rows = calloc((size_t)ROWS * (size_t)m->nv, sizeof *rows);
  for (int i = 0; i < m->nv; ++i) {
    const int node = d->tree->link[d->tree->dof_link[i]].deformable >= 0;
    v[i] = node ? shake * step(&random) : 0;
  }
  heft_q_integrate(m, m->q_default, v, 1, q);
  heft_dynamics_kinematics(d, q);
  heft_bonds_evaluate(d, q);
  assert_int_equal(heft_deform_begin(d->deform, 0.003), 0);
  heft_dynamics_crba(d);
  assert_int_equal(heft_dynamics_factor(d, NULL), HEFT_OK);
  choose_effectors(m, effectors);
  const size_t size = heft_dynamics_delassus_effectors_scratch(d, EFFECTORS) * sizeof(double);
  double *scratch = aligned_alloc(64, (size + 63) / 64 * 64), omega[ROWS * ROWS];
  heft_dynamics_delassus_effectors(d, EFFECTORS, effectors, scratch, omega);
  for (int e = 0; e < EFFECTORS; ++e) write_rows(d, &effectors[e], rows + 6L * e * m->nv);
  double worst = 0, largest = 0;
  for (int a = 0; a < ROWS; ++a) {
    memcpy(v, rows + (long)a * m->nv, (size_t)m->nv * sizeof *v);
    heft_dynamics_solve(d, v);
    for (int b = 0; b < ROWS; ++b) {
      double sum = 0;
      for (int i = 0; i < m->nv; ++i) sum += rows[(long)b * m->nv + i] * v[i];
      worst = fmax(worst, fabs(sum - omega[ROWS * b + a]));
      largest = fmax(largest, fabs(sum));
      assert_true(omega[ROWS * b + a] == omega[ROWS * a + b]);
    }
  }
  CHECK_AT_MOST(worst / largest, 1e-12);
  // M v + h (h + β) K v of a solution is its right-hand side again
  double* force = calloc((size_t)m->nv, sizeof *force);
  for (int i = 0; i < m->nv; ++i) v[i] = step(&random);
  double *zero = calloc((size_t)m->nv, sizeof *zero), *right = calloc((size_t)m->nv, sizeof *right);
  memcpy(right, v, (size_t)m->nv * sizeof *v);
  heft_dynamics_solve(d, v);
  heft_bonds_add_force(d, zero, force);
  for (int i = 0; i < m->nv; ++i) force[i] = -force[i];
  heft_bonds_add_force(d, v, force);
  double* mass = calloc((size_t)m->nv * (size_t)m->nv, sizeof *mass);
  heft_dynamics_mass_matrix(d, mass);
  for (int i = 0; i < m->nv; ++i) {
    for (int k = 0; k < m->nv; ++k) zero[i] += mass[(long)i * m->nv + k] * v[k];
  }
  free(mass);
  for (int i = 0; i < m->nv; ++i) {
    CHECK_AT_MOST(fabs(zero[i] - 0.003 * force[i] - right[i]), 1e-11);
  }
  free(zero);
  free(right);
  free(force);
  free(scratch);
  free(rows);
  free(q);
  free(v);
  heft_dynamics_destroy(d);
  heft_model_destroy(m);
}

static void the_operator_is_that_of_the_whole_matrix(void** state) {
  (void)state;
  const HeftJointType base[] = {HEFT_JOINT_FREE, HEFT_JOINT_HINGE, HEFT_JOINT_BALL};
  for (int i = 0; i < 3; ++i) {
    compare(base[i], 0);
    compare(base[i], 0.004);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_operator_is_that_of_the_whole_matrix),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
