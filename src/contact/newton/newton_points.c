// SPDX-License-Identifier: Apache-2.0
// F of newton.c and its derivative for points, four at a time.
//
// The derivative D of the projection, smoothed or not, has the orthonormal eigenvectors e1, e2 of
// smooth_cone.c and t⊥, with eigenvalues λ1 = p'(l1), λ2 = p'(l2) and λ3 = |P_t| / |x_t|. Hence the
// contact's own part 1 - k D, k = 1 - ρα, has the same ones, and is eliminated in closed form:
//
//   own⁻¹ = Σ m_j v_j v_jᵀ,  m_j = 1 / (1 - k λ_j),     own⁻¹ E = ρ Σ λ_j m_j v_j v_jᵀ S.
//
// Without rounding (T = 0) p' is 0 or 1, and the same formulas hold.
#include <math.h>

#include "contact/core/packet_inline.h"
#include "contact/newton/newton.h"

// Quantities that depend on the parameters only.
typedef struct Law {
  double sigma, keep, back, radius, kink;  // T = radius / w
} Law;

static Law law_of(const Newton* newton) {
  const double back = newton->kappa / newton->sigma;
  return (Law){.sigma = newton->sigma,
               .keep = 1 - back,
               .back = back,
               .radius = newton->tau / sqrt(newton->sigma),
               .kink = NEWTON_KINK * newton->tau};
}

int newton_points_fit(const Core* core) {
  return core->by_effectors && !core->by_joints && core->plain &&
         core->constraints >= PACKET_SIZE && !heft_contact_problem_yields(core->problem);
}

HEFT_INLINE V4 friction_of(const Core* core, int i) {
  const Cone* cone = core->cone + i;
  return (V4){cone[0].mu[0], cone[1].mu[0], cone[2].mu[0], cone[3].mu[0]};
}

// p and p' of one coordinate.
typedef struct Bend4 {
  V4 value, slope;
} Bend4;

HEFT_INLINE Bend4 bend4(V4 l, V4 radius) {
  const V4 zero = v4_all(0), square = radius * radius, root = v4_root(l * l + 4 * square);
  const V4 value = v4_select(l >= zero, 0.5 * (l + root), 2 * square / (root - l));
  const I4 there = root > zero;
  return (Bend4){v4_select(there, value, zero), v4_select(there, value / root, zero)};
}

// The two coordinates of x, their bends, and |P_t| / |x_t|.
typedef struct Split4 {
  V4 length, scale, cut;  // |x_t|, 1 / (1 + µ²)
  Bend4 one, two;
} Split4;

HEFT_INLINE Split4 split4(V4 mu, V4 radius, const Packet3* x) {
  Split4 s;
  s.length = v4_root(x->t1 * x->t1 + x->t2 * x->t2);
  s.scale = 1 / (1 + mu * mu);
  s.one = bend4(mu * x->n - s.length, mu * radius);
  s.two = bend4(x->n + mu * s.length, radius);
  const V4 limit = s.scale * (mu * mu * s.two.slope + s.one.slope);
  const V4 cut = s.scale * (mu * s.two.value - s.one.value) / s.length;
  s.cut = v4_select(s.length > 1e-7 * (v4_abs(x->n) + radius), cut, limit);
  return s;
}

// ---- F

HEFT_INLINE V4 evaluate_four(Newton* newton, const Core* core, const Law* law, int i,
                             const double* r, double* f) {
  const Packet3 own = gather_slots(r + 4 * i), u = gather_slots(newton->u + 4 * i),
                center = gather_slots(newton->center + 4 * i);
  const V4 mu = friction_of(core, i), iw = v4_load(core->iw + i), step = iw / law->sigma,
           kink = v4_all(law->kink);
  const V4 shift = mu * (v4_root((kink * kink + u.t1 * u.t1) + u.t2 * u.t2) - kink);
  const Packet3 x = {(own.n - step * u.n - law->back * (own.n - center.n)) - step * shift,
                     own.t1 - step * u.t1 - law->back * (own.t1 - center.t1),
                     own.t2 - step * u.t2 - law->back * (own.t2 - center.t2)};
  const Split4 s = split4(mu, law->radius * iw, &x);
  const Packet3 out = {own.n - s.scale * (mu * s.one.value + s.two.value), own.t1 - x.t1 * s.cut,
                       own.t2 - x.t2 * s.cut};
  scatter_slots(newton->x + 4 * i, x);
  scatter_slots(f + 4 * i, out);
  return v4_load(core->w + i) * ((out.n * out.n + out.t1 * out.t1) + out.t2 * out.t2);
}

HEFT_CLONES
static double evaluate_points(Newton* newton, const Core* core, const Law* law, const double* r,
                              double* f) {
  V4 sum = v4_all(0);
  int i = 0;
  for (; i + PACKET_SIZE <= core->constraints; i += PACKET_SIZE)
    sum += evaluate_four(newton, core, law, i, r, f);
  if (i < core->constraints) {  // the last four, some of them once more
    const int again = PACKET_SIZE - (core->constraints - i);
    const V4 part = evaluate_four(newton, core, law, core->constraints - PACKET_SIZE, r, f);
    for (int k = again; k < PACKET_SIZE; ++k) sum[k] += part[k];
  }
  return v4_sum(sum);
}

double newton_points_evaluate(Newton* newton, const Core* core, const double* r, double* f) {
  const Law law = law_of(newton);
  return evaluate_points(newton, core, &law, r, f);
}

// ---- its derivative

// The matrix with the eigenvalues a, b, c along e1, e2, t⊥.
typedef struct Symmetric4 {
  V4 nn, n1, n2, m11, m12, m22;
} Symmetric4;

HEFT_INLINE Symmetric4 from_eigenvalues(V4 mu, V4 scale, V4 t1, V4 t2, V4 a, V4 b, V4 c) {
  const V4 mixed = scale * mu * (b - a), more = scale * (a + mu * mu * b) - c;
  return (Symmetric4){scale * (mu * mu * a + b), mixed * t1,     mixed * t2,
                      c + more * t1 * t1,        more * t1 * t2, c + more * t2 * t2};
}

// 3x3 matrices of four contacts, row-major, 36 numbers apart.
HEFT_INLINE void store_matrices(double* out, V4 a, V4 b, V4 c, V4 d, V4 e, V4 f, V4 g, V4 h,
                                V4 last) {
  transpose(&a, &b, &c, &d);
  transpose(&e, &f, &g, &h);
  v4_store(out, a), v4_store(out + 4, e);
  v4_store(out + 36, b), v4_store(out + 40, f);
  v4_store(out + 72, c), v4_store(out + 76, g);
  v4_store(out + 108, d), v4_store(out + 112, h);
  for (int k = 0; k < PACKET_SIZE; ++k) out[36 * k + 8] = last[k];
}

HEFT_INLINE void linearize_four(Newton* newton, const Core* core, const Law* law, int i) {
  const Packet3 x = gather_slots(newton->x + 4 * i), u = gather_slots(newton->u + 4 * i);
  const V4 mu = friction_of(core, i), iw = v4_load(core->iw + i), step = iw / law->sigma,
           zero = v4_all(0), kink = v4_all(law->kink);
  const Split4 s = split4(mu, law->radius * iw, &x);
  const V4 inverse = v4_select(s.length > zero, 1 / s.length, zero);
  const V4 t1 = x.t1 * inverse, t2 = x.t2 * inverse;
  const V4 m1 = 1 / (1 - law->keep * s.one.slope), m2 = 1 / (1 - law->keep * s.two.slope),
           m3 = 1 / (1 - law->keep * s.cut);
  const Symmetric4 m = from_eigenvalues(mu, s.scale, t1, t2, m1, m2, m3);
  const Symmetric4 h = from_eigenvalues(mu, s.scale, t1, t2, step * s.one.slope * m1,
                                        step * s.two.slope * m2, step * s.cut * m3);
  const V4 speed = v4_root((kink * kink + u.t1 * u.t1) + u.t2 * u.t2);
  const V4 slope = v4_select(speed > v4_all(1e-300), mu / speed, zero);
  const V4 s1 = slope * u.t1, s2 = slope * u.t2;
  store_matrices(newton->own + 36 * i, m.nn, m.n1, m.n2, m.n1, m.m11, m.m12, m.n2, m.m12, m.m22);
  store_matrices(newton->e + 36 * i, h.nn, h.n1 + h.nn * s1, h.n2 + h.nn * s2, h.n1,
                 h.m11 + h.n1 * s1, h.m12 + h.n1 * s2, h.n2, h.m12 + h.n2 * s1, h.m22 + h.n2 * s2);
}

HEFT_CLONES
static void linearize_points(Newton* newton, const Core* core, const Law* law) {
  int i = 0;
  for (; i + PACKET_SIZE <= core->constraints; i += PACKET_SIZE)
    linearize_four(newton, core, law, i);
  if (i < core->constraints) linearize_four(newton, core, law, core->constraints - PACKET_SIZE);
}

void newton_points_linearize(Newton* newton, const Core* core) {
  const Law law = law_of(newton);
  linearize_points(newton, core, &law);
}
