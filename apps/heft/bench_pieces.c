// SPDX-License-Identifier: Apache-2.0
// heft bench pieces: the cost of cutting meshes into convex pieces. The meshes are computed, so
// that every machine cuts the same ones. Times are CPU time; operations and instructions are
// counted.
#include <heft/heft.h>
#include <heft/io.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data_folder.h"
#include "json_rows.h"
#include "measure.h"
#include "names.h"
#include "option_names.h"
#include "verbs.h"

static const char help[] =
    "usage: heft bench pieces [OPTIONS] [NAME]\n"
    "Cuts meshes into convex pieces and prints the time, the operations that were counted, and "
    "the\n"
    "bounds of the result.\n"
    "\n"
    "  NAME                   one of the meshes (default: all)\n"
    "  --instructions         count instructions with valgrind, too: minutes\n"
    "\n"
    "  ring      a ring of 20,000 triangles, error 1 % of its size; at most 5 s are wanted\n"
    "  wave      an open sheet of 20,000 triangles with waves, error 2 %\n"
    "  crossing  120 random triangles that cross, with the effort of a file that asks; at most 1 "
    "s\n";

typedef struct Vertices {
  double* x;
  int* face;
  int vertex_count, face_count;
} Vertices;

static void add_quad(Vertices* v, int a, int b, int c, int d) {
  const int corner[6] = {a, b, c, a, c, d};
  memcpy(v->face + 3L * v->face_count, corner, sizeof corner);
  v->face_count += 2;
}

static void add_vertex(Vertices* v, double x, double y, double z) {
  double* at = v->x + 3L * v->vertex_count++;
  at[0] = x, at[1] = y, at[2] = z;
}

enum { SIDE = 100 };

static void make_ring(Vertices* v) {
  for (int i = 0; i < SIDE * SIDE; ++i) {
    const int along = i / SIDE, about = i % SIDE;
    const double a = 2 * HEFT_PI * along / SIDE, b = 2 * HEFT_PI * about / SIDE;
    const double r = 1 + 0.2 * heft_cos(b);
    add_vertex(v, r * heft_cos(a), r * heft_sin(a), 0.2 * heft_sin(b));
  }
  for (int i = 0; i < SIDE * SIDE; ++i) {
    const int a = i / SIDE, b = i % SIDE, c = (a + 1) % SIDE, d = (b + 1) % SIDE;
    add_quad(v, a * SIDE + b, c * SIDE + b, c * SIDE + d, a * SIDE + d);
  }
}

static void make_wave(Vertices* v) {
  enum { POINTS = SIDE + 1 };
  for (int i = 0; i < POINTS * POINTS; ++i) {
    const int row = i / POINTS, column = i % POINTS;
    const double x = (double)column / SIDE, y = (double)row / SIDE;
    add_vertex(v, x, y, 0.1 * heft_sin(20 * x) * heft_cos(17 * y));
  }
  for (int i = 0; i < SIDE * SIDE; ++i) {
    const int at = i / SIDE * POINTS + i % SIDE;
    add_quad(v, at, at + 1, at + POINTS + 1, at + POINTS);
  }
}

static void make_crossing(Vertices* v) {
  uint64_t random = 3;
  for (int i = 0; i < 360; ++i) {
    double x[3];
    for (int k = 0; k < 3; ++k) {
      random = heft_hash(&random, sizeof random, random);
      x[k] = (double)(random % 1000) / 1000;
    }
    add_vertex(v, x[0], x[1], x[2]);
    v->face[i] = i;
  }
  v->face_count = 120;
}

typedef struct Mesh {
  const char* name;
  void (*make)(Vertices* v);
  double error;   ///< [m]
  double effort;  ///< share of the effort that a user gets
  double wanted;  ///< CPU time [s]; 0: no figure
} Mesh;

static const Mesh meshes[] = {{"ring", make_ring, 0.024, 1, 5},
                              {"wave", make_wave, 0.02, 1, 0},
                              {"crossing", make_crossing, 0.004, 0.1, 1}};
static const int mesh_count = (int)(sizeof meshes / sizeof *meshes);

// The mesh as a file.
static char* write_model(const Vertices* v, size_t* length) {
  const size_t size = 1000 + 100 * (size_t)v->vertex_count + 30 * (size_t)v->face_count;
  char* text = malloc(size);
  if (!text) return NULL;
  size_t at = (size_t)snprintf(text, size, "<mujoco><asset><mesh name='m' vertex='");
  for (int i = 0; i < 3 * v->vertex_count; ++i)
    at += (size_t)snprintf(text + at, size - at, "%.17g ", v->x[i]);
  at += (size_t)snprintf(text + at, size - at, "' face='");
  for (int i = 0; i < 3 * v->face_count; ++i)
    at += (size_t)snprintf(text + at, size - at, "%d ", v->face[i]);
  at += (size_t)snprintf(text + at, size - at,
                         "'/></asset><worldbody><body><freejoint/><inertial pos='0 0 0' mass='1' "
                         "diaginertia='1 1 1'/><geom type='mesh' mesh='m'/></body></worldbody>"
                         "</mujoco>");
  *length = at;
  return text;
}

static void keep(void* user, const HeftPieces* p) { *(HeftPieces*)user = *p; }

// Cuts the mesh. 0: failed (reported).
static int cut(const Mesh* mesh, HeftPieces* out, double* seconds) {
  Vertices v = {calloc(3L * 11000, sizeof(double)), calloc(3L * 20000, sizeof(int)), 0, 0};
  HeftLoadDef def = heft_load_def_default();
  HeftModel* m = NULL;
  HeftError error = {0};
  size_t length = 0;
  if (v.x && v.face) mesh->make(&v);
  char* text = v.face_count > 0 ? write_model(&v, &length) : NULL;
  free(v.x);
  free(v.face);
  def.decompose = mesh->error;
  def.decompose_effort *= mesh->effort;
  def.pieces = keep;
  def.user = out;
  const uint64_t start = measure_cpu_ns();
  const HeftStatus status =
      text ? heft_model_load_bytes(&m, text, length, "mesh.xml", &def, &error) : HEFT_ERR_MEMORY;
  *seconds = 1e-9 * (double)(measure_cpu_ns() - start);
  if (status != HEFT_OK) fprintf(stderr, "heft bench pieces: error: %s\n", error.message);
  if (status == HEFT_OK && out->count == 0)
    fprintf(stderr, "heft bench pieces: mesh '%s' was not cut: it takes too much work\n",
            mesh->name);
  free(text);
  heft_model_destroy(m);
  return status == HEFT_OK;
}

static double count_instructions(const char* name) {
  char self[512], command[1024];
  if (!program_path(self, sizeof self)) return -1;
  snprintf(command, sizeof command, "'%s' bench pieces --once %s", self, name);
  return measure_command(command, false);
}

static int run_mesh(const Mesh* mesh, int instructions, int once) {
  HeftPieces p = {0};
  double seconds = 0;
  if (!cut(mesh, &p, &seconds)) return 0;
  if (once) return 1;
  json_row_begin(mesh->name);
  json_row_number("triangles", p.triangles);
  json_row_number("pieces", p.count);
  json_row_number("operations", p.effort);
  json_row_number("cpu_s", seconds);
  json_row_number("error", p.error);
  json_row_number("excess", p.excess);
  json_row_number("missing", p.missing);
  printf("%-8s %9d %7d %10.3g %8.2f %8.4f %8.4f %8.4f", mesh->name, p.triangles, p.count, p.effort,
         seconds, p.error, p.excess, p.missing);
  if (mesh->wanted > 0)
    printf("  goal %.0f s %s", mesh->wanted, seconds <= mesh->wanted ? "met" : "missed");
  fflush(stdout);
  if (instructions) {
    const double count = count_instructions(mesh->name);
    if (count > 0) json_row_number("instructions", count);
    if (count > 0) printf("  %.3g instructions, with reading", count);
    if (!(count > 0)) printf("  instructions not counted: %s", measure_instructions_failure());
  }
  json_row_end();
  printf("\n");
  return 1;
}

static const char* mesh_name(const void* from, int index) {
  (void)from;
  return meshes[index].name;
}

int heft_bench_pieces(int argc, char** argv) {
  const char* name = NULL;
  int instructions = 0, once = 0, good = 1, found = 0;
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "--help") == 0) {
      printf("%s", help);
      return 0;
    }
    if (strcmp(argv[i], "--instructions") == 0) {
      instructions = 1;
    } else if (strcmp(argv[i], "--once") == 0) {
      once = 1;  // for the process that valgrind counts
    } else if (argv[i][0] != '-' && !name) {
      name = argv[i];
    } else {
      option_names_wrong("bench pieces", help, "", argv[i]);
      return 2;
    }
  }
  for (int i = 0; i < mesh_count; ++i) found |= !name || strcmp(name, meshes[i].name) == 0;
  if (!found) {
    names_wrong("bench pieces", "unknown mesh", name, (Names){mesh_name, NULL, mesh_count});
    return 2;
  }
  if (!once)
    printf("%-8s %9s %7s %10s %8s %8s %8s %8s\n", "mesh", "triangles", "pieces", "operations",
           "CPU s", "error", "outside", "missing");
  for (int i = 0; i < mesh_count; ++i) {
    if (!name || strcmp(name, meshes[i].name) == 0)
      good &= run_mesh(&meshes[i], instructions, once);
  }
  return !good;
}
