// SPDX-License-Identifier: Apache-2.0
// Access to a world by the names of its model. Each function looks its name up, checks the count
// and then does what the function by index does.
#include <heft/access.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"

static HeftStatus check_count(const char* what, const char* name, int given, int expected,
                              HeftError* error) {
  if (given == expected) return HEFT_OK;
  return heft_error_set(error, HEFT_ERR_ARGUMENT, "%s '%.80s' has %d numbers, %d were given", what,
                        name, expected, given);
}

// A joint and its place in q or v: index of the first number, and the count.
typedef struct JointRange {
  int first, count;
} JointRange;

static HeftStatus find_joint(const HeftModel* m, const char* name, int count, bool velocities,
                             JointRange* out, HeftError* error) {
  int joint = -1;
  const HeftStatus status = heft_model_lookup(m, HEFT_NAMED_JOINT, name, &joint, error);
  if (status != HEFT_OK) return status;
  const HeftJointType type = m->joint_type[joint];
  *out = velocities ? (JointRange){m->joint_dof[joint], heft_joint_type_dof_count(type)}
                    : (JointRange){m->joint_q[joint], heft_joint_type_q_count(type)};
  return check_count("joint", name, count, out->count, error);
}

HeftStatus heft_world_set_joint_position(HeftWorld* w, const char* joint, const double* q,
                                         int count, HeftError* error) {
  HEFT_REQUIRE(w && joint && q, HEFT_ERR_ARGUMENT);
  JointRange at;
  const HeftStatus status = find_joint(heft_world_model(w), joint, count, false, &at, error);
  return status != HEFT_OK ? status : heft_world_set_q(w, at.first, q, at.count, error);
}

HeftStatus heft_world_set_joint_velocity(HeftWorld* w, const char* joint, const double* v,
                                         int count, HeftError* error) {
  HEFT_REQUIRE(w && joint && v, HEFT_ERR_ARGUMENT);
  JointRange at;
  const HeftStatus status = find_joint(heft_world_model(w), joint, count, true, &at, error);
  return status != HEFT_OK ? status : heft_world_set_v(w, at.first, v, at.count, error);
}

static HeftStatus read_joint(const HeftWorld* w, const char* joint, bool velocities, double* out,
                             int count, HeftError* error) {
  JointRange at;
  const HeftStatus status = find_joint(heft_world_model(w), joint, count, velocities, &at, error);
  if (status != HEFT_OK) return status;
  const double* from = velocities ? heft_world_state(w)->v : heft_world_state(w)->q;
  memcpy(out, from + at.first, (size_t)count * sizeof(double));
  return HEFT_OK;
}

HeftStatus heft_world_joint_position(const HeftWorld* w, const char* joint, double* q, int count,
                                     HeftError* error) {
  HEFT_REQUIRE(w && joint && q, HEFT_ERR_ARGUMENT);
  return read_joint(w, joint, false, q, count, error);
}

HeftStatus heft_world_joint_velocity(const HeftWorld* w, const char* joint, double* v, int count,
                                     HeftError* error) {
  HEFT_REQUIRE(w && joint && v, HEFT_ERR_ARGUMENT);
  return read_joint(w, joint, true, v, count, error);
}

HeftStatus heft_world_set_control(HeftWorld* w, const char* actuator, double value,
                                  HeftError* error) {
  HEFT_REQUIRE(w && actuator, HEFT_ERR_ARGUMENT);
  int index = -1;
  const HeftStatus status =
      heft_model_lookup(heft_world_model(w), HEFT_NAMED_ACTUATOR, actuator, &index, error);
  if (status == HEFT_OK) heft_world_controls(w)[index] = value;
  return status;
}

HeftStatus heft_world_control(const HeftWorld* w, const char* actuator, double* value,
                              HeftError* error) {
  HEFT_REQUIRE(w && actuator && value, HEFT_ERR_ARGUMENT);
  int index = -1;
  const HeftStatus status =
      heft_model_lookup(heft_world_model(w), HEFT_NAMED_ACTUATOR, actuator, &index, error);
  if (status == HEFT_OK) *value = heft_world_controls((HeftWorld*)w)[index];
  return status;
}

HeftStatus heft_world_body_pose(const HeftWorld* w, const char* body, HeftPose* pose,
                                HeftError* error) {
  HEFT_REQUIRE(w && body && pose, HEFT_ERR_ARGUMENT);
  int index = -1;
  const HeftStatus status =
      heft_model_lookup(heft_world_model(w), HEFT_NAMED_BODY, body, &index, error);
  if (status == HEFT_OK) *pose = heft_dynamics_body_pose(heft_world_dynamics(w), index);
  return status;
}

HeftStatus heft_world_site_pose(const HeftWorld* w, const char* site, HeftPose* pose,
                                HeftError* error) {
  HEFT_REQUIRE(w && site && pose, HEFT_ERR_ARGUMENT);
  int index = -1;
  const HeftStatus status =
      heft_model_lookup(heft_world_model(w), HEFT_NAMED_SITE, site, &index, error);
  if (status == HEFT_OK) *pose = heft_dynamics_site_pose(heft_world_dynamics(w), index);
  return status;
}

HeftStatus heft_world_body_velocity(const HeftWorld* w, const char* body, HeftSpatial* velocity,
                                    HeftError* error) {
  HEFT_REQUIRE(w && body && velocity, HEFT_ERR_ARGUMENT);
  int index = -1;
  const HeftStatus status =
      heft_model_lookup(heft_world_model(w), HEFT_NAMED_BODY, body, &index, error);
  if (status != HEFT_OK) return status;
  const HeftDynamics* d = heft_world_dynamics(w);
  *velocity = heft_dynamics_body_velocity(d, index, heft_dynamics_body_pose(d, index).pos);
  return HEFT_OK;
}

HeftStatus heft_world_sensor(HeftWorld* w, const char* sensor, double* values, int count,
                             HeftError* error) {
  HEFT_REQUIRE(w && sensor && values, HEFT_ERR_ARGUMENT);
  const HeftModel* m = heft_world_model(w);
  int index = -1;
  HeftStatus status = heft_model_lookup(m, HEFT_NAMED_SENSOR, sensor, &index, error);
  if (status != HEFT_OK) return status;
  status = check_count("sensor", sensor, count, heft_sensor_type_value_count(m->sensor_type[index]),
                       error);
  if (status != HEFT_OK) return status;
  memcpy(values, heft_world_sensors(w) + m->sensor_address[index], (size_t)count * sizeof(double));
  return HEFT_OK;
}

HeftStatus heft_world_apply_force(HeftWorld* w, const char* body, HeftVec3 force,
                                  HeftError* error) {
  HEFT_REQUIRE(w && body, HEFT_ERR_ARGUMENT);
  const HeftModel* m = heft_world_model(w);
  int index = -1;
  const HeftStatus status = heft_model_lookup(m, HEFT_NAMED_BODY, body, &index, error);
  if (status != HEFT_OK) return status;
  const HeftPose pose = heft_dynamics_body_pose(heft_world_dynamics(w), index);
  const HeftVec3 com = heft_pose_apply(pose, heft_vec3_from(m->body_com + 3L * index));
  heft_world_apply_wrench(w, index, com, force, heft_vec3(0, 0, 0));
  return HEFT_OK;
}

HeftStatus heft_world_body_contact_force(const HeftWorld* w, const char* body, HeftVec3* force,
                                         HeftError* error) {
  HEFT_REQUIRE(w && body && force, HEFT_ERR_ARGUMENT);
  int index = -1;
  const HeftStatus status =
      heft_model_lookup(heft_world_model(w), HEFT_NAMED_BODY, body, &index, error);
  if (status == HEFT_OK) *force = heft_world_contact_wrench(w, index, heft_vec3(0, 0, 0)).lin;
  return status;
}

HeftStatus heft_world_reset_to_key(HeftWorld* w, const char* key, HeftError* error) {
  HEFT_REQUIRE(w && key, HEFT_ERR_ARGUMENT);
  int index = -1;
  const HeftStatus status =
      heft_model_lookup(heft_world_model(w), HEFT_NAMED_KEY, key, &index, error);
  return status != HEFT_OK ? status : heft_world_set_key(w, index);
}

// ---- moved bodies and conveyors

static HeftStatus check_finite(const double* x, int count, HeftError* error) {
  for (int i = 0; i < count; ++i) {
    if (!isfinite(x[i]))
      return heft_error_set(error, HEFT_ERR_VALUE, "number %d of %d is not finite", i + 1, count);
  }
  return HEFT_OK;
}

// The command of a moved body; NULL if there is none, with *status.
static HeftMovedCommand* find_moved(HeftWorld* w, const char* body, HeftStatus* status,
                                    HeftError* error) {
  const HeftModel* m = heft_world_model(w);
  int index = -1;
  *status = heft_model_lookup(m, HEFT_NAMED_BODY, body, &index, error);
  if (*status != HEFT_OK) return NULL;
  if (m->body_moved[index] >= 0) return &heft_world_prescribed_motion(w).body[m->body_moved[index]];
  *status = heft_error_set(
      error, HEFT_ERR_ARGUMENT,
      "body '%.80s' is not a moved body; make it one by mocap in MJCF, or by \"moved\" of its def",
      body);
  return NULL;
}

HeftStatus heft_world_move_body(HeftWorld* w, const char* body, HeftPose target, HeftError* error) {
  HEFT_REQUIRE(w && body, HEFT_ERR_ARGUMENT);
  HeftStatus status;
  HeftMovedCommand* command = find_moved(w, body, &status, error);
  if (!command) return status;
  const HeftQuat q = heft_quat_normalize(heft_quat_from_mat3(target.rot));
  const double pose[7] = {target.pos.x, target.pos.y, target.pos.z, q.w, q.x, q.y, q.z};
  status = check_finite(pose, 7, error);
  if (status != HEFT_OK) return status;
  *command = (HeftMovedCommand){.arrives = 1};
  memcpy(command->target, pose, sizeof pose);
  return HEFT_OK;
}

HeftStatus heft_world_set_body_velocity(HeftWorld* w, const char* body, HeftSpatial velocity,
                                        HeftError* error) {
  HEFT_REQUIRE(w && body, HEFT_ERR_ARGUMENT);
  HeftStatus status;
  HeftMovedCommand* command = find_moved(w, body, &status, error);
  if (!command) return status;
  const double x[6] = {velocity.ang.x, velocity.ang.y, velocity.ang.z,
                       velocity.lin.x, velocity.lin.y, velocity.lin.z};
  status = check_finite(x, 6, error);
  if (status != HEFT_OK) return status;
  *command = (HeftMovedCommand){.arrives = 0};
  memcpy(command->velocity, x, sizeof x);
  return HEFT_OK;
}

HeftStatus heft_world_set_conveyor(HeftWorld* w, const char* shape, HeftVec3 linear,
                                   HeftVec3 angular, HeftError* error) {
  HEFT_REQUIRE(w && shape, HEFT_ERR_ARGUMENT);
  const HeftModel* m = heft_world_model(w);
  int index = -1;
  HeftStatus status = heft_model_lookup(m, HEFT_NAMED_SHAPE, shape, &index, error);
  if (status != HEFT_OK) return status;
  if (m->shape_conveyor[index] < 0)
    return heft_error_set(error, HEFT_ERR_ARGUMENT,
                          "shape '%.80s' is not a conveyor; make it one by heft_conveyor_NAME in "
                          "<custom> of MJCF, or by \"conveyor\" of its def",
                          shape);
  const double x[6] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
  status = check_finite(x, 6, error);
  if (status != HEFT_OK) return status;
  memcpy(heft_world_prescribed_motion(w).conveyor + 6L * m->shape_conveyor[index], x, sizeof x);
  return HEFT_OK;
}
