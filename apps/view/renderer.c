// SPDX-License-Identifier: Apache-2.0
// A picture is drawn in passes: shadow map, sky, reflections of floors, opaque items, translucent
// items from far to near, marks, and marks in front of everything.
#include <epoxy/gl.h>
#include <heft/view.h>
#include <stdio.h>
#include <string.h>

#include "view/image.h"
#include "view/labels.h"
#include "view/lamps.h"
#include "view/program.h"
#include "view/scene.h"
#include "view/shaders.h"
#include "view/target.h"

enum { TINTS = 8, VARIANTS = 48 };

// Variant of the surface shader; see shaders.h.
typedef struct Look {
  int pattern, cube, placed, mark, plain, floor, lamps, spot;
} Look;

typedef struct Variant {
  Look look;
  GLuint program;
  long seen;  // the last picture whose uniforms were set
} Variant;

struct HeftRenderer {
  HeftAllocator allocator;
  HeftRendererDef def;
  Scene scene;
  Target target;
  Labels labels;
  GLuint shadow, sky, stretch;  // programs
  GLuint surface;               // the variant in use
  Variant variant[VARIANTS];
  int variant_count;
  long drawn;                              // pictures
  GLuint array, empty, vertices, indices;  // the triangles
  GLuint shadow_map, shadow_frame;
  GLuint* images;     // per texture of the model, 0: none
  float (*means)[3];  // their mean colours
  char driver[96];
  long triangles;
  // of the current picture
  const HeftPicture* picture;
  Matrix4 camera, shade;
  HeftVec3 sun;  // direction to the light that casts the shadow
  Lamp lamp[LAMPS_MAX];
  int lamps;     // of the model; 0: default sun
  double texel;  // of the shadow map [m]
  float cut[4];
  HeftPose eye;
  double aspect, near, far;  // of the lens; near and far are distances that are drawn [m]
  int* order;                // items that are drawn, translucent ones sorted
};

HeftRendererDef heft_renderer_def_default(void) {
  return (HeftRendererDef){.allocator = heft_allocator_default(),
                           .samples = 4,
                           .shadow_size = 2048,
                           .soft_shadows = 1,
                           .reflections = 1};
}

HeftPicture heft_picture_default(void) {
  return (HeftPicture){.camera = {.distance = 3, .azimuth = 0.7, .elevation = 0.25, .fov = 0.7},
                       .groups = 0x7,
                       .selected = -1,
                       .opacity = 1,
                       .ground = 1,
                       .lights = 1,
                       .text = 1,
                       .detail = 1};
}

// ---- light and air

typedef struct Air {
  float zenith[3], haze[3], above[3], below[3];
} Air;

static Air air_of(const HeftRenderer* r) {
  Air a = {
      {0.36F, 0.55F, 0.80F}, {0.86F, 0.90F, 0.94F}, {0.62F, 0.68F, 0.76F}, {0.24F, 0.22F, 0.2F}};
  const Air night = {
      {0.06F, 0.08F, 0.12F}, {0.17F, 0.19F, 0.23F}, {0.5F, 0.54F, 0.6F}, {0.2F, 0.2F, 0.2F}};
  if (r->picture->dark || r->def.dark) a = night;
  for (int i = 0; i < r->lamps; ++i) {
    for (int k = 0; k < 3; ++k) a.above[k] += r->lamp[i].ambient[k];
  }
  if (r->scene.has_sky) {
    memcpy(a.zenith, r->scene.zenith, sizeof a.zenith);
    memcpy(a.haze, r->scene.horizon, sizeof a.haze);
  }
  return a;
}

// Haze hides the horizon, not the model: large scenes are seen from far away.
static double haze_reach(const HeftRenderer* r) {
  const double away = r->picture->camera.fixed ? 5 : r->picture->camera.distance;
  return fmax(4 * away, fmin(60, fmax(12, 9 * away)));
}

// ---- variants of the surface shader

static GLuint make_variant(const HeftRenderer* r, Look k, HeftError* error) {
  char source[sizeof SURFACE_FRAGMENT + 256];
  const int taps = r->def.shadow_size > 0 ? (r->def.soft_shadows ? 5 : 1) : 0;
  snprintf(
      source, sizeof source,
      "#version 330 core\n#define PATTERN %d\n#define CUBE %d\n#define MARK %d\n"
      "#define PLAIN %d\n#define FLOOR %d\n#define TAPS %d\n#define FAST %d\n#define PLACED %d\n"
      "#define LAMPS %d\n#define SPOT %d\n%s",
      k.pattern, k.cube, k.mark, k.plain, k.floor, taps, !r->def.soft_shadows, k.placed, k.lamps,
      k.spot, SURFACE_FRAGMENT);
  return program_make(SURFACE_VERTEX, source, error);
}

// Scales the colours so that their sum does not exceed the default sun.
static double lamp_gain(const HeftRenderer* r) {
  double sum = 0;
  for (int i = 0; i < r->lamps; ++i) {
    const float* c = r->lamp[i].color;
    sum += (double)(c[0] + c[1] + c[2]) / 3;
  }
  return 2.6 / fmax(sum, 0.8);
}

static void set_lamps(const HeftRenderer* r) {
  const double gain = lamp_gain(r);
  for (int i = 0; i < r->lamps; ++i) {
    const Lamp* l = &r->lamp[i];
    const float at[4] = {(float)l->at.x, (float)l->at.y, (float)l->at.z, l->parallel ? 0 : 1};
    const float dir[4] = {(float)l->dir.x, (float)l->dir.y, (float)l->dir.z, (float)l->rim};
    float color[4] = {0, 0, 0, (float)l->exponent}, gloss[3];
    for (int k = 0; k < 3; ++k) {
      color[k] = (float)gain * l->color[k];
      gloss[k] = (float)(0.8 * gain) * l->gloss[k];
    }
    program_vec4_at(r->surface, "lamp_at", i, at);
    program_vec4_at(r->surface, "lamp_dir", i, dir);
    program_vec4_at(r->surface, "lamp_color", i, color);
    program_vec3_at(r->surface, "lamp_gloss", i, gloss);
    program_vec3_at(r->surface, "lamp_fall", i, l->fall);
  }
}

// Uniforms of the whole picture.
static void set_surface(const HeftRenderer* r) {
  const GLuint p = r->surface;
  const Air air = air_of(r);
  program_matrix(p, "camera", &r->camera);
  program_matrix(p, "shade", &r->shade);
  program_point(p, "eye", r->eye.pos);
  program_point(p, "sun", r->sun);
  program_vec3(p, "above", air.above);
  program_vec3(p, "below", air.below);
  program_vec3(p, "haze", air.haze);
  program_float(p, "haze_reach", haze_reach(r));
  program_float(p, "lift", 1.5 * r->texel);
  program_int(p, "shadow_map", 1);
  program_int(p, "image", 0);
  set_lamps(r);
}

// Uses a variant, and compiles it the first time. 0 on failure.
static int use_look(HeftRenderer* r, Look k, HeftError* error) {
  int i = 0;
  k.lamps = k.plain ? 0 : r->lamps;
  k.spot = k.lamps > 0 && !r->lamp[0].parallel;
  while (i < r->variant_count && memcmp(&r->variant[i].look, &k, sizeof k) != 0) ++i;
  if (i == VARIANTS) i = 0;  // too many variants: plain colours
  if (i == r->variant_count) {
    const GLuint program = make_variant(r, k, error);
    if (!program) return 0;
    r->variant[r->variant_count++] = (Variant){k, program, -1};
  }
  Variant* v = &r->variant[i];
  if (r->surface != v->program) glUseProgram(v->program);
  r->surface = v->program;
  if (!r->picture) return 1;
  if (v->seen != r->drawn) set_surface(r);
  program_vec4(v->program, "cut", r->cut);
  v->seen = r->drawn;
  return 1;
}

// ---- creation

static void upload(HeftRenderer* r) {
  const Solids* s = &r->scene.solids;
  glGenVertexArrays(1, &r->array);
  glGenVertexArrays(1, &r->empty);
  glGenBuffers(1, &r->vertices);
  glGenBuffers(1, &r->indices);
  glBindVertexArray(r->array);
  glBindBuffer(GL_ARRAY_BUFFER, r->vertices);
  glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(s->vertices.count * sizeof(Vertex)), s->vertices.at,
               GL_STATIC_DRAW);
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, r->indices);
  glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)(s->indices.count * sizeof(uint32_t)),
               s->indices.at, GL_STATIC_DRAW);
  for (GLuint k = 0; k < 3; ++k) {
    glEnableVertexAttribArray(k);
    glVertexAttribPointer(k, k < 2 ? 3 : 2, GL_FLOAT, GL_FALSE, sizeof(Vertex),
                          (const void*)(k * 3 * sizeof(float)));
  }
  glBindVertexArray(0);
}

// Moves the surfaces of deformable bodies. Their vertices are the last ones.
static void follow(HeftRenderer* r, const HeftPose* poses) {
  const Scene* scene = &r->scene;
  const int count = scene->model->ndeformable;
  if (count == 0) return;
  scene_follow(&r->scene, poses);
  const size_t first = scene->surfaces[0].vertex, all = scene->solids.vertices.count;
  glBindBuffer(GL_ARRAY_BUFFER, r->vertices);
  glBufferSubData(GL_ARRAY_BUFFER, (GLintptr)(first * sizeof(Vertex)),
                  (GLsizeiptr)((all - first) * sizeof(Vertex)),
                  &VIEW_AT(scene->solids.vertices, Vertex, first));
}

static void make_shadow_map(HeftRenderer* r) {
  static const float outside[4] = {1, 1, 1, 1};
  const int n = r->def.shadow_size;
  if (n <= 0) return;
  glGenTextures(1, &r->shadow_map);
  glBindTexture(GL_TEXTURE_2D, r->shadow_map);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, n, n, 0, GL_DEPTH_COMPONENT, GL_FLOAT, NULL);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
  glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, outside);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
  glGenFramebuffers(1, &r->shadow_frame);
  glBindFramebuffer(GL_FRAMEBUFFER, r->shadow_frame);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, r->shadow_map, 0);
  glDrawBuffer(GL_NONE);
  glReadBuffer(GL_NONE);
}

static void mean_color(const HeftImage* image, float mean[3]) {
  const size_t count = (size_t)image->width * (size_t)image->height;
  double sum[3] = {0};
  for (size_t i = 0; i < 3 * count; ++i) sum[i % 3] += image->pixels[i];
  for (int k = 0; k < 3; ++k) mean[k] = (float)(sum[k] / (255.0 * (double)count));
}

static GLuint upload_image(const HeftImage* image) {
  GLuint name = 0;
  glGenTextures(1, &name);
  glBindTexture(GL_TEXTURE_2D, name);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, image->width, image->height, 0, GL_RGB, GL_UNSIGNED_BYTE,
               image->pixels);
  glGenerateMipmap(GL_TEXTURE_2D);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  return name;
}

// A texture that cannot be read is skipped: the shape keeps its colour.
static void load_images(HeftRenderer* r, const HeftModel* m) {
  for (int t = 0; t < m->ntexture; ++t) {
    const char* file = m->names + m->texture_file[t];
    char path[1024];
    HeftImage image = {0};
    if (m->texture_source[t] != HEFT_TEXTURE_FROM_FILE || !file[0]) continue;
    const char* folder = r->def.folder && file[0] != '/' ? r->def.folder : "";
    const size_t length = strlen(folder), rest = strlen(file);
    if (length + rest + 2 > sizeof path) continue;
    memcpy(path, folder, length);
    if (length > 0) path[length] = '/';
    memcpy(path + length + (length > 0), file, rest + 1);
    if (!image_read_png(path, &r->allocator, &image, NULL)) continue;
    mean_color(&image, r->means[t]);
    r->images[t] = upload_image(&image);
    image_free(&image, &r->allocator);
  }
}

static void keep_driver(HeftRenderer* r) {
  const char* name = (const char*)glGetString(GL_RENDERER);
  const size_t length = name ? strlen(name) : 0, max = sizeof r->driver - 1;
  memcpy(r->driver, name ? name : "", length < max ? length : max);
}

HeftStatus heft_renderer_create(HeftRenderer** out, const HeftModel* model,
                                const HeftRendererDef* def, HeftError* error) {
  const HeftRendererDef usual = heft_renderer_def_default();
  if (!def) def = &usual;
  *out = NULL;
  if (epoxy_gl_version() < 33)
    return view_fail(error, HEFT_ERR_UNSUPPORTED,
                     "the driver has OpenGL %d.%d, 3.3 is needed; update it, or draw in software "
                     "with LIBGL_ALWAYS_SOFTWARE=1",
                     epoxy_gl_version() / 10, epoxy_gl_version() % 10);
  HeftRenderer* r = view_take(&def->allocator, sizeof *r);
  if (!r) return view_fail(error, HEFT_ERR_MEMORY, "not enough memory for a renderer");
  r->allocator = def->allocator;
  r->def = *def;
  const HeftStatus status = scene_make(&r->scene, model, &def->allocator, error);
  if (status != HEFT_OK) {
    view_give(&def->allocator, r, sizeof *r);
    return status;
  }
  r->images = view_take(&def->allocator, (size_t)model->ntexture * sizeof *r->images);
  r->means = view_take(&def->allocator, (size_t)model->ntexture * sizeof *r->means);
  r->order = view_take(&def->allocator, r->scene.items.count * sizeof *r->order);
  r->shadow =
      use_look(r, (Look){0}, error) ? program_make(SHADOW_VERTEX, SHADOW_FRAGMENT, error) : 0;
  r->sky = r->shadow ? program_make(SKY_VERTEX, SKY_FRAGMENT, error) : 0;
  r->stretch = r->sky ? program_make(STRETCH_VERTEX, STRETCH_FRAGMENT, error) : 0;
  if (!r->stretch || !r->images || !r->means || !r->order) {
    heft_renderer_destroy(r);
    return error && error->status
               ? error->status
               : view_fail(error, HEFT_ERR_MEMORY, "not enough memory for a renderer");
  }
  upload(r);
  make_shadow_map(r);
  load_images(r, model);
  keep_driver(r);
  *out = r;
  return HEFT_OK;
}

void heft_renderer_destroy(HeftRenderer* renderer) {
  HeftRenderer* r = renderer;
  if (!r) return;
  const HeftAllocator allocator = r->allocator;
  const size_t textures = (size_t)r->scene.model->ntexture;
  target_free(&r->target);
  labels_free(&r->labels, &allocator);
  for (int i = 0; i < r->variant_count; ++i) glDeleteProgram(r->variant[i].program);
  if (r->shadow) glDeleteProgram(r->shadow);
  if (r->sky) glDeleteProgram(r->sky);
  if (r->stretch) glDeleteProgram(r->stretch);
  if (r->array) glDeleteVertexArrays(1, &r->array);
  if (r->empty) glDeleteVertexArrays(1, &r->empty);
  if (r->vertices) glDeleteBuffers(1, &r->vertices);
  if (r->indices) glDeleteBuffers(1, &r->indices);
  if (r->shadow_frame) glDeleteFramebuffers(1, &r->shadow_frame);
  if (r->shadow_map) glDeleteTextures(1, &r->shadow_map);
  if (r->images) glDeleteTextures((GLsizei)textures, r->images);
  view_give(&allocator, r->images, textures * sizeof *r->images);
  view_give(&allocator, r->means, textures * sizeof *r->means);
  view_give(&allocator, r->order, r->scene.items.count * sizeof *r->order);
  scene_free(&r->scene);
  view_give(&allocator, r, sizeof *r);
}

const char* heft_renderer_driver(const HeftRenderer* renderer) { return renderer->driver; }
long heft_renderer_triangles(const HeftRenderer* renderer) { return renderer->triangles; }

// ---- one item

static int is_seen(const HeftRenderer* r, const Item* item) {
  return item->part.count > 0 && (r->picture->groups >> item->group & 1u) && item->color[3] > 0.01F;
}

static HeftPose item_pose(const HeftPose* poses, const Item* item) {
  return heft_pose_mul(poses[item->body], item->local);
}

static void draw_part(HeftRenderer* r, const Part* part) {
  glDrawElements(GL_TRIANGLES, (GLsizei)part->count, GL_UNSIGNED_INT,
                 (const void*)(part->first * sizeof(uint32_t)));
  r->triangles += part->count / 3;
}

// The pattern of an item as the driver can draw it.
static Look item_look(const HeftRenderer* r, const Item* item, float color[3]) {
  const Pattern* t = &item->pattern;
  Look k = {.pattern = (int)t->kind,
            .cube = t->cube,
            .placed = t->placed,
            .mark = t->mark,
            .floor = item->plane};
  memcpy(color, t->a, 3 * sizeof *color);
  // For a mesh without texture coordinates, the mean colour of the image.
  if (k.pattern == PATTERN_IMAGE &&
      (!r->images[t->texture] ||
       (!t->cube && !t->placed && r->scene.model->shape_mesh[item->shape] >= 0))) {
    k.pattern = r->images[t->texture] ? PATTERN_FLAT : PATTERN_NONE;
    memcpy(color, r->means[t->texture], 3 * sizeof *color);
  }
  if (k.pattern == PATTERN_NONE) k.cube = k.placed = k.mark = 0;
  return k;
}

static void set_pattern(HeftRenderer* r, const Item* item) {
  const Pattern* t = &item->pattern;
  float color[3];
  const Look k = item_look(r, item, color);
  use_look(r, k, NULL);
  const GLuint p = r->surface;
  if (k.pattern == PATTERN_NONE) return;
  if (k.pattern == PATTERN_IMAGE) glBindTexture(GL_TEXTURE_2D, r->images[t->texture]);
  program_vec3(p, "pattern_a", color);
  program_vec3(p, "pattern_b", t->b);
  program_vec3(p, "mark_color", t->mark_color);
  program_vec2(p, "repeat", (double)t->repeat[0], (double)t->repeat[1]);
  program_point(p, "extent", item_half(item));
}

static void set_place(const HeftRenderer* r, HeftPose pose, HeftVec3 scale, const Matrix4* mirror) {
  Matrix4 place = matrix_scaled(pose, scale);
  if (mirror) {
    place = matrix_mul(*mirror, place);
    HeftMat3 flip;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) flip.m[i][j] = (double)mirror->m[4 * j + i];
    }
    pose.rot = heft_mat3_mul(flip, pose.rot);
  }
  HeftMat3 turn = pose.rot;
  const double s[3] = {scale.x, scale.y, scale.z};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) turn.m[i][j] /= s[j];
  }
  program_matrix(r->surface, "place", &place);
  program_turn(r->surface, "turn", turn);
}

static void set_glow(const HeftRenderer* r, const Item* item, int ghost) {
  static const float tints[TINTS][3] = {
      {0.9F, 0.35F, 0.1F}, {0.1F, 0.4F, 0.9F}, {0.2F, 0.7F, 0.2F}, {0.8F, 0.1F, 0.2F},
      {0.5F, 0.2F, 0.8F},  {0.8F, 0.7F, 0.1F}, {0.1F, 0.7F, 0.7F}, {0.35F, 0.35F, 0.38F}};
  float glow[4] = {1, 0.75F, 0.2F, 0};
  const HeftPicture* p = r->picture;
  if (ghost) {
    static const float blue[4] = {0.25F, 0.6F, 1.2F, 0.6F};
    program_vec4(r->surface, "glow", blue);
    return;
  }
  if (p->body_tint && p->body_tint[item->body] >= 0) {
    memcpy(glow, tints[p->body_tint[item->body] % TINTS], 3 * sizeof(float));
    glow[3] = 0.65F;
  }
  if (p->selected == item->body && item->body > 0) glow[3] = 0.28F;
  program_vec4(r->surface, "glow", glow);
}

static void draw_item(HeftRenderer* r, const Item* item, const HeftPose* poses, double opacity,
                      const Matrix4* mirror) {
  float color[4];
  memcpy(color, item->color, sizeof color);
  color[3] *= (float)opacity;
  set_pattern(r, item);
  program_vec4(r->surface, "color", color);
  program_vec4(r->surface, "light", item->light);
  program_point(r->surface, "stretch", item->stretch);
  set_glow(r, item, poses == r->picture->ghost);
  set_place(r, item_pose(poses, item), item->stretch, mirror);
  draw_part(r, &item->part);
}

// ---- passes

// A light with a position: its view covers the moving items, or its own opening angle if it is
// among them.
static double aim_spot(HeftRenderer* r, HeftVec3 center, double radius) {
  static const double widest = 1.2;  // half an angle [rad]
  const Lamp* l = &r->lamp[0];
  const HeftVec3 back = heft_vec3_sub(l->at, center);
  const double away = heft_vec3_norm(back);
  const double open = l->rim > -1 ? heft_acos(l->rim) : widest;
  HeftVec3 to_lamp = heft_vec3_scale(-1, l->dir), t1, t2;
  double half = fmin(widest, 1.05 * open), near = 0.02 * fmax(away, radius);
  if (away > 1.1 * radius && heft_asin(radius / away) < half) {
    half = heft_asin(radius / away);
    to_lamp = heft_vec3_scale(1 / away, back);
    near = fmax(near, away - radius);
  }
  r->sun = away > 1e-9 ? heft_vec3_scale(1 / away, back) : to_lamp;
  heft_vec3_tangents(to_lamp, &t1, &t2);
  const HeftPose from = {heft_mat3_from_columns(t1, t2, to_lamp), l->at};
  r->shade =
      matrix_mul(matrix_perspective(2 * half, 1, near, away + 6 * radius), matrix_view(from));
  return fmax(away, radius) * heft_sin(half) / heft_cos(half);
}

// A square of the view of the sun around the moving items, no larger than the camera resolves.
static double aim_sun(HeftRenderer* r) {
  HeftVec3 sun = r->lamps > 0 ? r->lamp[0].at : heft_vec3(0.30, 0.55, 0.9);
  if (heft_vec3_norm(sun) < 1e-9) sun = heft_vec3(0, 0, 1);
  sun = r->sun = heft_vec3_normalize(sun);
  HeftVec3 center, t1, t2;
  double radius = scene_bounds(&r->scene, r->picture->poses, r->picture->groups, 1, &center);
  if (radius <= 0)
    radius = scene_bounds(&r->scene, r->picture->poses, r->picture->groups, 0, &center);
  const double max = 2.5 * r->picture->camera.distance;
  if (!r->picture->camera.fixed && radius > max) {
    radius = max;
    center = r->picture->camera.target;
  }
  radius = 1.15 * fmax(radius, 0.02);
  if (r->lamps > 0 && !r->lamp[0].parallel) return aim_spot(r, center, radius);
  heft_vec3_tangents(sun, &t1, &t2);
  const HeftPose from = {heft_mat3_from_columns(t1, t2, sun), center};
  r->shade = matrix_mul(matrix_box(radius, -6 * radius, 6 * radius), matrix_view(from));
  return radius;
}

static void shadow_pass(HeftRenderer* r) {
  if (!r->shadow_map) return;
  glBindFramebuffer(GL_FRAMEBUFFER, r->shadow_frame);
  glViewport(0, 0, r->def.shadow_size, r->def.shadow_size);
  glClear(GL_DEPTH_BUFFER_BIT);
  if (r->lamps > 0 && !r->lamp[0].shadow) return;
  glEnable(GL_DEPTH_TEST);
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(1.5F, 4);
  glUseProgram(r->shadow);
  program_matrix(r->shadow, "shade", &r->shade);
  for (size_t i = 0; i < r->scene.items.count; ++i) {
    const Item* item = &VIEW_AT(r->scene.items, Item, i);
    if (!is_seen(r, item) || item->plane || item->color[3] < 0.5F) continue;
    const Matrix4 place = matrix_pose(item_pose(r->picture->poses, item));
    program_matrix(r->shadow, "place", &place);
    draw_part(r, &item->part);
  }
  glDisable(GL_POLYGON_OFFSET_FILL);
}

static void sky_pass(const HeftRenderer* r, const Air* air) {
  double s, c;
  heft_sincos(0.5 * r->picture->camera.fov, &s, &c);
  glDepthMask(GL_FALSE);  // at the largest depth: items drawn before are kept
  glUseProgram(r->sky);
  glBindVertexArray(r->empty);
  program_turn(r->sky, "turn", r->eye.rot);
  program_vec2(r->sky, "opening", s / c * r->aspect, s / c);
  program_vec2(r->sky, "shift", r->picture->camera.shift[0], r->picture->camera.shift[1]);
  program_vec3(r->sky, "zenith", air->zenith);
  program_vec3(r->sky, "haze", air->haze);
  program_point(r->sky, "sun", r->sun);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glBindVertexArray(r->array);
  glDepthMask(GL_TRUE);
}

static Item ground_item(const HeftRenderer* r) {
  HeftVec3 center;
  const double radius = scene_bounds(&r->scene, r->picture->poses, r->picture->groups, 0, &center);
  Item item = {.part = r->scene.square, .shape = 0, .plane = 1, .stretch = {120, 120, 1}};
  item.local = heft_pose_identity();
  item.local.pos.z = radius > 0 && r->scene.items.count > 0 ? fmin(0, center.z - radius) : 0;
  item.pattern = (Pattern){.kind = PATTERN_GRID, .texture = -1, .repeat = {1, 1}};
  const float day = r->picture->dark || r->def.dark ? 0.22F : 0.66F,
              line = day < 0.5F ? 0.36F : 0.5F;
  for (int k = 0; k < 3; ++k) {
    item.color[k] = day;
    item.pattern.mark_color[k] = line;
  }
  item.color[3] = 1;
  return item;
}

static void draw_plane(HeftRenderer* r, const Item* item, double opacity) {
  Item copy = *item;
  if (copy.pattern.kind == PATTERN_GRID) {
    for (int k = 0; k < 3; ++k) copy.pattern.mark_color[k] = 0.62F * copy.color[k];
  }
  draw_item(r, &copy, r->picture->poses, opacity, NULL);
}

// A reflecting floor is drawn translucent over a mirrored picture of the items on it.
static void reflect_pass(HeftRenderer* r, const Item* floor) {
  const HeftPose at = item_pose(r->picture->poses, floor);
  const HeftVec3 n = heft_mat3_column(at.rot, 2);
  if (heft_vec3_dot(n, heft_vec3_sub(r->eye.pos, at.pos)) <= 0) return;
  const Matrix4 mirror = matrix_mirror(at);
  const float cut[4] = {(float)-n.x, (float)-n.y, (float)-n.z, (float)heft_vec3_dot(n, at.pos)};
  static const float no_cut[4] = {0, 0, 0, 1};
  memcpy(r->cut, cut, sizeof cut);
  glEnable(GL_CLIP_DISTANCE0);
  for (size_t i = 0; i < r->scene.items.count; ++i) {
    const Item* item = &VIEW_AT(r->scene.items, Item, i);
    if (is_seen(r, item) && !item->plane && item->color[3] > 0.99F)
      draw_item(r, item, r->picture->poses, 1, &mirror);
  }
  glDisable(GL_CLIP_DISTANCE0);
  memcpy(r->cut, no_cut, sizeof no_cut);
  glClear(GL_DEPTH_BUFFER_BIT);
}

static void floor_pass(HeftRenderer* r) {
  for (size_t i = 0; i < r->scene.items.count; ++i) {
    const Item* item = &VIEW_AT(r->scene.items, Item, i);
    if (!is_seen(r, item) || !item->plane) continue;
    const double shine = r->def.reflections ? (double)item->light[3] : 0;
    if (shine > 0.01) reflect_pass(r, item);
    glEnable(GL_BLEND);
    draw_plane(r, item, fmax(0.2, 1 - shine));
    glDisable(GL_BLEND);
  }
  if (r->scene.has_floor || !r->picture->ground) return;
  const Item ground = ground_item(r);
  draw_plane(r, &ground, 1);
}

static double depth_of(const HeftRenderer* r, int index) {
  const Item* item = &VIEW_AT(r->scene.items, Item, index);
  const HeftVec3 c = heft_pose_apply(item_pose(r->picture->poses, item), item->part.center);
  return heft_vec3_norm(heft_vec3_sub(c, r->eye.pos));
}

// Translucent items, the farthest first.
static int sort_translucent(HeftRenderer* r) {
  int count = 0;
  for (size_t i = 0; i < r->scene.items.count; ++i) {
    const Item* item = &VIEW_AT(r->scene.items, Item, i);
    const double a = (double)item->color[3] * r->picture->opacity;
    if (!is_seen(r, item) || item->plane || a > 0.99) continue;
    int k = count++;
    const double depth = depth_of(r, (int)i);
    for (; k > 0 && depth_of(r, r->order[k - 1]) < depth; --k) r->order[k] = r->order[k - 1];
    r->order[k] = (int)i;
  }
  return count;
}

static void solid_pass(HeftRenderer* r) {
  for (size_t i = 0; i < r->scene.items.count; ++i) {
    const Item* item = &VIEW_AT(r->scene.items, Item, i);
    const double a = (double)item->color[3] * r->picture->opacity;
    if (is_seen(r, item) && !item->plane && a > 0.99)
      draw_item(r, item, r->picture->poses, 1, NULL);
  }
}

// Only the front of translucent items is drawn: depths first, then colours.
static void veil_pass(HeftRenderer* r, const HeftPose* poses, const int* order, int count,
                      double opacity) {
  for (int pass = 0; pass < 2; ++pass) {
    const GLboolean colors = pass == 1 ? GL_TRUE : GL_FALSE;
    glColorMask(colors, colors, colors, colors);
    for (int k = 0; k < count; ++k)
      draw_item(r, &VIEW_AT(r->scene.items, Item, order[k]), poses, opacity, NULL);
  }
}

static int ghost_items(HeftRenderer* r) {
  int count = 0;
  for (size_t i = 0; i < r->scene.items.count; ++i) {
    const Item* item = &VIEW_AT(r->scene.items, Item, i);
    if (is_seen(r, item) && !item->plane && item->moves) r->order[count++] = (int)i;
  }
  return count;
}

static void translucent_pass(HeftRenderer* r) {
  const int count = sort_translucent(r);
  glEnable(GL_BLEND);
  veil_pass(r, r->picture->poses, r->order, count, r->picture->opacity);
  if (r->picture->ghost) {
    follow(r, r->picture->ghost);
    veil_pass(r, r->picture->ghost, r->order, ghost_items(r), 0.6);
    follow(r, r->picture->poses);
  }
  glDisable(GL_BLEND);
}

// ---- marks

static HeftPose aim(HeftVec3 pos, HeftVec3 dir) {
  HeftVec3 t1, t2;
  const HeftVec3 n = heft_vec3_normalize(dir);
  heft_vec3_tangents(heft_vec3_norm(n) > 0.5 ? n : heft_vec3(0, 0, 1), &t1, &t2);
  return (HeftPose){
      heft_mat3_from_columns(t1, t2, heft_vec3_norm(n) > 0.5 ? n : heft_vec3(0, 0, 1)), pos};
}

static void mark_part(HeftRenderer* r, const Part* part, HeftPose pose, HeftVec3 scale) {
  const double min = 1e-6;
  scale = heft_vec3(fmax(scale.x, min), fmax(scale.y, min), fmax(scale.z, min));
  set_place(r, pose, scale, NULL);
  draw_part(r, part);
}

static void draw_rod(HeftRenderer* r, HeftVec3 from, HeftVec3 along, double radius) {
  const HeftPose pose = aim(heft_vec3_add_scaled(from, 0.5, along), along);
  mark_part(r, &r->scene.marks.rod, pose, heft_vec3(radius, radius, heft_vec3_norm(along)));
}

static void draw_arrow(HeftRenderer* r, const HeftMark* m) {
  const double length = heft_vec3_norm(m->dir), head = fmin(5 * m->size, 0.5 * length);
  if (length < 1e-9) return;
  const HeftVec3 shaft = heft_vec3_scale((length - head) / length, m->dir);
  draw_rod(r, m->pos, shaft, m->size);
  mark_part(r, &r->scene.marks.cone, aim(heft_vec3_add(m->pos, shaft), m->dir),
            heft_vec3(2.2 * m->size, 2.2 * m->size, head));
}

static void draw_mark(HeftRenderer* r, const HeftMark* m) {
  const MarkParts* parts = &r->scene.marks;
  const double s = m->size;
  program_vec4(r->surface, "color", m->color);
  switch (m->kind) {
    case HEFT_MARK_ARROW:
      draw_arrow(r, m);
      return;
    case HEFT_MARK_SPHERE:
      mark_part(r, &parts->sphere, aim(m->pos, m->dir), heft_vec3(s, s, s));
      return;
    case HEFT_MARK_CONE:
      mark_part(r, &parts->funnel, aim(m->pos, m->dir), heft_vec3(s, s, heft_vec3_norm(m->dir)));
      return;
    case HEFT_MARK_ROD:
      draw_rod(r, m->pos, m->dir, s);
      return;
    case HEFT_MARK_DISC:
      mark_part(r, &parts->rod, aim(m->pos, m->dir), heft_vec3(s, s, 0.04 * s));
      return;
    case HEFT_MARK_ELLIPSOID:
      mark_part(r, &parts->sphere, (HeftPose){m->frame, m->pos}, m->dir);
      return;
    case HEFT_MARK_TILE:
      mark_part(r, &r->scene.square, aim(m->pos, m->dir), heft_vec3(s, s, 1));
      return;
    case HEFT_MARK_TEXT:
    case HEFT_MARK_SCALE:
      return;
  }
}

static void mark_pass(HeftRenderer* r, int on_top) {
  const HeftMarks* marks = r->picture->marks;
  if (!marks || marks->count == 0) return;
  use_look(r, (Look){.plain = 1}, NULL);
  if (on_top) glClear(GL_DEPTH_BUFFER_BIT);
  for (int solid = 1; solid >= 0; --solid) {
    if (!solid) glEnable(GL_BLEND);
    if (!solid) glDepthMask(GL_FALSE);
    for (int i = 0; i < marks->count; ++i) {
      const HeftMark* m = &marks->mark[i];
      const int text = m->kind == HEFT_MARK_TEXT || m->kind == HEFT_MARK_SCALE;
      if (!text && m->on_top == on_top && (m->color[3] > 0.99F) == solid) draw_mark(r, m);
    }
  }
  glDepthMask(GL_TRUE);
  glDisable(GL_BLEND);
}

// ---- the picture

static void aim_camera(HeftRenderer* r, int width, int height) {
  const HeftCamera* c = &r->picture->camera;
  const double away = c->fixed ? 1 : c->distance;
  r->aspect = (double)width / height;
  r->eye = heft_camera_pose(c);
  r->near = fmin(0.02, 0.02 * away);
  r->far = 250 + 8 * away;
  const Matrix4 lens = matrix_perspective(c->fov, r->aspect, r->near, r->far);
  r->camera = matrix_mul(matrix_shift(lens, c->shift[0], c->shift[1]), matrix_view(r->eye));
}

static void draw_passes(HeftRenderer* r) {
  static const float no_cut[4] = {0, 0, 0, 1};
  const Air air = air_of(r);
  memcpy(r->cut, no_cut, sizeof no_cut);
  glBindFramebuffer(GL_FRAMEBUFFER, r->target.drawn);
  glViewport(0, 0, r->target.width, r->target.height);
  if (r->target.samples > 1) glEnable(GL_MULTISAMPLE);
  glClear(GL_DEPTH_BUFFER_BIT);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE);
  glEnable(GL_DEPTH_TEST);
  r->surface = 0;
  glActiveTexture(GL_TEXTURE1);
  glBindTexture(GL_TEXTURE_2D, r->shadow_map);
  glActiveTexture(GL_TEXTURE0);
  if (r->def.reflections) {
    sky_pass(r, &air);  // visible through floors
    r->surface = 0;
    floor_pass(r);
    solid_pass(r);
  } else {  // near items first: each pixel is shaded once
    solid_pass(r);
    floor_pass(r);
    sky_pass(r, &air);
    r->surface = 0;
  }
  translucent_pass(r);
  mark_pass(r, 0);
  mark_pass(r, 1);
  glBindVertexArray(0);
}

// Regions behind panels are not drawn.
static void leave_out(const HeftPicture* p, int width, int height, double detail) {
  const int left = (int)(detail * p->covered[0]), low = (int)(detail * p->covered[1]);
  if (left <= 0 && low <= 0) return;
  glEnable(GL_SCISSOR_TEST);
  glScissor(left, low, width > left ? width - left : 0, height > low ? height - low : 0);
}

// A triangle with an image on it is stretched faster than glBlitFramebuffer() does it in software.
static void show_in_window(const HeftRenderer* r, int width, int height) {
  const Target* t = &r->target;
  leave_out(r->picture, width, height, 1);
  if (t->width == width && t->height == height) {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, t->resolved);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  } else {
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, width, height);
    glDisable(GL_DEPTH_TEST);
    glUseProgram(r->stretch);
    glBindTexture(GL_TEXTURE_2D, t->image);
    program_int(r->stretch, "image", 0);
    glBindVertexArray(r->empty);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindVertexArray(0);
  }
  glDisable(GL_SCISSOR_TEST);
}

// Full detail if the value is not valid.
static int share_of(int pixels, double detail) {
  return detail > 0 && detail < 1 ? (int)ceil(detail * pixels) : pixels;
}

// If drawing is slow, only one light is used.
static int lamps_seen(HeftRenderer* r) {
  if (!r->picture->lights) return 0;
  const int count = lamps_of(r->scene.model, r->scene.start, r->picture->poses, r->lamp);
  return r->def.soft_shadows || count < 1 ? count : 1;
}

HeftStatus heft_renderer_draw(HeftRenderer* renderer, const HeftPicture* picture, int width,
                              int height, int to_window, HeftError* error) {
  HeftRenderer* r = renderer;
  const HeftStatus status = target_size(&r->target, share_of(width, picture->detail),
                                        share_of(height, picture->detail), r->def.samples, error);
  if (status != HEFT_OK) return status;
  r->picture = picture;
  r->triangles = 0;
  ++r->drawn;
  aim_camera(r, width, height);
  r->lamps = lamps_seen(r);
  const double radius = aim_sun(r);
  r->texel = r->def.shadow_size > 0 ? 2 * radius / r->def.shadow_size : 0;
  glDisable(GL_BLEND);
  glDisable(GL_CULL_FACE);
  glDisable(GL_SCISSOR_TEST);
  glDepthFunc(GL_LEQUAL);
  glBindVertexArray(r->array);
  follow(r, picture->poses);
  shadow_pass(r);
  if (to_window)
    leave_out(picture, r->target.width, r->target.height, (double)r->target.width / width);
  draw_passes(r);
  glDisable(GL_SCISSOR_TEST);
  target_resolve(&r->target);
  if (to_window) show_in_window(r, width, height);
  // Text is drawn last and with all pixels.
  glBindFramebuffer(GL_FRAMEBUFFER, to_window ? 0 : r->target.resolved);
  return labels_draw(&r->labels, &r->allocator, picture, to_window ? width : r->target.width,
                     to_window ? height : r->target.height, error);
}

void heft_renderer_read(HeftRenderer* renderer, HeftImage* image) {
  const Target* t = &renderer->target;
  const size_t row = 3 * (size_t)t->width;
  image->width = t->width;
  image->height = t->height;
  glBindFramebuffer(GL_READ_FRAMEBUFFER, t->resolved);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  // OpenGL counts rows from the bottom.
  for (int y = 0; y < t->height; ++y)
    glReadPixels(0, t->height - 1 - y, t->width, 1, GL_RGB, GL_UNSIGNED_BYTE,
                 image->pixels + (size_t)y * row);
}

// Depth d in the buffer, 0 to 1, is (1/near - 1/z) / (1/near - 1/far) at the distance z.
void heft_renderer_read_depth(HeftRenderer* renderer, float* depth) {
  const Target* t = &renderer->target;
  const double near = 1 / renderer->near, far = 1 / renderer->far;
  target_resolve_depth(t);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, t->resolved);
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  for (int y = 0; y < t->height; ++y) {
    float* row = depth + (size_t)y * (size_t)t->width;
    glReadPixels(0, t->height - 1 - y, t->width, 1, GL_DEPTH_COMPONENT, GL_FLOAT, row);
    for (int x = 0; x < t->width; ++x)
      row[x] = row[x] < 1 ? (float)(1 / (near - (double)row[x] * (near - far))) : HUGE_VALF;
  }
}

// ---- camera and picking

HeftCamera heft_renderer_camera(const HeftRenderer* renderer, const HeftPose* poses,
                                double aspect) {
  HeftCamera c = heft_picture_default().camera;
  double s, k, radius = scene_body_bounds(&renderer->scene, poses, 0x7, &c.target);
  if (radius <= 0) radius = scene_bounds(&renderer->scene, poses, 0x7, 0, &c.target);
  if (radius <= 0) radius = scene_bounds(&renderer->scene, poses, 0x3f, 0, &c.target);
  if (radius <= 0) radius = 1;
  if (scene_has_walls(&renderer->scene)) c.elevation = HEFT_PI / 4;  // look over them
  heft_sincos(0.5 * c.fov, &s, &k);
  c.distance = 0.92 * radius / (s * fmin(1, aspect));
  return c;
}

static double hit_triangle(HeftVec3 from, HeftVec3 way, const HeftVec3 p[3]) {
  const HeftVec3 u = heft_vec3_sub(p[1], p[0]), v = heft_vec3_sub(p[2], p[0]);
  const HeftVec3 n = heft_vec3_cross(u, v), w = heft_vec3_sub(from, p[0]);
  const double d = -heft_vec3_dot(n, way);
  if (d == 0) return -1;
  const HeftVec3 q = heft_vec3_cross(w, way);
  const double a = heft_vec3_dot(v, q) / d, b = -heft_vec3_dot(u, q) / d;
  return a >= 0 && b >= 0 && a + b <= 1 ? heft_vec3_dot(n, w) / d : -1;
}

static double hit_item(const HeftRenderer* r, const Item* item, HeftVec3 from, HeftVec3 way) {
  const Part* part = &item->part;
  const HeftVec3 to = heft_vec3_sub(part->center, from);
  const double along = heft_vec3_dot(to, way),
               off = heft_vec3_dot(to, to) - along * along - part->radius * part->radius;
  double best = -1;
  if (off > 0) return -1;
  for (uint32_t i = 0; i + 2 < part->count; i += 3) {
    HeftVec3 p[3];
    for (uint32_t k = 0; k < 3; ++k) {
      const float* v = VIEW_AT(r->scene.solids.vertices, Vertex,
                               VIEW_AT(r->scene.solids.indices, uint32_t, part->first + i + k))
                           .pos;
      p[k] = heft_vec3((double)v[0], (double)v[1], (double)v[2]);
    }
    const double t = hit_triangle(from, way, p);
    if (t > 1e-9 && (best < 0 || t < best)) best = t;
  }
  return best;
}

HeftPick heft_renderer_pick(const HeftRenderer* renderer, const HeftPicture* picture, HeftVec3 from,
                            HeftVec3 direction) {
  HeftPick pick = {-1, -1, 0, {0, 0, 0}};
  for (size_t i = 0; i < renderer->scene.items.count; ++i) {
    const Item* item = &VIEW_AT(renderer->scene.items, Item, i);
    if (item->plane || !(picture->groups >> item->group & 1u)) continue;
    const HeftPose at = item_pose(picture->poses, item);
    const double t = hit_item(renderer, item, heft_pose_apply_inverse(at, from),
                              heft_mat3_tmul_vec(at.rot, direction));
    if (!(t > 0) || (pick.body >= 0 && t >= pick.distance)) continue;
    pick = (HeftPick){item->shape, item->body, t, heft_vec3_add_scaled(from, t, direction)};
    if (item->surface) pick.body = surface_body(item->surface, picture->poses, pick.pos);
  }
  return pick;
}
