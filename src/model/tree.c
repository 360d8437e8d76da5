// SPDX-License-Identifier: Apache-2.0
// Papers: R7.
// Derives the tree of links from the bodies of a model. tree.h describes the result.
#include "model/tree.h"
#include "base/assert.h"
#include "math/invariant.h"

#include <limits.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "model/joint_kind.h"

static const double smallest_dof_inertia = 1e-15;  // [kg m²], [kg]

static HeftPose rest_pose(const HeftModel* m, int body) {
  return heft_pose(heft_vec3_from(m->body_pos + 3L * body),
                   heft_quat_normalize(heft_quat_from(m->body_quat + 4L * body)));
}

static HeftInertia body_inertia(const HeftModel* m, int body) {
  const double* i = m->body_inertia + 6L * body;
  return (HeftInertia){m->body_mass[body],
                       heft_vec3_from(m->body_com + 3L * body),
                       {i[0], i[1], i[2], i[3], i[4], i[5]}};
}

static int body_dof_count(const HeftModel* m, int body) {
  int count = 0;
  for (int k = 0; k < m->body_joint_count[body]; ++k) {
    count += heft_joint_type_dof_count(m->joint_type[m->body_joint[body] + k]);
  }
  return count;
}

static void write_vec(double* out, HeftVec3 v) {
  out[0] = v.x;
  out[1] = v.y;
  out[2] = v.z;
  out[3] = 0;
}

static Columns to_columns(HeftMat3 rot, HeftVec3 pos) {
  Columns out;
  for (int j = 0; j < 3; ++j) write_vec(out.c[j], heft_mat3_column(rot, j));
  write_vec(out.c[3], pos);
  return out;
}

static HeftPose to_pose(const Columns* x) {
  return (HeftPose){heft_mat3_from_columns(heft_vec3_from(x->c[0]), heft_vec3_from(x->c[1]),
                                           heft_vec3_from(x->c[2])),
                    heft_vec3_from(x->c[3])};
}

// Scratch of the derivation: things that the finished tree does not keep.
typedef struct Scratch {
  HeftPose* in_effector;   ///< nbody: pose in the frame of the body that moves the link
  HeftPose* frame;         ///< nlink: the link's frame in that body's frame
  HeftInertia* inertia;    ///< nlink: in that body's frame
  HeftInertia* composite;  ///< nlink: with all descendants, in the world, at q_default
  HeftPose* at_default;    ///< nlink: pose of the moving body in the world, at q_default
  int* depth;              ///< nbody
} Scratch;

static int starts_link(const HeftModel* m, int body) {
  return body_dof_count(m, body) > 0 || m->body_moved[body] >= 0;
}

static int count_links(const HeftModel* m) {
  int count = 1;
  for (int b = 1; b < m->nbody; ++b) count += starts_link(m, b);
  return count;
}

static int count_stages(const HeftModel* m) {
  int count = 0;
  for (int j = 0; j < m->njoint; ++j) count += joint_is_scalar(m->joint_type[j]);
  return count;
}

static void place_tree(HeftTree* t, Arena* arena, const HeftModel* m, int nlink, int row_count) {
  t->link = arena_take(arena, nlink, Link);
  t->stage = arena_take(arena, count_stages(m), ChainStage);
  t->group = arena_take(arena, nlink / GROUP_LINKS + 2, TreeGroup);
  t->breadth = arena_take(arena, nlink, int);
  t->body_link = arena_take(arena, m->nbody, int);
  t->body_in_link = arena_take(arena, m->nbody, Columns);
  t->bond_link = arena_take(arena, m->ndeformable, int);
  t->dof_link = arena_take(arena, m->nv, int);
  t->dof_parent = arena_take(arena, m->nv, int);
  t->dof_group = arena_take(arena, m->nv, int);
  t->dof_local = arena_take(arena, m->nv, int);
  t->tree_dofs = arena_take(arena, nlink, int);
  t->dof_depth = arena_take(arena, m->nv, int);
  t->dof_run = arena_take(arena, m->nv, int);
  t->row = arena_take(arena, m->nv, int);
  t->path = arena_take(arena, row_count, int);
  t->elimination = arena_take(arena, m->nv, int);
  t->free_link = arena_take(arena, nlink, int);
}

static void place_scratch(Scratch* s, Arena* arena, int nbody, int nlink) {
  s->in_effector = arena_take(arena, nbody, HeftPose);
  s->frame = arena_take(arena, nlink, HeftPose);
  s->inertia = arena_take(arena, nlink, HeftInertia);
  s->composite = arena_take(arena, nlink, HeftInertia);
  s->at_default = arena_take(arena, nlink, HeftPose);
  s->depth = arena_take(arena, nbody, int);
}

// Bodies to links: who moves with whom, and the inertia they have together.
static void gather_links(HeftTree* t, const HeftModel* m, Scratch* s) {
  t->nlink = 1;
  t->body_link[0] = 0;
  t->link[0] = (Link){.parent = -1, .deformable = -1, .kind = LINK_WORLD};
  s->in_effector[0] = heft_pose_identity();
  s->inertia[0] = (HeftInertia){0};
  int dof = 0, q = 0;
  for (int b = 1; b < m->nbody; ++b) {
    const int parent = m->body_parent[b], count = body_dof_count(m, b);
    HEFT_ASSERT(parent >= 0 && parent < b && count >= 0);
    if (!starts_link(m, b)) {
      t->body_link[b] = t->body_link[parent];
      s->in_effector[b] = heft_pose_mul(s->in_effector[parent], rest_pose(m, b));
    } else {
      const int k = t->nlink++;
      t->body_link[b] = k;
      s->in_effector[b] = heft_pose_identity();
      s->inertia[k] = (HeftInertia){0};
      const int above = t->body_link[parent];
      HEFT_ASSERT(above >= 0 && above < k);
      t->link[k] = (Link){.parent = above,
                          .root = above == 0 ? k : t->link[above].root,
                          .deformable = -1,
                          .body = b,
                          .dof = dof,
                          .dof_count = count,
                          .joint = m->body_joint[b],
                          .joint_count = m->body_joint_count[b],
                          .q = q,
                          .kind = count > 0 ? LINK_GENERAL : LINK_MOVED};
    }
    const int k = t->body_link[b];
    if (t->link[k].kind != LINK_MOVED) {
      const HeftInertia inertia = heft_inertia_transform(body_inertia(m, b), s->in_effector[b]);
      s->inertia[k] = heft_inertia_add(s->inertia[k], inertia);
    }
    dof += count;
    for (int j = 0; j < m->body_joint_count[b]; ++j) {
      const HeftJointType type = m->joint_type[m->body_joint[b] + j];
      q += heft_joint_type_q_count(type);
    }
    if (count > 0) t->link[k].q_count = q - t->link[k].q;
    HEFT_ASSERT(dof <= m->nv && q <= m->nq);
  }
}

// The link that holds a node, -1 if the node moves on its own.
static int holder_of(const HeftTree* t, int body) {
  const int k = t->body_link[body];
  return k > 0 && t->link[k].body == body ? -1 : k;
}

static HeftStatus find_bond(HeftTree* t, const HeftModel* m, int d, HeftError* error) {
  const int first = m->deformable_node[d];
  HEFT_ASSERT(first >= 0 && first + m->deformable_node_count[d] <= m->nnode);
  t->bond_link[d] = 0;
  for (int i = first; i < first + m->deformable_node_count[d]; ++i) {
    const int k = holder_of(t, m->node_body[i]);
    if (k <= 0) continue;
    if (t->link[k].kind == LINK_MOVED || (t->bond_link[d] > 0 && t->bond_link[d] != k))
      return heft_error_set(error, HEFT_ERR_VALUE,
                            "deformable body '%s': body '%s' holds its node %d; nodes may be held "
                            "by the world and by one link, which joints move",
                            m->names + m->deformable_name[d],
                            m->names + m->body_name[t->link[k].body], i - first);
    t->bond_link[d] = k;
  }
  return HEFT_OK;
}

// The nodes of a deformable body that can move become one tree, or a part of the tree that holds
// others.
static HeftStatus gather_nodes(HeftTree* t, const HeftModel* m, HeftError* error) {
  for (int d = 0; d < m->ndeformable; ++d) {
    const HeftStatus status = find_bond(t, m, d, error);
    if (status != HEFT_OK) return status;
    const int first = m->deformable_node[d];
    int root = t->bond_link[d] > 0 ? t->link[t->bond_link[d]].root : 0;
    for (int i = first; i < first + m->deformable_node_count[d]; ++i) {
      if (holder_of(t, m->node_body[i]) >= 0) continue;
      const int k = t->body_link[m->node_body[i]];
      HEFT_ASSERT(k > 0 && k < t->nlink);
      root = root > 0 ? root : k;
      if (k < root)
        return heft_error_set(error, HEFT_ERR_VALUE,
                              "deformable body '%s': the bodies of its nodes must follow those "
                              "that hold it",
                              m->names + m->deformable_name[d]);
      t->link[k].root = root;
      t->link[k].deformable = d;
      if (t->link[root].soft == 0) t->link[root].soft = 1;
    }
    for (int i = first; i < first + m->deformable_node_count[d] && root > 0; ++i) {
      if (holder_of(t, m->node_body[i]) == 0) t->link[root].soft = 2;
    }
  }
  for (int k = 1; k < t->nlink; ++k) t->link[k].soft = t->link[t->link[k].root].soft;
  return HEFT_OK;
}

// The link's own frame: centre of mass and principal axes.
static void place_frames(HeftTree* t, const HeftModel* m, Scratch* s) {
  s->frame[0] = heft_pose_identity();
  for (int k = 1; k < t->nlink; ++k) {
    HeftVec3 e;
    HeftMat3 axes;
    heft_sym3_eigen(s->inertia[k].inertia, &e, &axes);
    s->frame[k] = (HeftPose){axes, s->inertia[k].mass > 0 ? s->inertia[k].com : heft_vec3(0, 0, 0)};
    write_vec(t->link[k].inertia, e);
    t->link[k].mass = s->inertia[k].mass;
    HEFT_ASSERT(!(t->link[k].mass < 0));
  }
  for (int b = 0; b < m->nbody; ++b) {
    const HeftPose x =
        heft_pose_mul(heft_pose_inverse(s->frame[t->body_link[b]]), s->in_effector[b]);
    t->body_in_link[b] = to_columns(x.rot, x.pos);
  }
}

static void gather_lift(HeftTree* t, const HeftModel* m) {
  for (int b = 1; b < m->nbody; ++b) {
    Link* link = &t->link[t->body_link[b]];
    const double mass = m->body_mass[b] * (1 - m->body_gravity[b]);
    if (mass == 0 || link->kind == LINK_MOVED) continue;
    t->floats = 1;
    const HeftVec3 at =
        heft_pose_apply(to_pose(&t->body_in_link[b]), heft_vec3_from(m->body_com + 3L * b));
    const double total = link->lift_mass + mass;
    const double share = total != 0 ? mass / total : 0;
    for (int i = 0; i < 3; ++i) link->lift[i] += share * ((&at.x)[i] - link->lift[i]);
    link->lift_mass = total;
  }
}

// E0, E1, E2 of a hinge: before ∘ [turn about the anchor] ∘ frame, term by term of Rodrigues'
// formula.
static void set_hinge(ChainStage* stage, HeftPose before, HeftPose frame, HeftVec3 anchor,
                      HeftVec3 a) {
  const HeftMat3 outer = {{{a.x * a.x, a.x * a.y, a.x * a.z},
                           {a.y * a.x, a.y * a.y, a.y * a.z},
                           {a.z * a.x, a.z * a.y, a.z * a.z}}};
  HeftMat3 rest = heft_mat3_identity();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) rest.m[i][j] -= outer.m[i][j];
  }
  const HeftMat3 terms[3] = {outer, heft_mat3_skew(a), rest};
  const HeftVec3 d = heft_vec3_sub(frame.pos, anchor);
  HEFT_ASSERT(heft_is_unit(a));
  Columns* e[3] = {&stage->e0, &stage->e1, &stage->e2};
  for (int i = 0; i < 3; ++i) {
    const HeftMat3 turned = heft_mat3_mul(before.rot, terms[i]);
    *e[i] = to_columns(heft_mat3_mul(turned, frame.rot), heft_mat3_mul_vec(turned, d));
  }
  const HeftVec3 pos =
      heft_vec3_add(heft_vec3_from(stage->e0.c[3]), heft_pose_apply(before, anchor));
  write_vec(stage->e0.c[3], pos);
  write_vec(stage->axis, heft_mat3_tmul_vec(frame.rot, a));
  write_vec(stage->arm, heft_mat3_tmul_vec(frame.rot, heft_vec3_cross(a, d)));
}

static void set_slide(ChainStage* stage, HeftPose before, HeftPose frame, HeftVec3 a) {
  const HeftPose at_zero = heft_pose_mul(before, frame);
  const HeftMat3 none = {{{0}}};
  HEFT_ASSERT(heft_is_unit(a));
  stage->e0 = to_columns(at_zero.rot, at_zero.pos);
  stage->e1 = to_columns(none, heft_mat3_mul_vec(before.rot, a));
  stage->e2 = to_columns(none, heft_vec3(0, 0, 0));
  write_vec(stage->axis, heft_vec3(0, 0, 0));
  write_vec(stage->arm, heft_mat3_tmul_vec(frame.rot, a));
}

// 1 if all joints that move the link are hinges and slides.
static int is_chain(const HeftModel* m, const Link* link) {
  for (int j = link->joint; j < link->joint + link->joint_count; ++j) {
    const HeftJointType type = m->joint_type[j];
    if (type != HEFT_JOINT_FIXED && !joint_is_scalar(type)) return 0;
  }
  return 1;
}

// A stage for every joint that moves. The first starts at the parent link, the last ends at the
// link; between them lies the body's frame, as far as it has been moved.
static void place_stages(HeftTree* t, const HeftModel* m, Link* link, HeftPose before,
                         HeftPose frame) {
  const HeftPose body = heft_pose_identity();
  int dof = link->dof;
  link->stage = t->stage_count;
  HEFT_ASSERT(link->dof_count > 0);
  for (int j = link->joint; j < link->joint + link->joint_count; ++j) {
    if (m->joint_type[j] == HEFT_JOINT_FIXED) continue;
    const HeftVec3 axis = heft_vec3_normalize(heft_vec3_from(m->joint_axis + 3L * j));
    const HeftPose from = dof == link->dof ? before : body;
    const HeftPose to = dof == link->dof + link->dof_count - 1 ? frame : body;
    ChainStage* stage = &t->stage[t->stage_count++];
    HEFT_ASSERT(t->stage_count <= count_stages(m));
    *stage = (ChainStage){.q = m->joint_q[j],
                          .dof = dof++,
                          .q_origin = m->q_default[m->joint_q[j]],
                          .is_hinge = m->joint_type[j] == HEFT_JOINT_HINGE};
    if (stage->is_hinge) {
      set_hinge(stage, from, to, heft_vec3_from(m->joint_pos + 3L * j), axis);
    } else {
      set_slide(stage, from, to, axis);
    }
  }
  HEFT_ASSERT(dof == link->dof + link->dof_count);
}

// 1 if a free joint is all that moves the link.
static int is_free(const HeftModel* m, const Link* link) {
  for (int j = link->joint; j < link->joint + link->joint_count; ++j) {
    if (m->joint_type[j] == HEFT_JOINT_FREE) return link->dof_count == 6;
  }
  return 0;
}

static void place_joints(HeftTree* t, const HeftModel* m, const Scratch* s) {
  for (int k = 1; k < t->nlink; ++k) {
    Link* link = &t->link[k];
    const HeftPose above = to_pose(&t->body_in_link[m->body_parent[link->body]]);
    const HeftPose before = heft_pose_mul(above, rest_pose(m, link->body)), frame = s->frame[k];
    link->before = to_columns(before.rot, before.pos);
    link->after = to_columns(frame.rot, frame.pos);
    if (link->kind == LINK_MOVED) continue;
    if (is_chain(m, link)) {
      link->kind = LINK_CHAIN;
      place_stages(t, m, link, before, frame);
    } else {
      link->kind = is_free(m, link) ? LINK_FREE : LINK_GENERAL;
    }
  }
}

// How many numbers from the first follow each other without a gap, by fours.
static int successive(const int* path, int count) {
  int run = 0;
  while (run < count && path[run] == path[0] + run) ++run;
  return run / 4 * 4;
}

// The path of every dof from the root of its tree. Returns how many numbers all rows have.
static int write_paths(HeftTree* t) {
  int row = 0;
  t->deepest = 0;
  for (int k = 1; k < t->nlink; ++k) {
    const Link* link = &t->link[k];
    const Link* above = &t->link[link->parent];
    HEFT_ASSERT(link->parent >= 0 && link->parent < k);
    for (int d = link->dof; d < link->dof + link->dof_count; ++d) {
      const int parent = d > link->dof      ? d - 1
                         : link->parent > 0 ? above->dof + above->dof_count - 1
                                            : -1;
      HEFT_ASSERT(parent < d);
      t->dof_link[d] = k;
      t->dof_parent[d] = parent;
      t->dof_depth[d] = parent >= 0 ? t->dof_depth[parent] + 1 : 0;
      HEFT_ASSERT(t->dof_depth[d] <= d);
      t->row[d] = row;
      const int length = t->dof_depth[d] + 1, padded = (length + 3) / 4 * 4;
      if (length > t->deepest) t->deepest = length;
      if (parent >= 0)
        memcpy(t->path + row, t->path + t->row[parent], (size_t)(length - 1) * sizeof(int));
      for (int i = length - 1; i < padded; ++i) t->path[row + i] = d;
      t->dof_run[d] = successive(t->path + row, length - 1);
      HEFT_ASSERT(t->dof_run[d] % 4 == 0 && t->dof_run[d] <= length - 1);
      row += padded;
    }
  }
  return row;
}

// The three turns of a ball (also of a free joint) share the frame that moves with all of them.
static void group_dofs(HeftTree* t, const HeftModel* m) {
  for (int d = 0; d < m->nv; ++d) t->dof_group[d] = 1;
  for (int j = 0; j < m->njoint; ++j) {
    const int rotation = joint_rotation(m->joint_type[j]);
    if (rotation >= 0) t->dof_group[m->joint_dof[j] + rotation] = 3;
  }
}

// Cuts the trees into groups of GROUP_LINKS links or a few more. A group may begin at a root if no
// later link belongs to a tree before it. `last` is scratch (nlink): the last link of each tree.
static void group_trees(HeftTree* t, int* last) {
  for (int k = 1; k < t->nlink; ++k) last[t->link[k].root] = k;
  int far = 0, stage = 0, dof = 0;
  t->group_count = 0;
  for (int k = 1; k < t->nlink; ++k) {
    const Link* link = &t->link[k];
    HEFT_ASSERT(link->root > 0 && link->root <= k);
    const int begun = t->group_count > 0;
    if (!begun || (far < k && k - t->group[t->group_count - 1].link >= GROUP_LINKS))
      t->group[t->group_count++] = (TreeGroup){.link = k, .dof = dof, .stage = stage};
    if (last[link->root] > far) far = last[link->root];
    dof += link->dof_count;
    stage += link->kind == LINK_CHAIN ? link->dof_count : 0;
  }
  t->group[t->group_count] = (TreeGroup){.link = t->nlink, .dof = dof, .stage = stage};
  HEFT_ASSERT(t->group_count <= t->nlink / GROUP_LINKS + 1);
}

// Links of each group by distance from the root; among equals the earlier one first. `depth` is
// scratch (nlink).
static void order_breadth(HeftTree* t, int* depth) {
  depth[0] = t->breadth[0] = 0;
  for (int k = 1; k < t->nlink; ++k) depth[k] = depth[t->link[k].parent] + 1;
  for (int g = 0, next = 1; g < t->group_count; ++g) {
    const int first = t->group[g].link, end = t->group[g + 1].link;
    for (int level = 1; next < end; ++level) {
      for (int k = first; k < end; ++k) {
        if (depth[k] == level) t->breadth[next++] = k;
      }
    }
  }
}

// Numbers the dofs of each tree from zero, dofs of nodes after the others.
static void number_dofs(HeftTree* t) {
  memset(t->tree_dofs, 0, (size_t)t->nlink * sizeof *t->tree_dofs);
  for (int nodes = 0; nodes < 2; ++nodes) {
    for (int d = 0; d < t->nv; ++d) {
      const Link* link = &t->link[t->dof_link[d]];
      HEFT_ASSERT(t->dof_link[d] > 0);
      if ((link->deformable >= 0) != nodes) continue;
      int* count = &t->tree_dofs[link->root];
      t->dof_local[d] = (*count)++;
      if (*count > t->largest_tree && !nodes) t->largest_tree = *count;
    }
  }
}

// The elimination of a group: deepest first; among equals the later one first.
static void order_group(HeftTree* t, int first, int end) {
  int deepest = 0;
  for (int d = first; d < end; ++d) deepest = t->dof_depth[d] > deepest ? t->dof_depth[d] : deepest;
  for (int depth = deepest; depth >= 0; --depth) {
    for (int d = end - 1; d >= first; --d) {
      if (t->dof_depth[d] == depth && t->link[t->dof_link[d]].kind != LINK_FREE)
        t->elimination[t->eliminated++] = d;
    }
  }
}

// Free links come after all others of their group.
static void order_elimination(HeftTree* t) {
  t->eliminated = t->free_count = 0;
  for (int g = 0; g <= t->group_count; ++g) {
    TreeGroup* group = &t->group[g];
    group->eliminated = t->eliminated;
    group->free = t->free_count;
    if (g == t->group_count) return;
    order_group(t, group->dof, group[1].dof);
    for (int k = group->link; k < group[1].link; ++k) {
      if (t->link[k].kind == LINK_FREE) t->free_link[t->free_count++] = k;
    }
  }
}

// The inertia that dof (axis about anchor) has to move at q_default.
static double dof_inertia(const HeftInertia* composite, HeftVec3 axis, HeftVec3 anchor, int turns) {
  if (!turns) return composite->mass * heft_vec3_dot(axis, axis);
  HEFT_ASSERT(!(composite->mass < 0));
  const HeftVec3 speed = heft_vec3_cross(axis, heft_vec3_sub(composite->com, anchor));
  return composite->mass * heft_vec3_dot(speed, speed) +
         heft_vec3_dot(axis, heft_sym3_mul_vec(composite->inertia, axis));
}

static HeftPose default_pose(const HeftTree* t, const HeftModel* m, const Scratch* s, int k) {
  const Link* link = &t->link[k];
  if (link->kind == LINK_FREE) {
    const double* q = m->q_default + link->q;
    return heft_pose(heft_vec3_from(q), heft_quat_normalize(heft_quat_from(q + 3)));
  }
  const HeftPose above =
      heft_pose_mul(s->at_default[link->parent], s->in_effector[m->body_parent[link->body]]);
  return heft_pose_mul(above, rest_pose(m, link->body));
}

// A dof that moves nothing would make the mass matrix singular: refuse it here, by name.
static HeftStatus check_inertias(const HeftTree* t, const HeftModel* m, Scratch* s,
                                 HeftError* error) {
  s->at_default[0] = heft_pose_identity();
  for (int k = 1; k < t->nlink; ++k) {
    s->at_default[k] = default_pose(t, m, s, k);
    s->composite[k] = heft_inertia_transform(s->inertia[k], s->at_default[k]);
  }
  for (int k = t->nlink - 1; k > 0; --k) {
    const Link* link = &t->link[k];
    if (link->parent > 0)
      s->composite[link->parent] = heft_inertia_add(s->composite[link->parent], s->composite[k]);
  }
  for (int k = 1; k < t->nlink; ++k) {
    const Link* link = &t->link[k];
    int d = link->dof;
    for (int j = link->joint; j < link->joint + link->joint_count; ++j) {
      JointAxis axes[6];
      const int count = heft_joint_axes(m, j, axes);
      const HeftVec3 anchor =
          heft_pose_apply(s->at_default[k], m->joint_type[j] == HEFT_JOINT_FREE
                                                ? heft_vec3(0, 0, 0)
                                                : heft_vec3_from(m->joint_pos + 3L * j));
      for (int i = 0; i < count; ++i, ++d) {
        const HeftVec3 axis = heft_mat3_mul_vec(s->at_default[k].rot, axes[i].axis);
        const double inertia =
            dof_inertia(&s->composite[k], axis, anchor, axes[i].turns) + m->dof_armature[d];
        HEFT_ASSERT(d < m->nv);
        if (inertia > smallest_dof_inertia) continue;
        return heft_error_set(
            error, HEFT_ERR_VALUE,
            "joint %d '%s' of body '%s' moves no inertia (%g); give the body mass and moments of "
            "inertia, or the joint an armature",
            j, m->names + m->joint_name[j], m->names + m->body_name[link->body], inertia);
      }
    }
  }
  return HEFT_OK;
}

static int body_of_wrap(const HeftModel* m, int i) {
  const int object = m->wrap_object[i];
  switch (m->wrap_type[i]) {
    case HEFT_WRAP_JOINT:
      return m->joint_body[object];
    case HEFT_WRAP_SITE:
      return m->site_body[object];
    case HEFT_WRAP_SHAPE:
      return m->shape_body[object];
    case HEFT_WRAP_PULLEY:
    case HEFT_WRAP_TYPE_COUNT:
      break;
  }
  return 0;
}

static HeftStatus check_nodes(const HeftTree* t, const HeftModel* m, HeftError* error) {
  for (int k = 1; k < t->nlink; ++k) {
    const int parent = t->link[k].parent;
    if (parent > 0 && t->link[parent].deformable >= 0)
      return heft_error_set(error, HEFT_ERR_VALUE,
                            "body '%s' hangs on a node of a deformable body by a joint; connect it "
                            "by an equality",
                            m->names + m->body_name[t->link[k].body]);
  }
  for (int i = 0; i < m->nwrap; ++i) {
    const int body = body_of_wrap(m, i);
    if (t->link[t->body_link[body]].deformable >= 0)
      return heft_error_set(error, HEFT_ERR_VALUE,
                            "a tendon pulls at body '%s', a node of a deformable body, which is "
                            "not possible; let it pull at a body that holds nodes",
                            m->names + m->body_name[body]);
  }
  for (int d = 0; d < m->ndeformable; ++d) {
    if (t->link[t->bond_link[d]].deformable >= 0)
      return heft_error_set(error, HEFT_ERR_VALUE,
                            "deformable body '%s' is held by a node of a deformable body; connect "
                            "the nodes by an equality",
                            m->names + m->deformable_name[d]);
  }
  return HEFT_OK;
}

static HeftStatus derive(HeftTree* t, const HeftModel* m, Scratch* s, HeftError* error) {
  gather_links(t, m, s);
  HeftStatus status = gather_nodes(t, m, error);
  if (status == HEFT_OK) status = check_nodes(t, m, error);
  if (status != HEFT_OK) return status;
  place_frames(t, m, s);
  gather_lift(t, m);
  place_joints(t, m, s);
  group_trees(t, s->depth);
  order_breadth(t, s->depth);
  t->row_count = write_paths(t);
  HEFT_ASSERT(t->row_count % 4 == 0);
  number_dofs(t);
  group_dofs(t, m);
  order_elimination(t);
  HEFT_ASSERT(t->eliminated + 6 * t->free_count == t->nv);
  return check_inertias(t, m, s, error);
}

// Dofs on all paths, without the tree: what write_paths() will come to, so that one block can hold
// all.
static int count_rows(const HeftModel* m, int max, int* depth_of_body) {
  long long row = 0;
  for (int b = 0; b < m->nbody; ++b) {
    const int count = b > 0 ? body_dof_count(m, b) : 0;
    const int above = b > 0 ? depth_of_body[m->body_parent[b]] : 0;
    depth_of_body[b] = above + count;
    HEFT_ASSERT(depth_of_body[b] >= above);
    for (int i = above + 1; i <= above + count; ++i) row += (i + 3LL) / 4 * 4;
    if (row > max) return -1;
  }
  return (int)row;
}

HeftModelLimits heft_model_limits_default(void) {
  return (HeftModelLimits){.dofs = INT_MAX, .mass_entries = 1 << 30};
}

HeftStatus heft_tree_create(HeftTree** out, const HeftModel* model, HeftModelLimits limits,
                            const HeftAllocator* allocator, HeftError* error) {
  *out = NULL;
  if (model->nv > limits.dofs)
    return heft_error_set(
        error, HEFT_ERR_LIMIT,
        "the model has %d degrees of freedom, at most %d are allowed; raise the limit dofs",
        model->nv, limits.dofs);
  const int nlink = count_links(model);
  Arena scratch_size = arena_measure();
  HEFT_ASSERT(nlink >= 1 && nlink <= model->nbody);
  Scratch s = {0};
  place_scratch(&s, &scratch_size, model->nbody, nlink);
  void* scratch = allocator->allocate(allocator->user, scratch_size.used, ARENA_ALIGNMENT);
  if (!scratch)
    return heft_error_set(error, HEFT_ERR_MEMORY, "no memory to derive the tree of a model");
  Arena scratch_arena = arena_make(scratch, scratch_size.used, NULL);
  place_scratch(&s, &scratch_arena, model->nbody, nlink);
  const int row_count = count_rows(model, limits.mass_entries, s.depth);

  HeftStatus status = HEFT_OK;
  Arena measure = arena_measure();
  HeftTree measured;
  HeftTree* tree = NULL;
  if (row_count < 0) {
    status = heft_error_set(
        error, HEFT_ERR_LIMIT,
        "the mass matrix of this model has more than %d entries; raise the limit mass_entries",
        limits.mass_entries);
  } else {
    arena_take(&measure, 1, HeftTree);
    place_tree(&measured, &measure, model, nlink, row_count);
    tree = allocator->allocate(allocator->user, measure.used, ARENA_ALIGNMENT);
    if (!tree) status = heft_error_set(error, HEFT_ERR_MEMORY, "no memory for the tree of a model");
  }
  if (tree) {
    memset(tree, 0, measure.used);
    Arena arena = arena_make(tree, measure.used, NULL);
    arena_take(&arena, 1, HeftTree);
    place_tree(tree, &arena, model, nlink, row_count);
    HEFT_ASSERT(!arena.overflow && arena.used == measure.used);
    tree->nbody = model->nbody;
    tree->nv = model->nv;
    tree->memory_size = measure.used;
    status = derive(tree, model, &s, error);
    if (status != HEFT_OK) {
      heft_tree_destroy(tree, allocator);
      tree = NULL;
    }
  }
  allocator->release(allocator->user, scratch, scratch_size.used);
  *out = tree;
  return status;
}

void heft_tree_destroy(HeftTree* tree, const HeftAllocator* allocator) {
  if (tree) allocator->release(allocator->user, tree, tree->memory_size);
}
