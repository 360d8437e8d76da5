// SPDX-License-Identifier: Apache-2.0
// Convex pieces of meshes against points: are the bounds true that a load reports?
//
// Points of the mesh may not be farther from all pieces than `missing`. Points on the surface of a
// piece that are in no other piece may not be farther from the mesh than `excess`, unless they are
// inside of it: the mesh is seen from there under a solid angle of 4 pi. The
// short form cuts a ring; the long one cuts meshes of the folder HEFT_MODELS.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heft/io.h>

#include "validation/cases.h"

enum { MESHES = 50, NAME = 100 };

typedef struct Told {
  char name[MESHES][NAME];
  HeftPieces pieces[MESHES];
  int count;
} Told;

static void keep(void* user, const HeftPieces* p) {
  Told* told = user;
  if (told->count == MESHES || p->count < 2 || strlen(p->mesh) >= NAME) return;
  snprintf(told->name[told->count], NAME, "%s", p->mesh);
  told->pieces[told->count++] = *p;
}

typedef struct Triangles {
  const double* vertex;
  const int* face;
  int count;
} Triangles;

static Triangles triangles_of(const HeftModel* m, int mesh) {
  return (Triangles){m->vertex_pos + 3L * m->mesh_vertex[mesh],
                     m->face_vertex + 3L * m->mesh_face[mesh], m->mesh_face_count[mesh]};
}

static void corners(const Triangles* t, int face, HeftVec3 v[3]) {
  for (int k = 0; k < 3; ++k) {
    const double* p = t->vertex + 3L * t->face[3L * face + k];
    v[k] = heft_vec3(p[0], p[1], p[2]);
  }
}

// Nearest point by the regions of a triangle: inside, or the nearest of its three edges.
static double edge_distance(HeftVec3 x, HeftVec3 a, HeftVec3 b) {
  const HeftVec3 u = heft_vec3_sub(b, a), w = heft_vec3_sub(x, a);
  const double length = heft_vec3_dot(u, u);
  const double t = length > 0 ? fmin(1, fmax(0, heft_vec3_dot(u, w) / length)) : 0;
  return heft_vec3_norm(heft_vec3_add_scaled(w, -t, u));
}

static double face_distance(HeftVec3 x, const HeftVec3 v[3]) {
  const HeftVec3 n = heft_vec3_cross(heft_vec3_sub(v[1], v[0]), heft_vec3_sub(v[2], v[0]));
  const double size = heft_vec3_norm(n);
  int above = size > 0;
  double least = (double)INFINITY;
  for (int k = 0; k < 3; ++k) {
    const HeftVec3 a = v[k], b = v[(k + 1) % 3];
    above &= heft_vec3_dot(n, heft_vec3_cross(heft_vec3_sub(b, a), heft_vec3_sub(x, a))) >= 0;
    least = fmin(least, edge_distance(x, a, b));
  }
  return above ? fabs(heft_vec3_dot(n, heft_vec3_sub(x, v[0]))) / size : least;
}

// The distance, but not less than `enough`: smaller ones do not matter.
static double distance(HeftVec3 x, const Triangles* t, double enough) {
  double least = (double)INFINITY;
  for (int f = 0; f < t->count && least > enough; ++f) {
    HeftVec3 v[3];
    corners(t, f, v);
    least = fmin(least, face_distance(x, v));
  }
  return least;
}

static int in_piece(HeftVec3 x, const Triangles* t) {
  for (int f = 0; f < t->count; ++f) {
    HeftVec3 v[3];
    corners(t, f, v);
    const HeftVec3 n = heft_vec3_cross(heft_vec3_sub(v[1], v[0]), heft_vec3_sub(v[2], v[0]));
    if (heft_vec3_dot(n, heft_vec3_sub(x, v[0])) > 0) return 0;
  }
  return 1;
}

static double winding(HeftVec3 x, const Triangles* t) {
  double sum = 0;
  for (int f = 0; f < t->count; ++f) {
    HeftVec3 v[3];
    double r[3];
    corners(t, f, v);
    for (int k = 0; k < 3; ++k) {
      v[k] = heft_vec3_sub(v[k], x);
      r[k] = heft_vec3_norm(v[k]);
    }
    const double up = heft_vec3_dot(v[0], heft_vec3_cross(v[1], v[2]));
    const double down = r[0] * r[1] * r[2] + heft_vec3_dot(v[0], v[1]) * r[2] +
                        heft_vec3_dot(v[1], v[2]) * r[0] + heft_vec3_dot(v[2], v[0]) * r[1];
    sum += 2 * atan2(up, down);
  }
  return fabs(sum) / (4 * HEFT_PI);
}

// A point of the surface: a face by its number, a place in it by two more random numbers.
static double random_share(uint64_t* state) {
  *state = heft_hash(state, sizeof *state, *state);
  return (double)(*state >> 11) / 9007199254740992.0;
}

static HeftVec3 sample(const Triangles* t, uint64_t* state) {
  HeftVec3 v[3];
  corners(t, (int)(random_share(state) * t->count), v);
  double a = random_share(state), b = random_share(state);
  if (a + b > 1) a = 1 - a, b = 1 - b;
  const HeftVec3 x = heft_vec3_add_scaled(v[0], a, heft_vec3_sub(v[1], v[0]));
  return heft_vec3_add_scaled(x, b, heft_vec3_sub(v[2], v[0]));
}

/// Over all meshes: the largest distance as a share of its bound, and the number of points.
typedef struct Worst {
  double excess, missing;
  int points, meshes;
} Worst;

static void check_mesh(const HeftModel* m, const char* name, const HeftPieces* told, int points,
                       Worst* worst) {
  Triangles piece[1000];
  const int mesh = heft_model_find(m, HEFT_NAMED_MESH, name);
  if (mesh < 0) return;
  const Triangles whole = triangles_of(m, mesh);
  for (int i = 0; i < told->count; ++i) {
    char part[NAME + 32];
    snprintf(part, sizeof part, "%s_piece_%d", name, i + 1);
    const int index = heft_model_find(m, HEFT_NAMED_MESH, part);
    if (index < 0) return;
    piece[i] = triangles_of(m, index);
  }
  uint64_t state = 7;
  for (int k = 0; k < points; ++k) {
    HeftVec3 x = sample(&whole, &state);
    double least = (double)INFINITY;
    for (int i = 0; i < told->count && least > 0; ++i)
      least = in_piece(x, &piece[i]) ? 0 : fmin(least, distance(x, &piece[i], 0));
    worst->missing = fmax(worst->missing, least / told->missing);
    const int own = k % told->count;
    x = sample(&piece[own], &state);
    int covered = 0;
    for (int i = 0; i < told->count && !covered; ++i) covered = i != own && in_piece(x, &piece[i]);
    if (covered) continue;
    const double d = distance(x, &whole, 0.5 * told->excess);
    if (d > worst->excess * told->excess && winding(x, &whole) < 0.5)
      worst->excess = fmax(worst->excess, d / told->excess);
  }
  worst->points += points;
  ++worst->meshes;
}

static void check_model(HeftModel* m, const Told* told, int first, int points, Worst* worst) {
  for (int i = first; i < told->count && m; ++i)
    check_mesh(m, told->name[i], &told->pieces[i], points, worst);
  heft_model_destroy(m);
}

// A ring of triangles about z.
static size_t write_ring(char* text, size_t size) {
  enum { LONG = 32, ROUND = 12 };
  size_t at = (size_t)snprintf(text, size, "<mujoco><asset><mesh name='ring' vertex='");
  for (int i = 0; i < LONG * ROUND; ++i) {
    const double a = 2 * HEFT_PI * (i / ROUND) / LONG, b = 2 * HEFT_PI * (i % ROUND) / ROUND;
    const double r = 0.05 + 0.01 * cos(b);
    at += (size_t)snprintf(text + at, size - at, "%.9g %.9g %.9g ", r * cos(a), r * sin(a),
                           0.01 * sin(b));
  }
  at += (size_t)snprintf(text + at, size - at, "' face='");
  for (int i = 0; i < LONG * ROUND; ++i) {
    const int a = i / ROUND, b = i % ROUND, c = (a + 1) % LONG, d = (b + 1) % ROUND;
    at += (size_t)snprintf(text + at, size - at, "%d %d %d %d %d %d ", i, c * ROUND + b,
                           c * ROUND + d, i, c * ROUND + d, a * ROUND + d);
  }
  return at + (size_t)snprintf(text + at, size - at,
                               "'/></asset><worldbody><body><freejoint/><geom type='mesh' "
                               "mesh='ring'/></body></worldbody></mujoco>");
}

static HeftLoadDef load_def(Told* told, double error) {
  HeftLoadDef def = heft_load_def_default();
  def.decompose = error;
  def.decompose_pieces = 32;
  def.pieces = keep;
  def.user = told;
  return def;
}

static void check_ring(Told* told, Worst* worst) {
  static char text[40000];
  const size_t size = write_ring(text, sizeof text);
  const HeftLoadDef def = load_def(told, 0.003);
  HeftModel* m = NULL;
  if (heft_model_load_bytes(&m, text, size, "ring.xml", &def, NULL) == HEFT_OK)
    check_model(m, told, 0, 5000, worst);
}

static void check_folder(Run* run, Told* told, Worst* worst) {
  static const char* const files[] = {"mjcf/agility_cassie/cassie.xml",  "mjcf/pal_talos/talos.xml",
                                      "mjcf/iit_softfoot/softfoot.xml",  "mjcf/unitree_h1/h1.xml",
                                      "mjcf/shadow_hand/right_hand.xml", "mjcf/unitree_g1/g1.xml"};
  const char* folder = getenv("HEFT_MODELS");
  const int count = (int)(sizeof files / sizeof *files);
  for (int i = 0; i < count && folder && told->count < MESHES; ++i) {
    char path[1000];
    const int first = told->count;
    const HeftLoadDef def = load_def(told, 0.004);
    HeftModel* m = NULL;
    snprintf(path, sizeof path, "%.800s/%s", folder, files[i]);
    if (run->progress) run->progress(run->user, files[i], (double)i / count);
    if (heft_model_load_file(&m, path, &def, NULL) == HEFT_OK)
      check_model(m, told, first, 20000, worst);
  }
}

void case_pieces(Run* run) {
  static Told told;
  Worst worst = {0};
  told.count = 0;
  check_ring(&told, &worst);
  if (run->full) check_folder(run, &told, &worst);
  run_report(run, "meshes that were cut (no limit)", 0, worst.meshes, HUGE_VAL);
  run_report(run, "points on mesh and pieces, each (no limit)", 0, worst.points, HUGE_VAL);
  run_report(run, "largest distance outside / its bound", 0, worst.excess, worst.meshes ? 1 : -1);
  run_report(run, "largest distance missing / its bound", 0, worst.missing, 1);
}
