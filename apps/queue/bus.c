// SPDX-License-Identifier: Apache-2.0
#include "queue/bus.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "queue/server_version.h"

enum { WAIT_MS = 3000, URLS_MAX = 16 };

HeftStatus bus_denied(HeftError* error, const char* what) {
  return heft_error_set(error, HEFT_ERR_FILE,
                        "%s: the user of this connection has no right to do so; "
                        "docs/manual/sweep.md has the rights of each role",
                        what);
}

static HeftStatus fail(const Bus* b, HeftError* error, const char* what, natsStatus s,
                       jsErrCode code) {
  if (b->denied) return bus_denied(error, what);
  return heft_error_set(error, HEFT_ERR_FILE, "%s: %s%s%.0d", what, natsStatus_GetText(s),
                        code ? ", JetStream error " : "", (int)code);
}

int bus_wait(const Bus* b, double seconds) {
  for (double left = seconds; left > 0 && !*b->stop; left -= 0.05)
    nanosleep(&(struct timespec){0, 50000000}, NULL);
  return !*b->stop;
}

// ---- connection

void bus_hide(const char* urls, char* out, size_t size) {
  size_t used = 0;
  while (*urls && used + 1 < size) {
    const size_t length = strcspn(urls, ",");
    const char* slashes = strstr(urls, "://");
    const char* begin = slashes && slashes < urls + length ? slashes + 3 : urls;
    const char* at = urls + length;
    while (at > begin && *at != '@') --at;
    const char* host = at > begin ? at + 1 : begin;
    const int n = snprintf(out + used, size - used, "%.*s%.*s%s", (int)(begin - urls), urls,
                           (int)(urls + length - host), host, urls[length] ? "," : "");
    used += n > 0 ? (size_t)n : 0;
    urls += length + (urls[length] == ',');
  }
  out[used < size ? used : size - 1] = '\0';
}

static void on_lost(natsConnection* c, void* user) {
  (void)c;
  const Bus* b = user;
  if (!b->quiet && !*b->stop)
    fprintf(
        stderr,
        "the connection to the queue is lost; it is opened again as soon as a server answers\n");
}

static void on_back(natsConnection* c, void* user) {
  const Bus* b = user;
  char url[256] = "", shown[256];
  natsConnection_GetConnectedUrl(c, url, sizeof url);
  bus_hide(url, shown, sizeof shown);
  if (!b->quiet) fprintf(stderr, "connected again to %s\n", shown);
}

// Errors of subscriptions come back from the calls, too. A call that lacks a right gets no answer.
static void on_error(natsConnection* c, natsSubscription* s, natsStatus status, void* user) {
  (void)c, (void)s;
  Bus* b = user;
  if (status == NATS_NOT_PERMITTED) b->denied = 1;
}

// The library would report a missing file as a wrong one.
static HeftStatus check_files(const BusDef* d, HeftError* error) {
  const char* const files[] = {d->credentials, d->authority, d->certificate, d->key};
  for (int i = 0; i < 4; ++i)
    if (files[i] && access(files[i], R_OK) != 0)
      return heft_error_set(error, HEFT_ERR_FILE, "%.400s: %s", files[i], strerror(errno));
  return HEFT_OK;
}

static natsStatus set_security(natsOptions* o, const BusDef* d) {
  natsStatus s = NATS_OK;
  const int secure = strstr(d->urls, "tls://") != NULL || d->authority || d->certificate;
  if (secure) s = natsOptions_SetSecure(o, true);
  if (s == NATS_OK && d->authority) s = natsOptions_LoadCATrustedCertificates(o, d->authority);
  if (s == NATS_OK && d->certificate)
    s = natsOptions_LoadCertificatesChain(o, d->certificate, d->key);
  if (s == NATS_OK && d->credentials)
    s = natsOptions_SetUserCredentialsFromFiles(o, d->credentials, NULL);
  return s;
}

static natsStatus set_servers(natsOptions* o, const char* urls) {
  char* copy = strdup(urls);
  const char* server[URLS_MAX];
  int count = 0;
  char* rest = NULL;
  if (!copy) return NATS_NO_MEMORY;
  for (char* at = strtok_r(copy, ",", &rest); at && count < URLS_MAX;
       at = strtok_r(NULL, ",", &rest))
    server[count++] = at;
  const natsStatus s = count > 0 ? natsOptions_SetServers(o, server, count) : NATS_INVALID_ARG;
  free(copy);
  return s;
}

static natsStatus make_options(natsOptions** out, const BusDef* d, Bus* b) {
  natsOptions* o = NULL;
  natsStatus s = natsOptions_Create(&o);
  if (s == NATS_OK) s = set_servers(o, d->urls);
  if (s == NATS_OK) s = set_security(o, d);
  if (s == NATS_OK && d->name) s = natsOptions_SetName(o, d->name);
  if (s == NATS_OK) s = natsOptions_SetMaxReconnect(o, -1);
  if (s == NATS_OK) s = natsOptions_SetReconnectWait(o, 250);
  if (s == NATS_OK) s = natsOptions_SetTimeout(o, 2000);
  if (s == NATS_OK) s = natsOptions_SetPingInterval(o, 2000);
  if (s == NATS_OK) s = natsOptions_SetMaxPingsOut(o, 2);
  if (s == NATS_OK) s = natsOptions_SetFailRequestsOnDisconnect(o, true);
  if (s == NATS_OK) s = natsOptions_SetDisconnectedCB(o, on_lost, b);
  if (s == NATS_OK) s = natsOptions_SetReconnectedCB(o, on_back, b);
  if (s == NATS_OK) s = natsOptions_SetErrorHandler(o, on_error, b);
  *out = o;
  return s;
}

// A cluster has streams as soon as it has a leader.
static int has_streams(Bus* b, double patience) {
  const uint64_t until = heft_clock_ns() + (uint64_t)(1e9 * patience);
  do {
    jsAccountInfo* info = NULL;
    jsErrCode code = 0;
    if (js_GetAccountInfo(&info, b->js, NULL, &code) == NATS_OK) {
      jsAccountInfo_Destroy(info);
      return 1;
    }
  } while (heft_clock_ns() < until && bus_wait(b, 0.25));
  return 0;
}

static const char* advice(natsStatus s) {
  if (s == NATS_CONNECTION_AUTH_FAILED)
    return "the server refuses this user: look at the password in the address, or at --creds FILE";
  if (s == NATS_SSL_ERROR)
    return "the certificate of the server does not descend from those of --tls-ca FILE, or the "
           "files of --tls-cert and --tls-key do not fit together";
  if (s == NATS_PROTOCOL_ERROR)
    return "the server ends the conversation; if it verifies clients, it wants a certificate that "
           "it trusts: --tls-cert FILE --tls-key FILE";
  return "is nats-server running there, and are the files for TLS and credentials right?";
}

HeftStatus bus_open(Bus* b, const BusDef* d, HeftError* error) {
  natsOptions* o = NULL;
  char shown[200];
  const HeftStatus checked = check_files(d, error);
  bus_hide(d->urls, shown, sizeof shown);
  *b = (Bus){.stop = d->stop, .quiet = d->quiet};
  if (checked != HEFT_OK) return checked;
  natsStatus s = make_options(&o, d, b);
  if (s == NATS_OK) {
    const uint64_t until = heft_clock_ns() + (uint64_t)(1e9 * d->patience);
    do {
      s = natsConnection_Connect(&b->connection, o);
      // A wrong password does not get right by waiting.
      if (s == NATS_OK || s == NATS_CONNECTION_AUTH_FAILED || s == NATS_SSL_ERROR ||
          s == NATS_SECURE_CONNECTION_REQUIRED || s == NATS_SECURE_CONNECTION_WANTED)
        break;
    } while (heft_clock_ns() < until && bus_wait(b, 0.25));
  }
  natsOptions_Destroy(o);
  jsOptions options;
  jsOptions_Init(&options);
  options.Wait = WAIT_MS;
  if (s == NATS_OK) s = natsConnection_JetStream(&b->js, b->connection, &options);
  if (s == NATS_OK && !has_streams(b, d->patience)) {
    bus_close(b);
    return heft_error_set(error, HEFT_ERR_FILE,
                          "%s answers, but has no JetStream: give nats-server a section "
                          "jetstream, see docs/manual/sweep.md",
                          shown);
  }
  if (s == NATS_OK) {
    server_version_warn(b->connection, d->quiet);
    return HEFT_OK;
  }
  bus_close(b);
  return heft_error_set(error, HEFT_ERR_FILE, "no connection to %s: %s; %s", shown,
                        natsStatus_GetText(s), advice(s));
}

void bus_close(Bus* b) {
  b->quiet = 1;
  jsCtx_Destroy(b->js);
  natsConnection_Destroy(b->connection);
  b->js = NULL;
  b->connection = NULL;
}

// ---- repetition

// A call is worth repeating if the servers, not its arguments, are at fault.
static int passing(const Bus* b, natsStatus s, jsErrCode code) {
  if (b->denied) return 0;
  if (s == NATS_NO_RESPONDERS) return 1;  // no leader yet; the library says "not enabled"
  if (code == JSClusterNotAvailErr || code == JSClusterNotLeaderErr ||
      code == JSClusterNoPeersErr || code == JSClusterIncompleteErr ||
      code == JSClusterNotAssignedErr || code == JSInsufficientResourcesErr ||
      code == JSStreamOfflineErr || code == JSConsumerOfflineErr)
    return 1;
  return code == 0 &&
         (s == NATS_TIMEOUT || s == NATS_CONNECTION_CLOSED || s == NATS_CONNECTION_DISCONNECTED ||
          s == NATS_IO_ERROR || s == NATS_NO_SERVER || s == NATS_STALE_CONNECTION ||
          s == NATS_INSUFFICIENT_BUFFER || s == NATS_NOT_YET_CONNECTED);
}

static HeftStatus stopped(HeftError* error) {
  return heft_error_set(error, HEFT_ERR_STOPPED, "stopped while the queue did not answer");
}

// ---- streams

static natsStatus add_stream(Bus* b, const BusStream* d, int replicas, jsErrCode* code) {
  jsStreamConfig c;
  jsStreamConfig_Init(&c);
  c.Name = d->name;
  const char* subjects[1] = {d->subjects};
  c.Subjects = subjects;
  c.SubjectsLen = 1;
  c.Storage = js_FileStorage;
  c.Retention = d->work ? js_WorkQueuePolicy : js_LimitsPolicy;
  c.MaxMsgsPerSubject = d->last ? 1 : -1;
  c.Replicas = replicas;
  c.AllowDirect = true;
  *code = 0;
  return js_AddStream(NULL, b->js, &c, NULL, code);
}

HeftStatus bus_stream(Bus* b, const BusStream* d, HeftError* error) {
  int replicas = d->replicas ? d->replicas : 3;
  jsErrCode code = 0;
  natsStatus s;
  int tries = 0;
  for (;;) {
    jsStreamState state;
    const HeftStatus known = bus_state(b, d->name, &state, error);
    if (known != HEFT_ERR_NAME) return known;
    s = add_stream(b, d, replicas, &code);
    if (s == NATS_OK || code == JSStreamNameExistErr) return HEFT_OK;
    if (code == JSStreamReplicasNotSupportedErr && !d->replicas && replicas > 1) {
      replicas = 1;
      continue;
    }
    if (!passing(b, s, code)) break;
    // Two servers of three are not there, or never were.
    if (code == JSClusterNoPeersErr && ++tries > 40) break;
    if (!bus_wait(b, 0.25)) return stopped(error);
  }
  if (code == JSClusterNoPeersErr)
    return heft_error_set(error, HEFT_ERR_FILE,
                          "the cluster has fewer than %d servers; start them, or give --replicas 1",
                          replicas);
  return fail(b, error, "a stream cannot be created", s, code);
}

HeftStatus bus_consumer(Bus* b, const char* stream, double ack_wait, HeftError* error) {
  for (;;) {
    jsConsumerConfig c;
    jsErrCode code = 0;
    jsConsumerConfig_Init(&c);
    c.Durable = "workers";
    c.AckPolicy = js_AckExplicit;
    c.AckWait = (int64_t)(1e9 * ack_wait);
    c.MaxDeliver = -1;
    c.MaxAckPending = -1;
    c.MaxWaiting = 65536;
    const natsStatus s = js_AddConsumer(NULL, b->js, stream, &c, NULL, &code);
    if (s == NATS_OK || code == JSConsumerNameExistErr) return HEFT_OK;
    if (!passing(b, s, code)) return fail(b, error, "a consumer cannot be created", s, code);
    if (!bus_wait(b, 0.25)) return stopped(error);
  }
}

HeftStatus bus_state(Bus* b, const char* stream, jsStreamState* out, HeftError* error) {
  for (;;) {
    jsStreamInfo* info = NULL;
    jsErrCode code = 0;
    const natsStatus s = js_GetStreamInfo(&info, b->js, stream, NULL, &code);
    if (s == NATS_OK) {
      *out = info->State;
      out->Subjects = NULL;
      out->Deleted = NULL;
      out->Lost = NULL;
      jsStreamInfo_Destroy(info);
      return HEFT_OK;
    }
    if (code == JSStreamNotFoundErr || (s == NATS_NOT_FOUND && code == 0))
      return heft_error_set(error, HEFT_ERR_NAME, "the queue has no stream %s", stream);
    if (!passing(b, s, code))
      return fail(b, error, "the state of a stream cannot be read", s, code);
    if (!bus_wait(b, 0.25)) return stopped(error);
  }
}

HeftStatus bus_pending(Bus* b, const char* stream, int64_t* waiting, int64_t* running,
                       HeftError* error) {
  for (;;) {
    jsConsumerInfo* info = NULL;
    jsErrCode code = 0;
    const natsStatus s = js_GetConsumerInfo(&info, b->js, stream, "workers", NULL, &code);
    if (s == NATS_OK) {
      *waiting = (int64_t)info->NumPending;
      *running = info->NumAckPending;
      jsConsumerInfo_Destroy(info);
      return HEFT_OK;
    }
    if (code == JSStreamNotFoundErr || code == JSConsumerNotFoundErr || s == NATS_NOT_FOUND)
      return heft_error_set(error, HEFT_ERR_NAME, "the queue has no consumer of %s", stream);
    if (!passing(b, s, code))
      return fail(b, error, "the state of a consumer cannot be read", s, code);
    if (!bus_wait(b, 0.25)) return stopped(error);
  }
}

HeftStatus bus_remove(Bus* b, const char* stream, HeftError* error) {
  for (;;) {
    jsErrCode code = 0;
    const natsStatus s = js_DeleteStream(b->js, stream, NULL, &code);
    if (s == NATS_OK || code == JSStreamNotFoundErr) return HEFT_OK;
    if (!passing(b, s, code)) return fail(b, error, "a stream cannot be removed", s, code);
    if (!bus_wait(b, 0.25)) return stopped(error);
  }
}

HeftStatus bus_purge(Bus* b, const char* stream, const char* subjects, HeftError* error) {
  for (;;) {
    jsOptions options;
    jsErrCode code = 0;
    jsOptions_Init(&options);
    options.Stream.Purge.Subject = subjects;
    const natsStatus s = js_PurgeStream(b->js, stream, &options, &code);
    if (s == NATS_OK) return HEFT_OK;
    if (code == JSStreamNotFoundErr)
      return heft_error_set(error, HEFT_ERR_NAME, "the queue has no stream %s", stream);
    if (!passing(b, s, code)) return fail(b, error, "messages cannot be removed", s, code);
    if (!bus_wait(b, 0.25)) return stopped(error);
  }
}

// ---- messages

HeftStatus bus_publish(Bus* b, const char* stream, const char* subject, const void* bytes,
                       size_t size, const char* id, HeftError* error) {
  jsPubOptions options;
  jsPubOptions_Init(&options);
  options.MsgId = id;
  options.MaxWait = WAIT_MS;
  for (;;) {
    jsErrCode code = 0;
    const natsStatus s = js_Publish(NULL, b->js, subject, bytes, (int)size, &options, &code);
    if (s == NATS_OK) return HEFT_OK;
    if (!passing(b, s, code)) return fail(b, error, "a message cannot be published", s, code);
    if (s == NATS_NO_RESPONDERS) {
      jsStreamState state;
      const HeftStatus known = bus_state(b, stream, &state, error);
      if (known != HEFT_OK) return known;
    }
    if (!bus_wait(b, 0.2)) return stopped(error);
  }
}

HeftStatus bus_next(Bus* b, const char* stream, const char* subjects, uint64_t from, natsMsg** out,
                    HeftError* error) {
  jsDirectGetMsgOptions options;
  jsDirectGetMsgOptions_Init(&options);
  options.Sequence = from > 0 ? from : 1;
  options.NextBySubject = subjects;
  for (int tries = 0;; ++tries) {
    *out = NULL;
    const natsStatus s = js_DirectGetMsg(out, b->js, stream, NULL, &options);
    if (s == NATS_OK) return HEFT_OK;
    if (s == NATS_NOT_FOUND || tries == 3)
      return heft_error_set(error, HEFT_ERR_NAME, "no further message");
    if (!passing(b, s, 0)) return fail(b, error, "a message cannot be read", s, 0);
    if (!bus_wait(b, 0.1)) return stopped(error);
  }
}

HeftStatus bus_last(Bus* b, const char* stream, const char* subject, natsMsg** out,
                    HeftError* error) {
  for (;;) {
    jsErrCode code = 0;
    *out = NULL;
    const natsStatus s = js_GetLastMsg(out, b->js, stream, subject, NULL, &code);
    if (s == NATS_OK) return HEFT_OK;
    if (code == JSNoMessageFoundErr || code == JSStreamNotFoundErr || s == NATS_NOT_FOUND)
      return heft_error_set(error, HEFT_ERR_NAME, "the queue has no %s", subject);
    if (!passing(b, s, code)) return fail(b, error, "a message cannot be read", s, code);
    if (!bus_wait(b, 0.2)) return stopped(error);
  }
}
