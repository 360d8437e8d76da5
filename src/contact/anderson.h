// SPDX-License-Identifier: Apache-2.0
// Anderson acceleration of the sweeps.
#ifndef HEFT_SRC_CONTACT_ANDERSON_H
#define HEFT_SRC_CONTACT_ANDERSON_H

#include "contact/core.h"

enum { ANDERSON_MEMORY = 8, ANDERSON_SMALL = 5 };

typedef struct Anderson {
  int memory;       // columns kept: few where they cost as much as the sweep
  int count, head;  // columns in use, and where the next one goes
  int slots, states;
  double norm;    // |f| of the last sweep, infinite after a restart
  double theta;   // of momentum.c
  double lowest;  // least |f| since momentum started
  double growth;  // how far |f| may rise above that
  double gram[ANDERSON_MEMORY * ANDERSON_MEMORY];
  double right[ANDERSON_MEMORY];  // ΔF · f
  double* weight;                 // √w of each row
  double* start;                  // r before the sweep
  double *f, *f_last;             // weighted change made by the sweep
  double *g_last, *z_last;  // result of the last sweep: where to return after a bad extrapolation
  double *df, *dg, *dz;     // columns of differences
} Anderson;

void anderson_take(Anderson* a, Arena* arena, size_t slots, size_t states);
void anderson_begin(Anderson* a, const Core* core);
/// Forgets the history; the next sweep starts a new one.
void anderson_restart(Anderson* a);
/// Remembers r before a sweep.
void anderson_before(Anderson* a, const double* r);
/// After a sweep: puts the extrapolation into r and z. Returns 1 if it extrapolated, 0 if r and z
/// are left as the sweep made them, -1 if the last extrapolation was bad and r and z are set back
/// to before it.
int anderson_after(Anderson* a, const Core* core, double* r, double* z);
/// Recomputes z, and the remembered z, from their impulses: rounding adds up in them, and momentum
/// multiplies it.
void anderson_refresh(Anderson* a, Core* core, const double* r, double* z);
/// Puts contacts that an extrapolation threw out of their cones back, and tells the others.
void anderson_repair(const Core* core, double* r, double* z);

#endif
