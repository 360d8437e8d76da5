// SPDX-License-Identifier: Apache-2.0
// The code of heft generate, compiled by the compiler of this machine and loaded into the program.
#ifndef HEFT_APPS_GENERATED_LIBRARY_H
#define HEFT_APPS_GENERATED_LIBRARY_H

#include <heft/model.h>

typedef struct GeneratedLibrary {
  void* handle;
  void* data;  ///< of the functions
  void (*kinematics)(void* data, const double* q);
  void (*body_poses)(const void* data, double* pos, double* rot);
  void (*rnea)(const void* data, const double* v, const double* a, double* tau);
  void (*bias)(const void* data, const double* v, double* tau);
  void (*crba)(void* data);
  void (*mass_matrix)(const void* data, double* out);
} GeneratedLibrary;

/// Generates the code of a model in `folder` and compiles it: `CC FLAGS -shared`. 0: failed
/// (reported). path: room for the name of the library.
int generated_library_make(const HeftModel* model, const char* folder, const char* flags,
                           char* path, size_t size);
/// Loads a library that was made for this model. 0: failed (reported).
int generated_library_open(GeneratedLibrary* library, const char* path);
void generated_library_close(GeneratedLibrary* library);

#endif
