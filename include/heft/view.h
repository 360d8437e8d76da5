// SPDX-License-Identifier: Apache-2.0
/// @file view.h
/// Pictures of a model: a camera, a renderer, marks that show forces, a simulation in a thread of
/// its own, and a window that combines them.
///
/// - A library of its own, `heft_view`, because it needs OpenGL 3.3 (libepoxy), EGL, libpng, SDL2
///   and Dear ImGui. The core does not depend on it.
/// - Heft's memory comes from the allocator of the def; OpenGL, SDL2 and ImGui use the C library.
/// - A renderer belongs to the thread whose OpenGL context is current when it is created.
/// - A HeftSimulation steps its world in its own thread. The drawing thread reads frames from it
///   and sends commands to it; neither thread waits for the other.
#ifndef HEFT_VIEW_H
#define HEFT_VIEW_H

#include <heft/view_simulation.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- window

/// Something that the start page of the window offers, with a picture of its model.
typedef struct HeftGalleryEntry {
  char name[40], text[96];
  char file[1024];      ///< of the model
  bool acts;            ///< true: `opens` gives plug-ins for this name
  double picture_time;  ///< simulated time of its picture [s], >= 0; 0: the pose of the file
} HeftGalleryEntry;

typedef struct HeftViewerDef {
  HeftAllocator allocator;
  const char* path;   ///< model file, for the title and for textures
  int width, height;  ///< of the window; 0: the last size
  int key;            ///< initial keyframe, or -1
  int paused;
  int dark;                         ///< 1 dark, 0 light, -1: the last choice
  unsigned show;                    ///< bits 1 << HEFT_SHOW_x
  double text_scale;                ///< of all text; 0: from the screen
  uint64_t started_ns;              ///< start of the program, for the log; 0: start of the window
  double end_after;                 ///< close after this time [s]; 0: never
  const char* log;                  ///< file for states and speed, twice a second, or NULL
  uint64_t monkey;                  ///< seed of random input for tests; 0: none
  const char* folder;               ///< folder for pictures and videos; NULL: the current one
  HeftSimulationSettings settings;  ///< at the start
  HeftRecorder recorder;            ///< of sessions; begin NULL: no recording
  /// Returns the users after a change of devices or model. connect: "NAME:ADDRESS" of a device to
  /// add, or NULL; disconnect: index of a device to remove, or -1. The function may destroy the
  /// users it returned before. Returns NULL if there are no users; error has the message of a
  /// failure. The pointer may be NULL: no devices.
  const HeftUsers* (*connect_users)(void* user, const HeftModel* model, const char* connect,
                                    int disconnect, HeftError* error);
  /// Loads a model when the user opens another file. NULL on failure, with a message in error.
  HeftModel* (*load)(void* user, const char* path, HeftError* error);
  void* user;
  HeftPluginSet* plugins;  ///< as in HeftSimulationDef
  /// The start page, which is shown while no model is open; lives as long as the window.
  const HeftGalleryEntry* gallery;
  int gallery_count;
  /// Called before another model opens: its file, and the name of the gallery's entry that acts in
  /// it, or NULL. Returns the plug-ins of that model, or NULL: none; error has the message of a
  /// failure. The last model is closed: the function may destroy the set that it returned before.
  /// The pointer may be NULL: `plugins` stay.
  HeftPluginSet* (*opens)(void* user, const char* file, const char* name, HeftError* error);
  /// Recorded runs of the model that was loaded last: out has room for two, to be compared. Returns
  /// their number; 0: the model is to be simulated. The pointer may be NULL: none.
  int (*recordings)(void* user, const HeftRecording* out[2]);
  const char* notice;  ///< shown when a model was opened, if it is not empty; read after each
                       ///< load. NULL: none
  const char* record;  ///< file of a session that is recorded from the start, or NULL
  /// Loads a model whose bodies are added to the present one. NULL on failure, with a message in
  /// error. The pointer may be NULL: no files can be added.
  HeftModel* (*load_object)(void* user, const char* path, HeftError* error);
  int no_deadline;  ///< 1: HeftSimulationDef::deadline is 0
} HeftViewerDef;

HEFT_API HeftViewerDef heft_viewer_def_default(void);
/// Opens a window and returns when it is closed. Takes over the model (it may be replaced by
/// another) and destroys it.
HEFT_API HeftStatus heft_viewer_run(HeftModel* model, const HeftViewerDef* def, HeftError* error);

// ---- a window for your own loop

/// A window in a thread of its own that shows a world which the caller steps.
typedef struct HeftViewer HeftViewer;

/// Opens the window. Of def, the fields from path to log and folder count. *out is NULL on failure,
/// for example without a screen. The model is copied. def and error may be NULL.
HEFT_API HeftStatus heft_viewer_create(HeftViewer** out, const HeftModel* model,
                                       const HeftViewerDef* def, HeftError* error);
/// After each step: shows the world, and applies what the user pulls and pushes to the next step.
/// Never waits for a picture. report may be NULL. Returns false once the user has closed the
/// window.
HEFT_API bool heft_viewer_sync(HeftViewer* viewer, HeftWorld* world, const HeftStepReport* report);
/// Sleeps until the clock has caught up with the time of the world, at the speed that the user
/// chose, and while the user pauses. Returns false once the window is closed. For loops that are to
/// run in real time.
HEFT_API bool heft_viewer_wait(HeftViewer* viewer);
/// Closes the window. NULL is allowed.
HEFT_API void heft_viewer_destroy(HeftViewer* viewer);

#ifdef __cplusplus
}
#endif
#endif
