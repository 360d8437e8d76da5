// SPDX-License-Identifier: Apache-2.0
// Chains that turn fast. Chains of 10 to 200 links start with random joint velocities of up to 1
// to 1000 rad/s, without drives: their energy can never exceed that of the start. Half of the
// chains have joint limits and dry friction. The short form tries some tens of starts, the long
// form ten thousand.
#include <math.h>

#include "scenes/random.h"
#include "validation/cases.h"

enum { LINKS_MIN = 10, LINKS_MAX = 200, STEPS = 25, SHORT_STARTS = 8, FULL_STARTS = 5000 };

// ---- random chains

static const double link_length = 0.05;  // [m]

static void put_link(HeftBuilder* builder, Random* r, int index, int floats, int held) {
  HeftBodyDef body = heft_body_def_default();
  HeftJointDef joint = heft_joint_def_default();
  const double mass = random_between(r, 0.02, 0.1),
               long_side = mass * link_length * link_length / 12;
  const int ball = random_index(r, 3) == 0, leans = random_index(r, 2);
  body.parent = index;  // the world is body 0
  body.pos = heft_vec3(0, 0, index == 0 ? 10 : -link_length);
  body.mass = mass;
  body.com = heft_vec3(0, 0, -0.5 * link_length);
  body.inertia = (HeftSym3){long_side, 1.1 * long_side, 0.2 * long_side, 0, 0, 0};
  joint.body = heft_builder_add_body(builder, &body);
  joint.type = index == 0 && floats ? HEFT_JOINT_FREE : ball ? HEFT_JOINT_BALL : HEFT_JOINT_HINGE;
  joint.axis = leans ? random_direction(r) : heft_vec3(0, 1, 0);
  if (held && joint.type == HEFT_JOINT_HINGE) {
    joint.limited[0] = random_index(r, 2);
    joint.range[0][0] = -random_between(r, 0.1, 2);
    joint.range[0][1] = random_between(r, 0.1, 2);
    joint.friction[0] = random_between(r, 0, 0.01);
  }
  heft_builder_add_joint(builder, &joint);
}

static HeftModel* make_chain(Random* r, int held) {
  static const double steps[] = {0.001, 0.002, 0.005};
  HeftBuilder* builder = NULL;
  HeftModel* m = NULL;
  const int links = LINKS_MIN + random_index(r, LINKS_MAX - LINKS_MIN + 1);
  const int floats = random_index(r, 3) == 0;
  if (heft_builder_create(&builder, NULL, NULL) != HEFT_OK) return NULL;
  heft_builder_set_physics(builder, (HeftPhysics){.gravity = {0, 0, -CASE_GRAVITY},
                                                  .time_step = steps[random_index(r, 3)]});
  for (int i = 0; i < links; ++i) put_link(builder, r, i, floats, held);
  if (heft_builder_finish(builder, &m, NULL) != HEFT_OK) m = NULL;
  heft_builder_destroy(builder);
  return m;
}

// Joint velocities of up to 1 to 1000 rad/s, each power of ten as often as the others.
static int spin_up(HeftWorld* w, const HeftModel* m, Random* r) {
  double v[6 * LINKS_MAX];
  double speed = random_between(r, 1, 10);
  for (int i = random_index(r, 3); i > 0; --i) speed *= 10;
  for (int i = 0; i < m->nv; ++i) v[i] = random_between(r, -speed, speed);
  return heft_world_set_v(w, 0, v, m->nv, NULL) == HEFT_OK;
}

// ---- the case

typedef struct Outcome {
  long steps, restrained, rolled_back;
  double most;          // energy above the start, as a share of the kinetic energy at the start
  double most_unaware;  // the same up to the first step with another status than solved
} Outcome;

static void follow(HeftWorld* w, Outcome* out) {
  HeftStepReport r = {0};
  const HeftState* state = heft_world_state(w);
  const HeftDynamics* dynamics = heft_world_dynamics(w);
  const double kinetic = heft_dynamics_kinetic_energy(dynamics, state->v);
  const double start = kinetic + heft_dynamics_potential_energy(dynamics, state->q);
  int told = 0;
  for (int i = 0; i < STEPS; ++i) {
    r = heft_world_step(w);
    const double gain = (r.kinetic + r.potential - start) / kinetic;
    told |= r.status != HEFT_STEP_SOLVED;
    out->restrained += r.restrained > 0;
    out->rolled_back += !heft_step_taken(r.status);
    if (!(gain <= out->most)) out->most = gain;
    if (!told && !(gain <= out->most_unaware)) out->most_unaware = gain;
  }
  out->steps += STEPS;
}

static Outcome try_chains(Run* run, int held, int starts) {
  Outcome out = {0};
  Random r = {(uint64_t)held};
  for (int i = 0; i < starts; ++i) {
    HeftWorld* w = NULL;
    HeftModel* m = make_chain(&r, held);
    const int made = m && heft_world_create(&w, m, NULL, NULL) == HEFT_OK && spin_up(w, m, &r);
    if (made)
      follow(w, &out);
    else
      out.most = (double)NAN;
    heft_world_destroy(w);
    heft_model_destroy(m);
    run_progress(run, (double)i / starts);
    if (run->full && (i + 1) % (FULL_STARTS / 20) == 0)
      fprintf(stderr, "chains: %s: %d starts, %ld steps refused, energy above the start %.3g\n",
              held ? "limits" : "open", i + 1, out.rolled_back, out.most);
  }
  return out;
}

static void report(Run* run, const Outcome* x, const char* text) {
  const double limit = 1e-3;
  char what[ROW_TEXT];
  snprintf(what, sizeof what, "%s: steps that are not finite or out of range", text);
  run_report(run, what, 0, (double)x->rolled_back, 0);
  snprintf(what, sizeof what, "%s: energy above its start, of the kinetic one", text);
  run_report_error(run, what, 0, x->most, fmax(0, x->most), limit);
  snprintf(what, sizeof what, "%s: the same, before a status says so", text);
  run_report_error(run, what, 0, x->most_unaware, fmax(0, x->most_unaware), limit);
  snprintf(what, sizeof what, "%s: steps that were restrained, of all", text);
  run_report_error(run, what, 0, (double)x->restrained / (double)x->steps, 0, 1);
}

// ---- sixty hinges

// A chain of 60 hinges that starts at 10 rad/s, for any engine: its energy above that of the start.
static void try_hinges(Run* run) {
  enum { LINKS = 60, STEPS_OF_RUN = 500 };
  static char text[16000];
  double v[LINKS], kinetic = 0, most = 0;
  size_t used = (size_t)snprintf(text, sizeof text,
                                 "<mujoco><option timestep=\"0.002\"/><worldbody><body pos=\"0 0 "
                                 "10\">");
  for (int i = 0; i < LINKS; ++i) {
    v[i] = 10;
    used += (size_t)snprintf(text + used, sizeof text - used,
                             "%s<joint axis=\"0 1 0\"/><geom type=\"capsule\" fromto=\"0 0 0 0 0 "
                             "-.05\" size=\".01\" mass=\".05\" contype=\"0\" conaffinity=\"0\"/>",
                             i > 0 ? "<body pos=\"0 0 -.05\">" : "");
  }
  for (int i = 0; i < LINKS; ++i)
    used += (size_t)snprintf(text + used, sizeof text - used, "</body>");
  used += (size_t)snprintf(text + used, sizeof text - used, "</worldbody></mujoco>");
  EngineSettings s = engine_settings();
  s.tolerance = 1e-8;
  if (!run_open_text(run, text, used, &s)) return;
  run_spin(run, v, LINKS);
  const double start = run_energy(run, &kinetic);
  for (int i = 0; i < STEPS_OF_RUN && run->engine->reason[0] == '\0'; ++i) {
    run_step(run, 1);
    const double gain = (run_energy(run, NULL) - start) / kinetic;
    if (!(gain <= most)) most = gain;
  }
  run_close(run);
  run_report_error(run, "60 hinges at 10 rad/s, 2 ms: energy above its start in 1 s, relative", 0,
                   most, isnan(most) ? most : fmax(0, most), 1e-3);
}

void case_chains(Run* run) {
  try_hinges(run);
  if (run->engine->type != &engine_heft) return;
  const int starts = run->full ? FULL_STARTS : SHORT_STARTS;
  const Outcome open = try_chains(run, 0, starts);
  report(run, &open, "open");
  const Outcome held = try_chains(run, 1, starts);
  report(run, &held, "limits, dry friction");
}
