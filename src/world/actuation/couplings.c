// SPDX-License-Identifier: Apache-2.0
// Couplings: a damped spring between a frame of a body and a target frame, in six dimensions.
//
//     f = k (t - x⁺) + c (ṫ - ẋ⁺),   x⁺ = x + h ẋ⁺
//
// t is the position of the target at the end of the step, ṫ its velocity, ẋ = J v the velocity of
// the frame; rotations alike, with the rotation vector from the frame to the target. Position and
// velocity are taken at the end of the step, so the spring becomes a part of the mass matrix,
//
//     M̂ += Jᵀ (h c + h² k) J,
//
// with which contact, joint limits and equalities are solved too. The world's side of the spring is
// passive for every stiffness [Colgate 1995], in free motion and in contact. The rows of J belong
// to one path of a tree, so the factor does not fill in.
#include "world/actuation/couplings.h"
#include "base/assert.h"

#include <math.h>
#include <string.h>

#include "dynamics/links.h"

// ---- memory

static int path_length(const HeftModel* m, int link) {
  int count = 0;
  for (int k = link; k > 0; k = heft_link_parent(m, k)) count += heft_link_dof_count(m, k);
  return count;
}

static int longest_path(const HeftModel* m) {
  int max = 0;
  for (int k = 1; k < heft_link_count(m); ++k) {
    const int length = path_length(m, k);
    max = length > max ? length : max;
    HEFT_ASSERT(max <= m->nv);
  }
  return max;
}

static void place(void* object, Arena* arena, const void* user) {
  Couplings* c = object;
  (void)user;
  for (int i = 0; i < HEFT_COUPLING_MAX; ++i) {
    int* dof = arena_take(arena, c->path_max, int);
    double* arm = arena_take(arena, 6L * c->path_max, double);
    if (!arm) continue;
    c->list[i].dof = dof;
    for (int r = 0; r < 6; ++r) c->list[i].arm[r] = arm + (size_t)r * (size_t)c->path_max;
  }
  c->jacobian = arena_take(arena, 6L * c->model->nv, double);
}

Couplings* heft_couplings_create(const HeftModel* m, const HeftAllocator* allocator,
                                 HeftError* error) {
  Couplings start = {.model = m, .path_max = longest_path(m)};
  return heft_block_create(&start, sizeof start, place, NULL, allocator, "couplings", error);
}

void heft_couplings_clear(Couplings* c) { c->count = c->finished = 0; }

// ---- the couplings of the next step

static int finite3(HeftVec3 a) { return isfinite(a.x) && isfinite(a.y) && isfinite(a.z); }

static int finite_pose(HeftPose x) {
  return finite3(x.pos) && finite3(heft_mat3_row(x.rot, 0)) && finite3(heft_mat3_row(x.rot, 1)) &&
         finite3(heft_mat3_row(x.rot, 2));
}

static int not_negative(double x) { return x >= 0 && isfinite(x); }

static int is_sound(const HeftModel* m, const HeftCoupling* d) {
  return d->body >= 0 && d->body < m->nbody && finite_pose(d->at) && finite_pose(d->target) &&
         finite3(d->velocity.ang) && finite3(d->velocity.lin) && not_negative(d->stiffness) &&
         not_negative(d->damping) && not_negative(d->rotational_stiffness) &&
         not_negative(d->rotational_damping) && not_negative(d->force_max) &&
         not_negative(d->torque_max);
}

int heft_couplings_add(Couplings* c, const HeftCoupling* def) {
  const HeftModel* m = c->model;
  if (c->count == HEFT_COUPLING_MAX || !is_sound(m, def)) return -1;
  Coupling* k = &c->list[c->count];
  const int body_link = heft_body_link(m, def->body);
  k->def = *def;
  k->dof_count = path_length(m, body_link);
  HEFT_ASSERT(k->dof_count <= c->path_max);
  int at = k->dof_count;
  for (int link = body_link; link > 0; link = heft_link_parent(m, link)) {
    const int first = heft_link_dof(m, link), n = heft_link_dof_count(m, link);
    at -= n;
    for (int i = 0; i < n; ++i) k->dof[at + i] = first + i;
  }
  HEFT_ASSERT(at == 0);
  c->wrench[c->count] = heft_spatial(heft_vec3(0, 0, 0), heft_vec3(0, 0, 0));
  return c->count++;
}

void heft_couplings_mark(const Couplings* c, int* tied) {
  for (int i = 0; i < c->count; ++i) {
    if (c->list[i].dof_count > 0) tied[heft_dof_root(c->model, c->list[i].dof[0])] = 1;
  }
}

// ---- forces

// The stretch of a spring, cut so that its force is at most `most`; 0: no limit.
static HeftVec3 bounded(HeftVec3 stretch, double stiffness, double max) {
  const double size = heft_vec3_norm(stretch);
  if (max == 0 || !(stiffness * size > max)) return stretch;
  return heft_vec3_scale(max / (stiffness * size), stretch);
}

static void place_frame(const HeftDynamics* dynamics, Coupling* k) {
  const HeftCoupling* d = &k->def;
  const HeftPose frame = heft_pose_mul(heft_dynamics_body_pose(dynamics, d->body), d->at);
  k->point = frame.pos;
  k->stretch = bounded(heft_vec3_sub(d->target.pos, frame.pos), d->stiffness, d->force_max);
  const HeftMat3 rotation = heft_mat3_mul(d->target.rot, heft_mat3_transpose(frame.rot));
  k->turn = d->rotational_stiffness > 0 ? heft_quat_log(heft_quat_from_mat3(rotation))
                                        : heft_vec3(0, 0, 0);
  k->turn = bounded(k->turn, d->rotational_stiffness, d->torque_max);
}

static void fill_arms(const HeftDynamics* dynamics, int nv, double* jacobian, Coupling* k) {
  if (k->dof_count == 0) return;
  heft_dynamics_body_jacobian(dynamics, k->def.body, k->point, jacobian);
  for (int r = 0; r < 6; ++r) {
    for (int i = 0; i < k->dof_count; ++i) k->arm[r][i] = jacobian[(long)r * nv + k->dof[i]];
  }
}

// J v.
static HeftSpatial frame_velocity(const Coupling* k, const double* v) {
  double sum[6] = {0};
  for (int r = 0; r < 6; ++r) {
    for (int i = 0; i < k->dof_count; ++i) sum[r] += k->arm[r][i] * v[k->dof[i]];
  }
  return heft_spatial(heft_vec3_from(sum), heft_vec3_from(sum + 3));
}

// The wrench at a velocity of the frame, after moving with it for the time `ahead`.
static HeftSpatial wrench_at(const Coupling* k, HeftSpatial v, double ahead) {
  const HeftCoupling* d = &k->def;
  const HeftVec3 stretch = heft_vec3_add_scaled(k->stretch, -ahead, v.lin),
                 turn = heft_vec3_add_scaled(k->turn, -ahead, v.ang);
  const HeftSpatial slip = heft_spatial_sub(d->velocity, v);
  return heft_spatial(
      heft_vec3_add_scaled(heft_vec3_scale(d->rotational_stiffness, turn), d->rotational_damping,
                           slip.ang),
      heft_vec3_add_scaled(heft_vec3_scale(d->stiffness, stretch), d->damping, slip.lin));
}

static void pull(const Coupling* k, HeftSpatial f, double* tau) {
  const double row[6] = {f.ang.x, f.ang.y, f.ang.z, f.lin.x, f.lin.y, f.lin.z};
  for (int i = 0; i < k->dof_count; ++i) {
    double sum = 0;
    for (int r = 0; r < 6; ++r) sum += row[r] * k->arm[r][i];
    tau[k->dof[i]] += sum;
  }
}

static int stiffen(const Coupling* k, double h, Stiffening* more) {
  const HeftCoupling* d = &k->def;
  const double scale[2] = {h * d->rotational_damping + h * h * d->rotational_stiffness,
                           h * d->damping + h * h * d->stiffness};
  HEFT_ASSERT(!(scale[0] < 0 || scale[1] < 0));
  int count = 0;
  for (int r = 0; r < 6 && k->dof_count > 0; ++r) {
    if (scale[r / 3] == 0) continue;
    more[count++] =
        (Stiffening){.count = k->dof_count, .dof = k->dof, .arm = k->arm[r], .scale = scale[r / 3]};
  }
  return count;
}

int heft_couplings_act(Couplings* c, const HeftDynamics* dynamics, double h, const double* v,
                       double* tau, Stiffening* more) {
  int count = 0;
  for (int i = 0; i < c->count; ++i) {
    Coupling* k = &c->list[i];
    place_frame(dynamics, k);
    fill_arms(dynamics, c->model->nv, c->jacobian, k);
    pull(k, wrench_at(k, frame_velocity(k, v), h), tau);
    count += stiffen(k, h, more + count);
    HEFT_ASSERT(count <= COUPLING_STIFFENINGS);
  }
  return count;
}

void heft_couplings_pull(const Couplings* c, double h, const double* v, double* tau) {
  for (int i = 0; i < c->count; ++i) {
    const Coupling* k = &c->list[i];
    pull(k, wrench_at(k, frame_velocity(k, v), h), tau);
  }
}

// Adds a share of the mean over all parts of all substeps.
static void note(Couplings* c, const HeftDynamics* dynamics, Sensors* sensors, int index,
                 HeftSpatial wrench, double share) {
  const Coupling* k = &c->list[index];
  const HeftSpatial part = heft_spatial_scale(share, wrench);
  c->wrench[index] = heft_spatial_add(c->wrench[index], part);
  heft_sensors_note(sensors, dynamics, k->def.body, k->point, part.lin, part.ang);
}

double heft_couplings_finish(Couplings* c, const StepInput* in, const HeftDynamics* dynamics,
                             Sensors* sensors, const double* v, const double* v_mean, double work) {
  const double h = in->h;
  for (int i = 0; i < c->count; ++i) {
    const Coupling* k = &c->list[i];
    const HeftSpatial wrench = wrench_at(k, frame_velocity(k, v), h);
    work += h * heft_spatial_dot(frame_velocity(k, v_mean), wrench);
    note(c, dynamics, sensors, i, wrench, h / in->def->time_step / in->def->substeps);
  }
  return work;
}

double heft_couplings_stage(Couplings* c, const StepInput* in, const HeftDynamics* dynamics,
                            Sensors* sensors, const double* v, double share, double* tau) {
  double power = 0;
  for (int i = 0; i < c->count; ++i) {
    Coupling* k = &c->list[i];
    place_frame(dynamics, k);
    fill_arms(dynamics, c->model->nv, c->jacobian, k);
    const HeftSpatial speed = frame_velocity(k, v), wrench = wrench_at(k, speed, 0);
    pull(k, wrench, tau);
    power += heft_spatial_dot(speed, wrench);
    note(c, dynamics, sensors, i, wrench, share / in->def->substeps);
  }
  return power;
}

void heft_couplings_end(Couplings* c, int stepped) {
  c->finished = stepped ? c->count : 0;
  for (int i = 0; i < c->finished; ++i) c->last[i] = c->wrench[i];
  c->count = 0;
}
