// SPDX-License-Identifier: Apache-2.0
// One contact with Coulomb friction, everything else held still: find r in K with u = G r + q
// obeying the law.
//
// G = W_ii + α 1 is symmetric and positive definite, with normal part a, coupling w and tangential
// part B. Three cases:
//   q_n >= 0                         the contact opens: r = 0
//   r = -G⁻¹ q lies in the cone      it sticks
//   otherwise                        it slips: u_n = 0, |r_t| = µ r_n, u_t = -λ r_t with λ > 0
// Eliminating r_n in the last case leaves (A + λ) r_t = -β, with A = B - w wᵀ/a and β = q_t - w
// q_n/a. In the eigenframe A = Q diag(a_0, a_1) Qᵀ, e = Qᵀβ, ω = Qᵀw, everything depends only on λ,
// y_i(λ) = -e_i / (a_i + λ), and
//   h(λ) = |y| + (µ/a)(q_n + ω·y) = 0
// remains: a secular equation. h(0) > 0 because it does not stick and h(∞) = µ q_n / a < 0 because
// it does not open, so a root always exists. Newton's method on 1/|y| - 1/(µ r_n), which is nearly
// straight, inside a shrinking bracket finds it in 3 to 6 steps, and bisection bounds them. No
// trigonometry: Q is one Jacobi rotation.
#ifndef HEFT_SRC_CONTACT_CORE_LOCAL_H
#define HEFT_SRC_CONTACT_CORE_LOCAL_H

#include <math.h>

enum { LOCAL_STEPS_MAX = 60, LOCAL_NUMBERS = 22 };

/// Quantities that depend on G and µ only, and λ of the last slip. LOCAL_NUMBERS doubles.
typedef struct Local {
  double g00, g01, g02, g11, g12, g22;  // G
  double i00, i01, i02, i11, i12, i22;  // its inverse
  double ia;                            // 1 / a
  double c, s, a0, a1;                  // eigenframe and eigenvalues of A
  double w0, w1;                        // ω
  double mu, imu;                       // µ, 1 / µ
  double lambda;                        // of the last slip, 0: none
} Local;

/// g: the symmetric part of a 3x3 matrix is used, row-major.
void local_make(Local* local, const double* g, double mu);

/// Steps of λ smaller than this, relative to λ, are the last: they leave an error of its square.
#define LOCAL_EXACT 1e-8
#define LOCAL_NEAR 1e-4

/// The slipping case: r from q, beginning at the last λ. Returns the steps taken.
int local_slip(Local* l, const double q[3], double near, double r[3]);

/// r (the last impulse, at which the velocity is u) becomes the solution of the local problem.
/// Sweeps use a coarse `near`: the next call continues from the last λ, and r is in the cone for
/// any λ.
static inline void local_solve(Local* l, const double u[3], double near, double r[3]) {
  double q[3];
  q[0] = u[0] - (l->g00 * r[0] + l->g01 * r[1] + l->g02 * r[2]);
  if (q[0] >= 0) {
    r[0] = r[1] = r[2] = 0;
    return;
  }
  const double s0 = r[0] - (l->i00 * u[0] + l->i01 * u[1] + l->i02 * u[2]);
  const double s1 = r[1] - (l->i01 * u[0] + l->i11 * u[1] + l->i12 * u[2]);
  const double s2 = r[2] - (l->i02 * u[0] + l->i12 * u[1] + l->i22 * u[2]);
  const double coupled = l->mu * s0;
  if (s0 >= 0 && s1 * s1 + s2 * s2 <= coupled * coupled) {
    r[0] = s0;
    r[1] = s1;
    r[2] = s2;
    return;
  }
  q[1] = u[1] - (l->g01 * r[0] + l->g11 * r[1] + l->g12 * r[2]);
  q[2] = u[2] - (l->g02 * r[0] + l->g12 * r[1] + l->g22 * r[2]);
  local_slip(l, q, near, r);
}

#endif
