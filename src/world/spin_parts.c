// SPDX-License-Identifier: Apache-2.0
// Fast rotation: the number of parts of a step.
//
// The scheme evaluates inertia and bias at one predicted point of the step. A tree that turns by a
// large angle passes other points, where both differ: its error grows with the third power of the
// angle, and beyond about one radian it exceeds the energy of the tree itself. The angle of a link
// against the world counts, ω h: in a chain of 60 links that turn by 10 rad/s against each other,
// the last one turns by 600 rad/s.
//
// Long chains fail at smaller angles. If N links of mass m and length l rotate with ω, the first
// one carries the force F = m l ω² N² / 2, and a joint under this force oscillates with
// √(4 F / m l) ≈ 1.4 N ω. So the angle of a tree whose longest branch has N links counts N / 8
// times, if this is more than once. The energy of a free rigid body is bounded by its momentum,
// which is conserved; its angle does not count.
//
// A link that turns fast is no error by itself: the bias of a wheel on its axis is zero. So if a
// tree turns fast, a trial step along the bias only, without weight and other forces, measures the
// error. This motion conserves the kinetic energy; the scheme changes it by a share e. If e is
// above the tolerance, the step is divided into parts: as many as reduce e, which falls with the
// third power, to the tolerance, but no more than needed to turn by a tenth of a radian in each.
#include <math.h>
#include <string.h>

#include "world/spin.h"

static const double fast_turn = 0.05;  // of a link in a part, above which its tree is watched [rad]
static const double part_turn = 0.1;   // of a link in a part: more parts are never needed [rad]
static const double tolerance = 1e-4;  // of the kinetic energy of a tree in a part
static const double asymptotic = 0.01;  // e below it follows the third power

// Roots of trees that are not watched if they have no other links: free rigid bodies. Trees on
// moved bodies never are: what moves them does work on them.
static int is_left_out(const HeftModel* m, int root) {
  return heft_link_dof_count(m, root) == 0 || heft_dof_is_free(m, heft_link_dof(m, root));
}

int heft_spin_is_harmless(const HeftModel* m) {
  for (int k = 1; k < heft_link_count(m); ++k) {
    if (heft_link_root(m, k) != k || !is_left_out(m, k)) return 0;
  }
  return 1;
}

void heft_spin_measure(SpinScratch* s, const HeftModel* m) {
  static const double short_branch = 8;  // links
  double* depth = s->reach;
  for (int k = 0; k < heft_link_count(m); ++k)
    depth[k] = k > 0 ? depth[heft_link_parent(m, k)] + 1 : 0;
  for (int k = heft_link_count(m) - 1; k > 0; --k) {
    double* root = &depth[heft_link_root(m, k)];
    *root = fmax(*root, depth[k]);
  }
  for (int k = 1; k < heft_link_count(m); ++k) {
    const int root = heft_link_root(m, k);
    const int single =
        root == k && is_left_out(m, k) && (s->reach[k] == 1 || heft_link_dof_count(m, k) == 0);
    if (root != k) s->reach[k] = s->reach[root];
    const double times = fmax(1, s->reach[k] / short_branch);
    if (root == k) s->reach[k] = single || heft_link_deforms(m, k) ? 0 : times * times;
  }
}

// Upper bounds of the largest squared angular velocity of a link, and of the same as it counts: the
// sums of all.
static void find_bounds(SpinScratch* s, const HeftDynamics* dynamics, int links) {
  V4 sum = v4_all(0), counted = v4_all(0);
  for (int k = 1; k < links; ++k) {
    const V4 omega = dynamics->velocity[k].ang, square = omega * omega;
    sum += square;
    counted += square * s->reach[k];
  }
  s->bound = v4_dot3(sum, v4_all(1));
  s->counted_bound = v4_dot3(counted, v4_all(1));
}

// Marks the trees with a link whose squared angular velocity, as it counts, is above max. Returns
// the largest one, or 0.
static double mark_fast(SpinScratch* s, const HeftModel* m, const HeftDynamics* dynamics,
                        double max) {
  double fastest = 0;
  memset(s->fast, 0, (size_t)heft_link_count(m) * sizeof(int));
  for (int k = 1; k < heft_link_count(m); ++k) {
    const V4 omega = dynamics->velocity[k].ang;
    const double square = s->reach[k] * v4_dot3(omega, omega);
    if (!(square > max)) continue;
    s->fast[heft_link_root(m, k)] = 1;
    fastest = fmax(fastest, square);
  }
  return fastest;
}

void heft_spin_find(SpinScratch* s, const StepInput* in, const HeftDynamics* dynamics,
                    const HeftState* state) {
  const HeftModel* m = in->model;
  const double max = fast_turn * fast_turn / (in->h * in->h);
  s->any = 0;
  find_bounds(s, dynamics, heft_link_count(m));
  if (s->counted_bound <= max) return;
  const double fastest = mark_fast(s, m, dynamics, max);
  s->any = fastest > 0;
  s->turn = sqrt(fastest) * in->h;
  if (!s->any) return;
  heft_spin_find_energies(dynamics, state->q, state->v, &s->start);
  memset(s->work, 0, (size_t)heft_link_count(m) * sizeof(double));
}

// The velocity after a step along the bias only, in two passes, as the scheme makes them. Returns 1
// if the mass matrix is not positive.
static int step_along_bias(SpinScratch* s, const StepInput* in, HeftDynamics* dynamics) {
  const HeftModel* m = in->model;
  const double* v = in->start->v;
  double *weight = s->bias.weight, *bias = s->bias.momentum, *turned = s->bias.turned;
  memset(s->bias.at_rest, 0, (size_t)m->nv * sizeof(double));
  heft_dynamics_crba(dynamics);
  if (heft_dynamics_factor(dynamics, NULL) != HEFT_OK) return 1;
  heft_dynamics_rnea(dynamics, s->bias.at_rest, NULL, weight);
  memcpy(turned, v, (size_t)m->nv * sizeof(double));
  for (int pass = 0; pass < 2; ++pass) {
    heft_dynamics_rnea(dynamics, turned, NULL, bias);
    for (int i = 0; i < m->nv; ++i) bias[i] -= weight[i];
    heft_dynamics_solve(dynamics, bias);
    const double time = pass == 0 ? 0.5 * in->h : in->h;
    for (int i = 0; i < m->nv; ++i) turned[i] = v[i] - time * bias[i];
  }
  return 0;
}

// The largest relative error of the kinetic energy of a tree that turns fast.
static double largest_error(const SpinScratch* s, const HeftModel* m) {
  double largest = 0;
  for (int k = 1; k < heft_link_count(m); ++k) {
    if (heft_link_root(m, k) != k || !s->fast[k]) continue;
    const double error = fabs(s->end.kinetic[k] / s->start.kinetic[k] - 1);
    if (!(error <= largest)) largest = error;
  }
  return largest;
}

static int parts_for_angle(double turn, int max) {
  const double parts = ceil(turn / part_turn);
  return parts < max ? (int)fmax(1, parts) : max;
}

static int parts_for_error(double error, int max) {
  int parts = 1;
  while (parts < max && error > tolerance * parts * parts * parts) ++parts;
  return parts;
}

int heft_spin_may_divide(const SpinScratch* s, int max) {
  return s->any && parts_for_angle(s->turn, max) > 1;
}

int heft_spin_parts(SpinScratch* s, const StepInput* in, HeftDynamics* dynamics, int max) {
  const HeftModel* m = in->model;
  const double* turned = s->bias.turned;
  const int enough = parts_for_angle(s->turn, max);
  heft_q_integrate(m, in->start->q, in->start->v, 0.5 * in->h, s->q);
  heft_dynamics_kinematics(dynamics, s->q);
  if (step_along_bias(s, in, dynamics)) return 1;
  heft_q_integrate(m, s->q, turned, 0.5 * in->h, s->q);
  heft_dynamics_kinematics(dynamics, s->q);
  heft_dynamics_velocities(dynamics, turned);
  heft_spin_find_energies(dynamics, s->q, turned, &s->end);
  const double error = largest_error(s, m);
  if (error <= tolerance) return 1;
  return error < asymptotic ? parts_for_error(error, enough) : enough;
}
