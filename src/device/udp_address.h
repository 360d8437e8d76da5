// SPDX-License-Identifier: Apache-2.0
// Addresses of the UDP protocols: [ip:]port[#key][,version=1].
#ifndef HEFT_SRC_DEVICE_UDP_ADDRESS_H
#define HEFT_SRC_DEVICE_UDP_ADDRESS_H

#include <heft/base.h>
#include <netinet/in.h>

enum { UDP_KEY_MAX = 32 };

typedef struct UdpAddress {
  struct sockaddr_in at;
  int version;                     ///< of the protocol; 0: not given
  int key_size;                    ///< bytes; 0: none, which is allowed only on this machine
  unsigned char key[UDP_KEY_MAX];  ///< zeros behind its end
} UdpAddress;

HeftStatus udp_address_read(const char* address, UdpAddress* out, HeftError* error);
/// Checks that a key, if there is one, has this size.
HeftStatus udp_address_expect_key(const UdpAddress* address, int size, HeftError* error);

/// HEFT_ERR_UNSUPPORTED: version 2 needs libsodium, and this build has none.
HeftStatus udp_address_no_tunnel(HeftError* error);
/// A number of the address and the port, for tunnels.
uint64_t udp_place(const struct sockaddr_in* at);

#endif
