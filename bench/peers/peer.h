// SPDX-License-Identifier: Apache-2.0
// The other side of `heft validate --peers` and `heft bench contact --peers`: a program that reads
// questions from its standard input, a line each, and answers in a line each. README.md in this
// folder tells the protocol. A peer fills in the functions below and calls peer_serve(). C and C++.
#ifndef HEFT_BENCH_PEER_H
#define HEFT_BENCH_PEER_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct PeerSettings {
  double step, gravity[3], friction, restitution;  // NaN: as in the file
} PeerSettings;

// NULL, or why it cannot.
const char* peer_open(const char* path, const PeerSettings* settings, double* step);
void peer_close(void);
// Position, quaternion (w, x, y, z), velocity, angular velocity of a body's frame, all in the
// world. 0: cannot.
int peer_read(int body, double x[13]);
int peer_place(int body, const double x[13]);
int peer_push(int body, const double force[3]);
int peer_step(int count);
int peer_force(int a, int b, double force[3]);
int peer_contacts(void);
// A contact of the last step: its bodies a and b, place, unit normal from a to b, force on b. 0:
// cannot.
enum { PEER_CONTACT = 11 };
int peer_contact(int contact, double x[PEER_CONTACT]);
// All joints but free ones get a spring that holds them where they are, and a damper. 0: cannot.
int peer_hold(double stiffness, double damping);

// Sets the first joint velocities, in the order of the file; kinetic and potential energy. 0:
// cannot; cannot.c has both for peers without them.
int peer_spin(const double* v, int count);
int peer_energy(double energy[2]);

static FILE* peer_out;  // where answers go: the standard output, unless the engine talks there, too

static void peer_say_numbers(const double* x, int count) {
  fprintf(peer_out, "ok");
  for (int i = 0; i < count; ++i) fprintf(peer_out, " %.17g", x[i]);
  fprintf(peer_out, "\n");
}

static void peer_say(int done) { fprintf(peer_out, done ? "ok\n" : "no it cannot do that\n"); }

static int peer_numbers(char* at, double* x, int count) {
  for (int i = 0; i < count; ++i) {
    char* end = at;
    x[i] = strtod(at, &end);
    if (end == at) return 0;
    at = end;
  }
  return 1;
}

static void peer_answer_open(char* at) {
  double x[6], step = 0;
  char* path = at;
  for (int i = 0; i < 6; ++i) x[i] = strtod(path, &path);
  while (*path == ' ') ++path;
  const PeerSettings settings = {x[0], {x[1], x[2], x[3]}, x[4], x[5]};
  const char* reason = peer_open(path, &settings, &step);
  if (reason) {
    fprintf(peer_out, "no %s\n", reason);
  } else {
    fprintf(peer_out, "ok %.17g\n", step);
  }
}

// "time N": so many steps, the least and the middle time of one in microseconds, contacts.
static int peer_compare(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static void peer_answer_time(int count) {
  double* us = (double*)malloc((size_t)count * sizeof *us);
  int done = us != NULL;
  for (int i = 0; done && i < count; ++i) {
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    done = peer_step(1);
    clock_gettime(CLOCK_MONOTONIC, &b);
    us[i] = 1e6 * (double)(b.tv_sec - a.tv_sec) + 1e-3 * (double)(b.tv_nsec - a.tv_nsec);
  }
  if (done) {
    qsort(us, (size_t)count, sizeof *us, peer_compare);
    const double x[3] = {us[0], us[count / 2], (double)peer_contacts()};
    peer_say_numbers(x, 3);
  } else {
    peer_say(0);
  }
  free(us);
}

enum { PEER_VELOCITIES = 256 };

static void peer_answer_spin(char* at) {
  static double v[PEER_VELOCITIES];
  const long count = strtol(at, &at, 10);
  const int sound = count >= 0 && count <= PEER_VELOCITIES;
  peer_say(sound && peer_numbers(at, v, (int)count) && peer_spin(v, (int)count));
}

static void peer_answer(char* line) {
  double x[16];
  if (strncmp(line, "open ", 5) == 0) {
    peer_answer_open(line + 5);
  } else if (strncmp(line, "close", 5) == 0) {
    peer_close();
    peer_say(1);
  } else if (strncmp(line, "read ", 5) == 0 && peer_numbers(line + 5, x, 1)) {
    const int body = (int)x[0];
    if (peer_read(body, x)) {
      peer_say_numbers(x, 13);
    } else {
      peer_say(0);
    }
  } else if (strncmp(line, "place ", 6) == 0 && peer_numbers(line + 6, x, 14)) {
    peer_say(peer_place((int)x[0], x + 1));
  } else if (strncmp(line, "push ", 5) == 0 && peer_numbers(line + 5, x, 4)) {
    peer_say(peer_push((int)x[0], x + 1));
  } else if (strncmp(line, "hold ", 5) == 0 && peer_numbers(line + 5, x, 2)) {
    peer_say(peer_hold(x[0], x[1]));
  } else if (strncmp(line, "spin ", 5) == 0) {
    peer_answer_spin(line + 5);
  } else if (strncmp(line, "energy", 6) == 0) {
    if (peer_energy(x)) {
      peer_say_numbers(x, 2);
    } else {
      peer_say(0);
    }
  } else if (strncmp(line, "step ", 5) == 0 && peer_numbers(line + 5, x, 1)) {
    peer_say(peer_step((int)x[0]));
  } else if (strncmp(line, "time ", 5) == 0 && peer_numbers(line + 5, x, 1)) {
    peer_answer_time((int)x[0]);
  } else if (strncmp(line, "contacts", 8) == 0) {
    x[0] = peer_contacts();
    peer_say_numbers(x, 1);
  } else if (strncmp(line, "contact ", 8) == 0 && peer_numbers(line + 8, x, 1)) {
    if (x[0] >= 0 && x[0] < peer_contacts() && peer_contact((int)x[0], x)) {
      peer_say_numbers(x, PEER_CONTACT);
    } else {
      peer_say(0);
    }
  } else if (strncmp(line, "force ", 6) == 0 && peer_numbers(line + 6, x, 2)) {
    const int a = (int)x[0], b = (int)x[1];
    if (peer_force(a, b, x)) {
      peer_say_numbers(x, 3);
    } else {
      peer_say(0);
    }
  } else {
    fprintf(peer_out, "no such question\n");
  }
}

static int peer_serve(void) {
  static char line[8192];
  if (!peer_out) peer_out = stdout;
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = '\0';
    peer_answer(line);
    fflush(peer_out);
  }
  return 0;
}

#ifdef __cplusplus
}
#endif
#endif
