// SPDX-License-Identifier: Apache-2.0
// Defs: the library's side of HEFT_DEF_FUNCTIONS() (heft/base.h).
//
// A def crosses the border between a program and the library by pointer, so both must agree on its
// layout. The program's compiler computes the cookie (mark, number of the binary interface, size);
// the library compares it with its own before it writes or reads any other field.
#ifndef HEFT_SRC_BASE_DEF_H
#define HEFT_SRC_BASE_DEF_H

#include <heft/base.h>

#include "base/assert.h"

/// First line of every init function: `if (!HEFT_DEF_STAMP(Def, def, cookie)) return;`. Stores the
/// caller's cookie. False if the caller's def has another layout: nothing else may be written then.
#define HEFT_DEF_STAMP(Def, def, stamp) \
  heft_def_stamp((def) ? &(def)->cookie : NULL, (stamp), HEFT_DEF_COOKIE(Def))

static inline bool heft_def_stamp(uint32_t* cookie, uint32_t stamp, uint32_t expected) {
  HEFT_REQUIRE(cookie, false);
  *cookie = stamp;
  return stamp == expected;
}

/// HEFT_OK if `def` may be read or is NULL. `usual` is the name of the default function, for the
/// message.
#define HEFT_DEF_CHECK(Def, usual, def, error) \
  ((def) ? heft_def_check((def)->cookie, HEFT_DEF_COOKIE(Def), #Def, #usual, (error)) : HEFT_OK)

/// Exported for the libraries heft_device and heft_io; no part of the public interface. error may
/// be NULL.
HEFT_API HeftStatus heft_def_check(uint32_t cookie, uint32_t expected, const char* type,
                                   const char* usual, HeftError* error);

#endif
