// SPDX-License-Identifier: Apache-2.0
// Papers: R70.
// The evaluation function of [Sugihara 2006], Eq. 33, over its weight λ, from results of single
// steps. The HOAP-1-like robot stands on the membrane of `lambda`. From that one state a step is
// taken under each λ from 1e-6 to 1e6, and both terms of the function are measured: the velocity
// that remains at the points, which is A Δf - v, and the impulses Δf. The velocity that the points
// have under the largest λ is -v.
//
// The text of the source says what Fig. 3 shows: for excess λ the forces leave the solution space
// of Eq. 32. It also says why λ is needed: with more than three vertices of a link A is singular,
// and Δf is not unique. The impulse that loads one diagonal of a sole and unloads the other is such
// a direction. The source gives no numbers, so the axes are ours.
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "experiments/acts.h"
#include "experiments/experiments.h"
#include "experiments/membrane.h"
#include "experiments/open_loop.h"
#include "experiments/poses.h"

enum { WEIGHTS = 25, POINTS = 8, ROWS = 3 * POINTS, FORCES = 3 };
enum { WEIGHT, LEFT, SIZE, LEAST, SHARE, OTHER, CHANNELS = OTHER + FORCES };
static const char* const names[CHANNELS] = {
    "log10 of lambda [1/kg2]", "velocity left", "impulse",      "both", "force",
    "forces of 0.01",          "forces of 1",   "forces of 100"};
static const double sticky = 100;  // a static friction that leaves the forces as Eq. 33 gives them
static const int chosen[FORCES] = {8, 12, 16};  // rows of λ = 0.01, 1 and 100

// A step: the impulses Δf, and the velocity A Δf - v that they leave.
typedef struct Trial {
  double lambda, impulse[ROWS], left[ROWS];
  double normal;  ///< sum of the normal impulses [N s]
  int points;
} Trial;

static double square(const double* x) {
  double sum = 0;
  for (int i = 0; i < ROWS; ++i) sum += x[i] * x[i];
  return sum;
}

// The evaluation function of one λ at the impulses that another one found.
static double cost(const Trial* t, double lambda) {
  return 0.5 * square(t->left) + 0.5 * lambda * square(t->impulse);
}

static void put(double* row, HeftVec3 v) {
  row[0] = v.x;
  row[1] = v.y;
  row[2] = v.z;
}

static int try_weight(Lab* lab, const HeftState* state, HeftDynamics* d, Trial* t) {
  HeftContactOptions o = membrane_options(&setting_usual, t->lambda);
  o.static_friction = sticky;
  o.membrane_stays = 0;  // the terms are those of the impulses alone
  heft_world_set_state(lab->world, state);
  if (!lab_use_now(lab, HEFT_CONTACT_MODEL_MICRO_MACRO, &o)) return 0;
  lab_drive(lab, &drives_small);
  lab_step_alone(lab);
  heft_dynamics_kinematics(d, state->q);
  heft_dynamics_velocities(d, heft_world_state(lab->world)->v);
  t->points = heft_world_contact_count(lab->world);
  for (int i = 0; i < t->points && i < POINTS; ++i) {
    const HeftContact c = heft_world_contact(lab->world, i);
    const int foot = c.body_a > 0 ? c.body_a : c.body_b;
    const double sign = c.body_a > 0 ? -1 : 1;
    const double h = heft_world_time_step(lab->world);
    put(t->impulse + 3 * i, heft_vec3_scale(sign * h, c.force));
    put(t->left + 3 * i, heft_dynamics_body_velocity(d, foot, c.pos).lin);
    t->normal += t->impulse[3 * i + 2];
  }
  return t->points == POINTS;
}

// Change of velocity at the points by a unit impulse that loads a diagonal of the first sole and
// unloads the other, over that by the same impulses with equal signs.
static double diagonal_moves(const Lab* lab, HeftDynamics* d, double* room) {
  HeftDelassusPoint at[POINTS];
  static double a[ROWS * ROWS];
  double moved[2] = {0, 0};
  for (int i = 0; i < POINTS; ++i) {
    const HeftContact c = heft_world_contact(lab->world, i);
    at[i] = (HeftDelassusPoint){c.body_a > 0 ? c.body_a : c.body_b, c.pos, heft_mat3_identity()};
  }
  heft_dynamics_delassus(d, HEFT_DELASSUS_DIRECT, POINTS, at, room, a);
  const HeftVec3 middle =
      heft_vec3_scale(0.25, heft_vec3_add(heft_vec3_add(at[0].point, at[1].point),
                                          heft_vec3_add(at[2].point, at[3].point)));
  for (int i = 0; i < ROWS; ++i) {
    double sum[2] = {0, 0};
    for (int k = 0; k < 4; ++k) {
      const HeftVec3 r = heft_vec3_sub(at[k].point, middle);
      sum[0] += a[i * ROWS + 3 * k + 2] * (r.x * r.y > 0 ? 1 : -1);
      sum[1] += a[i * ROWS + 3 * k + 2];
    }
    for (int k = 0; k < 2; ++k) moved[k] += sum[k] * sum[k];
  }
  return sqrt(moved[0] / moved[1]);
}

static void judge(Lab* lab, const Trial* t, double flat) {
  const Trial* none = &t[WEIGHTS - 1];
  const double free = sqrt(square(none->left));
  int rises = 1, falls = 1, cheaper = 0;
  for (int i = 0; i < WEIGHTS; ++i) {
    rises &= i == 0 || square(t[i].left) > square(t[i - 1].left);
    falls &= i == 0 || square(t[i].impulse) < square(t[i - 1].impulse);
    for (int k = 0; k < WEIGHTS; ++k)
      cheaper += cost(&t[k], t[i].lambda) < cost(&t[i], t[i].lambda) * (1 - 1e-9);
  }
  const double tiny = sqrt(square(t[4].left)) / free, one = sqrt(square(t[12].left)) / free;
  const double excess = sqrt(square(t[18].left)) / free;
  lab->success = tiny < 0.01;
  lab_claim(lab, tiny < 0.01, "for a tiny weight the forces lie in the solution space of Eq. 32",
            "[Sugihara 2006], III-B", "%.2g %% of the velocity remains at 1e-4, %.2g %% at 1",
            100 * tiny, 100 * one);
  lab_claim(lab, rises && excess > 0.5, "for excess weight the forces leave the solution space",
            "[Sugihara 2006], Fig. 3",
            "%.0f %% of the velocity remains at 1000, the force is %.0f %%", 100 * excess,
            100 * t[18].normal / t[0].normal);
  lab_claim(lab, falls && cheaper == 0,
            "the weight trades the velocity left for the norm of the forces, at least cost",
            "[Sugihara 2006], Eq. 33",
            "of the forces of %d other weights %d cost less, at any of %d", WEIGHTS - 1, cheaper,
            WEIGHTS);
  lab_claim(lab, flat < 1e-9, "without it four vertices of a link leave the forces open",
            "[Sugihara 2006], III-B", "a diagonal of a sole moves its points by %.0e of a push",
            flat);
}

static void draw_up(Lab* lab, const Trial* t) {
  const double unit = 0.5 * square(t[WEIGHTS - 1].left);
  lab_channels(lab, CHANNELS, names);
  lab_panel(lab, "Fig. 3: terms of the evaluation function at its minimum", "of v² / 2",
            (const char*[]){names[LEFT], names[SIZE], names[LEAST], NULL});
  lab_panel(lab, "Fig. 3: the function at forces of other weights", "of v² / 2, at most 2",
            (const char*[]){names[LEAST], names[OTHER], names[OTHER + 1], names[OTHER + 2], NULL});
  lab_panel(lab, "force of the ground", "of that without weight",
            (const char*[]){names[SHARE], NULL});
  for (int i = 0; i < WEIGHTS; ++i) {
    double row[CHANNELS] = {log10(t[i].lambda)};
    row[LEFT] = 0.5 * square(t[i].left) / unit;
    row[SIZE] = 0.5 * t[i].lambda * square(t[i].impulse) / unit;
    row[LEAST] = row[LEFT] + row[SIZE];
    row[SHARE] = t[i].normal / t[0].normal;
    for (int k = 0; k < FORCES; ++k)
      row[OTHER + k] = fmin(2, cost(&t[chosen[k]], t[i].lambda) / unit);
    lab_log(lab, row);
  }
}

void experiment_cost(Lab* lab) {
  HeftContactOptions o = membrane_options(&setting_usual, 0.01);
  o.membrane_stays = 0;
  static Trial t[WEIGHTS];
  HeftState* state = NULL;
  HeftDynamics* d = NULL;
  if (!lab_open(lab, "hoap_membrane.xml", pose_small) ||
      !lab_use_now(lab, HEFT_CONTACT_MODEL_MICRO_MACRO, &o) || !lab_raise(lab, 0.005))
    return;
  for (int i = 0; i < 1000; ++i) {
    lab_drive(lab, &drives_small);
    lab_step_alone(lab);
  }
  int well = heft_state_create(&state, lab->model, NULL, NULL) == HEFT_OK &&
             heft_dynamics_create(&d, lab->model, NULL, NULL) == HEFT_OK;
  if (well) heft_state_copy(state, heft_world_state(lab->world));
  for (int i = 0; i < WEIGHTS && well; ++i) {
    t[i] = (Trial){.lambda = pow(10, -6 + 0.5 * i)};
    well = try_weight(lab, state, d, &t[i]);
  }
  double* room = well ? lab_delassus_scratch(lab, d, state->q, POINTS) : NULL;
  if (room) {
    judge(lab, t, diagonal_moves(lab, d, room));
    draw_up(lab, t);
  }
  free(room);
  heft_dynamics_destroy(d);
  heft_state_destroy(state);
}
