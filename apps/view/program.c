// SPDX-License-Identifier: Apache-2.0
#include "view/program.h"

#include <stdio.h>

#include "view/memory.h"

static GLuint compile(GLenum kind, const char* source, HeftError* error) {
  const GLuint shader = glCreateShader(kind);
  GLint done = 0;
  glShaderSource(shader, 1, &source, NULL);
  glCompileShader(shader);
  glGetShaderiv(shader, GL_COMPILE_STATUS, &done);
  if (done) return shader;
  char log[400] = "";
  glGetShaderInfoLog(shader, sizeof log, NULL, log);
  glDeleteShader(shader);
  view_fail(error, HEFT_ERR_UNSUPPORTED,
            "the OpenGL driver refused a shader (update the driver, or set "
            "LIBGL_ALWAYS_SOFTWARE=1): %s",
            log);
  return 0;
}

GLuint program_make(const char* vertex, const char* fragment, HeftError* error) {
  const GLuint v = compile(GL_VERTEX_SHADER, vertex, error);
  const GLuint f = v ? compile(GL_FRAGMENT_SHADER, fragment, error) : 0;
  GLuint program = 0;
  if (v && f) {
    GLint done = 0;
    program = glCreateProgram();
    glAttachShader(program, v);
    glAttachShader(program, f);
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &done);
    if (!done) {
      glDeleteProgram(program);
      program = 0;
      view_fail(error, HEFT_ERR_UNSUPPORTED,
                "the OpenGL driver could not link a shader; update the driver, or set "
                "LIBGL_ALWAYS_SOFTWARE=1");
    }
  }
  if (v) glDeleteShader(v);
  if (f) glDeleteShader(f);
  return program;
}

static GLint place(GLuint program, const char* name) { return glGetUniformLocation(program, name); }

void program_matrix(GLuint program, const char* name, const Matrix4* value) {
  glUniformMatrix4fv(place(program, name), 1, GL_FALSE, value->m);
}

void program_turn(GLuint program, const char* name, HeftMat3 value) {
  float m[9];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) m[3 * j + i] = (float)value.m[i][j];
  }
  glUniformMatrix3fv(place(program, name), 1, GL_FALSE, m);
}

void program_float(GLuint program, const char* name, double value) {
  glUniform1f(place(program, name), (float)value);
}

void program_int(GLuint program, const char* name, int value) {
  glUniform1i(place(program, name), value);
}

void program_vec2(GLuint program, const char* name, double x, double y) {
  glUniform2f(place(program, name), (float)x, (float)y);
}

void program_vec3(GLuint program, const char* name, const float* value) {
  glUniform3fv(place(program, name), 1, value);
}

void program_vec4(GLuint program, const char* name, const float* value) {
  glUniform4fv(place(program, name), 1, value);
}

static GLint place_at(GLuint program, const char* name, int index) {
  char text[48];
  snprintf(text, sizeof text, "%s[%d]", name, index);
  return place(program, text);
}

void program_vec3_at(GLuint program, const char* name, int index, const float* value) {
  glUniform3fv(place_at(program, name, index), 1, value);
}

void program_vec4_at(GLuint program, const char* name, int index, const float* value) {
  glUniform4fv(place_at(program, name, index), 1, value);
}

void program_point(GLuint program, const char* name, HeftVec3 value) {
  glUniform3f(place(program, name), (float)value.x, (float)value.y, (float)value.z);
}
