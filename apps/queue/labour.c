// SPDX-License-Identifier: Apache-2.0
#include "queue/labour.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "queue/offer.h"
#include "sweep/results.h"

enum { SUBJECT = 320, PATH_SIZE = 4096, SWEEPS_MAX = 64 };

typedef struct Labour {
  const LabourDef* def;
  LabourSlot* slot;
  Bus* bus;
  // the sweep
  QueueJob job;
  char id[QUEUE_ID + 1], chunks[64], results[64], info[64];
  char folder[PATH_SIZE];  ///< with plan and model; of results, too, if it is shared
  int temporary;           ///< 1: the folder is removed at the end
  Plan* plan;
  HeftModel* model;
  Sweep* sweep;
  SweepWorker* worker;
  natsSubscription* subscription;
  // the thread that shows life
  pthread_t pulse;
  pthread_mutex_t lock;
  natsMsg* held;  ///< message of the chunk that is computed
  int pulse_runs, pulse_ends;
  char doing[160];
  char damaged[QUEUE_ID + 1];  ///< the last sweep whose job cannot be read
  int64_t strange;             ///< messages that were no chunks of the sweep
} Labour;

__attribute__((format(printf, 2, 3))) static void say(const Labour* l, const char* format, ...) {
  va_list list;
  char text[1200];
  if (l->def->quiet) return;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  fprintf(stderr, "%s: %s\n", l->def->name, text);
}

// ---- notes

static size_t write_note(Labour* l, int64_t chunk, int delivery, const char* text, char* out) {
  QueueNote n = {.chunk = chunk, .delivery = delivery, .done = l->slot->done};
  n.seconds = 1e-9 * (double)(heft_clock_ns() - l->slot->began);
  snprintf(n.worker, sizeof n.worker, "%s", l->def->name);
  snprintf(n.text, sizeof n.text, "%s", text);
  return queue_note_write(&n, out, QUEUE_TEXT_MAX);
}

// Notes what went wrong with a chunk; kept until the sweep is complete.
static HeftStatus note_event(Labour* l, const char* kind, int64_t chunk, int delivery,
                             const char* text, HeftError* error) {
  char subject[SUBJECT], out[QUEUE_TEXT_MAX];
  const size_t size = write_note(l, chunk, delivery, text, out);
  if (strcmp(kind, "quarantine") == 0)
    snprintf(subject, sizeof subject, "heft.%s.info.quarantine.%lld", l->id, (long long)chunk);
  else
    snprintf(subject, sizeof subject, "heft.%s.info.event.%s.%lld.%d", l->id, kind,
             (long long)chunk, delivery);
  say(l, "chunk %lld, delivery %d: %s", (long long)chunk, delivery, text);
  return bus_publish(l->bus, l->info, subject, out, size, NULL, error);
}

// ---- signs of life

static void show_presence(Labour* l, const char* doing, int64_t chunk, int delivery) {
  char subject[SUBJECT], out[QUEUE_TEXT_MAX];
  const size_t size = write_note(l, chunk, delivery, doing, out);
  snprintf(subject, sizeof subject, "heft.%s.info.worker.%s", l->id, l->def->name);
  natsConnection_Publish(l->bus->connection, subject, out, (int)size);
}

static void* pulse(void* argument) {
  Labour* l = argument;
  const uint64_t beat = (uint64_t)(1e9 * l->job.ack_wait / 3);
  const uint64_t presence = (uint64_t)(1e9 * queue_presence(&l->job));
  uint64_t beaten = heft_clock_ns(), shown = 0;
  pthread_mutex_lock(&l->lock);
  while (!l->pulse_ends) {
    const uint64_t now = heft_clock_ns();
    if (now - beaten >= beat) {
      beaten = now;
      if (l->held) natsMsg_InProgress(l->held, NULL);
    }
    if (now - shown >= presence) {
      shown = now;
      show_presence(l, l->doing, l->held ? l->slot->chunk : -1, l->held ? l->slot->delivery : 0);
    }
    if (*l->bus->stop && l->worker) sweep_worker_stop(l->worker);
    pthread_mutex_unlock(&l->lock);
    nanosleep(&(struct timespec){0, 50000000}, NULL);
    pthread_mutex_lock(&l->lock);
  }
  pthread_mutex_unlock(&l->lock);
  return NULL;
}

static void hold(Labour* l, natsMsg* m, int64_t chunk, int delivery) {
  pthread_mutex_lock(&l->lock);
  l->slot->chunk = chunk;
  l->slot->delivery = delivery;
  memcpy(l->slot->id, l->id, sizeof l->id);
  snprintf(l->slot->reply, sizeof l->slot->reply, "%s", natsMsg_GetReply(m));
  snprintf(l->doing, sizeof l->doing, "computes");
  l->held = m;
  pthread_mutex_unlock(&l->lock);
}

static void let_go(Labour* l) {
  pthread_mutex_lock(&l->lock);
  l->held = NULL;
  l->slot->reply[0] = '\0';
  snprintf(l->doing, sizeof l->doing, "waits");
  pthread_mutex_unlock(&l->lock);
}

// ---- a chunk

static void acknowledge(Labour* l, natsMsg* m, int64_t chunk) {
  jsErrCode code = 0;
  const natsStatus s = natsMsg_AckSync(m, NULL, &code);
  if (s != NATS_OK)
    say(l, "chunk %lld is stored, but its acknowledgement is uncertain (%s): it may come again",
        (long long)chunk, natsStatus_GetText(s));
}

// Gives a chunk back, to be delivered again at once. The delay that NATS offers is not used: server
// 2.9 forgets such messages.
static void give_back(natsMsg* m) { natsMsg_Nak(m, NULL); }

static HeftStatus send_result(Labour* l, int64_t chunk, const Hdf5File* f, HeftError* error) {
  const int64_t parts = queue_part_count(f->size);
  char hash[QUEUE_RESULT_HASH + 1];
  HeftStatus status = HEFT_OK;
  queue_result_hash(f->bytes, f->size, hash);
  for (int64_t k = 0; k < parts && status == HEFT_OK; ++k) {
    char subject[SUBJECT];
    const size_t at = (size_t)k * QUEUE_PART;
    const size_t size = f->size - at < QUEUE_PART ? f->size - at : QUEUE_PART;
    snprintf(subject, sizeof subject, "heft.%s.result.%s.%lld.%lld.%lld", l->id, hash,
             (long long)chunk, (long long)k, (long long)parts);
    status = bus_publish(l->bus, l->results, subject, f->bytes + at, size, NULL, error);
  }
  return status;
}

// Waits until the folder accepts files again, so that a full disk does not eat deliveries.
static void wait_for_disk(Labour* l) {
  char path[PATH_SIZE + 200], bytes[4096] = {0};
  HeftError error = {0};
  snprintf(path, sizeof path, "%.*s/chunks/.probe-%s", PATH_SIZE - 1, l->folder, l->def->name);
  pthread_mutex_lock(&l->lock);
  snprintf(l->doing, sizeof l->doing, "waits for room in the folder of results");
  pthread_mutex_unlock(&l->lock);
  // As large as a chunk, roughly: 64 blocks.
  for (;;) {
    FILE* file = fopen(path, "w");
    int well = file != NULL;
    for (int i = 0; i < 64 && well; ++i) well = fwrite(bytes, sizeof bytes, 1, file) == 1;
    if (file && fclose(file) != 0) well = 0;
    unlink(path);
    if (well || !bus_wait(l->bus, 2)) return;
    jsStreamState state;  // others may have finished the sweep
    if (bus_state(l->bus, l->chunks, &state, &error) != HEFT_OK) return;
  }
}

static void quarantine(Labour* l, natsMsg* m, int64_t chunk, int delivery, const char* text) {
  HeftError error = {0};
  if (note_event(l, "quarantine", chunk, delivery, text, &error) == HEFT_OK)
    acknowledge(l, m, chunk);
}

static HeftStatus store(Labour* l, int64_t chunk, const Hdf5File* f, HeftError* error) {
  if (!l->job.shared) return send_result(l, chunk, f, error);
  return results_store(l->folder, chunk, f->bytes, f->size, error);
}

static void report_failure(Labour* l, natsMsg* m, int64_t chunk, int delivery, HeftStatus status,
                           const HeftError* error) {
  HeftError ignored = {0};
  char text[500];
  snprintf(text, sizeof text, "%.200s%s%.280s", error->file, error->file[0] ? ": " : "",
           error->message);
  if (status == HEFT_ERR_VALUE) {  // other bytes than another machine's
    quarantine(l, m, chunk, delivery, text);
    return;
  }
  note_event(l, "failed", chunk, delivery, text, &ignored);
  give_back(m);
  if (status == HEFT_ERR_FILE) wait_for_disk(l);
}

static void compute(Labour* l, natsMsg* m, int64_t chunk, int delivery) {
  HeftError error = {0};
  Hdf5File file = {0};
  hold(l, m, chunk, delivery);
  HeftStatus status = sweep_worker_chunk(l->worker, chunk, &file, &error);
  if (status == HEFT_OK) status = store(l, chunk, &file, &error);
  hdf5_release(&file);
  let_go(l);
  if (status == HEFT_OK) {
    acknowledge(l, m, chunk);
    ++l->slot->done;
  } else if (status == HEFT_ERR_STOPPED || status == HEFT_ERR_NAME) {
    give_back(m);
  } else {
    report_failure(l, m, chunk, delivery, status, &error);
  }
}

// A chunk whose file is there needs no computing, but the file must be whole.
static int is_stored(Labour* l, int64_t chunk) {
  HeftError error = {0};
  Hdf5File f;
  if (!l->job.shared || !results_has(l->folder, chunk)) return 0;
  const int well = results_read(l->folder, l->sweep, chunk, &f, &error) == HEFT_OK;
  hdf5_release(&f);
  return well;
}

// At the first message, the second, the fourth, ...: there may be many.
static void tell_strange(Labour* l, const char* why) {
  char subject[SUBJECT], text[500], out[QUEUE_TEXT_MAX];
  HeftError error = {0};
  ++l->strange;
  if ((l->strange & (l->strange - 1)) != 0) return;
  snprintf(text, sizeof text, "%lld messages in the queue were no chunks of this sweep: %.300s",
           (long long)l->strange, why);
  say(l, "%s", text);
  const size_t size = write_note(l, -1, 0, text, out);
  snprintf(subject, sizeof subject, "heft.%s.info.event.strange.%s.0", l->id, l->def->name);
  bus_publish(l->bus, l->info, subject, out, size, NULL, &error);
}

static void take(Labour* l, natsMsg* m) {
  QueueChunk c;
  HeftError error = {0};
  jsMsgMetaData* meta = NULL;
  if (natsMsg_GetMetaData(&meta, m) != NATS_OK) return;
  const int delivery = meta->NumDelivered < 1000000 ? (int)meta->NumDelivered : 1000000;
  jsMsgMetaData_Destroy(meta);
  const HeftStatus read =
      queue_chunk_read(&c, natsMsg_GetData(m), (size_t)natsMsg_GetDataLength(m), &error);
  if (read != HEFT_OK || strcmp(c.sweep, l->job.sweep) != 0 || c.chunk >= l->job.chunks) {
    tell_strange(l, read != HEFT_OK ? error.message : "it has another hash or number");
    natsMsg_Ack(m, NULL);
    return;
  }
  if (c.present || is_stored(l, c.chunk)) {
    acknowledge(l, m, c.chunk);
    return;
  }
  if (delivery > l->job.deliveries) {
    char text[160];
    snprintf(text, sizeof text,
             "%d workers took this chunk and none gave it back: it may kill its workers",
             delivery - 1);
    quarantine(l, m, c.chunk, delivery, text);
    return;
  }
  if (delivery > 1) note_event(l, "again", c.chunk, delivery, "is computed again", &error);
  compute(l, m, c.chunk, delivery);
}

// ---- a sweep

// The process before this one in its slot was killed: its chunk goes back at once.
static void report_predecessor(Labour* l) {
  LabourSlot* s = l->slot;
  HeftError error = {0};
  if (s->note[0] && s->reply[0] && strcmp(s->id, l->id) == 0) {
    note_event(l, "killed", s->chunk, s->delivery, s->note, &error);
    natsConnection_Publish(l->bus->connection, s->reply, "-NAK", 4);
    natsConnection_Flush(l->bus->connection);
  }
  s->note[0] = s->reply[0] = '\0';
}

static HeftStatus receive_file(Labour* l, int index, HeftError* error) {
  char subject[SUBJECT], path[PATH_SIZE + QUEUE_NAME_MAX + 8];
  const size_t size = (size_t)l->job.file_size[index];
  char* bytes = malloc(size + 1);
  if (!bytes) return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for %zu bytes", size);
  HeftStatus status = HEFT_OK;
  const int64_t parts = queue_part_count(size);
  for (int64_t k = 0; k < parts && status == HEFT_OK; ++k) {
    natsMsg* m = NULL;
    snprintf(subject, sizeof subject, "heft.%s.info.file.%d.%lld.%lld", l->id, index, (long long)k,
             (long long)parts);
    status = bus_last(l->bus, l->info, subject, &m, error);
    if (status != HEFT_OK) break;
    const size_t at = (size_t)k * QUEUE_PART, length = (size_t)natsMsg_GetDataLength(m);
    if (length != (size - at < QUEUE_PART ? size - at : QUEUE_PART))
      status = heft_error_set(error, HEFT_ERR_SYNTAX, "a file in the queue has a wrong size");
    else
      memcpy(bytes + at, natsMsg_GetData(m), length);
    natsMsg_Destroy(m);
  }
  snprintf(path, sizeof path, "%s/%s", l->folder, l->job.file[index]);
  if (status == HEFT_OK) status = results_write_file(path, bytes, size, error);
  free(bytes);
  return status;
}

// Plan and model from the queue, in a folder of their own.
static HeftStatus receive_inputs(Labour* l, HeftError* error) {
  const char* base = getenv("TMPDIR");
  char path[PATH_SIZE + 32], text[1024];
  snprintf(l->folder, sizeof l->folder - 64, "%s/heft-work-XXXXXX",
           base && base[0] ? base : "/tmp");
  if (!mkdtemp(l->folder))
    return heft_error_set(error, HEFT_ERR_FILE, "no folder for plan and model in %s: %s",
                          base && base[0] ? base : "/tmp", strerror(errno));
  l->temporary = 1;
  snprintf(path, sizeof path, "%s/inputs", l->folder);
  mkdir(path, 0700);
  HeftStatus status = HEFT_OK;
  for (int i = 0; i < l->job.file_count && status == HEFT_OK; ++i)
    status = receive_file(l, i, error);
  const int size =
      snprintf(text, sizeof text,
               "format = %d\nheft_version = \"%s\"\nheft_bits = \"%s\"\n"
               "plan_sha256 = \"%s\"\nmodel_sha256 = \"%s\"\n",
               (int)RESULTS_FORMAT, l->job.version, l->job.bits, l->job.plan, l->job.model);
  snprintf(path, sizeof path, "%s/manifest.toml", l->folder);
  if (status == HEFT_OK) status = results_write_file(path, text, (size_t)size, error);
  return status;
}

static void remove_inputs(Labour* l) {
  char path[PATH_SIZE + QUEUE_NAME_MAX + 8];
  if (!l->temporary) return;
  for (int i = 0; i < l->job.file_count; ++i) {
    snprintf(path, sizeof path, "%s/%s", l->folder, l->job.file[i]);
    unlink(path);
  }
  snprintf(path, sizeof path, "%s/manifest.toml", l->folder);
  unlink(path);
  snprintf(path, sizeof path, "%s/inputs", l->folder);
  rmdir(path);
  rmdir(l->folder);
  l->temporary = 0;
}

// Plug-ins and policies are programs: whoever writes to the queue would run them here.
static HeftStatus check_trust(const Labour* l, HeftError* error) {
  const PlanControl* c = &l->plan->control;
  if (l->def->trust || (!c->plugin && !c->python)) return HEFT_OK;
  return heft_error_set(error, HEFT_ERR_UNSUPPORTED,
                        "the plan runs a %s, '%.100s', which is a program of whoever serves the "
                        "sweep; if you trust them, give --trust",
                        c->plugin ? "plug-in" : "Python policy", c->plugin ? c->plugin : c->python);
}

static HeftStatus check_version(const Labour* l, HeftError* error) {
  if (strcmp(l->job.version, heft_version()) == 0) return HEFT_OK;
  return heft_error_set(error, HEFT_ERR_VERSION,
                        "sweep %s was put into the queue by Heft %s, and this is Heft %s, whose "
                        "results may differ in their last bits; install Heft %s here, or serve "
                        "the plan again with Heft %s",
                        l->id, l->job.version, heft_version(), l->job.version, heft_version());
}

// Builds of one version may differ: by their sources, or on a machine that computes otherwise.
static HeftStatus check_bits(const Labour* l, HeftError* error) {
  char mine[SWEEP_BITS + 1];
  const HeftStatus status = sweep_bits(mine, error);
  if (status != HEFT_OK || strcmp(l->job.bits, mine) == 0) return status;
  return heft_error_set(error, HEFT_ERR_VERSION,
                        "sweep %s was put into the queue by a build of Heft %s whose results have "
                        "other bits (%s) than those of this build on this machine (%s); install "
                        "the same build on all machines, or serve the plan again with this one",
                        l->id, l->job.version, l->job.bits, mine);
}

static HeftStatus check_hash(const Labour* l, HeftError* error) {
  if (strcmp(l->plan->sha256, l->job.plan) == 0 &&
      strcmp(l->sweep->model_sha256, l->job.model) == 0)
    return HEFT_OK;
  return heft_error_set(error, HEFT_ERR_VERSION,
                        "%.300s has another plan or model (%.16s, %.16s) than sweep %s in the "
                        "queue (%.16s, %.16s); give the folder that it is served from, %.300s",
                        l->folder, l->plan->sha256, l->sweep->model_sha256, l->id, l->job.plan,
                        l->job.model, l->job.folder);
}

static HeftStatus load(Labour* l, HeftError* error) {
  HeftStatus status = check_version(l, error);
  if (status == HEFT_OK) status = check_bits(l, error);
  if (status != HEFT_OK) return status;
  if (l->job.shared && !l->def->folder)
    return heft_error_set(error, HEFT_ERR_ARGUMENT,
                          "results of sweep %s go to a shared folder, which is %.400s on the "
                          "machine that serves it; give --out with its path here",
                          l->id, l->job.folder);
  if (l->job.shared)
    snprintf(l->folder, sizeof l->folder, "%.*s", PATH_SIZE - 100, l->def->folder);
  else
    status = receive_inputs(l, error);
  if (status == HEFT_OK) status = results_load(l->folder, &l->plan, &l->model, &l->sweep, error);
  if (status == HEFT_OK) status = check_hash(l, error);
  if (status == HEFT_OK) status = check_trust(l, error);
  if (status == HEFT_OK) status = sweep_worker_create(&l->worker, l->sweep, error);
  return status;
}

static void unload(Labour* l) {
  if (l->pulse_runs) {
    pthread_mutex_lock(&l->lock);
    l->pulse_ends = 1;
    pthread_mutex_unlock(&l->lock);
    pthread_join(l->pulse, NULL);
    l->pulse_runs = l->pulse_ends = 0;
  }
  natsSubscription_Destroy(l->subscription);
  sweep_worker_destroy(l->worker);
  sweep_destroy(l->sweep);
  heft_model_destroy(l->model);
  plan_destroy(l->plan);
  remove_inputs(l);
  l->subscription = NULL;
  l->worker = NULL;
  l->sweep = NULL;
  l->model = NULL;
  l->plan = NULL;
}

static HeftStatus subscribe(Labour* l, HeftError* error) {
  for (;;) {
    char subject[SUBJECT];
    jsSubOptions options;
    jsErrCode code = 0;
    jsStreamState state;
    jsSubOptions_Init(&options);
    options.Stream = l->chunks;
    options.Consumer = "workers";
    snprintf(subject, sizeof subject, "heft.%s.chunk", l->id);
    const natsStatus s =
        js_PullSubscribe(&l->subscription, l->bus->js, subject, "workers", NULL, &options, &code);
    if (s == NATS_OK) return HEFT_OK;
    const HeftStatus known = bus_state(l->bus, l->chunks, &state, error);
    if (known != HEFT_OK) return known;
    if (!bus_wait(l->bus, 0.3)) return heft_error_set(error, HEFT_ERR_STOPPED, "stopped");
  }
}

// 1: there may be more to do; 0: the sweep is at its end, or the program.
static int go_on(Labour* l, double* empty) {
  int64_t waiting, running;
  HeftError error = {0};
  const uint64_t now = heft_clock_ns();
  if (*l->bus->stop || l->bus->denied ||
      bus_pending(l->bus, l->chunks, &waiting, &running, &error) != HEFT_OK)
    return 0;
  if (waiting > 0 || running > 0)
    *empty = 0;
  else if (*empty == 0)
    *empty = (double)now;
  return l->def->idle < 0 || *empty == 0 || (double)now - *empty < 1e9 * l->def->idle;
}

static void work(Labour* l) {
  double empty = 0;
  while (!*l->bus->stop) {
    natsMsgList list = {0};
    jsErrCode code = 0;
    const natsStatus s = natsSubscription_Fetch(&list, l->subscription, 1, 1000, &code);
    if (s != NATS_OK || list.Count == 0) {
      if (s == NATS_OK) natsMsgList_Destroy(&list);
      if (s != NATS_OK && s != NATS_TIMEOUT) bus_wait(l->bus, 0.3);
      if (!go_on(l, &empty)) return;
      continue;
    }
    empty = 0;
    for (int i = 0; i < list.Count; ++i) take(l, list.Msgs[i]);
    natsMsgList_Destroy(&list);
  }
}

static HeftStatus serve_sweep(Labour* l, HeftError* error) {
  HeftStatus status = load(l, error);
  if (status == HEFT_OK) status = subscribe(l, error);
  if (status == HEFT_OK) {
    snprintf(l->doing, sizeof l->doing, "waits");
    l->pulse_runs = pthread_create(&l->pulse, NULL, pulse, l) == 0;
    report_predecessor(l);
    say(l, "works for sweep %s (%lld chunks)", l->id, (long long)l->job.chunks);
    work(l);
    show_presence(l, *l->bus->stop ? "was stopped" : "has ended", -1, 0);
    natsConnection_FlushTimeout(l->bus->connection, 1000);
    if (l->bus->denied) status = bus_denied(error, "chunks cannot be taken");
  }
  unload(l);
  return status;
}

// ---- finding sweeps

static HeftStatus read_job(Labour* l, const char* id, HeftError* error) {
  char subject[SUBJECT];
  natsMsg* m = NULL;
  snprintf(l->id, sizeof l->id, "%.*s", QUEUE_ID, id);
  offer_names(l->id, l->chunks, l->results, l->info);
  snprintf(subject, sizeof subject, "heft.%s.info.job", l->id);
  HeftStatus status = bus_last(l->bus, l->info, subject, &m, error);
  if (status != HEFT_OK) return status;
  status = queue_job_read(&l->job, natsMsg_GetData(m), (size_t)natsMsg_GetDataLength(m), error);
  natsMsg_Destroy(m);
  if (status == HEFT_OK && strncmp(l->job.sweep, id, QUEUE_HASH) != 0)
    status = heft_error_set(error, HEFT_ERR_VALUE, "the job in the queue has another hash");
  return status;
}

// Anybody may have written it; whoever serves the sweep puts its job there again.
static void tell_damaged(Labour* l, const char* id, const HeftError* error) {
  if (strcmp(l->damaged, id) == 0) return;
  memcpy(l->damaged, id, sizeof l->damaged);
  fprintf(stderr, "heft work: sweep %s is left out: %s\n", id, error->message);
}

// One look at all sweeps. Returns 1 if one was worked for.
static int look_around(Labour* l, int* refused) {
  char id[SWEEPS_MAX][QUEUE_ID + 1];
  const int count = offer_list(l->bus, id, SWEEPS_MAX);
  int worked = 0;
  *refused = 0;
  for (int i = 0; i < count && !*l->bus->stop; ++i) {
    HeftError error = {0};
    jsStreamState state;
    char chunks[64], results[64], info[64];
    if (l->def->only && strncmp(l->def->only, id[i], strlen(l->def->only)) != 0) continue;
    offer_names(id[i], chunks, results, info);
    if (bus_state(l->bus, chunks, &state, &error) != HEFT_OK || state.Msgs == 0) continue;
    HeftStatus status = read_job(l, id[i], &error);
    if (status == HEFT_ERR_SYNTAX || status == HEFT_ERR_VALUE) {
      tell_damaged(l, id[i], &error);
      continue;
    }
    if (status == HEFT_OK) status = serve_sweep(l, &error);
    if (status == HEFT_OK) {
      worked = 1;
    } else if (status != HEFT_ERR_NAME && status != HEFT_ERR_STOPPED) {
      fprintf(stderr, "heft work: error: %s%s%s\n", error.file, error.file[0] ? ": " : "",
              error.message);
      *refused = 1;
    }
  }
  return worked;
}

int labour_run(const LabourDef* def, LabourSlot* slot) {
  static Bus bus;
  HeftError error = {0};
  Labour l = {.def = def, .slot = slot, .bus = &bus};
  if (slot->began == 0) slot->began = heft_clock_ns();
  if (bus_open(&bus, &def->bus, &error) != HEFT_OK) {
    fprintf(stderr, "heft work: error: %s\n", error.message);
    return *def->bus.stop ? LABOUR_STOPPED : LABOUR_FAILED;
  }
  pthread_mutex_init(&l.lock, NULL);
  uint64_t since = heft_clock_ns();
  int refused = 0;
  while (!*bus.stop) {
    if (look_around(&l, &refused)) since = heft_clock_ns();
    if (refused) break;
    if (def->idle >= 0 && (double)(heft_clock_ns() - since) > 1e9 * def->idle) break;
    bus_wait(&bus, 0.5);
  }
  const int code = *bus.stop ? LABOUR_STOPPED : (refused ? LABOUR_REFUSED : LABOUR_DONE);
  pthread_mutex_destroy(&l.lock);
  bus_close(&bus);
  return code;
}
