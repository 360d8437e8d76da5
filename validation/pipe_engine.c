// SPDX-License-Identifier: Apache-2.0
// Another engine behind a pipe: one line is a request, one line the answer (bench/peers/README.md).
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "validation/engine.h"

static void become(const char* command, const int in[2], const int out[2]) {
  dup2(in[0], 0);
  dup2(out[1], 1);
  for (int i = 0; i < 2; ++i) {
    close(in[i]);
    close(out[i]);
  }
  execl("/bin/sh", "sh", "-c", command, (char*)NULL);
  _exit(127);
}

int engine_pipe_begin(Engine* e) {
  int in[2], out[2];
  if (e->to) return 1;
  if (pipe(in) != 0) return 0;
  if (pipe(out) != 0) return 0;
  fcntl(in[1], F_SETFD, FD_CLOEXEC);  // an engine that starts later must not keep it open
  fcntl(out[0], F_SETFD, FD_CLOEXEC);
  signal(SIGPIPE, SIG_IGN);
  fflush(NULL);
  const pid_t child = fork();
  if (child < 0) return 0;
  if (child == 0) become(e->command, in, out);
  close(in[0]);
  close(out[1]);
  e->process = (int)child;
  e->to = fdopen(in[1], "w");
  e->from = fdopen(out[0], "r");
  return e->to && e->from;
}

void engine_pipe_end(Engine* e) {
  if (e->to) fclose(e->to);
  if (e->from) fclose(e->from);
  if (e->process > 0) waitpid((pid_t)e->process, NULL, 0);
  e->to = e->from = NULL;
  e->process = 0;
}

// 1 if an answer arrives before the timeout. Each request has one line as its answer, so the buffer
// of the stream is empty here.
static int answers_in_time(Engine* e) {
  struct pollfd from = {.fd = fileno(e->from), .events = POLLIN};
  if (e->until_ns == 0) return 1;
  const int64_t left = (int64_t)(e->until_ns - heft_clock_ns()) / 1000000;
  if (left > 0 && poll(&from, 1, left < 1000000 ? (int)left : 1000000) > 0) return 1;
  kill((pid_t)e->process, SIGKILL);
  snprintf(e->reason, sizeof e->reason, "timeout");
  engine_pipe_end(e);
  return 0;
}

// Sends the request and reads `count` numbers of the answer "ok x y z ...". 1 on success.
static int answer(Engine* e, double* numbers, int count) {
  char line[1024];
  fputc('\n', e->to);
  fflush(e->to);
  if (!answers_in_time(e)) return 0;
  if (!fgets(line, sizeof line, e->from)) {
    snprintf(e->reason, sizeof e->reason, "the program ended without an answer");
    engine_pipe_end(e);
    return 0;
  }
  line[strcspn(line, "\n")] = '\0';
  if (strncmp(line, "ok", 2) != 0) {
    snprintf(e->reason, sizeof e->reason, "%.150s", strncmp(line, "no ", 3) == 0 ? line + 3 : line);
    return 0;
  }
  char* at = line + 2;
  for (int i = 0; i < count; ++i) {
    char* end = at;
    numbers[i] = strtod(at, &end);
    if (end == at) {
      snprintf(e->reason, sizeof e->reason, "the answer has %d numbers, expected %d", i, count);
      return 0;
    }
    at = end;
  }
  return 1;
}

int engine_pipe_time(Engine* e, int steps, double out[3]) {
  if (!e->to) return 0;
  fprintf(e->to, "time %d", steps);
  return answer(e, out, 3);
}

int engine_pipe_hold(Engine* e, double stiffness, double damping) {
  if (!e->to) return 0;
  fprintf(e->to, "hold %.17g %.17g", stiffness, damping);
  return answer(e, NULL, 0);
}

static int pipe_open(Engine* e, const char* path, const EngineSettings* s) {
  if (!engine_pipe_begin(e)) {
    snprintf(e->reason, sizeof e->reason, "the program cannot be started");
    return 0;
  }
  fprintf(e->to, "open %.17g %.17g %.17g %.17g %.17g %.17g %s", s->step, s->gravity[0],
          s->gravity[1], s->gravity[2], s->friction, s->restitution, path);
  return answer(e, &e->step, 1);
}

static void pipe_close(Engine* e) {
  if (!e->to) return;
  fprintf(e->to, "close");
  answer(e, NULL, 0);
}

static int pipe_read(Engine* e, int body, EngineBody* out) {
  double x[13];
  if (!e->to) return 0;
  fprintf(e->to, "read %d", body);
  if (!answer(e, x, 13)) return 0;
  *out = (EngineBody){heft_vec3_from(x), heft_quat(x[3], x[4], x[5], x[6]), heft_vec3_from(x + 7),
                      heft_vec3_from(x + 10)};
  return 1;
}

static int pipe_place(Engine* e, int body, const EngineBody* b) {
  if (!e->to) return 0;
  fprintf(e->to, "place %d %.17g %.17g %.17g %.17g %.17g %.17g %.17g", body, b->pos.x, b->pos.y,
          b->pos.z, b->quat.w, b->quat.x, b->quat.y, b->quat.z);
  fprintf(e->to, " %.17g %.17g %.17g %.17g %.17g %.17g", b->vel.x, b->vel.y, b->vel.z, b->omega.x,
          b->omega.y, b->omega.z);
  return answer(e, NULL, 0);
}

static int pipe_push(Engine* e, int body, HeftVec3 f) {
  if (!e->to) return 0;
  fprintf(e->to, "push %d %.17g %.17g %.17g", body, f.x, f.y, f.z);
  return answer(e, NULL, 0);
}

static int pipe_step(Engine* e, int count) {
  if (!e->to) return 0;
  fprintf(e->to, "step %d", count);
  return answer(e, NULL, 0);
}

static int pipe_force(Engine* e, int a, int b, HeftVec3* out) {
  double x[3];
  if (!e->to) return 0;
  fprintf(e->to, "force %d %d", a, b);
  if (!answer(e, x, 3)) return 0;
  *out = heft_vec3_from(x);
  return 1;
}

static int pipe_spin(Engine* e, const double* v, int count) {
  if (!e->to) return 0;
  fprintf(e->to, "spin %d", count);
  for (int i = 0; i < count; ++i) fprintf(e->to, " %.17g", v[i]);
  return answer(e, NULL, 0);
}

static int pipe_energy(Engine* e, double out[2]) {
  if (!e->to) return 0;
  fprintf(e->to, "energy");
  return answer(e, out, 2);
}

const EngineType engine_pipe = {pipe_open, pipe_close, pipe_read, pipe_place, pipe_push,
                                pipe_step, pipe_force, pipe_spin, pipe_energy};
