// SPDX-License-Identifier: Apache-2.0
// Both ends of version 2 of the UDP protocol, with a network that keeps, repeats, reorders, changes
// and invents packets as the input says. A session is opened and a state is taken only by a packet
// that the device wrote, unchanged, and each at most once.
#include <stdlib.h>
#include <string.h>

#include "device/secure.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

#ifdef HEFT_HAVE_SODIUM
#include <sodium.h>

// The same numbers for the same input.
static uint64_t seed;

static uint32_t number(void) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(seed >> 32);
}

static void fill(void* bytes, const size_t size) {
  for (size_t i = 0; i < size; ++i) ((unsigned char*)bytes)[i] = (unsigned char)number();
}

static const char* name(void) { return "repeatable"; }

static struct randombytes_implementation repeatable = {
    .implementation_name = name, .random = number, .buf = fill};

enum { KEPT = 16 };

typedef struct Kept {
  unsigned char bytes[SECURE_MAX], written[SECURE_MAX];
  size_t size, written_size;  // written: as an end wrote it
  int taken;                  // by the host, as a session or a state
} Kept;

static int is_genuine(const Kept* k) {
  return k->size == k->written_size && memcmp(k->bytes, k->written, k->size) == 0;
}

typedef struct Network {
  SecureHost host;
  SecureDevice device;
  Kept kept[KEPT];
  unsigned count;
  uint64_t now;
} Network;

static Kept* keep(Network* n) {
  Kept* k = &n->kept[n->count++ % KEPT];
  *k = (Kept){0};
  return k;
}

// An end has written the packet.
static void sign(Kept* k) {
  memcpy(k->written, k->bytes, k->size);
  k->written_size = k->size;
}

static void to_host(Network* n, Kept* k, uint64_t place) {
  HeftDeviceSample sample;
  Kept answer = {0};
  const TunnelSession before = n->host.tunnel.session;
  const SecureNews news = secure_host_take(&n->host, n->now, place, k->bytes, k->size, &sample,
                                           answer.bytes, &answer.size);
  if (answer.size > k->size) __builtin_trap();  // amplified
  if (news == SECURE_ANSWER) sign(&answer), *keep(n) = answer;
  if (news == SECURE_SESSION || news == SECURE_STATE) {
    if (!is_genuine(k) || k->taken || place != n->host.tunnel.place) __builtin_trap();
    k->taken = 1;
  } else if (memcmp(&before, &n->host.tunnel.session, sizeof before) != 0) {
    __builtin_trap();
  }
}

static void to_device(Network* n, const Kept* k) {
  HeftDeviceForce force;
  Kept answer = {0};
  const SecureNews news =
      secure_device_take(&n->device, k->bytes, k->size, &force, answer.bytes, &answer.size);
  if (news != SECURE_NOTHING && !is_genuine(k)) __builtin_trap();
  if (news == SECURE_ANSWER) sign(&answer), *keep(n) = answer;
}

static void act(Network* n, int what, const uint8_t* data, size_t size) {
  static const HeftDeviceSample sample = {.rot = {1, 0, 0, 0}};
  static const HeftDeviceForce force = {.force = {0, 0, 1}};
  Kept* old = &n->kept[size > 0 ? data[0] % KEPT : 0];
  Kept* k = NULL;
  switch (what % 8) {
    case 0:
      k = keep(n);
      k->size = tunnel_guest_hello(&n->device.tunnel, k->bytes);
      sign(k);
      break;
    case 1:
      to_host(n, old, size > 1 && data[1] == 255 ? 2 : 1);
      break;
    case 2:
      to_device(n, old);
      break;
    case 3:
      k = keep(n);
      k->size = secure_device_state(&n->device, &sample, k->bytes);
      sign(k);
      break;
    case 4:
      k = keep(n);
      k->size = secure_host_force(&n->host, &force, k->bytes);
      sign(k);
      break;
    case 5:  // any bytes
      k = keep(n);
      k->size = size < SECURE_MAX ? size : SECURE_MAX;
      k->written_size = SECURE_MAX + 1;  // by none
      memcpy(k->bytes, data, k->size);
      break;
    case 6:  // a changed packet, or a shorter one
      if (size < 3 || old->size == 0) break;
      if (data[2] == 0) {
        old->size = data[1] % old->size;
      } else {
        old->bytes[data[1] % old->size] ^= data[2];
      }
      break;
    default:  // time passes; the device may begin again
      n->now += size > 1 ? (uint64_t)data[1] * 20000000u : 1000000u;
      if (size > 0 && data[0] % 4 == 0) tunnel_guest_restart(&n->device.tunnel);
      break;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const unsigned char key[SECURE_KEY] = {7};
  static const HeftDeviceInfo info = {.name = "fuzz", .axes_sensed = 3, .rate = 1000};
  static Network n;
  randombytes_set_implementation(&repeatable);
  seed = size;
  memset(&n, 0, sizeof n);
  n.now = 1000000000u;
  if (!secure_host_make(&n.host, key, n.now) || !secure_device_make(&n.device, key, &info))
    return 0;
  while (size >= 2) {
    const int what = data[0];
    size_t length = data[1];
    if (length > size - 2) length = size - 2;
    act(&n, what, data + 2, length);
    data += 2 + length;
    size -= 2 + length;
  }
  return 0;
}
#else
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data, (void)size;
  return 0;
}
#endif
