// SPDX-License-Identifier: Apache-2.0
// The last step as a linear map, for its derivatives (derivative.c).
#ifndef HEFT_SRC_WORLD_DERIVATIVE_H
#define HEFT_SRC_WORLD_DERIVATIVE_H

#include "dynamics/rnea_derivatives.h"
#include "world/constraints.h"
#include "world/judge.h"
#include "world/keepers.h"
#include "world/middle.h"
#include "world/motion.h"
#include "world/prediction.h"

/// The inputs of a derivative: the last step of a world.
typedef struct DerivativeInput {
  const HeftModel* model;
  const StepInput* step;
  HeftDynamics* dynamics;  ///< kinematics, velocities and factor are changed
  const Constraints* constraints;
  Drives* drives;  ///< lengths and arms are found at q_m again
  const Middle* middle;
  Prediction* prediction;  ///< its tension writes the mass matrix
  const Motion* motion;
  const Keepers* keepers;
  const StepOutput* output;
  const double* q_end;  ///< nq
  const double* v_end;  ///< nv
  const HeftAllocator* allocator;
} DerivativeInput;

/// How a contact point moves and its frame turns if its link b is displaced by a twist (rotation,
/// then translation) at the point, and link a is not.
typedef struct ContactTurning {
  double shift[3][6];  ///< [m/rad, 1]
  double turn[3][6];   ///< rotation of the frame [1, rad/m]
} ContactTurning;

/// The rows of the step at one pose: J, and how J v changes with the positions. Equalities between
/// bodies have rows along the directions in which they were solved; impulses are along the axes of
/// the world.
typedef struct DerivativeRows {
  const DerivativeInput* in;
  const ConstraintSet* set;  ///< its rows are at this pose
  const double* q;           ///< nq: this pose
  ContactTurning* turning;   ///< contact points
  double* frames;            ///< nlink x 16
  HeftContactPoint* points;  ///< scratch: of one pair
  Pair* turn;                ///< nv: scratch of heft_axis_turns()
  int *list, *sides;         ///< nv: scratch, dofs of a constraint and which links they move
  double* jacobian;          ///< rows x nv
  int lost;                  ///< 1 if a contact point could not be followed
} DerivativeRows;

void heft_derivative_rows_place(DerivativeRows* x, Arena* arena, const DerivativeInput* in);
/// J and the turning of contact points, at the kinematics of the dynamics.
void heft_derivative_rows_find(DerivativeRows* x);
/// out (rows x nv) = ∂(J v)/∂q at the kinematics of the dynamics. Changes its velocities.
void heft_derivative_rows_turn(DerivativeRows* x, const double* v, double* out);
/// 1 if nothing can move along the row of an equality.
int heft_derivative_is_idle(const DerivativeInput* in, const Constraint* k);
/// by_q (nv x nv) -= scale ∂(Jᵀ r)/∂q, the part of wrenches that do not stay where they are in the
/// world. r: rows.
void heft_derivative_rows_push(DerivativeRows* x, const double* r, double scale, double* by_q);

/// The rows that hold in the step: J dv + compliance dλ + c = 0, with impulses Nᵀ dλ.
typedef struct ActiveRows {
  int count, capacity;
  double *along, *push;  ///< count x nv: J, zero at held dofs, and N
  double* compliance;    ///< count
  double* weight;        ///< count: of dependent rows those with the largest are kept
  int rank;              ///< rows that do not follow from others
  int* order;            ///< 2 count: first the rows whose equations count, rank of them, then the
                         ///< others
  int* place;            ///< count: number of the impulse of a row, below rank; -1: it has none
  double* used;          ///< rank x nv: J of the equations that count
  double* pull;          ///< rank x nv: N M̂⁻¹ of the impulses
  double* inverse;       ///< rank x rank: of J M̂⁻¹ Nᵀ + compliance
  double* scratch;       ///< 2 count x count, and count
  double* turned;        ///< nv x count: scratch
} ActiveRows;

void heft_active_rows_place(ActiveRows* x, Arena* arena, int capacity, int nv);
/// Finds which rows follow from others, and the answer of the rest. mobility: M̂⁻¹ (nv x nv).
void heft_active_rows_solve(ActiveRows* x, int nv, const double* mobility);
/// impulse (rank x nv) = -W⁺ (c + J z), z (nv x nv) += M̂⁻¹ Nᵀ impulse. c: count x nv; NULL: zero.
void heft_active_rows_respond(ActiveRows* x, int nv, const double* c, double* z, double* impulse);
/// The transposed map: y (nv), the gradient by z at its end, becomes that by z at its start, and
/// rows (count) that by c.
void heft_active_rows_reverse(ActiveRows* x, int nv, double* y, double* rows);

static inline size_t square_of(int n) { return (size_t)n * (size_t)n; }

/// out (n x p) += scale a (n x m) b (m x p), row-major. Zeros of a are skipped.
void heft_add_product(int n, int m, int p, double scale, const double* a, const double* b,
                      double* out);
/// out = scale a b, the same.
void heft_set_product(int n, int m, int p, double scale, const double* a, const double* b,
                      double* out);

/// blocks (nv; 9 numbers where a ball begins): out = ∂(q ⊕ d)/∂q and ∂(q ⊕ d)/∂d, as maps of
/// tangent coordinates. d: nv.
typedef struct TangentMaps {
  double (*keep)[9], (*add)[9];  ///< nv: of a dof in [0], of a ball as a matrix at its first dof
} TangentMaps;

void heft_tangent_maps_place(TangentMaps* x, Arena* arena, int nv);
void heft_tangent_maps_find(TangentMaps* x, const HeftModel* model, const double* d);
/// out (nv x p) += scale map in (nv x p); map: x->keep or x->add.
void heft_tangent_apply(const HeftModel* model, const double (*map)[9], int p, double scale,
                        const double* in, double* out);

/// out (nv x nv) += after before scale, blocks on the diagonal; scale: nv, NULL: 1.
void heft_tangent_chain(const HeftModel* model, const double (*after)[9], const double (*before)[9],
                        const double* scale, double* out);

/// The blocks of columns of a derivative.
typedef enum DerivativeBlock { BY_Q, BY_V, BY_FORCE, BY_PARAMETER } DerivativeBlock;

/// The linear maps of the keeper of momentum (momentum.c) for a floating tree.
typedef struct KeptMomentum {
  MomentumDerivatives start, middle, end;
  double* due;    ///< 6 x nv: of the momentum that the tree must have, of one block
  double* place;  ///< 3 x nv: of the centre of mass that it must have
  double* left;   ///< 6 x nv: scratch
  int found;      ///< root of the tree that they belong to; 0: none
} KeptMomentum;

/// The linear map of the position correction (correction.c): M̂ dv_c - J_cᵀ dp = ... .
typedef struct Correcting {
  ActiveRows rows;
  int* of;  ///< rows: constraints; then those of open gaps, up to `watched`
  int watched;
  double* part;          ///< rows: share of a gap that is corrected, 0: as fast as it may
  double* smooth;        ///< nv x nv: by q_m
  double* by_parameter;  ///< nv x nv: the same by parameters
  double* turned;        ///< rows of the set x nv: by q_m
  double* end;           ///< rows of the set x nv: J of equalities where the step would end
  double *right, *impulse, *out;  ///< rows x nv, nv x nv: scratch
  double *p, *zero;               ///< rows of the set, nv
  TangentMaps rest;               ///< from q_m to where the step would end
  double* q;                      ///< nq: where that is
  int loops;                      ///< 1 if equalities are corrected
} Correcting;

/// The linear map of the projection on energies (restore.c).
typedef struct KeptEnergy {
  int any, count;      ///< 1 if an island is projected; islands
  int *island, *base;  ///< nv: of a dof, -1: none; islands: first dof of the tree that floats, -1
  double* scale;       ///< nv: of its island
  double* before;      ///< nv: velocities before the projection
  double* rigid;       ///< nv: motion as one rigid body
  double *by_q, *by_v, *by_force, *solved, *end_q,
      *end_v;  ///< nv: gradients of the scales by q, v, joint forces, v⁺ of the solution,
               ///< q⁺ and v⁺ before the projection
  double *turn_q, *turn_v;  ///< 6 x nv: of the base in `rigid`, by q⁺ and v⁺
  double* change;           ///< nv: of the scale by a column, of the island of its dof; transposed:
                            ///< the gradient by v⁺ of the solution
  double *mean, *kinetic, *weight, *at_q, *at_v, *rigid_q, *rigid_v, *turned, *zero;  ///< scratch
  MomentumDerivatives all, of_rigid;                                                  ///< scratch
} KeptEnergy;

/// Gradients by the start of the step.
typedef struct Adjoint {
  double *start, *force;                 ///< 2 nv: by q and v; nv: by joint forces
  double *position, *velocity, *middle;  ///< nv: by dq⁺, dv⁺ and dq_m, scratch
  double *solved, *rows;                 ///< 2 nv, rows: scratch
  double* corrected;                     ///< nv: by the right-hand side of the correction
  double* kept;  ///< 9 for each floating tree: by its momentum and by the place of its centre
} Adjoint;

/// The last step as a linear map of dq, dv and joint forces dτ. With dw = v⁺ - v,
///     M̂ dw - Nᵀ dλ = smooth_q dq + smooth_v dv + smooth_force dτ,
///     J dw + compliance dλ + rows_q dq + rows_v dv = 0.
/// Dry friction that holds, and closed limits, hold one dof each: dw of a held dof is known. It is
/// taken out of the equations: smooth and rows contain what it does, M̂⁻¹ has the others.
typedef struct StepMap {
  Block block;
  DerivativeInput in;
  RneaDerivatives rnea;
  DerivativeRows middle, start;  ///< at q_m and at q
  ConstraintSet start_set;
  ActiveRows active;
  int* of_row;                  ///< active rows: row of the set, -1 - row: across the slip there
  int* active_at;               ///< rows of the set: active row, -1: none
  int *held, held_count;        ///< nv: 1 if a row holds the dof
  int* held_row;                ///< nv: that row
  double *hold_q, *hold_v;      ///< nv: dw of a held dof by its own q and v
  double* mass;                 ///< nv x nv: M̂; the columns of held dofs are zero
  TangentMaps lead, rest;       ///< from q to q_m, from q_m to q⁺
  double (*wrench)[8];          ///< nlink: scratch
  double *a, *d;                ///< nv: scratch
  double *by_q, *by_v;          ///< nv x nv: derivatives of inverse dynamics
  double *early_q, *early_v;    ///< the same in the first pass
  double* mobility;             ///< nv x nv: M̂⁻¹, if it was found
  double* freed;                ///< nv x nv: M̂⁻¹ of dofs that are not held
  int has_mobility, has_early;  ///< has_early: there is a first pass, smooth_force is not h
  double *smooth_q, *smooth_v, *smooth_force;  ///< nv x nv
  double *rows_q, *rows_v;                     ///< active rows x nv
  double *turned, *turned_v, *turned_end;      ///< rows x nv: scratch; the last: ∂(J v⁺)/∂q_m
  double* square;                              ///< nv x nv: scratch
  KeptMomentum kept;
  KeptEnergy energy;
  const HeftStepParameter* by;  ///< by_count: the parameters of the columns, at most nv
  int by_count;
  double* rows_by;  ///< active rows x nv: by parameters
  Correcting correcting;
  Adjoint adjoint;
  double* by_force;           ///< 2 nv x nv: scratch
  double *fixed_q, *fixed_v;  ///< nv x nv: scratch of the correction
  int* turns;                 ///< active rows: 1 if their bias is due to their turning
  double *after, *before;     ///< nv: dq⁺ has h (after dv⁺ + before dv)
  double largest;             ///< normal impulse
  unsigned flags;
  double radius[BY_PARAMETER + 1];  ///< by blocks
} StepMap;

/// Sizes and places the arrays of a StepMap (BlockPlace; user: DerivativeInput).
void heft_step_map_place(void* object, Arena* arena, const void* user);
/// mass and freed, from held. Returns 1 if M̂ is not positive.
int heft_step_map_find_freed(StepMap* map);
/// mobility, which the first pass and the correction need.
void heft_step_map_find_mobility(StepMap* map);
/// The right-hand sides of a parameter: smooth (nv) of the equations of motion, fixed (nv) of the
/// correction, rows (active rows). All are added to, with a stride.
void heft_derivative_parameter(StepMap* map, HeftStepParameter by, size_t stride, double* smooth,
                               double* fixed, double* rows);
/// 1 if a parameter belongs to the inertia of a body: heft_derivative_inertia() has its columns.
int heft_derivative_is_inertia(HeftStepParameterKind kind);
/// The columns of those parameters of a list (at most nv) that belong to inertias, `stride` wide.
/// Needs and leaves the kinematics of q_m; changes velocities and accelerations.
void heft_derivative_inertia(StepMap* map, const HeftStepParameter* list, int count, size_t stride,
                             double* smooth, double* fixed);
/// How mass, centre of mass and momentum about it of the tree of a root change with a parameter.
typedef struct MomentumRate {
  double mass;                    ///< [kg]
  HeftVec3 com, linear, angular;  ///< [m], [kg m/s], [kg m²/s], each per unit of the parameter
} MomentumRate;
/// mass, com, linear: of the tree. Needs kinematics and velocities.
MomentumRate heft_derivative_momentum_rate(const HeftDynamics* dynamics, HeftStepParameter by,
                                           int root, double mass, HeftVec3 com, HeftVec3 linear);
/// Finds the map. Returns 1 if M̂ is not positive. Leaves the kinematics at q_m.
int heft_step_map_find(StepMap* map);
/// map->adjoint: the transposed matrix times the gradient `end` (2 nv) of a function of (q⁺, v⁺).
void heft_step_map_adjoint(StepMap* map, const double* end);
/// by_q, by_v (nv x nv) += scale times the derivatives of the forces of actuators and springs.
void heft_derivative_drives(StepMap* map, double scale, double* by_q, double* by_v);
/// 1 if the force of an actuator is at a limit.
int heft_derivative_is_held(const StepMap* map, int actuator);
/// Derivative of the force along the transmission of an actuator by its control.
double heft_derivative_control(const StepMap* map, int actuator);
void heft_correcting_place(Correcting* x, Arena* arena, const DerivativeInput* in, int constraints);
/// Needs the kinematics of q_m, the rows there and M̂⁻¹. Returns there.
void heft_correcting_find(StepMap* map);
/// velocity (nv x nv), the derivative of v_position by a block, += the correction.
void heft_correcting_add(StepMap* map, DerivativeBlock block, const double* dv, double* velocity);
/// Poses rows of equalities at q, and finds them. Moves the kinematics.
void heft_derivative_pose(StepMap* map, DerivativeRows* rows, const double* q);
/// map->wrench = scale times the wrenches of impulses (rows) on links.
void heft_derivative_wrenches(StepMap* map, const double* impulse, double scale);
/// A number that is positive while a state lasts has a derivative (nv): *radius is at most their
/// ratio. Derivatives below 1e-12 `scale` count as zero.
void heft_count_radius(const StepMap* map, const double* row, double value, double scale,
                       double* radius);
/// The smallest change of one coordinate of a block that changes the state of a constraint. dw
/// (nv x nv): of v⁺ - v; impulse (rank of the active rows x nv); held (nv x nv): of the impulses at
/// held dofs.
double heft_derivative_radius(StepMap* map, DerivativeBlock block, const double* dw,
                              const double* impulse, const double* held);
/// to += a row i + b row j, of rows of nv numbers.
void heft_combine_rows(const double* all, size_t nv, int i, double a, int j, double b, double* to);
void heft_clear_rows(int rows, int nv, double* out);
/// The largest size of n numbers.
double heft_largest(size_t n, const double* x);
void heft_kept_momentum_place(KeptMomentum* x, Arena* arena, const HeftModel* model);
/// LU factor of the momentum by the velocities of a base. Returns 1 if it is singular.
int heft_momentum_factor(const MomentumDerivatives* x, int nv, int dof, double factor[36],
                         int pivot[6]);
/// Corrects dq⁺ and dv⁺ (nv x nv) of a block for the floating trees of the step.
void heft_kept_momentum_correct(StepMap* map, DerivativeBlock block, double* dq, double* dv);
/// The momentum and the place of the centre of mass that the floating tree of a group must have, by
/// a block, into map->kept.due and place. Returns its first dof, or -1: the group is not kept.
int heft_kept_momentum_due(StepMap* map, int group, DerivativeBlock block);
void heft_kept_energy_place(KeptEnergy* x, Arena* arena, const HeftModel* model);
/// Needs and leaves the kinematics of q_m.
void heft_kept_energy_find(StepMap* map);
/// Of a block: dv (nv x nv) of the solution; then dq⁺ and dv⁺ that are otherwise complete.
void heft_kept_energy_begin(StepMap* map, DerivativeBlock block, const double* dv);
void heft_kept_energy_correct(StepMap* map, DerivativeBlock block, const double* dq, double* dv);
/// map->adjoint: from the end of a step to before the projection; the gradient by v⁺ of the
/// solution goes to map->energy.change.
void heft_kept_energy_reverse(StepMap* map);
/// Maps matrices (rows x nv) by q_m to matrices by q and, added, by v.
void heft_derivative_lead(const StepMap* map, int rows, double* by_q, double* by_v);

#endif
