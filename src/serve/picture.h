// SPDX-License-Identifier: Apache-2.0
// A world at one moment as watchers see it, in the numbers that are sent, and its bytes.
//
// Bytes, little endian (docs/manual/browser.md):
//    0 u8  kind, 1            1 u8  PICTURE_WHOLE, PICTURE_RUNNING, PICTURE_CUT
//    2 u16 status of the step 4 u32 number of the picture
//    8 f64 time [s]          16 f64 steps
//   24 u16 bodies            26 u16 contacts     28 u16 hands     30 u16 controls
//   32 u16 watchers          34 u16 users
//   36 f32 x 16: residual, relative residual, penetration, kinetic and potential energy, contact
//      points, steps that were not solved, speed of the world relative to the clock, p99 of a step,
//      cone, gap power, energy change, sweeps, Newton steps, islands, contact points dropped
//  100 bodies:   u16 index, i16 x 4 quaternion (w, x, y, z) / 32767, u16 zero, f32 x 3 position
//      contacts: u16 x 2 bodies, u32 state, f32 x 3 position, normal, force, f32 gap
//      hands:    u16 body, u16 user, f32 x 3 point held, target, force
//      controls: f32
// A picture that is not whole lists the bodies whose numbers differ from the picture before, and
// the controls if one of them differs.
#ifndef HEFT_SRC_SERVE_PICTURE_H
#define HEFT_SRC_SERVE_PICTURE_H

#include <heft/world.h>

enum {
  PICTURE_KIND = 1,
  PICTURE_WHOLE = 1,
  PICTURE_RUNNING = 2,
  PICTURE_CUT = 4,  ///< contacts are left out
  PICTURE_HEAD = 100,
  PICTURE_BODY = 24,
  PICTURE_CONTACT = 48,
  PICTURE_HAND = 40,
  PICTURE_CONTACTS = 128,
  PICTURE_HANDS = 8,
  PICTURE_NUMBERS = 16
};

typedef struct PictureBody {
  int16_t rot[4];
  float pos[3];
} PictureBody;

typedef struct PictureContact {
  int body_a, body_b, state;
  float pos[3], normal[3], force[3], gap;
} PictureContact;

typedef struct PictureHand {
  int body, user;
  float point[3], target[3], force[3];
} PictureHand;

typedef struct Picture {
  double time, steps;
  int running, status, cut;
  float number[PICTURE_NUMBERS];
  int body_count, contact_count, hand_count, control_count;
  PictureBody* body;
  float* control;
  PictureContact contact[PICTURE_CONTACTS];
  PictureHand hand[PICTURE_HANDS];
} Picture;

/// Data that the network adds to a picture.
typedef struct PictureLabel {
  uint32_t number;
  int watchers, users;
} PictureLabel;

/// Allocates memory for the bodies of a model. 0: there is none.
int picture_make(Picture* picture, const HeftModel* model, const HeftAllocator* allocator);
void picture_free(Picture* picture, const HeftAllocator* allocator);
void picture_copy(Picture* to, const Picture* from);
/// Poses, contacts and controls of a world.
void picture_take(Picture* picture, HeftWorld* world);
/// The largest size of the bytes.
size_t picture_size_max(const Picture* picture);
/// Writes the difference to the picture `before`; NULL: the whole. Returns the size.
size_t picture_write(const Picture* picture, const Picture* before, PictureLabel label,
                     unsigned char* bytes);

#endif
