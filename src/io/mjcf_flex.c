// SPDX-License-Identifier: Apache-2.0
// Deformable bodies: <flexcomp> with dim="3". Its vertices become bodies behind all others, as the
// builder adds them, so that the bodies of the file keep their numbers.
//
// Differences from MuJoCo: the mass is spread over the volume, not evenly over the vertices; the
// spheres of vertices touch other shapes, triangles between them do not. The elastic law is Heft's,
// which agrees with MuJoCo's for small strains: both have Young's modulus, Poisson's ratio, and
// damping in proportion to stiffness.
#include <math.h>
#include <string.h>

#include "io/flex_mesh.h"
#include "io/mjcf_tree.h"
#include "io/msh.h"

/// A <flexcomp> while it is read.
typedef struct Flex {
  Mjcf* m;
  Item* item;
  const char* name;
  FlexType type;
  FlexGrid grid;
  HeftTetrahedra mesh;    ///< of the load
  unsigned char* pinned;  ///< of each vertex of the file
  int pins;
} Flex;

// ---- vertices and tetrahedra

static double* number_list(Flex* f, MjcfKey key, int each, int* count) {
  const char* name = mjcf_attributes[key].name;
  const XmlNode* where;
  const char* text = mj_text(f->m, f->item, key, &where);
  *count = 0;
  if (!text) {
    load_fail(f->m->load, HEFT_ERR_SYNTAX, xml_place(f->item->node),
              "<flexcomp> of the type direct needs the attribute '%s'", name);
    return NULL;
  }
  double* x = xml_number_list(f->m->load, where, name, text, count);
  if (x && (*count == 0 || *count % each != 0)) {
    load_fail(f->m->load, HEFT_ERR_VALUE, xml_attribute_place(where, name),
              "<flexcomp %s>: %d numbers were found, expected %d for each", name, *count, each);
    return NULL;
  }
  return x;
}

static void read_direct(Flex* f) {
  int points, corners;
  f->mesh.vertices = number_list(f, MJ_flexcomp_point, 3, &points);
  const double* corner = f->mesh.vertices ? number_list(f, MJ_flexcomp_element, 4, &corners) : NULL;
  if (!corner) return;
  f->mesh.vertex_count = points / 3;
  f->mesh.tetrahedron_count = corners / 4;
  f->mesh.tetrahedra = load_take(f->m->load, (size_t)corners, sizeof(int));
  for (int i = 0; i < corners && f->mesh.tetrahedra; ++i) {
    if (!(corner[i] >= 0 && corner[i] < f->mesh.vertex_count && corner[i] == floor(corner[i]))) {
      load_fail(f->m->load, HEFT_ERR_VALUE, mj_place(f->m, f->item, MJ_flexcomp_element),
                "<flexcomp element>: %g was found, expected a vertex from 0 to %d", corner[i],
                f->mesh.vertex_count - 1);
      return;
    }
    f->mesh.tetrahedra[i] = (int)corner[i];
  }
}

static void read_from_file(Flex* f) {
  Mjcf* m = f->m;
  const Unit* unit = f->item->scope->unit;
  const char* name = mj_text(m, f->item, MJ_flexcomp_file, NULL);
  if (!name) {
    load_fail(m->load, HEFT_ERR_SYNTAX, xml_place(f->item->node),
              "<flexcomp> of the types mesh and gmsh needs the attribute 'file'");
    return;
  }
  const char* slash = unit->strip_path ? strrchr(name, '/') : NULL;
  const Place place = mj_place(m, f->item, MJ_flexcomp_file);
  const SourceFile* file =
      mj_read_file(m, place, unit->file, unit->mesh_folder, slash ? slash + 1 : name);
  if (!file) return;
  if (f->type == FLEX_GMSH) {
    msh_read(m->load, place, file, &f->mesh);
    return;
  }
  Mesh surface;
  double origin[3] = {0};
  mj_reals(m, f->item, MJ_flexcomp_origin, origin);
  if (!mesh_read(m->load, place, file, &surface)) return;
  const Extra* spacing = mj_extra(m, OF_FILL, mj_full_name(m, f->item->scope, f->name), 1);
  if (spacing) {
    flex_mesh_fill(m->load, place, &surface, spacing->x[0], &f->mesh);
  } else {
    flex_mesh_star(m->load, place, &surface, origin, &f->mesh);
  }
}

static void read_counts(Flex* f) {
  Mjcf* m = f->m;
  const XmlNode* where;
  const char* text = mj_text(m, f->item, MJ_flexcomp_count, &where);
  double product = 1;
  for (int k = 0; k < 3; ++k) {
    f->grid.count[k] = 10;
    f->grid.spacing[k] = 0.02;
  }
  xml_integers(m->load, where, "count", text, 1, 3, f->grid.count);
  mj_reals(m, f->item, MJ_flexcomp_spacing, f->grid.spacing);
  for (int k = 0; k < 3 && LOAD_OK(m->load); ++k) {
    product *= f->grid.count[k];
    if (f->grid.count[k] < 2)
      load_fail(m->load, HEFT_ERR_VALUE, mj_place(m, f->item, MJ_flexcomp_count),
                "<flexcomp count>: %d was found, expected 2 or more along each axis of a solid",
                f->grid.count[k]);
    if (!(f->grid.spacing[k] > 0))
      load_fail(m->load, HEFT_ERR_VALUE, mj_place(m, f->item, MJ_flexcomp_spacing),
                "<flexcomp spacing>: %g was found, expected a length above 0", f->grid.spacing[k]);
  }
  if (product > m->load->def->limits.bodies)
    load_fail(
        m->load, HEFT_ERR_LIMIT, mj_place(m, f->item, MJ_flexcomp_count),
        "<flexcomp count> makes %.0f vertices, at most %d are allowed; raise the limit bodies",
        product, m->load->def->limits.bodies);
}

static void scale_points(Flex* f) {
  double scale[3] = {1, 1, 1};
  mj_reals(f->m, f->item, MJ_flexcomp_scale, scale);
  for (int k = 0; k < 3; ++k) {
    if (!(scale[k] > 0))
      load_fail(f->m->load, HEFT_ERR_VALUE, mj_place(f->m, f->item, MJ_flexcomp_scale),
                "<flexcomp scale>: %g was found, expected a factor above 0", scale[k]);
  }
  for (long i = 0; i < 3L * f->mesh.vertex_count; ++i) f->mesh.vertices[i] *= scale[i % 3];
}

// Returns 0 after a mistake.
static int read_mesh(Flex* f) {
  Load* load = f->m->load;
  const Place place = xml_place(f->item->node);
  if (f->type >= FLEX_MESH) {
    if (f->type == FLEX_DIRECT) {
      read_direct(f);
    } else {
      read_from_file(f);
    }
    if (LOAD_OK(load)) scale_points(f);
    return LOAD_OK(load);
  }
  read_counts(f);
  if (!LOAD_OK(load)) return 0;
  return f->type == FLEX_GRID ? flex_mesh_grid(load, place, &f->grid, &f->mesh)
                              : flex_mesh_shell(load, place, f->type, &f->grid, &f->mesh);
}

// ---- pins

static int pin_error(Flex* f, const Item* pin, MjcfKey key, double found, int count) {
  load_fail(f->m->load, HEFT_ERR_VALUE, mj_place(f->m, pin, key),
            "<pin %s>: %g was found, expected a whole number from 0 to %d",
            mjcf_attributes[key].name, found, count - 1);
  return 0;
}

// The numbers of an attribute of <pin>, in groups of `each`, every one below its bound. Returns how
// many groups; 0: none, or a mistake.
static int pin_list(Flex* f, const Item* pin, MjcfKey key, int each, const int bound[3],
                    const double** out) {
  const XmlNode* where;
  const char* text = mj_text(f->m, pin, key, &where);
  const char* name = mjcf_attributes[key].name;
  int count = 0;
  *out = text ? xml_number_list(f->m->load, where, name, text, &count) : NULL;
  if (!*out) return 0;
  if (count % each != 0) {
    load_fail(f->m->load, HEFT_ERR_VALUE, mj_place(f->m, pin, key),
              "<pin %s>: %d numbers were found, expected groups of %d", name, count, each);
    return 0;
  }
  for (int i = 0; i < count; ++i) {
    const double x = (*out)[i];
    const int below = each < 3 ? bound[0] : bound[i % 3];
    if (!(x >= 0 && x < below && x == floor(x))) return pin_error(f, pin, key, x, below);
  }
  return count / each;
}

static void pin_vertex(Flex* f, int vertex) {
  f->pins += !f->pinned[vertex];
  f->pinned[vertex] = 1;
}

static void pin_box(Flex* f, const double* low, const double* high) {
  for (int x = (int)low[0]; x <= (int)high[0]; ++x) {
    for (int y = (int)low[1]; y <= (int)high[1]; ++y) {
      for (int z = (int)low[2]; z <= (int)high[2]; ++z)
        pin_vertex(f, flex_grid_number(&f->grid, x, y, z));
    }
  }
}

static void read_pin(Flex* f, const XmlNode* node) {
  Mjcf* m = f->m;
  const Item pin = {.node = node, .scope = f->item->scope};
  const int all[3] = {f->mesh.vertex_count};
  const double* x;
  mj_check(m, node, MJCF_pin);
  for (int i = pin_list(f, &pin, MJ_pin_id, 1, all, &x); i > 0; --i) pin_vertex(f, (int)*x++);
  for (int i = pin_list(f, &pin, MJ_pin_range, 2, all, &x); i > 0; --i, x += 2) {
    if (!load_work(m->load, xml_place(node), fmax(0, x[1] - x[0]))) return;
    for (int k = (int)x[0]; k <= (int)x[1]; ++k) pin_vertex(f, k);
  }
  if (f->type != FLEX_GRID) {
    if (mj_given(m, &pin, MJ_pin_grid) || mj_given(m, &pin, MJ_pin_gridrange))
      load_fail(m->load, HEFT_ERR_VALUE, xml_place(node),
                "<pin grid> and <pin gridrange> are for a <flexcomp> of the type grid; use id or "
                "range");
    return;
  }
  for (int i = pin_list(f, &pin, MJ_pin_grid, 3, f->grid.count, &x); i > 0; --i, x += 3)
    pin_box(f, x, x);
  for (int i = pin_list(f, &pin, MJ_pin_gridrange, 6, f->grid.count, &x); i > 0; --i, x += 6) {
    if (!load_work(m->load, xml_place(node), f->mesh.vertex_count)) return;
    pin_box(f, x, x + 3);
  }
}

// ---- material

// The numbers of the plug-in with which MuJoCo 3.0 to 3.2 describes elasticity.
static void read_plugin(Flex* f, const XmlNode* node, HeftDeformableDef* def) {
  Mjcf* m = f->m;
  const char* plugin = xml_get(node, "plugin");
  mj_check(m, node, MJCF_plugin);
  if (!plugin || strcmp(plugin, "mujoco.elasticity.solid") != 0) {
    mj_unknown_element(m, node);
    return;
  }
  for (const XmlNode* n = xml_child(node, "config"); n; n = xml_next(n, "config")) {
    const char *key = xml_get(n, "key"), *value = xml_get(n, "value");
    double* to = NULL;
    if (key && strcmp(key, "young") == 0) to = &def->young;
    if (key && strcmp(key, "poisson") == 0) to = &def->poisson;
    if (key && strcmp(key, "damping") == 0) to = &def->damping;
    if (to && value) xml_numbers(m->load, n, "value", value, 1, 1, to);
    if (!to) mj_unknown_element(m, n);
  }
}

static void read_contact(Flex* f, const XmlNode* node, HeftDeformableDef* def) {
  Mjcf* m = f->m;
  const Item item = {.node = node, .scope = f->item->scope};
  double law[MATERIAL_NUMBERS] = {1, 1, 0.005, 0.0001}, given[3] = {1, 0.005, 0.0001};
  mj_check(m, node, MJCF_flexcontact);
  def->category = mj_int(m, &item, MJ_flexcontact_contype);
  def->collides = mj_int(m, &item, MJ_flexcontact_conaffinity);
  def->contact_dim = mj_int(m, &item, MJ_flexcontact_condim);
  mj_reals(m, &item, MJ_flexcontact_friction, given);
  for (int i = 0; i < 3; ++i) {
    if (!(given[i] >= 0 && (i > 0 || given[i] <= 100)))
      load_fail(m->load, HEFT_ERR_VALUE, mj_place(m, &item, MJ_flexcontact_friction),
                "<contact friction>: %g was found, expected 0 or more (sliding: at most 100)",
                given[i]);
  }
  law[0] = law[1] = given[0];
  law[2] = given[1];
  law[3] = given[2];
  if (LOAD_OK(m->load)) def->material = mj_material(m, law, NULL);
}

static void read_color(Flex* f, HeftDeformableDef* def) {
  Mjcf* m = f->m;
  const char* missing = NULL;
  const int look = mj_reference(m, f->item, MJ_flexcomp_material, OF_MATERIAL, &missing, NULL);
  mj_reals(m, f->item, MJ_flexcomp_rgba, def->color);
  if (missing)
    load_fail(m->load, HEFT_ERR_NAME, mj_place(m, f->item, MJ_flexcomp_material),
              "<flexcomp material>: there is no material '%.80s'", missing);
  if (look >= 0 && !mj_given(m, f->item, MJ_flexcomp_rgba))
    memcpy(def->color, GROW_AT(m->looks, LookInfo, look).color, sizeof def->color);
}

static void read_children(Flex* f, HeftDeformableDef* def) {
  Mjcf* m = f->m;
  for (const XmlNode* n = f->item->node->child; n && LOAD_OK(m->load); n = n->next) {
    const Item item = {.node = n, .scope = f->item->scope};
    if (xml_is(n, "elasticity")) {
      mj_check(m, n, MJCF_elasticity);
      def->young = mj_real(m, &item, MJ_elasticity_young);
      def->poisson = mj_real(m, &item, MJ_elasticity_poisson);
      def->damping = mj_real(m, &item, MJ_elasticity_damping);
    } else if (xml_is(n, "contact")) {
      read_contact(f, n, def);
    } else if (xml_is(n, "edge")) {
      mj_check(m, n, MJCF_edge);
    } else if (xml_is(n, "plugin")) {
      read_plugin(f, n, def);
    } else if (xml_is(n, "pin")) {
      read_pin(f, n);
    } else {
      mj_unknown_element(m, n);
    }
  }
}

// ---- the body

// The body to which pins fix vertices: 0, the world, if the body does not move.
static int holder_of(const Mjcf* m, int body) {
  for (int b = body; b > 0; b = GROW_AT(m->bodies, BodyInfo, b).parent) {
    if (GROW_AT(m->bodies, BodyInfo, b).jointed) return body;
  }
  return 0;
}

static double volume_of(const HeftTetrahedra* mesh) {
  double sum = 0;
  for (int t = 0; t < mesh->tetrahedron_count; ++t) {
    const int* c = mesh->tetrahedra + 4L * t;
    HeftVec3 e[3];
    for (int k = 0; k < 3; ++k)
      e[k] = heft_vec3_sub(heft_vec3_from(mesh->vertices + 3L * c[k + 1]),
                           heft_vec3_from(mesh->vertices + 3L * c[0]));
    sum += fabs(heft_vec3_dot(e[0], heft_vec3_cross(e[1], e[2]))) / 6;
  }
  return sum;
}

// Leaves out vertices that are not used, and lists the pinned ones.
static void set_mesh(Flex* f, HeftDeformableDef* def, int body) {
  Load* load = f->m->load;
  int *number = NULL, *bonds = load_take(load, 2 * (size_t)f->pins, sizeof(int));
  const int vertices = f->mesh.vertex_count, holder = holder_of(f->m, body);
  if (!bonds || !tetrahedra_compact(load, &f->mesh, &number)) return;
  int* holders = bonds + f->pins;
  for (int i = 0; i < vertices; ++i) {
    if (!f->pinned[i] || number[i] < 0) continue;
    holders[def->bond_count] = holder;
    bonds[def->bond_count++] = number[i];
  }
  def->bond_bodies = holders;
  def->vertex_count = f->mesh.vertex_count;
  def->vertices = f->mesh.vertices;
  def->tetrahedron_count = f->mesh.tetrahedron_count;
  def->tetrahedra = f->mesh.tetrahedra;
  def->bonds = bonds;
}

// Gives the bodies of the vertices to the tables of the reader.
static void note_vertices(Flex* f, const HeftDeformableDef* def, int first) {
  Mjcf* m = f->m;
  const HeftPose pose = heft_pose(def->pos, heft_quat_normalize(def->quat));
  for (int i = 0; i < def->vertex_count && LOAD_OK(m->load); ++i) {
    BodyInfo* info = LOAD_ADD(m->load, &m->bodies, BodyInfo);
    if (!info) return;
    *info = (BodyInfo){.pose = heft_pose_identity()};
    info->pose.pos = heft_pose_apply(pose, heft_vec3_from(def->vertices + 3L * i));
    info->own = info->pose;
    mj_name_add(m, f->item->node, OF_BODY, load_format(m->load, "%s_%d", def->name, i), first + i);
  }
  m->nq += 3 * (def->vertex_count - def->bond_count);
  m->nv += 3 * (def->vertex_count - def->bond_count);
}

static void add_deformable(Flex* f, HeftDeformableDef* def, int body) {
  Load* load = f->m->load;
  const Place place = xml_place(f->item->node);
  const int first = f->m->bodies.count;
  if (def->vertex_count > load->def->limits.bodies - first) {
    load_fail(load, HEFT_ERR_LIMIT, place,
              "<flexcomp> has %d vertices, which makes more than %d bodies; raise the limit bodies",
              def->vertex_count, load->def->limits.bodies);
    return;
  }
  if (def->bond_count > 0 && GROW_AT(f->m->bodies, BodyInfo, body).moved) {
    load_fail(
        load, HEFT_ERR_UNSUPPORTED, place,
        "<flexcomp> has pins to a mocap body, which Heft does not support; weld a body with a "
        "free joint to the mocap body by <equality>, and pin it to that");
    return;
  }
  if (heft_builder_add_deformable(load->builder, def) < 0) {
    HeftError error = {0};
    const HeftStatus status = heft_builder_status(load->builder, &error);
    load_fail(load, status, place, "%s", error.message);
    return;
  }
  note_vertices(f, def, first);
}

// Why a flexcomp is left out; 0: it is not.
static const char* reason_to_skip(Flex* f, const HeftDeformableDef* def) {
  if (mj_bool(f->m, f->item, MJ_flexcomp_rigid) || (f->pins > 0 && f->pins == f->mesh.vertex_count))
    return "it is rigid; describe it by geoms";
  if (!(def->young > 0)) return "it has no <elasticity young>, which Heft needs [Pa]";
  return NULL;
}

static void skip(Flex* f, const char* why) {
  load_warn(f->m->load, xml_place(f->item->node), why, "<flexcomp> is left out: %s", why);
}

// The type of a solid; -1: it is none, or after a mistake.
static int read_type(Flex* f) {
  static const char* const types[] = {"grid",   "box",    "cylinder", "ellipsoid", "mesh", "gmsh",
                                      "direct", "square", "disc",     "circle",    NULL};
  const int type = mj_word(f->m, f->item, MJ_flexcomp_type, types);
  const int solid = type == FLEX_BOX || type == FLEX_CYLINDER || type == FLEX_ELLIPSOID ||
                    mj_int(f->m, f->item, MJ_flexcomp_dim) == 3;
  if (!LOAD_OK(f->m->load)) return -1;
  if (type <= FLEX_DIRECT && solid) return type;
  skip(f, "it is a rope or a cloth; Heft has deformable solids (dim=\"3\")");
  return -1;
}

void mj_add_flexcomp(Mjcf* m, Item* item, int body) {
  static const char* const motions[] = {"full", "radial", "trilinear", "quadratic", NULL};
  Flex f = {.m = m, .item = item};
  m->owner = item->scope;
  mj_check(m, item->node, MJCF_flexcomp);
  const int type = read_type(&f);
  if (type < 0) return;
  f.type = (FlexType)type;
  HeftDeformableDef def = heft_deformable_def_default();
  def.young = def.poisson = def.damping = 0;
  const char* name = mj_text(m, item, MJ_flexcomp_name, NULL);
  if (!name || !name[0]) {
    load_fail(m->load, HEFT_ERR_NAME, xml_place(item->node), "<flexcomp> needs a name");
    return;
  }
  f.name = name;
  def.name = mj_full_name(m, item->scope, name);
  if (m->root->total_mass > 0) {
    load_fail(m->load, HEFT_ERR_UNSUPPORTED, xml_place(item->node),
              "<compiler settotalmass> does not scale a <flexcomp>; give masses in kg");
    return;
  }
  const XmlNode* keys = xml_child(item->scope->unit->root, "keyframe");
  if (keys)
    load_warn(m->load, xml_place(keys), "keyframes of deformable bodies",
              "the coordinates of a <flexcomp> follow after those of all other bodies in Heft; the "
              "numbers of keyframes are read in this order");
  const HeftPhysics physics = heft_builder_physics(m->load->builder);
  if (physics.density > 0 || physics.viscosity > 0)
    load_warn(m->load, xml_place(item->node), "flexcomp in a fluid",
              "the fluid does not act on the vertices of <flexcomp>");
  if (!read_mesh(&f)) return;
  f.pinned = load_take(m->load, (size_t)f.mesh.vertex_count, 1);
  if (!f.pinned) return;
  read_children(&f, &def);
  if (mj_word(m, item, MJ_flexcomp_dof, motions) > 0)
    load_warn(m->load, mj_place(m, item, MJ_flexcomp_dof), "flexcomp dof",
              "<flexcomp dof> is read as full: all vertices move");
  const double mass = mj_real(m, item, MJ_flexcomp_mass), volume = volume_of(&f.mesh);
  def.radius = mj_real(m, item, MJ_flexcomp_radius);
  if (LOAD_OK(m->load) && !(mass > 0 && volume > 0 && def.radius >= 0))
    load_fail(m->load, HEFT_ERR_VALUE, xml_place(item->node),
              "<flexcomp>: mass %g kg, volume %g m³ and radius %g m were found, expected numbers "
              "above 0",
              mass, volume, def.radius);
  read_color(&f, &def);
  const char* why = LOAD_OK(m->load) ? reason_to_skip(&f, &def) : NULL;
  if (why) skip(&f, why);
  if (why || !LOAD_OK(m->load)) return;
  def.density = mass / volume;
  def.pos = mj_vec3(m, item, MJ_flexcomp_pos);
  def.quat = mj_orientation(m, item, MJ_flexcomp_quat);
  if (!mj_is_plain_frame(item)) mj_place_item(item, &def.pos, &def.quat);
  const HeftPose at =
      heft_pose_mul(GROW_AT(m->bodies, BodyInfo, body).pose, heft_pose(def.pos, def.quat));
  def.pos = at.pos;
  def.quat = heft_quat_from_mat3(at.rot);
  set_mesh(&f, &def, body);
  if (LOAD_OK(m->load)) add_deformable(&f, &def, body);
}
