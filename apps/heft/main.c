// SPDX-License-Identifier: Apache-2.0
// The command heft: the table of verbs and the dispatch. Each verb has a file of its own.
#include <errno.h>
#include <heft/heft.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "features.h"
#include "names.h"
#include "verbs.h"

static const struct {
  const char *name, *text;
  int (*run)(int argc, char** argv);
} verbs[] = {
    {"bench", "measure the speed of Heft on this machine", heft_verb_bench},
    {"check", "check model files: errors and warnings with file, line and column", heft_verb_check},
    {"compare", "compare contact models on one scene: a table and a figure", heft_verb_compare},
    {"convert", "convert models to MJCF, URDF or the compiled format, meshes to OBJ",
     heft_verb_convert},
    {"devices", "list haptic devices, or test one", heft_verb_devices},
    {"emulate", "emulate a haptic device together with the hand that holds it", heft_verb_emulate},
    {"experiment", "repeat published experiments and report which claims hold",
     heft_verb_experiment},
    {"feel", "interact with a model through a haptic device", heft_verb_feel},
    {"generate", "write C for the dynamics of one model: kinematics, RNEA, CRBA",
     heft_verb_generate},
    {"hold", "how far bodies are from slipping or tipping, and the push that does it",
     heft_verb_hold},
    {"identify", "find friction, gears, stiffness and calibrations from a log", heft_verb_identify},
    {"info", "print the contents of a model: sizes, masses, tree of bodies", heft_verb_info},
    {"judge", "judge a trajectory: torques, ranges, friction, balance", heft_verb_judge},
    {"render", "draw a model into a picture or a video", heft_verb_render},
    {"replay", "replay a recorded session and compare the bits of every step", heft_verb_replay},
    {"run", "simulate a model; report speed, contacts and residuals", heft_verb_run},
    {"serve", "show a simulation to browsers; users with a token pull and push", heft_verb_serve},
    {"solve", "solve contact problems from files and certify the solutions", heft_verb_solve},
    {"sweep", "compute, draw and replay many runs that differ in some numbers", heft_verb_sweep},
    {"validate", "compare Heft, and other engines, with exact solutions", heft_verb_validate},
    {"view", "open a window: watch, pause, rewind, pull bodies, see forces", heft_verb_view},
    {"work", "compute chunks of sweeps from a queue, on any number of machines", heft_verb_work},
};
static const int verb_count = (int)(sizeof verbs / sizeof *verbs);

static void print_head(FILE* out) {
  fprintf(out, "heft %s: dynamic simulator for multibody systems with exact Coulomb friction\n\n",
          heft_version());
  fprintf(out, "usage: heft VERB [ARGUMENTS]\n\n");
}

// The verbs of a newcomer.
static void print_front(FILE* out) {
  static const char* const front[][2] = {
      {"view walk", "a window: a robot walks; pull it, pause, rewind, see forces"},
      {"run quadruped", "simulate, and report speed, contacts and residuals"},
      {"check ROBOT.urdf", "errors and warnings of your file, with line and column"},
      {"hold table", "will it slip or tip, and which push does it?"},
      {"judge ROBOT T.csv", "is a trajectory possible: torques, ranges, friction, balance"}};
  print_head(out);
  for (size_t i = 0; i < sizeof front / sizeof *front; ++i)
    fprintf(out, "  heft %-17s %s\n", front[i][0], front[i][1]);
  fprintf(out,
          "\n'heft help all' lists all %d verbs, 'heft help VERB' the options of one,\n"
          "'heft info --list' the models that are found by name.\n",
          verb_count);
}

static void print_help(FILE* out) {
  print_head(out);
  for (int i = 0; i < verb_count; ++i) fprintf(out, "  %-10s %s\n", verbs[i].name, verbs[i].text);
  fprintf(out,
          "\n'heft VERB --help' lists the options of a verb, 'heft --version' prints the version,\n"
          "'heft --version --verbose' also what was built in.\n"
          "Values follow their option: --time 2, or --time=2.\n");
}

static const char* verb_name(const void* from, int index) {
  (void)from;
  return verbs[index].name;
}

static int unknown(const char* name) {
  char hint[400];
  fprintf(stderr, "heft: error: unknown verb '%s'; %s\n", name,
          heft_names_hint((HeftNames){verb_name, NULL, verb_count}, name, hint, sizeof hint));
  return 2;
}

// "--name=value" becomes two arguments. Returns the new list, to be freed, and its length; NULL if
// there is no memory.
static char** split_options(int* argc, char** argv) {
  char** out = calloc(2 * (size_t)*argc + 1, sizeof *out);
  int count = 0;
  if (!out) return NULL;
  for (int i = 0; i < *argc; ++i) {
    out[count++] = argv[i];
    char* equals = strncmp(argv[i], "--", 2) == 0 ? strchr(argv[i], '=') : NULL;
    if (!equals) continue;
    *equals = '\0';
    out[count++] = equals + 1;
  }
  *argc = count;
  return out;
}

static int call_verb(int argc, char** argv) {
  for (int i = 0; i < verb_count; ++i) {
    if (strcmp(verbs[i].name, argv[0]) == 0) return verbs[i].run(argc, argv);
  }
  return unknown(argv[0]);
}

// heft help, heft help all, heft help VERB
static int help(int argc, char** argv) {
  if (argc > 2 && strcmp(argv[2], "all") != 0) {
    char option[] = "--help", *words[] = {argv[2], option, NULL};
    return call_verb(2, words);
  }
  if (argc > 2) {
    print_help(stdout);
  } else {
    print_front(stdout);
  }
  return 0;
}

static int run_verb(int argc, char** argv) {
  if (argc < 2) {
    print_front(stderr);
    return 2;
  }
  if (strcmp(argv[1], "help") == 0) return help(argc, argv);
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
    print_help(stdout);
    return 0;
  }
  if (strcmp(argv[1], "--version") == 0) {
    printf("heft %s\n", heft_version());
    if (argc > 2 && strcmp(argv[2], "--verbose") == 0) heft_print_features();
    return 0;
  }
  return call_verb(argc - 1, argv + 1);
}

// 1 if the standard output is a pipe whose reader has seen enough, which is no failure.
static int reader_has_left(void) {
  struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
  return poll(&out, 1, 0) > 0 && (out.revents & POLLERR) != 0;
}

int main(int argc, char** argv) {
  signal(SIGXFSZ, SIG_IGN);  // a file that becomes too large is an error with a message
  char** list = split_options(&argc, argv);
  if (!list) {
    fprintf(stderr, "heft: error: not enough memory\n");
    return 1;
  }
  const int result = run_verb(argc, list);
  free(list);
  if ((fflush(stdout) == 0 && !ferror(stdout)) || reader_has_left()) return result;
  fprintf(stderr, "heft: error: the output is not complete: %s\n", strerror(errno));
  return result ? result : 1;
}
