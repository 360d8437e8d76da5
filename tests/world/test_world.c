// SPDX-License-Identifier: Apache-2.0
// Papers: R25, R56.
// The life of a world: its report, what it refuses, how it rolls back, snapshots, and defs.
#include "world/stage.h"

// A copy of everything in the state, to compare bit for bit.
static double* keep_state(const Stage* s) {
  const HeftState* state = heft_world_state(s->world);
  double* copy = malloc((size_t)state->count * sizeof *copy);
  memcpy(copy, state->time, (size_t)state->count * sizeof *copy);
  return copy;
}

static void assert_state_is(const Stage* s, const double* kept) {
  const HeftState* state = heft_world_state(s->world);
  assert_memory_equal(state->time, kept, (size_t)state->count * sizeof *kept);
}

// ---- the energy balance

// Constant force on a mass with spring and damper: work is force times way, and the balance of the
// theta scheme at 1/2 closes to rounding.
static void balance_of_a_driven_spring_closes(void** state) {
  (void)state;
  for (int by_wrench = 0; by_wrench < 2; ++by_wrench) {
    HeftModel* m = scene_create("spring", NULL);
    m->dof_damping[0] = 7;
    Stage s = stage_on(m, NULL);
    const HeftState* now = heft_world_state(s.world);
    double largest = 0, worst = 0, dissipated = 0, worked = 0;
    for (int i = 0; i < 2000; ++i) {
      const double force = 30 * sin(0.02 * i), x = now->q[0], v = now->v[0];
      const Sums before = stage_sums(&s);
      if (by_wrench) {
        heft_world_apply_wrench(s.world, 1, heft_vec3(0, 0, 0), heft_vec3(force, 3, 4),
                                heft_vec3(1, 2, 3));
      } else {
        heft_world_joint_forces(s.world)[0] = force;
      }
      const HeftStepReport r = stage_step(&s);
      const double middle = 0.5 * (v + now->v[0]);
      assert_true(r.time == *now->time);
      largest = fmax(largest, r.kinetic + r.potential);
      worst = fmax(worst, fabs(r.energy_change));
      worst = fmax(worst, fabs(r.work - force * (now->q[0] - x)));
      worst = fmax(worst, fabs(r.damping - 0.001 * 7 * middle * middle));
      worst = fmax(worst, fabs(r.kinetic + r.potential - before.energy - r.work + r.damping -
                               r.energy_change));
      worst = fmax(worst, fabs(r.kinetic - 0.5 * now->v[0] * now->v[0]));
      worst = fmax(worst, fabs(r.potential - 200 * now->q[0] * now->q[0]));
      assert_true(r.damping >= 0);
      dissipated += r.damping;
      worked += r.work;
    }
    printf(
        "spring driven for 2 s by %s: %.3f J of work, %.3f J damped, balance off by %.1e of the "
        "energy in the worst step\n",
        by_wrench ? "a wrench" : "a joint force", worked, dissipated, worst / largest);
    assert_true(dissipated > 1 && worked > dissipated);
    CHECK_AT_MOST(worst / largest, 1e-12);
    stage_close(&s);
  }
}

// A passive tree with springs, dampers and armatures, driven at joints and by wrenches. Returns the
// sum of all errors over the sum of all work.
static double balance_of_a_tree(HeftIntegrator integrator, double h, uint64_t seed) {
  const RandomTreeDef tree = {.seed = seed, .bodies = 12, .floating = seed % 2 == 0, .passive = 1};
  const HeftWorldDef def = stage_def(integrator, h);
  Stage s = stage_on(scene_random_tree(&tree, NULL), &def);
  double error = 0, turned = 0;
  const Sums start = stage_sums(&s);
  double work = 0, damping = 0, lift = 0;
  HeftStepReport r = {0};
  for (int i = 0; i < (int)lround(0.5 / h); ++i) {
    const double t = i * h;
    double* tau = heft_world_joint_forces(s.world);
    for (int k = 0; k < s.model->nv; ++k) tau[k] = sin(3 * t + k);
    const int body = 1 + (int)(4 * t) % 3;
    heft_world_apply_wrench(s.world, body, heft_vec3(0.1, t, 0), heft_vec3(1, -2, 3),
                            heft_vec3(0.1, 0, -0.2));
    r = stage_step(&s);
    assert_true(r.damping >= 0);
    error += r.energy_change;
    work += r.work;
    damping += r.damping;
    lift += r.correction_work;  // of the shift that keeps the centre of mass
    turned += fabs(r.work) + r.damping;
  }
  const double change = r.kinetic + r.potential - start.energy;
  CHECK_AT_MOST(fabs(change - work - lift + damping - error) / turned, 1e-12);
  stage_close(&s);
  return fabs(error) / turned;
}

static void balance_of_driven_trees_closes_with_the_step(void** state) {
  (void)state;
  double worst[HEFT_INTEGRATOR_COUNT][2] = {{0}};
  for (int integrator = 0; integrator < HEFT_INTEGRATOR_COUNT; ++integrator) {
    for (uint64_t seed = 20; seed < 28; ++seed) {
      for (int fine = 0; fine < 2; ++fine)
        worst[integrator][fine] =
            fmax(worst[integrator][fine],
                 balance_of_a_tree((HeftIntegrator)integrator, fine ? 1e-4 : 1e-3, seed));
    }
    printf(
        "driven trees %-6s error of the balance, per work and damping: %.1e at 1 ms, %.1e at 0.1 "
        "ms\n",
        heft_integrator_name((HeftIntegrator)integrator), worst[integrator][0],
        worst[integrator][1]);
  }
  CHECK_AT_MOST(worst[HEFT_INTEGRATOR_MOREAU][0], 1e-2);
  CHECK_AT_MOST(worst[HEFT_INTEGRATOR_MOREAU][1], 1e-4);
  CHECK_AT_MOST(worst[HEFT_INTEGRATOR_RK4][0], 1e-5);
  CHECK_AT_MOST(worst[HEFT_INTEGRATOR_RK4][1], 1e-8);
}

// ---- rolling back

static void assert_rolls_back(Stage* s, const char* what) {
  double* kept = keep_state(s);
  const Sums before = stage_sums(s);
  const HeftStepReport r = heft_world_step(s->world);
  if (heft_step_taken(r.status)) fail_msg("%s went through", what);
  assert_state_is(s, kept);
  assert_true(r.time == kept[0] && r.kinetic == before.kinetic);
  assert_true(r.work == 0 && r.damping == 0 && r.energy_change == 0);
  const Sums after = stage_sums(s);
  assert_memory_equal(&before, &after, sizeof before);
  free(kept);
}

static void step_that_is_not_finite_is_rolled_back(void** state) {
  (void)state;
  static const char* const scenes[] = {"pendulum", "spring", "top", "tumbler", "chain", "crowd"};
  for (int k = 0; k < 6; ++k) {
    for (int integrator = 0; integrator < HEFT_INTEGRATOR_COUNT; ++integrator) {
      const HeftWorldDef def = stage_def((HeftIntegrator)integrator, 0);
      Stage s = stage_open(scenes[k], &def), twin = stage_open(scenes[k], &def);
      stage_shake(&s, 31, 1);
      stage_shake(&twin, 31, 1);
      stage_step(&s);
      stage_step(&twin);
      double* tau = heft_world_joint_forces(s.world);
      const int last = s.model->nv - 1;
      tau[last] = NAN;
      assert_rolls_back(&s, "NaN");
      tau[last] = INFINITY;
      assert_rolls_back(&s, "infinity");
      tau[last] = -INFINITY;
      assert_rolls_back(&s, "minus infinity");
      tau[last] = 0;
      heft_world_apply_wrench(s.world, 1, heft_vec3(0, 0, 0), heft_vec3(NAN, NAN, NAN),
                              heft_vec3(NAN, NAN, NAN));
      assert_rolls_back(&s, "a wrench of NaN");
      stage_step(&s);  // and the bad wrench is forgotten
      stage_step(&twin);
      assert_true(heft_world_hash(s.world) == heft_world_hash(twin.world));
      stage_close(&s);
      stage_close(&twin);
    }
  }
}

// Whatever is asked of it, a world keeps finite numbers.
static void huge_forces_leave_finite_numbers(void** state) {
  (void)state;
  int rolled = 0, solved = 0;
  for (int k = 0; k < scene_count(); ++k) {
    for (int integrator = 0; integrator < HEFT_INTEGRATOR_COUNT; ++integrator) {
      const HeftWorldDef def = stage_def((HeftIntegrator)integrator, 0);
      Stage s = stage_open(scene_name(k), &def);
      for (int power = 0; power <= 308; power += 4) {
        heft_world_reset(s.world);
        for (int i = 0; i < 5; ++i) {
          double* tau = heft_world_joint_forces(s.world);
          for (int d = 0; d < s.model->nv; ++d) tau[d] = (d % 2 ? 1 : -1) * pow(10, power);
          double* kept = keep_state(&s);
          const HeftStepReport r = heft_world_step(s.world);
          if (heft_step_taken(r.status)) {
            ++solved;
            assert_true(isfinite(r.kinetic) && isfinite(r.potential) && isfinite(r.work));
          } else {
            ++rolled;
            if (r.parts == 1) assert_state_is(&s, kept);  // else as after the last finite part
          }
          free(kept);
          if (!heft_state_finite(heft_world_state(s.world)))
            fail_msg("%s, force 1e%d, step %d: state not finite", scene_name(k), power, i);
        }
      }
      stage_close(&s);
    }
  }
  printf("forces of 1 to 1e308 on every scene: %d steps solved, %d rolled back\n", solved, rolled);
  assert_true(rolled > 100 && solved > 100);
}

// ---- states given from outside

static void set_state_refuses_what_is_not_sound(void** state) {
  (void)state;
  Stage s = stage_open("chain", NULL);
  stage_shake(&s, 32, 1);
  double* kept = keep_state(&s);
  HeftState* other = NULL;
  assert_int_equal(heft_state_create(&other, s.model, NULL, NULL), HEFT_OK);
  for (int i = 0; i < other->count; ++i) {
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int b = 0; b < 3; ++b) {
      const double good = other->time[i];
      other->time[i] = bad[b];
      assert_int_equal(heft_world_set_state(s.world, other), HEFT_ERR_VALUE);
      assert_state_is(&s, kept);
      other->time[i] = good;
    }
  }
  for (int i = 0; i < 4; ++i) other->q[3 + i] *= 0.4;  // a quaternion too short
  assert_int_equal(heft_world_set_state(s.world, other), HEFT_ERR_VALUE);
  for (int i = 0; i < 4; ++i) other->q[3 + i] *= 6;  // too long
  assert_int_equal(heft_world_set_state(s.world, other), HEFT_ERR_VALUE);
  assert_state_is(&s, kept);
  for (int i = 0; i < 4; ++i) other->q[3 + i] /= 2;  // 1.2: taken, and made unit
  assert_int_equal(heft_world_set_state(s.world, other), HEFT_OK);
  const double* u = heft_world_state(s.world)->q + 3;
  assert_true(fabs(u[0] * u[0] + u[1] * u[1] + u[2] * u[2] + u[3] * u[3] - 1) < 1e-15);
  heft_state_destroy(other);
  free(kept);
  stage_close(&s);
}

static void reset_is_a_new_world(void** state) {
  (void)state;
  Stage s = stage_open("crowd", NULL), fresh = stage_open("crowd", NULL);
  stage_shake(&s, 33, 1);
  for (int i = 0; i < s.model->nv; ++i) heft_world_joint_forces(s.world)[i] = 1;
  for (int i = 0; i < 10; ++i) stage_step(&s);
  heft_world_apply_wrench(s.world, 2, heft_vec3(1, 0, 0), heft_vec3(1, 2, 3), heft_vec3(0, 0, 1));
  heft_world_reset(s.world);
  assert_true(heft_world_hash(s.world) == heft_world_hash(fresh.world));
  assert_true(*heft_world_state(s.world)->time == 0);
  for (int i = 0; i < 10; ++i) {
    stage_step(&s);
    stage_step(&fresh);
  }
  assert_true(heft_world_hash(s.world) == heft_world_hash(fresh.world));
  stage_close(&s);
  stage_close(&fresh);
}

static void wrenches_last_one_step(void** state) {
  (void)state;
  for (int integrator = 0; integrator < HEFT_INTEGRATOR_COUNT; ++integrator) {
    const HeftWorldDef def = stage_def((HeftIntegrator)integrator, 0);
    Stage s = stage_open("tumbler", &def);
    heft_world_apply_wrench(s.world, 1, heft_vec3(0, 0, 0), heft_vec3(2, 0, 0), heft_vec3(0, 0, 0));
    heft_world_apply_wrench(s.world, 1, heft_vec3(0, 0, 0), heft_vec3(1, 0, 0), heft_vec3(0, 0, 0));
    stage_step(&s);
    const HeftState* now = heft_world_state(s.world);
    CHECK_AT_MOST(fabs(now->v[0] - 0.003), 1e-15);  // both, on 1 kg for 1 ms
    const double v = now->v[0];
    for (int i = 0; i < 100; ++i) stage_step(&s);
    CHECK_AT_MOST(fabs(now->v[0] - v), 1e-15);
    heft_world_joint_forces(s.world)[1] = 1;  // these stay
    for (int i = 0; i < 100; ++i) stage_step(&s);
    CHECK_AT_MOST(fabs(now->v[1] - 0.1), 1e-13);
    stage_close(&s);
  }
}

// Asking for poses between steps changes nothing.
static void looking_does_not_disturb(void** state) {
  (void)state;
  Stage s = stage_open("crowd", NULL), quiet = stage_open("crowd", NULL);
  stage_shake(&s, 34, 2);
  stage_shake(&quiet, 34, 2);
  for (int i = 0; i < 50; ++i) {
    stage_step(&s);
    stage_step(&quiet);
    stage_sums(&s);
    (void)heft_dynamics_body_pose(heft_world_dynamics(s.world), 5);
  }
  assert_true(heft_world_hash(s.world) == heft_world_hash(quiet.world));
  stage_close(&s);
  stage_close(&quiet);
}

// The dynamics of the world must have the pose of every body that `expected` has.
static void assert_poses(const HeftModel* m, const HeftDynamics* found, HeftDynamics* expected,
                         const double* q) {
  heft_dynamics_kinematics(expected, q);
  for (int b = 0; b < m->nbody; ++b) {
    const HeftPose x = heft_dynamics_body_pose(found, b), y = heft_dynamics_body_pose(expected, b);
    assert_memory_equal(&x, &y, sizeof x);
  }
}

// heft_world_dynamics() only reads: after every change of the state the poses are right even if it
// is not called again.
static void dynamics_belong_to_the_state_unasked(void** state) {
  (void)state;
  Stage s = stage_open("crowd", NULL);
  const HeftDynamics* d = heft_world_dynamics(s.world);
  const double* q = heft_world_state(s.world)->q;
  HeftDynamics* expected = NULL;
  assert_int_equal(heft_dynamics_create(&expected, s.model, NULL, NULL), HEFT_OK);
  assert_poses(s.model, d, expected, q);
  stage_shake(&s, 38, 2);
  assert_poses(s.model, d, expected, q);
  unsigned char* bytes = malloc(heft_world_snapshot_size_max(s.world));
  const size_t size = heft_world_snapshot_size(s.world);
  heft_world_snapshot(s.world, bytes);
  stage_step(&s);
  assert_poses(s.model, d, expected, q);
  assert_int_equal(heft_world_restore(s.world, bytes, size), HEFT_OK);
  assert_poses(s.model, d, expected, q);
  heft_world_joint_forces(s.world)[0] = NAN;
  assert_int_equal(heft_world_step(s.world).status, HEFT_STEP_NOT_FINITE);
  assert_poses(s.model, d, expected, q);
  heft_world_reset(s.world);
  assert_poses(s.model, d, expected, q);
  free(bytes);
  heft_dynamics_destroy(expected);
  stage_close(&s);
}

// ---- snapshots

static void snapshot_continues_with_the_same_bits(void** state) {
  (void)state;
  for (int k = 0; k < scene_count(); ++k) {
    for (int integrator = 0; integrator < HEFT_INTEGRATOR_COUNT; ++integrator) {
      const HeftWorldDef def = stage_def((HeftIntegrator)integrator, 0);
      Stage s = stage_open(scene_name(k), &def);
      stage_shake(&s, 35, 1);
      for (int d = 0; d < s.model->nv; ++d)
        heft_world_joint_forces(s.world)[d] = 0.01 * (d % 5 - 2);
      for (int i = 0; i < 30; ++i) stage_step(&s);
      const size_t size = heft_world_snapshot_size(s.world);
      unsigned char* bytes = malloc(size);
      heft_world_snapshot(s.world, bytes);
      for (int i = 0; i < 30; ++i) stage_step(&s);
      const uint64_t there = heft_world_hash(s.world);
      Stage other = stage_open(scene_name(k), &def);  // in the same world, and in another one
      Stage* const both[2] = {&s, &other};
      for (int b = 0; b < 2; ++b) {
        assert_int_equal(heft_world_restore(both[b]->world, bytes, size), HEFT_OK);
        for (int i = 0; i < 30; ++i) stage_step(both[b]);
        assert_true(heft_world_hash(both[b]->world) == there);
      }
      free(bytes);
      stage_close(&s);
      stage_close(&other);
    }
  }
}

static void restore_refuses_damaged_bytes(void** state) {
  (void)state;
  Stage s = stage_open("chain", NULL), other = stage_open("tumbler", NULL);
  stage_shake(&s, 36, 1);
  stage_step(&s);
  double* kept = keep_state(&s);
  const size_t size = heft_world_snapshot_size(s.world),
               foreign = heft_world_snapshot_size(other.world);
  unsigned char *bytes = malloc(size + 8), *alien = malloc(size + 8);
  heft_world_snapshot(s.world, bytes);
  for (size_t i = 0; i < size; ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      bytes[i] ^= (unsigned char)(1 << bit);
      // Model, checksum, number of touches, numbers.
      const HeftStatus expected = i < 8               ? HEFT_ERR_VERSION
                                  : i < 16 || i >= 24 ? HEFT_ERR_CHECKSUM
                                                      : HEFT_ERR_SYNTAX;
      assert_int_equal(heft_world_restore(s.world, bytes, size), expected);
      bytes[i] ^= (unsigned char)(1 << bit);
    }
  }
  assert_int_equal(heft_world_restore(s.world, bytes, size - 1), HEFT_ERR_SYNTAX);
  assert_int_equal(heft_world_restore(s.world, bytes, size + 8), HEFT_ERR_SYNTAX);
  assert_int_equal(heft_world_restore(s.world, bytes, 0), HEFT_ERR_SYNTAX);
  assert_true(foreign != size);
  heft_world_snapshot(other.world, alien);
  assert_int_equal(heft_world_restore(s.world, alien, foreign), HEFT_ERR_VERSION);
  assert_state_is(&s, kept);

  // The same sizes, but another model.
  HeftModel* heavier = scene_create("chain", NULL);
  heavier->body_mass[3] *= 2;
  Stage twin = stage_on(heavier, NULL);
  assert_int_equal(heft_world_restore(twin.world, bytes, size), HEFT_ERR_VERSION);

  // Right checksum, wrong numbers: the last one is a joint force.
  const double bad = NAN;
  memcpy(bytes + size - 8, &bad, 8);
  const uint64_t sum = heft_hash(bytes + 24, size - 24, 0);
  memcpy(bytes + 8, &sum, 8);
  assert_int_equal(heft_world_restore(s.world, bytes, size), HEFT_ERR_VALUE);
  assert_state_is(&s, kept);
  free(bytes);
  free(alien);
  free(kept);
  stage_close(&s);
  stage_close(&other);
  stage_close(&twin);
}

// Bytes with a right checksum but a quaternion that is none are refused, as set_state() does.
static void restore_refuses_crooked_quaternions(void** state) {
  (void)state;
  Stage s = stage_open("tumbler", NULL);
  const size_t size = heft_world_snapshot_size(s.world);
  unsigned char* bytes = malloc(size);
  heft_world_snapshot(s.world, bytes);
  const double zero = 0;
  memcpy(bytes + 24 + 8 * 4, &zero, 8);  // time, three shifts, then w
  const uint64_t sum = heft_hash(bytes + 24, size - 24, 0);
  memcpy(bytes + 8, &sum, 8);
  assert_int_equal(heft_world_restore(s.world, bytes, size), HEFT_ERR_VALUE);
  free(bytes);
  stage_close(&s);
}

// ---- stiff joints

// The humanoid on springs and dampers of 1e8, held in the air by its base and shaken: it neither
// blows up nor gains energy beyond what it was given.
static void stiff_springs_and_dampers_stay_stable(void** state) {
  (void)state;
  static const double thetas[] = {0.5, 0.75, 1};
  for (int t = 0; t < 3; ++t) {
    for (int kind = 1; kind < 4; ++kind) {
      HeftModel* m = scene_create("humanoid", NULL);
      for (int d = 6; d < m->nv; ++d) {
        m->dof_stiffness[d] = kind & 1 ? 1e8 : 0;
        m->dof_damping[d] = kind & 2 ? 1e8 : 0;
      }
      HeftWorldDef def = heft_world_def_default();
      def.theta = thetas[t];
      def.time_step = 0.001;
      Stage s = stage_on(m, &def);
      HeftState* start = NULL;
      assert_int_equal(heft_state_create(&start, m, NULL, NULL), HEFT_OK);
      Random random = {37};
      for (int d = 0; d < m->nv; ++d) start->v[d] = random_between(&random, -1, 1);
      assert_int_equal(heft_world_set_state(s.world, start), HEFT_OK);
      heft_state_destroy(start);
      const double first = stage_sums(&s).kinetic;
      double max = 0;
      for (int i = 0; i < 2000; ++i) {
        stage_step(&s);
        // The energy without that of falling as a whole.
        const Sums now = stage_sums(&s);
        const double mass = heft_model_mass(m);
        const HeftSpatial p = heft_dynamics_momentum(heft_world_dynamics(s.world), 0, now.com);
        const double inner = now.kinetic - 0.5 * heft_vec3_dot(p.lin, p.lin) / mass;
        double stretched = 0;
        const double* q = heft_world_state(s.world)->q;
        for (int d = 6; d < m->nv; ++d) {
          const double x = q[d + 1] - m->q_spring[d + 1];
          stretched += 0.5 * m->dof_stiffness[d] * x * x;
        }
        max = fmax(max, inner + stretched);
      }
      printf(
          "humanoid, joints with%s%s of 1e8, theta %.2f: inner energy at most %.2f times the "
          "first\n",
          kind & 1 ? " springs" : "", kind & 2 ? " dampers" : "", thetas[t], max / first);
      CHECK_AT_MOST(max, 1.5 * first);
      stage_close(&s);
    }
  }
}

// ---- defs

static void defs_are_checked(void** state) {
  (void)state;
  HeftModel* m = scene_create("spring", NULL);
  const HeftWorldDef good = heft_world_def_default();
  HeftWorld* w = NULL;
  HeftError error = {0};
  const double bad_theta[] = {0.4999, 1.0001, -1, NAN, INFINITY};
  const double bad_step[] = {-0.001, 10.5, NAN, INFINITY};
  for (int i = 0; i < 5; ++i) {
    HeftWorldDef def = good;
    def.theta = bad_theta[i];
    w = (HeftWorld*)&def;
    assert_int_equal(heft_world_create(&w, m, &def, &error), HEFT_ERR_ARGUMENT);
    assert_null(w);
    assert_true(error.status == HEFT_ERR_ARGUMENT && error.message[0]);
  }
  for (int i = 0; i < 4; ++i) {
    HeftWorldDef def = good;
    def.time_step = bad_step[i];
    assert_int_equal(heft_world_create(&w, m, &def, NULL), HEFT_ERR_ARGUMENT);
    assert_null(w);
  }
  HeftWorldDef def = good;
  def.integrator = HEFT_INTEGRATOR_COUNT;
  assert_int_equal(heft_world_create(&w, m, &def, &error), HEFT_ERR_ARGUMENT);
  def.integrator = (HeftIntegrator)-1;
  assert_int_equal(heft_world_create(&w, m, &def, &error), HEFT_ERR_ARGUMENT);
  assert_null(w);
  assert_true(good.theta == 0.5 && good.keep_momentum == 1 && good.time_step == 0 &&
              good.integrator == HEFT_INTEGRATOR_MOREAU);
  assert_int_equal(heft_world_create(&w, m, NULL, NULL), HEFT_OK);
  assert_true(heft_world_step(w).time == m->physics.time_step);
  assert_ptr_equal(heft_world_model(w), m);
  assert_true(heft_world_memory(w) > 0);
  heft_world_destroy(w);
  heft_world_destroy(NULL);
  assert_string_equal(heft_integrator_name(HEFT_INTEGRATOR_RK4), "rk4");
  assert_string_equal(heft_integrator_name((HeftIntegrator)99), "unknown");
  assert_string_equal(heft_step_status_text(HEFT_STEP_SOLVED), "solved");
  assert_string_equal(heft_step_status_text((HeftStepStatus)-1), "unknown");
  heft_model_destroy(m);
}

// A model without degrees of freedom steps, too.
static void empty_world_steps(void** state) {
  (void)state;
  HeftBuilder* b = NULL;
  HeftModel* m = NULL;
  assert_int_equal(heft_builder_create(&b, NULL, NULL), HEFT_OK);
  assert_int_equal(heft_builder_finish(b, &m, NULL), HEFT_OK);
  heft_builder_destroy(b);
  for (int integrator = 0; integrator < HEFT_INTEGRATOR_COUNT; ++integrator) {
    const HeftWorldDef def = stage_def((HeftIntegrator)integrator, 0.5);
    HeftWorld* w = NULL;
    assert_int_equal(heft_world_create(&w, m, &def, NULL), HEFT_OK);
    heft_world_apply_wrench(w, 0, heft_vec3(1, 0, 0), heft_vec3(0, 1, 0), heft_vec3(0, 0, 0));
    assert_int_equal(heft_world_step(w).status, HEFT_STEP_SOLVED);
    assert_true(heft_world_step(w).time == 1);
    unsigned char bytes[64];
    assert_true(heft_world_snapshot_size(w) <= sizeof bytes);
    heft_world_snapshot(w, bytes);
    assert_int_equal(heft_world_restore(w, bytes, heft_world_snapshot_size(w)), HEFT_OK);
    heft_world_destroy(w);
  }
  heft_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(balance_of_a_driven_spring_closes),
      cmocka_unit_test(balance_of_driven_trees_closes_with_the_step),
      cmocka_unit_test(step_that_is_not_finite_is_rolled_back),
      cmocka_unit_test(huge_forces_leave_finite_numbers),
      cmocka_unit_test(set_state_refuses_what_is_not_sound),
      cmocka_unit_test(reset_is_a_new_world),
      cmocka_unit_test(wrenches_last_one_step),
      cmocka_unit_test(looking_does_not_disturb),
      cmocka_unit_test(dynamics_belong_to_the_state_unasked),
      cmocka_unit_test(snapshot_continues_with_the_same_bits),
      cmocka_unit_test(restore_refuses_damaged_bytes),
      cmocka_unit_test(restore_refuses_crooked_quaternions),
      cmocka_unit_test(stiff_springs_and_dampers_stay_stable),
      cmocka_unit_test(defs_are_checked),
      cmocka_unit_test(empty_world_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
