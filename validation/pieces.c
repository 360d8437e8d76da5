// SPDX-License-Identifier: Apache-2.0
// Convex pieces of meshes against points: are the bounds true that a load reports?
//
// Points of the mesh, and points that it encloses, may not be farther from all pieces than
// `missing`. Points on the surface of any piece may not be farther from the mesh than `excess`,
// unless the mesh encloses them. This is more than `excess` promises, which is a bound for the
// surface of all pieces together. A point is enclosed if no path leads to it from outside. Openings
// narrower than `opening` may be closed or not: points behind such openings count neither as
// outside nor as inside. Next to the surface, the mesh encloses a point if it winds around it.
//
// The short form cuts a ring. The long one cuts 50 meshes of robots below the folder HEFT_ROBOTS,
// and takes 10^6 points of each on each side: half of them with the same density everywhere, half
// with the same number in every triangle, so that details have points, too.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heft/io.h>

#include "validation/cases.h"
#include "validation/enclosure.h"
#include "validation/surface.h"

enum { PIECES = 64, PATH = 1000, MESHES = 50 };

typedef struct Plane {
  HeftVec3 normal;
  double offset;
} Plane;

/// A convex piece: the planes of its faces.
typedef struct Piece {
  double low[3], high[3];
  Plane* plane;
  int count;
} Piece;

/// A mesh, its pieces, and what a load reported.
typedef struct Cut {
  char name[64];
  Surface mesh, pieces;  ///< `pieces`: the faces of all of them
  Piece piece[PIECES];
  HeftPieces told;
  Enclosure wide;  ///< of the mesh, with all openings closed that may be
  Enclosure fine;  ///< and with those open that may stay so
} Cut;

static void keep(void* user, const HeftPieces* p) {
  Cut* cut = user;
  cut->told = *p;
}

// ---- pieces

static int take_piece(const HeftModel* m, int mesh, Piece* out) {
  const double* vertex = m->vertex_pos + 3L * m->mesh_vertex[mesh];
  const int* face = m->face_vertex + 3L * m->mesh_face[mesh];
  out->count = m->mesh_face_count[mesh];
  out->plane = malloc((size_t)out->count * sizeof *out->plane);
  for (int k = 0; k < 3; ++k) out->low[k] = (double)INFINITY, out->high[k] = -(double)INFINITY;
  for (int f = 0; out->plane && f < out->count; ++f) {
    HeftVec3 v[3];
    for (int i = 0; i < 3; ++i) {
      const double* p = vertex + 3L * face[3L * f + i];
      v[i] = heft_vec3_from(p);
      for (int k = 0; k < 3; ++k) {
        out->low[k] = fmin(out->low[k], p[k]);
        out->high[k] = fmax(out->high[k], p[k]);
      }
    }
    const HeftVec3 n = heft_vec3_cross(heft_vec3_sub(v[1], v[0]), heft_vec3_sub(v[2], v[0]));
    out->plane[f] = (Plane){n, heft_vec3_dot(n, v[0])};
  }
  return out->plane != NULL;
}

static int in_piece(HeftVec3 x, const Piece* p) {
  if (x.x < p->low[0] || x.x > p->high[0] || x.y < p->low[1] || x.y > p->high[1] ||
      x.z < p->low[2] || x.z > p->high[2])
    return 0;
  for (int f = 0; f < p->count; ++f) {
    if (heft_vec3_dot(p->plane[f].normal, x) > p->plane[f].offset) return 0;
  }
  return 1;
}

static int in_pieces(HeftVec3 x, const Cut* cut) {
  for (int i = 0; i < cut->told.count; ++i) {
    if (in_piece(x, &cut->piece[i])) return 1;
  }
  return 0;
}

static void release(Cut* cut) {
  surface_release(&cut->mesh);
  surface_release(&cut->pieces);
  enclosure_release(&cut->wide);
  enclosure_release(&cut->fine);
  for (int i = 0; i < PIECES; ++i) free(cut->piece[i].plane);
  memset(cut, 0, sizeof *cut);
}

// Takes the mesh `m` and its pieces from a model.
static int take(const HeftModel* m, Cut* cut) {
  const int mesh = heft_model_find(m, HEFT_NAMED_MESH, "m");
  if (mesh < 0 || !surface_add(&cut->mesh, m, mesh)) return 0;
  for (int i = 0; i < cut->told.count; ++i) {
    char part[32];
    snprintf(part, sizeof part, "m_piece_%d", i + 1);
    const int index = heft_model_find(m, HEFT_NAMED_MESH, part);
    if (index < 0 || !surface_add(&cut->pieces, m, index) || !take_piece(m, index, &cut->piece[i]))
      return 0;
  }
  return surface_finish(&cut->mesh) && surface_finish(&cut->pieces) &&
         enclosure_make(&cut->wide, &cut->mesh, cut->told.opening) &&
         enclosure_make(&cut->fine, &cut->mesh, cut->told.opening / 6);
}

// ---- points

/// The largest distances that were found [m].
typedef struct Found {
  double excess, missing;
  int points, inside;
} Found;

static void check_missing(const Cut* cut, HeftVec3 x, Found* f) {
  if (surface_is_near(&cut->pieces, x, f->missing) || in_pieces(x, cut)) return;
  f->missing = surface_distance(&cut->pieces, x);
}

static int is_outside(const Cut* cut, HeftVec3 x) {
  const CellState state = enclosure_at(&cut->wide, x);
  if (state != CELL_MIXED) return state == CELL_OUTSIDE;
  if (enclosure_at(&cut->fine, x) == CELL_INSIDE) return 0;  // a hollow between two shells
  return fabs(surface_winding(&cut->mesh, x)) < 0.5;
}

static void check_excess(const Cut* cut, HeftVec3 x, Found* f) {
  if (surface_is_near(&cut->mesh, x, f->excess) || !is_outside(cut, x)) return;
  f->excess = surface_distance(&cut->mesh, x);
}

static HeftVec3 random_in_box(const Cut* cut, uint64_t* random) {
  const SurfaceNode* box = cut->mesh.node;
  double x[3];
  for (int k = 0; k < 3; ++k)
    x[k] = box->low[k] + (box->high[k] - box->low[k]) * surface_random(random);
  return heft_vec3_from(x);
}

static Found check(const Cut* cut, int points) {
  Found f = {.points = points};
  uint64_t random = 7;
  for (int k = 0; k < points; ++k) {
    check_missing(cut, surface_sample(&cut->mesh, &random, k % 2), &f);
    check_excess(cut, surface_sample(&cut->pieces, &random, k % 2), &f);
    if (k % 8 > 0) continue;
    const HeftVec3 x = random_in_box(cut, &random);
    if (enclosure_at(&cut->fine, x) != CELL_INSIDE) continue;
    ++f.inside;
    check_missing(cut, x, &f);
  }
  return f;
}

static void report(Run* run, const Cut* cut, const Found* f) {
  const HeftPieces* p = &cut->told;
  char what[ROW_TEXT];
  snprintf(what, sizeof what, "%.40s: outside of %d triangles [m]", cut->name, p->triangles);
  run_report_error(run, what, p->excess, f->excess, f->excess / p->excess, 1);
  snprintf(what, sizeof what, "%.40s: missing in %d pieces [m]", cut->name, p->count);
  run_report_error(run, what, p->missing, f->missing, f->missing / p->missing, 1);
}

// ---- meshes

static int load(const char* text, size_t size, const char* path, double error, Cut* cut) {
  HeftLoadDef def = heft_load_def_default();
  HeftModel* m = NULL;
  def.decompose = error;
  def.decompose_pieces = PIECES;
  def.pieces = keep;
  def.user = cut;
  if (heft_model_load_bytes(&m, text, size, path, &def, NULL) != HEFT_OK) return 0;
  const int good = cut->told.count > 1 && take(m, cut);
  heft_model_destroy(m);
  return good;
}

// A ring of triangles about z.
static size_t write_ring(char* text, size_t size) {
  enum { LONG = 32, ROUND = 12 };
  size_t at = (size_t)snprintf(text, size, "<mujoco><asset><mesh name='m' vertex='");
  for (int i = 0; i < LONG * ROUND; ++i) {
    const int along = i / ROUND, about = i % ROUND;
    const double a = 2 * HEFT_PI * along / LONG, b = 2 * HEFT_PI * about / ROUND;
    const double r = 0.05 + 0.01 * cos(b);
    at += (size_t)snprintf(text + at, size - at, "%.9g %.9g %.9g ", r * cos(a), r * sin(a),
                           0.01 * sin(b));
  }
  at += (size_t)snprintf(text + at, size - at, "' face='");
  for (int i = 0; i < LONG * ROUND; ++i) {
    const int a = i / ROUND, b = i % ROUND, c = (a + 1) % LONG, d = (b + 1) % ROUND;
    at += (size_t)snprintf(text + at, size - at, "%d %d %d %d %d %d ", i, c * ROUND + b,
                           c * ROUND + d, i, c * ROUND + d, a * ROUND + d);
  }
  return at + (size_t)snprintf(text + at, size - at,
                               "'/></asset><worldbody><body><freejoint/><geom type='mesh' "
                               "mesh='m'/></body></worldbody></mujoco>");
}

static int load_ring(Cut* cut) {
  static char text[40000];
  const size_t size = write_ring(text, sizeof text);
  snprintf(cut->name, sizeof cut->name, "ring");
  return load(text, size, "ring.xml", 0.003, cut);
}

// The largest side of the box around a mesh; 0 if it cannot be loaded.
static double size_of(const char* text, size_t size, const char* path) {
  HeftLoadDef def = heft_load_def_default();
  HeftModel* m = NULL;
  def.hulls = false;
  def.decompose = -1;
  if (heft_model_load_bytes(&m, text, size, path, &def, NULL) != HEFT_OK) return 0;
  double side = 0;
  for (int k = 0; k < 3; ++k) {
    double low = (double)INFINITY, high = -low;
    for (int i = 0; i < m->nvertex; ++i) {
      low = fmin(low, m->vertex_pos[3L * i + k]);
      high = fmax(high, m->vertex_pos[3L * i + k]);
    }
    side = fmax(side, high - low);
  }
  heft_model_destroy(m);
  return side;
}

// Cuts a mesh file to 2 % of its size.
static int load_mesh(const char* folder, const char* file, Cut* cut) {
  char text[PATH + 200], path[PATH];
  const char* name = strrchr(file, '/') + 1;
  const int length = snprintf(text, sizeof text,
                              "<mujoco><asset><mesh name='m' file='%s'/></asset><worldbody><body>"
                              "<freejoint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
                              "<geom type='mesh' mesh='m'/></body></worldbody></mujoco>",
                              name);
  snprintf(path, sizeof path, "%.700s/%.*s/mesh.xml", folder, (int)(name - 1 - file), file);
  const char* robot = strchr(file, '/') + 1;
  snprintf(cut->name, sizeof cut->name, "%.*s/%.24s", (int)strcspn(robot, "/_"), robot, name);
  const double side = size_of(text, (size_t)length, path);
  return side > 0 && load(text, (size_t)length, path, 0.02 * side, cut);
}

static const char* const files[] = {
    "mjcf/agility_cassie/assets/knee.obj",
    "mjcf/agility_cassie/assets/foot.obj",
    "mjcf/agility_cassie/assets/hip-pitch.obj",
    "mjcf/agility_cassie/assets/hip-roll.obj",
    "mjcf/agility_cassie/assets/pelvis.obj",
    "mjcf/agility_cassie/assets/shin.obj",
    "mjcf/agility_cassie/assets/tarsus.obj",
    "mjcf/iit_softfoot/meshes/cube_connection_frontal.stl",
    "mjcf/iit_softfoot/meshes/phalanx_distal_injection.stl",
    "mjcf/iit_softfoot/meshes/phalanx_inv.stl",
    "mjcf/iit_softfoot/meshes/qb_move_advanced_for_mate.stl",
    "mjcf/iit_softfoot/meshes/tacco.stl",
    "mjcf/mujoco/replicate/bunny.obj",
    "mjcf/pal_talos/assets/arm/arm_5.stl",
    "mjcf/pal_talos/assets/gripper/base_link.stl",
    "mjcf/pal_talos/assets/gripper/gripper_motor_double.stl",
    "mjcf/pal_talos/assets/gripper/inner_double.stl",
    "mjcf/pal_talos/assets/head/head_2_default.stl",
    "mjcf/pal_talos/assets/torso/base_link.stl",
    "mjcf/pal_talos/assets/torso/torso_2.stl",
    "mjcf/pal_talos/assets/v2/hip_z_lo_res.stl",
    "mjcf/shadow_hand/assets/f_knuckle.obj",
    "mjcf/shadow_hand/assets/f_proximal.obj",
    "mjcf/shadow_hand/assets/forearm_1.obj",
    "mjcf/shadow_hand/assets/palm.obj",
    "mjcf/shadow_hand/assets/wrist.obj",
    "mjcf/unitree_g1/assets/left_ankle_roll_link.STL",
    "mjcf/unitree_g1/assets/left_hand_palm_link.STL",
    "mjcf/unitree_g1/assets/left_hip_roll_link.STL",
    "mjcf/unitree_g1/assets/left_knee_link.STL",
    "mjcf/unitree_g1/assets/left_rubber_hand.STL",
    "mjcf/unitree_g1/assets/pelvis.STL",
    "mjcf/unitree_g1/assets/torso_link_rev_1_0.STL",
    "mjcf/unitree_h1/assets/left_knee_link.stl",
    "mjcf/unitree_h1/assets/pelvis.stl",
    "mjcf/unitree_h1/assets/torso_link.stl",
    "urdf/allegro_hand_description/meshes/base_link.STL",
    "urdf/allegro_hand_description/meshes/link_1.0.STL",
    "urdf/allegro_hand_description/meshes/link_12.0_right.STL",
    "urdf/panda_description/meshes/collision/hand.stl",
    "urdf/panda_description/meshes/collision/link0.stl",
    "urdf/pr2_description/meshes/base_v0/base.stl",
    "urdf/pr2_description/meshes/gripper_v0/gripper_palm.stl",
    "urdf/pr2_description/meshes/head_v0/head_tilt.stl",
    "urdf/pr2_description/meshes/torso_v0/torso.stl",
    "urdf/pr2_description/meshes/torso_v0/torso_lift.stl",
    "urdf/solo_description/meshes/stl/solo12/solo_12_base.stl",
    "urdf/solo_description/meshes/stl/solo12/solo12_lower_leg_left_side.stl",
    "urdf/solo_description/meshes/stl/with_foot/solo_body.stl",
    "urdf/talos_data/meshes/v2/knee_lo_res.stl",
    "urdf/talos_data/meshes/arm/arm_4.stl",
    "urdf/talos_data/meshes/head/head_1.stl",
    "urdf/pr2_description/meshes/gripper_v0/l_finger.stl",
    "urdf/pr2_description/meshes/tilting_laser_v0/hok_tilt.stl",
    "urdf/allegro_hand_description/meshes/link_13.0.STL",
    "mjcf/shadow_hand/assets/lf_metacarpal.obj",
    "mjcf/unitree_g1/assets/left_hip_yaw_link.STL",
    "mjcf/unitree_g1/assets/waist_yaw_link_rev_1_0.STL",
};

// Meshes that are convex enough have one piece and do not count.
static int check_folder(Run* run, Cut* cut) {
  const char* folder = getenv("HEFT_ROBOTS");
  const int count = (int)(sizeof files / sizeof *files);
  int meshes = 0;
  for (int i = 0; i < count && folder && meshes < MESHES; ++i) {
    release(cut);
    if (run->progress) run->progress(run->user, strrchr(files[i], '/') + 1, (double)i / count);
    if (!load_mesh(folder, files[i], cut)) continue;
    const Found f = check(cut, 1000000);
    report(run, cut, &f);
    ++meshes;
  }
  return meshes;
}

void case_pieces(Run* run) {
  static Cut cut;
  const int folder = run->full && getenv("HEFT_ROBOTS");
  int meshes = load_ring(&cut);
  if (meshes) {
    const Found f = check(&cut, 20000);
    report(run, &cut, &f);
  }
  if (folder) meshes += check_folder(run, &cut);
  release(&cut);
  run_report(run, "meshes that were cut", folder ? MESHES + 1 : 1, meshes, 0);
}
