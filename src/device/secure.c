// SPDX-License-Identifier: Apache-2.0
// The bodies of devices in a tunnel. A state or a force has one size, and all its numbers are
// finite: a genuine packet that differs is dropped.
#include "device/secure.h"

#include <string.h>

static const double alive_for = 1.0;  // after the last state no other device is accepted [s]

static const TunnelKind of_devices = {.letters = {'H', 'E', 'F', 'T'},
                                      .context = {'h', 'e', 'f', 't', 'u', 'd', 'p', '2'},
                                      .description = PACKET_INFO_BODY};

_Static_assert((int)PACKET_INFO_BODY <= (int)TUNNEL_DESCRIPTION, "room for the description");

// ---- the host

int secure_host_make(SecureHost* h, const unsigned char key[SECURE_KEY], uint64_t now_ns) {
  memset(h, 0, sizeof *h);
  return tunnel_host_make(&h->tunnel, &of_devices, key, now_ns);
}

// True while a device sends states: no other one is accepted.
static int is_busy(const SecureHost* h, uint64_t now_ns) {
  return h->tunnel.session.in_number > 0 &&
         (double)(int64_t)(now_ns - h->heard_ns) * 1e-9 < alive_for;
}

static SecureNews accept_state(SecureHost* h, uint64_t now_ns, const unsigned char* body,
                               size_t size, HeftDeviceSample* sample) {
  HeftDeviceSample fresh = {0};
  if (size != PACKET_STATE_BODY || !packet_get_state(body, &fresh)) return SECURE_NOTHING;
  h->heard_ns = now_ns;
  *sample = fresh;
  sample->number = h->tunnel.session.in_number;
  return SECURE_STATE;
}

static SecureNews accept_device(SecureHost* h) {
  HeftDeviceInfo info = {0};
  if (!packet_get_info(h->tunnel.description, &info)) {
    tunnel_wipe(&h->tunnel.session, sizeof h->tunnel.session);
    return SECURE_NOTHING;
  }
  h->info = info;
  return SECURE_SESSION;
}

SecureNews secure_host_take(SecureHost* h, uint64_t now_ns, uint64_t place,
                            const unsigned char* bytes, size_t size, HeftDeviceSample* sample,
                            unsigned char answer[SECURE_MAX], size_t* answer_size) {
  TunnelPacket p = {.now_ns = now_ns, .place = place, .bytes = bytes, .size = size, .out = answer};
  *answer_size = 0;
  if (size > SECURE_MAX) return SECURE_NOTHING;
  switch (tunnel_host_take(&h->tunnel, is_busy(h, now_ns), &p)) {
    case TUNNEL_BODY:
      return accept_state(h, now_ns, p.out, p.out_size, sample);
    case TUNNEL_SESSION:
      return accept_device(h);
    case TUNNEL_ANSWER:
      *answer_size = p.out_size;
      return SECURE_ANSWER;
    case TUNNEL_NOTHING:
      break;
  }
  return SECURE_NOTHING;
}

size_t secure_host_force(SecureHost* h, const HeftDeviceForce* force,
                         unsigned char bytes[SECURE_MAX]) {
  unsigned char body[PACKET_FORCE_BODY];
  if (h->tunnel.session.in_number == 0) return 0;
  packet_put_force(body, h->tunnel.session.in_number, force);
  return tunnel_host_seal(&h->tunnel, body, sizeof body, bytes);
}

// ---- the device

int secure_device_make(SecureDevice* d, const unsigned char key[SECURE_KEY],
                       const HeftDeviceInfo* info) {
  unsigned char body[PACKET_INFO_BODY];
  packet_put_info(body, info);
  return tunnel_guest_make(&d->tunnel, &of_devices, key, body);
}

SecureNews secure_device_take(SecureDevice* d, const unsigned char* bytes, size_t size,
                              HeftDeviceForce* force, unsigned char answer[SECURE_MAX],
                              size_t* answer_size) {
  TunnelPacket p = {.bytes = bytes, .size = size, .out = answer};
  HeftDeviceForce fresh = {0};
  uint64_t echo;
  *answer_size = 0;
  if (size > SECURE_MAX) return SECURE_NOTHING;
  const TunnelNews news = tunnel_guest_take(&d->tunnel, &p);
  if (news == TUNNEL_ANSWER) {
    *answer_size = p.out_size;
    return SECURE_ANSWER;
  }
  if (news != TUNNEL_BODY || p.out_size != PACKET_FORCE_BODY ||
      !packet_get_force(p.out, &echo, &fresh))
    return SECURE_NOTHING;
  *force = fresh;
  return SECURE_FORCE;
}

size_t secure_device_state(SecureDevice* d, const HeftDeviceSample* sample,
                           unsigned char bytes[SECURE_MAX]) {
  unsigned char body[PACKET_STATE_BODY];
  packet_put_state(body, sample);
  return tunnel_guest_seal(&d->tunnel, body, sizeof body, bytes);
}
