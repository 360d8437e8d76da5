// SPDX-License-Identifier: Apache-2.0
// Contacts of one colour share no body, so they can be solved in one SIMD packet or by several
// threads with the same bits. The colour of a contact is the lowest one that neither of its bodies
// has yet. The choice is greedy in the order of the problem, hence deterministic. Only points
// between two free bodies, or a free and a static body, get a colour. Contacts of mechanisms, other
// laws, and colours with too few members for a packet come last, in the order of the problem.
#include "contact/core/colouring.h"
#include "base/assert.h"

#include <string.h>

enum { NONE = 255 };

// The lowest bit that is not set, or NONE.
static int lowest_free(uint64_t used) { return ~used ? __builtin_ctzll(~used) : NONE; }

static int is_free(const HeftContactProblem* p, const int* tree_of, const HeftConstraintBlock* c) {
  if (c->effector[0] == c->effector[1]) return 0;
  for (int s = 0; s < 2; ++s) {
    if (c->effector[s] >= 0 && p->trees[tree_of[c->effector[s]]].effector_count > 1) return 0;
  }
  return 1;
}

// Points between free bodies.
static void choose_colours(const Colouring* g, const HeftContactProblem* p, const int* tree_of,
                           int* count) {
  memset(g->used, 0, sizeof(uint64_t) * (size_t)p->tree_count);
  for (int i = 0; i < p->constraint_count; ++i) {
    const HeftConstraintBlock* c = &p->constraints[i];
    uint64_t used = 0;
    g->colour[i] = NONE;
    if (c->type != HEFT_CONSTRAINT_POINT || !is_free(p, tree_of, c)) continue;
    for (int s = 0; s < 2; ++s) used |= c->effector[s] >= 0 ? g->used[tree_of[c->effector[s]]] : 0;
    const int colour = lowest_free(used);
    g->colour[i] = (unsigned char)colour;
    HEFT_ASSERT(colour == NONE || (colour >= 0 && colour < COLOURS_MAX));
    if (colour == NONE) continue;
    count[colour]++;
    for (int s = 0; s < 2; ++s) {
      if (c->effector[s] >= 0) g->used[tree_of[c->effector[s]]] |= (uint64_t)1 << colour;
    }
  }
}

static void keep_order(Colouring* g, int count, int* source) {
  g->places = count;
  g->groups = g->colours = g->first[0] = 0;
  for (int i = 0; i < count; ++i) source[i] = i;
}

// Places for colours with at least as many contacts as a group; all others come last.
static void place_contacts(Colouring* g, int contacts, const int* count, int* source) {
  const int size = PACKET_SIZE;
  int place[COLOURS_MAX], at = 0;
  g->colours = 0;
  for (int c = 0; c < COLOURS_MAX; ++c) {
    place[c] = -1;
    if (count[c] < size) continue;
    place[c] = size * at;
    g->first[g->colours++] = at;
    at += (count[c] + size - 1) / size;
  }
  g->first[g->colours] = g->groups = at;
  HEFT_ASSERT(g->colours <= COLOURS_MAX && g->groups * size <= contacts + (size - 1) * g->colours);
  for (int k = 0; k < size * at; ++k) source[k] = -1;
  int rest = size * at;
  for (int i = 0; i < contacts; ++i) {
    const int c = g->colour[i];
    source[c != NONE && place[c] >= 0 ? place[c]++ : rest++] = i;
  }
  g->places = rest;
  HEFT_ASSERT(g->places >= contacts && g->groups * size <= g->places);
}

void colouring_make(Colouring* g, const HeftContactProblem* p, const int* tree_of, int* source) {
  int count[COLOURS_MAX] = {0};
  keep_order(g, p->constraint_count, source);
  if (p->constraint_count < PACKETS_MIN || !tree_of) return;
  choose_colours(g, p, tree_of, count);
  place_contacts(g, p->constraint_count, count, source);
}
