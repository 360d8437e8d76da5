// SPDX-License-Identifier: Apache-2.0
// The driver for devices that speak our UDP protocol (docs/manual/writing-a-driver.md).
//
// Version 2 is in secure.c; here is its socket. A session belongs to a place, an address and a
// port: in version 2 the place that proved itself, in version 1 the place of its first state.
// States from elsewhere are dropped, although they are genuine, and forces go only to this place.
//
// Version 1 is used if the address asks for it. Its packets are signed with the key. A device sends
// a hello; the host answers with a random number of this session. States must contain that number
// and a rising counter, so that repeated packets are rejected. A session gets a new number as soon
// as an earlier one has ended, so that packets of earlier sessions are rejected, too. While one
// device is alive, the hello of another one is not answered.
//
// Without a key the driver listens only on the loopback interface.
//
// A device states its force when it says hello, after the probe was made for 3 N. The option
// force=N of the address states it before. The device may lower it, not raise it.
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/error.h"
#include "device/driver_list.h"
#include "device/packet.h"
#include "device/secure.h"
#include "device/text.h"
#include "device/udp_address.h"

// At a look: a flood of 100,000 packets per second has 100 in a millisecond.
enum { PACKETS_A_LOOK = 256, PACKET_MOST = SECURE_MAX };
_Static_assert((int)PACKET_MAX <= (int)PACKET_MOST, "room for both versions");

static const double force_most = 40;  // of the option, as strong as haptic devices are [N]
static const double alive_for = 1.0;  // after the last packet no other device is accepted [s]

typedef struct Plain {
  uint64_t host_nonce, device_nonce;
  uint64_t number;  // of the last state
  uint64_t sent;    // of the last force
} Plain;

typedef struct Udp {
  int socket;
  UdpAddress address;
  Plain plain;
  SecureHost secure;
  uint64_t heard_ns;
  struct sockaddr_in peer;
  int has_peer;
  double force_max;  // of the option [N]; 0: not given
  HeftDeviceInfo info;
} Udp;

// ---- the socket

static int renew_nonce(Plain* p) {
  uint64_t fresh;
  if (getrandom(&fresh, sizeof fresh, 0) != (ssize_t)sizeof fresh) return 0;
  p->host_nonce = fresh | 1;
  return 1;
}

static HeftStatus prepare_version(Udp* u, HeftError* error) {
  if (u->address.version == 1) {
    const HeftStatus status = udp_address_expect_key(&u->address, PACKET_KEY, error);
    if (status != HEFT_OK) return status;
    return renew_nonce(&u->plain) ? HEFT_OK
                                  : heft_error_set(error, HEFT_ERR_FILE, "no random numbers");
  }
  const HeftStatus status = udp_address_expect_key(&u->address, SECURE_KEY, error);
  if (status != HEFT_OK) return status;
  return secure_host_make(&u->secure, u->address.key, heft_clock_ns())
             ? HEFT_OK
             : udp_address_no_tunnel(error);
}

enum { ADDRESS_SIZE = 256 };

// Takes the option force=N out of an address; `rest` (ADDRESS_SIZE) is the address without it.
static HeftStatus take_force(Udp* u, const char* address, char* rest, HeftError* error) {
  char* to = rest;
  if (strlen(address) >= ADDRESS_SIZE)
    return heft_error_set(error, HEFT_ERR_SYNTAX, "the UDP address is longer than %d letters",
                          ADDRESS_SIZE - 1);
  for (const char* at = address; *at;) {
    const size_t length = 1 + strcspn(at + 1, ",");
    if (strncmp(at, ",force=", 7) != 0) {
      memcpy(to, at, length);
      to += length;
    } else {
      const char* number = at + 7;
      if (!text_number(&number, &u->force_max) || number != at + length ||
          !(u->force_max > 0 && u->force_max <= force_most))
        return heft_error_set(error, HEFT_ERR_VALUE,
                              "force= of a UDP address is '%.*s', expected a number above 0 and up "
                              "to %g N",
                              (int)(length - 7 < 40 ? length - 7 : 40), at + 7, force_most);
    }
    at += length;
  }
  *to = '\0';
  return HEFT_OK;
}

// The statement of a device, within the limit of the address.
static void set_info(Udp* u, const HeftDeviceInfo* info) {
  u->info = *info;
  if (u->force_max > 0 && !(info->force_max > 0 && info->force_max < u->force_max))
    u->info.force_max = u->force_max;
}

static HeftStatus udp_open(void* self, const char* address, HeftError* error) {
  Udp* u = self;
  char rest[ADDRESS_SIZE];
  u->socket = -1;
  HeftStatus status = take_force(u, address, rest, error);
  if (status == HEFT_OK) status = udp_address_read(rest, &u->address, error);
  tunnel_wipe(rest, sizeof rest);
  if (status == HEFT_OK) status = prepare_version(u, error);
  if (status != HEFT_OK) return status;
  const struct sockaddr_in at = u->address.at;
  u->socket = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (u->socket < 0 || bind(u->socket, (const struct sockaddr*)&at, sizeof at) != 0) {
    const int code = errno;
    if (u->socket >= 0) close(u->socket);
    return heft_error_set(error, HEFT_ERR_FILE, "the UDP port %d cannot be used (errno %d)",
                          ntohs(at.sin_port), code);
  }
  const HeftDeviceInfo usual = {.name = "udp", .axes_sensed = 6, .axes_driven = 3, .rate = 1000};
  set_info(u, &usual);
  return HEFT_OK;
}

static void udp_close(void* self) {
  Udp* u = self;
  close(u->socket);
  tunnel_wipe(u, sizeof *u);
}

static void udp_info(void* self, HeftDeviceInfo* info) { *info = ((Udp*)self)->info; }

static int is_alive(const Udp* u, uint64_t now_ns) {
  return u->has_peer && (double)(int64_t)(now_ns - u->heard_ns) * 1e-9 <= alive_for;
}

static void send_bytes(const Udp* u, const unsigned char* bytes, size_t size,
                       const struct sockaddr_in* to) {
  sendto(u->socket, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL, (const struct sockaddr*)to,
         sizeof *to);
}

// ---- version 1

static void send_packet(Udp* u, const Packet* p, const struct sockaddr_in* to) {
  unsigned char bytes[PACKET_MAX];
  send_bytes(u, bytes, packet_write(p, u->address.key, bytes), to);
}

static void welcome(Udp* u, uint64_t now_ns, const Packet* hello, const struct sockaddr_in* from) {
  Plain* s = &u->plain;
  if (is_alive(u, now_ns) || hello->device_nonce == 0) return;
  if ((hello->device_nonce != s->device_nonce || s->number > 0) && !renew_nonce(s)) return;
  s->number = 0;
  u->has_peer = 0;
  s->device_nonce = hello->device_nonce;
  set_info(u, &hello->info);
  const Packet answer = {
      .type = PACKET_WELCOME, .device_nonce = s->device_nonce, .host_nonce = s->host_nonce};
  send_packet(u, &answer, from);
}

static int accept_state(Plain* s, const Packet* p) {
  if (p->host_nonce != s->host_nonce || p->device_nonce != s->device_nonce ||
      p->number <= s->number)
    return 0;
  s->number = p->number;
  return 1;
}

static int take_plain(Udp* u, uint64_t now_ns, const unsigned char* bytes, size_t size,
                      const struct sockaddr_in* from, HeftDeviceSample* sample) {
  Packet p;
  if (!packet_read(bytes, size, u->address.key, &p)) return 0;
  if (p.type == PACKET_HELLO) welcome(u, now_ns, &p, from);
  if (u->has_peer && udp_place(from) != udp_place(&u->peer)) return 0;
  if (p.type != PACKET_STATE || !accept_state(&u->plain, &p)) return 0;
  *sample = p.sample;
  sample->number = p.number;
  return 1;
}

static void write_plain(Udp* u, const HeftDeviceForce* force) {
  const Packet p = {.type = PACKET_FORCE,
                    .device_nonce = u->plain.device_nonce,
                    .host_nonce = u->plain.host_nonce,
                    .number = ++u->plain.sent,
                    .echo = u->plain.number,
                    .force = *force};
  send_packet(u, &p, &u->peer);
}

// ---- version 2

static int take_secure(Udp* u, uint64_t now_ns, const unsigned char* bytes, size_t size,
                       const struct sockaddr_in* from, HeftDeviceSample* sample) {
  unsigned char answer[SECURE_MAX];
  size_t answer_size;
  const SecureNews news = secure_host_take(&u->secure, now_ns, udp_place(from), bytes, size, sample,
                                           answer, &answer_size);
  if (news == SECURE_ANSWER) send_bytes(u, answer, answer_size, from);
  if (news == SECURE_SESSION) {
    set_info(u, &u->secure.info);
    u->has_peer = 0;
  }
  return news == SECURE_STATE;
}

static void write_secure(Udp* u, const HeftDeviceForce* force) {
  unsigned char bytes[SECURE_MAX];
  const size_t size = secure_host_force(&u->secure, force, bytes);
  if (size > 0) send_bytes(u, bytes, size, &u->peer);
}

// ---- the driver

static HeftDeviceRead udp_read(void* self, uint64_t now_ns, HeftDeviceSample* sample) {
  Udp* u = self;
  HeftDeviceRead read = HEFT_DEVICE_NOTHING;
  for (int i = 0; i < PACKETS_A_LOOK; ++i) {
    unsigned char bytes[PACKET_MOST + 1];
    struct sockaddr_in from;
    socklen_t length = sizeof from;
    const ssize_t size =
        recvfrom(u->socket, bytes, sizeof bytes, MSG_DONTWAIT, (struct sockaddr*)&from, &length);
    if (size < 0) break;
    const int fresh = u->address.version == 1
                          ? take_plain(u, now_ns, bytes, (size_t)size, &from, sample)
                          : take_secure(u, now_ns, bytes, (size_t)size, &from, sample);
    if (!fresh) continue;
    sample->time_ns = now_ns;
    u->peer = from;
    u->has_peer = 1;
    u->heard_ns = now_ns;
    read = HEFT_DEVICE_FRESH;
  }
  return read;
}

static bool udp_write(void* self, uint64_t now_ns, const HeftDeviceForce* force) {
  Udp* u = self;
  if (!is_alive(u, now_ns)) return 1;
  if (u->address.version == 1) {
    write_plain(u, force);
  } else {
    write_secure(u, force);
  }
  return 1;
}

const HeftDriver heft_driver_udp = {
    .name = "udp",
    .text = "devices that use Heft's protocol over UDP",
    .address = "[ip:]port[,key-file=FILE][,version=1][,force=N], 127.0.0.1:7470",
    .size = sizeof(Udp),
    .open = udp_open,
    .close = udp_close,
    .info = udp_info,
    .read = udp_read,
    .write = udp_write,
};
