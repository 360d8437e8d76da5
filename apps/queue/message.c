// SPDX-License-Identifier: Apache-2.0
#include "queue/message.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "sweep/sha256.h"
#include "sweep/toml.h"

// ---- writing

typedef struct Out {
  char* text;
  size_t size, used;
} Out;

__attribute__((format(printf, 2, 3))) static void put(Out* o, const char* format, ...) {
  va_list list;
  va_start(list, format);
  const int n = vsnprintf(o->text + o->used, o->size - o->used, format, list);
  va_end(list);
  o->used = n < 0 || o->used + (size_t)n >= o->size ? o->size - 1 : o->used + (size_t)n;
}

// Control characters would spoil the terminal of whoever reads a note.
static void put_string(Out* o, const char* key, const char* text) {
  put(o, "%s = \"", key);
  for (const char* at = text; *at; ++at) {
    const unsigned char c = (unsigned char)*at;
    if (c == '"' || c == '\\')
      put(o, "\\%c", c);
    else
      put(o, "%c", c < 32 || c == 127 ? ' ' : c);
  }
  put(o, "\"\n");
}

// ---- reading

static HeftStatus wrong(HeftError* error, const char* what, const char* key) {
  return heft_error_set(error, HEFT_ERR_VALUE, "%s: '%s' is missing or wrong", what, key);
}

static int get_text(const Toml* t, const char* key, char* out, size_t size) {
  const TomlValue* v = toml_find(&t->tables[0], key);
  if (!v || v->type != TOML_STRING || strlen(v->text) >= size) return 0;
  snprintf(out, size, "%s", v->text);
  for (char* at = out; *at; ++at)
    if ((unsigned char)*at < 32 || *at == 127) *at = ' ';
  return 1;
}

static int get_hash(const Toml* t, const char* key, char out[65]) {
  return get_text(t, key, out, 65) && strspn(out, "0123456789abcdef") == 64;
}

static int get_number(const Toml* t, const char* key, double min, double max, double* out) {
  const TomlValue* v = toml_find(&t->tables[0], key);
  if (!v || v->type != TOML_NUMBER || !(v->number >= min && v->number <= max)) return 0;
  *out = v->number;
  return 1;
}

static int get_whole(const Toml* t, const char* key, double min, double max, int64_t* out) {
  double x;
  if (!get_number(t, key, min, max, &x) || x != floor(x)) return 0;
  *out = (int64_t)x;
  return 1;
}

static int get_count(const Toml* t, const char* key, double min, double max, int* out) {
  int64_t x;
  if (!get_whole(t, key, min, max, &x)) return 0;
  *out = (int)x;
  return 1;
}

static HeftStatus begin(Toml* t, const char* what, const void* bytes, size_t size,
                        HeftError* error) {
  *t = (Toml){0};
  if (size > QUEUE_TEXT_MAX)
    return heft_error_set(error, HEFT_ERR_SYNTAX, "%s has %zu bytes, more than %d", what, size,
                          QUEUE_TEXT_MAX);
  const HeftStatus status = toml_read(t, bytes, size, what, error);
  if (status == HEFT_OK && t->count != 1) {
    toml_release(t);
    return heft_error_set(error, HEFT_ERR_SYNTAX, "%s has tables", what);
  }
  return status;
}

// ---- jobs

void queue_job_name(QueueJob* j) {
  char chunks[32];
  Sha256 h = sha256_begin();
  snprintf(chunks, sizeof chunks, "%lld", (long long)j->chunks);
  sha256_add(&h, j->version, strlen(j->version) + 1);
  sha256_add(&h, j->bits, strlen(j->bits) + 1);
  sha256_add(&h, j->plan, strlen(j->plan) + 1);
  sha256_add(&h, j->model, strlen(j->model) + 1);
  sha256_add(&h, chunks, strlen(chunks) + 1);
  sha256_text(&h, j->sweep);
}

void queue_id(const QueueJob* j, uint32_t number, char* out) {
  snprintf(out, QUEUE_ID + 1, "%.*s-%08lx", QUEUE_HASH, j->sweep, (unsigned long)number);
}

double queue_presence(const QueueJob* j) { return j->ack_wait > 30 ? j->ack_wait / 6 : 5; }

int queue_id_valid(const char* text) {
  static const char digits[] = "0123456789abcdef";
  return strspn(text, digits) == QUEUE_HASH && text[QUEUE_HASH] == '-' &&
         strspn(text + QUEUE_HASH + 1, digits) == QUEUE_ID - QUEUE_HASH - 1;
}

int queue_file_allowed(const char* name) {
  if (strcmp(name, "plan.toml") == 0 || strcmp(name, "model.heft") == 0) return 1;
  if (strncmp(name, "inputs/", 7) != 0) return 0;
  const char* last = name + 7;
  for (const char* at = last; *at; ++at)
    if ((unsigned char)*at < 32 || *at == 127 || *at == '/') return 0;
  return last[0] && last[0] != '.' && strlen(name) < QUEUE_NAME_MAX;
}

size_t queue_job_write(const QueueJob* j, char* out, size_t size) {
  Out o = {out, size, 0};
  put(&o, "format = 2\n");
  put_string(&o, "sweep", j->sweep);
  put_string(&o, "heft_version", j->version);
  put_string(&o, "heft_bits", j->bits);
  put_string(&o, "plan_sha256", j->plan);
  put_string(&o, "model_sha256", j->model);
  put(&o, "chunks = %lld\nshared = %d\nack_wait = %.17g\ndeliveries = %d\n", (long long)j->chunks,
      j->shared, j->ack_wait, j->deliveries);
  put_string(&o, "folder", j->folder);
  put(&o, "files = %d\n", j->file_count);
  for (int i = 0; i < j->file_count; ++i) {
    char key[32];
    snprintf(key, sizeof key, "file_%d", i);
    put_string(&o, key, j->file[i]);
    put(&o, "size_%d = %lld\n", i, (long long)j->file_size[i]);
  }
  return o.used;
}

static const char* read_files(QueueJob* j, const Toml* t) {
  if (!get_count(t, "files", 0, QUEUE_FILES_MAX, &j->file_count)) return "files";
  for (int i = 0; i < j->file_count; ++i) {
    char key[32];
    snprintf(key, sizeof key, "file_%d", i);
    if (!get_text(t, key, j->file[i], sizeof j->file[i]) || !queue_file_allowed(j->file[i]))
      return "file_...";
    snprintf(key, sizeof key, "size_%d", i);
    if (!get_whole(t, key, 0, QUEUE_FILE_MAX, &j->file_size[i])) return "size_...";
  }
  return NULL;
}

// The name of what is wrong, or NULL.
static const char* read_job(QueueJob* j, const Toml* t) {
  int format;
  char claimed[65];
  if (!get_count(t, "format", 2, 2, &format)) return "format";
  if (!get_hash(t, "sweep", claimed)) return "sweep";
  if (!get_text(t, "heft_version", j->version, sizeof j->version)) return "heft_version";
  if (!get_text(t, "heft_bits", j->bits, sizeof j->bits)) return "heft_bits";
  if (!get_hash(t, "plan_sha256", j->plan)) return "plan_sha256";
  if (!get_hash(t, "model_sha256", j->model)) return "model_sha256";
  if (!get_whole(t, "chunks", 1, QUEUE_CHUNKS_MAX, &j->chunks)) return "chunks";
  if (!get_count(t, "shared", 0, 1, &j->shared)) return "shared";
  if (!get_number(t, "ack_wait", 0.5, 86400, &j->ack_wait)) return "ack_wait";
  if (!get_count(t, "deliveries", 1, 1000, &j->deliveries)) return "deliveries";
  if (!get_text(t, "folder", j->folder, sizeof j->folder)) return "folder";
  queue_job_name(j);
  if (strcmp(claimed, j->sweep) != 0) return "sweep";
  return read_files(j, t);
}

HeftStatus queue_job_read(QueueJob* out, const void* bytes, size_t size, HeftError* error) {
  static const char what[] = "the job in the queue";
  Toml t;
  *out = (QueueJob){0};
  const HeftStatus status = begin(&t, what, bytes, size, error);
  if (status != HEFT_OK) return status;
  const char* key = read_job(out, &t);
  toml_release(&t);
  return key ? wrong(error, what, key) : HEFT_OK;
}

// ---- chunks

size_t queue_chunk_write(const QueueChunk* c, char* out, size_t size) {
  Out o = {out, size, 0};
  put_string(&o, "sweep", c->sweep);
  put(&o, "chunk = %lld\n", (long long)c->chunk);
  if (c->present) put(&o, "present = 1\n");
  return o.used;
}

HeftStatus queue_chunk_read(QueueChunk* out, const void* bytes, size_t size, HeftError* error) {
  static const char what[] = "a chunk in the queue";
  Toml t;
  *out = (QueueChunk){0};
  const HeftStatus status = begin(&t, what, bytes, size, error);
  if (status != HEFT_OK) return status;
  const char* key = NULL;
  if (!get_hash(&t, "sweep", out->sweep))
    key = "sweep";
  else if (!get_whole(&t, "chunk", 0, QUEUE_CHUNKS_MAX, &out->chunk))
    key = "chunk";
  else if (toml_find(&t.tables[0], "present") && !get_count(&t, "present", 0, 1, &out->present))
    key = "present";
  toml_release(&t);
  return key ? wrong(error, what, key) : HEFT_OK;
}

// ---- notes

size_t queue_note_write(const QueueNote* n, char* out, size_t size) {
  Out o = {out, size, 0};
  put_string(&o, "worker", n->worker);
  put(&o, "chunk = %lld\ndelivery = %d\ndone = %lld\nseconds = %.3f\n", (long long)n->chunk,
      n->delivery, (long long)n->done, n->seconds);
  put_string(&o, "text", n->text);
  return o.used;
}

HeftStatus queue_note_read(QueueNote* out, const void* bytes, size_t size, HeftError* error) {
  static const char what[] = "a note in the queue";
  Toml t;
  *out = (QueueNote){0};
  const HeftStatus status = begin(&t, what, bytes, size, error);
  if (status != HEFT_OK) return status;
  const char* key = NULL;
  if (!get_text(&t, "worker", out->worker, sizeof out->worker))
    key = "worker";
  else if (!get_whole(&t, "chunk", -1, QUEUE_CHUNKS_MAX, &out->chunk))
    key = "chunk";
  else if (!get_count(&t, "delivery", 0, 1e9, &out->delivery))
    key = "delivery";
  else if (!get_whole(&t, "done", 0, QUEUE_CHUNKS_MAX, &out->done))
    key = "done";
  else if (!get_number(&t, "seconds", 0, 1e12, &out->seconds))
    key = "seconds";
  else if (!get_text(&t, "text", out->text, sizeof out->text))
    key = "text";
  toml_release(&t);
  return key ? wrong(error, what, key) : HEFT_OK;
}

// ---- parts

static int last_number(const char* subject, size_t* end, int64_t* out) {
  size_t at = *end;
  int64_t power = 1;
  *out = 0;
  while (at > 0 && subject[at - 1] >= '0' && subject[at - 1] <= '9') {
    if (*end - at >= 15) return 0;
    *out += power * (subject[--at] - '0');
    power *= 10;
  }
  if (at == *end || at == 0 || subject[at - 1] != '.') return 0;
  *end = at - 1;
  return 1;
}

int queue_part_read(const char* subject, int64_t* index, int64_t* part, int64_t* parts) {
  size_t end = strlen(subject);
  return last_number(subject, &end, parts) && last_number(subject, &end, part) &&
         last_number(subject, &end, index) && *part < *parts;
}

int queue_result_read(const char* subject, char hash[QUEUE_RESULT_HASH + 1], int64_t* chunk,
                      int64_t* part, int64_t* parts) {
  const char* at = strstr(subject, ".result.");
  if (!at || strspn(at + 8, "0123456789abcdef") != QUEUE_RESULT_HASH) return 0;
  snprintf(hash, QUEUE_RESULT_HASH + 1, "%.*s", QUEUE_RESULT_HASH, at + 8);
  return queue_part_read(at + 8 + QUEUE_RESULT_HASH, chunk, part, parts);
}

void queue_result_hash(const void* bytes, size_t size, char out[QUEUE_RESULT_HASH + 1]) {
  char text[65];
  Sha256 h = sha256_begin();
  sha256_add(&h, bytes, size);
  sha256_text(&h, text);
  snprintf(out, QUEUE_RESULT_HASH + 1, "%.*s", QUEUE_RESULT_HASH, text);
}

int64_t queue_part_count(uint64_t size) {
  return size == 0 ? 1 : (int64_t)((size + QUEUE_PART - 1) / QUEUE_PART);
}
