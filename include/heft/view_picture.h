// SPDX-License-Identifier: Apache-2.0
/// @file view_picture.h
/// Pictures of a model: a camera, a renderer, and marks that show forces.
#ifndef HEFT_VIEW_PICTURE_H
#define HEFT_VIEW_PICTURE_H

#include <heft/access.h>
#include <heft/device.h>
#include <heft/dynamics.h>
#include <heft/model.h>
#include <heft/plugin.h>
#include <heft/world.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- images

/// Rows from the top, three bytes per pixel: red, green, blue. Plain data; the creator of the
/// pixels owns them.
typedef struct HeftImage {
  int width, height;
  unsigned char* pixels;
} HeftImage;

HEFT_API HeftStatus heft_image_write_png(const HeftImage* image, const char* path,
                                         HeftError* error);
/// Draws a line of ASCII text into an image; (x, y) is its upper left corner [pixels], size the
/// height of the letters [pixels], color 0xRRGGBB. Parts outside of the image are cut off.
HEFT_API HeftStatus heft_image_draw_text(HeftImage* image, int x, int y, double size,
                                         uint32_t color, const char* text, HeftError* error);

// ---- OpenGL without a window

typedef struct HeftHeadless HeftHeadless;

/// Makes an OpenGL 3.3 context without a display current in this thread. *out is NULL on failure,
/// and error names the package to install.
HEFT_API HeftStatus heft_headless_create(HeftHeadless** out, HeftError* error);
/// NULL is allowed.
HEFT_API void heft_headless_destroy(HeftHeadless* headless);

// ---- camera

/// A camera that looks at a point. z is up.
typedef struct HeftCamera {
  HeftVec3 target;   ///< [m]
  double distance;   ///< [m]
  double azimuth;    ///< of the eye about z, from x [rad]
  double elevation;  ///< of the eye above the ground [rad]
  double fov;        ///< vertical opening angle [rad]
  int fixed;         ///< 1: use pose and fov, and ignore the other fields
  HeftPose pose;     ///< looks along -z, y is up
  double shift[2];   ///< where the target appears, x and y from -1 to 1; 0: in the middle
} HeftCamera;

HEFT_API HeftVec3 heft_camera_eye(const HeftCamera* camera);
/// Pose of the camera; its axes are right, up, back.
HEFT_API HeftPose heft_camera_pose(const HeftCamera* camera);
/// Turns the camera; dx, dy are fractions of the height of the window.
HEFT_API void heft_camera_orbit(HeftCamera* camera, double dx, double dy);
HEFT_API void heft_camera_pan(HeftCamera* camera, double dx, double dy);
/// Multiplies the distance by a factor.
HEFT_API void heft_camera_zoom(HeftCamera* camera, double factor);
/// Direction of a pixel; x, y from -1 (left, bottom) to 1.
HEFT_API HeftVec3 heft_camera_ray(const HeftCamera* camera, double x, double y, double aspect);
/// Projects a point: x, y from -1 to 1. Returns its depth [m], negative behind the eye.
HEFT_API double heft_camera_project(const HeftCamera* camera, HeftVec3 point, double aspect,
                                    double* x, double* y);

// ---- marks: drawn in addition to the model

typedef enum HeftMarkKind {
  HEFT_MARK_ARROW,      ///< from pos along dir, as long as dir
  HEFT_MARK_SPHERE,     ///< around pos
  HEFT_MARK_CONE,       ///< tip at pos, opens along dir (its height); size is the radius at its end
  HEFT_MARK_ROD,        ///< from pos along dir
  HEFT_MARK_DISC,       ///< around pos, facing dir
  HEFT_MARK_ELLIPSOID,  ///< around pos with the axes of frame, half sizes dir
  HEFT_MARK_TEXT,       ///< at pos
  HEFT_MARK_SCALE,  ///< colours of numbers from 0 to size, in a corner of the picture; text: what
  HEFT_MARK_TILE    ///< square around pos, facing dir; size is half its side
} HeftMarkKind;

typedef struct HeftMark {
  HeftMarkKind kind;
  HeftVec3 pos, dir;
  double size;  ///< radius [m]
  float color[4];
  HeftMat3 frame;  ///< ellipsoid only
  int on_top;      ///< 1: drawn in front of everything
  char text[48];   ///< text only
} HeftMark;

/// A list of marks with a fixed capacity; marks that do not fit are counted in `dropped`.
typedef struct HeftMarks {
  HeftMark* mark;
  int count, max, dropped;
} HeftMarks;

HEFT_API void heft_marks_clear(HeftMarks* marks);
HEFT_API HeftMark* heft_marks_add(HeftMarks* marks, HeftMarkKind kind, HeftVec3 pos, HeftVec3 dir,
                                  double size, uint32_t color);
HEFT_API void heft_marks_text(HeftMarks* marks, HeftVec3 pos, uint32_t color, const char* text);

/// Adds all marks of another list.
HEFT_API void heft_marks_append(HeftMarks* marks, const HeftMarks* more);

/// Marks that can be shown: X(name, text, meaning).
#define HEFT_SHOW_LIST(X)                                                                     \
  X(HEFT_SHOW_CONTACTS, "contacts", "contact points")                                         \
  X(HEFT_SHOW_FORCES, "forces", "contact forces")                                             \
  X(HEFT_SHOW_CONES, "cones",                                                                 \
    "friction cones: green if little friction is needed, orange if all is")                   \
  X(HEFT_SHOW_PRESSURE, "pressure", "centre of pressure, support polygon, pressure of areas") \
  X(HEFT_SHOW_MASS, "mass", "centre of mass and its shadow on the ground")                    \
  X(HEFT_SHOW_INERTIA, "inertia", "inertia ellipsoids")                                       \
  X(HEFT_SHOW_JOINTS, "joints", "joint axes")                                                 \
  X(HEFT_SHOW_NAMES, "names", "names of bodies")                                              \
  X(HEFT_SHOW_COLLISION, "collision", "shapes that collide")                                  \
  X(HEFT_SHOW_ISLANDS, "islands", "bodies coloured by island")                                \
  X(HEFT_SHOW_REST, "rest", "bodies at rest, grey")                                           \
  X(HEFT_SHOW_SITES, "sites", "sites: points on bodies for sensors and tendons")              \
  X(HEFT_SHOW_FORCE_VALUES, "force-values",                                                   \
    "force between each pair of bodies in contact, as a number [N]")                          \
  X(HEFT_SHOW_SKELETON, "skeleton", "lines from body to body")

typedef enum HeftShowIndex { HEFT_SHOW_LIST(HEFT_ENUM_ENTRY) HEFT_SHOW_COUNT } HeftShowIndex;
HEFT_API const char* heft_show_name(HeftShowIndex show);
HEFT_API const char* heft_show_text(HeftShowIndex show);

/// One instant of a simulation, with all data to draw it.
typedef struct HeftSnapshot {
  const double* q;  ///< nq
  const double* v;  ///< nv
  const HeftContact* contact;
  int contact_count;
  double size;  ///< of the model, for the length of arrows [m]
  /// Share of the friction that the stance of each body needs (nbody), below 0: not known. Cones
  /// have its colour. NULL: cones have the colour of the share that their force uses.
  const double* friction_needed;
} HeftSnapshot;

/// Adds the marks of a snapshot. dynamics must hold the kinematics of its q. show: bits
/// 1 << HEFT_SHOW_x.
HEFT_API void heft_marks_of_snapshot(HeftMarks* marks, const HeftModel* model,
                                     const HeftDynamics* dynamics, const HeftSnapshot* snapshot,
                                     unsigned show);
/// A colour number for each body (nbody), for HeftPicture: its island's, or HEFT_TINT_REST; -1: its
/// own colour. Returns false if `show` selects no such colours.
HEFT_API bool heft_snapshot_body_tints(const HeftModel* model, const HeftSnapshot* snapshot,
                                       unsigned show, int* tint);
enum { HEFT_TINT_REST = 7 };
/// The island of each body (nbody): bodies in contact or joined have the same number; -1 for static
/// bodies.
HEFT_API void heft_snapshot_body_islands(const HeftModel* model, const HeftSnapshot* snapshot,
                                         int* island);
/// Largest pressure of the points of area contact [Pa]; 0: there are none.
HEFT_API double heft_snapshot_peak_pressure(const HeftContact* contact, int count);
/// Coulomb's coefficient between two shapes, by the rule of collision.
HEFT_API double heft_model_contact_friction(const HeftModel* model, int shape_a, int shape_b);

// ---- renderer

typedef struct HeftRenderer HeftRenderer;

typedef struct HeftRendererDef {
  HeftAllocator allocator;
  const char* folder;  ///< folder of texture files; NULL: none
  int samples;         ///< anti-aliasing: samples per pixel, 0 or 1: none
  int shadow_size;     ///< pixels of the shadow map; 0: no shadows
  int soft_shadows;    ///< 1: smooth edges; slower
  int reflections;     ///< 1: draw the reflections of floors
  int dark;            ///< 1: a dark sky and ground where the model sets none
} HeftRendererDef;

HEFT_API HeftRendererDef heft_renderer_def_default(void);

/// Uploads the shapes of the model to the graphics card. *out is NULL on failure. error may be
/// NULL. The model must outlive the renderer.
HEFT_API HeftStatus heft_renderer_create(HeftRenderer** out, const HeftModel* model,
                                         const HeftRendererDef* def, HeftError* error);
/// NULL is allowed.
HEFT_API void heft_renderer_destroy(HeftRenderer* renderer);
/// Name of the OpenGL driver.
HEFT_API const char* heft_renderer_driver(const HeftRenderer* renderer);
/// Triangles of the last picture.
HEFT_API long heft_renderer_triangles(const HeftRenderer* renderer);

typedef struct HeftPicture {
  HeftCamera camera;
  const HeftPose* poses;   ///< of all bodies (nbody)
  const HeftPose* ghost;   ///< poses of a second, translucent copy, or NULL
  const HeftMarks* marks;  ///< or NULL
  unsigned groups;         ///< bits: groups of shapes that are drawn
  int selected;            ///< body that is highlighted, or -1
  const int* body_tint;    ///< colour number of each body, -1: its own (nbody), or NULL
  double opacity;          ///< of the model, 0 to 1
  int dark;                ///< 1: a dark sky and ground where the model sets none
  int ground;              ///< 1: a grid if the model has no floor
  int lights;              ///< 1: the lights of the model, if it has some; 0: a default sun
  int covered[2];          ///< pixels at the left and below that panels cover
  double text;             ///< size of text, 1: as in the panels
  double detail;           ///< fraction of pixels drawn along each side, 1 or less; below 1 the
                           ///< picture is drawn faster and stretched in the window
} HeftPicture;

HEFT_API HeftPicture heft_picture_default(void);

/// Draws into a target of this size, then to the framebuffer of the window if `to_window`.
HEFT_API HeftStatus heft_renderer_draw(HeftRenderer* renderer, const HeftPicture* picture,
                                       int width, int height, int to_window, HeftError* error);
/// Reads the last picture; pixels must hold width * height * 3 bytes.
HEFT_API void heft_renderer_read(HeftRenderer* renderer, HeftImage* image);

/// Reads the depths of the last picture along the axis of the camera [m], rows from the top,
/// infinite where nothing is drawn. Marks that are in front of everything leave no depth behind
/// them. depth must hold width * height numbers.
HEFT_API void heft_renderer_read_depth(HeftRenderer* renderer, float* depth);

/// A camera that shows all moving bodies, or the whole model if no body moves.
HEFT_API HeftCamera heft_renderer_camera(const HeftRenderer* renderer, const HeftPose* poses,
                                         double aspect);
/// A camera of the model.
HEFT_API HeftCamera heft_model_camera(const HeftModel* model, int camera,
                                      const HeftDynamics* dynamics);

typedef struct HeftPick {
  int shape, body;  ///< -1: nothing. On a deformable body, shape is -1 and body the nearest node
  double distance;  ///< [m]
  HeftVec3 pos;
} HeftPick;

/// The first drawn shape along a ray.
HEFT_API HeftPick heft_renderer_pick(const HeftRenderer* renderer, const HeftPicture* picture,
                                     HeftVec3 from, HeftVec3 direction);

/// Prepares a picture of a snapshot: adds marks to `marks`, and selects groups, opacity and colours
/// of bodies. tint has nbody numbers and must live as long as the picture.
HEFT_API void heft_picture_show(HeftPicture* picture, HeftMarks* marks, const HeftModel* model,
                                const HeftDynamics* dynamics, const HeftSnapshot* snapshot,
                                unsigned show, int* tint);

#ifdef __cplusplus
}
#endif
#endif
