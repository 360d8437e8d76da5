// SPDX-License-Identifier: Apache-2.0
// The robot, the ground and the contact model of [Sugihara 2006], section IV, and the walk of its
// robot in open loop. The floor of hoap_membrane.xml is rigid, with static friction 1, kinetic
// friction 0.4 and no rebound, under a membrane of 0.5 mm with k = 5512 N/m and c = 158 N s/m.
//
// The figures of the source are conditions on measurements, here, for the experiments that show one
// of them and for `region`, which looks for a setting that shows all.
#ifndef HEFT_EXPERIMENTS_MEMBRANE_H
#define HEFT_EXPERIMENTS_MEMBRANE_H

#include "experiments/lab.h"
#include "experiments/open_loop.h"

/// The settings that the source does not state.
typedef struct Setting {
  int vertices;       ///< of a sole: studs around an ellipse; 0: the four corners of its box
  double reach;       ///< axes of that ellipse, over those of the sole
  double armature;    ///< of the joints, over that of the model file
  double gains;       ///< of the drives, over those of the other experiments
  double slip_speed;  ///< ε, "a tiny value": points slower than this may stick [m/s]
  int stays;          ///< 1: a membrane that a point has passed through continues to push it
} Setting;

/// That of all experiments but `region`. With ε of 1 mm/s and less, points of its soles never
/// stick: kinetic friction carries their slip over it in one step.
extern const Setting setting_usual;

/// Opens a model with this floor (hoap_like.xml, hoap_membrane.xml) and the robot of a setting.
/// Returns 0, with lab->error, on failure.
int setting_open(Lab* lab, const Setting* s, const char* file);
LabDrives setting_drives(const Setting* s);

/// The text of that model, to be freed by the caller; NULL, with
/// lab->error, on failure.
char* setting_text(Lab* lab, const Setting* s, const char* file);

/// micro_macro with λ in its own unit, 1/kg².
HeftContactOptions membrane_options(const Setting* s, double lambda);

/// Steps of the small robot: their number, planned into lab->walk and lab->motion, from the pose at
/// rest. Returns 0, with lab->error, on failure.
int membrane_plan_walk(Lab* lab, int steps);
/// Sets the controls of the coming step: drives that follow the planned motion.
void membrane_walk(Lab* lab, const Setting* s);

// ---- measurements, by the experiments `drop`, `lambda` and `slip`

enum { MEMBRANE_WEIGHTS = 5 };  ///< λ of 0.01, 0.1, 1, 4 and 7

typedef struct DropMeasure {
  double exact_leap[2];  ///< highest after landing, at steps of 1 and 2.5 ms [m]
  double old_leap[2], new_leap[2];
} DropMeasure;

typedef struct StandMeasure {
  double rough[MEMBRANE_WEIGHTS];   ///< mean change of the force of a vertex in a step [N]
  double uneven[MEMBRANE_WEIGHTS];  ///< share of a sole's force beside a plane over its vertices
  double sunk[MEMBRANE_WEIGHTS];    ///< depth of the soles at the end [m]
} StandMeasure;

typedef struct WalkMeasure {
  int upright[2];                 ///< with static friction and without
  double apart, sway, dither[2];  ///< of the paths [m]; of the acceleration [m/s²]
  double deepest;                 ///< of the soles, with static friction [m]
} WalkMeasure;

int drop_measure(Lab* lab, const Setting* s, DropMeasure* out);
/// Under λ = 4 and 7 for a time, under the others for a second.
int stand_measure(Lab* lab, const Setting* s, double seconds, StandMeasure* out);
int walk_measure(Lab* lab, const Setting* s, int steps, WalkMeasure* out);

// ---- what the source shows

int drop_stays(double leap);                        ///< the robot does not leap
int shows_figure_6(const DropMeasure* m);           ///< at 2.5 ms the old damper leaps, the new not
int shows_figure_7(const StandMeasure* m);          ///< forces get smoother up to λ = 4
int shows_figure_8(const StandMeasure* m);          ///< a sole's forces even out up to λ = 4
int shows_sinking_at_seven(const StandMeasure* m);  ///< it stands up to 4 and penetrates at 7
int shows_figure_9(const WalkMeasure* m);           ///< like paths; without static friction dither
int walks_on_soles(double deepest);                 ///< they sink by less than their thickness

#endif
