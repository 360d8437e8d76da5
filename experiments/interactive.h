// SPDX-License-Identifier: Apache-2.0
// Interactive scenes: users interact with a controlled robot, or with each other, in one world.
// What the robot does is an act, and so a plug-in: `heft view NAME` opens it with the mouse as the
// hand, `heft feel NAME` with real devices or emulated hands; experiments use emulated hands.
#ifndef HEFT_EXPERIMENTS_INTERACTIVE_H
#define HEFT_EXPERIMENTS_INTERACTIVE_H

#include <heft/access.h>
#include <heft/device.h>

#include "experiments/acts.h"
#include "experiments/task.h"

enum { INTERACTIVE_USERS = LAB_USERS, INTERACTIVE_TEXT = 1000 };

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

/// Head of the data of every act that reacts to users.
typedef struct InteractiveData {
  double stiff;                         ///< option, 1: the robot does not give way
  double blind;                         ///< option, 1: the eyes keep their direction
  double gaze_error;                    ///< angle between the eyes and the hand [rad]
  double nod;                           ///< max so far [rad]
  double led;                           ///< current max displacement of a joint by compliance [rad]
  double gestures[HEFT_GESTURE_COUNT];  ///< number of recognised gestures
  Task task;                            ///< of acts that take an object
} InteractiveData;

/// Rows of Act::values that count gestures.
#define INTERACTIVE_COUNT(name, gesture, meaning) \
  { name, HEFT_VALUE_DOUBLE, offsetof(InteractiveData, gestures[gesture]), 0, 0, 0, "", meaning }

/// An act for users: their places, and the emulated hands that stand in for them.
typedef struct InteractiveKind {
  const Act* act;
  int users;
  double takes;   ///< duration of the script of the emulated hands [s]
  double begins;  ///< users may act from then on: the robot grasps first [s]
  int gripper;    ///< 1: the second button closes a gripper, and is no clutch
  const char* device[INTERACTIVE_USERS];  ///< emulated: "omega,hand-stiffness=400"
  const InteractivePath* way[INTERACTIVE_USERS];
  int way_count[INTERACTIVE_USERS];
  /// Writes the seats, after the act has begun. They have default values.
  void (*sit)(Lab* lab, const void* self, InteractiveSeat* seat);
} InteractiveKind;

/// An act with its users, in a laboratory.
typedef struct InteractiveScene {
  const InteractiveKind* kind;
  Lab* lab;          ///< model, world and controller; not owned
  int stiff, blind;  ///< options of InteractiveData
  InteractiveSeat seat[INTERACTIVE_USERS];
  InteractiveData* data;  ///< of the act
} InteractiveScene;

/// Row i of the table, NULL beyond its end.
const InteractiveKind* interactive_at(int i);
/// Finds a scene by name; NULL if it is unknown.
const InteractiveKind* interactive_find(const char* name);

/// Opens an interactive scene in a laboratory. Returns 0, with lab->error, on failure.
int interactive_open(InteractiveScene* interactive, const InteractiveKind* kind, Lab* lab);
void interactive_close(InteractiveScene* interactive);
/// The seats of a scene, and the texts of its emulated devices, from the models of a folder.
/// Returns 0, with a message in error, on failure.
int interactive_seats(const InteractiveKind* kind, const char* folder,
                      InteractiveSeat seat[INTERACTIVE_USERS],
                      char text[INTERACTIVE_USERS][INTERACTIVE_TEXT], char error[LAB_ERROR]);
HeftMapping interactive_mapping(const InteractiveSeat* seat);

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
/// Creates an object while the simulation runs: a world of the changed model takes over, and the
/// users go on. Acts that keep objects of the model in the laboratory cannot do this. Returns 0,
/// with lab->error, on failure.
int encounter_create(Encounter* encounter, InteractiveScene* interactive, const HeftChange* change);
void encounter_close(Encounter* encounter);

/// The touch of a user's hand, for gestures. hand[2]: bodies of the robot's hands, or NULL.
HeftUserContact interactive_contact(const Lab* lab, const HeftHand* user, const int* hand);
/// The largest displacement of a joint by the compliance of the laboratory [rad].
double interactive_led(const Lab* lab);

#endif
