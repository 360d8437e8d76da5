// SPDX-License-Identifier: Apache-2.0
#include "io/load.h"
HeftStatus load_mjcf(Load* load, const SourceFile* file) {
  return load_fail(load, HEFT_ERR_UNSUPPORTED, (Place){.file = file}, "not yet");
}
