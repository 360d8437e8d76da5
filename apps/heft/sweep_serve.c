// SPDX-License-Identifier: Apache-2.0
// heft sweep serve and collect: a plan goes into a queue, and results come back.
#include <stdio.h>

#include "queue_options.h"

static const char serve_help[] =
    "usage: heft sweep serve [OPTIONS] PLAN.toml\n"
    "Puts the chunks of a plan into a queue, for 'heft work' on any number of machines, and waits "
    "until\n"
    "all results are there. Stopped or killed, the same command goes on.\n"
    "docs/manual/sweep.md describes servers, security and failures.\n"
    "\n" QUEUE_OPTIONS_HELP
    "  --out FOLDER           results (default: the name of the plan with .results)\n"
    "  --shared               workers store results in this folder themselves: all machines share "
    "it\n"
    "                         (default: they send them through the queue)\n"
    "  --ack-wait SECONDS     a worker that is silent for so long is lost (default 30)\n"
    "  --deliveries N         workers that a chunk may cost before its quarantine (default 5)\n"
    "  --replicas N           servers that keep each message (default 3, or 1 of one server)\n"
    "  --retry                put the chunks of the quarantine into the queue again\n"
    "  --detach               do not wait; 'heft sweep collect' does it later\n"
    "  --keep                 leave the sweep in the queue when it is complete\n"
    "  --quiet                no progress\n";

static const char collect_help[] =
    "usage: heft sweep collect [OPTIONS] FOLDER\n"
    "Waits for the results of a sweep that 'heft sweep serve --detach' put into a queue, and "
    "stores them\n"
    "in its folder of results. Chunks that got lost go into the queue again.\n"
    "\n" QUEUE_OPTIONS_HELP
    "  --retry                put the chunks of the quarantine into the queue again\n"
    "  --keep                 leave the sweep in the queue when it is complete\n"
    "  --quiet                no progress\n";

#ifndef HEFT_HAVE_NATS

int heft_sweep_serve(int argc, char** argv) {
  return queue_absent("sweep serve", serve_help, argc, argv);
}

int heft_sweep_collect(int argc, char** argv) {
  return queue_absent("sweep collect", collect_help, argc, argv);
}

#else

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "queue/gather.h"
#include "queue/offer.h"
#include "queue/overview.h"
#include "sweep/results.h"
#include "sweep_input.h"

typedef struct Serve {
  const char* part;  ///< "serve" or "collect"
  QueueOptions queue;
  OfferDef def;
  const char *folder, *plan;
  int retry, detach, keep, quiet;
  SweepInput in;
  Bus bus;
  Offer offer;
  Gather gather;
  int64_t told;  ///< strange messages reported to the queue
  uint64_t began, shown;
  int64_t first;            ///< chunks that were done at the beginning
  uint64_t settled, pause;  ///< last comparison of the folder with the plan, time until the next
  uint64_t empty;           ///< since when the queue is empty; 0: it is not
  int64_t missing;          ///< chunks at the last comparison
  uint64_t progress;        ///< when their number changed last
  double patience;          ///< from then on, until the queue counts as stuck [s]
} Serve;

static int report(const Serve* s, const HeftError* error) {
  fprintf(stderr, "heft sweep %s: error: %s%s%s\n", s->part, error->file,
          error->file[0] ? ": " : "", error->message);
  return 1;
}

// ---- progress

static void show(Serve* s, int64_t done) {
  const int terminal = isatty(STDERR_FILENO);
  const uint64_t now = heft_clock_ns();
  if (s->quiet || now - s->shown < (terminal ? 500000000u : 10000000000u)) return;
  s->shown = now;
  if (s->first < 0) s->first = done;
  const double seconds = 1e-9 * (double)(now - s->began);
  const double rate = (double)(done - s->first) / seconds;
  char left[64] = "";
  if (rate > 0)
    snprintf(left, sizeof left, ", %.0f s left", (double)(s->offer.job.chunks - done) / rate);
  fprintf(stderr, "%s%3.0f %%  %lld of %lld chunks, %.4g chunks/s%s%s", terminal ? "\r" : "",
          100 * (double)done / (double)s->offer.job.chunks, (long long)done,
          (long long)s->offer.job.chunks, rate, left, terminal ? "    " : "\n");
  fflush(stderr);
}

// ---- waiting

// Chunks that workers compute now, as they report.
static HeftStatus count_busy(Serve* s, int* busy, HeftError* error) {
  Overview o;
  const HeftStatus status = overview_read(&o, &s->bus, s->offer.id, error);
  *busy = 0;
  if (status != HEFT_OK) return status;
  for (int i = 0; i < o.note_count; ++i)
    *busy += overview_alive(&o, &o.note[i]) && o.note[i].note.chunk >= 0;
  overview_release(&o);
  return HEFT_OK;
}

// Begins again with an empty queue and the results that are stored.
static HeftStatus renew(Serve* s, HeftError* error) {
  HeftStatus status = offer_remove(&s->offer, error);
  offer_close(&s->offer);
  if (status == HEFT_OK)
    status = offer_open(&s->offer, &s->bus, s->in.sweep, s->folder, &s->def, error);
  if (s->gather.open) gather_close(&s->gather);
  if (status == HEFT_OK && !s->offer.job.shared)
    status = gather_open(&s->gather, &s->bus, s->in.sweep, s->folder, s->offer.id, error);
  s->empty = 0;
  return status;
}

// The queue is empty, and was for a while: a shared folder shows new files a little later.
static int is_empty(Serve* s, int64_t held) {
  const uint64_t now = heft_clock_ns();
  if (held > 0) s->empty = 0;
  if (held == 0 && s->empty == 0) s->empty = now;
  return s->empty > 0 && now - s->empty > 3000000000u;
}

// For long there was no result, chunks are out, and no worker reports that it computes one. Streams
// of servers that lost their leader or their power may refuse messages for ever.
static HeftStatus is_stuck(Serve* s, int64_t missing, int64_t running, int* stuck,
                           HeftError* error) {
  const uint64_t now = heft_clock_ns();
  int busy = 0;
  *stuck = 0;
  if (missing != s->missing) {
    s->missing = missing;
    s->progress = now;
    s->patience = fmax(10, 5 * s->offer.job.ack_wait);
  }
  if (running == 0 || 1e-9 * (double)(now - s->progress) < s->patience) return HEFT_OK;
  const HeftStatus status = count_busy(s, &busy, error);
  *stuck = status == HEFT_OK && busy == 0;
  s->progress = now;
  s->patience = fmin(600, 2 * s->patience);
  return status;
}

// Puts what got lost into the queue again.
static HeftStatus mend(Serve* s, int64_t missing, int64_t away, HeftError* error) {
  int64_t waiting = 0, running = 0;
  int stuck = 0;
  HeftStatus status = bus_pending(&s->bus, s->offer.chunks, &waiting, &running, error);
  if (status == HEFT_OK) status = is_stuck(s, missing, running, &stuck, error);
  if (status != HEFT_OK) return status;
  if (stuck) {
    if (!s->quiet) fprintf(stderr, "the queue does not get on; it is filled anew\n");
    return renew(s, error);
  }
  if (!is_empty(s, waiting + running)) return HEFT_OK;
  if (!s->quiet)
    fprintf(stderr, "%lld chunks are neither in the queue nor stored; they are computed again\n",
            (long long)(missing - away));
  s->empty = 0;
  return offer_missing(&s->offer, 1, &missing, &away, error);
}

// Compares the folder with the plan.
static HeftStatus settle(Serve* s, int* complete, int64_t* away, HeftError* error) {
  int64_t missing = 0;
  const uint64_t began = heft_clock_ns();
  const HeftStatus status = offer_missing(&s->offer, 0, &missing, away, error);
  s->settled = heft_clock_ns();
  s->pause = 20 * (s->settled - began) + 300000000u;
  *complete = status == HEFT_OK && missing == *away;
  if (status != HEFT_OK || *complete) return status;
  show(s, s->offer.job.chunks - missing);
  return s->offer.next < s->offer.job.chunks ? HEFT_OK : mend(s, missing, *away, error);
}

// Results that come through the queue. Two different ones for a chunk do not end the sweep: the
// chunk goes to quarantine.
static HeftStatus collect(Serve* s, int* taken, HeftError* error) {
  HeftStatus status = gather_step(&s->gather, 1000, taken, error);
  if (status == HEFT_OK && s->gather.wrong > s->told) {
    s->told = s->gather.wrong;
    status = offer_tell_strange(&s->offer, s->told, s->gather.strange, error);
  }
  if (status != HEFT_ERR_VALUE) return status;
  const int64_t chunk = s->gather.disputed;
  fprintf(stderr, "heft sweep %s: chunk %lld: %s\n", s->part, (long long)chunk, error->message);
  status = offer_quarantine(&s->offer, chunk, error->message, error);
  if (status == HEFT_OK) status = gather_forget(&s->gather, chunk, error);
  return status;
}

static HeftStatus wait_for_results(Serve* s, int64_t* away, HeftError* error) {
  HeftStatus status = HEFT_OK;
  int complete = 0;
  while (status == HEFT_OK && !complete && !queue_stopped) {
    int taken = 0;
    status = offer_publish(&s->offer, 2000, error);
    if (status == HEFT_OK && !s->offer.job.shared) status = collect(s, &taken, error);
    if (status == HEFT_OK && heft_clock_ns() - s->settled > s->pause)
      status = settle(s, &complete, away, error);
    if (status == HEFT_ERR_NAME) status = renew(s, error);  // the queue lost all
    if (!complete && taken == 0 && s->offer.next >= s->offer.job.chunks) bus_wait(&s->bus, 0.1);
  }
  if (isatty(STDERR_FILENO) && !s->quiet) fprintf(stderr, "\r%100s\r", "");
  return queue_stopped ? HEFT_ERR_STOPPED : status;
}

static HeftStatus start(Serve* s, HeftError* error) {
  const BusDef bus = {s->queue.urls,
                      s->queue.credentials,
                      s->queue.authority,
                      s->queue.certificate,
                      s->queue.key,
                      "heft sweep serve",
                      20,
                      s->quiet,
                      &queue_stopped};
  int64_t again = 0;
  HeftStatus status = results_open(s->folder, s->in.sweep, error);
  if (status == HEFT_OK && sweep_remove_damaged(s->in.sweep, s->folder) < 0)
    status = HEFT_ERR_FILE;  // which the error of the chunk has reported
  if (status == HEFT_OK) status = bus_open(&s->bus, &bus, error);
  if (status == HEFT_OK)
    status = offer_open(&s->offer, &s->bus, s->in.sweep, s->folder, &s->def, error);
  if (status == HEFT_OK && s->retry) {
    status = offer_retry(&s->offer, &again, error);
    if (status == HEFT_OK)
      printf("  retried             %lld chunks of the quarantine\n", (long long)again);
  }
  if (status == HEFT_OK && !s->offer.job.shared)
    status = gather_open(&s->gather, &s->bus, s->in.sweep, s->folder, s->offer.id, error);
  return status;
}

// Prints the content of the quarantine, and what to do.
static void print_quarantine(Serve* s, int64_t away) {
  Overview o;
  HeftError error = {0};
  printf("  quarantine          %lld chunks have no results:\n", (long long)away);
  if (overview_read(&o, &s->bus, s->offer.id, &error) == HEFT_OK) {
    int shown = 0;
    for (int i = 0; i < o.note_count && shown < 10; ++i) {
      if (strcmp(o.note[i].kind, "quarantine") != 0) continue;
      const int64_t chunk = o.note[i].note.chunk;
      ++shown;
      printf(
          "    chunk %lld, runs %lld to %lld: %s\n", (long long)chunk,
          (long long)plan_chunk_first(s->in.plan, chunk),
          (long long)plan_chunk_first(s->in.plan, chunk) + plan_chunk_runs(s->in.plan, chunk) - 1,
          o.note[i].note.text);
    }
    overview_release(&o);
  }
  printf(
      "  'heft sweep status --log' tells what happened to them, 'heft sweep replay' repeats a "
      "run,\n"
      "  and 'heft sweep serve --retry' puts them into the queue again.\n");
}

static int finish(Serve* s, int64_t away) {
  HeftError error = {0};
  printf("%s\n  complete            %lld of %lld chunks in %.2f s\n", s->folder,
         (long long)(s->offer.job.chunks - away), (long long)s->offer.job.chunks,
         1e-9 * (double)(heft_clock_ns() - s->began));
  if (s->offer.again > 0)
    printf("  repeated            %lld chunks that got lost or were retried\n",
           (long long)s->offer.again);
  if (s->gather.wrong > 0)
    printf("  dropped             %lld messages that were no results of this sweep\n",
           (long long)s->gather.wrong);
  if (away > 0) {
    print_quarantine(s, away);
    return 1;
  }
  if (!sweep_finish(&s->in, s->folder, s->quiet)) return 1;
  if (!s->keep && offer_remove(&s->offer, &error) != HEFT_OK) return report(s, &error);
  return 0;
}

static int run(Serve* s) {
  HeftError error = {0};
  int64_t away = 0;
  queue_catch_signals();
  s->began = heft_clock_ns();
  s->first = -1;
  HeftStatus status = start(s, &error);
  char urls[200];
  bus_hide(s->queue.urls, urls, sizeof urls);
  if (status == HEFT_OK && !s->quiet)
    fprintf(stderr, "sweep %s: %lld chunks; workers: heft work --nats %s%s%s\n", s->offer.id,
            (long long)s->offer.job.chunks, urls, s->offer.job.shared ? " --out " : "",
            s->offer.job.shared ? s->folder : "");
  int code = 0;
  if (status == HEFT_OK && s->detach) {
    while (status == HEFT_OK && s->offer.next < s->offer.job.chunks && !queue_stopped)
      status = offer_publish(&s->offer, 2000, &error);
    printf("%s\n  in the queue        %lld chunks; 'heft sweep collect %s' waits for results\n",
           s->folder, (long long)s->offer.next, s->folder);
  } else if (status == HEFT_OK) {
    status = wait_for_results(s, &away, &error);
    if (status == HEFT_OK) code = finish(s, away);
  }
  if (queue_stopped) {
    printf("  stopped             the chunks stay in the queue; the same command goes on\n");
    code = 130;
  } else if (status != HEFT_OK) {
    code = report(s, &error);
  }
  if (s->gather.open) gather_close(&s->gather);
  offer_close(&s->offer);
  bus_close(&s->bus);
  return code;
}

// Options of both parts. Returns the number of other arguments, or less than 0.
static int read_options(Serve* s, const char* help, int argc, char** argv, const char** other) {
  const char *ack_wait = NULL, *deliveries = NULL, *replicas = NULL;
  double n_deliveries, n_replicas;
  const SweepOption options[] = {QUEUE_OPTIONS(s->queue),
                                 {"--retry", NULL, &s->retry},
                                 {"--keep", NULL, &s->keep},
                                 {"--quiet", NULL, &s->quiet},
                                 {"--shared", NULL, &s->def.shared},
                                 {"--ack-wait", &ack_wait, NULL},
                                 {"--deliveries", &deliveries, NULL},
                                 {"--replicas", &replicas, NULL},
                                 {"--detach", NULL, &s->detach},
                                 {"--out", &s->folder, NULL}};
  const int serves = strcmp(s->part, "serve") == 0;
  char verb[32];
  snprintf(verb, sizeof verb, "sweep %s", s->part);
  const int found = sweep_arguments(s->part, help, options, QUEUE_OPTIONS_COUNT + (serves ? 9 : 3),
                                    argc, argv, other, 1);
  if (found < 0) return found;
  if (!queue_options_check(&s->queue, verb) ||
      !queue_options_number(verb, "--ack-wait", ack_wait, 30, 0.5, 86400, &s->def.ack_wait) ||
      !queue_options_number(verb, "--deliveries", deliveries, 5, 1, 1000, &n_deliveries) ||
      !queue_options_number(verb, "--replicas", replicas, 0, 1, 5, &n_replicas))
    return -1;
  s->def.deliveries = (int)n_deliveries;
  s->def.replicas = (int)n_replicas;
  return found;
}

int heft_sweep_serve(int argc, char** argv) {
  static Serve s;
  char folder[1024];
  s.part = "serve";
  const int found = read_options(&s, serve_help, argc, argv, &s.plan);
  if (found < 0) return found == -2 ? 0 : 2;
  if (found == 0) {
    fprintf(stderr,
            "heft sweep serve: error: the plan is missing; try 'heft sweep serve --help'\n");
    return 2;
  }
  if (strlen(s.plan) > sizeof folder - 20) {
    fprintf(stderr, "heft sweep serve: error: the path of the plan is too long\n");
    return 2;
  }
  if (!s.folder) {
    sweep_default_folder(s.plan, folder, sizeof folder);
    s.folder = folder;
  }
  const int opened = sweep_input_open(&s.in, s.plan);
  const int code = opened ? run(&s) : 1;
  sweep_input_close(&s.in);
  return code;
}

int heft_sweep_collect(int argc, char** argv) {
  static Serve s;
  s.part = "collect";
  const int found = read_options(&s, collect_help, argc, argv, &s.folder);
  if (found < 0) return found == -2 ? 0 : 2;
  if (found == 0) {
    fprintf(stderr, "heft sweep collect: error: the folder of results is missing\n");
    return 2;
  }
  const int opened = sweep_input_open_results(&s.in, s.folder);
  const int code = opened ? run(&s) : 1;
  sweep_input_close(&s.in);
  return code;
}

#endif
