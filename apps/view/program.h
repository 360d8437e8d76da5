// SPDX-License-Identifier: Apache-2.0
// A shader program and its uniforms.
#ifndef HEFT_APPS_VIEW_PROGRAM_H
#define HEFT_APPS_VIEW_PROGRAM_H

#include <epoxy/gl.h>
#include <heft/base.h>

#include "view/matrix.h"

/// 0 on failure, with the message of the compiler in error.
GLuint program_make(const char* vertex, const char* fragment, HeftError* error);

void program_matrix(GLuint program, const char* name, const Matrix4* value);
void program_turn(GLuint program, const char* name, HeftMat3 value);
void program_float(GLuint program, const char* name, double value);
void program_int(GLuint program, const char* name, int value);
void program_vec2(GLuint program, const char* name, double x, double y);
void program_vec3(GLuint program, const char* name, const float* value);
void program_vec4(GLuint program, const char* name, const float* value);
/// The element of an array.
void program_vec3_at(GLuint program, const char* name, int index, const float* value);
void program_vec4_at(GLuint program, const char* name, int index, const float* value);
void program_point(GLuint program, const char* name, HeftVec3 value);

#endif
