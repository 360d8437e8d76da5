// SPDX-License-Identifier: Apache-2.0
// heft validate: cases with exact solutions, and the errors of Heft and of other engines.
#include <heft/heft.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data_folder.h"
#include "json_out.h"
#include "live.h"
#include "names.h"
#include "option_names.h"
#include "peers.h"
#include "validation/cases.h"
#include "verbs.h"

static const char help[] =
    "usage: heft validate [OPTIONS] [NAME...]\n"
    "Runs cases with exact solutions. Prints one row per case: exact value, value of Heft, error "
    "and\n"
    "limit of the error, as soon as it is known. Exit code 1 if an error exceeds its limit.\n"
    "\n"
    "  NAME                   a case (see --list), or a group: theory, users, simbench, "
    "campaigns,\n"
    "                         reality (measurements, with --data)\n"
    "  --list                 list the cases\n"
    "  --full                 long form: more steps, and the cases that take minutes\n"
    "  --peers                run the cases with the other engines that were built (bench/peers) "
    "and\n"
    "                         print their errors next to those of Heft\n"
    "  --mujoco FOLDER        folder of heft_peer_mujoco, built with another MuJoCo (default: "
    "beside\n"
    "                         this command; bench/peers/README.md); twice for two versions\n"
    "  --box3d FOLDER         folder of heft_peer_box3d (default: beside this command)\n"
    "  --timeout S            max time of another engine for a case [s] (default 120)\n"
    "  --markdown, --csv      print the table as Markdown or as CSV\n"
    "  --json                 one JSON object on stdout instead\n"
    "  --live FOLDER          write the scenes that pages show live, with their exact answers, "
    "and\n"
    "                         check them; no table\n"
    "  --data FOLDER          folder of measurements of the group reality (default: HEFT_DATA)\n"
    "  --scenes FOLDER        folder of the scene files (default: HEFT_SCENES, or as installed)\n";

typedef enum Format { FORMAT_TEXT, FORMAT_MARKDOWN, FORMAT_CSV, FORMAT_JSON } Format;

typedef struct Options Options;

typedef struct Table {
  Row* rows;
  int count, capacity;
  int printed;  ///< rows before this one are printed, or belong to other engines
  int quiet;
  Format format;
  Peers peers;
  pthread_mutex_t lock;  ///< of rows: engines may answer at the same time
} Table;

/// One engine that is asked one case.
typedef struct Asking {
  const Options* options;
  const Case* what;
  Engine* engine;
  Table* table;
  int rows;  ///< that were reported
} Asking;

struct Options {
  Format format;
  const char *mujoco[PEERS_MUJOCO], *box3d;  ///< folders of peers; NULL: beside the command
  int full, peers, list;
  double timeout;  ///< of a peer, for one case [s]
  const char *scenes, *data;
  const char* live;  ///< folder of the live scenes to be written; NULL: none
  const char* names[64];
  int name_count;
};

static const char* const group_names[CASE_GROUP_COUNT] = {"theory", "users", "simbench",
                                                          "campaigns", "reality"};

// ---- progress

static void show_progress(void* user, const char* what, double share) {
  const Asking* a = user;
  if (a->table->quiet) return;
  fprintf(stderr, "\r%-30.30s %3.0f %% ", what, 100 * share);
}

static void clear_progress(const Table* t) {
  if (!t->quiet) fprintf(stderr, "\r%40s\r", "");
}

// ---- printing

static int passes(const Row* r) { return r->error <= r->limit; }

static const Row* find_row(const Table* t, const char* engine, const Row* like) {
  for (int i = 0; i < t->count; ++i) {
    const Row* r = &t->rows[i];
    if (strcmp(r->engine, engine) == 0 && strcmp(r->name, like->name) == 0 &&
        strcmp(r->what, like->what) == 0)
      return r;
  }
  return NULL;
}

// Columns as wide as they are displayed: a letter may be more than one byte.
static void print_cell(const char* text, int width) {
  int seen = 0;
  for (const char* c = text; *c; ++c) seen += (*c & 0xC0) != 0x80;
  printf("%s%*s", text, width > seen ? width - seen : 0, "");
}

static void print_peers(const Table* t, const Peers* peers, const Row* row, const char* between) {
  for (int k = 0; k < peers->count; ++k) {
    const Row* theirs = find_row(t, peers->peer[k].name, row);
    char text[32] = "-";
    if (theirs) snprintf(text, sizeof text, "%.1e", theirs->error);
    printf("%s", between);
    print_cell(text, between[1] == '|' ? 0 : 14);
  }
}

static void print_head(const Table* t) {
  const Peers* peers = &t->peers;
  if (t->format == FORMAT_TEXT) {
    print_cell("case", 12);
    print_cell("what", 56);
    printf("%13s %13s %9s %9s  %-6s", "exact", "heft", "error", "limit", "");
    for (int k = 0; k < peers->count; ++k) {
      printf("  ");
      print_cell(peers->peer[k].name, 14);
    }
    printf("\n");
  } else if (t->format == FORMAT_MARKDOWN) {
    printf("| case | what | exact | Heft | error | limit | |");
    for (int k = 0; k < peers->count; ++k) printf(" %s |", peers->peer[k].name);
    printf("\n|---|---|---|---|---|---|---|");
    for (int k = 0; k < peers->count; ++k) printf("---|");
    printf("\n");
  }
}

static void print_text_row(const Table* t, const Row* r) {
  print_cell(r->name, 12);
  print_cell(r->what, 56);
  printf("%13.7g %13.7g %9.1e %9.1e  %-6s", r->exact, r->figure, r->error, r->limit,
         passes(r) ? "ok" : "FAILS");
  print_peers(t, &t->peers, r, "  ");
  printf("\n");
}

static void print_markdown_row(const Table* t, const Row* r) {
  printf("| %s | %s | %.6g | %.6g | %.1e | %.1e | %s", r->name, r->what, r->exact, r->figure,
         r->error, r->limit, passes(r) ? "ok" : "**fails**");
  print_peers(t, &t->peers, r, " | ");
  printf(" |\n");
}

// Prints the rows of Heft that are new: all engines have answered them.
static void print_new_rows(Table* t) {
  const int lines = t->format == FORMAT_TEXT || t->format == FORMAT_MARKDOWN;
  if (lines && t->printed < t->count) clear_progress(t);
  for (; t->printed < t->count; ++t->printed) {
    const Row* r = &t->rows[t->printed];
    if (!lines || strcmp(r->engine, "heft") != 0) continue;
    if (t->format == FORMAT_TEXT) print_text_row(t, r);
    if (t->format == FORMAT_MARKDOWN) print_markdown_row(t, r);
  }
  fflush(stdout);
}

// The rows engine by engine. Returns the next one; *at counts all that were looked at, from 0.
static const Row* next_row(const Table* t, int* at) {
  while (*at < t->count * (1 + t->peers.count)) {
    const int engine = *at / t->count;
    const Row* r = &t->rows[(*at)++ % t->count];
    if (strcmp(r->engine, engine == 0 ? "heft" : t->peers.peer[engine - 1].name) == 0) return r;
  }
  return NULL;
}

static void print_csv(const Table* t) {
  int at = 0;
  printf("engine,case,what,exact,figure,error,limit,verdict\n");
  for (const Row* r = next_row(t, &at); r; r = next_row(t, &at)) {
    printf("%s,%s,\"%s\",%.17g,%.17g,%.6g,%.6g,%s\n", r->engine, r->name, r->what, r->exact,
           r->figure, r->error, r->limit, passes(r) ? "ok" : "fails");
  }
}

static void print_json(const Table* t, int rows, int failed) {
  Json j = json_begin("validate");
  int at = 0;
  json_open_list(&j, "rows");
  for (const Row* r = next_row(t, &at); r; r = next_row(t, &at)) {
    json_open_object(&j, NULL);
    json_put_text(&j, "engine", r->engine);
    json_put_text(&j, "case", r->name);
    json_put_text(&j, "what", r->what);
    json_put_number(&j, "exact", r->exact);
    json_put_number(&j, "value", r->figure);
    json_put_number(&j, "error", r->error);
    json_put_number(&j, "limit", r->limit);
    json_put_flag(&j, "ok", passes(r));
    json_close_object(&j);
  }
  json_close_list(&j);
  json_put_count(&j, "count", rows);
  json_put_count(&j, "failed", failed);
  json_end(&j);
}

// Ends the table. Returns how many rows fail.
static int print_end(const Table* t) {
  int rows = 0, failed = 0;
  for (int i = 0; i < t->count; ++i) {
    if (strcmp(t->rows[i].engine, "heft") != 0) continue;
    ++rows;
    failed += !passes(&t->rows[i]);
  }
  if (t->format == FORMAT_CSV) print_csv(t);
  if (t->format == FORMAT_JSON) print_json(t, rows, failed);
  if (t->format == FORMAT_TEXT) printf("%d rows, %d fail\n", rows, failed);
  return failed;
}

// ---- running

static void keep_row(void* user, const Row* row) {
  Asking* a = user;
  Table* t = a->table;
  pthread_mutex_lock(&t->lock);
  const int capacity = t->count < t->capacity ? t->capacity : 2 * t->capacity + 64;
  Row* rows = capacity == t->capacity ? t->rows : realloc(t->rows, (size_t)capacity * sizeof *rows);
  if (rows) {
    t->rows = rows;
    t->capacity = capacity;
    t->rows[t->count++] = *row;
    ++a->rows;
    if (t->peers.count == 0) print_new_rows(t);
  }
  pthread_mutex_unlock(&t->lock);
}

static int is_wanted(const Options* o, const Case* c) {
  if (o->name_count == 0) return (o->full || !c->slow) && c->group != CASE_REALITY;
  for (int i = 0; i < o->name_count; ++i) {
    if (strcmp(o->names[i], c->name) == 0) return 1;
    if (strcmp(o->names[i], group_names[c->group]) == 0 &&
        (o->full || !c->slow || c->group == CASE_REALITY))
      return 1;
  }
  return 0;
}

static void* ask(void* user) {
  Asking* a = user;
  const Options* o = a->options;
  Engine* engine = a->engine;
  Run run = {.engine = engine,
             .scenes = o->scenes,
             .data = o->data,
             .name = a->what->name,
             .full = o->full,
             .sink = keep_row,
             .progress = show_progress,
             .user = a};
  show_progress(a, a->what->name, 0);
  engine->reason[0] = '\0';
  engine->until_ns = heft_clock_ns() + (uint64_t)(1e9 * o->timeout);
  a->what->run(&run);
  clear_progress(a->table);
  if (engine->reason[0] == '\0' && a->rows > 0) return NULL;
  if (engine->type == &engine_heft) {
    run_report_error(&run, engine->reason, 0, (double)NAN, (double)NAN, 0);
  } else {
    fprintf(stderr, "%s, %s: %s\n", engine->name, a->what->name, engine->reason);
  }
  return NULL;
}

// Engines in threads of their own: cases of measurements take minutes and time nothing.
static void ask_together(Asking* asking, int count) {
  pthread_t thread[1 + PEERS_MAX];
  int begun[1 + PEERS_MAX] = {0};
  for (int k = 0; k < count; ++k)
    if (asking[k].engine->type == &engine_pipe) engine_pipe_begin(asking[k].engine);
  for (int k = 0; k < count; ++k) begun[k] = pthread_create(&thread[k], NULL, ask, &asking[k]) == 0;
  for (int k = 0; k < count; ++k) {
    if (begun[k])
      pthread_join(thread[k], NULL);
    else
      ask(&asking[k]);
  }
}

// Asks Heft and the others, case by case: a row is printed when all of them have answered.
static void ask_all(const Options* o, Table* table) {
  const int count = table->peers.count;
  Engine engine[1 + PEERS_MAX] = {{.type = &engine_heft, .name = "heft"}};
  for (int k = 0; k < count; ++k)
    engine[1 + k] = (Engine){.type = &engine_pipe,
                             .name = table->peers.peer[k].name,
                             .command = table->peers.peer[k].command};
  for (int i = 0; i < case_count; ++i) {
    Asking asking[1 + PEERS_MAX];
    const int engines = 1 + (cases[i].peers ? count : 0);
    if (!is_wanted(o, &cases[i])) continue;
    for (int k = 0; k < engines; ++k)
      asking[k] = (Asking){.options = o, .what = &cases[i], .engine = &engine[k], .table = table};
    if (cases[i].group == CASE_REALITY)
      ask_together(asking, engines);
    else
      for (int k = 0; k < engines; ++k) ask(&asking[k]);
    print_new_rows(table);
  }
  for (int k = 1; k <= count; ++k) engine_pipe_end(&engine[k]);
}

static int list_cases(void) {
  for (int i = 0; i < case_count; ++i)
    printf("  %-12s %-9s %s%s\n", cases[i].name, group_names[cases[i].group], cases[i].text,
           cases[i].slow ? " (long)" : "");
  return 0;
}

// ---- options

static int is_known(const char* name) {
  for (int i = 0; i < CASE_GROUP_COUNT; ++i) {
    if (strcmp(name, group_names[i]) == 0) return 1;
  }
  for (int i = 0; i < case_count; ++i) {
    if (strcmp(name, cases[i].name) == 0) return 1;
  }
  return 0;
}

static const char* case_name(const void* from, int index) {
  (void)from;
  return cases[index].name;
}

static int take_flag(Options* o, const char* name) {
  if (strcmp(name, "--full") == 0) return o->full = 1;
  if (strcmp(name, "--peers") == 0) return o->peers = 1;
  if (strcmp(name, "--list") == 0) return o->list = 1;
  if (strcmp(name, "--markdown") == 0) {
    o->format = FORMAT_MARKDOWN;
    return 1;
  }
  if (strcmp(name, "--json") == 0) {
    o->format = FORMAT_JSON;
    return 1;
  }
  if (strcmp(name, "--csv") == 0) {
    o->format = FORMAT_CSV;
    return 1;
  }
  return 0;
}

// 1: continue, 0: wrong (reported), 2: help requested.
static int read_options(Options* o, int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "--help") == 0) return 2;
    if (take_flag(o, argv[i])) continue;
    if (strcmp(argv[i], "--scenes") == 0 && i + 1 < argc) {
      o->scenes = argv[++i];
    } else if (strcmp(argv[i], "--data") == 0 && i + 1 < argc) {
      o->data = argv[++i];
    } else if (strcmp(argv[i], "--mujoco") == 0 && i + 1 < argc) {
      o->mujoco[o->mujoco[0] ? 1 : 0] = argv[++i];
    } else if (strcmp(argv[i], "--box3d") == 0 && i + 1 < argc) {
      o->box3d = argv[++i];
    } else if (strcmp(argv[i], "--live") == 0 && i + 1 < argc) {
      o->live = argv[++i];
    } else if (strcmp(argv[i], "--timeout") == 0 && i + 1 < argc) {
      o->timeout = fmin(fmax(strtod(argv[++i], NULL), 1), 1e6);
    } else if (argv[i][0] != '-' && is_known(argv[i]) && o->name_count < 64) {
      o->names[o->name_count++] = argv[i];
    } else if (argv[i][0] == '-') {
      return option_names_wrong("validate", help, "", argv[i]);
    } else {
      return names_wrong("validate", "unknown case", argv[i], (Names){case_name, NULL, case_count});
    }
  }
  return 1;
}

static int validate(Options* o) {
  char folder[1024];
  if (!o->scenes) o->scenes = scene_folder(folder, sizeof folder);
  if (!o->scenes) {
    fprintf(
        stderr,
        "heft validate: error: the scene files were not found; name their folder with --scenes\n");
    return 1;
  }
  if (o->live) return live_write(o->live, o->scenes);
  Table table = {.quiet = !isatty(STDERR_FILENO), .format = o->format};
  if (o->peers) peers_find(&table.peers, o->mujoco, o->box3d);
  pthread_mutex_init(&table.lock, NULL);
  print_head(&table);
  ask_all(o, &table);
  const int failed = print_end(&table);
  pthread_mutex_destroy(&table.lock);
  free(table.rows);
  return failed > 0;
}

int heft_verb_validate(int argc, char** argv) {
  Options o = {.timeout = 120, .data = getenv("HEFT_DATA")};
  const int asked = read_options(&o, argc, argv);
  if (asked == 0) return 2;
  if (asked == 2) {
    printf("%s", help);
    return 0;
  }
  return o.list ? list_cases() : validate(&o);
}
