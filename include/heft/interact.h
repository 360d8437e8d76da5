// SPDX-License-Identifier: Apache-2.0
/// @file interact.h
/// Interaction of users with a world: the coupling between a hand and the bodies.
///
///     device ──read──▶ servo (1 kHz) ──input──▶ probe ──coupling──▶ world
///     device ◀─guard── servo         ◀─model─── probe ◀─────────── world
///     ╰─────────── <heft/device.h> ──────────╯  ╰── this header ──╯
///
/// - A probe represents the hand in the world. In contact it is a proxy: a sphere with friction
///   that cannot enter bodies. While it grasps, it is a spring in six dimensions. It runs in the
///   thread that steps the world and depends only on the input of that step: the same inputs give
///   the same bits.
/// - A local model describes the surface or the grasped frame between two steps of the world. A
///   device renders it at its own rate. If a step is late, the surface stays still and the force
///   does not jump.
/// - A mapping transforms device coordinates to the world: x to the right of the user, y away from
///   the user, z up [m]. Forces act on the user's hand. Times are from heft_clock_ns().
/// - A session steps a world with its probes and stores the data that repeats each step.
/// - This header needs no device: inputs may come from a script, a mouse or a network. Drivers,
///   guard and servo are in the library `heft_device`.
/// - Memory is allocated at create. No function prints or locks.
#ifndef HEFT_INTERACT_H
#define HEFT_INTERACT_H

#include <heft/world.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- a handle: its motion, the force on it, and a local model between two steps

/// A sample of the handle, in device coordinates.
typedef struct HeftDeviceSample {
  uint64_t time_ns;  ///< time of the sample
  uint64_t number;   ///< increases by one per sample; a gap is a lost sample
  HeftVec3 pos;      ///< [m]
  HeftQuat rot;
  HeftVec3 vel;      ///< [m/s]
  HeftVec3 spin;     ///< angular velocity, in device coordinates [rad/s]
  unsigned buttons;  ///< bit per button
  double grip;       ///< opening of a gripper, 0 closed to 1 open [1]
} HeftDeviceSample;

/// Force on the hand of the user.
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

/// A local model of the surface or the grasped frame, for the servo between steps of the world and
/// for devices that render by themselves. In device coordinates for a driver, in the world for a
/// servo.
typedef struct HeftLocalModel {
  HeftLocalKind kind;
  uint64_t time_ns;    ///< time of the model
  HeftVec3 anchor;     ///< end of the spring: proxy, or grasped frame [m]
  HeftQuat turn;       ///< its rotation
  HeftVec3 vel, spin;  ///< velocity of the anchor [m/s, rad/s]
  HeftSpatial moved;   ///< rotation and displacement of the surface or frame so far [rad, m]
  HeftVec3 normal;     ///< surface: unit, outward; no force if the handle is outside
  double friction;     ///< surface: Coulomb's coefficient
  double stiffness;    ///< [N/m]
  double damping;      ///< [N s/m]
  double rotational_stiffness, rotational_damping;  ///< [N m/rad, N m s/rad]
  double force_max;                                 ///< [N]; 0: no limit
  double torque_max;                                ///< [N m]; 0: no limit
  HeftVec3 steady;    ///< constant force in addition to the spring [N]
  HeftMat3 mobility;  ///< of the body at the contact: velocity per impulse [1/kg]
  HeftVec3 force;     ///< on the handle at time_ns [N]
} HeftLocalModel;

/// The force of a model on a handle at `now`. For at most 20 ms the anchor continues with its
/// velocity, and moves by its mobility if the force has changed.
HEFT_API HeftDeviceForce heft_local_model_force(const HeftLocalModel* model, uint64_t now_ns,
                                                const HeftDeviceSample* handle);
/// Rotation and displacement of the surface or the grasped frame up to `now` [rad, m]:
/// `moved`, continued with the anchor's velocity as heft_local_model_force() continues it.
HEFT_API HeftSpatial heft_local_moved(const HeftLocalModel* model, uint64_t now_ns);

// ---- from the device to the world

/// The hand in the world: the complete input of a probe for one step.
typedef struct HeftProbeInput {
  uint64_t time_ns;    ///< of the sample [ns]
  HeftVec3 pos;        ///< [m]
  HeftQuat rot;        ///< orientation
  HeftVec3 vel, spin;  ///< linear and angular velocity [m/s, rad/s]
  unsigned buttons;    ///< bits of those that are pressed
  int present;         ///< 0: no user; the probe is out of contact
} HeftProbeInput;

/// How the space of a device maps to the world.
typedef struct HeftMapping {
  HeftVec3 center;  ///< point [m] in device coordinates ...
  HeftVec3 origin;  ///< ... that maps to this point [m] of the world
  HeftMat3 axes;    ///< columns: right, away, up of the user in the world, e.g. of the camera [1]
  double scale;     ///< metres in the world per metre of the device
  double force_scale;  ///< newtons on the hand per newton in the world
  int clutch;          ///< button that disengages the probe from the hand; -1: none
  // state of heft_mapping_apply()
  int held;           ///< 1 while the clutch is pressed
  HeftVec3 held_pos;  ///< [m], when the clutch was pressed
  HeftQuat held_rot, shift_rot;
} HeftMapping;

/// Device and world have the same axes and lengths.
HEFT_API HeftMapping heft_mapping_default(void);
/// Maps a sample to the world. While the clutch is pressed the probe does not move and is not
/// present.
/// [in,out] mapping
HEFT_API HeftProbeInput heft_mapping_apply(HeftMapping* mapping, const HeftDeviceSample* sample);
/// Maps a force in the world to the hand.
HEFT_API HeftDeviceForce heft_mapping_force(const HeftMapping* mapping,
                                            const HeftDeviceForce* in_world);

// ---- the probe

/// Modes of a probe: X(name, text).
#define HEFT_PROBE_MODE_LIST(X)                                                              \
  X(HEFT_PROBE_TOUCH, "touch")   /* cannot enter bodies; grasps while a button is pressed */ \
  X(HEFT_PROBE_ATTACH, "attach") /* grasps the given body or the nearest */

typedef enum HeftProbeMode {
  HEFT_PROBE_MODE_LIST(HEFT_ENUM_ENTRY) HEFT_PROBE_MODE_COUNT
} HeftProbeMode;
/// Name of a mode. Static string, never NULL.
HEFT_API const char* heft_probe_mode_name(HeftProbeMode mode);

/// Settings of a probe.
typedef struct HeftProbeDef {
  uint32_t cookie;  ///< set by heft_probe_def_default(); see HEFT_DEF_COOKIE
  HeftProbeMode mode;
  HeftAllocator allocator;
  double radius;                 ///< of the proxy [m]
  double stiffness;              ///< of the spring between hand and world [N/m]
  double damping;                ///< on the hand [N s/m]; devices tolerate little or none
  double rotational_stiffness;   ///< in a grasp [N m/rad]; 0: the body turns freely
  double friction;               ///< Coulomb's coefficient; -1: the surface's
  double force_max, torque_max;  ///< of the springs [N, N m]
  int hold_button;               ///< touch: grasps the body in contact while pressed; -1: never
  int body;                      ///< attach: body to grasp from the start, -1: the nearest
  HeftVec3 point;                ///< attach: point in the frame of the body [m]
} HeftProbeDef;

HEFT_DEF_FUNCTIONS(HeftProbeDef, heft_probe_def_default, heft_probe_def_init);

/// The hand of a user in a world: it touches or holds bodies.
typedef struct HeftProbe HeftProbe;

/// The complete state of a probe. Plain data.
typedef struct HeftProbeState {
  HeftVec3 proxy;   ///< centre of the sphere [m]
  int placed;       ///< 0: the proxy has no position yet
  int body;         ///< in contact or grasped, -1: none
  int holds;        ///< 1: grasped
  HeftPose at;      ///< contact or grasp frame, in the frame of the body
  HeftVec3 normal;  ///< of the surface, outward
  double friction;  ///< of the surface [1]
  HeftVec3 force;   ///< on the hand, of the last step [N]
  HeftVec3 torque;  ///< [N m]
  double depth;     ///< of the hand below the surface [m]
  HeftVec3 offset;  ///< from the hand to the grasped point [m]
} HeftProbeState;

/// def may be NULL, error may be NULL. *out is NULL on failure.
HEFT_API HeftStatus heft_probe_create(HeftProbe** out, const HeftModel* model,
                                      const HeftProbeDef* def, HeftError* error);
HEFT_API void heft_probe_destroy(HeftProbe* probe);
/// Called before a step: finds the contact of the hand and couples it to the world.
HEFT_API void heft_probe_begin(HeftProbe* probe, HeftWorld* world, const HeftProbeInput* input);
/// Called after the step: returns the local model until the next step.
HEFT_API HeftLocalModel heft_probe_end(HeftProbe* probe, HeftWorld* world);
HEFT_API const HeftProbeState* heft_probe_state(const HeftProbe* probe);
HEFT_API void heft_probe_set_state(HeftProbe* probe, const HeftProbeState* state);
HEFT_API HeftProbeDef heft_probe_def(const HeftProbe* probe);
/// The damping of a coupling by [Chardonnet 2012]: k_v = sqrt(2 m k_p) [N s/m].
HEFT_API double heft_coupling_damping(double mass, double stiffness);

// ---- gestures and behaviours

/// Gestures of a user, recognised from touch without eyes: X(name, text).
#define HEFT_GESTURE_LIST(X)             \
  X(HEFT_GESTURE_NONE, "none")           \
  X(HEFT_GESTURE_TAP, "tap")             \
  X(HEFT_GESTURE_KNOCK, "knock")         \
  X(HEFT_GESTURE_PUSH, "push")           \
  X(HEFT_GESTURE_REST, "rest")           \
  X(HEFT_GESTURE_STROKE, "stroke")       \
  X(HEFT_GESTURE_LEAD, "lead")           \
  X(HEFT_GESTURE_SHAKE, "shake")         \
  X(HEFT_GESTURE_HANDSHAKE, "handshake") \
  X(HEFT_GESTURE_RELEASE, "release")

typedef enum HeftGesture { HEFT_GESTURE_LIST(HEFT_ENUM_ENTRY) HEFT_GESTURE_COUNT } HeftGesture;
/// Name of a gesture. Static string, never NULL.
HEFT_API const char* heft_gesture_name(HeftGesture gesture);

/// Contact of a user's hand in a step.
typedef struct HeftUserContact {
  int body;        ///< touched, <= 0: none
  int on_hand;     ///< 1: that body is a hand of the robot
  int held;        ///< 1: the user's hand has closed around it
  HeftVec3 point;  ///< of contact, in the frame of the body [m]
  HeftVec3 force;  ///< of the user on the body, in the world [N]
} HeftUserContact;

/// Limits that separate gestures.
typedef struct HeftGestureDef {
  double press_force, release;  ///< contact begins above the first, ends below the second [N]
  double tap_quiet;             ///< a tap that another follows within this time is a knock [s]
  double push_shortest;         ///< a contact that ends sooner is a tap [s]
  double push_force;            ///< a longer one pushes or leads with more force, else it rests [N]
  double stroke_length;         ///< shortest path of a stroke over the surface [m]
  double shake_force;           ///< a swing counts if the force exceeds this, less its mean [N]
  int shake_swings;             ///< number of swings of a shake
  double shake_longest;         ///< between two of them [s]
} HeftGestureDef;

/// Usual thresholds: contact above 1 N, a tap within 0.9 s, a shake of four swings.
HEFT_API HeftGestureDef heft_gesture_def_default(void);

/// Plain data; zero at the start.
typedef struct HeftGestureState {
  int touched, held;     ///< 1 in contact; 1 if it was held
  int reported;          ///< gesture that was reported of it
  int body;              ///< touched last
  int taps, swings;      ///< that wait for tap_quiet; of the held hand in a row
  double since, quiet;   ///< time in contact, and since the last one [s]
  double last_swing;     ///< time since the force of the last one grew [s]
  double path;           ///< length of the path of the point over the surface [m]
  HeftVec3 at;           ///< its last place, in the frame of the body [m]
  HeftVec3 force, mean;  ///< quick and slow means of the force [N]
  HeftVec3 side;         ///< largest force of the last swing, less the mean [N]
} HeftGestureState;

/// One step with the contact of the user. Returns the gesture recognised in this step, or NONE.
/// [in,out] state
HEFT_API HeftGesture heft_gesture_step(const HeftGestureDef* def, HeftGestureState* state,
                                       const HeftUserContact* touch, double dt);

/// Input of a behaviour in a step.
typedef struct HeftBehaviourInput {
  double dt;            ///< [s]
  HeftVec3 hand;        ///< position of the hand [m]
  HeftVec3 force;       ///< of the user on the robot [N]
  HeftGesture gesture;  ///< recognised in this step
} HeftBehaviourInput;

/// Commands of a behaviour to the robot.
typedef struct HeftBehaviourOutput {
  int comply;        ///< 1: the loaded chain complies (heft_compliance_step())
  int look;          ///< 1: the eyes turn to look_at (heft_gaze_step())
  HeftVec3 look_at;  ///< [m]
  double nod;        ///< angle to add to the neck [rad]
} HeftBehaviourOutput;

/// State of a behaviour, a finite-state machine. Plain data, zero at the start.
typedef struct HeftBehaviourState {
  int mode;      ///< 0: idle
  double since;  ///< time in this mode [s]
  HeftVec3 at;   ///< position of the hand at the start of the mode [m]
} HeftBehaviourState;

/// A behaviour: one function on plain data. Programs may call their own behaviours the same way.
typedef struct HeftBehaviour {
  const char *name, *text;  ///< one word, one phrase
  /// One step of the behaviour.
  void (*step)(HeftBehaviourState* state, const HeftBehaviourInput* in, HeftBehaviourOutput* out);
} HeftBehaviour;

/// The behaviours of Heft, NULL beyond the last. "lead" (task-induced) complies while it is pushed
/// and watches the hand. "greet" (communication-induced) looks at a tap and nods to a handshake.
HEFT_API const HeftBehaviour* heft_behaviour_at(int index);

// ---- sessions: a world with users, and its replay

/// Steps a world with its probes, and stores the data that repeats each step.
typedef struct HeftSession HeftSession;

enum { HEFT_SESSION_PROBES = 8 };  ///< most probes of a session

/// world must outlive the session; defs: one for each probe. allocator may be NULL.
/// [in] defs[probes]
HEFT_API HeftStatus heft_session_create(HeftSession** out, HeftWorld* world, int probes,
                                        const HeftProbeDef* defs, const HeftAllocator* allocator,
                                        HeftError* error);
/// NULL is allowed.
HEFT_API void heft_session_destroy(HeftSession* session);
HEFT_API HeftProbe* heft_session_probe(HeftSession* session, int index);
HEFT_API int heft_session_probe_count(const HeftSession* session);
/// One step with the inputs of all probes. deadline_ns: as heft_world_step_until(), 0: none.
/// models: receives the local model of each device; models may be NULL.
/// [in] inputs[heft_session_probe_count(session)]
/// [out] models[heft_session_probe_count(session)]
HEFT_API HeftStepReport heft_session_step(HeftSession* session, const HeftProbeInput* inputs,
                                          uint64_t deadline_ns, HeftLocalModel* models);

/// The state between two steps, as bytes. Valid for the same version and model only.
HEFT_API size_t heft_session_snapshot_size(const HeftSession* session);
/// [out] bytes[heft_session_snapshot_size(session)]
HEFT_API void heft_session_snapshot(const HeftSession* session, void* bytes);
/// Returns HEFT_OK, or the error of the bytes; then the session may be left at rest.
/// [in] bytes[size]
HEFT_API HeftStatus heft_session_restore(HeftSession* session, const void* bytes, size_t size);

/// Hands of the users before a step: their positions in these inputs, contacts and forces of the
/// last step. inputs, hands: one for each probe.
/// [in] inputs[heft_session_probe_count(session)]
/// [out] hands[heft_session_probe_count(session)]
HEFT_API void heft_session_hands(const HeftSession* session, const HeftProbeInput* inputs,
                                 HeftHand* hands);

/// The last step, as bytes: inputs, effort within the deadline, and the hash of the state after it.
HEFT_API size_t heft_session_record_size(const HeftSession* session);
/// [out] bytes[heft_session_record_size(session)]
HEFT_API void heft_session_record(const HeftSession* session, void* bytes);
/// The inputs of a record, one for each probe, for programs that act on the world themselves.
/// HEFT_ERR_SYNTAX: the record is damaged.
/// [in] record[size]; [out] inputs[heft_session_probe_count(session)]
HEFT_API HeftStatus heft_session_record_inputs(const HeftSession* session, const void* record,
                                               size_t size, HeftProbeInput* inputs);
/// Repeats the step of a record. HEFT_ERR_CHECKSUM: the state after it has other bits.
/// [in] record[size]; [out] report
HEFT_API HeftStatus heft_session_replay(HeftSession* session, const void* record, size_t size,
                                        HeftStepReport* report);

#ifdef __cplusplus
}
#endif
#endif
