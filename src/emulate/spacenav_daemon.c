// SPDX-License-Identifier: Apache-2.0
// The socket of spacenavd, which libspnav connects to: eight numbers of 32 bits for each event,
// what it is (0 moved, 1 pressed, 2 released), six values, and the time since the last one [ms].
//
// Newer libraries first ask for a newer protocol, with a tag in the upper three bytes and the
// version in the lowest; the answer is the same tag and version 0. Older ones ask nothing, and hear
// events a second after they came.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/error.h"
#include "emulate/stand_ins.h"

enum { CLIENTS = 4 };
static const int32_t protocol_tag = 0x7faa5500;
static const double every = 0.01, patience = 1;  // [s]

typedef struct Daemon {
  HeftEmulated head;
  int listener, client[CLIENTS];  // -1: none
  int ready[CLIENTS];             // 1: it may hear events
  uint64_t came_ns[CLIENTS];
  uint64_t sent_ns;
  unsigned buttons;
  int moving;
} Daemon;

static HeftStatus daemon_open(void* self, const char* address, const HeftEmulator* hand,
                              HeftError* error) {
  Daemon* d = self;
  struct sockaddr_un at;
  memset(&at, 0, sizeof at);
  at.sun_family = AF_UNIX;
  const char* path = address[0] ? address : "/tmp/heft-spnav.sock";
  if (strlen(path) >= sizeof at.sun_path || strlen(path) >= sizeof d->head.place)
    return heft_error_set(error, HEFT_ERR_LIMIT, "the path of the socket is too long");
  memcpy(at.sun_path, path, strlen(path) + 1);
  memcpy(d->head.place, path, strlen(path) + 1);
  d->head.hand = *hand;
  for (int i = 0; i < CLIENTS; ++i) d->client[i] = -1;
  d->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  unlink(path);
  if (d->listener < 0 || bind(d->listener, (const struct sockaddr*)&at, sizeof at) != 0 ||
      listen(d->listener, CLIENTS) != 0) {
    const int why = errno;
    if (d->listener >= 0) close(d->listener);
    return heft_error_set(error, HEFT_ERR_FILE, "the socket %s cannot be made (errno %d)", path,
                          why);
  }
  d->head.wait_on = d->listener;
  return HEFT_OK;
}

static void drop(Daemon* d, int i) {
  close(d->client[i]);
  d->client[i] = -1;
}

static void daemon_close(void* self) {
  Daemon* d = self;
  for (int i = 0; i < CLIENTS; ++i) {
    if (d->client[i] >= 0) drop(d, i);
  }
  close(d->listener);
  unlink(d->head.place);
}

static void tell(Daemon* d, const int32_t event[8]) {
  for (int i = 0; i < CLIENTS; ++i) {
    if (d->client[i] < 0 || !d->ready[i]) continue;
    const ssize_t sent = send(d->client[i], event, 32, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN && errno != EWOULDBLOCK) drop(d, i);
  }
}

// It hears what is pressed already.
static void make_ready(Daemon* d, int i) {
  d->ready[i] = 1;
  for (int k = 0; k < 32; ++k) {
    const int32_t event[8] = {1, k};
    if ((d->buttons >> k & 1u) != 0 &&
        send(d->client[i], event, 32, MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
      return;
  }
}

static void listen_to(Daemon* d, int i, uint64_t now_ns) {
  int32_t asked;
  if (!d->ready[i] && seconds_since(d->came_ns[i], now_ns) > patience) make_ready(d, i);
  const ssize_t got = recv(d->client[i], &asked, sizeof asked, MSG_DONTWAIT);
  if (got == 0) drop(d, i);
  if (got != (ssize_t)sizeof asked || (asked & ~0xff) != protocol_tag) return;
  if (send(d->client[i], &protocol_tag, sizeof protocol_tag, MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
    drop(d, i);
  else
    make_ready(d, i);
}

static void let_in(Daemon* d, int i, uint64_t now_ns) {
  d->client[i] = accept(d->listener, NULL, NULL);
  d->came_ns[i] = now_ns;
  d->ready[i] = 0;
}

static void tell_buttons(Daemon* d, unsigned buttons) {
  for (int i = 0; i < 32; ++i) {
    if (((buttons ^ d->buttons) >> i & 1u) == 0) continue;
    const int32_t event[8] = {buttons >> i & 1u ? 1 : 2, i};
    tell(d, event);
  }
  d->buttons = buttons;
}

static void daemon_turn(void* self, uint64_t now_ns) {
  Daemon* d = self;
  HeftDeviceSample sample;
  for (int i = 0; i < CLIENTS; ++i) {
    if (d->client[i] < 0) let_in(d, i, now_ns);
    if (d->client[i] >= 0) listen_to(d, i, now_ns);
  }
  if (!hand_sample(&d->head, now_ns, &sample) || seconds_since(d->sent_ns, now_ns) < every) return;
  int counts[6], any = 0;
  heft_emulated_cap(&sample, counts);
  tell_buttons(d, sample.buttons);
  for (int i = 0; i < 6; ++i) any |= counts[i];
  if (any || d->moving) {
    const int32_t event[8] = {0,         counts[0], counts[1], counts[2],
                              counts[3], counts[4], counts[5], (int32_t)(1000 * every)};
    tell(d, event);
  }
  d->moving = any != 0;
  d->sent_ns = now_ns;
}

const HeftStandIn heft_stand_in_spacenav = {
    .name = "spacenav",
    .text = "the daemon spacenavd, with a SpaceMouse",
    .driver = "spacemouse",
    .device = "spacemouse",
    .address = "path of the socket, /tmp/heft-spnav.sock",
    .size = sizeof(Daemon),
    .open = daemon_open,
    .close = daemon_close,
    .turn = daemon_turn,
};
