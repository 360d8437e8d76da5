// SPDX-License-Identifier: Apache-2.0
// Renumbers the elements of a builder. Readers add elements in the order of their file; a model may
// need another one. A permutation `to` gives the new index of each element; all references follow.
// Joints, coordinates and dofs go with their bodies, in the order that they have there.
#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "base/kind_table.h"
#include "model/builder.h"

/// Where things go; NULL: they stay.
typedef struct Order {
  const int *body, *joint, *site, *shape, *camera;
} Order;

static void move(const int* to, int* index) {
  if (to && *index >= 0) *index = to[*index];
}

static void move_frame(const Order* o, HeftFrame frame, int* index) {
  const int* const to[] = {o->site, o->body, o->body, o->shape, o->camera};
  KIND_TABLE_COVERS(to, HEFT_FRAME_COUNT);
  move(to[frame], index);
}

static void move_tree(HeftBuilder* b, const Order* o) {
  for (int i = 0; i < b->bodies.count; ++i)
    move(o->body, &LIST_AT(b->bodies, BodyRecord, i).def.parent);
  for (int i = 0; i < b->joints.count; ++i)
    move(o->body, &LIST_AT(b->joints, JointRecord, i).def.body);
  for (int i = 0; i < b->sites.count; ++i)
    move(o->body, &LIST_AT(b->sites, SiteRecord, i).def.body);
  for (int i = 0; i < b->shapes.count; ++i)
    move(o->body, &LIST_AT(b->shapes, ShapeRecord, i).def.body);
  for (int i = 0; i < b->cameras.count; ++i) {
    move(o->body, &LIST_AT(b->cameras, CameraRecord, i).def.body);
    move(o->body, &LIST_AT(b->cameras, CameraRecord, i).def.target);
  }
  for (int i = 0; i < b->lights.count; ++i) {
    move(o->body, &LIST_AT(b->lights, LightRecord, i).def.body);
    move(o->body, &LIST_AT(b->lights, LightRecord, i).def.target);
  }
}

static void move_nodes(HeftBuilder* b, const Order* o) {
  for (int i = 0; i < b->nodes.count; ++i) move(o->body, &LIST_AT(b->nodes, NodeRecord, i).body);
}

static void move_contacts(HeftBuilder* b, const Order* o) {
  for (int i = 0; i < b->pairs.count; ++i) {
    for (int k = 0; k < 2; ++k) move(o->shape, &LIST_AT(b->pairs, PairRecord, i).def.shape[k]);
  }
  for (int i = 0; i < b->excludes.count; ++i) {
    for (int k = 0; k < 2; ++k) move(o->body, &LIST_AT(b->excludes, ExcludeRecord, i).def.body[k]);
  }
  for (int i = 0; i < b->equalities.count; ++i) {
    HeftEqualityDef* def = &LIST_AT(b->equalities, EqualityRecord, i).def;
    const int* const to[] = {o->body, o->body, o->joint, NULL};
    for (int k = 0; k < 2; ++k) move(to[def->type], &def->object[k]);
  }
}

static void move_drives(HeftBuilder* b, const Order* o) {
  for (int i = 0; i < b->wraps.count; ++i) {
    HeftWrap* wrap = &LIST_AT(b->wraps, HeftWrap, i);
    const int* const to[] = {o->joint, o->site, NULL, o->shape};
    KIND_TABLE_COVERS(to, HEFT_WRAP_TYPE_COUNT);
    move(to[wrap->type], &wrap->object);
    move(o->site, &wrap->side);
  }
  for (int i = 0; i < b->actuators.count; ++i) {
    HeftActuatorDef* def = &LIST_AT(b->actuators, ActuatorRecord, i).def;
    const int* const to[] = {o->joint, NULL, o->site, o->joint, o->site};
    KIND_TABLE_COVERS(to, HEFT_TRANSMISSION_COUNT);
    move(to[def->transmission], &def->target);
    move(o->site, &def->reference);
  }
  for (int i = 0; i < b->sensors.count; ++i) {
    HeftSensorDef* def = &LIST_AT(b->sensors, SensorRecord, i).def;
    const int* const to[] = {NULL, o->joint, NULL, NULL, o->site, o->body, NULL};
    const HeftSensorObject object = heft_sensor_type_object(def->type);
    if (object == HEFT_SENSOR_OF_FRAME) {
      move_frame(o, def->frame, &def->object);
    } else {
      move(to[object], &def->object);
    }
    move_frame(o, def->reference_frame, &def->reference);
  }
}

static void move_references(HeftBuilder* b, const Order* o) {
  move_tree(b, o);
  move_nodes(b, o);
  move_contacts(b, o);
  move_drives(b, o);
}

// The items of a list, each to its new place. scratch holds a copy of the list.
static void move_items(List* list, const int* to, void* scratch) {
  const size_t size = list->item_size;
  if (list->count == 0) return;
  memcpy(scratch, list->items, (size_t)list->count * size);
  for (int i = 0; i < list->count; ++i)
    memcpy((char*)list->items + (size_t)to[i] * size, (char*)scratch + (size_t)i * size, size);
}

// ---- joints go with their bodies

typedef struct JointPlan {
  int *joint, *q, *v;       ///< where each goes
  int *first_q, *first_v;   ///< of each joint, before
  int *from, *first_joint;  ///< of each body: which one comes to its place; before
} JointPlan;

static void number_before(const HeftBuilder* b, const JointPlan* p) {
  int q = 0, v = 0, body = 0;
  for (int j = 0; j < b->joints.count; ++j) {
    const HeftJointDef* def = &LIST_AT(b->joints, JointRecord, j).def;
    while (body <= def->body) p->first_joint[body++] = j;
    p->first_q[j] = q;
    p->first_v[j] = v;
    q += heft_joint_type_q_count(def->type);
    v += heft_joint_type_dof_count(def->type);
  }
  while (body <= b->bodies.count) p->first_joint[body++] = b->joints.count;
}

static void plan_joints(const HeftBuilder* b, const int* to, const JointPlan* p) {
  number_before(b, p);
  for (int i = 0; i < b->bodies.count; ++i) p->from[to[i]] = i;
  int joint = 0, q = 0, v = 0;
  for (int i = 0; i < b->bodies.count; ++i) {
    for (int j = p->first_joint[p->from[i]]; j < p->first_joint[p->from[i] + 1]; ++j) {
      const HeftJointType type = LIST_AT(b->joints, JointRecord, j).def.type;
      p->joint[j] = joint++;
      for (int k = 0; k < heft_joint_type_q_count(type); ++k) p->q[p->first_q[j] + k] = q++;
      for (int k = 0; k < heft_joint_type_dof_count(type); ++k) p->v[p->first_v[j] + k] = v++;
    }
  }
}

// Poses of moved bodies: in the order of the bodies, as these are after the move.
static void move_key_poses(const HeftBuilder* b, const JointPlan* p, double* poses,
                           double* scratch) {
  int place = 0;
  for (int i = 0; i < b->bodies.count; ++i) {
    int before = 0;
    if (!LIST_AT(b->bodies, BodyRecord, p->from[i]).def.moved) continue;
    for (int k = 0; k < p->from[i]; ++k) before += LIST_AT(b->bodies, BodyRecord, k).def.moved != 0;
    memcpy(scratch + 7L * place++, poses + 7L * before, 7 * sizeof(double));
  }
  if (place > 0) memcpy(poses, scratch, 7 * (size_t)place * sizeof(double));
}

static void move_keys(HeftBuilder* b, const JointPlan* p, double* scratch) {
  const int others = b->nact + b->actuators.count;
  const int stride = b->nq + b->nv + others + 7 * b->nmoved;
  for (int k = 0; k < b->keys.count; ++k) {
    double* row = &LIST_AT(b->key_numbers, double, (long)k* stride);
    for (int i = 0; i < b->nq; ++i) scratch[p->q[i]] = row[i];
    for (int i = 0; i < b->nv; ++i) scratch[b->nq + p->v[i]] = row[b->nq + i];
    if (b->nq + b->nv > 0) memcpy(row, scratch, (size_t)(b->nq + b->nv) * sizeof(double));
    move_key_poses(b, p, row + b->nq + b->nv + others, scratch);
  }
}

static void move_bodies(HeftBuilder* b, const int* to, int* numbers, void* scratch) {
  const int bodies = b->bodies.count, joints = b->joints.count;
  JointPlan p = {.joint = numbers};
  p.first_q = p.joint + joints;
  p.first_v = p.first_q + joints;
  p.from = p.first_v + joints;
  p.first_joint = p.from + bodies;
  p.q = p.first_joint + bodies + 1;
  p.v = p.q + b->nq;
  plan_joints(b, to, &p);
  const Order order = {.body = to, .joint = p.joint};
  move_references(b, &order);
  move_keys(b, &p, scratch);  // reads the bodies in their old order
  move_items(&b->bodies, to, scratch);
  move_items(&b->joints, p.joint, scratch);
}

// ---- any kind

static List* list_of(HeftBuilder* b, HeftNamed kind) {
  switch (kind) {
    case HEFT_NAMED_BODY:
      return &b->bodies;
    case HEFT_NAMED_SITE:
      return &b->sites;
    case HEFT_NAMED_SHAPE:
      return &b->shapes;
    case HEFT_NAMED_CAMERA:
      return &b->cameras;
    case HEFT_NAMED_LIGHT:
      return &b->lights;
    case HEFT_NAMED_JOINT:
    case HEFT_NAMED_MATERIAL:
    case HEFT_NAMED_MESH:
    case HEFT_NAMED_HEIGHT_FIELD:
    case HEFT_NAMED_TEXTURE:
    case HEFT_NAMED_APPEARANCE:
    case HEFT_NAMED_PAIR:
    case HEFT_NAMED_EXCLUDE:
    case HEFT_NAMED_EQUALITY:
    case HEFT_NAMED_TENDON:
    case HEFT_NAMED_ACTUATOR:
    case HEFT_NAMED_SENSOR:
    case HEFT_NAMED_KEY:
    case HEFT_NAMED_DEFORMABLE:
    case HEFT_NAMED_COUNT:
      break;
  }
  return NULL;
}

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

int heft_builder_count(const HeftBuilder* b, HeftNamed kind) {
  HEFT_REQUIRE(b, 0);
  const List* list = list_of((HeftBuilder*)b, kind);
  return list ? list->count : 0;
}

void heft_builder_reorder(HeftBuilder* b, HeftNamed kind, const int* to) {
  HEFT_REQUIRE_VOID(b && to);
  List* list = list_of(b, kind);
  HEFT_REQUIRE_VOID(list && to);
  if (b->error.status != HEFT_OK) return;
  size_t items =
      larger((size_t)list->count * list->item_size, (size_t)b->joints.count * b->joints.item_size);
  items = larger(items, (size_t)(b->nq + b->nv) * sizeof(double));
  items = (items + 63) / 64 * 64;
  const size_t numbers =
      (size_t)(3 * b->joints.count + 2 * b->bodies.count + 1 + b->nq + b->nv) * sizeof(int);
  char* scratch = b->allocator.allocate(b->allocator.user, items + numbers, 64);
  if (!scratch) {
    heft_error_set(&b->error, HEFT_ERR_MEMORY, "no memory to renumber a model");
    return;
  }
  if (kind == HEFT_NAMED_BODY) {
    move_bodies(b, to, (int*)(void*)(scratch + items), scratch);
  } else {
    const Order order = {.site = kind == HEFT_NAMED_SITE ? to : NULL,
                         .shape = kind == HEFT_NAMED_SHAPE ? to : NULL,
                         .camera = kind == HEFT_NAMED_CAMERA ? to : NULL};
    move_references(b, &order);
    move_items(list, to, scratch);
  }
  b->allocator.release(b->allocator.user, scratch, items + numbers);
}
