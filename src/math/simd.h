// SPDX-License-Identifier: Apache-2.0
// Short vectors of doubles in plain GNU C, for gcc 12 and clang 14 or newer.
//
// V4 and V8 are vectors of the compiler, not of a processor: the same source becomes SSE2, AVX2,
// NEON or wasm code, and every lane does the same IEEE operation as a plain double would.
// With -ffp-contract=off, a*b + c is never fused, and the selected width does not change the bits
// of a result. A sum over lanes has an order, and v4_sum and v8_sum fix it.
//
// HEFT_CLONES before a function compiles it once for each of the listed instruction sets; the
// loader chooses. Its rules:
//   - put it on a `static` function, and call that from a plain one in the same file: clang 14
//     gives the chosen symbol another name (f.ifunc), which other files cannot find;
//   - give that function a name that is unique in the library: clang exports its resolver;
//   - everything it calls in its loop must be always_inline (HEFT_INLINE), or it stays baseline;
//   - no V4 or V8 among its own parameters, only pointers and scalars.
// Vectors may be passed by value between HEFT_INLINE functions, since no call is left of them. gcc
// still notes that the calling convention for them has once changed: build with -Wno-psabi.
#ifndef HEFT_MATH_SIMD_H
#define HEFT_MATH_SIMD_H

#include <stdint.h>
#include <stdlib.h>  // for __GLIBC__
#include <string.h>

#pragma GCC diagnostic ignored "-Wpsabi"

// Code for AVX2 is a clone, into which all that has vectors must be inlined. WebAssembly has no
// clones, and HEFT_SMALL leaves the choice to the compiler.
#ifdef HEFT_SMALL
#define HEFT_INLINE static inline
#else
#define HEFT_INLINE static inline __attribute__((always_inline))
#endif

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HEFT_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer) || __has_feature(undefined_behavior_sanitizer)
#define HEFT_SANITIZED 1
#endif
#endif

// A resolver runs before a sanitizer is ready, and musl has none; with -march=native there is
// nothing left to choose. HEFT_NO_CLONES switches the choice off by hand. Code for AVX-512 was 3 to
// 12 % slower than that for AVX2, for robots and heaps, on a Xeon that has both.
#if defined(__x86_64__) && defined(__ELF__) && defined(__GLIBC__) && !defined(__AVX2__) && \
    !defined(HEFT_SANITIZED) && !defined(HEFT_NO_CLONES)
#define HEFT_CLONES __attribute__((target_clones("default", "avx2")))
#else
#define HEFT_CLONES
#endif

// For a function that other files call: only gcc compiles it for several widths. clang compiles it
// once, with the same bits.
#if defined(__clang__) || !defined(__OPTIMIZE__)
#define HEFT_SHARED_CLONES
#else
#define HEFT_SHARED_CLONES HEFT_CLONES
#endif

typedef double V4 __attribute__((vector_size(32)));
typedef double V8 __attribute__((vector_size(64)));
typedef double V2 __attribute__((vector_size(16)));
typedef int64_t I4 __attribute__((vector_size(32)));
typedef int64_t I8 __attribute__((vector_size(64)));  // results of comparisons: 0 or -1
typedef uint64_t B4 __attribute__((vector_size(32)));
typedef uint64_t B8 __attribute__((vector_size(64)));  // bits, for signs and shifts

/// Components of a and b in any order: V4_SHUFFLE(a, b, 0, 4, 1, 5) interleaves the lower halves.
#define V4_SHUFFLE(a, b, i, j, k, l) __builtin_shufflevector((a), (b), i, j, k, l)
#define V8_SHUFFLE(a, b, ...) __builtin_shufflevector((a), (b), __VA_ARGS__)

/// Any address will do.
HEFT_INLINE V4 v4_load(const double* p) {
  V4 v;
  memcpy(&v, p, sizeof v);
  return v;
}

HEFT_INLINE V2 v2_load(const double* p) {
  V2 v;
  memcpy(&v, p, sizeof v);
  return v;
}

HEFT_INLINE V8 v8_load(const double* p) {
  V8 v;
  memcpy(&v, p, sizeof v);
  return v;
}

HEFT_INLINE void v4_store(double* p, V4 v) { memcpy(p, &v, sizeof v); }

HEFT_INLINE void v8_store(double* p, V8 v) { memcpy(p, &v, sizeof v); }

/// The address is a multiple of 32 (V4) or 64 (V8).
HEFT_INLINE V4 v4_load_aligned(const double* p) {
  V4 v;
  memcpy(&v, __builtin_assume_aligned(p, sizeof v), sizeof v);
  return v;
}

HEFT_INLINE V8 v8_load_aligned(const double* p) {
  V8 v;
  memcpy(&v, __builtin_assume_aligned(p, sizeof v), sizeof v);
  return v;
}

HEFT_INLINE void v4_store_aligned(double* p, V4 v) {
  memcpy(__builtin_assume_aligned(p, sizeof v), &v, sizeof v);
}

HEFT_INLINE void v8_store_aligned(double* p, V8 v) {
  memcpy(__builtin_assume_aligned(p, sizeof v), &v, sizeof v);
}

/// `a` in every component. A shuffle, since gcc 12 writes the components of {a, a, ...} one by one
/// in a clone.
HEFT_INLINE V4 v4_all(double a) {
  const V4 v = {a};
  return __builtin_shufflevector(v, v, 0, 0, 0, 0);
}

HEFT_INLINE V8 v8_all(double a) {
  const V8 v = {a};
  return __builtin_shufflevector(v, v, 0, 0, 0, 0, 0, 0, 0, 0);
}

HEFT_INLINE V4 v8_low(V8 v) { return __builtin_shufflevector(v, v, 0, 1, 2, 3); }

HEFT_INLINE V4 v8_high(V8 v) { return __builtin_shufflevector(v, v, 4, 5, 6, 7); }

HEFT_INLINE V8 v8_join(V4 low, V4 high) {
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}

/// a where the mask is all ones (as comparisons give it), b where it is zero.
HEFT_INLINE V4 v4_select(I4 mask, V4 a, V4 b) { return (V4)((mask & (I4)a) | (~mask & (I4)b)); }

HEFT_INLINE V8 v8_select(I8 mask, V8 a, V8 b) { return (V8)((mask & (I8)a) | (~mask & (I8)b)); }

HEFT_INLINE V4 v4_abs(V4 v) { return (V4)((I4)v & INT64_MAX); }

HEFT_INLINE V8 v8_abs(V8 v) { return (V8)((I8)v & INT64_MAX); }

/// (v0 + v2) + (v1 + v3), always in this order.
HEFT_INLINE double v4_sum(V4 v) { return (v[0] + v[2]) + (v[1] + v[3]); }

/// The upper half is added to the lower, then as v4_sum.
HEFT_INLINE double v8_sum(V8 v) { return v4_sum(v8_low(v) + v8_high(v)); }

typedef int64_t I2 __attribute__((vector_size(16)));

/// The bits of all components, combined by or.
HEFT_INLINE int64_t i4_or(I4 v) {
  const I2 half = __builtin_shufflevector(v, v, 0, 1) | __builtin_shufflevector(v, v, 2, 3);
  return half[0] | half[1];
}

/// A comparison's result as adjacent bits, component 0 lowest.
HEFT_INLINE unsigned v4_bits(I4 mask) { return (unsigned)i4_or(mask & (I4){1, 2, 4, 8}); }

/// The lanes that are negative, as bits side by side, lane 0 lowest. Comparisons of eight lanes are
/// taken apart one by one where vectors are shorter; shifts are not.
HEFT_INLINE unsigned v8_negative(I8 v) {
  const B8 bits = ((B8)v >> 63) << (B8){0, 1, 2, 3, 4, 5, 6, 7};
  const I8 b = (I8)bits;
  return (unsigned)i4_or(__builtin_shufflevector(b, b, 0, 1, 2, 3) |
                         __builtin_shufflevector(b, b, 4, 5, 6, 7));
}

/// The smallest and the largest component; not for NaN.
HEFT_INLINE double v4_min(V4 v) {
  const double x = v[0] < v[2] ? v[0] : v[2], y = v[1] < v[3] ? v[1] : v[3];
  return x < y ? x : y;
}

HEFT_INLINE double v4_greatest(V4 v) {
  const double x = v[0] > v[2] ? v[0] : v[2], y = v[1] > v[3] ? v[1] : v[3];
  return x > y ? x : y;
}

HEFT_INLINE double v8_min(V8 v) {
  const V4 a = v8_low(v), b = v8_high(v);
  return v4_min(v4_select(a < b, a, b));
}

HEFT_INLINE double v8_greatest(V8 v) {
  const V4 a = v8_low(v), b = v8_high(v);
  return v4_greatest(v4_select(a > b, a, b));
}

#endif
