// SPDX-License-Identifier: Apache-2.0
// The process reads requests from a socket and writes answers to it: numbers of 8 bytes in the
// order of this machine, all arrays of a request one behind the other.
#define _GNU_SOURCE  // MSG_NOSIGNAL
#include "sweep/policy.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"

extern char** environ;

struct Policy {
  int socket;
  pid_t process;
  PolicySizes sizes;
  char path[1024];
};

// The other end. An exception of the policy goes to stderr and ends the process.
static const char program[] =
    "import sys, socket, types, importlib.util\n"
    "import numpy as np\n"
    "s = socket.socket(fileno=int(sys.argv[1]))\n"
    "nq, nv, ns, nu = map(int, sys.argv[3:7])\n"
    "spec = importlib.util.spec_from_file_location('policy', sys.argv[2])\n"
    "policy = importlib.util.module_from_spec(spec)\n"
    "spec.loader.exec_module(policy)\n"
    "def read(count, kind):\n"
    "    data = b''\n"
    "    while len(data) < 8 * count:\n"
    "        part = s.recv(8 * count - len(data))\n"
    "        if not part: sys.exit(0)\n"
    "        data += part\n"
    "    return np.frombuffer(data, dtype=kind)\n"
    "while True:\n"
    "    n = int(read(1, np.int64)[0])\n"
    "    o = types.SimpleNamespace(run=read(n, np.int64), time=read(n, float))\n"
    "    o.q = read(n * nq, float).reshape(n, nq)\n"
    "    o.v = read(n * nv, float).reshape(n, nv)\n"
    "    o.sensors = read(n * ns, float).reshape(n, ns)\n"
    "    c = np.asarray(policy.act(o), dtype=float)\n"
    "    if c.shape != (n, nu):\n"
    "        sys.exit(f'{sys.argv[2]}: act() returned an array of shape {c.shape}, expected {(n, "
    "nu)}')\n"
    "    s.sendall(np.ascontiguousarray(c).tobytes())\n";

static HeftStatus start(Policy* p, int other, HeftError* error) {
  char number[5][16];
  const int value[5] = {other, p->sizes.nq, p->sizes.nv, p->sizes.nsensordata, p->sizes.nactuator};
  for (int i = 0; i < 5; ++i) snprintf(number[i], sizeof number[i], "%d", value[i]);
  char command[] = "python3", option[] = "-c", *code = strdup(program);
  char* argv[] = {command,   option,    code,      number[0], p->path,
                  number[1], number[2], number[3], number[4], NULL};
  const int failed = code ? posix_spawnp(&p->process, command, NULL, NULL, argv, environ) : ENOMEM;
  free(code);
  if (failed)
    return heft_error_set(error, HEFT_ERR_FILE, "python3 did not start: %s", strerror(failed));
  return HEFT_OK;
}

HeftStatus policy_open(Policy** out, const char* path, PolicySizes sizes, HeftError* error) {
  int ends[2];
  *out = NULL;
  Policy* p = calloc(1, sizeof *p);
  if (!p) return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for a policy");
  p->sizes = sizes;
  snprintf(p->path, sizeof p->path, "%s", path);
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    free(p);
    return heft_error_set(error, HEFT_ERR_FILE, "no socket for a policy: %s", strerror(errno));
  }
  const int other = dup(ends[1]);  // without the flag that closes it
  p->socket = ends[0];
  const HeftStatus status = start(p, other, error);
  close(ends[1]);
  close(other);
  if (status == HEFT_OK) {
    *out = p;
    return HEFT_OK;
  }
  close(p->socket);
  free(p);
  return status;
}

void policy_close(Policy* p) {
  if (!p) return;
  close(p->socket);
  waitpid(p->process, NULL, 0);
  free(p);
}

static int send_all(const Policy* p, const void* bytes, size_t size) {
  const char* at = bytes;
  while (size > 0) {
    const ssize_t sent = send(p->socket, at, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return 0;
    at += sent;
    size -= (size_t)sent;
  }
  return 1;
}

static int receive_all(const Policy* p, void* bytes, size_t size) {
  char* at = bytes;
  while (size > 0) {
    const ssize_t got = recv(p->socket, at, size, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return 0;
    at += got;
    size -= (size_t)got;
  }
  return 1;
}

HeftStatus policy_act(Policy* p, const PolicyView* view, double* controls, HeftError* error) {
  const int64_t count = view->count;
  const size_t n = 8 * (size_t)count;
  const PolicySizes* s = &p->sizes;
  if (send_all(p, &count, sizeof count) && send_all(p, view->run, n) &&
      send_all(p, view->time, n) && send_all(p, view->q, n * (size_t)s->nq) &&
      send_all(p, view->v, n * (size_t)s->nv) &&
      send_all(p, view->sensors, n * (size_t)s->nsensordata) &&
      receive_all(p, controls, n * (size_t)s->nactuator))
    return HEFT_OK;
  return heft_error_set_at(error, HEFT_ERR_FILE, p->path, 0, 0,
                           "the policy ended; its messages are above");
}
