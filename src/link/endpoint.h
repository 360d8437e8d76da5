// SPDX-License-Identifier: Apache-2.0
// The socket of a link: a Unix datagram socket that its owner alone may use, or a UDP port.
#ifndef HEFT_SRC_LINK_ENDPOINT_H
#define HEFT_SRC_LINK_ENDPOINT_H

#include <heft/base.h>
#include <sys/socket.h>

#include "robot/packet.h"

typedef struct Endpoint {
  int socket;  ///< -1: closed
  bool keyed;  ///< datagrams have a tag
  unsigned char key[LINK_KEY];
  char path[108];  ///< of a Unix socket, "" for UDP
} Endpoint;

/// The other side.
typedef struct Peer {
  struct sockaddr_storage at;
  socklen_t size;  ///< 0: none
} Peer;

typedef enum EndpointSent { ENDPOINT_SENT, ENDPOINT_BUSY, ENDPOINT_GONE } EndpointSent;

/// address: "unix:PATH" or "udp:[IP:]PORT[#KEY]". HEFT_ERR_SYNTAX, HEFT_ERR_FILE with a message.
HeftStatus endpoint_open(Endpoint* endpoint, const char* address, HeftError* error);
/// Closes the socket and removes its file.
void endpoint_close(Endpoint* endpoint);
/// Takes a datagram without waiting. Returns its size, -1 if there is none.
long endpoint_receive(const Endpoint* endpoint, unsigned char* bytes, size_t size, Peer* from);
/// Sends a datagram without waiting. BUSY: the other side does not read; GONE: it is not there.
EndpointSent endpoint_send(const Endpoint* endpoint, const Peer* to, const unsigned char* bytes,
                           size_t size);
/// Waits for a datagram until a time of heft_clock_ns().
void endpoint_wait(const Endpoint* endpoint, uint64_t until_ns);
/// Fills bytes with random bits. False if the system has none.
bool endpoint_random(void* bytes, size_t size);
bool peer_equal(const Peer* a, const Peer* b);

#endif
