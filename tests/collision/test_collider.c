// SPDX-License-Identifier: Apache-2.0
// The collider: rules of pairs, order, limits, the far origin, memory, islands, height fields.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <heft/dynamics.h>

#include "dynamics/links.h"
#include "models.h"
#include "scenes/scenes.h"
#include "shapes.h"

static int count_contacts(HeftCollider* c, const HeftPose* poses) {
  heft_collider_update(c, poses);
  return heft_collider_collide(c).count;
}

// Two overlapping spheres with given bits.
static int touches(int cat_a, int col_a, int cat_b, int col_b) {
  HeftBuilder* b = new_builder();
  for (int i = 0; i < 2; ++i) {
    HeftShapeDef s = parts_shape_def(parts_free_body(b), HEFT_SHAPE_SPHERE, 1, 0, 0);
    s.category = i ? cat_b : cat_a;
    s.collides = i ? col_b : col_a;
    heft_builder_add_shape(b, &s);
  }
  HeftModel* m = finish_model(b);
  HeftCollider* c = new_collider(m, 0, 4);
  HeftPose pose[3] = {heft_pose_identity(), heft_pose_identity(), heft_pose_identity()};
  pose[2].pos.x = 1.5;
  const int count = count_contacts(c, pose);
  heft_collider_destroy(c);
  heft_model_destroy(m);
  return count;
}

static void test_masks(void** state) {
  (void)state;
  assert_int_equal(touches(1, 1, 1, 1), 1);
  assert_int_equal(touches(1, 0, 2, 1), 1);  // one of the two wants it
  assert_int_equal(touches(1, 2, 1, 2), 0);
  assert_int_equal(touches(0, 0, 1, 1), 0);
}

// A chain world - a - b - c of hinges, all in one place; and a welded body on a.
static void test_parents_welds_excludes_pairs(void** state) {
  (void)state;
  for (int variant = 0; variant < 4; ++variant) {
    HeftBuilder* b = new_builder();
    int body[5] = {0};
    for (int i = 1; i < 5; ++i) {
      HeftBodyDef def = heft_body_def_default();
      def.parent = i == 4 ? body[1] : body[i - 1];
      def.mass = 1;
      def.inertia = (HeftSym3){1, 1, 1, 0, 0, 0};
      body[i] = heft_builder_add_body(b, &def);
      if (i < 4) {
        HeftJointDef joint = heft_joint_def_default();
        joint.body = body[i];
        joint.type = HEFT_JOINT_HINGE;
        joint.axis = heft_vec3(0, 0, 1);
        heft_builder_add_joint(b, &joint);
      }
    }
    for (int i = 1; i < 5; ++i) parts_shape(b, body[i], HEFT_SHAPE_SPHERE, 1, 0, 0);
    if (variant == 1) {
      HeftExcludeDef e = heft_exclude_def_default();
      e.body[0] = body[3], e.body[1] = body[1];
      heft_builder_add_exclude(b, &e);
    }
    if (variant == 2) {
      HeftMaterialDef mat = heft_material_def_default();
      mat.friction = 0.123;
      HeftPairDef p = heft_pair_def_default();
      p.shape[0] = 0, p.shape[1] = 1;
      p.material = heft_builder_add_material(b, &mat);
      p.contact_dim = 6;
      heft_builder_add_pair(b, &p);
    }
    HeftModel* m = finish_model(b);
    HeftColliderDef def = heft_collider_def_default();
    def.parent_child = variant == 3;
    HeftCollider* c = NULL;
    assert_int_equal(heft_collider_create(&c, m, &def, NULL), HEFT_OK);
    HeftPose pose[5];
    for (int i = 0; i < 5; ++i) {
      pose[i] = heft_pose_identity();
      pose[i].pos.x = 0.1 * i;
    }
    heft_collider_update(c, pose);
    const HeftContactPoints f = heft_collider_collide(c);
    // Without rules: 1-3 and 3-4 (4 is welded to 1). Parents: 1-2, 2-3, 2-4 are left out.
    static const int expected[4] = {2, 1, 3, 5};
    assert_int_equal(f.count, expected[variant]);
    if (variant == 2) {
      assert_int_equal(f.point[0].pair, 0);
      assert_true(f.point[0].friction == 0.123);
      assert_int_equal(f.point[0].dim, 6);
    }
    for (int i = 1; i < f.count; ++i) {
      const HeftContactPoint *p = &f.point[i - 1], *q = &f.point[i];
      assert_true(p->body_a < q->body_a || (p->body_a == q->body_a && p->body_b <= q->body_b));
    }
    heft_collider_destroy(c);
    heft_model_destroy(m);
  }
}

static void test_materials(void** state) {
  (void)state;
  for (int priority = 0; priority < 2; ++priority) {
    HeftBuilder* b = new_builder();
    for (int i = 0; i < 2; ++i) {
      HeftMaterialDef mat = heft_material_def_default();
      mat.friction = i ? 0.9 : 0.4;
      mat.restitution = i ? 0.1 : 0.5;
      HeftShapeDef s = parts_shape_def(parts_free_body(b), HEFT_SHAPE_SPHERE, 1, 0, 0);
      s.material = heft_builder_add_material(b, &mat);
      s.contact_dim = i ? 3 : 4;
      s.priority = priority && i == 0;
      heft_builder_add_shape(b, &s);
    }
    HeftModel* m = finish_model(b);
    HeftCollider* c = new_collider(m, 0, 4);
    HeftPose pose[3] = {heft_pose_identity(), heft_pose_identity(), heft_pose_identity()};
    pose[2].pos.z = 1;
    heft_collider_update(c, pose);
    const HeftContactPoints f = heft_collider_collide(c);
    assert_int_equal(f.count, 1);
    assert_true(f.point[0].friction == (priority ? 0.4 : 0.9));
    assert_true(f.point[0].restitution == 0.5);
    assert_int_equal(f.point[0].dim, 4);
    assert_true(f.point[0].normal.z == 1 && f.point[0].gap == -1);
    heft_collider_destroy(c);
    heft_model_destroy(m);
  }
}

// A pile of all kinds; brute force over all pairs of the model by heft_collider_distance.
static HeftModel* make_pile(int n, Random* r) {
  HeftBuilder* b = new_builder();
  parts_shape(b, 0, HEFT_SHAPE_PLANE, 0, 0, 0);
  for (int i = 0; i < 5; ++i) {
    HeftShapeDef s = parts_shape_def(0, HEFT_SHAPE_BOX, 0.5, 0.3, 0.4);
    s.pos = heft_vec3(random_between(r, -2, 2), random_between(r, -2, 2), random_between(r, 0, 2));
    heft_builder_add_shape(b, &s);
  }
  static const HeftShapeType types[5] = {HEFT_SHAPE_SPHERE, HEFT_SHAPE_CAPSULE, HEFT_SHAPE_CYLINDER,
                                         HEFT_SHAPE_ELLIPSOID, HEFT_SHAPE_BOX};
  for (int i = 0; i < n; ++i) {
    const double s = i % 17 == 0 ? 3 : 1;
    parts_shape(b, parts_free_body(b), types[i % 5], s * random_between(r, 0.1, 0.3),
                s * random_between(r, 0.1, 0.3), s * random_between(r, 0.1, 0.3));
  }
  return finish_model(b);
}

static HeftPose random_place(Random* r, double side) {
  return heft_pose(heft_vec3(random_between(r, -side, side), random_between(r, -side, side),
                             random_between(r, 0, side)),
                   random_rotation(r));
}

static int is_in(const HeftContactPoints* f, int a, int b) {
  for (int i = 0; i < f->count; ++i) {
    const HeftContactPoint* c = &f->point[i];
    if ((c->shape_a == a && c->shape_b == b) || (c->shape_a == b && c->shape_b == a)) return 1;
  }
  return 0;
}

static void test_broad_phase_misses_nothing(void** state) {
  (void)state;
  Random r = {21};
  HeftModel* m = make_pile(150, &r);
  HeftCollider* c = new_collider(m, 0.01, 4);
  HeftPose* pose = malloc((size_t)m->nbody * sizeof *pose);
  pose[0] = heft_pose_identity();
  for (int round = 0; round < 20; ++round) {
    for (int i = 1; i < m->nbody; ++i) pose[i] = random_place(&r, round % 2 ? 2 : 4);
    heft_collider_update(c, pose);
    const HeftContactPoints f = heft_collider_collide(c);
    assert_int_equal(f.pairs_missed, 0);
    assert_int_equal(f.dropped, 0);
    int touching = 0;
    for (int a = 0; a < m->nshape; ++a) {
      for (int b = a + 1; b < m->nshape; ++b) {
        if (m->shape_body[a] == 0 && m->shape_body[b] == 0) continue;
        const double d = heft_collider_distance(c, a, b).distance;
        if (fabs(d - 0.01) < 1e-9) continue;
        assert_int_equal(is_in(&f, a, b), d < 0.01);
        touching += d < 0.01;
      }
    }
    assert_true(touching > 20);
  }
  free(pose);
  heft_collider_destroy(c);
  heft_model_destroy(m);
}

// What was asked before must not show: a fresh collider gives the same bits.
// A collider that has seen `steps` steps of so many bodies finds what a fresh one does.
static void check_history(int bodies, double speed, double room, int steps, int every) {
  Random r = {22};
  HeftModel* m = make_pile(bodies, &r);
  HeftCollider* old = new_collider(m, 0.01, 4);
  HeftPose* pose = malloc((size_t)m->nbody * sizeof *pose);
  pose[0] = heft_pose_identity();
  for (int i = 1; i < m->nbody; ++i) pose[i] = random_place(&r, room);
  long count = 0;
  for (int k = 0; k < steps; ++k) {
    for (int i = 1; i < m->nbody; ++i) pose[i].pos.x += speed * heft_sin(i + 0.1 * k);
    heft_collider_update(old, pose);
    const HeftContactPoints f = heft_collider_collide(old);
    count += f.count;
    if (k % every != every - 1) continue;
    HeftCollider* fresh = new_collider(m, 0.01, 4);
    heft_collider_update(fresh, pose);
    const HeftContactPoints g = heft_collider_collide(fresh);
    assert_int_equal(f.count, g.count);
    assert_int_equal(f.pairs, g.pairs);
    assert_memory_equal(f.point, g.point, (size_t)f.count * sizeof *f.point);
    heft_collider_destroy(fresh);
  }
  assert_true(count > 0);
  free(pose);
  heft_collider_destroy(old);
  heft_model_destroy(m);
}

// Many bodies stand in a tree whose order is renewed at times; few remember who is near whom.
static void test_history_does_not_show(void** state) {
  (void)state;
  check_history(200, 0.02, 2, 300, 50);
  check_history(40, 0.002, 1, 600, 3);
  check_history(60, 0.05, 1, 300, 7);
}

static void test_far_origin(void** state) {
  (void)state;
  HeftBuilder* b = new_builder();
  for (int i = 0; i < 2; ++i) parts_shape(b, parts_free_body(b), HEFT_SHAPE_BOX, 0.1, 0.1, 0.1);
  HeftModel* m = finish_model(b);
  HeftCollider* c = new_collider(m, 1e-3, 4);
  // A power of two, so that the poses themselves are exact.
  const double far = 1048576;
  HeftPose pose[3] = {heft_pose_identity(), heft_pose_identity(), heft_pose_identity()};
  pose[1].pos = heft_vec3(far, -far, far);
  pose[2].pos = heft_vec3(far, -far, far + 0.1875);
  heft_collider_update(c, pose);
  const HeftContactPoints f = heft_collider_collide(c);
  assert_int_equal(f.count, 4);
  for (int i = 0; i < 4; ++i) {
    assert_true(fabs(f.point[i].gap + 0.0125) < 1e-15);
    assert_true(f.point[i].normal.z == 1);
  }
  heft_collider_destroy(c);
  heft_model_destroy(m);
}

static void test_keeps_the_deepest(void** state) {
  (void)state;
  HeftBuilder* b = new_builder();
  parts_shape(b, 0, HEFT_SHAPE_PLANE, 0, 0, 0);
  for (int i = 0; i < 50; ++i) parts_shape(b, parts_free_body(b), HEFT_SHAPE_SPHERE, 0.1, 0, 0);
  HeftModel* m = finish_model(b);
  HeftColliderDef def = heft_collider_def_default();
  def.contact_capacity = 7;
  HeftCollider* c = NULL;
  assert_int_equal(heft_collider_create(&c, m, &def, NULL), HEFT_OK);
  HeftPose pose[51];
  pose[0] = heft_pose_identity();
  for (int i = 1; i < 51; ++i) {
    pose[i] = heft_pose_identity();
    pose[i].pos = heft_vec3(i, 0, 0.1 - 1e-4 * ((i * 37) % 51));
  }
  heft_collider_update(c, pose);
  const HeftContactPoints f = heft_collider_collide(c);
  assert_int_equal(f.count, 7);
  assert_int_equal(f.dropped, 43);
  for (int i = 0; i < 7; ++i) {
    assert_true(f.point[i].gap < -1e-4 * 43.5);
    if (i) assert_true(f.point[i].body_b > f.point[i - 1].body_b);
  }
  heft_collider_destroy(c);
  heft_model_destroy(m);
}

// ---- memory

typedef struct Counting {
  int taken, given, fail_at;
} Counting;

static void* counting_allocate(void* user, size_t size, size_t alignment) {
  Counting* n = user;
  if (n->taken++ == n->fail_at) return NULL;
  return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void counting_release(void* user, void* memory, size_t size) {
  (void)size;
  ++((Counting*)user)->given;
  free(memory);
}

static void test_allocates_at_create_only(void** state) {
  (void)state;
  Random r = {23};
  HeftModel* m = make_pile(60, &r);
  for (int fail_at = 0; fail_at < 4; ++fail_at) {
    Counting n = {.fail_at = fail_at};
    const HeftAllocator source = {counting_allocate, counting_release, &n};
    HeftColliderDef def = heft_collider_def_default();
    def.allocator = &source;
    HeftCollider* c = NULL;
    HeftError e = {0};
    const HeftStatus status = heft_collider_create(&c, m, &def, &e);
    if (status != HEFT_OK) {
      assert_int_equal(status, HEFT_ERR_MEMORY);
      assert_null(c);
      assert_int_equal(n.taken - 1, n.given);  // the one that failed
      continue;
    }
    const int after = n.taken;
    HeftPose* pose = malloc((size_t)m->nbody * sizeof *pose);
    for (int k = 0; k < 50; ++k) {
      for (int i = 0; i < m->nbody; ++i) pose[i] = random_place(&r, 1.5);
      heft_collider_update(c, pose);
      heft_collider_collide(c);
      heft_collider_islands(c, NULL, 0);
      heft_collider_ray(c, heft_vec3(0, 0, 5), heft_vec3(0, 0, -1), 10, heft_query_filter_all());
    }
    free(pose);
    assert_int_equal(n.taken, after);
    heft_collider_destroy(c);
    assert_int_equal(n.taken, n.given);
  }
  heft_model_destroy(m);
}

static void test_bad_settings_are_refused(void** state) {
  (void)state;
  Random r = {24};
  HeftModel* m = make_pile(3, &r);
  HeftCollider* c = NULL;
  HeftError e = {0};
  HeftColliderDef def = heft_collider_def_default();
  def.points = 5;
  assert_int_equal(heft_collider_create(&c, m, &def, &e), HEFT_ERR_ARGUMENT);
  assert_null(c);
  def = heft_collider_def_default();
  def.margin = NAN;
  assert_int_equal(heft_collider_create(&c, m, &def, &e), HEFT_ERR_ARGUMENT);
  heft_model_destroy(m);
}

// ---- link frames, gaps, many triangles

// The same touches from link frames as from body poses, to rounding.
static void test_link_frames(void** state) {
  (void)state;
  HeftError e = {0};
  HeftModel* m = scene_create("heap", &e);
  HeftDynamics* d = NULL;
  HeftState* s = NULL;
  assert_int_equal(heft_dynamics_create(&d, m, NULL, &e), HEFT_OK);
  assert_int_equal(heft_state_create(&s, m, NULL, &e), HEFT_OK);
  HeftCollider *by_body = new_collider(m, 0.05, 4), *by_link = new_collider(m, 0.05, 4);
  HeftPose* pose = malloc((size_t)m->nbody * sizeof *pose);
  int seen = 0;
  for (int k = 0; k < 20; ++k) {
    scene_random_state(m, (uint64_t)k + 1, 0, s->q, s->v);
    for (int i = 0; i < m->nq; ++i) {
      if (fabs(s->q[i]) > 0 && i % 7 < 3) s->q[i] *= 0.05;  // pulled together
    }
    heft_dynamics_kinematics(d, s->q);
    for (int b = 0; b < m->nbody; ++b) pose[b] = heft_dynamics_body_pose(d, b);
    heft_collider_update(by_body, pose);
    heft_collider_update_links(by_link, heft_link_frames(d));
    const HeftContactPoints f = heft_collider_collide(by_body), g = heft_collider_collide(by_link);
    assert_int_equal(f.count, g.count);
    for (int i = 0; i < f.count; ++i) {
      const HeftContactPoint *p = &f.point[i], *q = &g.point[i];
      assert_int_equal(p->shape_a, q->shape_a);
      assert_int_equal(p->shape_b, q->shape_b);
      assert_true(p->feature == q->feature);
      assert_true(fabs(p->gap - q->gap) < 1e-12);
      assert_true(heft_vec3_norm(heft_vec3_sub(p->pos, q->pos)) < 1e-9);
    }
    seen += f.count;
  }
  assert_true(seen > 100);
  free(pose);
  heft_collider_destroy(by_body);
  heft_collider_destroy(by_link);
  heft_state_destroy(s);
  heft_dynamics_destroy(d);
  heft_model_destroy(m);
}

// A contact counts from margin - gap on: before that it carries no force.
static void test_gap_of_the_model(void** state) {
  (void)state;
  HeftBuilder* b = new_builder();
  parts_shape(b, 0, HEFT_SHAPE_PLANE, 0, 0, 0);
  for (int i = 0; i < 2; ++i) {
    HeftShapeDef s = parts_shape_def(parts_free_body(b), HEFT_SHAPE_SPHERE, 0.1, 0, 0);
    s.margin = 0.02;
    s.gap = i == 0 ? 0.015 : 0.03;
    heft_builder_add_shape(b, &s);
  }
  HeftModel* m = finish_model(b);
  HeftCollider* c = new_collider(m, 0, 4);
  static const double height[6] = {0.006, 0.004, -0.009, -0.011, 0.021, 0.019};
  static const int expected[2][6] = {{0, 1, 1, 1, 0, 0}, {0, 0, 0, 1, 0, 0}};
  for (int k = 0; k < 6; ++k) {
    HeftPose pose[3] = {heft_pose_identity(), heft_pose_identity(), heft_pose_identity()};
    for (int i = 1; i < 3; ++i) pose[i].pos = heft_vec3(5 * i, 0, 0.1 + height[k]);
    heft_collider_update(c, pose);
    const HeftContactPoints f = heft_collider_collide(c);
    assert_int_equal(f.count, expected[0][k] + expected[1][k]);
  }
  heft_collider_destroy(c);
  heft_model_destroy(m);
}

// A box that covers thousands of triangles has the corners it would have on a plane, also when it
// covers far more than one look at the tree tells of.
static void test_thousands_of_triangles(void** state) {
  (void)state;
  HeftBuilder* b = new_builder();
  parts_mesh_shape(b, 0, parts_sheet(b, 40, 40, 1, 1, NULL));
  parts_shape(b, parts_free_body(b), HEFT_SHAPE_BOX, 0.43, 0.39, 0.05);
  HeftModel* m = finish_model(b);
  HeftCollider* c = new_collider(m, 0, 4);
  HeftPose pose[2] = {heft_pose_identity(), heft_pose_identity()};
  pose[1].pos.z = 0.049;
  heft_collider_update(c, pose);
  const HeftContactPoints f = heft_collider_collide(c);
  assert_int_equal(f.count, 4);
  int corners = 0;
  for (int k = 0; k < 4; ++k) {
    const HeftVec3 p = f.point[k].pos;
    assert_true(fabs(fabs(p.x) - 0.43) < 1e-12 && fabs(fabs(p.y) - 0.39) < 1e-12);
    assert_true(fabs(f.point[k].gap + 0.001) < 1e-12);
    corners |= 1 << ((p.x > 0) + 2 * (p.y > 0));
  }
  assert_int_equal(corners, 15);
  heft_collider_destroy(c);
  heft_model_destroy(m);
}

// ---- islands

static void test_islands(void** state) {
  (void)state;
  HeftBuilder* b = new_builder();
  parts_shape(b, 0, HEFT_SHAPE_PLANE, 0, 0, 0);
  for (int i = 0; i < 8; ++i) parts_shape(b, parts_free_body(b), HEFT_SHAPE_SPHERE, 0.5, 0, 0);
  HeftModel* m = finish_model(b);
  HeftCollider* c = new_collider(m, 0, 4);
  // 1-5 touch, 2 alone in the air, 3-4-6 in a row, 7 and 8 only on the floor; 8 is joined with 2.
  static const double x[9] = {0, 0, 10, 20, 20.9, 0.9, 21.8, 30, 40};
  HeftPose pose[9];
  for (int i = 0; i < 9; ++i) {
    pose[i] = heft_pose_identity();
    pose[i].pos = heft_vec3(x[i], 0, i == 2 ? 5 : 0.45);
  }
  heft_collider_update(c, pose);
  const HeftContactPoints f = heft_collider_collide(c);
  static const int joined[1][2] = {{8, 2}};
  const HeftIslands s = heft_collider_islands(c, joined, 1);
  static const int expected[9] = {-1, 0, 1, 2, 2, 0, 2, 3, 1};
  assert_int_equal(s.count, 4);
  for (int i = 0; i < 9; ++i) assert_int_equal(s.link_island[i], expected[i]);
  assert_int_equal(s.contact_first[4], f.count);
  assert_int_equal(s.joint_first[2] - s.joint_first[1], 1);
  int seen = 0;
  for (int k = 0; k < 4; ++k) {
    for (int i = s.contact_first[k]; i < s.contact_first[k + 1]; ++i) {
      const HeftContactPoint* t = &f.point[s.contact[i]];
      assert_int_equal(s.link_island[t->link_b], k);
      if (i > s.contact_first[k]) assert_true(s.contact[i] > s.contact[i - 1]);
      ++seen;
    }
    for (int i = s.link_first[k]; i < s.link_first[k + 1]; ++i) {
      assert_int_equal(s.link_island[s.link[i]], k);
    }
  }
  assert_int_equal(seen, f.count);
  heft_collider_destroy(c);
  heft_model_destroy(m);
}

// ---- height field

static void test_height_field(void** state) {
  (void)state;
  enum { ROWS = 21, COLUMNS = 31 };
  double heights[ROWS * COLUMNS];
  for (int i = 0; i < ROWS * COLUMNS; ++i)
    heights[i] = 0.1 * (i % COLUMNS) / (COLUMNS - 1);  // a ramp
  HeftBuilder* b = new_builder();
  HeftHeightFieldDef field = heft_height_field_def_default();
  field.rows = ROWS;
  field.columns = COLUMNS;
  field.size[0] = 1.5, field.size[1] = 1, field.size[3] = 0.2;
  field.heights = heights;
  HeftShapeDef s = parts_shape_def(0, HEFT_SHAPE_HEIGHT_FIELD, 0, 0, 0);
  s.height_field = heft_builder_add_height_field(b, &field);
  s.pos = heft_vec3(1, 2, 3);
  heft_builder_add_shape(b, &s);
  parts_shape(b, parts_free_body(b), HEFT_SHAPE_SPHERE, 0.1, 0, 0);
  HeftModel* m = finish_model(b);
  HeftCollider* c = new_collider(m, 0.001, 4);
  // The ramp rises 0.1 over 3 m; a ball whose centre is `r` off the plane just touches.
  const HeftVec3 n = heft_vec3_normalize(heft_vec3(-0.1, 0, 3));
  for (int k = 0; k < 200; ++k) {
    const double u = -1.2 + 2.4 * k / 199, v = 0.7 * heft_sin(k);
    const HeftVec3 on = heft_vec3(1 + u, 2 + v, 3 + 0.1 * (u + 1.5) / 3);
    HeftPose pose[2] = {heft_pose_identity(), heft_pose_identity()};
    pose[1].pos = heft_vec3_add_scaled(on, 0.1 - 1e-4, n);
    heft_collider_update(c, pose);
    const HeftContactPoints f = heft_collider_collide(c);
    assert_int_equal(f.count, 1);
    assert_true(fabs(f.point[0].gap + 1e-4) < 1e-12);
    assert_true(heft_vec3_dot(f.point[0].normal, n) > 1 - 1e-12);
    // Deep below the surface it is still pushed up.
    pose[1].pos = heft_vec3_add_scaled(on, -0.15, n);
    heft_collider_update(c, pose);
    const HeftContactPoints g = heft_collider_collide(c);
    assert_true(g.count >= 1);
    assert_true(fabs(g.point[0].gap + 0.25) < 1e-9);
    assert_true(g.point[0].normal.z > 0.9);
  }
  heft_collider_destroy(c);
  heft_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_masks),
      cmocka_unit_test(test_parents_welds_excludes_pairs),
      cmocka_unit_test(test_materials),
      cmocka_unit_test(test_broad_phase_misses_nothing),
      cmocka_unit_test(test_history_does_not_show),
      cmocka_unit_test(test_far_origin),
      cmocka_unit_test(test_keeps_the_deepest),
      cmocka_unit_test(test_allocates_at_create_only),
      cmocka_unit_test(test_bad_settings_are_refused),
      cmocka_unit_test(test_link_frames),
      cmocka_unit_test(test_gap_of_the_model),
      cmocka_unit_test(test_thousands_of_triangles),
      cmocka_unit_test(test_islands),
      cmocka_unit_test(test_height_field),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
