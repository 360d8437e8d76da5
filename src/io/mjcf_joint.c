// SPDX-License-Identifier: Apache-2.0
// Joints. <custom> can give each dof of a joint its own numbers, and make one joint of the model
// from several joints of the file.
#include <string.h>

#include "io/mjcf_plain.h"
#include "io/mjcf_tree.h"
#include "model/joint_kind.h"

static void set_range(Mjcf* m, const Item* item, HeftJointDef* def) {
  const Unit* unit = item->scope->unit;
  double range[2] = {0};
  mj_reals(m, item, MJ_joint_range, range);
  const int limited = mj_limited(m, item, MJ_joint_limited, MJ_joint_range);
  if (!LOAD_OK(m->load) || def->type == HEFT_JOINT_FREE || (!limited && range[0] > range[1]))
    return;
  if (range[0] > range[1] ||
      (limited && range[0] == range[1] && !mj_given(m, item, MJ_joint_range))) {
    load_fail(m->load, HEFT_ERR_VALUE, mj_place(m, item, MJ_joint_range),
              "<joint range>: %g to %g was found, expected minimum to maximum", range[0], range[1]);
    return;
  }
  if (def->type != HEFT_JOINT_SLIDE) {
    range[0] = mj_angle(unit, range[0]);
    range[1] = mj_angle(unit, range[1]);
  }
  for (int k = 0; k < heft_joint_type_dof_count(def->type); ++k) {
    def->limited[k] = limited;
    def->range[k][0] = range[0];
    def->range[k][1] = range[1];
  }
}

static void need_not_negative(Mjcf* m, const Item* item, MjcfKey key, double x) {
  if (LOAD_OK(m->load) && x < 0)
    load_fail(m->load, HEFT_ERR_VALUE, mj_place(m, item, key),
              "<%.40s %s>: %g was found, expected 0 or more", item->node->name,
              mjcf_attributes[key].name, x);
}

static void set_dofs(Mjcf* m, const Item* item, HeftJointDef* def) {
  const MjcfKey keys[] = {MJ_joint_damping, MJ_joint_stiffness, MJ_joint_frictionloss,
                          MJ_joint_armature};
  double* const to[] = {def->damping, def->stiffness, def->friction, def->armature};
  for (int i = 0; i < 4; ++i) {
    const double x = mj_real(m, item, keys[i]);
    need_not_negative(m, item, keys[i], x);
    for (int k = 0; k < heft_joint_type_dof_count(def->type); ++k) to[i][k] = x;
  }
}

static void set_forces(Mjcf* m, const Item* item, HeftJointDef* def) {
  double range[2] = {0};
  mj_reals(m, item, MJ_joint_actuatorfrcrange, range);
  const int limited = mj_limited(m, item, MJ_joint_actuatorfrclimited, MJ_joint_actuatorfrcrange);
  if (!limited && range[0] > range[1]) return;
  if (range[0] > range[1]) {
    load_fail(m->load, HEFT_ERR_VALUE, mj_place(m, item, MJ_joint_actuatorfrcrange),
              "<joint actuatorfrcrange>: %g to %g was found, expected minimum to maximum", range[0],
              range[1]);
    return;
  }
  def->force_limited = limited;
  def->force_range[0] = range[0];
  def->force_range[1] = range[1];
}

static void read_joint(Mjcf* m, Item* item, HeftJointDef* def) {
  static const char* const types[] = {"free", "ball", "slide", "hinge", NULL};
  static const HeftJointType joint_types[] = {HEFT_JOINT_FREE, HEFT_JOINT_BALL, HEFT_JOINT_SLIDE,
                                              HEFT_JOINT_HINGE};
  item->class = mj_class(m, item->scope->unit, item->node, "class", item->class);
  mj_check(m, item->node, MJCF_joint);
  const int type = mj_word(m, item, MJ_joint_type, types);
  if (type < 0) return;
  def->type = joint_types[type];
  def->pos = mj_vec3(m, item, MJ_joint_pos);
  def->axis = mj_vec3(m, item, MJ_joint_axis);
  const int scalar = joint_is_scalar(def->type);
  if (scalar && LOAD_OK(m->load) && heft_vec3_norm(def->axis) < 1e-9)
    load_fail(m->load, HEFT_ERR_VALUE, mj_place(m, item, MJ_joint_axis),
              "<joint axis>: a zero vector was found, expected a direction");
  if (!mj_is_plain_frame(item)) {
    def->pos = heft_vec3_add(item->pos, heft_quat_rotate(item->quat, def->pos));
    def->axis = heft_quat_rotate(item->quat, def->axis);
  }
  if (scalar) {
    const double ref = mj_real(m, item, MJ_joint_ref), rest = mj_real(m, item, MJ_joint_springref);
    const int turns = def->type == HEFT_JOINT_HINGE;
    def->q_default[0] = turns ? mj_angle(item->scope->unit, ref) : ref;
    def->q_spring[0] = turns ? mj_angle(item->scope->unit, rest) : rest;
  } else {
    def->axis = heft_vec3(0, 0, 1);
    if (def->type == HEFT_JOINT_FREE) def->pos = heft_vec3(0, 0, 0);
  }
  set_range(m, item, def);
  set_dofs(m, item, def);
  set_forces(m, item, def);
}

// Numbers of <custom> for the dofs of a joint, one after the other: damping, stiffness, friction,
// armature, limited, minimum, maximum of all dofs, then the coordinates of the relaxed spring.
static void set_custom_dofs(Mjcf* m, const char* name, HeftJointDef* def) {
  const int n = heft_joint_type_dof_count(def->type), nq = heft_joint_type_q_count(def->type);
  const Extra* extra = mj_extra(m, OF_DOFS, name, 7 * n + nq);
  if (!extra) return;
  const double* x = extra->x;
  double* const to[] = {def->damping, def->stiffness, def->friction, def->armature};
  for (int i = 0; i < 4; ++i, x += n) memcpy(to[i], x, (size_t)n * sizeof(double));
  for (int k = 0; k < n; ++k) {
    def->limited[k] = x[k] != 0;
    def->range[k][0] = x[n + k];
    def->range[k][1] = x[2 * n + k];
  }
  memcpy(def->q_spring, x + 3L * n, (size_t)nq * sizeof(double));
}

static void set_custom_limit(Mjcf* m, const char* name, HeftJointDef* def) {
  const Extra* extra = mj_extra(m, OF_LIMIT, name, 1);
  if (!extra) return;
  def->restitution = extra->x[0];
  if (def->restitution >= 0 && def->restitution <= 1) return;
  load_fail(
      m->load, HEFT_ERR_VALUE, xml_attribute_place(extra->node, "data"),
      "<numeric data>: restitution %g at the limits of joint '%.80s' was found, expected 0 to 1",
      def->restitution, name);
}

static const char* joint_name(Mjcf* m, const Item* item) {
  const int is_free = xml_is(item->node, "freejoint");
  return mj_full_name(m, item->scope,
                      mj_text(m, item, is_free ? MJ_freejoint_name : MJ_joint_name, NULL));
}

int mj_is_joint(const Item* item) {
  return xml_is(item->node, "joint") || xml_is(item->node, "freejoint");
}

// Copies one part of a merged joint to dof k.
static void merge_part(const HeftJointDef* part, int k, HeftJointDef* def) {
  if (k == 1 && joint_axis_count(def->type) == 2) def->axis2 = part->axis;
  def->q_default[k] = part->q_default[0];
  def->q_spring[k] = part->q_spring[0];
  def->damping[k] = part->damping[0];
  def->stiffness[k] = part->stiffness[0];
  def->friction[k] = part->friction[0];
  def->armature[k] = part->armature[0];
  def->limited[k] = part->limited[0];
  def->range[k][0] = part->range[0][0];
  def->range[k][1] = part->range[0][1];
}

// Reads the joints from item `at` on as one planar, universal or cylindrical joint. *last is the
// item of the last of them. Returns 0 if the joint is not part of another one.
static int read_merged(Mjcf* m, Grow* items, int at, int* last, HeftJointDef* def) {
  Item* item = &GROW_AT(*items, Item, at);
  const char* name = joint_name(m, item);
  const int found = name[0] ? mj_name_find(m, OF_JOINT_PART, name) : -1;
  if (found < 0) return 0;
  JointGroup* group = &GROW_AT(m->joint_groups, JointGroup, found / 8);
  HeftJointType types[3];
  mjcf_joint_parts(group->type, types);
  group->used = 1;
  for (int k = 0; k < group->count && LOAD_OK(m->load); ++k) {
    while (at < items->count && !mj_is_joint(&GROW_AT(*items, Item, at))) ++at;
    Item* next = at < items->count ? &GROW_AT(*items, Item, at) : NULL;
    HeftJointDef part = heft_joint_def_default();
    const int good = next && strcmp(joint_name(m, next), group->part[k]) == 0;
    if (good && !xml_is(next->node, "freejoint")) read_joint(m, next, &part);
    if (LOAD_OK(m->load) && (!good || part.type != types[k])) {
      load_fail(m->load, HEFT_ERR_VALUE, xml_place(group->node),
                "<tuple>: a %s joint is made of joints of one body, in their order; its %s '%.80s' "
                "was not found at its place",
                heft_joint_type_name(group->type), heft_joint_type_name(types[k]), group->part[k]);
      return 1;
    }
    if (k == 0) {
      *def = part;
      def->type = group->type;
    }
    merge_part(&part, k, def);
    *last = at++;
  }
  def->name = group->name;
  return 1;
}

void mj_add_joint(Mjcf* m, Grow* items, int* at, int body, int parent, int count) {
  Item* item = &GROW_AT(*items, Item, *at);
  m->owner = item->scope;
  HeftJointDef def = heft_joint_def_default();
  const int is_free = xml_is(item->node, "freejoint");
  const int merged = read_merged(m, items, *at, at, &def);
  def.body = body;
  if (is_free) {
    mj_check(m, item->node, MJCF_freejoint);
    def.type = HEFT_JOINT_FREE;
  } else if (!merged) {
    read_joint(m, item, &def);
  }
  if (def.type == HEFT_JOINT_FREE && (parent != 0 || count > 1))
    load_fail(m->load, HEFT_ERR_VALUE, xml_place(item->node),
              "a free joint must be the only joint of a body whose parent is the world");
  if (body == 0)
    load_fail(m->load, HEFT_ERR_VALUE, xml_place(item->node),
              "the world cannot have joints; put the joint into a <body>");
  if (!LOAD_OK(m->load)) return;
  if (!merged) {
    def.name = joint_name(m, item);
    set_custom_dofs(m, def.name, &def);
  }
  set_custom_limit(m, def.name, &def);
  if (!LOAD_OK(m->load)) return;
  if (!merged && !is_free)
    mj_read_springdamper(m, item, m->nv, heft_joint_type_dof_count(def.type));
  JointInfo* info = LOAD_ADD(m->load, &m->joints, JointInfo);
  if (!info) return;
  *info = (JointInfo){.type = def.type,
                      .body = body,
                      .q = m->nq,
                      .dof = m->nv,
                      .pos = def.pos,
                      .axis = heft_vec3_normalize(def.axis),
                      .armature = def.armature[0],
                      .place = xml_place(item->node),
                      .limited = def.limited[0],
                      .range = {def.range[0][0], def.range[0][1]}};
  m->nq += heft_joint_type_q_count(def.type);
  m->nv += heft_joint_type_dof_count(def.type);
  const char* name = def.name;
  def.name = mj_model_name(name);
  mj_name_add(m, item->node, OF_JOINT, name, heft_builder_add_joint(m->load->builder, &def));
}
