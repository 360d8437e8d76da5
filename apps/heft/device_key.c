// SPDX-License-Identifier: Apache-2.0
#define _DEFAULT_SOURCE  // explicit_bzero
#define _POSIX_C_SOURCE 200809L
#include "device_key.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "fail.h"

enum { KEY_TEXT = 160 };

const char device_key_help[] =
    "\n"
    "Keys of UDP addresses do not belong on the command line, where 'ps' shows them. They come "
    "from\n"
    "a file that only its owner can read, udp:IP:PORT,key-file=FILE, or from the environment:\n"
    "HEFT_UDP_KEY_FILE names a file, HEFT_UDP_KEY is the key. To make one:\n"
    "  (umask 077; od -An -tx1 -N32 /dev/urandom | tr -d ' \\n' >heft.key)\n";

static HeftStatus read_key_file(const char* path, char key[KEY_TEXT], HeftError* error) {
  struct stat info;
  const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    return fail_with(error, HEFT_ERR_FILE, "the file of the key '%.200s': %s", path,
                     strerror(errno));
  const int regular = fstat(file, &info) == 0 && S_ISREG(info.st_mode);
  const int closed = regular && (info.st_mode & 077) == 0;
  const ssize_t length = closed ? read(file, key, KEY_TEXT - 1) : -1;
  close(file);
  if (!regular) return fail_with(error, HEFT_ERR_FILE, "'%.200s' is not a regular file", path);
  if (!closed)
    return fail_with(error, HEFT_ERR_FILE,
                     "others can read the key in '%.200s' (mode %03o): run chmod 600 on it", path,
                     (unsigned)info.st_mode & 0777);
  if (length < 0) return fail_with(error, HEFT_ERR_FILE, "'%.200s': %s", path, strerror(errno));
  key[length] = '\0';
  key[strcspn(key, " \t\r\n")] = '\0';
  if (!key[0]) return fail_with(error, HEFT_ERR_FILE, "'%.200s' contains no key", path);
  return HEFT_OK;
}

// Copies the options without the file of the key, and that file.
static void split_options(const char* at, char* rest, size_t rest_size, char* file,
                          size_t file_size) {
  static const char name[] = "key-file=";
  rest[0] = file[0] = '\0';
  while (*at == ',') {
    const size_t length = strcspn(++at, ",");
    if (strncmp(at, name, sizeof name - 1) == 0) {
      const size_t skip = sizeof name - 1;
      snprintf(file, file_size, "%.*s", (int)(length - skip), at + skip);
    } else {
      const size_t used = strlen(rest);
      snprintf(rest + used, rest_size - used, ",%.*s", (int)length, at);
    }
    at += length;
  }
}

// A process with a key has no core dump, wherever libraries copy the key to.
static void leave_no_core(void) {
#ifdef __linux__
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#endif
}

HeftStatus device_key_address(const char* address, char* out, size_t size, HeftError* error) {
  char rest[1024], file[1024], key[KEY_TEXT] = "";
  if (strlen(address) >= sizeof rest)
    return fail_with(error, HEFT_ERR_LIMIT, "the address is too long");
  if (strchr(address, '#'))
    return fail_with(
        error, HEFT_ERR_VALUE,
        "a key on the command line is visible to all users of this machine ('ps'): write "
        "it to a file, chmod 600, and name the file behind the port, as in "
        "udp:7470,key-file=FILE, or set HEFT_UDP_KEY or HEFT_UDP_KEY_FILE. Then make a new "
        "key, since this one was seen");
  const size_t place = strcspn(address, ",");
  split_options(address + place, rest, sizeof rest, file, sizeof file);
  const char *variable = getenv("HEFT_UDP_KEY"), *named = getenv("HEFT_UDP_KEY_FILE");
  const char* path = file[0] ? file : named && named[0] ? named : NULL;
  HeftStatus status = HEFT_OK;
  if (path) {
    status = read_key_file(path, key, error);
  } else if (variable) {
    snprintf(key, sizeof key, "%s", variable);
  }
  if (status != HEFT_OK) return status;
  if (key[0]) leave_no_core();
  const int length =
      snprintf(out, size, "%.*s%s%s%s", (int)place, address, key[0] ? "#" : "", key, rest);
  explicit_bzero(key, sizeof key);
  return length >= 0 && (size_t)length < size
             ? HEFT_OK
             : fail_with(error, HEFT_ERR_LIMIT, "the address is too long");
}
