// SPDX-License-Identifier: Apache-2.0
// Distance shapes in MJCF: <mesh> with a <plugin> that names the shape and its numbers, as MuJoCo 3
// writes them.
//
//   <mesh name="ring">
//     <plugin plugin="heft.torus">
//       <config key="radius" value="0.02"/> <config key="tube" value="0.004"/>
//     </plugin>
//   </mesh>
//
// If the mesh has vertices and faces, too, they are its triangles; otherwise they are made here,
// about `spacing` apart. The cells that this looks at are work of the load.
#include <string.h>

#include "io/grid_file.h"
#include "io/mjcf.h"

static const double work_of_cell = 60;

static HeftFieldType type_of(const char* word) {
  if (strcmp(word, "mujoco.sdf.torus") == 0) return HEFT_FIELD_TORUS;
  for (int t = 1; t < HEFT_FIELD_TYPE_COUNT && strncmp(word, "heft.", 5) == 0; ++t) {
    if (strcmp(word + 5, heft_field_type_name((HeftFieldType)t)) == 0) return (HeftFieldType)t;
  }
  return HEFT_FIELD_NONE;
}

// The index of a number by its name, also as MuJoCo's torus names it; -1: none.
static int parameter_of(HeftFieldType type, const char* key) {
  if (type == HEFT_FIELD_TORUS && strcmp(key, "radius1") == 0) return 0;
  if (type == HEFT_FIELD_TORUS && strcmp(key, "radius2") == 0) return 1;
  const char* name;
  for (int i = 0; (name = heft_field_parameter(type, i))[0]; ++i) {
    if (strcmp(name, key) == 0) return i;
  }
  return -1;
}

static const char* all_parameters(Load* load, HeftFieldType type) {
  const char *text = "spacing", *name;
  for (int i = 0; (name = heft_field_parameter(type, i))[0]; ++i)
    text = load_format(load, "%s, %s", text, name);
  return type == HEFT_FIELD_GRID ? load_format(load, "%s, grid, samples, file", text) : text;
}

static void read_config(Mjcf* m, const Item* item, const XmlNode* node, HeftField* field,
                        double* spacing) {
  mj_check(m, node, MJCF_config);
  const char *key = xml_get(node, "key"), *value = xml_get(node, "value");
  if (!key || !value) {
    load_fail(m->load, HEFT_ERR_SYNTAX, xml_place(node),
              "<config> needs the attributes 'key' and 'value'");
    return;
  }
  const int i = parameter_of(field->type, key), is_grid = field->type == HEFT_FIELD_GRID;
  if (i >= 0) {
    xml_numbers(m->load, node, "value", value, 1, 1, &field->size[i]);
  } else if (strcmp(key, "spacing") == 0) {
    if (xml_numbers(m->load, node, "value", value, 1, 1, spacing) && !(*spacing > 0))
      load_fail(m->load, HEFT_ERR_VALUE, xml_attribute_place(node, "value"),
                "<config>: a spacing of %g m was found, expected one above 0", *spacing);
  } else if (is_grid && strcmp(key, "file") == 0) {
    const Place place = xml_attribute_place(node, "value");
    const Unit* unit = item->scope->unit;
    const SourceFile* file = mj_read_file(m, place, unit->file, unit->mesh_folder, value);
    if (file && load_work(m->load, place, 4 * (double)file->size))
      grid_file_read(m->load, place, file, field);
  } else if (is_grid && strcmp(key, "grid") == 0) {
    xml_integers(m->load, node, "value", value, 3, 3, field->grid);
  } else if (is_grid && strcmp(key, "samples") == 0) {
    int count = 0;
    field->samples = xml_number_list(m->load, node, "value", value, &count);
    if (!field->samples) return;
    const double wanted = (double)field->grid[0] * field->grid[1] * field->grid[2];
    if (field->grid[0] < 2 || field->grid[1] < 2 || field->grid[2] < 2 || count != wanted)
      load_fail(m->load, HEFT_ERR_VALUE, xml_attribute_place(node, "value"),
                "<config>: %d samples were found, expected %d x %d x %d, as <config key=\"grid\"> "
                "before it says",
                count, field->grid[0], field->grid[1], field->grid[2]);
  } else {
    load_fail(m->load, HEFT_ERR_NAME, xml_attribute_place(node, "key"),
              "<config key>: '%.60s' was found; a %s has %s", key,
              heft_field_type_name(field->type), all_parameters(m->load, field->type));
  }
}

// Triangles in memory of the load.
static void make_triangles(Load* load, Place place, const HeftField* field, double spacing,
                           Mesh* mesh) {
  const HeftAllocator allocator = budget_allocator(&load->budget);
  HeftFieldTriangles t;
  HeftError error;
  if (!load_work(load, place, work_of_cell * heft_field_triangles_effort(field, spacing))) return;
  const HeftStatus status = heft_field_triangles(field, spacing, &allocator, &t, &error);
  if (status != HEFT_OK) {
    load_fail(load, status, place, "<plugin>: %s", error.message);
    return;
  }
  if (t.face_count > load->def->limits.mesh_triangles) {
    load_fail(load, HEFT_ERR_LIMIT, place,
              "<plugin>: the distance shape makes %d triangles, expected at most %d; increase its "
              "spacing",
              t.face_count, load->def->limits.mesh_triangles);
    heft_field_triangles_release(&t, &allocator);
    return;
  }
  mesh->vertices = load_take(load, 3 * (size_t)t.vertex_count, sizeof(double));
  mesh->faces = load_take(load, 3 * (size_t)t.face_count, sizeof(int));
  if (mesh->vertices && mesh->faces) {
    memcpy(mesh->vertices, t.vertices, 3 * (size_t)t.vertex_count * sizeof(double));
    memcpy(mesh->faces, t.faces, 3 * (size_t)t.face_count * sizeof(int));
    mesh->vertex_count = t.vertex_count;
    mesh->face_count = t.face_count;
  }
  heft_field_triangles_release(&t, &allocator);
}

void mj_read_field(Mjcf* m, const Item* item, const XmlNode* node, MeshAsset* asset) {
  mj_check(m, node, MJCF_plugin);
  const char* word = xml_get(node, "plugin");
  const Place place = xml_place(node);
  HeftField* field = &asset->field;
  field->type = word ? type_of(word) : HEFT_FIELD_NONE;
  if (field->type == HEFT_FIELD_NONE) {
    load_fail(m->load, HEFT_ERR_UNSUPPORTED, place,
              "<plugin plugin>: '%.60s' was found, expected heft.torus, heft.cup, heft.hook, "
              "heft.gear, heft.bolt, heft.nut, heft.grid or mujoco.sdf.torus",
              word ? word : "");
    return;
  }
  if (field->type == HEFT_FIELD_GEAR) field->size[3] = HEFT_PI / 9;
  double spacing = 0;
  for (const XmlNode* n = node->child; n && LOAD_OK(m->load); n = n->next) {
    if (xml_is(n, "config")) {
      read_config(m, item, n, field, &spacing);
    } else {
      mj_unknown_element(m, n);
    }
  }
  if (!LOAD_OK(m->load)) return;
  HeftError error;
  const HeftStatus status = heft_field_check(field, &error);
  if (status != HEFT_OK) {
    load_fail(m->load, status, place, "<plugin>: %s", error.message);
  } else if (asset->mesh.face_count == 0) {
    make_triangles(m->load, place, field, spacing, &asset->mesh);
  }
}
