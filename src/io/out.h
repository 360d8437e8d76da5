// SPDX-License-Identifier: Apache-2.0
// The text of a writer. It grows in memory of the allocator of the def; HeftWriteDef.put stores it
// as whole files. The first mistake is kept; functions that are called after it do nothing.
#ifndef HEFT_SRC_IO_OUT_H
#define HEFT_SRC_IO_OUT_H

#include <heft/io.h>

typedef struct Out {
  const HeftModel* m;
  const HeftWriteDef* def;
  HeftError* error;
  HeftStatus status;
  char* text;
  size_t used, capacity;
  int indent;
  struct MjcfPlan* plan;  ///< of the MJCF writer
} Out;

/// Checks the arguments of a writer. Returns HEFT_ERR_ARGUMENT with a message if one is missing.
HeftStatus out_check(const HeftModel* model, const HeftWriteDef* def, HeftError* error);
HeftStatus out_fail(Out* o, HeftStatus status, const char* format, const char* name);
void out_bytes(Out* o, const char* text, size_t size);
void out_text(Out* o, const char* text);
void out_escaped(Out* o, const char* text);  ///< as the value of an attribute
void out_number(Out* o, double x);           ///< the fewest digits that read back to the same bits
void out_open(Out* o, const char* name);     ///< `<name`; attributes follow
void out_end_empty(Out* o);                  ///< `/>`
void out_begin(Out* o, const char* name);    ///< `<name>`
void out_begin_content(Out* o);              ///< `>`
void out_end(Out* o, const char* name);      ///< `</name>`

/// Passes a finished file to HeftWriteDef.put and begins the next one.
void out_hand_over(Out* o, const char* name);
/// A mesh as an OBJ file, under the name that out_mesh_name() gives it.
void out_mesh_file(Out* o, int mesh);
void out_mesh_name(const Out* o, int mesh, char* name, size_t size);
void out_release(Out* o);

#endif
