// SPDX-License-Identifier: Apache-2.0
// Assets: meshes, height fields, textures, materials, models to attach.
#include <math.h>
#include <string.h>

#include "base/bytes.h"
#include "base/kind_table.h"
#include "io/image.h"
#include "io/mjcf.h"

static const char* file_name(Mjcf* m, const Item* item, MjcfKey key) {
  const char* name = mj_text(m, item, key, NULL);
  if (name && item->scope->unit->strip_path) {
    const char* slash = strrchr(name, '/');
    if (slash) return slash + 1;
  }
  return name;
}

// The name of an asset: its own, or its file's name.
static const char* asset_name(Mjcf* m, const Item* item, MjcfKey name, MjcfKey file) {
  const char* text = mj_text(m, item, name, NULL);
  if (!text || !text[0]) {
    const char* path = mj_text(m, item, file, NULL);
    text = path ? assets_base_name(m->load, path) : "";
  }
  return mj_full_name(m, item->scope, text);
}

// ---- meshes

static int read_inline_faces(Mjcf* m, const Item* item, Mesh* mesh) {
  const XmlNode* where;
  const char* text = mj_text(m, item, MJ_mesh_face, &where);
  if (!text) return 0;
  int count;
  const double* x = xml_number_list(m->load, where, "face", text, &count);
  if (!x) return 1;
  const Place place = xml_attribute_place(where, "face");
  if (count % 3 != 0 || count == 0 || count / 3 > m->load->def->limits.mesh_triangles) {
    load_fail(m->load, HEFT_ERR_VALUE, place,
              "<mesh face>: %d numbers were found, expected three for each of at most %d triangles",
              count, m->load->def->limits.mesh_triangles);
    return 1;
  }
  mesh->faces = load_take(m->load, (size_t)count, sizeof(int));
  for (int i = 0; i < count && mesh->faces; ++i) {
    if (!(x[i] >= 0 && x[i] < mesh->vertex_count && x[i] == floor(x[i]))) {
      load_fail(m->load, HEFT_ERR_VALUE, place,
                "<mesh face>: %g was found, expected a vertex from 0 to %d", x[i],
                mesh->vertex_count - 1);
      return 1;
    }
    mesh->faces[i] = (int)x[i];
  }
  mesh->face_count = count / 3;
  return 1;
}

static void read_inline_mesh(Mjcf* m, const Item* item, const char* name, Mesh* mesh) {
  const XmlNode* where;
  const char* text = mj_text(m, item, MJ_mesh_vertex, &where);
  int count = 0;
  mesh->vertices = xml_number_list(m->load, where, "vertex", text, &count);
  if (!mesh->vertices) return;
  if (count % 3 != 0 || count < 12) {
    load_fail(
        m->load, HEFT_ERR_VALUE, xml_attribute_place(where, "vertex"),
        "<mesh vertex>: %d numbers were found, expected three for each of at least 4 vertices",
        count);
    return;
  }
  mesh->vertex_count = count / 3;
  if (read_inline_faces(m, item, mesh) || !LOAD_OK(m->load)) return;
  if (!mesh_hull(m->load, xml_place(item->node), name, mesh)) return;
  mesh->faces = mesh->hull;
  mesh->face_count = mesh->hull_count;
}

// Two numbers for each vertex, or for each corner of each triangle; the second counts downwards.
static void read_texcoord(Mjcf* m, const Item* item, Mesh* mesh) {
  const XmlNode* where;
  const char* text = mj_text(m, item, MJ_mesh_texcoord, &where);
  int count = 0;
  if (!text) return;
  const double* x = xml_number_list(m->load, where, "texcoord", text, &count);
  if (!x) return;
  const int corners = 3 * mesh->face_count, by_vertex = count == 2 * mesh->vertex_count;
  if (!by_vertex && count != 2 * corners) {
    load_fail(m->load, HEFT_ERR_VALUE, xml_attribute_place(where, "texcoord"),
              "<mesh texcoord>: %d numbers were found, expected two for each of %d vertices or of "
              "%d corners",
              count, mesh->vertex_count, corners);
    return;
  }
  mesh->image = load_take(m->load, (size_t)corners * 2, sizeof(double));
  for (int c = 0; c < corners && mesh->image; ++c) {
    const double* from = x + 2L * (by_vertex ? mesh->faces[c] : c);
    double *to = mesh->image + 2L * c, down = 0;
    if (!mesh_image_number(from[0], &to[0]) || !mesh_image_number(from[1], &down)) {
      load_fail(m->load, HEFT_ERR_VALUE, xml_attribute_place(where, "texcoord"),
                "<mesh texcoord>: %g %g was found, expected numbers of at most 1e5", from[0],
                from[1]);
      return;
    }
    to[1] = 1 - down;
  }
}

// The frame refpos, refquat of the file becomes the mesh's own.
static void move_mesh(Mjcf* m, const Item* item, Mesh* mesh) {
  if (!mj_given(m, item, MJ_mesh_refpos) && !mj_given(m, item, MJ_mesh_refquat)) return;
  double q[4] = {1, 0, 0, 0};
  mj_reals(m, item, MJ_mesh_refquat, q);
  const HeftPose frame =
      heft_pose(mj_vec3(m, item, MJ_mesh_refpos), heft_quat_normalize(heft_quat_from(q)));
  for (int i = 0; i < mesh->vertex_count; ++i) {
    double* v = mesh->vertices + 3L * i;
    const HeftVec3 p = heft_pose_apply_inverse(frame, heft_vec3_from(v));
    v[0] = p.x;
    v[1] = p.y;
    v[2] = p.z;
  }
}

static void check_scale(Mjcf* m, const Item* item, const double scale[3]) {
  if (LOAD_OK(m->load) && (scale[0] == 0 || scale[1] == 0 || scale[2] == 0))
    load_fail(m->load, HEFT_ERR_VALUE, mj_place(m, item, MJ_mesh_scale),
              "<mesh scale>: %g %g %g was found, expected three factors, none zero", scale[0],
              scale[1], scale[2]);
}

// The numbers of a distance shape are used as in the file.
static void refuse_moves(Mjcf* m, const Item* item) {
  if (mj_given(m, item, MJ_mesh_scale) || mj_given(m, item, MJ_mesh_refpos) ||
      mj_given(m, item, MJ_mesh_refquat))
    load_fail(m->load, HEFT_ERR_UNSUPPORTED, xml_place(item->node),
              "<mesh>: scale, refpos and refquat do not act on a distance shape; give its numbers "
              "in metres, and pos and quat to the geom");
}

static void read_mesh(Mjcf* m, Item* item) {
  static const char* const inertias[] = {"exact", "legacy", "convex", "shell", NULL};
  item->class = mj_class(m, item->scope->unit, item->node, "class", item->class);
  mj_check(m, item->node, MJCF_mesh);
  const XmlNode* plugin = xml_child(item->node, "plugin");
  for (const XmlNode* n = item->node->child; n; n = n->next) {
    if (n != plugin) mj_unknown_element(m, n);
  }
  MeshAsset asset = {.place = xml_place(item->node)};
  asset.name = asset_name(m, item, MJ_mesh_name, MJ_mesh_file);
  const char* file = file_name(m, item, MJ_mesh_file);
  double scale[3] = {1, 1, 1};
  mj_reals(m, item, MJ_mesh_scale, scale);
  check_scale(m, item, scale);
  const int how = mj_word(m, item, MJ_mesh_inertia, inertias);
  asset.inertia = how < 0 ? MESH_MASS_LEGACY : how;
  if ((plugin || item->scope->unit->exact_mesh) && !mj_given(m, item, MJ_mesh_inertia))
    asset.inertia = MESH_MASS_EXACT;
  if (!LOAD_OK(m->load)) return;
  if (file) {
    const Place place = mj_place(m, item, MJ_mesh_file);
    const SourceFile* bytes =
        mj_read_file(m, place, item->scope->unit->file, item->scope->unit->mesh_folder, file);
    if (!bytes || !mesh_read(m->load, place, bytes, &asset.mesh)) return;
  } else if (mj_text(m, item, MJ_mesh_vertex, NULL)) {
    read_inline_mesh(m, item, asset.name, &asset.mesh);
  } else if (!plugin) {
    load_fail(m->load, HEFT_ERR_SYNTAX, xml_place(item->node),
              "<mesh> needs the attribute 'file' or 'vertex', or a <plugin>");
  }
  if (LOAD_OK(m->load) && plugin) {
    refuse_moves(m, item);
    mj_read_field(m, item, plugin, &asset);
  }
  if (LOAD_OK(m->load)) read_texcoord(m, item, &asset.mesh);
  if (!LOAD_OK(m->load)) return;
  move_mesh(m, item, &asset.mesh);
  mesh_scale(&asset.mesh, scale);
  if (asset.mesh.faces == asset.mesh.hull) asset.mesh.hull_count = 0;  // made again, after scaling
  const char* name = asset.name;
  asset.name = mj_model_name(name);
  mj_name_add(m, item->node, OF_MESH, name, assets_add_mesh(m->load, &m->assets, &asset));
}

// ---- height fields

static int read_height_file(Mjcf* m, const Item* item, const char* name, HeftHeightFieldDef* def,
                            double** heights) {
  const Place place = mj_place(m, item, MJ_hfield_file);
  const SourceFile* file =
      mj_read_file(m, place, item->scope->unit->file, item->scope->unit->mesh_folder, name);
  if (!file) return 0;
  if (image_is_png(file)) {
    *heights = image_read_heights(m->load, place, file, &def->rows, &def->columns);
    return *heights != NULL;
  }
  int32_t head[2] = {0, 0};
  if (file->size >= sizeof head)
    bytes_get_array((const unsigned char*)file->text, head, 2, sizeof *head);
  const long long count = (long long)head[0] * head[1];
  if (head[0] < 2 || head[1] < 2 || count > (1 << 24) ||
      file->size != sizeof head + (size_t)count * 4) {
    load_fail(
        m->load, HEFT_ERR_UNSUPPORTED, place,
        "'%.150s' was found, expected a PNG image or a binary height field (int32 rows, int32 "
        "columns, float32 heights)",
        file->path);
    return 0;
  }
  def->rows = head[0];
  def->columns = head[1];
  *heights = load_take(m->load, (size_t)count, sizeof(double));
  for (long long i = 0; i < count && *heights; ++i) {
    float x;
    bytes_get_array((const unsigned char*)file->text + 8 + 4 * i, &x, 1, sizeof x);
    if (!(fabs((double)x) <= 1e9)) {
      load_fail(m->load, HEFT_ERR_VALUE, place,
                "'%.150s': height %lld is %g, expected a number of at most 1e9", file->path, i,
                (double)x);
      return 0;
    }
    (*heights)[i] = (double)x;
  }
  return *heights != NULL;
}

static int read_elevation(Mjcf* m, const Item* item, HeftHeightFieldDef* def, double** heights) {
  def->rows = mj_int(m, item, MJ_hfield_nrow);
  def->columns = mj_int(m, item, MJ_hfield_ncol);
  if (def->rows < 2 || def->columns < 2 || def->columns > (1 << 24) / def->rows) {
    load_fail(m->load, HEFT_ERR_VALUE, xml_place(item->node),
              "<hfield>: %d rows and %d columns were found, expected at least 2 each and at most "
              "16777216 heights in all, or a file",
              def->rows, def->columns);
    return 0;
  }
  const XmlNode* where;
  const char* text = mj_text(m, item, MJ_hfield_elevation, &where);
  int count = def->rows * def->columns;
  if (text) {
    *heights = xml_number_list(m->load, where, "elevation", text, &count);
  } else {
    *heights = load_take(m->load, (size_t)count, sizeof(double));
  }
  if (!*heights) return 0;
  if (count == def->rows * def->columns) return 1;
  load_fail(m->load, HEFT_ERR_VALUE, xml_attribute_place(where, "elevation"),
            "<hfield elevation>: %d numbers were found, expected %d x %d", count, def->rows,
            def->columns);
  return 0;
}

// Heights become 0 ... 1, then metres.
static void scale_heights(double* heights, int count, double top) {
  double low = heights[0], high = heights[0];
  for (int i = 1; i < count; ++i) {
    low = fmin(low, heights[i]);
    high = fmax(high, heights[i]);
  }
  const double span = high - low;
  const double scale = span > 0 ? top / span : 0;  // exactly 1 for heights in metres from 0 to top
  for (int i = 0; i < count; ++i) heights[i] = (heights[i] - low) * scale;
}

static void read_height_field(Mjcf* m, const Item* item) {
  mj_check(m, item->node, MJCF_hfield);
  HeftHeightFieldDef def = heft_height_field_def_default();
  def.name = asset_name(m, item, MJ_hfield_name, MJ_hfield_file);
  if (!mj_reals(m, item, MJ_hfield_size, def.size)) {
    load_fail(m->load, HEFT_ERR_SYNTAX, xml_place(item->node),
              "<hfield> needs the attribute 'size'");
    return;
  }
  if (!(def.size[0] > 0 && def.size[1] > 0 && def.size[2] > 0 && def.size[3] >= 0)) {
    load_fail(m->load, HEFT_ERR_VALUE, mj_place(m, item, MJ_hfield_size),
              "<hfield size>: %g %g %g %g was found, expected four positive lengths", def.size[0],
              def.size[1], def.size[2], def.size[3]);
    return;
  }
  const char* name = file_name(m, item, MJ_hfield_file);
  double* heights = NULL;
  const int good = name ? read_height_file(m, item, name, &def, &heights)
                        : read_elevation(m, item, &def, &heights);
  if (!good) return;
  scale_heights(heights, def.rows * def.columns, def.size[2]);
  def.heights = heights;
  mj_name_add(m, item->node, OF_HFIELD, def.name, m->height_fields++);
  def.name = mj_model_name(def.name);
  heft_builder_add_height_field(m->load->builder, &def);
}

// ---- looks

static void read_texture(Mjcf* m, const Item* item) {
  static const char* const types[] = {HEFT_TEXTURE_LIST(KIND_TEXT) NULL};
  static const char* const sources[] = {HEFT_TEXTURE_SOURCE_LIST(KIND_TEXT) NULL};
  static const char* const marks[] = {HEFT_TEXTURE_MARK_LIST(KIND_TEXT) NULL};
  mj_check(m, item->node, MJCF_texture);
  HeftTextureDef def = heft_texture_def_default();
  def.name = asset_name(m, item, MJ_texture_name, MJ_texture_file);
  def.type = (HeftTextureType)mj_word(m, item, MJ_texture_type, types);
  def.source = (HeftTextureSource)mj_word(m, item, MJ_texture_builtin, sources);
  def.mark = (HeftTextureMark)mj_word(m, item, MJ_texture_mark, marks);
  def.width = mj_int(m, item, MJ_texture_width);
  def.height = mj_int(m, item, MJ_texture_height);
  mj_reals(m, item, MJ_texture_rgb1, def.color);
  mj_reals(m, item, MJ_texture_rgb2, def.color2);
  mj_reals(m, item, MJ_texture_markrgb, def.mark_color);
  const char *file = file_name(m, item, MJ_texture_file),
             *folder = item->scope->unit->texture_folder;
  if (file && folder[0] && file[0] != '/') {
    const int slash = folder[strlen(folder) - 1] == '/';
    file = load_format(m->load, "%s%s%s", folder, slash ? "" : "/", file);
  }
  def.file = file;
  if (!LOAD_OK(m->load)) return;
  int* flat = LOAD_ADD(m->load, &m->flat_textures, int);
  if (!flat) return;
  *flat = def.type == HEFT_TEXTURE_2D;
  mj_name_add(m, item->node, OF_TEXTURE, def.name, m->textures++);
  def.name = mj_model_name(def.name);
  heft_builder_add_texture(m->load->builder, &def);
}

static void read_material(Mjcf* m, Item* item) {
  item->class = mj_class(m, item->scope->unit, item->node, "class", item->class);
  mj_check(m, item->node, MJCF_material);
  HeftAppearanceDef def = heft_appearance_def_default();
  const char* name = mj_text(m, item, MJ_material_name, NULL);
  if (!name) {
    load_fail(m->load, HEFT_ERR_SYNTAX, xml_place(item->node),
              "<material> needs the attribute 'name'");
    return;
  }
  def.name = mj_full_name(m, item->scope, name);
  const char* missing = NULL;
  def.texture = mj_reference(m, item, MJ_material_texture, OF_TEXTURE, &missing, NULL);
  if (missing)
    load_fail(m->load, HEFT_ERR_NAME, mj_place(m, item, MJ_material_texture),
              "<material texture>: there is no texture '%.80s'", missing);
  for (const XmlNode* n = item->node->child; n; n = n->next) mj_unknown_element(m, n);
  mj_reals(m, item, MJ_material_texrepeat, def.repeat);
  def.uniform = mj_bool(m, item, MJ_material_texuniform);
  def.light[0] = mj_real(m, item, MJ_material_emission);
  def.light[1] = mj_real(m, item, MJ_material_specular);
  def.light[2] = mj_real(m, item, MJ_material_shininess);
  def.light[3] = mj_real(m, item, MJ_material_reflectance);
  mj_reals(m, item, MJ_material_rgba, def.color);
  if (!LOAD_OK(m->load)) return;
  LookInfo* look = LOAD_ADD(m->load, &m->looks, LookInfo);
  if (!look) return;
  memcpy(look->color, def.color, sizeof look->color);
  look->flat = def.texture >= 0 && GROW_AT(m->flat_textures, int, def.texture);
  mj_name_add(m, item->node, OF_MATERIAL, def.name, m->appearances++);
  def.name = mj_model_name(def.name);
  heft_builder_add_appearance(m->load->builder, &def);
}

// ---- models

static void read_model(Mjcf* m, const Item* item) {
  mj_check(m, item->node, MJCF_model);
  const char* file = mj_text(m, item, MJ_model_file, NULL);
  const char* name = mj_text(m, item, MJ_model_name, NULL);
  if (!file) {
    load_fail(m->load, HEFT_ERR_SYNTAX, xml_place(item->node),
              "<model> needs the attribute 'file'");
    return;
  }
  Unit* parent = item->scope->unit;
  load_search(m->load, xml_place(item->node), parent->units.count);
  for (int i = 0; i < parent->units.count; ++i) {
    if (name && strcmp(GROW_AT(parent->units, Unit*, i)->name, name) == 0) return;  // read already
  }
  const Place place = mj_place(m, item, MJ_model_file);
  const SourceFile* source = mj_read_file(m, place, parent->file, NULL, file);
  Unit* unit = source ? mj_open_unit(m, place, parent, source, name ? name : "") : NULL;
  if (!unit) return;
  if (!name) {
    const char* own = xml_get(unit->root, "model");
    unit->name = own ? own : "";
  }
  Unit** slot = LOAD_ADD(m->load, &parent->units, Unit*);
  if (slot) *slot = unit;
}

// One pass per kind: materials need textures, and nothing else depends on the order.
static void read_kind(Mjcf* m, Scope* scope, const char* kind, void (*read)(Mjcf*, Item*)) {
  Class* main = GROW_AT(scope->unit->classes, Class*, 0);
  for (const XmlNode* a = xml_child(scope->unit->root, "asset"); a; a = xml_next(a, "asset")) {
    for (const XmlNode* n = xml_child(a, kind); n && LOAD_OK(m->load); n = xml_next(n, kind)) {
      Item item = {.node = n, .scope = scope, .class = main, .quat = heft_quat_identity()};
      read(m, &item);
    }
  }
}

static void texture_item(Mjcf* m, Item* item) { read_texture(m, item); }
static void height_item(Mjcf* m, Item* item) { read_height_field(m, item); }
static void model_item(Mjcf* m, Item* item) { read_model(m, item); }

static void mesh_item(Mjcf* m, Item* item) {
  const Load* load = m->load;
  if (load->def->progress) {
    const double seen = m->assets.meshes.count;
    load->def->progress(load->def->user, 0.5 * seen / (seen + 10), "meshes");
  }
  read_mesh(m, item);
}

void mj_read_assets(Mjcf* m, Scope* scope) {
  static const char* const known[] = {"mesh", "hfield", "texture", "material", "model"};
  Scope plain = {.unit = scope->unit, .prefix = scope->prefix, .suffix = ""};
  Scope* kept = LOAD_NEW(m->load, Scope);
  if (!kept) return;
  *kept = plain;
  for (const XmlNode* a = xml_child(scope->unit->root, "asset"); a; a = xml_next(a, "asset")) {
    for (const XmlNode* n = a->child; n; n = n->next) {
      int is_known = 0;
      for (int i = 0; i < 5; ++i) is_known |= xml_is(n, known[i]);
      if (!is_known) mj_unknown_element(m, n);
    }
  }
  read_kind(m, kept, "texture", texture_item);
  read_kind(m, kept, "material", read_material);
  read_kind(m, kept, "mesh", mesh_item);
  read_kind(m, kept, "hfield", height_item);
  read_kind(m, kept, "model", model_item);
}
