// SPDX-License-Identifier: Apache-2.0
// Packets of version 1: a head, a body, and at the end SipHash-2-4 of all before.
#include "device/packet.h"

#include <string.h>

#include "base/bytes.h"
#include "device/packet_body.h"
#include "device/siphash.h"

enum { VERSION = 1, HEAD = 32, TAG = 8 };

static const unsigned char magic[4] = {'H', 'E', 'F', 'T'};

// 0: no type of a packet has this number.
static size_t size_of(PacketType type) {
  switch (type) {
    case PACKET_STATE:
      return HEAD + PACKET_STATE_BODY + TAG;
    case PACKET_FORCE:
      return HEAD + PACKET_FORCE_BODY + TAG;
    case PACKET_HELLO:
      return HEAD + PACKET_INFO_BODY + TAG;
    case PACKET_WELCOME:
      return HEAD + TAG;
  }
  return 0;
}

// ---- packets

size_t packet_write(const Packet* p, const unsigned char key[PACKET_KEY],
                    unsigned char bytes[PACKET_MAX]) {
  const size_t size = size_of(p->type);
  unsigned char* at = bytes;
  memcpy(at, magic, sizeof magic);
  at = bytes_put(at + 4, VERSION, 1);
  at = bytes_put(at, (uint64_t)p->type, 1);
  at = bytes_put(at, size, 2);
  at = bytes_put(at, p->device_nonce, 8);
  at = bytes_put(at, p->host_nonce, 8);
  at = bytes_put(at, p->number, 8);
  if (p->type == PACKET_STATE) packet_put_state(at, &p->sample);
  if (p->type == PACKET_FORCE) packet_put_force(at, p->echo, &p->force);
  if (p->type == PACKET_HELLO) packet_put_info(at, &p->info);
  bytes_put(bytes + size - TAG, siphash(key, bytes, size - TAG), TAG);
  return size;
}

int packet_read(const unsigned char* bytes, size_t size, const unsigned char key[PACKET_KEY],
                Packet* p) {
  if (size < HEAD + TAG || memcmp(bytes, magic, sizeof magic) != 0 || bytes[4] != VERSION) return 0;
  const PacketType type = (PacketType)bytes[5];
  if (size_of(type) != size || (size_t)bytes[6] + 256u * bytes[7] != size) return 0;
  const unsigned char* tag = bytes + size - TAG;
  if (bytes_get(&tag, TAG) != siphash(key, bytes, size - TAG)) return 0;
  const unsigned char* at = bytes + 8;
  memset(p, 0, sizeof *p);
  p->type = type;
  p->device_nonce = bytes_get(&at, 8);
  p->host_nonce = bytes_get(&at, 8);
  p->number = bytes_get(&at, 8);
  if (type == PACKET_STATE) return packet_get_state(at, &p->sample);
  if (type == PACKET_FORCE) return packet_get_force(at, &p->echo, &p->force);
  if (type == PACKET_HELLO) return packet_get_info(at, &p->info);
  return 1;
}
