// SPDX-License-Identifier: Apache-2.0
/// @file scenery.h
/// Settings of what only shows or carries data of a model: meshes, height fields, textures,
/// appearances, cameras and lights. A HeftBuilder adds them.
#ifndef HEFT_SCENERY_H
#define HEFT_SCENERY_H

#include <heft/field.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Triangles for shapes.
typedef struct HeftMeshDef {
  uint32_t cookie;  ///< set by heft_mesh_def_default(); see HEFT_DEF_COOKIE
  const char* name;
  int vertex_count, face_count;
  const double* vertices;  ///< vertex_count x 3, copied [m]
  const int* faces;        ///< face_count x 3, copied
  int hull_count;          ///< triangles of the convex hull; 0: none
  const int* hull;         ///< hull_count x 3, copied
  const double* image;     ///< face_count x 3 x 2, copied: see corner_image; may be NULL
  HeftField field;         ///< a distance shape, samples copied; then the faces approximate it, and
                           ///< the builder makes them if face_count is 0
  double field_spacing;    ///< of the vertices that the builder makes [m]; 0: a share of the size
} HeftMeshDef;

/// Heights on a grid, for shapes.
typedef struct HeftHeightFieldDef {
  uint32_t cookie;  ///< set by heft_height_field_def_default(); see HEFT_DEF_COOKIE
  const char* name;
  int rows, columns;      ///< at least 2 each
  double size[4];         ///< see height_field_size; the third is computed
  const double* heights;  ///< rows x columns, copied [m]
} HeftHeightFieldDef;

/// An image for surfaces, from a file or generated.
typedef struct HeftTextureDef {
  uint32_t cookie;  ///< set by heft_texture_def_default(); see HEFT_DEF_COOKIE
  const char* name;
  const char* file;  ///< may be NULL; copied
  HeftTextureType type;
  HeftTextureSource source;
  HeftTextureMark mark;
  int width, height;  ///< [pixels]
  double color[3], color2[3], mark_color[3];
} HeftTextureDef;

/// How shapes look: colour, light and texture.
typedef struct HeftAppearanceDef {
  uint32_t cookie;  ///< set by heft_appearance_def_default(); see HEFT_DEF_COOKIE
  const char* name;
  double color[4];
  double light[4];  ///< emission, specular, shininess, reflectance
  int texture;      ///< or -1
  double repeat[2];
  int uniform;
} HeftAppearanceDef;

/// A camera on a body.
typedef struct HeftCameraDef {
  uint32_t cookie;  ///< set by heft_camera_def_default(); see HEFT_DEF_COOKIE
  const char* name;
  int body;
  HeftVec3 pos;
  HeftQuat quat;
  double fov;  ///< [rad]
  HeftFollow follow;
  int target;  ///< body, or -1
} HeftCameraDef;

/// A light on a body.
typedef struct HeftLightDef {
  uint32_t cookie;  ///< set by heft_light_def_default(); see HEFT_DEF_COOKIE
  const char* name;
  int body;
  HeftVec3 pos, dir;
  HeftFollow follow;
  int target;  ///< body, or -1
  int directional, shadow, active;
  double ambient[3], diffuse[3], specular[3];
  double attenuation[3];  ///< constant, linear and quadratic, with distance [1, 1/m, 1/m²]
  double cutoff;          ///< [rad]
  double exponent;
} HeftLightDef;

/// Default functions of the defs: HEFT_DEF_FUNCTIONS(def, default function, init function).
HEFT_DEF_FUNCTIONS(HeftMeshDef, heft_mesh_def_default, heft_mesh_def_init);
HEFT_DEF_FUNCTIONS(HeftHeightFieldDef, heft_height_field_def_default, heft_height_field_def_init);
HEFT_DEF_FUNCTIONS(HeftTextureDef, heft_texture_def_default, heft_texture_def_init);
HEFT_DEF_FUNCTIONS(HeftAppearanceDef, heft_appearance_def_default, heft_appearance_def_init);
HEFT_DEF_FUNCTIONS(HeftCameraDef, heft_camera_def_default, heft_camera_def_init);
HEFT_DEF_FUNCTIONS(HeftLightDef, heft_light_def_default, heft_light_def_init);

#ifdef __cplusplus
}
#endif
#endif
