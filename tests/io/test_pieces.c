// SPDX-License-Identifier: Apache-2.0
// Convex pieces of meshes: simple solids have the pieces that they must have, open and broken
// meshes have some, bytes are the same everywhere, files and options ask for them, limits hold.
#include "io/pieces.h"

#include <math.h>
#include <stdlib.h>

#include "io/reader.h"
#include "support/circle.h"

enum { MAX_VERTICES = 2000, MAX_FACES = 4000 };

typedef struct Builder {
  double v[3 * MAX_VERTICES];
  int f[3 * MAX_FACES];
  Mesh mesh;
} Builder;

static void begin(Builder* b) {
  memset(&b->mesh, 0, sizeof b->mesh);
  b->mesh.vertices = b->v;
  b->mesh.faces = b->f;
}

static int vertex(Builder* b, double x, double y, double z) {
  double* v = b->v + 3L * b->mesh.vertex_count;
  v[0] = x, v[1] = y, v[2] = z;
  return b->mesh.vertex_count++;
}

static void face(Builder* b, int i, int j, int k) {
  int* f = b->f + 3L * b->mesh.face_count++;
  f[0] = i, f[1] = j, f[2] = k;
}

static void quad(Builder* b, int i, int j, int k, int l) {
  face(b, i, j, k);
  face(b, i, k, l);
}

static void box(Builder* b, const double lo[3], const double hi[3]) {
  int v[8];
  for (int i = 0; i < 8; ++i)
    v[i] = vertex(b, i & 1 ? hi[0] : lo[0], i & 2 ? hi[1] : lo[1], i & 4 ? hi[2] : lo[2]);
  quad(b, v[0], v[2], v[3], v[1]);
  quad(b, v[4], v[5], v[7], v[6]);
  quad(b, v[0], v[1], v[5], v[4]);
  quad(b, v[2], v[6], v[7], v[3]);
  quad(b, v[0], v[4], v[6], v[2]);
  quad(b, v[1], v[3], v[7], v[5]);
}

// An L of two bars of width 0.3 on a side of 1, as one closed surface.
static void make_angle(Builder* b) {
  static const double profile[6][2] = {{0, 0}, {1, 0}, {1, 0.3}, {0.3, 0.3}, {0.3, 1}, {0, 1}};
  begin(b);
  for (int side = 0; side < 2; ++side) {
    for (int i = 0; i < 6; ++i) vertex(b, profile[i][0], 0.5 * side, profile[i][1]);
  }
  for (int i = 0; i < 6; ++i) quad(b, i, (i + 1) % 6, 6 + (i + 1) % 6, 6 + i);
  for (int side = 0; side < 2; ++side) {
    const int o = 6 * side;
    quad(b, o, o + 1, o + 2, o + 3);
    quad(b, o, o + 3, o + 4, o + 5);
  }
}

// A torus about z.
static void make_torus(Builder* b, double radius, double tube, int n, int m) {
  begin(b);
  for (int i = 0; i < n; ++i) {
    double a[2];
    circle(i, n, a);
    for (int j = 0; j < m; ++j) {
      double c[2];
      circle(j, m, c);
      const double r = radius + tube * c[0];
      vertex(b, r * a[0], r * a[1], tube * c[1]);
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < m; ++j)
      quad(b, i * m + j, (i + 1) % n * m + j, (i + 1) % n * m + (j + 1) % m, i * m + (j + 1) % m);
  }
}

static const PieceDef usual = {.error = 0.02, .max_pieces = 64, .max_vertices = 64, .work = 1e10};

static const PieceDef coarse = {.error = 0.06, .max_pieces = 64, .max_vertices = 64, .work = 1e10};

static int cut(Reader* r, const Builder* b, const PieceDef* def, Pieces* out) {
  reader_open(r, "x", "");
  r->load.budget.bytes_allowed = 1e9;
  return mesh_pieces(&r->load.region, &b->mesh, def, NULL, out);
}

static double volume(const Pieces* p) {
  double sum = 0;
  for (int i = 0; i < p->count; ++i)
    sum += mesh_volume(&p->piece[i], p->piece[i].faces, p->piece[i].face_count);
  return sum;
}

static void solids_have_the_pieces_they_must_have(void** state) {
  (void)state;
  static Builder b;
  Reader r;
  Pieces p;
  begin(&b);
  box(&b, (double[3]){0, 0, 0}, (double[3]){1, 2, 0.5});
  assert_int_equal(cut(&r, &b, &usual, &p), 1);
  assert_int_equal(p.count, 1);
  assert_int_equal(p.piece[0].vertex_count, 8);
  assert_true(fabs(volume(&p) - 1) < 1e-4 && p.excess <= 0.5 * usual.error + 1e-4);
  reader_close(&r);
  make_angle(&b);
  assert_int_equal(cut(&r, &b, &usual, &p), 1);
  assert_int_equal(p.count, 2);
  assert_true(fabs(volume(&p) - 0.255) < 0.01 && p.excess <= usual.error && p.missing < 0.01);
  reader_close(&r);
  begin(&b);  // two boxes that are apart
  box(&b, (double[3]){0, 0, 0}, (double[3]){1, 1, 1});
  box(&b, (double[3]){2, 0, 0}, (double[3]){3, 1, 1});
  assert_int_equal(cut(&r, &b, &usual, &p), 1);
  assert_int_equal(p.count, 2);
  reader_close(&r);
  begin(&b);  // two that overlap, one turned inside out: still one solid
  box(&b, (double[3]){0, 0, 0}, (double[3]){1, 1, 1});
  box(&b, (double[3]){0.5, 0, 0}, (double[3]){2, 1, 1});
  for (int i = 0; i < 12; ++i) {
    const int swap = b.f[3 * i];
    b.f[3 * i] = b.f[3 * i + 1];
    b.f[3 * i + 1] = swap;
  }
  assert_int_equal(cut(&r, &b, &usual, &p), 1);
  assert_int_equal(p.count, 1);
  reader_close(&r);
}

// The hole of a ring stays open: no piece contains its centre.
static int contains(const Mesh* m, const double x[3]) {
  for (int f = 0; f < m->face_count; ++f) {
    HeftVec3 v[3];
    for (int k = 0; k < 3; ++k) {
      const double* p = m->vertices + 3L * m->faces[3L * f + k];
      v[k] = heft_vec3(p[0] - x[0], p[1] - x[1], p[2] - x[2]);
    }
    if (heft_vec3_dot(v[0], heft_vec3_cross(heft_vec3_sub(v[1], v[0]), heft_vec3_sub(v[2], v[0]))) <
        0)
      return 0;
  }
  return 1;
}

static void a_ring_keeps_its_hole(void** state) {
  (void)state;
  static Builder b;
  Reader r;
  Pieces p;
  make_torus(&b, 1, 0.2, 32, 12);
  assert_int_equal(cut(&r, &b, &coarse, &p), 1);
  assert_in_range(p.count, 6, 40);
  assert_true(p.excess <= 1.1 * coarse.error && p.missing <= 0.5 * coarse.error);
  for (int i = 0; i < p.count; ++i) assert_false(contains(&p.piece[i], (double[3]){0.3, 0, 0}));
  reader_close(&r);
}

static void the_number_of_pieces_is_limited(void** state) {
  (void)state;
  static Builder b;
  Reader r;
  Pieces p;
  make_torus(&b, 1, 0.2, 32, 12);
  PieceDef def = coarse;
  def.max_pieces = 4;
  def.max_vertices = 12;
  assert_int_equal(cut(&r, &b, &def, &p), 1);
  assert_in_range(p.count, 2, 4);
  for (int i = 0; i < p.count; ++i) assert_in_range(p.piece[i].vertex_count, 4, 12);
  assert_true(p.excess > def.error);  // and the bound says so
  reader_close(&r);
  def = coarse;
  def.work = 1e5;  // less than the grid takes
  assert_int_equal(cut(&r, &b, &def, &p), 0);
  reader_close(&r);
  def.work = 2.5e7;  // hardly more than that
  assert_int_equal(cut(&r, &b, &def, &p), 1);
  assert_true(p.cut_short && p.excess >= 0.5);
  reader_close(&r);
}

// Cubes on a circle, apart from each other.
static void make_cubes(Builder* b, int count) {
  begin(b);
  for (int i = 0; i < count; ++i) {
    double a[2];
    circle(i, count, a);
    const double low[3] = {3 * a[0], 3 * a[1], 0.7 * a[0] * a[1]};
    box(b, low, (double[3]){low[0] + 0.2, low[1] + 0.2, low[2] + 0.2});
  }
}

// If parts cannot be joined to as few as wanted, or the work ends before that, the parts count that
// were there when there were few enough. One box of all that is left would be the whole circle.
static void parts_that_cannot_be_joined_stay_near(void** state) {
  (void)state;
  static Builder b;
  make_cubes(&b, 48);
  for (int i = 0; i < 2; ++i) {
    Reader r;
    Pieces p;
    const PieceDef def = {
        .error = 0.1, .max_pieces = 12, .max_vertices = 64, .work = i ? 8e8 : 2.5e8};
    assert_int_equal(cut(&r, &b, &def, &p), 1);
    assert_int_equal(p.count, 12);
    assert_true(p.excess > def.error && p.excess < 0.4);
    reader_close(&r);
  }
}

// Meshes that ask for much work: fine spheres, whose points are all corners of their hull, and
// large triangles that cross each other. None takes more than it may.
static void make_sphere(Builder* b, int n, int m) {
  begin(b);
  for (int i = 0; i < n; ++i) {
    double a[2];
    circle(i, n, a);
    for (int j = 0; j < m; ++j) {
      const double z = (2 * j + 1.0) / m - 1, r = sqrt(1 - z * z);
      vertex(b, r * a[0], r * a[1], z);
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j + 1 < m; ++j)
      quad(b, i * m + j, (i + 1) % n * m + j, (i + 1) % n * m + j + 1, i * m + j + 1);
  }
}

static void make_crossing(Builder* b, int count) {
  uint64_t random = 3;
  begin(b);
  for (int i = 0; i < 3 * count; ++i) {
    double x[3];
    for (int k = 0; k < 3; ++k) {
      random = heft_hash(&random, sizeof random, random);
      x[k] = (double)(random % 1000) / 1000;
    }
    vertex(b, x[0], x[1], x[2]);
    if (i % 3 == 2) face(b, i - 2, i - 1, i);
  }
}

static void no_mesh_takes_more_work_than_it_may(void** state) {
  (void)state;
  static Builder b;
  static const double work[] = {2e7, 6e7, 2e8};
  for (int i = 0; i < 6; ++i) {
    Reader r;
    Pieces p;
    PieceDef def = usual;
    def.work = work[i / 2];
    if (i % 2) make_crossing(&b, 300);
    if (i % 2 == 0) make_sphere(&b, 50, 39);
    assert_true(cut(&r, &b, &def, &p) >= 0);
    assert_true(p.work <= 1.05 * def.work + 2.5e7);  // and the cells of one grid
    reader_close(&r);
  }
}

// Sheets, needles, points, repeated and crossing triangles: pieces, or a refusal, but no mistake.
static void any_mesh_is_cut_or_refused(void** state) {
  (void)state;
  static Builder b;
  Reader r;
  Pieces p;
  begin(&b);  // an open sheet with a fold
  for (int i = 0; i < 3; ++i) {
    vertex(&b, i, 0, i == 1 ? 1 : 0);
    vertex(&b, i, 1, i == 1 ? 1 : 0);
  }
  quad(&b, 0, 1, 3, 2);
  quad(&b, 2, 3, 5, 4);
  assert_int_equal(cut(&r, &b, &usual, &p), 1);
  assert_true(p.count >= 2 && p.excess <= 1.1 * usual.error);
  reader_close(&r);
  begin(&b);  // a needle, and a triangle that is a point
  vertex(&b, 0, 0, 0);
  vertex(&b, 1, 1e-9, 0);
  vertex(&b, 2, 0, 0);
  face(&b, 0, 1, 2);
  face(&b, 1, 1, 1);
  assert_int_equal(cut(&r, &b, &usual, &p), 1);
  assert_int_equal(p.count, 1);
  reader_close(&r);
  begin(&b);  // no size
  vertex(&b, 1, 1, 1);
  face(&b, 0, 0, 0);
  assert_int_equal(cut(&r, &b, &usual, &p), 0);
  reader_close(&r);
  static const double bad[3] = {(double)NAN, (double)INFINITY, 1e300};
  for (int i = 0; i < 3; ++i) {
    begin(&b);
    box(&b, (double[3]){0, 0, 0}, (double[3]){1, 1, bad[i]});
    assert_int_equal(cut(&r, &b, &usual, &p), 0);
    reader_close(&r);
  }
  begin(&b);  // far from the origin, and much larger than the error
  box(&b, (double[3]){1e12, 0, 0}, (double[3]){1e12 + 1e3, 1e3, 1e3});
  assert_int_equal(cut(&r, &b, &usual, &p), 1);
  assert_int_equal(p.count, 1);
  reader_close(&r);
  begin(&b);  // triangles without any order
  uint64_t random = 1;
  for (int i = 0; i < 60; ++i) {
    double x[3];
    for (int k = 0; k < 3; ++k) {
      random = heft_hash(&random, sizeof random, random);
      x[k] = (double)(random % 1000) / 1000;
    }
    vertex(&b, x[0], x[1], x[2]);
  }
  for (int i = 0; i < 40; ++i) face(&b, i, (7 * i + 3) % 60, (11 * i + 20) % 60);
  assert_int_equal(cut(&r, &b, &coarse, &p), 1);
  assert_in_range(p.count, 1, 64);
  reader_close(&r);
}

static uint64_t hash_of(const Pieces* p) {
  uint64_t h = 0;
  for (int i = 0; i < p->count; ++i) {
    const Mesh* m = &p->piece[i];
    h = heft_hash(m->vertices, 3 * (size_t)m->vertex_count * sizeof(double), h);
    h = heft_hash(m->faces, 3 * (size_t)m->face_count * sizeof(int), h);
  }
  h = heft_hash(&p->excess, sizeof p->excess, h);
  return heft_hash(&p->missing, sizeof p->missing, h);
}

static void pieces_have_the_same_bytes_everywhere(void** state) {
  (void)state;
  static Builder b;
  Reader r;
  Pieces p;
  make_torus(&b, 1, 0.2, 32, 12);
  assert_int_equal(cut(&r, &b, &coarse, &p), 1);
  if (hash_of(&p) != UINT64_C(0x6440756c54e845fd))
    fail_msg("%016llx was found", (unsigned long long)hash_of(&p));
  reader_close(&r);
}

// ---- files and options

static const char scene[] =
    "<mujoco><custom>%s</custom><asset><mesh name='m' vertex='0 0 0 1 0 0 1 0 .3 .3 0 .3 .3 0 1 0 "
    "0 1 0 .5 0 1 .5 0 1 .5 .3 .3 .5 .3 .3 .5 1 0 .5 1' face='0 1 7 0 7 6 1 2 8 1 8 7 2 3 9 2 9 8 "
    "3 4 10 3 10 9 4 5 11 4 11 10 5 0 6 5 6 11 0 2 1 0 3 2 0 4 3 0 5 4 6 7 8 6 8 9 6 9 10 6 10 "
    "11'/></asset><worldbody><geom name='f' type='plane' size='1 1 1'/><body name='b'><freejoint/>"
    "<geom name='g' type='mesh' mesh='m' group='%d'/></body></worldbody>"
    "<contact><pair geom1='f' geom2='g' friction='0.3'/></contact></mujoco>";

typedef struct Told {
  int calls, count;
  double excess, effort;
} Told;

static void tell(void* user, const HeftPieces* p) {
  Told* told = user;
  ++told->calls;
  told->count = p->count;
  told->excess = p->excess;
  told->effort += p->effort;
}

static HeftModel* load_scene(const char* custom, int group, double option, Told* told) {
  char text[2000];
  HeftLoadDef def = heft_load_def_default();
  HeftError error = {0};
  HeftModel* m = NULL;
  memset(told, 0, sizeof *told);
  def.decompose = option;
  def.pieces = tell;
  def.user = told;
  snprintf(text, sizeof text, scene, custom, group);
  if (heft_model_load_bytes(&m, text, strlen(text), "a.xml", &def, &error) != HEFT_OK)
    fail_msg("%s", error.message);
  return m;
}

static void check_counts(const char* custom, int group, double option, int shapes, int pairs) {
  Told told;
  HeftModel* m = load_scene(custom, group, option, &told);
  assert_int_equal(m->nshape, shapes);
  assert_int_equal(m->npair, pairs);
  assert_int_equal(told.calls, shapes > 2);
  if (shapes > 2) assert_true(told.count == 2 && told.excess < 0.03);
  heft_model_destroy(m);
}

static void files_and_options_ask_for_pieces(void** state) {
  (void)state;
  static const char geom[] = "<numeric name='heft_decompose_g' data='0.02'/>";
  static const char all[] = "<numeric name='heft_decompose' data='0.02 8'/>";
  static const char none[] = "<numeric name='heft_decompose_g' data='0'/>";
  check_counts("", 0, 0, 2, 1);
  check_counts(geom, 0, 0, 4, 2);  // floor, two pieces, and the mesh that is seen
  check_counts(geom, 3, 0, 3, 2);  // a mesh that is not seen is replaced
  check_counts(all, 0, 0, 4, 2);
  check_counts("", 0, 0.02, 4, 2);
  check_counts(geom, 0, -1, 2, 1);  // off
  check_counts(none, 0, 0, 2, 1);
}

enum { GREEDY_MESHES = 8, GREEDY_TRIANGLES = 120, GREEDY_SIZE = 200000 };

// A file of a stranger with meshes that take all the work they get.
static char* greedy_file(void) {
  char* text = malloc(GREEDY_SIZE);
  uint64_t random = 5;
  assert_non_null(text);
  int at = snprintf(text, GREEDY_SIZE,
                    "<mujoco><custom><numeric name='heft_decompose' data='0.004 1000'/></custom>"
                    "<asset>");
  for (int i = 0; i < GREEDY_MESHES; ++i) {
    at += snprintf(text + at, (size_t)(GREEDY_SIZE - at), "<mesh name='m%d' vertex='", i);
    for (int k = 0; k < 9 * GREEDY_TRIANGLES; ++k) {
      random = heft_hash(&random, sizeof random, random);
      at +=
          snprintf(text + at, (size_t)(GREEDY_SIZE - at), "%.3f ", (double)(random % 1000) / 1000);
    }
    at += snprintf(text + at, (size_t)(GREEDY_SIZE - at), "' face='");
    for (int k = 0; k < 3 * GREEDY_TRIANGLES; ++k)
      at += snprintf(text + at, (size_t)(GREEDY_SIZE - at), "%d ", k);
    at += snprintf(text + at, (size_t)(GREEDY_SIZE - at), "'/>");
  }
  at += snprintf(text + at, (size_t)(GREEDY_SIZE - at), "</asset><worldbody><body><freejoint/>");
  for (int i = 0; i < GREEDY_MESHES; ++i)
    at += snprintf(text + at, (size_t)(GREEDY_SIZE - at), "<geom type='mesh' mesh='m%d'/>", i);
  at += snprintf(text + at, (size_t)(GREEDY_SIZE - at), "</body></worldbody></mujoco>");
  assert_true(at < GREEDY_SIZE);
  return text;
}

// A load that is refused for its work. Returns what it told until then.
static Told refused(const char* text, const HeftPieceStore* store, HeftError* error) {
  Told told = {0};
  HeftLoadDef def = heft_load_def_default();
  HeftModel* m = NULL;
  def.pieces = tell;
  def.user = &told;
  def.piece_store = store;
  assert_int_equal(heft_model_load_bytes(&m, text, strlen(text), "a.xml", &def, error),
                   HEFT_ERR_LIMIT);
  return told;
}

// Operations take less than a nanosecond each, and a load may take a second.
static void a_file_that_asks_for_much_is_refused(void** state) {
  (void)state;
  char* text = greedy_file();
  HeftError error = {0};
  const Told told = refused(text, NULL, &error);
  assert_true(told.calls >= 1 && told.effort < 1.0e9);
  free(text);
}

// A URDF asks for the pieces of one collision shape, or of all.
static void urdf_asks_for_pieces(void** state) {
  (void)state;
  static const char* const all[3] = {"", "", "<heft decompose='0.002' pieces='32'/>"};
  static const char* const own[3] = {"", "<heft decompose='0.002' pieces='32'/>", ""};
  for (int i = 0; i < 3; ++i) {
    char text[600];
    Told told = {0};
    HeftLoadDef def = heft_load_def_default();
    HeftModel* m = NULL;
    HeftError error = {0};
    def.pieces = tell;
    def.user = &told;
    snprintf(text, sizeof text,
             "<robot name='r'>%s<link name='a'><collision>%s<geometry><mesh filename='hook.obj'/>"
             "</geometry></collision></link></robot>",
             all[i], own[i]);
    if (heft_model_load_bytes(&m, text, strlen(text), "scenes/r.urdf", &def, &error) != HEFT_OK)
      fail_msg("%s", error.message);
    assert_int_equal(told.calls, i > 0);
    if (i == 0) assert_int_equal(m->nshape, 1);
    if (i > 0) assert_in_range(told.count, 4, 32);
    int colliding = 0;  // the mesh itself stays to be seen if it is the only one of its link
    for (int k = 0; k < m->nshape; ++k)
      colliding += m->shape_category[k] != 0 || m->shape_collides[k] != 0;
    assert_int_equal(colliding, i > 0 ? told.count : 1);
    if (i > 0) assert_true(told.excess <= 0.0022);
    heft_model_destroy(m);
  }
}

// ---- written models

static HeftStatus keep_text(void* user, const char* name, const void* bytes, size_t size,
                            HeftError* error) {
  (void)name, (void)error;
  char** text = user;
  *text = malloc(size + 1);
  assert_non_null(*text);
  memcpy(*text, bytes, size);
  (*text)[size] = '\0';
  return HEFT_OK;
}

// As `heft convert --decompose`: the written model has the pieces, and reading it cuts nothing.
static void a_written_model_keeps_its_pieces(void** state) {
  (void)state;
  Told told;
  char* text = NULL;
  HeftModel *m = load_scene("", 0, 0.02, &told), *again = NULL;
  HeftWriteDef write = heft_write_def_default();
  HeftLoadDef read = heft_load_def_default();
  write.put = keep_text;
  write.user = &text;
  assert_int_equal(heft_model_write_mjcf(m, &write, NULL), HEFT_OK);
  memset(&told, 0, sizeof told);
  read.pieces = tell;
  read.user = &told;
  assert_int_equal(heft_model_load_bytes(&again, text, strlen(text), "b.xml", &read, NULL),
                   HEFT_OK);
  assert_int_equal(told.calls, 0);
  assert_int_equal(again->nshape, 4);
  assert_true(heft_model_hash(again) == heft_model_hash(m));
  heft_model_destroy(again);
  heft_model_destroy(m);
  free(text);
}

static void wrong_numbers_are_refused(void** state) {
  (void)state;
  static const char* const wrong[] = {"<numeric name='heft_decompose_g' data='-1'/>",
                                      "<numeric name='heft_decompose_g' data='0.1 2.5'/>",
                                      "<numeric name='heft_decompose' data='0.1 1 2'/>",
                                      "<numeric name='heft_decompose_h' data='0.1'/>"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    char text[2000];
    HeftError error = {0};
    HeftModel* m = NULL;
    snprintf(text, sizeof text, scene, wrong[i], 0);
    assert_int_not_equal(heft_model_load_bytes(&m, text, strlen(text), "a.xml", NULL, &error),
                         HEFT_OK);
    assert_true(error.line == 1 && error.message[0]);
  }
}

// ---- the store

typedef struct Kept {
  char* bytes;
  size_t size;
  int reads, writes, damage;
} Kept;

static bool read_kept(void* user, const void* key, size_t key_size, const HeftAllocator* allocator,
                      void** bytes, size_t* size) {
  Kept* k = user;
  assert_true(key && key_size > 0);
  if (!k->bytes) return false;
  ++k->reads;
  *bytes = allocator->allocate(allocator->user, k->size, 16);
  *size = k->size;
  memcpy(*bytes, k->bytes, k->size);
  if (k->damage >= 0) ((char*)*bytes)[k->damage] ^= 0x7f;
  return true;
}

static void write_kept(void* user, const void* key, size_t key_size, const void* bytes,
                       size_t size) {
  Kept* k = user;
  assert_true(key && key_size > 0);
  ++k->writes;
  free(k->bytes);
  k->bytes = malloc(size);
  k->size = size;
  memcpy(k->bytes, bytes, size);
}

static uint64_t load_kept(Kept* kept) {
  const HeftPieceStore store = {read_kept, write_kept, kept};
  char text[2000];
  HeftLoadDef def = heft_load_def_default();
  HeftModel* m = NULL;
  def.decompose = 0.02;
  def.piece_store = &store;
  snprintf(text, sizeof text, scene, "", 0);
  assert_int_equal(heft_model_load_bytes(&m, text, strlen(text), "a.xml", &def, NULL), HEFT_OK);
  const uint64_t hash = heft_model_hash(m);
  heft_model_destroy(m);
  return hash;
}

static void stored_pieces_are_used_and_checked(void** state) {
  (void)state;
  Kept kept = {.damage = -1};
  const uint64_t first = load_kept(&kept);
  assert_int_equal(kept.writes, 1);
  assert_true(load_kept(&kept) == first);
  assert_true(kept.reads == 1 && kept.writes == 1);
  for (kept.damage = 0; kept.damage < 60; kept.damage += 7)
    load_kept(&kept);  // any byte may be wrong
  kept.damage = -1;
  kept.size -= 1;  // too short: cut again
  assert_true(load_kept(&kept) == first);
  free(kept.bytes);
}

// Stores the pieces of all meshes.
typedef struct Shelf {
  uint64_t key[GREEDY_MESHES];
  char* bytes[GREEDY_MESHES];
  size_t size[GREEDY_MESHES];
  int count;
} Shelf;

static bool read_shelf(void* user, const void* key, size_t key_size, const HeftAllocator* allocator,
                       void** bytes, size_t* size) {
  const Shelf* s = user;
  const uint64_t name = heft_hash(key, key_size, 0);
  for (int i = 0; i < s->count; ++i) {
    if (s->key[i] != name) continue;
    *bytes = allocator->allocate(allocator->user, s->size[i], 16);
    *size = s->size[i];
    memcpy(*bytes, s->bytes[i], s->size[i]);
    return true;
  }
  return false;
}

static void write_shelf(void* user, const void* key, size_t key_size, const void* bytes,
                        size_t size) {
  Shelf* s = user;
  assert_true(s->count < GREEDY_MESHES);
  s->key[s->count] = heft_hash(key, key_size, 0);
  s->bytes[s->count] = malloc(size);
  s->size[s->count] = size;
  memcpy(s->bytes[s->count++], bytes, size);
}

// A load that is refused leaves pieces in the store. The next one must be refused at the same mesh.
static void a_store_does_not_change_what_is_refused(void** state) {
  (void)state;
  char* text = greedy_file();
  Shelf shelf = {.count = 0};
  const HeftPieceStore store = {read_shelf, write_shelf, &shelf};
  HeftError first = {0}, second = {0};
  const int calls = refused(text, &store, &first).calls;
  assert_true(shelf.count > 0);
  assert_int_equal(refused(text, &store, &second).calls, calls);
  assert_string_equal(second.message, first.message);
  for (int i = 0; i < shelf.count; ++i) free(shelf.bytes[i]);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solids_have_the_pieces_they_must_have),
      cmocka_unit_test(a_ring_keeps_its_hole),
      cmocka_unit_test(the_number_of_pieces_is_limited),
      cmocka_unit_test(parts_that_cannot_be_joined_stay_near),
      cmocka_unit_test(no_mesh_takes_more_work_than_it_may),
      cmocka_unit_test(any_mesh_is_cut_or_refused),
      cmocka_unit_test(pieces_have_the_same_bytes_everywhere),
      cmocka_unit_test(files_and_options_ask_for_pieces),
      cmocka_unit_test(a_file_that_asks_for_much_is_refused),
      cmocka_unit_test(urdf_asks_for_pieces),
      cmocka_unit_test(a_written_model_keeps_its_pieces),
      cmocka_unit_test(wrong_numbers_are_refused),
      cmocka_unit_test(stored_pieces_are_used_and_checked),
      cmocka_unit_test(a_store_does_not_change_what_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
