// SPDX-License-Identifier: Apache-2.0
// Forged moments: snapshots of worlds with a probe, and the data of acts. Checksum and size always
// hold, or nothing would get past them. A moment that is accepted must come back with the same
// bits; it is stepped, and carried into worlds with one object more and one less.
//
//   byte 0   0 mod 4: an act, else a scene; the other bits choose which
//   byte 1   what follows: 1 a step, 2 the world with an object more, 4 with one less
//   then     edits of seven bytes: place (2, little-endian, in words of four bytes from the end of
//            the bytes backwards, where contact points and the act's data are), kind (1), value (4)
//
// A step takes up to a thousand times as long as all else, and the target `step` fuzzes the code
// that it reaches. The first inputs of a process step if they ask for it, so that kept inputs and a
// finding that is run again do; of later ones one in 1024, by their hash.
#include <heft/heft.h>
#include <heft/interact.h>
#include <heft/io.h>
#include <string.h>

#include "base/hash.h"
#include "experiments/act_plugin.h"
#include "input.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum {
  SCENES = 4,
  ACTS_MAX = 32,
  EDIT = 7,
  EDITS_MAX = 32,
  HEADER = 24,
  FIRST = 1000,
  STEP = 1,
  MORE = 2,
  LESS = 4
};

static const char boxes[] =
    "<mujoco><option timestep='0.002'/><worldbody><geom type='plane' size='0 0 1'/>"
    "<body name='a' pos='0 0 0.05'><freejoint/><geom type='box' size='.05 .05 .05' "
    "mass='.3'/></body>"
    "<body name='b' pos='0 0 0.15'><freejoint/><geom type='box' size='.05 .05 .05' "
    "mass='.3'/></body>"
    "<body name='arm' pos='0.5 0 0.5'><joint name='j' axis='0 1 0' range='-1 1' limited='true' "
    "frictionloss='0.1'/><geom type='capsule' fromto='0 0 0 0.2 0 0' size='0.02' mass='.2'/></body>"
    "</worldbody><actuator><motor joint='j'/></actuator></mujoco>";

// A model with a world, and worlds of it with an object more and less.
typedef struct Place {
  HeftModel* model;
  HeftWorld *world, *more, *less;
  HeftSession* session;        // of a scene
  HeftPluginSet *set, *other;  // of an act: in `world`, and in `more`
  unsigned char *base, *bytes, *again;
  size_t size;
  void* moment;  // of an act's world, at which its steps begin
  size_t moment_size;
} Place;

static Place scenes[SCENES], acts[ACTS_MAX];

// ---- worlds

static HeftWorld* changed(const HeftModel* from, const HeftWorldDef* def, HeftChange change) {
  HeftModel* model = NULL;
  HeftWorld* world = NULL;
  if (heft_model_apply_change(&model, from, &change, NULL, NULL) != HEFT_OK) return NULL;
  REQUIRE(heft_world_create(&world, model, def, NULL) == HEFT_OK);
  return world;
}

static void keep_bytes(Place* p) {
  p->base = malloc(p->size);
  p->bytes = malloc(p->size);
  p->again = malloc(p->size);
  REQUIRE(p->base && p->bytes && p->again);
}

static void make_worlds(Place* p, const HeftWorldDef* def) {
  const HeftChange ball = {
      .kind = HEFT_CHANGE_BALL, .value = 0.05, .pos = {3, 3, 1}, .name = "ball"};
  REQUIRE(heft_world_create(&p->world, p->model, def, NULL) == HEFT_OK);
  p->more = changed(p->model, def, ball);
  REQUIRE(p->more);
}

static Place* scene(int index) {
  static const HeftContactModel models[SCENES] = {
      HEFT_CONTACT_MODEL_EXACT, HEFT_CONTACT_MODEL_LUGRE, HEFT_CONTACT_MODEL_PENALTY,
      HEFT_CONTACT_MODEL_MICRO_MACRO};
  Place* p = &scenes[index];
  if (p->base) return p;
  HeftWorldDef def = heft_world_def_default();
  const HeftLoadDef load = heft_load_def_default();
  const HeftProbeDef probe = heft_probe_def_default();
  def.contact_model = models[index];
  def.effort_max = 300;
  REQUIRE(heft_model_load_bytes(&p->model, boxes, sizeof boxes - 1, "s.xml", &load, NULL) ==
          HEFT_OK);
  make_worlds(p, &def);
  p->less = changed(p->model, &def, (HeftChange){.kind = HEFT_CHANGE_REMOVE, .index = 1});
  REQUIRE(p->less);
  REQUIRE(heft_session_create(&p->session, p->world, 1, &probe, NULL, NULL) == HEFT_OK);
  const HeftProbeInput input = {.pos = {0, 0, 0.19}, .rot = {1, 0, 0, 0}, .present = true};
  for (int i = 0; i < 30; ++i) heft_session_step(p->session, &input, 0, NULL);
  p->size = heft_session_snapshot_size(p->session);
  keep_bytes(p);
  heft_session_snapshot(p->session, p->base);
  return p;
}

static void attach(HeftPluginSet** set, const Act* act, HeftWorld* world) {
  HeftError error = {0};
  REQUIRE(heft_plugin_set_create(set, NULL, NULL) == HEFT_OK);
  REQUIRE(heft_plugin_set_add(*set, act_plugin(act), NULL, NULL) == HEFT_OK);
  if (heft_plugin_set_attach(*set, world, &error) != HEFT_OK) {
    fprintf(stderr, "%s: %s\n", act->name, error.message);
    abort();
  }
  heft_plugin_set_reset(*set, NULL);
}

static void step(const Place* p) {
  const HeftHand hand = {.pos = {0.5, 0, 1}, .present = 1, .body = -1};
  heft_plugin_set_hands(p->set, &hand, 1);
  heft_plugin_set_before_step(p->set, NULL);
  const HeftStepReport report = heft_world_step(p->world);
  heft_plugin_set_after_step(p->set, &report);
}

static Place* act(int index) {
  Place* p = &acts[index];
  if (p->base) return p;
  char path[600];
  const Act* a = act_at(index);
  HeftWorldDef def = heft_world_def_default();
  def.effort_max = 100;
  snprintf(path, sizeof path, "%s/%s", HEFT_MODEL_DIR, a->file);
  REQUIRE(heft_model_load_file(&p->model, path, NULL, NULL) == HEFT_OK);
  make_worlds(p, &def);
  attach(&p->set, a, p->world);
  attach(&p->other, a, p->more);
  for (int i = 0; i < 3; ++i) step(p);
  p->size = heft_plugin_set_save_size(p->set);
  keep_bytes(p);
  heft_plugin_set_save(p->set, p->base);
  p->moment_size = heft_world_snapshot_size(p->world);
  p->moment = malloc(p->moment_size);
  REQUIRE(p->moment);
  heft_world_snapshot(p->world, p->moment);
  return p;
}

// ---- edits

static void edit(unsigned char* at, int kind, uint32_t value) {
  static const double special[] = {0,   -0.0,  1,     -1,     1e300, -1e300,  1e-300, 5e-324,
                                   1e8, -1e12, 1e100, 1e-100, 0.5,   3.14159, 2,      1e15};
  uint32_t word;
  memcpy(&word, at, 4);
  if (kind == 0) word = value;
  if (kind == 1) word += value;
  if (kind == 2) word ^= 1u << (value & 31);
  if (kind == 3) word = value % 64;
  memcpy(at, &word, 4);
  if (kind == 4) memcpy(at, &special[value & 15], 8);
}

static void forge(const Place* p, const uint8_t* data, size_t size) {
  memcpy(p->bytes, p->base, p->size);
  for (int i = 0; i < EDITS_MAX && size >= EDIT; ++i, data += EDIT, size -= EDIT) {
    const size_t word = 2 + (size_t)(data[0] | data[1] << 8) % (p->size / 4 - 1);
    uint32_t value;
    memcpy(&value, data + 3, 4);
    edit(p->bytes + p->size - 4 * word, data[2] % 5, value);
  }
}

// The snapshot of the world stands behind its size: model, checksum, number of contact points.
static void repair(const Place* p) {
  uint64_t size, count;
  memcpy(&size, p->base, 8);
  unsigned char* snapshot = p->bytes + 8;
  memcpy(p->bytes, p->base, 8 + 8);
  memcpy(snapshot + 16, p->base + 8 + 16, 8);
  memcpy(&count, snapshot + 16, 8);
  const uint64_t hash = heft_hash(snapshot + HEADER, (size_t)size - HEADER, count);
  memcpy(snapshot + 8, &hash, 8);
}

// ---- one input

static void carry(const Place* p, unsigned then) {
  if ((then & MORE) && heft_world_transfer(p->more, p->world, NULL) == HEFT_OK && (then & STEP))
    heft_world_step(p->more);
  if ((then & LESS) && p->less && heft_world_transfer(p->less, p->world, NULL) == HEFT_OK &&
      (then & STEP))
    heft_world_step(p->less);
}

static void restore_scene(const Place* p, unsigned then) {
  repair(p);
  if (heft_session_restore(p->session, p->bytes, p->size) != HEFT_OK) return;
  REQUIRE(heft_session_snapshot_size(p->session) == p->size);
  heft_session_snapshot(p->session, p->again);
  REQUIRE(heft_session_restore(p->session, p->again, p->size) == HEFT_OK);
  carry(p, then);
  const HeftProbeInput input = {.pos = {0, 0, 0.19}, .rot = {1, 0, 0, 0}, .present = true};
  if (then & STEP) heft_session_step(p->session, &input, 0, NULL);
}

static void restore_act(const Place* p, unsigned then) {
  const HeftStatus status = heft_plugin_set_restore(p->set, p->bytes, p->size);
  if (then & MORE) heft_plugin_set_restore(p->other, p->bytes, p->size);
  if (status != HEFT_OK) return;
  REQUIRE(heft_plugin_set_save_size(p->set) == p->size);
  heft_plugin_set_save(p->set, p->again);
  REQUIRE(heft_plugin_set_restore(p->set, p->again, p->size) == HEFT_OK);
  if ((then & (STEP | LESS)) != (STEP | LESS)) return;
  REQUIRE(heft_world_restore(p->world, p->moment, p->moment_size) == HEFT_OK);
  step(p);
}

static bool may_step(const uint8_t* data, size_t size) {
  static int count;
  if (count < FIRST) return ++count != 0;
  return heft_hash(data, size, 0) % 1024 == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static int act_count;
  while (act_count < ACTS_MAX && act_at(act_count)) ++act_count;
  if (size < 2) return 0;
  const int is_act = data[0] % 4 == 0, which = data[0] / 4;
  const Place* p = is_act ? act(which % act_count) : scene(which % SCENES);
  const unsigned then = may_step(data, size) ? data[1] : data[1] & ~(unsigned)STEP;
  forge(p, data + 2, size - 2);
  if (is_act) {
    restore_act(p, then);
  } else {
    restore_scene(p, then);
  }
  return 0;
}
