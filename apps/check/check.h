// SPDX-License-Identifier: Apache-2.0
// heft-check: recomputes steps of Heft from their evidence. No line of Heft's libraries is used;
// docs/manual/how-to-check.md has the file format and the meaning of each printed error.
//
// A step of length h from (q, v) to (q⁺, v⁺) is a solution of Moreau's scheme if there is θ, the
// same for all dofs of a tree, with
//
//     q_m = q ⊕ h (1 - θ) v                                                        middle
//     M(q_m) (v_s - v) / h + b(q_m, v_b) = τ + Jᵀ f                                balance
//     each (f, u = J v_s) obeys the law of its row                                 law
//     q⁺ = q_m ⊕ ... = q ⊕ h (v_p + v_c)                                           move
//
// where v_p lies between v and v_s, v_c corrects depths, and v⁺ is v_s up to what keeps momentum.
// The file gives q_m, v_s, v_b, v_p, v_c and the forces f; all else is computed here, by other
// formulas than Heft's: Newton-Euler body by body in world axes, support functions for geometry.
//
// Errors are backward errors: by how much the data of the problem (masses, forces, friction, gaps)
// must differ for the step to be exact. For a sum of terms that should be zero this is
// |Σ t| / Σ |t| (Oettli and Prager 1964): then each term needs a change by that share at most.
// Rounding here is estimated as ROUNDING times the sum of the sizes, without a proof; the errors of
// balance and law contain it.
#ifndef HEFT_CHECK_H
#define HEFT_CHECK_H

#include <stdio.h>

#include "vec.h"

#ifndef PART  // of the memory, for small processors: 45 MB / PART
#define PART 1
#endif
enum {
  BODIES = 4096 / PART,
  JOINTS = 4096 / PART,
  DOFS = 8192 / PART,
  NUMBERED = DOFS + 8,  // room for a joint at the end, so that no index of a dof passes it
  SHAPES = 8192 / PART,
  PAIRS = 8192 / PART,
  EQUALITIES = DOFS,  // so that the index of a row is in range, whatever its kind
  ACTUATORS = 2048 / PART,
  VERTICES = (1 << 19) / PART,
  CONTACTS = 16384 / PART,
  ROWS = 16384 / PART,
  NUMBERS = (1 << 21) / PART,
  MANY = 1 << 30
};
#define TOUCHING 3e-6   // bodies that meet within a step may press from this distance on [m]
#define LASTING 1e-4    // contact that closes more slowly is no impact [m/s]
#define ROUNDING 1e-14  // 45 units in the last place

// ---- the model (model.c)

enum { HINGE, SLIDE, BALL, FREE };
enum { PLANE, SPHERE, CAPSULE, CYLINDER, ELLIPSOID, BOX, MESH, HEIGHTS };
enum { CONNECT, WELD, JOINT_EQUALITY, TENDON_EQUALITY };

// A record of the file is some integers and then numbers; each struct has its numbers side by side,
// in the order of the file.

typedef struct Body {
  int parent, joint, joint_end, dof, dof_end;  // its joints and dofs: first <= i < end
  int link, root;  // body with joints that carries it, first link of its tree; 0: world
  struct {
    Vec pos;
    double quat[4], mass;
    Vec com;
    double inertia[6], weight;  // xx yy zz xy xz yz about com; share of gravity
  };
  Mat r;  // of quat
} Body;
typedef struct Joint {
  int type, body, q, dof;  // all others are sequences of these
  struct {
    Vec pos, axis;
  };
} Joint;
typedef struct Dof {
  int limited, force_limited, joint, q;  // q: its coordinate, -1 for rotations of ball, free joints
  struct {
    double damping, stiffness, friction, armature, range[2], restitution, force[2];
  };
} Dof;
typedef struct Law {
  double friction, kinetic, torsion, rolling, restitution, friction2;
  int dim, special;  // soft, of area, or friction that depends on speed: its law is not checked
} Law;
typedef struct Shape {
  int type, body, priority, category, collides, vertex, vertex_end;
  Law law;
  struct {
    Vec pos;
    double quat[4];
    Vec size;
  };
  Mat r;        // of quat
  double ball;  // radius about its origin; infinite for planes
} Shape;
typedef struct Pair {
  int shape[2];
  Law law;
} Pair;
typedef struct Equality {
  int type, objects, object[2], active;  // objects: 1 or 2; bodies, or dofs
  struct {
    Vec anchor[2];
    double quat[4], poly[5];
  };
} Equality;
typedef struct Actuator {
  int dof, activation, act, control_limited, force_limited, act_limited, early;
  struct {
    double gear[6], time, gain, rate[2], bias[3], control[2], force[2], range[2];
  };
} Actuator;
typedef struct Model {
  struct {
    int nbody, njoint, nq, nv, nshape, npair, nexclude, nequality, nactuator, nact, nvertex;
    int tendons, deformables, moved, conveyors, fluid, substeps, moreau, exact;
  };
  struct {
    Vec gravity;
    double h, theta, tolerance;
  };
  Body body[BODIES];
  Joint joint[JOINTS];
  Dof dof[NUMBERED];
  double q_default[NUMBERED], q_spring[NUMBERED];
  Shape shape[SHAPES];
  Pair pair[PAIRS];
  int exclude[PAIRS][2];
  Equality equality[EQUALITIES];
  Actuator actuator[ACTUATORS];
  Vec vertex[VERTICES];
} Model;
extern Model model;

/// Numbers of a message, and how many were taken; wrong: 1 once one was missing or out of range.
typedef struct Numbers {
  const double* all;
  long count, at;
  int wrong;
} Numbers;
int take_int(Numbers* from, int low, int high);
void take_ints(Numbers* from, void* to, int count, const int* most);  // to: integers side by side
void fill(Numbers* from, void* to, int count);                        // to: numbers side by side
long wrong_number(const Numbers* from);  // its place from 1 on; 0: all are well
extern const int joint_q[FREE + 1], joint_dofs[FREE + 1];
int body_of(int dof);
int root_of(int dof);  // of its tree
/// Reads the model. 0: it is well; otherwise the place of the number that is wrong.
long model_read(const double* numbers, long count);
/// Law of two shapes, own rules: an explicit pair, else the higher priority, else the larger
/// numbers. Returns 0 if the two do not collide.
int model_pair(int a, int b, Law* law);

// ---- motion (motion.c)

typedef struct Twist {
  Vec w, v;  // of the body's origin
} Twist;
typedef struct Frames {
  Pose body[BODIES];
  Vec axis[NUMBERED], through[NUMBERED];  // directions of dofs, and a point of rotations
} Frames;

void frames_find(Frames* out, const double* q);
void twists_find(const Frames* f, const double* v, Twist* out);
Vec point_velocity(const Frames* f, const Twist* t, int body, Vec point);
int dof_turns(int dof);
Vec dof_moves(const Frames* f, int dof, Vec point);  // velocity of a point at unit speed
Vec spin_of(const Frames* f, int body, Vec w);       // its inertia times w
/// from ⊕ h v; and v with from ⊕ v = to.
void advance(const double* from, const double* v, double h, double* to);
void difference(const double* from, const double* to, double* v);
/// Forces that act on bodies, to be cleared by wrench_clear().
void wrench_clear(void);
void wrench_add(const Frames* f, int body, Vec point, Vec force, Vec torque);
/// Joint forces that the motion needs beside the wrenches, the sum of the sizes of their terms, and
/// the rounding of moments that were added about the root of the tree.
void forces_needed(const Frames* f, const double* v, const double* a, double* need, double* size,
                   double* rounding);
/// Diagonal of the mass matrix.
void inertias_find(const Frames* f, double* out);
/// The largest (J_i)² / M_ii of a body's point: at most the mean mobility J M⁻¹ Jᵀ there, by
/// Cauchy's inequality, so that it serves as weight of impulses without solving anything.
double mobility(const Frames* f, const double* inertia, int body, Vec point);

// ---- geometry (geometry.c)

typedef struct Apart {
  double distance;  // largest separation that was found; negative: overlap
  Vec normal;       // from a to b
  int exact;        // 1: there is no larger one. 0: the shapes are at least so far apart
} Apart;
Pose shape_pose(const Frames* f, int shape);
/// The point of a shape that is farthest along n, in its own axes. *known = 0: there is none.
Vec farthest(const Shape* s, Vec n, int* known);
double separation(const Frames* f, int a, int b, Vec normal);
/// hint: a direction to try first, or zero if any plane between them is enough.
Apart apart(const Frames* f, int a, int b, Vec hint);
/// Signed distance of a point; NAN where it is not known: ellipsoids, meshes, height fields.
double surface(const Frames* f, int shape, Vec point);

// ---- steps (step.c)

/// Errors: X(name, bound, unit, meaning).
#define ERROR_LIST(X)                                                                     \
  X(CHAIN, 0, "1", "the step begins where the last one ended, in all numbers")            \
  X(TIME, 1e-9, "1", "time advances by h, activations by their law")                      \
  X(MIDDLE, 1e-9, "m, rad", "q_m from q by (1 - theta) h v")                              \
  X(BALANCE, 1e-9, "1", "masses, forces: mass x acceleration against all forces")         \
  X(MEAN, 1e-6, "1", "positions move by velocities between those before and after")       \
  X(MOVE, 1e-9, "m, rad", "positions at the end, from the velocities")                    \
  X(CORRECTED, 1e-7, "m, rad", "correction of positions, beyond the errors at the start") \
  X(MOMENTUM, 1e-9, "1", "linear and angular momentum of bodies in flight")               \
  X(KEPT, 1e-9, "m/s", "velocities after the step against those of the impulses")         \
  X(FRICTION, 1e-6, "1", "coefficients of friction; forces beyond their cones")           \
  X(LAW, 1e-5, "1", "law of contact points, over the velocities of the step")             \
  X(GAP, 1e-8, "m", "gaps, against the distance of the shapes")                           \
  X(PLACE, 1e-8, "m", "places of contact points, off the surfaces")                       \
  X(NORMAL, 1e-8, "m", "directions: a plane that separates the shapes by more")           \
  X(ROOM, 1e-9, "m", "distance left between shapes that press")                           \
  X(DEEP, 1e-8, "m", "overlap that the step added, beyond what its turning explains")     \
  X(ROW, 1e-5, "1", "law of limits, dry friction, equalities, over velocities")           \
  X(RANGE, 1e-7, "m, rad", "joints beyond their ranges, more than before")                \
  X(LOOP, 1e-6, "m, rad", "equalities open, more than before")
#define ERROR_NAME(name, bound, unit, text) name,
enum { ERROR_LIST(ERROR_NAME) ERRORS };
#undef ERROR_NAME

/// Parts of a step that were not checked: X(name, text).
#define LEFT_LIST(X)                                                                  \
  X(DIVIDED, "steps in several parts: only their ends")                               \
  X(DRIVES, "steps with tendons, fluid, moved bodies, deformables: forces, momentum") \
  X(ACTUATED, "dofs with actuators on other things than joints: no balance")          \
  X(SWEPT, "contact points of bodies that meet within a step: places")                \
  X(BLOCKED, "contact points of steps with rows of blocked motion: gaps, places")     \
  X(BOUNCED, "contact points with restitution: speed and slip after the impact")      \
  X(SPECIAL, "contact points that are soft, of area, or with a slip law: law")        \
  X(CURVED, "pairs of meshes, cylinders, ellipsoids, fields: overlap not excluded")   \
  X(UNPLACED, "contact points on such shapes: place on the surface")                  \
  X(TORQUES, "contact points with spinning or rolling friction: only its bound")      \
  X(FLIGHT, "groups in flight under applied forces: momentum")                        \
  X(UNSOLVED, "steps that Heft does not call solved")
#define LEFT_NAME(name, text) name,
enum { LEFT_LIST(LEFT_NAME) LEFT };
#undef LEFT_NAME

typedef struct Contact {
  int shape[2], body[2], middle;
  struct {
    Vec pos, normal, tangent, offset, force, torque, turning;
    double gap, time, bias, softness, friction, kinetic, anisotropy;
  };
} Contact;
enum { LIMIT, DRY, EQUAL, TENDON_LIMIT, TENDON_DRY };
typedef struct Row {
  int kind, index, component, middle;
  double force, bias;
} Row;
/// The numbers of a step, and what is computed of them.
typedef struct Step {
  struct {
    int index, status, parts, contacts, rows, restrained, tries;  // tries: with other rows
  };
  int swept;                      // 1: bodies meet within the step
  double before, after, h, lost;  // times; length; time lost
  double q[NUMBERED], v[NUMBERED], act[ACTUATORS], control[ACTUATORS], joint_force[NUMBERED];
  double q_middle[NUMBERED], v_solved[NUMBERED], v_mean[NUMBERED], v_correction[NUMBERED];
  double v_bias[NUMBERED], scheme_force[NUMBERED];
  double q_end[NUMBERED], v_end[NUMBERED], act_end[ACTUATORS];
  Contact contact[CONTACTS];
  Row row[ROWS];
  Frames start, middle, end;
  Twist twist[BODIES], twist_start[BODIES];  // at v_solved in the middle, at v at the start
  Twist twist_correction[BODIES];            // at v_correction in the middle
  double inertia[NUMBERED];                  // diagonal of M(q_m)
  double share[BODIES];                      // of the step before an impact, by tree; -1: unknown
  double depth;                              // largest error of positions at the start [m, rad]
  int unseen;                                // 1: shapes touch whose overlap is not known
  double deepest;                            // largest overlap at the start [m]
  double speed;                              // largest velocity of contact points and rows [m/s]
  double push;                               // largest that the force of a contact point adds [m/s]
} Step;

typedef struct Result {
  long index;
  int status;            // of Heft: 0 is solved
  double error[ERRORS];  // largest
  int at[ERRORS];        // dof, contact, shape or row of it
  long left[LEFT];
  int refused;  // bits: 1 << error
  long wrong;   // the message is not a step: place of the number from 1 on; 0: it is
} Result;
extern const double bounds[ERRORS];
void step_check(const double* numbers, long count, Result* out);
int is_refused(const Result* r);
/// Enters an error. It is refused if it is larger than its bound plus what is explained.
void enter(Result* r, int error, double value, double explained, int at);
/// Laws of contact points and rows, ranges, loops (law.c).
void law_scale(Step* s);
void law_contacts(const Step* s, Result* out);
void law_rows(Step* s, Result* out, int ends_only);
/// Applies forces of contact points and equalities as wrenches at q_m; forces of rows on dofs are
/// added to force, their sizes to size.
void law_forces(const Step* s, double* force, double* size);
/// Momentum of bodies in flight, and velocities at the end (flight.c).
void flight_check(const Step* s, Result* out);
/// Places, normals, gaps, and overlaps at the end (touch.c).
void touch_check(Step* s, Result* out, int ends_only);

// ---- the file (file.c)

typedef struct File {
  FILE* from;
  int begun;
  unsigned long channel[2];  // of the model and of steps, plus 1; 0: not known yet
} File;
/// The next message: 1 of the model, 2 of a step, 0 at the end, -1 damaged (*what).
int file_next(File* file, const double** numbers, long* count, const char** what);

#endif
