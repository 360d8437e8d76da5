// SPDX-License-Identifier: Apache-2.0
// MuJoCo behind a pipe. With the argument "elliptic", cones are round.
#define _XOPEN_SOURCE 700  // nftw
#include "mujoco_model.h"
#include "peer.h"

static int elliptic;
static mjModel* m;
static mjData* d;

static char message[1000];

const char* peer_open(const char* path, const PeerSettings* s, double* step) {
  if (s->restitution > 0) return "it has no restitution";
  m = load_model(path, message, sizeof message);
  if (!m) return message;
  for (int i = 0; i < 3; ++i) {
    if (!isnan(s->gravity[i])) m->opt.gravity[i] = s->gravity[i];
  }
  for (int i = 0; i < m->ngeom && !isnan(s->friction); ++i) m->geom_friction[3 * i] = s->friction;
  if (!isnan(s->step)) m->opt.timestep = s->step;
  if (elliptic) m->opt.cone = mjCONE_ELLIPTIC;
  m->opt.enableflags |= mjENBL_ENERGY;
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

// A body in a tree: its frame at the present joint positions and velocities.
static int read_link(int body, double x[13]) {
  double velocity[6];
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_comVel(m, d);
  mj_objectVelocity(m, d, mjOBJ_XBODY, body, velocity, 0);
  memcpy(x, d->xpos + 3 * body, 3 * sizeof *x);
  memcpy(x + 3, d->xquat + 4 * body, 4 * sizeof *x);
  memcpy(x + 7, velocity + 3, 3 * sizeof *x);
  memcpy(x + 10, velocity, 3 * sizeof *x);
  return 1;
}

int peer_read(int body, double x[13]) {
  const int joint = free_joint(body);
  if (joint < 0) return m && body > 0 && body < m->nbody ? read_link(body, x) : 0;
  const double *q = d->qpos + m->jnt_qposadr[joint], *v = d->qvel + m->jnt_dofadr[joint];
  memcpy(x, q, 7 * sizeof *x);
  memcpy(x + 7, v, 3 * sizeof *x);
  mju_rotVecQuat(x + 10, v + 3, q + 3);
  return 1;
}

int peer_place(int body, const double x[13]) {
  const int joint = free_joint(body);
  const int mocap = m && body > 0 && body < m->nbody ? m->body_mocapid[body] : -1;
  if (mocap >= 0) {
    memcpy(d->mocap_pos + 3 * mocap, x, 3 * sizeof *x);
    memcpy(d->mocap_quat + 4 * mocap, x + 3, 4 * sizeof *x);
    return 1;
  }
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
  hold_joints(m, stiffness, damping);
  return 1;
}

int peer_spin(const double* v, int count) {
  if (!m || count > m->nv) return 0;
  memcpy(d->qvel, v, (size_t)count * sizeof *v);
  mj_forward(m, d);
  return 1;
}

int peer_energy(double energy[2]) {
  if (!m) return 0;
  mj_forward(m, d);
  energy[0] = d->energy[1];
  energy[1] = d->energy[0];
  return 1;
}

int peer_step(int count) {
  if (!m) return 0;
  for (int i = 0; i < count; ++i) mj_step(m, d);
  return 1;
}

int peer_contacts(void) { return d->ncon; }

int peer_contact(int i, double x[PEER_CONTACT]) {
  const mjContact* c = &d->contact[i];
  double local[6];
  mj_contactForce(m, d, i, local);
  x[0] = m->geom_bodyid[c->geom1];
  x[1] = m->geom_bodyid[c->geom2];
  memcpy(x + 2, c->pos, 3 * sizeof *x);
  memcpy(x + 5, c->frame, 3 * sizeof *x);  // rows are its axes in the world; from the first geom
  for (int k = 0; k < 3; ++k)
    x[8 + k] = c->frame[k] * local[0] + c->frame[3 + k] * local[1] + c->frame[6 + k] * local[2];
  return 1;
}

int main(int argc, char** argv) {
  if (print_version(argc, argv)) return 0;
  mju_user_warning = be_quiet;
  elliptic = argc > 1 && strcmp(argv[1], "elliptic") == 0;
  return peer_serve();
}
