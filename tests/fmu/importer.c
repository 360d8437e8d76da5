// SPDX-License-Identifier: Apache-2.0
// An importer of FMI 3.0 that knows only the functions of the standard: 1000 steps of an FMU have
// the bits of Heft's own steps, also after going back, by a state and by its bytes; what is wrong
// is refused.
// usage: importer UNIT.so RESOURCES TOKEN
#include <dlfcn.h>
#include <heft/heft.h>
#include <heft/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fmu/fmi3.h"

enum { STEPS = 1000, BACK = 400, ON = 100 };

#define CHECK(condition)                                                \
  do {                                                                  \
    if (!(condition)) {                                                 \
      fprintf(stderr, "importer: line %d: %s\n", __LINE__, #condition); \
      exit(1);                                                          \
    }                                                                   \
  } while (0)

static void* library;
#define CALL(function, ...) (((__typeof__(&function))find(#function))(__VA_ARGS__))

static void* find(const char* name) {
  void* f = dlsym(library, name);
  if (!f) fprintf(stderr, "importer: the unit has no %s\n", name);
  CHECK(f);
  return f;
}

static int messages;
static void take_message(void* environment, FmiStatus status, const char* category,
                         const char* text) {
  (void)environment, (void)category;
  CHECK(status >= FMI_DISCARD && text[0]);
  ++messages;
}

static void* instantiate(const char* token, const char* resources) {
  return CALL(fmi3InstantiateCoSimulation, "unit", token, resources, false, false, false, false,
              NULL, 0, NULL, take_message, NULL);
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// What a user of both sets before step k.
static void command(int k, int nu, double* u) {
  for (int i = 0; i < nu; ++i) u[i] = 0.05 * ((k * 7 + i * 13) % 21 - 10);
}

typedef struct Unit {
  void* at;
  double h, *u;
  int nu;
} Unit;

static FmiStatus step(const Unit* unit, int k) {
  static const uint32_t controls = 1;
  bool event, terminate, early;
  double last;
  command(k, unit->nu, unit->u);
  if (unit->nu > 0)
    CHECK(CALL(fmi3SetFloat64, unit->at, &controls, 1, unit->u, (size_t)unit->nu) == FMI_OK);
  return CALL(fmi3DoStep, unit->at, k * unit->h, unit->h, false, &event, &terminate, &early, &last);
}

static void read_state(const Unit* unit, const HeftModel* m, double* out) {
  static const uint32_t all[] = {3, 4};
  CHECK(CALL(fmi3GetFloat64, unit->at, all, 2, out, (size_t)(m->nq + m->nv)) == FMI_OK);
}

static int same(const double* state, const HeftModel* m, const HeftWorld* w) {
  const HeftState* s = heft_world_state(w);
  return memcmp(state, s->q, (size_t)m->nq * sizeof(double)) == 0 &&
         memcmp(state + m->nq, s->v, (size_t)m->nv * sizeof(double)) == 0;
}

static void check_refusals(const Unit* unit, const HeftModel* m, const unsigned char* bytes,
                           size_t size) {
  const uint32_t none = 77, q = 3;
  double x[2] = {0, 0};
  bool event, terminate, early;
  double last;
  const int before = messages;
  CHECK(CALL(fmi3GetFloat64, unit->at, &none, 1, x, 1) == FMI_ERROR);
  CHECK(m->nq < 2 || CALL(fmi3GetFloat64, unit->at, &q, 1, x, 1) == FMI_ERROR);
  CHECK(m->nq < 2 || CALL(fmi3SetFloat64, unit->at, &q, 1, x, 1) == FMI_ERROR);
  CHECK(CALL(fmi3DoStep, unit->at, 0.0, 1.5 * unit->h, false, &event, &terminate, &early, &last) ==
        FMI_ERROR);
  CHECK(CALL(fmi3DoStep, unit->at, 0.0, -1.0, false, &event, &terminate, &early, &last) ==
        FMI_ERROR);
  // bytes of a state with one changed, cut, and too long
  unsigned char* other = malloc(size + 8);
  void* state = NULL;
  CHECK(other);
  memcpy(other, bytes, size);
  CHECK(CALL(fmi3DeserializeFMUState, unit->at, other, size - 1, &state) == FMI_ERROR && !state);
  CHECK(CALL(fmi3DeserializeFMUState, unit->at, other, 3, &state) == FMI_ERROR && !state);
  for (size_t i = 0; i < size; i += 37) {
    other[i] ^= 0x55;
    if (CALL(fmi3DeserializeFMUState, unit->at, other, size, &state) == FMI_OK && i >= 32)
      CHECK(CALL(fmi3SetFMUState, unit->at, state) == FMI_ERROR);
    other[i] ^= 0x55;
  }
  CALL(fmi3FreeFMUState, unit->at, &state);
  free(other);
  CHECK(messages > before);
}

int main(int argc, char** argv) {
  char path[4096];
  HeftModel* m = NULL;
  HeftWorld* w = NULL;
  HeftError error = {0};
  CHECK(argc == 4);
  library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  CHECK(library);
  snprintf(path, sizeof path, "%s/model.heft", argv[2]);
  CHECK(heft_model_load_file(&m, path, NULL, &error) == HEFT_OK);
  CHECK(heft_world_create(&w, m, NULL, &error) == HEFT_OK);
  CHECK(strcmp(CALL(fmi3GetVersion), "3.0") == 0);
  CHECK(!instantiate("{0}", argv[2]) && !instantiate(argv[3], "/absent") && messages == 2);

  const int numbers = m->nq + m->nv;
  double* state = calloc((size_t)numbers + 1, sizeof(double));
  double* mid = calloc((size_t)numbers + 1, sizeof(double));
  double* u = calloc((size_t)m->nactuator + 1, sizeof(double));
  CHECK(state && mid && u);
  const Unit unit = {instantiate(argv[3], argv[2]), heft_world_time_step(w), u, m->nactuator};
  CHECK(unit.at);
  CHECK(CALL(fmi3EnterInitializationMode, unit.at, false, 0.0, 0.0, false, 0.0) == FMI_OK);
  CHECK(CALL(fmi3ExitInitializationMode, unit.at) == FMI_OK);

  void *moment = NULL, *again = NULL;
  size_t size = 0;
  unsigned char* bytes = NULL;
  double spent[2] = {0, 0};
  for (int k = 0; k < STEPS; ++k) {
    if (k == BACK) CHECK(CALL(fmi3GetFMUState, unit.at, &moment) == FMI_OK);
    if (k == BACK + ON) {  // back by the bytes of the state, to the state of now
      read_state(&unit, m, mid);
      CHECK(CALL(fmi3SerializedFMUStateSize, unit.at, moment, &size) == FMI_OK);
      bytes = malloc(size);
      CHECK(bytes && CALL(fmi3SerializeFMUState, unit.at, moment, bytes, size) == FMI_OK);
      for (int times = 0; times < 2; ++times) {
        if (times == 1)
          CHECK(CALL(fmi3DeserializeFMUState, unit.at, bytes, size, &again) == FMI_OK);
        CHECK(CALL(fmi3SetFMUState, unit.at, times == 0 ? moment : again) == FMI_OK);
        for (int i = BACK; i < BACK + ON; ++i) CHECK(step(&unit, i) == FMI_OK);
        read_state(&unit, m, state);
        CHECK(memcmp(state, mid, (size_t)numbers * sizeof(double)) == 0);
      }
    }
    double start = seconds();
    command(k, m->nactuator, heft_world_controls(w));
    const HeftStepReport r = heft_world_step(w);
    CHECK(heft_step_taken(r.status));
    spent[0] += seconds() - start;
    start = seconds();
    CHECK(step(&unit, k) == FMI_OK);
    spent[1] += seconds() - start;
    read_state(&unit, m, state);
    CHECK(same(state, m, w));
    static const uint32_t status = 7;
    int32_t code = -1;
    CHECK(CALL(fmi3GetInt32, unit.at, &status, 1, &code, 1) == FMI_OK && code == (int)r.status);
  }
  check_refusals(&unit, m, bytes, size);
  CHECK(CALL(fmi3Reset, unit.at) == FMI_OK);
  heft_world_reset(w);
  read_state(&unit, m, state);
  CHECK(same(state, m, w));
  CALL(fmi3FreeFMUState, unit.at, &moment);
  CALL(fmi3FreeFMUState, unit.at, &again);
  CHECK(CALL(fmi3Terminate, unit.at) == FMI_OK);
  CALL(fmi3FreeInstance, unit.at);
  printf(
      "importer: %d steps and %d after each way back have Heft's bits; %.2f us a step by FMI, "
      "%.2f without, %zu bytes of state\n",
      STEPS, ON, 1e6 * spent[1] / STEPS, 1e6 * spent[0] / STEPS, size);
  free(bytes);
  free(state);
  free(mid);
  free(u);
  heft_world_destroy(w);
  heft_model_destroy(m);
  dlclose(library);
  return 0;
}
