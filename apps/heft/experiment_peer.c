// SPDX-License-Identifier: Apache-2.0
// Papers: R75, R76.
// The open loop of an experiment in MuJoCo (bench/peers/open_mujoco.c): Heft's joint angles and
// drives, and MuJoCo's dynamics and contacts. MuJoCo's contacts are soft and creep, so it runs on a
// ladder of settings, from its own to contacts that are nearly rigid: an elliptic cone, friction
// 100 times as hard as the normal direction, a short time constant, and the step that it needs.
#include "experiment_peer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/trace.h"
#include "peer_program.h"

static const struct {
  const char *name, *options;
} ladder[] = {{"as it is", ""},
              {"elliptic cone", "cone=1"},
              {"harder friction", "cone=1 impratio=100"},
              {"2 ms", "cone=1 impratio=100 time=0.002"},
              {"0.5 ms", "cone=1 impratio=100 time=0.0005 step=0.00025"}};
enum { LADDER = sizeof ladder / sizeof *ladder };

int experiment_peer_has(const char* name) {
  return strcmp(name, "pillar") == 0 || strcmp(name, "squat") == 0 || strcmp(name, "sway") == 0;
}

static int fail(Lab* lab, const char* what) {
  snprintf(lab->error, sizeof lab->error, "MuJoCo: %.500s", what);
  return 0;
}

// All that a command prints, with a zero byte.
static char* output_of(const char* command, size_t* size) {
  size_t room = 1 << 20;
  char* text = malloc(room);
  FILE* pipe = text ? popen(command, "r") : NULL;
  *size = 0;
  while (pipe) {
    const size_t read = fread(text + *size, 1, room - *size - 1, pipe);
    *size += read;
    if (read == 0) break;
    if (*size + 1 < room) continue;
    char* more = realloc(text, room *= 2);
    if (!more) break;
    text = more;
  }
  if (pipe) pclose(pipe);
  if (text) text[*size] = '\0';
  return text;
}

static int run(Lab* lab, const PeerProgram* peer, const char* experiment, const char* models,
               double seconds, const char* options, MeasuredFile* out) {
  char command[2400];
  size_t size = 0;
  HeftError error = {0};
  snprintf(command, sizeof command, "exec '%s' %s '%.1000s' %.6f %s", peer->program, experiment,
           models, seconds, options);
  char* text = output_of(command, &size);
  if (!text || size == 0) {
    free(text);
    return fail(lab, "its program printed nothing");
  }
  if (strncmp(text, "no ", 3) == 0) {
    fail(lab, text + 3);
    free(text);
    return 0;
  }
  const HeftStatus status = measured_file_parse(out, text, size, "heft_open_mujoco", &error);
  free(text);
  return status == HEFT_OK || fail(lab, error.message);
}

static void claim(Lab* lab, const LabApart* apart) {
  const LabApart last = apart[LADDER - 1];
  char steps[LAB_TEXT] = "";
  size_t used = 0;
  int falls = 1;
  for (int i = 0; i < LADDER && used < sizeof steps; ++i) {
    used += (size_t)snprintf(steps + used, sizeof steps - used, "%s%.1f %% (%s)", i ? ", " : "",
                             100 * apart[i].force, ladder[i].name);
    falls &= i == 0 || apart[i].force < fmax(0.1, 1.1 * apart[i - 1].force);
  }
  lab_claim(lab, last.force < 0.1 && last.torque < 0.1 && last.angle < 0.1 && last.com < 0.1,
            "MuJoCo with rigid contacts gives forces, torques and positions within 10 % (RMS)",
            "[Chardonnet 2012], 5.1",
            "forces %.1f %%, torques %.1f %%, joint angles %.2f %%, centre of mass %.1f %%",
            100 * last.force, 100 * last.torque, 100 * last.angle, 100 * last.com);
  lab_claim(lab, falls && apart[0].force > last.force,
            "softness of its contacts explains how far MuJoCo is with other settings", "ours",
            "forces apart by %s", steps);
}

int experiment_peer_run(Lab* lab, const char* experiment, const char* models,
                        const LabTrace* trace) {
  PeerProgram peer;
  LabApart apart[LADDER];
  LabDifference differences[LAB_CHANNELS_MAX];
  if (!peer_program_find(&peer, "MuJoCo", "heft_open_mujoco", NULL))
    return fail(lab, "it was not built");
  if (trace->rows < 2) return fail(lab, "the experiment recorded nothing");
  const double end = trace->number[(trace->rows - 1) * trace->columns];
  for (int i = 0; i < LADDER; ++i) {
    MeasuredFile file;
    if (!run(lab, &peer, experiment, models, end, ladder[i].options, &file)) return 0;
    file.measured.name = "MuJoCo";
    apart[i] = lab_apart(trace, &file.measured.table[0], 0.5);
    if (i + 1 == LADDER) lab_compare(lab, &file.measured, differences);
    measured_file_release(&file);
  }
  claim(lab, apart);
  return 1;
}
