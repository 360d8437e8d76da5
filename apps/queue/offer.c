// SPDX-License-Identifier: Apache-2.0
#include "queue/offer.h"

#include <heft/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "sweep/quarantine.h"
#include "sweep/results.h"

enum { SUBJECT = 160, PATH_SIZE = 4096 };

void offer_names(const char* id, char chunks[64], char results[64], char info[64]) {
  snprintf(chunks, 64, "HEFT-%s-CHUNKS", id);
  snprintf(results, 64, "HEFT-%s-RESULTS", id);
  snprintf(info, 64, "HEFT-%s-INFO", id);
}

int offer_list(Bus* bus, char id[][QUEUE_ID + 1], int capacity) {
  jsStreamNamesList* names = NULL;
  jsErrCode code = 0;
  int count = 0;
  if (js_StreamNames(&names, bus->js, NULL, &code) != NATS_OK) return 0;
  for (int i = 0; i < names->Count && count < capacity; ++i) {
    const char* name = names->List[i];
    if (strncmp(name, "HEFT-", 5) != 0 || !queue_id_valid(name + 5) ||
        strcmp(name + 5 + QUEUE_ID, "-CHUNKS") != 0)
      continue;
    memcpy(id[count], name + 5, QUEUE_ID);
    id[count++][QUEUE_ID] = '\0';
  }
  jsStreamNamesList_Destroy(names);
  return count;
}

// The ID under which the sweep is in the queue, or a new one.
static void find_id(Offer* o) {
  enum { SWEEPS_MAX = 256 };
  char id[SWEEPS_MAX][QUEUE_ID + 1];
  const int count = offer_list(o->bus, id, SWEEPS_MAX);
  for (int i = 0; i < count; ++i) {
    if (strncmp(id[i], o->job.sweep, QUEUE_HASH) != 0) continue;
    memcpy(o->id, id[i], sizeof o->id);
    return;
  }
  const uint64_t now[3] = {heft_clock_ns(), (uint64_t)time(NULL), (uint64_t)getpid()};
  queue_id(&o->job, (uint32_t)heft_hash(now, sizeof now, 0), o->id);
}

// ---- the job

static HeftStatus add_file(QueueJob* j, const char* folder, const char* name, HeftError* error) {
  char path[PATH_SIZE];
  struct stat info;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  if (stat(path, &info) != 0)
    return heft_error_set_at(error, HEFT_ERR_FILE, path, 0, 0, "the file is missing");
  if (info.st_size > QUEUE_FILE_MAX)
    return heft_error_set_at(error, HEFT_ERR_LIMIT, path, 0, 0,
                             "a file that goes through the queue has at most %d MiB; use a shared "
                             "folder",
                             QUEUE_FILE_MAX >> 20);
  if (!queue_file_allowed(name))
    return heft_error_set_at(error, HEFT_ERR_NAME, path, 0, 0,
                             "a file with this name cannot go through the queue; rename it");
  snprintf(j->file[j->file_count], QUEUE_NAME_MAX, "%s", name);
  j->file_size[j->file_count++] = (int64_t)info.st_size;
  return HEFT_OK;
}

// Fills in the job of a sweep whose folder of results is open.
static HeftStatus make_job(const Sweep* s, const char* folder, const OfferDef* d, QueueJob* out,
                           HeftError* error) {
  QueueJob j = {.chunks = plan_chunk_count(s->plan),
                .shared = d->shared,
                .ack_wait = d->ack_wait,
                .deliveries = d->deliveries};
  char path[4][2048], name[QUEUE_NAME_MAX + 16];
  const char* last[4];
  snprintf(j.version, sizeof j.version, "%s", heft_version());
  snprintf(j.bits, sizeof j.bits, "%s", s->bits);
  snprintf(j.plan, sizeof j.plan, "%s", s->plan->sha256);
  snprintf(j.model, sizeof j.model, "%s", s->model_sha256);
  snprintf(j.folder, sizeof j.folder, "%s", folder);
  queue_job_name(&j);
  HeftStatus status = HEFT_OK;
  if (!d->shared) {
    status = add_file(&j, folder, "plan.toml", error);
    if (status == HEFT_OK) status = add_file(&j, folder, "model.heft", error);
    const int files = plan_files(s->plan, path, last);
    for (int i = 0; i < files && status == HEFT_OK; ++i) {
      snprintf(name, sizeof name, "inputs/%.*s", QUEUE_NAME_MAX, last[i]);
      status = add_file(&j, folder, name, error);
    }
  }
  *out = j;
  return status;
}

static HeftStatus send_file(Offer* o, int index, HeftError* error) {
  const HeftAllocator a = heft_allocator_default();
  char path[PATH_SIZE], subject[SUBJECT];
  void* bytes = NULL;
  size_t size = 0;
  snprintf(path, sizeof path, "%s/%s", o->folder, o->job.file[index]);
  HeftStatus status = heft_file_read(&bytes, &size, path, QUEUE_FILE_MAX, &a, error);
  if (status != HEFT_OK) return status;
  const int64_t parts = queue_part_count(size);
  for (int64_t k = 0; k < parts && status == HEFT_OK; ++k) {
    const size_t at = (size_t)k * QUEUE_PART;
    snprintf(subject, sizeof subject, "heft.%s.info.file.%d.%lld.%lld", o->id, index, (long long)k,
             (long long)parts);
    status = bus_publish(o->bus, o->info, subject, (const char*)bytes + at,
                         size - at < QUEUE_PART ? size - at : QUEUE_PART, NULL, error);
  }
  a.release(a.user, bytes, size + 1);
  return status;
}

// The job comes last, so that a queue with a job has its files.
static HeftStatus send_job(Offer* o, HeftError* error) {
  char text[QUEUE_TEXT_MAX], subject[SUBJECT];
  HeftStatus status = HEFT_OK;
  for (int i = 0; i < o->job.file_count && status == HEFT_OK; ++i) status = send_file(o, i, error);
  const size_t size = queue_job_write(&o->job, text, sizeof text);
  snprintf(subject, sizeof subject, "heft.%s.info.job", o->id);
  if (status == HEFT_OK) status = bus_publish(o->bus, o->info, subject, text, size, NULL, error);
  return status;
}

// ---- streams

// Takes the job that is in the queue, or puts it there.
static HeftStatus agree_on_job(Offer* o, HeftError* error) {
  char subject[SUBJECT];
  natsMsg* m = NULL;
  QueueJob there;
  snprintf(subject, sizeof subject, "heft.%s.info.job", o->id);
  const HeftStatus status = bus_last(o->bus, o->info, subject, &m, error);
  if (status == HEFT_ERR_NAME) return send_job(o, error);
  if (status != HEFT_OK) return status;
  const HeftStatus read =
      queue_job_read(&there, natsMsg_GetData(m), (size_t)natsMsg_GetDataLength(m), error);
  natsMsg_Destroy(m);
  if (read != HEFT_OK || strcmp(there.sweep, o->job.sweep) != 0) return send_job(o, error);
  o->job = there;
  return HEFT_OK;
}

static HeftStatus make_streams(Offer* o, int replicas, HeftError* error) {
  char subjects[SUBJECT];
  snprintf(subjects, sizeof subjects, "heft.%s.info.>", o->id);
  const BusStream info = {o->info, subjects, 0, 1, replicas};
  HeftStatus status = bus_stream(o->bus, &info, error);
  if (status == HEFT_OK) status = agree_on_job(o, error);
  snprintf(subjects, sizeof subjects, "heft.%s.result.>", o->id);
  const BusStream results = {o->results, subjects, 0, 0, replicas};
  if (status == HEFT_OK && !o->job.shared) status = bus_stream(o->bus, &results, error);
  snprintf(subjects, sizeof subjects, "heft.%s.chunk", o->id);
  const BusStream chunks = {o->chunks, subjects, 1, 0, replicas};
  if (status == HEFT_OK) status = bus_stream(o->bus, &chunks, error);
  if (status == HEFT_OK) status = bus_consumer(o->bus, o->chunks, o->job.ack_wait, error);
  return status;
}

static HeftStatus find_quarantine(Offer* o, HeftError* error);

HeftStatus offer_open(Offer* o, Bus* bus, const Sweep* sweep, const char* folder, const OfferDef* d,
                      HeftError* error) {
  *o = (Offer){.bus = bus, .sweep = sweep, .folder = folder};
  HeftStatus status = make_job(sweep, folder, d, &o->job, error);
  if (status != HEFT_OK) return status;
  find_id(o);
  offer_names(o->id, o->chunks, o->results, o->info);
  o->away = calloc((size_t)(o->job.chunks / 8 + 1), 1);
  o->stored = calloc((size_t)(o->job.chunks / 8 + 1), 1);
  if (!o->away || !o->stored) return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for chunks");
  status = make_streams(o, d->replicas, error);
  if (status == HEFT_OK) status = find_quarantine(o, error);
  jsStreamState state;
  if (status == HEFT_OK) status = bus_state(bus, o->chunks, &state, error);
  // Chunks were published in their order. Chunks that a crash made uncertain are found when the
  // queue is empty.
  if (status == HEFT_OK)
    o->next = (int64_t)state.LastSeq < o->job.chunks ? (int64_t)state.LastSeq : o->job.chunks;
  return status;
}

void offer_close(Offer* o) {
  free(o->away);
  free(o->stored);
  o->away = o->stored = NULL;
}

HeftStatus offer_remove(Offer* o, HeftError* error) {
  HeftStatus status = bus_remove(o->bus, o->chunks, error);
  if (status == HEFT_OK) status = bus_remove(o->bus, o->results, error);
  if (status == HEFT_OK) status = bus_remove(o->bus, o->info, error);
  return status;
}

// ---- chunks

static int has_bit(const unsigned char* bits, int64_t k) { return bits[k / 8] >> (k % 8) & 1; }

static void set_bit(unsigned char* bits, int64_t k) {
  bits[k / 8] |= (unsigned char)(1u << (k % 8));
}

static size_t write_chunk(const Offer* o, int64_t chunk, char* text, size_t size) {
  const int done = results_has(o->folder, chunk) || has_bit(o->away, chunk);
  QueueChunk c = {.chunk = chunk, .present = done};
  memcpy(c.sweep, o->job.sweep, sizeof c.sweep);
  return queue_chunk_write(&c, text, size);
}

static void chunk_subject(const Offer* o, char* out) {
  snprintf(out, SUBJECT, "heft.%s.chunk", o->id);
}

// Many messages are on their way at once; a failed one shows in the number of the stream, from
// which publication goes on.
HeftStatus offer_publish(Offer* o, int64_t count, HeftError* error) {
  char subject[SUBJECT], text[256], id[64];
  const int64_t end = o->next + count < o->job.chunks ? o->next + count : o->job.chunks;
  if (o->next >= end) return HEFT_OK;
  chunk_subject(o, subject);
  jsPubOptions options;
  jsPubOptions_Init(&options);
  natsStatus s = NATS_OK;
  for (int64_t k = o->next; k < end && s == NATS_OK && !*o->bus->stop; ++k) {
    const size_t size = write_chunk(o, k, text, sizeof text);
    snprintf(id, sizeof id, "%s-%lld", o->id, (long long)k);
    options.MsgId = id;
    s = js_PublishAsync(o->bus->js, subject, text, (int)size, &options);
  }
  options.MsgId = NULL;
  options.MaxWait = 5000;
  const natsStatus completed = js_PublishAsyncComplete(o->bus->js, &options);
  if (completed != NATS_OK) {  // they are published again, with the same ids
    natsMsgList pending = {0};
    if (js_PublishAsyncGetPendingList(&pending, o->bus->js) == NATS_OK)
      natsMsgList_Destroy(&pending);
  }
  jsStreamState state;
  const HeftStatus status = bus_state(o->bus, o->chunks, &state, error);
  if (status == HEFT_OK)
    o->next = (int64_t)state.LastSeq < o->job.chunks ? (int64_t)state.LastSeq : o->job.chunks;
  return status;
}

// ---- strange messages

HeftStatus offer_tell_strange(Offer* o, int64_t count, const char* subject, HeftError* error) {
  char to[SUBJECT], text[QUEUE_TEXT_MAX];
  QueueNote n = {.chunk = -1, .done = count};
  snprintf(n.worker, sizeof n.worker, "heft sweep serve");
  snprintf(n.text, sizeof n.text,
           "%lld messages among the results are no results of this sweep, the last one is %.128s",
           (long long)count, subject);
  snprintf(to, sizeof to, "heft.%s.info.event.strange.0.0", o->id);
  const size_t size = queue_note_write(&n, text, sizeof text);
  return bus_publish(o->bus, o->info, to, text, size, NULL, error);
}

// ---- quarantine

static void quarantine_subject(const Offer* o, int64_t chunk, char* out) {
  snprintf(out, SUBJECT, "heft.%s.info.quarantine.%lld", o->id, (long long)chunk);
}

static HeftStatus note_quarantine(Offer* o, int64_t chunk, const char* reason, HeftError* error) {
  char subject[SUBJECT], text[QUEUE_TEXT_MAX];
  QueueNote n = {.chunk = chunk};
  snprintf(n.worker, sizeof n.worker, "heft sweep serve");
  snprintf(n.text, sizeof n.text, "%.500s", reason);
  const size_t size = queue_note_write(&n, text, sizeof text);
  quarantine_subject(o, chunk, subject);
  return bus_publish(o->bus, o->info, subject, text, size, NULL, error);
}

HeftStatus offer_quarantine(Offer* o, int64_t chunk, const char* reason, HeftError* error) {
  HeftStatus status = HEFT_OK;
  if (!quarantine_has(o->folder, chunk)) status = quarantine_put(o->folder, chunk, reason, error);
  if (status == HEFT_OK) status = note_quarantine(o, chunk, reason, error);
  set_bit(o->away, chunk);
  return status;
}

// A note of a worker goes into the folder. A result that came after the note ends the quarantine.
static HeftStatus take_note(Offer* o, const QueueNote* note, HeftError* error) {
  char subject[SUBJECT];
  if (results_has(o->folder, note->chunk)) {
    quarantine_subject(o, note->chunk, subject);
    return bus_purge(o->bus, o->info, subject, error);
  }
  set_bit(o->away, note->chunk);
  return quarantine_has(o->folder, note->chunk)
             ? HEFT_OK
             : quarantine_put(o->folder, note->chunk, note->text, error);
}

static HeftStatus take_notes(Offer* o, HeftError* error) {
  char subjects[SUBJECT];
  uint64_t from = o->lifted + 1;
  HeftStatus status = HEFT_OK;
  snprintf(subjects, sizeof subjects, "heft.%s.info.quarantine.*", o->id);
  while (status == HEFT_OK) {
    natsMsg* m = NULL;
    status = bus_next(o->bus, o->info, subjects, from, &m, error);
    if (status != HEFT_OK) break;
    QueueNote note;
    HeftError ignored = {0};
    if (queue_note_read(&note, natsMsg_GetData(m), (size_t)natsMsg_GetDataLength(m), &ignored) ==
            HEFT_OK &&
        note.chunk >= 0 && note.chunk < o->job.chunks)
      status = take_note(o, &note, error);
    from = natsMsg_GetSequence(m) + 1;
    natsMsg_Destroy(m);
  }
  return status == HEFT_ERR_NAME ? HEFT_OK : status;
}

typedef struct Reminder {
  Offer* offer;
  HeftStatus status;
  HeftError* error;
} Reminder;

// A queue that lost its notes, or is new, gets them from the folder.
static void remind(void* user, int64_t chunk) {
  Reminder* r = user;
  Offer* o = r->offer;
  char reason[QUARANTINE_TEXT];
  if (r->status != HEFT_OK || chunk >= o->job.chunks || has_bit(o->away, chunk)) return;
  set_bit(o->away, chunk);
  quarantine_reason(o->folder, chunk, reason);
  r->status = note_quarantine(o, chunk, reason, r->error);
}

static HeftStatus find_quarantine(Offer* o, HeftError* error) {
  Reminder r = {.offer = o, .error = error};
  memset(o->away, 0, (size_t)(o->job.chunks / 8 + 1));
  const HeftStatus status = take_notes(o, error);
  if (status != HEFT_OK) return status;
  quarantine_each(o->folder, remind, &r);
  return r.status;
}

// ---- again

static HeftStatus publish_again(Offer* o, int64_t chunk, HeftError* error) {
  char subject[SUBJECT], text[256], id[96];
  chunk_subject(o, subject);
  const size_t size = write_chunk(o, chunk, text, sizeof text);
  snprintf(id, sizeof id, "%s-%lld-%llu", o->id, (long long)chunk,
           (unsigned long long)heft_clock_ns());
  ++o->again;
  return bus_publish(o->bus, o->chunks, subject, text, size, id, error);
}

HeftStatus offer_missing(Offer* o, int again, int64_t* missing, int64_t* away, HeftError* error) {
  *missing = *away = 0;
  HeftStatus status = find_quarantine(o, error);
  for (int64_t k = 0; k < o->job.chunks && status == HEFT_OK; ++k) {
    // A file that was there may have gone to quarantine since.
    if (has_bit(o->stored, k) && !has_bit(o->away, k)) continue;
    if (results_has(o->folder, k)) {
      set_bit(o->stored, k);
      continue;
    }
    ++*missing;
    if (has_bit(o->away, k))
      ++*away;
    else if (again)
      status = publish_again(o, k, error);
  }
  return status;
}

HeftStatus offer_retry(Offer* o, int64_t* count, HeftError* error) {
  char subject[SUBJECT];
  jsStreamState state;
  *count = 0;
  HeftStatus status = find_quarantine(o, error);
  for (int64_t k = 0; k < o->job.chunks && status == HEFT_OK; ++k) {
    if (!has_bit(o->away, k)) continue;
    quarantine_subject(o, k, subject);
    status = quarantine_lift(o->folder, k, error);
    if (status == HEFT_OK) status = bus_purge(o->bus, o->info, subject, error);
    // The leader of the stream has purged the note; a replica that is asked for it may lag behind.
    if (status == HEFT_OK) status = bus_state(o->bus, o->info, &state, error);
    if (status != HEFT_OK) break;
    o->lifted = state.LastSeq;
    o->away[k / 8] &= (unsigned char)~(1u << (k % 8));
    status = publish_again(o, k, error);
    ++*count;
  }
  return status;
}
