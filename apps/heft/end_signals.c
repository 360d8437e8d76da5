// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "end_signals.h"

#include <signal.h>

void end_signals(void (*handler)(int signal_number)) {
  signal(SIGINT, handler);
  signal(SIGTERM, handler);
  if (signal(SIGHUP, handler) == SIG_IGN) signal(SIGHUP, SIG_IGN);
}
