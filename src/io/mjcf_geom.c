// SPDX-License-Identifier: Apache-2.0
// Geoms: shape, pose, contact settings, appearance, mass.
#include <math.h>
#include <string.h>

#include "io/mjcf_softness.h"
#include "io/mjcf_tree.h"

const HeftShapeType mj_geom_types[MJ_GEOM_TYPE_COUNT] = {
    HEFT_SHAPE_PLANE,   HEFT_SHAPE_HEIGHT_FIELD, HEFT_SHAPE_SPHERE,
    HEFT_SHAPE_CAPSULE, HEFT_SHAPE_ELLIPSOID,    HEFT_SHAPE_CYLINDER,
    HEFT_SHAPE_BOX,     HEFT_SHAPE_MESH,         HEFT_SHAPE_MESH};

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
    case HEFT_SHAPE_PLANE:
    case HEFT_SHAPE_MESH:
    case HEFT_SHAPE_HEIGHT_FIELD:
    case HEFT_SHAPE_TYPE_COUNT:
      break;
  }
  return 0;
}

// Two ends give the pose and the half length, which is the last size.
int mj_read_ends(Mjcf* m, const Item* item, MjcfKey key, HeftShapeType type, HeftVec3* pos,
                 HeftQuat* quat, double size[3]) {
  double x[6];
  if (!mj_reals(m, item, key, x)) return 0;
  const HeftVec3 a = heft_vec3_from(x), b = heft_vec3(x[3], x[4], x[5]);
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

static void read_shape(Mjcf* m, const Item* item, MjcfKey fromto, MjcfKey size, HeftShapeType type,
                       HeftVec3* pos, HeftQuat* quat, double out[3]) {
  const int given = mj_reals(m, item, size, out);
  int needed = size_count(type);
  if (mj_given(m, item, fromto)) {
    if (mj_read_ends(m, item, fromto, type, pos, quat, out)) needed = needed > 2 ? 2 : needed - 1;
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

// Volume and moments of unit density about the shape's own origin.
static HeftInertia shape_inertia(HeftShapeType type, const double* s) {
  const double r = s[0], h = s[1];
  switch (type) {
    case HEFT_SHAPE_SPHERE: {
      const double v = 4.0 / 3 * HEFT_PI * r * r * r, i = 0.4 * v * r * r;
      return (HeftInertia){v, {0, 0, 0}, mj_diagonal(i, i, i)};
    }
    case HEFT_SHAPE_CYLINDER: {
      const double v = 2 * HEFT_PI * r * r * h, i = v * (3 * r * r + 4 * h * h) / 12;
      return (HeftInertia){v, {0, 0, 0}, mj_diagonal(i, i, v * r * r / 2)};
    }
    case HEFT_SHAPE_CAPSULE: {  // a cylinder and two half balls
      const double vc = 2 * HEFT_PI * r * r * h, vs = 4.0 / 3 * HEFT_PI * r * r * r;
      const double across =
          vc * (3 * r * r + 4 * h * h) / 12 + vs * (0.4 * r * r + 0.75 * r * h + h * h);
      return (HeftInertia){
          vc + vs, {0, 0, 0}, mj_diagonal(across, across, vc * r * r / 2 + vs * 0.4 * r * r)};
    }
    case HEFT_SHAPE_ELLIPSOID: {
      const double v = 4.0 / 3 * HEFT_PI * s[0] * s[1] * s[2];
      return (HeftInertia){
          v,
          {0, 0, 0},
          mj_diagonal(v * (s[1] * s[1] + s[2] * s[2]) / 5, v * (s[0] * s[0] + s[2] * s[2]) / 5,
                      v * (s[0] * s[0] + s[1] * s[1]) / 5)};
    }
    case HEFT_SHAPE_BOX: {
      const double v = 8 * s[0] * s[1] * s[2];
      return (HeftInertia){
          v,
          {0, 0, 0},
          mj_diagonal(v * (s[1] * s[1] + s[2] * s[2]) / 3, v * (s[0] * s[0] + s[2] * s[2]) / 3,
                      v * (s[0] * s[0] + s[1] * s[1]) / 3)};
    }
    case HEFT_SHAPE_PLANE:
    case HEFT_SHAPE_MESH:
    case HEFT_SHAPE_HEIGHT_FIELD:
    case HEFT_SHAPE_TYPE_COUNT:
      break;
  }
  return (HeftInertia){0};
}

static void weigh_geom(Mjcf* m, const Item* item, GeomPart* part) {
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
    if (!assets_mass(asset, how, &i)) {
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
  i = mj_scale_inertia(i, mass >= 0 ? mass / i.mass : density);
  part->inertia = heft_inertia_transform(i, heft_pose(part->shape.pos, part->shape.quat));
}

static SoftLaw read_softness(Mjcf* m, const Item* item, const HeftShapeDef* s, double friction) {
  SoftLaw law = {.ref = {0.02, 1},
                 .imp = {0.9, 0.95, 0.001, 0.5, 2},
                 .mix = 1,
                 .friction = friction,
                 .priority = s->priority,
                 .condim = s->contact_dim};
  if (!m->load->def->soft_contacts) return law;
  const XmlNode* where;
  const char* mix = mj_text(m, item, MJ_geom_solmix, &where);
  if (mix) xml_numbers(m->load, where, "solmix", mix, 1, 1, &law.mix);
  soft_law_read(m, item, MJ_geom_solref, &law);
  return law;
}

static void read_contact_settings(Mjcf* m, const Item* item, GeomPart* part) {
  double friction[MATERIAL_NUMBERS] = {1, 1, 0.005, 0.0001}, given[3] = {1, 0.005, 0.0001};
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
  s->category = mj_int(m, item, MJ_geom_contype);
  s->collides = mj_int(m, item, MJ_geom_conaffinity);
  s->contact_dim = mj_int(m, item, MJ_geom_condim);
  s->priority = mj_int(m, item, MJ_geom_priority);
  const SoftLaw soft = read_softness(m, item, s, given[0]);
  const int is_soft = m->load->def->soft_contacts && custom < 0 && (s->category || s->collides);
  s->material = custom >= 0 ? custom
                : is_soft   ? soft_law_material(m, friction, &soft)
                            : mj_material(m, friction, NULL);
  s->margin = mj_real(m, item, MJ_geom_margin);
  s->gap = mj_real(m, item, MJ_geom_gap);
  s->group = mj_int(m, item, MJ_geom_group);
  part->info = (GeomInfo){.friction = {given[0], given[1], given[2]},
                          .margin = s->margin,
                          .gap = s->gap,
                          .condim = s->contact_dim,
                          .soft = soft};
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

// The index of the mesh or height field of a geom; -1 after a mistake.
static int read_geom_asset(Mjcf* m, const Item* item, MjcfKey key) {
  const int is_mesh = key == MJ_geom_mesh;
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
  return index;
}

static void need_field(Mjcf* m, const Item* item, const HeftShapeDef* s) {
  const MeshAsset* asset = assets_mesh(&m->assets, s->mesh);
  if (asset->field.type == HEFT_FIELD_NONE)
    load_fail(m->load, HEFT_ERR_VALUE, mj_place(m, item, MJ_geom_type),
              "<geom type=\"sdf\">: mesh '%.80s' is no distance shape; give it a <plugin>, or use "
              "type=\"mesh\"",
              asset->name);
}

void mj_read_geom(Mjcf* m, Item* item, GeomPart* part) {
  static const char* const types[] = {"plane",    "hfield", "sphere", "capsule", "ellipsoid",
                                      "cylinder", "box",    "mesh",   "sdf",     NULL};
  item->class = mj_class(m, item->scope->unit, item->node, "class", item->class);
  mj_check(m, item->node, MJCF_geom);
  for (const XmlNode* n = item->node->child; n; n = n->next) {
    if (!xml_is(n, "plugin")) mj_unknown_element(m, n);
  }
  const int type = mj_word(m, item, MJ_geom_type, types);
  *part = (GeomPart){.shape = heft_shape_def_default(), .item = item};
  HeftShapeDef* s = &part->shape;
  if (type < 0) return;
  s->type = mj_geom_types[type];
  s->pos = mj_vec3(m, item, MJ_geom_pos);
  s->quat = mj_orientation(m, item, MJ_geom_quat);
  const int is_field = type == 8;
  if (s->type == HEFT_SHAPE_MESH) {
    s->mesh = read_geom_asset(m, item, MJ_geom_mesh);
    if (is_field && LOAD_OK(m->load)) need_field(m, item, s);
  } else if (s->type == HEFT_SHAPE_HEIGHT_FIELD) {
    s->height_field = read_geom_asset(m, item, MJ_geom_hfield);
  } else if (s->type != HEFT_SHAPE_PLANE && mj_given(m, item, MJ_geom_mesh)) {
    const int mesh = read_geom_asset(m, item, MJ_geom_mesh);
    if (LOAD_OK(m->load)) mj_fit_shape(m, item, assets_mesh(&m->assets, mesh), s);
  } else {
    read_shape(m, item, MJ_geom_fromto, MJ_geom_size, s->type, &s->pos, &s->quat, s->size);
  }
  if (s->type == HEFT_SHAPE_PLANE) s->size[2] = 0;
  if (!LOAD_OK(m->load)) return;
  if (!mj_is_plain_frame(item)) mj_place_item(item, &s->pos, &s->quat);
  read_contact_settings(m, item, part);
  read_look(m, item, s);
  weigh_geom(m, item, part);
}

// Three numbers for a belt, six if its surface turns, too.
static void read_conveyor(Mjcf* m, const char* name, HeftShapeDef* s) {
  const int i = name[0] ? mj_name_find(m, OF_CONVEYOR, name) : -1;
  if (i < 0) return;
  const int count = GROW_AT(m->extras, Extra, i).count == 3 ? 3 : 6;
  const Extra* extra = mj_extra(m, OF_CONVEYOR, name, count);
  if (!extra) return;
  s->conveyor = 1;
  for (int k = 0; k < count; ++k) s->conveyor_velocity[k] = extra->x[k];
}

// Adds a shape to the model; `info` holds what later sections use. Returns its index.
static int add_shape(Mjcf* m, const HeftShapeDef* s, const GeomInfo* info) {
  GeomInfo* slot = LOAD_ADD(m->load, &m->geoms, GeomInfo);
  if (!slot) return -1;
  *slot = *info;
  return heft_builder_add_shape(m->load->builder, s);
}

// Adds the pieces that collide in place of a geom. They have its settings of contact.
static void add_pieces(Mjcf* m, const XmlNode* node, const HeftShapeDef* geom, const char* name,
                       const PieceRange* range, GeomInfo* info) {
  GeomInfo own = *info;
  info->first_piece = m->geoms.count;
  info->piece_count = range->count;
  for (int i = 0; i < range->count && LOAD_OK(m->load); ++i) {
    const int whole = i == 0 && geom->group >= PIECE_GROUP;  // it has the name of the geom
    own.first_piece = whole ? info->first_piece : 0;
    own.piece_count = whole ? range->count : 0;
    HeftShapeDef s = *geom;
    const char* full = name[0] ? load_format(m->load, "%s_piece_%d", name, i + 1) : "";
    s.name = mj_model_name(full);
    s.mesh = range->first + i;
    s.group = PIECE_GROUP;
    s.appearance = -1;
    assets_piece_color(i, s.color);
    mj_name_add(m, node, OF_GEOM, full, add_shape(m, &s, &own));
  }
}

// A geom that is not drawn by default is replaced by its pieces; its name then means the first of
// them. Others stay, to be seen: not in group 0, which is drawn with the collision shapes, too.
static void add_cut_geom(Mjcf* m, const XmlNode* node, HeftShapeDef* s, const char* name,
                         const PieceRange* range, GeomInfo info) {
  add_pieces(m, node, s, name, range, &info);
  int index = info.first_piece;
  if (s->group < PIECE_GROUP) {
    s->category = s->collides = 0;
    s->group = s->group > 0 ? s->group : 1;
    index = LOAD_OK(m->load) ? add_shape(m, s, &info) : -1;
  }
  mj_name_add(m, node, OF_GEOM, name, index);
}

void mj_add_geom(Mjcf* m, GeomPart* part, int body) {
  const Item* item = part->item;
  HeftShapeDef* s = &part->shape;
  m->owner = item->scope;
  const int collides = s->category != 0 || s->collides != 0;
  if (!collides && item->scope->unit->discard_visual) return;
  s->body = body;
  s->name = mj_full_name(m, item->scope, mj_text(m, item, MJ_geom_name, NULL));
  if (s->mesh >= 0 && s->appearance >= 0 && GROW_AT(m->looks, LookInfo, s->appearance).flat)
    assets_mesh(&m->assets, s->mesh)->textured = 1;
  const char* name = s->name;
  s->name = mj_model_name(name);
  read_conveyor(m, name, s);
  if (s->mesh >= 0 && collides) {
    const int triangles = mj_extra(m, OF_TRIANGLES, name, 1) != NULL;
    const PieceWish wish = mj_piece_wish(m, name);
    PieceRange range;
    const int cut =
        !triangles && LOAD_OK(m->load) ? assets_cut(m->load, &m->assets, s->mesh, wish, &range) : 0;
    if (cut > 0) add_cut_geom(m, item->node, s, name, &range, part->info);
    if (cut > 0 || !LOAD_OK(m->load)) return;
    assets_collide(assets_mesh(&m->assets, s->mesh), triangles);
  }
  mj_name_add(m, item->node, OF_GEOM, name, add_shape(m, s, &part->info));
}
