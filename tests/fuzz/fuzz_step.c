// SPDX-License-Identifier: Apache-2.0
// Any bytes as a small scene: bodies, joints, shapes, limits, springs, motors, loops and velocities
// by small codes, so that most inputs mean something. The scene is written as MJCF and read.
//
// Differential: the model that was read, the same one saved in the compiled form and loaded, and
// the one that the writer of MJCF gives are the same model, and worlds of the first two step with
// the same bits.
//
// Stepping: states stay finite, whatever the status; nothing is allocated; a solved step has its
// certificate within the tolerance, forces inside their cones, and adds no energy by impulses; and
// the parts of the energy ledger sum up to the change of energy.
#include <heft/heft.h>
#include <math.h>
#include <stdarg.h>

#include "fuzz/fuzz.h"
#include "fuzz/input.h"
#include "validation/energy_parts.h"

enum { TEXT = 1 << 14, BODIES = 5, STEPS = 6 };

static const double friction[4] = {0.5, 0, 1, 0.1};  // of all shapes, by two bits of the first byte

// Positive: a power of ten and a digit.
static double take_size(Input* in) {
  static const double scale[8] = {0.1, 0.1, 0.03, 0.3, 1, 0.01, 10, 1e-3};
  const unsigned a = take(in);
  return scale[a & 7] * (1 + (a >> 3) / 8.0);
}

// From -1 to 1, often round.
static double take_share(Input* in) {
  static const double round[8] = {0, 1, -1, 0.5, -0.5, 0.1, 1e-3, -1e-6};
  const unsigned a = take(in);
  return a & 128 ? (double)(int)(a & 127) / 63.5 - 1 : round[a & 7];
}

typedef struct Text {
  char bytes[TEXT];
  size_t size;
} Text;

__attribute__((format(printf, 2, 3))) static void put(Text* t, const char* format, ...) {
  va_list list;
  va_start(list, format);
  const int n = vsnprintf(t->bytes + t->size, TEXT - t->size, format, list);
  va_end(list);
  if (n < 0 || (size_t)n >= TEXT - t->size) abort();
  t->size += (size_t)n;
}

static void put_joint(Text* t, Input* in, int body) {
  static const char* const kinds[6] = {"free", "hinge", "slide", "ball", "hinge", ""};
  const unsigned a = take(in);
  const char* kind = kinds[a % 6];
  if (!kind[0]) return;
  if (strcmp(kind, "free") == 0) {
    put(t, "<freejoint name='j%d'/>", body);
    return;
  }
  put(t, "<joint name='j%d' type='%s' axis='%g %g 1'", body, kind, take_share(in), take_share(in));
  if (a & 16) put(t, " stiffness='%g'", 10 * take_size(in));
  if (a & 32) put(t, " damping='%g'", take_size(in));
  if (a & 64 && strcmp(kind, "ball") != 0) put(t, " range='%g 1.2'", -fabs(take_share(in)));
  if (a & 128) put(t, " frictionloss='%g'", take_size(in));
  put(t, "/>");
}

static void put_geom(Text* t, Input* in) {
  static const char* const kinds[5] = {"sphere", "box", "capsule", "cylinder", "ellipsoid"};
  const unsigned a = take(in);
  put(t, "<geom type='%s' size='%g %g %g' mass='%g'/>", kinds[a % 5], take_size(in), take_size(in),
      take_size(in), 10 * take_size(in));
}

static void put_scene(Text* t, Input* in) {
  static const double steps[4] = {0.001, 0.002, 0.01, 0.05};
  static const char* const equalities[3] = {"connect", "weld", "connect"};
  const unsigned a = take(in);
  const int count = 1 + (int)(a % BODIES);
  int open = 0;
  put(t, "<mujoco><compiler angle='radian'/><option timestep='%g' gravity='0 0 %g'/>",
      steps[a >> 3 & 3], a & 32 ? 0 : -9.81);
  put(t, "<default><geom friction='%g 0 0'/></default><worldbody>", friction[a >> 6 & 3]);
  put(t, "<geom type='plane' size='0 0 1'/>");
  for (int i = 1; i <= count; ++i) {
    const unsigned b = take(in);
    // A free joint belongs to a body of the world alone: the reader refuses it elsewhere.
    for (; open > 0 && (b & 1); --open) put(t, "</body>");
    put(t, "<body name='b%d' pos='%g %g %g'>", i, take_share(in), take_share(in),
        open == 0 ? 0.3 + take_share(in) : take_share(in));
    put_joint(t, in, i);
    put_geom(t, in);
    if (b & 2) put_geom(t, in);
    ++open;
  }
  for (; open > 0; --open) put(t, "</body>");
  put(t, "</worldbody>");
  const unsigned c = take(in);
  if (c & 1 && count > 1)
    put(t, "<equality><%s body1='b1' body2='b%d'%s/></equality>", equalities[c >> 1 & 1], count,
        c & 2 ? "" : " anchor='0 0 0'");
  if (c & 4) put(t, "<actuator><motor joint='j1' gear='%g'/></actuator>", 10 * take_share(in));
  put(t, "</mujoco>");
}

// ---- memory that is counted

static void* meter_allocate(void* user, size_t size, size_t alignment) {
  const HeftAllocator base = heft_allocator_default();
  ++*(long*)user;
  return base.allocate(base.user, size, alignment);
}

static void meter_release(void* user, void* memory, size_t size) {
  const HeftAllocator base = heft_allocator_default();
  ++*(long*)user;
  base.release(base.user, memory, size);
}

// ---- what must hold

static void check_contacts(const HeftWorld* w, double mu) {
  double largest = 0;
  for (int i = 0; i < heft_world_contact_count(w); ++i)
    largest = fmax(largest, heft_vec3_norm(heft_world_contact(w, i).force));
  for (int i = 0; i < heft_world_contact_count(w); ++i) {
    const HeftContact c = heft_world_contact(w, i);
    REQUIRE(isfinite(heft_vec3_norm(c.force)) && isfinite(c.gap));
    REQUIRE(fabs(heft_vec3_norm(c.normal) - 1) < 1e-9);
    const double normal = heft_vec3_dot(c.force, c.normal);
    const double along = heft_vec3_norm(heft_vec3_add_scaled(c.force, -normal, c.normal));
    REQUIRE(normal >= -1e-6 * largest && along <= mu * normal + 1e-6 * largest);
  }
}

// Impulses r with the residual e of their certificate may add energy, although exact ones do not:
// with d = r - P(r - û / w), |d| = e / w, and p = r - d,
//
//   p · (w d - û) = 0, since p is the projection on a cone, so
//   r · u <= r · û = d · (w p + û) <= e (|r| + |û| / w),   E = r · u - r · W r / 2 <= r · u.
//
// e is relative to a reference velocity v, the scale of all velocities of the step (bodies at rest
// in no gravity have 1e-25 m/s and next to no energy). So the gain is measured by the energy of all
// bodies at v. The solver refuses impulses that add energy if its residual is above 1e-9, or if the
// energy is above 1e-9 of that of the rows.
static double energy_at_reference(const HeftWorld* w, const HeftStepReport* r) {
  const HeftModel* m = heft_world_model(w);
  const double v = r->relative > 0 ? r->residual / r->relative : 0;
  double mass = 0;
  for (int i = 0; i < m->nbody; ++i) mass += m->body_mass[i];
  return mass * v * v;
}

static void check_step(const HeftWorld* w, const HeftStepReport* r, double tolerance, double mu,
                       double before) {
  REQUIRE(heft_state_finite(heft_world_state(w)));
  if (!heft_step_taken(r->status)) return;
  REQUIRE(isfinite(r->kinetic) && isfinite(r->potential) && isfinite(r->residual));
  const double after = r->kinetic + r->potential, size = energy_parts_size(r) + fabs(r->kinetic) +
                                                         fabs(r->potential) +
                                                         (isnan(before) ? 0 : fabs(before));
  if (!isnan(before))
    REQUIRE(fabs(after - before - energy_parts_sum(r) - r->energy_change) <= 1e-9 * size);
  if (getenv("HEFT_FUZZ_SHOW"))
    fprintf(stderr, "status %d, relative %.3g, impulses add %.3g J, kinetic energy %.3g J\n",
            (int)r->status, r->relative, r->impulse_energy, r->kinetic);
  if (r->status != HEFT_STEP_SOLVED) return;
  REQUIRE(r->relative <= tolerance);
  REQUIRE(r->impulse_energy <= 1e-9 * (size + energy_at_reference(w, r)));
  check_contacts(w, mu);
}

static HeftModel* compiled_copy(const HeftModel* m) {
  HeftModel* again = NULL;
  const size_t size = heft_model_save_size(m);
  void* bytes = malloc(size);
  if (!bytes) abort();
  heft_model_save(m, bytes);
  REQUIRE(heft_model_load(&again, bytes, size, NULL, NULL) == HEFT_OK);
  free(bytes);
  REQUIRE(heft_model_hash(m) == heft_model_hash(again));
  return again;
}

static void run(const HeftModel* m, Input* in, double mu) {
  long calls = 0;
  HeftModel* again = compiled_copy(m);
  HeftWorld *a = NULL, *b = NULL;
  HeftWorldDef def = heft_world_def_default();
  def.effort_max = 200;  // hard problems end early, as inexact
  def.allocator = (HeftAllocator){meter_allocate, meter_release, &calls};
  REQUIRE(heft_world_create(&a, m, &def, NULL) == HEFT_OK);
  REQUIRE(heft_world_create(&b, again, &def, NULL) == HEFT_OK);
  const unsigned c = take(in);
  for (int i = 0; i < m->nv && i < 12 && c & 1; ++i) {
    const double v = 5 * take_share(in);
    if (getenv("HEFT_FUZZ_SHOW")) fprintf(stderr, "v[%d] = %.17g\n", i, v);
    REQUIRE(heft_world_set_v(a, i, &v, 1, NULL) == heft_world_set_v(b, i, &v, 1, NULL));
  }
  for (int i = 0; i < m->nactuator; ++i) heft_world_controls(a)[i] = heft_world_controls(b)[i] = 1;
  double before = (double)NAN;
  const long calls_before = calls;
  for (int i = 0; i < STEPS; ++i) {
    const HeftStepReport r = heft_world_step(a), s = heft_world_step(b);
    check_step(a, &r, def.tolerance, mu, before);
    REQUIRE(r.status == s.status && heft_world_hash(a) == heft_world_hash(b));
    before = r.kinetic + r.potential;
    if (!heft_step_taken(r.status)) break;
  }
  REQUIRE(calls == calls_before);
  heft_world_destroy(a);
  heft_world_destroy(b);
  heft_model_destroy(again);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static Text text;
  Input in = {data, size};
  if (size < 4 || size > 256) return 0;
  text.size = 0;
  put_scene(&text, &in);
  if (getenv("HEFT_FUZZ_SHOW")) fprintf(stderr, "%s\n", text.bytes);  // the scene of a finding
  const HeftLoadDef def = fuzz_def();
  HeftModel* model = NULL;
  HeftError error = {0};
  const HeftStatus status =
      heft_model_load_bytes(&model, text.bytes, text.size, "step.xml", &def, &error);
  REQUIRE((status == HEFT_OK) == (model != NULL) && (model || error.message[0]));
  if (model && size % 8 == 0) fuzz_round_trip(model);
  if (model) run(model, &in, friction[data[0] >> 6 & 3]);
  heft_model_destroy(model);
  return 0;
}
