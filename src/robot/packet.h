// SPDX-License-Identifier: Apache-2.0
// Datagrams between the world and a controller (docs/manual/controllers.md).
//
//     "HFTC" | u8 1 | u8 type | u16 flags | u64 session | u64 number | u32 a | u32 b | body
//
// Numbers are little-endian. Over a Unix socket datagrams are as above. Over UDP they are bodies of
// a tunnel (device/tunnel.h), unless the place asks for version 1 of the protocol: there they are
// in the clear, and if there is a key, SipHash-2-4 of all bytes before follows.
#ifndef HEFT_SRC_ROBOT_PACKET_H
#define HEFT_SRC_ROBOT_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device/tunnel.h"

enum {
  LINK_VERSION = 1,
  LINK_HEAD = 32,
  LINK_TAG = 8,           ///< of version 1 over UDP
  LINK_KEY = 16,          ///< of version 1 over UDP
  LINK_DATAGRAM = 65000,  ///< largest datagram [bytes]
  LINK_PART = 1200,       ///< bytes of the description in one datagram
  LINK_BURST = 8          ///< parts of the description that answer one join
};

typedef enum LinkType {
  LINK_JOIN = 1,      ///< controller: send the description, from part a on
  LINK_HELLO = 2,     ///< world: part `number` of a parts, b bytes in all
  LINK_READY = 3,     ///< controller: has the description
  LINK_STATE = 4,     ///< world: time, q, v, sensors; a numbers
  LINK_CONTROLS = 5,  ///< controller: answers state `number`; a controls, b joint forces
  LINK_BYE = 6,       ///< either: leaves
  LINK_TYPE_END
} LinkType;

enum {
  LINK_RESTARTED = 1,  ///< flag of a state: the first, or time does not go on from the last one
  LINK_FREE = 2        ///< flag of a state: the world does not wait for the answer
};

typedef struct LinkHead {
  LinkType type;
  unsigned flags;
  uint64_t session, number;
  uint32_t a, b;
} LinkHead;

/// Tunnels of controllers: the world is the host, the controller is the guest.
extern const TunnelKind link_tunnel;

/// Completes a datagram whose body is at bytes + LINK_HEAD. key NULL: no tag. Returns its size.
size_t link_packet_write(const LinkHead* head, size_t body, const unsigned char* key,
                         unsigned char* bytes);
/// Reads the head. *body is the size of the body at bytes + LINK_HEAD. Returns false if it is no
/// datagram of this protocol and version, or its tag is wrong.
bool link_packet_read(const unsigned char* bytes, size_t size, const unsigned char* key,
                      LinkHead* head, size_t* body);
/// Version of a datagram of this protocol; -1 if it is none.
int link_packet_version(const unsigned char* bytes, size_t size);

/// Writes numbers of a body. Returns the place behind them.
unsigned char* link_put_numbers(unsigned char* at, const double* number, int count);
/// Reads the body of controls: `controls` numbers, and forces or none (then zeros). Returns false,
/// with out in any state, if a size is wrong or a number is not finite. *forced: forces were there.
bool link_read_controls(const LinkHead* head, const unsigned char* at, size_t size, int controls,
                        int forces, double* out, bool* forced);

#endif
