// SPDX-License-Identifier: Apache-2.0
// Replaces libdhd of Force Dimension; the device is an omega. It has the functions that the driver
// calls. Axes: x towards the user, y to the right, z up.
#include "hand.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

MAKER int dhdOpen(void) { return hand_start("omega") ? 0 : -1; }
MAKER int dhdClose(char id) {
  (void)id;
  hand_push(heft_vec3(0, 0, 0));
  return 0;
}
MAKER int dhdGetPosition(double* x, double* y, double* z, char id) {
  (void)id;
  hand_live();
  *x = -hand_at.pos.y, *y = hand_at.pos.x, *z = hand_at.pos.z;
  return hand_gone ? -1 : 0;
}
MAKER int dhdGetLinearVelocity(double* x, double* y, double* z, char id) {
  (void)id;
  *x = -hand_at.vel.y, *y = hand_at.vel.x, *z = hand_at.vel.z;
  return hand_gone ? -1 : 0;
}
MAKER int dhdSetForce(double x, double y, double z, char id) {
  (void)id;
  hand_push(heft_vec3(y, -x, z));
  return hand_gone ? -1 : 0;
}
MAKER int dhdGetButton(int index, char id) {
  (void)id;
  return index >= 0 && index < 32 && (hand_at.buttons >> index & 1u) != 0;
}
MAKER int dhdEnableForce(unsigned char on, char id) {
  (void)on, (void)id;
  return 0;
}
MAKER const char* dhdGetSystemName(char id) {
  (void)id;
  return "emulated omega";
}
