// SPDX-License-Identifier: Apache-2.0
// Bodies in a fluid: the two integrators agree, the ledger has the work of the wind and the drag,
// sensors feel both, derivatives say that they do not follow them, files keep the fluid. Speeds of
// falls end at their closed form, energy never rises, and runs have their bits again.
#include <heft/io.h>
#include <heft/model.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/check.h"
#include "support/scene.h"

#define ARM                                                                                       \
  "<worldbody><body name='cart'><joint type='slide' axis='1 0 0' stiffness='30'/><geom "          \
  "type='box' "                                                                                   \
  "size='.1 .2 .1' mass='1'/><body name='mast' pos='0 0 .1'><site name='foot'/><geom type='box' " \
  "size='.02 .3 .4' pos='0 0 .4' mass='.5'/></body></body><body pos='0 3 0'><freejoint/><geom "   \
  "type='box' size='.1 .2 .05' mass='.3'/><body pos='.1 0 0'><joint axis='0 1 0'/><geom "         \
  "type='capsule' fromto='0 0 0 .3 0 .1' size='.03' mass='.2'/></body></body></worldbody>"        \
  "<sensor><force name='foot' site='foot'/></sensor></mujoco>"
static const char windy[] =
    "<mujoco><option timestep='0.001' density='3' viscosity='.2' wind='4 1 2'/>" ARM;

static HeftWorld* world_in(const HeftModel* m, HeftIntegrator integrator, int threads) {
  HeftWorldDef def = heft_world_def_default();
  HeftWorld* w = NULL;
  HeftError error = {0};
  def.integrator = integrator;
  def.threads = threads;
  if (heft_world_create(&w, m, &def, &error) != HEFT_OK) fail_msg("%s", error.message);
  double v[16];
  for (int i = 0; i < m->nv; ++i) v[i] = 0.5 * (i + 1);
  assert_int_equal(heft_world_set_v(w, 0, v, m->nv, &error), HEFT_OK);
  return w;
}

static HeftWorld* world_of(const HeftModel* m, HeftIntegrator integrator) {
  return world_in(m, integrator, 1);
}

// Both are of order 2 at least: the drag of the theta scheme is taken in the middle of the step.
static void integrators_agree(void** state) {
  (void)state;
  HeftModel* m = scene_model(windy);
  HeftWorld *a = world_of(m, HEFT_INTEGRATOR_MOREAU), *b = world_of(m, HEFT_INTEGRATOR_RK4);
  double defect = 0, lost = 0, work = 0;
  for (int i = 0; i < 300; ++i) {
    const HeftStepReport r = heft_world_step(a), s = heft_world_step(b);
    assert_true(r.status == HEFT_STEP_SOLVED && s.status == HEFT_STEP_SOLVED);
    defect = fmax(defect, fmax(fabs(r.energy_change), fabs(s.energy_change)));
    lost += r.damping, work += r.work;
    assert_true(r.damping > 0 && fabs(r.damping - s.damping) < 1e-3 * s.damping);
  }
  double apart = 0;
  for (int i = 0; i < m->nv; ++i)
    apart = fmax(apart, fabs(heft_world_state(a)->v[i] - heft_world_state(b)->v[i]));
  printf("fluid: velocities %.1e m/s apart, work of the wind %.3f J, lost %.3f J, defect %.1e J\n",
         apart, work, lost, defect);
  assert_true(apart < 2e-4 && work > 0.1 && defect < 1e-5);
  heft_world_destroy(a), heft_world_destroy(b);
  heft_model_destroy(m);
}

// At rest in the wind the foot of the mast carries its drag, 2 ρ r_y r_z w² and 6 π β r w.
static void sensors_feel_the_wind(void** state) {
  (void)state;
  HeftModel* m =
      scene_model("<mujoco><option timestep='0.002' density='3' viscosity='.2' wind='4 0 0'/>" ARM);
  HeftWorld* w = world_of(m, HEFT_INTEGRATOR_MOREAU);
  for (int i = 0; i < 40000; ++i) heft_world_step(w);
  const double mean = (0.02 + 0.3 + 0.4) / 3,
               drag = 2 * 3 * 0.3 * 0.4 * 16 + 6 * HEFT_PI * 0.2 * mean * 4;
  CHECK_AT_MOST(fabs(heft_world_sensors(w)[0] + drag) / drag, 1e-9);
  heft_world_destroy(w);
  heft_model_destroy(m);
}

static void derivatives_are_flagged(void** state) {
  (void)state;
  HeftModel* m = scene_model(windy);
  HeftWorld* w = world_of(m, HEFT_INTEGRATOR_MOREAU);
  HeftDerivative d;
  double* out = calloc((size_t)(4 * m->nv * m->nv), sizeof *out);
  heft_world_step(w);
  assert_int_equal(heft_world_derivative(w, out, NULL, NULL, &d, NULL), HEFT_OK);
  assert_true(d.flags & 1u << HEFT_DERIVATIVE_DRIVES);
  free(out);
  heft_world_destroy(w);
  heft_model_destroy(m);
}

static void files_keep_the_fluid(void** state) {
  (void)state;
  static const char path[] = "fluid_again.xml";
  HeftModel *m = scene_model(windy), *again = NULL;
  HeftError error = {0};
  assert_int_equal(heft_model_write_file(m, path, NULL, NULL, &error), HEFT_OK);
  assert_int_equal(heft_model_load_file(&again, path, NULL, &error), HEFT_OK);
  assert_true(heft_model_hash(m) == heft_model_hash(again) && again->physics.wind[2] == 2);
  heft_model_destroy(again);
  remove(path);
  size_t size = heft_model_save_size(m);
  void* bytes = malloc(size);
  heft_model_save(m, bytes);
  assert_int_equal(heft_model_load(&again, bytes, size, NULL, &error), HEFT_OK);
  assert_true(again->physics.density == 3 && again->physics.viscosity == 0.2);
  heft_model_destroy(again);
  m->physics.density = -1;  // as a damaged file could have it
  heft_model_save(m, bytes);
  assert_int_equal(heft_model_load(&again, bytes, size, NULL, &error), HEFT_ERR_VALUE);
  free(bytes);
  heft_model_destroy(m);
}

// A box falls flat: m g = c v + k v², c = 6 π β r, k = 2 ρ r_x r_y, for any step length.
static double terminal_speed(double mass) {
  const double c = 6 * HEFT_PI * 0.4 * (0.3 + 0.2 + 0.1) / 3, k = 2 * 5 * 0.3 * 0.2;
  return (sqrt(c * c + 4 * k * mass * 9.81) - c) / (2 * k);
}

// Thrown with steps longer than the time in which the drag acts, onto a floor, whose correction of
// depths may lift.
static void energy_never_rises(void** state) {
  (void)state;
  HeftModel* m = scene_model(
      "<mujoco><option timestep='0.05' density='5' viscosity='4'/><worldbody><geom type='plane' "
      "size='0 0 1' pos='0 0 -9'/><body><freejoint/><geom type='box' size='.3 .2 .1' "
      "mass='.5'/><body pos='.3 0 0'><joint axis='0 1 0'/><geom type='capsule' fromto='0 0 0 .4 0 "
      ".1' size='.05' mass='.4'/></body></body></worldbody></mujoco>");
  HeftWorld* w = scene_world(m);
  const double v[] = {30, -20, 50, 6, -4, 10, 9};
  HeftError error = {0};
  assert_int_equal(heft_world_set_v(w, 0, v, 7, &error), HEFT_OK);
  double energy = INFINITY, first = 0;
  int contacts = 0;
  for (int i = 0; i < 2000; ++i) {
    const HeftStepReport r = heft_world_step(w);
    const double now = r.kinetic + r.potential;
    assert_true(r.status == HEFT_STEP_SOLVED || r.status == HEFT_STEP_RESTRAINED);
    assert_true(r.work == 0 && r.damping >= 0);
    if (i == 0) first = now;
    CHECK_AT_MOST(now - energy - r.correction_work, 1e-12 * first);
    energy = now;
    contacts += r.contact_count > 0;
  }
  assert_true(contacts > 100);
  heft_world_destroy(w);
  heft_model_destroy(m);
}

static void falls_end_at_their_speed(void** state) {
  (void)state;
  HeftModel* m = scene_model(
      "<mujoco><option timestep='0.1' density='5' viscosity='.4'/><worldbody><body>"
      "<freejoint/><geom type='box' size='.3 .2 .1' mass='.5'/></body></worldbody>"
      "</mujoco>");
  for (int k = 0; k < 2; ++k) {
    HeftWorld* w = world_of(m, k == 0 ? HEFT_INTEGRATOR_MOREAU : HEFT_INTEGRATOR_RK4);
    const double rest[6] = {0};
    assert_int_equal(heft_world_set_v(w, 0, rest, 6, NULL), HEFT_OK);
    for (int i = 0; i < 1000; ++i) assert_int_equal(heft_world_step(w).status, HEFT_STEP_SOLVED);
    CHECK_AT_MOST(fabs(heft_world_state(w)->v[2] / terminal_speed(0.5) + 1), 1e-13);
    heft_world_destroy(w);
  }
  heft_model_destroy(m);
}

static uint64_t go_on(HeftWorld* w) {
  for (int i = 0; i < 200; ++i) heft_world_step(w);
  return heft_world_hash(w);
}

// In threads, by the model of a recording, and after going back.
static void runs_have_their_bits_again(void** state) {
  (void)state;
  HeftModel *m = scene_model(windy), *stored = NULL;
  HeftWorld* w = world_of(m, HEFT_INTEGRATOR_MOREAU);
  const uint64_t early = go_on(w);
  const size_t size = heft_world_snapshot_size(w);
  void* bytes = malloc(size);
  heft_world_snapshot(w, bytes);
  const uint64_t late = go_on(w);
  assert_true(go_on(w) != late);
  assert_int_equal(heft_world_restore(w, bytes, size), HEFT_OK);
  assert_true(heft_world_hash(w) == early && go_on(w) == late);
  free(bytes);
  bytes = malloc(heft_model_save_size(m));
  heft_model_save(m, bytes);
  HeftError error = {0};
  assert_int_equal(heft_model_load(&stored, bytes, heft_model_save_size(m), NULL, &error), HEFT_OK);
  for (int threads = 1; threads <= 3; ++threads) {
    HeftWorld* again = world_in(stored, HEFT_INTEGRATOR_MOREAU, threads);
    assert_true(go_on(again) == early && go_on(again) == late);
    heft_world_destroy(again);
  }
  free(bytes);
  heft_world_destroy(w);
  heft_model_destroy(stored);
  heft_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(integrators_agree),          cmocka_unit_test(sensors_feel_the_wind),
      cmocka_unit_test(derivatives_are_flagged),    cmocka_unit_test(files_keep_the_fluid),
      cmocka_unit_test(energy_never_rises),         cmocka_unit_test(falls_end_at_their_speed),
      cmocka_unit_test(runs_have_their_bits_again),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
