// SPDX-License-Identifier: Apache-2.0
// The network thread: HTTP and WebSocket by libwebsockets. It reads pictures from the station and
// writes commands to it, and never touches the world.
//
// A client costs a Session and the buffers of its socket. It is written to only when its socket
// accepts bytes, one message at a time, in this order: an answer, the welcome, a part of the model,
// the newest picture. A picture exists once in its two forms, for all clients.
//
// Connections that are no clients yet, because their request is not complete, wait in a row. If the
// row is full, a new one ends the oldest: requests that drip in do not keep others out, whose
// request is there when they connect. If all places of watchers are taken, a few more clients may
// come for a while and show the token: watchers do not keep users out.
#define _DEFAULT_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <libwebsockets.h>
#include <linux/sockios.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
#include "serve/serve.h"

#include "base/assert.h"
#include "base/bytes.h"
#include "base/error.h"
#include "serve/admission.h"
#include "serve/command.h"
#include "serve/greeting.h"
#include "serve/page.h"
#include "serve/station.h"

enum {
  PART_SIZE = 16384,    // of the model and of the welcome in one write
  FILE_PART = 1 << 16,  // of a file of the page in one write
  PART_HEAD = 12,       // kind, zeros, size, offset
  MODEL_KIND = 2,       // of a message with a part of the model
  START_KIND = 4,       // of the state for one that joins
  WHOLE_EVERY = 150,    // pictures
  UNSENT_MAX = 8192,    // bytes in the socket of a client that is not late
  WRONG_TOKENS = 3,
  WAITING_MIN = 64,
  WAITING_MAX = 2048,  // connections without a client, if the process may open as many files
  SPARE_FILES = 128,
  SEEKERS_MAX = 16,       // clients beyond the watchers, who may show the token
  SEND_BUFFER = 1 << 17,  // of a socket
  FRAMES_EVERY = 8000,    // of a shared world [µs]
  PATH_SIZE = 2048,
  HEADER_SIZE = 256,
  PROTOCOL_ERROR = 1002,
  POLICY = 1008,
  TOO_LONG = 1009,
  BUSY = 1013
};

static const uint64_t seek_ns = 3000000000u;  // time of a seeker to show the token

typedef struct Session {
  struct lws* socket;
  struct Session* next;
  char address[64];   // of the client
  int seat;           // -1: a watcher
  uint64_t seeks_ns;  // since when it is beyond the watchers; 0: it is not
  uint32_t has;       // number of the last picture; 0: none
  uint64_t refilled_ns;
  double allowance;  // messages
  int mistakes, wrong_tokens;
  int pulls;  // 1: its hand may hold a body
  int owes_role, owes_error;
  size_t welcomed;   // bytes of the welcome that were sent
  size_t model_at;   // bytes of the model that were sent; the size of the model: all
  int picture_next;  // 1: a picture comes before the next part of the model
  int joins;         // 1: waits for its start; 2: gets it; 3: has it
  size_t start_at;   // bytes of the start that were sent
  uint64_t wants;    // step whose final inputs it gets next
  int close_code;
  size_t text_size;  // of the message that arrives
  char text[MESSAGE_SIZE_MAX];
  char error[GREETING_NOTE];
} Session;

typedef struct Counts {
  atomic_long connections, refused, closed, messages, mistakes, forbidden, commands, pictures,
      whole, skipped;
  atomic_int clients, users;
} Counts;

// A message of the server, with the room that libwebsockets wants before it.
typedef struct Bytes {
  unsigned char* memory;
  size_t capacity, size;
} Bytes;

struct HeftServer {
  HeftAllocator allocator;
  HeftServeDef def;
  const HeftModel* model;
  Station station;
  struct lws_protocols protocols[2];
  lws_retry_bo_t pings;
  struct lws_context* context;
  struct lws_vhost* host;
  pthread_t thread;
  int started, port;
  atomic_int quit;
  Counts counts;
  // used only by the network thread
  lws_sorted_usec_list_t timer, frames_timer;
  HeftJsonText welcome;
  unsigned char* image;  // the compiled model
  size_t image_size;
  Picture picture, before;
  uint32_t number;
  PictureLabel label;  // of the picture
  uint64_t labelled_ns;
  Bytes change, whole, part;
  int change_ready, whole_ready;
  Session* sessions;  // all of them
  Session* seat[PICTURE_HANDS];
  unsigned releases;                 // bit per seat: a release found no room in the queue
  struct lws* waiting[WAITING_MAX];  // the oldest first
  int waiting_count, waiting_max;
};

static void add(atomic_long* counter) {
  atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
}

// ---- bytes

static int bytes_make(Bytes* b, size_t capacity, const HeftAllocator* a) {
  b->capacity = LWS_PRE + capacity;
  b->memory = a->allocate(a->user, b->capacity, 64);
  return b->memory != NULL;
}

static void bytes_free(Bytes* b, const HeftAllocator* a) {
  if (b->memory) a->release(a->user, b->memory, b->capacity);
}

// 0: the connection has failed.
static int send_bytes(Session* s, Bytes* b, enum lws_write_protocol how) {
  return lws_write(s->socket, b->memory + LWS_PRE, b->size, how) >= (int)b->size;
}

// ---- answers

static void answer_error(HeftServer* v, Session* s, const char* why) {
  (void)v;
  greeting_error(why, s->error);
  s->owes_error = 1;
  lws_callback_on_writable(s->socket);
}

static void close_it(HeftServer* v, Session* s, int code, const char* why) {
  if (s->close_code) return;
  add(&v->counts.closed);
  s->close_code = code;
  lws_close_reason(s->socket, (enum lws_close_status)code, (unsigned char*)(uintptr_t)why,
                   strlen(why));
}

static int send_text(HeftServer* v, Session* s, const char* text) {
  v->part.size = strlen(text);
  memcpy(v->part.memory + LWS_PRE, text, v->part.size);
  return send_bytes(s, &v->part, LWS_WRITE_TEXT);
}

static int send_role(HeftServer* v, Session* s) {
  char text[GREETING_NOTE];
  greeting_role(s->seat, v->def.rights, text);
  s->owes_role = 0;
  return send_text(v, s, text);
}

static int send_error(HeftServer* v, Session* s) {
  s->owes_error = 0;
  return send_text(v, s, s->error);
}

static int send_welcome(HeftServer* v, Session* s) {
  const size_t all = v->welcome.text.size, left = all - s->welcomed;
  const size_t size = left < PART_SIZE ? left : PART_SIZE;
  const int how = (s->welcomed == 0 ? LWS_WRITE_TEXT : LWS_WRITE_CONTINUATION) |
                  (size < left ? LWS_WRITE_NO_FIN : 0);
  memcpy(v->part.memory + LWS_PRE, v->welcome.text.bytes + s->welcomed, size);
  v->part.size = size;
  s->welcomed += size;
  return send_bytes(s, &v->part, (enum lws_write_protocol)how);
}

static void put_u32(unsigned char* at, size_t x) {
  for (int k = 0; k < 4; ++k) at[k] = (unsigned char)(x >> (8 * k));
}

static int send_part(HeftServer* v, Session* s, int kind, const unsigned char* all, size_t all_size,
                     size_t* sent) {
  const size_t left = all_size - *sent, size = left < PART_SIZE ? left : PART_SIZE;
  unsigned char* at = v->part.memory + LWS_PRE;
  memset(at, 0, PART_HEAD);
  at[0] = (unsigned char)kind;
  put_u32(at + 4, all_size);
  put_u32(at + 8, *sent);
  memcpy(at + PART_HEAD, all + *sent, size);
  v->part.size = PART_HEAD + size;
  *sent += size;
  return send_bytes(s, &v->part, LWS_WRITE_BINARY);
}

static int send_model(HeftServer* v, Session* s) {
  s->picture_next = 1;
  return send_part(v, s, MODEL_KIND, v->image, v->image_size, &s->model_at);
}

// ---- a shared world

// One client at a time gets its start.
static void begin_start(HeftServer* v) {
  Sharing* m = v->station.sharing;
  Session* waits = NULL;
  for (Session* s = v->sessions; s; s = s->next) {
    if (s->joins == 2) return;
    if (s->joins == 1) waits = s;
  }
  const int state = atomic_load_explicit(&m->start_state, memory_order_acquire);
  if (waits && state == 0) atomic_store_explicit(&m->start_state, 1, memory_order_release);
  if (!waits || state != 2) return;
  const unsigned char* at = m->start;
  waits->joins = 2;
  waits->start_at = 0;
  waits->wants = bytes_get(&at, 8);
}

static int send_start(HeftServer* v, Session* s) {
  Sharing* m = v->station.sharing;
  const int well = send_part(v, s, START_KIND, m->start, m->start_size, &s->start_at);
  if (s->start_at < m->start_size) return well;
  s->joins = 3;
  s->has = 0;  // it gets no more pictures
  atomic_store_explicit(&m->start_state, 0, memory_order_release);
  return well;
}

static int frames_due(const HeftServer* v, const Session* s) {
  return s->joins == 3 &&
         s->wants < atomic_load_explicit(&v->station.sharing->closed, memory_order_relaxed);
}

static int send_frames(HeftServer* v, Session* s) {
  v->part.size =
      sharing_frames(v->station.sharing, s->seat, &s->wants, v->part.memory + LWS_PRE, PART_SIZE);
  if (v->part.size > 0) return send_bytes(s, &v->part, LWS_WRITE_BINARY);
  close_it(v, s, POLICY, "the connection is too slow for a shared world");
  return 1;
}

// ---- pictures

// Bytes that the kernel holds because the client does not receive them.
static int unsent(const Session* s) {
  int count = 0;
  const int fd = lws_get_socket_fd(s->socket);
  return ioctl(fd, SIOCOUTQNSD, &count) == 0 ? count : 0;
}

static PictureLabel label_of(HeftServer* v) {
  const int users = atomic_load(&v->counts.users);
  return (PictureLabel){v->number, atomic_load(&v->counts.clients) - users, users};
}

// Pictures between the last one that the client has and `next`.
static void count_missed(HeftServer* v, const Session* s, uint32_t next) {
  if (s->has == 0 || next - s->has <= 1) return;
  const long missed = (long)(next - s->has - 1);
  atomic_fetch_add_explicit(&v->counts.skipped, missed, memory_order_relaxed);
}

static int send_picture(HeftServer* v, Session* s) {
  const int follows = s->has != 0 && s->has + 1 == v->number && v->number % WHOLE_EVERY != 0;
  count_missed(v, s, v->number);
  Bytes* b = follows ? &v->change : &v->whole;
  int* ready = follows ? &v->change_ready : &v->whole_ready;
  if (!*ready)
    b->size =
        picture_write(&v->picture, follows ? &v->before : NULL, v->label, b->memory + LWS_PRE);
  *ready = 1;
  s->has = v->number;
  s->picture_next = 0;
  add(&v->counts.pictures);
  if (!follows) add(&v->counts.whole);
  return send_bytes(s, b, LWS_WRITE_BINARY);
}

// One message. 0: the connection has failed.
static int send_next(HeftServer* v, Session* s) {
  const int model_left = s->model_at < v->image_size;
  const int picture_due = s->has != v->number && unsent(s) <= UNSENT_MAX;
  if (s->welcomed > 0 && s->welcomed < v->welcome.text.size) return send_welcome(v, s);
  if (s->owes_error) return send_error(v, s);
  if (s->welcomed == 0) return send_welcome(v, s);
  if (s->owes_role) return send_role(v, s);
  if (s->seeks_ns) return 1;
  if (s->joins == 2) return send_start(v, s);
  if (frames_due(v, s)) return send_frames(v, s);
  if (s->joins == 3 && !model_left) return 1;
  if (model_left && !(picture_due && s->picture_next)) return send_model(v, s);
  return picture_due ? send_picture(v, s) : 1;
}

static int wants_more(const HeftServer* v, const Session* s) {
  return s->owes_error || s->owes_role || s->welcomed < v->welcome.text.size ||
         (s->model_at < v->image_size && !s->seeks_ns) || s->joins == 2;
}

static int write_to(HeftServer* v, Session* s) {
  if (!send_next(v, s)) return 0;
  if (wants_more(v, s)) lws_callback_on_writable(s->socket);
  return 1;
}

static void pass_release(HeftServer* v, int seat) {
  if (v->station.sharing) {
    v->releases |= 1u << seat;
    return;
  }
  const Command release = {.kind = MESSAGE_RELEASE, .user = seat};
  if (command_queue_put(&v->station.queue, &release)) {
    v->releases &= ~(1u << seat);
  } else {
    v->releases |= 1u << seat;
  }
}

// A picture shows who is there: in a paused world, too, once per quarter of a second.
static int label_is_old(HeftServer* v) {
  const PictureLabel now = label_of(v);
  const uint64_t clock = heft_clock_ns();
  if (now.watchers == v->label.watchers && now.users == v->label.users) return 0;
  if (clock < v->labelled_ns + 250000000u) return 0;
  v->labelled_ns = clock;
  return 1;
}

static void end_search(HeftServer* v, Session* s) {
  close_it(v, s, BUSY, "all places of watchers are taken");
  lws_callback_on_writable(s->socket);
}

static void end_old_searches(HeftServer* v) {
  const uint64_t now = heft_clock_ns();
  for (Session* s = v->sessions; s; s = s->next)
    if (s->seeks_ns && !s->close_code && now > s->seeks_ns + seek_ns) end_search(v, s);
}

// Clients of a shared world get the inputs that have become final.
static void frames_tick(lws_sorted_usec_list_t* timer) {
  HeftServer* v = lws_container_of(timer, HeftServer, frames_timer);
  begin_start(v);
  for (unsigned i = 0; i < PICTURE_HANDS; ++i)
    if ((v->releases & (1u << i)) && sharing_leave(v->station.sharing, (int)i))
      v->releases &= ~(1u << i);
  for (const Session* s = v->sessions; s; s = s->next)
    if (s->joins == 2 || frames_due(v, s)) lws_callback_on_writable(s->socket);
  lws_sul_schedule(v->context, 0, &v->frames_timer, frames_tick, FRAMES_EVERY);
}

static void tick(lws_sorted_usec_list_t* timer) {
  HeftServer* v = lws_container_of(timer, HeftServer, timer);
  const int twice = 2;  // looks per picture, so that none waits for long
  const int fresh = triple_buffer_take(&v->station.pictures);
  for (int i = 0; i < PICTURE_HANDS && !v->station.sharing; ++i)
    if (v->releases & (1u << i)) pass_release(v, i);
  end_old_searches(v);
  if (fresh || label_is_old(v)) {
    picture_copy(&v->before, &v->picture);
    if (fresh) picture_copy(&v->picture, &v->station.picture[v->station.pictures.reading]);
    if (++v->number == 0) v->number = 1;
    v->label = label_of(v);
    v->change_ready = v->whole_ready = 0;
    for (const Session* s = v->sessions; s; s = s->next) lws_callback_on_writable(s->socket);
  }
  lws_sul_schedule(v->context, 0, &v->timer, tick,
                   (lws_usec_t)(1e6 / (twice * v->def.picture_rate)));
}

// ---- messages

static void leave_seat(HeftServer* v, Session* s) {
  if (s->joins == 2)
    atomic_store_explicit(&v->station.sharing->start_state, 0, memory_order_release);
  s->joins = 0;
  if (s->seat < 0) return;
  pass_release(v, s->seat);
  v->seat[s->seat] = NULL;
  s->seat = -1;
  atomic_fetch_sub(&v->counts.users, 1);
}

static int take_seat(HeftServer* v, Session* s) {
  for (int i = v->def.hooks.input ? 1 : 0; i < v->def.user_max; ++i) {
    if (v->seat[i] || (v->releases & (1u << i))) continue;
    v->seat[i] = s;
    s->seat = i;
    s->seeks_ns = 0;
    atomic_fetch_add(&v->counts.users, 1);
    return 1;
  }
  return 0;
}

static void wrong_token(HeftServer* v, Session* s) {
  add(&v->counts.forbidden);
  answer_error(v, s, v->def.token ? "the token is wrong" : "this server has no users");
  if (++s->wrong_tokens >= WRONG_TOKENS) close_it(v, s, POLICY, "wrong token");
}

static void hello(HeftServer* v, Session* s, const Message* m) {
  char why[MESSAGE_WHY];
  if (m->version != HEFT_SERVE_VERSION) {
    snprintf(why, sizeof why, "this server speaks version %d of the protocol, not %d",
             HEFT_SERVE_VERSION, m->version);
    answer_error(v, s, why);
    return;
  }
  if (m->token[0] && !admission_token(m->token, v->def.token)) {
    wrong_token(v, s);
    return;
  }
  if (m->token[0] && s->seat < 0 && !take_seat(v, s)) {
    answer_error(v, s, "all seats of users are taken; wait until one leaves");
    return;
  }
  s->owes_role = 1;
  lws_callback_on_writable(s->socket);
}

// The bucket holds the messages of a second.
static int allowed(HeftServer* v, Session* s) {
  const double rate = s->seat < 0 ? v->def.watcher_rate : v->def.message_rate;
  const uint64_t now = heft_clock_ns();
  s->allowance += rate * (double)(now - s->refilled_ns) * 1e-9;
  if (s->allowance > rate) s->allowance = rate;
  s->refilled_ns = now;
  s->allowance -= 1;
  return s->allowance >= 0;
}

static void join(HeftServer* v, Session* s) {
  if (!v->station.sharing || s->seat < 0) {
    add(&v->counts.forbidden);
    answer_error(v, s,
                 v->station.sharing ? "to join needs the token of this server"
                                    : "the world of this server is not shared");
  } else if (s->joins == 0) {
    s->joins = 1;
  }
}

// Inputs of a user of a shared world.
static void read_inputs(HeftServer* v, Session* s) {
  add(&v->counts.messages);
  if (!allowed(v, s)) {
    close_it(v, s, POLICY, "too many messages");
    return;
  }
  if (s->joins != 3) {
    add(&v->counts.forbidden);
    answer_error(v, s, "inputs need a user who has joined");
    return;
  }
  const int taken =
      sharing_put(v->station.sharing, s->seat, (const unsigned char*)s->text, s->text_size);
  if (taken > 0) add(&v->counts.commands);
  if (taken != 0) return;
  add(&v->counts.mistakes);
  answer_error(v, s, "these inputs are damaged");
  if (++s->mistakes >= v->def.mistake_max) close_it(v, s, POLICY, "too many mistakes");
}

static void act(HeftServer* v, Session* s, const Message* m) {
  char why[MESSAGE_WHY];
  Command command;
  if (v->station.sharing) {
    add(&v->counts.forbidden);
    answer_error(v, s, "this world is shared: users join it and send inputs");
    return;
  }
  const int right = message_right(m->kind);
  if (s->seat < 0 || !(v->def.rights & (1u << right))) {
    add(&v->counts.forbidden);
    snprintf(
        why, sizeof why,
        s->seat < 0 ? "to %s needs the token of this server" : "this server does not allow to %s",
        heft_right_name((HeftRight)right));
    answer_error(v, s, why);
    return;
  }
  if (!command_make(m, v->model, s->seat, &command, why)) {
    add(&v->counts.mistakes);
    answer_error(v, s, why);
    return;
  }
  if (m->kind == MESSAGE_RELEASE) {
    pass_release(v, s->seat);
  } else if (!command_queue_put(&v->station.queue, &command)) {
    answer_error(v, s, "the world is busy; the command was dropped");
    return;
  }
  add(&v->counts.commands);
}

static void read_message(HeftServer* v, Session* s) {
  Message m;
  char why[MESSAGE_WHY];
  add(&v->counts.messages);
  if (!allowed(v, s)) {
    close_it(v, s, POLICY, "too many messages");
    return;
  }
  if (!message_read(s->text, s->text_size, &m, why)) {
    add(&v->counts.mistakes);
    answer_error(v, s, why);
    if (++s->mistakes >= v->def.mistake_max) close_it(v, s, POLICY, "too many mistakes");
    return;
  }
  if (m.kind == MESSAGE_HELLO) {
    hello(v, s, &m);
  } else if (m.kind == MESSAGE_MODEL) {
    if (s->model_at == v->image_size) s->model_at = 0;
    lws_callback_on_writable(s->socket);
  } else if (m.kind == MESSAGE_JOIN) {
    join(v, s);
  } else {
    act(v, s, &m);
  }
}

// A message may arrive in parts.
static void receive(HeftServer* v, Session* s, const void* bytes, size_t size) {
  if (s->close_code) return;
  const int binary = lws_frame_is_binary(s->socket);
  if (binary && !v->station.sharing) {
    close_it(v, s, LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE, "messages are texts");
    return;
  }
  if (lws_is_first_fragment(s->socket)) s->text_size = 0;
  if (s->text_size + size > sizeof s->text) {
    close_it(v, s, TOO_LONG, "the message is too long");
    return;
  }
  memcpy(s->text + s->text_size, bytes, size);
  s->text_size += size;
  if (lws_is_final_fragment(s->socket)) (binary ? read_inputs : read_message)(v, s);
}

// ---- connections

static void header(struct lws* wsi, enum lws_token_indexes which, char out[HEADER_SIZE]) {
  if (lws_hdr_copy(wsi, out, HEADER_SIZE, which) < 0) {
    // Too long, or absent: only the latter is an empty text.
    snprintf(out, HEADER_SIZE, "%s", lws_hdr_total_length(wsi, which) > 0 ? "?" : "");
  }
}

static int host_allowed(HeftServer* v, struct lws* wsi, char host[HEADER_SIZE]) {
  header(wsi, WSI_TOKEN_HOST, host);
  return admission_host(&v->def, host);
}

static void client_address(struct lws* wsi, char out[64]) {
  if (!lws_get_peer_simple(wsi, out, 64)) snprintf(out, 64, "?");
}

// One machine cannot take all connections. A proxy on this machine can, since it acts for others.
static int address_has_room(const HeftServer* v, struct lws* wsi) {
  char address[64];
  int count = 0;
  client_address(wsi, address);
  if (admission_is_loopback(address)) return 1;
  for (const Session* s = v->sessions; s; s = s->next) count += strcmp(s->address, address) == 0;
  return count < v->def.address_max;
}

static int seekers_max(const HeftServer* v) {
  return v->def.token && v->def.user_max > 0 ? SEEKERS_MAX : 0;
}

static int may_connect(HeftServer* v, struct lws* wsi) {
  char host[HEADER_SIZE], origin[HEADER_SIZE];
  header(wsi, WSI_TOKEN_ORIGIN, origin);
  return host_allowed(v, wsi, host) && admission_origin(&v->def, origin, host) &&
         atomic_load(&v->counts.clients) < v->def.client_max + 2 * seekers_max(v) &&
         address_has_room(v, wsi);
}

// A client that came when all places of watchers were taken. The newest ones may search.
static void begin_search(HeftServer* v, Session* s) {
  Session* oldest = NULL;
  int count = 0;
  for (Session* o = v->sessions; o; o = o->next) {
    if (!o->seeks_ns || o->close_code) continue;
    ++count;
    oldest = o;  // the newest comes first in the list
  }
  if (count >= SEEKERS_MAX) end_search(v, oldest);
  s->seeks_ns = heft_clock_ns();
}

static void begin_session(HeftServer* v, Session* s, struct lws* wsi) {
  const int size = SEND_BUFFER;
  *s = (Session){.socket = wsi,
                 .seat = -1,
                 .model_at = v->image_size,
                 .refilled_ns = heft_clock_ns(),
                 .allowance = v->def.watcher_rate};
  client_address(wsi, s->address);
  if (atomic_load(&v->counts.clients) >= v->def.client_max) begin_search(v, s);
  s->next = v->sessions;
  v->sessions = s;
  setsockopt(lws_get_socket_fd(wsi), SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
  add(&v->counts.connections);
  atomic_fetch_add(&v->counts.clients, 1);
  lws_callback_on_writable(wsi);
}

static void end_session(HeftServer* v, Session* s) {
  if (!s->socket) return;
  leave_seat(v, s);
  count_missed(v, s, v->number);
  Session** at = &v->sessions;
  while (*at && *at != s) at = &(*at)->next;
  if (*at) *at = s->next;
  s->socket = NULL;
  atomic_fetch_sub(&v->counts.clients, 1);
}

// ---- connections that are no clients yet

static void stop_waiting(HeftServer* v, const struct lws* wsi) {
  for (int i = 0; i < v->waiting_count; ++i) {
    if (v->waiting[i] != wsi) continue;
    --v->waiting_count;
    memmove(&v->waiting[i], &v->waiting[i + 1],
            (size_t)(v->waiting_count - i) * sizeof(struct lws*));
    return;
  }
}

static void begin_waiting(HeftServer* v, struct lws* wsi) {
  if (v->waiting_count == v->waiting_max) {
    lws_set_timeout(v->waiting[0], PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
    stop_waiting(v, v->waiting[0]);
    add(&v->counts.refused);
  }
  v->waiting[v->waiting_count++] = wsi;
}

// ---- pages

static const char no_page[] =
    "<!doctype html><meta charset=utf-8><title>heft serve</title><p>A world of Heft is served "
    "here, "
    "but the files of its page are not installed. Start the server with <code>--page "
    "FOLDER</code>, "
    "where FOLDER has the built page, or connect a client to this address by WebSocket.\n";

#define PAGE_HEADERS                                                                        \
  "x-content-type-options: nosniff\x0d\x0a"                                                 \
  "referrer-policy: no-referrer\x0d\x0a"                                                    \
  "cache-control: no-cache\x0d\x0a"                                                         \
  "content-security-policy: default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; "     \
  "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; worker-src 'self' blob:; " \
  "connect-src 'self' ws: wss: data: blob:; frame-ancestors 'self'; base-uri 'none'\x0d\x0a"

static int send_no_page(HeftServer* v, struct lws* wsi) {
  unsigned char *start = v->part.memory + LWS_PRE, *at = start, *end = start + PART_SIZE;
  if (lws_add_http_common_headers(wsi, HTTP_STATUS_OK, "text/html", sizeof no_page - 1, &at, end) ||
      lws_finalize_write_http_header(wsi, start, &at, end))
    return -1;
  memcpy(start, no_page, sizeof no_page - 1);
  if (lws_write(wsi, start, sizeof no_page - 1, LWS_WRITE_HTTP_FINAL) < 0) return -1;
  return lws_http_transaction_completed(wsi) ? -1 : 0;
}

// The page shows the world of a server if its address ends in "?serve". Browsers keep what follows
// a "#" of the first address, where the token is.
static int send_to_serve(HeftServer* v, struct lws* wsi) {
  static const unsigned char place[] = "?serve";
  unsigned char *start = v->part.memory + LWS_PRE, *at = start;
  if (lws_http_redirect(wsi, HTTP_STATUS_FOUND, place, sizeof place - 1, &at, start + PART_SIZE) <
      0)
    return -1;
  return lws_http_transaction_completed(wsi) ? -1 : 0;
}

static int send_page(HeftServer* v, struct lws* wsi, const char* request) {
  char host[HEADER_SIZE], path[PATH_SIZE];
  const char* type = NULL;
  if (!host_allowed(v, wsi, host)) {
    add(&v->counts.refused);
    lws_return_http_status(wsi, HTTP_STATUS_FORBIDDEN, "This name of the server is not allowed");
    return -1;
  }
  if (lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) == 0 &&
      lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) == 0) {
    lws_return_http_status(wsi, HTTP_STATUS_METHOD_NOT_ALLOWED, NULL);
    return -1;
  }
  const int root = strcmp(request, "/") == 0;
  if (!v->def.page && root) return send_no_page(v, wsi);
  if (root && lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_URI_ARGS) == 0) return send_to_serve(v, wsi);
  if (!v->def.page || !page_find(v->def.page, request, path, sizeof path, &type)) {
    lws_return_http_status(wsi, HTTP_STATUS_NOT_FOUND, NULL);
    return lws_http_transaction_completed(wsi) ? -1 : 0;
  }
  const int n = lws_serve_http_file(wsi, path, type, PAGE_HEADERS, (int)sizeof PAGE_HEADERS - 1);
  if (n < 0) return -1;
  return n > 0 && lws_http_transaction_completed(wsi) ? -1 : 0;
}

// ---- libwebsockets

// Whether a callback ends a connection that is to be closed.
static int outcome(const Session* s) { return s->close_code ? -1 : 0; }

static int on_event(struct lws* wsi, enum lws_callback_reasons reason, void* user, void* in,
                    size_t length) {
  Session* s = user;
  if (!wsi) return 0;
  HeftServer* v = lws_context_user(lws_get_context(wsi));
  switch ((int)reason) {  // an enum of the library, of which Heft uses a few
    case LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED:
      begin_waiting(v, wsi);
      return 0;
    case LWS_CALLBACK_WSI_DESTROY:
      stop_waiting(v, wsi);
      return 0;
    case LWS_CALLBACK_HTTP:
      return send_page(v, wsi, in);
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
      if (may_connect(v, wsi)) return 0;
      add(&v->counts.refused);
      lws_return_http_status(wsi, HTTP_STATUS_FORBIDDEN, NULL);
      return -1;
    case LWS_CALLBACK_ESTABLISHED:
      stop_waiting(v, wsi);
      begin_session(v, s, wsi);
      return 0;
    case LWS_CALLBACK_SERVER_WRITEABLE:
      return write_to(v, s) ? outcome(s) : -1;
    case LWS_CALLBACK_RECEIVE:
      receive(v, s, in, length);
      return outcome(s);
    case LWS_CALLBACK_CLOSED:
      end_session(v, s);
      return 0;
    case LWS_CALLBACK_HTTP_BODY:  // nothing accepts a body
      return -1;
    default:
      return lws_callback_http_dummy(wsi, reason, user, in, length);
  }
}

static void* live(void* user) {
  HeftServer* v = user;
  setpriority(PRIO_PROCESS, 0, 5);  // on Linux: of this thread
  lws_sul_schedule(v->context, 0, &v->timer, tick, 1);
  if (v->station.sharing) lws_sul_schedule(v->context, 0, &v->frames_timer, frames_tick, 1);
  while (!atomic_load_explicit(&v->quit, memory_order_relaxed) && lws_service(v->context, 0) >= 0) {
  }
  return NULL;
}

// ---- the address

static socklen_t fill_address(const HeftServeDef* d, struct sockaddr_storage* out) {
  struct sockaddr_in* four = (struct sockaddr_in*)out;
  struct sockaddr_in6* six = (struct sockaddr_in6*)out;
  memset(out, 0, sizeof *out);
  if (inet_pton(AF_INET, d->address, &four->sin_addr) == 1) {
    four->sin_family = AF_INET;
    four->sin_port = htons((uint16_t)d->port);
    return sizeof *four;
  }
  if (inet_pton(AF_INET6, d->address, &six->sin6_addr) != 1) return 0;
  six->sin6_family = AF_INET6;
  six->sin6_port = htons((uint16_t)d->port);
  return sizeof *six;
}

// libwebsockets does not report why an address cannot be opened, so it is tried before.
static HeftStatus try_address(const HeftServeDef* d, HeftError* error) {
  struct sockaddr_storage address;
  const socklen_t size = fill_address(d, &address);
  const int yes = 1;
  if (size == 0)
    return heft_error_set(error, HEFT_ERR_VALUE, "'%s' is not an IP address", d->address);
  const int fd = socket(address.ss_family, SOCK_STREAM, 0);
  if (fd < 0) return heft_error_set(error, HEFT_ERR_FILE, "no socket can be opened");
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  const int code =
      bind(fd, (struct sockaddr*)&address, size) != 0 || listen(fd, 1) != 0 ? errno : 0;
  close(fd);
  switch (code) {
    case 0:
      return HEFT_OK;
    case EADDRINUSE:
      return heft_error_set(
          error, HEFT_ERR_FILE,
          "port %d of %s is in use by another program; end that program, or choose "
          "another port, for example --listen %s:%d",
          d->port, d->address, d->address, d->port + 1);
    case EACCES:
      return heft_error_set(error, HEFT_ERR_FILE,
                            "port %d needs the rights of root; choose one above 1023", d->port);
    case EADDRNOTAVAIL:
      return heft_error_set(error, HEFT_ERR_FILE, "this machine does not have the address %s",
                            d->address);
    default:
      return heft_error_set(error, HEFT_ERR_FILE, "%s:%d cannot be opened (error %d of the system)",
                            d->address, d->port, code);
  }
}

// ---- life

static int make_buffers(HeftServer* v) {
  const HeftAllocator* a = &v->allocator;
  if (!picture_make(&v->picture, v->model, a) || !picture_make(&v->before, v->model, a)) return 0;
  const size_t size = picture_size_max(&v->picture);
  v->image_size = heft_model_save_size(v->model);
  v->image = a->allocate(a->user, v->image_size, 64);
  if (!v->image || !bytes_make(&v->change, size, a) || !bytes_make(&v->whole, size, a) ||
      !bytes_make(&v->part, PART_HEAD + PART_SIZE, a))
    return 0;
  heft_model_save(v->model, v->image);
  v->welcome = greeting_welcome(v->model, heft_world_time_step(v->station.world), &v->def);
  return !v->welcome.text.failed;
}

static int clients_room(const HeftServeDef* d) { return d->client_max + 2 * SEEKERS_MAX; }

// As many as the process may open, beside clients and what the program has open.
static int waiting_room(const HeftServeDef* d) {
  struct rlimit files;
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return WAITING_MIN;
  const long most = files.rlim_cur < 65536 ? (long)files.rlim_cur : 65536;
  const long room = most - clients_room(d) - SPARE_FILES;
  return room < WAITING_MIN ? WAITING_MIN : room > WAITING_MAX ? WAITING_MAX : (int)room;
}

static HeftStatus open_context(HeftServer* v, HeftError* error) {
  const HeftServeDef* d = &v->def;
  struct lws_context_creation_info info = {0};
  v->protocols[0] = (struct lws_protocols){.name = "heft-1",
                                           .callback = on_event,
                                           .per_session_data_size = sizeof(Session),
                                           .rx_buffer_size = MESSAGE_SIZE_MAX};
  v->pings = (lws_retry_bo_t){.secs_since_valid_ping = 15, .secs_since_valid_hangup = 30};
  info.port = d->port;
  info.iface =
      strcmp(d->address, "0.0.0.0") == 0 || strcmp(d->address, "::") == 0 ? NULL : d->address;
  info.protocols = v->protocols;
  info.user = v;
  info.gid = info.uid = -1;
  info.timeout_secs = 5;
  info.keepalive_timeout = 5;
  v->waiting_max = waiting_room(d);
  // clients, seekers, connections that wait or are about to end, and its own
  info.fd_limit_per_thread = (unsigned)(clients_room(d) + v->waiting_max + SPARE_FILES / 2);
  info.max_http_header_pool = (unsigned short)(v->waiting_max + SPARE_FILES / 2);
  info.pt_serv_buf_size = FILE_PART;
  info.retry_and_idle_policy = &v->pings;
  info.server_string = "heft";
  info.alpn = "http/1.1";  // one kind of request, with a Host
  info.options = LWS_SERVER_OPTION_VALIDATE_UTF8 | LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND |
                 LWS_SERVER_OPTION_EXPLICIT_VHOSTS;
  if (strchr(d->address, ':') == NULL) info.options |= LWS_SERVER_OPTION_DISABLE_IPV6;
  if (d->certificate) {
    info.options |= LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
    info.ssl_cert_filepath = d->certificate;
    info.ssl_private_key_filepath = d->key;
  }
  lws_set_log_level(0, NULL);
  v->context = lws_create_context(&info);
  if (!v->context) return heft_error_set(error, HEFT_ERR_MEMORY, "libwebsockets did not start");
  v->host = lws_create_vhost(v->context, &info);
  if (!v->host)
    return heft_error_set(error, HEFT_ERR_FILE,
                          d->certificate
                              ? "the address cannot be opened with the certificate '%s' and its key"
                              : "the address cannot be opened%.0s",
                          d->certificate ? d->certificate : "");
  v->port = lws_get_vhost_listen_port(v->host);
  return HEFT_OK;
}

HeftStatus heft_server_create(HeftServer** out, HeftWorld* world, const HeftServeDef* def,
                              HeftError* error) {
  HEFT_REQUIRE(out && world && def && def->address && def->user_max >= 0 &&
                   def->user_max <= PICTURE_HANDS && def->origin_count >= 0 &&
                   def->origin_count <= HEFT_SERVE_ORIGINS && def->client_max > 0,
               HEFT_ERR_ARGUMENT);
  *out = NULL;
  const HeftModel* model = heft_world_model(world);
  if (model->nbody > UINT16_MAX || model->nactuator > UINT16_MAX)
    return heft_error_set(error, HEFT_ERR_UNSUPPORTED, "a served model has at most 65535 bodies");
  HeftStatus status = def->token ? heft_serve_check_token(def->token, error) : HEFT_OK;
  if (status == HEFT_OK && def->port != 0) status = try_address(def, error);
  if (status != HEFT_OK) return status;
  HeftServer* v = def->allocator.allocate(def->allocator.user, sizeof *v, 64);
  if (!v) return heft_error_set(error, HEFT_ERR_MEMORY, "not enough memory for a server");
  memset(v, 0, sizeof *v);
  v->allocator = def->allocator;
  v->def = *def;
  v->model = model;
  status = station_make(&v->station, world, def, error);
  if (status == HEFT_OK && !make_buffers(v))
    status = heft_error_set(error, HEFT_ERR_MEMORY, "not enough memory for a server");
  if (status == HEFT_OK) status = open_context(v, error);
  if (status != HEFT_OK) {
    heft_server_destroy(v);
    return status;
  }
  *out = v;
  return HEFT_OK;
}

HeftStatus heft_server_start(HeftServer* v, HeftError* error) {
  HEFT_REQUIRE(v && !v->started, HEFT_ERR_ARGUMENT);
  const HeftStatus status = station_start(&v->station, error);
  if (status != HEFT_OK) return status;
  if (pthread_create(&v->thread, NULL, live, v) != 0) {
    station_stop(&v->station);
    return heft_error_set(error, HEFT_ERR_MEMORY, "the thread of the network could not be started");
  }
  v->started = 1;
  return HEFT_OK;
}

int heft_server_port(const HeftServer* v) {
  HEFT_REQUIRE(v, 0);
  return v->port;
}

HeftServeReport heft_server_report(const HeftServer* v) {
  HEFT_REQUIRE(v, (HeftServeReport){0});
  const Counts* c = &v->counts;
  return (HeftServeReport){.steps = atomic_load(&v->station.steps),
                           .late = atomic_load(&v->station.late),
                           .time = atomic_load(&v->station.time),
                           .connections = atomic_load(&c->connections),
                           .refused = atomic_load(&c->refused),
                           .closed = atomic_load(&c->closed),
                           .messages = atomic_load(&c->messages),
                           .mistakes = atomic_load(&c->mistakes),
                           .forbidden = atomic_load(&c->forbidden),
                           .commands = atomic_load(&c->commands),
                           .pictures = atomic_load(&c->pictures),
                           .whole = atomic_load(&c->whole),
                           .skipped = atomic_load(&c->skipped),
                           .clients = atomic_load(&c->clients),
                           .users = atomic_load(&c->users)};
}

void heft_server_destroy(HeftServer* v) {
  if (!v) return;
  const HeftAllocator a = v->allocator;
  if (v->started) {
    atomic_store(&v->quit, 1);
    lws_cancel_service(v->context);
    pthread_join(v->thread, NULL);
  }
  if (v->context) lws_context_destroy(v->context);
  station_stop(&v->station);
  station_free(&v->station);
  picture_free(&v->picture, &a);
  picture_free(&v->before, &a);
  if (v->image) a.release(a.user, v->image, v->image_size);
  bytes_free(&v->change, &a);
  bytes_free(&v->whole, &a);
  bytes_free(&v->part, &a);
  heft_json_text_free(&v->welcome);
  a.release(a.user, v, sizeof *v);
}
