// SPDX-License-Identifier: Apache-2.0
// Papers: R7, U9, U10.
// Deformable bodies (docs/theory/deformables.md) against the theory of elasticity: uniform strain,
// compression, bending, waves; their momentum and energy while they ring; their weight at rest.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/block.h"
#include "validation/cases.h"

static int open_block(Run* run, const Block* b) {
  HeftError error = {0};
  HeftWorldDef def = heft_world_def_default();
  return run_open_model(run, block_model(b, &error), &def, &error);
}

// What is watched in every step of a case.
typedef struct Watch {
  double gain;     ///< largest rise of the energy in a step [J]
  double highest;  ///< largest energy of all steps [J]
  double residual;
  int unsolved, steps;
  double last;
} Watch;

static void watch_steps(Run* run, Watch* w, int count) {
  for (int i = 0; i < count && !run->engine->reason[0]; ++i) {
    run_step(run, 1);
    const HeftStepReport* r = &run->engine->report;
    const double energy = r->kinetic + r->potential;
    if (w->steps > 0) w->gain = fmax(w->gain, energy - w->last);
    w->highest = w->steps > 0 ? fmax(w->highest, energy) : energy;
    w->residual = fmax(w->residual, r->relative);
    w->unsolved += r->status != HEFT_STEP_SOLVED;
    w->last = energy;
    ++w->steps;
  }
}

// The force of the floor, upward [N].
static double floor_force(const HeftWorld* w) {
  double force = 0;
  for (int i = 0; i < heft_world_contact_count(w); ++i) {
    const HeftContact c = heft_world_contact(w, i);
    force += c.body_a == 0 ? c.force.z : -c.force.z;
  }
  return force;
}

// ---- strain

// A free bar with uneven tetrahedra under tension along x: every distance from the first node
// agrees with the uniform strain of the law. The largest error, of the strain. (A free body
// may turn a little while it finds its strain, so that distances are compared.)
static double patch_error(Run* run, double stress) {
  Block b = block_cube();
  b.half[0] = 0.1;
  b.cells[0] = 6;
  b.uneven = 1;
  b.step = 0.02;
  if (!open_block(run, &b)) return (double)NAN;
  HeftWorld* w = run->engine->world;
  const HeftModel* m = run->engine->model;
  double* force = heft_world_joint_forces(w);
  block_load(m, &b, 1, heft_vec3(stress, 0, 0), force);
  block_load(m, &b, -1, heft_vec3(-stress, 0, 0), force);
  run_step(run, 150);
  const double strain = stress / BLOCK_YOUNG;
  double worst = 0, along, across;
  block_stretch(&b, stress, &along, &across);
  for (int i = 1; i < m->nnode; ++i) {
    const HeftVec3 x = heft_vec3_sub(block_node(w, i), block_node(w, 0));
    const HeftVec3 r =
        heft_vec3_sub(heft_vec3_from(m->node_rest + 3L * i), heft_vec3_from(m->node_rest));
    const HeftVec3 e = heft_vec3(along * r.x, across * r.y, across * r.z);
    worst = fmax(worst, fabs(heft_vec3_norm(x) - heft_vec3_norm(e)) / (strain * 2 * b.half[0]));
  }
  run_close(run);
  return worst;
}

static void patches(Run* run) {
  run_report(run, "patch test, strain 0.001: error at all nodes, of the strain", 0,
             patch_error(run, 1e-3 * BLOCK_YOUNG), 1e-6);
  run_report(run, "patch test, strain 0.2: error at all nodes, of the strain", 0,
             patch_error(run, 0.2 * BLOCK_YOUNG), 1e-6);
}

// A cube stands on a smooth floor, the face at high x above.
static Block standing(void) {
  Block b = block_falling();
  b.quat = heft_quat_normalize(heft_quat(1, 0, -1, 0));
  b.pos.z = b.half[0] + b.radius;
  b.smooth = 1;
  b.step = 0.01;
  b.damping = 0.02;
  return b;
}

// A cube on a smooth floor under a pressure has the strain of its law.
static void compression(Run* run) {
  Block b = standing();
  const double pressure = 5e4, side = 2 * b.half[0];
  double along, across;
  block_stretch(&b, -pressure, &along, &across);
  b.gravity = 0;
  if (!open_block(run, &b)) return;
  HeftWorld* w = run->engine->world;
  const double area =
      block_load(run->engine->model, &b, 1, heft_vec3(0, 0, -pressure), heft_world_joint_forces(w));
  Watch watch = {0};
  watch_steps(run, &watch, 400);
  HeftVec3 low = block_node(w, 0), high = low;
  for (int i = 1; i < run->engine->model->nnode; ++i) {
    const HeftVec3 x = block_node(w, i);
    low = heft_vec3(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
    high = heft_vec3(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
  }
  const double force = floor_force(w);
  run_close(run);
  run_report_relative(run, "compression, 500 N on a cube: shortening [m]", side * (1 - along),
                      side - (high.z - low.z), 1e-5);
  run_report_relative(run, "the same: widening [m]", side * (across - 1), high.x - low.x - side,
                      1e-5);
  run_report_relative(run, "the same: force on the floor [N]", pressure * area, force, 1e-6);
  run_report(run, "the same: steps that are not solved", 0, watch.unsolved, 0);
}

// The volume of a cube of Poisson's ratio 0.49 under a fifth of its modulus, and that of its law.
static void squeeze(Run* run) {
  const double share = 0.2;
  Block b = standing();
  double along, across, volume = 0;
  b.gravity = 0;
  b.poisson = 0.49;
  block_stretch(&b, -share * BLOCK_YOUNG, &along, &across);
  if (!open_block(run, &b)) return;
  HeftWorld* w = run->engine->world;
  const HeftModel* m = run->engine->model;
  block_load(m, &b, 1, heft_vec3(0, 0, -share * BLOCK_YOUNG), heft_world_joint_forces(w));
  run_step(run, 400);
  for (int t = 0; t < m->ntetrahedron; ++t) {
    const int* corner = m->tetrahedron_node + 4L * t;
    HeftVec3 x[4];
    for (int k = 0; k < 4; ++k) x[k] = block_node(w, corner[k]);
    volume += heft_vec3_dot(heft_vec3_sub(x[1], x[0]),
                            heft_vec3_cross(heft_vec3_sub(x[2], x[0]), heft_vec3_sub(x[3], x[0]))) /
              6;
  }
  run_close(run);
  volume /= 8 * b.half[0] * b.half[1] * b.half[2];
  run_report_relative(run, "Poisson's ratio 0.49, a fifth of its modulus: volume, of rest",
                      along * across * across, volume, 1e-6);
}

// ---- bending

// The width has fewer cells than the height: nothing varies along it.
static double sag_of(Run* run, int cells, double load) {
  Block b = block_beam(block_cube(), cells);
  b.cells[1] = cells / 4;
  if (!open_block(run, &b)) return (double)NAN;
  block_load(run->engine->model, &b, 1, heft_vec3(0, 0, -load / 0.01),
             heft_world_joint_forces(run->engine->world));
  run_step(run, 30);
  const double sag = block_sag(run->engine->world, &b);
  run_close(run);
  return sag;
}

// The error is of second order in the width of the tetrahedra: two meshes give the limit.
static void beam(Run* run, int cells) {
  const Block b = block_beam(block_cube(), 1);
  const double load = 0.05, theory = block_theory_sag(&b, load);
  char what[ROW_TEXT];
  const double coarse = sag_of(run, cells, load), fine = sag_of(run, 2 * cells, load);
  snprintf(what, sizeof what, "cantilever, %d cells high: sag, of Timoshenko's (no limit)",
           2 * cells);
  run_report_error(run, what, 1, fine / theory, fabs(fine / theory - 1), HUGE_VAL);
  snprintf(what, sizeof what, "cantilever, limit of %d and %d cells: sag [m]", cells, 2 * cells);
  run_report_relative(run, what, theory, fine + (fine - coarse) / 3, 0.01);
}

// Nearly incompressible. Its clamped end cannot become thinner, which the theory does not know.
static void stiff_beam(Run* run, int cells, double limit) {
  Block b = block_beam(block_cube(), cells);
  const double load = 0.05;
  char what[ROW_TEXT];
  b.half[0] = 0.5;
  b.cells[0] = 10 * cells;
  b.poisson = 0.49;
  b.step = 1;
  if (!open_block(run, &b)) return;
  block_load(run->engine->model, &b, 1, heft_vec3(0, 0, -load / 0.01),
             heft_world_joint_forces(run->engine->world));
  run_step(run, 60);
  const double sag = block_sag(run->engine->world, &b);
  run_close(run);
  snprintf(what, sizeof what, "cantilever, Poisson's ratio 0.49, %d cells high: sag [m]", cells);
  run_report_relative(run, what, block_theory_sag(&b, load), sag, limit);
}

// Under a thrust, a small load across makes a column sag by δ, and 1 / δ falls to zero at the
// thrust that buckles it (Southwell's plot): Euler's, with the share of shear.
static double slope_of_column(Run* run, const Block* b, double thrust) {
  const double across = 1e-3;
  if (!open_block(run, b)) return (double)NAN;
  block_load(run->engine->model, b, 1, heft_vec3(-thrust / 0.01, 0, -across / 0.01),
             heft_world_joint_forces(run->engine->world));
  run_step(run, 60);
  const double sag = block_sag(run->engine->world, b);
  run_close(run);
  return across / sag;
}

static void buckling(Run* run) {
  Block b = block_beam(block_cube(), 4);
  b.half[0] = 0.4;
  b.cells[0] = 32;
  b.cells[1] = 1;
  b.step = 1;
  const double area = 4 * b.half[1] * b.half[2], length = 2 * b.half[0],
               inertia = area * b.half[2] * b.half[2] / 3, shear = BLOCK_YOUNG / 2;
  const double euler = HEFT_PI * HEFT_PI * BLOCK_YOUNG * inertia / (4 * length * length),
               theory = euler / (1 + 1.2 * euler / (shear * area));
  const double low = 0.7 * theory, high = 0.9 * theory, at_low = slope_of_column(run, &b, low),
               at_high = slope_of_column(run, &b, high);
  run_report_relative(run, "a column buckles, 4 cells across: thrust [N]", theory,
                      high + (high - low) * at_high / (at_low - at_high), 0.03);
}

// A smooth ball in a layer whose back is held. Displacement and pressure solve an integral equation
// (Hayes et al., Journal of Biomechanics 5, 1972). For Poisson's ratio 0.3 and a contact of the
// radius a = 0.2 of the thickness, Hertz's force 8 G a³ / 3 (1 - ν) R is 1.0041 times as large, and
// his depth a² / R 0.8876 times.
static void indentation(Run* run, int cells, double limit) {
  const double a = 0.02, radius = 20 * a, stiffness = BLOCK_YOUNG / (2 * 1.3 * 0.7);  // G / (1 - ν)
  char what[ROW_TEXT];
  Block b = block_cube();
  b.half[1] = b.half[2] = 0.2;
  b.cells[0] = cells;
  b.cells[1] = b.cells[2] = 3 * cells;
  b.held = b.smooth = 1;
  b.step = 0.02;
  b.damping = 0.05;
  b.radius = 1e-5;
  b.finer = 3;
  b.ball = radius;
  if (!open_block(run, &b)) return;
  HeftWorld* w = run->engine->world;
  const HeftModel* m = run->engine->model;
  heft_world_joint_forces(w)[m->joint_dof[0]] = -1.0041 * 8 / 3 * stiffness * a * a * a / radius;
  run_step(run, 60);
  const double depth = -heft_world_state(w)->q[m->joint_q[0]];
  run_close(run);
  snprintf(what, sizeof what, "a ball in a layer (Hertz), %d cells deep: depth [m]", cells);
  run_report_relative(run, what, 0.8876 * a * a / radius, depth, limit);
}

// ---- motion

// Stretches a free block by a strain along x, and lets it turn.
static void stretch(Run* run, double strain, HeftVec3 omega) {
  const HeftModel* m = run->engine->model;
  double* q = calloc((size_t)m->nq + (size_t)m->nv, sizeof *q);
  if (!q) abort();
  double* v = q + m->nq;
  for (int i = 0; i < m->nnode; ++i) {
    const HeftVec3 r = heft_vec3_from(m->node_rest + 3L * i);
    const HeftVec3 u = heft_vec3_cross(omega, heft_vec3((1 + strain) * r.x, r.y, r.z));
    const int dof = block_dof(m, i);
    q[m->joint_q[m->body_joint[m->node_body[i]]]] = strain * r.x;
    v[dof] = u.x;
    v[dof + 1] = u.y;
    v[dof + 2] = u.z;
  }
  heft_world_set_q(run->engine->world, 0, q, m->nq, NULL);
  heft_world_set_v(run->engine->world, 0, v, m->nv, NULL);
  free(q);
}

// The elastic energy of a strain along one axis, V (µ + λ/2) ε² [J].
static double strain_energy(const Block* b, double strain) {
  const double lame = b->poisson / ((1 + b->poisson) * (1 - 2 * b->poisson));
  const double modulus = BLOCK_YOUNG * (0.5 / (1 + b->poisson) + 0.5 * lame);
  return 8 * b->half[0] * b->half[1] * b->half[2] * modulus * strain * strain;
}

// A free block without viscosity is stretched by a tenth and let go, at rest or while it turns. Its
// energy never rises and its momentum stays. If it turns, its energy may rise by the share
// (h ω)² / 2 of its kinetic energy, until it has found the stretch of its rotation.
static void ringing(Run* run, HeftVec3 omega) {
  Block b = block_cube();
  b.half[0] = 0.1;
  b.cells[0] = 6;
  const double strain = 0.1, turn = heft_vec3_norm(omega);
  const HeftVec3 origin = heft_vec3(0, 0, 0);
  if (!open_block(run, &b)) return;
  stretch(run, strain, omega);
  const HeftDynamics* d = heft_world_dynamics(run->engine->world);
  const double moving = heft_dynamics_kinetic_energy(d, heft_world_state(run->engine->world)->v);
  const double first = strain_energy(&b, strain) + moving;
  const HeftSpatial before = heft_dynamics_momentum(d, 0, origin);
  Watch w = {0};
  watch_steps(run, &w, run->full ? 20000 : 300);
  const HeftSpatial after = heft_dynamics_momentum(d, 0, origin);
  run_close(run);
  char what[ROW_TEXT];
  snprintf(what, sizeof what, "ringing, %g rad/s: largest rise of energy in a step [J]", turn);
  run_report(run, what, 0, fmax(w.gain, w.highest - first),
             1e-13 * first + 0.5 * turn * turn * b.step * b.step * moving);
  snprintf(what, sizeof what, "the same: energy after %d steps, of the first (no limit)", w.steps);
  run_report(run, what, 0, w.last / first, HUGE_VAL);
  run_report(run, "the same: change of its momentum [kg m/s]", 0,
             heft_vec3_norm(heft_vec3_sub(after.lin, before.lin)), 1e-12);
  if (turn > 0)
    run_report(run, "the same: change of its angular momentum, relative", 0,
               heft_vec3_norm(heft_vec3_sub(after.ang, before.ang)) / heft_vec3_norm(before.ang),
               0.01);
  run_report(run, "the same: steps that are not solved", 0, w.unsolved, 0);
}

// A bar that is held at one end rings along its length: its period is 4 l / c, c = sqrt(E / ρ).
static void wave(Run* run) {
  Block b = block_beam(block_cube(), 1);
  b.cells[0] = 20;
  b.step = 1e-4;
  const double length = 2 * b.half[0];
  const double period = 4 * length / sqrt(BLOCK_YOUNG / BLOCK_DENSITY);
  if (!open_block(run, &b)) return;
  HeftWorld* w = run->engine->world;
  const HeftModel* m = run->engine->model;
  double* v = calloc((size_t)m->nv, sizeof *v);
  int end = 0;
  if (!v) abort();
  for (int i = 0; i < m->nnode; ++i) {  // the shape of the lowest mode
    const double x = m->node_rest[3L * i] + b.half[0];
    if (x > length - 1e-9) end = i;
    if (x > 1e-9) v[block_dof(m, i)] = 0.01 * heft_sin(0.5 * HEFT_PI * x / length);
  }
  heft_world_set_v(w, 0, v, m->nv, NULL);
  free(v);
  // passes through its rest at each half period, told between two steps
  const double rest = block_node(w, end).x;
  double crossings[2], before = 0;
  int count = 0;
  for (int i = 1; i < 2000 && count < 2 && !run->engine->reason[0]; ++i) {
    run_step(run, 1);
    const double x = block_node(w, end).x - rest;
    if (i > 1 && x * before < 0) crossings[count++] = b.step * (i - 1 + before / (before - x));
    before = x;
  }
  run_close(run);
  run_report_relative(run, "a bar rings along its length: period [s]", period,
                      count == 2 ? 2 * (crossings[1] - crossings[0]) : (double)NAN, 0.01);
}

// ---- rest

// A block falls by 2 cm on a floor, comes to rest, and the floor carries its weight.
static void rest(Run* run) {
  Block b = block_falling();
  b.pos.z = b.half[2] + b.radius + 0.02;
  b.damping = 0.01;
  if (run->full) b.cells[0] = b.cells[1] = b.cells[2] = 6;
  if (!open_block(run, &b)) return;
  Watch w = {0};
  watch_steps(run, &w, 700);
  const double force = floor_force(run->engine->world);
  const double weight = CASE_GRAVITY * heft_model_mass(run->engine->model);
  const double kinetic = run->engine->report.kinetic;
  run_close(run);
  run_report_relative(run, "a block at rest: force of the floor, its weight [N]", weight, force,
                      1e-6);
  run_report(run, "the same: kinetic energy [J]", 0, kinetic, 1e-12);
  run_report(run, "the same, with its fall: largest rise of energy in a step [J]", 0, w.gain, 1e-9);
  run_report(run, "the same: steps that are not solved", 0, w.unsolved, 0);
  run_report(run, "the same: largest residual, relative", 0, w.residual, 1e-6);
}

// Stands on its lower face: its own weight shortens it by ρ g l² / 2 E.
static void own_weight(Run* run) {
  Block b = standing();
  b.poisson = 0;
  b.half[0] = 0.2;
  b.cells[0] = 12;
  b.pos.z = b.half[0] + b.radius;
  if (!open_block(run, &b)) return;
  Watch w = {0};
  watch_steps(run, &w, 300);
  double top = 0;
  for (int i = 0; i < run->engine->model->nnode; ++i)
    top = fmax(top, block_node(run->engine->world, i).z);
  run_close(run);
  const double length = 2 * b.half[0];
  run_report_relative(run, "a column shortens by its weight [m]",
                      BLOCK_DENSITY * CASE_GRAVITY * length * length / (2 * BLOCK_YOUNG),
                      length + b.radius - top, 0.01);
}

void case_deform(Run* run) {
  patches(run);
  compression(run);
  squeeze(run);
  beam(run, 4);
  if (run->full) beam(run, 8);
  stiff_beam(run, 2, 0.1);
  if (run->full) stiff_beam(run, 4, 0.05);
  buckling(run);
  indentation(run, run->full ? 6 : 4, run->full ? 0.02 : 0.06);
  wave(run);
  ringing(run, heft_vec3(0, 0, 0));
  ringing(run, heft_vec3(1, -2, 2));
  own_weight(run);
  rest(run);
}
