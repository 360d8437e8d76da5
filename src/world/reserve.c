// SPDX-License-Identifier: Apache-2.0
// More room for contact points, between two steps. Constraints with the new capacities replace the
// old ones; the impulses for the next step move over.
#include <string.h>

#include "base/error.h"
#include "world/models/contact_model.h"
#include "world/world_internal.h"

static void move_numbers(double* to, const double* from, size_t count) {
  if (count > 0) memcpy(to, from, count * sizeof(double));
}

static void move_warm_start(WarmStart* to, const WarmStart* from, const HeftModel* m) {
  const size_t nv = (size_t)m->nv, ntendon = (size_t)m->ntendon;
  to->contact_count = from->contact_count;
  if (from->contact_count > 0)
    memcpy(to->contact, from->contact, (size_t)from->contact_count * sizeof *to->contact);
  double *const *into = to->by_source, *const *out_of = from->by_source;
  move_numbers(into[CONSTRAINT_LIMIT], out_of[CONSTRAINT_LIMIT], 2 * nv);
  move_numbers(into[CONSTRAINT_DRY], out_of[CONSTRAINT_DRY], nv);
  move_numbers(into[CONSTRAINT_EQUALITY], out_of[CONSTRAINT_EQUALITY], 6 * (size_t)m->nequality);
  move_numbers(into[CONSTRAINT_TENDON_LIMIT], out_of[CONSTRAINT_TENDON_LIMIT], 2 * ntendon);
  move_numbers(into[CONSTRAINT_TENDON_DRY], out_of[CONSTRAINT_TENDON_DRY], ntendon);
  if (!from->stored) return;
  *to->known = *from->known;
  move_numbers(to->stored, from->stored, (size_t)heft_link_count(m));
}

// Twice as many pairs as contact points, and half as many again as the last step had.
static ContactRoom room_for(const Constraints* c, int points) {
  const HeftContactPoints* last = &c->set.contact_points;
  const int64_t seen = (last->pairs + last->pairs_missed) * 3 / 2, usual = 2 * (int64_t)points;
  const int64_t pairs = seen > usual ? seen : usual;
  ContactRoom room = heft_constraints_room(c);
  if (points > room.points) room.points = points;
  if (pairs > room.pairs) room.pairs = pairs < ROOM_MAX ? (int)pairs : ROOM_MAX;
  return room;
}

static void destroy(Constraints* c, const HeftAllocator* allocator) {
  if (c) heft_contact_model_end(&c->solvers, allocator);
  heft_constraints_destroy(c, allocator);
}

HeftStatus heft_world_reserve_contacts(HeftWorld* w, int points, HeftError* error) {
  HEFT_REQUIRE(w && points >= 0, HEFT_ERR_ARGUMENT);
  Constraints *old = w->constraints, *next = NULL;
  if (points > ROOM_MAX)
    return heft_error_set(error, HEFT_ERR_VALUE,
                          "%d contact points were asked for, expected up to %d", points,
                          (int)ROOM_MAX);
  const ContactRoom has = heft_constraints_room(old), room = room_for(old, points);
  if (room.points == has.points && room.pairs == has.pairs) return HEFT_OK;
  if (w->model->nsensor > 0) heft_world_sensors(w);  // they read the contacts of the last step
  HeftStatus status = heft_constraints_create(&next, w->model, &w->def, &room, w->dynamics,
                                              w->drives->tendon_constraints, error);
  if (status == HEFT_OK) {
    move_warm_start(&next->warm_start, &old->warm_start, w->model);
    next->contact_model = old->contact_model;
    w->constraints = next;
    status = heft_world_set_contact_model(w, w->def.contact_model, NULL, error);
    w->constraints = old;
  }
  if (status != HEFT_OK) {
    heft_dynamics_use_pool(w->dynamics, old->solvers.pool);
    destroy(next, &w->def.allocator);
    return status;
  }
  w->has_step = 0;
  w->constraints = next;
  w->def.contact_capacity = room.points;
  destroy(old, &w->def.allocator);
  return HEFT_OK;
}
