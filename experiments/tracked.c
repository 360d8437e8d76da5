// SPDX-License-Identifier: Apache-2.0
// Papers: R33, R76.
#include "experiments/tracked.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiments/mirror.h"

// Markers of each point, in the order of MirrorPoint: those of BVH files and of our CSV, of Plug-in
// Gait, and of other sets. A comma separates what is tried in turn, + what is averaged.
static const char* const markers[LAB_TRACKED] = {
    "head,LFHD+RFHD+LBHD+RBHD,Head1+Head2+Head3",
    "head:bone",
    "head:front,LFHD+RFHD",
    "left_hand,LeftHand,LeftWrist,lhand,LWRA+LWRB",
    "left_hand:bone,LeftHand:bone,LeftWrist:bone,lhand:bone,LFIN",
    "left_hand:front,LeftHand:front,LeftWrist:front,lhand:front,LWRA",
    "right_hand,RightHand,RightWrist,rhand,RWRA+RWRB",
    "right_hand:bone,RightHand:bone,RightWrist:bone,rhand:bone,RFIN",
    "right_hand:front,RightHand:front,RightWrist:front,rhand:front,RWRA",
    "left_shoulder,LeftArm,lshoulder,LSHO",
    "right_shoulder,RightArm,rshoulder,RSHO",
    "left_elbow,LeftForeArm,LeftElbow,lelbow,LELB",
    "right_elbow,RightForeArm,RightElbow,relbow,RELB"};

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c; }

// A column NAME.x, behind a prefix that ends with : or _, in letters of any case.
static int is_column(const char* column, const char* name, size_t length) {
  const size_t all = strlen(column);
  if (all < length + 2 || strcmp(column + all - 2, ".x") != 0) return 0;
  const char* at = column + all - 2 - length;
  for (size_t i = 0; i < length; ++i)
    if (lower(at[i]) != lower(name[i])) return 0;
  return at == column || at[-1] == ':' || at[-1] == '_';
}

static int find_column(const HeftC3dTable* t, const char* name, size_t length) {
  for (int i = 1; i + 2 < t->columns; ++i)
    if (is_column(t->name[i], name, length)) return i;
  return -1;
}

// One of the lists: all of its markers must be there.
static int find_mean(const HeftC3dTable* t, const char* list, size_t length, int column[4][3]) {
  int count = 0;
  for (const char* end = list + length; list < end && count < 4; ++count) {
    const size_t size = strcspn(list, "+,");
    const int first = find_column(t, list, size);
    if (first < 0) return 0;
    for (int k = 0; k < 3; ++k) column[count][k] = first + k;
    list += size + 1;
  }
  for (; count < 4; ++count) column[count][0] = -1;
  return 1;
}

HeftStatus tracked_find(Tracked* out, const HeftC3dTable* table, HeftError* error) {
  *out = (Tracked){.table = table};
  for (int i = 0; i < LAB_TRACKED; ++i) {
    const char* list = markers[i];
    int found = 0;
    while (!found && *list) {
      const size_t length = strcspn(list, ",");
      found = find_mean(table, list, length, out->column[i]);
      list += length + (list[length] == ',');
    }
    if (found) continue;
    out->column[i][0][0] = -1;
    if (i != MIRROR_HEAD && i != MIRROR_LEFT && i != MIRROR_RIGHT) continue;
    if (error)
      snprintf(error->message, sizeof error->message,
               "no column is a marker of the %s; expected NAME.x, NAME.y, NAME.z, NAME one of %s",
               i == MIRROR_HEAD   ? "head"
               : i == MIRROR_LEFT ? "left hand"
                                  : "right hand",
               markers[i]);
    return error ? error->status = HEFT_ERR_NAME : HEFT_ERR_NAME;
  }
  return HEFT_OK;
}

static int mean(const Tracked* t, int point, const double* row, HeftVec3* out) {
  HeftVec3 sum = {0, 0, 0};
  int count = 0;
  for (int i = 0; i < 4 && t->column[point][i][0] > 0; ++i, ++count)
    sum = heft_vec3_add(sum, heft_vec3_from(row + t->column[point][i][0]));
  *out = heft_vec3_scale(1.0 / (count > 0 ? count : 1), sum);
  return count > 0 && isfinite(out->x) && isfinite(out->y) && isfinite(out->z);
}

// Points that only give directions have a place even if they have no marker: a head is upright and
// looks where the shoulders do, and a hand continues its forearm and turns as it likes.
static void complete(unsigned* seen, HeftVec3 p[LAB_TRACKED]) {
  const HeftVec3 up = {0, 0, 1};
  const unsigned shoulders = 1U << MIRROR_LEFT_SHOULDER | 1U << MIRROR_RIGHT_SHOULDER;
  if (!(*seen & 1U << (MIRROR_HEAD + 1))) p[MIRROR_HEAD + 1] = heft_vec3_add(p[MIRROR_HEAD], up);
  if (!(*seen & 1U << (MIRROR_HEAD + 2)) && (*seen & shoulders) == shoulders) {
    const HeftVec3 left = heft_vec3_sub(p[MIRROR_LEFT_SHOULDER], p[MIRROR_RIGHT_SHOULDER]);
    p[MIRROR_HEAD + 2] = heft_vec3_add(p[MIRROR_HEAD], heft_vec3_cross(left, up));
    *seen |= 1U << (MIRROR_HEAD + 2);
  }
  *seen |= 1U << (MIRROR_HEAD + 1);
  for (int side = 0; side < 2; ++side) {
    const int hand = side ? MIRROR_RIGHT : MIRROR_LEFT;
    const unsigned both = 3U << (hand + 1);
    if ((*seen & both) == both) continue;
    p[hand + 1] = p[hand + 2] = p[hand];
    *seen |= both;
  }
}

unsigned tracked_at(const Tracked* t, int64_t row, HeftVec3 point[LAB_TRACKED]) {
  const double* numbers = t->table->number + row * t->table->columns;
  unsigned seen = 0;
  for (int i = 0; i < LAB_TRACKED; ++i)
    if (mean(t, i, numbers, &point[i])) seen |= 1U << i;
  complete(&seen, point);
  return seen;
}
