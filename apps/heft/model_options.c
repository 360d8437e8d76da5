// SPDX-License-Identifier: Apache-2.0
#include "model_options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mesh_cache.h"
#include "model_files.h"
#include "model_names.h"
#include "piece_cache.h"
#include "run_read.h"

const char model_options_help[] =
    "\n"
    "Loading:\n"
    "  --package NAME=FOLDER  folder of package://NAME/ in a URDF; may be repeated\n"
    "  --root FOLDER          allow files anywhere below FOLDER (default: the folder of the "
    "model)\n"
    "  --floating             the root link of a URDF floats (default: it is fixed to the world)\n"
    "  --fixed                the root link of a URDF is fixed to the world (default)\n"
    "  --floor                of a URDF: add a floor and place the robot on it\n"
    "  --height Z             of a URDF: lowest point of the robot at the start [m] (default with\n"
    "                         --floor: 0)\n"
    "  --servo [KP,KD]        of a URDF: give every joint a position servo that holds the start\n"
    "                         pose; stiffness and damping are KP and KD [N m/rad, N m s/rad], or\n"
    "                         follow from the effort limits\n"
    "  --srdf FILE            of a URDF: keyframes and pairs that do not collide from an SRDF\n"
    "  --exclude A,B          of a URDF: links A and B do not collide; may be repeated\n"
    "  --exclude overlaps     of a URDF: links that overlap at the start do not collide\n"
    "  --decompose ERROR      meshes collide as convex pieces that differ from them by about "
    "ERROR\n"
    "                         metres at most; 'off': as convex hulls, whatever the file says\n"
    "  --pieces N             largest number of pieces of a mesh (default: 64)\n"
    "  --soft-contacts        of MJCF: contacts yield as solref and solimp make them yield in "
    "MuJoCo\n"
    "                         under the weight of the bodies (default: they are rigid)\n"
    "  --unlimited            read files of any size and cost; for files that you trust\n"
    "  --strict               treat warnings as errors\n"
    "  --quiet                print no warnings\n"
    "Environment: HEFT_PACKAGE_PATH, a list of NAME=FOLDER or FOLDER, separated by ':'. Each "
    "subfolder\n"
    "of a plain FOLDER is a package.\n";

// "KP,KD" as two numbers of 0 or more; 0: the text is something else.
static int read_gains(const char* text, double gains[2]) {
  char* end = NULL;
  gains[0] = strtod(text, &end);
  if (end == text || *end != ',') return 0;
  const char* second = end + 1;
  gains[1] = strtod(second, &end);
  return end != second && *end == '\0' && gains[0] >= 0 && gains[1] >= 0 && gains[0] <= 1e9 &&
         gains[1] <= 1e9;
}

static char* keep(ModelOptions* o, const char* text, size_t length) {
  if (o->text_count == 2 * MODEL_PACKAGES) return NULL;
  char* copy = malloc(length + 1);
  if (!copy) return NULL;
  memcpy(copy, text, length);
  copy[length] = '\0';
  o->texts[o->text_count++] = copy;
  return copy;
}

// NAME=FOLDER, or a FOLDER of packages.
static int add_package(ModelOptions* o, const char* text, size_t length) {
  const char* equals = memchr(text, '=', length);
  if (o->def.package_count == MODEL_PACKAGES || length == 0) return 0;
  const size_t name = equals ? (size_t)(equals - text) : 0;
  const char* folder = equals ? equals + 1 : text;
  HeftPackage* p = &o->packages[o->def.package_count];
  p->name = keep(o, text, name);
  p->folder = keep(o, folder, length - (size_t)(folder - text));
  if (!p->name || !p->folder) return 0;
  o->def.packages = o->packages;
  ++o->def.package_count;
  return 1;
}

void model_options_report(const HeftError* error, const char* kind) {
  HeftError labelled = *error;
  char text[1024];
  const char* message = error->message[0] ? error->message : heft_status_text(error->status);
  snprintf(labelled.message, sizeof labelled.message, "%s: %.400s", kind, message);
  fprintf(stderr, "%s\n", heft_error_format(&labelled, text, sizeof text));
}

static void keep_message(ModelOptions* o, const HeftError* error, int count, int is_error) {
  ModelMessage* more = realloc(o->messages, ((size_t)o->message_count + 1) * sizeof *more);
  if (!more) return;
  o->messages = more;
  o->messages[o->message_count++] = (ModelMessage){*error, count, is_error};
}

void model_options_fail(ModelOptions* o, const HeftError* error) {
  if (o->messages_wanted) keep_message(o, error, 1, 1);
  model_options_report(error, "error");
}

static void report_warning(void* user, const HeftError* error, int count) {
  ModelOptions* o = user;
  char kind[40] = "warning";
  ++o->warning_count;
  if (error->status == HEFT_ERR_FILE)
    snprintf(o->notice, sizeof o->notice, "%.180s%s", error->message,
             count > 1 ? " (and more: see the terminal)" : "");
  if (o->messages_wanted) {
    keep_message(o, error, count, 0);
    return;
  }
  if (o->quiet) return;
  if (count > 1) snprintf(kind, sizeof kind, "warning (%d times)", count);
  model_options_report(error, kind);
}

static void show_progress(void* user, double share, const char* what) {
  ModelOptions* o = user;
  o->share = share;
  progress_show(&o->progress, what, share);
}

static HeftStatus convert_mesh(void* user, const char* path, char* out, size_t size,
                               HeftError* error) {
  ModelOptions* o = user;
  const char* slash = strrchr(path, '/');
  char what[80];
  int converted = 0;
  snprintf(what, sizeof what, "converting %.60s", slash ? slash + 1 : path);
  show_progress(o, o->share, what);
  const HeftStatus status = mesh_cache_find(path, out, size, &converted, error);
  o->converted += converted && status == HEFT_OK;
  return status;
}

// A length for people: 1.25 mm.
static void write_length(double x, char* out, size_t size) {
  snprintf(out, size,
           x < 1e-3 ? "%.3g um"
           : x < 1  ? "%.3g mm"
                    : "%.4g m",
           x < 1e-3 ? 1e6 * x
           : x < 1  ? 1e3 * x
                    : x);
}

static void report_pieces(void* user, const HeftPieces* p) {
  ModelOptions* o = user;
  char excess[32], missing[32];
  if (o->quiet || o->messages_wanted) return;
  write_length(p->excess, excess, sizeof excess);
  write_length(p->missing, missing, sizeof missing);
  progress_end(&o->progress);
  fprintf(stderr,
          "heft: note: mesh '%.100s' collides as %d convex piece%s; their surface is at most %s "
          "outside of the mesh, and at most %s of it is missing%s%s\n",
          p->mesh, p->count, p->count == 1 ? "" : "s", excess, missing,
          p->excess > 1.05 * p->error ? ": more than --decompose asks for" : "",
          p->excess <= 1.05 * p->error ? ""
          : p->cut_short               ? ", because the work was used up"
                                       : "; allow more with --pieces");
}

// Keeps and prints what overlaps.
static void note_overlaps(void* user, const HeftModel* model, const HeftOverlap* pairs,
                          const HeftOverlapCounts* counts, bool excluded) {
  ModelOptions* o = user;
  const int printed = !o->quiet && !o->messages_wanted;
  if (!o->overlaps) o->overlaps = malloc(sizeof *o->overlaps);
  if (!o->overlaps) return;
  progress_end(&o->progress);
  overlaps_keep(o->overlaps, model, pairs, counts);
  if (excluded && printed) overlaps_report_excluded(o->overlaps, o->path);
}

void model_options_init(ModelOptions* o) {
  memset(o, 0, sizeof *o);
  o->def = heft_load_def_default();
  o->def.warning = report_warning;
  o->def.progress = show_progress;
  o->def.convert = convert_mesh;
  o->def.pieces = report_pieces;
  o->def.overlaps = note_overlaps;
  o->def.piece_store = &piece_cache;
  o->def.user = o;
  const char* path = getenv("HEFT_PACKAGE_PATH");
  while (path && *path) {
    const size_t length = strcspn(path, ":");
    add_package(o, path, length);
    path += length + (path[length] == ':');
  }
}

void model_options_release(ModelOptions* o) {
  for (int i = 0; i < o->text_count; ++i) free(o->texts[i]);
  o->text_count = 0;
  for (int i = 0; i < o->def.urdf_exclude_count; ++i) free(o->exclude_texts[i]);
  o->def.urdf_exclude_count = 0;
  free(o->messages);
  free(o->overlaps);
  o->messages = NULL;
  o->overlaps = NULL;
}

// Whether the argument looks like a value of --servo: it begins as a number does.
static int looks_like_gains(const char* text) {
  return text && (strchr("0123456789.", text[0]) != NULL || (text[0] == '-' && text[1] != '-')) &&
         text[0] != '\0' && strchr(text, ',') != NULL;
}

static int take_servo(ModelOptions* o, const char* value, int* i) {
  o->def.urdf_servos = HEFT_URDF_SERVOS_BY_EFFORT;
  if (!looks_like_gains(value)) return 1;
  ++*i;
  o->def.urdf_servos = HEFT_URDF_SERVOS_BY_GAINS;
  if (read_gains(value, o->def.urdf_gains)) return 1;
  fprintf(stderr, "heft: error: --servo %s: expected KP,KD, two numbers of 0 or more\n", value);
  return -1;
}

static int take_height(ModelOptions* o, const char* value) {
  char* end = NULL;
  o->def.urdf_height = strtod(value, &end);
  o->def.urdf_place = 1;
  if (end != value && *end == '\0' && fabs(o->def.urdf_height) <= 1e9) return 1;
  fprintf(stderr, "heft: error: --height %s: expected a height in metres\n", value);
  return -1;
}

// Two names, separated by a comma. 0: there is no room.
static int add_exclude(ModelOptions* o, const char* first, const char* second) {
  const size_t a = strlen(first), b = strlen(second);
  const int n = o->def.urdf_exclude_count;
  char* text = n < MODEL_EXCLUDES ? malloc(a + b + 2) : NULL;
  if (!text) return 0;
  memcpy(text, first, a + 1);
  memcpy(text + a + 1, second, b + 1);
  o->exclude_texts[n] = text;
  o->excludes[n] = (HeftLinkPair){{text, text + a + 1}};
  o->def.urdf_excludes = o->excludes;
  ++o->def.urdf_exclude_count;
  return 1;
}

static int take_exclude(ModelOptions* o, const char* value) {
  char first[256];
  const char* comma = strchr(value, ',');
  if (strcmp(value, "overlaps") == 0) {
    o->def.urdf_overlaps = HEFT_URDF_OVERLAPS_EXCLUDE;
    return 1;
  }
  const size_t length = comma ? (size_t)(comma - value) : 0;
  if (length > 0 && length < sizeof first && comma[1]) {
    memcpy(first, value, length);
    first[length] = '\0';
    if (add_exclude(o, first, comma + 1)) return 1;
  }
  fprintf(stderr, "heft: error: --exclude %s: expected LINK,LINK or 'overlaps'\n", value);
  return -1;
}

static int take_decompose(ModelOptions* o, const char* value) {
  char* end = NULL;
  if (strcmp(value, "off") == 0) {
    o->def.decompose = -1;
    return 1;
  }
  o->def.decompose = strtod(value, &end);
  if (end != value && *end == '\0' && o->def.decompose > 0 && o->def.decompose <= 1e9) return 1;
  fprintf(stderr,
          "heft: error: --decompose %s: expected a distance in metres above 0, such as 0.002, or "
          "'off'\n",
          value);
  return -1;
}

static int take_pieces(ModelOptions* o, const char* value) {
  char* end = NULL;
  const long count = strtol(value, &end, 10);
  o->def.decompose_pieces = (int)count;
  if (end != value && *end == '\0' && count >= 1 && count <= 1000) return 1;
  fprintf(stderr, "heft: error: --pieces %s: expected a number from 1 to 1000\n", value);
  return -1;
}

static int take_package(ModelOptions* o, const char* value) {
  if (strchr(value, '=') && add_package(o, value, strlen(value))) return 1;
  fprintf(stderr,
          "heft: error: --package %s: expected NAME=FOLDER; at most %d packages are possible\n",
          value, MODEL_PACKAGES);
  return -1;
}

// Options without a value. 0: unknown.
static int take_flag(ModelOptions* o, const char* name) {
  if (strcmp(name, "--strict") == 0) return o->def.strict = 1;
  if (strcmp(name, "--quiet") == 0) return o->quiet = 1;
  if (strcmp(name, "--unlimited") == 0) {
    o->def.limits.file_bytes = o->def.limits.total_bytes = SIZE_MAX;
    o->def.limits.work = (double)INFINITY;
    return 1;
  }
  if (strcmp(name, "--soft-contacts") == 0) return o->def.soft_contacts = 1;
  if (strcmp(name, "--floor") == 0) return o->def.urdf_floor = 1;
  const int floating = strcmp(name, "--floating") == 0;
  if (!floating && strcmp(name, "--fixed") != 0) return 0;
  o->def.base = floating ? HEFT_BASE_FLOATING : HEFT_BASE_FIXED;
  return 1;
}

int model_options_take(ModelOptions* o, int argc, char** argv, int* i) {
  static const char* const names[] = {"--package", "--root",      "--height", "--srdf",
                                      "--exclude", "--decompose", "--pieces"};
  const char* name = argv[*i];
  const char* value = *i + 1 < argc ? argv[*i + 1] : NULL;
  size_t which = 0;
  if (take_flag(o, name)) return 1;
  if (strcmp(name, "--servo") == 0) return take_servo(o, value, i);
  while (which < sizeof names / sizeof *names && strcmp(names[which], name) != 0) ++which;
  if (which == sizeof names / sizeof *names) return 0;
  if (!value) {
    fprintf(stderr, "heft: error: the option %s needs a value\n", name);
    return -1;
  }
  ++*i;
  if (which == 0) return take_package(o, value);
  if (which == 2) return take_height(o, value);
  if (which == 4) return take_exclude(o, value);
  if (which == 5) return take_decompose(o, value);
  if (which == 6) return take_pieces(o, value);
  if (which == 1) o->def.root = value;
  if (which == 3) o->def.srdf = value;
  return 1;
}

void model_options_store(const ModelOptions* o, HeftLoading* out) {
  const HeftLoadDef* d = &o->def;
  memset(out, 0, sizeof *out);
  out->floating = d->base == HEFT_BASE_FLOATING;
  out->floor = d->urdf_floor;
  out->place = d->urdf_place;
  out->height = d->urdf_height;
  out->servos = (int)d->urdf_servos;
  out->gains[0] = d->urdf_gains[0];
  out->gains[1] = d->urdf_gains[1];
  out->exclude_overlaps = d->urdf_overlaps == HEFT_URDF_OVERLAPS_EXCLUDE;
  out->decompose = d->decompose;
  out->pieces = d->decompose_pieces;
  out->soft_contacts = d->soft_contacts;
  out->folders = d->root || d->package_count > 0;
  if (d->srdf) snprintf(out->srdf, sizeof out->srdf, "%s", d->srdf);
  for (int i = 0; i < d->urdf_exclude_count; ++i)
    heft_loading_exclude(out, d->urdf_excludes[i].link[0], d->urdf_excludes[i].link[1]);
}

int model_options_given(const ModelOptions* o) {
  const HeftLoadDef* d = &o->def;
  return d->base == HEFT_BASE_FLOATING || d->urdf_floor || d->urdf_place || d->urdf_servos ||
         d->srdf || d->urdf_exclude_count > 0 || d->urdf_overlaps == HEFT_URDF_OVERLAPS_EXCLUDE ||
         d->decompose != 0 || d->soft_contacts;
}

void model_options_use(ModelOptions* o, const HeftLoading* l) {
  HeftLoadDef* d = &o->def;
  if (model_options_given(o)) return;
  d->base = l->floating ? HEFT_BASE_FLOATING : HEFT_BASE_FIXED;
  d->urdf_floor = l->floor != 0;
  d->urdf_place = l->place != 0;
  d->urdf_height = l->height;
  d->urdf_servos = (HeftUrdfServos)l->servos;
  memcpy(d->urdf_gains, l->gains, sizeof d->urdf_gains);
  d->srdf = l->srdf[0] ? l->srdf : NULL;
  if (l->exclude_overlaps) d->urdf_overlaps = HEFT_URDF_OVERLAPS_EXCLUDE;
  d->decompose = l->decompose;
  d->soft_contacts = l->soft_contacts != 0;
  if (l->pieces > 0) d->decompose_pieces = l->pieces;
  for (int i = 0; i < l->exclude_count; ++i)
    add_exclude(o, l->text + l->exclude[i][0], l->text + l->exclude[i][1]);
}

// The model that the log of a run contains.
static HeftStatus load_from_log(const char* path, HeftModel** out, HeftError* error) {
  RunRead* log = run_read_open_path(path, error);
  *out = log ? run_read_copy_model(log, error) : NULL;
  run_read_close(log);
  return *out ? HEFT_OK : error->status;
}

static int is_built(const ModelOptions* o, const char* path) {
  return o->builder && strcmp(path, o->built) == 0;
}

HeftStatus model_options_load_quietly(ModelOptions* o, const char* path, HeftModel** out,
                                      HeftError* error) {
  o->warning_count = 0;
  o->progress = progress_begin();
  o->notice[0] = '\0';
  o->start = NULL;
  o->message_count = 0;
  o->path = path;
  if (o->overlaps) o->overlaps->counts = (HeftOverlapCounts){0};
  const HeftStatus status = is_built(o, path) ? heft_plugin_set_build(o->builder->set, out, error)
                            : run_read_is_log(path)
                                ? load_from_log(path, out, error)
                                : heft_model_load_file(out, path, &o->def, error);
  progress_end(&o->progress);
  return status;
}

// Reports the overlaps that are left in the model; of MJCF they are looked for first.
static void report_overlaps(ModelOptions* o, const char* path, const HeftModel* model, int urdf) {
  HeftOverlap pairs[OVERLAPS_MAX];
  HeftOverlapCounts counts;
  if (!urdf && heft_model_overlaps(model, -1, OVERLAPS_MAX, pairs, &counts, NULL) == HEFT_OK)
    note_overlaps(o, model, pairs, &counts, false);
  if (!o->overlaps) return;
  if (!o->quiet && !o->messages_wanted) overlaps_report(o->overlaps, path, urdf);
  o->warning_count += o->overlaps->counts.count > 0;
}

HeftModel* model_options_load(ModelOptions* o, const char* path) {
  char found[MODEL_NAME_PATH];
  HeftModel* model = NULL;
  HeftError error = {0};
  if (!is_built(o, path)) path = model_name_find(path, found);
  if (model_options_load_quietly(o, path, &model, &error) != HEFT_OK) {
    o->failure = error;
    model_options_fail(o, &error);
    if (!is_built(o, path)) model_name_hint(path);
    return NULL;
  }
  const int urdf = model_format(path) == MODEL_URDF;
  if (urdf && heft_model_find(model, HEFT_NAMED_KEY, "home") >= 0) o->start = "home";
  if (urdf || o->report_overlaps) report_overlaps(o, path, model, urdf);
  return model;
}

static void write_messages(const ModelOptions* o, Json* j, const char* key, int errors) {
  json_open_list(j, key);
  for (int i = 0; i < o->message_count; ++i) {
    const ModelMessage* m = &o->messages[i];
    if (m->is_error != errors) continue;
    json_open_object(j, NULL);
    json_put_text(j, "file", m->error.file);
    json_put_count(j, "line", m->error.line);
    json_put_count(j, "column", m->error.column);
    json_put_text(j, "message", m->error.message);
    json_put_count(j, "count", m->count);
    json_close_object(j);
  }
  json_close_list(j);
}

void model_options_write_messages(const ModelOptions* o, Json* j) {
  write_messages(o, j, "warnings", 0);
  write_messages(o, j, "errors", 1);
  json_open_list(j, "overlaps");
  for (int i = 0; o->overlaps && i < o->overlaps->counts.count; ++i) {
    json_open_object(j, NULL);
    json_open_list(j, "bodies");
    json_put_text(j, NULL, o->overlaps->name[i][0]);
    json_put_text(j, NULL, o->overlaps->name[i][1]);
    json_close_list(j);
    json_put_number(j, "depth", o->overlaps->pair[i].depth);
    json_close_object(j);
  }
  json_close_list(j);
  json_put_flag(j, "overlaps_complete", o->overlaps && overlaps_complete(o->overlaps));
}
