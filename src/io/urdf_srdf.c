// SPDX-License-Identifier: Apache-2.0
// SRDF, the file beside a URDF that names poses of its joints and pairs of links that do not
// collide:
//
//   <group_state name="ready" group="arm"><joint name="elbow" value="-1.5"/></group_state>
//   <disable_collisions link1="hand" link2="wrist" reason="Adjacent"/>
//
// Pairs may also come from HeftLoadDef.urdf_excludes. A state becomes a keyframe; states of the
// same name in several groups become one. Joints that a state does not name are as in "home". Other
// elements are for planners and are skipped.
#include <string.h>

#include "io/urdf.h"
#include "model/joint_kind.h"

static Pose* find_pose(Urdf* u, const char* name) {
  for (int i = 0; i < u->poses.count; ++i) {
    Pose* pose = &GROW_AT(u->poses, Pose, i);
    if (strcmp(pose->name, name) == 0) return pose;
  }
  return NULL;
}

static void fail_name(Urdf* u, const XmlNode* node, const char* attribute, const char* kind,
                      const char* name, HeftNames names) {
  char hint[200];
  load_fail(u->load, HEFT_ERR_NAME, xml_attribute_place(node, attribute),
            "the URDF has no %s named '%.80s'; %s", kind, name,
            heft_names_hint(names, name, hint, sizeof hint));
}

static void read_state(Urdf* u, const XmlNode* node) {
  const char* name = urdf_need(u, node, "name");
  Pose* pose = name ? find_pose(u, name) : NULL;
  if (name && !pose) {
    pose = urdf_add_home(u);
    if (pose) pose->name = name;
  }
  if (!pose) return;
  for (const XmlNode* n = xml_child(node, "joint"); n && LOAD_OK(u->load);
       n = xml_next(n, "joint")) {
    const char* joint = urdf_need(u, n, "name");
    const int j = joint ? urdf_find_joint(u, joint) : -1;
    if (joint && j < 0) fail_name(u, n, "name", "joint", joint, urdf_joint_names(u));
    if (j < 0) return;
    if (joint_is_scalar(u->joints[j].type)) pose->q[j] = urdf_need_number(u, n, "value");
  }
}

static void read_pair(Urdf* u, const XmlNode* node) {
  static const char* const ends[] = {"link1", "link2"};
  int* pair = load_grow(u->load, &u->excluded, 2 * sizeof(int));
  for (int e = 0; e < 2 && pair; ++e) {
    const char* name = urdf_need(u, node, ends[e]);
    pair[e] = name ? urdf_find_link(u, name) : -1;
    if (name && pair[e] < 0) fail_name(u, node, ends[e], "link", name, urdf_link_names(u));
    if (pair[e] < 0) return;
  }
}

void urdf_read_srdf(Urdf* u) {
  Load* load = u->load;
  if (!load->def->srdf || !LOAD_OK(load)) return;
  const SourceFile* file = load_read(load, (Place){0}, NULL, NULL, load->def->srdf);
  const XmlNode* robot = file ? xml_parse(load, file) : NULL;
  if (!robot) return;
  if (!xml_is(robot, "robot")) {
    load_fail(load, HEFT_ERR_SYNTAX, xml_place(robot), "<%.40s> was found, expected <robot>",
              robot->name);
    return;
  }
  for (const XmlNode* n = robot->child; n && LOAD_OK(load); n = n->next) {
    if (xml_is(n, "group_state")) read_state(u, n);
    if (xml_is(n, "disable_collisions")) read_pair(u, n);
  }
}

void urdf_read_excludes(Urdf* u) {
  const HeftLoadDef* def = u->load->def;
  for (int i = 0; i < def->urdf_exclude_count && LOAD_OK(u->load); ++i) {
    int* pair = load_grow(u->load, &u->excluded, 2 * sizeof(int));
    for (int e = 0; e < 2 && pair && LOAD_OK(u->load); ++e) {
      const char* name = def->urdf_excludes[i].link[e];
      pair[e] = urdf_find_link(u, name);
      if (pair[e] < 0) fail_name(u, u->robot, "", "link", name, urdf_link_names(u));
    }
  }
}

void urdf_add_excludes(Urdf* u) {
  for (int i = 0; i < u->excluded.count && LOAD_OK(u->load); ++i) {
    const int* pair = (const int*)u->excluded.items + 2L * i;
    HeftExcludeDef def = heft_exclude_def_default();
    def.body[0] = u->links[pair[0]].body;
    def.body[1] = u->links[pair[1]].body;
    if (def.body[0] != def.body[1]) heft_builder_add_exclude(u->load->builder, &def);
  }
}
