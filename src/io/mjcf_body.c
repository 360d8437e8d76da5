// SPDX-License-Identifier: Apache-2.0
// The tree of bodies. What stands in a body is flattened over <frame>, <replicate> and <attach>
// first; then its inertia is known, the body goes to the builder, then its joints, geoms, sites,
// cameras and lights, then the bodies in it, in the order of the file.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/mjcf.h"

static void place_item(const Item* item, HeftVec3* pos, HeftQuat* quat) {
  *pos = heft_vec3_add(item->pos, heft_quat_rotate(item->quat, *pos));
  *quat = heft_quat_mul(item->quat, *quat);
}

static int is_plain_frame(const Item* item) {
  return item->pos.x == 0 && item->pos.y == 0 && item->pos.z == 0 && item->quat.w == 1;
}

// ---- flattening

static void flatten(Mjcf* m, const XmlNode* parent, const Item* around, Grow* items);

static Scope* add_scope(Mjcf* m, Unit* unit, const char* prefix, const char* suffix) {
  Scope* scope = LOAD_NEW(m->load, Scope);
  Scope** slot = scope ? LOAD_ADD(m->load, &m->scopes, Scope*) : NULL;
  if (!slot) return NULL;
  *scope = (Scope){.unit = unit, .prefix = prefix, .suffix = suffix};
  *slot = scope;
  return scope;
}

static void count_element(Mjcf* m, const XmlNode* node) {
  if (++m->load->elements <= m->load->def->limits.xml_elements) return;
  load_fail(m->load, HEFT_ERR_LIMIT, xml_place(node),
            "with all copies there are more than %d elements; raise the limit xml_elements",
            m->load->def->limits.xml_elements);
}

static void flatten_frame(Mjcf* m, const Item* item, Grow* items) {
  mj_check(m, item->node, MJCF_frame);
  Item inner = *item;
  HeftVec3 pos = mj_vec3(m, item, MJ_frame_pos);
  HeftQuat quat = mj_orientation(m, item, MJ_frame_quat);
  place_item(item, &pos, &quat);
  inner.pos = pos;
  inner.quat = quat;
  inner.class = mj_class(m, item->scope->unit, item->node, "childclass", item->class);
  flatten(m, item->node, &inner, items);
}

static void flatten_replicate(Mjcf* m, const Item* item, Grow* items) {
  mj_check(m, item->node, MJCF_replicate);
  const int count = mj_int(m, item, MJ_replicate_count);
  if (LOAD_OK(m->load) && (count < 1 || count > m->load->def->limits.xml_elements)) {
    load_fail(m->load, HEFT_ERR_VALUE, mj_place(m, item, MJ_replicate_count),
              "<replicate count>: %d was found, expected 1 to %d", count,
              m->load->def->limits.xml_elements);
    return;
  }
  double angles[3] = {0};
  mj_reals(m, item, MJ_replicate_euler, angles);
  const HeftVec3 offset = mj_vec3(m, item, MJ_replicate_offset);
  const HeftQuat turn = mj_euler(item->scope->unit, angles);
  const char* sep = mj_text(m, item, MJ_replicate_sep, NULL);
  char digits[16];
  const int width = snprintf(digits, sizeof digits, "%d", count);
  HeftVec3 pos = {0, 0, 0};
  HeftQuat quat = heft_quat_identity();
  for (int i = 0; i < count && LOAD_OK(m->load); ++i) {
    Item inner = *item;
    inner.pos = pos;
    inner.quat = quat;
    place_item(item, &inner.pos, &inner.quat);
    const char* suffix = load_format(m->load, "%s%0*d%s", sep, width, i, item->scope->suffix);
    inner.scope = add_scope(m, item->scope->unit, item->scope->prefix, suffix);
    if (!inner.scope) return;
    count_element(m, item->node);
    flatten(m, item->node, &inner, items);
    pos = heft_vec3_add(pos, heft_quat_rotate(quat, offset));
    quat = heft_quat_mul(quat, turn);
  }
}

static Unit* find_unit(Mjcf* m, const Item* item) {
  const char* name = mj_text(m, item, MJ_attach_model, NULL);
  const Unit* unit = item->scope->unit;
  for (int i = 0; name && i < unit->units.count; ++i) {
    Unit* found = GROW_AT(unit->units, Unit*, i);
    if (strcmp(found->name, name) == 0) return found;
  }
  load_fail(m->load, HEFT_ERR_NAME, mj_place(m, item, MJ_attach_model),
            "<attach model>: there is no <model> '%.80s' among the assets", name ? name : "");
  return NULL;
}

static const XmlNode* find_body(const XmlNode* node, const char* name) {
  for (const XmlNode* n = node->child; n; n = n->next) {
    if (xml_is(n, "body")) {
      const char* own = xml_get(n, "name");
      if (own && strcmp(own, name) == 0) return n;
    }
    const XmlNode* inner = find_body(n, name);
    if (inner) return inner;
  }
  return NULL;
}

static int assets_are_there(const Mjcf* m, const Scope* scope) {
  for (int i = 0; i < m->scopes.count; ++i) {
    const Scope* s = GROW_AT(m->scopes, Scope*, i);
    if (s->done && s->unit == scope->unit && strcmp(s->prefix, scope->prefix) == 0) return 1;
  }
  return 0;
}

static void flatten_attach(Mjcf* m, const Item* item, Grow* items) {
  mj_check(m, item->node, MJCF_attach);
  Unit* unit = find_unit(m, item);
  if (!unit) return;
  const char* prefix = mj_text(m, item, MJ_attach_prefix, NULL);
  Item inner = *item;
  inner.scope = add_scope(m, unit, load_format(m->load, "%s%s", item->scope->prefix, prefix),
                          item->scope->suffix);
  if (!inner.scope) return;
  inner.class = GROW_AT(unit->classes, Class*, 0);
  const int there = assets_are_there(m, inner.scope);
  inner.scope->done = 1;
  if (!there) mj_read_assets(m, inner.scope);
  const char* body = mj_text(m, item, MJ_attach_body, NULL);
  for (const XmlNode* w = xml_child(unit->root, "worldbody"); w && LOAD_OK(m->load);
       w = xml_next(w, "worldbody")) {
    if (!body) {
      flatten(m, w, &inner, items);
      continue;
    }
    const XmlNode* node = find_body(w, body);
    if (!node) continue;
    Item* slot = LOAD_ADD(m->load, items, Item);
    if (!slot) return;
    *slot = inner;
    slot->node = node;
    return;
  }
  if (body)
    load_fail(m->load, HEFT_ERR_NAME, mj_place(m, item, MJ_attach_body),
              "<attach body>: there is no body '%.80s' in model '%.80s'", body, unit->name);
}

static void flatten(Mjcf* m, const XmlNode* parent, const Item* around, Grow* items) {
  for (const XmlNode* n = parent->child; n && LOAD_OK(m->load); n = n->next) {
    Item item = *around;
    item.node = n;
    count_element(m, n);
    if (xml_is(n, "frame")) {
      flatten_frame(m, &item, items);
    } else if (xml_is(n, "replicate")) {
      flatten_replicate(m, &item, items);
    } else if (xml_is(n, "attach")) {
      flatten_attach(m, &item, items);
    } else {
      Item* slot = LOAD_ADD(m->load, items, Item);
      if (slot) *slot = item;
    }
  }
}

// ---- geoms

typedef struct Part {
  HeftShapeDef shape;
  HeftInertia inertia;  ///< in the body's frame
  const Item* item;
  GeomInfo info;
} Part;

static const HeftShapeType geom_types[] = {
    HEFT_SHAPE_PLANE,     HEFT_SHAPE_HEIGHT_FIELD, HEFT_SHAPE_SPHERE, HEFT_SHAPE_CAPSULE,
    HEFT_SHAPE_ELLIPSOID, HEFT_SHAPE_CYLINDER,     HEFT_SHAPE_BOX,    HEFT_SHAPE_MESH};

static int size_count(HeftShapeType type) {
  switch (type) {
    case HEFT_SHAPE_SPHERE:
      return 1;
    case HEFT_SHAPE_CAPSULE:
    case HEFT_SHAPE_CYLINDER:
      return 2;
    case HEFT_SHAPE_BOX:
    case HEFT_SHAPE_ELLIPSOID:
      return 3;
    default:
      return 0;
  }
}

// Two ends give the pose and the half length, which is the last size.
static int read_ends(Mjcf* m, const Item* item, MjcfKey key, HeftShapeType type, HeftVec3* pos,
                     HeftQuat* quat, double size[3]) {
  double x[6];
  if (!mj_reals(m, item, key, x)) return 0;
  const HeftVec3 a = heft_vec3(x[0], x[1], x[2]), b = heft_vec3(x[3], x[4], x[5]);
  const HeftVec3 along = heft_vec3_sub(a, b);
  const double length = heft_vec3_norm(along);
  const int last = size_count(type) - 1;
  if (last < 1 || length < 1e-9) {
    load_fail(m->load, HEFT_ERR_VALUE, mj_place(m, item, key), "<%.40s fromto>: %s",
              item->node->name,
              last < 1 ? "this shape has no ends, expected a capsule, cylinder, ellipsoid or box"
                       : "both ends are the same point, expected two");
    return 1;
  }
  *pos = heft_vec3_scale(0.5, heft_vec3_add(a, b));
  *quat = heft_quat_between(heft_vec3(0, 0, 1), heft_vec3_scale(1 / length, along));
  size[last] = length / 2;
  if (last == 2 && size[1] == 0) size[1] = size[0];
  return 1;
}

void mj_shape(Mjcf* m, const Item* item, MjcfKey fromto, MjcfKey size, HeftShapeType type,
              HeftVec3* pos, HeftQuat* quat, double out[3]) {
  const int given = mj_reals(m, item, size, out);
  int needed = size_count(type);
  if (mj_given(m, item, fromto)) {
    if (read_ends(m, item, fromto, type, pos, quat, out)) needed = needed > 2 ? 2 : needed - 1;
    if (needed == 2 && given < 2) needed = 1;  // box and ellipsoid: the second is the first
  }
  if (!LOAD_OK(m->load)) return;
  if (given < needed) {
    load_fail(m->load, HEFT_ERR_VALUE, xml_place(item->node),
              "<%.40s>: %d size%s found, a %s needs %d", item->node->name, given,
              given == 1 ? " was" : "s were", heft_shape_type_name(type), needed);
    return;
  }
  for (int i = 0; i < size_count(type); ++i) {
    if (out[i] > 0) continue;
    load_fail(m->load, HEFT_ERR_VALUE, mj_place(m, item, size),
              "<%.40s size>: %g was found, expected a positive length", item->node->name, out[i]);
    return;
  }
  for (int i = size_count(type); i < 3; ++i) {
    if (type != HEFT_SHAPE_PLANE) out[i] = 0;
  }
}

static HeftSym3 diagonal(double x, double y, double z) { return (HeftSym3){x, y, z, 0, 0, 0}; }

// Volume and moments of unit density about the shape's own origin.
static HeftInertia shape_inertia(HeftShapeType type, const double* s) {
  const double r = s[0], h = s[1];
  switch (type) {
    case HEFT_SHAPE_SPHERE: {
      const double v = 4.0 / 3 * HEFT_PI * r * r * r, i = 0.4 * v * r * r;
      return (HeftInertia){v, {0, 0, 0}, diagonal(i, i, i)};
    }
    case HEFT_SHAPE_CYLINDER: {
      const double v = 2 * HEFT_PI * r * r * h, i = v * (3 * r * r + 4 * h * h) / 12;
      return (HeftInertia){v, {0, 0, 0}, diagonal(i, i, v * r * r / 2)};
    }
    case HEFT_SHAPE_CAPSULE: {  // a cylinder and two half balls
      const double vc = 2 * HEFT_PI * r * r * h, vs = 4.0 / 3 * HEFT_PI * r * r * r;
      const double across =
          vc * (3 * r * r + 4 * h * h) / 12 + vs * (0.4 * r * r + 0.75 * r * h + h * h);
      return (HeftInertia){
          vc + vs, {0, 0, 0}, diagonal(across, across, vc * r * r / 2 + vs * 0.4 * r * r)};
    }
    case HEFT_SHAPE_ELLIPSOID: {
      const double v = 4.0 / 3 * HEFT_PI * s[0] * s[1] * s[2];
      return (HeftInertia){
          v,
          {0, 0, 0},
          diagonal(v * (s[1] * s[1] + s[2] * s[2]) / 5, v * (s[0] * s[0] + s[2] * s[2]) / 5,
                   v * (s[0] * s[0] + s[1] * s[1]) / 5)};
    }
    case HEFT_SHAPE_BOX: {
      const double v = 8 * s[0] * s[1] * s[2];
      return (HeftInertia){
          v,
          {0, 0, 0},
          diagonal(v * (s[1] * s[1] + s[2] * s[2]) / 3, v * (s[0] * s[0] + s[2] * s[2]) / 3,
                   v * (s[0] * s[0] + s[1] * s[1]) / 3)};
    }
    default:
      return (HeftInertia){0};
  }
}

static HeftInertia scale_inertia(HeftInertia i, double factor) {
  i.mass *= factor;
  i.moment = (HeftSym3){factor * i.moment.xx, factor * i.moment.yy, factor * i.moment.zz,
                        factor * i.moment.xy, factor * i.moment.xz, factor * i.moment.yz};
  return i;
}

static void weigh_geom(Mjcf* m, const Item* item, Part* part) {
  HeftInertia i = {0};
  const int shell = mj_bool(m, item, MJ_geom_shellinertia);
  double mass = -1;
  if (mj_reals(m, item, MJ_geom_mass, &mass) && mass < 0)
    load_fail(m->load, HEFT_ERR_VALUE, mj_place(m, item, MJ_geom_mass),
              "<geom mass>: %g kg was found, expected 0 or more", mass);
  const double density = mj_real(m, item, MJ_geom_density);
  if (LOAD_OK(m->load) && density < 0)
    load_fail(m->load, HEFT_ERR_VALUE, mj_place(m, item, MJ_geom_density),
              "<geom density>: %g kg/m³ was found, expected 0 or more", density);
  if (!LOAD_OK(m->load) || mass == 0 || (mass < 0 && density == 0)) return;
  if (part->shape.type == HEFT_SHAPE_MESH) {
    MeshAsset* asset = assets_mesh(&m->assets, part->shape.mesh);
    const MeshMass how = shell ? MESH_MASS_SHELL : (MeshMass)asset->inertia;
    if (how == MESH_MASS_CONVEX && !mesh_hull(m->load, asset->place, asset->name, &asset->mesh))
      return;
    if (!mesh_mass(&asset->mesh, how, &i)) {
      load_warn(
          m->load, xml_place(item->node), "mesh without volume",
          "mesh '%.80s' has no volume (its faces are open or turned inside out); its geom has no "
          "mass, give the body an <inertial>",
          asset->name);
      return;
    }
  } else {
    i = shape_inertia(part->shape.type, part->shape.size);
    if (shell)
      load_warn(m->load, xml_place(item->node), "shellinertia",
                "<geom shellinertia> counts for meshes only; this %s is solid",
                heft_shape_type_name(part->shape.type));
  }
  if (!(i.mass > 0)) return;
  i = scale_inertia(i, mass >= 0 ? mass / i.mass : density);
  part->inertia = heft_inertia_transform(i, heft_pose(part->shape.pos, part->shape.quat));
}

static void read_touch(Mjcf* m, const Item* item, Part* part) {
  double friction[5] = {1, 1, 0.005, 0.0001, 0}, given[3] = {1, 0.005, 0.0001};
  mj_reals(m, item, MJ_geom_friction, given);
  for (int i = 0; i < 3; ++i) {
    if (given[i] >= 0 && (i > 0 || given[i] <= 100)) continue;
    load_fail(m->load, HEFT_ERR_VALUE, mj_place(m, item, MJ_geom_friction),
              "<geom friction>: %g was found, expected 0 or more (sliding: at most 100)", given[i]);
    return;
  }
  friction[0] = friction[1] = given[0];
  friction[2] = given[1];
  friction[3] = given[2];
  HeftShapeDef* s = &part->shape;
  const char* name = mj_full_name(m, item->scope, mj_text(m, item, MJ_geom_name, NULL));
  const int custom = name[0] ? mj_name_find(m, OF_GEOM_MATERIAL, name) : -1;
  s->material = custom >= 0 ? custom : mj_material(m, friction, NULL);
  s->category = mj_int(m, item, MJ_geom_contype);
  s->collides = mj_int(m, item, MJ_geom_conaffinity);
  s->contact_dim = mj_int(m, item, MJ_geom_condim);
  s->priority = mj_int(m, item, MJ_geom_priority);
  s->margin = mj_real(m, item, MJ_geom_margin);
  s->gap = mj_real(m, item, MJ_geom_gap);
  s->group = mj_int(m, item, MJ_geom_group);
  part->info = (GeomInfo){{given[0], given[1], given[2]}, s->margin, s->gap, s->contact_dim};
  const int dim = s->contact_dim;
  if (LOAD_OK(m->load) && dim != 1 && dim != 3 && dim != 4 && dim != 6)
    load_fail(m->load, HEFT_ERR_VALUE, mj_place(m, item, MJ_geom_condim),
              "<geom condim>: %d was found, expected 1, 3, 4 or 6", dim);
}

static void read_look(Mjcf* m, const Item* item, HeftShapeDef* s) {
  const char* missing = NULL;
  s->appearance = mj_reference(m, item, MJ_geom_material, OF_MATERIAL, &missing, NULL);
  if (missing)
    load_fail(m->load, HEFT_ERR_NAME, mj_place(m, item, MJ_geom_material),
              "<geom material>: there is no material '%.80s'", missing);
  mj_reals(m, item, MJ_geom_rgba, s->color);
  if (s->appearance >= 0 && !mj_given(m, item, MJ_geom_rgba))
    memcpy(s->color, GROW_AT(m->looks, LookInfo, s->appearance).color, sizeof s->color);
}

static void read_geom_asset(Mjcf* m, const Item* item, HeftShapeDef* s) {
  const int is_mesh = s->type == HEFT_SHAPE_MESH;
  const MjcfKey key = is_mesh ? MJ_geom_mesh : MJ_geom_hfield;
  const char* missing = NULL;
  const int index = mj_reference(m, item, key, is_mesh ? OF_MESH : OF_HFIELD, &missing, NULL);
  if (missing) {
    load_fail(m->load, HEFT_ERR_NAME, mj_place(m, item, key), "<geom %s>: there is no %s '%.80s'",
              mjcf_attributes[key].name, mjcf_attributes[key].name, missing);
  } else if (index < 0) {
    load_fail(m->load, HEFT_ERR_SYNTAX, xml_place(item->node),
              "<geom type=\"%s\"> needs the attribute '%s'", mjcf_attributes[key].name,
              mjcf_attributes[key].name);
  }
  *(is_mesh ? &s->mesh : &s->height_field) = index;
}

static void read_geom(Mjcf* m, Item* item, Part* part) {
  static const char* const types[] = {"plane",    "hfield", "sphere", "capsule", "ellipsoid",
                                      "cylinder", "box",    "mesh",   "sdf",     NULL};
  item->class = mj_class(m, item->scope->unit, item->node, "class", item->class);
  mj_check(m, item->node, MJCF_geom);
  for (const XmlNode* n = item->node->child; n; n = n->next) mj_unknown_element(m, n);
  const int type = mj_word(m, item, MJ_geom_type, types);
  *part = (Part){.shape = heft_shape_def_default(), .item = item};
  HeftShapeDef* s = &part->shape;
  if (type < 0 || type == 8) {
    load_fail(m->load, HEFT_ERR_UNSUPPORTED, mj_place(m, item, MJ_geom_type),
              "<geom type=\"sdf\">: signed distance fields are not part of Heft");
    return;
  }
  s->type = geom_types[type];
  s->pos = mj_vec3(m, item, MJ_geom_pos);
  s->quat = mj_orientation(m, item, MJ_geom_quat);
  const int needs_asset = s->type == HEFT_SHAPE_MESH || s->type == HEFT_SHAPE_HEIGHT_FIELD;
  if (needs_asset) {
    read_geom_asset(m, item, s);
  } else if (mj_given(m, item, MJ_geom_mesh)) {
    load_fail(m->load, HEFT_ERR_UNSUPPORTED, mj_place(m, item, MJ_geom_mesh),
              "<geom mesh>: a %s is not fitted to a mesh; use type=\"mesh\" or give its size",
              heft_shape_type_name(s->type));
  } else {
    mj_shape(m, item, MJ_geom_fromto, MJ_geom_size, s->type, &s->pos, &s->quat, s->size);
  }
  if (s->type == HEFT_SHAPE_PLANE) s->size[2] = 0;
  if (!LOAD_OK(m->load)) return;
  if (!is_plain_frame(item)) place_item(item, &s->pos, &s->quat);
  read_touch(m, item, part);
  read_look(m, item, s);
  weigh_geom(m, item, part);
}

static void add_geom(Mjcf* m, Part* part, int body) {
  const Item* item = part->item;
  HeftShapeDef* s = &part->shape;
  m->owner = item->scope;
  const int collides = s->category != 0 || s->collides != 0;
  if (!collides && item->scope->unit->discard_visual) return;
  s->body = body;
  s->name = mj_full_name(m, item->scope, mj_text(m, item, MJ_geom_name, NULL));
  if (s->mesh >= 0 && collides) assets_mesh(&m->assets, s->mesh)->collides = 1;
  if (s->mesh >= 0 && s->appearance >= 0 && GROW_AT(m->looks, LookInfo, s->appearance).flat)
    assets_mesh(&m->assets, s->mesh)->textured = 1;
  GeomInfo* info = LOAD_ADD(m->load, &m->geoms, GeomInfo);
  if (!info) return;
  *info = part->info;
  const char* name = s->name;
  s->name = mj_model_name(name);
  mj_name_add(m, item->node, OF_GEOM, name, heft_builder_add_shape(m->load->builder, s));
}

// ---- inertia

static void read_moments(Mjcf* m, const Item* item, HeftBodyDef* body) {
  double d[3], f[6];
  if (mj_reals(m, item, MJ_inertial_fullinertia, f)) {
    body->moment = (HeftSym3){f[0], f[1], f[2], f[3], f[4], f[5]};
    for (int form = 0; form < 5; ++form) {
      const MjcfKey key = (MjcfKey)((int)MJ_inertial_quat + form);
      if (mj_given(m, item, key))
        load_fail(
            m->load, HEFT_ERR_VALUE, mj_place(m, item, key),
            "<inertial>: fullinertia is along the body's axes, expected no orientation with it");
    }
  } else if (mj_reals(m, item, MJ_inertial_diaginertia, d)) {
    body->moment = diagonal(d[0], d[1], d[2]);
  } else if (LOAD_OK(m->load)) {
    load_fail(m->load, HEFT_ERR_SYNTAX, xml_place(item->node),
              "<inertial> needs 'diaginertia' or 'fullinertia'");
  }
}

static void check_moments(Mjcf* m, const Item* item, HeftBodyDef* body) {
  HeftVec3 e;
  HeftMat3 axes;
  heft_sym3_eigen(body->moment, &e, &axes);
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
      body->moment = diagonal(mean, mean, mean);
      return;
    }
    load_fail(
        m->load, HEFT_ERR_VALUE, place,
        "<%.40s>: principal moments of inertia %g, %g, %g kg m² were found; matter cannot have "
        "one larger than the sum of the others (balanceinertia makes them equal)",
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
  read_moments(m, item, body);
  if (!LOAD_OK(m->load)) return;
  if (!is_plain_frame(item)) place_item(item, &body->com, &body->inertia_quat);
  check_moments(m, item, body);
}

static void sum_geoms(const Unit* unit, const Part* parts, int count, HeftBodyDef* body) {
  HeftInertia sum = {0};
  for (int i = 0; i < count; ++i) {
    const int group = parts[i].shape.group;
    if (group < unit->inertia_groups[0] || group > unit->inertia_groups[1]) continue;
    if (parts[i].inertia.mass > 0) sum = heft_inertia_add(sum, parts[i].inertia);
  }
  body->mass = sum.mass;
  body->com = sum.com;
  body->moment = sum.moment;
}

static void raise_to_bounds(const Unit* unit, HeftBodyDef* body) {
  if (unit->least_mass > 0) body->mass = fmax(body->mass, unit->least_mass);
  if (!(unit->least_moment > 0)) return;
  HeftVec3 e;
  HeftMat3 axes;
  heft_sym3_eigen(body->moment, &e, &axes);
  if (e.z >= unit->least_moment) return;
  const HeftSym3 raised = diagonal(fmax(e.x, unit->least_moment), fmax(e.y, unit->least_moment),
                                   fmax(e.z, unit->least_moment));
  body->moment = heft_sym3_rotate(raised, axes);
}

// ---- joints

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
              "<joint range>: %g to %g was found, expected lowest to highest", range[0], range[1]);
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
              "<joint actuatorfrcrange>: %g to %g was found, expected lowest to highest", range[0],
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
  const int scalar = def->type == HEFT_JOINT_HINGE || def->type == HEFT_JOINT_SLIDE;
  if (scalar && LOAD_OK(m->load) && heft_vec3_norm(def->axis) < 1e-9)
    load_fail(m->load, HEFT_ERR_VALUE, mj_place(m, item, MJ_joint_axis),
              "<joint axis>: a zero vector was found, expected a direction");
  if (!is_plain_frame(item)) {
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
// armature, limited, lowest, highest of all dofs, then the rest of the spring.
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

static const char* joint_name(Mjcf* m, const Item* item) {
  const int is_free = xml_is(item->node, "freejoint");
  return mj_full_name(m, item->scope,
                      mj_text(m, item, is_free ? MJ_freejoint_name : MJ_joint_name, NULL));
}

static int is_joint(const Item* item) {
  return xml_is(item->node, "joint") || xml_is(item->node, "freejoint");
}

// One part of a joint that <custom> puts together, into dof k of it.
static void merge_part(const HeftJointDef* part, int k, HeftJointDef* def) {
  if (k == 1 && def->type != HEFT_JOINT_CYLINDRICAL) def->axis2 = part->axis;
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

// The joints from item `at` on are one: planar, universal or cylindrical. *last is the item of the
// last of them. 0: this joint stands for itself.
static int read_merged(Mjcf* m, Grow* items, int at, int* last, HeftJointDef* def) {
  static const HeftJointType parts[][3] = {{HEFT_JOINT_SLIDE, HEFT_JOINT_SLIDE, HEFT_JOINT_HINGE},
                                           {HEFT_JOINT_HINGE, HEFT_JOINT_HINGE},
                                           {HEFT_JOINT_SLIDE, HEFT_JOINT_HINGE}};
  Item* item = &GROW_AT(*items, Item, at);
  const char* name = joint_name(m, item);
  const int found = name[0] ? mj_name_find(m, OF_JOINT_PART, name) : -1;
  if (found < 0) return 0;
  JointGroup* group = &GROW_AT(m->joint_groups, JointGroup, found / 8);
  const HeftJointType* types = parts[group->type - HEFT_JOINT_PLANAR];
  group->used = 1;
  for (int k = 0; k < group->count && LOAD_OK(m->load); ++k) {
    while (at < items->count && !is_joint(&GROW_AT(*items, Item, at))) ++at;
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

static void add_joint(Mjcf* m, Grow* items, int* at, int body, int parent, int count) {
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
              "a free joint must be the only joint of a body that hangs on the world");
  if (body == 0)
    load_fail(m->load, HEFT_ERR_VALUE, xml_place(item->node), "the world has no joints");
  if (!LOAD_OK(m->load)) return;
  if (!merged) {
    def.name = joint_name(m, item);
    set_custom_dofs(m, def.name, &def);
    if (!LOAD_OK(m->load)) return;
  }
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

// ---- sites, cameras, lights

static void read_colour(Mjcf* m, const Item* item, MjcfKey rgba, MjcfKey material,
                        double color[4]) {
  mj_reals(m, item, rgba, color);
  const char* missing = NULL;
  const int look = mj_reference(m, item, material, OF_MATERIAL, &missing, NULL);
  if (missing)
    load_fail(m->load, HEFT_ERR_NAME, mj_place(m, item, material),
              "<%.40s material>: there is no material '%.80s'", item->node->name, missing);
  if (look >= 0)
    load_warn(m->load, mj_place(m, item, material),
              load_format(m->load, "%.40s material", item->node->name),
              "<%.40s material> is not taken over; give rgba", item->node->name);
}

static void add_site(Mjcf* m, Item* item, int body) {
  m->owner = item->scope;
  static const char* const types[] = {"sphere", "capsule", "ellipsoid", "cylinder", "box", NULL};
  item->class = mj_class(m, item->scope->unit, item->node, "class", item->class);
  mj_check(m, item->node, MJCF_site);
  HeftSiteDef def = heft_site_def_default();
  const int type = mj_word(m, item, MJ_site_type, types);
  if (type < 0) return;
  def.type = geom_types[type + 2];
  def.body = body;
  def.pos = mj_vec3(m, item, MJ_site_pos);
  def.quat = mj_orientation(m, item, MJ_site_quat);
  def.group = mj_int(m, item, MJ_site_group);
  mj_reals(m, item, MJ_site_size, def.size);
  if (mj_given(m, item, MJ_site_fromto))
    read_ends(m, item, MJ_site_fromto, def.type, &def.pos, &def.quat, def.size);
  read_colour(m, item, MJ_site_rgba, MJ_site_material, def.color);
  if (!is_plain_frame(item)) place_item(item, &def.pos, &def.quat);
  if (!LOAD_OK(m->load)) return;
  def.name = mj_full_name(m, item->scope, mj_text(m, item, MJ_site_name, NULL));
  SiteInfo* info = LOAD_ADD(m->load, &m->sites, SiteInfo);
  if (!info) return;
  *info = (SiteInfo){body, def.pos, def.quat};
  const char* name = def.name;
  def.name = mj_model_name(name);
  mj_name_add(m, item->node, OF_SITE, name, heft_builder_add_site(m->load->builder, &def));
}

static const char* const follows[] = {"fixed",      "track",         "trackcom",
                                      "targetbody", "targetbodycom", NULL};

// Cameras and lights may look at bodies that come later: they are added after the tree.
typedef struct Later {
  Item item;
  int body;
} Later;

static int target_of(Mjcf* m, const Item* item, MjcfKey key) {
  const char* missing = NULL;
  const int body = mj_reference(m, item, key, OF_BODY, &missing, NULL);
  if (missing)
    load_fail(m->load, HEFT_ERR_NAME, mj_place(m, item, key),
              "<%.40s target>: there is no body '%.80s'", item->node->name, missing);
  return body;
}

static void add_camera(Mjcf* m, Item* item, int body) {
  m->owner = item->scope;
  item->class = mj_class(m, item->scope->unit, item->node, "class", item->class);
  mj_check(m, item->node, MJCF_camera);
  HeftCameraDef def = heft_camera_def_default();
  def.body = body;
  def.pos = mj_vec3(m, item, MJ_camera_pos);
  def.quat = mj_orientation(m, item, MJ_camera_quat);
  def.fov = mj_real(m, item, MJ_camera_fovy) * (HEFT_PI / 180);
  if (LOAD_OK(m->load) && !(def.fov > 0 && def.fov < HEFT_PI))
    load_fail(m->load, HEFT_ERR_VALUE, mj_place(m, item, MJ_camera_fovy),
              "<camera fovy>: %g was found, expected degrees between 0 and 180",
              def.fov * 180 / HEFT_PI);
  const int follow = mj_word(m, item, MJ_camera_mode, follows);
  def.follow = (HeftFollow)(follow < 0 ? 0 : follow);
  def.target = target_of(m, item, MJ_camera_target);
  if (!is_plain_frame(item)) place_item(item, &def.pos, &def.quat);
  if (!LOAD_OK(m->load)) return;
  def.name = mj_full_name(m, item->scope, mj_text(m, item, MJ_camera_name, NULL));
  mj_name_add(m, item->node, OF_CAMERA, def.name, m->cameras++);
  def.name = mj_model_name(def.name);
  heft_builder_add_camera(m->load->builder, &def);
}

static void add_light(Mjcf* m, Item* item, int body) {
  static const char* const types[] = {"spot", "directional", "point", NULL};
  item->class = mj_class(m, item->scope->unit, item->node, "class", item->class);
  mj_check(m, item->node, MJCF_light);
  HeftLightDef def = heft_light_def_default();
  def.body = body;
  def.pos = mj_vec3(m, item, MJ_light_pos);
  def.dir = mj_vec3(m, item, MJ_light_dir);
  const int follow = mj_word(m, item, MJ_light_mode, follows);
  def.follow = (HeftFollow)(follow < 0 ? 0 : follow);
  def.target = target_of(m, item, MJ_light_target);
  def.directional = mj_bool(m, item, MJ_light_directional);
  if (mj_given(m, item, MJ_light_type))
    def.directional = mj_word(m, item, MJ_light_type, types) == 1;
  const int all_around =
      mj_given(m, item, MJ_light_type) && mj_word(m, item, MJ_light_type, types) == 2;
  def.shadow = mj_bool(m, item, MJ_light_castshadow);
  def.active = mj_bool(m, item, MJ_light_active);
  mj_reals(m, item, MJ_light_ambient, def.ambient);
  mj_reals(m, item, MJ_light_diffuse, def.diffuse);
  mj_reals(m, item, MJ_light_specular, def.specular);
  mj_reals(m, item, MJ_light_attenuation, def.attenuation);
  def.cutoff = (all_around ? 180 : mj_real(m, item, MJ_light_cutoff)) * (HEFT_PI / 180);
  def.exponent = mj_real(m, item, MJ_light_exponent);
  if (LOAD_OK(m->load) && heft_vec3_norm(def.dir) < 1e-9)
    load_fail(m->load, HEFT_ERR_VALUE, mj_place(m, item, MJ_light_dir),
              "<light dir>: a zero vector was found, expected a direction");
  if (!is_plain_frame(item)) {
    def.pos = heft_vec3_add(item->pos, heft_quat_rotate(item->quat, def.pos));
    def.dir = heft_quat_rotate(item->quat, def.dir);
  }
  if (!LOAD_OK(m->load)) return;
  def.name = mj_full_name(m, item->scope, mj_text(m, item, MJ_light_name, NULL));
  heft_builder_add_light(m->load->builder, &def);
}

// ---- bodies

typedef struct World {
  Mjcf* m;
  Grow later;  ///< Later
} World;

static void add_body(World* w, const Item* item, int parent);

static int count_of(const Grow* items, const char* a, const char* b) {
  int count = 0;
  for (int i = 0; i < items->count; ++i) {
    const XmlNode* n = GROW_AT(*items, Item, i).node;
    count += xml_is(n, a) || (b && xml_is(n, b));
  }
  return count;
}

static int is_known(const XmlNode* n) {
  static const char* const known[] = {"body",   "joint", "freejoint", "geom", "site",
                                      "camera", "light", "inertial",  NULL};
  for (int i = 0; known[i]; ++i) {
    if (xml_is(n, known[i])) return 1;
  }
  return 0;
}

// Everything in a body but the body itself.
static void fill_body(World* w, Grow* items, Part* parts, int part_count, const char* name,
                      int body, int parent) {
  Mjcf* m = w->m;
  const int joints = count_of(items, "joint", "freejoint");
  int placed = 0;
  for (int i = 0; i < items->count && LOAD_OK(m->load); ++i) {
    Item* item = &GROW_AT(*items, Item, i);
    if (!is_known(item->node)) mj_unknown_element(m, item->node);
    if (!is_joint(item)) continue;
    placed += mj_fixed_joints(m, name, body, placed) + 1;
    add_joint(m, items, &i, body, parent, joints);
  }
  if (body > 0) mj_fixed_joints(m, name, body, placed);
  for (int i = 0; i < part_count && LOAD_OK(m->load); ++i) add_geom(m, &parts[i], body);
  for (int i = 0; i < items->count && LOAD_OK(m->load); ++i) {
    Item* item = &GROW_AT(*items, Item, i);
    if (xml_is(item->node, "site")) add_site(m, item, body);
    if (!xml_is(item->node, "camera") && !xml_is(item->node, "light")) continue;
    Later* later = LOAD_ADD(m->load, &w->later, Later);
    if (later) *later = (Later){*item, body};
  }
  for (int i = 0; i < items->count && LOAD_OK(m->load); ++i) {
    const Item* item = &GROW_AT(*items, Item, i);
    if (xml_is(item->node, "body")) add_body(w, item, body);
  }
}

static Part* read_geoms(Mjcf* m, Grow* items, int* count) {
  *count = 0;
  Part* parts = load_take(m->load, (size_t)count_of(items, "geom", NULL), sizeof(Part));
  for (int i = 0; i < items->count && LOAD_OK(m->load); ++i) {
    Item* item = &GROW_AT(*items, Item, i);
    if (xml_is(item->node, "geom")) read_geom(m, item, &parts[(*count)++]);
  }
  return parts;
}

static void weigh_body(Mjcf* m, const Item* item, const Grow* items, const Part* parts, int count,
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

static void note_body(Mjcf* m, const HeftBodyDef* def) {
  BodyInfo* info = LOAD_ADD(m->load, &m->bodies, BodyInfo);
  if (!info) return;
  const HeftPose parent =
      m->bodies.count > 1 ? GROW_AT(m->bodies, BodyInfo, def->parent).pose : heft_pose_identity();
  info->pose = heft_pose_mul(parent, heft_pose(def->pos, mj_unit(def->quat)));
  info->parent = def->parent;
  const HeftMat3 axes = heft_quat_to_mat3(heft_quat_normalize(def->inertia_quat));
  info->inertia = (HeftInertia){def->mass, def->com, heft_sym3_rotate(def->moment, axes)};
}

static void add_body(World* w, const Item* given, int parent) {
  Mjcf* m = w->m;
  if (m->bodies.count >= m->load->def->limits.bodies) {
    load_fail(m->load, HEFT_ERR_LIMIT, xml_place(given->node),
              "there are more than %d bodies; raise the limit bodies", m->load->def->limits.bodies);
    return;
  }
  Item item = *given;
  m->owner = item.scope;
  mj_check(m, item.node, MJCF_body);
  item.class = mj_class(m, item.scope->unit, item.node, "childclass", item.class);
  HeftBodyDef def = heft_body_def_default();
  def.parent = parent;
  def.pos = mj_vec3(m, &item, MJ_body_pos);
  def.quat = mj_orientation(m, &item, MJ_body_quat);
  def.gravity = 1 - mj_real(m, &item, MJ_body_gravcomp);
  if (!is_plain_frame(&item)) place_item(&item, &def.pos, &def.quat);
  Item inside = item;
  inside.pos = heft_vec3(0, 0, 0);
  inside.quat = heft_quat_identity();
  Grow items = {0};
  flatten(m, item.node, &inside, &items);
  int part_count = 0;
  Part* parts = read_geoms(m, &items, &part_count);
  if (LOAD_OK(m->load)) weigh_body(m, &item, &items, parts, part_count, &def);
  if (!LOAD_OK(m->load)) return;
  def.name = mj_full_name(m, item.scope, mj_text(m, &item, MJ_body_name, NULL));
  if (strcmp(def.name, "world") == 0)
    load_fail(m->load, HEFT_ERR_NAME, xml_attribute_place(item.node, "name"),
              "two bodies are named 'world'; the world itself has that name");
  note_body(m, &def);
  if (!LOAD_OK(m->load)) return;
  const char* name = def.name;
  def.name = mj_model_name(name);
  const int body = heft_builder_add_body(m->load->builder, &def);
  m->owner = item.scope;
  mj_name_add(m, item.node, OF_BODY, name, body);
  if (body < 0) {
    HeftError error = {0};
    const HeftStatus status = heft_builder_status(m->load->builder, &error);
    load_fail(m->load, status, xml_place(item.node), "%s", error.message);
    return;
  }
  fill_body(w, &items, parts, part_count, name, body, parent);
}

void mj_read_world(Mjcf* m, Unit* unit) {
  World w = {.m = m};
  Scope* scope = add_scope(m, unit, "", "");
  if (!scope) return;
  scope->done = 1;
  mj_read_assets(m, scope);
  if (!LOAD_OK(m->load)) return;
  const HeftBodyDef world = heft_body_def_default();
  note_body(m, &world);
  Grow items = {0};
  for (const XmlNode* n = xml_child(unit->root, "worldbody"); n && LOAD_OK(m->load);
       n = xml_next(n, "worldbody")) {
    mj_check(m, n, MJCF_worldbody);
    Item item = {.node = n,
                 .scope = scope,
                 .class = GROW_AT(unit->classes, Class*, 0),
                 .quat = heft_quat_identity()};
    item.class = mj_class(m, unit, n, "childclass", item.class);
    flatten(m, n, &item, &items);
  }
  int part_count = 0;
  Part* parts = read_geoms(m, &items, &part_count);
  if (LOAD_OK(m->load)) fill_body(&w, &items, parts, part_count, "", 0, -1);
  for (int i = 0; i < w.later.count && LOAD_OK(m->load); ++i) {
    Later* later = &GROW_AT(w.later, Later, i);
    if (xml_is(later->item.node, "camera")) add_camera(m, &later->item, later->body);
    if (xml_is(later->item.node, "light")) add_light(m, &later->item, later->body);
  }
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
    *inertia = scale_inertia(*inertia, factor);
  }
}
