// SPDX-License-Identifier: Apache-2.0
/// @file view.h
/// Pictures of a model: a camera, a renderer, marks that show forces, a simulation that runs in a
/// thread of its own, and the window that puts them together.
///
/// - A library of its own, `heft_view`, because it needs OpenGL 3.3 (libepoxy), EGL, libpng, SDL2
///   and Dear ImGui. The core knows nothing of it.
/// - Memory of ours comes from the def's allocator; OpenGL, SDL2 and ImGui use the C library's.
/// - A renderer belongs to the thread whose OpenGL context is current when it is created.
/// - A HeftSimulation steps its world in its own thread. Whoever draws takes frames from it and
///   sends it wishes; neither waits for the other.
#ifndef HEFT_VIEW_H
#define HEFT_VIEW_H

#include <heft/device.h>
#include <heft/dynamics.h>
#include <heft/model.h>
#include <heft/world.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- images

/// Rows from the top, three bytes a pixel: red, green, blue. Plain data; pixels are owned by
/// whoever made them.
typedef struct HeftImage {
  int width, height;
  unsigned char* pixels;
} HeftImage;

HEFT_API HeftStatus heft_image_write_png(const HeftImage* image, const char* path,
                                         HeftError* error);

// ---- OpenGL without a window

typedef struct HeftHeadless HeftHeadless;

/// Makes an OpenGL 3.3 context without a display current in this thread. *out is NULL on failure,
/// and error says what to install.
HEFT_API HeftStatus heft_headless_create(HeftHeadless** out, HeftError* error);
/// NULL is allowed.
HEFT_API void heft_headless_destroy(HeftHeadless* headless);

// ---- camera

/// Looks at a point from a distance. z is up.
typedef struct HeftCamera {
  HeftVec3 target;   ///< [m]
  double distance;   ///< [m]
  double azimuth;    ///< where the eye stands around z, from x [rad]
  double elevation;  ///< and above the ground [rad]
  double fov;        ///< vertical opening angle [rad]
  int fixed;         ///< 1: pose says where it is, and nothing above but fov counts
  HeftPose pose;     ///< looks along -z, y is up
} HeftCamera;

HEFT_API HeftVec3 heft_camera_eye(const HeftCamera* camera);
/// Where it is: columns right, up, back.
HEFT_API HeftPose heft_camera_pose(const HeftCamera* camera);
/// Turns by shares of the window's height.
HEFT_API void heft_camera_orbit(HeftCamera* camera, double dx, double dy);
HEFT_API void heft_camera_pan(HeftCamera* camera, double dx, double dy);
/// Comes closer by a factor below 1, goes away by one above.
HEFT_API void heft_camera_zoom(HeftCamera* camera, double factor);
/// The direction in which a pixel lies; x, y from -1 (left, bottom) to 1.
HEFT_API HeftVec3 heft_camera_ray(const HeftCamera* camera, double x, double y, double aspect);
/// Where a point is seen: x, y from -1 to 1; returns its depth [m], negative behind the eye.
HEFT_API double heft_camera_project(const HeftCamera* camera, HeftVec3 point, double aspect,
                                    double* x, double* y);

// ---- marks: what is drawn into a picture beside the model

typedef enum HeftMarkKind {
  HEFT_MARK_ARROW,      ///< from pos along dir, as long as dir
  HEFT_MARK_SPHERE,     ///< around pos
  HEFT_MARK_CONE,       ///< tip at pos, opens along dir (its height); size is the radius at its end
  HEFT_MARK_ROD,        ///< from pos along dir
  HEFT_MARK_DISC,       ///< around pos, facing dir
  HEFT_MARK_ELLIPSOID,  ///< around pos with the axes of frame, half sizes dir
  HEFT_MARK_TEXT        ///< at pos
} HeftMarkKind;

typedef struct HeftMark {
  HeftMarkKind kind;
  HeftVec3 pos, dir;
  double size;  ///< radius [m]
  float color[4];
  HeftMat3 frame;  ///< ellipsoid only
  int on_top;      ///< 1: seen through everything
  char text[48];   ///< text only
} HeftMark;

/// A list of marks with a fixed number of places; what does not fit is left out and counted.
typedef struct HeftMarks {
  HeftMark* mark;
  int count, max, dropped;
} HeftMarks;

HEFT_API void heft_marks_clear(HeftMarks* marks);
HEFT_API HeftMark* heft_marks_add(HeftMarks* marks, HeftMarkKind kind, HeftVec3 pos, HeftVec3 dir,
                                  double size, uint32_t color);
HEFT_API void heft_marks_text(HeftMarks* marks, HeftVec3 pos, uint32_t color, const char* text);

/// What the eye may want to see beside the model: bits.
#define HEFT_SHOW_LIST(X)                                                             \
  X(HEFT_SHOW_CONTACTS, "contacts", "contact points")                                 \
  X(HEFT_SHOW_FORCES, "forces", "contact forces")                                     \
  X(HEFT_SHOW_CONES, "cones", "friction cones: green sticks, orange slides")          \
  X(HEFT_SHOW_PRESSURE, "pressure", "centre of pressure and support polygon")         \
  X(HEFT_SHOW_MASS, "mass", "centre of mass and its shadow on the ground")            \
  X(HEFT_SHOW_INERTIA, "inertia", "inertia ellipsoids")                               \
  X(HEFT_SHOW_JOINTS, "joints", "joint axes")                                         \
  X(HEFT_SHOW_NAMES, "names", "names of bodies")                                      \
  X(HEFT_SHOW_COLLISION, "collision", "shapes that collide")                          \
  X(HEFT_SHOW_ISLANDS, "islands", "bodies coloured by island")                        \
  X(HEFT_SHOW_REST, "rest", "bodies at rest, grey")                                   \
  X(HEFT_SHOW_SITES, "sites", "sites: places on bodies that sensors and tendons use") \
  X(HEFT_SHOW_FORCE_VALUES, "force-values",                                           \
    "force between each pair of bodies in contact, as a number [N]")

typedef enum HeftShowIndex { HEFT_SHOW_LIST(HEFT_ENUM_ENTRY) HEFT_SHOW_COUNT } HeftShowIndex;
HEFT_API const char* heft_show_name(HeftShowIndex show);
HEFT_API const char* heft_show_text(HeftShowIndex show);

/// One moment of a simulation, all that is needed to draw it.
typedef struct HeftSnapshot {
  const double* q;  ///< nq
  const double* v;  ///< nv
  const HeftContact* contact;
  int contact_count;
  double size;  ///< how large the model is, for the length of arrows [m]
} HeftSnapshot;

/// Marks of a moment. dynamics must hold the kinematics of its q. show: bits 1 << HEFT_SHOW_x.
HEFT_API void heft_marks_of_snapshot(HeftMarks* marks, const HeftModel* model,
                                     const HeftDynamics* dynamics, const HeftSnapshot* snapshot,
                                     unsigned show);
/// A colour number for each body (nbody), for HeftPicture: that of its island, or HEFT_TINT_REST;
/// -1: its own colour. Returns 0 if `show` asks for no such colours.
HEFT_API int heft_snapshot_body_tints(const HeftModel* model, const HeftSnapshot* snapshot,
                                      unsigned show, int* tint);
enum { HEFT_TINT_REST = 7 };
/// A number for each body (nbody): its island, those that touch or are joined have the same; -1 for
/// what cannot move.
HEFT_API void heft_snapshot_body_islands(const HeftModel* model, const HeftSnapshot* snapshot,
                                         int* island);
/// Coulomb's coefficient between two shapes, by the rule that the collision uses.
HEFT_API double heft_model_contact_friction(const HeftModel* model, int shape_a, int shape_b);

// ---- renderer

typedef struct HeftRenderer HeftRenderer;

typedef struct HeftRendererDef {
  HeftAllocator allocator;
  const char* folder;  ///< where the files of textures lie; NULL: nowhere
  int samples;         ///< anti-aliasing: samples a pixel, 0 or 1: none
  int shadow_size;     ///< pixels of the shadow's map; 0: no shadows
  int soft_shadows;    ///< 1: smooth edges, costs more
  int reflections;     ///< 1: floors that reflect do so
  int dark;            ///< 1: a dark sky and ground where the model says nothing
} HeftRendererDef;

HEFT_API HeftRendererDef heft_renderer_def_default(void);

/// Takes the model's shapes to the graphics card. *out is NULL on failure. error may be NULL. The
/// model must outlive the renderer.
HEFT_API HeftStatus heft_renderer_create(HeftRenderer** out, const HeftModel* model,
                                         const HeftRendererDef* def, HeftError* error);
/// NULL is allowed.
HEFT_API void heft_renderer_destroy(HeftRenderer* renderer);
/// What draws: the name that the driver gives itself.
HEFT_API const char* heft_renderer_driver(const HeftRenderer* renderer);
/// Triangles of the last picture.
HEFT_API long heft_renderer_triangles(const HeftRenderer* renderer);

typedef struct HeftPicture {
  HeftCamera camera;
  const HeftPose* poses;   ///< of all bodies (nbody)
  const HeftPose* ghost;   ///< poses of a second, translucent copy, or NULL
  const HeftMarks* marks;  ///< or NULL
  unsigned groups;         ///< bits: which groups of shapes are seen
  int selected;            ///< body that is lit up, or -1
  const int* body_tint;    ///< colour number of each body, -1: its own (nbody), or NULL
  double opacity;          ///< of the model, 0 to 1
  int dark;                ///< 1: a dark sky and ground where the model says nothing
  int ground;              ///< 1: a grid where the model has no floor
  int lights;              ///< 1: the lights of the model, where it has some; 0: our own sun
  int covered[2];          ///< pixels at the left and below that panels cover in the window
  double text;             ///< size of words, 1: that of the panels
  double detail;           ///< pixels drawn along each side, of those of the picture: 1, or less
                           ///< where drawing takes too long; they are then stretched in the window
} HeftPicture;

HEFT_API HeftPicture heft_picture_default(void);

/// Draws into a target of this size, then onto the window's framebuffer if `to_window`.
HEFT_API HeftStatus heft_renderer_draw(HeftRenderer* renderer, const HeftPicture* picture,
                                       int width, int height, int to_window, HeftError* error);
/// Reads the last picture; pixels must hold width * height * 3 bytes.
HEFT_API void heft_renderer_read(HeftRenderer* renderer, HeftImage* image);

/// A camera that has the whole of what moves in view; the whole model where nothing moves.
HEFT_API HeftCamera heft_renderer_camera(const HeftRenderer* renderer, const HeftPose* poses,
                                         double aspect);
/// A camera of the model.
HEFT_API HeftCamera heft_model_camera(const HeftModel* model, int camera,
                                      const HeftDynamics* dynamics);

typedef struct HeftPick {
  int shape, body;  ///< -1: nothing
  double distance;  ///< [m]
  HeftVec3 pos;
} HeftPick;

/// The first thing that is seen along a ray, as it is drawn.
HEFT_API HeftPick heft_renderer_pick(const HeftRenderer* renderer, const HeftPicture* picture,
                                     HeftVec3 from, HeftVec3 direction);

/// Lets a picture show a moment: adds marks to `marks`, and chooses groups, opacity and colours of
/// bodies. tint holds nbody numbers and must live as long as the picture.
HEFT_API void heft_picture_show(HeftPicture* picture, HeftMarks* marks, const HeftModel* model,
                                const HeftDynamics* dynamics, const HeftSnapshot* snapshot,
                                unsigned show, int* tint);

// ---- simulation: a world in a thread of its own

typedef struct HeftSimulation HeftSimulation;

/// What may be changed while it runs. A change makes the world anew from its present state, and the
/// past can no longer be gone back to.
typedef struct HeftSimulationSettings {
  double friction;     ///< all coefficients times this
  double restitution;  ///< of all materials; negative: the model's own
  double gravity;      ///< times this
  double time_step;    ///< [s]; 0: the model's
  double tolerance;    ///< as in HeftWorldDef
  double hold;         ///< springs that hold the joints: 1 is stiff enough to stand, 0: none
  HeftContactModel contact_model;  ///< FROM_FILE: as the model says
  HeftContactOptions contact_options;
} HeftSimulationSettings;

HEFT_API HeftSimulationSettings heft_simulation_settings_default(void);

/// People with devices: the servo that serves them, and what each of them has in the world. The
/// servo belongs to whoever made it; it must outlive the simulation.
typedef struct HeftUsers {
  HeftServo* servo;
  int count;
  HeftProbeDef probe[HEFT_SERVO_DEVICES];
  HeftMapping mapping[HEFT_SERVO_DEVICES];
  char name[HEFT_SERVO_DEVICES][64];  ///< of the devices
} HeftUsers;

/// A person at a moment.
typedef struct HeftUser {
  HeftProbeInput input;
  HeftProbeState state;
} HeftUser;

/// Writes down what people do, so that it can be lived again. All of it is called from the thread
/// of the simulation.
typedef struct HeftRecorder {
  void* user;
  /// Begins a file with the present moment. Returns 0 if it cannot.
  int (*begin)(void* user, const char* path, HeftWorld* world, HeftSession* session,
               double time_step);
  /// After each step.
  void (*step)(void* user, const HeftStepReport* report);
  /// Returns 0 if something could not be written.
  int (*end)(void* user);
} HeftRecorder;

typedef struct HeftSimulationDef {
  HeftAllocator allocator;
  HeftSimulationSettings settings;
  int key;                 ///< keyframe to start from, or -1: the described pose
  int running;             ///< 1: from the beginning
  double snapshot_every;   ///< simulated time between snapshots [s]
  size_t timeline_bytes;   ///< memory for snapshots
  int contact_capacity;    ///< contacts that a frame holds
  const HeftUsers* users;  ///< or NULL; copied
} HeftSimulationDef;

HEFT_API HeftSimulationDef heft_simulation_def_default(void);

/// A hand that pulls a body by a damped spring; the spring is integrated implicitly.
typedef struct HeftGrab {
  int body;         ///< -1: nothing is held
  HeftVec3 point;   ///< where, in the body's frame [m]
  HeftVec3 target;  ///< where to, in the world [m]
} HeftGrab;

/// Numbers of one step, for plots: X(name, text, unit).
#define HEFT_PLOT_LIST(X)                                           \
  X(HEFT_PLOT_RESIDUAL, "residual", "m/s")                          \
  X(HEFT_PLOT_ENERGY, "energy", "J")                                \
  X(HEFT_PLOT_KINETIC, "kinetic energy", "J")                       \
  X(HEFT_PLOT_CONTACT_FORCE, "contact force", "N")                  \
  X(HEFT_PLOT_CONTACTS, "contacts", "")                             \
  X(HEFT_PLOT_PENETRATION, "penetration", "m")                      \
  X(HEFT_PLOT_EFFORT, "solver work", "sweeps")                      \
  X(HEFT_PLOT_STEP_TIME, "step time", "us")                         \
  X(HEFT_PLOT_HAND, "force of the hand", "N")                       \
  X(HEFT_PLOT_COM_HEIGHT, "height of the centre of mass", "m")      \
  X(HEFT_PLOT_CHOSEN_Q, "position of the chosen dof", "m, rad")     \
  X(HEFT_PLOT_CHOSEN_V, "velocity of the chosen dof", "m/s, rad/s") \
  X(HEFT_PLOT_CHOSEN_FORCE, "force of the chosen actuator", "N, N m")

typedef enum HeftPlot { HEFT_PLOT_LIST(HEFT_ENUM_ENTRY) HEFT_PLOT_COUNT } HeftPlot;
HEFT_API const char* heft_plot_name(HeftPlot plot);
HEFT_API const char* heft_plot_unit(HeftPlot plot);

typedef struct HeftSample {
  double time;  ///< [s]
  float value[HEFT_PLOT_COUNT];
} HeftSample;

enum { HEFT_FRAME_SAMPLES = 128 };

/// A moment of a simulation with what is said about it.
typedef struct HeftViewFrame {
  double time;  ///< [s]
  long step;
  double *q, *v, *controls;  ///< nq, nv, nactuator
  double* ghost_q;           ///< nq, if ghost
  int ghost;                 ///< 1: a second world runs beside
  HeftContact* contact;
  int contact_count;
  HeftStepReport report;
  uint64_t hash;
  int running;
  double factor;                            ///< times real time that were asked for
  double achieved;                          ///< and that were had, over the last half second
  double step_p50, step_p99, step_longest;  ///< time of a step since the start [us]
  double real_factor;   ///< times real time, since the last start or change of the factor
  double first, last;   ///< the past that can be gone back to [s]
  long same, branched;  ///< snapshots that were met again with the same hash, and with another
  HeftGrab grab;
  HeftVec3 grab_from, grab_force;  ///< where the hand pulls, and how much [m, N]
  HeftUser person[HEFT_SERVO_DEVICES];
  int user_count;
  int recording;        ///< 1: a session is being recorded
  long recorded;        ///< steps of this session or the last
  uint64_t last_hash;   ///< of the state after the last of them
  int recordings;       ///< sessions that have ended
  char record_end[96];  ///< why the last one ended, or why none could begin
  HeftSimulationSettings settings;
  HeftSample sample[HEFT_FRAME_SAMPLES];
  int sample_count;   ///< samples since the last frame
  char trouble[160];  ///< what went wrong, "" if nothing
} HeftViewFrame;

/// Starts the thread. The model must outlive it. *out is NULL on failure. error may be NULL.
HEFT_API HeftStatus heft_simulation_create(HeftSimulation** out, const HeftModel* model,
                                           const HeftSimulationDef* def, HeftError* error);
/// Ends the thread. NULL is allowed.
HEFT_API void heft_simulation_destroy(HeftSimulation* simulation);
/// The latest frame; lives until the next call. *fresh is 1 if it was not seen before; fresh may be
/// NULL. For one thread.
HEFT_API const HeftViewFrame* heft_simulation_frame(HeftSimulation* simulation, int* fresh);

// Wishes: from any thread; done before the next step. Each returns 0 if the thread has too many
// wishes to answer already.
HEFT_API int heft_simulation_run(HeftSimulation* simulation, int running);
HEFT_API int heft_simulation_step(HeftSimulation* simulation, int steps);
/// Times real time.
HEFT_API int heft_simulation_factor(HeftSimulation* simulation, double factor);
/// From the beginning: a keyframe, or -1 for the described pose.
HEFT_API int heft_simulation_reset(HeftSimulation* simulation, int key);
/// Back (or forward again) to a time of the past that is kept, and stand still there.
HEFT_API int heft_simulation_rewind(HeftSimulation* simulation, double time);
HEFT_API int heft_simulation_grab(HeftSimulation* simulation, const HeftGrab* grab);
/// A tap: changes the momentum of a body at a point of the world by an impulse [N s].
HEFT_API int heft_simulation_apply_impulse(HeftSimulation* simulation, int body, HeftVec3 point,
                                           HeftVec3 impulse);
HEFT_API int heft_simulation_control(HeftSimulation* simulation, int actuator, double value);
/// Where the springs of `hold` pull a coordinate of q to.
HEFT_API int heft_simulation_target(HeftSimulation* simulation, int q, double value);
HEFT_API int heft_simulation_set_settings(HeftSimulation* simulation,
                                          const HeftSimulationSettings* settings);
/// 1: a second world starts here with the present settings, and keeps them; 0: it ends.
HEFT_API int heft_simulation_ghost(HeftSimulation* simulation, int on);
/// Other people from now on; NULL: nobody. Waits until the thread has let go of the former ones:
/// their servo may be destroyed then. Their hands are not there for a tenth of a second.
HEFT_API void heft_simulation_set_users(HeftSimulation* simulation, const HeftUsers* users);
/// Records a session into a file from now on; path NULL: ends it. Only devices reach in while it is
/// recorded: the mouse, controls and targets are without effect, and going back in time or other
/// settings end it. The model must be as in its file: see record_end of the frame. recorder is
/// copied.
HEFT_API int heft_simulation_record(HeftSimulation* simulation, const HeftRecorder* recorder,
                                    const char* path);
/// Which dof and actuator are plotted.
HEFT_API int heft_simulation_choose(HeftSimulation* simulation, int dof, int actuator);

// ---- window

typedef struct HeftViewerDef {
  HeftAllocator allocator;
  const char* path;   ///< file that was loaded, for the title and for textures
  int width, height;  ///< of the window; 0: as it was the last time
  int key;            ///< keyframe to start from, or -1
  int paused;
  int dark;             ///< 1 dark, 0 light, -1: as the last time
  unsigned show;        ///< bits 1 << HEFT_SHOW_x
  double text_scale;    ///< of all text; 0: from the screen
  uint64_t started_ns;  ///< when the program began, for the log; 0: when the window did
  double end_after;     ///< close after so many seconds; 0: never
  const char* log;      ///< file that gets a line per second about states and speed, or NULL
  uint64_t monkey;      ///< not 0: random input from this seed, for tests
  const char* folder;   ///< where pictures and videos go; NULL: the current one
  HeftSimulationSettings settings;  ///< at the start
  HeftRecorder recorder;            ///< of sessions; begin NULL: they cannot be recorded
  /// Who reaches in with a device. connect: one more device, "NAME:ADDRESS", or NULL; disconnect:
  /// number of one that goes, or -1. While it is called nobody uses the former answer, which it may
  /// destroy. Returns NULL for nobody; says in error what did not work. NULL: there are no devices.
  const HeftUsers* (*connect_users)(void* user, const HeftModel* model, const char* connect,
                                    int disconnect, HeftError* error);
  /// Loads a model when a person opens another file. NULL on failure, with a message in error.
  HeftModel* (*load)(void* user, const char* path, HeftError* error);
  void* user;
} HeftViewerDef;

HEFT_API HeftViewerDef heft_viewer_def_default(void);
/// Opens a window and returns when it is closed. Takes over the model (it may be replaced by
/// another) and destroys it.
HEFT_API HeftStatus heft_viewer_run(HeftModel* model, const HeftViewerDef* def, HeftError* error);

#ifdef __cplusplus
}
#endif
#endif
