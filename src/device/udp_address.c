// SPDX-License-Identifier: Apache-2.0
// Addresses of the UDP protocol: [ip:]port[#key in 32 hexadecimal digits].
#include "device/udp_address.h"

#include <arpa/inet.h>
#include <string.h>

#include "base/error.h"
#include "device/text.h"

enum { PORT = 7470 };

static int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

static int read_key(const char* text, unsigned char key[PACKET_KEY]) {
  if (strlen(text) != 2 * PACKET_KEY) return 0;
  for (int i = 0; i < PACKET_KEY; ++i) {
    const int high = digit(text[2 * i]), low = digit(text[2 * i + 1]);
    if (high < 0 || low < 0) return 0;
    key[i] = (unsigned char)(16 * high + low);
  }
  return 1;
}

HeftStatus udp_address_read(const char* address, UdpAddress* out, HeftError* error) {
  struct sockaddr_in* at = &out->at;
  memset(out, 0, sizeof *out);
  char place[64], ip[64];
  const char* key = text_split(address, '#', place, sizeof place);
  const char* port = text_split(place, ':', ip, sizeof ip);
  if (!*port && !strchr(place, ':')) {
    port = place;
    ip[0] = '\0';
  }
  double number = PORT;
  if (*port && (!text_number(&port, &number) || *port || !(number >= 1 && number <= 65535)))
    return text_error(error, HEFT_ERR_SYNTAX, "the port is not understood", address,
                      "[ip:]port[#key]");
  at->sin_family = AF_INET;
  at->sin_port = htons((uint16_t)number);
  at->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (ip[0] && inet_pton(AF_INET, ip, &at->sin_addr) != 1)
    return text_error(error, HEFT_ERR_SYNTAX, "the address is not understood", address,
                      "[ip:]port[#key]");
  if (*key && !read_key(key, out->key))
    return heft_error_set(error, HEFT_ERR_SYNTAX,
                          "the key of a UDP address must have 32 hexadecimal digits");
  if (!*key && ntohl(at->sin_addr.s_addr) >> 24 != 127)
    return heft_error_set(error, HEFT_ERR_VALUE,
                          "a UDP port that is reached from outside needs a key: write "
                          "ip:port#key with 32 hexadecimal digits");
  return HEFT_OK;
}
