// SPDX-License-Identifier: Apache-2.0
#include "overlaps.h"

#include <stdio.h>

enum { SHOWN = 12 };

int overlaps_complete(const Overlaps* o) { return o->counts.looked && o->counts.unseen == 0; }

// The name of a side of a pair: the body, or for the world the shape.
static const char* side(const HeftModel* m, const HeftOverlap* o, int i) {
  const char* body = heft_model_name(m, HEFT_NAMED_BODY, o->body[i]);
  const char* shape = heft_model_name(m, HEFT_NAMED_SHAPE, o->shape[i]);
  if (o->body[i] == 0 && shape[0]) return shape;
  return body[0] ? body : (o->body[i] == 0 ? "world" : "");
}

void overlaps_keep(Overlaps* o, const HeftModel* m, const HeftOverlap* pairs,
                   const HeftOverlapCounts* counts) {
  o->counts = *counts;
  for (int i = 0; i < counts->count; ++i) {
    o->pair[i] = pairs[i];
    for (int k = 0; k < 2; ++k)
      snprintf(o->name[i][k], sizeof o->name[i][k], "%s", side(m, &pairs[i], k));
  }
}

static const char* shown(const Overlaps* o, int i, int k) {
  return o->name[i][k][0] ? o->name[i][k] : "(no name)";
}

static int can_exclude(const Overlaps* o, int i) {
  return o->pair[i].body[0] > 0 && o->pair[i].body[1] > 0 && o->name[i][0][0] && o->name[i][1][0];
}

static void print_lines(const Overlaps* o, int urdf) {
  int count = 0;
  for (int i = 0; i < o->counts.count; ++i) count += can_exclude(o, i);
  if (count == 0) return;
  fprintf(stderr,
          urdf
              ? "  if they are meant to overlap, add --exclude overlaps, or these lines to an SRDF "
                "file (--srdf):\n"
              : "  if they are meant to overlap, add these lines to <contact>:\n");
  for (int i = 0; i < o->counts.count; ++i) {
    if (!can_exclude(o, i)) continue;
    fprintf(stderr,
            urdf ? "    <disable_collisions link1=\"%s\" link2=\"%s\" reason=\"Default\"/>\n"
                 : "    <exclude body1=\"%s\" body2=\"%s\"/>\n",
            o->name[i][0], o->name[i][1]);
  }
}

static void report_unseen(const HeftOverlapCounts* c, const char* path) {
  if (!c->looked)
    fprintf(stderr,
            "%s: note: bodies that overlap at the start were not looked for, which would take more "
            "than 96 MB\n",
            path);
  if (c->unseen > 0)
    fprintf(stderr,
            "%s: note: %lld more pairs of shapes lie close together at the start and were not "
            "compared; shapes that are meant to lie in one another should not collide\n",
            path, (long long)c->unseen);
}

void overlaps_report(const Overlaps* o, const char* path, int urdf) {
  report_unseen(&o->counts, path);
  if (o->counts.count == 0) return;
  const int pairs = o->counts.count + o->counts.more;
  fprintf(stderr, "%s: warning: %d %s at the start; contact pushes them apart\n", path, pairs,
          pairs == 1 ? "pair of bodies overlaps" : "pairs of bodies overlap");
  const int count = o->counts.count < SHOWN ? o->counts.count : SHOWN;
  for (int i = 0; i < count; ++i)
    fprintf(stderr, "    '%s' and '%s' by %.1f mm\n", shown(o, i, 0), shown(o, i, 1),
            1e3 * o->pair[i].depth);
  if (pairs > count) fprintf(stderr, "    and %d more\n", pairs - count);
  print_lines(o, urdf);
}

void overlaps_report_excluded(const Overlaps* o, const char* path) {
  for (int i = 0; i < o->counts.count; ++i) {
    if (can_exclude(o, i))
      fprintf(stderr, "%s: note: '%s' and '%s' overlap at the start and do not collide\n", path,
              o->name[i][0], o->name[i][1]);
  }
}
