// SPDX-License-Identifier: Apache-2.0
// Papers: U1.
// Long runs in which an event must never occur: motion of robots at rest, models that become not
// finite. The short forms run in the tests; `heft validate --full campaigns` takes hours.
#include <dirent.h>
#include <heft/io.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "validation/cases.h"

static double total_mass(const HeftModel* m) {
  double mass = 0;
  for (int i = 0; i < m->nbody; ++i) mass += m->body_mass[i];
  return mass;
}

// ---- rest

static void stay_at_rest(Run* run, const char* scene, const char* const names[3], double settle) {
  EngineSettings s = engine_settings();
  s.tolerance = 1e-12;
  if (!run_open(run, scene, &s)) return;
  const double h = run->engine->step, weight = total_mass(run->engine->model) * CASE_GRAVITY;
  const long steps = (long)((run->full ? 600 : 10) / h);
  double fastest = 0, low = 1e300, high = 0;
  run_step(run, (int)(settle / h));
  const EngineBody start = run_body(run, 1);
  for (long i = 0; i < steps; ++i) {
    run_step(run, 1);
    const HeftState* state = heft_world_state(run->engine->world);
    double sum = 0;
    for (int k = 0; k < state->nv; ++k) fastest = fmax(fastest, fabs(state->v[k]));
    for (int k = 0; k < heft_world_contact_count(run->engine->world); ++k)
      sum += heft_world_contact(run->engine->world, k).force.z;
    low = fmin(low, sum);
    high = fmax(high, sum);
    if (i % 1000 == 0) run_progress(run, (double)i / (double)steps);
  }
  const EngineBody end = run_body(run, 1);
  run_close(run);
  run_report(run, names[0], 0, fastest, 1e-12);
  run_report_error(run, names[1], weight, high,
                   fmax(fabs(high - weight), fabs(low - weight)) / weight, 1e-9);
  run_report(run, names[2], 0, heft_vec3_norm(heft_vec3_sub(end.pos, start.pos)), 1e-9);
}

void case_rest(Run* run) {
  static const char* const box[3] = {"box: greatest speed [m/s]",
                                     "box: sum of its contact forces [N]", "box: drift [m]"};
  static const char* const robot[3] = {"robot: greatest speed [m/s, rad/s]",
                                       "robot: sum of its contact forces [N]", "robot: drift [m]"};
  stay_at_rest(run, "slide.xml", box, 1);
  if (run->engine->reason[0]) return;
  stay_at_rest(run, "quadruped.xml", robot, 40);
}

// ---- models

typedef struct Bytes {
  char* text;
  size_t size;
} Bytes;

static HeftStatus keep_bytes(void* user, const char* name, const void* bytes, size_t size,
                             HeftError* error) {
  (void)error;
  Bytes* b = user;
  if (name[0]) return HEFT_OK;
  b->text = malloc(size + 1);
  if (!b->text) return HEFT_ERR_MEMORY;
  memcpy(b->text, bytes, size);
  b->text[size] = '\0';
  b->size = size;
  return HEFT_OK;
}

// The model with a floor 1.5 m below the origin of the world: written as MJCF and read again.
static HeftModel* with_floor(const HeftModel* model, HeftError* error) {
  static const char floor[] =
      "<geom name=\"heft validation floor\" type=\"plane\" size=\"50 50 1\" pos=\"0 0 -1.5\"/>";
  Bytes bytes = {0};
  HeftModel* out = NULL;
  HeftWriteDef write = heft_write_def_default();
  write.put = keep_bytes;
  write.user = &bytes;
  if (heft_model_write_mjcf(model, &write, error) != HEFT_OK) return NULL;
  char* at = strstr(bytes.text, "<worldbody");
  at = at ? strchr(at, '>') : NULL;
  char* text = at && at[-1] != '/' ? calloc(1, bytes.size + sizeof floor + 1) : NULL;
  if (text) {
    HeftLoadDef def = heft_load_def_default();
    const size_t head = (size_t)(at + 1 - bytes.text);
    memcpy(text, bytes.text, head);
    memcpy(text + head, floor, sizeof floor - 1);
    memcpy(text + head + sizeof floor - 1, at + 1, bytes.size - head);
    heft_model_load_bytes(&out, text, bytes.size + sizeof floor - 1, "floor.xml", &def, error);
  }
  free(text);
  free(bytes.text);
  return out;
}

typedef struct Falls {
  int models, finite, refused;
  double seconds;
  const char* folder;
} Falls;

enum { MANY_DOFS = 500 };
static const double many_tolerance = 1e-3;  // of models with more dofs: heaps

// Simulates the fall of a model. Returns 1 if no step failed and the last state is finite; text
// receives a summary.
static int falls_well(const HeftModel* m, double seconds, char* text, size_t size) {
  HeftWorld* w = NULL;
  HeftError error = {0};
  HeftStepReport r = {0};
  HeftWorldDef def = heft_world_def_default();
  if (m->nv > MANY_DOFS) def.tolerance = many_tolerance;
  int well = heft_world_create(&w, m, &def, &error) == HEFT_OK;
  if (!well) snprintf(text, size, "%s", error.message);
  const long steps = (long)(seconds / m->physics.time_step + 0.5);
  const uint64_t begin = heft_clock_ns();
  double fastest = 0;
  for (long i = 0; well && i < steps; ++i) {
    r = heft_world_step(w);
    fastest = fmax(fastest, r.kinetic);
    well = heft_step_taken(r.status) && isfinite(r.kinetic) && isfinite(r.potential);
    if (!well) snprintf(text, size, "step %ld: %s", i, heft_step_status_text(r.status));
  }
  if (well)
    snprintf(text, size, "%ld steps in %.1f s, kinetic energy at most %.3g J, at last %.3g J",
             steps, 1e-9 * (double)(heft_clock_ns() - begin), fastest, r.kinetic);
  heft_world_destroy(w);
  return well;
}

static void drop_file(Run* run, Falls* f, const char* path) {
  HeftError error = {0};
  HeftLoadDef def = heft_load_def_default();
  const HeftPackage package = {"example-robot-data/robots", f->folder};
  def.packages = &package;
  def.package_count = 1;
  def.root = f->folder;
  def.base = HEFT_BASE_FLOATING;
  HeftModel *model = NULL, *floored = NULL;
  if (heft_model_load_file(&model, path, &def, &error) != HEFT_OK) {
    ++f->refused;
    return;
  }
  floored = with_floor(model, &error);
  ++f->models;
  char text[600];
  snprintf(text, sizeof text, "%s", error.message);
  const int well = floored && falls_well(floored, f->seconds, text, sizeof text);
  f->finite += well;
  if (!well || run->full) fprintf(stderr, "models: %s: %s\n", path, text);
  heft_model_destroy(floored);
  heft_model_destroy(model);
}

static void drop_folder(Run* run, Falls* f, const char* folder, int depth) {
  struct dirent** entries = NULL;
  const int count = depth < 6 ? scandir(folder, &entries, NULL, alphasort) : 0;
  for (int i = 0; i < count; ++i) {
    const char* name = entries[i]->d_name;
    const char* end = strrchr(name, '.');
    char path[1300];
    snprintf(path, sizeof path, "%.1000s/%.255s", folder, name);
    if (!end)
      drop_folder(run, f, path,
                  depth + 1);  // a folder, or a file without an extension, which has no entries
    if (end && (strcmp(end, ".xml") == 0 || strcmp(end, ".urdf") == 0)) {
      drop_file(run, f, path);
      run_progress(run, fmin(1, f->models / 64.0));
    }
    free(entries[i]);
  }
  free(entries);
}

void case_models(Run* run) {
  const char* folder = getenv("HEFT_ROBOTS");
  if (!folder) {
    snprintf(run->engine->reason, sizeof run->engine->reason,
             "set HEFT_ROBOTS to the folder of third-party models");
    return;
  }
  char urdf[1100];
  snprintf(urdf, sizeof urdf, "%s/urdf", folder);
  Falls mjcf = {.seconds = run->full ? 10 : 0.2, .folder = folder}, robots = mjcf;
  char path[1100];
  snprintf(path, sizeof path, "%s/mjcf", folder);
  drop_folder(run, &mjcf, path, 0);
  robots.folder = urdf;
  drop_folder(run, &robots, urdf, 0);
  if (mjcf.models + robots.models == 0) {
    snprintf(run->engine->reason, sizeof run->engine->reason,
             "HEFT_ROBOTS has no model in its folders mjcf and urdf");
    return;
  }
  run_report(run,
             run->full ? "models that fall for 10 s and stay finite"
                       : "models that fall for 0.2 s and stay finite",
             mjcf.models + robots.models, mjcf.finite + robots.finite, 0);
}
