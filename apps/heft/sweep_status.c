// SPDX-License-Identifier: Apache-2.0
// heft sweep status: what a queue of sweeps does now.
#include <stdio.h>

#include "queue_options.h"

static const char help[] =
    "usage: heft sweep status [OPTIONS] [ID]\n"
    "Shows the sweeps in a queue: chunks, workers, speed, quarantine. ID is the beginning of the "
    "name of\n"
    "one sweep.\n"
    "\n" QUEUE_OPTIONS_HELP
    "  --follow               show it again every second, until the sweeps end or Ctrl-C\n"
    "  --log                  all that went wrong, by time\n"
    "  --json                 numbers as JSON, for programs\n"
    "  --html FILE            a page for a browser, which needs no network; with --follow it is "
    "written\n"
    "                         again every second, and the browser shows the new one by itself\n"
    "  --out FOLDER           results, if they are on this machine: the page gets their "
    "histograms\n"
    "  --metrics FILE         numbers as Prometheus reads them; with --follow again every second\n";

#ifndef HEFT_HAVE_NATS

int heft_sweep_status(int argc, char** argv) {
  return queue_absent("sweep status", help, argc, argv);
}

#else

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "json_out.h"
#include "queue/offer.h"
#include "queue/overview.h"
#include "sweep_page.h"
#include "whole_file.h"

typedef struct StatusOptions {
  int follow, log, json;
  const char *html, *folder, *metrics;
  SweepInput results;  ///< of the folder, if one was given
} StatusOptions;

static void time_text(double seconds, char out[32]) {
  const time_t t = (time_t)seconds;
  struct tm parts;
  out[0] = '\0';
  if (gmtime_r(&t, &parts)) strftime(out, 32, "%Y-%m-%d %H:%M:%S", &parts);
}

// Workers that are not at their end.
static int is_shown(const Overview* o, const OverviewNote* n) {
  return strcmp(n->kind, "worker") == 0 &&
         (overview_alive(o, n) || strncmp(n->note.text, "has ended", 9) != 0);
}

static void doing_text(const Overview* o, const OverviewNote* n, char* out, size_t size) {
  if (!overview_alive(o, n))
    snprintf(out, size, "%s; last heard %.0f s ago",
             strcmp(n->note.text, "was stopped") == 0 ? "stopped" : "silent", o->now - n->time);
  else if (n->note.chunk >= 0)
    snprintf(out, size, "%s chunk %lld, delivery %d", n->note.text, (long long)n->note.chunk,
             n->note.delivery);
  else
    snprintf(out, size, "%s", n->note.text);
}

static void print_workers(const Overview* o) {
  int shown = 0;
  for (int i = 0; i < o->note_count && shown < 40; ++i) {
    const OverviewNote* n = &o->note[i];
    if (!is_shown(o, n)) continue;
    ++shown;
    char doing[600];
    doing_text(o, n, doing, sizeof doing);
    printf("    %-32s %6lld done  %s\n", n->note.worker, (long long)n->note.done, doing);
  }
}

static void print_notes(const Overview* o, int all) {
  for (int i = 0; i < o->note_count; ++i) {
    const OverviewNote* n = &o->note[i];
    if (strcmp(n->kind, "worker") == 0) continue;
    if (!all && strcmp(n->kind, "quarantine") != 0 && strcmp(n->kind, "strange") != 0) continue;
    char when[32];
    time_text(n->time, when);
    printf("    %s", when);
    printf("  chunk %lld, delivery %d, %s: %s (told by %s)\n", (long long)n->note.chunk,
           n->note.delivery, n->kind, n->note.text, n->note.worker);
  }
}

static void print_text(const Overview* o, const StatusOptions* s) {
  printf("sweep %s, Heft %s\n", o->id, o->job.version);
  if (o->wrong[0])
    printf("  damaged             %s; 'heft sweep collect' puts the job there again\n", o->wrong);
  if (o->strange > 0)
    printf("  strange             %lld messages in the queue are no notes of Heft\n",
           (long long)o->strange);
  printf(
      "  chunks              %lld: %lld done, %lld running, %lld waiting, %lld not yet in the "
      "queue, %lld in quarantine\n",
      (long long)o->job.chunks, (long long)o->done, (long long)o->running, (long long)o->waiting,
      (long long)(o->job.chunks - o->published), (long long)o->quarantined);
  if (o->repeated > 0)
    printf("  repeated            %lld chunks that got lost or were retried\n",
           (long long)o->repeated);
  char left[32];
  sweep_page_span(o->left, left);
  printf("  speed               %.4g chunks/s, time left: %s\n", o->rate, left);
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
  if (o->wrong[0]) json_put_text(j, "damaged", o->wrong);
  json_put_count(j, "strange", o->strange);
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

// ---- numbers for Prometheus, in its text format: all samples of a name follow each other

#define CHUNKS "heft_sweep_chunks"
static const char* const metrics[][2] = {
    {CHUNKS, ",state=\"done\""},        {CHUNKS, ",state=\"running\""},
    {CHUNKS, ",state=\"waiting\""},     {CHUNKS, ",state=\"unpublished\""},
    {CHUNKS, ",state=\"quarantined\""}, {"heft_sweep_repeated", ""},
    {"heft_sweep_workers", ""},         {"heft_sweep_chunks_per_second", ""},
    {"heft_sweep_result_bytes", ""}};
enum { METRICS = sizeof metrics / sizeof *metrics };

typedef struct Sample {
  char id[QUEUE_ID + 1];
  double number[METRICS];
} Sample;

static void sample_sweep(Sample* to, const Overview* o) {
  *to = (Sample){.number = {(double)o->done, (double)o->running, (double)o->waiting,
                            (double)(o->job.chunks - o->published), (double)o->quarantined,
                            (double)o->repeated, o->workers, o->rate, (double)o->result_bytes}};
  memcpy(to->id, o->id, sizeof to->id);
}

static int write_metrics(const char* path, const Sample* sample, int count) {
  WholeFile file = {0};
  FILE* out = whole_file_open(&file, path);
  for (int k = 0; out && k < METRICS; ++k) {
    if (k == 0 || strcmp(metrics[k][0], metrics[k - 1][0]) != 0)
      fprintf(out, "# TYPE %s gauge\n", metrics[k][0]);
    for (int i = 0; i < count; ++i)
      fprintf(out, "%s{sweep=\"%s\"%s} %.9g\n", metrics[k][0], sample[i].id, metrics[k][1],
              sample[i].number[k]);
  }
  if (out && whole_file_close(&file, 1)) return 1;
  fprintf(stderr, "heft sweep status: error: '%s' cannot be written\n", path);
  return 0;
}

// ---- the page

static void put_workers(SweepPage* p, const Overview* o) {
  sweep_page_heading(p, "Workers");
  sweep_page_table(p, (const char* const[]){"worker", "chunks done", "chunks/s", "does"}, 4);
  for (int i = 0; i < o->note_count; ++i) {
    const OverviewNote* n = &o->note[i];
    if (!is_shown(o, n)) continue;
    char done[32], rate[32], doing[600];
    snprintf(done, sizeof done, "%lld", (long long)n->note.done);
    snprintf(rate, sizeof rate, "%.3g",
             n->note.seconds > 0 ? (double)n->note.done / n->note.seconds : 0);
    doing_text(o, n, doing, sizeof doing);
    sweep_page_cells(p, (const char* const[]){n->note.worker, done, rate, doing}, 4);
  }
  sweep_page_table_end(p);
}

// The last things that went wrong, the latest first.
static void put_notes(SweepPage* p, const Overview* o) {
  enum { SHOWN_MAX = 200 };
  int shown = 0;
  for (int i = o->note_count - 1; i >= 0 && shown < SHOWN_MAX; --i) {
    const OverviewNote* n = &o->note[i];
    if (strcmp(n->kind, "worker") == 0) continue;
    if (shown++ == 0) {
      sweep_page_heading(p, "What went wrong");
      sweep_page_table(p, (const char* const[]){"time (UTC)", "chunk", "what", "told by"}, 4);
    }
    char when[32], chunk[64], what[600];
    time_text(n->time, when);
    snprintf(chunk, sizeof chunk, "%lld, delivery %d", (long long)n->note.chunk, n->note.delivery);
    snprintf(what, sizeof what, "%s: %s", n->kind, n->note.text);
    sweep_page_cells(p, (const char* const[]){when, chunk, what, n->note.worker}, 4);
  }
  if (shown > 0) sweep_page_table_end(p);
}

static int put_sweep(SweepPage* p, const Overview* o, const StatusOptions* s) {
  char text[64];
  snprintf(text, sizeof text, "Sweep %s", o->id);
  sweep_page_heading(p, text);
  sweep_page_bar(p, o->job.chunks, o->done, o->running, o->quarantined);
  sweep_page_table(p, NULL, 2);
  sweep_page_row(p, "waiting", "%lld chunks, and %lld not yet in the queue", (long long)o->waiting,
                 (long long)(o->job.chunks - o->published));
  sweep_page_row(p, "repeated", "%lld chunks that got lost or were retried",
                 (long long)o->repeated);
  sweep_page_row(p, "workers", "%d", o->workers);
  if (o->wrong[0]) sweep_page_row(p, "damaged", "%s", o->wrong);
  if (o->strange > 0)
    sweep_page_row(p, "strange", "%lld messages are no notes of Heft", (long long)o->strange);
  sweep_page_row(p, "speed", "%.4g chunks/s", o->rate);
  sweep_page_span(o->left, text);
  sweep_page_row(p, "time left", "%s", text);
  if (!o->job.shared)
    sweep_page_row(p, "results to collect", "%llu bytes", (unsigned long long)o->result_bytes);
  sweep_page_row(p, "folder of results", "%s, on the machine that serves", o->job.folder);
  sweep_page_row(p, "plan", "%s", o->job.plan);
  sweep_page_row(p, "model", "%s", o->job.model);
  sweep_page_table_end(p);
  put_workers(p, o);
  put_notes(p, o);
  if (!s->folder || strcmp(s->results.plan->sha256, o->job.plan) != 0 ||
      strcmp(s->results.sweep->model_sha256, o->job.model) != 0)
    return 1;
  return sweep_page_results(p, &s->results, s->folder);
}

// When the queue is empty, the results are the last thing to show.
static void put_end(SweepPage* p, const StatusOptions* s) {
  sweep_page_text(p, "No sweep is in the queue.");
  if (s->folder) sweep_page_results(p, &s->results, s->folder);
}

// Returns the number of sweeps, -1: an error (reported).
static int show_all(Bus* bus, const char* only, const StatusOptions* s) {
  enum { SWEEPS_MAX = 256 };
  static char id[SWEEPS_MAX][QUEUE_ID + 1];
  static Sample sample[SWEEPS_MAX];
  const int count = offer_list(bus, id, SWEEPS_MAX);
  int shown = 0, well = 1;
  Json j = {0};
  SweepPage* page = NULL;
  if (s->html) {
    page = sweep_page_open("sweep status", s->html, s->follow && count > 0 ? 1 : 0);
    if (!page) return -1;
  }
  if (s->json) {
    j = json_begin("sweep status");
    json_open_list(&j, "sweeps");
  }
  if (s->follow && !page && !s->metrics && isatty(STDOUT_FILENO)) printf("\033[H\033[2J");
  for (int i = 0; i < count; ++i) {
    Overview o;
    HeftError error = {0};
    if (only && strncmp(only, id[i], strlen(only)) != 0) continue;
    const HeftStatus status = overview_read(&o, bus, id[i], &error);
    if (status == HEFT_ERR_NAME) continue;
    if (status != HEFT_OK) {
      fprintf(stderr, "heft sweep status: error: %s\n", error.message);
      if (page) sweep_page_close(page);
      return -1;
    }
    if (s->metrics)
      sample_sweep(&sample[shown], &o);
    else if (page)
      well &= put_sweep(page, &o, s);
    else if (s->json)
      print_json(&j, &o);
    else
      print_text(&o, s);
    ++shown;
    overview_release(&o);
  }
  if (s->json) {
    json_close_list(&j);
    json_end(&j);
  }
  if (s->metrics) well &= write_metrics(s->metrics, sample, shown);
  if (page && shown == 0) put_end(page, s);
  if (page) well &= sweep_page_close(page);
  fflush(stdout);
  return well ? shown : -1;
}

int heft_sweep_status(int argc, char** argv) {
  static Bus bus;
  QueueOptions q = {0};
  static StatusOptions s;
  const char* only = NULL;
  HeftError error = {0};
  const SweepOption options[] = {QUEUE_OPTIONS(q),
                                 {"--follow", NULL, &s.follow},
                                 {"--log", NULL, &s.log},
                                 {"--json", NULL, &s.json},
                                 {"--html", &s.html, NULL},
                                 {"--out", &s.folder, NULL},
                                 {"--metrics", &s.metrics, NULL}};
  const int found =
      sweep_arguments("status", help, options, QUEUE_OPTIONS_COUNT + 6, argc, argv, &only, 1);
  if (found < 0) return found == -2 ? 0 : 2;
  if (!queue_options_check(&q, "sweep status")) return 2;
  if ((s.html != NULL) + s.json + (s.metrics != NULL) > 1 || (s.folder && !s.html)) {
    fprintf(stderr, s.folder && !s.html
                        ? "heft sweep status: error: --out is for --html FILE\n"
                        : "heft sweep status: error: choose --html, --json or --metrics\n");
    return 2;
  }
  if (s.folder && !sweep_input_open_results(&s.results, s.folder)) return 1;
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
  if (s.follow && s.html && count > 0) {  // Ctrl-C: the last page does not load again
    s.follow = 0;
    count = show_all(&bus, only, &s);
  }
  if ((s.html || s.metrics) && count >= 0)
    printf("%s\n", s.html ? s.html : s.metrics);
  else if (count == 0 && !s.json)
    printf("no sweep%s%s in the queue\n", only ? " " : "", only ? only : "");
  bus_close(&bus);
  sweep_input_close(&s.results);
  return count < 0;
}

#endif
