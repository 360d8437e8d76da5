// SPDX-License-Identifier: Apache-2.0
// <custom> carries values that MJCF cannot express; MuJoCo accepts and ignores it. These are
// contact materials, restitution at joint limits, calibrated sensors, the contact model, joints
// that MJCF expresses by several joints, values that differ between the dofs of one joint, and the
// order of elements. MJCF_CUSTOM in mjcf_table.h lists the names. The section is read before the
// bodies. Its values are stored in the table of names until the geom, joint or sensor of the name
// is read. A value that no element has used at the end is a mistake.
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "io/mjcf.h"

static const struct {
  const char *element, *name, *meaning;
} customs[] = {
#define C(id, element, name, meaning) {element, name, meaning},
    MJCF_CUSTOM(C)
#undef C
};

typedef enum Custom {
#define C(id, element, name, meaning) CUSTOM_##id,
  MJCF_CUSTOM(C)
#undef C
      CUSTOM_COUNT
} Custom;

int heft_mjcf_custom_count(void) { return CUSTOM_COUNT; }

HeftStatus heft_mjcf_custom(int i, HeftMjcfCustom* out) {
  HEFT_REQUIRE(out && i >= 0 && i < CUSTOM_COUNT, HEFT_ERR_ARGUMENT);
  *out = (HeftMjcfCustom){customs[i].element, customs[i].name, customs[i].meaning};
  return HEFT_OK;
}

// The row of the table for an element; CUSTOM_COUNT: none. *rest is the name after the prefix.
static Custom custom_of(const XmlNode* node, const char** rest) {
  const char* name = xml_get(node, "name");
  for (Custom i = 0; name && i < CUSTOM_COUNT; ++i) {
    if (!xml_is(node, customs[i].element)) continue;
    const char* pattern = customs[i].name;
    const char* star = strstr(pattern, "NAME");
    const size_t length = star ? (size_t)(star - pattern) : strlen(pattern);
    if (strncmp(name, pattern, length) != 0 || (!star && name[length])) continue;
    *rest = name + length;
    return i;
  }
  return CUSTOM_COUNT;
}

// ---- numeric

static int need_name(Mjcf* m, const XmlNode* node, const char* rest) {
  if (rest[0]) return 1;
  load_fail(m->load, HEFT_ERR_VALUE, xml_attribute_place(node, "name"),
            "<%s name>: '%.80s' was found, expected it to end in a name", node->name,
            xml_get(node, "name"));
  return 0;
}

static int softness_fails(Mjcf* m, const Extra* extra, const char* expected) {
  load_fail(m->load, HEFT_ERR_VALUE, xml_attribute_place(extra->node, "data"),
            "<numeric data>: the softness of contact material '%.80s' has %s", extra->name,
            expected);
  return 0;
}

// The numbers of heft_soft_NAME and heft_area_NAME, which were read before. Returns 0 on an error.
static int add_softness(Mjcf* m, const char* name, double* x) {
  if (mj_name_find(m, OF_SOFT, name) >= 0) {
    const Extra* extra = mj_extra(m, OF_SOFT, name, 2);
    if (!extra) return 0;
    if (!(extra->x[0] > 0 && extra->x[1] >= 0))
      return softness_fails(m, extra, "a stiffness above 0 and a damping of 0 or more");
    memcpy(x + MATERIAL_SOFT, extra->x, 2 * sizeof *x);
  }
  if (mj_name_find(m, OF_AREA, name) >= 0) {
    const Extra* extra = mj_extra(m, OF_AREA, name, 4);
    if (!extra) return 0;
    const double* a = extra->x;
    if (!(a[0] > 0 && a[1] > 0 && a[2] >= 0 && (a[3] == 1 || a[3] == 0.5)))
      return softness_fails(m, extra,
                            "a modulus and a thickness above 0, a dissipation of 0 or more, and "
                            "the exponent 1 or 0.5");
    memcpy(x + MATERIAL_AREA, a, 4 * sizeof *x);
  }
  return 1;
}

static void read_material(Mjcf* m, const XmlNode* node, const char* rest) {
  const char* data = xml_get(node, "data");
  double x[MATERIAL_NUMBERS] = {0};
  const int count =
      xml_numbers(m->load, node, "data", data ? data : "", MATERIAL_FRICTION, MATERIAL_SLIP, x);
  if (count == 0) return;
  if (count != MATERIAL_FRICTION && count != MATERIAL_LAYER && count != MATERIAL_SLIP) {
    load_fail(m->load, HEFT_ERR_VALUE, xml_attribute_place(node, "data"),
              "<numeric data>: %d numbers were found; a contact material has 5 (friction and "
              "restitution), 8 (and a layer: stiffness, damping, thickness) or 10 (and Stribeck "
              "speed, viscous term)",
              count);
    return;
  }
  if (!(x[0] >= 0 && x[0] <= 100 && x[1] >= 0 && x[1] <= x[0] && x[2] >= 0 && x[3] >= 0 &&
        x[4] >= 0 && x[4] <= 1 && x[5] >= 0 && x[6] >= 0 && x[7] >= 0 && x[7] <= 1 && x[8] >= 0 &&
        x[9] >= 0 && x[9] <= 100)) {
    load_fail(
        m->load, HEFT_ERR_VALUE, xml_attribute_place(node, "data"),
        "<numeric data>: a contact material has static friction 0 to 100, kinetic friction up to "
        "that, torsion and rolling 0 or more, restitution 0 to 1, a layer of 0 or more and at most "
        "1 m, a Stribeck speed of 0 or more, a viscous term of 0 to 100 s/m");
    return;
  }
  if (!add_softness(m, rest, x)) return;
  mj_name_add(m, node, OF_CONTACT_MATERIAL, rest, mj_material(m, x, rest));
}

// Stores numbers for the joint, sensor or equality of that name.
static void keep_numbers(Mjcf* m, const XmlNode* node, int kind, const char* rest) {
  const char* data = xml_get(node, "data");
  Extra* extra = LOAD_ADD(m->load, &m->extras, Extra);
  if (!extra) return;
  *extra = (Extra){.node = node, .name = rest};
  extra->x = xml_number_list(m->load, node, "data", data ? data : "", &extra->count);
  mj_name_add(m, node, kind, rest, m->extras.count - 1);
}

const Extra* mj_extra(Mjcf* m, int kind, const char* name, int count) {
  const int i = name[0] ? mj_name_find(m, kind, name) : -1;
  if (i < 0) return NULL;
  Extra* extra = &GROW_AT(m->extras, Extra, i);
  extra->used = 1;
  if (extra->count == count) return extra;
  load_fail(m->load, HEFT_ERR_VALUE, xml_attribute_place(extra->node, "data"),
            "<numeric data>: %d numbers were found, '%.80s' needs %d", extra->count, name, count);
  return NULL;
}

// Error and number of pieces.
static int read_wish(Mjcf* m, const XmlNode* node, const double* x, int count, PieceWish* out) {
  if (count >= 1 && count <= 2 && x[0] >= 0 && x[0] <= 1e9 &&
      (count == 1 || (x[1] >= 1 && x[1] <= 1000 && x[1] == floor(x[1])))) {
    *out = (PieceWish){x[0], count == 2 ? (int)x[1] : 0};
    return 1;
  }
  load_fail(m->load, HEFT_ERR_VALUE, xml_attribute_place(node, "data"),
            "<numeric data>: expected a distance in metres, 0 or more, and optionally the largest "
            "number of pieces, 1 to 1000");
  return 0;
}

static void read_decompose_all(Mjcf* m, const XmlNode* node) {
  const char* data = xml_get(node, "data");
  int count = 0;
  const double* x = xml_number_list(m->load, node, "data", data ? data : "", &count);
  if (x) read_wish(m, node, x, count, &m->pieces);
}

PieceWish mj_piece_wish(Mjcf* m, const char* name) {
  const int i = name[0] ? mj_name_find(m, OF_DECOMPOSE, name) : -1;
  PieceWish wish = m->pieces;
  if (i < 0) return wish;
  Extra* extra = &GROW_AT(m->extras, Extra, i);
  extra->used = 1;
  read_wish(m, extra->node, extra->x, extra->count, &wish);
  return wish;
}

// ---- tuples

static void read_material_tuple(Mjcf* m, const XmlNode* node, const char* rest) {
  const int material = mj_name_find(m, OF_CONTACT_MATERIAL, rest);
  if (material < 0) {
    load_fail(m->load, HEFT_ERR_NAME, xml_attribute_place(node, "name"),
              "<tuple>: there is no <numeric> of the same name '%.80s' that describes the material",
              xml_get(node, "name"));
    return;
  }
  for (const XmlNode* n = xml_child(node, "element"); n && LOAD_OK(m->load);
       n = xml_next(n, "element")) {
    const char *type = xml_get(n, "objtype"), *name = xml_get(n, "objname");
    mj_check(m, n, MJCF_element);
    const int geom = type && strcmp(type, "geom") == 0, pair = type && strcmp(type, "pair") == 0;
    if ((!geom && !pair) || !name || !name[0]) {
      load_fail(m->load, HEFT_ERR_VALUE, xml_place(n),
                "<element>: expected objtype=\"geom\" or \"pair\" and the objname of one");
      return;
    }
    mj_name_add(m, n, geom ? OF_GEOM_MATERIAL : OF_PAIR_MATERIAL, name, material);
    CustomRef* ref = LOAD_ADD(m->load, &m->custom_refs, CustomRef);
    if (ref) *ref = (CustomRef){n, name, geom ? OF_GEOM : OF_PAIR};
  }
}

static void read_joint_tuple(Mjcf* m, const XmlNode* node, const char* rest, HeftJointType type) {
  JointGroup* group = LOAD_ADD(m->load, &m->joint_groups, JointGroup);
  if (!group) return;
  *group = (JointGroup){.type = type, .node = node, .name = rest};
  const int count = heft_joint_type_dof_count(type);
  for (const XmlNode* n = xml_child(node, "element"); n && LOAD_OK(m->load);
       n = xml_next(n, "element")) {
    const char *kind = xml_get(n, "objtype"), *name = xml_get(n, "objname");
    mj_check(m, n, MJCF_element);
    if (!kind || strcmp(kind, "joint") != 0 || !name || !name[0] || group->count == count) {
      load_fail(m->load, HEFT_ERR_VALUE, xml_place(n),
                "<element>: expected %d elements with objtype=\"joint\" and the objname of one",
                count);
      return;
    }
    mj_name_add(m, n, OF_JOINT_PART, name, 8 * (m->joint_groups.count - 1) + group->count);
    group->part[group->count++] = name;
  }
  if (LOAD_OK(m->load) && group->count != count)
    load_fail(m->load, HEFT_ERR_VALUE, xml_place(node),
              "<tuple>: %d joints were found, a %s joint is made of %d", group->count,
              heft_joint_type_name(type), count);
}

static void read_fixed_joint(Mjcf* m, const XmlNode* node, const char* rest) {
  const XmlNode* element = xml_child(node, "element");
  const char* kind = element ? xml_get(element, "objtype") : NULL;
  const char* body = element ? xml_get(element, "objname") : NULL;
  if (!kind || strcmp(kind, "body") != 0 || !body || xml_next(element, "element")) {
    load_fail(m->load, HEFT_ERR_VALUE, xml_place(node),
              "<tuple>: expected one element with objtype=\"body\" and the objname of one");
    return;
  }
  mj_check(m, element, MJCF_element);
  int before = 0;
  const char* prm = xml_get(element, "prm");
  if (prm && !xml_integers(m->load, element, "prm", prm, 1, 1, &before)) return;
  FixedJoint* joint = LOAD_ADD(m->load, &m->fixed_joints, FixedJoint);
  if (!joint) return;
  *joint = (FixedJoint){.node = node, .name = rest};
  mj_name_add(m, node, OF_FIXED, load_format(m->load, "%d|%s", before, body),
              m->fixed_joints.count - 1);
}

int mj_fixed_joints(Mjcf* m, const char* body_name, int body, int before) {
  int count = 0;
  while (m->fixed_joints.count > 0 && LOAD_OK(m->load)) {
    const int i =
        mj_name_find(m, OF_FIXED, load_format(m->load, "%d|%s", before + count, body_name));
    if (i < 0) break;
    FixedJoint* joint = &GROW_AT(m->fixed_joints, FixedJoint, i);
    if (joint->used) break;
    joint->used = 1;
    HeftJointDef def = heft_joint_def_default();
    def.type = HEFT_JOINT_FIXED;
    def.body = body;
    def.name = mj_model_name(joint->name);
    JointInfo* info = LOAD_ADD(m->load, &m->joints, JointInfo);
    if (!info) break;
    *info = (JointInfo){.type = def.type,
                        .body = body,
                        .q = m->nq,
                        .dof = m->nv,
                        .axis = def.axis,
                        .place = xml_place(joint->node)};
    mj_name_add(m, joint->node, OF_JOINT, joint->name,
                heft_builder_add_joint(m->load->builder, &def));
    ++count;
  }
  return count;
}

// ---- text

static void read_contact_model(Mjcf* m, const XmlNode* node) {
  const char* word = xml_get(node, "data");
  int good = word && word[0] && strlen(word) < 64;
  for (const char* c = word; good && *c; ++c)
    good = (*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9') || *c == '_' || *c == '-';
  if (good) {
    heft_builder_set_contact_model(m->load->builder, word);
  } else {
    load_fail(m->load, HEFT_ERR_VALUE, xml_place(node),
              "<text data>: '%.60s' was found, expected the name of a contact model, a word of "
              "small letters such as 'exact'",
              word ? word : "");
  }
}

static void keep_order(Mjcf* m, const XmlNode* node, const char* rest) {
  static const struct {
    const char* name;
    HeftNamed kind;
  } kinds[] = {{"body", HEFT_NAMED_BODY},
               {"geom", HEFT_NAMED_SHAPE},
               {"site", HEFT_NAMED_SITE},
               {"camera", HEFT_NAMED_CAMERA},
               {"light", HEFT_NAMED_LIGHT}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
    if (strcmp(kinds[i].name, rest) != 0) continue;
    CustomOrder* order = LOAD_ADD(m->load, &m->orders, CustomOrder);
    if (order) *order = (CustomOrder){node, kinds[i].kind};
    mj_name_add(m, node, OF_ORDER, rest, m->orders.count - 1);
    return;
  }
  load_fail(
      m->load, HEFT_ERR_VALUE, xml_attribute_place(node, "name"),
      "<text name>: an order of '%.60s' was found, expected body, geom, site, camera or light",
      rest);
}

static void apply_order(Mjcf* m, const CustomOrder* order) {
  const int count = heft_builder_count(m->load->builder, order->kind);
  const char* data = xml_get(order->node, "data");
  int given = 0;
  const double* x = xml_number_list(m->load, order->node, "data", data ? data : "", &given);
  int* to = load_take(m->load, (size_t)count, sizeof(int));
  char* taken = load_take(m->load, (size_t)count, 1);
  if (!x || !to || !taken) return;
  int good = given == count;
  for (int i = 0; i < count && good; ++i) {
    good = x[i] >= 0 && x[i] < count && x[i] == floor(x[i]) && !taken[(int)x[i]];
    if (!good) break;
    to[i] = (int)x[i];
    taken[to[i]] = 1;
  }
  if (order->kind == HEFT_NAMED_BODY) good = good && to[0] == 0;
  if (good) {
    heft_builder_reorder(m->load->builder, order->kind, to);
  } else {
    load_fail(m->load, HEFT_ERR_VALUE, xml_attribute_place(order->node, "data"),
              "<text data>: expected each number from 0 to %d once%s", count - 1,
              order->kind == HEFT_NAMED_BODY ? ", the world's 0 first" : "");
  }
}

// ---- the section

static void not_ours(Mjcf* m, const XmlNode* node) {
  const char* name = xml_get(node, "name");
  load_warn(m->load, xml_place(node), node->name, "<%.40s> '%.80s' is skipped", node->name,
            name ? name : "");
}

// Materials refer to their softness, and tuples to materials: they are read one after the other.
enum { PASS_SOFTNESS, PASS_OTHERS, PASS_TUPLES, PASSES };

static int pass_of(const XmlNode* node) {
  const char* rest = "";
  if (xml_is(node, "tuple")) return PASS_TUPLES;
  const Custom row = custom_of(node, &rest);
  return row == CUSTOM_soft || row == CUSTOM_area ? PASS_SOFTNESS : PASS_OTHERS;
}

static void read_custom_node(Mjcf* m, const XmlNode* node, int pass) {
  const int tuple = xml_is(node, "tuple"), numeric = xml_is(node, "numeric");
  if (pass_of(node) != pass) return;
  if (!tuple && !numeric && !xml_is(node, "text")) {
    mj_unknown_element(m, node);
    return;
  }
  mj_check(m, node, tuple ? MJCF_tuple : numeric ? MJCF_numeric : MJCF_text);
  const char* rest = "";
  const Custom row = custom_of(node, &rest);
  if (row == CUSTOM_COUNT) {
    not_ours(m, node);
    return;
  }
  if (row != CUSTOM_contact_model && row != CUSTOM_decompose_all && !need_name(m, node, rest))
    return;
  switch (row) {
    case CUSTOM_material:
      read_material(m, node, rest);
      break;
    case CUSTOM_soft:
      keep_numbers(m, node, OF_SOFT, rest);
      break;
    case CUSTOM_area:
      keep_numbers(m, node, OF_AREA, rest);
      break;
    case CUSTOM_sensor:
      keep_numbers(m, node, OF_CALIBRATION, rest);
      break;
    case CUSTOM_dofs:
      keep_numbers(m, node, OF_DOFS, rest);
      break;
    case CUSTOM_limit:
      keep_numbers(m, node, OF_LIMIT, rest);
      break;
    case CUSTOM_anchors:
      keep_numbers(m, node, OF_ANCHORS, rest);
      break;
    case CUSTOM_conveyor:
      keep_numbers(m, node, OF_CONVEYOR, rest);
      break;
    case CUSTOM_triangles:
      keep_numbers(m, node, OF_TRIANGLES, rest);
      break;
    case CUSTOM_decompose:
      keep_numbers(m, node, OF_DECOMPOSE, rest);
      break;
    case CUSTOM_decompose_all:
      read_decompose_all(m, node);
      break;
    case CUSTOM_motion:
      keep_numbers(m, node, OF_MOTION, rest);
      break;
    case CUSTOM_fill:
      keep_numbers(m, node, OF_FILL, rest);
      break;
    case CUSTOM_contact_model:
      read_contact_model(m, node);
      break;
    case CUSTOM_order:
      keep_order(m, node, rest);
      break;
    case CUSTOM_fixed:
      read_fixed_joint(m, node, rest);
      break;
    case CUSTOM_made_of:
      read_material_tuple(m, node, rest);
      break;
    case CUSTOM_planar:
      read_joint_tuple(m, node, rest, HEFT_JOINT_PLANAR);
      break;
    case CUSTOM_universal:
      read_joint_tuple(m, node, rest, HEFT_JOINT_UNIVERSAL);
      break;
    case CUSTOM_cylindrical:
      read_joint_tuple(m, node, rest, HEFT_JOINT_CYLINDRICAL);
      break;
    case CUSTOM_COUNT:
      break;
  }
}

void mj_read_custom(Mjcf* m, Unit* unit) {
  for (int pass = 0; pass < PASSES; ++pass) {
    for (const XmlNode* c = xml_child(unit->root, "custom"); c; c = xml_next(c, "custom")) {
      for (const XmlNode* n = c->child; n && LOAD_OK(m->load); n = n->next)
        read_custom_node(m, n, pass);
    }
  }
}

// Values that no element has used are mistakes. Then the order is applied, as all elements exist.
void mj_finish_custom(Mjcf* m) {
  for (int i = 0; i < m->extras.count && LOAD_OK(m->load); ++i) {
    const Extra* extra = &GROW_AT(m->extras, Extra, i);
    if (!extra->used)
      load_fail(m->load, HEFT_ERR_NAME, xml_attribute_place(extra->node, "name"),
                "<numeric>: there is no joint, sensor, equality, geom, mocap body or material "
                "'%.80s'; "
                "correct the name",
                extra->name);
  }
  for (int i = 0; i < m->joint_groups.count && LOAD_OK(m->load); ++i) {
    const JointGroup* group = &GROW_AT(m->joint_groups, JointGroup, i);
    if (!group->used)
      load_fail(m->load, HEFT_ERR_NAME, xml_place(group->node),
                "<tuple>: there is no joint '%.80s', which is its first element", group->part[0]);
  }
  for (int i = 0; i < m->fixed_joints.count && LOAD_OK(m->load); ++i) {
    const FixedJoint* joint = &GROW_AT(m->fixed_joints, FixedJoint, i);
    if (!joint->used)
      load_fail(m->load, HEFT_ERR_NAME, xml_place(joint->node),
                "<tuple>: the body of the fixed joint '%.80s' does not exist or has fewer joints "
                "than prm",
                joint->name);
  }
  for (int i = 0; i < m->custom_refs.count && LOAD_OK(m->load); ++i) {
    const CustomRef* ref = &GROW_AT(m->custom_refs, CustomRef, i);
    if (mj_name_find(m, ref->kind, ref->name) < 0)
      load_warn(m->load, xml_place(ref->node), "custom element",
                "<element>: there is no %s '%.80s'; its material is skipped",
                ref->kind == OF_GEOM ? "geom" : "pair", ref->name);
  }
  for (int i = 0; i < m->orders.count && LOAD_OK(m->load); ++i)
    apply_order(m, &GROW_AT(m->orders, CustomOrder, i));
}
