// SPDX-License-Identifier: Apache-2.0
// Groups of shapes that the URDF reader gives and the URDF writer expects.
#ifndef HEFT_SRC_IO_URDF_GROUPS_H
#define HEFT_SRC_IO_URDF_GROUPS_H

enum {
  URDF_SHOWN_GROUP = 2,  ///< visual shapes, and collision shapes that are drawn in their place
  URDF_HIDDEN_GROUP = 3  ///< other collision shapes
};

#endif
