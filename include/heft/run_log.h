// SPDX-License-Identifier: Apache-2.0
/// @file run_log.h
/// Logs of a run in MCAP, for `heft view`, Foxglove and PlotJuggler: state, report, contacts,
/// joints, controls, sensors, values of the program, and the shapes of the model
/// (docs/manual/logs.md). `heft run --log` writes its logs by these functions. A part of the
/// library `heft_io`, because it writes files.
///
///     HeftRunLog* log = NULL;
///     heft_run_log_open(&log, "run.mcap", model, NULL, &error);
///     heft_run_log_write(log, world, NULL);  // the start
///     for (int i = 0; i < 1000; ++i) {
///       const HeftStepReport report = heft_world_step(world);
///       heft_run_log_write(log, world, &report);
///     }
///     if (heft_run_log_close(log) != HEFT_OK) puts("the log is not complete");
#ifndef HEFT_RUN_LOG_H
#define HEFT_RUN_LOG_H

#include <heft/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/// An open log of a run.
typedef struct HeftRunLog HeftRunLog;

enum { HEFT_RUN_LOG_GROUPS_MAX = 64 };  ///< groups of values in a log

/// Values of a part of the program, for example of a controller or a plug-in.
typedef struct HeftRunLogGroup {
  const char* name;    ///< of the part; static, or it lives until heft_run_log_open() returns
  HeftOptions values;  ///< their names, units and meanings; must live as long as the log
} HeftRunLogGroup;

/// Contents of a log. Start with heft_run_log_def_default().
typedef struct HeftRunLogDef {
  uint32_t cookie;                ///< set by heft_run_log_def_default(); see HEFT_DEF_COOKIE
  HeftAllocator allocator;        ///< memory of the log
  const char* model_path;         ///< file of the model, for the images of its textures; NULL: none
  const HeftRunLogGroup* groups;  ///< (group_count); NULL if there are none
  int group_count;                ///< 0 to HEFT_RUN_LOG_GROUPS_MAX
  /// Value `index` of a group, asked for by each heft_run_log_write(). NULL if there are no groups.
  double (*value)(const void* user, int group, int index);
  const void* user;  ///< passed to value; not owned
} HeftRunLogDef;

/// No path, no groups, the default allocator.
HEFT_DEF_FUNCTIONS(HeftRunLogDef, heft_run_log_def_default, heft_run_log_def_init);

/// Creates a file, or replaces one, and writes the model to it. The model must outlive the log. def
/// may be NULL: the default. HEFT_ERR_FILE: the file cannot be written. error may be NULL. *out is
/// NULL on failure.
HEFT_API HeftStatus heft_run_log_open(HeftRunLog** out, const char* path, const HeftModel* model,
                                      const HeftRunLogDef* def, HeftError* error);
/// The report of a row at the start: time and energies. The springs of tendons are left out.
HEFT_API HeftStepReport heft_run_log_start_report(const HeftWorld* world);
/// Writes one row: the present state of a world of the log's model. report is from the step before;
/// report may be NULL: heft_run_log_start_report(). HEFT_ERR_FILE, HEFT_ERR_MEMORY: the log is no
/// longer complete, and heft_run_log_close() will report it, too.
HEFT_API HeftStatus heft_run_log_write(HeftRunLog* log, HeftWorld* world,
                                       const HeftStepReport* report);
/// Writes the index of the file, closes it and releases the log, also on failure. HEFT_ERR_FILE,
/// HEFT_ERR_MEMORY: the log is not complete; is the disk full? NULL is allowed.
HEFT_API HeftStatus heft_run_log_close(HeftRunLog* log);

/// Receives a message of a log: its time [ns], and size bytes of JSON without a terminating zero,
/// which live until it returns. false ends the reading.
typedef bool HeftRunLogMessage(void* user, uint64_t time, const char* data, size_t size);
/// Reads all messages of a channel, for example "/state", in their order; there are none if the log
/// has no such channel. With "model.heft" the bytes of the compiled model are the only message, for
/// heft_model_load(). *cut_off is true if the file ends before its last record, as after a run that
/// was interrupted; cut_off may be NULL. HEFT_ERR_FILE: the file cannot be opened. HEFT_ERR_SYNTAX:
/// it is no log, or is damaged; the error names file and place. error may be NULL.
/// [out] cut_off
HEFT_API HeftStatus heft_run_log_read(const char* path, const char* channel,
                                      HeftRunLogMessage* message, void* user, bool* cut_off,
                                      HeftError* error);

#ifdef __cplusplus
}
#endif
#endif
