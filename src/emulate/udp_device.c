// SPDX-License-Identifier: Apache-2.0
// A device that speaks the UDP protocol (docs/manual/writing-a-driver.md), as firmware would, in
// both versions.
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
#include "device/secure.h"
#include "device/udp_address.h"
#include "emulate/stand_ins.h"

static const double hello_every = 0.1, let_go_after = 0.1, lost_after = 1.0;  // [s]
static const double unanswered_after = 0.25;  // a session without a force: the confirm was lost [s]

typedef struct Device {
  HeftEmulated head;
  int socket;
  UdpAddress host;
  uint64_t nonce, host_nonce, number, answered;  // of version 1
  SecureDevice secure;                           // version 2
  uint64_t heard_ns, hello_ns, sent_ns;
} Device;

// A number that no earlier welcome names.
static int renew_nonce(Device* d) {
  if (getrandom(&d->nonce, sizeof d->nonce, 0) != (ssize_t)sizeof d->nonce) return 0;
  d->nonce |= 1;
  return 1;
}

static HeftStatus device_open(void* self, const char* address, const HeftEmulator* hand,
                              HeftError* error) {
  Device* d = self;
  HeftStatus status = udp_address_read(address, &d->host, error);
  const int plain = d->host.version == 1;
  if (status == HEFT_OK)
    status = udp_address_expect_key(&d->host, plain ? PACKET_KEY : SECURE_KEY, error);
  if (status != HEFT_OK) return status;
  d->head.hand = *hand;
  if (!plain && !secure_device_make(&d->secure, d->host.key, &hand->def.info))
    return udp_address_no_tunnel(error);
  d->socket = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (d->socket < 0 || !renew_nonce(d)) {
    if (d->socket >= 0) close(d->socket);
    return heft_error_set(error, HEFT_ERR_FILE, "no socket for the device (errno %d)", errno);
  }
  d->head.wait_on = d->socket;
  char ip[64] = "";
  inet_ntop(AF_INET, &d->host.at.sin_addr, ip, sizeof ip);
  snprintf(d->head.place, sizeof d->head.place, "%s:%d", ip, ntohs(d->host.at.sin_port));
  return HEFT_OK;
}

static void device_close(void* self) {
  Device* d = self;
  close(d->socket);
  tunnel_wipe(d, sizeof *d);
}

static void send_bytes(const Device* d, const unsigned char* bytes, size_t size) {
  sendto(d->socket, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL, (const struct sockaddr*)&d->host.at,
         sizeof d->host.at);
}

// ---- version 1

static void send_packet(Device* d, const Packet* p) {
  unsigned char bytes[PACKET_MAX];
  send_bytes(d, bytes, packet_write(p, d->host.key, bytes));
}

static void take_plain(Device* d, uint64_t now_ns, const unsigned char* bytes, size_t size) {
  Packet p;
  if (!packet_read(bytes, size, d->host.key, &p) || p.device_nonce != d->nonce) return;
  if (p.type == PACKET_WELCOME && d->host_nonce == 0) {
    d->host_nonce = p.host_nonce;
    d->heard_ns = now_ns;
  }
  if (p.type != PACKET_FORCE || p.host_nonce != d->host_nonce || p.number <= d->answered) return;
  d->answered = p.number;
  d->heard_ns = now_ns;
  heft_emulator_write(&d->head.hand, &p.force);
}

static void send_plain(Device* d, const HeftDeviceSample* sample) {
  const Packet state = {.type = PACKET_STATE,
                        .device_nonce = d->nonce,
                        .host_nonce = d->host_nonce,
                        .number = ++d->number,
                        .sample = *sample};
  send_packet(d, &state);
}

// ---- version 2

static void take_secure(Device* d, uint64_t now_ns, const unsigned char* bytes, size_t size) {
  HeftDeviceForce force;
  unsigned char answer[SECURE_MAX];
  size_t answer_size;
  const SecureNews news = secure_device_take(&d->secure, bytes, size, &force, answer, &answer_size);
  if (news == SECURE_NOTHING) return;
  d->heard_ns = now_ns;
  if (news == SECURE_ANSWER) send_bytes(d, answer, answer_size);
  if (news == SECURE_FORCE) heft_emulator_write(&d->head.hand, &force);
}

// ---- both

static int has_session(const Device* d) {
  return d->host.version == 1 ? d->host_nonce != 0 : d->secure.tunnel.session.open;
}

static void forget_session(Device* d) {
  d->host_nonce = d->answered = d->number = 0;
  if (d->host.version == 1) {
    renew_nonce(d);
  } else {
    tunnel_guest_restart(&d->secure.tunnel);
  }
}

static void say_hello(Device* d) {
  unsigned char bytes[SECURE_MAX];
  const Packet hello = {
      .type = PACKET_HELLO, .device_nonce = d->nonce, .info = d->head.hand.def.info};
  if (d->host.version == 1) {
    send_packet(d, &hello);
  } else {
    send_bytes(d, bytes, tunnel_guest_hello(&d->secure.tunnel, bytes));
  }
}

static void listen_to(Device* d, uint64_t now_ns) {
  for (;;) {
    unsigned char bytes[SECURE_MAX + 1];
    const ssize_t size = recv(d->socket, bytes, sizeof bytes, MSG_DONTWAIT);
    if (size < 0) break;
    if (d->host.version == 1) {
      take_plain(d, now_ns, bytes, (size_t)size);
    } else {
      take_secure(d, now_ns, bytes, (size_t)size);
    }
  }
  const HeftDeviceForce none = {{0, 0, 0}, {0, 0, 0}, 0};
  const double silence = seconds_since(d->heard_ns, now_ns);
  const int unanswered = d->host.version != 1 && d->secure.tunnel.session.in_number == 0;
  if (silence > let_go_after) d->head.hand.force = none;
  if (has_session(d) && silence > (unanswered ? unanswered_after : lost_after)) forget_session(d);
}

static void device_turn(void* self, uint64_t now_ns) {
  Device* d = self;
  HeftDeviceSample sample;
  listen_to(d, now_ns);
  const int fresh = hand_sample(&d->head, now_ns, &sample);
  if (!has_session(d)) {
    if (d->hello_ns != 0 && seconds_since(d->hello_ns, now_ns) < hello_every) return;
    say_hello(d);
    d->hello_ns = now_ns;
    return;
  }
  const double rate = d->head.hand.def.info.rate;
  if (!fresh || (rate > 0 && seconds_since(d->sent_ns, now_ns) < 0.99 / rate)) return;
  unsigned char bytes[SECURE_MAX];
  if (d->host.version == 1) {
    send_plain(d, &sample);
  } else {
    send_bytes(d, bytes, secure_device_state(&d->secure, &sample, bytes));
  }
  d->sent_ns = now_ns;
}

const HeftStandIn heft_stand_in_udp = {
    .name = "udp",
    .text = "a device that uses Heft's protocol over UDP",
    .driver = "udp",
    .device = "omega",
    .address = "[ip:]port[,key-file=FILE][,version=1] of the host, 127.0.0.1:7470",
    .size = sizeof(Device),
    .open = device_open,
    .close = device_close,
    .turn = device_turn,
};
