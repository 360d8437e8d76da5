// SPDX-License-Identifier: Apache-2.0
// Papers: R15, S1.
// The method of [Chardonnet 2012] (section 3.2, Eq. 5-9) and [Chardonnet 2008] (Eq. 5): for each
// link that is touched, six unit spatial forces run down its branch to the root and the
// accelerations come back up to the links of the request, with what ABA has left behind (joint
// velocities, gravity and torques zero):
//     inwards    u = Sᵀ f,  f_p = f - U D⁻¹ u          on the branch only
//     outwards   q̈ = D⁻¹ (u - Uᵀ a_p),  a = a_p + S q̈   on the branches to touched links only
// The six run side by side in the lanes of a V8: a "column" here is one component of all six.
#include <string.h>

#include "base/assert.h"
#include "dynamics/delassus.h"

// Six spatial vectors at once: component c of all of them in row c (angular 0-2, linear 3-5).
typedef struct Six {
  V8 row[6];
} Six;

HEFT_INLINE V8 six_dot(const Six* s, Pair p) {
  return ((s->row[0] * p.ang[0] + s->row[1] * p.ang[1]) + s->row[2] * p.ang[2]) +
         ((s->row[3] * p.lin[0] + s->row[4] * p.lin[1]) + s->row[5] * p.lin[2]);
}

HEFT_INLINE void six_add(Six* s, Pair p, V8 scale) {
  for (int i = 0; i < 3; ++i) {
    s->row[i] = s->row[i] + scale * p.ang[i];
    s->row[i + 3] = s->row[i + 3] + scale * p.lin[i];
  }
}

// Scratch: u for every dof, accelerations for every link, one mark per link, and the blocks found.
typedef struct BodyScratch {
  V8* u;              ///< nv
  Six* acceleration;  ///< nlink
  Block* blocks;      ///< group_count x group_count
  int* wanted;        ///< nlink: lies on the path to a link with a contact
} BodyScratch;

static BodyScratch place(const DelassusRequest* r) {
  const HeftTree* t = r->dynamics->tree;
  BodyScratch s;
  s.u = (V8*)(void*)r->scratch;
  s.acceleration = (Six*)(void*)(s.u + t->nv);
  s.blocks = (Block*)(void*)(s.acceleration + t->nlink);
  s.wanted = (int*)(void*)(s.blocks + (long)r->group_count * r->group_count);
  return s;
}

static size_t body_scratch(const HeftDynamics* d, int group_count) {
  const size_t nv = (size_t)d->tree->nv, nlink = (size_t)d->tree->nlink,
               groups = (size_t)group_count;
  return nv * 8 + nlink * 48 + groups * groups * 48 + round_up_8((nlink + 1) / 2);
}

HEFT_INLINE void solve_six(const double* inverse, int n, const V8* in, V8* out) {
  for (int i = 0; i < n; ++i) {
    V8 sum = v8_all(0);
    for (int j = 0; j < n; ++j) sum = sum + in[j] * inverse[i * n + j];
    out[i] = sum;
  }
}

HEFT_INLINE void six_inwards(const HeftDynamics* d, int start, V8* u) {
  const HeftTree* t = d->tree;
  Six force;
  for (int c = 0; c < 6; ++c)
    force.row[c] = (V8){c == 0, c == 1, c == 2, c == 3, c == 4, c == 5, 0, 0};
  for (int k = start; k > 0; k = t->link[k].parent) {
    const Link* link = &t->link[k];
    HEFT_ASSERT(link->parent < k);
    V8 share[6];
    for (int i = 0; i < link->dof_count; ++i)
      u[link->dof + i] = six_dot(&force, d->axis[link->dof + i]);
    if (link->parent == 0) break;  // the world needs no force
    solve_six(d->inverse + 36L * k, link->dof_count, u + link->dof, share);
    for (int i = 0; i < link->dof_count; ++i) six_add(&force, d->reach[link->dof + i], -share[i]);
  }
}

HEFT_INLINE void six_outwards(const HeftDynamics* d, int k, const V8* u, Six* acceleration) {
  const Link* link = &d->tree->link[k];
  Six a = acceleration[link->parent];
  V8 rest[6], qdd[6];
  for (int i = 0; i < link->dof_count; ++i)
    rest[i] = u[link->dof + i] - six_dot(&a, d->reach[link->dof + i]);
  solve_six(d->inverse + 36L * k, link->dof_count, rest, qdd);
  for (int i = 0; i < link->dof_count; ++i) six_add(&a, d->axis[link->dof + i], qdd[i]);
  acceleration[k] = a;
}

// Row c of the acceleration of a, force j on b: Ω_ab[c][j].
HEFT_INLINE void six_to_block(const Six* a, Block* out) {
  for (int j = 0; j < 6; ++j) {
    out->column[j] = (V8){a->row[0][j], a->row[1][j], a->row[2][j], 0,
                          a->row[3][j], a->row[4][j], a->row[5][j], 0};
  }
}

HEFT_CLONES static void body_run(const DelassusRequest* r, const BodyScratch* s, int group) {
  const HeftDynamics* d = r->dynamics;
  const HeftTree* t = d->tree;
  const int last = r->links[group];
  HEFT_ASSERT(last > 0 && last < t->nlink);
  memset(s->u, 0, (size_t)t->nv * sizeof *s->u);
  six_inwards(d, last, s->u);
  memset(&s->acceleration[0], 0, sizeof *s->acceleration);
  for (int k = 1; k <= last; ++k) {
    if (s->wanted[k] && t->link[k].root == t->link[last].root)
      six_outwards(d, k, s->u, s->acceleration);
  }
  for (int a = 0; a <= group; ++a) {
    Block* out = &s->blocks[(long)a * r->group_count + group];
    if (t->link[r->links[a]].root == t->link[last].root) {
      six_to_block(&s->acceleration[r->links[a]], out);
    } else {
      memset(out, 0, sizeof *out);
    }
  }
}

static void body_prepare(const DelassusRequest* r) {
  const HeftTree* t = r->dynamics->tree;
  const BodyScratch s = place(r);
  memset(s.wanted, 0, (size_t)t->nlink * sizeof *s.wanted);
  for (int g = 0; g < r->group_count; ++g) {
    for (int k = r->links[g]; k > 0 && !s.wanted[k]; k = t->link[k].parent) s.wanted[k] = 1;
  }
  for (int g = 0; g < r->group_count; ++g) body_run(r, &s, g);
}

static void body_block(const DelassusRequest* r, int a, int b, Block* out) {
  *out = place(r).blocks[(long)a * r->group_count + b];
}

const DelassusBlocks heft_delassus_body = {body_scratch, body_prepare, body_block};
