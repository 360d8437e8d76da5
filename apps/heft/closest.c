// SPDX-License-Identifier: Apache-2.0
#include "closest.h"

#include <stdlib.h>
#include <string.h>

static const double news = 1.002,  // square of the increase that counts
    small = 1e-6;                  // and of a share of friction that does

static int root_of(const HeftModel* m, int body) {
  while (body > 0 && m->body_parent[body] > 0) body = m->body_parent[body];
  return body > 0 && m->body_joint_count[body] > 0 ? body : 0;
}

// The share of its friction that a contact point uses; 0: none.
static double used(const HeftContact* c) {
  const double n = heft_vec3_dot(c->force, c->normal), all = heft_vec3_dot(c->force, c->force);
  const double t2 = all - n * n;
  if (!(n > 0) || !(t2 > 0)) return 0;
  return c->friction > 0 ? t2 / (c->friction * c->friction * n * n) : 1;
}

// The forces of the step explain its motion, so that bodies need at most the friction which these
// use: if no point uses 0.1 % more than was needed before, nothing is asked.
void closest_step(Closest* c, HeftWorld* w) {
  const HeftModel* m = heft_world_model(w);
  if (++c->step % c->every != 0) return;
  double most = c->logged ? 0 : c->needed;
  int who = 0, pair[2] = {0, 0};
  char* asked = calloc((size_t)m->nbody, 1);
  if (!asked) return;
  for (int i = 0; i < heft_world_contact_count(w); ++i) {
    const HeftContact k = heft_world_contact(w, i);
    double needed = 0;
    if (used(&k) <= news * most * most + small) continue;
    const int a = root_of(m, k.body_a), b = root_of(m, k.body_b);
    const int body = b > 0 ? b : a;
    if (body == 0 || asked[body]) continue;
    asked[body] = 1;
    if (heft_world_friction_needed(w, body, &needed, NULL) != HEFT_OK || needed <= most) continue;
    most = needed;
    who = body;
    pair[0] = k.body_a;
    pair[1] = k.body_b;
  }
  free(asked);
  c->now = most;
  if (most <= c->needed) return;
  c->needed = most;
  c->when = *heft_world_state(w)->time;
  c->body = who;
  memcpy(c->pair, pair, sizeof pair);
}
