// SPDX-License-Identifier: Apache-2.0
// Every request for memory of every function of the core that may take memory fails.
#include <heft/batch.h>
#include <heft/control.h>
#include <heft/heft.h>
#include <heft/io.h>
#include <stdlib.h>
#include <string.h>
#include "identify/identify.h"

#include "api/model_text.h"
#include "faults/starved.h"
#include "support/check.h"
#include "support/sample.h"
#include "support/scene.h"

static HeftModel *model, *robot;
static HeftWorld* world;

static int begin(void** state) {
  (void)state;
  HeftLoadDef load = heft_load_def_default();
  model = scene_model(model_text);
  world = scene_world(model);
  return heft_model_load_file(&robot, "models/hrp2_like.xml", &load, NULL) != HEFT_OK;
}

static int end(void** state) {
  (void)state;
  heft_world_destroy(world);
  heft_model_destroy(robot);
  heft_model_destroy(model);
  return 0;
}

// An attempt that creates one object; it is there if and only if the call succeeds.
#define CREATE(name, type, destroy, ...)                        \
  static HeftStatus name(HeftError* error) {                    \
    HeftStatus status;                                          \
    type* made = (type*)model; /* anything but NULL */          \
    STARVED(status, __VA_ARGS__);                               \
    if ((status == HEFT_OK) != (made != NULL)) fail_msg(#name); \
    destroy(made);                                              \
    return status;                                              \
  }

// An attempt that calls a function of a world of its own, which stays usable.
#define OF_WORLD(name, ...)                                                              \
  static HeftStatus name(HeftError* error) {                                             \
    HeftStatus status;                                                                   \
    HeftWorld* w = NULL;                                                                 \
    assert_int_equal(heft_world_create(&w, model, NULL, NULL), HEFT_OK);                 \
    STARVED(status, __VA_ARGS__);                                                        \
    for (int i = 0; i < 3; ++i) assert_true(heft_step_taken(heft_world_step(w).status)); \
    heft_world_destroy(w);                                                               \
    return status;                                                                       \
  }

// ---- model, dynamics, collision, contact, world

CREATE(builder, HeftBuilder, heft_builder_destroy, heft_builder_create(&made, NULL, error))
CREATE(state_of, HeftState, heft_state_destroy, heft_state_create(&made, model, NULL, error))
CREATE(dynamics, HeftDynamics, heft_dynamics_destroy,
       heft_dynamics_create(&made, model, NULL, error))
CREATE(collider, HeftCollider, heft_collider_destroy,
       heft_collider_create(&made, model, NULL, error))
CREATE(world_of, HeftWorld, heft_world_destroy, heft_world_create(&made, model, NULL, error))
CREATE(world_for, HeftWorld, heft_world_destroy,
       heft_world_create_for(&made, model, NULL, HEFT_ABI_VERSION, error))
// A body that is pushed, in a world that has made a step.
static HeftStatus margin(HeftError* error) {
  const HeftMarginLoad load = {.body = 1, .force = {1, 0, 0}};
  HeftStatus status;
  HeftMargin out;
  STARVED(status, heft_world_margin(world, &load, 1, &out, error));
  return status;
}

static HeftStatus tip_margin(HeftError* error) {
  const HeftMarginLoad load = {.body = 1, .force = {1, 0, 0}};
  HeftStatus status;
  double factor;
  STARVED(status, heft_world_tip_margin(world, &load, 1, &factor, error));
  return status;
}

static HeftStatus derivative(HeftError* error) {
  HeftStatus status;
  HeftDerivative out;
  heft_world_step(world);
  STARVED(status, heft_world_derivative(world, NULL, NULL, NULL, &out, error));
  return status;
}

static HeftStatus derivative_by(HeftError* error) {
  HeftStatus status;
  HeftDerivative out;
  heft_world_step(world);
  STARVED(status, heft_world_derivative_by(world, NULL, 0, NULL, NULL, NULL, &out, error));
  return status;
}

static HeftStatus derivative_transposed(HeftError* error) {
  HeftStatus status;
  HeftDerivative out;
  double* end = calloc(2 * (size_t)model->nv, sizeof *end);
  heft_world_step(world);
  STARVED(status, heft_world_derivative_transposed(world, end, NULL, NULL, NULL, &out, error));
  free(end);
  return status;
}

static HeftStatus derivative_sensors(HeftError* error) {
  HeftStatus status;
  heft_world_step(world);
  STARVED(status, heft_world_derivative_sensors(world, NULL, NULL, error));
  return status;
}

static HeftStatus friction_needed(HeftError* error) {
  HeftStatus status;
  double factor = -1;
  STARVED(status, heft_world_friction_needed(world, 1, &factor, error));
  return status;
}

static HeftStatus contact_range(HeftError* error) {
  HeftStatus status;
  double min = -1, max = -1;
  for (int i = 0; i < 3000 && heft_world_contact_count(world) == 0; ++i) heft_world_step(world);
  assert_true(heft_world_contact_count(world) > 0);
  STARVED(status, heft_world_contact_range(world, 0, &min, &max, error));
  return status;
}

CREATE(clone, HeftWorld, heft_world_destroy, heft_world_clone(&made, world, error))
CREATE(key_model, HeftModel, heft_model_destroy, heft_world_key_model(&made, world, "now", error))

static HeftStatus threads(HeftError* error) {
  HeftStatus status;
  HeftWorld* w = NULL;
  HeftWorldDef def = heft_world_def_default();
  def.threads = 3;
  STARVED(status, heft_world_create(&w, model, &def, error));
  heft_world_destroy(w);
  return status;
}

static HeftStatus finish(HeftError* error) {
  HeftStatus status;
  HeftBuilder* b = NULL;
  HeftModel* made = NULL;
  assert_int_equal(heft_builder_create(&b, NULL, NULL), HEFT_OK);
  starved_begin();
  sample_fill(b);
  starved_end(HEFT_OK);
  STARVED(status, heft_builder_finish(b, &made, error));
  heft_model_destroy(made);
  heft_builder_destroy(b);
  return status;
}

static HeftStatus builder_status(HeftError* error) {
  HeftStatus status;
  HeftBuilder* b = NULL;
  assert_int_equal(heft_builder_create(&b, NULL, NULL), HEFT_OK);
  starved_begin();
  sample_fill(b);
  starved_end(HEFT_OK);
  status = heft_builder_status(b, error);
  heft_builder_destroy(b);
  return status;
}

static _Alignas(64) unsigned char saved[1 << 16];

static HeftStatus load(HeftError* error) {
  HeftStatus status;
  HeftModel* made = NULL;
  assert_true(heft_model_save_size(model) <= sizeof saved);
  heft_model_save(model, saved);
  STARVED(status, heft_model_load(&made, saved, heft_model_save_size(model), NULL, error));
  heft_model_destroy(made);
  return status;
}

static HeftStatus load_within(HeftError* error) {
  HeftStatus status;
  HeftModel* made = NULL;
  const HeftModelLimits limits = heft_model_limits_default();
  heft_model_save(model, saved);
  STARVED(status,
          heft_model_load_within(&made, saved, heft_model_save_size(model), NULL, limits, error));
  heft_model_destroy(made);
  return status;
}

static HeftStatus lookup(HeftError* error) {
  HeftStatus status;
  int index;
  return STARVED(status, heft_model_lookup(model, HEFT_NAMED_BODY, "ball", &index, error));
}

static const HeftField ring = {.type = HEFT_FIELD_TORUS, .size = {1, 0.3}};

static HeftStatus field_check(HeftError* error) {
  HeftStatus status;
  return STARVED(status, heft_field_check(&ring, error));
}

static HeftStatus field_triangles(HeftError* error) {
  HeftStatus status;
  HeftFieldTriangles made = {0};
  STARVED(status, heft_field_triangles(&ring, 0.5, NULL, &made, error));
  heft_field_triangles_release(&made, NULL);
  return status;
}

static HeftStatus contact_solver(HeftError* error) {
  HeftStatus status;
  HeftContactSolver* made = NULL;
  HeftContactSolverDef def = heft_contact_solver_def_default();
  def.constraint_capacity = def.effector_capacity = 16;
  STARVED(status, heft_contact_solver_create(&made, &def, error));
  heft_contact_solver_destroy(made);
  return status;
}

static HeftStatus contact_problem(HeftError* error) {
  HeftStatus status;
  static const char words[] =
      "3\n1\n1\n3\n3\n1\n1\n1\n3\n3\n2\n1\n0 1\n0\n0\n2 0 0 0 2 0 0 0 2\n-1 0.5 0\n0.4\n";
  HeftContactProblemData made = {0};
  STARVED(status, heft_contact_problem_parse(&made, words, sizeof words - 1, "problem",
                                             heft_allocator_default(), error));
  heft_contact_problem_release(&made);
  return status;
}

static HeftStatus contact_check(HeftError* error) {
  HeftStatus status;
  const HeftContactProblem nothing = {.velocity_scale = 1};
  return STARVED(status, heft_contact_problem_check(&nothing, error));
}

static HeftStatus contact_model(HeftError* error) {
  HeftStatus status;
  HeftContactModel out;
  return STARVED(status, heft_contact_model_find("lcp", &out, error));
}

static HeftStatus contact_option(HeftError* error) {
  HeftStatus status;
  HeftContactOptions out = heft_contact_options_default();
  return STARVED(status, heft_contact_options_set(&out, "facets", 6, error));
}

static const double one = 1, two[2] = {0, 1};
static const HeftMaterial slippery = {.friction = 0.1, .kinetic = 0.1};

OF_WORLD(reserve, heft_world_reserve_contacts(w, 5000, error))
static double solve_nothing(const void* user, const HeftContactIsland* island) {
  (void)user;
  (void)island;
  return 0;
}

static const HeftContactLaw nothing = {.name = "nothing", .yields = true, .solve = solve_nothing};
static int touch_nothing(const void* user, const HeftDetectorPair* pair, HeftDetectedPoint* out) {
  (void)user;
  (void)pair;
  (void)out;
  return 0;
}

static const HeftDetector blind = {.name = "blind", .collide = touch_nothing};
OF_WORLD(set_detector, heft_world_set_detector(w, &blind, NULL, error))
OF_WORLD(set_contact_law, heft_world_set_contact_law(w, &nothing, NULL, error))
OF_WORLD(set_contact_model, heft_world_set_contact_model(w, HEFT_CONTACT_MODEL_LCP, NULL, error))
OF_WORLD(set_gravity, heft_world_set_gravity(w, heft_vec3(0, 0, -1), error))
OF_WORLD(set_material, heft_world_set_material(w, 0, &slippery, error))
OF_WORLD(set_pair, heft_world_set_pair_material(w, 0, &slippery, error))
OF_WORLD(set_shape, heft_world_set_shape_material(w, 1, &slippery, error))
OF_WORLD(set_mass, heft_world_set_mass_factors(w, 1, 2, 2, error))
OF_WORLD(set_gains, heft_world_set_actuator_gains(w, 0, &(HeftActuatorGains){.gain = 2}, error))
OF_WORLD(set_q, heft_world_set_q(w, 0, &one, 1, error))
OF_WORLD(set_v, heft_world_set_v(w, 0, &one, 1, error))
OF_WORLD(transfer, heft_world_transfer(w, world, error))

// ---- access

OF_WORLD(reset_to_key, heft_world_reset_to_key(w, "home", error))
OF_WORLD(set_joint_position, heft_world_set_joint_position(w, "hinge", &one, 1, error))
OF_WORLD(joint_position, heft_world_joint_position(w, "hinge", (double[1]){0}, 1, error))
OF_WORLD(set_joint_velocity, heft_world_set_joint_velocity(w, "hinge", &one, 1, error))
OF_WORLD(joint_velocity, heft_world_joint_velocity(w, "hinge", (double[1]){0}, 1, error))
OF_WORLD(set_control, heft_world_set_control(w, "motor", 1, error))
OF_WORLD(control, heft_world_control(w, "motor", (double[1]){0}, error))
OF_WORLD(body_pose, heft_world_body_pose(w, "ball", &(HeftPose){.pos = {0}}, error))
OF_WORLD(site_pose, heft_world_site_pose(w, "tip", &(HeftPose){.pos = {0}}, error))
OF_WORLD(body_velocity, heft_world_body_velocity(w, "ball", &(HeftSpatial){.lin = {0}}, error))
OF_WORLD(move_body, heft_world_move_body(w, "hand", heft_pose_identity(), error))
OF_WORLD(set_body_velocity,
         heft_world_set_body_velocity(w, "hand", (HeftSpatial){.lin = {0}}, error))
OF_WORLD(set_conveyor,
         heft_world_set_conveyor(w, "floor", heft_vec3(1, 0, 0), heft_vec3(0, 0, 0), error))
OF_WORLD(sensor, heft_world_sensor(w, "angle", (double[1]){0}, 1, error))
OF_WORLD(rays, heft_world_rays(w,
                               &(HeftRays){.frame = HEFT_NAMED_BODY,
                                           .max_distance = 1,
                                           .count = 1,
                                           .direction = (double[3]){0, 0, 1}},
                               (double[1]){0}, NULL, NULL, error))
OF_WORLD(apply_force, heft_world_apply_force(w, "ball", heft_vec3(1, 0, 0), error))
OF_WORLD(contact_force, heft_world_body_contact_force(w, "ball", &(HeftVec3){0}, error))
OF_WORLD(apply_change,
         heft_world_apply_change(w, &(HeftChange){.kind = HEFT_CHANGE_FRICTION, .value = 0.2},
                                 error))
CREATE(change_model, HeftModel, heft_model_destroy,
       heft_model_apply_change(&made, model,
                               &(HeftChange){.kind = HEFT_CHANGE_BALL, .value = 0.1, .name = "new"},
                               NULL, error))

CREATE(from_model, HeftBuilder, heft_builder_destroy,
       heft_builder_from_model(&made, model, NULL, NULL, error))

static HeftStatus attach_part(HeftModel** out, HeftError* error) {
  HeftPartDef def = heft_part_def_default();
  def.prefix = "second/";
  return heft_model_attach(out, model, model, &def, error);
}
CREATE(attach, HeftModel, heft_model_destroy, attach_part(&made, error))
CREATE(replace, HeftModel, heft_model_destroy,
       heft_model_replace(&made, model, "body_mass", 1, 1, (double[1]){2}, error))

// ---- base

typedef struct Numbers {
  double x;
} Numbers;

static const HeftOption rows[] = {{"x", HEFT_VALUE_DOUBLE, 0, 0, 1, 0, "", "a number"}};
static const HeftOptions options = {rows, 1};

static HeftStatus options_find(HeftError* error) {
  HeftStatus status;
  int index;
  return STARVED(status, heft_options_find(options, "x", &index, error));
}

static HeftStatus options_set(HeftError* error) {
  HeftStatus status;
  Numbers numbers = {0};
  return STARVED(status, heft_options_set(options, &numbers, "x", 0.5, error));
}

static HeftStatus options_check(HeftError* error) {
  HeftStatus status;
  const Numbers numbers = {0.5};
  return STARVED(status, heft_options_check(options, &numbers, error));
}

// ---- batch

static HeftBatch* new_batch(void) {
  HeftBatch* made = NULL;
  HeftBatchDef def = heft_batch_def_default();
  def.count = 3;
  assert_int_equal(heft_batch_create(&made, model, &def, NULL), HEFT_OK);
  return made;
}

static HeftStatus batch(HeftError* error) {
  HeftStatus status;
  HeftBatch* made = NULL;
  HeftBatchDef def = heft_batch_def_default();
  def.count = 5;
  def.threads = 2;
  STARVED(status, heft_batch_create(&made, model, &def, error));
  heft_batch_destroy(made);
  return status;
}

static HeftStatus make_slippery(void* user, int index, HeftWorld* w, HeftError* error) {
  (void)user, (void)index;
  return heft_world_set_material(w, 0, &slippery, error);
}

static HeftStatus batch_with_setup(HeftError* error) {
  HeftStatus status;
  HeftBatch* made = NULL;
  HeftBatchDef def = heft_batch_def_default();
  def.count = 5;
  def.threads = 2;
  def.setup = make_slippery;
  STARVED(status, heft_batch_create(&made, model, &def, error));
  heft_batch_destroy(made);
  return status;
}

#define OF_BATCH(name, ...)                  \
  static HeftStatus name(HeftError* error) { \
    HeftStatus status;                       \
    HeftBatch* b = new_batch();              \
    STARVED(status, __VA_ARGS__);            \
    heft_batch_destroy(b);                   \
    return status;                           \
  }

OF_BATCH(batch_reset, heft_batch_reset(b, NULL, -1, error))
OF_BATCH(batch_set_state, heft_batch_set_state(b, 1, model->q_default, NULL, error))
OF_BATCH(batch_step, heft_batch_step(b, 2, error))
OF_BATCH(batch_rollout, heft_batch_rollout(b, &(HeftRollout){.steps = 2}, error))
OF_BATCH(batch_rays, heft_batch_rays(b,
                                     &(HeftRays){.frame = HEFT_NAMED_BODY,
                                                 .max_distance = 1,
                                                 .count = 1,
                                                 .direction = (double[3]){0, 0, 1}},
                                     (double[16]){0}, NULL, NULL, error))
OF_BATCH(batch_world, heft_batch_world(b, 1, error) ? HEFT_OK : HEFT_ERR_MEMORY)

// ---- control

CREATE(whole_body, HeftWholeBody, heft_whole_body_destroy,
       heft_whole_body_create(&made, robot, NULL, error))
CREATE(biped, HeftBiped, heft_biped_destroy, heft_biped_create(&made, robot, NULL, error))
CREATE(estimator, HeftEstimator, heft_estimator_destroy,
       heft_estimator_create(&made, robot, NULL, error))
CREATE(spline, HeftSpline, heft_spline_destroy,
       heft_spline_create(&made, 2, 1, two, two, NULL, error))
CREATE(spline_read, HeftSpline, heft_spline_destroy,
       heft_spline_read(&made, "0 0\n1 1\n2 0\n", 12, NULL, error))
CREATE(pose_solver, HeftPoseSolver, heft_pose_solver_destroy,
       heft_pose_solver_create(&made, model, 1, NULL, error))
CREATE(compliance, HeftCompliance, heft_compliance_destroy,
       heft_compliance_create(&made, model, NULL, error))
CREATE(gaze, HeftGaze, heft_gaze_destroy, heft_gaze_create(&made, model, 1, 0, 1, NULL, error))

static HeftStatus walk(HeftError* error) {
  HeftStatus status;
  HeftBiped* b = NULL;
  HeftWalk* made = NULL;
  HeftBipedGoal goal;
  const HeftWalkDef def = heft_walk_def_default();
  memset(&goal, 0, sizeof goal);
  assert_int_equal(heft_biped_create(&b, robot, NULL, NULL), HEFT_OK);
  heft_biped_stand(b, robot->q_default, &goal);
  STARVED(status, heft_walk_create(&made, &def, &goal, 9.81, error));
  heft_walk_destroy(made);
  heft_biped_destroy(b);
  return status;
}

// ---- deform

static HeftStatus tetrahedra_box(HeftError* error) {
  HeftStatus status;
  HeftTetrahedra made = {0};
  STARVED(status, heft_tetrahedra_box(&made, (double[]){1, 1, 1}, (int[]){2, 2, 2}, NULL, error));
  heft_tetrahedra_release(&made, NULL);
  return status;
}

static HeftStatus tetrahedra_fill(HeftError* error) {
  HeftStatus status;
  HeftTetrahedra made = {0};
  static const double corners[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  static const int faces[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  STARVED(status, heft_tetrahedra_fill(&made, corners, 4, faces, 4, 0.3, NULL, error));
  heft_tetrahedra_release(&made, NULL);
  return status;
}

// ---- interact

CREATE(probe, HeftProbe, heft_probe_destroy, heft_probe_create(&made, model, NULL, error))

static HeftStatus session(HeftError* error) {
  HeftStatus status;
  HeftSession* made = NULL;
  const HeftProbeDef def[2] = {heft_probe_def_default(), heft_probe_def_default()};
  STARVED(status, heft_session_create(&made, world, 2, def, NULL, error));
  heft_session_destroy(made);
  return status;
}

// ---- identify

static HeftStatus away_from_one(void* user, const double* x, double* residual, HeftError* error) {
  (void)user, (void)error;
  for (int i = 0; i < 4; ++i) residual[i] = x[0] - 1 + 1e-3 * i;
  return HEFT_OK;
}

static HeftStatus fit(HeftError* error) {
  HeftStatus status;
  HeftFit out;
  const HeftFitDef def = {
      .residuals = away_from_one, .parameters = 1, .count = 4, .start = two, .step = &one};
  return STARVED(status, heft_fit(&def, &out, error));
}

static HeftStatus pulls(HeftError* error) {
  HeftStatus status;
  HeftEstimate coefficient, offset;
  static const double load_of[] = {1, 2, 3, 4}, pull_of[] = {0.5, 1.01, 1.5, 1.99};
  const HeftPulls def = {.load = load_of, .pull = pull_of, .count = 4, .robust = true};
  return STARVED(status, heft_identify_pulls(&def, &coefficient, &offset, error));
}

static HeftStatus calibration(HeftError* error) {
  HeftStatus status;
  HeftCalibration out;
  static const double wrench[] = {0, 1, 2, 3}, raw[] = {0.1, 2.1, 4.1, 6.11};
  return STARVED(status, heft_identify_calibration(1, 4, wrench, raw, &out, error));
}

static HeftStatus impacts(HeftError* error) {
  HeftStatus status;
  HeftImpactFit out;
  HeftImpact impact[8];
  const double truth[HEFT_IMPACT_PARAMETERS] = {0.5, 0.2, 4e-4};
  for (int i = 0; i < 8; ++i) {
    impact[i] =
        (HeftImpact){0.02, 0.005 * (i % 3) - 0.004, {0.5 * i - 1.7, -1 - 0.1 * i, i - 3}, {0}};
    heft_impact_predict(HEFT_IMPACT_POISSON, truth, &impact[i], impact[i].after);
    impact[i].after[i % 3] += 0.01;
  }
  return STARVED(status, heft_identify_impacts(HEFT_IMPACT_POISSON, impact, 8, true, &out, error));
}

static HeftStatus trust(HeftError* error) {
  HeftStatus status;
  HeftTrust out;
  HeftForecast forecast[10];
  for (int i = 0; i < 10; ++i)
    forecast[i] = (HeftForecast){.outcomes = 2, .runs = {i, 10 - i}, .happened = i < 4};
  return STARVED(status, heft_trust_fit(forecast, 10, &out, error));
}

static HeftStatus parameter(HeftError* error) {
  HeftStatus status;
  HeftParameter out;
  return STARVED(status, heft_parameter_find(model, "damping:hinge", &out, error));
}

enum { ROWS = 5 };

static HeftMotion motion_of(double* times, double* sensed) {
  static const int value[1] = {0};
  for (int i = 0; i < ROWS; ++i) times[i] = 0.01 * i;
  return (HeftMotion){.model = model,
                      .rows = ROWS,
                      .time = times,
                      .sensed = sensed,
                      .value = value,
                      .channels = 1,
                      .q = model->q_default,
                      .v = heft_world_state(world)->v};
}

static HeftStatus simulate(HeftError* error) {
  HeftStatus status;
  double times[ROWS], sensed[ROWS];
  const HeftMotion motion = motion_of(times, sensed);
  return STARVED(status, heft_motion_simulate(&motion, sensed, error));
}

static HeftStatus identify_motion(HeftError* error) {
  HeftStatus status;
  HeftFit out;
  HeftParameter damping;
  double times[ROWS], sensed[ROWS], noise[1];
  const HeftMotion motion = motion_of(times, sensed);
  assert_int_equal(heft_motion_simulate(&motion, sensed, NULL), HEFT_OK);
  assert_int_equal(heft_parameter_find(model, "damping:hinge", &damping, NULL), HEFT_OK);
  return STARVED(status, heft_identify_motion(&motion, &damping, 1, &out, noise, NULL, error));
}

static void memory_may_run_out(void** state) {
  (void)state;
  static const StarvedRow all[] = {
      STARVED_ROW(heft_builder_create, builder, 0),
      STARVED_ROW(heft_builder_finish, finish, 0),
      STARVED_ROW(heft_builder_status, builder_status, 0),
      STARVED_ROW(heft_state_create, state_of, 0),
      STARVED_ROW(heft_model_load, load, 0),
      STARVED_ROW(heft_model_load_within, load_within, 0),
      STARVED_ROW(heft_model_lookup, lookup, 0),
      STARVED_ROW(heft_field_check, field_check, 0),
      STARVED_ROW(heft_field_triangles, field_triangles, 0),
      STARVED_ROW(heft_dynamics_create, dynamics, 0),
      STARVED_ROW(heft_collider_create, collider, 0),
      STARVED_ROW(heft_contact_solver_create, contact_solver, 0),
      STARVED_ROW(heft_contact_problem_parse, contact_problem, 0),
      STARVED_ROW(heft_contact_problem_check, contact_check, 0),
      STARVED_ROW(heft_contact_model_find, contact_model, 0),
      STARVED_ROW(heft_contact_options_set, contact_option, 0),
      STARVED_ROW(heft_world_create, world_of, 0),
      STARVED_ROW(heft_world_create, threads, 0),
      STARVED_ROW(heft_world_create_for, world_for, 0),
      STARVED_ROW(heft_world_clone, clone, 0),
      STARVED_ROW(heft_world_margin, margin, 0),
      STARVED_ROW(heft_world_tip_margin, tip_margin, 0),
      STARVED_ROW(heft_world_derivative, derivative, 0),
      STARVED_ROW(heft_world_derivative_by, derivative_by, 0),
      STARVED_ROW(heft_world_derivative_transposed, derivative_transposed, 0),
      STARVED_ROW(heft_world_derivative_sensors, derivative_sensors, 0),
      STARVED_ROW(heft_world_friction_needed, friction_needed, 0),
      STARVED_ROW(heft_world_contact_range, contact_range, 0),
      STARVED_ROW(heft_world_transfer, transfer, 0),
      STARVED_ROW(heft_world_reserve_contacts, reserve, 0),
      STARVED_ROW(heft_world_set_contact_law, set_contact_law, 0),
      STARVED_ROW(heft_world_set_detector, set_detector, 0),
      STARVED_ROW(heft_world_set_contact_model, set_contact_model, 0),
      STARVED_ROW(heft_world_set_gravity, set_gravity, 0),
      STARVED_ROW(heft_world_set_material, set_material, 0),
      STARVED_ROW(heft_world_set_pair_material, set_pair, 0),
      STARVED_ROW(heft_world_set_shape_material, set_shape, 0),
      STARVED_ROW(heft_world_set_mass_factors, set_mass, 0),
      STARVED_ROW(heft_world_set_actuator_gains, set_gains, 0),
      STARVED_ROW(heft_world_set_q, set_q, 0),
      STARVED_ROW(heft_world_set_v, set_v, 0),
      STARVED_ROW(heft_world_reset_to_key, reset_to_key, 0),
      STARVED_ROW(heft_world_set_joint_position, set_joint_position, 0),
      STARVED_ROW(heft_world_joint_position, joint_position, 0),
      STARVED_ROW(heft_world_set_joint_velocity, set_joint_velocity, 0),
      STARVED_ROW(heft_world_joint_velocity, joint_velocity, 0),
      STARVED_ROW(heft_world_set_control, set_control, 0),
      STARVED_ROW(heft_world_control, control, 0),
      STARVED_ROW(heft_world_body_pose, body_pose, 0),
      STARVED_ROW(heft_world_site_pose, site_pose, 0),
      STARVED_ROW(heft_world_body_velocity, body_velocity, 0),
      STARVED_ROW(heft_world_move_body, move_body, 0),
      STARVED_ROW(heft_world_set_body_velocity, set_body_velocity, 0),
      STARVED_ROW(heft_world_set_conveyor, set_conveyor, 0),
      STARVED_ROW(heft_world_sensor, sensor, 0),
      STARVED_ROW(heft_world_rays, rays, 0),
      STARVED_ROW(heft_world_apply_force, apply_force, 0),
      STARVED_ROW(heft_world_body_contact_force, contact_force, 0),
      STARVED_ROW(heft_world_apply_change, apply_change, 0),
      STARVED_ROW(heft_world_key_model, key_model, 0),
      STARVED_ROW(heft_model_apply_change, change_model, 0),
      STARVED_ROW(heft_builder_from_model, from_model, 0),
      STARVED_ROW(heft_model_attach, attach, 0),
      STARVED_ROW(heft_model_replace, replace, 0),
      STARVED_ROW(heft_options_find, options_find, 0),
      STARVED_ROW(heft_options_set, options_set, 0),
      STARVED_ROW(heft_options_check, options_check, 0),
      STARVED_ROW(heft_batch_create, batch, 0),
      STARVED_ROW(heft_batch_create, batch_with_setup, 0),
      STARVED_ROW(heft_batch_reset, batch_reset, 0),
      STARVED_ROW(heft_batch_set_state, batch_set_state, 0),
      STARVED_ROW(heft_batch_step, batch_step, 0),
      STARVED_ROW(heft_batch_rollout, batch_rollout, 0),
      STARVED_ROW(heft_batch_rays, batch_rays, 0),
      STARVED_ROW(heft_batch_world, batch_world, 0),
      STARVED_ROW(heft_whole_body_create, whole_body, 0),
      STARVED_ROW(heft_biped_create, biped, 0),
      STARVED_ROW(heft_estimator_create, estimator, 0),
      STARVED_ROW(heft_walk_create, walk, 0),
      STARVED_ROW(heft_spline_create, spline, 0),
      STARVED_ROW(heft_spline_read, spline_read, 0),
      STARVED_ROW(heft_pose_solver_create, pose_solver, 0),
      STARVED_ROW(heft_compliance_create, compliance, 0),
      STARVED_ROW(heft_gaze_create, gaze, 0),
      STARVED_ROW(heft_tetrahedra_box, tetrahedra_box, 0),
      STARVED_ROW(heft_tetrahedra_fill, tetrahedra_fill, 0),
      STARVED_ROW(heft_probe_create, probe, 0),
      STARVED_ROW(heft_session_create, session, 0),
      STARVED_ROW(heft_fit, fit, 0),
      STARVED_ROW(heft_identify_pulls, pulls, 0),
      STARVED_ROW(heft_identify_calibration, calibration, 0),
      STARVED_ROW(heft_identify_impacts, impacts, 0),
      STARVED_ROW(heft_trust_fit, trust, 0),
      STARVED_ROW(heft_parameter_find, parameter, 0),
      STARVED_ROW(heft_motion_simulate, simulate, 0),
      STARVED_ROW(heft_identify_motion, identify_motion, 0),
  };
  starved_rows(all, (int)(sizeof all / sizeof *all));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(memory_may_run_out)};
  return cmocka_run_group_tests(tests, begin, end);
}
