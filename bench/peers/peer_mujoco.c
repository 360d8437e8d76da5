// SPDX-License-Identifier: Apache-2.0
// MuJoCo behind a pipe. Reads the scenes itself; those with elements that it does not know yet
// (replicate) it gets written out by Heft. With the argument "elliptic", cones are round.
#define _XOPEN_SOURCE 700  // nftw
#include <ftw.h>
#include <heft/io.h>
#include <mujoco/mujoco.h>
#include <sys/stat.h>
#include <unistd.h>

#include "peer.h"

static int elliptic;
static mjModel* m;
static mjData* d;

static char message[1000];

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
    fputs(text, out);
    fclose(out);
  }
  if (text) a.release(a.user, text, size + 1);
}

static int remove_one(const char* path, const struct stat* info, int kind, struct FTW* level) {
  (void)info, (void)kind, (void)level;
  return remove(path);
}

// The scene as Heft writes it, with every copy in full.
static mjModel* load_written(const char* path) {
  char folder[] = "/tmp/heft_peer_XXXXXX", file[64];
  HeftModel* model = NULL;
  const HeftLoadDef def = heft_load_def_default();
  if (!mkdtemp(folder)) return NULL;
  snprintf(file, sizeof file, "%s/scene.xml", folder);
  mjModel* out = NULL;
  if (heft_model_load_file(&model, path, &def, NULL) == HEFT_OK &&
      heft_model_write_file(model, file, NULL, NULL, NULL) == HEFT_OK) {
    make_older(file);
    out = mj_loadXML(file, NULL, message, sizeof message);
  }
  heft_model_destroy(model);
  nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
  return out;
}

// By itself it keeps 100 contacts, and drops the others. Its buffer is counted by an int.
static void make_room(void) {
  const double nv = m->nv, numbers = 1.6e9 / 8 - 4 * nv * nv;
  const double max = sqrt(nv * nv + fmax(numbers, 0)) - nv;  // rows² + 2 rows nv numbers
  const int contacts = (int)fmin(200 + 8.0 * m->nbody, max / 4), rows = 4 * contacts;
  if (contacts > m->nconmax) m->nconmax = contacts;
  if (rows > m->njmax) m->njmax = rows;
  const double stack = fmin(6 * nv * nv + 40.0 * rows + 2e6, 2e9);
  if (stack > m->nstack) m->nstack = (int)stack;
}

const char* peer_open(const char* path, const PeerSettings* s, double* step) {
  if (s->restitution > 0) return "it has no restitution";
  m = mj_loadXML(path, NULL, message, sizeof message);
  if (!m) m = load_written(path);
  if (!m) {
    for (char* c = message; *c; ++c) *c = *c == '\n' ? ' ' : *c;
    return message;
  }
  make_room();
  for (int i = 0; i < 3; ++i) {
    if (!isnan(s->gravity[i])) m->opt.gravity[i] = s->gravity[i];
  }
  for (int i = 0; i < m->ngeom && !isnan(s->friction); ++i) m->geom_friction[3 * i] = s->friction;
  if (!isnan(s->step)) m->opt.timestep = s->step;
  if (elliptic) m->opt.cone = mjCONE_ELLIPTIC;
  d = mj_makeData(m);
  mj_forward(m, d);
  *step = m->opt.timestep;
  return NULL;
}

void peer_close(void) {
  mj_deleteData(d);
  mj_deleteModel(m);
  d = NULL;
  m = NULL;
}

// The free joint of a body, or -1.
static int free_joint(int body) {
  if (!m || body <= 0 || body >= m->nbody || m->body_jntnum[body] != 1) return -1;
  const int joint = m->body_jntadr[body];
  return m->jnt_type[joint] == mjJNT_FREE ? joint : -1;
}

int peer_read(int body, double x[13]) {
  const int joint = free_joint(body);
  if (joint < 0) return 0;
  const double *q = d->qpos + m->jnt_qposadr[joint], *v = d->qvel + m->jnt_dofadr[joint];
  memcpy(x, q, 7 * sizeof *x);
  memcpy(x + 7, v, 3 * sizeof *x);
  mju_rotVecQuat(x + 10, v + 3, q + 3);
  return 1;
}

int peer_place(int body, const double x[13]) {
  const int joint = free_joint(body);
  if (joint < 0) return 0;
  double *q = d->qpos + m->jnt_qposadr[joint], *v = d->qvel + m->jnt_dofadr[joint], back[4];
  memcpy(q, x, 7 * sizeof *x);
  memcpy(v, x + 7, 3 * sizeof *x);
  mju_negQuat(back, x + 3);
  mju_rotVecQuat(v + 3, x + 10, back);
  mj_forward(m, d);
  return 1;
}

int peer_push(int body, const double force[3]) {
  if (!m || body <= 0 || body >= m->nbody) return 0;
  memcpy(d->xfrc_applied + 6 * body, force, 3 * sizeof *force);
  return 1;
}

int peer_hold(double stiffness, double damping) {
  if (!m) return 0;
  for (int j = 0; j < m->njnt; ++j) {
    if (m->jnt_type[j] == mjJNT_FREE) continue;
    const int count = m->jnt_type[j] == mjJNT_BALL ? 3 : 1;
    m->jnt_stiffness[j] = stiffness;
    for (int i = 0; i < count; ++i) m->dof_damping[m->jnt_dofadr[j] + i] = damping;
  }
  return 1;
}

int peer_step(int count) {
  if (!m) return 0;
  for (int i = 0; i < count; ++i) mj_step(m, d);
  return 1;
}

int peer_contacts(void) { return d->ncon; }

int peer_force(int a, int b, double force[3]) {
  if (!m) return 0;
  force[0] = force[1] = force[2] = 0;
  for (int i = 0; i < d->ncon; ++i) {
    const int one = m->geom_bodyid[d->contact[i].geom1], two = m->geom_bodyid[d->contact[i].geom2];
    if (!((one == a && two == b) || (one == b && two == a))) continue;
    double local[6], world[3];
    mj_contactForce(m, d, i, local);
    mju_rotVecMatT(world, local, d->contact[i].frame);
    for (int k = 0; k < 3; ++k) force[k] += two == b ? world[k] : -world[k];
  }
  return 1;
}

static void be_quiet(const char* text) { (void)text; }

int main(int argc, char** argv) {
  mju_user_warning = be_quiet;
  elliptic = argc > 1 && strcmp(argv[1], "elliptic") == 0;
  return peer_serve();
}
