// SPDX-License-Identifier: Apache-2.0
// Fills the packets of four contacts that share no body (colouring.c): X and Y of both sides are
// transposed, so that the numbers of the four contacts are adjacent, and the factors of the local
// problems are computed four at a time, operation by operation as local_make() does.
#include <math.h>
#include <stddef.h>

#include "base/assert.h"
#include "contact/core/packet_inline.h"

// Transposes four numbers of four contacts; the results are `apart` doubles from each other.
HEFT_INLINE void turn_over(const double* const at[PACKET_SIZE], int from, double* out, int apart,
                           int count) {
  V4 a = v4_load(at[0] + from), b = v4_load(at[1] + from), c = v4_load(at[2] + from),
     d = v4_load(at[3] + from);
  transpose(&a, &b, &c, &d);
  v4_store(out, a);
  v4_store(out + apart, b);
  if (count > 2) v4_store(out + 2 * apart, c);
  if (count > 3) v4_store(out + 3 * apart, d);
}

static const double nothing[24] = {0};

// X and Y of one side; zeros for a static body.
HEFT_INLINE void load_side(const Core* core, int group, int side, double* out) {
  const double *x[PACKET_SIZE], *y[PACKET_SIZE];
  for (int packet = 0; packet < PACKET_SIZE; ++packet) {
    const int i = PACKET_SIZE * group + packet, there = core->effector[2 * i + side] >= 0;
    const int before = side == 1 && core->effector[2 * i] >= 0 ? 3 : 0;
    HEFT_ASSERT(core->is_point[i] && core->slot[i] == 4 * i);
    x[packet] = there ? core->x + 12 * (size_t)core->slot[i] + 24 * side : nothing;
    y[packet] =
        there ? core->y + (size_t)EFFECTOR_PAD * (size_t)(core->coupled[i].y + before) : nothing;
  }
  double *to_x = out + PACKET_X + 18 * PACKET_SIZE * side,
         *to_y = out + PACKET_Y + 18 * PACKET_SIZE * side;
  for (int k = 0; k < 6; ++k) turn_over(x, 4 * k, to_x + 3 * PACKET_SIZE * k, PACKET_SIZE, 3);
  for (int a = 0; a < 3; ++a) {
    turn_over(y, EFFECTOR_PAD * a, to_y + PACKET_SIZE * a, 3 * PACKET_SIZE, 4);
    turn_over(y, EFFECTOR_PAD * a + 4, to_y + 12 * PACKET_SIZE + PACKET_SIZE * a, 3 * PACKET_SIZE,
              2);
  }
}

// ---- local factors

// G of four contacts, its symmetric part.
typedef struct Blocks {
  V4 g00, g01, g02, g11, g12, g22;
} Blocks;

#define PUT(name, value) \
  v4_store(l + PACKET_SIZE * (int)(offsetof(Local, name) / sizeof(double)), (value))

HEFT_INLINE Blocks blocks_of(const Core* core, int group) {
  const double* at[PACKET_SIZE];
  double d[3][4 * PACKET_SIZE];
  for (int packet = 0; packet < PACKET_SIZE; ++packet)
    at[packet] = core->diagonal + 36 * (PACKET_SIZE * group + packet);
  for (int a = 0; a < 3; ++a) turn_over(at, 6 * a, d[a], PACKET_SIZE, 3);
  const V4 alpha = core->proximal * v4_load(core->w + PACKET_SIZE * group);
  return (Blocks){packet(d[0], 0) + alpha,
                  0.5 * (packet(d[0], 1) + packet(d[1], 0)),
                  0.5 * (packet(d[0], 2) + packet(d[2], 0)),
                  packet(d[1], 1) + alpha,
                  0.5 * (packet(d[1], 2) + packet(d[2], 1)),
                  packet(d[2], 2) + alpha};
}

HEFT_INLINE void put_inverse(const Blocks* b, double* l) {
  const V4 c00 = b->g11 * b->g22 - b->g12 * b->g12, c01 = b->g02 * b->g12 - b->g01 * b->g22;
  const V4 c02 = b->g01 * b->g12 - b->g02 * b->g11;
  const V4 determinant = b->g00 * c00 + b->g01 * c01 + b->g02 * c02;
  const V4 d = v4_select(determinant > v4_all(0), 1 / determinant, v4_all(0));
  PUT(i00, c00 * d);
  PUT(i01, c01 * d);
  PUT(i02, c02 * d);
  PUT(i11, (b->g00 * b->g22 - b->g02 * b->g02) * d);
  PUT(i12, (b->g01 * b->g02 - b->g00 * b->g12) * d);
  PUT(i22, (b->g00 * b->g11 - b->g01 * b->g01) * d);
}

// The eigenframe of the tangential part, by one Jacobi rotation.
HEFT_INLINE void put_frame(const Blocks* b, V4 ia, double* l) {
  const V4 one = v4_all(1), zero = v4_all(0);
  const V4 p = b->g11 - b->g01 * b->g01 * ia, o = b->g12 - b->g01 * b->g02 * ia,
           q = b->g22 - b->g02 * b->g02 * ia;
  const I4 straight = o == zero;
  const V4 theta = (q - p) / (2 * o);
  const V4 sign = v4_select(theta >= zero, one, -one);
  const V4 t = sign / (v4_abs(theta) + v4_root(theta * theta + one));
  const V4 turn = one / v4_root(t * t + one);
  const V4 c = v4_select(straight, one, turn), s = v4_select(straight, zero, -t * turn);
  PUT(c, c);
  PUT(s, s);
  PUT(a0, v4_select(straight, p, p - t * o));
  PUT(a1, v4_select(straight, q, q + t * o));
  PUT(w0, c * b->g01 + s * b->g02);
  PUT(w1, -s * b->g01 + c * b->g02);
}

HEFT_INLINE void make_locals(const Core* core, int group, double* l) {
  HEFT_ASSERT(core->proximal > 0);
  const Cone* cone = core->cone + PACKET_SIZE * group;
  const V4 mu = {cone[0].mu[0], cone[1].mu[0], cone[2].mu[0], cone[3].mu[0]};
  const Blocks b = blocks_of(core, group);
  const V4 ia = 1 / b.g00;
  PUT(g00, b.g00);
  PUT(g01, b.g01);
  PUT(g02, b.g02);
  PUT(g11, b.g11);
  PUT(g12, b.g12);
  PUT(g22, b.g22);
  PUT(mu, mu);
  PUT(imu, v4_select(mu > v4_all(0), 1 / mu, v4_all(0)));
  PUT(lambda, v4_all(0));
  PUT(ia, ia);
  put_inverse(&b, l);
  put_frame(&b, ia, l);
}

// ---- all of them

HEFT_CLONES
static void load_groups(Core* core) {
  for (int g = 0; g < core->colouring.groups; ++g) {
    double* out = core->packet + (size_t)PACKET_DOUBLES * (size_t)g;
    for (int side = 0; side < 2; ++side) load_side(core, g, side, out);
    make_locals(core, g, out + PACKET_LOCAL);
  }
}

void packet_load(Core* core) {
  load_groups(core);
  for (int g = 0; g < core->colouring.groups; ++g) {
    for (int packet = 0; packet < PACKET_SIZE; ++packet) {
      for (int s = 0; s < 2; ++s) {
        const int m = core->effector[2 * (PACKET_SIZE * g + packet) + s];
        HEFT_ASSERT(m < core->effectors);
        core->packet_effector[2 * PACKET_SIZE * g + PACKET_SIZE * s + packet] =
            m >= 0 ? m : core->effectors;
      }
    }
  }
}
