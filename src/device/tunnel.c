// SPDX-License-Identifier: Apache-2.0
// Version 2 of the UDP protocols, with the functions of libsodium.
//
// Both sides know a key K. G and H are fresh X25519 key pairs of guest and host, for one session.
//
//   hello    guest to host    G                            tag by K
//   welcome  host to guest    G, H, C                      tag by K
//   confirm  guest to host    G, H, C, {description}       tag by K
//   sealed   guest to host    n, {body}
//   sealed   host to guest    n, {body}
//
// {..} is encrypted and authenticated with ChaCha20-Poly1305. Its keys, one for each direction, are
// BLAKE2b(key K', crypto_kx(G, H) | G | H): they need K, and the secret of G or of H. C is BLAKE2b
// of the place (address and port) to which the welcome goes, under a key that the host has for
// itself. So
//   - packets of an earlier session are useless: its pairs are gone, and the host makes a new pair
//     after each confirm and after `pair_age`;
//   - the host stores nothing before a guest has proved that it knows K and the secret of G by a
//     confirm that names the present H. A hello costs the host two hashes and an answer of equal
//     size;
//   - a confirm that was recorded names an older H and is dropped before any computation;
//   - who learns K later cannot read recorded sessions;
//   - a confirm counts at the place that received its welcome: bytes that are sent again from
//     elsewhere, even before they arrive from the guest, open nothing there. The session keeps this
//     place. A guest that has moved begins a new session, and so proves the new place, after the
//     host has found it silent. Before this proof a place gets as many bytes as it sent, at most.
// Counters of a session rise strictly: of states, forces and controls only the newest is of use, so
// that the window of replay has the width one. Tags are compared in constant time by libsodium.
#include "device/tunnel.h"

#include <sodium.h>
#include <string.h>

#include "base/bytes.h"

enum Type { FROM_GUEST = 1, FROM_HOST = 2, HELLO = 3, WELCOME = 4, CONFIRM = 5 };

enum {
  VERSION = 2,
  HEAD = 8,
  COUNTER = TUNNEL_HEAD - HEAD,
  TAG = 16,
  AT_PLACE = HEAD + 2 * TUNNEL_KEY,  // of the proof of the place, in a welcome and in a confirm
  AT_BODY = AT_PLACE + TAG           // of the description, in a confirm
};

_Static_assert(TUNNEL_KEY == crypto_kx_PUBLICKEYBYTES && TUNNEL_KEY == crypto_kx_SECRETKEYBYTES &&
                   TUNNEL_KEY == crypto_kx_SESSIONKEYBYTES && TUNNEL_KEY == crypto_kdf_KEYBYTES &&
                   TUNNEL_KEY == crypto_aead_chacha20poly1305_ietf_KEYBYTES &&
                   TAG == crypto_aead_chacha20poly1305_ietf_ABYTES &&
                   TAG == crypto_generichash_BYTES_MIN && (int)TUNNEL_HELLO == AT_BODY + TAG &&
                   (int)TUNNEL_CONFIRM == AT_BODY + 2 * TAG &&
                   (int)TUNNEL_FRAME == (int)TUNNEL_HEAD + TAG,
               "sizes of libsodium");

static const double pair_age = 2.0;  // of the host; a confirm is good for twice this time [s]
static const int answers_most = 8;   // in a millisecond: a flood has 100 packets in it

int tunnel_is_there(void) { return sodium_init() >= 0; }

void tunnel_wipe(void* memory, size_t size) { sodium_memzero(memory, size); }

static double seconds_since(uint64_t then_ns, uint64_t now_ns) {
  return (double)(int64_t)(now_ns - then_ns) * 1e-9;
}

// ---- keys and tags

static void make_keys(TunnelKeys* k, const TunnelKind* kind, const unsigned char key[TUNNEL_KEY]) {
  crypto_kdf_derive_from_key(k->hello, TUNNEL_KEY, 1, kind->context, key);
  crypto_kdf_derive_from_key(k->welcome, TUNNEL_KEY, 2, kind->context, key);
  crypto_kdf_derive_from_key(k->confirm, TUNNEL_KEY, 3, kind->context, key);
  crypto_kdf_derive_from_key(k->session, TUNNEL_KEY, 4, kind->context, key);
}

static void put_tag(unsigned char* bytes, size_t size, const unsigned char key[TUNNEL_KEY]) {
  crypto_generichash(bytes + size - TAG, TAG, bytes, size - TAG, key, TUNNEL_KEY);
}

static int has_tag(const unsigned char* bytes, size_t size, const unsigned char key[TUNNEL_KEY]) {
  unsigned char tag[TAG];
  crypto_generichash(tag, TAG, bytes, size - TAG, key, TUNNEL_KEY);
  return sodium_memcmp(tag, bytes + size - TAG, TAG) == 0;
}

// The key of one direction. shared: from crypto_kx.
static void mix(unsigned char out[TUNNEL_KEY], const TunnelKeys* keys,
                const unsigned char shared[TUNNEL_KEY], const unsigned char guest[TUNNEL_KEY],
                const unsigned char host[TUNNEL_KEY]) {
  crypto_generichash_state hash;
  crypto_generichash_init(&hash, keys->session, TUNNEL_KEY, TUNNEL_KEY);
  crypto_generichash_update(&hash, shared, TUNNEL_KEY);
  crypto_generichash_update(&hash, guest, TUNNEL_KEY);
  crypto_generichash_update(&hash, host, TUNNEL_KEY);
  crypto_generichash_final(&hash, out, TUNNEL_KEY);
  sodium_memzero(&hash, sizeof hash);
}

// ---- packets

static unsigned char* begin(unsigned char* bytes, const TunnelKind* kind, enum Type type,
                            size_t size) {
  memcpy(bytes, kind->letters, sizeof kind->letters);
  bytes_put(bytes + 4, VERSION, 1);
  bytes_put(bytes + 5, (uint64_t)type, 1);
  return bytes_put(bytes + 6, size, 2);
}

// The type of a packet of this kind whose size is possible; 0: it is none.
static int type_of(const TunnelKind* kind, const unsigned char* bytes, size_t size) {
  if (size < HEAD || memcmp(bytes, kind->letters, sizeof kind->letters) != 0 || bytes[4] != VERSION)
    return 0;
  if ((size_t)bytes[6] + 256u * bytes[7] != size) return 0;
  const int type = bytes[5];
  if (type == FROM_GUEST || type == FROM_HOST) return size >= TUNNEL_FRAME ? type : 0;
  if (type == HELLO || type == WELCOME) return size == TUNNEL_HELLO ? type : 0;
  return type == CONFIRM && size == TUNNEL_CONFIRM + kind->description ? type : 0;
}

// Encrypts `body` to bytes[head ..], with the bytes before it authenticated. The nonce is the
// counter; a key is used for one direction of one session.
static void seal(unsigned char* bytes, size_t head, const unsigned char* body, size_t body_size,
                 uint64_t number, const unsigned char key[TUNNEL_KEY]) {
  unsigned char nonce[crypto_aead_chacha20poly1305_ietf_NPUBBYTES] = {0};
  bytes_put(nonce + 4, number, 8);
  crypto_aead_chacha20poly1305_ietf_encrypt(bytes + head, NULL, body, body_size, bytes, head, NULL,
                                            nonce, key);
}

// Decrypts; body has room for body_size. Returns 0 if the packet is not genuine.
static int unseal(const unsigned char* bytes, size_t head, unsigned char* body, size_t body_size,
                  uint64_t number, const unsigned char key[TUNNEL_KEY]) {
  unsigned char nonce[crypto_aead_chacha20poly1305_ietf_NPUBBYTES] = {0};
  bytes_put(nonce + 4, number, 8);
  return crypto_aead_chacha20poly1305_ietf_decrypt(body, NULL, NULL, bytes + head, body_size + TAG,
                                                   bytes, head, nonce, key) == 0;
}

static size_t put_sealed(TunnelSession* s, const TunnelKind* kind, enum Type type,
                         const unsigned char* body, size_t body_size, unsigned char* bytes) {
  const size_t size = TUNNEL_FRAME + body_size;
  if (!s->open || size > TUNNEL_MOST) return 0;
  bytes_put(begin(bytes, kind, type, size), ++s->out_number, COUNTER);
  seal(bytes, TUNNEL_HEAD, body, body_size, s->out_number, s->out_key);
  return size;
}

// Opens a packet that is newer than all before.
static TunnelNews get_sealed(TunnelSession* s, TunnelPacket* p) {
  const unsigned char* at = p->bytes + HEAD;
  const uint64_t number = bytes_get(&at, COUNTER);
  const size_t size = p->size - TUNNEL_FRAME;
  if (!s->open || number <= s->in_number) return TUNNEL_NOTHING;
  if (!unseal(p->bytes, TUNNEL_HEAD, p->out, size, number, s->in_key)) return TUNNEL_NOTHING;
  s->in_number = number;
  p->out_size = size;
  return TUNNEL_BODY;
}

// ---- the host

static void renew_pair(TunnelHost* h, uint64_t now_ns) {
  crypto_kx_keypair(h->public_key, h->secret_key);
  h->made_ns = now_ns;
}

int tunnel_host_make(TunnelHost* h, const TunnelKind* kind, const unsigned char key[TUNNEL_KEY],
                     uint64_t now_ns) {
  memset(h, 0, sizeof *h);
  h->kind = kind;
  if (!tunnel_is_there()) return 0;
  make_keys(&h->keys, kind, key);
  randombytes_buf(h->place_key, sizeof h->place_key);
  renew_pair(h, now_ns);
  return 1;
}

// The proof that a welcome went to a place.
static void prove_place(const TunnelHost* h, uint64_t place, unsigned char out[TAG]) {
  unsigned char number[8];
  bytes_put(number, place, sizeof number);
  crypto_generichash(out, TAG, number, sizeof number, h->place_key, TUNNEL_KEY);
}

static TunnelNews welcome(TunnelHost* h, TunnelPacket* p) {
  if (!has_tag(p->bytes, TUNNEL_HELLO, h->keys.hello)) return TUNNEL_NOTHING;
  const double since = seconds_since(h->answer_ns, p->now_ns);
  if (since < 0 || since >= 1e-3) {
    h->answer_ns = p->now_ns;
    h->answers = 0;
  }
  if (h->answers++ >= answers_most) return TUNNEL_NOTHING;
  if (seconds_since(h->made_ns, p->now_ns) > pair_age) renew_pair(h, p->now_ns);
  unsigned char* at = begin(p->out, h->kind, WELCOME, TUNNEL_HELLO);
  memcpy(at, p->bytes + HEAD, TUNNEL_KEY);
  memcpy(at + TUNNEL_KEY, h->public_key, TUNNEL_KEY);
  prove_place(h, p->place, p->out + AT_PLACE);
  put_tag(p->out, TUNNEL_HELLO, h->keys.welcome);
  p->out_size = TUNNEL_HELLO;
  return TUNNEL_ANSWER;
}

// True if the packet names the present pair and the place from which it comes, and has its tag.
static int is_answer(const TunnelHost* h, const TunnelPacket* p) {
  unsigned char place[TAG];
  if (memcmp(p->bytes + HEAD + TUNNEL_KEY, h->public_key, TUNNEL_KEY) != 0) return 0;
  if (seconds_since(h->made_ns, p->now_ns) > 2 * pair_age) return 0;
  prove_place(h, p->place, place);
  if (sodium_memcmp(place, p->bytes + AT_PLACE, TAG) != 0) return 0;
  return has_tag(p->bytes, p->size, h->keys.confirm);
}

static TunnelNews accept_guest(TunnelHost* h, const TunnelPacket* p) {
  const unsigned char *guest = p->bytes + HEAD, *host = guest + TUNNEL_KEY;
  unsigned char in[TUNNEL_KEY], out[TUNNEL_KEY], body[TUNNEL_DESCRIPTION];
  TunnelSession fresh = {.open = 1};
  if (!is_answer(h, p) ||
      crypto_kx_server_session_keys(in, out, h->public_key, h->secret_key, guest) != 0)
    return TUNNEL_NOTHING;
  mix(fresh.in_key, &h->keys, in, guest, host);
  mix(fresh.out_key, &h->keys, out, guest, host);
  const int genuine = unseal(p->bytes, AT_BODY, body, h->kind->description, 0, fresh.in_key);
  sodium_memzero(in, sizeof in);
  sodium_memzero(out, sizeof out);
  if (genuine) {
    h->session = fresh;
    h->place = p->place;
    memcpy(h->description, body, h->kind->description);
    renew_pair(h, p->now_ns);
  }
  sodium_memzero(&fresh, sizeof fresh);
  return genuine ? TUNNEL_SESSION : TUNNEL_NOTHING;
}

TunnelNews tunnel_host_take(TunnelHost* h, int busy, TunnelPacket* p) {
  p->out_size = 0;
  const int type = type_of(h->kind, p->bytes, p->size);
  if (type == FROM_GUEST) return p->place == h->place ? get_sealed(&h->session, p) : TUNNEL_NOTHING;
  if (busy) return TUNNEL_NOTHING;
  if (type == HELLO) return welcome(h, p);
  return type == CONFIRM ? accept_guest(h, p) : TUNNEL_NOTHING;
}

size_t tunnel_host_seal(TunnelHost* h, const unsigned char* body, size_t size,
                        unsigned char* bytes) {
  return put_sealed(&h->session, h->kind, FROM_HOST, body, size, bytes);
}

// ---- the guest

int tunnel_guest_restart(TunnelGuest* g) {
  sodium_memzero(&g->session, sizeof g->session);
  return crypto_kx_keypair(g->public_key, g->secret_key) == 0;
}

int tunnel_guest_make(TunnelGuest* g, const TunnelKind* kind, const unsigned char key[TUNNEL_KEY],
                      const void* description) {
  memset(g, 0, sizeof *g);
  g->kind = kind;
  if (!tunnel_is_there()) return 0;
  make_keys(&g->keys, kind, key);
  if (kind->description > 0) memcpy(g->description, description, kind->description);
  return tunnel_guest_restart(g);
}

size_t tunnel_guest_hello(const TunnelGuest* g, unsigned char bytes[TUNNEL_HELLO]) {
  memset(bytes, 0, TUNNEL_HELLO);  // not smaller than the answer
  memcpy(begin(bytes, g->kind, HELLO, TUNNEL_HELLO), g->public_key, TUNNEL_KEY);
  put_tag(bytes, TUNNEL_HELLO, g->keys.hello);
  return TUNNEL_HELLO;
}

static TunnelNews confirm(TunnelGuest* g, TunnelPacket* p) {
  const unsigned char *guest = p->bytes + HEAD, *host = guest + TUNNEL_KEY;
  unsigned char in[TUNNEL_KEY], out[TUNNEL_KEY];
  if (g->session.open || memcmp(guest, g->public_key, TUNNEL_KEY) != 0 ||
      !has_tag(p->bytes, TUNNEL_HELLO, g->keys.welcome) ||
      crypto_kx_client_session_keys(in, out, g->public_key, g->secret_key, host) != 0)
    return TUNNEL_NOTHING;
  g->session = (TunnelSession){.open = 1};
  mix(g->session.in_key, &g->keys, in, guest, host);
  mix(g->session.out_key, &g->keys, out, guest, host);
  sodium_memzero(in, sizeof in);
  sodium_memzero(out, sizeof out);
  p->out_size = TUNNEL_CONFIRM + g->kind->description;
  memcpy(begin(p->out, g->kind, CONFIRM, p->out_size), guest, AT_BODY - HEAD);
  seal(p->out, AT_BODY, g->description, g->kind->description, 0, g->session.out_key);
  put_tag(p->out, p->out_size, g->keys.confirm);
  return TUNNEL_ANSWER;
}

TunnelNews tunnel_guest_take(TunnelGuest* g, TunnelPacket* p) {
  p->out_size = 0;
  const int type = type_of(g->kind, p->bytes, p->size);
  if (type == WELCOME) return confirm(g, p);
  return type == FROM_HOST ? get_sealed(&g->session, p) : TUNNEL_NOTHING;
}

size_t tunnel_guest_seal(TunnelGuest* g, const unsigned char* body, size_t size,
                         unsigned char* bytes) {
  return put_sealed(&g->session, g->kind, FROM_GUEST, body, size, bytes);
}
