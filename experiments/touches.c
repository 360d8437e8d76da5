// SPDX-License-Identifier: Apache-2.0
// Papers: R53, U11.
// An emulated hand touches the simulated person of interactive_greet.c in one of eight ways, with
// random places, paths, depths, speeds and pauses. It is right if this gesture, and no other, is
// recognised. Each claim is a row of the confusion matrix.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiments/experiments.h"
#include "experiments/interactive.h"
#include "scenes/random.h"

enum { KINDS = 8, EACH = 38, EACH_BRIEF = 1, WAY_MAX = 20, CHANNELS = 4 };
static const HeftGesture kinds[KINDS] = {
    HEFT_GESTURE_TAP,    HEFT_GESTURE_KNOCK, HEFT_GESTURE_PUSH,  HEFT_GESTURE_REST,
    HEFT_GESTURE_STROKE, HEFT_GESTURE_LEAD,  HEFT_GESTURE_SHAKE, HEFT_GESTURE_HANDSHAKE};
static const double rest = 1;  // before the touch, the person comes to rest [s]
static const char* const names[CHANNELS] = {"touch", "made", "told", "force"};

/// A path under construction, with its source of random numbers.
typedef struct Path {
  InteractivePath way[WAY_MAX];
  int count;
  Random random;
  HeftWorld* world;  ///< where the person stands
  double hand;       ///< radius of the hand [m]
} Path;

static double between(Path* p, double low, double high) {
  return random_between(&p->random, low, high);
}

// Moves on to a point [m] within a time [s].
static void move(Path* p, double takes, HeftVec3 to, int buttons) {
  if (p->count == WAY_MAX) return;
  const double before = p->count > 0 ? p->way[p->count - 1].time : 0;
  p->way[p->count++] = (InteractivePath){before + takes, {to.x, to.y, to.z}, buttons};
}

// ---- on the chest, with an open hand

// The centre of the hand where it touches the person from the front.
static HeftVec3 skin(const Path* p, double y, double z) {
  const double from[3] = {1, y, z}, way[3] = {-1, 0, 0};
  const HeftRays ray = {.frame = HEFT_NAMED_BODY,
                        .filter = heft_query_filter_all(),
                        .max_distance = 1,
                        .count = 1,
                        .from = from,
                        .direction = way};
  double distance = 1;
  heft_world_rays(p->world, &ray, &distance, NULL, NULL, NULL);
  return heft_vec3(from[0] - distance + p->hand, y, z);
}

static HeftVec3 chest(Path* p) {
  const double y = between(p, -0.08, 0.08);
  return skin(p, y, between(p, 1.26, 1.38));
}

static HeftVec3 ahead(HeftVec3 at, double distance) {
  return heft_vec3_add(at, heft_vec3(distance, 0, 0));
}

static void come(Path* p, HeftVec3 to) {
  move(p, 0, ahead(to, 0.3), 0);
  move(p, between(p, 0.5, 1), ahead(to, 0.04), 0);
}

static void leave(Path* p, HeftVec3 from) { move(p, between(p, 0.1, 0.3), ahead(from, 0.2), 0); }

static void tap(Path* p, int times) {
  const HeftVec3 at = chest(p);
  come(p, at);
  for (int i = 0; i < times; ++i) {
    const HeftVec3 deep = ahead(at, -between(p, 0.04, 0.12));
    move(p, between(p, 0.08, 0.15), deep, 0);
    if (times == 1) move(p, between(p, 0, 0.5), deep, 0);
    move(p, between(p, 0.08, 0.15), ahead(at, 0.05), 0);
  }
  leave(p, at);
}

static void lean(Path* p, double least, double most) {
  const HeftVec3 at = chest(p), deep = ahead(at, -between(p, least, most));
  come(p, at);
  move(p, between(p, 0.1, 0.4), deep, 0);
  move(p, between(p, 1.3, 2), deep, 0);
  leave(p, at);
}

static void stroke(Path* p) {
  const HeftVec3 at = chest(p);
  const double length = between(p, 0.12, 0.2), angle = between(p, -HEFT_PI, HEFT_PI);
  const double depth = between(p, 0.02, 0.04), takes = between(p, 0.3, 0.9);
  for (int i = 0; i <= 4; ++i) {
    const double way = length * (0.25 * i - 0.5);
    const HeftVec3 on = skin(p, fmin(fmax(at.y + way * heft_cos(angle), -0.12), 0.12),
                             fmin(fmax(at.z + way * heft_sin(angle), 1.2), 1.42));
    if (i == 0) come(p, on);
    move(p, i == 0 ? 0.1 : takes / 4, ahead(on, -depth), 0);
  }
  leave(p, at);
}

// ---- with a hand that closes

static void hold(Path* p, HeftVec3 at) {
  move(p, 0, heft_vec3_add(at, heft_vec3(0.02, 0, 0.25)), 0);
  move(p, between(p, 0.6, 1), heft_vec3_add(at, heft_vec3(0, 0, 0.09)), 0);
  move(p, 0.2, at, 0);
  move(p, 0.05, at, 1);
  move(p, between(p, 0, 0.3), at, 1);
}

static void let_go(Path* p, HeftVec3 at) {
  move(p, 0.2, at, 1);
  move(p, 0.05, at, 0);
  move(p, 0.5, heft_vec3_add(at, heft_vec3(0.1, 0, 0.25)), 0);
}

static void shake(Path* p, HeftVec3 at) {
  const double half = 0.5 / between(p, 0.8, 3.5), size = between(p, 0.04, 0.12);
  const HeftVec3 axis = random_direction(&p->random);
  const int swings = 5 + random_index(&p->random, 3);
  hold(p, at);
  for (int i = 0; i < swings; ++i)
    move(p, half * between(p, 0.9, 1.1), heft_vec3_add_scaled(at, i % 2 ? -size : size, axis), 1);
  let_go(p, at);
}

static void pull(Path* p, HeftVec3 at) {
  const HeftVec3 to = heft_vec3_add_scaled(at, between(p, 0.1, 0.18), random_direction(&p->random));
  hold(p, at);
  move(p, between(p, 0.3, 0.8), to, 1);
  move(p, between(p, 1.3, 2), to, 1);
  let_go(p, to);
}

static const HeftVec3 right_hand = {0.48, -0.20, 1.08}, shoulder = {0.10, 0.22, 1.40};

static Path make(HeftWorld* world, double hand, HeftGesture kind, int number) {
  Path p = {.world = world, .hand = hand, .random = {1000 * (uint64_t)kind + (uint64_t)number}};
  if (kind == HEFT_GESTURE_TAP) tap(&p, 1);
  if (kind == HEFT_GESTURE_KNOCK) tap(&p, 2 + random_index(&p.random, 2));
  if (kind == HEFT_GESTURE_PUSH) lean(&p, 0.08, 0.15);
  if (kind == HEFT_GESTURE_REST) lean(&p, 0.018, 0.035);
  if (kind == HEFT_GESTURE_STROKE) stroke(&p);
  if (kind == HEFT_GESTURE_LEAD) pull(&p, right_hand);
  if (kind == HEFT_GESTURE_SHAKE) shake(&p, shoulder);
  if (kind == HEFT_GESTURE_HANDSHAKE) shake(&p, right_hand);
  return p;
}

// ---- what the person makes of it

// The one gesture that was recognised; NONE, or COUNT for several.
static HeftGesture told(const double* gestures) {
  HeftGesture only = HEFT_GESTURE_NONE;
  for (int g = HEFT_GESTURE_NONE + 1; g < HEFT_GESTURE_RELEASE; ++g) {
    if (gestures[g] == 0) continue;
    only = only || gestures[g] > 1 ? HEFT_GESTURE_COUNT : (HeftGesture)g;
  }
  return only;
}

// Touches the person once. Returns what it recognised, or -1 with lab->error.
static int touch(Lab* lab, HeftGesture gesture, int number, double* force) {
  InteractiveKind kind = *interactive_find("greet");
  InteractiveScene m = {0};
  Encounter e = {0};
  if (!interactive_open(&m, &kind, lab)) return -1;
  while (lab_time(lab) < rest) act_step(kind.act, lab, m.data);
  const Path path = make(lab->world, m.seat[0].probe.radius, gesture, number);
  kind.way[0] = path.way;
  kind.way_count[0] = path.count;
  kind.takes = rest + path.way[path.count - 1].time + 0.5;
  m.seat[0].probe.friction = 0.4;  // of a hand on cloth
  const int well = encounter_open(&e, &m);
  while (well && lab_time(lab) < kind.takes && lab_upright(lab)) {
    encounter_step(&e, &m);
    *force = fmax(*force, heft_vec3_norm(lab->hand[0].force));
  }
  const int out = well && lab_upright(lab) ? (int)told(m.data->gestures) : -1;
  encounter_close(&e);
  interactive_close(&m);
  return out;
}

static const char* name_of(int gesture) {
  return gesture == HEFT_GESTURE_COUNT ? "several" : heft_gesture_name((HeftGesture)gesture);
}

static void claim_row(Lab* lab, HeftGesture made, const int* row, int each) {
  char claim[LAB_TEXT], what[LAB_TEXT];
  int used = snprintf(what, sizeof what, "%d of %d", row[made], each);
  for (int g = 0; g <= HEFT_GESTURE_COUNT; ++g)
    if (g != (int)made && row[g] > 0 && used > 0 && (size_t)used < sizeof what)
      used += snprintf(what + used, sizeof what - (size_t)used, ", %s %d", name_of(g), row[g]);
  snprintf(claim, sizeof claim, "a %s is recognised", heft_gesture_name(made));
  lab_claim(lab, row[made] >= 0.9 * each, claim, "[Keith 2008], 2.1", "%s", what);
}

void experiment_touches(Lab* lab) {
  const int each = lab_brief(lab) ? EACH_BRIEF : EACH;
  int row[KINDS][HEFT_GESTURE_COUNT + 1] = {{0}}, right = 0;
  lab_channels(lab, CHANNELS, names);
  lab_panel(lab, "largest force of each touch", "N", (const char*[]){"force", NULL});
  lab_panel(lab, "gesture made and told", "number", (const char*[]){"made", "told", NULL});
  lab_panel_dots(lab);
  for (int k = 0; k < KINDS; ++k)
    for (int i = 0; i < each; ++i) {
      double force = 0;
      const int said = touch(lab, kinds[k], i, &force);
      if (said < 0 && lab->error[0]) return;
      ++row[k][said < 0 ? HEFT_GESTURE_NONE : said];
      right += said == (int)kinds[k];
      lab_log(lab, (const double[]){k * each + i, kinds[k], said, force});
    }
  for (int k = 0; k < KINDS; ++k) claim_row(lab, kinds[k], row[k], each);
  lab->success = right >= 0.95 * KINDS * each;
  lab_claim(lab, lab->success, "at least 95 % of all touches are recognised", "[Keith 2008], 2.1",
            "%d of %d, %.1f %%", right, KINDS * each, 100.0 * right / (KINDS * each));
  lab_claim_certificate(lab);
}
