// SPDX-License-Identifier: Apache-2.0
// Stands for src/math/simd.h in counted.cpp: vectors as arrays of numbers that count.
#ifndef HEFT_APPS_COUNTED_SHADOW_SIMD_H
#define HEFT_APPS_COUNTED_SHADOW_SIMD_H

#define HEFT_INLINE static inline
#define HEFT_CLONES

template <int N>
struct alignas(8 * N) Lanes {
  double lane[N];
  double& operator[](int i) { return lane[i]; }
  const double& operator[](int i) const { return lane[i]; }
};
typedef Lanes<4> V4;
typedef Lanes<8> V8;

#define LANEWISE(sign)                                           \
  template <int N>                                               \
  Lanes<N> operator sign(const Lanes<N>& a, const Lanes<N>& b) { \
    Lanes<N> out;                                                \
    for (int i = 0; i < N; ++i) out[i] = a[i] sign b[i];         \
    return out;                                                  \
  }                                                              \
  template <int N>                                               \
  Lanes<N> operator sign(const Lanes<N>& a, double b) {          \
    Lanes<N> out;                                                \
    for (int i = 0; i < N; ++i) out[i] = a[i] sign b;            \
    return out;                                                  \
  }
LANEWISE(+)
LANEWISE(-)
LANEWISE(*)
#undef LANEWISE

template <int N>
Lanes<N> operator-(const Lanes<N>& a) {
  Lanes<N> out;
  for (int i = 0; i < N; ++i) out[i] = -a[i];
  return out;
}

HEFT_INLINE V4 v4_shuffled(const V4& a, const V4& b, int i, int j, int k, int l) {
  const int from[4] = {i, j, k, l};
  V4 out;
  for (int n = 0; n < 4; ++n) out[n] = from[n] < 4 ? a[from[n]] : b[from[n] - 4];
  return out;
}
#define V4_SHUFFLE(a, b, i, j, k, l) v4_shuffled((a), (b), i, j, k, l)

HEFT_INLINE V4 v4_load(const double* p) { return V4{{p[0], p[1], p[2], p[3]}}; }
HEFT_INLINE V4 v4_load_aligned(const double* p) { return v4_load(p); }
HEFT_INLINE void v4_store(double* p, const V4& v) { memcpy(p, &v, sizeof v); }
HEFT_INLINE void v8_store(double* p, const V8& v) { memcpy(p, &v, sizeof v); }
HEFT_INLINE V4 v4_all(double a) { return V4{{a, a, a, a}}; }
HEFT_INLINE V8 v8_all(double a) { return V8{{a, a, a, a, a, a, a, a}}; }
HEFT_INLINE V4 v8_low(const V8& v) { return V4{{v[0], v[1], v[2], v[3]}}; }
HEFT_INLINE V4 v8_high(const V8& v) { return V4{{v[4], v[5], v[6], v[7]}}; }
HEFT_INLINE V8 v8_join(const V4& a, const V4& b) {
  return V8{{a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]}};
}

#endif
