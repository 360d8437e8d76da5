// SPDX-License-Identifier: Apache-2.0
// What the fuzz targets share: small limits, so that an input takes microseconds, and files that
// are always there.
#ifndef HEFT_TESTS_FUZZ_H
#define HEFT_TESTS_FUZZ_H

#include <heft/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static const char fuzz_obj[] =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
static const char fuzz_include[] = "<mujocoinclude><geom size='1'/></mujocoinclude>";
static const char fuzz_model[] =
    "<mujoco model='m'><worldbody><body name='b'><joint name='j'/><geom size='1' "
    "name='g'/></body></worldbody>"
    "<actuator><motor joint='j'/></actuator></mujoco>";

static const char fuzz_msh[] =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n"
    "$EndNodes\n$Elements\n1\n1 4 0 1 2 3 4\n$EndElements\n";

// Every name leads to something small: an OBJ, tetrahedra, an include or a model.
static HeftStatus fuzz_read(void* user, const char* path, size_t limit,
                            const HeftAllocator* allocator, void** out, size_t* size,
                            HeftError* error) {
  (void)user, (void)limit, (void)error;
  const size_t length = strlen(path);
  const char* text = fuzz_include;
  if (length > 4 && strcmp(path + length - 4, ".obj") == 0) text = fuzz_obj;
  if (length > 4 && strcmp(path + length - 4, ".msh") == 0) text = fuzz_msh;
  if (length > 2 && strcmp(path + length - 2, ".m") == 0) text = fuzz_model;
  *size = strlen(text);
  char* bytes = allocator->allocate(allocator->user, *size + 1, 64);
  if (bytes) memcpy(bytes, text, *size + 1);
  *out = bytes;
  return bytes ? HEFT_OK : HEFT_ERR_MEMORY;
}

static inline HeftLoadDef fuzz_def(void) {
  static const HeftFiles files = {fuzz_read, NULL};
  static const HeftPackage packages[] = {{"", "packages"}};
  HeftLoadDef def = heft_load_def_default();
  def.packages = packages;
  def.package_count = 1;
  def.files = &files;
  def.limits.total_bytes = 8u << 20;
  def.limits.xml_elements = 2000;
  def.limits.bodies = 64;
  def.limits.mesh_triangles = 1000;
  return def;
}

// What was accepted must be writable, or refused by name; and what was written must be readable.
typedef struct FuzzText {
  char* text;
  size_t size;
} FuzzText;

static HeftStatus fuzz_keep(void* user, const char* name, const void* bytes, size_t size,
                            HeftError* error) {
  (void)error;
  FuzzText* kept = user;
  if (name[0]) return HEFT_OK;
  kept->text = malloc(size + 1);
  memcpy(kept->text, bytes, size);
  kept->size = size;
  return HEFT_OK;
}

static inline void fuzz_round_trip(HeftModel* model) {
  HeftWriteDef write = heft_write_def_default();
  FuzzText kept = {0};
  write.put = fuzz_keep;
  write.user = &kept;
  HeftError error = {0};
  const HeftStatus status = heft_model_write_mjcf(model, &write, &error);
  if (status == HEFT_OK) {
    HeftLoadDef def = fuzz_def();
    def.limits.xml_elements = 1 << 20;
    def.limits.total_bytes = (size_t)1 << 28;
    def.limits.xml_depth = 1000;
    HeftModel* again = NULL;
    const HeftStatus read =
        heft_model_load_bytes(&again, kept.text, kept.size, "again.xml", &def, &error);
    const int same = again && heft_model_hash(model) == heft_model_hash(again);
    if (read != HEFT_OK || !same) {
      fprintf(stderr, "not read back (%s): %d:%d: %s\n%.*s\n", heft_status_name(read), error.line,
              error.column, error.message, (int)kept.size, kept.text);
      abort();
    }
    heft_model_destroy(again);
  } else if (status != HEFT_ERR_UNSUPPORTED) {
    fprintf(stderr, "not written: %s\n", error.message);
    abort();
  }
  free(kept.text);
  kept = (FuzzText){0};
  if (heft_model_write_urdf(model, &write, &error) != HEFT_OK)
    abort();  // URDF leaves out, never refuses
  free(kept.text);
}

// The bytes with a zero behind them; to be freed.
static inline char* fuzz_copy(const uint8_t* data, size_t size) {
  char* text = malloc(size + 1);
  memcpy(text, data, size);
  text[size] = '\0';
  return text;
}

// Any bytes as the text of a model: refused with a reason, or the model can be written and read
// again.
static inline void fuzz_text(const uint8_t* data, size_t size, const char* name,
                             bool soft_contacts) {
  HeftLoadDef def = fuzz_def();
  def.soft_contacts = soft_contacts;
  HeftModel* model = NULL;
  char* text = fuzz_copy(data, size);
  HeftError error = {0};
  const HeftStatus status = heft_model_load_bytes(&model, text, size, name, &def, &error);
  if ((status == HEFT_OK) != (model != NULL) || (status != HEFT_OK && !error.message[0])) abort();
  if (model) fuzz_round_trip(model);
  heft_model_destroy(model);
  free(text);
}

#endif
