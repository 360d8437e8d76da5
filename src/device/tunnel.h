// SPDX-License-Identifier: Apache-2.0
// A session between a host and a guest that share a key, over datagrams: both ends, without
// sockets. Devices (secure.c) and controllers (link, robot) use it over UDP. tunnel.c has the
// derivation. Without libsodium, tunnel_absent.c is used in its place and tunnel_is_there() returns
// 0.
#ifndef HEFT_SRC_DEVICE_TUNNEL_H
#define HEFT_SRC_DEVICE_TUNNEL_H

#include <stddef.h>
#include <stdint.h>

enum {
  TUNNEL_KEY = 32,
  TUNNEL_HELLO = 104,        ///< size of a hello and of its answer [bytes]
  TUNNEL_CONFIRM = 120,      ///< size of a confirm without its description [bytes]
  TUNNEL_DESCRIPTION = 152,  ///< largest description of a guest [bytes]
  TUNNEL_HEAD = 16,          ///< bytes before a sealed body
  TUNNEL_FRAME = 32,         ///< bytes that a sealed packet has more than its body
  TUNNEL_MOST = 65507        ///< largest packet: of UDP over IPv4 [bytes]
};

/// A protocol that uses tunnels.
typedef struct TunnelKind {
  char letters[4];     ///< first bytes of each packet
  char context[8];     ///< of the keys: packets of one protocol are not genuine in another
  size_t description;  ///< bytes of a guest's description
} TunnelKind;

/// Effects of a packet that arrived.
typedef enum TunnelNews {
  TUNNEL_NOTHING,  ///< dropped; no state has changed
  TUNNEL_ANSWER,   ///< an answer is to be sent to where the packet came from
  TUNNEL_SESSION,  ///< host: a guest has proved itself, and that it is at this place
  TUNNEL_BODY      ///< a body of the session
} TunnelNews;

/// Keys that follow from the shared key, one for each purpose.
typedef struct TunnelKeys {
  unsigned char hello[TUNNEL_KEY], welcome[TUNNEL_KEY], confirm[TUNNEL_KEY], session[TUNNEL_KEY];
} TunnelKeys;

/// Keys and counters of both directions.
typedef struct TunnelSession {
  int open;
  unsigned char out_key[TUNNEL_KEY], in_key[TUNNEL_KEY];
  uint64_t out_number, in_number;  ///< of the last packet
} TunnelSession;

typedef struct TunnelHost {
  const TunnelKind* kind;
  TunnelKeys keys;
  unsigned char public_key[TUNNEL_KEY], secret_key[TUNNEL_KEY];  ///< of the next session
  unsigned char place_key[TUNNEL_KEY];                           ///< of this host, for places
  uint64_t made_ns;                                              ///< when the pair was made
  uint64_t answer_ns;                                            ///< of the first of `answers`
  int answers;                                                   ///< to hellos, in a millisecond
  TunnelSession session;
  uint64_t place;                                 ///< of the guest of the session
  unsigned char description[TUNNEL_DESCRIPTION];  ///< of the guest of the session
} TunnelHost;

typedef struct TunnelGuest {
  const TunnelKind* kind;
  TunnelKeys keys;
  unsigned char public_key[TUNNEL_KEY], secret_key[TUNNEL_KEY];
  unsigned char description[TUNNEL_DESCRIPTION];
  TunnelSession session;
} TunnelGuest;

/// A packet that arrived, and room for what follows from it.
typedef struct TunnelPacket {
  uint64_t now_ns;             ///< time of the arrival
  uint64_t place;              ///< where it came from, a number of the address and the port
  const unsigned char* bytes;  ///< the packet
  size_t size;
  unsigned char* out;  ///< for TUNNEL_BODY the body: `size` bytes, or bytes + TUNNEL_HEAD, to
                       ///< decrypt in place; for TUNNEL_ANSWER the answer: TUNNEL_CONFIRM + bytes
                       ///< of the description
  size_t out_size;     ///< [out]
} TunnelPacket;

/// 0: this build has no libsodium.
int tunnel_is_there(void);
/// Overwrites secrets; the compiler does not leave it out.
void tunnel_wipe(void* memory, size_t size);

/// Returns 0 if there is no libsodium or no randomness.
int tunnel_host_make(TunnelHost* host, const TunnelKind* kind, const unsigned char key[TUNNEL_KEY],
                     uint64_t now_ns);
/// Reads a packet. busy: the session is in use, so that no other guest is accepted.
TunnelNews tunnel_host_take(TunnelHost* host, int busy, TunnelPacket* packet);
/// Writes a packet of the session, TUNNEL_FRAME + size bytes. Returns its size; 0 without a
/// session.
size_t tunnel_host_seal(TunnelHost* host, const unsigned char* body, size_t size,
                        unsigned char* bytes);

/// description: as many bytes as the kind states. Returns 0 if there is no libsodium or no
/// randomness.
int tunnel_guest_make(TunnelGuest* guest, const TunnelKind* kind,
                      const unsigned char key[TUNNEL_KEY], const void* description);
/// Forgets the session and makes new keys. Returns 0 if there is no randomness.
int tunnel_guest_restart(TunnelGuest* guest);
size_t tunnel_guest_hello(const TunnelGuest* guest, unsigned char bytes[TUNNEL_HELLO]);
/// Reads a packet of the host. The answer to a welcome opens the session.
TunnelNews tunnel_guest_take(TunnelGuest* guest, TunnelPacket* packet);
/// As tunnel_host_seal().
size_t tunnel_guest_seal(TunnelGuest* guest, const unsigned char* body, size_t size,
                         unsigned char* bytes);

#endif
