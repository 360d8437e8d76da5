// SPDX-License-Identifier: Apache-2.0
/// @file view.h
/// Pictures of a model: a camera, a renderer, marks that show forces, a simulation in a thread of
/// its own, and a window that combines them.
///
/// - A library of its own, `heft_view`, because it needs OpenGL 3.3 (libepoxy), EGL, libpng, SDL2
///   and Dear ImGui. The core does not depend on it.
/// - Heft's memory comes from the allocator of the def; OpenGL, SDL2 and ImGui use the C library.
/// - A renderer belongs to the thread whose OpenGL context is current when it is created.
/// - A HeftSimulation steps its world in its own thread. The drawing thread reads frames from it
///   and sends commands to it; neither thread waits for the other.
#ifndef HEFT_VIEW_H
#define HEFT_VIEW_H

#include <heft/access.h>
#include <heft/device.h>
#include <heft/dynamics.h>
#include <heft/model.h>
#include <heft/plugin.h>
#include <heft/world.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- images

/// Rows from the top, three bytes per pixel: red, green, blue. Plain data; the creator of the
/// pixels owns them.
typedef struct HeftImage {
  int width, height;
  unsigned char* pixels;
} HeftImage;

HEFT_API HeftStatus heft_image_write_png(const HeftImage* image, const char* path,
                                         HeftError* error);
/// Draws a line of ASCII text into an image; (x, y) is its upper left corner [pixels], size the
/// height of the letters [pixels], color 0xRRGGBB. Parts outside of the image are cut off.
HEFT_API HeftStatus heft_image_draw_text(HeftImage* image, int x, int y, double size,
                                         uint32_t color, const char* text, HeftError* error);

// ---- OpenGL without a window

typedef struct HeftHeadless HeftHeadless;

/// Makes an OpenGL 3.3 context without a display current in this thread. *out is NULL on failure,
/// and error names the package to install.
HEFT_API HeftStatus heft_headless_create(HeftHeadless** out, HeftError* error);
/// NULL is allowed.
HEFT_API void heft_headless_destroy(HeftHeadless* headless);

// ---- camera

/// A camera that looks at a point. z is up.
typedef struct HeftCamera {
  HeftVec3 target;   ///< [m]
  double distance;   ///< [m]
  double azimuth;    ///< of the eye about z, from x [rad]
  double elevation;  ///< of the eye above the ground [rad]
  double fov;        ///< vertical opening angle [rad]
  int fixed;         ///< 1: use pose and fov, and ignore the other fields
  HeftPose pose;     ///< looks along -z, y is up
  double shift[2];   ///< where the target appears, x and y from -1 to 1; 0: in the middle
} HeftCamera;

HEFT_API HeftVec3 heft_camera_eye(const HeftCamera* camera);
/// Pose of the camera; its axes are right, up, back.
HEFT_API HeftPose heft_camera_pose(const HeftCamera* camera);
/// Turns the camera; dx, dy are fractions of the height of the window.
HEFT_API void heft_camera_orbit(HeftCamera* camera, double dx, double dy);
HEFT_API void heft_camera_pan(HeftCamera* camera, double dx, double dy);
/// Multiplies the distance by a factor.
HEFT_API void heft_camera_zoom(HeftCamera* camera, double factor);
/// Direction of a pixel; x, y from -1 (left, bottom) to 1.
HEFT_API HeftVec3 heft_camera_ray(const HeftCamera* camera, double x, double y, double aspect);
/// Projects a point: x, y from -1 to 1. Returns its depth [m], negative behind the eye.
HEFT_API double heft_camera_project(const HeftCamera* camera, HeftVec3 point, double aspect,
                                    double* x, double* y);

// ---- marks: drawn in addition to the model

typedef enum HeftMarkKind {
  HEFT_MARK_ARROW,      ///< from pos along dir, as long as dir
  HEFT_MARK_SPHERE,     ///< around pos
  HEFT_MARK_CONE,       ///< tip at pos, opens along dir (its height); size is the radius at its end
  HEFT_MARK_ROD,        ///< from pos along dir
  HEFT_MARK_DISC,       ///< around pos, facing dir
  HEFT_MARK_ELLIPSOID,  ///< around pos with the axes of frame, half sizes dir
  HEFT_MARK_TEXT,       ///< at pos
  HEFT_MARK_SCALE  ///< colours of numbers from 0 to size, in a corner of the picture; text: what
} HeftMarkKind;

typedef struct HeftMark {
  HeftMarkKind kind;
  HeftVec3 pos, dir;
  double size;  ///< radius [m]
  float color[4];
  HeftMat3 frame;  ///< ellipsoid only
  int on_top;      ///< 1: drawn in front of everything
  char text[48];   ///< text only
} HeftMark;

/// A list of marks with a fixed capacity; marks that do not fit are counted in `dropped`.
typedef struct HeftMarks {
  HeftMark* mark;
  int count, max, dropped;
} HeftMarks;

HEFT_API void heft_marks_clear(HeftMarks* marks);
HEFT_API HeftMark* heft_marks_add(HeftMarks* marks, HeftMarkKind kind, HeftVec3 pos, HeftVec3 dir,
                                  double size, uint32_t color);
HEFT_API void heft_marks_text(HeftMarks* marks, HeftVec3 pos, uint32_t color, const char* text);

/// Adds all marks of another list.
HEFT_API void heft_marks_append(HeftMarks* marks, const HeftMarks* more);

/// Marks that can be shown: X(name, text, meaning).
#define HEFT_SHOW_LIST(X)                                                                     \
  X(HEFT_SHOW_CONTACTS, "contacts", "contact points")                                         \
  X(HEFT_SHOW_FORCES, "forces", "contact forces")                                             \
  X(HEFT_SHOW_CONES, "cones", "friction cones: green sticking, orange slipping")              \
  X(HEFT_SHOW_PRESSURE, "pressure", "centre of pressure, support polygon, pressure of areas") \
  X(HEFT_SHOW_MASS, "mass", "centre of mass and its shadow on the ground")                    \
  X(HEFT_SHOW_INERTIA, "inertia", "inertia ellipsoids")                                       \
  X(HEFT_SHOW_JOINTS, "joints", "joint axes")                                                 \
  X(HEFT_SHOW_NAMES, "names", "names of bodies")                                              \
  X(HEFT_SHOW_COLLISION, "collision", "shapes that collide")                                  \
  X(HEFT_SHOW_ISLANDS, "islands", "bodies coloured by island")                                \
  X(HEFT_SHOW_REST, "rest", "bodies at rest, grey")                                           \
  X(HEFT_SHOW_SITES, "sites", "sites: points on bodies for sensors and tendons")              \
  X(HEFT_SHOW_FORCE_VALUES, "force-values",                                                   \
    "force between each pair of bodies in contact, as a number [N]")                          \
  X(HEFT_SHOW_SKELETON, "skeleton", "lines from body to body")

typedef enum HeftShowIndex { HEFT_SHOW_LIST(HEFT_ENUM_ENTRY) HEFT_SHOW_COUNT } HeftShowIndex;
HEFT_API const char* heft_show_name(HeftShowIndex show);
HEFT_API const char* heft_show_text(HeftShowIndex show);

/// One instant of a simulation, with all data to draw it.
typedef struct HeftSnapshot {
  const double* q;  ///< nq
  const double* v;  ///< nv
  const HeftContact* contact;
  int contact_count;
  double size;  ///< of the model, for the length of arrows [m]
} HeftSnapshot;

/// Adds the marks of a snapshot. dynamics must hold the kinematics of its q. show: bits
/// 1 << HEFT_SHOW_x.
HEFT_API void heft_marks_of_snapshot(HeftMarks* marks, const HeftModel* model,
                                     const HeftDynamics* dynamics, const HeftSnapshot* snapshot,
                                     unsigned show);
/// A colour number for each body (nbody), for HeftPicture: its island's, or HEFT_TINT_REST; -1: its
/// own colour. Returns false if `show` selects no such colours.
HEFT_API bool heft_snapshot_body_tints(const HeftModel* model, const HeftSnapshot* snapshot,
                                       unsigned show, int* tint);
enum { HEFT_TINT_REST = 7 };
/// The island of each body (nbody): bodies in contact or joined have the same number; -1 for static
/// bodies.
HEFT_API void heft_snapshot_body_islands(const HeftModel* model, const HeftSnapshot* snapshot,
                                         int* island);
/// Largest pressure of the points of area contact [Pa]; 0: there are none.
HEFT_API double heft_snapshot_peak_pressure(const HeftContact* contact, int count);
/// Coulomb's coefficient between two shapes, by the rule of collision.
HEFT_API double heft_model_contact_friction(const HeftModel* model, int shape_a, int shape_b);

// ---- renderer

typedef struct HeftRenderer HeftRenderer;

typedef struct HeftRendererDef {
  HeftAllocator allocator;
  const char* folder;  ///< folder of texture files; NULL: none
  int samples;         ///< anti-aliasing: samples per pixel, 0 or 1: none
  int shadow_size;     ///< pixels of the shadow map; 0: no shadows
  int soft_shadows;    ///< 1: smooth edges; slower
  int reflections;     ///< 1: draw the reflections of floors
  int dark;            ///< 1: a dark sky and ground where the model sets none
} HeftRendererDef;

HEFT_API HeftRendererDef heft_renderer_def_default(void);

/// Uploads the shapes of the model to the graphics card. *out is NULL on failure. error may be
/// NULL. The model must outlive the renderer.
HEFT_API HeftStatus heft_renderer_create(HeftRenderer** out, const HeftModel* model,
                                         const HeftRendererDef* def, HeftError* error);
/// NULL is allowed.
HEFT_API void heft_renderer_destroy(HeftRenderer* renderer);
/// Name of the OpenGL driver.
HEFT_API const char* heft_renderer_driver(const HeftRenderer* renderer);
/// Triangles of the last picture.
HEFT_API long heft_renderer_triangles(const HeftRenderer* renderer);

typedef struct HeftPicture {
  HeftCamera camera;
  const HeftPose* poses;   ///< of all bodies (nbody)
  const HeftPose* ghost;   ///< poses of a second, translucent copy, or NULL
  const HeftMarks* marks;  ///< or NULL
  unsigned groups;         ///< bits: groups of shapes that are drawn
  int selected;            ///< body that is highlighted, or -1
  const int* body_tint;    ///< colour number of each body, -1: its own (nbody), or NULL
  double opacity;          ///< of the model, 0 to 1
  int dark;                ///< 1: a dark sky and ground where the model sets none
  int ground;              ///< 1: a grid if the model has no floor
  int lights;              ///< 1: the lights of the model, if it has some; 0: a default sun
  int covered[2];          ///< pixels at the left and below that panels cover
  double text;             ///< size of text, 1: as in the panels
  double detail;           ///< fraction of pixels drawn along each side, 1 or less; below 1 the
                           ///< picture is drawn faster and stretched in the window
} HeftPicture;

HEFT_API HeftPicture heft_picture_default(void);

/// Draws into a target of this size, then to the framebuffer of the window if `to_window`.
HEFT_API HeftStatus heft_renderer_draw(HeftRenderer* renderer, const HeftPicture* picture,
                                       int width, int height, int to_window, HeftError* error);
/// Reads the last picture; pixels must hold width * height * 3 bytes.
HEFT_API void heft_renderer_read(HeftRenderer* renderer, HeftImage* image);

/// A camera that shows all moving bodies, or the whole model if no body moves.
HEFT_API HeftCamera heft_renderer_camera(const HeftRenderer* renderer, const HeftPose* poses,
                                         double aspect);
/// A camera of the model.
HEFT_API HeftCamera heft_model_camera(const HeftModel* model, int camera,
                                      const HeftDynamics* dynamics);

typedef struct HeftPick {
  int shape, body;  ///< -1: nothing. On a deformable body, shape is -1 and body the nearest node
  double distance;  ///< [m]
  HeftVec3 pos;
} HeftPick;

/// The first drawn shape along a ray.
HEFT_API HeftPick heft_renderer_pick(const HeftRenderer* renderer, const HeftPicture* picture,
                                     HeftVec3 from, HeftVec3 direction);

/// Prepares a picture of a snapshot: adds marks to `marks`, and selects groups, opacity and colours
/// of bodies. tint has nbody numbers and must live as long as the picture.
HEFT_API void heft_picture_show(HeftPicture* picture, HeftMarks* marks, const HeftModel* model,
                                const HeftDynamics* dynamics, const HeftSnapshot* snapshot,
                                unsigned show, int* tint);

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
  int body;         ///< -1: none
  HeftVec3 point;   ///< in the frame of the body [m]
  HeftVec3 target;  ///< end of the spring, in the world [m]
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
  X(HEFT_PLOT_PEAK_PRESSURE, "peak pressure of areas", "Pa")

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

// ---- window

/// Something that the start page of the window offers, with a picture of its model.
typedef struct HeftGalleryEntry {
  char name[40], text[96];
  char file[1024];  ///< of the model
  bool acts;        ///< true: `opens` gives plug-ins for this name
} HeftGalleryEntry;

typedef struct HeftViewerDef {
  HeftAllocator allocator;
  const char* path;   ///< model file, for the title and for textures
  int width, height;  ///< of the window; 0: the last size
  int key;            ///< initial keyframe, or -1
  int paused;
  int dark;                         ///< 1 dark, 0 light, -1: the last choice
  unsigned show;                    ///< bits 1 << HEFT_SHOW_x
  double text_scale;                ///< of all text; 0: from the screen
  uint64_t started_ns;              ///< start of the program, for the log; 0: start of the window
  double end_after;                 ///< close after this time [s]; 0: never
  const char* log;                  ///< file for states and speed, twice a second, or NULL
  uint64_t monkey;                  ///< seed of random input for tests; 0: none
  const char* folder;               ///< folder for pictures and videos; NULL: the current one
  HeftSimulationSettings settings;  ///< at the start
  HeftRecorder recorder;            ///< of sessions; begin NULL: no recording
  /// Returns the users after a change of devices or model. connect: "NAME:ADDRESS" of a device to
  /// add, or NULL; disconnect: index of a device to remove, or -1. The function may destroy the
  /// users it returned before. Returns NULL if there are no users; error has the message of a
  /// failure. The pointer may be NULL: no devices.
  const HeftUsers* (*connect_users)(void* user, const HeftModel* model, const char* connect,
                                    int disconnect, HeftError* error);
  /// Loads a model when the user opens another file. NULL on failure, with a message in error.
  HeftModel* (*load)(void* user, const char* path, HeftError* error);
  void* user;
  HeftPluginSet* plugins;  ///< as in HeftSimulationDef
  /// The start page, which is shown while no model is open; lives as long as the window.
  const HeftGalleryEntry* gallery;
  int gallery_count;
  /// Called before another model opens: its file, and the name of the gallery's entry that acts in
  /// it, or NULL. Returns the plug-ins of that model, or NULL: none; error has the message of a
  /// failure. The last model is closed: the function may destroy the set that it returned before.
  /// The pointer may be NULL: `plugins` stay.
  HeftPluginSet* (*opens)(void* user, const char* file, const char* name, HeftError* error);
  /// Recorded runs of the model that was loaded last: out has room for two, to be compared. Returns
  /// their number; 0: the model is to be simulated. The pointer may be NULL: none.
  int (*recordings)(void* user, const HeftRecording* out[2]);
  const char* notice;  ///< shown when a model was opened, if it is not empty; read after each
                       ///< load. NULL: none
  const char* record;  ///< file of a session that is recorded from the start, or NULL
  /// Loads a model whose bodies are added to the present one. NULL on failure, with a message in
  /// error. The pointer may be NULL: no files can be added.
  HeftModel* (*load_object)(void* user, const char* path, HeftError* error);
  int no_deadline;  ///< 1: HeftSimulationDef::deadline is 0
} HeftViewerDef;

HEFT_API HeftViewerDef heft_viewer_def_default(void);
/// Opens a window and returns when it is closed. Takes over the model (it may be replaced by
/// another) and destroys it.
HEFT_API HeftStatus heft_viewer_run(HeftModel* model, const HeftViewerDef* def, HeftError* error);

// ---- a window for your own loop

/// A window in a thread of its own that shows a world which the caller steps.
typedef struct HeftViewer HeftViewer;

/// Opens the window. Of def, the fields from path to log and folder count. *out is NULL on failure,
/// for example without a screen. The model is copied. def and error may be NULL.
HEFT_API HeftStatus heft_viewer_create(HeftViewer** out, const HeftModel* model,
                                       const HeftViewerDef* def, HeftError* error);
/// After each step: shows the world, and applies what the user pulls and pushes to the next step.
/// Never waits for a picture. report may be NULL. Returns false once the user has closed the
/// window.
HEFT_API bool heft_viewer_sync(HeftViewer* viewer, HeftWorld* world, const HeftStepReport* report);
/// Sleeps until the clock has caught up with the time of the world, at the speed that the user
/// chose, and while the user pauses. Returns false once the window is closed. For loops that are to
/// run in real time.
HEFT_API bool heft_viewer_wait(HeftViewer* viewer);
/// Closes the window. NULL is allowed.
HEFT_API void heft_viewer_destroy(HeftViewer* viewer);

#ifdef __cplusplus
}
#endif
#endif
