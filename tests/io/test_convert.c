// SPDX-License-Identifier: Apache-2.0
// The command as a person uses it: convert, check, info, with their exit codes. Programs are looked
// for beside the test. Meshes of other formats need heft-mesh-convert, which is optional.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
// after the above
#include <heft/io.h>
#include <math.h>
#include <cmocka.h>

static char programs[900];
static char folder[] = "/tmp/heft_convert_XXXXXX";
static char said[20000];

static int set_up(void** state) {
  (void)state;
  const ssize_t length = readlink("/proc/self/exe", programs, sizeof programs - 1);
  if (length <= 0 || !mkdtemp(folder)) return 1;
  programs[length] = '\0';
  *strrchr(programs, '/') = '\0';
  return chdir(folder);
}

static int tear_down(void** state) {
  (void)state;
  char command[100];
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  return chdir("/") || system(command);
}

static int has(const char* program) {
  char path[1000];
  snprintf(path, sizeof path, "%s/%s", programs, program);
  return access(path, X_OK) == 0;
}

// The exit code; what was printed is in `said`.
static int heft(const char* arguments) {
  char command[3000];
  snprintf(command, sizeof command, "'%s/heft' %s 2>&1", programs, arguments);
  FILE* pipe = popen(command, "r");
  assert_non_null(pipe);
  const size_t size = fread(said, 1, sizeof said - 1, pipe);
  said[size] = '\0';
  const int status = pclose(pipe);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void expect(const char* arguments, int code, const char* text) {
  const int found = heft(arguments);
  if (found != code || !strstr(said, text))
    fail_msg("heft %s: code %d, expected %d and '%s'\n%s", arguments, found, code, text, said);
}

static void write_file(const char* name, const char* text) {
  FILE* file = fopen(name, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static void need_heft(void) {
  if (has("heft")) return;
  print_message("the program heft is not built\n");
  skip();
}

static const char robot[] =
    "<robot name='r'><link name='base'/><link name='arm'><inertial><mass value='1'/>"
    "<inertia ixx='1' iyy='1' izz='1'/></inertial>"
    "<collision><geometry><mesh filename='t.obj'/></geometry></collision></link>"
    "<joint name='j' type='continuous'><parent link='base'/><child link='arm'/></joint></robot>";
static const char tetra[] =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

static void hash_of(const char* name, char out[17]) {
  char arguments[300];
  snprintf(arguments, sizeof arguments, "info --short --quiet %s", name);
  assert_int_equal(heft(arguments), 0);
  const char* at = strstr(said, "hash");
  assert_non_null(at);
  at += strcspn(at, "0123456789") == 0 ? 0 : 4;
  while (*at == ' ') ++at;
  snprintf(out, 17, "%.16s", at);
}

static void test_models(void** state) {
  (void)state;
  need_heft();
  write_file("r.urdf", robot);
  write_file("t.obj", tetra);
  char first[17], other[17];
  hash_of("r.urdf", first);
  static const char* const ways[] = {"r.urdf a.xml", "a.xml b.heft", "b.heft c.xml", "c.xml d.urdf",
                                     "d.urdf e.mjcf"};
  for (size_t i = 0; i < sizeof ways / sizeof *ways; ++i) {
    char arguments[100];
    snprintf(arguments, sizeof arguments, "convert --quiet %s", ways[i]);
    expect(arguments, 0, "");
    assert_string_equal(said, "");
    hash_of(strchr(ways[i], ' ') + 1, other);
    if (strcmp(other, first) != 0) fail_msg("%s: hash %s, expected %s", ways[i], other, first);
  }
  expect("convert r.urdf no/where.xml", 1, "error");
  write_file("k.xml",
             "<mujoco><worldbody><body><joint armature='1'/><geom group='3' size='1'/></body>"
             "</worldbody></mujoco>");
  expect("convert k.xml k.urdf", 0, "k.urdf: warning: URDF has no armature");
  expect("convert --quiet k.xml k.urdf", 0, "");
  assert_string_equal(said, "");
  expect("convert --strict k.xml k.urdf", 1, "strict");
  expect("convert no.urdf x.xml", 1, "no.urdf");
  expect("convert r.urdf", 2, "usage: heft convert");
  expect("convert r.urdf r.txt", 2, "unknown extension of 'r.txt'");
  expect("convert --wrong a b", 2, "--wrong");
  expect("convert --help", 0, ".urdf");
}

static void test_check_and_info(void** state) {
  (void)state;
  need_heft();
  write_file("t.obj", tetra);
  write_file("r.urdf", robot);
  write_file("bad.xml", "<mujoco>\n<worldbody>\n  <geom size='-1'/>\n</worldbody></mujoco>");
  expect("check r.urdf bad.xml", 1, "bad.xml:3:");
  assert_non_null(strstr(said, "1 of 2 files ok"));
  expect("check r.urdf", 0, "1 of 1 files ok");
  expect("check --strict r.urdf", 1, "strict");
  expect("info r.urdf", 0, "hinge j");
  expect("info bad.xml", 1, ": error: ");
  expect("info bad.xml", 1, "expected a positive length");
  expect("info --help", 0, "usage: heft info");
  expect("check", 2, "usage: heft check");
}

// ---- meshes

static const char dae[] =
    "<?xml version=\"1.0\"?>\n<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" "
    "version=\"1.4.1\"><asset><unit name=\"half\" meter=\"0.5\"/><up_axis>Z_UP</up_axis></asset>"
    "<library_geometries><geometry id=\"g\"><mesh><source id=\"p\"><float_array id=\"pa\" "
    "count=\"12\">0 0 0 1 0 0 0 2 0 0 0 3</float_array><technique_common><accessor source=\"#pa\" "
    "count=\"4\" stride=\"3\"><param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/>"
    "<param name=\"Z\" type=\"float\"/></accessor></technique_common></source>"
    "<vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices>"
    "<triangles count=\"4\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/>"
    "<p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles></mesh></geometry></library_geometries>"
    "<library_visual_scenes><visual_scene id=\"s\"><node><translate>1 0 0</translate>"
    "<instance_geometry url=\"#g\"/></node></visual_scene></library_visual_scenes>"
    "<scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>\n";

// 4 vertices of 3 floats, then 12 indices of 16 bits.
static void make_gltf(char* out, size_t size) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const float points[12] = {0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3};
  const uint16_t faces[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  unsigned char bytes[72];
  char text[97];
  memcpy(bytes, points, 48);
  memcpy(bytes + 48, faces, 24);
  for (int i = 0; i < 24; ++i) {
    const unsigned three =
        (unsigned)bytes[3 * i] << 16 | (unsigned)bytes[3 * i + 1] << 8 | (unsigned)bytes[3 * i + 2];
    for (int k = 0; k < 4; ++k) text[4 * i + k] = digits[three >> (18 - 6 * k) & 63];
  }
  text[96] = '\0';
  snprintf(out, size,
           "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
           "\"nodes\":[{\"mesh\":0,\"scale\":[0.5,0.5,0.5],\"translation\":[0.5,0,0]}],"
           "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}],"
           "\"buffers\":[{\"byteLength\":72,\"uri\":\"data:application/octet-stream;base64,%s\"}],"
           "\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteLength\":48},"
           "{\"buffer\":0,\"byteOffset\":48,\"byteLength\":24}],"
           "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\","
           "\"min\":[0,0,0],\"max\":[1,2,3]},"
           "{\"bufferView\":1,\"componentType\":5123,\"count\":12,\"type\":\"SCALAR\"}]}\n",
           text);
}

// The tetrahedron from (0.5, 0, 0) with edges 0.5, 1 and 1.5.
static void expect_tetra(const char* mesh) {
  char text[400];
  HeftError error = {0};
  HeftModel* model = NULL;
  HeftLoadDef def = heft_load_def_default();
  snprintf(text, sizeof text,
           "<mujoco><asset><mesh name='m' file='%s' inertia='exact'/></asset><worldbody><body>"
           "<joint/><geom type='mesh' mesh='m' density='1'/></body></worldbody></mujoco>",
           mesh);
  write_file("mesh.xml", text);
  if (heft_model_load_file(&model, "mesh.xml", &def, &error) != HEFT_OK)
    fail_msg("%s", error.message);
  assert_int_equal(model->nface, 4);
  assert_true(fabs(model->body_mass[1] - 0.5 * 1 * 1.5 / 6) < 1e-7);
  const double expected[3] = {0.5 + 0.125, 0.25, 0.375};
  for (int k = 0; k < 3; ++k) assert_true(fabs(model->body_com[3 + k] - expected[k]) < 1e-7);
  heft_model_destroy(model);
}

static void test_meshes(void** state) {
  (void)state;
  need_heft();
  write_file("t.dae", dae);
  if (!has("heft-mesh-convert")) {
    expect("convert t.dae t2.obj", 1, "install assimp");
    print_message("heft-mesh-convert is not built\n");
    skip();
  }
  static char gltf[2000];
  make_gltf(gltf, sizeof gltf);
  write_file("t.gltf", gltf);
  expect("convert t.dae d.obj", 0, "d.obj: 4 triangles");
  expect_tetra("d.obj");
  expect("convert t.dae d.stl", 0, "d.stl: 4 triangles");
  expect_tetra("d.stl");
  expect("convert t.gltf g.obj", 0, "g.obj: 4 triangles");
  expect_tetra("g.obj");
  write_file("bad.dae", "<COLLADA>");
  expect("convert bad.dae b.obj", 1, "bad.dae: error");
  expect("convert absent.dae b.obj", 1, "absent.dae: error");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_models),
      cmocka_unit_test(test_check_and_info),
      cmocka_unit_test(test_meshes),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
