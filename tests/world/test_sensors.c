// SPDX-License-Identifier: Apache-2.0
// Papers: R54.
// Sensors: against MuJoCo in free motion, against statics in contact, noise, cutoff, snapshots.
#include "support/failing_allocator.h"
#include "world/described.h"

static const double* reading(Stage* s, const char* name) {
  const int i = heft_model_find(s->model, HEFT_NAMED_SENSOR, name);
  if (i < 0) fail_msg("no sensor %s", name);
  return heft_world_sensors(s->world) + s->model->sensor_address[i];
}

// ---- statics

// A box of 2 kg on a plate of 5 kg on a post: what the post carries, what the plate touches.
static const char* const scale =
    "<mujoco><option timestep='0.002'/><worldbody>"
    "<body name='post' pos='0 0 0.5'><geom type='box' size='0.05 0.05 0.5' mass='1'/>"
    "<site name='root' pos='0 0 -0.5'/>"
    "<body name='plate' pos='0 0 0.52'><geom type='box' size='0.3 0.3 0.02' mass='5'/>"
    "<site name='mount' pos='0 0 -0.02'/><site name='top' type='box' size='0.3 0.3 0.03'/>"
    "<site name='left' type='box' size='0.15 0.3 0.03' pos='-0.15 0 0'/>"
    "<site name='eye' pos='0 0 0.021'/></body></body>"
    "<body name='box' pos='0.1 0 1.1405'><freejoint/><geom type='box' size='0.05 0.05 0.1' "
    "mass='2'/><site name='heart'/></body></worldbody><sensor>"
    "<force name='f' site='mount'/><torque name='t' site='mount'/><force name='fr' site='root'/>"
    "<torque name='tr' site='root'/><touch name='touch' site='top'/><touch name='half' "
    "site='left'/>"
    "<accelerometer name='a' site='heart'/><rangefinder name='range' site='eye'/>"
    "<clock name='clock'/></sensor></mujoco>";

static void scale_weighs(void** state) {
  (void)state;
  Stage s = stage_on(described(scale), NULL);
  const double g = 9.81;
  assert_true(fabs(reading(&s, "a")[2] - g) < 1e-12);  // nobody has stepped yet
  for (int i = 0; i < 1000; ++i) stage_step(&s);
  const double *f = reading(&s, "f"), *t = reading(&s, "t"), *fr = reading(&s, "fr"),
               *tr = reading(&s, "tr");
  printf("scale: %.9f N on the mount, %.9f N on the ground, moment %.9f N m, touch %.9f N\n", f[2],
         fr[2], t[1], *reading(&s, "touch"));
  CHECK_AT_MOST(fabs(f[2] / (7 * g) - 1), 1e-6);
  CHECK_AT_MOST(fabs(fr[2] / (8 * g) - 1), 1e-6);
  CHECK_AT_MOST(fabs(f[0]) + fabs(f[1]), 1e-4);
  CHECK_AT_MOST(fabs(t[1] / (-0.1 * 2 * g) - 1), 1e-5);
  CHECK_AT_MOST(fabs(tr[1] - t[1]), 1e-4);
  CHECK_AT_MOST(fabs(*reading(&s, "touch") / (2 * g) - 1), 1e-6);
  assert_true(*reading(&s, "half") == 0);
  CHECK_AT_MOST(fabs(reading(&s, "a")[2] - g), 1e-4);
  CHECK_AT_MOST(fabs(*reading(&s, "clock") - 2), 1e-12);
  assert_true(*reading(&s, "range") == -1);  // the box stands beside the eye
  stage_close(&s);
}

// What people push with is not what the joint carries.
static void wrenches_are_not_carried(void** state) {
  (void)state;
  Stage s = stage_on(described(scale), NULL);
  for (int i = 0; i < 500; ++i) stage_step(&s);
  const int plate = heft_model_find(s.model, HEFT_NAMED_BODY, "plate");
  heft_world_apply_wrench(s.world, plate, heft_vec3(0, 0.2, 1), heft_vec3(0, 0, 10),
                          heft_vec3(0, 0, 0.5));
  stage_step(&s);
  CHECK_AT_MOST(fabs(reading(&s, "f")[2] / (7 * 9.81 - 10) - 1), 1e-6);
  CHECK_AT_MOST(fabs(reading(&s, "t")[2] + 0.5), 1e-6);
  CHECK_AT_MOST(fabs(reading(&s, "t")[0] + 2), 1e-4);
  stage_step(&s);
  CHECK_AT_MOST(fabs(reading(&s, "f")[2] / (7 * 9.81) - 1), 1e-6);
  stage_close(&s);
}

static void range_finder_sees(void** state) {
  (void)state;
  static const char* const text =
      "<mujoco><worldbody><geom type='plane' size='0 0 1'/>"
      "<body pos='0 0 1'><joint name='tilt' axis='0 1 0'/><geom size='0.1'/>"
      "<site name='down' zaxis='0 0 -1'/></body></worldbody>"
      "<sensor><rangefinder name='r' site='down'/><rangefinder name='c' site='down' cutoff='0.5'/>"
      "</sensor></mujoco>";
  Stage s = stage_on(described(text), NULL);
  CHECK_AT_MOST(fabs(*reading(&s, "r") - 1), 1e-12);
  assert_true(*reading(&s, "c") == -1);
  const double q = 0.5, v = 0;
  stage_set(&s, &q, &v);
  CHECK_AT_MOST(fabs(*reading(&s, "r") - 1 / cos(0.5)), 1e-12);
  stage_close(&s);
}

// ---- contacts

// A box of 3 kg with one of 1 kg on it, pushed: sticks below µ N, slips above, is open in the air.
static const char* const table =
    "<mujoco><option timestep='0.002'/><worldbody><geom type='plane' size='0 0 1' "
    "friction='0.5 0 0'/><body name='low' pos='0 0 0.1'><freejoint/>"
    "<geom type='box' size='0.2 0.2 0.1' mass='3' friction='0.5 0 0'/></body>"
    "<body name='high' pos='0.05 0 0.25'><freejoint/>"
    "<geom type='box' size='0.1 0.1 0.05' mass='1' friction='0.5 0 0'/></body>"
    "</worldbody></mujoco>";

static void contacts_tell_what_they_do(void** state) {
  (void)state;
  Stage s = stage_on(described(table), NULL);
  const int low = 1, high = 2;
  for (int i = 0; i < 200; ++i) stage_step(&s);
  HeftVec3 center = {9, 9, 9};
  assert_int_equal(heft_world_contact_pressure_center(s.world, low, &center), 1);
  // all contacts of the lower box: 4 kg on the ground at x = 0.0125, 1 kg above at 0.05
  CHECK_AT_MOST(fabs(center.x - (4 * 0.0125 + 0.05) / 5), 1e-5);
  assert_int_equal(heft_world_contact_pressure_center(s.world, high, &center), 1);
  CHECK_AT_MOST(fabs(center.x - 0.05), 1e-5);
  const HeftSpatial above = heft_world_pair_wrench(s.world, low, high, heft_vec3(0, 0, 0)),
                    below = heft_world_pair_wrench(s.world, low, 0, heft_vec3(0, 0, 0));
  CHECK_AT_MOST(fabs(above.lin.z + 9.81), 1e-4);
  CHECK_AT_MOST(fabs(below.lin.z - 4 * 9.81), 1e-4);
  for (int pass = 0; pass < 2; ++pass) {
    for (int i = 0; i < 20; ++i) {
      heft_world_apply_wrench(s.world, low, heft_vec3(0, 0, 0.01),
                              heft_vec3(0.5 * 4 * 9.81 * (pass ? 1.2 : 0.9), 0, 0),
                              heft_vec3(0, 0, 0));
      stage_step(&s);
    }
    int carrying = 0;
    for (int i = 0; i < heft_world_contact_count(s.world); ++i) {
      const HeftContact c = heft_world_contact(s.world, i);
      if (c.body_a != 0 || c.state == HEFT_CONTACT_OPEN) continue;
      ++carrying;
      assert_int_equal(c.state, pass ? HEFT_CONTACT_SLIPPING : HEFT_CONTACT_STICKING);
    }
    assert_true(carrying >= 2);
  }
  HeftState* up = NULL;
  assert_int_equal(heft_state_create(&up, s.model, NULL, NULL), HEFT_OK);
  up->q[2] += 0.0005;
  up->q[9] += 1;
  up->v[2] = 0.1;  // near the ground, and on the way up
  assert_int_equal(heft_world_set_state(s.world, up), HEFT_OK);
  heft_state_destroy(up);
  stage_step(&s);
  assert_true(heft_world_contact_count(s.world) > 0);
  for (int i = 0; i < heft_world_contact_count(s.world); ++i)
    assert_int_equal(heft_world_contact(s.world, i).state, HEFT_CONTACT_OPEN);
  assert_int_equal(heft_world_contact_pressure_center(s.world, low, &center), 0);
  assert_string_equal(heft_contact_state_name(HEFT_CONTACT_SLIPPING), "slips");
  assert_string_equal(heft_contact_state_name((HeftContactState)9), "unknown");
  stage_close(&s);
}

// ---- free motion, against MuJoCo

static const char* const robot =
    "<mujoco><compiler angle='radian'/><option timestep='1e-6'/><worldbody>"
    "<body name='base' pos='0 0 1'><freejoint/>"
    "<inertial pos='0.02 0.01 0' mass='3' diaginertia='0.02 0.03 0.04'/>"
    "<site name='imu' pos='0.05 0.02 0.1' euler='0.3 0.2 -0.4'/>"
    "<camera name='cam' pos='0.1 0 0' euler='0.5 0 0.2'/>"
    "<body name='arm' pos='0.2 0 0' euler='0.1 0 0'><joint name='h' axis='0 1 0' damping='0.3'/>"
    "<geom name='g' type='capsule' size='0.03' fromto='0 0 0 0.3 0 0'/><site name='elbow' "
    "pos='0.1 0.01 0.02' euler='0 0.4 0.1'/>"
    "<body name='hand' pos='0.3 0 0'><joint name='ball' type='ball'/>"
    "<inertial pos='0.05 0 0.01' mass='0.5' diaginertia='0.002 0.001 0.003'/>"
    "<body name='finger' pos='0.1 0 0'><inertial pos='0.02 0 0' mass='0.2' "
    "diaginertia='0.0002 0.0001 0.0003'/><site name='tip' pos='0.05 0 0.01' euler='0.2 0.1 0'/>"
    "</body></body></body>"
    "<body name='rail' pos='-0.2 0 0'><joint name='p' type='slide' axis='1 0.2 0'/>"
    "<inertial pos='0 0 0.03' mass='0.8' diaginertia='0.004 0.003 0.002'/></body></body>"
    "</worldbody><tendon><fixed name='sum'><joint joint='h' coef='1.5'/><joint joint='p' "
    "coef='-0.7'/></fixed><spatial name='string'><site site='imu'/><site site='tip'/></spatial>"
    "</tendon><actuator><motor name='m' joint='h' gear='3'/>"
    "<position name='s' joint='p' kp='20'/><motor name='t' tendon='string' gear='2'/></actuator>"
    "<sensor><jointpos joint='h'/><jointvel joint='p'/><actuatorfrc actuator='m'/>"
    "<actuatorfrc actuator='s'/><force site='elbow'/><torque site='elbow'/><force site='tip'/>"
    "<torque site='tip'/><force site='imu'/><torque site='imu'/><touch site='tip'/>"
    "<accelerometer site='imu'/><accelerometer site='tip'/><gyro site='tip'/>"
    "<velocimeter site='tip'/><magnetometer site='imu'/><tendonpos tendon='sum'/>"
    "<tendonpos tendon='string'/><tendonvel tendon='string'/><actuatorpos actuator='t'/>"
    "<actuatorvel actuator='t'/><ballquat joint='ball'/><ballangvel joint='ball'/>"
    "<framepos objtype='site' objname='tip'/><framepos objtype='body' objname='hand'/>"
    "<framepos objtype='xbody' objname='hand'/><framepos objtype='geom' objname='g'/>"
    "<framepos objtype='camera' objname='cam'/><framequat objtype='xbody' objname='hand'/>"
    "<framequat objtype='site' objname='tip'/><framexaxis objtype='site' objname='tip'/>"
    "<frameyaxis objtype='xbody' objname='arm'/><framezaxis objtype='camera' objname='cam'/>"
    "<framelinvel objtype='site' objname='tip'/><frameangvel objtype='body' objname='hand'/>"
    "<framelinvel objtype='body' objname='hand'/>"
    "<framelinacc objtype='site' objname='tip'/><frameangacc objtype='body' objname='hand'/>"
    "<framelinacc objtype='body' objname='hand'/>"
    "<framepos objtype='site' objname='tip' reftype='xbody' refname='arm'/>"
    "<framequat objtype='site' objname='tip' reftype='site' refname='imu'/>"
    "<framexaxis objtype='xbody' objname='hand' reftype='site' refname='imu'/>"
    "<framelinvel objtype='site' objname='tip' reftype='xbody' refname='arm'/>"
    "<frameangvel objtype='site' objname='tip' reftype='site' refname='elbow'/>"
    "<subtreecom body='base'/><subtreecom body='arm'/><subtreelinvel body='arm'/>"
    "<subtreeangmom body='base'/><subtreeangmom body='arm'/><clock/></sensor></mujoco>";

static void free_motion_reads_as_in_mujoco(void** state) {
  (void)state;
#ifdef HAVE_MUJOCO
  Peer p;
  if (!peer_open(&p)) skip();
  mjModel* m = peer_described(&p, robot);
  assert_non_null(m);
  mjData* d = p.make_data(m);
  Stage s = stage_on(described(robot), NULL);
  assert_int_equal(m->nsensordata, s.model->nsensordata);
  double worst = 0;
  int bad = 0;
  uint64_t seed = 31;
  for (int k = 0; k < 50; ++k) {
    scatter(&s, &seed, 0.5, 1.5);
    for (int i = 0; i < 3; ++i) heft_world_controls(s.world)[i] *= 0.1;
    stage_step(&s);
    const double* ours = heft_world_sensors(s.world);
    peer_forward(&p, m, d, &s);
    for (int i = 0; i < m->nsensor; ++i) {
      const int at = m->sensor_adr[i];
      double gap = gap_between(ours + at, d->sensordata + at, m->sensor_dim[i], 1);
      if (m->sensor_dim[i] == 4) {  // q and -q are the same
        double other[4];
        for (int c = 0; c < 4; ++c) other[c] = -ours[at + c];
        gap = fmin(gap, gap_between(other, d->sensordata + at, 4, 1));
      }
      worst = fmax(worst, gap);
      if (gap > 1e-4 && bad++ < 10)
        printf("   sensor %d (%s): %g %g %g, MuJoCo says %g %g %g\n", i,
               heft_sensor_type_name(s.model->sensor_type[i]), ours[at], ours[at + 1], ours[at + 2],
               d->sensordata[at], d->sensordata[at + 1], d->sensordata[at + 2]);
    }
  }
  printf("%d sensors in free motion, 50 states, steps of 1 us: at most %.1e from MuJoCo's\n",
         m->nsensor, worst);
  assert_int_equal(bad, 0);
  stage_close(&s);
  p.delete_data(d);
  p.delete_model(m);
#else
  skip();
#endif
}

// ---- noise and cutoff

static const char* const noisy =
    "<mujoco><worldbody><body><joint name='x' type='slide'/><geom size='0.1'/></body></worldbody>"
    "<sensor><jointpos name='plain' joint='x'/><jointpos name='noisy' joint='x' noise='0.1'/>"
    "<jointpos name='again' joint='x' noise='0.1'/><jointvel name='cut' joint='x' cutoff='0.5'/>"
    "</sensor></mujoco>";

static void noise_is_normal_and_replayable(void** state) {
  (void)state;
  enum { COUNT = 20000 };
  Stage s = stage_on(described(noisy), NULL), twin = stage_on(described(noisy), NULL);
  HeftWorldDef def = heft_world_def_default();
  def.seed = 7;
  Stage other = stage_on(described(noisy), &def);
  double sum = 0, square = 0, fourth = 0, cross = 0, different = 0;
  for (int i = 0; i < COUNT; ++i) {
    stage_step(&s);
    stage_step(&twin);
    stage_step(&other);
    const double x = *reading(&s, "noisy") - *reading(&s, "plain"),
                 y = *reading(&s, "again") - *reading(&s, "plain");
    assert_true(*reading(&twin, "noisy") == *reading(&s, "noisy"));
    different += *reading(&other, "noisy") != *reading(&s, "noisy");
    sum += x;
    square += x * x;
    fourth += x * x * x * x;
    cross += x * y;
  }
  const double variance = square / COUNT;
  printf("noise: mean %.1e, variance %.4f of 0.01, kurtosis %.3f, cross %.1e\n", sum / COUNT,
         variance, fourth / COUNT / (variance * variance), cross / COUNT);
  CHECK_AT_MOST(fabs(sum / COUNT), 4 * 0.1 / sqrt(COUNT));
  CHECK_AT_MOST(fabs(variance / 0.01 - 1), 0.05);
  CHECK_AT_MOST(fabs(fourth / COUNT / (variance * variance) - 3), 0.2);
  CHECK_AT_MOST(fabs(cross / COUNT), 4 * 0.01 / sqrt(COUNT));
  assert_true(different > COUNT - 10);
  assert_true(*reading(&s, "cut") == -0.5);
  stage_close(&s);
  stage_close(&twin);
  stage_close(&other);
}

static void calibration_bends_the_truth(void** state) {
  (void)state;
  static const char* const text =
      "<mujoco><worldbody><body><joint name='a' axis='1 0 0'/><joint name='b' axis='0 1 0'/>"
      "<geom size='0.1'/><site name='s'/></body></worldbody>"
      "<sensor><gyro name='good' site='s'/><gyro name='bad' site='s'/></sensor><custom>"
      "<numeric name='heft_sensor_bad' data='1.5 0.1 0 0 0.9 0 0.2 0 1 0.3 -0.1 0.2'/></custom>"
      "</mujoco>";
  Stage s = stage_on(described(text), NULL);
  const double q[2] = {0.1, 0.2}, v[2] = {1, -2};
  stage_set(&s, q, v);
  const double *x = reading(&s, "good"), *y = reading(&s, "bad");
  CHECK_AT_MOST(fabs(y[0] - (1.5 * x[0] + 0.1 * x[1] + 0.3)), 1e-14);
  CHECK_AT_MOST(fabs(y[1] - (0.9 * x[1] - 0.1)), 1e-14);
  CHECK_AT_MOST(fabs(y[2] - (0.2 * x[0] + x[2] + 0.2)), 1e-14);
  assert_true(fabs(x[0]) > 0.5 && fabs(x[1]) > 0.5);
  stage_close(&s);
}

// ---- snapshots

// A controller that lives on its sensors goes on with the same bits after a restore.
static void control(Stage* s) {
  const double* f = reading(s, "f");
  double* tau = heft_world_joint_forces(s->world);
  tau[0] = 0.01 * f[0] + 0.001 * f[2];
  tau[2] = 0.02 * *reading(s, "touch");
  stage_step(s);
}

static void snapshot_keeps_readings(void** state) {
  (void)state;
  Stage s = stage_on(described(scale), NULL), other = stage_on(described(scale), NULL);
  for (int i = 0; i < 100; ++i) control(&s);
  const size_t size = heft_world_snapshot_size(s.world);
  void* bytes = malloc(size);
  heft_world_snapshot(s.world, bytes);
  assert_int_equal(heft_world_restore(other.world, bytes, size), HEFT_OK);
  assert_memory_equal(heft_world_sensors(s.world), heft_world_sensors(other.world),
                      (size_t)s.model->nsensordata * sizeof(double));
  for (int i = 0; i < 100; ++i) {
    control(&s);
    control(&other);
    assert_true(heft_world_hash(s.world) == heft_world_hash(other.world));
  }
  free(bytes);
  stage_close(&s);
  stage_close(&other);
}

// Reading in every step changes nothing.
static void reading_does_not_disturb(void** state) {
  (void)state;
  Stage s = stage_on(described(robot), NULL), quiet = stage_on(described(robot), NULL);
  uint64_t seed = 3, same = 3;
  scatter(&s, &seed, 0.5, 1);
  scatter(&quiet, &same, 0.5, 1);
  for (int i = 0; i < 200; ++i) {
    stage_step(&s);
    stage_step(&quiet);
    (void)heft_world_sensors(s.world);
  }
  assert_true(heft_world_hash(s.world) == heft_world_hash(quiet.world));
  stage_close(&s);
  stage_close(&quiet);
}

// ---- memory

// Whichever request fails at create, nothing is left behind; stepping and reading take none.
static void memory_is_taken_at_create_alone(void** state) {
  (void)state;
  HeftModel* const models[2] = {described(robot), described(scale)};
  for (int k = 0; k < 2; ++k) {
    for (long fail_at = 1;; ++fail_at) {
      FailingAllocator memory = {.fail_at = fail_at};
      HeftWorldDef def = heft_world_def_default();
      HeftWorld* world = NULL;
      def.allocator = failing_allocator(&memory);
      const HeftStatus status = heft_world_create(&world, models[k], &def, NULL);
      if (status != HEFT_OK) {
        assert_int_equal(status, HEFT_ERR_MEMORY);
        assert_true(world == NULL && memory.alive == 0);
        continue;
      }
      const long before = memory.requests;
      void* bytes = malloc(heft_world_snapshot_size_max(world));
      for (int i = 0; i < 100; ++i) {
        assert_int_equal(heft_world_step(world).status, HEFT_STEP_SOLVED);
        (void)heft_world_sensors(world);
        heft_world_snapshot(world, bytes);
      }
      free(bytes);
      assert_int_equal(memory.requests, before);
      assert_true(before >= 10);
      heft_world_destroy(world);
      assert_true(memory.alive == 0 && memory.mistakes == 0);
      break;
    }
    heft_model_destroy(models[k]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(scale_weighs),
      cmocka_unit_test(wrenches_are_not_carried),
      cmocka_unit_test(range_finder_sees),
      cmocka_unit_test(contacts_tell_what_they_do),
      cmocka_unit_test(free_motion_reads_as_in_mujoco),
      cmocka_unit_test(noise_is_normal_and_replayable),
      cmocka_unit_test(calibration_bends_the_truth),
      cmocka_unit_test(snapshot_keeps_readings),
      cmocka_unit_test(reading_does_not_disturb),
      cmocka_unit_test(memory_is_taken_at_create_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
