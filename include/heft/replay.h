// SPDX-License-Identifier: Apache-2.0
/// @file replay.h
/// Replay of a recorded session (`heft run --record`, `heft view`, `heft feel`, a page of the
/// browser), step by step with the same bits. The recording holds the model; it opens no other file
/// and loads no code. A part of the library `heft_io`, because it reads files.
///
///     HeftReplay* replay = NULL;
///     heft_replay_load(&replay, "session.mcap", NULL, NULL, &error);
///     while (heft_replay_steps_done(replay) < heft_replay_step_count(replay)) {
///       if (heft_replay_step(replay, &report, &error) != HEFT_OK) break;
///       look_at(heft_replay_world(replay));
///     }
///     heft_replay_destroy(replay);
#ifndef HEFT_REPLAY_H
#define HEFT_REPLAY_H

#include <heft/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A session that is repeated.
typedef struct HeftReplay HeftReplay;

/// Receives a world that a replay left, because the users of the session added or removed an
/// object: the program destroys the world, then the model. model is NULL if the replay keeps it.
typedef void HeftReplayLeft(void* user, HeftWorld* world, HeftModel* model);

/// Opens a recording and makes its world at the start. left may be NULL: worlds are destroyed when
/// the replay leaves them. HEFT_ERR_FILE: the file cannot be opened. HEFT_ERR_SYNTAX: it is no
/// session or is damaged, or it has no model or needs plug-ins, which `heft replay` can load. error
/// may be NULL. *out is NULL on failure.
HEFT_API HeftStatus heft_replay_load(HeftReplay** out, const char* path, HeftReplayLeft* left,
                                     void* user, HeftError* error);
/// Destroys a replay with its world. NULL is allowed.
HEFT_API void heft_replay_destroy(HeftReplay* replay);
/// Number of steps of the session.
HEFT_API long heft_replay_step_count(const HeftReplay* replay);
/// Number of steps that were repeated.
HEFT_API long heft_replay_steps_done(const HeftReplay* replay);
/// Number of hashes of the session that differed so far.
HEFT_API long heft_replay_different(const HeftReplay* replay);
/// Whether the file ends before its last record, as after a session that was interrupted.
HEFT_API bool heft_replay_cut_off(const HeftReplay* replay);
/// Actions that are due, and the next step. HEFT_ERR_CHECKSUM: the step was taken, and the state
/// has other bits than the session. Others: the file is damaged there, or no step is left. error
/// may be NULL.
/// [out] report
HEFT_API HeftStatus heft_replay_step(HeftReplay* replay, HeftStepReport* report, HeftError* error);
/// The world at the present moment; another one after an object was added or removed.
HEFT_API HeftWorld* heft_replay_world(const HeftReplay* replay);

#ifdef __cplusplus
}
#endif
#endif
