// SPDX-License-Identifier: Apache-2.0
// Papers: R27, R28, R29, R31.
// A trial: the constraints of one choice for all feet, solved, and judged by rules.
//
// Constraints ([Moraud 2008], Table I), at the mean c of the clamped vertices:
//     vertex  T_n, and T_1 T_2 if it sticks
//     edge    T_n, rotation about the line across the edge; T_1 T_2 and rotation about n
//             if it sticks
//     sole    T_n, both rotations in the plane; T_1 T_2 and rotation about n if it sticks
// A point c = (c_n, a, b) of the foot moves along n, t1, t2 with
//     T_n + b R_1 - a R_2,   T_1 - b R_n + c_n R_2,   T_2 + a R_n - c_n R_1,
// and forces act along the same rows. First all feet stick. A foot whose friction would leave the
// cone slides: its friction is µ_k times its normal force, in the direction of the force that would
// have stopped it.
//
// Centre of pressure, with torques M about t1 and t2: a = -M_2 / f_n, b = M_1 / f_n.
#include <math.h>
#include <string.h>

#include "world/models/foot.h"

static const double soft =
    1e-10;  // regularisation of the diagonal, relative: feet may share a load
static const double inside = 1e-6;  // the centre of pressure may be this far outside [m]
static const double slow = 1e-6;    // slower is at rest [m/s]

// ---- rows of one foot

static void point_row(const double c[3], int axis, double out[FOOT_ROWS]) {
  const double rows[3][FOOT_ROWS] = {
      {1, 0, 0, 0, c[2], -c[1]}, {0, 1, 0, -c[2], 0, c[0]}, {0, 0, 1, c[1], -c[0], 0}};
  memcpy(out, rows[axis], sizeof rows[axis]);
}

static void turn_row(double n, double t1, double t2, double out[FOOT_ROWS]) {
  const double row[FOOT_ROWS] = {0, 0, 0, n, t1, t2};
  memcpy(out, row, sizeof row);
}

static const double* place_of(const Foot* f, int vertex) {
  return f->place[f->contact_point[vertex] - f->first];
}

static void mean_of(const Foot* f, unsigned clamped, double out[3]) {
  int count = 0;
  out[0] = out[1] = out[2] = 0;
  for (int i = 0; i < f->vertices; ++i) {
    if (!(clamped >> i & 1)) continue;
    for (int k = 0; k < 3; ++k) out[k] += place_of(f, i)[k];
    ++count;
  }
  for (int k = 0; k < 3 && count > 0; ++k) out[k] /= count;
}

// Constraint rows of a foot that stands by `code`, and the rows of their forces. Returns
// their number. hold: the direction of friction if it slips.
static int rows_of(const Foot* f, int code, int slips, const double hold[2],
                   double (*row)[FOOT_ROWS], double (*force_row)[FOOT_ROWS]) {
  const unsigned clamped = heft_foot_clamped(f, code);
  const int n = f->vertices;
  double c[3];
  int count = 0;
  if (code == 0) return 0;
  mean_of(f, clamped, c);
  point_row(c, 0, row[count++]);
  if (code > n && (code <= 2 * n)) {
    const double *a = place_of(f, code - n - 1), *b = place_of(f, (code - n) % n);
    const double x = b[1] - a[1], y = b[2] - a[2], length = sqrt(x * x + y * y);
    turn_row(0, -y / length, x / length, row[count++]);
  }
  if (code > 2 * n) {
    turn_row(0, 1, 0, row[count++]);
    turn_row(0, 0, 1, row[count++]);
  }
  if (!slips) {
    point_row(c, 1, row[count++]);
    point_row(c, 2, row[count++]);
    if (code > n) turn_row(1, 0, 0, row[count++]);
  }
  memcpy(force_row, row, (size_t)count * sizeof *row);
  for (int axis = 1; slips && axis < 3; ++axis) {
    double along[FOOT_ROWS];
    point_row(c, axis, along);
    for (int k = 0; k < FOOT_ROWS; ++k)
      force_row[0][k] += f->mu_kinetic * hold[axis - 1] * along[k];
  }
  return count;
}

// ---- all feet together

typedef struct Rows {
  int count;
  int foot[FOOT_ROWS * FEET_MAX];
  double row[FOOT_ROWS * FEET_MAX][FOOT_ROWS], force_row[FOOT_ROWS * FEET_MAX][FOOT_ROWS];
} Rows;

static double between(const Feet* feet, const Rows* r, int i, int j) {
  const int n = FOOT_ROWS * feet->count;
  const double* w =
      feet->mobility + (long)FOOT_ROWS * r->foot[i] * n + (long)FOOT_ROWS * r->foot[j];
  double sum = 0;
  for (int a = 0; a < FOOT_ROWS; ++a) {
    double part = 0;
    if (r->row[i][a] == 0) continue;
    for (int b = 0; b < FOOT_ROWS; ++b) part += w[(long)a * n + b] * r->force_row[j][b];
    sum += r->row[i][a] * part;
  }
  return sum;
}

// Gauss with row pivots; a: count rows of count + 1 numbers, solution in the last column.
static void eliminate(double* a, int count) {
  const long width = count + 1;
  for (int k = 0; k < count; ++k) {
    int best = k;
    for (int i = k + 1; i < count; ++i) {
      if (fabs(a[i * width + k]) > fabs(a[best * width + k])) best = i;
    }
    for (long j = 0; j < width && best != k; ++j) {
      const double x = a[k * width + j];
      a[k * width + j] = a[best * width + j];
      a[best * width + j] = x;
    }
    for (int i = k + 1; i < count && a[k * width + k] != 0; ++i) {
      const double factor = a[i * width + k] / a[k * width + k];
      for (long j = k; j < width && factor != 0; ++j) a[i * width + j] -= factor * a[k * width + j];
    }
  }
  for (int k = count - 1; k >= 0; --k) {
    for (int j = k + 1; j < count; ++j)
      a[k * width + count] -= a[k * width + j] * a[j * width + count];
    a[k * width + count] = a[k * width + k] != 0 ? a[k * width + count] / a[k * width + k] : 0;
  }
}

static void solve_rows(Feet* feet, const Rows* r, Trial* trial) {
  double* a = feet->equations;
  const long width = r->count + 1;
  for (int i = 0; i < r->count; ++i) {
    const Foot* f = &feet->foot[r->foot[i]];
    for (int j = 0; j < r->count; ++j) a[i * width + j] = between(feet, r, i, j);
    a[i * width + i] *= 1 + soft;
    a[i * width + r->count] = 0;
    for (int k = 0; k < FOOT_ROWS; ++k) a[i * width + r->count] -= r->row[i][k] * f->free[k];
  }
  eliminate(a, r->count);
  for (int i = 0; i < feet->count; ++i)
    memset(trial->stand[i].wrench, 0, sizeof trial->stand[i].wrench);
  for (int i = 0; i < r->count; ++i) {
    for (int k = 0; k < FOOT_ROWS; ++k)
      trial->stand[r->foot[i]].wrench[k] += a[i * width + r->count] * r->force_row[i][k];
  }
}

static void solve_once(Feet* feet, Trial* trial, double (*hold)[2]) {
  Rows r = {0};
  for (int i = 0; i < feet->count; ++i) {
    const int added = rows_of(&feet->foot[i], trial->code[i], trial->stand[i].slips, hold[i],
                              r.row + r.count, r.force_row + r.count);
    for (int k = 0; k < added; ++k) r.foot[r.count + k] = i;
    r.count += added;
  }
  solve_rows(feet, &r, trial);
}

// Kinetic energy that the impulses of a trial add.
static double gain(const Feet* feet, const Trial* trial) {
  const int n = FOOT_ROWS * feet->count;
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    double speed = feet->foot[i / FOOT_ROWS].free[i % FOOT_ROWS];
    for (int j = 0; j < n; ++j)
      speed +=
          0.5 * feet->mobility[(long)i * n + j] * trial->stand[j / FOOT_ROWS].wrench[j % FOOT_ROWS];
    sum += trial->stand[i / FOOT_ROWS].wrench[i % FOOT_ROWS] * speed;
  }
  return sum;
}

// Feet whose force leaves the cone begin to slide, until all forces are in their cones. If friction
// increases the normal force and the normal force friction (Painlevé), the impulses may add energy:
// feet that slide then have no friction.
static void solve(Feet* feet, Trial* trial) {
  double hold[FEET_MAX][2] = {{0}};
  for (int i = 0; i < feet->count; ++i) trial->stand[i].slips = 0;
  for (int more = 1; more;) {
    more = 0;
    solve_once(feet, trial, hold);
    for (int i = 0; i < feet->count; ++i) {
      const Foot* f = &feet->foot[i];
      Stand* s = &trial->stand[i];
      const double t = sqrt(s->wrench[1] * s->wrench[1] + s->wrench[2] * s->wrench[2]);
      const double mu = f->speed > slow ? f->mu_kinetic : f->mu_static;
      if (trial->code[i] == 0 || s->slips || !(t > mu * fmax(0, s->wrench[0]))) continue;
      s->slips = more = 1;
      for (int k = 0; k < 2; ++k) hold[i][k] = s->wrench[1 + k] / t;
    }
  }
  if (!(gain(feet, trial) > 0)) return;
  memset(hold, 0, sizeof hold);
  solve_once(feet, trial, hold);
}

// ---- rules

// Normal impulses of the clamped vertices by least squares: load = A + B · place.
static void share_load(const Foot* f, unsigned clamped, Stand* s) {
  double c[3], xx = 0, xy = 0, yy = 0, count = 0;
  mean_of(f, clamped, c);
  for (int i = 0; i < f->vertices; ++i) {
    if (!(clamped >> i & 1)) continue;
    const double x = place_of(f, i)[1] - c[1], y = place_of(f, i)[2] - c[2];
    xx += x * x;
    xy += x * y;
    yy += y * y;
    count += 1;
  }
  const double n = s->wrench[0], mx = n * (s->center[0] - c[1]), my = n * (s->center[1] - c[2]);
  const double scale = 1e-12 * (xx + yy) * (xx + yy), det = xx * yy - xy * xy;
  double bx = 0, by = 0;
  if (det > scale) {
    bx = (yy * mx - xy * my) / det;
    by = (xx * my - xy * mx) / det;
  } else if (xx + yy > 0) {  // an edge: along it only
    bx = (xx * mx + xy * my) / ((xx + yy) * (xx + yy));
    by = (xy * mx + yy * my) / ((xx + yy) * (xx + yy));
  }
  for (int i = 0; i < f->vertices; ++i) {
    const double x = place_of(f, i)[1] - c[1], y = place_of(f, i)[2] - c[2];
    s->load[i] = clamped >> i & 1 ? n / count + bx * x + by * y : 0;
  }
}

static void find_center(Stand* s) {
  s->center[0] = s->wrench[0] != 0 ? -s->wrench[5] / s->wrench[0] : 0;
  s->center[1] = s->wrench[0] != 0 ? s->wrench[4] / s->wrench[0] : 0;
}

// The largest distance of the centre of pressure beyond an edge, and that edge.
static double beyond(const Foot* f, const Stand* s, int* edge) {
  double max = -(double)INFINITY;
  for (int i = 0; i < f->vertices; ++i) {
    const double *a = place_of(f, i), *b = place_of(f, (i + 1) % f->vertices);
    const double x = b[1] - a[1], y = b[2] - a[2], length = sqrt(x * x + y * y);
    const double out = ((s->center[0] - a[1]) * y - (s->center[1] - a[2]) * x) / length;
    if (out <= max) continue;
    max = out;
    *edge = i;
  }
  return max;
}

// The forces of a foot: vertices that are pulled, or that must be released because the centre of
// pressure is beyond an edge.
static void judge_forces(const ModelTask* t, const Foot* f, int code, Stand* s) {
  const unsigned clamped = heft_foot_clamped(f, code);
  const double pulled = -1e-9 * fabs(s->wrench[0]);
  const int sole = code > 2 * f->vertices, ruled = t->options->pressure_rule != 0;
  int edge = 0;
  s->wrong_pull = s->wrong_center = 0;
  find_center(s);
  share_load(f, clamped, s);
  for (int i = 0; i < f->vertices; ++i)
    s->wrong_pull |= (unsigned)((clamped >> i & 1) && (s->load[i] < pulled || s->wrench[0] < 0))
                     << i;
  s->keeps = code > 0 && !s->wrong_pull && s->wrench[0] > 0;
  s->may_go = s->wrong_pull;
  if (!sole || !ruled || !(s->wrench[0] > 0)) return;
  s->wrong_pull = 0;
  s->keeps = beyond(f, s, &edge) <= inside;
  if (!s->keeps) s->wrong_center = clamped & ~heft_foot_clamped(f, 1 + f->vertices + edge);
  s->may_go = s->wrong_center;
}

// Positions and motions of the vertices in the trial.
static void judge_motion(const ModelTask* t, const Feet* feet, int index, const Trial* trial,
                         Stand* s) {
  const Foot* f = &feet->foot[index];
  const unsigned clamped = heft_foot_clamped(f, trial->code[index]);
  const int n = FOOT_ROWS * feet->count;
  double y[FOOT_ROWS];
  for (int k = 0; k < FOOT_ROWS; ++k) {
    y[k] = f->free[k];
    const double* w = feet->mobility + (long)(FOOT_ROWS * index + k) * n;
    for (int j = 0; j < n; ++j) y[k] += w[j] * trial->stand[j / FOOT_ROWS].wrench[j % FOOT_ROWS];
  }
  s->wrong_place = s->wrong_motion = s->above = 0;
  for (int i = 0; i < f->vertices; ++i) {
    const double *c = place_of(f, i), gap = heft_model_contact_point(t, f->contact_point[i])->gap;
    const double now = heft_model_start(t, f->contact_point[i])[0];
    const double then = y[0] + c[2] * y[4] - c[1] * y[5], rise = (then - now) / t->h;
    const int held = clamped >> i & 1, ruled = t->options->pressure_rule != 0;
    const int parts = rise > t->options->rise_limit && now > -t->options->sink_limit;
    const int deep = gap<-t->options->clamp_gap, high = gap> t->options->clamp_gap;
    s->wrong_place |= (unsigned)(held ? high : deep) << i;
    const unsigned wrong = !deep && !high && !held && !parts && !(ruled && then > 0);
    s->wrong_motion |= wrong << i;
    s->above |= (wrong && gap + t->h * then > 0) << i;
  }
  if (s->wrong_place & clamped) s->may_go = clamped;
}

static int bits(unsigned x) {
  int count = 0;
  for (; x; x &= x - 1) ++count;
  return count;
}

void heft_feet_try(const ModelTask* t, Feet* feet, Trial* trial, const Trial* from) {
  solve(feet, trial);
  memset(trial->score, 0, sizeof trial->score);
  for (int i = 0; i < feet->count; ++i) {
    Stand* s = &trial->stand[i];
    const Foot* f = &feet->foot[i];
    const unsigned clamped = heft_foot_clamped(f, trial->code[i]);
    judge_forces(t, f, trial->code[i], s);
    judge_motion(t, feet, i, trial, s);
    // A vertex is released only if its forces allow it.
    trial->gone[i] = from ? from->gone[i] | from->stand[i].may_go : 0;
    const unsigned early = heft_foot_clamped(f, f->before) & ~clamped & ~trial->gone[i];
    trial->score[0] += bits(s->wrong_center) + (t->options->pressure_rule ? bits(early) : 0);
    trial->score[1] += bits(s->wrong_place);
    trial->score[2] += bits(s->wrong_pull);
    trial->score[3] += bits(s->wrong_motion);
    trial->score[4] += bits(clamped);
  }
}
