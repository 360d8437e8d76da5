// SPDX-License-Identifier: Apache-2.0
// The driver for devices that speak our UDP protocol (docs/manual/udp-protocol.md).
//
// Only packets signed with the key are accepted. A device sends a hello; the host answers with a
// random number of this session. States must contain that number and a rising counter, so that
// packets of an earlier session and repeated packets are rejected. While a device is alive, the
// hello of another one is not answered.
//
// Without a key the driver listens on the loopback interface alone.
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/error.h"
#include "device/driver_list.h"
#include "device/packet.h"
#include "device/udp_address.h"

enum { PACKETS_A_LOOK = 64 };

static const double alive_for = 1.0;  // after the last packet no other device is accepted [s]

typedef struct Udp {
  int socket;
  UdpAddress address;
  uint64_t host_nonce, device_nonce;
  uint64_t number;  // of the last state
  uint64_t sent;    // of the last force
  uint64_t heard_ns;
  struct sockaddr_in peer;
  int has_peer;
  HeftDeviceInfo info;
} Udp;

// ---- the socket

static HeftStatus udp_open(void* self, const char* address, HeftError* error) {
  Udp* u = self;
  u->socket = -1;
  const HeftStatus status = udp_address_read(address, &u->address, error);
  if (status != HEFT_OK) return status;
  const struct sockaddr_in at = u->address.at;
  u->socket = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (u->socket < 0 || bind(u->socket, (const struct sockaddr*)&at, sizeof at) != 0 ||
      getrandom(&u->host_nonce, sizeof u->host_nonce, 0) != (ssize_t)sizeof u->host_nonce) {
    if (u->socket >= 0) close(u->socket);
    return heft_error_set(error, HEFT_ERR_FILE, "the UDP port %d cannot be used (errno %d)",
                          ntohs(at.sin_port), errno);
  }
  u->host_nonce |= 1;
  u->info = (HeftDeviceInfo){.name = "udp", .axes_sensed = 6, .axes_driven = 3, .rate = 1000};
  return HEFT_OK;
}

static void udp_close(void* self) { close(((Udp*)self)->socket); }

static void udp_info(void* self, HeftDeviceInfo* info) { *info = ((Udp*)self)->info; }

// ---- packets

static void send_packet(Udp* u, const Packet* p, const struct sockaddr_in* to) {
  unsigned char bytes[PACKET_MAX];
  const size_t size = packet_write(p, u->address.key, bytes);
  sendto(u->socket, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL, (const struct sockaddr*)to,
         sizeof *to);
}

static void welcome(Udp* u, uint64_t now_ns, const Packet* hello, const struct sockaddr_in* from) {
  const int busy = u->has_peer && hello->device_nonce != u->device_nonce &&
                   (double)(int64_t)(now_ns - u->heard_ns) * 1e-9 < alive_for;
  if (busy || hello->device_nonce == 0) return;
  if (hello->device_nonce != u->device_nonce) u->number = 0;
  u->device_nonce = hello->device_nonce;
  u->info = hello->info;
  const Packet answer = {
      .type = PACKET_WELCOME, .device_nonce = u->device_nonce, .host_nonce = u->host_nonce};
  send_packet(u, &answer, from);
}

static int accept_state(Udp* u, uint64_t now_ns, const Packet* p, const struct sockaddr_in* from) {
  if (p->host_nonce != u->host_nonce || p->device_nonce != u->device_nonce ||
      p->number <= u->number)
    return 0;
  u->number = p->number;
  u->peer = *from;
  u->has_peer = 1;
  u->heard_ns = now_ns;
  return 1;
}

static HeftDeviceRead udp_read(void* self, uint64_t now_ns, HeftDeviceSample* sample) {
  Udp* u = self;
  HeftDeviceRead read = HEFT_DEVICE_NOTHING;
  for (int i = 0; i < PACKETS_A_LOOK; ++i) {
    unsigned char bytes[PACKET_MAX + 1];
    struct sockaddr_in from;
    socklen_t length = sizeof from;
    const ssize_t size =
        recvfrom(u->socket, bytes, sizeof bytes, MSG_DONTWAIT, (struct sockaddr*)&from, &length);
    if (size < 0) break;
    Packet p;
    if (!packet_read(bytes, (size_t)size, u->address.key, &p)) continue;
    if (p.type == PACKET_HELLO) welcome(u, now_ns, &p, &from);
    if (p.type != PACKET_STATE || !accept_state(u, now_ns, &p, &from)) continue;
    *sample = p.sample;
    sample->number = p.number;
    sample->time_ns = now_ns;
    read = HEFT_DEVICE_FRESH;
  }
  return read;
}

static bool udp_write(void* self, uint64_t now_ns, const HeftDeviceForce* force) {
  Udp* u = self;
  if (!u->has_peer || (double)(int64_t)(now_ns - u->heard_ns) * 1e-9 > alive_for) return 1;
  const Packet p = {.type = PACKET_FORCE,
                    .device_nonce = u->device_nonce,
                    .host_nonce = u->host_nonce,
                    .number = ++u->sent,
                    .echo = u->number,
                    .force = *force};
  send_packet(u, &p, &u->peer);
  return 1;
}

const HeftDriver heft_driver_udp = {
    .name = "udp",
    .text = "devices that use Heft's protocol over UDP",
    .address = "[ip:]port[#key], 127.0.0.1:7470",
    .size = sizeof(Udp),
    .open = udp_open,
    .close = udp_close,
    .info = udp_info,
    .read = udp_read,
    .write = udp_write,
};
