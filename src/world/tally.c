// SPDX-License-Identifier: Apache-2.0
// Reports in words: how a step ended, and how many steps of a run were solved, with the place of
// the worst error and what to do about it.
#include <heft/world.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"

// A text of a given size; what does not fit is left out.
typedef struct Text {
  char* text;
  size_t size, used;
} Text;

static void append(Text* t, const char* format, ...) {
  va_list list;
  va_start(list, format);
  const int n = vsnprintf(t->text + t->used, t->size - t->used, format, list);
  va_end(list);
  if (n > 0) t->used += (size_t)n < t->size - t->used ? (size_t)n : t->size - t->used - 1;
}

// ---- places

static const char* noun_of(HeftNamed kind) {
  switch (kind) {
    case HEFT_NAMED_JOINT:
      return "joint";
    case HEFT_NAMED_SHAPE:
      return "shape";
    case HEFT_NAMED_EQUALITY:
      return "equality";
    case HEFT_NAMED_TENDON:
      return "tendon";
    case HEFT_NAMED_DEFORMABLE:
      return "deformable body";
    case HEFT_NAMED_BODY:
    case HEFT_NAMED_SITE:
    case HEFT_NAMED_MATERIAL:
    case HEFT_NAMED_MESH:
    case HEFT_NAMED_HEIGHT_FIELD:
    case HEFT_NAMED_TEXTURE:
    case HEFT_NAMED_APPEARANCE:
    case HEFT_NAMED_CAMERA:
    case HEFT_NAMED_LIGHT:
    case HEFT_NAMED_PAIR:
    case HEFT_NAMED_EXCLUDE:
    case HEFT_NAMED_ACTUATOR:
    case HEFT_NAMED_SENSOR:
    case HEFT_NAMED_KEY:
    case HEFT_NAMED_COUNT:
      break;
  }
  return "body";
}

static const char* name_of(const HeftModel* m, HeftNamed kind, int index) {
  return m && index >= 0 && index < heft_model_named_count(m, kind)
             ? heft_model_name(m, kind, index)
             : "";
}

// By its name, or by its number and the name of its body.
static void append_object(Text* t, const HeftModel* m, HeftNamed kind, int index) {
  const char* name = name_of(m, kind, index);
  if (name[0]) {
    append(t, "%s '%s'", noun_of(kind), name);
    return;
  }
  const int known = m && index < heft_model_named_count(m, kind);
  const int body = !known                     ? -1
                   : kind == HEFT_NAMED_JOINT ? m->joint_body[index]
                   : kind == HEFT_NAMED_SHAPE ? m->shape_body[index]
                                              : -1;
  append(t, "%s %d", noun_of(kind), index);
  if (body > 0) append(t, " of ");
  if (body > 0) append_object(t, m, HEFT_NAMED_BODY, body);
}

static void append_error(Text* t, const HeftModel* m, int quantity, const HeftStepError* e) {
  const HeftOption* row = &heft_step_bounds_options().option[quantity];
  const HeftNamed kind = heft_step_quantity_place((HeftStepQuantity)quantity);
  append(t, "%s %.2g%s%s, bound %.2g", row->name, e->value, row->unit[0] ? " " : "", row->unit,
         e->bound);
  for (int i = 0; i < 2 && e->place[i] >= 0 && kind < HEFT_NAMED_COUNT; ++i) {
    append(t, i == 0 ? ", " : " and ");
    append_object(t, m, kind, e->place[i]);
  }
}

// ---- one step

const char* heft_step_report_text(const HeftStepReport* r, const HeftModel* m, char* text,
                                  size_t size) {
  HEFT_REQUIRE(r && text && size > 0, "");
  Text t = {text, size, 0};
  const HeftStepQuantity worst = heft_step_report_worst(r);
  text[0] = '\0';
  append(&t, "%s", heft_step_status_text(r->status));
  if (worst == HEFT_QUANTITY_COUNT) return text;
  append(&t, " (");
  append_error(&t, m, worst, &r->error[worst]);
  append(&t, ")");
  return text;
}

// ---- a run

static int is_worse(const HeftStepError* a, const HeftStepError* b) {
  return a->value > a->bound && !(a->value <= b->value);
}

void heft_step_tally_add(HeftStepTally* t, const HeftStepReport* r) {
  HEFT_REQUIRE_VOID(t && r);
  ++t->steps;
  if ((int)r->status >= 0 && r->status < HEFT_STEP_STATUS_COUNT) ++t->status[r->status];
  t->rolled_back += !heft_step_taken(r->status);
  t->dropping += r->contact_dropped > 0;
  t->dropped += r->contact_dropped;
  t->restrained += r->restrained > 0;
  for (int i = 0; i < HEFT_QUANTITY_COUNT; ++i) {
    if (!is_worse(&r->error[i], &t->error[i])) continue;
    t->error[i] = r->error[i];
    t->error_time[i] = r->time;
  }
  if (r->inexact == 0) return;
  ++t->inexact;
  if (t->inexact > 1 && r->relative <= t->worst) return;
  t->worst = r->relative;
  t->worst_time = r->time;
}

// The largest error with this status, or HEFT_QUANTITY_COUNT.
static int worst_of(const HeftStepTally* t, HeftStepStatus status) {
  int worst = HEFT_QUANTITY_COUNT;
  double most = 0;
  for (int i = 0; i < HEFT_QUANTITY_COUNT; ++i) {
    const HeftStepError* e = &t->error[i];
    const double excess = e->bound > 0 ? e->value / e->bound : e->value;
    if (heft_step_quantity_status((HeftStepQuantity)i) != status || !(excess > most)) continue;
    worst = i;
    most = excess;
  }
  return worst;
}

// "3 of 10 steps loop open (loop_error 0.1 m, rad, bound 0.001, equality 'rod', at 0.2 s): advice",
// from the text "loop open: advice" of a status.
static void append_status(Text* x, const HeftStepTally* t, const HeftModel* m,
                          HeftStepStatus status, long count) {
  const char *text = heft_step_status_text(status), *colon = strchr(text, ':');
  const int worst = worst_of(t, status), head = colon ? (int)(colon - text) : (int)strlen(text);
  append(x, "%s%ld of %ld steps %.*s", x->used > 0 ? "; " : "", count, t->steps, head, text);
  if (status == HEFT_STEP_INEXACT)
    append(x, ", worst relative residual %.1e at %.4g s", t->worst, t->worst_time);
  if (worst < HEFT_QUANTITY_COUNT) {
    append(x, " (");
    append_error(x, m, worst, &t->error[worst]);
    append(x, ", at %.4g s)", t->error_time[worst]);
  }
  if (colon) append(x, "%s", colon);
}

const char* heft_step_tally_text(const HeftStepTally* t, const HeftModel* m, char* text,
                                 size_t size) {
  HEFT_REQUIRE(t && text && size > 0, "");
  Text x = {text, size, 0};
  text[0] = '\0';
  if (t->status[HEFT_STEP_SOLVED] == t->steps) append(&x, "all %ld steps solved", t->steps);
  for (int s = HEFT_STEP_SOLVED + 1; s < HEFT_STEP_CONTACTS_DROPPED; ++s) {
    const long count = s == HEFT_STEP_INEXACT ? t->inexact : t->status[s];
    if (count > 0) append_status(&x, t, m, (HeftStepStatus)s, count);
  }
  if (t->dropping > 0)
    append(&x,
           "%s%ld contact points dropped in %ld of %ld steps: raise contact_capacity, or do not "
           "let shapes that lie in one another collide",
           x.used > 0 ? "; " : "", t->dropped, t->dropping, t->steps);
  if (t->restrained > 0) append_status(&x, t, m, HEFT_STEP_RESTRAINED, t->restrained);
  if (t->rolled_back > 0)
    append(&x, "%s%ld of %ld steps rolled back", x.used > 0 ? "; " : "", t->rolled_back, t->steps);
  return text;
}
