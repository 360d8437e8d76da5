// SPDX-License-Identifier: Apache-2.0
// The same floating trees in Heft and in MuJoCo: drift of momentum and energy side by side. Built
// where MuJoCo is installed (Debian: libmujoco-dev). The model is written as MJCF from ours, number
// by number, and both start from the same state.
//
//     bench_mujoco_drift [seconds, default 10] [speed of the joints, default 1]
#include <heft/world.h>
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/scenes.h"

static const double H = 0.001;

typedef struct Sums {
  HeftVec3 linear, angular;
  double energy;
} Sums;

typedef struct Drift {
  double linear, angular, energy;
} Drift;

static void drift_note(Drift* worst, const Sums* start, const Sums* now) {
  worst->linear = fmax(worst->linear, heft_vec3_norm(heft_vec3_sub(now->linear, start->linear)) /
                                          heft_vec3_norm(start->linear));
  worst->angular =
      fmax(worst->angular, heft_vec3_norm(heft_vec3_sub(now->angular, start->angular)) /
                               heft_vec3_norm(start->angular));
  worst->energy = fmax(worst->energy, fabs(now->energy - start->energy) / start->energy);
}

// ---- our model as MJCF

static void write_numbers(FILE* f, const char* name, const double* x, int count) {
  fprintf(f, " %s=\"", name);
  for (int i = 0; i < count; ++i) fprintf(f, "%s%.17g", i ? " " : "", x[i]);
  fprintf(f, "\"");
}

static void write_single(FILE* f, const HeftModel* m, int j, int turns, HeftVec3 axis, int i) {
  fprintf(f, "<joint type=\"%s\"", turns ? "hinge" : "slide");
  write_numbers(f, "pos", m->joint_pos + 3L * j, 3);
  write_numbers(f, "axis", &axis.x, 3);
  write_numbers(f, "ref", m->q_default + m->joint_q[j] + i, 1);
  fprintf(f, "/>\n");
}

// Joints with several coordinates become joints in a row, which is what they mean.
static void write_joint(FILE* f, const HeftModel* m, int j) {
  const double *a = m->joint_axis + 3L * j, *b = m->joint_axis2 + 3L * j;
  const HeftVec3 axis = {a[0], a[1], a[2]}, axis2 = {b[0], b[1], b[2]};
  switch (m->joint_type[j]) {
    case HEFT_JOINT_FREE:
      fprintf(f, "<freejoint/>\n");
      break;
    case HEFT_JOINT_BALL:
      fprintf(f, "<joint type=\"ball\"");
      write_numbers(f, "pos", m->joint_pos + 3L * j, 3);
      fprintf(f, "/>\n");
      break;
    case HEFT_JOINT_HINGE:
    case HEFT_JOINT_SLIDE:
      write_single(f, m, j, m->joint_type[j] == HEFT_JOINT_HINGE, axis, 0);
      break;
    case HEFT_JOINT_PLANAR:
      write_single(f, m, j, 0, axis, 0);
      write_single(f, m, j, 0, axis2, 1);
      write_single(f, m, j, 1, heft_vec3_cross(axis, axis2), 2);
      break;
    case HEFT_JOINT_UNIVERSAL:
      write_single(f, m, j, 1, axis, 0);
      write_single(f, m, j, 1, axis2, 1);
      break;
    case HEFT_JOINT_CYLINDRICAL:
      write_single(f, m, j, 0, axis, 0);
      write_single(f, m, j, 1, axis, 1);
      break;
    case HEFT_JOINT_FIXED:
    case HEFT_JOINT_TYPE_COUNT:
      break;
  }
}

static void write_body(FILE* f, const HeftModel* m, int b) {
  fprintf(f, "<body");
  write_numbers(f, "pos", m->body_pos + 3L * b, 3);
  write_numbers(f, "quat", m->body_quat + 4L * b, 4);
  fprintf(f, ">\n<inertial");
  write_numbers(f, "pos", m->body_com + 3L * b, 3);
  write_numbers(f, "mass", m->body_mass + b, 1);
  write_numbers(f, "fullinertia", m->body_inertia + 6L * b, 6);
  fprintf(f, "/>\n");
  for (int j = 0; j < m->body_joint_count[b]; ++j) write_joint(f, m, m->body_joint[b] + j);
  for (int c = b + 1; c < m->nbody; ++c) {
    if (m->body_parent[c] == b) write_body(f, m, c);
  }
  fprintf(f, "</body>\n");
}

static void write_mjcf(FILE* f, const HeftModel* m) {
  fprintf(f,
          "<mujoco><compiler angle=\"radian\" boundmass=\"0\" boundinertia=\"0\"/>\n"
          "<option gravity=\"0 0 0\" timestep=\"%.17g\"><flag energy=\"enable\"/></option>\n"
          "<worldbody>\n",
          H);
  for (int b = 1; b < m->nbody; ++b) {
    if (m->body_parent[b] == 0) write_body(f, m, b);
  }
  fprintf(f, "</worldbody></mujoco>\n");
}

// MuJoCo numbers bodies branch by branch, as the file holds them: copies q and v in that order.
static void reorder(const HeftModel* m, int b, const double* q, const double* v, double** peer_q,
                    double** peer_v) {
  for (int j = m->body_joint[b]; j < m->body_joint[b] + m->body_joint_count[b]; ++j) {
    const HeftJointType type = m->joint_type[j];
    for (int i = 0; i < heft_joint_type_q_count(type); ++i) *(*peer_q)++ = q[m->joint_q[j] + i];
    for (int i = 0; i < heft_joint_type_dof_count(type); ++i) *(*peer_v)++ = v[m->joint_dof[j] + i];
  }
  for (int c = b + 1; c < m->nbody; ++c) {
    if (m->body_parent[c] == b) reorder(m, c, q, v, peer_q, peer_v);
  }
}

// ---- both runs

static Sums heft_sums(HeftWorld* w) {
  const HeftDynamics* d = heft_world_dynamics(w);
  const HeftSpatial p = heft_dynamics_momentum(d, 0, heft_vec3(0, 0, 0));
  return (Sums){p.lin, p.ang, heft_dynamics_kinetic_energy(d, heft_world_state(w)->v)};
}

static Drift run_heft(const HeftModel* m, HeftIntegrator integrator, const double* q,
                      const double* v, int steps) {
  HeftWorldDef def = heft_world_def_default();
  def.integrator = integrator;
  def.time_step = H;
  HeftWorld* w = NULL;
  HeftState* state = NULL;
  if (heft_world_create(&w, m, &def, NULL) != HEFT_OK) abort();
  if (heft_state_create(&state, m, NULL, NULL) != HEFT_OK) abort();
  memcpy(state->q, q, (size_t)m->nq * sizeof *q);
  memcpy(state->v, v, (size_t)m->nv * sizeof *v);
  heft_world_set_state(w, state);
  Drift worst = {0, 0, 0};
  const Sums start = heft_sums(w);
  for (int i = 0; i < steps; ++i) {
    heft_world_step(w);
    const Sums now = heft_sums(w);
    drift_note(&worst, &start, &now);
  }
  heft_state_destroy(state);
  heft_world_destroy(w);
  return worst;
}

// Energies and momenta at the present state: the step leaves those of the old one.
static Sums mujoco_sums(const mjModel* m, mjData* d) {
  mj_forward(m, d);
  mj_subtreeVel(m, d);
  const mjtNum *com = d->subtree_com, *v = d->subtree_linvel, *l = d->subtree_angmom;
  const HeftVec3 linear = heft_vec3_scale(m->body_subtreemass[0], heft_vec3_from(v));
  const HeftVec3 angular =
      heft_vec3_add(heft_vec3_from(l), heft_vec3_cross(heft_vec3_from(com), linear));
  return (Sums){linear, angular, d->energy[0] + d->energy[1]};
}

static Drift run_mujoco(mjModel* m, int integrator, const double* q, const double* v, int steps,
                        Sums* start) {
  mjData* d = mj_makeData(m);
  m->opt.integrator = integrator;
  memcpy(d->qpos, q, (size_t)m->nq * sizeof *q);
  memcpy(d->qvel, v, (size_t)m->nv * sizeof *v);
  Drift worst = {0, 0, 0};
  *start = mujoco_sums(m, d);
  for (int i = 0; i < steps; ++i) {
    mj_step(m, d);
    const Sums now = mujoco_sums(m, d);
    drift_note(&worst, start, &now);
  }
  mj_deleteData(d);
  return worst;
}

static void print_drift(const char* scene, const char* who, const char* scheme, Drift d) {
  printf("%-8s %-14s %-8s %10.1e %10.1e %10.1e\n", scene, who, scheme, d.linear, d.angular,
         d.energy);
}

static int compare(const char* scene, double speed, int steps) {
  static const char* const file = "bench_mujoco_drift.xml";
  HeftModel* model = scene_create(scene, NULL);
  FILE* f = fopen(file, "w");
  if (!model || !f) return 1;
  write_mjcf(f, model);
  fclose(f);
  char error[1000] = "";
  mjModel* peer = mj_loadXML(file, NULL, error, sizeof error);
  remove(file);
  if (!peer || peer->nq != model->nq || peer->nv != model->nv) {
    fprintf(stderr, "MuJoCo does not take the model: %s\n", error);
    return 1;
  }
  double *q = calloc(2 * (size_t)model->nq, sizeof *q),
         *v = calloc(2 * (size_t)model->nv, sizeof *v);
  double *peer_q = q + model->nq, *peer_v = v + model->nv, *next_q = peer_q, *next_v = peer_v;
  scene_random_state(model, 11, speed, q, v);
  reorder(model, 0, q, v, &next_q, &next_v);
  char name[32];
  snprintf(name, sizeof name, "MuJoCo %s", mj_versionString());
  for (int i = 0; i < HEFT_INTEGRATOR_COUNT; ++i)
    print_drift(scene, "Heft", heft_integrator_name((HeftIntegrator)i),
                run_heft(model, (HeftIntegrator)i, q, v, steps));
  Sums start;
  print_drift(scene, name, "Euler", run_mujoco(peer, mjINT_EULER, peer_q, peer_v, steps, &start));
  print_drift(scene, name, "RK4", run_mujoco(peer, mjINT_RK4, peer_q, peer_v, steps, &start));

  // Both must speak of the same mechanism.
  HeftDynamics* d = NULL;
  if (heft_dynamics_create(&d, model, NULL, NULL) != HEFT_OK) return 1;
  heft_dynamics_kinematics(d, q);
  heft_dynamics_velocities(d, v);
  const double energy = heft_dynamics_kinetic_energy(d, v);
  const HeftSpatial p = heft_dynamics_momentum(d, 0, heft_vec3(0, 0, 0));
  printf("%-8s at the start both have the same energy to %.0e and L to %.0e\n", scene,
         fabs(energy - start.energy) / energy,
         heft_vec3_norm(heft_vec3_sub(p.ang, start.angular)) / heft_vec3_norm(p.ang));
  heft_dynamics_destroy(d);
  free(q);
  free(v);
  mj_deleteModel(peer);
  heft_model_destroy(model);
  return 0;
}

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? atof(argv[1]) : 10, speed = argc > 2 ? atof(argv[2]) : 1;
  printf(
      "%g s at 1 ms, joint speeds up to %g; largest relative drift\n%-8s %-14s %-8s %10s %10s "
      "%10s\n",
      seconds, speed, "scene", "engine", "scheme", "P", "L", "energy");
  return compare("chain", speed, (int)(seconds / H)) | compare("crowd", speed, (int)(seconds / H));
}
