// SPDX-License-Identifier: Apache-2.0
// One thread: libwebsockets is asked for events between two steps. A server is trusted with the
// world, not with the memory of this program: all sizes are checked, and model and state are read
// by the readers that check them.
#include <libwebsockets.h>
#include <stdio.h>
#include <string.h>
#include "serve/serve.h"

#include "base/allocator.h"
#include "base/assert.h"
#include "base/bytes.h"
#include "base/error.h"
#include "serve/sharing.h"

enum { MODEL_KIND = 2, START_KIND = 4, FRAMES_KIND = 5, PART = 12, WHY = 200, OUT = 2048 };

static const size_t size_max = (size_t)1 << 28;       // of a model or a state
static const uint64_t send_ns = 8000000u;             // between two messages
static const uint64_t correct_ns = 16000000u;         // between two corrections
static const uint64_t join_ns = 20000000000u;         // for the model and the state
static const int spare = 10, slack = 20, looks = 30;  // margin that is wanted, allowed [steps]

// Bytes that come in parts.
typedef struct Parts {
  unsigned char* bytes;
  size_t size, have;
} Parts;

struct HeftGuest {
  HeftAllocator allocator;
  struct lws_protocols protocols[2];
  struct lws_context* context;
  struct lws* socket;
  char host[256], path[256], token[HEFT_SERVE_TOKEN_MAX + 1], why[WHY];
  int ended;
  const char* say;  // the next text to send, NULL: none
  char hello[HEFT_SERVE_TOKEN_MAX + 64];
  Parts message, image, start;
  int binary;
  HeftModel* model;
  HeftWorld* world;
  HeftSession* session;
  Shared* shared;
  int seat, users;
  FrameInput ring[FRAME_RING * FRAME_USERS];
  uint64_t now, heard_ns, sent, sent_ns, corrected_ns, compared;
  double lead;  // steps that this copy is ahead of the server
  int least, looked;
  HeftGuestReport report;
};

static void end_it(HeftGuest* g, const char* why) {
  if (!g->ended) snprintf(g->why, sizeof g->why, "%.190s", why);
  g->ended = 1;
}

// ---- memory

static int make_room(HeftGuest* g, Parts* p, size_t size) {
  if (size <= p->size) return 1;
  if (size > size_max) return 0;
  unsigned char* bytes = g->allocator.allocate(g->allocator.user, 2 * size, 64);
  if (!bytes) return 0;
  if (p->bytes) {
    memcpy(bytes, p->bytes, p->have);
    g->allocator.release(g->allocator.user, p->bytes, p->size);
  }
  p->bytes = bytes;
  p->size = 2 * size;
  return 1;
}

static void release(HeftGuest* g, Parts* p) {
  if (p->bytes) g->allocator.release(g->allocator.user, p->bytes, p->size);
  *p = (Parts){0};
}

// ---- what comes

static void say(HeftGuest* g, const char* text) {
  g->say = text;
  lws_callback_on_writable(g->socket);
}

// The server's texts are JSON in a fixed form (greeting.c).
static void read_text(HeftGuest* g, const char* text) {
  const char* seat = strstr(text, "\"seat\":");
  if (strncmp(text, "{\"type\":\"welcome\"", 17) == 0) {
    snprintf(g->hello, sizeof g->hello, "{\"type\":\"hello\",\"version\":1,\"token\":\"%s\"}",
             g->token);
    say(g, g->hello);
  } else if (strncmp(text, "{\"type\":\"role\"", 14) == 0 && seat) {
    g->seat = seat[7] - '0';
    if (g->seat < 0 || g->seat >= FRAME_USERS) end_it(g, "the server gives no seat");
    say(g, "{\"type\":\"model\"}");
  } else if (strncmp(text, "{\"type\":\"error\"", 15) == 0) {
    end_it(g, text);
  }
}

// A part of the model or of the start. 1: it is complete.
static int read_part(HeftGuest* g, Parts* p, const unsigned char* at, size_t size) {
  const unsigned char* head = at + 4;
  const size_t all = (size_t)bytes_get(&head, 4), from = (size_t)bytes_get(&head, 4);
  const size_t count = size - PART;
  if (all == 0 || all > size_max || from != p->have || count > all - from ||
      !make_room(g, p, all)) {
    end_it(g, "the server sends a model or a state that is damaged, or too large");
    return 0;
  }
  memcpy(p->bytes + from, at + PART, count);
  p->have += count;
  return p->have == all;
}

static void read_model(HeftGuest* g) {
  HeftError error = {0};
  if (heft_model_load(&g->model, g->image.bytes, g->image.have, NULL, &error) == HEFT_OK) {
    say(g, "{\"type\":\"join\"}");
  } else {
    end_it(g, error.message);
  }
}

static const unsigned char* get_probe(const unsigned char* at, HeftProbeDef* p) {
  double number[FRAME_PROBE];
  at = bytes_get_array(at, number, FRAME_PROBE, 8);
  *p = frame_probe_def(number);
  return at;
}

static HeftStatus open_copy(HeftGuest* g, HeftError* error) {
  const unsigned char *at = g->start.bytes, *end = at + g->start.have;
  HeftProbeDef probes[FRAME_USERS];
  HeftWorldDef def = heft_world_def_default();
  if (g->start.have < SHARING_START_HEAD) return HEFT_ERR_SYNTAX;
  const uint64_t step = bytes_get(&at, 8), users = bytes_get(&at, 8);
  def.time_step = bytes_get_double(&at);
  if (users > FRAME_USERS || (size_t)(end - at) < users * FRAME_PROBE * 8 || g->seat >= (int)users)
    return HEFT_ERR_SYNTAX;
  g->users = (int)users;
  for (int i = 0; i < g->users; ++i) at = get_probe(at, &probes[i]);
  HeftStatus status = heft_world_create(&g->world, g->model, &def, error);
  if (status == HEFT_OK)
    status = heft_session_create(&g->session, g->world, g->users, probes, NULL, error);
  if (status == HEFT_OK) status = heft_session_restore(g->session, at, (size_t)(end - at));
  const SharedDef copy = {.world = g->world,
                          .session = g->session,
                          .self = g->seat,
                          .depth = sharing_depth(heft_world_time_step(g->world)),
                          .step = step};
  return status == HEFT_OK ? shared_create(&g->shared, &copy, NULL, error) : status;
}

static void read_start(HeftGuest* g) {
  HeftError error = {0};
  if (open_copy(g, &error) == HEFT_OK) {
    g->sent = shared_present(g->shared);
  } else {
    end_it(g, error.message[0] ? error.message : "the state of the shared world is damaged");
  }
}

// The copy runs ahead of the server, so that its inputs arrive just in time.
static void pace(HeftGuest* g, int margin) {
  const double ahead_max = 0.5 * sharing_depth(heft_world_time_step(g->world));
  if (g->looked == 0 || margin < g->least) g->least = margin;
  if (++g->looked < looks) return;
  if (g->least < spare) {
    g->lead += spare - g->least;
  } else if (g->least > slack) {
    g->lead -= 0.2 * (g->least - spare);
  }
  g->lead = g->lead < 0 ? 0 : g->lead > ahead_max ? ahead_max : g->lead;
  g->looked = 0;
}

static void compare(HeftGuest* g, uint64_t step, uint64_t hash) {
  uint64_t own = 0;
  const uint64_t value = shared_hash(g->shared, &own);
  if (step == 0 || own != step || g->compared == step) return;
  g->compared = step;
  ++g->report.compared;
  if (value == hash) return;
  ++g->report.different;
  end_it(g, "this copy of the shared world differs from the server");
}

static void read_frames(HeftGuest* g, const unsigned char* at, size_t size) {
  const unsigned char *head = at + 4, *block = at + SHARING_FRAMES_HEAD;
  uint64_t first = 0;
  if (!g->shared || size < SHARING_FRAMES_HEAD) return;
  const int count = frame_read(block, size - SHARING_FRAMES_HEAD, g->users, &first, g->ring);
  if (count < 0) {
    end_it(g, "the server sends damaged inputs");
    return;
  }
  const int margin = (int32_t)(uint32_t)bytes_get(&head, 4);
  g->now = bytes_get(&head, 8);
  g->heard_ns = heft_clock_ns();
  const uint64_t step = bytes_get(&head, 8), hash = bytes_get(&head, 8);
  compare(g, step, hash);
  shared_take(g->shared, first, count, g->ring);
  pace(g, margin);
}

static void read_binary(HeftGuest* g, const unsigned char* at, size_t size) {
  if (size < PART) return;
  if (at[0] == MODEL_KIND && !g->model && read_part(g, &g->image, at, size)) read_model(g);
  if (at[0] == START_KIND && !g->shared && read_part(g, &g->start, at, size)) read_start(g);
  if (at[0] == FRAMES_KIND) read_frames(g, at, size);
}

// A message may come in parts; a zero ends it.
static void receive(HeftGuest* g, const void* bytes, size_t size) {
  Parts* m = &g->message;
  if (lws_is_first_fragment(g->socket)) {
    m->have = 0;
    g->binary = lws_frame_is_binary(g->socket);
  }
  if (!make_room(g, m, m->have + size + 1)) {
    end_it(g, "a message of the server is too long");
    return;
  }
  memcpy(m->bytes + m->have, bytes, size);
  m->have += size;
  if (!lws_is_final_fragment(g->socket)) return;
  m->bytes[m->have] = '\0';
  if (g->binary) {
    read_binary(g, m->bytes, m->have);
  } else {
    read_text(g, (const char*)m->bytes);
  }
}

// ---- what goes

static int write_next(HeftGuest* g) {
  unsigned char memory[LWS_PRE + OUT], *at = memory + LWS_PRE;
  if (g->say) {
    const size_t size = strlen(g->say);
    memcpy(at, g->say, size);
    g->say = NULL;
    return lws_write(g->socket, at, size, LWS_WRITE_TEXT) < 0 ? -1 : 0;
  }
  if (!g->shared) return 0;
  if (g->sent < shared_known(g->shared)) g->sent = shared_known(g->shared);  // those are final
  if (g->sent >= shared_present(g->shared)) return 0;
  const size_t size = shared_inputs(g->shared, g->sent, SHARING_BLOCK, at, OUT);
  const unsigned char* count = at + 8;
  g->sent += bytes_get(&count, 2);
  g->sent_ns = heft_clock_ns();
  return lws_write(g->socket, at, size, LWS_WRITE_BINARY) < 0 ? -1 : 0;
}

static int on_event(struct lws* wsi, enum lws_callback_reasons reason, void* user, void* in,
                    size_t length) {
  (void)user;
  HeftGuest* g = wsi ? lws_context_user(lws_get_context(wsi)) : NULL;
  if (!g) return 0;
  switch ((int)reason) {
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
      end_it(g, in ? (const char*)in : "there is no connection");
      return 0;
    case LWS_CALLBACK_CLIENT_RECEIVE:
      receive(g, in, length);
      return g->ended ? -1 : 0;
    case LWS_CALLBACK_CLIENT_WRITEABLE:
      return write_next(g);
    case LWS_CALLBACK_CLIENT_CLOSED:
      end_it(g, "the server closed the connection");
      return 0;
    default:
      return 0;
  }
}

// ---- life

static int read_address(HeftGuest* g, const char* address, int* port, int* tls) {
  char text[512], *fragment;
  const char *scheme, *host, *path;
  snprintf(text, sizeof text, "%.511s", address);
  fragment = strstr(text, "#token=");
  if (fragment) {
    snprintf(g->token, sizeof g->token, "%.128s", fragment + 7);
    *fragment = '\0';
  }
  if (lws_parse_uri(text, &scheme, &host, port, &path)) return 0;
  *tls = strcmp(scheme, "https") == 0 || strcmp(scheme, "wss") == 0;
  snprintf(g->host, sizeof g->host, "%.255s", host);
  snprintf(g->path, sizeof g->path, "/%.250s", path);
  return g->host[0] != '\0' && heft_serve_check_token(g->token, NULL) == HEFT_OK;
}

static void connect_it(HeftGuest* g, int port, int tls) {
  struct lws_context_creation_info info = {0};
  g->protocols[0] = (struct lws_protocols){.name = "heft-1", .callback = on_event};
  info.port = CONTEXT_PORT_NO_LISTEN;
  info.protocols = g->protocols;
  info.user = g;
  info.gid = info.uid = -1;
  if (tls) info.options |= LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
  lws_set_log_level(0, NULL);
  g->context = lws_create_context(&info);
  if (!g->context) {
    end_it(g, "libwebsockets did not start");
    return;
  }
  const struct lws_client_connect_info to = {.context = g->context,
                                             .address = g->host,
                                             .host = g->host,
                                             .port = port,
                                             .path = g->path,
                                             .protocol = "heft-1",
                                             .pwsi = &g->socket,
                                             .ssl_connection = tls ? LCCSCF_USE_SSL : 0};
  if (!lws_client_connect_via_info(&to)) end_it(g, "there is no connection");
}

HeftStatus heft_guest_join(HeftGuest** out, const char* address, HeftError* error) {
  HEFT_REQUIRE(out && address, HEFT_ERR_ARGUMENT);
  const HeftAllocator a = heft_allocator_default();
  int port = 0, tls = 0;
  *out = NULL;
  HeftGuest* g = a.allocate(a.user, sizeof *g, 64);
  if (!g) return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for a shared world");
  memset(g, 0, sizeof *g);
  g->allocator = a;
  g->lead = 30;
  if (read_address(g, address, &port, &tls)) {
    connect_it(g, port, tls);
  } else {
    end_it(g, "expected an address as heft serve prints it, http://HOST:PORT/#token=...");
  }
  const uint64_t end = heft_clock_ns() + join_ns;
  while (!g->ended && !(g->shared && g->heard_ns > 0)) {
    lws_service(g->context, 0);
    if (heft_clock_ns() > end) end_it(g, "the server does not answer");
  }
  if (!g->ended) {
    *out = g;
    return HEFT_OK;
  }
  const HeftStatus status = heft_error_set(error, HEFT_ERR_FILE, "%s", g->why);
  heft_guest_leave(g);
  return status;
}

void heft_guest_leave(HeftGuest* g) {
  if (!g) return;
  const HeftAllocator a = g->allocator;
  if (g->context) lws_context_destroy(g->context);
  shared_destroy(g->shared);
  heft_session_destroy(g->session);
  heft_world_destroy(g->world);
  heft_model_destroy(g->model);
  release(g, &g->message);
  release(g, &g->image);
  release(g, &g->start);
  a.release(a.user, g, sizeof *g);
}

const HeftModel* heft_guest_model(const HeftGuest* g) { return g->model; }
const char* heft_guest_end(const HeftGuest* g) { return g->why; }

HeftGuestReport heft_guest_report(const HeftGuest* g) {
  const SharedReport r = shared_report(g->shared);
  HeftGuestReport out = g->report;
  out.present = shared_present(g->shared);
  out.deepest = r.deepest;
  out.corrections = r.corrections;
  out.waits = r.waits;
  out.refused = r.refused;
  return out;
}

int heft_guest_turn(HeftGuest* g, const HeftProbeInput* hand, HeftLocalModel* felt) {
  HEFT_REQUIRE(g && hand && felt, -1);
  const uint64_t now = heft_clock_ns();
  const double since = (double)(now - g->heard_ns) * 1e-9;
  int changed = 0;
  lws_service(g->context, -1);
  if (g->ended) return -1;
  if (now >= g->corrected_ns + correct_ns && shared_correct(g->shared, felt) > 0) {
    g->corrected_ns = now;
    changed = 1;
  }
  const double due = (double)g->now + since / heft_world_time_step(g->world) + g->lead;
  for (int k = 0; k < 100 && (double)shared_present(g->shared) < due; ++k) {
    if (!shared_step(g->shared, hand, felt)) break;
    changed = 1;
  }
  if (now >= g->sent_ns + send_ns || shared_present(g->shared) >= g->sent + SHARING_BLOCK)
    lws_callback_on_writable(g->socket);
  return changed;
}
