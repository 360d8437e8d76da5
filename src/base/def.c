// SPDX-License-Identifier: Apache-2.0
// Checks the cookie of a def: 8 bits mark, 8 bits number of the binary interface, 16 bits size.
#include "base/def.h"

#include "base/error.h"

static unsigned mark_of(uint32_t cookie) { return cookie >> 24; }
static unsigned abi_of(uint32_t cookie) { return cookie >> 16 & 0xFFU; }
static unsigned size_of(uint32_t cookie) { return cookie & 0xFFFFU; }

HeftStatus heft_def_check(uint32_t cookie, uint32_t expected, const char* type, const char* usual,
                          HeftError* error) {
  if (cookie == expected) return HEFT_OK;
  if (mark_of(cookie) != mark_of(expected))
    return heft_error_set(error, HEFT_ERR_ARGUMENT,
                          "the %s was never initialised: start with %s() and change single fields",
                          type, usual);
  return heft_error_set(error, HEFT_ERR_VERSION,
                        "the program was compiled with binary interface %u, where a %s has %u "
                        "bytes; this library (Heft %s) has binary interface %u and %u bytes: "
                        "compile the program with the headers of this library",
                        abi_of(cookie), type, size_of(cookie), heft_version(), abi_of(expected),
                        size_of(expected));
}
