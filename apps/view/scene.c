// SPDX-License-Identifier: Apache-2.0
#include "view/scene.h"
#include "base/kind_table.h"
#include "view/moves.h"

#include <heft/dynamics.h>
#include <string.h>

static const double ENDLESS = 120;  // half side of the square that shows an endless plane [m]

// ---- parts

static int same_geometry(const HeftModel* m, int a, int b) {
  const double *x = &m->shape_size[3 * a], *y = &m->shape_size[3 * b];
  return m->shape_type[a] == m->shape_type[b] && m->shape_mesh[a] == m->shape_mesh[b] &&
         m->shape_height_field[a] == m->shape_height_field[b] && x[0] == y[0] && x[1] == y[1] &&
         x[2] == y[2];
}

static Part shape_part(Scene* scene, int shape) {
  const HeftModel* m = scene->model;
  Solids* s = &scene->solids;
  const double* size = &m->shape_size[3 * shape];
  switch (m->shape_type[shape]) {
    case HEFT_SHAPE_PLANE:
      return scene->square;
    case HEFT_SHAPE_SPHERE:
      return solid_sphere(s, heft_vec3(size[0], size[0], size[0]));
    case HEFT_SHAPE_CAPSULE:
      return solid_capsule(s, size[0], size[1]);
    case HEFT_SHAPE_CYLINDER:
      return solid_cylinder(s, size[0], size[1]);
    case HEFT_SHAPE_ELLIPSOID:
      return solid_sphere(s, heft_vec3_from(size));
    case HEFT_SHAPE_BOX:
      return solid_box(s, heft_vec3_from(size));
    case HEFT_SHAPE_MESH:
      return m->mesh_face_count[m->shape_mesh[shape]] > 0 ? solid_mesh(s, m, m->shape_mesh[shape])
                                                          : solid_hull(s, m, m->shape_mesh[shape]);
    case HEFT_SHAPE_HEIGHT_FIELD:
      return solid_height_field(s, m, m->shape_height_field[shape]);
    case HEFT_SHAPE_TYPE_COUNT:
      break;
  }
  return (Part){0};
}

static Part find_part(Scene* scene, int shape) {
  for (size_t i = scene->items.count; i > 0; --i) {
    const Item* item = &VIEW_AT(scene->items, Item, i - 1);
    if (same_geometry(scene->model, item->shape, shape)) return item->part;
  }
  return shape_part(scene, shape);
}

// ---- looks

static void to_float(const double* from, int count, float* to) {
  for (int i = 0; i < count; ++i) to[i] = (float)from[i];
}

static Pattern shape_pattern(const HeftModel* m, int shape, HeftVec3 stretch) {
  static const PatternKind kinds[] = {PATTERN_IMAGE, PATTERN_GRADIENT, PATTERN_CHECKER,
                                      PATTERN_FLAT};
  KIND_TABLE_COVERS(kinds, HEFT_TEXTURE_SOURCE_COUNT);
  Pattern p = {.kind = PATTERN_NONE, .texture = -1};
  const int look = m->shape_appearance[shape];
  const int t = look >= 0 ? m->appearance_texture[look] : -1;
  if (t < 0) return p;
  p.kind = kinds[m->texture_source[t]];
  p.texture = t;
  p.cube = m->texture_type[t] != HEFT_TEXTURE_2D;
  p.placed = !p.cube && m->shape_mesh[shape] >= 0 && m->mesh_corner[m->shape_mesh[shape]] >= 0 &&
             m->mesh_face_count[m->shape_mesh[shape]] > 0;
  p.mark = m->texture_mark[t];
  to_float(&m->texture_color[3 * t], 3, p.a);
  to_float(&m->texture_color2[3 * t], 3, p.b);
  to_float(&m->texture_mark_color[3 * t], 3, p.mark_color);
  const double side[2] = {stretch.x, stretch.y};
  for (int k = 0; k < 2; ++k) {
    const double repeat = m->appearance_repeat[2 * look + k];
    const int counted = m->appearance_uniform[look] || m->shape_size[3 * shape + k] <= 0;
    p.repeat[k] = (float)(counted || p.cube ? repeat : repeat / (2 * side[k]));
  }
  return p;
}

static Pattern grid_pattern(void) {
  return (Pattern){.kind = PATTERN_GRID, .texture = -1, .repeat = {1, 1}};
}

static HeftVec3 plane_stretch(const HeftModel* m, int shape) {
  const double* size = &m->shape_size[3 * shape];
  return heft_vec3(size[0] > 0 ? size[0] : ENDLESS, size[1] > 0 ? size[1] : ENDLESS, 1);
}

static void add_shape(Scene* scene, int shape) {
  const HeftModel* m = scene->model;
  const Part part = find_part(scene, shape);
  Item* item = view_list_add(&scene->items, &scene->allocator, 1);
  if (!item) return;
  const double* q = &m->shape_quat[4 * shape];
  const int body = m->shape_body[shape], look = m->shape_appearance[shape];
  *item = (Item){.part = part, .shape = shape, .body = body, .stretch = {1, 1, 1}};
  item->plane = m->shape_type[shape] == HEFT_SHAPE_PLANE;
  item->group = m->shape_group[shape];
  item->collides = m->shape_category[shape] != 0 || m->shape_collides[shape] != 0;
  item->moves = body_moves(m, body);
  item->local = heft_pose(heft_vec3_from(&m->shape_pos[3 * shape]), heft_quat_from(q));
  if (item->plane) item->stretch = plane_stretch(m, shape);
  to_float(&m->shape_color[4 * shape], 4, item->color);
  item->light[1] = 0.4F;
  item->light[2] = 0.4F;
  if (look >= 0) to_float(&m->appearance_light[4 * look], 4, item->light);
  item->pattern = shape_pattern(m, shape, item->stretch);
  if (item->plane && item->pattern.kind == PATTERN_NONE) item->pattern = grid_pattern();
  scene->has_floor |= item->plane;
}

static int add_deformable(Scene* scene, int deformable) {
  const HeftModel* m = scene->model;
  Part part;
  Surface* surface = &scene->surfaces[deformable];
  if (!surface_make(surface, &scene->solids, m, deformable, &part)) return 0;
  Item* item = view_list_add(&scene->items, &scene->allocator, 1);
  if (!item) return 0;
  *item = (Item){.part = part,
                 .shape = -1,
                 .surface = surface,
                 .collides = 1,
                 .moves = 1,
                 .local = heft_pose_identity(),
                 .stretch = {1, 1, 1},
                 .light = {0, 0.2F, 0.2F, 0},
                 .pattern = {.kind = PATTERN_NONE, .texture = -1}};
  to_float(&m->deformable_color[4 * deformable], 4, item->color);
  return 1;
}

static int add_deformables(Scene* scene) {
  const int count = scene->model->ndeformable;
  scene->surfaces = view_take(&scene->allocator, (size_t)count * sizeof *scene->surfaces);
  if (!scene->surfaces) return 0;
  for (int i = 0; i < count; ++i) {
    if (!add_deformable(scene, i)) return 0;
  }
  return 1;
}

void scene_follow(Scene* scene, const HeftPose* poses) {
  const size_t count = (size_t)scene->model->ndeformable;
  for (size_t i = scene->items.count - count; i < scene->items.count; ++i) {
    Item* item = &VIEW_AT(scene->items, Item, i);
    surface_follow(item->surface, &scene->solids, &item->part, poses);
  }
}

static void find_sky(Scene* scene) {
  const HeftModel* m = scene->model;
  for (int t = 0; t < m->ntexture; ++t) {
    if (m->texture_type[t] != HEFT_TEXTURE_SKYBOX || m->texture_source[t] == HEFT_TEXTURE_FROM_FILE)
      continue;
    const double *a = &m->texture_color[3 * t], *b = &m->texture_color2[3 * t];
    for (int k = 0; k < 3; ++k) {
      scene->zenith[k] = (float)a[k];
      scene->horizon[k] = (float)(0.55 * a[k] + 0.45 * b[k]);
    }
    scene->has_sky = 1;
  }
}

// Marks bodies that have shapes, and the items of bodies that do not move but carry one that moves:
// the base of an arm. Parents come before their children.
static int find_carriers(Scene* scene) {
  const HeftModel* m = scene->model;
  const size_t size = (size_t)m->nbody;
  unsigned char* carries = view_take(&scene->allocator, size);
  scene->shaped = view_take(&scene->allocator, size);
  if (!carries || !scene->shaped) {
    view_give(&scene->allocator, carries, size);
    return 0;
  }
  for (int b = m->nbody - 1; b > 0; --b)
    carries[m->body_parent[b]] |= carries[b] || m->body_joint_count[b] > 0;
  for (size_t i = 0; i < scene->items.count; ++i) {
    Item* item = &VIEW_AT(scene->items, Item, i);
    item->carries = item->body > 0 && carries[item->body];
    scene->shaped[item->body] = 1;
  }
  for (int n = 0; n < m->nnode; ++n) scene->shaped[m->node_body[n]] = 1;
  view_give(&scene->allocator, carries, size);
  return 1;
}

static HeftStatus find_start(Scene* scene, HeftError* error) {
  HeftDynamics* d = NULL;
  const int n = scene->model->nbody;
  scene->start = view_take(&scene->allocator, (size_t)n * sizeof *scene->start);
  if (!scene->start) return view_fail(error, HEFT_ERR_MEMORY, "no memory for a picture");
  const HeftStatus status = heft_dynamics_create(&d, scene->model, &scene->allocator, error);
  if (status != HEFT_OK) return status;
  heft_dynamics_kinematics(d, scene->model->q_default);
  for (int b = 0; b < n; ++b) scene->start[b] = heft_dynamics_body_pose(d, b);
  heft_dynamics_destroy(d);
  return HEFT_OK;
}

HeftStatus scene_make(Scene* scene, const HeftModel* model, const HeftAllocator* allocator,
                      HeftError* error) {
  *scene = (Scene){.allocator = *allocator, .model = model, .items = view_list(sizeof(Item))};
  scene->solids = solids_make(allocator, model->nshape > 400 ? 16 : 24);
  Solids* s = &scene->solids;
  scene->square = solid_square(s);
  for (int i = 0; i < model->nshape; ++i) add_shape(scene, i);
  s->fine = 16;
  scene->marks.sphere = solid_sphere(s, heft_vec3(1, 1, 1));
  scene->marks.rod = solid_cylinder(s, 1, 0.5);
  scene->marks.cone = solid_cone(s);
  scene->marks.funnel = solid_funnel(s);
  find_sky(scene);
  if (add_deformables(scene) && !solids_failed(s) && !scene->items.failed && find_carriers(scene)) {
    const HeftStatus status = find_start(scene, error);
    if (status == HEFT_OK)
      scene_follow(scene, scene->start);
    else
      scene_free(scene);
    return status;
  }
  scene_free(scene);
  return view_fail(error, HEFT_ERR_MEMORY, "no memory for the triangles of the picture");
}

void scene_free(Scene* scene) {
  for (int i = 0; scene->surfaces && i < scene->model->ndeformable; ++i)
    surface_free(&scene->surfaces[i], &scene->allocator);
  view_give(&scene->allocator, scene->surfaces,
            (size_t)scene->model->ndeformable * sizeof *scene->surfaces);
  solids_free(&scene->solids);
  view_give(&scene->allocator, scene->shaped, (size_t)scene->model->nbody);
  view_give(&scene->allocator, scene->start, (size_t)scene->model->nbody * sizeof *scene->start);
  view_list_free(&scene->items, &scene->allocator);
}

// ---- bounds

HeftVec3 item_half(const Item* item) {
  if (item->plane) return item->stretch;
  return heft_vec3_scale(0.5, heft_vec3_sub(item->part.high, item->part.low));
}

// A plane that ends and does not lie flat: it would hide what is behind it.
static int is_wall(const Item* item) {
  return item->plane && item->stretch.x < ENDLESS && item->stretch.y < ENDLESS &&
         fabs(item->local.rot.m[2][2]) < 0.5;
}

static int counts(const Item* item, unsigned groups, int only_moving) {
  if (item->part.count == 0 || !(groups >> item->group & 1u)) return 0;
  if (item->plane) return is_wall(item);
  return item->moves || item->carries || !only_moving;
}

// Half the extents of an item along the axes of the world.
static HeftVec3 item_reach(const Item* item, HeftPose pose) {
  const double r = item->part.radius;
  if (!item->plane) return heft_vec3(r, r, r);
  double out[3];
  for (int i = 0; i < 3; ++i)
    out[i] = fabs(pose.rot.m[i][0]) * item->stretch.x + fabs(pose.rot.m[i][1]) * item->stretch.y;
  return heft_vec3_from(out);
}

typedef struct Box {
  HeftVec3 low, high;
  int found;
} Box;

static void extend(Box* box, HeftVec3 c, HeftVec3 r) {
  box->low = heft_vec3(fmin(box->low.x, c.x - r.x), fmin(box->low.y, c.y - r.y),
                       fmin(box->low.z, c.z - r.z));
  box->high = heft_vec3(fmax(box->high.x, c.x + r.x), fmax(box->high.y, c.y + r.y),
                        fmax(box->high.z, c.z + r.z));
  box->found = 1;
}

static Box bounds_of(const Scene* scene, const HeftPose* poses, unsigned groups, int only_moving) {
  Box box = {.low = {1e30, 1e30, 1e30}, .high = {-1e30, -1e30, -1e30}};
  for (size_t i = 0; i < scene->items.count; ++i) {
    const Item* item = &VIEW_AT(scene->items, Item, i);
    if (!counts(item, groups, only_moving)) continue;
    for (uint32_t k = 0; item->surface && k < item->surface->count; ++k)
      extend(&box, poses[item->surface->body[k]].pos, heft_vec3(0, 0, 0));
    if (item->surface) continue;
    const HeftPose pose = heft_pose_mul(poses[item->body], item->local);
    extend(&box, heft_pose_apply(pose, item->part.center), item_reach(item, pose));
  }
  return box;
}

static double box_radius(const Box* box, HeftVec3* center) {
  *center = heft_vec3(0, 0, 0);
  if (!box->found) return 0;
  *center = heft_vec3_scale(0.5, heft_vec3_add(box->low, box->high));
  return 0.5 * heft_vec3_norm(heft_vec3_sub(box->high, box->low));
}

double scene_bounds(const Scene* scene, const HeftPose* poses, unsigned groups, int only_moving,
                    HeftVec3* center) {
  const Box box = bounds_of(scene, poses, groups, only_moving);
  return box_radius(&box, center);
}

double scene_body_bounds(const Scene* scene, const HeftPose* poses, unsigned groups,
                         HeftVec3* center) {
  const HeftModel* m = scene->model;
  Box box = bounds_of(scene, poses, groups, 1);
  for (int b = 1; b < m->nbody; ++b) {
    const double r = 0.05;  // [m], so that a single body has a size
    if (m->body_joint_count[b] > 0 && m->body_mass[b] > 0 && !scene->shaped[b])
      extend(&box, heft_pose_apply(poses[b], heft_vec3_from(m->body_com + 3L * b)),
             heft_vec3(r, r, r));
  }
  return box_radius(&box, center);
}

int scene_has_walls(const Scene* scene) {
  for (size_t i = 0; i < scene->items.count; ++i) {
    if (is_wall(&VIEW_AT(scene->items, Item, i))) return 1;
  }
  return 0;
}
