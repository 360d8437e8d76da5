// SPDX-License-Identifier: Apache-2.0
// Writes MCAP files (https://mcap.dev/spec): messages in JSON, in chunks with an index, as Foxglove
// and PlotJuggler open them. Not compressed.
#ifndef HEFT_APPS_MCAP_H
#define HEFT_APPS_MCAP_H

#include <stdint.h>
#include <stdio.h>

typedef struct Mcap Mcap;

/// NULL if the file cannot be written; errno has the reason.
Mcap* mcap_open(const char* path, const char* library);
/// A channel of messages in JSON that follow a JSON schema. Returns its number, from 1; 0 if
/// memory is exhausted.
int mcap_channel(Mcap* mcap, const char* topic, const char* schema_name, const char* schema);
/// One message; time in nanoseconds.
void mcap_message(Mcap* mcap, int channel, uint64_t time, const char* json, size_t size);
/// Writes the rest and the index. Returns 0 if a write failed.
int mcap_close(Mcap* mcap);

#endif
