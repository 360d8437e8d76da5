// SPDX-License-Identifier: Apache-2.0
#include "device/websocket.h"

#include <string.h>

// ---- SHA-1 of short texts and base64, only for the handshake

static uint32_t rotate(uint32_t x, int by) { return x << by | x >> (32 - by); }

static void sha1_block(uint32_t h[5], const unsigned char* p) {
  uint32_t w[80], a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
  for (int i = 0; i < 16; ++i)
    w[i] = (uint32_t)p[4 * i] << 24 | (uint32_t)p[4 * i + 1] << 16 | (uint32_t)p[4 * i + 2] << 8 |
           (uint32_t)p[4 * i + 3];
  for (int i = 16; i < 80; ++i) w[i] = rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
  for (int i = 0; i < 80; ++i) {
    const uint32_t f = i < 20   ? (b & c) | (~b & d)
                       : i < 40 ? b ^ c ^ d
                       : i < 60 ? (b & c) | (b & d) | (c & d)
                                : b ^ c ^ d;
    const uint32_t k = i < 20   ? 0x5A827999u
                       : i < 40 ? 0x6ED9EBA1u
                       : i < 60 ? 0x8F1BBCDCu
                                : 0xCA62C1D6u;
    const uint32_t next = rotate(a, 5) + f + e + k + w[i];
    e = d;
    d = c;
    c = rotate(b, 30);
    b = a;
    a = next;
  }
  h[0] += a;
  h[1] += b;
  h[2] += c;
  h[3] += d;
  h[4] += e;
}

// Of 60 characters: they and their length fill two blocks.
static void sha1_of_60(const char* text, unsigned char out[20]) {
  uint32_t h[5] = {0x67452301u, 0xEFCDAB89u, 0x98BADCFEu, 0x10325476u, 0xC3D2E1F0u};
  unsigned char block[128] = {0};
  memcpy(block, text, 60);
  block[60] = 0x80;
  block[126] = 60 * 8 >> 8;
  block[127] = (60 * 8) & 255;
  sha1_block(h, block);
  sha1_block(h, block + 64);
  for (int i = 0; i < 20; ++i) out[i] = (unsigned char)(h[i / 4] >> (24 - 8 * (i % 4)));
}

static void base64(const unsigned char* bytes, int size, char* text) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (int i = 0; i < size; i += 3) {
    const int left = size - i;
    const unsigned n = (unsigned)bytes[i] << 16 | (left > 1 ? (unsigned)bytes[i + 1] << 8 : 0) |
                       (left > 2 ? (unsigned)bytes[i + 2] : 0);
    *text++ = letters[n >> 18 & 63];
    *text++ = letters[n >> 12 & 63];
    *text++ = left > 1 ? letters[n >> 6 & 63] : '=';
    *text++ = left > 2 ? letters[n & 63] : '=';
  }
  *text = '\0';
}

void ws_key(const unsigned char random[16], char out[25]) { base64(random, 16, out); }

void ws_accept(const char key[24], char out[29]) {
  char text[60];
  unsigned char hash[20];
  memcpy(text, key, 24);
  memcpy(text + 24, "258EAFA5-E914-47DA-95CA-C5AB0DC85B11", 36);
  sha1_of_60(text, hash);
  base64(hash, 20, out);
}

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c; }

// The value of a header line, in `out`; "" if there is none.
static void header(const char* text, const char* name, char* out, size_t size) {
  const size_t length = strlen(name);
  out[0] = '\0';
  for (const char* line = strstr(text, "\r\n"); line; line = strstr(line + 2, "\r\n")) {
    const char* p = line + 2;
    size_t i = 0;
    while (i < length && lower(p[i]) == name[i]) ++i;
    if (i < length || p[i] != ':') continue;
    for (p += i + 1; *p == ' '; ++p) continue;
    for (i = 0; p[i] && p[i] != '\r' && i + 1 < size; ++i) out[i] = p[i];
    out[i] = '\0';
    return;
  }
}

int ws_accepted(const char* answer, const char key[24]) {
  char want[29], have[64], upgrade[32];
  if (strncmp(answer, "HTTP/1.1 101 ", 13) != 0 || !strstr(answer, "\r\n\r\n")) return 0;
  ws_accept(key, want);
  header(answer, "sec-websocket-accept", have, sizeof have);
  header(answer, "upgrade", upgrade, sizeof upgrade);
  for (char* p = upgrade; *p; ++p) *p = lower(*p);
  return strcmp(have, want) == 0 && strcmp(upgrade, "websocket") == 0;
}

// ---- frames

static int is_known(int opcode) {
  return opcode == WS_TEXT || opcode == WS_CLOSE || opcode == WS_PING || opcode == WS_PONG;
}

long ws_read(unsigned char* bytes, size_t size, int masked, size_t max, WsFrame* frame) {
  if (size < 2) return 0;
  const int opcode = bytes[0] & 15, short_size = bytes[1] & 127;
  if ((bytes[0] & 0xF0) != 0x80 || !is_known(opcode) || (bytes[1] >> 7 & 1) != masked) return -1;
  if (opcode >= WS_CLOSE && short_size > 125) return -1;
  const size_t extra = short_size == 126 ? 2 : short_size == 127 ? 8 : 0;
  const size_t head = 2 + extra + (masked ? 4 : 0);
  if (size < head) return 0;
  uint64_t length = extra ? 0 : (uint64_t)short_size;
  for (size_t i = 0; i < extra; ++i) length = length << 8 | bytes[2 + i];
  if (length > max) return -1;
  if (size < head + length) return 0;
  frame->opcode = opcode;
  frame->payload = bytes + head;
  frame->size = (size_t)length;
  for (size_t i = 0; i < frame->size && masked; ++i) bytes[head + i] ^= bytes[head - 4 + i % 4];
  return (long)(head + length);
}

size_t ws_write(int opcode, const void* payload, size_t size, const unsigned char mask[4],
                unsigned char* out) {
  const unsigned char* from = payload;
  const int extra = size < 126 ? 0 : size < 65536 ? 2 : 8;
  const int short_size = extra == 0 ? (int)size : extra == 2 ? 126 : 127;
  size_t at = 2;
  out[0] = (unsigned char)(0x80 | opcode);
  out[1] = (unsigned char)((mask ? 0x80 : 0) | short_size);
  for (int i = extra - 1; i >= 0; --i) out[at++] = (unsigned char)((uint64_t)size >> (8 * i));
  if (mask) memcpy(out + at, mask, 4);
  if (mask) at += 4;
  for (size_t i = 0; i < size; ++i)
    out[at + i] = mask ? (unsigned char)(from[i] ^ mask[i % 4]) : from[i];
  return at + size;
}
