// SPDX-License-Identifier: Apache-2.0
// Reads MCAP files as mcap.c writes them: chunks that are not compressed, one after the other.
#ifndef HEFT_APPS_MCAP_READ_H
#define HEFT_APPS_MCAP_READ_H

#include <stddef.h>
#include <stdint.h>

/// Gets each message; returns 0 to stop. data is not terminated.
typedef int McapMessage(void* user, const char* topic, uint64_t time, const char* data,
                        size_t size);

/// Goes through a file in memory. Returns 1 if all was read or a message stopped it, 0 if the bytes
/// are no such file; *what then says why.
int mcap_read(const unsigned char* bytes, size_t size, McapMessage* message, void* user,
              const char** what);

#endif
