// SPDX-License-Identifier: Apache-2.0
// Actuators in the step: servos of any stiffness, force limits, activations, all transmissions, the
// energy balance, snapshots, and MuJoCo's forces at random states.
#include "world/described.h"

// A block of 2 kg on a rail, without weight; what stands for %s drives it.
static const char* const rail =
    "<mujoco><option gravity='0 0 0' timestep='%g'/><worldbody><body>"
    "<joint name='x' type='slide' axis='1 0 0' %s/>"
    "<inertial pos='0 0 0' mass='2' diaginertia='1 1 1'/></body></worldbody>"
    "<actuator>%s</actuator></mujoco>";

static Stage on_rail(double h, const char* joint, const char* actuators) {
  char text[2000];
  snprintf(text, sizeof text, rail, h, joint, actuators);
  return stage_on(described(text), NULL);
}

// ---- servos

// Stiffness 1e4 to 1e14 at steps of 1 and 10 ms: it comes to the target and stays there. Beyond
// 1e10 the scheme at θ = 1/2 takes longer than we wait to come to rest, but does not grow.
static void servo_of_any_stiffness_is_stable(void** state) {
  (void)state;
  for (int power = 4; power <= 14; power += 2) {
    for (int coarse = 0; coarse < 2; ++coarse) {
      const double kp = pow(10, power), kv = 2 * sqrt(2 * kp);
      Stage s = on_rail(coarse ? 0.01 : 0.001, "", "<general joint='x' biastype='affine'/>");
      s.model->actuator_gain[0] = kp;
      s.model->actuator_bias[1] = -kp;
      s.model->actuator_bias[2] = -kv;
      heft_world_controls(s.world)[0] = 0.3;
      double max = 0;
      for (int i = 0; i < 2000; ++i) {
        const HeftStepReport r = stage_step(&s);
        max = fmax(max, heft_world_state(s.world)->q[0]);
        assert_true(isfinite(r.work));
      }
      if (power <= 8) CHECK_AT_MOST(fabs(heft_world_state(s.world)->q[0] - 0.3), 1e-9);
      CHECK_AT_MOST(max, 0.61);
      stage_close(&s);
    }
  }
}

// Against x = 1 - e^{-dt} (cos ωt + d/ω sin ωt): half the step, a quarter of the error.
static double servo_error(double h) {
  Stage s =
      on_rail(h, "", "<general joint='x' gainprm='200' biastype='affine' biasprm='0 -200 -8'/>");
  heft_world_controls(s.world)[0] = 1;
  const double d = 2, omega = sqrt(100 - d * d);
  double worst = 0;
  for (int i = 1; i <= (int)lround(1 / h); ++i) {
    stage_step(&s);
    const double t = i * h, x = 1 - exp(-d * t) * (cos(omega * t) + d / omega * sin(omega * t));
    worst = fmax(worst, fabs(heft_world_state(s.world)->q[0] - x));
  }
  stage_close(&s);
  return worst;
}

static void servo_is_of_second_order(void** state) {
  (void)state;
  const double coarse = servo_error(0.01), fine = servo_error(0.005);
  printf("servo against its formula: error %.2e at 10 ms, %.2e at 5 ms\n", coarse, fine);
  CHECK_AT_MOST(coarse, 5e-3);
  CHECK_AT_MOST(fabs(coarse / fine - 4), 0.2);
}

// ---- limits

// A very stiff servo with a limit of 5 N pushes with exactly 5 N while it is far away.
static void force_limit_is_a_constant_force(void** state) {
  (void)state;
  Stage s = on_rail(0.002, "",
                    "<general joint='x' gainprm='1e4' biastype='affine' biasprm='0 -1e4 -3000' "
                    "forcelimited='true' forcerange='-5 5'/>");
  heft_world_controls(s.world)[0] = 10;
  const HeftState* now = heft_world_state(s.world);
  for (int i = 1; i <= 500; ++i) {
    const HeftStepReport r = stage_step(&s);
    const double t = i * 0.002;
    assert_true(heft_world_actuator_force(s.world, 0) == 5);
    CHECK_AT_MOST(fabs(now->v[0] - 2.5 * t), 1e-12);
    CHECK_AT_MOST(fabs(now->q[0] - 1.25 * t * t), 1e-12);
    CHECK_AT_MOST(fabs(r.energy_change), 1e-12);
  }
  heft_world_controls(s.world)[0] = 1.25;  // brakes as hard as it may, comes back, and stays
  int limited = 0, free = 0;
  for (int i = 0; i < 3000; ++i) {
    stage_step(&s);
    const double force = heft_world_actuator_force(s.world, 0);
    CHECK_AT_MOST(fabs(force), 5 * (1 + 1e-8));
    limited += fabs(force) == 5;
    free += fabs(force) < 5;
  }
  printf("limited servo: %d steps at the limit, %d below it\n", limited, free);
  assert_true(limited > 100 && free > 100);
  CHECK_AT_MOST(fabs(now->q[0] - 1.25), 1e-5);
  CHECK_AT_MOST(fabs(now->v[0]), 1e-5);
  stage_close(&s);
}

static void joint_limits_all_its_actuators_together(void** state) {
  (void)state;
  for (int integrator = 0; integrator < HEFT_INTEGRATOR_COUNT; ++integrator) {
    Stage first = on_rail(0.001, "actuatorfrclimited='true' actuatorfrcrange='-12 12'",
                          "<motor joint='x' gear='2'/><motor joint='x'/>"
                          "<general joint='x' gainprm='100' biastype='affine' "
                          "biasprm='0 -100 -50'/>");
    const HeftWorldDef def = stage_def((HeftIntegrator)integrator, 0);
    Stage s = stage_on(first.model, &def);
    heft_world_destroy(first.world);
    double* u = heft_world_controls(s.world);
    u[0] = 5;  // 10 N by its gear
    u[1] = 7;
    stage_step(&s);
    CHECK_AT_MOST(fabs(heft_world_actuator_force(s.world, 0) - 5), 1e-14);
    CHECK_AT_MOST(fabs(heft_world_actuator_force(s.world, 1) - 7), 1e-14);
    CHECK_AT_MOST(fabs(heft_world_state(s.world)->v[0] - 0.006), 1e-15);
    u[0] = 1;
    u[1] = -4;
    const double v = heft_world_state(s.world)->v[0];
    stage_step(&s);
    const double pull = 2 - 4 + heft_world_actuator_force(s.world, 2);
    CHECK_AT_MOST(fabs(heft_world_state(s.world)->v[0] - v - 0.0005 * pull), 1e-14);
    stage_close(&s);
  }
}

// Coupled servos at their limits, in a chain: what was assumed is what came out.
static const char* const arm =
    "<mujoco><option timestep='0.004'/><worldbody>"
    "<body pos='0 0 2'><joint name='a' axis='0 1 0'/><geom type='capsule' size='0.05' "
    "fromto='0 0 0 0 0 -0.5'/>"
    "<body pos='0 0 -0.5'><joint name='b' axis='0 1 0'/><geom type='capsule' size='0.04' "
    "fromto='0 0 0 0 0 -0.4'/>"
    "<body pos='0 0 -0.4'><joint name='c' axis='1 0 0'/><geom type='capsule' size='0.03' "
    "fromto='0 0 0 0 0 -0.3'/></body></body></body></worldbody><actuator>"
    "<position joint='a' kp='5000' forcelimited='true' forcerange='-40 40'/>"
    "<position joint='b' kp='8000' forcelimited='true' forcerange='-12 12'/>"
    "<position joint='c' kp='9000' forcelimited='true' forcerange='-2 2'/>"
    "<velocity joint='a' kv='50'/><velocity joint='b' kv='20'/><velocity joint='c' kv='5'/>"
    "</actuator></mujoco>";

static void coupled_limits_are_kept(void** state) {
  (void)state;
  Stage s = stage_on(described(arm), NULL);
  const double limit[3] = {40, 12, 2};
  int at_limit = 0;
  double worst = 0, turned = 0, error = 0;
  uint64_t seed = 77;
  for (int i = 0; i < 3000; ++i) {
    if (i % 100 == 0) {
      for (int k = 0; k < 3; ++k)
        heft_world_controls(s.world)[k] = heft_world_controls(s.world)[k + 3] =
            between(&seed, -1, 1);
    }
    const HeftStepReport r = stage_step(&s);
    for (int k = 0; k < 3; ++k) {
      const double force = fabs(heft_world_actuator_force(s.world, k));
      worst = fmax(worst, force / limit[k] - 1);
      at_limit += force == limit[k];
    }
    turned += fabs(r.work);
    error += fabs(r.energy_change);
  }
  printf("arm with limited servos: at a limit %d times, over it by at most %.1e; balance %.1e\n",
         at_limit, worst, error / turned);
  assert_true(at_limit > 500);
  CHECK_AT_MOST(worst, 1e-8);
  CHECK_AT_MOST(error / turned, 0.05);
  stage_close(&s);
}

// ---- balance

static void work_of_actuators_closes_the_balance(void** state) {
  (void)state;
  Stage s = on_rail(0.001, "damping='3' stiffness='50'",
                    "<motor joint='x' gear='3'/><general joint='x' gear='2' gainprm='40' "
                    "biastype='affine' biasprm='1 -40 -5'/>");
  double worst = 0, max = 0;
  for (int i = 0; i < 2000; ++i) {
    heft_world_controls(s.world)[0] = sin(0.01 * i);
    heft_world_controls(s.world)[1] = cos(0.003 * i);
    const HeftStepReport r = stage_step(&s);
    worst = fmax(worst, fabs(r.energy_change));
    max = fmax(max, r.kinetic + r.potential);
  }
  printf("driven block: balance off by %.1e of the energy in the worst step\n", worst / max);
  CHECK_AT_MOST(worst / max, 1e-13);
  stage_close(&s);
}

// ---- activations

static void activations_follow_exactly(void** state) {
  (void)state;
  for (int integrator = 0; integrator < HEFT_INTEGRATOR_COUNT; ++integrator) {
    Stage first =
        on_rail(0.01, "",
                "<general joint='x' dyntype='filter' dynprm='0.05'/>"
                "<general joint='x' dyntype='integrator'/>"
                "<general joint='x' dyntype='filterexact' dynprm='0.002'/>"
                "<general joint='x' dyntype='integrator' actlimited='true' actrange='-0.1 0.2'/>"
                "<general joint='x' dyntype='filter' dynprm='0.05' ctrllimited='true' "
                "ctrlrange='-0.5 0.5'/>");
    const HeftWorldDef def = stage_def((HeftIntegrator)integrator, 0);
    Stage s = stage_on(first.model, &def);
    heft_world_destroy(first.world);
    for (int i = 0; i < 5; ++i) heft_world_controls(s.world)[i] = 0.8;
    const double* act = heft_world_state(s.world)->act;
    for (int i = 1; i <= 100; ++i) {
      stage_step(&s);
      const double t = 0.01 * i;
      CHECK_AT_MOST(fabs(act[0] - 0.8 * (1 - exp(-t / 0.05))), 1e-13);
      CHECK_AT_MOST(fabs(act[1] - 0.8 * t), 1e-13);
      CHECK_AT_MOST(fabs(act[2] - 0.8 * (1 - exp(-t / 0.002))), 1e-13);
      CHECK_AT_MOST(fabs(act[3] - fmin(0.2, 0.8 * t)), 1e-13);
      CHECK_AT_MOST(fabs(act[4] - 0.5 * (1 - exp(-t / 0.05))), 1e-13);
    }
    heft_world_reset(s.world);
    for (int i = 0; i < 5; ++i) assert_true(heft_world_controls(s.world)[i] == 0 && act[i] == 0);
    stage_close(&s);
  }
}

// The force of a step is that of the activation at its start, or at its end when asked for.
static void early_activation_acts_at_once(void** state) {
  (void)state;
  Stage s = on_rail(0.01, "",
                    "<general joint='x' dyntype='integrator'/>"
                    "<general joint='x' dyntype='integrator' actearly='true'/>");
  heft_world_controls(s.world)[0] = heft_world_controls(s.world)[1] = 100;
  stage_step(&s);
  assert_true(heft_world_actuator_force(s.world, 0) == 0);
  CHECK_AT_MOST(fabs(heft_world_actuator_force(s.world, 1) - 1), 1e-14);
  stage_close(&s);
}

// ---- refusing

static void controls_that_are_not_finite_are_refused(void** state) {
  (void)state;
  const double bad[3] = {NAN, INFINITY, -INFINITY};
  for (int limited = 0; limited < 2; ++limited) {
    Stage s = on_rail(
        0.001, "",
        limited ? "<motor joint='x' ctrllimited='true' ctrlrange='-1 1'/>" : "<motor joint='x'/>");
    for (int k = 0; k < 3; ++k) {
      heft_world_controls(s.world)[0] = 0.5;
      stage_step(&s);
      const uint64_t before = heft_world_hash(s.world);
      heft_world_controls(s.world)[0] = bad[k];
      assert_int_equal(heft_world_step(s.world).status, HEFT_STEP_NOT_FINITE);
      assert_true(heft_world_hash(s.world) == before);
    }
    stage_close(&s);
  }
}

// ---- all kinds, against MuJoCo

static const char* const zoo =
    "<mujoco><compiler angle='radian'/><option timestep='0.001'/><worldbody>"
    "<site name='post' pos='0.3 0.1 1.2'/>"
    "<body name='base' pos='0 0 1'><freejoint/><geom type='box' size='0.2 0.1 0.05'/>"
    "<site name='home' pos='0.1 0 0.1' euler='0.1 0.2 0.3'/>"
    "<body name='u' pos='0.2 0 0'><joint name='h' axis='0 1 0' damping='0.1'/>"
    "<geom type='capsule' size='0.03' fromto='0 0 0 0.3 0 0'/>"
    "<site name='s1' pos='0.1 0 0.04'/><site name='side' pos='0.3 0 0.1'/>"
    "<geom name='pulley' type='cylinder' pos='0.3 0 0' size='0.035 0.05' euler='1.57 0 0' "
    "contype='0' conaffinity='0'/>"
    "<body name='f' pos='0.3 0 0'><joint name='k' axis='0 1 0.2' stiffness='2'/>"
    "<geom type='capsule' size='0.02' fromto='0 0 0 0.2 0 0'/><site name='s2' pos='0.1 0 0.03'/>"
    "<body pos='0.2 0 0'><joint name='ball' type='ball'/><geom type='box' size='0.05 0.03 0.02'/>"
    "<site name='tip' pos='0.05 0 0' euler='0.3 0 0.2'/></body></body></body>"
    "<body name='d' pos='-0.2 0 0'><joint name='p' type='slide' axis='1 0 0'/>"
    "<geom type='sphere' size='0.06'/><site name='rod' pos='0 0 0.05'/></body></body>"
    "<body name='wheel' pos='0 1 1'><joint name='w' axis='0 1 0'/><geom type='cylinder' "
    "size='0.2 0.02' euler='1.57 0 0'/><site name='crank' pos='0.1 0 0'/></body>"
    "<body pos='0 1 1.4'><site name='rail' pos='0 0 0' zaxis='0 0.1 1'/></body>"
    "</worldbody><tendon>"
    "<fixed name='sum'><joint joint='h' coef='1.5'/><joint joint='k' coef='-0.7'/></fixed>"
    "<spatial name='string'><site site='s1'/><geom geom='pulley' sidesite='side'/><site site='s2'/>"
    "</spatial><spatial name='rope'><site site='post'/><site site='rod'/></spatial>"
    "</tendon><actuator>"
    "<motor joint='h' gear='3'/><position joint='k' kp='20'/><velocity joint='p' kv='4'/>"
    "<motor joint='ball' gear='1 2 3'/><motor jointinparent='ball' gear='0.5 -1 2'/>"
    "<general tendon='sum' gear='1.3' gainprm='5' biastype='affine' biasprm='0.3 -4 -0.2'/>"
    "<general tendon='string' gainprm='8' biastype='affine' biasprm='1 -3 -0.5' "
    "forcelimited='true' forcerange='-6 6'/>"
    "<motor tendon='rope' gear='-2'/><motor site='tip' gear='1 0 2 0.1 0 0.3'/>"
    "<motor cranksite='crank' slidersite='rail' cranklength='0.5'/>"
    "<general joint='h' gaintype='affine' gainprm='2 0.5 0.01'/>"
    "<damper joint='h' kv='2' ctrlrange='0 3'/>"
    "<general joint='k' dyntype='filter' dynprm='0.03' gainprm='4' ctrllimited='true' "
    "ctrlrange='-1 1'/><general joint='p' dyntype='integrator' gainprm='2'/>"
    "</actuator></mujoco>";

static void zoo_runs(void** state) {
  (void)state;
  for (int integrator = 0; integrator < HEFT_INTEGRATOR_COUNT; ++integrator) {
    const HeftWorldDef def = stage_def((HeftIntegrator)integrator, 0);
    Stage s = stage_on(described(zoo), &def);
    uint64_t seed = 5;
    scatter(&s, &seed, 0.2, 1);
    for (int i = 0; i < s.model->nactuator; ++i) heft_world_controls(s.world)[i] *= 0.02;
    double turned = 0, error = 0;
    for (int i = 0; i < 500; ++i) {
      const HeftStepReport r = stage_step(&s);
      turned += fabs(r.work) + r.damping;
      error += r.energy_change;
    }
    printf("zoo of actuators, %s: balance %.1e of the work\n",
           heft_integrator_name((HeftIntegrator)integrator), fabs(error) / turned);
    CHECK_AT_MOST(fabs(error) / turned, integrator == HEFT_INTEGRATOR_RK4 ? 1e-5 : 2e-2);
    stage_close(&s);
  }
}

static void snapshot_keeps_the_bits(void** state) {
  (void)state;
  const char* const texts[2] = {zoo, arm};
  for (int k = 0; k < 2; ++k) {
    for (int integrator = 0; integrator < HEFT_INTEGRATOR_COUNT; ++integrator) {
      const HeftWorldDef def = stage_def((HeftIntegrator)integrator, k ? 0.0005 : 0);
      Stage s = stage_on(described(texts[k]), &def), other = stage_on(described(texts[k]), &def);
      uint64_t seed = 9;
      scatter(&s, &seed, 0.2, 1);
      for (int i = 0; i < 40; ++i) stage_step(&s);
      unsigned char* bytes = malloc(heft_world_snapshot_size(s.world));
      const size_t size = heft_world_snapshot_size(s.world);
      heft_world_snapshot(s.world, bytes);
      for (int i = 0; i < 40; ++i) stage_step(&s);
      assert_int_equal(heft_world_restore(other.world, bytes, size), HEFT_OK);
      for (int i = 0; i < 40; ++i) stage_step(&other);
      assert_true(heft_world_hash(s.world) == heft_world_hash(other.world));
      for (int i = 0; i < s.model->nactuator; ++i)
        assert_true(heft_world_actuator_force(s.world, i) ==
                    heft_world_actuator_force(other.world, i));
      free(bytes);
      stage_close(&s);
      stage_close(&other);
    }
  }
}

#ifdef HAVE_MUJOCO
// Largest differences of joint forces and of activation rates at random states.
static void compare(const Peer* p, Stage* s, const mjModel* m, int states, double worst[2]) {
  mjData* d = p->make_data(m);
  const HeftModel* ours = s->model;
  double* tau = calloc((size_t)ours->nv + 1, sizeof *tau);
  uint64_t seed = 2024;
  for (int k = 0; k < states; ++k) {
    scatter(s, &seed, 0.7, 1.5);
    peer_forward(p, m, d, s);
    HeftWorld* w = s->world;
    Drives* drives = w->drives;
    heft_state_copy(w->before, w->state);
    assert_true(heft_actuators_begin(drives->actuators, &w->input));
    heft_transmissions_update(drives->transmissions, w->dynamics, w->state->q);
    heft_actuators_stage(drives->actuators, &w->input, w->state->q, w->state->v, 0, 1, tau);
    worst[0] = fmax(worst[0], gap_between(tau, d->qfrc_actuator, ours->nv, 1e-3));
    for (int i = 0; i < ours->nactuator; ++i) {
      const int at = ours->actuator_act[i];
      if (at < 0) continue;
      const double h = w->def.time_step, constant = ours->actuator_time[i];
      const double reach = ours->actuator_activation[i] == HEFT_ACTIVATION_INTEGRATOR
                               ? h
                               : constant * (1 - exp(-h / constant));
      const double rate = (drives->actuators->act_end[at] - w->state->act[at]) / reach;
      worst[1] = fmax(worst[1], gap_between(&rate, &d->act_dot[at], 1, 1));
    }
  }
  free(tau);
  p->delete_data(d);
}
#endif

static void forces_are_those_of_mujoco(void** state) {
  (void)state;
#ifdef HAVE_MUJOCO
  Peer p;
  if (!peer_open(&p)) skip();
  mjModel* m = peer_described(&p, zoo);
  assert_non_null(m);
  Stage s = stage_on(described(zoo), NULL);
  assert_int_equal(m->nv, s.model->nv);
  assert_int_equal(m->nu, s.model->nactuator);
  double worst[2] = {0};
  compare(&p, &s, m, 200, worst);
  printf("zoo against MuJoCo 2.2.2, 200 states: forces %.1e, activation rates %.1e\n", worst[0],
         worst[1]);
  CHECK_AT_MOST(worst[0], 1e-9);
  CHECK_AT_MOST(worst[1], 1e-9);
  stage_close(&s);
  p.delete_model(m);
  static const char* const files[] = {"mujoco/car/car.xml",
                                      "mujoco/humanoid/humanoid.xml",
                                      "mujoco/humanoid/22_humanoids.xml",
                                      "mujoco/slider_crank/slider_crank.xml",
                                      "shadow_hand/right_hand.xml",
                                      "shadow_hand/left_hand.xml",
                                      "agility_cassie/cassie.xml",
                                      "unitree_g1/g1.xml",
                                      "unitree_h1/h1.xml",
                                      "pal_talos/talos_motor.xml",
                                      "pal_talos/talos_position.xml",
                                      "iit_softfoot/softfoot.xml"};
  int compared = 0;
  for (size_t f = 0; f < sizeof files / sizeof *files; ++f) {
    HeftModel* ours = loaded(files[f]);
    if (!ours) continue;
    char path[600], error[500] = "";
    snprintf(path, sizeof path, "%s/models/mjcf/%s", HEFT_SHARED_DIR, files[f]);
    mjModel* theirs = p.load(path, NULL, error, sizeof error);
    if (!theirs || theirs->nu != ours->nactuator || theirs->nv != ours->nv) {
      heft_model_destroy(ours);
      if (theirs) p.delete_model(theirs);
      continue;
    }
    Stage t = stage_on(ours, NULL);
    double gap[2] = {0};
    compare(&p, &t, theirs, 20, gap);
    printf("   %-36s %3d actuators, forces %.1e\n", files[f], ours->nactuator, gap[0]);
    CHECK_AT_MOST(gap[0], 1e-9);
    ++compared;
    stage_close(&t);
    p.delete_model(theirs);
  }
  printf("%d shared models compared\n", compared);
#else
  skip();
#endif
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(servo_of_any_stiffness_is_stable),
      cmocka_unit_test(servo_is_of_second_order),
      cmocka_unit_test(force_limit_is_a_constant_force),
      cmocka_unit_test(joint_limits_all_its_actuators_together),
      cmocka_unit_test(coupled_limits_are_kept),
      cmocka_unit_test(work_of_actuators_closes_the_balance),
      cmocka_unit_test(activations_follow_exactly),
      cmocka_unit_test(early_activation_acts_at_once),
      cmocka_unit_test(controls_that_are_not_finite_are_refused),
      cmocka_unit_test(zoo_runs),
      cmocka_unit_test(snapshot_keeps_the_bits),
      cmocka_unit_test(forces_are_those_of_mujoco),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
