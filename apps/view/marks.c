// SPDX-License-Identifier: Apache-2.0
// Marks of a snapshot: forces, friction cones, pressure, mass, joints, names.
//
// A contact force is an arrow at its point with a length proportional to the force: the weight of a
// robot is slightly longer than the robot, and no arrow is longer than a third of the model. Of
// many bodies, the heaviest machine or body is the measure, and marks are no larger than a share of
// the shapes that touch: arrows of 250 boxes can be seen, and do not hide the boxes. The
// friction cone has its tip at the same point and ends where the normal force ends, so that the
// arrow's tip lies inside its rim while the contact sticks and on it while it slides: |f_t| <= mu
// f_n.
#include <heft/view.h>
#include <stdio.h>
#include <string.h>

#include "view/moves.h"
#include "view/pressure_map.h"

static const uint32_t STICKS = 0x2fb350ff, SLIDES = 0xf07818ff, HALO = 0xffffff00;

// ---- the list

void heft_marks_clear(HeftMarks* marks) { marks->count = marks->dropped = 0; }

HeftMark* heft_marks_add(HeftMarks* marks, HeftMarkKind kind, HeftVec3 pos, HeftVec3 dir,
                         double size, uint32_t color) {
  if (marks->count >= marks->max) {
    ++marks->dropped;
    return NULL;
  }
  HeftMark* m = &marks->mark[marks->count++];
  memset(m, 0, sizeof *m);
  m->kind = kind;
  m->pos = pos;
  m->dir = dir;
  m->size = size;
  for (int k = 0; k < 4; ++k) m->color[k] = (float)(color >> (24 - 8 * k) & 255u) / 255;
  return m;
}

void heft_marks_text(HeftMarks* marks, HeftVec3 pos, uint32_t color, const char* text) {
  HeftMark* m = heft_marks_add(marks, HEFT_MARK_TEXT, pos, heft_vec3(0, 0, 0), 0, color);
  if (m) snprintf(m->text, sizeof m->text, "%s", text);
}

void heft_marks_append(HeftMarks* marks, const HeftMarks* more) {
  for (int i = 0; i < more->count; ++i) {
    if (marks->count < marks->max) {
      marks->mark[marks->count++] = more->mark[i];
    } else {
      ++marks->dropped;
    }
  }
}

#define SHOW_NAME(name, text, meaning) text,
#define SHOW_TEXT(name, text, meaning) meaning,
const char* heft_show_name(HeftShowIndex show) {
  static const char* const names[] = {HEFT_SHOW_LIST(SHOW_NAME)};
  return show >= 0 && show < HEFT_SHOW_COUNT ? names[show] : "";
}
const char* heft_show_text(HeftShowIndex show) {
  static const char* const texts[] = {HEFT_SHOW_LIST(SHOW_TEXT)};
  return show >= 0 && show < HEFT_SHOW_COUNT ? texts[show] : "";
}

// ---- contacts

double heft_model_contact_friction(const HeftModel* model, int shape_a, int shape_b) {
  for (int p = 0; p < model->npair; ++p) {
    const int *s = &model->pair_shape[2 * p], same = s[0] == shape_a && s[1] == shape_b;
    if (same || (s[0] == shape_b && s[1] == shape_a))
      return model->material_friction[model->pair_material[p]];
  }
  const double a = model->material_friction[model->shape_material[shape_a]],
               b = model->material_friction[model->shape_material[shape_b]];
  const int pa = model->shape_priority[shape_a], pb = model->shape_priority[shape_b];
  if (pa != pb) return pa > pb ? a : b;
  return a > b ? a : b;
}

typedef struct Pen {
  HeftMarks* marks;
  const HeftModel* model;
  const HeftDynamics* dynamics;
  const HeftSnapshot* snapshot;
  double thick;   // of lines [m]
  double weight;  // of the heaviest machine or body [N]
  double length;  // of one newton [m]
} Pen;

// Half the size of the smaller of two shapes that touch; planes have none.
static double touching_size(const Pen* p, const HeftContact* c) {
  const int shape[2] = {c->shape_a, c->shape_b};
  double size = HUGE_VAL;
  for (int i = 0; i < 2; ++i) {
    if (shape[i] < 0 || p->model->shape_type[shape[i]] == HEFT_SHAPE_PLANE) continue;
    const double* s = &p->model->shape_size[3 * shape[i]];
    const double most = fmax(s[0], fmax(s[1], s[2]));
    if (most > 0) size = fmin(size, most);
  }
  return size;
}

// Mass of the heaviest tree, whose bodies follow each other.
static double heaviest(const HeftModel* m) {
  double most = 0, sum = 0;
  for (int b = 1; b < m->nbody; ++b) {
    sum = m->body_parent[b] == 0 ? m->body_mass[b] : sum + m->body_mass[b];
    if (body_moves(m, b)) most = fmax(most, sum);
  }
  return most;
}

static int slides(const HeftContact* c) { return heft_vec3_norm(c->slip) > 1e-4; }

static uint32_t with_alpha(uint32_t color, uint32_t alpha) { return (color & ~0xffu) | alpha; }

// The share of its friction that the stance of a contact needs, over all forces that explain its
// motion. Where it is not known, the share that this force uses: at most that is needed.
static double needed_share(const Pen* p, const HeftContact* c, double limit) {
  const double* needed = p->snapshot->friction_needed;
  const int body = body_moves(p->model, c->body_b) ? c->body_b : c->body_a;
  if (needed && needed[body] >= 0) return needed[body];
  const HeftVec3 tangent =
      heft_vec3_add_scaled(c->force, -heft_vec3_dot(c->force, c->normal), c->normal);
  return limit > 0 ? fmin(1, heft_vec3_norm(tangent) / limit) : 1;
}

// Green while little friction is needed, yellow and orange towards all of it.
static uint32_t cone_color(const HeftContact* c, double share) {
  uint32_t color = 0;
  for (int shift = 24; shift >= 8; shift -= 8) {
    const double from = STICKS >> shift & 255u, to = SLIDES >> shift & 255u;
    color |= (uint32_t)(from + share * (to - from) + 0.5) << shift;
  }
  return with_alpha(slides(c) ? SLIDES : color, 0x58);
}

static void mark_contact(const Pen* p, const HeftContact* c, unsigned show) {
  const double fn = heft_vec3_dot(c->force, c->normal);
  const double size = heft_vec3_norm(c->force);
  // Limits the length for impacts.
  const double newton = fmin(p->length, 0.35 * p->snapshot->size / fmax(size, 1e-9));
  const uint32_t color = slides(c) ? SLIDES : STICKS;
  const double thick = fmin(p->thick, 0.06 * touching_size(p, c));
  if (show >> HEFT_SHOW_CONTACTS & 1u) {
    const uint32_t point = fn > 0 ? 0xe03030ff : 0x9098a0ff;
    // the area of the mark is in proportion to the force, within a factor of four
    const double share = sqrt(fmin(2, fmax(0.5, 4 * fn / p->weight)));
    heft_marks_add(p->marks, HEFT_MARK_SPHERE, c->pos, c->normal, 1.5 * thick * share, point);
  }
  if (!(fn > 0)) return;
  if (show >> HEFT_SHOW_FORCES & 1u)
    heft_marks_add(p->marks, HEFT_MARK_ARROW, c->pos, heft_vec3_scale(newton, c->force),
                   0.9 * thick, color);
  if (show >> HEFT_SHOW_CONES & 1u) {
    const double height = newton * fn;
    const double mu = heft_model_contact_friction(p->model, c->shape_a, c->shape_b);
    heft_marks_add(p->marks, HEFT_MARK_CONE, c->pos, heft_vec3_scale(height, c->normal),
                   mu * height, cone_color(c, needed_share(p, c, mu * fn)));
  }
}

// ---- mass, joints, names

static void mark_mass(const Pen* p) {
  const HeftVec3 com = heft_dynamics_center_of_mass(p->dynamics, 0);
  const HeftVec3 down = heft_vec3(com.x, com.y, 0);
  HeftMark* ball = heft_marks_add(p->marks, HEFT_MARK_SPHERE, com, down, 4 * p->thick, 0xf2c230ff);
  if (ball) ball->on_top = 1;
  heft_marks_add(p->marks, HEFT_MARK_ROD, com, heft_vec3_sub(down, com), 0.4 * p->thick,
                 0xf2c230ff);
  heft_marks_add(p->marks, HEFT_MARK_DISC, heft_vec3(com.x, com.y, 0.002), heft_vec3(0, 0, 1),
                 5 * p->thick, 0xf2c230ff);
}

// The solid ellipsoid with the mass and inertia of the body: I_x = m (b² + c²) / 5.
static void mark_inertia(const Pen* p, int body) {
  const double* a = &p->model->body_inertia[6 * body];
  const double mass = p->model->body_mass[body];
  HeftVec3 e, half;
  HeftMat3 axes;
  if (!(mass > 0)) return;
  heft_sym3_eigen((HeftSym3){a[0], a[1], a[2], a[3], a[4], a[5]}, &e, &axes);
  half.x = sqrt(fmax(0, 2.5 * (e.y + e.z - e.x) / mass));
  half.y = sqrt(fmax(0, 2.5 * (e.x + e.z - e.y) / mass));
  half.z = sqrt(fmax(0, 2.5 * (e.x + e.y - e.z) / mass));
  const HeftPose pose = heft_dynamics_body_pose(p->dynamics, body);
  HeftMark* m = heft_marks_add(p->marks, HEFT_MARK_ELLIPSOID,
                               heft_pose_apply(pose, heft_vec3_from(&p->model->body_com[3 * body])),
                               half, 0, 0x9060d090);
  if (m) m->frame = heft_mat3_mul(pose.rot, axes);
}

static void mark_joint(const Pen* p, int joint) {
  const HeftModel* m = p->model;
  const HeftJointType type = m->joint_type[joint];
  if (type == HEFT_JOINT_FREE || type == HEFT_JOINT_FIXED) return;
  const HeftPose pose = heft_dynamics_body_pose(p->dynamics, m->joint_body[joint]);
  const HeftVec3 at = heft_pose_apply(pose, heft_vec3_from(&m->joint_pos[3 * joint]));
  const HeftVec3 axis = heft_mat3_mul_vec(pose.rot, heft_vec3_from(&m->joint_axis[3 * joint]));
  HeftMark* mark;
  if (type == HEFT_JOINT_BALL) {
    mark = heft_marks_add(p->marks, HEFT_MARK_SPHERE, at, axis, 3 * p->thick, 0x40a0ffff);
  } else {
    const double length = 0.09 * p->snapshot->size;
    mark = heft_marks_add(p->marks, HEFT_MARK_ARROW, heft_vec3_add_scaled(at, -0.5 * length, axis),
                          heft_vec3_scale(length, axis), 0.8 * p->thick, 0x40a0ffff);
  }
  if (mark) mark->on_top = 1;
}

// A line from the parent of a body to the body, and a ball at the body.
static void mark_bone(const Pen* p, int body) {
  const HeftVec3 to = heft_dynamics_body_pose(p->dynamics, body).pos;
  const int parent = p->model->body_parent[body];
  HeftMark* ball =
      heft_marks_add(p->marks, HEFT_MARK_SPHERE, to, heft_vec3(0, 0, 1), 2 * p->thick, 0xf0a030ff);
  if (ball) ball->on_top = 1;
  if (parent == 0) return;
  const HeftVec3 from = heft_dynamics_body_pose(p->dynamics, parent).pos;
  HeftMark* bone =
      heft_marks_add(p->marks, HEFT_MARK_ROD, from, heft_vec3_sub(to, from), p->thick, 0xd08020ff);
  if (bone) bone->on_top = 1;
}

// The force between two bodies, at the mean of their contact points. One mark per pair.
static void mark_force_values(const Pen* p, int first) {
  const HeftContact *list = p->snapshot->contact, *c = &list[first];
  HeftVec3 sum = {0, 0, 0}, middle = {0, 0, 0};
  double weight = 0;
  for (int i = 0; i < p->snapshot->contact_count; ++i) {
    const HeftContact* k = &list[i];
    if (k->body_a != c->body_a || k->body_b != c->body_b) continue;
    if (i < first) return;
    const double fn = heft_vec3_dot(k->force, k->normal);
    sum = heft_vec3_add(sum, k->force);
    middle = heft_vec3_add_scaled(middle, fn, k->pos);
    weight += fn;
  }
  char text[32];
  if (!(weight > 0)) return;
  snprintf(text, sizeof text, "%.3g N", heft_vec3_norm(sum));
  heft_marks_text(p->marks, heft_vec3_scale(1 / weight, middle), 0xffffffff, text);
}

static void mark_names(const Pen* p) {
  for (int b = 1; b < p->model->nbody; ++b) {
    const char* name = heft_model_name(p->model, HEFT_NAMED_BODY, b);
    const HeftPose pose = heft_dynamics_body_pose(p->dynamics, b);
    if (name[0])
      heft_marks_text(p->marks, heft_pose_apply(pose, heft_vec3_from(&p->model->body_com[3 * b])),
                      HALO | 0xff, name);
  }
}

// ---- tendons and sites

static uint32_t pack(const double* color) {
  uint32_t packed = 0;
  for (int k = 0; k < 4; ++k)
    packed = packed << 8 | (uint32_t)(255 * fmin(1, fmax(0, color[k])) + 0.5);
  return packed;
}

static void mark_tendon(const Pen* p, int tendon) {
  enum { MAX = 256 };
  HeftVec3 piece[MAX][2];
  const int count = heft_dynamics_tendon_path(p->dynamics, tendon, piece, MAX);
  for (int i = 0; i < count && i < MAX; ++i)
    heft_marks_add(p->marks, HEFT_MARK_ROD, piece[i][0], heft_vec3_sub(piece[i][1], piece[i][0]),
                   p->model->tendon_width[tendon], pack(&p->model->tendon_color[4L * tendon]));
}

// A site, with the axes of its frame.
static void mark_site(const Pen* p, int site) {
  static const uint32_t colors[3] = {0xe04030ff, 0x30b040ff, 0x3060e0ff};
  const HeftPose pose = heft_dynamics_site_pose(p->dynamics, site);
  HeftMark* ball = heft_marks_add(p->marks, HEFT_MARK_SPHERE, pose.pos, heft_vec3(0, 0, 0),
                                  1.5 * p->thick, pack(&p->model->site_color[4L * site]));
  if (ball) ball->on_top = 1;
  for (int k = 0; k < 3; ++k) {
    const HeftVec3 axis = heft_mat3_column(pose.rot, k);
    heft_marks_add(p->marks, HEFT_MARK_ROD, pose.pos, heft_vec3_scale(10 * p->thick, axis),
                   0.4 * p->thick, colors[k]);
  }
}

void heft_marks_of_snapshot(HeftMarks* marks, const HeftModel* model, const HeftDynamics* dynamics,
                            const HeftSnapshot* snapshot, unsigned show) {
  const double* g = model->physics.gravity;
  const double gravity = fmax(1, heft_vec3_norm(heft_vec3_from(g)));
  const double all = fmax(heft_model_mass(model), 1e-6), tree = fmax(heaviest(model), 1e-6);
  const Pen pen = {.marks = marks,
                   .model = model,
                   .dynamics = dynamics,
                   .snapshot = snapshot,
                   .thick = 0.0045 * snapshot->size,
                   .weight = tree * gravity,
                   .length = 1.2 * snapshot->size * sqrt(fmin(1, tree / all)) / (tree * gravity)};
  for (int i = 0; i < snapshot->contact_count; ++i) mark_contact(&pen, &snapshot->contact[i], show);
  if (show >> HEFT_SHOW_PRESSURE & 1u)
    pressure_map_add(marks, model, snapshot, pen.thick, pen.length);
  for (int b = 1; b < model->nbody; ++b) {
    if (show >> HEFT_SHOW_INERTIA & 1u) mark_inertia(&pen, b);
    if (show >> HEFT_SHOW_SKELETON & 1u && b > 0) mark_bone(&pen, b);
  }
  for (int j = 0; show >> HEFT_SHOW_JOINTS & 1u && j < model->njoint; ++j) mark_joint(&pen, j);
  for (int t = 0; t < model->ntendon; ++t) mark_tendon(&pen, t);
  for (int s = 0; show >> HEFT_SHOW_SITES & 1u && s < model->nsite; ++s) mark_site(&pen, s);
  if (show >> HEFT_SHOW_MASS & 1u) mark_mass(&pen);
  if (show >> HEFT_SHOW_NAMES & 1u) mark_names(&pen);
  for (int i = 0; show >> HEFT_SHOW_FORCE_VALUES & 1u && i < snapshot->contact_count; ++i)
    mark_force_values(&pen, i);
}

// ---- islands

static int root_of(const int* up, int body) {
  while (up[body] != body) body = up[body];
  return body;
}

static void join(int* up, int a, int b) {
  a = root_of(up, a);
  b = root_of(up, b);
  if (a != b) up[a > b ? a : b] = a < b ? a : b;
}

void heft_snapshot_body_islands(const HeftModel* model, const HeftSnapshot* snapshot, int* island) {
  for (int b = 0; b < model->nbody; ++b) {
    island[b] = b;
    if (b > 0 && body_moves(model, model->body_parent[b])) join(island, b, model->body_parent[b]);
  }
  for (int i = 0; i < snapshot->contact_count; ++i) {
    const HeftContact* c = &snapshot->contact[i];
    if (body_moves(model, c->body_a) && body_moves(model, c->body_b))
      join(island, c->body_a, c->body_b);
  }
  for (int b = model->nbody - 1; b >= 0; --b) island[b] = root_of(island, b);
  int count = 0;  // bodies come after their roots: numbers go up
  for (int b = 0; b < model->nbody; ++b) {
    const int root = island[b];
    island[b] = !body_moves(model, b) ? -1 : (root == b ? count++ : island[root]);
  }
}

// ---- rest

static int tree_of(const HeftModel* m, int body) {
  while (m->body_parent[body] > 0) body = m->body_parent[body];
  return body;
}

// Complete trees only, since a part of a tree may be at rest for an instant.
static void tint_rest(const HeftModel* m, const double* v, int* tint) {
  for (int b = 0; b < m->nbody; ++b) {
    if (body_moves(m, b)) tint[tree_of(m, b)] = HEFT_TINT_REST;
  }
  for (int j = 0; j < m->njoint; ++j) {
    const int dofs = heft_joint_type_dof_count(m->joint_type[j]);
    for (int i = m->joint_dof[j]; i < m->joint_dof[j] + dofs; ++i) {
      if (v[i] != 0) tint[tree_of(m, m->joint_body[j])] = -1;
    }
  }
  for (int b = m->nbody - 1; b > 0; --b)  // roots last: they precede their children
    tint[b] = body_moves(m, b) ? tint[tree_of(m, b)] : -1;
}

bool heft_snapshot_body_tints(const HeftModel* model, const HeftSnapshot* snapshot, unsigned show,
                              int* tint) {
  const int rest = show >> HEFT_SHOW_REST & 1u && snapshot->v,
            islands = show >> HEFT_SHOW_ISLANDS & 1u;
  for (int b = 0; b < model->nbody; ++b) tint[b] = -1;
  if (rest) {
    tint_rest(model, snapshot->v, tint);
  } else if (islands) {
    heft_snapshot_body_islands(model, snapshot, tint);
  }
  return rest || islands;
}

// ---- all of it

void heft_picture_show(HeftPicture* picture, HeftMarks* marks, const HeftModel* model,
                       const HeftDynamics* dynamics, const HeftSnapshot* snapshot, unsigned show,
                       int* tint) {
  const unsigned through = 1u << HEFT_SHOW_INERTIA | 1u << HEFT_SHOW_JOINTS;
  heft_marks_of_snapshot(marks, model, dynamics, snapshot, show);
  picture->marks = marks;
  picture->groups = show >> HEFT_SHOW_COLLISION & 1u ? 0x39 : 0x7;
  picture->opacity = show & through ? 0.45 : 1;
  picture->body_tint = heft_snapshot_body_tints(model, snapshot, show, tint) ? tint : NULL;
}
