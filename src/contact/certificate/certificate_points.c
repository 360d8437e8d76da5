// SPDX-License-Identifier: Apache-2.0
// The certificate of plain points (certificate.c), in packets of four contacts.
//
// Each component of a packet gathers the three rows of both sides, Ω of the two effectors and their
// twists. Only the trace of W_ii is needed, tr(X Ω Xᵀ) = Σ_ij Ω_ij (Xᵀ X)_ij. A static side has
// zeros. If the number of contacts is not a multiple of four, the last contact is repeated, which
// changes neither a maximum nor a velocity.
#include "contact/certificate/certificate_points.h"
#include "base/assert.h"

#include <heft/math.h>
#include <math.h>

#include "math/simd.h"

enum { PACKET_SIZE = 4, TWIST = 8 };

static const double nothing[6] = {0};

int certificate_is_plain(const HeftContactProblem* p, const int* tree_of, int contact) {
  const HeftConstraintBlock* c = &p->constraints[contact];
  if (c->type != HEFT_CONSTRAINT_POINT || c->mu_static > c->mu || heft_contact_problem_yields(p))
    return 0;
  return c->effector[0] < 0 || c->effector[1] < 0 ||
         tree_of[c->effector[0]] != tree_of[c->effector[1]];
}

// ---- gathering

// Transposes four numbers of four contacts: out[k] has the k-th of each.
HEFT_INLINE void gather4(const double* const at[PACKET_SIZE], int from, V4 out[4]) {
  const V4 a = v4_load(at[0] + from), b = v4_load(at[1] + from), c = v4_load(at[2] + from),
           d = v4_load(at[3] + from);
  const V4 ab_even = V4_SHUFFLE(a, b, 0, 4, 2, 6), ab_odd = V4_SHUFFLE(a, b, 1, 5, 3, 7);
  const V4 cd_even = V4_SHUFFLE(c, d, 0, 4, 2, 6), cd_odd = V4_SHUFFLE(c, d, 1, 5, 3, 7);
  out[0] = V4_SHUFFLE(ab_even, cd_even, 0, 1, 4, 5);
  out[1] = V4_SHUFFLE(ab_odd, cd_odd, 0, 1, 4, 5);
  out[2] = V4_SHUFFLE(ab_even, cd_even, 2, 3, 6, 7);
  out[3] = V4_SHUFFLE(ab_odd, cd_odd, 2, 3, 6, 7);
}

HEFT_INLINE void gather6(const double* const at[PACKET_SIZE], V4 out[6]) {
  V4 head[4], tail[4];
  gather4(at, 0, head);
  gather4(at, 2, tail);
  for (int k = 0; k < 4; ++k) out[k] = head[k];
  out[4] = tail[2], out[5] = tail[3];
}

HEFT_INLINE int contact_at(const CertificateTask* t, int first, int packet) {
  HEFT_ASSERT(first >= 0 && first < t->count);
  return t->list[first + packet < t->count ? first + packet : t->count - 1];
}

// One side of four contacts.
typedef struct Side {
  const double *x[3][PACKET_SIZE], *omega[6][PACKET_SIZE], *twist[PACKET_SIZE];
} Side;

HEFT_INLINE void fill_packet(const CertificateTask* t, const HeftConstraintBlock* c, int side,
                             int packet, Side* out) {
  const HeftContactProblem* p = t->problem;
  const int m = c->effector[side];
  const double *x = nothing, *omega = nothing;
  long apart = 0, n = 0;
  if (m >= 0) {
    const HeftContactTree* tree = &p->trees[t->tree_of[m]];
    HEFT_ASSERT(m >= tree->effector_first && m < tree->effector_first + tree->effector_count);
    const long at = 6L * (m - tree->effector_first);
    n = 6L * tree->effector_count;
    x = p->jacobian + 12L * c->row + 6L * side;
    omega = p->omega + tree->omega + at * n + at;
    apart = 12;
  }
  for (int a = 0; a < 3; ++a) out->x[a][packet] = x + apart * a;
  for (int k = 0; k < 6; ++k) out->omega[k][packet] = omega + n * k;
  out->twist[packet] = t->twist + (long)TWIST * (m >= 0 ? m : p->effector_count);
}

HEFT_INLINE Side side_of(const CertificateTask* t, int first, int side) {
  Side out;
  for (int packet = 0; packet < PACKET_SIZE; ++packet)
    fill_packet(t, &t->problem->constraints[contact_at(t, first, packet)], side, packet, &out);
  return out;
}

// ---- velocities

HEFT_INLINE V4 dot6(const V4 x[6], const V4 y[6]) {
  return ((x[0] * y[0] + x[1] * y[1]) + (x[2] * y[2] + x[3] * y[3])) + (x[4] * y[4] + x[5] * y[5]);
}

// Σ_ij Ω_ij (Xᵀ X)_ij, by its upper half.
HEFT_INLINE V4 trace_of(const Side* s, const V4 x[3][6]) {
  V4 own = v4_all(0), mixed = v4_all(0);
#pragma GCC unroll 6
  for (int i = 0; i < 6; ++i) {
    V4 row[6];
    gather6(s->omega[i], row);
#pragma GCC unroll 6
    for (int j = i; j < 6; ++j) {
      const V4 part = row[j] * ((x[0][i] * x[0][j] + x[1][i] * x[1][j]) + x[2][i] * x[2][j]);
      if (i == j) own += part;
      if (i != j) mixed += part;
    }
  }
  return own + 2 * mixed;
}

HEFT_INLINE void velocity_of_four(const CertificateTask* t, int first) {
  V4 u[3] = {v4_all(0), v4_all(0), v4_all(0)}, trace = v4_all(0);
  for (int side = 0; side < 2; ++side) {
    const Side s = side_of(t, first, side);
    V4 x[3][6], v[6];
    gather6(s.twist, v);
    for (int a = 0; a < 3; ++a) {
      gather6(s.x[a], x[a]);
      u[a] += dot6(x[a], v);
    }
    trace += trace_of(&s, (const V4(*)[6])x);
  }
  for (int packet = 0; packet < PACKET_SIZE; ++packet) {
    const int row = t->problem->constraints[contact_at(t, first, packet)].row;
    for (int a = 0; a < 3; ++a) t->u[row + a] = t->problem->bias[row + a] + u[a][packet];
    t->diagonal[row] = trace[packet];
  }
}

HEFT_CLONES
static void certificate_velocity_packets(const CertificateTask* t, int first, int end) {
  for (int at = first; at < end; at += PACKET_SIZE) velocity_of_four(t, at);
}

void certificate_points_velocity(void* task, int first, int end) {
  certificate_velocity_packets(task, first, end);
}

// ---- errors

HEFT_INLINE V4 root4(V4 a) { return (V4){sqrt(a[0]), sqrt(a[1]), sqrt(a[2]), sqrt(a[3])}; }
HEFT_INLINE V4 larger4(V4 a, V4 b) { return v4_select(b > a, b, a); }

// The largest errors of each component so far.
typedef struct Worst {
  V4 residual, cone, product, normal;
  V4 size;           // w (r_n + |r_t|)
  V4 turn;           // cosine of the slip angle, squared with its sign; the least
  V4 across, along;  // sine and cosine of that angle, of any length
  I4 worst, finite;
} Worst;

typedef struct Four {
  V4 mu, w, r[3], u[3];
  I4 contact;
} Four;

HEFT_INLINE Four four_at(const CertificateTask* t, int first) {
  double mu[PACKET_SIZE], w[PACKET_SIZE], r[3][PACKET_SIZE], u[3][PACKET_SIZE];
  int i[PACKET_SIZE];
  for (int packet = 0; packet < PACKET_SIZE; ++packet) {
    i[packet] = contact_at(t, first, packet);
    const int row = t->problem->constraints[i[packet]].row;
    mu[packet] = t->problem->constraints[i[packet]].mu;
    w[packet] = certificate_weight(t->diagonal[row], 3);
    for (int a = 0; a < 3; ++a) {
      r[a][packet] = t->impulse[row + a];
      u[a][packet] = t->u[row + a];
    }
  }
  return (Four){v4_load(mu),
                v4_load(w),
                {v4_load(r[0]), v4_load(r[1]), v4_load(r[2])},
                {v4_load(u[0]), v4_load(u[1]), v4_load(u[2])},
                {i[0], i[1], i[2], i[3]}};
}

// w |r - P_K(r - û / w)|. Outside of K and of its polar cone, the nearest point lies on the flank.
HEFT_INLINE V4 natural_map4(const Four* f, V4 slip) {
  const V4 zero = v4_all(0);
  const V4 x0 = f->r[0] - (f->u[0] + f->mu * slip) / f->w, x1 = f->r[1] - f->u[1] / f->w,
           x2 = f->r[2] - f->u[2] / f->w;
  const V4 t = root4(x1 * x1 + x2 * x2);
  const V4 flank = (x0 + f->mu * t) / (1 + f->mu * f->mu);
  const V4 high = v4_select(x0 > zero, x0, zero);
  V4 n = v4_select(t > f->mu * high, flank, x0);
  n = v4_select(n > zero, n, zero);
  const V4 coupled = f->mu * n, part = v4_select(t > coupled, coupled / t, v4_all(1));
  const V4 d0 = f->r[0] - n, d1 = f->r[1] - x1 * part, d2 = f->r[2] - x2 * part;
  return f->w * root4(d0 * d0 + d1 * d1 + d2 * d2);
}

HEFT_INLINE void judge_turn(const Four* f, V4 slip, V4 friction, V4 min, Worst* worst) {
  const V4 cross = v4_abs(f->u[1] * f->r[2] - f->u[2] * f->r[1]);
  const V4 against = -(f->u[1] * f->r[1] + f->u[2] * f->r[2]);
  const V4 square = cross * cross + against * against;
  const V4 turn = against * v4_abs(against) / square;
  const I4 counts = (slip > min) & (f->w * friction > min) & (turn < worst->turn);
  worst->turn = v4_select(counts, turn, worst->turn);
  worst->across = v4_select(counts, cross, worst->across);
  worst->along = v4_select(counts, against, worst->along);
}

HEFT_INLINE void judge_four(const CertificateTask* t, int first, double reference, Worst* worst) {
  const Four f = four_at(t, first);
  const V4 slip = root4(f.u[1] * f.u[1] + f.u[2] * f.u[2]);
  const V4 friction = root4(f.r[1] * f.r[1] + f.r[2] * f.r[2]);
  const V4 residual = natural_map4(&f, slip);
  for (int packet = 0; packet < PACKET_SIZE; ++packet) {
    t->residual[f.contact[packet]] = residual[packet];
    t->weight[f.contact[packet]] = f.w[packet];
  }
  const I4 worse = residual > worst->residual;
  worst->worst = (worse & f.contact) | (~worse & worst->worst);
  worst->residual = v4_select(worse, residual, worst->residual);
  worst->finite &= residual < v4_all(HUGE_VAL);
  worst->cone = larger4(larger4(worst->cone, -f.r[0]), friction - f.mu * f.r[0]);
  const V4 product = ((f.r[0] * f.mu * slip + f.r[0] * f.u[0]) + f.r[1] * f.u[1]) + f.r[2] * f.u[2];
  worst->product = larger4(worst->product, v4_abs(product));
  worst->normal = larger4(worst->normal, -f.u[0]);
  worst->size = larger4(worst->size, f.w * (f.r[0] + friction));
  judge_turn(&f, slip, friction, v4_all(1e-3 * reference), worst);
}

HEFT_CLONES
static void certificate_judge_packets(const CertificateTask* t, double reference, Worst* worst) {
  for (int first = 0; first < t->count; first += PACKET_SIZE)
    judge_four(t, first, reference, worst);
}

double certificate_points_judge(const CertificateTask* task, double reference,
                                HeftContactCertificate* out) {
  const V4 zero = v4_all(0), one = v4_all(1);
  Worst w = {.residual = v4_all(-1),
             .cone = zero,
             .product = zero,
             .normal = zero,
             .size = zero,
             .turn = one,
             .across = zero,
             .along = one,
             .worst = {-1, -1, -1, -1},
             .finite = {-1, -1, -1, -1}};
  double size = 0;
  certificate_judge_packets(task, reference, &w);
  for (int k = 0; k < PACKET_SIZE && task->count > 0; ++k) {
    const int first = w.residual[k] == out->residual && w.worst[k] < out->worst;
    if (w.residual[k] > out->residual || out->worst < 0 || first) {
      out->residual = w.residual[k] > 0 ? w.residual[k] : 0;
      out->worst = (int)w.worst[k];
    }
    out->finite = out->finite && w.finite[k] != 0;
    out->cone = fmax(out->cone, w.cone[k]);
    out->complementarity = fmax(out->complementarity, w.product[k]);
    out->normal = fmax(out->normal, w.normal[k]);
    out->slip_angle = fmax(out->slip_angle, heft_atan2(w.across[k], w.along[k]));
    size = fmax(size, w.size[k]);
  }
  return size;
}
