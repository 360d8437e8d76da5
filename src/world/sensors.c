// SPDX-License-Identifier: Apache-2.0
// Papers: R54.
// Sensors.
//
// Positions and velocities belong to the present state. Accelerations are the means of the step
// that led to it, (v⁺ - v) / h, and forces those that acted in it, so that accelerometers and force
// sensors agree with the contacts. A state that was set by the user has no such step: it has no
// acceleration and no contact.
#include "world/sensors.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "dynamics/links.h"
#include "world/contacts.h"
#include "world/world_internal.h"

static const double ray_length = 1e4;  // of range finders without a cutoff [m]

// ---- memory

static void place(void* object, Arena* arena, const void* user) {
  Sensors* s = object;
  const HeftModel* m = user;
  s->value = arena_take(arena, m->nsensordata, double);
  s->acceleration = arena_take(arena, m->nv, double);
  s->joint_force = arena_take(arena, m->nv, double);
  s->carried = arena_take(arena, m->nbody, HeftSpatial);
  s->pending = arena_take(arena, m->nbody, Applied);
  s->applied = arena_take(arena, m->nbody, Applied);
}

HeftStatus heft_sensors_create(Sensors** out, const HeftModel* m, const HeftAllocator* allocator,
                               HeftError* error) {
  Sensors start = {.model = m};
  Sensors* s = heft_block_create(&start, sizeof start, place, m, allocator, "sensors", error);
  *out = s;
  if (!s) return HEFT_ERR_MEMORY;
  for (int i = 0; i < m->nsensor; ++i)
    s->wants_force |=
        m->sensor_type[i] == HEFT_SENSOR_FORCE || m->sensor_type[i] == HEFT_SENSOR_TORQUE;
  return HEFT_OK;
}

// ---- between readings

void heft_sensors_note(Sensors* s, const HeftDynamics* d, int body, HeftVec3 point, HeftVec3 force,
                       HeftVec3 torque) {
  if (!s->wants_force) return;
  Applied* a = &s->pending[body];
  a->about = heft_dynamics_tree_origin(d, body);
  a->wrench.lin = heft_vec3_add(a->wrench.lin, force);
  a->wrench.ang = heft_vec3_add(
      a->wrench.ang, heft_vec3_add(torque, heft_vec3_cross(heft_vec3_sub(point, a->about), force)));
  s->any_pending = 1;
}

void heft_sensors_outdate(Sensors* s, int stepped) {
  const size_t size = (size_t)s->model->nbody * sizeof(Applied);
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

static HeftPose on_body(const HeftDynamics* d, int body, const double* pos, const double* quat) {
  return heft_pose_mul(heft_dynamics_body_pose(d, body),
                       heft_pose(heft_vec3_from(pos), heft_quat_from(quat)));
}

static Frame frame_of(const HeftModel* m, const HeftDynamics* d, HeftFrame kind, int object) {
  switch (kind) {
    case HEFT_FRAME_SITE:
      return (Frame){m->site_body[object], heft_dynamics_site_pose(d, object)};
    case HEFT_FRAME_SHAPE:
      return (Frame){m->shape_body[object],
                     on_body(d, m->shape_body[object], m->shape_pos + 3L * object,
                             m->shape_quat + 4L * object)};
    case HEFT_FRAME_CAMERA:
      return (Frame){m->camera_body[object],
                     on_body(d, m->camera_body[object], m->camera_pos + 3L * object,
                             m->camera_quat + 4L * object)};
    case HEFT_FRAME_INERTIAL: {
      const HeftPose pose = heft_dynamics_body_pose(d, object);
      const HeftVec3 com = heft_pose_apply(pose, heft_vec3_from(m->body_com + 3L * object));
      return (Frame){object, {pose.rot, com}};
    }
    case HEFT_FRAME_BODY:
    case HEFT_FRAME_COUNT:
      break;
  }
  return (Frame){object, heft_dynamics_body_pose(d, object)};
}

// The frame that a sensor measures; zeros if it measures something else.
static Frame measured_frame(const HeftModel* m, const HeftDynamics* d, int i) {
  const HeftSensorObject kind = heft_sensor_type_object(m->sensor_type[i]);
  if (kind == HEFT_SENSOR_OF_SITE) return frame_of(m, d, HEFT_FRAME_SITE, m->sensor_object[i]);
  if (kind == HEFT_SENSOR_OF_FRAME) return frame_of(m, d, m->sensor_frame[i], m->sensor_object[i]);
  return (Frame){0};
}

static HeftSpatial velocity_of(const HeftDynamics* d, const Frame* f) {
  return heft_dynamics_body_velocity(d, f->body, f->pose.pos);
}

// Acceleration of a frame less gravity: angular, and of its origin.
static HeftSpatial acceleration_of(const HeftModel* m, const HeftDynamics* d, const Frame* f) {
  const int link = heft_body_link(m, f->body);
  const HeftSpatial v = heft_link_velocity(d, link), a = heft_link_acceleration(d, link);
  const HeftVec3 arm = heft_vec3_sub(f->pose.pos, heft_dynamics_tree_origin(d, f->body));
  const HeftVec3 speed = heft_vec3_add(v.lin, heft_vec3_cross(v.ang, arm));
  const HeftVec3 lin = heft_vec3_add(heft_vec3_add(a.lin, heft_vec3_cross(a.ang, arm)),
                                     heft_vec3_cross(v.ang, speed));
  return heft_spatial(a.ang, lin);
}

// Pose and velocity of the measured frame, seen from the reference of the sensor, which may move.
typedef struct Seen {
  HeftPose pose;
  HeftSpatial velocity;
} Seen;

static Seen see_frame(const HeftModel* m, const HeftDynamics* d, int i, const Frame* f) {
  const HeftSpatial v = velocity_of(d, f);
  if (m->sensor_reference[i] < 0) return (Seen){f->pose, v};
  const Frame reference = frame_of(m, d, m->sensor_reference_frame[i], m->sensor_reference[i]);
  const HeftSpatial base = velocity_of(d, &reference);
  const HeftVec3 offset = heft_vec3_sub(f->pose.pos, reference.pose.pos);
  const HeftVec3 carried = heft_vec3_add(base.lin, heft_vec3_cross(base.ang, offset));
  const HeftMat3 turn = reference.pose.rot;
  return (Seen){
      {heft_mat3_mul(heft_mat3_transpose(turn), f->pose.rot), heft_mat3_tmul_vec(turn, offset)},
      {heft_mat3_tmul_vec(turn, heft_vec3_sub(v.ang, base.ang)),
       heft_mat3_tmul_vec(turn, heft_vec3_sub(v.lin, carried))}};
}

// ---- sites

// 1 if a point, in the site's frame, lies in its zone.
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
    case HEFT_SHAPE_SPHERE:
    case HEFT_SHAPE_PLANE:
    case HEFT_SHAPE_MESH:
    case HEFT_SHAPE_HEIGHT_FIELD:
    case HEFT_SHAPE_TYPE_COUNT:
      break;
  }
  return across + p.z * p.z <= size[0] * size[0];
}

static double read_contact(const Constraints* constraints, const StepInput* in, int site,
                           HeftPose pose) {
  const int body = in->model->site_body[site];
  double sum = 0;
  for (int i = 0; i < constraints->set.contact_point_count; ++i) {
    const HeftContact c = heft_contact_read(constraints, in, i);
    if (c.body_a != body && c.body_b != body) continue;
    if (in_zone(in->model, site, heft_pose_apply_inverse(pose, c.pos)))
      sum += heft_vec3_dot(c.force, c.normal);
  }
  return sum;
}

static double read_range(HeftCollider* collider, const HeftModel* m, HeftDynamics* d, int i,
                         int site, HeftPose pose) {
  heft_collider_update_links(collider, heft_link_frames(d));
  const double cutoff = m->sensor_cutoff[i];
  const HeftQueryFilter filter = {.category = 0, .except_body = m->site_body[site]};
  const HeftRayHit hit = heft_collider_ray(collider, pose.pos, heft_mat3_column(pose.rot, 2),
                                           cutoff > 0 ? cutoff : ray_length, filter);
  return hit.shape >= 0 ? hit.distance : -1;
}

// The force of the parent on the site's body, at the site and in its frame.
static HeftSpatial carried_at(const Sensors* s, const HeftDynamics* d, int site, HeftPose pose) {
  const int body = s->model->site_body[site];
  const HeftSpatial sum = s->carried[body];
  const HeftVec3 arm = heft_vec3_sub(pose.pos, heft_dynamics_tree_origin(d, body));
  const HeftVec3 torque = heft_vec3_sub(sum.ang, heft_vec3_cross(arm, sum.lin));
  return heft_spatial(heft_mat3_tmul_vec(pose.rot, torque), heft_mat3_tmul_vec(pose.rot, sum.lin));
}

// ---- joints, tendons, actuators

static HeftQuat ball_turn(const double* q) { return heft_quat_normalize(heft_quat_from(q)); }

// Length of a transmission, or its rate.
static double read_transmission(const SensorSources* s, int index, double scale, bool rate) {
  Transmissions* l = s->drives->transmissions;
  heft_transmission_update(l, s->dynamics, index, s->state->q);
  return scale * (rate ? heft_transmission_speed(l, index, s->state->v) : l->length[index]);
}

static double read_actuator(const SensorSources* s, int actuator, bool rate) {
  const Transmissions* l = s->drives->transmissions;
  return read_transmission(s, l->of_actuator[actuator], l->actuator_scale[actuator], rate);
}

// ---- subtrees of bodies

static int is_below(const HeftModel* m, int body, int root) {
  while (body > root) body = m->body_parent[body];
  return body == root;
}

typedef struct Subtree {
  double mass;
  HeftVec3 com, velocity;
} Subtree;

static HeftVec3 com_of(const HeftModel* m, const HeftDynamics* d, int body) {
  return heft_pose_apply(heft_dynamics_body_pose(d, body), heft_vec3_from(m->body_com + 3L * body));
}

static Subtree sum_subtree(const HeftModel* m, const HeftDynamics* d, int root) {
  Subtree sum = {0};
  for (int b = root; b < m->nbody; ++b) {
    const double mass = m->body_mass[b];
    if (mass == 0 || !is_below(m, b, root)) continue;
    const HeftVec3 com = com_of(m, d, b);
    sum.mass += mass;
    sum.com = heft_vec3_add_scaled(sum.com, mass, com);
    sum.velocity =
        heft_vec3_add_scaled(sum.velocity, mass, heft_dynamics_body_velocity(d, b, com).lin);
  }
  if (!(sum.mass > 0)) return (Subtree){.com = com_of(m, d, root)};
  sum.com = heft_vec3_scale(1 / sum.mass, sum.com);
  sum.velocity = heft_vec3_scale(1 / sum.mass, sum.velocity);
  return sum;
}

static HeftVec3 spin_of(const HeftModel* m, const HeftDynamics* d, int root) {
  const Subtree sum = sum_subtree(m, d, root);
  HeftVec3 spin = {0, 0, 0};
  for (int b = root; b < m->nbody; ++b) {
    if (m->body_mass[b] == 0 || !is_below(m, b, root)) continue;
    const HeftVec3 com = com_of(m, d, b);
    const HeftSpatial v = heft_dynamics_body_velocity(d, b, com);
    const double* i = m->body_inertia + 6L * b;
    const HeftSym3 inertia = heft_sym3_rotate((HeftSym3){i[0], i[1], i[2], i[3], i[4], i[5]},
                                              heft_dynamics_body_pose(d, b).rot);
    const HeftVec3 arm = heft_vec3_sub(com, sum.com), drift = heft_vec3_sub(v.lin, sum.velocity);
    spin = heft_vec3_add(spin, heft_sym3_mul_vec(inertia, v.ang));
    spin = heft_vec3_add_scaled(spin, m->body_mass[b], heft_vec3_cross(arm, drift));
  }
  return spin;
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
static int is_unit(HeftSensorType type) {
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

// The calibration of the sensor: its matrix times the true value, plus its offset.
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

static void finish(const HeftModel* m, uint64_t seed, double time, int i, double* out) {
  const HeftSensorType type = m->sensor_type[i];
  const int count = heft_sensor_type_value_count(type);
  const double noise = m->sensor_noise[i], cutoff = m->sensor_cutoff[i];
  const int missed = type == HEFT_SENSOR_RANGE_FINDER && *out < 0;
  if (!missed) calibrate(m, i, count, out);
  for (int k = 0; k < count && noise > 0 && !missed; ++k)
    out[k] += noise * heft_sensors_noise(seed, m->sensor_address[i] + k, time);
  if (is_unit(type)) {
    if (noise > 0) normalize(out, count);
    return;
  }
  for (int k = 0; k < count && cutoff > 0; ++k)
    out[k] = out[k] > cutoff ? cutoff : out[k] < -cutoff && !missed ? -cutoff : out[k];
}

// ---- one reading

// Values of a sensor; its type states how many.
typedef struct Reading {
  double value[4];
} Reading;

static Reading number(double x) { return (Reading){{x}}; }
static Reading vector(HeftVec3 v) { return (Reading){{v.x, v.y, v.z}}; }
static Reading quaternion(HeftQuat q) { return (Reading){{q.w, q.x, q.y, q.z}}; }
// A vector of the world, in the measured frame.
static Reading inside(const Frame* f, HeftVec3 v) {
  return vector(heft_mat3_tmul_vec(f->pose.rot, v));
}

// One case for each type: the compiler reports a type without one.
static Reading read_one(const SensorSources* s, int i) {
  static const HeftVec3 field = {0, -0.5, 0};  // magnetic field of the world, as MJCF has it
  const HeftModel* m = s->sensors->model;
  HeftDynamics* d = s->dynamics;
  const int object = m->sensor_object[i];
  const Frame f = measured_frame(m, d, i);
  switch (m->sensor_type[i]) {
    case HEFT_SENSOR_JOINT_POSITION:
      return number(s->state->q[m->joint_q[object]]);
    case HEFT_SENSOR_JOINT_VELOCITY:
      return number(s->state->v[m->joint_dof[object]]);
    case HEFT_SENSOR_JOINT_ACTUATOR_FORCE:
      return number(s->drives->actuators->tau[m->joint_dof[object]]);
    case HEFT_SENSOR_BALL_QUATERNION:
      return quaternion(ball_turn(s->state->q + m->joint_q[object]));
    case HEFT_SENSOR_BALL_ANGULAR_VELOCITY:
      return vector(heft_vec3_from(s->state->v + m->joint_dof[object]));
    case HEFT_SENSOR_ACTUATOR_FORCE:
      return number(s->drives->actuators->force[object]);
    case HEFT_SENSOR_ACTUATOR_POSITION:
      return number(read_actuator(s, object, false));
    case HEFT_SENSOR_ACTUATOR_VELOCITY:
      return number(read_actuator(s, object, true));
    case HEFT_SENSOR_TENDON_POSITION:
      return number(read_transmission(s, object, 1, false));
    case HEFT_SENSOR_TENDON_VELOCITY:
      return number(read_transmission(s, object, 1, true));
    case HEFT_SENSOR_TOUCH:
      return number(read_contact(s->constraints, s->input, object, f.pose));
    case HEFT_SENSOR_ACCELEROMETER:
      return inside(&f, acceleration_of(m, d, &f).lin);
    case HEFT_SENSOR_VELOCIMETER:
      return inside(&f, velocity_of(d, &f).lin);
    case HEFT_SENSOR_GYRO:
      return inside(&f, velocity_of(d, &f).ang);
    case HEFT_SENSOR_FORCE:
      return vector(carried_at(s->sensors, d, object, f.pose).lin);
    case HEFT_SENSOR_TORQUE:
      return vector(carried_at(s->sensors, d, object, f.pose).ang);
    case HEFT_SENSOR_MAGNETOMETER:
      return inside(&f, field);
    case HEFT_SENSOR_RANGE_FINDER:
      return number(read_range(s->constraints->collider, m, d, i, object, f.pose));
    case HEFT_SENSOR_FRAME_POSITION:
      return vector(see_frame(m, d, i, &f).pose.pos);
    case HEFT_SENSOR_FRAME_QUATERNION:
      return quaternion(heft_quat_from_mat3(see_frame(m, d, i, &f).pose.rot));
    case HEFT_SENSOR_FRAME_VELOCITY:
      return vector(see_frame(m, d, i, &f).velocity.lin);
    case HEFT_SENSOR_FRAME_ANGULAR_VELOCITY:
      return vector(see_frame(m, d, i, &f).velocity.ang);
    case HEFT_SENSOR_FRAME_X_AXIS:
      return vector(heft_mat3_column(see_frame(m, d, i, &f).pose.rot, 0));
    case HEFT_SENSOR_FRAME_Y_AXIS:
      return vector(heft_mat3_column(see_frame(m, d, i, &f).pose.rot, 1));
    case HEFT_SENSOR_FRAME_Z_AXIS:
      return vector(heft_mat3_column(see_frame(m, d, i, &f).pose.rot, 2));
    case HEFT_SENSOR_FRAME_ACCELERATION:
      return vector(acceleration_of(m, d, &f).lin);
    case HEFT_SENSOR_FRAME_ANGULAR_ACCELERATION:
      return vector(acceleration_of(m, d, &f).ang);
    case HEFT_SENSOR_SUBTREE_COM:
      return vector(sum_subtree(m, d, object).com);
    case HEFT_SENSOR_SUBTREE_VELOCITY:
      return vector(sum_subtree(m, d, object).velocity);
    case HEFT_SENSOR_SUBTREE_ANGULAR_MOMENTUM:
      return vector(spin_of(m, d, object));
    case HEFT_SENSOR_CLOCK:
      return number(*s->state->time);
    case HEFT_SENSOR_TYPE_COUNT:
      break;
  }
  return number(0);
}

// ---- all of them

void heft_sensors_read(const SensorSources* x, const double* acceleration, double* value) {
  Sensors* s = x->sensors;
  const HeftModel* m = s->model;
  heft_dynamics_rnea(x->dynamics, x->state->v, acceleration, s->joint_force);
  if (s->wants_force) heft_sensors_carry(s, x->input, x->constraints, x->dynamics);
  heft_dynamics_velocities(x->dynamics, x->state->v);  // the step starts from these bits
  for (int i = 0; i < m->nsensor; ++i) {
    const Reading reading = read_one(x, i);
    double* out = value + m->sensor_address[i];
    const size_t count = (size_t)heft_sensor_type_value_count(m->sensor_type[i]);
    memcpy(out, reading.value, count * sizeof *out);
    finish(m, x->seed, *x->state->time, i, out);
  }
}

const double* heft_world_sensors(HeftWorld* w) {
  HEFT_REQUIRE(w, NULL);
  Sensors* s = w->sensors;
  const HeftModel* m = w->model;
  if (s->fresh) return s->value;
  for (int i = 0; i < m->nv; ++i)
    s->acceleration[i] = s->stepped ? (w->state->v[i] - w->before->v[i]) / w->input.h : 0;
  const SensorSources sources = {s,         &w->input,   w->constraints, w->state,
                                 w->drives, w->dynamics, w->def.seed};
  heft_sensors_read(&sources, s->acceleration, s->value);
  s->fresh = 1;
  return s->value;
}
