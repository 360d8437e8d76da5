// SPDX-License-Identifier: Apache-2.0
#include "io/assets.h"

#include <math.h>
#include <string.h>

MeshAsset* assets_mesh(const Assets* assets, int i) {
  return GROW_AT(assets->meshes, MeshAsset*, i);
}

int assets_find_mesh(const Assets* assets, const char* name) {
  for (int i = 0; i < assets->meshes.count; ++i) {
    if (strcmp(assets_mesh(assets, i)->name, name) == 0) return i;
  }
  return -1;
}

int assets_add_mesh(Load* load, Assets* assets, const MeshAsset* asset) {
  MeshAsset* copy = LOAD_NEW(load, MeshAsset);
  MeshAsset** slot = copy ? LOAD_ADD(load, &assets->meshes, MeshAsset*) : NULL;
  if (!slot) return -1;
  *copy = *asset;
  *slot = copy;
  return assets->meshes.count - 1;
}

int assets_mass(MeshAsset* asset, MeshMass how, HeftInertia* out) {
  if (asset->weighed[how] == 0)
    asset->weighed[how] = mesh_mass(&asset->mesh, how, &asset->mass[how]) ? 1 : -1;
  *out = asset->mass[how];
  return asset->weighed[how] > 0;
}

void assets_collide(MeshAsset* asset, int triangles) {
  asset->collides = 1;
  *(triangles ? &asset->triangles : &asset->hull) = 1;
}

// A mesh that fills its hull to less than this share is called concave.
static const double convex_share = 0.97;

static void tell_concave(Load* load, const MeshAsset* asset) {
  const Mesh* m = &asset->mesh;
  const double hull = mesh_volume(m, m->hull, m->hull_count);
  const double own = fabs(mesh_volume(m, m->faces, m->face_count));
  if (!(hull > 0) || own >= convex_share * hull) return;
  load_warn(
      load, asset->place, "concave mesh",
      "mesh '%.100s' is not convex or not closed (it fills %.0f %% of its convex hull) and "
      "collides as its convex hull; where the hollows matter, let it collide as its triangles "
      "(docs/manual/shapes.md) or cut it into convex pieces (--decompose 0.002)",
      asset->name, 100 * own / hull);
}

HeftStatus assets_finish(Load* load, Assets* assets) {
  const int count = assets->meshes.count;
  for (int i = 0; i < count && LOAD_OK(load); ++i) {
    MeshAsset* asset = assets_mesh(assets, i);
    if (load->def->progress)
      load->def->progress(load->def->user, 0.5 + 0.5 * i / count, asset->name);
    const int as_it_is = asset->field.type != HEFT_FIELD_NONE || asset->triangles;
    if (asset->triangles && asset->hull) {
      load_fail(load, HEFT_ERR_VALUE, asset->place,
                "mesh '%.100s' is used by shapes that collide as its triangles and by others; give "
                "these a mesh of their own",
                asset->name);
      break;
    }
    if (asset->collides && load->def->hulls && !as_it_is) {
      const int hull = mesh_hull(load, asset->place, asset->name, &asset->mesh);
      if (hull == 0) break;
      if (hull > 0) tell_concave(load, asset);
      if (hull < 0)
        load_warn(load, asset->place, "flat mesh",
                  "mesh '%.100s' is flat: it has no convex hull and collides as its triangles",
                  asset->name);
    }
    const HeftMeshDef def = {
        .cookie = HEFT_DEF_COOKIE(HeftMeshDef),
        .name = asset->name,
        .vertex_count = asset->mesh.vertex_count,
        .face_count = asset->mesh.face_count,
        .vertices = asset->mesh.vertices,
        .faces = asset->mesh.faces,
        .hull_count = asset->collides && !as_it_is ? asset->mesh.hull_count : 0,
        .hull = asset->mesh.hull,
        .image = asset->textured ? asset->mesh.image : NULL,
        .field = asset->field};
    heft_builder_add_mesh(load->builder, &def);
  }
  return load->status;
}

const char* assets_base_name(Load* load, const char* path) {
  const char* slash = strrchr(path, '/');
  const char* start = slash ? slash + 1 : path;
  const char* dot = strrchr(start, '.');
  const char* copy =
      load_text(load, start, dot && dot != start ? (size_t)(dot - start) : strlen(start));
  return copy ? copy : "";
}
