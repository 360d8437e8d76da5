// SPDX-License-Identifier: Apache-2.0
// Runs a fuzz target without libFuzzer, with any compiler: once for each file of the folders given,
// and once for each beginning of a file (up to a length), since cut input is the commonest damage.
// With --whole as the first argument, files alone.
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum { MAX_BEGINNINGS = 512, SKIPPED = 77 };

// From a block of exactly this size, so that a sanitizer sees reads beyond its end.
static void run(const uint8_t* data, size_t size) {
  uint8_t* copy = malloc(size > 0 ? size : 1);
  if (!copy) exit(1);
  if (size > 0) memcpy(copy, data, size);
  LLVMFuzzerTestOneInput(copy, size);
  free(copy);
}

static int run_file(const char* path, int beginnings) {
  FILE* file = fopen(path, "rb");
  if (!file) return 0;
  fseek(file, 0, SEEK_END);
  const long length = ftell(file);
  rewind(file);
  uint8_t* data = length >= 0 ? malloc((size_t)length + 1) : NULL;
  const int whole = data && fread(data, 1, (size_t)length, file) == (size_t)length;
  fclose(file);
  if (whole) {
    for (long part = 0; part < length && part < beginnings; ++part) run(data, (size_t)part);
    run(data, (size_t)length);
  }
  free(data);
  return whole;
}

static int by_name(const void* a, const void* b) {
  return strcmp(*(char* const*)a, *(char* const*)b);
}

// Files in the order of their names, so that two runs do the same. Returns how many, or -1.
static int run_folder(const char* folder, int beginnings) {
  DIR* dir = opendir(folder);
  if (!dir) return 0;
  char** names = NULL;
  int count = 0, good = 1;
  for (struct dirent* entry; (entry = readdir(dir)) != NULL;) {
    if (entry->d_name[0] == '.') continue;
    char** more = realloc(names, (size_t)(count + 1) * sizeof *names);
    const size_t size = strlen(folder) + strlen(entry->d_name) + 2;
    char* path = more ? malloc(size) : NULL;
    if (!path) exit(1);
    snprintf(path, size, "%s/%s", folder, entry->d_name);
    names = more;
    names[count++] = path;
  }
  closedir(dir);
  if (count > 0) qsort(names, (size_t)count, sizeof *names, by_name);
  for (int i = 0; i < count; ++i) {
    if (good && !run_file(names[i], beginnings)) {
      fprintf(stderr, "%s cannot be read\n", names[i]);
      good = 0;
    }
    free(names[i]);
  }
  free(names);
  return good ? count : -1;
}

int main(int argc, char** argv) {
  int total = 0;
  const int whole = argc > 1 && strcmp(argv[1], "--whole") == 0;
  for (int i = 1 + whole; i < argc; ++i) {
    const int count = run_folder(argv[i], whole ? 0 : MAX_BEGINNINGS);
    if (count < 0) return 1;
    total += count;
  }
  printf("%d files\n", total);
  return total > 0 ? 0 : SKIPPED;
}
