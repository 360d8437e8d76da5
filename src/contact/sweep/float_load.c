// SPDX-License-Identifier: Apache-2.0
// From the problem to packets of floats (float_sweep.h), and back.
#include <math.h>

#include "base/assert.h"
#include "contact/sweep/float_sweep.h"

static const double SINGULAR =
    1e-12;  // pivots of Ω below this, relative: a direction that is fixed

void float_sweep_take(FloatSweep* s, Arena* arena, int constraints, int effectors) {
  const size_t groups = (size_t)heap_order_groups_max(constraints, F8_SIZE);
  const size_t changes = groups * FLOAT_CHANGE * F8_SIZE,
               twists = FLOAT_TWIST * ((size_t)effectors + JOBS_MAX);
  heap_order_take(&s->order, arena, constraints, effectors);
  s->source = arena_take(arena, groups * F8_SIZE, int);
  s->x = arena_take(arena, groups * FLOAT_X * F8_SIZE, float);
  s->law = arena_take(arena, groups, FloatLaw);
  s->body = arena_take(arena, groups * 2 * F8_SIZE, int);
  s->factor = arena_take(arena, 48 * (size_t)effectors, double);
  s->w = arena_take(arena, groups * F8_SIZE, double);
  s->delta = arena_take(arena, changes, float);
  s->z = arena_take(arena, twists, float);
  s->last = arena_take(arena, changes, float);
  s->z_last = arena_take(arena, twists, float);
  s->worst = arena_take(arena, groups, double);
}

int float_sweep_fits(const HeftContactProblem* p) {
  if (p->block_start || heft_contact_problem_yields(p) || p->tree_count != p->effector_count)
    return 0;
  if (p->tree_count > 0 && p->trees[0].dof_count > 0) return 0;
  for (int i = 0; i < p->constraint_count; ++i) {
    const HeftConstraintBlock* c = &p->constraints[i];
    if (c->type != HEFT_CONSTRAINT_POINT && c->type != HEFT_CONSTRAINT_FRICTIONLESS) return 0;
    if (c->mu_static > c->mu || c->effector[0] == c->effector[1]) return 0;
  }
  return 1;
}

// ---- Ω = L Lᵀ

// L of one body, by rows of eight.
static void factor_body(const double* omega, double scale, double* out) {
  double l[6][6] = {{0}};
  for (int k = 0; k < 6; ++k) {
    double pivot = omega[7 * k];
    for (int j = 0; j < k; ++j) pivot -= l[k][j] * l[k][j];
    const int fixed = !(pivot > SINGULAR * omega[7 * k]);
    l[k][k] = fixed ? 0 : sqrt(pivot);
    HEFT_ASSERT(!(l[k][k] < 0));
    const double inverse = fixed ? 0 : 1 / l[k][k];
    for (int i = k + 1; i < 6; ++i) {
      double sum = omega[6 * i + k];
      for (int j = 0; j < k; ++j) sum -= l[i][j] * l[k][j];
      l[i][k] = sum * inverse;
    }
  }
  for (int i = 0; i < 6; ++i) {
    for (int k = 0; k < 8; ++k) out[8 * i + k] = k <= i ? scale * l[i][k] : 0;
  }
}

static double mean_mobility(const HeftContactProblem* p) {
  HEFT_ASSERT(p->tree_count > 0);
  double sum = 0;
  for (int t = 0; t < p->tree_count; ++t) {
    const double* omega = p->omega + p->trees[t].omega;
    sum += omega[21] + omega[28] + omega[35];
  }
  return sum / (3 * p->tree_count);
}

// ---- X̂

// A row of one side: x L.
HEFT_INLINE V8 row_times_factor(const double* x, const double* factor) {
  V8 sum = x[0] * v8_load_aligned(factor);
#pragma GCC unroll 5
  for (int k = 1; k < 6; ++k) sum += x[k] * v8_load_aligned(factor + 8 * k);
  return sum;
}

// The rows of one contact, as 6 rows of eight floats; `apart` floats from one row to the next.
// Returns trace(W_ii) / rows.
HEFT_INLINE double load_rows(const FloatSweep* s, const HeftContactProblem* p, int contact,
                             float* out, int apart) {
  const HeftConstraintBlock* c = &p->constraints[contact];
  const int rows = c->type == HEFT_CONSTRAINT_POINT ? 3 : 1;
  V8 trace = v8_all(0);
  for (int side = 0; side < 2; ++side) {
    for (int a = 0; a < 3; ++a, out += apart) {
      V8 row = v8_all(0);
      if (a < rows && c->effector[side] >= 0)
        row = row_times_factor(p->jacobian + 12 * (c->row + a) + 6 * side,
                               s->factor + 48 * (size_t)c->effector[side]);
      trace += row * row;
      f8_store(out, f8_join(__builtin_convertvector(v8_low(row), F4),
                            __builtin_convertvector(v8_high(row), F4)));
    }
  }
  return v8_sum(trace) / rows;
}

// The rows of all contacts of a group, then the numbers of the eight side by side.
HEFT_INLINE void load_group_x(const FloatSweep* s, const HeftContactProblem* p, int group) {
  static const int place[F8_SIZE] = {0, 8, 16, 24, 32, 40, 48, 56};
  float rows[6 * 64] __attribute__((aligned(32)));
  float* out = s->x + (size_t)group * FLOAT_X * F8_SIZE;
  for (int k = 0; k < F8_SIZE; ++k) {
    const int contact = s->source[F8_SIZE * group + k];
    if (contact >= 0) {
      s->w[F8_SIZE * group + k] =
          load_rows(s, p, contact, rows + 8 * k, 64) * (s->velocity / s->impulse);
    } else {
      s->w[F8_SIZE * group + k] = 0;
      for (int a = 0; a < 6; ++a) f8_store(rows + 8 * k + 64 * a, f8_all(0));
    }
  }
  for (int a = 0; a < 6; ++a) {
    const Six8 six = six8_gather(rows + 64 * a, place);
    for (int k = 0; k < 6; ++k) f8_store(out + F8_SIZE * (6 * a + k), six.v[k]);
  }
}

// ---- W_ii

// Row a times row b, over both sides.
HEFT_INLINE F8 block_of(const float* x, int a, int b) {
  F8 sum = f8_all(0);
  for (int side = 0; side < 2; ++side) {
    for (int k = 0; k < 6; ++k)
      sum += f8_load(x + F8_SIZE * (18 * side + 6 * a + k)) *
             f8_load(x + F8_SIZE * (18 * side + 6 * b + k));
  }
  return sum;
}

HEFT_INLINE F8 positive_inverse(F8 a) { return f8_select(a > f8_all(0), 1 / a, f8_all(0)); }

HEFT_INLINE void load_group_law(const FloatSweep* s, const HeftContactProblem* p, int group,
                                float soft) {
  const double unit = s->impulse / s->velocity;
  const float* x = s->x + (size_t)group * FLOAT_X * F8_SIZE;
  FloatLaw* law = &s->law[group];
  const F8 zero = f8_all(0), nn = block_of(x, 0, 0), p1 = block_of(x, 1, 1), p2 = block_of(x, 2, 2),
           mixed = block_of(x, 1, 2), half = 0.5f * (p1 - p2), square = half * half + mixed * mixed;
  float mu[F8_SIZE], mean[F8_SIZE];
  for (int k = 0; k < F8_SIZE; ++k) {
    const int contact = s->source[F8_SIZE * group + k];
    const HeftConstraintBlock* c = contact >= 0 ? &p->constraints[contact] : NULL;
    const int point = c && c->type == HEFT_CONSTRAINT_POINT;
    mu[k] = point ? (float)c->mu : 0;
    mean[k] = (float)(s->w[F8_SIZE * group + k] * unit);
  }
  memcpy(&law->mu, mu, sizeof mu);
  memcpy(&law->mean, mean, sizeof mean);
  const F8 split = f8_select(square > zero, square * f8_inverse_root(square), zero);
  law->w = soft * nn;
  law->w1 = block_of(x, 0, 1);
  law->w2 = block_of(x, 0, 2);
  law->iw = positive_inverse(law->w);
  law->tangent = soft * (0.5f * (p1 + p2) + split);
  law->itangent = positive_inverse(law->tangent);
}

// Groups in ranges, bodies in ranges: so that threads can share them.
enum { GROUP_RANGE = 32, BODY_RANGE = 128 };

typedef struct Loading {
  const FloatSweep* s;
  const HeftContactProblem* p;
  float soft;
  double scale;
  const double *r, *u;
  double* out;
} Loading;

HEFT_CLONES
static void float_load_groups(const FloatSweep* s, const HeftContactProblem* p, float soft,
                              int first, int end) {
  for (int g = first; g < end; ++g) {
    load_group_x(s, p, g);
    load_group_law(s, p, g, soft);
  }
}

static void load_groups(void* arg, int first, int end) {
  const Loading* l = arg;
  float_load_groups(l->s, l->p, l->soft, first, end);
}

static void factor_bodies(void* arg, int first, int end) {
  const Loading* l = arg;
  for (int t = first; t < end; ++t)
    factor_body(l->p->omega + l->p->trees[t].omega, l->scale,
                l->s->factor + 48 * (size_t)l->p->trees[t].effector_first);
}

// Static bodies have a twist of zeros, another one in each job: threads write it, too.
static void load_bodies(FloatSweep* s, const HeftContactProblem* p) {
  const HeapOrder* o = &s->order;
  for (int job = 0; job < o->domains.jobs; ++job) {
    for (int g = o->run[o->job[job]]; g < o->run[o->job[job + 1]]; ++g) {
      for (int k = 0; k < 2 * F8_SIZE; ++k) {
        const int contact = s->source[F8_SIZE * g + k % F8_SIZE];
        const int m = contact >= 0 ? p->constraints[contact].effector[k / F8_SIZE] : -1;
        s->body[2 * F8_SIZE * g + k] = FLOAT_TWIST * (m >= 0 ? m : s->bodies + job);
        HEFT_ASSERT(m < s->bodies);
      }
    }
  }
}

int float_sweep_load(FloatSweep* s, const HeftContactProblem* p, double reference,
                     double proximal) {
  const double mean = mean_mobility(p);
  if (!(mean > 0) || !(reference > 0)) return 0;
  s->bodies = p->effector_count;
  s->velocity = reference;
  s->impulse = reference / mean;
  HEFT_ASSERT(s->velocity > 0 && !(s->impulse <= 0));
  if (!heap_order_make(&s->order, p, F8_SIZE, s->source)) return 0;
  s->groups = s->order.groups;
  HEFT_ASSERT(s->groups <= heap_order_groups_max(p->constraint_count, F8_SIZE));
  Loading l = {.s = s, .p = p, .soft = (float)(1 + proximal), .scale = 1 / sqrt(mean)};
  share_ranges(s->share, p->tree_count, BODY_RANGE, factor_bodies, &l);
  share_ranges(s->share, s->groups, GROUP_RANGE, load_groups, &l);
  load_bodies(s, p);
  return 1;
}

// ---- the base point

// r0, u0 and the slack of one contact, NULL for a filler, which opens.
static void load_base(const FloatSweep* s, const HeftConstraintBlock* c, const double* r,
                      const double* u, float out[7]) {
  const double velocity = 1 / s->velocity, impulse = 1 / s->impulse;
  const int rows = !c ? 0 : c->type == HEFT_CONSTRAINT_POINT ? 3 : 1;
  double own[3] = {0, 0, 0};
  for (int a = 0; a < 3; ++a) {
    if (a < rows) own[a] = impulse * r[c->row + a];
    out[a] = a < rows ? (float)(velocity * u[c->row + a]) : (float)(rows == 0 && a == 0);
    out[3 + a] = (float)own[a];
  }
  const double coupled = rows == 3 ? c->mu * own[0] : 0,
               slack = coupled * coupled - (own[1] * own[1] + own[2] * own[2]);
  out[6] = slack > 0 ? (float)slack : 0;
  HEFT_ASSERT(!(out[6] < 0));
}

static void load_bases(void* arg, int first, int end) {
  const Loading* l = arg;
  for (int place = F8_SIZE * first; place < F8_SIZE * end; ++place) {
    // it begins with these seven
    float* law = (float*)&l->s->law[place / F8_SIZE] + place % F8_SIZE;
    const int contact = l->s->source[place];
    float own[7];
    load_base(l->s, contact >= 0 ? &l->p->constraints[contact] : NULL, l->r, l->u, own);
    for (int k = 0; k < 7; ++k) law[F8_SIZE * k] = own[k];
  }
}

static void set_base(FloatSweep* s, const HeftContactProblem* p, const double* r, const double* u) {
  Loading l = {.s = s, .p = p, .r = r, .u = u};
  share_ranges(s->share, s->groups, GROUP_RANGE, load_bases, &l);
  memset(s->delta, 0, sizeof(float) * FLOAT_CHANGE * F8_SIZE * (size_t)s->groups);
  memset(s->z, 0, sizeof(float) * FLOAT_TWIST * ((size_t)s->bodies + JOBS_MAX));
}

static void subtract(float* x, const float* y, size_t count) {
  for (size_t k = 0; k < count; ++k) x[k] -= y[k];
}

void float_sweep_base(FloatSweep* s, const HeftContactProblem* p, const double* r,
                      const double* u) {
  set_base(s, p, r, u);
  memset(s->last, 0, sizeof(float) * FLOAT_CHANGE * F8_SIZE * (size_t)s->groups);
  memset(s->z_last, 0, sizeof(float) * FLOAT_TWIST * (size_t)s->bodies);
  s->norm = HUGE_VAL;
  s->beta = 0;
}

void float_sweep_rebase(FloatSweep* s, const HeftContactProblem* p, const double* r,
                        const double* u) {
  subtract(s->last, s->delta, FLOAT_CHANGE * F8_SIZE * (size_t)s->groups);
  subtract(s->z_last, s->z, FLOAT_TWIST * (size_t)s->bodies);
  set_base(s, p, r, u);
}

static void read_impulses(void* arg, int first, int end) {
  const Loading* l = arg;
  const FloatSweep* s = l->s;
  const double* base = l->r;
  double* r = l->out;
  for (int place = F8_SIZE * first; place < F8_SIZE * end; ++place) {
    const int contact = s->source[place];
    if (contact < 0) continue;
    const HeftConstraintBlock* c = &l->p->constraints[contact];
    const float* d =
        s->delta + FLOAT_CHANGE * F8_SIZE * (size_t)(place / F8_SIZE) + place % F8_SIZE;
    const double n = base[c->row] + s->impulse * (double)d[0];
    r[c->row] = n > 0 ? n : 0;
    if (c->type != HEFT_CONSTRAINT_POINT) continue;
    const double t1 = base[c->row + 1] + s->impulse * (double)d[F8_SIZE],
                 t2 = base[c->row + 2] + s->impulse * (double)d[2 * F8_SIZE];
    const double coupled = c->mu * r[c->row], square = t1 * t1 + t2 * t2;
    const double cut = square > coupled * coupled ? (1 - 4e-16) * coupled / sqrt(square) : 1;
    r[c->row + 1] = cut * t1;
    r[c->row + 2] = cut * t2;
    HEFT_ASSERT(!(r[c->row + 1] * r[c->row + 1] + r[c->row + 2] * r[c->row + 2] >
                  (1 + 1e-9) * coupled * coupled + 1e-280));
  }
}

void float_sweep_impulses(const FloatSweep* s, const HeftContactProblem* p, const double* base,
                          double* r) {
  Loading l = {.s = s, .p = p, .r = base, .out = r};
  share_ranges(s->share, s->groups, GROUP_RANGE, read_impulses, &l);
}
