// SPDX-License-Identifier: Apache-2.0
// heft: the command. This file knows the verbs; everything else is theirs.
#include <heft/heft.h>
#include <stdio.h>
#include <string.h>

#include "names.h"
#include "verbs.h"

static const struct {
  const char *name, *text;
  int (*run)(int argc, char** argv);
} verbs[] = {
    {"bench", "measure how fast Heft is on this machine", heft_verb_bench},
    {"check", "say whether model files are sound", heft_verb_check},
    {"compare", "run a model under several contact models, as a table and a figure",
     heft_verb_compare},
    {"convert", "turn models into MJCF, URDF or the compiled form, and meshes into OBJ",
     heft_verb_convert},
    {"devices", "list haptic devices and look whether one is well", heft_verb_devices},
    {"emulate", "stand for a haptic device, in a hand that is worked out", heft_verb_emulate},
    {"feel", "reach into a model with a haptic device", heft_verb_feel},
    {"experiment", "run experiments of the literature and report which claims hold",
     heft_verb_experiment},
    {"info", "tell what is in a model", heft_verb_info},
    {"render", "make a picture or a video of a model", heft_verb_render},
    {"replay", "live a recorded session again, bit for bit", heft_verb_replay},
    {"run", "step a model through time and say how exact the contacts were", heft_verb_run},
    {"solve", "solve contact problems and certify the answers", heft_verb_solve},
    {"validate", "put questions with known answers to Heft, and to others", heft_verb_validate},
    {"view", "open a window on a model: watch, pause, rewind, pull, see the forces",
     heft_verb_view},
};
static const int verb_count = (int)(sizeof verbs / sizeof *verbs);

static void print_help(FILE* out) {
  fprintf(out, "heft %s: simulates robots and other bodies, with exact Coulomb friction\n\n",
          heft_version());
  fprintf(out, "usage: heft VERB [ARGUMENTS]\n\n");
  for (int i = 0; i < verb_count; ++i) fprintf(out, "  %-10s %s\n", verbs[i].name, verbs[i].text);
  fprintf(out, "\n'heft VERB --help' tells more about a verb, 'heft --version' the version.\n");
}

static const char* verb_name(const void* from, int index) {
  (void)from;
  return verbs[index].name;
}

static int unknown(const char* name) {
  char hint[400];
  fprintf(stderr, "heft: there is no verb '%s'; %s\n", name,
          names_hint(name, (Names){verb_name, NULL, verb_count}, hint, sizeof hint));
  return 2;
}

int main(int argc, char** argv) {
  if (argc < 2) {
    print_help(stderr);
    return 2;
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
      strcmp(argv[1], "help") == 0) {
    print_help(stdout);
    return 0;
  }
  if (strcmp(argv[1], "--version") == 0) {
    printf("heft %s\n", heft_version());
    return 0;
  }
  for (int i = 0; i < verb_count; ++i) {
    if (strcmp(verbs[i].name, argv[1]) == 0) return verbs[i].run(argc - 1, argv + 1);
  }
  return unknown(argv[1]);
}
