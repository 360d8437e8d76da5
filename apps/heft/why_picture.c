// SPDX-License-Identifier: Apache-2.0
#include "why_picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "plot.h"

enum { POINTS = 1200, SAMPLES = 100 };
static const double narrowest = 0.01;  // range of the motion that is drawn [mm]

// The history of a pair in one run.
typedef struct History {
  const WhyEvent* event;
  int object;
  long first, last;  // steps
  HeftVec3 anchor[2];
  int fastened;
  double time[POINTS], normal[POINTS], tangent[POINTS], moved[POINTS];
  int count;
  double sample_time[SAMPLES], needed[SAMPLES];
  int samples;
  double mu;
} History;

// The force of the pair: along the mean normal, and across it.
static void add_force(const HeftWorld* w, History* h, double out[2], HeftVec3* center) {
  HeftVec3 force = {0, 0, 0}, normal = {0, 0, 0}, sum = {0, 0, 0};
  double total = 0;
  for (int i = 0; i < heft_world_contact_count(w); ++i) {
    const HeftContact c = heft_world_contact(w, i);
    const int same = c.body_a == h->event->body[0] && c.body_b == h->event->body[1];
    const int swapped = c.body_a == h->event->body[1] && c.body_b == h->event->body[0];
    if (!same && !swapped) continue;
    const double sign = same ? 1 : -1, n = heft_vec3_dot(c.force, c.normal);
    force = heft_vec3_add_scaled(force, sign, c.force);
    normal = heft_vec3_add_scaled(normal, sign * n, c.normal);
    sum = heft_vec3_add_scaled(sum, n, c.pos);
    total += n;
    h->mu = c.friction;
  }
  const double length = heft_vec3_norm(normal);
  out[0] = length > 0 ? heft_vec3_dot(force, normal) / length : 0;
  const double whole = heft_vec3_norm(force);
  out[1] = sqrt(fmax(0, whole * whole - out[0] * out[0]));
  if (total > 0) *center = heft_vec3_scale(1 / total, sum);
}

static double moved(History* h, const HeftDynamics* d, HeftVec3 center, int loaded) {
  const HeftPose a = heft_dynamics_body_pose(d, h->event->body[0]),
                 b = heft_dynamics_body_pose(d, h->event->body[1]);
  if (!h->fastened && loaded) {
    h->anchor[0] = heft_pose_apply(heft_pose_inverse(a), center);
    h->anchor[1] = heft_pose_apply(heft_pose_inverse(b), center);
    h->fastened = 1;
  }
  if (!h->fastened) return 0;
  return heft_vec3_norm(
      heft_vec3_sub(heft_pose_apply(a, h->anchor[0]), heft_pose_apply(b, h->anchor[1])));
}

static void look(void* user, HeftWorld* w, long step) {
  History* h = user;
  if (step < h->first || step > h->last) return;
  const long every = (h->last - h->first) / POINTS + 1;
  const long sampled = (h->last - h->first) / (SAMPLES - 1) + 1;
  const double time = *heft_world_state(w)->time;
  double force[2], needed = 0;
  HeftVec3 center = {0, 0, 0};
  add_force(w, h, force, &center);
  const double way = moved(h, heft_world_dynamics(w), center, force[0] > 0);
  if ((step - h->first) % every == 0 && h->count < POINTS) {
    h->time[h->count] = time;
    h->normal[h->count] = force[0];
    h->tangent[h->count] = force[1];
    h->moved[h->count++] = 1e3 * way;
  }
  if ((step - h->first) % sampled != 0 || h->samples == SAMPLES) return;
  if (heft_world_friction_needed(w, h->object, &needed, NULL) != HEFT_OK) return;
  h->sample_time[h->samples] = time;
  h->needed[h->samples++] = 100 * needed;
}

static int trace(const WhyRun* run, History* h) {
  HeftError error = {0};
  const WhyTrial trial = {.run = run, .seen = look, .user = h};
  if (why_trial(&trial, &error)) return 1;
  fprintf(stderr, "heft why: error: %s\n", error.message);
  return 0;
}

static double most_of(const double* x, int count) {
  double most = 0;
  for (int i = 0; i < count; ++i) most = fmax(most, x[i]);
  return most;
}

static int draw(const char* path, const WhyAnswer* a, const History* run, const History* other,
                const char* title, const char* note) {
  const double top =
      1.1 * fmax(most_of(run->normal, run->count), most_of(other->normal, other->count));
  const double cone_x[] = {0, run->mu * top}, cone_y[] = {0, top};
  const double when = a->step * (double)(a->event.onset - 1);
  const double begin = a->step * (double)run->first, end = a->step * (double)run->last;
  const double hundred_x[] = {begin, end}, hundred_y[] = {100, 100};
  const double way = 1.1 * fmax(narrowest, most_of(run->moved, run->count));
  const double onset_x[] = {when, when}, onset_y[] = {0, way};
  const char* theirs = other->count > 0 ? "reference" : NULL;
  const char* ends = a->found ? "gives way" : NULL;
  const int last = other->count > 0 ? other->count - 1 : 0;
  int at = 0;
  while (at + 1 < run->count && run->time[at] < when) ++at;
  const PlotCurve cone[] = {
      {"run", run->tangent, run->normal, (size_t)run->count, 0, PLOT_LINE},
      {theirs, other->tangent, other->normal, (size_t)other->count, 2, PLOT_LINE},
      {theirs, &other->tangent[last], &other->normal[last], other->count > 0, 2, PLOT_POINTS},
      {"edge of the cone", cone_x, cone_y, 2, 1, PLOT_DASHED},
      {ends, &run->tangent[at], &run->normal[at], 1, a->found ? 3 : 0, PLOT_POINTS}};
  const PlotCurve needed[] = {
      {"run", run->sample_time, run->needed, (size_t)run->samples, 0, PLOT_LINE},
      {theirs, other->sample_time, other->needed, (size_t)other->samples, 2, PLOT_LINE},
      {"all there is", hundred_x, hundred_y, 2, 1, PLOT_DASHED}};
  const PlotCurve motion[] = {
      {"run", run->time, run->moved, (size_t)run->count, 0, PLOT_LINE},
      {theirs, other->time, other->moved, (size_t)other->count, 2, PLOT_LINE},
      {ends, onset_x, onset_y, a->found ? 2 : 0, 3, PLOT_DASHED}};
  const PlotPanel panels[] = {{.title = "Force of the pair in its cone",
                               .x_label = "along the surface [N]",
                               .y_label = "normal [N]",
                               .curves = cone,
                               .curve_count = 5,
                               .y_low = 0,
                               .y_high = top},
                              {.title = "Friction that the object needs",
                               .x_label = "time [s]",
                               .y_label = "of what there is [%]",
                               .curves = needed,
                               .curve_count = 3,
                               .y_low = 0,
                               .y_high = 120},
                              {.title = "Motion between the two bodies",
                               .x_label = "time [s]",
                               .y_label = "[mm]",
                               .curves = motion,
                               .curve_count = 3,
                               .y_low = 0,
                               .y_high = way}};
  const Plot plot = {.title = title,
                     .note = note,
                     .panels = panels,
                     .panel_count = 3,
                     .columns = 3,
                     .panel_width = 380,
                     .panel_height = 300};
  return plot_write(path, &plot);
}

int why_picture_write(const char* path, const WhyQuestion* q, const WhyAnswer* a, const char* title,
                      const char* note) {
  History* h = calloc(2, sizeof *h);
  if (!h) {
    fprintf(stderr, "heft why: error: not enough memory for the picture\n");
    return 0;
  }
  for (int k = 0; k < 2; ++k) {
    h[k].event = &a->event;
    h[k].object = a->object;
    h[k].first = a->event.held;
    h[k].last = a->event.step + (a->event.step - a->event.onset) / 4;
    if (!a->found || a->event.end == WHY_MISSES) h[k].first = 1, h[k].last = q->run->steps;
  }
  int well = trace(q->run, &h[0]) && (!q->reference || trace(q->reference, &h[1]));
  well = well && draw(path, a, &h[0], &h[1], title, note);
  free(h);
  return well;
}
