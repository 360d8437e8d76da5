// SPDX-License-Identifier: Apache-2.0
// heft convert: converts models and meshes between formats.
#include <heft/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmu_file.h"
#include "helper_program.h"
#include "mesh_cache.h"
#include "model_options.h"
#include "option_names.h"
#include "verbs.h"

static const char help[] =
    "usage: heft convert [OPTIONS] FROM TO\n"
    "Reads the model FROM (MJCF, URDF or compiled) and writes it to TO. The extension of TO "
    "selects\n"
    "the format:\n"
    "  .xml, .mjcf            MJCF; if it is loaded again, the model has the same bits\n"
    "  .urdf                  URDF; each property that URDF cannot store is reported as a warning\n"
    "  .heft                  compiled format, which loads in milliseconds\n"
    "  .fmu                   FMI 3.0 unit for co-simulation, with a library for this platform\n"
    "Meshes of MJCF and URDF are written as OBJ files into a folder next to TO.\n"
    "\n"
    "If TO ends in .obj or .stl, FROM is a mesh (Collada, glTF and others). Meshes need the "
    "program\n"
    "heft-mesh-convert, which is built if assimp is installed.\n";

static int ends_with(const char* text, const char* end) {
  const size_t a = strlen(text), b = strlen(end);
  return a > b && strcmp(text + a - b, end) == 0;
}

// Whether the extension of a file names a format that can be written.
static int has_format(const char* path) {
  static const char* const endings[] = {".xml", ".mjcf", ".urdf", ".heft", ".fmu", ".obj", ".stl"};
  for (size_t i = 0; i < sizeof endings / sizeof *endings; ++i)
    if (ends_with(path, endings[i])) return 1;
  fprintf(stderr,
          "heft convert: error: unknown extension of '%s'; use .xml, .mjcf, .urdf, .heft, .fmu, "
          ".obj or .stl\n",
          path);
  return 0;
}

// ---- meshes

static int convert_mesh(const char* from, const char* to) {
  const int code = helper_program_run("heft-mesh-convert", from, to, MESH_SECONDS, -1);
  if (code >= 0) return code;
  if (code == HELPER_MISSING) {
    fprintf(stderr,
            "heft convert: error: meshes need the program heft-mesh-convert, which was not found "
            "next to heft or in PATH; install assimp (libassimp-dev) and build Heft again\n");
  } else if (code == HELPER_TIMEOUT) {
    fprintf(stderr, "%s: error: heft-mesh-convert was ended after %d s\n", from, MESH_SECONDS);
  } else if (code == HELPER_FAILED) {
    fprintf(stderr, "heft convert: error: cannot start the program heft-mesh-convert\n");
  } else {
    fprintf(stderr, "%s: error: heft-mesh-convert ended by signal %d\n", from,
            HELPER_SIGNAL - code);
  }
  return 1;
}

// ---- models

// Properties that the format of the file cannot store.
typedef struct Losses {
  const char* path;
  int quiet, strict, count;
} Losses;

static void report_loss(void* user, const HeftError* error, int count) {
  Losses* losses = user;
  const char* kind = losses->strict ? "error because of --strict" : "warning";
  char times[32] = "";
  ++losses->count;
  if (losses->quiet && !losses->strict) return;
  if (count > 1) snprintf(times, sizeof times, " (%d times)", count);
  fprintf(stderr, "%s: %s%s: %s\n", losses->path, kind, times, error->message);
}

// MJCF keeps every bit of a model that came from a file. A model that a program built may hold
// more: the model is read back and compared, and a difference is reported. 0: it cannot be read.
static int check_kept(const HeftModel* model, const char* path, HeftLoadLimits limits) {
  HeftLoadDef def = heft_load_def_default();
  HeftModel* again = NULL;
  HeftError error = {0};
  def.limits = limits;
  if (heft_model_load_file(&again, path, &def, &error) != HEFT_OK) {
    model_options_report(&error, "error");
  } else if (heft_model_hash(again) != heft_model_hash(model)) {
    fprintf(stderr, "%s: warning: the model read back from this file does not have the same bits\n",
            path);
  }
  const int well = again != NULL;
  heft_model_destroy(again);
  return well;
}

static int convert_model(ModelOptions* options, const char* from, const char* to) {
  HeftModel* model = model_options_load(options, from);
  if (!model) return 1;
  HeftError error = {0};
  Losses losses = {.path = to, .quiet = options->quiet, .strict = options->def.strict};
  if (ends_with(to, ".fmu")) {
    const int written = fmu_file_write(model, to);
    heft_model_destroy(model);
    return !written;
  }
  int well = heft_model_write_file(model, to, report_loss, &losses, &error) == HEFT_OK;
  if (!well) model_options_report(&error, "error");
  if (well && !ends_with(to, ".heft") && !ends_with(to, ".urdf"))
    well = check_kept(model, to, options->def.limits);
  heft_model_destroy(model);
  return !well || (losses.strict && losses.count > 0);
}

int heft_verb_convert(int argc, char** argv) {
  ModelOptions options;
  model_options_init(&options);
  char* paths[2] = {NULL, NULL};
  int count = 0, wrong = 0;
  for (int i = 1; i < argc && !wrong; ++i) {
    const int taken = model_options_take(&options, argc, argv, &i);
    if (taken > 0) continue;
    if (strcmp(argv[i], "--help") == 0) {
      printf("%s%s", help, model_options_help);
      model_options_release(&options);
      return 0;
    }
    if (taken < 0 || argv[i][0] == '-' || count == 2) {
      if (taken == 0) option_names_wrong("convert", help, model_options_help, argv[i]);
      wrong = 1;
    } else {
      paths[count++] = argv[i];
    }
  }
  if (!wrong && count != 2) fprintf(stderr, "%s%s", help, model_options_help);
  int code = 2;
  if (!wrong && count == 2 && has_format(paths[1])) {
    const int mesh = ends_with(paths[1], ".obj") || ends_with(paths[1], ".stl");
    code = mesh ? convert_mesh(paths[0], paths[1]) : convert_model(&options, paths[0], paths[1]);
  }
  model_options_release(&options);
  return code;
}
