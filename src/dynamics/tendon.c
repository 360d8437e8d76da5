// SPDX-License-Identifier: Apache-2.0
// Tendons and transmissions: lengths, and how they change with the coordinates (moment arms).
//
// A fixed tendon is a sum of coordinates. A spatial tendon is a chain of straight pieces between
// points of bodies, with arcs round spheres and cylinders between them:
//     l = Σ |p_{k+1} - p_k| / divisor + Σ arc / divisor,
//     ∂l/∂q = Σ uᵀ (J_{k+1}(p_{k+1}) - J_k(p_k)) / divisor,
// u the direction of the piece. Points where the tendon touches a shape count as points of the
// shape's body: the path is the shortest one, so moving them along the surface changes nothing at
// first order.
//
// Wrapping happens in a plane. A sphere is cut by the plane of its centre and the two ends; a
// cylinder is seen along its axis, and the path on it is a straight line once it is unrolled. In
// the plane a circle of radius r about 0 and a point at distance L > r with direction φ have the
// tangent points at φ ± acos(r / L). A string that runs counter-clockwise touches first at
// φ0 + acos(r/L0) and leaves at φ1 - acos(r/L1); clockwise the signs change. A site at the side
// shows which way; without one the tendon takes the shorter way, and touches only if the straight
// line cuts the circle. A side site inside of the shape means that the tendon passes through a
// hole: it touches the circle from within at the one point where both pieces make equal angles with
// the wall, if the straight line would miss the circle.
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "dynamics/tendon.h"
#include "dynamics/workspace.h"
#include "math/invariant.h"
#include "math/store.h"
#include "model/joint_kind.h"

static const double tiny = 1e-15;

typedef struct Plane {
  double x, y;
} Plane;

static double dot2(Plane a, Plane b) { return a.x * b.x + a.y * b.y; }
static Plane sub2(Plane a, Plane b) { return (Plane){a.x - b.x, a.y - b.y}; }
static double cross2(Plane a, Plane b) { return a.x * b.y - a.y * b.x; }

static Plane at_angle(double angle, double r) {
  double s, c;
  heft_sincos(angle, &s, &c);
  return (Plane){r * c, r * s};
}

// Whether the pieces a-b and c-d cross.
static int pieces_cross(Plane a, Plane b, Plane c, Plane d) {
  const Plane u = sub2(b, a), w = sub2(d, c), e = sub2(c, a);
  const double det = cross2(u, w);
  if (fabs(det) < tiny) return 0;
  const double s = cross2(e, w) / det, t = cross2(e, u) / det;
  return s >= 0 && s <= 1 && t >= 0 && t <= 1;
}

// The point of the piece a-b that is nearest to the origin.
static Plane nearest(Plane a, Plane b) {
  const Plane u = sub2(b, a);
  const double length2 = dot2(u, u);
  double s = length2 > 0 ? -dot2(a, u) / length2 : 0;
  s = s < 0 ? 0 : s > 1 ? 1 : s;
  return (Plane){a.x + s * u.x, a.y + s * u.y};
}

static double positive_turn(double angle) {
  const double full = 2 * HEFT_PI;
  angle -= full * floor(angle / full);
  return angle;
}

typedef struct Touch {
  Plane first, last;
  double arc;  ///< length on the circle; negative: the tendon does not touch
} Touch;

static const Touch no_touch = {{0, 0}, {0, 0}, -1};

// One way round: direction +1 counter-clockwise, -1 clockwise. Tells how good it is.
static Touch wind(Plane a, Plane b, const Plane* side, double r, double direction, double* good) {
  const double turn_a = heft_acos(r / sqrt(dot2(a, a))), turn_b = heft_acos(r / sqrt(dot2(b, b)));
  HEFT_ASSERT(r > 0 && !(dot2(a, a) < r * r) && !(dot2(b, b) < r * r));
  const double from = heft_atan2(a.y, a.x) + direction * turn_a,
               to = heft_atan2(b.y, b.x) - direction * turn_b;
  Touch t = {at_angle(from, r), at_angle(to, r), r * positive_turn(direction * (to - from))};
  if (side) {
    const Plane mean = {t.first.x + t.last.x, t.first.y + t.last.y};
    const double length = sqrt(dot2(mean, mean));
    *good = length > tiny ? dot2(mean, *side) / length : 0;
  } else {
    const Plane chord = sub2(t.first, t.last);
    *good = -dot2(chord, chord);
  }
  if (pieces_cross(a, t.first, b, t.last)) {
    *good = -1e9;
    t.arc = -1;
  }
  return t;
}

static Touch touch_outside(Plane a, Plane b, const Plane* side, double r) {
  const Plane chord = sub2(a, b);
  if (dot2(a, a) < r * r || dot2(b, b) < r * r || dot2(chord, chord) < tiny) return no_touch;
  const Plane near = nearest(a, b);
  if (dot2(near, near) > r * r && (!side || dot2(near, *side) >= 0)) return no_touch;
  double good[2];
  const Touch one = wind(a, b, side, r, -1, &good[0]), other = wind(a, b, side, r, 1, &good[1]);
  return good[0] > good[1] ? one : other;
}

// The angle at which the string meets the wall, seen from the end at distance length, minus that at
// which it would meet it from infinity; see touch_inside.
static double asin_safe(double x) { return heft_asin(x > 1 ? 1 : x < -1 ? -1 : x); }

// From within: with z the sine of the angle between string and wall normal, the two ends see the
// touching point at asin(z) - asin(z r/L) from their own directions, and both add up to the angle G
// between the ends:
//     asin(A z) + asin(B z) - 2 asin(z) + G = 0,   A = r / L0, B = r / L1.
static Touch touch_inside(Plane a, Plane b, double r) {
  const double la = sqrt(dot2(a, a)), lb = sqrt(dot2(b, b));
  if (la <= r || lb <= r || r < tiny) return no_touch;
  const Plane near = nearest(a, b);
  if (dot2(near, near) <= r * r) return no_touch;  // the straight line passes through the hole
  const double ka = r / la, kb = r / lb;
  const double angle = heft_acos(fmax(-1, fmin(1, dot2(a, b) / (la * lb))));
  Plane middle = {a.x / la + b.x / lb, a.y / la + b.y / lb};
  const double size = sqrt(dot2(middle, middle));
  if (size < tiny || angle > HEFT_PI - 1e-12) return no_touch;
  Touch t = {{r * middle.x / size, r * middle.y / size}, {0, 0}, 0};
  double low = 0, high = 1;
  if (asin_safe(ka) + asin_safe(kb) - HEFT_PI + angle < 0) {  // a root lies between 0 and 1
    for (int i = 0; i < 60; ++i) {
      const double z = 0.5 * (low + high);
      HEFT_ASSERT(low < high);
      const double f = asin_safe(ka * z) + asin_safe(kb * z) - 2 * asin_safe(z) + angle;
      if (f > 0) {
        low = z;
      } else {
        high = z;
      }
    }
    const double z = 0.5 * (low + high), away = asin_safe(z) - asin_safe(ka * z);
    const double sense = cross2(a, b) > 0 ? 1 : -1;
    t.first = at_angle(heft_atan2(a.y, a.x) + sense * away, r);
  }
  t.last = t.first;
  return t;
}

typedef struct Wrap {
  HeftVec3 first, last;  ///< where it touches, in the world
  double length;         ///< on the shape; negative: it does not touch
} Wrap;

// Two directions that span the plane of the circle, in the shape's frame.
static void span_plane(int sphere, HeftVec3 a, HeftVec3 b, HeftVec3* e, HeftVec3* f) {
  *e = heft_vec3(1, 0, 0);
  *f = heft_vec3(0, 1, 0);
  if (!sphere) return;
  *e = heft_vec3_normalize(a);
  HeftVec3 normal = heft_vec3_cross(a, b);
  if (heft_vec3_norm(normal) < tiny) {
    HeftVec3 unused;
    heft_vec3_tangents(*e, &normal, &unused);
  }
  *f = heft_vec3_normalize(heft_vec3_cross(heft_vec3_normalize(normal), *e));
  HEFT_ASSERT(heft_is_unit(*e));
}

static Plane project(HeftVec3 p, HeftVec3 e, HeftVec3 f) {
  return (Plane){heft_vec3_dot(p, e), heft_vec3_dot(p, f)};
}

static Wrap wrap_shape(HeftPose shape, double r, int sphere, HeftVec3 from, HeftVec3 to,
                       const HeftVec3* side) {
  const HeftVec3 a = heft_pose_apply_inverse(shape, from), b = heft_pose_apply_inverse(shape, to);
  Wrap none = {from, to, -1};
  if (r <= 0 || heft_vec3_norm(a) < tiny || heft_vec3_norm(b) < tiny) return none;
  HEFT_ASSERT(r > 0);
  HeftVec3 e, f;
  span_plane(sphere, a, b, &e, &f);
  const Plane pa = project(a, e, f), pb = project(b, e, f);
  Plane way = {0, 0};
  int inside = 0;
  if (side) {
    const HeftVec3 s = heft_pose_apply_inverse(shape, *side);
    way = project(s, e, f);
    inside = heft_vec3_norm(s) < r;
  }
  const Touch t = inside ? touch_inside(pa, pb, r) : touch_outside(pa, pb, side ? &way : NULL, r);
  if (t.arc < 0) return none;
  HeftVec3 first = heft_vec3_add(heft_vec3_scale(t.first.x, e), heft_vec3_scale(t.first.y, f));
  HeftVec3 last = heft_vec3_add(heft_vec3_scale(t.last.x, e), heft_vec3_scale(t.last.y, f));
  double length = t.arc;
  if (!sphere) {  // climb evenly along the unrolled path
    const Plane da = sub2(pa, t.first), db = sub2(pb, t.last);
    const double before = sqrt(dot2(da, da)), after = sqrt(dot2(db, db)),
                 all = before + t.arc + after;
    first.z = a.z + (b.z - a.z) * before / all;
    last.z = a.z + (b.z - a.z) * (before + t.arc) / all;
    const double climb = last.z - first.z;
    length = sqrt(t.arc * t.arc + climb * climb);
  }
  return (Wrap){heft_pose_apply(shape, first), heft_pose_apply(shape, last), length};
}

// ---- moments

// moment += scale · uᵀ ∂(point of body)/∂q.
static void add_point(const HeftDynamics* d, int body, HeftVec3 point, HeftVec3 u, double scale,
                      double* moment_arm) {
  const HeftTree* t = d->tree;
  const int k = t->body_link[body];
  const Link* link = &t->link[k];
  if (link->dof_count == 0 || !moment_arm) return;
  const HeftVec3 arm = heft_vec3_sub(point, vec3_from_v4(d->origin[link->root]));
  const int last = link->dof + link->dof_count - 1;
  for (int i = 0; i <= t->dof_depth[last]; ++i) {
    const int dof = t->path[t->row[last] + i];
    const HeftVec3 lin = vec3_from_v4(d->axis[dof].lin), ang = vec3_from_v4(d->axis[dof].ang);
    moment_arm[dof] += scale * heft_vec3_dot(u, heft_vec3_add(lin, heft_vec3_cross(ang, arm)));
  }
}

// moment += scale · uᵀ (angular velocity of body)/∂v.
static void add_turn(const HeftDynamics* d, int body, HeftVec3 u, double scale,
                     double* moment_arm) {
  const HeftTree* t = d->tree;
  const int k = t->body_link[body];
  const Link* link = &t->link[k];
  if (link->dof_count == 0 || !moment_arm) return;
  const int last = link->dof + link->dof_count - 1;
  for (int i = 0; i <= t->dof_depth[last]; ++i) {
    const int dof = t->path[t->row[last] + i];
    moment_arm[dof] += scale * heft_vec3_dot(u, vec3_from_v4(d->axis[dof].ang));
  }
}

// A straight piece from a point of one body to a point of another.
static double add_piece(const HeftDynamics* d, int body_a, HeftVec3 a, int body_b, HeftVec3 b,
                        double scale, double* moment_arm) {
  const HeftVec3 along = heft_vec3_sub(b, a);
  const double length = heft_vec3_norm(along);
  if (length < tiny) return 0;
  const HeftVec3 u = heft_vec3_scale(1 / length, along);
  HEFT_ASSERT(heft_is_unit(u));
  add_point(d, body_b, b, u, scale, moment_arm);
  add_point(d, body_a, a, u, -scale, moment_arm);
  return scale * length;
}

static HeftPose shape_pose(const HeftDynamics* d, int shape) {
  const HeftModel* m = d->model;
  const double *p = m->shape_pos + 3L * shape, *q = m->shape_quat + 4L * shape;
  return heft_pose_mul(heft_dynamics_body_pose(d, m->shape_body[shape]),
                       heft_pose(heft_vec3_from(p), heft_quat_from(q)));
}

// From the site at wrap w over the shape at w + 1 to the site at w + 2, whose places are a and b.
static Wrap wrap_between(const HeftDynamics* d, int w, HeftVec3 a, HeftVec3 b) {
  const HeftModel* m = d->model;
  const int shape = m->wrap_object[w + 1], side_site = m->wrap_side[w + 1];
  const HeftVec3 side =
      side_site >= 0 ? heft_dynamics_site_pose(d, side_site).pos : heft_vec3(0, 0, 0);
  return wrap_shape(shape_pose(d, shape), m->shape_size[3L * shape],
                    m->shape_type[shape] == HEFT_SHAPE_SPHERE, a, b, side_site >= 0 ? &side : NULL);
}

static double over_shape(const HeftDynamics* d, int w, double scale, double* moment_arm) {
  const HeftModel* m = d->model;
  const int body = m->shape_body[m->wrap_object[w + 1]];
  HEFT_ASSERT(body >= 0 && body < m->nbody);
  const int site_a = m->wrap_object[w], site_b = m->wrap_object[w + 2];
  const HeftVec3 a = heft_dynamics_site_pose(d, site_a).pos,
                 b = heft_dynamics_site_pose(d, site_b).pos;
  const Wrap wrap = wrap_between(d, w, a, b);
  if (wrap.length < 0)
    return add_piece(d, m->site_body[site_a], a, m->site_body[site_b], b, scale, moment_arm);
  return add_piece(d, m->site_body[site_a], a, body, wrap.first, scale, moment_arm) +
         scale * wrap.length +
         add_piece(d, body, wrap.last, m->site_body[site_b], b, scale, moment_arm);
}

static double spatial_length(const HeftDynamics* d, int tendon, double* moment_arm) {
  const HeftModel* m = d->model;
  const int begin = m->tendon_wrap[tendon], end = begin + m->tendon_wrap_count[tendon];
  HEFT_ASSERT(begin >= 0 && begin <= end);
  double length = 0, scale = 1;
  for (int w = begin; w < end; ++w) {
    if (m->wrap_type[w] == HEFT_WRAP_PULLEY) scale = 1 / m->wrap_value[w];
    if (m->wrap_type[w] != HEFT_WRAP_SITE || w + 1 >= end) continue;
    if (m->wrap_type[w + 1] == HEFT_WRAP_SHAPE) {
      length += over_shape(d, w, scale, moment_arm);
      ++w;  // the loop goes on at the site behind the shape
    } else if (m->wrap_type[w + 1] == HEFT_WRAP_SITE) {
      const int a = m->wrap_object[w], b = m->wrap_object[w + 1];
      length += add_piece(d, m->site_body[a], heft_dynamics_site_pose(d, a).pos, m->site_body[b],
                          heft_dynamics_site_pose(d, b).pos, scale, moment_arm);
    }
  }
  return length;
}

double heft_dynamics_tendon_length(const HeftDynamics* d, int tendon, const double* q,
                                   double* moment_arm) {
  HEFT_REQUIRE(d && q, 0);
  const HeftModel* m = d->model;
  HEFT_REQUIRE(tendon >= 0 && tendon < m->ntendon, 0);
  if (moment_arm) memset(moment_arm, 0, (size_t)m->nv * sizeof(double));
  const int begin = m->tendon_wrap[tendon], end = begin + m->tendon_wrap_count[tendon];
  if (m->wrap_type[begin] != HEFT_WRAP_JOINT) return spatial_length(d, tendon, moment_arm);
  double length = 0;
  for (int w = begin; w < end; ++w) {
    const int joint = m->wrap_object[w];
    length += m->wrap_value[w] * q[m->joint_q[joint]];
    if (moment_arm) moment_arm[m->joint_dof[joint]] += m->wrap_value[w];
  }
  return length;
}

// ---- for the eye

typedef struct Path {
  HeftVec3 (*piece)[2];
  int count, max;
} Path;

static void draw_piece(Path* path, HeftVec3 a, HeftVec3 b) {
  if (path->count < path->max) {
    path->piece[path->count][0] = a;
    path->piece[path->count][1] = b;
  }
  ++path->count;
}

// The arc in chords: evenly along the straight way, each point then taken out to the surface.
static void draw_arc(const HeftDynamics* d, int shape, const Wrap* wrap, Path* path) {
  enum { CHORDS = 8 };
  const HeftPose pose = shape_pose(d, shape);
  const double r = d->model->shape_size[3L * shape];
  const int sphere = d->model->shape_type[shape] == HEFT_SHAPE_SPHERE;
  const HeftVec3 a = heft_pose_apply_inverse(pose, wrap->first),
                 b = heft_pose_apply_inverse(pose, wrap->last);
  HeftVec3 last = wrap->first;
  for (int i = 1; i <= CHORDS; ++i) {
    HeftVec3 p = heft_vec3_add_scaled(a, (double)i / CHORDS, heft_vec3_sub(b, a));
    const double out = sphere ? heft_vec3_norm(p) : sqrt(p.x * p.x + p.y * p.y);
    const double grow = out > tiny ? r / out : 1;
    p = heft_vec3(grow * p.x, grow * p.y, sphere ? grow * p.z : p.z);
    const HeftVec3 next = i == CHORDS ? wrap->last : heft_pose_apply(pose, p);
    draw_piece(path, last, next);
    last = next;
  }
}

int heft_dynamics_tendon_path(const HeftDynamics* d, int tendon, HeftVec3 (*piece)[2], int max) {
  HEFT_REQUIRE(d, 0);
  const HeftModel* m = d->model;
  HEFT_REQUIRE(tendon >= 0 && tendon < m->ntendon && max >= 0 && (piece || max == 0), 0);
  const int begin = m->tendon_wrap[tendon], end = begin + m->tendon_wrap_count[tendon];
  Path path = {.piece = piece, .max = max};
  for (int w = begin; w + 1 < end; ++w) {
    if (m->wrap_type[w] != HEFT_WRAP_SITE || m->wrap_type[w + 1] == HEFT_WRAP_PULLEY) continue;
    const int over = m->wrap_type[w + 1] == HEFT_WRAP_SHAPE;
    const HeftVec3 a = heft_dynamics_site_pose(d, m->wrap_object[w]).pos,
                   b = heft_dynamics_site_pose(d, m->wrap_object[w + 1 + over]).pos;
    const Wrap wrap = over ? wrap_between(d, w, a, b) : (Wrap){a, b, -1};
    w += over;  // the loop goes on at the site behind the shape
    if (wrap.length < 0) {
      draw_piece(&path, a, b);
      continue;
    }
    draw_piece(&path, a, wrap.first);
    draw_arc(d, m->wrap_object[w], &wrap, &path);
    draw_piece(&path, wrap.last, b);
  }
  return path.count;
}

// ---- transmissions

// A joint. The length of a free joint has no meaning and is zero.
static double joint_length(const HeftModel* m, int a, const double* q, double* moment_arm) {
  const int j = m->actuator_target[a], dof = m->joint_dof[j];
  HEFT_ASSERT(dof >= 0 && dof < m->nv);
  const HeftJointType type = m->joint_type[j];
  const int in_parent = m->actuator_transmission[a] == HEFT_TRANSMISSION_JOINT_IN_PARENT;
  const double *gear = m->actuator_gear + 6L * a, *at = q + m->joint_q[j];
  const int rotation = joint_rotation(type);
  if (rotation >= 0) {
    const int is_free = type == HEFT_JOINT_FREE;
    const double* r = at + rotation;
    const HeftQuat rot = heft_quat_normalize(heft_quat_from(r));
    HeftVec3 turn = heft_vec3_from(gear + rotation);
    const double length = is_free ? 0 : heft_vec3_dot(turn, heft_quat_log(rot));
    if (in_parent) turn = heft_quat_rotate(heft_quat_conjugate(rot), turn);
    if (moment_arm && is_free) vec3_store(moment_arm + dof, heft_vec3_from(gear));
    if (moment_arm) vec3_store(moment_arm + dof + rotation, turn);
    return length;
  }
  double length = 0;
  for (int k = 0; k < heft_joint_type_dof_count(type); ++k) {
    length += gear[k] * at[k];
    if (moment_arm) moment_arm[dof + k] = gear[k];
  }
  return length;
}

// The dofs that two bodies share move both: they do not count for what happens between them.
static void clear_common(const HeftDynamics* d, int body_a, int body_b, double* moment_arm) {
  const HeftTree* t = d->tree;
  const int a = t->body_link[body_a], b = t->body_link[body_b];
  if (t->link[a].dof_count == 0 || t->link[b].dof_count == 0 || !moment_arm) return;
  const int last_a = t->link[a].dof + t->link[a].dof_count - 1,
            last_b = t->link[b].dof + t->link[b].dof_count - 1;
  for (int i = 0; i <= t->dof_depth[last_a] && i <= t->dof_depth[last_b]; ++i) {
    const int dof = t->path[t->row[last_a] + i];
    if (dof != t->path[t->row[last_b] + i]) return;
    moment_arm[dof] = 0;
  }
}

static double site_length(const HeftDynamics* d, int a, double* moment_arm) {
  const HeftModel* m = d->model;
  const double* gear = m->actuator_gear + 6L * a;
  const int site = m->actuator_target[a], reference = m->actuator_reference[a];
  const HeftPose x = heft_dynamics_site_pose(d, site);
  const HeftPose frame = reference >= 0 ? heft_dynamics_site_pose(d, reference) : x;
  const HeftVec3 force = heft_mat3_mul_vec(frame.rot, heft_vec3_from(gear)),
                 torque = heft_mat3_mul_vec(frame.rot, heft_vec3_from(gear + 3));
  add_point(d, m->site_body[site], x.pos, force, 1, moment_arm);
  add_turn(d, m->site_body[site], torque, 1, moment_arm);
  if (reference < 0) return 0;
  add_point(d, m->site_body[reference], frame.pos, force, -1, moment_arm);
  add_turn(d, m->site_body[reference], torque, -1, moment_arm);
  clear_common(d, m->site_body[site], m->site_body[reference], moment_arm);
  const HeftMat3 turn = heft_mat3_mul(heft_mat3_transpose(frame.rot), x.rot);
  return heft_vec3_dot(force, heft_vec3_sub(x.pos, frame.pos)) +
         heft_vec3_dot(heft_vec3_from(gear + 3), heft_quat_log(heft_quat_from_mat3(turn)));
}

// The slider moves along the z axis of its site, held by a rod of fixed length to the crank's site:
// with v from slider site to crank site, s = v·z - √((v·z)² + rod² - v·v). Out of reach the root is
// left away.
static double crank_length(const HeftDynamics* d, int a, double* moment_arm) {
  const HeftModel* m = d->model;
  const int crank = m->actuator_target[a], slider = m->actuator_reference[a];
  const double rod = m->actuator_crank[a], gear = m->actuator_gear[6L * a];
  const HeftPose end = heft_dynamics_site_pose(d, crank), rail = heft_dynamics_site_pose(d, slider);
  const HeftVec3 z = heft_mat3_column(rail.rot, 2), v = heft_vec3_sub(end.pos, rail.pos);
  const double along = heft_vec3_dot(v, z);
  const double det = along * along + rod * rod - heft_vec3_dot(v, v);
  const double root = det > 0 ? sqrt(det) : 0;
  HEFT_ASSERT(!(root < 0));
  const double part = det > 0 ? 1 - along / root : 1;
  const HeftVec3 by_v = heft_vec3_add_scaled(heft_vec3_scale(part, z), det > 0 ? 1 / root : 0, v);
  const HeftVec3 by_z = heft_vec3_scale(part, v);
  add_point(d, m->site_body[crank], end.pos, by_v, gear, moment_arm);
  add_point(d, m->site_body[slider], rail.pos, by_v, -gear, moment_arm);
  add_turn(d, m->site_body[slider], heft_vec3_cross(z, by_z), gear, moment_arm);  // ż = ω × z
  return gear * (along - root);
}

double heft_actuator_add_arms(const HeftDynamics* d, int actuator, const double* q,
                              double* moment_arm) {
  switch (d->model->actuator_transmission[actuator]) {
    case HEFT_TRANSMISSION_SITE:
      return site_length(d, actuator, moment_arm);
    case HEFT_TRANSMISSION_SLIDER_CRANK:
      return crank_length(d, actuator, moment_arm);
    case HEFT_TRANSMISSION_JOINT:
    case HEFT_TRANSMISSION_TENDON:
    case HEFT_TRANSMISSION_JOINT_IN_PARENT:
    case HEFT_TRANSMISSION_COUNT:
      break;
  }
  return joint_length(d->model, actuator, q, moment_arm);
}

double heft_dynamics_actuator_length(const HeftDynamics* d, int actuator, const double* q,
                                     double* moment_arm) {
  HEFT_REQUIRE(d && q, 0);
  const HeftModel* m = d->model;
  HEFT_REQUIRE(actuator >= 0 && actuator < m->nactuator, 0);
  const double gear = m->actuator_gear[6L * actuator];
  if (m->actuator_transmission[actuator] == HEFT_TRANSMISSION_TENDON) {
    const double length =
        heft_dynamics_tendon_length(d, m->actuator_target[actuator], q, moment_arm);
    for (int i = 0; moment_arm && i < m->nv; ++i) moment_arm[i] *= gear;
    return gear * length;
  }
  if (moment_arm) memset(moment_arm, 0, (size_t)m->nv * sizeof(double));
  return heft_actuator_add_arms(d, actuator, q, moment_arm);
}
