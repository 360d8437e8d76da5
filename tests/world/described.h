// SPDX-License-Identifier: Apache-2.0
// Models for tests, written as MJCF in the test itself, and Debian's libmujoco 2.2.2 on the same
// text, where it is installed.
#ifndef HEFT_TESTS_WORLD_DESCRIBED_H
#define HEFT_TESTS_WORLD_DESCRIBED_H

#include <dlfcn.h>
#include <heft/io.h>
#include <unistd.h>

#include "world/stage.h"
#include "world/world_internal.h"

#if defined(__has_include)
#if __has_include(<mujoco/mujoco.h>)
#include <mujoco/mujoco.h>
#define HAVE_MUJOCO 1
#endif
#endif

static inline HeftModel* described(const char* text) {
  HeftModel* model = NULL;
  HeftError error = {0};
  const HeftLoadDef def = heft_load_def_default();
  if (heft_model_load_bytes(&model, text, strlen(text), "test.xml", &def, &error) != HEFT_OK)
    fail_msg("line %d: %s", error.line, error.message);
  return model;
}

static inline HeftModel* loaded(const char* file) {
  char path[600];
  HeftModel* model = NULL;
  HeftError error = {0};
  snprintf(path, sizeof path, "%s/models/mjcf/%s", HEFT_SHARED_DIR, file);
  if (access(path, R_OK) != 0) return NULL;
  const HeftLoadDef def = heft_load_def_default();
  if (heft_model_load_file(&model, path, &def, &error) != HEFT_OK) fail_msg("%s", error.message);
  return model;
}

/// A number between, from the bits of a counter.
static inline double between(uint64_t* seed, double low, double high) {
  *seed ^= *seed << 13;
  *seed ^= *seed >> 7;
  *seed ^= *seed << 17;
  return low + (high - low) * ((double)(*seed >> 11) * 0x1p-53);
}

/// Random coordinates, velocities, activations and controls.
static inline void scatter(Stage* s, uint64_t* seed, double spread, double speed) {
  const HeftModel* m = s->model;
  HeftState* state = NULL;
  assert_int_equal(heft_state_create(&state, m, NULL, NULL), HEFT_OK);
  for (int i = 0; i < m->nq; ++i) state->q[i] = m->q_default[i] + between(seed, -spread, spread);
  for (int i = 0; i < m->nv; ++i) state->v[i] = between(seed, -speed, speed);
  for (int i = 0; i < m->nact; ++i) state->act[i] = between(seed, -1, 1);
  heft_q_normalize(m, state->q);
  assert_int_equal(heft_world_set_state(s->world, state), HEFT_OK);
  heft_state_destroy(state);
  for (int i = 0; i < m->nactuator; ++i) heft_world_controls(s->world)[i] = between(seed, -2, 2);
}

/// Largest |a - b| against the largest |b|, or against `least` if that is more.
static inline double gap_between(const double* a, const double* b, int count, double min) {
  double size = min, worst = 0;
  for (int i = 0; i < count; ++i) {
    size = fmax(size, fabs(b[i]));
    const double gap = fabs(a[i] - b[i]);
    if (!(gap <= worst)) worst = gap;
  }
  return worst / size;
}

#ifdef HAVE_MUJOCO
typedef struct Peer {
  void* handle;
  mjModel* (*load)(const char*, const mjVFS*, char*, int);
  void (*delete_model)(mjModel*);
  mjData* (*make_data)(const mjModel*);
  void (*delete_data)(mjData*);
  void (*forward)(const mjModel*, mjData*);
} Peer;

static inline int peer_open(Peer* p) {
  memset(p, 0, sizeof *p);
  p->handle = dlopen("libmujoco.so.2.2.2", RTLD_NOW | RTLD_LOCAL);
  if (!p->handle) return 0;
  *(void**)&p->load = dlsym(p->handle, "mj_loadXML");
  *(void**)&p->delete_model = dlsym(p->handle, "mj_deleteModel");
  *(void**)&p->make_data = dlsym(p->handle, "mj_makeData");
  *(void**)&p->delete_data = dlsym(p->handle, "mj_deleteData");
  *(void**)&p->forward = dlsym(p->handle, "mj_forward");
  return p->load && p->delete_model && p->make_data && p->delete_data && p->forward;
}

/// The peer's model of a text; through a file, as it wants one.
static inline mjModel* peer_described(const Peer* p, const char* text) {
  char name[] = "heft_peer_XXXXXX", error[500] = "";
  const int file = mkstemp(name);
  assert_true(file >= 0);
  assert_true(write(file, text, strlen(text)) == (ssize_t)strlen(text));
  close(file);
  mjModel* m = p->load(name, NULL, error, sizeof error);
  unlink(name);
  if (!m) print_message("MuJoCo: %s\n", error);
  return m;
}

/// Gives it the state and the controls of a stage, and lets it work everything out.
static inline void peer_forward(const Peer* p, const mjModel* m, mjData* d, const Stage* s) {
  const HeftState* state = heft_world_state(s->world);
  memcpy(d->qpos, state->q, (size_t)m->nq * sizeof(double));
  memcpy(d->qvel, state->v, (size_t)m->nv * sizeof(double));
  if (m->na > 0) memcpy(d->act, state->act, (size_t)m->na * sizeof(double));
  memcpy(d->ctrl, heft_world_controls(s->world), (size_t)m->nu * sizeof(double));
  d->time = *state->time;
  p->forward(m, d);
}
#endif

#endif
