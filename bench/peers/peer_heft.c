// SPDX-License-Identifier: Apache-2.0
// Heft behind a pipe, as the other engines: default settings.
#include <heft/world.h>

#include "peer.h"
#include "validation/engine.h"

static Engine heft = {.type = &engine_heft};

const char* peer_open(const char* path, const PeerSettings* s, double* step) {
  EngineSettings settings = engine_settings();
  memcpy(settings.gravity, s->gravity, sizeof settings.gravity);
  settings.friction = s->friction;
  settings.restitution = s->restitution;
  settings.step = s->step;
  settings.tolerance = heft_world_def_default().tolerance;
  if (!heft.type->open(&heft, path, &settings)) return heft.reason;
  *step = heft.step;
  return NULL;
}

void peer_close(void) { heft.type->close(&heft); }

static int known(int body) { return heft.world && body > 0 && body < heft.model->nbody; }

static void put(double* out, HeftVec3 v) {
  out[0] = v.x;
  out[1] = v.y;
  out[2] = v.z;
}

int peer_read(int body, double x[13]) {
  EngineBody b;
  if (!known(body) || !heft.type->read(&heft, body, &b)) return 0;
  const double quat[4] = {b.quat.w, b.quat.x, b.quat.y, b.quat.z};
  put(x, b.pos);
  memcpy(x + 3, quat, sizeof quat);
  put(x + 7, b.vel);
  put(x + 10, b.omega);
  return 1;
}

int peer_place(int body, const double x[13]) {
  const EngineBody b = {heft_vec3_from(x), heft_quat(x[3], x[4], x[5], x[6]), heft_vec3_from(x + 7),
                        heft_vec3_from(x + 10)};
  return known(body) && heft.type->place(&heft, body, &b);
}

int peer_push(int body, const double force[3]) {
  return known(body) && heft.type->push(&heft, body, heft_vec3_from(force));
}

int peer_hold(double stiffness, double damping) {
  (void)stiffness, (void)damping;
  return 0;
}

int peer_spin(const double* v, int count) { return heft.world && heft.type->spin(&heft, v, count); }

int peer_energy(double energy[2]) { return heft.world && heft.type->energy(&heft, energy); }

int peer_step(int count) { return heft.world && heft.type->step(&heft, count); }

int peer_contacts(void) { return heft.world ? heft_world_contact_count(heft.world) : 0; }

int peer_contact(int i, double x[PEER_CONTACT]) {
  const HeftContact c = heft_world_contact(heft.world, i);
  x[0] = c.body_a;
  x[1] = c.body_b;
  put(x + 2, c.pos);
  put(x + 5, c.normal);
  put(x + 8, c.force);
  return 1;
}

int main(void) { return peer_serve(); }
