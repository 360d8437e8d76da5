// SPDX-License-Identifier: Apache-2.0
// The driver for devices that speak our UDP protocol (docs/manual/udp-protocol.md).
//
// Who may speak: whoever knows the key. A device says hello; the host answers with a number that it
// chose when it was opened; states must hold that number and rise, so that packets of an earlier
// session, and packets that were seen before, are worth nothing. While a device is alive, another
// one's hello is not answered.
//
// Without a key the driver listens on the loopback interface alone.
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/error.h"
#include "interact/driver_list.h"
#include "interact/packet.h"
#include "interact/text.h"

enum { PORT = 7470, PACKETS_A_LOOK = 64 };

static const double alive_for = 1.0;  // after the last packet nobody else may come [s]

typedef struct Udp {
  int socket;
  unsigned char key[PACKET_KEY];
  uint64_t host_nonce, device_nonce;
  uint64_t number;  // of the last state
  uint64_t sent;    // of the last force
  uint64_t heard_ns;
  struct sockaddr_in peer;
  int has_peer;
  HeftDeviceInfo info;
} Udp;

// ---- address: [ip:]port[#key in 32 hexadecimal digits]

static int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

static int read_key(const char* text, unsigned char key[PACKET_KEY]) {
  if (strlen(text) != 2 * PACKET_KEY) return 0;
  for (int i = 0; i < PACKET_KEY; ++i) {
    const int high = digit(text[2 * i]), low = digit(text[2 * i + 1]);
    if (high < 0 || low < 0) return 0;
    key[i] = (unsigned char)(16 * high + low);
  }
  return 1;
}

static HeftStatus read_address(const char* address, struct sockaddr_in* at, Udp* u,
                               HeftError* error) {
  char place[64], ip[64];
  const char* key = text_split(address, '#', place, sizeof place);
  const char* port = text_split(place, ':', ip, sizeof ip);
  if (!*port && !strchr(place, ':')) {
    port = place;
    ip[0] = '\0';
  }
  double number = PORT;
  if (*port && (!text_number(&port, &number) || *port || !(number >= 1 && number <= 65535)))
    return text_error(error, HEFT_ERR_SYNTAX, "the port is not understood", address,
                      "[ip:]port[#key]");
  at->sin_family = AF_INET;
  at->sin_port = htons((uint16_t)number);
  at->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (ip[0] && inet_pton(AF_INET, ip, &at->sin_addr) != 1)
    return text_error(error, HEFT_ERR_SYNTAX, "the address is not understood", address,
                      "[ip:]port[#key]");
  if (*key && !read_key(key, u->key))
    return heft_error_set(error, HEFT_ERR_SYNTAX,
                          "the key of the UDP device must have 32 hexadecimal digits");
  if (!*key && ntohl(at->sin_addr.s_addr) >> 24 != 127)
    return heft_error_set(error, HEFT_ERR_VALUE,
                          "a UDP device that is reached from outside needs a key: write "
                          "ip:port#key with 32 hexadecimal digits");
  return HEFT_OK;
}

static HeftStatus udp_open(void* self, const char* address, HeftError* error) {
  Udp* u = self;
  struct sockaddr_in at;
  memset(&at, 0, sizeof at);
  u->socket = -1;
  const HeftStatus status = read_address(address, &at, u, error);
  if (status != HEFT_OK) return status;
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
  unsigned char bytes[PACKET_MOST];
  const size_t size = packet_write(p, u->key, bytes);
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
    unsigned char bytes[PACKET_MOST + 1];
    struct sockaddr_in from;
    socklen_t length = sizeof from;
    const ssize_t size =
        recvfrom(u->socket, bytes, sizeof bytes, MSG_DONTWAIT, (struct sockaddr*)&from, &length);
    if (size < 0) break;
    Packet p;
    if (!packet_read(bytes, (size_t)size, u->key, &p)) continue;
    if (p.type == PACKET_HELLO) welcome(u, now_ns, &p, &from);
    if (p.type != PACKET_STATE || !accept_state(u, now_ns, &p, &from)) continue;
    *sample = p.sample;
    sample->number = p.number;
    sample->time_ns = now_ns;
    read = HEFT_DEVICE_FRESH;
  }
  return read;
}

static int udp_write(void* self, uint64_t now_ns, const HeftDeviceForce* force) {
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
    .text = "devices that speak Heft's own protocol over UDP",
    .address = "[ip:]port[#key], 127.0.0.1:7470",
    .size = sizeof(Udp),
    .open = udp_open,
    .close = udp_close,
    .info = udp_info,
    .read = udp_read,
    .write = udp_write,
};
