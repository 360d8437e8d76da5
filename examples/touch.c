// SPDX-License-Identifier: Apache-2.0
// An emulated hand touches a box: a servo reads the device, a probe carries the hand into the
// world, and the local model of the probe is the force that the hand feels.
#include <heft/device.h>
#include <heft/heft.h>
#include <heft/io.h>
#include <stdio.h>

int main(void) {
  HeftModel* model = NULL;
  HeftWorld* world = NULL;
  HeftDevice* device = NULL;
  HeftServo* servo = NULL;
  HeftProbe* probe = NULL;
  HeftError error = {0};
  const HeftLoadDef load = heft_load_def_default();
  HeftMapping mapping = heft_mapping_default();
  mapping.origin = heft_vec3(0, 0, 0.45);
  mapping.scale = 2;
  if (heft_model_load_file(&model, "scenes/two_boxes.xml", &load, &error) != HEFT_OK ||
      heft_world_create(&world, model, NULL, &error) != HEFT_OK ||
      heft_probe_create(&probe, model, NULL, &error) != HEFT_OK ||
      heft_servo_create(&servo, NULL, &error) != HEFT_OK ||
      heft_device_open(&device, heft_driver_find("emulated"), "touch:0 0 0 0.05; 1 0 0 -0.04", NULL,
                       &error) != HEFT_OK) {
    printf("%s\n", error.message);
    return 1;
  }
  heft_servo_add(servo, device, &mapping);
  // heft_servo_start() would give the servo a thread; here the loop turns it.
  for (uint64_t ms = 1; ms <= 2000; ++ms) {
    HeftProbeInput hand;
    heft_servo_tick(servo, ms * 1000000);
    heft_servo_input(servo, 0, &hand);
    heft_probe_begin(probe, world, &hand);
    heft_world_step(world);
    const HeftLocalModel felt = heft_probe_end(probe, world);
    heft_servo_model(servo, 0, &felt);
  }
  const double force = heft_probe_state(probe)->force.z;
  printf("the box pushes back with %.1f N\n", force);
  heft_servo_destroy(servo);
  heft_device_close(device);
  heft_probe_destroy(probe);
  heft_world_destroy(world);
  heft_model_destroy(model);
  return force > 0 ? 0 : 1;
}
