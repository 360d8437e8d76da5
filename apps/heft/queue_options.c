// SPDX-License-Identifier: Apache-2.0
#include "queue_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "end_signals.h"

volatile sig_atomic_t queue_stopped;

static void stop(int number) {
  queue_stopped = 1;
  signal(number, SIG_DFL);
}

void queue_catch_signals(void) { end_signals(stop); }

int queue_options_check(QueueOptions* o, const char* verb) {
  if (!o->urls) o->urls = getenv("HEFT_NATS");
  if (!o->urls || !o->urls[0]) o->urls = "nats://127.0.0.1:4222";
  if (!o->certificate == !o->key) return 1;
  fprintf(stderr, "heft %s: error: TLS needs both files: --tls-cert FILE --tls-key FILE\n", verb);
  return 0;
}

int queue_options_number(const char* verb, const char* name, const char* text, double usual,
                         double min, double max, double* out) {
  char* end = NULL;
  *out = usual;
  if (!text) return 1;
  *out = strtod(text, &end);
  if (end != text && !*end && *out >= min && *out <= max) return 1;
  fprintf(stderr, "heft %s: error: %s '%s': expected a number from %g to %g\n", verb, name, text,
          min, max);
  return 0;
}

int queue_absent(const char* verb, const char* help, int argc, char** argv) {
  static const char reason[] =
      "this program was built without libnats, which the queue needs. On Debian:\n"
      "  apt install libnats-dev\n"
      "and build Heft again. 'heft sweep run --shard' needs no queue.\n";
  for (int i = 1; i < argc; ++i)
    if (strcmp(argv[i], "--help") == 0) return printf("%s\nNot available: %s", help, reason) < 0;
  fprintf(stderr, "heft %s: error: %s", verb, reason);
  return 1;
}
