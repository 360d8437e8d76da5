// SPDX-License-Identifier: Apache-2.0
// A person whose hand no script moves. The hand goes to a place that the person sees, off by an
// error of up to 3 cm along each axis, at a speed of its own, from half to twice the usual one, and
// with pauses of up to a second. The person decides by what the hand feels: it takes hold where it
// touches something, and if it finds nothing, or the wrong thing, it tries again elsewhere. The arm
// and the device are those of an emulated device (HeftEmulator).
#ifndef HEFT_EXPERIMENTS_PERSON_H
#define HEFT_EXPERIMENTS_PERSON_H

#include "experiments/interactive.h"

enum { PERSON_WAYS = 8 };
enum { PERSON_HOLD = 1, PERSON_CLOSE = 2 };  ///< buttons

typedef enum PersonGoal {
  PERSON_HAND,    ///< to a point at the right hand of the robot
  PERSON_OBJECT,  ///< to a point at the object
  PERSON_GRIP,    ///< until the robot's gripper is at the object
  PERSON_WAY,     ///< by a way from where the step began
  PERSON_SHAKE,   ///< three times up and down by a way
  PERSON_LEAD     ///< until the object is at a point from the pelvis of the robot
} PersonGoal;

enum {
  PERSON_FEELS = 1,  ///< a step ends when the hand touches; if it does not, the person tries again
  PERSON_LOOKS = 2,  ///< when the robot's fingers have closed, or the person's patience ends; if
                     ///< the person waits at the object and the robot gives up, all begins again
  PERSON_NODS = 3,   ///< when the robot has nodded; else again
  PERSON_STANDS = 4  ///< when the robot stands still, or the person's patience ends
};

/// One step of what a person does.
typedef struct PersonStep {
  PersonGoal goal;
  HeftVec3 at;   ///< the point or the way [m]
  double takes;  ///< at the usual speed [s]
  unsigned buttons;
  int end;  ///< one of the above; 0: when its time is over
} PersonStep;

typedef struct PersonPlan {
  const char *task, *object;
  const PersonStep* step;
  int count;
  double spread[3];  ///< where the person grasps the object, at random within these limits [m]
  double patience, longest;  ///< longest wait for the robot, and duration of all [s]
} PersonPlan;

typedef struct Person {
  const PersonPlan* plan;
  uint64_t random;
  double speed;          ///< of the usual
  int at, tries;         ///< step, attempts to touch
  int done;              ///< 1: all steps are done
  double begins, since;  ///< time of the step's beginning, after a pause [s]
  HeftVec3 choice, error, from, to, now;
  int way, ways;                ///< 1: the step is one of the ways below; their number
  double back[PERSON_WAYS];     ///< least place of the object along a way, in lengths of the way
  HeftVec3 along[PERSON_WAYS];  ///< ways with the object, or with the robot [m]
  int robot[PERSON_WAYS];       ///< 1: of the robot
  double still;                 ///< how long the robot has stood still [s]
  double share[PERSON_WAYS];    ///< how much of it the object went, from where it was farthest back
} Person;

/// Name of a task with a person, from 0; NULL after the last.
const char* person_task(int index);
/// The person of a task; NULL if it has none.
const PersonPlan* person_plan(const char* task);
Person person_make(const PersonPlan* plan, uint64_t seed);
/// Moves the hand in the encounter before a step.
void person_act(Person* person, Encounter* encounter, const InteractiveScene* interactive);

#endif
