// SPDX-License-Identifier: Apache-2.0
// heft sweep show: what results depend on, as a table, maps and histograms.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names.h"
#include "picture.h"
#include "sweep/results.h"
#include "sweep_input.h"
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
    "  -o FILE                the picture: .svg or .png (default sweep.svg)\n";

enum { INPUTS_MAX = 8, BINS_MAX = 400, SHARE_BINS = 12 };

// ---- data

typedef struct Data {
  const Sweep* sweep;
  int64_t runs;                       ///< that are stored
  double* column[SWEEP_COLUMNS_MAX];  ///< of columns that were asked for; NULL: not
} Data;

static int ask(Data* d, int column) {
  if (d->column[column]) return 1;
  d->column[column] = malloc((size_t)d->sweep->plan->runs * sizeof(double) + 1);
  if (!d->column[column]) fprintf(stderr, "heft sweep show: error: not enough memory\n");
  return d->column[column] != NULL;
}

static int load(Data* d, const char* folder) {
  HeftError error = {0};
  const Sweep* s = d->sweep;
  d->runs = 0;
  for (int64_t k = 0; k < plan_chunk_count(s->plan); ++k) {
    Hdf5File f;
    if (!results_has(folder, k)) continue;
    if (results_read(folder, s, k, &f, &error) != HEFT_OK) return !sweep_report(&error);
    const int64_t n = plan_chunk_runs(s->plan, k);
    for (int c = 0; c < s->column_count; ++c)
      for (int64_t i = 0; d->column[c] && i < n; ++i)
        d->column[c][d->runs + i] = hdf5_get_double(&f, s->column, c, i);
    d->runs += n;
    hdf5_release(&f);
  }
  if (d->runs > 0) return 1;
  fprintf(stderr, "heft sweep show: error: '%s' has no results yet\n", folder);
  return 0;
}

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

typedef struct Range {
  double low, high;
  int logarithmic;
} Range;

static Range range_of(const Data* d, int column) {
  Range r = {(double)INFINITY, -(double)INFINITY, 0};
  const Plan* p = d->sweep->plan;
  for (int64_t i = 0; i < d->runs; ++i) {
    const double x = d->column[column][i];
    if (x < r.low) r.low = x;
    if (x > r.high) r.high = x;
  }
  if (!(r.low < r.high)) {
    r.low = isfinite(r.low) ? r.low - 0.5 : 0;
    r.high = r.low + 1;
  }
  if (column < p->vary_count && p->vary[column].shape == SHAPE_LOG) {
    r.logarithmic = 1;
    r.low = p->vary[column].min;
    r.high = p->vary[column].max;
  } else if (column < p->vary_count && p->vary[column].shape == SHAPE_UNIFORM) {
    r.low = p->vary[column].min;
    r.high = p->vary[column].max;
  }
  return r;
}

static double place(const Range* r, double x) {
  return r->logarithmic ? log(x / r->low) / log(r->high / r->low)
                        : (x - r->low) / (r->high - r->low);
}

static double value_at(const Range* r, double share) {
  return r->logarithmic ? r->low * pow(r->high / r->low, share)
                        : r->low + share * (r->high - r->low);
}

// -1: not a number.
static int bin_of(const Range* r, double x, int bins) {
  if (!isfinite(x)) return -1;
  const int k = (int)floor(place(r, x) * bins);
  return k < 0 ? 0 : (k >= bins ? bins - 1 : k);
}

// ---- the table

// Share of the variance of a result that the means over the bins of an input have.
static double explained(const Data* d, int input, int result, double mean, double variance) {
  double sum[SHARE_BINS] = {0}, count[SHARE_BINS] = {0}, between = 0, all = 0;
  const Range r = range_of(d, input);
  for (int64_t i = 0; i < d->runs; ++i) {
    const double y = d->column[result][i];
    const int k = bin_of(&r, d->column[input][i], SHARE_BINS);
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

static void print_result(const Data* d, int result) {
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

static void print_table(const Data* d) {
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

typedef struct Box {
  double x, y, width, height;
} Box;

static void number_text(double x, char out[32]) {
  snprintf(out, 32, "%.3g", fabs(x) < 1e-12 ? 0 : x);
}

static void draw_axes(Picture* p, Box b, const Range* rx, const Range* ry, const char* x_name,
                      const char* y_name, double size) {
  char text[32];
  for (int k = 0; k <= 4; k += 2) {
    number_text(value_at(rx, k / 4.), text);
    picture_text(p, b.x + b.width * k / 4, b.y + b.height + 1.4 * size, size,
                 k == 0 ? PICTURE_LEFT : (k == 4 ? PICTURE_RIGHT : PICTURE_MIDDLE), 0x333333, text);
    if (!ry) continue;
    number_text(value_at(ry, k / 4.), text);
    picture_text(p, b.x - 5,
                 b.y + b.height * (1 - k / 4.) + (k == 0 ? 0 : (k == 4 ? 0.8 : 0.35)) * size, size,
                 PICTURE_RIGHT, 0x333333, text);
  }
  picture_text(p, b.x + b.width / 2, b.y + b.height + 2.8 * size, size, PICTURE_MIDDLE, 0x000000,
               x_name);
  picture_text(p, b.x, b.y - 0.5 * size, size, PICTURE_LEFT, 0x000000, y_name);
}

typedef struct Cells {
  int bins;
  double* sum;
  double* count;
} Cells;

static int make_cells(Cells* c, const Data* d, int x, int y, int z, int bins) {
  const Range rx = range_of(d, x), ry = range_of(d, y);
  c->bins = bins;
  c->sum = calloc(2 * (size_t)bins * (size_t)bins, sizeof *c->sum);
  if (!c->sum) return 0;
  c->count = c->sum + (size_t)bins * (size_t)bins;
  for (int64_t i = 0; i < d->runs; ++i) {
    const int kx = bin_of(&rx, d->column[x][i], bins), ky = bin_of(&ry, d->column[y][i], bins);
    const double v = d->column[z][i];
    if (kx < 0 || ky < 0 || !isfinite(v)) continue;
    c->sum[ky * bins + kx] += v;
    ++c->count[ky * bins + kx];
  }
  return 1;
}

static void widen(const Cells* c, Range* r) {
  for (int i = 0; i < c->bins * c->bins; ++i) {
    if (c->count[i] == 0) continue;
    const double v = c->sum[i] / c->count[i];
    if (v < r->low) r->low = v;
    if (v > r->high) r->high = v;
  }
}

static void draw_cells(Picture* p, Box b, const Cells* c, const Range* r) {
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

static void draw_legend(Picture* p, Box b, const Range* r, double size) {
  char text[32];
  for (int k = 0; k < 64; ++k)
    picture_box(p, b.x, b.y + b.height * (63 - k) / 64, b.width, b.height / 64 + 0.5,
                picture_ramp((k + 0.5) / 64));
  for (int k = 0; k <= 4; ++k) {
    number_text(value_at(r, k / 4.), text);
    picture_text(p, b.x + b.width + 5, b.y + b.height * (1 - k / 4.) + 0.4 * size, size,
                 PICTURE_LEFT, 0x333333, text);
  }
}

// Events and other whole numbers of 0 and 1 have the range of a share.
static Range share_range(const Data* d, int z) {
  const Range r = range_of(d, z);
  for (int i = 0; i < d->sweep->plan->event_count; ++i)
    if (strcmp(d->sweep->column[z].name, d->sweep->plan->event[i].name) == 0)
      return (Range){0, 1, 0};
  (void)r;
  return (Range){(double)INFINITY, -(double)INFINITY, 0};
}

static void map_title(const Data* d, int z, char* out, size_t size) {
  const int share = share_range(d, z).high == 1;
  snprintf(out, size, "%s %s%s%s%s, %lld runs", share ? "share of runs with" : "mean of",
           d->sweep->column[z].name, d->sweep->column[z].unit[0] ? " [" : "",
           d->sweep->column[z].unit, d->sweep->column[z].unit[0] ? "]" : "", (long long)d->runs);
}

static int draw_map(const Data* d, const char* path, const int at[3], int bins) {
  Cells c = {0};
  char title[200];
  Picture* p = picture_open("sweep show", path, 640, 540);
  if (!p) return 0;
  const Range rx = range_of(d, at[0]), ry = range_of(d, at[1]);
  Range r = share_range(d, at[2]);
  const Box box = {75, 62, 440, 410};
  map_title(d, at[2], title, sizeof title);
  picture_text(p, 75, 26, 16, PICTURE_LEFT, 0x000000, title);
  if (make_cells(&c, d, at[0], at[1], at[2], bins)) {
    if (r.high < r.low) widen(&c, &r);
    if (!(r.low < r.high)) r.high = r.low + 1;
    draw_cells(p, box, &c, &r);
    draw_axes(p, box, &rx, &ry, d->sweep->column[at[0]].name, d->sweep->column[at[1]].name, 13);
    draw_legend(p, (Box){545, 62, 22, 410}, &r, 13);
  }
  free(c.sum);
  return picture_close(p);
}

// All pairs of inputs: a triangle of maps.
static int draw_maps(const Data* d, const char* path, int z, int bins) {
  enum { SIDE = 150, GAP_X = 62, GAP_Y = 62 };
  const int all = d->sweep->plan->vary_count, n = all < INPUTS_MAX ? all : INPUTS_MAX;
  char title[200];
  if (n < 2) {
    fprintf(stderr, "heft sweep show: error: maps need two inputs or more\n");
    return 0;
  }
  Range r = share_range(d, z);
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
      const Box box = {50 + k * (SIDE + GAP_X), 56 + (i - 1) * (SIDE + GAP_Y), SIDE, SIDE};
      const Range rx = range_of(d, k), ry = range_of(d, i);
      if (p && cells[i][k].sum) {
        draw_cells(p, box, &cells[i][k], &r);
        draw_axes(p, box, &rx, &ry, d->sweep->column[k].name, d->sweep->column[i].name, 11);
      }
      free(cells[i][k].sum);
    }
  if (!p) return 0;
  draw_legend(p, (Box){50 + (n - 1) * (SIDE + GAP_X) + 10, 56, 18, SIDE}, &r, 11);
  return picture_close(p);
}

// ---- histogram

static int draw_histogram(const Data* d, const char* path, int z, int bins) {
  double count[BINS_MAX] = {0}, most = 0, known = 0;
  char title[200], text[64];
  const Range r = range_of(d, z);
  Picture* p = picture_open("sweep show", path, 640, 420);
  if (!p) return 0;
  for (int64_t i = 0; i < d->runs; ++i) {
    const int k = bin_of(&r, d->column[z][i], bins);
    if (k < 0) continue;
    ++known;
    if (++count[k] > most) most = count[k];
  }
  snprintf(title, sizeof title, "%s%s%s%s: %.0f of %lld runs", d->sweep->column[z].name,
           d->sweep->column[z].unit[0] ? " [" : "", d->sweep->column[z].unit,
           d->sweep->column[z].unit[0] ? "]" : "", known, (long long)d->runs);
  picture_text(p, 75, 26, 16, PICTURE_LEFT, 0x000000, title);
  const Box b = {75, 50, 530, 310};
  for (int k = 0; k <= 4; ++k) {
    const double y = b.y + b.height * (1 - k / 4.);
    picture_box(p, b.x, y, b.width, 1, 0xcccccc);
    snprintf(text, sizeof text, "%.4g", most * k / 4);
    picture_text(p, b.x - 6, y + 5, 12, PICTURE_RIGHT, 0x333333, text);
  }
  for (int k = 0; k < bins && most > 0; ++k)
    picture_box(p, b.x + b.width * k / bins, b.y + b.height * (1 - count[k] / most),
                b.width / bins - (bins < 100), b.height * count[k] / most, 0x2a788e);
  draw_axes(p, b, &r, NULL, d->sweep->column[z].name, "runs", 12);
  return picture_close(p);
}

// ---- the verb

typedef struct ShowOptions {
  const char *map, *maps, *histogram, *out, *bins;
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
  if (end != text && !*end && n >= 2 && n <= BINS_MAX) return 1;
  fprintf(stderr, "heft sweep show: error: --bins '%s': expected 2 to %d\n", text, (int)BINS_MAX);
  return 0;
}

static int show(const Sweep* s, const char* folder, const ShowOptions* o) {
  Data* d = calloc(1, sizeof *d);
  int at[3] = {-1, -1, -1}, z = -1, bins = 0, well = d != NULL;
  if (well) d->sweep = s;
  if (well && o->map) well = read_map(s, o->map, at);
  if (well && (o->maps || o->histogram))
    well = (z = find_column(s, o->maps ? o->maps : o->histogram)) >= 0;
  if (well) well = read_bins(o->bins, o->histogram ? 40 : 24, &bins);
  const int table = !o->map && !o->maps && !o->histogram;
  for (int i = 0; well && i < s->column_count; ++i)
    if ((s->column[i].width == 1 && s->column[i].type != HDF5_UINT64 && table) ||
        (i < s->plan->vary_count && o->maps) || i == z || i == at[0] || i == at[1] || i == at[2])
      well = ask(d, i);
  if (well) well = load(d, folder);
  if (well && table) print_table(d);
  if (well && o->map) well = draw_map(d, o->out, at, bins);
  if (well && o->maps) well = draw_maps(d, o->out, z, bins);
  if (well && o->histogram) well = draw_histogram(d, o->out, z, bins);
  if (well && !table) printf("%s\n", o->out);
  for (int i = 0; d && i < SWEEP_COLUMNS_MAX; ++i) free(d->column[i]);
  free(d);
  return well ? 0 : 1;
}

int heft_sweep_show(int argc, char** argv) {
  const char* folder = NULL;
  ShowOptions o = {.out = "sweep.svg"};
  const SweepOption options[] = {{"--map", &o.map, NULL},
                                 {"--maps", &o.maps, NULL},
                                 {"--histogram", &o.histogram, NULL},
                                 {"--bins", &o.bins, NULL},
                                 {"-o", &o.out, NULL}};
  const int found = sweep_arguments("show", help, options, 5, argc, argv, &folder, 1);
  if (found < 0) return found == -2 ? 0 : 2;
  if (found == 0 || (o.map != NULL) + (o.maps != NULL) + (o.histogram != NULL) > 1) {
    fprintf(stderr,
            "heft sweep show: error: expected a folder of results and at most one of --map, "
            "--maps and --histogram\n");
    return 2;
  }
  SweepInput in;
  const int code = sweep_input_open_results(&in, folder) ? show(in.sweep, folder, &o) : 1;
  sweep_input_close(&in);
  return code;
}
