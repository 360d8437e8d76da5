// SPDX-License-Identifier: Apache-2.0
// Another engine for `heft bench motion`, in a program of its own (bench/peers/motion_mujoco.c,
// peer_box3d.c): Heft itself depends on no other engine.
#include <stdio.h>
#include <stdlib.h>

#include "measure.h"
#include "motion_steps.h"

enum { COMMAND = 2400 };

static void peer_command(char out[COMMAND], const PeerProgram* peer, const char* path,
                         const MotionRun* run) {
  char arguments[200];
  motion_write_run(arguments, sizeof arguments, run);
  snprintf(out, COMMAND, "'%s' '%s' %s", peer->program, path, arguments);
}

static FILE* open_peer(const PeerProgram* peer, const char* path, const MotionRun* run,
                       double seconds) {
  char command[COMMAND], timed[COMMAND + 64];
  peer_command(command, peer, path, run);
  snprintf(timed, sizeof timed, "exec timeout %.0f %s 2>/dev/null", seconds, command);
  return popen(timed, "r");
}

// "ok STEP NV WARNINGS COUNT"; or "no REASON", or nothing.
static int read_head(MotionSteps* out, FILE* pipe) {
  char line[1200] = "";
  int count = 0;
  if (!fgets(line, sizeof line, pipe)) {
    snprintf(out->reason, sizeof out->reason, "it did not finish in time");
    return 0;
  }
  line[strcspn(line, "\n")] = '\0';
  if (sscanf(line, "ok %lf %d %d %d", &out->step, &out->nv, &out->failed, &count) == 4)
    return motion_steps_reserve(out, count);
  snprintf(out->reason, sizeof out->reason, "%.190s",
           line + (strncmp(line, "no ", 3) == 0 ? 3 : 0));
  return 0;
}

// "end COUNT", and position, quaternion and velocity of each free body, if there are no others.
static void read_end(MotionSteps* out, FILE* pipe) {
  int count = 0;
  if (fscanf(pipe, " end %d", &count) != 1 || count <= 0 || count > 1 << 24) return;
  out->end = calloc((size_t)count, MOTION_BODY * sizeof *out->end);
  if (!out->end) return;
  out->end_count = count;
  for (long i = 0; i < (long)MOTION_BODY * count; ++i) {
    if (fscanf(pipe, "%lf", out->end + i) == 1) continue;
    free(out->end);
    out->end = NULL;
    return;
  }
}

void motion_peer(MotionSteps* out, const PeerProgram* peer, const char* path, const MotionRun* run,
                 double seconds) {
  *out = (MotionSteps){0};
  FILE* pipe = open_peer(peer, path, run, seconds);
  if (!pipe) {
    snprintf(out->reason, sizeof out->reason, "its program did not start");
    return;
  }
  if (read_head(out, pipe)) {
    int read = 0, contacts = 0;
    double us = 0;
    while (read < out->count && fscanf(pipe, "%lf %d", &us, &contacts) == 2) {
      motion_steps_note(out, read++, us);
      out->contacts += (double)contacts / out->count;
      if (contacts > out->contacts_max) out->contacts_max = contacts;
    }
    out->repeats = run->repeats;
    if (read == out->count) read_end(out, pipe);
    if (read < out->count) snprintf(out->reason, sizeof out->reason, "its program broke off");
  }
  pclose(pipe);
}

double motion_peer_worlds(const PeerProgram* peer, const char* path, const MotionRun* run,
                          double seconds) {
  double us = 0;
  FILE* pipe = open_peer(peer, path, run, seconds);
  if (!pipe) return 0;
  if (fscanf(pipe, "ok %lf", &us) != 1) us = 0;
  pclose(pipe);
  return us;
}

double motion_peer_instructions(const PeerProgram* peer, const char* path, const MotionRun* run) {
  char command[COMMAND];
  peer_command(command, peer, path, run);
  return measure_command(command, true);
}
