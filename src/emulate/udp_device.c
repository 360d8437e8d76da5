// SPDX-License-Identifier: Apache-2.0
// A device that speaks the UDP protocol (docs/manual/udp-protocol.md), as firmware would.
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/error.h"
#include "device/packet.h"
#include "device/udp_address.h"
#include "emulate/stand_ins.h"

static const double hello_every = 0.1, let_go_after = 0.1, lost_after = 1.0;  // [s]

typedef struct Device {
  HeftEmulated head;
  int socket;
  UdpAddress host;
  uint64_t nonce, host_nonce, number, answered;
  uint64_t heard_ns, hello_ns, sent_ns;
} Device;

static HeftStatus device_open(void* self, const char* address, const HeftEmulator* hand,
                              HeftError* error) {
  Device* d = self;
  const HeftStatus status = udp_address_read(address, &d->host, error);
  if (status != HEFT_OK) return status;
  d->head.hand = *hand;
  d->socket = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (d->socket < 0 || getrandom(&d->nonce, sizeof d->nonce, 0) != (ssize_t)sizeof d->nonce) {
    if (d->socket >= 0) close(d->socket);
    return heft_error_set(error, HEFT_ERR_FILE, "no socket for the device (errno %d)", errno);
  }
  d->nonce |= 1;
  d->head.wait_on = d->socket;
  char ip[64] = "";
  inet_ntop(AF_INET, &d->host.at.sin_addr, ip, sizeof ip);
  snprintf(d->head.place, sizeof d->head.place, "%s:%d", ip, ntohs(d->host.at.sin_port));
  return HEFT_OK;
}

static void device_close(void* self) { close(((Device*)self)->socket); }

static void send_packet(Device* d, const Packet* p) {
  unsigned char bytes[PACKET_MAX];
  const size_t size = packet_write(p, d->host.key, bytes);
  sendto(d->socket, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL, (const struct sockaddr*)&d->host.at,
         sizeof d->host.at);
}

static void take(Device* d, uint64_t now_ns, const Packet* p) {
  if (p->device_nonce != d->nonce) return;
  if (p->type == PACKET_WELCOME && d->host_nonce == 0) {
    d->host_nonce = p->host_nonce;
    d->heard_ns = now_ns;
  }
  if (p->type != PACKET_FORCE || p->host_nonce != d->host_nonce || p->number <= d->answered) return;
  d->answered = p->number;
  d->heard_ns = now_ns;
  heft_emulator_write(&d->head.hand, &p->force);
}

static void listen_to(Device* d, uint64_t now_ns) {
  for (;;) {
    unsigned char bytes[PACKET_MAX + 1];
    const ssize_t size = recv(d->socket, bytes, sizeof bytes, MSG_DONTWAIT);
    if (size < 0) break;
    Packet p;
    if (packet_read(bytes, (size_t)size, d->host.key, &p)) take(d, now_ns, &p);
  }
  const HeftDeviceForce none = {{0, 0, 0}, {0, 0, 0}, 0};
  if (seconds_since(d->heard_ns, now_ns) > let_go_after) d->head.hand.force = none;
  if (seconds_since(d->heard_ns, now_ns) > lost_after) d->host_nonce = d->answered = 0;
}

static void device_turn(void* self, uint64_t now_ns) {
  Device* d = self;
  HeftDeviceSample sample;
  listen_to(d, now_ns);
  const int fresh = hand_sample(&d->head, now_ns, &sample);
  if (d->host_nonce == 0) {
    if (d->hello_ns != 0 && seconds_since(d->hello_ns, now_ns) < hello_every) return;
    const Packet hello = {
        .type = PACKET_HELLO, .device_nonce = d->nonce, .info = d->head.hand.def.info};
    send_packet(d, &hello);
    d->hello_ns = now_ns;
    return;
  }
  const double rate = d->head.hand.def.info.rate;
  if (!fresh || (rate > 0 && seconds_since(d->sent_ns, now_ns) < 0.99 / rate)) return;
  const Packet state = {.type = PACKET_STATE,
                        .device_nonce = d->nonce,
                        .host_nonce = d->host_nonce,
                        .number = ++d->number,
                        .sample = sample};
  send_packet(d, &state);
  d->sent_ns = now_ns;
}

const HeftStandIn heft_stand_in_udp = {
    .name = "udp",
    .text = "a device that uses Heft's protocol over UDP",
    .driver = "udp",
    .device = "omega",
    .address = "[ip:]port[#key] of the host, 127.0.0.1:7470",
    .size = sizeof(Device),
    .open = device_open,
    .close = device_close,
    .turn = device_turn,
};
