// SPDX-License-Identifier: Apache-2.0
// heft serve: a world behind a WebSocket, for browsers.
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <string.h>

#include "arguments.h"
#include "builtin.h"
#include "users.h"
#include "verbs.h"

static const char help[] =
    "usage: heft serve [OPTIONS] FILE|NAME\n"
    "Simulates a model in real time and shows it to browsers: prints an address to open. All who "
    "reach\n"
    "the address may watch. Users with a token pull, push and control. Ctrl-C ends it.\n"
    "\n"
    "  --listen ADDRESS:PORT    IP address and port to open (default 127.0.0.1:8765, which is "
    "reached\n"
    "                           from this machine alone); port 0: any free one\n"
    "  --users                  make a token and print it\n"
    "  --shared                 users compute the world themselves and send the inputs of their "
    "hands;\n"
    "                           --device adds a person here, who feels it\n"
    "  --token-file FILE        the token of users, 16 to 128 characters; the environment "
    "variable\n"
    "                           HEFT_SERVE_TOKEN has one, too\n"
    "  --allow LIST             what users may do (default pull,push,control,pause,reset)\n"
    "  --origin URL             a page of another site that may connect; may be repeated\n"
    "  --cert FILE              certificate for TLS (PEM), with\n"
    "  --cert-key FILE          its private key\n"
    "  --insecure               users without TLS at an address that other machines reach\n"
    "  --page FOLDER            files of the page (default: those that are installed)\n"
    "  --clients N              max connections (default 256)\n"
    "  --address-clients N      max connections of one other machine (default 32)\n"
    "  --rate HZ                pictures per second (default 30)\n"
    "  --speed X                simulated time per second (default 1)\n"
    "  --step SECONDS           time step (default: from the model)\n"
    "  --key NAME               initial keyframe (default: the pose in the file)\n"
    "  --paused                 wait at the start\n"
    "  --seconds SECONDS        end after this time (default: never)\n";

static void print_help(void) {
  printf("%s%s%s%s", help, users_help, plugin_options_help, model_options_help);
}

#ifndef HEFT_HAVE_SERVE

int heft_verb_serve(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "--help") == 0) {
    print_help();
    return 0;
  }
  fprintf(stderr,
          "heft serve: error: this program was built without libwebsockets. On Debian:\n"
          "  apt install libwebsockets-dev\n"
          "and build Heft again.\n");
  return 1;
}

#else

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <math.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "serve/serve.h"

#include "data_folder.h"
#include "names.h"

typedef struct ServeOptions {
  ModelOptions model;
  PluginOptions plugins;
  char builtin[BUILTIN_PATH];
  const char *path, *key, *token_file;
  char address[64], token[HEFT_SERVE_TOKEN_MAX + 2], page[1100];
  int users, insecure, made, shared;
  Users hands;
  HeftProbeDef probes[HEFT_SESSION_PROBES];
  double step, seconds, clients, address_clients;
  HeftServeDef def;
} ServeOptions;

static int wrong(const char* what, const char* value) {
  return arguments_wrong("serve", what, value);
}

static int failed(const char* message) {
  fprintf(stderr, "heft serve: error: %s\n", message);
  return 0;
}

// ---- options

// "8000", "127.0.0.1:8000", "[::1]:8000" or "localhost:8000"
static int read_listen(ServeOptions* o, const char* text) {
  const char* colon = strrchr(text, ':');
  const char* port = colon ? colon + 1 : text;
  char name[64] = "127.0.0.1", *end = NULL;
  unsigned char bytes[16];
  if (colon) snprintf(name, sizeof name, "%.*s", (int)(colon - text), text);
  const size_t length = strlen(name);
  if (name[0] == '[' && name[length - 1] == ']') {
    memmove(name, name + 1, length - 2);
    name[length - 2] = '\0';
  }
  if (strcmp(name, "localhost") == 0) snprintf(name, sizeof name, "127.0.0.1");
  const long number = strtol(port, &end, 10);
  if (*port < '0' || *port > '9' || *end || number > 65535)
    return wrong("expected ADDRESS:PORT, found", text);
  if (inet_pton(AF_INET, name, bytes) != 1 && inet_pton(AF_INET6, name, bytes) != 1)
    return wrong("expected an IP address of this machine before the port, found", text);
  snprintf(o->address, sizeof o->address, "%s", name);
  o->def.port = (int)number;
  return 1;
}

static const char* right_name(const void* from, int index) {
  (void)from;
  return heft_right_name((HeftRight)index);
}

static int read_allow(ServeOptions* o, const char* text) {
  o->def.rights = 0;
  for (const char* at = text; *at; at += strspn(at, ",")) {
    char word[40];
    const size_t length = strcspn(at, ",");
    snprintf(word, sizeof word, "%.*s", (int)length, at);
    int right = 0;
    while (right < HEFT_RIGHT_COUNT && strcmp(word, right_name(NULL, right)) != 0) ++right;
    if (right == HEFT_RIGHT_COUNT)
      return names_wrong("serve", "unknown right", word,
                         (Names){right_name, NULL, HEFT_RIGHT_COUNT});
    o->def.rights |= 1u << right;
    at += length;
  }
  return o->def.rights != 0 || wrong("expected a list of rights, found", text);
}

static int read_origin(ServeOptions* o, const char* text) {
  const char* host = strstr(text, "://");
  if ((strncmp(text, "http://", 7) != 0 && strncmp(text, "https://", 8) != 0) || !host[3] ||
      strchr(host + 3, '/'))
    return wrong("expected an origin like https://example.org, found", text);
  if (o->def.origin_count == HEFT_SERVE_ORIGINS)
    return wrong("too many origins, the first that does not fit is", text);
  o->def.origin[o->def.origin_count++] = text;
  return 1;
}

static int read_limited(const char* text, double max, double* out) {
  if (!arguments_positive("serve", text, out)) return 0;
  return *out <= max || wrong("too large a number", text);
}

// 1: taken, 0: wrong (reported), -1: unknown.
static int take_value(void* options, const char* name, const char* value) {
  ServeOptions* o = options;
  if (strcmp(name, "--listen") == 0) return read_listen(o, value);
  if (strcmp(name, "--token-file") == 0) return (o->token_file = value) != NULL;
  if (strcmp(name, "--allow") == 0) return read_allow(o, value);
  if (strcmp(name, "--origin") == 0) return read_origin(o, value);
  if (strcmp(name, "--cert") == 0) return (o->def.certificate = value) != NULL;
  if (strcmp(name, "--cert-key") == 0) return (o->def.key = value) != NULL;
  if (strcmp(name, "--page") == 0) return (o->def.page = value) != NULL;
  if (strcmp(name, "--clients") == 0) return read_limited(value, 10000, &o->clients);
  if (strcmp(name, "--address-clients") == 0)
    return read_limited(value, 10000, &o->address_clients);
  if (strcmp(name, "--rate") == 0) return read_limited(value, 120, &o->def.picture_rate);
  if (strcmp(name, "--speed") == 0) return read_limited(value, 100, &o->def.speed);
  if (strcmp(name, "--step") == 0) return read_limited(value, 10, &o->step);
  if (strcmp(name, "--key") == 0) return (o->key = value) != NULL;
  if (strcmp(name, "--seconds") == 0) return read_limited(value, 1e9, &o->seconds);
  return -1;
}

static int take_flag(void* options, const char* name) {
  ServeOptions* o = options;
  if (strcmp(name, "--users") == 0) return o->users = 1;
  if (strcmp(name, "--shared") == 0) return o->shared = 1;
  if (strcmp(name, "--insecure") == 0) return o->insecure = 1;
  if (strcmp(name, "--paused") == 0) return o->def.paused = true;
  return 0;
}

// ---- the token

static int read_token_file(ServeOptions* o) {
  char message[1200];
  struct stat info;
  const int fd = open(o->token_file, O_RDONLY | O_CLOEXEC);
  if (fd < 0 || fstat(fd, &info) != 0) {
    if (fd >= 0) close(fd);
    snprintf(message, sizeof message, "%.1000s: the file of the token cannot be read",
             o->token_file);
    return failed(message);
  }
  const ssize_t size = read(fd, o->token, sizeof o->token - 1);
  close(fd);
  if (S_ISREG(info.st_mode) && (info.st_mode & (S_IRGRP | S_IROTH))) {
    snprintf(message, sizeof message,
             "%.900s: other users of this machine can read the token; do: chmod 600 %.100s",
             o->token_file, o->token_file);
    return failed(message);
  }
  o->token[size > 0 ? size : 0] = '\0';
  o->token[strcspn(o->token, "\r\n")] = '\0';
  return 1;
}

// From the file, the environment, or made up; in this order.
static int find_token(ServeOptions* o) {
  HeftError error = {0};
  const char* given = getenv("HEFT_SERVE_TOKEN");
  char message[800];
  if (o->token_file) {
    if (!read_token_file(o)) return 0;
  } else if (given) {
    snprintf(o->token, sizeof o->token, "%s", given);
    unsetenv("HEFT_SERVE_TOKEN");
  } else if (!o->users) {
    return 1;
  } else if (!heft_serve_make_token(o->token)) {
    return failed("the system has no random numbers for a token");
  } else {
    o->made = 1;
  }
  if (heft_serve_check_token(o->token, &error) != HEFT_OK) {
    snprintf(message, sizeof message, "%.200s: %.400s",
             o->token_file ? o->token_file : "HEFT_SERVE_TOKEN", error.message);
    return failed(message);
  }
  o->def.token = o->token;
  return 1;
}

static int is_local(const char* address) {
  return strncmp(address, "127.", 4) == 0 || strcmp(address, "::1") == 0;
}

static int check_safety(const ServeOptions* o) {
  if (!o->def.certificate != !o->def.key)
    return failed("TLS needs both files: --cert FILE --cert-key FILE");
  if (!o->def.token || is_local(o->def.address) || o->def.certificate || o->insecure) return 1;
  return failed(
      "others in the network could read the token: give --cert and --cert-key, or listen on "
      "127.0.0.1 "
      "behind a proxy with TLS, or say --insecure");
}

// 1: continue, 0: wrong (reported), 2: help requested.
static int read_options(ServeOptions* o, int argc, char** argv) {
  const Arguments arguments = {.verb = "serve",
                               .help = help,
                               .model = &o->model,
                               .users = &o->hands,
                               .plugins = &o->plugins,
                               .builtin = o->builtin,
                               .options = o,
                               .flag = take_flag,
                               .value = take_value,
                               .path = &o->path};
  const int asked = arguments_read_file(&arguments, argc, argv);
  if (asked != 1) return asked;
  if (o->hands.option && !o->shared && o->hands.count == 0)
    return wrong("only --shared or --device has hands that feel, but there is", o->hands.option);
  o->def.address = o->address;
  o->def.client_max = (int)fmax(1, o->clients);
  o->def.address_max = (int)fmax(1, o->address_clients);
  const char* slash = strrchr(o->path, '/');
  o->def.name = o->plugins.builtin[0] ? o->plugins.builtin : slash ? slash + 1 : o->path;
  if (!o->def.page) o->def.page = page_folder(o->page, sizeof o->page);
  return find_token(o) && check_safety(o);
}

// ---- plug-ins

static void show_hands(void* user, const HeftHand* hands, int count) {
  const PluginOptions* p = user;
  if (p->set) heft_plugin_set_hands(p->set, hands, count);
}

static bool before_step(void* user) { return plugin_options_before_step(user, "serve"); }

static void after_step(void* user, const HeftStepReport* report) {
  plugin_options_after_step(user, report);
}

static bool reset(void* user) {
  const PluginOptions* p = user;
  HeftError error = {0};
  if (!p->set || heft_plugin_set_reset(p->set, &error) == HEFT_OK) return true;
  return failed(error.message);
}

// ---- a shared world

static void hand_input(void* user, HeftProbeInput* hand) {
  const Users* p = user;
  heft_servo_input(p->servo, 0, hand);
}

static void hand_feels(void* user, const HeftLocalModel* felt) {
  const Users* p = user;
  heft_servo_model(p->servo, 0, felt);
}

static int share(ServeOptions* o, const HeftModel* model) {
  HeftError error = {0};
  Users* p = &o->hands;
  if (o->plugins.set) return failed("plug-ins and acts do not run in a shared world");
  if (p->count > 1) return failed("one person is at the server: give one --device");
  if (!users_probe(p, "serve", model, &o->probes[0])) return 0;
  for (int i = 1; i < HEFT_SESSION_PROBES; ++i) o->probes[i] = o->probes[0];
  o->def.probes = o->probes;
  o->def.hooks = (HeftServeHooks){.user = p};
  if (p->count == 0) return 1;
  if (!users_open(p, "serve", model, 1)) return 0;
  o->probes[0] = p->probe[0];
  o->def.hooks.input = hand_input;
  o->def.hooks.felt = hand_feels;
  return heft_servo_start(p->servo, &error) == HEFT_OK || failed(error.message);
}

static void print_hand(const Users* p) {
  HeftServoView view;
  if (p->count == 0) return;
  heft_servo_view(p->servo, 0, &view);
  printf("%s: largest force %.3f N, min of the energy ledger %.1e J\n",
         heft_device_info(p->device[0]).name, view.guard.force_peak, view.guard.energy_lowest);
}

// ---- running

static void print_rights(unsigned rights) {
  const char* comma = "";
  for (int r = 0; r < HEFT_RIGHT_COUNT; ++r) {
    if (!(rights & (1u << r))) continue;
    printf("%s%s", comma, heft_right_name((HeftRight)r));
    comma = ", ";
  }
}

static void print_acts(const ServeOptions* o) {
  printf(o->def.probes ? "join by 'heft feel ADDRESS'" : "act (");
  if (o->def.probes) return;
  print_rights(o->def.rights);
  printf(")");
}

// An address of this machine that others reach, for 0.0.0.0 and [::]; these if there is none.
static void open_address(const char* given, char out[64]) {
  const int any = strcmp(given, "0.0.0.0") == 0 || strcmp(given, "::") == 0;
  struct ifaddrs* list = NULL;
  snprintf(out, 64, "%s", given);
  if (!any || getifaddrs(&list) != 0) return;
  for (const struct ifaddrs* i = list; i; i = i->ifa_next) {
    char text[64];
    if (!i->ifa_addr || i->ifa_addr->sa_family != AF_INET) continue;
    const struct sockaddr_in* four = (const struct sockaddr_in*)(const void*)i->ifa_addr;
    if (!inet_ntop(AF_INET, &four->sin_addr, text, sizeof text) || is_local(text)) continue;
    snprintf(out, 64, "%s", text);
    break;
  }
  freeifaddrs(list);
}

static void print_address(const ServeOptions* o, int port) {
  char url[160], address[64];
  open_address(o->address, address);
  const int six = strchr(address, ':') != NULL;
  snprintf(url, sizeof url, "%s://%s%s%s:%d/", o->def.certificate ? "https" : "http",
           six ? "[" : "", address, six ? "]" : "", port);
  printf("%s is served. Open this address to watch:\n  %s\n", o->def.name, url);
  if (o->made) printf("or this one to ");
  if (o->made) print_acts(o);
  if (o->made) printf("; it contains the token:\n  %s#token=%s\n", url, o->token);
  if (o->def.token && !o->made) {
    printf("Users add #token=... with their token, to ");
    print_acts(o);
    printf("\n");
  }
  if (!o->def.token) printf("All are watchers; --users makes a token.\n");
  printf("%s\n", is_local(o->address) ? "Only programs of this machine reach it."
                                      : "Other machines reach it, and all who do may watch.");
  if (!is_local(o->address) && !o->def.certificate)
    printf("It is not encrypted: others in the network see the world%s.\n",
           o->def.token ? " and the token" : "");
  if (!o->def.page)
    printf("The files of the page were not found; build web/ and name its folder with --page.\n");
  printf("Ctrl-C ends it.\n");
  fflush(stdout);
}

// Until Ctrl-C, or the end of the time. The signals are blocked in all threads.
static void wait_for_end(double seconds) {
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  sigaddset(&ends, SIGHUP);
  if (seconds <= 0) {
    int number = 0;
    sigwait(&ends, &number);
    return;
  }
  const uint64_t end = heft_clock_ns() + (uint64_t)(1e9 * seconds);
  for (uint64_t now = heft_clock_ns(); now < end; now = heft_clock_ns()) {
    const uint64_t left = end - now;
    const struct timespec t = {(time_t)(left / 1000000000u), (long)(left % 1000000000u)};
    if (sigtimedwait(&ends, NULL, &t) > 0) return;
  }
}

static void block_signals(void) {
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  sigaddset(&ends, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &ends, NULL);
  signal(SIGPIPE, SIG_IGN);
}

static void print_end(const HeftServer* server) {
  const HeftServeReport r = heft_server_report(server);
  printf(
      "\n%.3f s of the world in %ld steps; %ld connections, %ld refused, %ld closed for errors\n"
      "%ld pictures sent, %ld left out for slow watchers; %ld commands, %ld without the right\n",
      r.time, r.steps, r.connections, r.refused, r.closed, r.pictures, r.skipped, r.commands,
      r.forbidden);
}

// Connections that are not complete use files, too: as many as the system allows, within reason.
static void raise_limit_of_files(void) {
  struct rlimit files;
  if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur >= 8192) return;
  files.rlim_cur = files.rlim_max < 8192 ? files.rlim_max : 8192;
  setrlimit(RLIMIT_NOFILE, &files);
}

static int serve(ServeOptions* o, HeftWorld* world) {
  HeftServer* server = NULL;
  HeftError error = {0};
  const char* key = o->key ? o->key : o->model.start;
  o->def.hooks = (HeftServeHooks){.user = &o->plugins,
                                  .hands = show_hands,
                                  .before_step = before_step,
                                  .after_step = after_step,
                                  .reset = reset};
  o->def.start_key = key ? heft_model_find(heft_world_model(world), HEFT_NAMED_KEY, key) : -1;
  block_signals();
  if ((o->shared || o->hands.count > 0) && !share(o, heft_world_model(world))) return 0;
  raise_limit_of_files();
  if (heft_server_create(&server, world, &o->def, &error) != HEFT_OK) return failed(error.message);
  int well = heft_server_start(server, &error) == HEFT_OK || failed(error.message);
  if (well) {
    print_address(o, heft_server_port(server));
    wait_for_end(o->seconds);
    if (!o->model.quiet) print_end(server);
    if (!o->model.quiet) print_hand(&o->hands);
  }
  heft_server_destroy(server);
  return well;
}

static int open_world(ServeOptions* o) {
  HeftError error = {0};
  HeftWorldDef def = heft_world_def_default();
  HeftWorld* world = NULL;
  def.time_step = o->step;
  HeftModel* model = model_options_load(&o->model, o->path);
  if (!model) return 0;
  int well = heft_world_create(&world, model, &def, &error) == HEFT_OK || failed(error.message);
  well = well && arguments_start("serve", world, o->key ? o->key : o->model.start) &&
         plugin_options_start(&o->plugins, "serve", world) && serve(o, world);
  heft_world_destroy(world);
  heft_model_destroy(model);
  return well;
}

int heft_verb_serve(int argc, char** argv) {
  ServeOptions o = {.def = heft_serve_def_default(),
                    .address = "127.0.0.1",
                    .clients = 256,
                    .address_clients = 32};
  o.def.port = 8765;
  model_options_init(&o.model);
  users_init(&o.hands);
  const int asked = read_options(&o, argc, argv);
  int result = asked == 0 ? 2 : 0;
  if (asked == 2) print_help();
  if (asked == 1) result = open_world(&o) ? 0 : 1;
  users_close(&o.hands);
  plugin_options_release(&o.plugins);
  model_options_release(&o.model);
  return result;
}

#endif
