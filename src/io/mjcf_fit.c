// SPDX-License-Identifier: Apache-2.0
// Shapes that are fitted to a mesh: <geom type="capsule" mesh="...">, with the sizes that MuJoCo
// gives them (documentation of MJCF, geom/mesh and compiler/fitaabb).
//
// The shape lies at the centre of mass of the mesh, along its principal axes; the moments I of unit
// density fall, so z is the longest. A box with the same moments and volume V has the half lengths
//
//     b_i = √(3 (I_j + I_k - I_i) / (2 V)).
//
// A box and an ellipsoid have these, a cylinder the radius (b_x + b_y) / 2 and the half length b_z,
// a capsule the same with b_z - radius / 2, a sphere their mean. With fitaabb the shape holds all
// vertices and lies in the middle of their bounding box along the same axes.
#include <math.h>

#include "io/mjcf_tree.h"

static void fit_to_moments(HeftShapeType type, const double b[3], double size[3]) {
  const double radius = (b[0] + b[1]) / 2;
  switch (type) {
    case HEFT_SHAPE_SPHERE:
      size[0] = (b[0] + b[1] + b[2]) / 3;
      return;
    case HEFT_SHAPE_CAPSULE:
      size[0] = radius, size[1] = fmax(0, b[2] - radius / 2);
      return;
    case HEFT_SHAPE_CYLINDER:
      size[0] = radius, size[1] = b[2];
      return;
    case HEFT_SHAPE_ELLIPSOID:
    case HEFT_SHAPE_BOX:
    case HEFT_SHAPE_PLANE:
    case HEFT_SHAPE_MESH:
    case HEFT_SHAPE_HEIGHT_FIELD:
    case HEFT_SHAPE_TYPE_COUNT:
      for (int k = 0; k < 3; ++k) size[k] = b[k];
      return;
  }
}

static HeftVec3 vertex_in(const Mesh* mesh, int i, HeftPose frame) {
  const double* x = mesh->vertices + 3L * i;
  return heft_pose_apply(heft_pose_inverse(frame), heft_vec3_from(x));
}

// Moves the frame to the middle of the bounding box of the vertices along its axes.
static HeftVec3 centre_of_box(const Mesh* mesh, HeftPose* frame) {
  HeftVec3 low = vertex_in(mesh, 0, *frame), high = low;
  for (int i = 1; i < mesh->vertex_count; ++i) {
    const HeftVec3 v = vertex_in(mesh, i, *frame);
    low = heft_vec3(fmin(low.x, v.x), fmin(low.y, v.y), fmin(low.z, v.z));
    high = heft_vec3(fmax(high.x, v.x), fmax(high.y, v.y), fmax(high.z, v.z));
  }
  frame->pos = heft_pose_apply(*frame, heft_vec3_scale(0.5, heft_vec3_add(low, high)));
  return heft_vec3_scale(0.5, heft_vec3_sub(high, low));
}

static void fit_around(HeftShapeType type, const Mesh* mesh, HeftPose* frame, double size[3]) {
  const HeftVec3 half = centre_of_box(mesh, frame);
  double ball = 0, radius = 0, cap = 0;
  for (int i = 0; i < mesh->vertex_count; ++i) {
    const HeftVec3 v = vertex_in(mesh, i, *frame);
    ball = fmax(ball, heft_vec3_norm(v));
    radius = fmax(radius, sqrt(v.x * v.x + v.y * v.y));
  }
  for (int i = 0; i < mesh->vertex_count; ++i) {
    const HeftVec3 v = vertex_in(mesh, i, *frame);
    const double across = v.x * v.x + v.y * v.y;
    cap = fmax(cap, fabs(v.z) - sqrt(fmax(0, radius * radius - across)));
  }
  size[0] = type == HEFT_SHAPE_SPHERE                                   ? ball
            : type == HEFT_SHAPE_CAPSULE || type == HEFT_SHAPE_CYLINDER ? radius
                                                                        : half.x;
  size[1] = type == HEFT_SHAPE_CAPSULE ? cap : type == HEFT_SHAPE_CYLINDER ? half.z : half.y;
  size[2] = half.z;
}

// The shape has its own sizes only, and each is positive.
static int keep_sizes(HeftShapeType type, double scale, double size[3]) {
  const int count = type == HEFT_SHAPE_SPHERE                                   ? 1
                    : type == HEFT_SHAPE_CAPSULE || type == HEFT_SHAPE_CYLINDER ? 2
                                                                                : 3;
  for (int k = 0; k < 3; ++k) size[k] = k < count ? scale * size[k] : 0;
  for (int k = 0; k < count; ++k)
    if (!(size[k] > 0)) return 0;
  return 1;
}

void mj_fit_shape(Mjcf* m, const Item* item, MeshAsset* asset, HeftShapeDef* s) {
  const double scale = mj_real(m, item, MJ_geom_fitscale);
  const MeshMass how =
      mj_bool(m, item, MJ_geom_shellinertia) ? MESH_MASS_SHELL : (MeshMass)asset->inertia;
  HeftInertia mass = {0};
  HeftVec3 e;
  HeftMat3 axes;
  if (how == MESH_MASS_CONVEX && !mesh_hull(m->load, asset->place, asset->name, &asset->mesh))
    return;
  if (!LOAD_OK(m->load)) return;
  const double work = 60.0 * asset->mesh.vertex_count;
  int good = load_work(m->load, xml_place(item->node), work) && assets_mass(asset, how, &mass);
  if (!LOAD_OK(m->load)) return;
  if (good) {
    heft_sym3_eigen(mass.inertia, &e, &axes);
    const double moments[3] = {e.x, e.y, e.z};
    double b[3];
    for (int k = 0; k < 3; ++k) {
      const double others = moments[(k + 1) % 3] + moments[(k + 2) % 3] - moments[k];
      b[k] = sqrt(fmax(0, 1.5 * others / mass.mass));
    }
    HeftPose frame = {axes, mass.com};
    if (item->scope->unit->fit_around)
      fit_around(s->type, &asset->mesh, &frame, s->size);
    else
      fit_to_moments(s->type, b, s->size);
    s->pos = heft_vec3_add(s->pos, heft_quat_rotate(s->quat, frame.pos));
    s->quat = heft_quat_mul(s->quat, heft_quat_from_mat3(frame.rot));
    good = keep_sizes(s->type, scale, s->size);
  }
  if (!good)
    load_fail(m->load, HEFT_ERR_VALUE, mj_place(m, item, MJ_geom_mesh),
              "<geom mesh>: no %s fits mesh '%.80s': it has no volume, or fitscale is not "
              "positive; give the geom a size",
              heft_shape_type_name(s->type), asset->name);
}
