// SPDX-License-Identifier: Apache-2.0
// Reads the messages of a recorded session (session_log.h). Believes nothing.
#ifndef HEFT_APPS_SESSION_READ_H
#define HEFT_APPS_SESSION_READ_H

#include <heft/access.h>
#include <heft/heft.h>

#include "loading.h"

/// Prefix of the name of an act of the command (builtin.h), in the place of a model file.
extern const char session_builtin[];

/// How a session began.
typedef struct SessionStart {
  char model[4096];  ///< file
  double time_step;  ///< [s]
  Loading loading;   ///< how the model was loaded
  int probes;
  HeftProbeDef probe[HEFT_SESSION_PROBES];
  char plugins[4096];  ///< the list of plug-ins, for messages; "" if there are none
} SessionStart;

/// Room for the bytes of a moment or a note; grows. The owner frees `bytes`.
typedef struct SessionBits {
  unsigned char* bytes;
  size_t room;
} SessionBits;

/// Reads the data of plug-ins from the message of the initial state, as session_read_bits() does.
long session_read_plugin_bits(SessionBits* bits, const char* data, size_t size);
/// Reads what plug-ins took from outside of the world before a step.
long session_read_plugin_inputs(SessionBits* bits, const char* data, size_t size);
/// Reads the message of the initial state. Returns NULL, or an error message.
const char* session_read_start(const char* data, size_t size, SessionStart* start);
/// The bytes that a message holds. Returns how many, -1 if there are none.
long session_read_bits(SessionBits* bits, const char* data, size_t size);
/// Reads the message of a change, and the number of steps before it. Returns NULL, or an error
/// message.
const char* session_read_change(const char* data, size_t size, HeftChange* change, long* step);

#endif
