// SPDX-License-Identifier: Apache-2.0
// Reads MCAP files as mcap.c writes them: uncompressed chunks, one after the other.
#ifndef HEFT_APPS_MCAP_READ_H
#define HEFT_APPS_MCAP_READ_H

#include <stddef.h>
#include <stdint.h>

/// Called for each message; returns 0 to stop. data has no terminating zero.
typedef int McapMessage(void* user, const char* topic, uint64_t time, const char* data,
                        size_t size);

/// Reads a file in memory. Returns 1 if it was read to its end or a callback stopped it, 0 if the
/// bytes are not such a file; then *what is the reason.
int mcap_read(const unsigned char* bytes, size_t size, McapMessage* message, void* user,
              const char** what);

#endif
