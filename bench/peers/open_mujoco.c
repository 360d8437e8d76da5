// SPDX-License-Identifier: Apache-2.0
// MuJoCo for `heft experiment --peer mujoco`: the act of an experiment in open loop, stepped by
// MuJoCo. Heft plans the joint angles and computes the torques of the drives; MuJoCo gets torques
// and returns positions, velocities and forces of contacts.
// usage: heft_open_mujoco ACT MODELS SECONDS [OPTION=VALUE]...
// Options: cone (0 pyramidal, 1 elliptic), impratio, time (time constant of contacts [s]), step
// [s]. Prints a table as CSV (experiments/trace.h), or "no REASON".
#define _XOPEN_SOURCE 700  // nftw
#include "experiments/acts.h"
#include "experiments/trace.h"
#include "mujoco_model.h"

static const Act* const acts[] = {&act_pillar, &act_squat, &act_sway};
static mjModel* m;
static mjData* d;
static int substeps = 1;

static int stop(const char* reason) {
  printf("no %s\n", reason);
  return 1;
}

// Angular velocities of free joints are in the body's frame there, in the world's here.
static void turn_rates(const double* q, double* v, int back) {
  for (int j = 0; j < m->njnt; ++j) {
    if (m->jnt_type[j] != mjJNT_FREE) continue;
    double quat[4], out[3], *w = v + m->jnt_dofadr[j] + 3;
    memcpy(quat, q + m->jnt_qposadr[j] + 3, sizeof quat);
    if (back) mju_negQuat(quat, quat);
    mju_rotVecQuat(out, w, quat);
    memcpy(w, out, sizeof out);
  }
}

static int get_state(Lab* lab) {
  HeftState* s = NULL;
  if (heft_state_create(&s, lab->model, NULL, NULL) != HEFT_OK) return 0;
  memcpy(s->q, d->qpos, (size_t)m->nq * sizeof(double));
  memcpy(s->v, d->qvel, (size_t)m->nv * sizeof(double));
  turn_rates(d->qpos, s->v, 0);
  *s->time = d->time;
  const int taken = heft_world_set_state(lab->world, s) == HEFT_OK;
  heft_state_destroy(s);
  return taken;
}

static int sink(int body) {
  static const char* const names[] = {"left_foot", "right_foot", "right_hand",
                                      "left_toe",  "right_toe",  "right_thumb"};
  for (int i = 0; i < 6; ++i)
    if (mj_name2id(m, mjOBJ_BODY, names[i]) == body) return i % 3;
  return -1;
}

static void add_forces(HeftVec3 out[TRACE_FORCES]) {
  for (int i = 0; i < d->ncon; ++i) {
    const mjContact* c = &d->contact[i];
    double local[6], f[3];
    mj_contactForce(m, d, i, local);
    mju_rotVecMatT(f, local, c->frame);  // on the second geom
    for (int k = 0; k < 2; ++k) {
      const int at = sink(m->geom_bodyid[k ? c->geom2 : c->geom1]);
      if (at >= 0)
        out[at] = heft_vec3_add_scaled(out[at], (k ? 1.0 : -1.0) / substeps, heft_vec3_from(f));
    }
  }
}

// The rows come from step(), which has the forces.
static int note(Lab* lab, int begins) { return !begins || trace_record(lab, 1); }

static HeftStepReport step(Lab* lab) {
  HeftVec3 force[TRACE_FORCES] = {{0, 0, 0}};
  memcpy(d->ctrl, heft_world_controls(lab->world), (size_t)m->nu * sizeof(double));
  for (int i = 0; i < substeps; ++i) {
    mj_step(m, d);
    add_forces(force);
  }
  if (get_state(lab))
    trace_row(lab->trace, lab, force);
  else
    snprintf(lab->error, sizeof lab->error, "it left the range of numbers");
  return (HeftStepReport){.status = HEFT_STEP_SOLVED};
}

static int set_option(const char* text) {
  const char* value = strchr(text, '=');
  const double x = value ? strtod(value + 1, NULL) : 0;
  if (!value) return 0;
  if (strncmp(text, "cone=", 5) == 0) {
    m->opt.cone = x > 0.5 ? mjCONE_ELLIPTIC : mjCONE_PYRAMIDAL;
  } else if (strncmp(text, "impratio=", 9) == 0) {
    m->opt.impratio = x;
  } else if (strncmp(text, "time=", 5) == 0) {
    for (int g = 0; g < m->ngeom; ++g) m->geom_solref[mjNREF * g] = x;
  } else if (strncmp(text, "step=", 5) == 0 && x > 0) {
    substeps = (int)(m->opt.timestep / x + 0.5);
    m->opt.timestep /= substeps;
  } else {
    return 0;
  }
  return 1;
}

static void print_trace(const LabTrace* t) {
  for (int k = 0; k < t->columns; ++k) printf("%s%s", k ? "," : "", t->name[k]);
  printf("\n");
  for (long i = 0; i < t->rows; ++i)
    for (int k = 0; k < t->columns; ++k)
      printf("%.9g%s", t->number[i * t->columns + k], k + 1 < t->columns ? "," : "\n");
}

int main(int argc, char** argv) {
  char path[1200], message[1000] = "";
  const Act* act = NULL;
  if (print_version(argc, argv)) return 0;
  for (size_t i = 0; argc >= 4 && i < sizeof acts / sizeof *acts; ++i)
    if (strcmp(acts[i]->name, argv[1]) == 0) act = acts[i];
  if (!act) return stop("there is no such act: pillar, squat or sway");
  mju_user_warning = be_quiet;
  snprintf(path, sizeof path, "%.1000s/%s", argv[2], act->file);
  m = load_model(path, message, sizeof message);
  if (!m) return stop(message);
  for (int i = 4; i < argc; ++i)
    if (!set_option(argv[i])) return stop(argv[i]);
  d = mj_makeData(m);
  Lab lab = lab_make(argv[2]);
  LabTrace trace = trace_make(5);
  double* self = calloc(1, act->size);
  for (int i = 0; self && i < act->options.count; ++i)
    heft_options_set(act->options, self, act->options.option[i].name,
                     act->options.option[i].default_value, NULL);
  lab.step = step;
  lab.tracing = 1;
  lab.record = note;
  lab.trace = &trace;
  if (!d || !self || !act_open(act, &lab, self)) return stop(lab.error);
  if (lab.model->nq != m->nq || lab.model->nactuator != m->nu) return stop("the models differ");
  memcpy(d->qpos, lab.start, (size_t)m->nq * sizeof(double));
  while (lab_time(&lab) < strtod(argv[3], NULL) - 1e-9 && lab_upright(&lab) && !lab.error[0])
    act_step(act, &lab, self);
  if (lab.error[0]) return stop(lab.error);
  print_trace(&trace);
  trace_release(&trace);
  lab_release(&lab);
  free(self);
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
