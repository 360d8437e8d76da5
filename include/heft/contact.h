// SPDX-License-Identifier: Apache-2.0
/// @file contact.h
/// Contact with exact Coulomb friction: the problem, its solver, and the certificate of a solution.
///
/// Every step of a simulation asks one question. Bodies would move with the free velocity b at
/// their contacts; impulses r change that to u = W r + b. Which impulses obey the law of contact
/// exactly?
///
///     K* ∋ û ⊥ r ∈ K,    û = u + (µ |u_t|) n,    K = { r : |r_t| <= µ r_n }
///
/// that is: nothing penetrates, nothing pulls, friction stays in its round cone, sticks if it can,
/// and otherwise opposes the slip. docs/theory/contact.md derives this and everything below.
///
/// Contract
/// - Memory: a solver takes all its memory when it is created, for the sizes in its def. Solving
///   never allocates.
/// - A problem is plain data of the caller's. Solver and certificate read it through const and keep
///   no pointer to it.
/// - Threads: one solver is used by one thread at a time; different solvers share nothing.
/// - Determinism: the same problem, def and stop give the same bits. A deadline may cut the work
///   short; what was spent is reported, and spending the same amount again
///   (HeftContactTermination::effort_max) gives the same bits again.
/// - Anytime: whatever stops the solver, the impulses handed out are inside their cones, are the
///   best that were seen, and do not add kinetic energy.
///
/// Units: impulses [N s], velocities [m/s]; rolling and spinning rows carry [N m s] and [rad/s].
#ifndef HEFT_CONTACT_H
#define HEFT_CONTACT_H

#include <heft/base.h>
#include <heft/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a contact is, with the number of its rows: X(name, rows, meaning). The normal always comes
/// first.
#define HEFT_CONSTRAINT_TYPE_LIST(X)                                                    \
  X(HEFT_CONSTRAINT_POINT, 3, "normal, two tangents; Coulomb friction mu")              \
  X(HEFT_CONSTRAINT_FRICTIONLESS, 1, "one-sided: r >= 0, u >= 0; also joint limits")    \
  X(HEFT_CONSTRAINT_BILATERAL, 1, "two-sided: u = 0; loop closures")                    \
  X(HEFT_CONSTRAINT_BOX, 1, "lower <= r <= upper; dry joint friction, actuator limits") \
  X(HEFT_CONSTRAINT_PLANAR, 2, "normal, one tangent; Coulomb friction in the plane")    \
  X(HEFT_CONSTRAINT_TORSIONAL, 4, "normal, two tangents, spin about the normal")        \
  X(HEFT_CONSTRAINT_ROLLING, 5, "normal, two tangents, two rolling directions")         \
  X(HEFT_CONSTRAINT_FULL, 6, "normal, two tangents, two rolling directions, spin")

typedef enum HeftConstraintType {
#define HEFT_CONSTRAINT_TYPE_ENUM(name, rows, text) name,
  HEFT_CONSTRAINT_TYPE_LIST(HEFT_CONSTRAINT_TYPE_ENUM)
#undef HEFT_CONSTRAINT_TYPE_ENUM
      HEFT_CONSTRAINT_TYPE_COUNT
} HeftConstraintType;

enum { HEFT_CONSTRAINT_ROWS_MAX = 6 };

/// The number of rows of a contact of this type, 1 to 6.
HEFT_API int heft_constraint_type_row_count(HeftConstraintType type);

/// One contact: its law, its material, and what it touches.
typedef struct HeftConstraintBlock {
  HeftConstraintType type;
  int row;          ///< its first row in all row arrays; contacts follow each other without holes
  int effector[2];  ///< effectors it touches, -1 for what cannot move; unused (-1) with an explicit
                    ///< operator
  double mu;        ///< coefficient of (kinetic) friction, >= 0
  double mu_static;  ///< friction that must be overcome before it slips; 0 or less than mu: the
                     ///< same as mu
  double mu_roll;    ///< rolling resistance: |moment| <= mu_roll r_n [m]
  double mu_spin;    ///< spinning resistance: |moment| <= mu_spin r_n [m]
  double lower;      ///< HEFT_CONSTRAINT_BOX: least impulse, <= 0 is usual
  double upper;      ///< HEFT_CONSTRAINT_BOX: greatest impulse, >= lower
} HeftConstraintBlock;

/// Coupled effectors: a single free body (one effector), or the contacting links of one
/// mechanism.
typedef struct HeftContactTree {
  int effector_first;  ///< effectors effector_first .. effector_first + effector_count - 1 belong
                       ///< to it
  int effector_count;  ///< >= 1
  int omega;           ///< where its matrix starts in HeftContactProblem::omega
} HeftContactTree;

/// A contact problem. All arrays belong to the caller. Fill either the explicit operator or the
/// effectors.
typedef struct HeftContactProblem {
  int constraint_count;
  int row_count;                           ///< sum of the contacts' rows
  const HeftConstraintBlock* constraints;  ///< (contact_count)
  const double* bias;  ///< b: velocity without contact impulses, with gap / h, restitution and all
                       ///< stabilisation already added (row_count)
  const double* warm;  ///< impulses of the previous step, or NULL: starts from zero (row_count)
  double velocity_scale;  ///< residuals are relative to max(this, largest |b_i|); usually g h [m/s]
  double compliance;  ///< each contact yields by compliance * w_i * r_i; dimensionless, 0: rigid

  // Explicit operator: the blocks W_ij (rows of i x rows of j, row-major) of row i stand at
  // block_start[i] .. block_start[i + 1] - 1, in rising order of j, one after the other in
  // `blocks`. The diagonal must be there.
  const int* block_start;   ///< (contact_count + 1), or NULL: the operator is given by effectors
  const int* block_column;  ///< (block_start[contact_count])
  const double* blocks;

  // Operator by effectors: a effector is a body that contacts may push, with a twist of 6 numbers
  // at a
  // point of the caller's choice. u = X_a V_a + X_b V_b + b with V = Ω Σ Xᵀ r, Ω dense inside a
  // tree, zero between trees.
  int effector_count;
  int tree_count;
  const HeftContactTree* trees;  ///< (tree_count), their effectors in order and without holes
  const double* omega;  ///< per tree a symmetric matrix (6 effector_count)², row-major: J M̂⁻¹ Jᵀ
  const double*
      jacobian;  ///< per row 12 numbers: for effector[0], then for effector[1] (row_count x
                 ///< 12); signs included
} HeftContactProblem;

/// Checks everything a solver relies on: sizes, indices, order, signs, finite numbers. err may be
/// NULL.
HEFT_API HeftStatus heft_contact_problem_check(const HeftContactProblem* problem, HeftError* err);

// ---- certificate

/// How far impulses are from the exact law, recomputed from the problem by code that shares nothing
/// with the solvers. All are zero if and only if the solution is exact.
typedef struct HeftContactCertificate {
  double residual;  ///< worst contact: w_i |r_i - P_K(r_i - û_i / w_i)|, w_i = trace(W_ii) / rows
                    ///< [m/s]
  double relative;  ///< residual / max(velocity_scale, largest |b_i|)
  double normal;    ///< deepest approach velocity, max(-u_n, 0) [m/s]
  double cone;      ///< largest exit from the cone, max(|r_t| - µ r_n, -r_n, 0) [N s]
  double complementarity;  ///< largest |r_i · û_i| [J]
  double slip_angle;       ///< largest angle between friction and the reverse of the slip, where it
                           ///< slips [rad]
  double momentum;  ///< largest |W r + b - u| for the velocities handed in; 0 without them [m/s]
  double energy_change;  ///< kinetic energy added by the impulses: r · (b + W r / 2) [J]; <= 0 for
                         ///< e = 0
  double yield;          ///< largest velocity that compliance and memory took over [m/s]
  int worst;             ///< the contact with the largest residual, -1 if there is none
  bool finite;           ///< false if a number is not finite; the other fields are then infinite
} HeftContactCertificate;

/// Doubles of scratch that heft_contact_certify() needs.
HEFT_API size_t heft_contact_certify_scratch(const HeftContactProblem* problem);
/// Certifies `impulse` (row_count). velocity (row_count) may be NULL. scratch: see above, caller's;
/// its first row_count numbers then are W r + b, without what compliance adds.
HEFT_API HeftContactCertificate heft_contact_certify(const HeftContactProblem* problem,
                                                     const double* impulse, const double* velocity,
                                                     double* scratch);
/// ‖F_nat‖₂ / ‖b‖₂ with ρ = 1: not invariant to units, only for comparison with the literature.
/// Three-dimensional and rolling contacts only.
HEFT_API double heft_contact_natural_map_error(const HeftContactProblem* problem,
                                               const double* impulse, double* scratch);

// ---- solver

/// Which phases a solver may use. The default uses all of them, each where it pays.
typedef enum HeftContactMethod {
  HEFT_CONTACT_METHOD_AUTO,         ///< sweeps, acceleration, Newton finish
  HEFT_CONTACT_METHOD_SWEEP,        ///< block-proximal Gauss-Seidel only
  HEFT_CONTACT_METHOD_ACCELERATED,  ///< Gauss-Seidel with Anderson acceleration
  HEFT_CONTACT_METHOD_NEWTON,       ///< a few sweeps, then proximal Newton
  HEFT_CONTACT_METHOD_COUNT
} HeftContactMethod;

/// Sizes and settings of a solver.
typedef struct HeftContactSolverDef {
  uint32_t cookie;             ///< set by heft_contact_solver_def_default(); see HEFT_DEF_COOKIE
  int constraint_capacity;     ///< contacts, 1 .. 1,000,000
  int row_capacity;            ///< rows; 0: 3 per contact
  int block_capacity;          ///< explicit blocks; 0: problems by effectors only
  int effector_capacity;       ///< effectors; 0: explicit problems only. With block_capacity: the
                               ///< bodies behind
                               ///< blocks are looked for, and count as effectors
  int tree_effector_capacity;  ///< most effectors in one tree, >= 1
  size_t factor_bytes;         ///< memory for the Newton factor; 0: 1 MB and 16 KB per contact
      ///< (64 KB with explicit blocks); if it does not suffice, there is no
      ///< Newton phase
  HeftContactMethod method;
  double proximal;  ///< κ: block-proximal term relative to w_i, 0.001 .. 1
  /// Runs task(arg, 0) .. task(arg, count - 1) in any order, on any threads, and returns when all
  /// are done. NULL: one after the other. The bits of a solution do not depend on it.
  void (*run)(void* user, int count, void (*task)(void* arg, int index), void* arg);
  void* run_user;  ///< handed to run
  HeftAllocator allocator;
} HeftContactSolverDef;

/// Table of the numbers in a HeftContactSolverDef.
HEFT_API HeftOptions heft_contact_solver_options(void);
HEFT_DEF_FUNCTIONS(HeftContactSolverDef, heft_contact_solver_def_default,
                   heft_contact_solver_def_init);

/// When to stop: whichever comes first.
typedef struct HeftContactTermination {
  double tolerance;  ///< relative residual (HeftContactCertificate::relative)
  int effort_max;  ///< units: one per sweep, a Newton step what it is worth in sweeps; 0: 100,000;
                   ///< negative: none, the better of the warm impulses and none is handed out
  int polish;      ///< units that may be spent after the tolerance is met, until the residual is
                   ///< down to rounding or stays: things at rest then come to exact rest; 0: none
  uint64_t deadline_ns;  ///< heft_clock_ns() at which the answer must be there; 0: none. No unit of
                         ///< work is begun that would last longer
  int effort_min;        ///< units that are spent whatever the clock says
} HeftContactTermination;

HEFT_API HeftContactTermination heft_contact_termination_default(void);
/// Table of the fields of a HeftContactTermination.
HEFT_API HeftOptions heft_contact_termination_options(void);

typedef enum HeftContactSolveStatus {
  HEFT_CONTACT_SOLVED,        ///< the tolerance is met
  HEFT_CONTACT_EFFORT_SPENT,  ///< effort_max is spent; the result is the best so far
  HEFT_CONTACT_DEADLINE,  ///< the deadline came, perhaps while polishing; the result is the best so
                          ///< far
  HEFT_CONTACT_STALLED    ///< no phase could make it better; the result is the best so far
} HeftContactSolveStatus;

/// What a solve did.
typedef struct HeftContactResult {
  HeftContactSolveStatus status;
  double relative;   ///< relative residual of the impulses, by the solver's own arithmetic
  int effort;        ///< units of work spent, polish included; to replay a deadline, spend the same
                     ///< again (0: hand in -1)
  int sweeps;        ///< of these, Gauss-Seidel sweeps
  int newton_steps;  ///< and Newton steps
  int accelerations;    ///< extrapolations that were kept
  double clamp;         ///< factor of the passivity clamp, 1: not needed
  double start;         ///< relative residual of the warm impulses; 0 if there are none
  uint64_t search_ns;   ///< time spent on units of work; 0 without a deadline
  double displacement;  ///< most that an impulse is away from its warm one, times w_i and relative
                        ///< as `start`
} HeftContactResult;

typedef struct HeftContactSolver HeftContactSolver;

/// Bytes that a solver of this def takes.
HEFT_API size_t heft_contact_solver_bytes(const HeftContactSolverDef* def);
HEFT_API HeftStatus heft_contact_solver_create(HeftContactSolver** out,
                                               const HeftContactSolverDef* def, HeftError* err);
/// solver may be NULL.
HEFT_API void heft_contact_solver_destroy(HeftContactSolver* solver);

/// Solves problem into impulse and velocity = W r + b (row_count each; velocity may be NULL). The
/// problem must pass heft_contact_problem_check() and fit the def.
HEFT_API HeftContactResult heft_contact_solver_solve(HeftContactSolver* solver,
                                                     const HeftContactProblem* problem,
                                                     const HeftContactTermination* stop,
                                                     double* impulse, double* velocity);

/// Replaces impulses by those of least norm Σ |r_i|² that give the same motion: unique where
/// statics leaves them open. (Rows without friction, which may be of joints, count with their
/// mobility.) `impulse` holds a solution and is overwritten, and so is `velocity`, which may be
/// NULL. *change, which may be NULL, is the relative change of velocity that this made (about
/// 1e-12). HEFT_ERR_ACCURACY if the search did not converge or the relative residual is above
/// max(tolerance, 1e-9); impulse and velocity then stay as they were, and *change is -1.
HEFT_API HeftStatus heft_contact_solver_select_min_norm(HeftContactSolver* solver,
                                                        const HeftContactProblem* problem,
                                                        double tolerance, double* impulse,
                                                        double* velocity, double* change);
/// The same with those nearest to the problem's warm impulses: from step to step they follow the
/// load without jumps.
HEFT_API HeftStatus heft_contact_solver_select_nearest(HeftContactSolver* solver,
                                                       const HeftContactProblem* problem,
                                                       double tolerance, double* impulse,
                                                       double* velocity, double* change);

// ---- problem files

/// A problem with its own memory, as read from a file.
typedef struct HeftContactProblemData {
  HeftContactProblem problem;  ///< points into memory
  void* memory;                ///< one piece, from the allocator
  size_t size;
  HeftAllocator allocator;
} HeftContactProblemData;

/// Reads the text format of the Siconos numerics library (2-D, 3-D and rolling; dense, sparse-block
/// or sparse storage). text need not end with a zero. Survives any input. name
/// stands in messages; name may be NULL.
HEFT_API HeftStatus heft_contact_problem_parse(HeftContactProblemData* out, const char* text,
                                               size_t size, const char* name,
                                               HeftAllocator allocator, HeftError* err);
HEFT_API void heft_contact_problem_release(HeftContactProblemData* data);
/// Writes a problem with an explicit operator and contacts of one kind (point, planar or rolling)
/// in the same format. Returns the length of the text; writes at most size bytes, terminated if
/// size > 0; text may be NULL if size is 0. Returns 0 if the kind has no such format.
HEFT_API size_t heft_contact_problem_format(const HeftContactProblem* problem, char* text,
                                            size_t size);

#ifdef __cplusplus
}
#endif
#endif
