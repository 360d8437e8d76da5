// SPDX-License-Identifier: Apache-2.0
// The validation set: cases with exact solutions. Each case opens a scene, steps the engine, and
// reports rows: the quantity, its exact value, the value of the engine, the error and its limit.
#ifndef HEFT_VALIDATION_CASES_H
#define HEFT_VALIDATION_CASES_H

#include "validation/engine.h"

enum { ROW_TEXT = 96 };

typedef struct Row {
  const char* engine;
  const char* name;     ///< of the case
  char what[ROW_TEXT];  ///< the quantity, with its unit
  double exact, figure;
  double error, limit;  ///< fails if error > limit
} Row;

typedef void RowSink(void* user, const Row* row);
typedef void ProgressSink(void* user, const char* what, double share);

/// One case that runs on one engine.
typedef struct Run {
  Engine* engine;
  const char* scenes;  ///< folder of the scene files
  const char* data;    ///< folder of measurements; NULL: none
  const char* name;    ///< of the case
  int full;            ///< 1: the long form
  RowSink* sink;
  ProgressSink* progress;  ///< may be NULL
  void* user;
} Run;

typedef enum CaseGroup {
  CASE_THEORY,
  CASE_USERS,
  CASE_SIMBENCH,
  CASE_CAMPAIGNS,
  CASE_REALITY,  ///< only if it is named: needs measurements
  CASE_GROUP_COUNT
} CaseGroup;

typedef struct Case {
  const char *name, *text;
  CaseGroup group;
  int peers;  ///< 1: other engines run it, too
  int slow;   ///< 1: only in the long form, or if it is named
  void (*run)(Run* run);
} Case;

/// All cases, in the order of the table.
extern const Case cases[];
extern const int case_count;

/// Opens a scene by name. 0 on failure, with the reason of the engine.
int run_open(Run* run, const char* scene, const EngineSettings* settings);
/// Opens a scene that is given as text, by way of a file in the folder for temporary files, so that
/// other engines read the same text.
int run_open_text(Run* run, const char* text, size_t length, const EngineSettings* settings);
/// Opens a model that a case has built, which the engine owns from now on; Heft alone. model may be
/// NULL: then error has the reason. 0 on failure.
int run_open_model(Run* run, HeftModel* model, const HeftWorldDef* def, const HeftError* error);
void run_close(Run* run);
void run_step(Run* run, int count);
EngineBody run_body(Run* run, int body);
void run_place(Run* run, int body, EngineBody state);
/// Sets the first joint velocities.
void run_spin(Run* run, const double* v, int count);
/// Kinetic plus potential energy [J]; NaN if the engine cannot tell. kinetic may be NULL.
double run_energy(Run* run, double* kinetic);
/// Reports the progress of a long case.
void run_progress(Run* run, double share);

/// Reports a row with the absolute error, with the relative error, and with a given error.
void run_report(Run* run, const char* what, double exact, double figure, double limit);
void run_report_relative(Run* run, const char* what, double exact, double figure, double limit);
void run_report_error(Run* run, const char* what, double exact, double figure, double error,
                      double limit);

/// Gravity of 9.81 m/s² rotated by atan(slope) towards x: a floor becomes a slope.
void settings_lean(EngineSettings* settings, double slope);

#define CASE_GRAVITY 9.81

/// MJCF: joints of motion in the plane of x and z.
#define CASE_PLANAR                                                                              \
  "<joint type=\"slide\" axis=\"1 0 0\"/><joint type=\"slide\" axis=\"0 0 1\"/><joint axis=\"0 " \
  "1 0\"/>"

// The cases, by file.
void case_slope(Run* run);
void case_creep(Run* run);
void case_slide(Run* run);
void case_roll(Run* run);
void case_round(Run* run);
void case_bounce(Run* run);
void case_cradle(Run* run);
void case_rocking(Run* run);
void case_painleve(Run* run);
void case_table(Run* run);
void case_cards(Run* run);
void case_disk(Run* run);
void case_stack(Run* run);
void case_chain(Run* run);
void case_tumbler(Run* run);
void case_moved(Run* run);
void case_identify(Run* run);
void case_static(Run* run);
void case_order(Run* run);
void case_capstan(Run* run);
void case_nut(Run* run);
void case_collar(Run* run);
void case_equilibrium(Run* run);
void case_repose(Run* run);
void case_rollers(Run* run);
void case_incline_roll(Run* run);
void case_billiards(Run* run);
void case_spheres(Run* run);
void case_leaving(Run* run);
void case_moving_wedge(Run* run);
void case_top(Run* run);
void case_tippe(Run* run);
void case_squeezer(Run* run);
void case_stick_slip(Run* run);
void case_silo(Run* run);
void case_rack(Run* run);
void case_dominoes(Run* run);
void case_governor(Run* run);
void case_bricard(Run* run);
void case_squeal(Run* run);
void case_flip(Run* run);
void case_rattleback(Run* run);
void case_gradients(Run* run);
void case_ledger(Run* run);
void case_pendulum(Run* run);
void case_soft(Run* run);
void case_solref(Run* run);
void case_deform(Run* run);
void case_fluid(Run* run);

void case_tosses(Run* run);
void case_drops(Run* run);
void case_cassie(Run* run);
void case_forecast(Run* run);
void case_hidden(Run* run);

void case_pinch(Run* run);
void case_throw(Run* run);
void case_wall(Run* run);
void case_headings(Run* run);
void case_ratios(Run* run);
void case_hand(Run* run);
void case_silence(Run* run);
void case_incline(Run* run);
void case_foot(Run* run);
void case_feet(Run* run);
void case_fall(Run* run);
void case_inertia(Run* run);

void case_sb_rolling(Run* run);
void case_sb_bouncing(Run* run);
void case_sb_666(Run* run);
void case_sb_elastic(Run* run);
void case_sb_pd(Run* run);
void case_sb_momentum(Run* run);
void case_sb_energy(Run* run);
void case_sb_kapla(Run* run);

void case_chains(Run* run);
void case_seams(Run* run);
void case_foils(Run* run);
void case_tunnel(Run* run);
void case_energy(Run* run);
void case_impacts(Run* run);
void case_rest(Run* run);
void case_models(Run* run);

void case_cup(Run* run);
void case_hook(Run* run);
void case_rings(Run* run);
void case_bolt(Run* run);
void case_gears(Run* run);
void case_mesh_rings(Run* run);
void case_mesh_cup(Run* run);
void case_piece_cup(Run* run);
void case_piece_hook(Run* run);
void case_pieces(Run* run);
void case_sole(Run* run);

// Of builds with the device library.
void case_soak(Run* run);
void case_lateness(Run* run);
void case_poke(Run* run);

#endif
