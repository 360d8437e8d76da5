// SPDX-License-Identifier: Apache-2.0
#include "cache_folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fail.h"

enum { LONGEST = 2048 - 200 };

// Makes all folders of a path.
static int make_folders(char* path) {
  for (char* slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    const int made = mkdir(path, 0700) == 0 || errno == EEXIST;
    *slash = '/';
    if (!made) return 0;
  }
  return mkdir(path, 0700) == 0 || errno == EEXIST;
}

HeftStatus cache_folder(const char* kind, char* out, size_t size, HeftError* error) {
  const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  int length = 0;
  if (cache && cache[0] == '/') {
    length = snprintf(out, size, "%s/heft/%s", cache, kind);
  } else if (home && home[0] == '/') {
    length = snprintf(out, size, "%s/.cache/heft/%s", home, kind);
  } else {
    return fail_with(error, HEFT_ERR_FILE,
                     "there is no folder for computed %s; set XDG_CACHE_HOME or HOME", kind);
  }
  if (length < 0 || (size_t)length >= size || length > LONGEST)
    return fail_with(error, HEFT_ERR_FILE, "the path of the cache is too long; set XDG_CACHE_HOME");
  if (!make_folders(out))
    return fail_with(error, HEFT_ERR_FILE, "the cache '%.300s' cannot be made: %.80s", out,
                     strerror(errno));
  return HEFT_OK;
}
