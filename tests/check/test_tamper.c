// SPDX-License-Identifier: Apache-2.0
// Evidence that was changed: one number of one step by a random amount. heft-check must refuse each
// change of the motion above the sizes below. HEFT_LONG=1: a million
// changes; HEFT_SHORT=1, with sanitizers: 2000.
#include <heft/heft.h>
#include <heft/io.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../apps/check/check.h"
#include "../../apps/heft/evidence.h"
#include "scenes/random.h"
#include "support/check.h"

enum { STEPS = 60, SIZE_MAX_STEP = 2000, MODEL_NUMBERS = 4000 };

static const char text[] =
    "<mujoco><option timestep='.001'/><worldbody><geom type='plane' size='0 0 1' friction='.4'/>"
    "<body pos='0 0 .05'><freejoint/><geom type='box' size='.1 .1 .05' mass='2'/></body>"
    "<body pos='.02 .01 .14'><freejoint/><geom type='box' size='.05 .06 .04' mass='1'/></body>"
    "<body pos='.02 .01 .21'><freejoint/><geom size='.03' mass='.2'/></body>"
    "<body pos='.4 0 1'><joint axis='0 1 0' damping='.1' limited='true' range='-10 5'/>"
    "<geom type='capsule' fromto='0 0 0 .2 0 0' size='.01' mass='1'/></body>"
    "</worldbody><keyframe><key qpos='0 0 .05 1 0 0 0 .02 .01 .14 1 0 0 0 .02 .01 .21 1 0 0 0 0'"
    " qvel='.5 .1 0 0 0 0 .2 0 0 0 0 0 0 0 0 0 3 0 .5'/></keyframe></mujoco>";

// Parts of a step, in the order of the file; the largest change that may be accepted, in the unit
// of the number, or infinite where it is no part of the motion.
typedef struct Part {
  const char* name;
  double most;
  long changed, accepted;
  double largest;  // accepted
} Part;
enum {
  HEAD,
  Q,
  V,
  JOINT_FORCE,
  Q_MIDDLE,
  V_SOLVED,
  V_MEAN,
  V_CORRECTION,
  V_BIAS,
  SCHEME,
  Q_END,
  V_END,
  CONTACT,
  ROW_PART,
  PARTS
};
static Part parts[PARTS] = {
    [HEAD] = {"head", HUGE_VAL, 0, 0, 0},
    [Q] = {"q", 0, 0, 0, 0},
    [V] = {"v", 0, 0, 0, 0},
    [JOINT_FORCE] = {"joint forces", 1.25e-7, 0, 0, 0},  // BALANCE: 1e-9 of at most 124 N
    [Q_MIDDLE] = {"q_middle", 1e-9, 0, 0, 0},
    [V_SOLVED] = {"v_solved", 1e-9, 0, 0, 0},
    [V_MEAN] = {"v_mean", 1e-6, 0, 0, 0},
    [V_CORRECTION] = {"v_correction", 1e-6, 0, 0, 0},
    [V_BIAS] = {"v_bias", HUGE_VAL, 0, 0, 0},  // only its inertia forces count: BALANCE
    [SCHEME] = {"scheme_force", 1.25e-7, 0, 0, 0},
    [Q_END] = {"q after", 1e-9, 0, 0, 0},
    [V_END] = {"v after", 1e-8, 0, 0, 0},
    [CONTACT] = {"forces of contact points", 1e-7, 0, 0, 0},
    [ROW_PART] = {"forces of rows", 1e-7, 0, 0, 0},
};
static double steps[STEPS][SIZE_MAX_STEP], model_numbers[MODEL_NUMBERS];
static long lengths[STEPS];
static long model_count;
static int step_count;

static void write_evidence(const char* path) {
  HeftModel* m = NULL;
  HeftWorld* w = NULL;
  const HeftWorldDef def = heft_world_def_default();
  assert_int_equal(heft_model_load_bytes(&m, text, sizeof text - 1, NULL, NULL, NULL), HEFT_OK);
  assert_int_equal(heft_world_create(&w, m, &def, NULL), HEFT_OK);
  heft_world_set_key(w, 0);
  Evidence* e = evidence_open(path, w, &def);
  assert_non_null(e);
  for (int i = 0; i < STEPS; ++i) {
    evidence_before(e, w);
    const HeftStepReport r = heft_world_step(w);
    assert_int_equal(r.status, HEFT_STEP_SOLVED);
    evidence_after(e, w, &r);
  }
  assert_true(evidence_close(e));
  heft_world_destroy(w), heft_model_destroy(m);
}

static void read_evidence(const char* path) {
  const double* numbers;
  const char* what = NULL;
  long count;
  int kind;
  File file = {.from = fopen(path, "rb")};
  assert_non_null(file.from);
  while ((kind = file_next(&file, &numbers, &count, &what)) > 0) {
    if (kind == 1) {
      assert_true(count <= MODEL_NUMBERS);
      memcpy(model_numbers, numbers, (size_t)count * sizeof *numbers), model_count = count;
      assert_int_equal(model_read(numbers, count), 0);
      continue;
    }
    assert_true(count <= SIZE_MAX_STEP && step_count < STEPS);
    memcpy(steps[step_count], numbers, (size_t)count * sizeof *numbers);
    lengths[step_count++] = count;
  }
  assert_int_equal(kind, 0);
  fclose(file.from);
}

// The part of number `at`, or -1: it is no part of the motion, as places of unloaded points.
static int part_of(const double* step, long at) {
  const int nq = model.nq, nv = model.nv;
  const struct {
    int part, count;
  } list[] = {{HEAD, 11},     {Q, nq},        {V, nv},      {JOINT_FORCE, nv},
              {Q_MIDDLE, nq}, {V_SOLVED, nv}, {V_MEAN, nv}, {V_CORRECTION, nv},
              {V_BIAS, nv},   {SCHEME, nv},   {Q_END, nq},  {V_END, nv}};
  const int contacts = (int)step[3], width = 31, row_width = 6;
  for (size_t i = 0; i < sizeof list / sizeof *list; ++i) {
    if (at < list[i].count) return list[i].part;
    at -= list[i].count;
  }
  if (at < (long)width * contacts) return at % width >= 15 && at % width < 18 ? CONTACT : -1;
  return (at - (long)width * contacts) % row_width == 4 ? ROW_PART : -1;
}

static void check(long k, double* numbers, Result* out) {
  // the chain needs the step before
  if (k > 0) step_check(steps[k - 1], lengths[k - 1], out);
  step_check(numbers, lengths[k], out);
}

static void changes_are_refused(void** state) {
  (void)state;
  static Result r;
  static double changed[SIZE_MAX_STEP];
  const char* path = "test_tamper.mcap";
  const long count = getenv("HEFT_LONG") ? 1000000 : getenv("HEFT_SHORT") ? 2000 : 20000;
  Random random = {11};
  long accepted = 0;
  write_evidence(path);
  read_evidence(path);
  remove(path);
  for (int i = 0; i < step_count; ++i) {
    check(i, steps[i], &r);
    if (is_refused(&r))
      fail_msg("step %d is refused: errors %x, number %ld", i, (unsigned)r.refused, r.wrong);
  }
  for (long n = 0; n < count; ++n) {
    const long k = 1 + (long)(random_between(&random, 0, 1) * (step_count - 1)) % (step_count - 1);
    const long at = (long)(random_between(&random, 0, 1) * (double)lengths[k]) % lengths[k];
    const double size = pow(10, random_between(&random, -12, 0)), sign = n % 2 ? 1 : -1;
    const int part = part_of(steps[k], at);
    memcpy(changed, steps[k], (size_t)lengths[k] * sizeof *changed);
    changed[at] += sign * size;
    if (changed[at] == steps[k][at]) continue;
    check(k, changed, &r);
    const int well = !is_refused(&r);
    accepted += well;
    if (part < 0) continue;
    Part* p = &parts[part];
    ++p->changed, p->accepted += well;
    if (well) p->largest = fmax(p->largest, size);
  }
  for (int i = 0; i < PARTS; ++i) {
    const Part* p = &parts[i];
    printf("%-25s %7ld changed, %6ld accepted, the largest %.1e\n", p->name, p->changed,
           p->accepted, p->largest);
  }
  for (int i = 0; i < PARTS; ++i) assert_true(parts[i].largest <= parts[i].most);
  printf("%ld changes, %ld accepted in all\n", count, accepted);
}

// Bytes of any kind: numbers at random places become others. Nothing may be read or written beyond
// its end (for the sanitizers), and no model may pass that later steps would misuse.
static void wild_numbers_are_survived(void** state) {
  (void)state;
  static Result r;
  static double wild[MODEL_NUMBERS], changed[SIZE_MAX_STEP];
  static const double bad[] = {-1, 1e9, 0.5, 2147483648.0, -2147483649.0, 1e308, 3, 7, 0, HUGE_VAL};
  const long count = getenv("HEFT_LONG") ? 300000 : 2000;
  Random random = {12};
  for (long n = 0; n < count; ++n) {
    memcpy(wild, model_numbers, sizeof wild);
    memcpy(changed, steps[1], sizeof changed);
    for (int i = 0; i < 2; ++i) {
      const int pick = (int)random_between(&random, 0, 9.99);
      if (n % 2) wild[(int)random_between(&random, 0, (double)model_count - 1)] = bad[pick];
      changed[(int)random_between(&random, 0, (double)lengths[1] - 1)] = bad[pick];
    }
    if (model_read(wild, model_count) == 0 || n % 2 == 0) {
      long length = lengths[1];
      if (n % 3 == 0) length = (long)random_between(&random, 0, (double)length);
      step_check(changed, length, &r);
    }
    assert_int_equal(model_read(model_numbers, model_count), 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(changes_are_refused),
                                     cmocka_unit_test(wild_numbers_are_survived)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
