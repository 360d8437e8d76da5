// SPDX-License-Identifier: Apache-2.0
// Values of MJCF attributes: from the element, from its default class, from the table.
#include <math.h>
#include <string.h>

#include "base/decimal.h"
#include "io/mjcf.h"

// Operations for a look at an element of a class.
enum { WORK_OF_LOOK = 20 };

// The text of an attribute of a node. Numbers that are none, as in rgba="", count as not given, as
// they do for MuJoCo.
static const char* text_of(const XmlNode* node, const MjcfAttribute* a) {
  const char* text = xml_get(node, a->name);
  return text && a->max > 0 && text[strspn(text, " \t\r\n")] == '\0' ? NULL : text;
}

static const char* find_in_class(Mjcf* m, const Item* item, MjcfKey key, const XmlNode** where) {
  const MjcfAttribute* a = &mjcf_attributes[key];
  int looks = 0;
  const char* text = NULL;
  for (const Class* class = item->class; class && !text; class = class->parent) {
    looks += 1 + class->nodes.count;
    for (int i = class->nodes.count - 1; i >= 0 && !text; --i) {
      const XmlNode* node = GROW_AT(class->nodes, const XmlNode*, i);
      if (!mjcf_same_default(node->name, a->element)) continue;
      text = text_of(node, a);
      if (text) *where = node;
    }
  }
  load_work(m->load, xml_place(item->node), WORK_OF_LOOK * (double)looks);
  return text;
}

static const char* find_given(Mjcf* m, const Item* item, MjcfKey key, const XmlNode** where) {
  const char* text = text_of(item->node, &mjcf_attributes[key]);
  *where = item->node;
  return text || !LOAD_OK(m->load) ? text : find_in_class(m, item, key, where);
}

const char* mj_text(Mjcf* m, const Item* item, MjcfKey key, const XmlNode** where) {
  const XmlNode* found = item->node;
  const char* text = find_given(m, item, key, &found);
  if (where) *where = found;
  return text ? text : mjcf_attributes[key].fallback;
}

int mj_given(Mjcf* m, const Item* item, MjcfKey key) {
  const XmlNode* where;
  return find_given(m, item, key, &where) != NULL;
}

Place mj_place(Mjcf* m, const Item* item, MjcfKey key) {
  const XmlNode* where;
  mj_text(m, item, key, &where);
  return xml_attribute_place(where, mjcf_attributes[key].name);
}

int mj_reals(Mjcf* m, const Item* item, MjcfKey key, double* out) {
  const MjcfAttribute* a = &mjcf_attributes[key];
  const XmlNode* where;
  const char* text = mj_text(m, item, key, &where);
  return text ? xml_numbers(m->load, where, a->name, text, a->min, a->max, out) : 0;
}

double mj_real(Mjcf* m, const Item* item, MjcfKey key) {
  double x[10] = {0};
  mj_reals(m, item, key, x);
  return x[0];
}

int mj_int(Mjcf* m, const Item* item, MjcfKey key) {
  const MjcfAttribute* a = &mjcf_attributes[key];
  const XmlNode* where;
  const char* text = mj_text(m, item, key, &where);
  int x = 0;
  if (text) xml_integers(m->load, where, a->name, text, 1, 1, &x);
  return x;
}

HeftVec3 mj_vec3(Mjcf* m, const Item* item, MjcfKey key) {
  double x[3] = {0};
  mj_reals(m, item, key, x);
  return heft_vec3_from(x);
}

static void list_words(const char* const* words, char* out, size_t size) {
  size_t used = 0;
  out[0] = '\0';
  for (; *words; ++words) {
    const size_t length = strlen(*words);
    if (used + length + 3 > size) return;
    if (used > 0) memcpy(out + used, ", ", 3), used += 2;
    memcpy(out + used, *words, length + 1);
    used += length;
  }
}

int mj_word(Mjcf* m, const Item* item, MjcfKey key, const char* const* words) {
  const MjcfAttribute* a = &mjcf_attributes[key];
  const XmlNode* where;
  const char* text = mj_text(m, item, key, &where);
  if (!text) return -1;
  for (int i = 0; words[i]; ++i) {
    if (strcmp(words[i], text) == 0) return i;
  }
  char list[300];
  list_words(words, list, sizeof list);
  load_fail(m->load, HEFT_ERR_VALUE, xml_attribute_place(where, a->name),
            "<%.40s %s>: '%.60s' was found, expected one of: %s", where->name, a->name, text, list);
  return -1;
}

int mj_bool(Mjcf* m, const Item* item, MjcfKey key) {
  static const char* const words[] = {"false", "true", NULL};
  return mj_word(m, item, key, words) == 1;
}

int mj_tri(Mjcf* m, const Item* item, MjcfKey key) {
  static const char* const words[] = {"false", "true", "auto", NULL};
  const int word = mj_word(m, item, key, words);
  return word == 2 ? -1 : word == 1;
}

int mj_limited(Mjcf* m, const Item* item, MjcfKey limited, MjcfKey range) {
  const int tri = mj_tri(m, item, limited);
  const int given = mj_given(m, item, range);
  if (tri >= 0) return tri;
  if (!item->scope->unit->auto_limits && given) {
    load_warn(m->load, mj_place(m, item, range), "autolimits off",
              "<%.40s %s> is given without %s, and autolimits is off; it does not apply",
              item->node->name, mjcf_attributes[range].name, mjcf_attributes[limited].name);
    return 0;
  }
  return given;
}

// ---- orientation

double mj_angle(const Unit* unit, double x) { return unit->radians ? x : x * (HEFT_PI / 180); }

HeftQuat mj_unit(HeftQuat q) {
  const double excess = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1;
  return fabs(excess) <= 4e-15 ? q : heft_quat_normalize(q);
}

HeftQuat mj_euler(const Unit* unit, const double angles[3]) {
  HeftQuat q = heft_quat_identity();
  for (int i = 0; i < 3; ++i) {
    const char c = unit->euler[i];
    const int fixed = c >= 'X' && c <= 'Z', axis = fixed ? c - 'X' : c - 'x';
    const HeftVec3 a = heft_vec3(axis == 0, axis == 1, axis == 2);
    const HeftQuat turn = heft_quat_from_axis_angle(a, mj_angle(unit, angles[i]));
    q = fixed ? heft_quat_mul(turn, q) : heft_quat_mul(q, turn);
  }
  return q;
}

static HeftQuat from_axes(Mjcf* m, const Item* item, MjcfKey key, const double* x) {
  const HeftVec3 a = heft_vec3_normalize(heft_vec3_from(x));
  HeftVec3 b = heft_vec3(x[3], x[4], x[5]);
  b = heft_vec3_add_scaled(b, -heft_vec3_dot(a, b), a);
  if (heft_vec3_norm(a) < 0.5 || heft_vec3_norm(b) < 1e-9) {
    load_fail(m->load, HEFT_ERR_VALUE, mj_place(m, item, key),
              "<%.40s xyaxes>: the axes are zero or parallel, expected two directions",
              item->node->name);
    return heft_quat_identity();
  }
  b = heft_vec3_normalize(b);
  return heft_quat_from_mat3(heft_mat3_from_columns(a, b, heft_vec3_cross(a, b)));
}

static HeftVec3 direction(Mjcf* m, const Item* item, MjcfKey key, const double* x) {
  const HeftVec3 v = heft_vec3_from(x);
  if (LOAD_OK(m->load) && heft_vec3_norm(v) < 1e-9)
    load_fail(m->load, HEFT_ERR_VALUE, mj_place(m, item, key),
              "<%.40s %s>: a zero vector was found, expected a direction", item->node->name,
              mjcf_attributes[key].name);
  return heft_vec3_normalize(v);
}

static HeftQuat convert(Mjcf* m, const Item* item, MjcfKey key, int form) {
  double x[6] = {0};
  mj_reals(m, item, key, x);
  if (!LOAD_OK(m->load)) return heft_quat_identity();
  const Unit* unit = item->scope->unit;
  if (form == 0) {
    const double norm = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3]);
    if (norm < 1e-9) {
      load_fail(m->load, HEFT_ERR_VALUE, mj_place(m, item, key),
                "<%.40s quat>: a quaternion of length %g was found, expected one of length 1",
                item->node->name, norm);
      return heft_quat_identity();
    }
    return mj_unit(heft_quat_from(x));
  }
  if (form == 1) return heft_quat_from_axis_angle(direction(m, item, key, x), mj_angle(unit, x[3]));
  if (form == 2) return mj_euler(unit, x);
  if (form == 3) return from_axes(m, item, key, x);
  return heft_quat_between(heft_vec3(0, 0, 1), direction(m, item, key, x));
}

// An orientation of the node has priority over one of its class, in any form.
HeftQuat mj_orientation(Mjcf* m, const Item* item, MjcfKey quat) {
  for (int form = 0; form < 5; ++form) {
    const MjcfKey key = (MjcfKey)((int)quat + form);
    if (xml_find(item->node, mjcf_attributes[key].name)) return convert(m, item, key, form);
  }
  for (int form = 0; form < 5; ++form) {
    const MjcfKey key = (MjcfKey)((int)quat + form);
    if (mj_given(m, item, key)) return convert(m, item, key, form);
  }
  return heft_quat_identity();
}

// ---- unknown attributes

// 1 if an attribute asks for MuJoCo's default softness, which asks for nothing in Heft (decision
// 056). name: solref..., solimp...; fewer numbers than the default has are allowed.
static int is_default_softness(const char* name, const char* value) {
  static const double reference[] = {0.02, 1}, impedance[] = {0.9, 0.95, 0.001, 0.5, 2};
  const int ref = strncmp(name, "solref", 6) == 0;
  if (!ref && strncmp(name, "solimp", 6) != 0) return 0;
  const double* usual = ref ? reference : impedance;
  const int count = ref ? 2 : 5;
  static const char blanks[] = " \t\r\n";
  for (int i = 0;; ++i) {
    double number = 0;
    value += strspn(value, blanks);
    if (*value == '\0') return i > 0;
    const char* end = value + strcspn(value, blanks);
    if (i == count || heft_decimal_read(value, end, &number) != end || number != usual[i]) return 0;
    value = end;
  }
}

// Whether HeftLoadDef.soft_contacts maps an attribute (mjcf_softness.c).
static int is_mapped(const MjcfAttribute* known) {
  static const MjcfKey keys[] = {MJ_geom_solref, MJ_geom_solimp, MJ_geom_solmix,    MJ_pair_solref,
                                 MJ_pair_solimp, MJ_option_cone, MJ_option_impratio};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i) {
    if (known == &mjcf_attributes[keys[i]]) return 1;
  }
  return 0;
}

void mj_check(Mjcf* m, const XmlNode* node, MjcfElement element) {
  for (int i = 0; i < node->attribute_count; ++i) {
    XmlAttribute* given = &node->attributes[i];
    if (given->used & 2) continue;  // checked already
    given->used |= 2;
    const MjcfAttribute* known = mjcf_find_attribute(element, given->name);
    if (known && known->type != SKIP) continue;
    if (known && is_default_softness(given->name, given->value)) continue;
    if (known && m->load->def->soft_contacts && is_mapped(known)) continue;
    const char* key = load_format(m->load, "%.80s %.80s", node->name, given->name);
    const Place place = xml_attribute_place(node, given->name);
    if (known) {
      load_warn(m->load, place, key, "<%.40s %.60s> is skipped: %s", node->name, given->name,
                known->meaning);
    } else {
      load_warn(m->load, place, key,
                "<%.40s> has no attribute '%.60s' that Heft knows; it is skipped", node->name,
                given->name);
    }
  }
}
