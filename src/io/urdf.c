// SPDX-License-Identifier: Apache-2.0
// URDF. A robot is a list of links and of joints between them; here they become a tree of bodies,
// parents first, children in the order of the file.
//
// - The root link hangs on the world: welded, or by a free joint (HeftLoadDef.base). A root link
//   named "world" is the world itself.
// - A joint's frame is its child link's frame, so anchors are zero and axes are the link's own.
// - mimic becomes an equality of two joints; effort limits the force of all actuators at a joint.
// - What stands in gazebo, transmission and the like is for other programs and is told as a
//   warning.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/assets.h"
#include "io/readers.h"
#include "io/xml.h"

typedef struct Link {
  const char* name;
  const XmlNode* node;
  int parent_joint;  ///< index, or -1 for the root
  int first_child;   ///< joint, or -1
  int body;          ///< in the builder
  double tree_mass;  ///< with everything below it
  int visited;
} Link;

typedef struct Joint {
  const char* name;
  const XmlNode* node;
  HeftJointType type;
  int parent, child;  ///< links
  int next_sibling;   ///< joint of the same parent, or -1
  int index;          ///< in the builder, or -1
} Joint;

typedef struct Urdf {
  Load* load;
  const XmlNode* robot;
  Assets assets;
  Link* links;
  Joint* joints;
  int link_count, joint_count;
  int* order;  ///< links, parents first
} Urdf;

// ---- small readers

static const XmlNode* need_child(Urdf* u, const XmlNode* node, const char* name) {
  const XmlNode* child = xml_child(node, name);
  if (!child)
    load_fail(u->load, HEFT_ERR_SYNTAX, xml_place(node), "<%.40s> needs a <%s> inside", node->name,
              name);
  return child;
}

static const char* need(Urdf* u, const XmlNode* node, const char* attribute) {
  const char* value = xml_get(node, attribute);
  if (!value)
    load_fail(u->load, HEFT_ERR_SYNTAX, xml_place(node), "<%.40s> needs the attribute '%s'",
              node->name, attribute);
  return value;
}

static int read_numbers(Urdf* u, const XmlNode* node, const char* attribute, int count,
                        double* out) {
  const char* text = node ? xml_get(node, attribute) : NULL;
  return text ? xml_numbers(u->load, node, attribute, text, count, count, out) : 0;
}

static double read_number(Urdf* u, const XmlNode* node, const char* attribute, double fallback) {
  double x = fallback;
  read_numbers(u, node, attribute, 1, &x);
  return x;
}

static double need_number(Urdf* u, const XmlNode* node, const char* attribute) {
  double x = 0;
  if (need(u, node, attribute)) read_numbers(u, node, attribute, 1, &x);
  return x;
}

static HeftQuat from_rpy(const double rpy[3]) {
  const HeftQuat r = heft_quat_from_axis_angle(heft_vec3(1, 0, 0), rpy[0]),
                 p = heft_quat_from_axis_angle(heft_vec3(0, 1, 0), rpy[1]),
                 y = heft_quat_from_axis_angle(heft_vec3(0, 0, 1), rpy[2]);
  return heft_quat_mul(y, heft_quat_mul(p, r));
}

// <origin xyz rpy> of a node; both are zero where they are missing.
static void read_origin(Urdf* u, const XmlNode* node, HeftVec3* pos, HeftQuat* quat) {
  double xyz[3] = {0}, rpy[3] = {0};
  const XmlNode* origin = xml_child(node, "origin");
  read_numbers(u, origin, "xyz", 3, xyz);
  read_numbers(u, origin, "rpy", 3, rpy);
  *pos = heft_vec3(xyz[0], xyz[1], xyz[2]);
  *quat = from_rpy(rpy);
}

// ---- the lists of links and joints

static int find_link(const Urdf* u, const char* name) {
  for (int i = 0; i < u->link_count; ++i) {
    if (strcmp(u->links[i].name, name) == 0) return i;
  }
  return -1;
}

static int find_joint(const Urdf* u, const char* name) {
  for (int i = 0; i < u->joint_count; ++i) {
    if (strcmp(u->joints[i].name, name) == 0) return i;
  }
  return -1;
}

static int joint_type(Urdf* u, const XmlNode* node, HeftJointType* out) {
  static const struct {
    const char* name;
    HeftJointType type;
  } types[] = {{"revolute", HEFT_JOINT_HINGE},  {"continuous", HEFT_JOINT_HINGE},
               {"prismatic", HEFT_JOINT_SLIDE}, {"fixed", HEFT_JOINT_FIXED},
               {"floating", HEFT_JOINT_FREE},   {"planar", HEFT_JOINT_PLANAR}};
  const char* text = need(u, node, "type");
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

static int read_joint_ends(Urdf* u, Joint* joint) {
  static const char* const ends[] = {"parent", "child"};
  int found[2] = {-1, -1};
  for (int e = 0; e < 2; ++e) {
    const XmlNode* end = need_child(u, joint->node, ends[e]);
    const char* name = end ? need(u, end, "link") : NULL;
    if (!name) return 0;
    found[e] = find_link(u, name);
    if (found[e] < 0) {
      load_fail(u->load, HEFT_ERR_NAME, xml_attribute_place(end, "link"),
                "joint '%.80s': there is no link named '%.80s'", joint->name, name);
      return 0;
    }
  }
  joint->parent = found[0];
  joint->child = found[1];
  return 1;
}

// Hangs a joint's child under its parent, at the end of the parent's children.
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
  int* slot = &u->links[joint->parent].first_child;
  while (*slot >= 0) slot = &u->joints[*slot].next_sibling;
  *slot = j;
  return 1;
}

static int collect_links(Urdf* u) {
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
    const char* name = need(u, n, "name");
    if (!name) return 0;
    if (find_link(u, name) >= 0) {
      load_fail(load, HEFT_ERR_NAME, xml_attribute_place(n, "name"),
                "two links are named '%.80s'; give each its own name", name);
      return 0;
    }
    u->links[u->link_count++] =
        (Link){.name = name, .node = n, .parent_joint = -1, .first_child = -1};
  }
  return u->link_count == total;
}

static int collect_joints(Urdf* u) {
  u->joint_count = 0;
  for (const XmlNode* n = xml_child(u->robot, "joint"); n; n = xml_next(n, "joint")) {
    Joint joint = {.node = n, .next_sibling = -1, .index = -1};
    joint.name = need(u, n, "name");
    if (!joint.name || !joint_type(u, n, &joint.type) || !read_joint_ends(u, &joint)) return 0;
    if (find_joint(u, joint.name) >= 0) {
      load_fail(u->load, HEFT_ERR_NAME, xml_attribute_place(n, "name"),
                "two joints are named '%.80s'; give each its own name", joint.name);
      return 0;
    }
    u->joints[u->joint_count++] = joint;
    if (!hang(u, u->joint_count - 1)) return 0;
  }
  return 1;
}

static int find_root(Urdf* u) {
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
static int sort_links(Urdf* u, int root) {
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
              "link '%.80s' does not hang on the root link '%.80s'; its joints form a loop",
              u->links[i].name, u->links[root].name);
    break;
  }
  return 0;
}

// ---- inertia

static HeftSym3 read_moment(Urdf* u, const XmlNode* node) {
  return (HeftSym3){need_number(u, node, "ixx"),    need_number(u, node, "iyy"),
                    need_number(u, node, "izz"),    read_number(u, node, "ixy", 0),
                    read_number(u, node, "ixz", 0), read_number(u, node, "iyz", 0)};
}

static int is_zero(HeftSym3 m) {
  static const double least = 1e-18;  // [kg m²]
  return fabs(m.xx) < least && fabs(m.yy) < least && fabs(m.zz) < least && fabs(m.xy) < least &&
         fabs(m.xz) < least && fabs(m.yz) < least;
}

// Says no with the place in the file, before the model's judge would say it without.
static void check_moment(Urdf* u, const Link* link, const XmlNode* node, HeftSym3 moment) {
  HeftVec3 e;
  HeftMat3 axes;
  heft_sym3_eigen(moment, &e, &axes);
  const double slack = 1e-6 * fabs(e.x) + 1e-18;
  if (e.z < -slack) {
    load_fail(u->load, HEFT_ERR_VALUE, xml_place(node),
              "link '%.80s': principal moments of inertia %g, %g, %g kg m² were found, none may be "
              "negative",
              link->name, e.x, e.y, e.z);
  } else if (e.x > e.y + e.z + slack) {
    load_warn(u->load, xml_place(node), "unphysical inertia",
              "link '%.80s': principal moments of inertia %g, %g, %g kg m² are not those of any "
              "matter (one is larger than the sum of the others); taken as all equal to their mean",
              link->name, e.x, e.y, e.z);
  }
}

static HeftSym3 physical_moment(HeftSym3 moment) {
  HeftVec3 e;
  HeftMat3 axes;
  heft_sym3_eigen(moment, &e, &axes);
  if (e.x <= e.y + e.z + 1e-6 * fabs(e.x) + 1e-18) return moment;
  const double mean = (e.x + e.y + e.z) / 3;
  return (HeftSym3){mean, mean, mean, 0, 0, 0};
}

static void read_inertial(Urdf* u, const Link* link, HeftBodyDef* body) {
  const XmlNode* inertial = xml_child(link->node, "inertial");
  if (!inertial) return;
  const XmlNode *mass = need_child(u, inertial, "mass"),
                *inertia = need_child(u, inertial, "inertia");
  if (!mass || !inertia) return;
  read_origin(u, inertial, &body->com, &body->inertia_quat);
  body->mass = need_number(u, mass, "value");
  body->moment = read_moment(u, inertia);
  if (!LOAD_OK(u->load)) return;
  if (body->mass < 0) {
    load_fail(u->load, HEFT_ERR_VALUE, xml_attribute_place(mass, "value"),
              "link '%.80s': a mass of %g kg was found, expected 0 or more", link->name,
              body->mass);
  } else if (body->mass == 0 && !is_zero(body->moment)) {
    load_warn(u->load, xml_place(inertia), "inertia without mass",
              "link '%.80s' has moments of inertia but no mass; its moments are taken as they are",
              link->name);
  }
  check_moment(u, link, inertia, body->moment);
  body->moment = physical_moment(body->moment);
}

// A joint must move something. What a file gives too little of is replaced, and said.
static void fill_missing_inertia(Urdf* u, const Link* link, int moves, HeftBodyDef* body) {
  static const double mass = 1e-3, radius = 0.01;
  const int has_inertial = xml_child(link->node, "inertial") != NULL;
  const Place place = xml_place(link->node);
  if (moves && link->tree_mass <= 0) {
    load_warn(
        u->load, place, "no mass",
        "link '%.80s' moves but neither it nor anything on it has mass; taken as a ball of %g kg "
        "and %g m radius",
        link->name, mass, radius);
    body->mass = mass;
    body->com = heft_vec3(0, 0, 0);
  } else if (!has_inertial) {
    load_warn(u->load, place, "no inertial", "link '%.80s' has no <inertial>; taken as massless",
              link->name);
    return;
  }
  if (!moves || body->mass == 0 || !is_zero(body->moment)) return;
  if (has_inertial && link->tree_mass > 0)
    load_warn(u->load, place, "no moments",
              "link '%.80s' has mass but no moments of inertia; taken as those of a ball of %g m "
              "radius",
              link->name, radius);
  const double i = 0.4 * body->mass * radius * radius;
  body->moment = (HeftSym3){i, i, i, 0, 0, 0};
}

static void sum_tree_mass(Urdf* u) {
  for (int i = u->link_count - 1; i >= 0; --i) {
    Link* link = &u->links[u->order[i]];
    const XmlNode* inertial = xml_child(link->node, "inertial");
    const XmlNode* mass = inertial ? xml_child(inertial, "mass") : NULL;
    if (mass) link->tree_mass += fmax(0, read_number(u, mass, "value", 0));
    if (link->parent_joint >= 0)
      u->links[u->joints[link->parent_joint].parent].tree_mass += link->tree_mass;
  }
}

// ---- shapes

static void read_color(Urdf* u, const XmlNode* visual, double color[4]) {
  const XmlNode* material = xml_child(visual, "material");
  if (!material) return;
  const char* name = xml_get(material, "name");
  const XmlNode* source = material;
  if (!xml_child(material, "color") && name && name[0]) {  // defined once, used by name
    for (const XmlNode* m = xml_child(u->robot, "material"); m; m = xml_next(m, "material")) {
      const char* known = xml_get(m, "name");
      if (known && strcmp(known, name) == 0) source = m;
    }
  }
  const XmlNode* rgba = xml_child(source, "color");
  if (rgba) read_numbers(u, rgba, "rgba", 4, color);
  const XmlNode* texture = xml_child(source, "texture");
  if (texture)
    load_warn(u->load, xml_place(texture), "urdf texture",
              "<texture> of a material is not shown; URDF surfaces have a colour only");
}

static int ends_with(const char* text, const char* ending) {
  const size_t a = strlen(text), b = strlen(ending);
  if (a < b) return 0;
  for (size_t i = 0; i < b; ++i) {
    const char c = text[a - b + i];
    if ((c >= 'A' && c <= 'Z' ? c + 32 : c) != ending[i]) return 0;
  }
  return 1;
}

// The mesh's index; -1 if it is skipped with a warning, or after a mistake.
static int read_mesh(Urdf* u, const XmlNode* node, int collides) {
  Load* load = u->load;
  const char* file_name = need(u, node, "filename");
  double scale[3] = {1, 1, 1};
  read_numbers(u, node, "scale", 3, scale);
  if (!file_name || !LOAD_OK(load)) return -1;
  const Place place = xml_attribute_place(node, "filename");
  if (ends_with(file_name, ".dae") || ends_with(file_name, ".glb") ||
      ends_with(file_name, ".gltf")) {
    load_warn(load, place, collides ? "dae collision" : "dae visual",
              "'%.150s': Collada and glTF meshes are not read, the %s is left out; make an OBJ of "
              "it with "
              "'heft convert' and name that",
              file_name, collides ? "collision shape" : "visual shape");
    return -1;
  }
  const char* source =
      load_format(load, "%s|%.17g|%.17g|%.17g", file_name, scale[0], scale[1], scale[2]);
  int index = assets_find_source(&u->assets, source);
  if (index < 0) {
    const SourceFile* file = load_read(load, place, place.file, NULL, file_name);
    MeshAsset asset = {.source = source, .place = place};
    if (!file || !mesh_read(load, place, file, &asset.mesh)) return -1;
    mesh_scale(&asset.mesh, scale);
    const char* base = assets_base_name(load, file_name);
    asset.name = base;
    for (int n = 2; assets_find_mesh(&u->assets, asset.name) >= 0 && LOAD_OK(load); ++n)
      asset.name = load_format(load, "%s_%d", base, n);
    index = assets_add_mesh(load, &u->assets, &asset);
  }
  if (index >= 0 && collides) assets_mesh(&u->assets, index)->collides = 1;
  return index;
}

static double need_positive(Urdf* u, const XmlNode* node, const char* attribute) {
  const double x = need_number(u, node, attribute);
  if (LOAD_OK(u->load) && !(x > 0))
    load_fail(u->load, HEFT_ERR_VALUE, xml_attribute_place(node, attribute),
              "<%.40s %s>: %g was found, expected a positive length", node->name, attribute, x);
  return x;
}

// 0 if the shape is left out.
static int read_geometry(Urdf* u, const XmlNode* node, int collides, HeftShapeDef* shape) {
  const XmlNode* geometry = need_child(u, node, "geometry");
  if (!geometry) return 0;
  const XmlNode* kind = xml_child(geometry, NULL);
  if (!kind) {
    load_fail(u->load, HEFT_ERR_SYNTAX, xml_place(geometry),
              "<geometry> is empty, expected box, cylinder, sphere, capsule or mesh");
    return 0;
  }
  if (xml_is(kind, "box")) {
    double size[3] = {0};
    if (need(u, kind, "size")) read_numbers(u, kind, "size", 3, size);
    shape->type = HEFT_SHAPE_BOX;
    for (int i = 0; i < 3; ++i) shape->size[i] = size[i] / 2;
    if (LOAD_OK(u->load) && !(size[0] > 0 && size[1] > 0 && size[2] > 0))
      load_fail(u->load, HEFT_ERR_VALUE, xml_attribute_place(kind, "size"),
                "<box size>: %g %g %g was found, expected three positive lengths", size[0], size[1],
                size[2]);
  } else if (xml_is(kind, "sphere")) {
    shape->type = HEFT_SHAPE_SPHERE;
    shape->size[0] = need_positive(u, kind, "radius");
  } else if (xml_is(kind, "cylinder") || xml_is(kind, "capsule")) {
    shape->type = xml_is(kind, "capsule") ? HEFT_SHAPE_CAPSULE : HEFT_SHAPE_CYLINDER;
    shape->size[0] = need_positive(u, kind, "radius");
    shape->size[1] = need_positive(u, kind, "length") / 2;
  } else if (xml_is(kind, "mesh")) {
    shape->type = HEFT_SHAPE_MESH;
    shape->mesh = read_mesh(u, kind, collides);
    return shape->mesh >= 0;
  } else {
    load_fail(u->load, HEFT_ERR_VALUE, xml_place(kind),
              "<%.60s> was found in <geometry>, expected box, cylinder, sphere, capsule or mesh",
              kind->name);
    return 0;
  }
  return LOAD_OK(u->load);
}

static void read_shapes(Urdf* u, const Link* link, const char* kind, int collides) {
  for (const XmlNode* n = xml_child(link->node, kind); n && LOAD_OK(u->load);
       n = xml_next(n, kind)) {
    HeftShapeDef shape = heft_shape_def_default();
    shape.body = link->body;
    shape.group = collides ? 3 : 2;
    shape.category = shape.collides = collides;
    read_origin(u, n, &shape.pos, &shape.quat);
    if (!collides) read_color(u, n, shape.color);
    if (read_geometry(u, n, collides, &shape)) heft_builder_add_shape(u->load->builder, &shape);
  }
}

// ---- bodies and joints

// URDF asks for limits where there may be none; this much means none.
static const double no_limit = 1e9;

static void set_limits(Urdf* u, const Joint* joint, HeftJointDef* def) {
  const XmlNode* limit = xml_child(joint->node, "limit");
  const int needs =
      joint->type == HEFT_JOINT_SLIDE ||
      (joint->type == HEFT_JOINT_HINGE && strcmp(xml_get(joint->node, "type"), "continuous") != 0);
  if (!limit) {
    if (needs)
      load_warn(u->load, xml_place(joint->node), "no limit",
                "joint '%.80s' has no <limit>, which URDF asks for; taken as unlimited",
                joint->name);
    return;
  }
  const double lower = read_number(u, limit, "lower", 0), upper = read_number(u, limit, "upper", 0);
  const double effort = read_number(u, limit, "effort", 0);
  if (needs && lower > upper) {
    load_fail(u->load, HEFT_ERR_VALUE, xml_place(limit),
              "joint '%.80s': limits from %g to %g were found, expected lower to upper",
              joint->name, lower, upper);
  } else if (needs && (lower > -no_limit || upper < no_limit)) {
    def->limited[0] = 1;
    def->range[0][0] = lower;
    def->range[0][1] = upper;
  }
  if (effort > 0 && effort < no_limit) {
    def->force_limited = 1;
    def->force_range[0] = -effort;
    def->force_range[1] = effort;
  }
  if (xml_get(limit, "velocity") && read_number(u, limit, "velocity", 0) < no_limit)
    load_warn(
        u->load, xml_attribute_place(limit, "velocity"), "velocity limit",
        "<limit velocity> is not taken over: it is a wish to controllers, not a law of physics");
}

static void read_axis(Urdf* u, const Joint* joint, HeftJointDef* def) {
  double axis[3] = {1, 0, 0};
  const XmlNode* node = xml_child(joint->node, "axis");
  if (node) read_numbers(u, node, "xyz", 3, axis);
  const HeftVec3 a = heft_vec3(axis[0], axis[1], axis[2]);
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
                "joint '%.80s': a floating joint must hang on a root link named 'world'",
                joint->name);
      return;
    }
  } else {
    read_axis(u, joint, &def);
    set_limits(u, joint, &def);
    const XmlNode* dynamics = xml_child(joint->node, "dynamics");
    const double damping = read_number(u, dynamics, "damping", 0),
                 friction = read_number(u, dynamics, "friction", 0);
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
    read_origin(u, joint->node, &body.pos, &body.quat);
  }
  read_inertial(u, link, &body);
  if (!joint && strcmp(link->name, "world") == 0) {
    link->body = 0;
    if (body.mass > 0)
      load_warn(u->load, xml_place(link->node), NULL,
                "the root link 'world' is the world itself, its inertia does not count");
    return;
  }
  const int moves = floating || (joint && joint->type != HEFT_JOINT_FIXED);
  fill_missing_inertia(u, link, moves, &body);
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

static int is_scalar(HeftJointType type) {
  return type == HEFT_JOINT_HINGE || type == HEFT_JOINT_SLIDE;
}

static void add_mimics(Urdf* u) {
  for (int j = 0; j < u->joint_count && LOAD_OK(u->load); ++j) {
    const Joint* joint = &u->joints[j];
    const XmlNode* mimic = xml_child(joint->node, "mimic");
    if (!mimic) continue;
    const char* name = need(u, mimic, "joint");
    const int other = name ? find_joint(u, name) : -1;
    if (name && other < 0)
      load_fail(u->load, HEFT_ERR_NAME, xml_attribute_place(mimic, "joint"),
                "joint '%.80s' mimics '%.80s', which does not exist", joint->name, name);
    if (other < 0) return;
    if (other == j || !is_scalar(joint->type) || u->joints[other].type > HEFT_JOINT_SLIDE) {
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
    def.poly[0] = read_number(u, mimic, "offset", 0);
    def.poly[1] = read_number(u, mimic, "multiplier", 1);
    heft_builder_add_equality(u->load->builder, &def);
  }
}

// ---- what is not taken over

static int is_one_of(const char* name, const char* const* list) {
  for (; *list; ++list) {
    if (strcmp(name, *list) == 0) return 1;
  }
  return 0;
}

static void warn_unknown(Urdf* u, const XmlNode* node, const char* const* known) {
  for (const XmlNode* n = node->child; n; n = n->next) {
    if (is_one_of(n->name, known)) continue;
    load_warn(u->load, xml_place(n),
              load_format(u->load, "urdf %.80s in %.80s", n->name, node->name),
              "<%.80s> in <%.80s> is not taken over", n->name, node->name);
  }
}

static void warn_about_the_rest(Urdf* u) {
  static const char* const of_robot[] = {"link", "joint", "material", NULL};
  static const char* const of_link[] = {"inertial", "visual", "collision", NULL};
  static const char* const of_joint[] = {"origin", "parent",   "child", "axis",
                                         "limit",  "dynamics", "mimic", NULL};
  warn_unknown(u, u->robot, of_robot);
  for (int i = 0; i < u->link_count; ++i) warn_unknown(u, u->links[i].node, of_link);
  for (int j = 0; j < u->joint_count; ++j) warn_unknown(u, u->joints[j].node, of_joint);
}

HeftStatus load_urdf(Load* load, const SourceFile* file) {
  Urdf u = {.load = load, .robot = xml_parse(load, file)};
  if (!u.robot) return load->status;
  if (!collect_links(&u) || !collect_joints(&u)) return load->status;
  const int root = find_root(&u);
  if (root < 0 || !sort_links(&u, root)) return load->status;
  sum_tree_mass(&u);
  for (int i = 0; i < u.link_count && LOAD_OK(load); ++i) {
    Link* link = &u.links[u.order[i]];
    add_body(&u, link);
    read_shapes(&u, link, "visual", 0);
    read_shapes(&u, link, "collision", 1);
    if (load->def->progress)
      load->def->progress(load->def->user, 0.5 * i / u.link_count, link->name);
  }
  add_mimics(&u);
  if (LOAD_OK(load)) warn_about_the_rest(&u);
  return assets_finish(load, &u.assets);
}
