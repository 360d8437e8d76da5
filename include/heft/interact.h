// SPDX-License-Identifier: Apache-2.0
/// @file interact.h
/// People in the world: the coupling between a hand and what it touches.
///
///     device ──read──▶ servo (1 kHz) ──input──▶ probe ──coupling──▶ world
///     device ◀─guard── servo         ◀─model─── probe ◀─────────── world
///     ╰─────────── <heft/device.h> ──────────╯  ╰── this header ──╯
///
/// - A probe is the hand in the world. It touches (a proxy that cannot enter bodies, with friction)
///   or holds (a spring in six dimensions). It works in the thread that steps the world and depends
///   on the input of that step alone: the same inputs give the same bits.
/// - A local model describes what the hand touches between two steps of the world. A device renders
///   it at its own rate, so that a late step feels like a wall that stands still, never like a
///   kick.
/// - A mapping takes device coordinates to the world: x to the right of the person, y away from
///   them, z up [m]. Forces are those on the person's hand. Times are those of heft_clock_ns().
/// - A session steps a world with its probes and stores what is needed to repeat each step.
/// - Nothing here needs a device: inputs may come from a script, a mouse or a network. Drivers,
///   guard and servo are a library of their own, `heft_device`.
/// - Memory is taken at create. Nothing here prints or locks.
#ifndef HEFT_INTERACT_H
#define HEFT_INTERACT_H

#include <heft/world.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- a handle: its motion, the force on it, and a local model between two steps

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
  double rotational_stiffness, rotational_damping;  ///< [N m/rad, N m s/rad]
  double force_max, torque_max;                     ///< 0: none
  HeftVec3 steady;    ///< force beside the spring, for what is not a spring [N]
  HeftMat3 mobility;  ///< of what is touched: velocity that it gets from an impulse there [1/kg]
  HeftVec3 force;     ///< on the handle at that moment [N]
} HeftLocalModel;

/// The force of a model on a handle at `now`. For at most 20 ms the anchor goes on with its
/// velocity and gives way to a force that has changed, as its mobility has it.
HEFT_API HeftDeviceForce heft_local_model_force(const HeftLocalModel* model, uint64_t now_ns,
                                                const HeftDeviceSample* handle);
/// Rotation and displacement of the touched surface or held frame up to `now` [rad, m]:
/// `moved`, continued with the anchor's velocity as heft_local_model_force() continues it.
HEFT_API HeftSpatial heft_local_moved(const HeftLocalModel* model, uint64_t now_ns);

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
  double radius;     ///< of the ball that touches [m]
  double stiffness;  ///< of the spring between hand and world [N/m]
  double damping;    ///< felt by the hand [N s/m]; what a device can bear is little or none
  double rotational_stiffness;   ///< while holding [N m/rad]; 0: what is held turns freely
  double friction;               ///< Coulomb's coefficient of the ball; -1: that of what it touches
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

/// def may be NULL, error may be NULL. *out is NULL on failure.
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
/// The damping of a coupling by [Chardonnet 2012]: k_v = sqrt(2 m k_p) [N s/m].
HEFT_API double heft_coupling_damping(double mass, double stiffness);

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
  double press_force, release;  ///< a touch begins above, and ends below [N]
  double tap_longest;           ///< a touch that ends sooner is a tap [s] ...
  double tap_quiet;             ///< ... if nothing follows for so long [s]
  double push_shortest;         ///< one that lasts longer is a push [s]
  double shake_force;           ///< a swing counts when the force goes beyond this either way [N]
  int shake_swings;             ///< swings that make a shake
  double shake_longest;         ///< within so long [s]
} HeftGestureDef;

HEFT_API HeftGestureDef heft_gesture_def_default(void);

/// Plain data; zero at the start.
typedef struct HeftGestureState {
  int touched, reported;   ///< 1 while touched; 1 after push or shake was told
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
HEFT_API const HeftBehaviour* heft_behaviour_at(int index);

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
HEFT_API int heft_session_probe_count(const HeftSession* session);
/// One step with the inputs of all probes. deadline_ns: as heft_world_step_until(), 0: none.
/// models: what each device should feel; models may be NULL.
HEFT_API HeftStepReport heft_session_step(HeftSession* session, const HeftProbeInput* inputs,
                                          uint64_t deadline_ns, HeftLocalModel* models);

/// The moment between two steps, as bytes. Same version and model only.
HEFT_API size_t heft_session_snapshot_size(const HeftSession* session);
HEFT_API void heft_session_snapshot(const HeftSession* session, void* bytes);
/// Returns HEFT_OK, or what is wrong with the bytes; the session may then be left at rest.
HEFT_API HeftStatus heft_session_restore(HeftSession* session, const void* bytes, size_t size);

/// The last step, as bytes: inputs, work that a deadline left, and the hash of the state after it.
HEFT_API size_t heft_session_record_size(const HeftSession* session);
HEFT_API void heft_session_record(const HeftSession* session, void* bytes);
/// The inputs of a note, one for each probe, for whoever acts on the world beside the probes. 0 if
/// the note is damaged.
HEFT_API int heft_session_record_inputs(const HeftSession* session, const void* note, size_t size,
                                        HeftProbeInput* inputs);
/// Takes the step of a note again. HEFT_ERR_CHECKSUM: the state after it is not the same.
HEFT_API HeftStatus heft_session_replay(HeftSession* session, const void* note, size_t size,
                                        HeftStepReport* report);

#ifdef __cplusplus
}
#endif
#endif
