// SPDX-License-Identifier: Apache-2.0
// Papers: R73.
// The free root of a biped from gyro, accelerometer, encoders and foot sensors: an invariant
// extended Kalman filter [Hartley 2020].
//
// The state is the rotation R, velocity v and position p of the IMU, the places d₀, d₁ of the
// soles, and the biases b_g, b_a. Gyro ω and accelerometer a move it:
//     Ṙ = R [ω - b_g]ₓ,  v̇ = R (a - b_a) + g,  ṗ = v,  ḋ = 0.
// With the error ξ of X̂ = exp(ξ) X, X = (R, v, p, d₀, d₁), and ζ of the biases,
//     ξ̇_R = -R̂ ζ_g,  ξ̇_v = [g]ₓ ξ_R - [v̂]ₓ R̂ ζ_g - R̂ ζ_a,  ξ̇_p = ξ_v - [p̂]ₓ R̂ ζ_g,
//     ξ̇_d = -[d̂]ₓ R̂ ζ_g:
// without biases it does not depend on the state. The noises of gyro, accelerometer and slip enter
// in the same way as the biases. The encoders measure a sole in the frame of the IMU, y = Rᵀ (d -
// p), of which the innovation is
//     z = R̂ y - (d̂ - p̂) = ξ_p - ξ_d + R̂ n,
// so that H is constant. The correction is X = exp(-K z) X̂. A foot that lands begins at
// d = p + R y, with the error of p and of y. A sole that rolls over its edge moves its middle, so
// that its slip grows with its turn.
//
// Springs that carry a foot (flexible ankles) have no encoder. Their displacement s follows from
// the sensor beyond them, whose load is k s + c ṡ along each axis, by an implicit step.
#include <heft/control.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/def.h"
#include "control/chain.h"
#include "control/part.h"

enum { N = 21, TURN = 0, SPEED = 3, PLACE = 6, FOOT = 9, GYRO = 15, ACC = 18, SPRINGS_MAX = 16 };

typedef struct Filter {  // all that is kept
  double quat[4], v[3], p[3], foot[2][3], gyro_bias[3], acc_bias[3];
  double stands[2], load[2], spring[SPRINGS_MAX];
  double cov[N][N];
} Filter;

_Static_assert(sizeof(Filter) <= HEFT_ESTIMATOR_MEMORY * sizeof(double), "memory of an estimator");

struct HeftEstimator {
  HeftEstimatorDef def;
  const HeftModel* model;
  HeftDynamics* dynamics;
  size_t memory_size;
  int root, root_joint;
  HeftPose imu, sole[2];  ///< in their bodies
  int site[2];            ///< of the foot sensors
  double weight;          ///< [N]
  int springs, spring_dof[SPRINGS_MAX], spring_side[SPRINGS_MAX];
  int* driven;  ///< njoint
  double *q, *v, *jacobian;
  Filter f;
};

// ---- making one

static int sensor_named(const HeftModel* m, const char* name) {
  return heft_model_find(m, HEFT_NAMED_SENSOR, name);
}

void heft_estimator_def_init(HeftEstimatorDef* def, uint32_t cookie, const HeftModel* m) {
  const bool ours = HEFT_DEF_STAMP(HeftEstimatorDef, def, m ? cookie : 0);
  HEFT_REQUIRE_VOID(m);
  if (!ours) return;
  *def = (HeftEstimatorDef){
      .cookie = cookie,
      .allocator = heft_allocator_default(),
      .gyro = sensor_named(m, "imu_gyro"),
      .accelerometer = sensor_named(m, "imu_acc"),
      .force = {sensor_named(m, "left_foot_force"), sensor_named(m, "right_foot_force")},
      .torque = {sensor_named(m, "left_foot_torque"), sensor_named(m, "right_foot_torque")},
      .sole = {heft_model_find(m, HEFT_NAMED_SHAPE, "left_sole"),
               heft_model_find(m, HEFT_NAMED_SHAPE, "right_sole")},
      .gyro_noise = 1e-3,
      .accelerometer_noise = 1e-2,
      .gyro_drift = 1e-5,
      .accelerometer_drift = 1e-4,
      .foot_noise = 1e-3,
      .foot_slip = 1e-3,
      .land = 0.1,
      .leave = 0.05,
  };
}

static bool is_sensor(const HeftModel* m, int i, HeftSensorType type) {
  return i >= 0 && i < m->nsensor && m->sensor_type[i] == type;
}

static bool is_box(const HeftModel* m, int i) {
  return i >= 0 && i < m->nshape && m->shape_type[i] == HEFT_SHAPE_BOX;
}

static bool sensors_fit(const HeftModel* m, const HeftEstimatorDef* d) {
  if (!is_sensor(m, d->gyro, HEFT_SENSOR_GYRO) ||
      !is_sensor(m, d->accelerometer, HEFT_SENSOR_ACCELEROMETER) ||
      m->sensor_object[d->gyro] != m->sensor_object[d->accelerometer])
    return false;
  for (int k = 0; k < 2; ++k)
    if (!is_sensor(m, d->force[k], HEFT_SENSOR_FORCE) ||
        !is_sensor(m, d->torque[k], HEFT_SENSOR_TORQUE) || !is_box(m, d->sole[k]) ||
        m->sensor_object[d->force[k]] != m->sensor_object[d->torque[k]])
      return false;
  return true;
}

static bool numbers_fit(const HeftEstimatorDef* d) {
  return d->gyro_noise > 0 && d->accelerometer_noise > 0 && d->gyro_drift >= 0 &&
         d->accelerometer_drift >= 0 && d->foot_noise > 0 && d->foot_slip > 0 && d->leave > 0 &&
         d->land > d->leave && d->land < 1;
}

static HeftPose pose_from(const double* pos, const double* quat) {
  return heft_pose(heft_vec3_from(pos), heft_quat_from(quat));
}

static int free_joint_of(const HeftModel* m, int body) {
  for (int j = 0; j < m->njoint; ++j)
    if (m->joint_body[j] == body && m->joint_type[j] == HEFT_JOINT_FREE) return j;
  return -1;
}

static void find_driven(HeftEstimator* e) {
  const HeftModel* m = e->model;
  for (int i = 0; i < m->nactuator; ++i)
    if (m->actuator_transmission[i] == HEFT_TRANSMISSION_JOINT)
      e->driven[m->actuator_target[i]] = 1;
}

// Springs without a motor that carry the body of a foot sensor.
static bool find_springs(HeftEstimator* e) {
  const HeftModel* m = e->model;
  for (int side = 0; side < 2; ++side) {
    for (int i = 0; i < m->nv; ++i) {
      const int j = m->dof_joint[i];
      if (e->driven[j] || !(m->dof_stiffness[i] > 0)) continue;
      if (!chain_hangs_on(m, m->site_body[e->site[side]], m->joint_body[j])) continue;
      if (e->springs == SPRINGS_MAX) return false;
      e->spring_dof[e->springs] = i;
      e->spring_side[e->springs++] = side;
    }
  }
  return true;
}

static void find_frames(HeftEstimator* e) {
  const HeftModel* m = e->model;
  const int imu = m->sensor_object[e->def.gyro];
  e->imu = pose_from(m->site_pos + 3L * imu, m->site_quat + 4L * imu);
  for (int k = 0; k < 2; ++k) {
    const int s = e->def.sole[k];
    const HeftPose down =
        heft_pose(heft_vec3(0, 0, -m->shape_size[3L * s + 2]), heft_quat_identity());
    e->sole[k] = heft_pose_mul(pose_from(m->shape_pos + 3L * s, m->shape_quat + 4L * s), down);
    e->site[k] = m->sensor_object[e->def.force[k]];
  }
  double mass = 0;
  for (int i = e->root; i < m->nbody; ++i)
    if (chain_hangs_on(m, i, e->root)) mass += m->body_mass[i];
  e->weight = mass * heft_vec3_norm(heft_vec3_from(m->physics.gravity));
}

static void place(void* part, Arena* arena) {
  HeftEstimator* e = part;
  e->driven = arena_take(arena, e->model->njoint, int);
  e->q = arena_take(arena, e->model->nq, double);
  e->v = arena_take(arena, e->model->nv, double);
  e->jacobian = arena_take(arena, 6L * e->model->nv, double);
}

HeftStatus heft_estimator_create(HeftEstimator** out, const HeftModel* model,
                                 const HeftEstimatorDef* def, HeftError* error) {
  HEFT_REQUIRE(out, HEFT_ERR_ARGUMENT);
  *out = NULL;
  HEFT_REQUIRE(model, HEFT_ERR_ARGUMENT);
  HeftStatus status = HEFT_DEF_CHECK(HeftEstimatorDef, heft_estimator_def_default, def, error);
  if (status != HEFT_OK) return status;
  HeftEstimator made = {.model = model, .root_joint = -1};
  made.def = def ? *def : heft_estimator_def_default(model);
  if (sensors_fit(model, &made.def)) {
    made.root = model->site_body[model->sensor_object[made.def.gyro]];
    made.root_joint = free_joint_of(model, made.root);
  }
  if (made.root_joint < 0 || !numbers_fit(&made.def))
    return heft_error_set(error, HEFT_ERR_VALUE,
                          "an estimator needs a gyro and an accelerometer at one site of the root, "
                          "a force and a torque sensor at one site of each foot, soles that are "
                          "boxes, and noises above zero");
  HeftEstimator* e = part_make(&made.def.allocator, &made, sizeof made, place, &made.memory_size,
                               "an estimator", error);
  if (!e) return HEFT_ERR_MEMORY;
  find_frames(e);
  find_driven(e);
  status = find_springs(e) ? heft_dynamics_create(&e->dynamics, model, &e->def.allocator, error)
                           : heft_error_set(error, HEFT_ERR_VALUE, "too many springs carry feet");
  if (status != HEFT_OK) {
    heft_estimator_destroy(e);
    return status;
  }
  heft_estimator_reset(e, model->q_default);
  *out = e;
  return HEFT_OK;
}

void heft_estimator_destroy(HeftEstimator* e) {
  if (!e) return;
  const HeftAllocator allocator = e->def.allocator;
  heft_dynamics_destroy(e->dynamics);
  allocator.release(allocator.user, e, e->memory_size);
}

// ---- numbers

static void put(double* to, HeftVec3 v) {
  to[0] = v.x;
  to[1] = v.y;
  to[2] = v.z;
}

static void put_block(double a[N][N], int row, int column, HeftMat3 b, double scale) {
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) a[row + i][column + k] = scale * b.m[i][k];
}

static HeftQuat turn_of(const Filter* f) { return heft_quat_from(f->quat); }

static void put_turn(Filter* f, HeftQuat q) {
  const HeftQuat unit = heft_quat_normalize(q);
  f->quat[0] = unit.w;
  f->quat[1] = unit.x;
  f->quat[2] = unit.y;
  f->quat[3] = unit.z;
}

// ---- the filter

static HeftVec3 reading(const HeftEstimator* e, const double* sensors, int sensor) {
  return heft_vec3_from(sensors + e->model->sensor_address[sensor]);
}

// Φ = 1 + A dt.
static void transition(const HeftEstimator* e, HeftMat3 r, double dt, double phi[N][N]) {
  const Filter* f = &e->f;
  const HeftMat3 one = heft_mat3_identity();
  memset(phi, 0, sizeof(double[N][N]));
  for (int i = 0; i < N; ++i) phi[i][i] = 1;
  const HeftVec3 g = heft_vec3_from(e->model->physics.gravity);
  put_block(phi, SPEED, TURN, heft_mat3_skew(g), dt);
  put_block(phi, PLACE, SPEED, one, dt);
  put_block(phi, TURN, GYRO, r, -dt);
  put_block(phi, SPEED, ACC, r, -dt);
  const double* moved[4] = {f->v, f->p, f->foot[0], f->foot[1]};
  for (int k = 0; k < 4; ++k)
    put_block(phi, SPEED + 3 * k, GYRO, heft_mat3_mul(heft_mat3_skew(heft_vec3_from(moved[k])), r),
              -dt);
}

// cov = Φ cov Φᵀ. Φ has few entries beside its diagonal.
static void carry(double phi[N][N], double cov[N][N]) {
  double half[N][N] = {{0}};
  for (int i = 0; i < N; ++i)
    for (int k = 0; k < N; ++k) {
      if (phi[i][k] == 0) continue;
      for (int j = 0; j < N; ++j) half[i][j] += phi[i][k] * cov[k][j];
    }
  memset(cov, 0, sizeof(double[N][N]));
  for (int j = 0; j < N; ++j)
    for (int k = 0; k < N; ++k) {
      if (phi[j][k] == 0) continue;
      for (int i = 0; i < N; ++i) cov[i][j] += phi[j][k] * half[i][k];
    }
}

// The noise of the gyro turns everything about the origin: B Bᵀ of its columns of Φ.
static void add_noise(Filter* f, const HeftEstimatorDef* d, double phi[N][N], const double slip[2],
                      double dt) {
  const double gyro = d->gyro_noise * d->gyro_noise / dt;
  for (int i = 0; i < GYRO; ++i)
    for (int j = 0; j < GYRO; ++j)
      for (int k = 0; k < 3; ++k) f->cov[i][j] += gyro * phi[i][GYRO + k] * phi[j][GYRO + k];
  for (int k = 0; k < 3; ++k) {
    f->cov[SPEED + k][SPEED + k] += d->accelerometer_noise * d->accelerometer_noise * dt;
    f->cov[GYRO + k][GYRO + k] += d->gyro_drift * d->gyro_drift * dt;
    f->cov[ACC + k][ACC + k] += d->accelerometer_drift * d->accelerometer_drift * dt;
    for (int side = 0; side < 2; ++side)
      f->cov[FOOT + 3 * side + k][FOOT + 3 * side + k] += slip[side] * slip[side] * dt;
  }
}

static void predict(HeftEstimator* e, HeftVec3 gyro, HeftVec3 acc, const double slip[2],
                    double dt) {
  Filter* f = &e->f;
  double phi[N][N];
  const HeftVec3 spin = heft_vec3_sub(gyro, heft_vec3_from(f->gyro_bias));
  put_turn(f, heft_quat_mul(turn_of(f), heft_quat_exp(heft_vec3_scale(dt, spin))));
  const HeftMat3 r = heft_quat_to_mat3(turn_of(f));
  const HeftVec3 push = heft_mat3_mul_vec(r, heft_vec3_sub(acc, heft_vec3_from(f->acc_bias)));
  const HeftVec3 a = heft_vec3_add(push, heft_vec3_from(e->model->physics.gravity));
  put(f->v, heft_vec3_add_scaled(heft_vec3_from(f->v), dt, a));
  put(f->p, heft_vec3_add_scaled(heft_vec3_from(f->p), dt, heft_vec3_from(f->v)));
  transition(e, r, dt, phi);
  carry(phi, f->cov);
  add_noise(f, &e->def, phi, slip, dt);
}

// X = exp(-ξ) X̂, to the second order in the turn.
static void apply(Filter* f, const double x[N]) {
  const HeftVec3 turn = heft_vec3_neg(heft_vec3_from(x + TURN));
  const HeftQuat q = heft_quat_exp(turn);
  put_turn(f, heft_quat_mul(q, turn_of(f)));
  double* moved[4] = {f->v, f->p, f->foot[0], f->foot[1]};
  for (int k = 0; k < 4; ++k) {
    const HeftVec3 by = heft_vec3_neg(heft_vec3_from(x + SPEED + 3 * k));
    const HeftVec3 bent = heft_vec3_add_scaled(by, 0.5, heft_vec3_cross(turn, by));
    put(moved[k], heft_vec3_add(heft_quat_rotate(q, heft_vec3_from(moved[k])), bent));
  }
  for (int k = 0; k < 3; ++k) {
    f->gyro_bias[k] -= x[GYRO + k];
    f->acc_bias[k] -= x[ACC + k];
  }
}

// A foot on the floor is measured one axis after the other: the noise has no correlation.
static void correct(HeftEstimator* e, int side, HeftVec3 seen) {
  Filter* f = &e->f;
  const HeftVec3 there = heft_vec3_sub(heft_vec3_from(f->foot[side]), heft_vec3_from(f->p));
  double z[3], x[N] = {0}, gain[N];
  put(z, heft_vec3_sub(heft_quat_rotate(turn_of(f), seen), there));
  const double noise = e->def.foot_noise * e->def.foot_noise;
  for (int k = 0; k < 3; ++k) {
    const int a = PLACE + k, b = FOOT + 3 * side + k;
    for (int i = 0; i < N; ++i) gain[i] = f->cov[i][a] - f->cov[i][b];
    const double left = z[k] - (x[a] - x[b]), spread = gain[a] - gain[b] + noise;
    for (int i = 0; i < N; ++i) x[i] += gain[i] / spread * left;
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) f->cov[i][j] -= gain[i] * gain[j] / spread;
  }
  apply(f, x);
}

static void land(HeftEstimator* e, int side, HeftVec3 seen) {
  Filter* f = &e->f;
  const int at = FOOT + 3 * side;
  put(f->foot[side], heft_vec3_add(heft_vec3_from(f->p), heft_quat_rotate(turn_of(f), seen)));
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < N; ++i) f->cov[at + k][i] = f->cov[PLACE + k][i];
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < N; ++i) f->cov[i][at + k] = f->cov[i][PLACE + k];
  for (int k = 0; k < 3; ++k) f->cov[at + k][at + k] += e->def.foot_noise * e->def.foot_noise;
}

// ---- encoders and springs

static void read_joints(HeftEstimator* e, const double* q, const double* v) {
  const HeftModel* m = e->model;
  for (int j = 0; j < m->njoint; ++j) {
    if (!e->driven[j]) continue;
    const int nq = heft_joint_type_q_count(m->joint_type[j]),
              nv = heft_joint_type_dof_count(m->joint_type[j]);
    memcpy(e->q + m->joint_q[j], q + m->joint_q[j], (size_t)nq * sizeof(double));
    memcpy(e->v + m->joint_dof[j], v + m->joint_dof[j], (size_t)nv * sizeof(double));
  }
}

// The sensor reads the wrench of the parent on the foot, which bends the springs against it.
static void read_springs(HeftEstimator* e, const double* sensors, double dt) {
  const HeftModel* m = e->model;
  const int nv = m->nv;
  for (int i = 0; i < e->springs; ++i) {
    const int dof = e->spring_dof[i], side = e->spring_side[i], site = e->site[side];
    const HeftPose at = heft_dynamics_site_pose(e->dynamics, site);
    const HeftVec3 force = heft_mat3_mul_vec(at.rot, reading(e, sensors, e->def.force[side])),
                   torque = heft_mat3_mul_vec(at.rot, reading(e, sensors, e->def.torque[side]));
    heft_dynamics_body_jacobian(e->dynamics, m->site_body[site], at.pos, e->jacobian);
    double carried = 0;
    for (int k = 0; k < 3; ++k) {
      const double f[3] = {force.x, force.y, force.z}, t[3] = {torque.x, torque.y, torque.z};
      carried += t[k] * e->jacobian[(long)k * nv + dof] + f[k] * e->jacobian[(3L + k) * nv + dof];
    }
    const double damping = dt > 0 ? m->dof_damping[dof] / dt : 0, before = e->f.spring[i];
    e->f.spring[i] = (damping * before - carried) / (m->dof_stiffness[dof] + damping);
    e->q[m->joint_q[m->dof_joint[dof]]] = e->f.spring[i];
    e->v[dof] = dt > 0 ? (e->f.spring[i] - before) / dt : 0;
  }
}

// ---- one step

static void set_root(HeftEstimator* e, HeftPose pose, HeftVec3 velocity, HeftVec3 spin) {
  const HeftModel* m = e->model;
  double *q = e->q + m->joint_q[e->root_joint], *v = e->v + m->joint_dof[e->root_joint];
  const HeftQuat turn = heft_quat_from_mat3(pose.rot);
  put(q, pose.pos);
  q[3] = turn.w;
  q[4] = turn.x;
  q[5] = turn.y;
  q[6] = turn.z;
  put(v, velocity);
  put(v + 3, spin);  // in the frame of the body
}

static void move(HeftEstimator* e) {
  heft_dynamics_kinematics(e->dynamics, e->q);
  heft_dynamics_velocities(e->dynamics, e->v);
}

// The root as the IMU moves.
static void publish(HeftEstimator* e, HeftVec3 gyro) {
  const Filter* f = &e->f;
  const HeftPose imu = heft_pose(heft_vec3_from(f->p), turn_of(f));
  const HeftPose root = heft_pose_mul(imu, heft_pose_inverse(e->imu));
  const HeftVec3 turning = heft_vec3_sub(gyro, heft_vec3_from(f->gyro_bias));
  const HeftVec3 spin = heft_mat3_mul_vec(e->imu.rot, turning);  // in the root's frame
  const HeftVec3 arm = heft_mat3_mul_vec(root.rot, heft_vec3_neg(e->imu.pos));
  const HeftVec3 v =
      heft_vec3_add(heft_vec3_from(f->v), heft_vec3_cross(heft_mat3_mul_vec(root.rot, spin), arm));
  set_root(e, root, v, spin);
  move(e);
}

static HeftVec3 sole_at(const HeftEstimator* e, int side) {
  const int body = e->model->shape_body[e->def.sole[side]];
  return heft_pose_apply(heft_dynamics_body_pose(e->dynamics, body), e->sole[side].pos);
}

void heft_estimator_reset(HeftEstimator* e, const double* q) {
  HEFT_REQUIRE_VOID(e && q);
  Filter* f = &e->f;
  memset(f, 0, sizeof *f);
  memcpy(e->q, q, (size_t)e->model->nq * sizeof(double));
  memset(e->v, 0, (size_t)e->model->nv * sizeof(double));
  move(e);
  const HeftPose imu = heft_pose_mul(heft_dynamics_body_pose(e->dynamics, e->root), e->imu);
  put_turn(f, heft_quat_from_mat3(imu.rot));
  put(f->p, imu.pos);
  static const double first[7] = {1e-2, 1e-2, 1e-3, 1, 1, 1e-2, 1e-1};  // by groups of three
  for (int i = 0; i < N; ++i) f->cov[i][i] = first[i / 3] * first[i / 3];
  for (int i = 0; i < e->springs; ++i)
    f->spring[i] = q[e->model->joint_q[e->model->dof_joint[e->spring_dof[i]]]];
  for (int side = 0; side < 2; ++side) {
    put(f->foot[side], sole_at(e, side));
    f->load[side] = 0.5 * e->weight;
  }
}

// The foot seen from the IMU, and the speed of its middle if it rolls over an edge.
static HeftVec3 see_foot(HeftEstimator* e, int side, double* roll) {
  const HeftPose imu = heft_pose_mul(heft_dynamics_body_pose(e->dynamics, e->root), e->imu);
  const HeftVec3 sole = sole_at(e, side);
  const int body = e->model->shape_body[e->def.sole[side]];
  const double spin = heft_vec3_norm(heft_dynamics_body_velocity(e->dynamics, body, sole).ang);
  *roll = spin * e->model->shape_size[3L * e->def.sole[side]];
  return heft_mat3_tmul_vec(imu.rot, heft_vec3_sub(sole, imu.pos));
}

void heft_estimator_step(HeftEstimator* e, const double* q, const double* v, const double* sensors,
                         double dt) {
  HEFT_REQUIRE_VOID(e && q && v && sensors && dt >= 0);
  Filter* f = &e->f;
  HeftVec3 seen[2];
  double slip[2];
  const HeftVec3 gyro = reading(e, sensors, e->def.gyro);
  read_joints(e, q, v);
  publish(e, gyro);
  read_springs(e, sensors, dt);
  publish(e, gyro);  // the root of the last step, for the views of the feet
  for (int side = 0; side < 2; ++side) {
    double roll;
    seen[side] = see_foot(e, side, &roll);
    slip[side] = e->def.foot_slip + sqrt(dt) * roll;
  }
  if (dt > 0) predict(e, gyro, reading(e, sensors, e->def.accelerometer), slip, dt);
  for (int side = 0; side < 2; ++side) {
    const HeftPose at = heft_dynamics_site_pose(e->dynamics, e->site[side]);
    f->load[side] = -heft_mat3_mul_vec(at.rot, reading(e, sensors, e->def.force[side])).z;
    const bool stood = f->stands[side] > 0,
               stands = f->load[side] > (stood ? e->def.leave : e->def.land) * e->weight;
    f->stands[side] = stands;
    if (stands && stood)
      correct(e, side, seen[side]);
    else if (stands)
      land(e, side, seen[side]);
  }
  publish(e, gyro);
}

// ---- results

const double* heft_estimator_q(const HeftEstimator* e) {
  HEFT_REQUIRE(e, NULL);
  return e->q;
}

const double* heft_estimator_v(const HeftEstimator* e) {
  HEFT_REQUIRE(e, NULL);
  return e->v;
}

const HeftDynamics* heft_estimator_dynamics(const HeftEstimator* e) {
  HEFT_REQUIRE(e, NULL);
  return e->dynamics;
}

double heft_estimator_load(const HeftEstimator* e, int side) {
  HEFT_REQUIRE(e && (side == 0 || side == 1), 0);
  return e->f.load[side];
}

void heft_estimator_memory(const HeftEstimator* e, double* numbers) {
  HEFT_REQUIRE_VOID(e && numbers);
  memset(numbers, 0, HEFT_ESTIMATOR_MEMORY * sizeof(double));
  memcpy(numbers, &e->f, sizeof e->f);
}

void heft_estimator_set_memory(HeftEstimator* e, const double* numbers) {
  HEFT_REQUIRE_VOID(e && numbers);
  memcpy(&e->f, numbers, sizeof e->f);
  for (int i = 0; i < e->springs; ++i)
    e->q[e->model->joint_q[e->model->dof_joint[e->spring_dof[i]]]] = e->f.spring[i];
}
