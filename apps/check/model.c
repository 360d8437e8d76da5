// SPDX-License-Identifier: Apache-2.0
// The model, from its numbers. Every count and index is compared with its range here, so that the
// other files may use them. Bodies come after their parents; joints of a body follow each other.
#include <math.h>

#include "check.h"

Model model;
static const int flags[] = {1, 1, 1, 1};
const int joint_q[] = {1, 1, 4, 7}, joint_dofs[] = {1, 1, 3, 6};

int body_of(int dof) { return model.joint[model.dof[dof].joint].body; }
int root_of(int dof) { return model.body[body_of(dof)].root; }

// ---- numbers

static double take(Numbers* from) {
  const long at = from->at;
  if (from->wrong || at < 0 || at >= from->count || at >= NUMBERS || isnan(from->all[at])) {
    from->wrong = 1;
    return 0;
  }
  from->at = at + 1;
  return from->all[at];
}

int take_int(Numbers* from, int low, int high) {
  const double x = take(from);
  if (!from->wrong && x >= low && x <= high && x == floor(x)) return (int)x;
  from->wrong = 1;
  return low;
}

void take_ints(Numbers* from, void* to, int count, const int* most) {
  int* x = to;
  for (int i = 0; i < count; ++i) x[i] = take_int(from, 0, most[i]);
}

void fill(Numbers* from, void* to, int count) {
  double* x = to;
  for (int i = 0; i < count; ++i) x[i] = take(from);
}

long wrong_number(const Numbers* from) {
  return from->wrong || from->at != from->count ? from->at + 1 : 0;
}

// ---- parts

static void read_head(Numbers* n) {
  Model* m = &model;
  take_int(n, 4, 4);  // version of the format
  static const int most[] = {BODIES,     JOINTS,    DOFS,      DOFS,     SHAPES, PAIRS, PAIRS,
                             EQUALITIES, ACTUATORS, ACTUATORS, VERTICES, MANY,   MANY,  MANY,
                             MANY,       1,         MANY,      1,        1};
  take_ints(n, &m->nbody, 19, most);
  fill(n, &m->gravity, 6);
  n->wrong |= !(m->h > 0 && m->h < 1e3 && m->theta >= 0.5 && m->theta <= 1 && m->nbody > 0);
}

static void read_body(Numbers* n, int i) {
  Body* b = &model.body[i];
  *b = (Body){.parent = i == 0 ? take_int(n, -1, -1) + 1 : take_int(n, 0, i - 1)};
  fill(n, &b->pos, 18);
  b->r = from_quaternion(b->quat);
}

static void read_joint(Numbers* n, int i) {
  Joint* j = &model.joint[i];
  const Joint* last = i > 0 ? j - 1 : NULL;
  j->type = take_int(n, HINGE, FREE);
  j->body = take_int(n, last ? last->body : 1, model.nbody - 1);
  j->q = last ? last->q + joint_q[last->type] : 0;
  j->dof = last ? last->dof + joint_dofs[last->type] : 0;
  fill(n, &j->pos, 6);
  Body* b = &model.body[j->body];
  n->wrong |= j->q + joint_q[j->type] > model.nq || j->dof + joint_dofs[j->type] > model.nv ||
              (j->type == FREE && b->parent);
  if (n->wrong) return;
  if (!last || last->body != j->body) b->joint = i, b->dof = j->dof;
  b->joint_end = i + 1, b->dof_end = j->dof + joint_dofs[j->type];
  for (int k = 0; k < joint_dofs[j->type]; ++k) {
    const int rotation = (j->type == BALL) | (j->type == FREE && k >= 3);
    model.dof[j->dof + k].joint = i;
    model.dof[j->dof + k].q = rotation ? -1 : j->q + k;
  }
}

static void take_law(Numbers* n, Law* out) {
  out->dim = take_int(n, 1, 6), out->special = take_int(n, 0, 1);
  fill(n, out, 6);
}

static double ball_of(const Shape* s) {
  const Vec z = s->size;
  double most = s->vertex < s->vertex_end ? 0 : HUGE_VAL;
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
    default:
      for (int i = s->vertex; i < s->vertex_end; ++i) most = larger(most, norm(model.vertex[i]));
      return s->type == MESH ? most : HUGE_VAL;
  }
}

static void read_shape(Numbers* n, int i) {
  Shape* s = &model.shape[i];
  s->type = take_int(n, PLANE, HEIGHTS);
  s->body = take_int(n, 0, model.nbody - 1);
  s->priority = take_int(n, -(1 << 30), 1 << 30);
  s->category = take_int(n, -2147483647 - 1, 2147483647);
  s->collides = take_int(n, -2147483647 - 1, 2147483647);
  s->vertex = take_int(n, 0, model.nvertex);
  s->vertex_end = take_int(n, s->vertex, model.nvertex);
  take_law(n, &s->law);
  fill(n, &s->pos, 10);
  s->r = from_quaternion(s->quat);
}

static void read_equality(Numbers* n, int i) {
  Equality* e = &model.equality[i];
  e->type = take_int(n, CONNECT, TENDON_EQUALITY);
  const int joints = e->type == JOINT_EQUALITY, bodies = e->type <= WELD;
  const int most = (bodies ? model.nbody : model.nv) - 1;
  e->objects = 2, e->object[0] = e->object[1] = 0;
  for (int k = 0; k < 2; ++k) {
    const int one = take_int(n, bodies || k == 0 ? 0 : -1, MANY);
    if (one < 0) e->objects = 1;
    if (one < 0 || e->type == TENDON_EQUALITY) continue;
    n->wrong |= one > most;
    if (one <= most) e->object[k] = one;
    n->wrong |= joints && model.dof[e->object[k]].q < 0;
  }
  e->active = take_int(n, 0, 1);
  fill(n, &e->anchor, 15);
}

static void read_actuator(Numbers* n, int i) {
  Actuator* a = &model.actuator[i];
  a->dof = take_int(n, -1, model.nv - 1);
  a->activation = take_int(n, 0, 3);
  a->act = take_int(n, -1, model.nact - 1);
  take_ints(n, &a->control_limited, 4, flags);
  fill(n, a->gear, 19);
}

static void find_links(void) {
  for (int i = 1; i < model.nbody; ++i) {
    Body* b = &model.body[i];
    const Body* parent = &model.body[b->parent];
    const int moves = b->dof < b->dof_end;
    b->link = moves ? i : parent->link;
    b->root = moves && parent->link == 0 ? i : parent->root;
  }
}

long model_read(const double* numbers, long count) {
  Numbers n = {numbers, count, 0, 0};
  Model* m = &model;
  read_head(&n);
  for (int i = 0; i < m->nbody; ++i) read_body(&n, i);
  for (int i = 0; i < m->njoint; ++i) read_joint(&n, i);
  const Joint* last = m->njoint > 0 ? &m->joint[m->njoint - 1] : NULL;
  n.wrong |= (last ? last->dof + joint_dofs[last->type] : 0) != m->nv;
  n.wrong |= (last ? last->q + joint_q[last->type] : 0) != m->nq;
  fill(&n, m->q_default, m->nq), fill(&n, m->q_spring, m->nq);
  for (int i = 0; i < m->nv; ++i) {
    take_ints(&n, &m->dof[i].limited, 2, flags);
    fill(&n, &m->dof[i].damping, 9);
  }
  for (int i = 0; i < m->nshape; ++i) read_shape(&n, i);
  for (int i = 0; i < m->npair; ++i) {
    for (int k = 0; k < 2; ++k) m->pair[i].shape[k] = take_int(&n, 0, m->nshape - 1);
    take_law(&n, &m->pair[i].law);
  }
  for (int i = 0; i < 2 * m->nexclude; ++i)
    m->exclude[i / 2][i % 2] = take_int(&n, 0, m->nbody - 1);
  for (int i = 0; i < m->nequality; ++i) read_equality(&n, i);
  for (int i = 0; i < m->nactuator; ++i) read_actuator(&n, i);
  for (int i = 0; i < m->nvertex; ++i) fill(&n, &m->vertex[i], 3);
  if (wrong_number(&n)) return wrong_number(&n);
  find_links();
  for (int i = 0; i < m->nshape; ++i) m->shape[i].ball = ball_of(&m->shape[i]);
  return 0;
}

// ---- which shapes collide, and by which law

// 1 if x is {a, b}, in any order.
static int is_pair(const int x[2], int a, int b) {
  return (x[0] == a && x[1] == b) || (x[0] == b && x[1] == a);
}

// A link and the link that it hangs on overlap at their joint by design; the world does not count.
static int are_neighbours(int a, int b) {
  const int above_a = a ? model.body[model.body[a].parent].link : 0;
  const int above_b = b ? model.body[model.body[b].parent].link : 0;
  return a == b || (a && a == above_b) || (b && b == above_a);
}

int model_pair(int a, int b, Law* law) {
  const Shape *s = &model.shape[a], *t = &model.shape[b];
  const int link_s = model.body[s->body].link, link_t = model.body[t->body].link;
  for (int i = 0; i < model.npair; ++i) {
    *law = model.pair[i].law;
    if (is_pair(model.pair[i].shape, a, b)) return link_s != 0 || link_t != 0;
  }
  if (!(s->category & t->collides) && !(t->category & s->collides)) return 0;
  if (are_neighbours(link_s, link_t)) return 0;
  for (int i = 0; i < model.nexclude; ++i)
    if (is_pair(model.exclude[i], s->body, t->body)) return 0;
  const Law *x = &(s->priority >= t->priority ? s : t)->law,
            *y = &(t->priority >= s->priority ? t : s)->law;
  *law = (Law){.friction = larger(x->friction, y->friction),
               .kinetic = larger(x->kinetic, y->kinetic),
               .torsion = larger(x->torsion, y->torsion),
               .rolling = larger(x->rolling, y->rolling),
               .restitution = larger(x->restitution, y->restitution),
               .dim = x->dim > y->dim ? x->dim : y->dim,
               .special = x->special | y->special};
  return 1;
}
