// SPDX-License-Identifier: Apache-2.0
// How sensors change with the state at the end of a step.
//
// Most sensors are functions s(q⁺, v⁺, a) of the motion of bodies, with a = (v⁺ - v) / h. They are
// read again at displaced states, to both sides: s is a polynomial of second degree in v⁺ and
// linear in a, so that these differences are exact there. A reading costs a pass over the tree, no
// step.
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "world/world_internal.h"

static const double by_position = 1e-6, by_velocity = 1e-3, by_acceleration = 1;

typedef enum SensorInput { OF_POSITION, OF_VELOCITY, OF_ACCELERATION } SensorInput;

typedef struct SensorShift {
  const HeftModel* model;
  const HeftState* end;
  HeftState* state;             // displaced
  SensorSources sources;        // with that state
  double *acceleration, *unit;  // nv
  double* value[2];             // nsensordata: at both sides
} SensorShift;

// 1 if a sensor is a function of the motion of bodies alone.
static int is_of_motion(HeftSensorType type) {
  switch (type) {
    case HEFT_SENSOR_JOINT_POSITION:
    case HEFT_SENSOR_JOINT_VELOCITY:
    case HEFT_SENSOR_BALL_QUATERNION:
    case HEFT_SENSOR_BALL_ANGULAR_VELOCITY:
    case HEFT_SENSOR_ACTUATOR_POSITION:
    case HEFT_SENSOR_ACTUATOR_VELOCITY:
    case HEFT_SENSOR_TENDON_POSITION:
    case HEFT_SENSOR_TENDON_VELOCITY:
    case HEFT_SENSOR_ACCELEROMETER:
    case HEFT_SENSOR_VELOCIMETER:
    case HEFT_SENSOR_GYRO:
    case HEFT_SENSOR_MAGNETOMETER:
    case HEFT_SENSOR_FRAME_POSITION:
    case HEFT_SENSOR_FRAME_QUATERNION:
    case HEFT_SENSOR_FRAME_VELOCITY:
    case HEFT_SENSOR_FRAME_ANGULAR_VELOCITY:
    case HEFT_SENSOR_FRAME_X_AXIS:
    case HEFT_SENSOR_FRAME_Y_AXIS:
    case HEFT_SENSOR_FRAME_Z_AXIS:
    case HEFT_SENSOR_FRAME_ACCELERATION:
    case HEFT_SENSOR_FRAME_ANGULAR_ACCELERATION:
    case HEFT_SENSOR_SUBTREE_COM:
    case HEFT_SENSOR_SUBTREE_VELOCITY:
    case HEFT_SENSOR_SUBTREE_ANGULAR_MOMENTUM:
      return 1;
    case HEFT_SENSOR_JOINT_ACTUATOR_FORCE:
    case HEFT_SENSOR_ACTUATOR_FORCE:
    case HEFT_SENSOR_TOUCH:
    case HEFT_SENSOR_FORCE:
    case HEFT_SENSOR_TORQUE:
    case HEFT_SENSOR_RANGE_FINDER:
    case HEFT_SENSOR_CLOCK:
    case HEFT_SENSOR_TYPE_COUNT:
      break;
  }
  return 0;
}

static int is_quaternion(HeftSensorType type) {
  return type == HEFT_SENSOR_FRAME_QUATERNION || type == HEFT_SENSOR_BALL_QUATERNION;
}

// The values with one coordinate displaced, into x->value[side].
static void read_displaced(const SensorShift* x, SensorInput input, int i, double by, int side) {
  const HeftModel* m = x->model;
  double* a = &x->acceleration[i];
  const double kept = *a;
  memcpy(x->state->q, x->end->q, (size_t)m->nq * sizeof(double));
  memcpy(x->state->v, x->end->v, (size_t)m->nv * sizeof(double));
  x->unit[i] = 1;
  if (input == OF_POSITION) heft_q_integrate(m, x->end->q, x->unit, by, x->state->q);
  if (input == OF_VELOCITY) x->state->v[i] += by;
  if (input == OF_ACCELERATION) *a += by;
  heft_dynamics_kinematics(x->sources.dynamics, x->state->q);
  heft_sensors_read(&x->sources, x->acceleration, x->value[side]);
  x->unit[i] = 0;
  *a = kept;
}

// The rate of value k of a sensor. A quaternion and its opposite are one orientation.
static double rate_of(const SensorShift* x, int sensor, int k, double by) {
  const HeftModel* m = x->model;
  const double *ahead = x->value[1] + m->sensor_address[sensor],
               *behind = x->value[0] + m->sensor_address[sensor];
  double sign = 1, dot = 0;
  if (is_quaternion(m->sensor_type[sensor])) {
    for (int c = 0; c < 4; ++c) dot += ahead[c] * behind[c];
    sign = dot < 0 ? -1 : 1;
  }
  return (ahead[k] - sign * behind[k]) / (2 * by);
}

static void add_column(const SensorShift* x, SensorInput input, int i, double* end, double* start) {
  const HeftModel* m = x->model;
  const size_t nv = (size_t)m->nv;
  const double h = x->sources.input->h;
  const double by = input == OF_POSITION   ? by_position
                    : input == OF_VELOCITY ? by_velocity
                                           : by_acceleration;
  for (int side = 0; side < 2; ++side) read_displaced(x, input, i, side ? by : -by, side);
  for (int s = 0; s < m->nsensor; ++s) {
    for (int k = 0; k < heft_sensor_type_value_count(m->sensor_type[s]); ++k) {
      const size_t row = (size_t)m->sensor_address[s] + (size_t)k;
      const double rate = is_of_motion(m->sensor_type[s]) ? rate_of(x, s, k, by) : (double)NAN;
      double* to = end ? end + row * 2 * nv + (input == OF_POSITION ? 0 : nv) + (size_t)i : NULL;
      if (to && input == OF_ACCELERATION) *to += rate / h;
      if (to && input != OF_ACCELERATION) *to = rate;
      if (start && input == OF_ACCELERATION) start[row * nv + (size_t)i] -= rate / h;
    }
  }
}

static void find_matrices(const SensorShift* x, double* end, double* start) {
  const HeftModel* m = x->model;
  const StepInput* in = x->sources.input;
  const int stepped = x->sources.sensors->stepped;
  *x->state->time = *x->end->time;
  for (int i = 0; i < m->nv; ++i) {
    x->unit[i] = 0;
    x->acceleration[i] = stepped ? (x->end->v[i] - in->start->v[i]) / in->h : 0;
  }
  if (start) memset(start, 0, (size_t)m->nsensordata * (size_t)m->nv * sizeof *start);
  for (int i = 0; i < m->nv; ++i) {
    add_column(x, OF_POSITION, i, end, start);
    add_column(x, OF_VELOCITY, i, end, start);
    if (stepped) add_column(x, OF_ACCELERATION, i, end, start);
  }
}

HeftStatus heft_world_derivative_sensors(HeftWorld* w, double* end, double* start,
                                         HeftError* error) {
  HEFT_REQUIRE(w, HEFT_ERR_ARGUMENT);
  const HeftAllocator* allocator = &w->def.allocator;
  const size_t nv = (size_t)w->model->nv, values = (size_t)w->model->nsensordata;
  const size_t size = 2 * (nv + values + 1) * sizeof(double);
  SensorShift x = {.model = w->model, .end = w->state};
  const HeftStatus status = heft_state_create(&x.state, w->model, allocator, error);
  if (status != HEFT_OK) return status;
  x.sources = (SensorSources){w->sensors, &w->input,   w->constraints, x.state,
                              w->drives,  w->dynamics, w->def.seed};
  x.unit = allocator->allocate(allocator->user, size, _Alignof(double));
  if (!x.unit) {
    heft_state_destroy(x.state);
    return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for the derivative of sensors");
  }
  x.acceleration = x.unit + nv;
  x.value[0] = x.acceleration + nv;
  x.value[1] = x.value[0] + values;
  find_matrices(&x, end, start);
  allocator->release(allocator->user, x.unit, size);
  heft_state_destroy(x.state);
  w->fresh = STATE_STALE;
  heft_world_refresh(w);
  return HEFT_OK;
}
