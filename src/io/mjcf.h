// SPDX-License-Identifier: Apache-2.0
// The MJCF reader: its data, and the functions of its parts.
//
// A *unit* is one MJCF document with its compiler settings and default classes: the file itself,
// and every model that it attaches. A *scope* is one use of a unit: names in it get the prefix of
// attach and the suffix of replicate. The reader visits the tree of bodies once. It first flattens
// the elements of a body over frames and replicates into a list of *items*, each with its pose,
// class and scope.
#ifndef HEFT_SRC_IO_MJCF_H
#define HEFT_SRC_IO_MJCF_H

#include "io/assets.h"
#include "io/mjcf_attributes.h"
#include "io/xml.h"

typedef struct Class {
  struct Class* parent;
  Grow nodes;  ///< const XmlNode*: the elements in this <default>
} Class;

typedef struct Unit {
  const char* name;
  const SourceFile* file;
  XmlNode* root;
  const XmlNode* compiler;  ///< the settings were read from all of them; this is the last, or NULL
  int radians, auto_limits, strip_path, balance, discard_visual, exact_mesh, fit_around;
  int inertia_from_geom;  ///< 0 never, 1 always, -1 auto
  int inertia_groups[2];
  double min_mass, min_inertia, total_mass;
  char euler[4];
  const char *mesh_folder, *texture_folder;
  Grow classes;           ///< Class*; the first is "main"
  NameTable class_names;  ///< places in classes
  struct Unit* parent;
  Grow units;  ///< Unit*: models of its assets
  int is_root;
} Unit;

typedef struct Scope {
  Unit* unit;
  const char *prefix, *suffix;
  int done;  ///< its assets are loaded
} Scope;

/// The source of values: an element and its default class.
typedef struct Item {
  const XmlNode* node;
  Scope* scope;
  Class* class;  ///< used if the node does not name one
  HeftVec3 pos;  ///< pose of its frame in the frame of its body
  HeftQuat quat;
} Item;

/// The contact of a geom or of a pair in MuJoCo's numbers. Its material is its own.
typedef struct SoftLaw {
  double ref[2], imp[5], mix;
  double friction;
  int priority, condim;
  int material;
  int is_pair;  ///< its numbers are the contact's; numbers of geoms are mixed
} SoftLaw;

/// Data of a geom that later sections use.
typedef struct GeomInfo {
  double friction[3], margin, gap;
  int condim;
  int first_piece, piece_count;  ///< shapes that collide in its place; 0: it collides itself
  SoftLaw soft;
} GeomInfo;

typedef struct BodyInfo {
  HeftPose pose;  ///< in the world, as in the file
  int parent;
  int moved;              ///< 1: a mocap body, or welded to one
  int jointed;            ///< 1: it has joints
  HeftPose own;           ///< in its parent
  HeftInertia inertia;    ///< in its own frame
  HeftInertia composite;  ///< with all its descendants, in the world; see mjcf_inertia.c
} BodyInfo;

typedef struct SiteInfo {
  int body;
  HeftVec3 pos;
  HeftQuat quat;
} SiteInfo;

typedef struct JointInfo {
  HeftJointType type;
  int body, q, dof;
  HeftVec3 pos, axis;  ///< in the body's frame
  double armature;
  Place place;
  int limited;
  double range[2];
} JointInfo;

typedef struct TendonInfo {
  int wrap_count;
  const HeftWrap* wraps;
  int limited;
  double range[2];
} TendonInfo;

typedef struct LookInfo {
  double color[4];
  int flat;  ///< its texture uses texture coordinates
} LookInfo;

/// Numbers of a contact material: static and kinetic friction, torsion, rolling, restitution;
/// stiffness, damping and thickness of its layer; Stribeck speed and viscous term.
/// Softness is in numerics of its own (MATERIAL_SOFT: point, MATERIAL_AREA: area).
enum {
  MATERIAL_NUMBERS = 16,
  MATERIAL_FRICTION = 5,
  MATERIAL_LAYER = 8,
  MATERIAL_SLIP = 10,
  MATERIAL_SOFT = 10,
  MATERIAL_AREA = 12
};

/// A contact material: only from friction, or from <custom>.
typedef struct MaterialInfo {
  double law[MATERIAL_NUMBERS];
  const char* name;
} MaterialInfo;

/// Numbers of <custom> for a joint or a sensor.
typedef struct Extra {
  const XmlNode* node;
  const char* name;
  const double* x;
  int count, used;
} Extra;

/// Joints of the file that are one joint of the model.
typedef struct JointGroup {
  const XmlNode* node;
  HeftJointType type;
  const char* name;  ///< of the joint of the model
  int count, used;
  const char* part[3];
} JointGroup;

/// A fixed joint of <custom>; the table of names has it under the name of its body.
typedef struct FixedJoint {
  const XmlNode* node;
  const char* name;
  int used;
} FixedJoint;

/// A geom or pair that <custom> names.
typedef struct CustomRef {
  const XmlNode* node;
  const char* name;
  int kind;
} CustomRef;

/// The order of a kind of elements in the model, if it differs from the order in the file.
typedef struct CustomOrder {
  const XmlNode* node;
  HeftNamed kind;
} CustomOrder;

typedef struct Mjcf {
  Load* load;
  Unit* root;
  Assets assets;
  Grow scopes;      ///< Scope*
  NameTable names;  ///< by kind; the owner is a Scope
  const Scope*
      owner;  ///< scope of the names that are added; two replicates may have the same suffix
  Grow bodies, joints, geoms, sites, tendons, looks;  ///< infos, by index in the model
  Grow flat_textures;                                 ///< int: 1 for type 2d
  Grow materials;                                     ///< MaterialInfo; the first is the default
  int depth;   ///< of the recursion at hand: elements, frames, bodies
  int nmoved;  ///< bodies with mocap
  int nq, nv, nact, actuators, textures, appearances, height_fields, cameras;
  PieceWish pieces;  ///< of all geoms that have none of their own
  int composites;    ///< BodyInfo.composite is computed
  Grow extras, joint_groups, fixed_joints, custom_refs, orders;  ///< of <custom>, by mjcf_custom.c
} Mjcf;

/// The kind of element that a name belongs to.
enum {
  OF_BODY,
  OF_JOINT,
  OF_GEOM,
  OF_SITE,
  OF_CAMERA,
  OF_MESH,
  OF_HFIELD,
  OF_TEXTURE,
  OF_MATERIAL,
  OF_TENDON,
  OF_ACTUATOR,
  OF_MODEL,
  OF_PAIR,
  OF_CONTACT_MATERIAL,
  // values of <custom> for the element of that name
  OF_GEOM_MATERIAL,
  OF_PAIR_MATERIAL,
  OF_CALIBRATION,
  OF_DOFS,
  OF_LIMIT,
  OF_FIXED,
  OF_ANCHORS,
  OF_CONVEYOR,
  OF_SOFT,
  OF_AREA,
  OF_DECOMPOSE,
  OF_MOTION,
  OF_TRIANGLES,
  OF_FILL,
  OF_JOINT_PART,
  OF_ORDER
};

/// Begins a level of a recursion; --m->depth ends it. Returns 0, after load_fail(), if there are
/// too many: included and attached files nest in each other, beyond the limit of one file.
int mj_enter(Mjcf* m, const XmlNode* node);
/// Reads a file that an element names: beside the model, as MuJoCo has it, or, if it is not there,
/// beside the included file that the element is in. NULL after a mistake.
const SourceFile* mj_read_file(Mjcf* m, Place place, const SourceFile* main, const char* folder,
                               const char* name);

// ---- values (mjcf_value.c)

/// The text of an attribute: from the node, from its class, or the default of the table (*where is
/// the node then). NULL if there is none.
const char* mj_text(Mjcf* m, const Item* item, MjcfKey key, const XmlNode** where);
int mj_given(Mjcf* m, const Item* item,
             MjcfKey key);  ///< from the node or its class, not from the table
int mj_reals(Mjcf* m, const Item* item, MjcfKey key, double* out);  ///< how many; 0: none
double mj_real(Mjcf* m, const Item* item, MjcfKey key);
int mj_int(Mjcf* m, const Item* item, MjcfKey key);
int mj_bool(Mjcf* m, const Item* item, MjcfKey key);
int mj_tri(Mjcf* m, const Item* item, MjcfKey key);  ///< 0, 1, or -1 for auto
/// The index of the value in words (NULL-terminated); -1 after a mistake or if there is none.
int mj_word(Mjcf* m, const Item* item, MjcfKey key, const char* const* words);
HeftVec3 mj_vec3(Mjcf* m, const Item* item, MjcfKey key);
/// Whether a limit applies: tri-state `limited`, range given, autolimits.
int mj_limited(Mjcf* m, const Item* item, MjcfKey limited, MjcfKey range);
/// Orientation from quat, axisangle, euler, xyaxes or zaxis; quat is the first key of the five.
HeftQuat mj_orientation(Mjcf* m, const Item* item, MjcfKey quat);
HeftQuat mj_euler(const Unit* unit, const double angles[3]);
/// Normalises by the rule of the builder: a quaternion that is normalised to rounding keeps its
/// bits.
HeftQuat mj_unit(HeftQuat q);
double mj_angle(const Unit* unit, double x);  ///< to radians
/// Warns about attributes of the node that are unknown or skipped, once per node.
void mj_check(Mjcf* m, const XmlNode* node, MjcfElement element);
/// Reports an element that is skipped: a warning, or a mistake if its name is misspelt
/// (mjcf_unknown.c).
void mj_unknown_element(Mjcf* m, const XmlNode* node);
/// Reads the <plugin> of a <mesh>: its distance shape, and its triangles if it has none.
void mj_read_field(Mjcf* m, const Item* item, const XmlNode* node, MeshAsset* asset);
Place mj_place(Mjcf* m, const Item* item, MjcfKey key);

// ---- classes (mjcf_class.c)

void mj_read_defaults(Mjcf* m, Unit* unit);
Class* mj_class(Mjcf* m, Unit* unit, const XmlNode* node, const char* attribute, Class* fallback);

// ---- names (mjcf_name.c)

/// The name in the model: "" for an element without a name.
const char* mj_model_name(const char* name);
const char* mj_full_name(Mjcf* m, const Scope* scope, const char* name);
/// Adds a name; "" is ignored. Fails if the name exists.
void mj_name_add(Mjcf* m, const XmlNode* node, int kind, const char* name, int index);
int mj_name_find(const Mjcf* m, int kind, const char* name);
/// The index to which an attribute refers, with the suffix of the scope or without. -1: unknown
/// (and *missing is set), or not given.
int mj_reference(Mjcf* m, const Item* item, MjcfKey key, int kind, const char** missing,
                 int* suffixed);

// ---- sections

void mj_read_assets(Mjcf* m, Scope* scope);
void mj_read_world(Mjcf* m, Unit* unit);
void mj_read_custom(Mjcf* m, Unit* unit);
void mj_finish_custom(Mjcf* m);
/// Adds the fixed joints of <custom> that follow after `before` joints of a body; returns how many.
int mj_fixed_joints(Mjcf* m, const char* body_name, int body, int before);
/// Numbers of <custom> for the element of this name; NULL: there are none, or not `count` of them.
const Extra* mj_extra(Mjcf* m, int kind, const char* name, int count);
/// The pieces that <custom> wants of the geom of this name.
PieceWish mj_piece_wish(Mjcf* m, const char* name);
void mj_read_lists(Mjcf* m);
void mj_read_keys(Mjcf* m, Unit* unit);
Unit* mj_open_unit(Mjcf* m, Place from, Unit* parent, const SourceFile* file, const char* name);
/// Index of the contact material with these five numbers; adds it if it is new.
int mj_material(Mjcf* m, const double law[MATERIAL_NUMBERS], const char* name);

/// References of one element of a list; see mjcf_lists.c.
typedef struct Refs {
  const char* missing;  ///< a name that does not exist
  Place place;          ///< of the reference
  int suffixed;         ///< a name was found with the scope's suffix
} Refs;
/// Fails at the first joint that moves no inertia.
void mj_check_inertias(Mjcf* m);
/// The inertia [kg or kg m²] that a hinge or slide moves, armature included, at the pose of the
/// file.
double mj_joint_inertia(Mjcf* m, int joint);
/// Scales all masses to the total mass of the compiler settings.
void mj_scale_masses(Mjcf* m);
void mj_actuator(Mjcf* m, const Item* item, Refs* refs);
/// Whether all references were found. If not, the element must not be added.
static inline int refs_ok(const Refs* refs) { return refs->missing == NULL; }
int mj_ref(Mjcf* m, const Item* item, MjcfKey key, int kind, Refs* refs);

#endif
