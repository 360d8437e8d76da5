// SPDX-License-Identifier: Apache-2.0
/// @file mcap.h
/// Writes and reads JSON, and MCAP files (https://mcap.dev/spec) of messages in JSON in chunks with
/// an index, as Foxglove and PlotJuggler open them. Chunks are compressed by zstd, if Heft was
/// built with it. For the command and the tests; not installed: programs use <heft/run_log.h>.
#ifndef HEFT_MCAP_H
#define HEFT_MCAP_H

#include <heft/base.h>
#include <heft/math.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- JSON

/// Bytes that grow.
typedef struct HeftBytes {
  const HeftAllocator* allocator;  ///< must outlive the bytes
  unsigned char* bytes;            ///< NULL if there are none
  size_t size, capacity;
  int failed;  ///< 1: memory was exhausted, the bytes are not complete
} HeftBytes;

/// Makes room for more bytes. 0: there is no memory.
int heft_bytes_reserve(HeftBytes* bytes, size_t more);
/// Frees bytes.
void heft_bytes_free(HeftBytes* bytes);

/// Writes JSON to one of two ends: a text in memory, or a function that takes the bytes.
typedef struct HeftJsonText {
  HeftBytes text;  ///< the end in memory, without a terminating zero
  void (*put)(void* user, const char* bytes, size_t size);  ///< the other end; NULL: memory
  void* user;
} HeftJsonText;

/// A text in memory; the allocator must outlive it.
HeftJsonText heft_json_text_make(const HeftAllocator* allocator);
/// Bytes go to a function.
HeftJsonText heft_json_text_to(void (*put)(void* user, const char* bytes, size_t size), void* user);
void heft_json_text_free(HeftJsonText* text);
/// The text with a terminating zero; "" if it is empty or there was no memory.
const char* heft_json_text_string(HeftJsonText* text);

/// Adds text as it is.
void heft_json_text_put(HeftJsonText* text, const char* raw);
/// heft_json_text_put() of formatted values; at most 255 bytes.
__attribute__((format(printf, 2, 3))) void heft_json_text_say(HeftJsonText* text,
                                                              const char* format, ...);
/// A string with its quotes. Bytes that are no UTF-8 become U+FFFD.
void heft_json_text_quoted(HeftJsonText* text, const char* string);
/// A number so that it is read back with the same bits; null if it is not finite.
void heft_json_text_number(HeftJsonText* text, double x);
/// A number with six digits behind the point, for pictures.
void heft_json_text_short(HeftJsonText* text, double x);
/// "name":[...], with heft_json_text_number().
void heft_json_text_array(HeftJsonText* text, const char* name, const double* x, int count);
/// "name":{"x":...,"y":...,"z":...}, with heft_json_text_number().
void heft_json_text_vector(HeftJsonText* text, const char* name, HeftVec3 v);

// ---- JSON, read in place

/// A value, or what is left of a list of values. No tree is built. The text may be anything; it
/// ends where its span ends.
typedef struct HeftJsonSpan {
  const char *at, *end;
} HeftJsonSpan;

/// The value of an object's field. 0: there is none, or the text is no such object.
int heft_json_span_field(HeftJsonSpan object, const char* name, HeftJsonSpan* out);
/// Opens an array or an object; its entries follow by heft_json_span_next(). 0: it is neither.
int heft_json_span_open(HeftJsonSpan value, HeftJsonSpan* entries);
/// The next entry of an array; of an object if name is not NULL, which is then its quoted name.
/// 0: none is left.
int heft_json_span_next(HeftJsonSpan* entries, HeftJsonSpan* name, HeftJsonSpan* out);
/// A finite number. 0: it is none.
int heft_json_span_double(HeftJsonSpan value, double* out);
/// All numbers of an array. 0: it has not exactly count finite numbers.
int heft_json_span_doubles(HeftJsonSpan value, double* out, int count);
/// A string without quotes and escapes, cut to size - 1 bytes. 0: it is none.
int heft_json_span_string(HeftJsonSpan value, char* out, size_t size);

// ---- MCAP, written

typedef struct HeftMcap HeftMcap;

/// Attachment of a log with the compiled model.
#define HEFT_MCAP_MODEL "model.heft"

/// Messages of a file.
typedef enum HeftMcapKind {
  HEFT_MCAP_JSON,   ///< JSON that follows a JSON schema
  HEFT_MCAP_PLAIN,  ///< little-endian numbers of 64 bits, which the text of the schema describes;
                    ///< chunks are not compressed
  HEFT_MCAP_ROS2    ///< CDR, and definitions of ROS 2 (bag.h)
} HeftMcapKind;

/// NULL if the file cannot be written or there is no memory. allocator NULL: the default one.
HeftMcap* heft_mcap_open(const char* path, HeftMcapKind kind, const char* library,
                         const HeftAllocator* allocator);
/// 1 if a write failed, or there was no memory.
int heft_mcap_failed(const HeftMcap* mcap);
/// A channel of messages that follow a schema. Channels with the same schema_name,
/// which must outlive the file, share the schema. Returns the number of the channel, from 1; 0 if
/// there are too many.
int heft_mcap_channel(HeftMcap* mcap, const char* topic, const char* schema_name,
                      const char* schema);
/// One message; time in nanoseconds.
void heft_mcap_message(HeftMcap* mcap, int channel, uint64_t time, const void* data, size_t size);
/// Ends the chunk: the next message begins a new one.
void heft_mcap_flush(HeftMcap* mcap);
/// A file in the file. If it can be compressed, ".zst" is added to its name. Belongs before the
/// first message.
void heft_mcap_attachment(HeftMcap* mcap, const char* name, const char* media_type,
                          const void* bytes, size_t size);
/// Writes the rest and the index. Returns 0 if a write failed.
int heft_mcap_close(HeftMcap* mcap);

// ---- MCAP, read by its index: a message of a long file costs one chunk

/// Any bytes may arrive as a file. A file that ends in the middle, because its writer was
/// interrupted, is read as far as it goes.
typedef struct HeftMcapReader HeftMcapReader;

/// A message; data has no terminating zero and lives until the next call of the reader.
typedef struct HeftMcapMessage {
  const char* data;
  size_t size;
  uint64_t time;  ///< [ns]
} HeftMcapMessage;

/// The reason of a reader that had no memory; all others are of the file.
#define HEFT_MCAP_NO_MEMORY "there is not enough memory"

/// Reads the index of a file. Takes over the file, which must be seekable. NULL on failure; *what
/// is the reason.
HeftMcapReader* heft_mcap_reader_open(FILE* file, const char** what);
/// Closes the file. NULL is allowed.
void heft_mcap_reader_close(HeftMcapReader* reader);
/// 1: the file ends before its last record.
int heft_mcap_reader_cut_off(const HeftMcapReader* reader);
/// Finds a channel by its topic; -1: there is none.
int heft_mcap_reader_channel(const HeftMcapReader* reader, const char* topic);
/// Number of messages of a channel; 0 if channel is -1.
long heft_mcap_reader_count(const HeftMcapReader* reader, int channel);
/// Time of a message [ns].
uint64_t heft_mcap_reader_time(const HeftMcapReader* reader, int channel, long index);
/// Reads a message. Returns 0 if the file is damaged there; *what is the reason.
int heft_mcap_reader_message(HeftMcapReader* reader, int channel, long index, HeftMcapMessage* out,
                             const char** what);
/// Reads an attachment into bytes with an allocator, which are the caller's; if it is compressed,
/// its name in the file ends in ".zst". 0 if there is none or it is damaged; *what is the reason.
int heft_mcap_reader_attachment(HeftMcapReader* reader, const char* name, HeftBytes* out,
                                const char** what);

#ifdef __cplusplus
}
#endif
#endif
