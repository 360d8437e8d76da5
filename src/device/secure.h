// SPDX-License-Identifier: Apache-2.0
// Version 2 of the UDP protocol of devices (docs/manual/writing-a-driver.md): states and forces in
// a tunnel (tunnel.h), whose host is the simulation and whose guest is the device. No sockets.
#ifndef HEFT_SRC_DEVICE_SECURE_H
#define HEFT_SRC_DEVICE_SECURE_H

#include <heft/device.h>

#include "device/packet_body.h"
#include "device/tunnel.h"

enum { SECURE_KEY = TUNNEL_KEY, SECURE_MAX = TUNNEL_CONFIRM + PACKET_INFO_BODY };

/// Effects of a packet that arrived.
typedef enum SecureNews {
  SECURE_NOTHING,  ///< dropped; no state has changed
  SECURE_ANSWER,   ///< an answer is to be sent to where the packet came from
  SECURE_SESSION,  ///< host: a device has proved itself, its description is new
  SECURE_STATE,    ///< host: a sample
  SECURE_FORCE     ///< device: a force
} SecureNews;

typedef struct SecureHost {
  TunnelHost tunnel;
  uint64_t heard_ns;  ///< when the last state came
  HeftDeviceInfo info;
} SecureHost;

typedef struct SecureDevice {
  TunnelGuest tunnel;
} SecureDevice;

/// Returns 0 if there is no libsodium or no randomness.
int secure_host_make(SecureHost* host, const unsigned char key[SECURE_KEY], uint64_t now_ns);
/// Reads a packet from a place. answer and its size are set for SECURE_ANSWER, sample for
/// SECURE_STATE.
SecureNews secure_host_take(SecureHost* host, uint64_t now_ns, uint64_t place,
                            const unsigned char* bytes, size_t size, HeftDeviceSample* sample,
                            unsigned char answer[SECURE_MAX], size_t* answer_size);
/// Writes a force. Returns its size; 0 if no device has sent a state.
size_t secure_host_force(SecureHost* host, const HeftDeviceForce* force,
                         unsigned char bytes[SECURE_MAX]);

/// Returns 0 if there is no libsodium or no randomness.
int secure_device_make(SecureDevice* device, const unsigned char key[SECURE_KEY],
                       const HeftDeviceInfo* info);
/// Reads a packet of the host. The answer to a welcome opens the session.
SecureNews secure_device_take(SecureDevice* device, const unsigned char* bytes, size_t size,
                              HeftDeviceForce* force, unsigned char answer[SECURE_MAX],
                              size_t* answer_size);
/// Writes a state. Returns its size; 0 without a session.
size_t secure_device_state(SecureDevice* device, const HeftDeviceSample* sample,
                           unsigned char bytes[SECURE_MAX]);

#endif
