// SPDX-License-Identifier: Apache-2.0
// heft sweep show: what results depend on, as a table, maps and histograms.
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "end_signals.h"
#include "names.h"
#include "sweep_input.h"
#include "sweep_page.h"
#include "sweep_picture.h"
#include "sweep_verbs.h"

static const char help[] =
    "usage: heft sweep show [OPTIONS] FOLDER\n"
    "Prints how results depend on the inputs, and draws maps and histograms.\n"
    "The table has, for each result, its mean, and the share of its variance that each input\n"
    "explains alone.\n"
    "\n"
    "  --map X,Y,RESULT       mean of a result, or share of an event, over two inputs\n"
    "  --maps RESULT          the same for all pairs of inputs\n"
    "  --histogram RESULT     how often which value occurs\n"
    "  --bins N               cells of an axis (default 24; histogram 40)\n"
    "  -o FILE                the picture: .svg or .png (default sweep.svg)\n"
    "  --html FILE            a page with all numbers and histograms, for a browser; it needs no "
    "network\n"
    "  --follow               write the page again and again until all runs are there or Ctrl-C; "
    "the\n"
    "                         browser shows the new one by itself\n";

enum { INPUTS_MAX = 8, SHARE_BINS = 12 };

// ---- names

static const char* column_name(const void* from, int i) {
  return ((const Sweep*)from)->column[i].name;
}

static int find_column(const Sweep* s, const char* name) {
  const int column = sweep_find_column(s, name);
  if (column >= 0 && s->column[column].width == 1) return column;
  names_wrong("sweep show", "the results have no column", name,
              (Names){column_name, s, s->column_count});
  return -1;
}

// ---- the table

// Share of the variance of a result that the means over the bins of an input have.
static double explained(const SweepData* d, int input, int result, double mean, double variance) {
  double sum[SHARE_BINS] = {0}, count[SHARE_BINS] = {0}, between = 0, all = 0;
  const SweepRange r = sweep_range(d, input);
  for (int64_t i = 0; i < d->runs; ++i) {
    const double y = d->column[result][i];
    const int k = sweep_range_bin(&r, d->column[input][i], SHARE_BINS);
    if (k < 0 || !isfinite(y)) continue;
    sum[k] += y;
    ++count[k];
    ++all;
  }
  for (int k = 0; k < SHARE_BINS; ++k)
    if (count[k] > 0) between += pow(sum[k] / count[k] - mean, 2) * count[k];
  // Means over few runs differ by chance: that part is subtracted.
  const double chance = variance * (SHARE_BINS - 1) / (all > 1 ? all : 1);
  const double share = (between / (all > 0 ? all : 1) - chance) / variance;
  return share > 0 ? share : 0;
}

static void print_result(const SweepData* d, int result) {
  const Sweep* s = d->sweep;
  double mean = 0, square = 0, n = 0;
  for (int64_t i = 0; i < d->runs; ++i) {
    const double y = d->column[result][i];
    if (!isfinite(y)) continue;
    ++n;
    const double change = y - mean;
    mean += change / n;
    square += change * (y - mean);
  }
  if (n < 1) return;
  const double variance = square / n;
  printf("  %-20s %12.6g %12.3g ", s->column[result].name, mean, sqrt(variance));
  for (int i = 0; i < s->plan->vary_count && i < INPUTS_MAX; ++i) {
    if (variance > 0)
      printf(" %9.1f %%", 100 * explained(d, i, result, mean, variance));
    else
      printf(" %11s", "-");
  }
  printf("\n");
}

static void print_table(const SweepData* d) {
  const Sweep* s = d->sweep;
  printf("  %lld of %lld runs\n", (long long)d->runs, (long long)s->plan->runs);
  printf("  %-20s %12s %12s ", "result", "mean", "deviation");
  for (int i = 0; i < s->plan->vary_count && i < INPUTS_MAX; ++i)
    printf(" %11.11s", s->column[i].name);
  printf("\n");
  for (int i = s->first_result; i < s->column_count; ++i)
    if (d->column[i]) print_result(d, i);
}

// ---- maps

typedef struct Cells {
  int bins;
  double* sum;
  double* count;
} Cells;

static int make_cells(Cells* c, const SweepData* d, int x, int y, int z, int bins) {
  const SweepRange rx = sweep_range(d, x), ry = sweep_range(d, y);
  c->bins = bins;
  c->sum = calloc(2 * (size_t)bins * (size_t)bins, sizeof *c->sum);
  if (!c->sum) {
    fprintf(stderr, "heft sweep show: error: not enough memory for %d x %d cells\n", bins, bins);
    return 0;
  }
  c->count = c->sum + (size_t)bins * (size_t)bins;
  for (int64_t i = 0; i < d->runs; ++i) {
    const int kx = sweep_range_bin(&rx, d->column[x][i], bins),
              ky = sweep_range_bin(&ry, d->column[y][i], bins);
    const double v = d->column[z][i];
    if (kx < 0 || ky < 0 || !isfinite(v)) continue;
    c->sum[ky * bins + kx] += v;
    ++c->count[ky * bins + kx];
  }
  return 1;
}

static void widen(const Cells* c, SweepRange* r) {
  for (int i = 0; i < c->bins * c->bins; ++i) {
    if (c->count[i] == 0) continue;
    const double v = c->sum[i] / c->count[i];
    if (v < r->low) r->low = v;
    if (v > r->high) r->high = v;
  }
}

static void draw_cells(Picture* p, SweepBox b, const Cells* c, const SweepRange* r) {
  const double w = b.width / c->bins, h = b.height / c->bins;
  picture_box(p, b.x, b.y, b.width, b.height, 0xdddddd);
  for (int i = 0; i < c->bins; ++i)
    for (int k = 0; k < c->bins; ++k) {
      const int at = i * c->bins + k;
      if (c->count[at] == 0) continue;
      const double v = c->sum[at] / c->count[at];
      picture_box(p, b.x + k * w, b.y + b.height - (i + 1) * h, w + 0.3, h + 0.3,
                  picture_ramp((v - r->low) / (r->high - r->low)));
    }
}

static void draw_legend(Picture* p, SweepBox b, const SweepRange* r, double size) {
  char text[32];
  for (int k = 0; k < 64; ++k)
    picture_box(p, b.x, b.y + b.height * (63 - k) / 64, b.width, b.height / 64 + 0.5,
                picture_ramp((k + 0.5) / 64));
  for (int k = 0; k <= 4; ++k) {
    sweep_picture_number(sweep_range_value(r, k / 4.), text);
    picture_text(p, b.x + b.width + 5, b.y + b.height * (1 - k / 4.) + 0.4 * size, size,
                 PICTURE_LEFT, 0x333333, text);
  }
}

// Events and other whole numbers of 0 and 1 have the range of a share.
static SweepRange share_range(const SweepData* d, int z) {
  const SweepRange r = sweep_range(d, z);
  for (int i = 0; i < d->sweep->plan->event_count; ++i)
    if (strcmp(d->sweep->column[z].name, d->sweep->plan->event[i].name) == 0)
      return (SweepRange){0, 1, 0};
  (void)r;
  return (SweepRange){(double)INFINITY, -(double)INFINITY, 0};
}

static void map_title(const SweepData* d, int z, char* out, size_t size) {
  const int share = share_range(d, z).high == 1;
  snprintf(out, size, "%s %s%s%s%s, %lld runs", share ? "share of runs with" : "mean of",
           d->sweep->column[z].name, d->sweep->column[z].unit[0] ? " [" : "",
           d->sweep->column[z].unit, d->sweep->column[z].unit[0] ? "]" : "", (long long)d->runs);
}

static int draw_map(const SweepData* d, const char* path, const int at[3], int bins) {
  Cells c = {0};
  char title[200];
  Picture* p = picture_open("sweep show", path, 640, 540);
  if (!p) return 0;
  const SweepRange rx = sweep_range(d, at[0]), ry = sweep_range(d, at[1]);
  SweepRange r = share_range(d, at[2]);
  const SweepBox box = {75, 62, 440, 410};
  map_title(d, at[2], title, sizeof title);
  picture_text(p, 75, 26, 16, PICTURE_LEFT, 0x000000, title);
  if (make_cells(&c, d, at[0], at[1], at[2], bins)) {
    if (r.high < r.low) widen(&c, &r);
    if (!(r.low < r.high)) r.high = r.low + 1;
    draw_cells(p, box, &c, &r);
    sweep_picture_axes(p, box, &rx, &ry, d->sweep->column[at[0]].name, d->sweep->column[at[1]].name,
                       13);
    draw_legend(p, (SweepBox){545, 62, 22, 410}, &r, 13);
  }
  free(c.sum);
  return picture_close(p);
}

// All pairs of inputs: a triangle of maps.
static int draw_maps(const SweepData* d, const char* path, int z, int bins) {
  enum { SIDE = 150, GAP_X = 62, GAP_Y = 62 };
  const int all = d->sweep->plan->vary_count, n = all < INPUTS_MAX ? all : INPUTS_MAX;
  char title[200];
  if (n < 2) {
    fprintf(stderr, "heft sweep show: error: maps need two inputs or more\n");
    return 0;
  }
  SweepRange r = share_range(d, z);
  Cells cells[INPUTS_MAX][INPUTS_MAX] = {0};
  for (int i = 1; i < n; ++i)
    for (int k = 0; k < i; ++k) {
      if (!make_cells(&cells[i][k], d, k, i, z, bins)) continue;
      if (share_range(d, z).high != 1) widen(&cells[i][k], &r);
    }
  if (!(r.low < r.high)) r.high = r.low + 1;
  Picture* p = picture_open("sweep show", path, 40 + (n - 1) * (SIDE + GAP_X) + 110,
                            50 + (n - 1) * (SIDE + GAP_Y));
  map_title(d, z, title, sizeof title);
  if (p) picture_text(p, 40, 24, 16, PICTURE_LEFT, 0x000000, title);
  for (int i = 1; i < n; ++i)
    for (int k = 0; k < i; ++k) {
      const SweepBox box = {50 + k * (SIDE + GAP_X), 56 + (i - 1) * (SIDE + GAP_Y), SIDE, SIDE};
      const SweepRange rx = sweep_range(d, k), ry = sweep_range(d, i);
      if (p && cells[i][k].sum) {
        draw_cells(p, box, &cells[i][k], &r);
        sweep_picture_axes(p, box, &rx, &ry, d->sweep->column[k].name, d->sweep->column[i].name,
                           11);
      }
      free(cells[i][k].sum);
    }
  if (!p) return 0;
  draw_legend(p, (SweepBox){50 + (n - 1) * (SIDE + GAP_X) + 10, 56, 18, SIDE}, &r, 11);
  return picture_close(p);
}

// ---- histogram

static int draw_histogram(const SweepData* d, const char* path, int z, int bins) {
  enum { WIDTH = 640, HEIGHT = 420 };
  Picture* p = picture_open("sweep show", path, WIDTH, HEIGHT);
  if (!p) return 0;
  sweep_picture_histogram(p, d, z, bins, WIDTH, HEIGHT, 12);
  return picture_close(p);
}

// ---- the verb

typedef struct ShowOptions {
  const char *map, *maps, *histogram, *out, *bins, *html;
  int follow;
} ShowOptions;

// Three names with commas between.
static int read_map(const Sweep* s, const char* text, int at[3]) {
  char name[3][80];
  const char* rest = text;
  for (int i = 0; i < 3; ++i) {
    const char* comma = i < 2 ? strchr(rest, ',') : rest + strlen(rest);
    if (!comma || comma - rest >= 80) {
      fprintf(stderr, "heft sweep show: error: --map '%s': expected X,Y,RESULT\n", text);
      return 0;
    }
    snprintf(name[i], sizeof name[i], "%.*s", (int)(comma - rest), rest);
    rest = comma + 1;
    at[i] = find_column(s, name[i]);
    if (at[i] < 0) return 0;
  }
  return 1;
}

static int read_bins(const char* text, int usual, int* out) {
  char* end = NULL;
  *out = usual;
  if (!text) return 1;
  const long n = strtol(text, &end, 10);
  *out = (int)n;
  if (end != text && !*end && n >= 2 && n <= SWEEP_BINS_MAX) return 1;
  fprintf(stderr, "heft sweep show: error: --bins '%s': expected 2 to %d\n", text,
          (int)SWEEP_BINS_MAX);
  return 0;
}

// The command that shows a run of the map, for its middle.
static void print_replay(const SweepData* d, const char* folder, const int at[3]) {
  const Sweep* s = d->sweep;
  const SweepRange x = sweep_range(d, at[0]), y = sweep_range(d, at[1]);
  const int event = share_range(d, at[2]).high == 1;
  printf("  watch a run of it   heft sweep replay %s %s@%s=%.3g,%s=%.3g --view\n", folder,
         event ? s->column[at[2]].name : "", s->column[at[0]].name, sweep_range_value(&x, 0.5),
         s->column[at[1]].name, sweep_range_value(&y, 0.5));
}

static int show(const Sweep* s, const char* folder, const ShowOptions* o) {
  SweepData* d = calloc(1, sizeof *d);
  int at[3] = {-1, -1, -1}, z = -1, bins = 0, well = d != NULL;
  if (well)
    d->sweep = s;
  else
    fprintf(stderr, "heft sweep show: error: not enough memory\n");
  if (well && o->map) well = read_map(s, o->map, at);
  if (well && (o->maps || o->histogram))
    well = (z = find_column(s, o->maps ? o->maps : o->histogram)) >= 0;
  if (well) well = read_bins(o->bins, o->histogram ? 40 : 24, &bins);
  const int table = !o->map && !o->maps && !o->histogram;
  for (int i = 0; well && i < s->column_count; ++i)
    if ((s->column[i].width == 1 && s->column[i].type != HDF5_UINT64 && table) ||
        (i < s->plan->vary_count && o->maps) || i == z || i == at[0] || i == at[1] || i == at[2])
      well = sweep_data_ask(d, i);
  if (well) well = sweep_data_load(d, folder, 1);
  if (well && d->runs == 0) {
    fprintf(stderr, "heft sweep show: error: '%s' has no results yet\n", folder);
    well = 0;
  }
  if (well && table) print_table(d);
  if (well && o->map) well = draw_map(d, o->out, at, bins);
  if (well && o->maps) well = draw_maps(d, o->out, z, bins);
  if (well && o->histogram) well = draw_histogram(d, o->out, z, bins);
  if (well && !table) printf("%s\n", o->out);
  if (well && o->map && at[0] < s->plan->vary_count && at[1] < s->plan->vary_count)
    print_replay(d, folder, at);
  if (d) sweep_data_release(d);
  free(d);
  return well ? 0 : 1;
}

// ---- the page

static int write_page(const SweepInput* in, const char* folder, const char* path, double refresh) {
  SweepPage* p = sweep_page_open("sweep show", path, refresh);
  if (!p) return 0;
  const SweepStock stock = sweep_page_stock(in, folder);
  sweep_page_heading(p, folder);
  sweep_page_bar(p, stock.chunks, stock.stored, 0, stock.bad);
  sweep_page_table(p, NULL, 2);
  sweep_page_row(p, "runs", "%lld, in %lld chunks of %lld", (long long)in->plan->runs,
                 (long long)stock.chunks, (long long)in->plan->chunk);
  if (stock.stored + stock.bad < stock.chunks) {
    const double rate = (double)stock.recent / 60;
    char left[32];
    sweep_page_span(rate > 0 ? (double)(stock.chunks - stock.stored) / rate : -1, left);
    sweep_page_row(p, "speed in the last minute", "%.4g chunks/s, %.4g runs/s", rate,
                   rate * (double)in->plan->chunk);
    sweep_page_row(p, "time left", "%s", left);
  }
  sweep_page_row(p, "plan", "%s", in->plan->sha256);
  sweep_page_row(p, "model", "%s", in->sweep->model_sha256);
  sweep_page_table_end(p);
  sweep_page_quarantine(p, folder);
  const int well = sweep_page_results(p, in, folder);
  return sweep_page_close(p) && well;
}

static volatile sig_atomic_t stopped;

static void stop(int number) {
  stopped = 1;
  signal(number, SIG_DFL);
}

// With --follow the page is written again for at most a tenth of the time.
static int follow_page(const SweepInput* in, const char* folder, const ShowOptions* o) {
  int well, waits;
  double pause = 2;
  if (o->follow) end_signals(stop);
  do {
    const uint64_t began = heft_clock_ns();
    const SweepStock stock = sweep_page_stock(in, folder);
    waits = o->follow && !stopped && stock.stored + stock.bad < stock.chunks;
    well = write_page(in, folder, o->html, waits ? pause : 0);
    pause = fmax(2, 1e-8 * (double)(heft_clock_ns() - began));
    for (double left = pause; well && waits && left > 0 && !stopped; left -= 0.1)
      nanosleep(&(struct timespec){0, 100000000}, NULL);
  } while (well && waits);
  if (well) printf("%s\n", o->html);
  return !well;
}

int heft_sweep_show(int argc, char** argv) {
  const char* folder = NULL;
  ShowOptions o = {.out = "sweep.svg"};
  const SweepOption options[] = {
      {"--map", &o.map, NULL},   {"--maps", &o.maps, NULL}, {"--histogram", &o.histogram, NULL},
      {"--bins", &o.bins, NULL}, {"--html", &o.html, NULL}, {"--follow", NULL, &o.follow},
      {"-o", &o.out, NULL}};
  const int found = sweep_arguments("show", help, options, 7, argc, argv, &folder, 1);
  if (found < 0) return found == -2 ? 0 : 2;
  if (found == 0 ||
      (o.map != NULL) + (o.maps != NULL) + (o.histogram != NULL) + (o.html != NULL) > 1) {
    fprintf(stderr,
            "heft sweep show: error: expected a folder of results and at most one of --map, "
            "--maps, --histogram and --html\n");
    return 2;
  }
  if (o.follow && !o.html) {
    fprintf(stderr, "heft sweep show: error: --follow needs --html FILE\n");
    return 2;
  }
  SweepInput in;
  int code = 1;
  if (sweep_input_open_results(&in, folder))
    code = o.html ? follow_page(&in, folder, &o) : show(in.sweep, folder, &o);
  sweep_input_close(&in);
  return code;
}
