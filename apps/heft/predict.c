// SPDX-License-Identifier: Apache-2.0
// heft predict: probabilities of events and regions of measures, from the runs of a sweep.
//
// The runs that `repeat` makes of one point of the grid or row of the list are an ensemble: they
// differ by all that is not known. Each event gets a probability, each measure an interval. A table
// of what was observed, a row for each ensemble, shows whether the probabilities are right: odd
// rows teach how far to trust the ensembles, even rows are scored.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "identify/identify.h"
#include "json_out.h"
#include "log_table.h"
#include "plot.h"
#include "sweep_data.h"
#include "sweep_input.h"
#include "sweep_verbs.h"
#include "verbs.h"

static const char help[] =
    "usage: heft predict [OPTIONS] FOLDER\n"
    "Prints how probable the events of a sweep are, and 90 % intervals of its measures. FOLDER "
    "has\n"
    "the results of a plan whose variations are what is not known: parameters within the "
    "intervals\n"
    "of 'heft identify', the start within the errors of its measurement. Each point of the grid "
    "or\n"
    "row of the list is one ensemble; 'repeat' of the plan is the number of its runs.\n"
    "\n"
    "  --observed FILE.csv    what happened: a row for each ensemble, columns named as events (0, "
    "1)\n"
    "                         and measures. Odd rows teach how far to trust the ensembles and how\n"
    "                         wide intervals are, even rows are scored: log loss, and how often\n"
    "                         what was said happens\n"
    "  --plot FILE.svg        with --observed: the reliability diagram\n"
    "  --trust EXTRA,POWER[,WIDTH]\n"
    "                         the trust that --observed printed, for new ensembles\n"
    "  --json                 print JSON\n";

enum { SHOWN = 20, QUANTITIES_MAX = 64 };

typedef struct Quantity {
  int column, observed;  // columns of the sweep and of the table; -1: not observed
  int event;
} Quantity;

typedef struct Predict {
  SweepInput in;
  SweepData data;
  LogTable table;
  int has_table;
  HeftTrust trust;
  double width;  // of intervals, in those of the ensembles
  Quantity quantity[QUANTITIES_MAX];
  int count;
  long ensembles, runs;  // runs of an ensemble
  const char* plot;
  int json;
} Predict;

static int wrong(const char* text) {
  fprintf(stderr, "heft predict: error: %s\n", text);
  return 0;
}

// ---- ensembles

static int find_quantities(Predict* p) {
  const Sweep* s = p->in.sweep;
  const Plan* plan = s->plan;
  for (int i = s->first_result; i < s->column_count && p->count < QUANTITIES_MAX; ++i) {
    int event = 0, measure = 0;
    const char* name = s->column[i].name;
    for (int k = 0; k < plan->event_count; ++k) event |= strcmp(name, plan->event[k].name) == 0;
    for (int k = 0; k < plan->measure_count; ++k) {
      const size_t length = strlen(plan->measure[k].name);
      measure |= strncmp(name, plan->measure[k].name, length) == 0 && name[length] == '_';
    }
    if (!event && !measure) continue;
    p->quantity[p->count++] =
        (Quantity){i, p->has_table ? log_table_find(&p->table, name) : -1, event};
    if (!sweep_data_ask(&p->data, i)) return 0;
  }
  return p->count > 0 || wrong("the plan has no event and no measure");
}

static int load(Predict* p, const char* folder) {
  const Plan* plan = p->in.sweep->plan;
  p->data.sweep = p->in.sweep;
  if (!find_quantities(p) || !sweep_data_load(&p->data, folder, 1)) return 0;
  if (p->data.runs < plan->runs) return wrong("runs are missing; 'heft sweep run' computes them");
  p->runs = plan->repeat > 1 ? (long)plan->repeat : (long)plan->runs;
  p->ensembles = (long)plan->runs / p->runs;
  if (p->runs < 4) return wrong("an ensemble needs at least 4 runs; set 'repeat' in the plan");
  if (p->has_table && p->table.rows != p->ensembles) {
    fprintf(stderr, "heft predict: error: %ld rows were observed, the sweep has %ld ensembles\n",
            p->table.rows, p->ensembles);
    return 0;
  }
  return 1;
}

static const double* values(const Predict* p, long ensemble, int quantity) {
  return p->data.column[p->quantity[quantity].column] + ensemble * p->runs;
}

// NaN: not observed.
static double observed(const Predict* p, long ensemble, int quantity) {
  const int column = p->quantity[quantity].observed;
  return column < 0 ? (double)NAN : p->table.number[ensemble * p->table.columns + column];
}

static HeftForecast forecast_of(const Predict* p, long ensemble, int quantity) {
  const double *x = values(p, ensemble, quantity), seen = observed(p, ensemble, quantity);
  HeftForecast f = {.outcomes = 2, .happened = isfinite(seen) ? seen > 0.5 : -1};
  for (long i = 0; i < p->runs; ++i) ++f.runs[x[i] > 0.5];
  return f;
}

// The interval in which 90 % of the runs end, and its learned width.
static void interval_of(const Predict* p, long ensemble, int quantity, double out[2]) {
  const double* x = values(p, ensemble, quantity);
  double* sorted = calloc((size_t)p->runs, sizeof *sorted);
  out[0] = out[1] = (double)NAN;
  for (int side = 0; side < 2 && sorted; ++side) {
    for (long i = 0; i < p->runs; ++i) sorted[i] = side ? x[i] : -x[i];
    const double end = heft_region_size(sorted, p->runs, 0.95);
    out[side] = side ? end : -end;
  }
  free(sorted);
  const double middle = 0.5 * (out[0] + out[1]), half = 0.5 * p->width * (out[1] - out[0]);
  out[0] = middle - half;
  out[1] = middle + half;
}

// ---- the forecasts

static void print_quantity(Predict* p, Json* out, long ensemble, int k) {
  const Quantity* q = &p->quantity[k];
  const Hdf5Column* column = &p->in.sweep->column[q->column];
  double probability[HEFT_OUTCOMES_MAX], ends[2];
  const HeftForecast f = forecast_of(p, ensemble, k);
  heft_forecast_probabilities(&f, p->trust, probability);
  if (!q->event) interval_of(p, ensemble, k, ends);
  if (p->json) {
    json_open_object(out, NULL);
    json_put_count(out, "ensemble", ensemble);
    json_put_text(out, "name", column->name);
    if (q->event) json_put_number(out, "probability", probability[1]);
    if (!q->event) json_put_number(out, "low", ends[0]);
    if (!q->event) json_put_number(out, "high", ends[1]);
    json_close_object(out);
  } else if (q->event) {
    printf("  %-10ld %-24s %7.2f %%   happens in %.0f of %ld runs\n", ensemble, column->name,
           100 * probability[1], f.runs[1], p->runs);
  } else {
    printf("  %-10ld %-24s %11.5g to %-11.5g %s\n", ensemble, column->name, ends[0], ends[1],
           column->unit);
  }
}

static void print_forecasts(Predict* p, Json* out) {
  const long shown = p->json || p->ensembles < SHOWN ? p->ensembles : SHOWN;
  if (p->json) json_open_list(out, "forecasts");
  if (!p->json) printf("  %-10s %-24s probability, or 90 %% interval\n", "ensemble", "of");
  for (long i = 0; i < shown; ++i)
    for (int k = 0; k < p->count; ++k) print_quantity(p, out, i, k);
  if (p->json) json_close_list(out);
  if (!p->json && shown < p->ensembles)
    printf("  ... %ld ensembles more; --json prints all\n", p->ensembles - shown);
}

// ---- the score

static int draw(const Predict* p, const HeftForecastScore* s) {
  double said[HEFT_FORECAST_BINS], share[HEFT_FORECAST_BINS], low[3 * HEFT_FORECAST_BINS],
      at[3 * HEFT_FORECAST_BINS];
  const double ends[2] = {0, 1};
  size_t n = 0;
  for (int b = 0; b < HEFT_FORECAST_BINS; ++b) {
    const HeftForecastBin* bin = &s->bin[b];
    if (bin->count == 0) continue;
    // Wilson's interval of the share, two deviations
    const double c = (double)bin->count, x = (double)bin->happened / c, z = 4 / c;
    const double middle = (x + z / 2) / (1 + z),
                 half = 2 * sqrt(x * (1 - x) / c + z / (4 * c)) / (1 + z);
    said[n] = bin->said;
    share[n] = x;
    at[3 * n] = at[3 * n + 1] = bin->said;
    low[3 * n] = middle - half;
    low[3 * n + 1] = middle + half;
    at[3 * n + 2] = low[3 * n + 2] = (double)NAN;
    ++n;
  }
  const PlotCurve curves[3] = {
      {.name = "right", .x = ends, .y = ends, .count = 2, .color = 2, .style = PLOT_DASHED},
      {.name = "observed, two deviations", .x = at, .y = low, .count = 3 * n, .color = 0},
      {.name = "observed", .x = said, .y = share, .count = n, .color = 1, .style = PLOT_POINTS}};
  const PlotPanel panel = {.x_label = "said",
                           .y_label = "happens",
                           .curves = curves,
                           .curve_count = 3,
                           .y_low = 0,
                           .y_high = 1,
                           .x_low = 0,
                           .x_high = 1};
  char note[200];
  snprintf(note, sizeof note, "%ld events, log loss %.3f, expected %.3f", s->count, s->log_loss,
           s->expected_loss);
  const Plot plot = {.title = "Events by the probability they were given",
                     .note = note,
                     .panels = &panel,
                     .panel_count = 1,
                     .columns = 1,
                     .panel_width = 430,
                     .panel_height = 400};
  return plot_write(p->plot, &plot);
}

static void print_score(const Predict* p, Json* out, const HeftForecastScore* s) {
  if (p->json) {
    json_put_number(out, "extra", p->trust.extra);
    json_put_number(out, "power", p->trust.power);
    json_put_count(out, "scored", s->count);
    json_put_number(out, "log_loss", s->log_loss);
    json_put_number(out, "expected_loss", s->expected_loss);
    json_open_list(out, "bins");
  } else {
    printf("  log loss of the even rows       %.4f (%.4f if probabilities are right), %ld events\n",
           s->log_loss, s->expected_loss, s->count);
    printf("\n  %-14s %8s %10s %10s\n", "said", "times", "mean", "happens");
  }
  for (int b = 0; b < HEFT_FORECAST_BINS; ++b) {
    const HeftForecastBin* bin = &s->bin[b];
    if (bin->count == 0) continue;
    const double share = (double)bin->happened / (double)bin->count;
    if (p->json) {
      json_open_object(out, NULL);
      json_put_number(out, "low", bin->low);
      json_put_number(out, "high", bin->high);
      json_put_count(out, "times", bin->count);
      json_put_number(out, "said", bin->said);
      json_put_number(out, "happens", share);
      json_close_object(out);
    } else {
      printf("  %3.0f to %3.0f %%   %8ld %8.2f %% %8.2f %%\n", 100 * bin->low, 100 * bin->high,
             bin->count, 100 * bin->said, 100 * share);
    }
  }
  if (p->json) json_close_list(out);
}

// How far what was observed is from the middle of an interval, in halves of it. Negative: not
// observed.
static double off_middle(const Predict* p, long ensemble, int k) {
  const double seen = observed(p, ensemble, k);
  double ends[2];
  if (p->quantity[k].event || !isfinite(seen)) return -1;
  interval_of(p, ensemble, k, ends);
  const double off = fabs(seen - 0.5 * (ends[0] + ends[1])), half = 0.5 * (ends[1] - ends[0]);
  return half > 0 ? off / half : off > 0 ? (double)INFINITY : 0;
}

// The width by which 90 % of the next observations are held, from the odd rows (forecast.c of
// identify). Too few leave it.
static int learn_width(Predict* p) {
  double* off = calloc((size_t)p->ensembles * (size_t)p->count + 1, sizeof *off);
  long known = 0;
  if (!off) return wrong("there is not enough memory");
  for (long i = 0; i < p->ensembles; i += 2)
    for (int k = 0; k < p->count; ++k) {
      off[known] = off_middle(p, i, k);
      known += off[known] >= 0;
    }
  const double width = heft_region_size(off, known, 0.9);
  if (isfinite(width)) p->width = width;
  free(off);
  return 1;
}

// How often the intervals of a measure hold what was observed.
static void print_coverage(const Predict* p, int k) {
  long known = 0, inside = 0;
  for (long i = 1; i < p->ensembles; i += 2) {
    const double off = off_middle(p, i, k);
    known += off >= 0;
    inside += off >= 0 && off <= 1;
  }
  if (known > 0 && !p->json)
    printf("  %-30s  %.1f %% of %ld intervals of 90 %% hold it\n",
           p->in.sweep->column[p->quantity[k].column].name, 100 * (double)inside / (double)known,
           known);
}

static int score(Predict* p, Json* out) {
  int events = 0, seen = 0, well = 1;
  for (int k = 0; k < p->count; ++k) {
    events += p->quantity[k].event && p->quantity[k].observed >= 0;
    seen += p->quantity[k].observed >= 0;
  }
  if (seen == 0) return wrong("no column of the observed table is an event or a measure");
  HeftForecast* f = calloc((size_t)p->ensembles * (size_t)events + 1, sizeof *f);
  if (!f) return wrong("there is not enough memory");
  long n = 0, learned = 0;
  for (long half = 0; half < 2; ++half) {
    for (long i = half; i < p->ensembles; i += 2)
      for (int k = 0; k < p->count; ++k)
        if (p->quantity[k].event && p->quantity[k].observed >= 0) f[n++] = forecast_of(p, i, k);
    if (half == 0) learned = n;
  }
  HeftError error = {0};
  HeftForecastScore s;
  if (events > 0) {
    well = heft_trust_fit(f, learned, &p->trust, &error) == HEFT_OK;
    if (!well) wrong(error.message);
    heft_forecast_score(f + learned, n - learned, p->trust, &s);
  }
  well = well && learn_width(p);
  if (well && !p->json)
    printf("  trust, from the odd rows        --trust %.4g,%.4g,%.4g\n", p->trust.extra,
           p->trust.power, p->width);
  if (well && p->json) json_put_number(out, "width", p->width);
  if (events > 0) {
    if (well) print_score(p, out, &s);
    if (well && p->plot) well = draw(p, &s);
  }
  for (int k = 0; k < p->count && well; ++k)
    if (!p->quantity[k].event) print_coverage(p, k);
  free(f);
  return well;
}

// ---- the verb

static int read_trust(const char* text, HeftTrust* out, double* width) {
  char* end = NULL;
  out->extra = strtod(text, &end);
  if (*end == ',') out->power = strtod(end + 1, &end);
  if (*end == ',') *width = strtod(end + 1, &end);
  if (*end == '\0' && out->extra > 0 && out->extra < 1e6 && out->power > 0 && out->power < 1e2 &&
      strchr(text, ',') && *width > 0 && *width < 1e6)
    return 1;
  return wrong("--trust needs two or three numbers above 0, EXTRA,POWER,WIDTH");
}

static int predict(Predict* p, const char* folder, const char* table) {
  HeftError error = {0};
  if (!sweep_input_open_results(&p->in, folder)) return 0;
  if (table) {
    p->has_table = log_table_read(&p->table, table, &error);
    if (!p->has_table) return wrong(error.message);
  }
  if (!load(p, folder)) return 0;
  Json out = {0};
  if (p->json) out = json_begin("predict");
  int well = 1;
  if (p->has_table)
    well = score(p, &out);
  else
    print_forecasts(p, &out);
  if (p->json) json_end(&out);
  return well;
}

int heft_verb_predict(int argc, char** argv) {
  const char *folder = NULL, *table = NULL, *trust = NULL;
  Predict* p = calloc(1, sizeof *p);
  if (!p) return 1;
  p->trust = heft_trust_default();
  p->width = 1;
  const SweepOption options[] = {{"--observed", &table, NULL},
                                 {"--plot", &p->plot, NULL},
                                 {"--trust", &trust, NULL},
                                 {"--json", NULL, &p->json}};
  const int found = verb_arguments("predict", help, options, 4, argc, argv, &folder, 1);
  int code = found == -2 ? 0 : 2;
  if (found == 0) wrong("expected the folder of results of 'heft sweep run'");
  if (found == 1 && p->plot && !table) {
    wrong("--plot draws what --observed scores");
  } else if (found == 1 && (!p->plot || arguments_ending("predict", p->plot, ".svg")) &&
             (!trust || read_trust(trust, &p->trust, &p->width))) {
    code = predict(p, folder, table) ? 0 : 1;
    if (p->has_table) log_table_release(&p->table);
    sweep_data_release(&p->data);
    sweep_input_close(&p->in);
  }
  free(p);
  return code;
}
