// SPDX-License-Identifier: Apache-2.0
// People at the devices of a command: options, devices, mappings and gains.
#ifndef HEFT_APPS_PEOPLE_H
#define HEFT_APPS_PEOPLE_H

#include <heft/heft.h>

enum { PEOPLE_MOST = HEFT_SERVO_DEVICES };

typedef struct People {
  const char* spec[PEOPLE_MOST];  ///< NAME[:ADDRESS]
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
/// Opens the devices and finds gains for them. 0 on failure, and says so.
int people_open(People* people, const char* verb, const HeftModel* model, int real_time);
void people_close(People* people);
/// "NAME:ADDRESS" to its driver; NULL if there is none, and says so.
const HeftDriver* people_driver(const char* verb, const char* spec, const char** address);

#endif
