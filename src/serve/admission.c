// SPDX-License-Identifier: Apache-2.0
#include "serve/admission.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

#include "base/assert.h"
#include "base/error.h"

enum { NAME_SIZE = 256 };

// The name of "name", "name:port" or "[address]:port". 0: it is neither.
static int host_name(const char* host, char out[NAME_SIZE]) {
  const char* begin = host[0] == '[' ? host + 1 : host;
  const size_t length = strcspn(begin, host[0] == '[' ? "]" : ":");
  if (length == 0 || length >= NAME_SIZE) return 0;
  memcpy(out, begin, length);
  out[length] = '\0';
  const char* rest = begin + length + (host[0] == '[' && begin[length] == ']');
  if (host[0] == '[' && begin[length] != ']') return 0;
  return *rest == '\0' || (*rest == ':' && rest[1 + strspn(rest + 1, "0123456789")] == '\0');
}

static int is_address(const char* name) {
  unsigned char bytes[16];
  return inet_pton(AF_INET, name, bytes) == 1 || inet_pton(AF_INET6, name, bytes) == 1;
}

// The "host:port" of an origin; NULL: it is none.
static const char* origin_host(const char* origin) {
  if (strncasecmp(origin, "http://", 7) == 0) return origin + 7;
  if (strncasecmp(origin, "https://", 8) == 0) return origin + 8;
  return NULL;
}

int admission_host(const HeftServeDef* def, const char* host) {
  char name[NAME_SIZE], other[NAME_SIZE];
  if (!host_name(host, name)) return 0;
  if (is_address(name) || strcasecmp(name, "localhost") == 0) return 1;
  for (int i = 0; i < def->origin_count; ++i) {
    const char* allowed = origin_host(def->origin[i]);
    if (allowed && host_name(allowed, other) && strcasecmp(name, other) == 0) return 1;
  }
  return 0;
}

int admission_origin(const HeftServeDef* def, const char* origin, const char* host) {
  char name[NAME_SIZE];
  if (!origin[0]) return 1;
  const char* from = origin_host(origin);
  if (!from || !host_name(from, name)) return 0;
  if (strcasecmp(from, host) == 0 || strcasecmp(name, "localhost") == 0) return 1;
  if (is_address(name) && admission_is_loopback(name)) return 1;
  for (int i = 0; i < def->origin_count; ++i) {
    if (strcasecmp(origin, def->origin[i]) == 0) return 1;
  }
  return 0;
}

int admission_token(const char* given, const char* token) {
  unsigned char a[HEFT_SERVE_TOKEN_MAX + 1] = {0}, b[HEFT_SERVE_TOKEN_MAX + 1] = {0};
  volatile unsigned char different = 0;
  if (!token) return 0;
  snprintf((char*)a, sizeof a, "%s", given);
  snprintf((char*)b, sizeof b, "%s", token);
  for (size_t i = 0; i < sizeof a; ++i) different = (unsigned char)(different | (a[i] ^ b[i]));
  return different == 0;
}

int admission_is_loopback(const char* address) {
  unsigned char bytes[16];
  if (inet_pton(AF_INET, address, bytes) == 1) return bytes[0] == 127;
  return strcmp(address, "::1") == 0;
}

HeftStatus heft_serve_check_token(const char* token, HeftError* error) {
  HEFT_REQUIRE(token, HEFT_ERR_ARGUMENT);
  const size_t length = strlen(token);
  if (length < HEFT_SERVE_TOKEN_MIN || length > HEFT_SERVE_TOKEN_MAX)
    return heft_error_set(error, HEFT_ERR_VALUE,
                          "a token has %d to %d characters, this one has %zu", HEFT_SERVE_TOKEN_MIN,
                          HEFT_SERVE_TOKEN_MAX, length);
  for (size_t i = 0; i < length; ++i) {
    if (token[i] <= ' ' || token[i] > '~')
      return heft_error_set(error, HEFT_ERR_VALUE,
                            "a token has printable ASCII characters without blanks alone");
  }
  return HEFT_OK;
}

bool heft_serve_make_token(char out[HEFT_SERVE_TOKEN_MAX + 1]) {
  unsigned char bytes[16];
  if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) return false;
  for (size_t i = 0; i < sizeof bytes; ++i) snprintf(out + 2 * i, 3, "%02x", bytes[i]);
  return true;
}
