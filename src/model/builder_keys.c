// SPDX-License-Identifier: Apache-2.0
// Keyframes of a builder that grows: a joint, an actuator or a moved body that is added after a
// keyframe has its described pose in it, velocity, activation and control zero.
#include <string.h>

#include "math/store.h"
#include "model/builder.h"

static void put_pose(double* out, const HeftBodyDef* body) {
  vec3_store(out, body->pos);
  quat_store(out + 3, body->quat);
}

int heft_builder_joint_q(const HeftBuilder* b, const HeftJointDef* def, double* out) {
  const int count = heft_joint_type_q_count(def->type);
  if (def->type == HEFT_JOINT_FREE) {
    put_pose(out, &LIST_AT(b->bodies, BodyRecord, def->body).def);
  } else if (def->type == HEFT_JOINT_BALL) {
    quat_store(out, heft_quat_identity());
  } else {
    memcpy(out, def->q_default, (size_t)count * sizeof(double));
  }
  return count;
}

void heft_builder_default_q(const HeftBuilder* b, double* q) {
  for (int i = 0; i < b->joints.count; ++i)
    q += heft_builder_joint_q(b, &LIST_AT(b->joints, JointRecord, i).def, q);
}

void heft_builder_default_moved(const HeftBuilder* b, double* poses) {
  for (int i = 0; i < b->bodies.count; ++i) {
    const HeftBodyDef* def = &LIST_AT(b->bodies, BodyRecord, i).def;
    if (!def->moved) continue;
    put_pose(poses, def);
    poses += 7;
  }
}

int heft_builder_widen_keys(HeftBuilder* b, KeyPart part, int extra, const double* fill) {
  const int size[KEY_PARTS] = {b->nq, b->nv, b->nact, b->actuators.count, 7 * b->nmoved};
  const int keys = b->keys.count;
  int before = 0, after = 0;
  if (keys == 0 || extra == 0) return 1;
  for (int p = 0; p < KEY_PARTS; ++p) *(p <= (int)part ? &before : &after) += size[p];
  if (!heft_list_extend(&b->key_numbers, keys * extra, &b->allocator)) return 0;
  double* numbers = b->key_numbers.items;
  const long old = before + after, now = old + extra;
  for (long k = keys - 1; k >= 0; --k) {
    double *from = numbers + k * old, *to = numbers + k * now;
    memmove(to + before + extra, from + before, (size_t)after * sizeof(double));
    memmove(to, from, (size_t)before * sizeof(double));
    for (int i = 0; i < extra; ++i) to[before + i] = fill ? fill[i] : 0;
  }
  return 1;
}
