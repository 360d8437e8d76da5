// SPDX-License-Identifier: Apache-2.0
// Chunks of a folder of results that have no result to trust:
//
//     quarantine/000012.txt               why
//     quarantine/000012-HASH.h5           what different machines computed for it, if they disagree
//     quarantine/settled-000012-HASH.h5   the same, after it was computed again
//
// A chunk with a reason counts as missing, whatever else lies in the folder. The reason is written
// first and removed last, so that a crash in between loses no doubt.
#ifndef HEFT_APPS_SWEEP_QUARANTINE_H
#define HEFT_APPS_SWEEP_QUARANTINE_H

#include <heft/base.h>
#include <stddef.h>

enum { QUARANTINE_TEXT = 512 };

/// 1: the chunk is in quarantine.
int quarantine_has(const char* folder, int64_t chunk);
/// 1: it is, because machines disagree.
int quarantine_disputed(const char* folder, int64_t chunk);
/// The reason; "" if there is none.
void quarantine_reason(const char* folder, int64_t chunk, char out[QUARANTINE_TEXT]);
HeftStatus quarantine_put(const char* folder, int64_t chunk, const char* reason, HeftError* error);
/// Keeps what one machine computed for a disputed chunk.
HeftStatus quarantine_keep(const char* folder, int64_t chunk, const void* bytes, size_t size,
                           HeftError* error);
/// Ends a quarantine: the chunk may be computed again.
HeftStatus quarantine_lift(const char* folder, int64_t chunk, HeftError* error);
/// Calls `visit` for each chunk in quarantine, in any order. Returns their number.
int64_t quarantine_each(const char* folder, void (*visit)(void* user, int64_t chunk), void* user);

#endif
