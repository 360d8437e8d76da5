// SPDX-License-Identifier: Apache-2.0
// Bodies in a fluid: the two integrators agree, the ledger has the work of the wind and the drag,
// sensors feel both, derivatives say that they do not follow them, files keep the fluid.
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

static HeftWorld* world_of(const HeftModel* m, HeftIntegrator integrator) {
  HeftWorldDef def = heft_world_def_default();
  HeftWorld* w = NULL;
  HeftError error = {0};
  def.integrator = integrator;
  if (heft_world_create(&w, m, &def, &error) != HEFT_OK) fail_msg("%s", error.message);
  double v[16];
  for (int i = 0; i < m->nv; ++i) v[i] = 0.5 * (i + 1);
  assert_int_equal(heft_world_set_v(w, 0, v, m->nv, &error), HEFT_OK);
  return w;
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(integrators_agree),
      cmocka_unit_test(sensors_feel_the_wind),
      cmocka_unit_test(derivatives_are_flagged),
      cmocka_unit_test(files_keep_the_fluid),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
