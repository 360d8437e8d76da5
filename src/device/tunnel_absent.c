// SPDX-License-Identifier: Apache-2.0
// Tunnels in a build without libsodium: there are none. Users ask tunnel_is_there(), or see that
// none can be made, and report it.
#define _DEFAULT_SOURCE  // explicit_bzero
#include <string.h>

#include "device/tunnel.h"

int tunnel_is_there(void) { return 0; }

void tunnel_wipe(void* memory, size_t size) { explicit_bzero(memory, size); }

int tunnel_host_make(TunnelHost* h, const TunnelKind* kind, const unsigned char key[TUNNEL_KEY],
                     uint64_t now_ns) {
  (void)h, (void)kind, (void)key, (void)now_ns;
  return 0;
}

TunnelNews tunnel_host_take(TunnelHost* h, int busy, TunnelPacket* p) {
  (void)h, (void)busy;
  p->out_size = 0;
  return TUNNEL_NOTHING;
}

size_t tunnel_host_seal(TunnelHost* h, const unsigned char* body, size_t size,
                        unsigned char* bytes) {
  (void)h, (void)body, (void)size, (void)bytes;
  return 0;
}

int tunnel_guest_make(TunnelGuest* g, const TunnelKind* kind, const unsigned char key[TUNNEL_KEY],
                      const void* description) {
  (void)g, (void)kind, (void)key, (void)description;
  return 0;
}

int tunnel_guest_restart(TunnelGuest* g) {
  (void)g;
  return 0;
}

size_t tunnel_guest_hello(const TunnelGuest* g, unsigned char bytes[TUNNEL_HELLO]) {
  (void)g, (void)bytes;
  return 0;
}

TunnelNews tunnel_guest_take(TunnelGuest* g, TunnelPacket* p) {
  (void)g;
  p->out_size = 0;
  return TUNNEL_NOTHING;
}

size_t tunnel_guest_seal(TunnelGuest* g, const unsigned char* body, size_t size,
                         unsigned char* bytes) {
  (void)g, (void)body, (void)size, (void)bytes;
  return 0;
}
