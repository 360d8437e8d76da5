// SPDX-License-Identifier: Apache-2.0
// Version 2 of the UDP protocol, with the functions of libsodium.
//
// Both sides know a key K. D and H are fresh X25519 key pairs of device and host, for one session.
//
//   hello    device to host   D                            tag by K
//   welcome  host to device   D, H                         tag by K
//   confirm  device to host   D, H, {description}          tag by K
//   state    device to host   n, {sample}
//   force    host to device   n, {force}
//
// {..} is encrypted and authenticated with ChaCha20-Poly1305. Its keys, one for each direction, are
// BLAKE2b(key K', crypto_kx(D, H) | D | H): they need K, and the secret of D or of H. So
//   - packets of an earlier session are useless: its pairs are gone, and the host takes a new pair
//     after each confirm and after `pair_age`;
//   - the host stores nothing before a device has proved that it knows K and the secret of D by a
//     confirm that names the present H. A hello costs the host a hash and an answer of equal size;
//   - a confirm that was recorded names an older H and is dropped before any computation;
//   - who learns K later cannot read recorded sessions.
// Counters of a session rise strictly: of states and forces the newest alone is of use, so that the
// window of replay has the width one. Tags are compared in constant time by libsodium.
#include "device/secure.h"

#include <sodium.h>
#include <string.h>

#include "base/bytes.h"
#include "device/packet.h"
#include "device/packet_body.h"

enum {
  VERSION = 2,
  HEAD = 8,
  COUNTER = 8,
  TAG = 16,
  HELLO_SIZE = HEAD + 2 * SECURE_KEY + TAG,  // not smaller than the answer
  WELCOME_SIZE = HEAD + 2 * SECURE_KEY + TAG,
  CONFIRM_SIZE = HEAD + 2 * SECURE_KEY + PACKET_INFO_BODY + TAG + TAG,
  STATE_SIZE = HEAD + COUNTER + PACKET_STATE_BODY + TAG,
  FORCE_SIZE = HEAD + COUNTER + PACKET_FORCE_BODY + TAG
};

_Static_assert(SECURE_KEY == crypto_kx_PUBLICKEYBYTES && SECURE_KEY == crypto_kx_SECRETKEYBYTES &&
                   SECURE_KEY == crypto_kx_SESSIONKEYBYTES && SECURE_KEY == crypto_kdf_KEYBYTES &&
                   SECURE_KEY == crypto_aead_chacha20poly1305_ietf_KEYBYTES &&
                   TAG == crypto_aead_chacha20poly1305_ietf_ABYTES &&
                   TAG == crypto_generichash_BYTES_MIN && (int)CONFIRM_SIZE <= (int)SECURE_MAX,
               "sizes of libsodium");

static const double alive_for = 1.0;  // after the last state no other device is accepted [s]
static const double pair_age = 2.0;   // of the host; a confirm is good for this time [s]

int secure_is_there(void) { return sodium_init() >= 0; }

void secure_wipe(void* memory, size_t size) { sodium_memzero(memory, size); }

static double seconds_since(uint64_t then_ns, uint64_t now_ns) {
  return (double)(int64_t)(now_ns - then_ns) * 1e-9;
}

// ---- keys and tags

static void make_keys(SecureKeys* k, const unsigned char key[SECURE_KEY]) {
  static const char context[crypto_kdf_CONTEXTBYTES] = {'h', 'e', 'f', 't', 'u', 'd', 'p', '2'};
  crypto_kdf_derive_from_key(k->hello, SECURE_KEY, 1, context, key);
  crypto_kdf_derive_from_key(k->welcome, SECURE_KEY, 2, context, key);
  crypto_kdf_derive_from_key(k->confirm, SECURE_KEY, 3, context, key);
  crypto_kdf_derive_from_key(k->session, SECURE_KEY, 4, context, key);
}

static void put_tag(unsigned char* bytes, size_t size, const unsigned char key[SECURE_KEY]) {
  crypto_generichash(bytes + size - TAG, TAG, bytes, size - TAG, key, SECURE_KEY);
}

static int has_tag(const unsigned char* bytes, size_t size, const unsigned char key[SECURE_KEY]) {
  unsigned char tag[TAG];
  crypto_generichash(tag, TAG, bytes, size - TAG, key, SECURE_KEY);
  return sodium_memcmp(tag, bytes + size - TAG, TAG) == 0;
}

// The key of one direction. shared: that of crypto_kx.
static void mix(unsigned char out[SECURE_KEY], const SecureKeys* keys,
                const unsigned char shared[SECURE_KEY], const unsigned char device[SECURE_KEY],
                const unsigned char host[SECURE_KEY]) {
  crypto_generichash_state hash;
  crypto_generichash_init(&hash, keys->session, SECURE_KEY, SECURE_KEY);
  crypto_generichash_update(&hash, shared, SECURE_KEY);
  crypto_generichash_update(&hash, device, SECURE_KEY);
  crypto_generichash_update(&hash, host, SECURE_KEY);
  crypto_generichash_final(&hash, out, SECURE_KEY);
  sodium_memzero(&hash, sizeof hash);
}

// ---- packets

static unsigned char* begin(unsigned char* bytes, PacketType type, size_t size) {
  memcpy(bytes, "HEFT", 4);
  bytes_put(bytes + 4, VERSION, 1);
  bytes_put(bytes + 5, (uint64_t)type, 1);
  return bytes_put(bytes + 6, size, 2);
}

// The type of a packet of version 2 whose size is right; 0: it is none.
static int type_of(const unsigned char* bytes, size_t size) {
  if (size < HEAD || memcmp(bytes, "HEFT", 4) != 0 || bytes[4] != VERSION) return 0;
  if ((size_t)bytes[6] + 256u * bytes[7] != size) return 0;
  switch (bytes[5]) {
    case PACKET_STATE:
      return size == STATE_SIZE ? PACKET_STATE : 0;
    case PACKET_FORCE:
      return size == FORCE_SIZE ? PACKET_FORCE : 0;
    case PACKET_HELLO:
      return size == HELLO_SIZE ? PACKET_HELLO : 0;
    case PACKET_WELCOME:
      return size == WELCOME_SIZE ? PACKET_WELCOME : 0;
    case PACKET_CONFIRM:
      return size == CONFIRM_SIZE ? PACKET_CONFIRM : 0;
    default:
      return 0;
  }
}

// Encrypts `body` to bytes[head ..], with the bytes before it authenticated. The nonce is the
// counter; a key is used for one direction of one session.
static void seal(unsigned char* bytes, size_t head, const unsigned char* body, size_t body_size,
                 uint64_t number, const unsigned char key[SECURE_KEY]) {
  unsigned char nonce[crypto_aead_chacha20poly1305_ietf_NPUBBYTES] = {0};
  bytes_put(nonce + 4, number, 8);
  crypto_aead_chacha20poly1305_ietf_encrypt(bytes + head, NULL, body, body_size, bytes, head, NULL,
                                            nonce, key);
}

// Decrypts; body has room for body_size. Returns 0 if the packet is not genuine.
static int unseal(const unsigned char* bytes, size_t head, unsigned char* body, size_t body_size,
                  uint64_t number, const unsigned char key[SECURE_KEY]) {
  unsigned char nonce[crypto_aead_chacha20poly1305_ietf_NPUBBYTES] = {0};
  bytes_put(nonce + 4, number, 8);
  return crypto_aead_chacha20poly1305_ietf_decrypt(body, NULL, NULL, bytes + head, body_size + TAG,
                                                   bytes, head, nonce, key) == 0;
}

static size_t put_counted(SecureSession* s, unsigned char* bytes, PacketType type,
                          const unsigned char* body, size_t body_size) {
  const size_t size = HEAD + COUNTER + body_size + TAG;
  bytes_put(begin(bytes, type, size), ++s->out_number, COUNTER);
  seal(bytes, HEAD + COUNTER, body, body_size, s->out_number, s->out_key);
  return size;
}

// Reads the body of a state or force that is newer than all before. The counter is not yet taken.
static int get_counted(const SecureSession* s, const unsigned char* bytes, unsigned char* body,
                       size_t body_size, uint64_t* number) {
  const unsigned char* at = bytes + HEAD;
  *number = bytes_get(&at, COUNTER);
  return s->open && *number > s->in_number &&
         unseal(bytes, HEAD + COUNTER, body, body_size, *number, s->in_key);
}

// ---- the host

static void renew_pair(SecureHost* h, uint64_t now_ns) {
  crypto_kx_keypair(h->public_key, h->secret_key);
  h->made_ns = now_ns;
}

int secure_host_make(SecureHost* h, const unsigned char key[SECURE_KEY], uint64_t now_ns) {
  memset(h, 0, sizeof *h);
  if (!secure_is_there()) return 0;
  make_keys(&h->keys, key);
  renew_pair(h, now_ns);
  return 1;
}

int secure_host_is_busy(const SecureHost* h, uint64_t now_ns) {
  return h->session.in_number > 0 && seconds_since(h->heard_ns, now_ns) < alive_for;
}

static SecureNews welcome(SecureHost* h, uint64_t now_ns, const unsigned char* hello,
                          unsigned char* answer, size_t* answer_size) {
  if (!has_tag(hello, HELLO_SIZE, h->keys.hello)) return SECURE_NOTHING;
  if (seconds_since(h->made_ns, now_ns) > pair_age) renew_pair(h, now_ns);
  unsigned char* at = begin(answer, PACKET_WELCOME, WELCOME_SIZE);
  memcpy(at, hello + HEAD, SECURE_KEY);
  memcpy(at + SECURE_KEY, h->public_key, SECURE_KEY);
  put_tag(answer, WELCOME_SIZE, h->keys.welcome);
  *answer_size = WELCOME_SIZE;
  return SECURE_ANSWER;
}

static SecureNews accept_device(SecureHost* h, uint64_t now_ns, const unsigned char* bytes) {
  const unsigned char *device = bytes + HEAD, *host = device + SECURE_KEY;
  unsigned char in[SECURE_KEY], out[SECURE_KEY], body[PACKET_INFO_BODY];
  SecureSession fresh = {.open = 1};
  HeftDeviceInfo info = {0};
  if (memcmp(host, h->public_key, SECURE_KEY) != 0 ||
      seconds_since(h->made_ns, now_ns) > 2 * pair_age ||
      !has_tag(bytes, CONFIRM_SIZE, h->keys.confirm) ||
      crypto_kx_server_session_keys(in, out, h->public_key, h->secret_key, device) != 0)
    return SECURE_NOTHING;
  mix(fresh.in_key, &h->keys, in, device, host);
  mix(fresh.out_key, &h->keys, out, device, host);
  const int genuine =
      unseal(bytes, HEAD + 2 * SECURE_KEY, body, PACKET_INFO_BODY, 0, fresh.in_key) &&
      packet_get_info(body, &info);
  sodium_memzero(in, sizeof in);
  sodium_memzero(out, sizeof out);
  if (genuine) {
    h->session = fresh;
    h->info = info;
    renew_pair(h, now_ns);
  }
  sodium_memzero(&fresh, sizeof fresh);
  return genuine ? SECURE_SESSION : SECURE_NOTHING;
}

static SecureNews accept_state(SecureHost* h, uint64_t now_ns, const unsigned char* bytes,
                               HeftDeviceSample* sample) {
  unsigned char body[PACKET_STATE_BODY];
  HeftDeviceSample fresh = {0};
  uint64_t number;
  if (!get_counted(&h->session, bytes, body, sizeof body, &number) ||
      !packet_get_state(body, &fresh))
    return SECURE_NOTHING;
  h->session.in_number = number;
  h->heard_ns = now_ns;
  *sample = fresh;
  sample->number = number;
  return SECURE_STATE;
}

SecureNews secure_host_take(SecureHost* h, uint64_t now_ns, const unsigned char* bytes, size_t size,
                            HeftDeviceSample* sample, unsigned char answer[SECURE_MAX],
                            size_t* answer_size) {
  *answer_size = 0;
  const int type = type_of(bytes, size);
  if (type == PACKET_STATE) return accept_state(h, now_ns, bytes, sample);
  if (type == 0 || secure_host_is_busy(h, now_ns)) return SECURE_NOTHING;
  if (type == PACKET_HELLO) return welcome(h, now_ns, bytes, answer, answer_size);
  return type == PACKET_CONFIRM ? accept_device(h, now_ns, bytes) : SECURE_NOTHING;
}

size_t secure_host_force(SecureHost* h, const HeftDeviceForce* force,
                         unsigned char bytes[SECURE_MAX]) {
  unsigned char body[PACKET_FORCE_BODY];
  if (h->session.in_number == 0) return 0;
  packet_put_force(body, h->session.in_number, force);
  return put_counted(&h->session, bytes, PACKET_FORCE, body, sizeof body);
}

// ---- the device

int secure_device_restart(SecureDevice* d) {
  sodium_memzero(&d->session, sizeof d->session);
  return crypto_kx_keypair(d->public_key, d->secret_key) == 0;
}

int secure_device_make(SecureDevice* d, const unsigned char key[SECURE_KEY],
                       const HeftDeviceInfo* info) {
  memset(d, 0, sizeof *d);
  if (!secure_is_there()) return 0;
  make_keys(&d->keys, key);
  d->info = *info;
  return secure_device_restart(d);
}

size_t secure_device_hello(const SecureDevice* d, unsigned char bytes[SECURE_MAX]) {
  memset(bytes, 0, HELLO_SIZE);
  memcpy(begin(bytes, PACKET_HELLO, HELLO_SIZE), d->public_key, SECURE_KEY);
  put_tag(bytes, HELLO_SIZE, d->keys.hello);
  return HELLO_SIZE;
}

static SecureNews confirm(SecureDevice* d, const unsigned char* bytes, unsigned char* answer,
                          size_t* answer_size) {
  const unsigned char *device = bytes + HEAD, *host = device + SECURE_KEY;
  unsigned char in[SECURE_KEY], out[SECURE_KEY], body[PACKET_INFO_BODY];
  if (d->session.open || memcmp(device, d->public_key, SECURE_KEY) != 0 ||
      !has_tag(bytes, WELCOME_SIZE, d->keys.welcome) ||
      crypto_kx_client_session_keys(in, out, d->public_key, d->secret_key, host) != 0)
    return SECURE_NOTHING;
  d->session = (SecureSession){.open = 1};
  mix(d->session.in_key, &d->keys, in, device, host);
  mix(d->session.out_key, &d->keys, out, device, host);
  sodium_memzero(in, sizeof in);
  sodium_memzero(out, sizeof out);
  unsigned char* at = begin(answer, PACKET_CONFIRM, CONFIRM_SIZE);
  memcpy(at, bytes + HEAD, 2 * SECURE_KEY);
  packet_put_info(body, &d->info);
  seal(answer, HEAD + 2 * SECURE_KEY, body, PACKET_INFO_BODY, 0, d->session.out_key);
  put_tag(answer, CONFIRM_SIZE, d->keys.confirm);
  *answer_size = CONFIRM_SIZE;
  return SECURE_ANSWER;
}

SecureNews secure_device_take(SecureDevice* d, const unsigned char* bytes, size_t size,
                              HeftDeviceForce* force, unsigned char answer[SECURE_MAX],
                              size_t* answer_size) {
  unsigned char body[PACKET_FORCE_BODY];
  HeftDeviceForce fresh = {0};
  uint64_t number, echo;
  *answer_size = 0;
  const int type = type_of(bytes, size);
  if (type == PACKET_WELCOME) return confirm(d, bytes, answer, answer_size);
  if (type != PACKET_FORCE || !get_counted(&d->session, bytes, body, sizeof body, &number) ||
      !packet_get_force(body, &echo, &fresh))
    return SECURE_NOTHING;
  d->session.in_number = number;
  *force = fresh;
  return SECURE_FORCE;
}

size_t secure_device_state(SecureDevice* d, const HeftDeviceSample* sample,
                           unsigned char bytes[SECURE_MAX]) {
  unsigned char body[PACKET_STATE_BODY];
  if (!d->session.open) return 0;
  packet_put_state(body, sample);
  return put_counted(&d->session, bytes, PACKET_STATE, body, sizeof body);
}
