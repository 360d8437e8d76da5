// SPDX-License-Identifier: Apache-2.0
// Box3D: behind a pipe; or, with the arguments FILE RUN..., for `heft bench motion` as
// motion_mujoco.c. Default settings (soft contacts, four substeps, single precision), one thread;
// no sleep, no damping. It has no planes: a floor is a box whose upper face is the plane.
#include <box3d/box3d.h>

#include "bodies.h"
#include "scenes/motion.h"

enum { SUBSTEPS = 4 };                 // what its documentation and its samples use
static const float ground_half = 500;  // of the box of a plane [m]

static b3WorldId world;
static b3BodyId* body_of;  // by number; 0: the ground
static b3Vec3* pushes;

static b3Vec3 vector(const double* x) { return (b3Vec3){(float)x[0], (float)x[1], (float)x[2]}; }
static b3Quat quaternion(const double* q) {
  return (b3Quat){{(float)q[1], (float)q[2], (float)q[3]}, (float)q[0]};
}

static float larger(float a, uint64_t material_a, float b, uint64_t material_b) {
  (void)material_a, (void)material_b;
  return a > b ? a : b;
}

// ---- the scene

static int add_box(b3BodyId body, const b3ShapeDef* def, const double* half, b3Transform pose) {
  const b3BoxHull hull =
      b3MakeTransformedBoxHull((float)half[0], (float)half[1], (float)half[2], pose);
  return b3Shape_IsValid(b3CreateHullShape(body, def, &hull.base));
}

static int add_plane(b3BodyId body, const b3ShapeDef* def, b3Transform pose) {
  const double half[3] = {ground_half, ground_half, 1};
  const b3Vec3 below = b3RotateVector(pose.q, (b3Vec3){0, 0, -1});
  pose.p = (b3Vec3){pose.p.x + below.x, pose.p.y + below.y, pose.p.z + below.z};
  return add_box(body, def, half, pose);
}

static int add_capsule(b3BodyId body, const b3ShapeDef* def, const double* size, b3Transform pose) {
  const b3Vec3 end = {0, 0, (float)size[1]};
  const b3Capsule capsule = {b3TransformPoint(pose, b3Neg(end)), b3TransformPoint(pose, end),
                             (float)size[0]};
  return b3Shape_IsValid(b3CreateCapsuleShape(body, def, &capsule));
}

static int add_shape(const HeftModel* m, int shape) {
  const int number = m->shape_body[shape], material = m->shape_material[shape];
  const double* size = m->shape_size + 3L * shape;
  const b3Transform pose = {vector(m->shape_pos + 3L * shape),
                            quaternion(m->shape_quat + 4L * shape)};
  b3ShapeDef def = b3DefaultShapeDef();
  def.baseMaterial.friction = (float)m->material_friction[material];
  def.baseMaterial.restitution = (float)m->material_restitution[material];
  def.updateBodyMass = false;
  switch (m->shape_type[shape]) {
    case HEFT_SHAPE_PLANE:
      return number == 0 && add_plane(body_of[0], &def, pose);
    case HEFT_SHAPE_SPHERE: {
      const b3Sphere sphere = {pose.p, (float)size[0]};
      return b3Shape_IsValid(b3CreateSphereShape(body_of[number], &def, &sphere));
    }
    case HEFT_SHAPE_BOX:
      return add_box(body_of[number], &def, size, pose);
    case HEFT_SHAPE_CAPSULE:
      return add_capsule(body_of[number], &def, size, pose);
    default:
      return 0;
  }
}

static void add_body(const HeftModel* m, int number) {
  b3BodyDef def = b3DefaultBodyDef();
  def.type = number > 0 ? b3_dynamicBody : b3_staticBody;
  if (number > 0) def.position = b3ToPos(vector(m->body_pos + 3L * number));
  if (number > 0) def.rotation = quaternion(m->body_quat + 4L * number);
  def.linearDamping = def.angularDamping = 0;
  body_of[number] = b3CreateBody(world, &def);
}

static void set_mass(const HeftModel* m, int number) {
  const double* inertia = m->body_inertia + 6L * number;
  const b3MassData mass = {
      (float)m->body_mass[number],
      vector(m->body_com + 3L * number),
      {{(float)inertia[0], 0, 0}, {0, (float)inertia[1], 0}, {0, 0, (float)inertia[2]}}};
  b3Body_SetMassData(body_of[number], mass);
}

static const char* make_world(const HeftModel* m) {
  b3WorldDef def = b3DefaultWorldDef();
  def.gravity = vector(m->physics.gravity);
  def.frictionCallback = larger;
  def.restitutionCallback = larger;
  def.enableSleep = false;
  def.workerCount = 1;
  world = b3CreateWorld(&def);
  for (int i = 0; i < m->nbody; ++i) add_body(m, i);
  for (int i = 0; i < m->nshape; ++i) {
    if (bodies_collides(m, i) && !add_shape(m, i)) return "a shape that it does not have";
  }
  for (int i = 1; i < m->nbody; ++i) set_mass(m, i);
  return NULL;
}

const char* peer_open(const char* path, const PeerSettings* s, double* step) {
  const char* reason = bodies_load(path, s);
  if (reason) return reason;
  *step = bodies_model->physics.time_step;
  body_of = calloc((size_t)bodies_model->nbody, sizeof *body_of);
  pushes = calloc((size_t)bodies_model->nbody, sizeof *pushes);
  return body_of && pushes ? make_world(bodies_model) : "out of memory";
}

void peer_close(void) {
  if (b3World_IsValid(world)) b3DestroyWorld(world);
  free(body_of);
  free(pushes);
  heft_model_destroy(bodies_model);
  bodies_model = NULL;
}

// ---- state

static int known(int body) { return bodies_model && body > 0 && body < bodies_model->nbody; }

int peer_read(int body, double x[13]) {
  if (!known(body)) return 0;
  const b3WorldTransform pose = b3Body_GetTransform(body_of[body]);
  const b3Vec3 v = b3Body_GetLocalPointVelocity(body_of[body], (b3Vec3){0, 0, 0});
  const b3Vec3 o = b3Body_GetAngularVelocity(body_of[body]);
  const double all[13] = {pose.p.x,   pose.p.y,   pose.p.z, pose.q.s, pose.q.v.x,
                          pose.q.v.y, pose.q.v.z, v.x,      v.y,      v.z,
                          o.x,        o.y,        o.z};
  memcpy(x, all, sizeof all);
  return 1;
}

int peer_place(int body, const double x[13]) {
  double com[13];
  if (!known(body)) return 0;
  bodies_to_com(body, x, com);
  b3Body_SetTransform(body_of[body], b3ToPos(vector(x)), quaternion(x + 3));
  b3Body_SetLinearVelocity(body_of[body], vector(com + 7));
  b3Body_SetAngularVelocity(body_of[body], vector(x + 10));
  return 1;
}

int peer_push(int body, const double force[3]) {
  if (!known(body)) return 0;
  pushes[body] = vector(force);
  return 1;
}

int peer_hold(double stiffness, double damping) {
  (void)stiffness, (void)damping;
  return 0;
}

int peer_step(int count) {
  if (!bodies_model) return 0;
  for (int i = 0; i < count; ++i) {
    for (int k = 1; k < bodies_model->nbody; ++k) {
      if (b3LengthSquared(pushes[k]) > 0) b3Body_ApplyForceToCenter(body_of[k], pushes[k], true);
    }
    b3World_Step(world, (float)bodies_model->physics.time_step, SUBSTEPS);
  }
  return 1;
}

// ---- contacts

static b3ContactData* contacts;
static int contact_capacity;

// Of a body, in the memory above.
static int list_contacts(int body) {
  const int needed = b3Body_GetContactCapacity(body_of[body]);
  if (needed > contact_capacity) {
    b3ContactData* more = realloc(contacts, (size_t)needed * sizeof *contacts);
    if (!more) return 0;
    contacts = more;
    contact_capacity = needed;
  }
  return needed > 0 ? b3Body_GetContactData(body_of[body], contacts, needed) : 0;
}

// Points with an impulse: it lists points that are apart, too. A point between two bodies is seen
// from both.
int peer_contacts(void) {
  int twice = 0;
  for (int i = 1; i < bodies_model->nbody; ++i) {
    const int count = list_contacts(i);
    for (int c = 0; c < count; ++c) {
      const b3BodyId a = b3Shape_GetBody(contacts[c].shapeIdA),
                     b = b3Shape_GetBody(contacts[c].shapeIdB);
      const int seen = B3_ID_EQUALS(a, body_of[0]) || B3_ID_EQUALS(b, body_of[0]) ? 2 : 1;
      for (int k = 0; k < contacts[c].manifoldCount; ++k) {
        const b3Manifold* manifold = contacts[c].manifolds + k;
        for (int p = 0; p < manifold->pointCount; ++p)
          twice += manifold->points[p].totalNormalImpulse > 0 ? seen : 0;
      }
    }
  }
  return twice / 2;
}

// Its friction is an impulse of a pair of shapes, not of a point.
int peer_contact(int i, double x[PEER_CONTACT]) {
  (void)i, (void)x;
  return 0;
}

// Its impulses are of its last substep.
int peer_force(int a, int b, double force[3]) {
  if (!bodies_model || a < 0 || b < 0 || a >= bodies_model->nbody || b >= bodies_model->nbody)
    return 0;
  const double substep = bodies_model->physics.time_step / SUBSTEPS;
  const int from = a > 0 ? a : b, other = a > 0 ? b : a, count = from > 0 ? list_contacts(from) : 0;
  b3Vec3 sum = {0, 0, 0};
  for (int c = 0; c < count; ++c) {
    const b3BodyId one = b3Shape_GetBody(contacts[c].shapeIdA),
                   two = b3Shape_GetBody(contacts[c].shapeIdB);
    if (!B3_ID_EQUALS(one, body_of[other]) && !B3_ID_EQUALS(two, body_of[other])) continue;
    for (int k = 0; k < contacts[c].manifoldCount; ++k) {
      const b3Manifold* manifold = contacts[c].manifolds + k;
      b3Vec3 impulse = manifold->frictionImpulse;  // on the second body
      for (int p = 0; p < manifold->pointCount; ++p)
        impulse = b3MulAdd(impulse, manifold->points[p].normalImpulse, manifold->normal);
      sum = b3MulAdd(sum, B3_ID_EQUALS(two, body_of[b]) ? 1.0f : -1.0f, impulse);
    }
  }
  const double all[3] = {sum.x / substep, sum.y / substep, sum.z / substep};
  memcpy(force, all, sizeof all);
  return 1;
}

// ---- heft bench motion

static void print_end(void) {
  double x[13];
  printf("end %d\n", bodies_model->nbody - 1);
  for (int i = 1; i < bodies_model->nbody; ++i) {
    peer_read(i, x);
    for (int k = 0; k < 7; ++k) printf("%.9g ", x[k]);
    for (int k = 7; k < 10; ++k) printf("%.9g%c", x[k], k < 9 ? ' ' : '\n');
  }
}

// Times and contact points of the steps. Returns how many there was time for.
static int time_steps(const MotionRun* run, int count, double* us, int* points) {
  const double last = motion_wall_us() + 1e6 * run->budget;
  for (int k = 0; k < count; ++k) {
    if (k == run->counted_from) MOTION_COUNT;
    const double begin = motion_us();
    peer_step(1);
    us[k] = motion_us() - begin;
    points[k] = peer_contacts();
    if (run->budget > 0 && motion_wall_us() > last) return k + 1;
  }
  return count;
}

static int run_motion(const char* path, const MotionRun* run) {
  const double nan = (double)NAN;
  const PeerSettings settings = {run->step > 0 ? run->step : nan, {nan, nan, nan}, nan, nan};
  double step = 0;
  const char* reason = run->kind == MOTION_STAND && run->worlds == 0
                           ? peer_open(path, &settings, &step)
                           : "heaps that fall, in one world, are all that it runs";
  if (reason) return printf("no %s\n", reason) > 0;
  const int wanted = motion_step_count(run, step);
  double* us = calloc((size_t)wanted + 1, sizeof *us);
  int* points = calloc((size_t)wanted + 1, sizeof *points);
  const int made = us && points ? time_steps(run, wanted, us, points) : 0;
  printf("ok %.17g %d 0 %d\n", step, bodies_model->nv, made);
  for (int k = 0; k < made; ++k) printf("%.3f %d\n", us[k], points[k]);
  print_end();
  free(us);
  free(points);
  peer_close();
  return 0;
}

int main(int argc, char** argv) {
  const b3Version version = b3GetVersion();
  if (argc == 2 && strcmp(argv[1], "version") == 0)
    return printf("%d.%d.%d\n", version.major, version.minor, version.revision) < 0;
  if (argc == 2 + MOTION_ARGUMENTS) {
    const MotionRun run = motion_read_run(argv + 2);
    return run_motion(argv[1], &run);
  }
  return peer_serve();
}
