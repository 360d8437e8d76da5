// SPDX-License-Identifier: Apache-2.0
/// @file
/// All of Heft, in reading order. A program may include this one header, or only the rooms it uses.
/// While Heft is young not every room is built yet: a room that is not there is left out.
#ifndef HEFT_HEFT_H
#define HEFT_HEFT_H

#include <heft/export.h>
#include <heft/version.h>

#if __has_include(<heft/base.h>)
#include <heft/base.h>
#endif
#if __has_include(<heft/math.h>)
#include <heft/math.h>
#endif
#if __has_include(<heft/model.h>)
#include <heft/model.h>
#endif
#if __has_include(<heft/dynamics.h>)
#include <heft/dynamics.h>
#endif
#if __has_include(<heft/collision.h>)
#include <heft/collision.h>
#endif
#if __has_include(<heft/draw.h>)
#include <heft/draw.h>
#endif
#if __has_include(<heft/contact.h>)
#include <heft/contact.h>
#endif
#if __has_include(<heft/world.h>)
#include <heft/world.h>
#endif
#if __has_include(<heft/control.h>)
#include <heft/control.h>
#endif
#if __has_include(<heft/interact.h>)
#include <heft/interact.h>
#endif

#endif
