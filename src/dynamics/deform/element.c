// SPDX-License-Identifier: Apache-2.0
// One element of an elastic solid; element.h has the formulas.
#include "dynamics/deform/element.h"

#include <math.h>

// ---- the nearest rotation

static double determinant(const HeftMat3* a) {
  const double(*m)[3] = a->m;
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
         m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

// det(a) a⁻ᵀ
static HeftMat3 cofactors(const HeftMat3* a) {
  HeftMat3 out;
  for (int i = 0; i < 3; ++i) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) {
      const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      out.m[i][j] = a->m[i1][j1] * a->m[i2][j2] - a->m[i1][j2] * a->m[i2][j1];
    }
  }
  return out;
}

static double square(const HeftMat3* a) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) sum += a->m[i][j] * a->m[i][j];
  }
  return sum;
}

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

// Newton's iteration X := (γ X + X⁻ᵀ / γ) / 2 converges to R quadratically if F does not reflect;
// γ² = |X⁻¹| / |X| makes its first steps short ([Higham 1986]).
enum { POLAR_STEPS = 20 };

HeftMat3 heft_nearest_rotation(HeftMat3 f) {
  const double size = square(&f);
  if (!(determinant(&f) > 1e-6 * size * sqrt(size))) return rotation_by_eigenvectors(&f);
  HeftMat3 x = f;
  for (int step = 0; step < POLAR_STEPS; ++step) {
    const double inverse = 1 / determinant(&x);
    const HeftMat3 c = cofactors(&x);
    const double gamma2 = sqrt(square(&c) * inverse * inverse / square(&x)), gamma = sqrt(gamma2);
    const double own = 0.5 * gamma, other = 0.5 * inverse / gamma;
    double change = 0;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        const double next = own * x.m[i][j] + other * c.m[i][j], d = next - x.m[i][j];
        change += d * d;
        x.m[i][j] = next;
      }
    }
    if (change < 1e-20) break;  // the next error is its square
  }
  return x;
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
HeftMat3 heft_element_gradient(const Element* e, const double* x) {
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

// RᵀF - 1, which is symmetric.
static HeftSym3 strain_of(const HeftMat3* r, const HeftMat3* f) {
  HeftMat3 s;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j)
      s.m[i][j] = r->m[0][i] * f->m[0][j] + r->m[1][i] * f->m[1][j] + r->m[2][i] * f->m[2][j];
  }
  return (HeftSym3){s.m[0][0] - 1,
                    s.m[1][1] - 1,
                    s.m[2][2] - 1,
                    0.5 * (s.m[0][1] + s.m[1][0]),
                    0.5 * (s.m[0][2] + s.m[2][0]),
                    0.5 * (s.m[1][2] + s.m[2][1])};
}

// No eigenvalue is larger: mean + √(2/3) |deviator|, which a simple stretch attains.
static double largest_of(const HeftSym3* a) {
  const double mean = (a->xx + a->yy + a->zz) / 3, x = a->xx - mean, y = a->yy - mean,
               z = a->zz - mean;
  const double off = a->xy * a->xy + a->xz * a->xz + a->yz * a->yz;
  return mean + sqrt((x * x + y * y + z * z + 2 * off) * (2.0 / 3));
}

Strain heft_element_strain(const Element* e, HeftMat3 f, double* force) {
  Strain out = {
      .turn = heft_nearest_rotation(f), .cofactors = cofactors(&f), .ratio = determinant(&f)};
  const HeftSym3 strain = strain_of(&out.turn, &f);
  const double mu = e->law.mu, thin = fmin(0, out.ratio - element_thinnest),
               pressure = e->law.lambda * (out.ratio - 1) + e->law.barrier * thin;
  HeftMat3 away, stress;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      away.m[i][j] = f.m[i][j] - out.turn.m[i][j];
      stress.m[i][j] = 2 * mu * away.m[i][j] + pressure * out.cofactors.m[i][j];
    }
  }
  out.energy =
      e->volume * (mu * square(&away) + 0.5 * e->law.lambda * (out.ratio - 1) * (out.ratio - 1) +
                   0.5 * e->law.barrier * thin * thin);
  out.largest = largest_of(&strain);
  const double longer = fmax(0, out.largest);
  out.tension =
      fmax(0, fmax(2 * mu * out.largest + pressure * (1 + longer), -pressure * (1 + longer) - mu));
  if (!force) return out;
  for (int a = 0; a < e->count; ++a) {
    const double* g = e->gradient[a];
    double* own = force + 3L * e->node[a];
    for (int i = 0; i < 3; ++i)
      own[i] -= e->volume * (stress.m[i][0] * g[0] + stress.m[i][1] * g[1] + stress.m[i][2] * g[2]);
  }
  return out;
}

// ---- stiffness

void heft_element_stiffness(const Element* e, const Strain* s, double scale, double geometric,
                            double* values) {
  double k[ELEMENT_NODES_MAX][3], c[ELEMENT_NODES_MAX][3];
  const int n = e->count;
  const double mu = scale * e->volume * e->law.mu,
               lambda = scale * e->volume *
                        (e->law.lambda + (s->ratio < element_thinnest ? e->law.barrier : 0)),
               more = geometric * e->volume * s->tension;
  for (int a = 0; a < n; ++a) {
    const double* g = e->gradient[a];
    for (int i = 0; i < 3; ++i) {
      const double *r = s->turn.m[i], *f = s->cofactors.m[i];
      k[a][i] = r[0] * g[0] + r[1] * g[1] + r[2] * g[2];
      c[a][i] = f[0] * g[0] + f[1] * g[1] + f[2] * g[2];
    }
  }
  for (int a = 0; a < n; ++a) {
    for (int b = 0; b < n; ++b, values += 9) {
      const double dot = (mu + more) * (k[a][0] * k[b][0] + k[a][1] * k[b][1] + k[a][2] * k[b][2]);
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j)
          values[3 * i + j] = mu * k[b][i] * k[a][j] + lambda * c[a][i] * c[b][j];
        values[4 * i] += dot;
      }
    }
  }
}
