// SPDX-License-Identifier: Apache-2.0
// All drivers, one file each.
#ifndef HEFT_SRC_DEVICE_DRIVER_LIST_H
#define HEFT_SRC_DEVICE_DRIVER_LIST_H

#include <heft/device.h>

extern const HeftDriver heft_driver_emulated;
extern const HeftDriver heft_driver_force_dimension;
extern const HeftDriver heft_driver_haply;
extern const HeftDriver heft_driver_joystick;
extern const HeftDriver heft_driver_open_haptics;
extern const HeftDriver heft_driver_space_mouse;
extern const HeftDriver heft_driver_udp;

#endif
