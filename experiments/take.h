// SPDX-License-Identifier: Apache-2.0
// A robot or an avatar takes an object from a table with both hands, by friction alone, and is then
// led by a user who grasps the object. It waits while a person has the object, takes it again if it
// slips, and lets go when it is put down; a tap asks for it again (task.h).
#ifndef HEFT_EXPERIMENTS_TAKE_H
#define HEFT_EXPERIMENTS_TAKE_H

#include "experiments/lead.h"

/// How hands take an object.
typedef struct TakeKind {
  const char* object;
  int hinged;             ///< 1: shoulders and elbows are hinges, 0: balls
  HeftVec3 point;         ///< of a hand: comes to the place of the grasp
  HeftMat3 turn[2];       ///< of the hands in the world, left and right
  HeftVec3 grasp;         ///< from the centre of the object to the place of the left hand [m]
  HeftVec3 away;          ///< from there to where the left hand waits [m]
  HeftVec3 up;            ///< from the table to where the object is held [m]
  const char* finger[2];  ///< actuators that close
  double open, close;     ///< angle of the open fingers [rad], torque that closes them [N m]
  double squeeze;         ///< force of the hands towards each other [N]
} TakeKind;

typedef struct Take {
  InteractiveData data;
  Lead lead;
  int finger[2];
  int leg;                 ///< of the way of the hands: away, at the object, up
  double leg_began;        ///< [s]
  double closed, carried;  ///< shares, 0 to 1: of the force that closes, of the weight
  int lifted;              ///< 1: the object is held above the table
  int rests;               ///< 1: a person has put it down
  double press[2];         ///< of the hands on the object [N]
  double support;          ///< of others below it [N]
  double down;             ///< how long they have carried it [s]
  double taps;             ///< of the user so far
  double place[3];         ///< of the object when the way to it was planned [m]
  double unreached;        ///< of the places at the object, by the poses [m]
  double stay;             ///< option, 1: the feet stay
  double steps;            ///< steps so far, for plots
  double force[6];         ///< of the user at the right wrist: force [N], torque [N m], for plots
} Take;

/// The parts of its data.
#define TAKE_PARTS                                                              \
  LEAD_PARTS(Take, lead), TASK_PARTS(Take, data.task), ACT_FOUND(Take, finger), \
      ACT_RANGE(Take, leg, 0, 2)

/// Options and values of an act. who: "robot" or "person".
#define TAKE_OPTIONS(who)                                                                      \
  {                                                                                            \
    ACT_OPTION(InteractiveData, stiff, 0, 1, 0, "", "1: the " who " does not give way"),       \
        ACT_OPTION(InteractiveData, blind, 0, 1, 0, "", "1: the eyes do not follow the hand"), \
        ACT_OPTION(Take, stay, 0, 1, 0, "", "1: the feet stay")                                \
  }
enum { TAKE_OPTION_COUNT = 3, TAKE_VALUE_COUNT = 4 };
extern const HeftOption take_values[TAKE_VALUE_COUNT];

/// An object that lies across in front of the HRP-2-like robot, taken by both grippers.
#define TAKE_BY_GRIPPERS(name)                                                          \
  {                                                                                     \
    .object = name, .hinged = 1, .point = {0, 0, -0.105},                               \
    .turn = {{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}}, \
    .grasp = {-0.001, 0.24, 0}, .away = {-0.004, 0, 0.07}, .up = {-0.02, 0, 0.09},      \
    .finger = {"left_gripper", "right_gripper"}, .open = -0.4, .close = 5,              \
  }

/// Plans the poses. Returns 0, with lab->error, on failure.
int take_begin(Lab* lab, Take* take, const TakeKind* kind);
/// The same for an object that is still out of reach; take_ask() plans.
int take_find(Lab* lab, Take* take, const TakeKind* kind);
/// The robot shall take the object, from where it is.
void take_ask(Lab* lab, Take* take, const TakeKind* kind);
void take_control(Lab* lab, Take* take, const TakeKind* kind);
/// Act::observe.
void take_observe(Lab* lab, void* take, const HeftStepReport* report);
/// The seat of a user at the object.
void take_sit(Lab* lab, const Take* take, const TakeKind* kind, InteractiveSeat* seat);
/// Contact points of the robot and of the object, and those of them that carry force.
int take_points(const Lab* lab, const Take* take, int* carrying);

#endif
