// SPDX-License-Identifier: Apache-2.0
// The elementary functions against the long double functions of the C library, in units of the last
// place of a double; their special values; lanes against single calls, bit for bit; and one number
// that stands for a million results and must be the same from every compiler and at every level.
#include <float.h>
#include <heft/math.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// cmocka.h needs the other three before it.
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
// clang-format on

#include "math/sincos_packet.h"

#define ULP_MAX 1.0
#define HALF_PI 1.57079632679489661923

// ---- random numbers, the same everywhere ----

static uint64_t next_bits(uint64_t* seed) {
  uint64_t z = (*seed += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static double uniform(uint64_t* seed, double low, double high) {
  return low + (high - low) * ((double)(next_bits(seed) >> 11) * 0x1p-53);
}

static double from_bits(uint64_t u) {
  double x;
  memcpy(&x, &u, sizeof x);
  return x;
}

static uint64_t bits_of(double x) {
  uint64_t u;
  memcpy(&u, &x, sizeof u);
  return u;
}

/// Any finite double, every exponent as likely as any other.
static double any_finite(uint64_t* seed) {
  const uint64_t u = next_bits(seed), exponent = next_bits(seed) % 2047;
  return from_bits((u & UINT64_C(0x800fffffffffffff)) | (exponent << 52));
}

/// x moved by up to 3 units in its last place.
static double nudged(uint64_t* seed, double x) {
  return from_bits(bits_of(x) + next_bits(seed) % 7 - 3);
}

// ---- inputs, one family per function of this kind ----

typedef double Family(uint64_t* seed);

static double turn(uint64_t* seed) { return uniform(seed, -6.5, 6.5); }
static double octant(uint64_t* seed) { return uniform(seed, -0.8, 0.8); }
static double many_turns(uint64_t* seed) { return uniform(seed, -1.7e6, 1.7e6); }
static double huge(uint64_t* seed) { return uniform(seed, -1.0, 1.0) * 1e300; }
static double tiny(uint64_t* seed) { return uniform(seed, -1.0, 1.0) * 1e-300; }
static double subnormal(uint64_t* seed) { return uniform(seed, -1.0, 1.0) * DBL_MIN; }
static double unit(uint64_t* seed) { return uniform(seed, -1.0, 1.0); }
static double near_one(uint64_t* seed) {
  return from_bits(bits_of(1.0) + next_bits(seed) % 2000 - 1000);
}
static double around_one(uint64_t* seed) { return uniform(seed, 0.5, 2.0); }
static double below_one(uint64_t* seed) {
  const double x = 1.0 - from_bits((1023 - next_bits(seed) % 54) << 52) * uniform(seed, 0.0, 1.0);
  return next_bits(seed) % 2 ? x : -x;
}

/// Next to multiples of pi/4 (odd ones are the borders of the reduction), small and large.
static double quarter_turns(uint64_t* seed) {
  const double n = (double)(next_bits(seed) >> (8 + next_bits(seed) % 55));
  return nudged(seed, (double)((long double)n * 0.785398163397448309615660845819876L));
}
static double packed_limit(uint64_t* seed) {
  return uniform(seed, 0.9999, 1.0001) * HEFT_SINCOS_PACKET_MAX;
}
/// The doubles nearest to a multiple of pi/2, of all and of those the lanes take; multiples of
/// these.
static double hardest(uint64_t* seed) {
  if (next_bits(seed) % 2 == 0) return 0x1.6c6cbc45dc8dep+5 * (double)(1 + next_bits(seed) % 8);
  return ldexp(6381956970095103.0, 797) * (double)(1 + next_bits(seed) % 8);
}

static double exponents(uint64_t* seed) { return uniform(seed, -746.0, 711.0); }
static double exp_subnormal(uint64_t* seed) { return uniform(seed, -745.2, -708.0); }
static double exp_borders(uint64_t* seed) {
  const double n = (double)(int)(next_bits(seed) % 2098) - 1074.0;
  return nudged(seed, (n + 0.5) * 0.693147180559945309417);
}
static double positive(uint64_t* seed) { return fabs(any_finite(seed)); }
static double log_borders(uint64_t* seed) {
  return nudged(seed, ldexp(sqrt(0.5), (int)(next_bits(seed) % 2000) - 1000));
}

// asinl() of Windows loses digits near 1.
static long double arcsine(long double x) { return atan2l(x, sqrtl((1 - x) * (1 + x))); }
static long double arccosine(long double x) { return atan2l(sqrtl((1 - x) * (1 + x)), x); }

typedef struct Check {
  const char* name;
  double (*ours)(double);
  long double (*theirs)(long double);
  Family* families[12];
} Check;

static const Check CHECKS[] = {
    {"sin",
     heft_sin,
     sinl,
     {turn, octant, many_turns, quarter_turns, packed_limit, any_finite, huge, tiny, subnormal,
      hardest}},
    {"cos",
     heft_cos,
     cosl,
     {turn, octant, many_turns, quarter_turns, packed_limit, any_finite, huge, tiny, subnormal,
      hardest}},
    {"exp", heft_exp, expl, {exponents, unit, exp_subnormal, exp_borders, turn, tiny, near_one}},
    {"log", heft_log, logl, {positive, around_one, near_one, log_borders, below_one}},
    {"asin", heft_asin, arcsine, {unit, octant, below_one, tiny, subnormal}},
    {"acos", heft_acos, arccosine, {unit, octant, below_one, tiny, subnormal}},
};

// ---- accuracy ----

/// |ours - theirs| in units of the last place of a double there.
static double ulps(double ours, long double theirs) {
  if (isnan(ours) || isnan(theirs)) return isnan(ours) && isnan(theirs) ? 0.0 : INFINITY;
  const long double top = ldexpl(1.0L, 1024) - ldexpl(1.0L, 970);
  if (fabsl(theirs) >= top || isinf(ours)) {
    return isinf(ours) && fabsl(theirs) >= top && (ours > 0) == (theirs > 0) ? 0.0 : INFINITY;
  }
  int e;
  frexpl(theirs, &e);
  const int last = theirs == 0.0L || e - 53 < -1074 ? -1074 : e - 53;
  return (double)fabsl(ldexpl((long double)ours - theirs, -last));
}

static void report(const char* name, long count, double worst, double x, double y) {
  printf("%-6s %8ld points, at most %.4f ulp, at %a %a\n", name, count, worst, x, y);
  assert_true(worst <= ULP_MAX);
}

/// Does the C library subtract multiples of pi/2 with enough bits? That of Windows does not: its
/// sine is the processor's. There the golden bits are the test of sin and cos.
static int library_reduces(void) {
  const volatile long double hardest = ldexpl(6381956970095103.0L, 797);
  return fabsl(cosl(hardest) + 4.6871659242546276111e-19L) < 1e-35L;
}

static void test_one_argument(void** state) {
  (void)state;
  for (size_t i = library_reduces() ? 0 : 2; i < sizeof CHECKS / sizeof *CHECKS; ++i) {
    const Check* check = &CHECKS[i];
    double worst = 0.0, where = 0.0;
    long count = 0;
    uint64_t seed = i;
    int families = 0;
    while (check->families[families] != NULL) ++families;
    for (int f = 0; f < families; ++f) {
      for (int k = 0; k < 2000000 / families + 1; ++k, ++count) {
        double x = check->families[f](&seed);
        if (check->ours == heft_log) x = fabs(x);
        const double error = ulps(check->ours(x), check->theirs((long double)x));
        if (!(error <= worst)) worst = error, where = x;
      }
    }
    report(check->name, count, worst, where, 0.0);
  }
}

static void test_atan2(void** state) {
  (void)state;
  uint64_t seed = 77;
  double worst = 0.0, where[2] = {0.0, 0.0};
  const long count = 2000000;
  for (long i = 0; i < count; ++i) {
    double y = any_finite(&seed), x = any_finite(&seed);
    if (i % 8 == 1) x = uniform(&seed, -1.0, 1.0), y = uniform(&seed, -1.0, 1.0);
    if (i % 8 == 2) x = nudged(&seed, y);
    if (i % 8 == 3) x = y * uniform(&seed, -2.0, 2.0);
    if (i % 8 == 4) {  // between two centres k/8, where the reduced argument is largest
      x = uniform(&seed, -2.0, 2.0);
      y = nudged(&seed, x * ((double)(next_bits(&seed) % 16) / 16.0));
    }
    if (i % 8 == 5) x = 1.0 + uniform(&seed, 0.0, 1.0), y = x * uniform(&seed, 0x1p-29, 0x1p-27);
    if (i % 8 == 6) x = subnormal(&seed), y = subnormal(&seed);
    if (i % 8 == 7) x = huge(&seed) * 1e8, y = huge(&seed) * 1e8;
    const double error = ulps(heft_atan2(y, x), atan2l((long double)y, (long double)x));
    if (!(error <= worst)) worst = error, where[0] = y, where[1] = x;
  }
  report("atan2", count, worst, where[0], where[1]);
}

// ---- special values ----

static void assert_same(double a, double b) { assert_int_equal(bits_of(a), bits_of(b)); }

static const uint64_t NAN_BITS = UINT64_C(0x7ff8000000000000);

static void test_special_trigonometry(void** state) {
  (void)state;
  assert_same(heft_sin(0.0), 0.0);
  assert_same(heft_sin(-0.0), -0.0);
  assert_same(heft_cos(-0.0), 1.0);
  assert_same(heft_sin(0x1p-1074), 0x1p-1074);
  assert_same(heft_sin(-0x1p-1074), -0x1p-1074);
  const double bad[] = {INFINITY, -INFINITY, NAN, -NAN};
  for (int i = 0; i < 4; ++i) {
    double s, c;
    heft_sincos(bad[i], &s, &c);
    assert_int_equal(bits_of(s), NAN_BITS);
    assert_int_equal(bits_of(c), NAN_BITS);
    assert_int_equal(bits_of(heft_sin(bad[i])), NAN_BITS);
    assert_int_equal(bits_of(heft_cos(bad[i])), NAN_BITS);
    assert_int_equal(bits_of(heft_asin(bad[i])), NAN_BITS);
    assert_int_equal(bits_of(heft_acos(bad[i])), NAN_BITS);
  }
  assert_same(heft_asin(1.0), HALF_PI);
  assert_same(heft_asin(-1.0), -HALF_PI);
  assert_same(heft_asin(-0.0), -0.0);
  assert_same(heft_acos(1.0), 0.0);
  assert_same(heft_acos(-1.0), 2.0 * HALF_PI);
  assert_same(heft_acos(0.0), HALF_PI);
  assert_int_equal(bits_of(heft_asin(1.0 + DBL_EPSILON)), NAN_BITS);
  assert_int_equal(bits_of(heft_acos(-1.0 - DBL_EPSILON)), NAN_BITS);
}

/// Every pair of special values: the C library follows the C standard here.
static void test_special_atan2(void** state) {
  (void)state;
  const double v[] = {0.0,      -0.0,    1.0,      -1.0,      2.5,        -2.5,     DBL_MAX,
                      -DBL_MAX, DBL_MIN, -DBL_MIN, 0x1p-1074, -0x1p-1074, INFINITY, -INFINITY};
  const int n = sizeof v / sizeof *v;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      assert_same(heft_atan2(v[i], v[j]), (double)atan2l((long double)v[i], (long double)v[j]));
    }
    assert_int_equal(bits_of(heft_atan2(v[i], NAN)), NAN_BITS);
    assert_int_equal(bits_of(heft_atan2(-NAN, v[i])), NAN_BITS);
  }
}

static void test_special_exp_log(void** state) {
  (void)state;
  assert_same(heft_exp(0.0), 1.0);
  assert_same(heft_exp(-0.0), 1.0);
  assert_same(heft_exp(INFINITY), INFINITY);
  assert_same(heft_exp(-INFINITY), 0.0);
  assert_int_equal(bits_of(heft_exp(-NAN)), NAN_BITS);
  // The last finite and the first infinite value, the last above and the first at zero.
  assert_true(heft_exp(0x1.62e42fefa39efp+9) <= DBL_MAX);
  assert_same(heft_exp(0x1.62e42fefa39fp+9), INFINITY);
  assert_same(heft_exp(-0x1.74910d52d3051p+9), 0x1p-1074);
  assert_same(heft_exp(-0x1.74910d52d3053p+9), 0.0);
  assert_same(heft_exp(DBL_MAX), INFINITY);
  assert_same(heft_exp(-DBL_MAX), 0.0);
  assert_same(heft_log(1.0), 0.0);
  assert_same(heft_log(0.0), -INFINITY);
  assert_same(heft_log(-0.0), -INFINITY);
  assert_same(heft_log(INFINITY), INFINITY);
  assert_int_equal(bits_of(heft_log(-INFINITY)), NAN_BITS);
  assert_int_equal(bits_of(heft_log(-0x1p-1074)), NAN_BITS);
  assert_int_equal(bits_of(heft_log(NAN)), NAN_BITS);
  assert_same(heft_log(0x1p-1074), -0x1.74385446d71c3p+9);
}

// ---- lanes ----

static void check_lanes(int n, const double* x) {
  static double s[512], c[512];
  heft_sincos_many(n, x, s + 1, c + 1);
  for (int i = 0; i < n; ++i) {
    double si, ci;
    heft_sincos(x[i], &si, &ci);
    assert_same(s[i + 1], si);
    assert_same(c[i + 1], ci);
    assert_same(si, heft_sin(x[i]));
    assert_same(ci, heft_cos(x[i]));
  }
}

static void test_lanes_equal_single_calls(void** state) {
  (void)state;
  Family* const* families = CHECKS[0].families;
  uint64_t seed = 5;
  double x[256];
  for (int round = 0; round < 8000; ++round) {
    const int f = round % 11;  // the eleventh mixes all of them
    const int n = round < 400 ? round % 40 : 256;
    for (int i = 0; i < n; ++i) x[i] = families[f < 10 ? f : (int)(next_bits(&seed) % 10)](&seed);
    if (n > 3 && round % 7 == 0) x[round % n] = (double[]){NAN, -INFINITY, INFINITY}[round % 3];
    check_lanes(n, x);
  }
  const double zeros[9] = {-0.0, 0.0, -0.0, 0.0, -0.0, 0.0, -0.0, 0.0, -0.0};
  check_lanes(9, zeros);
}

static void test_many_writes_nothing_beyond(void** state) {
  (void)state;
  const double x[20] = {0.5, 1e300, NAN};
  for (int n = 0; n < 20; ++n) {
    double s[21], c[21];
    for (int i = 0; i < 21; ++i) s[i] = c[i] = 7.0;
    heft_sincos_many(n, x, s, c);
    for (int i = n; i < 21; ++i) assert_true(s[i] == 7.0 && c[i] == 7.0);
  }
}

// ---- the same bits everywhere ----

static uint64_t mixed(uint64_t hash, double x) {
  return (hash ^ bits_of(x)) * UINT64_C(0x100000001b3);
}

/// One number for the results of a million inputs. If it changes, every recorded run changes: do
/// not renew it to make a build pass.
static void test_golden_bits(void** state) {
  (void)state;
  uint64_t hash = UINT64_C(0xcbf29ce484222325), seed = 2024;
  for (int i = 0; i < 1000000; ++i) {
    const double any = any_finite(&seed), angle = uniform(&seed, -20.0, 20.0);
    const double other = uniform(&seed, -20.0, 20.0), part = uniform(&seed, -1.0, 1.0);
    double s, c;
    heft_sincos(i % 4 == 0 ? any : i % 4 == 1 ? angle * 5e4 : angle, &s, &c);
    hash = mixed(mixed(hash, s), c);
    hash = mixed(hash, heft_atan2(angle, i % 4 == 0 ? any : other));
    hash = mixed(hash, heft_exp(i % 2 == 0 ? angle : part * 750.0));
    hash = mixed(hash, heft_log(i % 2 == 0 ? any : angle));
    hash = mixed(mixed(hash, heft_asin(part)), heft_acos(part));
    if (i % 8 == 7) {
      double x[8], sines[8], cosines[8];
      for (int k = 0; k < 8; ++k) x[k] = uniform(&seed, -100.0, 100.0);
      heft_sincos_many(8, x, sines, cosines);
      for (int k = 0; k < 8; ++k) hash = mixed(mixed(hash, sines[k]), cosines[k]);
    }
  }
  printf("golden 0x%016llx\n", (unsigned long long)hash);
  assert_int_equal(hash, UINT64_C(0x247208e76ed80f4c));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_one_argument),
      cmocka_unit_test(test_atan2),
      cmocka_unit_test(test_special_trigonometry),
      cmocka_unit_test(test_special_atan2),
      cmocka_unit_test(test_special_exp_log),
      cmocka_unit_test(test_lanes_equal_single_calls),
      cmocka_unit_test(test_many_writes_nothing_beyond),
      cmocka_unit_test(test_golden_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
