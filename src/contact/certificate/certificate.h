// SPDX-License-Identifier: Apache-2.0
// The certificate of a large problem, made by several threads.
#ifndef HEFT_SRC_CONTACT_CERTIFICATE_CERTIFICATE_H
#define HEFT_SRC_CONTACT_CERTIFICATE_CERTIFICATE_H

#include <heft/contact.h>

#include "base/share.h"

/// heft_contact_certify(), with the same bits.
HeftContactCertificate certificate_make(const HeftContactProblem* problem, const double* impulse,
                                        const double* velocity, double* scratch, Share share);

#endif
