// SPDX-License-Identifier: Apache-2.0
// A SpaceMouse with a serial line (Magellan), on a pseudo terminal, for the real spacenavd. Asked
// "vQ" it names itself; from then on it sends "d" and six numbers, each as four letters whose low
// four bits are its digits to base 16, 8000 being zero.
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/error.h"
#include "emulate/stand_ins.h"

static const double every = 0.02;  // [s]

typedef struct Magellan {
  HeftEmulated head;
  int master, slave;
  int asked, turns;
  char heard[256];
  size_t used;
  uint64_t sent_ns;
} Magellan;

static void make_raw(int terminal) {
  struct termios t;
  if (tcgetattr(terminal, &t) != 0) return;
  t.c_iflag &= ~(tcflag_t)(BRKINT | ICRNL | INPCK | ISTRIP | IXON);
  t.c_oflag &= ~(tcflag_t)OPOST;
  t.c_lflag &= ~(tcflag_t)(ECHO | ICANON | IEXTEN | ISIG);
  tcsetattr(terminal, TCSANOW, &t);
}

static HeftStatus magellan_open(void* self, const char* address, const HeftEmulator* hand,
                                HeftError* error) {
  Magellan* m = self;
  (void)address;
  m->head.hand = *hand;
  m->slave = -1;
  m->master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  const char* name = NULL;
  if (m->master >= 0 && grantpt(m->master) == 0 && unlockpt(m->master) == 0)
    name = ptsname(m->master);
  if (name && strlen(name) < sizeof m->head.place) {
    memcpy(m->head.place, name, strlen(name) + 1);
    m->slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);  // stays, while nobody has opened it
  }
  if (m->slave < 0) {
    if (m->master >= 0) close(m->master);
    return heft_error_set(error, HEFT_ERR_FILE, "no pseudo terminal can be made (errno %d)", errno);
  }
  make_raw(m->slave);
  fcntl(m->master, F_SETFL, O_NONBLOCK);
  m->head.wait_on = m->master;
  return HEFT_OK;
}

static void magellan_close(void* self) {
  Magellan* m = self;
  close(m->slave);
  close(m->master);
}

static void say(Magellan* m, const char* text) {
  const size_t size = strlen(text);
  if (write(m->master, text, size) != (ssize_t)size) m->head.hand.dead = errno == EIO;
}

static void hear(Magellan* m) {
  static const char question[] = "vQ\r";
  static const char answer[] = "vMAGELLAN  Version 6.70  by LOGITECH INC. 10/10/00\r";
  if (m->used + 1 >= sizeof m->heard) m->used = 0;
  const ssize_t got = read(m->master, m->heard + m->used, sizeof m->heard - 1 - m->used);
  if (got <= 0) return;
  m->used += (size_t)got;
  m->heard[m->used] = '\0';
  if (!strstr(m->heard, question)) return;
  m->used = 0;
  m->asked = 1;
  say(m, answer);
}

static void magellan_turn(void* self, uint64_t now_ns) {
  Magellan* m = self;
  HeftDeviceSample sample;
  hear(m);
  if (!hand_sample(&m->head, now_ns, &sample) || !m->asked ||
      seconds_since(m->sent_ns, now_ns) < every)
    return;
  int counts[6];
  char text[32] = "d";
  heft_emulated_cap(&sample, counts);
  // The daemon reports only changes to its clients, so something always changes.
  if (counts[0] != 0) counts[0] += ++m->turns % 2;
  for (int i = 0; i < 24; ++i) {
    const unsigned number = (unsigned)(counts[i / 4] + 0x8000);
    text[1 + i] = (char)(0x40 | (number >> (12 - 4 * (i % 4)) & 15u));
  }
  text[25] = '\r';
  say(m, text);
  m->sent_ns = now_ns;
}

const HeftStandIn heft_stand_in_magellan = {
    .name = "magellan",
    .text = "a serial SpaceMouse on a pseudo terminal, for the real spacenavd",
    .driver = "spacemouse",
    .device = "spacemouse",
    .address = "",
    .size = sizeof(Magellan),
    .open = magellan_open,
    .close = magellan_close,
    .turn = magellan_turn,
};
