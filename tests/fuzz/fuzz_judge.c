// SPDX-License-Identifier: Apache-2.0
// Logs of other engines for the referee: any bytes are read or refused. The first byte chooses
// whether forces are inferred; a line "contacts" ends the states. Numbers of a report must be
// finite, and confidences between 0 and 1.
#include <heft/io.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "judge/run_table.h"

enum { ROWS_MAX = 60 };

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

static const char scene[] =
    "<mujoco><worldbody><geom type='plane' size='5 5 1'/><body name='block' pos='0 0 0.05'>"
    "<freejoint/><geom type='box' size='0.05 0.05 0.05'/></body><body name='arm' pos='0.3 0 0.2'>"
    "<joint name='hinge' axis='0 1 0' range='-1 1' limited='true' frictionloss='0.1'/>"
    "<geom type='capsule' fromto='0 0 0 0.3 0 0' size='0.02'/></body></worldbody>"
    "<actuator><motor name='motor' joint='hinge' forcerange='-1 1' forcelimited='true'/></actuator>"
    "</mujoco>";

static void judge(const HeftModel* m, const Csv* states, const Csv* contacts, int infer) {
  RunTable* table = NULL;
  Referee* r = NULL;
  HeftError error = {0};
  RefereeDef def = referee_def_default();
  def.infer = infer;
  if (run_table_open(&table, m, states, "states", contacts, "contacts", &error) != HEFT_OK) return;
  if (referee_create(&r, m, &def, &error) != HEFT_OK) abort();
  for (int64_t i = 0; i < run_table_rows(table) && i < ROWS_MAX; ++i) {
    RefereeRow row;
    if (!run_table_read(table, i, &row, &error) || !referee_row(r, &row, &error)) break;
  }
  const RefereeReport* out = referee_report(r);
  for (int i = 0; i < out->finding_count; ++i) {
    const RefereeFinding* f = &out->finding[i];
    if (!isfinite(f->worst) || !isfinite(f->sum) || !(f->confidence >= 0 && f->confidence <= 1))
      abort();
  }
  referee_destroy(r);
  run_table_close(table);
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  static HeftModel* model = NULL;
  static const char mark[] = "\ncontacts\n";
  HeftError error = {0};
  Csv states = {0}, contacts = {0};
  if (!model &&
      heft_model_load_bytes(&model, scene, sizeof scene - 1, "scene.xml", NULL, &error) != HEFT_OK)
    abort();
  if (size < 1) return 0;
  const char *text = (const char*)bytes + 1, *end = text + size - 1, *cut = text;
  while (cut + sizeof mark - 1 <= end && memcmp(cut, mark, sizeof mark - 1) != 0) ++cut;
  const int parts = cut + sizeof mark - 1 <= end;
  const size_t length = (size_t)((parts ? cut : end) - text);
  if (csv_read(&states, text, length, "states", &error) == HEFT_OK) {
    const char* rest = cut + sizeof mark - 1;
    const int has =
        parts && csv_read(&contacts, rest, (size_t)(end - rest), "contacts", &error) == HEFT_OK;
    judge(model, &states, has ? &contacts : NULL, bytes[0] & 1);
    csv_release(&contacts);
    csv_release(&states);
  }
  return 0;
}
