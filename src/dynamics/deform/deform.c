// SPDX-License-Identifier: Apache-2.0
// The deformable bodies of a model; deform.h has the equations.
#include "dynamics/deform/deform.h"

#include <math.h>
#include <string.h>

#include "base/allocator.h"
#include "base/arena.h"
#include "base/assert.h"
#include "base/error.h"
#include "dynamics/deform/dissection.h"
#include "dynamics/deform/element.h"
#include "dynamics/deform/patches.h"
#include "dynamics/deform/shape.h"
#include "math/block_cholesky.h"
#include "math/simd.h"
#include "model/tree.h"

enum { RANGE = 128, ROWS = 64 };  // elements and unknowns that a thread treats at a time
// A⁻¹ of the rest shape is kept between nodes that may touch something, up to this many bytes.
static const size_t between_max = (size_t)96 << 20;
// The share of µ that tetrahedra have, over 1 + ν; the patches have the rest, and λ.
static const double tetrahedron_share = 0.25;
// Their barrier against inversion, of Young's modulus.
static const double barrier = 10;

/// The sparse matrix A_ff of one body, a block of 3 x 3 per pair of nodes that share a tetrahedron,
/// its factor, and what couples it to the link that holds other nodes.
typedef struct Factor {
  double* values;
  double *coupling, *follow;    ///< per unknown: P and W, 3 x 6
  double held[36], matrix[36];  ///< G and C
  BlockCholesky cholesky;
} Factor;

/// Blocks of A⁻¹ between some nodes.
typedef struct Between {
  double* values;  ///< (3 count)²
  int count;       ///< nodes
  int* index;      ///< per unknown: its number among them, or -1
} Between;

// The sums over a range of elements.
typedef struct RangeSum {
  double energy, mean[9];
  int inverted;
} RangeSum;

typedef struct Body {
  int node_count, tetrahedron_count;
  int element_count;  ///< tetrahedra, then their patches
  int corners;        ///< of all elements
  int slots;          ///< pairs of corners of all elements
  int first_node;     ///< in the model
  int unknowns;       ///< nodes that move
  int blocks;         ///< of A
  Elasticity law;
  double damping;  ///< β [s]
  ShapeLimits limits;
  HeftMat3 frame;   ///< axes of the slides in the world
  int* dof;         ///< per node: its first dof, -1: it does not move
  int* coordinate;  ///< per node: its first coordinate in q
  int* link;        ///< per node: its link
  double* base;     ///< per node: its place is this plus its coordinates
  int* unknown;     ///< per node: its number among those that move, or -1
  int* node;        ///< per unknown: its node
  double* mass;     ///< per unknown
  Element* elements;
  int *corner, *slot;     ///< of the elements
  double* gradient;       ///< three numbers per corner
  Strain* strain;         ///< per element
  HeftMat3* stress;       ///< per element: V P
  RangeSum* sums;         ///< per range of elements
  int *use_start, *use;   ///< per node: the corners that it is; then the elements of these
  int *start, *adjacent;  ///< pattern of A
  int bond_node;          ///< the first node that a link holds, -1: none
  int* hold;              ///< per node: 1 if a link holds it
  double* arm;            ///< per node that a link holds: its place in the frame of the bond
  HeftPose bond;          ///< the frame of the bond in the world: bond_node's body
  HeftVec3 origin;        ///< of the slides in the world
  double *x, *force;      ///< per node: place and force, along the slides
  double energy;
  int inverted;   ///< tetrahedra
  HeftMat3 turn;  ///< R̄
  int near;       ///< the rest shape; else another one is used
  Factor rest, other;
  double rest_h, other_h;   ///< steps that they are for; 0: none
  double* shape;            ///< 1, then the places that `other` is for, along R̄; 0: there is none
  double* shape_known;      ///< the same, of which there is
  Strain* shape_strain;     ///< the strain of each element
  double scale, geometric;  ///< h² + hβ and h² of the present step
  double *asked, *answer;   ///< per unknown: the last right side and its solution ...
  const Factor* solved;     ///< by this factor, NULL: there is none
  double *input, *output;   ///< per unknown: scratch
  double* four;             ///< four columns, scratch
  int touches;              ///< unknowns that may touch something
  int* touch;               ///< these, in the order of elimination
  Between kept;             ///< of the rest shape, between all of them; count 0: there is no room
  int kept_known;           ///< 1: its values are there
  Between fresh;            ///< of `other`, between those that touch something
  int fresh_known;          ///< 1: its values are there
  int fresh_max;            ///< most nodes of `fresh`
  int* fresh_node;          ///< these nodes
  BlockTree tree;           ///< order of elimination
  CholeskyRoom room;        ///< of both factors
  void* memory;             ///< of tree, room, factors and A⁻¹ between nodes
  size_t memory_size;
} Body;

struct Deform {
  const HeftModel* model;
  HeftAllocator allocator;
  void* memory;
  size_t memory_size;
  double* shapes;  ///< the shapes of all bodies; the state of a world has them
  size_t shape_count;
  double* q;        ///< of the last evaluation
  HeftPose* bonds;  ///< of the last evaluation
  int known;        ///< 1 if there was one
  int acts;
  int count;
  Body* bodies;
};

// ---- memory

static size_t shape_numbers(const Body* b) { return 1 + 3 * (size_t)b->node_count; }

static int ranges_of(const Body* b) { return (b->element_count + RANGE - 1) / RANGE; }

static void place_body(Body* b, Arena* arena) {
  const size_t n = (size_t)b->node_count, u = (size_t)b->unknowns;
  b->dof = arena_take(arena, n, int);
  b->coordinate = arena_take(arena, n, int);
  b->link = arena_take(arena, n, int);
  b->base = arena_take(arena, 3 * n, double);
  b->unknown = arena_take(arena, n, int);
  b->node = arena_take(arena, u, int);
  b->mass = arena_take(arena, u, double);
  b->elements = arena_take(arena, b->element_count, Element);
  b->corner = arena_take(arena, b->corners, int);
  b->slot = arena_take(arena, b->slots, int);
  b->gradient = arena_take(arena, 3 * (size_t)b->corners, double);
  b->strain = arena_take(arena, b->element_count, Strain);
  b->stress = arena_take(arena, b->element_count, HeftMat3);
  b->sums = arena_take(arena, ranges_of(b), RangeSum);
  b->use_start = arena_take(arena, n + 1, int);
  b->use = arena_take(arena, 2 * (size_t)b->corners, int);
  b->start = arena_take(arena, u + 1, int);
  b->adjacent = arena_take(arena, b->blocks, int);
  const size_t held = b->bond_node >= 0 ? 1 : 0;
  b->hold = arena_take(arena, n, int);
  b->arm = arena_take(arena, 3 * n * held, double);
  for (int i = 0; i < 2; ++i) {
    Factor* f = i == 0 ? &b->rest : &b->other;
    f->coupling = arena_take(arena, 18 * u * held, double);
    f->follow = arena_take(arena, 18 * u * held, double);
  }
  b->x = arena_take(arena, 3 * n, double);
  b->force = arena_take(arena, 3 * n, double);
  b->rest.values = arena_take(arena, 9L * b->blocks, double);
  b->other.values = arena_take(arena, 9L * b->blocks, double);
  b->shape_known = arena_take(arena, shape_numbers(b), double);
  b->shape_strain = arena_take(arena, b->element_count, Strain);
  b->asked = arena_take(arena, 3 * u, double);
  b->answer = arena_take(arena, 3 * u, double);
  b->input = arena_take(arena, 3 * u, double);
  b->output = arena_take(arena, 3 * u, double);
  b->four = arena_take(arena, 12 * u, double);
}

// The corners of all patches.
typedef struct PatchNodes {
  int count;   ///< patches
  int* first;  ///< count + 1
  int* node;   ///< rising in each patch
} PatchNodes;

// Pairs of moving nodes that share a patch, each pair both ways, and each node with itself.
// The list has one entry per pair and patch, sorted by counting.
typedef struct Pairs {
  int* first;     ///< unknowns + 1
  int* adjacent;  ///< rising in each row, no number twice
  int count;
} Pairs;

static int unknown_of(const HeftModel* m, int d, int node) {
  const int body = m->node_body[m->deformable_node[d] + node], link = m->tree->body_link[body];
  return link > 0 && m->tree->link[link].deformable == d;
}

static void number_unknowns(const HeftModel* m, int d, int* unknown, int* count) {
  *count = 0;
  for (int i = 0; i < m->deformable_node_count[d]; ++i)
    unknown[i] = unknown_of(m, d, i) ? (*count)++ : -1;
}

// Inserts into a row that rises; returns its new count.
static int insert(int* row, int count, int x) {
  int at = count;
  while (at > 0 && row[at - 1] > x) --at;
  if (at > 0 && row[at - 1] == x) return count;
  memmove(row + at + 1, row + at, (size_t)(count - at) * sizeof(int));
  row[at] = x;
  return count + 1;
}

// Most corners and pairs of corners of patches, per tetrahedron: the second to the eighth of a
// patch add two corners at most.
enum { CORNERS = 4, PAIRS = 41 };

// scratch: patches + 1, and CORNERS ints per tetrahedron.
static PatchNodes find_patch_nodes(const HeftModel* m, int d, const Patches* patches,
                                   int* scratch) {
  const int* corner = m->tetrahedron_node + 4L * m->deformable_tetrahedron[d];
  PatchNodes out = {
      .count = patches->count, .first = scratch, .node = scratch + patches->count + 1};
  out.first[0] = 0;
  for (int p = 0; p < patches->count; ++p) {
    int *own = out.node + out.first[p], count = 0;
    for (int i = patches->first[p]; i < patches->first[p + 1]; ++i) {
      for (int k = 0; k < 4; ++k)
        count = insert(own, count, corner[4L * patches->tetrahedron[i] + k]);
    }
    HEFT_ASSERT(count <= ELEMENT_NODES_MAX);
    out.first[p + 1] = out.first[p] + count;
  }
  return out;
}

// scratch: room for `unknowns + 1` and PAIRS ints per tetrahedron.
static Pairs find_pairs(const PatchNodes* patches, const int* unknown, int unknowns, int* scratch) {
  Pairs p = {.first = scratch, .adjacent = scratch + unknowns + 1};
  memset(p.first, 0, (size_t)(unknowns + 1) * sizeof(int));
  for (int pass = 0; pass < 2; ++pass) {
    for (int n = 0; n < patches->count; ++n) {
      const int *own = patches->node + patches->first[n],
                count = patches->first[n + 1] - patches->first[n];
      for (int k = 0; k < count * count; ++k) {
        const int a = unknown[own[k / count]], b = unknown[own[k % count]];
        if (a < 0 || b < 0) continue;
        if (pass == 0) {
          ++p.first[a + 1];
        } else {
          p.adjacent[p.first[a]++] = b;
        }
      }
    }
    for (int i = 0; i < unknowns && pass == 0; ++i) p.first[i + 1] += p.first[i];
  }
  int end = 0;
  for (int a = 0, begin = 0; a < unknowns; ++a) {
    const int stop = p.first[a];  // where the row ended
    int* row = p.adjacent + end;
    int count = 0;
    for (int k = begin; k < stop; ++k) count = insert(row, count, p.adjacent[k]);
    p.first[a] = end;
    end += count;
    begin = stop;
  }
  p.first[unknowns] = p.count = end;
  return p;
}

typedef struct Mesh {
  Patches patches;
  PatchNodes nodes;
  Pairs pairs;
} Mesh;

static Mesh find_mesh(const HeftModel* m, int d, const int* unknown, int unknowns, int* scratch) {
  const int nodes = m->deformable_node_count[d], tetrahedra = m->deformable_tetrahedron_count[d];
  Mesh x = {.patches = heft_patches_find(
                nodes, m->node_rest + 3L * m->deformable_node[d], tetrahedra,
                m->tetrahedron_node + 4L * m->deformable_tetrahedron[d], scratch)};
  scratch += heft_patches_scratch(nodes, tetrahedra);
  x.nodes = find_patch_nodes(m, d, &x.patches, scratch);
  scratch += (CORNERS + 1) * (size_t)tetrahedra + 1;
  x.pairs = find_pairs(&x.nodes, unknown, unknowns, scratch);
  return x;
}

// Ints of scratch to measure or fill a body.
static size_t scratch_room(const HeftModel* m, int d) {
  const size_t nodes = (size_t)m->deformable_node_count[d],
               tetrahedra = (size_t)m->deformable_tetrahedron_count[d];
  return 2 * nodes + 2 + (CORNERS + PAIRS + 1) * tetrahedra +
         heft_patches_scratch(m->deformable_node_count[d], m->deformable_tetrahedron_count[d]);
}

static int find_slot(const Body* b, int row, int column) {
  int low = b->start[row], high = b->start[row + 1];
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (b->adjacent[middle] <= column) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

// ---- creation

static int may_touch(const HeftModel* m, int link) {
  for (int i = 0; i < m->nshape; ++i) {
    if (m->tree->body_link[m->shape_body[i]] == link) return 1;
  }
  for (int e = 0; e < m->nequality; ++e) {
    const HeftEqualityType type = m->equality_type[e];
    if (type != HEFT_EQUALITY_CONNECT && type != HEFT_EQUALITY_WELD) continue;
    for (int k = 0; k < 2; ++k) {
      if (m->tree->body_link[m->equality_object[2L * e + k]] == link) return 1;
    }
  }
  return 0;
}

// Thickness over length: of the box that has the moments of the rest shape.
static double slenderness(const HeftModel* m, int d) {
  const int first = m->deformable_node[d], count = m->deformable_node_count[d];
  HeftVec3 mean = heft_vec3(0, 0, 0);
  HeftSym3 spread = {0};
  for (int i = first; i < first + count; ++i)
    mean = heft_vec3_add(mean, heft_vec3_scale(1.0 / count, heft_vec3_from(m->node_rest + 3L * i)));
  for (int i = first; i < first + count; ++i) {
    const HeftVec3 x = heft_vec3_sub(heft_vec3_from(m->node_rest + 3L * i), mean);
    const HeftSym3 own = {x.x * x.x, x.y * x.y, x.z * x.z, x.x * x.y, x.x * x.z, x.y * x.z};
    spread = heft_sym3_add(spread, own);
  }
  HeftVec3 e;
  HeftMat3 axes;
  heft_sym3_eigen(spread, &e, &axes);
  const double least = fmin(e.x, fmin(e.y, e.z)), most = fmax(e.x, fmax(e.y, e.z));
  return most > 0 && least > 0 ? sqrt(least / most) : 0;
}

static HeftPose pose_in_link(const HeftModel* m, int body) {
  const Columns* x = &m->tree->body_in_link[body];
  return (HeftPose){heft_mat3_from_columns(heft_vec3_from(x->c[0]), heft_vec3_from(x->c[1]),
                                           heft_vec3_from(x->c[2])),
                    heft_vec3_from(x->c[3])};
}

static void write_vec(double* out, HeftVec3 x) {
  out[0] = x.x;
  out[1] = x.y;
  out[2] = x.z;
}

// The slides have the axes of the first node that moves, and begin at the first node of all.
static void fill_frame(Body* b, const HeftModel* m, int d) {
  const int first = m->deformable_node[d];
  b->frame = heft_mat3_identity();
  b->origin = heft_vec3_from(m->body_pos + 3L * m->node_body[first]);
  if (b->unknowns == 0) return;
  const int body = m->node_body[first + b->node[0]];
  const double* quat = m->body_quat + 4L * body;
  b->frame = heft_pose(heft_vec3(0, 0, 0), heft_quat_normalize(heft_quat_from(quat))).rot;
  if (b->bond_node >= 0) b->origin = heft_vec3_from(m->body_pos + 3L * body);
}

static void fill_nodes(Body* b, const HeftModel* m, int d) {
  const int first = m->deformable_node[d];
  for (int i = 0; i < b->node_count; ++i) {
    if (b->unknown[i] >= 0) b->node[b->unknown[i]] = i;
  }
  fill_frame(b, m, d);
  const HeftPose bond = b->bond_node >= 0 ? pose_in_link(m, m->node_body[first + b->bond_node])
                                          : heft_pose_identity();
  for (int i = 0; i < b->node_count; ++i) {
    const int body = m->node_body[first + i], link = m->tree->body_link[body],
              moves = b->unknown[i] >= 0;
    const HeftVec3 at = moves ? heft_vec3_from(m->body_pos + 3L * body) : pose_in_link(m, body).pos;
    b->link[i] = link;
    b->dof[i] = moves ? m->tree->link[link].dof : -1;
    b->coordinate[i] = moves ? m->tree->link[link].q : -1;
    b->hold[i] = !moves && link > 0;
    write_vec(b->base + 3L * i, heft_mat3_tmul_vec(b->frame, heft_vec3_sub(at, b->origin)));
    if (b->hold[i]) write_vec(b->arm + 3L * i, heft_pose_apply_inverse(bond, at));
    for (int k = 0; k < 3 && moves; ++k) b->base[3L * i + k] -= m->q_default[b->coordinate[i] + k];
  }
}

// The tetrahedra are first; then each patch has the mean of their gradients.
static void fill_patches(Body* b, const Patches* patches, const int* corner) {
  for (int p = 0; p < patches->count; ++p) {
    Element* own = &b->elements[b->tetrahedron_count + p];
    for (int i = patches->first[p]; i < patches->first[p + 1]; ++i)
      own->volume += b->elements[patches->tetrahedron[i]].volume;
    for (int i = patches->first[p]; i < patches->first[p + 1]; ++i) {
      const Element* part = &b->elements[patches->tetrahedron[i]];
      const double share = part->volume / own->volume;
      for (int k = 0; k < 4; ++k) {
        const int node = corner[4L * patches->tetrahedron[i] + k];
        int at = 0;
        while (own->node[at] != node) ++at;
        for (int j = 0; j < 3; ++j) own->gradient[at][j] += share * part->gradient[k][j];
      }
    }
  }
}

// By rising element.
static void fill_uses(Body* b) {
  memset(b->use_start, 0, ((size_t)b->node_count + 1) * sizeof(int));
  for (int c = 0; c < b->corners; ++c) ++b->use_start[b->corner[c] + 1];
  for (int i = 0; i < b->node_count; ++i) b->use_start[i + 1] += b->use_start[i];
  for (int e = 0; e < b->element_count; ++e) {
    const Element* own = &b->elements[e];
    for (int a = 0; a < own->count; ++a) {
      const int at = b->use_start[own->node[a]]++;
      b->use[at] = (int)(own->node - b->corner) + a;
      b->use[b->corners + at] = e;
    }
  }
  memmove(b->use_start + 1, b->use_start, (size_t)b->node_count * sizeof(int));
  b->use_start[0] = 0;
}

static void fill_elements(Body* b, const HeftModel* m, int d, const Patches* patches,
                          const PatchNodes* nodes) {
  const int* corner = m->tetrahedron_node + 4L * m->deformable_tetrahedron[d];
  const double young = m->deformable_young[d], poisson = m->deformable_poisson[d];
  const double share = fmin(1, tetrahedron_share * (1 + poisson));
  b->law = (Elasticity){.mu = young / (2 * (1 + poisson)),
                        .lambda = young * poisson / ((1 + poisson) * (1 - 2 * poisson))};
  long corners = 0, slots = 0;
  for (int e = 0; e < b->element_count; ++e) {
    const int patch = e - b->tetrahedron_count;
    const int* node = patch < 0 ? corner + 4L * e : nodes->node + nodes->first[patch];
    Element* own = &b->elements[e];
    own->count = patch < 0 ? 4 : nodes->first[patch + 1] - nodes->first[patch];
    own->node = b->corner + corners;
    own->slot = b->slot + slots;
    own->gradient = (double(*)[3])(b->gradient + 3 * corners);
    own->law = patch < 0 ? (Elasticity){.mu = share * b->law.mu, .barrier = barrier * young}
                         : (Elasticity){.mu = (1 - share) * b->law.mu, .lambda = b->law.lambda};
    memcpy(own->node, node, (size_t)own->count * sizeof(int));
    for (int k = 0; k < own->count * own->count; ++k) {
      const int row = b->unknown[node[k / own->count]], column = b->unknown[node[k % own->count]];
      own->slot[k] = row >= 0 && column >= 0 ? find_slot(b, row, column) : -1;
    }
    if (patch < 0) heft_element_tetrahedron(own, m->node_rest + 3L * m->deformable_node[d]);
    corners += own->count;
    slots += (long)own->count * own->count;
  }
  fill_patches(b, patches, corner);
  fill_uses(b);
  b->damping = m->deformable_damping[d];
  const double slender = slenderness(m, d);
  b->limits = heft_shape_limits(slender);
}

static void read_masses(Body* b, const HeftModel* m) {
  for (int u = 0; u < b->unknowns; ++u) b->mass[u] = m->tree->link[b->link[b->node[u]]].mass;
  b->rest_h = b->other_h = 0;
}

typedef struct AssembleWork {
  const Body* b;
  double* values;
  const Strain* strain;
} AssembleWork;

// Rows of A. Each sum runs over rising elements.
static void assemble_range(void* arg, int first, int end) {
  const AssembleWork* work = arg;
  const Body* b = work->b;
  const Strain none = heft_strain_at_rest();
  for (int u = first; u < end; ++u) {
    const int node = b->node[u];
    memset(work->values + 9L * b->start[u], 0,
           9 * (size_t)(b->start[u + 1] - b->start[u]) * sizeof(double));
    for (int k = b->use_start[node]; k < b->use_start[node + 1]; ++k) {
      const int e = b->use[b->corners + k];
      const Element* own = &b->elements[e];
      const int a = b->use[k] - (int)(own->node - b->corner), *slot = own->slot + own->count * a;
      double block[9 * ELEMENT_NODES_MAX];
      heft_element_stiffness(own, work->strain ? &work->strain[e] : &none, a, b->scale,
                             b->geometric, block);
      for (int c = 0; c < own->count; ++c) {
        if (slot[c] < 0) continue;
        double* out = work->values + 9L * slot[c];
        for (int i = 0; i < 9; ++i) out[i] += block[9 * c + i];
      }
    }
    double* own = work->values + 9L * find_slot(b, u, u);
    for (int i = 0; i < 3; ++i) own[4 * i] += b->mass[u];
  }
}

// A at the strain of each element, or (NULL) at none.
static void assemble(const Body* b, const Factor* f, const Strain* strain) {
  AssembleWork work = {b, f->values, strain};
  heft_pool_run_ranges(b->room.pool, b->unknowns, ROWS, assemble_range, &work);
}

static int factor(Body* b, const Factor* f) {
  b->solved = NULL;
  return block_cholesky_factor(&f->cholesky, f->values);
}

// ---- bonds

// B of a held node, 3 x 6: v = ω × r + u.
static void motion_of(HeftVec3 r, double out[3][6]) {
  const double own[3][6] = {
      {0, r.z, -r.y, 1, 0, 0}, {-r.z, 0, r.x, 0, 1, 0}, {r.y, -r.x, 0, 0, 0, 1}};
  memcpy(out, own, sizeof own);
}

// K B of a pair of corners, and where it goes: P if the first one moves, else Bᵀ K B into G.
static void add_pair(const Body* b, const Factor* f, const int node[2], const double* k,
                     double motion[2][3][6], double held[36]) {
  double product[3][6];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 6; ++j)
      product[i][j] = k[3 * i] * motion[1][0][j] + k[3 * i + 1] * motion[1][1][j] +
                      k[3 * i + 2] * motion[1][2][j];
  }
  const int u = b->unknown[node[0]];
  for (int i = 0; i < 18 && u >= 0; ++i) f->coupling[18L * u + i] += product[i / 6][i % 6];
  if (!b->hold[node[0]]) return;
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j)
      held[6 * i + j] += motion[0][0][i] * product[0][j] + motion[0][1][i] * product[1][j] +
                         motion[0][2][i] * product[2][j];
  }
}

static int holds_corner(const Body* b, const Element* e) {
  for (int a = 0; a < e->count; ++a) {
    if (b->hold[e->node[a]]) return 1;
  }
  return 0;
}

// P and G.
static void assemble_bond(const Body* b, Factor* f, const Strain* strain) {
  const Strain none = heft_strain_at_rest();
  double values[9 * ELEMENT_NODES_MAX];
  memset(f->coupling, 0, 18 * (size_t)b->unknowns * sizeof(double));
  memset(f->held, 0, sizeof f->held);
  for (int e = 0; e < b->element_count; ++e) {
    const Element* own = &b->elements[e];
    if (!holds_corner(b, own)) continue;
    for (int k = 0; k < own->count * own->count; ++k) {
      const int node[2] = {own->node[k / own->count], own->node[k % own->count]};
      if (k % own->count == 0)
        heft_element_stiffness(own, strain ? &strain[e] : &none, k / own->count, b->scale,
                               b->geometric, values);
      double motion[2][3][6] = {0};
      if (!b->hold[node[1]]) continue;
      motion_of(heft_vec3_from(b->arm + 3L * node[1]), motion[1]);
      if (b->hold[node[0]]) motion_of(heft_vec3_from(b->arm + 3L * node[0]), motion[0]);
      add_pair(b, f, node, values + 9L * (k % own->count), motion, f->held);
    }
  }
}

// W, four columns at a time, then C, which is symmetric but for rounding.
static void eliminate_nodes(const Body* b, Factor* f) {
  for (int first = 0; first < 6; first += 4) {
    const int columns = first == 0 ? 4 : 2;
    memset(b->four, 0, 12 * (size_t)b->unknowns * sizeof(double));
    for (long i = 0; i < 3L * b->unknowns; ++i) {
      for (int j = 0; j < columns; ++j) b->four[4 * i + j] = f->coupling[6 * i + first + j];
    }
    block_cholesky_solve_four(&f->cholesky, b->four);
    for (long i = 0; i < 3L * b->unknowns; ++i) {
      for (int j = 0; j < columns; ++j) f->follow[6 * i + first + j] = b->four[4 * i + j];
    }
  }
  memcpy(f->matrix, f->held, sizeof f->matrix);
  for (long i = 0; i < 3L * b->unknowns; ++i) {
    const double *p = f->coupling + 6 * i, *w = f->follow + 6 * i;
    for (int k = 0; k < 36; ++k) f->matrix[k] -= p[k / 6] * w[k % 6];
  }
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < i; ++j)
      f->matrix[6 * i + j] = f->matrix[6 * j + i] =
          0.5 * (f->matrix[6 * i + j] + f->matrix[6 * j + i]);
  }
}

static void couple(const Body* b, Factor* f, const Strain* strain) {
  if (b->bond_node < 0) return;
  assemble_bond(b, f, strain);
  eliminate_nodes(b, f);
}

// ---- the order of elimination, and the memory that follows from it

// Nodes that may touch something, in the order of elimination.
static void find_touches(Body* b, const HeftModel* m, int* touch) {
  b->touches = 0;
  for (int k = 0; k < b->unknowns; ++k) {
    const int u = b->tree.order[k];
    if (may_touch(m, b->link[b->node[u]])) touch[b->touches++] = u;
  }
}

static void copy_ints(int** array, size_t count, Arena* arena) {
  const int* from = *array;
  int* to = arena_take(arena, count, int);
  if (to && count > 0) memcpy(to, from, count * sizeof(int));
  if (to) *array = to;
}

static size_t values_of(int nodes) { return 9 * (size_t)nodes * (size_t)nodes; }

static void place_factors(Body* b, CholeskySize size, Arena* arena) {
  BlockTree* t = &b->tree;
  const size_t n = (size_t)b->unknowns, s = (size_t)t->supernodes;
  copy_ints(&t->order, n, arena);
  copy_ints(&t->position, n, arena);
  copy_ints(&t->first, s + 1, arena);
  copy_ints(&t->parent, s, arena);
  copy_ints(&t->subtree, s, arena);
  copy_ints(&t->border, (size_t)t->border_start[s], arena);
  copy_ints(&t->border_start, s + 1, arena);
  copy_ints(&b->touch, (size_t)b->touches, arena);
  block_cholesky_room(&b->room, t, size, arena);
  block_cholesky_take(&b->rest.cholesky, t, &b->room, size, arena);
  block_cholesky_take(&b->other.cholesky, t, &b->room, size, arena);
  b->kept.index = arena_take(arena, n, int);
  b->kept.values = arena_take(arena, values_of(b->kept.count) + 1, double);
  b->fresh.index = arena_take(arena, n, int);
  b->fresh.values = arena_take(arena, values_of(b->fresh_max) + 1, double);
  b->fresh_node = arena_take(arena, b->fresh_max, int);
}

static HeftStatus no_memory(const Body* b, HeftError* error) {
  return heft_error_set(error, HEFT_ERR_MEMORY,
                        "no memory to factor the matrix of a deformable body of %d nodes",
                        b->unknowns);
}

// The tree in `pool`, then all that is kept in memory of its own. touch: one int per unknown.
static HeftStatus make_factors(Body* b, const HeftModel* m, const HeftAllocator* a, int* touch,
                               HeftError* error) {
  find_touches(b, m, touch);
  b->touch = touch;
  int most = b->touches;
  while (values_of(most) * sizeof(double) > between_max) most -= 1 + most / 64;
  b->kept.count = most == b->touches ? most : 0;
  b->fresh_max = most / 2 > 64 ? most / 2 : most < 64 ? most : 64;  // seldom more than half of them
  const CholeskySize size = block_cholesky_size(&b->tree, b->touches, touch);
  Arena measure = arena_measure();
  const Body before = *b;
  place_factors(b, size, &measure);
  *b = before;
  b->memory = a->allocate(a->user, measure.used, ARENA_ALIGNMENT);
  if (!b->memory) return no_memory(b, error);
  b->memory_size = measure.used;
  Arena arena = arena_make(b->memory, measure.used, NULL);
  place_factors(b, size, &arena);
  for (int u = 0; u < b->unknowns; ++u) b->kept.index[u] = b->fresh.index[u] = -1;
  for (int i = 0; i < b->touches; ++i) b->kept.index[b->touch[i]] = i;
  return HEFT_OK;
}

// Finds how much memory the order of elimination needs by trying. It is scratch.
static HeftStatus order_nodes(Body* b, const HeftModel* m, const HeftAllocator* a,
                              HeftError* error) {
  const BlockGraph graph = {.nodes = b->unknowns, .start = b->start, .adjacent = b->adjacent};
  const size_t most = (size_t)1 << (sizeof most > 4 ? 36 : 30), n = (size_t)b->unknowns;
  HeftStatus status = HEFT_ERR_MEMORY;
  int tries = 0;
  for (size_t size = 65536 + 4096 * n; tries < 40 && size < most; ++tries, size += size / 2) {
    void* memory = a->allocate(a->user, size, ARENA_ALIGNMENT);
    if (!memory) break;
    Arena pool = arena_make(memory, size, NULL);
    int *rank = arena_take(&pool, n, int), *scratch = arena_take(&pool, 2 * n, int);
    double* place = arena_take(&pool, 3 * n, double);
    for (int u = 0; u < b->unknowns; ++u)
      memcpy(place + 3L * u, m->node_rest + 3L * (b->first_node + b->node[u]), 3 * sizeof(double));
    heft_dissect(&graph, place, rank, scratch);
    const int fits = block_tree_analyze(&b->tree, &pool, graph, rank, NULL);
    if (fits) status = make_factors(b, m, a, scratch, error);
    a->release(a->user, memory, size);
    if (fits) return status;
  }
  return no_memory(b, error);
}

static void measure_body(Body* b, const HeftModel* m, int d, int* scratch) {
  int* unknown = scratch;
  *b = (Body){.node_count = m->deformable_node_count[d],
              .tetrahedron_count = m->deformable_tetrahedron_count[d]};
  number_unknowns(m, d, unknown, &b->unknowns);
  b->bond_node = -1;
  for (int i = b->node_count - 1; i >= 0 && m->tree->bond_link[d] > 0; --i) {
    const int link = m->tree->body_link[m->node_body[m->deformable_node[d] + i]];
    if (link == m->tree->bond_link[d]) b->bond_node = i;
  }
  const Mesh mesh = find_mesh(m, d, unknown, b->unknowns, unknown + b->node_count);
  b->element_count = b->tetrahedron_count + mesh.patches.count;
  b->corners = 4 * b->tetrahedron_count;
  b->slots = 16 * b->tetrahedron_count;
  for (int p = 0; p < mesh.nodes.count; ++p) {
    const int own = mesh.nodes.first[p + 1] - mesh.nodes.first[p];
    b->corners += own;
    b->slots += own * own;
  }
  b->blocks = mesh.pairs.count;
  b->first_node = m->deformable_node[d];
}

static void fill_body(Body* b, const HeftModel* m, int d, int* scratch) {
  int unknowns = 0;
  number_unknowns(m, d, b->unknown, &unknowns);
  const Mesh mesh = find_mesh(m, d, b->unknown, unknowns, scratch + b->node_count);
  memcpy(b->start, mesh.pairs.first, (size_t)(unknowns + 1) * sizeof(int));
  if (b->blocks > 0) memcpy(b->adjacent, mesh.pairs.adjacent, (size_t)b->blocks * sizeof(int));
  fill_nodes(b, m, d);
  fill_elements(b, m, d, &mesh.patches, &mesh.nodes);
  read_masses(b, m);
}

static void place_all(Deform* x, Arena* arena) {
  x->shape_count = 0;
  for (int d = 0; d < x->count; ++d) x->shape_count += shape_numbers(&x->bodies[d]);
  x->shapes = arena_take(arena, x->shape_count, double);
  double* shape = x->shapes;
  for (int d = 0; d < x->count; ++d) {
    x->bodies[d].shape = shape;
    if (shape) shape += shape_numbers(&x->bodies[d]);
  }
  x->q = arena_take(arena, x->model->nq, double);
  x->bonds = arena_take(arena, x->count, HeftPose);
  for (int d = 0; d < x->count; ++d) place_body(&x->bodies[d], arena);
}

static HeftStatus fill_all(Deform* x, int* scratch, HeftError* error) {
  const HeftAllocator* a = &x->allocator;
  Arena measure = arena_measure();
  for (int d = 0; d < x->count; ++d) measure_body(&x->bodies[d], x->model, d, scratch);
  place_all(x, &measure);
  x->memory = a->allocate(a->user, measure.used, ARENA_ALIGNMENT);
  if (!x->memory) return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for deformable bodies");
  x->memory_size = measure.used;
  memset(x->memory, 0, measure.used);
  Arena arena = arena_make(x->memory, measure.used, NULL);
  place_all(x, &arena);
  for (int d = 0; d < x->count; ++d) {
    fill_body(&x->bodies[d], x->model, d, scratch);
    if (x->bodies[d].unknowns == 0) continue;
    const HeftStatus status = order_nodes(&x->bodies[d], x->model, a, error);
    if (status != HEFT_OK) return status;
  }
  return HEFT_OK;
}

HeftStatus heft_deform_create(Deform** out, const HeftModel* m, const HeftAllocator* allocator,
                              HeftError* error) {
  *out = NULL;
  if (m->ndeformable == 0) return HEFT_OK;
  const HeftAllocator a = allocator_or_default(allocator);
  const size_t size = sizeof(Deform) + (size_t)m->ndeformable * sizeof(Body);
  size_t room = 0;
  for (int d = 0; d < m->ndeformable; ++d) {
    const size_t own = scratch_room(m, d) * sizeof(int);
    room = own > room ? own : room;
  }
  Deform* x = a.allocate(a.user, size, ARENA_ALIGNMENT);
  int* scratch = a.allocate(a.user, room, ARENA_ALIGNMENT);
  HeftStatus status = HEFT_OK;
  if (x) {
    memset(x, 0, size);
    *x = (Deform){.model = m, .allocator = a, .count = m->ndeformable, .bodies = (Body*)(x + 1)};
  }
  if (!x || !scratch) {
    status = heft_error_set(error, HEFT_ERR_MEMORY, "no memory for deformable bodies");
  } else {
    status = fill_all(x, scratch, error);
  }
  if (scratch) a.release(a.user, scratch, room);
  if (status != HEFT_OK) {
    heft_deform_destroy(x);
    return status;
  }
  *out = x;
  return HEFT_OK;
}

void heft_deform_destroy(Deform* x) {
  if (!x) return;
  const HeftAllocator a = x->allocator;
  for (int d = 0; d < x->count; ++d) {
    const Body* b = &x->bodies[d];
    if (b->memory) a.release(a.user, b->memory, b->memory_size);
  }
  if (x->memory) a.release(a.user, x->memory, x->memory_size);
  a.release(a.user, x, sizeof(Deform) + (size_t)x->count * sizeof(Body));
}

void heft_deform_refresh(Deform* x) {
  for (int d = 0; d < x->count; ++d) read_masses(&x->bodies[d], x->model);
}

// ---- forces

static void find_places(const Body* b, const double* q, const HeftPose* bond, double* x) {
  for (int i = 0; i < b->node_count; ++i) {
    if (b->hold[i]) {
      const HeftVec3 at = heft_pose_apply(*bond, heft_vec3_from(b->arm + 3L * i));
      write_vec(x + 3L * i, heft_mat3_tmul_vec(b->frame, heft_vec3_sub(at, b->origin)));
      continue;
    }
    for (int k = 0; k < 3; ++k)
      x[3L * i + k] = b->base[3L * i + k] + (b->dof[i] >= 0 ? q[b->coordinate[i] + k] : 0);
  }
}

// Elements from `first` to end - 1 whose strain is found together.
static int few(int first, int end) { return end - first < STRAINS ? end - first : STRAINS; }

static void strain_of_range(void* arg, int first, int end) {
  Body* b = arg;
  RangeSum* sum = &b->sums[first / RANGE];
  *sum = (RangeSum){.energy = 0};
  for (; first < end; first += STRAINS) {
    HeftMat3 f[STRAINS];
    const int count = few(first, end);
    heft_elements_strain(count, b->elements + first, b->x, f, b->strain + first, b->stress + first);
    for (int e = first; e < first + count; ++e) {
      sum->energy += b->strain[e].energy;
      if (e >= b->tetrahedron_count) continue;
      sum->inverted += !(b->strain[e].ratio > 0);
      for (int i = 0; i < 9; ++i)
        sum->mean[i] += b->elements[e].volume * f[e - first].m[i / 3][i % 3];
    }
  }
}

// f_a = -V P g_a of all elements that a node is a corner of.
static void force_of_range(void* arg, int first, int end) {
  Body* b = arg;
  for (int n = first; n < end; ++n) {
    double force[3] = {0};
    for (int k = b->use_start[n]; k < b->use_start[n + 1]; ++k) {
      const double* g = b->gradient + 3L * b->use[k];
      const HeftMat3* p = &b->stress[b->use[b->corners + k]];
      for (int i = 0; i < 3; ++i)
        force[i] -= p->m[i][0] * g[0] + p->m[i][1] * g[1] + p->m[i][2] * g[2];
    }
    memcpy(b->force + 3L * n, force, sizeof force);
  }
}

static void evaluate(Body* b, const double* q, const HeftPose* bond) {
  HeftMat3 mean = {{{0}}};
  b->bond = *bond;
  b->inverted = 0;
  b->energy = 0;
  find_places(b, q, bond, b->x);
  heft_pool_run_ranges(b->room.pool, b->element_count, RANGE, strain_of_range, b);
  heft_pool_run_ranges(b->room.pool, b->node_count, ROWS, force_of_range, b);
  for (int k = 0; k < ranges_of(b); ++k) {
    const RangeSum* sum = &b->sums[k];
    b->energy += sum->energy;
    b->inverted += sum->inverted;
    for (int i = 0; i < 9; ++i) mean.m[i / 3][i % 3] += sum->mean[i];
  }
  b->turn = b->bond_node < 0 ? heft_nearest_rotation(mean)
                             : heft_mat3_mul(heft_mat3_transpose(b->frame), bond->rot);
  b->near = heft_shape_near_rest(b->element_count, b->strain, &b->turn, &b->limits);
}

int heft_deform_bond_body(const Deform* x, int d) {
  const int node = x->bodies[d].bond_node;
  return node < 0 ? -1 : x->model->node_body[x->model->deformable_node[d] + node];
}

void heft_deform_evaluate(Deform* x, const double* q, const HeftPose* bonds) {
  const size_t size = (size_t)x->model->nq * sizeof(double),
               poses = (size_t)x->count * sizeof(HeftPose);
  if (x->known && memcmp(x->q, q, size) == 0 && memcmp(x->bonds, bonds, poses) == 0) return;
  memcpy(x->q, q, size);
  memcpy(x->bonds, bonds, poses);
  x->known = 1;
  for (int d = 0; d < x->count; ++d) evaluate(&x->bodies[d], q, &bonds[d]);
}

int heft_deform_inverted(const Deform* x, int* d) {
  int sum = 0, most = 0;
  *d = -1;
  for (int i = 0; i < x->count; ++i) {
    const int own = x->bodies[i].inverted;
    if (own > most) *d = i;
    most = own > most ? own : most;
    sum += own;
  }
  return sum;
}

double heft_deform_energy(const Deform* x) {
  double sum = 0;
  for (int d = 0; d < x->count; ++d) sum += x->bodies[d].energy;
  return sum;
}

static void energy_of_range(void* arg, int first, int end) {
  const Body* b = arg;
  RangeSum* sum = &b->sums[first / RANGE];
  sum->energy = 0;
  for (; first < end; first += STRAINS) {
    HeftMat3 f[STRAINS];
    Strain strain[STRAINS];
    const int count = few(first, end);
    heft_elements_strain(count, b->elements + first, b->x, f, strain, NULL);
    for (int k = 0; k < count; ++k) sum->energy += strain[k].energy;
  }
}

double heft_deform_energy_at(const Deform* x, const double* q, const HeftPose* bonds) {
  double sum = 0;
  for (int d = 0; d < x->count; ++d) {
    const Body* b = &x->bodies[d];
    find_places(b, q, &bonds[d], b->x);  // are found again with the next coordinates
    heft_pool_run_ranges(b->room.pool, b->element_count, RANGE, energy_of_range, (void*)b);
    for (int k = 0; k < ranges_of(b); ++k) sum += b->sums[k].energy;
  }
  return sum;
}

void heft_deform_use_pool(Deform* x, HeftPool* pool) {
  for (int d = 0; d < x->count; ++d) x->bodies[d].room.pool = pool;
}

// ---- the matrix of a step

static void set_step(Body* b, double h) {
  b->scale = h * h + h * b->damping;
  b->geometric = h * h;
}

// A of the rest shape. Returns 1 if it has no factor.
static int begin_near(Body* b, double h) {
  if (b->rest_h == h) return 0;
  assemble(b, &b->rest, NULL);
  b->kept_known = 0;
  if (!factor(b, &b->rest)) return 1;
  couple(b, &b->rest, NULL);
  b->rest_h = h;
  return 0;
}

// The strain of the shape that `other` is for. After a snapshot has been restored it is another.
static void know_shape(Body* b) {
  const size_t size = shape_numbers(b) * sizeof(double);
  if (memcmp(b->shape, b->shape_known, size) == 0) return;
  memcpy(b->shape_known, b->shape, size);
  for (int first = 0; first < b->element_count; first += STRAINS) {
    HeftMat3 f[STRAINS];
    heft_elements_strain(few(first, b->element_count), b->elements + first, b->shape + 1, f,
                         b->shape_strain + first, NULL);
  }
  b->other_h = 0;
}

// Takes the shape of the last evaluation.
static void take_shape(const Deform* x, Body* b) {
  const long d = b - x->bodies;
  find_places(b, x->q, &x->bonds[d], b->x);
  b->shape[0] = 1;
  for (int i = 0; i < b->node_count; ++i)
    write_vec(b->shape + 1 + 3L * i, heft_mat3_tmul_vec(b->turn, heft_vec3_from(b->x + 3L * i)));
  know_shape(b);
}

static int factor_other(Body* b, double h) {
  if (b->other_h == h) return 0;
  b->fresh_known = 0;
  assemble(b, &b->other, b->shape_strain);
  if (!factor(b, &b->other)) return 1;
  couple(b, &b->other, b->shape_strain);
  b->other_h = h;
  return 0;
}

// A of the shape that was taken last, if the present one is near it, or of the present one.
static int begin_far(const Deform* x, Body* b, double h) {
  know_shape(b);
  if (b->shape[0] == 1 &&
      heft_shape_near_other(b->element_count, b->elements, b->strain, &b->turn, b->shape_strain,
                            &b->limits) &&
      factor_other(b, h) == 0)
    return 0;
  take_shape(x, b);
  return factor_other(b, h);
}

static int begin(const Deform* x, Body* b, double h) {
  set_step(b, h);
  return b->near ? begin_near(b, h) : begin_far(x, b, h);
}

double* heft_deform_shapes(const Deform* x, size_t* count) {
  *count = x->shape_count;
  return x->shapes;
}

void heft_deform_forget(Deform* x) { memset(x->shapes, 0, x->shape_count * sizeof(double)); }

static const Between* keep_between(Body* b) {
  if (!b->kept_known) {
    block_cholesky_between(&b->rest.cholesky, b->kept.count, b->touch, b->kept.values);
    b->kept_known = 1;
  }
  return &b->kept;
}

void heft_deform_prepare(Deform* x, double h) {
  for (int d = 0; d < x->count; ++d) {
    Body* b = &x->bodies[d];
    set_step(b, h);
    if (b->unknowns > 0 && begin_near(b, h) == 0 && b->kept.count > 0) keep_between(b);
  }
}

int heft_deform_begin(Deform* x, double h) {
  int failed = 0;
  x->acts = 1;
  for (int d = 0; d < x->count; ++d) {
    if (x->bodies[d].unknowns > 0) failed |= begin(x, &x->bodies[d], h);
  }
  return failed;
}

void heft_deform_end(Deform* x) { x->acts = 0; }
int heft_deform_acts(const Deform* x) { return x->acts; }

// ---- products
//
// Vectors of the unknowns are turned by R̄ᵀ first.

static void read_dofs(const Body* b, const double* v, double* out) {
  for (int u = 0; u < b->unknowns; ++u) {
    const double* own = v + b->dof[b->node[u]];
    for (int i = 0; i < 3; ++i)
      out[3L * u + i] =
          b->turn.m[0][i] * own[0] + b->turn.m[1][i] * own[1] + b->turn.m[2][i] * own[2];
  }
}

// Back to the axes of the slides, in place.
static void turn_back(const Body* b, double* x) {
  for (int u = 0; u < b->unknowns; ++u) {
    const HeftVec3 own = heft_mat3_mul_vec(b->turn, heft_vec3_from(x + 3L * u));
    x[3L * u] = own.x;
    x[3L * u + 1] = own.y;
    x[3L * u + 2] = own.z;
  }
}

static const Factor* factor_of(const Body* b) { return b->near ? &b->rest : &b->other; }

// The axes of A in the world.
static HeftMat3 axes_of(const Body* b) { return heft_mat3_mul(b->frame, b->turn); }

// A motion or wrench of the link from the world to the axes of A, and back.
static BondVector bond_in(const Body* b, const BondVector* x) {
  const HeftMat3 axes = axes_of(b);
  BondVector out;
  write_vec(out.x, heft_mat3_tmul_vec(axes, heft_vec3_from(x->x)));
  write_vec(out.x + 3, heft_mat3_tmul_vec(axes, heft_vec3_from(x->x + 3)));
  return out;
}

static BondVector bond_out(const Body* b, const BondVector* x) {
  const HeftMat3 axes = axes_of(b);
  BondVector out;
  write_vec(out.x, heft_mat3_mul_vec(axes, heft_vec3_from(x->x)));
  write_vec(out.x + 3, heft_mat3_mul_vec(axes, heft_vec3_from(x->x + 3)));
  return out;
}

void heft_deform_bond_matrix(const Deform* x, int d, double out[36]) {
  const Body* b = &x->bodies[d];
  const double* c = factor_of(b)->matrix;
  double half[36];  // its columns in the world
  for (int j = 0; j < 6; ++j) {
    BondVector column;
    for (int i = 0; i < 6; ++i) column.x[i] = c[6 * i + j];
    column = bond_out(b, &column);
    for (int i = 0; i < 6; ++i) half[6 * i + j] = column.x[i];
  }
  for (int i = 0; i < 6; ++i) {
    BondVector row;
    memcpy(row.x, half + 6L * i, sizeof row.x);
    row = bond_out(b, &row);
    memcpy(out + 6L * i, row.x, sizeof row.x);
  }
}

// b->output += P t, and Pᵀ v + G t.
static BondVector multiply_bond(const Body* b, const BondVector* twist) {
  const Factor* f = factor_of(b);
  const BondVector t = bond_in(b, twist);
  BondVector out = {{0}};
  for (long i = 0; i < 3L * b->unknowns; ++i) {
    const double *p = f->coupling + 6 * i, v = b->input[i];
    double sum = 0;
    for (int k = 0; k < 6; ++k) {
      sum += p[k] * t.x[k];
      out.x[k] += p[k] * v;
    }
    b->output[i] += sum;
  }
  for (int i = 0; i < 36; ++i) out.x[i / 6] += f->held[i] * t.x[i % 6];
  return bond_out(b, &out);
}

static void multiply_range(void* arg, int first, int end) {
  const Body* b = arg;
  const double* values = factor_of(b)->values;
  for (int u = first; u < end; ++u) {
    const double* x = b->input + 3L * u;
    double sum[3] = {-b->mass[u] * x[0], -b->mass[u] * x[1], -b->mass[u] * x[2]};
    for (int k = b->start[u]; k < b->start[u + 1]; ++k) {
      const double *block = values + 9L * k, *y = b->input + 3L * b->adjacent[k];
      for (int i = 0; i < 3; ++i)
        sum[i] += block[3 * i] * y[0] + block[3 * i + 1] * y[1] + block[3 * i + 2] * y[2];
    }
    memcpy(b->output + 3L * u, sum, sizeof sum);
  }
}

// b->output = (A - M) v, along the slides; returns the same for the link.
static BondVector multiply(const Body* b, const double* v, const BondVector* twist) {
  BondVector out = {{0}};
  read_dofs(b, v, b->input);
  heft_pool_run_ranges(b->room.pool, b->unknowns, ROWS, multiply_range, (void*)b);
  if (b->bond_node >= 0) out = multiply_bond(b, twist);
  turn_back(b, b->output);
  return out;
}

// The elastic forces on the nodes that a link holds.
static BondVector force_on_link(const Body* b) {
  HeftVec3 force = heft_vec3(0, 0, 0), moment = force;
  for (int i = 0; i < b->node_count; ++i) {
    if (!b->hold[i]) continue;
    const HeftVec3 own = heft_mat3_mul_vec(b->frame, heft_vec3_from(b->force + 3L * i));
    const HeftVec3 arm = heft_mat3_mul_vec(b->bond.rot, heft_vec3_from(b->arm + 3L * i));
    force = heft_vec3_add(force, own);
    moment = heft_vec3_add(moment, heft_vec3_cross(arm, own));
  }
  BondVector out;
  write_vec(out.x, moment);
  write_vec(out.x + 3, force);
  return out;
}

void heft_deform_add_force(Deform* x, const double* v, const BondVector* twist, double* force,
                           BondVector* wrench) {
  for (int d = 0; d < x->count; ++d) {
    const Body* b = &x->bodies[d];
    const double h = sqrt(b->geometric);
    const BondVector slowed = multiply(b, v, &twist[d]);
    for (int u = 0; u < b->unknowns; ++u) {
      const int node = b->node[u];
      for (int i = 0; i < 3; ++i)
        force[b->dof[node] + i] += b->force[3L * node + i] - b->output[3L * u + i] / h;
    }
    if (b->bond_node < 0) continue;
    wrench[d] = force_on_link(b);
    for (int i = 0; i < 6; ++i) wrench[d].x[i] -= slowed.x[i] / h;
  }
}

double heft_deform_work(Deform* x, const double* v, const BondVector* twist, const double* w,
                        const BondVector* along) {
  double sum = 0;
  for (int d = 0; d < x->count; ++d) {
    const Body* b = &x->bodies[d];
    const double h = sqrt(b->geometric);
    const BondVector slowed = multiply(b, v, &twist[d]);
    for (int u = 0; u < b->unknowns; ++u) {
      const int node = b->node[u];
      for (int i = 0; i < 3; ++i)
        sum += (h * b->force[3L * node + i] - b->output[3L * u + i]) * w[b->dof[node] + i];
    }
    if (b->bond_node < 0) continue;
    const BondVector own = force_on_link(b);
    for (int i = 0; i < 6; ++i) sum += (h * own.x[i] - slowed.x[i]) * along[d].x[i];
  }
  return sum;
}

// -Wᵀ r for the forces b->input on nodes.
static BondVector pass_on(const Body* b) {
  const double* w = factor_of(b)->follow;
  BondVector out = {{0}};
  for (long i = 0; i < 3L * b->unknowns; ++i) {
    for (int k = 0; k < 6; ++k) out.x[k] -= w[6 * i + k] * b->input[i];
  }
  return bond_out(b, &out);
}

// b->output := A⁻¹ b->input. The second pass of a prediction often has the forces of the first one.
static void solve(Body* b) {
  const size_t size = 3 * (size_t)b->unknowns * sizeof(double);
  const Factor* f = factor_of(b);
  if (b->solved != f || memcmp(b->asked, b->input, size) != 0) {
    memcpy(b->asked, b->input, size);
    memcpy(b->answer, b->input, size);
    block_cholesky_solve(&f->cholesky, b->answer);
    b->solved = f;
  }
  memcpy(b->output, b->answer, size);
}

void heft_deform_solve(Deform* x, const double* force, BondVector* wrench) {
  for (int d = 0; d < x->count; ++d) {
    Body* b = &x->bodies[d];
    if (b->unknowns == 0) continue;
    read_dofs(b, force, b->input);
    if (b->bond_node >= 0) wrench[d] = pass_on(b);
    solve(b);
  }
}

// b->output - W t
static void follow_link(const Body* b, const BondVector* twist) {
  const double* w = factor_of(b)->follow;
  const BondVector t = bond_in(b, twist);
  for (long i = 0; i < 3L * b->unknowns; ++i) {
    for (int k = 0; k < 6; ++k) b->output[i] -= w[6 * i + k] * t.x[k];
  }
}

void heft_deform_write(const Deform* x, const BondVector* twist, double* out) {
  for (int d = 0; d < x->count; ++d) {
    const Body* b = &x->bodies[d];
    if (b->bond_node >= 0) follow_link(b, &twist[d]);
    turn_back(b, b->output);
    for (int u = 0; u < b->unknowns; ++u)
      memcpy(out + b->dof[b->node[u]], b->output + 3L * u, 3 * sizeof(double));
  }
}

// ---- between nodes that touch something

int heft_deform_node(const Deform* x, int d, int body) {
  const HeftModel* m = x->model;
  const int* bodies = m->node_body + m->deformable_node[d];
  int low = 0, high = m->deformable_node_count[d];
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (bodies[middle] <= body) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return bodies[low] == body ? low : -1;
}

NodeRow heft_deform_dof_row(const Deform* x, int d, int dof) {
  const Body* b = &x->bodies[d];
  const HeftTree* t = x->model->tree;
  const int node = heft_deform_node(x, d, t->link[t->dof_link[dof]].body);
  const HeftVec3 axis = heft_mat3_column(b->frame, dof - b->dof[node]);
  return (NodeRow){
      .node = {node, -1, -1}, .weight = {1, 0, 0}, .direction = {axis.x, axis.y, axis.z}};
}

// The unknown of a node of a row, -1: there is none.
static int unknown_of_row(const Body* b, const NodeRow* row, int i) {
  return row->node[i] >= 0 ? b->unknown[row->node[i]] : -1;
}

// Three columns of A⁻¹ in b->four, the sum over the unknowns of a row.
static void solve_columns(const Body* b, const NodeRow* row) {
  memset(b->four, 0, 12 * (size_t)b->unknowns * sizeof(double));
  for (int k = 0; k < 3 && row->node[k] >= 0; ++k) {
    for (int i = 0; i < 3; ++i) b->four[12L * row->node[k] + 5 * i] = row->weight[k];
  }
  block_cholesky_solve_four(&factor_of(b)->cholesky, b->four);
}

// The direction of a row in the axes of A.
static HeftVec3 direction_of(const Body* b, const NodeRow* row) {
  const HeftVec3 own = heft_mat3_tmul_vec(b->frame, heft_vec3_from(row->direction));
  return heft_mat3_tmul_vec(b->turn, own);
}

// 1 if a row acts on a node that moves.
static int acts(const Body* b, const NodeRow* row) {
  return unknown_of_row(b, row, 0) >= 0 || unknown_of_row(b, row, 1) >= 0 ||
         unknown_of_row(b, row, 2) >= 0;
}

static int same_nodes(const NodeRow* a, const NodeRow* b) {
  int same = 1;
  for (int k = 0; k < 3; ++k) same &= a->node[k] == b->node[k] && a->weight[k] == b->weight[k];
  return same;
}

// Replaces the nodes of a row by their places in `between`, or by unknowns if that is NULL; those
// that do not move are left out.
static void place_row(const Body* b, const Between* between, NodeRow* row) {
  int count = 0;
  for (int i = 0; i < 3; ++i) {
    const int u = unknown_of_row(b, row, i);
    if (u < 0) continue;
    row->node[count] = between ? between->index[u] : u;
    row->weight[count++] = row->weight[i];
  }
  for (; count < 3; ++count) row->node[count] = -1;
}

// m (3 x 3) := A⁻¹ between the nodes of `other` and those of `row`. between is NULL: the columns of
// `row` are in b->four.
static void find_block(const Body* b, const Between* between, const NodeRow* row,
                       const NodeRow* other, double m[9]) {
  for (int i = 0; i < 9; ++i) m[i] = 0;
  for (int k = 0; k < 3 && other->node[k] >= 0; ++k) {
    for (int i = 0; i < 9 && !between; ++i)
      m[i] += other->weight[k] * b->four[12L * other->node[k] + 4L * (i / 3) + i % 3];
    for (int l = 0; l < 3 && between && row->node[l] >= 0; ++l) {
      const long stride = 3L * between->count;
      const double w = other->weight[k] * row->weight[l],
                   *c0 = between->values + 3L * row->node[l] * stride + 3L * other->node[k],
                   *c1 = c0 + stride, *c2 = c1 + stride;
      for (int i = 0; i < 3; ++i) {
        m[3 * i] += w * c0[i];
        m[3 * i + 1] += w * c1[i];
        m[3 * i + 2] += w * c2[i];
      }
    }
  }
}

// The columns of the rows `first` to its end in out, of the rows `other` to its end: from
// themselves on, if these are the same. Rows have their directions in the axes of A.
static void fill_rows(const Body* b, int n, const NodeRow* rows, int first, int other,
                      const Between* between, double* out) {
  double m[9];
  find_block(b, between, &rows[first], &rows[other], m);
  for (int i = first; i < rows[first].end; ++i) {
    const double* d = rows[i].direction;
    double push[3];
    for (int k = 0; k < 3; ++k)
      push[k] = m[3 * k] * d[0] + m[3 * k + 1] * d[1] + m[3 * k + 2] * d[2];
    for (int j = other == first ? i : other; j < rows[other].end; ++j) {
      const double* along = rows[j].direction;
      const double value = along[0] * push[0] + along[1] * push[1] + along[2] * push[2];
      out[(long)i * n + j] += value;
      if (i != j) out[(long)j * n + i] += value;
    }
  }
}

static int is_point(const NodeRow* rows, int first) { return rows[first].end == first + 3; }

// fill_rows() with blocks of `between`, for three rows of one point and the rows of points behind
// it: the same sums, three numbers at once. Values have a number behind their end.
HEFT_CLONES static void fill_points(int n, const NodeRow* rows, int first, const Between* between,
                                    double* out) {
  const NodeRow* own = &rows[first];
  const long stride = 3L * between->count;
  for (int other = own->end; other < n; other = rows[other].end) {
    const NodeRow* to = &rows[other];
    if (to->node[0] < 0 || !is_point(rows, other)) continue;
    V4 c0 = v4_all(0), c1 = c0, c2 = c0;
    for (int k = 0; k < 3 && to->node[k] >= 0; ++k) {
      for (int l = 0; l < 3 && own->node[l] >= 0; ++l) {
        const double w = to->weight[k] * own->weight[l],
                     *c = between->values + 3L * own->node[l] * stride + 3L * to->node[k];
        c0 += w * v4_load(c);
        c1 += w * v4_load(c + stride);
        c2 += w * v4_load(c + 2 * stride);
      }
    }
    const double *d0 = to[0].direction, *d1 = to[1].direction, *d2 = to[2].direction;
    const V4 a0 = {d0[0], d1[0], d2[0]}, a1 = {d0[1], d1[1], d2[1]}, a2 = {d0[2], d1[2], d2[2]};
    double *row = out + (long)first * n + other, *column = out + (long)other * n + first;
#pragma GCC unroll 3
    for (int i = 0; i < 3; ++i, row += n) {
      const double* d = own[i].direction;
      const V4 push = c0 * d[0] + c1 * d[1] + c2 * d[2],
               value = a0 * push[0] + a1 * push[1] + a2 * push[2];
#pragma GCC unroll 3
      for (int j = 0; j < 3; ++j) {
        row[j] += value[j];
        column[(long)j * n + i] += value[j];
      }
    }
  }
}

// Adds the nodes that rows act on to `fresh`. Returns 0 if some of them are not meant to
// touch anything.
static int mark_nodes(Body* b, int count, const NodeRow* rows) {
  for (int k = 0; k < 6 * count; ++k) {
    for (int i = 0; i < 3; ++i) {
      const int u = unknown_of_row(b, &rows[k], i);
      if (u < 0) continue;
      if (b->kept.index[u] < 0) return 0;
      if (b->fresh.index[u] >= 0) continue;
      b->fresh.index[u] = 0;
      b->fresh_known = 0;
    }
  }
  return 1;
}

// Numbers the marked nodes; returns 0 if they are too many.
static int number_marked(Body* b) {
  int found = 0;
  for (int i = 0; i < b->touches; ++i) {
    const int u = b->touch[i];
    if (b->fresh.index[u] < 0) continue;
    if (found == b->fresh_max) return 0;
    b->fresh.index[u] = found;
    b->fresh_node[found++] = u;
  }
  b->fresh.count = found;
  return 1;
}

static void clear_marks(Body* b) {
  for (int i = 0; i < b->touches; ++i) b->fresh.index[b->touch[i]] = -1;
  b->fresh_known = 0;
}

// A⁻¹ between all nodes that the rows act on, NULL if they are too many. Nodes that have touched
// something since the factor was found stay, as long as there is room: a number of A⁻¹ has the same
// bits beside any others.
static const Between* between_of(Body* b, int count, const NodeRow* rows) {
  if (b->near && b->kept.count > 0) {
    for (int k = 0; k < 18 * count; ++k) {
      const int u = unknown_of_row(b, &rows[k / 3], k % 3);
      if (u >= 0 && b->kept.index[u] < 0) return NULL;
    }
    return keep_between(b);
  }
  if (b->near || !b->fresh_known) clear_marks(b);
  if (!mark_nodes(b, count, rows)) return NULL;
  if (b->fresh_known) return &b->fresh;
  if (!number_marked(b)) {
    clear_marks(b);
    mark_nodes(b, count, rows);
    if (!number_marked(b)) {
      clear_marks(b);
      return NULL;
    }
  }
  block_cholesky_between(&factor_of(b)->cholesky, b->fresh.count, b->fresh_node, b->fresh.values);
  b->fresh_known = !b->near;
  return &b->fresh;
}

// All rows, as threads see them.
typedef struct RowWork {
  const Body* b;
  int count;
  const NodeRow* rows;
  const Between* between;
  double* out;
} RowWork;

static void fill_range(void* arg, int first, int end) {
  const RowWork* work = arg;
  const NodeRow* rows = work->rows;
  for (int k = first; k < end; ++k) {
    if (rows[k].end == 0 || rows[k].node[0] < 0) continue;
    if (is_point(rows, k)) fill_points(work->count, rows, k, work->between, work->out);
    for (int other = k; other < work->count; other = rows[other].end) {
      const int done = other != k && is_point(rows, k) && is_point(rows, other);
      if (!done && rows[other].node[0] >= 0)
        fill_rows(work->b, work->count, rows, k, other, work->between, work->out);
    }
  }
}

void heft_deform_delassus(Deform* x, int d, int count, NodeRow* rows, double* out) {
  Body* b = &x->bodies[d];
  const int n = 6 * count;
  const Between* between = between_of(b, count, rows);
  for (int k = 0; k < n; ++k) {
    const HeftVec3 own = direction_of(b, &rows[k]);
    write_vec(rows[k].direction, own);
    place_row(b, between, &rows[k]);
  }
  for (int k = 0, first = 0; k < n; ++k) {
    if (!same_nodes(&rows[k], &rows[first])) first = k;
    rows[k].end = 0;
    rows[first].end = k + 1;
  }
  RowWork work = {b, n, rows, between, out};
  if (between) {
    heft_pool_run_ranges(b->room.pool, n, ROWS, fill_range, &work);
    return;
  }
  for (int k = 0; k < n; k = rows[k].end) {
    if (rows[k].node[0] < 0) continue;
    solve_columns(b, &rows[k]);
    for (int other = k; other < n; other = rows[other].end) {
      if (rows[other].node[0] >= 0) fill_rows(b, n, rows, k, other, NULL, out);
    }
  }
}

BondVector heft_deform_bond_row(const Deform* x, int d, const NodeRow* row) {
  const Body* b = &x->bodies[d];
  BondVector out = {{0}};
  if (!acts(b, row) || b->bond_node < 0) return out;
  const HeftVec3 n = direction_of(b, row);
  for (int i = 0; i < 3; ++i) {
    const int u = unknown_of_row(b, row, i);
    if (u < 0) continue;
    const double *w = factor_of(b)->follow + 18L * u, share = row->weight[i];
    for (int k = 0; k < 6; ++k) out.x[k] -= share * (w[k] * n.x + w[6 + k] * n.y + w[12 + k] * n.z);
  }
  return bond_out(b, &out);
}
