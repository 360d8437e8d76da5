// SPDX-License-Identifier: Apache-2.0
// Version 2 of the UDP protocol (docs/manual/udp-protocol.md): both ends, without sockets. secure.c
// has the derivation. Without libsodium, secure_absent.c stands in its place and
// secure_is_there() returns 0.
#ifndef HEFT_SRC_DEVICE_SECURE_H
#define HEFT_SRC_DEVICE_SECURE_H

#include <heft/device.h>

enum { SECURE_KEY = 32, SECURE_MAX = 256 };

/// Effects of a packet that arrived.
typedef enum SecureNews {
  SECURE_NOTHING,  ///< dropped; no state has changed
  SECURE_ANSWER,   ///< an answer is to be sent to where the packet came from
  SECURE_SESSION,  ///< host: a device has proved itself, its description is new
  SECURE_STATE,    ///< host: a sample
  SECURE_FORCE     ///< device: a force
} SecureNews;

/// Keys that follow from the shared key, one for each purpose.
typedef struct SecureKeys {
  unsigned char hello[SECURE_KEY], welcome[SECURE_KEY], confirm[SECURE_KEY], session[SECURE_KEY];
} SecureKeys;

/// A session: keys and counters of both directions.
typedef struct SecureSession {
  int open;
  unsigned char out_key[SECURE_KEY], in_key[SECURE_KEY];
  uint64_t out_number, in_number;  ///< of the last packet
} SecureSession;

typedef struct SecureHost {
  SecureKeys keys;
  unsigned char public_key[SECURE_KEY], secret_key[SECURE_KEY];  ///< of the next session
  uint64_t made_ns;                                              ///< when they were made
  SecureSession session;
  uint64_t heard_ns;  ///< when the last state came
  HeftDeviceInfo info;
} SecureHost;

typedef struct SecureDevice {
  SecureKeys keys;
  unsigned char public_key[SECURE_KEY], secret_key[SECURE_KEY];
  HeftDeviceInfo info;
  SecureSession session;
} SecureDevice;

/// 0: this build has no libsodium.
int secure_is_there(void);

/// Returns 0 if there is no libsodium or no randomness.
int secure_host_make(SecureHost* host, const unsigned char key[SECURE_KEY], uint64_t now_ns);
/// Takes a packet. answer and its size are set for SECURE_ANSWER, sample for SECURE_STATE.
SecureNews secure_host_take(SecureHost* host, uint64_t now_ns, const unsigned char* bytes,
                            size_t size, HeftDeviceSample* sample, unsigned char answer[SECURE_MAX],
                            size_t* answer_size);
/// True while a device sends states: no other one is accepted.
int secure_host_is_busy(const SecureHost* host, uint64_t now_ns);
/// Writes a force. Returns its size; 0 if no device has sent a state.
size_t secure_host_force(SecureHost* host, const HeftDeviceForce* force,
                         unsigned char bytes[SECURE_MAX]);

/// Returns 0 if there is no libsodium or no randomness.
int secure_device_make(SecureDevice* device, const unsigned char key[SECURE_KEY],
                       const HeftDeviceInfo* info);
/// Forgets the session and makes new keys. Returns 0 if there is no randomness.
int secure_device_restart(SecureDevice* device);
size_t secure_device_hello(const SecureDevice* device, unsigned char bytes[SECURE_MAX]);
/// Takes a packet of the host. The answer to a welcome opens the session.
SecureNews secure_device_take(SecureDevice* device, const unsigned char* bytes, size_t size,
                              HeftDeviceForce* force, unsigned char answer[SECURE_MAX],
                              size_t* answer_size);
/// Writes a state. Returns its size; 0 without a session.
size_t secure_device_state(SecureDevice* device, const HeftDeviceSample* sample,
                           unsigned char bytes[SECURE_MAX]);

/// Overwrites secrets; the compiler does not leave it out.
void secure_wipe(void* memory, size_t size);

#endif
