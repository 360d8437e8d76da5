// SPDX-License-Identifier: Apache-2.0
// heft generate: writes C for the dynamics of one model.
#include "generate/generate.h"

#include <heft/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "model_options.h"
#include "verbs.h"
#include "whole_file.h"

static const char help[] =
    "usage: heft generate MODEL -o FILE.c [OPTIONS]\n"
    "Writes C for the dynamics of MODEL alone, and FILE.h with its functions: kinematics, inverse\n"
    "dynamics (RNEA) and mass matrix (CRBA), without loops and with all constants of the model. "
    "The\n"
    "results have the bits of heft_dynamics_kinematics(), _rnea() and _crba() for finite numbers; "
    "a\n"
    "result that is zero may have the other sign. Sines and cosines come from libheft.\n"
    "\n"
    "  -o FILE.c        where to write\n"
    "  --prefix NAME    beginning of all names (default: the name of FILE)\n"
    "\n"
    "Compile with gcc 12, clang 14 or newer: cc -O2 -c FILE.c. With -DHEFT_GENERATED_CLONES the\n"
    "program selects AVX2 code when it starts.\n";

typedef struct Options {
  const char* out;
  const char* prefix;
} Options;

static int take_value(void* context, const char* name, const char* value) {
  Options* o = context;
  if (strcmp(name, "-o") == 0) {
    o->out = value;
    return arguments_ending("generate", value, ".c");
  }
  if (strcmp(name, "--prefix") == 0) {
    char clean[128];
    generate_prefix(value, clean, sizeof clean);
    if (strcmp(clean, value) != 0)
      return arguments_wrong("generate", "--prefix takes letters, digits and _, not", value);
    o->prefix = value;
    return 1;
  }
  return -1;
}

static const char* file_name(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

// Writes both files; a file that could not be completed is not left.
static int write_files(const HeftModel* model, const Options* o, const char* model_path) {
  char header[4096], prefix[128];
  snprintf(header, sizeof header, "%.*s.h", (int)strlen(o->out) - 2, o->out);
  snprintf(prefix, sizeof prefix, "%.*s", (int)strlen(file_name(o->out)) - 2, file_name(o->out));
  generate_prefix(o->prefix ? o->prefix : prefix, prefix, sizeof prefix);
  const GenerateDef def = {prefix, file_name(header), file_name(model_path)};
  WholeFile files[2];
  FILE *source = whole_file_open(&files[0], o->out), *declared = whole_file_open(&files[1], header);
  HeftError error = {0};
  OperationCount count[GENERATED_COUNT];
  HeftStatus status = HEFT_ERR_FILE;
  snprintf(error.message, sizeof error.message, "the file cannot be written");
  if (source && declared) status = generate_dynamics(model, &def, source, declared, count, &error);
  const int well = whole_file_close(&files[0], status == HEFT_OK);
  if (!(whole_file_close(&files[1], well) && well) && status == HEFT_OK) status = HEFT_ERR_FILE;
  if (status == HEFT_OK) {
    static const char* const name[GENERATED_COUNT] = {"kinematics", "body_poses", "rnea", "bias",
                                                      "crba"};
    printf("%s, %s: names begin with %s_\n", o->out, header, prefix);
    printf("  %-12s %22s %22s\n", "operations", "numbers: × ÷    + -", "vectors: × ÷    + -");
    for (int f = 0; f < GENERATED_COUNT; ++f)
      printf("  %-12s %13ld %8ld %13ld %8ld\n", name[f], count[f].num_mul, count[f].num_add,
             count[f].vec_mul, count[f].vec_add);
    return 0;
  }
  fprintf(stderr, "%s: error: %s\n", status == HEFT_ERR_UNSUPPORTED ? model_path : o->out,
          error.message);
  return 1;
}

int heft_verb_generate(int argc, char** argv) {
  Options o = {0};
  ModelOptions options;
  const char* path = NULL;
  model_options_init(&options);
  const Arguments arguments = {.verb = "generate",
                               .help = help,
                               .model = &options,
                               .options = &o,
                               .value = take_value,
                               .path = &path};
  const int asked = arguments_read_file(&arguments, argc, argv);
  int code = asked == 1 ? 1 : asked == 2 ? 0 : 2;
  if (asked == 2) printf("%s%s", help, model_options_help);
  if (asked == 1 && !o.out) {
    fprintf(stderr, "heft generate: error: -o FILE.c is missing: where to write\n");
    code = 2;
  } else if (asked == 1) {
    HeftModel* model = model_options_load(&options, path);
    if (model) code = write_files(model, &o, path);
    heft_model_destroy(model);
  }
  model_options_release(&options);
  return code;
}
