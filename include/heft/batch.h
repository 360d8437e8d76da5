// SPDX-License-Identifier: Apache-2.0
/// @file batch.h
/// Many worlds of one model at once, for learning, sampling and studies.
///
/// - A batch holds `count` worlds as snapshots, a few kilobytes each, and one world per thread that
///   steps them in turn. Each world moves bit for bit as a single HeftWorld does, whatever the
///   number of threads.
/// - States, controls, sensors and reports are contiguous arrays with one row per world. Pointers
///   stay valid as long as the batch.
/// - Callbacks run in the threads of the batch, one call at a time for each world. They may use the
///   world that they get until they return.
/// - Steps and rollouts allocate nothing, unless a setup changes masses.
/// - A batch is used by one thread at a time; only heft_batch_stop() may come from any thread or
///   signal handler.
#ifndef HEFT_BATCH_H
#define HEFT_BATCH_H

#include <heft/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Gives world `index` its parameters: gravity, materials, masses, gains, seed (world.h). It is
/// called each time a thread starts on the world, so it sets the same parameters to the same values
/// for one index, and the same kinds of parameters for every index. An error ends the step of this
/// world; heft_batch_step() returns it.
typedef HeftStatus HeftBatchSetup(void* user, int index, HeftWorld* world, HeftError* error);
/// Gives world `index` its initial state, after each reset and before the world is stored: q, v,
/// moved bodies, controls. An error ends the reset; heft_batch_reset() returns it.
typedef HeftStatus HeftBatchStart(void* user, int index, HeftWorld* world, HeftError* error);
/// Before each step of a world; it may write controls, forces and wrenches. The controls of the
/// batch are in the world already.
typedef void HeftBatchBefore(void* user, int index, HeftWorld* world);
/// After each step of a world. true: the world has ended; it is not stepped until it is reset.
typedef bool HeftBatchAfter(void* user, int index, HeftWorld* world, const HeftStepReport* report);

/// Settings of a batch. heft_batch_create() copies them.
typedef struct HeftBatchDef {
  uint32_t cookie;          ///< set by heft_batch_def_default(); see HEFT_DEF_COOKIE
  HeftWorldDef world;       ///< of each world; a world of a batch has one thread
  int count;                ///< worlds, at least 1
  int threads;              ///< threads that share the worlds, 1 to 64; same bits for all
  void* user;               ///< for the callbacks; not owned
  HeftBatchSetup* setup;    ///< or NULL: the parameters of the model
  HeftBatchBefore* before;  ///< or NULL
  HeftBatchAfter* after;    ///< or NULL: a world ends only if a step is rolled back
  HeftBatchStart* start;    ///< or NULL: worlds start at q_default or at a keyframe
} HeftBatchDef;

HEFT_DEF_FUNCTIONS(HeftBatchDef, heft_batch_def_default, heft_batch_def_init);

/// Many worlds of one model, stepped by threads.
typedef struct HeftBatch HeftBatch;

/// Creates a batch with all worlds at q_default, at rest. def may be NULL: one world, one thread.
/// *out is NULL on failure. error may be NULL.
HEFT_API HeftStatus heft_batch_create(HeftBatch** out, const HeftModel* model,
                                      const HeftBatchDef* def, HeftError* error);
/// batch may be NULL.
HEFT_API void heft_batch_destroy(HeftBatch* batch);

/// Number of worlds of the batch, and their model, which the batch does not own.
HEFT_API int heft_batch_count(const HeftBatch* batch);
HEFT_API const HeftModel* heft_batch_model(const HeftBatch* batch);
/// Memory that the batch holds [bytes], with the worlds of its threads.
HEFT_API size_t heft_batch_memory(const HeftBatch* batch);

// ---- arrays, one row per world

/// Coordinates, velocities and times after the last step.
/// [return] q[heft_batch_count(batch)][nq]
HEFT_API const double* heft_batch_q(const HeftBatch* batch);
/// [return] v[heft_batch_count(batch)][nv]
HEFT_API const double* heft_batch_v(const HeftBatch* batch);
/// [return] time[heft_batch_count(batch)]
HEFT_API const double* heft_batch_time(const HeftBatch* batch);
/// Values of the sensors after the last step.
/// [return] sensors[heft_batch_count(batch)][nsensordata]
HEFT_API const double* heft_batch_sensors(const HeftBatch* batch);
/// Controls, to be written; they stay until they are changed.
/// [return] controls[heft_batch_count(batch)][nactuator]
HEFT_API double* heft_batch_controls(HeftBatch* batch);
/// Reports of the last steps; zero before the first.
/// [return] reports[heft_batch_count(batch)]
HEFT_API const HeftStepReport* heft_batch_reports(const HeftBatch* batch);
/// Whether each world has ended.
/// [return] ended[heft_batch_count(batch)]
HEFT_API const bool* heft_batch_ended(const HeftBatch* batch);
/// Steps of each world since its reset.
/// [return] steps[heft_batch_count(batch)]
HEFT_API const int64_t* heft_batch_steps(const HeftBatch* batch);

// ---- time

/// Resets worlds to a keyframe, or with key -1 to q_default at rest. which may be NULL: all;
/// otherwise it selects the worlds. HEFT_ERR_ARGUMENT: the model has no such keyframe. error may be
/// NULL.
/// [in] which[heft_batch_count(batch)]
HEFT_API HeftStatus heft_batch_reset(HeftBatch* batch, const bool* which, int key,
                                     HeftError* error);
/// Gives one world a state. q may be NULL, and v may be NULL: as they are. Errors as
/// heft_world_set_q(). error may be NULL.
/// [in] q[nq], v[nv]
HEFT_API HeftStatus heft_batch_set_state(HeftBatch* batch, int index, const double* q,
                                         const double* v, HeftError* error);
/// Takes `steps` steps of every world that has not ended. HEFT_ERR_STOPPED: heft_batch_stop() was
/// called. Other errors come from the setup of the lowest index that failed.
HEFT_API HeftStatus heft_batch_step(HeftBatch* batch, int64_t steps, HeftError* error);

/// Arrays that a rollout reads and writes. Rows are as in the batch; each pointer may be NULL.
typedef struct HeftRollout {
  int64_t steps;           ///< of every world
  const double* controls;  ///< count x steps x nactuator, in their units; NULL: from the batch
  double* q;               ///< count x steps x nq, after each step [m, rad]
  double* v;               ///< count x steps x nv [m/s, rad/s]
  double* sensors;         ///< count x steps x nsensordata, in the units of the sensors
} HeftRollout;

/// heft_batch_step() with a control for each step and all states in between. Rows of worlds that
/// end repeat their last state.
HEFT_API HeftStatus heft_batch_rollout(HeftBatch* batch, const HeftRollout* rollout,
                                       HeftError* error);
/// heft_world_rays() in every world, with one bundle; rows of worlds follow each other.
/// shape, normal and error may be NULL.
/// [in] rays; [out] distance[heft_batch_count(batch)][rays->count]
/// [out] shape[heft_batch_count(batch)][rays->count]
/// [out] normal[heft_batch_count(batch)][rays->count][3]
HEFT_API HeftStatus heft_batch_rays(HeftBatch* batch, const HeftRays* rays, double* distance,
                                    int* shape, double* normal, HeftError* error);
/// Ends a running step or rollout soon: each thread finishes the step of its world.
HEFT_API void heft_batch_stop(HeftBatch* batch);

// ---- one world

/// One world, for all functions of world.h: to read contacts, or to change its state. Changes of
/// parameters are lost. The pointer lives until the next call of a function of the batch that is
/// not const; heft_batch_store() stores what was changed. NULL: the setup failed, see error.
HEFT_API HeftWorld* heft_batch_world(HeftBatch* batch, int index, HeftError* error);
/// Stores the world that heft_batch_world() gave last. No effect if there is none.
HEFT_API void heft_batch_store(HeftBatch* batch);
/// heft_world_hash() of a world.
HEFT_API uint64_t heft_batch_hash(HeftBatch* batch, int index);

#ifdef __cplusplus
}
#endif
#endif
