// SPDX-License-Identifier: Apache-2.0
// Version 2 of the UDP protocol in a build without libsodium: there is none. Drivers ask
// secure_is_there() first and report it.
#include <string.h>

#include "device/secure.h"

int secure_is_there(void) { return 0; }

int secure_host_make(SecureHost* h, const unsigned char key[SECURE_KEY], uint64_t now_ns) {
  (void)h, (void)key, (void)now_ns;
  return 0;
}

SecureNews secure_host_take(SecureHost* h, uint64_t now_ns, const unsigned char* bytes, size_t size,
                            HeftDeviceSample* sample, unsigned char answer[SECURE_MAX],
                            size_t* answer_size) {
  (void)h, (void)now_ns, (void)bytes, (void)size, (void)sample, (void)answer;
  *answer_size = 0;
  return SECURE_NOTHING;
}

int secure_host_is_busy(const SecureHost* h, uint64_t now_ns) {
  (void)h, (void)now_ns;
  return 0;
}

size_t secure_host_force(SecureHost* h, const HeftDeviceForce* force,
                         unsigned char bytes[SECURE_MAX]) {
  (void)h, (void)force, (void)bytes;
  return 0;
}

int secure_device_make(SecureDevice* d, const unsigned char key[SECURE_KEY],
                       const HeftDeviceInfo* info) {
  (void)d, (void)key, (void)info;
  return 0;
}

int secure_device_restart(SecureDevice* d) {
  (void)d;
  return 0;
}

size_t secure_device_hello(const SecureDevice* d, unsigned char bytes[SECURE_MAX]) {
  (void)d, (void)bytes;
  return 0;
}

SecureNews secure_device_take(SecureDevice* d, const unsigned char* bytes, size_t size,
                              HeftDeviceForce* force, unsigned char answer[SECURE_MAX],
                              size_t* answer_size) {
  (void)d, (void)bytes, (void)size, (void)force, (void)answer;
  *answer_size = 0;
  return SECURE_NOTHING;
}

size_t secure_device_state(SecureDevice* d, const HeftDeviceSample* sample,
                           unsigned char bytes[SECURE_MAX]) {
  (void)d, (void)sample, (void)bytes;
  return 0;
}

void secure_wipe(void* memory, size_t size) { memset(memory, 0, size); }
