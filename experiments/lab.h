// SPDX-License-Identifier: Apache-2.0
// The laboratory of an experiment: model, world and controller, the log, and the verdicts on
// claims.
#ifndef HEFT_EXPERIMENTS_LAB_H
#define HEFT_EXPERIMENTS_LAB_H

#include <heft/control.h>
#include <heft/heft.h>

enum {
  LAB_CHANNELS_MAX = 32,
  LAB_CLAIMS_MAX = 32,
  LAB_PANELS_MAX = 6,
  LAB_POSES_MAX = 10,
  LAB_USERS = 2,
  LAB_TRACKED = 13,
  LAB_TEXT = 200,
  LAB_ERROR = 640
};

typedef enum LabVerdict {
  LAB_FAILS,       ///< counts as an error of Heft until it is explained
  LAB_HOLDS,       ///< as claimed
  LAB_DIFFERS,     ///< not as published; the head of the experiment's file explains it
  LAB_CONTRADICTS  ///< as published in no setting; the head of the file gives the reason
} LabVerdict;

/// A claim with its verdict.
typedef struct LabClaim {
  char claim[LAB_TEXT], where[LAB_TEXT], figure[LAB_TEXT];
  LabVerdict verdict;
} LabClaim;

/// The log of an experiment: rows of channel_count numbers, time first.
typedef struct LabLog {
  int channel_count, rows, room;
  char name[LAB_CHANNELS_MAX][32];
  char source[LAB_CHANNELS_MAX][16];  ///< column of a measured file with this quantity, or ""
  double sign[LAB_CHANNELS_MAX];      ///< factor of that column
  double cutoff[LAB_CHANNELS_MAX];    ///< of the filter that it goes through [Hz]; 0: none
  double* data;
} LabLog;

/// Curves of one panel of the figure.
typedef struct LabPanel {
  char title[64], unit[32];
  int channel[8], count;
  int scatter;  ///< 1: dots, except for references (planned, fit, source)
} LabPanel;

/// The hand of a user in the world, for pictures.
typedef struct LabHand {
  int present;
  HeftVec3 pos, force;  ///< position, and force on it [m, N]
} LabHand;

/// A run as sensors would record it (trace.h), and files of others (measured.h).
typedef struct LabTrace LabTrace;
typedef struct LabMeasured LabMeasured;

typedef struct Lab Lab;
struct Lab {
  const char* folder;  ///< folder of the models
  int brief;           ///< 1: the short form, for tests; experiments ask lab_brief()
  int shortened;       ///< 1: the short form was asked for, so that figures are not those in full
  uint64_t seed;       ///< 0: as in the file; else the start is perturbed by 2 mm and 1 degree
  HeftWorldDef def;    ///< def of the worlds
  int forced;          ///< 1: the contact model of the def stays (lab_force())

  HeftModel* model;  ///< of the open world
  HeftWorld* world;
  int guest;          ///< 1: model and world belong to somebody else
  HeftBiped* biped;   ///< NULL if the model has no two feet
  HeftBiped* second;  ///< of a second robot in the world, or NULL
  HeftWalk* walk;     ///< plan of steps, or NULL
  double walk_key;    ///< time at which that plan begins, for acts that plan as they go [s]
  HeftCompliance* compliance;   ///< of the joints to users, or NULL
  HeftGaze* gaze;               ///< or NULL
  HeftPoseSolver* poser;        ///< inverse kinematics of the upper body, or NULL
  struct Balance* balance;      ///< of a robot that acts by its sensors, or NULL
  HeftBipedGoal goal;           ///< goal of the controller
  double* start;                ///< nq: the initial pose
  double* pose[LAB_POSES_MAX];  ///< nq: poses of the experiment, initially the start
  HeftDynamics* sketch;         ///< for poses that differ from that of the world
  double *posture, *rate;       ///< nq, nv: results of lab_move()
  double gravity;               ///< [m/s²]
  double* motion;               ///< rows of nq: planned joint angles (open_loop.h), or NULL
  int motion_rows;

  LabHand hand[2];                ///< of users, if there are any
  HeftHand person[LAB_USERS];     ///< the same before a step, for acts that react to users
  HeftVec3 tracked[LAB_TRACKED];  ///< points of a tracked person (mirror.h) [m]
  unsigned tracked_bits;          ///< of those that are tracked now
  LabLog log;
  LabClaim claim[LAB_CLAIMS_MAX];
  int claims, failed, differ;
  double worst_relative, worst_residual;  ///< max residuals of all steps of all worlds
  long steps, uncertified;                ///< steps, and those whose relative residual is >= 1e-6
  long model_steps[HEFT_CONTACT_MODEL_COUNT];  ///< steps under each contact model
  long unsolved[HEFT_CONTACT_MODEL_COUNT];     ///< those whose status is not HEFT_STEP_SOLVED
  int troubled;                                ///< steps that were rolled back
  double other_relative;  ///< max residual with other contact models than the exact one
  int success;            ///< 1: the robot succeeded
  LabPanel panel[LAB_PANELS_MAX];
  int panels;
  double camera[6];  ///< azimuth, elevation [deg], distance, target [m]; distance 0: automatic
  void (*picture)(Lab* lab, void* user);  ///< draws the current instant; may be NULL
  void* user;                             ///< argument of picture
  HeftStepReport (*step)(Lab* lab);       ///< another engine that steps the world; NULL: Heft
  int (*record)(Lab* lab, int begins);    ///< after acts opened (1) and stepped (0) while tracing;
                                          ///< may be NULL
  LabTrace* trace;                        ///< argument of record
  int tracing;                            ///< 1: this run is the one to record
  const LabMeasured* measured;            ///< of others, or NULL
  char error[LAB_ERROR];                  ///< error message, or ""
};

/// Joints by name and their initial angles [rad].
typedef struct LabAngle {
  const char* joint;
  double angle;
} LabAngle;

/// A laboratory with models from a folder, and the settings of all experiments.
Lab lab_make(const char* folder);
/// Loads a model and sets its pose, with the soles on the floor. angles ends with a NULL joint and
/// may be NULL. A guest keeps the model and the world that it was given. Returns 0, with
/// lab->error, on failure.
int lab_open(Lab* lab, const char* file, const LabAngle* angles);
/// The same with the text of a model instead of a file.
int lab_open_text(Lab* lab, const char* text, const LabAngle* angles);
/// The text of a model file, to be freed by the caller; NULL, with lab->error, on failure.
char* lab_read(Lab* lab, const char* file);
/// Destroys world and model; keeps log and claims.
void lab_close(Lab* lab);
/// Releases all memory.
void lab_release(Lab* lab);

/// Sets one coordinate of lab->start. lab_place() then moves the soles to the floor and sets the
/// world to that pose; other bodies keep their poses.
void lab_set_joint(Lab* lab, const char* joint, double angle);
void lab_set_ball(Lab* lab, const char* joint, HeftQuat turn);
int lab_place(Lab* lab);
/// Lifts the robot off the ground in its current pose.
int lab_raise(Lab* lab, double up);

/// Plans a walk from the present goal into lab->walk. def may be NULL. Returns 0, with lab->error,
/// on failure.
int lab_plan_walk(Lab* lab, const HeftWalkDef* def);

/// Computes the arm of a side (0 left, 1 right) in pose[k] by inverse kinematics: a point of the
/// hand reaches a position, and a rotation if turn > 0. Returns the remaining error [m].
double lab_arm(Lab* lab, int k, int side, HeftVec3 point, HeftVec3 pos, HeftQuat quat, double turn);
/// Interpolates smoothly from pose[from] to pose[to] over a duration, into lab->goal.posture. Call
/// it in every step.
void lab_move(Lab* lab, int from, int to, double start, double takes);

/// Centre of mass, pelvis and chest of the goal follow the posture of lab_move().
void lab_follow(Lab* lab);

/// The chest of the goal is turned against the pelvis as in a posture (nq).
void lab_follow_chest(Lab* lab, const double* posture);

/// Sets the controls by the controller and its goal lab->goal, without a step.
void lab_balance(Lab* lab);
/// The same, and a step.
HeftStepReport lab_step(Lab* lab);
/// One step with servos that hold lab->goal.posture; kp, kv are multiplied by the max torque of
/// each joint.
HeftStepReport lab_step_servo(Lab* lab, double kp, double kv);
/// Sets the controls of such servos without a step.
void lab_servo(Lab* lab, double kp, double kv);
/// Records the report of a step that was taken elsewhere.
void lab_note_step(Lab* lab, const HeftStepReport* report);
/// One step with the current controls.
HeftStepReport lab_step_alone(Lab* lab);
double lab_time(const Lab* lab);
/// 1 if the short form is wanted. From then on figures are not taken for those in full.
int lab_brief(Lab* lab);
/// Prepares dynamics for the Delassus operator at q (nq). Returns its memory for a number of
/// points, by any method, to be freed by the caller; NULL on failure.
double* lab_delassus_scratch(const Lab* lab, HeftDynamics* d, const double* q, int points);
/// CPU time of this thread [us]; other load on the machine does not count.
double lab_cpu_us(void);

/// Begins a new log with these channels.
void lab_channels(Lab* lab, int count, const char* const* names);
/// Adds a row.
void lab_log(Lab* lab, const double* values);
double lab_value(const Lab* lab, int row, int channel);
/// A column of measured files has the quantity of a channel, times sign. The source "plates.fz" is
/// the sum over all force plates. cutoff: of a Butterworth filter of order 5 [Hz]; 0: none.
void lab_source(Lab* lab, const char* channel, const char* source, double sign, double cutoff);
/// Adds a channel to the log, and to the panels that have the channel beside it.
void lab_add_channel(Lab* lab, const char* name, int beside, const double* values);

/// Adds a panel with curves of the last lab_channels(): their names, ended by NULL.
void lab_panel(Lab* lab, const char* title, const char* unit, const char* const* names);
/// The last panel shows dots instead of lines.
void lab_panel_dots(Lab* lab);
/// Sets the camera of pictures [deg, m].
void lab_camera(Lab* lab, double azimuth, double elevation, double distance, HeftVec3 target);
/// Takes a picture of the current instant.
void lab_instant(Lab* lab);

/// Stores a claim, its source, the figure of Heft, and the verdict (or 1: holds, 0: fails).
__attribute__((format(printf, 5, 6))) void lab_claim(Lab* lab, int verdict, const char* claim,
                                                     const char* where, const char* format, ...);
/// Stores the claim of every experiment with the exact model.
void lab_claim_certificate(Lab* lab);
/// Stores the claim of every experiment on its steps: how many each contact model left unsolved.
void lab_claim_steps(Lab* lab);

/// Sets the contact model of the worlds opened next; options may be NULL.
void lab_use(Lab* lab, HeftContactModel model, const HeftContactOptions* options);

/// All worlds opened next have this model, whatever lab_use() and lab_use_now() ask for.
void lab_force(Lab* lab, HeftContactModel model, const HeftContactOptions* options);

/// The same for the world that is open.
int lab_use_now(Lab* lab, HeftContactModel model, const HeftContactOptions* options);

/// Finds a body, joint or site by name. An unknown name is an error of the experiment (-1, with
/// lab->error).
int lab_body(Lab* lab, const char* name);
/// The first body of the tree that a body belongs to; 0: the world.
int lab_root(const Lab* lab, int body);
int lab_dof(Lab* lab, const char* joint);

/// 1 while the robot stands: its pelvis is above half of its initial height.
int lab_upright(const Lab* lab);
/// Current centre of mass of the robot.
HeftVec3 lab_com(const Lab* lab);
/// Angle between the axis of the eyes (the site "gaze") and the line to a point [rad].
double lab_eyes_off(const Lab* lab, HeftVec3 point);
/// Force and torque about a point, in the world, that the right hand loads the forearm with, by the
/// sensors in its wrist: the load of the joint, with weight and inertia of the hand.
HeftSpatial lab_wrist_load(const Lab* lab, HeftVec3 about);
/// Weight of the robot alone [N].
double lab_weight(const Lab* lab);
/// Centre of pressure of both feet together; returns their vertical force [N].
double lab_pressure(const Lab* lab, HeftVec3* center);
/// Vertical force of the ground on a foot and its toes [N]; force may be NULL.
double lab_foot_force(const Lab* lab, int side, HeftVec3* force);

#endif
