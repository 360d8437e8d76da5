// SPDX-License-Identifier: Apache-2.0
// A user of heft_device: opens the emulated device and pushes on it through the guard.
#include <heft/device.h>
#include <stdio.h>

int main(void) {
  HeftError error = {0};
  HeftDevice* device = NULL;
  if (heft_device_open(&device, heft_driver_find("emulated"), "", NULL, &error)) {
    printf("%s\n", error.message);
    return 1;
  }
  HeftDeviceSample sample = {0};
  const HeftDeviceRead read = heft_device_read(device, 1000000, &sample);
  heft_device_close(device);
  printf("%s\n", read == HEFT_DEVICE_FRESH ? "a sample" : "no sample");
  return read == HEFT_DEVICE_LOST;
}
