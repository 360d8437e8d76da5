// SPDX-License-Identifier: Apache-2.0
// Included before each source of qhull: it prints nothing, because a page has no terminal, and the texts of its messages are left out.
// Heft reads the code with which it ends.
#include "libqhull_r/qhull_ra.h"
#ifndef HEFT_QHULL_PRINTS  // the file that defines it
#define qh_fprintf(...) ((void)0)
#endif
