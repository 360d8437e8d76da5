// SPDX-License-Identifier: Apache-2.0
// Contacts of MuJoCo files, loaded with HeftLoadDef.soft_contacts: bodies sink as far as in MuJoCo.
// The exact values are depths at rest in MuJoCo 2.2.2; with --peers it computes them again.
#include <math.h>
#include <string.h>

#include "validation/cases.h"

enum { BODY = 1, SCENE_TEXT = 2000 };

// The bodies of the scenes. Geoms have solref and solimp by default, that is all of them.
static const char ball[] =
    "<body pos='0 0 .1'><freejoint/><geom name='ball' type='sphere' size='.1' mass='%g'/></body>";
static const char box[] =
    "<body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1' mass='%g'/></body>";
// A foot that carries a mass on a spring: MuJoCo counts its mobility, not the mass of both.
static const char leg[] =
    "<body pos='0 0 .1'><freejoint/><geom type='sphere' size='.1' mass='.5'/><body><joint "
    "type='slide' axis='0 0 1' stiffness='4000' damping='150'/><geom type='sphere' size='.05' "
    "mass='%g' contype='0' conaffinity='0'/></body></body>";

typedef struct Scene {
  const char *what, *solref, *solimp, *body, *cone;
  double friction, mass, depth;
  const char *floor, *contact;  ///< attributes of the floor; a section
  double push;                  ///< beyond the weight [N]
} Scene;

#define USUAL "0.9 0.95 0.001"
#define PAIR \
  "<contact><pair geom1='floor' geom2='ball' solref='0.03 1' friction='.5 .5'/></contact>"
static const Scene scenes[] = {
    {"ball", "0.02 1", USUAL, ball, "pyramidal", 1, 2, 3.671818e-04, "", "", 0},
    {"ball", "0.02 1", USUAL, ball, "elliptic", 1, 2, 3.671818e-04, "", "", 0},
    {"ball", "0.02 1", USUAL, ball, "pyramidal", 0.5, 2, 6.792933e-05, "", "", 0},
    {"ball", "0.02 1", USUAL, ball, "elliptic", 0.5, 2, 3.671818e-04, "", "", 0},
    {"ball", "0.1 1", "0.9 0.9 0.001", ball, "elliptic", 0.5, 2, 9.810000e-03, "", "", 0},
    {"ball", "0.1 0.5", "0.5 0.5 0.001", ball, "elliptic", 0.5, 2, 1.226250e-02, "", "", 0},
    {"ball", "-1000 -20", "0.9 0.9 0.001", ball, "elliptic", 0.5, 2, 9.810000e-04, "", "", 0},
    {"box", "0.05 1", USUAL, box, "elliptic", 0.5, 2, 4.914319e-04, "", "", 0},
    {"box", "0.05 1", USUAL, box, "pyramidal", 0.5, 2, 1.052979e-04, "", "", 0},
    {"ball", "0.2 1", "0.6 0.95 0.02", ball, "elliptic", 0.5, 2, 1.969202e-02, "", "", 0},
    {"foot below a mass", "0.02 1", USUAL, leg, "elliptic", 0.5, 4, 7.901013e-04, "", "", 0},
    {"floor 0.1 1, ball", "0.02 1", USUAL, ball, "elliptic", 0.5, 2, 1.765800e-03, "solref='0.1 1'",
     "", 0},
    {"pair 0.03 1, ball", "0.02 1", USUAL, ball, "elliptic", 0.5, 2, 6.015553e-04, "", PAIR, 0},
    {"twice the load, ball", "0.02 1", USUAL, ball, "elliptic", 0.5, 2, 5.639616e-04, "", "",
     -19.62},
};

static int open_scene(Run* run, const Scene* s) {
  char text[SCENE_TEXT], body[600];
  EngineSettings settings = engine_settings();
  settings.tolerance = 1e-10;
  settings.soft_contacts = 1;
  snprintf(body, sizeof body, s->body, s->mass);  // NOLINT(clang-diagnostic-format-nonliteral)
  snprintf(text, sizeof text,
           "<mujoco><option timestep='0.002' cone='%s'/><default><geom solref='%s' solimp='%s' "
           "friction='%g 0.005 0.0001'/></default><worldbody><geom name='floor' type='plane' "
           "size='5 5 1' %s/>%s</worldbody>%s</mujoco>",
           s->cone, s->solref, s->solimp, s->friction, s->floor, body, s->contact);
  return run_open_text(run, text, strlen(text), &settings);
}

void case_solref(Run* run) {
  char what[ROW_TEXT];
  for (size_t i = 0; i < sizeof scenes / sizeof *scenes; ++i) {
    const Scene* s = &scenes[i];
    if (!open_scene(run, s)) return;
    if (s->push != 0) run->engine->type->push(run->engine, BODY, heft_vec3(0, 0, s->push));
    run_step(run, 4000);
    const double sink = 0.1 - run_body(run, BODY).pos.z;
    run_close(run);
    snprintf(what, sizeof what, "%s %s, %s, %s %g: depth [m]", s->what, s->solref, s->solimp,
             s->cone[0] == 'e' ? "round" : "pyramid", s->friction);
    run_report_relative(run, what, s->depth, sink, s->push != 0 ? 0.35 : 0.05);
  }
}
