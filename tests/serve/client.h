// SPDX-License-Identifier: Apache-2.0
// A small client of WebSocket for tests: blocking, with time limits, and able to misbehave.
#ifndef HEFT_TESTS_SERVE_CLIENT_H
#define HEFT_TESTS_SERVE_CLIENT_H

#include <arpa/inet.h>
#include <heft/base.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum { CLIENT_ROOM = 1 << 20 };

typedef struct Client {
  int fd, status;  ///< status of HTTP
  int opcode, close_code;
  size_t size;
  unsigned char bytes[CLIENT_ROOM];  ///< the last message
} Client;

/// Receive buffer of the next connections [bytes]; 0: that of the system.
static int client_receive_room;

static inline int client_socket(int port) {
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  const struct timeval limit = {20, 0};
  const int yes = 1, fd = socket(AF_INET, SOCK_STREAM, 0);
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  if (client_receive_room > 0)
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &client_receive_room, sizeof client_receive_room);
  if (connect(fd, (struct sockaddr*)&to, sizeof to) == 0) return fd;
  close(fd);
  return -1;
}

static inline int client_put(int fd, const void* bytes, size_t size) {
  const char* at = bytes;
  while (size > 0) {
    const ssize_t n = send(fd, at, size, MSG_NOSIGNAL);
    if (n <= 0) return 0;
    at += n;
    size -= (size_t)n;
  }
  return 1;
}

static inline int client_get(int fd, void* bytes, size_t size) {
  unsigned char* at = bytes;
  while (size > 0) {
    const ssize_t n = recv(fd, at, size, 0);
    if (n <= 0) return 0;
    at += n;
    size -= (size_t)n;
  }
  return 1;
}

/// Connects. headers: further ones, each with its line end; host NULL: the address. Returns 1 if
/// it is a WebSocket; else c->status is the status of HTTP, or 0.
static inline int client_open(Client* c, int port, const char* host, const char* headers) {
  char text[2048];
  c->status = c->close_code = 0;
  c->size = 0;
  c->fd = client_socket(port);
  if (c->fd < 0) return 0;
  char own[40];
  snprintf(own, sizeof own, "127.0.0.1:%d", port);
  const int n =
      snprintf(text, sizeof text,
               "GET / HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
               "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: "
               "13\r\n%s\r\n",
               host ? host : own, headers ? headers : "");
  if (!client_put(c->fd, text, (size_t)n)) return 0;
  size_t used = 0;
  while (used < sizeof text - 1 && client_get(c->fd, text + used, 1)) {
    text[++used] = '\0';
    if (used >= 4 && memcmp(text + used - 4, "\r\n\r\n", 4) == 0) break;
  }
  if (used > 12) sscanf(text + 9, "%d", &c->status);
  return c->status == 101;
}

static inline void client_close(Client* c) {
  if (c->fd >= 0) close(c->fd);
  c->fd = -1;
}

/// A frame with any first byte. The mask is zero, which the protocol allows.
static inline int client_frame(Client* c, int first, const void* bytes, size_t size) {
  unsigned char head[14] = {(unsigned char)first};
  size_t n = 2;
  if (size < 126) {
    head[1] = (unsigned char)(0x80 | size);
  } else {
    head[1] = 0x80 | 126;
    head[2] = (unsigned char)(size >> 8);
    head[3] = (unsigned char)size;
    n = 4;
  }
  return client_put(c->fd, head, n + 4) && client_put(c->fd, bytes, size);
}

static inline int client_say(Client* c, const char* text) {
  return client_frame(c, 0x81, text, strlen(text));
}

/// The next message, whose parts are put together. 0: the connection has ended.
static inline int client_next(Client* c) {
  c->size = 0;
  for (int first = 1;; first = 0) {
    unsigned char head[10];
    if (!client_get(c->fd, head, 2)) return 0;
    uint64_t size = head[1] & 127;
    if (size >= 126) {
      const int count = size == 126 ? 2 : 8;
      if (!client_get(c->fd, head + 2, (size_t)count)) return 0;
      size = 0;
      for (int i = 0; i < count; ++i) size = size << 8 | head[2 + i];
    }
    if (c->size + size + 1 > CLIENT_ROOM || !client_get(c->fd, c->bytes + c->size, size)) return 0;
    const int opcode = head[0] & 15;
    if (opcode == 8) {
      c->close_code = size >= 2 ? c->bytes[c->size] << 8 | c->bytes[c->size + 1] : 1005;
      return 0;
    }
    if (opcode > 8) {  // a ping is answered
      if (opcode == 9) client_frame(c, 0x8a, c->bytes + c->size, (size_t)size);
      continue;
    }
    if (opcode != 0) c->opcode = opcode;
    (void)first;
    c->size += (size_t)size;
    c->bytes[c->size] = '\0';
    if (head[0] & 0x80) return 1;
  }
}

/// The next text; pictures before it are skipped.
static inline const char* client_text(Client* c) {
  while (client_next(c))
    if (c->opcode == 1) return (const char*)c->bytes;
  return "";
}

/// The next picture; texts and parts of the model before it are skipped.
static inline const unsigned char* client_picture(Client* c) {
  while (client_next(c))
    if (c->opcode == 2 && c->bytes[0] == 1) return c->bytes;
  return NULL;
}

/// Reads whatever has come, without waiting.
static inline void client_drain(Client* c) {
  static char scratch[1 << 16];
  while (recv(c->fd, scratch, sizeof scratch, MSG_DONTWAIT) > 0) {
  }
}

/// Says that nothing follows, and waits until the server has read everything. Closing a connection
/// with unread bytes would discard what the server has not read.
static inline void client_finish(Client* c) {
  static char scratch[1 << 16];
  shutdown(c->fd, SHUT_WR);
  while (recv(c->fd, scratch, sizeof scratch, 0) > 0) {
  }
  client_close(c);
}

/// Waits until the server has closed the connection; close_code has the reason. 0: it did not.
static inline int client_closed(Client* c) {
  const uint64_t end = heft_clock_ns() + 20000000000u;
  while (heft_clock_ns() < end)
    if (!client_next(c)) return 1;
  return 0;
}

#endif
