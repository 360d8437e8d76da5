// SPDX-License-Identifier: Apache-2.0
/// @file builder.h
/// A builder makes a model from parts. Readers of files use one, and so may a program.
#ifndef HEFT_BUILDER_H
#define HEFT_BUILDER_H

#include <heft/model.h>
#include <heft/parts.h>
#include <heft/scenery.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Collects the parts of a model. Opaque; grows as needed; used by one thread.
typedef struct HeftBuilder HeftBuilder;

/// A builder with the world body and the default material. allocator may be NULL (the default one),
/// error may be NULL. *out is NULL on failure.
HEFT_API HeftStatus heft_builder_create(HeftBuilder** out, const HeftAllocator* allocator,
                                        HeftError* error);
HEFT_API void heft_builder_destroy(HeftBuilder* builder);
HEFT_API void heft_builder_set_physics(HeftBuilder* builder, HeftPhysics physics);
HEFT_API HeftPhysics heft_builder_physics(const HeftBuilder* builder);
/// Name of the contact model that the model requests, for example "exact"; word may be NULL or "":
/// none. The name is copied; the world checks it (HEFT_CONTACT_MODEL_LIST).
HEFT_API void heft_builder_set_contact_model(HeftBuilder* builder, const char* word);
/// Limits that heft_builder_finish() checks before it allocates.
HEFT_API void heft_builder_set_limits(HeftBuilder* builder, HeftModelLimits limits);

/// Each function adds one object and returns its index, -1 after an error. The builder stores the
/// first error; later calls do nothing, and heft_builder_finish() reports it. A sequence of calls
/// therefore needs no checks in between.
HEFT_API int heft_builder_add_body(HeftBuilder* builder, const HeftBodyDef* def);
HEFT_API int heft_builder_add_joint(HeftBuilder* builder, const HeftJointDef* def);
HEFT_API int heft_builder_add_site(HeftBuilder* builder, const HeftSiteDef* def);
HEFT_API int heft_builder_add_material(HeftBuilder* builder, const HeftMaterialDef* def);
HEFT_API int heft_builder_add_shape(HeftBuilder* builder, const HeftShapeDef* def);
HEFT_API int heft_builder_add_mesh(HeftBuilder* builder, const HeftMeshDef* def);
HEFT_API int heft_builder_add_height_field(HeftBuilder* builder, const HeftHeightFieldDef* def);
HEFT_API int heft_builder_add_texture(HeftBuilder* builder, const HeftTextureDef* def);
HEFT_API int heft_builder_add_appearance(HeftBuilder* builder, const HeftAppearanceDef* def);
HEFT_API int heft_builder_add_camera(HeftBuilder* builder, const HeftCameraDef* def);
HEFT_API int heft_builder_add_light(HeftBuilder* builder, const HeftLightDef* def);
HEFT_API int heft_builder_add_pair(HeftBuilder* builder, const HeftPairDef* def);
HEFT_API int heft_builder_add_exclude(HeftBuilder* builder, const HeftExcludeDef* def);
HEFT_API int heft_builder_add_equality(HeftBuilder* builder, const HeftEqualityDef* def);
HEFT_API int heft_builder_add_tendon(HeftBuilder* builder, const HeftTendonDef* def);
HEFT_API int heft_builder_add_actuator(HeftBuilder* builder, const HeftActuatorDef* def);
HEFT_API int heft_builder_add_sensor(HeftBuilder* builder, const HeftSensorDef* def);
HEFT_API int heft_builder_add_key(HeftBuilder* builder, const HeftKeyDef* def);
/// Adds bodies, slides and spheres of its vertices, too. Returns its index, -1 after an error.
HEFT_API int heft_builder_add_deformable(HeftBuilder* builder, const HeftDeformableDef* def);

/// Adds a model, or a part of it: the way to change a model. Returns the index of its first body,
/// -1 after an error; its bodies keep their order. The physics and the contact model of the builder
/// stay as they are. A name that the builder has already is an error at the end: use a prefix. def
/// may be NULL: all of the model, with its names, in its place. Then heft_builder_finish() makes
/// the same bits again, after heft_builder_set_physics() and heft_builder_set_contact_model().
HEFT_API int heft_builder_add_model(HeftBuilder* builder, const HeftModel* model,
                                    const HeftPartDef* def);

/// A builder that has the physics, the contact model and the objects of a model, for edits: add
/// objects or models, then heft_builder_finish(). def may be NULL: all of the model; its `without`
/// leaves bodies out. allocator may be NULL (the default one), error may be NULL. *out is NULL on
/// failure.
HEFT_API HeftStatus heft_builder_from_model(HeftBuilder** out, const HeftModel* model,
                                            const HeftPartDef* def, const HeftAllocator* allocator,
                                            HeftError* error);
/// Makes a model of two: `part` is added to the bodies of `model` as def describes. def and error
/// may be NULL. *out is NULL on failure.
HEFT_API HeftStatus heft_model_attach(HeftModel** out, const HeftModel* model,
                                      const HeftModel* part, const HeftPartDef* def,
                                      HeftError* error);
/// Makes a model in which one row of an array of real numbers is another one: masses, sizes,
/// limits, gains. array is the name of a field of HeftModel, 0 <= row < its rows; count is the
/// number of its columns. The model is checked and what follows from the array is computed again.
/// error may be NULL. *out is NULL on failure.
/// [in] values[count]
HEFT_API HeftStatus heft_model_replace(HeftModel** out, const HeftModel* model, const char* array,
                                       int row, int count, const double* values, HeftError* error);

/// Multiplies masses and inertias of all bodies so far by a factor > 0.
HEFT_API void heft_builder_scale_mass(HeftBuilder* builder, double factor);
/// How many bodies (the world included), sites, shapes, cameras or lights there are so far.
HEFT_API int heft_builder_count(const HeftBuilder* builder, HeftNamed kind);
/// Renumbers bodies (with their joints and dofs), sites, shapes, cameras or lights: object i
/// becomes object to[i], and all references follow, including keyframes. to is a permutation of all
/// objects of the kind; the world stays 0 and parents come before their children. For readers of
/// files with another order than the model.
/// [in] to[heft_builder_count(builder, kind)]
HEFT_API void heft_builder_reorder(HeftBuilder* builder, HeftNamed kind, const int* to);

/// The first error so far; HEFT_OK if there is none. error may be NULL.
HEFT_API HeftStatus heft_builder_status(const HeftBuilder* builder, HeftError* error);
/// Makes the model. The builder can be destroyed afterwards. *out is NULL on failure.
HEFT_API HeftStatus heft_builder_finish(HeftBuilder* builder, HeftModel** out, HeftError* error);

#ifdef __cplusplus
}
#endif
#endif
