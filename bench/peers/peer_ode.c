// SPDX-License-Identifier: Apache-2.0
// ODE behind a pipe: dWorldStep, contacts with Coulomb friction as its boxes of the normal force.
#include <ode/ode.h>

#include "bodies.h"

enum { CONTACTS_MAX = 8192, PAIR_MAX = 8, EXACT_MAX = 200 };

static dWorldID world;
static dSpaceID space;
static dJointGroupID group;
static dBodyID* body_of;
static double (*push_of)[3];
static dJointFeedback feedback[CONTACTS_MAX];
static struct {
  int a, b;
  dContactGeom geom;
} touching[CONTACTS_MAX];
static int contact_count;

static dGeomID add_geom(const HeftModel* m, int shape) {
  const double* size = m->shape_size + 3L * shape;
  switch (m->shape_type[shape]) {
    case HEFT_SHAPE_SPHERE:
      return dCreateSphere(space, size[0]);
    case HEFT_SHAPE_BOX:
      return dCreateBox(space, 2 * size[0], 2 * size[1], 2 * size[2]);
    case HEFT_SHAPE_CAPSULE:
      return dCreateCapsule(space, size[0], 2 * size[1]);
    case HEFT_SHAPE_CYLINDER:
      return dCreateCylinder(space, size[0], 2 * size[1]);
    default:
      return NULL;
  }
}

static const char* add_shape(const HeftModel* m, int shape) {
  const int body = m->shape_body[shape];
  const double *pos = m->shape_pos + 3L * shape, *quat = m->shape_quat + 4L * shape;
  if (m->shape_type[shape] == HEFT_SHAPE_PLANE) {
    const double up[3] = {0, 0, 1};
    double n[3];
    bodies_turn(quat, up, n);
    dGeomID plane =
        dCreatePlane(space, n[0], n[1], n[2], n[0] * pos[0] + n[1] * pos[1] + n[2] * pos[2]);
    dGeomSetData(plane, (void*)(intptr_t)shape);
    return NULL;
  }
  dGeomID geom = add_geom(m, shape);
  if (!geom) return "a shape that it does not have";
  dGeomSetData(geom, (void*)(intptr_t)shape);
  if (body == 0) {
    dGeomSetPosition(geom, pos[0], pos[1], pos[2]);
    dGeomSetQuaternion(geom, quat);
    return NULL;
  }
  const double* com = m->body_com + 3L * body;
  dGeomSetBody(geom, body_of[body]);
  dGeomSetOffsetPosition(geom, pos[0] - com[0], pos[1] - com[1], pos[2] - com[2]);
  dGeomSetOffsetQuaternion(geom, quat);
  return NULL;
}

static void add_body(const HeftModel* m, int body) {
  const double* inertia = m->body_inertia + 6L * body;
  dMass mass;
  body_of[body] = dBodyCreate(world);
  dMassSetParameters(&mass, m->body_mass[body], 0, 0, 0, inertia[0], inertia[1], inertia[2], 0, 0,
                     0);
  dBodySetMass(body_of[body], &mass);
  double x[13] = {0};
  memcpy(x, m->body_pos + 3L * body, 3 * sizeof *x);
  memcpy(x + 3, m->body_quat + 4L * body, 4 * sizeof *x);
  peer_place(body, x);
}

const char* peer_open(const char* path, const PeerSettings* s, double* step) {
  const char* reason = bodies_load(path, s);
  if (reason) return reason;
  HeftModel* m = bodies_model;
  world = dWorldCreate();
  space = dHashSpaceCreate(NULL);
  group = dJointGroupCreate(0);
  dWorldSetGravity(world, m->physics.gravity[0], m->physics.gravity[1], m->physics.gravity[2]);
  body_of = calloc((size_t)m->nbody, sizeof *body_of);
  push_of = calloc((size_t)m->nbody, sizeof *push_of);
  for (int i = 1; i < m->nbody; ++i) add_body(m, i);
  for (int i = 0; i < m->nshape; ++i) {
    if (bodies_collides(m, i)) reason = reason ? reason : add_shape(m, i);
  }
  *step = m->physics.time_step;
  return reason;
}

void peer_close(void) {
  if (group) dJointGroupDestroy(group);
  if (space) dSpaceDestroy(space);
  if (world) dWorldDestroy(world);
  free(body_of);
  free(push_of);
  heft_model_destroy(bodies_model);
  group = NULL;
  space = NULL;
  world = NULL;
  body_of = NULL;
  push_of = NULL;
  bodies_model = NULL;
}

int peer_read(int body, double x[13]) {
  if (!body_of || body <= 0 || body >= bodies_model->nbody) return 0;
  double c[13];
  memcpy(c, dBodyGetPosition(body_of[body]), 3 * sizeof *c);
  memcpy(c + 3, dBodyGetQuaternion(body_of[body]), 4 * sizeof *c);
  memcpy(c + 7, dBodyGetLinearVel(body_of[body]), 3 * sizeof *c);
  memcpy(c + 10, dBodyGetAngularVel(body_of[body]), 3 * sizeof *c);
  bodies_from_com(body, c, x);
  return 1;
}

int peer_place(int body, const double x[13]) {
  double c[13];
  if (!body_of || body <= 0 || body >= bodies_model->nbody) return 0;
  bodies_to_com(body, x, c);
  dBodySetPosition(body_of[body], c[0], c[1], c[2]);
  dBodySetQuaternion(body_of[body], c + 3);
  dBodySetLinearVel(body_of[body], c[7], c[8], c[9]);
  dBodySetAngularVel(body_of[body], c[10], c[11], c[12]);
  return 1;
}

int peer_hold(double stiffness, double damping) {
  (void)stiffness, (void)damping;
  return 0;
}

int peer_push(int body, const double force[3]) {
  if (!push_of || body <= 0 || body >= bodies_model->nbody) return 0;
  memcpy(push_of[body], force, sizeof push_of[body]);
  return 1;
}

static int number_of(dBodyID body) {
  for (int i = 1; i < bodies_model->nbody; ++i) {
    if (body_of[i] == body) return i;
  }
  return 0;
}

static void contact_point(void* data, dGeomID one, dGeomID two) {
  (void)data;
  const HeftModel* m = bodies_model;
  dBodyID a = dGeomGetBody(one), b = dGeomGetBody(two);
  if (a == b) return;
  dContact contacts[PAIR_MAX];
  memset(contacts, 0, sizeof contacts);
  const int p = m->shape_material[(int)(intptr_t)dGeomGetData(one)],
            q = m->shape_material[(int)(intptr_t)dGeomGetData(two)];
  const int count = dCollide(one, two, PAIR_MAX, &contacts[0].geom, sizeof *contacts);
  for (int i = 0; i < count && contact_count < CONTACTS_MAX; ++i) {
    contacts[i].surface.mode = dContactApprox1;
    contacts[i].surface.mu = fmax(m->material_friction[p], m->material_friction[q]);
    contacts[i].surface.bounce = fmax(m->material_restitution[p], m->material_restitution[q]);
    if (contacts[i].surface.bounce > 0) contacts[i].surface.mode |= dContactBounce;
    contacts[i].surface.bounce_vel = 0.02;
    dJointID joint = dJointCreateContact(world, group, &contacts[i]);
    dJointAttach(joint, a, b);
    touching[contact_count].a = a ? number_of(a) : 0;
    touching[contact_count].b = b ? number_of(b) : 0;
    touching[contact_count].geom = contacts[i].geom;
    dJointSetFeedback(joint, &feedback[contact_count++]);
  }
}

int peer_step(int count) {
  if (!world) return 0;
  for (int i = 0; i < count; ++i) {
    for (int k = 1; k < bodies_model->nbody; ++k)
      dBodyAddForce(body_of[k], push_of[k][0], push_of[k][1], push_of[k][2]);
    dJointGroupEmpty(group);
    contact_count = 0;
    dSpaceCollide(space, NULL, contact_point);
    const double h = bodies_model->physics.time_step;
    const int quick = contact_count > EXACT_MAX;
    if (!(quick ? dWorldQuickStep(world, h) : dWorldStep(world, h))) return 0;
  }
  return 1;
}

int peer_contacts(void) { return contact_count; }

int peer_contact(int i, double x[PEER_CONTACT]) {
  const dContactGeom* c = &touching[i].geom;  // its normal points into the first body
  x[0] = touching[i].b;
  x[1] = touching[i].a;
  for (int k = 0; k < 3; ++k) {
    x[2 + k] = c->pos[k];
    x[5 + k] = c->normal[k];
    // f1 acts on the first body that is there
    x[8 + k] = touching[i].a ? feedback[i].f1[k] : -feedback[i].f1[k];
  }
  return 1;
}

int main(void) {
  dInitODE();
  return peer_serve();
}
