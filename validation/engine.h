// SPDX-License-Identifier: Apache-2.0
// An engine under test: Heft, or another one behind a pipe. The cases of the validation set use
// only this interface, so that the same code gives all engines the same problem.
//
// - Scenes are MJCF files. Bodies are numbered as in the file, from 1; 0 is the world.
// - Positions and velocities are those of the bodies' own frames, angular velocities in the world's
//   axes.
// - What an engine cannot do it refuses in words: open() returns 0 and puts a reason into the
//   engine.
#ifndef HEFT_VALIDATION_ENGINE_H
#define HEFT_VALIDATION_ENGINE_H

#include <heft/world.h>
#include <stdio.h>

enum { ENGINE_PUSHES = 8, ENGINE_REASON = 160 };

/// What a case changes of its scene. NaN: as in the file.
typedef struct EngineSettings {
  double gravity[3];    ///< [m/s²]
  double friction;      ///< of all materials
  double restitution;   ///< of all materials
  double step;          ///< [s]
  double tolerance;     ///< relative residual; Heft alone
  int min_norm_forces;  ///< 1: forces of least norm; Heft alone
  int rk4;              ///< 1: Runge-Kutta for smooth motion; Heft alone
} EngineSettings;

EngineSettings engine_settings(void);

typedef struct EngineBody {
  HeftVec3 pos;
  HeftQuat quat;
  HeftVec3 vel, omega;
} EngineBody;

typedef struct Engine Engine;

/// One kind of engine.
typedef struct EngineType {
  int (*open)(Engine* engine, const char* path, const EngineSettings* settings);
  void (*close)(Engine* engine);
  int (*read)(Engine* engine, int body, EngineBody* out);
  int (*place)(Engine* engine, int body, const EngineBody* in);  ///< free bodies only
  int (*push)(Engine* engine, int body, HeftVec3 force);  ///< at its centre of mass, from now on
  int (*step)(Engine* engine, int count);
  /// Sum of the contact forces that body a exerts on body b in the last step.
  int (*force)(Engine* engine, int a, int b, HeftVec3* out);
} EngineType;

struct Engine {
  const EngineType* type;
  const char* name;
  char reason[ENGINE_REASON];  ///< why it could not
  double step;                 ///< [s]
  // Heft
  HeftModel* model;
  HeftWorld* world;
  HeftStepReport report;  ///< of the last step
  double worst_relative;  ///< of all steps since open
  struct {
    int body;
    HeftVec3 force;
  } pushes[ENGINE_PUSHES];
  int push_count;
  // Peers
  const char* command;
  FILE *to, *from;
  int process;
  uint64_t until_ns;  ///< heft_clock_ns() when patience with it ends; 0: never
};

extern const EngineType engine_heft;
/// A program that speaks the protocol of bench/peers/README.md on its standard input and output.
extern const EngineType engine_pipe;

/// So many steps of a program behind a pipe: least and middle time of one [µs], contacts.
int engine_pipe_time(Engine* engine, int steps, double out[3]);
/// Joints of a program behind a pipe are held by springs and dampers.
int engine_pipe_hold(Engine* engine, double stiffness, double damping);
/// Ends the program behind a pipe, if there is one.
void engine_pipe_end(Engine* engine);

#endif
