// SPDX-License-Identifier: Apache-2.0
// One load from beginning to end: read the bytes, choose the reader by the content, fill a builder,
// finish the model, report the warnings.
#include <heft/io.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/def.h"
#include "base/error.h"
#include "dynamics/deform/mesh.h"
#include "io/mjcf_softness.h"
#include "io/msh.h"
#include "io/overlaps.h"
#include "io/readers.h"
#include "io/xml.h"

void heft_load_def_init(HeftLoadDef* def, uint32_t cookie) {
  if (!HEFT_DEF_STAMP(HeftLoadDef, def, cookie)) return;
  *def = (HeftLoadDef){.cookie = cookie,
                       .allocator = heft_allocator_default(),
                       .limits = {.file_bytes = 256u << 20,
                                  .total_bytes = (size_t)128 << 20,
                                  .xml_depth = 1100,
                                  .xml_attributes = 64,
                                  .xml_elements = 1 << 22,
                                  .name_bytes = 255,
                                  .bodies = 1 << 20,
                                  .mesh_triangles = 2000000,
                                  .include_depth = 8,
                                  .dofs = 1 << 23,
                                  .mass_entries = 1 << 25,
                                  .work = 3e8},
                       .hulls = true,
                       .decompose_pieces = 64,
                       .decompose_vertices = 128,
                       .decompose_effort = 5e9};
}

// Settings that only URDF needs: MJCF and compiled models hold a floor, servos and keyframes.
static void warn_about_urdf_settings(Load* load, const SourceFile* file) {
  const HeftLoadDef* def = load->def;
  if (!def->urdf_floor && !def->urdf_place && !def->urdf_servos && !def->srdf &&
      def->urdf_exclude_count == 0 && def->urdf_overlaps != HEFT_URDF_OVERLAPS_EXCLUDE)
    return;
  load_warn(load, (Place){.file = file}, "urdf settings",
            "floor, height, servos, SRDF and excluded links are for URDF files; this file is not "
            "one, and they have no effect");
}

static int is_urdf(const SourceFile* file) {
  char root[32];
  return xml_root_name(file, root, sizeof root) && strcmp(root, "robot") == 0;
}

static HeftStatus load_xml(Load* load, const SourceFile* file) {
  if (is_urdf(file)) return load_urdf(load, file);
  warn_about_urdf_settings(load, file);
  return load_mjcf(load, file);
}

// Mistakes that the builder finds have no place of their own: they get the file's name.
static HeftStatus finish(Load* load, const SourceFile* file, HeftModel** out) {
  if (!LOAD_OK(load)) return load->status;
  HeftError error = {0};
  const HeftStatus status = heft_builder_finish(load->builder, out, &error);
  if (status == HEFT_OK) {
    if (load->soft_laws.count > 0) soft_laws_apply(load, *out);
    if (LOAD_OK(load) && load->spring_dampers.count > 0) spring_dampers_apply(load, *out);
    if (LOAD_OK(load)) return HEFT_OK;
    heft_model_destroy(*out);
    *out = NULL;
    return load->status;
  }
  return load_fail(load, status, (Place){.file = file}, "%s", error.message);
}

static HeftModelLimits model_limits(const HeftLoadDef* def) {
  return (HeftModelLimits){.dofs = def->limits.dofs, .mass_entries = def->limits.mass_entries};
}

/// A model that was read.
typedef struct ReadModel {
  HeftModel* model;
  int is_urdf;
} ReadModel;

// Chooses the reader by the content and runs it; to is a ReadModel.
static void read_model(Load* load, const SourceFile* file, void* to) {
  const HeftLoadDef* def = load->def;
  HeftModel** out = &((ReadModel*)to)->model;
  if (file->size >= 8 && memcmp(file->text, "HEFTMODL", 8) == 0) {
    warn_about_urdf_settings(load, file);
    if (!LOAD_OK(load)) return;
    HeftError error = {0};
    const HeftStatus status = heft_model_load_within(out, file->text, file->size, &load->allocator,
                                                     model_limits(def), &error);
    if (status != HEFT_OK) load_fail(load, status, (Place){.file = file}, "%s", error.message);
  } else if (heft_builder_create(&load->builder, &load->allocator, load->error) == HEFT_OK) {
    heft_builder_set_limits(load->builder, model_limits(def));
    ((ReadModel*)to)->is_urdf = is_urdf(file);
    load_xml(load, file);
    finish(load, file, out);
  } else {
    load->status = HEFT_ERR_MEMORY;
  }
}

// Copies what was read to memory of its own; to is a HeftTetrahedra.
static void read_tetrahedra(Load* load, const SourceFile* file, void* to) {
  HeftTetrahedra mesh, *out = to;
  int* number = NULL;
  if (!msh_read(load, (Place){.file = file}, file, &mesh) ||
      !tetrahedra_compact(load, &mesh, &number))
    return;
  if (heft_tetrahedra_take(out, mesh.vertex_count, mesh.tetrahedron_count, &load->allocator,
                           NULL) != HEFT_OK) {
    load_fail(load, HEFT_ERR_MEMORY, (Place){.file = file}, "no memory for the tetrahedra");
    return;
  }
  memcpy(out->vertices, mesh.vertices, 3 * sizeof(double) * (size_t)mesh.vertex_count);
  memcpy(out->tetrahedra, mesh.tetrahedra, 4 * sizeof(int) * (size_t)mesh.tetrahedron_count);
}

static HeftStatus check_def(const HeftLoadDef* def, HeftError* error) {
  const HeftStatus status = HEFT_DEF_CHECK(HeftLoadDef, heft_load_def_default, def, error);
  if (status != HEFT_OK) return status;
  if (!def->allocator.allocate || !def->allocator.release)
    return heft_error_set(error, HEFT_ERR_ARGUMENT,
                          "HeftLoadDef.allocator has no functions: start with "
                          "heft_load_def_default() and change single fields");
  if (def->package_count < 0 || (def->package_count > 0 && !def->packages))
    return heft_error_set(error, HEFT_ERR_ARGUMENT,
                          "HeftLoadDef.package_count is %d: set packages to as many packages",
                          def->package_count);
  if (!(def->urdf_gains[0] >= 0 && def->urdf_gains[0] <= 1e9 && def->urdf_gains[1] >= 0 &&
        def->urdf_gains[1] <= 1e9 && fabs(def->urdf_height) <= 1e9))
    return heft_error_set(
        error, HEFT_ERR_ARGUMENT,
        "HeftLoadDef.urdf_height is %g, urdf_gains are %g and %g: expected finite "
        "numbers up to 1e9, and gains of 0 or more",
        def->urdf_height, def->urdf_gains[0], def->urdf_gains[1]);
  if (def->urdf_exclude_count < 0 || (def->urdf_exclude_count > 0 && !def->urdf_excludes))
    return heft_error_set(
        error, HEFT_ERR_ARGUMENT,
        "HeftLoadDef.urdf_exclude_count is %d: set urdf_excludes to as many pairs",
        def->urdf_exclude_count);
  if (!(fabs(def->decompose) <= 1e9 && def->decompose_pieces >= 1 &&
        def->decompose_pieces <= 1000 && def->decompose_vertices >= 8 &&
        def->decompose_vertices <= 4096 && def->decompose_effort >= 0))
    return heft_error_set(error, HEFT_ERR_ARGUMENT,
                          "HeftLoadDef.decompose is %g, decompose_pieces %d, decompose_vertices "
                          "%d, decompose_effort %g: expected a length, 1 to 1000, 8 to 4096, and 0 "
                          "or more",
                          def->decompose, def->decompose_pieces, def->decompose_vertices,
                          def->decompose_effort);
  if (def->piece_store && (!def->piece_store->read || !def->piece_store->write))
    return heft_error_set(error, HEFT_ERR_ARGUMENT,
                          "HeftLoadDef.piece_store has no function read or write");
  if (def->files && !def->files->read)
    return heft_error_set(error, HEFT_ERR_ARGUMENT, "HeftLoadDef.files has no function read");
  return HEFT_OK;
}

/// Reads a file into `to`, which stays as it is after a mistake.
typedef void Reading(Load* load, const SourceFile* file, void* to);

// bytes == NULL: the file at path. def == NULL: the usual one.
static HeftStatus run(Reading* reading, void* to, const char* path, const void* bytes, size_t size,
                      const HeftLoadDef* def, HeftError* error) {
  const HeftLoadDef usual = heft_load_def_default();
  if (!def) def = &usual;
  const HeftStatus checked = check_def(def, error);
  if (checked != HEFT_OK) return checked;
  HeftError ignored = {0};
  Load load;
  load_open(&load, def, error ? error : &ignored);
  *load.error = (HeftError){0};
  const SourceFile* file = NULL;
  if (bytes) {
    SourceFile* given = LOAD_NEW(&load, SourceFile);
    if (given) *given = (SourceFile){.path = path ? path : "", .text = bytes, .size = size};
    budget_grant(&load.budget, size);
    file = given;
  } else {
    file = load_read(&load, (Place){0}, NULL, NULL, path);
  }
  if (file && LOAD_OK(&load)) reading(&load, file, to);
  if (file && !LOAD_OK(&load) && load.error->file[0] == '\0' && load.error->line == 0)
    load_set_place(load.error, (Place){.file = file});
  load_report_warnings(&load);
  const HeftStatus status = load.status;
  load_close(&load);
  return status;
}

// Loads a URDF again without contact between the links that overlap. The warnings of the file were
// reported before.
static HeftStatus load_without(HeftModel** model, const LoadOverlaps* found, const char* path,
                               const void* bytes, size_t size, const HeftLoadDef* def,
                               HeftError* error) {
  const HeftAllocator* a = &def->allocator;
  const size_t given = (size_t)def->urdf_exclude_count;
  const size_t memory = (given + OVERLAPS_MAX) * sizeof(HeftLinkPair);
  HeftLinkPair* pairs = a->allocate(a->user, memory, _Alignof(HeftLinkPair));
  if (!pairs) return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for the excluded links");
  if (given > 0) memcpy(pairs, def->urdf_excludes, given * sizeof *pairs);
  HeftLoadDef again = *def;
  ReadModel read = {0};
  again.urdf_excludes = pairs;
  again.urdf_exclude_count += load_overlaps_excludes(*model, found, pairs + given);
  again.warning = NULL;
  again.strict = false;
  const HeftStatus status = run(read_model, &read, path, bytes, size, &again, error);
  a->release(a->user, pairs, memory);
  heft_model_destroy(*model);
  *model = read.model;
  if (read.model) read.model->allocator = def->allocator;
  return status;
}

// Reports or excludes links of a URDF that overlap at the start.
static HeftStatus look_at_overlaps(HeftModel** model, const char* path, const void* bytes,
                                   size_t size, const HeftLoadDef* def, HeftError* error) {
  const HeftAllocator* a = &def->allocator;
  LoadOverlaps* found = a->allocate(a->user, sizeof *found, _Alignof(LoadOverlaps));
  HeftStatus status = found ? load_overlaps_find(*model, a, found) : HEFT_ERR_MEMORY;
  if (status == HEFT_OK && found->counts.count > 0 &&
      def->urdf_overlaps == HEFT_URDF_OVERLAPS_EXCLUDE) {
    if (def->overlaps) def->overlaps(def->user, *model, found->pair, &found->counts, true);
    status = load_without(model, found, path, bytes, size, def, error);
    if (status == HEFT_OK) status = load_overlaps_find(*model, a, found);
  }
  if (status == HEFT_ERR_MEMORY) heft_error_set(error, status, "no memory to look for overlaps");
  if (status == HEFT_OK) status = load_overlaps_report(*model, found, path ? path : "", def, error);
  if (found) a->release(a->user, found, sizeof *found);
  if (status == HEFT_OK) return status;
  heft_model_destroy(*model);
  *model = NULL;
  return status;
}

static HeftStatus run_model(HeftModel** out, const char* path, const void* bytes, size_t size,
                            const HeftLoadDef* def, HeftError* error) {
  const HeftLoadDef usual = heft_load_def_default();
  ReadModel read = {0};
  if (!def) def = &usual;
  HeftStatus status = run(read_model, &read, path, bytes, size, def, error);
  if (read.model) read.model->allocator = def->allocator;  // the budget ended
  if (status == HEFT_OK && read.is_urdf && def->urdf_overlaps != HEFT_URDF_OVERLAPS_ALLOW)
    status = look_at_overlaps(&read.model, path, bytes, size, def, error);
  *out = read.model;
  return status;
}

HeftStatus heft_model_load_file(HeftModel** out, const char* path, const HeftLoadDef* def,
                                HeftError* error) {
  HEFT_REQUIRE(out, heft_error_set(error, HEFT_ERR_ARGUMENT, "out must not be NULL"));
  *out = NULL;
  HEFT_REQUIRE(path, heft_error_set(error, HEFT_ERR_ARGUMENT, "path must not be NULL"));
  return run_model(out, path, NULL, 0, def, error);
}

HeftStatus heft_model_load_bytes(HeftModel** out, const void* bytes, size_t size, const char* name,
                                 const HeftLoadDef* def, HeftError* error) {
  HEFT_REQUIRE(out, heft_error_set(error, HEFT_ERR_ARGUMENT, "out must not be NULL"));
  *out = NULL;
  HEFT_REQUIRE(bytes || size == 0,
               heft_error_set(error, HEFT_ERR_ARGUMENT, "bytes must not be NULL"));
  return run_model(out, name, size > 0 ? bytes : "", size, def, error);
}

HeftStatus heft_tetrahedra_load_file(HeftTetrahedra* out, const char* path, const HeftLoadDef* def,
                                     HeftError* error) {
  HEFT_REQUIRE(out, heft_error_set(error, HEFT_ERR_ARGUMENT, "out must not be NULL"));
  *out = (HeftTetrahedra){0};
  HEFT_REQUIRE(path, heft_error_set(error, HEFT_ERR_ARGUMENT, "path must not be NULL"));
  return run(read_tetrahedra, out, path, NULL, 0, def, error);
}

HeftStatus heft_tetrahedra_load_bytes(HeftTetrahedra* out, const void* bytes, size_t size,
                                      const char* name, const HeftLoadDef* def, HeftError* error) {
  HEFT_REQUIRE(out, heft_error_set(error, HEFT_ERR_ARGUMENT, "out must not be NULL"));
  *out = (HeftTetrahedra){0};
  HEFT_REQUIRE(bytes || size == 0,
               heft_error_set(error, HEFT_ERR_ARGUMENT, "bytes must not be NULL"));
  return run(read_tetrahedra, out, name, size > 0 ? bytes : "", size, def, error);
}
