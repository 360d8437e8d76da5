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

// next: what a person may do after it, printed on a terminal; NULL: nothing.
static const struct {
  const char *name, *text;
  int (*run)(int argc, char** argv);
  const char* next;
} verbs[] = {
    {"bench", "measure the speed of Heft on this machine", heft_verb_bench,
     "'--json' keeps the figures; 'heft bench' lists the other benchmarks"},
    {"check", "check model files: errors and warnings with file, line and column", heft_verb_check,
     "'heft run FILE' simulates it, 'heft view FILE' shows it"},
    {"compare", "compare contact models on one scene: a table and a figure", heft_verb_compare,
     "open the figure; 'heft hold FILE' prints how far it is from slipping"},
    {"convert", "convert models to MJCF, URDF or the compiled format, meshes to OBJ",
     heft_verb_convert, "'heft check TO' reads what was written"},
    {"devices", "list haptic devices, or test one", heft_verb_devices, NULL},
    {"diff", "where two runs of one robot part, and why", heft_verb_diff, NULL},
    {"emulate", "emulate a haptic device together with the hand that holds it", heft_verb_emulate,
     NULL},
    {"experiment", "repeat published experiments and report which claims hold",
     heft_verb_experiment, NULL},
    {"feel", "interact with a model through a haptic device", heft_verb_feel, NULL},
    {"generate", "write C for the dynamics of one model: kinematics, RNEA, CRBA",
     heft_verb_generate, NULL},
    {"hold", "how far bodies are from slipping or tipping, and the push that does it",
     heft_verb_hold, NULL},
    {"identify", "find friction, gears, stiffness and calibrations from a log", heft_verb_identify,
     "'--plot fit.svg' draws the fit"},
    {"info", "print the contents of a model: sizes, masses, tree of bodies", heft_verb_info, NULL},
    {"judge", "judge a trajectory, or the log of a simulation by any engine", heft_verb_judge,
     "'--figure judge.svg' draws the shares of the limits over time"},
    {"optimise", "search for a motion that a robot can do with what it carries", heft_verb_optimise,
     "'heft judge MODEL MASS-motion.csv' prints the verdict row by row"},
    {"predict", "probabilities of events from a sweep, and whether they are right",
     heft_verb_predict, "'--observed FILE.csv' compares them with what happened"},
    {"render", "draw a model into a picture or a video", heft_verb_render,
     "'heft view FILE' opens it in a window, to be pulled and rewound"},
    {"replay", "replay a recorded session and compare the bits of every step", heft_verb_replay,
     NULL},
    {"run", "simulate a model; report speed, contacts and residuals", heft_verb_run,
     "'heft view FILE' shows it, '--log run.mcap' keeps it for plots and 'heft view run.mcap'"},
    {"serve", "show a simulation to browsers; users with a token pull and push", heft_verb_serve,
     NULL},
    {"solve", "solve contact problems from files and certify the solutions", heft_verb_solve, NULL},
    {"sweep", "compute, draw and replay many runs that differ in some numbers", heft_verb_sweep,
     "'heft sweep show FOLDER' draws what the results depend on"},
    {"validate", "compare Heft, and other engines, with exact solutions", heft_verb_validate,
     "'heft validate --peers' compares other engines with the same answers"},
    {"view", "open a window: watch, pause, rewind, pull bodies, see forces", heft_verb_view,
     "'heft render FILE OUT.mp4' makes a film, 'heft serve FILE' shows it in a browser"},
    {"why", "what slipped, tipped or came off in a run, and why", heft_verb_why, NULL},
    {"work", "compute chunks of sweeps from a queue, on any number of machines", heft_verb_work,
     NULL},
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

// Whether a person reads the answer of a verb, not a program, and is not done with it by help.
static int is_for_person(int argc, char** argv) {
  static const char* const others[] = {"--json", "--csv", "--quiet", "--list", "--help", "-h"};
  for (int i = 1; i < argc; ++i)
    for (size_t k = 0; k < sizeof others / sizeof *others; ++k)
      if (strcmp(argv[i], others[k]) == 0) return 0;
  return isatty(STDERR_FILENO);
}

static int call_verb(int argc, char** argv) {
  for (int i = 0; i < verb_count; ++i) {
    if (strcmp(verbs[i].name, argv[0]) != 0) continue;
    const int person = is_for_person(argc, argv);  // verbs change the list
    const int code = verbs[i].run(argc, argv);
    if (code == 0 && verbs[i].next && person) {
      fflush(stdout);
      fprintf(stderr, "next: %s\n", verbs[i].next);
    }
    return code;
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
