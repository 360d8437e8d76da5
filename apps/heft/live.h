// SPDX-License-Identifier: Apache-2.0
// heft validate --live: the files of the live scenes, for pages.
#ifndef HEFT_APPS_LIVE_H
#define HEFT_APPS_LIVE_H

/// Writes all live scenes (validation/live.h) to a folder: one MJCF file each, and cases.json. Each
/// is checked. scenes: folder of the scene files. Exit code.
int live_write(const char* folder, const char* scenes);

#endif
