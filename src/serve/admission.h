// SPDX-License-Identifier: Apache-2.0
// Who may connect, and who may act.
//
// A page of any site may open a WebSocket to an address of this machine: the browser only sends the
// server the origin of the page. A site can also make a name of its own point to an address of this
// machine: the browser then sends the server that name as Host. So both are checked.
#ifndef HEFT_SRC_SERVE_ADMISSION_H
#define HEFT_SRC_SERVE_ADMISSION_H

#include "serve/serve.h"

/// The Host of a request: an IP address, localhost, or the host of an allowed origin.
int admission_host(const HeftServeDef* def, const char* host);
/// The Origin of a request ("": a program, not a page): the own page, a page of localhost, or one
/// of the def.
int admission_origin(const HeftServeDef* def, const char* origin, const char* host);
/// Compares tokens in a time that does not depend on their contents.
int admission_token(const char* given, const char* token);
/// 1: the address is reached only from this machine.
int admission_is_loopback(const char* address);

#endif
