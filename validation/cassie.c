// SPDX-License-Identifier: Apache-2.0
// Impacts of a real robot: a Cassie that lands from jumps.
//
// Data: 29 landings (DAIRLab/cassie_impact_dataset, BSD-3; B. Acosta, W. Yang, M. Posa, Validating
// Robotics Simulators on Real-World Impacts, 2022): 100 rows in 50 ms of positions, velocities and
// measured motor torques, from 5 ms before the first foot touches, in the order of that data set's
// description. tools/measurements.py writes them as text. The model is the Cassie of MuJoCo's
// Menagerie in HEFT_ROBOTS, with a floor.
//
// Protocol: a landing starts from its first row, with the measured torques, and is never corrected.
// The state has no rods: their joints and the heel springs, whose velocity was not measured, close
// the loops by least squares. The floor touches the lower foot of the measured row of 5 ms. Errors
// are those of the velocities in the rows after 5 ms (root of the mean square): of the pelvis, of
// its angular velocity, and of the twelve joints with encoders that are not springs. The same of
// the start's velocities, as if nothing happened, shows what there is to predict.
//
// Two numbers are tuned: friction and restitution. Of their pairs the one with the smallest error
// of the joints on a random half is scored on the other half, ten times. The short form has all
// landings with friction 0.4 and no restitution.
#include <heft/access.h>
#include <heft/io.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "identify/identify.h"
#include "validation/tosses.h"

enum {
  LANDINGS_MAX = 64,
  ROWS_MAX = 1000,
  STATE = 45,
  MOTORS = 10,
  COLUMNS = 1 + STATE + MOTORS,
  SIDES = 2,
  JOINTS = 8,  // of a leg that the data have
  LOOSE = 12,  // dofs that close the loops
  LOOPS = 4,
  HALVES = 10,
  FRICTIONS = 4,
  RESTITUTIONS = 2,
  PAIRS = FRICTIONS * RESTITUTIONS,
  BEFORE = 10,  // rows before the impact
  SCORED = 6,
  PAIR_SHORT = 2 * RESTITUTIONS  // friction 0.4, no restitution
};
static const double frictions[FRICTIONS] = {0.1, 0.2, 0.4, 0.8};
static const double restitutions[RESTITUTIONS] = {0, 0.2};

static const double limit_pelvis = 0.212, limit_turn = 1.92, limit_joints = 2.58;

typedef struct Landing {
  int count;
  double (*rows)[COLUMNS];
} Landing;

typedef struct Landings {
  int count;
  Landing landing[LANDINGS_MAX];
} Landings;

/// Errors of velocities: mean squares.
typedef struct Error {
  double pelvis, turn, joints;
} Error;

// Where a column of the state is in the model. The last joint of the list is the heel spring.
typedef struct Robot {
  HeftModel* model;
  HeftWorld* world;
  HeftState* state;
  HeftDynamics* dynamics;
  int q[SIDES][JOINTS], v[SIDES][JOINTS];
  int loose[LOOSE];
  int actuator[MOTORS];
  double gear[MOTORS];
  int foot[SIDES];
  double *room, *home, *q_try, *v_try, *seen_q, *seen_v;
} Robot;

static const char* const side_name[SIDES] = {"left", "right"};
static const char* const joint_name[JOINTS] = {"hip-roll", "hip-yaw", "hip-pitch", "knee",
                                               "shin",     "tarsus",  "foot",      "heel-spring"};
// Places of left joints among the positions of the data after the pelvis; right ones follow.
static const int place_of[SIDES][JOINTS] = {{0, 2, 4, 6, 8, 10, 13, 12},
                                            {1, 3, 5, 7, 9, 11, 15, 14}};
static const int measured[SCORED] = {0, 1, 2, 3, 5, 6};  // joints that are scored

// ---- data

static void free_landings(Landings* l) {
  for (int i = 0; i < l->count; ++i) free(l->landing[i].rows);
  free(l);
}

static int read_landing(Landing* l, FILE* file) {
  if (fscanf(file, "%d", &l->count) != 1 || l->count <= BEFORE + 1 || l->count > ROWS_MAX) return 0;
  l->rows = calloc((size_t)l->count, sizeof *l->rows);
  for (int i = 0; l->rows && i < l->count * COLUMNS; ++i) {
    double* at = &l->rows[i / COLUMNS][i % COLUMNS];
    if (fscanf(file, "%lf", at) != 1 || !(fabs(*at) < 1e6)) return 0;
  }
  return l->rows != NULL;
}

static Landings* read_landings(Run* run) {
  char path[600];
  char* reason = run->engine->reason;
  snprintf(path, sizeof path, "%.500s/cassie.txt", run->data ? run->data : ".");
  FILE* file = run->data ? fopen(path, "r") : NULL;
  if (!file) {
    snprintf(reason, sizeof run->engine->reason,
             "no cassie.txt; name its folder by --data; tools/measurements.py cassie writes it");
    return NULL;
  }
  Landings* l = calloc(1, sizeof *l);
  int wanted = 0,
      good = l && fscanf(file, "%d", &wanted) == 1 && wanted >= 4 && wanted <= LANDINGS_MAX;
  for (int i = 0; good && i < wanted; ++i) {
    l->count = i + 1;
    good = read_landing(&l->landing[i], file);
  }
  fclose(file);
  if (good) return l;
  snprintf(reason, sizeof run->engine->reason, "cassie.txt is damaged");
  if (l) free_landings(l);
  return NULL;
}

// ---- the robot

// The file with a floor. NULL: it cannot be read.
static char* read_model(const char* path) {
  static const char floor[] =
      "<geom name=\"floor\" type=\"plane\" size=\"9 9 1\" contype=\"7\" conaffinity=\"7\" "
      "condim=\"3\"/>";
  enum { SIZE = 1 << 18 };
  FILE* file = fopen(path, "r");
  char* text = file ? calloc(2, SIZE) : NULL;
  const size_t size = text ? fread(text, 1, SIZE - 1, file) : 0;
  char* at = size > 0 ? strstr(text, "<worldbody>") : NULL;
  if (file) fclose(file);
  if (!at) {
    free(text);
    return NULL;
  }
  at += strlen("<worldbody>");
  memmove(at + sizeof floor - 1, at, strlen(at) + 1);
  memcpy(at, floor, sizeof floor - 1);
  return text;
}

static int find(const HeftModel* m, HeftNamed kind, int side, const char* name) {
  char text[80];
  int index = -1;
  snprintf(text, sizeof text, "%s-%s", side_name[side], name);
  return heft_model_lookup(m, kind, text, &index, NULL) == HEFT_OK ? index : -1;
}

static int add_loose(Robot* r, int side, const char* name, int* count) {
  const int joint = find(r->model, HEFT_NAMED_JOINT, side, name);
  const int dofs = joint < 0 ? 0 : heft_joint_type_dof_count(r->model->joint_type[joint]);
  for (int k = 0; k < dofs && *count < LOOSE; ++k)
    r->loose[(*count)++] = r->model->joint_dof[joint] + k;
  return dofs > 0;
}

static int find_parts(Robot* r) {
  static const char* const motors[] = {"hip-roll", "hip-yaw", "hip-pitch", "knee", "foot"};
  static const char* const loose[] = {"achilles-rod", "heel-spring", "foot-crank", "plantar-rod"};
  const HeftModel* m = r->model;
  int well = 1, count = 0;
  for (int s = 0; s < SIDES; ++s) {
    for (int k = 0; k < JOINTS && well; ++k) {
      const int joint = find(m, HEFT_NAMED_JOINT, s, joint_name[k]);
      well = joint >= 0;
      if (!well) break;
      r->q[s][k] = m->joint_q[joint];
      r->v[s][k] = m->joint_dof[joint];
    }
    for (int k = 0; k < 4 && well; ++k) well = add_loose(r, s, loose[k], &count);
    for (int k = 0; k < 5 && well; ++k) {
      const int a = find(m, HEFT_NAMED_ACTUATOR, s, motors[k]);
      well = a >= 0;
      if (!well) break;
      r->actuator[2 * k + s] = a;
      r->gear[2 * k + s] = m->actuator_gear[6L * a];
    }
    r->foot[s] = find(m, HEFT_NAMED_BODY, s, "foot");
    well &= r->foot[s] >= 0;
  }
  return well && count == LOOSE && m->nequality == LOOPS;
}

// ---- states

typedef struct Closing {
  Robot* robot;
  const double *q, *v;  // v NULL: positions are closed
} Closing;

// Opening of the loops.
static void measure_loops(Robot* r, const double* q, double* out) {
  const HeftModel* m = r->model;
  heft_dynamics_kinematics(r->dynamics, q);
  for (int k = 0; k < LOOPS; ++k) {
    HeftVec3 end[2];
    for (int s = 0; s < 2; ++s) {
      const HeftPose pose = heft_dynamics_body_pose(r->dynamics, m->equality_object[2L * k + s]);
      end[s] = heft_pose_apply(pose, heft_vec3_from(m->equality_anchor + 6L * k + 3L * s));
    }
    const HeftVec3 gap = heft_vec3_sub(end[0], end[1]);
    memcpy(out + 3L * k, (double[]){gap.x, gap.y, gap.z}, 3 * sizeof(double));
  }
}

// Openings of the loops, or their rates; then the loose dofs, which count little.
static HeftStatus loose_residuals(void* user, const double* x, double* out, HeftError* error) {
  const Closing* c = user;
  Robot* r = c->robot;
  const double reach = 1e-6;
  double after[3 * LOOPS];
  (void)error;
  if (c->v) memcpy(r->v_try, c->v, (size_t)r->model->nv * sizeof(double));
  if (!c->v) memset(r->v_try, 0, (size_t)r->model->nv * sizeof(double));
  for (int k = 0; k < LOOSE; ++k) r->v_try[r->loose[k]] += x[k];
  heft_q_integrate(r->model, c->q, r->v_try, c->v ? reach : 1, r->q_try);
  measure_loops(r, r->q_try, after);
  if (c->v) measure_loops(r, c->q, out);
  for (int k = 0; k < 3 * LOOPS; ++k) out[k] = c->v ? (after[k] - out[k]) / reach : after[k];
  for (int k = 0; k < LOOSE; ++k) out[3 * LOOPS + k] = 1e-4 * x[k];
  return HEFT_OK;
}

// Moves loose dofs of positions (v NULL), or their velocities, until the loops are closed.
static int close_loops(Robot* r, double* q, double* v) {
  double start[LOOSE] = {0}, step[LOOSE];
  Closing closing = {r, q, v};
  HeftFit fit;
  for (int k = 0; k < LOOSE; ++k) step[k] = v ? 1e-3 : 1e-6;
  const HeftFitDef def = {.residuals = loose_residuals,
                          .user = &closing,
                          .parameters = LOOSE,
                          .count = 3 * LOOPS + LOOSE,
                          .start = start,
                          .step = step};
  if (heft_fit(&def, &fit, NULL) != HEFT_OK) return 0;
  memset(r->v_try, 0, (size_t)r->model->nv * sizeof(double));
  for (int k = 0; k < LOOSE; ++k) (v ? v : r->v_try)[r->loose[k]] += fit.estimate[k].value;
  if (!v) heft_q_integrate(r->model, q, r->v_try, 1, q);
  return 1;
}

// The state of a row, without what was not measured.
static void state_of(Robot* r, const double* row, double* q, double* v) {
  static const int pelvis[7] = {4, 5, 6, 0, 1, 2, 3};
  const double *place = row + 1, *speed = row + 1 + 23;
  memcpy(q, r->home, (size_t)r->model->nq * sizeof(double));
  memset(v, 0, (size_t)r->model->nv * sizeof(double));
  for (int k = 0; k < 7; ++k) q[k] = place[pelvis[k]];
  heft_q_normalize(r->model, q);
  const HeftVec3 turn =
      heft_quat_rotate(heft_quat(q[3], -q[4], -q[5], -q[6]), heft_vec3_from(speed));
  for (int k = 0; k < 3; ++k) v[k] = speed[3 + k];
  memcpy(v + 3, (double[]){turn.x, turn.y, turn.z}, 3 * sizeof(double));
  for (int s = 0; s < SIDES; ++s)
    for (int k = 0; k < JOINTS; ++k) {
      q[r->q[s][k]] = place[7 + place_of[s][k]];
      v[r->v[s][k]] = k == JOINTS - 1 ? 0 : speed[6 + place_of[s][k]];
    }
}

// Height of the lowest point of the feet, which are capsules.
static double lowest(Robot* r, const double* q) {
  const HeftModel* m = r->model;
  double least = HUGE_VAL;
  heft_dynamics_kinematics(r->dynamics, q);
  for (int i = 0; i < m->nshape; ++i) {
    const int body = m->shape_body[i];
    if (m->shape_type[i] != HEFT_SHAPE_CAPSULE || (body != r->foot[0] && body != r->foot[1]))
      continue;
    const HeftPose pose = heft_dynamics_body_pose(r->dynamics, body);
    const double *size = m->shape_size + 3L * i, *turn = m->shape_quat + 4L * i;
    const HeftVec3 axis = heft_quat_rotate(heft_quat_from(turn), heft_vec3(0, 0, size[1]));
    for (int s = -1; s <= 1; s += 2) {
      const HeftVec3 end =
          heft_vec3_add(heft_vec3_from(m->shape_pos + 3L * i), heft_vec3_scale((double)s, axis));
      least = fmin(least, heft_pose_apply(pose, end).z - size[0]);
    }
  }
  return least;
}

// ---- a landing

static void add_errors(const Robot* r, const double* seen, const double* v, Error* out) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) {
    out->pelvis += (seen[k] - v[k]) * (seen[k] - v[k]);
    out->turn += (seen[3 + k] - v[3 + k]) * (seen[3 + k] - v[3 + k]);
  }
  for (int s = 0; s < SIDES; ++s)
    for (int k = 0; k < SCORED; ++k) {
      const int i = r->v[s][measured[k]];
      sum += (seen[i] - v[i]) * (seen[i] - v[i]);
    }
  out->joints += sum / (SIDES * SCORED);
}

// Follows a landing from its first row. still: as if nothing happened.
static Error follow(Run* run, Robot* r, const Landing* l, int still) {
  Error e = {0};
  double *q = r->state->q, *v = r->state->v, clock = 0;
  const double h = r->model->physics.time_step;
  state_of(r, l->rows[BEFORE], q, v);
  close_loops(r, q, NULL);
  const double floor = lowest(r, q);
  state_of(r, l->rows[0], q, v);
  q[2] -= floor;
  if (!close_loops(r, q, NULL) || !close_loops(r, q, v)) return (Error){NAN, NAN, NAN};
  heft_world_set_state(r->world, r->state);
  for (int i = 1; i < l->count; ++i) {
    for (int k = 0; k < MOTORS; ++k)
      heft_world_controls(r->world)[r->actuator[k]] = l->rows[i - 1][1 + STATE + k] / r->gear[k];
    for (; !still && clock < l->rows[i][0] - l->rows[0][0] - 0.5 * h; clock += h)
      if (!heft_step_taken(heft_world_step(r->world).status)) return (Error){NAN, NAN, NAN};
    if (i <= BEFORE) continue;
    state_of(r, l->rows[i], r->seen_q, r->seen_v);
    add_errors(r, r->seen_v, heft_world_state(r->world)->v, &e);
  }
  (void)run;
  const double rows = l->count - BEFORE - 1;
  return (Error){e.pelvis / rows, e.turn / rows, e.joints / rows};
}

static void set_materials(Robot* r, double friction, double restitution) {
  for (int k = 0; k < r->model->nmaterial; ++k) {
    HeftMaterial material = heft_world_material(r->world, k);
    material.friction = material.kinetic = friction;
    material.restitution = restitution;
    heft_world_set_material(r->world, k, &material, NULL);
  }
}

static void follow_all(Run* run, Robot* r, const Landings* l, int pair, Error* out) {
  set_materials(r, frictions[pair / RESTITUTIONS], restitutions[pair % RESTITUTIONS]);
  for (int i = 0; i < l->count; ++i) {
    out[i] = follow(run, r, &l->landing[i], 0);
    run_progress(run, (pair + (double)i / l->count) / PAIRS);
  }
}

// ---- rows of the table

static Error mean_of(const Error* e, const int* which, int count) {
  Error m = {0};
  for (int i = 0; i < count; ++i) {
    m.pelvis += e[which[i]].pelvis / count;
    m.turn += e[which[i]].turn / count;
    m.joints += e[which[i]].joints / count;
  }
  return (Error){sqrt(m.pelvis), sqrt(m.turn), sqrt(m.joints)};
}

// Limits: this version's means of ten halves and three deviations.
static void report(Run* run, Error e) {
  run_report(run, "velocity of the pelvis after a landing [m/s]", 0, e.pelvis, limit_pelvis);
  run_report(run, "its angular velocity [rad/s]", 0, e.turn, limit_turn);
  run_report(run, "velocities of its joints [rad/s]", 0, e.joints, limit_joints);
}

typedef struct Spread {
  double sum, squares;
} Spread;
static void add_to(Spread* s, double x) {
  s->sum += x / HALVES;
  s->squares += x * x / HALVES;
}
static double deviation(const Spread* s) { return sqrt(fmax(0, s->squares - s->sum * s->sum)); }

static void report_halves(Run* run, const Error* e, int count) {
  int order[LANDINGS_MAX];
  uint64_t random = 1;
  Spread pelvis = {0}, turn = {0}, joints = {0}, friction = {0}, restitution = {0};
  const int half = count / 2;
  for (int i = 0; i < count; ++i) order[i] = i;
  for (int k = 0; k < HALVES; ++k) {
    int best = 0;
    tosses_shuffle(order, count, &random);
    for (int pair = 1; pair < PAIRS; ++pair)
      if (mean_of(e + (long)pair * count, order, half).joints <
          mean_of(e + (long)best * count, order, half).joints)
        best = pair;
    const Error m = mean_of(e + (long)best * count, order + half, count - half);
    add_to(&pelvis, m.pelvis);
    add_to(&turn, m.turn);
    add_to(&joints, m.joints);
    add_to(&friction, frictions[best / RESTITUTIONS]);
    add_to(&restitution, restitutions[best % RESTITUTIONS]);
  }
  report(run, (Error){pelvis.sum, turn.sum, joints.sum});
  run_report(run, "pelvis: deviation of ten halves (no limit)", 0, deviation(&pelvis), HUGE_VAL);
  run_report(run, "turn: deviation of ten halves (no limit)", 0, deviation(&turn), HUGE_VAL);
  run_report(run, "joints: deviation of ten halves (no limit)", 0, deviation(&joints), HUGE_VAL);
  run_report(run, "tuned friction (no limit)", 0, friction.sum, HUGE_VAL);
  run_report(run, "tuned restitution (no limit)", 0, restitution.sum, HUGE_VAL);
}

static void report_all(Run* run, Robot* r, const Landings* l, Error* e) {
  int all[LANDINGS_MAX];
  for (int i = 0; i < l->count; ++i) all[i] = i;
  for (int i = 0; i < l->count; ++i) e[i] = follow(run, r, &l->landing[i], 1);
  const Error none = mean_of(e, all, l->count);
  for (int pair = 0; pair < PAIRS; ++pair)
    if (run->full || pair == PAIR_SHORT) follow_all(run, r, l, pair, e + (long)pair * l->count);
  if (run->full)
    report_halves(run, e, l->count);
  else
    report(run, mean_of(e + (long)PAIR_SHORT * l->count, all, l->count));
  run_report(run, "pelvis, as if nothing happened (no limit)", 0, none.pelvis, HUGE_VAL);
  run_report(run, "turn, as if nothing happened (no limit)", 0, none.turn, HUGE_VAL);
  run_report(run, "joints, as if nothing happened (no limit)", 0, none.joints, HUGE_VAL);
}

// ---- the robot comes and goes

static int open_robot(Run* run, Robot* r) {
  const char* robots = getenv("HEFT_ROBOTS");
  char path[700];
  HeftError error = {0};
  const HeftLoadDef def = heft_load_def_default();
  snprintf(path, sizeof path, "%.500s/mjcf/agility_cassie/cassie.xml", robots ? robots : ".");
  char* text = robots ? read_model(path) : NULL;
  int well =
      text && heft_model_load_bytes(&r->model, text, strlen(text), path, &def, &error) == HEFT_OK;
  free(text);
  if (well)
    well = find_parts(r) && heft_world_create(&r->world, r->model, NULL, &error) == HEFT_OK &&
           heft_state_create(&r->state, r->model, NULL, &error) == HEFT_OK &&
           heft_dynamics_create(&r->dynamics, r->model, NULL, &error) == HEFT_OK;
  if (well) {
    const size_t n = (size_t)(r->model->nq + r->model->nv);
    r->room = calloc(3 * n, sizeof(double));
    well = r->room != NULL;
    r->home = r->room;
    r->q_try = r->home + r->model->nq;
    r->v_try = r->q_try + r->model->nq;
    r->seen_q = r->v_try + r->model->nv;
    r->seen_v = r->seen_q + r->model->nq;
    memcpy(r->home, r->model->key_q, (size_t)r->model->nq * sizeof(double));
  }
  if (!well)
    snprintf(run->engine->reason, sizeof run->engine->reason, "%.60s: %.90s",
             robots ? "mjcf/agility_cassie/cassie.xml" : "set HEFT_ROBOTS",
             error.message[0] ? error.message : "is not the Cassie of MuJoCo's Menagerie");
  return well;
}

void case_cassie(Run* run) {
  Robot r = {0};
  Landings* l = read_landings(run);
  Error* e = calloc((size_t)PAIRS * LANDINGS_MAX, sizeof *e);
  if (l && e && open_robot(run, &r)) report_all(run, &r, l, e);
  free(r.room);
  heft_dynamics_destroy(r.dynamics);
  heft_state_destroy(r.state);
  heft_world_destroy(r.world);
  heft_model_destroy(r.model);
  free(e);
  if (l) free_landings(l);
}
