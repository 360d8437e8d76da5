// SPDX-License-Identifier: Apache-2.0
// Model files for MuJoCo 2.2 and later. It reads the scenes itself; a file that it cannot read it
// gets as Heft writes it, with every copy in full.
#ifndef HEFT_BENCH_MUJOCO_MODEL_H
#define HEFT_BENCH_MUJOCO_MODEL_H

#include <ftw.h>
#include <heft/io.h>
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Versions from 3.0 on have one arena for contacts and rows, count the room by themselves, and know
// the attributes that Heft writes.
#define MUJOCO_HAS_ARENA (mjVERSION_HEADER >= 300)

#if !MUJOCO_HAS_ARENA
// Takes an attribute out of a text, wherever it stands.
static void drop_attribute(char* text, const char* name) {
  for (char* at = strstr(text, name); at; at = strstr(at, name)) {
    char* end = strchr(at, '"');
    end = end ? strchr(end + 1, '"') : NULL;
    if (!end) return;
    memmove(at, end + 1, strlen(end + 1) + 1);
  }
}

// The text of a file of Heft's without what MuJoCo 2.2.2 does not know yet.
static void make_older(const char* file) {
  const HeftAllocator a = heft_allocator_default();
  size_t size = 0;
  void* bytes = NULL;
  heft_file_read(&bytes, &size, file, 1 << 30, &a, NULL);
  char* text = bytes;
  FILE* out = text ? fopen(file, "w") : NULL;
  if (out) {
    drop_attribute(text, " actuatorfrcrange=");
    drop_attribute(text, " actuatorfrclimited=");
    drop_attribute(text, " mode=");  // of lights: 2.2.2 cannot aim them at the world
    drop_attribute(text, " target=");
    fputs(text, out);
    fclose(out);
  }
  if (text) a.release(a.user, text, size + 1);
}

#endif

static int remove_one(const char* path, const struct stat* info, int kind, struct FTW* level) {
  (void)info, (void)kind, (void)level;
  return remove(path);
}

#if !MUJOCO_HAS_ARENA
// Limits of the force on a joint, which 2.2.2 does not know, as limits of its actuator.
static void limit_forces(mjModel* m, const HeftModel* from) {
  for (int i = 0; i < m->nu && m->njnt == from->njoint; ++i) {
    const int joint = m->actuator_trnid[2 * i];
    const double gear = m->actuator_gear[6 * i];
    if (m->actuator_trntype[i] != mjTRN_JOINT || m->actuator_forcelimited[i]) continue;
    if (!from->joint_force_limited[joint] || !(gear > 0)) continue;
    m->actuator_forcelimited[i] = 1;
    for (int k = 0; k < 2; ++k)
      m->actuator_forcerange[2 * i + k] = from->joint_force_range[2 * joint + k] / gear;
  }
}

#endif

// The scene as Heft writes it, with every copy in full.
static mjModel* load_written(const char* path, char* message, int size) {
  char folder[] = "/tmp/heft_peer_XXXXXX", file[64];
  HeftModel* model = NULL;
  const HeftLoadDef def = heft_load_def_default();
  if (!mkdtemp(folder)) return NULL;
  snprintf(file, sizeof file, "%s/scene.xml", folder);
  mjModel* out = NULL;
  if (heft_model_load_file(&model, path, &def, NULL) == HEFT_OK &&
      heft_model_write_file(model, file, NULL, NULL, NULL) == HEFT_OK) {
#if MUJOCO_HAS_ARENA
    out = mj_loadXML(file, NULL, message, size);
#else
    make_older(file);
    out = mj_loadXML(file, NULL, message, size);
    if (out) limit_forces(out, model);
#endif
  }
  heft_model_destroy(model);
  nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
  return out;
}

#if MUJOCO_HAS_ARENA
// A heap of bodies needs more than the usual arena, which grows with the model.
static void make_room(mjModel* m) {
  const double rows = 4 * (200 + 8.0 * m->nbody), wanted = fmin(64 * rows * (m->nv + 64.0), 2e9);
  if (wanted > (double)m->narena) m->narena = (mjtSize)wanted;
}
#else
// By itself it keeps 100 contacts, and drops the others. Its buffer is counted by an int.
static void make_room(mjModel* m) {
  const double nv = m->nv, numbers = 1.6e9 / 8 - 4 * nv * nv;
  const double max = sqrt(nv * nv + fmax(numbers, 0)) - nv;  // rows² + 2 rows nv numbers
  const int contacts = (int)fmin(200 + 8.0 * m->nbody, max / 4), rows = 4 * contacts;
  if (contacts > m->nconmax) m->nconmax = contacts;
  if (rows > m->njmax) m->njmax = rows;
  const double stack = fmin(6 * nv * nv + 40.0 * rows + 2e6, 2e9);
  if (stack > m->nstack) m->nstack = (int)stack;
}
#endif

// NULL: the message says why, in one line.
static mjModel* load_model(const char* path, char* message, int size) {
  mjModel* m = mj_loadXML(path, NULL, message, size);
  if (!m) m = load_written(path, message, size);
  for (char* c = message; !m && *c; ++c) *c = *c == '\n' ? ' ' : *c;
  if (m) make_room(m);
  return m;
}

static void hold_joints(mjModel* m, double stiffness, double damping) {
  for (int j = 0; j < m->njnt; ++j) {
    if (m->jnt_type[j] == mjJNT_FREE) continue;
    const int count = m->jnt_type[j] == mjJNT_BALL ? 3 : 1;
    m->jnt_stiffness[j] = stiffness;
    for (int i = 0; i < count; ++i) m->dof_damping[m->jnt_dofadr[j] + i] = damping;
  }
}

static void be_quiet(const char* text) { (void)text; }

// 1 if the program was asked for the version of its MuJoCo, which is then printed.
static int print_version(int argc, char** argv) {
  if (argc != 2 || strcmp(argv[1], "version") != 0) return 0;
  printf("%s\n", mj_versionString());
  return 1;
}

#endif
