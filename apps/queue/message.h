// SPDX-License-Identifier: Apache-2.0
// The texts that go through the queue of a sweep, in the TOML of plans: the job, chunks and notes.
// They come from a network, so that any bytes are allowed as input.
//
//     heft.ID.chunk                      one message for each chunk                stream CHUNKS
//     heft.ID.result.HASH.CHUNK.PART.PARTS   bytes of a chunk, in parts            stream RESULTS
//     heft.ID.info.job                   what the chunks belong to                 stream INFO:
//     heft.ID.info.file.FILE.PART.PARTS  plan, compiled model, files of the plan   the last
//     heft.ID.info.worker.NAME           what a worker does                        message of each
//     heft.ID.info.event.KIND.CHUNK.N    what went wrong with a chunk              subject
//     heft.ID.info.quarantine.CHUNK      a chunk that no worker accepts any more
//
// HASH is the beginning of the SHA-256 of the file, so that parts of different files never mix.
// ID is the beginning of a hash of plan, model, version and bits of Heft, and a number that is new
// whenever the sweep is put into a queue: servers confuse streams that had the same name.
#ifndef HEFT_APPS_QUEUE_MESSAGE_H
#define HEFT_APPS_QUEUE_MESSAGE_H

#include <heft/base.h>
#include <stddef.h>

enum {
  QUEUE_HASH = 16,             ///< digits of the hash in an ID
  QUEUE_ID = QUEUE_HASH + 9,   ///< characters of ID: hash, '-', eight digits
  QUEUE_RESULT_HASH = 16,      ///< digits of the hash of a result
  QUEUE_TEXT_MAX = 8192,       ///< bytes of a job or note
  QUEUE_PART = 256 << 10,      ///< bytes of a part
  QUEUE_FILES_MAX = 8,         ///< of a job
  QUEUE_FILE_MAX = 256 << 20,  ///< bytes of a file of a job
  QUEUE_NAME_MAX = 256         ///< bytes of the name of a file
};
#define QUEUE_CHUNKS_MAX 1e12

/// The sweep that the chunks of a queue belong to.
typedef struct QueueJob {
  char sweep[65];  ///< SHA-256 of the next five
  char version[32], bits[17], plan[65], model[65];
  int64_t chunks;
  int shared;         ///< 1: workers store results in a shared folder; 0: they send them
  double ack_wait;    ///< a chunk goes to another worker after so long without a sign of life [s]
  int deliveries;     ///< after so many in vain a chunk goes to quarantine
  char folder[1024];  ///< of results, on the machine that serves; for messages
  int file_count;
  char file[QUEUE_FILES_MAX][QUEUE_NAME_MAX];  ///< "plan.toml", "model.heft" or "inputs/..."
  int64_t file_size[QUEUE_FILES_MAX];
} QueueJob;

/// Fills in the hash of a job.
void queue_job_name(QueueJob* job);
/// The ID of a job with a number. out has QUEUE_ID + 1 bytes.
void queue_id(const QueueJob* job, uint32_t number, char* out);
/// 1: the text begins with an ID.
int queue_id_valid(const char* text);
/// Seconds between two notes of what a worker does.
double queue_presence(const QueueJob* job);
size_t queue_job_write(const QueueJob* job, char* out, size_t size);
/// HEFT_ERR_SYNTAX or HEFT_ERR_VALUE: it is none; the message states what is wrong. All lengths,
/// counts and names of *out are then in range, and its hash is right.
HeftStatus queue_job_read(QueueJob* out, const void* bytes, size_t size, HeftError* error);

/// A chunk to compute.
typedef struct QueueChunk {
  char sweep[65];
  int64_t chunk;
  int present;  ///< 1: its file was there when it was put into the queue
} QueueChunk;
size_t queue_chunk_write(const QueueChunk* chunk, char* out, size_t size);
HeftStatus queue_chunk_read(QueueChunk* out, const void* bytes, size_t size, HeftError* error);

/// The work of a worker, or what went wrong.
typedef struct QueueNote {
  char worker[128];  ///< host and process
  int64_t chunk;     ///< -1: none
  int delivery;      ///< how often the chunk was delivered
  int64_t done;      ///< chunks of the worker so far
  double seconds;    ///< since the worker began
  char text[512];
} QueueNote;
size_t queue_note_write(const QueueNote* note, char* out, size_t size);
HeftStatus queue_note_read(QueueNote* out, const void* bytes, size_t size, HeftError* error);

/// The three numbers at the end of the subject of a part. 0: it has no such end.
int queue_part_read(const char* subject, int64_t* index, int64_t* part, int64_t* parts);
/// queue_part_read() of a result, with its hash.
int queue_result_read(const char* subject, char hash[QUEUE_RESULT_HASH + 1], int64_t* chunk,
                      int64_t* part, int64_t* parts);
/// The hash of a result in its subject.
void queue_result_hash(const void* bytes, size_t size, char out[QUEUE_RESULT_HASH + 1]);
/// Parts of so many bytes; at least one.
int64_t queue_part_count(uint64_t size);
/// 1: a file of a job may have this name.
int queue_file_allowed(const char* name);

#endif
