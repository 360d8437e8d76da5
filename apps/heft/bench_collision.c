// SPDX-License-Identifier: Apache-2.0
// heft bench collision: time of collision. Times are CPU time and the minimum of many runs, since
// other load on the machine can only increase them.
#include <heft/heft.h>
#include <heft/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_rows.h"
#include "measure.h"
#include "scenes/shape_parts.h"
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

// 64 points on an ellipsoid in rings: all of them are vertices of the hull.
static int add_round_mesh(HeftBuilder* b) {
  double ring[8][2];
  for (int r = 0; r < 8; ++r) {
    const double lat = HEFT_PI * ((r + 0.5) / 8 - 0.5);
    ring[r][0] = 0.5 * heft_cos(lat), ring[r][1] = 0.5 * heft_sin(lat);
  }
  return parts_rings(b, 8, 8, (const double(*)[2])ring, 0.37, 0.8);
}

// Pairs of shapes, one on the other, each pair far from the others.
static int scene_pairs(Scene* s, HeftShapeType low, HeftShapeType high, int pairs, double height) {
  HeftBuilder* b;
  if (heft_builder_create(&b, NULL, NULL) != HEFT_OK) return 0;
  const int mesh = add_round_mesh(b);
  const double thick = high == HEFT_SHAPE_BOX || high == HEFT_SHAPE_CYLINDER ? 0.5 : 0.2;
  for (int i = 0; i < pairs; ++i) {
    HeftShapeDef p = parts_shape_def(parts_free_body(b), low, 0.5, 0.5, 0.5);
    HeftShapeDef q = parts_shape_def(parts_free_body(b), high, thick, 0.5, 0.5);
    if (low == HEFT_SHAPE_MESH) p.mesh = mesh;
    if (high == HEFT_SHAPE_MESH) q.mesh = mesh;
    heft_builder_add_shape(b, &p);
    heft_builder_add_shape(b, &q);
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

// Boxes on a plane; each row is shorter by one.
static int scene_pyramid(Scene* s, int base) {
  HeftBuilder* b;
  if (heft_builder_create(&b, NULL, NULL) != HEFT_OK) return 0;
  parts_shape(b, 0, HEFT_SHAPE_PLANE, 0, 0, 0);
  for (int i = 0; i < base * (base + 1) / 2; ++i) {
    parts_shape(b, parts_free_body(b), HEFT_SHAPE_BOX, 0.5, 0.5, 0.5);
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

// Boxes in a cube, as dense as loose gravel.
static int scene_cloud(Scene* s, int count, int contact_point) {
  HeftBuilder* b;
  if (heft_builder_create(&b, NULL, NULL) != HEFT_OK) return 0;
  for (int i = 0; i < count; ++i) {
    HeftShapeDef shape = parts_shape_def(parts_free_body(b), HEFT_SHAPE_BOX, 0.05, 0.05, 0.05);
    shape.category = 1;
    shape.collides = contact_point;
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
  HeftContactPoints found;
} Times;

// Every body moves a little in every step, in its own direction, at about 1 m/s and 1 kHz.
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
    const uint64_t t0 = measure_cpu_ns();
    heft_collider_update(c, s->pose);
    const uint64_t t1 = measure_cpu_ns();
    out->found = heft_collider_collide(c);
    const uint64_t t2 = measure_cpu_ns();
    if (1e-3 * (double)(t1 - t0) < out->update) out->update = 1e-3 * (double)(t1 - t0);
    if (1e-3 * (double)(t2 - t1) < out->collide) out->collide = 1e-3 * (double)(t2 - t1);
  }
  heft_collider_destroy(c);
  return 1;
}

// ---- pairs

enum { PAIRS = 512 };

static const struct Couple {
  const char* name;
  HeftShapeType low, high;
  double height;
} couples[] = {
    {"box-box, turned", HEFT_SHAPE_BOX, HEFT_SHAPE_BOX, 0.999},
    {"sphere-box", HEFT_SHAPE_BOX, HEFT_SHAPE_SPHERE, 0.699},
    {"capsule-box", HEFT_SHAPE_BOX, HEFT_SHAPE_CAPSULE, 0.699},
    {"cylinder-box", HEFT_SHAPE_BOX, HEFT_SHAPE_CYLINDER, 0.999},
    {"cylinder-cylinder", HEFT_SHAPE_CYLINDER, HEFT_SHAPE_CYLINDER, 0.999},
    {"hull-hull (64)", HEFT_SHAPE_MESH, HEFT_SHAPE_MESH, 0.97},
};
enum { COUPLES = sizeof couples / sizeof *couples };

static void print_instructions(const char* name, long repeats, double per) {
  const double count = measure_instructions("collision", name, repeats);
  if (count > 0) json_row_number("instructions", count / per);
  if (count > 0) printf(", %.0f instructions", count / per);
}

static void bench_pairs(const struct Couple* k, int count) {
  Scene s = {0};
  Times t;
  const HeftColliderDef def = heft_collider_def_default();
  if (scene_pairs(&s, k->low, k->high, PAIRS, k->height) && measure(&s, 0, 200, def, &t)) {
    json_row_begin(k->name);
    json_row_number("us_per_pair", t.collide / PAIRS);
    json_row_number("points_per_pair", (double)t.found.count / PAIRS);
    printf("%-22s %8.3f us per pair, %.2f points each", k->name, t.collide / PAIRS,
           (double)t.found.count / PAIRS);
    if (count) print_instructions(k->name, 20, PAIRS);
    json_row_end();
    printf("\n");
  }
  scene_free(&s);
}

static void write_scene(const char* name, int boxes, const Times* t) {
  json_row_begin(name);
  json_row_number("boxes", boxes);
  json_row_number("update_us", t->update);
  json_row_number("collide_us", t->collide);
  json_row_number("pairs", t->found.pairs);
  json_row_number("contacts", t->found.count);
  json_row_end();
}

static void bench_pyramid(int base) {
  Scene s = {0};
  Times t;
  if (scene_pyramid(&s, base) && measure(&s, 0, 100, heft_collider_def_default(), &t)) {
    write_scene("pyramid", s.model->nbody - 1, &t);
    printf(
        "pyramid of %4d boxes  %8.1f us update, %.1f us collide, %d pairs, %d contacts: %.3f us "
        "per "
        "pair\n",
        s.model->nbody - 1, t.update, t.collide, t.found.pairs, t.found.count,
        t.collide / t.found.pairs);
  }
  scene_free(&s);
}

// First with boxes that must not collide: poses, boxes, tree and pairs, without contacts.
static void bench_cloud(int count) {
  for (int contact_point = 0; contact_point < 2; ++contact_point) {
    Scene s = {0};
    Times t;
    if (!scene_cloud(&s, count, contact_point) ||
        !measure(&s, 1, 40, heft_collider_def_default(), &t)) {
      scene_free(&s);
      return;
    }
    write_scene(contact_point ? "moving boxes" : "moving boxes without contact", count, &t);
    if (contact_point) {
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
  HeftContactPoints found;
} Standing;

static void update_only(void* context) {
  const Standing* s = context;
  heft_collider_update(s->collider, s->pose);
}

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
    heft_dynamics_kinematics(d, state->q);
    for (int b = 0; b < m->nbody; ++b) pose[b] = heft_dynamics_body_pose(d, b);
  }
  const int done = state != NULL;
  heft_state_destroy(state);
  heft_dynamics_destroy(d);
  return done;
}

static void report_model(const char* path, Standing* s, const HeftModel* m, int count) {
  const double update = 1e-3 * measure_ns(update_only, s, 200);
  const double all = 1e-3 * measure_ns(update_and_collide, s, 200);
  json_row_begin(path);
  json_row_number("us", all);
  json_row_number("update_us", update);
  json_row_number("shapes", m->nshape);
  json_row_number("pairs", s->found.pairs);
  json_row_number("contacts", s->found.count);
  printf("%s: %.3f us, of that update %.3f us, %d shapes, %d pairs tested, %d contacts", path, all,
         update, m->nshape, s->found.pairs, s->found.count);
  if (count) print_instructions(path, 2000, 1);
  json_row_end();
  printf("\n");
}

// Reports, or runs so many times if repeats > 0.
static int bench_model(const char* path, int count, long repeats) {
  HeftModel* m = NULL;
  HeftError error = {0};
  Standing s = {0};
  char text[1024];
  int done = 0;
  const HeftLoadDef def = heft_load_def_default();
  if (heft_model_load_file(&m, path, &def, &error) != HEFT_OK ||
      heft_collider_create(&s.collider, m, NULL, &error) != HEFT_OK) {
    fprintf(stderr, "bench collision: %s\n", heft_error_format(&error, text, sizeof text));
  } else if ((s.pose = malloc((size_t)m->nbody * sizeof *s.pose)) && place_bodies(m, s.pose)) {
    if (repeats > 0) {
      measure_repeat(update_and_collide, &s, repeats);
    } else {
      report_model(path, &s, m, count);
    }
    done = 1;
  }
  free(s.pose);
  heft_collider_destroy(s.collider);
  heft_model_destroy(m);
  return done;
}

static int run_pairs(const struct Couple* k, long repeats) {
  Scene s = {0};
  Standing stand = {0};
  if (scene_pairs(&s, k->low, k->high, PAIRS, k->height) &&
      heft_collider_create(&stand.collider, s.model, NULL, NULL) == HEFT_OK) {
    memcpy(s.pose, s.home, (size_t)s.model->nbody * sizeof *s.pose);
    stand.pose = s.pose;
    measure_repeat(update_and_collide, &stand, repeats);
  }
  const int failed = stand.collider == NULL;
  heft_collider_destroy(stand.collider);
  scene_free(&s);
  return failed;
}

// Runs one case and prints nothing: for counting instructions.
static int run_case(const char* name, long repeats) {
  for (int i = 0; i < COUPLES; ++i) {
    if (strcmp(couples[i].name, name) == 0) return run_pairs(&couples[i], repeats);
  }
  return !bench_model(name, 0, repeats);
}

static void print_help(void) {
  printf(
      "usage: heft bench collision [--quick] [--instructions] [MODEL...]\n"
      "\n"
      "Times collision of pairs of shapes, of a pyramid and of clouds of moving boxes, or of model "
      "files\n"
      "at their first keyframe. Each time is the minimum of many runs on one core.\n"
      "\n"
      "  --quick                  skip the cloud of 100,000 boxes\n"
      "  --instructions           count instructions with valgrind, too\n"
      "  --case NAME --repeat N   run one pair or model N times and print nothing\n");
}

int heft_bench_collision(int argc, char** argv) {
  int quick = 0, count = 0, models = 0, failed = 0;
  const char* only = NULL;
  long repeats = 1;
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "--help") == 0) {
      print_help();
      return 0;
    }
    if (strcmp(argv[i], "--quick") == 0) {
      quick = 1;
    } else if (strcmp(argv[i], "--instructions") == 0) {
      count = 1;
    } else if (strcmp(argv[i], "--case") == 0 && i + 1 < argc) {
      only = argv[++i];
    } else if (strcmp(argv[i], "--repeat") == 0 && i + 1 < argc) {
      repeats = atol(argv[++i]);
    } else {
      argv[models++] = argv[i];
    }
  }
  if (only) return run_case(only, repeats > 0 ? repeats : 1);
  for (int i = 0; i < models; ++i) failed |= !bench_model(argv[i], count, 0);
  if (models) return failed;
  for (int i = 0; i < COUPLES; ++i) bench_pairs(&couples[i], count);
  bench_pyramid(44);
  bench_cloud(1000);
  bench_cloud(10000);
  if (!quick) bench_cloud(100000);
  return 0;
}
