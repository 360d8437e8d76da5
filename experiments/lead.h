// SPDX-License-Identifier: Apache-2.0
// A robot or an avatar that holds an object in its hands and is led by it: the parts that acts with
// a user have in common.
//
// The hands feel the object at the wrists, six components each. What remains of both without the
// weight is the force of the user. It is transported to the wrists, half to each, and moves the
// joints between hands and waist by M_d q̈ + B_d q̇ = Jᵀ f ([Keith 2008], section 4 and Eq. 22;
// [Chardonnet 2012], Eq. 16), while a push is recognised. The eyes follow the hand of the user. If
// the object is led farther than the arms should reach, the feet follow by steps, and arms of
// hinges keep the object where it is led.
#ifndef HEFT_EXPERIMENTS_LEAD_H
#define HEFT_EXPERIMENTS_LEAD_H

#include "experiments/interactive.h"

enum { LEAD_NQ_MAX = 128 };

/// Plain data of an act.
typedef struct Lead {
  int object, object_q;      ///< the held body, and the place of its coordinates
  int wrist[2], hand[2];     ///< sites of the force sensors, bodies
  int hands;                 ///< 1: the right hand alone, 2: both
  int hinged;                ///< 1: the arms have hinges, whose displacements add
  HeftGestureState gesture;  ///< of the user at the object
  HeftBehaviourState lead;
  HeftSpatial user;     ///< lead_user_wrench() after the last step
  HeftSpatial felt[2];  ///< force of the user at the wrists, in their frames, smoothed
  HeftBipedGoal stand;  ///< where the feet stand, or stood at the start of steps
  HeftVec3 home;        ///< place of the object before the pelvis, when it was taken [m]
  HeftVec3 back;        ///< velocity of the hands that keeps the object where it is led [m/s]
  int walking, steps;   ///< 1 while steps are made; number of steps so far
  double walk_began, walk_length, walk_side;
  double eyes[LEAD_NQ_MAX], posture[LEAD_NQ_MAX];
} Lead;

/// The parts of a Lead in the data of an act.
#define LEAD_PARTS(type, field)                                                                 \
  ACT_FOUND(type, field.object), ACT_FOUND(type, field.object_q), ACT_FOUND(type, field.wrist), \
      ACT_FOUND(type, field.hand), ACT_FOUND(type, field.hands), ACT_FOUND(type, field.hinged), \
      ACT_GESTURE(type, field.gesture), ACT_BEHAVIOUR(type, field.lead),                        \
      ACT_GOAL(type, field.stand), ACT_RANGE(type, field.steps, 0, 1000000000)

/// Finds the parts by name and creates compliance and gaze of the laboratory. Returns 0, with
/// lab->error, on failure.
int lead_begin(Lab* lab, Lead* lead, const char* object, int hands);
/// 1 if the user holds the object, or pushes it.
int lead_pushed(const Lab* lab, Lead* lead, InteractiveData* data, const HeftHand* hand, double dt);
/// Force and torque of the user on the object about its centre, as the wrists feel it: what remains
/// of both without the weight. In the world.
HeftSpatial lead_user_wrench(const Lab* lab, const Lead* lead);
/// After a step: the wrists feel the object. A world that was restored has no contacts of the last
/// step, so the act remembers what it felt.
void lead_observe(const Lab* lab, Lead* lead);
/// The joints give way to what the wrists felt, if `yields`.
void lead_comply(Lab* lab, Lead* lead, int yields, double dt);
/// lead->posture: a posture with the offset of the compliance and the eyes on the hand of the user,
/// or on the object. The chest of the goal follows.
void lead_pose(Lab* lab, Lead* lead, InteractiveData* data, const double* posture, double dt);
/// Goal of feet and centre of mass: standing, or steps after the object if `led`. carried: the
/// share of its weight that the hands carry, 0 to 1.
void lead_stand(Lab* lab, Lead* lead, int led, double carried);
/// The same with another way to go, in the heading of the feet: steps if it is longer than least
/// [m].
void lead_step(Lab* lab, Lead* lead, HeftVec3 way, double least, double carried);
/// A point from the pelvis, in the heading of the feet.
HeftVec3 lead_from_pelvis(const Lab* lab, const Lead* lead, HeftVec3 point);
/// Remembers the present place of the object as the one that needs no steps.
void lead_home(Lab* lab, Lead* lead);

#endif
