// SPDX-License-Identifier: Apache-2.0
// A user of heft_view: where a camera stands needs no window.
#include <heft/view.h>
#include <stdio.h>

int main(void) {
  HeftCamera camera = {0};
  camera.distance = 2;
  const HeftVec3 eye = heft_camera_eye(&camera);
  printf("the eye is %g m from the target\n", heft_vec3_norm(eye));
  return heft_vec3_norm(eye) == 2 ? 0 : 1;
}
