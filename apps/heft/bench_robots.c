// SPDX-License-Identifier: Apache-2.0
// heft bench robots: where the robots of the benchmarks come from, so that a stranger can repeat
// the figures of docs/manual/speed.md, and whether a folder has the same bytes. A folder of meshes
// has one hash: that of the lines which sha256sum prints of its files, sorted by name.
#define _XOPEN_SOURCE 700  // lstat
#include <dirent.h>
#include <heft/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "json_rows.h"
#include "sweep/sha256.h"
#include "verbs.h"

static const char help[] =
    "usage: heft bench robots [FOLDER]\n"
    "Lists the public sources of the third-party robots of 'heft bench motion', and compares the "
    "files\n"
    "of FOLDER (default: HEFT_ROBOTS) with them by SHA-256; a folder of meshes by that of the "
    "lines of\n"
    "'find . -type f | LC_ALL=C sort | xargs sha256sum'. Exit code: 0 if all files are the "
    "published\n"
    "ones, else 1, with the commands that fetch them.\n";

enum { MENAGERIE, MUJOCO, SOURCES, FILE_MAX = 1 << 24, LIST_MAX = 128, DEPTH_MAX = 4 };

static const struct {
  const char *repository, *commit, *folder, *to;  // folder of the repository, and where it goes
} sources[SOURCES] = {{"https://github.com/google-deepmind/mujoco_menagerie",
                       "affef0836947b64cc06c4ab1cbf0152835693374", "", "mjcf"},
                      {"https://github.com/google-deepmind/mujoco",
                       "a7255075b003506ff5f34b512d88e02df12a73c6", "/model", "mjcf/mujoco"}};

static const struct {
  int source;
  const char *file, *sha256;  // below mjcf; a folder ends with /
} files[] = {
    {MENAGERIE, "unitree_g1/scene.xml",
     "84af0557b8df2fbc7d02691425a5c5daa0d6f03900dcefc956a567f5b0c3ff0a"},
    {MENAGERIE, "unitree_g1/g1.xml",
     "04b0a6d0a4359bb954174457fd5cb680f187f7a1648609a014cf9e906ffd98ff"},
    {MENAGERIE, "unitree_g1/scene_with_hands.xml",
     "946feab58cac07d7ec0c94ba8dd6d4b33fdde65abbc6305bbdea590ca47bd2a5"},
    {MENAGERIE, "unitree_g1/g1_with_hands.xml",
     "937f77cc991be13e68a4de239a966aaf2d98ff47b7d336f0c2270c34800a6a9c"},
    {MENAGERIE, "unitree_g1/assets/",
     "d524805a0a1afc3baf9294fe6c669ebc2fb89c3866df6c7ab4621b939e28c7e4"},
    {MENAGERIE, "unitree_h1/scene.xml",
     "7d8b24f1148af2f3c5cf32975dbd84d6ca3b726f2d308047f8c4e67ed3e6689d"},
    {MENAGERIE, "unitree_h1/h1.xml",
     "bdc9924af79cec7a4fe70a864abec2f97b418d4e8a573683b8a3949f00382455"},
    {MENAGERIE, "unitree_h1/assets/",
     "bdbae46dddcfb2e788ddfb61a2bc172eed10d8bc49af77c70e70ecae4c3ced3d"},
    {MENAGERIE, "agility_cassie/scene.xml",
     "a5703f617209bac202c0492e84277f7d912095bfa914f8a2f0486b34712755b0"},
    {MENAGERIE, "agility_cassie/cassie.xml",
     "e289be0d71d1070edf0b44abea6f7ec619d58631b7d3ce2d62809791784d6b3a"},
    {MENAGERIE, "agility_cassie/assets/",
     "90f1298580ecc2be5f165493a871853531b896291e7178e7a4b9faa8bc6da419"},
    {MENAGERIE, "pal_talos/scene_position.xml",
     "b4edd6ee1df9cbc26fa0fc843256b1d9ace19f68701bcbf20a009bdff88160a2"},
    {MENAGERIE, "pal_talos/talos_position.xml",
     "a7512b4df5e76af0aa2bb1add7c09aa0ff9d96e4c2d283d114daa13a082b1e6f"},
    {MENAGERIE, "pal_talos/scene_motor.xml",
     "9cc72e7f8739607753e270b93a1bd99d00536be8afc77ddb1bd6774231742f3d"},
    {MENAGERIE, "pal_talos/talos_motor.xml",
     "d6f83a3eacdf0470e34d7292e2087ac067fdbd6201044a200cf1babdff487904"},
    {MENAGERIE, "pal_talos/talos.xml",
     "860b8a1c279ae7b0ed591d024fb217a68b53fb69f39cbd618181aa1923e6e382"},
    {MENAGERIE, "pal_talos/assets/",
     "3c1e2df0367ee0499f82de27d4bb7a441ac6d4441e733b8a2cfc5cc3a0640eb8"},
    {MENAGERIE, "iit_softfoot/scene.xml",
     "285a478bc271b4a46aa9c578066e5835c2cec36ce8d7c95f0c0bff7ebb414cd0"},
    {MENAGERIE, "iit_softfoot/softfoot.xml",
     "e11140187778ac2a9c3c79387532be325cd7cdecdcbd880fe070a5c7c7d65de2"},
    {MENAGERIE, "iit_softfoot/meshes/",
     "5312a3f11ad536b1369baebcb6d41059ce06c08939069f9723d12d9033dd7323"},
    {MENAGERIE, "shadow_hand/scene_left.xml",
     "9371cf27a9efea9335f40ccebd70d18ca0b16b297b22e8d84aba6f978f8cacff"},
    {MENAGERIE, "shadow_hand/left_hand.xml",
     "f095444438615241361bcac3495f797cda81fdd30cab18dd3de905ef1ac28cf4"},
    {MENAGERIE, "shadow_hand/scene_right.xml",
     "42908bd8df9b6a8b37eb230089db203b5260d8c5a477062b953bf64e8448913d"},
    {MENAGERIE, "shadow_hand/right_hand.xml",
     "ac14d09dd12b62c3ca62233d0ac646101cc718146dda76e26d0b993a91abf399"},
    {MENAGERIE, "shadow_hand/assets/",
     "4e7bdda95f463c53791c6086930fca6e20957d857fc63c469d53409404bf1384"},
    {MUJOCO, "mujoco/humanoid/humanoid.xml",
     "acc9167550bf20580717a551467e6e8d0d03d1916d24bbe4b734ce11afb99406"},
    {MUJOCO, "mujoco/humanoid/22_humanoids.xml",
     "21e9c4f8e327e88999b4d33c6a52acf83f232ae0cd740bf6f91e89c601925ed3"},
    {MUJOCO, "mujoco/humanoid/100_humanoids.xml",
     "978c3611ac90cc3ca1edf7bab68f2316d1d40faebf24201e9cd44b62565db06e"},
    {MUJOCO, "mujoco/replicate/bunnies.xml",
     "4fdd01b72b06a79f83e3e553183a51d0622c9e61a7404ad61094b85081d74fe9"},
    {MUJOCO, "mujoco/replicate/bunny.obj",
     "c93e4a6fc6423194ff8b24de372d0a0632264290302a11d391f832313a0d55ef"},
    {MUJOCO, "mujoco/replicate/container.xml",
     "a94c4109760dadebc869a1e81c18f2ad60641b59c07b4b1a960b16cfdf5ba444"},
};
enum { FILES = sizeof files / sizeof *files };

// The hash of a file. 0: it cannot be read.
static int hash_file(const char* path, char out[65]) {
  void* bytes = NULL;
  size_t size = 0;
  HeftError error = {0};
  const HeftAllocator a = heft_allocator_default();
  if (heft_file_read(&bytes, &size, path, FILE_MAX, &a, &error) != HEFT_OK) return 0;
  Sha256 hash = sha256_begin();
  sha256_add(&hash, bytes, size);
  sha256_text(&hash, out);
  a.release(a.user, bytes, size + 1);
  return 1;
}

typedef struct FileList {
  char path[LIST_MAX][200];  // in the folder, from "./" on
  int count;
} FileList;

// Adds the files below folder/inside. 0: there are too many, or they cannot be read.
static int list_files(FileList* f, const char* folder, const char* inside, int depth) {
  char path[1200], name[200];
  struct stat info;
  snprintf(path, sizeof path, "%.900s%.190s", folder, inside);
  DIR* list = opendir(path);
  int good = list != NULL;
  for (struct dirent* e = good ? readdir(list) : NULL; e && good; e = readdir(list)) {
    if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
    const int length = snprintf(name, sizeof name, "%s/%s", inside, e->d_name);
    snprintf(path, sizeof path, "%.900s%.190s", folder, name);
    good = length < (int)sizeof name && lstat(path, &info) == 0;
    if (good && S_ISDIR(info.st_mode))
      good = depth < DEPTH_MAX && list_files(f, folder, name, depth + 1);
    else if (good && (good = f->count < LIST_MAX) != 0)
      memcpy(f->path[f->count++], name, sizeof name);
  }
  if (list) closedir(list);
  return good;
}

static int by_name(const void* a, const void* b) { return strcmp(a, b); }

// The hash of the lines that sha256sum prints of all files in a folder, whose path ends with '/'.
static int hash_folder(const char* folder, char out[65]) {
  FileList* f = calloc(1, sizeof *f);
  char path[1200], line[300], of_file[65];
  Sha256 hash = sha256_begin();
  int good = f && list_files(f, folder, ".", 0) && f->count > 0;
  if (good) qsort(f->path, (size_t)f->count, sizeof *f->path, by_name);
  for (int i = 0; good && i < f->count; ++i) {
    snprintf(path, sizeof path, "%.900s%s", folder, f->path[i]);
    good = hash_file(path, of_file);
    sha256_add(&hash, line,
               (size_t)snprintf(line, sizeof line, "%.64s  %s\n", of_file, f->path[i]));
  }
  if (good) sha256_text(&hash, out);
  free(f);
  return good;
}

static const char* compare(const char* folder, int i) {
  char path[1000], found[65];
  const size_t length = strlen(files[i].file);
  snprintf(path, sizeof path, "%.800s/mjcf/%s", folder ? folder : "", files[i].file);
  const int is_folder = files[i].file[length - 1] == '/';
  if (!folder || !(is_folder ? hash_folder(path, found) : hash_file(path, found))) return "missing";
  return strcmp(found, files[i].sha256) == 0 ? "as published" : "differs";
}

static void print_commands(void) {
  printf("\nTo fetch them into the folder robots:\n");
  for (int s = 0; s < SOURCES; ++s) {
    const char* name = strrchr(sources[s].repository, '/') + 1;
    printf("  git clone %s && git -C %s checkout %s\n", sources[s].repository, name,
           sources[s].commit);
    printf("  mkdir -p robots/%s && cp -r %s%s/. robots/%s\n", sources[s].to, name,
           sources[s].folder, sources[s].to);
  }
  printf("  HEFT_ROBOTS=$PWD/robots heft bench motion\n");
}

int heft_bench_robots(int argc, char** argv) {
  const char* folder = argc > 1 ? argv[1] : getenv("HEFT_ROBOTS");
  int wrong = 0;
  if (argc > 1 && strcmp(argv[1], "--help") == 0) {
    printf("%s", help);
    return 0;
  }
  if (argc > 2 || (folder && folder[0] == '-')) {
    fprintf(stderr,
            "heft bench robots: error: expected one folder; try 'heft bench robots --help'\n");
    return 2;
  }
  for (int i = 0; i < FILES; ++i) {
    const char* state = compare(folder, i);
    wrong += strcmp(state, "as published") != 0;
    if (i == 0 || files[i].source != files[i - 1].source)
      printf("%s\n  commit %s\n", sources[files[i].source].repository,
             sources[files[i].source].commit);
    printf("  %-36s %.16s  %s\n", files[i].file, files[i].sha256, state);
    json_row_begin(files[i].file);
    json_row_text("repository", sources[files[i].source].repository);
    json_row_text("commit", sources[files[i].source].commit);
    json_row_text("sha256", files[i].sha256);
    json_row_text("state", state);
    json_row_end();
  }
  printf("%d of %d files and folders as published\n", FILES - wrong, FILES);
  if (wrong > 0) print_commands();
  return wrong > 0;
}
