// SPDX-License-Identifier: Apache-2.0
// Papers: R61.
// Objects that are created and removed while a world runs: what the change does not touch goes on
// with the same bits.
#include <heft/heft.h>
#include <heft/io.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "scenes/random.h"
#include "support/check.h"

typedef struct Rig {
  HeftModel* model;
  HeftWorld* world;
} Rig;

static HeftWorld* world_of(const HeftModel* m) {
  HeftWorld* w = NULL;
  HeftError error = {0};
  if (heft_world_create(&w, m, NULL, &error) != HEFT_OK) fail_msg("%s", error.message);
  return w;
}

static Rig open_text(const char* text) {
  Rig r = {0};
  HeftError error = {0};
  if (heft_model_load_bytes(&r.model, text, strlen(text), "text.xml", NULL, &error) != HEFT_OK)
    fail_msg("%s", error.message);
  r.world = world_of(r.model);
  return r;
}

static void close_rig(Rig* r) {
  heft_world_destroy(r->world);
  heft_model_destroy(r->model);
  *r = (Rig){0};
}

static HeftBuilder* reopen(const HeftModel* m, const bool* without) {
  HeftBuilder* b = NULL;
  HeftPartDef part = heft_part_def_default();
  part.without = without;
  assert_int_equal(heft_builder_create(&b, NULL, NULL), HEFT_OK);
  heft_builder_set_physics(b, m->physics);
  heft_builder_add_model(b, m, &part);
  return b;
}

static void add_box(HeftBuilder* b, const char* name, HeftVec3 pos, double half) {
  HeftBodyDef body = heft_body_def_default();
  HeftJointDef joint = heft_joint_def_default();
  HeftShapeDef shape = heft_shape_def_default();
  const double mass = 8000 * half * half * half, i = mass * 2 / 3 * half * half;
  body.name = name;
  body.pos = pos;
  body.mass = mass;
  body.inertia = (HeftSym3){i, i, i, 0, 0, 0};
  joint.body = shape.body = heft_builder_add_body(b, &body);
  joint.type = HEFT_JOINT_FREE;
  shape.type = HEFT_SHAPE_BOX;
  shape.size[0] = shape.size[1] = shape.size[2] = half;
  heft_builder_add_joint(b, &joint);
  heft_builder_add_shape(b, &shape);
}

// The world goes on in the model of the builder.
static void change(Rig* r, HeftBuilder* b) {
  Rig next = {0};
  HeftError error = {0};
  if (heft_builder_finish(b, &next.model, &error) != HEFT_OK) fail_msg("%s", error.message);
  heft_builder_destroy(b);
  next.world = world_of(next.model);
  if (heft_world_transfer(next.world, r->world, &error) != HEFT_OK) fail_msg("%s", error.message);
  close_rig(r);
  *r = next;
}

static void run(Rig* r, int steps) {
  for (int i = 0; i < steps; ++i) assert_true(heft_step_taken(heft_world_step(r->world).status));
}

// A stack of five boxes without names, a pendulum with a servo and a door at its limit.
static const char scene[] =
    "<mujoco><option timestep='0.002'/><worldbody><geom type='plane' size='0 0 1'/>"
    "<body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
    "<body pos='0 .01 .3'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
    "<body pos='.01 0 .5'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
    "<body pos='0 0 .7'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
    "<body name='top' pos='0 0 .9'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
    "<body name='arm' pos='2 0 1'><joint name='turn' axis='0 1 0' damping='.1'/><geom "
    "type='capsule' size='.05' fromto='0 0 0 .5 0 0'/></body>"
    "<body name='door' pos='4 0 1'><joint name='hinge' axis='0 1 0' range='-.5 .5' "
    "frictionloss='.1' limited='true'/><geom type='box' size='.3 .1 .02' pos='.3 0 0'/></body>"
    "</worldbody><actuator><position name='servo' joint='turn' kp='50'/></actuator></mujoco>";

static HeftSpatial load(const HeftWorld* w, int body) {
  return heft_world_contact_wrench(w, body, heft_vec3(0, 0, 0));
}

static double apart(HeftSpatial a, HeftSpatial b) {
  return fmax(heft_vec3_norm(heft_vec3_sub(a.lin, b.lin)),
              heft_vec3_norm(heft_vec3_sub(a.ang, b.ang)));
}

static double largest_change(const HeftWorld* a, const HeftWorld* b, int bodies) {
  double worst = 0;
  for (int i = 1; i < bodies; ++i) worst = fmax(worst, apart(load(a, i), load(b, i)));
  return worst;
}

// An object far away changes no bit of the rest, in any step.
static void what_is_not_touched_keeps_its_bits(void** state) {
  (void)state;
  for (int settled = 0; settled <= 500; settled += 100) {
    Rig plain = open_text(scene), changed = open_text(scene);
    Rig* both[2] = {&plain, &changed};
    for (int k = 0; k < 2; ++k) {
      heft_world_controls(both[k]->world)[0] = 0.3;
      run(both[k], settled);
    }
    HeftBuilder* b = reopen(changed.model, NULL);
    add_box(b, "far", heft_vec3(-5, 0, 1), 0.1);
    change(&changed, b);
    for (int i = 0; i < 200; ++i) {
      run(&plain, 1);
      run(&changed, 1);
      CHECK_AT_MOST(largest_change(plain.world, changed.world, plain.model->nbody), 0);
    }
    const size_t size = (size_t)plain.model->nq * sizeof(double);
    assert_memory_equal(heft_world_state(plain.world)->q, heft_world_state(changed.world)->q, size);
    // and without the box again
    bool without[16] = {false};
    without[heft_model_find(changed.model, HEFT_NAMED_BODY, "far")] = true;
    change(&changed, reopen(changed.model, without));
    assert_true(heft_model_hash(changed.model) == heft_model_hash(plain.model));
    run(&plain, 50);
    run(&changed, 50);
    assert_true(heft_world_hash(plain.world) == heft_world_hash(changed.world));
    close_rig(&plain);
    close_rig(&changed);
  }
}

// The third of five boxes without names leaves: the others keep their states.
static void bodies_without_names_are_told_apart(void** state) {
  (void)state;
  Rig r = open_text(scene);
  run(&r, 300);
  double z[8];
  for (int i = 1; i <= 5; ++i)
    z[i] = heft_dynamics_body_pose(heft_world_dynamics(r.world), i).pos.z;
  bool without[16] = {false};
  without[3] = true;
  change(&r, reopen(r.model, without));
  const HeftDynamics* d = heft_world_dynamics(r.world);
  assert_true(heft_dynamics_body_pose(d, 1).pos.z == z[1]);
  assert_true(heft_dynamics_body_pose(d, 2).pos.z == z[2]);
  assert_true(heft_dynamics_body_pose(d, 3).pos.z == z[4]);
  assert_true(heft_dynamics_body_pose(d, 4).pos.z == z[5]);
  run(&r, 500);  // the upper two fall onto the lower two
  assert_true(heft_dynamics_body_pose(heft_world_dynamics(r.world), 4).pos.z < 0.8);
  close_rig(&r);
}

static void parameters_follow(void** state) {
  (void)state;
  Rig r = open_text(scene);
  const HeftVec3 gravity = {0, 0, -3};
  HeftMaterial material = heft_world_material(r.world, 0);
  HeftActuatorGains gains = heft_world_actuator_gains(r.world, 0);
  material.friction = material.kinetic = 0.123;
  gains.gain = 77;
  const int arm = heft_model_find(r.model, HEFT_NAMED_BODY, "arm");
  heft_world_set_gravity(r.world, gravity, NULL);
  heft_world_set_material(r.world, 0, &material, NULL);
  heft_world_set_mass_factors(r.world, arm, 2, 3, NULL);
  heft_world_set_actuator_gains(r.world, 0, &gains, NULL);
  const double mass = heft_world_body_mass(r.world, arm);
  run(&r, 10);
  bool without[16] = {false};
  without[1] = true;
  change(&r, reopen(r.model, without));
  assert_true(heft_world_gravity(r.world).z == -3);
  assert_true(heft_world_material(r.world, 0).friction == 0.123);
  assert_true(heft_world_body_mass(r.world, arm - 1) == mass);
  assert_true(heft_world_actuator_gains(r.world, 0).gain == 77);
  close_rig(&r);
}

// ---- many objects

enum { OBJECTS = 200, BATCH = 4, ALIVE = 40, TOWER = 6 };

// The loads of the tower after the next step, if nothing is changed.
static void step_clone(const HeftWorld* w, HeftSpatial loads[TOWER]) {
  HeftWorld* clone = NULL;
  assert_int_equal(heft_world_clone(&clone, w, NULL), HEFT_OK);
  heft_world_step(clone);
  for (int i = 1; i < TOWER; ++i) loads[i] = load(clone, i);
  heft_world_destroy(clone);
}

static int all_objects(void) {  // HEFT_OBJECTS=10000: the long form
  const char* text = getenv("HEFT_OBJECTS");
  return text ? atoi(text) : OBJECTS;
}

// A tower that is at rest, and boxes that fall around it, come and go in random order. Returns the
// hash of the end, and the largest change of the forces of the tower by a change of objects.
static uint64_t come_and_go(int objects, double* jump) {
  Rig r = open_text(scene);
  Random random = {7};
  int made = 0, gone = 0;
  run(&r, 500);
  const int own = r.model->nbody;
  *jump = 0;
  while (gone < objects) {
    bool without[16 + ALIVE + BATCH] = {false};
    const int here = r.model->nbody - own, full = made == objects || here > ALIVE - BATCH;
    for (int k = full && here > 0 ? (here < BATCH ? here : BATCH) : 0; k > 0;) {
      const int body = own + random_index(&random, here);
      if (without[body]) continue;
      without[body] = true;
      ++gone;
      --k;
    }
    HeftBuilder* b = reopen(r.model, without);
    for (int k = 0; k < BATCH && made < objects && !full; ++k) {
      char name[32];
      snprintf(name, sizeof name, "object %d", made++);
      const double angle = random_between(&random, 0, 6.28);
      add_box(
          b, name,
          heft_vec3(1.5 * heft_cos(angle), 1.5 * heft_sin(angle), random_between(&random, 1, 2)),
          random_between(&random, 0.02, 0.06));
    }
    HeftSpatial without_change[TOWER];
    step_clone(r.world, without_change);
    change(&r, b);
    run(&r, 1);
    for (int i = 1; i < TOWER; ++i) *jump = fmax(*jump, apart(without_change[i], load(r.world, i)));
    run(&r, 9);
  }
  assert_int_equal(r.model->nbody, own);
  const uint64_t hash = heft_world_hash(r.world);
  close_rig(&r);
  return hash;
}

static void many_objects_come_and_go(void** state) {
  (void)state;
  double jump[2];
  const uint64_t first = come_and_go(all_objects(), &jump[0]);
  assert_true(come_and_go(all_objects(), &jump[1]) == first);
  printf("%d objects: forces of the tower change by at most %.1e N\n", all_objects(), jump[0]);
  CHECK_AT_MOST(jump[0], 1e-9);
}

// A snapshot with the right checksum, but a contact point between elements that the model does not
// have: a transfer would look for them.
static void forged_contacts_are_refused(void** state) {
  (void)state;
  Rig r = open_text(
      "<mujoco><worldbody><geom type='plane' size='0 0 1'/><body pos='0 0 0.05'><freejoint/>"
      "<geom type='box' size='.05 .05 .05' mass='1'/></body></worldbody></mujoco>");
  for (int i = 0; i < 20; ++i) heft_world_step(r.world);
  const size_t size = heft_world_snapshot_size(r.world), last = size - 136;
  unsigned char* bytes = malloc(size);
  heft_world_snapshot(r.world, bytes);
  uint64_t count;
  memcpy(&count, bytes + 16, 8);
  assert_true(count > 0);
  // two bodies, two shapes, dimension, slip
  const int end[6] = {r.model->nbody, r.model->nbody, r.model->nshape, r.model->nshape, 7, 2};
  for (int k = 0; k < 6; ++k) {
    int number[4] = {end[k], -1, 0x7fffffff, 0};
    unsigned char* at = bytes + last + 4 * (size_t)k;
    memcpy(&number[3], at, 4);  // as it was
    for (int i = 0; i < 4; ++i) {
      memcpy(at, &number[i], 4);
      const uint64_t sum = heft_hash(bytes + 24, size - 24, count);
      memcpy(bytes + 8, &sum, 8);
      assert_int_equal(heft_world_restore(r.world, bytes, size), i < 3 ? HEFT_ERR_VALUE : HEFT_OK);
    }
  }
  free(bytes);
  close_rig(&r);
}

// The same with numbers of the state: each must be finite.
static void forged_states_are_refused(void** state) {
  (void)state;
  Rig r = open_text(
      "<mujoco><worldbody><body pos='0 0 1'><freejoint/>"
      "<geom type='box' size='.05 .05 .05' mass='1'/></body></worldbody></mujoco>");
  const size_t size = heft_world_snapshot_size(r.world);
  unsigned char* bytes = malloc(size);
  const double wrong = (double)NAN;
  for (int i = 0; i < 1 + r.model->nq + r.model->nv; ++i) {
    heft_world_snapshot(r.world, bytes);
    bytes[24 + 8 * (size_t)i] ^= 1;  // without the sum, and of another model
    assert_int_equal(heft_world_restore(r.world, bytes, size), HEFT_ERR_CHECKSUM);
    bytes[0] ^= 1;
    assert_int_equal(heft_world_restore(r.world, bytes, size), HEFT_ERR_VERSION);
    bytes[0] ^= 1;
    memcpy(bytes + 24 + 8 * (size_t)i, &wrong, 8);
    const uint64_t sum = heft_hash(bytes + 24, size - 24, 0);
    memcpy(bytes + 8, &sum, 8);
    assert_int_equal(heft_world_restore(r.world, bytes, size), HEFT_ERR_VALUE);
  }
  free(bytes);
  close_rig(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forged_contacts_are_refused),
      cmocka_unit_test(forged_states_are_refused),
      cmocka_unit_test(what_is_not_touched_keeps_its_bits),
      cmocka_unit_test(bodies_without_names_are_told_apart),
      cmocka_unit_test(parameters_follow),
      cmocka_unit_test(many_objects_come_and_go),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
