// SPDX-License-Identifier: Apache-2.0
// Stands for libdhd: the functions that the driver calls. z up is -20 mm wished for.
#include "stub_hand.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

STUB int dhdOpen(void) {
  for (int i = 0; i < 3; ++i) stub_pos[i] = stub_vel[i] = stub_force[i] = 0;
  stub_wish[2] = -0.02;
  return stub_gone ? -1 : 0;
}
STUB int dhdClose(char id) {
  (void)id;
  return 0;
}
STUB int dhdGetPosition(double* x, double* y, double* z, char id) {
  (void)id;
  stub_move();
  *x = stub_pos[0], *y = stub_pos[1], *z = stub_pos[2];
  return stub_gone ? -1 : 0;
}
STUB int dhdGetLinearVelocity(double* x, double* y, double* z, char id) {
  (void)id;
  *x = stub_vel[0], *y = stub_vel[1], *z = stub_vel[2];
  return stub_gone ? -1 : 0;
}
STUB int dhdSetForce(double x, double y, double z, char id) {
  (void)id;
  stub_force[0] = x, stub_force[1] = y, stub_force[2] = z;
  return stub_gone ? -1 : 0;
}
STUB int dhdGetButton(int index, char id) {
  (void)id;
  return index == 0;
}
STUB int dhdEnableForce(unsigned char on, char id) {
  (void)on, (void)id;
  return 0;
}
STUB const char* dhdGetSystemName(char id) {
  (void)id;
  return "stub omega";
}
