// SPDX-License-Identifier: Apache-2.0
// Papers: R11.
// Gathering the constraints of a step.
//
// A contact point between links a and b at the point x, with normal n from a to b, has the velocity
// u = X_b V_b - X_a V_a with X = ((x - O) × f, f) for the directions f = n, t1, t2, and X = (f, 0)
// for spinning and rolling. Its normal row reads
//     gap > ε:  u_n + (gap - ε) / h >= 0      (it may close during the step, and no further)
//     else:     u_n >= 0,
// or u_n + e u_n⁻ >= 0 if it arrives within the step and fast enough to bounce (impacts.c).
// Bodies that meet later in the step (passage.c) feel it at different places of their own, which
// meet by then.
// If friction has two coefficients µ and a µ, along t1 and t2, the row of t2 is along a t2. The
// impulse a r_2 t2 then satisfies the elliptic law (r_1 / µ)² + (a r_2 / (a µ))² <= r_n² if r_1
// and r_2 are in the round cone of µ, and r · u is the same in both; so Coulomb's law with the
// greatest dissipation in the ellipse is the round law of these rows, and so is its certificate.
//
// Limits are the same with one row along a dof. Dry friction bounds an impulse by ± h times its
// force. Equalities keep the velocities of their points or frames equal. Position errors are
// corrected by correction.c.
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/assert.h"
#include "collision/blocked.h"
#include "dynamics/links.h"
#include "math/invariant.h"
#include "world/constraints.h"
#include "world/passage.h"
#include "world/slip_law.h"
#include "world/softness.h"
#include "world/static_friction.h"
#include "world/surface.h"

// The inputs of the gathering, and the set that it fills.
typedef struct Gathering {
  const StepInput* in;
  const HeftDynamics* dynamics;
  const WarmStart* warm;
  const HeftCollider* collider;
  double (*memory)[MODEL_MEMORY];  ///< of the contact model, or NULL
  ConstraintSet* set;
  HeftPool* pool;
  int* row_first;               ///< ranges of contact points: first row
  atomic_int* any_restitution;  ///< 1 if a contact point has restitution
} Gathering;

static void write_side(double* out, HeftVec3 arm, HeftVec3 along) {
  const HeftVec3 torque = heft_vec3_cross(arm, along);
  out[0] = torque.x;
  out[1] = torque.y;
  out[2] = torque.z;
  out[3] = along.x;
  out[4] = along.y;
  out[5] = along.z;
}

static void write_rotation(double* out, HeftVec3 about) {
  out[0] = about.x;
  out[1] = about.y;
  out[2] = about.z;
  out[3] = out[4] = out[5] = 0;
}

// ---- contact points

static HeftConstraintType contact_type(int dim) {
  switch (dim) {
    case 1:
      return HEFT_CONSTRAINT_FRICTIONLESS;
    case 4:
      return HEFT_CONSTRAINT_TORSIONAL;
    case 6:
      return HEFT_CONSTRAINT_FULL;
    default:
      return HEFT_CONSTRAINT_POINT;
  }
}

// Rows of one side of a contact point: three translations, then rotations (two rolling directions,
// then spin; only spin if there is no rolling). The static world has no side.
static void write_contact_side(ConstraintSet* set, const HeftDynamics* dynamics,
                               const Constraint* k, int side, HeftVec3 pos,
                               const HeftVec3 directions[3], double anisotropy) {
  double(*axis)[12] = set->axis + k->row;
  if (k->link[side] == 0) return;
  const HeftVec3 arm = heft_vec3_sub(pos, heft_link_origin(dynamics, k->link[side]));
  for (int r = 0; r < k->rows && r < 3; ++r) write_side(axis[r] + 6L * side, arm, directions[r]);
  if (anisotropy != 1 && k->rows > 2)
    write_side(axis[2] + 6L * side, arm, heft_vec3_scale(anisotropy, directions[2]));
  for (int r = 3; r < k->rows; ++r)
    write_rotation(axis[r] + 6L * side, directions[k->rows == 4 ? 0 : r == 5 ? 0 : r - 2]);
}

void heft_constraints_write_contact(ConstraintSet* set, const HeftDynamics* dynamics,
                                    const HeftContactPoint* contact_point, const Constraint* k) {
  HEFT_ASSERT(heft_is_unit(contact_point->normal) && heft_is_unit(contact_point->tangent1));
  HEFT_ASSERT(!(fabs(heft_vec3_dot(contact_point->normal, contact_point->tangent1)) > 1e-9));
  HEFT_ASSERT(contact_point->anisotropy > 0);
  const HeftVec3 forth[3] = {contact_point->normal, contact_point->tangent1,
                             contact_point->tangent2};
  const HeftVec3 back[3] = {heft_vec3_neg(contact_point->normal),
                            heft_vec3_neg(contact_point->tangent1),
                            heft_vec3_neg(contact_point->tangent2)};
  const HeftVec3 pos = contact_point->pos, offset = contact_point->offset;
  const double anisotropy = contact_point->anisotropy;
  write_contact_side(set, dynamics, k, 0, heft_vec3_add_scaled(pos, 0.5, offset), forth,
                     anisotropy);
  write_contact_side(set, dynamics, k, 1, heft_vec3_add_scaled(pos, -0.5, offset), back,
                     anisotropy);
}

// Compares a contact point of the last step with one of this step, in the order of the collider: by
// shapes, then by feature.
static int compare_shapes(const WarmContact* a, const HeftContactPoint* b) {
  if (a->name[0] != b->body_a) return a->name[0] < b->body_a ? -1 : 1;
  if (a->name[1] != b->body_b) return a->name[1] < b->body_b ? -1 : 1;
  if (a->name[3] != b->shape_b) return a->name[3] < b->shape_b ? -1 : 1;
  if (a->name[2] != b->shape_a) return a->name[2] < b->shape_a ? -1 : 1;
  return 0;
}

static int compare_contacts(const WarmContact* a, const HeftContactPoint* b) {
  const int shapes = compare_shapes(a, b);
  if (shapes != 0) return shapes;
  return a->feature == b->feature ? 0 : a->feature < b->feature ? -1 : 1;
}

static void take_warm(const Gathering* g, Constraint* k, const WarmContact* kept) {
  k->fresh = 0;
  if (kept->slips) k->mu_static = k->mu;
  heft_rows_copy(k, kept->impulse, g->set->warm + k->row);
  if (g->memory) memcpy(g->memory[k->source], kept->memory, sizeof *g->memory);
  HEFT_ASSERT(k->source >= 0 && k->source < g->set->contact_points.count);
}

// The first contact point of the last step that is not before this one, in the order of the
// collider.
static int first_from(const WarmStart* warm, const HeftContactPoint* contact_point) {
  int low = 0, high = warm->contact_count;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (compare_contacts(&warm->contact[middle], contact_point) < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  HEFT_ASSERT(low >= 0 && low <= warm->contact_count);
  return low;
}

static Constraint* write_contact(const Gathering* g, int index, int row) {
  ConstraintSet* set = g->set;
  const HeftContactPoint* contact_point = &set->contact_points.point[index];
  Constraint* k = heft_constraint_set_put(set, index, row, CONSTRAINT_CONTACT, index,
                                          contact_type(contact_point->dim));
  HEFT_ASSERT(k->rows <= HEFT_CONSTRAINT_ROWS_MAX && row + k->rows <= set->row_capacity);
  k->link[0] = contact_point->link_b;
  k->link[1] = contact_point->link_a;
  for (int s = 0; s < 2 && set->skin; ++s) {
    SkinSide* side = &set->skin[2 * index + s];
    k->skin[s] = heft_skin_side(g->collider, contact_point, s, side) ? 2 * index + s : -1;
  }
  k->mu = contact_point->kinetic;
  k->mu_static = contact_point->friction;
  k->mu_spin = contact_point->torsion;
  k->mu_roll = contact_point->rolling;
  k->gap = contact_point->gap;
  k->restitution = contact_point->restitution;
  k->fresh = 1;
  HEFT_ASSERT(!(k->mu < 0 || k->mu_static < 0 || k->mu_spin < 0 || k->mu_roll < 0));
  HEFT_ASSERT(!(k->restitution < 0 || k->restitution > 1));
  heft_constraints_write_contact(set, g->dynamics, contact_point, k);
  set->bias[row] = heft_contact_gap_speed(g->in, contact_point->gap);
  if (g->memory) memset(g->memory[index], 0, sizeof *g->memory);
  return k;
}

static void match_places(const Gathering* g, int first, int end);

// The constraints of a range of contact points. Its first row is known.
static void gather_range(void* arg, int first, int end) {
  const Gathering* g = arg;
  const WarmStart* warm = g->warm;
  const HeftContactPoint* points = g->set->contact_points.point;
  int row = g->row_first[first / CONSTRAINT_RANGE], restitution = 0;
  HEFT_ASSERT(g->row_first[first / CONSTRAINT_RANGE] >= 0);
  int old = first_from(warm, &points[first]);
  for (int i = first; i < end; ++i) {
    Constraint* k = write_contact(g, i, row);
    int order = 1;
    while (old < warm->contact_count &&
           (order = compare_contacts(&warm->contact[old], &points[i])) < 0)
      ++old;
    if (order == 0 && warm->contact[old].dim == points[i].dim) take_warm(g, k, &warm->contact[old]);
    restitution |= points[i].restitution > 0;
    row += k->rows;
  }
  HEFT_ASSERT(row <= g->set->row_count);
  if (restitution) atomic_store(g->any_restitution, 1);
  match_places(g, first, end);
}

// Counts the rows of a range.
static void count_range(void* arg, int first, int end) {
  const Gathering* g = arg;
  const HeftContactPoint* points = g->set->contact_points.point;
  int rows = 0;
  for (int i = first; i < end; ++i)
    rows += heft_constraint_type_row_count(contact_type(points[i].dim));
  g->row_first[first / CONSTRAINT_RANGE] = rows;
}

// Ranges of contact points share nothing but the rows before them, so their numbers are counted
// first.
static void gather_contacts(Gathering* g) {
  ConstraintSet* set = g->set;
  const int count = set->contact_points.count;
  atomic_int any_restitution = 0;
  g->any_restitution = &any_restitution;
  heft_pool_run_ranges(g->pool, count, CONSTRAINT_RANGE, count_range, g);
  for (int i = 0; i < (count + CONSTRAINT_RANGE - 1) / CONSTRAINT_RANGE; ++i) {
    const int rows = g->row_first[i];
    g->row_first[i] = set->row_count;
    set->row_count += rows;
  }
  HEFT_ASSERT(set->row_count <= set->row_capacity);
  heft_pool_run_ranges(g->pool, count, CONSTRAINT_RANGE, gather_range, g);
  set->count = count;
  HEFT_ASSERT(count <= set->capacity);
  set->any_restitution = atomic_load(&any_restitution);
}

// ---- contact points whose feature has changed
//
// Two boxes face to face change roles when rounding makes the other face the flatter one; all their
// contact points then have new features, at the same places. Without warm impulses a heap would
// have to be solved from zero. So a contact point without a match inherits the impulse of the
// contact point of the same shapes that was three times nearer than any neighbour.

static const double clearly = 9;  // the square of three

static double square_between(const double a[3], const double b[3]) {
  const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
  return x * x + y * y + z * z;
}

// The contact point first <= i < last of the last step that was at this place, or -1.
static int same_place(const WarmStart* warm, int first, int last,
                      const HeftContactPoint* contact_point) {
  const double pos[3] = {contact_point->pos.x, contact_point->pos.y, contact_point->pos.z};
  double nearest = HUGE_VAL, spacing = HUGE_VAL;
  int found = -1;
  for (int i = first; i < last; ++i) {
    const double square = square_between(warm->contact[i].pos, pos);
    if (square < nearest) {
      nearest = square;
      found = i;
    }
  }
  for (int i = first; i < last && found >= 0; ++i) {
    if (i != found)
      spacing = fmin(spacing, square_between(warm->contact[i].pos, warm->contact[found].pos));
  }
  return found >= 0 && clearly * nearest <= spacing &&
                 warm->contact[found].dim == contact_point->dim
             ? found
             : -1;
}

static void match_places(const Gathering* g, int first, int end) {
  const WarmStart* warm = g->warm;
  int old = -1;
  for (int i = first; i < end; ++i) {
    Constraint* k = &g->set->list[i];
    if (!k->fresh) continue;
    const HeftContactPoint* contact_point = &g->set->contact_points.point[i];
    if (old < 0) {  // back to the first contact point of these shapes
      old = first_from(warm, contact_point);
      while (old > 0 && compare_shapes(&warm->contact[old - 1], contact_point) == 0) --old;
    }
    while (old < warm->contact_count && compare_shapes(&warm->contact[old], contact_point) < 0)
      ++old;
    int last = old;
    while (last < warm->contact_count && compare_shapes(&warm->contact[last], contact_point) == 0)
      ++last;
    const int found = same_place(warm, old, last, contact_point);
    if (found >= 0) take_warm(g, k, &warm->contact[found]);
  }
}

// ---- joints

// A limit closer than this may be reached within about the step.
static double range_of(const StepInput* in, double speed) {
  return in->h * (2 * fabs(speed) + 0.1);
}

static void add_limit(const Gathering* g, int dof, int upper, double gap, const double direction[3],
                      int count) {
  ConstraintSet* c = g->set;
  Constraint* k =
      heft_constraint_set_add(c, CONSTRAINT_LIMIT, 2 * dof + upper, HEFT_CONSTRAINT_FRICTIONLESS);
  if (!k) return;
  HEFT_ASSERT(count >= 1 && count <= 3);
  for (int i = 0; i < count; ++i) {
    k->dof[i] = dof + i;
    c->axis[k->row][i] = direction[i];
  }
  k->gap = gap;
  k->restitution = g->in->model->joint_restitution[g->in->model->dof_joint[dof]];
  HEFT_ASSERT(!(k->restitution < 0 || k->restitution > 1));
  c->any_restitution |= k->restitution > 0;
  if (gap > 0) c->bias[k->row] = gap / g->in->h;
  c->warm[k->row] = g->warm->by_source[CONSTRAINT_LIMIT][k->source];
}

// The angle of a ball joint, and the direction in which it shrinks fastest. Returns the angle.
static double ball_angle(const double* q, double inwards[3]) {
  const HeftVec3 turn = heft_quat_log(heft_quat_from(q));
  const double angle = heft_vec3_norm(turn);
  inwards[0] = -turn.x / angle;
  inwards[1] = -turn.y / angle;
  inwards[2] = -turn.z / angle;
  return angle;
}

static void add_ball_limit(const Gathering* g, int joint) {
  const HeftModel* m = g->in->model;
  const int dof = m->joint_dof[joint];
  double inwards[3];
  const double angle = ball_angle(g->in->start->q + m->joint_q[joint], inwards);
  if (!(angle > 0)) return;
  const double gap = m->dof_range[2L * dof + 1] - angle, *v = g->in->start->v + dof;
  const double speed = inwards[0] * v[0] + inwards[1] * v[1] + inwards[2] * v[2];
  if (gap <= range_of(g->in, speed)) add_limit(g, dof, 1, gap, inwards, 3);
}

static void add_dof_limits(const Gathering* g, int dof, double q) {
  static const double up[3] = {1, 0, 0}, down[3] = {-1, 0, 0};
  const double* range = g->in->model->dof_range + 2L * dof;
  const double near = range_of(g->in, g->in->start->v[dof]);
  if (q - range[0] <= near) add_limit(g, dof, 0, q - range[0], up, 1);
  if (range[1] - q <= near) add_limit(g, dof, 1, range[1] - q, down, 1);
}

static void gather_limits(const Gathering* g) {
  const HeftModel* m = g->in->model;
  const double* q = g->in->start->q;
  for (int j = 0; j < m->njoint; ++j) {
    const HeftJointType type = m->joint_type[j];
    const int dof = m->joint_dof[j];
    switch (type) {
      case HEFT_JOINT_HINGE:
      case HEFT_JOINT_SLIDE:
        if (m->dof_limited[dof]) add_dof_limits(g, dof, q[m->joint_q[j]]);
        break;
      case HEFT_JOINT_BALL:
        if (m->dof_limited[dof]) add_ball_limit(g, j);
        break;
      case HEFT_JOINT_PLANAR:
      case HEFT_JOINT_UNIVERSAL:
      case HEFT_JOINT_CYLINDRICAL:
        for (int i = 0; i < heft_joint_type_dof_count(type); ++i) {
          if (m->dof_limited[dof + i]) add_dof_limits(g, dof + i, q[m->joint_q[j] + i]);
        }
        break;
      case HEFT_JOINT_FREE:
      case HEFT_JOINT_FIXED:
      case HEFT_JOINT_TYPE_COUNT:
        break;
    }
  }
}

static void gather_dry_friction(const Gathering* g) {
  const HeftModel* m = g->in->model;
  ConstraintSet* c = g->set;
  for (int i = 0; i < m->nv; ++i) {
    const double friction = m->dof_friction[i];
    if (friction == 0) continue;
    Constraint* k = heft_constraint_set_add(c, CONSTRAINT_DRY, i, HEFT_CONSTRAINT_BOX);
    if (!k) return;
    k->dof[0] = i;
    k->upper = g->in->h * friction;
    k->lower = -k->upper;
    HEFT_ASSERT(!(k->upper < 0));
    c->axis[k->row][0] = 1;
    c->warm[k->row] = g->warm->by_source[CONSTRAINT_DRY][i];
  }
}

// ---- equalities

static Constraint* add_equality_row(const Gathering* g, int source, double error) {
  ConstraintSet* c = g->set;
  Constraint* k =
      heft_constraint_set_add(c, CONSTRAINT_EQUALITY, source, HEFT_CONSTRAINT_BILATERAL);
  if (!k) return NULL;
  HEFT_ASSERT(source >= 0 && source < 6 * g->in->model->nequality);
  k->gap = error;
  c->warm[k->row] = g->warm->by_source[CONSTRAINT_EQUALITY][source];
  return k;
}

// The points of an equality between bodies, at the present kinematics.
static void find_points(const HeftModel* m, const HeftDynamics* dynamics, int e, HeftVec3 out[2]) {
  for (int s = 0; s < 2; ++s) {
    const HeftPose pose = heft_dynamics_body_pose(dynamics, m->equality_object[2L * e + s]);
    out[s] = heft_pose_apply(pose, heft_vec3_from(m->equality_anchor + 6L * e + 3L * s));
  }
}

static const HeftVec3 world_axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

// The three rows of a point, of which the first is given.
static void write_points(const HeftModel* m, const HeftDynamics* dynamics, int e,
                         const HeftVec3 points[2], double (*axis)[12]) {
  for (int s = 0; s < 2; ++s) {
    const int body = m->equality_object[2L * e + s];
    HEFT_ASSERT(body >= 0 && body < m->nbody);
    const HeftVec3 arm = heft_vec3_sub(points[s], heft_dynamics_tree_origin(dynamics, body));
    for (int i = 0; i < 3; ++i)
      write_side(axis[i] + 6L * s, arm, s == 0 ? world_axes[i] : heft_vec3_neg(world_axes[i]));
  }
}

// A point of body 1 stays at a point of body 2: three rows along the world's axes.
static void add_connect(const Gathering* g, int e) {
  const HeftModel* m = g->in->model;
  const int body1 = m->equality_object[2L * e], body2 = m->equality_object[2L * e + 1];
  HeftVec3 points[2];
  find_points(m, g->dynamics, e, points);
  const HeftVec3 error = heft_vec3_sub(points[0], points[1]);
  int first = 0;
  for (int i = 0; i < 3; ++i) {
    Constraint* k = add_equality_row(g, 6 * e + i, heft_vec3_dot(error, world_axes[i]));
    if (!k) return;
    k->link[0] = heft_body_mobile_link(m, body1);
    k->link[1] = heft_body_mobile_link(m, body2);
    first = i == 0 ? k->row : first;
  }
  write_points(m, g->dynamics, e, points, g->set->axis + first);
}

// The rotation of body 2 to its place relative to body 1.
static HeftVec3 weld_error(const HeftModel* m, const HeftDynamics* dynamics, int e) {
  const HeftPose pose1 = heft_dynamics_body_pose(dynamics, m->equality_object[2L * e]);
  const HeftPose pose2 = heft_dynamics_body_pose(dynamics, m->equality_object[2L * e + 1]);
  const double* quat = m->equality_quat + 4L * e;
  const HeftMat3 wanted = heft_mat3_mul(pose1.rot, heft_quat_to_mat3(heft_quat_from(quat)));
  return heft_quat_log(heft_quat_from_mat3(heft_mat3_mul(wanted, heft_mat3_transpose(pose2.rot))));
}

static void add_weld_rotation(const Gathering* g, int e) {
  const HeftModel* m = g->in->model;
  const int body1 = m->equality_object[2L * e], body2 = m->equality_object[2L * e + 1];
  const HeftVec3 error = weld_error(m, g->dynamics, e);
  for (int i = 0; i < 3; ++i) {
    Constraint* k = add_equality_row(g, 6 * e + 3 + i, heft_vec3_dot(error, world_axes[i]));
    if (!k) return;
    k->link[0] = heft_body_mobile_link(m, body1);
    k->link[1] = heft_body_mobile_link(m, body2);
    write_rotation(g->set->axis[k->row], world_axes[i]);
    write_rotation(g->set->axis[k->row] + 6, heft_vec3_neg(world_axes[i]));
  }
}

// How far a joint is from q_default.
static double joint_value(const HeftModel* m, const double* q, int joint) {
  return q[m->joint_q[joint]] - m->q_default[m->joint_q[joint]];
}

// The slope of the polynomial of an equality between joints.
static double joint_slope(const HeftModel* m, const double* q, int e) {
  const double* p = m->equality_poly + 5L * e;
  const double x = joint_value(m, q, m->equality_object[2L * e + 1]);
  return p[1] + x * (2 * p[2] + x * (3 * p[3] + x * 4 * p[4]));
}

// Joint 1 follows a polynomial of joint 2.
static double joint_error(const HeftModel* m, const double* q, int e) {
  const int j1 = m->equality_object[2L * e], j2 = m->equality_object[2L * e + 1];
  const double* p = m->equality_poly + 5L * e;
  const double x = j2 >= 0 ? joint_value(m, q, j2) : 0;
  const double value = p[0] + x * (p[1] + x * (p[2] + x * (p[3] + x * p[4])));
  return joint_value(m, q, j1) - value;
}

static void add_joint_equality(const Gathering* g, int e) {
  const HeftModel* m = g->in->model;
  const int j1 = m->equality_object[2L * e], j2 = m->equality_object[2L * e + 1];
  const double* q = g->in->start->q;
  Constraint* k = add_equality_row(g, 6 * e, joint_error(m, q, e));
  if (!k) return;
  k->dof[0] = m->joint_dof[j1];
  g->set->axis[k->row][0] = 1;
  if (j2 < 0) return;
  k->dof[1] = m->joint_dof[j2];
  g->set->axis[k->row][1] = -joint_slope(m, q, e);
}

// 1 if no motion of the two bodies changes the error of an equality: they belong to one link, or
// neither can be pushed.
static int is_rigid(const HeftModel* m, int e) {
  return heft_body_mobile_link(m, m->equality_object[2L * e]) ==
         heft_body_mobile_link(m, m->equality_object[2L * e + 1]);
}

static void gather_equalities(const Gathering* g) {
  const HeftModel* m = g->in->model;
  for (int e = 0; e < m->nequality; ++e) {
    if (!m->equality_active[e]) continue;
    switch (m->equality_type[e]) {
      case HEFT_EQUALITY_JOINT:
        add_joint_equality(g, e);
        break;
      case HEFT_EQUALITY_CONNECT:
        if (!is_rigid(m, e)) add_connect(g, e);
        break;
      case HEFT_EQUALITY_WELD:
        if (is_rigid(m, e)) break;
        add_connect(g, e);
        add_weld_rotation(g, e);
        break;
      case HEFT_EQUALITY_TENDON:  // world/actuation/tendon_constraints.c
      case HEFT_EQUALITY_TYPE_COUNT:
        break;
    }
  }
}

// ---- rows in the middle of the step

static void turn_row(ConstraintSet* set, const HeftModel* m, const HeftDynamics* dynamics,
                     const double* q, const Constraint* k) {
  double* axis = set->axis[k->row];
  if (k->kind == CONSTRAINT_LIMIT && k->dof[1] >= 0) {
    const int joint = m->dof_joint[k->dof[0]];
    ball_angle(q + m->joint_q[joint], axis);
  }
  if (k->kind != CONSTRAINT_EQUALITY || k->source % 6 != 0 || k->direction[0] >= 0) return;
  const int e = k->source / 6;
  if (k->dof[1] >= 0) axis[1] = -joint_slope(m, q, e);
  if (k->dof[0] >= 0) return;
  HeftVec3 points[2];
  find_points(m, dynamics, e, points);
  write_points(m, dynamics, e, points, set->axis + k->row);
}

void heft_constraints_turn(ConstraintSet* set, const StepInput* in, const HeftDynamics* dynamics,
                           const Drives* drives, const double* q) {
  for (int i = set->contact_point_count; i < set->count; ++i) {
    if (set->list[i].middle) turn_row(set, in->model, dynamics, q, &set->list[i]);
  }
  heft_tendon_constraints_turn(drives->tendon_constraints, dynamics, q, set);
}

// ---- equalities after the step

// Moved bodies stay where the step began until it ends: their equalities keep the linear error.
static int acts_on_moved(const HeftModel* m, const ConstraintSet* set, const Constraint* k) {
  int body[2];
  return heft_surface_bodies(m, set, k, body) &&
         (heft_body_is_moved(m, body[0]) || heft_body_is_moved(m, body[1]));
}

void heft_constraints_foresee(const ConstraintSet* set, const StepInput* in,
                              const HeftDynamics* dynamics, const double* q, double* out) {
  const HeftModel* m = in->model;
  HeftVec3 error = {0, 0, 0};
  for (int i = set->contact_point_count; i < set->count; ++i) {
    const Constraint* k = &set->list[i];
    if (k->kind != CONSTRAINT_EQUALITY || k->direction[0] >= 0) continue;
    if (set->carried && acts_on_moved(m, set, k)) continue;
    const int e = k->source / 6, part = k->source % 6;
    double* own = &out[i - set->contact_point_count];
    if (k->dof[0] >= 0) {
      *own = joint_error(m, q, e);
      continue;
    }
    if (part == 0) {
      HeftVec3 points[2];
      find_points(m, dynamics, e, points);
      error = heft_vec3_sub(points[0], points[1]);
    } else if (part == 3) {
      error = weld_error(m, dynamics, e);
    }
    *own = heft_vec3_dot(error, world_axes[part % 3]);
  }
}

// ---- all of them

// Deformable bodies always move with first order (deform.h).
static void mark_deformables(const HeftModel* m, int* tied) {
  for (int i = 0; i < m->nnode; ++i) {
    int* own = &tied[heft_link_root(m, heft_body_link(m, m->node_body[i]))];
    if (*own == 0 && own != tied) *own = TIED_BY_ELASTICITY;
  }
}

const ConstraintSet* heft_constraints_gather(Constraints* c, const StepInput* in,
                                             HeftDynamics* dynamics, Drives* drives) {
  ConstraintSet* set = &c->set;
  Gathering g = {.in = in,
                 .dynamics = dynamics,
                 .warm = &c->warm_start,
                 .collider = c->collider,
                 .memory = c->contact_model ? c->model_memory : NULL,
                 .set = set,
                 .pool = c->solvers.pool,
                 .row_first = c->row_first};
  set->count = set->row_count = set->any_restitution = set->soft = 0;
  memset(set->tied, 0, (size_t)heft_link_count(in->model) * sizeof(int));
  heft_collider_update_links(c->collider, heft_link_frames(dynamics));
  heft_passage_predict(c, in, dynamics);
  heft_collider_use_detector(c->collider, in->detector, in->detector_user);
  set->contact_points = heft_collider_collide(c->collider);
  if (c->collider->blocked_count > 0) set->contact_points = heft_blocked_insert(c->collider);
  if (in->filter)
    set->contact_points = heft_collider_filter(c->collider, in->filter, in->filter_user);
  gather_contacts(&g);
  set->contact_point_count = set->count;
  gather_limits(&g);
  gather_dry_friction(&g);
  gather_equalities(&g);
  heft_tendon_constraints_gather(drives->tendon_constraints, in, dynamics, &c->warm_start, set);
  heft_couplings_mark(drives->couplings, set->tied);
  mark_deformables(in->model, set->tied);
  heft_surface_measure(set, in, dynamics);
  if (!c->contact_model) heft_static_friction_choose(set, in, dynamics);
  heft_slip_law_apply(set, in, dynamics);
  if (!c->contact_model) heft_softness_apply(set, in, dynamics);
  HEFT_ASSERT(set->count <= set->capacity && set->row_count <= set->row_capacity);
  return set;
}
