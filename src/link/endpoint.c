// SPDX-License-Identifier: Apache-2.0
// A file of a former run that was not removed is replaced: nobody listens there if a connection to
// it is refused. The file has the rights of the socket when it is bound.
#define _GNU_SOURCE  // ppoll
#include "link/endpoint.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "device/udp_address.h"

enum { BUFFER = 1 << 20 };

// ---- opening

static HeftStatus fail(Endpoint* e, HeftError* error, const char* what, const char* place) {
  const int reason = errno;
  if (e->socket >= 0) close(e->socket);
  e->socket = -1;
  e->path[0] = '\0';
  return heft_error_set(error, HEFT_ERR_FILE, "%s '%.200s' (errno %d)", what, place, reason);
}

static bool is_abandoned(int socket, const struct sockaddr_un* at) {
  struct stat s;
  return stat(at->sun_path, &s) == 0 && S_ISSOCK(s.st_mode) &&
         connect(socket, (const struct sockaddr*)at, sizeof *at) != 0 && errno == ECONNREFUSED;
}

static HeftStatus open_unix(Endpoint* e, const char* path, HeftError* error) {
  struct sockaddr_un at = {.sun_family = AF_UNIX};
  const size_t length = strlen(path);
  if (length == 0 || length >= sizeof at.sun_path)
    return heft_error_set(error, HEFT_ERR_SYNTAX,
                          "the path of a controller's socket has %d bytes, expected 1 to %d",
                          (int)length, (int)sizeof at.sun_path - 1);
  memcpy(at.sun_path, path, length + 1);
  e->socket = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (e->socket < 0 || fchmod(e->socket, 0600) != 0)
    return fail(e, error, "no socket can be made for", path);
  int bound = bind(e->socket, (const struct sockaddr*)&at, sizeof at);
  if (bound != 0 && errno == EADDRINUSE && is_abandoned(e->socket, &at)) {
    unlink(path);
    bound = bind(e->socket, (const struct sockaddr*)&at, sizeof at);
  }
  if (bound != 0 && errno == EADDRINUSE)
    return fail(e, error, "another program, or a file, is already at", path);
  if (bound != 0) return fail(e, error, "cannot create the socket", path);
  memcpy(e->path, path, length + 1);
  return HEFT_OK;
}

static HeftStatus open_udp(Endpoint* e, const char* address, HeftError* error) {
  UdpAddress udp;
  HeftStatus status = udp_address_read(address, &udp, error);
  e->sealed = udp.version != 1;
  if (status == HEFT_OK)
    status = udp_address_expect_key(&udp, e->sealed ? TUNNEL_KEY : LINK_KEY, error);
  if (status == HEFT_OK && e->sealed &&
      !tunnel_host_make(&e->tunnel, &link_tunnel, udp.key, heft_clock_ns()))
    status = udp_address_no_tunnel(error);
  memcpy(e->key, udp.key, sizeof e->key);
  e->keyed = !e->sealed && udp.key_size > 0;
  const struct sockaddr_in at = udp.at;
  tunnel_wipe(&udp, sizeof udp);
  if (status != HEFT_OK) return status;
  e->socket = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (e->socket < 0 || bind(e->socket, (const struct sockaddr*)&at, sizeof at) != 0) {
    char port[16];
    snprintf(port, sizeof port, "%d", ntohs(at.sin_port));
    return fail(e, error, "cannot use the UDP port", port);
  }
  return HEFT_OK;
}

HeftStatus endpoint_open(Endpoint* e, const char* address, HeftError* error) {
  memset(e, 0, sizeof *e);
  e->socket = -1;
  HeftStatus status = HEFT_ERR_SYNTAX;
  if (strncmp(address, "unix:", 5) == 0) {
    status = open_unix(e, address + 5, error);
  } else if (strncmp(address, "udp:", 4) == 0) {
    status = open_udp(e, address + 4, error);
  } else {
    return heft_error_set(error, status,
                          "expected the place of a controller as unix:PATH or udp:PORT, found "
                          "'%.200s'",
                          address);
  }
  if (status != HEFT_OK) return status;
  const int size = BUFFER;  // as much as the system allows
  setsockopt(e->socket, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
  setsockopt(e->socket, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
  return HEFT_OK;
}

void endpoint_close(Endpoint* e) {
  if (e->socket >= 0) close(e->socket);
  if (e->path[0]) unlink(e->path);
  tunnel_wipe(e, sizeof *e);
  e->socket = -1;
}

// ---- datagrams

// The next datagram that fits. Returns its size, -1 if there is none.
static long receive(const Endpoint* e, unsigned char* bytes, size_t size, Peer* from) {
  for (;;) {
    memset(from, 0, sizeof *from);
    from->size = sizeof from->at;
    const ssize_t got = recvfrom(e->socket, bytes, size, MSG_DONTWAIT | MSG_TRUNC,
                                 (struct sockaddr*)&from->at, &from->size);
    if (from->size <= sizeof(sa_family_t)) from->size = 0;  // has no address
    if (got >= 0 && (size_t)got <= size) return (long)got;
    // a datagram that is too long, or the news that an earlier one was not delivered
    if (got >= 0 || errno == ECONNREFUSED || errno == EINTR) continue;
    return -1;
  }
}

static void answer(const Endpoint* e, const Peer* to, const unsigned char* bytes, size_t size) {
  sendto(e->socket, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL, (const struct sockaddr*)&to->at,
         to->size);
}

// A datagram of a tunnel becomes one of the conversation, in place.
static EndpointNews open_sealed(Endpoint* e, bool busy, unsigned char* bytes, size_t* size,
                                const Peer* from) {
  unsigned char out[TUNNEL_HELLO];
  struct sockaddr_in at;
  if (from->size < sizeof at) return ENDPOINT_REFUSED;
  memcpy(&at, &from->at, sizeof at);
  TunnelPacket p = {.now_ns = heft_clock_ns(),
                    .place = udp_place(&at),
                    .bytes = bytes,
                    .size = *size,
                    .out = *size > sizeof out ? bytes + TUNNEL_HEAD : out};
  switch (tunnel_host_take(&e->tunnel, busy, &p)) {
    case TUNNEL_ANSWER:
      answer(e, from, p.out, p.out_size);
      return ENDPOINT_ANSWERED;
    case TUNNEL_SESSION:
      return ENDPOINT_SESSION;
    case TUNNEL_BODY:
      memmove(bytes, p.out, p.out_size);
      *size = p.out_size;
      return ENDPOINT_DATAGRAM;
    case TUNNEL_NOTHING:
      break;
  }
  return ENDPOINT_REFUSED;
}

EndpointNews endpoint_receive(Endpoint* e, bool busy, unsigned char* bytes, size_t* size,
                              Peer* from) {
  const long got = receive(e, bytes, LINK_DATAGRAM + (e->sealed ? TUNNEL_FRAME : 0), from);
  if (got < 0) return ENDPOINT_NONE;
  *size = (size_t)got;
  return e->sealed ? open_sealed(e, busy, bytes, size, from) : ENDPOINT_DATAGRAM;
}

EndpointSent endpoint_send(Endpoint* e, const Peer* to, const unsigned char* bytes, size_t size) {
  if (to->size == 0) return ENDPOINT_GONE;
  if (e->sealed) {
    size = tunnel_host_seal(&e->tunnel, bytes, size, e->out);
    bytes = e->out;
    if (size == 0) return ENDPOINT_GONE;
  }
  const ssize_t sent = sendto(e->socket, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL,
                              (const struct sockaddr*)&to->at, to->size);
  if (sent == (ssize_t)size) return ENDPOINT_SENT;
  return errno == ECONNREFUSED || errno == ENOENT || errno == ENOTCONN ? ENDPOINT_GONE
                                                                       : ENDPOINT_BUSY;
}

void endpoint_wait(const Endpoint* e, uint64_t until_ns) {
  const uint64_t now = heft_clock_ns(), left = until_ns > now ? until_ns - now : 0;
  const struct timespec wait = {(time_t)(left / 1000000000u), (long)(left % 1000000000u)};
  struct pollfd look = {.fd = e->socket, .events = POLLIN};
  ppoll(&look, 1, &wait, NULL);
}

bool endpoint_random(void* bytes, size_t size) {
  return getrandom(bytes, size, 0) == (ssize_t)size;
}

bool peer_equal(const Peer* a, const Peer* b) {
  return a->size == b->size && a->size > 0 && memcmp(&a->at, &b->at, a->size) == 0;
}
