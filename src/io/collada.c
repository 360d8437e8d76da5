// SPDX-License-Identifier: Apache-2.0
// Collada 1.4 and 1.5 (.dae): the triangles of a scene as one mesh, with colours and textures.
//
// The nodes of the scene place geometries by 4 x 4 matrices: a vertex is unit · M1 · ... · Mn · v,
// where each <matrix>, <translate>, <rotate> and <scale> of a node, in the order of the file, is
// one factor, and unit is that of <asset> [m]. If the determinant is negative, the faces are
// reversed. Polygons become fans of triangles. Axes stay as in the file (urdf_up.c). Skins,
// animations, lines and splines are not read. Source: Khronos Group, COLLADA 1.4.1 and 1.5.0.
//
// Hostile files: elements are found by a table of names; each visit of a node, number and corner is
// charged to the budget of the load, so that instances of instances cannot multiply for free.
#include "io/collada.h"

#include <math.h>
#include <string.h>

#include "base/decimal.h"

enum { DEPTH_MAX = 64, WORK_OF_NODE = 500, WORK_OF_VERTEX = 30, WORK_OF_CORNER = 40 };
static const double coordinate_max = 1e9;  // [m]

/// An affine map: row-major 3 x 3 and a shift.
typedef struct Affine {
  HeftMat3 linear;
  HeftVec3 shift;
} Affine;

/// A <source> of numbers, `stride` for each element.
typedef struct ColladaSource {
  const XmlNode* node;
  const double* numbers;
  int count, stride;
} ColladaSource;

/// The <input> elements of a primitive: where the numbers of a corner are.
typedef struct Inputs {
  const ColladaSource *position, *place;  ///< place: of the texture, or NULL
  int position_offset, place_offset, stride;
} Inputs;

/// One geometry at its place in the scene.
typedef struct Instance {
  const XmlNode* node;  ///< <instance_geometry>
  Affine pose;
  int reversed;
  const ColladaSource* source;  ///< whose vertices were added last
  int first_vertex;
} Instance;

typedef struct Corner {
  int vertex;
  double place[2];
} Corner;

// ---- elements by name

// Elements are few and their depth is limited by xml_depth.
static int collect_ids(Collada* c, const XmlNode* node) {
  const char* id = xml_get(node, "id");
  if (id && !name_table_find(&c->ids, 0, id) &&
      !load_name(c->load, &c->ids, (NameEntry){.name = id, .owner = node}))
    return 0;
  for (const XmlNode* child = node->child; child; child = child->next) {
    if (!collect_ids(c, child)) return 0;
  }
  return 1;
}

// The element that an attribute of a node names; NULL after a mistake.
static const XmlNode* need(Collada* c, const XmlNode* node, const char* attribute,
                           const char* name) {
  const char* url = xml_get(node, attribute);
  const XmlNode* found = collada_find(c, url, name);
  if (!found)
    load_fail(c->load, HEFT_ERR_VALUE, xml_attribute_place(node, attribute),
              "<%.40s %s>: '%.80s' was found, expected '#' and the id of a <%s> of this file",
              node->name, attribute, url ? url : "", name);
  return found;
}

// ---- numbers

// A whole number of 0 to max; `fallback` if the attribute is missing, -1 after a mistake.
static int read_index(Collada* c, const XmlNode* node, const char* attribute, int fallback,
                      int max) {
  const char* text = xml_get(node, attribute);
  int x = fallback;
  if (text && !xml_integers(c->load, node, attribute, text, 1, 1, &x)) return -1;
  if (x >= 0 && x <= max) return x;
  load_fail(c->load, HEFT_ERR_VALUE, xml_attribute_place(node, attribute),
            "<%.40s %s>: %d was found, expected 0 to %d", node->name, attribute, x, max);
  return -1;
}

static const ColladaSource* read_source(Collada* c, const XmlNode* node) {
  load_search(c->load, xml_place(node), c->sources.count);
  for (int i = 0; i < c->sources.count; ++i) {
    const ColladaSource* known = GROW_AT(c->sources, ColladaSource*, i);
    if (known->node == node) return known;
  }
  const XmlNode* array = xml_child(node, "float_array");
  const XmlNode* common = xml_child(node, "technique_common");
  const XmlNode* accessor = common ? xml_child(common, "accessor") : NULL;
  if (!array) {
    load_fail(c->load, HEFT_ERR_UNSUPPORTED, xml_place(node),
              "<source> without <float_array> was found, expected numbers");
    return NULL;
  }
  const int stride = accessor ? read_index(c, accessor, "stride", 1, 64) : 3;
  const int offset = accessor ? read_index(c, accessor, "offset", 0, 1 << 30) : 0;
  int count = 0;
  if (stride < 0 || offset < 0) return NULL;
  const double* numbers = xml_number_list(c->load, array, "count", array->text, &count);
  ColladaSource* source = LOAD_NEW(c->load, ColladaSource);
  ColladaSource** slot = LOAD_ADD(c->load, &c->sources, ColladaSource*);
  if (!LOAD_OK(c->load) || !numbers || !source || !slot) return NULL;
  const int left = offset < count ? count - offset : 0;
  *source = (ColladaSource){.node = node,
                            .numbers = numbers + (left > 0 ? offset : 0),
                            .count = stride > 0 ? left / stride : 0,
                            .stride = stride};
  *slot = source;
  return source;
}

// ---- transformations

static Affine multiply(Affine a, Affine b) {
  return (Affine){heft_mat3_mul(a.linear, b.linear),
                  heft_vec3_add(heft_mat3_mul_vec(a.linear, b.shift), a.shift)};
}

static Affine identity(void) { return (Affine){.linear = heft_mat3_identity()}; }

// R = cos φ 1 + sin φ [n] + (1 - cos φ) n nᵀ with the axis n and the angle φ [degrees].
static HeftMat3 rotation(const double x[4]) {
  HeftVec3 n = heft_vec3_from(x);
  const double length = heft_vec3_norm(n);
  HeftMat3 r = heft_mat3_identity();
  double s, k;
  if (!(length > 0)) return r;
  n = heft_vec3_scale(1 / length, n);
  heft_sincos(x[3] * (HEFT_PI / 180), &s, &k);
  const HeftMat3 cross = heft_mat3_skew(n);
  const double axis[3] = {n.x, n.y, n.z};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j)
      r.m[i][j] = k * r.m[i][j] + s * cross.m[i][j] + (1 - k) * axis[i] * axis[j];
  }
  return r;
}

// One element of a node as a map; 0: it is no transformation, or after a mistake.
static int read_transform(Collada* c, const XmlNode* node, Affine* out) {
  double x[16];
  *out = identity();
  if (xml_is(node, "matrix")) {
    if (!xml_numbers(c->load, node, "sid", node->text, 16, 16, x)) return 0;
    for (int i = 0; i < 3; ++i) memcpy(out->linear.m[i], x + 4L * i, sizeof out->linear.m[i]);
    out->shift = heft_vec3(x[3], x[7], x[11]);
  } else if (xml_is(node, "translate")) {
    if (!xml_numbers(c->load, node, "sid", node->text, 3, 3, x)) return 0;
    out->shift = heft_vec3_from(x);
  } else if (xml_is(node, "rotate")) {
    if (!xml_numbers(c->load, node, "sid", node->text, 4, 4, x)) return 0;
    out->linear = rotation(x);
  } else if (xml_is(node, "scale")) {
    if (!xml_numbers(c->load, node, "sid", node->text, 3, 3, x)) return 0;
    for (int i = 0; i < 3; ++i) out->linear.m[i][i] = x[i];
  } else {
    return 0;
  }
  return 1;
}

// ---- the corners of a primitive

static int read_inputs(Collada* c, const XmlNode* primitive, Inputs* out) {
  *out = (Inputs){0};
  for (const XmlNode* in = xml_child(primitive, "input"); in; in = xml_next(in, "input")) {
    const char* meaning = xml_get(in, "semantic");
    const int offset = read_index(c, in, "offset", 0, 63);
    if (offset < 0) return 0;
    if (offset >= out->stride) out->stride = offset + 1;
    if (meaning && strcmp(meaning, "VERTEX") == 0) {
      const XmlNode* vertices = need(c, in, "source", "vertices");
      const XmlNode* position = vertices ? xml_child(vertices, "input") : NULL;
      while (position && strcmp(xml_get(position, "semantic") ? xml_get(position, "semantic") : "",
                                "POSITION") != 0)
        position = xml_next(position, "input");
      const XmlNode* source = position ? need(c, position, "source", "source") : NULL;
      out->position = source ? read_source(c, source) : NULL;
      out->position_offset = offset;
    } else if (meaning && strcmp(meaning, "TEXCOORD") == 0 && !out->place) {
      const XmlNode* source = need(c, in, "source", "source");
      out->place = source ? read_source(c, source) : NULL;
      out->place_offset = offset;
    }
    if (!LOAD_OK(c->load)) return 0;
  }
  if (out->place && out->place->stride < 2) out->place = NULL;
  if (out->position && out->position->stride >= 3) return 1;
  load_fail(c->load, HEFT_ERR_VALUE, xml_place(primitive),
            "<%.40s> without vertices was found, expected <input semantic=\"VERTEX\"> whose "
            "<vertices> have a POSITION of three numbers",
            primitive->name);
  return 0;
}

// Adds all vertices of a source, once for primitives that follow each other.
static int add_vertices(Collada* c, Instance* at, const ColladaSource* source) {
  if (at->source == source) return 1;
  if (!load_work(c->load, xml_place(source->node), WORK_OF_VERTEX * (double)source->count))
    return 0;
  at->source = source;
  at->first_vertex = c->vertices.count;
  for (long i = 0; i < source->count; ++i) {
    const HeftVec3 v = heft_vec3_from(source->numbers + i * source->stride);
    const HeftVec3 p = heft_vec3_scale(
        c->unit, heft_vec3_add(heft_mat3_mul_vec(at->pose.linear, v), at->pose.shift));
    double* slot = load_grow(c->load, &c->vertices, 3 * sizeof(double));
    if (!slot) return 0;
    slot[0] = p.x + 0.0;
    slot[1] = p.y + 0.0;
    slot[2] = p.z + 0.0;
    if (fabs(p.x) <= coordinate_max && fabs(p.y) <= coordinate_max && fabs(p.z) <= coordinate_max)
      continue;
    load_fail(c->load, HEFT_ERR_VALUE, xml_place(source->node),
              "vertex %ld is farther than 1e9 m from the origin", i);
    return 0;
  }
  return 1;
}

// One corner from `stride` whole numbers. Wrong texture coordinates are no mistake: they are drawn.
static int read_corner(Collada* c, const XmlNode* list, const Instance* at, const Inputs* in,
                       const int* numbers, Corner* out) {
  const int v = numbers[in->position_offset];
  *out = (Corner){.vertex = at->first_vertex + v};
  if (v < 0 || v >= in->position->count) {
    load_fail(c->load, HEFT_ERR_VALUE, xml_place(list),
              "<%.40s>: vertex %d was found, expected 0 to %d", list->name, v,
              in->position->count - 1);
    return 0;
  }
  const int p = in->place ? numbers[in->place_offset] : -1;
  if (p < 0 || p >= in->place->count) return 1;
  const double* place = in->place->numbers + (long)p * in->place->stride;
  for (int k = 0; k < 2; ++k) {
    if (!mesh_image_number(place[k], &out->place[k])) out->place[k] = 0;
  }
  c->has_image = 1;
  return 1;
}

static int add_face(Collada* c, const XmlNode* list, int reversed, const Corner corner[3]) {
  if (corner[0].vertex == corner[1].vertex || corner[1].vertex == corner[2].vertex ||
      corner[0].vertex == corner[2].vertex)
    return 1;
  if (c->faces.count >= c->load->def->limits.mesh_triangles) {
    load_fail(c->load, HEFT_ERR_LIMIT, xml_place(list),
              "there are more than %d triangles; raise the limit mesh_triangles",
              c->load->def->limits.mesh_triangles);
    return 0;
  }
  int* face = load_grow(c->load, &c->faces, 3 * sizeof(int));
  double* image = load_grow(c->load, &c->image, 6 * sizeof(double));
  if (!face || !image) return 0;
  for (int k = 0; k < 3; ++k) {
    const Corner* from = &corner[reversed ? 2 - k : k];
    face[k] = from->vertex;
    memcpy(image + 2L * k, from->place, sizeof from->place);
  }
  return 1;
}

/// Whole numbers of a text, one after the other.
typedef struct Numbers {
  const XmlNode* node;
  const char* at;
} Numbers;

static int next_number(Collada* c, Numbers* n, int* out) {
  while (*n->at == ' ' || *n->at == '\t' || *n->at == '\r' || *n->at == '\n') ++n->at;
  const char* end = n->at;
  while (*end && *end != ' ' && *end != '\t' && *end != '\r' && *end != '\n') ++end;
  if (end > n->at && heft_decimal_read_int(n->at, end, out) == end) {
    n->at = end;
    return 1;
  }
  load_fail(c->load, HEFT_ERR_VALUE, xml_place(n->node),
            "<%.40s>: '%.*s' was found, expected a whole number", n->node->name,
            end - n->at < 40 ? (int)(end - n->at) : 40, n->at);
  return 0;
}

static int at_end(Numbers* n) {
  while (*n->at == ' ' || *n->at == '\t' || *n->at == '\r' || *n->at == '\n') ++n->at;
  return *n->at == '\0';
}

// A polygon of `count` corners as a fan, a strip if `strip`; count < 0: up to the end of the text.
static int add_polygon(Collada* c, Numbers* n, const Instance* at, const Inputs* in, int count,
                       int strip) {
  Corner fan[3] = {{0}};
  int numbers[64];
  for (int i = 0; count < 0 ? !at_end(n) : i < count; ++i) {
    if (!load_work(c->load, xml_place(n->node), WORK_OF_CORNER * (double)in->stride)) return 0;
    for (int k = 0; k < in->stride; ++k) {
      if (!next_number(c, n, &numbers[k])) return 0;
    }
    Corner* slot = &fan[i < 2 ? i : 2];
    if (!read_corner(c, n->node, at, in, numbers, slot)) return 0;
    if (i < 2) continue;
    const int odd = strip && i % 2 == 1;
    if (!add_face(c, n->node, at->reversed != odd, fan)) return 0;
    if (strip) fan[0] = fan[1];
    fan[1] = fan[2];
  }
  return 1;
}

// ---- primitives

static int add_triangles(Collada* c, const XmlNode* node, const Instance* at, const Inputs* in) {
  const XmlNode* p = xml_child(node, "p");
  if (!p) return 1;
  Numbers n = {p, p->text};
  while (!at_end(&n)) {
    if (!add_polygon(c, &n, at, in, 3, 0)) return 0;
  }
  return 1;
}

static int add_polylist(Collada* c, const XmlNode* node, const Instance* at, const Inputs* in) {
  const XmlNode *p = xml_child(node, "p"), *counts = xml_child(node, "vcount");
  if (!p || !counts) return 1;
  Numbers n = {p, p->text}, sizes = {counts, counts->text};
  while (!at_end(&sizes)) {
    int size;
    if (!next_number(c, &sizes, &size)) return 0;
    if (size < 0) {
      load_fail(c->load, HEFT_ERR_VALUE, xml_place(counts),
                "<vcount>: %d was found, expected the number of corners of a polygon", size);
      return 0;
    }
    if (!add_polygon(c, &n, at, in, size, 0)) return 0;
  }
  return 1;
}

// <polygons>, <trifans>, <tristrips>: each <p> is one. Holes (<ph>) are not read.
static int add_each(Collada* c, const XmlNode* node, const Instance* at, const Inputs* in) {
  for (const XmlNode* p = xml_child(node, "p"); p; p = xml_next(p, "p")) {
    Numbers n = {p, p->text};
    if (!add_polygon(c, &n, at, in, -1, xml_is(node, "tristrips"))) return 0;
  }
  return 1;
}

static int is_drawn(const XmlNode* node) {
  return xml_is(node, "triangles") || xml_is(node, "polylist") || xml_is(node, "polygons") ||
         xml_is(node, "trifans") || xml_is(node, "tristrips");
}

static int add_primitive(Collada* c, const XmlNode* node, Instance* at) {
  Inputs in;
  if (!xml_child(node, "p")) return 1;  // empty, as exporters write some
  const char* material = collada_material(c, at->node, xml_get(node, "material"));
  MeshRun* run = LOAD_ADD(c->load, &c->runs, MeshRun);
  if (!material || !run) return 0;
  *run = (MeshRun){c->faces.count, material};
  if (!read_inputs(c, node, &in) || !add_vertices(c, at, in.position)) return 0;
  if (xml_is(node, "triangles")) return add_triangles(c, node, at, &in);
  if (xml_is(node, "polylist")) return add_polylist(c, node, at, &in);
  return add_each(c, node, at, &in);
}

static int add_geometry(Collada* c, const XmlNode* instance, const XmlNode* geometry, Affine pose) {
  const XmlNode* mesh = xml_child(geometry, "mesh");
  Instance at = {
      .node = instance, .pose = pose, .reversed = heft_mat3_determinant(pose.linear) < 0};
  for (const XmlNode* p = mesh ? mesh->child : NULL; p; p = p->next) {
    if (!is_drawn(p)) continue;
    if (!load_work(c->load, xml_place(p), WORK_OF_NODE) || !add_primitive(c, p, &at)) return 0;
  }
  return 1;
}

// ---- the scene

static int add_node(Collada* c, const XmlNode* node, Affine pose, int depth) {
  if (depth > DEPTH_MAX) {
    load_fail(c->load, HEFT_ERR_LIMIT, xml_place(node),
              "nodes are nested more than %d times, or contain themselves", DEPTH_MAX);
    return 0;
  }
  for (const XmlNode* n = node->child; n; n = n->next) {
    Affine step;
    if (!load_work(c->load, xml_place(n), WORK_OF_NODE)) return 0;
    if (read_transform(c, n, &step)) {
      pose = multiply(pose, step);
    } else if (xml_is(n, "node")) {
      if (!add_node(c, n, pose, depth + 1)) return 0;
    } else if (xml_is(n, "instance_node")) {
      const XmlNode* other = need(c, n, "url", "node");
      if (!other || !add_node(c, other, pose, depth + 1)) return 0;
    } else if (xml_is(n, "instance_geometry")) {
      const XmlNode* geometry = need(c, n, "url", "geometry");
      if (!geometry || !add_geometry(c, n, geometry, pose)) return 0;
    } else if (xml_is(n, "instance_controller")) {
      load_warn(c->load, xml_place(n), "collada skin",
                "<instance_controller> is skipped: skins and morphs of Collada files are not read");
    }
    if (!LOAD_OK(c->load)) return 0;
  }
  return 1;
}

static int add_all_geometries(Collada* c, const XmlNode* root) {
  const XmlNode* library = xml_child(root, "library_geometries");
  for (const XmlNode* g = library ? xml_child(library, "geometry") : NULL; g;
       g = xml_next(g, "geometry")) {
    if (!add_geometry(c, g, g, identity())) return 0;
  }
  return 1;
}

static int add_scene(Collada* c, const XmlNode* root) {
  const XmlNode* scene = xml_child(root, "scene");
  const XmlNode* instance = scene ? xml_child(scene, "instance_visual_scene") : NULL;
  if (!instance) return add_all_geometries(c, root);
  const XmlNode* visual = need(c, instance, "url", "visual_scene");
  return visual && add_node(c, visual, identity(), 0);
}

static int read_asset(Collada* c, const XmlNode* root, Mesh* out) {
  const XmlNode* asset = xml_child(root, "asset");
  const XmlNode* unit = asset ? xml_child(asset, "unit") : NULL;
  const XmlNode* up = asset ? xml_child(asset, "up_axis") : NULL;
  const char* metres = unit ? xml_get(unit, "meter") : NULL;
  out->y_up = up && strstr(up->text, "Y_UP") != NULL;
  c->unit = 1;
  if (metres && !xml_numbers(c->load, unit, "meter", metres, 1, 1, &c->unit)) return 0;
  if (c->unit > 0) return 1;
  load_fail(c->load, HEFT_ERR_VALUE, xml_place(unit),
            "<unit meter>: %g was found, expected a length above 0", c->unit);
  return 0;
}

int mesh_read_collada(Load* load, Place from, const SourceFile* file, Mesh* out) {
  Collada c = {.load = load, .file = file};
  *out = (Mesh){0};
  const XmlNode* root = xml_parse(load, file);
  if (!root) return 0;
  if (!xml_is(root, "COLLADA")) {
    load_fail(load, HEFT_ERR_SYNTAX, xml_place(root), "<%.60s> was found, expected <COLLADA>",
              root->name);
    return 0;
  }
  if (!collect_ids(&c, root) || !read_asset(&c, root, out) || !add_scene(&c, root)) return 0;
  out->vertices = c.vertices.items;
  out->vertex_count = c.vertices.count;
  out->faces = c.faces.items;
  out->face_count = c.faces.count;
  out->image = c.has_image ? c.image.items : NULL;
  out->materials = c.materials;
  out->runs = c.runs.items;
  out->run_count = c.materials.count > 0 ? c.runs.count : 0;
  if (out->face_count > 0) return 1;
  load_fail(load, HEFT_ERR_VALUE, from, "'%.150s' has no triangles", file->path);
  return 0;
}
