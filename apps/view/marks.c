// SPDX-License-Identifier: Apache-2.0
// Marks of a snapshot: forces, friction cones, pressure, mass, joints, names.
//
// A contact force is an arrow at its point with a length proportional to the force: the weight of
// the model is slightly longer than the model, and no arrow is longer than a third of it. The
// friction cone has its tip at the same point and ends where the normal force ends, so that the
// arrow's tip lies inside its rim while the contact sticks and on it while it slides: |f_t| <= mu
// f_n.
#include <heft/view.h>
#include <stdio.h>
#include <string.h>

#include "view/color_map.h"
#include "view/moves.h"

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
  double length;  // of one newton [m]
} Pen;

static int slides(const HeftContact* c) { return heft_vec3_norm(c->slip) > 1e-4; }

static uint32_t with_alpha(uint32_t color, uint32_t alpha) { return (color & ~0xffu) | alpha; }

static void mark_contact(const Pen* p, const HeftContact* c, unsigned show) {
  const double fn = heft_vec3_dot(c->force, c->normal);
  const double size = heft_vec3_norm(c->force);
  // Limits the length for impacts.
  const double newton = fmin(p->length, 0.35 * p->snapshot->size / fmax(size, 1e-9));
  const uint32_t color = slides(c) ? SLIDES : STICKS;
  if (show >> HEFT_SHOW_CONTACTS & 1u) {
    const uint32_t point = fn > 0 ? 0xe03030ff : 0x9098a0ff;
    heft_marks_add(p->marks, HEFT_MARK_SPHERE, c->pos, c->normal, 1.6 * p->thick, point);
  }
  if (!(fn > 0)) return;
  if (show >> HEFT_SHOW_FORCES & 1u)
    heft_marks_add(p->marks, HEFT_MARK_ARROW, c->pos, heft_vec3_scale(newton, c->force),
                   0.9 * p->thick, color);
  if (show >> HEFT_SHOW_CONES & 1u) {
    const double height = newton * fn;
    const double mu = heft_model_contact_friction(p->model, c->shape_a, c->shape_b);
    heft_marks_add(p->marks, HEFT_MARK_CONE, c->pos, heft_vec3_scale(height, c->normal),
                   mu * height, with_alpha(color, 0x58));
  }
}

// ---- pressure: centre of pressure and support polygon

enum { HULL_MAX = 64 };

static double turn(HeftVec3 a, HeftVec3 b, HeftVec3 c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static void sort_points(HeftVec3* p, int n) {
  for (int i = 1; i < n; ++i) {
    const HeftVec3 x = p[i];
    int k = i;
    for (; k > 0 && (p[k - 1].x > x.x || (p[k - 1].x == x.x && p[k - 1].y > x.y)); --k)
      p[k] = p[k - 1];
    p[k] = x;
  }
}

// Convex hull [Andrew 1979]: the lower chain from left to right, the upper back. hull holds 2 n.
static int hull_of(HeftVec3* p, int n, HeftVec3* hull) {
  int k = 0;
  sort_points(p, n);
  for (int i = 0; i < n; ++i) {
    while (k >= 2 && turn(hull[k - 2], hull[k - 1], p[i]) <= 0) --k;
    hull[k++] = p[i];
  }
  for (int i = n - 2, lower = k + 1; i >= 0; --i) {
    while (k >= lower && turn(hull[k - 2], hull[k - 1], p[i]) <= 0) --k;
    hull[k++] = p[i];
  }
  return k - 1;
}

static void mark_support(const Pen* p, int body) {
  HeftVec3 point[HULL_MAX], hull[2 * HULL_MAX], sum = {0, 0, 0};
  double total = 0;
  int n = 0;
  for (int i = 0; i < p->snapshot->contact_count; ++i) {
    const HeftContact* c = &p->snapshot->contact[i];
    const double f = heft_vec3_dot(c->force, c->normal);
    if (c->body_b != body || c->body_a != 0 || !(f > 0)) continue;
    total += f;
    sum = heft_vec3_add_scaled(sum, f, c->pos);
    if (n < HULL_MAX) point[n++] = c->pos;
  }
  if (n == 0) return;
  const int edges = n > 2 ? hull_of(point, n, hull) : 0;
  for (int i = 0; i < edges; ++i)
    heft_marks_add(p->marks, HEFT_MARK_ROD, hull[i], heft_vec3_sub(hull[(i + 1) % edges], hull[i]),
                   0.5 * p->thick, 0x2f7fe0ff);
  const HeftVec3 center = heft_vec3_scale(1 / total, sum);
  heft_marks_add(p->marks, HEFT_MARK_DISC, center, heft_vec3(0, 0, 1), 3 * p->thick, 0x1f5fd0ff);
  HeftMark* post =
      heft_marks_add(p->marks, HEFT_MARK_ARROW, center, heft_vec3(0, 0, 0.4 * p->length * total),
                     0.8 * p->thick, 0x2f7fe0a0);
  if (post) post->on_top = 0;
}

// ---- pressure of areas: a disc for each point of a patch, as large as its area

static double pressure_of(const HeftContact* c) {
  return c->area > 0 ? heft_vec3_dot(c->force, c->normal) / c->area : 0;
}

double heft_snapshot_peak_pressure(const HeftContact* contact, int count) {
  double peak = 0;
  for (int i = 0; i < count; ++i) peak = fmax(peak, pressure_of(&contact[i]));
  return peak;
}

// 1, 2 or 5 times a power of ten that is not below x, so that the scale of a film seldom changes.
static double round_up(double x) {
  static const double steps[3] = {1, 2, 5};
  double ten = 1;
  while (ten < x && ten < 1e300) ten *= 10;
  while (ten > x && ten > 1e-300) ten /= 10;
  for (int i = 0; i < 3; ++i) {
    if (steps[i] * ten >= x) return steps[i] * ten;
  }
  return 10 * ten;
}

static void mark_areas(const Pen* p) {
  const HeftSnapshot* s = p->snapshot;
  const double peak = heft_snapshot_peak_pressure(s->contact, s->contact_count);
  if (!(peak > 0)) return;
  const double top = round_up(peak);
  for (int i = 0; i < s->contact_count; ++i) {
    const HeftContact* c = &s->contact[i];
    if (!(c->area > 0)) continue;
    HeftMark* disc = heft_marks_add(p->marks, HEFT_MARK_DISC, c->pos, c->normal,
                                    1.4 * sqrt(c->area / 3.14159265358979), 0xff);
    if (!disc) continue;
    color_map(pressure_of(c) / top, disc->color);
    disc->on_top = 1;  // it lies inside of both shapes
  }
  HeftMark* scale = heft_marks_add(p->marks, HEFT_MARK_SCALE, heft_vec3(0, 0, 0),
                                   heft_vec3(0, 0, 0), top, 0xffffffff);
  if (scale) snprintf(scale->text, sizeof scale->text, "pressure");
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
  const double weight = heft_model_mass(model) * fmax(1, heft_vec3_norm(heft_vec3_from(g)));
  const Pen pen = {.marks = marks,
                   .model = model,
                   .dynamics = dynamics,
                   .snapshot = snapshot,
                   .thick = 0.0045 * snapshot->size,
                   .length = 1.2 * snapshot->size / fmax(weight, 1e-6)};
  for (int i = 0; i < snapshot->contact_count; ++i) mark_contact(&pen, &snapshot->contact[i], show);
  if (show >> HEFT_SHOW_PRESSURE & 1u) mark_areas(&pen);
  for (int b = 1; b < model->nbody; ++b) {
    if (show >> HEFT_SHOW_PRESSURE & 1u) mark_support(&pen, b);
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
