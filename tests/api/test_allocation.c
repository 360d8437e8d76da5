// SPDX-License-Identifier: Apache-2.0
// Memory that runs out in a program that uses all of the library: every allocation of every create,
// open and load fails once, alone and with all after it. Each call says so and gives back what it
// took.
#include <heft/batch.h>
#include <heft/control.h>
#include <heft/device.h>
#include <heft/heft.h>
#include <heft/io.h>

#include "support/check.h"
#include "support/failing_allocator.h"

static const char scene[] =
    "<mujoco><asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset><worldbody>"
    "<geom type='plane' size='0 0 1'/><body pos='0 0 1'><freejoint/><geom type='mesh' mesh='m'/>"
    "<body pos='0 0 .5'><joint name='j' axis='0 1 0'/><geom size='.1'/><site name='s'/></body>"
    "</body></worldbody><actuator><motor joint='j'/></actuator>"
    "<keyframe><key name='k'/></keyframe></mujoco>";

typedef struct Program {
  HeftModel* model;
  HeftState* state;
  HeftDynamics* dynamics;
  HeftCollider* collider;
  HeftWorld* world;
  HeftSession* session;
  HeftDevice* device;
  HeftServo* servo;
  HeftBatch* batch;
} Program;

static HeftStatus put(void* user, const char* name, const void* bytes, size_t size,
                      HeftError* error) {
  (void)user, (void)name, (void)bytes, (void)size, (void)error;
  return HEFT_OK;
}

static HeftStatus create_all(Program* p, HeftAllocator a, HeftError* e) {
  HeftLoadDef load = heft_load_def_default();
  HeftWorldDef world = heft_world_def_default();
  HeftColliderDef collider = heft_collider_def_default();
  const HeftProbeDef probe = heft_probe_def_default();
  HeftDeviceDef device = heft_device_def_default();
  HeftServoDef servo = heft_servo_def_default();
  HeftWriteDef write = heft_write_def_default();
  HeftBatchDef batch = heft_batch_def_default();
  HeftStatus s;
  load.allocator = world.allocator = device.allocator = servo.allocator = write.allocator = a;
  batch.world.allocator = a;
  collider.allocator = &a;
  world.threads = 2;
  batch.count = 3;
  write.put = put;
  if ((s = heft_model_load_bytes(&p->model, scene, sizeof scene - 1, "scene", &load, e)) != HEFT_OK)
    return s;
  if ((s = heft_state_create(&p->state, p->model, &a, e)) != HEFT_OK) return s;
  if ((s = heft_dynamics_create(&p->dynamics, p->model, &a, e)) != HEFT_OK) return s;
  if ((s = heft_collider_create(&p->collider, p->model, &collider, e)) != HEFT_OK) return s;
  if ((s = heft_world_create(&p->world, p->model, &world, e)) != HEFT_OK) return s;
  if ((s = heft_session_create(&p->session, p->world, 1, &probe, &a, e)) != HEFT_OK) return s;
  if ((s = heft_device_open(&p->device, heft_driver_find("emulated"), "omega", &device, e)) !=
      HEFT_OK)
    return s;
  if ((s = heft_servo_create(&p->servo, &servo, e)) != HEFT_OK) return s;
  if ((s = heft_batch_create(&p->batch, p->model, &batch, e)) != HEFT_OK) return s;
  return heft_model_write_mjcf(p->model, &write, e);
}

static void destroy_all(Program* p) {
  heft_batch_destroy(p->batch);
  heft_servo_destroy(p->servo);
  heft_device_close(p->device);
  heft_session_destroy(p->session);
  heft_world_destroy(p->world);
  heft_collider_destroy(p->collider);
  heft_dynamics_destroy(p->dynamics);
  heft_state_destroy(p->state);
  heft_model_destroy(p->model);
}

static HeftStatus run(FailingAllocator* f, HeftError* error) {
  Program p = {0};
  const HeftStatus status = create_all(&p, failing_allocator(f), error);
  destroy_all(&p);
  assert_int_equal(f->alive, 0);
  assert_int_equal(f->mistakes, 0);
  return status;
}

static void memory_may_run_out(void** state) {
  (void)state;
  FailingAllocator whole = {0};
  HeftError error = {0};
  if (run(&whole, &error) != HEFT_OK) fail_msg("%s", error.message);
  long refused = 0, endured = 0;
  for (int only_one = 0; only_one < 2; ++only_one) {
    for (long k = 1; k <= whole.requests; ++k) {
      FailingAllocator f = {.fail_at = k, .only_one = only_one};
      error = (HeftError){0};
      const HeftStatus status = run(&f, &error);
      if (status == HEFT_OK) {
        ++endured;
        continue;
      }
      ++refused;
      if (status != HEFT_ERR_MEMORY)
        fail_msg("request %ld: %s: %s", k, heft_status_text(status), error.message);
      assert_true(error.message[0] != '\0');
    }
  }
  print_message("%ld requests: %ld failures with a message, %ld endured\n", whole.requests, refused,
                endured);
  assert_true(refused > whole.requests);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(memory_may_run_out)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
