// SPDX-License-Identifier: Apache-2.0
// A small model with a bit of everything, for tests that need one, and ways to tamper with its
// compiled form.
#ifndef HEFT_TESTS_SUPPORT_SAMPLE_H
#define HEFT_TESTS_SUPPORT_SAMPLE_H

#include <heft/model.h>

/// Every joint type, a body with three joints, welded bodies, shapes, a mesh, a height field,
/// looks, tendons, equalities, actuators, sensors, two keyframes ("bent" with numbers of its own,
/// "rest" without), names. What fails is kept by the builder.
void sample_fill(HeftBuilder* builder);

/// The finished model; NULL on failure. allocator and error may be NULL.
HeftModel* sample_create(const HeftAllocator* allocator, HeftError* error);

/// Where the parts of a compiled form lie: header, then what the checksum covers.
enum { COMPILED_VERSION_AT = 8, COMPILED_LENGTH_AT = 16, COMPILED_CHECKSUM_AT = 24 };
enum { COMPILED_HEADER_SIZE = 32 };

/// Writes the length and checksum that belong to the bytes as they are, by the version that stands
/// in their header: what somebody would do who forges a model on purpose.
void compiled_seal(unsigned char* bytes, size_t size);

/// Does with a model whatever a program might do: looks at all names, makes a state and, if asked
/// to step, a world. Nothing may crash; numbers may turn out badly.
void model_exercise(const HeftModel* model, int step);

#endif
