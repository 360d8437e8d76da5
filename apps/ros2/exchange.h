// SPDX-License-Identifier: Apache-2.0
// All that the thread of the step and the thread of DDS share.
#ifndef HEFT_APPS_ROS2_EXCHANGE_H
#define HEFT_APPS_ROS2_EXCHANGE_H

#include <heft/model.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "ros2/handover.h"

/// A state in the ring. Behind it are its numbers: q, v, a pose of each body (12: rotation, place)
/// and a wrench on each body (6: force and torque at its origin, in the frame of the body).
typedef struct Frame {
  uint64_t time_ns;  ///< time of the world
  bool bodies;       ///< poses and wrenches are there
  double numbers[];
} Frame;

enum { POSE_NUMBERS = 12, WRENCH_NUMBERS = 6 };

static inline size_t frame_size(const HeftModel* m) {
  return sizeof(Frame) + sizeof(double) * ((size_t)m->nq + (size_t)m->nv +
                                           (size_t)m->nbody * (POSE_NUMBERS + WRENCH_NUMBERS));
}
static inline const double* frame_poses(const Frame* f, const HeftModel* m) {
  return f->numbers + m->nq + m->nv;
}
static inline const double* frame_wrenches(const Frame* f, const HeftModel* m) {
  return frame_poses(f, m) + (size_t)POSE_NUMBERS * (size_t)m->nbody;
}

/// Requests of peers, and how far the world has followed. Each number has one writer.
typedef struct Exchange {
  const HeftModel* model;
  Ring states;       ///< Frame
  Mailbox commands;  ///< nactuator controls and nv joint forces; NaN: not commanded
  double* latest;    ///< of the thread of DDS: the command, before it goes into the mailbox
  _Atomic bool pause_asked, paused;
  _Atomic unsigned resets_asked, resets_done;
  _Atomic unsigned refused;  ///< messages, or joints of them, that no joint can follow
  _Atomic unsigned lost;     ///< states that DDS did not take
  _Atomic bool ending;
} Exchange;

static inline size_t command_count(const HeftModel* m) {
  return (size_t)m->nactuator + (size_t)m->nv;
}

#endif
