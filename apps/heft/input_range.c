// SPDX-License-Identifier: Apache-2.0
#include "input_range.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "names.h"
#include "why/watch.h"

static const double moved = 1e-6;  // of a pair in the second half of the time [m]
static const double exact = 1e-7;  // of a limit, relative
enum { HALVINGS = 60 };

static int fail(const HeftError* error) {
  fprintf(stderr, "heft hold: error: %s\n", error->message);
  return 0;
}

int input_range_read(const char* text, InputRange* out) {
  const char* equals = strrchr(text, '=');
  char* end = NULL;
  if (!equals || equals == text || (size_t)(equals - text) >= sizeof out->name)
    return arguments_wrong("hold", "an input is NAME=LOW:HIGH, not", text);
  snprintf(out->name, sizeof out->name, "%.*s", (int)(equals - text), text);
  out->low = strtod(equals + 1, &end);
  if (*end != ':') return arguments_wrong("hold", "an input is NAME=LOW:HIGH, not", text);
  out->high = strtod(end + 1, &end);
  if (*end || !isfinite(out->low) || !isfinite(out->high) || out->low > out->high)
    return arguments_wrong("hold", "the values of an input are wrong:", text);
  return 1;
}

// ---- values

static int set_friction(HeftWorld* w, double factor) {
  const HeftModel* m = heft_world_model(w);
  HeftError error = {0};
  for (int i = 0; i < m->nmaterial; ++i) {
    HeftMaterial material = heft_world_material(w, i);
    material.friction = factor * m->material_friction[i];
    material.kinetic = fmin(material.friction, factor * m->material_kinetic[i]);
    if (heft_world_set_material(w, i, &material, &error) != HEFT_OK) return fail(&error);
  }
  return 1;
}

static int set_mass(HeftWorld* w, const char* name, double factor) {
  const HeftModel* m = heft_world_model(w);
  const int body = heft_model_find(m, HEFT_NAMED_BODY, name);
  HeftError error = {0};
  if (body < 0)
    return names_wrong_in("hold", "the model has no body named", name, m, HEFT_NAMED_BODY);
  return heft_world_set_mass_factors(w, body, factor, factor, &error) == HEFT_OK || fail(&error);
}

static int set_control(HeftWorld* w, const char* name, double value) {
  const HeftModel* m = heft_world_model(w);
  const int actuator = heft_model_find(m, HEFT_NAMED_ACTUATOR, name);
  if (actuator < 0)
    return names_wrong_in("hold", "the model has no actuator named", name, m, HEFT_NAMED_ACTUATOR);
  heft_world_controls(w)[actuator] = value;
  return 1;
}

static int set_one(HeftWorld* w, const char* name, double value) {
  if (strcmp(name, "friction") == 0) return set_friction(w, value);
  if (strncmp(name, "mass.", 5) == 0) return set_mass(w, name + 5, value);
  if (strncmp(name, "control.", 8) == 0) return set_control(w, name + 8, value);
  return arguments_wrong("hold", "an input is friction, mass.BODY or control.ACTUATOR, not", name);
}

int input_range_set(HeftWorld* w, const InputRange* in, double value) {
  char name[INPUT_NAME];
  for (const char* at = in->name; *at;) {
    const size_t n = strcspn(at, ",");
    snprintf(name, sizeof name, "%.*s", (int)n, at);
    if (!set_one(w, name, value)) return 0;
    at += n + (at[n] == ',');
  }
  return 1;
}

// ---- limits

// The motion of each pair since the middle of the time. 1: none of them moves.
static int stays(const WhyWatch* watch, const double* middle, int count) {
  for (int i = 0; i < watch->pair_count; ++i) {
    const WhyPair* p = &watch->pair[i];
    if (!p->holds && p->loaded > 0) return 0;  // it slides
    if (i < count && p->holds && fabs(p->measure - middle[i]) * WHY_DISTANCE > moved) return 0;
  }
  return watch->event_count == 0;
}

static int watch_steps(HeftWorld* w, WhyWatch* watch, double seconds) {
  double middle[WHY_PAIRS];
  int count = 0;
  const long steps = lround(seconds / heft_world_time_step(w));
  watch->first_only = 1;
  for (long i = 0; i < steps; ++i) {
    if (!heft_step_taken(heft_world_step(w).status) || why_watch_step(watch, w)) return 0;
    if (i != steps / 2) continue;
    for (count = 0; count < watch->pair_count; ++count) middle[count] = watch->pair[count].measure;
  }
  return stays(watch, middle, count);
}

// Whether a world holds for a time from its start: bodies that touch stay together to 1 µm in the
// second half of it. 1: it holds, 0: it does not, -1: failed (reported). start is not stepped.
static int holds_at(const HeftWorld* start, const InputRange* in, double value, double seconds) {
  HeftWorld* w = NULL;
  HeftError error = {0};
  WhyWatch* watch = why_watch_create();
  int good = -1;
  if (!watch || heft_world_clone(&w, start, &error) != HEFT_OK)
    fprintf(stderr, "heft hold: error: not enough memory\n");
  else if (input_range_set(w, in, value))
    good = watch_steps(w, watch, seconds);
  heft_world_destroy(w);
  why_watch_destroy(watch);
  return good;
}

int input_range_limit(const HeftWorld* start, const InputRange* in, double seconds, double* fails,
                      double* holds) {
  const int low = holds_at(start, in, in->low, seconds),
            high = holds_at(start, in, in->high, seconds);
  *fails = *holds = (double)NAN;
  if (low < 0 || high < 0) return 0;
  if (low == high) {
    *(low ? holds : fails) = in->low;
    return 1;
  }
  *fails = low ? in->high : in->low;
  *holds = low ? in->low : in->high;
  for (int k = 0; k < HALVINGS && fabs(*holds - *fails) > exact * fabs(*holds); ++k) {
    const double middle = 0.5 * (*fails + *holds);
    const int good = holds_at(start, in, middle, seconds);
    if (good < 0) return 0;
    *(good ? holds : fails) = middle;
  }
  return 1;
}
