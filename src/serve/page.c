// SPDX-License-Identifier: Apache-2.0
// A path has parts of letters, digits, '-', '_', '.' and '+' that do not begin with a dot, and one
// of the endings below. Links that lead out of the folder are not followed.
#define _XOPEN_SOURCE 700
#include "serve/page.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char* const types[][2] = {
    {".html", "text/html; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".mjs", "text/javascript; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".json", "application/json"},
    {".webmanifest", "application/manifest+json"},
    {".wasm", "application/wasm"},
    {".svg", "image/svg+xml"},
    {".png", "image/png"},
    {".jpg", "image/jpeg"},
    {".ico", "image/x-icon"},
    {".woff2", "font/woff2"},
    {".txt", "text/plain; charset=utf-8"},
    {".md", "text/plain; charset=utf-8"},
    {".xml", "text/xml; charset=utf-8"},
    {".urdf", "text/xml; charset=utf-8"},
    {".obj", "text/plain; charset=utf-8"},
    {".stl", "model/stl"},
    {".heft", "application/octet-stream"},
    {".zip", "application/zip"},
    {".map", "application/json"},
};

static int is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_' || c == '.' || c == '+';
}

// Parts between slashes; the last may be empty.
static int is_path(const char* path) {
  if (path[0] != '/') return 0;
  for (const char* c = path; *c; ++c) {
    if (*c == '/' ? c[1] == '/' || c[1] == '.' : !is_plain(*c)) return 0;
  }
  return 1;
}

static const char* type_of(const char* path) {
  const char* dot = strrchr(path, '.');
  if (!dot || strchr(dot, '/')) return NULL;
  for (size_t i = 0; i < sizeof types / sizeof *types; ++i) {
    if (strcmp(dot, types[i][0]) == 0) return types[i][1];
  }
  return NULL;
}

// Resolves links, and checks that the file is in the folder.
static int is_inside(const char* folder, const char* path) {
  char root[PATH_MAX], real[PATH_MAX];
  struct stat info;
  if (!realpath(folder, root) || !realpath(path, real)) return 0;
  const size_t length = strlen(root);
  return strncmp(real, root, length) == 0 && (real[length] == '/' || strcmp(root, "/") == 0) &&
         stat(real, &info) == 0 && S_ISREG(info.st_mode);
}

int page_find(const char* folder, const char* request, char* out, size_t size, const char** type) {
  const size_t length = strlen(request);
  if (!is_path(request)) return 0;
  const char* index = request[length - 1] == '/' ? "index.html" : "";
  const int n = snprintf(out, size, "%s%s%s", folder, request, index);
  if (n < 0 || (size_t)n >= size) return 0;
  *type = type_of(out);
  return *type && is_inside(folder, out);
}
