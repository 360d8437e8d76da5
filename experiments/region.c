// SPDX-License-Identifier: Apache-2.0
// Papers: S15, S16, U7.
// Which settings show the figures of [Sugihara 2006], section IV? The source states no vertices of
// its soles, no ε, no gains or armature, nor whether a membrane that a point has passed through
// continues to push. Every combination on a grid drops the robot (Fig. 6), stands it under five λ
// (Fig. 7-8, IV-C) and walks it (Fig. 9-10), with the conditions of `drop`, `lambda`, `slip` and
// `motions`.
//
// Fig. 6 appears in none: a point that is unstable under the old damper is unstable under the new
// one (see `drop`). Its mobility grows with the points of a sole, the burst of contact points of
// section IV-B. Fig. 7 to 9 appear, never together: where forces chatter at λ = 0.01, the walk
// dithers with static friction, too.
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/experiments.h"
#include "experiments/membrane.h"

enum { FIG_6, FIG_7, FIG_8, SINKS, FIG_9, FIG_10, FIGURES };
enum { VERTICES = 3, ARMATURES = 2, GAINS = 2, SPEEDS = 3, READINGS = 2 };
enum { ROBOTS = VERTICES * ARMATURES * GAINS, SETTINGS = ROBOTS * SPEEDS * READINGS };

static const char never[] = "[Sugihara 2006], Fig. 6";
static const int vertices[VERTICES] = {0, 8, 16};
static const double armatures[ARMATURES] = {1, 2}, gains[GAINS] = {1, 2},
                    speeds[SPEEDS] = {0.02, 1e-3, 1e-5};

enum { SETTING, SHOWN, OLD, NEW, SMOOTH, EVEN, FASTER, DITHER, CHANNELS };
static const char* const names[CHANNELS] = {"setting",    "figures shown", "old damper",
                                            "new damper", "force change",  "unevenness",
                                            "sinking",    "dither"};

typedef struct Point {
  Setting setting;
  DropMeasure drop;
  StandMeasure stand;
  WalkMeasure walk;
  int shows[FIGURES];
} Point;

static Setting setting_at(int i) {
  const int robot = i / (SPEEDS * READINGS);
  return (Setting){.vertices = vertices[robot / (ARMATURES * GAINS)],
                   .reach = sqrt(2),  // through the corners of the sole
                   .armature = armatures[robot / GAINS % ARMATURES],
                   .gains = gains[robot % GAINS],
                   .slip_speed = speeds[i / READINGS % SPEEDS],
                   .stays = i % READINGS};
}

// The drop depends on the robot, not on ε and the membrane.
static int measure(Lab* lab, Point* p, const Point* before, double seconds, int steps) {
  const Setting *s = &p->setting, *b = before ? &before->setting : NULL;
  if (b && b->vertices == s->vertices && b->armature == s->armature && b->gains == s->gains)
    p->drop = before->drop;
  else if (!drop_measure(lab, s, &p->drop))
    return 0;
  if (!stand_measure(lab, s, seconds, &p->stand) || !walk_measure(lab, s, steps, &p->walk))
    return 0;
  p->shows[FIG_6] = shows_figure_6(&p->drop);
  p->shows[FIG_7] = shows_figure_7(&p->stand);
  p->shows[FIG_8] = shows_figure_8(&p->stand);
  p->shows[SINKS] = shows_sinking_at_seven(&p->stand);
  p->shows[FIG_9] = shows_figure_9(&p->walk);
  p->shows[FIG_10] = p->walk.upright[0] && walks_on_soles(p->walk.deepest);
  return 1;
}

// Points that show all figures from..to.
static int count(const Point* p, int points, int from, int to) {
  int sum = 0;
  for (int i = 0; i < points; ++i) {
    int all = 1;
    for (int k = from; k <= to; ++k) all &= p[i].shows[k];
    sum += all;
  }
  return sum;
}

static void draw_up(Lab* lab, const Point* p, int points) {
  lab_channels(lab, CHANNELS, names);
  lab_panel(lab, "figures that a setting shows, of six", "", (const char*[]){names[SHOWN], NULL});
  lab_panel(lab, "Fig. 6: leap at 2.5 ms", "m", (const char*[]){names[OLD], names[NEW], NULL});
  lab_panel(lab, "Fig. 7-8: at 4 over at 0.01", "log10",
            (const char*[]){names[SMOOTH], names[EVEN], NULL});
  lab_panel(lab, "IV-C: depth at 7 over that at 4", "", (const char*[]){names[FASTER], NULL});
  lab_panel(lab, "Fig. 9: dither without friction over with", "log10",
            (const char*[]){names[DITHER], NULL});
  for (int k = 0; k < lab->panels; ++k) lab->panel[k].scatter = 1;
  for (int i = 0; i < points; ++i) {
    const StandMeasure* s = &p[i].stand;
    double row[CHANNELS] = {i + 1,
                            0,
                            p[i].drop.old_leap[1],
                            p[i].drop.new_leap[1],
                            log10(s->rough[3] / s->rough[0]),
                            log10(s->uneven[3] / s->uneven[0]),
                            s->sunk[3] > 0.001 ? s->sunk[4] / s->sunk[3] : (double)NAN,
                            log10(p[i].walk.dither[1] / p[i].walk.dither[0])};
    for (int k = 0; k < FIGURES; ++k) row[SHOWN] += p[i].shows[k];
    lab_log(lab, row);
  }
}

// The short form has one setting, in which few figures appear.
static void appears(Lab* lab, int found, int points, const char* what, const char* where) {
  if (found == 0 && lab->brief && strcmp(where, never) != 0) return;
  lab_claim(lab, found > 0 ? LAB_HOLDS : LAB_CONTRADICTS, what, where, "%d of %d settings", found,
            points);
}

// [Sugihara 2006], IV-B: more points at once push more.
static void judge_bursts(Lab* lab, const Point* p, int points) {
  double exact = -1, old[VERTICES] = {-1, -1, -1};
  int rises = 1;
  for (int i = 0; i < points; ++i) {
    for (int k = 0; k < 2; ++k) exact = fmax(exact, p[i].drop.exact_leap[k]);
    for (int k = 0; k < VERTICES; ++k)
      if (p[i].setting.vertices == vertices[k]) old[k] = fmax(old[k], p[i].drop.old_leap[1]);
  }
  for (int k = 1; k < VERTICES; ++k) rises &= old[k] > old[k - 1];
  lab->success = drop_stays(exact);
  lab_claim(lab, lab->success, "exact law: no burst, whatever the robot", "[Sugihara 2006], IV-B",
            "highest afterwards %.1f mm", 1000 * exact);
  if (lab->brief) return;
  lab_claim(lab, rises, "springs: a burst of contact points makes the robot leap",
            "[Sugihara 2006], IV-B", "up to %.0f, %.0f, %.0f mm with 4, 8, 16 vertices",
            1000 * old[0], 1000 * old[1], 1000 * old[2]);
}

static void judge(Lab* lab, const Point* p, int points) {
  double least = (double)INFINITY;
  int leaps = 0, both = 0, pair = 0;
  for (int i = 0; i < points; ++i) {
    pair += p[i].shows[FIG_7] && p[i].shows[FIG_9];
    if (drop_stays(p[i].drop.old_leap[1])) continue;
    ++leaps;
    both += !drop_stays(p[i].drop.new_leap[1]);
    least = fmin(least, p[i].drop.new_leap[1]);
  }
  judge_bursts(lab, p, points);
  appears(lab, count(p, points, FIG_6, FIG_6), points, "at 2.5 ms only the old damper leaps",
          never);
  lab_claim(lab, both == leaps, "where the old damper leaps, the new one does",
            "ours, see the text", "%d of %d settings, by %.0f mm or more", both, leaps,
            1000 * least);
  appears(lab, count(p, points, FIG_7, FIG_7), points, "forces get smoother up to 4",
          "[Sugihara 2006], Fig. 7");
  appears(lab, count(p, points, FIG_8, FIG_8), points, "forces of a sole even out up to 4",
          "[Sugihara 2006], Fig. 8");
  appears(lab, count(p, points, SINKS, SINKS), points,
          "the robot stands up to 4 and penetrates near 7", "[Sugihara 2006], IV-C");
  appears(lab, count(p, points, FIG_9, FIG_9), points,
          "paths are similar; without static friction the acceleration oscillates",
          "[Sugihara 2006], Fig. 9");
  appears(lab, count(p, points, FIG_10, FIG_10), points, "it walks on its soles",
          "[Sugihara 2006], Fig. 10");
  const int all = count(p, points, FIG_7, FIG_9);
  lab_claim(lab, all > 0 ? LAB_HOLDS : LAB_CONTRADICTS, "Fig. 7 to 9 and IV-C in one setting",
            "[Sugihara 2006], Fig. 7-9, IV-C", "%d of %d settings; Fig. 7 and 9 in %d", all, points,
            pair);
}

void experiment_region(Lab* lab) {
  const int brief = lab_brief(lab), points = brief ? 1 : SETTINGS;
  Point* p = calloc((size_t)points, sizeof *p);
  int well = p != NULL;
  for (int i = 0; i < points && well; ++i) {
    p[i].setting = brief ? setting_usual : setting_at(i);
    well = measure(lab, &p[i], i > 0 ? &p[i - 1] : NULL, brief ? 1.2 : 3, brief ? 2 : 4);
  }
  lab_use(lab, HEFT_CONTACT_MODEL_EXACT, NULL);
  if (well) draw_up(lab, p, points);
  if (well) judge(lab, p, points);
  free(p);
}
