// SPDX-License-Identifier: Apache-2.0
// Hours of use in minutes: hands that come, press, leave and lose their devices, in a time that
// runs as fast as the machine can. The long form is a day, 86.4 million steps of 1 ms.
//
// Three users, whose devices go every few seconds, at random moments, often in the midst of a
// contact:
//   lost    the driver says that the device is unplugged, and opens it again
//   closed  the program closes device, servo and probe, and creates them anew
//   far     a device at the other end of a socket, for half a second; one time the device goes
//           first, the next time the program
// Memory, descriptors and the ledger of energy that hands got back must be the same at the end of
// the day as at its beginning.
#include <arpa/inet.h>
#include <dirent.h>
#include <heft/io.h>
#include <math.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "emulate/emulate.h"

#include "validation/cases.h"

enum { STEPS_SHORT = 30000, STEPS_FULL = 86400000, STEP_NS = 1000000, LOOK_EVERY = 997 };

// A lever with a spring above a floor: it comes back to the hands, however often they press it.
static const char scene[] =
    "<mujoco><option timestep='0.001'/><worldbody><geom type='plane' size='0 0 1'/>"
    "<body pos='-0.1 0 0.04'><joint type='hinge' axis='0 1 0' stiffness='1.5' damping='0.01'/>"
    "<geom type='capsule' fromto='0 0 0 0.2 0 0' size='0.01' mass='0.1'/></body>"
    "</worldbody></mujoco>";

// Down to the lever, with it to the floor, along it, and away. The way begins with each opening.
static const char way[] =
    ":0 0.02 0 0.12; 0.6 0.02 0 0.045; 1 0.03 0 0.02; 1.4 0.03 0 0.05; 2 -0.02 0.005 0.035; "
    "2.6 0.05 0.002 0.02; 3.4 0.02 0 0.08; 4 0.02 0 0.12";

typedef struct Memory {
  HeftAllocator base;
  size_t living;  ///< bytes
} Memory;

static void* take(void* user, size_t size, size_t alignment) {
  Memory* m = user;
  void* memory = m->base.allocate(m->base.user, size, alignment);
  if (memory) m->living += size;
  return memory;
}

static void give_back(void* user, void* memory, size_t size) {
  Memory* m = user;
  if (memory) m->living -= size;
  m->base.release(m->base.user, memory, size);
}

typedef enum Kind { KIND_LOST, KIND_CLOSED, KIND_FAR, KIND_COUNT } Kind;

typedef struct Seat {
  HeftDevice* device;
  HeftServo* servo;
  HeftProbe* probe;
  const HeftStandIn* far;
  void* far_self;
  uint64_t until_ns;  ///< of this state
  long changes;       ///< of plugging and unplugging
} Seat;

typedef struct Day {
  Memory memory;
  HeftModel* model;
  HeftWorld* world;
  Seat seat[KIND_COUNT];
  uint64_t now_ns, random;
  int port;
  HeftError error;
  // what is to hold
  double ledger, added, strongest;
  long on_floor, far_hand;  ///< steps
  long refused;
} Day;

static double chance(Day* d) {
  d->random ^= d->random << 13;
  d->random ^= d->random >> 7;
  d->random ^= d->random << 17;
  return (double)(d->random >> 11) * 0x1p-53;
}

static HeftAllocator counted(Memory* m) { return (HeftAllocator){take, give_back, m}; }

static int free_port(void) {
  struct sockaddr_in at = {.sin_family = AF_INET};
  socklen_t length = sizeof at;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int s = socket(AF_INET, SOCK_DGRAM, 0);
  const int good = s >= 0 && bind(s, (struct sockaddr*)&at, sizeof at) == 0 &&
                   getsockname(s, (struct sockaddr*)&at, &length) == 0;
  if (s >= 0) close(s);
  return good ? ntohs(at.sin_port) : 0;
}

// ---- a user comes and goes

static void unplug(Day* d, Kind kind) {
  Seat* s = &d->seat[kind];
  if (s->device) d->ledger = fmin(d->ledger, heft_device_report(s->device).energy_lowest);
  // One time the device is the first to go, the next time the program.
  if (s->far_self && s->changes % 4 == 1) s->far->close(s->far_self);
  heft_servo_destroy(s->servo);
  heft_device_close(s->device);
  heft_probe_destroy(s->probe);
  if (s->far_self && s->changes % 4 != 1) s->far->close(s->far_self);
  free(s->far_self);
  s->servo = NULL;
  s->device = NULL;
  s->probe = NULL;
  s->far_self = NULL;
}

// Builds without libsodium have version 1 of the protocol alone.
#ifdef HEFT_HAVE_SODIUM
static const char key[] = "#000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
#else
static const char key[] = "#000102030405060708090a0b0c0d0e0f,version=1";
#endif

static int plug_far(Day* d, Seat* s) {
  char address[128], hand_text[256];
  HeftEmulator hand;
  s->far = heft_stand_in_find("udp");
  snprintf(address, sizeof address, "127.0.0.1:%d%s", d->port, key);
  snprintf(hand_text, sizeof hand_text, "omega%s", way);
  s->far_self = calloc(1, s->far->size);
  if (!s->far_self || heft_emulator_read_text(&hand, hand_text, &d->error) != HEFT_OK ||
      s->far->open(s->far_self, address, &hand, &d->error) != HEFT_OK) {
    free(s->far_self);
    s->far_self = NULL;
    return 0;
  }
  HeftDeviceDef def = heft_device_def_default();
  def.allocator = counted(&d->memory);
  return heft_device_open(&s->device, heft_driver_find("udp"), address, &def, &d->error) == HEFT_OK;
}

static int plug_near(Day* d, Seat* s, Kind kind) {
  char address[256];
  HeftDeviceDef def = heft_device_def_default();
  def.allocator = counted(&d->memory);
  def.retry = 0.3;
  snprintf(address, sizeof address, "%s%s", kind == KIND_LOST ? "touch" : "inverse3", way);
  return heft_device_open(&s->device, heft_driver_find("emulated"), address, &def, &d->error) ==
         HEFT_OK;
}

static int plug(Day* d, Kind kind) {
  Seat* s = &d->seat[kind];
  HeftServoDef servo = heft_servo_def_default();
  HeftProbeDef probe = heft_probe_def_default();
  servo.allocator = probe.allocator = counted(&d->memory);
  if (!(kind == KIND_FAR ? plug_far(d, s) : plug_near(d, s, kind))) return 0;
  const HeftDeviceInfo info = heft_device_info(s->device);
  // As `heft feel` does: as stiff as the device can render without giving energy.
  const double bound = heft_device_stiffness_bound(&info, 1e-9 * STEP_NS, 0);
  if (bound > 0) probe.stiffness = fmin(probe.stiffness, 0.9 * bound);
  if (heft_servo_create(&s->servo, &servo, &d->error) != HEFT_OK ||
      heft_probe_create(&s->probe, d->model, &probe, &d->error) != HEFT_OK)
    return 0;
  return heft_servo_add(s->servo, s->device, NULL) == 0;
}

// Whether the state of the user changes now. 0: a device could not be opened.
static int change(Day* d, Kind kind) {
  Seat* s = &d->seat[kind];
  if (d->now_ns < s->until_ns) return 1;
  ++s->changes;
  double next = 1 + 5 * chance(d);
  if (kind == KIND_LOST && s->device) {
    // The device notices it; the driver opens it again.
    ((HeftEmulator*)heft_device_self(s->device))->dead = 1;
  } else if (s->device) {
    unplug(d, kind);
    next = kind == KIND_FAR ? 9.5 : 0.2 + 2 * chance(d);
  } else {
    if (!plug(d, kind)) return 0;
    if (kind == KIND_FAR) next = 0.5;
  }
  s->until_ns = d->now_ns + (uint64_t)(1e9 * next);
  return 1;
}

// ---- a step

static void step(Day* d) {
  HeftProbeInput input;
  d->now_ns += STEP_NS;
  for (int i = 0; i < KIND_COUNT; ++i) {
    Seat* s = &d->seat[i];
    if (s->far_self) s->far->turn(s->far_self, d->now_ns);
    if (!s->servo) continue;
    heft_servo_tick(s->servo, d->now_ns);
    heft_servo_input(s->servo, 0, &input);
    heft_probe_begin(s->probe, d->world, &input);
    d->far_hand += i == KIND_FAR && input.present;
  }
  const HeftStepReport r = heft_world_step(d->world);
  d->refused += !heft_step_taken(r.status);
  d->added = fmax(d->added, r.impulse_energy);
  d->on_floor += r.contact_count > 0;
  for (int i = 0; i < KIND_COUNT; ++i) {
    Seat* s = &d->seat[i];
    if (!s->servo) continue;
    const HeftLocalModel model = heft_probe_end(s->probe, d->world);
    heft_servo_model(s->servo, 0, &model);
    const HeftGuardReport guard = heft_device_report(s->device);
    d->ledger = fmin(d->ledger, guard.energy_lowest);
    d->strongest = fmax(d->strongest, guard.force_peak);
  }
}

// ---- what the system sees

static double descriptors(void) {
  DIR* dir = opendir("/proc/self/fd");
  int count = 0;
  if (!dir) return 0;
  while (readdir(dir)) ++count;
  closedir(dir);
  return count;
}

// Resident memory without the pages of files, which the system takes and brings back as it likes.
static double resident(void) {
  FILE* f = fopen("/proc/self/statm", "r");
  long total = 0, pages = 0, of_files = 0;
  if (!f) return 0;
  const int read = fscanf(f, "%ld %ld %ld", &total, &pages, &of_files);
  fclose(f);
  return read == 3 ? (double)(pages - of_files) * (double)sysconf(_SC_PAGESIZE) : 0;
}

static void clear(Day* d) {
  for (int i = 0; i < KIND_COUNT; ++i) unplug(d, (Kind)i);
}

static int begin(Day* d) {
  HeftLoadDef load = heft_load_def_default();
  HeftWorldDef world = heft_world_def_default();
  *d = (Day){.memory = {heft_allocator_default(), 0}, .now_ns = heft_clock_ns(), .random = 25};
  load.allocator = world.allocator = counted(&d->memory);
  d->port = free_port();
  return heft_model_load_bytes(&d->model, scene, sizeof scene - 1, "soak.xml", &load, &d->error) ==
             HEFT_OK &&
         heft_world_create(&d->world, d->model, &world, &d->error) == HEFT_OK;
}

// The most at a time. A user who is plugged takes 130 KiB that go with them, so that two moments
// say little about each other: what grows is the most of a part of the day.
typedef struct Most {
  double resident, descriptors;
} Most;

static void look(Most* most) {
  most->resident = fmax(most->resident, resident());
  most->descriptors = fmax(most->descriptors, descriptors());
}

void case_soak(Run* run) {
  Day d;
  Most start = {0},
       rest = {0};  // of the first tenth of the day, in which memory settles, and since
  const long steps = run->full ? STEPS_FULL : STEPS_SHORT, settled = steps / 10;
  const double before = descriptors();
  int good = begin(&d);
  const double empty = (double)d.memory.living;
  for (long i = 0; good && i < steps; ++i) {
    for (int k = 0; good && k < KIND_COUNT; ++k) good = change(&d, (Kind)k);
    step(&d);
    if (i % LOOK_EVERY == 0) {
      look(i < settled ? &start : &rest);
      run_progress(run, (double)i / (double)steps);
    }
  }
  clear(&d);
  const double left = (double)d.memory.living - empty;
  const double most_descriptors = fmax(start.descriptors, rest.descriptors);
  long changes = 0;
  for (int i = 0; i < KIND_COUNT; ++i) changes += d.seat[i].changes;
  heft_world_destroy(d.world);
  heft_model_destroy(d.model);
  if (!good) {
    snprintf(run->engine->reason, sizeof run->engine->reason, "soak: %.140s", d.error.message);
    return;
  }
  run_report(run, "steps of 1 ms that were not taken", 0, (double)d.refused, 0);
  // Each of three devices changes every 10 s at least.
  const double least = 3 * floor(1e-4 * (double)steps);
  run_report_error(run, "devices plugged and unplugged", least, (double)changes,
                   fmax(0, least - (double)changes), 0);
  run_report_error(run, "strongest force on a hand, 1 N or more [N]", 1, d.strongest,
                   d.strongest >= 1 ? 0 : 1, 0);
  run_report_error(run, "share of steps in which the lever is on the floor", 0.1,
                   (double)d.on_floor / (double)steps, d.on_floor > 0 ? 0 : 1, 0);
  run_report_error(run, "share of steps with the hand of the far device", 0.04,
                   (double)d.far_hand / (double)steps, d.far_hand > 0 ? 0 : 1, 0);
  run_report(run, "memory of devices and users that is not given back [bytes]", 0, left, 0);
  run_report(run, "memory at the end of the program's objects [bytes]", 0, (double)d.memory.living,
             0);
  run_report(run, "descriptors that stay open", 0, descriptors() - before, 0);
  run_report_error(run, "most descriptors at a time, more than at the start", 0,
                   most_descriptors - before, most_descriptors - before, 4);
  run_report_error(run, "energy that a hand got back in a contact [J]", 0, -d.ledger,
                   fmax(0, -d.ledger), 1e-6);
  run_report_error(run, "energy that contacts added in a step [J]", 0, d.added, fmax(0, d.added),
                   1e-9);
  if (run->full)
    run_report_error(run, "growth of the most resident memory since the first tenth [bytes]", 0,
                     rest.resident - start.resident, fmax(0, rest.resident - start.resident),
                     65536);
}
