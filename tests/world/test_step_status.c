// SPDX-License-Identifier: Apache-2.0
// The status of a step tells the truth: "solved" only if the certificate meets the tolerance and no
// contact point was dropped. Inexact steps are taken; their impulses are in their cones, add no
// energy and are never discarded.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "world/contact_scene.h"
#include "world/described.h"

// ---- each status

// Three boxes, one on the other, that fall onto the floor.
static Scene open_stack(const HeftWorldDef* def) {
  Scene s = scene_open(heft_vec3(0, 0, -g), 0.002);
  const int material = add_material(&s, 0.5, 0);
  add_floor(&s, material);
  for (int i = 0; i < 3; ++i)
    add_free(&s, HEFT_SHAPE_BOX, 0.1, 1 + 3 * i, heft_vec3(0.01 * i, 0, 0.11 + 0.2 * i), material);
  scene_start_with(&s, def);
  return s;
}

typedef struct Counts {
  int of[HEFT_STEP_STATUS_COUNT];
} Counts;

// Every step is taken, and its status says what its numbers say.
static Counts run_stack(const HeftWorldDef* def, int steps) {
  Scene s = open_stack(def);
  Counts counts = {{0}};
  for (int i = 0; i < steps; ++i) {
    const double before = *heft_world_state(s.world)->time;
    const HeftStepReport r = heft_world_step(s.world);
    ++counts.of[r.status];
    assert_true(heft_step_taken(r.status));
    assert_true(r.time > before && r.time == *heft_world_state(s.world)->time);
    assert_true((r.inexact > 0) == !(r.relative <= def->tolerance));
    assert_true((r.status == HEFT_STEP_CONTACTS_DROPPED) == (r.contact_dropped > 0));
    assert_true((r.status == HEFT_STEP_SOLVED) == (r.inexact == 0 && r.contact_dropped == 0));
    CHECK_AT_MOST(r.impulse_energy, 1e-12);
    CHECK_AT_MOST(r.cone, 1e-9);
  }
  scene_close(&s);
  return counts;
}

static void enough_effort_solves(void** state) {
  (void)state;
  const HeftWorldDef def = heft_world_def_default();
  const Counts counts = run_stack(&def, 300);
  assert_int_equal(counts.of[HEFT_STEP_SOLVED], 300);
}

static void little_effort_is_inexact(void** state) {
  (void)state;
  HeftWorldDef def = heft_world_def_default();
  def.effort_max = 1;
  const Counts counts = run_stack(&def, 300);
  printf("effort 1: %d steps inexact, %d solved\n", counts.of[HEFT_STEP_INEXACT],
         counts.of[HEFT_STEP_SOLVED]);
  assert_true(counts.of[HEFT_STEP_INEXACT] > 0);
  assert_true(counts.of[HEFT_STEP_SOLVED] > 0);
}

static void little_room_drops_contacts(void** state) {
  (void)state;
  HeftWorldDef def = heft_world_def_default();
  def.contact_capacity = 5;
  Counts counts = run_stack(&def, 300);
  assert_true(counts.of[HEFT_STEP_CONTACTS_DROPPED] > 200);
  def.effort_max = -1;  // both: the dropped contact points decide, inexact islands are counted
  counts = run_stack(&def, 300);
  assert_true(counts.of[HEFT_STEP_CONTACTS_DROPPED] > 0);
}

static void failures_are_not_taken(void** state) {
  (void)state;
  Scene s = open_stack(NULL);
  heft_world_joint_forces(s.world)[2] = (double)NAN;
  const HeftStepReport r = heft_world_step(s.world);
  assert_int_equal(r.status, HEFT_STEP_NOT_FINITE);
  assert_true(*heft_world_state(s.world)->time == 0);
  assert_false(heft_step_taken(HEFT_STEP_NOT_FINITE));
  assert_false(heft_step_taken(HEFT_STEP_SINGULAR));
  assert_false(heft_step_taken(HEFT_STEP_STATUS_COUNT));
  assert_false(heft_step_taken((HeftStepStatus)-1));
  for (int i = 0; i < HEFT_STEP_STATUS_COUNT; ++i) {
    for (int k = 0; k < i; ++k)
      assert_string_not_equal(heft_step_status_text((HeftStepStatus)i),
                              heft_step_status_text((HeftStepStatus)k));
  }
  scene_close(&s);
}

// A step of several substeps has the worst of their statuses, and the sum of their inexact islands.
static void substeps_tell_the_worst(void** state) {
  (void)state;
  enum { PARTS = 4 };
  HeftWorldDef whole = heft_world_def_default(), part = whole;
  whole.effort_max = part.effort_max = 1;
  whole.substeps = PARTS;
  whole.time_step = 0.008;
  part.time_step = 0.008 / PARTS;
  Scene a = open_stack(&whole), b = open_stack(&part);
  int mixed = 0;
  for (int i = 0; i < 100; ++i) {
    const HeftStepReport r = heft_world_step(a.world);
    HeftStepStatus worst = HEFT_STEP_SOLVED, best = HEFT_STEP_SINGULAR;
    int inexact = 0;
    for (int k = 0; k < PARTS; ++k) {
      const HeftStepReport p = heft_world_step(b.world);
      worst = p.status > worst ? p.status : worst;
      best = p.status < best ? p.status : best;
      inexact += p.inexact;
    }
    mixed += worst != best;
    assert_int_equal(r.status, worst);
    assert_int_equal(r.inexact, inexact);
    assert_true(heft_world_hash(a.world) == heft_world_hash(b.world));
  }
  assert_true(mixed > 0);
  scene_close(&a);
  scene_close(&b);
}

// ---- other contact models, Runge-Kutta

static const char hanging_loop[] =
    "<mujoco><option timestep='0.002'/><worldbody><geom type='plane' size='5 5 1'/>"
    "<body name='a' pos='0 0 0.5'><joint type='hinge' axis='0 1 0'/>"
    "<geom type='capsule' fromto='0 0 0 0.3 0 0' size='0.02'/>"
    "<body name='b' pos='0.3 0 0'><joint type='hinge' axis='0 1 0' limited='true' range='-20 20'/>"
    "<geom type='capsule' fromto='0 0 0 0.3 0 0' size='0.02'/></body></body>"
    "<body name='c' pos='0.8 0 0.5'><freejoint/><geom type='box' size='0.05 0.05 0.05'/></body>"
    "</worldbody><equality><connect body1='b' body2='c' anchor='0.3 0 0'/></equality></mujoco>";

// Every model judges itself by its own equations and by the exact law of joints: far from the exact
// law of contact it solves its steps, but without effort for the joints it does not.
static void other_models_judge_themselves(void** state) {
  (void)state;
  static const HeftContactModel models[] = {HEFT_CONTACT_MODEL_PENALTY,
                                            HEFT_CONTACT_MODEL_MICRO_MACRO};
  for (int k = 0; k < 2; ++k) {
    for (int starved = 0; starved < 2; ++starved) {
      HeftWorldDef def = heft_world_def_default();
      def.contact_model = models[k];
      if (starved) def.effort_max = -1;
      Stage s = stage_on(described(hanging_loop), &def);
      int solved = 0, far = 0;
      for (int i = 0; i < 500; ++i) {
        const HeftStepReport r = stage_step(&s);
        solved += r.status == HEFT_STEP_SOLVED;
        far += r.status == HEFT_STEP_SOLVED && r.relative > def.tolerance;
      }
      printf("%s, %s: %d of 500 steps solved, %d far from the exact law\n",
             heft_contact_model_name(models[k]), starved ? "no effort" : "usual effort", solved,
             far);
      if (starved) CHECK_AT_MOST(solved, 10);
      if (!starved) assert_true(solved > 450 && far > 300);
      stage_close(&s);
    }
  }
}

// Runge-Kutta knows no contact: the box falls freely, which is exact, until the step in which it
// would reach the floor. That step is refused, and the contact points can be read.
static void runge_kutta_refuses_contact(void** state) {
  (void)state;
  const double h = 0.002;
  HeftWorldDef def = heft_world_def_default();
  def.integrator = HEFT_INTEGRATOR_RK4;
  Scene s = open_stack(&def);
  int refused = 0;
  for (int i = 0; i < 100; ++i) {
    const double gap = heft_world_state(s.world)->q[2] - 0.1;
    const double mean = -heft_world_state(s.world)->v[2] + 0.5 * h * 9.81;
    const double time = *heft_world_state(s.world)->time;
    const HeftStepReport r = heft_world_step(s.world);
    const int closes = h * mean > gap * (1 + 1e-9);
    assert_int_equal(r.status, closes ? HEFT_STEP_CONTACT_REFUSED : HEFT_STEP_SOLVED);
    refused += closes;
    assert_int_equal(heft_world_contact_count(s.world) > 0, closes);
    if (!closes) continue;
    assert_true(r.time == time && heft_world_state(s.world)->q[2] > 0.1);
    CHECK_AT_MOST(fabs(r.residual - (mean - gap / h)), 1e-6);
    assert_true(r.relative > 0.01);
    assert_true(heft_vec3_norm(heft_world_contact(s.world, 0).force) == 0);
  }
  assert_true(refused > 0 && refused < 100);
  scene_close(&s);
}

// A box that rests on the floor is refused in the first step; without contact it falls.
static void runge_kutta_refuses_a_box_at_rest(void** state) {
  (void)state;
  static const char box[] =
      "<mujoco><worldbody><geom type='plane' size='5 5 1'/><body pos='0 0 0.1'><freejoint/>"
      "<geom type='box' size='.1 .1 .1'/></body></worldbody></mujoco>";
  HeftWorldDef def = heft_world_def_default();
  def.integrator = HEFT_INTEGRATOR_RK4;
  for (int off = 0; off < 2; ++off) {
    HeftModel* m = described(box);
    if (off) scene_disable_contact(m);
    Stage s = stage_on(m, &def);
    const HeftStepReport r = heft_world_step(s.world);
    assert_int_equal(r.status, off ? HEFT_STEP_SOLVED : HEFT_STEP_CONTACT_REFUSED);
    stage_close(&s);
  }
}

// Two weights on a string over a third body: a tendon across three trees, which is solved before
// all contacts. It holds in the air. On the floor the contacts disturb it, and the status says so.
static void disturbed_tendons_are_inexact(void** state) {
  (void)state;
  static const char three[] =
      "<mujoco><option timestep='0.001'/><worldbody><geom type='plane' size='5 5 1'/>"
      "<body pos='0 0 2'><freejoint/><geom type='sphere' size='0.3' mass='4' contype='0' "
      "conaffinity='0'/><site name='top' pos='0 0 0.5'/></body>"
      "<body pos='0.5 0 0.5'><freejoint/><geom size='0.05' mass='1'/><site name='a'/></body>"
      "<body pos='-0.5 0 0.6'><freejoint/><geom size='0.05' mass='2'/><site name='b'/></body>"
      "</worldbody><tendon><spatial limited='true' range='0 4.2'><site site='a'/><site site='top'/>"
      "<site site='b'/></spatial></tendon></mujoco>";
  const HeftWorldDef def = heft_world_def_default();
  Stage s = stage_on(described(three), &def);
  int inexact[2] = {0, 0}, steps[2] = {0, 0};
  for (int i = 0; i < 1500; ++i) {
    const HeftStepReport r = stage_step(&s);
    const int touches = r.contact_count > 0;
    ++steps[touches];
    inexact[touches] += r.status == HEFT_STEP_INEXACT;
    assert_true((r.status == HEFT_STEP_SOLVED) == (r.relative <= def.tolerance));
  }
  printf("tendon across three trees: %d of %d steps inexact in the air, %d of %d on the floor\n",
         inexact[0], steps[0], inexact[1], steps[1]);
  assert_int_equal(inexact[0], 0);
  assert_true(inexact[1] > 0);
  stage_close(&s);
}

// ---- robots in motion

typedef struct PushedMotion {
  Stage stage;
  uint64_t seed;
  int every;  ///< steps between random controls; 0: those of the keyframe stay
} PushedMotion;

static PushedMotion open_motion(const char* file, const HeftWorldDef* def, int random) {
  PushedMotion m = {.seed = 88172645463325252u};
  HeftModel* model = loaded(file);
  if (!model) return m;
  m.stage = stage_on(model, def);
  m.every = random ? (int)(0.2 / m.stage.world->input.h + 0.5) : 0;
  if (model->nkey == 0) return m;
  HeftState* start = NULL;
  assert_int_equal(heft_state_create(&start, model, NULL, NULL), HEFT_OK);
  heft_state_set_key(start, model, 0);
  if (!random) start->q[2] += 0.5;
  assert_int_equal(heft_world_set_state(m.stage.world, start), HEFT_OK);
  memcpy(heft_world_controls(m.stage.world), model->key_control,
         (size_t)model->nactuator * sizeof(double));
  heft_state_destroy(start);
  return m;
}

static void move_controls(PushedMotion* m, int step) {
  const HeftModel* model = m->stage.model;
  if (m->every == 0 || step % m->every != 0) return;
  for (int i = 0; i < model->nactuator; ++i) {
    const double* range = model->actuator_control_range + 2L * i;
    const int limited = model->actuator_control_limited[i] != 0;
    heft_world_controls(m->stage.world)[i] =
        between(&m->seed, limited ? range[0] : -1, limited ? range[1] : 1);
  }
}

// Islands whose impulses are all zero although a contact point, a limit or a loop asks for some.
static int count_discarded(const HeftWorld* w) {
  const Constraints* c = w->constraints;
  int discarded = 0;
  for (int i = 0; i < c->islands.count; ++i) {
    const Island* island = &c->islands.list[i];
    int acts = 0;
    for (int n = 0; n < island->count; ++n) {
      const Constraint* k = &c->set.list[island->order[n]];
      for (int r = k->row; r < k->row + k->rows; ++r) acts |= c->solution.impulse[r] != 0;
    }
    discarded += island->count > 0 && !acts && c->solution.island[i].inexact;
  }
  return discarded;
}

static double widest_loop(const HeftWorld* w) {
  const HeftModel* m = heft_world_model(w);
  double widest = 0;
  for (int e = 0; e < m->nequality; ++e) {
    HeftVec3 end[2];
    if (m->equality_type[e] != HEFT_EQUALITY_CONNECT) continue;
    for (int k = 0; k < 2; ++k)
      end[k] = heft_pose_apply(
          heft_dynamics_body_pose(heft_world_dynamics(w), m->equality_object[2 * e + k]),
          heft_vec3_from(m->equality_anchor + 6L * e + 3L * k));
    widest = fmax(widest, distance(end[0], end[1]));
  }
  return widest;
}

// Keyframes may leave loops open; they are closed within this time [s].
static const double closing_time = 0.02;

typedef struct Run {
  HeftStepTally tally;
  double widest;  ///< opening of a loop [m]
} Run;

// 1 if all errors are within their bounds.
static int is_within(const HeftStepReport* r) {
  for (int i = 0; i < HEFT_QUANTITY_COUNT; ++i) {
    if (!(r->error[i].value <= r->error[i].bound)) return 0;
  }
  return 1;
}

// deadline: 1 if every step comes too late.
static Run run_motion(PushedMotion* m, double seconds, int deadline) {
  HeftWorld* w = m->stage.world;
  Run run = {{0}, 0};
  const int steps = (int)(seconds / w->input.h + 0.5);
  for (int i = 0; i < steps; ++i) {
    move_controls(m, i);
    const HeftStepReport r = deadline ? heft_world_step_until(w, 1) : heft_world_step(w);
    heft_step_tally_add(&run.tally, &r);
    assert_true(heft_step_taken(r.status));
    assert_true((r.status == HEFT_STEP_SOLVED) ==
                (r.relative <= w->def.tolerance && r.contact_dropped == 0 && is_within(&r)));
    CHECK_AT_MOST(r.impulse_energy - r.restitution_work, 1e-9 * (1 + r.kinetic));
    assert_int_equal(count_discarded(w), 0);
    if (r.time > closing_time) run.widest = fmax(run.widest, widest_loop(w));
  }
  return run;
}

static double span(double usual) {
  return getenv("HEFT_LONG") ? 10 : STAGE_SANITIZED ? 0.05 * usual : usual;
}

static void report_run(const char* what, const Run* run) {
  char text[2000];
  printf("   %-44s loops open at most %.1e m; %s\n", what, run->widest,
         heft_step_tally_text(&run->tally, NULL, text, sizeof text));
}

static void robots_tell_the_truth(void** state) {
  (void)state;
  static const char* const files[] = {"unitree_g1/scene.xml", "agility_cassie/scene.xml",
                                      "shadow_hand/scene_right.xml",
                                      "mujoco/humanoid/humanoid.xml"};
  for (size_t f = 0; f < sizeof files / sizeof *files; ++f) {
    PushedMotion m = open_motion(files[f], NULL, 1);
    if (!m.stage.world) continue;
    const Run run = run_motion(&m, span(1), 0);
    report_run(files[f], &run);
    stage_close(&m.stage);
  }
}

static const double loop_limit = 1e-4;  // [m]

static void cassie_keeps_its_loops(void** state) {
  (void)state;
  for (int random = 0; random < 2; ++random) {
    PushedMotion m = open_motion("agility_cassie/scene.xml", NULL, random);
    if (!m.stage.world) return;
    const Run run = run_motion(&m, span(3), 0);
    report_run(random ? "Cassie, random torques" : "Cassie falls", &run);
    CHECK_AT_MOST(run.widest, loop_limit);
    stage_close(&m.stage);
  }
}

// With hardly any effort, or when it is always too late.
static const double hasty_limit = 2e-3;  // [m]

static void cassie_keeps_its_loops_in_haste(void** state) {
  (void)state;
  for (int deadline = 0; deadline < 2; ++deadline) {
    HeftWorldDef def = heft_world_def_default();
    if (!deadline) def.effort_max = 3;
    PushedMotion m = open_motion("agility_cassie/scene.xml", &def, 1);
    if (!m.stage.world) return;
    const Run run = run_motion(&m, span(1), deadline);
    report_run(deadline ? "Cassie, always late" : "Cassie, effort 3", &run);
    assert_true(run.tally.inexact > 0);
    CHECK_AT_MOST(run.widest, hasty_limit);
    stage_close(&m.stage);
  }
}

// A late step is repeated with the same bits and the same status.
static void late_steps_are_repeated(void** state) {
  (void)state;
  PushedMotion m = open_motion("agility_cassie/scene.xml", NULL, 1);
  PushedMotion again = open_motion("agility_cassie/scene.xml", NULL, 1);
  int work[64];
  for (int i = 0; i < 1000 && m.stage.world; ++i) {
    move_controls(&m, i);
    move_controls(&again, i);
    const uint64_t deadline = i % 3 == 0 ? 1 : i % 3 == 1 ? heft_clock_ns() + 300000u : 0;
    const HeftStepReport r =
        deadline ? heft_world_step_until(m.stage.world, deadline) : heft_world_step(m.stage.world);
    const int count = heft_world_effort(m.stage.world, work, 64);
    assert_true(count <= 64);
    const HeftStepReport same = heft_world_step_replay(again.stage.world, work, count);
    assert_int_equal(r.status, same.status);
    assert_int_equal(r.inexact, same.inexact);
    assert_true(r.relative == same.relative);
    assert_true(heft_world_hash(m.stage.world) == heft_world_hash(again.stage.world));
  }
  stage_close(&m.stage);
  stage_close(&again.stage);
}

// ---- the tally

static void tally_says_what_to_do(void** state) {
  (void)state;
  HeftStepTally tally = {0};
  char text[2000], little[10];
  HeftStepReport r = {.status = HEFT_STEP_SOLVED, .relative = 1e-7, .time = 1};
  heft_step_tally_add(&tally, &r);
  assert_string_equal(heft_step_tally_text(&tally, NULL, text, sizeof text), "all 1 steps solved");
  r = (HeftStepReport){.status = HEFT_STEP_INEXACT, .inexact = 2, .relative = 0.25, .time = 2};
  heft_step_tally_add(&tally, &r);
  r.relative = 0.125;
  r.time = 3;
  heft_step_tally_add(&tally, &r);
  r = (HeftStepReport){.status = HEFT_STEP_CONTACTS_DROPPED, .contact_dropped = 7, .time = 4};
  heft_step_tally_add(&tally, &r);
  r = (HeftStepReport){.status = HEFT_STEP_RESTRAINED, .restrained = 3, .time = 5};
  heft_step_tally_add(&tally, &r);
  r = (HeftStepReport){.status = HEFT_STEP_NOT_FINITE, .time = 5};
  heft_step_tally_add(&tally, &r);
  assert_string_equal(
      heft_step_tally_text(&tally, NULL, text, sizeof text),
      "2 of 6 steps inexact, worst relative residual 2.5e-01 at 2 s: raise effort_max or the "
      "tolerance, or shorten the time step; 7 contact points dropped in 1 of 6 steps: raise "
      "contact_capacity, or do not let shapes that lie in one another collide; 1 of 6 steps "
      "restrained: too fast a rotation, shorten the time step; 1 of 6 steps rolled back");
  assert_string_equal(heft_step_tally_text(&tally, NULL, little, sizeof little), "2 of 6 st");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(enough_effort_solves),
      cmocka_unit_test(little_effort_is_inexact),
      cmocka_unit_test(little_room_drops_contacts),
      cmocka_unit_test(failures_are_not_taken),
      cmocka_unit_test(substeps_tell_the_worst),
      cmocka_unit_test(other_models_judge_themselves),
      cmocka_unit_test(runge_kutta_refuses_contact),
      cmocka_unit_test(runge_kutta_refuses_a_box_at_rest),
      cmocka_unit_test(disturbed_tendons_are_inexact),
      cmocka_unit_test(robots_tell_the_truth),
      cmocka_unit_test(cassie_keeps_its_loops),
      cmocka_unit_test(cassie_keeps_its_loops_in_haste),
      cmocka_unit_test(late_steps_are_repeated),
      cmocka_unit_test(tally_says_what_to_do),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
