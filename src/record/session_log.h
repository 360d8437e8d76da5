// SPDX-License-Identifier: Apache-2.0
/// @file session_log.h
/// Sessions as MCAP files: the compiled model, the start, what users and devices do between steps,
/// and hashes of the state. Any machine repeats a session with the same bits, natively and in a
/// browser, without the files of its model.
///
/// - Writing: heft_session_log_open(), then actions and steps in their order.
/// - Reading: <heft/replay.h>; or, with plug-ins and models of files, heft_replay_open() and
///   heft_replay_begin(), then heft_replay_step() until the last step. Any bytes may arrive as a
///   file; it opens no other file and loads no code.
///
/// For the command, the module of WebAssembly and the tests; not installed.
#ifndef HEFT_SESSION_LOG_H
#define HEFT_SESSION_LOG_H

#include <heft/access.h>
#include <heft/interact.h>
#include <heft/replay.h>
#include "record/mcap.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- what users do between two steps

/// Kinds of actions: X(kind, text).
#define HEFT_ACTION_LIST(X)                                                            \
  X(HEFT_ACTION_CHANGE, "change")           /* a parameter or an object: HeftChange */ \
  X(HEFT_ACTION_CONTROL, "control")         /* of an actuator; stays */                \
  X(HEFT_ACTION_JOINT_FORCE, "joint force") /* of a dof; stays */                      \
  X(HEFT_ACTION_PULL, "pull")               /* a spring to a point of the world */     \
  X(HEFT_ACTION_RELEASE, "release")         /* ends a pull */                          \
  X(HEFT_ACTION_FORCE, "force")             /* a force, during the next step */        \
  X(HEFT_ACTION_TRACK, "track")             /* a point of a person; until its release */

typedef enum HeftActionKind { HEFT_ACTION_LIST(HEFT_ENUM_ENTRY) HEFT_ACTION_COUNT } HeftActionKind;

enum { HEFT_ACTION_SLOTS = 16 };  ///< pulls and tracked points at the same time

/// One action, as plain data. Fields that its kind does not name are not used.
typedef struct HeftAction {
  HeftActionKind kind;  ///< what is done
  int index;            ///< control: actuator; joint force: dof; pull, force: body
  int slot;             ///< pull, track, release: 0 to 15; lasts until the slot is used again; slot
                        ///< k tracks point k - 1
  double value;         ///< control, joint force: the new value
  HeftVec3 at;          ///< pull: point in the frame of the body; force: point of the world [m]
  HeftVec3 target;      ///< pull: where the point is pulled to; track: the point, in the world [m]
  HeftVec3 force;       ///< force: in the world [N]
  double stiffness;     ///< pull: of the spring [N/m]
  double damping;       ///< pull: of the spring [N s/m]
  double force_max;     ///< pull: of the spring [N]; 0: none
  HeftChange change;    ///< change: what is changed
} HeftAction;

/// The pulls that last. Zero at the start.
typedef struct HeftUserForces {
  unsigned used;  ///< bit per slot
  HeftAction held[HEFT_ACTION_SLOTS];
} HeftUserForces;

/// Makes an action in a world. HEFT_ERR_VALUE: there is no such object, or a number is out of
/// range; nothing is changed. HEFT_ERR_ARGUMENT: an object is added or removed, which makes another
/// model (heft_model_apply_change()). error may be NULL.
HeftStatus heft_action_apply(const HeftAction* action, HeftWorld* world, HeftUserForces* forces,
                             HeftError* error);
/// Applies the pulls that last: before every step.
void heft_user_forces_apply(const HeftUserForces* forces, HeftWorld* world);
/// The same pulls as hands, for plug-ins. The spring acts as at the present state: the last step
/// is not needed. Returns their number.
int heft_user_forces_hands(const HeftUserForces* forces, const HeftWorld* world,
                           HeftHand hands[HEFT_ACTION_SLOTS]);

// ---- how a model was loaded

enum { HEFT_LOADING_EXCLUDES = 512, HEFT_LOADING_TEXT = 1 << 16 };

/// Options that change a model. Folders are not stored: a session must not open folders of the
/// machine that repeats it.
typedef struct HeftLoading {
  int floating, floor, place, servos, exclude_overlaps;  ///< as in HeftLoadDef
  double height, gains[2];
  char srdf[4096];               ///< "": none
  char text[HEFT_LOADING_TEXT];  ///< names of links
  size_t text_used;
  int exclude[HEFT_LOADING_EXCLUDES][2];  ///< places in the text
  int exclude_count;
  int folders;        ///< 1: folders were given, which are not stored
  double decompose;   ///< as in HeftLoadDef
  int pieces;         ///< HeftLoadDef.decompose_pieces; 0: the default
  int soft_contacts;  ///< as in HeftLoadDef
} HeftLoading;

/// Adds a pair of links. 0: there is no room.
int heft_loading_exclude(HeftLoading* loading, const char* first, const char* second);
/// An object of JSON.
void heft_loading_write(const HeftLoading* loading, HeftJsonText* text);
/// Reads any text. Returns NULL, or what is wrong.
const char* heft_loading_read(HeftLoading* loading, HeftJsonSpan object);

// ---- writing

/// Prefix of the name of an act of the command, in the place of a model file.
#define HEFT_SESSION_BUILTIN "builtin:"

/// Data of plug-ins in a session, as bytes. All functions get `user`.
typedef struct HeftSessionPlugins {
  const void* user;
  int count;
  /// Name and options of a plug-in, for the reader.
  const char* (*spec)(const void* user, int index, char* text, size_t size);
  size_t (*start_size)(const void* user);  ///< their data at the start
  void (*start)(const void* user, void* bytes);
  size_t (*input_size)(const void* user);  ///< what they took from outside before the last step
  void (*input)(const void* user, void* bytes);
} HeftSessionPlugins;

enum { HEFT_SESSION_PARAMETERS = 256 };

/// Where the world of a session comes from, and how it begins.
typedef struct HeftSessionInfo {
  const char* model_path;        ///< file, or an act of the command; for the user
  const HeftLoading* loading;    ///< NULL: by default
  const HeftModel* model;        ///< stored in the file; NULL: it is not
  HeftWorldDef world;            ///< settings of the world
  double time_step;              ///< [s]
  HeftSession* session;          ///< begins in its state; NULL: there are no probes
  const void* start;             ///< without a session: a heft_world_snapshot(); NULL: as created
  size_t start_size;             ///< [bytes]
  const HeftChange* parameters;  ///< changed before the start; NULL: none
  int parameter_count;           ///< at most HEFT_SESSION_PARAMETERS
  const HeftSessionPlugins* plugins;  ///< must outlive the log; NULL: there are none
} HeftSessionInfo;

typedef struct HeftSessionLog HeftSessionLog;

/// NULL if the file cannot be written or there is no memory; errno holds the reason.
HeftSessionLog* heft_session_log_open(const char* path, const HeftSessionInfo* info);
/// After a step of the session: its inputs, effort and hash.
void heft_session_log_step(HeftSessionLog* log, HeftSession* session, const HeftStepReport* report);
/// After steps without probes and deadlines: their number, and the hash of the state after them.
void heft_session_log_steps(HeftSessionLog* log, long count, uint64_t hash);
/// An action after `step` steps; -1: after those that were written so far. Actions come in the
/// order of their steps; they may lie within a run of steps that is written later.
void heft_session_log_action(HeftSessionLog* log, long step, const HeftAction* action);
/// Returns 0 if something could not be written.
int heft_session_log_close(HeftSessionLog* log);

// ---- replay

/// How a session began.
typedef struct HeftSessionStart {
  char model[4096];    ///< file
  char version[32];    ///< of Heft that recorded it
  double time_step;    ///< [s]
  HeftWorldDef world;  ///< settings of the world
  HeftLoading loading;
  int probes;
  HeftProbeDef probe[HEFT_SESSION_PROBES];
  int parameter_count;
  HeftChange parameter[HEFT_SESSION_PARAMETERS];  ///< changed before the start
  char plugins[4096];  ///< list of plug-ins, for messages; "" if there are none
} HeftSessionStart;

/// Additions of a program to a replay: plug-ins, and models of files. Functions may be NULL.
typedef struct HeftReplayHooks {
  void* user;
  /// A world was made: at the start, and after an object was added or removed.
  HeftStatus (*attach)(void* user, HeftWorld* world, HeftError* error);
  /// The data of plug-ins at the start; bytes is NULL if there is none.
  HeftStatus (*start)(void* user, const void* bytes, size_t size, HeftError* error);
  /// Before a step: hands of the users, and what plug-ins took from outside; bytes as above.
  HeftStatus (*before_step)(void* user, const HeftHand* hands, int count, const void* bytes,
                            size_t size, HeftError* error);
  void (*after_step)(void* user, const HeftStepReport* report);
  /// The model of a file that was added. NULL: refused.
  HeftModel* (*load)(void* user, const char* file);
  HeftReplayLeft* left;
} HeftReplayHooks;

/// Reads how a session began. Takes over the file, which must be seekable. *out is NULL on failure.
HeftStatus heft_replay_open(HeftReplay** out, FILE* file, HeftError* error);
const HeftSessionStart* heft_replay_start(const HeftReplay* replay);
/// The model in the file, which is the caller's. HEFT_ERR_NAME: there is none.
HeftStatus heft_replay_stored_model(HeftReplay* replay, HeftModel** model, HeftError* error);
/// Makes the world at its start; owns the model afterwards, also on failure. hooks may be NULL.
HeftStatus heft_replay_begin(HeftReplay* replay, HeftModel* model, const HeftReplayHooks* hooks,
                             HeftError* error);
long heft_replay_action_count(const HeftReplay* replay);
/// Hashes that were compared so far.
long heft_replay_compared(const HeftReplay* replay);
/// Reads an action, and the number of steps before it.
HeftStatus heft_replay_action(HeftReplay* replay, long index, HeftAction* action, long* step,
                              HeftError* error);
/// Goes back or ahead to the moment after `step` steps. snapshot: heft_session_snapshot() at that
/// moment of this replay; NULL: the steps are taken again from the start.
HeftStatus heft_replay_go(HeftReplay* replay, long step, const void* snapshot, size_t size,
                          HeftError* error);
/// More objects of the replay; other ones after an object was added or removed, and after
/// heft_replay_go().
HeftSession* heft_replay_session(const HeftReplay* replay);
const HeftModel* heft_replay_model(const HeftReplay* replay);

#ifdef __cplusplus
}
#endif
#endif
