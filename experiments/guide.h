// SPDX-License-Identifier: Apache-2.0
// A user leads the right arm of a robot to an object, closes its gripper, and moves the object with
// the robot ([Chardonnet 2012], section 4).
//
// The user need not aim well. While the user leads the hand, a spring of the compliance draws the
// gripper to the line through the object along the fingers, and back if it has gone too far; when
// the user asks for the grasp, it draws the gripper along that line, too. The fingers close when
// the gripper is there.
#ifndef HEFT_EXPERIMENTS_GUIDE_H
#define HEFT_EXPERIMENTS_GUIDE_H

#include "experiments/lead.h"
#include "experiments/task.h"

/// Plain data of an act.
typedef struct Guide {
  InteractiveData data;
  Lead lead;
  double grip;       ///< option, 1: the gripper closes
  double closed;     ///< 1: it closes
  unsigned buttons;  ///< of the last step
  int wanted;        ///< 1: the user has asked for the grasp
  int gripper, thumb, site;
  int pinched;  ///< 1: hand and thumb pressed the object from both sides in the last step
  int begun;
  HeftMat3 level;            ///< rotation of the hand without the user
  HeftVec3 late;             ///< of the gripper behind its command, smoothed [m]
  double since;              ///< time since the gripper has closed [s]
  double weight;             ///< of the object, as far as the wrist has felt it [N]
  double base[LEAD_NQ_MAX];  ///< posture without the user
} Guide;

/// The parts of a Guide in the data of an act.
#define GUIDE_PARTS(type, guide)                                                                   \
  LEAD_PARTS(type, guide lead), TASK_PARTS(type, guide data.task), ACT_FOUND(type, guide gripper), \
      ACT_FOUND(type, guide thumb), ACT_FOUND(type, guide site)

enum { GUIDE_OPTION_COUNT = 3 };
extern const HeftOption guide_options[GUIDE_OPTION_COUNT];

/// The robot is in its initial pose, with an open gripper. Returns 0, with lab->error, on failure.
int guide_begin(Lab* lab, Guide* guide, const char* object);
/// Posture and loads of the goal, for lab_balance(). Feet and centre of mass stay as they are.
void guide_control(Lab* lab, Guide* guide);
/// After a step: what hand and wrist feel.
void guide_observe(const Lab* lab, Guide* guide);
/// 1 if hand and thumb press the object from both sides.
int guide_pinched(const Lab* lab, const Guide* guide);
/// Torque of the gripper, after lab_balance().
void guide_grip(Lab* lab, const Guide* guide);

#endif
