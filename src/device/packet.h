// SPDX-License-Identifier: Apache-2.0
// Packets of version 1 of the UDP protocol; docs/manual/writing-a-driver.md has version 2. Every
// packet begins with the 8 bytes of version 2 (with version 1), then u64 nonce of the device, u64
// nonce of the host (0 in a hello), u64 counter. Then the body in clear; the last 8 bytes are
// SipHash-2-4 of all before. A hello (192 bytes) contains the description, a welcome (40 bytes) no
// body; state (168 bytes) and force (104 bytes) have the bodies of version 2. There is no
// confirm. Host and device draw a new nonce for each session.
#ifndef HEFT_SRC_DEVICE_PACKET_H
#define HEFT_SRC_DEVICE_PACKET_H

#include <heft/device.h>

enum { PACKET_KEY = 16, PACKET_MAX = 256 };

typedef enum PacketType {
  PACKET_STATE = 1,
  PACKET_FORCE = 2,
  PACKET_HELLO = 3,
  PACKET_WELCOME = 4
} PacketType;

/// Fields of all packets; the type determines which are used.
typedef struct Packet {
  PacketType type;
  uint64_t device_nonce;    ///< number that the device chose for this session
  uint64_t host_nonce;      ///< number that the host chose; 0 in a hello
  uint64_t number;          ///< of this packet, rising
  uint64_t echo;            ///< force: number of the state that it answers
  HeftDeviceSample sample;  ///< state
  HeftDeviceForce force;    ///< force
  HeftDeviceInfo info;      ///< hello
} Packet;

/// Writes a packet with its tag. Returns its size.
size_t packet_write(const Packet* packet, const unsigned char key[PACKET_KEY],
                    unsigned char bytes[PACKET_MAX]);
/// Reads one. Returns 0 if it is no packet of ours, its tag is wrong, or its numbers are not
/// finite.
int packet_read(const unsigned char* bytes, size_t size, const unsigned char key[PACKET_KEY],
                Packet* packet);

#endif
