// SPDX-License-Identifier: Apache-2.0
// Contacts and joint limits dissipate energy and never add any. In every step of many random worlds
// the work of all constraint impulses is compared with the kinetic energy. The short form takes a
// few thousand steps, the long form ten million.
//
// With restitution a contact may return energy: at most e |u⁻| per unit of its normal impulse, with
// the approach speed u⁻. The step report contains this bound.
#include <heft/io.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "scenes/random.h"
#include "validation/cases.h"

enum { TEXT_MAX = 16384, WORLD_STEPS = 500 };

// ---- random worlds, as MJCF

typedef struct Text {
  char bytes[TEXT_MAX];
  size_t length;
} Text;

static void put(Text* t, const char* format, ...) {
  va_list list;
  va_start(list, format);
  const int n = vsnprintf(t->bytes + t->length, TEXT_MAX - t->length, format, list);
  va_end(list);
  if (n > 0 && (size_t)n < TEXT_MAX - t->length) t->length += (size_t)n;
}

static void put_quat(Text* t, Random* r) {
  const HeftQuat q = random_quat(r);
  put(t, " quat=\"%.6f %.6f %.6f %.6f\"", q.w, q.x, q.y, q.z);
}

static void put_shape(Text* t, Random* r) {
  const double a = random_between(r, 0.02, 0.08), b = random_between(r, 0.02, 0.08),
               c = random_between(r, 0.02, 0.08);
  static const char* const names[] = {"box", "sphere", "capsule", "cylinder", "ellipsoid"};
  const char* name = names[random_index(r, 5)];
  const double density = random_between(r, 100, 4000);
  put(t, "<geom type=\"%s\" size=\"%.4f %.4f %.4f\" density=\"%.0f\"/>", name, a, b, c, density);
}

static void begin_world(Text* t, Random* r) {
  const double step = random_between(r, 0.0005, 0.003), friction = random_between(r, 0, 1.2);
  t->length = 0;
  put(t,
      "<mujoco><option timestep=\"%.4f\"/><default><geom friction=\"%.3f\"/></default>"
      "<worldbody><geom type=\"plane\" size=\"50 50 1\"/>",
      step, friction);
}

static void end_world(Text* t, const char* after) { put(t, "</worldbody>%s</mujoco>", after); }

// Two to nine bodies fall on each other; in half of the worlds into a corner of two walls.
static void make_pile(Text* t, Random* r) {
  const int bodies = 2 + random_index(r, 8);
  begin_world(t, r);
  if (random_index(r, 2))
    put(t,
        "<geom type=\"plane\" size=\"5 5 1\" pos=\"-0.15 0 0\" zaxis=\"1 0 0\"/>"
        "<geom type=\"plane\" size=\"5 5 1\" pos=\"0 -0.15 0\" zaxis=\"0 1 1\"/>");
  for (int i = 0; i < bodies; ++i) {
    const HeftVec3 aside = random_vec3(r, 0.05);
    put(t, "<body pos=\"%.4f %.4f %.4f\"", aside.x, aside.y, 0.12 + 0.17 * i);
    put_quat(t, r);
    put(t, "><freejoint/>");
    put_shape(t, r);
    put(t, "</body>");
  }
  end_world(t, "");
}

static void put_joint(Text* t, Random* r) {
  const int ball = random_index(r, 3) == 0, leans = random_index(r, 2), stops = random_index(r, 2);
  const double low = random_between(r, 5, 90), high = random_between(r, 5, 90),
               dry = random_between(r, 0, 0.02);
  if (ball)
    put(t, "<joint type=\"ball\"/>");
  else
    put(t,
        "<joint type=\"hinge\" axis=\"0 %d 1\" limited=\"%s\" range=\"-%.2f %.2f\" "
        "frictionloss=\"%.3f\"/>",
        leans, stops ? "true" : "false", low, high, dry);
}

// Two to seven links with ball joints or hinges, some of them with limits and dry friction, fall on
// the floor. Half of the longer chains are closed loops.
static void make_chain(Text* t, Random* r) {
  const int links = 2 + random_index(r, 6), ring = links > 3 && random_index(r, 2);
  const double turn = ring ? 360.0 / links : 0;
  begin_world(t, r);
  put(t, "<body name=\"first\" pos=\"0 0 %.4f\"", random_between(r, 0.1, 0.5));
  put_quat(t, r);
  put(t, "><freejoint/>");
  for (int i = 0; i < links; ++i) {
    if (i > 0) {
      put(t, "<body name=\"link%d\" pos=\"0.12 0 0\" axisangle=\"0 0 1 %.12g\">", i, turn);
      put_joint(t, r);
    }
    const double radius = random_between(r, 0.01, 0.025), density = random_between(r, 300, 3000);
    put(t, "<geom type=\"capsule\" fromto=\"0.03 0 0 0.09 0 0\" size=\"%.4f\" density=\"%.0f\"/>",
        radius, density);
  }
  for (int i = 0; i < links; ++i) put(t, "</body>");
  char loop[200] = "";
  if (ring)
    snprintf(loop, sizeof loop,
             "<equality><connect body1=\"link%d\" body2=\"first\" anchor=\"0.12 0 0\"/></equality>",
             links - 1);
  end_world(t, loop);
}

// ---- energy of contacts

static double total_mass(const HeftModel* m) {
  double mass = 0;
  for (int i = 0; i < m->nbody; ++i) mass += m->body_mass[i];
  return mass;
}

static int throw_about(HeftWorld* w, const HeftModel* m, Random* r) {
  HeftState* state = NULL;
  if (heft_state_create(&state, m, NULL, NULL) != HEFT_OK) return 0;
  heft_state_copy(state, heft_world_state(w));
  const double speed = random_between(r, 0, 4);
  for (int i = 0; i < m->nv; ++i) state->v[i] = random_between(r, -speed, speed);
  const int taken = heft_world_set_state(w, state) == HEFT_OK;
  heft_state_destroy(state);
  return taken;
}

// The energy that the impulses of a step added. With contact, and in steps of first order, they add
// none to the motion without them. Loops, limits and dry friction without contact have the rows of
// the middle of the step (src/world/midpoint.c), and do no work at the mean velocity; to the motion
// without them they may add some of the order h³. In a step in which dry friction turns a joint
// back, it acts at the velocity of the end, and the mean still has the sign of the start. So each
// step without contact is judged by the smaller of both.
static double added(const HeftStepReport* r) {
  const double joints = r->limit_work + r->loop_work + r->friction_work;
  return r->contact_count == 0 ? fmin(joints, r->impulse_energy) : r->impulse_energy;
}

// Max energy that contacts added in a step beyond the bound of restitution, relative to the kinetic
// energy, or to that of one step of free fall if this is larger. NaN if a step failed.
static double worst_gain(const HeftModel* m, Random* r, int steps) {
  HeftWorldDef def = heft_world_def_default();
  HeftWorld* w = NULL;
  def.tolerance = 1e-8;
  double worst = -1;
  if (heft_world_create(&w, m, &def, NULL) != HEFT_OK || !throw_about(w, m, r)) worst = (double)NAN;
  const double fall = CASE_GRAVITY * m->physics.time_step;
  const double min = 0.5 * total_mass(m) * fall * fall;
  for (int i = 0; i < steps && !isnan(worst); ++i) {
    const HeftStepReport report = heft_world_step(w);
    if (!heft_step_taken(report.status)) worst = (double)NAN;
    const double gain = added(&report) - report.restitution_work;
    if (!(gain / fmax(report.kinetic, min) <= worst)) worst = gain / fmax(report.kinetic, min);
  }
  heft_world_destroy(w);
  return worst;
}

// ---- the case

typedef enum Kind { KIND_PILE, KIND_CHAIN, KIND_HUMANOID, KIND_COUNT } Kind;

static HeftModel* make_world(Run* run, Kind kind, Random* r, double restitution) {
  static const char* const files[] = {"humanoid.xml", "humanoid_8.xml"};
  char path[1024];
  Text t;
  HeftModel* m = NULL;
  HeftError error = {0};
  const HeftLoadDef def = heft_load_def_default();
  snprintf(path, sizeof path, "%s/%s", run->scenes, files[random_index(r, 2)]);
  if (kind == KIND_PILE) make_pile(&t, r);
  if (kind == KIND_CHAIN) make_chain(&t, r);
  const HeftStatus status =
      kind == KIND_HUMANOID
          ? heft_model_load_file(&m, path, &def, &error)
          : heft_model_load_bytes(&m, t.bytes, t.length, "random.xml", &def, &error);
  if (status != HEFT_OK)
    snprintf(run->engine->reason, sizeof run->engine->reason, "%.150s", error.message);
  for (int i = 0; m && i < m->nmaterial; ++i) m->material_restitution[i] = restitution;
  return m;
}

static void try_worlds(Run* run, Kind kind, int bouncing, long steps, const char* what) {
  Random r = {1000 * (uint64_t)kind + (uint64_t)bouncing};
  double worst = -1;
  const long worlds = steps / WORLD_STEPS, twentieth = worlds / 20 + 1;
  for (long i = 0; i < worlds; ++i) {
    HeftModel* m = make_world(run, kind, &r, bouncing ? random_unit(&r) : 0);
    if (!m) return;
    const double gain = worst_gain(m, &r, WORLD_STEPS);
    heft_model_destroy(m);
    if (!(gain <= worst)) worst = gain;
    if (isnan(worst)) break;
    run_progress(run, (double)i / (double)worlds);
    if (run->full && (i + 1) % twentieth == 0)
      fprintf(stderr, "energy: %s: %ld steps, worst %.3g\n", what, (i + 1) * WORLD_STEPS, worst);
  }
  run_report_error(run, what, 0, worst, isnan(worst) ? worst : fmax(0, worst), 1e-9);
}

void case_energy(Run* run) {
  static const char* const names[KIND_COUNT] = {
      "max energy added by contacts in a step, of the kinetic energy: piles", "the same: chains",
      "the same: humanoids"};
  static const char* const bouncing[KIND_COUNT] = {
      "restitution 0 to 1, above what it allows: piles", "the same, restitution: chains",
      "the same, restitution: humanoids"};
  static const long steps[KIND_COUNT] = {4000000, 2000000, 4000000};  // ten million in all
  for (int k = 0; k < KIND_COUNT && !run->engine->reason[0]; ++k)
    try_worlds(run, (Kind)k, 0, run->full ? steps[k] : 3000, names[k]);
  for (int k = 0; k < KIND_COUNT && !run->engine->reason[0]; ++k)
    try_worlds(run, (Kind)k, 1, run->full ? 200000 : 1500, bouncing[k]);
}
