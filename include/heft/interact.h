// SPDX-License-Identifier: Apache-2.0
/// @file interact.h
/// People in the world: devices that move and push back, and what they touch.
///
///     device ──read──▶ servo (1 kHz) ──input──▶ probe ──coupling──▶ world
///     device ◀─guard── servo         ◀─model─── probe ◀─────────── world
///
/// - A driver speaks to one kind of device and is one small struct of functions (HeftDriver). A
///   device is a driver at work, with a guard around it: whatever anybody asks for, the force that
///   goes out is finite, limited, grows no faster than allowed, is zero when samples stop coming,
///   and gives no energy that it did not take.
/// - A servo reads the devices and renders forces at their rate, in a thread of its own or when it
///   is told to (heft_servo_tick()). Between steps of the world it renders a local model of what
///   the probe touches, so that a late step is felt as a wall that stands still, never as a kick.
/// - A probe is the hand in the world: it touches (a proxy that cannot enter bodies, with friction)
///   or holds (a spring in six dimensions). It works in the thread that steps the world, from the
///   input of that step and nothing else: the same inputs give the same bits.
/// - Frames: device coordinates have x to the right of the person, y away from them, z up [m]; a
///   mapping takes them to the world. Forces are those on the person's hand. Times are those of
///   heft_clock_ns().
/// - Memory is taken at create and open. Nothing here prints or locks.
#ifndef HEFT_INTERACT_H
#define HEFT_INTERACT_H

#include <heft/world.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- devices

/// What a device is and can do. Zero where it is not known.
typedef struct HeftDeviceInfo {
  char name[64];
  int axes_sensed;           ///< 3: position; 6: rotation too
  int axes_driven;           ///< 0: feels nothing; 3: force; 6: moment too
  HeftVec3 lowest, highest;  ///< corners of the workspace [m]
  double force_max;          ///< that it can keep up [N]
  double torque_max;         ///< [N m]
  double speed_max;          ///< of the handle, given by the maker [m/s]
  double mass;               ///< felt at the handle [kg]
  double damping;            ///< of its own, that eats energy: b [N s/m]
  double friction;           ///< of its own, dry: f_c [N]
  double resolution;         ///< smallest step of position that it senses: Δ [m]
  double rate;               ///< samples per second
} HeftDeviceInfo;

/// Where the handle is.
typedef struct HeftDeviceSample {
  uint64_t time_ns;  ///< when it was taken
  uint64_t number;   ///< counts up with every sample; gaps are samples that were lost
  HeftVec3 pos;      ///< [m]
  HeftQuat rot;
  HeftVec3 vel;      ///< [m/s]
  HeftVec3 spin;     ///< angular velocity, in device coordinates [rad/s]
  unsigned buttons;  ///< bit per button
  double grip;       ///< opening of a gripper, 0 closed to 1 open
} HeftDeviceSample;

/// What the person should feel.
typedef struct HeftDeviceForce {
  HeftVec3 force;   ///< on the hand [N]
  HeftVec3 torque;  ///< [N m]
  double grip;      ///< closing force of a gripper [N]
} HeftDeviceForce;

/// What a look at a device brings: X(name, text).
#define HEFT_DEVICE_READ_LIST(X)                            \
  X(HEFT_DEVICE_NOTHING, "nothing new since the last look") \
  X(HEFT_DEVICE_FRESH, "a new sample")                      \
  X(HEFT_DEVICE_LOST, "the device is gone")

typedef enum HeftDeviceRead {
  HEFT_DEVICE_READ_LIST(HEFT_ENUM_ENTRY) HEFT_DEVICE_READ_COUNT
} HeftDeviceRead;

/// Kinds of local models: X(name, text).
#define HEFT_LOCAL_LIST(X)           \
  X(HEFT_LOCAL_NONE, "nothing")      \
  X(HEFT_LOCAL_SPRING, "held frame") \
  X(HEFT_LOCAL_SURFACE, "surface")

typedef enum HeftLocalKind { HEFT_LOCAL_LIST(HEFT_ENUM_ENTRY) HEFT_LOCAL_COUNT } HeftLocalKind;

/// A local model of what is touched, for devices that render by themselves and for the servo
/// between steps of the world. In device coordinates for a driver, in the world for a servo.
typedef struct HeftLocalModel {
  HeftLocalKind kind;
  uint64_t time_ns;    ///< moment for which it holds
  HeftVec3 anchor;     ///< where the spring ends: proxy, or frame that is held [m]
  HeftQuat turn;       ///< its rotation
  HeftVec3 vel, spin;  ///< velocity of the anchor [m/s, rad/s]
  HeftSpatial moved;   ///< turn and way that what is touched has made so far [rad, m]
  HeftVec3 normal;     ///< surface: unit, outward; no force when the handle is outside
  double friction;     ///< surface: Coulomb's coefficient
  double stiffness;    ///< [N/m]
  double damping;      ///< [N s/m]
  double turn_stiffness, turn_damping;  ///< [N m/rad, N m s/rad]
  double force_max, torque_max;         ///< 0: none
  HeftVec3 steady;                      ///< force beside the spring, for what is not a spring [N]
  HeftMat3 mobility;  ///< of what is touched: velocity that it gets from an impulse there [1/kg]
  HeftVec3 force;     ///< on the handle at that moment [N]
} HeftLocalModel;

/// The force of a model on a handle at `now`. For at most 20 ms the anchor goes on with its
/// velocity and gives way to a force that has changed, as its mobility has it.
HEFT_API HeftDeviceForce heft_local_force(const HeftLocalModel* model, uint64_t now_ns,
                                          const HeftDeviceSample* handle);

/// One kind of device. Functions get `self`, memory of `size` bytes that open() finds zeroed, and
/// are called from one thread at a time. None may block for longer than a millisecond but open()
/// and close().
typedef struct HeftDriver {
  const char* name;     ///< as people type it: "udp"
  const char* text;     ///< what it is for, one line
  const char* address;  ///< what an address looks like, with the default; "" if it takes none
  size_t size;
  /// address may be "": the default one. Must leave nothing behind when it fails.
  HeftStatus (*open)(void* self, const char* address, HeftError* error);
  void (*close)(void* self);
  void (*info)(void* self, HeftDeviceInfo* info);
  /// The newest sample. After HEFT_DEVICE_LOST the device is closed and opened again.
  HeftDeviceRead (*read)(void* self, uint64_t now_ns, HeftDeviceSample* sample);
  /// The force from now on; held until the next one. Returns 0 if the device is gone.
  int (*write)(void* self, uint64_t now_ns, const HeftDeviceForce* force);
  /// For devices that render themselves; NULL for all others. 0 if the device is gone.
  int (*set_local_model)(void* self, const HeftLocalModel* model);
  /// For SDKs that own the servo thread: calls tick(user) at the device's rate from a thread of its
  /// own until stop(); NULL for all others.
  HeftStatus (*run)(void* self, void (*tick)(void* user), void* user, HeftError* error);
  void (*stop)(void* self);
} HeftDriver;

/// The drivers that Heft has: 0 to count - 1, NULL beyond.
HEFT_API const HeftDriver* heft_driver(int index);
/// By name; NULL if there is none.
HEFT_API const HeftDriver* heft_driver_named(const char* name);

// ---- the guard

/// What a person can be given. Zeros are filled in from the device.
typedef struct HeftGuardDef {
  double force_max;   ///< [N]; 0: the device's, and 3 N if that is not known
  double torque_max;  ///< [N m]; 0: the device's
  double slew;        ///< the force grows no faster [N/s]; it may shrink at once
  double speed_max;   ///< of the handle; force fades from here to nothing at twice this [m/s]; 0:
                      ///< the device's, and 2 m/s if that is not known
  double watchdog;    ///< force is zero when no sample came for so long [s]
  double ramp;        ///< after a start or a loss the force comes back over so long [s]
  double damping, friction;  ///< of the device, counted in the ledger [N s/m, N]; -1: the device's
  int passivity;             ///< 1: time-domain passivity control
} HeftGuardDef;

HEFT_API HeftGuardDef heft_guard_def_default(void);

/// What a guard saw and did.
typedef struct HeftGuardReport {
  long forces;           ///< that were asked for
  long clamped;          ///< were too large
  long slewed;           ///< grew too fast
  long too_fast;         ///< the handle was too fast
  long not_finite;       ///< were not numbers
  long starved;          ///< had no fresh sample
  long interventions;    ///< were damped by passivity control
  long jumps;            ///< samples that went back in time or jumped in place
  double energy;         ///< ledger: energy that the coupling has taken since the last touch [J]
  double energy_lowest;  ///< its lowest value
  double force_peak;     ///< [N]
} HeftGuardReport;

/// Plain data: a guard that lives where its owner wants it.
typedef struct HeftGuard {
  HeftGuardDef def;
  HeftGuardReport report;
  HeftDeviceSample last;  ///< sample that was seen last
  HeftDeviceForce given;  ///< force that is held since then
  HeftVec3 pace;          ///< way of the last interval over its time [m/s]
  double eaten;           ///< by the device in the interval in which the touch began [J]
  uint64_t sample_ns;     ///< when the last sample came
  uint64_t force_ns;      ///< when the last force went out
  uint64_t start_ns;      ///< when forces may begin to grow again
  double idle;            ///< since when no force was asked for [s]
  int seen;
} HeftGuard;

/// A guard for a device; def may be NULL.
HEFT_API HeftGuard heft_guard(const HeftGuardDef* def, const HeftDeviceInfo* info);
/// Tells it of a new sample. Returns 0 if the sample is not to be believed, and is left out.
HEFT_API int heft_guard_sample(HeftGuard* guard, uint64_t now_ns, const HeftDeviceSample* sample);
/// The force that may go out instead of `wish`. moved: how what the spring is fixed to has turned
/// and moved since the last force [rad, m], in device coordinates; energy that the world gives
/// through it is not the coupling's. NULL: it stood still.
HEFT_API HeftDeviceForce heft_guard_force(HeftGuard* guard, uint64_t now_ns,
                                          const HeftDeviceForce* wish, const HeftSpatial* moved);
/// Forces start again from zero.
HEFT_API void heft_guard_restart(HeftGuard* guard, uint64_t now_ns);

/// The stiffest wall that a device can render without giving energy ([Colgate 1997];
/// [Abbott 2005]): min(2 (b - B) / T, 2 f_c / Δ), where Δ and f_c are known [N/m]. 0: none.
HEFT_API double heft_stiffness_bound(const HeftDeviceInfo* info, double period, double damping);
/// The damping of a coupling by [Chardonnet 2012]: k_v = sqrt(2 m k_p) [N s/m].
HEFT_API double heft_coupling_damping(double mass, double stiffness);

// ---- a device

typedef struct HeftDevice HeftDevice;

typedef struct HeftDeviceDef {
  HeftAllocator allocator;
  HeftGuardDef guard;
  double retry;  ///< a device that is gone is looked for again after so long [s]
} HeftDeviceDef;

HEFT_API HeftDeviceDef heft_device_def_default(void);

/// def may be NULL. *out is NULL on failure. error may be NULL.
HEFT_API HeftStatus heft_device_open(HeftDevice** out, const HeftDriver* driver,
                                     const char* address, const HeftDeviceDef* def,
                                     HeftError* error);
/// Sends a zero force and lets go. NULL is allowed.
HEFT_API void heft_device_close(HeftDevice* device);
HEFT_API HeftDeviceInfo heft_device_info(const HeftDevice* device);
HEFT_API const char* heft_device_driver(const HeftDevice* device);
/// The driver's own memory, for those who know the driver.
HEFT_API void* heft_device_self(HeftDevice* device);
/// The newest sample, if there is a new one. A device that is gone is opened again from here.
HEFT_API HeftDeviceRead heft_device_read(HeftDevice* device, uint64_t now_ns,
                                         HeftDeviceSample* sample);
/// Through the guard. Returns what went out. moved: as heft_guard_force().
HEFT_API HeftDeviceForce heft_device_write(HeftDevice* device, uint64_t now_ns,
                                           const HeftDeviceForce* wish, const HeftSpatial* moved);
HEFT_API HeftGuardReport heft_device_report(const HeftDevice* device);
/// 1 while it is there.
HEFT_API int heft_device_alive(const HeftDevice* device);

// ---- from the device to the world

/// Where the hand is in the world: the input of a step, and all of it.
typedef struct HeftProbeInput {
  uint64_t time_ns;
  HeftVec3 pos;
  HeftQuat rot;
  HeftVec3 vel, spin;
  unsigned buttons;
  int present;  ///< 0: nobody is there; nothing is touched
} HeftProbeInput;

typedef struct HeftMapping {
  HeftVec3 center;     ///< point of the device ...
  HeftVec3 origin;     ///< ... that lies here in the world
  HeftMat3 axes;       ///< columns: right, away, up of the person in the world; the camera's, say
  double scale;        ///< metres in the world for a metre of the device
  double force_scale;  ///< newtons on the hand for a newton in the world
  int clutch;          ///< button that lets the hand move back without the probe; -1: none
  // kept by heft_mapping_apply()
  int held;  ///< 1 while the clutch is pressed
  HeftVec3 held_pos;
  HeftQuat held_rot, shift_rot;
} HeftMapping;

HEFT_API HeftMapping heft_mapping_default(void);
/// While the clutch is held the probe stands still and is not present.
HEFT_API HeftProbeInput heft_mapping_apply(HeftMapping* mapping, const HeftDeviceSample* sample);
/// A force in the world as the hand feels it.
HEFT_API HeftDeviceForce heft_mapping_force(const HeftMapping* mapping,
                                            const HeftDeviceForce* in_world);

// ---- the probe

/// What a probe does: X(name, text).
#define HEFT_PROBE_MODE_LIST(X)                                                             \
  X(HEFT_PROBE_TOUCH, "touch")   /* cannot enter bodies; holds while a button is pressed */ \
  X(HEFT_PROBE_ATTACH, "attach") /* holds what it is given or what is nearest */

typedef enum HeftProbeMode {
  HEFT_PROBE_MODE_LIST(HEFT_ENUM_ENTRY) HEFT_PROBE_MODE_COUNT
} HeftProbeMode;
HEFT_API const char* heft_probe_mode_name(HeftProbeMode mode);

typedef struct HeftProbeDef {
  HeftAllocator allocator;
  HeftProbeMode mode;
  double radius;          ///< of the ball that touches [m]
  double stiffness;       ///< of the spring between hand and world [N/m]
  double damping;         ///< felt by the hand [N s/m]; what a device can bear is little or none
  double turn_stiffness;  ///< while holding [N m/rad]; 0: what is held turns freely
  double friction;        ///< Coulomb's coefficient of the ball; -1: that of what it touches
  double force_max, torque_max;  ///< of the springs [N, N m]
  int hold_button;               ///< touch: holds what it touches while pressed; -1: never
  int body;                      ///< attach: body that is held from the start, -1: the nearest
  HeftVec3 point;                ///< and where, in its frame [m]
} HeftProbeDef;

HEFT_API HeftProbeDef heft_probe_def_default(void);

typedef struct HeftProbe HeftProbe;

/// What a probe has in hand. Plain data, and all that its future depends on.
typedef struct HeftProbeState {
  HeftVec3 proxy;   ///< centre of the ball [m]
  int placed;       ///< 0: the proxy is nowhere yet
  int body;         ///< touched or held, -1: none
  int holds;        ///< 1: held
  HeftPose at;      ///< where, in the frame of the body
  HeftVec3 normal;  ///< of the surface touched, outward
  double friction;  ///< there
  HeftVec3 force;   ///< on the hand, of the last step [N]
  HeftVec3 torque;  ///< [N m]
  double depth;     ///< of the hand below the surface [m]
  HeftVec3 offset;  ///< from the hand to the point that it holds from afar [m]
} HeftProbeState;

HEFT_API HeftStatus heft_probe_create(HeftProbe** out, const HeftModel* model,
                                      const HeftProbeDef* def, HeftError* error);
HEFT_API void heft_probe_destroy(HeftProbe* probe);
/// Before a step: finds what the hand touches and couples it to the world.
HEFT_API void heft_probe_begin(HeftProbe* probe, HeftWorld* world, const HeftProbeInput* input);
/// After the step: what the hand should feel until the next one.
HEFT_API HeftLocalModel heft_probe_end(HeftProbe* probe, HeftWorld* world);
HEFT_API const HeftProbeState* heft_probe_state(const HeftProbe* probe);
HEFT_API void heft_probe_set_state(HeftProbe* probe, const HeftProbeState* state);
HEFT_API HeftProbeDef heft_probe_def(const HeftProbe* probe);

// ---- what a touch means

/// What a person does to a robot, told from the force between them alone: X(name, text).
#define HEFT_GESTURE_LIST(X)     \
  X(HEFT_GESTURE_NONE, "none")   \
  X(HEFT_GESTURE_TAP, "tap")     \
  X(HEFT_GESTURE_PUSH, "push")   \
  X(HEFT_GESTURE_SHAKE, "shake") \
  X(HEFT_GESTURE_RELEASE, "release")

typedef enum HeftGesture { HEFT_GESTURE_LIST(HEFT_ENUM_ENTRY) HEFT_GESTURE_COUNT } HeftGesture;
HEFT_API const char* heft_gesture_name(HeftGesture gesture);

typedef struct HeftGestureDef {
  double touch, release;  ///< a touch begins above, and ends below [N]
  double tap_longest;     ///< a touch that ends sooner is a tap [s] ...
  double tap_quiet;       ///< ... if nothing follows for so long [s]
  double push_shortest;   ///< one that lasts longer is a push [s]
  double shake_force;     ///< a swing counts when the force goes beyond this either way [N]
  int shake_swings;       ///< swings that make a shake
  double shake_longest;   ///< within so long [s]
} HeftGestureDef;

HEFT_API HeftGestureDef heft_gesture_def_default(void);

/// Plain data; zero at the start.
typedef struct HeftGestureState {
  int touched, told;       ///< 1 while touched; 1 after push or shake was told
  double since;            ///< how long touched [s]
  int pending;             ///< 1 while a tap waits for what may follow
  double quiet;            ///< since the last touch [s]
  int side, swings, axis;  ///< last side of a swing, swings so far, axis of the first
  double last_swing;       ///< time since the last one [s]
} HeftGestureState;

/// One step with the force of the person. Returns what was recognised in this step, mostly nothing.
HEFT_API HeftGesture heft_gesture_step(const HeftGestureDef* def, HeftGestureState* state,
                                       HeftVec3 force, double dt);

/// What a behaviour is told in a step.
typedef struct HeftBehaviourInput {
  double dt;            ///< [s]
  HeftVec3 hand;        ///< where the person's hand is [m]
  HeftVec3 force;       ///< of the person on the robot [N]
  HeftGesture gesture;  ///< just recognised
} HeftBehaviourInput;

/// What it asks of the robot.
typedef struct HeftBehaviourOutput {
  int comply;        ///< 1: the touched chain gives way (heft_compliance_step())
  int look;          ///< 1: the eyes go to look_at (heft_gaze_step())
  HeftVec3 look_at;  ///< [m]
  double nod;        ///< angle to add to the neck [rad]
} HeftBehaviourOutput;

/// Plain data, zero at the start: a small machine with a number of states.
typedef struct HeftBehaviourState {
  int mode;      ///< 0 at rest
  double since;  ///< time in this mode [s]
  HeftVec3 at;   ///< where it began [m]
} HeftBehaviourState;

/// A behaviour: one function on plain data. Write your own and call it beside ours.
typedef struct HeftBehaviour {
  const char *name, *text;
  void (*step)(HeftBehaviourState* state, const HeftBehaviourInput* in, HeftBehaviourOutput* out);
} HeftBehaviour;

/// The behaviours that Heft has, NULL beyond: "lead", task-induced: gives way while it is pushed
/// and watches the hand; "greet", communication-induced: looks at who taps it, and nods when its
/// hand is shaken.
HEFT_API const HeftBehaviour* heft_behaviour(int index);

// ---- sessions: a world with people in it, and how it can be lived again

/// Steps a world with its probes, and keeps what is needed to take each step again.
typedef struct HeftSession HeftSession;

enum { HEFT_SESSION_PROBES = 4 };

/// world must outlive the session; defs: one for each probe. allocator may be NULL.
HEFT_API HeftStatus heft_session_create(HeftSession** out, HeftWorld* world, int probes,
                                        const HeftProbeDef* defs, const HeftAllocator* allocator,
                                        HeftError* error);
/// NULL is allowed.
HEFT_API void heft_session_destroy(HeftSession* session);
HEFT_API HeftProbe* heft_session_probe(HeftSession* session, int index);
HEFT_API int heft_session_probes(const HeftSession* session);
/// One step with the inputs of all probes. deadline_ns: as heft_world_step_until(), 0: none.
/// models: what each device should feel, NULL if nobody wants to know.
HEFT_API HeftStepReport heft_session_step(HeftSession* session, const HeftProbeInput* inputs,
                                          uint64_t deadline_ns, HeftLocalModel* models);

/// The moment between two steps, as bytes. Same version and model only.
HEFT_API size_t heft_session_moment_size(const HeftSession* session);
HEFT_API void heft_session_moment(const HeftSession* session, void* bytes);
/// Returns HEFT_OK, or what is wrong with the bytes; the session may then be left at rest.
HEFT_API HeftStatus heft_session_restore(HeftSession* session, const void* bytes, size_t size);

/// The last step, as bytes: inputs, work that a deadline left, and the hash of the state after it.
HEFT_API size_t heft_session_note_size(const HeftSession* session);
HEFT_API void heft_session_note(const HeftSession* session, void* bytes);
/// The inputs of a note, one for each probe, for whoever acts on the world beside the probes. 0 if
/// the note is damaged.
HEFT_API int heft_session_inputs(const HeftSession* session, const void* note, size_t size,
                                 HeftProbeInput* inputs);
/// Takes the step of a note again. HEFT_ERR_CHECKSUM: the state after it is not the same.
HEFT_API HeftStatus heft_session_again(HeftSession* session, const void* note, size_t size,
                                       HeftStepReport* report);

// ---- the servo

enum { HEFT_SERVO_DEVICES = 4, HEFT_SERVO_BINS = 64 };

typedef struct HeftServoDef {
  HeftAllocator allocator;
  double rate;      ///< [1/s]
  int priority;     ///< of real time, 1 to 99; 0: as any thread
  int lock_memory;  ///< 1: keep the program in memory
  double blend;     ///< when a late step comes in, the force goes over to it in this time [s]
} HeftServoDef;

HEFT_API HeftServoDef heft_servo_def_default(void);

/// How well a servo keeps time. Bins are powers of two in steps of a quarter: bin i holds times
/// from 2^(i/4) to 2^((i+1)/4) microseconds.
typedef struct HeftServoReport {
  long ticks;
  long missed;                             ///< that were late by more than a period, and left out
  double late_median, late_p99, late_max;  ///< how late ticks begin [s]
  double latency_median, latency_p99;      ///< from the sample to its force [s]
  long late[HEFT_SERVO_BINS], latency[HEFT_SERVO_BINS];
  int real_time;      ///< 1 if the thread has a priority of real time
  char message[160];  ///< what was not permitted and how to permit it, or ""
} HeftServoReport;

typedef struct HeftServo HeftServo;

HEFT_API HeftStatus heft_servo_create(HeftServo** out, const HeftServoDef* def, HeftError* error);
/// Stops it. Devices stay open. NULL is allowed.
HEFT_API void heft_servo_destroy(HeftServo* servo);
/// A device to serve, before the start. Returns its number, -1 if there are too many.
HEFT_API int heft_servo_add(HeftServo* servo, HeftDevice* device, const HeftMapping* mapping);
/// Starts the thread, or hands the tick to an SDK that has one.
HEFT_API HeftStatus heft_servo_start(HeftServo* servo, HeftError* error);
/// Ends it; all forces are zero then.
HEFT_API void heft_servo_stop(HeftServo* servo);
/// One turn, when there is no thread: reads, renders, writes.
HEFT_API void heft_servo_tick(HeftServo* servo, uint64_t now_ns);

// From the thread that steps the world; nobody waits.
/// The newest input. Returns 1 if it is new.
HEFT_API int heft_servo_input(HeftServo* servo, int device, HeftProbeInput* input);
/// What the device should feel from now on.
HEFT_API void heft_servo_model(HeftServo* servo, int device, const HeftLocalModel* model);
/// Another mapping, when the camera has moved.
HEFT_API void heft_servo_map(HeftServo* servo, int device, const HeftMapping* mapping);

/// What a device is doing, for panels.
typedef struct HeftServoView {
  HeftDeviceSample sample;
  HeftProbeInput input;
  HeftDeviceForce given;  ///< what went out, in device coordinates
  HeftGuardReport guard;
  int alive;
  HeftServoReport servo;
} HeftServoView;
/// The newest view of a device, from one thread. Returns 1 if it is new.
HEFT_API int heft_servo_view(HeftServo* servo, int device, HeftServoView* view);

// ---- an emulated device

/// A handle with mass, friction and encoders, in a hand that follows an intention. Deterministic:
/// it lives in the time that it is told.
typedef struct HeftEmulatorDef {
  HeftDeviceInfo info;    ///< mass, damping, friction, resolution, force_max, rate
  double hand_mass;       ///< [kg]
  double hand_stiffness;  ///< of the arm towards its intention [N/m]
  double hand_damping;    ///< [N s/m]
  HeftVec3 start;         ///< [m]
  int delay;              ///< samples between a force that is written and one that is felt
  uint64_t seed;          ///< of jitter and loss
  double jitter;          ///< samples come late by up to this share of a period
  double loss;            ///< share of samples and forces that are lost
} HeftEmulatorDef;

HEFT_API HeftEmulatorDef heft_emulator_def_default(void);
/// Names of device models: "touch", "inverse3", "omega", "ideal", "joystick", "spacemouse". Returns
/// 0 if there is no such.
HEFT_API int heft_emulator_device(const char* name, HeftDeviceInfo* info);

typedef struct HeftEmulator {
  HeftEmulatorDef def;
  uint64_t now_ns, begun_ns;
  int begun, dead;
  HeftVec3 pos, vel;      ///< of the handle, as it is
  HeftVec3 intention;     ///< where the hand wants to be
  HeftDeviceForce force;  ///< that it feels
  HeftDeviceForce pending[8];
  uint64_t number, random;
  HeftVec3 sensed;  ///< last place that the encoders told
  uint64_t sensed_ns;
  HeftVec3 sensed_vel;
  unsigned buttons;
  double given;   ///< energy that device and coupling took from the hand while they pushed [J]
  double worked;  ///< energy that the forces written took from the handle so far [J]
  double script[16][5];  ///< time [s], x, y, z [m], buttons: way points
  int script_count;
} HeftEmulator;

HEFT_API HeftEmulator heft_emulator(const HeftEmulatorDef* def);
/// Lets time pass.
HEFT_API void heft_emulator_advance(HeftEmulator* emulator, uint64_t now_ns);
/// The newest sample. Returns HEFT_DEVICE_NOTHING if it was lost.
HEFT_API HeftDeviceRead heft_emulator_read(HeftEmulator* emulator, HeftDeviceSample* sample);
HEFT_API int heft_emulator_write(HeftEmulator* emulator, const HeftDeviceForce* force);
/// An emulator from a text: a model, what is changed in it, and a way:
/// "touch,friction=0.5,hand-mass=0.3:0 0 0 0; 1 0 0 -0.02". Names: mass, damping, friction,
/// resolution, force, rate; hand-mass, hand-stiffness, hand-damping; delay, jitter, loss, seed.
/// Model and way may be left out.
HEFT_API HeftStatus heft_emulator_read_text(HeftEmulator* emulator, const char* text,
                                            HeftError* error);
/// A way that the hand wants to go: "0 0 0 0; 1 0 0 -0.02 1" is time [s], place [m] and optionally
/// buttons, point by point, with straight lines between. Returns 0 if the text is not understood.
HEFT_API int heft_emulator_script(HeftEmulator* emulator, const char* text);

#ifdef __cplusplus
}
#endif
#endif
