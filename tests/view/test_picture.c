// SPDX-License-Identifier: Apache-2.0
// Pictures: cameras, triangles, marks, and a whole picture where there is a driver to draw it.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <heft/view.h>

#include "scenes/scenes.h"
#include "view/geometry.h"

// A point that lies along the ray of a pixel is seen at that pixel.
static void camera_sees_along_its_rays(void** state) {
  (void)state;
  HeftCamera c = heft_picture_default().camera;
  c.target = heft_vec3(1, -2, 0.5);
  for (int i = 0; i < 50; ++i) {
    const double x = -0.9 + 0.035 * i, y = 0.8 - 0.03 * i, aspect = 1.6;
    double px, py;
    const HeftVec3 p =
        heft_vec3_add_scaled(heft_camera_eye(&c), 2.5, heft_camera_ray(&c, x, y, aspect));
    assert_true(heft_camera_project(&c, p, aspect, &px, &py) > 0);
    assert_true(fabs(px - x) < 1e-12 && fabs(py - y) < 1e-12);
    heft_camera_orbit(&c, 0.1, 0.01);
    heft_camera_zoom(&c, 1.02);
  }
}

static void camera_pans_with_the_hand(void** state) {
  (void)state;
  HeftCamera c = heft_picture_default().camera;
  const HeftVec3 p = c.target;
  double x, y;
  heft_camera_pan(&c, 0.25, 0.1);  // shares of the window's height, y down
  heft_camera_project(&c, p, 1, &x, &y);
  assert_true(fabs(x - 0.5) < 1e-9 && fabs(y + 0.2) < 1e-9);
}

// Volume by the divergence theorem: right only if all triangles are there and look outward.
static double volume(const Solids* s, Part p) {
  double sum = 0;
  for (uint32_t i = 0; i < p.count; i += 3) {
    HeftVec3 c[3];
    for (uint32_t k = 0; k < 3; ++k) {
      const float* v =
          VIEW_AT(s->vertices, Vertex, VIEW_AT(s->indices, uint32_t, p.first + i + k)).pos;
      c[k] = heft_vec3((double)v[0], (double)v[1], (double)v[2]);
    }
    sum += heft_vec3_dot(c[0], heft_vec3_cross(c[1], c[2])) / 6;
  }
  return sum;
}

static void solids_are_closed_and_look_outward(void** state) {
  (void)state;
  const HeftAllocator heap = heft_allocator_default();
  Solids s = solids_make(&heap, 64);
  const double pi = HEFT_PI;
  assert_true(fabs(volume(&s, solid_sphere(&s, heft_vec3(1, 2, 0.5))) / (4 * pi / 3) - 1) < 0.01);
  assert_true(fabs(volume(&s, solid_capsule(&s, 0.5, 1)) / (0.5 * pi + pi / 6) - 1) < 0.01);
  assert_true(fabs(volume(&s, solid_cylinder(&s, 0.5, 1)) / (0.5 * pi) - 1) < 0.02);
  assert_true(fabs(volume(&s, solid_box(&s, heft_vec3(1, 0.5, 2))) / 8 - 1) < 0.02);
  assert_true(fabs(volume(&s, solid_cone(&s)) / (pi / 3) - 1) < 0.01);
  assert_false(solids_failed(&s));
  for (size_t i = 0; i < s.vertices.count; ++i) {
    const float* n = VIEW_AT(s.vertices, Vertex, i).normal;
    assert_true(fabs((double)(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) - 1) < 1e-5);
  }
  solids_free(&s);
}

static void marks_show_what_sticks_and_what_slides(void** state) {
  (void)state;
  HeftModel* m = scene_create("heap", NULL);
  HeftDynamics* d = NULL;
  assert_int_equal(heft_dynamics_create(&d, m, NULL, NULL), HEFT_OK);
  heft_dynamics_kinematics(d, m->q_default);
  HeftContact c[2] = {{.body_b = 1, .normal = {0, 0, 1}, .force = {1, 0, 5}},
                      {.body_b = 1, .normal = {0, 0, 1}, .force = {0, 0, 0}}};
  c[0].slip = heft_vec3(-0.1, 0, 0);
  const HeftSnapshot snapshot = {m->q_default, NULL, c, 2, 1, NULL};
  HeftMark mark[16];
  HeftMarks marks = {.mark = mark, .max = 16};
  heft_marks_of_snapshot(&marks, m, d, &snapshot, 1u << HEFT_SHOW_CONES | 1u << HEFT_SHOW_FORCES);
  assert_int_equal(marks.count, 2);  // nothing for the contact that carries nothing
  const HeftMark *arrow = &mark[0], *cone = &mark[1];
  assert_int_equal(arrow->kind, HEFT_MARK_ARROW);
  assert_int_equal(cone->kind, HEFT_MARK_CONE);
  assert_true(arrow->color[0] > arrow->color[1]);  // it slides: orange
  assert_true(fabs(arrow->dir.z - cone->dir.z) < 1e-12);
  const double mu = heft_model_contact_friction(m, 0, 0);
  assert_true(fabs(cone->size - mu * cone->dir.z) < 1e-12);
  // A cone has the colour of the friction that its body needs, though this force is on its edge.
  double needed[64] = {[1] = 0.1};
  assert_true(m->nbody <= 64);
  c[0].slip = heft_vec3(0, 0, 0);
  c[0].force = heft_vec3(mu, 0, 1);
  for (int k = 0; k < 2; ++k) {
    const HeftSnapshot again = {m->q_default, NULL, c, 1, 1, k ? needed : NULL};
    heft_marks_clear(&marks);
    heft_marks_of_snapshot(&marks, m, d, &again, 1u << HEFT_SHOW_CONES);
    assert_int_equal(mark[0].color[0] > mark[0].color[1], !k);
  }
  heft_dynamics_destroy(d);
  heft_model_destroy(m);
}

// Two contacts of the same bodies are one number, those of others another one.
static void newtons_are_told_once_for_two_bodies(void** state) {
  (void)state;
  HeftModel* m = scene_create("heap", NULL);
  HeftDynamics* d = NULL;
  assert_int_equal(heft_dynamics_create(&d, m, NULL, NULL), HEFT_OK);
  heft_dynamics_kinematics(d, m->q_default);
  const HeftContact c[4] = {
      {.body_b = 1, .normal = {0, 0, 1}, .force = {0, 0, 3}, .pos = {1, 0, 0}},
      {.body_b = 2, .normal = {0, 0, 1}, .force = {0, 0, 7}},
      {.body_b = 1, .normal = {0, 0, 1}, .force = {4, 0, 1}, .pos = {-1, 0, 0}},
      {.body_b = 3, .normal = {0, 0, 1}}};
  const HeftSnapshot snapshot = {m->q_default, NULL, c, 4, 1, NULL};
  HeftMark mark[8];
  HeftMarks marks = {.mark = mark, .max = 8};
  heft_marks_of_snapshot(&marks, m, d, &snapshot, 1u << HEFT_SHOW_FORCE_VALUES);
  assert_int_equal(marks.count, 2);
  assert_string_equal(mark[0].text, "5.66 N");
  assert_true(fabs(mark[0].pos.x - 0.5) < 1e-12);  // nearer to where it carries more
  assert_string_equal(mark[1].text, "7 N");
  heft_dynamics_destroy(d);
  heft_model_destroy(m);
}

static void islands_follow_contacts(void** state) {
  (void)state;
  HeftModel* m = scene_create("heap", NULL);
  int* island = calloc((size_t)m->nbody, sizeof *island);
  HeftContact c = {.body_a = 1, .body_b = 2};
  HeftSnapshot snapshot = {m->q_default, NULL, &c, 0, 1, NULL};
  heft_snapshot_body_islands(m, &snapshot, island);
  assert_int_equal(island[0], -1);
  assert_int_not_equal(island[1], island[2]);
  snapshot.contact_count = 1;
  heft_snapshot_body_islands(m, &snapshot, island);
  assert_int_equal(island[1], island[2]);
  free(island);
  heft_model_destroy(m);
}

// ---- a whole picture

typedef struct Shot {
  HeftModel* model;
  HeftDynamics* dynamics;
  HeftHeadless* headless;
  HeftRenderer* renderer;
  HeftPose* poses;
  HeftPicture picture;
  HeftImage image;
} Shot;

enum { WIDTH = 160, HEIGHT = 120 };

// Takes over the model.
static int open_shot_of(Shot* s, HeftModel* model, const char* folder) {
  HeftError error = {0};
  memset(s, 0, sizeof *s);
#ifdef __SANITIZE_THREAD__
  print_message("skipped: the threads of the driver are not under its eyes\n");
  heft_model_destroy(model);
  return 0;
#endif
  if (heft_headless_create(&s->headless, &error) != HEFT_OK) {
    print_message("skipped: %s\n", error.message);
    heft_model_destroy(model);
    return 0;
  }
  s->model = model;
  assert_int_equal(heft_dynamics_create(&s->dynamics, s->model, NULL, NULL), HEFT_OK);
  HeftRendererDef def = heft_renderer_def_default();
  def.shadow_size = 256;
  def.folder = folder;
  assert_int_equal(heft_renderer_create(&s->renderer, s->model, &def, &error), HEFT_OK);
  s->poses = calloc((size_t)s->model->nbody, sizeof *s->poses);
  heft_dynamics_kinematics(s->dynamics, s->model->q_default);
  for (int b = 0; b < s->model->nbody; ++b) s->poses[b] = heft_dynamics_body_pose(s->dynamics, b);
  s->picture = heft_picture_default();
  s->picture.poses = s->poses;
  s->picture.camera = heft_renderer_camera(s->renderer, s->poses, (double)WIDTH / HEIGHT);
  s->image.pixels = malloc(3 * WIDTH * HEIGHT);
  return 1;
}

static int open_shot(Shot* s, const char* scene) {
  return open_shot_of(s, scene_create(scene, NULL), NULL);
}

static void close_shot(Shot* s) {
  heft_renderer_destroy(s->renderer);
  heft_headless_destroy(s->headless);
  heft_dynamics_destroy(s->dynamics);
  heft_model_destroy(s->model);
  free(s->poses);
  free(s->image.pixels);
}

static void shoot(Shot* s, unsigned char* copy) {
  HeftError error = {0};
  assert_int_equal(heft_renderer_draw(s->renderer, &s->picture, WIDTH, HEIGHT, 0, &error), HEFT_OK);
  heft_renderer_read(s->renderer, &s->image);
  memcpy(copy, s->image.pixels, 3 * WIDTH * HEIGHT);
}

static int differences(const unsigned char* a, const unsigned char* b) {
  int count = 0;
  for (int i = 0; i < WIDTH * HEIGHT; ++i) {
    int d = 0;
    for (int k = 0; k < 3; ++k) d += abs(a[3 * i + k] - b[3 * i + k]);
    count += d > 24;
  }
  return count;
}

// The model is in the picture, near its middle, and not over its edges; it leaves when its group is
// hidden; its shadow and an arrow change the picture too.
static void picture_holds_the_model(void** state) {
  (void)state;
  static unsigned char with[3 * WIDTH * HEIGHT], without[3 * WIDTH * HEIGHT],
      marked[3 * WIDTH * HEIGHT];
  Shot s;
  if (!open_shot(&s, "humanoid")) {
    skip();
    return;
  }
  shoot(&s, with);
  s.picture.groups = 0;
  shoot(&s, without);
  s.picture.groups = 7;
  const int seen = differences(with, without);
  assert_true(seen > WIDTH * HEIGHT / 60 && seen < WIDTH * HEIGHT / 2);
  for (int y = 0; y < HEIGHT; ++y) {
    const int left = 3 * y * WIDTH, right = left + 3 * (WIDTH - 1);
    assert_true(abs(with[left] - without[left]) < 60 && abs(with[right] - without[right]) < 60);
  }
  HeftMark mark;
  HeftMarks marks = {.mark = &mark, .max = 1};
  HeftMark* arrow = heft_marks_add(&marks, HEFT_MARK_ARROW, s.picture.camera.target,
                                   heft_vec3(0, 0, 0.5), 0.05, 0xff0000ff);
  arrow->on_top = 1;
  s.picture.marks = &marks;
  shoot(&s, marked);
  assert_true(differences(marked, with) > 20);
  close_shot(&s);
}

// What is picked is what is seen: a ray through the middle of a body hits that body or one before
// it.
static void picking_finds_bodies(void** state) {
  (void)state;
  Shot s;
  if (!open_shot(&s, "heap")) {
    skip();
    return;
  }
  const HeftVec3 eye = heft_camera_eye(&s.picture.camera);
  int found = 0;
  for (int b = 1; b < s.model->nbody; ++b) {
    const HeftVec3 at = heft_pose_apply(s.poses[b], heft_vec3_from(&s.model->body_com[3 * b]));
    const HeftVec3 way = heft_vec3_sub(at, eye);
    const HeftPick p = heft_renderer_pick(s.renderer, &s.picture, eye, heft_vec3_normalize(way));
    found += p.body == b;
    if (p.body == b) assert_true(p.distance < heft_vec3_norm(way) + 1e-6);
  }
  assert_true(found > 5);
  const HeftPick none = heft_renderer_pick(s.renderer, &s.picture, eye, heft_vec3(0, 0, 1));
  assert_int_equal(none.body, -1);
  close_shot(&s);
}

// ---- textures and lights

// Two triangles, a square of side 2 facing up; its image is mirrored along x by its places.
static HeftModel* textured_square(int light) {
  static const double vertices[] = {-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0};
  static const int faces[] = {0, 1, 2, 0, 2, 3};
  static const double image[] = {1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 1, 1};
  HeftBuilder* b = NULL;
  assert_int_equal(heft_builder_create(&b, NULL, NULL), HEFT_OK);
  HeftTextureDef texture = heft_texture_def_default();
  texture.type = HEFT_TEXTURE_2D;
  texture.file = "picture_test.png";
  HeftAppearanceDef look = heft_appearance_def_default();
  look.texture = heft_builder_add_texture(b, &texture);
  HeftMeshDef mesh = heft_mesh_def_default();
  mesh.vertex_count = 4;
  mesh.vertices = vertices;
  mesh.face_count = 2;
  mesh.faces = faces;
  mesh.image = image;
  HeftShapeDef shape = heft_shape_def_default();
  shape.type = HEFT_SHAPE_MESH;
  shape.mesh = heft_builder_add_mesh(b, &mesh);
  shape.appearance = heft_builder_add_appearance(b, &look);
  shape.category = shape.collides = 0;
  heft_builder_add_shape(b, &shape);
  if (light) {
    HeftLightDef lamp = heft_light_def_default();
    lamp.pos = heft_vec3(0.6, 0, 1);
    lamp.dir = heft_vec3(0, 0, -1);
    lamp.cutoff = 0.3;
    lamp.exponent = 0;
    heft_builder_add_light(b, &lamp);
  }
  HeftModel* model = NULL;
  HeftError error = {0};
  if (heft_builder_finish(b, &model, &error) != HEFT_OK) fail_msg("%s", error.message);
  heft_builder_destroy(b);
  return model;
}

// The colour where a point of the world is seen.
static const unsigned char* seen_at(const Shot* s, HeftVec3 point) {
  double x, y;
  assert_true(heft_camera_project(&s->picture.camera, point, (double)WIDTH / HEIGHT, &x, &y) > 0);
  const int column = (int)((0.5 + 0.5 * x) * WIDTH), row = (int)((0.5 - 0.5 * y) * HEIGHT);
  assert_true(column >= 0 && column < WIDTH && row >= 0 && row < HEIGHT);
  return s->image.pixels + 3L * ((long)row * WIDTH + column);
}

static void write_image(void) {
  unsigned char pixels[3 * 8 * 8];
  HeftError error = {0};
  for (int i = 0; i < 64; ++i) {  // left red; right green above, blue below
    const int right = i % 8 >= 4, below = i / 8 >= 4;
    pixels[3 * i] = right ? 0 : 255;
    pixels[3 * i + 1] = right && !below ? 255 : 0;
    pixels[3 * i + 2] = right && below ? 255 : 0;
  }
  const HeftImage image = {8, 8, pixels};
  assert_int_equal(heft_image_write_png(&image, "picture_test.png", &error), HEFT_OK);
}

// The image lies where the corners say: mirrored, and not upside down.
static void images_lie_where_corners_say(void** state) {
  (void)state;
  static unsigned char copy[3 * WIDTH * HEIGHT];
  Shot s;
  write_image();
  if (!open_shot_of(&s, textured_square(0), ".")) {
    skip();
    return;
  }
  s.picture.camera.elevation = 1.4;
  shoot(&s, copy);
  const unsigned char* red = seen_at(&s, heft_vec3(0.6, 0.6, 0));
  assert_true(red[0] > 2 * red[1] && red[0] > 2 * red[2]);
  const unsigned char* green = seen_at(&s, heft_vec3(-0.6, 0.6, 0));
  assert_true(green[1] > 2 * green[0] && green[1] > 2 * green[2]);
  const unsigned char* blue = seen_at(&s, heft_vec3(-0.6, -0.6, 0));
  assert_true(blue[2] > 2 * blue[0] && blue[2] > 2 * blue[1]);
  close_shot(&s);
  remove("picture_test.png");
}

// A spot lights a disc of the square and no more.
static void spots_light_what_they_shine_at(void** state) {
  (void)state;
  static unsigned char copy[3 * WIDTH * HEIGHT];
  Shot s;
  if (!open_shot_of(&s, textured_square(1), NULL)) {
    skip();
    return;
  }
  s.picture.camera.elevation = 1.4;
  shoot(&s, copy);
  const int inside = seen_at(&s, heft_vec3(0.6, 0, 0))[1],
            outside = seen_at(&s, heft_vec3(-0.6, 0, 0))[1];
  assert_true(inside > outside + 40);
  s.picture.lights = 0;
  shoot(&s, copy);
  assert_true(abs(seen_at(&s, heft_vec3(0.6, 0, 0))[1] - seen_at(&s, heft_vec3(-0.6, 0, 0))[1]) <
              12);
  close_shot(&s);
}

// Words stand to the right of their point, bright on dark; two at one place do not cover each
// other.
static void words_can_be_read(void** state) {
  (void)state;
  static unsigned char with[3 * WIDTH * HEIGHT], without[3 * WIDTH * HEIGHT];
  Shot s;
  if (!open_shot(&s, "humanoid")) {
    skip();
    return;
  }
  HeftMark mark[2];
  HeftMarks marks = {.mark = mark, .max = 2};
  shoot(&s, without);
  heft_marks_text(&marks, s.picture.camera.target, 0xffffffff, "foot 12 N");
  s.picture.marks = &marks;
  shoot(&s, with);
  int inside = 0, bright = 0;
  for (int y = 0; y < HEIGHT; ++y) {
    for (int x = 0; x < WIDTH; ++x) {
      const unsigned char *a = &with[3 * (y * WIDTH + x)], *b = &without[3 * (y * WIDTH + x)];
      if (abs(a[0] - b[0]) + abs(a[1] - b[1]) + abs(a[2] - b[2]) < 24) continue;
      assert_true(x >= WIDTH / 2 && x < WIDTH - 4 && abs(y - HEIGHT / 2) < 14);
      ++inside;
      bright += a[0] > 200 && a[2] > 200;
    }
  }
  assert_true(inside > 500 && bright > 40);
  heft_marks_text(&marks, s.picture.camera.target, 0xffffffff, "foot 12 N");
  shoot(&s, without);
  assert_true(differences(with, without) > 300);
  close_shot(&s);
}

// The scale of pressure is beside the panels at the left, not under them.
static void scale_is_beside_the_panels(void** state) {
  (void)state;
  static unsigned char with[3 * WIDTH * HEIGHT], without[3 * WIDTH * HEIGHT];
  Shot s;
  if (!open_shot(&s, "humanoid")) {
    skip();
    return;
  }
  HeftMark mark[1];
  HeftMarks marks = {.mark = mark, .max = 1};
  heft_marks_add(&marks, HEFT_MARK_SCALE, heft_vec3(0, 0, 0), heft_vec3(0, 0, 0), 5e4, 0xffffffff);
  for (int covered = 0; covered <= 100; covered += 100) {
    s.picture.covered[0] = covered;
    s.picture.marks = NULL;
    shoot(&s, without);
    s.picture.marks = &marks;
    shoot(&s, with);
    assert_true(differences(with, without) > 1000);
    for (int i = 0; i < WIDTH * HEIGHT; ++i) {
      if (i % WIDTH < covered) assert_memory_equal(&with[3 * i], &without[3 * i], 3);
    }
  }
  close_shot(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(camera_sees_along_its_rays),
      cmocka_unit_test(camera_pans_with_the_hand),
      cmocka_unit_test(solids_are_closed_and_look_outward),
      cmocka_unit_test(marks_show_what_sticks_and_what_slides),
      cmocka_unit_test(islands_follow_contacts),
      cmocka_unit_test(newtons_are_told_once_for_two_bodies),
      cmocka_unit_test(words_can_be_read),
      cmocka_unit_test(scale_is_beside_the_panels),
      cmocka_unit_test(picture_holds_the_model),
      cmocka_unit_test(picking_finds_bodies),
      cmocka_unit_test(images_lie_where_corners_say),
      cmocka_unit_test(spots_light_what_they_shine_at),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
