// SPDX-License-Identifier: Apache-2.0
// An FMU of a model: a zip file of modelDescription.xml, the module of apps/fmu under the name that
// the description gives it, and the compiled model.
#define _XOPEN_SOURCE 700  // open_memstream
#include "fmu_file.h"

#include <errno.h>
#include <heft/heft.h>
#include <heft/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data_folder.h"
#include "generate/generate.h"
#include "whole_file.h"
#include "zip_file.h"

#if defined(__aarch64__)
static const char platform[] = "aarch64-linux";
#else
static const char platform[] = "x86_64-linux";
#endif

enum { MODULE_MAX = 1 << 28, NAMES_MAX = 2000 };

// A text of XML; NAMES_MAX bytes of it.
static void put_escaped(FILE* out, const char* text) {
  for (; *text; ++text) {
    if (strchr("&<>\"", *text) || (unsigned char)*text < ' ')
      fprintf(out, "&#%d;", (unsigned char)*text < ' ' ? '?' : *text);
    else
      fputc(*text, out);
  }
}

// The names of the objects that the numbers of an array are of, in their order.
static void put_names(FILE* out, const HeftModel* m, HeftNamed kind, int count) {
  long room = NAMES_MAX;
  for (int i = 0; i < count && room > 0; ++i) {
    const char* name = heft_model_name(m, kind, i);
    room -= (long)strlen(name) + 2;
    fputs(i > 0 ? ", " : ": ", out);
    put_escaped(out, room > 0 ? (*name ? name : "-") : "...");
  }
}

typedef struct Variable {
  int reference, count;
  const char *name, *causality, *description;
  const double* start;  // NULL: zeros, or none of an output
  HeftNamed kind;
  int named;
} Variable;

static void put_variable(FILE* out, const HeftModel* m, const Variable* v) {
  const int input = strcmp(v->causality, "input") == 0;
  if (v->count == 0) return;
  fprintf(out,
          "    <Float64 name=\"%s\" valueReference=\"%d\" causality=\"%s\" "
          "variability=\"continuous\"%s description=\"%s",
          v->name, v->reference, v->causality, v->start ? " initial=\"exact\"" : "",
          v->description);
  put_names(out, m, v->kind, v->named);
  fprintf(out, "\"");
  for (int i = 0; i < v->count && (v->start || input); ++i)
    fprintf(out, "%s%.17g", i > 0 ? " " : " start=\"", v->start ? v->start[i] : 0.0);
  if (v->start || input) fprintf(out, "\"");
  fprintf(out, "><Dimension start=\"%d\"/></Float64>\n", v->count);
}

static void put_description(FILE* out, const HeftModel* m, const HeftWorld* w, const char* name) {
  const HeftState* s = heft_world_state(w);
  const double h = m->physics.time_step;
  const Variable variables[] = {
      {1, m->nactuator, "controls", "input", "controls of the actuators", NULL, HEFT_NAMED_ACTUATOR,
       m->nactuator},
      {2, m->nv, "joint_forces", "input", "external joint forces, by joints in the order of v",
       NULL, HEFT_NAMED_JOINT, m->njoint},
      {3, m->nq, "q", "output", "coordinates of the joints", s->q, HEFT_NAMED_JOINT, m->njoint},
      {4, m->nv, "v", "output", "velocities of the joints", s->v, HEFT_NAMED_JOINT, m->njoint},
      {5, m->nsensordata, "sensors", "output", "values of the sensors", NULL, HEFT_NAMED_SENSOR,
       m->nsensor}};
  enum { VARIABLES = sizeof variables / sizeof *variables };
  fprintf(out,
          "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"3.0\" "
          "modelName=\"%s\" generationTool=\"Heft %s\" instantiationToken=\"{%016llx}\">\n"
          "  <CoSimulation modelIdentifier=\"%s\" canGetAndSetFMUState=\"true\" "
          "canSerializeFMUState=\"true\" canHandleVariableCommunicationStepSize=\"true\" "
          "fixedInternalStepSize=\"%.17g\"/>\n"
          "  <LogCategories><Category name=\"logStatusError\"/>"
          "<Category name=\"logStatusDiscard\"/></LogCategories>\n"
          "  <DefaultExperiment startTime=\"0\" stepSize=\"%.17g\"/>\n  <ModelVariables>\n"
          "    <Float64 name=\"time\" valueReference=\"0\" causality=\"independent\" "
          "variability=\"continuous\"/>\n",
          name, heft_version(), (unsigned long long)heft_model_hash(m), name, h, h);
  for (int i = 0; i < VARIABLES; ++i) put_variable(out, m, &variables[i]);
  fprintf(out,
          "    <Float64 name=\"residual\" valueReference=\"6\" causality=\"output\" "
          "variability=\"continuous\" description=\"largest error of the contact law in the last "
          "communication step [m/s]\"/>\n"
          "    <Int32 name=\"status\" valueReference=\"7\" causality=\"output\" "
          "variability=\"discrete\" description=\"worst status of a step in it: 0 solved\"/>\n"
          "  </ModelVariables>\n  <ModelStructure>\n");
  for (int i = 2; i < VARIABLES; ++i)
    if (variables[i].count > 0)
      fprintf(out, "    <Output valueReference=\"%d\"/>\n", variables[i].reference);
  fprintf(out, "    <Output valueReference=\"6\"/>\n    <Output valueReference=\"7\"/>\n");
  if (m->nsensordata > 0) fprintf(out, "    <InitialUnknown valueReference=\"5\"/>\n");
  fprintf(out,
          "    <InitialUnknown valueReference=\"6\"/>\n    <InitialUnknown "
          "valueReference=\"7\"/>\n  </ModelStructure>\n</fmiModelDescription>\n");
}

static char* describe(const HeftModel* m, const char* name, size_t* size) {
  HeftWorld* w = NULL;
  char* text = NULL;
  if (heft_world_create(&w, m, NULL, NULL) != HEFT_OK) return NULL;
  FILE* out = open_memstream(&text, size);
  if (out) {
    put_description(out, m, w, name);
    if (fclose(out) != 0) {
      free(text);
      text = NULL;
    }
  }
  heft_world_destroy(w);
  return text;
}

// Name of the model and of its module: the name of the file as a name of C.
static void name_of(const char* path, char* out, size_t size) {
  const char* slash = strrchr(path, '/');
  char base[100];
  snprintf(base, sizeof base, "%s", slash ? slash + 1 : path);
  char* dot = strrchr(base, '.');
  if (dot) *dot = '\0';
  generate_prefix(base, out, size);
}

static int write_members(const char* path, const ZipMember* members, int count) {
  WholeFile file = {0};
  FILE* out = whole_file_open(&file, path);
  if (out && whole_file_close(&file, zip_file_write(out, members, count))) return 1;
  fprintf(stderr, "heft convert: error: '%s' cannot be written: %s\n", path, strerror(errno));
  return 0;
}

int fmu_file_write(const HeftModel* model, const char* path) {
  const HeftAllocator a = heft_allocator_default();
  char module[4096], name[128], binary[200];
  void* code = NULL;
  size_t code_size = 0, text_size = 0;
  HeftError error = {0};
  if (!module_path("fmu.so", module, sizeof module) ||
      heft_file_read(&code, &code_size, module, MODULE_MAX, &a, &error) != HEFT_OK) {
    fprintf(stderr, "heft convert: error: FMUs need the module fmu.so, which is not installed\n");
    return 0;
  }
  name_of(path, name, sizeof name);
  snprintf(binary, sizeof binary, "binaries/%s/%s.so", platform, name);
  const size_t size = heft_model_save_size(model);
  void* compiled = malloc(size);
  char* text = compiled ? describe(model, name, &text_size) : NULL;
  int well = 0;
  if (!text) {
    fprintf(stderr, "heft convert: error: there is no memory for '%s'\n", path);
  } else if (size > INT32_MAX) {
    fprintf(stderr, "heft convert: error: the model is too large for an FMU\n");
  } else {
    heft_model_save(model, compiled);
    const ZipMember members[] = {{"modelDescription.xml", text, text_size},
                                 {binary, code, code_size},
                                 {"resources/model.heft", compiled, size}};
    well = write_members(path, members, 3);
  }
  free(text);
  free(compiled);
  a.release(a.user, code, code_size + 1);
  return well;
}
