// SPDX-License-Identifier: Apache-2.0
/// @file io.h
/// Models from files and to files: MJCF, URDF, the compiled form, and the meshes that they name;
/// tetrahedra from files of Gmsh; contact problems in the format of Siconos.
///
/// - heft_model_load_file() chooses the reader by the content. A model that is returned is valid; a
///   file that is not valid is rejected with its file, line and column.
/// - If a file holds something that the model cannot hold, the warning hook is called: once for
///   each kind, with the first place and the number of occurrences. Nothing is skipped silently.
///   With HeftLoadDef.strict a warning is an error.
/// - Files are read only below HeftLoadDef.root and the folders of packages, and within
///   HeftLoadLimits.
/// - Meshes are read from STL, OBJ and Collada (.dae) files.
/// - Memory comes from the allocator of the def. While a file is read, expat (XML), libpng (height
///   fields) and qhull (convex hulls) also use malloc() of the C library; they release all of it
///   before the call returns.
/// - No locale and no global state: several threads may load and write at the same time.
/// - Pointers may be NULL only where this header states it. A NULL elsewhere calls the assert hook
///   and returns HEFT_ERR_ARGUMENT. `error` may always be NULL.
#ifndef HEFT_IO_H
#define HEFT_IO_H

#include <heft/base.h>
#include <heft/contact.h>
#include <heft/deform.h>
#include <heft/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Limits against files that are broken or hostile. All are inclusive. A file that exceeds one is
/// rejected with HEFT_ERR_LIMIT and a message that names the limit. With the defaults, a load of
/// files of 10 MB together needs about a second and at most 256 MB.
typedef struct HeftLoadLimits {
  size_t file_bytes;   ///< size of one file [bytes]; default 256 MiB
  size_t total_bytes;  ///< memory of one load with the model itself [bytes]; default 128 MiB. Each
                       ///< byte of the files of the load, each counted once, adds 8
  int xml_depth;       ///< levels of nested elements, in all files together; readers use up to 3 kB
                       ///< of stack for each; default 1100, for chains of 1000 bodies
  int xml_attributes;  ///< attributes of one element; default 64
  int xml_elements;    ///< elements of all files of one load, with the copies that replicate and
                       ///< attach make; default 2^22
  int name_bytes;      ///< length of one name [bytes]; default 255
  int bodies;          ///< bodies of the model, with copies; default 2^20
  int mesh_triangles;  ///< triangles or tetrahedra of one mesh; default 2,000,000
  int include_depth;   ///< levels of files that include or attach files; default 8
  int dofs;            ///< degrees of freedom of the model; default 2^23
  int mass_entries;    ///< stored numbers of the mass matrix, see HeftModelLimits; default 2^25
  double work;  ///< operations of one load, of about a nanosecond each; default 3e8. They are
                ///< counted, not timed: the same on all machines. Each byte of the files of
                ///< the load, each counted once, adds 60. INFINITY: no limit
} HeftLoadLimits;

/// The folder of a URDF package: `package://name/rest` becomes `folder/rest`. Both strings are
/// owned by the caller and are read during the load only. A package that is not given is looked
/// for: the nearest folder above the URDF whose name is a part of the address holds the rest of it,
/// or a folder above the URDF contains the package with its package.xml.
typedef struct HeftPackage {
  const char* name;    ///< may contain slashes; the longest name that fits is used. "": every other
                       ///< package is a folder of the same name in `folder`
  const char* folder;  ///< absolute, or relative to the working directory
} HeftPackage;

/// Called for each kind of warning after a load or during a write. error holds file, line, column
/// and message, and is valid during the call only; its status is HEFT_ERR_FILE if a file that the
/// model can do without was left out, else HEFT_ERR_UNSUPPORTED. count >= 1 is the number of
/// occurrences.
typedef void HeftWarningHook(void* user, const HeftError* error, int count);
/// Called several times during a load. share goes from 0 to 1; what names the current asset or
/// link and is valid during the call only. While a mesh is cut into pieces, share counts this mesh
/// only.
typedef void HeftProgressHook(void* user, double share, const char* what);

/// A source of files. HeftLoadDef.files == NULL reads from the disk with heft_file_read().
typedef struct HeftFiles {
  /// Reads one file. path is the name in the model, joined with the folder of the file that names
  /// it; limit is the largest size allowed [bytes]. On success stores in *bytes memory of the
  /// allocator that holds the file and one zero byte, and in *size the size without the zero byte;
  /// the loader releases size + 1 bytes. On failure returns the reason and may write it to error,
  /// which is never NULL.
  HeftStatus (*read)(void* user, const char* path, size_t limit, const HeftAllocator* allocator,
                     void** bytes, size_t* size, HeftError* error);
  void* user;  ///< passed to read; owned by the caller; may be NULL
} HeftFiles;

/// How the root link of a URDF is connected to the world.
typedef enum HeftBase {
  HEFT_BASE_FIXED,    ///< welded
  HEFT_BASE_FLOATING  ///< by a free joint
} HeftBase;

/// Position servos that the loader gives to the joints of a URDF.
typedef enum HeftUrdfServos {
  HEFT_URDF_SERVOS_NONE,       ///< joints have no servos
  HEFT_URDF_SERVOS_BY_EFFORT,  ///< gains from <limit effort>: the full effort acts at an error of
                               ///< 0.02 rad or 5 mm, with a time constant of 50 ms; without a limit
                               ///< the weight of all links behind the joint counts as its effort
  HEFT_URDF_SERVOS_BY_GAINS    ///< HeftLoadDef.urdf_gains
} HeftUrdfServos;

/// Two links of a URDF, by name.
typedef struct HeftLinkPair {
  const char* link[2];  ///< names of the two links
} HeftLinkPair;

/// What a load does with links of a URDF that overlap at the start: contact would push them apart.
typedef enum HeftUrdfOverlaps {
  HEFT_URDF_OVERLAPS_WARN,     ///< reports them
  HEFT_URDF_OVERLAPS_EXCLUDE,  ///< such links do not collide with each other
  HEFT_URDF_OVERLAPS_ALLOW     ///< does not look for them
} HeftUrdfOverlaps;

/// Two bodies whose shapes overlap.
typedef struct HeftOverlap {
  int body[2];   ///< bodies; 0 is the world
  int shape[2];  ///< shapes of the first point that was found
  double depth;  ///< largest depth of the two bodies [m]; above 0.0005
} HeftOverlap;

/// How many pairs of bodies overlap.
typedef struct HeftOverlapCounts {
  int count;       ///< pairs that were stored; >= 0
  int more;        ///< pairs that did not fit; >= 0
  int64_t unseen;  ///< pairs of shapes close to each other that were not compared, because there
                   ///< are more than 4000, or 200 of meshes that are not convex; >= 0
  bool looked;     ///< false: the search needs more than 96 MB, so it was not made
} HeftOverlapCounts;

/// Called after a URDF was loaded, with the pairs of bodies that overlap at its start, the deepest
/// first. excluded: the pairs do not collide in the model that the load returns; the hook is then
/// called again with what is left. All pointers are valid during the call only.
/// [in] pairs
typedef void HeftOverlapHook(void* user, const HeftModel* model, const HeftOverlap* pairs,
                             const HeftOverlapCounts* counts, bool excluded);

/// Converts a mesh file that the loader does not read (.gltf, .glb) to an OBJ file. path is
/// the file; it lies in a folder from which files may be read. On success the function stores the
/// path of the OBJ file in out[0 .. size - 1]; the loader reads it and the files beside it that it
/// names. On failure it returns the reason and may write it to error, which is never NULL.
typedef HeftStatus HeftMeshConverter(void* user, const char* path, char* out, size_t size,
                                     HeftError* error);

/// Convex pieces that replace a mesh, reported once for each mesh that was cut.
typedef struct HeftPieces {
  const char* mesh;  ///< its name; valid during the call only
  int triangles;     ///< of the mesh
  int count;         ///< pieces; 1: the mesh collides as its convex hull, as before
  int vertices;      ///< of all pieces together
  double error;      ///< that was asked for [m]
  double excess;     ///< bound: no point of the surface of all pieces together is farther from the
                     ///< solid that the mesh encloses [m]
  double missing;    ///< bound: no point of that solid is farther from the pieces [m]
  double opening;    ///< openings that are narrower may have been closed [m]
  double effort;     ///< operations that the cutting took, of about a nanosecond; 0: from the store
  bool
      cut_short;  ///< the mesh was not cut to the error, because that would need too many operations
} HeftPieces;
/// Called for each mesh that was cut; pieces is valid during the call only.
typedef void HeftPiecesHook(void* user, const HeftPieces* pieces);

/// Keeps pieces between loads, so that a mesh is cut once only. Both functions get `user`.
typedef struct HeftPieceStore {
  /// Looks for the bytes that were stored under a key of any size. If they are there, stores in
  /// *bytes memory of the allocator that holds them and in *size their size; the loader releases
  /// them. Returns false if there are none. The loader checks what it gets.
  bool (*read)(void* user, const void* key, size_t key_size, const HeftAllocator* allocator,
               void** bytes, size_t* size);
  /// Stores bytes under a key. May do nothing.
  void (*write)(void* user, const void* key, size_t key_size, const void* bytes, size_t size);
  void* user;  ///< owned by the caller; may be NULL
} HeftPieceStore;

/// Settings of a load. Start with heft_load_def_default() and change single fields. All pointers
/// are owned by the caller and are used during the load only; the model copies what it keeps.
typedef struct HeftLoadDef {
  uint32_t cookie;          ///< set by heft_load_def_default(); see HEFT_DEF_COOKIE
  HeftAllocator allocator;  ///< memory of the load and of the model; default malloc() and free()
  HeftLoadLimits limits;    ///< see there
  bool strict;              ///< treat a warning as an error; default false
  bool hulls;  ///< compute convex hulls of meshes that collide; default true. Without a hull a mesh
               ///< collides as its triangles
  HeftBase base;     ///< of a URDF; default HEFT_BASE_FIXED
  const char* root;  ///< files are read only below this folder; NULL (default): the folder of the
                     ///< file that is loaded
  const HeftPackage* packages;  ///< package_count packages; may be NULL if there are none (default)
  int package_count;            ///< >= 0; default 0
  const HeftFiles* files;       ///< NULL (default): the disk
  HeftWarningHook* warning;     ///< may be NULL (default)
  HeftProgressHook* progress;   ///< may be NULL (default)
  void* user;                   ///< passed to all hooks; may be NULL
  HeftMeshConverter* convert;   ///< NULL (default): meshes of other formats are left out
  bool urdf_floor;     ///< of a URDF: add a floor, the plane z = 0, and place the robot on it
  bool urdf_place;     ///< of a URDF: raise or lower the robot, so that the lowest point of its
                       ///< collision shapes is at urdf_height; default false
  double urdf_height;  ///< [m]; default 0
  HeftUrdfServos urdf_servos;  ///< of a URDF; default none. A robot with servos has a keyframe
                               ///< "home", in which all joints are at zero, or at the limit that is
                               ///< nearest to zero, and in which the controls hold this pose
  double urdf_gains[2];        ///< stiffness and damping of all servos [N m/rad and N m s/rad, or
                               ///< N/m and N s/m]; 0 or more
  const char* srdf;  ///< SRDF file of a URDF, at any path; NULL (default): none. Its states of
                     ///< groups become keyframes, its pairs of links that are disabled do not
                     ///< collide
  const HeftLinkPair* urdf_excludes;  ///< links of a URDF that do not collide with each other; may
                                      ///< be NULL if there are none (default)
  int urdf_exclude_count;             ///< >= 0; default 0
  double
      decompose;  ///< > 0: meshes that collide are cut into convex pieces, which differ from them
                  ///< by about this distance at most [m]; values in the file count before it. 0
                  ///< (default): as in the file. < 0: no mesh is cut
  int decompose_pieces;     ///< largest number of pieces of a mesh, 1 to 1000; default 64
  int decompose_vertices;   ///< largest number of vertices of a piece, 8 to 4096; default 128
  double decompose_effort;  ///< operations for a mesh, of about a nanosecond each; when they are
                            ///< used up, its cutting ends; default 5e9. If the file asks for pieces
                            ///< but `decompose` is 0, a mesh gets a tenth, and meshes are refused
                            ///< when half of that was used
  HeftPiecesHook* pieces;   ///< may be NULL (default)
  const HeftPieceStore* piece_store;  ///< may be NULL (default)
  bool soft_contacts;  ///< of MJCF: contacts are as soft as solref and solimp make them in MuJoCo
                       ///< under the weight of the bodies; default false: they are rigid
  HeftUrdfOverlaps urdf_overlaps;  ///< of a URDF; default HEFT_URDF_OVERLAPS_WARN: one warning
  HeftOverlapHook* overlaps;  ///< gets the overlaps instead of a warning; may be NULL (default)
} HeftLoadDef;

HEFT_DEF_FUNCTIONS(HeftLoadDef, heft_load_def_default, heft_load_def_init);

/// Loads MJCF, URDF or a compiled model. def may be NULL: the defaults. On success *out is a model
/// that heft_model_destroy() releases; on failure *out is NULL and error states where the input is
/// wrong.
HEFT_API HeftStatus heft_model_load_file(HeftModel** out, const char* path, const HeftLoadDef* def,
                                         HeftError* error);
/// Loads from memory. def may be NULL: the defaults. bytes may be NULL if size is 0. name replaces
/// the path in messages, and relative paths in the model start at its folder; NULL: no name, and
/// the working directory.
/// [in] bytes[size]
HEFT_API HeftStatus heft_model_load_bytes(HeftModel** out, const void* bytes, size_t size,
                                          const char* name, const HeftLoadDef* def,
                                          HeftError* error);

/// Finds pairs of bodies that overlap in a keyframe, -1 <= key < nkey (-1: in the pose q_default),
/// the deepest first, and stores up to `capacity` of them; pairs may be NULL if capacity is 0.
/// allocator may be NULL: malloc() and free(). HEFT_ERR_MEMORY if there is no memory.
/// [out] pairs[capacity], counts
HEFT_API HeftStatus heft_model_overlaps(const HeftModel* model, int key, int capacity,
                                        HeftOverlap* pairs, HeftOverlapCounts* counts,
                                        const HeftAllocator* allocator);

/// Reads the tetrahedra of a Gmsh file (.msh, formats 2.2 and 4.1, text or binary) for a deformable
/// body. Elements of lower dimension and vertices that no tetrahedron uses are left out; the others
/// keep their order. Solid elements that are no tetrahedra are refused. def may be NULL: the
/// defaults; of it, allocator, limits, root, files and the warning hook count. On success
/// heft_tetrahedra_release() with the allocator of the def releases the mesh; on failure *out is
/// empty and error states where the file is wrong.
/// [out] out
HEFT_API HeftStatus heft_tetrahedra_load_file(HeftTetrahedra* out, const char* path,
                                              const HeftLoadDef* def, HeftError* error);
/// heft_tetrahedra_load_file() from memory. def may be NULL; bytes may be NULL if size is 0. name
/// replaces the path in messages; NULL: no name.
/// [out] out; [in] bytes[size]
HEFT_API HeftStatus heft_tetrahedra_load_bytes(HeftTetrahedra* out, const void* bytes, size_t size,
                                               const char* name, const HeftLoadDef* def,
                                               HeftError* error);

/// Reads one regular file of at most `limit` bytes. On success *bytes is memory of the allocator
/// that holds the file and one zero byte, and *size is the size without the zero byte; the caller
/// releases size + 1 bytes. On failure *bytes is NULL and *size is 0. Directories, pipes and
/// devices are rejected, without waiting for them.
/// [out] bytes[size], size
HEFT_API HeftStatus heft_file_read(void** bytes, size_t* size, const char* path, size_t limit,
                                   const HeftAllocator* allocator, HeftError* error);

// ---- writing

/// Settings of a write to a destination of the caller. Start with heft_write_def_default() and set
/// put. All pointers are owned by the caller and are used during the write only.
typedef struct HeftWriteDef {
  uint32_t cookie;          ///< set by heft_write_def_default(); see HEFT_DEF_COOKIE
  HeftAllocator allocator;  ///< memory of the text; default malloc() and free()
  const char* mesh_folder;  ///< if set, each mesh becomes an OBJ file in this folder beside the
                            ///< model; NULL (default): MJCF holds the meshes itself, URDF uses
                            ///< "meshes"
  /// Stores one finished file. name is "" for the model and "FOLDER/NAME.obj" for a mesh; name and
  /// bytes are valid during the call only. On failure returns the reason and may write it to error,
  /// which is never NULL; the write then stops with that status. Must be set.
  HeftStatus (*put)(void* user, const char* name, const void* bytes, size_t size, HeftError* error);
  HeftWarningHook* warning;  ///< called for what the format cannot express; may be NULL (default)
  void* user;                ///< passed to put and warning; may be NULL
} HeftWriteDef;

HEFT_DEF_FUNCTIONS(HeftWriteDef, heft_write_def_default, heft_write_def_init);

/// Writes a model as MJCF. Numbers have as many digits as they need: the model that is read back
/// has the same hash. Values that MJCF cannot express are in <custom>, see heft_mjcf_custom().
HEFT_API HeftStatus heft_model_write_mjcf(const HeftModel* model, const HeftWriteDef* def,
                                          HeftError* error);
/// Writes a model as URDF. The root link "world" is the world. Content that URDF cannot express is
/// left out, with a warning. If the joint of a body is not at the origin of the body, the frame of
/// the link is moved to the joint.
HEFT_API HeftStatus heft_model_write_urdf(const HeftModel* model, const HeftWriteDef* def,
                                          HeftError* error);
/// Writes a model to the disk. The ending of path chooses the format: .heft the compiled form,
/// .urdf URDF, any other MJCF. Meshes become OBJ files in the folder NAME_meshes beside the file
/// NAME.xml or NAME.urdf. warning is called for what the format cannot express, with user; both may
/// be NULL.
HEFT_API HeftStatus heft_model_write_file(const HeftModel* model, const char* path,
                                          HeftWarningHook* warning, void* user, HeftError* error);

// ---- the tables of MJCF

/// One attribute that the reader and the writer of MJCF know. All strings are static.
typedef struct HeftMjcfAttribute {
  const char* element;   ///< element that has it
  const char* place;     ///< element that contains that element
  const char* name;      ///< name of the attribute
  const char* type;      ///< "real", "int", "bool", "tri" (true, false, auto), "word", "text",
                         ///< "name"; "": the attribute is skipped with a warning
  int min, max;          ///< how many numbers it holds, for "real" and "int"
  const char* fallback;  ///< value if it is not given; NULL: none
  const char* meaning;   ///< meaning with its unit, or why it is skipped
} HeftMjcfAttribute;

/// Number of attributes.
HEFT_API int heft_mjcf_attribute_count(void);
/// Stores attribute i in out, 0 <= i < heft_mjcf_attribute_count(). HEFT_ERR_ARGUMENT for another
/// i.
/// [out] out
HEFT_API HeftStatus heft_mjcf_attribute(int i, HeftMjcfAttribute* out);

/// An element of <custom> that carries values which MJCF cannot express. All strings are static.
typedef struct HeftMjcfCustom {
  const char* element;  ///< "numeric", "text" or "tuple"
  const char* name;     ///< its attribute `name`; NAME is the name of an element
  const char* meaning;  ///< what it holds
} HeftMjcfCustom;

/// Number of elements of <custom>.
HEFT_API int heft_mjcf_custom_count(void);
/// Stores row i in out, 0 <= i < heft_mjcf_custom_count(). HEFT_ERR_ARGUMENT for another i.
/// [out] out
HEFT_API HeftStatus heft_mjcf_custom(int i, HeftMjcfCustom* out);

// ---- contact problems

/// A problem that owns its memory, as read from a file.
typedef struct HeftContactProblemData {
  HeftContactProblem problem;  ///< points into memory
  void* memory;                ///< one piece, from the allocator
  size_t size;                 ///< of the memory [bytes]
  HeftAllocator allocator;
} HeftContactProblemData;

/// Reads the text format of the Siconos numerics library (2-D, 3-D and rolling; dense, sparse-block
/// or sparse storage). text need not be terminated. Any bytes are allowed as input. name appears in
/// messages and may be NULL. err may be NULL.
/// [out] out; [in] text[size]
HEFT_API HeftStatus heft_contact_problem_parse(HeftContactProblemData* out, const char* text,
                                               size_t size, const char* name,
                                               HeftAllocator allocator, HeftError* err);
HEFT_API void heft_contact_problem_release(HeftContactProblemData* data);
/// Writes a problem with an explicit operator and contacts of one kind (point, planar or rolling)
/// in the same format. Returns the length of the text; writes at most size bytes, terminated if
/// size > 0; text may be NULL if size is 0. Returns 0 if the kind has no such format.
/// [out] text[size]
HEFT_API size_t heft_contact_problem_format(const HeftContactProblem* problem, char* text,
                                            size_t size);

#ifdef __cplusplus
}
#endif
#endif
