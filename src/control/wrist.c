// SPDX-License-Identifier: Apache-2.0
// Papers: R46.
// Force of a held object in the frame of a wrist ([Keith 2008], section 4: "the additional force is
// transported to the wrists frames, where the force sensors are located on the real robot").
//
// Every contact point p of the object with the hand, with force f and torque t on the hand, adds
//     force f,   torque (p - o) × f + t
// about the origin o of the wrist's frame, all turned into its axes R: a wrench of six components.
// The weight m g of the object at its centre of mass c is the wrench (c - o) × m g, m g. The
// difference is what somebody else does to the object: for an object at rest in one hand it is the
// force of the user, transported from the point where the user holds the object to the wrist.
#include <heft/control.h>

#include "base/assert.h"
#include "control/chain.h"

static HeftPose site_of(const HeftWorld* world, int site) {
  return heft_dynamics_site_pose(heft_world_dynamics(world), site);
}

// Force and torque about the origin of the frame, turned into its axes.
static HeftSpatial into(HeftPose frame, HeftSpatial wrench) {
  return (HeftSpatial){heft_mat3_tmul_vec(frame.rot, wrench.ang),
                       heft_mat3_tmul_vec(frame.rot, wrench.lin)};
}

// 1 if the object and a body at or beyond the wrist touch; *sign: force on the hand from that on b.
static int meets(const HeftModel* m, const HeftContact* c, int hand, int object, double* sign) {
  *sign = c->body_a == object ? 1 : -1;
  if (c->body_a == object) return chain_hangs_on(m, c->body_b, hand);
  return c->body_b == object && chain_hangs_on(m, c->body_a, hand);
}

HeftSpatial heft_wrist_wrench(const HeftWorld* world, int site, int object) {
  HeftSpatial sum = {{0, 0, 0}, {0, 0, 0}};
  HEFT_REQUIRE(world, sum);
  const HeftModel* m = heft_world_model(world);
  HEFT_REQUIRE(site >= 0 && site < m->nsite && object > 0 && object < m->nbody, sum);
  const HeftPose frame = site_of(world, site);
  for (int i = 0; i < heft_world_contact_count(world); ++i) {
    const HeftContact c = heft_world_contact(world, i);
    double sign;
    if (!meets(m, &c, m->site_body[site], object, &sign)) continue;
    const HeftVec3 arm = heft_vec3_sub(c.pos, frame.pos), f = heft_vec3_scale(sign, c.force);
    sum.lin = heft_vec3_add(sum.lin, f);
    sum.ang = heft_vec3_add_scaled(heft_vec3_add(sum.ang, heft_vec3_cross(arm, f)), sign, c.torque);
  }
  return into(frame, sum);
}

HeftSpatial heft_wrist_weight(const HeftWorld* world, int site, int object, double share) {
  const HeftSpatial none = {{0, 0, 0}, {0, 0, 0}};
  HEFT_REQUIRE(world, none);
  const HeftModel* m = heft_world_model(world);
  HEFT_REQUIRE(site >= 0 && site < m->nsite && object > 0 && object < m->nbody, none);
  const HeftPose frame = site_of(world, site),
                 body = heft_dynamics_body_pose(heft_world_dynamics(world), object);
  const HeftVec3 com = heft_pose_apply(body, heft_vec3_from(m->body_com + 3L * object));
  const HeftVec3 weight =
      heft_vec3_scale(share * m->body_mass[object], heft_vec3_from(m->physics.gravity));
  const HeftVec3 arm = heft_vec3_sub(com, frame.pos);
  return into(frame, (HeftSpatial){heft_vec3_cross(arm, weight), weight});
}

HeftLoad heft_wrist_load(const HeftWorld* world, int site, HeftSpatial wrench) {
  const HeftLoad none = {0};
  HEFT_REQUIRE(world, none);
  const HeftModel* m = heft_world_model(world);
  HEFT_REQUIRE(site >= 0 && site < m->nsite, none);
  const HeftPose frame = site_of(world, site);
  return (HeftLoad){.body = m->site_body[site],
                    .point = frame.pos,
                    .force = heft_mat3_mul_vec(frame.rot, wrench.lin),
                    .torque = heft_mat3_mul_vec(frame.rot, wrench.ang)};
}
