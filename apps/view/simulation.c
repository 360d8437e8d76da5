// SPDX-License-Identifier: Apache-2.0
// A world in a thread of its own, a world that the caller steps, or a recorded run.
//
// Time: while it runs, the simulated time follows the clock, multiplied by a factor. The thread
// steps until it has caught up, then sleeps until the next step is due. If it is late by more than
// 0.1 s, the schedule is moved by that time: the motion is slower, and no lateness accumulates.
//
// Deadlines: a long step may make the motion late by a twentieth of a second at most, which a
// person hardly sees. Beyond, each step has a deadline, a share of the time that it lasts at the
// speed that is asked for: the thread catches up. It is cut if the contact solver needs longer
// (heft_world_step_until()). Users with devices feel a late step: their steps always have that
// share, and so have steps of a motion that is slower than it should be. Where a step lasts longer
// in spite of its deadline, because of collision and dynamics, the motion is slower. Single steps
// have no deadline. A frame counts the steps that were cut.
//
// Frames: a triple buffer passes them to the drawing thread; neither thread waits.
//
// Commands: a short list, protected by a mutex that is locked only while a command is copied.
#include <heft/view.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/triple_buffer.h"
#include "interact/hand.h"
#include "math/histogram.h"
#include "view/diverged.h"
#include "view/ground_force.h"
#include "view/memory.h"
#include "view/playback.h"
#include "view/plugin_frame.h"
#include "view/timeline.h"

enum {
  COMMANDS = 256,
  BINS = 400,
  LIVE_SAMPLES = 64  // of a frame: they are copied until it is drawn, which delays the loop
};

typedef enum CommandKind {
  COMMAND_RUN,
  COMMAND_STEP,
  COMMAND_FACTOR,
  COMMAND_RESET,
  COMMAND_REWIND,
  COMMAND_GRAB,
  COMMAND_PUSH,
  COMMAND_CONTROL,
  COMMAND_TARGET,
  COMMAND_SET,
  COMMAND_GHOST,
  COMMAND_CHOOSE,
  COMMAND_OPTION,
  COMMAND_CHANGE,
  COMMAND_RECORD,
  COMMAND_DEADLINE,
  COMMAND_MARGINS
} CommandKind;

typedef struct Command {
  CommandKind kind;
  int index, other;
  double value;
  HeftGrab grab;
  HeftVec3 point, impulse;
  HeftSimulationSettings settings;
  HeftChange change;
} Command;

// Steps of half a second.
typedef struct Recent {
  long steps, cut;
  double worst;  // relative residual of those that were cut
} Recent;

// A world with a copy of the model, changed by the settings.
typedef struct Rig {
  HeftModel* model;
  HeftWorld* world;
} Rig;

struct HeftSimulation {
  HeftAllocator allocator;
  HeftSimulationDef def;
  const HeftModel* model;  // from the caller
  pthread_t thread;
  pthread_mutex_t mutex;
  pthread_cond_t wake, answer;
  Command command[COMMANDS];  // protected by the mutex, like all fields up to the frames
  int command_count, quit;
  HeftUsers next_users;
  long users_asked, users_answered;
  HeftRecorder next_recorder;
  char record_path[1024];       // "": end the recording
  const HeftModel* next_model;  // or NULL: no change is asked for
  HeftChange next_change;
  HeftStatus change_status;
  HeftError change_error;

  HeftViewFrame frame[3];
  TripleBuffer frames;  // of `frame`

  // used only by the thread
  Rig rig, ghost;
  HeftDynamics* dynamics;
  HeftState* state;  // scratch
  void* image;       // the model as bytes, the source of copies
  size_t image_size;
  int margins, filled;   // 1: friction needed is asked for; the last frame that has it
  uint64_t margins_due;  // when it is asked again
  double most_needed;    // of all stances
  Timeline timeline;
  HeftSimulationSettings settings;
  HeftGrab grab;
  HeftVec3 grab_from, grab_force;
  int grab_coupling;  // its index in the step, -1: none
  HeftUsers users;
  HeftSession* session;  // of the users in the world of the rig
  HeftUser person[HEFT_SERVO_DEVICES];
  HeftLocalModel felt[HEFT_SERVO_DEVICES];  // local models that the servo renders
  int absent;                               // steps without users
  HeftPluginSet* plugins;                   // or NULL; of the caller
  uint64_t plugins_checked;
  long plugin_reloads;
  HeftRecorder recorder;
  int recording, recordings;
  int changes;  // of the world since the file was opened, that a recording would need
  long recorded;
  uint64_t last_hash;
  char record_end[96];
  HeftStepReport report;
  HeftStepTally tally;  // since the start or the last reset
  long step, cuts;      // steps, and those that a deadline cut
  Recent recent[3];     // the half second at hand, and the two before it
  int deadline;
  int slow;  // half seconds for which the motion counts as slower than it should be
  int running, pending, key, chosen_dof, chosen_actuator;
  double factor, h;
  uint64_t anchor_clock, published, window_clock, start_clock;
  double anchor_time, window_time, achieved, start_time;
  long bins[BINS];  // times of steps (step_bins)
  double longest, step_p50, step_p99;
  HeftSample sample[HEFT_FRAME_SAMPLES];
  int sample_count, sample_skip, sample_seen;
  int dirty;
  char trouble[320];
  uint64_t synced;   // end of the last heft_simulation_sync()
  int passive;       // 1: the caller steps the world
  int is_recording;  // 1: a recorded run is shown, by these fields
  Playback playback;
  HeftViewFrame scratch;
  HeftSample other_sample[HEFT_FRAME_SAMPLES];
  double play_time;
  long row, seeks;
  int sent;  // samples at the front that the last frame contains
};

HeftSimulationSettings heft_simulation_settings_default(void) {
  return (HeftSimulationSettings){.friction = 1,
                                  .restitution = -1,
                                  .gravity = 1,
                                  .tolerance = heft_world_def_default().tolerance,
                                  .contact_options = heft_contact_options_default()};
}

HeftSimulationDef heft_simulation_def_default(void) {
  return (HeftSimulationDef){.allocator = heft_allocator_default(),
                             .settings = heft_simulation_settings_default(),
                             .key = -1,
                             .snapshot_every = 0.02,
                             .timeline_bytes = (size_t)256 << 20,
                             .contact_capacity = 2048,
                             .deadline = 1};
}

#define PLOT_NAME(name, text, unit) text,
#define PLOT_UNIT(name, text, unit) unit,
const char* heft_plot_name(HeftPlot plot) {
  static const char* const names[] = {HEFT_PLOT_LIST(PLOT_NAME)};
  return plot >= 0 && plot < HEFT_PLOT_COUNT ? names[plot] : "";
}
const char* heft_plot_unit(HeftPlot plot) {
  static const char* const units[] = {HEFT_PLOT_LIST(PLOT_UNIT)};
  return plot >= 0 && plot < HEFT_PLOT_COUNT ? units[plot] : "";
}

// ---- settings

// Size of a tree: twice the max distance of a centre of mass from the root [m].
static double tree_lever(const HeftModel* m, const HeftDynamics* d, int body) {
  int root = body;
  double far = 0;
  while (m->body_parent[root] > 0) root = m->body_parent[root];
  for (int b = root; b < m->nbody; ++b) {
    int up = b;
    while (up > root) up = m->body_parent[up];
    if (up != root) continue;
    const HeftVec3 at =
        heft_pose_apply(heft_dynamics_body_pose(d, b), heft_vec3_from(&m->body_com[3 * b]));
    far = fmax(far, heft_vec3_norm(heft_vec3_sub(at, heft_dynamics_body_pose(d, root).pos)));
  }
  return far;
}

// Springs at the hinges that carry the weight of the tree at a lever of its size.
static void hold_joints(HeftModel* m, const HeftDynamics* d, const double* q, double gain) {
  for (int j = 0; j < m->njoint; ++j) {
    const HeftJointType type = m->joint_type[j];
    const int dof = m->joint_dof[j], body = m->joint_body[j];
    if (type != HEFT_JOINT_HINGE && type != HEFT_JOINT_SLIDE) continue;
    const double weight = 9.81 * hand_tree_mass(m, body), lever = tree_lever(m, d, body);
    const double k = gain * weight * (type == HEFT_JOINT_HINGE ? 2.5 * lever : 20 / (lever + 1e-3));
    m->dof_stiffness[dof] += k;
    m->dof_damping[dof] += 0.06 * k;
    m->q_spring[m->joint_q[j]] = q[m->joint_q[j]];
  }
}

static void apply_settings(HeftModel* m, const HeftSimulationSettings* s) {
  for (int i = 0; i < m->nmaterial; ++i) {
    m->material_friction[i] *= s->friction;
    m->material_kinetic[i] *= s->friction;
    if (s->restitution >= 0) m->material_restitution[i] = s->restitution;
  }
  for (int k = 0; k < 3; ++k) m->physics.gravity[k] *= s->gravity;
}

static void rig_free(Rig* rig) {
  heft_world_destroy(rig->world);
  heft_model_destroy(rig->model);
  *rig = (Rig){NULL, NULL};
}

// A world with these settings and an initial state (NULL: the pose of the file).
static HeftStatus rig_make(HeftSimulation* s, Rig* rig, const HeftSimulationSettings* settings,
                           const HeftState* state, HeftError* error) {
  HeftWorldDef def = heft_world_def_default();
  def.allocator = s->allocator;
  def.time_step = settings->time_step;
  def.tolerance = settings->tolerance;
  def.contact_model = settings->contact_model;
  def.contact_options = settings->contact_options;
  *rig = (Rig){NULL, NULL};
  HeftStatus status = heft_model_load(&rig->model, s->image, s->image_size, &s->allocator, error);
  if (status != HEFT_OK) return status;
  apply_settings(rig->model, settings);
  const double* q = state ? state->q : s->model->q_default;
  if (settings->hold > 0) {
    heft_dynamics_set_moved(s->dynamics, state ? state->moved : NULL);
    heft_dynamics_kinematics(s->dynamics, q);
    hold_joints(rig->model, s->dynamics, q, settings->hold);
  }
  status = heft_world_create(&rig->world, rig->model, &def, error);
  if (status == HEFT_OK && state) status = heft_world_set_state(rig->world, state);
  if (status != HEFT_OK) rig_free(rig);
  return status;
}

static void copy_controls(const HeftModel* m, HeftWorld* from, HeftWorld* to) {
  if (m->nactuator > 0)
    memcpy(heft_world_controls(to), heft_world_controls(from),
           (size_t)m->nactuator * sizeof(double));
}

static double step_length(const HeftSimulation* s) {
  return s->settings.time_step > 0 ? s->settings.time_step : s->model->physics.time_step;
}

static void say_trouble(HeftSimulation* s, const char* text) {
  snprintf(s->trouble, sizeof s->trouble, "%.310s", text);
}

static void restart_clock(HeftSimulation* s) {
  const double now = *heft_world_state(s->rig.world)->time;
  s->anchor_clock = s->window_clock = s->start_clock = heft_clock_ns();
  s->anchor_time = s->window_time = s->start_time = now;
  s->achieved = s->factor;
  memset(s->recent, 0, sizeof s->recent);
}

// ---- users with devices

static void wait_ns(HeftSimulation* s, uint64_t ns) {
  const uint64_t end = heft_clock_ns() + ns;
  const struct timespec at = {(time_t)(end / 1000000000u), (long)(end % 1000000000u)};
  pthread_mutex_lock(&s->mutex);
  while (heft_clock_ns() < end) pthread_cond_timedwait(&s->wake, &s->mutex, &at);
  pthread_mutex_unlock(&s->mutex);
}

static void render_share(HeftSimulation* s, int person, double share) {
  HeftLocalModel m = s->felt[person];
  m.stiffness *= share;
  m.damping *= share;
  m.rotational_stiffness *= share;
  m.rotational_damping *= share;
  m.steady = heft_vec3_scale(share, m.steady);
  if (share <= 0) m.kind = HEFT_LOCAL_NONE;
  heft_servo_model(s->users.servo, person, &m);
}

// Reduces the forces on users to zero in 50 ms, before the world changes or pauses.
static void let_go(HeftSimulation* s) {
  enum { TURNS = 50 };
  int feels = 0;
  for (int i = 0; i < s->users.count; ++i) feels |= s->felt[i].kind != HEFT_LOCAL_NONE;
  for (int k = 1; k <= TURNS && feels; ++k) {
    for (int i = 0; i < s->users.count; ++i) render_share(s, i, 1 - (double)k / TURNS);
    if (k < TURNS) wait_ns(s, 1000000u);
  }
  for (int i = 0; i < s->users.count; ++i) s->felt[i].kind = HEFT_LOCAL_NONE;
}

// The probes are absent for 0.1 s. Then they enter the changed world from outside, and their forces
// start from zero.
static void send_away(HeftSimulation* s) { s->absent = 1 + (int)(0.1 / s->h); }

// The session of the current users in the current world.
static void meet(HeftSimulation* s) {
  HeftError error = {0};
  heft_session_destroy(s->session);
  s->session = NULL;
  const int count = s->users.count;
  if (heft_session_create(&s->session, s->rig.world, count, s->users.probe, &s->allocator,
                          &error) != HEFT_OK) {
    say_trouble(s, error.message);
    s->users.count = 0;
  }
  send_away(s);
}

static void end_record(HeftSimulation* s, const char* why) {
  if (!s->recording) return;
  const int well = s->recorder.end(s->recorder.user);
  s->recording = 0;
  ++s->recordings;
  snprintf(s->record_end, sizeof s->record_end, "%s",
           well ? why : "the recording cannot be written");
}

static int as_in_the_file(const HeftSimulationSettings* s) {
  const HeftSimulationSettings usual = heft_simulation_settings_default();
  return s->friction == 1 && s->restitution < 0 && s->gravity == 1 && s->hold == 0 &&
         s->tolerance == usual.tolerance && s->contact_model == usual.contact_model;
}

static void begin_record(HeftSimulation* s, const HeftRecorder* recorder, const char* path) {
  end_record(s, "another recording began");
  const char* why = !s->session      ? "no device is connected"
                    : s->changes > 0 ? "the world was changed; open the file again, then record"
                    : !as_in_the_file(&s->settings)
                        ? "sessions need the settings of the model file; "
                          "reset them"
                        : "";
  if (!why[0]) {
    s->recorder = *recorder;
    s->recording = recorder->begin(recorder->user, path, s->rig.world, s->session, s->h);
    why = s->recording ? "" : "the file cannot be opened";
  }
  s->recorded = 0;
  if (s->recording) s->grab.body = -1;
  if (!s->recording) ++s->recordings;
  snprintf(s->record_end, sizeof s->record_end, "%s", why);
}

static void take_recorder(HeftSimulation* s) {
  char path[sizeof s->record_path];
  pthread_mutex_lock(&s->mutex);
  const HeftRecorder recorder = s->next_recorder;
  memcpy(path, s->record_path, sizeof path);
  pthread_mutex_unlock(&s->mutex);
  if (path[0]) {
    begin_record(s, &recorder, path);
  } else {
    end_record(s, "");
  }
}

static void take_users(HeftSimulation* s) {
  end_record(s, "the devices changed");
  let_go(s);
  s->dirty = 1;
  pthread_mutex_lock(&s->mutex);
  s->users = s->next_users;
  const long asked = s->users_asked;
  pthread_mutex_unlock(&s->mutex);
  for (int i = 0; i < HEFT_SERVO_DEVICES; ++i) s->person[i] = (HeftUser){.state = {.body = -1}};
  meet(s);
  pthread_mutex_lock(&s->mutex);
  s->users_answered = asked;
  pthread_cond_broadcast(&s->answer);
  pthread_mutex_unlock(&s->mutex);
}

// Commands that change the world but are not part of a recording.
static int stays_out(const HeftSimulation* s, const Command* w) {
  return s->recording &&
         (w->kind == COMMAND_PUSH || w->kind == COMMAND_CONTROL || w->kind == COMMAND_TARGET ||
          (w->kind == COMMAND_GRAB && w->grab.body > 0));
}

static void change_settings(HeftSimulation* s, const HeftSimulationSettings* settings) {
  HeftError error = {0};
  end_record(s, "the settings changed");
  let_go(s);
  Rig rig;
  heft_state_copy(s->state, heft_world_state(s->rig.world));
  if (rig_make(s, &rig, settings, s->state, &error) != HEFT_OK) {
    say_trouble(s, error.message);
    return;
  }
  copy_controls(s->model, s->rig.world, rig.world);
  heft_world_transfer(rig.world, s->rig.world, NULL);  // with parameters and impulses
  heft_session_destroy(s->session);
  s->session = NULL;
  const int refused =
      s->plugins && heft_plugin_set_attach(s->plugins, rig.world, &error) != HEFT_OK;
  rig_free(&s->rig);
  s->rig = rig;
  s->settings = *settings;
  s->h = step_length(s);
  meet(s);
  s->trouble[0] = '\0';
  if (refused) say_trouble(s, error.message);
  timeline_clear(&s->timeline);
  timeline_keep(&s->timeline, s->rig.world, s->plugins, s->step, s->cuts);
  restart_clock(s);
}

// ---- changes

static void forget_past(HeftSimulation* s) {
  timeline_clear(&s->timeline);
  timeline_keep(&s->timeline, s->rig.world, s->plugins, s->step, s->cuts);
  rig_free(&s->ghost);
}

static void record_change(HeftSimulation* s, const HeftChange* change) {
  ++s->changes;
  if (!s->recording) return;
  if (s->recorder.change) {
    s->recorder.change(s->recorder.user, change, s->rig.world, s->session);
  } else {
    end_record(s, "the world was changed");
  }
}

static void change_parameter(HeftSimulation* s, const HeftChange* change) {
  HeftError error = {0};
  if (heft_world_apply_change(s->rig.world, change, &error) != HEFT_OK) {
    say_trouble(s, error.message);
    return;
  }
  record_change(s, change);
  forget_past(s);
}

static int frame_make(HeftSimulation* s, HeftViewFrame* f);
static void frame_free(HeftSimulation* s, HeftViewFrame* f);
static void publish(HeftSimulation* s);

// Parts that belong to a model. Its sizes come from s->model.
typedef struct Parts {
  const HeftModel* model;
  HeftDynamics* dynamics;
  HeftState* state;
  void* image;
  size_t image_size;
  HeftViewFrame frame[3];
} Parts;

static void exchange(HeftSimulation* s, Parts* parts) {
  const Parts old = {.model = s->model,
                     .dynamics = s->dynamics,
                     .state = s->state,
                     .image = s->image,
                     .image_size = s->image_size,
                     .frame = {s->frame[0], s->frame[1], s->frame[2]}};
  s->model = parts->model;
  s->dynamics = parts->dynamics;
  s->state = parts->state;
  s->image = parts->image;
  s->image_size = parts->image_size;
  memcpy(s->frame, parts->frame, sizeof s->frame);
  *parts = old;
}

// With the parts of the model in s.
static HeftStatus make_parts(HeftSimulation* s, HeftError* error) {
  HeftStatus status = heft_dynamics_create(&s->dynamics, s->model, &s->allocator, error);
  if (status == HEFT_OK) status = heft_state_create(&s->state, s->model, &s->allocator, error);
  if (status != HEFT_OK) return status;
  s->image_size = heft_model_save_size(s->model);
  s->image = view_take(&s->allocator, s->image_size);
  int good = s->image != NULL;
  for (int i = 0; good && i < 3; ++i) good = frame_make(s, &s->frame[i]);
  if (!good) return view_fail(error, HEFT_ERR_MEMORY, "not enough memory for a simulation");
  heft_model_save(s->model, s->image);
  return HEFT_OK;
}

static void free_parts(HeftSimulation* s) {
  for (int i = 0; i < 3; ++i) frame_free(s, &s->frame[i]);
  heft_dynamics_destroy(s->dynamics);
  heft_state_destroy(s->state);
  view_give(&s->allocator, s->image, s->image_size);
}

static HeftStatus enter_model(HeftSimulation* s, const HeftModel* model, const HeftChange* change,
                              HeftError* error) {
  Parts parts = {.model = model};
  Rig rig = {NULL, NULL};
  exchange(s, &parts);
  HeftStatus status = make_parts(s, error);
  if (status == HEFT_OK) status = rig_make(s, &rig, &s->settings, NULL, error);
  if (status == HEFT_OK) status = heft_world_transfer(rig.world, s->rig.world, error);
  if (status != HEFT_OK) {
    rig_free(&rig);
    free_parts(s);
    exchange(s, &parts);
    return status;
  }
  HeftError refusal = {0};
  const int refused =
      s->plugins && heft_plugin_set_attach(s->plugins, rig.world, &refusal) != HEFT_OK;
  heft_session_destroy(s->session);
  s->session = NULL;
  rig_free(&s->rig);
  s->rig = rig;
  s->grab.body = -1;
  s->grab_coupling = -1;
  meet(s);
  s->trouble[0] = '\0';
  if (refused) say_trouble(s, refusal.message);
  record_change(s, change);
  forget_past(s);
  exchange(s, &parts);  // the old ones know their sizes
  free_parts(s);
  exchange(s, &parts);
  triple_buffer_init(&s->frames);
  return HEFT_OK;
}

static void take_model(HeftSimulation* s) {
  let_go(s);
  pthread_mutex_lock(&s->mutex);
  const HeftModel* model = s->next_model;
  const HeftChange change = s->next_change;
  pthread_mutex_unlock(&s->mutex);
  HeftError error = {0};
  const HeftStatus status = enter_model(s, model, &change, &error);
  publish(s);
  pthread_mutex_lock(&s->mutex);
  s->next_model = NULL;
  s->change_status = status;
  s->change_error = error;
  pthread_cond_broadcast(&s->answer);
  pthread_mutex_unlock(&s->mutex);
}

// ---- commands

static void go_to_start(HeftSimulation* s, int key) {
  end_record(s, "the simulation was restarted");
  let_go(s);
  send_away(s);
  heft_state_reset(s->state, s->model);
  if (key >= 0 && key < s->model->nkey) {
    heft_state_set_key(s->state, s->model, key);
    *s->state->time = 0;
  }
  heft_world_reset(s->rig.world);
  if (heft_world_set_state(s->rig.world, s->state) != HEFT_OK)
    say_trouble(s, "the numbers of the keyframe are not finite");
  if (key >= 0 && key < s->model->nkey && s->model->nactuator > 0)
    memcpy(heft_world_controls(s->rig.world),
           &s->model->key_control[(size_t)key * (size_t)s->model->nactuator],
           (size_t)s->model->nactuator * sizeof(double));
  s->step = 0;
  s->key = key;
  s->pending = 0;
  s->trouble[0] = '\0';
  HeftError error = {0};
  if (s->plugins && heft_plugin_set_reset(s->plugins, &error) != HEFT_OK)
    say_trouble(s, error.message);
  s->report = (HeftStepReport){0};
  s->tally = (HeftStepTally){0};
  rig_free(&s->ghost);
}

static void reset(HeftSimulation* s, int key) {
  go_to_start(s, key);
  if (s->settings.hold > 0) {  // the springs hold the initial pose
    const HeftSimulationSettings settings = s->settings;
    change_settings(s, &settings);
    return;
  }
  timeline_keep(&s->timeline, s->rig.world, s->plugins, 0, s->cuts);
  restart_clock(s);
}

static void step_once(HeftSimulation* s, int keep);

static void rewind_to(HeftSimulation* s, double time) {
  const Snapshot* at = timeline_find(&s->timeline, time + 1e-9);
  s->running = s->pending = 0;
  if (!at) return;
  end_record(s, "the simulation was rewound");
  let_go(s);
  send_away(s);
  const long step = at->step;
  const int exact = timeline_is_exact(&s->timeline, at, s->cuts);
  s->trouble[0] = '\0';
  const HeftStatus status = timeline_restore(&s->timeline, at, s->rig.world, s->plugins);
  if (status == HEFT_ERR_SYNTAX && s->plugins) {  // of a former version of a plug-in
    say_trouble(s, "a plug-in has no data of that time, and starts anew");
    heft_plugin_set_reset(s->plugins, NULL);
  } else if (status != HEFT_OK) {
    say_trouble(s, "the snapshot does not fit the world");
    return;
  }
  s->step = step;
  rig_free(&s->ghost);
  // Inputs of users and of controllers in other processes are not stored between two snapshots, nor
  // is what a deadline left of a step: with them, only snapshots can be reached.
  const int outside =
      !exact || s->users.count > 0 || (s->plugins && heft_plugin_set_record_size(s->plugins) > 0);
  const int max = outside ? 0 : 2 + (int)(s->def.snapshot_every / s->h);
  for (int i = 0; i < max && *heft_world_state(s->rig.world)->time < time - 0.5 * s->h; ++i)
    step_once(s, 0);
  s->sample_count = 0;
}

static void push(HeftSimulation* s, const Command* w) {
  if (w->index > 0 && w->index < s->model->nbody)
    heft_world_apply_wrench(s->rig.world, w->index, w->point, heft_vec3_scale(1 / s->h, w->impulse),
                            heft_vec3(0, 0, 0));
}

static void start_ghost(HeftSimulation* s, int on) {
  HeftError error = {0};
  rig_free(&s->ghost);
  if (!on) return;
  heft_state_copy(s->state, heft_world_state(s->rig.world));
  if (rig_make(s, &s->ghost, &s->settings, s->state, &error) == HEFT_OK) {
    copy_controls(s->model, s->rig.world, s->ghost.world);
  } else {
    say_trouble(s, error.message);
  }
}

static void set_option(HeftSimulation* s, const Command* w) {
  if (!s->plugins || w->index < 0 || w->index >= heft_plugin_set_count(s->plugins)) return;
  if (w->other < 0 || w->other >= heft_plugin_set_plugin(s->plugins, w->index)->options.count)
    return;
  end_record(s, "an option of a plug-in changed");
  heft_plugin_set_set_option(s->plugins, w->index, w->other, w->value, NULL);
}

// Loads plug-ins again whose files have changed; looks at the files five times a second.
static void renew_plugins(HeftSimulation* s) {
  HeftError error = {0};
  int count = 0;
  const uint64_t now = heft_clock_ns();
  if (!s->plugins || now - s->plugins_checked < 200000000u) return;
  s->plugins_checked = now;
  const HeftStatus status = heft_plugin_set_reload(s->plugins, &count, &error);
  if (status != HEFT_OK) say_trouble(s, error.message);
  if (count > 0) {
    end_record(s, "a plug-in was loaded again");
    s->plugin_reloads += count;
    if (status == HEFT_OK) s->trouble[0] = '\0';
  }
  if (status != HEFT_OK || count > 0) s->dirty = 1;
}

static void run(HeftSimulation* s, int running) {
  if (running && !s->running) send_away(s);
  if (!running) let_go(s);
  s->running = running;
  if (running) restart_clock(s);
}

static void fulfil(HeftSimulation* s, const Command* w) {
  s->dirty = 1;
  if (stays_out(s, w)) return;
  switch (w->kind) {
    case COMMAND_RUN:
      run(s, w->index);
      return;
    case COMMAND_STEP:
      s->running = 0;
      s->pending += w->index;
      return;
    case COMMAND_FACTOR:
      s->factor = w->value;
      restart_clock(s);
      return;
    case COMMAND_RESET:
      reset(s, w->index);
      return;
    case COMMAND_REWIND:
      rewind_to(s, w->value);
      return;
    case COMMAND_GRAB:
      s->grab = w->grab;
      if (s->grab.body <= 0 || s->grab.body >= s->model->nbody) s->grab.body = -1;
      return;
    case COMMAND_PUSH:
      push(s, w);
      return;
    case COMMAND_CONTROL:
      if (w->index >= 0 && w->index < s->model->nactuator && isfinite(w->value))
        heft_world_controls(s->rig.world)[w->index] = w->value;
      return;
    case COMMAND_TARGET:
      if (w->index >= 0 && w->index < s->model->nq && isfinite(w->value))
        s->rig.model->q_spring[w->index] = w->value;
      return;
    case COMMAND_SET:
      change_settings(s, &w->settings);
      return;
    case COMMAND_GHOST:
      start_ghost(s, w->index);
      return;
    case COMMAND_CHOOSE:
      s->chosen_dof = w->index;
      s->chosen_actuator = w->other;
      return;
    case COMMAND_RECORD:
      take_recorder(s);
      return;
    case COMMAND_OPTION:
      set_option(s, w);
      return;
    case COMMAND_CHANGE:
      change_parameter(s, &w->change);
      return;
    case COMMAND_DEADLINE:
      s->deadline = w->index;
      return;
    case COMMAND_MARGINS:
      s->margins = w->index;
      s->dirty = 1;
      return;
  }
}

static int take_commands(HeftSimulation* s, Command* out) {
  const int count = s->command_count;
  memcpy(out, s->command, (size_t)count * sizeof *out);
  s->command_count = 0;
  return count;
}

static int add_command(HeftSimulation* s, const Command* command) {
  pthread_mutex_lock(&s->mutex);
  const int fits = s->command_count < COMMANDS;
  // Of several commands of a grab or a slider only the last one is kept.
  Command* last = s->command_count > 0 ? &s->command[s->command_count - 1] : NULL;
  if (last && last->kind == command->kind && last->index == command->index &&
      (command->kind == COMMAND_GRAB || command->kind == COMMAND_CONTROL ||
       command->kind == COMMAND_TARGET || command->kind == COMMAND_REWIND ||
       (command->kind == COMMAND_CHANGE && last->change.kind == command->change.kind) ||
       (command->kind == COMMAND_OPTION && last->other == command->other))) {
    *last = *command;
  } else if (fits) {
    s->command[s->command_count++] = *command;
  }
  pthread_cond_signal(&s->wake);
  pthread_mutex_unlock(&s->mutex);
  return fits;
}

// ---- stepping

// Times of steps in bins of 5 % from 0.05 µs on [µs].
static const HistogramScale step_bins = {0.05, 0.05, BINS};

static void time_step(HeftSimulation* s, double us) {
  ++s->bins[histogram_bin(step_bins, us)];
  s->longest = fmax(s->longest, us);
}

// Twice a second: it lasts as long as the rest of a frame.
static void find_quantiles(HeftSimulation* s) {
  s->step_p50 = histogram_quantile(step_bins, s->bins, 0.5);
  s->step_p99 = histogram_quantile(step_bins, s->bins, 0.99);
}

static double world_ground_force(const HeftWorld* w) {
  HeftVec3 sum = {0, 0, 0};
  for (int i = heft_world_contact_count(w) - 1; i >= 0; --i) {
    const HeftContact c = heft_world_contact(w, i);
    sum = ground_force_add(sum, heft_world_model(w), &c);
  }
  return heft_vec3_norm(sum);
}

static double world_peak_pressure(const HeftWorld* w) {
  double peak = 0;
  for (int i = heft_world_contact_count(w) - 1; i >= 0; --i) {
    const HeftContact c = heft_world_contact(w, i);
    peak = fmax(peak, heft_snapshot_peak_pressure(&c, 1));
  }
  return peak;
}

static void chosen_values(const HeftSimulation* s, float* value) {
  const HeftState* state = heft_world_state(s->rig.world);
  const int dof = s->chosen_dof, actuator = s->chosen_actuator;
  if (dof >= 0 && dof < s->model->nv) {
    const int joint = s->model->dof_joint[dof];
    const int q = s->model->joint_q[joint] + dof - s->model->joint_dof[joint];
    value[HEFT_PLOT_CHOSEN_Q] = (float)(q < state->nq ? state->q[q] : 0);
    value[HEFT_PLOT_CHOSEN_V] = (float)state->v[dof];
  }
  if (actuator >= 0 && actuator < s->model->nactuator)
    value[HEFT_PLOT_CHOSEN_FORCE] = (float)heft_world_actuator_force(s->rig.world, actuator);
}

// The last samples before a frame; if there are too many, every second or every fourth one.
static void keep_sample(HeftSimulation* s, double us) {
  const HeftStepReport* r = &s->report;
  if (s->sample_seen++ % s->sample_skip != 0) return;
  if (s->sample_count == LIVE_SAMPLES) {
    for (int i = 0; i < LIVE_SAMPLES / 2; ++i) s->sample[i] = s->sample[2 * i];
    s->sample_count /= 2;
    s->sample_skip *= 2;
  }
  HeftSample* p = &s->sample[s->sample_count++];
  *p = (HeftSample){.time = r->time};
  p->value[HEFT_PLOT_RESIDUAL] = (float)r->residual;
  p->value[HEFT_PLOT_INEXACT] = (float)r->inexact;
  p->value[HEFT_PLOT_DROPPED] = (float)r->contact_dropped;
  p->value[HEFT_PLOT_ENERGY] = (float)(r->kinetic + r->potential);
  p->value[HEFT_PLOT_KINETIC] = (float)r->kinetic;
  p->value[HEFT_PLOT_GROUND_FORCE] = (float)world_ground_force(s->rig.world);
  p->value[HEFT_PLOT_PEAK_PRESSURE] = (float)world_peak_pressure(s->rig.world);
  p->value[HEFT_PLOT_CONTACTS] = (float)r->contact_count;
  p->value[HEFT_PLOT_PENETRATION] = (float)r->penetration;
  p->value[HEFT_PLOT_EFFORT] = (float)(r->sweeps + r->newton_steps);
  p->value[HEFT_PLOT_STEP_TIME] = (float)us;
  p->value[HEFT_PLOT_FRICTION_NEEDED] = (float)s->most_needed;
  p->value[HEFT_PLOT_HAND] = (float)heft_vec3_norm(s->grab_force);
  p->value[HEFT_PLOT_COM_HEIGHT] =
      (float)heft_dynamics_center_of_mass(heft_world_dynamics(s->rig.world), 0).z;
  chosen_values(s, p->value);
  plugin_frame_sample(s->plugins, p);
}

static void pull(HeftSimulation* s) {
  HeftCoupling hand = hand_coupling(s->model, s->grab.body, s->grab.point, s->grab.target);
  if (s->grab.force_max > 0) hand.force_max = s->grab.force_max;
  s->grab_from = heft_pose_apply(
      heft_dynamics_body_pose(heft_world_dynamics(s->rig.world), s->grab.body), s->grab.point);
  s->grab_coupling = heft_world_add_coupling(s->rig.world, &hand);
}

static void read_inputs(HeftSimulation* s, HeftProbeInput* inputs) {
  const int begun = *heft_world_state(s->rig.world)->time >= s->users.begins;
  for (int i = 0; i < s->users.count; ++i) {
    heft_servo_input(s->users.servo, i, &inputs[i]);
    if (s->absent > 0 || !begun) inputs[i].present = 0;
  }
  if (s->absent > 0) --s->absent;
}

// Plug-ins see the hands of users, and the mouse.
static void show_hands(HeftSimulation* s, const HeftProbeInput* inputs) {
  HeftHand hands[HEFT_SERVO_DEVICES + 1];
  int count = s->users.count;
  heft_session_hands(s->session, inputs, hands);
  if (s->grab.body > 0)
    hands[count++] = (HeftHand){.pos = s->grab.target,
                                .present = 1,
                                .body = s->grab.body,
                                .point = s->grab_from,
                                .force = s->grab_force,
                                .buttons = 1};
  heft_plugin_set_hands(s->plugins, hands, count);
}

// When the next step must have ended; 0: no deadline.
static uint64_t deadline_of(const HeftSimulation* s) {
  static const double share = 0.8, late_ns = 5e7;
  if (!s->deadline || !s->running) return 0;
  const double lasts = 1e9 * s->h / s->factor;  // at the speed that is asked for [ns]
  const double ahead = *heft_world_state(s->rig.world)->time + s->h - s->anchor_time;
  const double due = (double)s->anchor_clock + 1e9 * ahead / s->factor;
  const double now = (double)heft_clock_ns(),
               soon = now + (s->ghost.world ? 0.5 : 1) * share * lasts;
  return (uint64_t)(s->users.count > 0 || s->slow > 0 ? soon : fmax(soon, due + late_ns));
}

static void count_cut(HeftSimulation* s) {
  Recent* r = &s->recent[0];
  ++r->steps;
  if (!s->report.cut) return;
  ++r->cut;
  ++s->cuts;
  r->worst = fmax(r->worst, s->report.relative);
}

// One step with the hands of all users. The local models until the next step go to the servo. After
// a step that was rolled back no models are sent, and the servo reduces the forces to zero.
static void step_with_users(HeftSimulation* s, const HeftProbeInput* inputs) {
  HeftLocalModel models[HEFT_SERVO_DEVICES];
  s->report = heft_session_step(s->session, inputs, deadline_of(s), models);
  count_cut(s);
  for (int i = 0; i < s->users.count; ++i) {
    if (heft_step_taken(s->report.status)) {
      heft_servo_model(s->users.servo, i, &models[i]);
      s->felt[i] = models[i];
    }
    s->person[i].input = inputs[i];
    s->person[i].state = *heft_probe_state(heft_session_probe(s->session, i));
  }
  if (!s->recording) return;
  if (heft_step_taken(s->report.status)) {
    s->recorder.step(s->recorder.user, &s->report);
    s->last_hash = heft_world_hash(s->rig.world);
    ++s->recorded;
  } else {
    end_record(s, heft_step_status_text(s->report.status));
  }
}

static void stop_stepping(HeftSimulation* s, const char* why) {
  say_trouble(s, why);
  s->running = s->pending = 0;
  let_go(s);
  s->dirty = 1;
}

static void step_once(HeftSimulation* s, int keep) {
  HeftError error = {0};
  HeftProbeInput inputs[HEFT_SERVO_DEVICES];
  const uint64_t before = heft_clock_ns();
  const int pulls = keep && s->grab.body > 0, meets = keep && s->session;
  s->grab_coupling = -1;
  if (meets) read_inputs(s, inputs);
  if (meets && s->plugins) show_hands(s, inputs);
  if (!meets && s->plugins) heft_plugin_set_hands(s->plugins, NULL, 0);
  if (s->plugins && heft_plugin_set_before_step(s->plugins, &error) != HEFT_OK) {
    stop_stepping(s, error.message);
    return;
  }
  if (pulls) pull(s);
  if (meets) {
    step_with_users(s, inputs);
  } else {
    s->report = heft_world_step(s->rig.world);
  }
  s->grab_force = heft_world_coupling_wrench(s->rig.world, s->grab_coupling).lin;
  const double us = (double)(heft_clock_ns() - before) * 1e-3;
  if (s->ghost.world && keep) {
    const uint64_t deadline = deadline_of(s);
    deadline > 0 ? heft_world_step_until(s->ghost.world, deadline)
                 : heft_world_step(s->ghost.world);
  }
  if (keep) heft_step_tally_add(&s->tally, &s->report);
  if (!heft_step_taken(s->report.status)) {
    char why[sizeof s->trouble];
    diverged_text(s->rig.world, s->plugins, s->report.status, heft_vec3_norm(s->grab_force), why,
                  sizeof why);
    stop_stepping(s, why);
    return;
  }
  if (s->plugins) heft_plugin_set_after_step(s->plugins, &s->report);
  ++s->step;
  s->dirty = 1;
  if (!keep) return;
  time_step(s, us);
  keep_sample(s, us);
  const long every = (long)(s->def.snapshot_every / s->h + 0.5);
  if (every <= 1 || s->step % every == 0)
    timeline_keep(&s->timeline, s->rig.world, s->plugins, s->step, s->cuts);
}

// ---- friction needed

static double needed_by(const HeftSimulation* s, int body) {
  double needed = -1;
  return heft_world_friction_needed(s->rig.world, body, &needed, NULL) == HEFT_OK ? needed : -1;
}

// Asks once for each island; its bodies have the same answer.
static void ask_islands(HeftSimulation* s, HeftViewFrame* f) {
  const HeftSnapshot snapshot = {.contact = f->contact, .contact_count = f->contact_count};
  const size_t bytes = (size_t)s->model->nbody * sizeof(int);
  int* island = view_take(&s->allocator, bytes);
  if (!island) return;
  heft_snapshot_body_islands(s->model, &snapshot, island);
  for (int i = 0; i < f->contact_count; ++i) {
    const HeftContact* c = &f->contact[i];
    const int body = island[c->body_b] >= 0 ? c->body_b : c->body_a;
    if (island[body] < 0 || f->friction_needed[body] >= 0) continue;
    const double needed = needed_by(s, body);
    for (int b = 1; b < s->model->nbody; ++b)
      if (island[b] == island[body]) f->friction_needed[b] = needed;
    s->most_needed = fmax(s->most_needed, needed);
  }
  view_give(&s->allocator, island, bytes);
}

// It takes at most a tenth of the time: until then, the answer of the frame before counts.
static void find_friction_needed(HeftSimulation* s, HeftViewFrame* f) {
  enum { POINTS_MAX = 64 };
  const uint64_t began = heft_clock_ns();
  const size_t bytes = (size_t)s->model->nbody * sizeof(double);
  if (s->margins && s->running && began < s->margins_due) {
    if (f != &s->frame[s->filled])
      memcpy(f->friction_needed, s->frame[s->filled].friction_needed, bytes);
  } else {
    for (int b = 0; b < s->model->nbody; ++b) f->friction_needed[b] = -1;
    s->most_needed = 0;
    if (s->margins && f->contact_count <= POINTS_MAX) ask_islands(s, f);
    const uint64_t ended = heft_clock_ns();
    s->margins_due = ended + 9 * (ended - began);
  }
  s->filled = (int)(f - s->frame);
}

// ---- frames

static void copy_moved(double* to, const HeftState* from) {
  if (from->nmoved > 0) memcpy(to, from->moved, 13 * (size_t)from->nmoved * sizeof(double));
}

static void fill_frame(HeftSimulation* s, HeftViewFrame* f) {
  const HeftState* state = heft_world_state(s->rig.world);
  const HeftModel* m = s->model;
  f->time = *state->time;
  f->step = s->step;
  memcpy(f->q, state->q, (size_t)m->nq * sizeof(double));
  memcpy(f->v, state->v, (size_t)m->nv * sizeof(double));
  if (m->nactuator > 0)
    memcpy(f->controls, heft_world_controls(s->rig.world), (size_t)m->nactuator * sizeof(double));
  for (int i = 0; i < m->nactuator; ++i)
    f->actuator_forces[i] = heft_world_actuator_force(s->rig.world, i);
  f->ghost = s->ghost.world != NULL;
  copy_moved(f->moved, state);
  if (f->ghost) {
    const HeftState* ghost = heft_world_state(s->ghost.world);
    memcpy(f->ghost_q, ghost->q, (size_t)m->nq * sizeof(double));
    copy_moved(f->ghost_moved, ghost);
  }
  const int count = heft_world_contact_count(s->rig.world);
  f->contact_count = count < s->def.contact_capacity ? count : s->def.contact_capacity;
  for (int i = 0; i < f->contact_count; ++i) f->contact[i] = heft_world_contact(s->rig.world, i);
  find_friction_needed(s, f);
  f->report = s->report;
  f->tally = s->tally;
  f->hash = heft_world_hash(s->rig.world);
  f->grab = s->grab;
  f->grab_from = s->grab_from;
  f->grab_force = s->grab_force;
  memcpy(f->person, s->person, sizeof f->person);
  f->user_count = s->users.count;
  f->recording = s->recording;
  f->recorded = s->recorded;
  f->recordings = s->recordings;
  f->last_hash = s->last_hash;
  memcpy(f->record_end, s->record_end, sizeof f->record_end);
  f->settings = s->settings;
  memcpy(f->sample, s->sample, (size_t)s->sample_count * sizeof *f->sample);
  f->sample_count = s->sample_count;
  memcpy(f->trouble, s->trouble, sizeof f->trouble);
  plugin_frame_fill(s->plugins, f);
  f->plugin_reloads = s->plugin_reloads;
}

static void fill_speed(HeftSimulation* s, HeftViewFrame* f) {
  const Timeline* t = &s->timeline;
  const double wall = (double)(heft_clock_ns() - s->start_clock) * 1e-9;
  f->running = s->running;
  f->factor = s->factor;
  f->achieved = s->running ? s->achieved : 0;
  f->real_factor = s->running && wall > 0 ? (f->time - s->start_time) / wall : 0;
  if (s->step_p50 <= 0) find_quantiles(s);
  f->step_p50 = s->step_p50;
  f->step_p99 = s->step_p99;
  f->step_longest = s->longest;
  f->first = t->count > 0 ? timeline_at(t, 0)->time : f->time;
  f->last = t->count > 0 ? fmax(f->time, timeline_at(t, t->count - 1)->time) : f->time;
  f->same = t->same;
  f->branched = t->branched;
  f->deadline = s->deadline;
  f->recent_steps = s->recent[1].steps + s->recent[2].steps;
  f->recent_cut = s->recent[1].cut + s->recent[2].cut;
  f->recent_worst = fmax(s->recent[1].worst, s->recent[2].worst);
}

static void publish(HeftSimulation* s) {
  HeftViewFrame* f = &s->frame[s->frames.writing];
  fill_frame(s, f);
  fill_speed(s, f);
  // Samples of a frame that was not drawn go into the next frame again, as far as there is room.
  if (triple_buffer_publish(&s->frames)) {
    s->sample_count = 0;
    s->sample_skip = 1;
  }
  s->published = heft_clock_ns();
  s->dirty = 0;
}

const HeftViewFrame* heft_simulation_frame(HeftSimulation* simulation, int* fresh) {
  const int is_fresh = triple_buffer_take(&simulation->frames);
  if (fresh) *fresh = is_fresh;
  return &simulation->frame[simulation->frames.reading];
}

// ---- the thread

// Time until the next step is due [ns]; 0: now; negative: none.
static int64_t until_due(HeftSimulation* s) {
  if (s->pending > 0) return 0;
  if (!s->running) return -1;
  const double wall = (double)(heft_clock_ns() - s->anchor_clock) * 1e-9;
  const double ahead =
      *heft_world_state(s->rig.world)->time + s->h - s->anchor_time - s->factor * wall;
  if (ahead < -0.1 * s->factor - 2 * s->h) {
    s->anchor_clock = heft_clock_ns();
    s->anchor_time = *heft_world_state(s->rig.world)->time;
    s->slow = 2;
    return 0;
  }
  return ahead <= 0 ? 0 : (int64_t)(ahead / s->factor * 1e9) + 1;
}

static void measure_factor(HeftSimulation* s) {
  const uint64_t now = heft_clock_ns();
  if (now - s->window_clock < 500000000u) return;
  const double time = *heft_world_state(s->rig.world)->time;
  s->achieved = (time - s->window_time) / ((double)(now - s->window_clock) * 1e-9);
  s->window_clock = now;
  s->window_time = time;
  s->recent[2] = s->recent[1];
  s->recent[1] = s->recent[0];
  s->recent[0] = (Recent){0};
  if (s->slow > 0) --s->slow;
  find_quantiles(s);
}

// With the mutex locked: sleeps until a command arrives or the step is due.
static void sleep_until(HeftSimulation* s, int64_t due) {
  const int64_t wait = due < 0 ? 50000000 : due;
  const uint64_t end = heft_clock_ns() + (uint64_t)(wait < 50000000 ? wait : 50000000);
  const struct timespec at = {(time_t)(end / 1000000000u), (long)(end % 1000000000u)};
  if (s->command_count == 0 && !s->quit && !s->next_model && s->users_asked == s->users_answered)
    pthread_cond_timedwait(&s->wake, &s->mutex, &at);
}

static void* live(void* user) {
  HeftSimulation* s = user;
  static _Thread_local Command commands[COMMANDS];
  for (;;) {
    const int64_t due = until_due(s);
    pthread_mutex_lock(&s->mutex);
    if (due != 0) sleep_until(s, due);
    const int quit = s->quit, count = take_commands(s, commands);
    const int others = s->users_asked != s->users_answered, changes = s->next_model != NULL;
    pthread_mutex_unlock(&s->mutex);
    if (quit) return NULL;
    if (others) take_users(s);
    renew_plugins(s);
    for (int i = 0; i < count; ++i) fulfil(s, &commands[i]);
    if (changes) take_model(s);
    if (until_due(s) == 0) {
      step_once(s, 1);
      if (s->pending > 0 && --s->pending == 0 && !s->running) let_go(s);
    }
    measure_factor(s);
    if (s->dirty && (heft_clock_ns() - s->published > 8000000u || (!s->running && s->pending == 0)))
      publish(s);
  }
}

// ---- creation

static int frame_make(HeftSimulation* s, HeftViewFrame* f) {
  const HeftModel* m = s->model;
  f->q = view_take(&s->allocator, (size_t)m->nq * sizeof(double));
  f->v = view_take(&s->allocator, (size_t)m->nv * sizeof(double));
  f->controls = view_take(&s->allocator, (size_t)m->nactuator * sizeof(double));
  f->actuator_forces = view_take(&s->allocator, (size_t)m->nactuator * sizeof(double));
  f->ghost_q = view_take(&s->allocator, (size_t)m->nq * sizeof(double));
  f->moved = view_take(&s->allocator, 13 * (size_t)m->nmoved * sizeof(double));
  f->ghost_moved = view_take(&s->allocator, 13 * (size_t)m->nmoved * sizeof(double));
  f->contact = view_take(&s->allocator, (size_t)s->def.contact_capacity * sizeof *f->contact);
  f->friction_needed = view_take(&s->allocator, (size_t)m->nbody * sizeof(double));
  for (int b = 0; f->friction_needed && b < m->nbody; ++b) f->friction_needed[b] = -1;
  f->grab.body = -1;
  if (s->plugins) {
    f->plugin_marks.mark = view_take(&s->allocator, HEFT_FRAME_MARKS * sizeof(HeftMark));
    f->plugin_marks.max = f->plugin_marks.mark ? HEFT_FRAME_MARKS : 0;
  }
  return f->q && f->v && f->controls && f->actuator_forces && f->ghost_q && f->moved &&
         f->ghost_moved && f->contact && f->friction_needed;
}

static void frame_free(HeftSimulation* s, HeftViewFrame* f) {
  const HeftModel* m = s->model;
  view_give(&s->allocator, f->q, (size_t)m->nq * sizeof(double));
  view_give(&s->allocator, f->v, (size_t)m->nv * sizeof(double));
  view_give(&s->allocator, f->controls, (size_t)m->nactuator * sizeof(double));
  view_give(&s->allocator, f->actuator_forces, (size_t)m->nactuator * sizeof(double));
  view_give(&s->allocator, f->ghost_q, (size_t)m->nq * sizeof(double));
  view_give(&s->allocator, f->moved, 13 * (size_t)m->nmoved * sizeof(double));
  view_give(&s->allocator, f->ghost_moved, 13 * (size_t)m->nmoved * sizeof(double));
  view_give(&s->allocator, f->contact, (size_t)s->def.contact_capacity * sizeof *f->contact);
  view_give(&s->allocator, f->friction_needed, (size_t)m->nbody * sizeof(double));
  view_give(&s->allocator, f->plugin_marks.mark, HEFT_FRAME_MARKS * sizeof(HeftMark));
}

static void release(HeftSimulation* s) {
  const HeftAllocator allocator = s->allocator;
  heft_session_destroy(s->session);
  if (s->plugins) heft_plugin_set_detach(s->plugins);
  rig_free(&s->ghost);
  if (!s->passive) rig_free(&s->rig);
  for (int i = 0; i < 3; ++i) frame_free(s, &s->frame[i]);
  if (s->is_recording) frame_free(s, &s->scratch);
  heft_dynamics_destroy(s->playback.ghost);
  heft_dynamics_destroy(s->dynamics);
  heft_state_destroy(s->state);
  view_give(&allocator, s->image, s->image_size);
  timeline_free(&s->timeline);
  view_give(&allocator, s, sizeof *s);
}

static HeftStatus build(HeftSimulation* s, HeftError* error) {
  HeftStatus status = make_parts(s, error);
  if (status == HEFT_OK && !timeline_make(&s->timeline, &s->allocator, s->def.timeline_bytes))
    status = view_fail(error, HEFT_ERR_MEMORY, "not enough memory for a simulation");
  if (status != HEFT_OK) return status;
  status = rig_make(s, &s->rig, &s->settings, NULL, error);
  if (status == HEFT_OK && s->plugins)
    status = heft_plugin_set_attach(s->plugins, s->rig.world, error);
  if (status != HEFT_OK) return status;
  return heft_session_create(&s->session, s->rig.world, s->users.count, s->users.probe,
                             &s->allocator, error);
}

static void first_values(HeftSimulation* s) {
  triple_buffer_init(&s->frames);
  s->factor = 1;
  s->sample_skip = 1;
  s->grab.body = -1;
  s->grab_coupling = -1;
  s->chosen_dof = s->model->nv > 0 ? s->model->nv - 1 : -1;
  s->h = step_length(s);
}

static void first_moment(HeftSimulation* s) {
  first_values(s);
  reset(s, s->def.key);
  run(s, s->def.running);
  publish(s);
}

static int make_locks(HeftSimulation* s) {
  pthread_condattr_t clock;
  if (pthread_condattr_init(&clock) != 0) return 0;
  pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
  const int wakes = pthread_cond_init(&s->wake, &clock) == 0;
  pthread_condattr_destroy(&clock);
  const int answers = wakes && pthread_cond_init(&s->answer, NULL) == 0;
  if (answers && pthread_mutex_init(&s->mutex, NULL) == 0) return 1;
  if (answers) pthread_cond_destroy(&s->answer);
  if (wakes) pthread_cond_destroy(&s->wake);
  return 0;
}

static void free_locks(HeftSimulation* s) {
  pthread_mutex_destroy(&s->mutex);
  pthread_cond_destroy(&s->answer);
  pthread_cond_destroy(&s->wake);
}

static int start_thread(HeftSimulation* s, void* (*body)(void*)) {
  if (!make_locks(s)) return 0;
  if (pthread_create(&s->thread, NULL, body, s) == 0) return 1;
  free_locks(s);
  return 0;
}

static HeftSimulation* take_simulation(const HeftModel* model, const HeftSimulationDef* def) {
  HeftSimulation* s = view_take(&def->allocator, sizeof *s);
  if (!s) return NULL;
  s->allocator = def->allocator;
  s->def = *def;
  s->model = model;
  s->settings = def->settings;
  s->deadline = def->deadline;
  return s;
}

HeftStatus heft_simulation_create(HeftSimulation** out, const HeftModel* model,
                                  const HeftSimulationDef* def, HeftError* error) {
  const HeftSimulationDef usual = heft_simulation_def_default();
  if (!def) def = &usual;
  *out = NULL;
  HeftSimulation* s = take_simulation(model, def);
  if (!s) return view_fail(error, HEFT_ERR_MEMORY, "not enough memory for a simulation");
  if (def->users) s->users = *def->users;
  s->plugins = def->plugins;
  for (int i = 0; i < HEFT_SERVO_DEVICES; ++i) s->person[i].state.body = -1;
  HeftStatus status = build(s, error);
  if (status == HEFT_OK) {
    first_moment(s);
    if (!start_thread(s, live))
      status = view_fail(error, HEFT_ERR_MEMORY, "the thread of a simulation cannot be started");
  }
  if (status != HEFT_OK) {
    release(s);
    return status;
  }
  *out = s;
  return HEFT_OK;
}

void heft_simulation_destroy(HeftSimulation* simulation) {
  HeftSimulation* s = simulation;
  if (!s) return;
  if (!s->passive) {
    pthread_mutex_lock(&s->mutex);
    s->quit = 1;
    pthread_cond_signal(&s->wake);
    pthread_mutex_unlock(&s->mutex);
    pthread_join(s->thread, NULL);
    end_record(s, "");
  }
  free_locks(s);
  release(s);
}

// ---- a world that the caller steps

HeftStatus heft_simulation_create_passive(HeftSimulation** out, const HeftModel* model,
                                          const HeftSimulationDef* def, HeftError* error) {
  const HeftSimulationDef usual = heft_simulation_def_default();
  *out = NULL;
  HeftSimulation* s = take_simulation(model, def ? def : &usual);
  if (!s) return view_fail(error, HEFT_ERR_MEMORY, "not enough memory for a simulation");
  s->passive = 1;
  HeftStatus status = heft_state_create(&s->state, model, &s->allocator, error);
  for (int i = 0; status == HEFT_OK && i < 3; ++i) {
    HeftViewFrame* f = &s->frame[i];
    f->factor = 1;
    if (frame_make(s, f)) {
      memcpy(f->q, s->state->q, (size_t)model->nq * sizeof(double));
      copy_moved(f->moved, s->state);
    } else {
      status = view_fail(error, HEFT_ERR_MEMORY, "not enough memory for a simulation");
    }
  }
  if (status == HEFT_OK && !make_locks(s))
    status = view_fail(error, HEFT_ERR_MEMORY, "the locks of a simulation cannot be made");
  if (status != HEFT_OK) {
    release(s);
    return status;
  }
  first_values(s);
  s->running = 1;
  *out = s;
  return HEFT_OK;
}

// Commands that make sense for a world of somebody else.
static int fits_passive(CommandKind kind) {
  return kind == COMMAND_RUN || kind == COMMAND_STEP || kind == COMMAND_FACTOR ||
         kind == COMMAND_GRAB || kind == COMMAND_PUSH || kind == COMMAND_CONTROL ||
         kind == COMMAND_CHOOSE || kind == COMMAND_MARGINS;
}

static void take_passive_commands(HeftSimulation* s) {
  static _Thread_local Command commands[COMMANDS];
  pthread_mutex_lock(&s->mutex);
  const int count = take_commands(s, commands);
  pthread_mutex_unlock(&s->mutex);
  for (int i = 0; i < count; ++i) {
    if (fits_passive(commands[i].kind)) {
      fulfil(s, &commands[i]);
    } else {
      say_trouble(s, "a program steps this world: it cannot be restarted, rewound or changed here");
      s->dirty = 1;
    }
  }
}

bool heft_simulation_wait(HeftSimulation* simulation, double max_seconds) {
  HeftSimulation* s = simulation;
  const uint64_t end = heft_clock_ns() + (uint64_t)(1e9 * fmax(0, max_seconds));
  int64_t due = 0;
  if (s->rig.world) take_passive_commands(s);  // a pause holds, even if a step is due
  while (s->rig.world && (due = until_due(s)) != 0) {
    const uint64_t now = heft_clock_ns();
    if (now >= end) return false;
    const uint64_t nap = due < 0 ? 5000000u : (uint64_t)due < 5000000u ? (uint64_t)due : 5000000u;
    wait_ns(s, nap < end - now ? nap : end - now);
    take_passive_commands(s);
    if (s->dirty && heft_clock_ns() - s->published > 8000000u) publish(s);
  }
  if (s->pending > 0) --s->pending;
  return true;
}

void heft_simulation_sync(HeftSimulation* simulation, HeftWorld* world,
                          const HeftStepReport* report) {
  HeftSimulation* s = simulation;
  const uint64_t now = heft_clock_ns();
  if (s->rig.world != world) {
    s->rig.world = world;
    restart_clock(s);
  }
  s->grab_force = heft_world_coupling_wrench(world, s->grab_coupling).lin;
  s->grab_coupling = -1;
  if (report) {
    s->report = *report;
    heft_step_tally_add(&s->tally, report);
    ++s->step;
    const double us = s->synced > 0 ? (double)(now - s->synced) * 1e-3 : 0;
    time_step(s, us);
    keep_sample(s, us);
  }
  s->dirty = 1;
  take_passive_commands(s);
  if (s->grab.body > 0) pull(s);
  measure_factor(s);
  if (now - s->published > 8000000u) publish(s);
  s->synced = heft_clock_ns();
}

// ---- a recorded run
//
// While it runs, the time follows the clock; a frame shows the last row before that time, and rows
// that come too fast for the frames are left out. In between, the thread reads samples of the whole
// run for the plots, a few milliseconds at a time, so that a command never waits longer.

static const double slice_ns = 4e6;

static void anchor_recording(HeftSimulation* s) {
  s->anchor_clock = heft_clock_ns();
  s->anchor_time = s->play_time;
}

static void go_to(HeftSimulation* s, double time) {
  s->play_time = fmin(playback_last(&s->playback), fmax(playback_first(&s->playback), time));
  s->row = playback_row(&s->playback.run, s->play_time);
  anchor_recording(s);
}

static void go_to_row(HeftSimulation* s, long row) {
  const HeftRecording* run = &s->playback.run;
  const long last = run->row_count - 1;
  go_to(s, run->time(run->user, row < 0 ? 0 : row > last ? last : row));
}

static void run_recording(HeftSimulation* s, int running) {
  if (running && s->row == s->playback.run.row_count - 1) go_to_row(s, 0);
  s->running = running;
  anchor_recording(s);
}

static void fulfil_recorded(HeftSimulation* s, const Command* w) {
  s->dirty = 1;
  s->trouble[0] = '\0';
  switch (w->kind) {
    case COMMAND_RUN:
      run_recording(s, w->index);
      return;
    case COMMAND_STEP:
      s->running = 0;
      go_to_row(s, s->row + w->index);
      return;
    case COMMAND_FACTOR:
      s->factor = w->value;
      anchor_recording(s);
      return;
    case COMMAND_RESET:
      go_to_row(s, 0);
      return;
    case COMMAND_REWIND:
      s->running = 0;
      go_to(s, w->value);
      ++s->seeks;
      return;
    case COMMAND_CHOOSE:
      s->sample_count = s->sent = 0;
      playback_choose(&s->playback, w->index, w->other);
      return;
    case COMMAND_GRAB:
      if (w->grab.body <= 0) return;
      break;
    case COMMAND_PUSH:
    case COMMAND_CONTROL:
    case COMMAND_TARGET:
    case COMMAND_SET:
    case COMMAND_GHOST:
    case COMMAND_OPTION:
    case COMMAND_CHANGE:
    case COMMAND_RECORD:
    case COMMAND_DEADLINE:
    case COMMAND_MARGINS:
      break;
  }
  say_trouble(s, "this is a recorded run: it cannot be pulled or changed");
}

static void follow_clock(HeftSimulation* s) {
  if (!s->running) return;
  const double wall = (double)(heft_clock_ns() - s->anchor_clock) * 1e-9;
  s->play_time = s->anchor_time + s->factor * wall;
  if (s->play_time >= playback_last(&s->playback)) {
    s->play_time = playback_last(&s->playback);
    s->running = 0;
    s->dirty = 1;
  }
  const long row = playback_row(&s->playback.run, s->play_time);
  s->dirty |= row != s->row;
  s->row = row;
}

// Returns 1 while there is more to sample.
static int sample_recording(HeftSimulation* s) {
  const uint64_t begin = heft_clock_ns();
  int more = 1;
  while (more && s->sample_count < HEFT_FRAME_SAMPLES &&
         (double)(heft_clock_ns() - begin) < slice_ns) {
    more = playback_sample(&s->playback, &s->sample[s->sample_count],
                           &s->other_sample[s->sample_count]);
    s->sample_count += more;
  }
  if (s->sample_count > 0) s->dirty = 1;
  return more || s->sample_count > 0;
}

static void publish_recorded(HeftSimulation* s) {
  HeftViewFrame* f = &s->frame[s->frames.writing];
  if (!playback_fill(&s->playback, s->row, f)) {
    char text[96];
    snprintf(text, sizeof text, "row %ld of the log is damaged", s->row);
    say_trouble(s, text);
  }
  f->row_count = s->playback.run.row_count;
  f->seeks = s->seeks;
  f->running = s->running;
  f->factor = s->factor;
  f->achieved = s->running ? s->factor : 0;
  f->first = playback_first(&s->playback);
  f->last = playback_last(&s->playback);
  f->settings = s->settings;
  memcpy(f->trouble, s->trouble, sizeof f->trouble);
  memcpy(f->sample, s->sample, (size_t)s->sample_count * sizeof *f->sample);
  memcpy(f->other_sample, s->other_sample, (size_t)s->sample_count * sizeof *f->sample);
  f->sample_count = s->sample_count;
  // If the frame before was drawn, its samples are no longer needed.
  if (triple_buffer_publish(&s->frames)) {
    const size_t left = (size_t)(s->sample_count - s->sent);
    memmove(s->sample, s->sample + s->sent, left * sizeof *s->sample);
    memmove(s->other_sample, s->other_sample + s->sent, left * sizeof *s->sample);
    s->sample_count = (int)left;
  }
  s->sent = s->sample_count;
  s->published = heft_clock_ns();
  s->dirty = 0;
}

static void* show_recording(void* user) {
  HeftSimulation* s = user;
  static _Thread_local Command commands[COMMANDS];
  const int64_t frame_ns = 8000000;
  int more = 1;
  for (;;) {
    pthread_mutex_lock(&s->mutex);
    const int full = s->sample_count == HEFT_FRAME_SAMPLES;
    if (!more || full) sleep_until(s, s->running || full ? frame_ns : -1);
    const int quit = s->quit, count = take_commands(s, commands);
    s->users_answered = s->users_asked;  // there are none here
    pthread_cond_broadcast(&s->answer);
    pthread_mutex_unlock(&s->mutex);
    if (quit) return NULL;
    for (int i = 0; i < count; ++i) fulfil_recorded(s, &commands[i]);
    follow_clock(s);
    const int asked = count > 0;  // a picture that was asked for comes first
    if (!asked) more = sample_recording(s);
    if (s->dirty && (asked || (int64_t)(heft_clock_ns() - s->published) >= frame_ns))
      publish_recorded(s);
    more |= asked;
  }
}

static HeftStatus build_recorded(HeftSimulation* s, HeftError* error) {
  HeftStatus status = heft_dynamics_create(&s->dynamics, s->model, &s->allocator, error);
  if (status == HEFT_OK)
    status = heft_dynamics_create(&s->playback.ghost, s->model, &s->allocator, error);
  int good = status == HEFT_OK && frame_make(s, &s->scratch);
  for (int i = 0; good && i < 3; ++i) good = frame_make(s, &s->frame[i]);
  if (status == HEFT_OK && !good)
    status = view_fail(error, HEFT_ERR_MEMORY, "not enough memory for a recorded run");
  s->playback.dynamics = s->dynamics;
  s->playback.scratch = &s->scratch;
  s->playback.contact_capacity = s->def.contact_capacity;
  return status;
}

HeftStatus heft_simulation_create_recorded(HeftSimulation** out, const HeftModel* model,
                                           const HeftRecording* recording,
                                           const HeftRecording* other, const HeftSimulationDef* def,
                                           HeftError* error) {
  const HeftSimulationDef usual = heft_simulation_def_default();
  *out = NULL;
  HeftSimulation* s = take_simulation(model, def ? def : &usual);
  if (!s) return view_fail(error, HEFT_ERR_MEMORY, "not enough memory for a recorded run");
  s->is_recording = 1;
  playback_make(&s->playback, model, recording, other);
  HeftStatus status = build_recorded(s, error);
  if (status == HEFT_OK) {
    first_values(s);
    playback_choose(&s->playback, s->chosen_dof, -1);
    go_to_row(s, 0);
    run_recording(s, s->def.running);
    publish_recorded(s);
    if (!start_thread(s, show_recording))
      status = view_fail(error, HEFT_ERR_MEMORY, "the thread of a recorded run cannot be started");
  }
  if (status != HEFT_OK) {
    release(s);
    return status;
  }
  *out = s;
  return HEFT_OK;
}

// ---- commands from other threads

bool heft_simulation_run(HeftSimulation* simulation, int running) {
  return add_command(simulation, &(Command){.kind = COMMAND_RUN, .index = running});
}
bool heft_simulation_step(HeftSimulation* simulation, int steps) {
  return add_command(simulation, &(Command){.kind = COMMAND_STEP, .index = steps});
}
bool heft_simulation_factor(HeftSimulation* simulation, double factor) {
  return add_command(simulation, &(Command){.kind = COMMAND_FACTOR, .value = fmax(factor, 1e-4)});
}
bool heft_simulation_reset(HeftSimulation* simulation, int key) {
  return add_command(simulation, &(Command){.kind = COMMAND_RESET, .index = key});
}
bool heft_simulation_rewind(HeftSimulation* simulation, double time) {
  return add_command(simulation, &(Command){.kind = COMMAND_REWIND, .value = time});
}
bool heft_simulation_grab(HeftSimulation* simulation, const HeftGrab* grab) {
  return add_command(simulation, &(Command){.kind = COMMAND_GRAB, .grab = *grab});
}
bool heft_simulation_apply_impulse(HeftSimulation* simulation, int body, HeftVec3 point,
                                   HeftVec3 impulse) {
  return add_command(
      simulation,
      &(Command){.kind = COMMAND_PUSH, .index = body, .point = point, .impulse = impulse});
}
bool heft_simulation_control(HeftSimulation* simulation, int actuator, double value) {
  return add_command(simulation,
                     &(Command){.kind = COMMAND_CONTROL, .index = actuator, .value = value});
}
bool heft_simulation_target(HeftSimulation* simulation, int q, double value) {
  return add_command(simulation, &(Command){.kind = COMMAND_TARGET, .index = q, .value = value});
}
bool heft_simulation_set_settings(HeftSimulation* simulation,
                                  const HeftSimulationSettings* settings) {
  return add_command(simulation, &(Command){.kind = COMMAND_SET, .settings = *settings});
}
bool heft_simulation_set_deadline(HeftSimulation* simulation, int on) {
  return add_command(simulation, &(Command){.kind = COMMAND_DEADLINE, .index = on});
}
bool heft_simulation_ghost(HeftSimulation* simulation, int on) {
  return add_command(simulation, &(Command){.kind = COMMAND_GHOST, .index = on});
}
void heft_simulation_set_users(HeftSimulation* simulation, const HeftUsers* users) {
  HeftSimulation* s = simulation;
  pthread_mutex_lock(&s->mutex);
  s->next_users = users ? *users : (HeftUsers){0};
  const long asked = ++s->users_asked;
  pthread_cond_signal(&s->wake);
  while (s->users_answered < asked) pthread_cond_wait(&s->answer, &s->mutex);
  pthread_mutex_unlock(&s->mutex);
}
bool heft_simulation_record(HeftSimulation* simulation, const HeftRecorder* recorder,
                            const char* path) {
  HeftSimulation* s = simulation;
  pthread_mutex_lock(&s->mutex);
  if (recorder) s->next_recorder = *recorder;
  snprintf(s->record_path, sizeof s->record_path, "%s", recorder && path ? path : "");
  pthread_mutex_unlock(&s->mutex);
  return add_command(s, &(Command){.kind = COMMAND_RECORD});
}
bool heft_simulation_change(HeftSimulation* simulation, const HeftChange* change) {
  return add_command(simulation,
                     &(Command){.kind = COMMAND_CHANGE, .index = change->index, .change = *change});
}
HeftStatus heft_simulation_change_model(HeftSimulation* simulation, const HeftModel* model,
                                        const HeftChange* change, HeftError* error) {
  HeftSimulation* s = simulation;
  if (s->passive || s->is_recording)
    return view_fail(error, HEFT_ERR_UNSUPPORTED,
                     s->passive ? "a program steps this world: it cannot be changed here"
                                : "this is a recorded run: it cannot be changed");
  pthread_mutex_lock(&s->mutex);
  s->next_change = *change;
  s->next_model = model;
  pthread_cond_signal(&s->wake);
  while (s->next_model) pthread_cond_wait(&s->answer, &s->mutex);
  const HeftStatus status = s->change_status;
  if (error && status != HEFT_OK) *error = s->change_error;
  pthread_mutex_unlock(&s->mutex);
  return status;
}
bool heft_simulation_plugin_option(HeftSimulation* simulation, int i, int k, double value) {
  return add_command(simulation,
                     &(Command){.kind = COMMAND_OPTION, .index = i, .other = k, .value = value});
}
bool heft_simulation_choose(HeftSimulation* simulation, int dof, int actuator) {
  return add_command(simulation,
                     &(Command){.kind = COMMAND_CHOOSE, .index = dof, .other = actuator});
}
bool heft_simulation_margins(HeftSimulation* simulation, bool on) {
  return add_command(simulation, &(Command){.kind = COMMAND_MARGINS, .index = on});
}
