// SPDX-License-Identifier: Apache-2.0
// Options of verbs that use the queue of sweeps, and signals that stop them.
#ifndef HEFT_APPS_QUEUE_OPTIONS_H
#define HEFT_APPS_QUEUE_OPTIONS_H

#include <signal.h>

#include "sweep_verbs.h"

typedef struct QueueOptions {
  const char *urls, *credentials, *authority, *certificate, *key;
} QueueOptions;

#define QUEUE_OPTIONS_COUNT 5
#define QUEUE_OPTIONS(o)                                                            \
  {"--nats", &(o).urls, NULL}, {"--creds", &(o).credentials, NULL},                 \
      {"--tls-ca", &(o).authority, NULL}, {"--tls-cert", &(o).certificate, NULL}, { \
    "--tls-key", &(o).key, NULL                                                     \
  }
#define QUEUE_OPTIONS_HELP                                                            \
  "  --nats URL[,URL...]    servers of the queue (default: the environment variable " \
  "HEFT_NATS,\n"                                                                      \
  "                         else nats://127.0.0.1:4222); tls://... encrypts\n"        \
  "  --creds FILE           credentials of a NATS user\n"                             \
  "  --tls-ca FILE          certificates that the servers must descend from (PEM)\n"  \
  "  --tls-cert FILE        certificate of this client, with\n"                       \
  "  --tls-key FILE         its private key\n"

/// Fills in what was not given, and checks. 0: wrong (reported).
int queue_options_check(QueueOptions* options, const char* verb);
/// Reads a number of an option. text NULL: usual. 0: wrong (reported).
int queue_options_number(const char* verb, const char* name, const char* text, double usual,
                         double min, double max, double* out);
/// Set by SIGINT and SIGTERM; a second one ends the program.
extern volatile sig_atomic_t queue_stopped;
void queue_catch_signals(void);
/// A verb in a program without libnats: prints its help, or what to install. Returns the exit code.
int queue_absent(const char* verb, const char* help, int argc, char** argv);

#endif
