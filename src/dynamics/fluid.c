// SPDX-License-Identifier: Apache-2.0
// Forces of a fluid of density ρ and viscosity β that moves with the wind w.
//
// The fluid sees each body as the box of equal mass and inertia, uniformly filled: half sizes r
// along the principal axes follow from m r_x² = 3/2 (I_y + I_z - I_x). At the speed u of the box
// relative to the fluid and its angular velocity ω, along these axes, act (MuJoCo documentation,
// chapter Computation, section Fluid forces, inertia model)
//
//     force   -2 ρ r_j r_k |u_i| u_i            - 6 π β r u_i,      r = (r_x + r_y + r_z) / 3
//     torque  -½ ρ r_i (r_j⁴ + r_k⁴) |ω_i| ω_i  - 8 π β r³ ω_i,
//
// the drag of the faces and the resistance of a sphere. Nothing depends on the shapes of the body.
//
// Axes. Bodies with two equal moments are boxes with a square section, bodies with three are cubes;
// the tensor does not have the directions of these faces. A cube is turned as the body's frame, a
// square by the shortest turn of the body's z to the third axis, which points back to the body's
// origin: so they are in MuJoCo for capsules and cylinders from a joint to a point.
//
// Steps. With the rows J of a box, f = -D (J v - w), D = diag(c + d |u|) is taken at a velocity
// before the step and v at v + θ (v⁺ - v): M̂ += hθ Jᵀ D J. For θ = 1/2 the work h f · (v + v⁺) / 2
// is -h D ū² + h D ū · w: without wind it is never positive, at any h.
#include "dynamics/fluid.h"

#include <math.h>
#include <string.h>

#include "dynamics/links.h"

static const double equal = 1e-9;  // of the largest moment: principal moments that differ by less

// ---- boxes

// The shortest turn of z to a unit vector.
static HeftMat3 turn_to(HeftVec3 z) {
  const double s = sqrt(z.x * z.x + z.y * z.y);
  if (!(s > equal)) return heft_mat3_identity();
  const HeftVec3 axis = heft_vec3(-z.y / s, z.x / s, 0);
  return heft_quat_to_mat3(heft_quat_from_axis_angle(axis, heft_atan2(s, z.z)));
}

// Principal axes (columns), and the moments about them.
static HeftMat3 axes_of(HeftSym3 inertia, HeftVec3 com, HeftVec3* moments) {
  HeftVec3 e;
  HeftMat3 axes;
  heft_sym3_eigen(inertia, &e, &axes);
  *moments = e;
  const int first = e.x - e.y <= equal * e.x, last = e.y - e.z <= equal * e.x;
  if (!first && !last) return axes;
  *moments = first ? heft_vec3(e.x, e.y, e.z) : heft_vec3(e.z, e.y, e.x);
  if (first && last) return heft_mat3_identity();
  const HeftVec3 third = heft_mat3_column(axes, first ? 2 : 0);
  return turn_to(heft_vec3_scale(heft_vec3_dot(third, com) > 0 ? -1 : 1, third));
}

static double half_size(double mass, double along, double across1, double across2) {
  return sqrt(fmax(0, 1.5 / mass * (across1 + across2 - along)));
}

// Returns 0 if the fluid does not act on the body.
static int make_box(const HeftModel* m, int body, FluidBox* box) {
  const double mass = m->body_mass[body], *i = m->body_inertia + 6L * body;
  const double density = m->physics.density, viscosity = m->physics.viscosity;
  const int link = heft_body_link(m, body);
  if (!(mass > 0) || heft_link_last_dof(m, link) < 0 || heft_link_is_node(m, link)) return 0;
  HeftVec3 e;
  const HeftVec3 com = heft_vec3_from(m->body_com + 3L * body);
  const HeftMat3 axes = axes_of((HeftSym3){i[0], i[1], i[2], i[3], i[4], i[5]}, com, &e);
  const double r[3] = {half_size(mass, e.x, e.y, e.z), half_size(mass, e.y, e.z, e.x),
                       half_size(mass, e.z, e.x, e.y)};
  const double mean = (r[0] + r[1] + r[2]) / 3;
  *box = (FluidBox){.body = body, .at = {axes, com}};
  for (int k = 0; k < 3; ++k) {
    const double a = r[(k + 1) % 3], b = r[(k + 2) % 3];
    box->viscous[k] = 8 * HEFT_PI * viscosity * mean * mean * mean;
    box->viscous[3 + k] = 6 * HEFT_PI * viscosity * mean;
    box->drag[k] = 0.5 * density * r[k] * (a * a * a * a + b * b * b * b);
    box->drag[3 + k] = 2 * density * a * b;
  }
  return mean > 0;
}

static int path_length(const HeftModel* m, int body) {
  return m->tree->dof_depth[heft_link_last_dof(m, heft_body_link(m, body))] + 1;
}

int heft_fluid_count(const HeftModel* m, size_t* arms) {
  FluidBox box;
  int count = 0;
  *arms = 0;
  for (int b = 1; b < m->nbody && heft_fluid_acts(m); ++b) {
    if (!make_box(m, b, &box)) continue;
    *arms += 6 * (size_t)path_length(m, b);
    ++count;
  }
  return count;
}

void heft_fluid_create(const HeftModel* m, double* arms, FluidBox* boxes) {
  const HeftTree* t = m->tree;
  for (int b = 1; b < m->nbody && heft_fluid_acts(m); ++b) {
    if (!make_box(m, b, boxes)) continue;
    boxes->dof_count = path_length(m, b);
    boxes->dof = t->path + t->row[heft_link_last_dof(m, heft_body_link(m, b))];
    for (int k = 0; k < 6; ++k, arms += boxes->dof_count) boxes->arm[k] = arms;
    ++boxes;
  }
}

FluidBox* heft_dynamics_fluid(const HeftDynamics* d, int* count) {
  *count = d->fluid_count;
  return d->fluid;
}

// ---- forces

static void place_box(const HeftDynamics* d, FluidBox* box) {
  box->pose = heft_pose_mul(heft_dynamics_body_pose(d, box->body), box->at);
  const HeftMat3 to_box = heft_mat3_transpose(box->pose.rot);
  const HeftVec3 from_origin =
      heft_vec3_sub(box->pose.pos, heft_dynamics_tree_origin(d, box->body));
  const HeftVec3 wind = heft_mat3_mul_vec(to_box, heft_vec3_from(d->model->physics.wind));
  for (int i = 0; i < box->dof_count; ++i) {
    const HeftSpatial axis = heft_dof_axis(d, box->dof[i]);
    const HeftVec3 turn = heft_mat3_mul_vec(to_box, axis.ang);
    const HeftVec3 shift =
        heft_mat3_mul_vec(to_box, heft_vec3_add(axis.lin, heft_vec3_cross(axis.ang, from_origin)));
    const double row[6] = {turn.x, turn.y, turn.z, shift.x, shift.y, shift.z};
    for (int k = 0; k < 6; ++k) box->arm[k][i] = row[k];
  }
  box->wind[3] = wind.x, box->wind[4] = wind.y, box->wind[5] = wind.z;
}

void heft_fluid_place(HeftDynamics* d) {
  for (int b = 0; b < d->fluid_count; ++b) place_box(d, &d->fluid[b]);
}

// Motion of a row relative to the fluid.
static double slip_of(const FluidBox* box, int row, const double* v) {
  double sum = 0;
  for (int i = 0; i < box->dof_count; ++i) sum += box->arm[row][i] * v[box->dof[i]];
  return sum - box->wind[row];
}

void heft_fluid_linearise(HeftDynamics* d, const double* v) {
  for (int b = 0; b < d->fluid_count; ++b) {
    FluidBox* box = &d->fluid[b];
    for (int k = 0; k < 6; ++k)
      box->rate[k] = box->viscous[k] + box->drag[k] * fabs(slip_of(box, k, v));
  }
}

void heft_fluid_push(const HeftDynamics* d, const double* v, double* tau) {
  for (int b = 0; b < d->fluid_count; ++b) {
    const FluidBox* box = &d->fluid[b];
    for (int k = 0; k < 6; ++k) {
      const double force = -box->rate[k] * slip_of(box, k, v);
      for (int i = 0; i < box->dof_count; ++i) tau[box->dof[i]] += force * box->arm[k][i];
    }
  }
}

int heft_fluid_stiffen(HeftDynamics* d, double h, const double* theta, Stiffening* more) {
  int count = 0;
  for (int b = 0; b < d->fluid_count; ++b) {
    FluidBox* box = &d->fluid[b];
    box->theta = theta[box->dof[0]];
    for (int k = 0; k < 6; ++k) {
      HEFT_ASSERT(!(box->rate[k] < 0));
      if (box->rate[k] == 0) continue;
      more[count++] = (Stiffening){.count = box->dof_count,
                                   .dof = box->dof,
                                   .arm = box->arm[k],
                                   .scale = h * box->theta * box->rate[k]};
    }
  }
  return count;
}

void heft_fluid_power(const HeftDynamics* d, const double* v, double* work, double* lost) {
  for (int b = 0; b < d->fluid_count; ++b) {
    const FluidBox* box = &d->fluid[b];
    for (int k = 0; k < 6; ++k) {
      const double slip = slip_of(box, k, v), force = -box->rate[k] * slip;
      *work += force * box->wind[k];
      *lost -= force * slip;
    }
  }
}

HeftSpatial heft_fluid_wrench(const FluidBox* box, const double* v) {
  double f[6];
  for (int k = 0; k < 6; ++k) f[k] = -box->rate[k] * slip_of(box, k, v);
  return heft_spatial(heft_mat3_mul_vec(box->pose.rot, heft_vec3_from(f)),
                      heft_mat3_mul_vec(box->pose.rot, heft_vec3_from(f + 3)));
}

void heft_dynamics_fluid_forces(HeftDynamics* d, const double* v, double* tau) {
  HEFT_REQUIRE_VOID(d && v && tau);
  heft_fluid_place(d);
  heft_fluid_linearise(d, v);
  heft_fluid_push(d, v, tau);
}
