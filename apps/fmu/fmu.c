// SPDX-License-Identifier: Apache-2.0
// The module that `heft convert robot.xml robot.fmu` puts into an FMU: a world of the model in
// resources/model.heft behind the functions of the Functional Mock-up Interface 3.0 for
// Co-Simulation (fmi-standard.org). It contains the core and needs libc and libm only.
//
// Its variables are arrays; apps/heft/fmu_file.c describes them in modelDescription.xml:
//
//     0 time   1 controls (in)   2 joint forces (in)   3 q   4 v   5 sensors
//     6 residual: largest of the steps of the last communication step   7 status: their worst
//
// A communication step is a whole number of Heft's steps. A state of the FMU is a snapshot, so that
// a master that goes back gets the same bits. The standard defines directional derivatives of
// outputs by inputs at one moment. These are zero here (inputs act in the next step), so the FMU
// offers none; heft_world_derivative() has those of a step.
#include <heft/heft.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmi3.h"

enum { TIME, CONTROLS, FORCES, Q, V, SENSORS, RESIDUAL, STATUS };
enum { STEPS_MAX = 1 << 24 };  // of a communication step

typedef struct Unit {
  HeftModel* model;
  HeftWorld* world;
  double start;  // time of the master at which the world began
  double time, residual;
  int status;
  void* environment;
  FmiLog* log;
} Unit;

// A state of the FMU, and its bytes when it is serialized.
typedef struct Moment {
  uint64_t size;  // of the snapshot
  double start, residual;
  int64_t status;
  unsigned char snapshot[];
} Moment;

static FmiStatus fail(const Unit* u, FmiStatus status, const char* text) {
  if (u->log)
    u->log(u->environment, status, status == FMI_DISCARD ? "logStatusDiscard" : "logStatusError",
           text);
  return status;
}

// ---- life

static void* read_file(const char* path, size_t* size) {
  FILE* f = fopen(path, "rb");
  void* bytes = NULL;
  long end = -1;
  if (f && fseek(f, 0, SEEK_END) == 0) end = ftell(f);
  if (end > 0 && fseek(f, 0, SEEK_SET) == 0) bytes = malloc((size_t)end);
  if (bytes && fread(bytes, 1, (size_t)end, f) != (size_t)end) {
    free(bytes);
    bytes = NULL;
  }
  if (f) fclose(f);
  *size = bytes ? (size_t)end : 0;
  return bytes;
}

static HeftStatus load(Unit* u, const char* resources, HeftError* error) {
  char path[4096];
  size_t size = 0;
  const size_t length = strlen(resources);
  const char* slash = length > 0 && resources[length - 1] != '/' ? "/" : "";
  snprintf(path, sizeof path, "%s%smodel.heft", resources, slash);
  void* bytes = read_file(path, &size);
  HeftStatus status = heft_model_load(&u->model, bytes ? bytes : "", size, NULL, error);
  free(bytes);
  return status == HEFT_OK ? heft_world_create(&u->world, u->model, NULL, error) : status;
}

FMI_EXPORT const char* fmi3GetVersion(void) { return "3.0"; }

FMI_EXPORT FmiStatus fmi3SetDebugLogging(void* unit, bool on, size_t count,
                                         const char* const categories[]) {
  (void)unit, (void)on, (void)count, (void)categories;
  return FMI_OK;
}

FMI_EXPORT void fmi3FreeInstance(void* unit) {
  Unit* u = unit;
  if (!u) return;
  heft_world_destroy(u->world);
  heft_model_destroy(u->model);
  free(u);
}

FMI_EXPORT void* fmi3InstantiateCoSimulation(const char* name, const char* token,
                                             const char* resources, bool visible, bool logging,
                                             bool events, bool early, const uint32_t* required,
                                             size_t required_count, void* environment, FmiLog* log,
                                             void* intermediate) {
  (void)name, (void)visible, (void)logging, (void)events, (void)early, (void)required;
  (void)required_count, (void)intermediate;
  char expected[40] = "";
  HeftError error = {0};
  Unit* u = calloc(1, sizeof *u);
  if (!u) return NULL;
  u->environment = environment;
  u->log = log;
  const HeftStatus status = load(u, resources ? resources : "", &error);
  if (status == HEFT_OK)
    snprintf(expected, sizeof expected, "{%016llx}", (unsigned long long)heft_model_hash(u->model));
  if (status == HEFT_OK && token && strcmp(token, expected) == 0) return u;
  fail(u, FMI_ERROR,
       status == HEFT_OK ? "the instantiation token is of another model" : error.message);
  fmi3FreeInstance(u);
  return NULL;
}

FMI_EXPORT FmiStatus fmi3EnterInitializationMode(void* unit, bool tolerant, double tolerance,
                                                 double start, bool stops, double stop) {
  (void)tolerant, (void)tolerance, (void)stops, (void)stop;
  Unit* u = unit;
  u->start = start - *heft_world_state(u->world)->time;
  return FMI_OK;
}

FMI_EXPORT FmiStatus fmi3ExitInitializationMode(void* unit) {
  (void)unit;
  return FMI_OK;
}

FMI_EXPORT FmiStatus fmi3Terminate(void* unit) {
  (void)unit;
  return FMI_OK;
}

FMI_EXPORT FmiStatus fmi3Reset(void* unit) {
  Unit* u = unit;
  heft_world_reset(u->world);
  memset(heft_world_joint_forces(u->world), 0, (size_t)u->model->nv * sizeof(double));
  u->start = u->residual = 0;
  u->status = 0;
  return FMI_OK;
}

// ---- variables

static const double* variable(Unit* u, uint32_t reference, size_t* count) {
  const HeftModel* m = u->model;
  const HeftState* s = heft_world_state(u->world);
  *count = 1;
  switch (reference) {
    case TIME:
      u->time = u->start + *s->time;
      return &u->time;
    case CONTROLS:
      *count = (size_t)m->nactuator;
      return heft_world_controls(u->world);
    case FORCES:
      *count = (size_t)m->nv;
      return heft_world_joint_forces(u->world);
    case Q:
      *count = (size_t)m->nq;
      return s->q;
    case V:
      *count = (size_t)m->nv;
      return s->v;
    case SENSORS:
      *count = (size_t)m->nsensordata;
      return heft_world_sensors(u->world);
    case RESIDUAL:
      return &u->residual;
    default:
      return NULL;
  }
}

static const char wrong[] = "a value reference or a number of values is not as described";

FMI_EXPORT FmiStatus fmi3GetFloat64(void* unit, const uint32_t references[], size_t count,
                                    double values[], size_t value_count) {
  size_t at = 0;
  for (size_t i = 0; i < count; ++i) {
    size_t n;
    const double* from = variable(unit, references[i], &n);
    if (!from || n > value_count - at) return fail(unit, FMI_ERROR, wrong);
    memcpy(values + at, from, n * sizeof *from);
    at += n;
  }
  return at == value_count ? FMI_OK : fail(unit, FMI_ERROR, wrong);
}

static FmiStatus set(Unit* u, uint32_t reference, const double* from, size_t n) {
  HeftError error = {0};
  HeftStatus status = HEFT_OK;
  switch (reference) {
    case CONTROLS:
      memcpy(heft_world_controls(u->world), from, n * sizeof *from);
      break;
    case FORCES:
      memcpy(heft_world_joint_forces(u->world), from, n * sizeof *from);
      break;
    case Q:
      status = heft_world_set_q(u->world, 0, from, (int)n, &error);
      break;
    case V:
      status = heft_world_set_v(u->world, 0, from, (int)n, &error);
      break;
    default:
      return fail(u, FMI_ERROR, wrong);
  }
  return status == HEFT_OK ? FMI_OK : fail(u, FMI_ERROR, error.message);
}

FMI_EXPORT FmiStatus fmi3SetFloat64(void* unit, const uint32_t references[], size_t count,
                                    const double values[], size_t value_count) {
  size_t at = 0;
  for (size_t i = 0; i < count; ++i) {
    size_t n;
    if (!variable(unit, references[i], &n) || n > value_count - at)
      return fail(unit, FMI_ERROR, wrong);
    const FmiStatus status = set(unit, references[i], values + at, n);
    if (status != FMI_OK) return status;
    at += n;
  }
  return at == value_count ? FMI_OK : fail(unit, FMI_ERROR, wrong);
}

FMI_EXPORT FmiStatus fmi3GetInt32(void* unit, const uint32_t references[], size_t count,
                                  int32_t values[], size_t value_count) {
  const Unit* u = unit;
  for (size_t i = 0; i < count; ++i) {
    if (references[i] != STATUS || count != value_count) return fail(u, FMI_ERROR, wrong);
    values[i] = u->status;
  }
  return FMI_OK;
}

// ---- steps

FMI_EXPORT FmiStatus fmi3EnterStepMode(void* unit) {
  (void)unit;
  return FMI_OK;
}

FMI_EXPORT FmiStatus fmi3DoStep(void* unit, double time, double length, bool no_return, bool* event,
                                bool* terminate, bool* early, double* last) {
  (void)no_return;
  Unit* u = unit;
  const double h = heft_world_time_step(u->world), steps = floor(length / h + 0.5);
  *event = *terminate = *early = false;
  *last = time;
  if (!(steps >= 1 && steps <= STEPS_MAX && fabs(steps * h - length) <= 1e-6 * length))
    return fail(u, FMI_ERROR, "the communication step is no multiple of the time step");
  u->residual = 0;
  u->status = HEFT_STEP_SOLVED;
  for (int i = 0; i < (int)steps; ++i) {
    const HeftStepReport r = heft_world_step(u->world);
    u->residual = fmax(u->residual, r.residual);
    if ((int)r.status > u->status) u->status = (int)r.status;
    *last = time + h * (i + 1);
    if (heft_step_taken(r.status)) continue;
    *last = time + h * i;
    return fail(u, FMI_DISCARD, heft_step_status_text(r.status));
  }
  *last = time + length;
  return FMI_OK;
}

// ---- states

static size_t moment_size(const Moment* m) { return sizeof *m + (size_t)m->size; }

FMI_EXPORT FmiStatus fmi3GetFMUState(void* unit, void** state) {
  const Unit* u = unit;
  const size_t size = heft_world_snapshot_size(u->world);
  Moment* m = malloc(sizeof *m + size);
  if (!m) return fail(u, FMI_ERROR, "no memory for a state");
  *m = (Moment){.size = size, .start = u->start, .residual = u->residual, .status = u->status};
  heft_world_snapshot(u->world, m->snapshot);
  free(*state);
  *state = m;
  return FMI_OK;
}

FMI_EXPORT FmiStatus fmi3SetFMUState(void* unit, void* state) {
  Unit* u = unit;
  const Moment* m = state;
  if (!m || !isfinite(m->start) || m->status < 0 || m->status >= HEFT_STEP_STATUS_COUNT ||
      heft_world_restore(u->world, m->snapshot, (size_t)m->size) != HEFT_OK)
    return fail(u, FMI_ERROR, "this is no state of this FMU");
  u->start = m->start;
  u->residual = m->residual;
  u->status = (int)m->status;
  return FMI_OK;
}

FMI_EXPORT FmiStatus fmi3FreeFMUState(void* unit, void** state) {
  (void)unit;
  if (state) {
    free(*state);
    *state = NULL;
  }
  return FMI_OK;
}

FMI_EXPORT FmiStatus fmi3SerializedFMUStateSize(void* unit, void* state, size_t* size) {
  if (!state) return fail(unit, FMI_ERROR, "there is no state");
  *size = moment_size(state);
  return FMI_OK;
}

FMI_EXPORT FmiStatus fmi3SerializeFMUState(void* unit, void* state, unsigned char bytes[],
                                           size_t size) {
  if (!state || size != moment_size(state)) return fail(unit, FMI_ERROR, wrong);
  memcpy(bytes, state, size);
  return FMI_OK;
}

// The bytes may be anything: the world checks the snapshot when it is set.
FMI_EXPORT FmiStatus fmi3DeserializeFMUState(void* unit, const unsigned char bytes[], size_t size,
                                             void** state) {
  Moment head;
  if (size < sizeof head) return fail(unit, FMI_ERROR, wrong);
  memcpy(&head, bytes, sizeof head);
  Moment* m = head.size == size - sizeof head ? malloc(size) : NULL;
  if (!m) return fail(unit, FMI_ERROR, wrong);
  memcpy(m, bytes, size);
  free(*state);
  *state = m;
  return FMI_OK;
}

// ---- functions that an importer looks for and this FMU does not have

FMI_ABSENT_LIST(FMI_DEFINE_ABSENT)
