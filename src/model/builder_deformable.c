// SPDX-License-Identifier: Apache-2.0
// Deformable bodies in a builder: a vertex becomes a body on three slides, with a quarter of the
// mass of each tetrahedron at it. A vertex that a body holds becomes a body without joints on it.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/def.h"
#include "base/error.h"
#include "model/builder.h"

enum { NAME_MAX = 200 };  // leaves room for numbers

// ---- the surface: faces that belong to only one tetrahedron

/// A face of a tetrahedron. key: its corners in rising order, by which equal faces are found.
typedef struct Face {
  int key[3];
  int corner[3];
} Face;

// The faces of a tetrahedron of positive volume, seen from outside in anticlockwise order.
static const int face_corner[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

static void order_two(int* a, int* b) {
  if (*a <= *b) return;
  const int more = *a;
  *a = *b;
  *b = more;
}

static Face face_of(const int* tetrahedron, int side) {
  Face f;
  for (int i = 0; i < 3; ++i) f.key[i] = f.corner[i] = tetrahedron[face_corner[side][i]];
  order_two(&f.key[0], &f.key[1]);
  order_two(&f.key[1], &f.key[2]);
  order_two(&f.key[0], &f.key[1]);
  return f;
}

static int compare(const Face* a, const Face* b) {
  for (int i = 0; i < 3; ++i) {
    if (a->key[i] != b->key[i]) return a->key[i] < b->key[i] ? -1 : 1;
  }
  return 0;
}

// Heap sort: no more than n log n steps, whatever the file.
static void sift(Face* f, int root, int count) {
  const Face moved = f[root];
  for (int child = 2 * root + 1; child < count; root = child, child = 2 * root + 1) {
    if (child + 1 < count && compare(&f[child], &f[child + 1]) < 0) ++child;
    if (compare(&moved, &f[child]) >= 0) break;
    f[root] = f[child];
  }
  f[root] = moved;
}

static void sort_faces(Face* f, int count) {
  for (int i = count / 2 - 1; i >= 0; --i) sift(f, i, count);
  for (int end = count - 1; end > 0; --end) {
    const Face last = f[end];
    f[end] = f[0];
    f[0] = last;
    sift(f, 0, end);
  }
}

// Moves the faces of the surface to the front of sorted faces. Returns their number, -1 if a face
// belongs to more than two tetrahedra.
static int keep_surface(Face* f, int count) {
  int kept = 0;
  for (int i = 0, next = 0; i < count; i = next) {
    for (next = i + 1; next < count && compare(&f[i], &f[next]) == 0;) ++next;
    if (next - i > 2) return -1;
    if (next - i == 1) f[kept++] = f[i];
  }
  return kept;
}

// Stores the surface triangles of all tetrahedra. Returns their number, -1 after an error.
static int store_surface(HeftBuilder* b, const char* name, const int* tetrahedra, int count) {
  const size_t size = 4 * (size_t)count * sizeof(Face);
  Face* faces = b->allocator.allocate(b->allocator.user, size, 64);
  if (!faces)
    BUILDER_FAIL(b, HEFT_ERR_MEMORY, "deformable body '%s': no memory for its surface", name);
  for (int i = 0; i < 4 * count; ++i) faces[i] = face_of(tetrahedra + 4L * (i / 4), i % 4);
  sort_faces(faces, 4 * count);
  const int kept = keep_surface(faces, 4 * count);
  int* out = kept > 0 ? heft_list_extend(&b->skins, kept, &b->allocator) : NULL;
  for (int i = 0; i < kept && out; ++i) memcpy(out + 3L * i, faces[i].corner, 3 * sizeof(int));
  b->allocator.release(b->allocator.user, faces, size);
  if (kept < 0)
    BUILDER_FAIL(b, HEFT_ERR_VALUE,
                 "deformable body '%s': three tetrahedra share a face; tetrahedra may not overlap",
                 name);
  if (kept > 0 && !out) BUILDER_FAIL(b, HEFT_ERR_MEMORY, "deformable body '%s': no memory", name);
  return kept;
}

// ---- records

int heft_builder_store_deformable(HeftBuilder* b, const DeformableRecord* record,
                                  const DeformableParts* parts) {
  DeformableRecord r = *record;
  const char* name = (const char*)b->names.items + r.name;
  r.node = b->nodes.count;
  r.tetrahedron = b->tetrahedra.count;
  r.skin = b->skins.count;
  if (parts->skin) {
    int* skin = heft_list_extend(&b->skins, r.skin_count, &b->allocator);
    if (!skin) BUILDER_FAIL(b, HEFT_ERR_MEMORY, "deformable body '%s': no memory", name);
    if (r.skin_count > 0) memcpy(skin, parts->skin, 3 * sizeof(int) * (size_t)r.skin_count);
  } else {
    r.skin_count = store_surface(b, name, parts->tetrahedra, r.tetrahedron_count);
    if (r.skin_count < 0) return -1;
  }
  NodeRecord* nodes = heft_list_extend(&b->nodes, r.node_count, &b->allocator);
  int* tetrahedra = heft_list_extend(&b->tetrahedra, r.tetrahedron_count, &b->allocator);
  DeformableRecord* own = heft_list_extend(&b->deformables, 1, &b->allocator);
  if (!nodes || !tetrahedra || !own)
    BUILDER_FAIL(b, HEFT_ERR_MEMORY, "a deformable body: no memory");
  memcpy(nodes, parts->nodes, (size_t)r.node_count * sizeof *nodes);
  memcpy(tetrahedra, parts->tetrahedra, 4 * sizeof(int) * (size_t)r.tetrahedron_count);
  *own = r;
  return b->deformables.count - 1;
}

// ---- from a def

/// Memory while a deformable body is added.
typedef struct Adding {
  NodeRecord* nodes;
  double* mass;      ///< of each vertex
  int* tetrahedra;   ///< of positive volume
  int* holder;       ///< the body that holds the vertex, -1: none
  uint8_t* outside;  ///< 1 if the vertex is on the surface
} Adding;

static double six_volumes(const double* a, const double* b, const double* c, const double* d) {
  const HeftVec3 o = heft_vec3_from(a), x = heft_vec3_sub(heft_vec3_from(b), o),
                 y = heft_vec3_sub(heft_vec3_from(c), o), z = heft_vec3_sub(heft_vec3_from(d), o);
  return heft_vec3_dot(x, heft_vec3_cross(y, z));
}

static int add_tetrahedra(HeftBuilder* b, const HeftDeformableDef* def, const Adding* a) {
  for (int t = 0; t < def->tetrahedron_count; ++t) {
    const int* given = def->tetrahedra + 4L * t;
    int* own = a->tetrahedra + 4L * t;
    for (int i = 0; i < 4; ++i) {
      if (given[i] < 0 || given[i] >= def->vertex_count)
        BUILDER_FAIL(b, HEFT_ERR_VALUE,
                     "deformable body '%s': tetrahedron %d has the vertex %d, expected 0 to %d",
                     def->name, t, given[i], def->vertex_count - 1);
      own[i] = given[i];
    }
    const double* x = def->vertices;
    const double volume =
        six_volumes(x + 3L * own[0], x + 3L * own[1], x + 3L * own[2], x + 3L * own[3]) / 6;
    if (!(fabs(volume) > 1e-18))
      BUILDER_FAIL(
          b, HEFT_ERR_VALUE,
          "deformable body '%s': tetrahedron %d has the volume %g m³; remove flat tetrahedra",
          def->name, t, volume);
    if (volume < 0) {
      own[2] = given[3];
      own[3] = given[2];
    }
    for (int i = 0; i < 4; ++i) a->mass[own[i]] += 0.25 * def->density * fabs(volume);
  }
  return 0;
}

static int check_def(HeftBuilder* b, const HeftDeformableDef* def) {
  if (!def->name || !def->name[0] || strlen(def->name) > NAME_MAX)
    BUILDER_FAIL(b, HEFT_ERR_NAME, "a deformable body needs a name of 1 to %d bytes", NAME_MAX);
  if (def->vertex_count < 4 || def->tetrahedron_count < 1 || !def->vertices || !def->tetrahedra ||
      def->tetrahedron_count > 1 << 22 || def->bond_count < 0 ||
      (def->bond_count > 0 && !def->bonds))
    BUILDER_FAIL(b, HEFT_ERR_ARGUMENT,
                 "deformable body '%s': it needs four vertices and a tetrahedron at least",
                 def->name);
  for (int i = 0; i < def->bond_count; ++i) {
    if (def->bonds[i] < 0 || def->bonds[i] >= def->vertex_count)
      BUILDER_FAIL(b, HEFT_ERR_VALUE,
                   "deformable body '%s': bond %d has the vertex %d, expected 0 to %d", def->name,
                   i, def->bonds[i], def->vertex_count - 1);
    if (def->bond_bodies && (def->bond_bodies[i] < 0 || def->bond_bodies[i] >= b->bodies.count))
      BUILDER_FAIL(b, HEFT_ERR_VALUE,
                   "deformable body '%s': bond %d has the body %d, expected 0 to %d; add bodies "
                   "before what they hold",
                   def->name, i, def->bond_bodies[i], b->bodies.count - 1);
  }
  for (long i = 0; i < 3L * def->vertex_count; ++i) {
    if (!(fabs(def->vertices[i]) <= 1e9))
      BUILDER_FAIL(b, HEFT_ERR_VALUE, "deformable body '%s': vertex %ld is not finite", def->name,
                   i / 3);
  }
  if (!(def->density > 0 && def->density < 1e6))
    BUILDER_FAIL(b, HEFT_ERR_VALUE,
                 "deformable body '%s': its density is %g kg/m³, expected 0 to 1e6", def->name,
                 def->density);
  return 0;
}

// A body in the described pose.
static HeftPose described_pose(const HeftBuilder* b, int body) {
  HeftPose pose = heft_pose_identity();
  for (; body > 0; body = LIST_AT(b->bodies, BodyRecord, body).def.parent) {
    const HeftBodyDef* def = &LIST_AT(b->bodies, BodyRecord, body).def;
    pose = heft_pose_mul(heft_pose(def->pos, heft_quat_normalize(def->quat)), pose);
  }
  return pose;
}

static int add_vertex_body(HeftBuilder* b, const HeftDeformableDef* def, const Adding* a, int i,
                           HeftVec3 place) {
  char name[256];
  HeftBodyDef body = heft_body_def_default();
  const int held = a->holder[i] >= 0;
  snprintf(name, sizeof name, "%s_%d", def->name, i);
  const double radius = def->radius > 0 ? def->radius : 0.001;
  const double moment = 0.4 * a->mass[i] * radius * radius;
  body.name = name;
  body.pos = place;
  if (a->holder[i] > 0) {
    const HeftPose holder = described_pose(b, a->holder[i]);
    const HeftMat3 turn = heft_quat_to_mat3(heft_quat_normalize(def->quat));
    body.parent = a->holder[i];  // its axes belong to the shape without stress
    body.pos = heft_pose_apply_inverse(holder, place);
    body.quat = heft_quat_from_mat3(heft_mat3_mul(heft_mat3_transpose(holder.rot), turn));
  }
  body.mass = a->mass[i];
  body.inertia = (HeftSym3){moment, moment, moment, 0, 0, 0};
  const int index = heft_builder_add_body(b, &body);
  for (int k = 0; k < 3 && !held; ++k) {
    HeftJointDef joint = heft_joint_def_default();
    joint.body = index;
    joint.type = HEFT_JOINT_SLIDE;
    joint.axis = heft_vec3(k == 0, k == 1, k == 2);
    heft_builder_add_joint(b, &joint);
  }
  if (!(def->radius > 0) || !a->outside[i] || held) return index;
  HeftShapeDef shape = heft_shape_def_default();
  shape.body = index;
  shape.type = HEFT_SHAPE_SPHERE;
  shape.size[0] = def->radius;
  shape.material = def->material;
  shape.category = def->category;
  shape.collides = def->collides;
  shape.contact_dim = def->contact_dim;
  shape.group = 3;
  memcpy(shape.color, def->color, sizeof shape.color);
  heft_builder_add_shape(b, &shape);
  return index;
}

static void add_vertices(HeftBuilder* b, const HeftDeformableDef* def, const Adding* a) {
  const HeftPose pose = heft_pose(def->pos, heft_quat_normalize(def->quat));
  for (int i = 0; i < def->vertex_count && b->error.status == HEFT_OK; ++i) {
    const HeftVec3 own = heft_vec3_from(def->vertices + 3L * i);
    const HeftVec3 place = heft_pose_apply(pose, own);
    NodeRecord* node = &a->nodes[i];
    memcpy(node->rest, def->vertices + 3L * i, sizeof node->rest);
    node->body = add_vertex_body(b, def, a, i, place);
  }
}

static int add_parts(HeftBuilder* b, const HeftDeformableDef* def, const Adding* a) {
  if (add_tetrahedra(b, def, a) < 0) return -1;
  for (int i = 0; i < def->vertex_count; ++i) a->holder[i] = -1;
  for (int i = 0; i < def->bond_count; ++i)
    a->holder[def->bonds[i]] = def->bond_bodies ? def->bond_bodies[i] : 0;
  for (int i = 0; i < def->vertex_count; ++i) {
    if (!(a->mass[i] > 0))
      BUILDER_FAIL(b, HEFT_ERR_VALUE,
                   "deformable body '%s': vertex %d belongs to no tetrahedron; leave it out",
                   def->name, i);
  }
  const int skin = b->skins.count;
  const int skins = store_surface(b, def->name, a->tetrahedra, def->tetrahedron_count);
  const int* corner = b->skins.items;
  for (long i = 3L * skin; i < 3L * (skin + skins); ++i) a->outside[corner[i]] = 1;
  b->skins.count = skin;  // stored again with the record
  if (skins < 0) return -1;
  add_vertices(b, def, a);
  const int name = heft_builder_store_name(b, def->name);
  if (b->error.status != HEFT_OK || name < 0) return -1;
  DeformableRecord r = {.young = def->young,
                        .poisson = def->poisson,
                        .damping = def->damping,
                        .node_count = def->vertex_count,
                        .tetrahedron_count = def->tetrahedron_count,
                        .name = name};
  memcpy(r.color, def->color, sizeof r.color);
  const DeformableParts parts = {a->nodes, a->tetrahedra, NULL};
  return heft_builder_store_deformable(b, &r, &parts);
}

int heft_builder_add_deformable(HeftBuilder* b, const HeftDeformableDef* def) {
  HEFT_REQUIRE(b && def, -1);
  if (b->error.status != HEFT_OK) return -1;
  if (HEFT_DEF_CHECK(HeftDeformableDef, heft_deformable_def_default, def, &b->error) != HEFT_OK)
    return -1;
  if (check_def(b, def) < 0) return -1;
  const size_t n = (size_t)def->vertex_count, t = (size_t)def->tetrahedron_count;
  const size_t size =
      n * (sizeof(NodeRecord) + sizeof(double) + sizeof(int) + 1) + 4 * t * sizeof(int);
  char* memory = b->allocator.allocate(b->allocator.user, size, 64);
  if (!memory) BUILDER_FAIL(b, HEFT_ERR_MEMORY, "deformable body '%s': no memory", def->name);
  memset(memory, 0, size);
  Adding a = {.nodes = (NodeRecord*)(void*)memory};
  a.mass = (double*)(void*)(a.nodes + n);
  a.tetrahedra = (int*)(void*)(a.mass + n);
  a.holder = a.tetrahedra + 4 * t;
  a.outside = (uint8_t*)(a.holder + n);
  const int index = add_parts(b, def, &a);
  b->allocator.release(b->allocator.user, memory, size);
  return index;
}
