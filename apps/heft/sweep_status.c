// SPDX-License-Identifier: Apache-2.0
// heft sweep status: what a queue of sweeps does now.
#include <stdio.h>

#include "queue_options.h"

#ifndef HEFT_HAVE_NATS

int heft_sweep_status(int argc, char** argv) {
  (void)argc;
  (void)argv;
  return queue_absent("sweep status");
}

#else

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "json_out.h"
#include "queue/offer.h"
#include "queue/overview.h"

static const char help[] =
    "usage: heft sweep status [OPTIONS] [ID]\n"
    "Shows the sweeps in a queue: chunks, workers, speed, quarantine. ID is the beginning of the "
    "name of\n"
    "one sweep.\n"
    "\n" QUEUE_OPTIONS_HELP
    "  --follow               show it again every second, until the sweeps end or Ctrl-C\n"
    "  --log                  all that went wrong, by time\n"
    "  --json                 numbers as JSON, for programs\n";

typedef struct StatusOptions {
  int follow, log, json;
} StatusOptions;

static void print_time(double seconds) {
  const time_t t = (time_t)seconds;
  struct tm parts;
  char text[32] = "";
  if (gmtime_r(&t, &parts)) strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &parts);
  printf("%s", text);
}

static void print_left(const Overview* o) {
  if (o->left < 0)
    printf("-");
  else if (o->left < 120)
    printf("%.0f s", o->left);
  else if (o->left < 7200)
    printf("%.0f min", o->left / 60);
  else
    printf("%.1f h", o->left / 3600);
}

static void print_workers(const Overview* o) {
  int shown = 0;
  for (int i = 0; i < o->note_count && shown < 40; ++i) {
    const OverviewNote* n = &o->note[i];
    if (strcmp(n->kind, "worker") != 0) continue;
    if (!overview_alive(o, n) && strncmp(n->note.text, "has ended", 9) == 0) continue;
    ++shown;
    printf("    %-32s %6lld done  ", n->note.worker, (long long)n->note.done);
    if (!overview_alive(o, n))
      printf("%s; last heard %.0f s ago\n",
             strcmp(n->note.text, "was stopped") == 0 ? "stopped" : "silent", o->now - n->time);
    else if (n->note.chunk >= 0)
      printf("%s chunk %lld, delivery %d\n", n->note.text, (long long)n->note.chunk,
             n->note.delivery);
    else
      printf("%s\n", n->note.text);
  }
}

static void print_notes(const Overview* o, int all) {
  for (int i = 0; i < o->note_count; ++i) {
    const OverviewNote* n = &o->note[i];
    if (strcmp(n->kind, "worker") == 0 || (!all && strcmp(n->kind, "quarantine") != 0)) continue;
    printf("    ");
    print_time(n->time);
    printf("  chunk %lld, delivery %d, %s: %s (told by %s)\n", (long long)n->note.chunk,
           n->note.delivery, n->kind, n->note.text, n->note.worker);
  }
}

static void print_text(const Overview* o, const StatusOptions* s) {
  printf("sweep %s, Heft %s\n", o->id, o->job.version);
  printf(
      "  chunks              %lld: %lld done, %lld running, %lld waiting, %lld not yet in the "
      "queue, %lld in quarantine\n",
      (long long)o->job.chunks, (long long)o->done, (long long)o->running, (long long)o->waiting,
      (long long)(o->job.chunks - o->published), (long long)o->quarantined);
  if (o->repeated > 0)
    printf("  repeated            %lld chunks that got lost or were retried\n",
           (long long)o->repeated);
  printf("  speed               %.4g chunks/s, ", o->rate);
  print_left(o);
  printf(" left\n");
  if (!o->job.shared)
    printf("  results             %llu messages, %llu bytes to collect\n",
           (unsigned long long)o->result_messages, (unsigned long long)o->result_bytes);
  printf("  workers             %d\n", o->workers);
  print_workers(o);
  if (s->log || o->quarantined > 0) printf(s->log ? "  log\n" : "  quarantine\n");
  print_notes(o, s->log);
}

static void print_json(Json* j, const Overview* o) {
  json_open_object(j, NULL);
  json_put_text(j, "sweep", o->job.sweep);
  json_put_text(j, "heft_version", o->job.version);
  json_put_text(j, "plan_sha256", o->job.plan);
  json_put_text(j, "model_sha256", o->job.model);
  json_put_count(j, "chunks", o->job.chunks);
  json_put_count(j, "published", o->published);
  json_put_count(j, "done", o->done);
  json_put_count(j, "running", o->running);
  json_put_count(j, "waiting", o->waiting);
  json_put_count(j, "quarantined", o->quarantined);
  json_put_count(j, "repeated", o->repeated);
  json_put_count(j, "workers", o->workers);
  json_put_number(j, "chunks_per_second", o->rate);
  if (o->left >= 0)
    json_put_number(j, "seconds_left", o->left);
  else
    json_put_null(j, "seconds_left");
  json_put_count(j, "queue_bytes", (int64_t)o->queue_bytes);
  json_put_count(j, "result_messages", (int64_t)o->result_messages);
  json_put_count(j, "result_bytes", (int64_t)o->result_bytes);
  json_open_list(j, "notes");
  for (int i = 0; i < o->note_count; ++i) {
    const OverviewNote* n = &o->note[i];
    json_open_object(j, NULL);
    json_put_text(j, "kind", n->kind);
    json_put_number(j, "time", n->time);
    json_put_text(j, "worker", n->note.worker);
    json_put_count(j, "chunk", n->note.chunk);
    json_put_count(j, "delivery", n->note.delivery);
    json_put_count(j, "done", n->note.done);
    if (strcmp(n->kind, "worker") == 0) json_put_flag(j, "alive", overview_alive(o, n));
    json_put_text(j, "text", n->note.text);
    json_close_object(j);
  }
  json_close_list(j);
  json_close_object(j);
}

// Returns the number of sweeps, -1: an error (reported).
static int show_all(Bus* bus, const char* only, const StatusOptions* s) {
  enum { SWEEPS_MAX = 256 };
  static char id[SWEEPS_MAX][QUEUE_ID + 1];
  const int count = offer_list(bus, id, SWEEPS_MAX);
  int shown = 0;
  Json j = {0};
  if (s->json) {
    j = json_begin("sweep status");
    json_open_list(&j, "sweeps");
  }
  if (s->follow && isatty(STDOUT_FILENO)) printf("\033[H\033[2J");
  for (int i = 0; i < count; ++i) {
    Overview o;
    HeftError error = {0};
    if (only && strncmp(only, id[i], strlen(only)) != 0) continue;
    const HeftStatus status = overview_read(&o, bus, id[i], &error);
    if (status == HEFT_ERR_NAME) continue;
    if (status != HEFT_OK) {
      fprintf(stderr, "heft sweep status: error: %s\n", error.message);
      return -1;
    }
    ++shown;
    if (s->json)
      print_json(&j, &o);
    else
      print_text(&o, s);
    overview_release(&o);
  }
  if (s->json) {
    json_close_list(&j);
    json_end(&j);
  }
  fflush(stdout);
  return shown;
}

int heft_sweep_status(int argc, char** argv) {
  static Bus bus;
  QueueOptions q = {0};
  StatusOptions s = {0};
  const char* only = NULL;
  HeftError error = {0};
  const SweepOption options[] = {QUEUE_OPTIONS(q),
                                 {"--follow", NULL, &s.follow},
                                 {"--log", NULL, &s.log},
                                 {"--json", NULL, &s.json}};
  const int found =
      sweep_arguments("status", help, options, QUEUE_OPTIONS_COUNT + 3, argc, argv, &only, 1);
  if (found < 0) return found == -2 ? 0 : 2;
  if (!queue_options_check(&q, "sweep status")) return 2;
  queue_catch_signals();
  const BusDef def = {q.urls,        q.credentials,       q.authority, q.certificate,
                      q.key,         "heft sweep status", 5,           1,
                      &queue_stopped};
  if (bus_open(&bus, &def, &error) != HEFT_OK) {
    fprintf(stderr, "heft sweep status: error: %s\n", error.message);
    return 1;
  }
  int count = show_all(&bus, only, &s);
  while (s.follow && count > 0 && bus_wait(&bus, 1)) count = show_all(&bus, only, &s);
  if (count == 0 && !s.json)
    printf("no sweep%s%s in the queue\n", only ? " " : "", only ? only : "");
  bus_close(&bus);
  return count < 0;
}

#endif
