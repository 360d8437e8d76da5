// SPDX-License-Identifier: Apache-2.0
// What js/lib/heft.js needs beside the public functions: a hook that calls JavaScript, and loops over bodies and
// shapes, which would be slow from there.
#include <heft/heft.h>
#include <heft/io.h>
#include <stdio.h>
#include <string.h>

#include "act.h"
#include "record/session_log.h"
#include "serve/frame.h"

#define IMPORT(name) __attribute__((import_module("heft"), import_name(name)))

/// JavaScript stores the warning.
IMPORT("warning") void heft_js_warn(void* user, const HeftError* error, int count);

HeftWarningHook* heft_js_warning_hook(void);
HeftWarningHook* heft_js_warning_hook(void) { return heft_js_warn; }

static void put_pose(HeftPose pose, double out[12]) {
  const double* rot = &pose.rot.m[0][0];
  out[0] = pose.pos.x, out[1] = pose.pos.y, out[2] = pose.pos.z;
  for (int k = 0; k < 9; ++k) out[3 + k] = rot[k];
}

/// Poses of all bodies (nbody x 12): position, rotation matrix row by row.
void heft_js_body_poses(const HeftWorld* world, double* out);
void heft_js_body_poses(const HeftWorld* world, double* out) {
  const HeftDynamics* dynamics = heft_world_dynamics(world);
  const HeftModel* model = heft_world_model(world);
  for (int i = 0; i < model->nbody; ++i)
    put_pose(heft_dynamics_body_pose(dynamics, i), out + 12 * i);
}

/// The same for all shapes (nshape x 12).
void heft_js_shape_poses(const HeftWorld* world, double* out);
void heft_js_shape_poses(const HeftWorld* world, double* out) {
  const HeftDynamics* dynamics = heft_world_dynamics(world);
  const HeftModel* model = heft_world_model(world);
  for (int i = 0; i < model->nshape; ++i) {
    const double *p = model->shape_pos + 3 * i, *q = model->shape_quat + 4 * i;
    const HeftQuat quat = {q[0], q[1], q[2], q[3]};
    const HeftPose local = {heft_quat_to_mat3(quat), heft_vec3_from(p)};
    const HeftPose body = heft_dynamics_body_pose(dynamics, model->shape_body[i]);
    put_pose(heft_pose_mul(body, local), out + 12 * i);
  }
}

// ---- sessions

/// Bytes of HeftUserForces, which JavaScript holds.
size_t heft_js_user_forces_size(void);
size_t heft_js_user_forces_size(void) { return sizeof(HeftUserForces); }

/// An act sees who pulls, before a step.
void heft_js_act_hands(HeftPluginSet* act, const HeftUserForces* forces, const HeftWorld* world);
void heft_js_act_hands(HeftPluginSet* act, const HeftUserForces* forces, const HeftWorld* world) {
  HeftHand hands[HEFT_ACTION_SLOTS];
  heft_plugin_set_hands(act, hands, heft_user_forces_hands(forces, world, hands));
}

// The act of a session: its name and options, and its data at the start.
typedef struct ActStart {
  const char* spec;
  const void* bytes;
  size_t size;
} ActStart;

static const char* act_spec(const void* user, int index, char* text, size_t size) {
  (void)index;
  snprintf(text, size, "%s", ((const ActStart*)user)->spec);
  return text;
}
static size_t act_size(const void* user) { return ((const ActStart*)user)->size; }
static void act_bytes(const void* user, void* bytes) {
  memcpy(bytes, ((const ActStart*)user)->bytes, act_size(user));
}
static size_t act_input_size(const void* user) {
  (void)user;
  return 0;
}

/// Begins the file of a session without probes; start NULL: the world as it is created. spec: the act
/// of the world with its options, "" if it has none; act: its data at the start.
HeftSessionLog* heft_js_session_open(const char* path, const char* name, const HeftModel* model,
                                     const HeftWorldDef* world, double time_step, const void* start,
                                     size_t size, const HeftChange* parameters, int count,
                                     const char* spec, const void* act, size_t act_length);
HeftSessionLog* heft_js_session_open(const char* path, const char* name, const HeftModel* model,
                                     const HeftWorldDef* world, double time_step, const void* start,
                                     size_t size, const HeftChange* parameters, int count,
                                     const char* spec, const void* act, size_t act_length) {
  // One session is written at a time, from its beginning to its end.
  static ActStart begin;
  static HeftSessionPlugins plugins;
  begin = (ActStart){spec, act, act_length};
  plugins = (HeftSessionPlugins){.user = &begin,
                                 .count = 1,
                                 .spec = act_spec,
                                 .start_size = act_size,
                                 .start = act_bytes,
                                 .input_size = act_input_size};
  const HeftSessionInfo info = {.model_path = name,
                                .model = model,
                                .world = *world,
                                .time_step = time_step,
                                .start = start,
                                .start_size = size,
                                .parameters = parameters,
                                .parameter_count = count,
                                .plugins = *spec ? &plugins : NULL};
  return heft_session_log_open(path, &info);
}

// The act of a replay, which sees the hands of the users as it did.
static HeftStatus attach(void* act, HeftWorld* world, HeftError* error) {
  return heft_plugin_set_attach(act, world, error);
}
static HeftStatus begin_act(void* act, const void* bytes, size_t size, HeftError* error) {
  const HeftStatus status = bytes ? heft_plugin_set_restore(act, bytes, size) : HEFT_ERR_VALUE;
  if (status != HEFT_OK)
    snprintf(error->message, sizeof error->message,
             "the data of the act does not fit: the session "
             "is damaged, or comes from another version of Heft");
  return status;
}
static HeftStatus before_step(void* act, const HeftHand* hands, int count, const void* bytes,
                              size_t size, HeftError* error) {
  (void)bytes, (void)size;  // acts read nothing from outside
  heft_plugin_set_hands(act, hands, count);
  return heft_plugin_set_before_step(act, error);
}
static void after_step(void* act, const HeftStepReport* report) {
  heft_plugin_set_after_step(act, report);
}

// The act of a session with the options with which it plans: plugins is "NAME:OPTIONS" in quotes.
static HeftStatus make_act(HeftPluginSet** act, const char* name, const char* plugins,
                           HeftError* error) {
  char options[1400] = "";
  const char* colon = strchr(plugins, ':');
  if (colon) snprintf(options, sizeof options, "%.*s", (int)strcspn(colon + 1, "\""), colon + 1);
  return heft_js_act_create(act, name, options, error);
}

/// Opens a session of a file, with the model in it, at its start. *act: the act of the session, which
/// is the caller's and outlives the replay's world; NULL if there is none.
HeftStatus heft_js_replay_open(HeftReplay** out, HeftPluginSet** act, const char* path,
                               HeftError* error);
HeftStatus heft_js_replay_open(HeftReplay** out, HeftPluginSet** act, const char* path,
                               HeftError* error) {
  const size_t prefix = strlen(HEFT_SESSION_BUILTIN);
  FILE* file = fopen(path, "rb");
  HeftModel* model = NULL;
  *out = NULL;
  *act = NULL;
  if (!file) return HEFT_ERR_FILE;
  HeftStatus status = heft_replay_open(out, file, error);
  const char* name = status == HEFT_OK ? heft_replay_start(*out)->model : "";
  if (strncmp(name, HEFT_SESSION_BUILTIN, prefix) == 0)
    status = make_act(act, name + prefix, heft_replay_start(*out)->plugins, error);
  const HeftReplayHooks hooks = {*act, attach, begin_act, before_step, after_step, NULL, NULL};
  if (status == HEFT_OK) status = heft_replay_stored_model(*out, &model, error);
  if (status == HEFT_OK) status = heft_replay_begin(*out, model, *act ? &hooks : NULL, error);
  if (status == HEFT_OK) return HEFT_OK;
  heft_plugin_set_destroy(*act);
  heft_replay_destroy(*out);
  *act = NULL;
  *out = NULL;
  return status;
}

/// The file of the model that a session names, and its plug-ins, "" if it has none.
const char* heft_js_replay_name(const HeftReplay* replay);
const char* heft_js_replay_name(const HeftReplay* replay) {
  return heft_replay_start(replay)->model;
}
const char* heft_js_replay_plugins(const HeftReplay* replay);
const char* heft_js_replay_plugins(const HeftReplay* replay) {
  return heft_replay_start(replay)->plugins;
}

/// Parameters that were changed before the start of a session.
int heft_js_replay_parameter_count(const HeftReplay* replay);
int heft_js_replay_parameter_count(const HeftReplay* replay) {
  return heft_replay_start(replay)->parameter_count;
}
const HeftChange* heft_js_replay_parameter(const HeftReplay* replay, int index);
const HeftChange* heft_js_replay_parameter(const HeftReplay* replay, int index) {
  return &heft_replay_start(replay)->parameter[index];
}

/// Settings of the world of a session.
const HeftWorldDef* heft_js_replay_world_def(const HeftReplay* replay);
const HeftWorldDef* heft_js_replay_world_def(const HeftReplay* replay) {
  return &heft_replay_start(replay)->world;
}

// ---- a shared world

/// A session with a probe for each user; number: FRAME_PROBE for each, as src/serve/sharing.c writes them.
HeftStatus heft_js_shared_open(HeftSession** out, HeftWorld* world, int users, const double* number,
                               HeftError* error);
HeftStatus heft_js_shared_open(HeftSession** out, HeftWorld* world, int users, const double* number,
                               HeftError* error) {
  HeftProbeDef probes[HEFT_SESSION_PROBES];
  for (int i = 0; i < users && i < HEFT_SESSION_PROBES; ++i, number += FRAME_PROBE)
    probes[i] = frame_probe_def(number);
  return heft_session_create(out, world, users, probes, NULL, error);
}

/// The force on the hand of a user [N].
void heft_js_shared_force(HeftSession* session, int seat, double* out);
void heft_js_shared_force(HeftSession* session, int seat, double* out) {
  const HeftVec3 force = heft_probe_state(heft_session_probe(session, seat))->force;
  out[0] = force.x, out[1] = force.y, out[2] = force.z;
}

/// One step with the inputs of all users.
void heft_js_shared_step(HeftSession* session, int users, const FrameInput* row);
void heft_js_shared_step(HeftSession* session, int users, const FrameInput* row) {
  HeftProbeInput in[HEFT_SESSION_PROBES];
  for (int i = 0; i < users; ++i) in[i] = frame_probe(&row[i]);
  heft_session_step(session, in, 0, NULL);
}
