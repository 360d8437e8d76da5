// SPDX-License-Identifier: Apache-2.0
// The map of a hull's normals finds the face that a plain search over all faces finds.
#include <math.h>

#include "shapes.h"
#include "support/check.h"

static int plain_search(const Hull* h, HeftVec3 d, int planes) {
  double best = -HUGE_VAL;
  int face = 0;
  for (int f = 0; f < h->face_count; ++f) {
    const double along = h->nx[f] * d.x + h->ny[f] * d.y + h->nz[f] * d.z;
    const double s = planes ? along - h->offset[f] : along;
    if (s > best) {
      best = s;
      face = f;
    }
  }
  return face;
}

static void map_finds_the_face_of_a_plain_search(void** state) {
  (void)state;
  Random r = {5};
  for (int n = 80; n <= 120; n += 20) {
    Hull* h = make_random_hull(&r, n);
    assert_non_null(h);
    assert_true(h->normals != NULL && h->face_count == 2 * n - 4);
    const Geometry g = make_geometry(KIND_HULL, 0, 0, 0, h);
    for (int k = 0; k < 5000; ++k) {
      HeftVec3 d = random_normal(&r);
      if (k % 5 == 0) d = heft_vec3(d.x, 0, 0);  // on the border of cells
      if (k % 5 == 1)
        d = heft_vec3(h->nx[k % h->face_count], h->ny[k % h->face_count], h->nz[k % h->face_count]);
      Feature feature;
      heft_geometry_feature(&g, d, &feature);
      assert_int_equal(feature.face_id, plain_search(h, d, 0));
      const HeftVec3 p = heft_vec3_scale(random_between(&r, 0, 3), d);
      assert_int_equal(heft_hull_outermost(h, p), plain_search(h, p, 1));
    }
    free(h);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(map_finds_the_face_of_a_plain_search)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
