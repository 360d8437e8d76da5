// SPDX-License-Identifier: Apache-2.0
#include "motion_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "json_rows.h"

static const double late = 1.25;  // a step is late above this share of its deadline

// Steps longer than a time [µs].
static int longer(const MotionSteps* s, double us) {
  int count = 0;
  for (int k = 0; k < s->count; ++k) count += s->us[k] > us;
  return count;
}

// Steps that both engines made: another engine may have run out of time.
static int shared(const MotionSteps* heft, const MotionSteps* peer) {
  return heft->count < peer->count ? heft->count : peer->count;
}

// ---- text

static void text_engine(const MotionTable* t, const char* name, const char* engine,
                        const MotionSteps* s) {
  if (s->reason[0]) {
    printf("%-20s %-13s %s\n", name, engine, s->reason);
    return;
  }
  const MotionTimes u = motion_times(s, s->count);
  printf("%-20s %-13s %6d %8.1f %9.1f %9.1f %9.1f %9.1f %9.1f %8.1f", name, engine, s->count,
         s->contacts, u.median, u.mean, u.p99, u.p999, u.longest, u.longest / u.median);
  if (s->tolerance > 0) printf(" %7d %6d %8.1e %7ld", s->inexact, s->rough, s->worst, s->dropped);
  if (t->deadline_us > 0)
    printf(" %6.2f%% %6.2f%% %7.2f", 100.0 * longer(s, t->deadline_us) / s->count,
           100.0 * longer(s, late * t->deadline_us) / s->count, u.longest / t->deadline_us);
  if (s->overlap >= 0)
    printf("  in the end: overlap %.3g mm, speed %.3g mm/s", 1e3 * s->overlap, 1e3 * s->speed);
  if (s->instructions > 0) printf("  %.3g million instructions", 1e-6 * s->instructions);
  if (s->failed > 0) printf("  %d %s", s->failed, s->tolerance > 0 ? "rolled back" : "warnings");
  if (s->asleep > 0) printf("  %d asleep", s->asleep);
  if (s->changed > 0) printf("  REPEATS DIFFER");
  printf("\n");
}

static void text_ratio(const MotionSteps* heft, const MotionSteps* peer) {
  const int n = shared(heft, peer);
  const MotionTimes a = motion_times(heft, n), b = motion_times(peer, n);
  printf("%-20s %-13s %6s %8s %9.2f %9.2f %9.2f %9.2f %9.2f", "", "ratio", "", "",
         a.median / b.median, a.mean / b.mean, a.p99 / b.p99, a.p999 / b.p999,
         a.longest / b.longest);
  if (n < heft->count) printf("  of the first %d steps", n);
  if (heft->instructions > 0 && peer->instructions > 0)
    printf("  %.2f of the instructions", heft->instructions / peer->instructions);
  printf("\n");
}

// ---- one line for each engine: CSV, JSON

typedef struct Field {
  const char* name;
  double value;
} Field;

enum { FIELDS = 24 };

static int list_fields(const MotionTable* t, const MotionSteps* s, Field out[FIELDS]) {
  const MotionTimes u = motion_times(s, s->count);
  const Field all[] = {
      {"step_s", s->step},
      {"nv", s->nv},
      {"steps", s->count},
      {"repeats", s->repeats},
      {"contacts", s->contacts},
      {"contacts_max", s->contacts_max},
      {"median_us", u.median},
      {"mean_us", u.mean},
      {"p99_us", u.p99},
      {"p999_us", u.p999},
      {"longest_us", u.longest},
      {"tolerance", s->tolerance},
      {"inexact", s->inexact},
      {"above_1e-3", s->rough},
      {"not_unique", s->not_unique},
      {"worst", s->worst},
      {"dropped", (double)s->dropped},
      {"failed", s->failed},
      {"asleep", s->asleep},
      {"overlap_m", s->overlap},
      {"speed_m_s", s->speed},
      {"instructions", s->instructions},
      {"above_deadline", t->deadline_us > 0 ? longer(s, t->deadline_us) : 0},
      {"above_1.25_deadline", t->deadline_us > 0 ? longer(s, late * t->deadline_us) : 0},
  };
  _Static_assert(sizeof all / sizeof *all == FIELDS, "as many as FIELDS says");
  memcpy(out, all, sizeof all);
  return FIELDS;
}

static void print_csv(const MotionTable* t, const char* name, const char* engine,
                      const MotionSteps* s) {
  Field field[FIELDS];
  const int count = list_fields(t, s, field);
  printf("%s,%s", name, engine);
  for (int i = 0; i < count; ++i) printf(",%.9g", field[i].value);
  printf("\n");
}

static void write_json(const MotionTable* t, const char* name, const char* engine,
                       const MotionSteps* s) {
  Field field[FIELDS];
  const int count = list_fields(t, s, field);
  json_row_begin(name);
  json_row_text("engine", engine);
  if (s->reason[0]) json_row_text("reason", s->reason);
  for (int i = 0; i < count && !s->reason[0]; ++i) json_row_number(field[i].name, field[i].value);
  json_row_end();
}

static void print_machine(const MotionTable* t, const char* name, const char* engine,
                          const MotionSteps* s) {
  if (s->reason[0]) {
    fprintf(stderr, "%s, %s: %s\n", name, engine, s->reason);
  } else {
    print_csv(t, name, engine, s);
  }
}

// ---- Markdown

// Three digits, as people write them.
static void print_us(double us) {
  const long whole = (long)us;
  if (us >= 1e6) {
    printf("%ld,%03ld,%03ld", whole / 1000000, whole / 1000 % 1000, whole % 1000);
  } else if (us >= 1000) {
    printf("%ld,%03ld", whole / 1000, whole % 1000);
  } else {
    printf(us < 100 ? "%.1f" : "%.0f", us);
  }
}

static void print_times(const MotionTimes* u) {
  const double all[] = {u->median, u->mean, u->p99, u->longest};
  for (int i = 0; i < 4; ++i) {
    if (i > 0) printf(" / ");
    print_us(all[i]);
  }
}

// A number of both engines in thousandths: mm of m.
static void print_pair(double heft, double peer) {
  const double all[] = {heft, peer};
  printf(" |");
  for (int i = 0; i < 2; ++i) {
    printf(i > 0 ? " / " : " ");
    if (isnan(all[i])) printf("-");
    if (!isnan(all[i])) printf(all[i] < 1e-7 ? "0" : all[i] >= 0.1 ? "%.0f" : "%.2g", 1e3 * all[i]);
  }
}

static void end_markdown(const MotionTable* t, const MotionSteps* heft, const MotionSteps* peer) {
  const int has = peer && !peer->reason[0];
  if (t->ends) {
    print_pair(heft->overlap, has ? peer->overlap : (double)NAN);
    print_pair(heft->speed, has ? peer->speed : (double)NAN);
  }
  printf(" |\n");
}

static void print_markdown(const MotionTable* t, const char* name, const MotionSteps* heft,
                           const MotionSteps* peer) {
  const MotionTimes a = motion_times(heft, heft->count);
  printf("| %s | ", name);
  if (heft->reason[0]) printf("%s", heft->reason);
  if (!heft->reason[0]) print_times(&a);
  printf(" | %d of %d | %.0e | ", heft->inexact, heft->count, heft->worst);
  if (peer && !peer->reason[0]) {
    const int n = shared(heft, peer);
    const MotionTimes b = motion_times(peer, n), same = motion_times(heft, n);
    print_times(&b);
    if (n < heft->count) printf(" (%d steps)", n);
    printf(" | %.2f / %.2f / %.2f / %.2f", same.median / b.median, same.mean / b.mean,
           same.p99 / b.p99, same.longest / b.longest);
  } else {
    printf("%s | -", peer ? peer->reason : "-");
  }
  end_markdown(t, heft, peer);
}

// ---- all

static void print_legend(const MotionTable* t) {
  if (t->deadline_us > 0)
    printf(
        "Each step has a deadline of %g µs. late: steps above it; >1.25: above 1.25 times the "
        "deadline;\nby dl.: the longest step by the deadline.\n",
        t->deadline_us);
  printf(
      "Processor time of whole steps [µs], each step with the shortest time of the repeats.\n"
      "inexact: steps above the tolerance; worst: largest relative residual of Coulomb's law. "
      "Only\n"
      "Heft reports these. dropped: contact points without room. ratio: Heft's time by that of\n"
      "%s. In the end: the deepest overlap, which Heft finds for both, and the mean speed of the\n"
      "bodies, if all are free.\n\n",
      t->peer);
}

// Rollouts: the table is small, and has its own columns.
static void begin_worlds(const MotionTable* t) {
  if (t->format == MOTION_TEXT) {
    printf(
        "Mean processor time of a step [µs]: of runs one after another in one world, and of the "
        "same\nruns in turn in as many worlds.\n\n%-20s %-13s %6s %9s %9s %12s %9s\n",
        "case", "engine", "worlds", "in one", "in turn", "steps/s", "turn/one");
  } else if (t->format == MOTION_CSV) {
    printf("case,engine,worlds,one_us,turn_us\n");
  } else {
    printf("| case | engine | worlds | in one [µs] | in turn [µs] |\n|---|---|---|---|---|\n");
  }
}

static void world_row(MotionTable* t, const char* name, const char* engine, const double us[2]) {
  json_row_begin(name);
  json_row_text("engine", engine);
  json_row_number("worlds", t->worlds);
  json_row_number("one_us", us[0]);
  json_row_number("turn_us", us[1]);
  json_row_end();
  if (t->format == MOTION_TEXT) {
    printf("%-20s %-13s %6d %9.1f %9.1f %12.0f %9.2f\n", name, engine, t->worlds, us[0], us[1],
           1e6 / us[1], us[1] / us[0]);
  } else {
    printf(t->format == MOTION_CSV ? "%s,%s,%d,%.4g,%.4g\n" : "| %s | %s | %d | %.4g | %.4g |\n",
           name, engine, t->worlds, us[0], us[1]);
  }
  ++t->rows;
  fflush(stdout);
}

void motion_table_worlds(MotionTable* t, const char* name, double us[2][2]) {
  if (us[0][0] > 0 && us[0][1] > 0) world_row(t, name, "Heft", us[0]);
  if (us[1][0] > 0 && us[1][1] > 0) world_row(t, name, t->peer, us[1]);
}

// Threads of a world: the same.
static void begin_threads(const MotionTable* t) {
  if (t->format == MOTION_TEXT) {
    printf(
        "Time of a step [µs], as a clock on the wall shows it: with one thread and with %d. Other "
        "programs\nthat run at the same time disturb it.\n\n%-20s %6s %9s %9s %9s %9s %8s %s\n",
        t->threads, "case", "steps", "median", "mean", "median", "mean", "faster", "bits");
  } else if (t->format == MOTION_CSV) {
    printf("case,threads,steps,one_median_us,one_mean_us,median_us,mean_us,same\n");
  } else {
    printf(
        "| case | one thread: median / mean [µs] | %d threads: median / mean [µs] | faster by, "
        "median / mean |\n|---|---|---|---|\n",
        t->threads);
  }
}

void motion_table_threads(MotionTable* t, const char* name, const MotionThreads* r) {
  if (r->reason[0]) {
    motion_table_skip(t, name, r->reason);
    return;
  }
  json_row_begin(name);
  json_row_number("threads", r->threads);
  json_row_number("one_median_us", r->one.median);
  json_row_number("one_mean_us", r->one.mean);
  json_row_number("median_us", r->many.median);
  json_row_number("mean_us", r->many.mean);
  json_row_number("same", r->same);
  json_row_end();
  if (t->format == MOTION_TEXT) {
    printf("%-20s %6d %9.1f %9.1f %9.1f %9.1f %8.2f %s\n", name, r->steps, r->one.median,
           r->one.mean, r->many.median, r->many.mean, r->one.mean / r->many.mean,
           r->same ? "same" : "DIFFER");
  } else if (t->format == MOTION_CSV) {
    printf("%s,%d,%d,%.6g,%.6g,%.6g,%.6g,%d\n", name, r->threads, r->steps, r->one.median,
           r->one.mean, r->many.median, r->many.mean, r->same);
  } else {
    const double all[] = {r->one.median, r->one.mean, r->many.median, r->many.mean};
    printf("| %s", name);
    for (int i = 0; i < 4; ++i) {
      printf(i % 2 ? " / " : " | ");
      print_us(all[i]);
    }
    printf(" | %.2f / %.2f |\n", r->one.median / r->many.median, r->one.mean / r->many.mean);
  }
  ++t->rows;
  fflush(stdout);
}

void motion_table_begin(const MotionTable* t) {
  Field field[FIELDS];
  const MotionSteps none = {0};
  if (t->threads > 0) {
    begin_threads(t);
  } else if (t->worlds > 0) {
    begin_worlds(t);
  } else if (t->format == MOTION_TEXT) {
    print_legend(t);
    printf("%-20s %-13s %6s %8s %9s %9s %9s %9s %9s %8s %7s %6s %8s %7s", "case", "engine", "steps",
           "contacts", "median", "mean", "99 %", "99.9 %", "longest", "by med.", "inexact", ">1e-3",
           "worst", "dropped");
    if (t->deadline_us > 0) printf(" %7s %7s %7s", "late", ">1.25", "by dl.");
    printf("\n");
  } else if (t->format == MOTION_CSV) {
    const int count = list_fields(t, &none, field);
    printf("case,engine");
    for (int i = 0; i < count; ++i) printf(",%s", field[i].name);
    printf("\n");
  } else {
    printf(
        "| case | Heft: median / mean / p99 / longest [µs] | inexact steps | worst residual | "
        "%s: median / mean / p99 / longest [µs] | ratio |%s\n|---|---|---|---|---|---|%s\n",
        t->peer, t->ends ? " overlap in the end, both [mm] | speed in the end, both [mm/s] |" : "",
        t->ends ? "---|---|" : "");
  }
}

static void add_up(MotionTable* t, const MotionSteps* heft, const MotionSteps* peer) {
  if (heft->reason[0]) return;
  t->steps += heft->count;
  t->inexact += heft->inexact;
  t->rough += heft->rough;
  if (!peer || peer->reason[0]) return;
  const int n = shared(heft, peer);
  const MotionTimes a = motion_times(heft, n), b = motion_times(peer, n);
  ++t->compared;
  t->faster_mean += a.mean < b.mean;
  t->faster_p99 += a.p99 < b.p99;
  t->faster_longest += a.longest < b.longest;
}

void motion_table_row(MotionTable* t, const char* name, const MotionSteps* heft,
                      const MotionSteps* peer) {
  add_up(t, heft, peer);
  write_json(t, name, "Heft", heft);
  if (peer) write_json(t, name, t->peer, peer);
  if (t->format == MOTION_MARKDOWN) {
    print_markdown(t, name, heft, peer);
  } else if (t->format == MOTION_TEXT) {
    text_engine(t, name, "Heft", heft);
    if (peer) text_engine(t, "", t->peer, peer);
    if (peer && !peer->reason[0] && !heft->reason[0]) text_ratio(heft, peer);
  } else {
    print_machine(t, name, "Heft", heft);
    if (peer) print_machine(t, name, t->peer, peer);
  }
  fflush(stdout);
}

void motion_table_skip(MotionTable* t, const char* name, const char* reason) {
  if (t->format == MOTION_TEXT) printf("%-20s skipped: %s\n", name, reason);
  if (t->format != MOTION_TEXT) fprintf(stderr, "%s skipped: %s\n", name, reason);
}

void motion_table_end(const MotionTable* t) {
  if (t->format != MOTION_TEXT || t->steps == 0) return;
  printf("\nInexact: %ld of %ld steps, %ld above 1e-3.\n", t->inexact, t->steps, t->rough);
  if (t->compared > 0)
    printf(
        "Heft is faster in the mean in %d of %d cases, by the 99th percentile in %d, by the "
        "longest step in %d.\n",
        t->faster_mean, t->compared, t->faster_p99, t->faster_longest);
}
