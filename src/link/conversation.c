// SPDX-License-Identifier: Apache-2.0
#include "link/conversation.h"

#include <string.h>

#include "base/log.h"

enum { DATAGRAMS_A_LOOK = 256 };
static const uint64_t silence_ns = 500000000;

static const unsigned char* key_of(const Conversation* t) {
  return t->endpoint.keyed ? t->endpoint.key : NULL;
}

// ---- beginning and end

HeftStatus conversation_open(Conversation* t, const char* address, HeftError* error) {
  const HeftStatus status = endpoint_open(&t->endpoint, address, error);
  if (status != HEFT_OK) return status;
  if (!endpoint_random(&t->session, sizeof t->session)) t->session = heft_clock_ns();
  t->next = t->first = 1;
  t->answered = -1;
  return HEFT_OK;
}

static void send_short(Conversation* t, LinkType type, uint64_t session, const Peer* to) {
  unsigned char bytes[LINK_HEAD + LINK_TAG];
  const LinkHead head = {.type = type, .session = session};
  const size_t size = link_packet_write(&head, 0, key_of(t), bytes);
  endpoint_send(&t->endpoint, to, bytes, size);
}

static void forget_peer(Conversation* t) {
  t->peer = (Peer){.size = 0};
  t->connected = false;
}

void conversation_close(Conversation* t) {
  if (t->endpoint.socket >= 0 && t->peer.size > 0) send_short(t, LINK_BYE, t->session, &t->peer);
  endpoint_close(&t->endpoint);
}

void conversation_begin(Conversation* t) {
  if (t->peer.size > 0) send_short(t, LINK_BYE, t->session, &t->peer);
  forget_peer(t);
  ++t->session;
}

void conversation_restart(Conversation* t, int64_t index) {
  t->first = t->next;
  t->base = (int64_t)t->next - index;
  t->answered = -1;
  t->restarted = true;
  t->body = 0;
}

bool conversation_alive(const Conversation* t) {
  return t->peer.size > 0 && t->connected && t->sent_ns < t->heard_ns + silence_ns;
}

// ---- states

static void send_state(Conversation* t) {
  t->head.flags = (t->head.flags & ~(unsigned)LINK_RESTARTED) | (t->restarted ? LINK_RESTARTED : 0);
  const size_t size = link_packet_write(&t->head, t->body, key_of(t), t->out);
  const EndpointSent sent = endpoint_send(&t->endpoint, &t->peer, t->out, size);
  t->sent_ns = heft_clock_ns();
  t->renewed = false;
  if (sent == ENDPOINT_GONE) forget_peer(t);
}

void conversation_send(Conversation* t, int64_t index, double time, size_t size, int numbers,
                       bool free, bool lost) {
  const uint64_t number = (uint64_t)(t->base + index);
  t->ring[number % CONVERSATION_RING] =
      (SentState){.number = number, .clock_ns = heft_clock_ns(), .time = time};
  t->next = number + 1;
  t->head = (LinkHead){.type = LINK_STATE,
                       .flags = free ? LINK_FREE : 0,
                       .session = t->session,
                       .number = number,
                       .a = (uint32_t)numbers};
  t->body = size;
  ++t->states;
  if (lost) return;
  send_state(t);
  t->restarted = false;
}

void conversation_repeat(Conversation* t) {
  const bool restarted = t->restarted;
  if (t->body == 0 || t->peer.size == 0) return;
  t->restarted |= (t->head.flags & LINK_RESTARTED) != 0;
  send_state(t);
  t->restarted = restarted && t->peer.size == 0;
}

// ---- datagrams of controllers

// Parts of the description, from `first` on.
static void send_description(Conversation* t, uint32_t first, const Peer* to) {
  const size_t parts = (t->description_size + LINK_PART - 1) / LINK_PART;
  if (first >= parts) first = 0;
  for (size_t i = first; i < parts && i < (size_t)first + LINK_BURST; ++i) {
    const size_t at = i * LINK_PART, left = t->description_size - at;
    const size_t size = left < LINK_PART ? left : LINK_PART;
    const LinkHead head = {.type = LINK_HELLO,
                           .session = t->session,
                           .number = i,
                           .a = (uint32_t)parts,
                           .b = (uint32_t)t->description_size};
    memcpy(t->part + LINK_HEAD, t->description + at, size);
    endpoint_send(&t->endpoint, to, t->part, link_packet_write(&head, size, key_of(t), t->part));
  }
}

static void take_ready(Conversation* t, const Peer* from) {
  if (!peer_equal(from, &t->peer)) t->restarted = true;
  t->peer = *from;
  t->connected = t->renewed = true;
  t->left = false;
  t->heard_ns = heft_clock_ns();
  if (t->sent_ns > t->heard_ns) t->sent_ns = t->heard_ns;
}

// Returns false if the datagram is refused.
static bool take_controls(Conversation* t, const LinkHead* head, size_t body, const Peer* from,
                          AnswerFunction* function, void* user) {
  Answer answer = {.numbers = t->answer};
  SentState* sent = &t->ring[head->number % CONVERSATION_RING];
  if (!peer_equal(from, &t->peer) || head->number < t->first || sent->number != head->number ||
      !link_read_controls(head, t->part + LINK_HEAD, body, t->controls, t->forces, t->answer,
                          &answer.forced))
    return false;
  t->heard_ns = heft_clock_ns();
  t->connected = true;
  t->left = false;
  if (sent->answered) return true;  // a repetition
  sent->answered = true;
  answer.index = (int64_t)head->number - t->base;
  answer.time = sent->time;
  answer.round_trip = (double)(t->heard_ns - sent->clock_ns) * 1e-9;
  if (answer.index > t->answered) t->answered = answer.index;
  function(user, &answer);
  return true;
}

static void tell_version(Conversation* t, size_t size) {
  const int version = link_packet_version(t->part, size), ours = t->endpoint.sealed ? 2 : 1;
  if (t->told_version || version < 0 || version == ours) return;
  t->told_version = true;
  heft_log_write(HEFT_LOG_WARNING,
                 "a controller uses version %d of the protocol, this program version %d", version,
                 ours);
}

// Returns false if the datagram is refused.
static bool take(Conversation* t, size_t size, const Peer* from, AnswerFunction* function,
                 void* user) {
  LinkHead head;
  size_t body;
  if (!link_packet_read(t->part, size, key_of(t), &head, &body)) {
    if (!t->endpoint.sealed) tell_version(t, size);
    return false;
  }
  const bool known = peer_equal(from, &t->peer), welcome = known || !conversation_alive(t);
  if (head.type == LINK_JOIN && body == 0) {
    if (welcome) send_description(t, head.a, from);
    return welcome;
  }
  if (head.session != t->session) {  // of an earlier run: join again
    if (head.type == LINK_READY || head.type == LINK_CONTROLS)
      send_short(t, LINK_BYE, head.session, from);
    return false;
  }
  if (head.type == LINK_READY && body == 0) {
    if (welcome) take_ready(t, from);
    return welcome;
  }
  if (head.type == LINK_BYE && body == 0 && known) {
    forget_peer(t);
    return t->left = true;
  }
  return head.type == LINK_CONTROLS && take_controls(t, &head, body, from, function, user);
}

void conversation_listen(Conversation* t, AnswerFunction* function, void* user) {
  for (int i = 0; i < DATAGRAMS_A_LOOK; ++i) {
    Peer from;
    size_t size = 0;
    const EndpointNews news =
        endpoint_receive(&t->endpoint, conversation_alive(t), t->part, &size, &from);
    if (news == ENDPOINT_NONE) return;
    if (news == ENDPOINT_SESSION) forget_peer(t);
    if (news == ENDPOINT_REFUSED) tell_version(t, size);
    if (news == ENDPOINT_REFUSED ||
        (news == ENDPOINT_DATAGRAM && !take(t, size, &from, function, user)))
      ++t->refused;
  }
}
