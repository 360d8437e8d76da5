// SPDX-License-Identifier: Apache-2.0
/// @file field.h
/// Distance shapes: solids that are described by a function of the distance from their surface.
#ifndef HEFT_FIELD_H
#define HEFT_FIELD_H

#include <heft/kinds.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Numbers of a distance shape.
enum { HEFT_FIELD_SIZES = 6 };
/// Most samples of a distance shape.
enum { HEFT_FIELD_SAMPLES_MAX = 16777216 };

/// A distance shape. samples: for HEFT_FIELD_GRID; the caller owns them.
typedef struct HeftField {
  HeftFieldType type;
  double size[HEFT_FIELD_SIZES];  ///< [m, 1]: by its kind
  int grid[3];                    ///< samples along x, y and z, at least 2 each
  const double* samples;          ///< x runs fastest, then y, then z [m]
} HeftField;

/// Returns the distance of a point from a surface, negative inside [m], or a function with the
/// same sign and the same surface whose slope is bounded. It must depend only on p and on data of
/// the user.
typedef double HeftDistanceFunction(void* user, HeftVec3 p);

/// "" if there is no such type.
HEFT_API const char* heft_field_type_name(HeftFieldType type);
/// Name of number i of a distance shape, as in model files; "" if it has fewer.
HEFT_API const char* heft_field_parameter(HeftFieldType type, int i);
/// HEFT_OK if the numbers describe a shape. error may be NULL.
HEFT_API HeftStatus heft_field_check(const HeftField* field, HeftError* error);
/// The distance of a point from the surface, negative inside, where the gradient has the length 1;
/// elsewhere, the value over the length of the gradient is its first approximation [m].
/// [out] gradient
HEFT_API double heft_field_distance(const HeftField* field, HeftVec3 p, HeftVec3* gradient);
/// A box that holds the solid.
/// [out] low, high
HEFT_API void heft_field_bounds(const HeftField* field, HeftVec3* low, HeftVec3* high);
/// Fills the samples of a grid, whose type, size and grid are set, from any function: the way to
/// use a surface of one's own. lipschitz: the function changes by at most so much per metre, > 0.
/// samples has room for all of them, x runs fastest.
/// [out] samples[points of the grid]
HEFT_API HeftStatus heft_field_sample(HeftDistanceFunction* distance, void* user, double lipschitz,
                                      const HeftField* grid, double* samples);

/// Triangles of a distance shape. Release them with heft_field_triangles_release().
typedef struct HeftFieldTriangles {
  int vertex_count, face_count;
  double* vertices;  ///< vertex_count x 3, on the surface [m]
  int* faces;        ///< face_count x 3, counter-clockwise seen from outside
} HeftFieldTriangles;

/// Approximates the surface by triangles with vertices about `spacing` apart [m]; 0: a share of its
/// size. allocator may be NULL (the default one), error may be NULL. HEFT_ERR_LIMIT: the spacing is
/// too small for the size of the shape.
/// [out] out
HEFT_API HeftStatus heft_field_triangles(const HeftField* field, double spacing,
                                         const HeftAllocator* allocator, HeftFieldTriangles* out,
                                         HeftError* error);
/// Releases the arrays. allocator, which may be NULL: as for heft_field_triangles(). All members
/// become zero.
HEFT_API void heft_field_triangles_release(HeftFieldTriangles* triangles,
                                           const HeftAllocator* allocator);
/// Cells that heft_field_triangles() looks at: its effort, for a limit of one's own.
HEFT_API double heft_field_triangles_effort(const HeftField* field, double spacing);

#ifdef __cplusplus
}
#endif
#endif
