// SPDX-License-Identifier: Apache-2.0
// Versions of nats-server with known mistakes that were corrected later.
#ifndef HEFT_APPS_QUEUE_SERVER_VERSION_H
#define HEFT_APPS_QUEUE_SERVER_VERSION_H

#include <nats/nats.h>
#include <stddef.h>

/// Reads the version from the line with which a server begins, INFO {"version":"2.9.10",...}: any
/// bytes, ended by 0. Returns 1 if it is older than those that SERVER_VERSION_SAFE names, 0 if it
/// is not, or unknown. version has 32 bytes.
int server_version_is_old(const char* info, char version[32]);
#define SERVER_VERSION_SAFE "2.12.12 or later of 2.12, or 2.14.3 or later"

/// Warns on standard error if the server of the connection is older. It asks by a connection of its
/// own, since the library does not report the version; a server that does not answer within a
/// second is not judged.
void server_version_warn(natsConnection* connection, int quiet);

#endif
