// SPDX-License-Identifier: Apache-2.0
// A connection to NATS JetStream. Calls are repeated while servers are lost, restarted or elect a
// leader, until *stop is set: a cluster that is gone for an hour delays a sweep by an hour.
#ifndef HEFT_APPS_QUEUE_BUS_H
#define HEFT_APPS_QUEUE_BUS_H

#include <nats/nats.h>
#include <signal.h>

#include "queue/message.h"

/// How to reach the servers. All pointers may be NULL but urls and stop.
typedef struct BusDef {
  const char* urls;                           ///< nats://HOST:PORT or tls://..., by commas
  const char* credentials;                    ///< file of NATS: token and seed of a user
  const char *authority, *certificate, *key;  ///< PEM files for TLS
  const char* name;                           ///< shown by the servers
  double patience;                            ///< for the first connection [s]
  int quiet;                                  ///< 1: no messages when servers come and go
  volatile sig_atomic_t* stop;
} BusDef;

typedef struct Bus {
  natsConnection* connection;
  jsCtx* js;
  volatile sig_atomic_t* stop;
  int quiet;
  volatile sig_atomic_t denied;  ///< 1: the servers denied a right
} Bus;

typedef struct BusStream {
  const char* name;
  const char* subjects;  ///< may have a wildcard
  int work;              ///< 1: a message is removed when it is acknowledged
  int last;              ///< 1: only the last message of each subject is kept
  int replicas;          ///< 0: 3, or 1 if there is one server
} BusStream;

/// out must live as long as the program: the library calls back after bus_close(), too.
HeftStatus bus_open(Bus* out, const BusDef* def, HeftError* error);
void bus_close(Bus* bus);
/// Addresses without users and passwords, for messages.
void bus_hide(const char* urls, char* out, size_t size);
/// HEFT_ERR_FILE: the servers denied a right.
HeftStatus bus_denied(HeftError* error, const char* what);
/// Waits, but not longer than until *stop. Returns 0 if *stop is set.
int bus_wait(const Bus* bus, double seconds);

/// Creates a stream, or leaves it as it is.
HeftStatus bus_stream(Bus* bus, const BusStream* stream, HeftError* error);
/// Creates the consumer that all workers share.
HeftStatus bus_consumer(Bus* bus, const char* stream, double ack_wait, HeftError* error);
/// Numbers of a stream. HEFT_ERR_NAME: there is none of this name.
HeftStatus bus_state(Bus* bus, const char* stream, jsStreamState* out, HeftError* error);
/// Messages that the consumer has not delivered, and those that are delivered but not acknowledged.
HeftStatus bus_pending(Bus* bus, const char* stream, int64_t* waiting, int64_t* running,
                       HeftError* error);
/// Publishes and waits until a majority of the servers has the message. Servers drop a message with
/// the same id within two minutes; id may be NULL. HEFT_ERR_NAME: the stream is gone.
HeftStatus bus_publish(Bus* bus, const char* stream, const char* subject, const void* bytes,
                       size_t size, const char* id, HeftError* error);
/// The first message from sequence `from` on whose subject fits. HEFT_ERR_NAME: there is none now,
/// or its server does not answer.
HeftStatus bus_next(Bus* bus, const char* stream, const char* subjects, uint64_t from,
                    natsMsg** out, HeftError* error);
/// Removes the messages of some subjects.
HeftStatus bus_purge(Bus* bus, const char* stream, const char* subjects, HeftError* error);
/// Removes a stream, if there is one.
HeftStatus bus_remove(Bus* bus, const char* stream, HeftError* error);
/// The last message of a subject. HEFT_ERR_NAME: there is none.
HeftStatus bus_last(Bus* bus, const char* stream, const char* subject, natsMsg** out,
                    HeftError* error);

#endif
