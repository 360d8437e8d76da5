// SPDX-License-Identifier: Apache-2.0
// A plan: many runs of one model that differ in some numbers, and what to keep of them. It is read
// from a TOML file (docs/manual/sweep.md) and knows nothing of the model yet; subject.h connects
// the two.
#ifndef HEFT_APPS_SWEEP_PLAN_H
#define HEFT_APPS_SWEEP_PLAN_H

#include <heft/base.h>

#include "sweep/csv.h"
#include "sweep/toml.h"

enum {
  PLAN_VARY_MAX = 64,
  PLAN_PUSH_MAX = 32,
  PLAN_MEASURE_MAX = 64,
  PLAN_EVENT_MAX = 32,
  PLAN_LOG_MAX = 1000,
  PLAN_LOAD_MAX = 64
};
#define PLAN_RUNS_MAX 1e12

/// Quantities that runs can vary: X(name, text, kind of object, unit, meaning).
#define PLAN_QUANTITY_LIST(X)                                                                   \
  X(QUANTITY_GRAVITY_X, "gravity_x", OF_NOTHING, "m/s2", "gravity along x")                     \
  X(QUANTITY_GRAVITY_Y, "gravity_y", OF_NOTHING, "m/s2", "gravity along y")                     \
  X(QUANTITY_GRAVITY_Z, "gravity_z", OF_NOTHING, "m/s2", "gravity along z, negative: down")     \
  X(QUANTITY_FRICTION, "friction", OF_SHAPE, "", "friction coefficient of a geom")              \
  X(QUANTITY_TORSION, "torsion", OF_SHAPE, "m", "torsional friction of a geom")                 \
  X(QUANTITY_ROLLING, "rolling", OF_SHAPE, "m", "rolling friction of a geom")                   \
  X(QUANTITY_RESTITUTION, "restitution", OF_SHAPE, "", "coefficient of restitution of a geom")  \
  X(QUANTITY_MASS, "mass", OF_BODY, "kg", "mass of a body; its inertia follows")                \
  X(QUANTITY_MASS_FACTOR, "mass_factor", OF_BODY, "", "factor of mass and inertia of a body")   \
  X(QUANTITY_GAIN_FACTOR, "gain_factor", OF_ACTUATOR, "", "factor of the gains of an actuator") \
  X(QUANTITY_Q, "q", OF_JOINT, "m, rad", "initial coordinate of a joint")                       \
  X(QUANTITY_Q_OFFSET, "q_offset", OF_JOINT, "m, rad", "added to an initial coordinate")        \
  X(QUANTITY_V, "v", OF_JOINT, "m/s, rad/s", "initial velocity of a joint")                     \
  X(QUANTITY_V_OFFSET, "v_offset", OF_JOINT, "m/s, rad/s", "added to an initial velocity")      \
  X(QUANTITY_KEY, "key", OF_NOTHING, "", "initial keyframe, by name")                           \
  X(QUANTITY_CONTROL, "control", OF_ACTUATOR, "", "constant control of an actuator")            \
  X(QUANTITY_CONTROL_OFFSET, "control_offset", OF_ACTUATOR, "", "added to a control")           \
  X(QUANTITY_PUSH_FORCE, "push_force", OF_PUSH, "N", "force of a push")                         \
  X(QUANTITY_PUSH_HEADING, "push_heading", OF_PUSH, "rad", "direction of a push about z")       \
  X(QUANTITY_PUSH_TIME, "push_time", OF_PUSH, "s", "start of a push")                           \
  X(QUANTITY_PUSH_DURATION, "push_duration", OF_PUSH, "s", "length of a push")                  \
  X(QUANTITY_IMPACT_SCATTER, "impact_scatter", OF_BODY, "", "random part of impacts of a body") \
  X(QUANTITY_OPTION, "option", OF_OPTION, "", "option of the plug-in")                          \
  X(QUANTITY_TIME_STEP, "time_step", OF_NOTHING, "s", "length of a step")

/// Quantities that measures and events read after each step.
#define PLAN_SIGNAL_LIST(X)                                                                 \
  X(SIGNAL_BODY_X, "body_x", OF_BODY, "m", "x of the origin of a body")                     \
  X(SIGNAL_BODY_Y, "body_y", OF_BODY, "m", "y of the origin of a body")                     \
  X(SIGNAL_BODY_Z, "body_z", OF_BODY, "m", "z of the origin of a body")                     \
  X(SIGNAL_BODY_UP, "body_up", OF_BODY, "", "z of the third axis of a body; 1: upright")    \
  X(SIGNAL_BODY_SPEED, "body_speed", OF_BODY, "m/s", "speed of the origin of a body")       \
  X(SIGNAL_CONTACT_FORCE, "contact_force", OF_BODY, "N", "normal contact forces on a body") \
  X(SIGNAL_Q, "q", OF_JOINT, "m, rad", "coordinate of a joint")                             \
  X(SIGNAL_V, "v", OF_JOINT, "m/s, rad/s", "velocity of a joint")                           \
  X(SIGNAL_SENSOR, "sensor", OF_SENSOR, "", "value of a sensor")                            \
  X(SIGNAL_CONTROL, "control", OF_ACTUATOR, "", "control of an actuator")                   \
  X(SIGNAL_ACTUATOR_FORCE, "actuator_force", OF_ACTUATOR, "N, N m", "force of an actuator") \
  X(SIGNAL_KINETIC, "kinetic", OF_NOTHING, "J", "kinetic energy")                           \
  X(SIGNAL_POTENTIAL, "potential", OF_NOTHING, "J", "potential energy")                     \
  X(SIGNAL_CONTACTS, "contacts", OF_NOTHING, "", "number of contact points")                \
  X(SIGNAL_PENETRATION, "penetration", OF_NOTHING, "m", "deepest contact point")            \
  X(SIGNAL_RESIDUAL, "residual", OF_NOTHING, "m/s", "largest error of contact, certified")

/// The value that a measure keeps of a signal: X(name, text).
#define PLAN_KEEP_LIST(X) \
  X(KEEP_MIN, "min")      \
  X(KEEP_MAX, "max")      \
  X(KEEP_MEAN, "mean")    \
  X(KEEP_RMS, "rms")      \
  X(KEEP_FINAL, "final")

/// When an event happens: X(name, text, meaning).
#define PLAN_WHEN_LIST(X)                                                         \
  X(WHEN_BELOW, "below", "a signal is below a value")                             \
  X(WHEN_ABOVE, "above", "a signal is above a value")                             \
  X(WHEN_TOUCHES, "touches", "a body touches any body, or the one named 'other'") \
  X(WHEN_AT_LIMIT, "at_limit", "a joint pushes against its limit")

/// How a variation chooses its values: X(name, text, meaning).
#define PLAN_SHAPE_LIST(X)                                                \
  X(SHAPE_GRID, "grid", "listed values, or count values from min to max") \
  X(SHAPE_UNIFORM, "uniform", "any value from min to max alike")          \
  X(SHAPE_LOG, "log", "the logarithm is uniform from min to max")         \
  X(SHAPE_NORMAL, "normal", "normal with mean and deviation")             \
  X(SHAPE_COLUMN, "column", "a column of the list")

/// How random variations of all runs are drawn together: X(name, text, meaning).
#define PLAN_METHOD_LIST(X)                                                          \
  X(METHOD_RANDOM, "random", "each run on its own")                                  \
  X(METHOD_LATIN, "latin", "Latin hypercube: each variation fills its range evenly") \
  X(METHOD_SOBOL, "sobol", "Sobol sequence: all variations together fill the space")

#define PLAN_ENUM(name, ...) name,
typedef enum PlanOf {
  OF_NOTHING,
  OF_SHAPE,
  OF_BODY,
  OF_JOINT,
  OF_ACTUATOR,
  OF_SENSOR,
  OF_PUSH,
  OF_OPTION
} PlanOf;
typedef enum PlanQuantity { PLAN_QUANTITY_LIST(PLAN_ENUM) QUANTITY_COUNT } PlanQuantity;
typedef enum PlanSignal { PLAN_SIGNAL_LIST(PLAN_ENUM) SIGNAL_COUNT } PlanSignal;
typedef enum PlanKeep { PLAN_KEEP_LIST(PLAN_ENUM) KEEP_COUNT } PlanKeep;
typedef enum PlanWhen { PLAN_WHEN_LIST(PLAN_ENUM) WHEN_COUNT } PlanWhen;
typedef enum PlanShape { PLAN_SHAPE_LIST(PLAN_ENUM) SHAPE_COUNT } PlanShape;
typedef enum PlanMethod { PLAN_METHOD_LIST(PLAN_ENUM) METHOD_COUNT } PlanMethod;
#undef PLAN_ENUM

/// A row of the lists above.
typedef struct PlanRow {
  const char* text;
  PlanOf of;
  const char *unit, *meaning;
} PlanRow;
PlanRow plan_quantity(PlanQuantity quantity);
PlanRow plan_signal(PlanSignal signal);
const char* plan_keep_name(PlanKeep keep);
const char* plan_when_name(PlanWhen when);

typedef struct PlanVary {
  const char* name;  ///< of the column
  PlanQuantity what;
  const char* of;           ///< name of the object, or of the first of several, or NULL
  const TomlValue* of_all;  ///< names of several objects, or NULL
  int component;            ///< of a joint
  PlanShape shape;
  double min, max, mean, deviation;  ///< min and max of a normal cut it off; both 0: not
  double low, high;                  ///< shares of a normal below min and below max
  const TomlValue* values;           ///< of a grid: numbers or names; NULL: count from min to max
  int count;                         ///< of a grid
  int column;                        ///< of the list
  int line, column_at;               ///< place in the plan
} PlanVary;

typedef struct PlanPush {
  const char *name, *body;
  double time, duration, force, heading;
  int line, column_at;
} PlanPush;

typedef struct PlanMeasure {
  const char* name;
  PlanSignal what;
  const char* of;
  int component;
  unsigned keep;  ///< bits of PlanKeep
  int line, column_at;
} PlanMeasure;

typedef struct PlanEvent {
  const char* name;
  PlanWhen when;
  PlanSignal what;  ///< below, above
  const char *of, *other;
  int component;
  double value;
  double for_time;  ///< it lasts at least so long [s]
  int end;          ///< 1: the run ends
  int line, column_at;
} PlanEvent;

/// Where controls come from; several may be given and act in this order.
typedef struct PlanControl {
  const char* hold;    ///< keyframe whose controls are used; NULL: the start's
  const char* file;    ///< CSV with a column "time" and columns with names of actuators; or NULL
  const char* plugin;  ///< as `--plugin`; or NULL
  const char* python;  ///< file with a function act(); or NULL
  double period;       ///< of the Python policy [s]; 0: each step
  double stiffness, damping;  ///< joint servos without actuators towards the start [N m/rad, ...]
  Csv table;                  ///< of the file
  int line, column_at;
} PlanControl;

typedef struct Plan {
  Toml toml;
  char path[1024];    ///< of the plan file
  char folder[1024];  ///< files of the plan are looked for here
  int stored;         ///< 1: the folder holds results: files lie there by their last name
  const char *model, *key;
  const char* load[PLAN_LOAD_MAX];  ///< options of loading, as of the command
  int load_count;
  double duration, time_step;  ///< time_step 0: the model's
  uint64_t seed;
  PlanMethod method;
  int64_t runs;      ///< all
  int64_t repeat;    ///< runs of each point of the grid and row of the list
  int64_t chunk;     ///< runs of a chunk
  double tolerance;  ///< of contacts; 0: the default
  int final_state;   ///< 1: keep q and v of the end
  const char* list;  ///< CSV file, or NULL
  Csv list_table;
  PlanVary vary[PLAN_VARY_MAX];
  PlanPush push[PLAN_PUSH_MAX];
  PlanMeasure measure[PLAN_MEASURE_MAX];
  PlanEvent event[PLAN_EVENT_MAX];
  int vary_count, push_count, measure_count, event_count;
  PlanControl control;
  int64_t log[PLAN_LOG_MAX];  ///< runs whose whole logs are kept
  int log_count;
  char sha256[65];  ///< of its meaning, and of the files that it names except the model
} Plan;

/// Reads a plan and the files that it names, except the model. path may name a plan in a folder of
/// results. *out is NULL on failure.
HeftStatus plan_read(Plan** out, const char* path, HeftError* error);
/// plan_read() from bytes; path is for messages, and its folder is where files are looked for.
HeftStatus plan_read_bytes(Plan** out, const char* bytes, size_t size, const char* path, int stored,
                           HeftError* error);
void plan_destroy(Plan* plan);

int64_t plan_chunk_count(const Plan* plan);
/// First run of a chunk and the number of its runs.
int64_t plan_chunk_first(const Plan* plan, int64_t chunk);
int plan_chunk_runs(const Plan* plan, int64_t chunk);
/// Files that the plan names, except the model: path and last name. Returns their number, at most
/// 4.
int plan_files(const Plan* plan, char path[4][2048], const char* name[4]);
/// The file that a plan names.
void plan_file(const Plan* plan, const char* name, char* out, size_t size);
/// Reports an error at a place of the plan.
__attribute__((format(printf, 5, 6))) HeftStatus plan_fail(const Plan* plan, int line, int column,
                                                           HeftError* error, const char* format,
                                                           ...);
#endif
