// SPDX-License-Identifier: Apache-2.0
// The step of newton.c by effectors (newton_effectors.c), for islands so small that its setup would
// dominate.
//
// With the proximal point c: F = r - P_K(x), x = r - (û + κ w (r - c)) / (σ w), D = DP_K(x), and
// with k = 1 - κ/σ a step solves (1 - k D + D S W / (σ w)) d = -F. Each contact is eliminated in
// closed form, d = g - H X w, because D is diagonal in the frame (v, v⊥, t⊥) of a contact that
// slips, v = (1, µ t) / √(1 + µ²): its eigenvalues are 1, 0 and c = µ n / |x_t|. Hence
//
//   sticks   H = 1 / (κ w),                                   g = c - r - u / (κ w)
//   slips    H = E (1 + µ n ∂|u_t|),                          g = -F - k σ w E F
//            with E = v vᵀ / (κ w) + h t⊥ t⊥ᵀ and h = c / (σ w (1 - k c))
//   opens    H = 0,                                           g = -r
//
// A sticking contact tends to u = 0, where û = u: its shift, which has a kink there, is omitted.
// The remaining system is (1 + Ω S) w = Ω Xᵀ g with S = Σ Xᵀ H X, six rows per effector.
#include "contact/newton/small_newton.h"

#include <math.h>
#include <string.h>

static const double SIGMA = 0.1;  // scale of x: small values see contacts change state too early

int small_newton_fits(const Core* core) {
  if (!core->by_effectors || core->by_joints || core->effectors > SMALL_EFFECTORS ||
      core->constraints > SMALL_CONTACTS)
    return 0;
  if (heft_contact_problem_yields(core->problem)) return 0;
  for (int i = 0; i < core->constraints && !core->plain; ++i) {
    if (core->rows[i] != 1 && !core->is_point[i]) return 0;
  }
  return 1;
}

// ---- one contact: H (rows of four) and g

HEFT_INLINE void set_rows(double* h, V4 a, V4 b, V4 c) {
  v4_store(h, a);
  v4_store(h + 4, b);
  v4_store(h + 8, c);
}

// u: with the proximal term.
HEFT_INLINE void stick(double stiff, const double* u, double* h, double* g) {
  set_rows(h, (V4){stiff, 0, 0, 0}, (V4){0, stiff, 0, 0}, (V4){0, 0, stiff, 0});
  v4_store(g, (V4){-stiff * u[0], -stiff * u[1], -stiff * u[2], 0});
}

HEFT_INLINE void slip(double mu, double w, double kappa, const double* r, const double* u,
                      const double* x, double n, double t, double* h, double* g) {
  const double e1 = x[1] / t, e2 = x[2] / t, keep = 1 - kappa / SIGMA;
  const double c = mu * n / t, along = 1 / ((1 + mu * mu) * kappa * w),
               turn = c / (SIGMA * w * (1 - keep * c));
  // the symmetric matrix v vᵀ / (κ w) + h t⊥ t⊥ᵀ
  const double m1 = along * mu * e1, m2 = along * mu * e2;
  const double m11 = m1 * mu * e1 + turn * e2 * e2, m12 = m1 * mu * e2 - turn * e1 * e2,
               m22 = m2 * mu * e2 + turn * e1 * e1;
  const double f0 = r[0] - n, f1 = r[1] - mu * n * e1, f2 = r[2] - mu * n * e2;
  const double back = keep * SIGMA * w;
  v4_store(g, (V4){-f0 - back * (along * f0 + m1 * f1 + m2 * f2),
                   -f1 - back * (m1 * f0 + m11 * f1 + m12 * f2),
                   -f2 - back * (m2 * f0 + m12 * f1 + m22 * f2), 0});
  const double speed = sqrt(u[1] * u[1] + u[2] * u[2]);
  const double s1 = speed > 1e-300 ? mu * u[1] / speed : 0,
               s2 = speed > 1e-300 ? mu * u[2] / speed : 0;
  set_rows(h, (V4){along, m1 + along * s1, m2 + along * s2, 0},
           (V4){m1, m11 + m1 * s1, m12 + m1 * s2, 0}, (V4){m2, m12 + m2 * s1, m22 + m2 * s2, 0});
}

HEFT_INLINE void linearize_point(const Core* core, int i, double kappa, const double* c,
                                 const double* r, const double* u, double* h, double* g) {
  const double mu = core->cone[i].mu[0], w = core->w[i], step = core->iw[i] * (1 / SIGMA);
  const double shift = mu * sqrt(u[1] * u[1] + u[2] * u[2]), back = kappa * w;
  const double v[3] = {u[0] + back * (r[0] - c[0]), u[1] + back * (r[1] - c[1]),
                       u[2] + back * (r[2] - c[2])};
  const double x[3] = {r[0] - step * (v[0] + shift), r[1] - step * v[1], r[2] - step * v[2]};
  const double t = sqrt(x[1] * x[1] + x[2] * x[2]), n = (x[0] + mu * t) / (1 + mu * mu);
  if (x[0] >= 0 && t <= mu * x[0]) {
    stick(1 / back, v, h, g);
  } else if (n <= 0) {
    set_rows(h, v4_all(0), v4_all(0), v4_all(0));
    v4_store(g, -v4_load(r));
  } else {
    slip(mu, w, kappa, r, u, x, n, t, h, g);
  }
}

HEFT_INLINE void linearize_row(const Core* core, int i, double kappa, double c, double r, double u,
                               double* h, double* g) {
  const Cone* cone = &core->cone[i];
  const double back = kappa * core->w[i], v = u + back * (r - c);
  const double x = r - v * core->iw[i] * (1 / SIGMA), stiff = 1 / back;
  const int inside = x > cone->lower && x < cone->upper;
  h[0] = inside ? stiff : 0;
  g[0] = inside ? -stiff * v : (x <= cone->lower ? cone->lower : cone->upper) - r;
}

// ---- S and the wrenches

// Six numbers and two zeros, in halves, which compilers keep in registers.
typedef struct Six {
  V4 low, high;
} Six;

HEFT_INLINE Six six_load(const double* x) {
  const V4 end = v4_load(x + 2);  // components 2 and 3 are the last two
  return (Six){v4_load(x), V4_SHUFFLE(end, v4_all(0), 2, 3, 4, 5)};
}

HEFT_INLINE Six six_scale(Six a, double s) { return (Six){a.low * s, a.high * s}; }

HEFT_INLINE Six six_add_scaled(Six a, Six b, double s) {
  return (Six){a.low + b.low * s, a.high + b.high * s};
}

// Rows k of six at `out`, `line` apart: += Σ_a y_a[k] hx_a. y: rows 12 apart.
HEFT_INLINE void add_block(double* out, int line, const double* y, Six hx0, Six hx1, Six hx2,
                           int rows) {
  for (int k = 0; k < 6; ++k, out += line) {
    Six sum = six_scale(hx0, y[k]);
    if (rows == 3) {
      sum = six_add_scaled(sum, hx1, y[12 + k]);
      sum = six_add_scaled(sum, hx2, y[24 + k]);
    }
    v4_store(out, v4_load(out) + sum.low);
    v4_store(out + 4, v4_load(out + 4) + sum.high);
  }
}

HEFT_INLINE Six three(Six a, Six b, Six c, const double* h) {
  return six_add_scaled(six_add_scaled(six_scale(a, h[0]), b, h[1]), c, h[2]);
}

// The right-hand side is stored in the first spare column of the last effector.
HEFT_INLINE int right_hand_side(int line) { return line - 2; }

HEFT_INLINE void add_wrench(double* column, int line, Six wrench) {
  double f[8];
  v4_store(f, wrench.low);
  v4_store(f + 4, wrench.high);
  for (int k = 0; k < 6; ++k) column[k * line] += f[k];
}

HEFT_INLINE void add_contact(SmallNewton* newton, const HeftContactProblem* p, int i, int rows,
                             int line) {
  const HeftConstraintBlock* c = &p->constraints[i];
  const double *h = newton->h + 12 * i, *g = newton->g + 4 * i;
  for (int t = 0; t < 2; ++t) {
    if (c->effector[t] < 0) continue;
    const double* x = p->jacobian + 12 * c->row + 6 * t;
    const Six row = six_load(x);
    Six hx0 = six_scale(row, h[0]), hx1 = hx0, hx2 = hx0, wrench = six_scale(row, g[0]);
    if (rows == 3) {
      const Six row1 = six_load(x + 12), row2 = six_load(x + 24);
      hx0 = three(row, row1, row2, h);
      hx1 = three(row, row1, row2, h + 4);
      hx2 = three(row, row1, row2, h + 8);
      wrench = three(row, row1, row2, g);
    }
    add_wrench(newton->s + 6 * c->effector[t] * line + right_hand_side(line), line, wrench);
    for (int s = 0; s < 2; ++s) {
      if (c->effector[s] < 0) continue;
      newton->tied[c->effector[s]] |= 1u << c->effector[t];
      add_block(newton->s + 6 * c->effector[s] * line + 8 * c->effector[t], line,
                p->jacobian + 12 * c->row + 6 * s, hx0, hx1, hx2, rows);
    }
  }
}

// Σ_k o_k s_k, rows of s `line` apart.
HEFT_INLINE V4 weighed(const double* o, const double* s, int line) {
  return ((v4_load(s) * o[0] + v4_load(s + line) * o[1]) +
          (v4_load(s + 2 * line) * o[2] + v4_load(s + 3 * line) * o[3])) +
         (v4_load(s + 4 * line) * o[4] + v4_load(s + 5 * line) * o[5]);
}

// A row of Ω S: Σ_b Ω_b S_b over the effectors b of a tree, with the right-hand side.
HEFT_INLINE void multiply_row(const SmallNewton* newton, const double* omega, int first, int count,
                              int line, double* out) {
  for (int j = 0; j < line; j += 8) {
    V4 low = v4_all(0), high = low;
    for (int b = 0; b < count; ++b) {
      if (!(newton->tied[first + b] >> (j / 8) & 1u)) continue;
      const double *o = omega + 6 * b, *s = newton->s + 6 * (first + b) * line + j;
      low += weighed(o, s, line);
      high += weighed(o, s + 4, line);
    }
    v4_store(out + j, low);
    v4_store(out + j + 4, high);
  }
}

HEFT_INLINE void multiply_omega(SmallNewton* newton, const HeftContactProblem* p, int line) {
  for (int t = 0; t < p->tree_count; ++t) {
    const int first = p->trees[t].effector_first, count = p->trees[t].effector_count;
    const double* omega = p->omega + p->trees[t].omega;
    for (int m = 0; m < count; ++m) {
      for (int k = 0; k < 6; ++k, omega += 6 * count) {
        double* out = newton->a + (6 * (first + m) + k) * line;
        multiply_row(newton, omega, first, count, line, out);
        out[8 * (first + m) + k] += 1;
      }
    }
  }
}

// ---- Gauss with row exchanges

HEFT_INLINE int largest_in_column(double* const* row, int n, int k, int column) {
  int best = k;
  double max = fabs(row[k][column]);
  for (int i = k + 1; i < n; ++i) {
    const double size = fabs(row[i][column]);
    if (!(size > max)) continue;
    max = size;
    best = i;
  }
  return best;
}

// Unknown k stands in column 8 (k / 6) + k % 6. Returns 0 if a pivot is zero.
HEFT_INLINE int eliminate(SmallNewton* newton, int n, int line) {
  double* row[SMALL_ROWS];
  const int right = right_hand_side(line);
  for (int i = 0; i < n; ++i) row[i] = newton->a + i * line;
  for (int k = 0; k < n; ++k) {
    const int column = k / 6 * 8 + k % 6, best = largest_in_column(row, n, k, column);
    double* pivot = row[best];
    row[best] = row[k];
    row[k] = pivot;
    if (!(fabs(pivot[column]) > 1e-300)) return 0;
    const double inverse = 1 / pivot[column];
    for (int i = k + 1; i < n; ++i) {
      double* own = row[i];
      const double f = own[column] * inverse;
      for (int j = column / 8 * 8; j < line; j += 8) {
        v4_store(own + j, v4_load(own + j) - v4_load(pivot + j) * f);
        v4_store(own + j + 4, v4_load(own + j + 4) - v4_load(pivot + j + 4) * f);
      }
    }
  }
  for (int k = n - 1; k >= 0; --k) {
    const int column = k / 6 * 8 + k % 6;
    const double x = row[k][right] / row[k][column];
    newton->twist[column] = x;
    for (int i = 0; i < k; ++i) row[i][right] -= row[i][column] * x;
  }
  return 1;
}

// d = g - H X w.
HEFT_INLINE void step_contact(const SmallNewton* newton, const Core* core, int i, int rows,
                              double* r) {
  const double *h = newton->h + 12 * i, *x = core->x + 12 * (size_t)core->slot[i];
  V4 u = v4_all(0);
  for (int s = 0; s < 2; ++s, x += 24) {
    if (core->effector[2 * i + s] < 0) continue;
    const double* v = newton->twist + 8 * core->effector[2 * i + s];
    u += ((v4_load(x) * v[0] + v4_load(x + 4) * v[1]) +
          (v4_load(x + 8) * v[2] + v4_load(x + 12) * v[3])) +
         (v4_load(x + 16) * v[4] + v4_load(x + 20) * v[5]);
  }
  for (int a = 0; a < rows; ++a) {
    double change = h[4 * a] * u[0];
    for (int b = 1; b < rows; ++b) change += h[4 * a + b] * u[b];
    r[a] += newton->g[4 * i + a] - change;
  }
}

HEFT_INLINE int solve_sized(SmallNewton* newton, const Core* core, int effectors, double kappa,
                            const double* center, const double* u, double* r) {
  const HeftContactProblem* p = core->problem;
  const int n = 6 * effectors, line = 8 * effectors;
  memset(newton->s, 0, sizeof(double) * (size_t)(n * line));
  for (int m = 0; m < effectors; ++m) newton->tied[m] = 1u << (effectors - 1);
  for (int i = 0; i < core->constraints; ++i) {
    const int at = core->slot[i];
    if (core->is_point[i]) {
      linearize_point(core, i, kappa, center + at, r + at, u + at, newton->h + 12 * i,
                      newton->g + 4 * i);
      add_contact(newton, p, i, 3, line);
    } else {
      linearize_row(core, i, kappa, center[at], r[at], u[at], newton->h + 12 * i,
                    newton->g + 4 * i);
      add_contact(newton, p, i, 1, line);
    }
  }
  multiply_omega(newton, p, line);
  if (!eliminate(newton, n, line)) return 0;
  for (int i = 0; i < core->constraints; ++i)
    step_contact(newton, core, i, core->is_point[i] ? 3 : 1, r + core->slot[i]);
  return 1;
}

// One or two effectors (a box, two feet) are common and have loops of known length.
HEFT_CLONES
static int small_newton_solve(SmallNewton* newton, const Core* core, double kappa,
                              const double* center, const double* u, double* r) {
  switch (core->effectors) {
    case 1:
      return solve_sized(newton, core, 1, kappa, center, u, r);
    case 2:
      return solve_sized(newton, core, 2, kappa, center, u, r);
    default:
      return solve_sized(newton, core, core->effectors, kappa, center, u, r);
  }
}

int small_newton_step(SmallNewton* newton, const Core* core, double kappa, const double* center,
                      const double* u, double* r) {
  if (!small_newton_solve(newton, core, kappa, center, u, r)) return 0;
  core_project(core, r);
  return 1;
}
