// SPDX-License-Identifier: Apache-2.0
// Many watchers beside a humanoid at 1 kHz: the times of its steps with and without them, in turns
// of the same run, so that other load of the machine meets both. A child process is all watchers;
// every tenth of them does not read at all. The humanoid falls again every two seconds, so that
// each turn has the same steps.
// usage: serve_load [WATCHERS [SECONDS of each kind [MODEL.xml]]]
// The exit code is 1 if p99 of the CPU time of a step grows by more than 20 %, the memory of the
// server grows, or a reading watcher does not get its pictures.
#include <heft/io.h>
#include <math.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include "serve/serve.h"

#include "serve/client.h"

enum { TURN = 6, FALL = 2000, SAMPLES = 400000, SLOW = 10, WATCHERS_MAX = 4000 };

// ---- the watchers

typedef struct Watched {
  long bytes, pictures, reading;
} Watched;

static Client one;
static int watchers[WATCHERS_MAX];

// Reads and forgets; pictures are counted by the reads, since each arrives alone for those who keep
// up.
static void watch(int count, int orders, int answers, int port) {
  Watched w = {0};
  for (int i = 0; i < count; ++i) {
    client_receive_room = i % SLOW == 0 ? 4096 : 0;
    if (!client_open(&one, port, NULL, NULL)) {
      fprintf(stderr, "watcher %d was refused\n", i);
      exit(1);
    }
    watchers[i] = one.fd;
    w.reading += i % SLOW != 0;
  }
  if (write(answers, &w, sizeof w) != (ssize_t)sizeof w) exit(1);
  static struct pollfd polls[WATCHERS_MAX + 1];
  for (int i = 0; i < count; ++i)
    polls[i] = (struct pollfd){i % SLOW ? watchers[i] : -1, POLLIN, 0};
  polls[count] = (struct pollfd){orders, POLLIN, 0};
  static char scratch[1 << 16];
  while (!(poll(polls, (nfds_t)count + 1, -1) > 0 && polls[count].revents)) {
    for (int i = 0; i < count; ++i) {
      if (!polls[i].revents) continue;
      const ssize_t n = recv(polls[i].fd, scratch, sizeof scratch, MSG_DONTWAIT);
      if (n <= 0) continue;
      w.bytes += n;
      ++w.pictures;
    }
  }
  for (int i = 0; i < count; ++i) close(watchers[i]);
  if (write(answers, &w, sizeof w) != (ssize_t)sizeof w) exit(1);
}

// An order is the number of watchers that connect; another order ends their watch.
static void watch_on_order(int orders, int answers, int port) {
  int count = 0;
  while (read(orders, &count, sizeof count) == (ssize_t)sizeof count) {
    watch(count, orders, answers, port);
    if (read(orders, &count, sizeof count) != (ssize_t)sizeof count) return;
  }
}

// ---- the world

typedef struct Times {
  double wall[SAMPLES], cpu[SAMPLES];  // of steps [µs]
  long count;
} Times;

typedef struct Measured {
  HeftWorld* world;
  double* rest;  // velocities of zero
  long steps;
  uint64_t wall_ns, cpu_ns;
  atomic_int kind;  // 0: alone, 1: with watchers, -1: between
  Times* times;     // of both kinds
} Measured;

static uint64_t thread_ns(void) {
  struct timespec t = {0, 0};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static bool before_step(void* user) {
  Measured* m = user;
  if (m->steps++ % FALL == 0) {  // the time goes on
    const HeftModel* model = heft_world_model(m->world);
    heft_world_set_q(m->world, 0, model->q_default, model->nq, NULL);
    heft_world_set_v(m->world, 0, m->rest, model->nv, NULL);
  }
  m->cpu_ns = thread_ns();
  m->wall_ns = heft_clock_ns();
  return true;
}

static void after_step(void* user, const HeftStepReport* report) {
  Measured* m = user;
  const double wall = (double)(heft_clock_ns() - m->wall_ns) * 1e-3;
  const double cpu = (double)(thread_ns() - m->cpu_ns) * 1e-3;
  const int kind = atomic_load(&m->kind);
  (void)report;
  if (kind < 0 || m->times[kind].count == SAMPLES) return;
  Times* t = &m->times[kind];
  t->wall[t->count] = wall;
  t->cpu[t->count++] = cpu;
}

// ---- numbers

static int compare(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static double quantile(double* values, long count, double share) {
  if (count == 0) return 0;
  qsort(values, (size_t)count, sizeof *values, compare);
  return values[(long)(share * (double)(count - 1))];
}

static long resident_kb(void) {
  long size = 0, resident = 0;
  FILE* f = fopen("/proc/self/statm", "r");
  if (f && fscanf(f, "%ld %ld", &size, &resident) != 2) resident = 0;
  if (f) fclose(f);
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

static void rest(double seconds) {
  const struct timespec t = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
  nanosleep(&t, NULL);
}

static void print_row(const char* name, double alone, double with) {
  printf("  %-22s %10.1f %10.1f %8.3f\n", name, alone, with, alone > 0 ? with / alone : 0);
}

static HeftWorld* open_world(const char* path, HeftModel** model) {
  HeftWorld* world = NULL;
  HeftWorldDef def = heft_world_def_default();
  HeftError error = {0};
  def.time_step = 0.001;
  if (heft_model_load_file(model, path, NULL, &error) != HEFT_OK ||
      heft_world_create(&world, *model, &def, &error) != HEFT_OK) {
    fprintf(stderr, "%s: %s\n", path, error.message);
    exit(1);
  }
  return world;
}

typedef struct Load {
  int count, orders, answers;
  double seconds;
  long kb_first, kb_last, refused;
  double pictures, pictures_due, bytes;
} Load;

static void order(const Load* l, int count) {
  if (write(l->orders, &count, sizeof count) != (ssize_t)sizeof count) exit(1);
}

static Watched answer(const Load* l) {
  Watched w = {0};
  if (read(l->answers, &w, sizeof w) != (ssize_t)sizeof w) exit(1);
  return w;
}

static void take_turns(Load* l, Measured* m, const HeftServer* server) {
  const int turns = (int)(l->seconds / TURN + 0.5);
  for (int turn = 0; turn < turns; ++turn) {
    atomic_store(&m->kind, 0);
    rest(TURN);
    atomic_store(&m->kind, -1);
    order(l, l->count);
    const Watched begun = answer(l);
    const uint64_t since = heft_clock_ns();
    atomic_store(&m->kind, 1);
    rest(TURN);
    atomic_store(&m->kind, -1);
    l->kb_last = resident_kb();
    if (turn == 0) l->kb_first = l->kb_last;
    l->pictures_due += (double)begun.reading * 30 * (double)(heft_clock_ns() - since) * 1e-9;
    order(l, 0);
    const Watched ended = answer(l);
    l->pictures += (double)ended.pictures;
    l->bytes += (double)ended.bytes;
    while (heft_server_report(server).clients > 0) rest(0.01);
  }
}

static int print_result(const Load* l, Measured* m, const HeftServer* server) {
  Times *a = &m->times[0], *b = &m->times[1];
  const HeftServeReport r = heft_server_report(server);
  const double cpu[2] = {quantile(a->cpu, a->count, 0.99), quantile(b->cpu, b->count, 0.99)};
  printf("%d watchers, every tenth does not read; turns of %d s, %ld and %ld steps\n", l->count,
         TURN, a->count, b->count);
  printf("  %-22s %10s %10s %8s\n", "time of a step [µs]", "alone", "watched", "ratio");
  print_row("wall, median", quantile(a->wall, a->count, 0.5), quantile(b->wall, b->count, 0.5));
  print_row("wall, p99", quantile(a->wall, a->count, 0.99), quantile(b->wall, b->count, 0.99));
  print_row("CPU, median", quantile(a->cpu, a->count, 0.5), quantile(b->cpu, b->count, 0.5));
  print_row("CPU, p99", cpu[0], cpu[1]);
  printf(
      "  pictures %.1f %% of those due, %.1f kB/s per reading watcher, %ld left out for slow "
      "ones\n",
      100 * l->pictures / l->pictures_due, l->bytes / (l->pictures_due / 30) * 1e-3, r.skipped);
  printf("  steps %.1f %% of real time, schedule moved %ld times\n",
         100 * (double)(a->count + b->count) / (2 * 1000 * TURN * floor(l->seconds / TURN + 0.5)),
         r.late);
  printf("  memory of the server with watchers: %ld kB in the first turn, %ld kB in the last\n",
         l->kb_first, l->kb_last);
  return cpu[1] <= 1.2 * cpu[0] && l->kb_last <= l->kb_first + l->kb_first / 10 &&
         l->pictures > 0.5 * l->pictures_due;
}

int main(int argc, char** argv) {
  const char* path = argc > 3 ? argv[3] : HEFT_SOURCE_DIR "/scenes/humanoid.xml";
  Load load = {.count = argc > 1 ? atoi(argv[1]) : 200, .seconds = argc > 2 ? atof(argv[2]) : 60};
  HeftModel* model = NULL;
  HeftServer* server = NULL;
  HeftError error = {0};
  static Measured measured = {.kind = -1};
  if (load.count < 1 || load.count > WATCHERS_MAX) return 2;
  measured.world = open_world(path, &model);
  measured.rest = calloc((size_t)model->nv, sizeof *measured.rest);
  measured.times = calloc(2, sizeof *measured.times);
  memset(measured.times, 1, 2 * sizeof *measured.times);  // so that it does not grow later
  measured.times[0].count = measured.times[1].count = 0;
  HeftServeDef def = heft_serve_def_default();
  def.client_max = load.count;
  def.hooks =
      (HeftServeHooks){.user = &measured, .before_step = before_step, .after_step = after_step};
  if (heft_server_create(&server, measured.world, &def, &error) != HEFT_OK) {
    fprintf(stderr, "%s\n", error.message);
    return 1;
  }
  int orders[2], answers[2];
  if (pipe(orders) != 0 || pipe(answers) != 0) return 1;
  const pid_t child = fork();  // before there are threads
  if (child == 0) {
    close(orders[1]);
    watch_on_order(orders[0], answers[1], heft_server_port(server));
    _exit(0);
  }
  load.orders = orders[1];
  load.answers = answers[0];
  if (heft_server_start(server, &error) != HEFT_OK) return 1;
  take_turns(&load, &measured, server);
  const int good = print_result(&load, &measured, server);
  close(orders[1]);
  waitpid(child, NULL, 0);
  heft_server_destroy(server);
  heft_world_destroy(measured.world);
  heft_model_destroy(model);
  free(measured.rest);
  free(measured.times);
  return !good;
}
