// SPDX-License-Identifier: Apache-2.0
// Papers: R21.
// One sweep of Gauss-Seidel: contact after contact is solved exactly with all others fixed, and the
// change of its impulse is applied at once to all coupled contacts [Jourdan 1998].
//
// Plain Gauss-Seidel can cycle if several contacts share one body. The block-proximal term prevents
// this: each local problem is solved with W_ii + α and q_i - α r_i, α = κ trace(W_ii) /
// rows. A fixed point of the sweep is an exact solution whatever κ is, because there the term
// vanishes.
#include "contact/sweep/gauss_seidel.h"
#include "base/assert.h"

#include <string.h>

#include "contact/core/cone_solve.h"
#include "contact/core/operator.h"
#include "contact/sweep/packet_sweep.h"

enum { CHUNK = 16 };  // groups per task

HEFT_SHARED_CLONES
void sweep_serial(const Core* core, int first, int last, double* r, double* z) {
  for (int i = first; i < last; ++i) {
    double u[8] = {0}, d[8];
    double* own = r + core->slot[i];
    HEFT_ASSERT(core->slot[i] + core->pad[i] <= core->slots);
    velocity(core, i, r, z, u);
    if (core->is_point[i]) {
      const double r0 = own[0], r1 = own[1], r2 = own[2];
      local_solve(&core->local[i], u, LOCAL_NEAR, own);
      HEFT_ASSERT(cone_contains(&core->cone[i], own));
      d[0] = own[0] - r0;
      d[1] = own[1] - r1;
      d[2] = own[2] - r2;
      if (d[0] == 0 && d[1] == 0 && d[2] == 0) continue;
    } else {
      double old[8];
      memcpy(old, own, sizeof(double) * core->rows[i]);
      if (core->rows[i] == 1) {
        scalar_solve(core, i, u[0], own);
      } else {
        cone_solve(core, i, u, own);
      }
      for (int a = 0; a < core->rows[i]; ++a) d[a] = own[a] - old[a];
      HEFT_ASSERT(cone_contains(&core->cone[i], own));
    }
    push(core, i, d, z);
  }
}

// Groups of one colour in chunks, one task each.
typedef struct Colour {
  const Core* core;
  double *r, *z;
  int first, last;
} Colour;

static void sweep_chunk(void* arg, int index) {
  const Colour* colour = arg;
  const int first = colour->first + CHUNK * index, end = first + CHUNK;
  packet_sweep(colour->core, first, end < colour->last ? end : colour->last, colour->r, colour->z);
}

static void sweep_colour(const Core* core, int colour, double* r, double* z) {
  const int first = core->colouring.first[colour], last = core->colouring.first[colour + 1];
  HEFT_ASSERT(first <= last && last <= core->colouring.groups);
  Colour job = {core, r, z, first, last};
  if (core->run && last - first >= 2 * CHUNK) {
    core->run(core->run_user, (last - first + CHUNK - 1) / CHUNK, sweep_chunk, &job);
  } else {
    packet_sweep(core, first, last, r, z);
  }
}

void sweep(const Core* core, double* r, double* z) {
  for (int c = 0; c < core->colouring.colours; ++c) sweep_colour(core, c, r, z);
  sweep_serial(core, PACKET_SIZE * core->colouring.groups, core->constraints, r, z);
}
