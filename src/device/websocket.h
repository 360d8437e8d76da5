// SPDX-License-Identifier: Apache-2.0
// A WebSocket (RFC 6455), strict and small: text messages in one frame, nothing compressed.
#ifndef HEFT_SRC_DEVICE_WEBSOCKET_H
#define HEFT_SRC_DEVICE_WEBSOCKET_H

#include <stddef.h>
#include <stdint.h>

enum { WS_TEXT = 1, WS_CLOSE = 8, WS_PING = 9, WS_PONG = 10, WS_HEAD = 14 };

typedef struct WsFrame {
  int opcode;
  const unsigned char* payload;
  size_t size;
} WsFrame;

/// The first frame of a client's stream (masked = 1) or a server's (0), unmasked in place. Returns
/// the size of the frame in bytes, 0 if it is not there as a whole yet, -1 if the stream is not a
/// WebSocket of ours: reserved bits, fragments, payloads longer than `most`, a mask where there
/// must be none, control frames of more than 125 bytes.
long ws_read(unsigned char* bytes, size_t size, int masked, size_t max, WsFrame* frame);
/// Writes a frame; mask NULL for a server. out: size + WS_HEAD bytes. Returns how many were
/// written.
size_t ws_write(int opcode, const void* payload, size_t size, const unsigned char mask[4],
                unsigned char* out);
/// The answer to a client's key (24 characters): out gets 28 and a zero.
void ws_accept(const char key[24], char out[29]);
/// 16 bytes as a key of 24 characters and a zero.
void ws_key(const unsigned char random[16], char out[25]);
/// Returns whether an answer to our handshake, terminated by a zero, is correct.
int ws_accepted(const char* answer, const char key[24]);

#endif
