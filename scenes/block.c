// SPDX-License-Identifier: Apache-2.0
#include "block.h"

#include <heft/deform.h>
#include <math.h>
#include <stdlib.h>

#include "random.h"

Block block_cube(void) {
  return (Block){.half = {0.05, 0.05, 0.05},
                 .cells = {3, 3, 3},
                 .quat = {1, 0, 0, 0},
                 .tilt = {1, 0, 0, 0},
                 .step = 0.001,
                 .poisson = 0.3};
}

Block block_falling(void) {
  Block b = block_cube();
  b.gravity = 9.81;
  b.floor = 1;
  b.radius = 0.002;
  b.pos = heft_vec3(0, 0, 0.06);
  return b;
}

Block block_beam(Block b, int cells) {
  b.half[0] = 0.2;
  b.cells[0] = 4 * cells;
  b.cells[1] = b.cells[2] = cells;
  b.step = 0.1;
  b.held = 1;
  b.poisson = 0;
  return b;
}

// A body of 0.3 kg beside the face at low x, whose shape overlaps the block.
int block_add_holder(HeftBuilder* builder, const Block* b) {
  HeftBodyDef body = heft_body_def_default();
  body.name = "holder";
  body.pos = heft_vec3_add(b->pos, heft_vec3(-b->half[0], 0.01, 0.02));
  body.quat = b->tilt;
  body.mass = 0.3;
  body.inertia = (HeftSym3){2e-4, 3e-4, 4e-4, 0, 0, 0};
  const int index = heft_builder_add_body(builder, &body);
  HeftJointDef joint = heft_joint_def_default();
  joint.body = index;
  joint.type = b->joint;
  joint.axis = b->axis;
  joint.stiffness[0] = b->stiffness;
  heft_builder_add_joint(builder, &joint);
  HeftShapeDef shape = heft_shape_def_default();
  shape.body = index;
  shape.type = HEFT_SHAPE_SPHERE;
  shape.size[0] = 0.03;
  heft_builder_add_shape(builder, &shape);
  return index;
}

static int add_material(HeftBuilder* builder, const Block* b) {
  if (!b->smooth) return 0;
  HeftMaterialDef def = heft_material_def_default();
  def.name = "smooth";
  def.friction = 0;
  return heft_builder_add_material(builder, &def);
}

static void add_floor(HeftBuilder* builder, int material) {
  HeftShapeDef plane = heft_shape_def_default();
  plane.type = HEFT_SHAPE_PLANE;
  plane.material = material;
  heft_builder_add_shape(builder, &plane);
}

static int find_bonds(const Block* b, const HeftTetrahedra* mesh, int holder, int* bonds,
                      int* bodies) {
  int count = 0;
  for (int i = 0; i < mesh->vertex_count && b->held; ++i) {
    if (mesh->vertices[3L * i] != -b->half[0]) continue;
    bodies[count] = holder;
    bonds[count++] = i;
  }
  return count;
}

static void add_block(HeftBuilder* builder, const Block* b, const HeftTetrahedra* mesh, int holder,
                      int material) {
  int* bonds = calloc(2 * (size_t)mesh->vertex_count, sizeof *bonds);
  if (!bonds) abort();
  HeftDeformableDef def = heft_deformable_def_default();
  def.name = "block";
  def.pos = b->pos;
  def.quat = b->quat;
  def.vertex_count = mesh->vertex_count;
  def.vertices = mesh->vertices;
  def.tetrahedron_count = mesh->tetrahedron_count;
  def.tetrahedra = mesh->tetrahedra;
  def.density = BLOCK_DENSITY;
  def.young = BLOCK_YOUNG;
  def.poisson = b->poisson;
  def.damping = b->damping;
  def.radius = b->radius;
  def.material = material;
  def.bonds = bonds;
  def.bond_bodies = b->holder ? bonds + mesh->vertex_count : NULL;
  def.bond_count = find_bonds(b, mesh, holder, bonds, bonds + mesh->vertex_count);
  heft_builder_add_deformable(builder, &def);
  free(bonds);
}

// The body that is pressed into the face at high x, on a slide along x.
static void add_ball(HeftBuilder* builder, const Block* b, int material) {
  HeftBodyDef body = heft_body_def_default();
  HeftJointDef joint = heft_joint_def_default();
  HeftShapeDef shape = heft_shape_def_default();
  body.name = "ball";
  body.pos = heft_vec3(b->half[0] + b->radius + b->ball, 0, 0);
  body.mass = 1;
  body.inertia = (HeftSym3){1, 1, 1, 0, 0, 0};
  joint.body = shape.body = heft_builder_add_body(builder, &body);
  joint.type = HEFT_JOINT_SLIDE;
  joint.axis = heft_vec3(1, 0, 0);
  heft_builder_add_joint(builder, &joint);
  shape.type = HEFT_SHAPE_SPHERE;
  shape.size[0] = b->ball;
  shape.material = material;
  heft_builder_add_shape(builder, &shape);
}

static double sinh_of(double x) { return 0.5 * (heft_exp(x) - heft_exp(-x)); }

static double drawn_in(const Block* b, double share) {
  return sinh_of(b->finer * share) / sinh_of(b->finer);
}

static void refine(const Block* b, HeftTetrahedra* mesh) {
  for (int i = 0; i < 3 * mesh->vertex_count; ++i) {
    const double half = b->half[i % 3], x = mesh->vertices[i] / half;
    mesh->vertices[i] = half * (i % 3 > 0 ? drawn_in(b, x) : 1 + 2 * drawn_in(b, 0.5 * (x - 1)));
  }
}

static void shake_inside(const Block* b, HeftTetrahedra* mesh) {
  Random r = {17};
  for (int n = 0; n < mesh->vertex_count; ++n) {
    double* x = mesh->vertices + 3L * n;
    int inside = 1;
    for (int i = 0; i < 3; ++i) inside &= fabs(x[i]) < b->half[i];
    for (int i = 0; i < 3 && inside; ++i)
      x[i] += 0.2 * 2 * b->half[i] / b->cells[i] * random_between(&r, -1, 1);
  }
}

HeftModel* block_model(const Block* b, HeftError* error) {
  HeftBuilder* builder = NULL;
  HeftTetrahedra mesh;
  HeftModel* model = NULL;
  if (heft_tetrahedra_box(&mesh, b->half, b->cells, NULL, error) != HEFT_OK) return NULL;
  if (b->uneven) shake_inside(b, &mesh);
  if (b->finer > 0) refine(b, &mesh);
  if (heft_builder_create(&builder, NULL, error) == HEFT_OK) {
    heft_builder_set_physics(builder,
                             (HeftPhysics){.gravity = {0, 0, -b->gravity}, .time_step = b->step});
    const int material = add_material(builder, b);
    if (b->floor) add_floor(builder, material);
    const int holder = b->holder ? block_add_holder(builder, b) : 0;
    if (b->ball > 0) add_ball(builder, b, material);
    add_block(builder, b, &mesh, holder, material);
    heft_builder_finish(builder, &model, error);
    heft_builder_destroy(builder);
  }
  heft_tetrahedra_release(&mesh, NULL);
  return model;
}

// ---- loads and measures

HeftVec3 block_node(const HeftWorld* world, int node) {
  return heft_dynamics_body_pose(heft_world_dynamics(world),
                                 heft_world_model(world)->node_body[node])
      .pos;
}

int block_dof(const HeftModel* m, int node) {
  return m->joint_dof[m->body_joint[m->node_body[node]]];
}

double block_load(const HeftModel* m, const Block* b, int side, HeftVec3 traction,
                  double* joint_forces) {
  double sum = 0;
  for (int t = 0; t < m->nskin; ++t) {
    const int* node = m->skin_node + 3L * t;
    HeftVec3 x[3];
    for (int i = 0; i < 3; ++i) x[i] = heft_vec3_from(m->node_rest + 3L * node[i]);
    const HeftVec3 n = heft_vec3_cross(heft_vec3_sub(x[1], x[0]), heft_vec3_sub(x[2], x[0]));
    if (fabs(side * x[0].x - b->half[0]) > 1e-12 || side * n.x < 0.99 * heft_vec3_norm(n)) continue;
    const double area = 0.5 * side * n.x;
    sum += area;
    for (int i = 0; i < 3; ++i) {
      double* force = joint_forces + block_dof(m, node[i]);
      force[0] += traction.x * area / 3;
      force[1] += traction.y * area / 3;
      force[2] += traction.z * area / 3;
    }
  }
  return sum;
}

double block_sag(const HeftWorld* world, const Block* b) {
  const HeftModel* m = heft_world_model(world);
  double sag = 0;
  int count = 0;
  for (int i = 0; i < m->nnode; ++i) {
    if (fabs(m->node_rest[3L * i] - b->half[0]) > 1e-12) continue;
    sag += m->node_rest[3L * i + 2] - block_node(world, i).z;
    ++count;
  }
  return sag / count;
}

// P l³ / 3EI + P l / κGA, with κ = 5/6 for a rectangle.
void block_stretch(const Block* b, double stress, double* along, double* across) {
  const double mu = BLOCK_YOUNG / (2 * (1 + b->poisson)),
               lambda = 2 * mu * b->poisson / (1 - 2 * b->poisson);
  double x = 1, y = 1;
  for (int i = 0; i < 60; ++i) {  // Newton's steps
    const double p = lambda * (x * y * y - 1), f = 2 * mu * (x - 1) + p * y * y - stress,
                 g = 2 * mu * (y - 1) + p * x * y;
    const double fx = 2 * mu + lambda * y * y * y * y, fy = 2 * (p + lambda * x * y * y) * y,
                 gx = p * y + lambda * x * y * y * y,
                 gy = 2 * mu + p * x + 2 * lambda * x * x * y * y, d = fx * gy - fy * gx;
    x -= (f * gy - g * fy) / d;
    y -= (g * fx - f * gx) / d;
  }
  *along = x;
  *across = y;
}

double block_theory_sag(const Block* b, double load) {
  const double l = 2 * b->half[0], width = 2 * b->half[1], height = 2 * b->half[2];
  const double area = width * height, inertia = area * height * height / 12;
  const double shear = BLOCK_YOUNG / (2 * (1 + b->poisson));
  return load * l * l * l / (3 * BLOCK_YOUNG * inertia) + load * l / (5.0 / 6 * shear * area);
}
