// SPDX-License-Identifier: Apache-2.0
// heft render: a picture or a video of a model, without a window.
#include <stdio.h>

#include "arguments.h"
#include "builtin.h"
#include "names.h"
#include "picture_options.h"
#include "verbs.h"

#ifndef HEFT_HAVE_VIEW

int heft_verb_render(int argc, char** argv) {
  (void)argc;
  (void)argv;
  fprintf(stderr,
          "heft render: error: this program was built without the viewer. On Debian:\n"
          "  apt install libepoxy-dev libegl-dev libpng-dev libsdl2-dev libimgui-dev g++\n"
          "and build Heft again.\n");
  return 1;
}

#else

#include <errno.h>
#include <heft/heft.h>
#include <heft/io.h>
#include <heft/view.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "contact_options.h"
#include "model_options.h"
#include "picture.h"
#include "run_read.h"
#include "sheet.h"

enum { MARKS = 8192 };

static const char help[] =
    "usage: heft render [OPTIONS] FILE OUT.png|OUT.mp4\n"
    "       heft render [OPTIONS] --sheet OUT.png FILE|FOLDER...\n"
    "Draws a model without a window: a picture, or a video of its motion (needs ffmpeg); or a "
    "sheet\n"
    "with a small picture and the name of every model in files and folders.\n"
    "FILE may be a log of 'heft run --log RUN.mcap', which is shown as it was recorded.\n"
    "\n"
    "  -o, --out FILE         output file: .png is a picture, .mp4, .webm or .mkv a video\n"
    "  --sheet FILE           write a sheet of all models to FILE (.png)\n"
    "  --size WxH             size in pixels (default 1280x720; of a video 640x360, of each model "
    "on\n"
    "                         a sheet 320x240)\n"
    "  --time SECONDS         time to simulate before the picture, or duration of the video\n"
    "                         (default 5, or all of a log)\n"
    "  --at SECONDS           the same as --time, for a picture of a log\n"
    "  --from SECONDS         time at which the video begins (default 0)\n"
    "  --fps N                frames per second of the video (default 30)\n"
    "  --slow FACTOR          slow motion by this factor (default 1)\n"
    "  --key NAME             initial keyframe (default: \"home\", or the pose in the file)\n"
    "  --step SECONDS         time step (default: from the model)\n"
    "  --hold GAIN            hold the joints in the initial pose by springs; 1 lets humanoids "
    "stand\n"
    "  --friction FACTOR      multiply all friction coefficients by this\n"
    "  --contact-model NAME   contact model ('heft run --help' lists them)\n"
    "  --compare FACTOR       add a ghost with the friction multiplied by this\n"
    "  --compare-model NAME   add a ghost with this contact model\n"
    "  --camera NAME|AZ,EL[,DIST[,X,Y,Z]]\n"
    "                         a camera of the model, or angles [deg], distance and target [m]\n"
    "                         (default: the whole robot from its front)\n"
    "  --zoom FACTOR          zoom in (above 1) or out (below 1)\n"
    "  --show NAME,NAME       contacts forces cones pressure mass inertia joints names collision\n"
    "                         islands rest sites force-values skeleton\n"
    "  --dark                 dark background if the model has no sky\n"
    "  --sun                  light by one sun instead of the lights of the model\n"
    "  --fast                 no reflections, no anti-aliasing, hard shadows\n";

typedef struct RenderOptions {
  ModelOptions model;
  PluginOptions plugins;
  char builtin[BUILTIN_PATH];
  const char *path, *out, *key, *camera, *sheet;
  ModelFiles files;  ///< of a sheet, without the first
  int width, height, fps, dark, fast, sun;
  double time, from, slow, zoom, compare;
  int other_model;  ///< 1: the ghost has its own contact model
  HeftContactModel ghost_model;
  HeftContactOptions ghost_options;
  HeftSimulationSettings settings;
  unsigned show;
} RenderOptions;

// The objects that draw a picture.
typedef struct Studio {
  const HeftModel* model;
  const RunRead* log;  // NULL: the model is simulated
  HeftSimulation* simulation;
  const HeftViewFrame* frame;
  HeftDynamics* dynamics;
  HeftHeadless* headless;
  HeftRenderer* renderer;
  HeftPose *poses, *ghost;
  int* tint;
  HeftMarks marks;
  HeftImage image;
  HeftPicture picture;
  double size;
  HeftError* failure;  ///< where the reason of a failure is stored too, or NULL
} Studio;

// ---- options

static int wrong(const char* what, const char* value) {
  return arguments_wrong("render", what, value);
}

static int read_number(const char* text, double min, double* out) {
  return picture_read_number(text, min, out) || wrong("expected a number, found", text);
}

static int read_size(RenderOptions* o, const char* text) {
  static const int min[2] = {16, 16};
  return picture_read_size(text, min, &o->width, &o->height) ||
         wrong("expected a size like 1280x720, found", text);
}

static int read_show(RenderOptions* o, const char* text) {
  return picture_read_show("render", text, &o->show);
}

// 1: taken, 0: wrong (reported), -1: unknown.
static int take_value(void* options, const char* name, const char* value) {
  RenderOptions* o = options;
  double x = 0;
  if (strcmp(name, "-o") == 0 || strcmp(name, "--out") == 0) return (o->out = value) != NULL;
  if (strcmp(name, "--sheet") == 0) return (o->sheet = value) != NULL;
  if (strcmp(name, "--size") == 0) return read_size(o, value);
  if (strcmp(name, "--time") == 0 || strcmp(name, "--at") == 0)
    return read_number(value, 0, &o->time);
  if (strcmp(name, "--from") == 0) return read_number(value, 0, &o->from);
  if (strcmp(name, "--slow") == 0) return read_number(value, 1e-3, &o->slow);
  if (strcmp(name, "--step") == 0) return read_number(value, 1e-9, &o->settings.time_step);
  if (strcmp(name, "--hold") == 0) return read_number(value, 0, &o->settings.hold);
  if (strcmp(name, "--friction") == 0) return read_number(value, 0, &o->settings.friction);
  if (strcmp(name, "--contact-model") == 0)
    return contact_options_read("render", value, &o->settings.contact_model,
                                &o->settings.contact_options);
  if (strcmp(name, "--compare-model") == 0)
    return o->other_model =
               contact_options_read("render", value, &o->ghost_model, &o->ghost_options);
  if (strcmp(name, "--compare") == 0) return read_number(value, 0, &o->compare);
  if (strcmp(name, "--zoom") == 0) return read_number(value, 1e-3, &o->zoom);
  if (strcmp(name, "--key") == 0) return (o->key = value) != NULL;
  if (strcmp(name, "--camera") == 0) return (o->camera = value) != NULL;
  if (strcmp(name, "--show") == 0) return read_show(o, value);
  if (strcmp(name, "--fps") == 0) {
    if (!read_number(value, 1, &x) || x > 1000) return 0;
    o->fps = (int)x;
    return 1;
  }
  return -1;
}

static int take_flag(void* options, const char* name) {
  RenderOptions* o = options;
  if (strcmp(name, "--dark") == 0) return o->dark = 1;
  if (strcmp(name, "--fast") == 0) return o->fast = 1;
  if (strcmp(name, "--sun") == 0) return o->sun = 1;
  return 0;
}

static int ends_with(const char* path, const char* ending) {
  const char* dot = strrchr(path, '.');
  return dot && strcmp(dot, ending) == 0;
}

static int is_video(const char* path) {
  return ends_with(path, ".mp4") || ends_with(path, ".webm") || ends_with(path, ".mkv");
}

static int take_more(void* options, const char* path) {
  RenderOptions* o = options;
  if (!o->sheet && !o->out && (ends_with(path, ".png") || is_video(path))) {
    o->out = path;  // as with -o
    return 1;
  }
  if (!o->sheet)
    return wrong("several files need --sheet OUT.png before them; the second is", path);
  return model_files_add(&o->files, "render", path);
}

// The format of the output by its ending.
static int check_out(const RenderOptions* o) {
  if (o->sheet) {
    if (o->out) return wrong("--sheet names the output file; there is no use for -o", o->out);
    return ends_with(o->sheet, ".png") || wrong("expected a sheet ending in .png, found", o->sheet);
  }
  if (!o->out) return wrong("the output file is missing; add -o picture.png to", o->path);
  if (ends_with(o->out, ".png") || is_video(o->out)) return 1;
  return wrong("expected an output file ending in .png, .mp4, .webm or .mkv, found", o->out);
}

// 1: continue, 0: wrong (reported), 2: help requested.
static int read_options(RenderOptions* o, int argc, char** argv) {
  const Arguments arguments = {.verb = "render",
                               .help = help,
                               .model = &o->model,
                               .plugins = &o->plugins,
                               .builtin = o->builtin,
                               .options = o,
                               .flag = take_flag,
                               .value = take_value,
                               .path = &o->path,
                               .more = take_more};
  const int asked = arguments_read_file(&arguments, argc, argv);
  if (asked != 1) return asked;
  if (!check_out(o)) return 0;
  if (o->width == 0) {
    const int film = !o->sheet && is_video(o->out);  // a default film takes less than a minute
    o->width = o->sheet ? 320 : film ? 640 : 1280;
    o->height = o->sheet ? 240 : film ? 360 : 720;
  }
  return 1;
}

// ---- scene, camera and renderer

static int start_key(const HeftModel* m, const char* name, int* key) {
  *key = heft_model_find(m, HEFT_NAMED_KEY, name ? name : "home");
  if (*key >= 0 || !name) return 1;
  return names_wrong_in("render", "the model has no keyframe named", name, m, HEFT_NAMED_KEY);
}

static int fail(const Studio* s, const HeftError* error) {
  fprintf(stderr, "heft render: error: %s\n", error->message);
  if (s->failure) *s->failure = *error;
  return 0;
}

static void nap(void) { nanosleep(&(struct timespec){0, 300000}, NULL); }

// Waits until the simulation thread has executed all commands.
static void wait_for(Studio* s, long step) {
  s->frame = heft_simulation_frame(s->simulation, NULL);
  while (s->frame->step < step && !s->frame->trouble[0]) {
    nap();
    s->frame = heft_simulation_frame(s->simulation, NULL);
  }
}

// A ghost keeps the settings at the time of its creation.
static void start_ghost(Studio* s, const RenderOptions* o) {
  HeftSimulationSettings other = o->settings;
  if (o->compare >= 0) other.friction = o->compare;
  if (o->other_model) {
    other.contact_model = o->ghost_model;
    other.contact_options = o->ghost_options;
  }
  heft_simulation_set_settings(s->simulation, &other);
  heft_simulation_ghost(s->simulation, 1);
  heft_simulation_set_settings(s->simulation, &o->settings);
}

static void find_poses(const Studio* s, const double* q, const double* moved, HeftPose* poses) {
  heft_dynamics_set_moved(s->dynamics, moved);
  heft_dynamics_kinematics(s->dynamics, q);
  for (int b = 0; b < s->model->nbody; ++b) poses[b] = heft_dynamics_body_pose(s->dynamics, b);
}

static void look_at_state(Studio* s) {
  s->picture.ghost = s->frame->ghost ? s->ghost : NULL;
  if (s->frame->ghost) find_poses(s, s->frame->ghost_q, s->frame->ghost_moved, s->ghost);
  find_poses(s, s->frame->q, s->frame->moved, s->poses);
}

static void mark_state(Studio* s, unsigned show) {
  const HeftViewFrame* f = s->frame;
  const HeftSnapshot snapshot = {
      f->q, f->v, f->contact, f->contact_count, s->size, f->friction_needed};
  heft_marks_clear(&s->marks);
  heft_picture_show(&s->picture, &s->marks, s->model, s->dynamics, &snapshot, show, s->tint);
  heft_marks_append(&s->marks, &f->plugin_marks);
  s->picture.poses = s->poses;
}

static int read_angles(const char* text, HeftCamera* c) {
  double x[6] = {0};
  int n = 0;
  char* end = NULL;
  for (; n < 6; ++n) {
    x[n] = strtod(text, &end);
    if (end == text || !isfinite(x[n])) return 0;
    text = end + (*end == ',');
    if (*end == '\0') break;
  }
  if (*end || n < 1) return 0;
  c->azimuth = x[0] * HEFT_PI / 180;
  c->elevation = x[1] * HEFT_PI / 180;
  if (n >= 2) c->distance = x[2];
  if (n >= 5) c->target = heft_vec3(x[3], x[4], x[5]);
  return 1;
}

static int aim_camera(Studio* s, const RenderOptions* o) {
  HeftCamera* c = &s->picture.camera;
  *c = heft_renderer_camera(s->renderer, s->poses, (double)o->width / o->height);
  s->size = 2 * 0.34 * c->distance;
  c->distance /= o->zoom;
  if (!o->camera) return 1;
  const int named = heft_model_find(s->model, HEFT_NAMED_CAMERA, o->camera);
  if (named >= 0) {
    *c = heft_model_camera(s->model, named, s->dynamics);
    return 1;
  }
  if (read_angles(o->camera, c)) return 1;
  return names_wrong_in("render", "expected a camera of the model or angles, found", o->camera,
                        s->model, HEFT_NAMED_CAMERA);
}

static char* folder_of(const char* path) {
  const char* slash = strrchr(path, '/');
  const size_t length = slash ? (size_t)(slash - path) : 1;
  char* folder = malloc(length + 2);
  if (!folder) return NULL;
  memcpy(folder, slash ? path : ".", length);
  folder[length] = '\0';
  if (length == 0) memcpy(folder, "/", 2);
  return folder;
}

static int open_renderer(Studio* s, const RenderOptions* o, HeftError* error) {
  HeftRendererDef def = heft_renderer_def_default();
  char* folder = folder_of(o->path);
  def.folder = folder;
  if (s->log && run_read_recording(s->log)->folder) def.folder = run_read_recording(s->log)->folder;
  def.dark = o->dark;
  if (o->fast) {
    def.samples = 0;
    def.soft_shadows = def.reflections = 0;
    def.shadow_size = 1024;
  }
  const int done = heft_headless_create(&s->headless, error) == HEFT_OK &&
                   heft_renderer_create(&s->renderer, s->model, &def, error) == HEFT_OK;
  free(folder);
  return done;
}

static int open_recording(Studio* s, HeftError* error) {
  if (heft_dynamics_create(&s->dynamics, s->model, NULL, error) != HEFT_OK ||
      heft_simulation_create_recorded(&s->simulation, s->model, run_read_recording(s->log), NULL,
                                      NULL, error) != HEFT_OK) {
    fprintf(stderr, "heft render: error: %s\n", error->message);
    return 0;
  }
  wait_for(s, 0);
  return 1;
}

static int open_simulation(Studio* s, const RenderOptions* o, HeftError* error) {
  HeftSimulationDef def = heft_simulation_def_default();
  if (s->log) return open_recording(s, error);
  def.settings = o->settings;
  def.plugins = o->plugins.set;
  def.timeline_bytes = (size_t)1 << 20;
  if (!start_key(s->model, o->key, &def.key)) return 0;
  if (heft_dynamics_create(&s->dynamics, s->model, NULL, error) != HEFT_OK ||
      heft_simulation_create(&s->simulation, s->model, &def, error) != HEFT_OK) {
    return fail(s, error);
  }
  if (o->compare >= 0 || o->other_model) start_ghost(s, o);
  wait_for(s, 0);
  return 1;
}

static int open_studio(Studio* s, const HeftModel* model, const RenderOptions* o) {
  HeftError error = {0};
  s->model = model;
  s->picture = heft_picture_default();
  s->picture.lights = !o->sun;
  s->picture.text = fmax(1, o->height / 720.0);
  s->poses = calloc((size_t)model->nbody, sizeof *s->poses);
  s->ghost = calloc((size_t)model->nbody, sizeof *s->ghost);
  s->tint = calloc((size_t)model->nbody, sizeof *s->tint);
  s->marks = (HeftMarks){.mark = calloc(MARKS, sizeof(HeftMark)), .max = MARKS};
  s->image.pixels = malloc((size_t)o->width * (size_t)o->height * 3);
  if (!s->poses || !s->ghost || !s->tint || !s->marks.mark || !s->image.pixels) {
    wrong("not enough memory for a picture of", o->path);
    return 0;
  }
  if (!open_simulation(s, o, &error)) return 0;
  if (!open_renderer(s, o, &error)) return fail(s, &error);
  look_at_state(s);
  return aim_camera(s, o);
}

static void close_studio(Studio* s) {
  heft_renderer_destroy(s->renderer);
  heft_headless_destroy(s->headless);
  heft_simulation_destroy(s->simulation);
  heft_dynamics_destroy(s->dynamics);
  free(s->poses);
  free(s->ghost);
  free(s->tint);
  free(s->marks.mark);
  free(s->image.pixels);
}

// ---- pictures

static void show_progress(const RenderOptions* o, const char* what, double share) {
  if (o->model.quiet || !isatty(STDERR_FILENO)) return;
  char bar[41];
  const int full = (int)(40 * (share < 0 ? 0 : (share > 1 ? 1 : share)));
  memset(bar, ' ', 40);
  memset(bar, '#', (size_t)full);
  bar[40] = '\0';
  fprintf(stderr, "\r%-12s [%s] %3.0f %%", what, bar, 100 * share);
  if (share >= 1) fprintf(stderr, "\r%70s\r", "");
  fflush(stderr);
}

// Shows a time of a log. Returns 0 if its row is damaged.
static int go_to(Studio* s, double time) {
  const long seeks = s->frame->seeks;
  heft_simulation_rewind(s->simulation, time);
  while (s->frame->seeks == seeks) {
    nap();
    s->frame = heft_simulation_frame(s->simulation, NULL);
  }
  if (s->frame->trouble[0]) fprintf(stderr, "heft render: error: %s\n", s->frame->trouble);
  return !s->frame->trouble[0];
}

// Steps until a time, in parts of 0.1 s. Returns 0 if a step was rolled back: the state then no
// longer changes.
static int simulate(Studio* s, const RenderOptions* o, double until) {
  if (s->log) return go_to(s, until);
  const double h = o->settings.time_step > 0 ? o->settings.time_step : s->model->physics.time_step;
  const long first = s->frame->step;
  const long last = (long)ceil(until / h - 1e-6), piece = (long)(0.1 / h) + 1;
  while (s->frame->step < last) {
    const long next = s->frame->step + piece < last ? s->frame->step + piece : last;
    heft_simulation_step(s->simulation, (int)(next - s->frame->step));
    wait_for(s, next);
    if (s->frame->trouble[0]) {
      fprintf(stderr, "heft render: error: at %.3f s: %s\n", s->frame->time, s->frame->trouble);
      return 0;
    }
    if (o->from <= 0 && o->out && is_video(o->out)) continue;
    show_progress(o, "simulating", (double)(next - first) / (double)(last - first));
  }
  return 1;
}

static int draw(Studio* s, const RenderOptions* o) {
  HeftError error = {0};
  look_at_state(s);
  mark_state(s, o->show ? o->show : picture_bare_show(s->model));
  if (heft_renderer_draw(s->renderer, &s->picture, o->width, o->height, 0, &error) != HEFT_OK)
    return fail(s, &error);
  heft_renderer_read(s->renderer, &s->image);
  return 1;
}

// Draws the state after the time of the options.
static int draw_at(Studio* s, const RenderOptions* o) {
  if (o->time > 0) {
    simulate(s, o, o->time);
    show_progress(o, "simulating", 1);
    look_at_state(s);
    if (!aim_camera(s, o)) return 0;
  }
  return draw(s, o);
}

static int make_picture(Studio* s, const RenderOptions* o) {
  HeftError error = {0};
  if (!draw_at(s, o)) return 0;
  if (heft_image_write_png(&s->image, o->out, &error) == HEFT_OK) return 1;
  return fail(s, &error);
}

// ---- videos

static int make_video(Studio* s, const RenderOptions* o) {
  FILE* pipe = picture_film_open("render", o->out, o->width, o->height, o->fps);
  const double all = s->log ? s->frame->last - o->from : 5;
  const double frame = 1 / (o->fps * o->slow), end = o->from + (o->time > 0 ? o->time : all);
  const int count = (int)ceil((end - o->from) / frame - 1e-9);
  const size_t bytes = (size_t)o->width * (size_t)o->height * 3;
  int good = pipe != NULL;
  if (good && o->from > 0) simulate(s, o, o->from);
  for (int i = 0; good && i < count; ++i) {
    good = draw(s, o) && fwrite(s->image.pixels, 1, bytes, pipe) == bytes;
    if (!simulate(s, o, o->from + (i + 1) * frame)) break;
    show_progress(o, "drawing", (double)(i + 1) / count);
  }
  return picture_film_close("render", o->out, pipe, good);
}

// ---- sheets

static int draw_tile(void* user, const char* path, HeftImage* tile, HeftError* error) {
  RenderOptions* o = user;
  Studio studio = {.failure = error};
  o->path = path;
  HeftModel* model = model_options_load(&o->model, path);
  if (!model) *error = o->model.failure;
  const int good = model && open_studio(&studio, model, o) && draw_at(&studio, o);
  if (good) memcpy(tile->pixels, studio.image.pixels, 3 * (size_t)o->width * (size_t)o->height);
  close_studio(&studio);
  heft_model_destroy(model);
  return good;
}

static int make_sheet(RenderOptions* o) {
  ModelFiles files = {0};
  int failed = -1;
  int good = model_files_add(&files, "render", o->path);
  for (int i = 0; good && i < o->files.count; ++i)
    good = model_files_add(&files, "render", o->files.path[i]);
  if (good && files.count == 0) {
    wrong("there is no model in", o->path);
  } else if (good) {
    const Sheet sheet = {&files, o->width, o->height, o->model.quiet, draw_tile, o};
    failed = sheet_write(&sheet, o->sheet);
    if (failed >= 0) printf("%s: %d models, %d of them not drawn\n", o->sheet, files.count, failed);
  }
  model_files_free(&files);
  return failed == 0;
}

static int make_one(RenderOptions* o) {
  HeftError error = {0};
  const int logged = run_read_is_log(o->path);
  RunRead* log = logged ? run_read_open_path(o->path, &error) : NULL;
  HeftModel* model = NULL;
  if (log) model = run_read_copy_model(log, &error);
  if (!logged) model = model_options_load(&o->model, o->path);
  Studio studio = {.log = log};
  int good = 0;
  if (error.status != HEFT_OK) model_options_report(&error, "error");
  if (model && open_studio(&studio, model, o))
    good = is_video(o->out) ? make_video(&studio, o) : make_picture(&studio, o);
  close_studio(&studio);
  heft_model_destroy(model);
  run_read_close(log);
  return good;
}

int heft_verb_render(int argc, char** argv) {
  RenderOptions o = {.fps = 30,
                     .slow = 1,
                     .zoom = 1,
                     .compare = -1,
                     .settings = heft_simulation_settings_default()};
  model_options_init(&o.model);
  const int asked = read_options(&o, argc, argv);
  int result = asked == 0 ? 2 : 0;
  if (asked == 2) printf("%s%s%s", help, plugin_options_help, model_options_help);
  if (asked == 1) result = !(o.sheet ? make_sheet(&o) : make_one(&o));
  model_files_free(&o.files);
  plugin_options_release(&o.plugins);
  model_options_release(&o.model);
  return result;
}

#endif
