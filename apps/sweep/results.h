// SPDX-License-Identifier: Apache-2.0
// A folder of results:
//
//     manifest.toml          what the results belong to: hashes of plan and model, version of Heft
//     plan.toml, model.heft  the plan and the compiled model; inputs/ has the files of the plan
//     chunks/000000.h5 ...   one file for each chunk, with its checksum
//     quarantine/            chunks without a result to trust, see quarantine.h
//     results.h5             virtual datasets over all chunks
//     logs/                  whole logs of chosen runs
//
// A chunk is written to another name, synced, and renamed: whoever sees its name sees all its
// bytes, after a crash and on shared folders, too. Several processes may store chunks in one
// folder.
#ifndef HEFT_APPS_SWEEP_RESULTS_H
#define HEFT_APPS_SWEEP_RESULTS_H

#include "sweep/sweep.h"

/// Counts changes of the bytes of a chunk: 2, each has a checksum.
enum { RESULTS_FORMAT = 2 };

/// Creates a folder of results, or checks that a present one belongs to this sweep.
/// HEFT_ERR_VERSION: it belongs to another plan, model, version or build of Heft.
HeftStatus results_open(const char* folder, const Sweep* sweep, HeftError* error);
/// Reads plan and model of a folder of results, and checks them against its manifest.
HeftStatus results_load(const char* folder, Plan** plan, HeftModel** model, Sweep** sweep,
                        HeftError* error);
/// 1: a file of the chunk is there, and not in quarantine; results_read() finds out whether it is
/// damaged.
int results_has(const char* folder, int64_t chunk);
/// Path of a chunk.
void results_path(const char* folder, int64_t chunk, char* out, size_t size);
/// Writes a chunk. If it is there already, its bytes must be the same, unless they are damaged.
/// HEFT_ERR_VALUE: they are not, or were not before; then none of them is taken, and the chunk is
/// in quarantine.
HeftStatus results_store(const char* folder, int64_t chunk, const void* bytes, size_t size,
                         HeftError* error);
/// Reads a chunk. HEFT_ERR_SYNTAX: it is not what this sweep writes. HEFT_ERR_CHECKSUM: its numbers
/// are damaged. Release out by hdf5_release().
HeftStatus results_read(const char* folder, const Sweep* sweep, int64_t chunk, Hdf5File* out,
                        HeftError* error);
/// Reads a chunk for a sweep that goes on. A damaged one is removed, so that it is computed again:
/// then the status is as of results_read(), and *gone is 1.
HeftStatus results_read_or_remove(const char* folder, const Sweep* sweep, int64_t chunk,
                                  Hdf5File* out, int* gone, HeftError* error);
/// Writes results.h5.
HeftStatus results_write_virtual(const char* folder, const Sweep* sweep, HeftError* error);
/// SHA-256 of all results in the order of the runs: it does not depend on chunks. HEFT_ERR_FILE: a
/// chunk is missing.
HeftStatus results_hash(const char* folder, const Sweep* sweep, char out[65], HeftError* error);
/// Writes a file as chunks are written.
HeftStatus results_write_file(const char* path, const void* bytes, size_t size, HeftError* error);

#endif
