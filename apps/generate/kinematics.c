// SPDX-License-Identifier: Apache-2.0
// Kinematics in expressions: see src/dynamics/kinematics.c.
#include "generate/robot.h"
#include "model/tree.h"

// ---- hinges and slides

// One number of E0 + s E1 + c E2.
static Num relative_entry(Graph* g, const ChainStage* stage, int column, int row, Num s, Num c) {
  const Num first = num_mul(g, num_const(g, stage->e1.c[column][row]), s);
  const Num second = num_mul(g, num_const(g, stage->e2.c[column][row]), c);
  return num_add(g, num_add(g, num_const(g, stage->e0.c[column][row]), first), second);
}

// Operations on numbers that a column needs: none for those that are a sine or a cosine.
static int column_cost(const ChainStage* stage, int column) {
  int cost = 0;
  for (int r = 0; r < 3; ++r) {
    const double e[3] = {stage->e0.c[column][r], stage->e1.c[column][r],
                         stage->is_hinge ? stage->e2.c[column][r] : 0};
    const int terms = (e[0] != 0) + (e[1] != 0) + (e[2] != 0);
    cost += terms > 1 ? terms - 1 : 0;
    cost += (e[1] != 0 && e[1] != 1 && e[1] != -1) + (e[2] != 0 && e[2] != 1 && e[2] != -1);
  }
  return cost;
}

static Vec vec_from(Graph* g, const double* v) { return vec_const(g, v[0], v[1], v[2]); }

// A column of the relative pose: number by number if that needs fewer operations.
static void relative_column(Graph* g, const ChainStage* stage, int column, Num s, Num c,
                            Num out[3]) {
  if (column_cost(stage, column) <= 4) {
    for (int r = 0; r < 3; ++r) out[r] = relative_entry(g, stage, column, r, s, c);
    return;
  }
  const Vec sum = vec_add(g, vec_from(g, stage->e0.c[column]),
                          vec_scale(g, vec_from(g, stage->e1.c[column]), s));
  const Vec all = vec_add(g, sum, vec_scale(g, vec_from(g, stage->e2.c[column]), c));
  for (int r = 0; r < 3; ++r) out[r] = vec_lane(g, all, r);
}

static PoseOf compose_stage(Robot* robot, const ChainStage* stage, int hinge, PoseOf above) {
  Graph* g = &robot->graph;
  Num s = num_sub(g, num_leaf(g, "q[%d]", stage->q), num_const(g, stage->q_origin));
  Num c = num_const(g, 0);
  if (hinge >= 0) {
    s = num_leaf(g, "sine[%d]", hinge);
    c = num_leaf(g, "cosine[%d]", hinge);
  }
  PoseOf out;
  Num x[3];
  for (int j = 0; j < 3; ++j) {
    relative_column(g, stage, j, s, c, x);
    out.rot[j] = vec_combine(g, above.rot, x[0], x[1], x[2]);
  }
  relative_column(g, stage, 3, s, c, x);
  out.pos = vec_add(g, above.pos, vec_combine(g, above.rot, x[0], x[1], x[2]));
  return out;
}

static PairOf stage_axis(Graph* g, const ChainStage* stage, const PoseOf* pose) {
  const Vec direction = vec_mul_mat(g, pose->rot, stage->axis);
  const Vec arm = vec_mul_mat(g, pose->rot, stage->arm);
  return (PairOf){direction, vec_add(g, arm, vec_cross(g, pose->pos, direction))};
}

static void chain_pose(Robot* robot, int k) {
  const HeftTree* t = robot->model->tree;
  const Link* link = &t->link[k];
  PoseOf pose = robot->pose[link->parent];
  const int last = link->stage + link->dof_count - 1;
  for (int n = link->stage; n <= last; ++n) {
    pose = compose_stage(robot, &t->stage[n], robot->hinge[n], pose);
    if (n < last) robot->axis[t->stage[n].dof] = stage_axis(&robot->graph, &t->stage[n], &pose);
  }
  robot->pose[k] = pose;
}

// ---- free joints

// R diag by twice the products of the quaternion, which need not be of unit length.
static PoseOf pose_of_coordinates(Graph* g, int q) {
  Num at[7];
  for (int i = 0; i < 7; ++i) at[i] = num_leaf(g, "q[%d]", q + i);
  const Num w = at[3], x = at[4], y = at[5], z = at[6], one = num_const(g, 1);
  const Num square =
      num_add(g, num_add(g, num_add(g, num_mul(g, w, w), num_mul(g, x, x)), num_mul(g, y, y)),
              num_mul(g, z, z));
  const Num scale = num_div(g, num_const(g, 2), square);
  const Num sx = num_mul(g, scale, x), sy = num_mul(g, scale, y), sz = num_mul(g, scale, z),
            sw = num_mul(g, scale, w);
  const Num xx = num_mul(g, sx, x), yy = num_mul(g, sy, y), zz = num_mul(g, sz, z);
  const Num xy = num_mul(g, sx, y), xz = num_mul(g, sx, z), yz = num_mul(g, sy, z);
  const Num wx = num_mul(g, sw, x), wy = num_mul(g, sw, y), wz = num_mul(g, sw, z);
  return (PoseOf){
      {vec_set3(g, num_sub(g, one, num_add(g, yy, zz)), num_add(g, xy, wz), num_sub(g, xz, wy)),
       vec_set3(g, num_sub(g, xy, wz), num_sub(g, one, num_add(g, xx, zz)), num_add(g, yz, wx)),
       vec_set3(g, num_add(g, xz, wy), num_sub(g, yz, wx), num_sub(g, one, num_add(g, xx, yy)))},
      vec_set3(g, at[0], at[1], at[2])};
}

static void free_pose(Robot* robot, int k) {
  Graph* g = &robot->graph;
  const Link* link = &robot->model->tree->link[k];
  const PoseOf body = pose_of_coordinates(g, link->q);
  PoseOf* out = &robot->pose[k];
  for (int j = 0; j < 3; ++j) out->rot[j] = vec_mul_mat(g, body.rot, link->after.c[j]);
  out->pos = vec_add(g, body.pos, vec_mul_mat(g, body.rot, link->after.c[3]));
  const Vec from_com = vec_sub(g, body.pos, out->pos);
  PairOf* axis = robot->axis + link->dof;
  for (int i = 0; i < 3; ++i) {
    axis[i] = (PairOf){vec_zero(g), vec_const(g, i == 0, i == 1, i == 2)};
    axis[i + 3] = (PairOf){body.rot[i], vec_cross(g, from_com, body.rot[i])};
  }
}

// ---- all other joints, one after the other, in numbers

typedef struct NumPose {
  Num rot[3][3], pos[3];  ///< row-major
} NumPose;

// heft_vec3_dot
static Num dot(Graph* g, const Num* a, const Num* b) {
  return num_add(g, num_add(g, num_mul(g, a[0], b[0]), num_mul(g, a[1], b[1])),
                 num_mul(g, a[2], b[2]));
}

static void apply_rotation(Graph* g, Num rot[3][3], const Num v[3], Num out[3]) {
  Num made[3];
  for (int i = 0; i < 3; ++i) made[i] = dot(g, rot[i], v);
  for (int i = 0; i < 3; ++i) out[i] = made[i];
}

// heft_pose_mul
static NumPose multiply(Graph* g, NumPose a, NumPose b) {
  NumPose out;
  for (int j = 0; j < 3; ++j) {
    Num column[3] = {b.rot[0][j], b.rot[1][j], b.rot[2][j]};
    apply_rotation(g, a.rot, column, column);
    for (int i = 0; i < 3; ++i) out.rot[i][j] = column[i];
  }
  apply_rotation(g, a.rot, b.pos, out.pos);
  for (int i = 0; i < 3; ++i) out.pos[i] = num_add(g, out.pos[i], a.pos[i]);
  return out;
}

static NumPose numbers_from_pose(Graph* g, const PoseOf* x) {
  NumPose out;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) out.rot[i][j] = vec_lane(g, x->rot[j], i);
    out.pos[i] = vec_lane(g, x->pos, i);
  }
  return out;
}

static PoseOf pose_from_numbers(Graph* g, const NumPose* x) {
  PoseOf out;
  for (int j = 0; j < 3; ++j) out.rot[j] = vec_set3(g, x->rot[0][j], x->rot[1][j], x->rot[2][j]);
  out.pos = vec_set3(g, x->pos[0], x->pos[1], x->pos[2]);
  return out;
}

static NumPose numbers_from_columns(Graph* g, const Columns* x) {
  NumPose out;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) out.rot[i][j] = num_const(g, x->c[j][i]);
    out.pos[i] = num_const(g, x->c[3][i]);
  }
  return out;
}

// heft_quat_to_mat3, about an anchor. quat: w, x, y, z.
static NumPose turn_about(Graph* g, HeftVec3 anchor, const Num quat[4]) {
  const Num w = quat[0], x = quat[1], y = quat[2], z = quat[3], one = num_const(g, 1),
            two = num_const(g, 2);
  const Num xx = num_mul(g, x, x), yy = num_mul(g, y, y), zz = num_mul(g, z, z);
  const Num xy = num_mul(g, x, y), xz = num_mul(g, x, z), yz = num_mul(g, y, z);
  const Num wx = num_mul(g, w, x), wy = num_mul(g, w, y), wz = num_mul(g, w, z);
#define DIAGONAL(a, b) num_sub(g, one, num_mul(g, two, num_add(g, a, b)))
  NumPose out = {
      {{DIAGONAL(yy, zz), num_mul(g, two, num_sub(g, xy, wz)), num_mul(g, two, num_add(g, xz, wy))},
       {num_mul(g, two, num_add(g, xy, wz)), DIAGONAL(xx, zz), num_mul(g, two, num_sub(g, yz, wx))},
       {num_mul(g, two, num_sub(g, xz, wy)), num_mul(g, two, num_add(g, yz, wx)),
        DIAGONAL(xx, yy)}},
      {{0}, {0}, {0}}};
#undef DIAGONAL
  const Num at[3] = {num_const(g, anchor.x), num_const(g, anchor.y), num_const(g, anchor.z)};
  Num turned[3];
  apply_rotation(g, out.rot, at, turned);
  for (int i = 0; i < 3; ++i) out.pos[i] = num_sub(g, at[i], turned[i]);
  return out;
}

static NumPose shift_by(Graph* g, HeftVec3 axis, Num distance) {
  NumPose out;
  const double a[3] = {axis.x, axis.y, axis.z};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) out.rot[i][j] = num_const(g, i == j);
    out.pos[i] = num_mul(g, distance, num_const(g, a[i]));
  }
  return out;
}

// The quaternion of a ball joint, by the library: its norm may be far from one.
static NumPose turn_ball(Robot* robot, int j, HeftVec3 anchor) {
  Graph* g = &robot->graph;
  const int q = robot->model->joint_q[j];
  robot_say(
      robot,
      "  const HeftQuat ball%d = heft_quat_normalize((HeftQuat){q[%d], q[%d], q[%d], q[%d]});\n", j,
      q, q + 1, q + 2, q + 3);
  const Num quat[4] = {num_leaf(g, "ball%d.w", j), num_leaf(g, "ball%d.x", j),
                       num_leaf(g, "ball%d.y", j), num_leaf(g, "ball%d.z", j)};
  return turn_about(g, anchor, quat);
}

// heft_quat_from_axis_angle; the half angle's sine and cosine come from the library.
static NumPose turn_axis(Robot* robot, int q, double zero, HeftVec3 anchor, HeftVec3 axis) {
  Graph* g = &robot->graph;
  robot_say(robot,
            "  double half_sine%d, half_cosine%d;\n"
            "  heft_sincos(0.5 * (q[%d] - %.17g), &half_sine%d, &half_cosine%d);\n",
            q, q, q, zero, q, q);
  const Num s = num_leaf(g, "half_sine%d", q), c = num_leaf(g, "half_cosine%d", q);
  const Num quat[4] = {c, num_mul(g, s, num_const(g, axis.x)), num_mul(g, s, num_const(g, axis.y)),
                       num_mul(g, s, num_const(g, axis.z))};
  return turn_about(g, anchor, quat);
}

static PairOf joint_axis(Graph* g, NumPose* body, HeftVec3 anchor, const JointAxis* axis) {
  const Num a[3] = {num_const(g, axis->axis.x), num_const(g, axis->axis.y),
                    num_const(g, axis->axis.z)};
  Num direction[3];
  apply_rotation(g, body->rot, a, direction);
  const Vec along = vec_set3(g, direction[0], direction[1], direction[2]);
  if (!axis->turns) return (PairOf){vec_zero(g), along};
  const Num at[3] = {num_const(g, anchor.x), num_const(g, anchor.y), num_const(g, anchor.z)};
  Num through[3], cross[3];
  apply_rotation(g, body->rot, at, through);
  for (int i = 0; i < 3; ++i) through[i] = num_add(g, through[i], body->pos[i]);
  for (int i = 0; i < 3; ++i) {  // heft_vec3_cross
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    cross[i] =
        num_sub(g, num_mul(g, through[j], direction[k]), num_mul(g, through[k], direction[j]));
  }
  return (PairOf){along, vec_set3(g, cross[0], cross[1], cross[2])};
}

static NumPose pass_joint(Robot* robot, int j, NumPose body, PairOf* axis) {
  Graph* g = &robot->graph;
  const HeftModel* m = robot->model;
  const int q = m->joint_q[j], is_ball = m->joint_type[j] == HEFT_JOINT_BALL;
  const HeftVec3 anchor = heft_vec3_from(m->joint_pos + 3L * j);
  JointAxis axes[6];
  const int count = heft_joint_axes(m, j, axes);
  if (is_ball) body = multiply(g, body, turn_ball(robot, j, anchor));
  for (int i = 0; i < count; ++i) {
    axis[i] = joint_axis(g, &body, anchor, &axes[i]);
    if (is_ball) continue;
    const double zero = m->q_default[q + i];
    const Num distance = num_sub(g, num_leaf(g, "q[%d]", q + i), num_const(g, zero));
    body = multiply(g, body,
                    axes[i].turns ? turn_axis(robot, q + i, zero, anchor, axes[i].axis)
                                  : shift_by(g, axes[i].axis, distance));
  }
  return body;
}

static void general_pose(Robot* robot, int k) {
  Graph* g = &robot->graph;
  const HeftModel* m = robot->model;
  const Link* link = &m->tree->link[k];
  NumPose body = multiply(g, numbers_from_pose(g, &robot->pose[link->parent]),
                          numbers_from_columns(g, &link->before));
  int dof = link->dof;
  for (int j = link->joint; j < link->joint + link->joint_count; ++j) {
    body = pass_joint(robot, j, body, robot->axis + dof);
    dof += heft_joint_type_dof_count(m->joint_type[j]);
  }
  body = multiply(g, body, numbers_from_columns(g, &link->after));
  robot->pose[k] = pose_from_numbers(g, &body);
}

// ---- the section

// The root of a tree lies at its own origin; axes that were written about the world's move there.
static void start_tree(Robot* robot, int k) {
  Graph* g = &robot->graph;
  const Link* link = &robot->model->tree->link[k];
  const Vec origin = robot->pose[k].pos;
  const int moved = link->dof_count - (link->kind == LINK_CHAIN);
  PairOf* axis = robot->axis + link->dof;
  for (int i = 0; i < moved && link->kind != LINK_FREE; ++i)
    axis[i].lin = vec_sub(g, axis[i].lin, vec_cross(g, origin, axis[i].ang));
  robot->origin[k] = origin;
  robot->pose[k].pos = vec_zero(g);
}

static void turn_inertia(Robot* robot, int k) {
  Graph* g = &robot->graph;
  const double* inertia = robot->model->tree->link[k].inertia;
  const Vec* rot = robot->pose[k].rot;
  Vec scaled[3];
  for (int i = 0; i < 3; ++i) scaled[i] = vec_scale(g, rot[i], num_const(g, inertia[i]));
  for (int j = 0; j < 3; ++j)
    robot->spin[k][j] = vec_combine(g, scaled, vec_lane(g, rot[0], j), vec_lane(g, rot[1], j),
                                    vec_lane(g, rot[2], j));
}

// Sines and cosines of all hinges by one call.
static void turn_stages(Robot* robot) {
  const HeftTree* t = robot->model->tree;
  int count = 0;
  for (int n = 0; n < t->stage_count; ++n) robot->hinge[n] = t->stage[n].is_hinge ? count++ : -1;
  if (count == 0) return;
  robot_say(robot, "  double angle[%d], sine[%d], cosine[%d];\n", count, count, count);
  for (int n = 0; n < t->stage_count; ++n) {
    const ChainStage* stage = &t->stage[n];
    if (!stage->is_hinge) continue;
    if (stage->q_origin == 0)
      robot_say(robot, "  angle[%d] = q[%d];\n", robot->hinge[n], stage->q);
    else
      robot_say(robot, "  angle[%d] = q[%d] - %.17g;\n", robot->hinge[n], stage->q,
                stage->q_origin);
  }
  robot_say(robot, "  heft_sincos_many(%d, angle, sine, cosine);\n", count);
}

void robot_kinematics(Robot* robot) {
  Graph* g = &robot->graph;
  const HeftTree* t = robot->model->tree;
  turn_stages(robot);
  robot->pose[0] =
      (PoseOf){{vec_const(g, 1, 0, 0), vec_const(g, 0, 1, 0), vec_const(g, 0, 0, 1)}, vec_zero(g)};
  robot->origin[0] = vec_zero(g);
  for (int n = 0; n < t->nlink; ++n) {
    const int k = t->breadth[n];
    const Link* link = &t->link[k];
    if (link->kind == LINK_WORLD) continue;
    if (link->kind == LINK_CHAIN) {
      chain_pose(robot, k);
    } else if (link->kind == LINK_FREE) {
      free_pose(robot, k);
    } else {
      general_pose(robot, k);
    }
    if (link->root == k) start_tree(robot, k);
    const int last = link->dof_count - 1;
    if (link->kind == LINK_CHAIN)
      robot->axis[link->dof + last] = stage_axis(g, &t->stage[link->stage + last], &robot->pose[k]);
    turn_inertia(robot, k);
  }
}
