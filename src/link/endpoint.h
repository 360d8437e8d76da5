// SPDX-License-Identifier: Apache-2.0
// The socket of a link: a Unix datagram socket that only its owner may use, or a UDP port, whose
// datagrams belong to a tunnel (device/tunnel.h) unless the place asks for version 1.
#ifndef HEFT_SRC_LINK_ENDPOINT_H
#define HEFT_SRC_LINK_ENDPOINT_H

#include <heft/base.h>
#include <sys/socket.h>

#include "robot/packet.h"

typedef struct Endpoint {
  int socket;   ///< -1: closed
  bool keyed;   ///< version 1: datagrams have a tag
  bool sealed;  ///< version 2
  unsigned char key[LINK_KEY];
  TunnelHost tunnel;
  char path[108];  ///< of a Unix socket, "" for UDP
  unsigned char out[LINK_DATAGRAM + TUNNEL_FRAME];
} Endpoint;

/// The other side.
typedef struct Peer {
  struct sockaddr_storage at;
  socklen_t size;  ///< 0: none
} Peer;

typedef enum EndpointNews {
  ENDPOINT_NONE,      ///< no datagram waits
  ENDPOINT_REFUSED,   ///< not genuine
  ENDPOINT_ANSWERED,  ///< a controller asked for a session
  ENDPOINT_SESSION,   ///< a controller has proved itself; an earlier session has ended
  ENDPOINT_DATAGRAM   ///< for the conversation
} EndpointNews;

typedef enum EndpointSent { ENDPOINT_SENT, ENDPOINT_BUSY, ENDPOINT_GONE } EndpointSent;

/// address: "unix:PATH" or "udp:[IP:]PORT[#KEY][,version=1]". HEFT_ERR_SYNTAX, HEFT_ERR_FILE or
/// HEFT_ERR_UNSUPPORTED with a message.
HeftStatus endpoint_open(Endpoint* endpoint, const char* address, HeftError* error);
/// Closes the socket and removes its file.
void endpoint_close(Endpoint* endpoint);
/// Reads a datagram without waiting. busy: no other controller is accepted. bytes has room for
/// LINK_DATAGRAM + TUNNEL_FRAME; *size is the size of the datagram.
EndpointNews endpoint_receive(Endpoint* endpoint, bool busy, unsigned char* bytes, size_t* size,
                              Peer* from);
/// Sends a datagram without waiting. BUSY: the other side does not read; GONE: it is not there.
EndpointSent endpoint_send(Endpoint* endpoint, const Peer* to, const unsigned char* bytes,
                           size_t size);
/// Waits for a datagram until a time of heft_clock_ns().
void endpoint_wait(const Endpoint* endpoint, uint64_t until_ns);
/// Fills bytes with random bits. False if the system has none.
bool endpoint_random(void* bytes, size_t size);
bool peer_equal(const Peer* a, const Peer* b);

#endif
