// SPDX-License-Identifier: Apache-2.0
// A program that forks: the world of the child goes on with the same bits as that of the parent.
#include <heft/world.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/check.h"
#include "support/sample.h"

static uint64_t go_on(HeftWorld* w) {
  for (int i = 0; i < 50; ++i) heft_world_step(w);
  return heft_world_hash(w);
}

static void a_child_has_the_same_bits(void** state) {
  (void)state;
  HeftModel* model = sample_create(NULL, NULL);
  HeftWorld* world = NULL;
  int ends[2], status = 0;
  assert_non_null(model);
  assert_int_equal(heft_world_create(&world, model, NULL, NULL), HEFT_OK);
  go_on(world);
  assert_int_equal(pipe(ends), 0);
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    const uint64_t hash = go_on(world);
    heft_world_destroy(world);
    heft_model_destroy(model);
    _exit(write(ends[1], &hash, sizeof hash) == (ssize_t)sizeof hash ? 0 : 1);
  }
  uint64_t of_child = 0;
  assert_int_equal(read(ends[0], &of_child, sizeof of_child), (ssize_t)sizeof of_child);
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  assert_true(go_on(world) == of_child);
  close(ends[0]);
  close(ends[1]);
  heft_world_destroy(world);
  heft_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_child_has_the_same_bits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
