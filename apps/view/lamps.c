// SPDX-License-Identifier: Apache-2.0
// Lights are fixed in the frame of their body, or keep the offset from the body (or from the centre
// of mass of its subtree) that they have in the pose of the file, or turn to a body.
#include "view/lamps.h"

static HeftVec3 mass_center(const HeftModel* m, const HeftPose* poses, int root) {
  HeftVec3 sum = {0, 0, 0};
  double mass = 0;
  for (int b = root; b < m->nbody; ++b) {
    int up = b;
    while (up > root) up = m->body_parent[up];
    if (up != root) continue;
    const HeftVec3 at = heft_pose_apply(poses[b], heft_vec3_from(&m->body_com[3 * b]));
    sum = heft_vec3_add_scaled(sum, m->body_mass[b], at);
    mass += m->body_mass[b];
  }
  return mass > 0 ? heft_vec3_scale(1 / mass, sum) : poses[root].pos;
}

// The point from which the light keeps its offset.
static HeftVec3 anchor(const HeftModel* m, const HeftPose* poses, int body, HeftFollow follow) {
  return follow == HEFT_FOLLOW_TRACK_COM ? mass_center(m, poses, body) : poses[body].pos;
}

static void place_lamp(const HeftModel* m, const HeftPose* start, const HeftPose* poses, int light,
                       Lamp* lamp) {
  const HeftFollow follow = m->light_follow[light];
  const int body = m->light_body[light], target = m->light_target[light];
  const HeftVec3 pos = heft_vec3_from(&m->light_pos[3 * light]),
                 dir = heft_vec3_from(&m->light_dir[3 * light]);
  const int keeps = follow == HEFT_FOLLOW_TRACK || follow == HEFT_FOLLOW_TRACK_COM;
  const HeftPose at = keeps ? start[body] : poses[body];
  lamp->at = heft_pose_apply(at, pos);
  lamp->dir = heft_mat3_mul_vec(at.rot, dir);
  if (keeps)
    lamp->at = heft_vec3_add(
        lamp->at, heft_vec3_sub(anchor(m, poses, body, follow), anchor(m, start, body, follow)));
  if (target < 0) return;
  HeftVec3 to = lamp->dir;
  if (follow == HEFT_FOLLOW_TARGET_BODY) to = heft_vec3_sub(poses[target].pos, lamp->at);
  if (follow == HEFT_FOLLOW_TARGET_BODY_COM)
    to = heft_vec3_sub(mass_center(m, poses, target), lamp->at);
  if (heft_vec3_norm(to) > 1e-9) lamp->dir = heft_vec3_normalize(to);
}

static Lamp lamp_of(const HeftModel* m, const HeftPose* start, const HeftPose* poses, int light) {
  Lamp lamp = {.parallel = m->light_directional[light], .shadow = m->light_shadow[light]};
  place_lamp(m, start, poses, light, &lamp);
  for (int k = 0; k < 3; ++k) {
    lamp.color[k] = (float)m->light_diffuse[3 * light + k];
    lamp.gloss[k] = (float)m->light_specular[3 * light + k];
    lamp.ambient[k] = (float)m->light_ambient[3 * light + k];
    lamp.fall[k] = (float)m->light_attenuation[3 * light + k];
  }
  lamp.exponent = m->light_exponent[light];
  const double cutoff = m->light_cutoff[light];
  lamp.rim = cutoff < 0.5 * HEFT_PI ? heft_cos(cutoff) : -2;
  if (lamp.fall[0] <= 0 && lamp.fall[1] <= 0 && lamp.fall[2] <= 0) lamp.fall[0] = 1;
  if (lamp.rim < -1) lamp.exponent = 0;
  if (!lamp.parallel) return lamp;
  lamp.at = heft_vec3_scale(-1, lamp.dir);
  lamp.rim = -2;
  lamp.exponent = 0;
  lamp.fall[0] = 1;
  lamp.fall[1] = lamp.fall[2] = 0;
  return lamp;
}

int lamps_of(const HeftModel* model, const HeftPose* start, const HeftPose* poses, Lamp* lamps) {
  int count = 0, cast = -1;
  for (int i = 0; i < model->nlight && count < LAMPS_MAX; ++i) {
    const double* c = &model->light_diffuse[3 * i];
    if (!model->light_active[i] || !(c[0] + c[1] + c[2] > 0)) continue;
    lamps[count++] = lamp_of(model, start, poses, i);
    if (cast < 0 && lamps[count - 1].shadow) cast = count - 1;
  }
  if (cast > 0) {
    const Lamp first = lamps[0];
    lamps[0] = lamps[cast];
    lamps[cast] = first;
  }
  return count;
}
