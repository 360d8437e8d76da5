// SPDX-License-Identifier: Apache-2.0
/// @file world.h
/// A world steps one model through time.
///
/// - All memory of a world is taken when it is created; heft_world_step() never allocates, prints
///   or aborts. With def.threads = 1 it uses no lock. With more threads it does: the threads of the
///   world wait for each other several times in a step.
/// - Worlds share nothing but their const model, so each may be stepped from its own thread.
/// - Functions that take a const world only read it: several threads may call them at the same
///   time, as long as no thread changes the world. heft_world_snapshot() of a model with sensors is
///   the exception: it computes the values of the sensors if they are out of date.
/// - Same model, def, state and inputs: same bits, whatever the compiler, its options and the
///   machine.
/// - A step with an error above its bound (HEFT_STEP_QUANTITY_LIST), or with more contact points
///   than fit, is taken, and its status reports it: only HEFT_STEP_SOLVED means that the laws hold.
/// - If a step would end in numbers that are not finite, it is rolled back: the state stays as it
///   was (with substeps, or a divided step: as after the last finite part), and the report states
///   it. The world never resets itself.
#ifndef HEFT_WORLD_H
#define HEFT_WORLD_H

#include <heft/inputs.h>
#include <heft/results.h>
#include <heft/step_report.h>
#include <heft/version.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- the world and its steps

/// Creates a world at q_default, at rest. def may be NULL: the default one. HEFT_ERR_ARGUMENT: the
/// def was never initialised. HEFT_ERR_VERSION: the def comes from a program that was compiled
/// against other headers. HEFT_ERR_UNSUPPORTED: the calling thread does not compute by IEEE 754: it
/// does not round to nearest, it flushes small numbers to zero (FTZ, DAZ), or the library was
/// compiled with -ffast-math or contraction; the message states what to do. Threads that step the
/// world need the same arithmetic. *out is NULL on failure. error may be NULL. The model must
/// outlive the world.
HEFT_API HeftStatus heft_world_create(HeftWorld** out, const HeftModel* model,
                                      const HeftWorldDef* def, HeftError* error);
/// heft_world_create() for a caller whose headers have the number abi_version. HEFT_ERR_VERSION:
/// the library has another one. C and C++ programs get here by the macro below, so that the headers
/// that they were compiled against are checked even if def is NULL. def and error may be NULL.
/// Bindings may call either function.
HEFT_API HeftStatus heft_world_create_for(HeftWorld** out, const HeftModel* model,
                                          const HeftWorldDef* def, int abi_version,
                                          HeftError* error);
#define heft_world_create(out, model, def, error) \
  heft_world_create_for((out), (model), (def), HEFT_ABI_VERSION, (error))
/// Releases all memory. world may be NULL.
HEFT_API void heft_world_destroy(HeftWorld* world);

/// Steps the world by def.time_step.
HEFT_API HeftStepReport heft_world_step(HeftWorld* world);
/// heft_world_step() with a deadline (heft_clock_ns()). If the contact solver would miss it, it
/// returns the best impulses so far; these are in their cones and add no energy. The status is then
/// HEFT_STEP_INEXACT, and the report states how exact they are. Rounds of impacts and passes for
/// the force limits of actuators that would end too late are left out. The other parts of a step
/// before and after the solver are not shortened: see heft_world_min_step_ns().
HEFT_API HeftStepReport heft_world_step_until(HeftWorld* world, uint64_t deadline_ns);
/// Time that the last step with a deadline took outside the solver [ns]; 0 before the first. A
/// deadline closer than this cannot be met.
HEFT_API uint64_t heft_world_min_step_ns(const HeftWorld* world);
/// Effort of the contact solver in the last step, as a list of numbers; negative ones mark parts
/// that a deadline left out. Returns their count; at most `capacity` are written.
/// [out] effort[capacity]
HEFT_API int heft_world_effort(const HeftWorld* world, int* effort, int capacity);
/// A step that spends the effort of an earlier one (heft_world_effort()): from the same state it
/// ends in the same bits, whatever the deadline was.
/// [in] effort[count]
HEFT_API HeftStepReport heft_world_step_replay(HeftWorld* world, const int* effort, int count);

// ---- state

/// Length of a step [s]: def.time_step, or the model's.
HEFT_API double heft_world_time_step(const HeftWorld* world);
/// The present state. It belongs to the world and lives as long.
HEFT_API const HeftState* heft_world_state(const HeftWorld* world);
/// Copies a state of the same model. HEFT_ERR_VALUE: a number is not finite, or a quaternion is far
/// from unit length; the state then stays as it was.
HEFT_API HeftStatus heft_world_set_state(HeftWorld* world, const HeftState* state);
/// Copies coordinates q[0 .. count - 1] to the state from coordinate `first` on, as
/// heft_world_set_state() does. first 0 and count nq: all of them. HEFT_ERR_VALUE: a number is not
/// finite or a quaternion is far from unit length; the state stays as it was. error may be NULL.
/// [in] q[count]
HEFT_API HeftStatus heft_world_set_q(HeftWorld* world, int first, const double* q, int count,
                                     HeftError* error);
/// heft_world_set_q() for velocities. error may be NULL.
/// [in] v[count]
HEFT_API HeftStatus heft_world_set_v(HeftWorld* world, int first, const double* v, int count,
                                     HeftError* error);
/// Resets the world as heft_world_reset() does and copies a keyframe of the model: time,
/// coordinates, velocities, activations and controls.
HEFT_API HeftStatus heft_world_set_key(HeftWorld* world, int key);
/// Resets the world to q_default, at rest, with time, forces and controls zero.
HEFT_API void heft_world_reset(HeftWorld* world);

// ---- copies

/// Creates a second world of the same model, def, parameters, callbacks and user data in the same
/// state: both go on with the same bits. Wrenches and couplings for the next step and the contacts
/// of the last one are not copied. *out is NULL on failure. error may be NULL.
HEFT_API HeftStatus heft_world_clone(HeftWorld** out, const HeftWorld* world, HeftError* error);

/// Makes a world of a changed model go on where a world of the former model is: objects can be
/// created and removed while a program runs. Change the model by heft_builder_add_model(), create a
/// world `to` of it, transfer, and destroy the former world.
/// Bodies, joints, shapes, materials, actuators, tendons and equalities are matched by name, those
/// without a name by what they are and where. Matched objects keep coordinates, velocities,
/// activations, controls, joint forces, commands of moved bodies, conveyors, changed parameters,
/// data of the user, and the impulses of the last step: contact forces go on without a jump, and
/// islands at rest stay at rest. New objects have the state of `to` at its start. Callbacks,
/// wrenches and couplings are not carried. error may be NULL.
HEFT_API HeftStatus heft_world_transfer(HeftWorld* to, const HeftWorld* from, HeftError* error);

// ---- margins

// How far bodies in contact are from slipping, tipping or lifting off, from the contacts, limits
// and loops of the last step. All forces that explain its motion and obey Coulomb's law are
// considered, not only the forces of the step: a stance has a margin, its contact points do not
// (docs/theory/margins.md).
//
// Springs and position servos hold their joints, servos within their force limits. They sag under a
// load, and a stance that has moved holds less. The sag is followed while contact points lift and
// slide, but not where they meet again.

/// A load: a force and a torque on a body, which grow together.
typedef struct HeftMarginLoad {
  int body;         ///< index of the body
  HeftVec3 point;   ///< where the force acts, in the world [m]
  HeftVec3 force;   ///< [N]
  HeftVec3 torque;  ///< [N m]
} HeftMarginLoad;

/// How a stance fails when a load grows: X(name, text).
#define HEFT_MARGIN_END_LIST(X)  \
  X(HEFT_MARGIN_SLIPS, "slips")  \
  X(HEFT_MARGIN_TIPS, "tips")    \
  X(HEFT_MARGIN_FREE, "is free") \
  X(HEFT_MARGIN_NEVER, "holds any load")

/// SLIPS: more friction would hold more. TIPS: no friction would; bodies lift off or tip, or forces
/// of servos are at their limits. FREE: no force resists the load. NEVER: the load presses bodies
/// together, and no finite one moves them.
typedef enum HeftMarginEnd {
  HEFT_MARGIN_END_LIST(HEFT_ENUM_ENTRY) HEFT_MARGIN_END_COUNT
} HeftMarginEnd;

/// Name of an end. Static string, never NULL.
HEFT_API const char* heft_margin_end_name(HeftMarginEnd end);

/// The margin of a stance along a load.
typedef struct HeftMargin {
  HeftMarginEnd end;  ///< how it fails
  double load;   ///< largest factor of the load that it holds, on top of the last step's loads,
                 ///< >= 0; infinite: never fails [1]
  double rigid;  ///< the same as `load` if joints did not sag, >= 0 [1]
  double gap;    ///< the exact factor is at most so much smaller than `rigid` [1]
  int contact;   ///< contact of the last step that moves fastest as it fails; -1: none
} HeftMargin;

/// The margin along loads that grow together.
/// HEFT_ERR_VALUE: a number is not finite, or all loads are zero. HEFT_ERR_MEMORY: no memory.
/// HEFT_ERR_UNSUPPORTED: the search did not end. error may be NULL.
/// [in] loads[count]; [out] out
HEFT_API HeftStatus heft_world_margin(HeftWorld* world, const HeftMarginLoad* loads, int count,
                                      HeftMargin* out, HeftError* error);
/// The largest factor of the loads that the stance would hold with endless friction, at least that
/// of heft_world_margin() but for rounding. Infinite: it never tips. Errors as of
/// heft_world_margin(). error may be NULL.
/// [in] loads[count]; [out] factor
HEFT_API HeftStatus heft_world_tip_margin(HeftWorld* world, const HeftMarginLoad* loads, int count,
                                          double* factor, HeftError* error);
/// The smallest factor of all coefficients of friction with which the motion of the last step would
/// be possible, for the bodies that a body is in contact with, directly or not; 0 if it needs no
/// friction. Larger than 1 only by rounding. Errors as of heft_world_margin(). error may be NULL.
/// [out] factor
HEFT_API HeftStatus heft_world_friction_needed(HeftWorld* world, int body, double* factor,
                                               HeftError* error);
/// Least and largest normal force of a contact of the last step, over all forces that explain its
/// motion; equal if the motion determines it; infinite if nothing bounds it [N]. Errors as of
/// heft_world_margin(). error may be NULL.
/// [out] min, max
HEFT_API HeftStatus heft_world_contact_range(HeftWorld* world, int contact, double* min,
                                             double* max, HeftError* error);

// ---- derivatives

// The last step as a function of its start: how positions and velocities at its end change with
// those at its start and with joint forces (docs/theory/derivatives.md). Positions change in
// tangent coordinates: q ⊕ dq of heft_q_integrate() with a time of 1. Warm impulses and force
// limits of the step before stay as they are.

/// Reasons why a derivative is inexact: X(name, text).
#define HEFT_DERIVATIVE_FLAG_LIST(X)                                                      \
  X(HEFT_DERIVATIVE_PARTS, "the step had several parts, tries or substeps")               \
  X(HEFT_DERIVATIVE_INEXACT, "the step was not solved to its tolerance")                  \
  X(HEFT_DERIVATIVE_IMPACT, "bodies bounce, or meet within the step")                     \
  X(HEFT_DERIVATIVE_REST, "bodies came to rest: their velocities were set to zero")       \
  X(HEFT_DERIVATIVE_SCHEME, "the scheme keeps energy, or is of second order in contact")  \
  X(HEFT_DERIVATIVE_LAW, "a law of contact that is not differentiated")                   \
  X(HEFT_DERIVATIVE_DRIVES, "a transmission, spring or fluid that is not differentiated") \
  X(HEFT_DERIVATIVE_GEOMETRY, "a contact point jumps when its shapes move")               \
  X(HEFT_DERIVATIVE_REDUNDANT, "constraints that depend on each other disagree")          \
  X(HEFT_DERIVATIVE_CHANGE, "the state of a contact point is about to change")            \
  X(HEFT_DERIVATIVE_WRENCH, "wrenches acted")

/// The number of a bit of HeftDerivative::flags.
typedef enum HeftDerivativeFlag {
  HEFT_DERIVATIVE_FLAG_LIST(HEFT_ENUM_ENTRY) HEFT_DERIVATIVE_FLAG_COUNT
} HeftDerivativeFlag;

/// How far a derivative holds.
typedef struct HeftDerivative {
  unsigned flags;   ///< 1 << HeftDerivativeFlag for each reason; 0: it is exact
  int redundant;    ///< rows that hold and follow from others
  double radius_q;  ///< smallest change of one coordinate of q, to first order, that changes the
                    ///< state of a contact point, limit or dry friction; infinite: none [m, rad]
  double radius_v;  ///< the same of v [m/s, rad/s]
  double radius_force;  ///< the same of joint forces [N, N m]
} HeftDerivative;

/// Text of a flag. Static string, never NULL.
HEFT_API const char* heft_derivative_flag_name(HeftDerivativeFlag flag);

/// The derivative of the last step: of (q, v) at its end by (q, v) at its start, by joint forces
/// and by controls. Matrices are row-major, with 2 nv rows; NULL: not wanted. Needs the state, the
/// joint forces and the controls as the step left them. HEFT_ERR_MEMORY: no memory.
/// HEFT_ERR_UNSUPPORTED: there was no step since the world changed, or it had several parts. error
/// may be NULL.
/// [out] state[2 * nv][2 * nv], force[2 * nv][nv], control[2 * nv][nactuator], out
HEFT_API HeftStatus heft_world_derivative(HeftWorld* world, double* state, double* force,
                                          double* control, HeftDerivative* out, HeftError* error);
/// The transposed derivative times a vector: from the gradient `end` of a function of (q, v) at the
/// end of the last step its gradients by (q, v) at its start, joint forces and controls; NULL: not
/// wanted. Radii are infinite: they are not computed. Errors as of heft_world_derivative(). error
/// may be NULL.
/// [in] end[2 * nv]; [out] start[2 * nv], force[nv], control[nactuator], out
HEFT_API HeftStatus heft_world_derivative_transposed(HeftWorld* world, const double* end,
                                                     double* start, double* force, double* control,
                                                     HeftDerivative* out, HeftError* error);

/// Parameters by which a step is differentiated.
typedef enum HeftStepParameterKind {
  HEFT_STEP_FRICTION,      ///< kinetic and static friction of a material; -1: of all materials []
  HEFT_STEP_DAMPING,       ///< damping of a dof [N s/m, N m s/rad]
  HEFT_STEP_STIFFNESS,     ///< stiffness of the spring of a dof [N/m, N m/rad]
  HEFT_STEP_ARMATURE,      ///< armature of a dof [kg, kg m²]
  HEFT_STEP_DRY_FRICTION,  ///< dry friction of a dof [N, N m]
  HEFT_STEP_GAIN,          ///< gain of an actuator [N, N m per unit of its input]
  HEFT_STEP_BIAS,          ///< number index % 3 of the bias of actuator index / 3: constant, by
                           ///< length, by speed [N; N/m; N s/m]
  HEFT_STEP_GEAR,          ///< gear of an actuator: the first number that is not 0, the others keep
                           ///< their ratio to it []
  HEFT_STEP_MASS,          ///< mass of a body; its moment of inertia stays [kg]
  HEFT_STEP_COM,           ///< coordinate index % 3 of the centre of mass of body index / 3 [m]
  HEFT_STEP_INERTIA,       ///< number index % 6 of the moment of inertia of body index / 6 [kg m²]
  HEFT_STEP_SOFTNESS,      ///< number index % 2 of the yielding contact of material index / 2:
                           ///< stiffness, damping [N/m, N s/m]
  HEFT_STEP_PARAMETER_COUNT
} HeftStepParameterKind;

/// A parameter of the model of a world.
typedef struct HeftStepParameter {
  HeftStepParameterKind kind;  ///< its quantity
  int index;                   ///< of the material, dof, actuator or body, as the kind says
} HeftStepParameter;

/// The derivative of (q, v) at the end of the last step by parameters: the matrix (NULL: not
/// wanted), and its transposed times the gradient `end` of a function of (q, v) (NULL: not wanted).
/// Radii are infinite: they are not computed. Errors as of heft_world_derivative();
/// HEFT_ERR_ARGUMENT: an index is out of range. error may be NULL.
/// [in] list[count], end[2 * nv]; [out] matrix[2 * nv][count], gradient[count], out
HEFT_API HeftStatus heft_world_derivative_by(HeftWorld* world, const HeftStepParameter* list,
                                             int count, double* matrix, const double* end,
                                             double* gradient, HeftDerivative* out,
                                             HeftError* error);

/// How the sensors change with the state at the end of the last step, and, those that measure
/// accelerations (v⁺ - v) / h, with the velocities v at its start. By central differences of the
/// sensors, not of steps. Rows of sensors that measure forces, distances to shapes or the time are
/// NaN. end and start may be NULL: not wanted. error may be NULL.
/// [out] end[nsensordata][2 * nv], start[nsensordata][nv]
HEFT_API HeftStatus heft_world_derivative_sensors(HeftWorld* world, double* end, double* start,
                                                  HeftError* error);

// ---- snapshots

/// A snapshot: everything that decides the world's future, as bytes, for rewinding, branching and
/// sending. It fits worlds of the same model, parameters, def and contact model, and the same
/// version
/// of Heft. Its size grows with the number of contacts.
HEFT_API size_t heft_world_snapshot_size(const HeftWorld* world);
/// Upper bound of heft_world_snapshot_size() for this world.
HEFT_API size_t heft_world_snapshot_size_max(const HeftWorld* world);
/// Writes a snapshot into bytes (heft_world_snapshot_size() of them).
/// [out] bytes[heft_world_snapshot_size(world)]
HEFT_API void heft_world_snapshot(const HeftWorld* world, void* bytes);
/// Restores a snapshot. On failure the status states what is wrong with the bytes, and nothing
/// changes.
/// [in] bytes[size]
HEFT_API HeftStatus heft_world_restore(HeftWorld* world, const void* bytes, size_t size);
/// 64 bits that depend on every bit of the state.
HEFT_API uint64_t heft_world_hash(const HeftWorld* world);

/// Memory that the world holds [bytes]: everything that it took from the allocator of its def, for
/// all its parts. heft_world_set_contact_model() and changes of parameters alter it.
HEFT_API size_t heft_world_memory(const HeftWorld* world);

#ifdef __cplusplus
}
#endif
#endif
