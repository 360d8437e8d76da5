// SPDX-License-Identifier: Apache-2.0
// The same bits from every compiler, level and instruction set: contacts of a pile of all kinds and
// of one of compounds, hashed. The numbers stand here; a change of them must be meant.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "models.h"
#include "shapes.h"

static const uint64_t expected = 0xed0f78674cdd557du, expected_compounds = 0xd9ca8aa077771664u;

static int add_hull_mesh(HeftBuilder* b, Random* r, int n, HeftVec3 at) {
  double p[3 * 64];
  int t[3 * 128];
  for (int i = 0; i < n; ++i) {
    const HeftVec3 v = heft_vec3_add_scaled(at, 0.3, random_normal(r));
    p[3 * i] = v.x, p[3 * i + 1] = v.y, p[3 * i + 2] = v.z;
  }
  HeftMeshDef mesh = heft_mesh_def_default();
  mesh.vertex_count = n;
  mesh.vertices = p;
  mesh.face_count = mesh.hull_count = hull_triangles(n, p, t, 128);
  mesh.faces = mesh.hull = t;
  return heft_builder_add_mesh(b, &mesh);
}

// Contacts of all bodies in random poses.
static uint64_t hash_contacts(const HeftModel* m, Random* r, int rounds) {
  HeftCollider* c = new_collider(m, 0.01, 4);
  HeftPose* pose = malloc((size_t)m->nbody * sizeof *pose);
  uint64_t hash = 0;
  long count = 0;
  for (int round = 0; round < rounds; ++round) {
    pose[0] = heft_pose_identity();
    for (int i = 1; i < m->nbody; ++i) {
      HeftVec3 pos = random_vector(r, -1.2, 1.2);
      pos.z = fabs(pos.z);
      pose[i] = heft_pose(pos, random_rotation(r));
    }
    heft_collider_update(c, pose);
    const HeftContactPoints f = heft_collider_collide(c);
    hash = heft_hash(f.point, (size_t)f.count * sizeof *f.point, hash);
    count += f.count;
  }
  print_message("%ld contacts, hash 0x%016llx\n", count, (unsigned long long)hash);
  free(pose);
  heft_collider_destroy(c);
  return hash;
}

static void test_same_bits(void** state) {
  (void)state;
  Random r = {51};
  HeftBuilder* b = new_builder();
  parts_shape(b, 0, HEFT_SHAPE_PLANE, 0, 0, 0);
  HeftShapeDef floor = parts_shape_def(0, HEFT_SHAPE_MESH, 0, 0, 0);
  floor.mesh = parts_sheet(b, 10, 10, 4, 4, NULL);
  floor.pos.z = 0.2;
  heft_builder_add_shape(b, &floor);
  const int mesh = add_hull_mesh(b, &r, 24, heft_vec3(0, 0, 0));
  static const HeftShapeType types[6] = {HEFT_SHAPE_SPHERE,   HEFT_SHAPE_CAPSULE,
                                         HEFT_SHAPE_CYLINDER, HEFT_SHAPE_ELLIPSOID,
                                         HEFT_SHAPE_BOX,      HEFT_SHAPE_MESH};
  for (int i = 0; i < 90; ++i) {
    const HeftVec3 size = random_vector(&r, 0.1, 0.3);
    HeftShapeDef s = parts_shape_def(parts_free_body(b), types[i % 6], size.x, size.y, size.z);
    if (s.type == HEFT_SHAPE_MESH) s.mesh = mesh;
    heft_builder_add_shape(b, &s);
  }
  HeftModel* m = finish_model(b);
  assert_true(hash_contacts(m, &r, 40) == expected);
  heft_model_destroy(m);
}

static void test_same_bits_of_compounds(void** state) {
  (void)state;
  Random r = {52};
  HeftBuilder* b = new_builder();
  parts_shape(b, 0, HEFT_SHAPE_PLANE, 0, 0, 0);
  for (int i = 0; i < 9; ++i) {
    const int body = parts_free_body(b);
    for (int k = 0; k < 12; ++k)
      parts_mesh_shape(b, body, add_hull_mesh(b, &r, 12, random_vector(&r, -0.5, 0.5)));
    parts_shape(b, body, HEFT_SHAPE_SPHERE, 0.2, 0, 0);
  }
  HeftModel* m = finish_model(b);
  assert_true(hash_contacts(m, &r, 10) == expected_compounds);
  heft_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_bits),
                                     cmocka_unit_test(test_same_bits_of_compounds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
