// SPDX-License-Identifier: Apache-2.0
// A user leads the right arm of a robot to an object, closes its gripper, and moves the object with
// the robot ([Chardonnet 2012], section 4).
#ifndef HEFT_EXPERIMENTS_GUIDE_H
#define HEFT_EXPERIMENTS_GUIDE_H

#include "experiments/lead.h"

/// Plain data of an act.
typedef struct Guide {
  InteractiveData data;
  Lead lead;
  double grip;      ///< option, 1: the gripper closes
  double closed;    ///< 1: it is closed, by the option or by the button
  unsigned pressed;  ///< buttons of the last step
  int toggled, gripper, thumb;
  double since;   ///< time since the gripper has closed [s]
  double weight;  ///< of the object, as far as the wrist has felt it [N]
  double base[LEAD_NQ_MAX];  ///< posture without the user
} Guide;

/// The parts of a Guide in the data of an act.
#define GUIDE_PARTS(type, guide) \
  LEAD_PARTS(type, guide lead), ACT_FOUND(type, guide gripper), ACT_FOUND(type, guide thumb)

enum { GUIDE_OPTION_COUNT = 3 };
extern const HeftOption guide_options[GUIDE_OPTION_COUNT];

/// The robot is in its initial pose, with an open gripper. Returns 0, with lab->error, on failure.
int guide_begin(Lab* lab, Guide* guide, const char* object);
/// Posture and loads of the goal, for lab_balance(). Feet and centre of mass stay as they are.
void guide_control(Lab* lab, Guide* guide);
/// Torque of the gripper, after lab_balance().
void guide_grip(Lab* lab, const Guide* guide);

#endif
