// SPDX-License-Identifier: Apache-2.0
// Any bytes as MJCF: they are refused with a reason, or the model can be written and read again.
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const HeftLoadDef def = fuzz_def();
  HeftModel* model = NULL;
  char* text = malloc(size + 1);
  memcpy(text, data, size);
  text[size] = '\0';
  HeftError error = {0};
  const HeftStatus status = heft_load_bytes(&model, text, size, "x.mjcf", &def, &error);
  if ((status == HEFT_OK) != (model != NULL) || (status != HEFT_OK && !error.message[0])) abort();
  if (model) fuzz_round_trip(model);
  heft_model_destroy(model);
  free(text);
  return 0;
}
