// SPDX-License-Identifier: Apache-2.0
// Meetings: people with a robot that is at work, or with each other, in one world. `heft feel NAME`
// opens one for real devices or emulated hands; experiments live through them with emulated hands.
#ifndef HEFT_EXPERIMENTS_MEETING_H
#define HEFT_EXPERIMENTS_MEETING_H

#include <heft/device.h>

#include "experiments/lab.h"

enum { MEETING_PEOPLE = 2, MEETING_TEXT = 1000 };

/// What a hand did in the last step.
typedef struct MeetingHand {
  HeftVec3 pos;    ///< where it is [m]
  int present;     ///< 0: nobody is there
  int body;        ///< that it touches or holds, -1: none
  HeftVec3 point;  ///< where on it, in the world [m]
  HeftVec3 force;  ///< of the person on it [N]
} MeetingHand;

/// Where an emulated hand wants to be.
typedef struct MeetingWay {
  double time;   ///< [s]
  double at[3];  ///< in the world [m]
  int buttons;
} MeetingWay;

/// Where a person's device stands.
typedef struct MeetingSeat {
  HeftVec3 at;         ///< middle of its workspace in the world [m]
  HeftMat3 axes;       ///< columns: right, away and up of the person in the world
  double scale;        ///< metres in the world for a metre of the device
  HeftProbeDef probe;  ///< mode, body, point
} MeetingSeat;

typedef struct Meeting Meeting;

typedef struct MeetingKind {
  const char *name, *text;
  int people;
  double takes;   ///< how long the emulated hands are busy [s]
  double begins;  ///< until then nobody is let in: the robot takes hold first [s]
  const char* device[MEETING_PEOPLE];  ///< emulated: "omega,hand-stiffness=400"
  const MeetingWay* way[MEETING_PEOPLE];
  int way_count[MEETING_PEOPLE];
  size_t size;                    ///< of meeting->self
  int (*open)(Meeting* meeting);  ///< 0, with lab->error, on failure
  void (*act)(Meeting* meeting, const MeetingHand* hands, double h);  ///< sets goal and controls
  void (*close)(Meeting* meeting);                                    ///< may be NULL
} MeetingKind;

struct Meeting {
  const MeetingKind* kind;
  Lab* lab;   ///< model, world and controller; not owned
  int stiff;  ///< 1: the robot does not give way
  int blind;  ///< 1: its eyes stay where they are
  MeetingSeat seat[MEETING_PEOPLE];
  void* self;                        ///< of the kind
  int gestures[HEFT_GESTURE_COUNT];  ///< that were recognised
  double gaze_error;                 ///< angle between the eyes and the hand [rad]
  double nod;                        ///< largest so far [rad]
  double led;                        ///< how far the joints were led away, the largest of now [rad]
};

/// Row i of the table, NULL beyond its end.
const MeetingKind* meeting_at(int i);
/// By its name; NULL if there is none.
const MeetingKind* meeting_find(const char* name);

/// Opens a meeting in a laboratory. Returns 0, with lab->error, if that does not work.
int meeting_open(Meeting* meeting, const MeetingKind* kind, Lab* lab);
void meeting_close(Meeting* meeting);
/// The hands of a step, before all else: keeps people out until the meeting begins.
void meeting_let_in(const Meeting* meeting, HeftProbeInput* hands);
/// Before each step of the world: what the robot does, from the present state, the hands of this
/// step, and what the probes felt in the last one.
void meeting_act(Meeting* meeting, HeftSession* session, const HeftProbeInput* hands);
/// The emulated device of a person, as `--device emulated:` takes it. 0 if it does not fit.
int meeting_hand_text(const Meeting* meeting, int person, char* out, size_t size);
HeftMapping meeting_mapping(const Meeting* meeting, int person);

/// A meeting with emulated hands, in a time of its own.
typedef struct Encounter {
  HeftServo* servo;
  HeftDevice* device[MEETING_PEOPLE];
  HeftSession* session;
  uint64_t now_ns;
  HeftProbeInput input[MEETING_PEOPLE];
  double step_us;  ///< work of the last step, with servo, control and probes
} Encounter;

/// Returns 0, with lab->error, if that does not work.
int encounter_open(Encounter* encounter, Meeting* meeting);
HeftStepReport encounter_step(Encounter* encounter, Meeting* meeting);
void encounter_close(Encounter* encounter);

/// What both meetings and experiments use: steps the compliance of a robot and notes how far it was
/// led.
double meeting_led(const HeftCompliance* compliance, const HeftModel* model);

#endif
