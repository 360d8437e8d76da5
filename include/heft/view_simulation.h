// SPDX-License-Identifier: Apache-2.0
/// @file view_simulation.h
/// A simulation in a thread of its own. The drawing thread reads frames from it and sends commands
/// to it; neither thread waits for the other.
#ifndef HEFT_VIEW_SIMULATION_H
#define HEFT_VIEW_SIMULATION_H

#include <heft/view_picture.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- simulation: a world in a thread of its own

typedef struct HeftSimulation HeftSimulation;

/// Settings that can change while the simulation runs. A change creates a new world with the
/// current state and clears the timeline.
typedef struct HeftSimulationSettings {
  double friction;     ///< factor of all coefficients
  double restitution;  ///< of all materials; negative: from the model
  double gravity;      ///< factor
  double time_step;    ///< [s]; 0: from the model
  double tolerance;    ///< as in HeftWorldDef
  double hold;         ///< stiffness of springs that hold the joints: at 1 robots stand, 0: none
  HeftContactModel contact_model;  ///< FROM_FILE: from the model
  HeftContactOptions contact_options;
} HeftSimulationSettings;

HEFT_API HeftSimulationSettings heft_simulation_settings_default(void);

/// Users with devices: the servo, and the probe and mapping of each user. The caller owns the
/// servo, which must outlive the simulation.
typedef struct HeftUsers {
  HeftServo* servo;
  int count;
  HeftProbeDef probe[HEFT_SERVO_DEVICES];
  HeftMapping mapping[HEFT_SERVO_DEVICES];
  char name[HEFT_SERVO_DEVICES][64];  ///< of the devices
  double begins;                      ///< simulated time from which on users act [s]
  int fixed;                          ///< 1: the mapping does not turn with the camera
} HeftUsers;

/// A user at an instant.
typedef struct HeftUser {
  HeftProbeInput input;
  HeftProbeState state;
} HeftUser;

/// Records the inputs of users for replay. The functions are called from the thread of the
/// simulation.
typedef struct HeftRecorder {
  void* user;
  /// Begins a file with the current state. Returns 0 on failure.
  int (*begin)(void* user, const char* path, HeftWorld* world, HeftSession* session,
               double time_step);
  /// After each step.
  void (*step)(void* user, const HeftStepReport* report);
  /// Returns 0 if a write failed.
  int (*end)(void* user);
  /// After a change of the world, before the next step. Objects make another world and session.
  /// NULL: changes end the recording.
  void (*change)(void* user, const HeftChange* change, HeftWorld* world, HeftSession* session);
} HeftRecorder;

typedef struct HeftSimulationDef {
  HeftAllocator allocator;
  HeftSimulationSettings settings;
  int key;                 ///< initial keyframe, or -1: the pose in the file
  int running;             ///< 1: run from the beginning
  double snapshot_every;   ///< simulated time between snapshots [s]
  size_t timeline_bytes;   ///< memory for snapshots
  int contact_capacity;    ///< max contacts of a frame
  const HeftUsers* users;  ///< or NULL; copied
  /// Plug-ins that act in the world, or NULL. The caller owns them, and leaves them to the thread
  /// until the simulation is destroyed. Files that change are loaded again.
  HeftPluginSet* plugins;
  int deadline;  ///< 1: running steps end in time for the speed that is asked for, if need be before
                 ///< they meet the tolerance; HeftViewFrame::recent_cut counts them. 0: the motion
                 ///< is slower instead
} HeftSimulationDef;

HEFT_API HeftSimulationDef heft_simulation_def_default(void);

/// A damped spring between a body and a point of the world, integrated implicitly.
typedef struct HeftGrab {
  int body;          ///< -1: none
  HeftVec3 point;    ///< in the frame of the body [m]
  HeftVec3 target;   ///< end of the spring, in the world [m]
  double force_max;  ///< largest force [N]; 0: 30 times the weight of what is joined to the body
} HeftGrab;

/// Quantities of one step, for plots: X(name, text, unit).
#define HEFT_PLOT_LIST(X)                                             \
  X(HEFT_PLOT_RESIDUAL, "residual", "m/s")                            \
  X(HEFT_PLOT_ENERGY, "energy", "J")                                  \
  X(HEFT_PLOT_KINETIC, "kinetic energy", "J")                         \
  X(HEFT_PLOT_GROUND_FORCE, "force on the ground", "N")               \
  X(HEFT_PLOT_CONTACTS, "contacts", "")                               \
  X(HEFT_PLOT_PENETRATION, "penetration", "m")                        \
  X(HEFT_PLOT_EFFORT, "solver effort", "sweeps")                      \
  X(HEFT_PLOT_STEP_TIME, "step time", "us")                           \
  X(HEFT_PLOT_HAND, "force of the hand", "N")                         \
  X(HEFT_PLOT_COM_HEIGHT, "height of the centre of mass", "m")        \
  X(HEFT_PLOT_CHOSEN_Q, "position of the chosen dof", "m, rad")       \
  X(HEFT_PLOT_CHOSEN_V, "velocity of the chosen dof", "m/s, rad/s")   \
  X(HEFT_PLOT_CHOSEN_FORCE, "force of the chosen actuator", "N, N m") \
  X(HEFT_PLOT_INEXACT, "inexact islands", "")                         \
  X(HEFT_PLOT_DROPPED, "dropped contact points", "")                  \
  X(HEFT_PLOT_PEAK_PRESSURE, "peak pressure of areas", "Pa")          \
  X(HEFT_PLOT_FRICTION_NEEDED, "share of friction needed", "")

typedef enum HeftPlot { HEFT_PLOT_LIST(HEFT_ENUM_ENTRY) HEFT_PLOT_COUNT } HeftPlot;
HEFT_API const char* heft_plot_name(HeftPlot plot);
HEFT_API const char* heft_plot_unit(HeftPlot plot);

enum {
  HEFT_FRAME_SAMPLES = 512,
  HEFT_FRAME_PLUGINS = 8,  ///< plug-ins whose options and values a frame shows
  HEFT_FRAME_FIELDS = 16,  ///< options of a plug-in that it shows; values of all plug-ins
  HEFT_FRAME_MARKS = 512   ///< marks that plug-ins draw
};

typedef struct HeftSample {
  double time;  ///< [s]
  float value[HEFT_PLOT_COUNT];
  float plugin_value[HEFT_FRAME_FIELDS];  ///< in the order of HeftViewFrame::plugin_value
} HeftSample;

/// An option or a value of a plug-in, as text and numbers: the plug-in itself may be loaded again
/// while the frame is drawn.
typedef struct HeftFrameField {
  char name[40], unit[16], meaning[96];
  double min, max, value;
} HeftFrameField;

/// A plug-in of the simulation.
typedef struct HeftFramePlugin {
  char name[40], help[96];
  HeftFrameField option[HEFT_FRAME_FIELDS];
  int option_count;
} HeftFramePlugin;

/// One instant of a simulation, with its report.
typedef struct HeftViewFrame {
  double time;  ///< [s]
  long step;
  double *q, *v, *controls;  ///< nq, nv, nactuator
  double* ghost_q;           ///< nq, if ghost
  int ghost;                 ///< 1: a second world runs
  int deadline;              ///< 1: on, see HeftSimulationDef
  HeftContact* contact;
  int contact_count;
  HeftStepReport report;
  uint64_t hash;
  int running;
  double factor;                            ///< commanded ratio of simulated time to real time
  double achieved;                          ///< measured ratio over the last half second
  double step_p50, step_p99, step_longest;  ///< time of a step since the start [us]
  double real_factor;   ///< measured ratio since the last start or change of the factor
  double first, last;   ///< times between which rewinding is possible [s]
  long same, branched;  ///< snapshots reached again with the same hash, and with another
  HeftGrab grab;
  HeftVec3 grab_from, grab_force;  ///< point and force of the grab [m, N]
  HeftUser person[HEFT_SERVO_DEVICES];
  int user_count;
  int recording;        ///< 1: a session is being recorded
  long recorded;        ///< steps of the current or the last session
  uint64_t last_hash;   ///< of the state after the last recorded step
  int recordings;       ///< number of finished sessions
  char record_end[96];  ///< reason why the last session ended or did not begin
  HeftSimulationSettings settings;
  HeftSample sample[HEFT_FRAME_SAMPLES];
  int sample_count;     ///< samples since the last frame
  char trouble[320];    ///< error message, or ""
  HeftStepTally tally;  ///< of all steps since the start or the last reset
  HeftFramePlugin plugin[HEFT_FRAME_PLUGINS];
  int plugin_count;
  HeftFrameField plugin_value[HEFT_FRAME_FIELDS];  ///< of all plug-ins; names are "trot height"
  int plugin_value_count;
  long plugin_reloads;  ///< number of times that a plug-in was loaded again
  HeftMarks plugin_marks;
  double *moved, *ghost_moved;  ///< nmoved x 13: moved bodies, as HeftState; of the ghost, if ghost
  double* actuator_forces;      ///< nactuator [N, N m]
  long row_count;               ///< rows of a recorded run; 0: this is none. step is then the row
  long seeks;                   ///< number of rewinds that were executed
  HeftSample other_sample[HEFT_FRAME_SAMPLES];  ///< of the second run, as many as sample
  double ghost_distance;  ///< largest distance of a body from the ghost's, if ghost [m]
  long recent_steps;      ///< steps of about the last second (two measured halves)
  long recent_cut;        ///< those among them that a deadline cut (HeftStepReport::cut)
  double recent_worst;    ///< largest relative residual of those
  /// heft_world_friction_needed() of the stance of each body (nbody), if heft_simulation_margins()
  /// asks for it; -1: not known, or nothing touches it. At most 64 contact points are asked, for a
  /// tenth of the time.
  double* friction_needed;
} HeftViewFrame;

/// A recorded run, as a table of functions. Rows are in the order of time.
typedef struct HeftRecording {
  void* user;
  long row_count;                        ///< at least 1
  double (*time)(void* user, long row);  ///< of a row [s]
  /// Fills time, q, v, moved, controls, actuator_forces, contacts (at most contact_capacity),
  /// report and plugin_value of a frame. Returns 0 if the row is damaged.
  int (*read)(void* user, long row, HeftViewFrame* frame, int contact_capacity);
  const char* folder;  ///< of the images of textures; NULL: folder of HeftViewerDef::path
} HeftRecording;

/// A simulation without a thread and without a world of its own: it shows a world that the caller
/// steps. Of the commands, running and pausing, the factor of time, pulling, impulses, controls and
/// the choice of plots have an effect. Settings, plug-ins and users of the def are ignored.
HEFT_API HeftStatus heft_simulation_create_passive(HeftSimulation** out, const HeftModel* model,
                                                   const HeftSimulationDef* def, HeftError* error);
/// After each step of the caller: passes the state of the world to the drawing thread, if a picture
/// is due, and applies pulls and impulses of the user to the next step. Takes no longer than
/// copying the state. report may be NULL.
HEFT_API void heft_simulation_sync(HeftSimulation* simulation, HeftWorld* world,
                                   const HeftStepReport* report);

/// A simulation without a world: it shows a recorded run, and a second one of the same bodies as a
/// ghost; other may be NULL. Of the commands, running and pausing, stepping, the factor of time,
/// restarting, rewinding and the choice of plots have an effect. The recordings must outlive it;
/// only its thread reads them. Of def, allocator, running and contact_capacity count.
HEFT_API HeftStatus heft_simulation_create_recorded(HeftSimulation** out, const HeftModel* model,
                                                    const HeftRecording* recording,
                                                    const HeftRecording* other,
                                                    const HeftSimulationDef* def, HeftError* error);

/// Waits until the next step of a passive simulation is due: by the clock, by the speed and the
/// pause that the user chose. Returns false if this time [s] passes first.
HEFT_API bool heft_simulation_wait(HeftSimulation* simulation, double max_seconds);

/// Starts the thread. The model must outlive it. *out is NULL on failure. error may be NULL.
HEFT_API HeftStatus heft_simulation_create(HeftSimulation** out, const HeftModel* model,
                                           const HeftSimulationDef* def, HeftError* error);
/// Ends the thread. NULL is allowed.
HEFT_API void heft_simulation_destroy(HeftSimulation* simulation);
/// The latest frame; lives until the next call. *fresh is 1 if it was not seen before; fresh may be
/// NULL. For one thread.
HEFT_API const HeftViewFrame* heft_simulation_frame(HeftSimulation* simulation, int* fresh);

// Commands: from any thread; executed before the next step. Each returns false if the queue of
// commands is full.
HEFT_API bool heft_simulation_run(HeftSimulation* simulation, int running);
HEFT_API bool heft_simulation_step(HeftSimulation* simulation, int steps);
/// Sets the ratio of simulated time to real time.
HEFT_API bool heft_simulation_factor(HeftSimulation* simulation, double factor);
/// Restarts from a keyframe, or from the pose in the file (-1).
HEFT_API bool heft_simulation_reset(HeftSimulation* simulation, int key);
/// Goes to a time of the timeline and pauses.
HEFT_API bool heft_simulation_rewind(HeftSimulation* simulation, double time);
HEFT_API bool heft_simulation_grab(HeftSimulation* simulation, const HeftGrab* grab);
/// Applies an impulse [N s] to a body at a point of the world.
HEFT_API bool heft_simulation_apply_impulse(HeftSimulation* simulation, int body, HeftVec3 point,
                                            HeftVec3 impulse);
HEFT_API bool heft_simulation_control(HeftSimulation* simulation, int actuator, double value);
/// Sets the target of the springs of `hold` for a coordinate of q.
HEFT_API bool heft_simulation_target(HeftSimulation* simulation, int q, double value);
HEFT_API bool heft_simulation_set_settings(HeftSimulation* simulation,
                                           const HeftSimulationSettings* settings);
/// Turns deadlines on (1) or off (0), see HeftSimulationDef. Rewinding across steps that were cut
/// reaches snapshots only.
HEFT_API bool heft_simulation_set_deadline(HeftSimulation* simulation, int on);
/// 1: starts a second world with the current state and settings, which it keeps; 0: ends it.
HEFT_API bool heft_simulation_ghost(HeftSimulation* simulation, int on);
/// Replaces the users; NULL: none. Waits until the thread no longer uses the former servo, which
/// may be destroyed then. For 0.1 s the probes are absent.
HEFT_API void heft_simulation_set_users(HeftSimulation* simulation, const HeftUsers* users);
/// Starts recording a session to a file; path NULL: ends it. While a session is recorded, only
/// devices act: mouse, controls and targets have no effect. Rewinding or new settings end the
/// recording. The model must be unchanged from its file: see record_end of the frame. recorder is
/// copied.
HEFT_API bool heft_simulation_record(HeftSimulation* simulation, const HeftRecorder* recorder,
                                     const char* path);
/// Changes a parameter of the world, which keeps its state. The timeline starts again. A recording
/// goes on, and contains the change.
HEFT_API bool heft_simulation_change(HeftSimulation* simulation, const HeftChange* change);
/// Replaces the model by a changed one (heft_model_apply_change()), in which the world goes on
/// (heft_world_transfer()). Waits until the thread no longer uses the former model, which may be
/// destroyed then, and frames that were taken are invalid. On failure everything stays as it was.
/// Users are absent for 0.1 s. error may be NULL.
HEFT_API HeftStatus heft_simulation_change_model(HeftSimulation* simulation, const HeftModel* model,
                                                 const HeftChange* change, HeftError* error);
/// Sets option k of plug-in i. A value outside of its range has no effect.
HEFT_API bool heft_simulation_plugin_option(HeftSimulation* simulation, int i, int k, double value);
/// Selects the dof and the actuator of the plots.
HEFT_API bool heft_simulation_choose(HeftSimulation* simulation, int dof, int actuator);
/// Finds HeftViewFrame::friction_needed from now on, or no longer.
HEFT_API bool heft_simulation_margins(HeftSimulation* simulation, bool on);

#ifdef __cplusplus
}
#endif
#endif
