// SPDX-License-Identifier: Apache-2.0
// heft info: contents of a model.
#include <heft/heft.h>
#include <heft/io.h>
#include <stdio.h>
#include <string.h>

#include "model_options.h"
#include "verbs.h"

static const char help[] =
    "usage: heft info [OPTIONS] FILE...\n"
    "Prints the contents of a model: counts, masses, degrees of freedom, the tree of bodies.\n"
    "FILE is MJCF, URDF or a compiled model (.heft).\n"
    "\n"
    "  --short                counts only, no tree\n"
    "  --table                one row of a Markdown table for each file\n"
    "  --mjcf-attributes      the MJCF elements and attributes that Heft reads, as Markdown\n";

// ---- one model

static void print_sizes(const HeftModel* m, const char* path, double ms) {
  int movable = 0, collides = 0;
  for (int b = 1; b < m->nbody; ++b) movable += m->body_joint_count[b] > 0;
  for (int s = 0; s < m->nshape; ++s)
    collides += m->shape_category[s] != 0 || m->shape_collides[s] != 0;
  printf("%s\n", path);
  printf("  loaded in           %.1f ms\n", ms);
  printf("  bodies              %d, %d of them with joints\n", m->nbody - 1, movable);
  printf("  joints              %d\n", m->njoint);
  printf("  degrees of freedom  %d (coordinates %d)\n", m->nv, m->nq);
  printf("  mass                %.6g kg\n", heft_model_mass(m));
  printf("  shapes              %d, %d of them collide\n", m->nshape, collides);
  const struct {
    const char* name;
    int count;
  } rest[] = {{"meshes", m->nmesh},
              {"vertices", m->nvertex},
              {"triangles", m->nface},
              {"hull triangles", m->nhull},
              {"height fields", m->nheight_field},
              {"sites", m->nsite},
              {"contact materials", m->nmaterial},
              {"contact pairs", m->npair},
              {"contact excludes", m->nexclude},
              {"equalities", m->nequality},
              {"tendons", m->ntendon},
              {"actuators", m->nactuator},
              {"activations", m->nact},
              {"sensors", m->nsensor},
              {"keyframes", m->nkey},
              {"cameras", m->ncamera},
              {"lights", m->nlight}};
  for (size_t i = 0; i < sizeof rest / sizeof *rest; ++i) {
    if (rest[i].count > 0) printf("  %-19s %d\n", rest[i].name, rest[i].count);
  }
  printf("  time step           %g s, gravity %g %g %g m/s²\n", m->physics.time_step,
         m->physics.gravity[0], m->physics.gravity[1], m->physics.gravity[2]);
  printf("  memory              %.1f MB\n", (double)m->memory_size / 1e6);
  printf("  hash                %016llx\n", (unsigned long long)heft_model_hash(m));
}

static void print_joint(const HeftModel* m, int j) {
  const int d = m->joint_dof[j];
  const char* name = heft_model_name(m, HEFT_NAMED_JOINT, j);
  printf(", %s%s%s", heft_joint_type_name((HeftJointType)m->joint_type[j]), name[0] ? " " : "",
         name);
  if (heft_joint_type_dof_count((HeftJointType)m->joint_type[j]) > 0 && m->dof_limited[d])
    printf(" [%.4g, %.4g]", m->dof_range[2L * d], m->dof_range[2L * d + 1]);
}

static void print_tree(const HeftModel* m) {
  printf("  tree\n    world\n");
  for (int b = 1; b < m->nbody; ++b) {
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

static int info_of(ModelOptions* options, const char* path, int tree) {
  const uint64_t begin = heft_clock_ns();
  HeftModel* model = model_options_load(options, path);
  if (!model) return 0;
  print_sizes(model, path, (double)(heft_clock_ns() - begin) * 1e-6);
  if (tree) print_tree(model);
  heft_model_destroy(model);
  return 1;
}

int heft_verb_info(int argc, char** argv) {
  ModelOptions options;
  model_options_init(&options);
  int tree = 1, table = 0, files = 0, failed = 0, wrong = 0;
  for (int i = 1; i < argc && !wrong; ++i) {
    const int taken = model_options_take(&options, argc, argv, &i);
    if (taken > 0) continue;
    if (taken < 0) {
      wrong = 1;
    } else if (strcmp(argv[i], "--help") == 0) {
      printf("%s%s", help, model_options_help);
      model_options_release(&options);
      return 0;
    } else if (strcmp(argv[i], "--short") == 0) {
      tree = 0;
    } else if (strcmp(argv[i], "--table") == 0) {
      table = options.quiet = 1;
      printf(
          "| model | bodies | dofs | actuators | mass [kg] | warnings "
          "|\n|---|---|---|---|---|---|\n");
    } else if (strcmp(argv[i], "--mjcf-attributes") == 0) {
      print_attributes();
      print_custom();
      ++files;
    } else if (argv[i][0] == '-') {
      fprintf(stderr, "heft info: unknown option '%s'; try 'heft info --help'\n", argv[i]);
      wrong = 1;
    } else {
      ++files;
      failed += !(table ? print_row(&options, argv[i]) : info_of(&options, argv[i], tree));
    }
  }
  model_options_release(&options);
  if (!wrong && files == 0) fprintf(stderr, "%s%s", help, model_options_help);
  return wrong || files == 0 ? 2 : failed > 0 && !table;
}
