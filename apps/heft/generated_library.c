// SPDX-License-Identifier: Apache-2.0
#include "generated_library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generate/generate.h"

static int complain(const char* what, const char* about) {
  fprintf(stderr, "heft bench generated: error: %s%s\n", what, about);
  return 0;
}

static int write_code(const HeftModel* model, const char* folder) {
  char source[600], header[600];
  snprintf(source, sizeof source, "%.500s/robot.c", folder);
  snprintf(header, sizeof header, "%.500s/robot.h", folder);
  FILE *code = fopen(source, "w"), *declared = fopen(header, "w");
  const GenerateDef def = {"robot", "robot.h", "a benchmark"};
  HeftError error = {.message = "the file cannot be written"};
  HeftStatus status = HEFT_ERR_FILE;
  if (code && declared) status = generate_dynamics(model, &def, code, declared, NULL, &error);
  if (code) {
    // The program that loads the library needs the size of the data.
    fprintf(
        code,
        "\nextern const int robot_data_size;\nconst int robot_data_size = sizeof(robot_data);\n");
    if (fclose(code) != 0) status = HEFT_ERR_FILE;
  }
  if (declared && fclose(declared) != 0) status = HEFT_ERR_FILE;
  return status == HEFT_OK || complain(error.message, "");
}

int generated_library_make(const HeftModel* model, const char* folder, const char* flags,
                           char* path, size_t size) {
  char command[2600];
  const char* compiler = getenv("CC");
  if (!write_code(model, folder)) return 0;
  snprintf(path, size, "%.500s/robot.so", folder);
  snprintf(command, sizeof command, "%.400s -std=c17 %.400s -fPIC -shared -o '%s' '%.500s/robot.c'",
           compiler && *compiler ? compiler : "cc", flags, path, folder);
  return system(command) == 0 || complain("this command failed: ", command);
}

// Functions and objects have the same addresses on POSIX.
static int find(void* handle, const char* name, void* function) {
  void* symbol = dlsym(handle, name);
  memcpy(function, &symbol, sizeof symbol);
  return symbol != NULL || complain("the library has no function ", name);
}

int generated_library_open(GeneratedLibrary* l, const char* path) {
  memset(l, 0, sizeof *l);
  l->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!l->handle) return complain("the library cannot be loaded: ", dlerror());
  const int* size = NULL;
  if (!find(l->handle, "robot_kinematics", &l->kinematics) ||
      !find(l->handle, "robot_body_poses", &l->body_poses) ||
      !find(l->handle, "robot_rnea", &l->rnea) || !find(l->handle, "robot_bias", &l->bias) ||
      !find(l->handle, "robot_crba", &l->crba) ||
      !find(l->handle, "robot_mass_matrix", &l->mass_matrix) ||
      !find(l->handle, "robot_data_size", &size))
    return 0;
  l->data = aligned_alloc(64, ((size_t)*size + 63) / 64 * 64);
  return l->data != NULL || complain("not enough memory", "");
}

void generated_library_close(GeneratedLibrary* l) {
  free(l->data);
  if (l->handle) dlclose(l->handle);
}
