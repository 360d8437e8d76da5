// SPDX-License-Identifier: Apache-2.0
/// @file results.h
/// Results of the last step of a world: motion, sensors, contacts and their forces, forces of other
/// constraints.
#ifndef HEFT_RESULTS_H
#define HEFT_RESULTS_H

#include <heft/step_report.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- results of the last step

/// The motion of the last step (with substeps: of its last part). Positions moved from q by
/// q⁺ = q ⊕ h (v_mean + v_correction), up to the errors motion_defect and time_lost of the report.
typedef struct HeftStepMotion {
  double h;                ///< length of the part [s]
  const double* q_middle;  ///< nq: coordinates at which forces and rows in the middle of the
                           ///< step are evaluated [m, rad]
  const double* v_solved;  ///< nv: velocities that the impulses give, before momentum and energy
                           ///< of bodies in flight are corrected [m/s, rad/s]
  const double* v_mean;    ///< nv: mean velocity by which positions move [m/s, rad/s]
  const double* v_correction;  ///< nv: velocity of the position correction, and of the shift that
                               ///< keeps the centre of mass of bodies in flight [m/s, rad/s]
  const double* v_bias;  ///< nv: velocity at which inertia forces b(q_middle, v_bias) are evaluated
                         ///< [m/s, rad/s]
  const double* scheme_force;  ///< nv: joint forces of wrenches, couplings, geometric stiffness,
                               ///< and of what restrains fast rotation in contact [N, N m]
} HeftStepMotion;

/// Arrays of the world, valid until the next step; zero before the first.
HEFT_API HeftStepMotion heft_world_step_motion(const HeftWorld* world);

/// Poses, velocities and energies at the present state, for the functions of dynamics.h that take a
/// const HeftDynamics. The world computes them when it is created, stepped or given another state.
HEFT_API const HeftDynamics* heft_world_dynamics(const HeftWorld* world);
/// The shared model that the world was created with. Parameters of the world do not show in it.
HEFT_API const HeftModel* heft_world_model(const HeftWorld* world);

/// Values of all sensors of the model, each at its sensor_address: positions and velocities of the
/// present state, accelerations and forces of the last step. They are computed at the first call
/// after a change and valid until the next change. Noise depends only on the def's seed, the sensor
/// and the time, so a replay reads the same values.
/// [return] sensors[nsensordata]
HEFT_API const double* heft_world_sensors(HeftWorld* world);

/// Casts a bundle of rays at the present state. Each ray gets the distance to the first surface
/// that it enters [m], infinite if it meets none; the shape there, or -1; and the outward normal in
/// the world's frame, or zeros. Rays meet the shapes that can collide, and no deformable body.
/// shape, normal and error may be NULL. HEFT_ERR_VALUE: a direction is no unit vector, or an index
/// is wrong.
/// [in] rays; [out] distance[rays->count], shape[rays->count], normal[rays->count][3]
HEFT_API HeftStatus heft_world_rays(HeftWorld* world, const HeftRays* rays, double* distance,
                                    int* shape, double* normal, HeftError* error);

/// State of a contact in the last step: X(name, text).
#define HEFT_CONTACT_STATE_LIST(X)   \
  X(HEFT_CONTACT_OPEN, "open")       \
  X(HEFT_CONTACT_STICKING, "sticks") \
  X(HEFT_CONTACT_SLIPPING, "slips")

typedef enum HeftContactState {
  HEFT_CONTACT_STATE_LIST(HEFT_ENUM_ENTRY) HEFT_CONTACT_STATE_COUNT
} HeftContactState;

/// Name of a state. Static string, never NULL.
HEFT_API const char* heft_contact_state_name(HeftContactState state);

/// A contact of the last step, with its force.
typedef struct HeftContact {
  int shape_a, shape_b;  ///< the two shapes
  int body_a, body_b;    ///< their bodies
  HeftVec3 pos;          ///< halfway between the surfaces, at the start or `middle` of the step [m]
  HeftVec3 normal;       ///< unit, from a to b
  double gap;            ///< distance at the start of the step; negative: depth [m]
  HeftVec3 force;        ///< on body b, mean over the step; the opposite acts on body a [N]
  HeftVec3 torque;       ///< on body b at pos, of spinning and rolling friction [N m]
  HeftVec3 slip;         ///< velocity of b against a along the surface after the step [m/s]
  HeftContactState state;  ///< open: the force is zero
  int middle;              ///< 1: contact lasts, pos and directions are at
                           ///< HeftStepMotion::q_middle; 0: at the start
  double area;             ///< that the point represents, of area contact; 0: only a point [m²]
  HeftVec3
      offset;   ///< the force acts on b at pos + offset / 2 and on a at pos - offset / 2: places
                ///< that meet within the step; zero if the bodies touch at its start [m]
  double time;  ///< share of the step after which the bodies meet, 0: they touch at its start
  HeftVec3 tangent;         ///< unit: first direction of friction; the second is normal x tangent
  double anisotropy;        ///< friction along the second direction over that along the first [1]
  double friction;          ///< static coefficient of the step
  double kinetic;           ///< kinetic coefficient of the step
  double torsion, rolling;  ///< coefficients of the torques, times radius [m]
  double bias;              ///< added to the normal velocity u_n in the law u_n + bias >= 0 [m/s]
  double softness;  ///< velocity per impulse that a soft contact point yields; 0: rigid [1/kg]
  double weight;    ///< w, mean change of velocity per impulse; 0 in an island that sleeps [1/kg]
  double residual;  ///< error of the law, w |r - P(r - û / w)| (docs/theory/contact.md) [m/s]
  double scale;     ///< velocity to which the residual is relative [m/s]
  HeftVec3
      turning;  ///< added to the velocity of b against a in the law, since arms and normal turn
                ///< during the step (docs/theory/integrators.md); zero without `middle` [m/s]
} HeftContact;

/// Number of contacts of the last step; 0 after the state was set.
HEFT_API int heft_world_contact_count(const HeftWorld* world);
HEFT_API HeftContact heft_world_contact(const HeftWorld* world, int index);
/// Copies the contacts of the last step, at most `capacity` of them. Returns how many there are.
/// [out] out[capacity]
HEFT_API int heft_world_contacts(const HeftWorld* world, HeftContact* out, int capacity);

/// A patch of area contact between two shapes.
typedef struct HeftContactPatch {
  int shape_a, shape_b;  ///< the two shapes
  int body_a, body_b;    ///< their bodies
  int contact_count;     ///< contact points of the patch
  HeftVec3 normal;       ///< unit, from a to b
  HeftVec3 center;       ///< centre of pressure [m]; zero if there is no force
  double area;           ///< [m²]
  double force;          ///< normal force [N]
  double peak_pressure;  ///< largest normal force per area of its points [Pa]
} HeftContactPatch;
/// Sums contacts to patches, at most `capacity`, in the order of their first contacts; contacts
/// without an area are left out. Returns how many were stored.
/// [in] contacts[count]; [out] out[capacity]
HEFT_API int heft_contact_patches(const HeftContact* contacts, int count, HeftContactPatch* out,
                                  int capacity);

/// Constraints that are no contacts: X(name, text).
#define HEFT_CONSTRAINT_KIND_LIST(X)              \
  X(HEFT_CONSTRAINT_LIMIT, "joint limit")         \
  X(HEFT_CONSTRAINT_DRY_FRICTION, "dry friction") \
  X(HEFT_CONSTRAINT_EQUALITY, "equality")         \
  X(HEFT_CONSTRAINT_TENDON_LIMIT, "tendon limit") \
  X(HEFT_CONSTRAINT_TENDON_DRY_FRICTION, "tendon dry friction")

typedef enum HeftConstraintKind {
  HEFT_CONSTRAINT_KIND_LIST(HEFT_ENUM_ENTRY) HEFT_CONSTRAINT_KIND_COUNT
} HeftConstraintKind;

/// Name of a kind of constraint. Static string, never NULL.
HEFT_API const char* heft_constraint_kind_name(HeftConstraintKind kind);

/// The force of a constraint in the last step (with substeps: in the last one).
typedef struct HeftConstraintForce {
  HeftConstraintKind kind;
  int index;      ///< limits and dry friction: dof; equality: equality; tendon: tendon
  int component;  ///< limit: 0 lower, 1 upper; equality: its row, 0 to 5; else 0
  int middle;     ///< 1: the row is at HeftStepMotion::q_middle, 0: at the start
  double gap;     ///< distance to the limit, or error of the equality, at the start [m, rad]
  double force;   ///< limit: away from it, >= 0; dry friction: along the dof or tendon; equality:
                  ///< along its row [N, N m]
  double bias;    ///< added to the velocity of the row in its law [m/s, rad/s]
  double weight;  ///< w, change of velocity per impulse; 0 in an island that sleeps [1/kg, 1/kg m²]
  double residual;  ///< error of the law, w |r - P(r - u / w)| [m/s, rad/s]
  double scale;     ///< velocity to which the residual is relative [m/s, rad/s]
  HeftVec3 axis;    ///< equality between bodies: direction in which its residual is measured; three
                    ///< rows have three directions. Else zero [1]
} HeftConstraintForce;

/// Copies the forces of all other constraints of the last step, at most `capacity` of them. Returns
/// how many there are. Cross-tree tendons are not among them.
/// [out] out[capacity]
HEFT_API int heft_world_constraint_forces(const HeftWorld* world, HeftConstraintForce* out,
                                          int capacity);
/// Sum of the contact forces on a body in the last step: force [N] and torque about a point [N m].
HEFT_API HeftSpatial heft_world_contact_wrench(const HeftWorld* world, int body, HeftVec3 about);
/// Sum of the forces of the contacts with one other body, as heft_world_contact_wrench().
HEFT_API HeftSpatial heft_world_pair_wrench(const HeftWorld* world, int body, int other,
                                            HeftVec3 about);
/// Centre of pressure of all contacts of a body: the mean of their positions, weighted by the
/// normal
/// forces. Returns false, and writes nothing, if all normal forces are zero.
/// [out] center
HEFT_API bool heft_world_contact_pressure_center(const HeftWorld* world, int body,
                                                 HeftVec3* center);

/// Arrangement of the loaded contact points of a body: X(name, text).
#define HEFT_CONTACT_SHAPE_LIST(X)       \
  X(HEFT_CONTACT_SHAPE_NONE, "none")     \
  X(HEFT_CONTACT_SHAPE_VERTEX, "vertex") \
  X(HEFT_CONTACT_SHAPE_EDGE, "edge")     \
  X(HEFT_CONTACT_SHAPE_SOLE, "sole")

typedef enum HeftContactShape {
  HEFT_CONTACT_SHAPE_LIST(HEFT_ENUM_ENTRY) HEFT_CONTACT_SHAPE_COUNT
} HeftContactShape;

/// Name of a shape of contact. Static string, never NULL.
HEFT_API const char* heft_contact_shape_name(HeftContactShape shape);

/// Contact of a body as a whole in the last step, for any contact model.
typedef struct HeftBodyContact {
  HeftContactShape shape;  ///< of the loaded points: none, one, on a line, more
  HeftContactState state;  ///< open: no loaded point; sticks: at least one sticks; slips: all slip
  int points;              ///< number of loaded points
  double force;            ///< sum of their normal forces [N]
  HeftVec3 center;         ///< centre of pressure; zero if there is no force [m]
} HeftBodyContact;

/// Contact of a body with all others in the last step.
HEFT_API HeftBodyContact heft_world_body_contact(const HeftWorld* world, int body);

#ifdef __cplusplus
}
#endif
#endif
