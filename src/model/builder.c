// SPDX-License-Identifier: Apache-2.0
// The builder: collects records, stores the first error, and makes the model at the end. It checks
// only the data that it needs to store a record; validate.c checks everything else once, on the
// finished arrays.
#include "model/builder.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/allocator.h"
#include "base/arena.h"
#include "base/assert.h"
#include "base/def.h"
#include "base/error.h"
#include "model/field.h"
#include "model/layout.h"
#include "model/tree.h"
#include "model/validate.h"

static const HeftPhysics default_physics = {.gravity = {0, 0, -9.81}, .time_step = 0.001};

static int store_text(HeftBuilder* b, const char* name, size_t max) {
  if (!name || !name[0]) return 0;
  const size_t length = strlen(name);
  if (length > max)
    BUILDER_FAIL(b, HEFT_ERR_LIMIT, "the name '%.40s...' has %zu bytes, at most %zu are allowed",
                 name, length, max);
  char* at = heft_list_extend(&b->names, (int)length + 1, &b->allocator);
  if (!at) BUILDER_FAIL(b, HEFT_ERR_MEMORY, "no memory for a name");
  memcpy(at, name, length + 1);
  return (int)(at - (char*)b->names.items);
}

static int store_name(HeftBuilder* b, const char* name) { return store_text(b, name, 255); }

int heft_builder_store_name(HeftBuilder* b, const char* name) { return store_name(b, name); }

// Adds a record to a list: the definition as given, its name moved into the pool. Returns the
// index.
static int store(HeftBuilder* b, List* list, const void* def, size_t def_size, const char* name,
                 size_t pointer_at, size_t name_at) {
  if (b->error.status != HEFT_OK) return -1;
  const int offset = store_name(b, name);
  if (offset < 0) return -1;
  unsigned char* record = heft_list_extend(list, 1, &b->allocator);
  if (!record) BUILDER_FAIL(b, HEFT_ERR_MEMORY, "no memory for a part of the model");
  memcpy(record, def, def_size);
  memset(record + pointer_at, 0, sizeof(char*));  // the caller's pointer is not kept
  memcpy(record + name_at, &offset, sizeof offset);
  return list->count - 1;
}

#define STORE(b, list, Record, given)                                                         \
  store((b), &(b)->list, (given), sizeof *(given), (given)->name, offsetof(Record, def.name), \
        offsetof(Record, name))

// Returns from an add function if the builder has failed already or the def may not be read.
#define CHECK_DEF(b, Def, usual, def)                                         \
  do {                                                                        \
    if ((b)->error.status != HEFT_OK) return -1;                              \
    if (HEFT_DEF_CHECK(Def, usual, (def), &(b)->error) != HEFT_OK) return -1; \
  } while (0)

static int usable_quat(HeftQuat q) {
  const double norm = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return norm >= 0.5 && norm <= 2;
}

static int no_memory(HeftBuilder* b) {
  BUILDER_FAIL(b, HEFT_ERR_MEMORY, "no memory for a part of the model");
}

static int body_exists(const HeftBuilder* b, int body) {
  return body >= 0 && body < b->bodies.count;
}

#define NAME_OF(def) ((def)->name ? (def)->name : "")

HeftStatus heft_builder_create(HeftBuilder** out, const HeftAllocator* allocator,
                               HeftError* error) {
  HEFT_REQUIRE(out, HEFT_ERR_ARGUMENT);
  const HeftAllocator source = allocator_or_default(allocator);
  HeftBuilder* b = source.allocate(source.user, sizeof *b, ARENA_ALIGNMENT);
  *out = b;
  if (!b) return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for a builder");
  *b = (HeftBuilder){.allocator = source,
                     .physics = default_physics,
                     .limits = heft_model_limits_default(),
                     .bodies = list_make(sizeof(BodyRecord)),
                     .joints = list_make(sizeof(JointRecord)),
                     .sites = list_make(sizeof(SiteRecord)),
                     .materials = list_make(sizeof(MaterialRecord)),
                     .shapes = list_make(sizeof(ShapeRecord)),
                     .meshes = list_make(sizeof(MeshRecord)),
                     .actuators = list_make(sizeof(ActuatorRecord)),
                     .sensors = list_make(sizeof(SensorRecord)),
                     .keys = list_make(sizeof(KeyRecord)),
                     .height_fields = list_make(sizeof(HeightFieldRecord)),
                     .textures = list_make(sizeof(TextureRecord)),
                     .appearances = list_make(sizeof(AppearanceRecord)),
                     .cameras = list_make(sizeof(CameraRecord)),
                     .lights = list_make(sizeof(LightRecord)),
                     .pairs = list_make(sizeof(PairRecord)),
                     .excludes = list_make(sizeof(ExcludeRecord)),
                     .equalities = list_make(sizeof(EqualityRecord)),
                     .tendons = list_make(sizeof(TendonRecord)),
                     .vertices = list_make(3 * sizeof(double)),
                     .faces = list_make(3 * sizeof(int)),
                     .hulls = list_make(3 * sizeof(int)),
                     .corners = list_make(2 * sizeof(double)),
                     .samples = list_make(sizeof(double)),
                     .heights = list_make(sizeof(double)),
                     .wraps = list_make(sizeof(HeftWrap)),
                     .texture_files = list_make(sizeof(int)),
                     .key_numbers = list_make(sizeof(double)),
                     .names = list_make(1),
                     .deformables = list_make(sizeof(DeformableRecord)),
                     .nodes = list_make(sizeof(NodeRecord)),
                     .tetrahedra = list_make(4 * sizeof(int)),
                     .skins = list_make(3 * sizeof(int))};
  HeftBodyDef world = heft_body_def_default();
  world.name = "world";
  world.parent = -1;
  HeftMaterialDef material = heft_material_def_default();
  material.name = "default";
  const int named =
      heft_list_extend(&b->names, 1, &b->allocator) != NULL;  // offset 0: the empty name
  if (!named || STORE(b, bodies, BodyRecord, &world) < 0 ||
      heft_builder_add_material(b, &material) < 0) {
    heft_builder_destroy(b);
    *out = NULL;
    return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for a builder");
  }
  return HEFT_OK;
}

void heft_builder_destroy(HeftBuilder* b) {
  if (!b) return;
  const HeftAllocator source = b->allocator;
  List* const lists[] = {&b->bodies,      &b->joints,        &b->sites,       &b->materials,
                         &b->shapes,      &b->meshes,        &b->actuators,   &b->sensors,
                         &b->keys,        &b->height_fields, &b->textures,    &b->appearances,
                         &b->cameras,     &b->lights,        &b->pairs,       &b->excludes,
                         &b->equalities,  &b->tendons,       &b->vertices,    &b->faces,
                         &b->hulls,       &b->samples,       &b->corners,     &b->heights,
                         &b->wraps,       &b->texture_files, &b->key_numbers, &b->names,
                         &b->deformables, &b->nodes,         &b->tetrahedra,  &b->skins};
  const size_t count = sizeof lists / sizeof lists[0];
  for (size_t i = 0; i < count; ++i) heft_list_release(lists[i], &source);
  source.release(source.user, b, sizeof *b);
}

void heft_builder_set_physics(HeftBuilder* b, HeftPhysics physics) {
  HEFT_REQUIRE_VOID(b);
  b->physics = physics;
}
HeftPhysics heft_builder_physics(const HeftBuilder* b) {
  HEFT_REQUIRE(b, ((HeftPhysics){0}));
  return b->physics;
}

void heft_builder_set_contact_model(HeftBuilder* b, const char* word) {
  HEFT_REQUIRE_VOID(b);
  const size_t length = word ? strlen(word) : 0;
  if (length >= sizeof b->contact_model) {
    if (b->error.status == HEFT_OK)
      heft_error_set(&b->error, HEFT_ERR_LIMIT,
                     "the contact model '%.40s...' has %zu bytes, at most %zu are allowed", word,
                     length, sizeof b->contact_model - 1);
    return;
  }
  if (length > 0) memcpy(b->contact_model, word, length);
  b->contact_model[length] = '\0';
}

void heft_builder_set_limits(HeftBuilder* b, HeftModelLimits limits) {
  HEFT_REQUIRE_VOID(b);
  b->limits = limits;
}

HeftStatus heft_builder_status(const HeftBuilder* b, HeftError* error) {
  HEFT_REQUIRE(b, HEFT_ERR_ARGUMENT);
  if (error && b->error.status != HEFT_OK) *error = b->error;
  return b->error.status;
}

int heft_builder_add_body(HeftBuilder* b, const HeftBodyDef* def) {
  HEFT_REQUIRE(b && def, -1);
  CHECK_DEF(b, HeftBodyDef, heft_body_def_default, def);
  if (!body_exists(b, def->parent)) {
    BUILDER_FAIL(b, HEFT_ERR_ARGUMENT,
                 "body '%s': its parent %d does not exist yet; add parents first", NAME_OF(def),
                 def->parent);
  }
  if (!usable_quat(def->quat) || !usable_quat(def->inertia_quat)) {
    BUILDER_FAIL(b, HEFT_ERR_VALUE, "body '%s': a quaternion has a length far from 1",
                 NAME_OF(def));
  }
  const double pose[7] = {def->pos.x,  def->pos.y,  def->pos.z, def->quat.w,
                          def->quat.x, def->quat.y, def->quat.z};
  if (def->moved && !heft_builder_widen_keys(b, KEY_MOVED, 7, pose)) return no_memory(b);
  const int index = STORE(b, bodies, BodyRecord, def);
  if (index >= 0) b->nmoved += def->moved != 0;
  return index;
}

void heft_builder_scale_mass(HeftBuilder* b, double factor) {
  HEFT_REQUIRE_VOID(b);
  HEFT_REQUIRE_VOID(factor > 0);
  for (int i = 1; i < b->bodies.count; ++i) {
    HeftBodyDef* def = &LIST_AT(b->bodies, BodyRecord, i).def;
    const HeftSym3 m = def->inertia;
    def->mass *= factor;
    def->inertia = (HeftSym3){factor * m.xx, factor * m.yy, factor * m.zz,
                              factor * m.xy, factor * m.xz, factor * m.yz};
  }
}

int heft_builder_add_joint(HeftBuilder* b, const HeftJointDef* def) {
  HEFT_REQUIRE(b && def, -1);
  CHECK_DEF(b, HeftJointDef, heft_joint_def_default, def);
  if (!body_exists(b, def->body) || def->body == 0) {
    BUILDER_FAIL(b, HEFT_ERR_ARGUMENT, "joint '%s': body %d does not exist or is the world",
                 NAME_OF(def), def->body);
  }
  if (b->joints.count > 0 &&
      LIST_AT(b->joints, JointRecord, b->joints.count - 1).def.body > def->body) {
    BUILDER_FAIL(b, HEFT_ERR_ARGUMENT,
                 "joint '%s': joints must be added in the order of their bodies", NAME_OF(def));
  }
  double q[7];
  const int nq = (int)def->type >= 0 && def->type < HEFT_JOINT_TYPE_COUNT
                     ? heft_builder_joint_q(b, def, q)
                     : 0;
  const int nv = heft_joint_type_dof_count(def->type);
  if (!heft_builder_widen_keys(b, KEY_Q, nq, q)) return no_memory(b);
  b->nq += nq;
  if (!heft_builder_widen_keys(b, KEY_V, nv, NULL)) return no_memory(b);
  b->nv += nv;
  return STORE(b, joints, JointRecord, def);
}

int heft_builder_add_site(HeftBuilder* b, const HeftSiteDef* def) {
  HEFT_REQUIRE(b && def, -1);
  CHECK_DEF(b, HeftSiteDef, heft_site_def_default, def);
  if (!usable_quat(def->quat))
    BUILDER_FAIL(b, HEFT_ERR_VALUE, "site '%s': its quaternion has a length far from 1",
                 NAME_OF(def));
  return STORE(b, sites, SiteRecord, def);
}

int heft_builder_add_material(HeftBuilder* b, const HeftMaterialDef* def) {
  HEFT_REQUIRE(b && def, -1);
  CHECK_DEF(b, HeftMaterialDef, heft_material_def_default, def);
  return STORE(b, materials, MaterialRecord, def);
}

int heft_builder_add_shape(HeftBuilder* b, const HeftShapeDef* def) {
  HEFT_REQUIRE(b && def, -1);
  CHECK_DEF(b, HeftShapeDef, heft_shape_def_default, def);
  if (!usable_quat(def->quat))
    BUILDER_FAIL(b, HEFT_ERR_VALUE, "shape '%s': its quaternion has a length far from 1",
                 NAME_OF(def));
  const int index = STORE(b, shapes, ShapeRecord, def);
  if (index >= 0) b->nconveyor += def->conveyor != 0;
  return index;
}

// Stores the samples of a distance shape. Returns 0 after a mistake.
static int add_samples(HeftBuilder* b, const HeftMeshDef* def) {
  if (def->field.type == HEFT_FIELD_NONE) return 1;
  if (heft_field_check(&def->field, &b->error) != HEFT_OK) return 0;
  const int count = heft_field_sample_count(&def->field);
  double* samples = heft_list_extend(&b->samples, count, &b->allocator);
  if (samples && count > 0) memcpy(samples, def->field.samples, (size_t)count * sizeof(double));
  if (!samples)
    heft_error_set(&b->error, HEFT_ERR_MEMORY, "mesh '%s': no memory for its samples",
                   NAME_OF(def));
  return samples != NULL;
}

// A distance shape that comes without triangles.
static int add_field(HeftBuilder* b, const HeftMeshDef* def) {
  HeftFieldTriangles t;
  if (heft_field_triangles(&def->field, def->field_spacing, &b->allocator, &t, &b->error) !=
      HEFT_OK)
    return -1;
  HeftMeshDef with = *def;
  with.vertex_count = t.vertex_count;
  with.vertices = t.vertices;
  with.face_count = t.face_count;
  with.faces = t.faces;
  with.image = NULL;
  const int index = heft_builder_add_mesh(b, &with);
  heft_field_triangles_release(&t, &b->allocator);
  return index;
}

int heft_builder_add_mesh(HeftBuilder* b, const HeftMeshDef* def) {
  HEFT_REQUIRE(b && def, -1);
  CHECK_DEF(b, HeftMeshDef, heft_mesh_def_default, def);
  if (def->field.type != HEFT_FIELD_NONE && def->face_count == 0) return add_field(b, def);
  if (def->vertex_count < 0 || def->face_count < 0 || def->hull_count < 0 ||
      def->face_count > INT_MAX / 3) {
    BUILDER_FAIL(b, HEFT_ERR_ARGUMENT,
                 "mesh '%s': negative numbers of vertices or faces, or too many", NAME_OF(def));
  }
  if (!add_samples(b, def)) return -1;
  double* vertices = heft_list_extend(&b->vertices, def->vertex_count, &b->allocator);
  int* faces = vertices ? heft_list_extend(&b->faces, def->face_count, &b->allocator) : NULL;
  int* hull = faces ? heft_list_extend(&b->hulls, def->hull_count, &b->allocator) : NULL;
  double* image =
      hull ? heft_list_extend(&b->corners, def->image ? 3 * def->face_count : 0, &b->allocator)
           : NULL;
  if (!image)
    BUILDER_FAIL(b, HEFT_ERR_MEMORY, "mesh '%s': no memory for its vertices and faces",
                 NAME_OF(def));
  if (def->vertex_count > 0)
    memcpy(vertices, def->vertices, (size_t)def->vertex_count * 3 * sizeof(double));
  if (def->face_count > 0) memcpy(faces, def->faces, (size_t)def->face_count * 3 * sizeof(int));
  if (def->hull_count > 0) memcpy(hull, def->hull, (size_t)def->hull_count * 3 * sizeof(int));
  if (def->image && def->face_count > 0)
    memcpy(image, def->image, (size_t)def->face_count * 6 * sizeof(double));
  return STORE(b, meshes, MeshRecord, def);
}

int heft_builder_add_height_field(HeftBuilder* b, const HeftHeightFieldDef* def) {
  HEFT_REQUIRE(b && def, -1);
  CHECK_DEF(b, HeftHeightFieldDef, heft_height_field_def_default, def);
  if (def->rows < 2 || def->columns < 2 || def->columns > INT_MAX / def->rows) {
    BUILDER_FAIL(b, HEFT_ERR_VALUE,
                 "height field '%s': %d rows and %d columns, expected at least 2 each",
                 NAME_OF(def), def->rows, def->columns);
  }
  const int count = def->rows * def->columns;
  double* heights = heft_list_extend(&b->heights, count, &b->allocator);
  if (!heights) BUILDER_FAIL(b, HEFT_ERR_MEMORY, "height field '%s': no memory", NAME_OF(def));
  memcpy(heights, def->heights, (size_t)count * sizeof(double));
  return STORE(b, height_fields, HeightFieldRecord, def);
}

int heft_builder_add_texture(HeftBuilder* b, const HeftTextureDef* def) {
  HEFT_REQUIRE(b && def, -1);
  CHECK_DEF(b, HeftTextureDef, heft_texture_def_default, def);
  const int file = store_text(b, def->file, 4095);
  if (file < 0) return -1;
  int* slot = heft_list_extend(&b->texture_files, 1, &b->allocator);
  if (!slot) BUILDER_FAIL(b, HEFT_ERR_MEMORY, "texture '%s': no memory", NAME_OF(def));
  *slot = file;
  return STORE(b, textures, TextureRecord, def);
}

int heft_builder_add_appearance(HeftBuilder* b, const HeftAppearanceDef* def) {
  HEFT_REQUIRE(b && def, -1);
  CHECK_DEF(b, HeftAppearanceDef, heft_appearance_def_default, def);
  return STORE(b, appearances, AppearanceRecord, def);
}

int heft_builder_add_camera(HeftBuilder* b, const HeftCameraDef* def) {
  HEFT_REQUIRE(b && def, -1);
  CHECK_DEF(b, HeftCameraDef, heft_camera_def_default, def);
  if (!usable_quat(def->quat))
    BUILDER_FAIL(b, HEFT_ERR_VALUE, "camera '%s': its quaternion has a length far from 1",
                 NAME_OF(def));
  return STORE(b, cameras, CameraRecord, def);
}

int heft_builder_add_light(HeftBuilder* b, const HeftLightDef* def) {
  HEFT_REQUIRE(b && def, -1);
  CHECK_DEF(b, HeftLightDef, heft_light_def_default, def);
  return STORE(b, lights, LightRecord, def);
}

int heft_builder_add_pair(HeftBuilder* b, const HeftPairDef* def) {
  HEFT_REQUIRE(b && def, -1);
  CHECK_DEF(b, HeftPairDef, heft_pair_def_default, def);
  return STORE(b, pairs, PairRecord, def);
}

int heft_builder_add_exclude(HeftBuilder* b, const HeftExcludeDef* def) {
  HEFT_REQUIRE(b && def, -1);
  CHECK_DEF(b, HeftExcludeDef, heft_exclude_def_default, def);
  return STORE(b, excludes, ExcludeRecord, def);
}

int heft_builder_add_equality(HeftBuilder* b, const HeftEqualityDef* def) {
  HEFT_REQUIRE(b && def, -1);
  CHECK_DEF(b, HeftEqualityDef, heft_equality_def_default, def);
  if (!usable_quat(def->quat))
    BUILDER_FAIL(b, HEFT_ERR_VALUE, "equality '%s': its quaternion has a length far from 1",
                 NAME_OF(def));
  return STORE(b, equalities, EqualityRecord, def);
}

int heft_builder_add_tendon(HeftBuilder* b, const HeftTendonDef* def) {
  HEFT_REQUIRE(b && def, -1);
  CHECK_DEF(b, HeftTendonDef, heft_tendon_def_default, def);
  if (def->wrap_count < 0)
    BUILDER_FAIL(b, HEFT_ERR_ARGUMENT, "tendon '%s': a negative number of wraps", NAME_OF(def));
  HeftWrap* wraps = heft_list_extend(&b->wraps, def->wrap_count, &b->allocator);
  if (!wraps) BUILDER_FAIL(b, HEFT_ERR_MEMORY, "tendon '%s': no memory", NAME_OF(def));
  if (def->wrap_count > 0) memcpy(wraps, def->wraps, (size_t)def->wrap_count * sizeof(HeftWrap));
  return STORE(b, tendons, TendonRecord, def);
}

int heft_builder_add_actuator(HeftBuilder* b, const HeftActuatorDef* def) {
  HEFT_REQUIRE(b && def, -1);
  CHECK_DEF(b, HeftActuatorDef, heft_actuator_def_default, def);
  const int acts = def->activation != HEFT_ACTIVATION_NONE;
  if (!heft_builder_widen_keys(b, KEY_ACT, acts, NULL)) return no_memory(b);
  b->nact += acts;
  if (!heft_builder_widen_keys(b, KEY_CONTROL, 1, NULL)) return no_memory(b);
  return STORE(b, actuators, ActuatorRecord, def);
}

int heft_builder_add_sensor(HeftBuilder* b, const HeftSensorDef* def) {
  HEFT_REQUIRE(b && def, -1);
  CHECK_DEF(b, HeftSensorDef, heft_sensor_def_default, def);
  const int index = STORE(b, sensors, SensorRecord, def);
  if (index >= 0) b->nsensordata += heft_sensor_type_value_count(def->type);
  return index;
}

int heft_builder_add_key(HeftBuilder* b, const HeftKeyDef* def) {
  HEFT_REQUIRE(b && def, -1);
  CHECK_DEF(b, HeftKeyDef, heft_key_def_default, def);
  const int count = b->nq + b->nv + b->nact + b->actuators.count + 7 * b->nmoved;
  double* numbers = heft_list_extend(&b->key_numbers, count, &b->allocator);
  if (!numbers)
    BUILDER_FAIL(b, HEFT_ERR_MEMORY, "keyframe '%s': no memory for its numbers", NAME_OF(def));
  const struct {
    const double* from;
    int count;
  } parts[] = {{def->q, b->nq},
               {def->v, b->nv},
               {def->act, b->nact},
               {def->control, b->actuators.count},
               {def->moved, 7 * b->nmoved}};
  for (int p = 0; p < 5; ++p) {
    if (parts[p].from && parts[p].count > 0)
      memcpy(numbers, parts[p].from, (size_t)parts[p].count * sizeof(double));
    numbers += parts[p].count;
  }
  return STORE(b, keys, KeyRecord, def);
}

static int name_bytes(const HeftBuilder* b) {
  const int word = (int)strlen(b->contact_model);
  return b->names.count + (word > 0 ? word + 1 : 0);
}

static HeftModel sizes_of(const HeftBuilder* b) {
  return (HeftModel){.nbody = b->bodies.count,
                     .njoint = b->joints.count,
                     .nq = b->nq,
                     .nv = b->nv,
                     .nsite = b->sites.count,
                     .nmaterial = b->materials.count,
                     .nshape = b->shapes.count,
                     .nmesh = b->meshes.count,
                     .nvertex = b->vertices.count,
                     .nface = b->faces.count,
                     .nhull = b->hulls.count,
                     .ncorner = b->corners.count,
                     .nsample = b->samples.count,
                     .nheight_field = b->height_fields.count,
                     .nheight = b->heights.count,
                     .ntexture = b->textures.count,
                     .nappearance = b->appearances.count,
                     .ncamera = b->cameras.count,
                     .nlight = b->lights.count,
                     .npair = b->pairs.count,
                     .nexclude = b->excludes.count,
                     .nequality = b->equalities.count,
                     .ntendon = b->tendons.count,
                     .nwrap = b->wraps.count,
                     .nactuator = b->actuators.count,
                     .nact = b->nact,
                     .nsensor = b->sensors.count,
                     .nsensordata = b->nsensordata,
                     .nkey = b->keys.count,
                     .nmoved = b->nmoved,
                     .nconveyor = b->nconveyor,
                     .ndeformable = b->deformables.count,
                     .nnode = b->nodes.count,
                     .ntetrahedron = b->tetrahedra.count,
                     .nskin = b->skins.count,
                     .nname = name_bytes(b),
                     .physics = b->physics};
}

HeftStatus heft_builder_finish(HeftBuilder* b, HeftModel** out, HeftError* error) {
  HEFT_REQUIRE(b && out, HEFT_ERR_ARGUMENT);
  *out = NULL;
  if (b->error.status != HEFT_OK) return heft_builder_status(b, error);
  const HeftModel sizes = sizes_of(b);
  HeftModel* model = NULL;
  HeftStatus status = heft_model_allocate(&model, &sizes, &b->allocator, error);
  if (status != HEFT_OK) return status;
  memset(model->memory, 0, model->memory_size);
  heft_builder_fill(b, model);
  status = heft_builder_check_names(b, model, error);
  if (status == HEFT_OK) status = heft_model_validate(model, error);
  if (status == HEFT_OK)
    status = heft_tree_create(&model->tree, model, b->limits, &b->allocator, error);
  if (status != HEFT_OK) {
    heft_model_destroy(model);
    return status;
  }
  *out = model;
  return HEFT_OK;
}
