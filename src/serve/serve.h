// SPDX-License-Identifier: Apache-2.0
/// @file serve.h
/// A world behind a WebSocket: many watchers, and users with a token who act in it.
/// docs/manual/browser.md describes the protocol, docs/decisions/068-serve.md the reasons.
///
///     HeftServeDef def = heft_serve_def_default();
///     HeftServer* server = NULL;
///     heft_server_create(&server, world, &def, &error);
///     heft_server_start(server, &error);   // two threads: one steps the world, one serves
///     ...
///     heft_server_destroy(server);         // ends both
///
/// For the command and the tests; not installed. The functions heft_server_...() and
/// heft_guest_...() exist only if Heft was built with libwebsockets (HEFT_HAVE_SERVE).
#ifndef HEFT_SERVE_H
#define HEFT_SERVE_H

#include <heft/interact.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct HeftServer HeftServer;

/// Rights of users with a token: X(name, text, meaning). Bit i of HeftServeDef::rights.
#define HEFT_RIGHT_LIST(X)                                          \
  X(HEFT_RIGHT_PULL, "pull", "pull bodies")                         \
  X(HEFT_RIGHT_PUSH, "push", "push bodies")                         \
  X(HEFT_RIGHT_CONTROL, "control", "set the controls of actuators") \
  X(HEFT_RIGHT_PAUSE, "pause", "pause, go on, take single steps")   \
  X(HEFT_RIGHT_RESET, "reset", "go back to the start or to a keyframe")

typedef enum HeftRight { HEFT_RIGHT_LIST(HEFT_ENUM_ENTRY) HEFT_RIGHT_COUNT } HeftRight;

const char* heft_right_name(HeftRight right);

enum {
  HEFT_SERVE_VERSION = 1,     ///< of the protocol
  HEFT_SERVE_TOKEN_MIN = 16,  ///< characters of a token
  HEFT_SERVE_TOKEN_MAX = 128,
  HEFT_SERVE_ORIGINS = 16
};

/// Functions of the program around a step, called by the thread that steps. Each may be NULL.
typedef struct HeftServeHooks {
  void* user;
  /// Before a step, before before_step(): the hands of all users who pull.
  void (*hands)(void* user, const HeftHand* hands, int count);
  /// Before a step. false: the world pauses instead.
  bool (*before_step)(void* user);
  void (*after_step)(void* user, const HeftStepReport* report);
  /// After the world was set to its start or to a keyframe. false: the world pauses.
  bool (*reset)(void* user);
  /// A shared world with a person at the server, whose seat is 0: the hand before a step, and what
  /// it feels after one or after a correction. Both or neither.
  void (*input)(void* user, HeftProbeInput* hand);
  void (*felt)(void* user, const HeftLocalModel* felt);
} HeftServeHooks;

/// Settings. Texts must outlive the server.
typedef struct HeftServeDef {
  HeftAllocator allocator;
  const char* name;                        ///< of the model, for the user
  const char* address;                     ///< IP address to listen on, "127.0.0.1" by default
  int port;                                ///< 0: any free one
  const char* page;                        ///< folder of the page's files; NULL: none
  const char* token;                       ///< allows users to act; NULL: all are watchers
  unsigned rights;                         ///< of users; bits of HeftRight
  const char* origin[HEFT_SERVE_ORIGINS];  ///< further pages that may connect: "https://host:port"
  int origin_count;
  const char* certificate;     ///< PEM file for TLS; NULL: none
  const char* key;             ///< PEM file of its private key
  int start_key;               ///< keyframe of the start, -1: the pose of the file
  bool paused;                 ///< the world waits at the start
  double speed;                ///< simulated time per time of the clock
  double picture_rate;         ///< pictures per second
  int client_max;              ///< watchers; users come in beyond them
  int address_max;             ///< connections of one other machine
  int user_max;                ///< connections with a token, at most 8
  double message_rate;         ///< messages per second that a user may send, as a mean
  double watcher_rate;         ///< the same without a token
  int mistake_max;             ///< messages with errors after which a connection is closed
  const HeftProbeDef* probes;  ///< user_max of them: the world is shared by inputs; NULL: it is not
  HeftServeHooks hooks;
} HeftServeDef;

HeftServeDef heft_serve_def_default(void);

/// Report since the start.
typedef struct HeftServeReport {
  long steps;          ///< steps taken
  long late;           ///< times that the schedule was moved because a step was late by 0.1 s
  double time;         ///< of the world [s]
  long connections;    ///< WebSocket connections that were accepted
  long refused;        ///< that were refused: too many, wrong Host or Origin
  long closed;         ///< that were closed because of errors, too many or too long messages
  long messages;       ///< messages that were read
  long mistakes;       ///< messages with errors
  long forbidden;      ///< commands without the right
  long commands;       ///< commands that were passed on to the world
  long pictures;       ///< pictures that were sent, to all
  long whole;          ///< of these, whole ones
  long skipped;        ///< pictures that a watcher missed because it reads too slowly
  int clients, users;  ///< connected now
} HeftServeReport;

/// Opens the address. The world must outlive the server; between start and destroy only the server
/// uses it. *out is NULL on failure.
HeftStatus heft_server_create(HeftServer** out, HeftWorld* world, const HeftServeDef* def,
                              HeftError* error);
/// Starts both threads.
HeftStatus heft_server_start(HeftServer* server, HeftError* error);
/// The port that is open.
int heft_server_port(const HeftServer* server);
/// Any thread may call it; the numbers may be of slightly different times.
HeftServeReport heft_server_report(const HeftServer* server);
/// Ends the threads, closes all connections and releases all memory. NULL is allowed.
void heft_server_destroy(HeftServer* server);

/// Checks a token: length, and printable ASCII without blanks. error may be NULL.
HeftStatus heft_serve_check_token(const char* token, HeftError* error);
/// Makes a random token of 32 hexadecimal digits. 0: the system has no random numbers.
bool heft_serve_make_token(char out[HEFT_SERVE_TOKEN_MAX + 1]);

// ---- a person with a device in the shared world of a server elsewhere

typedef struct HeftGuest HeftGuest;

/// Report since the start.
typedef struct HeftGuestReport {
  uint64_t present;          ///< steps taken
  int deepest;               ///< steps, of the deepest correction
  long corrections, waits;   ///< corrections; steps that waited for the server
  long compared, different;  ///< hashes that were compared with the server, and that differed
  double refused;            ///< work of corrections that the hand did not get [J]
} HeftGuestReport;

/// Joins the world at an address (http://HOST:PORT/#token=...), and waits for its model. *out is
/// NULL on failure.
HeftStatus heft_guest_join(HeftGuest** out, const char* address, HeftError* error);
/// NULL is allowed.
void heft_guest_leave(HeftGuest* guest);
const HeftModel* heft_guest_model(const HeftGuest* guest);
/// Sends, receives, corrects, and takes the steps that are due, without waiting. felt: what the
/// hand feels, if it changes. Returns 1 if it has changed, 0 if not, -1 if the connection has
/// ended.
int heft_guest_turn(HeftGuest* guest, const HeftProbeInput* hand, HeftLocalModel* felt);
/// Why the connection has ended, "" if it has not.
const char* heft_guest_end(const HeftGuest* guest);
HeftGuestReport heft_guest_report(const HeftGuest* guest);

#ifdef __cplusplus
}
#endif
#endif
