// SPDX-License-Identifier: Apache-2.0
// Data shared by window, panels, mouse and keys. Plain data, used only by the drawing thread.
#ifndef HEFT_APPS_VIEW_VIEWER_H
#define HEFT_APPS_VIEW_VIEWER_H

#include <heft/view.h>
#include <stdbool.h>

#include "view/thumbnail.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  VIEWER_MARKS = 16384,
  VIEWER_HISTORY = 16384,  ///< samples of the plots
  VIEWER_PATH = 1024,
  VIEWER_RECENT = 8,
  VIEWER_PLOTS = 3,
  VIEWER_GALLERY = 64,
  VIEWER_LEFT = 252,  ///< width of the panel at the left [points]
  VIEWER_CARD = 236,  ///< width of the card of the robot, which replaces it in the simple layout
  VIEWER_BAR = 64     ///< height of the bar below
};

/// A plot: the quantities that it shows, a bit each (HeftPlot, then values of plug-ins).
typedef struct ViewerPlot {
  unsigned quantities;
  bool logarithmic;
} ViewerPlot;

/// Picture of an entry of the gallery.
typedef struct ViewerThumbnail {
  unsigned texture;  ///< 0: none
  bool tried;        ///< its file was drawn
  bool acted;        ///< it was simulated
} ViewerThumbnail;

/// An entry that is simulated for its picture.
typedef struct ViewerPreview {
  int entry;  ///< -1: none
  int live;   ///< 1: in real time, because the mouse is on it
  HeftModel* model;
  Thumbnailer* thumbnailer;
  HeftSimulation* simulation;
  double next;  ///< picture [s]
} ViewerPreview;

/// A window that shows the simulation of somebody else (passive.c).
typedef struct PassiveHooks {
  HeftSimulation* simulation;
  void (*opened)(void* user, HeftStatus status);  ///< called once, from the thread of the window
  int (*ends)(void* user);                        ///< 1: close the window
  void* user;
} PassiveHooks;

/// Settings that are stored between sessions: of the user and the screen, none of a model.
typedef struct Memory {
  int width, height;
  int dark;
  int quality;   ///< -1: from the driver, 0 fast, 1 high
  double scale;  ///< of text, 0: from the screen
  char recent[VIEWER_RECENT][VIEWER_PATH];
} Memory;

enum { VIEWER_PARAMETERS = 12 };  ///< materials, and pairs, that have sliders

/// Values of the sliders of the world's parameters.
typedef struct ViewerWorld {
  double gravity;                         ///< factor
  double material[VIEWER_PARAMETERS][2];  ///< friction, restitution
  double pair[VIEWER_PARAMETERS][2];
  double mass, gain;  ///< factors of the selected body and of the chosen actuator
  int mass_body, gain_actuator;
} ViewerWorld;

/// Commands of the user from panels and keys; the main loop executes them.
typedef struct Requests {
  int change;  ///< 1: the object of `object` is to be added or removed
  HeftChange object;
  char open[VIEWER_PATH];  ///< "": none
  int act;                 ///< entry of the gallery + 1 that acts in it; 0: none
  int close;               ///< 1: back to the start page
  int quit, screenshot, film, new_camera, rebuild, record;
  int connect;     ///< 1: the chosen driver
  int disconnect;  ///< number of a device + 1
} Requests;

typedef struct Viewer {
  HeftAllocator allocator;
  const PassiveHooks* passive;  ///< NULL: the window owns its simulation
  HeftViewerDef def;
  Memory memory;
  Memory kept;    ///< as it was stored
  Memory begun;   ///< at the start, with the options of the command line
  unsigned show;  ///< bits 1 << HEFT_SHOW_x
  int sun;        ///< 1: default sun instead of the lights of the model
  char memory_path[VIEWER_PATH];
  char path[VIEWER_PATH];
  Requests ask;

  HeftModel* model;  ///< NULL while no file is open
  HeftSimulation* simulation;
  HeftRenderer* renderer;
  HeftDynamics *dynamics, *ghost_dynamics;
  HeftPose *poses, *ghost_poses;
  int* tint;
  const HeftViewFrame* frame;
  HeftMarks marks;
  HeftPicture picture;
  double size;  ///< of the model [m]
  double last_target_z;

  HeftSample* history;  ///< a ring
  HeftSample* other;    ///< of the second recorded run; indices as in history
  int history_first, history_count;
  const HeftRecording* recording[2];  ///< of the model
  int recording_count;                ///< 0: the model is simulated
  int beside;                         ///< 1: the second run is beside the first
  HeftVec3 beside_way;                ///< by this [m]
  int whole_run;                      ///< 1: plots show all of a recorded run
  long seeks;                         ///< of the last frame that was logged
  int plots_complete;                 ///< 1: the plots have all of a recorded run, which was logged

  int width, height;    ///< of the drawing surface [pixels]
  double text_scale;    ///< of all text
  double pixel_ratio;   ///< of the surface to the window
  double fps, draw_ms;  ///< frames per second, time of a frame
  int fast;             ///< 1: fast drawing with less quality
  double detail;        ///< of moving scenes (HeftPicture)
  double next_detail;   ///< when it may change again [s]
  long pictures;        ///< drawn so far
  int awake;            ///< frames until drawing pauses

  // mouse
  int selected, follow, hovered;
  HeftVec3 follow_at;
  HeftGrab grab;
  double grab_depth;
  int mouse_down, mouse_moved;  ///< button, 1 after it moved
  int mouse_x, mouse_y;
  int pulling;
  int strong;  ///< 1: pulled without the limit of a careful pull

  // users with devices
  const HeftUsers* users;  ///< or NULL: none
  HeftServoView person[HEFT_SERVO_DEVICES];
  HeftMapping mapping[HEFT_SERVO_DEVICES];
  double mapped_azimuth;  ///< of the camera at the last change of the mapping
  int devices_panel;
  int plugins_panel;
  char trouble[320];    ///< of the last frame that was logged
  long plugin_reloads;  ///< of the last frame that was logged
  int driver;           ///< chosen in the panel
  char address[256];    ///< typed there
  char session[VIEWER_PATH];
  int recordings;  ///< that were reported

  ViewerThumbnail thumbnail[VIEWER_GALLERY];
  ViewerPreview preview;
  int hovered_entry;     ///< under the mouse in the last picture, or -1
  int entry_now;         ///< under the mouse in this one
  double hovered_since;  ///< [s]

  // panels
  int world_panel;
  ViewerWorld world;
  int object_count;   ///< objects that were added, for their names
  int adds_file;      ///< 1: the open dialog adds a file
  int experts;        ///< 1: all panels; 0: the robot, its force and the time
  char outside[200];  ///< the last panel that was logged because it is not all on the screen
  int panels, help, open_dialog, plots, sliders, about_body, settings_panel;
  ViewerPlot plot[VIEWER_PLOTS];
  double plot_cursor,
      plot_cursor_until;  ///< time under the mouse [s]; shown until [s of the window]
  int chosen_dof, chosen_actuator;
  bool margins;                    ///< true: the simulation finds the friction that is needed
  HeftSimulationSettings command;  ///< values of the sliders
  char error[1024];
  char notice[256];
  double notice_until;
  int filming;
  double now;  ///< seconds since the window was opened
} Viewer;

// ---- viewer.c
/// heft_viewer_run(); passive may be NULL.
HeftStatus viewer_run(HeftModel* model, const HeftViewerDef* def, const PassiveHooks* passive,
                      HeftError* error);
/// Shows a line at the bottom for a few seconds.
void viewer_notice(Viewer* v, const char* format, ...) __attribute__((format(printf, 2, 3)));
/// A line in the log, if there is one.
void viewer_log(Viewer* v, const char* format, ...) __attribute__((format(printf, 2, 3)));
void viewer_toggle_run(Viewer* v);
/// All panels, or the simple layout.
void viewer_toggle_experts(Viewer* v);
void viewer_change_factor(Viewer* v, double times);
void viewer_select(Viewer* v, int body);
void viewer_apply_command(Viewer* v);
/// Sets a parameter of the world.
void viewer_set_parameter(Viewer* v, HeftChangeKind kind, int index, double value);
/// Adds a box, a ball or a file in the middle of the picture.
void viewer_add(Viewer* v, HeftChangeKind kind, const char* file);
/// Removes the selected body, with all that it is connected to by joints.
void viewer_remove(Viewer* v);
/// Opens a file, or an entry of the gallery.
void viewer_ask_open(Viewer* v, const char* path);
void viewer_ask_entry(Viewer* v, int entry);
int viewer_sample(const Viewer* v, int index, HeftSample* out);
/// viewer_sample() of the second recorded run.
int viewer_other_sample(const Viewer* v, int index, HeftSample* out);
/// 1: the second recorded run is beside the first, 0: in its place.
void viewer_set_beside(Viewer* v, int on);

// ---- hands.c
union SDL_Event;
void hands_event(Viewer* v, const union SDL_Event* event);

// ---- memory_file.c
/// Reads the stored settings, and applies the options of the command line, which are not stored.
void memory_read(Viewer* v);
/// Stores what the user changed in the window.
void memory_write(const Viewer* v);
void memory_opened(Viewer* v, const char* path);

// ---- film.c
typedef struct Film Film;
/// NULL if a pipe to ffmpeg cannot be opened, or the path contains a quote.
Film* film_open(const HeftAllocator* allocator, const char* path, int width, int height, int fps);
/// 0 if ffmpeg has ended.
int film_add(Film* film, const HeftImage* image);
/// 0 if the film is not complete; `why` gets the reason and what to do.
int film_close(Film* film, char* why, size_t size);
/// The first name of a row, "heft-1.png", "heft-2.png" ..., that does not exist yet.
void film_name(const char* folder, const char* ending, char* out, size_t size);

// ---- monkey.c
struct SDL_Window;
/// Some random input.
void monkey_play(Viewer* v, struct SDL_Window* window);

// ---- panels.cpp, by Dear ImGui
int panels_open(struct SDL_Window* window, void* context, double scale, int dark);
void panels_close(void);
/// 1 if a panel consumed the event.
int panels_event(const union SDL_Event* event);
void panels_draw(Viewer* v);
/// Pixels at the left and below that the panels hide.
void panels_covered(const Viewer* v, int covered[2]);
/// Pixels at the left, at the right and below where panels are.
void panels_margins(const Viewer* v, double margin[3]);
void panels_look(double scale, int dark);

#ifdef __cplusplus
}
#endif
#endif
