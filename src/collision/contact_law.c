// SPDX-License-Identifier: Apache-2.0
// The materials of two shapes, and the names of their contact points.
#include "collision/contact_law.h"

#include "math/scalar.h"

static ContactLaw law_of_material(const HeftModel* m, int material) {
  return (ContactLaw){.friction = m->material_friction[material],
                      .kinetic = m->material_kinetic[material],
                      .torsion = m->material_torsion[material],
                      .rolling = m->material_rolling[material],
                      .restitution = m->material_restitution[material],
                      .pair = -1};
}

// The shape of higher priority decides; equal ones give the larger of each number.
ContactLaw heft_law_of_pair(const HeftCollider* c, int a, int b, int pair) {
  const HeftModel* m = c->model;
  if (pair >= 0) {
    ContactLaw law = law_of_material(m, m->pair_material[pair]);
    law.dim = m->pair_contact_dim[pair];
    law.pair = pair;
    const double second = m->pair_friction2[pair];
    law.anisotropy = second > 0 && law.friction > 0 ? second / law.friction : 1;
    return law;
  }
  const Slot *p = &c->slot[a], *q = &c->slot[b];
  const double* x = p->priority >= q->priority ? p->law : q->law;
  const double* y = q->priority >= p->priority ? q->law : p->law;
  const int dim_x = p->priority >= q->priority ? p->dim : q->dim;
  const int dim_y = q->priority >= p->priority ? q->dim : p->dim;
  return (ContactLaw){.friction = heft_max(y[0], x[0]),
                      .kinetic = heft_max(y[1], x[1]),
                      .torsion = heft_max(y[2], x[2]),
                      .rolling = heft_max(y[3], x[3]),
                      .restitution = heft_max(y[4], x[4]),
                      .dim = dim_x > dim_y ? dim_x : dim_y,
                      .pair = -1,
                      .anisotropy = 1};
}

// All of a touch but its place and its directions.
void heft_law_name(const HeftCollider* c, int a, int b, const ContactLaw* law,
                   HeftContactPoint* out) {
  const Slot *p = &c->slot[a], *q = &c->slot[b];
  out->shape_a = p->shape;
  out->shape_b = q->shape;
  out->body_a = p->body;
  out->body_b = q->body;
  out->link_a = c->rule[a].link;
  out->link_b = c->rule[b].link;
  out->dim = law->dim;
  out->pair = law->pair;
  out->friction = law->friction;
  out->kinetic = law->kinetic;
  out->torsion = law->torsion;
  out->rolling = law->rolling;
  out->restitution = law->restitution;
  out->anisotropy = law->anisotropy;
  out->time = 0;
  out->offset = heft_vec3(0, 0, 0);
  out->area = 0;
}

double heft_collider_reach_of_pair(const HeftCollider* c, int a, int b, int pair) {
  const HeftModel* m = c->model;
  if (pair >= 0) return m->pair_margin[pair] - m->pair_gap[pair] + c->margin;
  const Slot *p = &c->slot[a], *q = &c->slot[b];
  return heft_max(q->margin, p->margin) - heft_max(q->gap, p->gap) + c->margin;
}
