// SPDX-License-Identifier: Apache-2.0
// A robot that Heft simulates, for a controller in a process of its own: the protocol of
// docs/manual/controllers.md. Needs POSIX and a little-endian machine, and nothing of Heft.
//
//   HeftRobot robot;
//   if (!heft_robot_open(&robot, "unix:/tmp/robot", 10)) return 1;
//   while (heft_robot_wait(&robot)) {                     // until the simulation ends
//     robot.control[0] = -100 * robot.q[0] - 10 * robot.v[0];
//     heft_robot_send(&robot);
//   }
//   heft_robot_close(&robot);
#ifndef HEFT_ROBOT_H
#define HEFT_ROBOT_H

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { HEFT_JOIN = 1, HEFT_HELLO, HEFT_READY, HEFT_STATE, HEFT_CONTROLS, HEFT_BYE };
enum { HEFT_HEAD = 32, HEFT_DATAGRAM = 65000, HEFT_BURST = 8 };

typedef struct HeftHead {  // of every datagram
  char magic[4];           // "HFTC"
  uint8_t version, type;
  uint16_t flags;  // of a state: 1 restarted, 2 the world does not wait
  uint64_t session, number;
  uint32_t a, b;
} HeftHead;

typedef struct HeftRobot {
  int nq, nv, ncontrol, nsensor;
  double step, period;           // length of a step, time between two states [s]
  char* description;             // JSON: names, units and ranges
  double time, *q, *v, *sensor;  // the state
  int restarted;                 // 1: the first state, or time has jumped
  double *control, *force;       // the answer: ncontrol, and nv joint forces
  int forced;                    // 1: joint forces are sent, too
  int socket;
  uint64_t session, number;  // number of the state
  int answered;              // 1: the state was answered
  unsigned char in[HEFT_DATAGRAM], out[HEFT_DATAGRAM];
  size_t out_size;
} HeftRobot;

static inline int heft_robot_put(HeftRobot* r, int type, uint64_t number, uint32_t a, uint32_t b,
                                 size_t body) {
  HeftHead head = {{'H', 'F', 'T', 'C'}, 1, (uint8_t)type, 0, r->session, number, a, b};
  memcpy(r->out, &head, sizeof head);
  r->out_size = sizeof head + body;
  return send(r->socket, r->out, r->out_size, MSG_NOSIGNAL) >= 0;
}

// A datagram within some milliseconds: its size, 0 if there is none, -1 if the world is gone.
static inline long heft_robot_get(HeftRobot* r, HeftHead* head, int milliseconds) {
  struct pollfd look = {.fd = r->socket, .events = POLLIN};
  if (poll(&look, 1, milliseconds) <= 0) return 0;
  const long size = recv(r->socket, r->in, sizeof r->in, 0);
  if (size < 0) return errno == ECONNREFUSED ? -1 : 0;
  if (size < HEFT_HEAD) return 0;
  memcpy(head, r->in, sizeof *head);
  return memcmp(head->magic, "HFTC", 4) == 0 && head->version == 1 ? size : 0;
}

static inline int heft_robot_connect(HeftRobot* r, const char* place) {
  struct sockaddr_un at = {.sun_family = AF_UNIX};
  struct sockaddr_in in = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  const char* port = strrchr(place, ':') + 1;
  if (strncmp(place, "unix:", 5) == 0) {
    r->socket = socket(AF_UNIX, SOCK_DGRAM, 0);
    snprintf(at.sun_path, sizeof at.sun_path, "%s", place + 5);
    return bind(r->socket, (struct sockaddr*)&at, sizeof at.sun_family) == 0 &&  // any free address
           connect(r->socket, (struct sockaddr*)&at, sizeof at) == 0;
  }
  char ip[32] = "127.0.0.1";  // udp:PORT or udp:IP:PORT
  if (port > place + 4) snprintf(ip, sizeof ip, "%.*s", (int)(port - place - 5), place + 4);
  r->socket = socket(AF_INET, SOCK_DGRAM, 0);
  in.sin_port = htons((uint16_t)atoi(port));
  return inet_pton(AF_INET, ip, &in.sin_addr) == 1 &&
         connect(r->socket, (struct sockaddr*)&in, sizeof in) == 0;
}

// The place of a name in a list of the description ("joints", "actuators", "sensors", "keys"), or
// -1. *text is what stands behind the name: heft_robot_number() finds fields there.
static inline int heft_robot_find(const HeftRobot* r, const char* list, const char* name,
                                  const char** text) {
  char key[256];
  snprintf(key, sizeof key, "\n\"%s\":[", list);
  const char* at = strstr(r->description, key);
  snprintf(key, sizeof key, "{\"name\":\"%s\"", name);
  at = at ? at + 1 : "";
  for (int i = 0; *(at += strcspn(at, "\n")) && at[1] == '{'; ++i, ++at)
    if (strncmp(at + 1, key, strlen(key)) == 0) return *text = at + 1 + strlen(key), i;
  return -1;
}

// A number of an entry: heft_robot_number(text, "q"). Of the whole description if text is it.
static inline double heft_robot_number(const char* text, const char* field) {
  char key[64];
  snprintf(key, sizeof key, "\"%s\":", field);
  const char* at = strstr(text, key);
  return at ? strtod(at + strlen(key) + (at[strlen(key)] == '['), NULL) : 0;
}

// Waits for the simulation, and reads its description. Returns 0 after some seconds without one.
static inline int heft_robot_open(HeftRobot* r, const char* place, double seconds) {
  HeftHead head = {.type = 0};
  uint32_t have = 0, parts = 1;
  size_t used = 0;
  memset(r, 0, sizeof *r);
  for (r->socket = -1; have < parts && seconds > 0; seconds -= 0.1) {
    if (r->socket >= 0 || heft_robot_connect(r, place)) heft_robot_put(r, HEFT_JOIN, 0, have, 0, 0);
    for (int i = 0; r->socket >= 0 && i < HEFT_BURST && have < parts; ++i) {
      const long size = heft_robot_get(r, &head, 100);
      if (size <= 0) break;
      if (head.type != HEFT_HELLO || head.number != have) continue;
      if (have == 0) r->description = calloc(head.b + 1, 1), r->session = head.session, used = 0;
      if (!r->description || head.session != r->session || used + (size_t)size - HEFT_HEAD > head.b)
        return 0;
      memcpy(r->description + used, r->in + HEFT_HEAD, (size_t)size - HEFT_HEAD);
      used += (size_t)size - HEFT_HEAD, parts = head.a, ++have;
    }
    if (!r->description && r->socket >= 0) close(r->socket), r->socket = -1, poll(NULL, 0, 100);
  }
  if (have < parts) return 0;
  r->nq = (int)heft_robot_number(r->description, "nq"),
  r->nv = (int)heft_robot_number(r->description, "nv");
  r->ncontrol = (int)heft_robot_number(r->description, "ncontrol");
  r->nsensor = (int)heft_robot_number(r->description, "nsensor");
  r->step = heft_robot_number(r->description, "step"),
  r->period = heft_robot_number(r->description, "period");
  r->q = calloc((size_t)(r->nq + 2 * r->nv + r->nsensor + r->ncontrol) + 1, sizeof(double));
  if (!r->q) return 0;
  r->v = r->q + r->nq, r->sensor = r->v + r->nv;
  r->control = r->sensor + r->nsensor, r->force = r->control + r->ncontrol;
  return heft_robot_put(r, HEFT_READY, 0, 0, 0, 0);
}

// Waits for the next state. Returns 0 if the simulation has ended. A world that does not wait may
// have sent several: the last one counts.
static inline int heft_robot_wait(HeftRobot* r) {
  HeftHead head = {.type = 0};
  const size_t numbers = (size_t)(r->nq + r->nv + r->nsensor);
  for (int found = 0;;) {
    const long size = heft_robot_get(r, &head, found ? 0 : 500);
    if (size == 0 && found) return 1;
    if (size < 0 || (size > 0 && head.type == HEFT_BYE)) return found;
    if (size == 0 && !heft_robot_put(r, HEFT_READY, 0, 0, 0, 0)) return 0;  // still there?
    if (size != (long)(HEFT_HEAD + 8 * (1 + numbers)) || head.type != HEFT_STATE ||
        head.session != r->session)
      continue;
    if (head.number == r->number && r->answered) {  // the answer was lost
      send(r->socket, r->out, r->out_size, MSG_NOSIGNAL);
      continue;
    }
    memcpy(&r->time, r->in + HEFT_HEAD, 8);
    memcpy(r->q, r->in + HEFT_HEAD + 8, 8 * numbers);
    r->restarted = (head.flags & 1) | (found & r->restarted);
    r->number = head.number, r->answered = 0, found = 1;
    if (!(head.flags & 2)) return 1;
  }
}

static inline int heft_robot_send(HeftRobot* r) {
  const int forces = r->forced ? r->nv : 0;
  memcpy(r->out + HEFT_HEAD, r->control, 8 * (size_t)(r->ncontrol + forces));
  r->answered = 1;
  return heft_robot_put(r, HEFT_CONTROLS, r->number, (uint32_t)r->ncontrol, (uint32_t)forces,
                        8 * (size_t)(r->ncontrol + forces));
}

static inline void heft_robot_close(HeftRobot* r) {
  if (r->socket >= 0) heft_robot_put(r, HEFT_BYE, 0, 0, 0, 0), close(r->socket);
  free(r->description), free(r->q);
}

#endif
