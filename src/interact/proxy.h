// SPDX-License-Identifier: Apache-2.0
// The proxy: a ball that follows the hand and cannot enter bodies.
#ifndef HEFT_SRC_INTERACT_PROXY_H
#define HEFT_SRC_INTERACT_PROXY_H

#include <heft/collision.h>

#include "interact/skin.h"

enum { PROXY_CONTACTS = 3 };

typedef struct ProxyContact {
  int shape, body;
  int corner[3];     ///< bodies of the nodes of a deformable body that carry it; [0] -1: rigid
  double weight[3];  ///< share of each
  HeftVec3 pos;      ///< on the surface
  HeftVec3 normal;   ///< unit, from the surface to the ball
  double friction;
} ProxyContact;

/// The bodies that a proxy cannot enter, as they are now.
typedef struct ProxyScene {
  const HeftModel* model;
  const HeftCollider* collider;
  const HeftPose* poses;  ///< nbody
  Skin skin;
} ProxyScene;

typedef struct Proxy {
  HeftVec3 pos;     ///< centre of the ball
  double radius;    ///< [m]
  double friction;  ///< -1: the touched body's
  HeftVec3 pushed;  ///< displacement by bodies that moved into its place [m]
  int count;
  ProxyContact contact[PROXY_CONTACTS];
} Proxy;

/// Moves the ball from where it is towards the goal, as far as bodies and friction allow. The
/// touches are those at its new place that keep it from going on.
void proxy_follow(Proxy* proxy, const ProxyScene* scene, HeftVec3 goal);

#endif
