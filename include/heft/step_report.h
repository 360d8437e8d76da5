// SPDX-License-Identifier: Apache-2.0
/// @file step_report.h
/// Settings of a world, contact models, and the report of a step: its status, its errors with their
/// bounds, and the tally of many steps.
#ifndef HEFT_STEP_REPORT_H
#define HEFT_STEP_REPORT_H

#include <heft/collision.h>
#include <heft/dynamics.h>
#include <heft/model.h>

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

/// Normal force of the contact models `penalty` and `micro_macro`, from the depth d.
typedef enum HeftPenaltyLaw {
  HEFT_PENALTY_LINEAR,         ///< k d + c ḋ; micro_macro: c acts while the point sinks
  HEFT_PENALTY_HUNT_CROSSLEY,  ///< k d^p (1 + c ḋ): continuous at the start of contact
  HEFT_PENALTY_POISSON,  ///< k d while the point sinks, e² k d while it rises: the impulse of
                         ///< restitution is e times that of compression
  HEFT_PENALTY_LAW_COUNT
} HeftPenaltyLaw;

/// Settings of contact models: X(type, name, default, min, max, meaning). If the default is
/// -1, the value is computed from the masses and the time step.
#define HEFT_CONTACT_OPTION_LIST(X)                                                               \
  X(HeftPenaltyLaw, law, HEFT_PENALTY_LINEAR, 0, 2,                                               \
    "penalty, micro_macro: 0 linear, 1 Hunt and Crossley, 2 Poisson")                             \
  X(double, stiffness, -1, -1, 1e15, "penalty, micro_macro: k [N/m, N/m^p]; volume: [N/m^3]")     \
  X(double, damping, -1, -1, 1e15, "penalty, micro_macro: c [N s/m; Hunt: s/m]; volume: [s]")     \
  X(double, exponent, 1.5, 1, 10, "exponent p of Hunt and Crossley")                              \
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

#ifdef __cplusplus
}
#endif
#endif
