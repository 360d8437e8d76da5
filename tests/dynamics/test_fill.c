// SPDX-License-Identifier: Apache-2.0
// Tetrahedra inside closed surfaces: volume, angles, the same bits everywhere; surfaces that are no
// borders of solids are refused.
#include <heft/deform.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "support/check.h"

enum { MOST = 4000 };

typedef struct Shape {
  int vertices, faces;
  double x[3 * MOST];
  int face[6 * MOST];
} Shape;

static void add_face(Shape* s, int a, int b, int c) {
  const int face[3] = {a, b, c};
  memcpy(s->face + 3L * s->faces++, face, sizeof face);
}

// A grid of rings: point(u, v) for u < rings, v < around; closed in v, and in u if it is a torus.
static void make_torus(Shape* s, int rings, int around, double radius, double tube) {
  *s = (Shape){.vertices = rings * around};
  for (int u = 0; u < rings; ++u) {
    for (int v = 0; v < around; ++v) {
      double su, cu, sv, cv;
      heft_sincos(2 * HEFT_PI * u / rings, &su, &cu);
      heft_sincos(2 * HEFT_PI * v / around, &sv, &cv);
      const double p[3] = {(radius + tube * cv) * cu, (radius + tube * cv) * su, tube * sv};
      memcpy(s->x + 3L * (u * around + v), p, sizeof p);
      const int a = u * around + v, b = (u + 1) % rings * around + v;
      const int c = u * around + (v + 1) % around, d = (u + 1) % rings * around + (v + 1) % around;
      add_face(s, a, b, d);
      add_face(s, a, d, c);
    }
  }
}

static void make_ball(Shape* s, int rings, int around, double radius) {
  *s = (Shape){.vertices = 2 + (rings - 1) * around};
  s->x[2] = -radius;
  s->x[3 * (s->vertices - 1) + 2] = radius;
  for (int u = 1; u < rings; ++u) {
    for (int v = 0; v < around; ++v) {
      double su, cu, sv, cv;
      heft_sincos(HEFT_PI * u / rings, &su, &cu);
      heft_sincos(2 * HEFT_PI * v / around, &sv, &cv);
      const double p[3] = {radius * su * cv, radius * su * sv, -radius * cu};
      memcpy(s->x + 3L * (1 + (u - 1) * around + v), p, sizeof p);
      const int a = 1 + (u - 1) * around + v, b = 1 + (u - 1) * around + (v + 1) % around;
      if (u == 1) add_face(s, 0, b, a);
      if (u == rings - 1) add_face(s, s->vertices - 1, a, b);
      if (u == rings - 1) continue;
      add_face(s, a, b, b + around);
      add_face(s, a, b + around, a + around);
    }
  }
}

static void make_box(Shape* s, double x, double y, double z) {
  static const int face[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                               2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
  *s = (Shape){.vertices = 8, .faces = 12};
  for (int i = 0; i < 8; ++i) {
    const double p[3] = {i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z};
    memcpy(s->x + 3L * i, p, sizeof p);
  }
  memcpy(s->face, face, sizeof face);
}

static HeftStatus fill(const Shape* s, double spacing, HeftTetrahedra* out, HeftError* error) {
  return heft_tetrahedra_fill(out, s->x, s->vertices, s->face, s->faces, spacing, NULL, error);
}

// Tetrahedra and vertices are exact in all builds; so are the places, which have no roots but
// correctly rounded ones.
static uint64_t hash_of(const HeftTetrahedra* m) {
  const uint64_t places = hash_array(m->vertices, 3 * (size_t)m->vertex_count, 8, 0);
  return places ^ hash_array(m->tetrahedra, 4 * (size_t)m->tetrahedron_count, 4, 1);
}

// Of the solid that the surface encloses.
static double volume_of(const Shape* s) {
  double sum = 0;
  for (int f = 0; f < s->faces; ++f) {
    HeftVec3 p[3];
    for (int k = 0; k < 3; ++k) p[k] = heft_vec3_from(s->x + 3L * s->face[3 * f + k]);
    sum += heft_vec3_dot(p[0], heft_vec3_cross(p[1], p[2])) / 6;
  }
  return fabs(sum);
}

// hash: of all builds; 0: not compared.
static void expect_fill(const Shape* s, double spacing, double tolerance, const char* name,
                        uint64_t hash) {
  const double volume = volume_of(s);
  HeftTetrahedra m, again;
  HeftError error = {0};
  if (fill(s, spacing, &m, &error) != HEFT_OK) fail_msg("%s: %s", name, error.message);
  const HeftTetrahedraQuality q = heft_tetrahedra_quality(&m);
  const double degree = HEFT_PI / 180;
  print_message(
      "%s: %d vertices, %d tetrahedra, volume %.4f of the solid, angles %.1f to %.1f "
      "degrees, hash %016llx\n",
      name, m.vertex_count, m.tetrahedron_count, q.volume / volume, q.min_angle / degree,
      q.max_angle / degree, (unsigned long long)hash_of(&m));
  assert_true(hash == 0 || hash_of(&m) == hash);
  assert_true(fabs(q.volume / volume - 1) < tolerance);
  assert_true(q.min_angle >= 10 * degree && q.max_angle <= 170 * degree);
  for (int t = 0; t < m.tetrahedron_count; ++t) {
    HeftTetrahedra one = m;
    one.tetrahedra = m.tetrahedra + 4L * t;
    one.tetrahedron_count = 1;
    assert_true(heft_tetrahedra_quality(&one).volume > 0);
  }
  assert_int_equal(fill(s, spacing, &again, NULL), HEFT_OK);
  assert_true(hash_of(&m) == hash_of(&again));
  heft_tetrahedra_release(&m, NULL);
  heft_tetrahedra_release(&again, NULL);
}

static void solids_are_filled(void** state) {
  (void)state;
  Shape* s = malloc(sizeof *s);
  make_ball(s, 16, 24, 0.1);
  expect_fill(s, 0.03, 0.05, "ball", 0);
  expect_fill(s, 0.02, 0.04, "fine ball", 0x1769b1110c5fdac5u);
  make_box(s, 0.1, 0.06, 0.04);
  expect_fill(s, 0.02, 0.05, "box", 0x9ef3b222c2964e89u);
  make_torus(s, 32, 16, 0.1, 0.04);
  expect_fill(s, 0.02, 0.06, "torus", 0x36cb08af330328f9u);
  // inside out: the same solid
  for (int f = 0; f < s->faces; ++f) {
    const int first = s->face[3 * f];
    s->face[3 * f] = s->face[3 * f + 1];
    s->face[3 * f + 1] = first;
  }
  expect_fill(s, 0.02, 0.06, "torus, inside out", 0);
  free(s);
}

static void expect_refusal(const Shape* s, double spacing, HeftStatus status, const char* text) {
  HeftTetrahedra m;
  HeftError error = {0};
  assert_int_equal(fill(s, spacing, &m, &error), status);
  if (!strstr(error.message, text)) fail_msg("'%s' was found, expected '%s'", error.message, text);
  assert_null(m.vertices);
}

static void strange_surfaces_are_refused(void** state) {
  (void)state;
  Shape* s = malloc(sizeof *s);
  make_box(s, 0.1, 0.06, 0.04);
  expect_refusal(s, 0, HEFT_ERR_VALUE, "the spacing is 0");
  expect_refusal(s, 1e-9, HEFT_ERR_LIMIT, "larger spacing");
  expect_refusal(s, 1e-4, HEFT_ERR_LIMIT, "larger spacing");
  make_box(s, 0.1, 0.06, 0);  // flat
  expect_refusal(s, 0.02, HEFT_ERR_VALUE, "smaller spacing");
  make_box(s, 0.1, 0.06, 0.04);
  s->faces = 11;
  expect_refusal(s, 0.02, HEFT_ERR_VALUE, "not closed");
  s->faces = 3;
  expect_refusal(s, 0.02, HEFT_ERR_LIMIT, "expected 4 to");
  s->faces = 12;
  s->face[5] = 8;
  expect_refusal(s, 0.02, HEFT_ERR_VALUE, "expected 0 to 7");
  s->face[5] = 3;
  s->x[4] = (double)NAN;
  expect_refusal(s, 0.02, HEFT_ERR_VALUE, "vertex 1 is");
  free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solids_are_filled),
      cmocka_unit_test(strange_surfaces_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
