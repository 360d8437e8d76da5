// SPDX-License-Identifier: Apache-2.0
// URDF. A robot is a list of links and a list of joints between them; the model has a tree of
// bodies.
//
// - The root link is welded to the world or gets a free joint (HeftLoadDef.base). A root link named
//   "world" is the world itself.
// - The frame of a joint is the frame of its child link: anchors are zero and axes are the link's
//   own.
// - <mimic> becomes an equality of two joints; <limit effort> limits the force of all actuators at
//   a joint.
// - Elements for other programs (gazebo, transmission) are skipped with a warning.
#include <string.h>

#include "io/readers.h"
#include "io/urdf.h"
#include "model/joint_kind.h"

static void set_limits(Urdf* u, const Joint* joint, HeftJointDef* def) {
  const XmlNode* limit = xml_child(joint->node, "limit");
  if (!limit) {
    if (urdf_needs_limit(joint))
      load_warn(u->load, xml_place(joint->node), "no limit",
                "joint '%.80s' has no <limit>, which URDF requires; it is unlimited", joint->name);
    return;
  }
  double range[2];
  const int limited = urdf_limits(u, joint, range);
  if (urdf_needs_limit(joint) && range[0] > range[1]) {
    load_fail(u->load, HEFT_ERR_VALUE, xml_place(limit),
              "joint '%.80s': limits from %g to %g were found, expected lower to upper",
              joint->name, range[0], range[1]);
  } else if (limited) {
    def->limited[0] = 1;
    memcpy(def->range[0], range, sizeof range);
  }
  urdf_effort(u, joint, def);
  if (xml_get(limit, "velocity") && urdf_read_number(u, limit, "velocity", 0) < urdf_no_limit)
    load_warn(u->load, xml_attribute_place(limit, "velocity"), "velocity limit",
              "<limit velocity> is skipped: it is a limit for controllers, not for the mechanism");
}

static void read_axis(Urdf* u, const Joint* joint, HeftJointDef* def) {
  double axis[3] = {1, 0, 0};
  const XmlNode* node = xml_child(joint->node, "axis");
  if (node) urdf_read_numbers(u, node, "xyz", 3, axis);
  const HeftVec3 a = heft_vec3_from(axis);
  if (LOAD_OK(u->load) && !(heft_vec3_norm(a) > 1e-9))
    load_fail(u->load, HEFT_ERR_VALUE, xml_place(node ? node : joint->node),
              "joint '%.80s': its axis is zero, expected a direction", joint->name);
  def->axis = a;
  if (joint->type != HEFT_JOINT_PLANAR) return;
  heft_vec3_tangents(heft_vec3_normalize(a), &def->axis, &def->axis2);
}

static void add_joint(Urdf* u, Joint* joint, int body) {
  HeftJointDef def = heft_joint_def_default();
  def.name = joint->name;
  def.body = body;
  def.type = joint->type;
  if (joint->type == HEFT_JOINT_FIXED) return;
  if (joint->type == HEFT_JOINT_FREE) {
    if (u->links[joint->parent].body != 0) {
      load_fail(u->load, HEFT_ERR_UNSUPPORTED, xml_place(joint->node),
                "joint '%.80s': the parent of a floating joint must be a root link named 'world'",
                joint->name);
      return;
    }
  } else {
    read_axis(u, joint, &def);
    set_limits(u, joint, &def);
    const XmlNode* dynamics = xml_child(joint->node, "dynamics");
    const double damping = urdf_read_number(u, dynamics, "damping", 0),
                 friction = urdf_read_number(u, dynamics, "friction", 0);
    for (int k = 0; k < heft_joint_type_dof_count(def.type); ++k) {
      def.damping[k] = damping;
      def.friction[k] = friction;
    }
    if (LOAD_OK(u->load) && (damping < 0 || friction < 0))
      load_fail(u->load, HEFT_ERR_VALUE, xml_place(dynamics),
                "joint '%.80s': damping %g and friction %g were found, expected 0 or more",
                joint->name, damping, friction);
  }
  if (LOAD_OK(u->load)) joint->index = heft_builder_add_joint(u->load->builder, &def);
}

static void add_body(Urdf* u, Link* link) {
  HeftBodyDef body = heft_body_def_default();
  Joint* joint = link->parent_joint >= 0 ? &u->joints[link->parent_joint] : NULL;
  const int floating = !joint && u->load->def->base == HEFT_BASE_FLOATING;
  body.name = link->name;
  if (joint) {
    body.parent = u->links[joint->parent].body;
    urdf_read_origin(u, joint->node, &body.pos, &body.quat);
  }
  urdf_read_inertial(u, link, &body);
  if (!joint && strcmp(link->name, "world") == 0) {
    link->body = 0;
    if (body.mass > 0)
      load_warn(u->load, xml_place(link->node), NULL,
                "the root link 'world' is the world itself, its inertia does not count");
    return;
  }
  if (body.parent == 0) body.pos.z += u->lift;
  link->pos = body.pos;
  link->quat = body.quat;
  const int moves = floating || (joint && joint->type != HEFT_JOINT_FIXED);
  urdf_fill_missing_inertia(u, link, moves, &body);
  if (!LOAD_OK(u->load)) return;
  link->body = heft_builder_add_body(u->load->builder, &body);
  if (joint) {
    add_joint(u, joint, link->body);
  } else if (floating) {
    HeftJointDef def = heft_joint_def_default();
    def.type = HEFT_JOINT_FREE;
    def.body = link->body;
    heft_builder_add_joint(u->load->builder, &def);
  }
}

static void add_mimics(Urdf* u) {
  for (int j = 0; j < u->joint_count && LOAD_OK(u->load); ++j) {
    const Joint* joint = &u->joints[j];
    const XmlNode* mimic = xml_child(joint->node, "mimic");
    if (!mimic) continue;
    const char* name = urdf_need(u, mimic, "joint");
    const int other = name ? urdf_find_joint(u, name) : -1;
    char hint[200];
    if (name && other < 0)
      load_fail(u->load, HEFT_ERR_NAME, xml_attribute_place(mimic, "joint"),
                "joint '%.80s' mimics '%.80s', which does not exist; %s", joint->name, name,
                heft_names_hint(urdf_joint_names(u), name, hint, sizeof hint));
    if (other < 0) return;
    if (other == j || !joint_is_scalar(joint->type) || u->joints[other].type > HEFT_JOINT_SLIDE) {
      if (joint->type == HEFT_JOINT_FIXED) {
        load_warn(u->load, xml_place(mimic), "fixed mimic",
                  "joint '%.80s' mimics '%.80s' but is fixed; it stays fixed", joint->name, name);
        continue;
      }
      load_fail(u->load, HEFT_ERR_VALUE, xml_place(mimic),
                "joint '%.80s' mimics '%.80s'; only a hinge or slide joint can mimic another one",
                joint->name, name);
      return;
    }
    HeftEqualityDef def = heft_equality_def_default();
    def.type = HEFT_EQUALITY_JOINT;
    def.object[0] = joint->index;
    def.object[1] = u->joints[other].index;  // -1 for a fixed joint: a constant
    def.poly[0] = urdf_read_number(u, mimic, "offset", 0);
    def.poly[1] = urdf_read_number(u, mimic, "multiplier", 1);
    heft_builder_add_equality(u->load->builder, &def);
  }
}

// Poses, heights and servos are wanted if a setting of the load asks for one of them.
static void plan_start(Urdf* u) {
  const HeftLoadDef* def = u->load->def;
  urdf_read_excludes(u);
  if (!def->urdf_floor && !def->urdf_place && !def->urdf_servos && !def->srdf) return;
  for (int j = 0; j < u->joint_count; ++j) {
    u->joints[j].mimics = xml_child(u->joints[j].node, "mimic") != NULL;
    u->joints[j].servo = -1;
  }
  urdf_add_home(u);
  urdf_read_srdf(u);
  urdf_place_robot(u);
}

static void read_links(Urdf* u) {
  for (int i = 0; i < u->link_count; ++i)
    u->has_visual |= xml_child(u->links[i].node, "visual") != NULL;
  for (int i = 0; i < u->link_count && LOAD_OK(u->load); ++i) {
    urdf_read_shapes(u, u->order[i]);
    if (u->load->def->progress)
      u->load->def->progress(u->load->def->user, 0.5 * i / u->link_count,
                             u->links[u->order[i]].name);
  }
}

HeftStatus load_urdf(Load* load, const SourceFile* file) {
  Urdf u = {.load = load, .file = file, .robot = xml_parse(load, file)};
  int shape = 0;
  if (!u.robot) return load->status;
  if (!urdf_collect_links(&u) || !urdf_collect_joints(&u)) return load->status;
  const int root = urdf_find_root(&u);
  if (root < 0 || !urdf_sort_links(&u, root)) return load->status;
  urdf_sum_tree_mass(&u);
  read_links(&u);
  urdf_turn_meshes(&u);
  plan_start(&u);
  for (int i = 0; i < u.link_count && LOAD_OK(load); ++i) {
    add_body(&u, &u.links[u.order[i]]);
    urdf_add_shapes(&u, u.order[i], &shape);
  }
  add_mimics(&u);
  urdf_add_floor(&u);
  urdf_add_excludes(&u);
  urdf_add_servos(&u);
  urdf_add_keys(&u);
  if (LOAD_OK(load)) urdf_warn_unknown(&u);
  return assets_finish(load, &u.assets);
}
