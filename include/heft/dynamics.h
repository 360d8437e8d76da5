// SPDX-License-Identifier: Apache-2.0
/// @file dynamics.h
/// The equations of motion of a model: kinematics, Jacobians, RNEA, CRBA, LTL, ABA, energy,
/// Delassus operators.
///
///     M(q) v̇ + b(q, v) = τ + Σ Jᵀ f
///
/// - A HeftDynamics holds the scratch and the results for one const model. All its memory is taken
///   when it is created; no function below allocates. Use one per thread.
/// - heft_dynamics_kinematics() comes first: everything else speaks of the q that it was given
/// last.
/// - Points, directions, forces and velocities are in the world's frame unless said otherwise.
/// - Worked out in world axes about a point of each tree, so that no transform is needed along its
///   branches ([Featherstone 2008]; [Chardonnet 2012], section 3; joints of several dofs:
///   [Keith 2008], Eq. 1-10; docs/references.md).
#ifndef HEFT_DYNAMICS_H
#define HEFT_DYNAMICS_H

#include <heft/model.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct HeftDynamics HeftDynamics;

/// allocator may be NULL. The model must outlive it.
HEFT_API HeftStatus heft_dynamics_create(HeftDynamics** out, const HeftModel* model,
                                         const HeftAllocator* allocator, HeftError* error);
HEFT_API void heft_dynamics_destroy(HeftDynamics* dynamics);

// ---- kinematics

/// Poses, motion axes and inertias at q (nq).
HEFT_API void heft_dynamics_kinematics(HeftDynamics* dynamics, const double* q);
/// Velocities of all bodies at v (nv); RNEA and ABA do this themselves.
HEFT_API void heft_dynamics_velocities(HeftDynamics* dynamics, const double* v);

HEFT_API HeftPose heft_dynamics_body_pose(const HeftDynamics* dynamics, int body);
HEFT_API HeftPose heft_dynamics_site_pose(const HeftDynamics* dynamics, int site);
/// Velocity of a body at a point that moves with it: (angular velocity, velocity of the point).
/// Needs heft_dynamics_velocities(), RNEA or ABA.
HEFT_API HeftSpatial heft_dynamics_body_velocity(const HeftDynamics* dynamics, int body,
                                                 HeftVec3 point);
/// Acceleration of a body at a point that moves with it: (angular acceleration, acceleration of the
/// point), for the motion that the last heft_dynamics_rnea() was about. Without a it gives
/// the part that the velocities alone make, dJ/dt v.
HEFT_API HeftSpatial heft_dynamics_body_acceleration(const HeftDynamics* dynamics, int body,
                                                     HeftVec3 point);
/// Jacobian of the motion of a body at a point: out (6 x nv, row-major), rows angular then linear.
HEFT_API void heft_dynamics_body_jacobian(const HeftDynamics* dynamics, int body, HeftVec3 point,
                                          double* out);

// ---- forces from outside

/// Forgets all wrenches.
HEFT_API void heft_dynamics_clear_wrenches(HeftDynamics* dynamics);
/// Adds a force and a torque that act on a body at a point of the world, until they are cleared.
HEFT_API void heft_dynamics_add_wrench(HeftDynamics* dynamics, int body, HeftVec3 point,
                                       HeftVec3 force, HeftVec3 torque);
/// tau += Jᵀ of all wrenches: what they are worth at the joints (nv).
HEFT_API void heft_dynamics_wrenches_to_joints(HeftDynamics* dynamics, double* tau);

// ---- algorithms

/// Inverse dynamics, recursive Newton-Euler: tau = M a + b(q, v) - Σ Jᵀ f, gravity in b. a may be
/// NULL (zero).
HEFT_API void heft_dynamics_rnea(HeftDynamics* dynamics, const double* v, const double* a,
                                 double* tau);
/// Forward dynamics, articulated bodies: a = M⁻¹ (tau - b + Σ Jᵀ f). tau may be NULL (zero).
HEFT_API void heft_dynamics_aba(HeftDynamics* dynamics, const double* v, const double* tau,
                                double* a);
/// The mass matrix by composite rigid bodies, armature included, stored along the paths of the
/// tree.
HEFT_API void heft_dynamics_crba(HeftDynamics* dynamics);
/// Factors M + diag(extra) = Lᵀ D L without fill-in; M itself stays. extra (nv) may be NULL. Needs
/// heft_dynamics_crba(). HEFT_ERR_SINGULAR if the matrix is not positive definite; the factor must
/// not be used then.
HEFT_API HeftStatus heft_dynamics_factor(HeftDynamics* dynamics, const double* extra);
/// x = (M + diag(extra))⁻¹ x in place (nv), from heft_dynamics_factor().
HEFT_API void heft_dynamics_solve(const HeftDynamics* dynamics, double* x);
/// The mass matrix of heft_dynamics_crba() as nv x nv, row-major.
HEFT_API void heft_dynamics_mass_matrix(const HeftDynamics* dynamics, double* out);

// ---- sums over the whole model (world excluded)

/// Centre of mass of a body with all that hangs on it; body 0: of everything.
HEFT_API HeftVec3 heft_dynamics_center_of_mass(const HeftDynamics* dynamics, int body);
/// Momentum about a point: (angular [kg m²/s], linear [kg m/s]), of a body with all that hangs on
/// it. Needs velocities.
HEFT_API HeftSpatial heft_dynamics_momentum(const HeftDynamics* dynamics, int body, HeftVec3 about);
/// Kinetic energy [J], that of armatures included. Needs velocities at the same v.
HEFT_API double heft_dynamics_kinetic_energy(const HeftDynamics* dynamics, const double* v);
/// Energy of weight (zero at the world's origin) and of joint springs [J].
HEFT_API double heft_dynamics_potential_energy(const HeftDynamics* dynamics, const double* q);
/// What the springs of the joints do at q: tau += -k (q - q_spring) (nv).
HEFT_API void heft_model_spring_forces(const HeftModel* model, const double* q, double* tau);

// ---- tendons and transmissions

/// Length of a tendon [m, or the unit of its joints] at the q of heft_dynamics_kinematics(), which
/// is given
/// again for sums of joints. moment_arm (nv, may be NULL): its change with the coordinates, ∂l/∂q.
HEFT_API double heft_dynamics_tendon_length(const HeftDynamics* dynamics, int tendon,
                                            const double* q, double* moment_arm);
/// Straight pieces that a tendon over sites runs along, for drawing; arcs come in short ones. At
/// most `most` are written. Returns their count, 0 for a sum of joints.
HEFT_API int heft_dynamics_tendon_path(const HeftDynamics* dynamics, int tendon,
                                       HeftVec3 (*piece)[2], int max);
/// The same for what an actuator acts on, gear included: its force times moment_arm is its share of
/// tau. moment_arm may be NULL.
HEFT_API double heft_dynamics_actuator_length(const HeftDynamics* dynamics, int actuator,
                                              const double* q, double* moment_arm);

// ---- Delassus operators

/// A point of contact on a body, with the frame in which forces are written.
typedef struct HeftDelassusPoint {
  int body;
  HeftVec3 point;  ///< in the world [m]
  HeftMat3 frame;  ///< columns: normal and two tangents, in the world
} HeftDelassusPoint;

/// Ways to compute Λ = J M⁻¹ Jᵀ: X(name, text, where it comes from).
#define HEFT_DELASSUS_LIST(X)                                                                  \
  X(HEFT_DELASSUS_DIRECT, "direct", "J M⁻¹ Jᵀ with dense matrices")                            \
  X(HEFT_DELASSUS_UNIT_FORCES, "unit-forces", "three runs of ABA per point [Chardonnet 2006]") \
  X(HEFT_DELASSUS_CHANG_KHATIB, "chang-khatib", "Ω down the tree [Chang 2000]")                \
  X(HEFT_DELASSUS_BODY, "body", "six unit forces per body on its branch [Chardonnet 2012]")    \
  X(HEFT_DELASSUS_LTL, "ltl", "sparse half-solves with the LTL factor")

typedef enum HeftDelassusMethod {
  HEFT_DELASSUS_LIST(HEFT_ENUM_ENTRY) HEFT_DELASSUS_COUNT
} HeftDelassusMethod;

HEFT_API const char* heft_delassus_name(HeftDelassusMethod method);
HEFT_API const char* heft_delassus_text(HeftDelassusMethod method);

/// What a method needs done before, at the same q: 1 if heft_dynamics_aba(), 0 if
/// heft_dynamics_crba() and
/// heft_dynamics_factor().
HEFT_API bool heft_delassus_needs_aba(HeftDelassusMethod method);
/// How many doubles of scratch a method takes for so many points.
HEFT_API size_t heft_dynamics_delassus_scratch(const HeftDynamics* dynamics,
                                               HeftDelassusMethod method, int count);

/// Λ (3 count x 3 count, row-major, symmetric) [1/kg]: velocity at the points, in their frames, per
/// unit of impulse. scratch: heft_dynamics_delassus_scratch() doubles of the caller's, aligned to
/// 64 bytes.
HEFT_API void heft_dynamics_delassus(const HeftDynamics* dynamics, HeftDelassusMethod method,
                                     int count, const HeftDelassusPoint* points, double* scratch,
                                     double* lambda);

/// A direction in the joint space of one tree: a velocity of Σ arm v, a force of arm times itself.
typedef struct HeftJointDirection {
  int count;
  const int* dof;     ///< all of one tree
  const double* arm;  ///< one for each of them
} HeftJointDirection;

/// Something that impulses can push: the six velocities of a body, up to six velocities of joints,
/// or up to six directions in joint space.
typedef struct HeftEffector {
  int body;       ///< a body: its spatial velocity at the origin of its tree
                  ///< (heft_dynamics_tree_origin()); -1:
                  ///< dofs
  int dof_count;  ///< dofs that follow, all of one tree
  int dof[6];
  int direction_count;  ///< or directions, if there are no dofs
  const HeftJointDirection* direction[6];
} HeftEffector;

/// How many doubles of scratch heft_dynamics_delassus_effectors() takes.
HEFT_API size_t heft_dynamics_delassus_effectors_scratch(const HeftDynamics* dynamics, int count);
/// Ω of effectors of one tree: the velocities (6 each, unused ones zero) that they get from unit
/// impulses on each other, symmetric, 6 count x 6 count, row-major. Needs heft_dynamics_factor().
/// scratch:
/// aligned to 64 bytes.
HEFT_API void heft_dynamics_delassus_effectors(const HeftDynamics* dynamics, int count,
                                               const HeftEffector* effectors, double* scratch,
                                               double* out);
/// The point about which a body's tree is described: where the root of its tree has its centre of
/// mass.
HEFT_API HeftVec3 heft_dynamics_tree_origin(const HeftDynamics* dynamics, int body);

#ifdef __cplusplus
}
#endif
#endif
