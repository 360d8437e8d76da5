// SPDX-License-Identifier: Apache-2.0
// The elements of a body in one list. <frame>, <replicate> and <attach> are replaced by the
// elements in them, each with its pose in the body, its class and its scope.
#include <stdio.h>
#include <string.h>

#include "io/mjcf_tree.h"

// Operations for a copy of an element.
enum { WORK_OF_COPY = 400 };

void mj_place_item(const Item* item, HeftVec3* pos, HeftQuat* quat) {
  *pos = heft_vec3_add(item->pos, heft_quat_rotate(item->quat, *pos));
  *quat = heft_quat_mul(item->quat, *quat);
}

int mj_is_plain_frame(const Item* item) {
  return item->pos.x == 0 && item->pos.y == 0 && item->pos.z == 0 && item->quat.w == 1;
}

Scope* mj_add_scope(Mjcf* m, Unit* unit, const char* prefix, const char* suffix) {
  Scope* scope = LOAD_NEW(m->load, Scope);
  Scope** slot = scope ? LOAD_ADD(m->load, &m->scopes, Scope*) : NULL;
  if (!slot) return NULL;
  *scope = (Scope){.unit = unit, .prefix = prefix, .suffix = suffix};
  *slot = scope;
  return scope;
}

static void count_element(Mjcf* m, const XmlNode* node) {
  if (!load_work(m->load, xml_place(node), WORK_OF_COPY)) return;
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
  mj_place_item(item, &pos, &quat);
  inner.pos = pos;
  inner.quat = quat;
  inner.class = mj_class(m, item->scope->unit, item->node, "childclass", item->class);
  mj_flatten(m, item->node, &inner, items);
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
    mj_place_item(item, &inner.pos, &inner.quat);
    const char* suffix = load_format(m->load, "%s%0*d%s", sep, width, i, item->scope->suffix);
    inner.scope = mj_add_scope(m, item->scope->unit, item->scope->prefix, suffix);
    if (!inner.scope) return;
    count_element(m, item->node);
    mj_flatten(m, item->node, &inner, items);
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

static const XmlNode* find_body(Mjcf* m, const XmlNode* node, const char* name) {
  for (const XmlNode* n = node->child; n && LOAD_OK(m->load); n = n->next) {
    load_search(m->load, xml_place(n), 1);
    if (xml_is(n, "body")) {
      const char* own = xml_get(n, "name");
      if (own && strcmp(own, name) == 0) return n;
    }
    const XmlNode* inner = find_body(m, n, name);
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
  inner.scope = mj_add_scope(m, unit, load_format(m->load, "%s%s", item->scope->prefix, prefix),
                             item->scope->suffix);
  if (!inner.scope) return;
  inner.class = GROW_AT(unit->classes, Class*, 0);
  if (!load_search(m->load, xml_place(item->node), m->scopes.count)) return;
  const int there = assets_are_there(m, inner.scope);
  inner.scope->done = 1;
  if (!there) mj_read_assets(m, inner.scope);
  const char* body = mj_text(m, item, MJ_attach_body, NULL);
  for (const XmlNode* w = xml_child(unit->root, "worldbody"); w && LOAD_OK(m->load);
       w = xml_next(w, "worldbody")) {
    if (!body) {
      mj_flatten(m, w, &inner, items);
      continue;
    }
    const XmlNode* node = find_body(m, w, body);
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

void mj_flatten(Mjcf* m, const XmlNode* parent, const Item* around, Grow* items) {
  if (!mj_enter(m, parent)) return;
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
  --m->depth;
}
