// SPDX-License-Identifier: Apache-2.0
/// @file contact.h
/// Contact with exact Coulomb friction: the problem, its solver, and the certificate of a solution.
///
/// Without contact impulses the bodies move with the free velocity b at their contacts. Impulses r
/// change it to u = W r + b. A solution is a set of impulses that obeys the law of contact exactly:
///
///     K* ∋ û ⊥ r ∈ K,    û = u + (µ |u_t|) n,    K = { r : |r_t| <= µ r_n }
///
/// Bodies do not penetrate, contacts do not pull, and friction stays in its circular cone. A
/// contact sticks if the cone allows it; otherwise friction opposes the slip. The page
/// docs/theory/contact.md derives this law and all quantities below.
///
/// Contract
/// - Memory: a solver allocates all its memory when it is created, for the sizes in its def.
///   Solving never allocates.
/// - A problem is plain data of the caller's. Solver and certificate read it through const and keep
///   no pointer to it.
/// - Threads: one solver is used by one thread at a time; different solvers share nothing.
/// - Determinism: the same problem, def and stop give the same bits. If a deadline
///   ends a solve, the result reports the effort; a solve with this effort
///   (HeftContactTermination::effort_max) gives the same bits.
/// - Anytime: for every reason of termination, the impulses are inside their cones, are the best
///   that were computed, and do not add kinetic energy.
///
/// Units: impulses [N s], velocities [m/s]; rolling and spinning rows carry [N m s] and [rad/s].
#ifndef HEFT_CONTACT_H
#define HEFT_CONTACT_H

#include <heft/base.h>
#include <heft/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Types of constraint blocks with their number of rows: X(name, rows, meaning). The normal row is
/// the first.
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

enum { HEFT_CONSTRAINT_ROWS_MAX = 6 };  ///< most rows of a constraint block

/// Number of rows of a constraint block of this type, 1 to 6.
HEFT_API int heft_constraint_type_row_count(HeftConstraintType type);

/// One constraint block: its type, its material and its effectors.
typedef struct HeftConstraintBlock {
  HeftConstraintType type;
  int row;           ///< its first row in all row arrays; blocks follow each other without gaps
  int effector[2];   ///< its two effectors, -1 for a static side; unused (-1) with an explicit
                     ///< operator
  double mu;         ///< coefficient of (kinetic) friction, 0 or 1e-100 to 1e6, as all of them
  double mu_static;  ///< coefficient of static friction; 0 or less than mu: the same as
                     ///< mu
  double mu_roll;    ///< rolling friction: |torque impulse| <= mu_roll r_n [m]
  double mu_spin;    ///< torsional friction: |torque impulse| <= mu_spin r_n [m]
  double lower;      ///< HEFT_CONSTRAINT_BOX: min impulse, usually <= 0 [N s]
  double upper;      ///< HEFT_CONSTRAINT_BOX: max impulse, >= lower [N s]
} HeftConstraintBlock;

/// Coupled effectors: a single free body (one effector), or the contacting links of one
/// mechanism.
typedef struct HeftContactTree {
  int effector_first;  ///< effectors effector_first .. effector_first + effector_count - 1 belong
                       ///< to it
  int effector_count;  ///< >= 1
  size_t omega;        ///< where its matrix starts in HeftContactProblem::omega
  int dof_count;       ///< 0: that matrix is Ω. Otherwise its degrees of freedom: the matrix is a
                       ///< factor F of Ω = F Fᵀ, and the problem is solved in joint space, with
                       ///< fewer unknowns. All trees of a problem have a factor, or none has
} HeftContactTree;

/// A contact problem. All arrays belong to the caller. Fill either the explicit operator or the
/// effectors.
typedef struct HeftContactProblem {
  int constraint_count;
  int row_count;                           ///< sum of the rows of all blocks
  const HeftConstraintBlock* constraints;  ///< (constraint_count)
  const double* bias;  ///< b: velocity without contact impulses, including gap / h, restitution and
                       ///< stabilisation (row_count), at most 1e150 in size [m/s]
  const double* warm;  ///< impulses of the previous step (row_count), or NULL: zero [N s]
  double velocity_scale;  ///< residuals are relative to max(this, largest |b_i|); usually g h [m/s]
  double compliance;  ///< regularisation: u_i += compliance * w_i * r_i; dimensionless, 0: rigid

  // Explicit operator: the blocks W_ij (rows of i x rows of j, row-major) of constraint i are the
  // blocks block_start[i] .. block_start[i + 1] - 1 of `blocks`, in increasing order of j, without
  // gaps. The diagonal block must be present.
  const int* block_start;   ///< (constraint_count + 1), or NULL: the operator is given by effectors
  const int* block_column;  ///< j of each block (block_start[constraint_count])
  const double* blocks;     ///< one for each constraint [1/kg]

  // Operator by effectors: an effector is the moving side of constraints, with a twist V of 6
  // numbers at a point that the caller chooses. u = X_a V_a + X_b V_b + b with V = Ω Σ Xᵀ r; Ω is
  // dense inside a tree and zero between trees.
  int effector_count;  ///< number of effectors
  int tree_count;
  const HeftContactTree* trees;  ///< (tree_count), their effectors in order and without gaps
  const double* omega;  ///< per tree a symmetric matrix (6 effector_count)², row-major: J M̂⁻¹ Jᵀ;
                        ///< with dof_count F instead: 6 effector_count rows of dof_count numbers,
                        ///< heft_contact_factor_stride() apart, with zeros in between
  const double*
      jacobian;  ///< per row 12 numbers: for effector[0], then for effector[1] (row_count x
                 ///< 12); signs included [1, m]
  const double* softness;  ///< per constraint: its normal row is u_n + softness r_n, as for a
                           ///< spring and a damper in the step of an implicit scheme (docs/theory/
                           ///< soft-contact.md) [1/kg], >= 0; NULL: all are rigid
  int at_rest;  ///< 1: all bodies are at rest, and stay so if any impulses of the law keep them
                ///< there; 0: they move
} HeftContactProblem;

/// 1 if the problem adds numbers to the diagonal of W: compliance, or softness of normal rows.
static inline int heft_contact_problem_yields(const HeftContactProblem* problem) {
  return problem->compliance > 0 || problem->softness;
}

/// Numbers from one row of a factor F to the next: dof_count (>= 0), rounded up to a multiple of
/// four.
static inline int heft_contact_factor_stride(int dof_count) { return (dof_count + 3) / 4 * 4; }

/// Checks sizes, indices, order, signs and finite numbers: all that a solver requires. Refuses an
/// operator whose pairs of entries show that it is not symmetric (|W_ab - W_ba| above 0.05 of
/// √(W_aa W_bb)) or not positive semidefinite (|W_ab| above 1.001 of it, or W_aa < 0). err may be
/// NULL.
HEFT_API HeftStatus heft_contact_problem_check(const HeftContactProblem* problem, HeftError* err);

// ---- certificate

/// Error of impulses against the exact law, recomputed from the problem by code that shares nothing
/// with the solvers. residual is zero if and only if the solution is exact.
typedef struct HeftContactCertificate {
  double residual;         ///< largest w_i |r_i - P_K(r_i - û_i / w_i)|, w_i = trace(W_ii) / rows
                           ///< [m/s]
  double relative;         ///< residual / max(velocity_scale, largest |b_i|) [1]
  double normal;           ///< largest approach velocity, max(-u_n, 0) [m/s]
  double cone;             ///< largest violation of the cone, max(|r_t| - µ r_n, -r_n, 0) [N s]
  double complementarity;  ///< largest |r_i · û_i| [J]
  double slip_angle;       ///< largest angle between friction and the negative slip velocity, over
                           ///< all slipping contacts [rad]
  double momentum;         ///< largest |W r + b - u| for the given velocities; 0 without them [m/s]
  double energy_change;  ///< kinetic energy added by the impulses: r · (b + W r / 2) [J]; <= 0 for
                         ///< e = 0
  double yield;          ///< largest velocity that compliance adds [m/s]
  int worst;             ///< the contact with the largest residual, -1 if there is none
  bool finite;           ///< false if a number is not finite; the other fields are then infinite
} HeftContactCertificate;

/// Doubles of scratch that heft_contact_certify() needs.
HEFT_API size_t heft_contact_certify_scratch(const HeftContactProblem* problem);
/// Certifies `impulse`. velocity may be NULL. scratch then has W r + b without compliance
/// (row_count), then e_i, w_i (constraint_count each).
/// [in] impulse[problem->row_count], velocity[problem->row_count]
/// [out] scratch[heft_contact_certify_scratch(problem)]
HEFT_API HeftContactCertificate heft_contact_certify(const HeftContactProblem* problem,
                                                     const double* impulse, const double* velocity,
                                                     double* scratch);
/// ‖F_nat‖₂ / ‖b‖₂ with ρ = 1: not invariant to units, only for comparison with the literature.
/// Three-dimensional and rolling contacts only.
/// [in] impulse[problem->row_count]; [scratch] scratch[heft_contact_certify_scratch(problem)]
HEFT_API double heft_contact_natural_map_error(const HeftContactProblem* problem,
                                               const double* impulse, double* scratch);

// ---- solver

/// Phases that a solver may use. The default chooses among all of them.
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
  int constraint_capacity;     ///< max number of constraint blocks, 1 .. 1,000,000
  int row_capacity;            ///< rows; 0: 3 per contact
  int block_capacity;          ///< explicit blocks; 0: problems by effectors only
  int effector_capacity;       ///< max number of effectors; 0: explicit problems only. With
                               ///< block_capacity the solver reconstructs the bodies of
                               ///< explicit blocks, which count as effectors
  int tree_effector_capacity;  ///< max number of effectors of one tree, >= 1
  size_t omega_capacity;       ///< max of Σ (6 effectors)² over the trees of a problem that have
                               ///< more than one effector; 0: as if all were as large as allowed
  size_t factor_bytes;         ///< memory for the Newton factor beside what a problem below the
                               ///< capacities leaves; 0: 1 MB and 16 KB per contact
  ///< (64 KB with explicit blocks); if it does not suffice, there is no
  ///< Newton phase
  HeftContactMethod method;
  double proximal;  ///< κ: block-proximal term relative to w_i, 0.001 .. 1
  /// Runs task(arg, 0) .. task(arg, count - 1) in any order, on any threads, and returns after the
  /// last one has ended. NULL: the solver runs them in order. The bits do not depend on it.
  void (*run)(void* user, int count, void (*task)(void* arg, int index), void* arg);
  void* run_user;  ///< passed to run; not owned
  HeftAllocator allocator;
} HeftContactSolverDef;

/// Table of the numbers in a HeftContactSolverDef.
HEFT_API HeftOptions heft_contact_solver_options(void);
HEFT_DEF_FUNCTIONS(HeftContactSolverDef, heft_contact_solver_def_default,
                   heft_contact_solver_def_init);

/// Conditions of termination: a solve ends at the first that holds.
typedef struct HeftContactTermination {
  double tolerance;  ///< relative residual (HeftContactCertificate::relative)
  int effort_max;    ///< max effort: one unit per sweep, several per Newton step; 0: the effort
                     ///< beyond which a problem of its kind gains little; negative: no effort,
                     ///< the better of warm impulses and zero is returned
  int polish;        ///< effort that may be spent after the tolerance is met, until the residual is
                     ///< at rounding level or constant: resting bodies reach exact rest; 0: none
  uint64_t deadline_ns;  ///< heft_clock_ns() at which the solve must have ended; 0: none. A unit of
                         ///< effort that would last longer is not started
  int effort_min;        ///< effort that is spent in spite of the deadline
} HeftContactTermination;

/// For a caller who waits for a solution: a relative residual of 1e-8 and much effort, no deadline.
HEFT_API HeftContactTermination heft_contact_termination_default(void);
/// Table of the fields of a HeftContactTermination.
HEFT_API HeftOptions heft_contact_termination_options(void);

/// How a solve ended.
typedef enum HeftContactSolveStatus {
  HEFT_CONTACT_SOLVED,        ///< the tolerance is met
  HEFT_CONTACT_EFFORT_SPENT,  ///< effort_max is spent; the result is the best so far
  HEFT_CONTACT_DEADLINE,  ///< the deadline passed, perhaps while polishing; the result is the best
                          ///< so far
  HEFT_CONTACT_STALLED    ///< no phase reduces the residual; the result is the best so far
} HeftContactSolveStatus;

/// Report of a solve.
typedef struct HeftContactResult {
  HeftContactSolveStatus status;
  double relative;      ///< relative residual of the impulses, computed by the solver
  int effort;           ///< effort spent, including polish; to repeat a solve with a deadline, set
                        ///< effort_max to it (0: to -1)
  int sweeps;           ///< Gauss-Seidel sweeps
  int newton_steps;     ///< Newton steps
  int accelerations;    ///< accepted extrapolations
  double clamp;         ///< factor of the passivity clamp, 0 to 1; 1: not applied
  double start;         ///< relative residual of the warm impulses; 0 if there are none
  uint64_t search_ns;   ///< time of the search [ns]; 0 without a deadline
  double displacement;  ///< max displacement of an impulse from its warm value, times w_i,
                        ///< relative as `start`
  int equal;       ///< 1: the solution of equal compliance (docs/theory/contact.md, section 8),
                   ///< a function of the problem without its warm impulses; 0: some solution
  int not_unique;  ///< 1: another motion obeys the law, too; 0: none was found
} HeftContactResult;

/// Solver of contact problems, with the memory that it needs.
typedef struct HeftContactSolver HeftContactSolver;

/// Memory of a solver with this def [bytes].
HEFT_API size_t heft_contact_solver_bytes(const HeftContactSolverDef* def);
/// def must not be NULL. err may be NULL. *out is NULL on failure.
HEFT_API HeftStatus heft_contact_solver_create(HeftContactSolver** out,
                                               const HeftContactSolverDef* def, HeftError* err);
/// solver may be NULL.
HEFT_API void heft_contact_solver_destroy(HeftContactSolver* solver);

/// Solves problem into impulse and velocity = W r + b. velocity may be NULL. The problem must pass
/// heft_contact_problem_check() and fit the def.
/// [out] impulse[problem->row_count], velocity[problem->row_count]
HEFT_API HeftContactResult heft_contact_solver_solve(HeftContactSolver* solver,
                                                     const HeftContactProblem* problem,
                                                     const HeftContactTermination* stop,
                                                     double* impulse, double* velocity);

/// Limits the next solves to the memory of a solver of `bytes` (heft_contact_solver_bytes()); 0:
/// all of its own. Memory decides which methods can be used, so solvers of different size give the
/// same bits if they are bound to the same.
HEFT_API void heft_contact_solver_bind(HeftContactSolver* solver, size_t bytes);
/// heft_contact_certify() with the same bits, by the threads of the solver. velocity may be NULL.
/// [in] impulse[problem->row_count], velocity[problem->row_count]
/// [out] scratch[heft_contact_certify_scratch(problem)]
HEFT_API HeftContactCertificate heft_contact_solver_certify(const HeftContactSolver* solver,
                                                            const HeftContactProblem* problem,
                                                            const double* impulse,
                                                            const double* velocity,
                                                            double* scratch);

#ifdef __cplusplus
}
#endif
#endif
