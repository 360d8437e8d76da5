// SPDX-License-Identifier: Apache-2.0
// Meetings: people with a robot that is at work, or with each other, in one world. `heft feel NAME`
// opens one for real devices or emulated hands; experiments live through them with emulated hands.
#ifndef HEFT_EXPERIMENTS_INTERACTIVE_H
#define HEFT_EXPERIMENTS_INTERACTIVE_H

#include <heft/device.h>

#include "experiments/lab.h"

enum { INTERACTIVE_USERS = 2, INTERACTIVE_TEXT = 1000 };

/// What a hand did in the last step.
typedef struct InteractiveHand {
  HeftVec3 pos;    ///< where it is [m]
  int present;     ///< 0: nobody is there
  int body;        ///< that it touches or holds, -1: none
  HeftVec3 point;  ///< where on it, in the world [m]
  HeftVec3 force;  ///< of the person on it [N]
} InteractiveHand;

/// Where an emulated hand wants to be.
typedef struct InteractivePath {
  double time;   ///< [s]
  double at[3];  ///< in the world [m]
  int buttons;
} InteractivePath;

/// Where a person's device stands.
typedef struct InteractiveSeat {
  HeftVec3 at;         ///< middle of its workspace in the world [m]
  HeftMat3 axes;       ///< columns: right, away and up of the person in the world
  double scale;        ///< metres in the world for a metre of the device
  HeftProbeDef probe;  ///< mode, body, point
} InteractiveSeat;

typedef struct InteractiveScene InteractiveScene;

typedef struct InteractiveKind {
  const char *name, *text;
  int users;
  double takes;   ///< how long the emulated hands are busy [s]
  double begins;  ///< until then nobody is let in: the robot takes hold first [s]
  const char* device[INTERACTIVE_USERS];  ///< emulated: "omega,hand-stiffness=400"
  const InteractivePath* way[INTERACTIVE_USERS];
  int way_count[INTERACTIVE_USERS];
  size_t size;                                 ///< of meeting->self
  int (*open)(InteractiveScene* interactive);  ///< 0, with lab->error, on failure
  void (*act)(InteractiveScene* interactive, const InteractiveHand* hands,
              double h);                         ///< sets goal and controls
  void (*close)(InteractiveScene* interactive);  ///< may be NULL
} InteractiveKind;

struct InteractiveScene {
  const InteractiveKind* kind;
  Lab* lab;   ///< model, world and controller; not owned
  int stiff;  ///< 1: the robot does not give way
  int blind;  ///< 1: its eyes stay where they are
  InteractiveSeat seat[INTERACTIVE_USERS];
  void* self;                        ///< of the kind
  int gestures[HEFT_GESTURE_COUNT];  ///< that were recognised
  double gaze_error;                 ///< angle between the eyes and the hand [rad]
  double nod;                        ///< largest so far [rad]
  double led;                        ///< how far the joints were led away, the largest of now [rad]
};

/// Row i of the table, NULL beyond its end.
const InteractiveKind* interactive_at(int i);
/// By its name; NULL if there is none.
const InteractiveKind* interactive_find(const char* name);

/// Opens a meeting in a laboratory. Returns 0, with lab->error, if that does not work.
int interactive_open(InteractiveScene* interactive, const InteractiveKind* kind, Lab* lab);
void interactive_close(InteractiveScene* interactive);
/// The hands of a step, before all else: keeps people out until the meeting begins.
void interactive_let_in(const InteractiveScene* interactive, HeftProbeInput* hands);
/// Before each step of the world: what the robot does, from the present state, the hands of this
/// step, and what the probes felt in the last one.
void interactive_act(InteractiveScene* interactive, HeftSession* session,
                     const HeftProbeInput* hands);
/// The emulated device of a person, as `--device emulated:` takes it. 0 if it does not fit.
int interactive_hand_text(const InteractiveScene* interactive, int person, char* out, size_t size);
HeftMapping interactive_mapping(const InteractiveScene* interactive, int person);

/// A meeting with emulated hands, in a time of its own.
typedef struct Encounter {
  HeftServo* servo;
  HeftDevice* device[INTERACTIVE_USERS];
  HeftSession* session;
  uint64_t now_ns;
  HeftProbeInput input[INTERACTIVE_USERS];
  double step_us;  ///< work of the last step, with servo, control and probes
} Encounter;

/// Returns 0, with lab->error, if that does not work.
int encounter_open(Encounter* encounter, InteractiveScene* interactive);
HeftStepReport encounter_step(Encounter* encounter, InteractiveScene* interactive);
void encounter_close(Encounter* encounter);

/// What both meetings and experiments use: steps the compliance of a robot and notes how far it was
/// led.
double interactive_led(const HeftCompliance* compliance, const HeftModel* model);

#endif
