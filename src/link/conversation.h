// SPDX-License-Identifier: Apache-2.0
// The conversation with one controller: who it is, what it was sent and what it answered.
//
//     controller              world
//     (over UDP: the handshake of device/tunnel.c)
//     join(part)        ->
//                       <-    hello: up to LINK_BURST parts of the description, from that part on
//     ready             ->    from now on this is the controller
//                       <-    state 1
//     controls 1        ->
//
// A controller is known by its address and by the session, a random number of the world's. While it
// answers, no other controller is accepted. It is taken for dead if it has not answered for half a
// second of the states that it was sent.
#ifndef HEFT_SRC_LINK_CONVERSATION_H
#define HEFT_SRC_LINK_CONVERSATION_H

#include <heft/base.h>

#include "link/endpoint.h"

enum { CONVERSATION_RING = 1024 };

/// A state that was sent.
typedef struct SentState {
  uint64_t number, clock_ns;
  double time;  ///< of the state [s]
  bool answered;
} SentState;

/// Controls that have arrived.
typedef struct Answer {
  int64_t index;          ///< of the state
  double time;            ///< of the state [s]
  double round_trip;      ///< [s]
  const double* numbers;  ///< controls and joint forces
  bool forced;            ///< the controller sent joint forces
} Answer;

typedef void AnswerFunction(void* user, const Answer* answer);

typedef struct Conversation {
  Endpoint endpoint;
  uint64_t session;
  Peer peer;
  bool connected;  ///< a controller is there, as far as is known
  bool renewed;    ///< the last state must be sent again: to another controller, or it was lost
  bool left;       ///< the controller said goodbye
  bool restarted;  ///< the next state does not continue the last one
  uint64_t heard_ns, sent_ns;
  uint64_t next;     ///< number of the next state on the wire
  uint64_t first;    ///< answers to earlier states are not used
  int64_t base;      ///< number - index
  int64_t answered;  ///< largest index that was answered since `first`, -1: none
  SentState ring[CONVERSATION_RING];
  long states, refused;  ///< counters
  bool told_version;     ///< the user knows that a controller speaks another version

  const char* description;
  size_t description_size;
  int controls, forces;                              ///< numbers of an answer
  double* answer;                                    ///< room for them
  LinkHead head;                                     ///< of the last state
  size_t body;                                       ///< of the last state [bytes]; 0: none
  unsigned char out[LINK_DATAGRAM + 64];             ///< the last state
  unsigned char part[LINK_DATAGRAM + TUNNEL_FRAME];  ///< another datagram
} Conversation;

/// Opens the socket and begins a session.
HeftStatus conversation_open(Conversation* talk, const char* address, HeftError* error);
/// Says goodbye to the controller and closes the socket.
void conversation_close(Conversation* talk);
/// A session with another description: a controller must join again.
void conversation_begin(Conversation* talk);
/// The next state has this index and does not continue the last one.
void conversation_restart(Conversation* talk, int64_t index);
/// True if the controller answers.
bool conversation_alive(const Conversation* talk);

/// Reads all datagrams that wait, and calls a function for each new answer.
void conversation_listen(Conversation* talk, AnswerFunction* function, void* user);
/// A state of `size` bytes in out + LINK_HEAD; `numbers` of them. lost: it uses its number, but is
/// not sent.
void conversation_send(Conversation* talk, int64_t index, double time, size_t size, int numbers,
                       bool free, bool lost);
/// Sends the last state again.
void conversation_repeat(Conversation* talk);

#endif
