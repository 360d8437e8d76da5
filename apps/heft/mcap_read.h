// SPDX-License-Identifier: Apache-2.0
// Reads MCAP files as mcap.c writes them, by their index: a message of a long file costs one chunk.
// Any bytes may arrive as a file. A file that ends in the middle, because its writer was
// interrupted, is read as far as it goes.
#ifndef HEFT_APPS_MCAP_READ_H
#define HEFT_APPS_MCAP_READ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct McapReader McapReader;

/// A message; data has no terminating zero and lives until the next call of the reader.
typedef struct McapMessage {
  const char* data;
  size_t size;
  uint64_t time;  ///< [ns]
} McapMessage;

/// Reads the index of a file. Takes over the file, which must be seekable. NULL on failure; *what
/// is the reason.
McapReader* mcap_reader_open(FILE* file, const char** what);
/// Closes the file. NULL is allowed.
void mcap_reader_close(McapReader* reader);
/// 1: the file ends before its last record.
int mcap_reader_cut_off(const McapReader* reader);
/// Finds a channel by its topic; -1: there is none.
int mcap_reader_channel(const McapReader* reader, const char* topic);
/// Number of messages of a channel; 0 if channel is -1.
long mcap_reader_count(const McapReader* reader, int channel);
/// Time of a message [ns].
uint64_t mcap_reader_time(const McapReader* reader, int channel, long index);
/// Reads a message. Returns 0 if the file is damaged there; *what is the reason.
int mcap_reader_message(McapReader* reader, int channel, long index, McapMessage* out,
                        const char** what);
/// Reads an attachment; if it is compressed, its name in the file ends in ".zst". The caller frees
/// it. NULL if there is none or it is damaged; *what is the reason.
unsigned char* mcap_reader_attachment(McapReader* reader, const char* name, size_t* size,
                                      const char** what);

#endif
