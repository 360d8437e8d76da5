// SPDX-License-Identifier: Apache-2.0
// The laboratory in which experiments happen: a model, a world and a controller, what was logged,
// and which claims held.
#ifndef HEFT_EXPERIMENTS_LAB_H
#define HEFT_EXPERIMENTS_LAB_H

#include <heft/control.h>
#include <heft/heft.h>

enum { LAB_CHANNELS_MOST = 24, LAB_CLAIMS_MOST = 32, LAB_TEXT = 200, LAB_ERROR = 640 };

/// One sentence that was checked.
typedef struct LabClaim {
  char claim[LAB_TEXT], where[LAB_TEXT], figure[LAB_TEXT];
  int holds;
} LabClaim;

/// What an experiment writes down over time: rows of channel_count numbers, time first.
typedef struct LabLog {
  int channel_count, rows, room;
  char name[LAB_CHANNELS_MOST][32];
  double* data;
} LabLog;

typedef struct Lab {
  const char* folder;  ///< where the models are
  int brief;           ///< 1: the short form, for tests that run often
  uint64_t seed;       ///< 0: as described; else a perturbed start, by 2 mm and 1 degree
  HeftWorldDef def;    ///< how worlds are made

  HeftModel* model;  ///< of the world that is open
  HeftWorld* world;
  HeftBiped* biped;      ///< NULL where the model has no two feet
  HeftBipedGoal goal;    ///< what it should do
  double *start, *work;  ///< nq: the pose at the start, and room for one
  double gravity;        ///< [m/s²]

  LabLog log;
  LabClaim claim[LAB_CLAIMS_MOST];
  int claims, failed;
  double worst_relative, worst_residual;  ///< certificate, of all steps of all worlds so far
  long steps, uncertified;                ///< steps, and those whose relative residual is >= 1e-6
  int troubled;                           ///< steps that were rolled back
  char error[LAB_ERROR];                  ///< why nothing could be done; empty if all went well
} Lab;

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
/// Forgets world and model; log and claims stay.
void lab_close(Lab* lab);
/// Gives everything back.
void lab_release(Lab* lab);

/// Sets one coordinate of lab->start; lab_place() then puts the robot's soles on the floor and the
/// world into that pose. object bodies keep their places.
void lab_set_joint(Lab* lab, const char* joint, double angle);
int lab_place(Lab* lab);

/// One step with the controller at work towards lab->goal.
HeftStepReport lab_step(Lab* lab);
/// One step with controls as they are.
HeftStepReport lab_step_alone(Lab* lab);
double lab_time(const Lab* lab);

/// Names the channels of the log; begins a new one.
void lab_channels(Lab* lab, int count, const char* const* names);
/// Adds a row.
void lab_log(Lab* lab, const double* values);
double lab_value(const Lab* lab, int row, int channel);

/// Notes a claim, where it is made, our figure, and whether it holds.
__attribute__((format(printf, 5, 6))) void lab_claim(Lab* lab, int holds, const char* claim,
                                                     const char* where, const char* format, ...);
/// The claim that every experiment with the exact model makes.
void lab_claim_certificate(Lab* lab);

/// Body, joint or site by name; a name that is not there is a mistake of the experiment (-1, and
/// lab->error).
int lab_body(Lab* lab, const char* name);
int lab_dof(Lab* lab, const char* joint);

/// 1 while the robot stands: its pelvis is above half of the height it started at.
int lab_upright(const Lab* lab);
/// Vertical force of the ground on a foot [N].
double lab_foot_force(const Lab* lab, int side, HeftVec3* force);

#endif
