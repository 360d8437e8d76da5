// SPDX-License-Identifier: Apache-2.0
// The tree of links: who moves with whom, the inertia that welded bodies have together (against
// clouds of point masses), paths and order of the degrees of freedom, and joints that move nothing.
#include "model/tree.h"

#include <heft/dynamics.h>
#include <string.h>

#include "scenes/random.h"
#include "scenes/scenes.h"
#include "support/check.h"
#include "support/sample.h"

enum { POINTS = 7, MAX_BODIES = 12 };

static HeftPose to_pose(const Columns* x) {
  HeftPose pose;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) pose.rot.m[i][j] = x->c[j][i];
  }
  pose.pos = heft_vec3(x->c[3][0], x->c[3][1], x->c[3][2]);
  return pose;
}

// ---- clouds of point masses

typedef struct Cloud {
  int count;
  double mass[MAX_BODIES * POINTS];
  HeftVec3 at[MAX_BODIES * POINTS];
} Cloud;

static void cloud_inertia(const Cloud* c, HeftBodyDef* out) {
  out->mass = 0;
  out->com = heft_vec3(0, 0, 0);
  for (int i = 0; i < c->count; ++i) {
    out->mass += c->mass[i];
    out->com = heft_vec3_add_scaled(out->com, c->mass[i], c->at[i]);
  }
  out->com = heft_vec3_scale(1 / out->mass, out->com);
  HeftSym3 sum = {0};
  for (int i = 0; i < c->count; ++i) {
    const HeftVec3 d = heft_vec3_sub(c->at[i], out->com);
    sum.xx += c->mass[i] * (d.y * d.y + d.z * d.z);
    sum.yy += c->mass[i] * (d.x * d.x + d.z * d.z);
    sum.zz += c->mass[i] * (d.x * d.x + d.y * d.y);
    sum.xy -= c->mass[i] * d.x * d.y;
    sum.xz -= c->mass[i] * d.x * d.z;
    sum.yz -= c->mass[i] * d.y * d.z;
  }
  out->inertia = sum;
}

static Cloud random_cloud(Random* r) {
  Cloud c = {.count = POINTS};
  for (int i = 0; i < POINTS; ++i) {
    c.mass[i] = random_between(r, 0.1, 1);
    c.at[i] = random_vec3(r, 0.3);
  }
  return c;
}

static void cloud_add(Cloud* to, const Cloud* from, HeftPose pose) {
  for (int i = 0; i < from->count; ++i) {
    to->mass[to->count] = from->mass[i];
    to->at[to->count++] = heft_pose_apply(pose, from->at[i]);
  }
}

// ---- welded bodies

static const HeftJointType effectors[] = {
    HEFT_JOINT_HINGE,     HEFT_JOINT_SLIDE,  HEFT_JOINT_BALL,       HEFT_JOINT_FREE,
    HEFT_JOINT_UNIVERSAL, HEFT_JOINT_PLANAR, HEFT_JOINT_CYLINDRICAL};

static int add_moved(HeftBuilder* b, Random* r, HeftBodyDef* def, HeftJointType type) {
  def->parent = 0;
  def->pos = random_vec3(r, 0.5);
  def->quat = random_quat(r);
  const int body = heft_builder_add_body(b, def);
  HeftJointDef joint = heft_joint_def_default();
  joint.body = body;
  joint.type = type;
  joint.axis = random_direction(r);
  joint.axis2 = random_direction(r);
  if (type != HEFT_JOINT_FREE) joint.pos = random_vec3(r, 0.3);
  heft_builder_add_joint(b, &joint);
  return body;
}

static HeftModel* finish(HeftBuilder* b) {
  HeftModel* model = NULL;
  HeftError error = {0};
  if (heft_builder_finish(b, &model, &error) != HEFT_OK) fail_msg("%s", error.message);
  heft_builder_destroy(b);
  return model;
}

static HeftBuilder* builder(void) {
  HeftBuilder* b = NULL;
  assert_int_equal(heft_builder_create(&b, NULL, NULL), HEFT_OK);
  return b;
}

// A moving body with others welded to it in random places, half of them by fixed joints; and the
// same matter as a single body. all collects the points in the frame of the moving body.
static HeftModel* welded_model(uint64_t seed, HeftJointType type, int bodies, Cloud* all) {
  Random r = {seed};
  HeftBuilder* b = builder();
  HeftPose in_effector[MAX_BODIES + 1];
  all->count = 0;
  for (int i = 1; i <= bodies; ++i) {
    const Cloud cloud = random_cloud(&r);
    HeftBodyDef def = heft_body_def_default();
    cloud_inertia(&cloud, &def);
    if (i == 1) {
      add_moved(b, &r, &def, type);
      in_effector[i] = heft_pose_identity();
    } else {
      def.parent = 1 + random_index(&r, i - 1);
      def.pos = random_vec3(&r, 0.4);
      def.quat = random_quat(&r);
      in_effector[i] = heft_pose_mul(in_effector[def.parent], heft_pose(def.pos, def.quat));
      HeftJointDef joint = heft_joint_def_default();
      joint.body = heft_builder_add_body(b, &def);
      joint.type = HEFT_JOINT_FIXED;
      if (i % 2) heft_builder_add_joint(b, &joint);
    }
    cloud_add(all, &cloud, in_effector[i]);
  }
  return finish(b);
}

// The first draws of welded_model() for the moving body must be repeated, so that the joint is the
// same one.
static HeftModel* lumped_model(uint64_t seed, HeftJointType type, const Cloud* all) {
  Random r = {seed};
  random_cloud(&r);
  HeftBuilder* b = builder();
  HeftBodyDef def = heft_body_def_default();
  cloud_inertia(all, &def);
  add_moved(b, &r, &def, type);
  return finish(b);
}

// In the link's frame the points have their centre at the origin and no products of inertia.
static void check_link(const HeftModel* m, const Cloud* all) {
  const HeftTree* t = m->tree;
  assert_int_equal(t->nlink, 2);
  for (int i = 1; i < m->nbody; ++i) assert_int_equal(t->body_link[i], 1);
  Cloud seen = {0};
  HeftBodyDef sum;
  cloud_add(&seen, all, to_pose(&t->body_in_link[1]));
  cloud_inertia(&seen, &sum);
  const Link* link = &t->link[1];
  CHECK_AT_MOST(fabs(link->mass - sum.mass), 1e-13);
  CHECK_AT_MOST(heft_vec3_norm(sum.com), 1e-13);
  const double inertia[6] = {sum.inertia.xx, sum.inertia.yy, sum.inertia.zz,
                             sum.inertia.xy, sum.inertia.xz, sum.inertia.yz};
  const double expected[6] = {link->inertia[0], link->inertia[1], link->inertia[2], 0, 0, 0};
  CHECK_AT_MOST(relative_error(inertia, expected, 6), 1e-13);
}

static void check_same_mass_matrix(const HeftModel* a, const HeftModel* b, uint64_t seed) {
  assert_int_equal(a->nv, b->nv);
  double q[7], v[6], ma[36], mb[36];
  const HeftModel* models[2] = {a, b};
  double* out[2] = {ma, mb};
  scene_random_state(a, seed, 1, q, v);
  for (int i = 0; i < 2; ++i) {
    HeftDynamics* d = NULL;
    assert_int_equal(heft_dynamics_create(&d, models[i], NULL, NULL), HEFT_OK);
    heft_dynamics_kinematics(d, q);
    heft_dynamics_crba(d);
    heft_dynamics_mass_matrix(d, out[i]);
    heft_dynamics_destroy(d);
  }
  CHECK_AT_MOST(relative_error(ma, mb, (long)a->nv * a->nv), 1e-12);
}

static void test_welded_bodies_are_one_link(void** state) {
  (void)state;
  for (int round = 0; round < 140; ++round) {
    const HeftJointType type = effectors[round % 7];
    Cloud all;
    HeftModel* welded = welded_model((uint64_t)round, type, 1 + round % MAX_BODIES, &all);
    HeftModel* lumped = lumped_model((uint64_t)round, type, &all);
    check_link(welded, &all);
    check_link(lumped, &all);
    check_same_mass_matrix(welded, lumped, (uint64_t)round + 1000);
    CHECK_AT_MOST(fabs(heft_model_mass(welded) - heft_model_mass(lumped)), 1e-12);
    heft_model_destroy(welded);
    heft_model_destroy(lumped);
  }
}

static void test_what_is_welded_to_the_world_does_not_move(void** state) {
  (void)state;
  HeftModel* m = sample_create(NULL, NULL);
  const HeftTree* t = m->tree;
  const int post = heft_model_find(m, HEFT_NAMED_BODY, "post"),
            piston = heft_model_find(m, HEFT_NAMED_BODY, "piston"),
            hand = heft_model_find(m, HEFT_NAMED_BODY, "hand"),
            glove = heft_model_find(m, HEFT_NAMED_BODY, "glove");
  assert_int_equal(t->body_link[0], 0);
  assert_int_equal(t->body_link[post], 0);
  assert_int_equal(t->link[t->body_link[piston]].parent, 0);
  assert_int_equal(t->body_link[glove], t->body_link[hand]);
  const HeftPose pose = to_pose(&t->body_in_link[post]);
  CHECK_AT_MOST(heft_vec3_norm(heft_vec3_sub(
                    pose.pos, heft_vec3(m->body_pos[3 * post], m->body_pos[3 * post + 1],
                                        m->body_pos[3 * post + 2]))),
                0);
  heft_model_destroy(m);
}

// ---- kinds, paths, order

static void test_kinds_of_links(void** state) {
  (void)state;
  HeftModel* m = sample_create(NULL, NULL);
  const struct {
    const char* body;
    LinkKind kind;
  } rows[] = {{"base", LINK_FREE},      {"arm", LINK_GENERAL}, {"hand", LINK_CHAIN},
              {"head", LINK_GENERAL},   {"tail", LINK_CHAIN},  {"cart", LINK_GENERAL},
              {"piston", LINK_GENERAL}, {"lift", LINK_MOVED}};
  int dof = 0;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    const int b = heft_model_find(m, HEFT_NAMED_BODY, rows[i].body);
    const Link* link = &m->tree->link[m->tree->body_link[b]];
    assert_int_equal(link->kind, rows[i].kind);
    assert_int_equal(link->body, b);
    assert_int_equal(link->joint, m->body_joint[b]);
    assert_int_equal(link->dof, dof);
    if (link->joint_count > 0) assert_int_equal(link->q, m->joint_q[link->joint]);
    dof += link->dof_count;
  }
  assert_int_equal(dof, m->nv);
  assert_int_equal(m->tree->nlink, 1 + sizeof rows / sizeof *rows);
  heft_model_destroy(m);
}

// The dofs that move dof d, itself included, by climbing from body to body; nearest first.
static int climb(const HeftModel* m, int d, int* out) {
  int count = 0, body = m->joint_body[m->dof_joint[d]];
  for (int last = d; body > 0; body = m->body_parent[body]) {
    for (int i = m->nv - 1; i >= 0; --i) {
      if (i <= last && m->joint_body[m->dof_joint[i]] == body) out[count++] = i;
    }
  }
  return count;
}

static void check_paths(const HeftModel* m) {
  const HeftTree* t = m->tree;
  int row = 0, deepest = 0;
  for (int d = 0; d < m->nv; ++d) {
    int above[512];
    const int length = climb(m, d, above);
    assert_true(length < 512);
    assert_int_equal(t->dof_depth[d], length - 1);
    assert_int_equal(t->dof_parent[d], length > 1 ? above[1] : -1);
    assert_int_equal(t->row[d], row);
    assert_int_equal(t->row[d] % 4, 0);
    const int padded = (length + 3) / 4 * 4;
    for (int i = 0; i < padded; ++i)
      assert_int_equal(t->path[row + i], i < length ? above[length - 1 - i] : d);
    row += padded;
    deepest = length > deepest ? length : deepest;
    assert_int_equal(t->link[t->dof_link[d]].body, m->joint_body[m->dof_joint[d]]);
  }
  assert_int_equal(t->row_count, row);
  assert_int_equal(t->deepest, deepest);
}

// Every dof once, and before those that move it; free links last.
static void check_elimination(const HeftModel* m) {
  const HeftTree* t = m->tree;
  int place[1024];
  assert_true(m->nv <= 1024);
  memset(place, 0xFF, sizeof place);
  assert_int_equal(t->eliminated + 6 * t->free_count, m->nv);
  for (int i = 0; i < t->eliminated; ++i) {
    const int d = t->elimination[i];
    assert_true(d >= 0 && d < m->nv && place[d] == -1);
    place[d] = i;
  }
  for (int i = 0; i < t->free_count; ++i) {
    const Link* link = &t->link[t->free_link[i]];
    assert_int_equal(link->kind, LINK_FREE);
    for (int d = 0; d < 6; ++d) {
      assert_int_equal(place[link->dof + d], -1);
      place[link->dof + d] = m->nv - d;
    }
  }
  for (int d = 0; d < m->nv; ++d) {
    if (t->dof_parent[d] >= 0) assert_true(place[d] < place[t->dof_parent[d]]);
  }
}

static void check_roots(const HeftModel* m) {
  const HeftTree* t = m->tree;
  for (int k = 1; k < t->nlink; ++k) {
    int root = k;
    while (t->link[root].parent > 0) root = t->link[root].parent;
    assert_int_equal(t->link[k].root, root);
    assert_true(t->link[k].parent >= 0 && t->link[k].parent < k);
  }
}

static void test_paths_and_order_of_random_trees(void** state) {
  (void)state;
  for (int i = 0; i < 60; ++i) {
    const RandomTreeDef def = {.seed = (uint64_t)i, .bodies = 1 + i, .floating = i % 2};
    HeftModel* m = scene_random_tree(&def, NULL);
    assert_non_null(m);
    check_paths(m);
    check_elimination(m);
    check_roots(m);
    heft_model_destroy(m);
  }
}

// ---- gravity that is not felt

static void test_lift(void** state) {
  (void)state;
  HeftBuilder* b = builder();
  HeftBodyDef def = heft_body_def_default();
  def.mass = 2;
  def.inertia = (HeftSym3){1, 2, 2.5, 0, 0, 0};
  def.gravity = 0.25;
  HeftJointDef joint = heft_joint_def_default();
  joint.body = heft_builder_add_body(b, &def);
  heft_builder_add_joint(b, &joint);
  def.parent = joint.body;
  def.pos = heft_vec3(1, 0, 0);
  def.gravity = 1;
  heft_builder_add_body(b, &def);
  def.gravity = -0.5;
  def.pos = heft_vec3(0, 3, 0);
  heft_builder_add_body(b, &def);
  HeftModel* m = finish(b);
  const Link* link = &m->tree->link[1];
  assert_int_equal(m->tree->floats, 1);
  CHECK_AT_MOST(fabs(link->lift_mass - (1.5 + 3)), 1e-15);
  const HeftVec3 at =
      heft_pose_apply_inverse(to_pose(&m->tree->body_in_link[1]), heft_vec3_from(link->lift));
  CHECK_AT_MOST(heft_vec3_norm(heft_vec3_sub(at, heft_vec3(0, 3 * 3 / 4.5, 0))), 1e-14);
  heft_model_destroy(m);
}

// ---- joints that move nothing

static HeftStatus try_joint(HeftJointType type, double mass, double inertia, double armature,
                            HeftVec3 axis, HeftError* error) {
  HeftBuilder* b = builder();
  HeftModel* m = NULL;
  HeftBodyDef def = heft_body_def_default();
  def.name = "ghost";
  def.mass = mass;
  def.inertia = (HeftSym3){inertia, inertia, inertia, 0, 0, 0};
  HeftJointDef joint = heft_joint_def_default();
  joint.name = "loose";
  joint.type = type;
  joint.axis = axis;
  for (int i = 0; i < 6; ++i) joint.armature[i] = armature;
  joint.body = heft_builder_add_body(b, &def);
  heft_builder_add_joint(b, &joint);
  const HeftStatus status = heft_builder_finish(b, &m, error);
  heft_builder_destroy(b);
  heft_model_destroy(m);
  return status;
}

static void test_joints_that_move_nothing_are_refused(void** state) {
  (void)state;
  const HeftVec3 z = heft_vec3(0, 0, 1);
  for (int i = 0; i < 7; ++i) {
    HeftError error = {0};
    assert_int_equal(try_joint(effectors[i], 0, 0, 0, z, &error), HEFT_ERR_VALUE);
    assert_non_null(strstr(error.message, "joint 0 'loose' of body 'ghost' moves no inertia"));
    assert_non_null(strstr(error.message, "armature"));
    assert_int_equal(try_joint(effectors[i], 0, 0, 0.01, z, NULL), HEFT_OK);
    assert_int_equal(try_joint(effectors[i], 1, 0.1, 0, z, NULL), HEFT_OK);
  }
  // A point of mass can be shifted but not turned about itself.
  assert_int_equal(try_joint(HEFT_JOINT_SLIDE, 1, 0, 0, z, NULL), HEFT_OK);
  assert_int_equal(try_joint(HEFT_JOINT_HINGE, 1, 0, 0, z, NULL), HEFT_ERR_VALUE);
  assert_int_equal(try_joint(HEFT_JOINT_BALL, 1, 0, 0, z, NULL), HEFT_ERR_VALUE);
}

// A massless body in the middle is fine: it moves what hangs on it.
static void test_massless_bodies_may_carry_others(void** state) {
  (void)state;
  HeftBuilder* b = builder();
  HeftBodyDef ring = heft_body_def_default(), disc = heft_body_def_default();
  HeftJointDef joint = heft_joint_def_default();
  joint.body = disc.parent = heft_builder_add_body(b, &ring);
  joint.axis = heft_vec3(1, 0, 0);
  heft_builder_add_joint(b, &joint);
  disc.mass = 1;
  disc.inertia = (HeftSym3){0.1, 0.1, 0.2, 0, 0, 0};
  joint.body = heft_builder_add_body(b, &disc);
  joint.axis = heft_vec3(0, 1, 0);
  heft_builder_add_joint(b, &joint);
  HeftModel* m = finish(b);
  assert_int_equal(m->tree->nlink, 3);
  assert_true(m->tree->link[1].mass == 0);
  model_exercise(m, 1);
  heft_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_welded_bodies_are_one_link),
      cmocka_unit_test(test_what_is_welded_to_the_world_does_not_move),
      cmocka_unit_test(test_kinds_of_links),
      cmocka_unit_test(test_paths_and_order_of_random_trees),
      cmocka_unit_test(test_lift),
      cmocka_unit_test(test_joints_that_move_nothing_are_refused),
      cmocka_unit_test(test_massless_bodies_may_carry_others),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
