// SPDX-License-Identifier: Apache-2.0
// Shapes of a link: <visual> and <collision>.
#include <string.h>

#include "io/urdf.h"

static void read_color(Urdf* u, const XmlNode* visual, double color[4]) {
  const XmlNode* material = xml_child(visual, "material");
  if (!material) return;
  const char* name = xml_get(material, "name");
  const XmlNode* source = material;
  if (!xml_child(material, "color") && name && name[0]) {  // defined once, used by name
    for (const XmlNode* m = xml_child(u->robot, "material"); m; m = xml_next(m, "material")) {
      const char* known = xml_get(m, "name");
      if (known && strcmp(known, name) == 0) source = m;
    }
  }
  const XmlNode* rgba = xml_child(source, "color");
  if (rgba) urdf_read_numbers(u, rgba, "rgba", 4, color);
  const XmlNode* texture = xml_child(source, "texture");
  if (texture)
    load_warn(u->load, xml_place(texture), "urdf texture",
              "<texture> of a material is not shown; URDF surfaces have a colour only");
}

// The mesh's index; -1 if it is skipped with a warning, or after a mistake.
static int read_mesh(Urdf* u, const XmlNode* node, int collides) {
  Load* load = u->load;
  const char* file_name = urdf_need(u, node, "filename");
  double scale[3] = {1, 1, 1};
  urdf_read_numbers(u, node, "scale", 3, scale);
  if (!file_name || !LOAD_OK(load)) return -1;
  const Place place = xml_attribute_place(node, "filename");
  if (mesh_has_ending(file_name, ".dae") || mesh_has_ending(file_name, ".glb") ||
      mesh_has_ending(file_name, ".gltf")) {
    load_warn(load, place, collides ? "dae collision" : "dae visual",
              "'%.150s': Collada and glTF meshes are not read, the %s is left out; make an OBJ of "
              "it with "
              "'heft convert' and name that",
              file_name, collides ? "collision shape" : "visual shape");
    return -1;
  }
  const char* source =
      load_format(load, "%s|%.17g|%.17g|%.17g", file_name, scale[0], scale[1], scale[2]);
  int index = assets_find_source(&u->assets, source);
  if (index < 0) {
    const SourceFile* file = load_read(load, place, place.file, NULL, file_name);
    MeshAsset asset = {.source = source, .place = place};
    if (!file || !mesh_read(load, place, file, &asset.mesh)) return -1;
    mesh_scale(&asset.mesh, scale);
    const char* base = assets_base_name(load, file_name);
    asset.name = base;
    for (int n = 2; assets_find_mesh(&u->assets, asset.name) >= 0 && LOAD_OK(load); ++n)
      asset.name = load_format(load, "%s_%d", base, n);
    index = assets_add_mesh(load, &u->assets, &asset);
  }
  if (index >= 0 && collides) assets_mesh(&u->assets, index)->collides = 1;
  return index;
}

static double need_positive(Urdf* u, const XmlNode* node, const char* attribute) {
  const double x = urdf_need_number(u, node, attribute);
  if (LOAD_OK(u->load) && !(x > 0))
    load_fail(u->load, HEFT_ERR_VALUE, xml_attribute_place(node, attribute),
              "<%.40s %s>: %g was found, expected a positive length", node->name, attribute, x);
  return x;
}

// 0 if the shape is left out.
static int read_geometry(Urdf* u, const XmlNode* node, int collides, HeftShapeDef* shape) {
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
    shape->mesh = read_mesh(u, kind, collides);
    return shape->mesh >= 0;
  } else {
    load_fail(u->load, HEFT_ERR_VALUE, xml_place(kind),
              "<%.60s> was found in <geometry>, expected box, cylinder, sphere, capsule or mesh",
              kind->name);
    return 0;
  }
  return LOAD_OK(u->load);
}

void urdf_read_shapes(Urdf* u, const Link* link, const char* kind, int collides) {
  for (const XmlNode* n = xml_child(link->node, kind); n && LOAD_OK(u->load);
       n = xml_next(n, kind)) {
    HeftShapeDef shape = heft_shape_def_default();
    shape.body = link->body;
    shape.group = collides ? 3 : 2;
    shape.category = shape.collides = collides;
    urdf_read_origin(u, n, &shape.pos, &shape.quat);
    if (!collides) read_color(u, n, shape.color);
    if (read_geometry(u, n, collides, &shape)) heft_builder_add_shape(u->load->builder, &shape);
  }
}
