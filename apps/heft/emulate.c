// SPDX-License-Identifier: Apache-2.0
// heft emulate: emulated devices, for tests of programs that use haptic devices.
#define _DEFAULT_SOURCE  // explicit_bzero
#define _POSIX_C_SOURCE 200809L
#include "emulate/emulate.h"
#include <errno.h>
#include <heft/heft.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arguments.h"
#include "data_folder.h"
#include "device_key.h"
#include "end_signals.h"
#include "maker_library.h"
#include "names.h"
#include "option_names.h"
#include "verbs.h"

static const char help[] =
    "usage: heft emulate KIND[:ADDRESS] [OPTIONS] [-- COMMAND...]\n"
    "Emulates a haptic device and the hand that holds it. The device has mass, friction and "
    "encoders;\n"
    "the hand follows a script. Programs connect to it as to the real device.\n"
    "Runs until Ctrl-C, or until COMMAND ends; then its exit code is the exit code of COMMAND.\n"
    "\n"
    "  --hand MODEL[,NAME=NUMBER...][:SCRIPT]\n"
    "                         device model, changed parameters, and the path of the hand: points "
    "of\n"
    "                         time, x, y, z and buttons, separated by ';', for example\n"
    "                         'touch,friction=0.5:0 0 0 0; 1 0 0 -0.02' (seconds and metres).\n"
    "                         Models: ideal, touch, inverse3, omega, joystick, spacemouse.\n"
    "                         Parameters of the device: mass, damping, friction, resolution, "
    "force,\n"
    "                         rate. Of the hand: hand-mass, hand-stiffness, hand-damping. Of the\n"
    "                         link: delay, jitter, loss, seed.\n"
    "  --time SECONDS         disconnect the device after this time; COMMAND continues\n"
    "  --quiet                print nothing\n"
    "\n"
    "Kinds:\n";

typedef struct Options {
  const char *kind, *address, *hand;
  char name[32];
  double time;
  int quiet;
  char** command;  // NULL: none
} Options;

static volatile sig_atomic_t ended;

static void end_it(int signal_number) {
  (void)signal_number;
  ended = 1;
}

static void print_help(void) {
  printf("%s", help);
  for (int i = 0; heft_stand_in_at(i); ++i) {
    const HeftStandIn* s = heft_stand_in_at(i);
    printf("  %-12s %s\n", s->name, s->text);
    if (s->address[0]) printf("  %-12s address: %s\n", "", s->address);
  }
  for (int i = 0; maker_library(i); ++i)
    printf("  %-12s %s\n", maker_library(i)->driver, maker_library(i)->text);
  printf(
      "\nThe last four are shared libraries. Environment variables lead COMMAND to them; without\n"
      "COMMAND the lines that set these variables are printed.\n");
}

// ---- options

// 1: continue, 0: wrong (reported), 2: help requested.
static int read_options(Options* o, int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "--help") == 0) return 2;
    if (strcmp(argv[i], "--") == 0) {
      o->command = i + 1 < argc ? argv + i + 1 : NULL;
      break;
    }
    if (strcmp(argv[i], "--quiet") == 0) {
      o->quiet = 1;
    } else if (strcmp(argv[i], "--hand") == 0 && i + 1 < argc) {
      o->hand = argv[++i];
    } else if (strcmp(argv[i], "--time") == 0 && i + 1 < argc) {
      if (!arguments_positive("emulate", argv[++i], &o->time)) return 0;
    } else if (argv[i][0] == '-' || o->kind) {
      return option_names_wrong("emulate", help, "", argv[i]);
    } else {
      o->kind = argv[i];
    }
  }
  if (!o->kind) {
    fprintf(stderr,
            "heft emulate: error: the kind of device is missing; try 'heft emulate --help'\n");
    return 0;
  }
  const size_t length = strcspn(o->kind, ":");
  snprintf(o->name, sizeof o->name, "%.*s", (int)(length < 31 ? length : 31), o->kind);
  o->address = o->kind[length] ? o->kind + length + 1 : "";
  return 1;
}

// ---- the command of the user

static pid_t start_command(char** command) {
  const pid_t child = fork();
  if (child != 0) return child;
  execvp(command[0], command);
  fprintf(stderr, "heft emulate: error: %s: %s\n", command[0], strerror(errno));
  _exit(127);
}

static int status_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 1; }

// ---- kinds that serve

static void live(const HeftStandIn* kind, HeftEmulated* self, const Options* o, pid_t child,
                 int* status) {
  const uint64_t start = heft_clock_ns();
  while (!ended) {
    const uint64_t now = heft_clock_ns();
    if (o->time > 0 && (double)(now - start) * 1e-9 > o->time) break;
    kind->turn(self, now);
    struct pollfd p = {.fd = self->wait_on, .events = POLLIN};
    poll(&p, 1, 1);
    if (child > 0 && waitpid(child, status, WNOHANG) == child) {
      *status = status_of(*status);
      return;
    }
  }
  if (child > 0) *status = -1;
}

static int serve(const Options* o, const HeftStandIn* kind) {
  HeftEmulator hand;
  HeftError error = {0};
  HeftEmulated* self = calloc(1, kind->size);
  if (!self) return 1;
  char keyed[1200];
  const int udp = strcmp(kind->name, "udp") == 0;
  const char* address = udp ? keyed : o->address;
  const int failed =
      (udp && device_key_address(o->address, keyed, sizeof keyed, &error) != HEFT_OK) ||
      heft_emulator_read_text(&hand, o->hand ? o->hand : kind->device, &error) != HEFT_OK ||
      kind->open(self, address, &hand, &error) != HEFT_OK;
  explicit_bzero(keyed, sizeof keyed);
  if (failed) {
    fprintf(stderr, "heft emulate: error: %s\n", error.message);
    free(self);
    return 1;
  }
  if (!o->quiet) fprintf(stderr, "%s: %s\n", kind->name, self->place);
  if (strcmp(kind->name, "spacenav") == 0) setenv("SPNAV_SOCKET", self->place, 1);
  int status = 0;
  const pid_t child = o->command ? start_command(o->command) : 0;
  if (child < 0) status = 1;
  if (child >= 0) live(kind, self, o, child, &status);
  kind->close(self);
  free(self);
  if (status != -1) return status;
  if (waitpid(child, &status, 0) != child) return 1;
  return status_of(status);
}

// ---- kinds that are libraries

static int lend(const Options* o, const MakerLibrary* kind) {
  char path[1200];
  if (!maker_library_path(kind, path, sizeof path)) {
    fprintf(stderr, "heft emulate: error: %s is not installed\n", kind->file);
    return 1;
  }
  HeftEmulator hand;
  HeftError error = {0};
  if (o->hand && heft_emulator_read_text(&hand, o->hand, &error) != HEFT_OK) {
    fprintf(stderr, "heft emulate: error: %s\n", error.message);
    return 1;
  }
  if (!o->command) {
    printf("export %s='%s'\n", kind->variable, path);
    if (o->hand) printf("export HEFT_EMULATED_HAND='%s'\n", o->hand);
    return 0;
  }
  setenv(kind->variable, path, 1);
  if (o->hand) setenv("HEFT_EMULATED_HAND", o->hand, 1);
  execvp(o->command[0], o->command);
  fprintf(stderr, "heft emulate: error: %s: %s\n", o->command[0], strerror(errno));
  return 127;
}

static const char* stand_in_name(const void* from, int index) {
  const int* own = from;
  return index < *own ? heft_stand_in_at(index)->name : maker_library(index - *own)->driver;
}

// Reports an unknown kind of device, with the kinds that exist.
static void refuse(const char* name) {
  int own = 0, makers = 0;
  while (heft_stand_in_at(own)) ++own;
  while (maker_library(makers)) ++makers;
  names_wrong("emulate", "unknown kind of device", name,
              (Names){stand_in_name, &own, own + makers});
}

int heft_verb_emulate(int argc, char** argv) {
  Options o = {0};
  const int asked = read_options(&o, argc, argv);
  if (asked == 2) print_help();
  if (asked != 1) return asked == 2 ? 0 : 2;
  end_signals(end_it);
  const HeftStandIn* kind = heft_stand_in_find(o.name);
  if (kind) return serve(&o, kind);
  for (int i = 0; maker_library(i); ++i) {
    if (strcmp(maker_library(i)->driver, o.name) == 0) return lend(&o, maker_library(i));
  }
  refuse(o.name);
  return 2;
}
