// SPDX-License-Identifier: Apache-2.0
// heft render: a picture or a video of a model, without a window.
#include <stdio.h>

#include "verbs.h"

#ifndef HEFT_HAVE_VIEW

int heft_verb_render(int argc, char** argv) {
  (void)argc;
  (void)argv;
  fprintf(stderr,
          "heft render: this heft was built without its viewer. On Debian:\n"
          "  apt install libepoxy-dev libegl-dev libpng-dev libsdl2-dev libimgui-dev g++\n"
          "then build again.\n");
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
#include <unistd.h>

#include "model_options.h"

enum { MARKS = 8192 };

static const char help[] =
    "usage: heft render [OPTIONS] FILE -o OUT.png|OUT.mp4\n"
    "Draws a model without a window: a picture, or a video of its motion (needs ffmpeg).\n\n"
    "  -o, --out FILE         where to; .png is a picture, .mp4 or .webm a video\n"
    "  --size WxH             pixels (default 1280x720)\n"
    "  --time SECONDS         simulate so long before the picture, or during the video\n"
    "  --from SECONDS         a video begins here (default 0)\n"
    "  --fps N                pictures per second of a video (default 30)\n"
    "  --slow FACTOR          a video plays so many times slower than real (default 1)\n"
    "  --key NAME             start from this keyframe (default: \"home\", else the described "
    "pose)\n"
    "  --step SECONDS         length of a step (default: the model's)\n"
    "  --camera NAME|AZ,EL[,DIST[,X,Y,Z]]\n"
    "                         a camera of the model, or angles [deg], distance and target [m];\n"
    "                         default: the whole robot from its front\n"
    "  --zoom FACTOR          closer (above 1) or farther than that\n"
    "  --show NAME,NAME       contacts forces cones pressure mass inertia joints names collision\n"
    "                         islands\n"
    "  --dark                 a dark surrounding where the model has no sky of its own\n"
    "  --fast                 no reflections, no anti-aliasing, hard shadows\n";

typedef struct RenderOptions {
  ModelOptions model;
  const char *path, *out, *key, *camera;
  int width, height, fps, dark, fast;
  double time, from, slow, step, zoom;
  unsigned show;
} RenderOptions;

// Everything that a picture is made of.
typedef struct Studio {
  const HeftModel* model;
  HeftWorld* world;
  HeftHeadless* headless;
  HeftRenderer* renderer;
  HeftPose* poses;
  HeftWorldContact* contacts;
  int contact_room;
  int* tint;
  HeftMarks marks;
  HeftImage image;
  HeftPicture picture;
  double size;
} Studio;

// ---- options

static int wrong(const char* what, const char* value) {
  fprintf(stderr, "heft render: %s '%s'; try 'heft render --help'\n", what, value);
  return 0;
}

static int read_number(const char* text, double least, double* out) {
  char* end = NULL;
  const double x = strtod(text, &end);
  if (end == text || *end || !isfinite(x) || x < least)
    return wrong("a number was expected, not", text);
  *out = x;
  return 1;
}

static int read_size(RenderOptions* o, const char* text) {
  char* end = NULL;
  const long w = strtol(text, &end, 10);
  const long h = *end == 'x' ? strtol(end + 1, &end, 10) : 0;
  if (w < 16 || h < 16 || w > 16384 || h > 16384 || *end)
    return wrong("a size like 1280x720 was expected, not", text);
  o->width = (int)w;
  o->height = (int)h;
  return 1;
}

static int read_show(RenderOptions* o, const char* text) {
  while (*text) {
    const size_t length = strcspn(text, ",");
    int found = 0;
    for (int i = 0; i < HEFT_SHOW_COUNT; ++i) {
      const char* name = heft_show_name((HeftShowIndex)i);
      if (strlen(name) != length || strncmp(name, text, length) != 0) continue;
      o->show |= 1u << i;
      found = 1;
    }
    if (!found) return wrong("nothing to show has the name", text);
    text += length + (text[length] == ',');
  }
  return 1;
}

// 1: taken, 0: wrong, and said so, -1: not ours.
static int take_value(RenderOptions* o, const char* name, const char* value) {
  double x = 0;
  if (strcmp(name, "-o") == 0 || strcmp(name, "--out") == 0) return (o->out = value) != NULL;
  if (strcmp(name, "--size") == 0) return read_size(o, value);
  if (strcmp(name, "--time") == 0) return read_number(value, 0, &o->time);
  if (strcmp(name, "--from") == 0) return read_number(value, 0, &o->from);
  if (strcmp(name, "--slow") == 0) return read_number(value, 1e-3, &o->slow);
  if (strcmp(name, "--step") == 0) return read_number(value, 1e-9, &o->step);
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

static int take_flag(RenderOptions* o, const char* name) {
  if (strcmp(name, "--dark") == 0) return o->dark = 1;
  if (strcmp(name, "--fast") == 0) return o->fast = 1;
  return 0;
}

// 1: go on, 0: wrong, and said so, 2: help was asked for.
static int read_options(RenderOptions* o, int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "--help") == 0) return 2;
    const int taken = model_options_take(&o->model, argc, argv, &i);
    if (taken < 0) return 0;
    if (taken > 0 || take_flag(o, argv[i])) continue;
    if (argv[i][0] == '-') {
      const int mine = i + 1 < argc ? take_value(o, argv[i], argv[i + 1]) : -1;
      if (mine == 0) return 0;
      if (mine < 0) return wrong("not an option, or its value is missing:", argv[i]);
      ++i;
    } else if (o->path) {
      return wrong("one file at a time, please: a second one is", argv[i]);
    } else {
      o->path = argv[i];
    }
  }
  if (!o->path) fprintf(stderr, "heft render: which file? Try 'heft render --help'\n");
  if (o->path && !o->out) fprintf(stderr, "heft render: where to? Give -o picture.png\n");
  return o->path && o->out;
}

static int is_video(const char* path) {
  const char* dot = strrchr(path, '.');
  return dot && (strcmp(dot, ".mp4") == 0 || strcmp(dot, ".webm") == 0 || strcmp(dot, ".mkv") == 0);
}

// ---- the studio

static int start_state(Studio* s, const char* name) {
  const int key = heft_model_find(s->model, HEFT_NAMED_KEY, name ? name : "home");
  if (name && key < 0) return wrong("the model has no keyframe", name);
  if (key < 0) return 1;
  HeftState* state = NULL;
  if (heft_state_create(&state, s->model, NULL, NULL) != HEFT_OK) return 0;
  heft_state_set_key(state, s->model, key);
  *state->time = 0;
  const int taken = heft_world_set_state(s->world, state) == HEFT_OK;
  heft_state_destroy(state);
  return taken ? 1 : wrong("its numbers are not finite: keyframe", name ? name : "");
}

static void look_at_state(Studio* s) {
  const HeftDynamics* d = heft_world_dynamics(s->world);
  for (int b = 0; b < s->model->nbody; ++b) s->poses[b] = heft_body_pose(d, b);
}

static void mark_state(Studio* s, unsigned show) {
  const int count = heft_world_contact_count(s->world);
  const HeftState* state = heft_world_state(s->world);
  HeftMoment moment = {state->q, state->v, s->contacts, 0, s->size};
  for (; moment.contact_count < count && moment.contact_count < s->contact_room;
       ++moment.contact_count)
    s->contacts[moment.contact_count] = heft_world_contact(s->world, moment.contact_count);
  heft_marks_clear(&s->marks);
  heft_marks_of_moment(&s->marks, s->model, heft_world_dynamics(s->world), &moment, show);
  s->picture.poses = s->poses;
  s->picture.marks = &s->marks;
  s->picture.groups = show >> HEFT_SHOW_COLLISION & 1u ? 0x38 | 1 : 0x7;
  if (show >> HEFT_SHOW_ISLANDS & 1u) {
    heft_body_islands(s->model, &moment, s->tint);
    s->picture.body_tint = s->tint;
  }
  s->picture.opacity = show & (1u << HEFT_SHOW_INERTIA | 1u << HEFT_SHOW_JOINTS) ? 0.45 : 1;
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
    *c = heft_model_camera(s->model, named, heft_world_dynamics(s->world));
    return 1;
  }
  return read_angles(o->camera, c) ? 1
                                   : wrong("neither a camera of the model nor angles:", o->camera);
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

static int open_studio(Studio* s, const HeftModel* model, const RenderOptions* o) {
  HeftError error = {0};
  HeftWorldDef def = heft_world_def_default();
  def.time_step = o->step;
  s->model = model;
  s->picture = heft_picture_default();
  s->contact_room = 4096;
  s->poses = calloc((size_t)model->nbody, sizeof *s->poses);
  s->tint = calloc((size_t)model->nbody, sizeof *s->tint);
  s->contacts = calloc((size_t)s->contact_room, sizeof *s->contacts);
  s->marks = (HeftMarks){.mark = calloc(MARKS, sizeof(HeftMark)), .most = MARKS};
  s->image.pixels = malloc((size_t)o->width * (size_t)o->height * 3);
  if (!s->poses || !s->tint || !s->contacts || !s->marks.mark || !s->image.pixels)
    return wrong("no memory for a picture of", o->path);
  if (heft_world_create(&s->world, model, &def, &error) != HEFT_OK ||
      !open_renderer(s, o, &error)) {
    fprintf(stderr, "heft render: %s\n", error.message);
    return 0;
  }
  if (!start_state(s, o->key)) return 0;
  look_at_state(s);
  return aim_camera(s, o);
}

static void close_studio(Studio* s) {
  heft_renderer_destroy(s->renderer);
  heft_headless_destroy(s->headless);
  heft_world_destroy(s->world);
  free(s->poses);
  free(s->tint);
  free(s->contacts);
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

// Steps until a time. 0 when a step was rolled back: nothing moves any more.
static int simulate(Studio* s, const RenderOptions* o, double until) {
  const double from = *heft_world_state(s->world)->time;
  uint64_t shown = heft_clock_ns();
  while (*heft_world_state(s->world)->time < until - 1e-9) {
    if (heft_world_step(s->world).status != HEFT_STEP_SOLVED) return 0;
    if (heft_clock_ns() - shown < 100000000u) continue;
    shown = heft_clock_ns();
    show_progress(o, "simulating", (*heft_world_state(s->world)->time - from) / (until - from));
  }
  return 1;
}

static int draw(Studio* s, const RenderOptions* o) {
  HeftError error = {0};
  look_at_state(s);
  mark_state(s, o->show);
  if (heft_renderer_draw(s->renderer, &s->picture, o->width, o->height, 0, &error) != HEFT_OK) {
    fprintf(stderr, "heft render: %s\n", error.message);
    return 0;
  }
  heft_renderer_read(s->renderer, &s->image);
  return 1;
}

static int make_picture(Studio* s, const RenderOptions* o) {
  HeftError error = {0};
  const double camera_asked = o->time;
  if (o->time > 0) {
    simulate(s, o, camera_asked);
    show_progress(o, "simulating", 1);
    look_at_state(s);
    if (!aim_camera(s, o)) return 0;
  }
  if (!draw(s, o)) return 0;
  if (heft_image_write_png(&s->image, o->out, &error) == HEFT_OK) return 1;
  fprintf(stderr, "heft render: %s\n", error.message);
  return 0;
}

// ---- videos: raw pictures into ffmpeg

static FILE* open_video(const RenderOptions* o) {
  char command[2048];
  if (strchr(o->out, '\'')) {
    wrong("no quotes in a video's name, please:", o->out);
    return NULL;
  }
  if (system("command -v ffmpeg >/dev/null 2>&1") != 0) {
    fprintf(stderr, "heft render: videos need ffmpeg (Debian: apt install ffmpeg)\n");
    return NULL;
  }
  snprintf(command, sizeof command,
           "ffmpeg -loglevel error -y -f rawvideo -pix_fmt rgb24 -s %dx%d -r %d -i - "
           "-pix_fmt yuv420p -crf 21 '%s'",
           o->width, o->height, o->fps, o->out);
  signal(SIGPIPE, SIG_IGN);
  return popen(command, "w");
}

static int make_video(Studio* s, const RenderOptions* o) {
  FILE* pipe = open_video(o);
  const double frame = 1 / (o->fps * o->slow), end = o->from + (o->time > 0 ? o->time : 5);
  const int count = (int)ceil((end - o->from) / frame - 1e-9);
  const size_t bytes = (size_t)o->width * (size_t)o->height * 3;
  int good = pipe != NULL;
  if (good && o->from > 0) simulate(s, o, o->from);
  for (int i = 0; good && i < count; ++i) {
    good = draw(s, o) && fwrite(s->image.pixels, 1, bytes, pipe) == bytes;
    if (!simulate(s, o, o->from + (i + 1) * frame)) break;
    show_progress(o, "drawing", (double)(i + 1) / count);
  }
  if (pipe && (pclose(pipe) != 0 || !good)) {
    fprintf(stderr, "heft render: ffmpeg could not write '%s'\n", o->out);
    return 0;
  }
  return good;
}

int heft_verb_render(int argc, char** argv) {
  RenderOptions o = {.width = 1280, .height = 720, .fps = 30, .slow = 1, .zoom = 1};
  model_options_init(&o.model);
  const int asked = read_options(&o, argc, argv);
  int result = asked == 0 ? 2 : 0;
  if (asked == 2) printf("%s%s", help, model_options_help);
  if (asked == 1) {
    HeftModel* model = model_options_load(&o.model, o.path);
    Studio studio = {0};
    result = 1;
    if (model && open_studio(&studio, model, &o))
      result = !(is_video(o.out) ? make_video(&studio, &o) : make_picture(&studio, &o));
    close_studio(&studio);
    heft_model_destroy(model);
  }
  model_options_release(&o.model);
  return result;
}

#endif
