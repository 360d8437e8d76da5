// SPDX-License-Identifier: Apache-2.0
// Papers: R23.
// The model `volume`: a force that grows with the volume of overlap ([Hasegawa 2004]).
//
// An elastic foundation lies between two shapes: the pressure at a place is k (d + τ ḋ), never
// negative, with the depth d there. Its resultant is k V for shapes at rest, with V the volume of
// overlap, and acts at the centroid of the volume. So the number of contact points does not matter,
// other than in `penalty`.
//
// A contact polygon between two shapes has a depth that is linear between its points. Its triangles
// are cut where d = 0, and ∫ d N_i is the share of point i, with the linear shape functions N_i of
// a triangle: force and moment equal the pressure's. For linear functions f and g on a triangle of
// area A, ∫ f g = A / 12 (Σ f_i g_i + Σ f_i Σ g_i). Fewer points have the volumes of
//     one point    a sphere on a plane: V = π d² (R - d / 3); two spheres: their lens; otherwise
//                  the corner of a cube on its diagonal, V = (√3 / 2) d³
//     two points   a cylinder of length L on a plane: V = 4/3 L √(2 R) d^1.5, for d << R; otherwise
//                  the edge of a box at 45 degrees, V = L d².
//
// Forces are taken at the start of a step, and friction comes from springs along the surface
// (spring.c): stable as `penalty` is. If k is not given, the area of contact at a depth of 1 mm has
// the stiffness (0.15 / h)² / w for each of its points, and τ = 1.4 h / 0.15 is a damping ratio of
// 0.7.
#include <math.h>
#include <string.h>

#include "world/models/contact_model.h"
#include "world/models/spring.h"

enum { POINTS_MAX = 16 };
static const double nominal = 1e-3;  // depth of the default stiffness [m]
static const double same = 0.99;     // cosine between normals of one contact polygon

// Points of one pair of shapes, by contact.
typedef struct Patch {
  int first, count;
  double x[POINTS_MAX], y[POINTS_MAX], d[POINTS_MAX];  // in the plane of contact, depth
  double volume[POINTS_MAX];                           // ∫ d N_i over d > 0
  double area[POINTS_MAX];                             // ∫ N_i over d > 0: ∂ volume / ∂ depth
  double whole;                                        // area at the nominal depth
} Patch;

static size_t count_scratch(int constraint_capacity, const HeftContactOptions* o) {
  (void)constraint_capacity;
  (void)o;
  return 0;
}

// ---- polygons

typedef struct Corner {
  double n[3];  // shape functions of the triangle
} Corner;

static double depth_at(const Corner* c, const double d[3]) {
  return c->n[0] * d[0] + c->n[1] * d[1] + c->n[2] * d[2];
}

// The part of a triangle where d > 0: 0, 3 or 4 corners.
static int cut(const double d[3], Corner out[4]) {
  int count = 0;
  for (int i = 0; i < 3; ++i) {
    const int k = (i + 1) % 3;
    if (d[i] > 0) {
      memset(&out[count], 0, sizeof *out);
      out[count++].n[i] = 1;
    }
    if ((d[i] > 0) != (d[k] > 0)) {
      const double s = d[i] / (d[i] - d[k]);
      memset(&out[count], 0, sizeof *out);
      out[count].n[i] = 1 - s;
      out[count++].n[k] = s;
    }
  }
  return count;
}

// Twice the area of a part of a triangle, relative to the triangle's.
static double part_area(const Corner* a, const Corner* b, const Corner* c) {
  const double p = b->n[1] - a->n[1], q = b->n[2] - a->n[2];
  const double r = c->n[1] - a->n[1], s = c->n[2] - a->n[2];
  return fabs(p * s - q * r);
}

static void add_triangle(Patch* patch, const int at[3]) {
  const double *x = patch->x, *y = patch->y;
  const double whole = 0.5 * fabs((x[at[1]] - x[at[0]]) * (y[at[2]] - y[at[0]]) -
                                  (x[at[2]] - x[at[0]]) * (y[at[1]] - y[at[0]]));
  const double d[3] = {patch->d[at[0]], patch->d[at[1]], patch->d[at[2]]};
  Corner corner[4];
  patch->whole += whole;
  const int count = cut(d, corner);
  for (int k = 2; k < count; ++k) {
    const Corner* c[3] = {&corner[0], &corner[k - 1], &corner[k]};
    const double area = whole * part_area(c[0], c[1], c[2]);
    const double depth[3] = {depth_at(c[0], d), depth_at(c[1], d), depth_at(c[2], d)};
    const double sum = depth[0] + depth[1] + depth[2];
    for (int i = 0; i < 3; ++i) {
      double product = 0, all = 0;
      for (int j = 0; j < 3; ++j) {
        product += depth[j] * c[j]->n[i];
        all += c[j]->n[i];
      }
      patch->volume[at[i]] += area / 12 * (product + sum * all);
      patch->area[at[i]] += area / 3 * all;
    }
  }
}

// A number that grows with the angle of (x, y), from 0 to 4.
static double turn_of(double x, double y) {
  const double size = fabs(x) + fabs(y);
  const double p = size > 0 ? y / size : 0;
  return x < 0 ? 2 - p : p < 0 ? 4 + p : p;
}

static void add_polygon(Patch* p) {
  double cx = 0, cy = 0, turn[POINTS_MAX];
  int order[POINTS_MAX];
  for (int i = 0; i < p->count; ++i) {
    cx += p->x[i] / p->count;
    cy += p->y[i] / p->count;
  }
  for (int i = 0; i < p->count; ++i) {
    turn[i] = turn_of(p->x[i] - cx, p->y[i] - cy);
    int k = i;
    for (; k > 0 && turn[order[k - 1]] > turn[i]; --k) order[k] = order[k - 1];
    order[k] = i;
  }
  for (int k = 2; k < p->count; ++k) {
    const int at[3] = {order[0], order[k - 1], order[k]};
    add_triangle(p, at);
  }
}

// ---- fewer points

// Radius of a shape's surface; 0: it is not round.
static double radius_of(const HeftModel* m, int shape) {
  const HeftShapeType type = m->shape_type[shape];
  const int round =
      type == HEFT_SHAPE_SPHERE || type == HEFT_SHAPE_CAPSULE || type == HEFT_SHAPE_CYLINDER;
  return round ? m->shape_size[3L * shape] : 0;
}

// Volume and its derivative at depth d, for one point between radii a and b (0: flat).
static void cap(double a, double b, double d, double* volume, double* area) {
  if (a > 0 && b > 0) {
    const double apart = fmax(a + b - d, fabs(a - b)), sum = a + b, less = a - b;
    const double cosine = apart * apart - b * b + a * a;
    const double disk = 4 * apart * apart * a * a - cosine * cosine;
    *volume = HEFT_PI * d * d * (apart * apart + 2 * apart * sum - 3 * less * less) / (12 * apart);
    *area = HEFT_PI * fmax(0, disk) / (4 * apart * apart);
  } else if (a > 0 || b > 0) {
    const double r = fmax(a, b), depth = fmin(d, 2 * r);
    *volume = HEFT_PI * depth * depth * (r - depth / 3);
    *area = HEFT_PI * (2 * r * depth - depth * depth);
  } else {
    *volume = 0.5 * sqrt(3) * d * d * d;
    *area = 1.5 * sqrt(3) * d * d;
  }
}

// Volume and area for a line of length l.
static void ridge(double r, double l, double d, double* volume, double* area) {
  *volume = r > 0 ? 4.0 / 3 * l * sqrt(2 * r * d) * d : l * d * d;
  *area = r > 0 ? 2 * l * sqrt(2 * r * d) : 2 * l * d;
}

static void add_few(const HeftModel* m, const HeftContactPoint* point, Patch* p) {
  const double a = radius_of(m, point->shape_a), b = radius_of(m, point->shape_b);
  const double across = p->x[1] - p->x[0], along = p->y[1] - p->y[0];
  const double length = p->count == 2 ? sqrt(across * across + along * along) : 0;
  const double r = a > 0 && b > 0 ? a * b / (a + b) : fmax(a, b);
  double unused;
  for (int i = 0; i < p->count; ++i) {
    const double d = fmax(0, p->d[i]);
    if (p->count == 1)
      cap(a, b, d, &p->volume[i], &p->area[i]);
    else
      ridge(r, 0.5 * length, d, &p->volume[i], &p->area[i]);
  }
  if (p->count == 1)
    cap(a, b, nominal, &unused, &p->whole);
  else
    ridge(r, length, nominal, &unused, &p->whole);
}

// ---- forces

// The points from contact `first` on that belong to one polygon.
static Patch gather(const ModelTask* t, int first) {
  const HeftContactPoint* head = heft_model_contact_point(t, first);
  Patch p = {.first = first};
  while (first + p.count < t->contact_points && p.count < POINTS_MAX) {
    const HeftContactPoint* point = heft_model_contact_point(t, first + p.count);
    if (point->shape_a != head->shape_a || point->shape_b != head->shape_b ||
        heft_vec3_dot(point->normal, head->normal) < same)
      break;
    p.x[p.count] = heft_vec3_dot(point->pos, head->tangent1);
    p.y[p.count] = heft_vec3_dot(point->pos, head->tangent2);
    p.d[p.count++] = -point->gap;
  }
  if (p.count > 2)
    add_polygon(&p);
  else
    add_few(t->model, head, &p);
  return p;
}

static void push_point(ModelTask* t, const Patch* p, int i, double k, double tau) {
  const int contact = p->first + i;
  const HeftConstraintBlock* c = &t->problem->constraints[contact];
  const int rows = heft_constraint_type_row_count(c->type);
  double *r = t->impulse + c->row, *memory = heft_model_memory(t, contact), mobility[6];
  const double speed = -heft_model_start(t, contact)[0];
  const double n = fmax(0, k * (p->volume[i] + tau * p->area[i] * speed));
  for (int row = 0; row < rows; ++row) r[row] = 0;
  if (!(p->volume[i] > 0)) {
    for (int j = 0; j < MODEL_MEMORY; ++j) memory[j] = 0;
    return;
  }
  r[0] = t->h * n;
  if (rows < 3) return;
  double friction[2];
  heft_operator_diagonal(t->problem, c, mobility);
  heft_spring_friction(t, contact, n, 0.5 * (mobility[1] + mobility[2]), friction);
  r[1] = t->h * friction[0];
  r[2] = t->h * friction[1];
}

static void push_patch(ModelTask* t, const Patch* p) {
  double mobility[6], mean = 0;
  for (int i = 0; i < p->count; ++i) {
    heft_operator_diagonal(t->problem, &t->problem->constraints[p->first + i], mobility);
    mean += mobility[0] / p->count;
  }
  const Spring s = heft_spring_choose(-1, -1, mean, t->h);
  const double k = t->options->stiffness >= 0 ? t->options->stiffness
                   : p->whole > 0             ? p->count * s.k / p->whole
                                              : 0;
  const double tau = t->options->damping >= 0 ? t->options->damping : s.c / s.k;
  for (int i = 0; i < p->count; ++i) push_point(t, p, i, k, tau);
}

static int solve(ModelTask* t) {
  for (int i = 0; i < t->contact_points;) {
    const Patch p = gather(t, i);
    push_patch(t, &p);
    i += p.count;
  }
  heft_model_finish(t);
  return 1;
}

const ContactModel heft_contact_volume = {.model = HEFT_CONTACT_MODEL_VOLUME,
                                          .bounces = 0,
                                          .corrects = 0,
                                          .scratch = count_scratch,
                                          .solve = solve};
