// SPDX-License-Identifier: Apache-2.0
// Papers: R7, R55.
// Every model of the shared folder: loads (or is refused for the stated reason), keeps its hash
// through the writer and through the compiled form; inertias of URDF agree with an independent
// reader; both versions of Talos agree.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
// after the above
#include <heft/io.h>
#include <math.h>
#include <cmocka.h>

// Sanitizers make everything many times slower: every seventh model will do, as with HEFT_SHORT=1.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

static int step(void) {
  return SANITIZED || getenv("HEFT_SHORT") ? 7 : getenv("HEFT_LONG") ? 1 : 3;
}

enum { MAX = 200, PATH = 1024 };

static char paths[MAX][PATH];
static int path_count;

// What is refused, and why.
static const struct {
  const char *file, *reason;
} refused[] = {{"shadow_hand/keyframes.xml", "this model has 0"}};

static int list_models(void** state) {
  (void)state;
  FILE* pipe =
      popen("find '" HEFT_SHARED_DIR
            "/models' \\( -path '*/mjcf/*.xml' -o -name '*.urdf' \\) 2>/dev/null | LC_ALL=C sort",
            "r");
  while (pipe && path_count < MAX && fgets(paths[path_count], PATH, pipe)) {
    paths[path_count][strcspn(paths[path_count], "\n")] = '\0';
    ++path_count;
  }
  if (pipe) pclose(pipe);
  return 0;
}

static void need_models(void) {
  if (path_count > 0) return;
  print_message("the shared models are absent\n");
  skip();
}

static HeftModel* load(const char* path, HeftError* error) {
  static const HeftPackage packages[] = {
      {"example-robot-data/robots", HEFT_SHARED_DIR "/models/urdf"}};
  HeftLoadDef def = heft_load_def_default();
  def.packages = packages;
  def.package_count = 1;
  def.base = HEFT_BASE_FLOATING;
  HeftModel* model = NULL;
  heft_model_load_file(&model, path, &def, error);
  return model;
}

static const char* refusal(const char* path) {
  for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i) {
    if (strstr(path, refused[i].file)) return refused[i].reason;
  }
  return NULL;
}

static void test_every_model_loads(void** state) {
  (void)state;
  need_models();
  for (int i = 0; i < path_count; i += step()) {
    HeftError error = {0};
    HeftModel* model = load(paths[i], &error);
    const char* reason = refusal(paths[i]);
    if (!model && !(reason && strstr(error.message, reason)))
      fail_msg("%s:%d:%d: %s", error.file, error.line, error.column, error.message);
    if (model && reason) fail_msg("%s is not refused any more", paths[i]);
    heft_model_destroy(model);
  }
  assert_true(path_count >= 60);
}

// ---- round trips

typedef struct Memory {
  char names[MAX][300];
  void* bytes[MAX];
  size_t sizes[MAX];
  int count;
} Memory;

static HeftStatus keep(void* user, const char* name, const void* bytes, size_t size,
                       HeftError* error) {
  (void)error;
  Memory* memory = user;
  if (memory->count == MAX) return HEFT_ERR_FILE;
  snprintf(memory->names[memory->count], sizeof memory->names[0], "%s", name);
  memory->bytes[memory->count] = malloc(size + 1);
  memcpy(memory->bytes[memory->count], bytes, size);
  memory->sizes[memory->count++] = size;
  return HEFT_OK;
}

static HeftStatus give(void* user, const char* path, size_t limit, const HeftAllocator* allocator,
                       void** out, size_t* size, HeftError* error) {
  (void)limit;
  const Memory* memory = user;
  for (int i = 0; i < memory->count; ++i) {
    if (strcmp(memory->names[i], path) != 0) continue;
    char* copy = allocator->allocate(allocator->user, memory->sizes[i] + 1, 64);
    if (!copy) return HEFT_ERR_MEMORY;
    memcpy(copy, memory->bytes[i], memory->sizes[i]);
    copy[memory->sizes[i]] = '\0';
    *size = memory->sizes[i];
    *out = copy;
    return HEFT_OK;
  }
  error->status = HEFT_ERR_FILE;
  snprintf(error->message, sizeof error->message, "there is no file '%s'", path);
  return HEFT_ERR_FILE;
}

static void say_difference(const HeftModel* a, const HeftModel* b) {
#define SIZE(name, meaning) \
  if (a->name != b->name) print_message("  " #name ": %d, then %d\n", a->name, b->name);
  HEFT_MODEL_SIZE_LIST(SIZE)
#undef SIZE
#define ARRAY(type, name, count, width, unit, meaning)                    \
  {                                                                       \
    const HeftModel* m = a;                                               \
    const size_t size = (size_t)(count) * (size_t)(width) * sizeof(type); \
    m = b;                                                                \
    (void)m;                                                              \
    if (size == (size_t)(count) * (size_t)(width) * sizeof(type) &&       \
        memcmp(a->name, b->name, size) != 0)                              \
      print_message("  " #name " differs\n");                             \
  }
  HEFT_MODEL_ARRAY_LIST(ARRAY)
#undef ARRAY
}

static int expect_equal(const HeftModel* model, const HeftModel* again, const char* path,
                        const char* how) {
  if (heft_model_hash(model) == heft_model_hash(again)) return 1;
  print_message("%s: %s does not keep it\n", path, how);
  say_difference(model, again);
  return 0;
}

static int writes_and_reads(const HeftModel* model, const char* path) {
  static Memory memory;
  memory.count = 0;
  HeftWriteDef write = heft_write_def_default();
  write.mesh_folder = "m";
  write.put = keep;
  write.user = &memory;
  HeftError error = {0};
  int good = heft_model_write_mjcf(model, &write, &error) == HEFT_OK;
  HeftFiles files = {give, &memory};
  HeftLoadDef def = heft_load_def_default();
  def.files = &files;
  HeftModel* again = NULL;
  if (good) good = heft_model_load_file(&again, "", &def, &error) == HEFT_OK;
  if (!good) print_message("%s: %s:%d: %s\n", path, error.file, error.line, error.message);
  if (good) good = expect_equal(model, again, path, "the writer");
  heft_model_destroy(again);
  for (int i = 0; i < memory.count; ++i) free(memory.bytes[i]);
  return good;
}

static int saves_and_loads(const HeftModel* model, const char* path) {
  const size_t size = heft_model_save_size(model);
  void* bytes = malloc(size);
  HeftModel* again = NULL;
  HeftLoadDef def = heft_load_def_default();
  heft_model_save(model, bytes);
  int good = heft_model_load_bytes(&again, bytes, size, "compiled", &def, NULL) == HEFT_OK;
  if (good) good = expect_equal(model, again, path, "the compiled form");
  heft_model_destroy(again);
  free(bytes);
  return good;
}

static void test_round_trips(void** state) {
  (void)state;
  need_models();
  int bad = 0, tried = 0;
  for (int i = 0; i < path_count; i += step()) {
    HeftModel* model = load(paths[i], NULL);
    if (!model) continue;
    ++tried;
    bad += !writes_and_reads(model, paths[i]);
    bad += !saves_and_loads(model, paths[i]);
    heft_model_destroy(model);
  }
  print_message("%d models written, read and compared\n", tried);
  assert_int_equal(bad, 0);
}

// ---- URDF

static int inertias_agree(const HeftModel* model, const char* path, double* worst, int* replaced) {
  char command[2 * PATH], line[1000], name[256];
  snprintf(command, sizeof command, "python3 '%s/tests/io/urdf_inertia.py' '%s' 2>/dev/null",
           HEFT_SOURCE_DIR, path);
  FILE* pipe = popen(command, "r");
  int links = 0;
  while (pipe && fgets(line, sizeof line, pipe)) {
    double x[10];
    char* at = strchr(line, ' ');
    snprintf(name, sizeof name, "%.*s", (int)(at - line), line);
    for (int k = 0; k < 10; ++k) x[k] = strtod(at, &at);
    const int b = heft_model_find(model, HEFT_NAMED_BODY, name);
    assert_true(b >= 0);
    ++links;
    double moments = 0;
    for (int k = 4; k < 10; ++k) moments = fmax(moments, fabs(x[k]));
    if (b == 0 || moments < 1e-18) {  // the world, or no moments: replaced, with a warning
      ++*replaced;
      continue;
    }
    const double* i = model->body_inertia + 6L * b;
    HeftVec3 e;
    HeftMat3 axes;
    heft_sym3_eigen((HeftSym3){x[4], x[5], x[6], x[7], x[8], x[9]}, &e, &axes);
    if (e.x > e.y + e.z + 1e-6 * e.x) {  // not of any matter: balanced, with a warning
      ++*replaced;
      continue;
    }
    *worst = fmax(*worst, fabs(model->body_mass[b] - x[0]) / fmax(x[0], 1e-9));
    for (int k = 0; k < 3; ++k) *worst = fmax(*worst, fabs(model->body_com[3L * b + k] - x[1 + k]));
    for (int k = 0; k < 6; ++k) *worst = fmax(*worst, fabs(i[k] - x[4 + k]) / moments);
  }
  if (pipe) pclose(pipe);
  return links;
}

static void test_urdf_inertias(void** state) {
  (void)state;
  need_models();
  double worst = 0;
  int links = 0, replaced = 0;
  for (int i = 0; i < path_count; ++i) {
    if (!strstr(paths[i], ".urdf")) continue;
    HeftModel* model = load(paths[i], NULL);
    assert_non_null(model);
    links += inertias_agree(model, paths[i], &worst, &replaced);
    heft_model_destroy(model);
  }
  if (links == 0) {
    print_message("python3 is absent\n");
    skip();
  }
  print_message("%d links, largest difference %.1e; %d without moments or not of matter\n", links,
                worst, replaced);
  assert_true(worst <= 1e-12);
  assert_true(links > 600);
}

static void test_rotated_inertial_frame(void** state) {
  (void)state;
  static const char text[] =
      "<robot name='r'><link name='a'><inertial><origin xyz='1 2 3' rpy='0.3 -0.5 1.1'/><mass "
      "value='2'/>"
      "<inertia ixx='1' iyy='2' izz='2.5' ixy='0.1' ixz='-0.2' "
      "iyz='0.3'/></inertial></link></robot>";
  HeftLoadDef def = heft_load_def_default();
  HeftModel* model = NULL;
  assert_int_equal(heft_model_load_bytes(&model, text, sizeof text - 1, "r.urdf", &def, NULL),
                   HEFT_OK);
  // Python's R I Rᵀ, R = Rz(1.1) Ry(-0.5) Rx(0.3)
  const double expected[6] = {1.7307770180581912,   1.6530781506974361,  2.116144831244373,
                              -0.19725855798142056, -0.4991634644009113, -0.6113609362998291};
  for (int k = 0; k < 6; ++k) assert_true(fabs(model->body_inertia[6 + k] - expected[k]) < 1e-14);
  heft_model_destroy(model);
}

static void test_total_mass(void** state) {
  (void)state;
  static const char text[] =
      "<mujoco><compiler settotalmass='6'/><worldbody><body><joint/><inertial pos='0 0 0' mass='1' "
      "diaginertia='1 1 1'/><body><inertial pos='0 0 0' mass='2' fullinertia='3 4 5 0.1 0.2 0.3'/>"
      "</body></body></worldbody></mujoco>";
  HeftLoadDef def = heft_load_def_default();
  HeftModel* model = NULL;
  assert_int_equal(heft_model_load_bytes(&model, text, strlen(text), "x", &def, NULL), HEFT_OK);
  assert_true(model->body_mass[1] == 2 && model->body_mass[2] == 4);
  assert_true(model->body_inertia[6] == 2 && model->body_inertia[12 + 5] == 0.6);
  heft_model_destroy(model);
}

// The two versions of Talos have the same joints; where masses and inertias of a link are the same
// numbers, the models must be the same.
static void test_talos_twice(void** state) {
  (void)state;
  need_models();
  HeftModel* urdf = load(HEFT_SHARED_DIR "/models/urdf/talos_data/robots/talos_full_v2.urdf", NULL);
  HeftModel* mjcf = load(HEFT_SHARED_DIR "/models/mjcf/pal_talos/talos.xml", NULL);
  assert_non_null(urdf);
  assert_non_null(mjcf);
  int common = 0, same_mass = 0, same_inertia = 0, same_axis = 0, same_range = 0;
  for (int j = 0; j < mjcf->njoint; ++j) {
    const char* name = heft_model_name(mjcf, HEFT_NAMED_JOINT, j);
    const int k = heft_model_find(urdf, HEFT_NAMED_JOINT, name);
    if (!name[0] || k < 0 || mjcf->joint_type[j] != HEFT_JOINT_HINGE) continue;
    ++common;
    const int a = mjcf->joint_body[j], b = urdf->joint_body[k];
    assert_int_equal(urdf->joint_type[k], HEFT_JOINT_HINGE);
    if (fabs(mjcf->body_mass[a] - urdf->body_mass[b]) <
        1e-5) {  // the same link: six digits in the MJCF
      ++same_mass;
      double worst = 0, size = 0;
      for (int c = 0; c < 6; ++c) {
        size = fmax(size, fabs(urdf->body_inertia[6 * b + c]));
        worst = fmax(worst, fabs(mjcf->body_inertia[6 * a + c] - urdf->body_inertia[6 * b + c]));
      }
      for (int c = 0; c < 3; ++c)
        worst = fmax(worst, size * fabs(mjcf->body_com[3 * a + c] - urdf->body_com[3 * b + c]));
      same_inertia += worst < 1e-4 * size;
    }
    double axis = 0, range = 0;
    for (int c = 0; c < 3; ++c) axis += mjcf->joint_axis[3 * j + c] * urdf->joint_axis[3 * k + c];
    for (int c = 0; c < 2; ++c)
      range = fmax(range, fabs(mjcf->dof_range[2 * mjcf->joint_dof[j] + c] -
                               urdf->dof_range[2 * urdf->joint_dof[k] + c]));
    same_axis += axis > 1 - 1e-9;
    same_range += range < 1e-4;
  }
  print_message(
      "%d joints in both; the same: %d masses, %d inertias, %d axes, %d ranges; %.3f and %.3f kg\n",
      common, same_mass, same_inertia, same_axis, same_range, heft_model_mass(mjcf),
      heft_model_mass(urdf));
  assert_true(common >= 40);
  assert_int_equal(same_axis, common);
  assert_true(same_mass >= 30);
  assert_int_equal(same_inertia, same_mass);
  heft_model_destroy(urdf);
  heft_model_destroy(mjcf);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_model_loads), cmocka_unit_test(test_round_trips),
      cmocka_unit_test(test_urdf_inertias),     cmocka_unit_test(test_rotated_inertial_frame),
      cmocka_unit_test(test_talos_twice),       cmocka_unit_test(test_total_mass),
  };
  return cmocka_run_group_tests(tests, list_models, NULL);
}
