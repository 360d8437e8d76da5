// SPDX-License-Identifier: Apache-2.0
// Papers: R26.
// Feet: the contact points of each foot, the polygon around them, and its rows.
#include "world/models/foot.h"

#include <math.h>
#include <string.h>

static const double flat = 0.999;  // cosine between normals of one foot
static const double thin = 1e-6;   // points this close to a line are on it [m]

// ---- codes

int heft_foot_codes(const Foot* f) {
  if (f->vertices >= 3) return 2 * f->vertices + 2;
  return f->vertices == 2 ? 4 : f->vertices + 1;
}

unsigned heft_foot_clamped(const Foot* f, int code) {
  const int n = f->vertices;
  if (code == 0) return 0;
  if (code <= n) return 1u << (code - 1);
  if (code <= 2 * n) return 1u << (code - n - 1) | 1u << ((code - n) % n);
  return n == VERTICES_MAX ? ~0u : (1u << n) - 1;
}

int heft_foot_nearest(const Foot* f, unsigned wanted, const double* weight) {
  int best = 0;
  double min = (double)INFINITY;
  for (int code = 0; code < heft_foot_codes(f); ++code) {
    const unsigned differ = heft_foot_clamped(f, code) ^ wanted;
    double sum = 0;
    for (int i = 0; i < f->vertices; ++i) sum += differ >> i & 1 ? (weight ? weight[i] : 1) : 0;
    if (!(sum < min)) continue;
    min = sum;
    best = code;
  }
  return best;
}

// ---- memory

static size_t bytes_as_doubles(size_t bytes) {
  return (bytes + sizeof(double) - 1) / sizeof(double);
}

// At least twice as large as the number of trials.
static int table_size(const HeftContactOptions* o) {
  int size = 16;
  while (size < 2 * (o->candidates + 1)) size *= 2;
  return size;
}

size_t heft_feet_scratch(int constraint_capacity, const HeftContactOptions* o) {
  const size_t rows = (size_t)FOOT_ROWS * FEET_MAX, trials = (size_t)o->candidates + 1;
  return rows * rows + rows * (rows + 3) + 3 * (size_t)constraint_capacity +
         bytes_as_doubles(trials * sizeof(Trial)) + bytes_as_doubles(trials * sizeof(int)) +
         bytes_as_doubles((size_t)table_size(o) * sizeof(int));
}

static void lay_out(const ModelTask* t, Feet* feet) {
  const size_t rows = (size_t)FOOT_ROWS * FEET_MAX, trials = (size_t)t->options->candidates + 1;
  double* next = t->scratch->numbers;
  feet->mobility = next;
  feet->equations = next += rows * rows;
  next += rows * (rows + 3);
  feet->places = (double(*)[3])next;
  next += 3 * (size_t)t->set->capacity;
  feet->trials = (Trial*)next;
  next += bytes_as_doubles(trials * sizeof(Trial));
  feet->queue = (int*)next;
  feet->table = (int*)(next + bytes_as_doubles(trials * sizeof(int)));
  feet->table_size = table_size(t->options);
}

// ---- the polygon

static double turn(const double* a, const double* b, const double* c) {
  return (b[1] - a[1]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[1] - a[1]);
}

static double distance_between(const double* a, const double* b) {
  return sqrt((a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

// Points in the order of t1, then t2, then number.
static void sort_points(const Foot* f, int* order) {
  for (int i = 0; i < f->count; ++i) {
    int k = i;
    for (; k > 0; --k) {
      const double *a = f->place[order[k - 1]], *b = f->place[i];
      if (a[1] < b[1] || (a[1] == b[1] && a[2] <= b[2])) break;
      order[k] = order[k - 1];
    }
    order[k] = i;
  }
}

// One half of the hull: appends points that turn left, from `start` on.
static int walk(const Foot* f, const int* order, int from, int step, int count, int* hull, int size,
                int start) {
  for (int i = 0; i < count; ++i) {
    const int next = order[from + step * i];
    while (size >= start + 2) {
      const double *a = f->place[hull[size - 2]], *b = f->place[hull[size - 1]],
                   *c = f->place[next];
      if (turn(a, b, c) > thin * distance_between(a, c)) break;
      --size;
    }
    hull[size++] = next;
  }
  return size;
}

// The convex hull (Andrew's chain), counterclockwise seen from the tip of the normal.
static int find_polygon(Foot* f) {
  enum { POINTS_MAX = 64 };
  int order[POINTS_MAX], hull[2 * POINTS_MAX];
  if (f->count > POINTS_MAX) return 0;
  sort_points(f, order);
  int size = walk(f, order, 0, 1, f->count, hull, 0, 0);
  if (f->count > 1) {
    const int start = --size;  // the last point begins the second half
    size = walk(f, order, f->count - 1, -1, f->count, hull, size, start) - 1;
  }
  if (f->count > 1 && distance_between(f->place[order[0]], f->place[order[f->count - 1]]) <= thin)
    size = 1;
  if (size > VERTICES_MAX) return 0;
  f->vertices = size;
  for (int i = 0; i < size; ++i) f->contact_point[i] = f->first + hull[i];
  return 1;
}

// ---- rows

static void write_row(double* out, HeftVec3 torque, HeftVec3 force, double sign) {
  const double x[6] = {torque.x, torque.y, torque.z, force.x, force.y, force.z};
  for (int i = 0; i < 6; ++i) out[i] = sign * x[i];
}

static const HeftVec3 zero = {0, 0, 0};

// The rows at the foot's origin, for link b and against link a. A static link has no side.
static void write_rows(const ModelTask* t, Foot* f, const HeftContactPoint* contact_point) {
  const HeftDynamics* d = t->dynamics;
  const HeftVec3 axes[3] = {f->normal, f->tangent1, f->tangent2};
  const int links[2] = {contact_point->link_b, contact_point->link_a},
            bodies[2] = {contact_point->body_b, contact_point->body_a};
  int side = 0;
  memset(f->jacobian, 0, sizeof f->jacobian);
  memset(f->free, 0, sizeof f->free);
  for (int s = 0; s < 2; ++s) {
    if (links[s] == 0) continue;
    const HeftVec3 arm = heft_vec3_sub(f->origin, heft_dynamics_tree_origin(d, bodies[s]));
    const HeftSpatial v = heft_link_velocity(d, links[s]);
    for (int i = 0; i < 3; ++i) {
      const double sign = s == 0 ? 1 : -1;
      const HeftVec3 torque = heft_vec3_cross(arm, axes[i]);
      write_row(f->jacobian[i] + 6L * side, torque, axes[i], sign);
      write_row(f->jacobian[3 + i] + 6L * side, axes[i], zero, sign);
      f->free[i] += sign * (heft_vec3_dot(torque, v.ang) + heft_vec3_dot(axes[i], v.lin));
      f->free[3 + i] += sign * heft_vec3_dot(axes[i], v.ang);
    }
    ++side;
  }
}

void heft_feet_measure(const ModelTask* t, Feet* feet) {
  const double* twists = t->scratch->twist + 6L * t->problem->effector_count;
  for (int i = 0; i < feet->count; ++i) {
    Foot* f = &feet->foot[i];
    write_rows(t, f, heft_model_contact_point(t, f->first));
    for (int r = 0; r < FOOT_ROWS; ++r)
      f->free[r] += heft_operator_speed(f->effector, f->jacobian[r], twists);
  }
}

static void find_mobility(const ModelTask* t, Feet* feet) {
  const int n = FOOT_ROWS * feet->count;
  double* twists = t->scratch->twist;
  for (int i = 0; i < n; ++i) {
    const Foot* f = &feet->foot[i / FOOT_ROWS];
    memset(twists, 0, 6 * (size_t)t->problem->effector_count * sizeof(double));
    heft_operator_apply_row(t->problem, f->effector, f->jacobian[i % FOOT_ROWS], 1, twists);
    for (int j = 0; j <= i; ++j) {
      const Foot* g = &feet->foot[j / FOOT_ROWS];
      const double w = heft_operator_speed(g->effector, g->jacobian[j % FOOT_ROWS], twists);
      feet->mobility[(long)i * n + j] = feet->mobility[(long)j * n + i] = w;
    }
  }
}

// ---- one foot

static int belongs(const HeftContactPoint* a, const HeftContactPoint* b) {
  return a->body_a == b->body_a && a->body_b == b->body_b &&
         heft_vec3_dot(a->normal, b->normal) > flat;
}

static void place_points(const ModelTask* t, Foot* f) {
  const HeftContactPoint* lead = heft_model_contact_point(t, f->first);
  HeftVec3 sum = zero;
  for (int i = 0; i < f->count; ++i)
    sum = heft_vec3_add(sum, heft_model_contact_point(t, f->first + i)->pos);
  f->origin = heft_vec3_scale(1.0 / f->count, sum);
  f->normal = lead->normal;
  f->tangent1 = lead->tangent1;
  f->tangent2 = lead->tangent2;
  for (int i = 0; i < f->count; ++i) {
    const HeftVec3 arm = heft_vec3_sub(heft_model_contact_point(t, f->first + i)->pos, f->origin);
    f->place[i][0] = heft_vec3_dot(arm, f->normal);
    f->place[i][1] = heft_vec3_dot(arm, f->tangent1);
    f->place[i][2] = heft_vec3_dot(arm, f->tangent2);
  }
}

// The code of the last step, from the stored numbers of its points. A new foot stands on the
// vertices that are low and do not rise.
static void recall(const ModelTask* t, Foot* f) {
  unsigned clamped = 0;
  int known = 0;
  double along[2] = {0, 0};
  for (int i = 0; i < f->count; ++i) known |= heft_model_memory(t, f->first + i)[2] > 0;
  for (int i = 0; i < f->vertices; ++i) {
    const int low =
        heft_model_contact_point(t, f->contact_point[i])->gap <= t->options->clamp_gap &&
        heft_model_start(t, f->contact_point[i])[0] <= 0;
    const int held = known ? heft_model_memory(t, f->contact_point[i])[0] > 0 : low;
    clamped |= (unsigned)held << i;
  }
  f->before = heft_foot_nearest(f, clamped, NULL);
  for (int i = 0; i < f->count; ++i) {
    const double* u = heft_model_start(t, f->first + i);
    const int slides =
        heft_constraint_type_row_count(t->problem->constraints[f->first + i].type) >= 3;
    for (int k = 0; k < 2 && slides; ++k) along[k] += u[1 + k] / f->count;
  }
  f->speed = sqrt(along[0] * along[0] + along[1] * along[1]);
}

int heft_feet_find(const ModelTask* t, Feet* feet) {
  lay_out(t, feet);
  feet->count = 0;
  for (int i = 0; i < t->contact_points;) {
    if (feet->count == FEET_MAX) return 0;
    Foot* f = &feet->foot[feet->count++];
    const HeftContactPoint* lead = heft_model_contact_point(t, i);
    const HeftConstraintBlock* c = &t->problem->constraints[i];
    *f =
        (Foot){.first = i, .place = feet->places + i, .effector = {c->effector[0], c->effector[1]}};
    while (i < t->contact_points && belongs(lead, heft_model_contact_point(t, i))) ++i;
    f->count = i - f->first;
    f->mu_kinetic = heft_constraint_type_row_count(c->type) < 3 ? 0 : c->mu;
    f->mu_static = fmax(f->mu_kinetic, f->mu_kinetic > 0 ? c->mu_static : 0);
    place_points(t, f);
    if (!find_polygon(f)) return 0;
    recall(t, f);
    write_rows(t, f, lead);
  }
  find_mobility(t, feet);
  return 1;
}
