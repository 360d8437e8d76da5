// SPDX-License-Identifier: Apache-2.0
// Random trees: every joint type, several joints per body, welded bodies, inertias in frames of
// their own.
#include <math.h>
#include <stddef.h>

#include "parts.h"
#include "random.h"

// A physically possible inertia: that of a few point masses around the centre.
static HeftSym3 random_moment(Random* r, double mass) {
  HeftSym3 sum = {0};
  for (int i = 0; i < 4; ++i)
    sum = heft_sym3_add(sum, heft_sym3_point_mass(mass / 4, random_vec3(r, 0.15)));
  return sum;
}

static int add_body(HeftBuilder* b, Random* r, int parent) {
  HeftBodyDef def = heft_body_def_default();
  def.parent = parent;
  def.pos = random_vec3(r, 0.3);
  def.quat = random_quat(r);
  def.mass = random_between(r, 0.1, 5);
  def.com = random_vec3(r, 0.1);
  def.inertia_quat = random_quat(r);
  def.inertia = random_moment(r, def.mass);
  return heft_builder_add_body(b, &def);
}

static void add_joint_along(HeftBuilder* b, Random* r, int body, HeftJointType type, HeftVec3 axis,
                            int passive) {
  HeftJointDef def = heft_joint_def_default();
  def.body = body;
  def.type = type;
  if (type != HEFT_JOINT_FREE) def.pos = random_vec3(r, 0.2);
  def.axis = axis;
  def.axis2 = random_direction(r);
  if (type != HEFT_JOINT_BALL && type != HEFT_JOINT_FREE) {
    for (int i = 0; i < 3; ++i) def.q_default[i] = random_between(r, -0.5, 0.5);
  }
  const double stiffness = random_between(r, 0, 5);
  for (int i = 0; passive && i < 6; ++i) {
    def.damping[i] = random_between(r, 0, 0.5);
    def.stiffness[i] = stiffness;
    def.armature[i] = random_between(r, 0, 0.05);
  }
  heft_builder_add_joint(b, &def);
}

static void add_joint(HeftBuilder* b, Random* r, int body, HeftJointType type, int passive) {
  add_joint_along(b, r, body, type, random_direction(r), passive);
}

static void add_joints(HeftBuilder* b, Random* r, int body, int parent, int passive) {
  static const HeftJointType types[] = {
      HEFT_JOINT_HINGE, HEFT_JOINT_HINGE,  HEFT_JOINT_HINGE,     HEFT_JOINT_SLIDE,
      HEFT_JOINT_BALL,  HEFT_JOINT_PLANAR, HEFT_JOINT_UNIVERSAL, HEFT_JOINT_CYLINDRICAL,
      HEFT_JOINT_FIXED, HEFT_JOINT_FREE};
  const int several = random_index(r, 8) == 0;
  if (several) {  // orthogonal axes, so that no two rotations coincide
    HeftVec3 across, other;
    const HeftVec3 axis = random_direction(r);
    heft_vec3_tangents(axis, &across, &other);
    add_joint_along(b, r, body, HEFT_JOINT_HINGE, axis, passive);
    add_joint(b, r, body, HEFT_JOINT_SLIDE, passive);
    add_joint_along(b, r, body, HEFT_JOINT_HINGE, across, passive);
    return;
  }
  const HeftJointType type = types[random_index(r, (int)(sizeof types / sizeof *types))];
  add_joint(b, r, body, type == HEFT_JOINT_FREE && parent != 0 ? HEFT_JOINT_HINGE : type, passive);
}

HeftModel* scene_random_tree(const RandomTreeDef* def, HeftError* error) {
  HeftBuilder* b = NULL;
  HeftModel* model = NULL;
  if (heft_builder_create(&b, NULL, error) != HEFT_OK) return NULL;
  Random r = {def->seed};
  for (int i = 1; i <= def->bodies; ++i) {
    // Parents: near the last body (chains), or any body (bushes).
    int parent = random_index(&r, 2) ? i - 1 : random_index(&r, i);
    if (def->floating && i > 1 && parent == 0) parent = i - 1;
    const int body = add_body(b, &r, parent);
    if (def->floating && i == 1) {
      add_joint(b, &r, body, HEFT_JOINT_FREE, 0);
    } else {
      add_joints(b, &r, body, parent, def->passive);
    }
  }
  heft_builder_finish(b, &model, error);
  heft_builder_destroy(b);
  return model;
}

void scene_disable_contact(HeftModel* m) {
  for (int i = 0; i < m->nshape; ++i) m->shape_category[i] = m->shape_collides[i] = 0;
}

void scene_random_state(const HeftModel* m, uint64_t seed, double speed, double* q, double* v) {
  Random r = {seed};
  for (int i = 0; i < m->nq; ++i) q[i] = random_between(&r, -HEFT_PI, HEFT_PI);
  for (int i = 0; i < m->nv; ++i) v[i] = random_between(&r, -speed, speed);
  for (int j = 0; j < m->njoint; ++j) {
    const int at = m->joint_q[j];
    switch (m->joint_type[j]) {
      case HEFT_JOINT_SLIDE:
      case HEFT_JOINT_CYLINDRICAL:
        q[at] *= 0.1;
        break;
      case HEFT_JOINT_PLANAR:
        q[at] *= 0.1;
        q[at + 1] *= 0.1;
        break;
      case HEFT_JOINT_BALL:
      case HEFT_JOINT_FREE: {
        const HeftQuat u = random_quat(&r);
        double* out = q + at + (m->joint_type[j] == HEFT_JOINT_FREE ? 3 : 0);
        out[0] = u.w;
        out[1] = u.x;
        out[2] = u.y;
        out[3] = u.z;
        break;
      }
      case HEFT_JOINT_FIXED:
      case HEFT_JOINT_HINGE:
      case HEFT_JOINT_UNIVERSAL:
      case HEFT_JOINT_TYPE_COUNT:
        break;
    }
  }
}

void scene_build_crowd(HeftBuilder* b) {
  Random r = {7};
  heft_builder_set_physics(b, (HeftPhysics){.gravity = {0, 0, 0}, .time_step = 0.001});
  for (int i = 1; i <= 30; ++i) {
    const int parent = i == 1 ? 0 : random_index(&r, 2) ? i - 1 : 1 + random_index(&r, i - 1);
    const int body = add_body(b, &r, parent);
    if (i == 1) {
      add_joint(b, &r, body, HEFT_JOINT_FREE, 0);
    } else {
      add_joints(b, &r, body, parent, 0);
    }
  }
}
