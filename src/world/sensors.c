// SPDX-License-Identifier: Apache-2.0
// Sensors.
//
// Positions and velocities are those of the present state. Accelerations are the mean ones of the
// step that led here, (v⁺ - v) / h, and forces those that acted in it, so that what an
// accelerometer and a force sensor say fits to what the contacts did. A state that was set by hand
// has no such step: there is then no acceleration and no contact.
#include "world/sensors.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "world/world_internal.h"

static const double ray_reach = 1e4;  // of range finders without a cutoff [m]

// ---- memory

static void place(Sensors* s, Arena* arena, const HeftModel* m) {
  s->value = arena_take(arena, m->nsensordata, double);
  s->acceleration = arena_take(arena, m->nv, double);
  s->carried = arena_take(arena, m->nbody, HeftSpatial);
  s->pending = arena_take(arena, m->nbody, Applied);
  s->applied = arena_take(arena, m->nbody, Applied);
}

HeftStatus heft_sensors_create(HeftWorld* w, HeftError* error) {
  const HeftModel* m = w->model;
  const HeftAllocator* allocator = &w->def.allocator;
  Sensors measured = {0};
  Arena sizes = arena_measure();
  arena_take(&sizes, 1, Sensors);
  place(&measured, &sizes, m);
  Sensors* s = allocator->allocate(allocator->user, sizes.used, ARENA_ALIGNMENT);
  if (!s)
    return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for sensors of %zu bytes", sizes.used);
  memset(s, 0, sizes.used);
  Arena arena = arena_make(s, sizes.used, NULL);
  arena_take(&arena, 1, Sensors);
  place(s, &arena, m);
  s->memory_size = sizes.used;
  for (int i = 0; i < m->nsensor; ++i)
    s->wants_force |=
        m->sensor_type[i] == HEFT_SENSOR_FORCE || m->sensor_type[i] == HEFT_SENSOR_TORQUE;
  w->sensors = s;
  return HEFT_OK;
}

void heft_sensors_destroy(HeftWorld* w) {
  if (!w->sensors) return;
  w->def.allocator.release(w->def.allocator.user, w->sensors, w->sensors->memory_size);
  w->sensors = NULL;
}

// ---- what happens between readings

void heft_sensors_note(HeftWorld* w, int body, HeftVec3 point, HeftVec3 force, HeftVec3 torque) {
  Sensors* s = w->sensors;
  if (!s->wants_force) return;
  Applied* a = &s->pending[body];
  a->about = heft_dynamics_tree_origin(w->dynamics, body);
  a->wrench.lin = heft_vec3_add(a->wrench.lin, force);
  a->wrench.ang = heft_vec3_add(
      a->wrench.ang, heft_vec3_add(torque, heft_vec3_cross(heft_vec3_sub(point, a->about), force)));
  s->any_pending = 1;
}

void heft_sensors_outdate(HeftWorld* w, int stepped) {
  Sensors* s = w->sensors;
  const size_t size = (size_t)w->model->nbody * sizeof(Applied);
  s->fresh = 0;
  s->stepped = stepped;
  s->any_applied = stepped && s->any_pending;
  if (!s->any_pending) return;
  memcpy(s->applied, s->pending, size);
  memset(s->pending, 0, size);
  s->any_pending = 0;
}

// ---- frames

typedef struct Frame {
  int body;
  HeftPose pose;
} Frame;

static HeftPose on_body(const HeftWorld* w, int body, const double* pos, const double* quat) {
  return heft_pose_mul(
      heft_dynamics_body_pose(w->dynamics, body),
      heft_pose(heft_vec3_from(pos), heft_quat(quat[0], quat[1], quat[2], quat[3])));
}

static Frame frame_of(const HeftWorld* w, int kind, int object) {
  const HeftModel* m = w->model;
  switch (kind) {
    case HEFT_FRAME_SITE:
      return (Frame){m->site_body[object], heft_dynamics_site_pose(w->dynamics, object)};
    case HEFT_FRAME_SHAPE:
      return (Frame){m->shape_body[object],
                     on_body(w, m->shape_body[object], m->shape_pos + 3L * object,
                             m->shape_quat + 4L * object)};
    case HEFT_FRAME_CAMERA:
      return (Frame){m->camera_body[object],
                     on_body(w, m->camera_body[object], m->camera_pos + 3L * object,
                             m->camera_quat + 4L * object)};
    default:
      break;
  }
  Frame frame = {object, heft_dynamics_body_pose(w->dynamics, object)};
  if (kind == HEFT_FRAME_INERTIAL)
    frame.pose.pos = heft_pose_apply(frame.pose, heft_vec3_from(m->body_com + 3L * object));
  return frame;
}

static HeftSpatial velocity_of(const HeftWorld* w, const Frame* f) {
  return heft_dynamics_body_velocity(w->dynamics, f->body, f->pose.pos);
}

// Acceleration of a frame less gravity: angular, and of its origin.
static HeftSpatial acceleration_of(const HeftWorld* w, const Frame* f) {
  const int link = heft_body_link(w->model, f->body);
  const HeftSpatial v = heft_link_velocity(w->dynamics, link),
                    a = heft_link_acceleration(w->dynamics, link);
  const HeftVec3 arm = heft_vec3_sub(f->pose.pos, heft_dynamics_tree_origin(w->dynamics, f->body));
  const HeftVec3 speed = heft_vec3_add(v.lin, heft_vec3_cross(v.ang, arm));
  const HeftVec3 lin = heft_vec3_add(heft_vec3_add(a.lin, heft_vec3_cross(a.ang, arm)),
                                     heft_vec3_cross(v.ang, speed));
  return heft_spatial(a.ang, lin);
}

static void put3(double* out, HeftVec3 v) {
  out[0] = v.x;
  out[1] = v.y;
  out[2] = v.z;
}

static void put_quat(double* out, HeftQuat q) {
  out[0] = q.w;
  out[1] = q.x;
  out[2] = q.y;
  out[3] = q.z;
}

// Seen from a reference frame, which may move: position, orientation, velocities.
static void read_in_frame(const HeftWorld* w, int type, Frame f, const Frame* reference,
                          double* out) {
  HeftPose pose = f.pose;
  HeftSpatial v = velocity_of(w, &f);
  if (reference) {
    const HeftSpatial base = velocity_of(w, reference);
    const HeftVec3 apart = heft_vec3_sub(f.pose.pos, reference->pose.pos);
    const HeftVec3 carried = heft_vec3_add(base.lin, heft_vec3_cross(base.ang, apart));
    const HeftMat3 turn = reference->pose.rot;
    v.lin = heft_mat3_tmul_vec(turn, heft_vec3_sub(v.lin, carried));
    v.ang = heft_mat3_tmul_vec(turn, heft_vec3_sub(v.ang, base.ang));
    pose.pos = heft_mat3_tmul_vec(turn, apart);
    pose.rot = heft_mat3_mul(heft_mat3_transpose(turn), f.pose.rot);
  }
  switch (type) {
    case HEFT_SENSOR_FRAME_POSITION:
      put3(out, pose.pos);
      break;
    case HEFT_SENSOR_FRAME_QUATERNION:
      put_quat(out, heft_quat_from_mat3(pose.rot));
      break;
    case HEFT_SENSOR_FRAME_VELOCITY:
      put3(out, v.lin);
      break;
    case HEFT_SENSOR_FRAME_ANGULAR_VELOCITY:
      put3(out, v.ang);
      break;
    default:
      put3(out, heft_mat3_column(pose.rot, type - HEFT_SENSOR_FRAME_X_AXIS));
  }
}

static void read_frame(const HeftWorld* w, int i, double* out) {
  const HeftModel* m = w->model;
  const Frame f = frame_of(w, m->sensor_frame[i], m->sensor_object[i]);
  if (m->sensor_type[i] == HEFT_SENSOR_FRAME_ACCELERATION) {
    put3(out, acceleration_of(w, &f).lin);
  } else if (m->sensor_type[i] == HEFT_SENSOR_FRAME_ANGULAR_ACCELERATION) {
    put3(out, acceleration_of(w, &f).ang);
  } else if (m->sensor_reference[i] >= 0) {
    const Frame reference = frame_of(w, m->sensor_reference_frame[i], m->sensor_reference[i]);
    read_in_frame(w, m->sensor_type[i], f, &reference, out);
  } else {
    read_in_frame(w, m->sensor_type[i], f, NULL, out);
  }
}

// ---- sites

// Whether a point, in the site's frame, lies in its zone.
static int in_zone(const HeftModel* m, int site, HeftVec3 p) {
  const double* size = m->site_size + 3L * site;
  const double across = p.x * p.x + p.y * p.y;
  switch (m->site_type[site]) {
    case HEFT_SHAPE_BOX:
      return fabs(p.x) <= size[0] && fabs(p.y) <= size[1] && fabs(p.z) <= size[2];
    case HEFT_SHAPE_CYLINDER:
      return across <= size[0] * size[0] && fabs(p.z) <= size[1];
    case HEFT_SHAPE_CAPSULE: {
      const double beyond = fmax(0, fabs(p.z) - size[1]);
      return across + beyond * beyond <= size[0] * size[0];
    }
    case HEFT_SHAPE_ELLIPSOID: {
      const double x = p.x / size[0], y = p.y / size[1], z = p.z / size[2];
      return x * x + y * y + z * z <= 1;
    }
    default:
      return across + p.z * p.z <= size[0] * size[0];
  }
}

static double read_contact(const HeftWorld* w, int site, HeftPose pose) {
  const int body = w->model->site_body[site];
  double sum = 0;
  for (int i = 0; i < heft_world_contact_count(w); ++i) {
    const HeftContact c = heft_world_contact(w, i);
    if (c.body_a != body && c.body_b != body) continue;
    if (in_zone(w->model, site, heft_pose_apply_inverse(pose, c.pos)))
      sum += heft_vec3_dot(c.force, c.normal);
  }
  return sum;
}

static double read_range(HeftWorld* w, int i, int site, HeftPose pose) {
  HeftCollider* collider = w->constraints->collider;
  heft_collider_update_links(collider, heft_link_frames(w->dynamics));
  const double cutoff = w->model->sensor_cutoff[i];
  const HeftQueryFilter filter = {.category = 0, .except_body = w->model->site_body[site]};
  const HeftRayHit hit = heft_collider_ray(collider, pose.pos, heft_mat3_column(pose.rot, 2),
                                           cutoff > 0 ? cutoff : ray_reach, filter);
  return hit.shape >= 0 ? hit.distance : -1;
}

// What the parent exerts on the site's body, at the site and in its frame.
static HeftSpatial carried_at(const HeftWorld* w, int site, HeftPose pose) {
  const int body = w->model->site_body[site];
  const HeftSpatial sum = w->sensors->carried[body];
  const HeftVec3 arm = heft_vec3_sub(pose.pos, heft_dynamics_tree_origin(w->dynamics, body));
  const HeftVec3 torque = heft_vec3_sub(sum.ang, heft_vec3_cross(arm, sum.lin));
  return heft_spatial(heft_mat3_tmul_vec(pose.rot, torque), heft_mat3_tmul_vec(pose.rot, sum.lin));
}

static void read_site(HeftWorld* w, int i, double* out) {
  static const HeftVec3 field = {0, -0.5, 0};  // magnetic field of the world, as MJCF has it
  const int site = w->model->sensor_object[i];
  const Frame f = frame_of(w, HEFT_FRAME_SITE, site);
  switch (w->model->sensor_type[i]) {
    case HEFT_SENSOR_TOUCH:
      *out = read_contact(w, site, f.pose);
      break;
    case HEFT_SENSOR_ACCELEROMETER:
      put3(out, heft_mat3_tmul_vec(f.pose.rot, acceleration_of(w, &f).lin));
      break;
    case HEFT_SENSOR_VELOCIMETER:
      put3(out, heft_mat3_tmul_vec(f.pose.rot, velocity_of(w, &f).lin));
      break;
    case HEFT_SENSOR_GYRO:
      put3(out, heft_mat3_tmul_vec(f.pose.rot, velocity_of(w, &f).ang));
      break;
    case HEFT_SENSOR_FORCE:
      put3(out, carried_at(w, site, f.pose).lin);
      break;
    case HEFT_SENSOR_TORQUE:
      put3(out, carried_at(w, site, f.pose).ang);
      break;
    case HEFT_SENSOR_MAGNETOMETER:
      put3(out, heft_mat3_tmul_vec(f.pose.rot, field));
      break;
    default:
      *out = read_range(w, i, site, f.pose);
  }
}

// ---- joints, tendons, actuators

static void read_joint(const HeftWorld* w, int i, double* out) {
  const HeftModel* m = w->model;
  const int j = m->sensor_object[i], dof = m->joint_dof[j];
  const double *q = w->state->q + m->joint_q[j], *v = w->state->v + dof;
  switch (m->sensor_type[i]) {
    case HEFT_SENSOR_JOINT_POSITION:
      *out = q[0];
      break;
    case HEFT_SENSOR_JOINT_VELOCITY:
      *out = v[0];
      break;
    case HEFT_SENSOR_BALL_QUATERNION:
      put_quat(out, heft_quat_normalize(heft_quat(q[0], q[1], q[2], q[3])));
      break;
    case HEFT_SENSOR_BALL_ANGULAR_VELOCITY:
      put3(out, heft_vec3_from(v));
      break;
    default:
      *out = w->actuators->tau[dof];
  }
}

static void read_line(HeftWorld* w, int i, double* out) {
  const HeftModel* m = w->model;
  const int type = m->sensor_type[i], object = m->sensor_object[i];
  if (type == HEFT_SENSOR_ACTUATOR_FORCE) {
    *out = w->actuators->force[object];
    return;
  }
  const int of_tendon = type == HEFT_SENSOR_TENDON_POSITION || type == HEFT_SENSOR_TENDON_VELOCITY;
  const int line = of_tendon ? object : w->lines->actuator_line[object];
  const double scale = of_tendon ? 1 : w->lines->actuator_scale[object];
  heft_line_update(w, line, w->state->q);
  const int position = type == HEFT_SENSOR_TENDON_POSITION || type == HEFT_SENSOR_ACTUATOR_POSITION;
  *out = scale * (position ? w->lines->length[line] : heft_line_speed(w->lines, line, w->state->v));
}

// ---- a body with all that hangs on it

static int hangs_on(const HeftModel* m, int body, int root) {
  while (body > root) body = m->body_parent[body];
  return body == root;
}

typedef struct Subtree {
  double mass;
  HeftVec3 com, velocity;
} Subtree;

static HeftVec3 com_of(const HeftWorld* w, int body) {
  return heft_pose_apply(heft_dynamics_body_pose(w->dynamics, body),
                         heft_vec3_from(w->model->body_com + 3L * body));
}

static Subtree sum_subtree(const HeftWorld* w, int root) {
  const HeftModel* m = w->model;
  Subtree sum = {0};
  for (int b = root; b < m->nbody; ++b) {
    const double mass = m->body_mass[b];
    if (mass == 0 || !hangs_on(m, b, root)) continue;
    const HeftVec3 com = com_of(w, b);
    sum.mass += mass;
    sum.com = heft_vec3_add_scaled(sum.com, mass, com);
    sum.velocity = heft_vec3_add_scaled(sum.velocity, mass,
                                        heft_dynamics_body_velocity(w->dynamics, b, com).lin);
  }
  if (!(sum.mass > 0)) return (Subtree){.com = com_of(w, root)};
  sum.com = heft_vec3_scale(1 / sum.mass, sum.com);
  sum.velocity = heft_vec3_scale(1 / sum.mass, sum.velocity);
  return sum;
}

static HeftVec3 spin_of(const HeftWorld* w, int root, const Subtree* sum) {
  const HeftModel* m = w->model;
  HeftVec3 spin = {0, 0, 0};
  for (int b = root; b < m->nbody; ++b) {
    if (m->body_mass[b] == 0 || !hangs_on(m, b, root)) continue;
    const HeftVec3 com = com_of(w, b);
    const HeftSpatial v = heft_dynamics_body_velocity(w->dynamics, b, com);
    const double* i = m->body_inertia + 6L * b;
    const HeftSym3 inertia = heft_sym3_rotate((HeftSym3){i[0], i[1], i[2], i[3], i[4], i[5]},
                                              heft_dynamics_body_pose(w->dynamics, b).rot);
    const HeftVec3 arm = heft_vec3_sub(com, sum->com), drift = heft_vec3_sub(v.lin, sum->velocity);
    spin = heft_vec3_add(spin, heft_sym3_mul_vec(inertia, v.ang));
    spin = heft_vec3_add_scaled(spin, m->body_mass[b], heft_vec3_cross(arm, drift));
  }
  return spin;
}

static void read_subtree(const HeftWorld* w, int i, double* out) {
  const int root = w->model->sensor_object[i];
  const Subtree sum = sum_subtree(w, root);
  switch (w->model->sensor_type[i]) {
    case HEFT_SENSOR_SUBTREE_COM:
      put3(out, sum.com);
      break;
    case HEFT_SENSOR_SUBTREE_VELOCITY:
      put3(out, sum.velocity);
      break;
    default:
      put3(out, spin_of(w, root, &sum));
  }
}

// ---- calibration, noise and cutoff

// A counter-based generator: the bits of (seed, index, time) are mixed until nothing is left of
// their order (with the finaliser of splitmix64 [Steele 2014] between them).
static uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

double heft_sensors_noise(uint64_t seed, int index, double time) {
  uint64_t bits;
  memcpy(&bits, &time, sizeof bits);
  const uint64_t first = mix(mix(mix(seed) ^ (uint64_t)index) ^ bits), second = mix(first);
  const double u = ((double)(first >> 11) + 0.5) * 0x1p-53, turn = (double)(second >> 11) * 0x1p-53;
  double s, c;
  heft_sincos(2 * HEFT_PI * turn, &s, &c);
  return sqrt(-2 * heft_log(u)) * c;
}

// Directions and orientations keep their unit length and know no cutoff.
static int is_unit(int type) {
  return type == HEFT_SENSOR_FRAME_QUATERNION || type == HEFT_SENSOR_BALL_QUATERNION ||
         type == HEFT_SENSOR_FRAME_X_AXIS || type == HEFT_SENSOR_FRAME_Y_AXIS ||
         type == HEFT_SENSOR_FRAME_Z_AXIS;
}

static void normalize(double* x, int count) {
  double square = 0;
  for (int i = 0; i < count; ++i) square += x[i] * x[i];
  const double length = sqrt(square);
  for (int i = 0; i < count && length > 0; ++i) x[i] /= length;
}

// What the sensor makes of the truth: its matrix times it, plus its offset.
static void calibrate(const HeftModel* m, int i, int count, double* out) {
  double truth[4] = {0};
  const int at = m->sensor_address[i];
  memcpy(truth, out, (size_t)count * sizeof(double));
  for (int k = 0; k < count; ++k) {
    const double* row = m->sensor_matrix + 4L * (at + k);
    out[k] = m->sensor_offset[at + k];
    for (int c = 0; c < count; ++c) out[k] += row[c] * truth[c];
  }
}

static void finish(const HeftWorld* w, int i, double* out) {
  const HeftModel* m = w->model;
  const int type = m->sensor_type[i], count = heft_sensor_type_value_count((HeftSensorType)type);
  const double noise = m->sensor_noise[i], cutoff = m->sensor_cutoff[i];
  const int missed = type == HEFT_SENSOR_RANGE_FINDER && *out < 0;
  if (!missed) calibrate(m, i, count, out);
  for (int k = 0; k < count && noise > 0 && !missed; ++k)
    out[k] += noise * heft_sensors_noise(w->def.seed, m->sensor_address[i] + k, *w->state->time);
  if (is_unit(type)) {
    if (noise > 0) normalize(out, count);
    return;
  }
  for (int k = 0; k < count && cutoff > 0; ++k)
    out[k] = out[k] > cutoff ? cutoff : out[k] < -cutoff && !missed ? -cutoff : out[k];
}

// ---- all of them

static void read_one(HeftWorld* w, int i, double* out) {
  switch (heft_sensor_type_object((HeftSensorType)w->model->sensor_type[i])) {
    case HEFT_SENSOR_OF_JOINT:
      read_joint(w, i, out);
      break;
    case HEFT_SENSOR_OF_ACTUATOR:
    case HEFT_SENSOR_OF_TENDON:
      read_line(w, i, out);
      break;
    case HEFT_SENSOR_OF_SITE:
      read_site(w, i, out);
      break;
    case HEFT_SENSOR_OF_BODY:
      read_subtree(w, i, out);
      break;
    case HEFT_SENSOR_OF_FRAME:
      read_frame(w, i, out);
      break;
    default:
      *out = *w->state->time;
  }
}

const double* heft_world_sensors(HeftWorld* w) {
  HEFT_ASSERT(w);
  Sensors* s = w->sensors;
  const HeftModel* m = w->model;
  if (s->fresh) return s->value;
  heft_world_refresh(w);
  for (int i = 0; i < m->nv; ++i)
    s->acceleration[i] = s->stepped ? (w->state->v[i] - w->before->v[i]) / w->def.time_step : 0;
  heft_dynamics_rnea(w->dynamics, w->state->v, s->acceleration, w->force);
  if (s->wants_force) heft_sensors_carry(w);
  heft_dynamics_velocities(w->dynamics, w->state->v);  // as the step wants them, to the last bit
  for (int i = 0; i < m->nsensor; ++i) {
    read_one(w, i, s->value + m->sensor_address[i]);
    finish(w, i, s->value + m->sensor_address[i]);
  }
  s->fresh = 1;
  return s->value;
}
