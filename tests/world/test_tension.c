// SPDX-License-Identifier: Apache-2.0
// Light ropes under heavy loads (tension.c): of links joined by equalities, of beads joined by
// tendon limits, and of hinges in one tree. hω of their links is 0.1 to 31. HEFT_LONG=1 takes all
// loads and steps, 20 and 100 links, and 10 s. Slack ropes go taut.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/random.h"
#include "world/described.h"
#include "world/stage.h"

typedef enum Form { CONNECTS, TENDONS, HINGES, FORMS } Form;
static const char* const form_names[FORMS] = {"connects", "tendons", "hinges"};

typedef struct Text {
  char* bytes;
  size_t used, size;
} Text;

__attribute__((format(printf, 2, 3))) static void put(Text* t, const char* format, ...) {
  va_list list;
  va_start(list, format);
  const int count = vsnprintf(t->bytes + t->used, t->size - t->used, format, list);
  va_end(list);
  assert_true(count >= 0 && t->used + (size_t)count < t->size);
  t->used += (size_t)count;
}

#define GEOM "contype='0' conaffinity='0'"

static void put_connects(Text* t, int n, double load) {
  for (int i = 0; i < n; ++i)
    put(t,
        "<body name='l%d' pos='0 0 %.17g'><freejoint/><geom type='capsule' fromto='0 0 .025 0 0 "
        "-.025' size='.004' mass='.01' " GEOM "/></body>",
        i, -0.05 * (i + 0.5));
  put(t,
      "<body name='l%d' pos='0 0 %.17g'><freejoint/><geom size='.1' mass='%g' " GEOM
      "/></body></worldbody><equality>",
      n, -0.05 * n, load);
  put(t, "<connect body1='l0' body2='world' anchor='0 0 .025'/>");
  for (int i = 1; i <= n; ++i)
    put(t, "<connect body1='l%d' body2='l%d' anchor='0 0 %g'/>", i, i - 1, i < n ? 0.025 : 0);
  put(t, "</equality>");
}

static void put_tendons(Text* t, int n, double load) {
  put(t, "<site name='s0'/>");
  for (int i = 1; i <= n; ++i)
    put(t,
        "<body pos='0 0 %.17g'><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/>"
        "<joint type='slide' axis='0 0 1'/><geom size='.004' mass='%g' " GEOM
        "/><site name='s%d'/></body>",
        -0.05 * i, i < n ? 0.01 : load, i);
  put(t, "</worldbody><tendon>");
  for (int i = 0; i < n; ++i)
    put(t, "<spatial limited='true' range='0 .05'><site site='s%d'/><site site='s%d'/></spatial>",
        i, i + 1);
  put(t, "</tendon>");
}

static void put_hinges(Text* t, int n, double load) {
  for (int i = 0; i < n; ++i)
    put(t,
        "<body pos='0 0 %g'><joint axis='0 1 0'/><geom type='capsule' fromto='0 0 0 0 0 -.05' "
        "size='.004' mass='.01' " GEOM "/>",
        i == 0 ? 0 : -0.05);
  put(t, "<body pos='0 0 -.05'><geom size='.1' mass='%g' " GEOM "/></body>", load);
  for (int i = 0; i < n; ++i) put(t, "</body>");
  put(t, "</worldbody>");
}

static Stage open_rope(Form form, int n, double load, double step) {
  static char bytes[100000];
  Text t = {bytes, 0, sizeof bytes};
  HeftWorldDef def = heft_world_def_default();
  put(&t, "<mujoco><worldbody>");
  if (form == CONNECTS) put_connects(&t, n, load);
  if (form == TENDONS) put_tendons(&t, n, load);
  if (form == HINGES) put_hinges(&t, n, load);
  put(&t, "</mujoco>");
  def.time_step = step;
  return stage_on(described(bytes), &def);
}

// Largest distance by which equalities and tendons are apart.
static double apart(const HeftWorld* world) {
  static HeftConstraintForce list[1024];
  const int count = heft_world_constraint_forces(world, list, 1024);
  double most = 0;
  assert_true(count <= 1024);
  for (int i = 0; i < count; ++i) {
    const int limit = list[i].kind != HEFT_CONSTRAINT_EQUALITY;
    most = fmax(most, limit ? -list[i].gap : fabs(list[i].gap));
  }
  return most;
}

// A rope that hangs, every joint of which moves a little at the start. The energy is relative to
// the height of the load.
static void hang(Form form, int n, double load, double step, double time) {
  Stage s = open_rope(form, n, load, step);
  Random random = {1};
  double v[1024], most = 0, torn = 0;
  for (int i = 0; i < s.model->nv; ++i) v[i] = 1e-3 * random_between(&random, -1, 1);
  assert_int_equal(heft_world_set_v(s.world, 0, v, s.model->nv, NULL), HEFT_OK);
  HeftStepReport r = heft_world_step(s.world);
  const double start = r.kinetic + r.potential, scale = load * 9.81 * 0.05 * n;
  for (int i = 0; i < (int)(time / step); ++i) {
    r = stage_step(&s);
    most = fmax(most, (r.kinetic + r.potential - start) / scale);
    torn = fmax(torn, apart(s.world));
  }
  printf("%s, %3d links, %3g kg, %3g ms: energy at most %+.0e, at the end %+.0e; apart by %.0e m\n",
         form_names[form], n, load, 1e3 * step, most, (r.kinetic + r.potential - start) / scale,
         torn);
  CHECK_AT_MOST(most, form == TENDONS && time > 1 ? 1e-5 : 1e-6);
  CHECK_AT_MOST(torn, 1e-4);
  stage_close(&s);
}

static void loaded_ropes_hang(void** state) {
  (void)state;
  const double loads[] = {1, 10, 50, 500}, steps[] = {0.0005, 0.001, 0.002, 0.005};
  if (!getenv("HEFT_LONG")) {
    for (int i = STAGE_SANITIZED ? 3 : 1; i < 4; ++i) {
      for (int form = 0; form < FORMS; ++form) hang((Form)form, 20, loads[i], steps[i], 0.2);
    }
    return;
  }
  for (int n = 20; n <= 100; n += 80) {
    for (int i = 0; i < 16; ++i) {
      for (int form = 0; form < FORMS; ++form) hang((Form)form, n, loads[i / 4], steps[i % 4], 10);
    }
  }
}

// A wave on a taut rope of connects: its largest amplitude in the last tenth of the time, by that
// in the first.
static double amplitude_of_wave(int mode, double step, double time) {
  enum { N = 20 };
  const int steps = (int)(time / step + 0.5);
  Stage s = open_rope(CONNECTS, N, 10, step);
  const double pi = acos(-1), turn = mode * pi / N;
  double v[6 * (N + 1)] = {0}, first = 0, last = 0;
  for (int i = 0; i < N; ++i) {
    const double above = 0.05 * sin(turn * i), below = 0.05 * sin(turn * (i + 1));
    v[6 * i] = 0.5 * (above + below);
    v[6 * i + 4] = (above - below) / 0.05;
  }
  assert_int_equal(heft_world_set_v(s.world, 0, v, 6 * (N + 1), NULL), HEFT_OK);
  for (int n = 0; n < steps; ++n) {
    stage_step(&s);
    double sum = 0;
    for (int i = 0; i < N; ++i) sum += heft_world_state(s.world)->q[7 * i] * sin(turn * (i + 0.5));
    if (n < steps / 10) first = fmax(first, fabs(sum));
    if (n >= steps - steps / 10) last = fmax(last, fabs(sum));
  }
  stage_close(&s);
  return last / first;
}

// Modes exchange a little energy, so that the amplitude is compared with that of smaller steps.
static void waves_keep_their_amplitude(void** state) {
  (void)state;
  const int is_long = getenv("HEFT_LONG") != NULL;
  const double time = is_long ? 5 : STAGE_SANITIZED ? 0.1 : 0.5;
  for (int mode = 1; mode <= 4; mode += 3) {
    const double found = amplitude_of_wave(mode, 0.001, time),
                 exact = amplitude_of_wave(mode, 0.0002, time);
    printf("wave of mode %d: amplitude %.4f of the start after %g s; at 0.2 ms %.4f\n", mode, found,
           time, exact);
    CHECK_AT_MOST(fabs(found / exact - 1), is_long ? 0.03 : 0.02);
  }
}

// A chain that rotates stays straight, as long as its weight is small against the centrifugal
// force: with frozen directions it would whip at 280 rad/s by its own tension.
static void a_chain_rotates_straight(void** state) {
  (void)state;
  Stage s = open_rope(HINGES, 60, 0.01, 0.002);
  const double speed = 10;
  assert_int_equal(heft_world_set_v(s.world, 0, &speed, 1, NULL), HEFT_OK);
  double fastest = 0;
  for (int i = 0; i < 300; ++i) {
    stage_step(&s);
    for (int k = 1; k < 60; ++k) fastest = fmax(fastest, fabs(heft_world_state(s.world)->v[k]));
  }
  printf("rotating chain: joints turn by at most %.2f rad/s\n", fastest);
  CHECK_AT_MOST(fastest, 1);
  stage_close(&s);
}

// The positions of a rope folded to a zigzag, its links at 60 degrees to the vertical.
static void fold(const Stage* s, Form form, int n) {
  const double half = sqrt(3) / 2, side = 0.05 * half, down = 0.025;
  HeftState* start = NULL;
  assert_int_equal(heft_state_create(&start, s->model, NULL, NULL), HEFT_OK);
  heft_state_copy(start, heft_world_state(s->world));
  for (int i = 0; i <= n; ++i) {
    const int odd = i % 2;
    double* q = start->q + (form == CONNECTS ? 7 : 3) * i;
    if (form == CONNECTS) {
      const int load = i == n;
      q[0] = load ? (odd ? -side : 0) : -0.5 * side;
      q[2] = -down * (load ? i : i + 0.5);
      q[3] = load ? 1 : half;
      q[5] = load ? 0 : odd ? -0.5 : 0.5;
    } else if (i < n) {
      q[0] = odd ? 0 : -side;
      q[2] = (0.05 - down) * (i + 1);
    }
  }
  assert_int_equal(heft_world_set_state(s->world, start), HEFT_OK);
  heft_state_destroy(start);
}

// A folded rope under a load falls and goes taut.
static void snap(Form form, double load, double step, double time) {
  Stage s = open_rope(form, 20, load, step);
  fold(&s, form, 20);
  HeftStepReport r = heft_world_step(s.world);
  const double start = r.kinetic + r.potential, scale = load * 9.81 * 0.5;
  double most = 0, torn = 0;
  int parts = 0, wrong = 0;
  for (int i = 0; i < (int)(time / step); ++i) {
    r = stage_step(&s);
    most = fmax(most, (r.kinetic + r.potential - start) / scale);
    torn = fmax(torn, apart(s.world));
    parts = r.parts > parts ? r.parts : parts;
    wrong += r.status != HEFT_STEP_SOLVED;
  }
  printf(
      "%s go taut, %3g kg, %3g ms: energy at most %+.0e, at the end %+.2f; apart by %.0e m; up "
      "to %d parts, %d steps not solved\n",
      form_names[form], load, 1e3 * step, most, (r.kinetic + r.potential - start) / scale, torn,
      parts, wrong);
  CHECK_AT_MOST(most, load == 10 && step < 0.001 ? 2e-4 : 1e-6);
  CHECK_AT_MOST(torn, load > 10 ? 3e-4 : 1e-4);
  assert_true(parts > 1);
  stage_close(&s);
}

static void slack_ropes_go_taut(void** state) {
  (void)state;
  if (!getenv("HEFT_LONG")) {
    snap(CONNECTS, 10, 0.001, 0.36);
    snap(TENDONS, 10, 0.002, 0.4);
    return;
  }
  for (int i = 0; i < 9; ++i) {
    const double load = (const double[]){1, 10, 100}[i / 3];
    const double step = (const double[]){0.0005, 0.001, 0.005}[i % 3];
    snap(CONNECTS, load, step, 1);
    snap(TENDONS, load, step, 1);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loaded_ropes_hang), cmocka_unit_test(slack_ropes_go_taut),
      cmocka_unit_test(waves_keep_their_amplitude), cmocka_unit_test(a_chain_rotates_straight)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
