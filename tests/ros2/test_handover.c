// SPDX-License-Identifier: Apache-2.0
// Two threads pass states and commands: in order, whole, none twice, and the newest command at the
// end. And commands of ROS as controls, by the law of the actuator.
#include <heft/io.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>

#include "ros2/commands.h"
#include "ros2/handover.h"
#include "support/check.h"
#include "support/scene.h"

enum { COUNT = 20000, WORDS = 40 };

typedef struct Block {
  unsigned word[WORDS];
} Block;

static Ring ring;
static Mailbox box;

static Block block_of(unsigned number) {
  Block b;
  for (int i = 0; i < WORDS; ++i) b.word[i] = number;
  return b;
}

static bool whole(const Block* b) {
  for (int i = 1; i < WORDS; ++i)
    if (b->word[i] != b->word[0]) return false;
  return true;
}

static void* write_all(void* unused) {
  (void)unused;
  for (unsigned i = 1; i <= COUNT; ++i) {
    const Block b = block_of(i);
    void* place;
    mailbox_put(&box, &b);
    while (!(place = ring_back(&ring))) sched_yield();
    memcpy(place, &b, sizeof b);
    ring_push(&ring);
  }
  return NULL;
}

static void nothing_is_lost_or_torn(void** state) {
  (void)state;
  pthread_t writer;
  assert_true(ring_create(&ring, sizeof(Block), 8) && mailbox_create(&box, sizeof(Block)));
  assert_null(ring_front(&ring));
  assert_null(mailbox_take(&box));
  assert_int_equal(pthread_create(&writer, NULL, write_all, NULL), 0);
  unsigned next = 1, newest = 0;
  while (next <= COUNT) {
    const Block* b = ring_front(&ring);
    if (b) {
      assert_true(whole(b));
      assert_int_equal(b->word[0], next++);
      ring_pop(&ring);
    } else {
      sched_yield();
    }
    const Block* c = mailbox_take(&box);
    if (!c) continue;
    assert_true(whole(c) && c->word[0] > newest);
    newest = c->word[0];
  }
  pthread_join(writer, NULL);
  const Block* last = mailbox_take(&box);
  assert_int_equal(last ? last->word[0] : newest, COUNT);
  assert_null(mailbox_take(&box));
  ring_free(&ring);
  mailbox_free(&box);
}

static void a_full_ring_refuses(void** state) {
  (void)state;
  Ring r;
  assert_true(ring_create(&r, 4, 4));
  for (int i = 0; i < 4; ++i) {
    assert_non_null(ring_back(&r));
    ring_push(&r);
  }
  assert_null(ring_back(&r));
  ring_pop(&r);
  assert_non_null(ring_back(&r));
  ring_free(&r);
}

static const char text[] =
    "<mujoco><worldbody>"
    "<body name='a'><joint name='motor' axis='0 1 0'/><geom size='0.1'/>"
    "<body name='b'><joint name='servo' axis='0 1 0'/><geom size='0.1'/>"
    "<body name='c'><joint name='wheel' axis='0 1 0'/><geom size='0.1'/>"
    "<body name='d'><joint name='free' axis='0 1 0'/><geom size='0.1'/>"
    "</body></body></body></body></worldbody><actuator>"
    "<motor joint='motor' gear='5'/><position joint='servo' kp='20' gear='2'/>"
    "<velocity joint='wheel' kv='3'/></actuator></mujoco>";

static void commands_become_controls(void** state) {
  (void)state;
  HeftModel* m = scene_model(text);
  double u[3 + 4] = {0};
  assert_true(command_set(m, "motor", COMMAND_EFFORT, 10, u));
  assert_true(command_set(m, "servo", COMMAND_POSITION, 0.3, u));
  assert_true(command_set(m, "wheel", COMMAND_VELOCITY, -4, u));
  assert_true(command_set(m, "free", COMMAND_EFFORT, 7, u));
  assert_true(command_set(m, "wheel", COMMAND_VELOCITY, (double)NAN, u));
  const double expected[7] = {2, 0.6, -4, 0, 0, 0, 7};
  for (int i = 0; i < 7; ++i) assert_true(fabs(u[i] - expected[i]) < 1e-15);
  assert_false(command_set(m, "motor", COMMAND_POSITION, 1, u));
  assert_false(command_set(m, "free", COMMAND_VELOCITY, 1, u));
  assert_false(command_set(m, "nobody", COMMAND_EFFORT, 1, u));
  assert_false(command_set(m, "motor", COMMAND_EFFORT, (double)INFINITY, u));
  heft_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_lost_or_torn),
                                     cmocka_unit_test(a_full_ring_refuses),
                                     cmocka_unit_test(commands_become_controls)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
