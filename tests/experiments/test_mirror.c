// SPDX-License-Identifier: Apache-2.0
// A tracked person of other lengths moves the avatar and the HRP-2-like robot: their hands are
// where the person has them, by a formula of this test. Hands that press a box between them lift
// it, with the forces of statics. HEFT_MOTIONS=FOLDER: errors over the BVH files of a
// folder.
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/acts.h"
#include "experiments/mirror.h"
#include "experiments/tracked.h"
#include "io/bvh.h"
#include "support/check.h"

enum { SELF = 8192 };
static _Alignas(64) char self[SELF];
static Lab lab;
static int hand[2], arm[2];

static void open_mirror(const char* file) {
  Act act = act_mirror;
  act.file = file;
  lab = lab_make(HEFT_MODEL_DIR);
  memset(self, 0, sizeof self);
  if (!act_open(&act, &lab, self)) fail_msg("%s: %s", file, lab.error);
  for (int side = 0; side < 2; ++side) {
    hand[side] = lab_body(&lab, side ? "right_hand" : "left_hand");
    arm[side] = lab_body(&lab, side ? "right_upper_arm" : "left_upper_arm");
  }
}

static HeftVec3 place(int body) {
  return heft_dynamics_body_pose(heft_world_dynamics(lab.world), body).pos;
}

static double arm_length(void) {
  const HeftVec3 elbow = place(lab.model->body_parent[hand[0]]);
  return heft_vec3_norm(heft_vec3_sub(elbow, place(arm[0]))) +
         heft_vec3_norm(heft_vec3_sub(place(hand[0]), elbow));
}

static HeftVec3 middle(void) {
  return heft_vec3_scale(0.5, heft_vec3_add(place(arm[0]), place(arm[1])));
}

// ---- a person, in axes of its own: x ahead, from the middle of the shoulders

typedef struct Body {
  double arm;  // length
  HeftVec3 wrist[2];
  HeftVec3 at;  // of the middle
  HeftQuat turn;
} Body;

static void put(int k, const Body* b, HeftVec3 p) {
  lab.tracked[k] = heft_vec3_add(b->at, heft_mat3_mul_vec(heft_quat_to_mat3(b->turn), p));
}

// An elbow below the line from shoulder to wrist.
static HeftVec3 elbow(HeftVec3 shoulder, HeftVec3 wrist, double length) {
  const HeftVec3 way = heft_vec3_sub(wrist, shoulder), down = {0, 0, -1};
  const double d = heft_vec3_norm(way), off = sqrt(fmax(length * length - d * d, 0)) / 2;
  const HeftVec3 along = heft_vec3_scale(1 / d, way);
  const HeftVec3 away =
      heft_vec3_normalize(heft_vec3_add_scaled(down, -heft_vec3_dot(down, along), along));
  return heft_vec3_add_scaled(heft_vec3_add_scaled(shoulder, 0.5, way), off, away);
}

// Palms face each other, fingers ahead.
static void show(const Body* b) {
  const HeftVec3 ahead = {0.1, 0, 0}, up = {0, 0, 0.1}, eyes = {0.08, 0, 0.2};
  put(MIRROR_HEAD, b, eyes);
  put(MIRROR_HEAD + 1, b, heft_vec3_add(eyes, up));
  put(MIRROR_HEAD + 2, b, heft_vec3_add(eyes, ahead));
  for (int side = 0; side < 2; ++side) {
    const int k = side ? MIRROR_RIGHT : MIRROR_LEFT;
    const HeftVec3 shoulder = {0, side ? -0.19 : 0.19, 0}, wrist = b->wrist[side];
    put(k, b, wrist);
    put(k + 1, b, heft_vec3_add(wrist, ahead));
    put(k + 2, b, heft_vec3_add(wrist, up));
    put(MIRROR_LEFT_SHOULDER + side, b, shoulder);
    put(MIRROR_LEFT_ELBOW + side, b, elbow(shoulder, wrist, b->arm));
  }
  lab.tracked_bits = (1U << MIRROR_POINTS) - 1;
}

static void step(void) {
  const HeftStepReport r = act_step(&act_mirror, &lab, self);
  assert_true(heft_step_taken(r.status));
  assert_true(lab_upright(&lab));
}

// Both hands move about, at up to 0.7 m/s, while the person turns and walks; 100 samples a second.
static double follow(const char* file) {
  open_mirror(file);
  const double end = getenv("HEFT_SHORT") ? 3 : 8, s = 0.97 * arm_length() / 0.5;
  const HeftVec3 home = middle();
  double worst = 0;
  Body b = {.arm = 0.5};
  for (int i = 0; lab_time(&lab) < end; ++i) {
    const double t = lab_time(&lab);
    if (i % 10 == 0) {
      for (int side = 0; side < 2; ++side)
        b.wrist[side] = heft_vec3(0.3 + 0.1 * heft_sin(2 * t),
                                  (side ? -1 : 1) * (0.26 + 0.06 * heft_cos(3 * t)),
                                  -0.1 + (side ? -0.15 : 0.15) * heft_sin(3 * t));
      b.at = heft_vec3(2 - t, -1, 1.35);
      b.turn = heft_quat_from_axis_angle(heft_vec3(0, 0, 1), 1.5 + 0.5 * t);
      for (int side = 0; side < 2 && t > 2; ++side) {
        const HeftVec3 wanted = heft_vec3_add_scaled(home, s, b.wrist[side]);
        worst = fmax(worst, heft_vec3_norm(heft_vec3_sub(wanted, place(hand[side]))));
      }
      show(&b);
    }
    step();
  }
  lab_release(&lab);
  return worst;
}

static void test_hands_are_where_the_person_has_them(void** state) {
  (void)state;
  const char* const files[2] = {"avatar_table.xml", "hrp2_like.xml"};
  for (int i = getenv("HEFT_SHORT") ? 1 : 0; i < 2; ++i) {
    const double worst = follow(files[i]);
    print_message("%s: at most %.1f mm\n", files[i], 1000 * worst);
    assert_true(worst < 0.02);
  }
}

// ---- a box between the hands

typedef struct Way {
  double time, x, y, z;  // of the left wrist; the right one mirrors it
} Way;

static const Way ways[] = {{0, 0.1, 0.32, 1.15},    {1, 0.1, 0.32, 1.15},
                           {1.6, 0.34, 0.32, 0.98}, {2.0, 0.34, 0.12, 0.98},
                           {2.3, 0.34, 0.12, 0.98}, {2.9, 0.34, 0.12, 1.13},
                           {9, 0.34, 0.12, 1.13}};

static HeftVec3 way_at(double t, int side) {
  double s[3];
  int k = 0;
  while (t >= ways[k + 1].time) ++k;
  const Way *a = &ways[k], *b = &ways[k + 1];
  heft_spline_smooth_step((t - a->time) / (b->time - a->time), s);
  return heft_vec3(a->x + s[0] * (b->x - a->x), (side ? -1 : 1) * (a->y + s[0] * (b->y - a->y)),
                   a->z + s[0] * (b->z - a->z));
}

// Force of a hand and its fingers on the box.
static HeftVec3 force(int side, int box) {
  const HeftVec3 o = {0, 0, 0};
  const int fingers = lab_body(&lab, side ? "right_fingers" : "left_fingers");
  return heft_vec3_neg(heft_vec3_add(heft_world_pair_wrench(lab.world, hand[side], box, o).lin,
                                     heft_world_pair_wrench(lab.world, fingers, box, o).lin));
}

static void test_both_hands_lift_a_box(void** state) {
  (void)state;
  open_mirror("avatar_table.xml");
  const int box = lab_body(&lab, "box");
  const double low = place(box).z, weight = lab.model->body_mass[box] * lab.gravity;
  const HeftVec3 home = middle();
  Body b = {.arm = 0.97 * arm_length(), .at = {0, 0, 1.4}, .turn = {1, 0, 0, 0}};
  HeftVec3 sum[2] = {{0, 0, 0}, {0, 0, 0}};
  int count = 0;
  for (int i = 0; lab_time(&lab) < 3.5; ++i) {
    for (int side = 0; side < 2 && i % 10 == 0; ++side)
      b.wrist[side] = heft_vec3_sub(way_at(lab_time(&lab), side), home);
    if (i % 10 == 0) show(&b);
    step();
    if (lab_time(&lab) < 3.3) continue;
    for (int side = 0; side < 2; ++side) sum[side] = heft_vec3_add(sum[side], force(side, box));
    ++count;
  }
  for (int side = 0; side < 2; ++side) sum[side] = heft_vec3_scale(1.0 / count, sum[side]);
  print_message("lifted by %.0f mm; left %.2f %.2f %.2f N, right %.2f %.2f %.2f N, weight %.2f N\n",
                1000 * (place(box).z - low), sum[0].x, sum[0].y, sum[0].z, sum[1].x, sum[1].y,
                sum[1].z, weight);
  assert_true(place(box).z - low > 0.1);
  assert_true(fabs(sum[0].z + sum[1].z - weight) < 0.05 * weight);
  for (int side = 0; side < 2; ++side)
    assert_true(fabs(sum[side].z - 0.5 * weight) < 0.025 * weight);
  assert_true(sum[0].y < -10);
  assert_true(fabs(sum[0].y + sum[1].y) < 0.05 * fabs(sum[0].y));
  lab_release(&lab);
}

// ---- recorded motions

static int by_size(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static HeftC3d read_motion(const char* folder, const char* name) {
  char path[600];
  HeftC3d motion;
  HeftError error = {0};
  snprintf(path, sizeof path, "%.300s/%.200s", folder, name);
  FILE* f = fopen(path, "rb");
  assert_non_null(f);
  fseek(f, 0, SEEK_END);
  const long size = ftell(f);
  char* text = malloc((size_t)size + 1);
  rewind(f);
  assert_int_equal(fread(text, 1, (size_t)size, f), size);
  fclose(f);
  if (heft_bvh_read(&motion, text, (size_t)size, path, heft_allocator_default(), &error) != HEFT_OK)
    fail_msg("%s:%d: %s", path, error.line, error.message);
  free(text);
  return motion;
}

static void play(const char* model, const char* folder, const char* name) {
  HeftC3d motion = read_motion(folder, name);
  Tracked tracked;
  HeftError error = {0};
  if (tracked_find(&tracked, &motion.points, &error) != HEFT_OK) fail_msg("%s", error.message);
  open_mirror(model);
  const HeftC3dTable* t = &motion.points;
  double* off[2] = {calloc((size_t)t->rows, sizeof(double)),
                    calloc((size_t)t->rows, sizeof(double))};
  int64_t row = 0, count = 0;
  while (row < t->rows && lab_upright(&lab)) {
    const int sample = t->number[row * t->columns] <= lab_time(&lab) + 1e-9;
    if (sample) lab.tracked_bits = tracked_at(&tracked, row++, lab.tracked);
    act_step(&act_mirror, &lab, self);
    if (!sample || lab_time(&lab) < 2.1) continue;  // the first pose is taken
    off[0][count] = heft_option_value(&act_mirror.values.option[3], self);
    off[1][count++] = heft_option_value(&act_mirror.values.option[0], self);
  }
  printf("%s %s %d samples of %d:", name, model, (int)count, (int)t->rows);
  for (int k = 0; k < 2 && count > 0; ++k) {
    double mean = 0;
    for (int64_t i = 0; i < count; ++i) mean += off[k][i] / (double)count;
    qsort(off[k], (size_t)count, sizeof(double), by_size);
    printf(" %s mean %.1f p95 %.1f max %.1f mm", k ? "hand" : "posture", 1000 * mean,
           1000 * off[k][count * 95 / 100], 1000 * off[k][count - 1]);
  }
  printf("%s\n", lab_upright(&lab) ? "" : "; it fell");
  fflush(stdout);
  free(off[0]);
  free(off[1]);
  lab_release(&lab);
  heft_c3d_release(&motion);
}

static void test_recorded_motions(void** state) {
  (void)state;
  const char* folder = getenv("HEFT_MOTIONS");
  DIR* d = opendir(folder);
  assert_non_null(d);
  for (const struct dirent* e = readdir(d); e; e = readdir(d))
    if (strstr(e->d_name, ".bvh")) play("hrp2_like.xml", folder, e->d_name);
  closedir(d);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_hands_are_where_the_person_has_them),
                                     cmocka_unit_test(test_both_hands_lift_a_box)};
  const struct CMUnitTest motions[] = {cmocka_unit_test(test_recorded_motions)};
  if (getenv("HEFT_MOTIONS")) return cmocka_run_group_tests(motions, NULL, NULL);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
