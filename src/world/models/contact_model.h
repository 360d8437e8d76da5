// SPDX-License-Identifier: Apache-2.0
// Contact models as interchangeable parts: one row of one table each (contact_model.c), one small
// struct of functions, one file.
//
// A model solves island by island. Its inputs are the contact problem of the exact law (operator,
// free velocities, materials), the contact points of the problem and their velocities at the start
// of the step; its result are impulses. Joint limits, equalities and dry friction of joints stay
// exact under every model: they are solved for the impulses that the model gave to the contact
// points. The certificate of the exact law is made from every result. Whether a step counts as
// solved is judged by the residual of the model itself, which it returns in result->relative: the
// residual of the joints, certified for the contact points' impulses, and of its own equations.
#ifndef HEFT_SRC_WORLD_CONTACT_MODEL_H
#define HEFT_SRC_WORLD_CONTACT_MODEL_H

#include "world/constraints.h"

/// Memory of one thread: numbers for the model, and places for the rows of joints.
struct ModelScratch {
  Block block;
  double* numbers;              ///< as many as ContactModel.scratch returned
  double* twist;                ///< 12 per effector: wrenches and twists of the effectors
  double* bias;                 ///< row_capacity: free velocities of joint rows
  double* before;               ///< row_capacity: velocities without the joints
  double* missed;               ///< row_capacity: error of the free velocities of the last turn
  double* left;                 ///< row_capacity: velocities that the last turn left
  double* known;                ///< row_capacity: impulses that stay
  double* free;                 ///< row_capacity: velocities without what is looked for
  HeftConstraintBlock* joints;  ///< constraint_capacity
};

/// One island, as a contact model sees it. The contact points come first among the contacts.
typedef struct ModelTask {
  const ConstraintSet* set;
  const int* source;               ///< the constraint of each contact
  const double* start;             ///< rows of the set: velocities at the start of the step
  double (*memory)[MODEL_MEMORY];  ///< contact points: numbers that the model stores
  const HeftModel* model;
  const HeftDynamics* dynamics;
  const HeftContactOptions* options;
  const HeftContactLaw* law;  ///< of the user, or NULL
  const void* law_user;
  const HeftContactProblem* problem;  ///< of the exact law
  const HeftContactTermination* stop;
  HeftContactSolver* solver;
  ModelScratch* scratch;
  double* certificate_scratch;
  double h, weight_speed;            ///< as in StepInput
  int contact_points, contact_rows;  ///< contact points among the contacts, and their rows
  double* impulse;                   ///< rows: result
  double* velocity;                  ///< rows: W impulse + bias, see heft_model_finish()
  HeftContactResult* result;         ///< relative: residual of the model's own equations; effort
                                     ///< and counts: of the model and of all solves of the joints
  int trials;                        ///< contact states of feet that were tried
} ModelTask;

struct ContactModel {
  HeftContactModel model;
  int bounces;   ///< 1: it is solved in rounds of impacts
  int rebounds;  ///< 1: contact points have restitution, by their bias velocities
  int corrects;  ///< 1: penetrations are corrected as under the exact law
  int clamps;    ///< 1: the second number that it stores is 1 for clamped contact points
  /// Numbers of scratch that it needs for so many constraints.
  size_t (*scratch)(int constraint_capacity, const HeftContactOptions* options);
  /// Computes the impulses of all rows. Returns 0 if it cannot: the island is then solved exactly.
  int (*solve)(ModelTask* task);
};

extern const ContactModel heft_contact_penalty;
extern const ContactModel heft_contact_lcp;
extern const ContactModel heft_contact_micro_macro;
extern const ContactModel heft_contact_foot_exact;
extern const ContactModel heft_contact_foot_onestep;
extern const ContactModel heft_contact_lugre;
extern const ContactModel heft_contact_volume;
/// Laws of the user, by HeftContactLaw::yields.
extern const ContactModel heft_contact_law_rigid;
extern const ContactModel heft_contact_law_yielding;

/// The contact point of a contact, its velocities at the start of the step (by row), and the
/// numbers that the model stores for it.
const HeftContactPoint* heft_model_contact_point(const ModelTask* task, int contact);
const double* heft_model_start(const ModelTask* task, int contact);
double* heft_model_memory(const ModelTask* task, int contact);
/// The layer of the materials of a contact point: stiffness [N/m], damping [N s/m] and thickness
/// [m]; two layers are in series. Returns 0 if they have none.
int heft_model_layer(const ModelTask* task, int contact, double layer[3]);

/// Solves joint rows exactly for the impulses of the contact points, which must be in
/// task->impulse, and computes the velocities of all rows.
void heft_model_finish(ModelTask* task);

/// Solves for the impulses of contact points and of joints alternately. `touches` adds to the
/// impulses of the contact points, which then are as on entry, those that the velocities `free`
/// (rows) without them require; scratch->twist + 6 effector_count then holds the twists of
/// effectors from all other impulses. Ends with heft_model_finish(). If the two do not agree in the
/// end, their distance is the residual.
void heft_model_alternate(ModelTask* task,
                          void (*contact_points)(ModelTask* task, const double* free, void* user),
                          void* user);

/// Releases the scratch of all threads.
void heft_contact_model_end(Solvers* solvers, const HeftAllocator* allocator);
/// Solves an island by a model. Returns 0 if it could not.
int heft_contact_model_solve(const ContactModel* model, ModelTask* task);

// ---- the operator (contact_operator.c)

/// twists (6 effector_count) += change of all effectors by an impulse of size `size` along a row.
void heft_operator_apply_row(const HeftContactProblem* problem, const int effector[2],
                             const double jacobian[12], double size, double* twists);
/// The velocity of a row at these twists.
double heft_operator_speed(const int effector[2], const double jacobian[12], const double* twists);
/// velocity = W impulse + bias for all rows. scratch: 12 effector_count.
void heft_operator_apply(const HeftContactProblem* problem, const double* impulse, double* velocity,
                         double* scratch);
/// W (row_count squared, symmetric). scratch: 6 effector_count.
void heft_operator_dense(const HeftContactProblem* problem, double* out, double* scratch);
/// xᵀ W x of a row of 12 numbers between two effectors.
double heft_operator_mobility(const HeftContactProblem* problem, const int effector[2],
                              const double* x);
/// xᵀ W y for each pair of three rows between the same effectors: 00, 10, 11, 20, 21, 22.
void heft_operator_mobility_of_three(const HeftContactProblem* problem, const int effector[2],
                                     const double (*x)[12], double out[6]);
/// xᵀ W x along each of the twelve axes of two effectors.
void heft_operator_axes_mobility(const HeftContactProblem* problem, const int effector[2],
                                 double out[12]);
/// out[r] = W_rr for the rows of a contact.
void heft_operator_diagonal(const HeftContactProblem* problem, const HeftConstraintBlock* contact,
                            double* out);

#endif
