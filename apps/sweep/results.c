// SPDX-License-Identifier: Apache-2.0
#include "sweep/results.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <heft/io.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "sweep/quarantine.h"
#include "sweep/sha256.h"

enum { PATH_SIZE = 4096, CHUNK_BYTES_MAX = 0x7fffffff };

static HeftStatus file_error(HeftError* error, const char* path, const char* what) {
  return heft_error_set_at(error, HEFT_ERR_FILE, path, 0, 0, "%s: %s", what, strerror(errno));
}

// ---- writing

static int write_all(int file, const void* bytes, size_t size) {
  const char* at = bytes;
  while (size > 0) {
    const ssize_t n = write(file, at, size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return 0;
    at += n;
    size -= (size_t)n;
  }
  return 1;
}

static void sync_folder(const char* path) {
  char folder[PATH_SIZE];
  const char* slash = strrchr(path, '/');
  snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
  const int at = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (at < 0) return;
  fsync(at);
  close(at);
}

// A new name for a complete file. With `once` a file that has the name already stays, and
// HEFT_ERR_NAME is returned: of two machines that store a chunk at the same time, one gets this
// status.
static HeftStatus give_name(const char* temporary, const char* path, int once, HeftError* error) {
  if (once && link(temporary, path) == 0) {
    unlink(temporary);
    return HEFT_OK;
  }
  if (once && errno == EEXIST) {
    unlink(temporary);
    return HEFT_ERR_NAME;
  }
  // File systems without links (FAT, some of FUSE) have only names.
  if (rename(temporary, path) == 0) return HEFT_OK;
  const HeftStatus status = file_error(error, path, "the file cannot be named");
  unlink(temporary);
  return status;
}

// The name before the rename has the host and the process, so that two writers never share it.
static HeftStatus write_file(const char* path, const void* bytes, size_t size, int once,
                             HeftError* error) {
  char host[256] = "", temporary[PATH_SIZE + 300];
  gethostname(host, sizeof host - 1);
  const char* slash = strrchr(path, '/');
  const int folder = slash ? (int)(slash - path) + 1 : 0;
  snprintf(temporary, sizeof temporary, "%.*s.%s.%s.%ld.%p", folder, path, path + folder, host,
           (long)getpid(), (const void*)&bytes);
  const int file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (file < 0) return file_error(error, path, "the file cannot be created");
  int well = write_all(file, bytes, size) && fsync(file) == 0;
  const int reason = errno;
  well &= close(file) == 0;
  if (!well) {
    unlink(temporary);
    errno = reason;
    return file_error(error, path, "the file cannot be written");
  }
  const HeftStatus status = give_name(temporary, path, once, error);
  if (status == HEFT_OK) sync_folder(path);
  return status;
}

HeftStatus results_write_file(const char* path, const void* bytes, size_t size, HeftError* error) {
  return write_file(path, bytes, size, 0, error);
}

static HeftStatus make_folder(const char* path, HeftError* error) {
  if (mkdir(path, 0777) == 0 || errno == EEXIST) return HEFT_OK;
  return file_error(error, path, "the folder cannot be created");
}

// ---- reading

static HeftStatus read_file(const char* path, size_t limit, void** bytes, size_t* size,
                            HeftError* error) {
  const HeftAllocator a = heft_allocator_default();
  return heft_file_read(bytes, size, path, limit, &a, error);
}

static void release(void* bytes, size_t size) {
  const HeftAllocator a = heft_allocator_default();
  if (bytes) a.release(a.user, bytes, size + 1);
}

// ---- the manifest

static int manifest_text(const Sweep* s, char* out, size_t size) {
  return snprintf(out, size,
                  "# Results of 'heft sweep'; docs/manual/sweep.md says how to read them.\n"
                  "format = %d\nheft_version = \"%s\"\nheft_bits = \"%s\"\nplan_sha256 = "
                  "\"%s\"\nmodel_sha256 = \"%s\"\nruns = %lld\nchunk = %lld\nchunks = %lld\n",
                  RESULTS_FORMAT, heft_version(), s->bits, s->plan->sha256, s->model_sha256,
                  (long long)s->plan->runs, (long long)s->plan->chunk,
                  (long long)plan_chunk_count(s->plan));
}

static HeftStatus check_text(const Toml* t, const char* key, const char* expected, const char* what,
                             const char* path, HeftError* error) {
  const TomlValue* value = toml_find(&t->tables[0], key);
  if (value && value->type == TOML_STRING && strcmp(value->text, expected) == 0) return HEFT_OK;
  return heft_error_set_at(
      error, HEFT_ERR_VERSION, path, value ? value->line : 1, value ? value->column : 1,
      "the folder has results of another %s (%.16s, here %.16s); use that one, "
      "or another folder",
      what, value && value->type == TOML_STRING ? value->text : "?", expected);
}

static HeftStatus check_format(const Toml* t, const char* path, HeftError* error) {
  const TomlValue* value = toml_find(&t->tables[0], "format");
  if (value && value->type == TOML_NUMBER && value->number == RESULTS_FORMAT) return HEFT_OK;
  return heft_error_set_at(error, HEFT_ERR_VERSION, path, value ? value->line : 1, 1,
                           "the folder has results of another format than %d; use another folder",
                           (int)RESULTS_FORMAT);
}

// A folder of another build is refused for this reason, before its model or plan is read: s is then
// NULL, and their hashes are not compared.
static HeftStatus check_manifest(const char* path, const Sweep* s, HeftError* error) {
  void* bytes = NULL;
  size_t size = 0;
  char bits[SWEEP_BITS + 1];
  Toml t;
  HeftStatus status = HEFT_OK;
  if (s)
    memcpy(bits, s->bits, sizeof bits);
  else
    status = sweep_bits(bits, error);
  if (status == HEFT_OK) status = read_file(path, TOML_BYTES_MAX, &bytes, &size, error);
  if (status != HEFT_OK) return status;
  status = toml_read(&t, bytes, size, path, error);
  release(bytes, size);
  if (status != HEFT_OK) return status;
  status = check_text(&t, "heft_version", heft_version(), "version of Heft", path, error);
  if (status == HEFT_OK) status = check_format(&t, path, error);
  if (status == HEFT_OK)
    status = check_text(&t, "heft_bits", bits, "build of this version, which computes other bits",
                        path, error);
  if (status == HEFT_OK && s)
    status = check_text(&t, "plan_sha256", s->plan->sha256, "plan", path, error);
  if (status == HEFT_OK && s)
    status = check_text(&t, "model_sha256", s->model_sha256, "model", path, error);
  toml_release(&t);
  return status;
}

static HeftStatus copy_file(const char* from, const char* to, HeftError* error) {
  void* bytes = NULL;
  size_t size = 0;
  HeftStatus status = read_file(from, CSV_BYTES_MAX, &bytes, &size, error);
  if (status == HEFT_OK) status = results_write_file(to, bytes, size, error);
  release(bytes, size);
  return status;
}

static HeftStatus store_inputs(const char* folder, const Sweep* s, HeftError* error) {
  char path[PATH_SIZE], from[4][2048];
  const char* name[4];
  const size_t size = heft_model_save_size(s->model);
  void* bytes = malloc(size);
  if (!bytes) return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for %zu bytes", size);
  heft_model_save(s->model, bytes);
  snprintf(path, sizeof path, "%s/model.heft", folder);
  HeftStatus status = results_write_file(path, bytes, size, error);
  free(bytes);
  snprintf(path, sizeof path, "%s/plan.toml", folder);
  if (status == HEFT_OK) status = copy_file(s->plan->path, path, error);
  const int files = plan_files(s->plan, from, name);
  for (int i = 0; i < files && status == HEFT_OK; ++i) {
    snprintf(path, sizeof path, "%s/inputs", folder);
    status = make_folder(path, error);
    snprintf(path, sizeof path, "%s/inputs/%s", folder, name[i]);
    if (status == HEFT_OK) status = copy_file(from[i], path, error);
  }
  return status;
}

// Removes what processes of this machine that are no more had begun to write.
static void remove_remains(const char* folder) {
  char host[256] = "", path[PATH_SIZE + 300];
  gethostname(host, sizeof host - 1);
  DIR* list = opendir(folder);
  for (const struct dirent* e = list ? readdir(list) : NULL; e; e = readdir(list)) {
    const char* at = e->d_name[0] == '.' ? strstr(e->d_name, host) : NULL;
    if (!at || !host[0] || at == e->d_name || at[-1] != '.' || at[strlen(host)] != '.') continue;
    const long process = strtol(at + strlen(host) + 1, NULL, 10);
    if (process <= 0 || kill((pid_t)process, 0) == 0 || errno != ESRCH) continue;
    snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    unlink(path);
  }
  if (list) closedir(list);
}

HeftStatus results_open(const char* folder, const Sweep* s, HeftError* error) {
  char path[PATH_SIZE], text[1024];
  HeftStatus status = make_folder(folder, error);
  snprintf(path, sizeof path, "%s/manifest.toml", folder);
  char chunks[PATH_SIZE];
  snprintf(chunks, sizeof chunks, "%s/chunks", folder);
  if (status == HEFT_OK) remove_remains(chunks);
  if (status == HEFT_OK && access(path, F_OK) == 0) return check_manifest(path, s, error);
  if (status == HEFT_OK) status = make_folder(chunks, error);
  if (status == HEFT_OK) status = store_inputs(folder, s, error);
  const int size = manifest_text(s, text, sizeof text);
  // The last, so that a folder with a manifest has all the rest.
  if (status == HEFT_OK) status = results_write_file(path, text, (size_t)size, error);
  return status;
}

static HeftStatus load_plan(const char* folder, Plan** plan, HeftError* error) {
  char path[PATH_SIZE];
  void* bytes = NULL;
  size_t size = 0;
  snprintf(path, sizeof path, "%s/manifest.toml", folder);
  if (access(path, F_OK) != 0)
    return heft_error_set_at(error, HEFT_ERR_FILE, folder, 0, 0,
                             "this is no folder of results: it has no manifest.toml");
  snprintf(path, sizeof path, "%s/plan.toml", folder);
  HeftStatus status = read_file(path, TOML_BYTES_MAX, &bytes, &size, error);
  if (status == HEFT_OK) status = plan_read_bytes(plan, bytes, size, path, 1, error);
  release(bytes, size);
  return status;
}

HeftStatus results_load(const char* folder, Plan** plan, HeftModel** model, Sweep** sweep,
                        HeftError* error) {
  char path[PATH_SIZE];
  *plan = NULL;
  *model = NULL;
  *sweep = NULL;
  snprintf(path, sizeof path, "%s/manifest.toml", folder);
  HeftStatus status = access(path, F_OK) == 0 ? check_manifest(path, NULL, error) : HEFT_OK;
  if (status == HEFT_OK) status = load_plan(folder, plan, error);
  snprintf(path, sizeof path, "%s/model.heft", folder);
  if (status == HEFT_OK) status = heft_model_load_file(model, path, NULL, error);
  if (status == HEFT_OK) status = sweep_create(sweep, *plan, *model, error);
  snprintf(path, sizeof path, "%s/manifest.toml", folder);
  return status == HEFT_OK ? check_manifest(path, *sweep, error) : status;
}

// ---- chunks

void results_path(const char* folder, int64_t chunk, char* out, size_t size) {
  snprintf(out, size, "%s/chunks/%06lld.h5", folder, (long long)chunk);
}

int results_has(const char* folder, int64_t chunk) {
  char path[PATH_SIZE];
  results_path(folder, chunk, path, sizeof path);
  return access(path, F_OK) == 0 && !quarantine_has(folder, chunk);
}

// Two machines computed different bytes: neither is taken, both are kept.
static HeftStatus dispute(const char* folder, int64_t chunk, const void* bytes, size_t size,
                          HeftError* error) {
  char path[PATH_SIZE];
  void* present = NULL;
  size_t present_size = 0;
  results_path(folder, chunk, path, sizeof path);
  HeftStatus status = quarantine_put(folder, chunk,
                                     "two machines computed different bytes for this chunk; "
                                     "'h5diff' compares the files beside this one",
                                     error);
  if (status == HEFT_OK) status = quarantine_keep(folder, chunk, bytes, size, error);
  if (status == HEFT_OK && access(path, F_OK) == 0) {
    status = read_file(path, CHUNK_BYTES_MAX, &present, &present_size, error);
    if (status == HEFT_OK) status = quarantine_keep(folder, chunk, present, present_size, error);
    release(present, present_size);
    if (status == HEFT_OK) unlink(path);
  }
  if (status != HEFT_OK) return status;
  return heft_error_set_at(error, HEFT_ERR_VALUE, path, 0, 0,
                           "two computations of this chunk have different bytes: a machine or its "
                           "memory is faulty; neither is taken, both are in %.200s/quarantine; "
                           "--retry computes the chunk again",
                           folder);
}

HeftStatus results_store(const char* folder, int64_t chunk, const void* bytes, size_t size,
                         HeftError* error) {
  char path[PATH_SIZE];
  void* present = NULL;
  size_t present_size = 0;
  if (quarantine_disputed(folder, chunk)) return dispute(folder, chunk, bytes, size, error);
  results_path(folder, chunk, path, sizeof path);
  HeftStatus status = HEFT_ERR_NAME;
  if (access(path, F_OK) != 0) status = write_file(path, bytes, size, 1, error);
  if (status == HEFT_ERR_NAME) {
    status = read_file(path, CHUNK_BYTES_MAX, &present, &present_size, error);
    if (status != HEFT_OK) return status;
    const int same = present_size == size && memcmp(present, bytes, size) == 0;
    const int damaged =
        !same && hdf5_is_sealed(bytes, size) && !hdf5_is_sealed(present, present_size);
    release(present, present_size);
    if (damaged) status = write_file(path, bytes, size, 0, error);
    if (!same && !damaged) return dispute(folder, chunk, bytes, size, error);
  }
  if (status != HEFT_OK || !quarantine_has(folder, chunk)) return status;
  // A result that comes after all ends a quarantine, but not if others disagree meanwhile.
  return quarantine_disputed(folder, chunk) ? dispute(folder, chunk, bytes, size, error)
                                            : quarantine_lift(folder, chunk, error);
}

HeftStatus results_read(const char* folder, const Sweep* s, int64_t chunk, Hdf5File* out,
                        HeftError* error) {
  char path[PATH_SIZE];
  void* bytes = NULL;
  size_t size = 0;
  SweepTable t;
  *out = (Hdf5File){0};
  results_path(folder, chunk, path, sizeof path);
  const HeftStatus status = read_file(path, CHUNK_BYTES_MAX, &bytes, &size, error);
  if (status != HEFT_OK) return status;
  sweep_table(s, plan_chunk_first(s->plan, chunk), plan_chunk_runs(s->plan, chunk), &t);
  const int made = hdf5_make(out, &t.table);
  const int same = made && size == out->size && memcmp(bytes, out->bytes, out->data) == 0;
  const int whole = same && hdf5_is_sealed(bytes, size);
  if (whole) memcpy(out->bytes, bytes, size);
  release(bytes, size);
  if (whole) return HEFT_OK;
  hdf5_release(out);
  if (!made) return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for a chunk");
  return heft_error_set_at(error, same ? HEFT_ERR_CHECKSUM : HEFT_ERR_SYNTAX, path, 0, 0,
                           "chunk %lld is damaged: %s; 'heft sweep run' computes it again",
                           (long long)chunk,
                           same ? "its checksum is wrong"
                                : "this is not what this plan, model and version of Heft write");
}

HeftStatus results_read_or_remove(const char* folder, const Sweep* s, int64_t chunk, Hdf5File* out,
                                  int* gone, HeftError* error) {
  char path[PATH_SIZE];
  const HeftStatus status = results_read(folder, s, chunk, out, error);
  results_path(folder, chunk, path, sizeof path);
  *gone = (status == HEFT_ERR_SYNTAX || status == HEFT_ERR_CHECKSUM) && unlink(path) == 0;
  return status;
}

static void part_name(const void* user, int64_t part, char* out, size_t size) {
  (void)user;
  snprintf(out, size, "chunks/%06lld.h5", (long long)part);
}

HeftStatus results_write_virtual(const char* folder, const Sweep* s, HeftError* error) {
  enum { ENTRIES_MAX = 20000000 };
  char path[PATH_SIZE];
  SweepTable t;
  Hdf5File file;
  const Hdf5Parts parts = {plan_chunk_count(s->plan), s->plan->chunk, part_name, NULL};
  if (s->plan->runs > 0xfffffffell || parts.count > ENTRIES_MAX / (s->column_count + 1))
    return HEFT_OK;  // HDF5 would need minutes to open it; the chunks suffice
  sweep_table(s, 0, s->plan->runs, &t);
  if (!hdf5_make_virtual(&file, &t.table, &parts))
    return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for the virtual file");
  snprintf(path, sizeof path, "%s/results.h5", folder);
  const HeftStatus status = results_write_file(path, file.bytes, file.size, error);
  hdf5_release(&file);
  return status;
}

// Each column has a hash of its own, so that chunks can be read one after the other.
HeftStatus results_hash(const char* folder, const Sweep* s, char out[65], HeftError* error) {
  const int n = s->column_count;
  HeftStatus status = HEFT_OK;
  Sha256* hash = calloc((size_t)n + 1, sizeof *hash);
  if (!hash) return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for hashes");
  for (int i = 0; i <= n; ++i) hash[i] = sha256_begin();
  for (int64_t k = 0; k < plan_chunk_count(s->plan) && status == HEFT_OK; ++k) {
    Hdf5File f;
    status = results_read(folder, s, k, &f, error);
    for (int i = 0; i < n && status == HEFT_OK; ++i)
      sha256_add(&hash[i], f.bytes + f.offset[i],
                 8 * (size_t)plan_chunk_runs(s->plan, k) * (size_t)s->column[i].width);
    hdf5_release(&f);
  }
  for (int i = 0; i < n; ++i) {
    char text[65];
    sha256_text(&hash[i], text);
    sha256_add(&hash[n], s->column[i].name, strlen(s->column[i].name) + 1);
    sha256_add(&hash[n], text, 64);
  }
  sha256_text(&hash[n], out);
  free(hash);
  return status;
}
