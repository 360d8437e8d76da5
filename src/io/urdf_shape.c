// SPDX-License-Identifier: Apache-2.0
// Shapes of a link: <visual> and <collision>.
#include <math.h>
#include <string.h>

#include "io/urdf.h"
#include "io/urdf_groups.h"

// The colour of a visual shape, and the appearance of its texture (-1: none).
static int read_color(Urdf* u, const XmlNode* visual, double color[4]) {
  const XmlNode* material = xml_child(visual, "material");
  if (!material) return -1;
  const char* name = xml_get(material, "name");
  const XmlNode* source = material;
  if (!xml_child(material, "color") && !xml_child(material, "texture") && name && name[0]) {
    for (const XmlNode* m = xml_child(u->robot, "material"); m; m = xml_next(m, "material")) {
      const char* known = xml_get(m, "name");  // defined once, used by name
      if (known && strcmp(known, name) == 0) source = m;
    }
  }
  const XmlNode* rgba = xml_child(source, "color");
  if (rgba) urdf_read_numbers(u, rgba, "rgba", 4, color);
  const XmlNode* texture = xml_child(source, "texture");
  const char* file = texture ? xml_get(texture, "filename") : NULL;
  if (!file || !file[0]) return -1;
  return urdf_texture(u, xml_attribute_place(texture, "filename"), u->file, file);
}

static double need_positive(Urdf* u, const XmlNode* node, const char* attribute) {
  const double x = urdf_need_number(u, node, attribute);
  if (LOAD_OK(u->load) && !(x > 0))
    load_fail(u->load, HEFT_ERR_VALUE, xml_attribute_place(node, attribute),
              "<%.40s %s>: %g was found, expected a positive length", node->name, attribute, x);
  return x;
}

// 0 if the shape is left out. *mesh is the mesh of a mesh shape.
static int read_geometry(Urdf* u, const XmlNode* node, int collides, HeftShapeDef* shape,
                         UrdfMesh** mesh) {
  const XmlNode* geometry = urdf_need_child(u, node, "geometry");
  if (!geometry) return 0;
  const XmlNode* kind = xml_child(geometry, NULL);
  if (!kind) {
    load_fail(u->load, HEFT_ERR_SYNTAX, xml_place(geometry),
              "<geometry> is empty, expected box, cylinder, sphere, capsule or mesh");
    return 0;
  }
  if (xml_is(kind, "box")) {
    double size[3] = {0};
    if (urdf_need(u, kind, "size")) urdf_read_numbers(u, kind, "size", 3, size);
    shape->type = HEFT_SHAPE_BOX;
    for (int i = 0; i < 3; ++i) shape->size[i] = size[i] / 2;
    if (LOAD_OK(u->load) && !(size[0] > 0 && size[1] > 0 && size[2] > 0))
      load_fail(u->load, HEFT_ERR_VALUE, xml_attribute_place(kind, "size"),
                "<box size>: %g %g %g was found, expected three positive lengths", size[0], size[1],
                size[2]);
  } else if (xml_is(kind, "sphere")) {
    shape->type = HEFT_SHAPE_SPHERE;
    shape->size[0] = need_positive(u, kind, "radius");
  } else if (xml_is(kind, "cylinder") || xml_is(kind, "capsule")) {
    shape->type = xml_is(kind, "capsule") ? HEFT_SHAPE_CAPSULE : HEFT_SHAPE_CYLINDER;
    shape->size[0] = need_positive(u, kind, "radius");
    shape->size[1] = need_positive(u, kind, "length") / 2;
  } else if (xml_is(kind, "mesh")) {
    shape->type = HEFT_SHAPE_MESH;
    *mesh = urdf_mesh(u, kind, collides);
    return *mesh && !(*mesh)->failed;
  } else {
    load_fail(u->load, HEFT_ERR_VALUE, xml_place(kind),
              "<%.60s> was found in <geometry>, expected box, cylinder, sphere, capsule or mesh",
              kind->name);
    return 0;
  }
  return LOAD_OK(u->load);
}

static void collect(Urdf* u, int link, int collides, const HeftShapeDef* def) {
  LinkShape* shape = LOAD_ADD(u->load, &u->shapes, LinkShape);
  if (shape) *shape = (LinkShape){.def = *def, .link = link, .collides = collides};
}

// <heft decompose="ERROR" pieces="NUMBER"/> in an element, for the meshes in it. A missing value
// leaves `wish` as it is.
static void read_wish(Urdf* u, const XmlNode* parent, PieceWish* wish) {
  const XmlNode* node = xml_child(parent, "heft");
  if (!node) return;
  const double error = urdf_read_number(u, node, "decompose", wish->error);
  const double pieces = urdf_read_number(u, node, "pieces", wish->max_pieces);
  if (!LOAD_OK(u->load)) return;
  if (!(error >= 0 && error <= 1e9)) {
    load_fail(u->load, HEFT_ERR_VALUE, xml_attribute_place(node, "decompose"),
              "<heft decompose>: %g was found, expected the largest distance of the pieces from "
              "the mesh in metres, 0 or more (0: the mesh is not cut)",
              error);
  } else if (!(pieces >= 0 && pieces <= 1000 && pieces == floor(pieces))) {
    load_fail(u->load, HEFT_ERR_VALUE, xml_attribute_place(node, "pieces"),
              "<heft pieces>: %g was found, expected the largest number of pieces, 1 to 1000",
              pieces);
  } else {
    *wish = (PieceWish){error, (int)pieces};
  }
}

// A visual shape of each material of a mesh. The materials of the file count; if it has none, those
// of the link.
static void collect_parts(Urdf* u, int link, UrdfMesh* mesh, HeftShapeDef def) {
  if (!urdf_mesh_parts(u, mesh)) return;
  for (int i = 0; i < mesh->count; ++i) {
    def.mesh = mesh->first + i;
    if (mesh->of_file) {
      def.appearance = mesh->looks[i].appearance;
      memcpy(def.color, mesh->looks[i].color, sizeof def.color);
    }
    if (def.appearance >= 0) assets_mesh(&u->assets, def.mesh)->textured = 1;
    collect(u, link, 0, &def);
  }
}

// <heft triangles="1"/> in a <collision>: its mesh collides as its triangles.
static int wants_triangles(Urdf* u, const XmlNode* collision) {
  const XmlNode* node = xml_child(collision, "heft");
  const double wish = node ? urdf_read_number(u, node, "triangles", 0) : 0;
  if (LOAD_OK(u->load) && wish != 0 && wish != 1)
    load_fail(
        u->load, HEFT_ERR_VALUE, xml_attribute_place(node, "triangles"),
        "<heft triangles>: %g was found, expected 1 (the mesh collides as its triangles) or 0 "
        "(as its convex hull)",
        wish);
  return wish == 1;
}

// Numbers of a material that yields. 0 after a mistake.
static int check_softness(Urdf* u, const XmlNode* node, const HeftMaterialDef* def) {
  const double *soft = def->soft, *area = def->area;
  if (xml_get(node, "soft") && !(soft[0] > 0 && soft[1] >= 0)) {
    load_fail(u->load, HEFT_ERR_VALUE, xml_attribute_place(node, "soft"),
              "<heft soft>: %g %g was found, expected a stiffness above 0 [N/m] and a damping of 0 "
              "or more [N s/m]",
              soft[0], soft[1]);
  } else if (xml_get(node, "area") &&
             !(area[0] > 0 && area[1] > 0 && area[2] >= 0 && (area[3] == 1 || area[3] == 0.5))) {
    load_fail(
        u->load, HEFT_ERR_VALUE, xml_attribute_place(node, "area"),
        "<heft area>: expected a modulus [Pa] and a thickness [m] above 0, a dissipation of 0 "
        "or more [s/m], and the exponent 1 or 0.5");
  } else if (!(def->friction >= 0 && def->friction <= 100)) {
    load_fail(u->load, HEFT_ERR_VALUE, xml_attribute_place(node, "friction"),
              "<heft friction>: %g was found, expected 0 to 100", def->friction);
  }
  return LOAD_OK(u->load);
}

// <heft friction="0.8" soft="STIFFNESS DAMPING" area="MODULUS THICKNESS DISSIPATION EXPONENT"/> in
// a <collision>: its contact material. The default material if none of them is given.
static int read_material(Urdf* u, const XmlNode* collision) {
  const XmlNode* node = xml_child(collision, "heft");
  if (!node || !(xml_get(node, "soft") || xml_get(node, "area") || xml_get(node, "friction")))
    return 0;
  HeftMaterialDef def = heft_material_def_default();
  if (xml_get(node, "soft")) urdf_read_numbers(u, node, "soft", 2, def.soft);
  if (xml_get(node, "area")) urdf_read_numbers(u, node, "area", 4, def.area);
  def.friction = def.kinetic = urdf_read_number(u, node, "friction", def.friction);
  if (!LOAD_OK(u->load) || !check_softness(u, node, &def)) return 0;
  return heft_builder_add_material(u->load->builder, &def);
}

static void collect_collision(Urdf* u, int link, const XmlNode* node, UrdfMesh* mesh,
                              HeftShapeDef def) {
  def.material = read_material(u, node);
  if (mesh) def.mesh = urdf_mesh_whole(u, mesh);
  if (mesh && def.mesh < 0) return;
  const int triangles = mesh && wants_triangles(u, node);
  if (mesh && triangles) assets_collide(assets_mesh(&u->assets, def.mesh), 1);
  collect(u, link, 1, &def);
  if (!mesh || !LOAD_OK(u->load)) return;
  LinkShape* shape = &GROW_AT(u->shapes, LinkShape, u->shapes.count - 1);
  shape->triangles = triangles;
  if (triangles) return;
  read_wish(u, u->robot, &shape->pieces);
  read_wish(u, node, &shape->pieces);
}

// Returns how many elements of the kind could not be shown.
static int read_kind(Urdf* u, int link, const char* kind, int collides) {
  int missing = 0;
  for (const XmlNode* n = xml_child(u->links[link].node, kind); n && LOAD_OK(u->load);
       n = xml_next(n, kind)) {
    HeftShapeDef def = heft_shape_def_default();
    UrdfMesh* mesh = NULL;
    def.group = collides ? URDF_HIDDEN_GROUP : URDF_SHOWN_GROUP;
    def.category = def.collides = collides;
    urdf_read_origin(u, n, &def.pos, &def.quat);
    if (!collides) def.appearance = read_color(u, n, def.color);
    if (!read_geometry(u, n, collides, &def, &mesh)) {
      ++missing;
    } else if (collides) {
      collect_collision(u, link, n, mesh, def);
    } else if (mesh) {
      collect_parts(u, link, mesh, def);
    } else {
      collect(u, link, 0, &def);
    }
  }
  return missing;
}

// Draws the collision shapes of a link in place of its visual shapes: if those are missing, or if
// the whole file has none.
static void show_collisions(Urdf* u, const Link* link, int first, int missing) {
  for (int i = first; i < u->shapes.count; ++i)
    GROW_AT(u->shapes, LinkShape, i).def.group = URDF_SHOWN_GROUP;
  if (missing) {
    load_warn_file(
        u->load, xml_place(link->node), "collision shown",
        "link '%.80s' is drawn by its collision shapes, because its visual shapes cannot "
        "be read",
        link->name);
  } else {
    load_warn(u->load, xml_place(link->node), "no visual",
              "link '%.80s' is drawn by its collision shapes, because the file has no <visual>",
              link->name);
  }
}

void urdf_read_shapes(Urdf* u, int link) {
  const int first = u->shapes.count;
  const int missing = read_kind(u, link, "visual", 0);
  const int visual = u->shapes.count - first;
  read_kind(u, link, "collision", 1);
  if (visual == 0 && u->shapes.count > first && (missing || !u->has_visual))
    show_collisions(u, &u->links[link], first, missing);
}

// Adds the pieces of a mesh, and the mesh itself if it is seen. Returns 0 if it is not cut.
static int add_pieces(Urdf* u, const LinkShape* shape) {
  PieceRange range;
  if (!shape->collides || shape->def.mesh < 0 || shape->triangles) return 0;
  if (assets_cut(u->load, &u->assets, shape->def.mesh, shape->pieces, &range) <= 0) return 0;
  for (int i = 0; i < range.count; ++i) {
    HeftShapeDef def = shape->def;
    def.mesh = range.first + i;
    def.group = PIECE_GROUP;
    assets_piece_color(i, def.color);
    heft_builder_add_shape(u->load->builder, &def);
  }
  if (shape->def.group != URDF_SHOWN_GROUP) return 1;
  HeftShapeDef seen = shape->def;
  seen.category = seen.collides = 0;
  heft_builder_add_shape(u->load->builder, &seen);
  return 1;
}

void urdf_add_shapes(Urdf* u, int link, int* next) {
  for (; *next < u->shapes.count && GROW_AT(u->shapes, LinkShape, *next).link == link; ++*next) {
    LinkShape* shape = &GROW_AT(u->shapes, LinkShape, *next);
    HeftShapeDef* def = &shape->def;
    def->body = u->links[link].body;
    if (def->body == 0) def->pos.z += u->lift;
    if (add_pieces(u, shape)) continue;
    if (!LOAD_OK(u->load)) return;
    if (shape->collides && def->mesh >= 0 && !shape->triangles)
      assets_collide(assets_mesh(&u->assets, def->mesh), 0);
    heft_builder_add_shape(u->load->builder, def);
  }
}
