// SPDX-License-Identifier: Apache-2.0
// Soft joints sag under a load, and what has moved holds less (docs/theory/margins.md).
//
// With forces f at contact points that stay in place, G(q) = g(q) - Jᵀ f + k (q - q₀) - a D are the
// forces that are missing at a load a D, and K = ∂G/∂q + ρ JᵀJ is the stiffness, where ρ keeps the
// contact points in place: f' = f - ρ J dq. A round foot that turns by ω rolls: its point moves by
// R ω, and so does its normal force f_n, with the stiffness f_n n × R ω. A load moves the stance by
// K⁻¹ D until a contact point has no force left: it is free from there on, and K is found anew.
// Long ways are cut, too, and what G is at their ends is taken into account. The way ends where K
// is not positive any more: the stance gives way, whatever its contacts hold. margin.c looks for
// the load that its own sag leaves.
#include "world/margin_sag.h"
#include "base/assert.h"
#include "collision/follow.h"

#include <math.h>
#include <string.h>

#include "dynamics/links.h"
#include "dynamics/static_stiffness.h"
#include "math/dense.h"
#include "math/simd.h"
#include "math/skyline.h"
#include "math/store.h"
#include "world/contacts.h"

static const double PINNED = 1e6,  // ρ, relative to the largest stiffness
    STRIDE = 0.03;                 // of a segment [m, rad]
enum { SEGMENTS = 60 };

// A contact point and its force.
typedef struct Pin {
  HeftContact contact;
  HeftVec3 change;   // of its force by a step
  int rolls;         // 1 if the point moves when its sides turn
  HeftMat3 roll;     // by the turn of side b about it [m/rad]
  HeftMat3 back[2];  // axes of sides b and a at the start, transposed
  HeftVec3 place;    // of the point at the start
  int rows;          // 3: it stays in place; 1: it slips; 0: it has lifted
} Pin;

// From a load on, the stance moves by `sag` per unit of it.
typedef struct Segment {
  double start;
  double *q, *sag;  // nq, nv
} Segment;

struct Sag {
  Block block;
  const MarginInput* in;
  HeftDynamics* dynamics;  // of its own: it is moved to other positions
  const HeftMarginLoad* load;
  HeftVec3* at;  // loads: points in the frames of their bodies
  Pin* pin;      // contact points of the step
  int loads, contacts, count;
  int *dof, *place;  // of the stance, the last first; nv: number of a dof in it, -1: none
  int* first;        // dofs: where the rows of the stiffness begin
  StaticSums* sums;
  double* jacobian;   // 3 rows of `count` numbers per contact
  double* turns;      // 3 rows: scratch, of the turns of a contact
  double* frames;     // nlink x 16: scratch
  double* stiffness;  // matrix, factored
  double* along;      // dofs: Jᵀ of the loads
  double* moved;      // dofs: q - q₀
  double* spring;     // dofs: stiffness of springs and servos
  double *step, *v, *zero, *out;
  double *q, *tried;  // nq: end of the way so far, where a program is asked for
  double* start;      // nv: forces without the contacts' at q₀ and no load, with them
  double* weight;     // nv: joint forces that carry it, without contacts
  double rho;
  Segment segment[SEGMENTS];
  int segments;
  double reach;  // load up to which the segments lead
  double end;    // of the way: the largest load that some sag carries
};

// ---- soft joints

int heft_servo_dof(const HeftModel* m, int actuator) {
  if (m->actuator_transmission[actuator] != HEFT_TRANSMISSION_JOINT) return -1;
  if (!(m->actuator_bias[3L * actuator + 1] < 0)) return -1;
  const HeftJointType type = m->joint_type[m->actuator_target[actuator]];
  if (type != HEFT_JOINT_HINGE && type != HEFT_JOINT_SLIDE) return -1;
  return m->joint_dof[m->actuator_target[actuator]];
}

int heft_sag_exists(const HeftModel* m, const int* part) {
  for (int d = 0; d < m->nv; ++d) {
    if (m->dof_stiffness[d] > 0 && part[heft_dof_root(m, d)]) return 1;
  }
  for (int a = 0; a < m->nactuator; ++a) {
    const int d = heft_servo_dof(m, a);
    if (d >= 0 && part[heft_dof_root(m, d)]) return 1;
  }
  return 0;
}

// Stiffness of the servo of an actuator.
static double servo_stiffness(const HeftModel* m, int actuator) {
  const double gear = m->actuator_gear[6L * actuator];
  return -m->actuator_bias[3L * actuator + 1] * gear * gear;
}

static double stiffness_of(const HeftModel* m, int dof) {
  double sum = m->dof_stiffness[dof];
  for (int a = 0; a < m->nactuator; ++a)
    sum += heft_servo_dof(m, a) == dof ? servo_stiffness(m, a) : 0;
  return sum;
}

// ---- balance

static void put_wrenches(Sag* s) {
  const HeftVec3 none = heft_vec3(0, 0, 0);
  heft_dynamics_clear_wrenches(s->dynamics);
  for (int i = 0; i < s->contacts; ++i) {
    const HeftContact* c = &s->pin[i].contact;
    heft_dynamics_add_wrench(s->dynamics, c->body_b, c->pos, c->force, none);
    heft_dynamics_add_wrench(s->dynamics, c->body_a, c->pos, heft_vec3_neg(c->force), none);
  }
}

// row (`directions` of `width` numbers) += sign times the velocity of a point of a body along some
// directions, by the dofs. column: nv, -1: left out.
static void add_rows(const Sag* s, int body, HeftVec3 point, double sign, const HeftVec3* along,
                     int directions, const int* column, int width, double* row) {
  const HeftModel* m = s->in->model;
  const int link = heft_body_mobile_link(m, body);
  if (link <= 0) return;
  const HeftVec3 offset = heft_vec3_sub(point, heft_link_origin(s->dynamics, link));
  for (int d = heft_link_last_dof(m, link); d >= 0; d = heft_dof_before(m, d)) {
    if (column[d] < 0) continue;
    const HeftSpatial axis = heft_dof_axis(s->dynamics, d);
    const HeftVec3 lin = heft_vec3_add(axis.lin, heft_vec3_cross(axis.ang, offset));
    for (int r = 0; r < directions; ++r)
      row[r * width + column[d]] += sign * heft_vec3_dot(along[r], lin);
  }
}

// along += the velocity of a body's turn about a torque.
static void add_turns(const Sag* s, int body, HeftVec3 torque, const int* column, double* along) {
  const HeftModel* m = s->in->model;
  const int link = heft_body_mobile_link(m, body);
  for (int d = link > 0 ? heft_link_last_dof(m, link) : -1; d >= 0; d = heft_dof_before(m, d))
    if (column[d] >= 0)
      along[column[d]] += heft_vec3_dot(torque, heft_dof_axis(s->dynamics, d).ang);
}

// Velocities of all contact points along their directions, and of the loads, by the dofs: matrices
// of `width` columns.
static void fill_rows(Sag* s, const int* column, int width, double* jacobian, double* along) {
  for (int i = 0; i < s->contacts; ++i) {
    const HeftContact* k = &s->pin[i].contact;
    const HeftVec3 all[3] = {
        k->normal, k->tangent,
        heft_vec3_scale(k->anisotropy, heft_vec3_cross(k->normal, k->tangent))};
    double* to = jacobian + 3 * (size_t)i * (size_t)width;
    for (int c = 0; c < 3 * width; ++c) to[c] = 0;
    add_rows(s, k->body_b, k->pos, 1, all, 3, column, width, to);
    add_rows(s, k->body_a, k->pos, -1, all, 3, column, width, to);
  }
  for (int c = 0; c < width; ++c) along[c] = 0;
  for (int l = 0; l < s->loads; ++l) {
    const HeftMarginLoad* load = &s->load[l];
    const HeftPose pose = heft_dynamics_body_pose(s->dynamics, load->body);
    const HeftVec3 point = heft_pose_apply(pose, s->at[l]);
    add_rows(s, load->body, point, 1, &load->force, 1, column, width, along);
    add_turns(s, load->body, load->torque, column, along);
  }
}

// Where the contact point i is if a link turns about it by an angle about an axis.
static HeftVec3 turned_place(Sag* s, int i, int link, HeftVec3 axis, double angle) {
  HeftContactPoint point = s->in->constraints->set.contact_points.point[i];
  const HeftMat3 turn = heft_quat_to_mat3(heft_quat_from_axis_angle(axis, angle));
  double kept[16], *frame = s->frames + 16L * link;
  int found = 0;
  memcpy(kept, frame, sizeof kept);
  for (int c = 0; c < 3; ++c) {
    const HeftVec3 column = heft_mat3_mul_vec(turn, heft_vec3_from(frame + 4L * c));
    vec3_store(frame + 4L * c, column);
  }
  const HeftVec3 arm = heft_vec3_sub(heft_vec3_from(frame + 12), point.pos);
  vec3_store(frame + 12, heft_vec3_add(point.pos, heft_mat3_mul_vec(turn, arm)));
  heft_collider_follow(s->in->constraints->collider, s->frames, 1, &point, &found);
  memcpy(frame, kept, sizeof kept);
  return found ? point.pos : s->pin[i].contact.pos;
}

// How far a side of a contact point has turned since the start.
static HeftVec3 turn_of(const Sag* s, const Pin* p, int side) {
  const int body = side == 0 ? p->contact.body_b : p->contact.body_a;
  const HeftMat3 now = heft_dynamics_body_pose(s->dynamics, body).rot;
  return heft_quat_log(heft_quat_from_mat3(heft_mat3_mul(now, p->back[side])));
}

// Moves the contact points that roll to where they are at the kinematics.
static void roll(Sag* s) {
  for (int i = 0; i < s->contacts; ++i) {
    Pin* p = &s->pin[i];
    if (!p->rolls) continue;
    const HeftVec3 turn = heft_vec3_sub(turn_of(s, p, 0), turn_of(s, p, 1));
    p->contact.pos = heft_vec3_add(p->place, heft_mat3_mul_vec(p->roll, turn));
  }
}

// How contact points roll, at the kinematics of the start.
static void find_rolls(Sag* s) {
  static const double angle = 1e-4, still = 1e-6;
  const HeftContactPoint* point = s->in->constraints->set.contact_points.point;
  memcpy(s->frames, heft_link_frames(s->dynamics),
         16 * (size_t)heft_link_count(s->in->model) * sizeof(double));
  for (int i = 0; i < s->contacts; ++i) {
    const int on_b = point[i].link_b != 0, link = on_b ? point[i].link_b : point[i].link_a;
    const double share = (on_b ? 1 : -1) / angle;
    Pin* p = &s->pin[i];
    const HeftVec3 start = turned_place(s, i, link, heft_vec3(0, 0, 1), 0);
    for (int k = 0; k < 3; ++k) {
      const HeftVec3 axis = {k == 0, k == 1, k == 2},
                     moved = heft_vec3_scale(
                         share, heft_vec3_sub(turned_place(s, i, link, axis, angle), start));
      p->rolls |= heft_vec3_norm(moved) > still;
      p->roll.m[0][k] = moved.x;
      p->roll.m[1][k] = moved.y;
      p->roll.m[2][k] = moved.z;
    }
    const HeftContact* c = &p->contact;
    p->place = c->pos;
    p->back[0] = heft_mat3_transpose(heft_dynamics_body_pose(s->dynamics, c->body_b).rot);
    p->back[1] = heft_mat3_transpose(heft_dynamics_body_pose(s->dynamics, c->body_a).rot);
  }
}

// ---- the way

// stiffness += share Σ row rowᵀ of the rows of a contact, lower triangle.
HEFT_CLONES static void sag_squares_kernel(double* stiffness, const int* first, size_t n, int rows,
                                           double share, const double* row) {
  for (size_t r = 0; r < n; ++r) {
    double part[3] = {0, 0, 0};
    for (int k = 0; k < rows; ++k) part[k] = share * row[(size_t)k * n + r];
    if (part[0] == 0 && part[1] == 0 && part[2] == 0) continue;
    double* to = stiffness + r * n;
    size_t c = (size_t)first[r];
    for (; c + 4 <= r + 1; c += 4) {
      V4 sum = v4_load(to + c);
      for (int k = 0; k < rows; ++k) sum += v4_load(row + (size_t)k * n + c) * part[k];
      v4_store(to + c, sum);
    }
    for (; c <= r; ++c)
      for (int k = 0; k < rows; ++k) to[c] += row[(size_t)k * n + c] * part[k];
  }
}

// ρ, by the stiffness of springs and servos and the rows of the contacts.
static double pin_stiffness(const Sag* s) {
  double largest = 0, pinned = 0;
  for (int c = 0; c < s->count; ++c) largest = s->spring[c] > largest ? s->spring[c] : largest;
  for (int k = 0; k < 3 * s->contacts * s->count; ++k) {
    const double size = fabs(s->jacobian[k]);
    pinned = size > pinned ? size : pinned;
  }
  return pinned > 0 ? PINNED * largest / (pinned * pinned) : 0;
}

// A contact point with the force f_n n that rolls by R ω resists the turn ω by f_n n × R ω.
static void add_roll(Sag* s, const Pin* p) {
  const int n = s->count;
  const double force = heft_vec3_dot(p->contact.normal, p->contact.force);
  for (int c = 0; c < 3 * n; ++c) s->turns[c] = 0;
  for (int k = 0; k < 3; ++k) {
    const HeftVec3 axis = {k == 0, k == 1, k == 2};
    add_turns(s, p->contact.body_b, axis, s->place, s->turns + k * n);
    add_turns(s, p->contact.body_a, heft_vec3_neg(axis), s->place, s->turns + k * n);
  }
  for (int r = 0; r < n; ++r) {
    const HeftVec3 turn = {s->turns[r], s->turns[n + r], s->turns[2 * n + r]};
    if (turn.x == 0 && turn.y == 0 && turn.z == 0) continue;
    const HeftVec3 torque = heft_vec3_scale(
        force, heft_vec3_cross(p->contact.normal, heft_mat3_mul_vec(p->roll, turn)));
    for (int c = s->first[r]; c <= r; ++c)
      s->stiffness[r * n + c] +=
          torque.x * s->turns[c] + torque.y * s->turns[n + c] + torque.z * s->turns[2 * n + c];
  }
}

// K at s->q, with the kinematics there, factored. Returns 0 if it is not positive.
static int find_stiffness(Sag* s) {
  const int n = s->count;
  put_wrenches(s);
  fill_rows(s, s->place, n, s->jacobian, s->along);
  for (int r = 0; r < n; ++r)
    for (int c = s->first[r]; c <= r; ++c) s->stiffness[r * n + c] = 0;
  heft_static_stiffness(s->sums, s->dynamics, s->place, n, s->stiffness);
  for (int r = 0; r < n; ++r) s->stiffness[r * n + r] += s->spring[r];
  if (s->segments == 0) s->rho = pin_stiffness(s);
  HEFT_ASSERT(!(s->rho < 0));
  for (int i = 0; i < s->contacts; ++i)
    if (s->pin[i].rows > 0) {
      sag_squares_kernel(s->stiffness, s->first, (size_t)n, s->pin[i].rows, s->rho,
                         s->jacobian + 3 * (size_t)i * (size_t)n);
      if (s->pin[i].rolls) add_roll(s, &s->pin[i]);
    }
  return n > 0 && skyline_factor(n, n, s->first, s->stiffness);
}

// How the forces of the contacts change with a displacement of the dofs.
static void find_changes(Sag* s, const double* step) {
  for (int i = 0; i < s->contacts; ++i) {
    const HeftContact* c = &s->pin[i].contact;
    const double* row = s->jacobian + 3 * (size_t)i * (size_t)s->count;
    const HeftVec3 all[3] = {
        c->normal, c->tangent,
        heft_vec3_scale(c->anisotropy, heft_vec3_cross(c->normal, c->tangent))};
    HeftVec3 sum = {0, 0, 0};
    for (int r = 0; r < s->pin[i].rows; ++r)
      sum =
          heft_vec3_add_scaled(sum, -s->rho * heft_dot(s->count, row + r * s->count, step), all[r]);
    s->pin[i].change = sum;
  }
}

// The stance moves by `share` of a step of its dofs, whose changes of forces are known.
static void move(Sag* s, const double* step, double share) {
  memset(s->v, 0, sizeof(double) * (size_t)s->in->model->nv);
  for (int i = 0; i < s->contacts; ++i) {
    HeftContact* c = &s->pin[i].contact;
    c->force = heft_vec3_add_scaled(c->force, share, s->pin[i].change);
  }
  for (int c = 0; c < s->count; ++c) {
    s->v[s->dof[c]] = step[c];
    s->moved[c] += share * step[c];
  }
  heft_q_integrate(s->in->model, s->q, s->v, share, s->q);
  heft_dynamics_kinematics(s->dynamics, s->q);
  roll(s);
}

// Takes what is missing at a load into account, by the stiffness of the segment.
static void correct(Sag* s, double load) {
  put_wrenches(s);
  heft_dynamics_rnea(s->dynamics, s->zero, NULL, s->out);
  for (int c = 0; c < s->count; ++c) {
    const int d = s->dof[c];
    s->step[c] = s->start[d] - s->out[d] - s->spring[c] * s->moved[c] + load * s->along[c];
  }
  skyline_solve(s->count, s->count, s->first, s->stiffness, s->step);
  find_changes(s, s->step);
  move(s, s->step, 1);
}

// The friction that a contact point has left: µ f_n - |f_t|.
static double friction_left(const HeftContact* c, HeftVec3 force) {
  const double n = heft_vec3_dot(c->normal, force);
  return c->friction * n - heft_vec3_norm(heft_vec3_add_scaled(force, -n, c->normal));
}

// The share of a step after which a number is zero, if it goes from `now` to `then`.
static double share_of(double now, double then) {
  return then < 0 && then < now ? fmax(0, now) / (fmax(0, now) - then) : HUGE_VAL;
}

// The largest growth of the load in a segment; *pin: the contact point that lifts then, or slips.
static double find_length(const Sag* s, const double* step, int* pin, int* rows) {
  double length = HUGE_VAL;
  *pin = -1;
  for (int c = 0; c < s->count; ++c) length = fmin(length, STRIDE / fabs(step[c]));
  for (int i = 0; i < s->contacts; ++i) {
    const HeftContact* c = &s->pin[i].contact;
    const HeftVec3 then = heft_vec3_add_scaled(c->force, length, s->pin[i].change);
    if (s->pin[i].rows == 0) continue;
    const double lifts =
        share_of(heft_vec3_dot(c->normal, c->force), heft_vec3_dot(c->normal, then));
    const double slips = s->pin[i].rows == 3
                             ? share_of(friction_left(c, c->force), friction_left(c, then))
                             : HUGE_VAL;
    if (!(fmin(lifts, slips) < 1)) continue;
    length *= fmin(lifts, slips);
    *pin = i;
    *rows = lifts <= slips ? 0 : 1;
  }
  return length;
}

// A point that has lifted has no force; one that slips has the friction of its normal force.
static void limit_friction(Pin* p) {
  HeftContact* c = &p->contact;
  const double n = heft_vec3_dot(c->normal, c->force);
  const HeftVec3 along = heft_vec3_add_scaled(c->force, -n, c->normal);
  const double size = heft_vec3_norm(along);
  if (p->rows == 0) c->force = heft_vec3(0, 0, 0);
  if (p->rows != 1 || !(size > 0)) return;
  c->force = heft_vec3_add_scaled(heft_vec3_scale(n, c->normal), c->friction * n / size, along);
}

// The next segment, from s->reach on. Needs the kinematics at s->q.
static void add_segment(Sag* s) {
  const HeftModel* m = s->in->model;
  Segment* k = &s->segment[s->segments];
  double* step = s->out;
  int pin = -1, rows = 0;
  if (s->segments == SEGMENTS || !find_stiffness(s)) {
    s->end = s->reach;
    return;
  }
  memcpy(step, s->along, sizeof(double) * (size_t)s->count);
  skyline_solve(s->count, s->count, s->first, s->stiffness, step);
  k->start = s->reach;
  memcpy(k->q, s->q, sizeof(double) * (size_t)m->nq);
  memset(k->sag, 0, sizeof(double) * (size_t)m->nv);
  for (int c = 0; c < s->count; ++c) k->sag[s->dof[c]] = step[c];
  s->segments++;
  find_changes(s, step);
  const double length = find_length(s, step, &pin, &rows);
  s->reach += length;
  if (!isfinite(s->reach)) return;
  move(s, step, length);
  if (pin >= 0) s->pin[pin].rows = rows;
  for (int i = 0; i < s->contacts; ++i) limit_friction(&s->pin[i]);
  correct(s, s->reach);
}

// ---- lifecycle

static void place(void* object, Arena* arena, const void* user) {
  Sag* s = object;
  const HeftModel* m = user;
  const size_t n = (size_t)s->count, nv = (size_t)m->nv;
  s->at = arena_take(arena, s->loads, HeftVec3);
  s->pin = arena_take(arena, s->contacts, Pin);
  s->dof = arena_take(arena, n, int);
  s->place = arena_take(arena, nv, int);
  s->first = arena_take(arena, n, int);
  s->sums = heft_static_stiffness_place(arena, m);
  s->spring = arena_take(arena, n, double);
  s->jacobian = arena_take(arena, 3 * n * (size_t)s->contacts, double);
  s->stiffness = arena_take(arena, n * n, double);
  s->turns = arena_take(arena, 3 * n, double);
  s->frames = arena_take(arena, 16L * heft_link_count(m), double);
  s->along = arena_take(arena, n, double);
  s->moved = arena_take(arena, n, double);
  s->q = arena_take(arena, m->nq, double);
  s->tried = arena_take(arena, m->nq, double);
  double** vectors[] = {&s->step, &s->v, &s->zero, &s->out, &s->start, &s->weight};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; ++i)
    *vectors[i] = arena_take(arena, nv, double);
  for (int k = 0; k < SEGMENTS; ++k) {
    s->segment[k].q = arena_take(arena, m->nq, double);
    s->segment[k].sag = arena_take(arena, nv, double);
  }
}

// Rows of the dofs before a dof begin at column `least`, or before.
static void begin_rows(Sag* s, int dof, int least) {
  for (int d = dof; d >= 0; d = heft_dof_before(s->in->model, d)) {
    if (s->place[d] >= 0 && s->first[s->place[d]] > least) s->first[s->place[d]] = least;
  }
}

// The dofs that move one another, and those that a contact joins. The last dof of a chain is the
// first column.
static void find_first(Sag* s) {
  const HeftModel* m = s->in->model;
  for (int c = 0; c < s->count; ++c) s->first[c] = c;
  for (int c = 0; c < s->count; ++c) begin_rows(s, s->dof[c], c);
  for (int i = 0; i < s->contacts; ++i) {
    const int body[2] = {s->pin[i].contact.body_a, s->pin[i].contact.body_b};
    int last[2], least = s->count;
    for (int side = 0; side < 2; ++side) {
      const int link = heft_body_mobile_link(m, body[side]);
      last[side] = link > 0 ? heft_link_last_dof(m, link) : -1;
      if (last[side] >= 0 && s->place[last[side]] >= 0 && s->place[last[side]] < least)
        least = s->place[last[side]];
    }
    for (int side = 0; side < 2; ++side) begin_rows(s, last[side], least);
  }
}

static void fill(Sag* s, const int* part) {
  const HeftModel* m = s->in->model;
  int count = 0;
  memset(s->moved, 0, sizeof(double) * (size_t)s->count);
  memset(s->zero, 0, sizeof(double) * (size_t)m->nv);
  for (int d = m->nv - 1; d >= 0; --d) {
    s->place[d] = part[heft_dof_root(m, d)] ? count : -1;
    if (s->place[d] < 0) continue;
    s->spring[count] = stiffness_of(m, d);
    s->dof[count++] = d;
  }
  HEFT_ASSERT(count == s->count);
  for (int i = 0; i < s->contacts; ++i) {
    const HeftContact c = heft_contact_read(s->in->constraints, s->in->step, i);
    s->pin[i] = (Pin){.contact = c, .rows = heft_vec3_dot(c.normal, c.force) > 0 ? 3 : 0};
  }
  find_first(s);
  heft_dynamics_kinematics(s->dynamics, s->in->state->q);
  find_rolls(s);
  for (int l = 0; l < s->loads; ++l) {
    const HeftPose pose = heft_dynamics_body_pose(s->dynamics, s->load[l].body);
    s->at[l] = heft_pose_apply(heft_pose_inverse(pose), s->load[l].point);
  }
  heft_dynamics_rnea(s->dynamics, s->zero, NULL, s->weight);
  memcpy(s->q, s->in->state->q, sizeof(double) * (size_t)m->nq);
  put_wrenches(s);
  heft_dynamics_rnea(s->dynamics, s->zero, NULL, s->start);
  s->end = HUGE_VAL;
}

HeftStatus heft_sag_create(Sag** out, const MarginInput* in, const int* part,
                           const HeftMarginLoad* loads, int count, HeftError* error) {
  Sag start = {.in = in,
               .load = loads,
               .loads = count,
               .contacts = in->constraints->set.contact_point_count};
  for (int d = 0; d < in->model->nv; ++d) start.count += part[heft_dof_root(in->model, d)] != 0;
  *out = NULL;
  Sag* s = heft_block_create_raw(&start, sizeof start, place, in->model, in->allocator,
                                 "the sag of a stance", error);
  if (!s) return HEFT_ERR_MEMORY;
  const HeftStatus status = heft_dynamics_create(&s->dynamics, in->model, in->allocator, error);
  if (status == HEFT_OK) {
    fill(s, part);
    *out = s;
  } else {
    heft_sag_destroy(s);
  }
  return status;
}

void heft_sag_destroy(Sag* s) {
  if (!s) return;
  heft_dynamics_destroy(s->dynamics);
  heft_block_destroy(s, s->in->allocator);
}

int heft_sag_displace(Sag* s, double factor, const int* column, int unknowns, double* cone,
                      double* cost, double* along) {
  const HeftModel* m = s->in->model;
  HeftDynamics* d = s->dynamics;
  if (factor >= s->reach && s->reach < s->end) {
    heft_dynamics_kinematics(d, s->q);
    roll(s);
  }
  while (factor >= s->reach && s->reach < s->end) add_segment(s);
  if (!(factor < s->end)) return 0;
  int k = s->segments - 1;
  while (k > 0 && s->segment[k].start > factor) --k;
  HEFT_ASSERT(k >= 0);
  heft_dynamics_clear_wrenches(d);
  heft_q_integrate(m, s->segment[k].q, s->segment[k].sag, factor - s->segment[k].start, s->tried);
  heft_dynamics_kinematics(d, s->tried);
  roll(s);
  heft_dynamics_rnea(d, s->zero, NULL, s->out);
  for (int i = 0; i < s->count; ++i) {
    const int dof = s->dof[i], c = column[dof];
    if (c >= 0) cost[c] = s->out[dof] - s->weight[dof];
  }
  fill_rows(s, column, unknowns, cone, along);
  return 1;
}

double heft_sag_end(const Sag* s) { return s->end; }
