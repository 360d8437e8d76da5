// SPDX-License-Identifier: Apache-2.0
// The part of the certificate that most contacts need: plain points, four at a time.
#ifndef HEFT_SRC_CONTACT_CERTIFICATE_CERTIFICATE_POINTS_H
#define HEFT_SRC_CONTACT_CERTIFICATE_CERTIFICATE_POINTS_H

#include <heft/contact.h>

/// Input and scratch of a certificate.
typedef struct CertificateTask {
  const HeftContactProblem* problem;
  const double* impulse;
  const double* twist;  ///< 8 per effector, and eight zeros after the last
  const int* tree_of;   ///< per effector
  const int* list;      ///< the points that are certified here
  int count;
  double* u;         ///< rows
  double* residual;  ///< constraints: e_i
  double* weight;    ///< constraints: w_i
  double* diagonal;  ///< rows; of these points the sum of the three is at their first row
} CertificateTask;

/// w_i, from the trace of W_ii over its rows. Where no impulse can change the velocity, as at a
/// point on the axis of the one hinge of a body, the trace is zero (or below, by rounding), and any
/// weight serves: the residual is zero if and only if û_i is in K* and orthogonal to r_i. This also
/// holds for a trace whose inverse would leave the range of numbers.
static inline double certificate_weight(double trace, int rows) {
  return trace > 1e-100 ? trace / rows : 1;
}

/// 1 if a contact is a plain point: Coulomb friction with one coefficient, no two sides in one
/// tree.
int certificate_is_plain(const HeftContactProblem* problem, const int* tree_of, int contact);
/// Velocities, and the trace of W_ii, of the points first to end - 1 of the list of a task. first:
/// a multiple of four.
void certificate_points_velocity(void* task, int first, int end);
/// Adds their errors to the certificate. Returns the largest w_i |r_i|.
double certificate_points_judge(const CertificateTask* task, double reference,
                                HeftContactCertificate* out);

#endif
