// SPDX-License-Identifier: Apache-2.0
// Papers: R33, R76.
#include "person_file.h"

#include <stdio.h>
#include <string.h>

int person_file_open(PersonFile* out, const char* verb, const char* path) {
  HeftError error = {0};
  memset(out, 0, sizeof *out);
  if (measured_file_read(&out->file, path, &error) == HEFT_OK &&
      tracked_find(&out->tracked, &out->file.measured.table[0], &error) == HEFT_OK)
    return 1;
  char text[1024];
  if (!error.file[0]) snprintf(error.file, sizeof error.file, "%s", path);
  fprintf(stderr, "heft %s: error: %s\n", verb, heft_error_format(&error, text, sizeof text));
  person_file_release(out);
  return 0;
}

static double time_of(const HeftC3dTable* t, int64_t row) {
  return t->number[row * t->columns] - t->number[0];
}

double person_file_duration(const PersonFile* p) {
  const HeftC3dTable* t = p->tracked.table;
  return t->rows > 0 ? time_of(t, t->rows - 1) : 0;
}

// A point that is no longer seen is released.
static void take(PersonFile* p, HeftWorld* world, SessionFile* log) {
  HeftVec3 point[LAB_TRACKED];
  const unsigned seen = tracked_at(&p->tracked, p->row, point);
  for (int i = 0; i < LAB_TRACKED; ++i) {
    HeftAction a = {.kind = HEFT_ACTION_TRACK, .slot = i + 1, .target = point[i]};
    if (!(seen >> i & 1)) a = (HeftAction){.kind = HEFT_ACTION_RELEASE, .slot = i + 1};
    if (a.kind == HEFT_ACTION_RELEASE && !(p->forces.used >> a.slot & 1)) continue;
    if (heft_action_apply(&a, world, &p->forces, NULL) == HEFT_OK && log)
      session_file_action(log, &a);
  }
}

int person_file_see(PersonFile* p, HeftWorld* world, SessionFile* log,
                    HeftHand hands[HEFT_ACTION_SLOTS]) {
  const HeftC3dTable* t = p->tracked.table;
  const int64_t before = p->row;
  const double now = *heft_world_state(world)->time + 1e-9;
  while (p->row < t->rows && time_of(t, p->row) <= now) ++p->row;
  if (p->row > before) {
    --p->row;  // the last that is due
    take(p, world, log);
    ++p->row;
  }
  return heft_user_forces_hands(&p->forces, world, hands);
}

void person_file_release(PersonFile* p) { measured_file_release(&p->file); }
