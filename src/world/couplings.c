// SPDX-License-Identifier: Apache-2.0
// Couplings: a damped spring between a frame of a body and a place in the world, in six dimensions.
//
//     f = k (t - x⁺) + c (ṫ - ẋ⁺),   x⁺ = x + h ẋ⁺
//
// t is where the target is at the end of the step, ṫ its velocity, ẋ = J v the velocity of the
// frame; rotations alike, with the rotation vector from the frame to the target. Position and
// velocity are those of the end of the step, so the spring becomes a part of the mass matrix,
//
//     M̂ += Jᵀ (h c + h² k) J,
//
// with which contact, joint limits and loops are solved too. The world's side of the spring is
// passive whatever its stiffness [Colgate 1995], whether the body flies or is
// wedged between others. The rows of J are those of one path of a tree, so nothing fills in.
#include "world/couplings.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "world/world_internal.h"

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
  }
  return max;
}

static void place(Couplings* c, Arena* arena, int nv, int path_max) {
  for (int i = 0; i < HEFT_COUPLING_MAX; ++i) {
    int* dof = arena_take(arena, path_max, int);
    double* arm = arena_take(arena, 6L * path_max, double);
    if (!arm) continue;
    c->list[i].dof = dof;
    for (int r = 0; r < 6; ++r) c->list[i].arm[r] = arm + (size_t)r * (size_t)path_max;
  }
  c->jacobian = arena_take(arena, 6L * nv, double);
}

HeftStatus heft_couplings_create(HeftWorld* w, HeftError* error) {
  const HeftAllocator* allocator = &w->def.allocator;
  const int path_max = longest_path(w->model), nv = w->model->nv;
  Couplings measured = {0};
  Arena sizes = arena_measure();
  arena_take(&sizes, 1, Couplings);
  place(&measured, &sizes, nv, path_max);
  Couplings* c = allocator->allocate(allocator->user, sizes.used, ARENA_ALIGNMENT);
  if (!c) {
    return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for couplings of %zu bytes",
                          sizes.used);
  }
  memset(c, 0, sizes.used);
  Arena arena = arena_make(c, sizes.used, NULL);
  arena_take(&arena, 1, Couplings);
  place(c, &arena, nv, path_max);
  c->path_max = path_max;
  c->memory_size = sizes.used;
  w->couplings = c;
  return HEFT_OK;
}

void heft_couplings_destroy(HeftWorld* w) {
  if (!w->couplings) return;
  w->def.allocator.release(w->def.allocator.user, w->couplings, w->couplings->memory_size);
  w->couplings = NULL;
}

void heft_couplings_clear(HeftWorld* w) { w->couplings->count = w->couplings->finished = 0; }

// ---- what was asked for

static int finite3(HeftVec3 a) { return isfinite(a.x) && isfinite(a.y) && isfinite(a.z); }

static int finite_pose(HeftPose x) {
  return finite3(x.pos) && finite3(heft_mat3_row(x.rot, 0)) && finite3(heft_mat3_row(x.rot, 1)) &&
         finite3(heft_mat3_row(x.rot, 2));
}

static int not_negative(double x) { return x >= 0 && isfinite(x); }

static int is_sound(const HeftWorld* w, const HeftCoupling* d) {
  return d->body >= 0 && d->body < w->model->nbody && finite_pose(d->at) &&
         finite_pose(d->target) && finite3(d->velocity.ang) && finite3(d->velocity.lin) &&
         not_negative(d->stiffness) && not_negative(d->damping) &&
         not_negative(d->rotational_stiffness) && not_negative(d->rotational_damping) &&
         not_negative(d->force_max) && not_negative(d->torque_max);
}

int heft_world_add_coupling(HeftWorld* w, const HeftCoupling* def) {
  HEFT_ASSERT(w && def);
  Couplings* c = w->couplings;
  if (c->count == HEFT_COUPLING_MAX || !is_sound(w, def)) return -1;
  Coupling* k = &c->list[c->count];
  k->def = *def;
  k->dof_count = 0;
  for (int link = heft_body_link(w->model, def->body); link > 0;
       link = heft_link_parent(w->model, link))
    k->dof_count += heft_link_dof_count(w->model, link);
  int at = k->dof_count;
  for (int link = heft_body_link(w->model, def->body); link > 0;
       link = heft_link_parent(w->model, link)) {
    const int first = heft_link_dof(w->model, link), n = heft_link_dof_count(w->model, link);
    at -= n;
    for (int i = 0; i < n; ++i) k->dof[at + i] = first + i;
  }
  c->wrench[c->count] = heft_spatial(heft_vec3(0, 0, 0), heft_vec3(0, 0, 0));
  return c->count++;
}

HeftSpatial heft_world_coupling_wrench(const HeftWorld* w, int coupling) {
  HEFT_ASSERT(w);
  const HeftSpatial none = {{0, 0, 0}, {0, 0, 0}};
  const Couplings* c = w->couplings;
  return coupling >= 0 && coupling < c->finished ? c->last[coupling] : none;
}

void heft_couplings_mark(const HeftWorld* w, int* active) {
  const Couplings* c = w->couplings;
  for (int i = 0; i < c->count; ++i) {
    if (c->list[i].dof_count > 0) active[heft_dof_root(w->model, c->list[i].dof[0])] = 1;
  }
}

// ---- forces

// A spring that pulls no harder than so much counts no more than so much stretch.
static HeftVec3 bounded(HeftVec3 stretch, double stiffness, double max) {
  const double size = heft_vec3_norm(stretch);
  if (max == 0 || !(stiffness * size > max)) return stretch;
  return heft_vec3_scale(max / (stiffness * size), stretch);
}

static void place_frame(HeftWorld* w, Coupling* k) {
  const HeftCoupling* d = &k->def;
  const HeftPose frame = heft_pose_mul(heft_dynamics_body_pose(w->dynamics, d->body), d->at);
  k->point = frame.pos;
  k->stretch = bounded(heft_vec3_sub(d->target.pos, frame.pos), d->stiffness, d->force_max);
  const HeftMat3 way = heft_mat3_mul(d->target.rot, heft_mat3_transpose(frame.rot));
  k->turn =
      d->rotational_stiffness > 0 ? heft_quat_log(heft_quat_from_mat3(way)) : heft_vec3(0, 0, 0);
  k->turn = bounded(k->turn, d->rotational_stiffness, d->torque_max);
}

static void fill_arms(HeftWorld* w, Coupling* k) {
  double* jacobian = w->couplings->jacobian;
  const int nv = w->model->nv;
  if (k->dof_count == 0) return;
  heft_dynamics_body_jacobian(w->dynamics, k->def.body, k->point, jacobian);
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

// The wrench at a velocity of the frame, with which it goes on for `ahead`.
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
  int count = 0;
  for (int r = 0; r < 6 && k->dof_count > 0; ++r) {
    if (scale[r / 3] == 0) continue;
    more[count++] =
        (Stiffening){.count = k->dof_count, .dof = k->dof, .arm = k->arm[r], .scale = scale[r / 3]};
  }
  return count;
}

int heft_couplings_act(HeftWorld* w, double* tau, Stiffening* more) {
  Couplings* c = w->couplings;
  const double h = w->def.time_step;
  int count = 0;
  for (int i = 0; i < c->count; ++i) {
    Coupling* k = &c->list[i];
    place_frame(w, k);
    fill_arms(w, k);
    pull(k, wrench_at(k, frame_velocity(k, w->state->v), h), tau);
    count += stiffen(k, h, more + count);
  }
  return count;
}

// A share of the mean over all parts of a step.
static void note(HeftWorld* w, int index, HeftSpatial wrench, double share) {
  Couplings* c = w->couplings;
  const Coupling* k = &c->list[index];
  const HeftSpatial part = heft_spatial_scale(share / w->def.substeps, wrench);
  c->wrench[index] = heft_spatial_add(c->wrench[index], part);
  heft_sensors_note(w, k->def.body, k->point, part.lin, part.ang);
}

void heft_couplings_finish(HeftWorld* w, const double* v, const double* middle,
                           HeftStepReport* report) {
  Couplings* c = w->couplings;
  const double h = w->def.time_step;
  for (int i = 0; i < c->count; ++i) {
    const Coupling* k = &c->list[i];
    const HeftSpatial wrench = wrench_at(k, frame_velocity(k, v), h);
    report->work += h * heft_spatial_dot(frame_velocity(k, middle), wrench);
    note(w, i, wrench, 1);
  }
}

double heft_couplings_stage(HeftWorld* w, const double* v, double share, double* tau) {
  Couplings* c = w->couplings;
  double power = 0;
  for (int i = 0; i < c->count; ++i) {
    Coupling* k = &c->list[i];
    place_frame(w, k);
    fill_arms(w, k);
    const HeftSpatial speed = frame_velocity(k, v), wrench = wrench_at(k, speed, 0);
    pull(k, wrench, tau);
    power += heft_spatial_dot(speed, wrench);
    note(w, i, wrench, share);
  }
  return power;
}

void heft_couplings_end(HeftWorld* w, int stepped) {
  Couplings* c = w->couplings;
  c->finished = stepped ? c->count : 0;
  for (int i = 0; i < c->finished; ++i) c->last[i] = c->wrench[i];
  c->count = 0;
}
