// SPDX-License-Identifier: Apache-2.0
#include "robot/packet.h"

#include <math.h>
#include <string.h>

#include "base/bytes.h"
#include "device/siphash.h"

static const unsigned char magic[4] = {'H', 'F', 'T', 'C'};

const TunnelKind link_tunnel = {.letters = {'H', 'F', 'T', 'C'},
                                .context = {'h', 'e', 'f', 't', 'l', 'n', 'k', '2'},
                                .description = 0};

size_t link_packet_write(const LinkHead* head, size_t body, const unsigned char* key,
                         unsigned char* bytes) {
  unsigned char* at = bytes;
  memcpy(at, magic, sizeof magic);
  at = bytes_put(at + 4, LINK_VERSION, 1);
  at = bytes_put(at, (uint64_t)head->type, 1);
  at = bytes_put(at, head->flags, 2);
  at = bytes_put(at, head->session, 8);
  at = bytes_put(at, head->number, 8);
  at = bytes_put(at, head->a, 4);
  at = bytes_put(at, head->b, 4);
  at += body;
  if (key) at = bytes_put(at, siphash(key, bytes, (size_t)(at - bytes)), LINK_TAG);
  return (size_t)(at - bytes);
}

int link_packet_version(const unsigned char* bytes, size_t size) {
  return size >= LINK_HEAD && memcmp(bytes, magic, sizeof magic) == 0 ? bytes[4] : -1;
}

bool link_packet_read(const unsigned char* bytes, size_t size, const unsigned char* key,
                      LinkHead* head, size_t* body) {
  const size_t frame = LINK_HEAD + (key ? LINK_TAG : 0);
  if (size < frame || link_packet_version(bytes, size) != LINK_VERSION) return false;
  const unsigned char* tag = bytes + size - LINK_TAG;
  if (key && bytes_get(&tag, LINK_TAG) != siphash(key, bytes, size - LINK_TAG)) return false;
  if (bytes[5] < LINK_JOIN || bytes[5] >= LINK_TYPE_END) return false;
  const unsigned char* at = bytes + 5;
  head->type = (LinkType)bytes_get(&at, 1);
  head->flags = (unsigned)bytes_get(&at, 2);
  head->session = bytes_get(&at, 8);
  head->number = bytes_get(&at, 8);
  head->a = (uint32_t)bytes_get(&at, 4);
  head->b = (uint32_t)bytes_get(&at, 4);
  *body = size - frame;
  return true;
}

unsigned char* link_put_numbers(unsigned char* at, const double* number, int count) {
  for (int i = 0; i < count; ++i) at = bytes_put_double(at, number[i]);
  return at;
}

bool link_read_controls(const LinkHead* head, const unsigned char* at, size_t size, int controls,
                        int forces, double* out, bool* forced) {
  if (head->a != (uint32_t)controls || (head->b != 0 && head->b != (uint32_t)forces)) return false;
  const int count = controls + (int)head->b;
  if (size != 8 * (size_t)count) return false;
  bool finite = true;
  for (int i = 0; i < count; ++i) {
    out[i] = bytes_get_double(&at);
    finite &= isfinite(out[i]) != 0;
  }
  for (int i = count; i < controls + forces; ++i) out[i] = 0;
  *forced = head->b > 0;
  return finite;
}
