// SPDX-License-Identifier: Apache-2.0
// Names that begin with the prefix of elements without a name: they survive writing and reading,
// and elements without a name stay without one.
#include <heft/io.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

typedef struct Text {
  char* bytes;
  size_t size;
} Text;

static HeftStatus keep(void* user, const char* name, const void* bytes, size_t size,
                       HeftError* error) {
  (void)name, (void)error;
  Text* text = user;
  text->bytes = malloc(size + 1);
  memcpy(text->bytes, bytes, size);
  text->size = size;
  return HEFT_OK;
}

static HeftModel* load(const char* bytes, size_t size) {
  const HeftLoadDef def = heft_load_def_default();
  HeftModel* m = NULL;
  HeftError error = {0};
  if (heft_model_load_bytes(&m, bytes, size, "x", &def, &error) != HEFT_OK)
    fail_msg("%s", error.message);
  return m;
}

// Writes a model as MJCF and reads it back; the hash must be the same.
static HeftModel* round_trip(const HeftModel* m) {
  Text text = {0};
  HeftWriteDef def = heft_write_def_default();
  def.put = keep;
  def.user = &text;
  assert_int_equal(heft_model_write_mjcf(m, &def, NULL), HEFT_OK);
  HeftModel* again = load(text.bytes, text.size);
  free(text.bytes);
  assert_true(heft_model_hash(again) == heft_model_hash(m));
  return again;
}

static void names_with_the_prefix_survive(void** state) {
  (void)state;
  static const char urdf[] =
      "<robot name='r'><link name='world'/>"
      "<link name='heft_nameless_1'><inertial><mass value='1'/>"
      "<inertia ixx='1' iyy='1' izz='1'/></inertial></link>"
      "<link name='heft_nameless_named:x'><inertial><mass value='1'/>"
      "<inertia ixx='1' iyy='1' izz='1'/></inertial></link>"
      "<joint name='heft_nameless_' type='planar'><parent link='world'/>"
      "<child link='heft_nameless_1'/></joint>"
      "<joint name='k' type='continuous'><parent link='heft_nameless_1'/>"
      "<child link='heft_nameless_named:x'/></joint></robot>";
  HeftModel* m = load(urdf, strlen(urdf));
  assert_string_equal(heft_model_name(m, HEFT_NAMED_BODY, 1), "heft_nameless_1");
  HeftModel* again = round_trip(m);
  assert_string_equal(heft_model_name(again, HEFT_NAMED_BODY, 2), "heft_nameless_named:x");
  assert_string_equal(heft_model_name(again, HEFT_NAMED_JOINT, 0), "heft_nameless_");
  heft_model_destroy(again);
  heft_model_destroy(m);
}

static void every_kind_survives(void** state) {
  (void)state;
#define N "name='heft_nameless_named:heft_nameless_"
  static const char mjcf[] =
      "<mujoco><asset><texture " N
      "t' builtin='flat' width='2' height='2'/>"
      "<material " N "m'/><mesh " N
      "s' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset>"
      "<worldbody><light " N "l'/><camera " N
      "c'/>"
      "<body " N "b'><joint " N "j'/><geom " N "g' size='1'/><site " N
      "p'/></body>"
      "<body><freejoint/><geom size='1'/></body></worldbody>"
      "<contact><exclude " N
      "e' body1='world' body2='heft_nameless_named:heft_nameless_b'/></contact>"
      "<tendon><fixed " N
      "d'><joint joint='heft_nameless_named:heft_nameless_j' coef='1'/></fixed>"
      "</tendon><actuator><motor " N
      "a' joint='heft_nameless_named:heft_nameless_j'/></actuator>"
      "<sensor><jointpos " N
      "r' joint='heft_nameless_named:heft_nameless_j'/></sensor>"
      "<keyframe><key " N "k'/></keyframe></mujoco>";
#undef N
  static const struct {
    HeftNamed kind;
    const char* name;
  } names[] = {{HEFT_NAMED_TEXTURE, "t"}, {HEFT_NAMED_APPEARANCE, "m"}, {HEFT_NAMED_MESH, "s"},
               {HEFT_NAMED_LIGHT, "l"},   {HEFT_NAMED_CAMERA, "c"},     {HEFT_NAMED_BODY, "b"},
               {HEFT_NAMED_JOINT, "j"},   {HEFT_NAMED_SHAPE, "g"},      {HEFT_NAMED_SITE, "p"},
               {HEFT_NAMED_EXCLUDE, "e"}, {HEFT_NAMED_TENDON, "d"},     {HEFT_NAMED_ACTUATOR, "a"},
               {HEFT_NAMED_SENSOR, "r"},  {HEFT_NAMED_KEY, "k"}};
  HeftModel* m = load(mjcf, strlen(mjcf));
  HeftModel* again = round_trip(m);
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    char expected[40];
    snprintf(expected, sizeof expected, "heft_nameless_%s", names[i].name);
    const int at = names[i].kind == HEFT_NAMED_BODY;
    assert_string_equal(heft_model_name(m, names[i].kind, at), expected);
    assert_string_equal(heft_model_name(again, names[i].kind, at), expected);
  }
  assert_string_equal(heft_model_name(again, HEFT_NAMED_BODY, 2), "");
  assert_string_equal(heft_model_name(again, HEFT_NAMED_SHAPE, 1), "");
  heft_model_destroy(again);
  heft_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_with_the_prefix_survive),
      cmocka_unit_test(every_kind_survives),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
