// SPDX-License-Identifier: Apache-2.0
// The bodies of packets of the UDP protocol, the same in all versions
// (docs/manual/writing-a-driver.md).
#ifndef HEFT_SRC_DEVICE_PACKET_BODY_H
#define HEFT_SRC_DEVICE_PACKET_BODY_H

#include <heft/device.h>

/// Sizes of the bodies.
enum {
  PACKET_STATE_BODY = 8 + 13 * 8 + 8 + 8,
  PACKET_FORCE_BODY = 8 + 7 * 8,
  PACKET_INFO_BODY = 32 + 8 + 14 * 8
};

// The readers return 0 if a number is not finite or out of its range.
void packet_put_state(unsigned char* at, const HeftDeviceSample* sample);
int packet_get_state(const unsigned char* at, HeftDeviceSample* sample);
/// echo: number of the state that the force answers.
void packet_put_force(unsigned char* at, uint64_t echo, const HeftDeviceForce* force);
int packet_get_force(const unsigned char* at, uint64_t* echo, HeftDeviceForce* force);
void packet_put_info(unsigned char* at, const HeftDeviceInfo* info);
int packet_get_info(const unsigned char* at, HeftDeviceInfo* info);

#endif
