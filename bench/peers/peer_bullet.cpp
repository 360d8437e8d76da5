// SPDX-License-Identifier: Apache-2.0
// Bullet behind a pipe: its discrete world with sequential impulses, defaults, no sleeping.
#include <btBulletDynamicsCommon.h>

#include <memory>
#include <vector>

#include "bodies.h"

namespace {

struct World {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broad;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world{&dispatcher, &broad, &solver, &configuration};
  std::vector<std::unique_ptr<btTriangleMesh>> triangles;
  std::vector<std::unique_ptr<btCollisionShape>> shapes;
  std::vector<std::unique_ptr<btRigidBody>> bodies;  // all of them, static ones too
  std::vector<btRigidBody*> body_of;                 // by number
  std::vector<btVector3> push;
  ~World() {
    for (auto& body : bodies) world.removeRigidBody(body.get());
  }
};

std::unique_ptr<World> w;

btVector3 vector(const double* x) { return btVector3(x[0], x[1], x[2]); }
btQuaternion quaternion(const double* q) { return btQuaternion(q[1], q[2], q[3], q[0]); }

btScalar larger_friction(const btCollisionObject* a, const btCollisionObject* b) {
  return btMax(a->getFriction(), b->getFriction());
}
btScalar larger_restitution(const btCollisionObject* a, const btCollisionObject* b) {
  return btMax(a->getRestitution(), b->getRestitution());
}

// Triangles of a mesh or a height field, in the shape's frame.
void add_mesh(const HeftModel* m, int mesh, btTriangleMesh* out) {
  const double* vertices = m->vertex_pos + 3L * m->mesh_vertex[mesh];
  const int* faces = m->face_vertex + 3L * m->mesh_face[mesh];
  for (int i = 0; i < m->mesh_face_count[mesh]; ++i) {
    const int* f = faces + 3L * i;
    out->addTriangle(vector(vertices + 3L * f[0]), vector(vertices + 3L * f[1]),
                     vector(vertices + 3L * f[2]));
  }
}

void add_field(const HeftModel* m, int field, btTriangleMesh* out) {
  const int rows = m->height_field_rows[field], columns = m->height_field_columns[field];
  const double* size = m->height_field_size + 4L * field;
  const double* height = m->height + m->height_field_height[field];
  const auto point = [&](int r, int c) {
    return btVector3(size[0] * (2.0 * c / (columns - 1) - 1), size[1] * (2.0 * r / (rows - 1) - 1),
                     height[long(r) * columns + c]);
  };
  for (int r = 0; r + 1 < rows; ++r) {
    for (int c = 0; c + 1 < columns; ++c) {
      out->addTriangle(point(r, c), point(r, c + 1), point(r + 1, c + 1));
      out->addTriangle(point(r, c), point(r + 1, c + 1), point(r + 1, c));
    }
  }
}

// Static shapes only.
btCollisionShape* make_triangles(const HeftModel* m, int shape) {
  w->triangles.emplace_back(new btTriangleMesh());
  btTriangleMesh* out = w->triangles.back().get();
  if (m->shape_type[shape] == HEFT_SHAPE_MESH) {
    add_mesh(m, m->shape_mesh[shape], out);
  } else {
    add_field(m, m->shape_height_field[shape], out);
  }
  return new btBvhTriangleMeshShape(out, true);
}

int has_triangles(const HeftModel* m, int shape) {
  return m->shape_type[shape] == HEFT_SHAPE_MESH || m->shape_type[shape] == HEFT_SHAPE_HEIGHT_FIELD;
}

btCollisionShape* make_shape(const HeftModel* m, int shape) {
  const double* size = m->shape_size + 3L * shape;
  switch (m->shape_type[shape]) {
    case HEFT_SHAPE_PLANE:
      return new btStaticPlaneShape(btVector3(0, 0, 1), 0);
    case HEFT_SHAPE_SPHERE:
      return new btSphereShape(size[0]);
    case HEFT_SHAPE_BOX:
      return new btBoxShape(vector(size));
    case HEFT_SHAPE_CAPSULE:
      return new btCapsuleShapeZ(size[0], 2 * size[1]);
    case HEFT_SHAPE_CYLINDER:
      return new btCylinderShapeZ(btVector3(size[0], size[0], size[1]));
    default:
      return nullptr;
  }
}

void add(btCollisionShape* shape, const HeftModel* m, int number, int material,
         const btTransform& pose) {
  const double* inertia = m->body_inertia + 6L * number;
  const double mass = number > 0 ? m->body_mass[number] : 0;
  btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape,
                                                number > 0 ? vector(inertia) : btVector3(0, 0, 0));
  info.m_startWorldTransform = pose;
  info.m_friction = m->material_friction[material];
  info.m_restitution = m->material_restitution[material];
  w->bodies.emplace_back(new btRigidBody(info));
  btRigidBody* body = w->bodies.back().get();
  body->setActivationState(DISABLE_DEACTIVATION);
  body->setUserIndex(number);
  body->setDamping(0, 0);
  w->world.addRigidBody(body);
  if (number > 0) w->body_of[size_t(number)] = body;
}

// Shapes of a body in one compound about its centre of mass; a single shape at the centre goes
// alone.
const char* add_body(const HeftModel* m, int number) {
  btCompoundShape* compound = new btCompoundShape();
  w->shapes.emplace_back(compound);
  btCollisionShape* only = nullptr;
  int count = 0, material = 0;
  for (int i = 0; i < m->nshape; ++i) {
    if (m->shape_body[i] != number || !bodies_collides(m, i)) continue;
    btCollisionShape* shape = make_shape(m, i);
    if (!shape || m->shape_type[i] == HEFT_SHAPE_PLANE) return "a shape that it does not have";
    w->shapes.emplace_back(shape);
    const btVector3 at = vector(m->shape_pos + 3L * i) - vector(m->body_com + 3L * number);
    const btTransform pose(quaternion(m->shape_quat + 4L * i), at);
    compound->addChildShape(pose, shape);
    material = m->shape_material[i];
    if (at.length() < 1e-12 && pose.getRotation().getAngle() < 1e-12) only = shape;
    ++count;
  }
  add(count == 1 && only ? only : compound, m, number, material, btTransform::getIdentity());
  double x[13] = {0};
  memcpy(x, m->body_pos + 3L * number, 3 * sizeof *x);
  memcpy(x + 3, m->body_quat + 4L * number, 4 * sizeof *x);
  peer_place(number, x);
  return nullptr;
}

const char* add_ground(const HeftModel* m) {
  for (int i = 0; i < m->nshape; ++i) {
    if (m->shape_body[i] != 0 || !bodies_collides(m, i)) continue;
    btCollisionShape* shape = has_triangles(m, i) ? make_triangles(m, i) : make_shape(m, i);
    if (!shape) return "a shape that it does not have";
    w->shapes.emplace_back(shape);
    add(shape, m, 0, m->shape_material[i],
        btTransform(quaternion(m->shape_quat + 4L * i), vector(m->shape_pos + 3L * i)));
  }
  return nullptr;
}

bool known(int body) { return w && body > 0 && body < bodies_model->nbody; }

}  // namespace

const char* peer_open(const char* path, const PeerSettings* s, double* step) {
  const char* reason = bodies_load(path, s);
  if (reason) return reason;
  const HeftModel* m = bodies_model;
  w.reset(new World);
  w->body_of.resize(size_t(m->nbody));
  w->push.assign(size_t(m->nbody), btVector3(0, 0, 0));
  w->world.setGravity(vector(m->physics.gravity));
  gCalculateCombinedFrictionCallback = larger_friction;
  gCalculateCombinedRestitutionCallback = larger_restitution;
  reason = add_ground(m);
  for (int i = 1; i < m->nbody && !reason; ++i) reason = add_body(m, i);
  *step = m->physics.time_step;
  return reason;
}

void peer_close(void) {
  w.reset();
  heft_model_destroy(bodies_model);
  bodies_model = nullptr;
}

int peer_read(int body, double x[13]) {
  if (!known(body)) return 0;
  const btRigidBody* b = w->body_of[size_t(body)];
  const btTransform& pose = b->getWorldTransform();
  const btQuaternion q = pose.getRotation();
  const btVector3 p = pose.getOrigin(), v = b->getLinearVelocity(), o = b->getAngularVelocity();
  const double c[13] = {p.x(), p.y(), p.z(), q.w(), q.x(), q.y(), q.z(),
                        v.x(), v.y(), v.z(), o.x(), o.y(), o.z()};
  bodies_from_com(body, c, x);
  return 1;
}

int peer_place(int body, const double x[13]) {
  if (!known(body)) return 0;
  double c[13];
  bodies_to_com(body, x, c);
  btRigidBody* b = w->body_of[size_t(body)];
  const btTransform pose(quaternion(c + 3), vector(c));
  b->setWorldTransform(pose);
  b->setInterpolationWorldTransform(pose);
  b->setLinearVelocity(vector(c + 7));
  b->setAngularVelocity(vector(c + 10));
  b->setInterpolationLinearVelocity(vector(c + 7));
  b->setInterpolationAngularVelocity(vector(c + 10));
  w->broad.getOverlappingPairCache()->cleanProxyFromPairs(b->getBroadphaseHandle(), &w->dispatcher);
  return 1;
}

int peer_hold(double stiffness, double damping) {
  (void)stiffness, (void)damping;
  return 0;
}

int peer_push(int body, const double force[3]) {
  if (!known(body)) return 0;
  w->push[size_t(body)] = vector(force);
  return 1;
}

int peer_step(int count) {
  if (!w) return 0;
  const double h = bodies_model->physics.time_step;
  for (int i = 0; i < count; ++i) {
    for (int k = 1; k < bodies_model->nbody; ++k)
      w->body_of[size_t(k)]->applyCentralForce(w->push[size_t(k)]);
    w->world.stepSimulation(h, 0, h);
  }
  return 1;
}

int peer_contacts(void) {
  int count = 0;
  for (int i = 0; i < w->dispatcher.getNumManifolds(); ++i)
    count += w->dispatcher.getManifoldByIndexInternal(i)->getNumContacts();
  return count;
}

int peer_contact(int i, double x[PEER_CONTACT]) {
  int m = 0;
  for (; i >= w->dispatcher.getManifoldByIndexInternal(m)->getNumContacts(); ++m)
    i -= w->dispatcher.getManifoldByIndexInternal(m)->getNumContacts();
  const btPersistentManifold* manifold = w->dispatcher.getManifoldByIndexInternal(m);
  const btManifoldPoint& p = manifold->getContactPoint(i);  // normal from body 1 to body 0
  const btVector3 impulse = p.m_appliedImpulse * p.m_normalWorldOnB +
                            p.m_appliedImpulseLateral1 * p.m_lateralFrictionDir1 +
                            p.m_appliedImpulseLateral2 * p.m_lateralFrictionDir2,
                  pos = 0.5 * (p.getPositionWorldOnA() + p.getPositionWorldOnB());
  x[0] = manifold->getBody1()->getUserIndex();
  x[1] = manifold->getBody0()->getUserIndex();
  for (int k = 0; k < 3; ++k) {
    x[2 + k] = pos[k];
    x[5 + k] = p.m_normalWorldOnB[k];
    x[8 + k] = impulse[k] / bodies_model->physics.time_step;
  }
  return 1;
}

int main() { return peer_serve(); }
