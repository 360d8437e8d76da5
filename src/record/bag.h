// SPDX-License-Identifier: Apache-2.0
/// @file bag.h
/// Bags of ROS 2: MCAP files of profile "ros2", whose messages are CDR and whose schemas are the
/// definitions of ROS, as rosbag2 and Foxglove read them. For the command; not installed.
#ifndef HEFT_SRC_RECORD_BAG_H
#define HEFT_SRC_RECORD_BAG_H

#include <heft/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A bag that is written.
typedef struct HeftBag HeftBag;

/// Creates a file, or replaces one: /clock, /tf (each body in the frame "world") and /joint_states
/// (hinges and slides). The model must outlive the bag. error may be NULL. *out is NULL on failure.
HeftStatus heft_bag_open(HeftBag** out, const char* path, const HeftModel* model, HeftError* error);
/// Writes the present state of a world of the bag's model.
void heft_bag_write(HeftBag* bag, const HeftWorld* world);
/// Writes the index, closes the file and releases the bag, also on failure. HEFT_ERR_FILE: the bag
/// is not complete. NULL is allowed.
HeftStatus heft_bag_close(HeftBag* bag);

#ifdef __cplusplus
}
#endif
#endif
