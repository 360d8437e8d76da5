// SPDX-License-Identifier: Apache-2.0
#include "view/scene.h"
#include "view/moves.h"

#include <heft/dynamics.h>
#include <string.h>

static const double ENDLESS = 120;  // half side of the square that stands for an endless plane [m]

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
  switch ((HeftShapeType)m->shape_type[shape]) {
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
    default:
      return (Part){0};
  }
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
  item->local =
      heft_pose(heft_vec3_from(&m->shape_pos[3 * shape]), heft_quat(q[0], q[1], q[2], q[3]));
  if (item->plane) item->stretch = plane_stretch(m, shape);
  to_float(&m->shape_color[4 * shape], 4, item->color);
  item->light[1] = 0.4F;
  item->light[2] = 0.4F;
  if (look >= 0) to_float(&m->appearance_light[4 * look], 4, item->light);
  item->pattern = shape_pattern(m, shape, item->stretch);
  if (item->plane && item->pattern.kind == PATTERN_NONE) item->pattern = grid_pattern();
  scene->has_floor |= item->plane;
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
  if (!solids_failed(s) && !scene->items.failed) {
    const HeftStatus status = find_start(scene, error);
    if (status != HEFT_OK) scene_free(scene);
    return status;
  }
  scene_free(scene);
  return view_fail(error, HEFT_ERR_MEMORY, "no memory for the triangles of the picture");
}

void scene_free(Scene* scene) {
  solids_free(&scene->solids);
  view_give(&scene->allocator, scene->start, (size_t)scene->model->nbody * sizeof *scene->start);
  view_list_free(&scene->items, &scene->allocator);
}

// ---- bounds

HeftVec3 item_half(const Item* item) {
  if (item->plane) return item->stretch;
  return heft_vec3_scale(0.5, heft_vec3_sub(item->part.high, item->part.low));
}

static int counts(const Item* item, unsigned groups, int only_moving) {
  return !item->plane && item->part.count > 0 && (groups >> item->group & 1u) &&
         (item->moves || !only_moving);
}

double scene_bounds(const Scene* scene, const HeftPose* poses, unsigned groups, int only_moving,
                    HeftVec3* center) {
  HeftVec3 low = {1e30, 1e30, 1e30}, high = {-1e30, -1e30, -1e30};
  int found = 0;
  for (size_t i = 0; i < scene->items.count; ++i) {
    const Item* item = &VIEW_AT(scene->items, Item, i);
    if (!counts(item, groups, only_moving)) continue;
    const HeftVec3 c =
        heft_pose_apply(heft_pose_mul(poses[item->body], item->local), item->part.center);
    const double r = item->part.radius;
    low = heft_vec3(fmin(low.x, c.x - r), fmin(low.y, c.y - r), fmin(low.z, c.z - r));
    high = heft_vec3(fmax(high.x, c.x + r), fmax(high.y, c.y + r), fmax(high.z, c.z + r));
    found = 1;
  }
  *center = heft_vec3(0, 0, 0);
  if (!found) return 0;
  *center = heft_vec3_scale(0.5, heft_vec3_add(low, high));
  return 0.5 * heft_vec3_norm(heft_vec3_sub(high, low));
}
