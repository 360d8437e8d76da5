// SPDX-License-Identifier: Apache-2.0
// Models written as URDF and read again: bodies, masses and motion must be the same; what URDF
// cannot say must be told. URDF has angles where models have quaternions, so the last bits may
// differ; where they do not, the hash is the same.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// after the above
#include <heft/dynamics.h>
#include <heft/io.h>
#include <math.h>
#include <cmocka.h>

#include "scenes/scenes.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

static int step(void) {
  return SANITIZED || getenv("HEFT_SHORT") ? 7 : getenv("HEFT_LONG") ? 1 : 3;
}

enum { MAX = 300, PATH = 1024 };

typedef struct Files {
  char names[MAX][300];
  char* bytes[MAX];
  size_t sizes[MAX];
  int count, warnings;
  char reported[4000];
} Files;

static HeftStatus keep(void* user, const char* name, const void* bytes, size_t size,
                       HeftError* error) {
  (void)error;
  Files* f = user;
  if (f->count == MAX) return HEFT_ERR_FILE;
  snprintf(f->names[f->count], sizeof f->names[0], "%s", name);
  f->bytes[f->count] = malloc(size + 1);
  memcpy(f->bytes[f->count], bytes, size);
  f->bytes[f->count][size] = '\0';
  f->sizes[f->count++] = size;
  return HEFT_OK;
}

static HeftStatus give(void* user, const char* path, size_t limit, const HeftAllocator* allocator,
                       void** out, size_t* size, HeftError* error) {
  (void)limit, (void)error;
  const Files* f = user;
  for (int i = 0; i < f->count; ++i) {
    if (strcmp(f->names[i], path) != 0) continue;
    char* copy = allocator->allocate(allocator->user, f->sizes[i] + 1, 64);
    memcpy(copy, f->bytes[i], f->sizes[i] + 1);
    *size = f->sizes[i];
    *out = copy;
    return HEFT_OK;
  }
  error->status = HEFT_ERR_FILE;
  snprintf(error->message, sizeof error->message, "there is no file '%s'", path);
  return HEFT_ERR_FILE;
}

static void listen(void* user, const HeftError* error, int count) {
  Files* f = user;
  assert_true(count > 0);
  ++f->warnings;
  const size_t used = strlen(f->reported);
  snprintf(f->reported + used, sizeof f->reported - used, "%s\n", error->message);
}

static HeftModel* through_urdf(const HeftModel* model, Files* f) {
  memset(f, 0, sizeof *f);
  HeftWriteDef write = heft_write_def_default();
  write.mesh_folder = "m";
  write.put = keep;
  write.warning = listen;
  write.user = f;
  HeftError error = {0};
  if (heft_model_write_urdf(model, &write, &error) != HEFT_OK)
    fail_msg("not written: %s", error.message);
  const HeftFiles files = {give, f};
  HeftLoadDef def = heft_load_def_default();
  def.files = &files;
  HeftModel* again = NULL;
  if (heft_model_load_file(&again, "", &def, &error) != HEFT_OK)
    fail_msg("not read: %d:%d: %s\n%.3000s", error.line, error.column, error.message, f->bytes[0]);
  for (int i = 0; i < f->count; ++i) free(f->bytes[i]);
  return again;
}

static HeftVec3 com_of(const HeftDynamics* d, const HeftModel* m, int b) {
  return heft_pose_apply(heft_dynamics_body_pose(d, b), heft_vec3_from(m->body_com + 3L * b));
}

// Largest distance between the centres of mass of the same bodies, in the same state.
static double compare_motion(const HeftModel* a, const HeftModel* b) {
  HeftDynamics *one = NULL, *two = NULL;
  double* q = calloc((size_t)a->nq + 1, sizeof(double));
  double* v = calloc((size_t)a->nv + 1, sizeof(double));
  double worst = 0;
  assert_int_equal(heft_dynamics_create(&one, a, NULL, NULL), HEFT_OK);
  assert_int_equal(heft_dynamics_create(&two, b, NULL, NULL), HEFT_OK);
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    scene_random_state(a, seed, 1, q, v);
    heft_dynamics_kinematics(one, q);
    heft_dynamics_kinematics(two, q);
    for (int i = 1; i < a->nbody; ++i) {
      const char* name = heft_model_name(a, HEFT_NAMED_BODY, i);
      char made[32];
      snprintf(made, sizeof made, "body_%d", i);
      const int other = heft_model_find(b, HEFT_NAMED_BODY, name[0] ? name : made);
      assert_true(other > 0);
      assert_true(a->body_mass[i] == b->body_mass[other]);
      const HeftVec3 gap = heft_vec3_sub(com_of(one, a, i), com_of(two, b, other));
      worst = fmax(worst, heft_vec3_norm(gap));
    }
  }
  heft_dynamics_destroy(one);
  heft_dynamics_destroy(two);
  free(q);
  free(v);
  return worst;
}

// Balls become hinges, planar joints may have other directions: their coordinates differ.
static int coordinates_stay(const HeftModel* m) {
  for (int j = 0; j < m->njoint; ++j) {
    if (m->joint_type[j] == HEFT_JOINT_BALL || m->joint_type[j] == HEFT_JOINT_PLANAR) return 0;
  }
  return 1;
}

static void test_shared_models(void** state) {
  (void)state;
  static Files f;
  static const HeftPackage packages[] = {
      {"example-robot-data/robots", HEFT_SHARED_DIR "/models/urdf"}};
  char path[PATH];
  int tried = 0, identical = 0, urdf = 0, at = 0;
  double worst = 0;
  FILE* pipe =
      popen("find '" HEFT_SHARED_DIR
            "/models' \\( -path '*/mjcf/*.xml' -o -name '*.urdf' \\) 2>/dev/null | LC_ALL=C sort",
            "r");
  while (pipe && fgets(path, PATH, pipe)) {
    path[strcspn(path, "\n")] = '\0';
    // scenes and the many forms of Talos are the same robots again
    if (strstr(path, "/scene") || strstr(path, "talos_reduced") || strstr(path, "talos_motor") ||
        strstr(path, "talos_position") || at++ % step() != 0)
      continue;
    HeftLoadDef def = heft_load_def_default();
    def.packages = packages;
    def.package_count = 1;
    def.hulls = 0;
    def.base = HEFT_BASE_FLOATING;
    HeftModel* model = NULL;
    heft_model_load_file(&model, path, &def, NULL);
    if (!model || model->nv > 500 || !coordinates_stay(model)) {
      heft_model_destroy(model);
      continue;
    }
    HeftModel* again = through_urdf(model, &f);
    assert_int_equal(again->nv, model->nv);
    const double gap = compare_motion(model, again);
    if (gap > 1e-9) print_message("%s: %g m apart\n", path, gap);
    worst = fmax(worst, gap);
    ++tried;
    if (strstr(path, ".urdf")) {
      ++urdf;
      HeftModel* third = through_urdf(again, &f);
      identical += heft_model_hash(third) == heft_model_hash(again);
      heft_model_destroy(third);
    }
    heft_model_destroy(again);
    heft_model_destroy(model);
  }
  if (pipe) pclose(pipe);
  if (tried == 0) {
    print_message("the shared models are absent\n");
    skip();
  }
  print_message(
      "%d models through URDF, centres of mass at most %.1e m apart; of %d URDF files %d "
      "identical when written once more\n",
      tried, worst, urdf, identical);
  assert_true(worst < 1e-9);
  assert_true(step() > 1 || tried >= 30);
}

// ---- small models

static HeftModel* read_text(const char* text) {
  HeftLoadDef def = heft_load_def_default();
  HeftModel* model = NULL;
  HeftError error = {0};
  if (heft_model_load_bytes(&model, text, strlen(text), "x", &def, &error) != HEFT_OK)
    fail_msg("%d:%d: %s", error.line, error.column, error.message);
  return model;
}

static void test_a_robot_is_kept(void** state) {
  (void)state;
  static const char text[] =
      "<robot name='r'><link name='world'/>"
      "<link name='base'><inertial><origin xyz='0.1 0.2 0.3'/><mass value='2'/><inertia ixx='1' "
      "iyy='1.2' izz='1.5' ixy='0.1' ixz='0.01' iyz='0.02'/></inertial>"
      "<visual><origin rpy='0.3 0.2 0.1'/><geometry><box size='1 2 3'/></geometry>"
      "<material name='red'><color rgba='1 0 0 1'/></material></visual>"
      "<collision><geometry><cylinder radius='0.1' length='0.5'/></geometry></collision></link>"
      "<link name='arm'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>"
      "</link><link name='hand'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/>"
      "</inertial></link>"
      "<joint name='float' type='floating'><parent link='world'/><child link='base'/></joint>"
      "<joint name='elbow' type='revolute'><origin xyz='0 0 1' rpy='1.5707963267948966 0 0'/>"
      "<parent link='base'/><child link='arm'/><axis xyz='0 1 0'/>"
      "<limit lower='-1' upper='2' effort='30'/><dynamics damping='0.5' friction='0.1'/></joint>"
      "<joint name='grip' type='prismatic'><parent link='arm'/><child link='hand'/>"
      "<limit lower='-1e9' upper='1e9' effort='1e9'/><mimic joint='elbow' multiplier='0.5' "
      "offset='0.1'/></joint></robot>";
  static Files f;
  HeftModel* model = read_text(text);
  HeftModel* again = through_urdf(model, &f);
  assert_int_equal(again->dof_limited[7], 0);  // 1e9 is no limit
  assert_int_equal(again->nequality, 1);
  assert_true(heft_model_hash(again) == heft_model_hash(model));
  assert_int_equal(f.warnings, 0);
  heft_model_destroy(again);
  heft_model_destroy(model);
}

// Anchors away from the origin, poses described at other coordinates, several joints in a body.
static void test_frames_are_moved(void** state) {
  (void)state;
  static const char text[] =
      "<mujoco><compiler angle='radian'/><option timestep='0.001'/><worldbody>"
      "<body name='a' pos='1 2 3' quat='0.5 0.5 -0.5 0.5'>"
      "<joint name='j1' pos='0.1 0.2 0.3' axis='1 1 0' ref='0.4'/>"
      "<joint name='j2' pos='-0.1 0 0.3' axis='0 1 0' ref='-0.3' type='slide'/>"
      "<joint name='j3' pos='0 0.7 0' axis='0 0 1' ref='0.2'/>"
      "<geom size='0.1' pos='0 0 0.5'/>"
      "<body name='b' pos='0 0 1'><joint name='k' pos='0 0.5 0' axis='1 0 0' ref='1'/>"
      "<geom size='0.1' pos='0.3 0 0'/><body name='c' pos='0.1 0 0'><geom size='0.1'/></body>"
      "</body></body></worldbody></mujoco>";
  static Files f;
  HeftModel* model = read_text(text);
  HeftModel* again = through_urdf(model, &f);
  assert_int_equal(again->nbody, model->nbody + 2);
  assert_true(compare_motion(model, again) < 1e-14);
  assert_non_null(strstr(f.reported, "chains of massless links"));
  heft_model_destroy(again);
  heft_model_destroy(model);
}

static void test_what_is_left_out_is_told(void** state) {
  (void)state;
  static const char text[] =
      "<mujoco><option gravity='0 0 -1.6'/><worldbody><geom type='plane' size='1 1 1'/>"
      "<body gravcomp='1'><joint name='j' stiffness='1' armature='1'/><geom size='1' margin='0.1' "
      "friction='0.5'/><site name='s'/><camera/><light/>"
      "<body><joint type='ball'/><geom size='1'/></body></body></worldbody>"
      "<tendon><fixed><joint joint='j' coef='1'/></fixed></tendon>"
      "<equality><joint joint1='j' polycoef='0 1 1'/></equality>"
      "<actuator><motor joint='j'/></actuator><sensor><jointpos joint='j'/></sensor>"
      "<keyframe><key/></keyframe></mujoco>";
  static const char* const reported[] = {"springs",
                                         "armature",
                                         "ball joints",
                                         "planes",
                                         "settings of contact",
                                         "contact materials",
                                         "gravity",
                                         "less gravity",
                                         "constraints",
                                         "tendons",
                                         "actuators",
                                         "sensors",
                                         "sites",
                                         "keyframes",
                                         "cameras",
                                         "lights",
                                         "twice"};
  static Files f;
  HeftModel* model = read_text(text);
  HeftModel* again = through_urdf(model, &f);
  for (size_t i = 0; i < sizeof reported / sizeof *reported; ++i) {
    if (!strstr(f.reported, reported[i]))
      fail_msg("nothing was said about %s:\n%s", reported[i], f.reported);
  }
  heft_model_destroy(again);
  heft_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_robot_is_kept),
      cmocka_unit_test(test_frames_are_moved),
      cmocka_unit_test(test_what_is_left_out_is_told),
      cmocka_unit_test(test_shared_models),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
