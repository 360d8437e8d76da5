// SPDX-License-Identifier: Apache-2.0
// The lists of links and joints, and their tree: parents first, children in the order of the file.
#include <string.h>

#include "io/urdf.h"

enum { LINK, JOINT };

int urdf_find_link(const Urdf* u, const char* name) {
  return name_table_index(&u->names, LINK, name);
}

int urdf_find_joint(const Urdf* u, const char* name) {
  return name_table_index(&u->names, JOINT, name);
}

static int joint_type(Urdf* u, const XmlNode* node, HeftJointType* out) {
  static const struct {
    const char* name;
    HeftJointType type;
  } types[] = {{"revolute", HEFT_JOINT_HINGE},  {"continuous", HEFT_JOINT_HINGE},
               {"prismatic", HEFT_JOINT_SLIDE}, {"fixed", HEFT_JOINT_FIXED},
               {"floating", HEFT_JOINT_FREE},   {"planar", HEFT_JOINT_PLANAR}};
  const char* text = urdf_need(u, node, "type");
  if (!text) return 0;
  for (size_t i = 0; i < sizeof types / sizeof *types; ++i) {
    if (strcmp(types[i].name, text) == 0) {
      *out = types[i].type;
      return 1;
    }
  }
  load_fail(u->load, HEFT_ERR_VALUE, xml_attribute_place(node, "type"),
            "<joint type>: '%.60s' was found, expected revolute, continuous, prismatic, fixed, "
            "floating or planar",
            text);
  return 0;
}

static const char* link_name(const void* from, int index) {
  return ((const Urdf*)from)->links[index].name;
}

HeftNames urdf_link_names(const Urdf* u) { return (HeftNames){link_name, u, u->link_count}; }

static const char* joint_name(const void* from, int index) {
  return ((const Urdf*)from)->joints[index].name;
}

HeftNames urdf_joint_names(const Urdf* u) { return (HeftNames){joint_name, u, u->joint_count}; }

static int read_joint_ends(Urdf* u, Joint* joint) {
  static const char* const ends[] = {"parent", "child"};
  int found[2] = {-1, -1};
  for (int e = 0; e < 2; ++e) {
    const XmlNode* end = urdf_need_child(u, joint->node, ends[e]);
    const char* name = end ? urdf_need(u, end, "link") : NULL;
    if (!name) return 0;
    found[e] = urdf_find_link(u, name);
    if (found[e] < 0) {
      char hint[200];
      load_fail(u->load, HEFT_ERR_NAME, xml_attribute_place(end, "link"),
                "joint '%.80s': there is no link named '%.80s'; %s", joint->name, name,
                heft_names_hint(urdf_link_names(u), name, hint, sizeof hint));
      return 0;
    }
  }
  joint->parent = found[0];
  joint->child = found[1];
  return 1;
}

// Appends the child link of a joint to the children of its parent.
static int hang(Urdf* u, int j) {
  Joint* joint = &u->joints[j];
  Link* child = &u->links[joint->child];
  if (child->parent_joint >= 0) {
    load_fail(
        u->load, HEFT_ERR_VALUE, xml_place(joint->node),
        "link '%.80s' is the child of joint '%.80s' and of joint '%.80s'; a link has one parent, "
        "loops are not part of URDF",
        child->name, u->joints[child->parent_joint].name, joint->name);
    return 0;
  }
  child->parent_joint = j;
  Link* parent = &u->links[joint->parent];
  *(parent->last_child >= 0 ? &u->joints[parent->last_child].next_sibling : &parent->first_child) =
      j;
  parent->last_child = j;
  return 1;
}

int urdf_collect_links(Urdf* u) {
  Load* load = u->load;
  for (const XmlNode* n = xml_child(u->robot, "link"); n; n = xml_next(n, "link")) ++u->link_count;
  for (const XmlNode* n = xml_child(u->robot, "joint"); n; n = xml_next(n, "joint"))
    ++u->joint_count;
  if (u->link_count == 0) {
    load_fail(load, HEFT_ERR_SYNTAX, xml_place(u->robot), "<robot> needs at least one <link>");
    return 0;
  }
  if (u->link_count > load->def->limits.bodies || u->joint_count > load->def->limits.bodies) {
    load_fail(
        load, HEFT_ERR_LIMIT, xml_place(u->robot),
        "the robot has %d links and %d joints, at most %d are allowed; raise the limit bodies",
        u->link_count, u->joint_count, load->def->limits.bodies);
    return 0;
  }
  u->links = load_take(load, (size_t)u->link_count, sizeof(Link));
  u->joints = load_take(load, (size_t)u->joint_count, sizeof(Joint));
  u->order = load_take(load, (size_t)u->link_count, sizeof(int));
  if (!LOAD_OK(load)) return 0;
  const int total = u->link_count;
  u->link_count = 0;
  for (const XmlNode* n = xml_child(u->robot, "link"); n; n = xml_next(n, "link")) {
    const char* name = urdf_need(u, n, "name");
    if (!name) return 0;
    if (urdf_find_link(u, name) >= 0) {
      load_fail(load, HEFT_ERR_NAME, xml_attribute_place(n, "name"),
                "two links are named '%.80s'; give each its own name", name);
      return 0;
    }
    if (!load_name(load, &u->names, (NameEntry){name, LINK, u->link_count, NULL})) return 0;
    u->links[u->link_count++] =
        (Link){.name = name, .node = n, .parent_joint = -1, .first_child = -1, .last_child = -1};
  }
  return u->link_count == total;
}

int urdf_collect_joints(Urdf* u) {
  u->joint_count = 0;
  for (const XmlNode* n = xml_child(u->robot, "joint"); n; n = xml_next(n, "joint")) {
    Joint joint = {.node = n, .next_sibling = -1, .index = -1};
    joint.name = urdf_need(u, n, "name");
    if (!joint.name || !joint_type(u, n, &joint.type) || !read_joint_ends(u, &joint)) return 0;
    if (urdf_find_joint(u, joint.name) >= 0) {
      load_fail(u->load, HEFT_ERR_NAME, xml_attribute_place(n, "name"),
                "two joints are named '%.80s'; give each its own name", joint.name);
      return 0;
    }
    if (!load_name(u->load, &u->names, (NameEntry){joint.name, JOINT, u->joint_count, NULL}))
      return 0;
    u->joints[u->joint_count++] = joint;
    if (!hang(u, u->joint_count - 1)) return 0;
  }
  return 1;
}

int urdf_find_root(Urdf* u) {
  int root = -1;
  for (int i = 0; i < u->link_count; ++i) {
    if (u->links[i].parent_joint >= 0) continue;
    if (root >= 0) {
      load_fail(u->load, HEFT_ERR_VALUE, xml_place(u->links[i].node),
                "links '%.80s' and '%.80s' both have no parent; a robot has one root link",
                u->links[root].name, u->links[i].name);
      return -1;
    }
    root = i;
  }
  if (root < 0)
    load_fail(
        u->load, HEFT_ERR_VALUE, xml_place(u->robot),
        "every link is the child of a joint: the joints form a loop and there is no root link");
  return root;
}

// Parents before children, children in the order of the file; without recursion, for long chains.
int urdf_sort_links(Urdf* u, int root) {
  int count = 0, link = root;
  for (;;) {
    u->links[link].visited = 1;
    u->order[count++] = link;
    int joint = u->links[link].first_child;
    while (joint < 0 && link != root) {
      const int up = u->links[link].parent_joint;
      joint = u->joints[up].next_sibling;
      link = u->joints[up].parent;
    }
    if (joint < 0) break;
    link = u->joints[joint].child;
  }
  if (count == u->link_count) return 1;
  for (int i = 0; i < u->link_count; ++i) {
    if (u->links[i].visited) continue;
    load_fail(u->load, HEFT_ERR_VALUE, xml_place(u->links[i].node),
              "link '%.80s' is not connected to the root link '%.80s'; its joints form a loop",
              u->links[i].name, u->links[root].name);
    break;
  }
  return 0;
}
