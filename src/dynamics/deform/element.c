// SPDX-License-Identifier: Apache-2.0
// One element of an elastic solid; element.h has the formulas.
#include "dynamics/deform/element.h"

#include <math.h>

#include "math/simd.h"

// ---- the nearest rotation

// F = U Σ Vᵀ from the eigenvectors of FᵀF. The direction of the least singular value is taken from
// the other two, so that U Vᵀ does not reflect.
static HeftMat3 rotation_by_eigenvectors(const HeftMat3* f) {
  const HeftVec3 c[3] = {heft_mat3_column(*f, 0), heft_mat3_column(*f, 1), heft_mat3_column(*f, 2)};
  const HeftSym3 a = {heft_vec3_dot(c[0], c[0]), heft_vec3_dot(c[1], c[1]),
                      heft_vec3_dot(c[2], c[2]), heft_vec3_dot(c[0], c[1]),
                      heft_vec3_dot(c[0], c[2]), heft_vec3_dot(c[1], c[2])};
  HeftVec3 e;
  HeftMat3 v;
  heft_sym3_eigen(a, &e, &v);
  const double value[3] = {e.x, e.y, e.z};
  int least = 0, most = 0;
  for (int i = 1; i < 3; ++i) {
    if (value[i] < value[least]) least = i;
    if (value[i] > value[most]) most = i;
  }
  if (!(value[most] > 0)) return heft_mat3_identity();
  if (least == most) least = (most + 1) % 3;
  const int between = 3 - least - most;
  HeftVec3 u[3];
  u[most] = heft_vec3_normalize(heft_mat3_mul_vec(*f, heft_mat3_column(v, most)));
  HeftVec3 second = heft_mat3_mul_vec(*f, heft_mat3_column(v, between));
  second = heft_vec3_sub(second, heft_vec3_scale(heft_vec3_dot(second, u[most]), u[most]));
  if (!(heft_vec3_dot(second, second) > 1e-24 * value[most])) {  // a line: any direction across it
    const HeftVec3 across = fabs(u[most].x) < 0.7 ? heft_vec3(1, 0, 0) : heft_vec3(0, 1, 0);
    second = heft_vec3_cross(u[most], across);
  }
  u[between] = heft_vec3_normalize(second);
  const HeftVec3 w = heft_vec3_cross(heft_mat3_column(v, most), heft_mat3_column(v, between));
  const HeftVec3 third = heft_vec3_cross(u[most], u[between]);
  HeftMat3 out = {{{0}}};
  const HeftVec3 left[3] = {u[most], u[between], third},
                 right[3] = {heft_mat3_column(v, most), heft_mat3_column(v, between), w};
  for (int k = 0; k < 3; ++k) {
    const double l[3] = {left[k].x, left[k].y, left[k].z},
                 r[3] = {right[k].x, right[k].y, right[k].z};
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) out.m[i][j] += l[i] * r[j];
    }
  }
  return out;
}

// Four matrices, one in each lane. Lanes share nothing: an element has the same bits beside any
// others.
typedef struct Four {
  V4 m[3][3];
} Four;

HEFT_INLINE V4 four_determinant(const Four* a) {
  const V4(*m)[3] = a->m;
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
         m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

HEFT_INLINE Four four_cofactors(const Four* a) {
  Four out;
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
#pragma GCC unroll 3
    for (int j = 0; j < 3; ++j) {
      const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      out.m[i][j] = a->m[i1][j1] * a->m[i2][j2] - a->m[i1][j2] * a->m[i2][j1];
    }
  }
  return out;
}

HEFT_INLINE V4 four_square(const Four* a) {
  V4 sum = v4_all(0);
#pragma GCC unroll 9
  for (int i = 0; i < 9; ++i) sum += a->m[i / 3][i % 3] * a->m[i / 3][i % 3];
  return sum;
}

HEFT_INLINE V4 four_roots(V4 a) { return (V4){sqrt(a[0]), sqrt(a[1]), sqrt(a[2]), sqrt(a[3])}; }

HEFT_INLINE V4 four_larger(V4 a, V4 b) { return v4_select(a > b, a, b); }

// Newton's iteration X := (γ X + X⁻ᵀ / γ) / 2 converges to R quadratically if F does not reflect;
// γ² = |X⁻¹| / |X| makes its first steps short ([Higham 1986]).
enum { POLAR_STEPS = 20 };

// heft_nearest_rotation(), where `regular`; elsewhere anything.
HEFT_INLINE Four four_rotations(const Four* f, I4 regular) {
  Four x = *f;
  I4 left = regular;
  for (int step = 0; step < POLAR_STEPS && i4_or(left); ++step) {
    const V4 inverse = v4_all(1) / four_determinant(&x);
    const Four c = four_cofactors(&x);
    const V4 gamma = four_roots(four_roots(four_square(&c) * inverse * inverse / four_square(&x)));
    const V4 own = v4_all(0.5) * gamma, other = v4_all(0.5) * inverse / gamma;
    V4 change = v4_all(0);
#pragma GCC unroll 9
    for (int i = 0; i < 9; ++i) {
      V4* at = &x.m[i / 3][i % 3];
      const V4 next = own * *at + other * c.m[i / 3][i % 3], d = next - *at;
      change += d * d;
      *at = v4_select(left, next, *at);
    }
    left &= ~(change < v4_all(1e-20));  // the next error is its square
  }
  return x;
}

// Of four elements: what the strain follows from, and what it is. Numbers of one are four apart.
typedef struct FourElements {
  double gradient[9][4];
  double volume[4], mu[4], lambda[4], barrier[4];
  double turn[9][4], cofactors[9][4], stress[9][4];
  double energy[4], largest[4], tension[4], ratio[4];
  int singular;  ///< bits: the lanes that need rotation_by_eigenvectors()
} FourElements;

HEFT_CLONES
static void rotations_of_four(FourElements* e) {
  Four f;
  for (int i = 0; i < 9; ++i) f.m[i / 3][i % 3] = v4_load(e->gradient[i]);
  const V4 size = four_square(&f);
  const I4 regular = four_determinant(&f) > v4_all(1e-6) * size * four_roots(size);
  const Four r = four_rotations(&f, regular);
  for (int i = 0; i < 9; ++i) v4_store(e->turn[i], r.m[i / 3][i % 3]);
  e->singular = (int)(v4_bits(regular) ^ 15u);
}

// The rotation nearest to each gradient of the lanes 0 to count - 1.
static void find_rotations(FourElements* e, int count) {
  rotations_of_four(e);
  for (int k = 0; k < count; ++k) {
    HeftMat3 f;
    if (!(e->singular >> k & 1)) continue;
    for (int i = 0; i < 9; ++i) f.m[i / 3][i % 3] = e->gradient[i][k];
    f = rotation_by_eigenvectors(&f);
    for (int i = 0; i < 9; ++i) e->turn[i][k] = f.m[i / 3][i % 3];
  }
}

HeftMat3 heft_nearest_rotation(HeftMat3 f) {
  FourElements four = {.singular = 0};
  for (int i = 0; i < 36; ++i) four.gradient[i / 4][i % 4] = f.m[i / 12][i / 4 % 3];
  find_rotations(&four, 1);
  for (int i = 0; i < 9; ++i) f.m[i / 3][i % 3] = four.turn[i][0];
  return f;
}

// ---- rest shape

Strain heft_strain_at_rest(void) {
  return (Strain){.turn = heft_mat3_identity(), .cofactors = heft_mat3_identity(), .ratio = 1};
}

void heft_element_tetrahedron(Element* t, const double* rest) {
  const HeftVec3 o = heft_vec3_from(rest + 3L * t->node[0]);
  HeftVec3 e[3];
  for (int i = 0; i < 3; ++i) e[i] = heft_vec3_sub(heft_vec3_from(rest + 3L * t->node[i + 1]), o);
  const double six = heft_vec3_dot(e[0], heft_vec3_cross(e[1], e[2]));
  HeftVec3 sum = heft_vec3(0, 0, 0);
  t->volume = six / 6;
  for (int i = 0; i < 3; ++i) {
    const HeftVec3 g = heft_vec3_scale(1 / six, heft_vec3_cross(e[(i + 1) % 3], e[(i + 2) % 3]));
    t->gradient[i + 1][0] = g.x;
    t->gradient[i + 1][1] = g.y;
    t->gradient[i + 1][2] = g.z;
    sum = heft_vec3_add(sum, g);
  }
  t->gradient[0][0] = -sum.x;
  t->gradient[0][1] = -sum.y;
  t->gradient[0][2] = -sum.z;
}

// The gradients add up to zero: places are taken from the first corner.
static HeftMat3 gradient_of(const Element* e, const double* x) {
  HeftMat3 f = {{{0}}};
  const double* o = x + 3L * e->node[0];
  for (int a = 1; a < e->count; ++a) {
    const double *own = x + 3L * e->node[a], *g = e->gradient[a];
    for (int i = 0; i < 3; ++i) {
      const double d = own[i] - o[i];
      for (int j = 0; j < 3; ++j) f.m[i][j] += d * g[j];
    }
  }
  return f;
}

// ---- strain

// The largest of RᵀF - 1: no eigenvalue is larger than mean + √(2/3) |deviator|, which a simple
// stretch attains.
HEFT_INLINE V4 largest_of_four(const Four* r, const Four* f) {
  V4 s[3][3];
#pragma GCC unroll 9
  for (int i = 0; i < 9; ++i)
    s[i / 3][i % 3] = r->m[0][i / 3] * f->m[0][i % 3] + r->m[1][i / 3] * f->m[1][i % 3] +
                      r->m[2][i / 3] * f->m[2][i % 3];
  const V4 one = v4_all(1), half = v4_all(0.5), third = v4_all(1.0 / 3), xx = s[0][0] - one,
           yy = s[1][1] - one, zz = s[2][2] - one, xy = half * (s[0][1] + s[1][0]),
           xz = half * (s[0][2] + s[2][0]), yz = half * (s[1][2] + s[2][1]),
           mean = (xx + yy + zz) * third;
  const V4 x = xx - mean, y = yy - mean, z = zz - mean, off = xy * xy + xz * xz + yz * yz;
  return mean + four_roots((x * x + y * y + z * z + off + off) * v4_all(2.0 / 3));
}

HEFT_CLONES
static void strain_of_four(FourElements* e) {
  Four f, r, away;
  for (int i = 0; i < 9; ++i) {
    f.m[i / 3][i % 3] = v4_load(e->gradient[i]);
    r.m[i / 3][i % 3] = v4_load(e->turn[i]);
    away.m[i / 3][i % 3] = f.m[i / 3][i % 3] - r.m[i / 3][i % 3];
  }
  const Four c = four_cofactors(&f);
  const V4 zero = v4_all(0), one = v4_all(1), half = v4_all(0.5), mu = v4_load(e->mu),
           lambda = v4_load(e->lambda), barrier = v4_load(e->barrier), volume = v4_load(e->volume),
           ratio = four_determinant(&f), lean = ratio - v4_all(element_thinnest),
           thin = v4_select(lean < zero, lean, zero), grown = ratio - one,
           pressure = lambda * grown + barrier * thin, largest = largest_of_four(&r, &f),
           longer = one + four_larger(zero, largest), load = pressure * longer,
           pull = mu * largest + mu * largest + load;
  const V4 energy = volume * (mu * four_square(&away) + half * lambda * grown * grown +
                              half * barrier * thin * thin);
  for (int i = 0; i < 9; ++i) {
    const V4 own = c.m[i / 3][i % 3], twice = away.m[i / 3][i % 3] + away.m[i / 3][i % 3];
    v4_store(e->cofactors[i], own);
    v4_store(e->stress[i], volume * (mu * twice + pressure * own));
  }
  v4_store(e->energy, energy);
  v4_store(e->largest, largest);
  v4_store(e->tension, four_larger(zero, four_larger(pull, -load - mu)));
  v4_store(e->ratio, ratio);
}

void heft_elements_strain(int count, const Element* e, const double* x, HeftMat3* gradient,
                          Strain* out, HeftMat3* stress) {
  FourElements four = {.singular = 0};
  for (int k = 0; k < STRAINS; ++k) {
    const Element* own = &e[k < count ? k : 0];
    const HeftMat3 f = gradient_of(own, x);
    for (int i = 0; i < 9; ++i) four.gradient[i][k] = f.m[i / 3][i % 3];
    if (k < count) gradient[k] = f;
    four.volume[k] = own->volume;
    four.mu[k] = own->law.mu;
    four.lambda[k] = own->law.lambda;
    four.barrier[k] = own->law.barrier;
  }
  find_rotations(&four, count);
  strain_of_four(&four);
  for (int k = 0; k < count; ++k) {
    for (int i = 0; i < 9; ++i) {
      out[k].turn.m[i / 3][i % 3] = four.turn[i][k];
      out[k].cofactors.m[i / 3][i % 3] = four.cofactors[i][k];
    }
    out[k].energy = four.energy[k];
    out[k].largest = four.largest[k];
    out[k].tension = four.tension[k];
    out[k].ratio = four.ratio[k];
    for (int i = 0; i < 9 && stress; ++i) stress[k].m[i / 3][i % 3] = four.stress[i][k];
  }
}

// ---- stiffness

// out := m g.
HEFT_INLINE void times(const HeftMat3* m, const double* g, double* out) {
  for (int i = 0; i < 3; ++i) out[i] = m->m[i][0] * g[0] + m->m[i][1] * g[1] + m->m[i][2] * g[2];
}

void heft_element_stiffness(const Element* e, const Strain* s, int a, double scale,
                            double geometric, double* values) {
  const double mu = scale * e->volume * e->law.mu,
               lambda = scale * e->volume *
                        (e->law.lambda + (s->ratio < element_thinnest ? e->law.barrier : 0)),
               more = geometric * e->volume * s->tension;
  double ka[3], ca[3], kb[3], cb[3];
  times(&s->turn, e->gradient[a], ka);
  times(&s->cofactors, e->gradient[a], ca);
  for (int b = 0; b < e->count; ++b, values += 9) {
    times(&s->turn, e->gradient[b], kb);
    times(&s->cofactors, e->gradient[b], cb);
    const double dot = (mu + more) * (ka[0] * kb[0] + ka[1] * kb[1] + ka[2] * kb[2]);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) values[3 * i + j] = mu * kb[i] * ka[j] + lambda * ca[i] * cb[j];
      values[4 * i] += dot;
    }
  }
}
