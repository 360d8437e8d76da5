// SPDX-License-Identifier: Apache-2.0
// The section <asset> of a written model: textures, materials, meshes and height fields.
#include <stdio.h>
#include <string.h>

#include "base/kind_table.h"
#include "io/mjcf_put.h"
#include "io/mjcf_write.h"

// Stores one corner of each vertex, or -1. Returns 0 if two corners of one vertex have different
// texture coordinates.
static int vertex_corners(const HeftModel* m, int k, int* out) {
  const double* image = m->corner_image + 2L * m->mesh_corner[k];
  const int* vertex = m->face_vertex + 3L * m->mesh_face[k];
  for (int v = 0; v < m->mesh_vertex_count[k]; ++v) out[v] = -1;
  for (int c = 0; c < 3 * m->mesh_face_count[k]; ++c) {
    int* known = &out[vertex[c]];
    if (*known < 0) *known = c;
    const double *a = image + 2L * *known, *b = image + 2L * c;
    if (a[0] != b[0] || a[1] != b[1]) return 0;
  }
  return 1;
}

// One pair for each vertex, as all readers of MJCF expect. A mesh with seams has one pair for each
// corner, which Heft reads. The second number is measured from the top.
static void put_texcoord(Out* o, int k) {
  const HeftModel* m = o->m;
  const HeftAllocator* a = &o->def->allocator;
  if (m->mesh_corner[k] < 0) return;
  const size_t size = (size_t)m->mesh_vertex_count[k] * sizeof(int);
  int* corner = a->allocate(a->user, size, sizeof(int));
  if (!corner) {
    out_fail(o, HEFT_ERR_MEMORY, "no memory to write mesh '%s'",
             heft_model_name(m, HEFT_NAMED_MESH, k));
    return;
  }
  const int by_vertex = vertex_corners(m, k, corner);
  const int count = by_vertex ? m->mesh_vertex_count[k] : 3 * m->mesh_face_count[k];
  mj_put_name_of(o, MJ_mesh_texcoord);
  for (int i = 0; i < count; ++i) {
    const int c = by_vertex ? corner[i] : i;
    const double* p = m->corner_image + 2L * (m->mesh_corner[k] + (c < 0 ? 0 : c));
    if (i > 0) out_text(o, " ");
    out_number(o, p[0]);
    out_text(o, " ");
    out_number(o, 1 - p[1]);
  }
  out_text(o, "\"");
  a->release(a->user, corner, size);
}

static void put_mesh_lists(Out* o, int k) {
  const HeftModel* m = o->m;
  mj_put_reals_always(o, MJ_mesh_vertex, m->vertex_pos + 3L * m->mesh_vertex[k],
                      3 * m->mesh_vertex_count[k]);
  if (m->mesh_face_count[k] == 0) return;
  mj_put_name_of(o, MJ_mesh_face);
  for (int i = 0; i < 3 * m->mesh_face_count[k]; ++i) {
    if (i > 0) out_text(o, " ");
    out_number(o, m->face_vertex[3L * m->mesh_face[k] + i]);
  }
  out_text(o, "\"");
  put_texcoord(o, k);
}

static void write_texture(Out* o, int k) {
  static const char* const types[] = {HEFT_TEXTURE_LIST(KIND_TEXT)};
  static const char* const sources[] = {HEFT_TEXTURE_SOURCE_LIST(KIND_TEXT)};
  static const char* const marks[] = {HEFT_TEXTURE_MARK_LIST(KIND_TEXT)};
  const HeftModel* m = o->m;
  out_open(o, "texture");
  mj_put_own_name(o, MJ_texture_name, HEFT_NAMED_TEXTURE, k, 1);
  mj_put_text(o, MJ_texture_type, types[m->texture_type[k]]);
  mj_put_text(o, MJ_texture_builtin, sources[m->texture_source[k]]);
  mj_put_text(o, MJ_texture_mark, marks[m->texture_mark[k]]);
  if (m->texture_file[k]) mj_put_text_always(o, MJ_texture_file, m->names + m->texture_file[k]);
  mj_put_reals(o, MJ_texture_rgb1, m->texture_color + 3L * k, 3);
  mj_put_reals(o, MJ_texture_rgb2, m->texture_color2 + 3L * k, 3);
  mj_put_reals(o, MJ_texture_markrgb, m->texture_mark_color + 3L * k, 3);
  mj_put_int(o, MJ_texture_width, m->texture_width[k]);
  mj_put_int(o, MJ_texture_height, m->texture_height[k]);
  out_end_empty(o);
}

static void write_appearance(Out* o, int k) {
  const HeftModel* m = o->m;
  const double* light = m->appearance_light + 4L * k;
  out_open(o, "material");
  mj_put_own_name(o, MJ_material_name, HEFT_NAMED_APPEARANCE, k, 1);
  mj_put_reference(o, MJ_material_texture, HEFT_NAMED_TEXTURE, m->appearance_texture[k]);
  mj_put_reals(o, MJ_material_texrepeat, m->appearance_repeat + 2L * k, 2);
  mj_put_bool(o, MJ_material_texuniform, m->appearance_uniform[k]);
  mj_put_real(o, MJ_material_emission, light[0]);
  mj_put_real(o, MJ_material_specular, light[1]);
  mj_put_real(o, MJ_material_shininess, light[2]);
  mj_put_real(o, MJ_material_reflectance, light[3]);
  mj_put_reals(o, MJ_material_rgba, m->appearance_color + 4L * k, 4);
  out_end_empty(o);
}

static void put_config(Out* o, const char* key, const double* x, long count) {
  out_open(o, "config");
  mj_put_text_always(o, MJ_config_key, key);
  mj_put_name_of(o, MJ_config_value);
  for (long i = 0; i < count; ++i) {
    if (i > 0) out_text(o, " ");
    out_number(o, x[i]);
  }
  out_text(o, "\"");
  out_end_empty(o);
}

static void put_field(Out* o, int k) {
  const HeftModel* m = o->m;
  const HeftFieldType type = m->mesh_field[k];
  char word[32];
  snprintf(word, sizeof word, "heft.%s", heft_field_type_name(type));
  out_open(o, "plugin");
  mj_put_text_always(o, MJ_plugin_plugin, word);
  out_begin_content(o);
  const char* name;
  for (int i = 0; (name = heft_field_parameter(type, i))[0]; ++i)
    put_config(o, name, m->mesh_field_size + (long)HEFT_FIELD_SIZES * k + i, 1);
  if (type == HEFT_FIELD_GRID) {
    const int* n = m->mesh_grid + 3L * k;
    const double grid[3] = {n[0], n[1], n[2]};
    put_config(o, "grid", grid, 3);
    put_config(o, "samples", m->sample + m->mesh_sample[k], (long)n[0] * n[1] * n[2]);
  }
  out_end(o, "plugin");
}

static void write_mesh(Out* o, int k) {
  out_open(o, "mesh");
  mj_put_own_name(o, MJ_mesh_name, HEFT_NAMED_MESH, k, 1);
  if (o->def->mesh_folder && o->m->mesh_face_count[k] > 0) {
    char file[600];
    out_mesh_name(o, k, file, sizeof file);
    mj_put_text_always(o, MJ_mesh_file, file);
  } else {
    put_mesh_lists(o, k);
  }
  if (o->m->mesh_field[k] == HEFT_FIELD_NONE) {
    out_end_empty(o);
    return;
  }
  out_begin_content(o);
  put_field(o, k);
  out_end(o, "mesh");
}

static void write_height_field(Out* o, int k) {
  const HeftModel* m = o->m;
  const int rows = m->height_field_rows[k], columns = m->height_field_columns[k];
  double size[4];
  memcpy(size, m->height_field_size + 4L * k, sizeof size);
  if (size[2] == 0) size[2] = 1;  // the field is flat: any positive height reads back as flat
  out_open(o, "hfield");
  mj_put_own_name(o, MJ_hfield_name, HEFT_NAMED_HEIGHT_FIELD, k, 1);
  mj_put_int(o, MJ_hfield_nrow, rows);
  mj_put_int(o, MJ_hfield_ncol, columns);
  mj_put_reals_always(o, MJ_hfield_size, size, 4);
  mj_put_reals_always(o, MJ_hfield_elevation, m->height + m->height_field_height[k],
                      rows * columns);
  out_end_empty(o);
}

void mjcf_write_assets(Out* o) {
  const HeftModel* m = o->m;
  if (m->ntexture + m->nappearance + m->nmesh + m->nheight_field == 0) return;
  out_begin(o, "asset");
  for (int k = 0; k < m->ntexture; ++k) write_texture(o, k);
  for (int k = 0; k < m->nappearance; ++k) write_appearance(o, k);
  for (int k = 0; k < m->nmesh; ++k) write_mesh(o, k);
  for (int k = 0; k < m->nheight_field; ++k) write_height_field(o, k);
  out_end(o, "asset");
}
