// SPDX-License-Identifier: Apache-2.0
// Runs against exact answers: a ball that falls, a push, a joint at its limit, friction on a slope;
// chunks have the same bits whoever computes them; results are stored, read back and refused.
#include <heft/io.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/check.h"
#include "sweep/quarantine.h"
#include "sweep/results.h"

static const char scene[] =
    "<mujoco><compiler angle='radian'/><option timestep='0.001'/><worldbody>"
    "<geom name='floor' type='plane' size='0 0 1' friction='0.5'/>"
    "<body name='ball' pos='0 0 2'><freejoint name='ball'/>"
    "<geom name='ball' type='sphere' size='0.1' mass='2'/></body>"
    "<body name='arm' pos='3 0 1'><joint name='arm' axis='0 0 1' range='-1 1' limited='true'/>"
    "<geom type='capsule' fromto='0 0 0 0.3 0 0' size='0.03' mass='1'/></body>"
    "<body name='block' pos='-3 0 0.1'><freejoint name='block'/>"
    "<geom name='block' type='box' size='0.1 0.1 0.1' mass='1' friction='0.5'/></body>"
    "</worldbody></mujoco>";

typedef struct Study {
  HeftModel* model;
  Plan* plan;
  Sweep* sweep;
  SweepWorker* worker;
} Study;

static Study study_of(const char* text) {
  HeftError error = {0};
  Study s = {0};
  if (heft_model_load_bytes(&s.model, scene, strlen(scene), "scene", NULL, &error) != HEFT_OK ||
      plan_read_bytes(&s.plan, text, strlen(text), "plan.toml", 0, &error) != HEFT_OK ||
      sweep_create(&s.sweep, s.plan, s.model, &error) != HEFT_OK ||
      sweep_worker_create(&s.worker, s.sweep, &error) != HEFT_OK)
    fail_msg("%s:%d:%d: %s", error.file, error.line, error.column, error.message);
  return s;
}

static void end_study(Study* s) {
  sweep_worker_destroy(s->worker);
  sweep_destroy(s->sweep);
  plan_destroy(s->plan);
  heft_model_destroy(s->model);
}

static double result(const Study* s, const Hdf5File* f, const char* name, int64_t row) {
  const int column = sweep_find_column(s->sweep, name);
  assert_true(column >= 0);
  return hdf5_get_double(f, s->sweep->column, column, row);
}

static Hdf5File chunk_of(const Study* s, int64_t chunk) {
  HeftError error = {0};
  Hdf5File f;
  if (sweep_worker_chunk(s->worker, chunk, &f, &error) != HEFT_OK) fail_msg("%s", error.message);
  return f;
}

// A ball from height z under gravity g is below h after sqrt(2 (z - h) / g).
static void test_fall(void** state) {
  (void)state;
  Study s = study_of(
      "model = 'm'\nduration = 1.5\nchunk = 50\n"
      "[[vary]]\nname = 'g'\nwhat = 'gravity_z'\nmin = -20\nmax = -2\ncount = 10\n"
      "[[vary]]\nname = 'z'\nwhat = 'q'\nof = 'ball'\ncomponent = 2\nmin = 1\nmax = 3\ncount = 5\n"
      "[[measure]]\nname = 'z'\nwhat = 'body_z'\nof = 'ball'\nkeep = ['min', 'max', 'final']\n"
      "[[event]]\nname = 'fell'\nwhen = 'below'\nwhat = 'body_z'\nof = 'ball'\nvalue = 0.5\n"
      "[[event]]\nname = 'landed'\nwhen = 'touches'\nof = 'ball'\nother = 'world'\nend = true\n");
  assert_int_equal(plan_chunk_count(s.plan), 1);
  Hdf5File f = chunk_of(&s, 0);
  for (int64_t row = 0; row < 50; ++row) {
    const double g = result(&s, &f, "g", row), z = result(&s, &f, "inputs/z", row);
    const double fell = sqrt(2 * (z - 0.5) / -g), landed = sqrt(2 * (z - 0.1) / -g);
    assert_int_equal(result(&s, &f, "fell", row), fell < 1.5);
    if (fell < 1.5)
      assert_true(fabs(result(&s, &f, "fell_time", row) - fell) < 1e-3);
    else
      assert_true(isnan(result(&s, &f, "fell_time", row)));
    if (landed < 1.495) {
      assert_int_equal(result(&s, &f, "status", row), SWEEP_ENDED);
      assert_true(fabs(result(&s, &f, "time", row) - landed) < 0.003);
    } else if (landed > 1.505) {
      assert_int_equal(result(&s, &f, "status", row), SWEEP_DONE);
      assert_int_equal(result(&s, &f, "steps", row), 1500);
      assert_true(fabs(result(&s, &f, "z_final", row) - (z + 0.5 * g * 2.25)) < 0.03);
    }
    assert_true(result(&s, &f, "z_min", row) <= result(&s, &f, "z_final", row));
    assert_true(result(&s, &f, "z_max", row) <= z);
  }
  hdf5_release(&f);
  end_study(&s);
}

// An impulse F T on mass m, without gravity, leaves the speed F T / m, whatever the time step.
static void test_push(void** state) {
  (void)state;
  Study s = study_of(
      "model = 'm'\nduration = 0.2\n"
      "[[vary]]\nname = 'g'\nwhat = 'gravity_z'\nvalues = [0]\n"
      "[[vary]]\nname = 'h'\nwhat = 'time_step'\nvalues = [0.001, 0.004]\n"
      "[[vary]]\nname = 'force'\nwhat = 'push_force'\nof = 'shove'\nvalues = [1, 50]\n"
      "[[vary]]\nname = 'heading'\nwhat = 'push_heading'\nof = 'shove'\nvalues = [0, 1.2]\n"
      "[[vary]]\nname = 'time'\nwhat = 'push_time'\nof = 'shove'\nvalues = [0.01, 0.0137]\n"
      "[[vary]]\nname = 'mass'\nwhat = 'mass'\nof = 'ball'\nvalues = [2, 5]\n"
      "[[push]]\nname = 'shove'\nbody = 'ball'\nduration = 0.0333\n"
      "[[measure]]\nname = 'vx'\nwhat = 'v'\nof = 'ball'\ncomponent = 0\n"
      "[[measure]]\nname = 'vy'\nwhat = 'v'\nof = 'ball'\ncomponent = 1\n");
  assert_int_equal(s.plan->runs, 32);
  for (int64_t k = 0; k < plan_chunk_count(s.plan); ++k) {
    Hdf5File f = chunk_of(&s, k);
    for (int64_t row = 0; row < plan_chunk_runs(s.plan, k); ++row) {
      const double v = result(&s, &f, "force", row) * 0.0333 / result(&s, &f, "mass", row);
      const double heading = result(&s, &f, "heading", row);
      assert_true(fabs(result(&s, &f, "vx_final", row) - v * cos(heading)) < 1e-9 * fmax(1, v));
      assert_true(fabs(result(&s, &f, "vy_final", row) - v * sin(heading)) < 1e-9 * fmax(1, v));
    }
    hdf5_release(&f);
  }
  end_study(&s);
}

// A block that slides on the floor stops after v² / (2 μ g); the larger friction of the pair holds.
// A joint that turns at 2 rad/s is at its limit of 1 rad after 0.5 s.
static void test_friction_and_limit(void** state) {
  (void)state;
  Study s = study_of(
      "model = 'm'\nduration = 0.8\n"
      "[[vary]]\nname = 'mu'\nwhat = 'friction'\nof = 'block'\nvalues = [0.2, 0.6, 0.9]\n"
      "[[vary]]\nname = 'v'\nwhat = 'v'\nof = 'block'\nvalues = [1]\n"
      "[[vary]]\nname = 'w'\nwhat = 'v'\nof = 'arm'\nvalues = [2]\n"
      "[[measure]]\nname = 'x'\nwhat = 'body_x'\nof = 'block'\n"
      "[[event]]\nname = 'stop'\nwhen = 'at_limit'\nof = 'arm'\n");
  for (int64_t k = 0; k < 3; ++k) {
    Hdf5File f = chunk_of(&s, k);
    const double mu = fmax(0.5, result(&s, &f, "mu", 0));
    assert_true(fabs(result(&s, &f, "x_final", 0) - (-3 + 1 / (2 * mu * 9.81))) < 2e-3);
    assert_int_equal(result(&s, &f, "stop", 0), 1);
    assert_true(fabs(result(&s, &f, "stop_time", 0) - 0.5) < 2e-3);
    hdf5_release(&f);
  }
  end_study(&s);
}

// A joint servo of stiffness k turns the kinetic energy E of a swing into an angle of sqrt(2 E /
// k), whatever mass the arm has.
static void test_servo(void** state) {
  (void)state;
  Study s = study_of(
      "model = 'm'\nduration = 0.5\nchunk = 4\n[control]\nstiffness = 20\n"
      "[[vary]]\nname = 'g'\nwhat = 'gravity_z'\nvalues = [0]\n"
      "[[vary]]\nname = 'w'\nwhat = 'v'\nof = 'arm'\nvalues = [0.5, 1]\n"
      "[[vary]]\nname = 'm'\nwhat = 'mass_factor'\nof = '*'\nvalues = [0.5, 2]\n"
      "[[measure]]\nname = 'q'\nwhat = 'q'\nof = 'arm'\nkeep = ['max', 'min', 'rms', 'mean']\n"
      "[[measure]]\nname = 'energy'\nwhat = 'kinetic'\nkeep = ['max']\n");
  Hdf5File f = chunk_of(&s, 0);
  for (int64_t row = 0; row < 4; ++row) {
    const double angle = sqrt(2 * result(&s, &f, "energy_max", row) / 20);
    assert_true(fabs(result(&s, &f, "q_max", row) / angle - 1) < 0.02);
    assert_true(result(&s, &f, "q_rms", row) < result(&s, &f, "q_max", row));
    assert_true(result(&s, &f, "q_mean", row) > result(&s, &f, "q_min", row));
  }
  assert_true(result(&s, &f, "energy_max", 1) > 3 * result(&s, &f, "energy_max", 0));
  hdf5_release(&f);
  end_study(&s);
}

// A quaternion that is varied number by number is the whole one that the numbers are: the block
// stands on its edge, with its middle at sqrt(2) of 0.1 m, and has not fallen after 10 ms.
static void test_turned_start(void** state) {
  (void)state;
  Study s = study_of(
      "model = 'm'\nduration = 0.01\nchunk = 1\n"
      "[[vary]]\nname = 'w'\nwhat = 'q'\nof = 'block'\ncomponent = 3\nvalues = "
      "[0.9238795325112867]\n"
      "[[vary]]\nname = 'x'\nwhat = 'q'\nof = 'block'\ncomponent = 4\nvalues = "
      "[0.3826834323650898]\n"
      "[[vary]]\nname = 'z'\nwhat = 'q'\nof = 'block'\ncomponent = 2\nvalues = [0.2]\n"
      "[[measure]]\nname = 'up'\nwhat = 'body_up'\nof = 'block'\nkeep = ['min', 'max']\n");
  Hdf5File f = chunk_of(&s, 0);
  assert_true(fabs(result(&s, &f, "up_min", 0) - sqrt(0.5)) < 1e-12);
  assert_true(fabs(result(&s, &f, "up_max", 0) - sqrt(0.5)) < 1e-12);
  hdf5_release(&f);
  end_study(&s);
}

// Impacts that scatter end differently in each run, the same in each repetition; without an impact
// nothing scatters. A body without a free joint is refused.
static void test_scatter(void** state) {
  (void)state;
  static const char plan[] =
      "model = 'm'\nduration = 0.3\nruns = 8\nchunk = 8\nmethod = 'random'\n"
      "[[vary]]\nname = 'share'\nwhat = 'impact_scatter'\nof = '%s'\nmin = 0.1\nmax = 0.3\n"
      "[[vary]]\nname = 'z'\nwhat = 'q'\nof = 'block'\ncomponent = 2\nmin = %s\nmax = %s\n"
      "[[vary]]\nname = 'rate'\nwhat = 'v'\nof = 'block'\ncomponent = 4\nmin = 5\nmax = 5.000001\n"
      "[[measure]]\nname = 'up'\nwhat = 'body_up'\nof = 'block'\nkeep = ['final']\n";
  char text[900];
  for (int falls = 1; falls >= 0; --falls) {
    double low = 1, high = -1;
    snprintf(text, sizeof text, plan, "block", falls ? "0.25" : "9",
             falls ? "0.250001" : "9.000001");
    Study s = study_of(text), again = study_of(text);
    Hdf5File f = chunk_of(&s, 0), g = chunk_of(&again, 0);
    for (int64_t row = 0; row < 8; ++row) {
      const double up = result(&s, &f, "up_final", row);
      low = fmin(low, up);
      high = fmax(high, up);
      assert_true(up == result(&again, &g, "up_final", row));
    }
    assert_true(falls ? high - low > 1e-3 : high - low < 1e-6);
    hdf5_release(&f);
    hdf5_release(&g);
    end_study(&s);
    end_study(&again);
  }
  Plan* p = NULL;
  Sweep* sweep = NULL;
  HeftModel* model = NULL;
  HeftError error = {0};
  snprintf(text, sizeof text, plan, "arm", "1", "2");
  assert_int_equal(heft_model_load_bytes(&model, scene, strlen(scene), "scene", NULL, &error),
                   HEFT_OK);
  assert_int_equal(plan_read_bytes(&p, text, strlen(text), "plan.toml", 0, &error), HEFT_OK);
  assert_int_not_equal(sweep_create(&sweep, p, model, &error), HEFT_OK);
  assert_non_null(strstr(error.message, "no free joint"));
  plan_destroy(p);
  heft_model_destroy(model);
}

static const char random_plan[] =
    "model = 'm'\nduration = 0.1\nruns = 90\nchunk = 40\nmethod = 'sobol'\nfinal_state = true\n"
    "[[vary]]\nname = 'mu'\nwhat = 'friction'\nof = 'block'\nmin = 0.1\nmax = 1\n"
    "[[vary]]\nname = 'm'\nwhat = 'mass_factor'\nof = 'block'\nshape = 'log'\nmin = 0.1\nmax = 9\n"
    "[[vary]]\nname = 'v'\nwhat = 'v'\nof = 'block'\nshape = 'normal'\nmean = 0\ndeviation = 1\n"
    "[[vary]]\nname = 'e'\nwhat = 'restitution'\nof = 'ball'\nmin = -0.2\nmax = 0.8\n"
    "[[event]]\nname = 'never'\nwhen = 'above'\nwhat = 'kinetic'\nvalue = 1e9\n";

// Rows do not depend on the slice, the chunk and the worker; refused runs stand alone.
static void test_same_bits(void** state) {
  (void)state;
  Study a = study_of(random_plan), b = study_of(random_plan);
  Hdf5File last = chunk_of(&a, 2), all;
  HeftError error = {0};
  int64_t refused = 0;
  assert_int_equal(sweep_worker_runs(b.worker, 0, 90, &all, &error), HEFT_OK);
  for (int c = 0; c < a.sweep->column_count; ++c)
    for (int64_t i = 0; i < 10 * a.sweep->column[c].width; ++i)
      assert_true(hdf5_get(&last, c, i) == hdf5_get(&all, c, 80 * a.sweep->column[c].width + i));
  for (int64_t run = 0; run < 90; ++run) {
    const int status = (int)result(&b, &all, "status", run);
    assert_int_equal(status == SWEEP_REFUSED, result(&b, &all, "e", run) < 0);
    refused += status == SWEEP_REFUSED;
  }
  assert_true(refused > 10 && refused < 30);
  Hdf5File one;
  int64_t row = -1;
  assert_int_equal(sweep_worker_replay(b.worker, 77, NULL, NULL, &one, &row, &error), HEFT_OK);
  for (int c = 0; c < a.sweep->column_count; ++c)
    for (int64_t i = 0; i < a.sweep->column[c].width; ++i)
      assert_true(hdf5_get(&one, c, row * a.sweep->column[c].width + i) ==
                  hdf5_get(&all, c, 77 * a.sweep->column[c].width + i));
  hdf5_release(&one);
  hdf5_release(&last);
  hdf5_release(&all);
  end_study(&a);
  end_study(&b);
}

static void remove_folder(const char* folder) {
  char command[200];
  snprintf(command, sizeof command, "rm -r %s", folder);
  assert_int_equal(system(command), 0);
}

static void write_text(const char* path, const char* text) {
  FILE* file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static void write_bytes(const char* path, const void* bytes, size_t size) {
  FILE* file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  fclose(file);
}

// A folder keeps what it needs, takes a chunk twice only if the bytes are the same, and refuses
// damaged chunks and other plans.
static void test_results(void** state) {
  (void)state;
  char folder[] = "/tmp/heft-sweep-test-XXXXXX", path[200], hash[2][65];
  HeftError error = {0};
  Study s = study_of(random_plan);
  assert_non_null(mkdtemp(folder));
  snprintf(s.plan->path, sizeof s.plan->path, "%s/source.toml", folder);
  write_text(s.plan->path, random_plan);
  assert_int_equal(results_open(folder, s.sweep, &error), HEFT_OK);
  assert_int_equal(results_hash(folder, s.sweep, hash[0], &error), HEFT_ERR_FILE);
  for (int64_t k = 0; k < 3; ++k) {
    Hdf5File f = chunk_of(&s, k);
    assert_false(results_has(folder, k));
    assert_int_equal(results_store(folder, k, f.bytes, f.size, &error), HEFT_OK);
    assert_int_equal(results_store(folder, k, f.bytes, f.size, &error), HEFT_OK);
    hdf5_release(&f);
  }
  assert_int_equal(results_hash(folder, s.sweep, hash[0], &error), HEFT_OK);
  Plan* plan;
  HeftModel* model;
  Sweep* sweep;
  assert_int_equal(results_load(folder, &plan, &model, &sweep, &error), HEFT_OK);
  assert_int_equal(results_hash(folder, sweep, hash[1], &error), HEFT_OK);
  assert_string_equal(hash[0], hash[1]);
  // Every byte in front of the numbers is checked.
  Hdf5File f, again;
  assert_int_equal(results_read(folder, sweep, 1, &f, &error), HEFT_OK);
  results_path(folder, 1, path, sizeof path);
  for (size_t i = 0; i < f.data; i += 37) {
    f.bytes[i] ^= 1;
    assert_int_equal(results_write_file(path, f.bytes, f.size, &error), HEFT_OK);
    assert_int_equal(results_read(folder, sweep, 1, &again, &error), HEFT_ERR_SYNTAX);
    f.bytes[i] ^= 1;
  }
  assert_int_equal(results_write_file(path, f.bytes, f.size - 1, &error), HEFT_OK);
  assert_int_equal(results_read(folder, sweep, 1, &again, &error), HEFT_ERR_SYNTAX);
  // Every bit of the numbers, and the end of a file that was lost in a crash.
  uint64_t random = 1;
  for (int i = 0; i < 1100; ++i) {
    random = random * 6364136223846793005ull + 1442695040888963407ull;
    unsigned char* bytes = malloc(f.size);
    assert_non_null(bytes);
    memcpy(bytes, f.bytes, f.size);
    const size_t at = (size_t)(random >> 20) % f.size;
    if (i < 1000)
      bytes[at] ^= (unsigned char)(1u << (random >> 60) % 8);
    else
      memset(bytes + at, 0, f.size - at);
    write_bytes(path, bytes, f.size);
    const HeftStatus status = results_read(folder, sweep, 1, &again, &error);
    assert_int_equal(status, at < f.data ? HEFT_ERR_SYNTAX : HEFT_ERR_CHECKSUM);
    assert_non_null(strstr(error.message, "chunk 1 is damaged"));
    free(bytes);
  }
  // A result that comes again replaces a damaged one, and a sweep that goes on removes it.
  int gone = 0;
  assert_int_equal(results_store(folder, 1, f.bytes, f.size, &error), HEFT_OK);
  assert_int_equal(results_read_or_remove(folder, sweep, 1, &again, &gone, &error), HEFT_OK);
  assert_int_equal(gone, 0);
  hdf5_release(&again);
  write_bytes(path, f.bytes, f.size - 9);
  assert_int_equal(results_read_or_remove(folder, sweep, 1, &again, &gone, &error),
                   HEFT_ERR_SYNTAX);
  assert_int_equal(gone, 1);
  assert_false(results_has(folder, 1));
  hdf5_release(&f);
  // Another plan.
  Study other = study_of("model = 'm'\nduration = 0.1\nruns = 90\nchunk = 40\n");
  assert_int_equal(results_open(folder, other.sweep, &error), HEFT_ERR_VERSION);
  end_study(&other);
  // Another build of this version.
  snprintf(s.sweep->bits, sizeof s.sweep->bits, "0123456789abcdef");
  assert_int_equal(results_open(folder, s.sweep, &error), HEFT_ERR_VERSION);
  assert_non_null(strstr(error.message, "other bits"));
  sweep_destroy(sweep);
  heft_model_destroy(model);
  plan_destroy(plan);
  end_study(&s);
  remove_folder(folder);
}

static int count_files(const char* folder, const char* pattern) {
  char command[300];
  int count = -1;
  snprintf(command, sizeof command, "ls %s/quarantine | grep -c '%s'", folder, pattern);
  FILE* out = popen(command, "r");
  assert_non_null(out);
  assert_int_equal(fscanf(out, "%d", &count), 1);
  pclose(out);
  return count;
}

static void count_visit(void* user, int64_t chunk) { *(int64_t*)user += chunk; }

// If two machines disagree, neither result is taken, then or later, until the chunk is computed
// again on purpose.
static void test_dispute(void** state) {
  (void)state;
  char folder[] = "/tmp/heft-sweep-test-XXXXXX", path[200], reason[QUARANTINE_TEXT];
  HeftError error = {0};
  unsigned char bytes[3][4] = {"abc", "abd", "abe"};
  int64_t sum = 0;
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/chunks", folder);
  assert_int_equal(mkdir(path, 0777), 0);
  assert_int_equal(results_store(folder, 7, bytes[0], 4, &error), HEFT_OK);
  assert_true(results_has(folder, 7));
  assert_int_equal(results_store(folder, 7, bytes[1], 4, &error), HEFT_ERR_VALUE);
  assert_false(results_has(folder, 7));
  assert_true(quarantine_disputed(folder, 7));
  assert_int_equal(count_files(folder, "^000007-.*h5"), 2);
  quarantine_reason(folder, 7, reason);
  assert_non_null(strstr(reason, "different bytes"));
  // What was refused stays refused, and a third opinion is kept.
  assert_int_equal(results_store(folder, 7, bytes[0], 4, &error), HEFT_ERR_VALUE);
  assert_int_equal(results_store(folder, 7, bytes[2], 4, &error), HEFT_ERR_VALUE);
  assert_int_equal(count_files(folder, "^000007-.*h5"), 3);
  results_path(folder, 7, path, sizeof path);
  assert_int_not_equal(access(path, F_OK), 0);
  assert_int_equal(quarantine_each(folder, count_visit, &sum), 1);
  assert_int_equal(sum, 7);
  // A crash before the first file was moved away: the doubt stays.
  assert_int_equal(results_store(folder, 8, bytes[0], 4, &error), HEFT_OK);
  assert_int_equal(quarantine_put(folder, 8, "different bytes", &error), HEFT_OK);
  assert_false(results_has(folder, 8));
  assert_int_equal(results_store(folder, 8, bytes[0], 4, &error), HEFT_OK);  // two agree
  assert_true(results_has(folder, 8));
  // Computed again.
  assert_int_equal(quarantine_lift(folder, 7, &error), HEFT_OK);
  assert_int_equal(results_store(folder, 7, bytes[0], 4, &error), HEFT_OK);
  assert_true(results_has(folder, 7));
  assert_int_equal(count_files(folder, "^settled-000007-.*h5"), 3);
  // A chunk that cost its workers and comes after all.
  assert_int_equal(quarantine_put(folder, 9, "killed", &error), HEFT_OK);
  assert_int_equal(results_store(folder, 9, bytes[0], 4, &error), HEFT_OK);
  assert_true(results_has(folder, 9));
  remove_folder(folder);
}

enum { CHUNKS = 12 };

typedef struct Writer {
  const char* folder;
  unsigned char bytes[4];
  int refused;
} Writer;

static void* write_chunks(void* argument) {
  Writer* w = argument;
  for (int64_t k = 0; k < CHUNKS; ++k) {
    HeftError error = {0};
    w->refused += results_store(w->folder, k, w->bytes, 4, &error) == HEFT_ERR_VALUE;
  }
  return NULL;
}

// Two machines that store different bytes at the same time: one at least is told, and no chunk is
// taken.
static void test_dispute_at_once(void** state) {
  (void)state;
  char folder[] = "/tmp/heft-sweep-test-XXXXXX", path[200];
  pthread_t thread[2];
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/chunks", folder);
  assert_int_equal(mkdir(path, 0777), 0);
  Writer w[2] = {{folder, "abc", 0}, {folder, "abd", 0}};
  for (int i = 0; i < 2; ++i)
    assert_int_equal(pthread_create(&thread[i], NULL, write_chunks, &w[i]), 0);
  for (int i = 0; i < 2; ++i) pthread_join(thread[i], NULL);
  assert_true(w[0].refused + w[1].refused >= CHUNKS);
  for (int64_t k = 0; k < CHUNKS; ++k) assert_false(results_has(folder, k));
  assert_int_equal(count_files(folder, "txt"), CHUNKS);
  remove_folder(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_fall),
                                     cmocka_unit_test(test_push),
                                     cmocka_unit_test(test_friction_and_limit),
                                     cmocka_unit_test(test_servo),
                                     cmocka_unit_test(test_turned_start),
                                     cmocka_unit_test(test_scatter),
                                     cmocka_unit_test(test_same_bits),
                                     cmocka_unit_test(test_results),
                                     cmocka_unit_test(test_dispute),
                                     cmocka_unit_test(test_dispute_at_once)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
