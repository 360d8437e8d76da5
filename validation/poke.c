// SPDX-License-Identifier: Apache-2.0
// Papers: R41, U9.
// Emulated hands poke a sponge: at vertices, edges and in the midst of triangles, along its top and
// at its side, slowly and fast. No hand gets back energy that it did not give: neither by the
// ledger of the guard, nor by the work at the emulated handle, which also counts what the sponge
// stores and returns. A hand at rest carries what the floor does not.
#include <heft/device.h>
#include <heft/io.h>
#include <math.h>
#include <string.h>

#include "scenes/random.h"
#include "validation/cases.h"

enum { TICK_NS = 1000000, HANDS_FULL = 100 };

// Its top is at 0.09 m, its sides at 0.06 m; vertices are 0.04 m apart.
static const char scene[] =
    "<mujoco><option timestep='0.001'/><worldbody>"
    "<geom type='plane' size='0 0 1' friction='.8'/><body pos='0 0 .046'>"
    "<flexcomp name='sponge' type='grid' dim='3' count='4 4 3' spacing='.04 .04 .04' mass='.1' "
    "radius='.004'><elasticity young='2e4' poisson='.2' damping='.01'/><contact friction='.8'/>"
    "</flexcomp></body></worldbody></mujoco>";

// A hand, its device and the sponge, in a time of their own.
typedef struct Poke {
  HeftModel* model;
  HeftWorld* world;
  HeftProbe* probe;
  HeftDevice* device;
  HeftServo* servo;
  HeftEmulator* hand;
  HeftError error;
  uint64_t now_ns;
  double lowest;  ///< of the energy that handle and sponge took from the hand [J]
  double strongest;
  int unsolved;
} Poke;

static int open_poke(Poke* p, const HeftEmulatorDef* hand, const char* way) {
  *p = (Poke){.now_ns = 1000000000u};
  const HeftLoadDef load = heft_load_def_default();
  HeftDeviceDef device = heft_device_def_default();
  HeftProbeDef probe = heft_probe_def_default();
  HeftMapping mapping = heft_mapping_default();
  const double bound = heft_device_stiffness_bound(&hand->info, 1e-9 * TICK_NS, 0);
  if (bound > 0) probe.stiffness = fmin(probe.stiffness, 0.9 * bound);
  device.guard.ramp = 0;  // a force that grows while the hand waits gives it energy
  mapping.origin = heft_vec3(0, 0, 0.09 + probe.radius);  // the hand at 0 touches the top
  if (heft_model_load_bytes(&p->model, scene, sizeof scene - 1, "poke.xml", &load, &p->error) ||
      heft_world_create(&p->world, p->model, NULL, &p->error) ||
      heft_probe_create(&p->probe, p->model, &probe, &p->error) ||
      heft_device_open(&p->device, heft_driver_find("emulated"), "", &device, &p->error) ||
      heft_servo_create(&p->servo, NULL, &p->error) ||
      heft_servo_add(p->servo, p->device, &mapping) != 0)
    return 0;
  p->hand = heft_device_self(p->device);
  *p->hand = heft_emulator_make(hand);
  return heft_emulator_script(p->hand, way) == HEFT_OK;
}

static void close_poke(Poke* p) {
  heft_servo_destroy(p->servo);
  heft_device_close(p->device);
  heft_probe_destroy(p->probe);
  heft_world_destroy(p->world);
  heft_model_destroy(p->model);
}

static void tick(Poke* p) {
  HeftProbeInput input;
  p->now_ns += TICK_NS;
  heft_servo_tick(p->servo, p->now_ns);
  heft_servo_input(p->servo, 0, &input);
  heft_probe_begin(p->probe, p->world, &input);
  const HeftStepReport r = heft_world_step(p->world);
  const HeftLocalModel model = heft_probe_end(p->probe, p->world);
  heft_servo_model(p->servo, 0, &model);
  p->unsolved += r.status != HEFT_STEP_SOLVED;
  p->lowest = fmin(p->lowest, p->hand->given);
  p->strongest = fmax(p->strongest, heft_vec3_norm(p->hand->force.force));
}

// ---- many pokes

// Down at a random place, deeper, along the top, and away.
static void draw_way(Random* r, char* way, size_t size) {
  const double x = random_between(r, -0.05, 0.05), y = random_between(r, -0.03, 0.03);
  const double deep = random_between(r, 0.005, 0.03), fast = random_between(r, 0.1, 0.5);
  const double dx = random_between(r, -0.02, 0.02), dy = random_between(r, -0.01, 0.01);
  snprintf(way, size, "0 %.4f %.4f 0.02; %.3f %.4f %.4f %.4f; 0.8 %.4f %.4f %.4f; 1 %.4f %.4f 0.03",
           x, y, fast, x, y, -deep, x + dx, y + dy, -deep, x + dx, y + dy);
}

static HeftEmulatorDef draw_hand(Random* r, const char* device) {
  HeftEmulatorDef def = heft_emulator_def_default();
  heft_emulator_device(device, &def.info);
  def.seed = random_bits(r) | 1;
  def.hand_mass = random_between(r, 0.05, 0.35);
  def.hand_stiffness = random_between(r, 50, 400);
  def.hand_damping = random_between(r, 1, 10);
  return def;
}

static void many(Run* run, const char* device, int hands, uint64_t seed) {
  Random r = {seed};
  double ledger = 0, lowest = 0, strongest = 0;
  int unsolved = 0;
  char way[200], what[ROW_TEXT];
  for (int i = 0; i < hands; ++i) {
    Poke p;
    draw_way(&r, way, sizeof way);
    HeftEmulatorDef hand = draw_hand(&r, device);
    sscanf(way, "0 %lf %lf %lf", &hand.start.x, &hand.start.y, &hand.start.z);
    const int opened = open_poke(&p, &hand, way);
    for (int n = 0; opened && n < 1050; ++n) tick(&p);
    if (opened) {
      ledger = fmin(ledger, heft_device_report(p.device).energy_lowest);
      lowest = fmin(lowest, p.lowest);
      strongest = fmax(strongest, p.strongest);
      unsolved += p.unsolved;
    } else {
      snprintf(run->engine->reason, sizeof run->engine->reason, "%.150s", p.error.message);
    }
    close_poke(&p);
    run_progress(run, i / (double)hands);
  }
  snprintf(what, sizeof what, "%s, %d hand%s: energy they got back, by the ledger [J]", device,
           hands, hands > 1 ? "s" : "");
  run_report(run, what, 0, -ledger, 1e-6);
  run_report(run, "the same, by the work at the handle [J]", 0, -lowest, 1e-6);
  run_report_error(run, "the same: strongest force, 0.5 N or more [N]", 0.5, strongest,
                   strongest >= 0.5 ? 0 : 1, 0);
  run_report(run, "the same: steps that are not solved", 0, unsolved, 0);
}

// ---- rest

// A hand that presses in the midst of a triangle and waits: the floor carries the sponge and it.
static void rest(Run* run) {
  Poke p;
  HeftEmulatorDef hand = heft_emulator_def_default();
  hand.start.z = 0.01;
  const int opened =
      open_poke(&p, &hand, "0 0.006 0.004 0.01; 0.3 0.006 0.004 -0.02; 4 0.006 0.004 -0.02");
  double floor = 0;
  for (int n = 0; opened && n < (run->full ? 2500 : 1500); ++n) tick(&p);
  for (int i = 0; opened && i < heft_world_contact_count(p.world); ++i) {
    const HeftContact c = heft_world_contact(p.world, i);
    floor += c.body_a == 0 ? c.force.z : -c.force.z;
  }
  if (opened) {
    const double weight = CASE_GRAVITY * heft_model_mass(p.model);
    run_report_relative(run, "a hand rests on the sponge: force that it feels, on the floor [N]",
                        floor - weight, p.hand->force.force.z, 1e-3);
    run_report_error(run, "the same: the hand is below the top by 3 mm or more [m]", -0.003,
                     p.hand->pos.z, p.hand->pos.z <= -0.003 ? 0 : 1, 0);
  } else {
    snprintf(run->engine->reason, sizeof run->engine->reason, "%.150s", p.error.message);
  }
  close_poke(&p);
}

void case_poke(Run* run) {
  static const char* const devices[] = {"touch", "inverse3", "omega"};
  for (int i = 0; i < 3; ++i) many(run, devices[i], run->full ? HANDS_FULL : 1, 71 + (uint64_t)i);
  rest(run);
}
