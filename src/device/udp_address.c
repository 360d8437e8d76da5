// SPDX-License-Identifier: Apache-2.0
// The library accepts a key as a part of the address, from the memory of the program. The command
// reads keys from files and the environment (apps/heft/device_key.c).
#include "device/udp_address.h"

#include <arpa/inet.h>
#include <string.h>

#include "base/error.h"
#include "device/text.h"

enum { PORT = 7470 };

static const char form[] = "[ip:]port[#key][,version=1]";

static int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// The size of the key in bytes; -1: it is wrong.
static int read_key(const char* text, unsigned char key[UDP_KEY_MAX]) {
  const size_t length = strlen(text);
  if (length % 2 != 0 || length > 2 * (size_t)UDP_KEY_MAX) return -1;
  for (size_t i = 0; i < length / 2; ++i) {
    const int high = digit(text[2 * i]), low = digit(text[2 * i + 1]);
    if (high < 0 || low < 0) return -1;
    key[i] = (unsigned char)(16 * high + low);
  }
  return length == 32 || length == 64 ? (int)length / 2 : -1;
}

static HeftStatus read_place(const char* place, const char* address, struct sockaddr_in* at,
                             HeftError* error) {
  char ip[64];
  const char* port = text_split(place, ':', ip, sizeof ip);
  if (!*port && !strchr(place, ':')) {
    port = place;
    ip[0] = '\0';
  }
  double number = PORT;
  if (*port && (!text_number(&port, &number) || *port || !(number >= 1 && number <= 65535)))
    return text_error(error, HEFT_ERR_SYNTAX, "the port is not understood", address, form);
  at->sin_family = AF_INET;
  at->sin_port = htons((uint16_t)number);
  at->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (ip[0] && inet_pton(AF_INET, ip, &at->sin_addr) != 1)
    return text_error(error, HEFT_ERR_SYNTAX, "the address is not understood", address, form);
  return HEFT_OK;
}

HeftStatus udp_address_read(const char* address, UdpAddress* out, HeftError* error) {
  memset(out, 0, sizeof *out);
  char head[160], place[64];
  const char* option = text_split(address, ',', head, sizeof head);
  const char* key = text_split(head, '#', place, sizeof place);
  const HeftStatus status = read_place(place, place, &out->at, error);
  if (status != HEFT_OK) return status;
  if (*option && strcmp(option, "version=1") != 0 && strcmp(option, "version=2") != 0)
    return text_error(error, HEFT_ERR_SYNTAX, "the option of a UDP address is not understood",
                      option, "version=1 or version=2, or on the command line key-file=FILE");
  if (*option) out->version = option[8] - '0';
  out->key_size = read_key(key, out->key);
  if (*key && out->key_size < 0)
    return heft_error_set(
        error, HEFT_ERR_SYNTAX,
        "the key of a UDP address must have 64 hexadecimal digits (32 in version 1 of "
        "the protocol)");
  if (!*key) out->key_size = 0;
  if (!*key && ntohl(out->at.sin_addr.s_addr) >> 24 != 127)
    return heft_error_set(error, HEFT_ERR_VALUE,
                          "a UDP port that is reached from outside needs a key: on the command "
                          "line, add key-file=FILE behind a comma or set HEFT_UDP_KEY; in a "
                          "program, write ip:port#key");
  return HEFT_OK;
}

HeftStatus udp_address_no_tunnel(HeftError* error) {
  return heft_error_set(error, HEFT_ERR_UNSUPPORTED,
                        "this build has no libsodium, which version 2 of the UDP protocol needs: "
                        "install libsodium-dev and build Heft again, or ask for version 1 with "
                        "port,version=1");
}

uint64_t udp_place(const struct sockaddr_in* at) {
  return (uint64_t)ntohl(at->sin_addr.s_addr) << 16 | ntohs(at->sin_port);
}

HeftStatus udp_address_expect_key(const UdpAddress* a, int size, HeftError* error) {
  if (a->key_size == 0 || a->key_size == size) return HEFT_OK;
  return heft_error_set(error, HEFT_ERR_VALUE,
                        "the key has %d hexadecimal digits; here it must have %d", 2 * a->key_size,
                        2 * size);
}
