// SPDX-License-Identifier: Apache-2.0
// heft why: what gave way in a run, why, and the smallest change with which it would have held.
#include <heft/heft.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "arguments.h"
#include "closest.h"
#include "json_out.h"
#include "model_options.h"
#include "names.h"
#include "verbs.h"
#include "why/sentence.h"
#include "why_picture.h"
#include "why_source.h"

static const char help[] =
    "usage: heft why [OPTIONS] FILE|NAME\n"
    "Repeats a run, finds the first pair of bodies that rested on each other and then slips, "
    "turns,\n"
    "tips or comes off, and names the cause: the input that differs from the reference, and "
    "without\n"
    "whose difference the run holds. Then it finds the smallest changes that would have held.\n"
    "FILE is a session ('heft run --record', 'heft view'), the log of a run (.mcap), or a model.\n"
    "The exit code is 1 if something gives way.\n"
    "\n"
    "  --reference FILE       a run that holds (default: the numbers that the model states, and "
    "no\n"
    "                         pushes)\n"
    "  --at SECONDS           the first event from this time on (default 0)\n"
    "  --body NAME            only events of this body\n"
    "  --time SECONDS         simulated time of a model (default 2)\n"
    "  --key NAME             initial keyframe of a model (default: the pose in the file)\n"
    "  --figure FILE          draw force, friction and motion of the pair, as SVG\n"
    "  --json                 one JSON object on stdout\n";

typedef struct Why {
  ModelOptions model;
  const char *path, *reference, *body, *key, *figure;
  double from, seconds;
  int json;
} Why;

static int take_value(void* options, const char* name, const char* value) {
  Why* y = options;
  if (strcmp(name, "--at") == 0) return arguments_positive("why", value, &y->from);
  if (strcmp(name, "--time") == 0) return arguments_positive("why", value, &y->seconds);
  if (strcmp(name, "--reference") == 0) return (y->reference = value) != NULL;
  if (strcmp(name, "--body") == 0) return (y->body = value) != NULL;
  if (strcmp(name, "--key") == 0) return (y->key = value) != NULL;
  if (strcmp(name, "--figure") != 0) return -1;
  y->figure = value;
  return arguments_ending("why", value, ".svg");
}

static int take_flag(void* options, const char* name) {
  return strcmp(name, "--json") == 0 && (((Why*)options)->json = 1);
}

// ---- the report

static void find_closest(void* user, HeftWorld* w, long step) {
  (void)step;
  closest_step(user, w);
}

static Closest closest_to_slip(const WhyRun* run) {
  Closest c = {.every = run->steps / 50 + 1};
  HeftError error = {0};
  const WhyTrial trial = {.run = run, .seen = find_closest, .user = &c};
  (void)why_trial(&trial, &error);
  return c;
}

static void print_causes(const WhyQuestion* q, const WhyAnswer* a) {
  const HeftModel* m = heft_world_model(q->run->start);
  char text[WHY_TEXT];
  for (int i = 0; i < a->follower_count; ++i)
    printf("  then: %s\n", why_event_text(m, a, &a->follower[i], text, sizeof text));
  if (a->cause_count > 0) printf("  deviations, the strongest cause first:\n");
  for (int i = 0; i < a->cause_count && i < 10; ++i) {
    const WhyCause* c = &a->cause[i];
    printf("    %s", why_cause_text(m, q->run, c, text, sizeof text));
    if (c->holds) printf(" (%.3g %% of the deviation undone)", 100 * c->share);
    printf("%s\n", c->holds ? "" : "; without this it gives way as well");
  }
  if (a->cause_count > 10) printf("    and %d others\n", a->cause_count - 10);
  if (a->remedy_count > 0) printf("  single changes that would have held:\n");
  for (int i = 0; i < a->remedy_count; ++i)
    printf("    %s\n", why_remedy_text(m, &a->remedy[i], text, sizeof text));
}

static void put_cause(Json* j, const WhyQuestion* q, const WhyCause* c, int remedy) {
  const HeftModel* m = heft_world_model(q->run->start);
  char text[WHY_TEXT];
  json_open_object(j, NULL);
  json_put_text(j, "input", why_kind_word(c->change.kind));
  json_put_count(j, "index", c->change.index);
  json_put_text(j, "text",
                remedy ? why_remedy_text(m, c, text, sizeof text)
                       : why_cause_text(m, q->run, c, text, sizeof text));
  json_put_number(j, "value", c->change.from);
  json_put_number(j, "towards", c->change.to);
  json_put_flag(j, "holds", c->holds);
  json_put_number(j, "failing_value", why_value(&c->change, c->fails));
  json_put_number(j, "holding_value", c->holds ? why_value(&c->change, c->share) : (double)NAN);
  json_put_number(j, "share", c->share);
  json_put_number(j, "later", c->later);
  json_close_object(j);
}

static void put_event(Json* j, const char* key, const WhyQuestion* q, const WhyAnswer* a,
                      const WhyEvent* e) {
  const HeftModel* m = heft_world_model(q->run->start);
  char text[WHY_TEXT];
  json_open_object(j, key);
  json_put_text(j, "text", why_event_text(m, a, e, text, sizeof text));
  json_put_text(j, "a", heft_model_name(m, HEFT_NAMED_BODY, e->body[0]));
  json_put_text(j, "b", heft_model_name(m, HEFT_NAMED_BODY, e->body[1]));
  json_put_text(j, "end", why_end_word(e->end));
  json_put_number(j, "rests_from", a->step * (double)e->held);
  json_put_number(j, "time", a->step * (double)(e->onset - 1));
  json_close_object(j);
}

static void print_json(const Why* y, const WhyQuestion* q, const WhyAnswer* a, const char* text) {
  Json j = json_begin("why");
  json_put_text(&j, "file", y->path);
  json_put_flag(&j, "slipped", a->found);
  json_put_text(&j, "answer", text);
  if (a->found) put_event(&j, "event", q, a, &a->event);
  json_open_list(&j, "then");
  for (int i = 0; i < a->follower_count; ++i) put_event(&j, NULL, q, a, &a->follower[i]);
  json_close_list(&j);
  json_open_list(&j, "causes");
  for (int i = 0; i < a->cause_count; ++i) put_cause(&j, q, &a->cause[i], 0);
  json_close_list(&j);
  json_open_list(&j, "remedies");
  for (int i = 0; i < a->remedy_count; ++i) put_cause(&j, q, &a->remedy[i], 1);
  json_close_list(&j);
  json_put_count(&j, "replays", a->trials);
  json_put_count(&j, "steps", a->steps);
  json_end(&j);
}

// Of the pair that came nearest to slipping, for the picture.
static void add_closest(const WhyRun* run, WhyAnswer* a, char* text, size_t size) {
  const Closest c = closest_to_slip(run);
  char name[80];
  const size_t used = strlen(text);
  if (c.body > 0)
    snprintf(text + used, size - used,
             " Nearest to slipping is %s at %.3f s: it needs %.0f %% of "
             "its friction.",
             why_body_text(heft_world_model(run->start), c.body, -1, name, sizeof name), c.when,
             100 * c.needed);
  a->object = c.body;
  a->event = (WhyEvent){.body = {c.pair[0], c.pair[1]}, .onset = run->steps, .step = run->steps};
}

static int draw(const Why* y, const WhyQuestion* q, const WhyAnswer* a, const char* text) {
  const HeftModel* m = heft_world_model(q->run->start);
  char title[WHY_TEXT], note[WHY_TEXT] = "";
  if (a->found)
    why_event_text(m, a, &a->event, title, sizeof title);
  else
    snprintf(title, sizeof title, "%s", text);
  if (title[0] == 'a') title[0] = 'A';
  if (a->cause_count > 0 && a->cause[0].holds) snprintf(note, sizeof note, "Cause: ");
  if (note[0]) {
    why_cause_text(m, q->run, &a->cause[0], note + 7, sizeof note - 7);
  } else if (a->remedy_count > 0) {
    const int n = snprintf(note, sizeof note, "It would have held with ");
    why_remedy_text(m, &a->remedy[0], note + n, sizeof note - (size_t)n);
  }
  return why_picture_write(y->figure, q, a, title, note[0] ? note : NULL);
}

static int answer(const Why* y, const WhyQuestion* q) {
  HeftError error = {0};
  WhyAnswer a;
  char text[WHY_TEXT];
  int code = 2;
  if (why_find(q, &a, &error)) {
    code = a.found;
    why_answer_text(q, &a, text, sizeof text);
    if (!a.found) add_closest(q->run, &a, text, sizeof text);
    if (y->json)
      print_json(y, q, &a, text);
    else
      printf("%s\n", text);
    if (!y->json && a.found) print_causes(q, &a);
    if (!y->json) printf("  %ld replays, %ld steps\n", a.trials, a.steps);
    if (y->figure && a.object > 0 && !draw(y, q, &a, text)) code = 2;
    if (y->figure && a.object <= 0)
      fprintf(stderr, "heft why: there is nothing to draw: no body needs friction\n");
  } else {
    fprintf(stderr, "heft why: error: %s\n", error.message);
  }
  why_answer_release(&a);
  return code;
}

// ---- the verb

static int same_model(const HeftModel* a, const HeftModel* b) {
  return a->nbody == b->nbody && a->nq == b->nq && a->nv == b->nv && a->nshape == b->nshape &&
         a->nmaterial == b->nmaterial && a->nactuator == b->nactuator && a->npair == b->npair &&
         a->njoint == b->njoint;
}

static int ask(Why* y, const WhySource* run, const WhySource* reference) {
  const HeftModel* m = heft_world_model(run->run.start);
  WhyQuestion q = {.run = &run->run,
                   .reference = y->reference ? &reference->run : NULL,
                   .body = -1,
                   .from = y->from,
                   .remedies = 1};
  if (y->reference && !same_model(m, heft_world_model(reference->run.start))) {
    fprintf(stderr, "heft why: error: %s and %s have other bodies, joints or materials\n", y->path,
            y->reference);
    return 2;
  }
  if (y->body) {
    q.body = heft_model_find(m, HEFT_NAMED_BODY, y->body);
    if (q.body < 0)
      return names_wrong_in("why", "the model has no body named", y->body, m, HEFT_NAMED_BODY), 2;
  }
  return answer(y, &q);
}

int heft_verb_why(int argc, char** argv) {
  Why y = {.seconds = 2};
  const Arguments arguments = {.verb = "why",
                               .help = help,
                               .model = &y.model,
                               .options = &y,
                               .flag = take_flag,
                               .value = take_value,
                               .path = &y.path};
  model_options_init(&y.model);
  const int asked = arguments_read_file(&arguments, argc, argv);
  int code = asked == 2 ? 0 : 2;
  if (asked == 2) printf("%s%s", help, model_options_help);
  if (asked == 1) {
    WhySource run, reference = {0};
    const int opened =
        why_source_open(&run, &y.model, y.path, y.seconds, y.key) &&
        (!y.reference || why_source_open(&reference, &y.model, y.reference, y.seconds, y.key));
    if (opened) code = ask(&y, &run, &reference);
    why_source_release(&run);
    why_source_release(&reference);
  }
  model_options_release(&y.model);
  return code;
}
