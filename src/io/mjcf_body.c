// SPDX-License-Identifier: Apache-2.0
// The tree of bodies. The inertia of a body is needed first; then the body goes to the builder,
// then its joints, geoms and sites, then the bodies in it, in the order of the file. Cameras and
// lights follow after the tree, and then deformable bodies.
#include <string.h>

#include "io/mjcf_tree.h"

// Cameras and lights can refer to bodies that follow in the file: they are added after the tree. So
// are deformable bodies, so that the bodies of the file keep their numbers.
typedef struct Later {
  Item item;
  int body;
} Later;

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
  static const char* const known[] = {"body",   "joint", "freejoint", "geom",     "site",
                                      "camera", "light", "inertial",  "flexcomp", NULL};
  for (int i = 0; known[i]; ++i) {
    if (xml_is(n, known[i])) return 1;
  }
  return 0;
}

// Everything in a body but the body itself.
static void fill_body(World* w, Grow* items, GeomPart* parts, int part_count, const char* name,
                      int body, int parent) {
  Mjcf* m = w->m;
  const int joints = count_of(items, "joint", "freejoint");
  int placed = 0;
  for (int i = 0; i < items->count && LOAD_OK(m->load); ++i) {
    Item* item = &GROW_AT(*items, Item, i);
    if (!is_known(item->node)) mj_unknown_element(m, item->node);
    if (!mj_is_joint(item)) continue;
    placed += mj_fixed_joints(m, name, body, placed) + 1;
    mj_add_joint(m, items, &i, body, parent, joints);
  }
  if (body > 0) mj_fixed_joints(m, name, body, placed);
  for (int i = 0; i < part_count && LOAD_OK(m->load); ++i) mj_add_geom(m, &parts[i], body);
  for (int i = 0; i < items->count && LOAD_OK(m->load); ++i) {
    Item* item = &GROW_AT(*items, Item, i);
    if (xml_is(item->node, "site")) mj_add_site(m, item, body);
    if (!xml_is(item->node, "camera") && !xml_is(item->node, "light") &&
        !xml_is(item->node, "flexcomp"))
      continue;
    Later* later = LOAD_ADD(m->load, &w->later, Later);
    if (later) *later = (Later){*item, body};
  }
  for (int i = 0; i < items->count && LOAD_OK(m->load); ++i) {
    const Item* item = &GROW_AT(*items, Item, i);
    if (!xml_is(item->node, "body")) continue;
    if (!mj_enter(m, item->node)) return;
    add_body(w, item, body);
    --m->depth;
  }
}

static GeomPart* read_geoms(Mjcf* m, Grow* items, int* count) {
  *count = 0;
  GeomPart* parts = load_take(m->load, (size_t)count_of(items, "geom", NULL), sizeof(GeomPart));
  for (int i = 0; i < items->count && LOAD_OK(m->load); ++i) {
    Item* item = &GROW_AT(*items, Item, i);
    if (xml_is(item->node, "geom")) mj_read_geom(m, item, &parts[(*count)++]);
  }
  return parts;
}

static void note_body(Mjcf* m, const HeftBodyDef* def) {
  BodyInfo* info = LOAD_ADD(m->load, &m->bodies, BodyInfo);
  if (!info) return;
  const HeftPose parent =
      m->bodies.count > 1 ? GROW_AT(m->bodies, BodyInfo, def->parent).pose : heft_pose_identity();
  info->pose = heft_pose_mul(parent, heft_pose(def->pos, mj_unit(def->quat)));
  info->parent = def->parent;
  info->own = heft_pose(def->pos, mj_unit(def->quat));
  info->moved = def->moved;
  const HeftMat3 axes = heft_quat_to_mat3(heft_quat_normalize(def->inertia_quat));
  info->inertia = (HeftInertia){def->mass, def->com, heft_sym3_rotate(def->inertia, axes)};
}

// A mocap body hangs on the world, and neither it nor bodies that it carries have joints.
static void read_motion(Mjcf* m, const Item* item, const Grow* items, HeftBodyDef* def) {
  const int joints = count_of(items, "joint", "freejoint");
  const int carried = def->parent > 0 && GROW_AT(m->bodies, BodyInfo, def->parent).moved;
  def->moved = mj_bool(m, item, MJ_body_mocap);
  if (def->moved && (def->parent != 0 || joints > 0))
    load_fail(m->load, HEFT_ERR_VALUE, mj_place(m, item, MJ_body_mocap),
              "<body mocap>: a mocap body must be a child of the world and have no joints");
  if (carried && joints > 0)
    load_fail(m->load, HEFT_ERR_VALUE, xml_place(item->node),
              "<body>: a body with joints is carried by a mocap body, which Heft does not support; "
              "give it a free joint in the world and weld it to the mocap body by <equality>");
  m->nmoved += def->moved;
  const Extra* extra = def->moved ? mj_extra(m, OF_MOTION, def->name, 6) : NULL;
  if (extra) memcpy(def->moved_velocity, extra->x, sizeof def->moved_velocity);
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
  if (!mj_is_plain_frame(&item)) mj_place_item(&item, &def.pos, &def.quat);
  Item inside = item;
  inside.pos = heft_vec3(0, 0, 0);
  inside.quat = heft_quat_identity();
  Grow items = {0};
  mj_flatten(m, item.node, &inside, &items);
  int part_count = 0;
  GeomPart* parts = read_geoms(m, &items, &part_count);
  if (LOAD_OK(m->load)) mj_weigh_body(m, &item, &items, parts, part_count, &def);
  if (!LOAD_OK(m->load)) return;
  def.name = mj_full_name(m, item.scope, mj_text(m, &item, MJ_body_name, NULL));
  if (strcmp(def.name, "world") == 0)
    load_fail(m->load, HEFT_ERR_NAME, xml_attribute_place(item.node, "name"),
              "two bodies are named 'world'; this name is reserved for the world");
  read_motion(m, &item, &items, &def);
  note_body(m, &def);
  if (!LOAD_OK(m->load)) return;
  const char* name = def.name;
  def.name = mj_model_name(name);
  const int body = heft_builder_add_body(m->load->builder, &def);
  BodyInfo* info = &GROW_AT(m->bodies, BodyInfo, m->bodies.count - 1);
  info->jointed = count_of(&items, "joint", "freejoint") > 0;
  info->moved |= parent > 0 && !info->jointed && GROW_AT(m->bodies, BodyInfo, parent).moved;
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
  Scope* scope = mj_add_scope(m, unit, "", "");
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
    mj_flatten(m, n, &item, &items);
  }
  int part_count = 0;
  GeomPart* parts = read_geoms(m, &items, &part_count);
  if (LOAD_OK(m->load)) fill_body(&w, &items, parts, part_count, "", 0, -1);
  for (int i = 0; i < w.later.count && LOAD_OK(m->load); ++i) {
    Later* later = &GROW_AT(w.later, Later, i);
    if (xml_is(later->item.node, "camera")) mj_add_camera(m, &later->item, later->body);
    if (xml_is(later->item.node, "light")) mj_add_light(m, &later->item, later->body);
  }
  for (int i = 0; i < w.later.count && LOAD_OK(m->load); ++i) {
    Later* later = &GROW_AT(w.later, Later, i);
    if (xml_is(later->item.node, "flexcomp")) mj_add_flexcomp(m, &later->item, later->body);
  }
}
