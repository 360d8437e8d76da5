// SPDX-License-Identifier: Apache-2.0
// The collider: data of each shape, the trees of the broad phase, and the lists of a call.
//
// Only shapes that can touch anything take part. They are numbered by (body, shape), so that a pair
// in that order has its lower body first: a *body-ordered* number is called a slot. Slots from
// slot_count on are compounds as a whole.
#ifndef HEFT_SRC_COLLISION_COLLIDER_H
#define HEFT_SRC_COLLISION_COLLIDER_H

#include <heft/collision.h>

#include "base/arena.h"
#include "base/pool.h"
#include "collision/motion.h"
#include "collision/narrow.h"
#include "collision/rows.h"
#include "collision/tree.h"
#include "collision/triangle_mesh.h"

typedef struct Slot {
  Geometry geometry;  ///< in a frame of its own, whose origin is the middle of its bounding box
  int shape, body, link;
  int priority, dim, material;
  double margin, gap;
  int moves;          ///< link is not the world
  int area;           ///< 1 if its material has area contact
  int soft;           ///< 1 if its material yields: in points or in areas
  int has_neighbour;  ///< its link has other shapes that can touch
  double law[5];      ///< of its material: friction, kinetic, torsion, rolling, restitution
  double ball;        ///< radius of its bounding sphere about its centre [m]
  double thin;        ///< half of its least thickness; infinite for planes and open meshes [m]
  int solid;          ///< first slot of the compound that it is a piece of; -1: of none
  int whole;          ///< slot of the compound as a whole, if that moves; otherwise itself
} Slot;

/// Pieces that move as one (compound.h).
typedef struct Compound {
  int whole;         ///< its slot
  int first, count;  ///< slots of its pieces
  Tree tree;         ///< boxes of its pieces in its frame, with their margins
} Compound;

static inline int heft_material_has_area(const HeftModel* model, int material) {
  return model->material_area[4L * material] > 0;
}

/// Decides whether two slots may touch; small, since the broad phase asks for every pair.
typedef struct Rule {
  int category, collides, link, parent_link, body;
  int deformable;     ///< that it is a node of, or -1
  int holder;         ///< the link that holds other nodes of it, 0: none; -1 if it is no node
  short has_exclude;  ///< its body is in an exclude
  short has_pair;     ///< it is in a contact pair
} Rule;

/// The part of it by which most pairs fail, smaller still.
typedef struct Mask {
  int category, collides;
} Mask;

/// A contact pair of the model, by slots.
typedef struct Explicit {
  uint64_t key;  ///< lower slot, higher slot
  int pair;
} Explicit;

enum {
  SEPARATING_AXES = 256,
  FEW = 64,
  BODIES_MAX = 1 << 20,  ///< bits of a body and a slot in the key of a pair
  SLOTS_MAX = 1 << 22
};

/// The place of a pair in a table of directions; it may hold another pair.
static inline SeparatingAxis* separating_axis_place(SeparatingAxis* axes, uint64_t key) {
  return &axes[(key * 0x9e3779b97f4a7c15u) >> 56];
}

/// Where the contact points of a pair are in the common list of all threads.
typedef struct ListPlace {
  int first, count;
} ListPlace;

/// Max number of pairs that a thread finds before it hands them over.
enum { PAIRS_OF_TASK = 4096 };

/// Data of threads that find contact points together (contacts.c).
typedef struct ColliderShare {
  size_t memory_size;
  HeftPool* pool;                   ///< not owned
  NarrowScratch* narrow;            ///< threads
  SeparatingAxis* separating_axis;  ///< threads x SEPARATING_AXES
  HeftContactPoint* list;           ///< contact_capacity
  ListPlace* place;                 ///< pair_capacity
  int* portion;                     ///< pair_capacity: contact points of a portion of the pairs
  double* stop;                     ///< threads x nlink: scratch of sweep.c
  int (*pair)[2];                   ///< threads x PAIRS_OF_TASK: scratch of broad.c
  int* blocks;                      ///< threads x heft_tree8_list_size(): the same
} ColliderShare;

/// A point at which a pair met that would have passed in a try of this step (blocked.c).
typedef struct BlockedPoint {
  HeftContactPoint point;  ///< carried back to the start of the step
  int fresh;               ///< 1 until the gap of its point is known (world/passage.c)
  double end;              ///< its gap at the end of the try [m]
  double kept;             ///< the gap that it shall have at least: 0, or the gap at the start [m]
} BlockedPoint;

struct HeftCollider {
  const HeftModel* model;
  HeftAllocator allocator;
  size_t memory_size;
  double margin;
  int points, parent_child;
  int has_neighbours;  ///< of any slot
  int has_pieces;      ///< 1 if any slot is a piece of a compound
  int nlink;
  // constant
  int slot_count, moving_count, standing_count, plane_count;
  Slot* slot;
  Rule* rule;               ///< slot_count
  Mask* mask;               ///< slot_count
  int* shape_slot;          ///< nshape: its slot, or -1
  int* moving;              ///< moving_count: slots of shapes and wholes; item i of the moving tree
  int* standing;            ///< standing_count: the same of the standing tree
  int* plane;               ///< plane_count: slots
  int* moving_link;         ///< moving_count: link of each
  int* moving_body;         ///< moving_count: body of each
  uint64_t* allowed;        ///< moving_count: which later ones each may touch; NULL if more than 64
  uint64_t* met;            ///< moving_count: which of these it meets
  Neighbours* neighbours;   ///< who is near whom; NULL as above
  uint64_t* plane_allowed;  ///< plane_count: which moving ones each may touch; NULL as above
  uint64_t* exclude;        ///< sorted keys of bodies
  Explicit* explicits;      ///< sorted by key
  int exclude_count, explicit_count;
  Compound* compound;  ///< compound_count
  int compound_count;
  HeftVec3* in_whole;  ///< slot_count: centre of a piece in the frame of its whole
  // of the moment
  Rows* in_link;        ///< slot_count: pose in its link
  Rows* in_body;        ///< slot_count: pose in its body
  Rows* pose;           ///< slot_count and wholes: in the world. Of pieces: if they are placed
  int* placed;          ///< slot_count: of a piece, the number `placing` when it was placed
  int placing;          ///< grows when poses or motions change
  double* half;         ///< slot_count x 4: half sizes of the box, and the margin
  double* ball;         ///< moving_count x 4: centre and radius of a sphere with its margin; other
                        ///< shapes have no such ball: their radius is infinite
  ShapeMotion* motion;  ///< slot_count: within the step, if `sweeping`
  const StepMotion* expected;  ///< nlink: motion in the step at the velocities of its start, for
                               ///< area contact; not owned, NULL: none
  int sweeping;                ///< 1 if boxes hold the motion within a step
  double* drift;        ///< slot_count: scratch of passages.c, how far it is off its predicted way
  uint8_t* touched;     ///< slot_count: scratch of passages.c
  double drift_limit;   ///< boxes hold `drift` beyond it; infinite: they do not
  int predicted;        ///< 1 if `motion` and `meets` are of the motion as predicted
  double least_margin;  ///< no pair has a smaller one
  double least_thin;    ///< no slot is thinner, as Slot.thin
  double mobility;      ///< a shape moves at most so far in a second, for each sqrt(2 J) of kinetic
                        ///< energy of the model [m/(s sqrt(J))]
  double* link_radius;  ///< nlink: of all shapes about the origin of the link [m]
  Tree moving_tree, standing_tree;
  int steps_since_order;
  // lists of a call
  int pair_capacity, contact_capacity;
  int (*pair)[2];  ///< slots, lower first
  int (*wait)[2];  ///< the same of wholes; pair_capacity if there are compounds
  uint8_t*
      meets;  ///< pair_capacity: 0 if the pair stays apart on the way that was predicted; after
              ///< heft_collider_find_passages() 1 if it passes
  SortItem *pair_keys, *pair_scratch;
  int* body_first;  ///< nbody + 1: scratch of sorting
  HeftContactPoint* contact;
  int contact_count, dropped, heaped, removals_pay;  ///< the last two: of selection.c
  HeftContactPoints found;
  BlockedPoint* blocked;  ///< blocked_capacity: filled by blocked.c
  int blocked_count, blocked_capacity;
  NarrowScratch* narrow;
  SeparatingAxis* separating_axis;  ///< SEPARATING_AXES
  const HeftDetector* detector;     ///< of the user; NULL: none
  const void* detector_user;
  ColliderShare* share;  ///< NULL: one thread
  // skins of deformable bodies (skin.c)
  struct Skin* skin;  ///< skin_count: one for each deformable body
  int skin_count, skin_point_count;
  HeftContactPoint* skin_point;             ///< contact points of a call, before they are merged
  SortItem *skin_pair, *skin_pair_scratch;  ///< pairs of a call
  int64_t skin_missed;                      ///< pairs beyond the room for them
  const StepMotion* link_motion;            ///< nlink: as given for the sweep; not owned
  // islands
  int examined;  ///< pairs that passages.c looked at last: the first of the list
  int joined_max;
  int *link_root, *item_island, *island_of, *link_first, *link_list, *contact_first, *contact_list,
      *joint_first, *joint_list;
};

/// Where the second is, seen from the first.
HeftPose heft_rows_relative(const Rows* a, const Rows* b);

/// From now on a detector of the user's computes the contact points of the pairs that it takes.
/// NULL: none does.
void heft_collider_use_detector(HeftCollider* c, const HeftDetector* detector, const void* user);
/// 1 if the detector of the user takes two slots.
int heft_collider_detects(const HeftCollider* c, int a, int b);
/// Its contact points of two slots at the poses x and y, up to a distance. Returns the number of
/// points that are none and were left out.
int heft_collider_detect(const HeftCollider* c, int a, int b, const Rows* x, const Rows* y,
                         double reach, Manifold* out);
/// From now on the threads of a pool find contact points together. The bits stay the same.
HeftStatus heft_collider_use_pool(HeftCollider* c, HeftPool* pool, HeftError* error);
/// Reads the materials and the places of the bodies in their links from the model again. To be
/// called after either has changed (world/parameters.c).
void heft_collider_refresh_parameters(HeftCollider* c);
/// The contact pair of the model that rules two slots, or -1.
int heft_collider_pair_of(const HeftCollider* c, int a, int b);
/// For few moving shapes: who may touch whom, once and for all.
void heft_collider_allow(HeftCollider* c);
/// Fills c->pair with all pairs of slots whose boxes meet and that may touch, sorted by (body a,
/// slot b, slot a). Returns their number; *missed counts those that found no place.
int heft_collider_find_pairs(HeftCollider* c, int64_t* missed);
/// As heft_collider_find_pairs(), but unsorted, and the contact points of the last call stay.
int heft_collider_find_unsorted_pairs(HeftCollider* c, int64_t* missed);
/// 1 if the rules allow two slots to touch.
int heft_collider_may_collide(const HeftCollider* c, int a, int b);
/// All levels of the tree of moving shapes, from their boxes as they are.
void heft_collider_renew_tree(HeftCollider* c);
/// How far apart a contact point of two slots may be to carry force: the margin less the gap of the
/// model, which may be below zero. pair: as heft_collider_pair_of().
double heft_collider_reach_of_pair(const HeftCollider* c, int a, int b, int pair);

#endif
