// SPDX-License-Identifier: Apache-2.0
// Any bytes as the files that belong to a URDF: its SRDF, and the materials and the converted form
// of its meshes. The robot is loaded with floor, height and servos.
#include "fuzz/fuzz.h"

static const char robot[] =
    "<robot name='r'><link name='base'><visual><geometry><mesh filename='a.obj'/></geometry>"
    "</visual><collision><geometry><box size='1 1 1'/></geometry></collision></link>"
    "<link name='arm'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>"
    "<visual><geometry><mesh filename='b.dae'/></geometry></visual>"
    "<collision><geometry><sphere radius='1'/></geometry></collision></link>"
    "<joint name='elbow' type='revolute'><parent link='base'/><child link='arm'/>"
    "<limit lower='0.1' upper='1' effort='10'/></joint></robot>";
static const char painted[] =
    "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\nusemtl red\nf 1/1 3/1 2/1\n"
    "usemtl blue\nf 1 2 4\nf 1 4 3\nusemtl red\nf 2 3 4\n";

typedef struct Bytes {
  const uint8_t* data;
  size_t size;
} Bytes;

static int has_ending(const char* path, const char* ending) {
  const size_t a = strlen(path), b = strlen(ending);
  return a >= b && strcmp(path + a - b, ending) == 0;
}

static HeftStatus give(void* user, const char* path, size_t limit, const HeftAllocator* allocator,
                       void** out, size_t* size, HeftError* error) {
  const Bytes* bytes = user;
  (void)limit, (void)error;
  const int own =
      has_ending(path, ".srdf") || has_ending(path, ".mtl") || has_ending(path, "made.obj");
  *size = own ? bytes->size : strlen(painted);
  char* copy = allocator->allocate(allocator->user, *size + 1, 64);
  if (!copy) return HEFT_ERR_MEMORY;
  memcpy(copy, own ? (const void*)bytes->data : painted, *size);
  copy[*size] = '\0';
  *out = copy;
  return HEFT_OK;
}

static HeftStatus convert(void* user, const char* path, char* out, size_t size, HeftError* error) {
  (void)user, (void)path, (void)error;
  snprintf(out, size, "made.obj");
  return HEFT_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Bytes bytes = {data, size};
  const HeftFiles files = {give, &bytes};
  for (int srdf = 0; srdf < 2; ++srdf) {
    HeftLoadDef def = fuzz_def();
    HeftError error = {0};
    HeftModel* model = NULL;
    def.files = &files;
    def.convert = convert;
    def.urdf_floor = def.urdf_place = true;
    def.urdf_servos = HEFT_URDF_SERVOS_BY_EFFORT;
    def.base = HEFT_BASE_FLOATING;
    def.srdf = srdf ? "r.srdf" : NULL;
    const HeftStatus status =
        heft_model_load_bytes(&model, robot, strlen(robot), "r.urdf", &def, &error);
    if ((status == HEFT_OK) != (model != NULL) || (status != HEFT_OK && !error.message[0])) abort();
    if (!srdf && status != HEFT_OK && status != HEFT_ERR_LIMIT && status != HEFT_ERR_MEMORY)
      abort();  // what is only seen may be wrong
    heft_model_destroy(model);
  }
  return 0;
}
