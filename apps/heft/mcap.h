// SPDX-License-Identifier: Apache-2.0
// Writes MCAP files (https://mcap.dev/spec): messages in JSON, in chunks with an index, as Foxglove
// and PlotJuggler open them. Chunks are compressed by zstd, if the program was built with it.
#ifndef HEFT_APPS_MCAP_H
#define HEFT_APPS_MCAP_H

#include <stdint.h>
#include <stdio.h>

typedef struct Mcap Mcap;

/// NULL if the file cannot be written; errno has the reason.
Mcap* mcap_open(const char* path, const char* library);
/// A channel of messages in JSON that follow a JSON schema. Channels with the same schema_name,
/// which must outlive the file, share the schema. Returns the number of the channel, from 1; 0 if
/// there are too many.
int mcap_channel(Mcap* mcap, const char* topic, const char* schema_name, const char* schema);
/// One message; time in nanoseconds.
void mcap_message(Mcap* mcap, int channel, uint64_t time, const char* json, size_t size);
/// Ends the chunk: the next message begins a new one.
void mcap_flush(Mcap* mcap);
/// A file in the file. If it can be compressed, ".zst" is added to its name. Belongs before the
/// first message.
void mcap_attachment(Mcap* mcap, const char* name, const char* media_type, const void* bytes,
                     size_t size);
/// Writes the rest and the index. Returns 0 if a write failed.
int mcap_close(Mcap* mcap);

#endif
