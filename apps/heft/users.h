// SPDX-License-Identifier: Apache-2.0
// People at the devices of a command: options, devices, mappings and gains.
#ifndef HEFT_APPS_USERS_H
#define HEFT_APPS_USERS_H

#include <heft/device.h>
#include <heft/heft.h>

enum { USERS_MAX = HEFT_SERVO_DEVICES, USERS_SPEC = 1024 };

typedef struct Users {
  char spec[USERS_MAX][USERS_SPEC];  ///< NAME[:ADDRESS]
  int count;
  HeftProbeMode mode;
  const char* body;  ///< that is held from the start, or NULL
  double radius;     ///< 0: from the model's size
  double stiffness;  ///< 0: what the device can bear
  double scale;      ///< 0: the workspace holds the model
  double force_scale;
  double force_max;  ///< 0: the device's
  double friction;   ///< -1: that of what is touched
  int clutch;        ///< button, -1: none
  int has_at;
  HeftVec3 at;  ///< middle of the workspace in the world
  int seated;   ///< 1: a meeting has places for them, where the options say nothing else
  HeftMapping seat[USERS_MAX];
  HeftProbeDef seat_probe[USERS_MAX];

  int real_time;  ///< 1: the servo may ask for a priority
  HeftDevice* device[USERS_MAX];
  HeftMapping mapping[USERS_MAX];
  HeftProbeDef probe[USERS_MAX];
  HeftServo* servo;
} Users;

extern const char users_help[];

void users_init(Users* users);
/// Takes argv[*i] and its value if it is one of ours. 1: taken, 0: not ours, -1: wrong, and said
/// so.
int users_take(Users* users, const char* verb, int argc, char** argv, int* i);
/// One more device, not opened yet. 0 if there are too many, or its text is too long.
int users_add(Users* users, const char* spec);
/// Opens the devices and finds gains for them. 0 on failure, and says so.
int users_open(Users* users, const char* verb, const HeftModel* model, int real_time);
void users_close(Users* users);

/// While a program runs: other devices or another model. The servo ends first, so nobody may use it
/// any more; it is made anew, and not started. connect: one more device, or NULL; disconnect: one
/// that goes, or -1. Returns 0 if something did not work; the devices that are there still do.
int users_change(Users* users, const HeftModel* model, const char* connect, int disconnect,
                 HeftError* error);
/// "NAME:ADDRESS" to its driver; NULL if there is none, and says so.
const HeftDriver* users_driver(const char* verb, const char* spec, const char** address);

#endif
