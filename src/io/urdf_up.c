// SPDX-License-Identifier: Apache-2.0
// Which axis of a mesh file points up.
//
// Collada files name their upward axis, and y points up in glTF; links of robots have z up by
// custom. Some programs that show robots turn such meshes (y becomes z), others use the numbers as
// they are, and URDF files were made for either. Nothing in the file states for which. The masses
// show it: a link's centre of mass lies inside its mesh. So for all links together
//   D = Σ |centre of mass - centre of the mesh's bounding box|
// is computed with the meshes as they are and turned by +90° about x, (x, y, z) -> (x, -z, y). They
// are turned if that makes D clearly smaller.
#include <math.h>
#include <string.h>

#include "io/urdf.h"

static const double clearly = 0.8;  // of the distance

// The mesh of a shape if its file has y up, or NULL.
static const UrdfMesh* y_up_mesh(const Urdf* u, const LinkShape* s) {
  if (s->def.type != HEFT_SHAPE_MESH) return NULL;
  for (int i = 0; i < u->meshes.count; ++i) {
    const UrdfMesh* m = &GROW_AT(u->meshes, UrdfMesh, i);
    if (m->whole == s->def.mesh ||
        (m->first >= 0 && s->def.mesh >= m->first && s->def.mesh < m->first + m->count))
      return m->y_up ? m : NULL;
  }
  return NULL;
}

// With scale S the turned vertex is S R S⁻¹ v, since the scale counts in the axes of the link. -0
// becomes 0, as in a file that is read.
static HeftVec3 turned(HeftVec3 v, const double scale[3]) {
  return heft_vec3(v.x, -scale[1] / scale[2] * v.z + 0.0, scale[2] / scale[1] * v.y + 0.0);
}

static HeftVec3 centre_of(const Mesh* mesh, const double* scale) {
  HeftVec3 low = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  for (long i = 0; i < mesh->vertex_count; ++i) {
    HeftVec3 v = heft_vec3_from(mesh->vertices + 3 * i);
    if (scale) v = turned(v, scale);
    low = heft_vec3(fmin(low.x, v.x), fmin(low.y, v.y), fmin(low.z, v.z));
    high = heft_vec3(fmax(high.x, v.x), fmax(high.y, v.y), fmax(high.z, v.z));
  }
  return heft_vec3_scale(0.5, heft_vec3_add(low, high));
}

// Adds the distances of one shape, as it is and turned.
static void add_distances(Urdf* u, const LinkShape* s, const UrdfMesh* m, double distance[2]) {
  const XmlNode* inertial = xml_child(u->links[s->link].node, "inertial");
  HeftVec3 com;
  HeftQuat quat;
  if (!inertial || m->mesh.vertex_count == 0) return;
  urdf_read_origin(u, inertial, &com, &quat);
  const HeftPose pose = heft_pose(s->def.pos, s->def.quat);
  for (int k = 0; k < 2; ++k) {
    const HeftVec3 centre = heft_pose_apply(pose, centre_of(&m->mesh, k ? m->scale : NULL));
    distance[k] += heft_vec3_norm(heft_vec3_sub(centre, com));
  }
}

static void turn(Mesh* mesh, const double scale[3]) {
  for (long i = 0; i < mesh->vertex_count; ++i) {
    const HeftVec3 v = turned(heft_vec3_from(mesh->vertices + 3 * i), scale);
    mesh->vertices[3 * i] = v.x;
    mesh->vertices[3 * i + 1] = v.y;
    mesh->vertices[3 * i + 2] = v.z;
  }
}

static void turn_all(Urdf* u) {
  for (int i = 0; i < u->meshes.count; ++i) {
    UrdfMesh* m = &GROW_AT(u->meshes, UrdfMesh, i);
    if (!m->y_up) continue;
    turn(&m->mesh, m->scale);  // the whole mesh, and a single part, have the same vertices
    for (int k = 0; k < m->count && m->count > 1; ++k)
      turn(&assets_mesh(&u->assets, m->first + k)->mesh, m->scale);
  }
}

void urdf_turn_meshes(Urdf* u) {
  double distance[2] = {0, 0};
  const LinkShape* first = NULL;
  for (int i = 0; i < u->shapes.count && LOAD_OK(u->load); ++i) {
    const LinkShape* s = &GROW_AT(u->shapes, LinkShape, i);
    const UrdfMesh* m = y_up_mesh(u, s);
    if (!m) continue;
    if (!first) first = s;
    add_distances(u, s, m, distance);
  }
  if (!first || !(distance[1] < clearly * distance[0])) return;
  turn_all(u);
  load_warn(u->load, xml_place(u->links[first->link].node), "y up",
            "meshes whose files have y up are turned to z up, because the centres of mass then fit "
            "better (distances sum up to %.3g m instead of %.3g m)",
            distance[1], distance[0]);
}
