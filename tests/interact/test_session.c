// SPDX-License-Identifier: Apache-2.0
// Sessions are lived again bit for bit, deadlines included; damaged notes are refused.
#include <stdlib.h>

#include "interact/rig.h"

static const char scene[] =
    "<mujoco><option timestep='0.002'/><worldbody><geom type='plane' size='0 0 1'/>"
    "<body pos='0 0 0.05'><freejoint/><geom type='box' size='0.05 0.05 0.05' mass='0.3'/></body>"
    "<body pos='0 0 0.15'><freejoint/><geom type='box' size='0.05 0.05 0.05' mass='0.3'/></body>"
    "<body pos='0.2 0 0.1'><freejoint/><geom type='sphere' size='0.05' mass='0.2'/></body>"
    "</worldbody></mujoco>";

typedef struct Life {
  HeftModel* model;
  HeftWorld* world;
  HeftSession* session;
} Life;

static Life make(void) {
  Life l = {0};
  HeftError error = {0};
  const HeftLoadDef load = heft_load_def_default();
  HeftProbeDef defs[2] = {heft_probe_def_default(), heft_probe_def_default()};
  defs[1].stiffness = 900;
  if (heft_model_load_bytes(&l.model, scene, strlen(scene), "s.xml", &load, &error) ||
      heft_world_create(&l.world, l.model, NULL, &error) ||
      heft_session_create(&l.session, l.world, 2, defs, NULL, &error))
    fail_msg("%s", error.message);
  return l;
}

static void end(Life* l) {
  heft_session_destroy(l->session);
  heft_world_destroy(l->world);
  heft_model_destroy(l->model);
}

// Two hands that stir, press and hold.
static HeftProbeInput hand(int which, int step) {
  const double t = 0.002 * step;
  HeftProbeInput in = {.time_ns = (uint64_t)step * 2000000u, .present = 1};
  in.rot = heft_quat_exp(heft_vec3(0.2 * heft_sin(t), 0, 0.1 * t));
  in.pos = which == 0 ? heft_vec3(0.12 * heft_sin(1.3 * t), 0.05 * heft_cos(2.1 * t),
                                  0.16 + 0.08 * heft_cos(0.9 * t))
                      : heft_vec3(0.2 - 0.05 * t, 0.03 * heft_sin(3 * t), 0.1);
  in.buttons = which == 0 && step % 900 > 500;
  if (which == 1 && step % 1500 > 1300) in.present = 0;
  return in;
}

enum { STEPS = 3000, NOTE = 4096 };

static void lived_again(void** state) {
  (void)state;
  Life first = make(), second = make();
  unsigned char* notes = malloc((size_t)STEPS * NOTE);
  size_t* sizes = malloc(STEPS * sizeof *sizes);
  const size_t snapshot = heft_session_snapshot_size(first.session);
  unsigned char* start = malloc(snapshot);
  assert_true(notes && sizes && start);
  long touched = 0, held = 0, cut = 0;
  for (int i = 0; i < 100; ++i) {  // a past that the second one has not had
    const HeftProbeInput in[2] = {hand(0, i), hand(1, i)};
    heft_session_step(first.session, in, 0, NULL);
  }
  unsigned char* middle = malloc(heft_session_snapshot_size(first.session));
  const size_t middle_size = heft_session_snapshot_size(first.session);
  heft_session_snapshot(first.session, middle);
  for (int i = 0; i < STEPS; ++i) {
    const HeftProbeInput in[2] = {hand(0, 100 + i), hand(1, 100 + i)};
    // Some steps have hardly any time: what they leave undone is in the note.
    const uint64_t deadline = i % 7 == 0 ? 1 : i % 5 == 0 ? 0 : heft_clock_ns() + 977u * (i % 61);
    heft_session_step(first.session, in, deadline, NULL);
    cut += deadline > 0;
    touched += heft_probe_state(heft_session_probe(first.session, 0))->body > 0;
    held += heft_probe_state(heft_session_probe(first.session, 0))->holds;
    sizes[i] = heft_session_record_size(first.session);
    assert_true(sizes[i] <= NOTE);
    heft_session_record(first.session, notes + (size_t)i * NOTE);
  }
  print_message("%ld steps touch, %ld hold, %ld had a deadline\n", touched, held, cut);
  assert_true(touched > 200 && held > 100);
  assert_int_equal(heft_session_restore(second.session, middle, middle_size), HEFT_OK);
  for (int i = 0; i < STEPS; ++i) {
    HeftStepReport report;
    const HeftStatus status =
        heft_session_replay(second.session, notes + (size_t)i * NOTE, sizes[i], &report);
    if (status != HEFT_OK) fail_msg("step %d: %s", i, heft_status_text(status));
  }
  assert_true(heft_world_hash(first.world) == heft_world_hash(second.world));
  free(notes);
  free(sizes);
  free(start);
  free(middle);
  end(&first);
  end(&second);
}

static void damage_is_found(void** state) {
  (void)state;
  Life l = make(), other = make();
  const HeftProbeInput in[2] = {hand(0, 300), hand(1, 300)};
  unsigned char note[NOTE], snapshot[1 << 16];
  const size_t snapshot_size = heft_session_snapshot_size(l.session);
  assert_true(snapshot_size <= sizeof snapshot);
  heft_session_snapshot(l.session, snapshot);
  for (int i = 0; i < 10; ++i) heft_session_step(l.session, in, 1, NULL);
  const size_t size = heft_session_record_size(l.session);
  heft_session_record(l.session, note);
  HeftStepReport report;
  for (size_t i = 0; i < size; ++i)
    assert_int_not_equal(heft_session_replay(other.session, note, i, &report), HEFT_OK);
  note[0] = 9;
  assert_int_equal(heft_session_replay(other.session, note, size, &report), HEFT_ERR_SYNTAX);
  note[0] = 2;
  note[8] ^= 1;  // the hash
  assert_int_equal(heft_session_replay(other.session, note, size, &report), HEFT_ERR_CHECKSUM);
  // Moments with every byte changed, one at a time: refused, or harmless.
  for (size_t i = 0; i < snapshot_size; ++i) {
    snapshot[i] ^= 0xA5;
    if (heft_session_restore(other.session, snapshot, snapshot_size) == HEFT_OK)
      heft_session_step(other.session, in, 0, NULL);
    snapshot[i] ^= 0xA5;
  }
  for (size_t i = 0; i < snapshot_size; i += 7)
    assert_int_not_equal(heft_session_restore(other.session, snapshot, i), HEFT_OK);
  assert_int_equal(heft_session_restore(other.session, snapshot, snapshot_size), HEFT_OK);
  end(&l);
  end(&other);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lived_again),
      cmocka_unit_test(damage_is_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
