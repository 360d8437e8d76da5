// SPDX-License-Identifier: Apache-2.0
// The order in which contacts are visited: groups of four contacts without a common body, then all
// others.
#ifndef HEFT_SRC_CONTACT_CORE_COLOURING_H
#define HEFT_SRC_CONTACT_CORE_COLOURING_H

#include <heft/contact.h>
#include <stdint.h>

enum {
  COLOURS_MAX = 64,  // bits of a word
  PACKET_SIZE = 4,   // of a SIMD packet
  PACKETS_MIN = 64   // contacts from which packets are worth their loading
};

typedef struct Colouring {
  int places;                  // contacts with fillers
  int groups;                  // groups of PACKET_SIZE places, from the first place on
  int colours;                 // runs of groups without a common body
  int first[COLOURS_MAX + 1];  // (colours + 1) first group of each colour
  uint64_t* used;              // (trees) scratch: colours that a tree has
  unsigned char* colour;       // (contacts) scratch
} Colouring;

/// Fills source (places): the contact of the problem that is at each place, -1 for a filler.
/// tree_of: effector -> tree, NULL: no groups. Small problems keep their order.
void colouring_make(Colouring* colouring, const HeftContactProblem* problem, const int* tree_of,
                    int* source);

#endif
