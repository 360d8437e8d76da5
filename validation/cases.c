// SPDX-License-Identifier: Apache-2.0
// Papers: U4.
// The table of cases, and functions that they share.
#include "validation/cases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const Case cases[] = {
    {"slope", "a block on a slope sticks or slides", CASE_THEORY, 1, 0, case_slope},
    {"creep", "a block that sticks does not creep", CASE_THEORY, 1, 0, case_creep},
    {"slide", "a sliding block stops", CASE_THEORY, 1, 0, case_slide},
    {"roll", "a sliding ball ends rolling", CASE_THEORY, 1, 0, case_roll},
    {"round", "friction is the same in 360 directions", CASE_THEORY, 1, 0, case_round},
    {"bounce", "a bouncing ball comes to rest", CASE_THEORY, 1, 0, case_bounce},
    {"cradle", "three balls in a row", CASE_THEORY, 1, 0, case_cradle},
    {"rocking", "a slender block rocks (Housner)", CASE_THEORY, 1, 0, case_rocking},
    {"painleve", "a rod that jams", CASE_THEORY, 1, 0, case_painleve},
    {"table", "a table on four feet", CASE_THEORY, 0, 0, case_table},
    {"cards", "two cards lean on each other", CASE_THEORY, 1, 0, case_cards},
    {"disk", "Euler's disk in steady motion", CASE_THEORY, 1, 0, case_disk},
    {"stack", "ten boxes, the uppermost 1000 times as heavy", CASE_THEORY, 1, 0, case_stack},
    {"chain", "a hanging chain", CASE_THEORY, 1, 0, case_chain},
    {"tumbler", "a free body that tumbles", CASE_THEORY, 1, 0, case_tumbler},
    {"moved", "platform, lift, belt and turntable", CASE_THEORY, 1, 0, case_moved},
    {"static", "static above kinetic friction", CASE_THEORY, 0, 0, case_static},
    {"order", "order of the scheme and energy of a linkage", CASE_THEORY, 1, 0, case_order},
    {"pendulum", "period and energy of pendulums", CASE_THEORY, 1, 0, case_pendulum},
    {"soft", "contact that yields, in points and areas", CASE_THEORY, 0, 0, case_soft},
    {"solref", "contacts of MuJoCo files that yield as there", CASE_THEORY, 1, 0, case_solref},
    {"deform", "deformable bodies: strain, bending, ringing, rest", CASE_THEORY, 0, 0, case_deform},
    {"fluid", "drag, resistance and energy in a fluid", CASE_THEORY, 1, 0, case_fluid},
    {"capstan", "a rope around a drum (Euler, Eytelwein)", CASE_THEORY, 1, 0, case_capstan},
    {"nut", "a nut on its thread locks itself", CASE_THEORY, 1, 0, case_nut},
    {"collar", "a collar jams on a pole", CASE_THEORY, 1, 0, case_collar},
    {"equilibrium", "limits of equilibrium of textbooks", CASE_THEORY, 1, 0, case_equilibrium},
    {"repose", "slopes that grains hold", CASE_THEORY, 1, 0, case_repose},
    {"rollers", "a plank on two rollers swings", CASE_THEORY, 1, 0, case_rollers},
    {"slope-ball", "a ball on a slope rolls or slips", CASE_THEORY, 1, 0, case_incline_roll},
    {"billiards", "balls that spin and grip as they hit", CASE_THEORY, 1, 0, case_billiards},
    {"spheres", "balls of alumina that hit glass, measured", CASE_THEORY, 1, 0, case_spheres},
    {"leaving", "bodies that leave their support", CASE_THEORY, 1, 0, case_leaving},
    {"wedge", "a block on a wedge that moves away", CASE_THEORY, 1, 0, case_moving_wedge},
    {"top", "a heavy top precesses", CASE_THEORY, 1, 0, case_top},
    {"tippe", "a tippe top turns over", CASE_THEORY, 1, 0, case_tippe},
    {"squeezer", "Andrews' squeezing mechanism", CASE_THEORY, 1, 0, case_squeezer},
    {"stick-slip", "a block sticks and slips on a belt", CASE_THEORY, 0, 0, case_stick_slip},
    {"silo", "a silo's floor carries little (Janssen)", CASE_THEORY, 1, 0, case_silo},
    {"rack", "the break of fifteen billiard balls", CASE_THEORY, 1, 0, case_rack},
    {"dominoes", "a row of dominoes falls", CASE_THEORY, 1, 0, case_dominoes},
    {"governor", "Watt's governor", CASE_THEORY, 1, 0, case_governor},
    {"bricard", "Bricard's linkage, with a redundant loop", CASE_THEORY, 1, 0, case_bricard},
    {"squeal", "a brake squeals by mode coupling", CASE_THEORY, 0, 0, case_squeal},
    {"flip", "a body turns over in flight (Dzhanibekov)", CASE_THEORY, 1, 0, case_flip},
    {"rattleback", "a rattleback turns back", CASE_THEORY, 1, 0, case_rattleback},
    {"gradients", "gradients of rolling and sliding", CASE_THEORY, 0, 0, case_gradients},
    {"ledger", "the energy ledger at rest and in motion", CASE_THEORY, 0, 0, case_ledger},
    {"pinch", "a capsule between two jaws", CASE_USERS, 1, 0, case_pinch},
    {"throw", "a cube thrown at 6 m/s", CASE_USERS, 1, 0, case_throw},
    {"wall", "a cube held on a wall", CASE_USERS, 1, 0, case_wall},
    {"headings", "the force that moves a cube", CASE_USERS, 1, 0, case_headings},
    {"ratios", "two boxes, mass ratio 1 to 1000", CASE_USERS, 1, 0, case_ratios},
    {"hand", "a spring pulls a cube on a cube", CASE_USERS, 0, 0, case_hand},
    {"silence", "a cube at rest", CASE_USERS, 1, 0, case_silence},
    {"incline", "forces under a block on a slope", CASE_USERS, 1, 0, case_incline},
    {"foot", "a foot on its edge", CASE_USERS, 1, 0, case_foot},
    {"feet", "forces at the feet of a robot at rest", CASE_USERS, 0, 0, case_feet},
    {"fall", "a humanoid falls", CASE_USERS, 0, 0, case_fall},
    {"inertia", "a URDF with a rotated inertial frame", CASE_USERS, 0, 0, case_inertia},
    {"sb-rolling", "SimBenchmark: balls on a pulled box", CASE_SIMBENCH, 1, 0, case_sb_rolling},
    {"sb-bouncing", "SimBenchmark: bouncing balls", CASE_SIMBENCH, 1, 0, case_sb_bouncing},
    {"sb-666", "SimBenchmark: 216 falling balls", CASE_SIMBENCH, 1, 1, case_sb_666},
    {"sb-elastic", "SimBenchmark: 216 elastic balls", CASE_SIMBENCH, 1, 1, case_sb_elastic},
    {"sb-pd", "SimBenchmark: quadruped under PD control", CASE_SIMBENCH, 0, 1, case_sb_pd},
    {"sb-momentum", "SimBenchmark: a ball hits a quadruped", CASE_SIMBENCH, 0, 0, case_sb_momentum},
    {"sb-energy", "SimBenchmark: a lifted quadruped", CASE_SIMBENCH, 0, 0, case_sb_energy},
    {"sb-kapla", "SimBenchmark: a tower of 102 blocks", CASE_SIMBENCH, 0, 1, case_sb_kapla},
    {"seams", "a cube slides over tiles and triangles", CASE_CAMPAIGNS, 1, 0, case_seams},
    {"foils", "100 foils of 0.05 mm in a pile", CASE_CAMPAIGNS, 1, 0, case_foils},
    {"tunnel", "fast bodies and thin walls", CASE_CAMPAIGNS, 1, 0, case_tunnel},
    {"energy", "contacts never add energy", CASE_CAMPAIGNS, 0, 0, case_energy},
    {"chains", "chains that turn fast gain no energy", CASE_CAMPAIGNS, 1, 0, case_chains},
    {"impacts", "impacts with friction create no energy", CASE_CAMPAIGNS, 1, 0, case_impacts},
    {"rest", "bodies at rest stay at rest", CASE_CAMPAIGNS, 0, 0, case_rest},
    {"cup", "a ball rests in a cup", CASE_CAMPAIGNS, 0, 0, case_cup},
    {"hook", "a hook carries a ring", CASE_CAMPAIGNS, 0, 0, case_hook},
    {"rings", "six interlocked rings hang", CASE_CAMPAIGNS, 0, 0, case_rings},
    {"bolt", "a bolt turns into its nut", CASE_CAMPAIGNS, 0, 0, case_bolt},
    {"gears", "a pair of gears keeps its ratio", CASE_CAMPAIGNS, 0, 0, case_gears},
    {"mesh-rings", "interlocked rings of triangles hang", CASE_CAMPAIGNS, 0, 0, case_mesh_rings},
    {"mesh-cup", "a cup of triangles holds a ring, a ball and a cube", CASE_CAMPAIGNS, 1, 0,
     case_mesh_cup},
    {"piece-cup", "a cup of convex pieces holds a ring, a ball and a cube", CASE_CAMPAIGNS, 1, 0,
     case_piece_cup},
    {"piece-hook", "a hook of convex pieces carries a ring", CASE_CAMPAIGNS, 0, 0, case_piece_hook},
    {"pieces", "bounds of convex pieces hold", CASE_CAMPAIGNS, 0, 0, case_pieces},
    {"sole", "force under a step with a soft sole", CASE_CAMPAIGNS, 0, 1, case_sole},
    {"identify", "parameters from logs, with intervals", CASE_CAMPAIGNS, 0, 0, case_identify},
#ifdef HEFT_VALIDATION_DEVICES
    {"poke", "a hand pokes a deformable body", CASE_CAMPAIGNS, 0, 0, case_poke},
    {"soak", "devices come and go for a day", CASE_CAMPAIGNS, 0, 0, case_soak},
    {"lateness", "servo while peers misbehave", CASE_CAMPAIGNS, 0, 1, case_lateness},
#endif
    {"models", "third-party models fall onto a floor", CASE_CAMPAIGNS, 0, 1, case_models},
    {"tosses", "570 tosses of a real cube", CASE_REALITY, 1, 1, case_tosses},
    {"drops", "impacts of a real ellipse and a real square", CASE_REALITY, 0, 1, case_drops},
    {"cassie", "landings of a real Cassie", CASE_REALITY, 0, 1, case_cassie},
    {"forecast", "probabilities of the faces of real tosses", CASE_REALITY, 0, 1, case_forecast},
    {"hidden", "probabilities of scenes with hidden parameters", CASE_CAMPAIGNS, 0, 1, case_hidden},
};
const int case_count = (int)(sizeof cases / sizeof *cases);

int run_open(Run* run, const char* scene, const EngineSettings* settings) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", run->scenes, scene);
  run->engine->reason[0] = '\0';
  return run->engine->type->open(run->engine, path, settings);
}

int run_open_text(Run* run, const char* text, size_t length, const EngineSettings* settings) {
  const char* temporary = getenv("TMPDIR");
  char folder[600], path[620];
  snprintf(folder, sizeof folder, "%.500s/heft-scene-XXXXXX", temporary ? temporary : "/tmp");
  if (!mkdtemp(folder)) return 0;
  snprintf(path, sizeof path, "%s/scene.xml", folder);
  FILE* file = fopen(path, "w");
  const int written = file && fwrite(text, 1, length, file) == length;
  run->engine->reason[0] = '\0';
  if (file) fclose(file);
  const int opened = written && run->engine->type->open(run->engine, path, settings);
  unlink(path);
  rmdir(folder);
  return opened;
}

int run_open_model(Run* run, HeftModel* model, const HeftWorldDef* def, const HeftError* error) {
  Engine* e = run->engine;
  HeftError own = {0};
  e->reason[0] = '\0';
  e->push_count = 0;
  e->worst_relative = 0;
  e->model = model;
  if (model && heft_world_create(&e->world, model, def, &own) == HEFT_OK) {
    e->step = model->physics.time_step;
    return 1;
  }
  snprintf(e->reason, sizeof e->reason, "%.150s", model ? own.message : error->message);
  heft_model_destroy(model);
  e->model = NULL;
  return 0;
}

void run_close(Run* run) { run->engine->type->close(run->engine); }

void run_step(Run* run, int count) {
  if (run->engine->reason[0] == '\0' && !run->engine->type->step(run->engine, count) &&
      run->engine->reason[0] == '\0')
    snprintf(run->engine->reason, sizeof run->engine->reason, "%s",
             heft_step_status_text(run->engine->report.status));
}

EngineBody run_body(Run* run, int body) {
  const double nothing = (double)NAN;
  EngineBody out = {heft_vec3(nothing, nothing, nothing),
                    heft_quat(nothing, nothing, nothing, nothing),
                    heft_vec3(nothing, nothing, nothing), heft_vec3(nothing, nothing, nothing)};
  run->engine->type->read(run->engine, body, &out);
  return out;
}

void run_place(Run* run, int body, EngineBody state) {
  if (!run->engine->type->place(run->engine, body, &state) && run->engine->reason[0] == '\0')
    snprintf(run->engine->reason, sizeof run->engine->reason, "body %d cannot be placed", body);
}

void run_spin(Run* run, const double* v, int count) {
  if (!run->engine->type->spin(run->engine, v, count) && run->engine->reason[0] == '\0')
    snprintf(run->engine->reason, sizeof run->engine->reason, "joint velocities cannot be set");
}

double run_energy(Run* run, double* kinetic) {
  double energy[2] = {(double)NAN, (double)NAN};
  run->engine->type->energy(run->engine, energy);
  if (kinetic) *kinetic = energy[0];
  return energy[0] + energy[1];
}

void run_progress(Run* run, double share) {
  if (run->progress) run->progress(run->user, run->name, share);
}

// An engine that failed has no result, whatever the case computed from missing numbers.
void run_report_error(Run* run, const char* what, double exact, double figure, double error,
                      double limit) {
  if (run->engine->reason[0] && run->engine->type != &engine_heft) return;
  Row row = {.engine = run->engine->name,
             .name = run->name,
             .exact = exact,
             .figure = figure,
             .error = error,
             .limit = limit};
  snprintf(row.what, sizeof row.what, "%s", what);
  run->sink(run->user, &row);
}

void run_report(Run* run, const char* what, double exact, double figure, double limit) {
  run_report_error(run, what, exact, figure, fabs(figure - exact), limit);
}

void run_report_relative(Run* run, const char* what, double exact, double figure, double limit) {
  run_report_error(run, what, exact, figure, fabs(figure / exact - 1), limit);
}

void settings_lean(EngineSettings* settings, double slope) {
  const double down = CASE_GRAVITY / sqrt(1 + slope * slope);
  settings->gravity[0] = slope * down;
  settings->gravity[1] = 0;
  settings->gravity[2] = -down;
}
