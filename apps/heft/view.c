// SPDX-License-Identifier: Apache-2.0
// heft view: a window that simulates and shows a model.
#include <stdio.h>

#include "arguments.h"
#include "builtin.h"
#include "names.h"
#include "picture_options.h"
#include "verbs.h"

#ifndef HEFT_HAVE_VIEW

int heft_verb_view(int argc, char** argv) {
  (void)argc;
  (void)argv;
  fprintf(stderr,
          "heft view: error: this program was built without the viewer. On Debian:\n"
          "  apt install libepoxy-dev libegl-dev libpng-dev libsdl2-dev libimgui-dev g++\n"
          "and build Heft again.\n");
  return 1;
}

#else

#include <heft/heft.h>
#include <heft/io.h>
#include <heft/view.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contact_options.h"
#include "gallery.h"
#include "model_options.h"
#include "run_read.h"
#include "session_file.h"
#include "users.h"

static const char help[] =
    "usage: heft view [OPTIONS] [FILE|NAME]\n"
    "       heft view [OPTIONS] RUN.mcap [OTHER.mcap]\n"
    "Opens a window that simulates and shows a model: watch, pause, rewind, pull bodies, see "
    "forces.\n"
    "A log of 'heft run --log RUN.mcap' is played: pause, go to any time, see forces and curves. "
    "A\n"
    "second log of the same robot is shown as a ghost.\n"
    "The key ? lists the actions of mouse and keys. Model files can be dropped on the window.\n"
    "NAME is a robot of the experiments that acts: walk, or walk:steps=20 (see --list).\n"
    "\n"
    "  --list                 list these names and their options\n"
    "  --key NAME             initial keyframe (default: \"home\", or the pose in the file)\n"
    "  --paused               start paused\n"
    "  --no-deadline          solve every step to the tolerance, in slow motion if need be "
    "(default:\n"
    "                         cut steps that take too long for real time, and count them)\n"
    "  --contact-model NAME   contact model ('heft run --help' lists them)\n"
    "  --size WxH             size of the window (default: the last size)\n"
    "  --dark, --light        colours of the window (default: the last choice)\n"
    "  --show NAME,NAME       contacts forces cones pressure mass inertia joints names collision\n"
    "                         islands rest sites force-values skeleton\n"
    "  --text-scale FACTOR    size of text (default: from the screen)\n"
    "  --folder FOLDER        folder for pictures and films (default: the current folder)\n"
    "  --emulate              emulated hands act in an interactive scene\n"
    "  --record FILE.mcap     record the session from the start, for 'heft replay'\n"
    "  --seconds N            close the window after N seconds\n"
    "  --log FILE             write events, and twice a second the state and the speed, to FILE\n"
    "  --monkey SEED          random input, for tests; drops FOLDER/monkey-0.xml to -7.xml,\n"
    "                         -8.mcap and -9.mcap\n";

typedef struct ViewOptions {
  ModelOptions model;
  Users users;
  PluginOptions plugins;
  char builtin[BUILTIN_PATH];
  HeftUsers users_in;
  const char *path, *other, *key;
  RunRead *run[2], *next[2];  ///< logs that are shown; logs of the model that was loaded last
  int changed;                ///< 1: another model was loaded than the one that is shown
  int list, emulate;
  int acting;  ///< 1: the plug-ins belong to a name
  HeftGalleryEntry gallery[GALLERY_MAX];
  char shown[1024];  ///< file of the model in the window
  SessionFile* session;
  HeftSession* recorded;  // by it
  HeftViewerDef def;
} ViewOptions;

static int wrong(const char* what, const char* value) {
  return arguments_wrong("view", what, value);
}

static int read_number(const char* text, double min, double* out) {
  return picture_read_number(text, min, out) || wrong("expected a number, found", text);
}

static int read_size(ViewOptions* o, const char* text) {
  static const int min[2] = {200, 150};
  return picture_read_size(text, min, &o->def.width, &o->def.height) ||
         wrong("expected a size like 1280x720, found", text);
}

static int read_show(ViewOptions* o, const char* text) {
  return picture_read_show("view", text, &o->def.show);
}

// 1: taken, 0: wrong (reported), -1: unknown.
static int take_value(void* options, const char* name, const char* value) {
  ViewOptions* o = options;
  if (strcmp(name, "--size") == 0) return read_size(o, value);
  if (strcmp(name, "--show") == 0) return read_show(o, value);
  if (strcmp(name, "--contact-model") == 0)
    return contact_options_read("view", value, &o->def.settings.contact_model,
                                &o->def.settings.contact_options);
  if (strcmp(name, "--key") == 0) return (o->key = value) != NULL;
  if (strcmp(name, "--record") == 0) return (o->def.record = value) != NULL;
  if (strcmp(name, "--folder") == 0) return (o->def.folder = value) != NULL;
  if (strcmp(name, "--log") == 0) return (o->def.log = value) != NULL;
  if (strcmp(name, "--seconds") == 0) return read_number(value, 0.01, &o->def.end_after);
  if (strcmp(name, "--monkey") == 0) return (o->def.monkey = strtoull(value, NULL, 10)) != 0;
  if (strcmp(name, "--text-scale") == 0) return read_number(value, 0.5, &o->def.text_scale);
  return -1;
}

static int take_flag(void* options, const char* name) {
  ViewOptions* o = options;
  if (strcmp(name, "--paused") == 0) return o->def.paused = 1;
  if (strcmp(name, "--no-deadline") == 0) return o->def.no_deadline = 1;
  if (strcmp(name, "--list") == 0) return o->list = 1;
  if (strcmp(name, "--emulate") == 0) return o->emulate = 1;
  if (strcmp(name, "--dark") == 0) return o->def.dark = 1;
  if (strcmp(name, "--light") != 0) return 0;
  o->def.dark = 0;
  return 1;
}

// 1: continue, 0: wrong (reported), 2: help requested.
static int read_options(ViewOptions* o, int argc, char** argv) {
  const Arguments arguments = {.verb = "view",
                               .help = help,
                               .model = &o->model,
                               .users = &o->users,
                               .plugins = &o->plugins,
                               .builtin = o->builtin,
                               .options = o,
                               .flag = take_flag,
                               .value = take_value,
                               .path = &o->path,
                               .other = &o->other};
  const int asked = arguments_read(&arguments, argc, argv);
  if (asked == 1 && o->other && !(run_read_is_log(o->path) && run_read_is_log(o->other)))
    return wrong("two files are possible if both are logs (.mcap); the second one is", o->other);
  return asked;
}

// ---- logs

static void close_logs(RunRead* run[2]) {
  for (int i = 0; i < 2; ++i) {
    run_read_close(run[i]);
    run[i] = NULL;
  }
}

// Opens one or two logs. Returns the model of the first; NULL on failure, with a message in error.
static HeftModel* open_logs(ViewOptions* o, const char* path, const char* other, HeftError* error) {
  close_logs(o->next);
  o->next[0] = run_read_open_path(path, error);
  if (o->next[0] && other) o->next[1] = run_read_open_path(other, error);
  const int good =
      o->next[0] && (!other || (o->next[1] && run_read_comparable(o->next[0], o->next[1], error)));
  HeftModel* model = good ? run_read_copy_model(o->next[0], error) : NULL;
  if (!model) close_logs(o->next);
  return model;
}

// The simulation that read the former logs has ended.
static int recordings(void* user, const HeftRecording* out[2]) {
  ViewOptions* o = user;
  int count = 0;
  if (o->changed) {
    close_logs(o->run);
    memcpy(o->run, o->next, sizeof o->run);
    o->next[0] = o->next[1] = NULL;
    o->changed = 0;
  }
  for (; count < 2 && o->run[count]; ++count) out[count] = run_read_recording(o->run[count]);
  return count;
}

static void begins_other(ViewOptions* o, const char* path) {
  o->changed = 1;
  snprintf(o->shown, sizeof o->shown, "%s", path);
}

static HeftModel* load_other(void* user, const char* path, HeftError* error) {
  ViewOptions* o = user;
  HeftModel* model = NULL;
  close_logs(o->next);
  if (run_read_is_log(path)) {
    model = open_logs(o, path, NULL, error);
  } else {
    model_options_load_quietly(&o->model, path, &model, error);
  }
  if (model) begins_other(o, path);
  return model;
}

static HeftModel* load_object(void* user, const char* path, HeftError* error) {
  const ViewOptions* o = user;
  HeftModel* model = NULL;
  HeftLoadDef def = o->model.def;
  def.progress = NULL;
  heft_model_load_file(&model, path, &def, error);
  return model;
}

// Plug-ins of the command line act in every model; plug-ins of a name act in its own.
static HeftPluginSet* open_other(void* user, const char* file, const char* name, HeftError* error) {
  ViewOptions* o = user;
  snprintf(o->shown, sizeof o->shown, "%s", file);
  if (!name && !o->acting) return o->plugins.set;
  plugin_options_again(&o->plugins, "view", error);
  o->acting = name != NULL;
  o->users.seated = 0;
  o->users.begins = 0;
  if (name && builtin_add(&o->plugins, name, "", error))
    builtin_seat(&o->plugins, "view", &o->users, 0);
  return o->plugins.set;
}

// Mesa's software renderer uses all cores by default: leave one core for the simulation.
static void spare_a_core(void) {
  const long cores = sysconf(_SC_NPROCESSORS_ONLN);
  char text[24];
  snprintf(text, sizeof text, "%ld", cores > 2 ? cores - 1 : 1);
  setenv("LP_NUM_THREADS", text, 0);
}

// ---- devices and sessions

static void list_users(ViewOptions* o) {
  const Users* p = &o->users;
  o->users_in.servo = p->servo;
  o->users_in.count = p->count;
  for (int i = 0; i < p->count; ++i) {
    const HeftDeviceInfo info = heft_device_info(p->device[i]);
    o->users_in.fixed = p->seated;
    o->users_in.begins = p->begins;
    o->users_in.probe[i] = p->probe[i];
    o->users_in.mapping[i] = p->mapping[i];
    memcpy(o->users_in.name[i], info.name, sizeof o->users_in.name[i]);
  }
}

static const HeftUsers* connect_users(void* user, const HeftModel* model, const char* connect,
                                      int disconnect, HeftError* error) {
  ViewOptions* o = user;
  users_change(&o->users, model, connect, disconnect, error);
  if (o->users.count == 0 || !o->users.servo) return NULL;
  if (heft_servo_start(o->users.servo, error) != HEFT_OK) return NULL;
  list_users(o);
  return &o->users_in;
}

static int begin_session(void* user, const char* path, HeftWorld* world, HeftSession* session,
                         double time_step) {
  ViewOptions* o = user;
  char act[100];
  snprintf(act, sizeof act, "%s%s", HEFT_SESSION_BUILTIN, o->plugins.builtin);
  HeftLoading loading;
  model_options_store(&o->model, &loading);
  HeftSessionInfo info = {.model_path = o->plugins.builtin[0] ? act : o->shown,
                          .loading = &loading,
                          .model = heft_world_model(world),
                          .world = heft_world_def_default(),
                          .time_step = time_step,
                          .session = session};
  info.world.contact_model = heft_world_contact_model(world);
  info.world.contact_options = heft_world_contact_options(world);
  o->session = session_file_open(path, &info, o->plugins.set);
  o->recorded = session;
  return o->session != NULL;
}

static void add_step(void* user, const HeftStepReport* report) {
  ViewOptions* o = user;
  session_file_step(o->session, o->recorded, report);
}

static void add_change(void* user, const HeftChange* change, HeftWorld* world,
                       HeftSession* session) {
  ViewOptions* o = user;
  (void)world;
  o->recorded = session;
  session_file_change(o->session, change);
}

static int end_session(void* user) {
  ViewOptions* o = user;
  const int well = session_file_close(o->session);
  o->session = NULL;
  return well;
}

// The devices of the command line must open; others can be chosen in the window. 0 on failure
// (reported).
static int invite(ViewOptions* o, const HeftModel* model) {
  if (o->users.count > 0 && !model)
    return wrong("a device needs a model file on the command line; device:", o->users.spec[0]);
  o->users.real_time = 1;
  if (model && !builtin_seat(&o->plugins, "view", &o->users, o->emulate)) return 0;
  return o->users.count == 0 || users_open(&o->users, "view", model, 1);
}

static int open_view(ViewOptions* o) {
  HeftError error = {0};
  const int log = o->path && run_read_is_log(o->path);
  HeftModel* model = log       ? open_logs(o, o->path, o->other, &error)
                     : o->path ? model_options_load(&o->model, o->path)
                               : NULL;
  if (log && !model) model_options_report(&error, "error");
  if (o->path && !model) return 1;
  if (model) {
    o->def.key = heft_model_find(model, HEFT_NAMED_KEY, o->key ? o->key : "home");
    if (o->key && o->def.key < 0) {
      names_wrong_in("view", "the model has no keyframe named", o->key, model, HEFT_NAMED_KEY);
      heft_model_destroy(model);
      return 2;
    }
  }
  if (model && !o->def.show && picture_bare_show(model)) {
    o->def.show = picture_bare_show(model);
    snprintf(o->model.notice, sizeof o->model.notice,
             "most bodies have no shapes: the skeleton is shown");
  }
  begins_other(o, o->path ? o->path : "");
  o->def.recordings = recordings;
  o->def.connect_users = connect_users;
  o->def.recorder = (HeftRecorder){o, begin_session, add_step, end_session, add_change};
  o->def.path = o->path;
  o->def.load = load_other;
  o->def.opens = open_other;
  o->def.load_object = load_object;
  o->def.gallery = o->gallery;
  o->def.gallery_count = gallery_fill(o->gallery);
  o->acting = o->builtin[0] != '\0';
  o->def.user = o;
  o->def.plugins = o->plugins.set;
  o->def.notice = o->model.notice;
  spare_a_core();
  signal(SIGPIPE, SIG_IGN);
  if (!invite(o, model)) {
    users_close(&o->users);
    heft_model_destroy(model);
    return 1;
  }
  const HeftStatus status = heft_viewer_run(model, &o->def, &error);
  users_close(&o->users);
  if (status == HEFT_OK) return 0;
  fprintf(stderr, "heft view: error: %s\n", error.message);
  return 1;
}

int heft_verb_view(int argc, char** argv) {
  ViewOptions o = {.def = heft_viewer_def_default()};
  o.def.started_ns = heft_clock_ns();
  model_options_init(&o.model);
  users_init(&o.users);
  const int asked = read_options(&o, argc, argv);
  int result = asked == 0 ? 2 : 0;
  if (asked == 2) printf("%s%s%s%s", help, users_help, plugin_options_help, model_options_help);
  if (asked == 1 && o.list) builtin_list();
  if (asked == 1 && !o.list) result = open_view(&o);
  close_logs(o.run);
  close_logs(o.next);
  plugin_options_release(&o.plugins);
  model_options_release(&o.model);
  return result;
}

#endif
