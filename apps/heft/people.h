// SPDX-License-Identifier: Apache-2.0
// People at the devices of a command: options, devices, mappings and gains.
#ifndef HEFT_APPS_PEOPLE_H
#define HEFT_APPS_PEOPLE_H

#include <heft/device.h>
#include <heft/heft.h>

enum { PEOPLE_MOST = HEFT_SERVO_DEVICES, PEOPLE_SPEC = 1024 };

typedef struct People {
  char spec[PEOPLE_MOST][PEOPLE_SPEC];  ///< NAME[:ADDRESS]
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
  HeftMapping seat[PEOPLE_MOST];
  HeftProbeDef seat_probe[PEOPLE_MOST];

  int real_time;  ///< 1: the servo may ask for a priority
  HeftDevice* device[PEOPLE_MOST];
  HeftMapping mapping[PEOPLE_MOST];
  HeftProbeDef probe[PEOPLE_MOST];
  HeftServo* servo;
} People;

extern const char people_help[];

void people_init(People* people);
/// Takes argv[*i] and its value if it is one of ours. 1: taken, 0: not ours, -1: wrong, and said
/// so.
int people_take(People* people, const char* verb, int argc, char** argv, int* i);
/// One more device, not opened yet. 0 if there are too many, or its text is too long.
int people_add(People* people, const char* spec);
/// Opens the devices and finds gains for them. 0 on failure, and says so.
int people_open(People* people, const char* verb, const HeftModel* model, int real_time);
void people_close(People* people);

/// While a program runs: other devices or another model. The servo ends first, so nobody may use it
/// any more; it is made anew, and not started. connect: one more device, or NULL; disconnect: one
/// that goes, or -1. Returns 0 if something did not work; the devices that are there still do.
int people_change(People* people, const HeftModel* model, const char* connect, int disconnect,
                  HeftError* error);
/// "NAME:ADDRESS" to its driver; NULL if there is none, and says so.
const HeftDriver* people_driver(const char* verb, const char* spec, const char** address);

#endif
