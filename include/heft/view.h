// SPDX-License-Identifier: Apache-2.0
/// @file view.h
/// Pictures of a model: a camera, a renderer, marks that show forces, a simulation that runs in a
/// thread of its own, and the window that puts them together.
///
/// - A library of its own, `heft_view`, because it needs OpenGL 3.3 (libepoxy), EGL, libpng, SDL2
///   and Dear ImGui. The core knows nothing of it.
/// - Memory of ours comes from the def's allocator; OpenGL, SDL2 and ImGui use the C library's.
/// - A renderer belongs to the thread whose OpenGL context is current when it is created.
/// - A HeftSimulation steps its world in its own thread. Whoever draws takes frames from it and
///   sends it wishes; neither waits for the other.
#ifndef HEFT_VIEW_H
#define HEFT_VIEW_H

#include <heft/dynamics.h>
#include <heft/model.h>
#include <heft/world.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- images

/// Rows from the top, three bytes a pixel: red, green, blue. Plain data; pixels are owned by
/// whoever made them.
typedef struct HeftImage {
  int width, height;
  unsigned char* pixels;
} HeftImage;

HEFT_API HeftStatus heft_image_write_png(const HeftImage* image, const char* path,
                                         HeftError* error);

// ---- OpenGL without a window

typedef struct HeftHeadless HeftHeadless;

/// Makes an OpenGL 3.3 context without a display current in this thread. *out is NULL on failure,
/// and error says what to install.
HEFT_API HeftStatus heft_headless_create(HeftHeadless** out, HeftError* error);
/// NULL is allowed.
HEFT_API void heft_headless_destroy(HeftHeadless* headless);

// ---- camera

/// Looks at a point from a distance. z is up.
typedef struct HeftCamera {
  HeftVec3 target;   ///< [m]
  double distance;   ///< [m]
  double azimuth;    ///< where the eye stands around z, from x [rad]
  double elevation;  ///< and above the ground [rad]
  double fov;        ///< vertical opening angle [rad]
  int fixed;         ///< 1: pose says where it is, and nothing above but fov counts
  HeftPose pose;     ///< looks along -z, y is up
} HeftCamera;

HEFT_API HeftVec3 heft_camera_eye(const HeftCamera* camera);
/// Where it is: columns right, up, back.
HEFT_API HeftPose heft_camera_pose(const HeftCamera* camera);
/// Turns by shares of the window's height.
HEFT_API void heft_camera_orbit(HeftCamera* camera, double dx, double dy);
HEFT_API void heft_camera_pan(HeftCamera* camera, double dx, double dy);
/// Comes closer by a factor below 1, goes away by one above.
HEFT_API void heft_camera_zoom(HeftCamera* camera, double factor);
/// The direction in which a pixel lies; x, y from -1 (left, bottom) to 1.
HEFT_API HeftVec3 heft_camera_ray(const HeftCamera* camera, double x, double y, double aspect);
/// Where a point is seen: x, y from -1 to 1; returns its depth [m], negative behind the eye.
HEFT_API double heft_camera_project(const HeftCamera* camera, HeftVec3 point, double aspect,
                                    double* x, double* y);

// ---- marks: what is drawn into a picture beside the model

typedef enum HeftMarkKind {
  HEFT_MARK_ARROW,      ///< from pos along dir, as long as dir
  HEFT_MARK_SPHERE,     ///< around pos
  HEFT_MARK_CONE,       ///< tip at pos, opens along dir (its height); size is the radius at its end
  HEFT_MARK_ROD,        ///< from pos along dir
  HEFT_MARK_DISC,       ///< around pos, facing dir
  HEFT_MARK_ELLIPSOID,  ///< around pos with the axes of frame, half sizes dir
  HEFT_MARK_TEXT        ///< at pos
} HeftMarkKind;

typedef struct HeftMark {
  HeftMarkKind kind;
  HeftVec3 pos, dir;
  double size;  ///< radius [m]
  float color[4];
  HeftMat3 frame;  ///< ellipsoid only
  int on_top;      ///< 1: seen through everything
  char text[48];   ///< text only
} HeftMark;

/// A list of marks with a fixed number of places; what does not fit is left out and counted.
typedef struct HeftMarks {
  HeftMark* mark;
  int count, most, dropped;
} HeftMarks;

HEFT_API void heft_marks_clear(HeftMarks* marks);
HEFT_API HeftMark* heft_marks_add(HeftMarks* marks, HeftMarkKind kind, HeftVec3 pos, HeftVec3 dir,
                                  double size, uint32_t color);
HEFT_API void heft_marks_text(HeftMarks* marks, HeftVec3 pos, uint32_t color, const char* text);

/// What the eye may want to see beside the model: bits.
#define HEFT_SHOW_LIST(X)                                                     \
  X(HEFT_SHOW_CONTACTS, "contacts", "contact points")                         \
  X(HEFT_SHOW_FORCES, "forces", "contact forces")                             \
  X(HEFT_SHOW_CONES, "cones", "friction cones: green sticks, orange slides")  \
  X(HEFT_SHOW_PRESSURE, "pressure", "centre of pressure and support polygon") \
  X(HEFT_SHOW_MASS, "mass", "centre of mass and its shadow on the ground")    \
  X(HEFT_SHOW_INERTIA, "inertia", "inertia ellipsoids")                       \
  X(HEFT_SHOW_JOINTS, "joints", "joint axes")                                 \
  X(HEFT_SHOW_NAMES, "names", "names of bodies")                              \
  X(HEFT_SHOW_COLLISION, "collision", "shapes that collide")                  \
  X(HEFT_SHOW_ISLANDS, "islands", "bodies coloured by island")

typedef enum HeftShowIndex { HEFT_SHOW_LIST(HEFT_ENUM_ENTRY) HEFT_SHOW_COUNT } HeftShowIndex;
HEFT_API const char* heft_show_name(HeftShowIndex show);
HEFT_API const char* heft_show_text(HeftShowIndex show);

/// One moment of a simulation, all that is needed to draw it.
typedef struct HeftMoment {
  const double* q;  ///< nq
  const double* v;  ///< nv
  const HeftWorldContact* contact;
  int contact_count;
  double size;  ///< how large the model is, for the length of arrows [m]
} HeftMoment;

/// Marks of a moment. dynamics must hold the kinematics of its q. show: bits 1 << HEFT_SHOW_x.
HEFT_API void heft_marks_of_moment(HeftMarks* marks, const HeftModel* model,
                                   const HeftDynamics* dynamics, const HeftMoment* moment,
                                   unsigned show);
/// A number for each body (nbody): its island, those that touch or are joined have the same; -1 for
/// what cannot move.
HEFT_API void heft_body_islands(const HeftModel* model, const HeftMoment* moment, int* island);
/// Coulomb's coefficient between two shapes, by the rule that the collision uses.
HEFT_API double heft_contact_friction(const HeftModel* model, int shape_a, int shape_b);

// ---- renderer

typedef struct HeftRenderer HeftRenderer;

typedef struct HeftRendererDef {
  HeftAllocator allocator;
  const char* folder;  ///< where the files of textures lie; NULL: nowhere
  int samples;         ///< anti-aliasing: samples a pixel, 0 or 1: none
  int shadow_size;     ///< pixels of the shadow's map; 0: no shadows
  int soft_shadows;    ///< 1: smooth edges, costs more
  int reflections;     ///< 1: floors that reflect do so
  int dark;            ///< 1: a dark sky and ground where the model says nothing
} HeftRendererDef;

HEFT_API HeftRendererDef heft_renderer_def_default(void);

/// Takes the model's shapes to the graphics card. *out is NULL on failure. error may be NULL. The
/// model must outlive the renderer.
HEFT_API HeftStatus heft_renderer_create(HeftRenderer** out, const HeftModel* model,
                                         const HeftRendererDef* def, HeftError* error);
/// NULL is allowed.
HEFT_API void heft_renderer_destroy(HeftRenderer* renderer);
/// What draws: the name that the driver gives itself.
HEFT_API const char* heft_renderer_driver(const HeftRenderer* renderer);
/// Triangles of the last picture.
HEFT_API long heft_renderer_triangles(const HeftRenderer* renderer);

typedef struct HeftPicture {
  HeftCamera camera;
  const HeftPose* poses;   ///< of all bodies (nbody)
  const HeftPose* ghost;   ///< poses of a second, translucent copy, or NULL
  const HeftMarks* marks;  ///< or NULL
  unsigned groups;         ///< bits: which groups of shapes are seen
  int selected;            ///< body that is lit up, or -1
  const int* body_tint;    ///< colour number of each body, -1: its own (nbody), or NULL
  double opacity;          ///< of the model, 0 to 1
  int dark;                ///< 1: a dark sky and ground where the model says nothing
  int ground;              ///< 1: a grid where the model has no floor
} HeftPicture;

HEFT_API HeftPicture heft_picture_default(void);

/// Draws into a target of this size, then onto the window's framebuffer if `to_window`.
HEFT_API HeftStatus heft_renderer_draw(HeftRenderer* renderer, const HeftPicture* picture,
                                       int width, int height, int to_window, HeftError* error);
/// Reads the last picture; pixels must hold width * height * 3 bytes.
HEFT_API void heft_renderer_read(HeftRenderer* renderer, HeftImage* image);

/// A camera that has the whole of what moves in view; the whole model where nothing moves.
HEFT_API HeftCamera heft_renderer_camera(const HeftRenderer* renderer, const HeftPose* poses,
                                         double aspect);
/// A camera of the model.
HEFT_API HeftCamera heft_model_camera(const HeftModel* model, int camera,
                                      const HeftDynamics* dynamics);

typedef struct HeftPick {
  int shape, body;  ///< -1: nothing
  double distance;  ///< [m]
  HeftVec3 pos;
} HeftPick;

/// The first thing that is seen along a ray, as it is drawn.
HEFT_API HeftPick heft_renderer_pick(const HeftRenderer* renderer, const HeftPicture* picture,
                                     HeftVec3 from, HeftVec3 direction);

#ifdef __cplusplus
}
#endif
#endif
