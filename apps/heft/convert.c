// SPDX-License-Identifier: Apache-2.0
// heft convert: from one format to another.
#include <heft/io.h>
#include <stdio.h>
#include <string.h>

#include "model_options.h"
#include "verbs.h"

static const char help[] =
    "usage: heft convert [OPTIONS] FROM TO\n"
    "Reads FROM (MJCF, URDF or a compiled model) and writes TO: the compiled form if it ends in "
    ".heft, else MJCF,\n"
    "with its meshes as OBJ files in a folder beside it.\n\n";

int heft_verb_convert(int argc, char** argv) {
  ModelOptions options;
  model_options_init(&options);
  const char* paths[2] = {NULL, NULL};
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
      if (taken == 0)
        fprintf(stderr, "heft convert: '%s' was not expected; try 'heft convert --help'\n",
                argv[i]);
      wrong = 1;
    } else {
      paths[count++] = argv[i];
    }
  }
  if (wrong || count != 2) {
    if (!wrong) fprintf(stderr, "%s%s", help, model_options_help);
    model_options_release(&options);
    return 2;
  }
  HeftModel* model = model_options_load(&options, paths[0]);
  HeftError error = {0};
  const int good = model && heft_write_file(model, paths[1], &error) == HEFT_OK;
  if (model && !good) {
    char text[1024];
    fprintf(stderr, "%s: error\n", heft_error_format(&error, text, sizeof text));
  }
  heft_model_destroy(model);
  model_options_release(&options);
  return good ? 0 : 1;
}
