// SPDX-License-Identifier: Apache-2.0
// The window: opens models, draws frames of the simulation, and executes commands.
#include "view/viewer.h"

#include <SDL.h>
#include <epoxy/gl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "view/memory.h"
#include "view/preview.h"

enum { FRAMES_A_SECOND = 60, MIN_FRAMES_A_SECOND = 24, FILM_RATE = 30, AWAKE = 8 };

typedef struct Window {
  SDL_Window* window;
  SDL_GLContext context;
  Film* film;
  HeftImage shot;
  size_t shot_size;
  double next_film, next_log;
  int shown;  // 1 after the first picture of a model
  char film_path[VIEWER_PATH];
} Window;

typedef struct ViewerBox {
  Viewer viewer;
  Window window;
} ViewerBox;

HeftViewerDef heft_viewer_def_default(void) {
  return (HeftViewerDef){.allocator = heft_allocator_default(),
                         .key = -1,
                         .dark = -1,
                         .settings = heft_simulation_settings_default()};
}

// ---- functions for panels, mouse and keys

void viewer_notice(Viewer* v, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(v->notice, sizeof v->notice, format, arguments);
  va_end(arguments);
  v->notice_until = v->now + 4;
}

void viewer_log(Viewer* v, const char* format, ...) {
  char text[1024];
  va_list arguments;
  if (!v->def.log) return;
  const int n = snprintf(text, 32, "%.3f ", v->now);
  va_start(arguments, format);
  const int m = vsnprintf(text + n, sizeof text - (size_t)n - 2, format, arguments);
  va_end(arguments);
  size_t end = (size_t)n + (size_t)(m > 0 ? m : 0);
  if (end > sizeof text - 2) end = sizeof text - 2;
  text[end++] = '\n';
  // The file is opened for each line, so that readers see complete lines.
  SDL_RWops* log = SDL_RWFromFile(v->def.log, "ab");
  if (!log) return;
  SDL_RWwrite(log, text, 1, end);
  SDL_RWclose(log);
}

void viewer_toggle_run(Viewer* v) {
  heft_simulation_run(v->simulation, !v->frame->running);
  viewer_log(v, v->frame->running ? "pause" : "run");
}

void viewer_toggle_experts(Viewer* v) {
  v->experts = v->plots = !v->experts;
  v->panels = 1;
  viewer_log(v, "layout %s", v->experts ? "experts" : "simple");
}

void viewer_change_factor(Viewer* v, double times) {
  const double factor = fmin(128, fmax(1.0 / 128, v->frame->factor * times));
  heft_simulation_factor(v->simulation, factor);
  viewer_notice(v, "speed: %g x real time", factor);
}

void viewer_select(Viewer* v, int body) {
  v->selected = body > 0 ? body : -1;
  viewer_log(v, "selected %d %s", v->selected,
             v->selected > 0 ? heft_model_name(v->model, HEFT_NAMED_BODY, v->selected) : "");
}

void viewer_apply_command(Viewer* v) {
  heft_simulation_set_settings(v->simulation, &v->command);
  viewer_log(v, "settings friction %g restitution %g gravity %g step %g hold %g model %s",
             v->command.friction, v->command.restitution, v->command.gravity, v->command.time_step,
             v->command.hold, heft_contact_model_name(v->command.contact_model));
}

void viewer_set_parameter(Viewer* v, HeftChangeKind kind, int index, double value) {
  const HeftChange change = {.kind = kind, .index = index, .value = value};
  heft_simulation_change(v->simulation, &change);
  viewer_log(v, "change %s %d %g", heft_change_name(kind), index, value);
}

void viewer_add(Viewer* v, HeftChangeKind kind, const char* file) {
  HeftChange* c = &v->ask.object;
  if (!v->model) return;
  *c = (HeftChange){.kind = kind, .value = 0.04 * v->size};
  if (file) SDL_strlcpy(c->file, file, sizeof c->file);
  do {
    snprintf(c->name, sizeof c->name, "%s %d", heft_change_name(kind), ++v->object_count);
  } while (heft_model_find(v->model, HEFT_NAMED_BODY, c->name) > 0);
  // beside each other, above what the camera looks at
  const HeftVec3 middle = v->picture.camera.target;
  const double angle = 2.4 * v->object_count, away = 0.12 * v->size;
  c->pos = heft_vec3(middle.x + away * heft_cos(angle), middle.y + away * heft_sin(angle),
                     kind == HEFT_CHANGE_FILE ? 0 : middle.z + 0.4 * v->size);
  v->ask.change = 1;
}

void viewer_remove(Viewer* v) {
  if (!v->model || v->selected <= 0) {
    viewer_notice(v, "click a body, then remove it");
    return;
  }
  int root = v->selected;
  while (v->model->body_parent[root] > 0) root = v->model->body_parent[root];
  v->ask.object = (HeftChange){.kind = HEFT_CHANGE_REMOVE, .index = root};
  v->ask.change = 1;
}

void viewer_ask_open(Viewer* v, const char* path) {
  SDL_strlcpy(v->ask.open, path, sizeof v->ask.open);
  v->ask.act = 0;
}

void viewer_ask_entry(Viewer* v, int entry) {
  const HeftGalleryEntry* e = &v->def.gallery[entry];
  viewer_ask_open(v, e->file);
  v->ask.act = e->acts ? entry + 1 : 0;
  viewer_log(v, "chosen %s", e->name);
}

int viewer_sample(const Viewer* v, int index, HeftSample* out) {
  if (index < 0 || index >= v->history_count) return 0;
  *out = v->history[(v->history_first + index) % VIEWER_HISTORY];
  return 1;
}

// At the right of the first run, as the camera looks now.
void viewer_set_beside(Viewer* v, int on) {
  const double azimuth = v->picture.camera.azimuth, way = 0.4 * v->size;
  v->beside = on;
  v->beside_way = heft_vec3(-way * heft_sin(azimuth), way * heft_cos(azimuth), 0);
  viewer_log(v, "beside %d", on);
}

int viewer_other_sample(const Viewer* v, int index, HeftSample* out) {
  if (index < 0 || index >= v->history_count) return 0;
  *out = v->other[(v->history_first + index) % VIEWER_HISTORY];
  return 1;
}

// ---- models

static void close_model(Viewer* v) {
  const size_t n = v->model ? (size_t)v->model->nbody : 0;
  if (!v->passive) heft_simulation_destroy(v->simulation);
  heft_renderer_destroy(v->renderer);
  heft_dynamics_destroy(v->dynamics);
  heft_dynamics_destroy(v->ghost_dynamics);
  view_give(&v->allocator, v->poses, n * sizeof *v->poses);
  view_give(&v->allocator, v->ghost_poses, n * sizeof *v->ghost_poses);
  view_give(&v->allocator, v->tint, n * sizeof *v->tint);
  heft_model_destroy(v->model);
  v->simulation = NULL;
  v->renderer = NULL;
  v->dynamics = v->ghost_dynamics = NULL;
  v->poses = v->ghost_poses = NULL;
  v->tint = NULL;
  v->model = NULL;
  v->frame = NULL;
  v->selected = v->follow = v->hovered = -1;
  v->recordings = 0;
  v->pulling = v->mouse_down = 0;
  v->history_first = v->history_count = 0;
  v->seeks = v->plots_complete = v->recording_count = 0;
}

static void read_parameters(Viewer* v) {
  const HeftModel* m = v->model;
  v->world = (ViewerWorld){.gravity = 1, .mass = 1, .gain = 1, .mass_body = -1};
  for (int i = 0; i < m->nmaterial && i < VIEWER_PARAMETERS; ++i) {
    v->world.material[i][0] = m->material_friction[i];
    v->world.material[i][1] = m->material_restitution[i];
  }
  for (int i = 0; i < m->npair && i < VIEWER_PARAMETERS; ++i) {
    v->world.pair[i][0] = m->material_friction[m->pair_material[i]];
    v->world.pair[i][1] = m->material_restitution[m->pair_material[i]];
  }
}

static int software(void) {
  const char* name = (const char*)glGetString(GL_RENDERER);
  return name && (strstr(name, "llvmpipe") || strstr(name, "softpipe"));
}

// With software rendering a large window is too slow. Then moving scenes are drawn with fewer
// pixels; still scenes and saved pictures are drawn with all pixels.
static void choose_detail(Viewer* v) {
  static const double min = 0.5, pace = 0.5;
  const double max_ms = 1e3 / MIN_FRAMES_A_SECOND;
  v->fast = v->memory.quality == 0 || (v->memory.quality < 0 && software());
  if (!v->fast) v->detail = 1;
  if (v->fast && v->now > v->next_detail) {
    const double was = v->detail;
    if (v->draw_ms > max_ms) v->detail = fmax(min, v->detail * fmax(0.7, max_ms / v->draw_ms));
    if (v->draw_ms < 0.6 * max_ms) v->detail = fmin(1, v->detail * 1.1);
    if (v->detail != was) v->next_detail = v->now + pace;
  }
  const int still = v->frame && !v->frame->running && v->awake == 0;
  v->picture.detail = still || v->ask.screenshot || v->filming ? 1 : v->detail;
}

static void folder_of(const char* path, char folder[VIEWER_PATH]) {
  SDL_strlcpy(folder, path, VIEWER_PATH);
  char* slash = strrchr(folder, '/');
  SDL_strlcpy(slash ? slash : folder, slash ? "" : ".", 2);
}

static HeftStatus make_renderer(Viewer* v, HeftError* error) {
  HeftRendererDef def = heft_renderer_def_default();
  char folder[VIEWER_PATH];
  folder_of(v->path, folder);
  def.allocator = v->allocator;
  def.folder = folder;
  if (v->recording_count > 0 && v->recording[0]->folder) def.folder = v->recording[0]->folder;
  if (v->memory.quality == 0 || (v->memory.quality < 0 && software())) {
    def.samples = 0;
    def.soft_shadows = def.reflections = 0;
    def.shadow_size = 768;
  }
  heft_renderer_destroy(v->renderer);
  v->renderer = NULL;
  return heft_renderer_create(&v->renderer, v->model, &def, error);
}

static void find_poses(Viewer* v) {
  heft_dynamics_set_moved(v->dynamics, v->frame->moved);
  heft_dynamics_kinematics(v->dynamics, v->frame->q);
  for (int b = 0; b < v->model->nbody; ++b) v->poses[b] = heft_dynamics_body_pose(v->dynamics, b);
  v->picture.ghost = NULL;
  if (!v->frame->ghost) return;
  heft_dynamics_set_moved(v->ghost_dynamics, v->frame->ghost_moved);
  heft_dynamics_kinematics(v->ghost_dynamics, v->frame->ghost_q);
  for (int b = 0; b < v->model->nbody; ++b)
    v->ghost_poses[b] = heft_dynamics_body_pose(v->ghost_dynamics, b);
  v->picture.ghost = v->ghost_poses;
  for (int b = 0; v->beside && b < v->model->nbody; ++b)
    v->ghost_poses[b].pos = heft_vec3_add(v->ghost_poses[b].pos, v->beside_way);
}

static void show_error(Viewer* v, const HeftError* error) {
  heft_error_format(error, v->error, sizeof v->error);
  viewer_log(v, "error %s", v->error);
}

// Asks for the users of the model while the simulation has none.
static void ask_users(Viewer* v, const char* connect, int disconnect) {
  HeftError error = {0};
  v->users = NULL;
  if (!v->def.connect_users) return;
  v->users = v->def.connect_users(v->def.user, v->model, connect, disconnect, &error);
  if (error.status != HEFT_OK) show_error(v, &error);
  v->mapped_azimuth = 1e9;
  for (int i = 0; v->users && i < v->users->count; ++i) {
    v->mapping[i] = v->users->mapping[i];
    v->person[i] = (HeftServoView){0};
  }
}

// The simulation of the model, or its recorded runs.
static HeftStatus start_simulation(Viewer* v, const HeftSimulationDef* def, HeftError* error) {
  if (v->recording_count == 0) return heft_simulation_create(&v->simulation, v->model, def, error);
  return heft_simulation_create_recorded(&v->simulation, v->model, v->recording[0],
                                         v->recording_count > 1 ? v->recording[1] : NULL, def,
                                         error);
}

static int count_free_bodies(const HeftModel* m) {
  int count = 0;
  for (int j = 0; j < m->njoint; ++j) count += m->joint_type[j] == HEFT_JOINT_FREE;
  return count;
}

static HeftStatus start_model(Viewer* v, HeftError* error) {
  HeftSimulationDef def = heft_simulation_def_default();
  const size_t n = (size_t)v->model->nbody;
  def.allocator = v->allocator;
  def.key = v->def.key < v->model->nkey ? v->def.key : -1;
  def.running = !v->def.paused && !v->def.record;
  def.deadline = !v->def.no_deadline;
  def.settings = v->def.settings;
  v->recording_count = v->def.recordings ? v->def.recordings(v->def.user, v->recording) : 0;
  HeftStatus status = make_renderer(v, error);
  if (status == HEFT_OK)
    status = heft_dynamics_create(&v->dynamics, v->model, &v->allocator, error);
  if (status == HEFT_OK)
    status = heft_dynamics_create(&v->ghost_dynamics, v->model, &v->allocator, error);
  if (v->passive) v->simulation = v->passive->simulation;
  v->users = NULL;
  if (!v->passive && v->recording_count == 0) ask_users(v, NULL, -1);
  def.users = v->users;
  def.plugins = v->def.plugins;
  if (status == HEFT_OK && !v->passive) status = start_simulation(v, &def, error);
  if (status != HEFT_OK && def.plugins && v->ghost_dynamics &&
      v->recording_count == 0) {  // a plug-in may refuse the model
    def.plugins = NULL;
    show_error(v, error);
    status = heft_simulation_create(&v->simulation, v->model, &def, error);
  }
  if (status != HEFT_OK) return status;
  v->poses = view_take(&v->allocator, n * sizeof *v->poses);
  v->ghost_poses = view_take(&v->allocator, n * sizeof *v->ghost_poses);
  v->tint = view_take(&v->allocator, n * sizeof *v->tint);
  if (!v->poses || !v->ghost_poses || !v->tint)
    return view_fail(error, HEFT_ERR_MEMORY, "no memory for the window");
  v->frame = heft_simulation_frame(v->simulation, NULL);
  v->command = v->def.settings;
  read_parameters(v);
  v->whole_run = v->recording_count > 0;
  if (v->recording_count > 0) v->plots = 1;
  if (v->recording_count > 0 && v->plot[1].quantities == 1u << HEFT_PLOT_STEP_TIME)
    v->plot[1] = (ViewerPlot){1u << HEFT_PLOT_ENERGY, false};  // logs have no step times
  v->picture.poses = v->poses;
  find_poses(v);
  v->ask.new_camera = 1;
  // a robot that acts may walk away
  const int acts = def.plugins || (v->recording_count > 0 && count_free_bodies(v->model) == 1);
  v->follow = acts && v->model->nbody > 1 ? 1 : -1;
  if (v->follow > 0) v->follow_at = v->poses[v->follow].pos;
  v->chosen_dof = v->model->nv - 1;
  v->chosen_actuator = v->model->nactuator > 0 ? 0 : -1;
  heft_simulation_choose(v->simulation, v->chosen_dof, v->chosen_actuator);
  if (v->def.record && !v->passive) {  // before the first step
    SDL_strlcpy(v->session, v->def.record, sizeof v->session);
    heft_simulation_record(v->simulation, &v->def.recorder, v->session);
    heft_simulation_run(v->simulation, !v->def.paused);
    v->def.record = NULL;
  }
  return HEFT_OK;
}

// ---- objects

// The parts of the window that belong to the model. The simulation has the new one already.
static HeftStatus enter_model(Viewer* v, HeftModel* model, HeftError* error) {
  const size_t old = (size_t)v->model->nbody, n = (size_t)model->nbody;
  heft_renderer_destroy(v->renderer);
  v->renderer = NULL;
  heft_dynamics_destroy(v->dynamics);
  heft_dynamics_destroy(v->ghost_dynamics);
  v->dynamics = v->ghost_dynamics = NULL;
  view_give(&v->allocator, v->poses, old * sizeof *v->poses);
  view_give(&v->allocator, v->ghost_poses, old * sizeof *v->ghost_poses);
  view_give(&v->allocator, v->tint, old * sizeof *v->tint);
  heft_model_destroy(v->model);
  v->model = model;
  v->poses = view_take(&v->allocator, n * sizeof *v->poses);
  v->ghost_poses = view_take(&v->allocator, n * sizeof *v->ghost_poses);
  v->tint = view_take(&v->allocator, n * sizeof *v->tint);
  if (!v->poses || !v->ghost_poses || !v->tint)
    return view_fail(error, HEFT_ERR_MEMORY, "no memory for the window");
  HeftStatus status = make_renderer(v, error);
  if (status == HEFT_OK)
    status = heft_dynamics_create(&v->dynamics, v->model, &v->allocator, error);
  if (status == HEFT_OK)
    status = heft_dynamics_create(&v->ghost_dynamics, v->model, &v->allocator, error);
  return status;
}

static void choose_after_change(Viewer* v, const HeftChange* c) {
  char first[sizeof c->name + 64];
  v->pulling = v->mouse_down = 0;
  v->grab.body = -1;
  v->hovered = v->selected = -1;
  v->world.mass_body = -1;
  if (v->follow >= v->model->nbody || (c->kind == HEFT_CHANGE_REMOVE && c->index <= v->follow))
    v->follow = -1;
  if (v->chosen_dof >= v->model->nv) v->chosen_dof = v->model->nv - 1;
  if (v->chosen_actuator >= v->model->nactuator) v->chosen_actuator = v->model->nactuator - 1;
  heft_simulation_choose(v->simulation, v->chosen_dof, v->chosen_actuator);
  snprintf(first, sizeof first, "%s", c->name);
  if (c->kind == HEFT_CHANGE_BOX || c->kind == HEFT_CHANGE_BALL)
    v->selected = heft_model_find(v->model, HEFT_NAMED_BODY, first);
}

// Adds or removes the object that the user asked for. The world goes on with all the rest.
static void change_objects(Viewer* v) {
  const HeftChange c = v->ask.object;
  HeftError error = {0};
  HeftModel *part = NULL, *model = NULL;
  v->ask.change = 0;
  if (!v->model || v->passive || v->recording_count > 0) return;
  if (c.kind == HEFT_CHANGE_FILE && v->def.load_object)
    part = v->def.load_object(v->def.user, c.file, &error);
  if (error.status == HEFT_OK) heft_model_apply_change(&model, v->model, &c, part, &error);
  heft_model_destroy(part);
  if (!model || heft_simulation_change_model(v->simulation, model, &c, &error) != HEFT_OK) {
    heft_model_destroy(model);
    show_error(v, &error);
    return;
  }
  if (enter_model(v, model, &error) != HEFT_OK) {
    show_error(v, &error);
    close_model(v);
    return;
  }
  v->frame = heft_simulation_frame(v->simulation, NULL);
  v->picture.poses = v->poses;
  find_poses(v);
  choose_after_change(v, &c);
  viewer_log(v, "objects %s %s bodies %d at %.4f s", heft_change_name(c.kind), c.name,
             v->model->nbody, v->frame->time);
}

static void title(Viewer* v, SDL_Window* window) {
  char text[VIEWER_PATH + 16];
  const char* slash = strrchr(v->path, '/');
  snprintf(text, sizeof text, "%s - Heft", v->model ? (slash ? slash + 1 : v->path) : "no file");
  SDL_SetWindowTitle(window, text);
}

// Takes ownership of the model.
static int open_model(Viewer* v, SDL_Window* window, HeftModel* model, const char* path) {
  HeftError error = {0};
  close_model(v);
  v->model = model;
  SDL_strlcpy(v->path, path ? path : "", sizeof v->path);
  v->error[0] = '\0';
  if (start_model(v, &error) != HEFT_OK) {
    show_error(v, &error);
    close_model(v);
    title(v, window);
    return 0;
  }
  if (path && path[0]) memory_opened(v, path);
  title(v, window);
  viewer_log(v, "opened %s", v->path);
  if (v->def.notice && v->def.notice[0]) {
    viewer_notice(v, "%s", v->def.notice);
    v->notice_until += 6;  // time to read a sentence
    viewer_log(v, "notice %s", v->def.notice);
  }
  return 1;
}

static void open_path(Viewer* v, SDL_Window* window) {
  HeftError error = {0};
  char path[VIEWER_PATH];
  const char* act = v->ask.act > 0 ? v->def.gallery[v->ask.act - 1].name : NULL;
  SDL_strlcpy(path, v->ask.open, sizeof path);
  v->ask.open[0] = '\0';
  v->ask.act = 0;
  if (!v->def.load) return;
  preview_close(v);
  HeftModel* model = v->def.load(v->def.user, path, &error);
  if (!model) {
    show_error(v, &error);  // the open model stays open
    return;
  }
  v->def.key = heft_model_find(model, HEFT_NAMED_KEY, "home");
  close_model(v);
  if (v->def.opens) v->def.plugins = v->def.opens(v->def.user, path, act, &error);
  if (v->def.plugins) v->plugins_panel = 1;
  open_model(v, window, model, path);
  if (error.status != HEFT_OK) show_error(v, &error);
}

// ---- the start page

static void draw_start(Viewer* v) {
  const float shade = v->memory.dark ? 0.09F : 0.88F;
  if (preview_work(v)) v->awake = AWAKE;
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glDisable(GL_SCISSOR_TEST);
  glClearColor(shade, shade, shade + 0.02F, 1);
  glClear(GL_COLOR_BUFFER_BIT);
}

// ---- a picture

static void keep_history(Viewer* v) {
  const HeftViewFrame* f = v->frame;
  for (int i = 0; i < f->sample_count; ++i) {
    const HeftSample* s = &f->sample[i];
    // After a rewind the curves continue from there.
    while (v->history_count > 0 &&
           v->history[(v->history_first + v->history_count - 1) % VIEWER_HISTORY].time >= s->time)
      --v->history_count;
    if (v->history_count == VIEWER_HISTORY) {
      v->history_first = (v->history_first + 1) % VIEWER_HISTORY;
      --v->history_count;
    }
    const int at = (v->history_first + v->history_count++) % VIEWER_HISTORY;
    v->history[at] = *s;
    if (v->recording_count > 1) v->other[at] = f->other_sample[i];
  }
}

static void mark_hand(Viewer* v) {
  if (!v->pulling || v->grab.body <= 0 || !v->mouse_moved) return;
  char text[48];
  const HeftVec3 from = heft_pose_apply(v->poses[v->grab.body], v->grab.point);
  const HeftVec3 way = heft_vec3_sub(v->grab.target, from);
  HeftMark* m = heft_marks_add(&v->marks, HEFT_MARK_ARROW, from, way, 0.006 * v->size, 0xff3a8cff);
  if (m) m->on_top = 1;
  const double force = heft_vec3_norm(v->frame->grab_force);
  const int limit = !v->strong && force > 0.98 * v->grab.force_max;
  snprintf(text, sizeof text, limit ? "%.3g N, Shift: more" : "%.3g N", force);
  heft_marks_text(&v->marks, heft_vec3_add_scaled(from, 0.5, way), 0xffffffff, text);
}

// Draws the hand as a small sphere, the proxy in its true size, and the force on the hand as an
// arrow.
static void mark_users(Viewer* v) {
  const HeftUsers* users = v->users;
  for (int i = 0; users && i < v->frame->user_count; ++i) {
    const HeftUser* p = &v->frame->person[i];
    const double radius = users->probe[i].radius, force = heft_vec3_norm(p->state.force);
    if (!p->input.present) continue;
    HeftMark* hand = heft_marks_add(&v->marks, HEFT_MARK_SPHERE, p->input.pos, heft_vec3(0, 0, 0),
                                    0.6 * radius, 0xffff8c3a);
    if (hand) hand->on_top = p->state.body >= 0;
    heft_marks_add(&v->marks, HEFT_MARK_SPHERE, p->state.holds ? p->input.pos : p->state.proxy,
                   heft_vec3(0, 0, 0), radius, p->state.holds ? 0xff3ac8ff : 0xffe0e0e0);
    if (!(force > 1e-3)) continue;
    char text[32];
    const double length = 0.25 * v->size * force / (force + users->probe[i].force_max + 1e-9);
    const HeftVec3 way = heft_vec3_scale(2 * length / force, p->state.force);
    HeftMark* arrow =
        heft_marks_add(&v->marks, HEFT_MARK_ARROW, p->state.proxy, way, 0.3 * radius, 0xff4040e0);
    if (arrow) arrow->on_top = 1;
    snprintf(text, sizeof text, "%.2f N", force);
    heft_marks_text(&v->marks, heft_vec3_add(p->state.proxy, way), 0xffffffff, text);
  }
}

// The axes of the mapping follow the camera. The probe keeps its position: another point of the
// device then maps to it.
static void turn_devices(Viewer* v) {
  const HeftUsers* users = v->users;
  const double azimuth = v->picture.camera.azimuth;
  if (!users || users->fixed || v->picture.camera.fixed || fabs(azimuth - v->mapped_azimuth) < 0.01)
    return;
  const HeftVec3 right = {-heft_sin(azimuth), heft_cos(azimuth), 0}, up = {0, 0, 1};
  v->mapped_azimuth = azimuth;
  for (int i = 0; i < users->count; ++i) {
    HeftMapping* m = &v->mapping[i];
    const HeftServoView* now = &v->person[i];
    if (!now->input.present && now->servo.ticks > 0) continue;
    m->axes = heft_mat3_from_columns(right, heft_vec3_cross(up, right), up);
    const HeftVec3 away = heft_mat3_tmul_vec(m->axes, heft_vec3_sub(now->input.pos, m->origin));
    if (now->input.present) m->center = heft_vec3_add_scaled(now->sample.pos, -1 / m->scale, away);
    heft_servo_map(users->servo, i, m);
  }
}

static void look_at_users(Viewer* v) {
  const HeftUsers* users = v->users;
  for (int i = 0; users && i < users->count; ++i) heft_servo_view(users->servo, i, &v->person[i]);
  turn_devices(v);
}

// Friction needed takes time: it is found while cones or its curve are shown.
static void ask_margins(Viewer* v) {
  bool wanted = (v->show >> HEFT_SHOW_CONES & 1u) != 0;
  for (size_t i = 0; i < sizeof v->plot / sizeof *v->plot; ++i)
    wanted |= (v->plot[i].quantities >> HEFT_PLOT_FRICTION_NEEDED & 1u) != 0;
  if (wanted != v->margins && heft_simulation_margins(v->simulation, wanted)) v->margins = wanted;
}

static void make_marks(Viewer* v) {
  const HeftViewFrame* f = v->frame;
  const HeftSnapshot snapshot = {
      f->q, f->v, f->contact, f->contact_count, v->size, f->friction_needed};
  heft_marks_clear(&v->marks);
  heft_picture_show(&v->picture, &v->marks, v->model, v->dynamics, &snapshot, v->show, v->tint);
  heft_marks_append(&v->marks, &f->plugin_marks);
  mark_hand(v);
  mark_users(v);
}

// The model appears in the middle of the area that the panels leave free; a new camera shows all of
// it there.
static void aim(Viewer* v) {
  double margin[3];
  panels_margins(v, margin);
  const double width = fmax(0.2 * v->width, v->width - margin[0] - margin[1]);
  const double height = fmax(0.2 * v->height, v->height - margin[2]);
  if (v->ask.new_camera) {
    const HeftCamera c = heft_renderer_camera(v->renderer, v->poses, (double)v->width / v->height);
    const double all = fmin(1, (double)v->width / v->height);  // of the height of the window
    const double free = fmin(height, width) / v->height;
    v->size = 0.68 * c.distance;
    v->picture.camera = c;
    v->picture.camera.distance *= fmax(1, all / free);
    v->ask.new_camera = 0;
  }
  const int shifts = !v->picture.camera.fixed;
  v->picture.camera.shift[0] = shifts ? (margin[0] - margin[1]) / v->width : 0;
  v->picture.camera.shift[1] = shifts ? margin[2] / v->height : 0;
  if (v->follow > 0) {
    const HeftVec3 at = v->poses[v->follow].pos;
    v->picture.camera.target =
        heft_vec3_add(v->picture.camera.target, heft_vec3_sub(at, v->follow_at));
    v->follow_at = at;
  }
}

static void draw_model(Viewer* v) {
  HeftError error = {0};
  find_poses(v);
  aim(v);
  look_at_users(v);
  ask_margins(v);
  make_marks(v);
  v->picture.selected = v->selected;
  v->picture.dark = v->memory.dark;
  v->picture.lights = !v->sun;
  v->picture.text = v->text_scale;
  choose_detail(v);
  panels_covered(v, v->picture.covered);
  if (heft_renderer_draw(v->renderer, &v->picture, v->width, v->height, 1, &error) != HEFT_OK)
    show_error(v, &error);
}

static void draw(Viewer* v, Window* w) {
  SDL_GL_GetDrawableSize(w->window, &v->width, &v->height);
  int width = 1;
  SDL_GetWindowSize(w->window, &width, NULL);
  v->pixel_ratio = (double)v->width / (width > 0 ? width : 1);
  if (v->width < 1 || v->height < 1) return;
  if (v->ask.rebuild && v->model) {
    HeftError error = {0};
    v->ask.rebuild = 0;
    if (make_renderer(v, &error) != HEFT_OK) {
      show_error(v, &error);
      close_model(v);
    }
  }
  if (v->model) {
    draw_model(v);
  } else {
    draw_start(v);
  }
  glViewport(0, 0, v->width, v->height);
  panels_draw(v);
}

// ---- pictures and films of the window

static int grab_window(Viewer* v, Window* w) {
  const size_t row = 3 * (size_t)v->width, need = row * (size_t)v->height;
  if (need > w->shot_size) {
    view_give(&v->allocator, w->shot.pixels, w->shot_size);
    w->shot.pixels = view_take(&v->allocator, need);
    w->shot_size = w->shot.pixels ? need : 0;
    if (!w->shot.pixels) return 0;
  }
  w->shot.width = v->width;
  w->shot.height = v->height;
  glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  for (int y = 0; y < v->height; ++y)
    glReadPixels(0, v->height - 1 - y, v->width, 1, GL_RGB, GL_UNSIGNED_BYTE,
                 w->shot.pixels + (size_t)y * row);
  return 1;
}

static void screenshot(Viewer* v, Window* w) {
  HeftError error = {0};
  char path[VIEWER_PATH];
  v->ask.screenshot = 0;
  film_name(v->def.folder, "png", path, sizeof path);
  if (!grab_window(v, w)) return;
  if (heft_image_write_png(&w->shot, path, &error) == HEFT_OK) {
    viewer_notice(v, "picture saved: %.200s", path);
    viewer_log(v, "screenshot %s", path);
  } else {
    show_error(v, &error);
  }
}

static void end_film(Viewer* v, Window* w) {
  char why[VIEWER_PATH];
  const int good = film_close(w->film, why, sizeof why);
  w->film = NULL;
  v->filming = 0;
  if (good) {
    viewer_notice(v, "film saved: %.200s", w->film_path);
  } else {
    viewer_notice(v, "the film %.100s is not complete: %.300s", w->film_path, why);
  }
  viewer_log(v, "film %s %s", good ? "saved" : "lost", w->film_path);
}

static void toggle_film(Viewer* v, Window* w) {
  v->ask.film = 0;
  if (w->film) {
    end_film(v, w);
    return;
  }
  film_name(v->def.folder, "mp4", w->film_path, sizeof w->film_path);
  w->film = film_open(&v->allocator, w->film_path, v->width, v->height, FILM_RATE);
  if (!w->film) viewer_notice(v, "there is no pipe to ffmpeg for the film %.200s", w->film_path);
  if (!w->film || !grab_window(v, w)) return;
  v->filming = 1;
  w->next_film = v->now;
}

// The film keeps the time of the clock: a picture that took long to draw is shown for as long.
static void film(Viewer* v, Window* w) {
  if (!w->film || v->now < w->next_film) return;
  int good = w->shot.width == v->width && w->shot.height == v->height && grab_window(v, w);
  for (; good && w->next_film <= v->now; w->next_film += 1.0 / FILM_RATE)
    good = film_add(w->film, &w->shot);
  if (!good) end_film(v, w);
}

// ---- the loop

static void window_event(Viewer* v, const SDL_Event* e) {
  if (e->type == SDL_QUIT) v->ask.quit = 1;
  if (e->type == SDL_DROPFILE) {
    viewer_ask_open(v, e->drop.file);
    SDL_free(e->drop.file);
  }
  if (e->type == SDL_WINDOWEVENT && e->window.event == SDL_WINDOWEVENT_SIZE_CHANGED) {
    v->memory.width = e->window.data1;
    v->memory.height = e->window.data2;
  }
}

// At most one change of a mouse button for each picture: panels see every press and release.
static void listen(Viewer* v) {
  SDL_Event e;
  int button = 0;
  while (!button && SDL_PollEvent(&e)) {
    v->awake = AWAKE;
    button = e.type == SDL_MOUSEBUTTONDOWN || e.type == SDL_MOUSEBUTTONUP;
    window_event(v, &e);
    if (!panels_event(&e)) hands_event(v, &e);
  }
}

// Logs the positions of bodies on the screen, for tests that use the mouse.
static void log_places(Viewer* v) {
  char text[900];
  int n = 0;
  for (int b = 1; b < v->model->nbody && b < 32 && n < 800; ++b) {
    double x, y;
    const HeftVec3 at = heft_pose_apply(v->poses[b], heft_vec3_from(&v->model->body_com[3 * b]));
    if (heft_camera_project(&v->picture.camera, at, (double)v->width / v->height, &x, &y) <= 0)
      continue;
    n += snprintf(text + n, sizeof text - (size_t)n, " %.24s:%.0f,%.0f",
                  heft_model_name(v->model, HEFT_NAMED_BODY, b),
                  (0.5 + 0.5 * x) * v->width / v->pixel_ratio,
                  (0.5 - 0.5 * y) * v->height / v->pixel_ratio);
  }
  if (n > 0) viewer_log(v, "places%s", text);
}

static void log_state(Viewer* v, Window* w) {
  if (!v->def.log || v->now < w->next_log) return;
  w->next_log = v->now + 0.5;
  if (!v->frame) return;
  const HeftViewFrame* f = v->frame;
  viewer_log(
      v,
      "state time %.4f step %ld hash %016llx running %d factor %g achieved %.4f real %.4f "
      "p50 %.1f p99 %.1f longest %.0f fps %.1f draw_ms %.1f detail %.2f contacts %d grab "
      "%.4g com %.4f "
      "same %ld branched %ld first %.3f last %.3f residual %.3g users %d feels %.4g given "
      "%.4g recording %d inexact %ld dropped %ld plugins %d deadline %d cut %ld pictures %ld ",
      f->time, f->step, (unsigned long long)f->hash, f->running, f->factor, f->achieved,
      f->real_factor, f->step_p50, f->step_p99, f->step_longest, v->fps, v->draw_ms, v->detail,
      f->contact_count, heft_vec3_norm(f->grab_force),
      heft_dynamics_center_of_mass(v->dynamics, 0).z, f->same, f->branched, f->first, f->last,
      f->report.residual, f->user_count, heft_vec3_norm(f->person[0].state.force),
      heft_vec3_norm(v->person[0].given.force), f->recording, f->tally.inexact, f->tally.dropped,
      f->plugin_count, f->deadline, f->recent_cut, v->pictures);
  log_places(v);
}

// ---- devices and sessions

static void change_devices(Viewer* v) {
  char spec[400] = "";
  const HeftDriver* driver = heft_driver_at(v->driver);
  const int connect = v->ask.connect && driver, disconnect = v->ask.disconnect - 1;
  v->ask.connect = v->ask.disconnect = 0;
  if (!v->model || (!connect && disconnect < 0)) return;
  if (connect)
    snprintf(spec, sizeof spec, "%s%s%s", driver->name, v->address[0] ? ":" : "", v->address);
  heft_simulation_set_users(v->simulation, NULL);
  ask_users(v, connect ? spec : NULL, disconnect);
  heft_simulation_set_users(v->simulation, v->users);
  viewer_log(v, "devices %d", v->users ? v->users->count : 0);
}

static void toggle_record(Viewer* v) {
  v->ask.record = 0;
  if (!v->model || !v->def.recorder.begin) return;
  if (!v->frame->recording) film_name(v->def.folder, "mcap", v->session, sizeof v->session);
  heft_simulation_record(v->simulation, &v->def.recorder, v->frame->recording ? NULL : v->session);
}

static void tell_recordings(Viewer* v) {
  const HeftViewFrame* f = v->frame;
  if (!f || f->recordings == v->recordings) return;
  v->recordings = f->recordings;
  if (f->recorded > 0) {
    viewer_notice(v, "session saved: %.150s%s%s", v->session, f->record_end[0] ? "; " : "",
                  f->record_end);
    viewer_log(v, "session %s steps %ld hash %016llx", v->session, f->recorded,
               (unsigned long long)f->last_hash);
  } else {
    viewer_notice(v, "no session: %s", f->record_end);
    viewer_log(v, "no session: %s", f->record_end);
  }
}

static void tell_reloads(Viewer* v) {
  const HeftViewFrame* f = v->frame;
  if (!f || f->plugin_reloads == v->plugin_reloads) return;
  v->plugin_reloads = f->plugin_reloads;
  if (f->plugin_reloads == 0) return;
  viewer_notice(v, "plug-in loaded again");
  viewer_log(v, "plug-in loaded again at %.4f s", f->time);
}

// Times of a recorded run that were asked for and drawn, and the end of its curves.
static void tell_recording(Viewer* v) {
  const HeftViewFrame* f = v->frame;
  HeftSample last = {0};
  if (!f || v->recording_count == 0) return;
  if (f->seeks != v->seeks) viewer_log(v, "seek %.4f", f->time);
  v->seeks = f->seeks;
  const int complete = viewer_sample(v, v->history_count - 1, &last) && last.time >= f->last - 1e-9;
  if (complete && !v->plots_complete) viewer_log(v, "plots complete");
  v->plots_complete = complete;
}

// Trouble of the simulation, in the log when it changes.
static void tell_trouble(Viewer* v) {
  if (!v->frame || strcmp(v->frame->trouble, v->trouble) == 0) return;
  SDL_strlcpy(v->trouble, v->frame->trouble, sizeof v->trouble);
  if (v->trouble[0]) viewer_log(v, "trouble %s", v->trouble);
}

static void do_requests(Viewer* v, Window* w) {
  change_devices(v);
  if (v->ask.record) toggle_record(v);
  tell_recordings(v);
  tell_reloads(v);
  tell_trouble(v);
  tell_recording(v);
  if (v->ask.screenshot) screenshot(v, w);
  if (v->ask.film) toggle_film(v, w);
  film(v, w);
  log_state(v, w);
}

// Draws a few frames after the last event, then none until the next event.
static int wake(Viewer* v) {
  int fresh = 0;
  if (v->model) v->frame = heft_simulation_frame(v->simulation, &fresh);
  if (fresh) keep_history(v);
  if (fresh || v->filming || v->ask.screenshot || (v->frame && v->frame->running)) v->awake = AWAKE;
  if (v->now < v->notice_until + 0.1) return 1;
  return v->awake > 0 ? v->awake-- : 0;
}

static void loop(Viewer* v, Window* w) {
  const uint64_t start = heft_clock_ns();
  uint64_t last = start;
  while (!v->ask.quit) {
    const uint64_t begin = heft_clock_ns();
    v->now = (double)(begin - start) * 1e-9;
    if (v->def.end_after > 0 && v->now > v->def.end_after) return;
    if (v->passive && v->passive->ends(v->passive->user)) return;
    if (v->def.monkey) monkey_play(v, w->window);
    listen(v);
    if (v->ask.open[0]) open_path(v, w->window);
    if (v->ask.change) change_objects(v);
    if (v->ask.close) {
      v->ask.close = 0;
      close_model(v);
      title(v, w->window);
      v->awake = AWAKE;
      viewer_log(v, "start page");
    }
    if (!wake(v)) {
      log_state(v, w);
      SDL_WaitEventTimeout(NULL, 30);
      continue;
    }
    draw(v, w);
    do_requests(v, w);
    SDL_GL_SwapWindow(w->window);
    const uint64_t drawn = heft_clock_ns();
    ++v->pictures;
    if (v->model && !w->shown) {
      w->shown = 1;
      viewer_log(v, "first picture after %.3f s",
                 (double)(drawn - (v->def.started_ns ? v->def.started_ns : start)) * 1e-9);
    }
    v->draw_ms += 0.1 * ((double)(drawn - begin) * 1e-6 - v->draw_ms);
    const double spare = 1e3 / FRAMES_A_SECOND - (double)(drawn - begin) * 1e-6;
    if (spare >= 1) SDL_Delay((Uint32)spare);
    const uint64_t now = heft_clock_ns();
    v->fps += 0.1 * (1e9 / (double)(now - last + 1) - v->fps);
    last = now;
  }
}

// ---- opening and closing

// SDL falls back to drivers without a display, which are rejected here.
static int has_screen(void) {
  const char* driver = SDL_GetCurrentVideoDriver();
  if (SDL_getenv("SDL_VIDEODRIVER")) return 1;
  return driver && strcmp(driver, "offscreen") != 0 && strcmp(driver, "dummy") != 0;
}

// The frame that the desktop draws around the window is on the screen, too.
static void fit_screen(Viewer* v, Window* w) {
  SDL_Rect room;
  int top = 0, left = 0, bottom = 0, right = 0;
  if (SDL_GetDisplayUsableBounds(SDL_GetWindowDisplayIndex(w->window), &room) != 0) return;
  SDL_PumpEvents();
  if (SDL_GetWindowBordersSize(w->window, &top, &left, &bottom, &right) != 0)
    top = left = bottom = right = 0;
  const int width = room.w - left - right, height = room.h - top - bottom;
  if (v->memory.width > width || v->memory.height > height) {
    if (v->memory.width > width) v->memory.width = width;
    if (v->memory.height > height) v->memory.height = height;
    SDL_SetWindowSize(w->window, v->memory.width, v->memory.height);
    SDL_SetWindowPosition(w->window, room.x + left, room.y + top);
  }
  v->begun.width = v->memory.width;
  v->begun.height = v->memory.height;
}

static HeftStatus open_window(Viewer* v, Window* w, HeftError* error) {
  const int started = SDL_Init(SDL_INIT_VIDEO) == 0;
  if (!started || !has_screen())
    return view_fail(error, HEFT_ERR_UNSUPPORTED,
                     "no screen for a window was found (%.100s); 'heft render' draws pictures "
                     "without one",
                     started ? "neither X11 nor Wayland" : SDL_GetError());
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
  SDL_GL_SetAttribute(SDL_GL_DOUBLEBUFFER, 1);
  memory_read(v);
  if (v->def.show) v->show = v->def.show;
  w->window = SDL_CreateWindow("Heft", SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED,
                               v->memory.width, v->memory.height,
                               SDL_WINDOW_OPENGL | SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI);
  w->context = w->window ? SDL_GL_CreateContext(w->window) : NULL;
  if (!w->context)
    return view_fail(
        error, HEFT_ERR_UNSUPPORTED,
        "the screen has no OpenGL 3.3 (%.120s); update the driver, or draw in software "
        "with LIBGL_ALWAYS_SOFTWARE=1 (Debian: apt install libgl1-mesa-dri)",
        SDL_GetError());
  SDL_GL_SetSwapInterval(1);
  fit_screen(v, w);
  return HEFT_OK;
}

static double text_scale(const Viewer* v, SDL_Window* window) {
  float dpi = 96;
  int width = 1, pixels = 1;
  if (v->memory.scale > 0) return v->memory.scale;
  SDL_GetWindowSize(window, &width, NULL);
  SDL_GL_GetDrawableSize(window, &pixels, NULL);
  if (SDL_GetDisplayDPI(SDL_GetWindowDisplayIndex(window), NULL, &dpi, NULL) != 0) dpi = 96;
  const double ratio = (double)pixels / (width > 0 ? width : 1);
  return fmin(3, fmax(1, fmax(ratio, floor((double)dpi / 96 * 4 + 0.5) / 4)));
}

static void close_window(Viewer* v, Window* w) {
  if (w->film) end_film(v, w);
  if (w->context) {
    close_model(v);
    preview_close(v);
    preview_delete_pictures(v);
    panels_close();
    SDL_GL_DeleteContext(w->context);
  }
  view_give(&v->allocator, w->shot.pixels, w->shot_size);
  if (w->window) SDL_DestroyWindow(w->window);
  SDL_Quit();
}

static int take_memory(Viewer* v) {
  v->marks = (HeftMarks){.mark = view_take(&v->allocator, VIEWER_MARKS * sizeof(HeftMark)),
                         .max = VIEWER_MARKS};
  v->history = view_take(&v->allocator, VIEWER_HISTORY * sizeof *v->history);
  v->other = view_take(&v->allocator, VIEWER_HISTORY * sizeof *v->other);
  return v->marks.mark && v->history && v->other;
}

static void give_memory(Viewer* v) {
  view_give(&v->allocator, v->marks.mark, VIEWER_MARKS * sizeof(HeftMark));
  view_give(&v->allocator, v->history, VIEWER_HISTORY * sizeof *v->history);
  view_give(&v->allocator, v->other, VIEWER_HISTORY * sizeof *v->other);
}

static void usual_state(Viewer* v) {
  v->memory = (Memory){.width = 1280, .height = 720, .dark = 1, .quality = -1};
  v->show = 1u << HEFT_SHOW_CONTACTS | 1u << HEFT_SHOW_FORCES;
  v->picture = heft_picture_default();
  v->selected = v->follow = v->hovered = -1;
  v->hovered_entry = v->preview.entry = -1;
  v->panels = 1;
  v->awake = AWAKE;
  v->detail = 1;
  v->plot[0] = (ViewerPlot){1u << HEFT_PLOT_GROUND_FORCE, false};
  v->plot[1] = (ViewerPlot){1u << HEFT_PLOT_STEP_TIME, false};
  v->plot[2] = (ViewerPlot){1u << HEFT_PLOT_RESIDUAL, true};
  v->size = 1;
  v->grab.body = -1;
}

HeftStatus heft_viewer_run(HeftModel* model, const HeftViewerDef* def, HeftError* error) {
  return viewer_run(model, def, NULL, error);
}

HeftStatus viewer_run(HeftModel* model, const HeftViewerDef* def, const PassiveHooks* passive,
                      HeftError* error) {
  ViewerBox* box = view_take(&def->allocator, sizeof *box);
  if (!box) {
    heft_model_destroy(model);
    return view_fail(error, HEFT_ERR_MEMORY, "no memory for a window");
  }
  Viewer* v = &box->viewer;
  Window* w = &box->window;
  v->allocator = def->allocator;
  v->def = *def;
  v->passive = passive;
  usual_state(v);
  HeftStatus status = take_memory(v) ? open_window(v, w, error)
                                     : view_fail(error, HEFT_ERR_MEMORY, "no memory for a window");
  if (status == HEFT_OK) {
    SDL_RWops* log = def->log ? SDL_RWFromFile(def->log, "wb") : NULL;
    if (log) SDL_RWclose(log);
    v->text_scale = text_scale(v, w->window);
    panels_open(w->window, w->context, v->text_scale, v->memory.dark);
    SDL_GL_GetDrawableSize(w->window, &v->width, &v->height);
    if (model) open_model(v, w->window, model, def->path);
    if (passive) passive->opened(passive->user, HEFT_OK);
    v->devices_panel = v->users != NULL;
    v->plugins_panel = def->plugins != NULL;
    loop(v, w);
    memory_write(v);
  } else {
    heft_model_destroy(model);
  }
  close_window(v, w);
  give_memory(v);
  view_give(&def->allocator, box, sizeof *box);
  return status;
}
