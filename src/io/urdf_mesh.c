// SPDX-License-Identifier: Apache-2.0
// Meshes of a URDF and their materials.
//
// A mesh that is only seen may be missing: the robot moves in the same way without it. A mesh that
// collides must be there. Formats that the library does not read go through HeftLoadDef.convert.
#include <string.h>

#include "io/mtl.h"
#include "io/urdf.h"

enum { PARTS_MAX = 256 };

static int needs_converter(const char* name) {
  return mesh_has_ending(name, ".glb") || mesh_has_ending(name, ".gltf");
}

// 0 after a mistake, or if no converter is given: then `failed` is set.
static int read_file(Urdf* u, UrdfMesh* m) {
  Load* load = u->load;
  const int convert = needs_converter(m->file_name);
  if (convert && !load->def->convert) {
    m->failed = "glTF meshes are not read; make an OBJ of it with 'heft convert'";
    return 0;
  }
  m->file = convert ? load_convert(load, m->place, m->place.file, m->file_name)
                    : load_read(load, m->place, m->place.file, NULL, m->file_name);
  return m->file && mesh_read(load, m->place, m->file, &m->mesh);
}

static void tell_missing(Urdf* u, const UrdfMesh* m, int collides) {
  load_warn_file(u->load, m->place, collides ? "missing collision" : "missing visual",
                 "'%.150s': %.250s; the %s is left out", m->file_name, m->failed,
                 collides ? "collision shape" : "visual shape");
}

static UrdfMesh* read_new(Urdf* u, const UrdfMesh* wanted, const double scale[3], int needed) {
  Load* load = u->load;
  HeftError why = {0};
  UrdfMesh m = *wanted;
  static const char y_up[] = "# up_axis Y_UP\n";  // heft-mesh-convert begins so
  if (read_file(u, &m)) {
    mesh_scale(&m.mesh, scale);
    memcpy(m.scale, scale, sizeof m.scale);
    if (m.file->converted && m.file->size >= sizeof y_up - 1 &&
        memcmp(m.file->text, y_up, sizeof y_up - 1) == 0)
      m.mesh.y_up = 1;
    m.y_up = m.mesh.y_up && scale[0] * scale[1] * scale[2] != 0;
  } else if (!m.failed) {
    if (needed || !load_forgive(load, &why)) return NULL;
    m.failed = load_text(load, why.message, strlen(why.message));
  }
  UrdfMesh* kept = LOAD_ADD(load, &u->meshes, UrdfMesh);
  if (kept) *kept = m;
  return kept;
}

static UrdfMesh* find(Urdf* u, const char* source) {
  load_search(u->load, (Place){.file = u->file}, u->meshes.count);
  for (int i = 0; i < u->meshes.count; ++i) {
    UrdfMesh* m = &GROW_AT(u->meshes, UrdfMesh, i);
    if (strcmp(m->source, source) == 0) return m;
  }
  return NULL;
}

UrdfMesh* urdf_mesh(Urdf* u, const XmlNode* node, int needed) {
  Load* load = u->load;
  const char* name = urdf_need(u, node, "filename");
  double scale[3] = {1, 1, 1};
  urdf_read_numbers(u, node, "scale", 3, scale);
  if (!name || !LOAD_OK(load)) return NULL;
  const UrdfMesh wanted = {
      .source = load_format(load, "%s|%.17g|%.17g|%.17g", name, scale[0], scale[1], scale[2]),
      .file_name = name,
      .place = xml_attribute_place(node, "filename"),
      .whole = -1,
      .first = -1};
  if (!LOAD_OK(load)) return NULL;
  UrdfMesh* m = find(u, wanted.source);
  if (m && m->failed && needed && !needs_converter(name)) m = NULL;  // read again: now it counts
  if (!m) m = read_new(u, &wanted, scale, needed);
  if (m && m->failed) tell_missing(u, m, needed);
  return m;
}

// Adds a mesh to the model, with a name of its own.
static int add(Urdf* u, const UrdfMesh* m, const Mesh* mesh) {
  Load* load = u->load;
  const char* base = assets_base_name(load, m->file_name);
  MeshAsset asset = {.mesh = *mesh, .place = m->place, .name = base};
  for (int n = 2; load_search(load, m->place, u->assets.meshes.count) &&
                  assets_find_mesh(&u->assets, asset.name) >= 0;
       ++n)
    asset.name = load_format(load, "%s_%d", base, n);
  return LOAD_OK(load) ? assets_add_mesh(load, &u->assets, &asset) : -1;
}

int urdf_mesh_whole(Urdf* u, UrdfMesh* m) {
  if (m->whole < 0) m->whole = m->count == 1 ? m->first : add(u, m, &m->mesh);
  return m->whole;
}

// ---- materials

// The path of a texture, or NULL with the reason in *why; *why is empty after an error.
static const char* locate_texture(Urdf* u, Place place, const SourceFile* base, const char* name,
                                  HeftError* why) {
  Load* load = u->load;
  const SourceFile* original = base->converted ? base->converted : base;
  const char* path = load_locate(load, place, original, u->file, name);
  if (!path && base->converted && load_forgive(load, why))
    path = load_locate(load, place, base, u->file, name);
  if (!path && !load_forgive(load, why)) *why = (HeftError){0};
  return path;
}

// Whether there is such a file.
static int is_there(Urdf* u, Place place, const SourceFile* base, const char* name) {
  HeftError why = {0};
  if (load_read(u->load, place, base->converted ? base->converted : base, NULL, name)) return 1;
  load_forgive(u->load, &why);
  return 0;
}

// The name of the PNG file that replaces an image of another format: "wood.jpg" has "wood.png".
static const char* png_name(Load* load, const char* name) {
  const char *slash = strrchr(name, '/'), *dot = strrchr(name, '.');
  const int length = dot && dot > (slash ? slash : name) ? (int)(dot - name) : (int)strlen(name);
  return load_format(load, "%.*s.png", length, name);
}

int urdf_texture(Urdf* u, Place place, const SourceFile* base, const char* name) {
  Load* load = u->load;
  HeftError why = {0};
  const int is_png = mesh_has_ending(name, ".png");
  const char* wanted = is_png ? name : png_name(load, name);
  if (wanted && !is_png && !is_there(u, place, base, wanted)) {
    load_warn(load, place, "texture format",
              "'%.150s': textures are shown from PNG files; convert it to '%.150s' in the same "
              "folder, which is then shown",
              name, wanted);
    return -1;
  }
  const char* path = wanted ? locate_texture(u, place, base, wanted, &why) : NULL;
  if (!path && why.status != HEFT_OK)
    load_warn_file(load, place, "missing texture", "'%.150s': %.250s; the texture is left out",
                   name, why.message);
  if (!path) return -1;
  load_search(load, place, u->textures.count);
  for (int i = 0; i < u->textures.count; ++i) {
    if (strcmp(GROW_AT(u->textures, const char*, i), path) == 0) return i;
  }
  const char** kept = LOAD_ADD(load, &u->textures, const char*);
  if (!kept) return -1;
  *kept = path;
  HeftTextureDef texture = heft_texture_def_default();
  HeftAppearanceDef look = heft_appearance_def_default();
  texture.type = HEFT_TEXTURE_2D;
  texture.source = HEFT_TEXTURE_FROM_FILE;
  texture.file = path;
  look.name = texture.name =
      load_format(load, "%s_%d", assets_base_name(load, name), u->textures.count);
  if (!LOAD_OK(load)) return -1;
  look.texture = heft_builder_add_texture(load->builder, &texture);
  return heft_builder_add_appearance(load->builder, &look);
}

// The materials of a mesh file; an empty list if they cannot be read (with a warning).
static Grow read_library(Urdf* u, const UrdfMesh* m) {
  Grow list = {0};
  HeftError why = {0};
  Load* load = u->load;
  if (m->mesh.materials.count > 0) return m->mesh.materials;
  if (!m->mesh.library) return list;
  const Place place = {.file = m->file};
  const SourceFile* file = load_read(load, place, m->file, NULL, m->mesh.library);
  if (file && mtl_read(load, file, &list)) return list;
  if (load_forgive(load, &why))
    load_warn_file(
        load, m->place, "missing materials",
        "'%.120s' names materials in '%.100s': %.200s; its parts have the colour of the link",
        m->file_name, m->mesh.library, why.message);
  return (Grow){0};
}

static int read_look(Urdf* u, const UrdfMesh* m, const Grow* library, const char* name,
                     MeshLook* out) {
  const MtlMaterial* material = mtl_find(library, name);
  *out = (MeshLook){.color = {1, 1, 1, 1}, .appearance = -1};
  if (!material) return 0;
  memcpy(out->color, material->color, sizeof out->color);
  if (!material->texture || !m->mesh.image) return 1;
  out->appearance = urdf_texture(u, (Place){.file = m->file}, m->file, material->texture);
  if (out->appearance >= 0) out->color[0] = out->color[1] = out->color[2] = 1;
  return 1;
}

// One part, with the look of the link.
static int one_part(Urdf* u, UrdfMesh* m) {
  m->first = m->whole >= 0 ? m->whole : add(u, m, &m->mesh);
  m->count = 1;
  return m->first >= 0;
}

static int split(Urdf* u, UrdfMesh* m, const char** names, const int* of_run, int count) {
  Load* load = u->load;
  const Grow library = read_library(u, m);
  if (!LOAD_OK(load)) return 0;
  m->looks = load_take(load, (size_t)count, sizeof *m->looks);
  if (!m->looks) return 0;
  for (int i = 0; i < count; ++i) m->of_file |= read_look(u, m, &library, names[i], &m->looks[i]);
  if (count == 1 || !m->of_file) return one_part(u, m);
  for (int i = 0; i < count; ++i) {
    Mesh part = {0};
    if (!mesh_part(load, &m->mesh, of_run, i, &part)) return 0;
    const int index = add(u, m, &part);
    if (i == 0) m->first = index;
  }
  m->count = count;
  return LOAD_OK(load);
}

int urdf_mesh_parts(Urdf* u, UrdfMesh* m) {
  const char* names[PARTS_MAX];
  if (m->first >= 0) return 1;
  if (m->mesh.run_count == 0) return one_part(u, m);
  int* of_run = load_take(u->load, (size_t)m->mesh.run_count, sizeof(int));
  if (!of_run) return 0;
  const int count = mesh_materials(&m->mesh, names, of_run, PARTS_MAX);
  if (count > 0) return split(u, m, names, of_run, count);
  load_warn(u->load, m->place, "many materials",
            "'%.150s' has more than %d materials; it has the colour of the link", m->file_name,
            PARTS_MAX);
  return one_part(u, m);
}
