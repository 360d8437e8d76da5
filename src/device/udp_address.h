// SPDX-License-Identifier: Apache-2.0
#ifndef HEFT_SRC_DEVICE_UDP_ADDRESS_H
#define HEFT_SRC_DEVICE_UDP_ADDRESS_H

#include <heft/base.h>
#include <netinet/in.h>

#include "device/packet.h"

typedef struct UdpAddress {
  struct sockaddr_in at;
  unsigned char key[PACKET_KEY];  ///< zeros: none, which is allowed on this machine alone
} UdpAddress;

HeftStatus udp_address_read(const char* address, UdpAddress* out, HeftError* error);

#endif
