// SPDX-License-Identifier: Apache-2.0
// The advisories of NATS (https://advisories.nats.io) name the versions that correct a mistake. The
// latest that this table knows are of 2026-06-29: 2.12.12 and 2.14.3 (secnote-2026-26); 2.11 and
// older were not corrected.
#define _POSIX_C_SOURCE 200809L
#include "queue/server_version.h"

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { WAIT_MS = 1000, INFO_MAX = 8192 };

static int read_numbers(const char* text, long number[3]) {
  for (int i = 0; i < 3; ++i) {
    char* end;
    if (*text < '0' || *text > '9') return 0;
    number[i] = strtol(text, &end, 10);
    if (i < 2 && *end != '.') return 0;
    text = end + (i < 2);
  }
  return 1;
}

int server_version_is_old(const char* info, char version[32]) {
  static const char key[] = "\"version\":\"";
  const char* at = strstr(info, key);
  long n[3];
  version[0] = '\0';
  if (strncmp(info, "INFO ", 5) != 0 || !at) return 0;
  at += sizeof key - 1;
  const size_t length = strspn(at, "0123456789.abcdefghijklmnopqrstuvwxyzRC-");
  if (length == 0 || length >= 32 || !read_numbers(at, n)) return 0;
  snprintf(version, 32, "%.*s", (int)length, at);
  if (n[0] != 2) return n[0] < 2;
  if (n[1] == 12) return n[2] < 12;
  if (n[1] == 14) return n[2] < 3;
  return n[1] < 14;
}

// Connects within WAIT_MS. -1: no connection.
static int connect_to(const char* host, const char* port) {
  const struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
  struct addrinfo* list = NULL;
  int fd = -1;
  if (getaddrinfo(host, port, &hints, &list) != 0) return -1;
  for (const struct addrinfo* a = list; a && fd < 0; a = a->ai_next) {
    fd = socket(a->ai_family, a->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, a->ai_protocol);
    struct pollfd look = {.fd = fd, .events = POLLOUT};
    int code = 0;
    socklen_t size = sizeof code;
    if (fd < 0) continue;
    if (connect(fd, a->ai_addr, a->ai_addrlen) != 0 && errno != EINPROGRESS) {
      close(fd);
      fd = -1;
      continue;
    }
    if (poll(&look, 1, WAIT_MS) == 1 && getsockopt(fd, SOL_SOCKET, SO_ERROR, &code, &size) == 0 &&
        code == 0)
      break;
    close(fd);
    fd = -1;
  }
  freeaddrinfo(list);
  return fd;
}

// The first line of a server. 0: it did not come.
static int read_info(int fd, char out[INFO_MAX]) {
  size_t used = 0;
  struct pollfd look = {.fd = fd, .events = POLLIN};
  while (used < INFO_MAX - 1 && poll(&look, 1, WAIT_MS) == 1) {
    const ssize_t n = recv(fd, out + used, INFO_MAX - 1 - used, 0);
    if (n <= 0) break;
    used += (size_t)n;
    out[used] = '\0';
    if (strchr(out, '\n')) return 1;
  }
  return 0;
}

void server_version_warn(natsConnection* connection, int quiet) {
  char url[256] = "", info[INFO_MAX], version[32];
  if (quiet || natsConnection_GetConnectedUrl(connection, url, sizeof url) != NATS_OK) return;
  char* host = strstr(url, "://");
  host = host ? host + 3 : url;
  char* behind_user = strrchr(host, '@');
  if (behind_user) host = behind_user + 1;
  char* port = strrchr(host, ':');
  if (!port) return;
  *port++ = '\0';
  if (host[0] == '[') {
    ++host;
    host[strcspn(host, "]")] = '\0';
  }
  const int fd = connect_to(host, port);
  if (fd < 0) return;
  if (read_info(fd, info) && server_version_is_old(info, version))
    fprintf(stderr,
            "warning: the server of the queue is nats-server %s, whose known mistakes were "
            "corrected in " SERVER_VERSION_SAFE " (https://advisories.nats.io)\n",
            version);
  close(fd);
}
