// SPDX-License-Identifier: Apache-2.0
// Every public function is called with NULL, wrong indices, wrong sizes, numbers that are not
// finite and defs that were never initialised. Each call ends in the assert hook, a status or a
// harmless value; none crashes. The calls are written by misuse.py from the headers, so that a new
// function is tested without a line here.
//
//   test_api_misuse [name]   only the functions whose name holds this text
#ifdef HEFT_HAVE_MISUSE_CALLS
#include <heft/device.h>
#include <heft/heft.h>
#include <heft/io.h>
#include <heft/plugin.h>
#include <heft/replay.h>
#include <heft/robot.h>
#include <heft/run_log.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/model_text.h"

// ---- objects that are right

typedef struct Fixture {
  HeftModel *HeftModel, *robot;
  HeftState* HeftState;
  HeftBuilder* HeftBuilder;
  HeftDynamics* HeftDynamics;
  HeftCollider* HeftCollider;
  HeftContactSolver* HeftContactSolver;
  HeftWorld* HeftWorld;
  HeftWholeBody* HeftWholeBody;
  HeftBiped* HeftBiped;
  HeftEstimator* HeftEstimator;
  HeftWalk* HeftWalk;
  HeftSpline* HeftSpline;
  HeftPoseSolver* HeftPoseSolver;
  HeftCompliance* HeftCompliance;
  HeftGaze* HeftGaze;
  HeftDevice* HeftDevice;
  HeftProbe* HeftProbe;
  HeftSession* HeftSession;
  HeftBatch* HeftBatch;
  HeftServo* HeftServo;
  HeftPluginSet* HeftPluginSet;
} Fixture;

static Fixture fixture;

static void need(int is_good, const char* what) {
  if (is_good) return;
  fprintf(stderr, "the fixture lacks %s\n", what);
  exit(1);
}

#define MADE(call) need((call) == HEFT_OK, #call)

static void build_robot(void) {
  HeftLoadDef load = heft_load_def_default();
  HeftBipedGoal goal;
  MADE(heft_model_load_file(&fixture.robot, "models/hrp2_like.xml", &load, NULL));
  MADE(heft_biped_create(&fixture.HeftBiped, fixture.robot, NULL, NULL));
  MADE(heft_estimator_create(&fixture.HeftEstimator, fixture.robot, NULL, NULL));
  memset(&goal, 0, sizeof goal);
  heft_biped_stand(fixture.HeftBiped, fixture.robot->q_default, &goal);
  HeftWalkDef walk = heft_walk_def_default();
  MADE(heft_walk_create(&fixture.HeftWalk, &walk, &goal, 9.81, NULL));
}

static void build_control(const HeftModel* m) {
  static const double times[2] = {0, 1}, values[2] = {0, 1};
  HeftComplianceDef compliance = heft_compliance_def_default(m);
  MADE(heft_whole_body_create(&fixture.HeftWholeBody, m, NULL, NULL));
  MADE(heft_spline_create(&fixture.HeftSpline, 2, 1, times, values, NULL, NULL));
  MADE(heft_pose_solver_create(&fixture.HeftPoseSolver, m, 1, NULL, NULL));
  MADE(heft_compliance_create(&fixture.HeftCompliance, m, &compliance, NULL));
  MADE(heft_gaze_create(&fixture.HeftGaze, m, 1, 0, 1, NULL, NULL));
}

static void build_devices(const HeftModel* m) {
  HeftProbeDef probe = heft_probe_def_default();
  HeftMapping mapping = heft_mapping_default();
  HeftServoDef servo = heft_servo_def_default();
  servo.priority = servo.lock_memory = 0;
  const HeftDriver* driver = heft_driver_find("emulated");
  need(driver != NULL, "the emulated device");
  MADE(heft_device_open(&fixture.HeftDevice, driver, "", NULL, NULL));
  MADE(heft_probe_create(&fixture.HeftProbe, m, &probe, NULL));
  MADE(heft_batch_create(&fixture.HeftBatch, m, NULL, NULL));
  MADE(heft_session_create(&fixture.HeftSession, fixture.HeftWorld, 1, &probe, NULL, NULL));
  MADE(heft_servo_create(&fixture.HeftServo, &servo, NULL));
  need(heft_servo_add(fixture.HeftServo, fixture.HeftDevice, &mapping) == 0, "a served device");
}

static void build_plugins(void) {
  static const HeftOption rows[] = {{"x", HEFT_VALUE_DOUBLE, 0, 0, 1, 0, "", "a number"}};
  static const HeftPlugin plugin = {.cookie = HEFT_DEF_COOKIE(HeftPlugin),
                                    .name = "sample",
                                    .help = "does nothing",
                                    .size = sizeof(double),
                                    .options = {rows, 1},
                                    .values = {rows, 1}};
  MADE(heft_plugin_set_create(&fixture.HeftPluginSet, NULL, NULL));
  MADE(heft_plugin_set_add(fixture.HeftPluginSet, &plugin, NULL, NULL));
  MADE(heft_plugin_set_attach(fixture.HeftPluginSet, fixture.HeftWorld, NULL));
}

static void build(void) {
  HeftLoadDef load = heft_load_def_default();
  HeftContactSolverDef solver = heft_contact_solver_def_default();
  solver.constraint_capacity = solver.effector_capacity = 16;
  MADE(heft_model_load_bytes(&fixture.HeftModel, model_text, strlen(model_text), "scene.xml", &load,
                             NULL));
  const HeftModel* m = fixture.HeftModel;
  MADE(heft_state_create(&fixture.HeftState, m, NULL, NULL));
  MADE(heft_builder_create(&fixture.HeftBuilder, NULL, NULL));
  MADE(heft_dynamics_create(&fixture.HeftDynamics, m, NULL, NULL));
  MADE(heft_collider_create(&fixture.HeftCollider, m, NULL, NULL));
  MADE(heft_contact_solver_create(&fixture.HeftContactSolver, &solver, NULL));
  MADE(heft_world_create(&fixture.HeftWorld, m, NULL, NULL));
  heft_world_step(fixture.HeftWorld);
  build_control(m);
  build_robot();
  build_devices(m);
  build_plugins();
}

static void end(void) {
  heft_plugin_set_destroy(fixture.HeftPluginSet);
  heft_servo_destroy(fixture.HeftServo);
  heft_session_destroy(fixture.HeftSession);
  heft_batch_destroy(fixture.HeftBatch);
  heft_probe_destroy(fixture.HeftProbe);
  heft_device_close(fixture.HeftDevice);
  heft_gaze_destroy(fixture.HeftGaze);
  heft_compliance_destroy(fixture.HeftCompliance);
  heft_pose_solver_destroy(fixture.HeftPoseSolver);
  heft_spline_destroy(fixture.HeftSpline);
  heft_walk_destroy(fixture.HeftWalk);
  heft_estimator_destroy(fixture.HeftEstimator);
  heft_biped_destroy(fixture.HeftBiped);
  heft_whole_body_destroy(fixture.HeftWholeBody);
  heft_world_destroy(fixture.HeftWorld);
  heft_contact_solver_destroy(fixture.HeftContactSolver);
  heft_collider_destroy(fixture.HeftCollider);
  heft_dynamics_destroy(fixture.HeftDynamics);
  heft_builder_destroy(fixture.HeftBuilder);
  heft_state_destroy(fixture.HeftState);
  heft_model_destroy(fixture.robot);
  heft_model_destroy(fixture.HeftModel);
}

// A builder keeps its first mistake and ignores what follows, so each call has one of its own.
static HeftBuilder* fresh_builder(void) {
  heft_builder_destroy(fixture.HeftBuilder);
  fixture.HeftBuilder = NULL;
  MADE(heft_builder_create(&fixture.HeftBuilder, NULL, NULL));
  return fixture.HeftBuilder;
}

// ---- memory for arguments

enum { BUFFER_SIZE = 1 << 16, BUFFER_COUNT = 16 };
static _Alignas(64) unsigned char pool[BUFFER_COUNT][BUFFER_SIZE];
static int next_buffer;

// Zeroed, large enough for every array of the small models, not shared by the arguments of a call.
static void* buffer(size_t unit) {
  (void)unit;
  void* memory = pool[next_buffer++ % BUFFER_COUNT];
  memset(memory, 0, BUFFER_SIZE);
  return memory;
}

static void* blank(size_t size) {
  need(size <= BUFFER_SIZE, "a buffer of that size");
  return buffer(size);
}

static void* zeros(void) { return buffer(1); }
static void* garbage(void) { return memset(buffer(1), 0xa5, BUFFER_SIZE); }
static char* text(void) { return strcpy(buffer(1), "/no such folder/no such thing"); }

// ---- calls

typedef struct Misuse {
  const char* name;
  void (*run)(void);
} Misuse;

static const char *function, *what;
static int noticed, functions, calls, noticed_calls, missed, crashed;
static sigjmp_buf after_crash;

static void note(const char* condition, const char* file, int line) {
  (void)condition, (void)file, (void)line;
  ++noticed;
}

static void recover(int sign) {
  fprintf(stderr, "CRASH %d: %s, %s\n", sign, function, what);
  ++crashed;
  siglongjmp(after_crash, 1);
}

static void begin_call(const char* text_of_call) {
  what = text_of_call;
  noticed = 0;
  heft_assert_set_hook(note);  // some calls take it away
  ++calls;
}

static void end_call(int must, int has_status) {
  noticed_calls += noticed > 0 || has_status;
  if (!must || noticed > 0 || has_status) return;
  fprintf(stderr, "NOT NOTICED: %s, %s\n", function, what);
  ++missed;
}

#define STATUS(text_of_call, must, call)       \
  do {                                         \
    begin_call(text_of_call);                  \
    const HeftStatus status_of_call = (call);  \
    end_call(must, status_of_call != HEFT_OK); \
  } while (0)

#define INDEX(text_of_call, must, call)  \
  do {                                   \
    begin_call(text_of_call);            \
    const int index_of_call = (call);    \
    end_call(must, index_of_call == -1); \
  } while (0)

#define OTHER(text_of_call, must, call) \
  do {                                  \
    begin_call(text_of_call);           \
    (void)(call);                       \
    end_call(must, 0);                  \
  } while (0)

#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Wunused-value"
#pragma GCC diagnostic ignored "-Wnonnull"
#include "misuse_calls.h"

int main(int argc, char** argv) {
  const char* only = argc > 1 ? argv[1] : "";
  build();
  const struct sigaction go_on = {.sa_handler = recover};
  static const int signs[] = {SIGABRT, SIGSEGV, SIGFPE, SIGBUS};
  for (int i = 0; i < 4; ++i) sigaction(signs[i], &go_on, NULL);
  for (size_t i = 0; i < sizeof misuses / sizeof *misuses; ++i) {
    function = misuses[i].name;
    if (!strstr(function, only)) continue;
    ++functions;
    if (sigsetjmp(after_crash, 1) == 0) misuses[i].run();
  }
  heft_assert_set_hook(NULL);
  if (crashed == 0) end();
  printf("%d functions, %d wrong calls, %d noticed; %d not noticed that must be, %d crashed\n",
         functions, calls, noticed_calls, missed, crashed);
  return missed == 0 && crashed == 0 && functions > 0 ? 0 : 1;
}

#else

#include <stdio.h>

int main(void) {
  printf("skipped: python3, which writes the calls, or heft_io is not here\n");
  return 77;
}

#endif
