// SPDX-License-Identifier: Apache-2.0
// The inside of a builder: one list of records per kind of element, and the names.
#ifndef HEFT_SRC_MODEL_BUILDER_H
#define HEFT_SRC_MODEL_BUILDER_H

#include <heft/model.h>

#include "base/error.h"
#include "model/list.h"

/// Ends a function that returns an index: keeps the first mistake, and returns -1.
#define BUILDER_FAIL(builder, code, ...)                      \
  do {                                                        \
    if ((builder)->error.status == HEFT_OK)                   \
      heft_error_set(&(builder)->error, (code), __VA_ARGS__); \
    return -1;                                                \
  } while (0)

/// A definition with its name moved into the pool.
#define BUILDER_RECORD(Record, Def) \
  typedef struct Record {           \
    Def def;                        \
    int name;                       \
  } Record
BUILDER_RECORD(BodyRecord, HeftBodyDef);
BUILDER_RECORD(JointRecord, HeftJointDef);
BUILDER_RECORD(SiteRecord, HeftSiteDef);
BUILDER_RECORD(MaterialRecord, HeftMaterialDef);
BUILDER_RECORD(ShapeRecord, HeftShapeDef);
BUILDER_RECORD(MeshRecord, HeftMeshDef);
BUILDER_RECORD(HeightFieldRecord, HeftHeightFieldDef);
BUILDER_RECORD(TextureRecord, HeftTextureDef);
BUILDER_RECORD(AppearanceRecord, HeftAppearanceDef);
BUILDER_RECORD(CameraRecord, HeftCameraDef);
BUILDER_RECORD(LightRecord, HeftLightDef);
BUILDER_RECORD(PairRecord, HeftPairDef);
BUILDER_RECORD(ExcludeRecord, HeftExcludeDef);
BUILDER_RECORD(EqualityRecord, HeftEqualityDef);
BUILDER_RECORD(TendonRecord, HeftTendonDef);
BUILDER_RECORD(ActuatorRecord, HeftActuatorDef);
BUILDER_RECORD(SensorRecord, HeftSensorDef);
BUILDER_RECORD(KeyRecord, HeftKeyDef);

/// A deformable body: where its nodes, tetrahedra and triangles are in the lists of all.
typedef struct DeformableRecord {
  double young, poisson, damping, color[4];
  int node, node_count, tetrahedron, tetrahedron_count, skin, skin_count;
  int name;
} DeformableRecord;

typedef struct NodeRecord {
  double rest[3];
  int body;
} NodeRecord;

struct HeftBuilder {
  HeftAllocator allocator;
  HeftError error;  ///< the first mistake
  HeftPhysics physics;
  HeftModelLimits limits;
  char contact_model[64];  ///< a word, or empty
  List bodies, joints, sites, materials, shapes, meshes, actuators, sensors, keys;
  List height_fields, textures, appearances, cameras, lights, pairs, excludes, equalities, tendons;
  List vertices, faces, hulls;  ///< of all meshes: double[3], int[3], int[3]
  List corners;                 ///< double[2]
  List samples;                 ///< of all distance shapes: double
  List heights;                 ///< of all height fields: double
  List wraps;                   ///< of all tendons: HeftWrap
  List texture_files;           ///< int: name offset of each texture's file
  List key_numbers;             ///< of all keyframes: q, v, act, control, moved each
  List names;                   ///< char
  List deformables, nodes;      ///< DeformableRecord, NodeRecord
  List tetrahedra, skins;       ///< of all deformable bodies: int[4], int[3]
  int nq, nv, nact, nsensordata, nmoved, nconveyor;
};

/// Writes the records of a builder into the arrays of a model of the right sizes.
void heft_builder_fill(const HeftBuilder* builder, HeftModel* model);
/// Two things of one kind may not bear the same name.
HeftStatus heft_builder_check_names(const HeftBuilder* builder, const HeftModel* model,
                                    HeftError* error);

/// Adds a deformable body whose nodes have their bodies already: rest and body hold node_count
/// nodes. tetrahedra: of positive volume. skin: NULL: computed. Returns its index, -1 after an
/// error.
typedef struct DeformableParts {
  const NodeRecord* nodes;
  const int* tetrahedra;
  const int* skin;
} DeformableParts;
int heft_builder_store_deformable(HeftBuilder* builder, const DeformableRecord* record,
                                  const DeformableParts* parts);
/// Copies a text of at most 255 bytes into the pool of names. Returns its offset, -1 after an
/// error.
int heft_builder_store_name(HeftBuilder* builder, const char* name);

/// Parts of the numbers of a keyframe, in their order.
typedef enum KeyPart { KEY_Q, KEY_V, KEY_ACT, KEY_CONTROL, KEY_MOVED, KEY_PARTS } KeyPart;
/// Adds `extra` numbers at the end of a part of all keyframes, before the builder counts the new
/// element. fill: the numbers, NULL: zero. Returns 0 if there is no memory.
int heft_builder_widen_keys(HeftBuilder* builder, KeyPart part, int extra, const double* fill);
/// Coordinates of a joint in the described pose. Returns their number.
int heft_builder_joint_q(const HeftBuilder* builder, const HeftJointDef* def, double* out);
/// Coordinates of all joints, and poses of all moved bodies, in the described pose.
void heft_builder_default_q(const HeftBuilder* builder, double* q);
void heft_builder_default_moved(const HeftBuilder* builder, double* poses);

#endif
