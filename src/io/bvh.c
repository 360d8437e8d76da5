// SPDX-License-Identifier: Apache-2.0
// Papers: R33, R76.
// BVH files (Biovision): words in which lines mean nothing. HIERARCHY, then a tree
//
//     ROOT name { OFFSET x y z  CHANNELS n name..  JOINT name {..}  End Site { OFFSET x y z } }
//
// then MOTION, "Frames: n", "Frame Time: s", and the channels of all joints for each frame. The
// rotations of a joint, in degrees, multiply in the order of its channels. Files have y up, and
// people at rest look along z: (x, y, z) becomes (z, x, y).
//
// Every count is compared with the bytes that are left before memory is taken.
#include "io/bvh.h"

#include <heft/spatial.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/decimal.h"
#include "base/error.h"
#include "io/region.h"

enum { JOINTS_MAX = 512, CHANNELS_MAX = 6, NAME_BYTES = 64, MARKERS = 3, NUMBERS_MAX = 1 << 26 };
static const double tenth = 0.1, frame_time_max = 10;

typedef struct Joint {
  char name[NAME_BYTES];
  int parent, boned;  ///< boned: 1 once the bone is known
  HeftVec3 offset, bone;
  int channels, channel[CHANNELS_MAX];  ///< 0 to 2 positions, 3 to 5 rotations
} Joint;

typedef struct Bvh {
  const char *at, *end, *file, *word;
  int line, length;  ///< length: of the word
  HeftError* error;
  HeftStatus status;
  Region region;
  int joints, channels;
  Joint joint[JOINTS_MAX];
  HeftPose pose[JOINTS_MAX];
} Bvh;

#define BVH_FAIL(b, code, ...) \
  ((b)->status = heft_error_set_at((b)->error, code, (b)->file, (b)->line, 0, __VA_ARGS__), 0)

// ---- words

static int is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static int next_word(Bvh* b) {
  while (b->at < b->end && is_space(*b->at)) b->line += *b->at++ == '\n';
  b->word = b->at;
  while (b->at < b->end && !is_space(*b->at)) ++b->at;
  b->length = (int)(b->at - b->word < 4096 ? b->at - b->word : 4096);
  return b->length > 0;
}

static int is(const Bvh* b, const char* word) {
  return (size_t)b->length == strlen(word) && memcmp(b->word, word, (size_t)b->length) == 0;
}

static void copy_word(const Bvh* b, char out[NAME_BYTES]) {
  snprintf(out, NAME_BYTES, "%.*s", b->length < NAME_BYTES ? b->length : NAME_BYTES - 1, b->word);
  heft_error_one_line(out);
}

static int found(Bvh* b, const char* expected) {
  char word[NAME_BYTES];
  copy_word(b, word);
  return BVH_FAIL(b, HEFT_ERR_SYNTAX, "found '%s', expected %s", word, expected);
}

static int want(Bvh* b, const char* word) {
  next_word(b);
  return is(b, word) || found(b, word);
}

static int want_number(Bvh* b, double* out) {
  next_word(b);
  const char* end = b->word + b->length;
  if (b->length > 0 && heft_decimal_read(b->word, end, out) == end && fabs(*out) < 1e9) return 1;
  return found(b, "a number below 1e9");
}

// ---- the tree

// Axes of the file to axes with z up.
static HeftVec3 turned(HeftVec3 v) { return heft_vec3(v.z, v.x, v.y); }

static int want_offset(Bvh* b, HeftVec3* out) {
  double v[3];
  if (!want(b, "OFFSET") || !want_number(b, &v[0]) || !want_number(b, &v[1]) ||
      !want_number(b, &v[2]))
    return 0;
  *out = turned(heft_vec3_from(v));
  return 1;
}

// The bone goes to the first child that is elsewhere.
static void note_bone(Bvh* b, int joint, HeftVec3 to) {
  if (joint < 0 || b->joint[joint].boned || !(heft_vec3_norm(to) > 0)) return;
  b->joint[joint].bone = heft_vec3_normalize(to);
  b->joint[joint].boned = 1;
}

static int want_channels(Bvh* b, Joint* j) {
  static const char* const names[CHANNELS_MAX] = {"Xposition", "Yposition", "Zposition",
                                                  "Xrotation", "Yrotation", "Zrotation"};
  double count;
  if (!want_number(b, &count)) return 0;
  if (!(count >= 0 && count <= CHANNELS_MAX) || count != floor(count))
    return BVH_FAIL(b, HEFT_ERR_VALUE, "a joint has %g channels, expected 0 to 6", count);
  for (j->channels = 0; j->channels < (int)count; ++j->channels) {
    int k = 0;
    next_word(b);
    while (k < CHANNELS_MAX && !is(b, names[k])) ++k;
    if (k == CHANNELS_MAX) return found(b, "a channel: Xposition to Zrotation");
    j->channel[j->channels] = k;
  }
  b->channels += j->channels;
  return 1;
}

static int want_end(Bvh* b, int joint) {
  HeftVec3 to;
  if (!want(b, "Site") || !want(b, "{") || !want_offset(b, &to) || !want(b, "}")) return 0;
  note_bone(b, joint, to);
  return 1;
}

// The head of a joint, up to its channels.
static int want_joint(Bvh* b, int parent) {
  if (b->joints == JOINTS_MAX)
    return BVH_FAIL(b, HEFT_ERR_VALUE, "there are more than %d joints", (int)JOINTS_MAX);
  Joint* j = &b->joint[b->joints];
  *j = (Joint){.parent = parent, .bone = {0, 0, 1}};
  if (!next_word(b)) return found(b, "the name of a joint");
  copy_word(b, j->name);
  if (!want(b, "{") || !want_offset(b, &j->offset) || !want(b, "CHANNELS") || !want_channels(b, j))
    return 0;
  note_bone(b, parent, j->offset);
  return ++b->joints;
}

// Joints come depth first, so the open ones are the last one and its parents.
static int read_tree(Bvh* b) {
  if (!want(b, "HIERARCHY") || !want(b, "ROOT") || !want_joint(b, -1)) return 0;
  for (int open = 0; open >= 0;) {
    next_word(b);
    if (is(b, "}")) {
      open = b->joint[open].parent;
    } else if (is(b, "JOINT")) {
      if (!want_joint(b, open)) return 0;
      open = b->joints - 1;
    } else if (!is(b, "End")) {
      return found(b, "JOINT, End Site or }");
    } else if (!want_end(b, open)) {
      return 0;
    }
  }
  return 1;
}

// ---- frames

static int want_frames(Bvh* b, int64_t* frames, double* time) {
  double count;
  if (!want(b, "MOTION") || !want(b, "Frames:") || !want_number(b, &count) || !want(b, "Frame") ||
      !want(b, "Time:") || !want_number(b, time))
    return 0;
  if (b->channels == 0)
    return BVH_FAIL(b, HEFT_ERR_VALUE, "no joint has channels, so nothing moves");
  if (!(*time > 0 && *time <= frame_time_max))
    return BVH_FAIL(b, HEFT_ERR_VALUE, "the frame time is %g s, expected more than 0, at most %g",
                    *time, frame_time_max);
  const double there = (double)(b->end - b->at + 1) / (2.0 * b->channels);
  if (!(count >= 1 && count <= there) || count != floor(count))
    return BVH_FAIL(b, HEFT_ERR_VALUE,
                    "the file states %g frames of %d numbers, but %lld bytes are left; was it cut?",
                    count, b->channels, (long long)(b->end - b->at));
  *frames = (int64_t)count;
  return 1;
}

static int take_table(Bvh* b, HeftC3dTable* t, int64_t frames) {
  static const char* const ends[MARKERS] = {"", ":bone", ":front"};
  const size_t columns = 1 + 3 * MARKERS * (size_t)b->joints, name = NAME_BYTES + 12;
  if (columns * (size_t)frames > NUMBERS_MAX)
    return BVH_FAIL(b, HEFT_ERR_VALUE, "%lld frames of %d joints are too many; divide the file",
                    (long long)frames, b->joints);
  char* names = region_take(&b->region, columns, name);
  *t = (HeftC3dTable){.columns = (int)columns, .rows = frames};
  t->name = region_take(&b->region, columns, sizeof *t->name);
  t->number = region_take(&b->region, columns * (size_t)frames, sizeof(double));
  if (!names || !t->name || !t->number)
    return BVH_FAIL(b, HEFT_ERR_MEMORY, "no memory for %lld frames of %d joints", (long long)frames,
                    b->joints);
  snprintf(names, name, "time");
  t->name[0] = names;
  for (size_t i = 1; i < columns; ++i) {
    const size_t k = i - 1;
    snprintf(names + i * name, name, "%s%s.%c", b->joint[k / (3 * MARKERS)].name,
             ends[k / 3 % MARKERS], "xyz"[k % 3]);
    t->name[i] = names + i * name;
  }
  return 1;
}

static int read_pose(Bvh* b, int joint) {
  static const HeftVec3 axis[3] = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}};  // the file's, turned
  const Joint* j = &b->joint[joint];
  HeftVec3 pos = j->offset;
  HeftQuat turn = heft_quat_identity();
  int placed = 0;
  for (int i = 0; i < j->channels; ++i) {
    double x;
    const int c = j->channel[i];
    if (!want_number(b, &x)) return 0;
    if (c < 3 && !placed++) pos = heft_vec3(0, 0, 0);  // positions replace the offset
    if (c < 3) pos = heft_vec3_add_scaled(pos, x, axis[c]);
    if (c >= 3)
      turn = heft_quat_mul(turn, heft_quat_from_axis_angle(axis[c - 3], x * HEFT_PI / 180));
  }
  const HeftPose own = heft_pose(pos, turn);
  b->pose[joint] = j->parent < 0 ? own : heft_pose_mul(b->pose[j->parent], own);
  return 1;
}

static void put_marker(const Bvh* b, int joint, double length, double* out) {
  const HeftVec3 front = {1, 0, 0};
  const HeftPose x = b->pose[joint];
  const HeftVec3 p[MARKERS] = {x.pos,
                               heft_pose_apply(x, heft_vec3_scale(length, b->joint[joint].bone)),
                               heft_pose_apply(x, heft_vec3_scale(length, front))};
  for (int k = 0; k < MARKERS; ++k) {
    out[3 * k] = p[k].x;
    out[3 * k + 1] = p[k].y;
    out[3 * k + 2] = p[k].z;
  }
}

static int read_motion(Bvh* b, HeftC3dTable* t) {
  int64_t frames;
  double time;
  if (!want_frames(b, &frames, &time) || !take_table(b, t, frames)) return 0;
  for (int64_t f = 0; f < frames; ++f) {
    double* row = t->number + f * t->columns;
    row[0] = (double)f * time;
    for (int i = 0; i < b->joints; ++i) {
      if (!read_pose(b, i)) return 0;
      put_marker(b, i, tenth, row + 1 + 3L * MARKERS * i);
    }
  }
  return 1;
}

HeftStatus heft_bvh_read(HeftC3d* out, const char* bytes, size_t size, const char* file,
                         HeftAllocator allocator, HeftError* error) {
  HEFT_REQUIRE(out, HEFT_ERR_ARGUMENT);
  *out = (HeftC3d){.allocator = allocator};
  HEFT_REQUIRE(bytes || size == 0, HEFT_ERR_ARGUMENT);
  Region region = region_make(allocator);
  Bvh* b = region_take(&region, 1, sizeof *b);
  if (!b) return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for a BVH file");
  *b = (Bvh){.at = bytes, .end = bytes + size, .file = file, .line = 1, .error = error};
  b->region = region;
  if (read_tree(b)) read_motion(b, &out->points);
  const HeftStatus status = b->status;
  out->memory = b->region.block;
  if (status != HEFT_OK) heft_c3d_release(out);
  return status;
}
