// SPDX-License-Identifier: Apache-2.0
// The files that a model names.
//
// A name in a model is untrusted. It is joined with the folder of the file that contains it, and
// the operating system resolves links (canonical.c). The result must lie below the root
// (HeftLoadDef.root, or the folder of the first file) or below the folder of a package: of the def,
// or a folder above the file that names it.
// The file is opened by this resolved path without following links (read_file.c), so that a link
// that is exchanged after the check leads nowhere. Only regular files up to the limit are read.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "io/canonical.h"
#include "io/context.h"
#include "io/read_file.h"

// Looking for a file in one folder takes about as many operations.
enum { PATH_SIZE = CANONICAL_SIZE, WORK_OF_FOLDER = 5000 };

static int is_absolute(const char* path) {
  return path[0] == '/' || path[0] == '\\' || (path[0] && path[1] == ':');
}

static size_t folder_length(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash ? (size_t)(slash - path) + 1 : 0;
}

static int is_below(const char* path, const char* root) {
  const size_t length = strlen(root);
  if (length == 0 || strncmp(path, root, length) != 0) return 0;
  return root[length - 1] == '/' || path[length] == '/' || path[length] == '\0';
}

// The folder below which files may be read, in canonical form: set once, by the first file.
static int set_root(Load* load, const char* path) {
  char folder[PATH_SIZE], canonical[CANONICAL_SIZE];
  if (load->def->root) {
    snprintf(folder, sizeof folder, "%s", load->def->root);
  } else {
    snprintf(folder, sizeof folder, "./");
    const size_t length = folder_length(path);
    if (length > 0) snprintf(folder, sizeof folder, "%.*s", (int)length, path);
  }
  if (!canonical_path(folder, canonical)) return 0;
  load->root = load_text(load, canonical, strlen(canonical));
  return load->root != NULL;
}

// The folder of a file, without a slash at its end; canonical if files are read from the disk.
static int folder_of(const Load* load, const SourceFile* file, char out[CANONICAL_SIZE]) {
  char folder[PATH_SIZE] = "./";
  size_t length = folder_length(file->path);
  if (length > 0) snprintf(folder, sizeof folder, "%.*s", (int)length, file->path);
  if (!load->def->files) return canonical_path(folder, out);
  snprintf(out, CANONICAL_SIZE, "%s", folder);
  length = strlen(out);
  while (length > 0 && out[length - 1] == '/') out[--length] = '\0';
  return 1;
}

// Tries folder/rest for each part of an address that has the name of the folder; rest are the
// parts behind it. Files of the user's program cannot be asked for: the first is taken.
static const char* try_folder(Load* load, const char* folder, const char* address) {
  const char* slash = strrchr(folder, '/');
  const char* name = slash ? slash + 1 : folder;
  const size_t length = strlen(name);
  char canonical[CANONICAL_SIZE];
  for (const char *part = address, *next; (next = strchr(part, '/')) != NULL; part = next + 1) {
    if (length == 0 || (size_t)(next - part) != length || strncmp(part, name, length) != 0)
      continue;
    const char* path = load_format(load, "%s/%s", folder, next + 1);
    if (!path || load->def->files || canonical_path(path, canonical)) return path;
  }
  return NULL;
}

// Whether folder/name is a package as ROS knows them: it has a package.xml.
static int has_package(Load* load, const char* folder, const char* address) {
  char canonical[CANONICAL_SIZE];
  const char* slash = strchr(address, '/');
  if (!slash || slash == address || address[0] == '.' || load->def->files) return 0;
  const char* path =
      load_format(load, "%s/%.*s/package.xml", folder, (int)(slash - address), address);
  return path && canonical_path(path, canonical);
}

// Permits the files of a package that was found. Returns 0 after a mistake.
static int keep_package(Load* load, const char* folder, const char** out) {
  load_search(load, (Place){0}, load->package_folders.count);
  for (int i = 0; i < load->package_folders.count; ++i) {
    *out = GROW_AT(load->package_folders, const char*, i);
    if (strcmp(*out, folder) == 0) return 1;
  }
  *out = load_text(load, folder, strlen(folder));
  const char** slot = LOAD_ADD(load, &load->package_folders, const char*);
  if (!*out || !slot) return 0;
  *slot = *out;
  return 1;
}

// The path of a file in a package whose folder was not given, or NULL. A robot mostly lies in its
// own package: of the folders above the file, the nearest one whose name is a part of the address
// holds the rest of it. Or the package lies beside one of these folders.
static const char* find_package(Load* load, const SourceFile* file, const char* address,
                                const char** package_folder) {
  char folder[CANONICAL_SIZE];
  if (!file || !folder_of(load, file, folder)) return NULL;
  while (folder[0] && load_work(load, (Place){.file = file}, WORK_OF_FOLDER)) {
    const char* path = try_folder(load, folder, address);
    if (!path && has_package(load, folder, address))
      path = load_format(load, "%s/%s", folder, address);
    if (path) return keep_package(load, folder, package_folder) ? path : NULL;
    char* slash = strrchr(folder, '/');
    *(slash ? slash : folder) = '\0';
  }
  return NULL;
}

// package://name/rest to a path; NULL after a mistake. Of several packages that fit, the longest
// name is used: "robots" and "robots/arm" may be in different folders.
static const char* package_path(Load* load, Place from, const char* name, const char** folder) {
  const char* package = name + strlen("package://");
  while (*package == '/') ++package;
  const HeftPackage* best = NULL;
  size_t best_length = 0;
  for (int i = 0; i < load->def->package_count; ++i) {
    const HeftPackage* p = &load->def->packages[i];
    const size_t length = strlen(p->name);
    if (length <= best_length || strncmp(p->name, package, length) != 0) continue;
    if (package[length] != '/' && package[length] != '\0') continue;
    best = p;
    best_length = length;
  }
  for (int i = 0; i < load->def->package_count && !best; ++i) {
    if (!load->def->packages[i].name[0]) best = &load->def->packages[i];
  }
  if (best) {
    const char* rest = package + best_length;
    while (*rest == '/') ++rest;
    *folder = best->folder;
    return load_format(load, "%s/%s", best->folder, rest);
  }
  const char* found = find_package(load, from.file, package, folder);
  if (found || !LOAD_OK(load)) return found;
  const char* slash = strchr(package, '/');
  const int length = slash ? (int)(slash - package) : (int)strlen(package);
  load_fail(
      load, HEFT_ERR_FILE, from,
      "'%.150s': the folder of package '%.*s' is not known; give it with --package %.*s=FOLDER or "
      "HEFT_PACKAGE_PATH",
      name, length, package, length, package);
  return NULL;
}

// Whether a file may be read: below the root or the folder of a package. A converted mesh also
// names files of its own folder, without a slash.
static int is_permitted(const Load* load, const SourceFile* base, const char* name,
                        const char* canonical, const char* allowed) {
  char folder[CANONICAL_SIZE];
  if (allowed && is_below(canonical, allowed)) return 1;
  if (base && base->converted && !strchr(name, '/')) return 1;
  for (int i = 0; i < load->def->package_count; ++i) {
    if (canonical_path(load->def->packages[i].folder, folder) && is_below(canonical, folder))
      return 1;
  }
  for (int i = 0; i < load->package_folders.count; ++i) {
    if (is_below(canonical, GROW_AT(load->package_folders, const char*, i))) return 1;
  }
  return 0;
}

// The path of a name, checked against root and package folders; NULL after a mistake. canonical:
// its canonical form, unless the program of the user has the files.
static const char* resolve(Load* load, Place from, const SourceFile* base_file, const char* folder,
                           const char* name, char canonical[CANONICAL_SIZE]) {
  const char* allowed = load->root;
  char allowed_canonical[CANONICAL_SIZE];
  const char* path = NULL;
  if (strncmp(name, "package://", 10) == 0) {
    const char* package_folder = NULL;
    path = package_path(load, from, name, &package_folder);
    if (!path) return NULL;
    allowed = canonical_path(package_folder, allowed_canonical) ? allowed_canonical : "";
  } else if (strncmp(name, "file://", 7) == 0) {
    path = name + 7;
  } else if (is_absolute(name)) {
    path = name;
  } else {
    const char* base = base_file ? base_file->path : "";
    const char* between = folder && folder[0] ? folder : "";
    const size_t length = strlen(between);
    const char* slash = length > 0 && between[length - 1] != '/' ? "/" : "";
    path = is_absolute(between) ? load_format(load, "%s%s%s", between, slash, name)
                                : load_format(load, "%.*s%s%s%s", (int)folder_length(base), base,
                                              between, slash, name);
  }
  if (!LOAD_OK(load) || load->def->files) return path;
  if (!canonical_path(path, canonical)) {
    load_fail(load, HEFT_ERR_FILE, from, "%s '%.200s'", read_file_reason(errno), path);
    return NULL;
  }
  if (!is_permitted(load, base_file, name, canonical, allowed)) {
    load_fail(
        load, HEFT_ERR_FILE, from,
        "'%.150s' lies outside of '%.150s', and files are read only below that; allow a folder "
        "higher up with --root",
        name, allowed ? allowed : "");
    return NULL;
  }
  return path;
}

static HeftStatus read_bytes(const Load* load, const char* path, const char* canonical,
                             void** bytes, size_t* size, HeftError* error) {
  const HeftLoadDef* def = load->def;
  const HeftAllocator* a = &load->allocator;
  const size_t limit = def->limits.file_bytes;
  if (def->files) return def->files->read(def->files->user, path, limit, a, bytes, size, error);
  return canonical ? read_file_without_links(bytes, size, canonical, path, limit, a, error)
                   : heft_file_read(bytes, size, path, limit, a, error);
}

// The file at a path; a file that is named again is not read again. canonical: the form that was
// checked; NULL for files that the user named.
static SourceFile* fetch(Load* load, Place from, const char* path, const char* canonical) {
  const NameEntry* known = name_table_find(&load->file_names, 0, path);
  if (known) return (SourceFile*)known->owner;
  SourceFile* file = LOAD_NEW(load, SourceFile);
  if (!file) return NULL;
  file->path = load_text(load, path, strlen(path));
  if (!file->path) return NULL;
  HeftError error = {0};
  void* bytes = NULL;
  HeftStatus status = read_bytes(load, path, canonical, &bytes, &file->size, &error);
  if (status == HEFT_OK && !bytes) status = HEFT_ERR_FILE;
  if (status != HEFT_OK) {
    if (!from.file) from.file = file;
    if (!error.message[0])
      snprintf(error.message, sizeof error.message, "cannot read '%.200s'", path);
    load_fail(load, status, from, "%s%s", error.message,
              status == HEFT_ERR_LIMIT ? "; raise the limit file_bytes" : "");
    return NULL;
  }
  file->owned = bytes;
  file->text = bytes;
  file->next = load->files;
  load->files = file;
  budget_grant(&load->budget, file->size);
  return load_name(load, &load->file_names, (NameEntry){.name = file->path, .owner = file}) ? file
                                                                                            : NULL;
}

// Prepares for a name in a file: the root is known. Returns 0 after a mistake.
static int has_root(Load* load, Place from, const SourceFile* base) {
  if (load->root || load->def->files || set_root(load, base ? base->path : from.file->path))
    return 1;
  load_fail(load, HEFT_ERR_FILE, from, "the folder of '%s' cannot be found", from.file->path);
  return 0;
}

const SourceFile* load_read(Load* load, Place from, const SourceFile* base, const char* folder,
                            const char* name) {
  if (!LOAD_OK(load)) return NULL;
  if (!from.file) {  // the user's own file: any path
    if (!load->def->files) set_root(load, name);
    return LOAD_OK(load) ? fetch(load, from, name, NULL) : NULL;
  }
  if (!has_root(load, from, base)) return NULL;
  char canonical[CANONICAL_SIZE];
  const char* path = resolve(load, from, base, folder, name, canonical);
  return path ? fetch(load, from, path, canonical) : NULL;
}

const SourceFile* load_convert(Load* load, Place from, const SourceFile* base, const char* name) {
  char out[PATH_SIZE] = "", canonical[CANONICAL_SIZE];
  HeftError error = {0};
  if (!LOAD_OK(load) || !has_root(load, from, base)) return NULL;
  const char* path = resolve(load, from, base, NULL, name, canonical);
  if (!path) return NULL;
  const HeftStatus status = load->def->convert(load->def->user, path, out, sizeof out, &error);
  if (status != HEFT_OK || !out[0]) {
    load_fail(load, status != HEFT_OK ? status : HEFT_ERR_FILE, from, "'%.150s': %s", name,
              error.message[0] ? error.message : "the mesh cannot be converted");
    return NULL;
  }
  out[sizeof out - 1] = '\0';
  SourceFile* file = fetch(load, from, out, NULL);
  if (!file) return NULL;
  file->converted = LOAD_NEW(load, SourceFile);
  if (!file->converted) return NULL;
  file->converted->path = path;
  return file;
}

const char* load_locate(Load* load, Place from, const SourceFile* base, const SourceFile* model,
                        const char* name) {
  char canonical[CANONICAL_SIZE];
  if (!LOAD_OK(load) || !has_root(load, from, base)) return NULL;
  const char* path = resolve(load, from, base, NULL, name, canonical);
  if (!path || load->def->files) return path;
  const size_t folder = folder_length(model->path);
  if (strncmp(path, model->path, folder) == 0 && !is_absolute(path + folder)) return path + folder;
  if (is_absolute(path)) return path;
  return load_text(load, canonical, strlen(canonical));
}
