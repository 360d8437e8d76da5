// SPDX-License-Identifier: Apache-2.0
// The servo: reads devices and renders forces at their rate.
//
// The thread that steps the world publishes a local model after each step and reads the newest
// input before the next. If a step is late, the servo continues to render the last model. When the
// new model arrives, the difference of the forces is stored as an offset that fades in a few
// milliseconds. If no model arrives, the force fades to zero between 50 and 90 ms. Then the input
// is reported as not present until a model arrives: the hand may be deep inside of a body by then,
// and pushing it out would supply energy. All forces start at zero, with the first model and with a
// hand that returns.
#include "device/servo.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/def.h"
#include "base/error.h"

static const double late_model = 0.004;  // a model older than this is late [s]
static const double nobody_after =
    0.09;  // without a sample for this time the input is not present [s]
static const double fade_begin = 0.05, fade_end = 0.09;

void heft_servo_def_init(HeftServoDef* def, uint32_t cookie) {
  if (!HEFT_DEF_STAMP(HeftServoDef, def, cookie)) return;
  *def = (HeftServoDef){.cookie = cookie,
                        .allocator = heft_allocator_default(),
                        .rate = 1000,
                        .priority = 80,
                        .lock_memory = 1,
                        .blend = 0.02};
}

HeftStatus heft_servo_create(HeftServo** out, const HeftServoDef* def, HeftError* error) {
  HEFT_REQUIRE(out, HEFT_ERR_ARGUMENT);
  *out = NULL;
  const HeftStatus status = HEFT_DEF_CHECK(HeftServoDef, heft_servo_def_default, def, error);
  if (status != HEFT_OK) return status;
  const HeftServoDef used = def ? *def : heft_servo_def_default();
  if (!(used.rate >= 1 && used.rate <= 1e5) || !(used.blend >= 0 && used.blend <= 1))
    return heft_error_set(error, HEFT_ERR_ARGUMENT,
                          "rate %g 1/s or blend %g s of the servo is out of range", used.rate,
                          used.blend);
  HeftServo* s = used.allocator.allocate(used.allocator.user, sizeof *s, ARENA_ALIGNMENT);
  if (!s) return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for a servo");
  memset(s, 0, sizeof *s);
  s->def = used;
  s->memory_size = sizeof *s;
  atomic_init(&s->quit, 0);
  *out = s;
  return HEFT_OK;
}

void heft_servo_destroy(HeftServo* s) {
  if (!s) return;
  heft_servo_stop(s);
  const HeftAllocator allocator = s->def.allocator;
  allocator.release(allocator.user, s, s->memory_size);
}

int heft_servo_add(HeftServo* s, HeftDevice* device, const HeftMapping* mapping) {
  HEFT_REQUIRE(s && device && !s->started, -1);
  if (s->count == HEFT_SERVO_DEVICES) return -1;
  Axis* a = &s->axis[s->count];
  a->device = device;
  a->mapping = mapping ? *mapping : heft_mapping_default();
  triple_buffer_init(&a->input_buffer);
  triple_buffer_init(&a->model_buffer);
  triple_buffer_init(&a->map_buffer);
  triple_buffer_init(&a->view_buffer);
  return s->count++;
}

// ---- from and to the world's thread

bool heft_servo_input(HeftServo* s, int device, HeftProbeInput* input) {
  HEFT_REQUIRE(s && device >= 0 && device < s->count && input, false);
  Axis* a = &s->axis[device];
  const int fresh = triple_buffer_take(&a->input_buffer);
  *input = a->input[a->input_buffer.reading];
  return fresh;
}

void heft_servo_model(HeftServo* s, int device, const HeftLocalModel* model) {
  HEFT_REQUIRE_VOID(s && device >= 0 && device < s->count && model);
  Axis* a = &s->axis[device];
  a->model[a->model_buffer.writing] = *model;
  triple_buffer_publish(&a->model_buffer);
}

void heft_servo_map(HeftServo* s, int device, const HeftMapping* mapping) {
  HEFT_REQUIRE_VOID(s && device >= 0 && device < s->count && mapping);
  Axis* a = &s->axis[device];
  a->map[a->map_buffer.writing] = *mapping;
  triple_buffer_publish(&a->map_buffer);
}

bool heft_servo_view(HeftServo* s, int device, HeftServoView* view) {
  HEFT_REQUIRE(s && device >= 0 && device < s->count && view, false);
  Axis* a = &s->axis[device];
  const int fresh = triple_buffer_take(&a->view_buffer);
  *view = a->view[a->view_buffer.reading];
  return fresh;
}

// ---- times

static double quantile(const long* bins, double share) {
  return histogram_quantile(servo_bins, bins, share);
}

static void note_late(HeftServoReport* r, double late) {
  ++r->late[histogram_bin(servo_bins, late)];
  r->late_max = fmax(r->late_max, late);
}

static void note_quantiles(HeftServoReport* r) {
  r->late_median = quantile(r->late, 0.5);
  r->late_p99 = quantile(r->late, 0.99);
  r->latency_median = quantile(r->latency, 0.5);
  r->latency_p99 = quantile(r->latency, 0.99);
}

// ---- one turn

static HeftDeviceSample handle_of(const HeftProbeInput* in) {
  return (HeftDeviceSample){.pos = in->pos, .rot = in->rot, .vel = in->vel, .spin = in->spin};
}

static double age_of(uint64_t then_ns, uint64_t now_ns) {
  return (double)(int64_t)(now_ns - then_ns) * 1e-9;
}

// How much of the force is left, by the age of its model.
static double share_of(const Axis* a, uint64_t now_ns) {
  if (a->model_ns == 0) return 0;
  const double age = age_of(a->model_ns, now_ns);
  return fmin(fmax((fade_end - age) / (fade_end - fade_begin), 0), 1);
}

static HeftSpatial offset_now(const HeftServo* s, const Axis* a, uint64_t now_ns) {
  const double gone = age_of(a->offset_ns, now_ns);
  if (!(s->def.blend > 0) || gone >= s->def.blend) return (HeftSpatial){{0, 0, 0}, {0, 0, 0}};
  return heft_spatial_scale(1 - gone / s->def.blend, a->offset);
}

// The force of the model, without the offset.
static HeftSpatial asked(const HeftLocalModel* model, const Axis* a, uint64_t now_ns) {
  const HeftDeviceSample hand = handle_of(&a->hand);
  const HeftDeviceForce f = heft_local_model_force(model, now_ns, &hand);
  return (HeftSpatial){.ang = f.torque, .lin = f.force};
}

// From now on the force changes from `before` to the force of the model.
static void go_over(Axis* a, HeftSpatial before, const HeftLocalModel* model, uint64_t now_ns) {
  a->offset = heft_spatial_sub(before, asked(model, a, now_ns));
  a->offset_ns = now_ns;
}

static void take_model(const HeftServo* s, Axis* a, uint64_t now_ns) {
  if (!triple_buffer_take(&a->model_buffer)) return;
  const HeftLocalModel fresh = a->model[a->model_buffer.reading];
  if (a->model_ns == 0 || age_of(a->model_ns, now_ns) > late_model) {
    const HeftSpatial felt =
        heft_spatial_add(asked(&a->rendered, a, now_ns), offset_now(s, a, now_ns));
    go_over(a, heft_spatial_scale(share_of(a, now_ns), felt), &fresh, now_ns);
  }
  a->rendered = fresh;
  a->model_ns = now_ns;
}

static void take_input(Axis* a, uint64_t now_ns) {
  if (triple_buffer_take(&a->map_buffer)) {
    const HeftMapping fresh = a->map[a->map_buffer.reading];
    a->mapping = fresh;
  }
  const HeftDeviceRead read = heft_device_read(a->device, now_ns, &a->sample);
  const int let_go = a->model_ns > 0 && age_of(a->model_ns, now_ns) > fade_end;
  const int gone = let_go || age_of(a->sample_ns, now_ns) > nobody_after;
  if (read == HEFT_DEVICE_NOTHING && !(a->hand.present && gone)) return;
  if (read == HEFT_DEVICE_FRESH) {
    const int was_here = a->hand.present;
    a->hand = heft_mapping_apply(&a->mapping, &a->sample);
    a->sample_ns = now_ns;
    a->hand.present &= !let_go;
    if (a->hand.present && !was_here && a->model_ns > 0)
      go_over(a, (HeftSpatial){{0, 0, 0}, {0, 0, 0}}, &a->rendered, now_ns);
  } else {
    a->hand.present = 0;
  }
  a->hand.time_ns = now_ns;
  a->input[a->input_buffer.writing] = a->hand;
  triple_buffer_publish(&a->input_buffer);
}

static HeftDeviceForce command_of(const HeftServo* s, const Axis* a, uint64_t now_ns) {
  const HeftDeviceForce none = {{0, 0, 0}, {0, 0, 0}, 0};
  if (a->model_ns == 0 || !a->hand.present) return none;
  const double share = share_of(a, now_ns);
  const HeftSpatial offset = offset_now(s, a, now_ns);
  const HeftDeviceSample hand = handle_of(&a->hand);
  HeftDeviceForce f = heft_local_model_force(&a->rendered, now_ns, &hand);
  f.force = heft_vec3_scale(share, heft_vec3_add(f.force, offset.lin));
  f.torque = heft_vec3_scale(share, heft_vec3_add(f.torque, offset.ang));
  return heft_mapping_force(&a->mapping, &f);
}

// Displacement of the touched surface since the last force, in device coordinates. Between two
// steps the surface continues with its velocity; the correction of the next step is counted too.
static HeftSpatial moved_since(Axis* a, uint64_t now_ns) {
  const HeftSpatial now = heft_local_moved(&a->rendered, now_ns), before = a->moved;
  const HeftMat3 axes = a->mapping.axes;
  a->moved = now;
  return (HeftSpatial){
      heft_mat3_tmul_vec(axes, heft_vec3_sub(now.ang, before.ang)),
      heft_vec3_scale(1 / a->mapping.scale,
                      heft_mat3_tmul_vec(axes, heft_vec3_sub(now.lin, before.lin)))};
}

static void render(HeftServo* s, Axis* a, uint64_t now_ns) {
  const HeftDeviceForce command = command_of(s, a, now_ns);
  const HeftSpatial moved = moved_since(a, now_ns);
  a->given = heft_device_write(a->device, now_ns, &command, &moved);
}

static void show(HeftServo* s, Axis* a) {
  HeftServoView* v = &a->view[a->view_buffer.writing];
  v->sample = a->sample;
  v->input = a->hand;
  v->given = a->given;
  v->guard = heft_device_report(a->device);
  v->alive = heft_device_alive(a->device);
  v->servo = s->report;
  triple_buffer_publish(&a->view_buffer);
}

void servo_turn(HeftServo* s, uint64_t now_ns, uint64_t late_ns) {
  enum { SHOW_EVERY = 16 };
  ++s->report.ticks;
  note_late(&s->report, (double)late_ns * 1e-9);
  for (int i = 0; i < s->count; ++i) {
    take_input(&s->axis[i], now_ns);
    take_model(s, &s->axis[i], now_ns);
    render(s, &s->axis[i], now_ns);
  }
  if (s->report.ticks % SHOW_EVERY != 1) return;
  note_quantiles(&s->report);
  for (int i = 0; i < s->count; ++i) show(s, &s->axis[i]);
}

void heft_servo_tick(HeftServo* s, uint64_t now_ns) {
  HEFT_REQUIRE_VOID(s && !s->started);
  servo_turn(s, now_ns, 0);
}
