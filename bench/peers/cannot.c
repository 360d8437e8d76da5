// SPDX-License-Identifier: Apache-2.0
// What most peers cannot do, or nobody has asked them yet: joint velocities and energies.
#include "peer.h"

int peer_spin(const double* v, int count) {
  (void)v;
  (void)count;
  return 0;
}

int peer_energy(double energy[2]) {
  (void)energy;
  return 0;
}
