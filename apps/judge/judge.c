// SPDX-License-Identifier: Apache-2.0
// Papers: R67.
// The verdict on each row of a motion.
//
// The root needs the wrench (F, M) at its origin, the first six rows of M v̇ + b. Contact forces λ
// in their cones give A λ. Torques are divided by a length L, so that all rows are forces:
//     min ½|A λ - w|² + ½ r |λ|²,   missing = |A λ - w| / weight.
// r is so small that it only chooses among forces that do the same. The zero-moment point is where
// the moment of w has no component along the floor. It must be in the hull of the contacts if these
// lie in one plane, which the margin states in metres. The verdict does not use it: cones on any
// surface decide.
//
// A load of mass m at a point p adds the force m (g - p̈) there, with p̈ by differences (motion.c).
// The bar is a line from the first load to the second. Hands hold its ends, so the gap is
// measured at its middle part.
//
// The torque of a joint's actuators comes from inverse dynamics with the contact forces, less the
// spring, damping and dry friction of the joint. Joints without an actuator are not judged.
#include "judge/judge.h"

#include <heft/collision.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "control/force_share.h"
#include "judge/columns.h"
#include "judge/motion.h"

enum { CONTACTS_MAX = 512 };
static const double arm =
    0.25;  // L [m]: half a foot; a torque of L times the weight counts as the weight
static const double ease = 1e-6;          // r
static const double without_limit = 1e3;  // friction that is never missing

static const struct {
  const char *word, *meaning;
} kinds[JUDGE_KIND_COUNT] = {
#define KIND(id, word, meaning) {word, meaning},
    JUDGE_KIND_LIST(KIND)
#undef KIND
};

const char* judge_kind_word(JudgeKind kind) { return kinds[kind].word; }
const char* judge_kind_meaning(JudgeKind kind) { return kinds[kind].meaning; }

JudgeDef judge_def_default(void) {
  return (JudgeDef){.touch = 0.003, .speed = 0, .tolerance = 1e-3, .support = -1};
}

typedef struct Judge {
  const HeftModel* m;
  const JudgeDef* def;
  HeftDynamics* d;
  HeftCollider* collider;
  HeftPose* pose;                   ///< nbody
  double *tau, *passive;            ///< nv
  HeftVec3* at;                     ///< loads of each row
  double *torque_min, *torque_max;  ///< nv; both 0: no actuator
  int root, dof;                    ///< body and first dof of the base; -1: fixed
  double weight;
  HeftContactPoint contact[CONTACTS_MAX];
  int contact_count;
  double a[6 * 3 * CONTACTS_MAX], mu[CONTACTS_MAX], r[CONTACTS_MAX], force[3 * CONTACTS_MAX];
  double needed[6];  ///< F, M / L
  int* open;         ///< kinds + nv each: the violation that is going on, or -1
  JudgeReport* out;
  int violation_capacity, failed;
} Judge;

// ---- violations

static void violate(Judge* j, JudgeKind kind, int dof, double time, double value, double limit) {
  JudgeReport* out = j->out;
  int* open = &j->open[(long)kind * (j->m->nv + 1) + dof + 1];
  if (*open >= 0) {
    JudgeViolation* v = &out->violation[*open];
    v->to = time;
    if (fabs(value) > fabs(v->worst)) {
      v->worst = value;
      v->at = time;
      v->limit = limit;
    }
    return;
  }
  if (out->violation_count == j->violation_capacity) {
    const int capacity = 2 * j->violation_capacity + 64;
    JudgeViolation* larger = realloc(out->violation, (size_t)capacity * sizeof *larger);
    if (!larger) {
      j->failed = 1;
      return;
    }
    out->violation = larger;
    j->violation_capacity = capacity;
  }
  *open = out->violation_count;
  out->violation[out->violation_count++] =
      (JudgeViolation){kind, dof, time, time, value, time, limit};
}

static void close_violation(Judge* j, JudgeKind kind, int dof) {
  j->open[(long)kind * (j->m->nv + 1) + dof + 1] = -1;
}

static void judge_value(Judge* j, JudgeKind kind, int dof, double time, double value, double min,
                        double max) {
  if (value > max || value < min)
    violate(j, kind, dof, time, value, value > max ? max : min);
  else
    close_violation(j, kind, dof);
}

// ---- contacts

static int is_robot(const Judge* j, int body) {
  while (body > 0 && body != j->root) body = j->m->body_parent[body];
  return body > 0;
}

// Contacts between the robot and static bodies.
static void find_contacts(Judge* j) {
  const HeftModel* m = j->m;
  for (int b = 0; b < m->nbody; ++b) j->pose[b] = heft_dynamics_body_pose(j->d, b);
  heft_collider_update(j->collider, j->pose);
  const HeftContactPoints found = heft_collider_collide(j->collider);
  j->contact_count = 0;
  for (int i = 0; i < found.count && j->contact_count < CONTACTS_MAX; ++i) {
    const HeftContactPoint* p = &found.point[i];
    const int with_static = (p->link_a == 0) != (p->link_b == 0);
    if (!with_static || p->gap > j->def->touch) continue;
    if (is_robot(j, p->link_a == 0 ? p->body_b : p->body_a)) j->contact[j->contact_count++] = *p;
  }
}

// Normal and two tangents of the force on the robot.
static void contact_axes(const HeftContactPoint* p, HeftVec3 axis[3]) {
  axis[0] = p->link_a == 0 ? p->normal : heft_vec3_neg(p->normal);
  axis[1] = p->tangent1;
  axis[2] = p->tangent2;
}

static void fill_share(Judge* j) {
  const int width = 3 * j->contact_count;
  const HeftVec3 origin = j->pose[j->root].pos;
  for (int i = 0; i < j->contact_count; ++i) {
    HeftVec3 axis[3];
    contact_axes(&j->contact[i], axis);
    for (int k = 0; k < 3; ++k) {
      const HeftVec3 moment = heft_vec3_cross(heft_vec3_sub(j->contact[i].pos, origin), axis[k]);
      const double column[6] = {axis[k].x,      axis[k].y,      axis[k].z,
                                moment.x / arm, moment.y / arm, moment.z / arm};
      for (int row = 0; row < 6; ++row) j->a[row * width + 3 * i + k] = column[row];
    }
    j->mu[i] = j->contact[i].dim == 1 ? 0 : j->contact[i].friction;
    j->r[i] = ease;
  }
}

// The share of the weight that is missing with these coefficients; forces go to j->force.
static double share_forces(Judge* j, const double* mu) {
  const ForceShare problem = {
      .count = j->contact_count, .rows = 6, .a = j->a, .b = j->needed, .mu = mu, .r = j->r};
  const int width = 3 * j->contact_count;
  double y[6] = {0}, square = 0;
  if (j->contact_count > 0) heft_force_share(&problem, y, j->force);
  for (int row = 0; row < 6; ++row) {
    double rest = -j->needed[row];
    for (int c = 0; c < width; ++c) rest += j->a[row * width + c] * j->force[c];
    square += rest * rest;
  }
  return sqrt(square) / j->weight;
}

// ---- the zero-moment point

static double cross_of(const double* a, const double* b, const double* c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static int compare_points(const void* a, const void* b) {
  const double *x = a, *y = b;
  if (x[0] != y[0]) return x[0] < y[0] ? -1 : 1;
  return (x[1] > y[1]) - (x[1] < y[1]);
}

// The hull of points in a plane, counterclockwise, by the monotone chain [Andrew 1979].
static int hull_of(double (*point)[2], int count, double (*hull)[2]) {
  int n = 0;
  qsort(point, (size_t)count, sizeof *point, compare_points);
  for (int pass = 0; pass < 2; ++pass) {
    const int floor = n + 1;
    for (int i = 0; i < count; ++i) {
      const double* p = point[pass == 0 ? i : count - 1 - i];
      while (n > floor && cross_of(hull[n - 2], hull[n - 1], p) <= 0) --n;
      memcpy(hull[n++], p, sizeof *hull);
    }
    --n;
  }
  return n;
}

// Distance of the zero-moment point from the border of the hull, positive inside.
static double zmp_margin(const Judge* j) {
  static double point[CONTACTS_MAX][2], hull[2 * CONTACTS_MAX + 2][2];
  const HeftVec3 up = heft_vec3_normalize(heft_vec3_neg(heft_vec3_from(j->m->physics.gravity)));
  const HeftVec3 force = heft_vec3_from(j->needed),
                 moment = heft_vec3_scale(arm, heft_vec3_from(j->needed + 3));
  const double lift = heft_vec3_dot(up, force);
  if (j->contact_count < 3 || !(lift > 0.01 * j->weight)) return (double)NAN;
  HeftVec3 t1, t2;
  heft_vec3_tangents(up, &t1, &t2);
  const HeftVec3 base = j->contact[0].pos;
  const HeftVec3 about =
      heft_vec3_add(moment, heft_vec3_cross(heft_vec3_sub(j->pose[j->root].pos, base), force));
  const HeftVec3 zmp = heft_vec3_scale(1 / lift, heft_vec3_cross(up, about));
  for (int i = 0; i < j->contact_count; ++i) {
    const HeftVec3 at = heft_vec3_sub(j->contact[i].pos, base);
    point[i][0] = heft_vec3_dot(at, t1);
    point[i][1] = heft_vec3_dot(at, t2);
  }
  const double p[2] = {heft_vec3_dot(zmp, t1), heft_vec3_dot(zmp, t2)};
  const int count = hull_of(point, j->contact_count, hull);
  double margin = (double)INFINITY;
  for (int i = 0; i < count; ++i) {
    const double *a = hull[i], *b = hull[(i + 1) % count];
    const double length = sqrt((b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]));
    if (length > 0) margin = fmin(margin, cross_of(a, b, p) / length);
  }
  return isfinite(margin) ? margin : (double)NAN;
}

// ---- a row

// Contact forces for the wrench that the base needs, and what is missing.
static void judge_base(Judge* j, JudgeSample* s) {
  const HeftMat3 rot = j->pose[j->root].rot;
  const HeftVec3 moment = heft_mat3_mul_vec(rot, heft_vec3_from(j->tau + j->dof + 3));
  const double needed[6] = {j->tau[j->dof], j->tau[j->dof + 1], j->tau[j->dof + 2],
                            moment.x / arm, moment.y / arm,     moment.z / arm};
  memcpy(j->needed, needed, sizeof needed);
  s->contacts = j->contact_count;
  s->margin = zmp_margin(j);
  fill_share(j);
  s->missing = share_forces(j, j->mu);
  int reason = -1;
  if (s->missing > j->def->tolerance) {
    static double rough[CONTACTS_MAX];
    for (int i = 0; i < j->contact_count; ++i) rough[i] = without_limit;
    const double with_friction = share_forces(j, rough);
    reason = j->contact_count == 0               ? JUDGE_SUPPORT
             : with_friction > j->def->tolerance ? JUDGE_BALANCE
                                                 : JUDGE_FRICTION;
    share_forces(j, j->mu);  // the forces that come closest
  }
  for (int kind = JUDGE_SUPPORT; kind <= JUDGE_FRICTION; ++kind) {
    if (kind == reason)
      violate(j, (JudgeKind)kind, -1, s->time, s->missing, j->def->tolerance);
    else
      close_violation(j, (JudgeKind)kind, -1);
  }
  for (int i = 0; i < j->contact_count; ++i) {
    const double* f = j->force + 3L * i;
    const double along = sqrt(f[1] * f[1] + f[2] * f[2]);
    if (f[0] > 1e-4 * j->weight && j->mu[i] > 0)
      s->friction = fmax(s->friction, along / (j->mu[i] * f[0]));
  }
}

// Torques of inverse dynamics with the contact forces.
static void apply_contacts(Judge* j, const double* v, const double* a) {
  for (int i = 0; i < j->contact_count; ++i) {
    const HeftContactPoint* p = &j->contact[i];
    HeftVec3 axis[3], force = {0, 0, 0};
    contact_axes(p, axis);
    for (int k = 0; k < 3; ++k) force = heft_vec3_add_scaled(force, j->force[3L * i + k], axis[k]);
    heft_dynamics_add_wrench(j->d, p->link_a == 0 ? p->body_b : p->body_a, p->pos, force,
                             heft_vec3(0, 0, 0));
  }
  heft_dynamics_rnea(j->d, v, a, j->tau);
}

static void judge_torques(Judge* j, const double* q, const double* v, JudgeSample* s) {
  const HeftModel* m = j->m;
  memset(j->passive, 0, (size_t)m->nv * sizeof(double));
  heft_model_spring_forces(m, q, j->passive);
  heft_dynamics_fluid_forces(j->d, v, j->passive);
  s->torque_dof = -1;
  for (int i = 0; i < m->nv; ++i) {
    if (j->torque_min[i] == 0 && j->torque_max[i] == 0) continue;
    const double dry = v[i] > 1e-9 ? m->dof_friction[i] : v[i] < -1e-9 ? -m->dof_friction[i] : 0;
    const double torque = j->tau[i] - j->passive[i] + m->dof_damping[i] * v[i] + dry;
    const double share = torque > 0 ? torque / j->torque_max[i] : torque / j->torque_min[i];
    if (share > s->torque) {
      s->torque = share;
      s->torque_dof = i;
    }
    judge_value(j, JUDGE_TORQUE, i, s->time, torque, j->torque_min[i], j->torque_max[i]);
  }
}

static void judge_joints(Judge* j, const double* q, const double* v, JudgeSample* s) {
  const HeftModel* m = j->m;
  for (int i = 0; i < m->nv; ++i) {
    const int joint = m->dof_joint[i];
    const HeftJointType type = m->joint_type[joint];
    if (type != HEFT_JOINT_HINGE && type != HEFT_JOINT_SLIDE) continue;
    const double x = q[m->joint_q[joint]];
    if (m->dof_limited[i])
      judge_value(j, JUDGE_RANGE, i, s->time, x, m->dof_range[2L * i] - 1e-9,
                  m->dof_range[2L * i + 1] + 1e-9);
    s->speed = fmax(s->speed, fabs(v[i]));
    if (j->def->speed > 0)
      judge_value(j, JUDGE_SPEED, i, s->time, v[i], -j->def->speed, j->def->speed);
  }
}

// ---- loads

static int find_loads(Judge* j, const Motion* motion) {
  const int n = j->def->load_count;
  if (n == 0) return 1;
  j->at = calloc((size_t)motion->count * (size_t)n, sizeof *j->at);
  for (int i = 0; j->at && i < motion->count; ++i) {
    heft_dynamics_kinematics(j->d, motion->q + (long)i * j->m->nq);
    for (int k = 0; k < n; ++k)
      j->at[(long)i * n + k] = heft_pose_apply(heft_dynamics_body_pose(j->d, j->def->load[k].body),
                                               j->def->load[k].point);
  }
  return j->at != NULL;
}

static void add_loads(Judge* j, const Motion* motion, int row) {
  const int n = j->def->load_count, last = motion->count - 2;
  const int i = row < 1 ? 1 : row > last ? last : row;
  const double before = motion->time[i] - motion->time[i - 1],
               after = motion->time[i + 1] - motion->time[i];
  const HeftVec3 gravity = heft_vec3_from(j->m->physics.gravity);
  for (int k = 0; k < n; ++k) {
    const HeftVec3* p = j->at + (long)i * n + k;
    const HeftVec3 left = heft_vec3_scale(1 / before, heft_vec3_sub(p[0], p[-n])),
                   right = heft_vec3_scale(1 / after, heft_vec3_sub(p[n], p[0])),
                   a = heft_vec3_scale(2 / (before + after), heft_vec3_sub(right, left));
    heft_dynamics_add_wrench(j->d, j->def->load[k].body, j->at[(long)row * n + k],
                             heft_vec3_scale(j->def->load[k].mass, heft_vec3_sub(gravity, a)),
                             heft_vec3(0, 0, 0));
  }
}

static void judge_gap(Judge* j, int row, JudgeSample* s) {
  static const double share[] = {0.2, 0.35, 0.5, 0.65, 0.8};
  const int n = j->def->load_count;
  s->gap = (double)NAN;
  if (!(j->def->bar > 0) || n < 2) return;
  const HeftVec3 from = j->at[(long)row * n], to = j->at[(long)row * n + 1];
  for (int b = 0; b < j->m->nbody; ++b) j->pose[b] = heft_dynamics_body_pose(j->d, b);
  heft_collider_update(j->collider, j->pose);
  for (int k = 0; k < 5; ++k) {
    const HeftVec3 at = heft_vec3_add_scaled(from, share[k], heft_vec3_sub(to, from));
    const HeftClosestPoint c =
        heft_collider_closest(j->collider, at, 0.2 + j->def->bar, heft_query_filter_all());
    if (c.shape >= 0) s->gap = fmin(s->gap, c.distance - j->def->bar);
  }
  judge_value(j, JUDGE_GAP, -1, s->time, isfinite(s->gap) ? s->gap : 1, 0, 2);
}

static void judge_row(Judge* j, const Motion* motion, int i) {
  const double *q = motion->q + (long)i * j->m->nq, *v = motion->v + (long)i * j->m->nv,
               *a = motion->a + (long)i * j->m->nv;
  JudgeSample* s = &j->out->sample[i];
  s->time = motion->time[i];
  s->margin = (double)NAN;
  heft_dynamics_kinematics(j->d, q);
  add_loads(j, motion, i);
  heft_dynamics_rnea(j->d, v, a, j->tau);
  j->contact_count = 0;
  if (j->root >= 0) {
    find_contacts(j);
    judge_base(j, s);
    apply_contacts(j, v, a);
  }
  heft_dynamics_clear_wrenches(j->d);
  judge_gap(j, i, s);
  judge_torques(j, q, v, s);
  judge_joints(j, q, v, s);
}

// ---- the limits of the actuators

static void add_actuator(Judge* j, int actuator) {
  const HeftModel* m = j->m;
  const HeftTransmission kind = m->actuator_transmission[actuator];
  if (kind != HEFT_TRANSMISSION_JOINT && kind != HEFT_TRANSMISSION_JOINT_IN_PARENT) return;
  const int dof = m->joint_dof[m->actuator_target[actuator]];
  const double gear = m->actuator_gear[6L * actuator];
  const double* bias = m->actuator_bias + 3L * actuator;
  double min = -(double)INFINITY, max = (double)INFINITY;
  if (m->actuator_force_limited[actuator]) {
    min = m->actuator_force_range[2L * actuator];
    max = m->actuator_force_range[2L * actuator + 1];
  } else if (m->actuator_control_limited[actuator] && bias[0] == 0 && bias[1] == 0 &&
             bias[2] == 0) {
    const double gain = m->actuator_gain[actuator];
    min = fmin(gain * m->actuator_control_range[2L * actuator],
               gain * m->actuator_control_range[2L * actuator + 1]);
    max = fmax(gain * m->actuator_control_range[2L * actuator],
               gain * m->actuator_control_range[2L * actuator + 1]);
  }
  j->torque_min[dof] += fmin(gear * min, gear * max);
  j->torque_max[dof] += fmax(gear * min, gear * max);
}

static void find_limits(Judge* j) {
  const HeftModel* m = j->m;
  for (int i = 0; i < m->nactuator; ++i) add_actuator(j, i);
  for (int joint = 0; joint < m->njoint; ++joint) {
    const int dof = m->joint_dof[joint];
    if (!m->joint_force_limited[joint] || (j->torque_min[dof] == 0 && j->torque_max[dof] == 0))
      continue;
    j->torque_min[dof] = fmax(j->torque_min[dof], m->joint_force_range[2L * joint]);
    j->torque_max[dof] = fmin(j->torque_max[dof], m->joint_force_range[2L * joint + 1]);
  }
}

// ---- all rows

static HeftStatus judge_open(Judge* j, const HeftModel* m, int rows, HeftError* error) {
  const size_t nv = (size_t)m->nv + 1;
  HeftColliderDef def = heft_collider_def_default();
  def.margin = j->def->touch;
  def.points = 8;
  const int base = columns_base_joint(m);
  j->root = base >= 0 ? m->joint_body[base] : -1;
  j->dof = base >= 0 ? m->joint_dof[base] : -1;
  j->pose = calloc((size_t)m->nbody, sizeof *j->pose);
  j->tau = calloc(4 * nv, sizeof(double));
  j->open = malloc(JUDGE_KIND_COUNT * nv * sizeof(int));
  j->out->sample = calloc((size_t)rows, sizeof *j->out->sample);
  if (!j->pose || !j->tau || !j->open || !j->out->sample) {
    heft_error_set(error, HEFT_ERR_MEMORY, "no memory for %d rows", rows);
    return HEFT_ERR_MEMORY;
  }
  j->passive = j->tau + nv;
  j->torque_min = j->passive + nv;
  j->torque_max = j->torque_min + nv;
  for (size_t i = 0; i < JUDGE_KIND_COUNT * nv; ++i) j->open[i] = -1;
  j->out->sample_count = rows;
  j->out->root = j->root;
  HeftStatus status = heft_dynamics_create(&j->d, m, NULL, error);
  if (status == HEFT_OK) status = heft_collider_create(&j->collider, m, &def, error);
  if (status != HEFT_OK) return status;
  find_limits(j);
  double mass = 0;
  for (int k = 0; k < j->def->load_count; ++k) mass += j->def->load[k].mass;
  for (int b = 1; b < m->nbody; ++b) mass += j->root < 0 || is_robot(j, b) ? m->body_mass[b] : 0;
  j->weight = mass * heft_vec3_norm(heft_vec3_from(m->physics.gravity));
  if (!(j->weight > 0)) j->weight = mass > 0 ? mass : 1;  // without gravity: shares of 1 m/s²
  j->out->weight = j->weight;
  return HEFT_OK;
}

HeftStatus judge_trajectory(const HeftModel* m, const Csv* table, const char* file,
                            const JudgeDef* def, JudgeReport* out, HeftError* error) {
  *out = (JudgeReport){.root = -1};
  Motion motion;
  HeftStatus status = motion_read(&motion, m, table, file, def, error);
  if (status != HEFT_OK) return status;
  Judge* j = calloc(1, sizeof *j);
  if (j) {
    j->m = m;
    j->def = def;
    j->out = out;
    status = judge_open(j, m, motion.count, error);
    if (status == HEFT_OK && !find_loads(j, &motion)) j->failed = 1;
    for (int i = 0; status == HEFT_OK && !j->failed && i < motion.count; ++i)
      judge_row(j, &motion, i);
    heft_dynamics_destroy(j->d);
    heft_collider_destroy(j->collider);
    free(j->pose);
    free(j->at);
    free(j->tau);
    free(j->open);
  }
  if (!j || j->failed) status = heft_error_set(error, HEFT_ERR_MEMORY, "no memory for the report");
  free(j);
  motion_release(&motion);
  if (status != HEFT_OK) judge_release(out);
  return status;
}

void judge_release(JudgeReport* report) {
  free(report->sample);
  free(report->violation);
  *report = (JudgeReport){.root = -1};
}
