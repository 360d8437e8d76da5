// SPDX-License-Identifier: Apache-2.0
// Papers: R63.
// Signed distance shapes: the distance of a point from a surface, negative inside, in closed form.
//
// A profile is a function of the distance ρ from the z axis and of a second coordinate.
//
// Ring, cup and hook are curves with a radius around them, so their distances are exact.
//
// Gear. The flanks are involutes of the base circle with the radius r_b. Curves parallel to an
// involute are involutes of the same circle: a point at the radius r and the angle θ lies on the
// one that starts at the angle β = θ + inv α, with cos α = r_b / r and inv α = tan α - α. Two of
// them are apart by r_b times the difference of their angles. So the distance from a flank that
// starts at β_0 is
//     d = r_b (θ + inv α - β_0),   ∇d = (r_b / r) e_θ + sqrt(1 - r_b² / r²) e_r,
// which is exact. A tooth is what lies between two flanks and below the circle of the tips.
//
// Thread. Along the helix nothing changes: with u = z - p φ / 2π, the pitch p and the angle φ about
// the axis, the thread is a trapezoid in (ρ, u) with flanks at 30 degrees from the radial
// direction. ∇u = e_z - (p / 2πρ) e_φ has a length above 1, so callers divide by the length of the
// gradient, which is exact on the surface and of second order beside it.
//
// Intersections and unions are the larger and the smaller of two functions: exact where one of them
// is the nearest, and never more than the distance elsewhere.
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "base/kind_table.h"
#include "model/field.h"

static const double sqrt_half = 0.70710678118654752;
static const double cos30 = 0.86602540378443865, sin30 = 0.5;
static const double tan30 = 0.57735026918962576;

typedef struct Kind {
  const char* name;
  int count;     ///< numbers in size
  int positive;  ///< so many of them from the first must be above zero
  const char* parameter[HEFT_FIELD_SIZES];
} Kind;

static const Kind kinds[] = {
    [HEFT_FIELD_NONE] = {"none", 0, 0, {0}},
    [HEFT_FIELD_TORUS] = {"torus", 2, 2, {"radius", "tube"}},
    [HEFT_FIELD_CUP] = {"cup", 3, 3, {"radius", "height", "wall"}},
    [HEFT_FIELD_HOOK] = {"hook", 3, 3, {"radius", "tube", "shank"}},
    [HEFT_FIELD_GEAR] = {"gear",
                         6,
                         4,
                         {"module", "teeth", "width", "pressureangle", "bore", "backlash"}},
    [HEFT_FIELD_BOLT] = {"bolt",
                         6,
                         4,
                         {"radius", "pitch", "length", "depth", "head", "headheight"}},
    [HEFT_FIELD_NUT] = {"nut", 6, 5, {"radius", "pitch", "height", "depth", "outer", "clearance"}},
    [HEFT_FIELD_GRID] = {"grid", 6, 0, {"x", "y", "z", "stepx", "stepy", "stepz"}}};
KIND_TABLE_COVERS(kinds, HEFT_FIELD_TYPE_COUNT);

const char* heft_field_type_name(HeftFieldType type) {
  HEFT_REQUIRE(type >= 0 && type < HEFT_FIELD_TYPE_COUNT, "");
  return kinds[type].name;
}

const char* heft_field_parameter(HeftFieldType type, int i) {
  HEFT_REQUIRE(type >= 0 && type < HEFT_FIELD_TYPE_COUNT && i >= 0, "");
  return i < kinds[type].count ? kinds[type].parameter[i] : "";
}

// ---- one value with its gradient

typedef struct Value {
  double d;
  HeftVec3 g;
} Value;

static Value larger(Value a, Value b) { return a.d >= b.d ? a : b; }
static Value smaller(Value a, Value b) { return a.d <= b.d ? a : b; }
static Value inverse(Value a) { return (Value){-a.d, heft_vec3_neg(a.g)}; }

/// A point in cylindrical coordinates: about the z axis.
typedef struct Round {
  double rho, c, s;  ///< distance from the axis, and its direction
} Round;

static Round round_of(HeftVec3 p) {
  const double rho = sqrt(p.x * p.x + p.y * p.y);
  return rho > 0 ? (Round){rho, p.x / rho, p.y / rho} : (Round){0, 1, 0};
}

// The gradient with the parts along e_r, e_φ and e_z.
static HeftVec3 turned(Round r, double along_r, double along_phi, double z) {
  return heft_vec3(r.c * along_r - r.s * along_phi, r.s * along_r + r.c * along_phi, z);
}

// Above the plane z = at (up) or below it.
static Value beyond(double z, double at, int up) {
  return up ? (Value){z - at, {0, 0, 1}} : (Value){at - z, {0, 0, -1}};
}

static Value slab(double z, double low, double high) {
  return larger(beyond(z, high, 1), beyond(z, low, 0));
}

static Value cylinder(Round r, double radius) {
  return (Value){r.rho - radius, turned(r, 1, 0, 0)};
}

// ---- curves with a radius

// From a point at the offset (a, b) in the plane of e_r and e_z.
static Value around(Round r, double a, double b, double radius) {
  const double length = sqrt(a * a + b * b);
  if (!(length > 0)) return (Value){-radius, turned(r, 1, 0, 0)};
  return (Value){length - radius, turned(r, a / length, 0, b / length)};
}

static Value torus(const double* s, HeftVec3 p) {
  const Round r = round_of(p);
  return around(r, r.rho - s[0], p.z, s[1]);
}

// A bottom and a wall, both as thick as `wall`: the bottom from the axis, the wall up to the lip.
static Value cup(const double* s, HeftVec3 p) {
  const Round r = round_of(p);
  const double half = 0.5 * s[2], radius = s[0] - half, top = s[1] - half;
  const Value bottom = around(r, fmax(r.rho - radius, 0), p.z - half, half);
  const double beside = p.z - fmin(fmax(p.z, half), top);
  return smaller(bottom, around(r, r.rho - radius, beside, half));
}

static Value around_point(HeftVec3 d, double radius) {
  const double length = heft_vec3_norm(d);
  if (!(length > 0)) return (Value){-radius, {1, 0, 0}};
  return (Value){length - radius, heft_vec3_scale(1 / length, d)};
}

// Half a ring below the x axis in the plane y = 0, and a shank up from its end at x = radius.
static Value hook(const double* s, HeftVec3 p) {
  const double rho = sqrt(p.x * p.x + p.z * p.z);
  HeftVec3 near = heft_vec3(p.x < 0 ? -s[0] : s[0], 0, 0);
  if (p.z < 0 && rho > 0) near = heft_vec3(s[0] * p.x / rho, 0, s[0] * p.z / rho);
  const HeftVec3 shank = heft_vec3(s[0], 0, fmin(fmax(p.z, 0), s[2]));
  return smaller(around_point(heft_vec3_sub(p, near), s[1]),
                 around_point(heft_vec3_sub(p, shank), s[1]));
}

// ---- gear

// Both flanks of the tooth at the angle 0 and its tip. turn: of the point from the middle of it.
static Value tooth(const double* s, Round r, double turn) {
  const double pitch = 0.5 * s[0] * s[1], alpha = s[3], side = turn < 0 ? -1 : 1;
  double sine, cosine;
  heft_sincos(alpha, &sine, &cosine);
  const double base = pitch * cosine;
  const double start = 0.5 * HEFT_PI / s[1] - 0.5 * s[5] / pitch + sine / cosine - alpha;
  Value flank;
  if (r.rho > base) {
    const double along = sqrt(r.rho * r.rho - base * base);
    const double inv = along / base - heft_atan2(along, base);
    flank.d = base * (fabs(turn) + inv - start);
    flank.g = turned(r, along / r.rho, side * base / r.rho, 0);
  } else {
    flank.d = r.rho * (fabs(turn) - start);
    flank.g = turned(r, fabs(turn) - start, side, 0);
  }
  return larger(flank, cylinder(r, pitch + s[0]));
}

static Value gear(const double* s, HeftVec3 p) {
  const Round r = round_of(p);
  const double step = 2 * HEFT_PI / s[1], angle = heft_atan2(p.y, p.x);
  const double turn = angle - step * floor(angle / step + 0.5);
  const double root = 0.5 * s[0] * s[1] - 1.25 * s[0];
  Value v = smaller(tooth(s, r, turn), cylinder(r, root));
  if (s[4] > 0) v = larger(v, inverse(cylinder(r, s[4])));
  return larger(v, slab(p.z, -0.5 * s[2], 0.5 * s[2]));
}

// ---- thread

// The endless thread: radius of the crests s[0], pitch s[1], depth s[3].
static Value thread(const double* s, HeftVec3 p, Round r) {
  const double pitch = s[1], angle = heft_atan2(p.y, p.x) / (2 * HEFT_PI);
  double u = p.z - pitch * angle;
  u -= pitch * floor(u / pitch + 0.5);
  const double side = u < 0 ? -1 : 1;
  const double half = 0.25 * pitch - (r.rho - (s[0] - 0.5 * s[3])) * tan30;
  const double slant = r.rho > 0 ? pitch / (2 * HEFT_PI * r.rho) : 0;
  const Value flank = {(fabs(u) - half) * cos30,
                       turned(r, sin30, -side * cos30 * slant, side * cos30)};
  return smaller(larger(flank, cylinder(r, s[0])), cylinder(r, s[0] - s[3]));
}

// A hexagon with the inner radius r.
static Value hexagon(HeftVec3 p, double r) {
  Value v = {-HUGE_VAL, {0, 0, 0}};
  static const double c[3] = {1, 0.5, -0.5}, s[3] = {0, 0.86602540378443865, 0.86602540378443865};
  for (int k = 0; k < 3; ++k) {
    const double along = c[k] * p.x + s[k] * p.y, side = along < 0 ? -1 : 1;
    const Value face = {fabs(along) - r, heft_vec3(side * c[k], side * s[k], 0)};
    v = larger(v, face);
  }
  return v;
}

// Up from its tip at z = 0, which is chamfered by the depth of the thread, to the head.
static Value bolt(const double* s, HeftVec3 p) {
  const Round r = round_of(p);
  const Value chamfer = {sqrt_half * (r.rho - p.z - (s[0] - s[3])),
                         turned(r, sqrt_half, 0, -sqrt_half)};
  Value v = larger(larger(thread(s, p, r), slab(p.z, 0, s[2])), chamfer);
  if (s[4] > 0 && s[5] > 0) v = smaller(v, larger(hexagon(p, s[4]), slab(p.z, s[2], s[2] + s[5])));
  return v;
}

static Value nut(const double* s, HeftVec3 p) {
  Value hole = inverse(thread(s, p, round_of(p)));
  hole.d += s[5];
  return larger(larger(hole, hexagon(p, s[4])), slab(p.z, -0.5 * s[2], 0.5 * s[2]));
}

// ---- samples

// The cell of a coordinate, and the place in it from 0 to 1.
static int cell_of(double x, int count, double* t) {
  int i = x > 0 ? (int)fmin(x, count - 1) : 0;
  if (i > count - 2) i = count - 2;
  *t = fmin(fmax(x - i, 0), 1);
  return i;
}

// Linear in each coordinate; outside of the grid the distance from it is added.
static Value grid(const HeftField* f, HeftVec3 p) {
  const double x[3] = {p.x, p.y, p.z};
  double t[3], out[3], far = 0;
  int at[3];
  for (int k = 0; k < 3; ++k) {
    const double local = (x[k] - f->size[k]) / f->size[3 + k];
    at[k] = cell_of(local, f->grid[k], &t[k]);
    out[k] = (local - at[k] - t[k]) * f->size[3 + k];
    far += out[k] * out[k];
  }
  double value = 0, g[3] = {0, 0, 0};
  for (int corner = 0; corner < 8; ++corner) {
    double w[3], d[3];
    long index = 0;
    for (int k = 2; k >= 0; --k) {
      const int up = corner >> k & 1;
      w[k] = up ? t[k] : 1 - t[k];
      d[k] = (up ? 1 : -1) / f->size[3 + k];
      index = index * f->grid[k] + at[k] + up;
    }
    const double sample = f->samples[index];
    value += sample * w[0] * w[1] * w[2];
    g[0] += sample * d[0] * w[1] * w[2];
    g[1] += sample * w[0] * d[1] * w[2];
    g[2] += sample * w[0] * w[1] * d[2];
  }
  if (far > 0) {
    far = sqrt(far);
    for (int k = 0; k < 3; ++k) g[k] = out[k] / far;
    return (Value){fmax(value, 0) + far, {g[0], g[1], g[2]}};
  }
  return (Value){value, {g[0], g[1], g[2]}};
}

// ---- public

static Value value_at(const HeftField* f, HeftVec3 p) {
  switch (f->type) {
    case HEFT_FIELD_TORUS:
      return torus(f->size, p);
    case HEFT_FIELD_CUP:
      return cup(f->size, p);
    case HEFT_FIELD_HOOK:
      return hook(f->size, p);
    case HEFT_FIELD_GEAR:
      return gear(f->size, p);
    case HEFT_FIELD_BOLT:
      return bolt(f->size, p);
    case HEFT_FIELD_NUT:
      return nut(f->size, p);
    case HEFT_FIELD_GRID:
      return grid(f, p);
    case HEFT_FIELD_NONE:
    case HEFT_FIELD_TYPE_COUNT:
      break;
  }
  return (Value){HUGE_VAL, {0, 0, 1}};
}

double heft_field_distance(const HeftField* field, HeftVec3 p, HeftVec3* gradient) {
  HEFT_REQUIRE(field && gradient, HUGE_VAL);
  HEFT_REQUIRE(field->type != HEFT_FIELD_GRID || field->samples, HUGE_VAL);
  const Value v = value_at(field, p);
  *gradient = v.g;
  return v.d;
}

static HeftStatus check_sizes(const HeftField* f, HeftError* error) {
  const double* s = f->size;
  const char* wrong = NULL;
  if (f->type == HEFT_FIELD_TORUS && !(s[1] < s[0])) wrong = "its tube must be below its radius";
  if (f->type == HEFT_FIELD_CUP && !(s[2] < s[0] && s[2] < s[1]))
    wrong = "its wall must be below its radius and its height";
  if (f->type == HEFT_FIELD_HOOK && !(s[1] < s[0])) wrong = "its tube must be below its radius";
  if (f->type == HEFT_FIELD_GEAR &&
      !(s[1] == floor(s[1]) && s[1] >= 6 && s[1] <= 1000 && s[3] < 0.79 && s[4] >= 0 &&
        s[4] < 0.5 * s[0] * s[1] - 1.25 * s[0] && s[5] >= 0 && s[5] < s[0]))
    wrong =
        "it has 6 to 1000 whole teeth, a pressure angle below 0.79 rad, a bore inside of its root "
        "circle and a backlash below its module";
  if (f->type == HEFT_FIELD_BOLT && !(s[3] < s[0] && s[3] < s[1] && s[4] >= 0 && s[5] >= 0))
    wrong = "its depth must be below its radius and its pitch";
  if (f->type == HEFT_FIELD_NUT &&
      !(s[3] < s[0] && s[3] < s[1] && s[4] > s[0] && s[5] >= 0 && s[5] < s[1]))
    wrong =
        "its depth must be below its radius and its pitch, its outer radius above its radius, its "
        "clearance below its pitch";
  if (!wrong) return HEFT_OK;
  return heft_error_set(error, HEFT_ERR_VALUE, "a distance shape '%s': %s", kinds[f->type].name,
                        wrong);
}

static HeftStatus check_grid(const HeftField* f, HeftError* error) {
  long long count = 1;
  for (int k = 0; k < 3; ++k) {
    if (f->grid[k] < 2 || f->grid[k] > 4096 || !(f->size[3 + k] > 0))
      return heft_error_set(error, HEFT_ERR_VALUE,
                            "a distance shape 'grid': %d samples and a step of %g m along an axis, "
                            "expected 2 to 4096 and a step above 0",
                            f->grid[k], f->size[3 + k]);
    count *= f->grid[k];
  }
  if (count > HEFT_FIELD_SAMPLES_MAX || !f->samples)
    return heft_error_set(error, HEFT_ERR_LIMIT,
                          "a distance shape 'grid': %lld samples, expected at most %d", count,
                          HEFT_FIELD_SAMPLES_MAX);
  for (long long i = 0; i < count; ++i) {
    if (!(fabs(f->samples[i]) < 1e6))
      return heft_error_set(error, HEFT_ERR_VALUE,
                            "a distance shape 'grid': sample %lld is %g m, expected a distance "
                            "below 1e6 m",
                            i, f->samples[i]);
  }
  return HEFT_OK;
}

HeftStatus heft_field_check(const HeftField* field, HeftError* error) {
  HEFT_REQUIRE(field, HEFT_ERR_ARGUMENT);
  if (!(field->type > HEFT_FIELD_NONE && field->type < HEFT_FIELD_TYPE_COUNT))
    return heft_error_set(error, HEFT_ERR_VALUE, "a distance shape has the unknown type %d",
                          (int)field->type);
  const Kind* kind = &kinds[field->type];
  for (int i = 0; i < kind->count; ++i) {
    const double x = field->size[i];
    if (!(fabs(x) < 1e6) || (i < kind->positive && !(x > 1e-9)))
      return heft_error_set(error, HEFT_ERR_VALUE,
                            "a distance shape '%s': its %s is %g, expected a number%s", kind->name,
                            kind->parameter[i], x, i < kind->positive ? " above 0" : "");
  }
  return field->type == HEFT_FIELD_GRID ? check_grid(field, error) : check_sizes(field, error);
}

void heft_field_bounds(const HeftField* field, HeftVec3* low, HeftVec3* high) {
  HEFT_REQUIRE_VOID(field && low && high);
  const double* s = field->size;
  double r = 0, bottom = 0, top = 0;
  switch (field->type) {
    case HEFT_FIELD_TORUS:
      r = s[0] + s[1], bottom = -s[1], top = s[1];
      break;
    case HEFT_FIELD_CUP:
      r = s[0], top = s[1];
      break;
    case HEFT_FIELD_HOOK:
      *low = heft_vec3(-s[0] - s[1], -s[1], -s[0] - s[1]);
      *high = heft_vec3(s[0] + s[1], s[1], s[2] + s[1]);
      return;
    case HEFT_FIELD_GEAR:
      r = 0.5 * s[0] * s[1] + s[0], bottom = -0.5 * s[2], top = 0.5 * s[2];
      break;
    case HEFT_FIELD_BOLT:
      r = fmax(s[0], s[5] > 0 ? s[4] / cos30 : 0), top = s[2] + (s[4] > 0 ? s[5] : 0);
      break;
    case HEFT_FIELD_NUT:
      r = s[4] / cos30, bottom = -0.5 * s[2], top = 0.5 * s[2];
      break;
    case HEFT_FIELD_GRID:
      *low = heft_vec3_from(s);
      *high = heft_vec3(s[0] + (field->grid[0] - 1) * s[3], s[1] + (field->grid[1] - 1) * s[4],
                        s[2] + (field->grid[2] - 1) * s[5]);
      return;
    case HEFT_FIELD_NONE:
    case HEFT_FIELD_TYPE_COUNT:
      break;
  }
  *low = heft_vec3(-r, -r, bottom);
  *high = heft_vec3(r, r, top);
}

double heft_field_half_thickness(const HeftField* f) {
  const double* s = f->size;
  switch (f->type) {
    case HEFT_FIELD_TORUS:
    case HEFT_FIELD_HOOK:
      return s[1];
    case HEFT_FIELD_CUP:
      return 0.5 * s[2];
    case HEFT_FIELD_GEAR:
      return fmin(0.5 * s[0], 0.5 * s[2]);
    case HEFT_FIELD_BOLT:
    case HEFT_FIELD_NUT:
      return 0.5 * s[3];
    case HEFT_FIELD_NONE:
    case HEFT_FIELD_GRID:
    case HEFT_FIELD_TYPE_COUNT:
      break;
  }
  return 2 * fmin(s[3], fmin(s[4], s[5]));
}

HeftStatus heft_field_sample(HeftDistanceFunction* distance, void* user, double lipschitz,
                             const HeftField* grid, double* samples) {
  HEFT_REQUIRE(distance && grid && samples && lipschitz > 0, HEFT_ERR_ARGUMENT);
  HEFT_REQUIRE(grid->type == HEFT_FIELD_GRID, HEFT_ERR_ARGUMENT);
  const double* s = grid->size;
  long i = 0;
  for (int z = 0; z < grid->grid[2]; ++z) {
    for (int y = 0; y < grid->grid[1]; ++y) {
      for (int x = 0; x < grid->grid[0]; ++x) {
        const HeftVec3 p = heft_vec3(s[0] + x * s[3], s[1] + y * s[4], s[2] + z * s[5]);
        samples[i++] = distance(user, p) / lipschitz;
      }
    }
  }
  return HEFT_OK;
}

HeftField heft_model_field(const HeftModel* m, int mesh) {
  HeftField f = {.type = m->mesh_field[mesh]};
  if (f.type == HEFT_FIELD_NONE) return f;
  memcpy(f.size, m->mesh_field_size + (long)HEFT_FIELD_SIZES * mesh, sizeof f.size);
  memcpy(f.grid, m->mesh_grid + 3L * mesh, sizeof f.grid);
  if (f.type == HEFT_FIELD_GRID) f.samples = m->sample + m->mesh_sample[mesh];
  return f;
}
