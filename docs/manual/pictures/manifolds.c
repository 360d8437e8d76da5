// SPDX-License-Identifier: Apache-2.0
// Draws the pictures manifold_*.png of this folder: pairs of shapes, their wires, and the contact
// points that Heft finds between them.
//
//   cc -Iinclude -I. docs/manual/pictures/manifolds.c build/release/lib/libheft.a -lpng -lm -o
//   build/manifolds build/manifolds docs/manual/pictures
#include <heft/draw.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/shape_parts.h"

enum { WIDTH = 480, HEIGHT = 400 };

typedef struct Canvas {
  unsigned char pixel[HEIGHT][WIDTH][3];
  HeftVec3 look, right, up;  // camera axes; look points into the picture
  HeftVec3 target;
  double scale;  // pixels per metre
} Canvas;

static Canvas canvas;

static void blend(int x, int y, uint32_t color, double share) {
  if (x < 0 || y < 0 || x >= WIDTH || y >= HEIGHT) return;
  for (int k = 0; k < 3; ++k) {
    const double c = (double)(color >> (24 - 8 * k) & 255);
    unsigned char* p = &canvas.pixel[y][x][k];
    *p = (unsigned char)(*p + share * (c - *p) + 0.5);
  }
}

static void project(HeftVec3 p, double* x, double* y) {
  const HeftVec3 d = heft_vec3_sub(p, canvas.target);
  *x = 0.5 * WIDTH + canvas.scale * heft_vec3_dot(d, canvas.right);
  *y = 0.5 * HEIGHT - canvas.scale * heft_vec3_dot(d, canvas.up);
}

// Small discs along the way; contacts are drawn thicker than wires.
static void stroke(double x0, double y0, double x1, double y1, uint32_t color, double radius) {
  const double length = sqrt((x1 - x0) * (x1 - x0) + (y1 - y0) * (y1 - y0));
  const int lo_x = (int)floor(fmin(x0, x1) - radius - 1),
            hi_x = (int)floor(fmax(x0, x1) + radius + 2);
  const int lo_y = (int)floor(fmin(y0, y1) - radius - 1),
            hi_y = (int)floor(fmax(y0, y1) + radius + 2);
  for (int y = lo_y < 0 ? 0 : lo_y; y < hi_y && y < HEIGHT; ++y) {
    for (int x = lo_x < 0 ? 0 : lo_x; x < hi_x && x < WIDTH; ++x) {
      double t = length > 0 ? ((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / (length * length) : 0;
      t = fmin(fmax(t, 0), 1);
      const double dx = x - x0 - t * (x1 - x0), dy = y - y0 - t * (y1 - y0);
      const double share = fmin(fmax(radius + 0.5 - sqrt(dx * dx + dy * dy), 0), 1);
      if (share > 0) blend(x, y, color, share);
    }
  }
}

static double pen = 0.5;

static void draw_line(void* user, HeftVec3 a, HeftVec3 b, uint32_t color) {
  (void)user;
  double x0, y0, x1, y1;
  project(a, &x0, &y0);
  project(b, &x1, &y1);
  stroke(x0, y0, x1, y1, color, pen);
}

static void draw_point(void* user, HeftVec3 p, uint32_t color) {
  (void)user;
  double x, y;
  project(p, &x, &y);
  stroke(x, y, x, y, color, 4.5);
}

static void save(const char* folder, const char* name) {
  char path[512];
  snprintf(path, sizeof path, "%s/manifold_%s.png", folder, name);
  png_image image;
  memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  image.width = WIDTH;
  image.height = HEIGHT;
  image.format = PNG_FORMAT_RGB;
  if (!png_image_write_to_file(&image, path, 0, canvas.pixel, 0, NULL)) {
    fprintf(stderr, "%s: %s\n", path, image.message);
    exit(1);
  }
}

// A little valley, rising to both sides.
static double valley_height(double x, double y) {
  (void)y;
  return 0.5 * fabs(x);
}

typedef struct Part {
  HeftShapeType type;
  double size[3];
  HeftVec3 pos;
  HeftVec3 turn;  // rotation vector
  int mesh;       // 0 none, 1 valley, 2 prism
} Part;

static void picture(const char* folder, const char* name, Part low, Part high, double scale) {
  HeftBuilder* b = NULL;
  HeftModel* m = NULL;
  HeftCollider* c = NULL;
  HeftError e = {0};
  if (heft_builder_create(&b, NULL, NULL) != HEFT_OK) exit(1);
  static const double prism_ring[2][2] = {{0.5, -0.3}, {0.5, 0.3}};
  const int valley = parts_sheet(b, 10, 2, 3, 1.6, valley_height);
  const int prism = parts_rings(b, 2, 7, prism_ring, 0, 1);
  const Part parts[2] = {low, high};
  for (int i = 0; i < 2; ++i) {
    const double* size = parts[i].size;
    HeftShapeDef s = parts_shape_def(parts_free_body(b), parts[i].type, size[0], size[1], size[2]);
    s.mesh = parts[i].mesh == 1 ? valley : (parts[i].mesh == 2 ? prism : -1);
    heft_builder_add_shape(b, &s);
  }
  HeftColliderDef def = heft_collider_def_default();
  def.margin = 0.02;
  if (heft_builder_finish(b, &m, &e) != HEFT_OK ||
      heft_collider_create(&c, m, &def, &e) != HEFT_OK) {
    fprintf(stderr, "%s\n", e.message);
    exit(1);
  }
  heft_builder_destroy(b);
  const HeftPose pose[3] = {heft_pose_identity(), heft_pose(low.pos, heft_quat_exp(low.turn)),
                            heft_pose(high.pos, heft_quat_exp(high.turn))};
  heft_collider_update(c, pose);
  const HeftContactPoints f = heft_collider_collide(c);
  memset(canvas.pixel, 255, sizeof canvas.pixel);
  const HeftVec3 eye = heft_vec3_normalize(heft_vec3(1.0, -1.7, 0.85));
  canvas.look = heft_vec3_neg(eye);
  canvas.right = heft_vec3_normalize(heft_vec3_cross(canvas.look, heft_vec3(0, 0, 1)));
  canvas.up = heft_vec3_cross(canvas.right, canvas.look);
  canvas.scale = scale;
  canvas.target = f.count ? f.point[0].pos : high.pos;
  for (int i = 1; i < f.count; ++i) canvas.target = heft_vec3_add(canvas.target, f.point[i].pos);
  if (f.count) canvas.target = heft_vec3_scale(1.0 / f.count, canvas.target);
  const HeftDraw draw = {draw_line, draw_point, NULL};
  pen = 0.6;
  heft_draw_shape(&draw, c, 0, 0x909090ff);
  heft_draw_shape(&draw, c, 1, 0x303030ff);
  pen = 1.4;
  heft_draw_contacts(&draw, &f, 0.35);
  save(folder, name);
  printf("%-18s %d contacts\n", name, f.count);
  for (int i = 0; i < f.count; ++i) {
    const HeftContactPoint* k = &f.point[i];
    printf("   %7.4f %7.4f %7.4f  normal %6.3f %6.3f %6.3f  gap %8.5f\n", k->pos.x, k->pos.y,
           k->pos.z, k->normal.x, k->normal.y, k->normal.z, k->gap);
  }
  heft_collider_destroy(c);
  heft_model_destroy(m);
}

int main(int argc, char** argv) {
  const char* folder = argc > 1 ? argv[1] : ".";
  const Part slab = {HEFT_SHAPE_BOX, {1, 0.8, 0.2}, {0, 0, 0}, {0, 0, 0}, 0};
  const HeftShapeType box = HEFT_SHAPE_BOX;
  picture(folder, "box_box", slab, (Part){box, {0.4, 0.3, 0.3}, {0.1, 0, 0.495}, {0, 0, 1.1}, 0},
          150);
  picture(folder, "box_overhang", slab,
          (Part){box, {0.6, 0.3, 0.2}, {0.8, -0.6, 0.397}, {0, 0, 0.4}, 0}, 150);
  picture(folder, "box_octagon", (Part){box, {0.5, 0.5, 0.2}, {0, 0, 0}, {0, 0, 0}, 0},
          (Part){box, {0.5, 0.5, 0.2}, {0, 0, 0.397}, {0, 0, 0.785}, 0}, 170);
  picture(folder, "box_edges", (Part){box, {0.8, 0.25, 0.25}, {0, 0, 0}, {0.785, 0, 0}, 0},
          (Part){box, {0.25, 0.8, 0.25}, {0.1, 0, 0.69}, {0, 0.785, 0}, 0}, 150);
  picture(folder, "box_corner", slab,
          (Part){box, {0.35, 0.35, 0.35}, {0, 0, 0.79}, {0.6, 0.6, 0}, 0}, 150);
  picture(folder, "capsule_box", slab,
          (Part){HEFT_SHAPE_CAPSULE, {0.2, 0.6, 0}, {0.2, 0, 0.398}, {0, 1.5708, 0.4}, 0}, 150);
  picture(folder, "cylinder_box", slab,
          (Part){HEFT_SHAPE_CYLINDER, {0.4, 0.3, 0}, {0.7, -0.4, 0.497}, {0, 0, 0}, 0}, 150);
  picture(folder, "cylinder_lying", slab,
          (Part){HEFT_SHAPE_CYLINDER, {0.25, 0.6, 0}, {0, 0, 0.447}, {1.5708, 0, 0}, 0}, 150);
  picture(folder, "ellipsoid_box", slab,
          (Part){HEFT_SHAPE_ELLIPSOID, {0.5, 0.3, 0.4}, {0, 0, 0.55}, {0.3, 0.4, 0}, 0}, 150);
  picture(folder, "prism_prism", (Part){HEFT_SHAPE_MESH, {0}, {0, 0, 0}, {0, 0, 0}, 2},
          (Part){HEFT_SHAPE_MESH, {0}, {0.25, 0.1, 0.595}, {0, 0, 0.3}, 2}, 170);
  picture(folder, "sphere_valley", (Part){HEFT_SHAPE_MESH, {0}, {0, 0, 0}, {0, 0, 0}, 1},
          (Part){HEFT_SHAPE_SPHERE, {0.4, 0, 0}, {0, 0.1, 0.44}, {0, 0, 0}, 0}, 170);
  picture(folder, "box_valley", (Part){HEFT_SHAPE_MESH, {0}, {0, 0, 0}, {0, 0, 0}, 1},
          (Part){box, {0.5, 0.4, 0.2}, {0, 0.1, 0.445}, {0, 0, 0}, 0}, 170);
  return 0;
}
