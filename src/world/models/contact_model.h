// SPDX-License-Identifier: Apache-2.0
// Contact models as interchangeable parts: one row of one table each (contact_model.c), one small
// struct of functions, one file.
//
// A model is asked island by island. It gets the contact problem of the exact law (operator, free
// velocities, materials), the touches behind it and how fast they were when the step began, and
// answers with impulses. Joint limits, loops and dry friction of joints stay exact under every
// model: they are solved for the impulses that the model gave to the touches. Whatever the answer,
// the certificate of the exact law is made from it.
#ifndef HEFT_SRC_WORLD_CONTACT_MODEL_H
#define HEFT_SRC_WORLD_CONTACT_MODEL_H

#include "world/world_internal.h"

/// Memory of one thread: numbers for the model, and places for the rows of joints.
struct ModelScratch {
  double* numbers;              ///< as many as ContactModel.scratch said
  double* twist;                ///< 12 effector_capacity: wrenches and twists of the effectors
  double* bias;                 ///< row_capacity: free velocities of joint rows
  double* before;               ///< row_capacity: velocities without the joints
  double* known;                ///< row_capacity: impulses that stay
  double* free;                 ///< row_capacity: velocities without what is looked for
  HeftConstraintBlock* joints;  ///< constraint_capacity
  size_t size;                  ///< of all of it [bytes]
};

/// One island, as a contact model sees it. The touches come first among the contacts.
typedef struct ModelTask {
  const HeftWorld* world;
  const HeftContactOptions* options;
  const HeftContactProblem* problem;  ///< of the exact law
  const Island* island;
  HeftContactSolver* solver;
  ModelScratch* scratch;
  double h;
  int contact_points, contact_rows;  ///< contacts that are touches, and their rows
  double* impulse;                   ///< rows: result
  double* velocity;                  ///< rows: W impulse + bias, see heft_model_finish()
  HeftContactResult* result;
} ModelTask;

struct ContactModel {
  HeftContactModel model;
  int bounces;   ///< 1: it takes part in rounds of impacts, with the speeds that they pose
  int corrects;  ///< 1: what has sunk into something is moved apart as under the exact law
  int clamps;    ///< 1: the second number that it keeps says whether a touch was clamped
  /// Numbers of scratch that it needs in this world.
  size_t (*scratch)(const HeftWorld* world, const HeftContactOptions* options);
  /// Impulses of all rows. 0: it could not, and the island is solved exactly instead.
  int (*solve)(ModelTask* task);
};

extern const ContactModel heft_contact_penalty;
extern const ContactModel heft_contact_lcp;
extern const ContactModel heft_contact_micro_macro;
extern const ContactModel heft_contact_foot_exact;
extern const ContactModel heft_contact_foot_onestep;

/// The touch behind a contact, its velocities at the start of the step (by row), and what is kept
/// for it.
const HeftContactPoint* heft_model_contact_point(const ModelTask* task, int contact);
const double* heft_model_start(const ModelTask* task, int contact);
double* heft_model_memory(const ModelTask* task, int contact);

/// Solves joint rows exactly for the impulses of the touches, which must stand in task->impulse,
/// and works out the velocities of all rows.
void heft_model_finish(ModelTask* task);

/// Finds impulses of touches that answer to the joints, and of joints that answer to them, by
/// turns: `touches` adds to the impulses of the touches, which then are as on entry, what is needed
/// for the velocities `free` (rows) that there are without it; scratch->twist + 6 effector_count
/// then
/// holds the twists of effectors from all other impulses. Finishes.
void heft_model_alternate(ModelTask* task,
                          void (*contact_points)(ModelTask* task, const double* free, void* user),
                          void* user);

/// The model of the def, when a world is made.
HeftStatus heft_contact_model_start(HeftWorld* world, HeftError* error);
void heft_contact_model_end(HeftWorld* world);
/// Has the chosen model solve an island. Returns 0 if it could not.
int heft_contact_model_solve(HeftWorld* world, Island* island, Worker* own,
                             const HeftContactProblem* problem, double* impulse, double* velocity);

// ---- the operator (contact_operator.c)

/// twists (6 effector_count) += what an impulse of size `size` along a row does to all effectors.
void heft_operator_push(const HeftContactProblem* problem, const int effector[2],
                        const double jacobian[12], double size, double* twists);
/// The velocity of a row at these twists.
double heft_operator_speed(const int effector[2], const double jacobian[12], const double* twists);
/// velocity = W impulse + bias for all rows. scratch: 12 effector_count.
void heft_operator_apply(const HeftContactProblem* problem, const double* impulse, double* velocity,
                         double* scratch);
/// W (row_count squared, symmetric). scratch: 6 effector_count.
void heft_operator_dense(const HeftContactProblem* problem, double* out, double* scratch);
/// out[r] = W_rr for the rows of a contact. scratch: 6 effector_count.
void heft_operator_diagonal(const HeftContactProblem* problem, const HeftConstraintBlock* contact,
                            double* out, double* scratch);

#endif
