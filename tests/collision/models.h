// SPDX-License-Identifier: Apache-2.0
// Small models for the collider's tests.
#ifndef HEFT_TESTS_COLLISION_MODELS_H
#define HEFT_TESTS_COLLISION_MODELS_H

#include <heft/collision.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/shape_parts.h"

static inline HeftModel* finish_model(HeftBuilder* b) {
  HeftModel* m = NULL;
  HeftError e = {0};
  if (heft_builder_finish(b, &m, &e) != HEFT_OK) print_error("builder: %s\n", e.message);
  heft_builder_destroy(b);
  assert_non_null(m);
  return m;
}

static inline HeftBuilder* new_builder(void) {
  HeftBuilder* b = NULL;
  assert_int_equal(heft_builder_create(&b, NULL, NULL), HEFT_OK);
  return b;
}

static inline HeftCollider* new_collider(const HeftModel* m, double margin, int points) {
  HeftCollider* c = NULL;
  HeftError e = {0};
  HeftColliderDef def = heft_collider_def_default();
  def.margin = margin;
  def.points = points;
  if (heft_collider_create(&c, m, &def, &e) != HEFT_OK) print_error("collider: %s\n", e.message);
  assert_non_null(c);
  return c;
}

#endif
