// SPDX-License-Identifier: Apache-2.0
#include <heft/version.h>

#define QUOTE_(x) #x
#define QUOTE(x) QUOTE_(x)

const char* heft_version(void) {
  return QUOTE(HEFT_VERSION_MAJOR) "." QUOTE(HEFT_VERSION_MINOR) "." QUOTE(HEFT_VERSION_PATCH);
}

int heft_abi_version(void) { return HEFT_ABI_VERSION; }
