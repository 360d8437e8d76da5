// SPDX-License-Identifier: Apache-2.0
// heft info: contents of a model.
#include <heft/heft.h>
#include <heft/io.h>
#include <stdio.h>
#include <string.h>

#include "file_arguments.h"
#include "json_out.h"
#include "model_options.h"
#include "verbs.h"

static const char help[] =
    "usage: heft info [OPTIONS] FILE...\n"
    "Prints the contents of a model: counts, masses, degrees of freedom, the tree of bodies, and "
    "the\n"
    "names of joints, actuators, sensors, keyframes and others.\n"
    "FILE is MJCF, URDF or a compiled model (.heft), or the name of an installed one.\n"
    "\n"
    "  --short                counts only, no tree and no names\n"
    "  --all                  all bodies and names (default: the first 40 of each kind)\n"
    "  --json                 one JSON object on stdout, with all names\n"
    "  --table                one row of a Markdown table for each file\n"
    "  --list                 the models that are found by name, with their folders\n"
    "  --mjcf-attributes      the MJCF elements and attributes that Heft reads, as Markdown\n";

// ---- one model

enum { PATHS = 64 };  // models that may be given by name

typedef struct Options {
  ModelOptions model;
  int tree, table, all, json, attributes, list, none;
} Options;

// Counts that are printed if they are not zero.
typedef struct Count {
  const char *name, *key;
  int count;
} Count;

enum { COUNTS = 17, SHOWN = 40 };

static void find_counts(const HeftModel* m, Count out[COUNTS]) {
  const Count counts[COUNTS] = {{"meshes", "meshes", m->nmesh},
                                {"vertices", "vertices", m->nvertex},
                                {"triangles", "triangles", m->nface},
                                {"hull triangles", "hull_triangles", m->nhull},
                                {"height fields", "height_fields", m->nheight_field},
                                {"sites", "sites", m->nsite},
                                {"contact materials", "contact_materials", m->nmaterial},
                                {"contact pairs", "contact_pairs", m->npair},
                                {"contact excludes", "contact_excludes", m->nexclude},
                                {"equalities", "equalities", m->nequality},
                                {"tendons", "tendons", m->ntendon},
                                {"actuators", "actuators", m->nactuator},
                                {"activations", "activations", m->nact},
                                {"sensors", "sensors", m->nsensor},
                                {"keyframes", "keyframes", m->nkey},
                                {"cameras", "cameras", m->ncamera},
                                {"lights", "lights", m->nlight}};
  memcpy(out, counts, sizeof counts);
}

static int count_movable(const HeftModel* m) {
  int movable = 0;
  for (int b = 1; b < m->nbody; ++b) movable += m->body_joint_count[b] > 0;
  return movable;
}

static int count_colliding(const HeftModel* m) {
  int collides = 0;
  for (int s = 0; s < m->nshape; ++s)
    collides += m->shape_category[s] != 0 || m->shape_collides[s] != 0;
  return collides;
}

static void print_sizes(const HeftModel* m, const char* path, double ms) {
  Count counts[COUNTS];
  find_counts(m, counts);
  printf("%s\n", path);
  printf("  loaded in           %.1f ms\n", ms);
  printf("  bodies              %d, %d of them with joints\n", m->nbody - 1, count_movable(m));
  printf("  joints              %d\n", m->njoint);
  printf("  degrees of freedom  %d (coordinates %d)\n", m->nv, m->nq);
  printf("  mass                %.6g kg\n", heft_model_mass(m));
  printf("  shapes              %d, %d of them collide\n", m->nshape, count_colliding(m));
  for (int i = 0; i < COUNTS; ++i) {
    if (counts[i].count > 0) printf("  %-19s %d\n", counts[i].name, counts[i].count);
  }
  printf("  time step           %g s, gravity %g %g %g m/s²\n", m->physics.time_step,
         m->physics.gravity[0], m->physics.gravity[1], m->physics.gravity[2]);
  const HeftPhysics* x = &m->physics;
  if (x->density > 0 || x->viscosity > 0)
    printf("  fluid               %g kg/m³, %g Pa s, wind %g %g %g m/s\n", x->density, x->viscosity,
           x->wind[0], x->wind[1], x->wind[2]);
  printf("  memory              %.1f MB\n", (double)m->memory_size / 1e6);
  printf("  hash                %016llx\n", (unsigned long long)heft_model_hash(m));
}

static void print_joint(const HeftModel* m, int j) {
  const int d = m->joint_dof[j];
  const char* name = heft_model_name(m, HEFT_NAMED_JOINT, j);
  printf(", %s%s%s", heft_joint_type_name(m->joint_type[j]), name[0] ? " " : "", name);
  if (heft_joint_type_dof_count(m->joint_type[j]) > 0 && m->dof_limited[d])
    printf(" [%.4g, %.4g]", m->dof_range[2L * d], m->dof_range[2L * d + 1]);
}

// The kinds whose names are listed. The first two are in the tree.
static const struct {
  HeftNamed kind;
  const char *name, *key;
} kinds[] = {{HEFT_NAMED_BODY, "bodies", "body_names"},
             {HEFT_NAMED_JOINT, "joints", "joint_names"},
             {HEFT_NAMED_ACTUATOR, "actuators", "actuator_names"},
             {HEFT_NAMED_SENSOR, "sensors", "sensor_names"},
             {HEFT_NAMED_SITE, "sites", "site_names"},
             {HEFT_NAMED_KEY, "keyframes", "keyframe_names"},
             {HEFT_NAMED_CAMERA, "cameras", "camera_names"}};
enum { KINDS = sizeof kinds / sizeof *kinds, IN_TREE = 2, WIDTH = 96 };

// Names in lines that fit a terminal.
static void print_kind(const HeftModel* m, int kind, int all) {
  const int count = heft_model_named_count(m, kinds[kind].kind);
  int column = 0, shown = 0;
  for (int i = kinds[kind].kind == HEFT_NAMED_BODY; i < count; ++i) {
    const char* name = heft_model_name(m, kinds[kind].kind, i);
    const int length = (int)strlen(name) + 2;
    if (!name[0]) {
      continue;
    }
    if (!all && shown == SHOWN) {
      printf(", and more (--all)");
      break;
    }
    if (shown++ == 0) {
      column = printf("    %-10s ", kinds[kind].name);
    } else if (column + length > WIDTH) {
      column = printf(",\n               ") - 2;
    } else {
      column += printf(", ");
    }
    column += printf("%s", name);
  }
  if (shown > 0) printf("\n");
}

static void print_names(const HeftModel* m, int all) {
  printf("  names\n");
  for (int k = IN_TREE; k < KINDS; ++k) print_kind(m, k, all);
}

static void print_tree(const HeftModel* m, int all) {
  printf("  tree\n    world\n");
  for (int b = 1; b < m->nbody; ++b) {
    if (b > SHOWN && !all) {
      printf("    and %d more (--all)\n", m->nbody - b);
      break;
    }
    int depth = 0;
    for (int p = b; p > 0; p = m->body_parent[p]) ++depth;
    const char* name = heft_model_name(m, HEFT_NAMED_BODY, b);
    printf("    %*s%s  %.4g kg", 2 * (depth < 40 ? depth : 40), "", name[0] ? name : "(no name)",
           m->body_mass[b]);
    for (int k = 0; k < m->body_joint_count[b]; ++k) print_joint(m, m->body_joint[b] + k);
    if (m->body_joint_count[b] == 0) printf(", welded");
    printf("\n");
  }
}

// ---- JSON

static void write_limits(Json* j, const HeftModel* m, int joint) {
  const int d = m->joint_dof[joint];
  if (heft_joint_type_dof_count(m->joint_type[joint]) == 0 || !m->dof_limited[d]) return;
  json_open_list(j, "range");
  json_put_number(j, NULL, m->dof_range[2L * d]);
  json_put_number(j, NULL, m->dof_range[2L * d + 1]);
  json_close_list(j);
}

static void write_bodies(Json* j, const HeftModel* m) {
  json_open_list(j, "bodies");
  for (int b = 1; b < m->nbody; ++b) {
    json_open_object(j, NULL);
    json_put_text(j, "name", heft_model_name(m, HEFT_NAMED_BODY, b));
    json_put_count(j, "parent", m->body_parent[b] - 1);  // -1: the world
    json_put_number(j, "mass", m->body_mass[b]);
    json_open_list(j, "joints");
    for (int k = 0; k < m->body_joint_count[b]; ++k) {
      const int joint = m->body_joint[b] + k;
      json_open_object(j, NULL);
      json_put_text(j, "name", heft_model_name(m, HEFT_NAMED_JOINT, joint));
      json_put_text(j, "type", heft_joint_type_name(m->joint_type[joint]));
      write_limits(j, m, joint);
      json_close_object(j);
    }
    json_close_list(j);
    json_close_object(j);
  }
  json_close_list(j);
}

static void write_model(Json* j, const HeftModel* m, double ms) {
  Count counts[COUNTS];
  find_counts(m, counts);
  json_put_number(j, "load_ms", ms);
  json_put_count(j, "body_count", m->nbody - 1);
  json_put_count(j, "joint_count", m->njoint);
  json_put_count(j, "nq", m->nq);
  json_put_count(j, "nv", m->nv);
  json_put_number(j, "mass", heft_model_mass(m));
  json_put_count(j, "shapes", m->nshape);
  json_put_count(j, "colliding_shapes", count_colliding(m));
  for (int i = 0; i < COUNTS; ++i) json_put_count(j, counts[i].key, counts[i].count);
  json_put_number(j, "time_step", m->physics.time_step);
  json_open_list(j, "gravity");
  for (int k = 0; k < 3; ++k) json_put_number(j, NULL, m->physics.gravity[k]);
  json_close_list(j);
  json_put_count(j, "memory_bytes", (int64_t)m->memory_size);
  json_put_hash(j, "hash", heft_model_hash(m));
  for (int k = 0; k < KINDS; ++k) {
    json_open_list(j, kinds[k].key);
    for (int i = kinds[k].kind == HEFT_NAMED_BODY; i < heft_model_named_count(m, kinds[k].kind);
         ++i)
      json_put_text(j, NULL, heft_model_name(m, kinds[k].kind, i));
    json_close_list(j);
  }
  write_bodies(j, m);
}

// ---- the table of models

static int print_row(ModelOptions* options, const char* path) {
  HeftError error = {0};
  HeftModel* model = NULL;
  options->warning_count = 0;
  if (heft_model_load_file(&model, path, &options->def, &error) != HEFT_OK) {
    const char* base = strrchr(error.file, '/');
    printf("| %s | | | | | refused: %s:%d: %s |\n", path, base ? base + 1 : error.file, error.line,
           error.message);
    return 0;
  }
  printf("| %s | %d | %d | %d | %.6g | %d |\n", path, model->nbody - 1, model->nv, model->nactuator,
         heft_model_mass(model), options->warning_count);
  heft_model_destroy(model);
  return 1;
}

// ---- the table of attributes

static void print_attributes(void) {
  HeftMjcfAttribute a;
  const char *element = "", *place = "";
  for (int i = 0; i < heft_mjcf_attribute_count(); ++i) {
    heft_mjcf_attribute(i, &a);
    if (strcmp(a.element, element) != 0 || strcmp(a.place, place) != 0) {
      printf("\n## %s (in %s)\n\n| attribute | type | default | meaning |\n|---|---|---|---|\n",
             a.element, a.place);
      element = a.element;
      place = a.place;
    }
    char count[32] = "";
    if (a.max > 1 && a.min == a.max) snprintf(count, sizeof count, " x %d", a.max);
    if (a.max > a.min) snprintf(count, sizeof count, " x %d to %d", a.min, a.max);
    if (a.type[0]) {
      printf("| %s | %s%s | %s | %s |\n", a.name, a.type, count, a.fallback ? a.fallback : "",
             a.meaning);
    } else {
      printf("| %s | | | *not read:* %s |\n", a.name, a.meaning);
    }
  }
}

static void print_custom(void) {
  HeftMjcfCustom c;
  printf("\n## What Heft adds in custom\n\n| element | name | meaning |\n|---|---|---|\n");
  for (int i = 0; i < heft_mjcf_custom_count(); ++i) {
    heft_mjcf_custom(i, &c);
    printf("| %s | `%s` | %s |\n", c.element, c.name, c.meaning);
  }
}

static int info_of(Options* o, const char* path, Json* json) {
  const uint64_t begin = heft_clock_ns();
  HeftModel* model = model_options_load(&o->model, path);
  const double ms = (double)(heft_clock_ns() - begin) * 1e-6;
  if (json) {
    json_open_object(json, NULL);
    json_put_text(json, "file", path);
    json_put_flag(json, "ok", model != NULL);
    if (model) write_model(json, model, ms);
    model_options_write_messages(&o->model, json);
    json_close_object(json);
  } else if (model) {
    print_sizes(model, path, ms);
    if (o->tree) {
      print_tree(model, o->all);
      print_names(model, o->all);
    }
  }
  heft_model_destroy(model);
  return model != NULL;
}

static int take_flag(void* options, const char* name) {
  Options* o = options;
  if (strcmp(name, "--short") == 0) return !(o->tree = 0);
  if (strcmp(name, "--all") == 0) return o->all = 1;
  if (strcmp(name, "--json") == 0) return o->json = 1;
  if (strcmp(name, "--table") == 0) return o->table = o->model.quiet = 1;
  if (strcmp(name, "--list") == 0) return o->none = o->list = 1;
  if (strcmp(name, "--mjcf-attributes") == 0) return o->none = o->attributes = 1;
  return 0;
}

static int info_of_all(Options* o, int files, char** path) {
  int failed = 0;
  if (o->table)
    printf(
        "| model | bodies | dofs | actuators | mass [kg] | warnings "
        "|\n|---|---|---|---|---|---|\n");
  Json json = {0};
  if (o->json) {
    json = json_begin("info");
    json_open_list(&json, "models");
    o->model.messages_wanted = 1;
  }
  for (int i = 0; i < files; ++i)
    failed +=
        !(o->table ? print_row(&o->model, path[i]) : info_of(o, path[i], o->json ? &json : NULL));
  if (o->json) {
    json_close_list(&json);
    json_end(&json);
  }
  return failed > 0 && !o->table;
}

int heft_verb_info(int argc, char** argv) {
  Options o = {.tree = 1};
  model_options_init(&o.model);
  static char paths[PATHS][MODEL_NAME_PATH];
  const FileArguments arguments = {.verb = "info",
                                   .help = help,
                                   .model = &o.model,
                                   .options = &o,
                                   .flag = take_flag,
                                   .paths = paths,
                                   .path_count = PATHS};
  const int files = file_arguments_read(&arguments, argc, argv, &o.none);
  int result = files == FILES_HELP ? 0 : 2;
  if (o.attributes && files >= 0) {
    print_attributes();
    print_custom();
    result = 0;
  }
  if (o.list && files >= 0) {
    model_names_list();
    result = 0;
  }
  if (files > 0) result = info_of_all(&o, files, argv);
  model_options_release(&o.model);
  return result;
}
