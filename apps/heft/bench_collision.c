// SPDX-License-Identifier: Apache-2.0
// heft bench collision: how long the collision room takes. Times are the best of many runs, since
// whatever else the machine does can only make them longer.
#include <heft/heft.h>
#include <heft/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"
#include "verbs.h"

// ---- scenes: a model, and the poses of its bodies

typedef struct Scene {
  HeftModel* model;
  HeftPose* pose;  ///< nbody
  HeftPose* home;  ///< nbody
} Scene;

static uint64_t random_state = 1;

static double random_unit(void) {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return (double)(random_state >> 11) * 0x1p-53;
}

static int add_free_body(HeftBuilder* b) {
  HeftBodyDef body = heft_body_def_default();
  body.mass = 1;
  body.moment = (HeftSym3){1, 1, 1, 0, 0, 0};
  const int at = heft_builder_add_body(b, &body);
  HeftJointDef joint = heft_joint_def_default();
  joint.body = at;
  joint.type = HEFT_JOINT_FREE;
  heft_builder_add_joint(b, &joint);
  return at;
}

static void add_shape(HeftBuilder* b, int body, HeftShapeType type, double x, double y, double z,
                      int mesh) {
  HeftShapeDef shape = heft_shape_def_default();
  shape.body = body;
  shape.type = type;
  shape.size[0] = x, shape.size[1] = y, shape.size[2] = z;
  shape.mesh = type == HEFT_SHAPE_MESH ? mesh : -1;
  heft_builder_add_shape(b, &shape);
}

static int finish(HeftBuilder* b, Scene* s) {
  HeftError error = {0};
  const HeftStatus status = heft_builder_finish(b, &s->model, &error);
  heft_builder_destroy(b);
  if (status != HEFT_OK) {
    fprintf(stderr, "bench collision: %s\n", error.message);
    return 0;
  }
  const size_t n = (size_t)s->model->nbody;
  s->pose = malloc(n * sizeof *s->pose);
  s->home = malloc(n * sizeof *s->home);
  for (size_t i = 0; s->pose && s->home && i < n; ++i) {
    s->pose[i] = s->home[i] = heft_pose_identity();
  }
  return s->pose && s->home;
}

static void scene_free(Scene* s) {
  heft_model_destroy(s->model);
  free(s->pose);
  free(s->home);
}

// 64 points on an ellipsoid in rings: the hull is all of them, and its triangles are known.
static int add_round_mesh(HeftBuilder* b, int rings, int around) {
  double v[3 * 256];
  int t[3 * 512], count = 0, n = 0;
  for (int r = 0; r < rings; ++r) {
    const double lat = HEFT_PI * ((r + 0.5) / rings - 0.5);
    for (int k = 0; k < around; ++k, ++n) {
      const double lon = 2 * HEFT_PI * (k + 0.37 * r) / around;
      v[3 * n] = 0.5 * heft_cos(lat) * heft_cos(lon);
      v[3 * n + 1] = 0.4 * heft_cos(lat) * heft_sin(lon);
      v[3 * n + 2] = 0.5 * heft_sin(lat);
    }
  }
  for (int r = 0; r + 1 < rings; ++r) {
    for (int k = 0; k < around; ++k) {
      const int a = r * around + k, c = r * around + (k + 1) % around;
      const int corners[6] = {a, c, a + around, c, c + around, a + around};
      memcpy(t + 3 * count, corners, sizeof corners);
      count += 2;
    }
  }
  for (int k = 1; k + 1 < around; ++k) {
    const int top = (rings - 1) * around;
    const int corners[6] = {0, k + 1, k, top, top + k, top + k + 1};
    memcpy(t + 3 * count, corners, sizeof corners);
    count += 2;
  }
  HeftMeshDef mesh = heft_mesh_def_default();
  mesh.vertex_count = n;
  mesh.vertices = v;
  mesh.face_count = count;
  mesh.faces = t;
  mesh.hull_count = count;
  mesh.hull = t;
  return heft_builder_add_mesh(b, &mesh);
}

// Pairs of shapes, one on the other, each pair far from all others.
static int scene_pairs(Scene* s, HeftShapeType low, HeftShapeType high, int pairs, double height) {
  HeftBuilder* b;
  if (heft_builder_create(&b, NULL, NULL) != HEFT_OK) return 0;
  const int mesh = add_round_mesh(b, 8, 8);
  for (int i = 0; i < pairs; ++i) {
    const int p = add_free_body(b), q = add_free_body(b);
    add_shape(b, p, low, 0.5, 0.5, 0.5, mesh);
    add_shape(b, q, high, high == HEFT_SHAPE_BOX || high == HEFT_SHAPE_CYLINDER ? 0.5 : 0.2, 0.5,
              0.5, mesh);
  }
  if (!finish(b, s)) return 0;
  for (int i = 0; i < pairs; ++i) {
    const int column = i % 32, row = i / 32;
    const double x = 10.0 * column, y = 10.0 * row;
    s->home[1 + 2 * i].pos = heft_vec3(x, y, 0);
    const double turn = random_unit();
    HeftQuat q = heft_quat_from_axis_angle(heft_vec3(0, 0, 1), turn);
    if (high == HEFT_SHAPE_CAPSULE) {
      q = heft_quat_mul(q, heft_quat_from_axis_angle(heft_vec3(1, 0, 0), 0.5 * HEFT_PI));
    }
    s->home[2 + 2 * i] =
        heft_pose(heft_vec3(x + 0.1 * random_unit(), y + 0.1 * random_unit(), height), q);
  }
  return 1;
}

// Bricks on a plane, in rows that get shorter by one.
static int scene_pyramid(Scene* s, int base) {
  HeftBuilder* b;
  if (heft_builder_create(&b, NULL, NULL) != HEFT_OK) return 0;
  add_shape(b, 0, HEFT_SHAPE_PLANE, 0, 0, 0, -1);
  for (int i = 0; i < base * (base + 1) / 2; ++i) {
    add_shape(b, add_free_body(b), HEFT_SHAPE_BOX, 0.5, 0.5, 0.5, -1);
  }
  if (!finish(b, s)) return 0;
  int at = 1;
  for (int r = 0; r < base; ++r) {
    for (int k = 0; k < base - r; ++k) {
      s->home[at++].pos = heft_vec3(1.1 * k + 0.55 * r, 0, 0.5 + r - 1e-4 * (r + 1));
    }
  }
  return 1;
}

// Boxes in a cube, as dense as gravel that has been stirred.
static int scene_cloud(Scene* s, int count, int touch) {
  HeftBuilder* b;
  if (heft_builder_create(&b, NULL, NULL) != HEFT_OK) return 0;
  for (int i = 0; i < count; ++i) {
    HeftShapeDef shape = heft_shape_def_default();
    shape.body = add_free_body(b);
    shape.type = HEFT_SHAPE_BOX;
    shape.size[0] = shape.size[1] = shape.size[2] = 0.05;
    shape.category = 1;
    shape.collides = touch;
    heft_builder_add_shape(b, &shape);
  }
  if (!finish(b, s)) return 0;
  double side = 1;
  while (side * side * side < 0.004 * count) side *= 1.01;
  for (int i = 1; i <= count; ++i) {
    const HeftQuat q = heft_quat_normalize(
        heft_quat(random_unit(), random_unit() - 0.5, random_unit() - 0.5, random_unit() - 0.5));
    s->home[i] =
        heft_pose(heft_vec3(side * random_unit(), side * random_unit(), side * random_unit()), q);
  }
  return 1;
}

// ---- measuring

typedef struct Times {
  double update, collide;  // [µs]
  HeftTouches found;
} Times;

// Every body moves a little every step, each its own way, at about 1 m/s and 1 kHz.
static void move(Scene* s, int step, double speed) {
  for (int i = 1; i < s->model->nbody; ++i) {
    const double a = 0.7 * i, c = speed * 1e-3 * (step % 64 < 32 ? step % 32 : 32 - step % 32);
    s->pose[i] = s->home[i];
    s->pose[i].pos.x += c * heft_sin(a);
    s->pose[i].pos.y += c * heft_cos(a);
    s->pose[i].pos.z += c * heft_sin(3 * a);
  }
}

static int measure(Scene* s, double speed, int steps, HeftColliderDef def, Times* out) {
  HeftCollider* c;
  HeftError error = {0};
  if (heft_collider_create(&c, s->model, &def, &error) != HEFT_OK) {
    fprintf(stderr, "bench collision: %s\n", error.message);
    return 0;
  }
  out->update = out->collide = 1e30;
  for (int k = 0; k < steps; ++k) {
    move(s, k, speed);
    const uint64_t t0 = heft_clock_ns();
    heft_collider_update(c, s->pose);
    const uint64_t t1 = heft_clock_ns();
    out->found = heft_collider_collide(c);
    const uint64_t t2 = heft_clock_ns();
    if (1e-3 * (double)(t1 - t0) < out->update) out->update = 1e-3 * (double)(t1 - t0);
    if (1e-3 * (double)(t2 - t1) < out->collide) out->collide = 1e-3 * (double)(t2 - t1);
  }
  heft_collider_destroy(c);
  return 1;
}

static void bench_pairs(const char* name, HeftShapeType low, HeftShapeType high, double height) {
  enum { PAIRS = 512 };
  Scene s = {0};
  Times t;
  HeftColliderDef def = heft_collider_def_default();
  if (!scene_pairs(&s, low, high, PAIRS, height) || !measure(&s, 0, 200, def, &t)) return;
  printf("%-22s %8.3f us per pair, %.2f points each\n", name, t.collide / PAIRS,
         (double)t.found.count / PAIRS);
  scene_free(&s);
}

static void bench_pyramid(int base) {
  Scene s = {0};
  Times t;
  if (!scene_pyramid(&s, base) || !measure(&s, 0, 100, heft_collider_def_default(), &t)) return;
  printf(
      "pyramid of %4d boxes  %8.1f us update, %.1f us collide, %d pairs, %d contacts: %.3f us per "
      "pair\n",
      s.model->nbody - 1, t.update, t.collide, t.found.pairs, t.found.count,
      t.collide / t.found.pairs);
  scene_free(&s);
}

// First with boxes that may not touch each other: poses, boxes, tree and pairs, without contacts.
static void bench_cloud(int count) {
  for (int touch = 0; touch < 2; ++touch) {
    Scene s = {0};
    Times t;
    if (!scene_cloud(&s, count, touch) || !measure(&s, 1, 40, heft_collider_def_default(), &t)) {
      return;
    }
    if (touch) {
      printf("%6d moving boxes    %8.1f us update, %.1f us collide, %d pairs, %d contacts\n", count,
             t.update, t.collide, t.found.pairs, t.found.count);
    } else {
      printf("%6d moving boxes    %8.1f us update, %.1f us pairs: broad phase %.1f us\n", count,
             t.update, t.collide, t.update + t.collide);
    }
    scene_free(&s);
  }
}

// ---- a model from a file, at its first keyframe

typedef struct Standing {
  HeftCollider* collider;
  HeftPose* pose;
  HeftTouches found;
} Standing;

static void update_and_collide(void* context) {
  Standing* s = context;
  heft_collider_update(s->collider, s->pose);
  s->found = heft_collider_collide(s->collider);
}

static int place_bodies(const HeftModel* m, HeftPose* pose) {
  HeftDynamics* d = NULL;
  HeftState* state = NULL;
  if (heft_dynamics_create(&d, m, NULL, NULL) != HEFT_OK) return 0;
  if (heft_state_create(&state, m, NULL, NULL) == HEFT_OK) {
    if (m->nkey > 0) heft_state_set_key(state, m, 0);
    heft_kinematics(d, state->q);
    for (int b = 0; b < m->nbody; ++b) pose[b] = heft_body_pose(d, b);
  }
  const int done = state != NULL;
  heft_state_destroy(state);
  heft_dynamics_destroy(d);
  return done;
}

static int bench_model(const char* path) {
  HeftModel* m = NULL;
  HeftError error = {0};
  Standing s = {0};
  char text[1024];
  int done = 0;
  const HeftLoadDef def = heft_load_def_default();
  if (heft_load_file(&m, path, &def, &error) != HEFT_OK ||
      heft_collider_create(&s.collider, m, NULL, &error) != HEFT_OK) {
    fprintf(stderr, "bench collision: %s\n", heft_error_format(&error, text, sizeof text));
  } else if ((s.pose = malloc((size_t)m->nbody * sizeof *s.pose)) && place_bodies(m, s.pose)) {
    const double ns = measure_ns(update_and_collide, &s, 200);
    printf("%s: %.3f us, %d shapes, %d pairs looked at, %d contacts\n", path, 1e-3 * ns, m->nshape,
           s.found.pairs, s.found.count);
    done = 1;
  }
  free(s.pose);
  heft_collider_destroy(s.collider);
  heft_model_destroy(m);
  return done;
}

static void print_help(void) {
  printf(
      "usage: heft bench collision [--quick] [MODEL...]\n\n"
      "Times of pairs of shapes, of a pyramid, of clouds of moving boxes, or of model files at\n"
      "their first keyframe. Best of many runs, on one core.\n\n"
      "  --quick   without the cloud of 100,000 boxes\n");
}

int heft_bench_collision(int argc, char** argv) {
  const int quick = argc > 1 && strcmp(argv[1], "--quick") == 0;
  if (argc > 1 && strcmp(argv[1], "--help") == 0) {
    print_help();
    return 0;
  }
  if (argc > 1 && !quick) {
    int failed = 0;
    for (int i = 1; i < argc; ++i) failed |= !bench_model(argv[i]);
    return failed;
  }
  bench_pairs("box-box, turned", HEFT_SHAPE_BOX, HEFT_SHAPE_BOX, 0.999);
  bench_pairs("sphere-box", HEFT_SHAPE_BOX, HEFT_SHAPE_SPHERE, 0.699);
  bench_pairs("capsule-box", HEFT_SHAPE_BOX, HEFT_SHAPE_CAPSULE, 0.699);
  bench_pairs("cylinder-box", HEFT_SHAPE_BOX, HEFT_SHAPE_CYLINDER, 0.999);
  bench_pairs("cylinder-cylinder", HEFT_SHAPE_CYLINDER, HEFT_SHAPE_CYLINDER, 0.999);
  bench_pairs("hull-hull (64)", HEFT_SHAPE_MESH, HEFT_SHAPE_MESH, 0.97);
  bench_pyramid(44);
  bench_cloud(1000);
  bench_cloud(10000);
  if (!quick) bench_cloud(100000);
  return 0;
}
