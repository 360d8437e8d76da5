// SPDX-License-Identifier: Apache-2.0
// Columns become coordinates; differences become velocities and accelerations. With times t_i and
// steps h_i = t_{i+1} - t_i,
//     v_{i+½} = (q_{i+1} ⊖ q_i) / h_i                       exact on rotations (heft_q_difference)
//     v_i = (h_{i-1} v_{i+½} + h_i v_{i-½}) / (h_{i-1} + h_i)
//     a_i = 2 (v_{i+½} - v_{i-½}) / (h_{i-1} + h_i)
// which is exact for motions of constant acceleration. The ends have the accelerations of their
// neighbours.
#include "judge/motion.h"

#include <heft/collision.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "judge/columns.h"

// Beyond these, differences would not be finite [m, rad, s].
static const double value_max = 1e9, step_min = 1e-10;

// ---- the base

static HeftPose base_pose(const double* q) {
  return heft_pose(heft_vec3_from(q), heft_quat_normalize(heft_quat(q[3], q[4], q[5], q[6])));
}

// How far the shapes of a body are from shapes of static bodies [m]; negative: depth. Zero if there
// are none.
static double distance_from_floor(const HeftModel* m, const HeftDynamics* d, int body) {
  HeftCollider* collider = NULL;
  HeftPose* pose = calloc((size_t)m->nbody, sizeof *pose);
  double least = (double)INFINITY;
  if (pose && heft_collider_create(&collider, m, NULL, NULL) == HEFT_OK) {
    for (int b = 0; b < m->nbody; ++b) pose[b] = heft_dynamics_body_pose(d, b);
    heft_collider_update(collider, pose);
    for (int s = 0; s < m->nshape; ++s) {
      if (m->shape_body[s] != body || (m->shape_category[s] == 0 && m->shape_collides[s] == 0))
        continue;
      for (int other = 0; other < m->nshape; ++other) {
        if (m->shape_body[other] != 0) continue;
        const HeftDistance found = heft_collider_distance(collider, s, other);
        if (found.distance < least) least = found.distance;
      }
    }
  }
  heft_collider_destroy(collider);
  free(pose);
  return isfinite(least) ? least : 0;
}

// Moves the base so that a body stays where it is in the first row, with its shapes on the floor.
static HeftStatus place_base(Motion* motion, const HeftModel* m, int support, HeftError* error) {
  HeftDynamics* d = NULL;
  const int at = m->joint_q[columns_base_joint(m)];
  HeftStatus status = heft_dynamics_create(&d, m, NULL, error);
  HeftPose fixed = heft_pose_identity();
  for (int i = 0; status == HEFT_OK && i < motion->count; ++i) {
    double* q = motion->q + (long)i * m->nq;
    heft_dynamics_kinematics(d, q);
    const HeftPose now = heft_dynamics_body_pose(d, support);
    if (i == 0) {
      const HeftVec3 down = heft_vec3_normalize(heft_vec3_from(m->physics.gravity));
      fixed = now;
      fixed.pos = heft_vec3_add_scaled(now.pos, distance_from_floor(m, d, support), down);
    }
    const HeftPose base =
        heft_pose_mul(heft_pose_mul(fixed, heft_pose_inverse(now)), base_pose(q + at));
    const HeftQuat turn = heft_quat_from_mat3(base.rot);
    const double placed[7] = {base.pos.x, base.pos.y, base.pos.z, turn.w, turn.x, turn.y, turn.z};
    memcpy(q + at, placed, sizeof placed);
  }
  heft_dynamics_destroy(d);
  return status;
}

// ---- differences

static void differentiate(Motion* motion, const HeftModel* m, double* half) {
  const int nv = m->nv, last = motion->count - 1;
  for (int i = 0; i < last; ++i) {
    const double h = motion->time[i + 1] - motion->time[i];
    heft_q_difference(m, motion->q + (long)i * m->nq, motion->q + (long)(i + 1) * m->nq,
                      half + (long)i * nv);
    for (int k = 0; k < nv; ++k) half[(long)i * nv + k] /= h;
  }
  for (int i = 1; i < last; ++i) {
    const double before = motion->time[i] - motion->time[i - 1],
                 after = motion->time[i + 1] - motion->time[i], both = before + after;
    for (int k = 0; k < nv; ++k) {
      const double left = half[(long)(i - 1) * nv + k], right = half[(long)i * nv + k];
      motion->v[(long)i * nv + k] = (before * right + after * left) / both;
      motion->a[(long)i * nv + k] = 2 * (right - left) / both;
    }
  }
  const size_t row = (size_t)nv * sizeof(double);
  memcpy(motion->a, motion->a + nv, row);
  memcpy(motion->a + (long)last * nv, motion->a + (long)(last - 1) * nv, row);
  for (int k = 0; k < nv; ++k) {
    motion->v[k] = half[k] - 0.5 * (motion->time[1] - motion->time[0]) * motion->a[k];
    motion->v[(long)last * nv + k] =
        half[(long)(last - 1) * nv + k] +
        0.5 * (motion->time[last] - motion->time[last - 1]) * motion->a[(long)last * nv + k];
  }
}

// ---- reading

static HeftStatus fill(Motion* motion, const HeftModel* m, const Csv* table, const Columns* map,
                       const char* file, HeftError* error) {
  const int at = csv_find(table, "time");
  if (at < 0)
    return heft_error_set_at(error, HEFT_ERR_NAME, file, 1, 0, "the column 'time' is missing");
  for (int i = 0; i < motion->count; ++i) {
    const double* row = table->number + (long)i * table->columns;
    double* q = motion->q + (long)i * m->nq;
    motion->time[i] = row[at];
    for (int c = 0; c < table->columns; ++c)
      if (!(fabs(row[c]) <= value_max))
        return heft_error_set_at(error, HEFT_ERR_VALUE, file, i + 2, c + 1,
                                 "%g in column '%.60s' is beyond %g", row[c], table->name[c],
                                 value_max);
    if (i > 0 && !(motion->time[i] >= motion->time[i - 1] + step_min))
      return heft_error_set_at(error, HEFT_ERR_VALUE, file, i + 2, at + 1,
                               "time %.9g s does not come after %.9g s of the line before",
                               motion->time[i], motion->time[i - 1]);
    memcpy(q, m->q_default, (size_t)m->nq * sizeof(double));
    for (int k = 0; k < m->nq; ++k)
      if (map->q[k] >= 0) q[k] = row[map->q[k]];
    heft_q_normalize(m, q);
  }
  return HEFT_OK;
}

static HeftStatus allocate(Motion* motion, const HeftModel* m, HeftError* error) {
  const size_t count = (size_t)motion->count, nv = (size_t)m->nv + 1, nq = (size_t)m->nq + 1;
  motion->time = calloc(count, sizeof(double));
  motion->q = calloc(count * nq, sizeof(double));
  motion->v = calloc(count * nv, sizeof(double));
  motion->a = calloc(count * nv, sizeof(double));
  return motion->time && motion->q && motion->v && motion->a
             ? HEFT_OK
             : heft_error_set(error, HEFT_ERR_MEMORY, "no memory for %d rows", motion->count);
}

HeftStatus motion_read(Motion* out, const HeftModel* m, const Csv* table, const char* file,
                       const JudgeDef* def, HeftError* error) {
  *out = (Motion){0};
  if (table->rows < 4 || table->rows > 10000000)
    return heft_error_set_at(error, HEFT_ERR_VALUE, file, 0, 0,
                             "a trajectory has 4 to 10,000,000 rows, found %lld",
                             (long long)table->rows);
  out->count = (int)table->rows;
  Columns map;
  HeftStatus status = columns_map(&map, m, table, 0, file, error);
  if (status == HEFT_OK) status = allocate(out, m, error);
  if (status == HEFT_OK) status = fill(out, m, table, &map, file, error);
  const int base = columns_base_joint(m);
  if (status == HEFT_OK && base >= 0 && !map.has_base) {
    if (def->support < 0) {
      status =
          heft_error_set_at(error, HEFT_ERR_NAME, file, 1, 0,
                            "the table has no columns of the floating base; add base.x, base.y, "
                            "base.z, base.qw, base.qx, base.qy, base.qz, or name a body that "
                            "stays in place with --support");
    } else {
      status = place_base(out, m, def->support, error);
    }
  }
  double* half =
      status == HEFT_OK ? calloc((size_t)out->count * ((size_t)m->nv + 1), sizeof *half) : NULL;
  if (half)
    differentiate(out, m, half);
  else if (status == HEFT_OK)
    status = heft_error_set(error, HEFT_ERR_MEMORY, "no memory for %d rows", out->count);
  free(half);
  columns_release(&map);
  if (status != HEFT_OK) motion_release(out);
  return status;
}

void motion_release(Motion* motion) {
  free(motion->time);
  free(motion->q);
  free(motion->v);
  free(motion->a);
  *motion = (Motion){0};
}
