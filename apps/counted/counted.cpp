// SPDX-License-Identifier: Apache-2.0
// Papers: R16, R17.
// The sources of the Delassus methods, compiled a second time with a number type that counts.
//
// `double` becomes Counted, and the vectors of math/simd.h become arrays of Counted (the file
// shadow/math/simd.h replaces it). Both have the layout of the originals, so that the functions
// work on a HeftDynamics of the library. An operation counts if both of its operands are not zero:
// components of vectors that pad three numbers to four, or six to eight, are zero, and an operation
// with a zero needs no arithmetic. Signs do not count. The results have the bits of the library.
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmath>

// As in counted.h, whose headers are for other numbers.
struct CountedOperations {
  long multiplications, additions, executed;
};

namespace counted {

static CountedOperations counts;

struct Counted {
  double value;
  Counted() = default;
  constexpr Counted(double x) : value(x) {}
  explicit operator bool() const { return value != 0; }
};

template <typename Function>
Counted operate(long& counter, Counted a, Counted b, Function compute) {
  ++counts.executed;
  if (a.value != 0 && b.value != 0) ++counter;
  return Counted(compute(a.value, b.value));
}

Counted operator+(Counted a, Counted b) {
  return operate(counts.additions, a, b, [](double x, double y) { return x + y; });
}
Counted operator-(Counted a, Counted b) {
  return operate(counts.additions, a, b, [](double x, double y) { return x - y; });
}
Counted operator*(Counted a, Counted b) {
  return operate(counts.multiplications, a, b, [](double x, double y) { return x * y; });
}
Counted operator/(Counted a, Counted b) {
  return operate(counts.multiplications, a, b, [](double x, double y) { return x / y; });
}
Counted operator-(Counted a) { return Counted(-a.value); }
Counted& operator+=(Counted& a, Counted b) { return a = a + b; }
Counted& operator-=(Counted& a, Counted b) { return a = a - b; }
Counted& operator/=(Counted& a, Counted b) { return a = a / b; }
bool operator>(Counted a, Counted b) { return a.value > b.value; }
Counted sqrt(Counted a) {
  ++counts.multiplications;
  ++counts.executed;
  return Counted(std::sqrt(a.value));
}
Counted fabs(Counted a) { return Counted(std::fabs(a.value)); }

}  // namespace counted

#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wclass-memaccess"
#else
#pragma GCC diagnostic ignored "-Wnontrivial-memaccess"
#pragma GCC diagnostic ignored "-Wc99-extensions"
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#pragma GCC diagnostic ignored "-Wunused-function"

// The functions of the library keep their names; these are others.
#define heft_cholesky_factor counted_cholesky_factor
#define heft_cholesky_solve counted_cholesky_solve
#define heft_lu_factor counted_lu_factor
#define heft_lu_solve counted_lu_solve
#define heft_delassus_body counted_body
#define heft_delassus_chang_khatib counted_chang_khatib
#define heft_delassus_direct counted_direct
#define heft_delassus_direct_scratch counted_direct_scratch
#define heft_delassus_ltl counted_ltl
#define heft_delassus_name counted_name
#define heft_delassus_needs_aba counted_needs_aba
#define heft_delassus_text counted_text
#define heft_delassus_unit_forces counted_unit_forces
#define heft_delassus_unit_forces_scratch counted_unit_forces_scratch
#define heft_dynamics_delassus counted_dynamics_delassus
#define heft_dynamics_delassus_scratch counted_dynamics_delassus_scratch

namespace counted {
extern "C" __attribute__((visibility("default"))) void heft_assert_failed(const char* condition,
                                                                          const char* file,
                                                                          int line);
#define double Counted
#define _Alignas alignas
#define _Static_assert static_assert
#include "dynamics/delassus.c"
#include "dynamics/delassus_body.c"
#include "dynamics/delassus_chang_khatib.c"
#include "dynamics/delassus_direct.c"
#include "dynamics/delassus_ltl.c"
#include "dynamics/delassus_unit_forces.c"
#include "math/dense.c"
}  // namespace counted
#undef double

// The parameters of counted.h, as they are in memory.
extern "C" bool counted_delassus(const void* dynamics, int method, int count, const void* points,
                                 void* scratch, void* lambda, CountedOperations* out) {
  using namespace counted;
  counts = CountedOperations();
  counted_dynamics_delassus(static_cast<const HeftDynamics*>(dynamics),
                            static_cast<HeftDelassusMethod>(method), count,
                            static_cast<const HeftDelassusPoint*>(points),
                            static_cast<Counted*>(scratch), static_cast<Counted*>(lambda));
  *out = counts;
  return true;
}
