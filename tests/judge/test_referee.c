// SPDX-License-Identifier: Apache-2.0
// The referee on runs of Heft, as they are and with planted violations, with forces and without,
// and on a creep of known speed.
#include "judge/referee.h"

#include <heft/world.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "judge/run_table.h"
#include "support/check.h"
#include "support/scene.h"

enum { CONTACTS = 64, STEPS = 300 };

static const char block[] =
    "<mujoco><option timestep='0.001'/><worldbody><geom type='plane' size='5 5 1' friction='0.5'/>"
    "<body name='block' pos='0 0 0.05'><freejoint/><geom type='box' size='0.05 0.05 0.05' mass='2' "
    "friction='0.5'/></body></worldbody></mujoco>";
static const char arm[] =
    "<mujoco><option timestep='0.001'/><worldbody><geom type='plane' size='5 5 1'/>"
    "<body name='arm' pos='0 0 0.5'><joint name='hinge' axis='0 1 0' range='-1 1' limited='true' "
    "damping='0.1'/><geom type='capsule' fromto='0 0 0 0.3 0 0' size='0.02' mass='1'/></body>"
    "</worldbody></mujoco>";
// A foot on a stiff spring, which falls to the floor and swings.
static const char foot[] =
    "<mujoco><option timestep='0.001'/><worldbody><geom type='plane' size='5 5 1'/>"
    "<body pos='0 0 .3'><joint type='slide' axis='0 0 1'/><geom size='.05' mass='20'/>"
    "<body pos='0 0 -.2'><joint type='slide' axis='0 0 1' stiffness='2e6' damping='500'/>"
    "<geom type='box' size='.1 .05 .02' mass='1'/></body></body></worldbody></mujoco>";

// Changes of a row before the referee sees it.
typedef struct Plant {
  double creep;     // velocity along y that the body gets, with the displacement
  double friction;  // factor of tangential forces
  double lift;      // added to the height
  double push;      // added to the velocity along z in row 100
  double gravity;   // acceleration along x that no force makes
  double bend;      // added to the coordinate 0
} Plant;

static void plant(const Plant* p, int i, double* q, double* v, RefereeContact* c, int count) {
  const double t = 1e-3 * i;
  q[0] += p->bend;
  if (count < 0) return;
  q[1] += p->creep * t;
  v[1] += p->creep;
  q[0] += 0.5 * p->gravity * t * t;
  v[0] += p->gravity * t;
  q[2] += p->lift;
  if (i >= 100) {
    v[2] += p->push;
    q[2] += p->push * (t - 0.1);
  }
  for (int k = 0; k < count; ++k) {
    c[k].force.x *= p->friction;
    c[k].force.y *= p->friction;
  }
}

static RefereeReport judge(const char* text, const Plant* p, int infer, double speed, double tilt) {
  HeftModel* m = scene_model(text);
  HeftWorld* w = NULL;
  Referee* r = NULL;
  HeftError error = {0};
  m->physics.gravity[0] = tilt * 9.81;
  const int freely = m->nv == 6;
  assert_int_equal(heft_world_create(&w, m, NULL, &error), HEFT_OK);
  if (freely) {
    const double v[6] = {speed};
    assert_int_equal(heft_world_set_v(w, 0, v, 6, NULL), HEFT_OK);
  }
  RefereeDef def = referee_def_default();
  def.infer = infer;
  assert_int_equal(referee_create(&r, m, &def, &error), HEFT_OK);
  double q[7], v[6];
  RefereeContact list[CONTACTS];
  for (int i = 0; i <= STEPS; ++i) {
    if (i > 0) heft_world_step(w);
    const HeftState* s = heft_world_state(w);
    memcpy(q, s->q, (size_t)m->nq * sizeof *q);
    memcpy(v, s->v, (size_t)m->nv * sizeof *v);
    const int count = heft_world_contact_count(w);
    for (int k = 0; k < count && k < CONTACTS; ++k) {
      const HeftContact c = heft_world_contact(w, k);
      list[k] = (RefereeContact){c.body_a, c.body_b, c.pos, c.normal, c.force, c.torque};
    }
    if (p) plant(p, i, q, v, list, freely ? count : -1);
    const RefereeRow row = {
        .time = 1e-3 * i, .q = q, .v = v, .contact = list, .contact_count = count};
    assert_int_equal(referee_row(r, &row, &error), 1);
  }
  const RefereeReport out = *referee_report(r);
  referee_destroy(r);
  heft_world_destroy(w);
  heft_model_destroy(m);
  return out;
}

static const RefereeFinding* find(const RefereeReport* r, RefereeKind kind) {
  for (int i = 0; i < r->finding_count; ++i)
    if (r->finding[i].kind == kind) return &r->finding[i];
  return NULL;
}

static void true_runs_pass(void** state) {
  (void)state;
  for (int infer = 0; infer < 2; ++infer) {
    assert_int_equal(judge(block, NULL, infer, 0, 0).broken, 0);
    assert_int_equal(judge(block, NULL, infer, 1, 0).broken, 0);    // slides to rest
    assert_int_equal(judge(block, NULL, infer, 0, 0.4).broken, 0);  // rests on a slope
    assert_int_equal(judge(block, NULL, infer, 0, 0.6).broken, 0);  // slides down
    assert_int_equal(judge(arm, NULL, infer, 0, 0).broken, 0);      // falls into its limit
    assert_int_equal(judge(foot, NULL, infer, 0, 0).broken, 0);
  }
}

static void creep_is_measured(void** state) {
  (void)state;
  const Plant p = {.creep = 141e-6, .friction = 1};
  for (int infer = 0; infer < 2; ++infer) {
    const RefereeReport r = judge(block, &p, infer, 0, 0.3);
    const RefereeFinding* f = find(&r, REFEREE_CREEP);
    assert_non_null(f);
    CHECK_AT_MOST(fabs(f->sum / (double)f->rows / 141e-6 - 1), 0.01);
    assert_true(f->rows > STEPS - 5);
  }
}

static void planted_violations_are_found(void** state) {
  (void)state;
  const struct {
    const char* text;
    Plant plant;
    RefereeKind kind, inferred;  // with forces, without them
    double tilt;
  } rows[] = {
      {block, {.gravity = 0.1, .friction = 1}, REFEREE_MOMENTUM, REFEREE_CREEP, 0},
      {block, {.friction = 0.9}, REFEREE_MOMENTUM, REFEREE_KIND_COUNT, 0.3},
      {block, {.friction = 1, .lift = -0.003}, REFEREE_KIND_COUNT, REFEREE_KIND_COUNT, 0},
      {block, {.friction = 1, .lift = 0.002}, REFEREE_GAP, REFEREE_MOMENTUM, 0},
      {block, {.friction = 1, .push = 0.5}, REFEREE_APART, REFEREE_ENERGY, 0},
      {arm, {.bend = 0.1}, REFEREE_RANGE, REFEREE_RANGE, 0},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    for (int infer = 0; infer < 2; ++infer) {
      const RefereeKind kind = infer ? rows[i].inferred : rows[i].kind;
      const RefereeReport r = judge(rows[i].text, &rows[i].plant, infer, 0, rows[i].tilt);
      if (kind != REFEREE_KIND_COUNT && !find(&r, kind)) fail_msg("row %zu, infer %d", i, infer);
    }
}

// A log of another program: names of columns, world axes, contacts in a table of their own.
static void tables_are_read(void** state) {
  (void)state;
  HeftModel* m = scene_model(block);
  static const char states[] =
      "time,block.x,block.y,block.z,block.qw,block.qx,block.qy,block.qz,block.vx,block.vy,block.vz,"
      "block.wx,block.wy,block.wz\n0,0,0,.05,1,0,0,0,0,0,0,0,0,0\n.001,0,0,.05,1,0,0,0,0,0,0,0,0,"
      "0\n"
      ".002,0,0,.05,1,0,0,0,0,0,0,0,0,0\n";
  static const char contacts[] =
      "time,a,b,x,y,z,nx,ny,nz,fx,fy,fz\n.001,0,1,0,0,0,0,0,1,0,0,19.62\n.002,0,1,0,0,0,0,0,1,0,0,"
      "9.81\n";
  Csv s, c;
  RunTable* t = NULL;
  Referee* r = NULL;
  HeftError error = {0};
  const RefereeDef def = referee_def_default();
  assert_int_equal(csv_read(&s, states, sizeof states - 1, "s", &error), HEFT_OK);
  assert_int_equal(csv_read(&c, contacts, sizeof contacts - 1, "c", &error), HEFT_OK);
  assert_int_equal(run_table_open(&t, m, &s, "s", &c, "c", &error), HEFT_OK);
  assert_int_equal(referee_create(&r, m, &def, &error), HEFT_OK);
  for (int64_t i = 0; i < run_table_rows(t); ++i) {
    RefereeRow row;
    assert_int_equal(run_table_read(t, i, &row, &error), 1);
    assert_int_equal(referee_row(r, &row, &error), 1);
  }
  const RefereeFinding* f = find(referee_report(r), REFEREE_MOMENTUM);
  assert_int_equal(referee_report(r)->broken, 1);
  assert_non_null(f);
  CHECK_AT_MOST(fabs(f->worst / (9.81 / 2) - 1), 1e-9);
  assert_true(f->at == 0.002);
  referee_destroy(r);
  run_table_close(t);
  csv_release(&s);
  csv_release(&c);
  heft_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(true_runs_pass),
      cmocka_unit_test(creep_is_measured),
      cmocka_unit_test(planted_violations_are_found),
      cmocka_unit_test(tables_are_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
