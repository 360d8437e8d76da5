// SPDX-License-Identifier: Apache-2.0
// Any bytes as the PNG image of a height field: refused with a reason, or heights that a model can
// have. Checksums of the image are made to hold, or hardly anything would get past them.
#include <math.h>

#include "fuzz/fuzz.h"

static uint32_t crc(const unsigned char* bytes, size_t size) {
  uint32_t x = 0xffffffffu;
  for (size_t i = 0; i < size; ++i) {
    x ^= bytes[i];
    for (int k = 0; k < 8; ++k) x = x & 1 ? x >> 1 ^ 0xedb88320u : x >> 1;
  }
  return ~x;
}

// Chunks are: length, type, data, checksum of type and data; all numbers with the high byte first.
static void mend_checksums(unsigned char* png, size_t size) {
  for (size_t at = 8; size - at >= 12 && at < size;) {
    const size_t length = (size_t)png[at] << 24 | (size_t)png[at + 1] << 16 |
                          (size_t)png[at + 2] << 8 | (size_t)png[at + 3];
    if (length > size - at - 12) return;
    const uint32_t sum = crc(png + at + 4, length + 4);
    for (int k = 0; k < 4; ++k) png[at + 8 + length + k] = (unsigned char)(sum >> (24 - 8 * k));
    at += length + 12;
  }
}

typedef struct Image {
  const uint8_t* data;
  size_t size;
} Image;

static HeftStatus give_image(void* user, const char* path, size_t limit,
                             const HeftAllocator* allocator, void** out, size_t* size,
                             HeftError* error) {
  (void)path, (void)limit, (void)error;
  const Image* image = user;
  static const unsigned char signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  unsigned char* bytes = allocator->allocate(allocator->user, image->size + 9, 64);
  if (!bytes) return HEFT_ERR_MEMORY;
  memcpy(bytes, signature, 8);
  if (image->size > 0) memcpy(bytes + 8, image->data, image->size);
  bytes[image->size + 8] = 0;
  *size = image->size + 8;
  mend_checksums(bytes, *size);
  *out = bytes;
  return bytes ? HEFT_OK : HEFT_ERR_MEMORY;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const char text[] =
      "<mujoco><asset><hfield name='h' file='h' size='1 1 1 1'/></asset></mujoco>";
  Image image = {data, size};
  const HeftFiles files = {give_image, &image};
  HeftLoadDef def = fuzz_def();
  def.files = &files;
  HeftModel* model = NULL;
  HeftError error = {0};
  const HeftStatus status =
      heft_model_load_bytes(&model, text, strlen(text), "x.xml", &def, &error);
  if ((status == HEFT_OK) != (model != NULL) || (status != HEFT_OK && !error.message[0])) abort();
  for (int i = 0; model && i < model->nheight; ++i) {
    if (!(model->height[i] >= 0 && model->height[i] <= 1)) abort();
  }
  heft_model_destroy(model);
  return 0;
}
