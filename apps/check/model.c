// SPDX-License-Identifier: Apache-2.0
// The model, from its numbers. Every count and index is compared with its range here, so that the
// other files may use them. Bodies come after their parents; joints of a body follow each other.
#include <math.h>

#include "check.h"

Model model;

// ---- numbers

double take(Numbers* from, const char* name) {
  if (from->wrong || from->left < 1 || isnan(*from->at)) {
    if (!from->wrong) from->wrong = name;
    return 0;
  }
  --from->left;
  return *from->at++;
}

int take_int(Numbers* from, int low, int high, const char* name) {
  const double x = take(from, name);
  if (!from->wrong && x >= low && x <= high && x == floor(x)) return (int)x;
  if (!from->wrong) from->wrong = name;
  return low;
}

Vec take_vec(Numbers* from, const char* name) {
  const double x = take(from, name), y = take(from, name), z = take(from, name);
  return vec(x, y, z);
}

const double* take_all(Numbers* from, int count, const char* name) {
  const double* first = from->at;
  for (int i = 0; i < count; ++i) {
    const double x = take(from, name);
    if (!from->wrong && isinf(x)) from->wrong = name;
  }
  return first;
}

static void copy(Numbers* from, double* to, int count, const char* name) {
  for (int i = 0; i < count; ++i) to[i] = take(from, name);
}

static Mat take_rotation(Numbers* from, const char* name) {
  double q[4];
  copy(from, q, 4, name);
  return from_quaternion(q);
}

// ---- parts

static void read_head(Numbers* n) {
  Model* m = &model;
  take_int(n, 1, 1, "version of the format");
  m->nbody = take_int(n, 1, BODIES, "bodies");
  m->njoint = take_int(n, 0, JOINTS, "joints");
  m->nq = take_int(n, 0, DOFS, "coordinates");
  m->nv = take_int(n, 0, DOFS, "dofs");
  m->nshape = take_int(n, 0, SHAPES, "shapes");
  m->npair = take_int(n, 0, PAIRS, "pairs");
  m->nexclude = take_int(n, 0, PAIRS, "excludes");
  m->nequality = take_int(n, 0, EQUALITIES, "equalities");
  m->nactuator = take_int(n, 0, ACTUATORS, "actuators");
  m->nact = take_int(n, 0, ACTUATORS, "activations");
  m->nvertex = take_int(n, 0, VERTICES, "vertices");
  m->gravity = take_vec(n, "gravity");
  m->h = take(n, "time step");
  m->theta = take(n, "theta");
  m->tolerance = take(n, "tolerance");
  if (!n->wrong && !(m->h > 0 && m->h < 1e3 && m->theta >= 0.5 && m->theta <= 1))
    n->wrong = "time step or theta";
  m->tendons = take_int(n, 0, 1 << 20, "tendons");
  m->deformables = take_int(n, 0, 1 << 20, "deformable bodies");
  m->moved = take_int(n, 0, 1 << 20, "moved bodies");
  m->conveyors = take_int(n, 0, 1 << 20, "conveyors");
  m->substeps = take_int(n, 1, 1 << 20, "substeps");
  m->moreau = take_int(n, 0, 1, "integrator");
  m->exact = take_int(n, 0, 1, "contact model");
}

static void read_body(Numbers* n, int i) {
  Body* b = &model.body[i];
  *b = (Body){.parent = take_int(n, -1, i - 1, "parent of a body")};
  b->in_parent.p = take_vec(n, "place of a body");
  b->in_parent.r = take_rotation(n, "rotation of a body");
  b->mass = take(n, "mass");
  b->com = take_vec(n, "centre of mass");
  copy(n, b->inertia, 6, "inertia");
  b->weight = take(n, "share of gravity");
  if (!n->wrong && (i == 0) != (b->parent < 0)) n->wrong = "parent of a body";
}

static void read_joint(Numbers* n, int i) {
  Joint* j = &model.joint[i];
  *j = (Joint){.type = take_int(n, FIXED, CYLINDRICAL, "type of a joint")};
  j->body = take_int(n, 1, model.nbody - 1, "body of a joint");
  j->q = take_int(n, 0, model.nq - joint_q(j->type), "coordinates of a joint");
  j->dof = take_int(n, 0, model.nv - joint_dofs(j->type), "dofs of a joint");
  j->pos = take_vec(n, "place of a joint");
  j->axis = take_vec(n, "axis of a joint");
  j->axis2 = take_vec(n, "second axis of a joint");
  j->restitution = take(n, "restitution of a joint");
  j->limited = take_int(n, 0, 1, "limit of a joint's force");
  copy(n, j->force, 2, "range of a joint's force");
  if (n->wrong) return;
  Body* b = &model.body[j->body];
  if (b->joints == 0) b->joint = i;
  if (b->joint + b->joints++ != i || (j->type == FREE && b->parent != 0)) n->wrong = "joint order";
  for (int k = 0; k < joint_dofs(j->type); ++k) {
    const int rotation = (j->type == BALL) | (j->type == FREE && k >= 3);
    model.dof[j->dof + k].joint = i;
    model.dof[j->dof + k].q = rotation ? -1 : j->q + k;
  }
}

static void read_dof(Numbers* n, int i) {
  Dof* d = &model.dof[i];
  d->damping = take(n, "damping");
  d->stiffness = take(n, "stiffness");
  d->friction = take(n, "dry friction");
  d->armature = take(n, "armature");
  d->limited = take_int(n, 0, 1, "limit of a dof");
  copy(n, d->range, 2, "range of a dof");
}

static Law take_law(Numbers* n) {
  Law x = {.friction = take(n, "friction")};
  x.kinetic = take(n, "kinetic friction");
  x.torsion = take(n, "torsional friction");
  x.rolling = take(n, "rolling friction");
  x.restitution = take(n, "restitution");
  x.special = take_int(n, 0, 1, "kind of a material");
  return x;
}

static double ball_of(const Shape* s) {
  const Vec z = s->size;
  double most = 0;
  switch (s->type) {
    case SPHERE:
      return z.x;
    case CAPSULE:
      return z.x + z.y;
    case CYLINDER:
      return sqrt(z.x * z.x + z.y * z.y);
    case ELLIPSOID:
      return larger(z.x, larger(z.y, z.z));
    case BOX:
      return norm(z);
    case MESH:
      for (int i = 0; i < s->vertices; ++i) most = larger(most, norm(model.vertex[s->vertex + i]));
      return s->vertices > 0 ? most : HUGE_VAL;
    default:
      return HUGE_VAL;
  }
}

static void read_shape(Numbers* n, int i) {
  Shape* s = &model.shape[i];
  *s = (Shape){.type = take_int(n, PLANE, HEIGHTS, "type of a shape")};
  s->body = take_int(n, 0, model.nbody - 1, "body of a shape");
  s->in_body.p = take_vec(n, "place of a shape");
  s->in_body.r = take_rotation(n, "rotation of a shape");
  s->size = take_vec(n, "size of a shape");
  s->law = take_law(n);
  s->dim = take_int(n, 1, 6, "dimension of contact");
  s->priority = take_int(n, -(1 << 30), 1 << 30, "priority");
  s->category = take_int(n, -2147483647 - 1, 2147483647, "category");
  s->collides = take_int(n, -2147483647 - 1, 2147483647, "categories");
  s->vertex = take_int(n, 0, model.nvertex, "vertices of a mesh");
  s->vertices = take_int(n, 0, model.nvertex - s->vertex, "vertices of a mesh");
}

static void read_pair(Numbers* n, int i) {
  Pair* p = &model.pair[i];
  for (int k = 0; k < 2; ++k) p->shape[k] = take_int(n, 0, model.nshape - 1, "shape of a pair");
  p->law = take_law(n);
  p->friction2 = take(n, "second friction");
  p->dim = take_int(n, 1, 6, "dimension of contact");
}

static void read_equality(Numbers* n, int i) {
  Equality* e = &model.equality[i];
  e->type = take_int(n, CONNECT, TENDON_EQUALITY, "type of an equality");
  const int joints = e->type == JOINT_EQUALITY, bodies = e->type <= WELD;
  const int most = (bodies ? model.nbody : joints ? model.njoint : 1 << 20) - 1;
  e->object[0] = take_int(n, 0, most, "object of an equality");
  e->object[1] = take_int(n, bodies ? 0 : -1, most, "object of an equality");
  e->active = take_int(n, 0, 1, "activity of an equality");
  for (int k = 0; k < 2; ++k) e->anchor[k] = take_vec(n, "point of an equality");
  copy(n, e->quat, 4, "rotation of an equality");
  copy(n, e->poly, 5, "polynomial of an equality");
  for (int k = 0; k < 2 && joints && !n->wrong; ++k)
    if (e->object[k] >= 0 && joint_dofs(model.joint[e->object[k]].type) < 1)
      n->wrong = "joint of an equality";
}

static void read_actuator(Numbers* n, int i) {
  Actuator* a = &model.actuator[i];
  a->transmission = take_int(n, 0, 4, "transmission");
  a->target = take_int(n, 0, a->transmission == 0 ? model.njoint - 1 : 1 << 20, "target");
  copy(n, a->gear, 6, "gear");
  a->activation = take_int(n, 0, 3, "activation");
  a->time = take(n, "time constant");
  a->act = take_int(n, -1, model.nact - 1, "activation of an actuator");
  a->gain = take(n, "gain");
  copy(n, a->rate, 2, "rate of a gain");
  copy(n, a->bias, 3, "bias of an actuator");
  a->control_limited = take_int(n, 0, 1, "limit of a control");
  copy(n, a->control, 2, "range of a control");
  a->force_limited = take_int(n, 0, 1, "limit of a force");
  copy(n, a->force, 2, "range of a force");
  a->act_limited = take_int(n, 0, 1, "limit of an activation");
  copy(n, a->range, 2, "range of an activation");
  a->early = take_int(n, 0, 1, "time of an activation");
}

static void find_links(void) {
  for (int i = 1; i < model.nbody; ++i) {
    Body* b = &model.body[i];
    const Body* parent = &model.body[b->parent];
    int moves = 0;
    for (int k = 0; k < b->joints; ++k) moves |= joint_dofs(model.joint[b->joint + k].type) > 0;
    b->link = moves ? i : parent->link;
    b->root = moves && parent->link == 0 ? i : parent->root;
  }
}

const char* model_read(const double* numbers, long count) {
  Numbers n = {numbers, count, NULL};
  Model* m = &model;
  int dofs = 0, coordinates = 0;
  read_head(&n);
  for (int i = 0; i < m->nbody && !n.wrong; ++i) read_body(&n, i);
  for (int i = 0; i < m->nv; ++i) m->dof[i].joint = -1;
  for (int i = 0; i < m->njoint && !n.wrong; ++i) {
    read_joint(&n, i);
    if (n.wrong) break;
    if (m->joint[i].dof != dofs || m->joint[i].q != coordinates) n.wrong = "order of dofs";
    dofs += joint_dofs(m->joint[i].type);
    coordinates += joint_q(m->joint[i].type);
  }
  if (!n.wrong && (dofs != m->nv || coordinates != m->nq)) n.wrong = "number of dofs";
  for (int i = 0; i < m->nq && !n.wrong; ++i) {
    m->q_default[i] = take(&n, "default coordinate");
    m->q_spring[i] = take(&n, "coordinate of a spring");
  }
  for (int i = 0; i < m->nv && !n.wrong; ++i) read_dof(&n, i);
  for (int i = 0; i < m->nshape && !n.wrong; ++i) read_shape(&n, i);
  for (int i = 0; i < m->npair && !n.wrong; ++i) read_pair(&n, i);
  for (int i = 0; i < m->nexclude && !n.wrong; ++i)
    for (int k = 0; k < 2; ++k) m->exclude[i][k] = take_int(&n, 0, m->nbody - 1, "exclude");
  for (int i = 0; i < m->nequality && !n.wrong; ++i) read_equality(&n, i);
  for (int i = 0; i < m->nactuator && !n.wrong; ++i) read_actuator(&n, i);
  for (int i = 0; i < m->nvertex && !n.wrong; ++i) m->vertex[i] = take_vec(&n, "vertex");
  if (!n.wrong && n.left != 0) n.wrong = "number of numbers";
  if (n.wrong) return n.wrong;
  find_links();
  for (int i = 0; i < m->nshape; ++i) m->shape[i].ball = ball_of(&m->shape[i]);
  return NULL;
}

// ---- which shapes collide, and by which law

static int are_excluded(int a, int b) {
  for (int i = 0; i < model.nexclude; ++i) {
    const int* x = model.exclude[i];
    if ((x[0] == a && x[1] == b) || (x[0] == b && x[1] == a)) return 1;
  }
  return 0;
}

// A link and the link that it hangs on overlap at their joint by design; the world does not count.
static int are_neighbours(int a, int b) {
  const int above_a = a ? model.body[model.body[a].parent].link : 0;
  const int above_b = b ? model.body[model.body[b].parent].link : 0;
  return a == b || (a && a == above_b) || (b && b == above_a);
}

int model_pair(int a, int b, Law* law, double* friction2, int* dim) {
  const Shape *s = &model.shape[a], *t = &model.shape[b];
  const int link_s = model.body[s->body].link, link_t = model.body[t->body].link;
  *friction2 = 0;
  for (int i = 0; i < model.npair; ++i) {
    const Pair* p = &model.pair[i];
    if (!((p->shape[0] == a && p->shape[1] == b) || (p->shape[0] == b && p->shape[1] == a)))
      continue;
    *law = p->law;
    *friction2 = p->friction2;
    *dim = p->dim;
    return link_s != 0 || link_t != 0;
  }
  if (!(s->category & t->collides) && !(t->category & s->collides)) return 0;
  if (are_neighbours(link_s, link_t) || are_excluded(s->body, t->body)) return 0;
  const Shape *x = s->priority >= t->priority ? s : t, *y = t->priority >= s->priority ? t : s;
  *dim = x->dim > y->dim ? x->dim : y->dim;
  *law = (Law){.friction = larger(x->law.friction, y->law.friction),
               .kinetic = larger(x->law.kinetic, y->law.kinetic),
               .torsion = larger(x->law.torsion, y->law.torsion),
               .rolling = larger(x->law.rolling, y->law.rolling),
               .restitution = larger(x->law.restitution, y->law.restitution),
               .special = x->law.special | y->law.special};
  return 1;
}
