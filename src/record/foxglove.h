// SPDX-License-Identifier: Apache-2.0
// Messages for the 3D panel of Foxglove: shapes of a model, poses of its bodies, contact forces,
// joints.
#ifndef HEFT_SRC_RUN_LOG_FOXGLOVE_H
#define HEFT_SRC_RUN_LOG_FOXGLOVE_H

#include <heft/world.h>
#include "record/mcap.h"

extern const char foxglove_scene_schema[];       ///< foxglove.SceneUpdate
extern const char foxglove_transforms_schema[];  ///< foxglove.FrameTransforms
extern const char foxglove_joints_schema[];      ///< foxglove.JointStates

/// Name of a body as a frame of Foxglove, quoted; a body without a name gets its number.
void foxglove_body(HeftJsonText* text, const HeftModel* model, int body);
/// All shapes that a picture shows, as entities that follow their bodies.
void foxglove_scene(HeftJsonText* text, const HeftModel* model);
/// Pose of each body in the world.
void foxglove_transforms(HeftJsonText* text, const HeftWorld* world, uint64_t time);
/// Hinges and slides: name, position, velocity.
void foxglove_joints(HeftJsonText* text, const HeftModel* model, const HeftState* state,
                     uint64_t time);
/// Contact forces as arrows; length: of an arrow for the weight of the model [m].
void foxglove_forces(HeftJsonText* text, const HeftWorld* world, double length, uint64_t time);

#endif
