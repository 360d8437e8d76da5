// SPDX-License-Identifier: Apache-2.0
// Contact problems made on the spot, for tests and benchmarks: random numbers with the same bits
// everywhere, a synthetic humanoid (36 degrees of freedom, two to four feet), stacks of free boxes,
// and the way from effectors to explicit blocks.
#ifndef HEFT_TESTS_CONTACT_PROBLEMS_H
#define HEFT_TESTS_CONTACT_PROBLEMS_H

#include <heft/contact.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct Random {
  uint64_t state;
} Random;

static inline double random_unit(Random* random) {  // [0, 1)
  uint64_t x = random->state;
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  random->state = x;
  return (double)(x >> 11) * (1.0 / 9007199254740992.0);
}
static inline double random_between(Random* random, double a, double b) {
  return a + (b - a) * random_unit(random);
}

/// A problem by effectors with room for everything; fields of `problem` point into the arrays.
typedef struct Made {
  HeftContactProblem problem;
  HeftConstraintBlock* constraints;
  HeftContactTree* trees;
  double *bias, *warm, *omega, *jacobian;
  double* twists;  // free velocities of the effectors, where the maker keeps them
  int contact_room, effector_room;
} Made;

static inline Made made_create(int constraints, int effectors, int omega_numbers) {
  Made m = {.contact_room = constraints, .effector_room = effectors};
  m.constraints = calloc((size_t)constraints, sizeof(HeftConstraintBlock));
  m.trees = calloc((size_t)effectors + 1, sizeof(HeftContactTree));
  m.bias = calloc(6 * (size_t)constraints, sizeof(double));
  m.warm = calloc(6 * (size_t)constraints, sizeof(double));
  m.omega = calloc((size_t)omega_numbers, sizeof(double));
  m.jacobian = calloc(72 * (size_t)constraints, sizeof(double));
  m.problem = (HeftContactProblem){.constraints = m.constraints,
                                   .bias = m.bias,
                                   .trees = m.trees,
                                   .omega = m.omega,
                                   .jacobian = m.jacobian};
  return m;
}

static inline void made_destroy(Made* m) {
  free(m->constraints);
  free(m->trees);
  free(m->bias);
  free(m->warm);
  free(m->omega);
  free(m->jacobian);
  free(m->twists);
}

/// Adds a contact of any type at `point` (from the effectors' reference points) with an orthonormal
/// frame n, t1, t2.
static inline HeftConstraintBlock* made_add(Made* m, HeftConstraintType type, int a,
                                            const double* point_a, int b, const double* point_b,
                                            const double frame[3][3], double mu) {
  HeftContactProblem* p = &m->problem;
  HeftConstraintBlock* c = &m->constraints[p->constraint_count++];
  const int rows = heft_constraint_type_row_count(type);
  *c = (HeftConstraintBlock){.type = type, .row = p->row_count, .effector = {a, b}, .mu = mu};
  for (int k = 0; k < rows; ++k) {
    const int moment = k >= 3, axis = !moment                             ? k
                                      : type == HEFT_CONSTRAINT_TORSIONAL ? 0
                                      : k == 5                            ? 0
                                                                          : k - 2;
    for (int s = 0; s < 2; ++s) {
      double* x = m->jacobian + 12 * (c->row + k) + 6 * s;
      const double *d = frame[axis], *q = s ? point_b : point_a, sign = s ? -1 : 1;
      if ((s ? b : a) < 0) continue;
      if (moment) {
        for (int j = 0; j < 3; ++j) x[j] = sign * d[j];
        continue;
      }
      x[0] = sign * (q[1] * d[2] - q[2] * d[1]);  // d · (ω × q) = ω · (q × d)
      x[1] = sign * (q[2] * d[0] - q[0] * d[2]);
      x[2] = sign * (q[0] * d[1] - q[1] * d[0]);
      for (int j = 0; j < 3; ++j) x[3 + j] = sign * d[j];
    }
  }
  p->row_count += rows;
  return c;
}

/// b = X V for free twists V (6 per effector).
static inline void made_bias(Made* m, const double* twists) {
  for (int i = 0; i < m->problem.constraint_count; ++i) {
    const HeftConstraintBlock* c = &m->constraints[i];
    for (int k = 0; k < heft_constraint_type_row_count(c->type); ++k) {
      double sum = 0;
      for (int s = 0; s < 2; ++s) {
        for (int j = 0; j < 6 && c->effector[s] >= 0; ++j) {
          sum += m->jacobian[12 * (c->row + k) + 6 * s + j] * twists[6 * c->effector[s] + j];
        }
      }
      m->bias[c->row + k] = sum;
    }
  }
}

static const double MADE_UP[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};

// ---- a synthetic humanoid: random joint-space inertia, feet that hang on seven joints each

enum { HUMANOID_DOF = 36 };

typedef struct Humanoid {
  int feet;
  double inverse[HUMANOID_DOF * HUMANOID_DOF];  // M⁻¹
  double jacobian[4][6 * HUMANOID_DOF];
  double velocity[HUMANOID_DOF];  // free
} Humanoid;

static inline void invert_dense(int n, double* a, double* out) {
  for (int i = 0; i < n * n; ++i) out[i] = i % (n + 1) == 0;
  for (int k = 0; k < n; ++k) {
    const double inverse = 1 / a[k * n + k];
    for (int j = 0; j < n; ++j) {
      a[k * n + j] *= inverse;
      out[k * n + j] *= inverse;
    }
    for (int i = 0; i < n; ++i) {
      const double f = a[i * n + k];
      if (i == k || f == 0) continue;
      for (int j = 0; j < n; ++j) {
        a[i * n + j] -= f * a[k * n + j];
        out[i * n + j] -= f * out[k * n + j];
      }
    }
  }
}

static inline void humanoid_make(Humanoid* h, Random* random, int feet) {
  enum { N = HUMANOID_DOF };
  double mass[N], m[N * N], mix[6][N], force[N] = {0};
  h->feet = feet;
  for (int i = 0; i < N; ++i) mass[i] = i < 3 ? 60 : i < 6 ? 4 : 0.05 + 0.5 * random_unit(random);
  for (int k = 0; k < 6; ++k) {
    for (int i = 0; i < N; ++i) mix[k][i] = random_between(random, -1, 1);
  }
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < N; ++j) {
      double sum = 0;
      for (int k = 0; k < 6; ++k) sum += mix[k][i] * mix[k][j];
      m[i * N + j] = 0.05 * sqrt(mass[i] * mass[j]) * sum + (i == j ? mass[i] : 0);
    }
  }
  invert_dense(N, m, h->inverse);
  for (int b = 0; b < feet; ++b) {  // base: (linear, angular); foot twist: (angular, linear)
    double* j = h->jacobian[b];
    const double q[3] = {random_between(random, -0.1, 0.1), (b % 2 ? 0.12 : -0.12),
                         -0.8 + 0.4 * (b / 2)};
    memset(j, 0, sizeof h->jacobian[b]);
    for (int a = 0; a < 3; ++a) j[a * N + 3 + a] = j[(3 + a) * N + a] = 1;
    const double cross[3][3] = {{0, q[2], -q[1]}, {-q[2], 0, q[0]}, {q[1], -q[0], 0}};  // ω × q
    for (int a = 0; a < 3; ++a) {
      for (int c = 0; c < 3; ++c) j[(3 + a) * N + 3 + c] = cross[a][c];
    }
    for (int k = 0; k < 7; ++k) {
      for (int a = 0; a < 6; ++a)
        j[a * N + 6 + 7 * b + k] = random_between(random, -1, 1) * (a < 3 ? 1 : 0.5);
    }
  }
  const double step = 1e-3;
  force[2] = -60 * 9.81;
  force[0] = 60 * 9.81 * 0.3 * random_between(random, -1, 1);
  force[1] = 60 * 9.81 * 0.3 * random_between(random, -1, 1);
  for (int i = 6; i < N; ++i) force[i] = 5 * random_between(random, -1, 1);
  for (int i = 0; i < N; ++i) {
    h->velocity[i] = 0.02 * random_between(random, -1, 1) * (i < 6 ? 0.2 : 1);
    for (int k = 0; k < N; ++k) h->velocity[i] += step * h->inverse[i * N + k] * force[k];
  }
}

static inline void humanoid_twists(const Humanoid* h, double* twists) {
  for (int k = 0; k < 6 * h->feet; ++k) {
    twists[k] = 0;
    for (int i = 0; i < HUMANOID_DOF; ++i)
      twists[k] += h->jacobian[k / 6][k % 6 * HUMANOID_DOF + i] * h->velocity[i];
  }
}

/// per_foot points under each foot; one tree.
static inline Made humanoid_problem(const Humanoid* h, Random* random, int per_foot, double mu) {
  enum { N = HUMANOID_DOF };
  const int n = 6 * h->feet;
  Made m = made_create(h->feet * per_foot, h->feet, n * n);
  m.problem.effector_count = h->feet;
  m.problem.tree_count = 1;
  m.trees[0] = (HeftContactTree){.effector_count = h->feet};
  double y[N];
  for (int c = 0; c < n; ++c) {
    for (int i = 0; i < N; ++i) {
      y[i] = 0;
      for (int k = 0; k < N; ++k) y[i] += h->inverse[i * N + k] * h->jacobian[c / 6][c % 6 * N + k];
    }
    for (int r = 0; r < n; ++r) {
      for (int i = 0; i < N; ++i) m.omega[r * n + c] += h->jacobian[r / 6][r % 6 * N + i] * y[i];
    }
  }
  for (int r = 0; r < n; ++r) {
    for (int c = 0; c < r; ++c) m.omega[r * n + c] = m.omega[c * n + r];
  }
  for (int b = 0; b < h->feet; ++b) {
    for (int k = 0; k < per_foot; ++k) {
      const double corner[3] = {k & 1 ? 0.12 : -0.10, k & 2 ? 0.06 : -0.06, -0.05};
      const double inside[3] = {random_between(random, -0.11, 0.11),
                                random_between(random, -0.06, 0.06), -0.05};
      made_add(&m, HEFT_CONSTRAINT_POINT, b, k < 4 ? corner : inside, -1, corner, MADE_UP, mu);
    }
  }
  double twists[24];
  humanoid_twists(h, twists);
  made_bias(&m, twists);
  m.problem.velocity_scale = 9.81e-3;
  return m;
}

// ---- free boxes

static inline void made_box(Made* m, double mass, double size) {
  HeftContactProblem* p = &m->problem;
  const int k = p->effector_count++;
  double* omega = m->omega + 36 * k;
  m->trees[p->tree_count++] = (HeftContactTree){k, 1, 36 * (size_t)k, 0};
  memset(omega, 0, 36 * sizeof(double));
  for (int a = 0; a < 6; ++a) omega[7 * a] = a < 3 ? 6 / (mass * size * size) : 1 / mass;
}

/// `columns` towers of `height` unit boxes side by side, each touching four points of the one
/// below, falling for one step and pushed sideways.
static inline Made tower_problem(int columns, int height, double mu, Random* random) {
  const int boxes = columns * height;
  Made m = made_create(4 * boxes, boxes, 36 * boxes);
  double* twists = calloc(6 * (size_t)boxes, sizeof(double));
  for (int k = 0; k < boxes; ++k) {
    made_box(&m, random_between(random, 0.5, 2), 1);
    twists[6 * k + 5] = -9.81e-3;
    twists[6 * k + 3] = random_between(random, -4e-3, 4e-3);
    twists[6 * k + 4] = random_between(random, -4e-3, 4e-3);
    twists[6 * k + 1] = random_between(random, -1e-3, 1e-3);
  }
  for (int c = 0; c < columns; ++c) {
    for (int h = 0; h < height; ++h) {
      for (int q = 0; q < 4; ++q) {
        const double low[3] = {q & 1 ? 0.5 : -0.5, q & 2 ? 0.5 : -0.5, -0.5},
                     high[3] = {low[0], low[1], 0.5};
        made_add(&m, HEFT_CONSTRAINT_POINT, c * height + h, low, h ? c * height + h - 1 : -1, high,
                 MADE_UP, mu);
      }
    }
  }
  made_bias(&m, twists);
  m.twists = twists;
  return m;
}

// ---- the same problem with explicit blocks

typedef struct Explicit {
  HeftContactProblem problem;
  int *start, *column;
  double* blocks;
} Explicit;

static inline double explicit_entry(const HeftContactProblem* p, const int* tree_of, int i, int a,
                                    int j, int b) {
  double sum = 0;
  for (int s = 0; s < 2; ++s) {
    for (int t = 0; t < 2; ++t) {
      const int m = p->constraints[i].effector[s], n = p->constraints[j].effector[t];
      if (m < 0 || n < 0 || tree_of[m] != tree_of[n]) continue;
      const HeftContactTree* tree = &p->trees[tree_of[m]];
      const int size = 6 * tree->effector_count;
      for (int k = 0; k < 6; ++k) {
        for (int l = 0; l < 6; ++l) {
          sum += p->jacobian[12 * (p->constraints[i].row + a) + 6 * s + k] *
                 p->omega[tree->omega + (6 * (m - tree->effector_first) + k) * size +
                          6 * (n - tree->effector_first) + l] *
                 p->jacobian[12 * (p->constraints[j].row + b) + 6 * t + l];
        }
      }
    }
  }
  return sum;
}

static inline int explicit_share(const HeftContactProblem* p, const int* tree_of, int i, int j) {
  for (int s = 0; s < 2; ++s) {
    for (int t = 0; t < 2; ++t) {
      const int m = p->constraints[i].effector[s], n = p->constraints[j].effector[t];
      if (m >= 0 && n >= 0 && tree_of[m] == tree_of[n]) return 1;
    }
  }
  return i == j;
}

static inline Explicit explicit_make(const HeftContactProblem* p) {
  const int n = p->constraint_count;
  Explicit e = {.problem = *p};
  int* tree_of = calloc((size_t)p->effector_count + 1, sizeof(int));
  for (int t = 0; t < p->tree_count; ++t) {
    for (int k = 0; k < p->trees[t].effector_count; ++k)
      tree_of[p->trees[t].effector_first + k] = t;
  }
  size_t count = 0, numbers = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) count += (size_t)explicit_share(p, tree_of, i, j);
  }
  e.start = calloc((size_t)n + 1, sizeof(int));
  e.column = calloc(count, sizeof(int));
  e.blocks = calloc(36 * count, sizeof(double));
  count = 0;
  for (int i = 0; i < n; ++i) {
    e.start[i] = (int)count;
    for (int j = 0; j < n; ++j) {
      if (!explicit_share(p, tree_of, i, j)) continue;
      e.column[count++] = j;
      for (int a = 0; a < heft_constraint_type_row_count(p->constraints[i].type); ++a) {
        for (int b = 0; b < heft_constraint_type_row_count(p->constraints[j].type); ++b) {
          e.blocks[numbers++] = explicit_entry(p, tree_of, i, a, j, b);
        }
      }
    }
  }
  e.start[n] = (int)count;
  e.problem.block_start = e.start;
  e.problem.block_column = e.column;
  e.problem.blocks = e.blocks;
  free(tree_of);
  return e;
}

static inline void explicit_destroy(Explicit* e) {
  free(e->start);
  free(e->column);
  free(e->blocks);
}

/// A solver that fits the problem.
static inline HeftContactSolverDef def_for(const HeftContactProblem* p) {
  HeftContactSolverDef def = heft_contact_solver_def_default();
  def.constraint_capacity = p->constraint_count > 0 ? p->constraint_count : 1;
  def.row_capacity = p->row_count;
  def.block_capacity = p->block_start ? p->block_start[p->constraint_count] : 0;
  def.effector_capacity = p->block_start ? 0 : p->effector_count;
  def.tree_effector_capacity = 1;
  int plain = 1;
  for (int t = 0; t < p->tree_count && !p->block_start; ++t) {
    if (p->trees[t].effector_count > def.tree_effector_capacity)
      def.tree_effector_capacity = p->trees[t].effector_count;
  }
  for (int i = 0; i < p->constraint_count; ++i)
    plain &= heft_constraint_type_row_count(p->constraints[i].type) <= 3;
  if (plain) def.row_capacity = 0;
  return def;
}

#endif
