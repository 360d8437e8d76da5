// SPDX-License-Identifier: Apache-2.0
// The laboratory in which experiments happen: a model, a world and a controller, what was logged,
// and which claims held.
#ifndef HEFT_EXPERIMENTS_LAB_H
#define HEFT_EXPERIMENTS_LAB_H

#include <heft/control.h>
#include <heft/heft.h>

enum {
  LAB_CHANNELS_MAX = 24,
  LAB_CLAIMS_MAX = 32,
  LAB_PANELS_MAX = 6,
  LAB_POSES_MAX = 10,
  LAB_TEXT = 200,
  LAB_ERROR = 640
};

typedef enum LabVerdict {
  LAB_FAILS,   ///< a mistake of ours until it is explained
  LAB_HOLDS,   ///< as claimed
  LAB_DIFFERS  ///< not as claimed by others; the experiment's head says what was found
} LabVerdict;

/// One sentence that was checked.
typedef struct LabClaim {
  char claim[LAB_TEXT], where[LAB_TEXT], figure[LAB_TEXT];
  LabVerdict verdict;
} LabClaim;

/// What an experiment writes down over time: rows of channel_count numbers, time first.
typedef struct LabLog {
  int channel_count, rows, room;
  char name[LAB_CHANNELS_MAX][32];
  double* data;
} LabLog;

/// Curves that are drawn together.
typedef struct LabPanel {
  char title[64], unit[32];
  int channel[8], count;
} LabPanel;

/// A person's hand in the world, for pictures.
typedef struct LabHand {
  int present;
  HeftVec3 pos, force;  ///< where it is, and what it feels [m, N]
} LabHand;

typedef struct Lab Lab;
struct Lab {
  const char* folder;  ///< where the models are
  int brief;           ///< 1: the short form, for tests that run often
  uint64_t seed;       ///< 0: as described; else a perturbed start, by 2 mm and 1 degree
  HeftWorldDef def;    ///< how worlds are made

  HeftModel* model;  ///< of the world that is open
  HeftWorld* world;
  HeftBiped* biped;             ///< NULL where the model has no two feet
  HeftBipedGoal goal;           ///< what it should do
  double* start;                ///< nq: the pose at the start
  double* pose[LAB_POSES_MAX];  ///< nq: poses of the experiment; at first all as the start
  HeftDynamics* sketch;         ///< for poses that are not the world's
  double *posture, *rate;       ///< nq, nv: what lab_move() makes of them
  double gravity;               ///< [m/s²]

  LabHand hand[2];  ///< of people, where there are any
  LabLog log;
  LabClaim claim[LAB_CLAIMS_MAX];
  int claims, failed, differ;
  double worst_relative, worst_residual;  ///< certificate, of all steps of all worlds so far
  long steps, uncertified;                ///< steps, and those whose relative residual is >= 1e-6
  int troubled;                           ///< steps that were rolled back
  double other_relative;                  ///< worst certificate of models other than the exact one
  int success;                            ///< 1: the robot did what it should
  LabPanel panel[LAB_PANELS_MAX];
  int panels;
  double camera[6];  ///< azimuth, elevation [deg], distance, target [m]; distance 0: chosen
  void (*picture)(Lab* lab, void* user);  ///< asked to draw the present moment; may be NULL
  void* user;                             ///< handed to it
  char error[LAB_ERROR];                  ///< why nothing could be done; empty if all went well
};

/// Joints by name and the angle [rad] at the start.
typedef struct LabAngle {
  const char* joint;
  double angle;
} LabAngle;

/// A laboratory with models from a folder, and the settings of all experiments.
Lab lab_make(const char* folder);
/// Loads a model and puts it in a pose, soles on the floor. angles ends with a NULL joint and may
/// be NULL. Returns 0, with lab->error, if that does not work.
int lab_open(Lab* lab, const char* file, const LabAngle* angles);
/// The same with a model that is text, not a file.
int lab_open_text(Lab* lab, const char* text, const LabAngle* angles);
/// The text of a model's file, to be freed; NULL, with lab->error, if it cannot be read.
char* lab_read(Lab* lab, const char* file);
/// Forgets world and model; log and claims stay.
void lab_close(Lab* lab);
/// Gives everything back.
void lab_release(Lab* lab);

/// Sets one coordinate of lab->start; lab_place() then puts the robot's soles on the floor and the
/// world into that pose. object bodies keep their places.
void lab_set_joint(Lab* lab, const char* joint, double angle);
void lab_set_ball(Lab* lab, const char* joint, HeftQuat turn);
int lab_place(Lab* lab);
/// Lifts the robot off the ground, as it is now.
int lab_raise(Lab* lab, double up);

/// Moves the arm of a side (0 left, 1 right) in pose[k] until a point of its hand is where it
/// should be, and turned as wanted (turn > 0). Returns the error that is left [m].
double lab_arm(Lab* lab, int k, int side, HeftVec3 point, HeftVec3 pos, HeftQuat quat, double turn);
/// The joints of pose[from] go to those of pose[to], smoothly from start, taking so long: into
/// lab->goal.posture. Call it every step.
void lab_move(Lab* lab, int from, int to, double start, double takes);

/// Centre of mass, pelvis and chest of the goal follow the posture of lab_move().
void lab_follow(Lab* lab);

/// One step with the controller at work towards lab->goal.
HeftStepReport lab_step(Lab* lab);
/// One step with servos that hold lab->goal.posture: kp, kv per unit of each joint's strongest
/// torque.
HeftStepReport lab_step_servo(Lab* lab, double kp, double kv);
/// The controls of such servos, without a step.
void lab_servo(Lab* lab, double kp, double kv);
/// Records the report of a step that was taken elsewhere.
void lab_note_step(Lab* lab, const HeftStepReport* report);
/// One step with controls as they are.
HeftStepReport lab_step_alone(Lab* lab);
double lab_time(const Lab* lab);

/// Names the channels of the log; begins a new one.
void lab_channels(Lab* lab, int count, const char* const* names);
/// Adds a row.
void lab_log(Lab* lab, const double* values);
double lab_value(const Lab* lab, int row, int channel);

/// Curves of the last lab_channels() to be drawn in one panel: their names, ended by NULL.
void lab_panel(Lab* lab, const char* title, const char* unit, const char* const* names);
/// Where pictures are taken from [deg, m].
void lab_camera(Lab* lab, double azimuth, double elevation, double distance, HeftVec3 target);
/// A moment worth a picture.
void lab_instant(Lab* lab);

/// Notes a claim, where it is made, our figure, and the verdict (or 1: holds, 0: fails).
__attribute__((format(printf, 5, 6))) void lab_claim(Lab* lab, int verdict, const char* claim,
                                                     const char* where, const char* format, ...);
/// The claim that every experiment with the exact model makes.
void lab_claim_certificate(Lab* lab);

/// The contact model of worlds that are opened from now on; options may be NULL.
void lab_use(Lab* lab, HeftContactModel model, const HeftContactOptions* options);

/// Body, joint or site by name; a name that is not there is a mistake of the experiment (-1, and
/// lab->error).
int lab_body(Lab* lab, const char* name);
int lab_dof(Lab* lab, const char* joint);

/// 1 while the robot stands: its pelvis is above half of the height it started at.
int lab_upright(const Lab* lab);
/// Centre of mass of the robot, now.
HeftVec3 lab_com(const Lab* lab);
/// Of the robot alone [N].
double lab_weight(const Lab* lab);
/// Centre of pressure of both feet together; returns their vertical force [N].
double lab_pressure(const Lab* lab, HeftVec3* center);
/// Vertical force of the ground on a foot and its toes [N]; force may be NULL.
double lab_foot_force(const Lab* lab, int side, HeftVec3* force);

#endif
