// SPDX-License-Identifier: Apache-2.0
#include "sweep_page.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sweep/quarantine.h"
#include "sweep/results.h"
#include "sweep_picture.h"

enum { RUNS_MAX = 200000, HISTOGRAMS_MAX = 60, BINS = 40 };

struct SweepPage {
  const char *verb, *path;
  char temporary[4096];
  FILE* out;
  int columns;  ///< of the present table
};

// Texts come from plans, files and the network.
static void put_text(SweepPage* p, const char* text) {
  for (; *text; ++text) {
    const unsigned char c = (unsigned char)*text;
    if (c == '<')
      fputs("&lt;", p->out);
    else if (c == '>')
      fputs("&gt;", p->out);
    else if (c == '&')
      fputs("&amp;", p->out);
    else if (c == '"')
      fputs("&quot;", p->out);
    else
      fputc(c < 32 || c == 127 ? ' ' : c, p->out);
  }
}

static void put_format(SweepPage* p, const char* format, va_list list) {
  char text[1200];
  vsnprintf(text, sizeof text, format, list);
  put_text(p, text);
}

// ---- the file

static SweepPage* fail(SweepPage* p, const char* what) {
  fprintf(stderr, "heft %s: error: %s: %s: %s\n", p->verb, p->path, what, strerror(errno));
  free(p);
  return NULL;
}

static const char style[] =
    "body{font:15px/1.45 sans-serif;margin:1.5em auto;max-width:76em;padding:0 "
    "1em;color:#222;background:#fff}"
    "h1{font-size:1.5em}h2{font-size:1.2em;margin-top:1.6em}"
    "table{border-collapse:collapse;margin:.6em 0}td,th{padding:.15em "
    ".9em;border-bottom:1px solid #ddd;text-align:left;vertical-align:top;"
    "font-variant-numeric:tabular-nums}td.n{text-align:right}"
    "table.list td:first-child{color:#555}"
    ".bar{display:flex;height:1.2em;background:#e4e4e4;max-width:60em}.done{background:#2a788e}"
    ".running{background:#7ad151}.bad{background:#c0392b}"
    ".key i{display:inline-block;width:.8em;height:.8em;margin:0 .3em 0 1em}"
    "figure{display:inline-block;margin:.3em;border:1px solid #ddd}footer{color:#777;margin:2em 0}";

SweepPage* sweep_page_open(const char* verb, const char* path, double refresh) {
  SweepPage* p = calloc(1, sizeof *p);
  char now[40] = "";
  const time_t clock = time(NULL);
  struct tm parts;
  if (!p) {
    fprintf(stderr, "heft %s: error: not enough memory for '%s'\n", verb, path);
    return NULL;
  }
  p->verb = verb;
  p->path = path;
  if (snprintf(p->temporary, sizeof p->temporary, "%s.%ld", path, (long)getpid()) >=
      (int)sizeof p->temporary) {
    errno = ENAMETOOLONG;
    return fail(p, "the page cannot be written");
  }
  p->out = fopen(p->temporary, "w");
  if (!p->out) return fail(p, "the page cannot be written");
  if (gmtime_r(&clock, &parts)) strftime(now, sizeof now, "%Y-%m-%d %H:%M:%S UTC", &parts);
  fprintf(p->out,
          "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
          "'unsafe-inline'\">\n<meta name=\"viewport\" content=\"width=device-width\">\n");
  if (refresh > 0)
    fprintf(p->out, "<meta http-equiv=\"refresh\" content=\"%.0f\">\n", ceil(refresh));
  fprintf(p->out,
          "<title>Sweeps of Heft</title>\n<style>%s</style></head><body>\n<h1>Sweeps</h1>\n"
          "<p>Heft %s, %s</p>\n",
          style, heft_version(), now);
  return p;
}

int sweep_page_close(SweepPage* p) {
  fprintf(p->out, "<footer>Written by heft %s.</footer></body></html>\n", p->verb);
  int well = !ferror(p->out);
  well &= fclose(p->out) == 0;
  well = well && rename(p->temporary, p->path) == 0;
  if (!well) {
    fprintf(stderr, "heft %s: error: %s: the page cannot be written: %s\n", p->verb, p->path,
            strerror(errno));
    unlink(p->temporary);
  }
  free(p);
  return well;
}

// ---- parts

void sweep_page_heading(SweepPage* p, const char* text) {
  fputs("<h2>", p->out);
  put_text(p, text);
  fputs("</h2>\n", p->out);
}

void sweep_page_text(SweepPage* p, const char* format, ...) {
  va_list list;
  va_start(list, format);
  fputs("<p>", p->out);
  put_format(p, format, list);
  fputs("</p>\n", p->out);
  va_end(list);
}

void sweep_page_bar(SweepPage* p, int64_t all, int64_t done, int64_t running, int64_t bad) {
  static const char* const names[] = {"done", "running", "bad"};
  static const char* const texts[] = {"stored", "in work", "in quarantine"};
  const int64_t part[] = {done, running, bad};
  fputs("<div class=\"bar\">", p->out);
  for (int i = 0; i < 3; ++i)
    fprintf(p->out, "<div class=\"%s\" style=\"width:%.3f%%\"></div>", names[i],
            100 * (double)part[i] / (double)(all > 0 ? all : 1));
  fputs("</div>\n<p class=\"key\">", p->out);
  for (int i = 0; i < 3; ++i)
    if (part[i] > 0 || i == 0)
      fprintf(p->out, "<i class=\"%s\"></i>%lld %s", names[i], (long long)part[i], texts[i]);
  fprintf(p->out, " of %lld chunks</p>\n", (long long)all);
}

void sweep_page_table(SweepPage* p, const char* const* heads, int columns) {
  p->columns = columns;
  fputs(heads ? "<table>\n" : "<table class=\"list\">\n", p->out);
  if (!heads) return;
  fputs("<tr>", p->out);
  for (int i = 0; i < columns; ++i) {
    fputs("<th>", p->out);
    put_text(p, heads[i]);
  }
  fputs("</tr>\n", p->out);
}

void sweep_page_row(SweepPage* p, const char* name, const char* format, ...) {
  va_list list;
  va_start(list, format);
  fputs("<tr><td>", p->out);
  put_text(p, name);
  fputs("</td><td>", p->out);
  put_format(p, format, list);
  fputs("</td></tr>\n", p->out);
  va_end(list);
}

void sweep_page_cells(SweepPage* p, const char* const* cells, int columns) {
  fputs("<tr>", p->out);
  for (int i = 0; i < columns; ++i) {
    const int number = cells[i][0] && strchr("+-.0123456789", cells[i][0]);
    fputs(number && i > 0 ? "<td class=\"n\">" : "<td>", p->out);
    put_text(p, cells[i]);
    fputs("</td>", p->out);
  }
  fputs("</tr>\n", p->out);
}

void sweep_page_table_end(SweepPage* p) { fputs("</table>\n", p->out); }

void sweep_page_span(double seconds, char out[32]) {
  if (!(seconds >= 0))
    snprintf(out, 32, "unknown");
  else if (seconds < 120)
    snprintf(out, 32, "%.0f s", seconds);
  else if (seconds < 7200)
    snprintf(out, 32, "%.0f min", seconds / 60);
  else
    snprintf(out, 32, "%.1f h", seconds / 3600);
}

// ---- results

SweepStock sweep_page_stock(const SweepInput* in, const char* folder) {
  SweepStock s = {.chunks = plan_chunk_count(in->plan)};
  const time_t now = time(NULL);
  char path[4096];
  for (int64_t k = 0; k < s.chunks; ++k) {
    struct stat info;
    results_path(folder, k, path, sizeof path);
    if (stat(path, &info) != 0 || quarantine_has(folder, k)) continue;
    ++s.stored;
    s.recent += now - info.st_mtime <= 60;
  }
  s.bad = quarantine_each(folder, NULL, NULL);
  return s;
}

typedef struct Reasons {
  SweepPage* page;
  const char* folder;
} Reasons;

static void put_reason(void* user, int64_t chunk) {
  const Reasons* r = user;
  char name[32], reason[QUARANTINE_TEXT];
  snprintf(name, sizeof name, "chunk %lld", (long long)chunk);
  quarantine_reason(r->folder, chunk, reason);
  sweep_page_row(r->page, name, "%s", reason);
}

void sweep_page_quarantine(SweepPage* p, const char* folder) {
  Reasons r = {p, folder};
  if (quarantine_each(folder, NULL, NULL) == 0) return;
  sweep_page_heading(p, "Quarantine");
  sweep_page_table(p, NULL, 2);
  quarantine_each(folder, put_reason, &r);
  sweep_page_table_end(p);
}

static int is_event(const Plan* plan, const char* name) {
  for (int i = 0; i < plan->event_count; ++i)
    if (strcmp(plan->event[i].name, name) == 0) return 1;
  return 0;
}

// Results that are one number, but not states, events and hashes.
static int has_histogram(const Sweep* s, int column) {
  const Hdf5Column* c = &s->column[column];
  return column > s->first_result && c->width == 1 && c->type != HDF5_UINT64 &&
         !is_event(s->plan, c->name);
}

typedef struct Summary {
  double count, mean, deviation, min, max;
} Summary;

static Summary summarise(const SweepData* d, int column) {
  Summary s = {.min = (double)INFINITY, .max = -(double)INFINITY};
  double square = 0;
  for (int64_t i = 0; i < d->runs; ++i) {
    const double x = d->column[column][i];
    if (!isfinite(x)) continue;
    const double change = x - s.mean;
    s.mean += change / ++s.count;
    square += change * (x - s.mean);
    if (x < s.min) s.min = x;
    if (x > s.max) s.max = x;
  }
  s.deviation = s.count > 0 ? sqrt(square / s.count) : 0;
  return s;
}

static void put_states(SweepPage* p, const SweepData* d) {
  const Sweep* s = d->sweep;
  int64_t state[SWEEP_STATUS_COUNT] = {0};
  for (int64_t i = 0; i < d->runs; ++i) {
    const double x = d->column[s->first_result][i];
    if (x >= 0 && x < SWEEP_STATUS_COUNT) ++state[(int)x];
  }
  const double all = (double)(d->runs > 0 ? d->runs : 1);
  sweep_page_table(p, (const char* const[]){"runs", "number", "share"}, 3);
  for (int i = 0; i < SWEEP_STATUS_COUNT; ++i) {
    char number[32], share[32];
    snprintf(number, sizeof number, "%lld", (long long)state[i]);
    snprintf(share, sizeof share, "%.2f %%", 100 * (double)state[i] / all);
    sweep_page_cells(p, (const char* const[]){sweep_status_name(i), number, share}, 3);
  }
  for (int k = 0; k < s->plan->event_count; ++k) {
    const int column = sweep_find_column(s, s->plan->event[k].name);
    int64_t happened = 0;
    for (int64_t i = 0; column >= 0 && i < d->runs; ++i) happened += d->column[column][i] == 1;
    char name[160], number[32], share[32];
    snprintf(name, sizeof name, "event %s", s->plan->event[k].name);
    snprintf(number, sizeof number, "%lld", (long long)happened);
    snprintf(share, sizeof share, "%.2f %%", 100 * (double)happened / all);
    sweep_page_cells(p, (const char* const[]){name, number, share}, 3);
  }
  sweep_page_table_end(p);
}

static void put_summaries(SweepPage* p, const SweepData* d) {
  const Sweep* s = d->sweep;
  sweep_page_table(
      p, (const char* const[]){"result", "unit", "runs", "mean", "deviation", "min", "max"}, 7);
  for (int c = 0; c < s->column_count; ++c) {
    if (!has_histogram(s, c) || !d->column[c]) continue;
    const Summary m = summarise(d, c);
    const double values[] = {m.count, m.mean, m.deviation, m.min, m.max};
    char text[5][32];
    for (int i = 0; i < 5; ++i)
      snprintf(text[i], sizeof text[i], i == 0 ? "%.0f" : "%.6g",
               m.count > 0 || i == 0 ? values[i] : (double)NAN);
    sweep_page_cells(p,
                     (const char* const[]){s->column[c].name, s->column[c].unit, text[0], text[1],
                                           text[2], text[3], text[4]},
                     7);
  }
  sweep_page_table_end(p);
}

static void put_histograms(SweepPage* p, const SweepData* d) {
  enum { WIDTH = 380, HEIGHT = 230 };
  int shown = 0;
  for (int c = 0; c < d->sweep->column_count && shown < HISTOGRAMS_MAX; ++c) {
    if (!has_histogram(d->sweep, c) || !d->column[c]) continue;
    const Summary m = summarise(d, c);
    if (m.count == 0 || m.min == m.max) continue;  // the table shows it all
    ++shown;
    fputs("<figure>", p->out);
    Picture* picture = picture_open_inline(p->out, WIDTH, HEIGHT);
    if (picture) {
      sweep_picture_histogram(picture, d, c, BINS, WIDTH, HEIGHT, 10);
      picture_close(picture);
    }
    fputs("</figure>\n", p->out);
  }
}

int sweep_page_results(SweepPage* p, const SweepInput* in, const char* folder) {
  const Sweep* s = in->sweep;
  const SweepStock stock = sweep_page_stock(in, folder);
  const int64_t stored = stock.stored * in->plan->chunk;
  const int64_t stride = stored > RUNS_MAX ? (stored + RUNS_MAX - 1) / RUNS_MAX : 1;
  SweepData* d = calloc(1, sizeof *d);
  int well = d != NULL;
  if (!d) {
    fprintf(stderr, "heft sweep: error: not enough memory for the results\n");
    return 0;
  }
  *d = (SweepData){.sweep = s};
  d->capacity = stride > 1 ? (stock.stored / stride + 2) * in->plan->chunk : 0;
  for (int c = s->first_result; c < s->column_count && well; ++c)
    if (c == s->first_result || is_event(s->plan, s->column[c].name) || has_histogram(s, c))
      well = sweep_data_ask(d, c);
  if (well) well = sweep_data_load(d, folder, stride);
  if (well && d->runs > 0) {
    sweep_page_heading(p, "Results");
    if (stride > 1)
      sweep_page_text(p, "From one chunk of every %lld: %lld runs of %lld.", (long long)stride,
                      (long long)d->runs, (long long)in->plan->runs);
    put_states(p, d);
    put_summaries(p, d);
    put_histograms(p, d);
  }
  sweep_data_release(d);
  free(d);
  return well;
}
