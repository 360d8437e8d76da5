// SPDX-License-Identifier: Apache-2.0
// Papers: R1, R2, R3, R4, R8, R12, R13, R14, R15.
// Identities of the equations of motion on random trees: every joint type, several joints per body,
// 1 to 100 bodies. No stored numbers: each algorithm is held against another one, or against a
// derivative. HEFT_LONG=1 takes 100 states of each tree, HEFT_SHORT=1 few trees and states.
//
// Mutations that were tried in src/dynamics and src/model and that these tests killed: see
// mutations.txt beside this file, and tests/mutate.sh, which tries them all again.
#include <heft/dynamics.h>
#include <stdlib.h>
#include <string.h>

#include "math/dense.h"
#include "math/simd.h"
#include "scenes/random.h"
#include "scenes/scenes.h"
#include "support/check.h"

#ifdef HEFT_SANITIZED
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif
enum { LARGEST_TREE = 100, POINTS = 5 };

static int is_short(void) { return SANITIZED || getenv("HEFT_SHORT"); }
static int trees(void) { return is_short() ? 60 : 200; }

static double worst[16];
enum {
  RNEA_ABA,
  RNEA_CRBA,
  LTL_DENSE,
  JACOBIAN,
  DELASSUS,
  POWER,
  WRENCH,
  MOMENTUM,
  COM,
  KINETIC,
  VELOCITY,
  EFFECTORS_OMEGA,
  COUNT
};
static const char* const labels[COUNT] = {"RNEA of ABA's acceleration returns the torques",
                                          "CRBA's columns are RNEA's",
                                          "LTL solve is a dense solve",
                                          "Jacobians are finite differences",
                                          "all Delassus methods agree",
                                          "d(energy)/dt is the applied power",
                                          "wrenches act as Jᵀ f",
                                          "d(momentum)/dt is force and weight",
                                          "velocity of the centre of mass is p/m",
                                          "kinetic energy is vᵀ M v / 2",
                                          "body velocity is J v",
                                          "Ω of effectors is J M⁻¹ Jᵀ"};

typedef struct Case {
  HeftModel* model;
  HeftDynamics* d;
  int nv;
  double *q, *v, *a, *tau, *x, *y, *z, *dense, *jacobian, *jacobian2;
  Random random;
  double scale;
} Case;

static void note(int which, double error) {
  if (!(error <= worst[which])) worst[which] = error;
}

static double* numbers(long count) { return calloc((size_t)count + 8, sizeof(double)); }

static void case_open(Case* c, int tree) {
  const RandomTreeDef def = {.seed = 1000u + (unsigned)tree,
                             .bodies = 1 + tree * (LARGEST_TREE - 1) / (trees() - 1),
                             .floating = tree % 3 == 0,
                             .passive = tree % 2};
  HeftError error = {0};
  c->model = scene_random_tree(&def, &error);
  if (!c->model) fail_msg("tree %d: %s", tree, error.message);
  assert_int_equal(heft_dynamics_create(&c->d, c->model, NULL, &error), HEFT_OK);
  const int nv = c->nv = c->model->nv;
  c->random = (Random){(uint64_t)tree};
  c->q = numbers(c->model->nq);
  double** vectors[] = {&c->v, &c->a, &c->tau, &c->x, &c->y, &c->z};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; ++i) *vectors[i] = numbers(nv);
  c->dense = numbers((long)nv * nv);
  c->jacobian = numbers(6L * nv);
  c->jacobian2 = numbers(6L * nv);
}

static void case_close(Case* c) {
  heft_dynamics_destroy(c->d);
  heft_model_destroy(c->model);
  double* all[] = {c->q, c->v, c->a, c->tau, c->x, c->y, c->z, c->dense, c->jacobian, c->jacobian2};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) free(all[i]);
}

static int random_body(Case* c) { return 1 + random_index(&c->random, c->model->nbody - 1); }

static int can_move(const HeftModel* m, int body) {
  for (int b = body; b > 0; b = m->body_parent[b]) {
    for (int j = m->body_joint[b]; j < m->body_joint[b] + m->body_joint_count[b]; ++j) {
      if (m->joint_type[j] != HEFT_JOINT_FIXED) return 1;
    }
  }
  return 0;
}

// ---- one check each

static void check_rnea_aba(Case* c) {
  heft_dynamics_aba(c->d, c->v, c->tau, c->a);
  heft_dynamics_rnea(c->d, c->v, c->a, c->x);
  note(RNEA_ABA, relative_error(c->x, c->tau, c->nv));
}

static void check_crba(Case* c) {
  const int nv = c->nv;
  double* none = c->z;
  for (int i = 0; i < nv; ++i) none[i] = c->x[i] = 0;
  heft_dynamics_crba(c->d);
  heft_dynamics_mass_matrix(c->d, c->dense);
  const int j = random_index(&c->random, nv);
  c->x[j] = 1;
  double *with = c->jacobian, *without = c->jacobian + nv;
  heft_dynamics_rnea(c->d, none, c->x, with);
  heft_dynamics_rnea(c->d, none, NULL, without);
  for (int i = 0; i < nv; ++i) with[i] -= without[i];
  note(RNEA_CRBA, relative_error(with, c->dense + (long)j * nv, nv));
}

static void check_ltl(Case* c) {
  const int nv = c->nv;
  for (int i = 0; i < nv; ++i) c->x[i] = c->y[i] = random_between(&c->random, -1, 1);
  assert_int_equal(heft_dynamics_factor(c->d, NULL), HEFT_OK);
  heft_dynamics_solve(c->d, c->x);
  heft_dynamics_mass_matrix(c->d, c->dense);
  assert_int_equal(heft_cholesky_factor(nv, c->dense, nv), 0);
  heft_cholesky_solve(nv, c->dense, nv, c->y);
  note(LTL_DENSE, relative_error(c->x, c->y, nv));
}

static void check_kinetic(Case* c) {
  const int nv = c->nv;
  heft_dynamics_mass_matrix(c->d, c->dense);
  heft_dynamics_velocities(c->d, c->v);
  double twice = 0;
  for (int i = 0; i < nv; ++i) {
    for (int j = 0; j < nv; ++j) twice += c->v[i] * c->dense[(long)i * nv + j] * c->v[j];
  }
  const double direct = 2 * heft_dynamics_kinetic_energy(c->d, c->v);
  note(KINETIC, relative_error(&twice, &direct, 1));
}

// The pose of a body, moved by ±h v, gives its velocity; compare with J v and with
// heft_dynamics_body_velocity().
static void check_jacobian(Case* c) {
  const int nv = c->nv, body = random_body(c);
  const double h = 1e-6;
  double* q = numbers(c->model->nq);
  const HeftVec3 local = random_vec3(&c->random, 0.3);
  const HeftVec3 point = heft_pose_apply(heft_dynamics_body_pose(c->d, body), local);
  heft_dynamics_body_jacobian(c->d, body, point, c->jacobian);
  heft_dynamics_velocities(c->d, c->v);
  const HeftSpatial velocity = heft_dynamics_body_velocity(c->d, body, point);
  HeftPose pose[2];
  for (int side = 0; side < 2; ++side) {
    heft_q_integrate(c->model, c->q, c->v, side ? h : -h, q);
    heft_dynamics_kinematics(c->d, q);
    pose[side] = heft_dynamics_body_pose(c->d, body);
  }
  heft_dynamics_kinematics(c->d, c->q);
  free(q);
  const HeftVec3 moved =
      heft_vec3_sub(heft_pose_apply(pose[1], local), heft_pose_apply(pose[0], local));
  const HeftVec3 turned = heft_quat_log(
      heft_quat_from_mat3(heft_mat3_mul(pose[1].rot, heft_mat3_transpose(pose[0].rot))));
  const double difference[6] = {turned.x / (2 * h), turned.y / (2 * h), turned.z / (2 * h),
                                moved.x / (2 * h),  moved.y / (2 * h),  moved.z / (2 * h)};
  double product[6] = {0};
  for (int r = 0; r < 6; ++r) {
    for (int i = 0; i < nv; ++i) product[r] += c->jacobian[(long)r * nv + i] * c->v[i];
  }
  note(JACOBIAN, relative_error(product, difference, 6));
  note(VELOCITY, relative_error(product, &velocity.ang.x, 6));
}

static void check_wrench(Case* c) {
  const int nv = c->nv;
  heft_dynamics_aba(c->d, c->v, c->tau, c->a);
  for (int i = 0; i < nv; ++i) c->y[i] = c->z[i] = 0;
  for (int k = 0; k < 2; ++k) {
    const int body = random_body(c);
    const HeftVec3 point = random_vec3(&c->random, 1), force = random_vec3(&c->random, 10);
    const HeftVec3 torque = random_vec3(&c->random, 10);
    heft_dynamics_add_wrench(c->d, body, point, force, torque);
    heft_dynamics_body_jacobian(c->d, body, point, c->jacobian);
    const double f[6] = {torque.x, torque.y, torque.z, force.x, force.y, force.z};
    for (int r = 0; r < 6; ++r) {
      for (int i = 0; i < nv; ++i) c->y[i] += c->jacobian[(long)r * nv + i] * f[r];
    }
  }
  heft_dynamics_wrenches_to_joints(c->d, c->z);
  note(WRENCH, relative_error(c->y, c->z, nv));
  heft_dynamics_rnea(c->d, c->v, c->a, c->x);  // the wrenches take over their part of the torques
  for (int i = 0; i < nv; ++i) c->x[i] += c->y[i];
  note(WRENCH, relative_error(c->x, c->tau, nv));
  heft_dynamics_aba(c->d, c->v, c->tau, c->x);
  heft_dynamics_clear_wrenches(c->d);
  for (int i = 0; i < nv; ++i) c->z[i] = c->tau[i] + c->y[i];
  heft_dynamics_aba(c->d, c->v, c->z, c->y);
  note(WRENCH, relative_error(c->x, c->y, nv));
}

static HeftDelassusPoint random_point(Case* c) {
  return (HeftDelassusPoint){.body = random_index(&c->random, c->model->nbody),
                             .point = random_vec3(&c->random, 1),
                             .frame = heft_quat_to_mat3(random_quat(&c->random))};
}

static void check_delassus(Case* c) {
  const int nv = c->nv, size = 3 * POINTS;
  HeftDelassusPoint points[POINTS];
  for (int i = 0; i < POINTS; ++i) points[i] = random_point(c);
  points[POINTS - 1].body = points[0].body;  // two on one body, not next to each other
  double reference[9 * POINTS * POINTS], lambda[9 * POINTS * POINTS];
  for (int i = 0; i < nv; ++i) c->x[i] = 0;
  heft_dynamics_aba(c->d, c->x, NULL, c->y);
  for (int m = 0; m < HEFT_DELASSUS_COUNT; ++m) {
    const size_t size_needed = heft_dynamics_delassus_scratch(c->d, (HeftDelassusMethod)m, POINTS);
    double* scratch = aligned_alloc(64, (size_needed * sizeof(double) + 127) / 64 * 64);
    heft_dynamics_delassus(c->d, (HeftDelassusMethod)m, POINTS, points, scratch,
                           m == 0 ? reference : lambda);
    free(scratch);
    if (m > 0) note(DELASSUS, relative_error(reference, lambda, (long)size * size));
  }
}

// Ω of a body and of some joints of its tree: J M⁻¹ Jᵀ with the Jacobians written out.
static void check_effectors(Case* c) {
  enum { EFFECTORS = 3, SIZE = 6 * EFFECTORS };
  const int nv = c->nv, body = random_body(c), other = random_body(c);
  if (!can_move(c->model, body)) return;
  const HeftVec3 origin = heft_dynamics_tree_origin(c->d, body);
  HeftEffector effectors[EFFECTORS] = {{.body = body}, {.body = -1}, {.body = body}};
  if (heft_vec3_norm(heft_vec3_sub(heft_dynamics_tree_origin(c->d, other), origin)) == 0 &&
      can_move(c->model, other)) {
    effectors[2].body = other;
  }
  heft_dynamics_body_jacobian(c->d, body, origin, c->jacobian);
  for (int i = 0; i < nv && effectors[1].dof_count < 4; ++i) {  // joints on the way to the body
    int used = 0;
    for (int r = 0; r < 6; ++r) used |= c->jacobian[(long)r * nv + i] != 0;
    if (used && random_index(&c->random, 2)) effectors[1].dof[effectors[1].dof_count++] = i;
  }
  double *rows = numbers((long)SIZE * nv), *solved = numbers(nv), omega[SIZE * SIZE],
         expected[SIZE * SIZE];
  memcpy(rows, c->jacobian, sizeof(double) * 6 * (size_t)nv);
  for (int i = 0; i < effectors[1].dof_count; ++i)
    rows[(long)(6 + i) * nv + effectors[1].dof[i]] = 1;
  heft_dynamics_body_jacobian(c->d, effectors[2].body, origin, rows + 12L * nv);
  for (int i = 0; i < SIZE; ++i) {
    memcpy(solved, rows + (long)i * nv, sizeof(double) * (size_t)nv);
    heft_dynamics_solve(c->d, solved);
    for (int j = 0; j < SIZE; ++j) {
      expected[i * SIZE + j] = 0;
      for (int k = 0; k < nv; ++k) expected[i * SIZE + j] += rows[(long)j * nv + k] * solved[k];
    }
  }
  const size_t size_needed = heft_dynamics_delassus_effectors_scratch(c->d, EFFECTORS);
  double* scratch = aligned_alloc(64, (size_needed * sizeof(double) + 127) / 64 * 64);
  heft_dynamics_delassus_effectors(c->d, EFFECTORS, effectors, scratch, omega);
  double alone[36];  // has code of its own where the body is free, and the same bits
  heft_dynamics_delassus_effectors(c->d, 1, effectors, scratch, alone);
  for (int i = 0; i < 36; ++i) assert_true(alone[i] == omega[i / 6 * SIZE + i % 6]);
  free(scratch);
  free(rows);
  free(solved);
  note(EFFECTORS_OMEGA, relative_error(omega, expected, (long)SIZE * SIZE));
}

// ---- derivatives along q ⊕ s v, v + s a, by central differences with three extrapolations: error
// O(h⁸)

typedef struct Sums {
  double energy;
  HeftSpatial momentum;
  HeftVec3 com;
} Sums;

static Sums sums_at(Case* c, double s, double* q, double* v) {
  heft_q_integrate(c->model, c->q, c->v, s, q);
  for (int i = 0; i < c->nv; ++i) v[i] = c->v[i] + s * c->a[i];
  heft_dynamics_kinematics(c->d, q);
  heft_dynamics_velocities(c->d, v);
  return (Sums){heft_dynamics_kinetic_energy(c->d, v) + heft_dynamics_potential_energy(c->d, q),
                heft_dynamics_momentum(c->d, 0, heft_vec3(0, 0, 0)),
                heft_dynamics_center_of_mass(c->d, 0)};
}

// The logarithm of a rotation jumps at half a turn: no derivative is to be had near there.
static int spring_near_half_turn(const HeftModel* m, const double* q) {
  for (int j = 0; j < m->njoint; ++j) {
    if (m->joint_type[j] != HEFT_JOINT_BALL && m->joint_type[j] != HEFT_JOINT_FREE) continue;
    const int at = m->joint_q[j] + (m->joint_type[j] == HEFT_JOINT_FREE ? 3 : 0);
    double cosine = 0;
    for (int i = 0; i < 4; ++i) cosine += q[at + i] * m->q_spring[at + i];
    if (m->dof_stiffness[m->joint_dof[j]] > 0 && fabs(cosine) < 0.2) return 1;
  }
  return 0;
}

// Positions of the order of a metre give differences with absolute errors, so the speeds are the
// scale.
static double com_error(const double* a, const double* b, double fastest) {
  double error = 0;
  for (int i = 0; i < 3; ++i) error = fmax(error, fabs(a[i] - b[i]) / fastest);
  return error;
}

static void check_derivatives(Case* c) {
  enum { LEVELS = 4, VALUES = 10 };
  const int nv = c->nv;
  const HeftModel* m = c->model;
  for (int i = 0; i < nv; ++i) c->x[i] = c->tau[i];
  heft_model_spring_forces(m, c->q, c->x);
  heft_dynamics_aba(c->d, c->v, c->x, c->a);
  double fastest = 1;
  for (int i = 0; i < nv; ++i) fastest = fmax(fastest, fmax(fabs(c->v[i]), sqrt(fabs(c->a[i]))));
  double *q = numbers(m->nq), *v = numbers(nv), table[LEVELS][VALUES], power = 0;
  for (int level = 0; level < LEVELS; ++level) {
    const double h = 0.04 / fastest / (1 << level);
    const Sums after = sums_at(c, h, q, v), before = sums_at(c, -h, q, v);
    table[level][0] = (after.energy - before.energy) / (2 * h);
    for (int i = 0; i < 6; ++i)
      table[level][1 + i] = ((&after.momentum.ang.x)[i] - (&before.momentum.ang.x)[i]) / (2 * h);
    for (int i = 0; i < 3; ++i)
      table[level][7 + i] = ((&after.com.x)[i] - (&before.com.x)[i]) / (2 * h);
  }
  for (int order = 1; order < LEVELS; ++order) {
    for (int level = LEVELS - 1; level >= order; --level) {
      const double factor = (double)(1 << (2 * order));
      for (int k = 0; k < VALUES; ++k) {
        table[level][k] = (factor * table[level][k] - table[level - 1][k]) / (factor - 1);
      }
    }
  }
  const double* derivative = table[LEVELS - 1];
  free(q);
  free(v);
  heft_dynamics_kinematics(c->d, c->q);
  heft_dynamics_velocities(c->d, c->v);
  double scale = fabs(heft_dynamics_kinetic_energy(c->d, c->v)) * fastest;
  for (int i = 0; i < nv; ++i) {
    power += c->tau[i] * c->v[i];
    scale += fabs(c->tau[i] * c->v[i]);
  }
  if (!spring_near_half_turn(m, c->q)) note(POWER, fabs(derivative[0] - power) / scale);

  const HeftSpatial p = heft_dynamics_momentum(c->d, 0, heft_vec3(0, 0, 0));
  const double mass = heft_model_mass(m);
  double moving_mass = 0;
  for (int b = 1; b < m->nbody; ++b) moving_mass += can_move(m, b) ? m->body_mass[b] : 0;
  const double velocity[3] = {p.lin.x / moving_mass, p.lin.y / moving_mass, p.lin.z / moving_mass};
  note(COM, com_error(velocity, derivative + 7, fastest));
  if (m->joint_type[0] != HEFT_JOINT_FREE || m->nbody < 2) return;
  for (int b = 2; b < m->nbody; ++b) {
    if (m->body_parent[b] == 0) return;  // a floating tree alone keeps its momentum
  }
  const HeftVec3 weight = heft_vec3(mass * m->physics.gravity[0], mass * m->physics.gravity[1],
                                    mass * m->physics.gravity[2]);
  const HeftVec3 torque = heft_vec3_cross(heft_dynamics_center_of_mass(c->d, 0), weight);
  // The first six torques act on the base from outside: a force in the world and a moment in the
  // body's frame.
  const HeftPose base = heft_dynamics_body_pose(c->d, 1);
  const HeftVec3 force = heft_vec3_from(c->tau);
  const HeftVec3 turning = heft_mat3_mul_vec(base.rot, heft_vec3(c->tau[3], c->tau[4], c->tau[5]));
  const HeftVec3 ang =
      heft_vec3_add(heft_vec3_add(torque, turning), heft_vec3_cross(base.pos, force));
  const HeftVec3 lin = heft_vec3_add(weight, force);
  const double expected[6] = {ang.x, ang.y, ang.z, lin.x, lin.y, lin.z};
  double size = 0;
  for (int i = 0; i < 6; ++i) size = fmax(size, fabs((&p.ang.x)[i]) * fastest + fabs(expected[i]));
  for (int i = 0; i < 6; ++i) note(MOMENTUM, fabs(expected[i] - derivative[1 + i]) / size);
}

// ---- all of them, on all trees

static int states(void) { return getenv("HEFT_LONG") ? 100 : is_short() ? 4 : 20; }

static void run_all(void) {
  for (int tree = 0; tree < trees(); ++tree) {
    Case c;
    case_open(&c, tree);
    for (int s = 0; s < states() && c.nv > 0; ++s) {
      scene_random_state(c.model, (uint64_t)(tree * 1000 + s), 2, c.q, c.v);
      for (int i = 0; i < c.nv; ++i) c.tau[i] = random_between(&c.random, -5, 5);
      heft_dynamics_kinematics(c.d, c.q);
      check_rnea_aba(&c);
      check_crba(&c);
      check_ltl(&c);
      check_delassus(&c);
      check_effectors(&c);
      check_kinetic(&c);
      check_wrench(&c);
      check_jacobian(&c);
      check_derivatives(&c);
    }
    case_close(&c);
  }
}

static void identities_hold_on_random_trees(void** state) {
  (void)state;
  run_all();
  printf("%d trees of 1 to %d bodies, %d states each; worst relative errors:\n", trees(),
         LARGEST_TREE, states());
  for (int i = 0; i < COUNT; ++i) printf("  %-50s %.2e\n", labels[i], worst[i]);
  for (int i = 0; i < COUNT; ++i) {
    const double limit = i == JACOBIAN ? 1e-6 : 1e-10;
    if (!(worst[i] <= limit))
      fail_msg("%s: relative error %.3g, expected at most %.0e", labels[i], worst[i], limit);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(identities_hold_on_random_trees)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
