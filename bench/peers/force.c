// SPDX-License-Identifier: Apache-2.0
// The force between two bodies, of the contacts one by one.
#include "peer.h"

int peer_force(int a, int b, double force[3]) {
  double x[PEER_CONTACT];
  force[0] = force[1] = force[2] = 0;
  for (int i = 0; i < peer_contacts(); ++i) {
    if (!peer_contact(i, x)) return 0;
    const int one = (int)x[0], two = (int)x[1];
    if (!((one == a && two == b) || (one == b && two == a))) continue;
    for (int k = 0; k < 3; ++k) force[k] += two == b ? x[8 + k] : -x[8 + k];
  }
  return 1;
}
