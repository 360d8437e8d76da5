// SPDX-License-Identifier: Apache-2.0
// Papers: R55, R56.
// The life of a world: creation with all its memory, reading, writing, destruction.
#include <heft/version.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/def.h"
#include "base/error.h"
#include "base/float_environment.h"
#include "math/simd.h"
#include "model/joint_kind.h"
#include "world/models/contact_model.h"
#include "world/world_internal.h"

static const char* const integrator_names[] = {
#define NAME(id, name, meaning) name,
    HEFT_INTEGRATOR_LIST(NAME)
#undef NAME
};

static const char* const status_texts[] = {
#define TEXT(id, text) text,
    HEFT_STEP_STATUS_LIST(TEXT)
#undef TEXT
};

const char* heft_integrator_name(HeftIntegrator integrator) {
  return (int)integrator >= 0 && integrator < HEFT_INTEGRATOR_COUNT ? integrator_names[integrator]
                                                                    : "unknown";
}

const char* heft_step_status_text(HeftStepStatus status) {
  return (int)status >= 0 && status < HEFT_STEP_STATUS_COUNT ? status_texts[status] : "unknown";
}

bool heft_step_taken(HeftStepStatus status) {
  return (int)status >= 0 && status < HEFT_STEP_NOT_FINITE;
}

HeftStepMotion heft_world_step_motion(const HeftWorld* w) {
  HEFT_REQUIRE(w, ((HeftStepMotion){0}));
  return (HeftStepMotion){.h = w->output.h,
                          .q_middle = w->output.q_middle,
                          .v_solved = w->output.v_solved,
                          .v_mean = w->output.v_mean,
                          .v_correction = w->output.v_correction,
                          .v_bias = w->output.v_bias,
                          .scheme_force = w->output.scheme_force};
}

void heft_world_def_init(HeftWorldDef* def, uint32_t cookie) {
  if (!HEFT_DEF_STAMP(HeftWorldDef, def, cookie)) return;
  *def = (HeftWorldDef){.cookie = cookie,
                        .allocator = heft_allocator_default(),
                        .integrator = HEFT_INTEGRATOR_MOREAU,
                        .theta = 0.5,
                        .keep_momentum = 1,
                        .margin = 0.001,
                        .tolerance = 1e-6,
                        .substeps = 1,
                        .rest = 1e-9,
                        .sleep = 1,
                        .threads = 1,
                        .contact_model = HEFT_CONTACT_MODEL_FROM_FILE,
                        .contact_options = heft_contact_options_default(),
                        .spin_parts = 16,
                        .bounds = heft_step_bounds_default()};
}

// ---- memory

static void* count_allocate(void* user, size_t size, size_t alignment) {
  Memory* memory = user;
  void* taken = memory->outer.allocate(memory->outer.user, size, alignment);
  if (taken) memory->size += size;
  return taken;
}

static void count_release(void* user, void* pointer, size_t size) {
  Memory* memory = user;
  if (pointer) memory->size -= size;
  memory->outer.release(memory->outer.user, pointer, size);
}

static void place(void* object, Arena* arena, const void* user) {
  HeftWorld* w = object;
  const HeftModel* m = user;
  w->joint_force = arena_take(arena, m->nv, double);
  w->moved = arena_take(arena, m->nmoved, HeftMovedCommand);
  w->moved_before = arena_take(arena, 6L * m->nmoved, double);
  w->body_data = arena_take(arena, m->nbody, void*);
  w->shape_data = arena_take(arena, m->nshape, void*);
  heft_step_output_place(&w->output, arena, m);
  heft_keepers_place(&w->keepers, arena, m);
  Arena overlay = *arena;  // a world has one integrator
  heft_ledger_place(&w->ledger, &overlay, m);
  heft_middle_place(&w->middle, &overlay, m, w->ledger.force);
  heft_prediction_place(&w->prediction, &overlay, m, w->ledger.external);
  w->prediction.v_bias = w->output.v_bias;
  w->prediction.scheme_force = w->output.scheme_force;
  heft_motion_place(&w->motion, &overlay, m, w->ledger.force);
  heft_rk4_place(&w->rk4, arena, m);
  if (overlay.used > arena->used) *arena = overlay;
  w->budget.noted = arena_take(arena, w->budget.noted_max, int);
}

// ---- creation

static HeftStatus check_def(const HeftWorldDef* def, HeftError* error) {
  if ((int)def->integrator < 0 || def->integrator >= HEFT_INTEGRATOR_COUNT) {
    return heft_error_set(error, HEFT_ERR_ARGUMENT, "integrator %d is unknown",
                          (int)def->integrator);
  }
  if (!(def->theta >= 0.5 && def->theta <= 1)) {
    return heft_error_set(error, HEFT_ERR_ARGUMENT, "theta is %g, expected 1/2 to 1", def->theta);
  }
  if (!(def->time_step >= 0 && def->time_step <= 10)) {
    return heft_error_set(error, HEFT_ERR_ARGUMENT,
                          "the time step is %g s, expected 0 (the model's) to 10", def->time_step);
  }
  if (def->substeps < 1 || def->substeps > 1000) {
    return heft_error_set(error, HEFT_ERR_ARGUMENT,
                          "%d substeps were asked for, expected 1 to 1000", def->substeps);
  }
  if (!(def->rest >= 0 && def->rest <= 1)) {
    return heft_error_set(error, HEFT_ERR_ARGUMENT, "the speed of rest is %g, expected 0 to 1",
                          def->rest);
  }
  if (def->spin_parts < 1 || def->spin_parts > 100) {
    return heft_error_set(error, HEFT_ERR_ARGUMENT,
                          "%d parts of a substep were asked for, expected 1 to 100",
                          def->spin_parts);
  }
  const HeftStatus bounds = heft_options_check(heft_step_bounds_options(), &def->bounds, error);
  if (bounds != HEFT_OK) return bounds;
  if (def->threads < 1 || def->threads > 64) {
    return heft_error_set(error, HEFT_ERR_ARGUMENT, "%d threads were asked for, expected 1 to 64",
                          def->threads);
  }
  return HEFT_OK;
}

static HeftStatus check_deformables(const HeftModel* m, const HeftWorldDef* def, HeftError* error) {
  if (m->ndeformable > 0 && def->integrator == HEFT_INTEGRATOR_RK4)
    return heft_error_set(
        error, HEFT_ERR_UNSUPPORTED,
        "deformable bodies need an implicit scheme; the integrator rk4 is not one");
  return HEFT_OK;
}

static void prepare(HeftWorld* w) {
  const HeftModel* m = w->model;
  w->model_hash = w->source_hash = heft_model_hash(m);
  if (w->def.time_step == 0) w->def.time_step = m->physics.time_step;
  w->step_length = w->def.time_step;
  w->def.time_step /= w->def.substeps;
  const double h = w->def.time_step;
  w->input = (StepInput){.model = m,
                         .def = &w->def,
                         .start = w->before,
                         .joint_force = w->joint_force,
                         .moved_before = w->moved_before,
                         .h = h};
  heft_step_input_measure_gravity(&w->input);
  heft_momentum_find_roots(&w->keepers.groups, m);
  heft_moved_reset(w->moved, m);
  heft_spin_measure(&w->keepers.spin, m);
  if (heft_dynamics_deform(w->dynamics)) heft_deform_prepare(heft_dynamics_deform(w->dynamics), h);
  heft_world_refresh(w);
}

// There are at most as many islands as links; each is solved for impulses and for the correction,
// and again when an actuator reaches its limit. Substeps may be divided. Rounds of impacts end when
// there is no room for more.
static int effort_note_count(const HeftModel* m, const HeftWorldDef* def) {
  enum { SOLUTIONS = 6, SOLUTIONS_MIN = 40, MORE = 256, MAX = 1 << 24 };
  const int parts = heft_spin_is_harmless(m) ? 1 : def->spin_parts;
  const double each = fmax(SOLUTIONS_MIN, SOLUTIONS * parts);
  const double max = (each * heft_link_count(m) + MORE * parts) * def->substeps;
  return max < MAX ? (int)max : MAX;
}

static HeftStatus create_parts(HeftWorld* w, HeftError* error) {
  const HeftModel* m = w->model;
  const HeftAllocator* allocator = &w->def.allocator;
  HeftStatus status = heft_dynamics_create(&w->dynamics, m, allocator, error);
  if (status == HEFT_OK) status = heft_state_create(&w->state, m, allocator, error);
  if (status == HEFT_OK) status = heft_state_create(&w->before, m, allocator, error);
  if (status == HEFT_OK) status = heft_drives_create(&w->drives, m, w->dynamics, allocator, error);
  if (status == HEFT_OK) status = heft_sensors_create(&w->sensors, m, allocator, error);
  if (status == HEFT_OK)
    status = heft_constraints_create(&w->constraints, m, &w->def, NULL, w->dynamics,
                                     w->drives->tendon_constraints, error);
  if (status != HEFT_OK) return status;
  return heft_world_set_contact_model(w, w->def.contact_model, &w->def.contact_options, error);
}

#undef heft_world_create
HeftStatus heft_world_create(HeftWorld** out, const HeftModel* model, const HeftWorldDef* def,
                             HeftError* error) {
  HEFT_REQUIRE(out, HEFT_ERR_ARGUMENT);
  *out = NULL;
  HEFT_REQUIRE(model, HEFT_ERR_ARGUMENT);
  HeftStatus status = HEFT_DEF_CHECK(HeftWorldDef, heft_world_def_default, def, error);
  if (status != HEFT_OK) return status;
  const HeftWorldDef used = def ? *def : heft_world_def_default();
  status = check_def(&used, error);
  if (status == HEFT_OK) status = check_deformables(model, &used, error);
  if (status != HEFT_OK) return status;
  const char* fault = heft_float_environment_fault();
  if (fault) return heft_error_set(error, HEFT_ERR_UNSUPPORTED, "%s", fault);
  HeftWorld start = {.model = model, .def = used, .memory = {.outer = used.allocator}};
  start.budget.noted_max = effort_note_count(model, &used);
  HeftWorld* w =
      heft_block_create(&start, sizeof start, place, model, &used.allocator, "a world", error);
  if (!w) return HEFT_ERR_MEMORY;
  heft_parameters_begin(&w->parameters, model);
  w->model = &w->parameters.view;
  w->memory.size = w->block.size;
  w->def.allocator =
      (HeftAllocator){.allocate = count_allocate, .release = count_release, .user = &w->memory};
  status = create_parts(w, error);
  if (status != HEFT_OK) {
    heft_world_destroy(w);
    return status;
  }
  prepare(w);
  *out = w;
  return HEFT_OK;
}

HeftStatus heft_world_create_for(HeftWorld** out, const HeftModel* model, const HeftWorldDef* def,
                                 int abi_version, HeftError* error) {
  HEFT_REQUIRE(out, HEFT_ERR_ARGUMENT);
  *out = NULL;
  if (abi_version != HEFT_ABI_VERSION)
    return heft_error_set(error, HEFT_ERR_VERSION,
                          "the program was compiled against headers with the ABI number %d, this "
                          "library (%s) has %d: compile the program again",
                          abi_version, heft_version(), HEFT_ABI_VERSION);
  return heft_world_create(out, model, def, error);
}

void heft_world_destroy(HeftWorld* w) {
  if (!w) return;
  const HeftAllocator *allocator = &w->def.allocator, outer = w->memory.outer;
  if (w->constraints) heft_contact_model_end(&w->constraints->solvers, allocator);
  heft_constraints_destroy(w->constraints, allocator);
  heft_block_destroy(w->sensors, allocator);
  heft_drives_destroy(w->drives, allocator);
  heft_state_destroy(w->before);
  heft_state_destroy(w->state);
  heft_dynamics_destroy(w->dynamics);
  heft_parameters_end(&w->parameters, allocator);
  heft_block_destroy(w, &outer);
}

// ---- reading and writing

double heft_world_time_step(const HeftWorld* w) {
  HEFT_REQUIRE(w, 0);
  return w->step_length;
}
const HeftState* heft_world_state(const HeftWorld* w) {
  HEFT_REQUIRE(w, NULL);
  return w->state;
}
const HeftModel* heft_world_model(const HeftWorld* w) {
  HEFT_REQUIRE(w, NULL);
  return w->parameters.source;
}
double* heft_world_joint_forces(HeftWorld* w) {
  HEFT_REQUIRE(w, NULL);
  return w->joint_force;
}
uint64_t heft_world_hash(const HeftWorld* w) {
  HEFT_REQUIRE(w, 0);
  return heft_state_hash(w->state);
}

const HeftDynamics* heft_world_dynamics(const HeftWorld* w) {
  HEFT_REQUIRE(w && w->fresh == STATE_FRESH, NULL);
  return w->dynamics;
}

void heft_world_apply_wrench(HeftWorld* w, int body, HeftVec3 point, HeftVec3 force,
                             HeftVec3 torque) {
  HEFT_REQUIRE_VOID(w);
  HEFT_REQUIRE_VOID(body >= 0 && body < w->model->nbody);
  heft_dynamics_add_wrench(w->dynamics, body, point, force, torque);
  heft_sensors_note(w->sensors, w->dynamics, body, point, force, torque);
}

void heft_world_reset(HeftWorld* w) {
  HEFT_REQUIRE_VOID(w);
  heft_state_reset(w->state, w->model);
  memset(w->joint_force, 0, (size_t)w->model->nv * sizeof(double));
  heft_moved_reset(w->moved, w->model);
  heft_dynamics_clear_wrenches(w->dynamics);
  heft_constraints_forget(w->constraints);
  if (heft_dynamics_deform(w->dynamics)) heft_deform_forget(heft_dynamics_deform(w->dynamics));
  heft_drives_reset(w->drives);
  heft_sensors_outdate(w->sensors, 0);
  w->has_step = 0;
  w->fresh = 0;
  heft_world_refresh(w);
}

// 1 if all quaternions can be normalised.
static int quats_sound(const HeftModel* m, const double* q) {
  for (int j = 0; j < m->njoint; ++j) {
    const int rotation = joint_rotation(m->joint_type[j]);
    if (rotation < 0) continue;
    const double* x = q + m->joint_q[j] + rotation;
    const double square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3];
    if (!(square > 0.25 && square < 4)) return 0;
  }
  return 1;
}

static double sum_squares(const double* x, int count) {
  const int whole = count - count % 4;
  V4 sums = v4_all(0);
  double rest = 0;
  for (int i = 0; i < whole; i += 4) sums += v4_load(x + i) * v4_load(x + i);
  for (int i = whole; i < count; ++i) rest += x[i] * x[i];
  return v4_sum(sums) + rest;
}

static int all_below(const double* x, int count, double max) {
  if (sum_squares(x, count) <= max * max) return 1;
  for (int i = 0; i < count; ++i) {
    if (!(fabs(x[i]) <= max)) return 0;
  }
  return 1;
}

int heft_state_places_in_range(const HeftState* state) {
  return all_below(state->q, state->nq, HEFT_PLACE_MAX);
}

int heft_state_in_range(const HeftState* state) {
  return heft_state_places_in_range(state) && all_below(state->v, state->nv, HEFT_SPEED_MAX);
}

int heft_state_acceptable(const HeftModel* m, const HeftState* state) {
  return heft_state_finite(state) && heft_state_in_range(state) && quats_sound(m, state->q) &&
         heft_moved_sound(state);
}

HeftStatus heft_world_set_state(HeftWorld* w, const HeftState* state) {
  HEFT_REQUIRE(w && state && state->nq == w->model->nq && state->nv == w->model->nv,
               HEFT_ERR_ARGUMENT);
  if (!heft_state_acceptable(w->model, state)) return HEFT_ERR_VALUE;
  if (state != w->state) heft_state_copy(w->state, state);
  heft_q_normalize(w->model, w->state->q);
  heft_moved_normalize(w->state);
  heft_constraints_forget(w->constraints);
  if (heft_dynamics_deform(w->dynamics)) heft_deform_forget(heft_dynamics_deform(w->dynamics));
  heft_dynamics_clear_wrenches(w->dynamics);
  heft_couplings_clear(w->drives->couplings);
  heft_sensors_outdate(w->sensors, 0);
  w->has_step = 0;
  w->fresh = 0;
  heft_world_refresh(w);
  return HEFT_OK;
}

// The state with some of its numbers replaced lies in w->before, which is scratch between steps.
// The status of heft_world_set_state() with some new numbers, and a message.
static HeftStatus tell_numbers(HeftStatus status, int count, const char* what, HeftError* error) {
  if (status == HEFT_OK) return HEFT_OK;
  return heft_error_set(error, HEFT_ERR_VALUE,
                        "one of %d %s is not finite, or a quaternion is far from unit length",
                        count, what);
}

HeftStatus heft_world_set_q(HeftWorld* w, int first, const double* q, int count, HeftError* error) {
  HEFT_REQUIRE(w && q && first >= 0 && count >= 0 && count <= w->model->nq - first,
               HEFT_ERR_ARGUMENT);
  heft_state_copy(w->before, w->state);
  memcpy(w->before->q + first, q, (size_t)count * sizeof(double));
  return tell_numbers(heft_world_set_state(w, w->before), count, "coordinates", error);
}

HeftStatus heft_world_set_v(HeftWorld* w, int first, const double* v, int count, HeftError* error) {
  HEFT_REQUIRE(w && v && first >= 0 && count >= 0 && count <= w->model->nv - first,
               HEFT_ERR_ARGUMENT);
  heft_state_copy(w->before, w->state);
  memcpy(w->before->v + first, v, (size_t)count * sizeof(double));
  return tell_numbers(heft_world_set_state(w, w->before), count, "velocities", error);
}

HeftStatus heft_world_set_key(HeftWorld* w, int key) {
  HEFT_REQUIRE(w && key >= 0 && key < w->model->nkey, HEFT_ERR_ARGUMENT);
  const HeftModel* m = w->model;
  heft_state_copy(w->before, w->state);
  heft_state_set_key(w->before, m, key);
  if (!heft_state_acceptable(m, w->before)) return HEFT_ERR_VALUE;
  heft_world_reset(w);
  heft_state_set_key(w->state, m, key);
  if (m->nactuator > 0)
    memcpy(w->drives->actuators->control, m->key_control + (long)key * m->nactuator,
           (size_t)m->nactuator * sizeof(double));
  return heft_world_set_state(w, w->state);
}

// ---- callbacks and data of the user

void heft_world_set_control_callback(HeftWorld* w, HeftControlCallback* callback, void* user) {
  HEFT_REQUIRE_VOID(w);
  w->control = callback;
  w->control_user = user;
}

void heft_world_set_contact_filter(HeftWorld* w, HeftContactFilter* filter, void* user) {
  HEFT_REQUIRE_VOID(w);
  w->input.filter = filter;
  w->input.filter_user = user;
  heft_rest_wake_all(w->constraints->sleep_cache, heft_link_count(w->model));
}

HeftStatus heft_world_set_detector(HeftWorld* w, const HeftDetector* detector, const void* user,
                                   HeftError* error) {
  HEFT_REQUIRE(w, HEFT_ERR_ARGUMENT);
  if (detector && (!detector->name || !detector->name[0] || !detector->collide))
    return heft_error_set(error, HEFT_ERR_VALUE, "a detector needs a name and a function collide");
  if (!detector && !w->input.detector) return HEFT_OK;
  w->input.detector = detector;
  w->input.detector_user = detector ? user : NULL;
  heft_rest_wake_all(w->constraints->sleep_cache, heft_link_count(w->model));
  heft_world_identify(w);
  return HEFT_OK;
}

const HeftDetector* heft_world_detector(const HeftWorld* w) {
  HEFT_REQUIRE(w, NULL);
  return w->input.detector;
}

void heft_world_set_body_data(HeftWorld* w, int body, void* data) {
  HEFT_REQUIRE_VOID(w && body >= 0 && body < w->model->nbody);
  w->body_data[body] = data;
}

void* heft_world_body_data(const HeftWorld* w, int body) {
  HEFT_REQUIRE(w && body >= 0 && body < w->model->nbody, NULL);
  return w->body_data[body];
}

void heft_world_set_shape_data(HeftWorld* w, int shape, void* data) {
  HEFT_REQUIRE_VOID(w && shape >= 0 && shape < w->model->nshape);
  w->shape_data[shape] = data;
}

void* heft_world_shape_data(const HeftWorld* w, int shape) {
  HEFT_REQUIRE(w && shape >= 0 && shape < w->model->nshape, NULL);
  return w->shape_data[shape];
}

size_t heft_world_memory(const HeftWorld* w) {
  HEFT_REQUIRE(w, 0);
  return w->memory.size;
}

// ---- actuation

double* heft_world_controls(HeftWorld* w) {
  HEFT_REQUIRE(w, NULL);
  return w->drives->actuators->control;
}

double heft_world_actuator_force(const HeftWorld* w, int actuator) {
  HEFT_REQUIRE(w, 0);
  HEFT_REQUIRE(actuator >= 0 && actuator < w->model->nactuator, 0);
  return w->drives->actuators->force[actuator];
}

int heft_world_add_coupling(HeftWorld* w, const HeftCoupling* def) {
  HEFT_REQUIRE(w && def, -1);
  return heft_couplings_add(w->drives->couplings, def);
}

HeftSpatial heft_world_coupling_wrench(const HeftWorld* w, int coupling) {
  HEFT_REQUIRE(w, ((HeftSpatial){0}));
  const HeftSpatial none = {{0, 0, 0}, {0, 0, 0}};
  const Couplings* c = w->drives->couplings;
  return coupling >= 0 && coupling < c->finished ? c->last[coupling] : none;
}
