// SPDX-License-Identifier: Apache-2.0
/// @file
/// All of Heft's core, in reading order. A program may include this one header, or only the rooms
/// it uses.
///
/// A comment's last line states arrays and results of a function: `[in] q[nq]; [out] tau[nv]`. [in]
/// is read, [out] written, [in,out] both, [scratch] memory of the caller; [return] is the result.
/// Lengths such as nq are those of the model; two of them make a matrix, row by row.
#ifndef HEFT_HEFT_H
#define HEFT_HEFT_H

// clang-format off
#include <heft/export.h>
#include <heft/version.h>

#include <heft/base.h>
#include <heft/math.h>
#include <heft/model.h>
#include <heft/deform.h>
#include <heft/dynamics.h>
#include <heft/collision.h>
#include <heft/draw.h>
#include <heft/contact.h>
#include <heft/world.h>
#include <heft/access.h>
#include <heft/batch.h>
#include <heft/control.h>
#include <heft/interact.h>
// clang-format on

#endif
