// SPDX-License-Identifier: Apache-2.0
// The inertia of a body: from <inertial>, or the sum of its geoms; then the bounds and the total
// mass that the compiler settings ask for. The inertia that each joint moves must be positive.
#include <math.h>

#include "io/mjcf_tree.h"
#include "model/joint_kind.h"

HeftInertia mj_scale_inertia(HeftInertia i, double factor) {
  i.mass *= factor;
  i.inertia = (HeftSym3){factor * i.inertia.xx, factor * i.inertia.yy, factor * i.inertia.zz,
                         factor * i.inertia.xy, factor * i.inertia.xz, factor * i.inertia.yz};
  return i;
}

static void read_inertia(Mjcf* m, const Item* item, HeftBodyDef* body) {
  double d[3], f[6];
  if (mj_reals(m, item, MJ_inertial_fullinertia, f)) {
    body->inertia = (HeftSym3){f[0], f[1], f[2], f[3], f[4], f[5]};
    for (int form = 0; form < 5; ++form) {
      const MjcfKey key = (MjcfKey)((int)MJ_inertial_quat + form);
      if (mj_given(m, item, key))
        load_fail(
            m->load, HEFT_ERR_VALUE, mj_place(m, item, key),
            "<inertial>: fullinertia is along the body's axes, expected no orientation with it");
    }
  } else if (mj_reals(m, item, MJ_inertial_diaginertia, d)) {
    body->inertia = mj_diagonal(d[0], d[1], d[2]);
  } else if (LOAD_OK(m->load)) {
    load_fail(m->load, HEFT_ERR_SYNTAX, xml_place(item->node),
              "<inertial> needs 'diaginertia' or 'fullinertia'");
  }
}

static void check_inertia(Mjcf* m, const Item* item, HeftBodyDef* body) {
  HeftVec3 e;
  HeftMat3 axes;
  heft_sym3_eigen(body->inertia, &e, &axes);
  const double slack = 1e-6 * fabs(e.x) + 1e-18;
  const Place place = xml_place(item->node);
  if (e.z < -slack) {
    load_fail(
        m->load, HEFT_ERR_VALUE, place,
        "<%.40s>: principal moments of inertia %g, %g, %g kg m² were found, none may be negative",
        item->node->name, e.x, e.y, e.z);
  } else if (e.x > e.y + e.z + slack) {
    const double mean = (e.x + e.y + e.z) / 3;
    if (item->scope->unit->balance) {
      body->inertia = mj_diagonal(mean, mean, mean);
      return;
    }
    load_fail(m->load, HEFT_ERR_VALUE, place,
              "<%.40s>: principal moments of inertia %g, %g, %g kg m² were found; none may be "
              "larger than the sum of the other two (balanceinertia=\"true\" uses their mean)",
              item->node->name, e.x, e.y, e.z);
  }
}

static void read_inertial(Mjcf* m, const Item* item, HeftBodyDef* body) {
  mj_check(m, item->node, MJCF_inertial);
  body->com = mj_vec3(m, item, MJ_inertial_pos);
  body->inertia_quat = mj_orientation(m, item, MJ_inertial_quat);
  if (!mj_reals(m, item, MJ_inertial_mass, &body->mass))
    load_fail(m->load, HEFT_ERR_SYNTAX, xml_place(item->node),
              "<inertial> needs the attribute 'mass'");
  if (LOAD_OK(m->load) && body->mass < 0)
    load_fail(m->load, HEFT_ERR_VALUE, mj_place(m, item, MJ_inertial_mass),
              "<inertial mass>: %g kg was found, expected 0 or more", body->mass);
  read_inertia(m, item, body);
  if (!LOAD_OK(m->load)) return;
  if (!mj_is_plain_frame(item)) mj_place_item(item, &body->com, &body->inertia_quat);
  check_inertia(m, item, body);
}

static void sum_geoms(const Unit* unit, const GeomPart* parts, int count, HeftBodyDef* body) {
  HeftInertia sum = {0};
  for (int i = 0; i < count; ++i) {
    const int group = parts[i].shape.group;
    if (group < unit->inertia_groups[0] || group > unit->inertia_groups[1]) continue;
    if (parts[i].inertia.mass > 0) sum = heft_inertia_add(sum, parts[i].inertia);
  }
  body->mass = sum.mass;
  body->com = sum.com;
  body->inertia = sum.inertia;
}

static void raise_to_bounds(const Unit* unit, HeftBodyDef* body) {
  if (unit->min_mass > 0) body->mass = fmax(body->mass, unit->min_mass);
  if (!(unit->min_inertia > 0)) return;
  HeftVec3 e;
  HeftMat3 axes;
  heft_sym3_eigen(body->inertia, &e, &axes);
  if (e.z >= unit->min_inertia) return;
  const HeftSym3 raised = mj_diagonal(fmax(e.x, unit->min_inertia), fmax(e.y, unit->min_inertia),
                                      fmax(e.z, unit->min_inertia));
  body->inertia = heft_sym3_rotate(raised, axes);
}

void mj_weigh_body(Mjcf* m, const Item* item, const Grow* items, const GeomPart* parts, int count,
                   HeftBodyDef* def) {
  const Unit* unit = item->scope->unit;
  const Item* inertial = NULL;
  for (int i = 0; i < items->count; ++i) {
    const Item* it = &GROW_AT(*items, Item, i);
    if (!xml_is(it->node, "inertial")) continue;
    if (inertial)
      load_fail(m->load, HEFT_ERR_SYNTAX, xml_place(it->node),
                "a second <inertial> was found in a body");
    inertial = it;
  }
  if (inertial && unit->inertia_from_geom != 1) {
    read_inertial(m, inertial, def);
  } else if (unit->inertia_from_geom != 0) {
    sum_geoms(unit, parts, count, def);
  }
  raise_to_bounds(unit, def);
}

void mj_scale_masses(Mjcf* m) {
  double sum = 0;
  if (!(m->root->total_mass > 0)) return;
  for (int b = 1; b < m->bodies.count; ++b) sum += GROW_AT(m->bodies, BodyInfo, b).inertia.mass;
  if (!(sum > 0)) {
    load_fail(m->load, HEFT_ERR_VALUE, xml_place(m->root->root),
              "<compiler settotalmass>: %g kg was found, but no body has mass",
              m->root->total_mass);
    return;
  }
  const double factor = m->root->total_mass / sum;
  heft_builder_scale_mass(m->load->builder, factor);
  for (int b = 1; b < m->bodies.count; ++b) {
    HeftInertia* inertia = &GROW_AT(m->bodies, BodyInfo, b).inertia;
    *inertia = mj_scale_inertia(*inertia, factor);
  }
}

// ---- inertia at the joints

static void sum_composites(Mjcf* m) {
  if (m->composites) return;
  m->composites = 1;
  for (int b = 0; b < m->bodies.count; ++b) {
    BodyInfo* info = &GROW_AT(m->bodies, BodyInfo, b);
    info->composite = heft_inertia_transform(info->inertia, info->pose);
  }
  for (int b = m->bodies.count - 1; b > 0; --b) {
    const BodyInfo* info = &GROW_AT(m->bodies, BodyInfo, b);
    BodyInfo* above = &GROW_AT(m->bodies, BodyInfo, info->parent);
    above->composite = heft_inertia_add(above->composite, info->composite);
  }
}

double mj_joint_inertia(Mjcf* m, int j) {
  sum_composites(m);
  const JointInfo* joint = &GROW_AT(m->joints, JointInfo, j);
  const BodyInfo* body = &GROW_AT(m->bodies, BodyInfo, joint->body);
  const HeftInertia* c = &body->composite;
  if (joint->type == HEFT_JOINT_SLIDE) return c->mass + joint->armature;
  const HeftVec3 axis = heft_mat3_mul_vec(body->pose.rot, joint->axis);
  const HeftVec3 arm =
      heft_vec3_cross(axis, heft_vec3_sub(c->com, heft_pose_apply(body->pose, joint->pos)));
  return c->mass * heft_vec3_dot(arm, arm) +
         heft_vec3_dot(axis, heft_sym3_mul_vec(c->inertia, axis)) + joint->armature;
}

void mj_check_inertias(Mjcf* m) {
  static const double min = 1e-15;  // [kg], [kg m²]
  for (int j = 0; j < m->joints.count && LOAD_OK(m->load); ++j) {
    const JointInfo* joint = &GROW_AT(m->joints, JointInfo, j);
    sum_composites(m);
    const HeftInertia* c = &GROW_AT(m->bodies, BodyInfo, joint->body).composite;
    const int scalar = joint_is_scalar(joint->type);
    const double inertia = scalar ? mj_joint_inertia(m, j) : c->mass + joint->armature;
    if (inertia > min) continue;
    load_fail(m->load, HEFT_ERR_VALUE, joint->place,
              "this joint moves no inertia (%g); give its body a geom or an <inertial>, or the "
              "joint an armature",
              inertia);
  }
}
