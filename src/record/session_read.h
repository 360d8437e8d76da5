// SPDX-License-Identifier: Apache-2.0
// Reads the messages of a session. Believes nothing: a text ends where its message ends, and every
// number must be finite.
#ifndef HEFT_SRC_SESSION_LOG_SESSION_READ_H
#define HEFT_SRC_SESSION_LOG_SESSION_READ_H

#include "record/session_log.h"

/// Reads the message of the initial state. Returns NULL, or an error message.
const char* session_read_start(HeftJsonSpan message, HeftSessionStart* start);
/// Reads the field `name`, which is base64, into bytes with an allocator. 0: there is none, or it
/// is damaged.
int session_read_bits(HeftJsonSpan message, const char* name, HeftBytes* out);
/// Reads the message of a run of steps. 0: it is damaged.
int session_read_steps(HeftJsonSpan message, long* count, uint64_t* hash);

#endif
