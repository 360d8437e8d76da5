// SPDX-License-Identifier: Apache-2.0
// Users at the devices of a command: options, devices, mappings and gains.
#ifndef HEFT_APPS_USERS_H
#define HEFT_APPS_USERS_H

#include <heft/device.h>
#include <heft/heft.h>

enum { USERS_MAX = HEFT_SERVO_DEVICES, USERS_SPEC = 1024 };

typedef struct Users {
  char spec[USERS_MAX][USERS_SPEC];  ///< NAME[:ADDRESS]
  int count;
  const char* option;  ///< the last one that was given beside --device, or NULL
  HeftProbeMode mode;
  const char* body;  ///< grasped from the start, or NULL
  double radius;     ///< 0: from the model's size
  double stiffness;  ///< 0: from the bound of the device
  double scale;      ///< 0: the workspace covers the model
  double force_scale;
  double force_max;  ///< 0: the device's
  double friction;   ///< -1: the surface's
  int clutch;        ///< button; -1: none, -2: the second, unless a scene needs it
  int has_at;
  HeftVec3 at;  ///< middle of the workspace in the world
  int seated;   ///< 1: an interactive scene places users, unless options do
  int gripper;  ///< 1: the second button closes a gripper of the scene
  HeftMapping seat[USERS_MAX];
  HeftProbeDef seat_probe[USERS_MAX];
  double begins;  ///< simulated time from which on users act [s]

  int real_time;  ///< 1: the servo may request a real-time priority
  HeftDevice* device[USERS_MAX];
  HeftMapping mapping[USERS_MAX];
  HeftProbeDef probe[USERS_MAX];
  HeftServo* servo;
} Users;

extern const char users_help[];

void users_init(Users* users);
/// Takes argv[*i] and its value if it is one of these options. 1: taken, 0: unknown, -1: wrong
/// (reported).
int users_take(Users* users, const char* verb, int argc, char** argv, int* i);
/// Adds a device without opening it. 0 if there are too many, or its text is too long.
int users_add(Users* users, const char* spec);
/// The probe of a user of a model without a device here, in `probe`. 0: the body is unknown
/// (reported).
int users_probe(const Users* users, const char* verb, const HeftModel* model, HeftProbeDef* probe);
/// Opens the devices and computes their gains. 0 on failure (reported).
int users_open(Users* users, const char* verb, const HeftModel* model, int real_time);
void users_close(Users* users);

/// Changes the devices or the model while a program runs. The servo is stopped, destroyed and
/// created again, but not started: pointers to the old servo are invalid. connect: a device to add,
/// or NULL; disconnect: the index of a device to remove, or -1. Returns 0 on failure; devices that
/// were open stay open.
int users_change(Users* users, const HeftModel* model, const char* connect, int disconnect,
                 HeftError* error);
/// The driver of "NAME:ADDRESS"; NULL if it is unknown (reported).
const HeftDriver* users_driver(const char* verb, const char* spec, const char** address);
/// Opens a device whose address is completed: key of a UDP device (device_key.h), library of the
/// maker that the environment names (maker_library.h).
HeftStatus users_open_device(HeftDevice** out, const HeftDriver* driver, const char* address,
                             const HeftDeviceDef* def, HeftError* error);

#endif
