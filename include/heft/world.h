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

#include <heft/collision.h>
#include <heft/dynamics.h>
#include <heft/model.h>
#include <heft/version.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Time integrators: X(name, text, meaning).
#define HEFT_INTEGRATOR_LIST(X)                                                                 \
  X(HEFT_INTEGRATOR_MOREAU, "moreau", "Moreau-Jean theta scheme, dampers and springs implicit") \
  X(HEFT_INTEGRATOR_RK4, "rk4", "Runge-Kutta-Munthe-Kaas of order 4, for smooth motion")

typedef enum HeftIntegrator {
  HEFT_INTEGRATOR_LIST(HEFT_ENUM_ENTRY) HEFT_INTEGRATOR_COUNT
} HeftIntegrator;

/// Name of an integrator. Static string, never NULL.
HEFT_API const char* heft_integrator_name(HeftIntegrator integrator);

// ---- contact models

/// Contact models, the methods that compute contact forces: X(name, text, meaning). With each of
/// them, every step is certified against the exact law, in the same units (HeftStepReport).
/// docs/theory has a page on each; docs/manual/contact-models.md helps to choose.
#define HEFT_CONTACT_MODEL_LIST(X)                                                                \
  X(HEFT_CONTACT_MODEL_FROM_FILE, "file", "as the model file states, or exact")                   \
  X(HEFT_CONTACT_MODEL_EXACT, "exact", "Coulomb's law and no penetration, to a tolerance")        \
  X(HEFT_CONTACT_MODEL_PENALTY, "penalty", "springs and dampers at each contact point")           \
  X(HEFT_CONTACT_MODEL_LCP, "lcp", "faceted cone, linear complementarity by Lemke")               \
  X(HEFT_CONTACT_MODEL_MICRO_MACRO, "micro_macro",                                                \
    "elastic layer over rigid bodies, weighted forces")                                           \
  X(HEFT_CONTACT_MODEL_FOOT_EXACT, "foot_exact", "constraints of feet, found by search")          \
  X(HEFT_CONTACT_MODEL_FOOT_ONESTEP, "foot_onestep", "constraints of feet, one update per step")  \
  X(HEFT_CONTACT_MODEL_LUGRE, "lugre", "friction by bristles that bend, with a state of its own") \
  X(HEFT_CONTACT_MODEL_VOLUME, "volume", "springs and dampers by the volume of overlap")

typedef enum HeftContactModel {
  HEFT_CONTACT_MODEL_LIST(HEFT_ENUM_ENTRY) HEFT_CONTACT_MODEL_COUNT
} HeftContactModel;

/// Name of a contact model, and one phrase on it. Static strings, never NULL.
HEFT_API const char* heft_contact_model_name(HeftContactModel model);
HEFT_API const char* heft_contact_model_meaning(HeftContactModel model);
/// Finds a contact model by its name. HEFT_ERR_NAME: there is none; the message lists the names.
/// [out] out
HEFT_API HeftStatus heft_contact_model_find(const char* word, HeftContactModel* out,
                                            HeftError* error);

/// Normal force of the contact model `penalty`, from the depth d.
typedef enum HeftPenaltyLaw {
  HEFT_PENALTY_LINEAR,         ///< k d + c ḋ
  HEFT_PENALTY_HUNT_CROSSLEY,  ///< k d^p (1 + c ḋ): continuous at the start of contact
  HEFT_PENALTY_LAW_COUNT
} HeftPenaltyLaw;

/// Settings of contact models: X(type, name, default, min, max, meaning). If the default is
/// -1, the value is computed from the masses and the time step.
#define HEFT_CONTACT_OPTION_LIST(X)                                                               \
  X(HeftPenaltyLaw, law, HEFT_PENALTY_LINEAR, 0, 1, "penalty: 0 linear, 1 Hunt and Crossley")     \
  X(double, stiffness, -1, -1, 1e15, "penalty, micro_macro: k [N/m, N/m^p]; volume: [N/m^3]")     \
  X(double, damping, -1, -1, 1e15, "penalty, micro_macro: c [N s/m; Hunt: s/m]; volume: [s]")     \
  X(double, exponent, 1.5, 1, 10, "penalty: exponent p of Hunt and Crossley")                     \
  X(double, tangent_stiffness, -1, -1, 1e15,                                                      \
    "penalty, volume, lugre: tangential stiffness of a point [N/m]")                              \
  X(double, tangent_damping, -1, -1, 1e15, "penalty, volume, lugre: tangential damping [N s/m]")  \
  X(int, facets, 8, 4, 64, "lcp: facets of the friction cone, even")                              \
  X(int, size, 400, 16, 4000, "lcp, micro_macro: max unknowns per island; above: exact")          \
  X(double, lambda, 1e-4, 0, 1e9, "micro_macro: weight of the forces [1/kg^2, or in W^2]")        \
  X(int, unit_free, 1, 0, 1, "micro_macro: 1 lambda in units of W^2, 0 in 1/kg^2")                \
  X(double, membrane, 0, -1, 1, "micro_macro: elastic layer [m]; -1 all elastic, 0 rigid")        \
  X(int, membrane_stays, 0, 0, 1, "micro_macro: 1 a fully compressed layer keeps its force")      \
  X(int, step_damper, 1, 0, 1, "micro_macro: 1 damping grows with the step, 0 constant")          \
  X(double, slip_speed, -1, -1, 1e3, "micro_macro: points below this speed may stick [m/s]")      \
  X(double, static_friction, -1, -1, 100, "micro_macro: static coefficient, -1 from material")    \
  X(double, clamp_gap, 0.001, 0, 1, "feet: clamps may start below this gap, must below -gap [m]") \
  X(double, rise_limit, 0.1, 0, 1e6, "feet: vertices that accelerate up faster detach [m/s^2]")   \
  X(double, sink_limit, 0.1, 0, 1e6, "feet: but not if they sink faster than this [m/s]")         \
  X(int, pressure_rule, 1, 0, 1, "feet: 1 no vertex detaches while the CoP is inside")            \
  X(int, candidates, 300, 1, 100000, "foot_exact: max constraint sets tried per step")

/// Numbers of the contact models other than the exact one.
typedef struct HeftContactOptions {
#define HEFT_CONTACT_OPTION_FIELD(type, name, usual, min, max, text) type name;  ///< see above
  HEFT_CONTACT_OPTION_LIST(HEFT_CONTACT_OPTION_FIELD)
#undef HEFT_CONTACT_OPTION_FIELD
} HeftContactOptions;

/// The usual options of all contact models.
HEFT_API HeftContactOptions heft_contact_options_default(void);
/// The options as a table: name, type, range, default and meaning.
HEFT_API HeftOptions heft_contact_model_options(void);
/// Sets an option by its name. HEFT_ERR_NAME: no option has this name; HEFT_ERR_VALUE: the value is
/// outside its range. The message states what is allowed; options then stay as they were.
/// [in,out] options
HEFT_API HeftStatus heft_contact_options_set(HeftContactOptions* options, const char* name,
                                             double value, HeftError* error);

// ---- settings, status and report

/// How a step ended, the worst of its substeps: X(name, text). A later one in the list is worse.
///
/// HEFT_STEP_SOLVED: every error of the step is within its bound (HEFT_STEP_QUANTITY_LIST), and no
/// contact point was dropped. All other statuses name what is wrong; HeftStepReport::error has the
/// number, its bound and the place.
///
/// HEFT_STEP_NOT_UNIQUE: the laws allow other motions, too.
///
/// HEFT_STEP_INEXACT: the impulses miss the laws of contact, limits, loops, dry friction or tendons
/// by more than the tolerance: the solver ended before, by its effort, a deadline or for want of
/// progress. The impulses are inside their cones and add no energy. With another contact model than
/// the exact one, the certificate still gives the distance from the exact law, but the status
/// judges what the model computes: its own equations, and the exact law for joints (limits, loops,
/// dry friction), to the same tolerance. The integrator rk4 applies no impulses: its certificate is
/// for zero impulses. It refuses contact, see HEFT_STEP_CONTACT_REFUSED.
///
/// HEFT_STEP_ENERGY: the energy changed by an amount that no force explains.
///
/// HEFT_STEP_LIMIT_PASSED, HEFT_STEP_TENDON_PASSED, HEFT_STEP_LOOP_OPEN: a joint or a tendon is
/// beyond its range, or an equality is violated.
///
/// HEFT_STEP_OVERLAP: shapes lie deep in each other. HEFT_STEP_INVERTED: an element of a deformable
/// body is turned inside out.
///
/// HEFT_STEP_NOT_FOLLOWED: positions did not move by the mean velocity of the step and the
/// correction (HeftStepMotion). HEFT_STEP_SHORTENED: bodies moved for less than the step, because
/// they would have passed through each other.
///
/// HEFT_STEP_CONTACTS_DROPPED: the law holds, or not, only for the contact points that were kept.
/// heft_world_reserve_contacts() makes room for more.
///
/// HEFT_STEP_RESTRAINED: a tree turned too fast for the step, also after its division into
/// HeftWorldDef::spin_parts, and its velocities were scaled so that its energy is right: the motion
/// is bounded, but not accurate. HeftStepReport::inexact and contact_dropped describe contact.
///
/// HEFT_STEP_OUT_OF_RANGE: a velocity would exceed HEFT_SPEED_MAX or a coordinate HEFT_PLACE_MAX.
///
/// HEFT_STEP_CONTACT_REFUSED: a contact point would close in the step, and the integrator rk4
/// applies no impulses. heft_world_contacts() returns the points that were found, with zero force.
/// Use the integrator moreau, or exclude the shapes from collision.
#define HEFT_STEP_STATUS_LIST(X)                                                                  \
  X(HEFT_STEP_SOLVED, "solved")                                                                   \
  X(HEFT_STEP_NOT_UNIQUE, "not unique: the laws allow other motions, too")                        \
  X(HEFT_STEP_INEXACT, "inexact: raise effort_max or the tolerance, or shorten the time step")    \
  X(HEFT_STEP_ENERGY, "energy not balanced: shorten the time step")                               \
  X(HEFT_STEP_LIMIT_PASSED, "joint beyond its range: shorten the time step or start within it")   \
  X(HEFT_STEP_TENDON_PASSED, "tendon beyond its range: shorten the time step or start within it") \
  X(HEFT_STEP_LOOP_OPEN, "loop open: shorten the time step or start with closed loops")           \
  X(HEFT_STEP_OVERLAP, "shapes overlap: shorten the time step or start without overlap")          \
  X(HEFT_STEP_INVERTED, "elements inverted: shorten the time step or use a finer mesh")           \
  X(HEFT_STEP_NOT_FOLLOWED, "positions do not follow velocities: shorten the time step")          \
  X(HEFT_STEP_SHORTENED, "shortened: bodies moved for less than the step; shorten the time step") \
  X(HEFT_STEP_CONTACTS_DROPPED, "contact points dropped: raise contact_capacity")                 \
  X(HEFT_STEP_RESTRAINED, "restrained: too fast a rotation, shorten the time step")               \
  X(HEFT_STEP_NOT_FINITE, "not finite: rolled back to the state before the step")                 \
  X(HEFT_STEP_SINGULAR, "mass matrix not positive: rolled back to the state before the step")     \
  X(HEFT_STEP_OUT_OF_RANGE, "out of range: rolled back to the state before the step")             \
  X(HEFT_STEP_CONTACT_REFUSED,                                                                    \
    "contact, which rk4 leaves out: rolled back, use moreau or disable contact")

typedef enum HeftStepStatus {
  HEFT_STEP_STATUS_LIST(HEFT_ENUM_ENTRY) HEFT_STEP_STATUS_COUNT
} HeftStepStatus;

/// A phrase on a status. Static string, never NULL.
HEFT_API const char* heft_step_status_text(HeftStepStatus status);
/// Whether a step with this status moved the world; false if it was rolled back.
HEFT_API bool heft_step_taken(HeftStepStatus status);

/// Errors by which a step is judged: X(quantity, name, unit, usual bound, status if the bound is
/// exceeded, kind of the place, meaning). docs/manual/true-steps.md explains each.
#define HEFT_STEP_QUANTITY_LIST(X)                                                                 \
  X(HEFT_QUANTITY_CONTACT_RESIDUAL, contact_residual, "", -1, HEFT_STEP_INEXACT, HEFT_NAMED_SHAPE, \
    "residual of contact points, relative to their velocities [1]; bound -1: the tolerance")       \
  X(HEFT_QUANTITY_LIMIT_RESIDUAL, limit_residual, "", -1, HEFT_STEP_INEXACT, HEFT_NAMED_JOINT,     \
    "the same of joint limits [1]")                                                                \
  X(HEFT_QUANTITY_FRICTION_RESIDUAL, friction_residual, "", -1, HEFT_STEP_INEXACT,                 \
    HEFT_NAMED_JOINT, "the same of dry friction of joints [1]")                                    \
  X(HEFT_QUANTITY_LOOP_RESIDUAL, loop_residual, "", -1, HEFT_STEP_INEXACT, HEFT_NAMED_EQUALITY,    \
    "the same of equalities [1]")                                                                  \
  X(HEFT_QUANTITY_TENDON_RESIDUAL, tendon_residual, "", -1, HEFT_STEP_INEXACT, HEFT_NAMED_TENDON,  \
    "the same of limits, dry friction and equalities of tendons [1]")                              \
  X(HEFT_QUANTITY_FREE_FORCES, free_forces, "", 1e9, HEFT_STEP_NOT_UNIQUE, HEFT_NAMED_BODY,        \
    "islands whose solution is not the one of equal compliance [1]; allowed")                      \
  X(HEFT_QUANTITY_FREE_MOTION, free_motion, "", 0, HEFT_STEP_NOT_UNIQUE, HEFT_NAMED_BODY,          \
    "islands that have other motions by the same laws [1]")                                        \
  X(HEFT_QUANTITY_ENERGY_DEFECT, energy_defect, "", 0.1, HEFT_STEP_ENERGY, HEFT_NAMED_COUNT,       \
    "energy that no force explains, relative to the energy that moves in the step [1]")            \
  X(HEFT_QUANTITY_LIMIT_ERROR, limit_error, "", 0.02, HEFT_STEP_LIMIT_PASSED, HEFT_NAMED_JOINT,    \
    "distance of a joint beyond its range after the step, relative to the range [1]")              \
  X(HEFT_QUANTITY_TENDON_ERROR, tendon_error, "", 0.02, HEFT_STEP_TENDON_PASSED,                   \
    HEFT_NAMED_TENDON, "the same of a tendon at the start of the step [1]")                        \
  X(HEFT_QUANTITY_LOOP_ERROR, loop_error, "m, rad", 0.001, HEFT_STEP_LOOP_OPEN,                    \
    HEFT_NAMED_EQUALITY, "error of an equality after the step [m, rad]")                           \
  X(HEFT_QUANTITY_OVERLAP, overlap, "", 0.25, HEFT_STEP_OVERLAP, HEFT_NAMED_SHAPE,                 \
    "depth of a rigid contact point at the start over half the thinner shape's thickness [1]")     \
  X(HEFT_QUANTITY_INVERTED, inverted, "", 0, HEFT_STEP_INVERTED, HEFT_NAMED_DEFORMABLE,            \
    "elements of deformable bodies that are turned inside out [1]")                                \
  X(HEFT_QUANTITY_MOTION_DEFECT, motion_defect, "", 0.01, HEFT_STEP_NOT_FOLLOWED, HEFT_NAMED_BODY, \
    "difference of a displacement from the velocities of HeftStepMotion, relative to these [1]")   \
  X(HEFT_QUANTITY_TIME_LOST, time_lost, "s", 0, HEFT_STEP_SHORTENED, HEFT_NAMED_BODY,              \
    "part of the step in which a body did not move [s]")

typedef enum HeftStepQuantity {
  HEFT_STEP_QUANTITY_LIST(HEFT_ENUM_ENTRY) HEFT_QUANTITY_COUNT
} HeftStepQuantity;

/// Bounds of the errors of a step, each >= 0 in the unit of its quantity; the residuals may also be
/// -1: the tolerance of the world.
typedef struct HeftStepBounds {
#define HEFT_STEP_BOUND_FIELD(id, name, unit, usual, status, place, text) double name;  ///< above
  HEFT_STEP_QUANTITY_LIST(HEFT_STEP_BOUND_FIELD)
#undef HEFT_STEP_BOUND_FIELD
} HeftStepBounds;

/// The usual bounds.
HEFT_API HeftStepBounds heft_step_bounds_default(void);
/// The bounds as a table, in the order of HeftStepQuantity: name, unit, usual bound and meaning.
HEFT_API HeftOptions heft_step_bounds_options(void);
/// The status of a step that exceeds the bound of a quantity.
HEFT_API HeftStepStatus heft_step_quantity_status(HeftStepQuantity quantity);
/// The kind of objects that HeftStepError::place counts; HEFT_NAMED_COUNT: it has no place.
HEFT_API HeftNamed heft_step_quantity_place(HeftStepQuantity quantity);

/// Settings of a world. heft_world_create() copies them.
typedef struct HeftWorldDef {
  uint32_t cookie;            ///< set by heft_world_def_default(); see HEFT_DEF_COOKIE
  HeftAllocator allocator;    ///< source of all memory
  HeftIntegrator integrator;  ///< time integrator
  double time_step;           ///< length of a step [s], up to 10; 0: from the model
  double theta;          ///< Moreau-Jean: 1/2 (second order on springs) to 1 (damps motion that
                         ///< is too fast for the step) [1]
  int keep_momentum;     ///< 1: floating trees conserve momentum to rounding
                         ///< (docs/theory/integrators.md)
  int contact_capacity;  ///< max contact points of a step; 0: from the shapes, or half as many
                         ///< again as there are at the start, up to 8 times the shapes' number
  double margin;         ///< contact points are made up to this distance [m]
  double tolerance;      ///< relative residual to which contacts are solved
                         ///< (HeftContactCertificate)
  int effort_max;        ///< max effort per island (HeftContactTermination::effort_max); 0: by
                         ///< its kind
  uint64_t seed;         ///< of the noise of sensors
  int substeps;          ///< number of equal parts of a step, 1 to 1000
  double rest;           ///< an island comes to rest if its velocities before and after a step
                         ///< are below rest x gravity x time step; 0: never, up to 1 [1]
  int sleep;             ///< 1: islands that do not change are not solved again; same bits
  int threads;           ///< threads that share the islands of a step and the colours of large
                         ///< islands, 1 to 64; same bits for all
  HeftContactModel contact_model;      ///< FROM_FILE: as the model file states
  HeftContactOptions contact_options;  ///< of the contact model
  int spin_parts;  ///< if a tree turns too fast for the step, a substep is divided into at most this
                   ///< number of parts, 1 to 100; 1: never. If links of loops or pieces of tendons
                   ///< do, because a rope goes taut, into at most 32 times as many, up to 512
  HeftStepBounds bounds;  ///< errors above these are reported by the status of a step
} HeftWorldDef;

HEFT_DEF_FUNCTIONS(HeftWorldDef, heft_world_def_default, heft_world_def_init);
/// The settings as a table: name, type, range, default and meaning.
HEFT_API HeftOptions heft_world_options(void);

/// A world: one model that steps through time.
typedef struct HeftWorld HeftWorld;

/// The largest velocities of a state that a world accepts [m/s, rad/s].
#define HEFT_SPEED_MAX 1e8
/// The largest coordinates of a state that a world accepts [m, rad].
#define HEFT_PLACE_MAX 1e12

/// An error of a step.
typedef struct HeftStepError {
  double value;  ///< the largest of the step, in the unit of its quantity; 0: there is none
  double bound;  ///< above which the step is not solved, in the same unit
  int place[2];  ///< where it is: index of the object (heft_step_quantity_place()); contact points:
                 ///< the two shapes; -1: not known, or there is none
} HeftStepError;

/// Report of a step. Energies are the model's: kinetic, weight, springs of joints and tendons.
typedef struct HeftStepReport {
  HeftStepStatus status;     ///< how the step ended
  int contact_count;         ///< contact points found
  int contact_dropped;       ///< contact points beyond contact_capacity, and pairs of shapes that
                             ///< found no room; every pair that touches keeps some, if possible
  int islands;               ///< groups of bodies that are solved separately
  int sleeping;              ///< islands among these that did not change and were not solved again
  int sweeps, newton_steps;  ///< of the contact solver
  int fallbacks;       ///< islands that the contact model could not solve and the exact one solved
  double residual;     ///< certificate: largest contact error, recomputed by separate code [m/s]
  double relative;     ///< residual relative to the velocities of the problem
  double cone;         ///< largest distance of a force from its friction cone [N]
  double gap_power;    ///< largest complementarity error, force times velocity [W]
  double penetration;  ///< deepest contact point at the start of the step [m]
  double time;         ///< after the step [s]
  double kinetic;      ///< kinetic energy after the step [J]
  double potential;    ///< potential energy after the step [J]
  double work;         ///< done during the step by actuators, joint forces and wrenches [J]
  double
      contact_work;  ///< done during the step by contact points, at the mean velocity relative to
                     ///< moved bodies and conveyors [J]
  double restitution_work;  ///< upper bound of the work of restitution: coefficient times approach
                            ///< speed times normal impulse, summed over all impacts [J]
  double damping;  ///< energy taken by the dampers of joints and tendons during the step, >= 0
                   ///< [J]
  double energy_change;  ///< kinetic + potential after minus before, less all parts of the ledger:
                         ///< work + contact_work + limit_work + loop_work + friction_work +
                         ///< moved_work + correction_work + scheme_work - damping. The defect of
                         ///< the energy balance; zero at rest (docs/theory/integrators.md) [J]
  int inexact;  ///< solutions of islands, in all rounds of impacts and all substeps, that do not
                ///< meet the tolerance; see HEFT_STEP_SOLVED. Plus one if a deadline left out
                ///< impacts, one if forces of actuators exceed their limits, and one for each
                ///< island whose restitution a deadline made smaller than the energy requires
  double moved_work;  ///< done during the step by moved bodies and conveyors, through contacts and
                      ///< equalities [J]
  int parts;  ///< parts that the substeps were divided into because of fast rotation, or because
              ///< bodies would have passed through each other, all together; equals the number of
              ///< substeps if none was divided
  int restrained;  ///< trees, in all parts, whose kinetic energy was corrected by more than 0.1 %
                   ///< because they turned too fast; see HEFT_STEP_RESTRAINED
  double
      restitution_share;  ///< smallest share of the coefficients of restitution that the energy of
                          ///< an impact allowed, 0 to 1; 1 without impacts
  double impact_gain;     ///< largest energy that the impulses on an island added in a round of
                          ///< impacts, at the mean velocity; rounding, and 0 without impacts [J]
  int impacts;           ///< contact points and joint limits that bounced, in all rounds of impacts
  double limit_work;     ///< done by limits of joints and tendons [J]
  double loop_work;      ///< done by equalities [J]
  double friction_work;  ///< done by dry friction of joints and tendons [J]
  double correction_work;  ///< done by corrections of positions, which lift what has sunk in [J]
  double scheme_work;  ///< done by weight, springs and inertia of trees in contact, because their
                       ///< positions move by the velocity of the end of the step: the damping
                       ///< of the scheme of first order [J]
  double impulse_energy;  ///< kinetic energy that the impulses of all constraints add to the motion
                          ///< without them; <= 0 without restitution and with the exact model.
                          ///< Not a part of the ledger [J]
  int trials;          ///< contact states of feet that the models foot_exact and foot_onestep tried
  double soft_energy;  ///< that soft contact points and areas of contact store after the step, at
                       ///< the depth that they reach by their velocities; not a part of potential
                       ///< [J]
  HeftStepError error[HEFT_QUANTITY_COUNT];  ///< by HeftStepQuantity: what the status judges
  int unequal;     ///< solutions of islands, in all rounds and substeps, that are not of equal
                   ///< compliance: their forces are one choice of many if contacts are redundant,
                   ///< and so is their motion if such contacts slip (docs/theory/contact.md)
  int not_unique;  ///< solutions of islands, in all rounds and substeps, for which another motion
                   ///< was found that obeys the law as well
  int tries;  ///< solutions of parts that were dropped, because bodies would have passed through each
              ///< other in them
  int cut;    ///< 1: the deadline of the step ended a search for impulses or left out a part of the
              ///< step; 0: it has the bits of a step without a deadline, or had none
} HeftStepReport;

/// The quantity that decides the status of a step: among those with this status, the one that is
/// farthest above its bound. HEFT_QUANTITY_COUNT: none, the step is solved or was not judged by a
/// bound.
HEFT_API HeftStepQuantity heft_step_report_worst(const HeftStepReport* report);
/// Writes how a step ended as a sentence, with the error that decides, its bound and the names of
/// its place: at most size - 1 characters, 300 suffice. model may be NULL: numbers, no names.
/// Returns text.
/// [out] text[size]
HEFT_API const char* heft_step_report_text(const HeftStepReport* report, const HeftModel* model,
                                           char* text, size_t size);

/// Summary of the steps of a run. Begins as {0}.
typedef struct HeftStepTally {
  long steps;                                ///< steps, taken or rolled back
  long inexact;                              ///< steps with HeftStepReport::inexact > 0
  long dropping;                             ///< steps that dropped contact points
  long dropped;                              ///< contact points that they dropped
  long rolled_back;                          ///< steps that were rolled back
  double worst;                              ///< largest relative residual of an inexact step
  double worst_time;                         ///< time after that step [s]
  long restrained;                           ///< steps with HeftStepReport::restrained > 0
  long status[HEFT_STEP_STATUS_COUNT];       ///< steps by HeftStepStatus
  HeftStepError error[HEFT_QUANTITY_COUNT];  ///< by HeftStepQuantity: the one farthest above its
                                             ///< bound; value 0: none was
  double error_time[HEFT_QUANTITY_COUNT];    ///< time after that step [s]
} HeftStepTally;

/// Counts a step.
/// [in,out] tally
HEFT_API void heft_step_tally_add(HeftStepTally* tally, const HeftStepReport* report);
/// Writes a tally as a sentence: how many steps had each status, the worst error of each with its
/// place, and what to do. At most size - 1 characters, 2000 suffice. model may be NULL: numbers
/// instead of names. Returns text.
/// [out] text[size]
HEFT_API const char* heft_step_tally_text(const HeftStepTally* tally, const HeftModel* model,
                                          char* text, size_t size);

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

// ---- inputs of the coming step

/// External joint forces [N, N m], to be written. They stay until they are changed.
/// [return] forces[nv]
HEFT_API double* heft_world_joint_forces(HeftWorld* world);
/// Controls of the actuators, each in the unit that its gain expects, to be written. They stay
/// until they are changed. If one is not finite, the step is rolled back.
/// [return] controls[nactuator]
HEFT_API double* heft_world_controls(HeftWorld* world);
/// Force of an actuator along its transmission, mean over the last step [N, N m]; 0 before the
/// first.
HEFT_API double heft_world_actuator_force(const HeftWorld* world, int actuator);
/// Applies a force [N] at a point of the world frame and a torque [N m] to a body, during the next
/// step only.
HEFT_API void heft_world_apply_wrench(HeftWorld* world, int body, HeftVec3 point, HeftVec3 force,
                                      HeftVec3 torque);

// ---- moved bodies and conveyors
//
// The program prescribes the motion of moved bodies (HeftBodyDef::moved, <body mocap="true"> in
// MJCF): no force has an effect on them. Contacts and equalities feel their places and velocities:
// a body that rests on one is carried without creep, one that is pushed moves with the pusher.
// A free body whose contact with a turning platform holds arrives where the platform carries it.
// HeftState has their poses and velocities: heft_world_set_state() places them at once, which
// contacts do not feel as a motion. access.h has functions that move them by name.

/// Command of the program to a moved body, in the world.
typedef struct HeftMovedCommand {
  double velocity[6];  ///< from the next step on: angular, and linear of its origin [rad/s, m/s]
  double target[7];  ///< if arrives: pose at the end of the next step, position [m] and quaternion
  double arrives;    ///< 1: it moves to the target during the next step, by a constant velocity;
                     ///< then the command becomes zero, so that it rests. 0: velocity applies [1]
} HeftMovedCommand;

/// Motion that the program prescribes, to be written. It stays until it is changed and is part of
/// snapshots. If a number is not finite, the step is rolled back.
typedef struct HeftPrescribedMotion {
  HeftMovedCommand* body;  ///< moved bodies (nmoved); HeftModel::body_moved has their numbers
  double* conveyor;  ///< conveyors (nconveyor x 6): velocity of the surface in the frame of the
                     ///< shape, linear and angular about its origin [m/s, rad/s]. Contacts feel
                     ///< its part along the surface. HeftModel::shape_conveyor has their numbers
} HeftPrescribedMotion;

/// Where a program writes the motion that it prescribes. Arrays of the world, valid as long as it.
HEFT_API HeftPrescribedMotion heft_world_prescribed_motion(HeftWorld* world);

enum { HEFT_COUPLING_MAX = 16 };  ///< most couplings of a step

/// A damped spring between a frame of a body and a target frame in the world. It is integrated
/// implicitly, together with contact, so any stiffness is stable.
typedef struct HeftCoupling {
  int body;                     ///< body 0 and bodies welded to it: the force is computed, nothing
                                ///< moves
  HeftPose at;                  ///< the frame, in the body's frame
  HeftPose target;              ///< target of the frame at the end of the step, in the world
  HeftSpatial velocity;         ///< of the target: angular and linear [rad/s, m/s]
  double stiffness, damping;    ///< [N/m, N s/m], >= 0
  double rotational_stiffness;  ///< [N m/rad], >= 0; if rotational_damping is 0 too, the body turns
                                ///< freely
  double rotational_damping;    ///< [N m s/rad], >= 0
  double force_max, torque_max;  ///< limits of the springs [N, N m]; 0: none
} HeftCoupling;

/// The hand of a user, of a device or of the mouse, for controllers that react to users.
typedef struct HeftHand {
  HeftVec3 pos;      ///< position [m]
  int present;       ///< 0: there is no user
  int body;          ///< in contact or grasped, -1: none
  HeftVec3 point;    ///< point of contact, in the world [m]
  HeftVec3 force;    ///< of the user on the body, in the last step [N]
  HeftVec3 torque;   ///< the same at point, from a grasp with a rotational stiffness [N m]
  unsigned buttons;  ///< bit per button of the device; the mouse holds with the first
} HeftHand;

/// Couples a body during the next step only. Returns the index of the coupling in that step.
/// Returns
/// -1 if there are HEFT_COUPLING_MAX already, the body does not exist, a number is not finite, or a
/// stiffness, damping or limit is negative.
HEFT_API int heft_world_add_coupling(HeftWorld* world, const HeftCoupling* coupling);
/// Torque and force of a coupling of the last step on its body, mean over the step, at its frame;
/// zero if there was no such coupling.
HEFT_API HeftSpatial heft_world_coupling_wrench(const HeftWorld* world, int coupling);

/// Makes room for at least so many contact points in a step, and for as many pairs of shapes as the
/// last step had. To be called between two steps, for example if one ends with
/// HEFT_STEP_CONTACTS_DROPPED: twice contact_count + contact_dropped of its report is a good
/// number. Allocates, so it does not belong into a control loop. State, controls and the impulses
/// that the next step starts from stay as they are: it has the bits of a world that was created
/// with this capacity. The contacts of the last step are forgotten. Never reduces room.
/// HEFT_ERR_MEMORY, HEFT_ERR_VALUE (too many): nothing changes. error may be NULL.
HEFT_API HeftStatus heft_world_reserve_contacts(HeftWorld* world, int contact_points,
                                                HeftError* error);

/// The contact model in use; never FROM_FILE.
HEFT_API HeftContactModel heft_world_contact_model(const HeftWorld* world);
HEFT_API HeftContactOptions heft_world_contact_options(const HeftWorld* world);
/// Sets contact model and options (options may be NULL: the present ones) from the next step on.
/// Allocates, so it does not belong into a control loop. On failure nothing changes. error may be
/// NULL.
/// [in] options
HEFT_API HeftStatus heft_world_set_contact_model(HeftWorld* world, HeftContactModel model,
                                                 const HeftContactOptions* options,
                                                 HeftError* error);

// ---- parameters of one world
//
// A model is const and shared. These functions change numbers of one world, not of the model or
// other worlds. Materials, pairs, bodies and actuators are indices of the model
// (heft_model_find()). The first change of a kind allocates from the def's allocator; later ones do
// not, but masses always do. On failure nothing is changed. error may be NULL. A snapshot can be
// restored only into a world with the same parameters (HEFT_ERR_VERSION otherwise).

/// Gravity [m/s²].
HEFT_API HeftStatus heft_world_set_gravity(HeftWorld* world, HeftVec3 gravity, HeftError* error);
HEFT_API HeftVec3 heft_world_gravity(const HeftWorld* world);

/// The laws of a contact material.
typedef struct HeftMaterial {
  double friction;     ///< static Coulomb coefficient, >= 0
  double kinetic;      ///< kinetic Coulomb coefficient, 0 to friction
  double torsion;      ///< torsional friction: coefficient times radius [m], >= 0
  double rolling;      ///< rolling friction: coefficient times radius [m], >= 0
  double restitution;  ///< share of the normal speed after an impact, 0 to 1
} HeftMaterial;

/// A material of the model, for all shapes and pairs that use it.
HEFT_API HeftStatus heft_world_set_material(HeftWorld* world, int material,
                                            const HeftMaterial* value, HeftError* error);
HEFT_API HeftMaterial heft_world_material(const HeftWorld* world, int material);
/// The material of only one contact pair of the model.
HEFT_API HeftStatus heft_world_set_pair_material(HeftWorld* world, int pair,
                                                 const HeftMaterial* value, HeftError* error);
HEFT_API HeftMaterial heft_world_pair_material(const HeftWorld* world, int pair);
/// The material of only one shape of the model. Later changes of the material that it had in the
/// model do not reach it.
HEFT_API HeftStatus heft_world_set_shape_material(HeftWorld* world, int shape,
                                                  const HeftMaterial* value, HeftError* error);
HEFT_API HeftMaterial heft_world_shape_material(const HeftWorld* world, int shape);

/// Multiplies mass and inertia of a body of the model by two factors above 0; 1 restores the
/// model's. The centre of mass of the body stays.
HEFT_API HeftStatus heft_world_set_mass_factors(HeftWorld* world, int body, double mass,
                                                double inertia, HeftError* error);
/// Mass of a body in this world [kg].
HEFT_API double heft_world_body_mass(const HeftWorld* world, int body);

/// Gains of an actuator: force = (gain + gain_rate · (length, velocity)) input + bias · (1, length,
/// velocity), as the arrays actuator_gain, actuator_gain_rate and actuator_bias of the model.
typedef struct HeftActuatorGains {
  double gain;          ///< of the input, in the unit of the actuator
  double gain_rate[2];  ///< of the input times length and velocity, in its unit
  double bias[3];       ///< constant, of length and of velocity, in its unit
} HeftActuatorGains;

/// Sets and gets the gains of an actuator in this world. HEFT_ERR_VALUE: a gain is not finite.
/// [in] gains
HEFT_API HeftStatus heft_world_set_actuator_gains(HeftWorld* world, int actuator,
                                                  const HeftActuatorGains* gains, HeftError* error);
HEFT_API HeftActuatorGains heft_world_actuator_gains(const HeftWorld* world, int actuator);

/// Seed of the noise of sensors, instead of the def's. A snapshot does not hold it.
HEFT_API void heft_world_set_seed(HeftWorld* world, uint64_t seed);

// ---- callbacks and data of the user

/// Called before each substep, from the thread that steps; substep counts from 0. It may write
/// controls and joint forces. Wrenches and couplings last for the whole step: apply them if substep
/// is 0. It must not step, reset or restore the world.
typedef void HeftControlCallback(void* user, HeftWorld* world, int substep);
/// callback NULL: none. user is handed to it and not owned.
HEFT_API void heft_world_set_control_callback(HeftWorld* world, HeftControlCallback* callback,
                                              void* user);
/// Leaves out the contact points for which the filter returns false, from the next step on. filter
/// NULL: none is left out. If the answers of a filter change, set it again: sleeping islands are
/// then solved anew.
HEFT_API void heft_world_set_contact_filter(HeftWorld* world, HeftContactFilter* filter,
                                            void* user);
/// A pointer of the user for each body and shape, NULL at first. The world stores it and does
/// nothing with it.
HEFT_API void heft_world_set_body_data(HeftWorld* world, int body, void* data);
HEFT_API void* heft_world_body_data(const HeftWorld* world, int body);
HEFT_API void heft_world_set_shape_data(HeftWorld* world, int shape, void* data);
HEFT_API void* heft_world_shape_data(const HeftWorld* world, int shape);

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
  const double* scheme_force;  ///< nv: joint forces of the scheme itself: of geometric stiffness,
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

// ---- margins

// How far bodies in contact are from slipping, tipping or lifting off, from the contacts, limits
// and loops of the last step. All forces that explain its motion and obey Coulomb's law are
// considered, not only the forces of the step: a stance has a margin, its contact points do not
// (docs/theory/margins.md).
//
// Springs and position servos hold their joints, servos within their force limits. They sag under a
// load, and a stance that has moved holds less; the sag is found by one linear solution, so that
// margins of very soft robots are too large.

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
  double tip;    ///< the same with endless friction, >= load [1]
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
