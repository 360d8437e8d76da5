// SPDX-License-Identifier: Apache-2.0
// Papers: R33.
// The controller's end of a link (link/conversation.h is the other end). The description is asked
// for part by part, because a burst of all parts would not fit into the queue of a socket. An
// answer is kept until the next state: if the world sends a state again, the answer was lost on its
// way, and the same answer is sent again.
//
// Over UDP a handshake comes first (device/tunnel.c), and each datagram is sealed. A simulation
// that was started anew, or has taken another controller, does not know the keys of our session and
// is silent. So after some silence a second handshake is begun: a simulation that still has our
// session does not answer it.
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/allocator.h"
#include "base/bytes.h"
#include "base/error.h"
#include "device/udp_address.h"
#include "robot/robot_internal.h"

// OFFERS: of another session, until ours has ended; the datagram before one may have been lost
enum { WAIT_MS = 100, SILENCE_MS = 500, OFFERS = 2 };

// ---- the socket

typedef struct Place {
  struct sockaddr_un path;
  UdpAddress udp;
  bool is_unix;
} Place;

static HeftStatus read_place(HeftRobot* r, const char* text, Place* out, HeftError* error) {
  *out = (Place){.path = {.sun_family = AF_UNIX}};
  if (strncmp(text, "unix:", 5) == 0) {
    const size_t length = strlen(text + 5);
    out->is_unix = true;
    if (length == 0 || length >= sizeof out->path.sun_path)
      return heft_error_set(error, HEFT_ERR_SYNTAX,
                            "the path of a robot's socket has %d bytes, expected 1 to %d",
                            (int)length, (int)sizeof out->path.sun_path - 1);
    memcpy(out->path.sun_path, text + 5, length + 1);
    return HEFT_OK;
  }
  if (strncmp(text, "udp:", 4) != 0)
    return heft_error_set(error, HEFT_ERR_SYNTAX,
                          "expected the place of a robot as unix:PATH or udp:PORT, found '%.200s'",
                          text);
  HeftStatus status = udp_address_read(text + 4, &out->udp, error);
  r->sealed = out->udp.version != 1;
  if (status == HEFT_OK)
    status = udp_address_expect_key(&out->udp, r->sealed ? TUNNEL_KEY : LINK_KEY, error);
  if (status == HEFT_OK && r->sealed &&
      !tunnel_guest_make(&r->tunnel, &link_tunnel, out->udp.key, NULL))
    status = udp_address_no_tunnel(error);
  memcpy(r->key, out->udp.key, sizeof r->key);
  r->keyed = !r->sealed && out->udp.key_size > 0;
  tunnel_wipe(out->udp.key, sizeof out->udp.key);
  return status;
}

static void disconnect(HeftRobot* r) {
  if (r->socket >= 0) close(r->socket);
  r->socket = -1;
  r->part = 0;
  if (r->sealed) tunnel_guest_restart(&r->tunnel);
}

static bool connect_socket(HeftRobot* r, const Place* p) {
  if (r->socket >= 0) return true;
  r->socket = socket(p->is_unix ? AF_UNIX : AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  bool well = r->socket >= 0;
  if (well && p->is_unix)  // an address of its own, which the system chooses
    well = bind(r->socket, (const struct sockaddr*)&p->path, sizeof p->path.sun_family) == 0 &&
           connect(r->socket, (const struct sockaddr*)&p->path, sizeof p->path) == 0;
  if (well && !p->is_unix)
    well = connect(r->socket, (const struct sockaddr*)&p->udp.at, sizeof p->udp.at) == 0;
  if (!well) disconnect(r);
  return well;
}

// ---- datagrams

static const unsigned char* key_of(const HeftRobot* r) { return r->keyed ? r->key : NULL; }

static bool send_bytes(const HeftRobot* r, const unsigned char* bytes, size_t size) {
  return send(r->socket, bytes, size, MSG_NOSIGNAL) == (ssize_t)size;
}

static bool send_datagram(HeftRobot* r, const unsigned char* bytes, size_t size) {
  if (!r->sealed) return send_bytes(r, bytes, size);
  size = tunnel_guest_seal(&r->tunnel, bytes, size, r->sealed_out);
  return size > 0 && send_bytes(r, r->sealed_out, size);
}

static bool say_hello(const HeftRobot* r, const TunnelGuest* guest) {
  unsigned char bytes[TUNNEL_HELLO];
  return send_bytes(r, bytes, tunnel_guest_hello(guest, bytes));
}

// Sends a datagram without a body. The answer to the last state stays in r->out.
static bool say(HeftRobot* r, LinkType type, uint32_t a) {
  unsigned char bytes[LINK_HEAD + LINK_TAG];
  const LinkHead head = {.type = type, .session = r->session, .a = a};
  return send_datagram(r, bytes, link_packet_write(&head, 0, key_of(r), bytes));
}

// Is the simulation still there?
static bool ask(HeftRobot* r) {
  if (!say(r, LINK_READY, 0)) return false;
  if (!r->sealed) return true;
  r->probe = r->tunnel;
  return tunnel_guest_restart(&r->probe) && say_hello(r, &r->probe);
}

static bool send_answer(HeftRobot* r) { return send_datagram(r, r->out, r->out_size); }

typedef enum Got { GOT_NOTHING, GOT_HANDSHAKE, GOT_DATAGRAM, GOT_END } Got;

// Reads what arrived, `size` bytes in r->in. Returns GOT_NOTHING if it is not genuine.
static Got open_sealed(HeftRobot* r, size_t* size) {
  unsigned char out[TUNNEL_CONFIRM];
  TunnelPacket p = {.bytes = r->in, .size = *size, .out = out};
  if (r->probe.kind && tunnel_guest_take(&r->probe, &p) == TUNNEL_ANSWER)
    return ++r->offers < OFFERS ? GOT_NOTHING : GOT_END;
  if (*size > sizeof out) p.out = r->in + TUNNEL_HEAD;
  const TunnelNews news = tunnel_guest_take(&r->tunnel, &p);
  if (news == TUNNEL_ANSWER) return send_bytes(r, p.out, p.out_size) ? GOT_HANDSHAKE : GOT_END;
  if (news != TUNNEL_BODY) return GOT_NOTHING;
  memmove(r->in, p.out, p.out_size);
  *size = p.out_size;
  r->offers = 0;
  return GOT_DATAGRAM;
}

// The next datagram of the protocol, within some milliseconds.
static Got get(HeftRobot* r, int milliseconds, LinkHead* head, size_t* body) {
  struct pollfd look = {.fd = r->socket, .events = POLLIN};
  while (poll(&look, 1, milliseconds) > 0) {
    const ssize_t size = recv(r->socket, r->in, sizeof r->in, MSG_TRUNC | MSG_DONTWAIT);
    if (size < 0 && errno == ECONNREFUSED) return GOT_END;
    if (size < 0 && errno != EINTR && errno != EAGAIN) return GOT_END;
    if (size <= 0 || (size_t)size > sizeof r->in) continue;
    size_t inner = (size_t)size;
    const Got got = r->sealed ? open_sealed(r, &inner) : GOT_DATAGRAM;
    if (got == GOT_HANDSHAKE || got == GOT_END) return got;
    if (got == GOT_DATAGRAM && link_packet_read(r->in, inner, key_of(r), head, body)) return got;
  }
  return GOT_NOTHING;
}

// ---- the description

// Begins to collect the description of a session.
static bool begin_description(HeftRobot* r, const LinkHead* head) {
  const HeftAllocator* a = &r->allocator;
  if (head->b == 0 || head->b > ROBOT_DESCRIPTION_MAX || head->a == 0) return false;
  if (r->description) a->release(a->user, r->description, r->description_size + 1u);
  r->description_size = head->b;
  r->description = a->allocate(a->user, r->description_size + 1u, 1);
  if (!r->description) return false;
  memset(r->description, 0, r->description_size + 1u);
  r->session = head->session;
  r->parts = head->a;
  r->description_used = 0;
  return true;
}

// Reads one part. A part of another session begins anew; one that is not the next is ignored.
static bool take_part(HeftRobot* r, const LinkHead* head, size_t body) {
  if (r->part > 0 && head->session != r->session) r->part = 0;
  if (head->type != LINK_HELLO || head->number != r->part) return true;
  if (r->part == 0 && !begin_description(r, head)) return false;
  if (body > r->description_size - r->description_used) return false;
  memcpy(r->description + r->description_used, r->in + LINK_HEAD, body);
  r->description_used += body;
  ++r->part;
  return true;
}

static bool is_complete(const HeftRobot* r) { return r->part > 0 && r->part == r->parts; }

// The handshake. True if there is a session, or none is needed.
static bool has_session(HeftRobot* r) {
  LinkHead head;
  size_t body;
  if (!r->sealed || r->tunnel.session.open) return true;
  if (!say_hello(r, &r->tunnel) || get(r, WAIT_MS, &head, &body) == GOT_END) disconnect(r);
  return r->socket >= 0 && r->tunnel.session.open;
}

// A confirm may have been lost: if nothing comes in a session, another one is begun.
static void give_up_session(HeftRobot* r) {
  if (r->sealed) tunnel_guest_restart(&r->tunnel);
}

// Asks for the parts that are missing and stores those that come.
static void ask_description(HeftRobot* r) {
  LinkHead head;
  size_t body;
  if (!has_session(r)) return;
  if (!say(r, LINK_JOIN, r->part)) {
    disconnect(r);
    return;
  }
  for (int i = 0; i < LINK_BURST && !is_complete(r); ++i) {
    const Got got = get(r, WAIT_MS, &head, &body);
    if (got == GOT_END || (got == GOT_DATAGRAM && !take_part(r, &head, body))) disconnect(r);
    if (got == GOT_NOTHING) give_up_session(r);
    if (got != GOT_DATAGRAM || r->socket < 0) return;
  }
}

static HeftStatus await_description(HeftRobot* r, const Place* place, const char* text,
                                    double seconds, HeftError* error) {
  const uint64_t begin = heft_clock_ns();
  for (;;) {
    if (connect_socket(r, place)) ask_description(r);
    if (is_complete(r)) return HEFT_OK;
    if (r->description_size > 0 && !r->description)  // the simulation answers
      return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for the description of the robot");
    if (1e-9 * (double)(heft_clock_ns() - begin) >= seconds) break;
    if (r->socket < 0) poll(NULL, 0, WAIT_MS);
  }
  const int shown = (int)strcspn(text, "#");  // without the key
  return heft_error_set(error, HEFT_ERR_FILE,
                        "no simulation answers at '%.*s'; start one with 'heft run FILE "
                        "--controller %.*s'",
                        shown < 100 ? shown : 100, text, shown < 100 ? shown : 100, text);
}

// ---- opening

static HeftStatus take_numbers(HeftRobot* r, HeftError* error) {
  const HeftRobotModel* m = &r->model.list;
  const HeftAllocator* a = &r->allocator;
  r->number_count = (size_t)(m->nq + 2 * m->nv + m->nsensor + m->ncontrol) + 1;
  r->numbers = a->allocate(a->user, r->number_count * sizeof(double), 64);
  if (!r->numbers)
    return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for the state of the robot");
  memset(r->numbers, 0, r->number_count * sizeof(double));
  r->state.q = r->numbers;
  r->state.v = r->state.q + m->nq;
  r->state.sensors = r->state.v + m->nv;
  r->controls = r->numbers + m->nq + m->nv + m->nsensor;
  r->forces = r->controls + m->ncontrol;
  return HEFT_OK;
}

static HeftStatus open_robot(HeftRobot* r, const char* place, double seconds, HeftError* error) {
  Place at;
  HeftStatus status = read_place(r, place, &at, error);
  if (status == HEFT_OK) status = await_description(r, &at, place, seconds, error);
  if (status == HEFT_OK) status = robot_model_read(&r->model, r->description, &r->allocator, error);
  if (status == HEFT_OK) status = take_numbers(r, error);
  if (status == HEFT_OK) say(r, LINK_READY, 0);
  return status;
}

HeftStatus heft_robot_open(HeftRobot** out, const char* place, double seconds,
                           const HeftAllocator* allocator, HeftError* error) {
  HEFT_REQUIRE(out, heft_error_set(error, HEFT_ERR_ARGUMENT, "out must not be NULL"));
  *out = NULL;
  HEFT_REQUIRE(place, heft_error_set(error, HEFT_ERR_ARGUMENT, "place must not be NULL"));
  HEFT_REQUIRE(seconds >= 0 && seconds <= 1e9,
               heft_error_set(error, HEFT_ERR_ARGUMENT, "seconds must be between 0 and 1e9"));
  const HeftAllocator a = allocator_or_default(allocator);
  HeftRobot* r = a.allocate(a.user, sizeof *r, 64);
  if (!r) return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for the robot");
  memset(r, 0, sizeof *r);
  r->allocator = a;
  r->socket = -1;
  const HeftStatus status = open_robot(r, place, seconds, error);
  if (status != HEFT_OK) {
    heft_robot_close(r);
    return status;
  }
  *out = r;
  return HEFT_OK;
}

void heft_robot_close(HeftRobot* robot) {
  if (!robot) return;
  const HeftAllocator a = robot->allocator;
  if (robot->socket >= 0) say(robot, LINK_BYE, 0);
  disconnect(robot);
  tunnel_wipe(robot->key, sizeof robot->key);
  tunnel_wipe(&robot->tunnel, sizeof robot->tunnel);
  tunnel_wipe(&robot->probe, sizeof robot->probe);
  robot_model_release(&robot->model, &a);
  if (robot->description) a.release(a.user, robot->description, robot->description_size + 1u);
  if (robot->numbers) a.release(a.user, robot->numbers, robot->number_count * sizeof(double));
  a.release(a.user, robot, sizeof *robot);
}

// ---- the model

const HeftRobotModel* heft_robot_model(const HeftRobot* robot) {
  HEFT_REQUIRE(robot, NULL);
  return &robot->model.list;
}

static const char* actuator_name(const void* from, int i) {
  return ((const HeftRobotModel*)from)->actuator[i].name;
}

static const char* joint_name(const void* from, int i) {
  return ((const HeftRobotModel*)from)->joint[i].name;
}

static HeftStatus find(HeftNames names, const char* what, const char* name, int* index,
                       HeftError* error) {
  char hint[256];
  for (*index = 0; *index < names.count; ++*index)
    if (strcmp(names.name(names.from, *index), name) == 0) return HEFT_OK;
  *index = -1;
  return heft_error_set(error, HEFT_ERR_NAME, "the robot has no %s '%.100s'; %s", what, name,
                        heft_names_hint(names, name, hint, sizeof hint));
}

HeftStatus heft_robot_find_actuator(const HeftRobot* robot, const char* name, int* index,
                                    HeftError* error) {
  HEFT_REQUIRE(index, heft_error_set(error, HEFT_ERR_ARGUMENT, "index must not be NULL"));
  *index = -1;
  HEFT_REQUIRE(robot && name,
               heft_error_set(error, HEFT_ERR_ARGUMENT, "robot and name must not be NULL"));
  const HeftRobotModel* m = &robot->model.list;
  return find((HeftNames){actuator_name, m, m->ncontrol}, "actuator", name, index, error);
}

HeftStatus heft_robot_find_joint(const HeftRobot* robot, const char* name, int* index,
                                 HeftError* error) {
  HEFT_REQUIRE(index, heft_error_set(error, HEFT_ERR_ARGUMENT, "index must not be NULL"));
  *index = -1;
  HEFT_REQUIRE(robot && name,
               heft_error_set(error, HEFT_ERR_ARGUMENT, "robot and name must not be NULL"));
  const HeftRobotModel* m = &robot->model.list;
  return find((HeftNames){joint_name, m, m->joint_count}, "joint", name, index, error);
}

// ---- states and answers

// Reads a state. False if it is another kind of datagram, of another session or size, or has
// numbers that are not finite.
static bool take_state(HeftRobot* r, const LinkHead* head, size_t body) {
  const HeftRobotModel* m = &r->model.list;
  const int count = m->nq + m->nv + m->nsensor;
  const unsigned char* at = r->in + LINK_HEAD;
  if (head->type != LINK_STATE || head->session != r->session || body != 8 * (size_t)(1 + count))
    return false;
  for (int i = 0; i <= count; ++i)
    if (!isfinite(bytes_get_double(&at))) return false;
  at = r->in + LINK_HEAD;
  r->state.time = bytes_get_double(&at);
  for (int i = 0; i < count; ++i) r->numbers[i] = bytes_get_double(&at);
  r->number = head->number;
  r->answered = false;
  return true;
}

bool heft_robot_wait(HeftRobot* robot) {
  HEFT_REQUIRE(robot, false);
  HeftRobot* r = robot;
  LinkHead head;
  size_t body;
  for (bool found = false;;) {
    const Got got = get(r, found ? 0 : SILENCE_MS, &head, &body);
    if (got == GOT_END || (got == GOT_DATAGRAM && head.type == LINK_BYE)) return found;
    if (got == GOT_NOTHING && found) return true;
    if (got == GOT_NOTHING) {
      if (!ask(r)) return false;
    } else if (got != GOT_DATAGRAM) {
      continue;
    } else if (head.type == LINK_STATE && head.number == r->number && r->answered) {
      send_answer(r);  // it was lost
    } else if (take_state(r, &head, body)) {
      r->state.restarted = (head.flags & LINK_RESTARTED) || (found && r->state.restarted);
      if (!(head.flags & LINK_FREE)) return true;
      found = true;
    }
  }
}

const HeftRobotState* heft_robot_state(const HeftRobot* robot) {
  HEFT_REQUIRE(robot, NULL);
  return &robot->state;
}

double* heft_robot_controls(HeftRobot* robot) {
  HEFT_REQUIRE(robot, NULL);
  return robot->controls;
}

double* heft_robot_forces(HeftRobot* robot) {
  HEFT_REQUIRE(robot, NULL);
  robot->forced = true;
  return robot->forces;
}

bool heft_robot_send(HeftRobot* robot) {
  HEFT_REQUIRE(robot, false);
  HeftRobot* r = robot;
  const HeftRobotModel* m = &r->model.list;
  const int forces = r->forced ? m->nv : 0, count = m->ncontrol + forces;
  const LinkHead head = {.type = LINK_CONTROLS,
                         .session = r->session,
                         .number = r->number,
                         .a = (uint32_t)m->ncontrol,
                         .b = (uint32_t)forces};
  link_put_numbers(r->out + LINK_HEAD, r->controls, count);
  r->out_size = link_packet_write(&head, 8 * (size_t)count, key_of(r), r->out);
  r->answered = true;
  return send_answer(r);
}
