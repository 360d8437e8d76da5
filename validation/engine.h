// SPDX-License-Identifier: Apache-2.0
// An engine under test: Heft, or another one behind a pipe. The cases of the validation set use
// only this interface, so that the same code gives all engines the same problem.
//
// - Scenes are MJCF files. Bodies are numbered as in the file, from 1; 0 is the world.
// - Positions and velocities are those of the bodies' own frames, angular velocities in the world's
//   axes.
// - If an engine cannot run a scene, open() returns 0 and stores the reason in the engine.
#ifndef HEFT_VALIDATION_ENGINE_H
#define HEFT_VALIDATION_ENGINE_H

#include <heft/world.h>
#include <stdio.h>

enum { ENGINE_PUSHES = 8, ENGINE_REASON = 160 };

/// Changes of a scene by a case. NaN: as in the file.
typedef struct EngineSettings {
  double gravity[3];   ///< [m/s²]
  double friction;     ///< of all materials
  double kinetic;      ///< kinetic friction of all materials; NaN: equals friction. Heft alone
  double restitution;  ///< of all materials
  double step;         ///< [s]
  double tolerance;    ///< relative residual; Heft alone
  int rk4;             ///< 1: Runge-Kutta for smooth motion; Heft alone
  int triangles;       ///< 1: meshes collide as triangles instead of hulls
  int soft_contacts;   ///< 1: contacts yield as solref and solimp say; others do so anyway
  int pieces;          ///< 1: the file asks for convex pieces and is trusted. Heft alone
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
  int (*push)(Engine* engine, int body, HeftVec3 force);  ///< at its centre of mass, until changed
  int (*step)(Engine* engine, int count);
  /// Sum of the contact forces that body a exerts on body b in the last step.
  int (*force)(Engine* engine, int a, int b, HeftVec3* out);
  /// Sets the first `count` joint velocities, in the order of the file.
  int (*spin)(Engine* engine, const double* v, int count);
  /// Kinetic, then potential energy of the present state [J].
  int (*energy)(Engine* engine, double out[2]);
} EngineType;

struct Engine {
  const EngineType* type;
  const char* name;
  char reason[ENGINE_REASON];  ///< reason of a failure
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
  uint64_t until_ns;  ///< timeout, as heft_clock_ns(); 0: none
};

extern const EngineType engine_heft;
/// A program with the protocol of bench/peers/README.md on its standard input and output.
extern const EngineType engine_pipe;

/// Times steps of a program behind a pipe: min and median time of a step [µs], contacts.
int engine_pipe_time(Engine* engine, int steps, double out[3]);
/// Adds springs and dampers that hold the joints of a program behind a pipe.
int engine_pipe_hold(Engine* engine, double stiffness, double damping);
/// Starts the program behind a pipe, before any thread does so. 0: it could not be started.
int engine_pipe_begin(Engine* engine);
/// Ends the program behind a pipe, if there is one.
void engine_pipe_end(Engine* engine);

#endif
