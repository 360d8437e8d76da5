// SPDX-License-Identifier: Apache-2.0
/// @file robot.h
/// A robot that another process simulates (`heft run --controller`, `heft view --controller`), for
/// a controller in a process of its own. A part of the library `heft_device`, because it needs
/// sockets. docs/manual/controllers.md describes the protocol.
///
///     HeftRobot* robot = NULL;
///     if (heft_robot_open(&robot, "unix:/tmp/robot", 10, NULL, &error) != HEFT_OK) return 1;
///     while (heft_robot_wait(robot)) {  // until the simulation ends
///       const HeftRobotState* state = heft_robot_state(robot);
///       heft_robot_controls(robot)[0] = -100 * state->q[0] - 10 * state->v[0];
///       heft_robot_send(robot);
///     }
///     heft_robot_close(robot);
#ifndef HEFT_ROBOT_H
#define HEFT_ROBOT_H

#include <heft/base.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A robot that another process simulates.
typedef struct HeftRobot HeftRobot;

/// A joint. Texts of this header are never NULL, and "" if there is none.
typedef struct HeftRobotJoint {
  const char *name, *type;  ///< type: "hinge", "slide", "ball", "free" and others
  const char* unit;         ///< of its coordinates
  int q, nq;                ///< its first coordinate in q, and how many it has
  int v, nv;                ///< its first velocity in v, and how many it has
} HeftRobotJoint;

/// An actuator; its control has the same index.
typedef struct HeftRobotActuator {
  const char* name;  ///< as in the model
  const char* unit;  ///< of the control: "rad" or "m" of a position servo, "rad/s" or "m/s" of a
                     ///< velocity servo, "N m" or "N" of a motor, "" of others
  int joint;         ///< index of the joint that it drives; -1: none, or several
  double min, max;   ///< range of the control, in its unit; infinite if it is not limited
} HeftRobotActuator;

/// A sensor of a robot.
typedef struct HeftRobotSensor {
  const char *name, *type, *unit;  ///< of the model; of its values
  int at, count;                   ///< its first value in `sensors`, and how many it has
} HeftRobotSensor;

/// A keyframe: a pose that the model file names.
typedef struct HeftRobotKey {
  const char* name;        ///< as in the model
  const double* q;         ///< (nq) [m, rad]
  const double* controls;  ///< (ncontrol), in the units of the actuators
} HeftRobotKey;

/// Data of the simulation's model. All of it belongs to the robot.
typedef struct HeftRobotModel {
  int nq, nv, ncontrol;  ///< sizes of q, v and the controls
  int nsensor;           ///< size of the values of all sensors
  double step;           ///< length of a step [s]
  double period;         ///< time from one state to the next [s]
  const double* q;       ///< pose in the model file (nq) [m, rad]
  const HeftRobotJoint* joint;
  int joint_count;
  const HeftRobotActuator* actuator;  ///< (ncontrol)
  const HeftRobotSensor* sensor;
  int sensor_count;
  const HeftRobotKey* key;
  int key_count;
} HeftRobotModel;

/// State of a robot at a time.
typedef struct HeftRobotState {
  double time;            ///< of the simulation [s]
  const double* q;        ///< (nq) [m, rad]
  const double* v;        ///< (nv) [m/s, rad/s]
  const double* sensors;  ///< (nsensor), in the units of the sensors
  bool restarted;         ///< the first state, or time does not go on from the last one
} HeftRobotState;

/// Waits for the simulation at a place, "unix:PATH" or "udp:[IP:]PORT[#KEY][,version=1]", and reads
/// its description. seconds: the longest time to wait, 0 to 1e9 [s]. allocator NULL: the default
/// one. HEFT_ERR_UNSUPPORTED: UDP without version=1 in a build without libsodium.
/// HEFT_ERR_SYNTAX: the place or the description is wrong; HEFT_ERR_FILE: no simulation answers.
/// error may be NULL. *out is NULL on failure.
HEFT_API HeftStatus heft_robot_open(HeftRobot** out, const char* place, double seconds,
                                    const HeftAllocator* allocator, HeftError* error);
/// Tells the simulation that the controller leaves, and releases everything. NULL is allowed.
HEFT_API void heft_robot_close(HeftRobot* robot);

/// The model; valid as long as the robot.
HEFT_API const HeftRobotModel* heft_robot_model(const HeftRobot* robot);
/// Index of an actuator. HEFT_ERR_NAME if there is none of this name: the message suggests one.
/// error may be NULL. *index is -1 on failure.
/// [out] index
HEFT_API HeftStatus heft_robot_find_actuator(const HeftRobot* robot, const char* name, int* index,
                                             HeftError* error);
/// Index of a joint, as heft_robot_find_actuator(). error may be NULL.
/// [out] index
HEFT_API HeftStatus heft_robot_find_joint(const HeftRobot* robot, const char* name, int* index,
                                          HeftError* error);

/// Waits for the next state. False: the simulation has ended. If the world does not wait for
/// answers and several states came, the last one counts.
HEFT_API bool heft_robot_wait(HeftRobot* robot);
/// The state that heft_robot_wait() got. Zeros before the first call.
HEFT_API const HeftRobotState* heft_robot_state(const HeftRobot* robot);
/// The controls to send; they keep their values from one state to the next.
/// [return] controls[ncontrol]
HEFT_API double* heft_robot_controls(HeftRobot* robot);
/// Joint forces to send [N m or N]. They are sent from the first call of this function on.
/// [return] forces[nv]
HEFT_API double* heft_robot_forces(HeftRobot* robot);
/// Answers the state with the controls. False: they could not be sent, and heft_robot_wait() will
/// report whether the simulation has ended.
HEFT_API bool heft_robot_send(HeftRobot* robot);

#ifdef __cplusplus
}
#endif
#endif
