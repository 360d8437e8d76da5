// SPDX-License-Identifier: Apache-2.0
// Vectors of the house (math/simd.h). HEFT_CONTACT_CLONES compiles a function for several widths
// where that works for functions that other files call: with gcc. Elsewhere the same source is
// compiled once; its bits are the same.
#ifndef HEFT_SRC_CONTACT_VECTOR_H
#define HEFT_SRC_CONTACT_VECTOR_H

#include "math/simd.h"

#if defined(__clang__) || !defined(__OPTIMIZE__)
#define HEFT_CONTACT_CLONES
#else
#define HEFT_CONTACT_CLONES HEFT_CLONES
#endif

#endif
