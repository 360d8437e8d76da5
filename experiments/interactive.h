// SPDX-License-Identifier: Apache-2.0
// Interactive scenes: users interact with a controlled robot, or with each other, in one world.
// `heft feel NAME` opens a scene for real devices or emulated hands; experiments use emulated
// hands.
#ifndef HEFT_EXPERIMENTS_INTERACTIVE_H
#define HEFT_EXPERIMENTS_INTERACTIVE_H

#include <heft/device.h>

#include "experiments/lab.h"

enum { INTERACTIVE_USERS = 2, INTERACTIVE_TEXT = 1000 };

/// A hand in the last step.
typedef struct InteractiveHand {
  HeftVec3 pos;    ///< position [m]
  int present;     ///< 0: no user
  int body;        ///< in contact or grasped, -1: none
  HeftVec3 point;  ///< point of contact, in the world [m]
  HeftVec3 force;  ///< of the user on the body [N]
} InteractiveHand;

/// A point on the path of an emulated hand.
typedef struct InteractivePath {
  double time;   ///< [s]
  double at[3];  ///< in the world [m]
  int buttons;
} InteractivePath;

/// Placement of the device of a user.
typedef struct InteractiveSeat {
  HeftVec3 at;         ///< centre of its workspace in the world [m]
  HeftMat3 axes;       ///< columns: right, away and up of the user in the world
  double scale;        ///< metres in the world per metre of the device
  HeftProbeDef probe;  ///< mode, body, point
} InteractiveSeat;

typedef struct InteractiveScene InteractiveScene;

typedef struct InteractiveKind {
  const char *name, *text;
  int users;
  double takes;   ///< duration of the script of the emulated hands [s]
  double begins;  ///< users may act from then on: the robot grasps first [s]
  const char* device[INTERACTIVE_USERS];  ///< emulated: "omega,hand-stiffness=400"
  const InteractivePath* way[INTERACTIVE_USERS];
  int way_count[INTERACTIVE_USERS];
  size_t size;                                 ///< of scene->self
  int (*open)(InteractiveScene* interactive);  ///< 0, with lab->error, on failure
  void (*act)(InteractiveScene* interactive, const InteractiveHand* hands,
              double h);                         ///< sets goal and controls
  void (*close)(InteractiveScene* interactive);  ///< may be NULL
} InteractiveKind;

struct InteractiveScene {
  const InteractiveKind* kind;
  Lab* lab;   ///< model, world and controller; not owned
  int stiff;  ///< 1: the robot does not give way
  int blind;  ///< 1: the eyes keep their direction
  InteractiveSeat seat[INTERACTIVE_USERS];
  void* self;                        ///< of the kind
  int gestures[HEFT_GESTURE_COUNT];  ///< number of recognised gestures
  double gaze_error;                 ///< angle between the eyes and the hand [rad]
  double nod;                        ///< max so far [rad]
  double led;                        ///< current max displacement of a joint by compliance [rad]
};

/// Row i of the table, NULL beyond its end.
const InteractiveKind* interactive_at(int i);
/// Finds a scene by name; NULL if it is unknown.
const InteractiveKind* interactive_find(const char* name);

/// Opens an interactive scene in a laboratory. Returns 0, with lab->error, on failure.
int interactive_open(InteractiveScene* interactive, const InteractiveKind* kind, Lab* lab);
void interactive_close(InteractiveScene* interactive);
/// Called first in a step: marks users as absent until the scene begins.
void interactive_let_in(const InteractiveScene* interactive, HeftProbeInput* hands);
/// Called before each step of the world: controls the robot from the current state, the hands of
/// this step and the forces of the probes in the last step.
void interactive_act(InteractiveScene* interactive, HeftSession* session,
                     const HeftProbeInput* hands);
/// The emulated device of a user, as `--device emulated:` takes it. 0 if the text does not fit.
int interactive_hand_text(const InteractiveScene* interactive, int person, char* out, size_t size);
HeftMapping interactive_mapping(const InteractiveScene* interactive, int person);

/// An interactive scene with emulated hands and a simulated clock.
typedef struct Encounter {
  HeftServo* servo;
  HeftDevice* device[INTERACTIVE_USERS];
  HeftSession* session;
  uint64_t now_ns;
  HeftProbeInput input[INTERACTIVE_USERS];
  double step_us;  ///< CPU time of the last step, with servo, control and probes
} Encounter;

/// Returns 0, with lab->error, on failure.
int encounter_open(Encounter* encounter, InteractiveScene* interactive);
HeftStepReport encounter_step(Encounter* encounter, InteractiveScene* interactive);
void encounter_close(Encounter* encounter);

/// Steps the compliance of a robot and stores its displacement. Shared by scenes and experiments.
double interactive_led(const HeftCompliance* compliance, const HeftModel* model);

#endif
