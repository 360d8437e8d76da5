// SPDX-License-Identifier: Apache-2.0
// Packets of the UDP protocol: any bytes, and any bytes with a right tag.
#include <string.h>

#include "device/packet.h"
#include "device/siphash.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const unsigned char key[16] = {1};
  unsigned char bytes[PACKET_MAX];
  Packet packet;
  packet_read(data, size, key, &packet);
  if (size < 48 || size > sizeof bytes) return 0;
  memcpy(bytes, data, size);
  memcpy(bytes, "HEFT\1", 5);
  bytes[6] = (unsigned char)size;
  bytes[7] = (unsigned char)(size >> 8);
  const uint64_t tag = siphash(key, bytes, size - 8);
  for (int i = 0; i < 8; ++i) bytes[size - 8 + (size_t)i] = (unsigned char)(tag >> (8 * i));
  if (!packet_read(bytes, size, key, &packet)) return 0;
  unsigned char again[PACKET_MAX];
  if (packet_write(&packet, key, again) != size) __builtin_trap();
  return 0;
}
