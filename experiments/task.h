// SPDX-License-Identifier: Apache-2.0
// The supervisor of tasks with a person: which state a robot is in that takes an object, and why.
//
//     APPROACH --asked, and there--> GRASP --pressed from both sides--> CARRY --asked--> RELEASE
//        |  ^                          |                                  |                 |
//        v  |                          +--no grip in time--> RELEASE <----+ lost            |
//       WAIT (a person has it)                                  +--tries left--> APPROACH <-+
//                                                               none left, or too far --> GIVE_UP
//
// All transitions follow from what is measured: the way from the hand to its place at the object,
// the forces of the hand on it, the touch of the person. A measured state counts when it has lasted
// a moment. The only limit in time is that of a grasp that closes on nothing. A robot that gives up
// has a reason, and begins anew when it is asked anew.
#ifndef HEFT_EXPERIMENTS_TASK_H
#define HEFT_EXPERIMENTS_TASK_H

/// X(name, text)
#define TASK_STATES(X)           \
  X(TASK_APPROACH, "approaches") \
  X(TASK_WAIT, "waits")          \
  X(TASK_GRASP, "grasps")        \
  X(TASK_CARRY, "carries")       \
  X(TASK_RELEASE, "lets go")     \
  X(TASK_GIVE_UP, "gives up")
#define TASK_REASONS(X)                              \
  X(TASK_NO_REASON, "")                              \
  X(TASK_HELD, "a person has the object")            \
  X(TASK_FAR, "the object is out of reach")          \
  X(TASK_NO_GRIP, "the hand closed and had no grip") \
  X(TASK_LOST, "the object slipped from the hand")

#define TASK_ENTRY(name, text) name,
typedef enum TaskState { TASK_STATES(TASK_ENTRY) TASK_STATE_COUNT } TaskState;
typedef enum TaskReason { TASK_REASONS(TASK_ENTRY) TASK_REASON_COUNT } TaskReason;
#undef TASK_ENTRY

/// Plain data; zero at the start.
typedef struct Task {
  int state, reason, tries;
  double since;   ///< time in this state [s]
  double lasted;  ///< how long the measured condition has lasted [s]
} Task;

/// What is measured before a step.
typedef struct TaskSense {
  int asked;    ///< 1: the robot shall take the object
  int ended;    ///< 1: it shall let go
  int within;   ///< 1: the object is within reach
  int there;    ///< 1: the hand is at its place at the object
  int taken;    ///< 1: a person has the object, and the robot does not
  int pressed;  ///< 1: the hand presses the object from both sides
  int open;     ///< 1: the fingers are open
} TaskSense;

/// One step. Returns 1 if the state has changed.
int task_step(Task* task, const TaskSense* sense, double dt);
const char* task_state(const Task* task);
const char* task_reason(int reason);

/// Parts of an act's data (act.h).
#define TASK_PARTS(type, field)                          \
  ACT_RANGE(type, field.state, 0, TASK_STATE_COUNT - 1), \
      ACT_RANGE(type, field.reason, 0, TASK_REASON_COUNT - 1), ACT_RANGE(type, field.tries, 0, 3)

#endif
