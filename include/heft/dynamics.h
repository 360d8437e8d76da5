// SPDX-License-Identifier: Apache-2.0
/// @file dynamics.h
/// The equations of motion of a model: kinematics, Jacobians, RNEA, CRBA, LTL, ABA, energy,
/// Delassus operators.
///
///     M(q) v̇ + b(q, v) = τ + Σ Jᵀ f
///
/// - A HeftDynamics holds the scratch and the results for one const model. All its memory is taken
///   when it is created; no function below allocates. Use one per thread.
/// - heft_dynamics_kinematics() comes first. All other functions use the q of its last call.
/// - Points, directions, forces and velocities are in the world's frame unless stated otherwise.
/// - Quantities are computed in world axes about one point per tree, so that no transform is needed
///   along its branches ([Featherstone 2008]; [Chardonnet 2012], section 3; joints of several dofs:
///   [Keith 2008], Eq. 1-10; docs/references.md).
#ifndef HEFT_DYNAMICS_H
#define HEFT_DYNAMICS_H

#include <heft/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Kinematics and dynamics of one model, with the memory that they need.
typedef struct HeftDynamics HeftDynamics;

/// allocator and error may be NULL. The model must outlive the object. *out is NULL on failure.
HEFT_API HeftStatus heft_dynamics_create(HeftDynamics** out, const HeftModel* model,
                                         const HeftAllocator* allocator, HeftError* error);
HEFT_API void heft_dynamics_destroy(HeftDynamics* dynamics);

// ---- kinematics

/// Poses, motion axes and inertias at q.
/// [in] q[nq]
HEFT_API void heft_dynamics_kinematics(HeftDynamics* dynamics, const double* q);
/// Poses and velocities of the moved bodies, as in HeftState. moved may be NULL: they rest as the
/// model describes them, which they do after heft_dynamics_create().
/// [in] moved[nmoved][13]
HEFT_API void heft_dynamics_set_moved(HeftDynamics* dynamics, const double* moved);
/// Velocities of all bodies at v. heft_dynamics_rnea() and heft_dynamics_aba() include this.
/// [in] v[nv]
HEFT_API void heft_dynamics_velocities(HeftDynamics* dynamics, const double* v);

/// Pose of a body or of a site in the world, at the q of the last heft_dynamics_kinematics().
HEFT_API HeftPose heft_dynamics_body_pose(const HeftDynamics* dynamics, int body);
HEFT_API HeftPose heft_dynamics_site_pose(const HeftDynamics* dynamics, int site);
/// Pose of a camera of the model, at the same q: it looks along -z, y is up. A camera that follows
/// a body keeps its orientation, or turns to its target (HeftFollow).
HEFT_API HeftPose heft_dynamics_camera_pose(const HeftDynamics* dynamics, int camera);
/// Velocity of a body at a point that moves with it: (angular velocity, velocity of the point).
/// Needs heft_dynamics_velocities(), RNEA or ABA.
HEFT_API HeftSpatial heft_dynamics_body_velocity(const HeftDynamics* dynamics, int body,
                                                 HeftVec3 point);
/// Acceleration of a body at a point that moves with it: (angular acceleration, acceleration of the
/// point), for the motion that the last heft_dynamics_rnea() was about. Without a it gives
/// the part that only the velocities make, dJ/dt v.
HEFT_API HeftSpatial heft_dynamics_body_acceleration(const HeftDynamics* dynamics, int body,
                                                     HeftVec3 point);
/// Jacobian of the motion of a body at a point: rows angular then linear.
/// [out] out[6][nv]
HEFT_API void heft_dynamics_body_jacobian(const HeftDynamics* dynamics, int body, HeftVec3 point,
                                          double* out);

// ---- forces from outside

/// Removes all wrenches.
HEFT_API void heft_dynamics_clear_wrenches(HeftDynamics* dynamics);
/// Adds a force and a torque that act on a body at a point of the world, until they are cleared.
HEFT_API void heft_dynamics_add_wrench(HeftDynamics* dynamics, int body, HeftVec3 point,
                                       HeftVec3 force, HeftVec3 torque);
/// tau += Σ Jᵀ f of all wrenches.
/// [in,out] tau[nv]
HEFT_API void heft_dynamics_wrenches_to_joints(HeftDynamics* dynamics, double* tau);

// ---- algorithms

/// Inverse dynamics, recursive Newton-Euler: tau = M a + b(q, v) - Σ Jᵀ f, gravity in b. a may be
/// NULL (zero).
/// [in] v[nv], a[nv]; [out] tau[nv]
HEFT_API void heft_dynamics_rnea(HeftDynamics* dynamics, const double* v, const double* a,
                                 double* tau);
/// Forward dynamics, articulated bodies: a = M⁻¹ (tau - b + Σ Jᵀ f). tau may be NULL (zero).
/// [in] v[nv], tau[nv]; [out] a[nv]
HEFT_API void heft_dynamics_aba(HeftDynamics* dynamics, const double* v, const double* tau,
                                double* a);
/// The mass matrix by composite rigid bodies, armature included, stored along the paths of the
/// tree.
HEFT_API void heft_dynamics_crba(HeftDynamics* dynamics);
/// Factors M + diag(extra) = Lᵀ D L without fill-in; M itself stays. extra may be NULL. Needs
/// heft_dynamics_crba(). HEFT_ERR_SINGULAR if the matrix is not positive definite; the factor must
/// not be used then.
/// [in] extra[nv]
HEFT_API HeftStatus heft_dynamics_factor(HeftDynamics* dynamics, const double* extra);
/// x = (M + diag(extra))⁻¹ x in place, from heft_dynamics_factor().
/// [in,out] x[nv]
HEFT_API void heft_dynamics_solve(const HeftDynamics* dynamics, double* x);
/// The mass matrix of heft_dynamics_crba().
/// [out] out[nv][nv]
HEFT_API void heft_dynamics_mass_matrix(const HeftDynamics* dynamics, double* out);

// ---- sums over the whole model (world excluded)

/// Centre of mass of the subtree of a body [m]; body 0: of the whole model.
HEFT_API HeftVec3 heft_dynamics_center_of_mass(const HeftDynamics* dynamics, int body);
/// Momentum of the subtree of a body about a point: (angular [kg m²/s], linear [kg m/s]). Needs
/// velocities.
HEFT_API HeftSpatial heft_dynamics_momentum(const HeftDynamics* dynamics, int body, HeftVec3 about);
/// Kinetic energy [J], including armatures. Needs velocities at the same v.
/// [in] v[nv]
HEFT_API double heft_dynamics_kinetic_energy(const HeftDynamics* dynamics, const double* v);
/// Potential energy of gravity (zero at the world's origin) and of joint springs [J].
/// [in] q[nq]
HEFT_API double heft_dynamics_potential_energy(const HeftDynamics* dynamics, const double* q);
/// Adds the forces of joint springs at q: tau += -k (q - q_spring).
/// [in] q[nq]; [in,out] tau[nv]
HEFT_API void heft_model_spring_forces(const HeftModel* model, const double* q, double* tau);

/// Adds the forces of the fluid of the model (HeftPhysics) at velocities v: each body is the box of
/// equal mass and inertia, with drag and viscous resistance.
/// [in] v[nv]; [in,out] tau[nv]
HEFT_API void heft_dynamics_fluid_forces(HeftDynamics* dynamics, const double* v, double* tau);

// ---- tendons and transmissions

/// Length of a tendon [m, or the unit of its joints]. q: the coordinates of the last
/// heft_dynamics_kinematics(). moment_arm may be NULL: ∂l/∂q.
/// [in] q[nq]; [out] moment_arm[nv]
HEFT_API double heft_dynamics_tendon_length(const HeftDynamics* dynamics, int tendon,
                                            const double* q, double* moment_arm);
/// Straight segments of a tendon over sites, for drawing; an arc is several short segments. At most
/// `max` are written. Returns their count, 0 for a sum of joints.
/// [out] piece[max]
HEFT_API int heft_dynamics_tendon_path(const HeftDynamics* dynamics, int tendon,
                                       HeftVec3 (*piece)[2], int max);
/// Length of the transmission of an actuator, including the gear. Its force times moment_arm, which
/// may be NULL, is its contribution to tau.
/// [in] q[nq]; [out] moment_arm[nv]
HEFT_API double heft_dynamics_actuator_length(const HeftDynamics* dynamics, int actuator,
                                              const double* q, double* moment_arm);

// ---- Delassus operators

/// A contact point on a body, with the frame in which its forces are expressed.
typedef struct HeftDelassusPoint {
  int body;        ///< on which it lies
  HeftVec3 point;  ///< in the world [m]
  HeftMat3 frame;  ///< columns: normal and two tangents, in the world [1]
} HeftDelassusPoint;

/// Methods to compute Λ = J M⁻¹ Jᵀ: X(name, text, source).
#define HEFT_DELASSUS_LIST(X)                                                                  \
  X(HEFT_DELASSUS_DIRECT, "direct", "J M⁻¹ Jᵀ with dense matrices")                            \
  X(HEFT_DELASSUS_UNIT_FORCES, "unit-forces", "three runs of ABA per point [Chardonnet 2006]") \
  X(HEFT_DELASSUS_CHANG_KHATIB, "chang-khatib", "Ω down the tree [Chang 2000]")                \
  X(HEFT_DELASSUS_BODY, "body", "six unit forces per body on its branch [Chardonnet 2012]")    \
  X(HEFT_DELASSUS_LTL, "ltl", "sparse half-solves with the LTL factor")

typedef enum HeftDelassusMethod {
  HEFT_DELASSUS_LIST(HEFT_ENUM_ENTRY) HEFT_DELASSUS_COUNT
} HeftDelassusMethod;

/// Name of a method, and one phrase on it. Static strings, never NULL.
HEFT_API const char* heft_delassus_name(HeftDelassusMethod method);
HEFT_API const char* heft_delassus_text(HeftDelassusMethod method);

/// True if a method requires heft_dynamics_aba() at the same q; false if it requires
/// heft_dynamics_crba() and heft_dynamics_factor().
HEFT_API bool heft_delassus_needs_aba(HeftDelassusMethod method);
/// Number of doubles of scratch that a method needs for `count` points.
HEFT_API size_t heft_dynamics_delassus_scratch(const HeftDynamics* dynamics,
                                               HeftDelassusMethod method, int count);

/// Λ, symmetric [1/kg]: velocity at the points, in their frames, per unit of impulse. scratch:
/// aligned to 64 bytes.
/// [in] points[count]; [out] lambda[3 count][3 count]
/// [scratch] scratch[heft_dynamics_delassus_scratch(dynamics, method, count)]
HEFT_API void heft_dynamics_delassus(const HeftDynamics* dynamics, HeftDelassusMethod method,
                                     int count, const HeftDelassusPoint* points, double* scratch,
                                     double* lambda);

/// A direction in the joint space of one tree: its velocity is Σ arm v; a force f on it acts as
/// arm f on the dofs.
typedef struct HeftJointDirection {
  int count;          ///< number of degrees of freedom
  const int* dof;     ///< all of one tree
  const double* arm;  ///< one for each of them [1, m]
} HeftJointDirection;

/// An effector: the moving side of a constraint. It is the spatial velocity of a body, or up to six
/// joint velocities, or up to six directions in joint space.
typedef struct HeftEffector {
  int body;             ///< a body: its spatial velocity at the origin of its tree
                        ///< (heft_dynamics_tree_origin()); -1:
                        ///< dofs
  int dof_count;        ///< dofs that follow, all of one tree
  int dof[6];           ///< their indices
  int direction_count;  ///< or directions, if there are no dofs
  const HeftJointDirection* direction[6];
} HeftEffector;

/// Number of doubles of scratch that heft_dynamics_delassus_effectors() needs.
HEFT_API size_t heft_dynamics_delassus_effectors_scratch(const HeftDynamics* dynamics, int count);
/// Ω of the effectors of one tree: their velocities (6 each, unused ones zero) per unit impulse on
/// each of them; symmetric. Needs heft_dynamics_factor(). scratch: aligned to 64 bytes.
/// [in] effectors[count]; [out] out[6 count][6 count]
/// [scratch] scratch[heft_dynamics_delassus_effectors_scratch(dynamics, count)]
HEFT_API void heft_dynamics_delassus_effectors(const HeftDynamics* dynamics, int count,
                                               const HeftEffector* effectors, double* scratch,
                                               double* out);
/// Point about which the tree of a body is described: the centre of mass of the root body [m].
HEFT_API HeftVec3 heft_dynamics_tree_origin(const HeftDynamics* dynamics, int body);

#ifdef __cplusplus
}
#endif
#endif
