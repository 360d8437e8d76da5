// SPDX-License-Identifier: Apache-2.0
// heft work: processes that compute chunks of sweeps from a queue. Each core has a process of its
// own, so that a crash costs one chunk; this one starts them and starts them again. It has no
// thread and no connection, so that it may fork at any time.
#define _GNU_SOURCE
#include <stdio.h>

#include "queue_options.h"
#include "verbs.h"

static const char help[] =
    "usage: heft work [OPTIONS]\n"
    "Takes chunks of sweeps from a queue, computes and stores them, until there are none. Start "
    "it on\n"
    "as many machines as you like; each may be killed at any time.\n"
    "docs/manual/sweep.md describes servers, security and failures.\n"
    "\n" QUEUE_OPTIONS_HELP
    "  --out FOLDER           folder of results, if all machines share it; its path here\n"
    "  --workers N            processes (default: all processors)\n"
    "  --sweep ID             work for this sweep only\n"
    "  --idle SECONDS         end after so long without a chunk (default 10)\n"
    "  --stay                 never end\n"
    "  --trust                run plug-ins and Python policies of plans\n"
    "  --patience SECONDS     wait so long for the first connection (default 60)\n"
    "  --name NAME            name of this machine (default: that of the host)\n"
    "  --quiet                errors only\n";

#ifndef HEFT_HAVE_NATS

int heft_verb_work(int argc, char** argv) { return queue_absent("work", help, argc, argv); }

#else

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "queue/labour.h"

enum { PROCESSES_MAX = 1024, RESTARTS_MAX = 20 };

typedef struct Crew {
  LabourDef def;
  LabourSlot* slot;
  pid_t pid[PROCESSES_MAX];
  int restarts[PROCESSES_MAX];  ///< one after the other, without a chunk in between
  int64_t done[PROCESSES_MAX];
  char host[64];
  int count, code;
} Crew;

// Part of a subject of NATS: no dots, blanks and wildcards.
static void clean_name(const char* from, char* out, size_t size) {
  snprintf(out, size, "%s", from);
  for (char* at = out; *at; ++at)
    if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_", *at)) *at = '_';
}

static void start(Crew* c, int i) {
  const pid_t parent = getpid();
  fflush(NULL);
  c->pid[i] = fork();
  if (c->pid[i] < 0) perror("heft work: error: no process can be started");
  if (c->pid[i] != 0) return;
  char name[128];
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  snprintf(name, sizeof name, "%s-%d-%d", c->host, (int)parent, i);
  c->def.name = c->def.bus.name = name;
  const int code = labour_run(&c->def, &c->slot[i]);
  fflush(NULL);
  _exit(code);
}

// A process that was killed leaves its chunk to its successor.
static int replace(Crew* c, int i, int number) {
  LabourSlot* s = &c->slot[i];
  snprintf(s->note, sizeof s->note, "its worker %s-%d-%d was killed by signal %d (%s)", c->host,
           (int)getpid(), i, number, strsignal(number));
  fprintf(stderr, "%s-%d-%d: killed by signal %d (%s)", c->host, (int)getpid(), i, number,
          strsignal(number));
  fprintf(stderr, s->reply[0] ? " in chunk %lld\n" : "\n", (long long)s->chunk);
  c->restarts[i] = s->reply[0] || s->done > c->done[i] ? 0 : c->restarts[i] + 1;
  c->done[i] = s->done;
  if (c->restarts[i] > RESTARTS_MAX) {
    fprintf(stderr, "heft work: error: process %d dies at once again and again; it stays away\n",
            i);
    return 0;
  }
  nanosleep(&(struct timespec){0, 200000000}, NULL);
  start(c, i);
  return 1;
}

static void forward_stop(const Crew* c) {
  for (int i = 0; i < c->count; ++i)
    if (c->pid[i] > 0) kill(c->pid[i], SIGTERM);
}

static int supervise(Crew* c) {
  int running = c->count, forwarded = 0;
  while (running > 0) {
    int status = 0;
    if (queue_stopped && !forwarded) {
      forward_stop(c);
      forwarded = 1;
    }
    const pid_t pid = waitpid(-1, &status, WNOHANG);
    if (pid <= 0) {
      nanosleep(&(struct timespec){0, 50000000}, NULL);
      continue;
    }
    int i = 0;
    while (i < c->count && c->pid[i] != pid) ++i;
    if (i == c->count) continue;
    c->pid[i] = 0;
    if (WIFSIGNALED(status) && !queue_stopped && replace(c, i, WTERMSIG(status))) continue;
    --running;
    if (WIFEXITED(status) && WEXITSTATUS(status) > 0) c->code = WEXITSTATUS(status);
    if (WIFSIGNALED(status) && !queue_stopped) c->code = 1;
  }
  return c->code;
}

static int run(Crew* c) {
  int64_t done = 0;
  const size_t size = (size_t)c->count * sizeof *c->slot;
  c->slot = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (c->slot == MAP_FAILED) {
    fprintf(stderr, "heft work: error: no memory for %d processes\n", c->count);
    return 1;
  }
  queue_catch_signals();
  for (int i = 0; i < c->count; ++i) start(c, i);
  const int code = supervise(c);
  for (int i = 0; i < c->count; ++i) done += c->slot[i].done;
  if (!c->def.quiet) printf("%s: %lld chunks done\n", c->host, (long long)done);
  munmap(c->slot, size);
  return code;
}

int heft_verb_work(int argc, char** argv) {
  static Crew crew;
  QueueOptions q = {0};
  LabourDef* d = &crew.def;
  const char *workers = NULL, *idle = NULL, *patience = NULL, *name = NULL, *other = NULL;
  int stay = 0;
  double count;
  const SweepOption options[] = {QUEUE_OPTIONS(q),
                                 {"--out", &d->folder, NULL},
                                 {"--workers", &workers, NULL},
                                 {"--sweep", &d->only, NULL},
                                 {"--idle", &idle, NULL},
                                 {"--stay", NULL, &stay},
                                 {"--trust", NULL, &d->trust},
                                 {"--patience", &patience, NULL},
                                 {"--name", &name, NULL},
                                 {"--quiet", NULL, &d->quiet}};
  const int found =
      verb_arguments("work", help, options, QUEUE_OPTIONS_COUNT + 9, argc, argv, &other, 0);
  if (found < 0) return found == -2 ? 0 : 2;
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  if (!queue_options_check(&q, "work") ||
      !queue_options_number("work", "--workers", workers, processors > 0 ? (double)processors : 1,
                            1, PROCESSES_MAX, &count) ||
      !queue_options_number("work", "--idle", idle, 10, 0, 1e9, &d->idle) ||
      !queue_options_number("work", "--patience", patience, 60, 0, 1e9, &d->bus.patience))
    return 2;
  char host[64] = "";
  gethostname(host, sizeof host - 1);
  clean_name(name ? name : host, crew.host, sizeof crew.host);
  if (stay) d->idle = -1;
  crew.count = (int)count;
  d->bus = (BusDef){q.urls, q.credentials,   q.authority, q.certificate, q.key,
                    "",     d->bus.patience, d->quiet,    &queue_stopped};
  return run(&crew);
}

#endif
