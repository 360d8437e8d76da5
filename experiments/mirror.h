// SPDX-License-Identifier: Apache-2.0
// The tracked points of a person, in the order of Lab::tracked. Head and hands have three points:
// an origin; a second along the bone, which goes up in the head and along the fingers; a third
// where the eyes look, or on the side of the thumb. If the points of a hand coincide, it has no
// orientation. Shoulders and elbows may be absent.
#ifndef HEFT_EXPERIMENTS_MIRROR_H
#define HEFT_EXPERIMENTS_MIRROR_H

typedef enum MirrorPoint {
  MIRROR_HEAD = 0,
  MIRROR_LEFT = 3,
  MIRROR_RIGHT = 6,
  MIRROR_LEFT_SHOULDER = 9,
  MIRROR_RIGHT_SHOULDER,
  MIRROR_LEFT_ELBOW,
  MIRROR_RIGHT_ELBOW,
  MIRROR_POINTS
} MirrorPoint;

#endif
