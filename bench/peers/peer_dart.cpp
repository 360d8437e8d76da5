// SPDX-License-Identifier: Apache-2.0
// DART behind a pipe: its default boxed LCP solver (Dantzig), collisions by ODE.
#include <algorithm>
#include <dart/collision/ode/OdeCollisionDetector.hpp>
#include <dart/dart.hpp>

#include "bodies.h"

namespace {

dart::simulation::WorldPtr world;
std::vector<dart::dynamics::BodyNode*> body_of;
std::vector<Eigen::Vector3d> push_of;

Eigen::Isometry3d pose_of(const double* pos, const double* quat) {
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.translation() = Eigen::Vector3d(pos[0], pos[1], pos[2]);
  pose.linear() = Eigen::Quaterniond(quat[0], quat[1], quat[2], quat[3]).toRotationMatrix();
  return pose;
}

dart::dynamics::ShapePtr make_shape(const HeftModel* m, int shape) {
  using namespace dart::dynamics;
  const double* size = m->shape_size + 3L * shape;
  switch (m->shape_type[shape]) {
    case HEFT_SHAPE_PLANE:  // a thick box does what a plane would
      return std::make_shared<BoxShape>(Eigen::Vector3d(200, 200, 2));
    case HEFT_SHAPE_SPHERE:
      return std::make_shared<SphereShape>(size[0]);
    case HEFT_SHAPE_BOX:
      return std::make_shared<BoxShape>(2 * Eigen::Vector3d(size[0], size[1], size[2]));
    case HEFT_SHAPE_CAPSULE:
      return std::make_shared<CapsuleShape>(size[0], 2 * size[1]);
    case HEFT_SHAPE_CYLINDER:
      return std::make_shared<CylinderShape>(size[0], 2 * size[1]);
    default:
      return nullptr;
  }
}

const char* add_shapes(const HeftModel* m, int number, dart::dynamics::BodyNode* body) {
  for (int i = 0; i < m->nshape; ++i) {
    if (m->shape_body[i] != number || !bodies_collides(m, i)) continue;
    auto shape = make_shape(m, i);
    if (!shape) return "a shape that it does not have";
    auto* node =
        body->createShapeNodeWith<dart::dynamics::CollisionAspect, dart::dynamics::DynamicsAspect>(
            shape);
    Eigen::Isometry3d pose = pose_of(m->shape_pos + 3L * i, m->shape_quat + 4L * i);
    if (m->shape_type[i] == HEFT_SHAPE_PLANE) pose = pose * Eigen::Translation3d(0, 0, -1);
    node->setRelativeTransform(pose);
    node->getDynamicsAspect()->setFrictionCoeff(m->material_friction[m->shape_material[i]]);
    node->getDynamicsAspect()->setRestitutionCoeff(m->material_restitution[m->shape_material[i]]);
  }
  return nullptr;
}

const char* add_body(const HeftModel* m, int number) {
  using namespace dart::dynamics;
  auto skeleton = Skeleton::create("body" + std::to_string(number));
  BodyNode* body = nullptr;
  if (number == 0) {
    body = skeleton->createJointAndBodyNodePair<WeldJoint>().second;
  } else {
    const double *com = m->body_com + 3L * number, *inertia = m->body_inertia + 6L * number;
    body = skeleton->createJointAndBodyNodePair<FreeJoint>().second;
    body->setInertia(Inertia(m->body_mass[number], Eigen::Vector3d(com[0], com[1], com[2]),
                             Eigen::Vector3d(inertia[0], inertia[1], inertia[2]).asDiagonal()));
  }
  body_of.push_back(body);
  const char* reason = add_shapes(m, number, body);
  world->addSkeleton(skeleton);
  if (number > 0) {
    double x[13] = {0};
    memcpy(x, m->body_pos + 3L * number, 3 * sizeof *x);
    memcpy(x + 3, m->body_quat + 4L * number, 4 * sizeof *x);
    peer_place(number, x);
  }
  return reason;
}

bool known(int body) { return world && body > 0 && body < int(body_of.size()); }

}  // namespace

const char* peer_open(const char* path, const PeerSettings* s, double* step) {
  const char* reason = bodies_load(path, s);
  if (reason) return reason;
  const HeftModel* m = bodies_model;
  world = dart::simulation::World::create();
  world->setGravity(
      Eigen::Vector3d(m->physics.gravity[0], m->physics.gravity[1], m->physics.gravity[2]));
  world->setTimeStep(m->physics.time_step);
  world->getConstraintSolver()->setCollisionDetector(
      dart::collision::OdeCollisionDetector::create());
  world->getConstraintSolver()->getCollisionOption().maxNumContacts = 10000;
  push_of.assign(size_t(m->nbody), Eigen::Vector3d::Zero());
  for (int i = 0; i < m->nbody && !reason; ++i) reason = add_body(m, i);
  *step = m->physics.time_step;
  return reason;
}

void peer_close(void) {
  body_of.clear();
  world.reset();
  heft_model_destroy(bodies_model);
  bodies_model = nullptr;
}

int peer_read(int body, double x[13]) {
  if (!known(body)) return 0;
  const auto* b = body_of[size_t(body)];
  const Eigen::Isometry3d pose = b->getWorldTransform();
  const Eigen::Quaterniond q(pose.linear());
  const Eigen::Vector3d p = pose.translation(), v = b->getLinearVelocity(),
                        o = b->getAngularVelocity();
  const double out[13] = {p.x(), p.y(), p.z(), q.w(), q.x(), q.y(), q.z(),
                          v.x(), v.y(), v.z(), o.x(), o.y(), o.z()};
  memcpy(x, out, sizeof out);
  return 1;
}

int peer_place(int body, const double x[13]) {
  if (!known(body)) return 0;
  auto* joint = static_cast<dart::dynamics::FreeJoint*>(body_of[size_t(body)]->getParentJoint());
  joint->setTransform(pose_of(x, x + 3));
  joint->setLinearVelocity(Eigen::Vector3d(x[7], x[8], x[9]));
  joint->setAngularVelocity(Eigen::Vector3d(x[10], x[11], x[12]));
  return 1;
}

int peer_hold(double stiffness, double damping) {
  (void)stiffness, (void)damping;
  return 0;
}

int peer_push(int body, const double force[3]) {
  if (!known(body)) return 0;
  push_of[size_t(body)] = Eigen::Vector3d(force[0], force[1], force[2]);
  return 1;
}

int peer_step(int count) {
  if (!world) return 0;
  for (int i = 0; i < count; ++i) {
    for (size_t k = 1; k < body_of.size(); ++k)
      body_of[k]->addExtForce(push_of[k], body_of[k]->getLocalCOM(), false, true);
    world->step();
  }
  return 1;
}

int peer_contacts(void) { return int(world->getLastCollisionResult().getNumContacts()); }

int peer_contact(int i, double x[PEER_CONTACT]) {
  const auto& contact = world->getLastCollisionResult().getContact(size_t(i));
  const dart::collision::CollisionObject* objects[2] = {contact.collisionObject2,
                                                        contact.collisionObject1};
  for (int k = 0; k < 2; ++k) {
    const auto body = objects[k]->getShapeFrame()->asShapeNode()->getBodyNodePtr();
    x[k] = double(std::find(body_of.begin(), body_of.end(), body.get()) - body_of.begin());
  }
  for (int k = 0; k < 3; ++k) {
    x[2 + k] = contact.point[k];
    x[5 + k] = contact.normal[k];  // from the second to the first
    x[8 + k] = contact.force[k];   // on the first
  }
  return 1;
}

int main() { return peer_serve(); }
