// SPDX-License-Identifier: Apache-2.0
// Papers: R33.
// A controller at the other end of a socket, in a thread: lockstep has the bits of a plug-in, the
// simulated way is repeated, strangers are refused, and controllers come and go.
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "link/channel.h"
#include "link/rig.h"

// The hash of a run of the controller at a place.
static uint64_t run(const char* where, const char* options, int steps) {
  Arm arm = {.place = where};
  heft_world_reset(world);
  Rig rig = make_rig(where, options);
  start(&arm);
  step(&rig, steps);
  assert_false(heft_link_broken(rig.link));
  free_rig(&rig);
  stop(&arm);
  assert_int_equal(arm.restarts, 1);
  return heft_world_hash(world);
}

static void lockstep_has_the_bits_of_a_plugin(void** state) {
  (void)state;
  char udp[40];
  snprintf(udp, sizeof udp, "udp:%d", 20000 + (int)getpid() % 20000);
  for (int i = 0; i < 400; ++i) {
    const HeftState* s = heft_world_state(world);
    law(*s->time, s->q, s->v, heft_world_sensors(world), heft_world_controls(world),
        heft_world_joint_forces(world));
    heft_world_step(world);
  }
  const uint64_t inside = heft_world_hash(world);
  assert_true(run(place, "", 400) == inside);
  assert_true(run(udp, "", 400) == inside);
  assert_true(run(place, ",rate=500", 400) != inside);
}

static void the_way_is_the_same_again(void** state) {
  (void)state;
  static const char way[] = ",delay=0.004,jitter=0.003,loss=0.1,noise=0.01,velocity_noise=0.02";
  char other[120];
  snprintf(other, sizeof other, "%s,seed=2", way);
  const uint64_t first = run(place, way, 300);
  assert_true(run(place, way, 300) == first);
  assert_true(run(place, other, 300) != first);
}

static void the_way_loses_and_delays(void** state) {
  (void)state;
  Arm arm = {.place = place};
  Rig rig = make_rig(place, ",delay=0.005,loss=0.2");
  start(&arm);
  step(&rig, 5);
  assert_true(value(&rig, "repeated") == 5 && heft_world_controls(world)[1] == 0);
  step(&rig, 1);  // state 0 was sent at time 0
  assert_true(value(&rig, "age") == 0.005 && heft_world_controls(world)[1] != 0);
  step(&rig, 994);
  const double lost = value(&rig, "lost");
  assert_in_range((int)lost, 300, 420);  // 1 - 0.8² = 36 %
  assert_true(value(&rig, "late") == 0 && value(&rig, "out_of_order") == 0);
  set_option(&rig, "jitter", 0.01);
  step(&rig, 200);
  assert_true(value(&rig, "out_of_order") > 20);
  free_rig(&rig);
  stop(&arm);
  assert_in_range(arm.states, 1200 * 7 / 10, 1200 * 9 / 10);  // 20 % of the states were not sent
}

static void a_record_needs_no_controller(void** state) {
  (void)state;
  enum { STEPS = 100 };
  Arm arm = {.place = place};
  Rig rig = make_rig(place, ",delay=0.05,loss=0.05");
  const size_t moment = heft_world_snapshot_size(world), data = heft_plugin_set_save_size(rig.set);
  unsigned char *start_of_world = malloc(moment), *start_of_set = malloc(data);
  heft_world_snapshot(world, start_of_world);
  heft_plugin_set_save(rig.set, start_of_set);
  const size_t size = heft_plugin_set_record_size(rig.set);
  unsigned char* records = malloc(STEPS * size);
  start(&arm);
  for (int i = 0; i < STEPS; ++i) {
    step(&rig, 1);
    heft_plugin_set_record(rig.set, records + (size_t)i * size);
  }
  const uint64_t hash = heft_world_hash(world);
  const double lost = value(&rig, "lost");
  free_rig(&rig);
  stop(&arm);

  assert_int_equal(heft_link_create(&rig.link, NULL, true, NULL, NULL), HEFT_OK);
  assert_int_equal(heft_plugin_set_create(&rig.set, NULL, NULL), HEFT_OK);
  assert_int_equal(heft_plugin_set_add(rig.set, heft_link_plugin(rig.link), NULL, NULL), HEFT_OK);
  assert_int_equal(heft_plugin_set_attach(rig.set, world, NULL), HEFT_OK);
  assert_int_equal(heft_world_restore(world, start_of_world, moment), HEFT_OK);
  assert_int_equal(heft_plugin_set_restore(rig.set, start_of_set, data), HEFT_OK);
  for (int i = 0; i < STEPS; ++i) {
    assert_int_equal(heft_plugin_set_replay(rig.set, records + (size_t)i * size, size, NULL),
                     HEFT_OK);
    heft_world_step(world);
  }
  assert_true(heft_world_hash(world) == hash);
  assert_true(value(&rig, "lost") == lost);
  // damaged: not finite, too short; data of another size
  memset(records + size - 8, 255, 8);
  assert_int_equal(heft_plugin_set_replay(rig.set, records, size, NULL), HEFT_ERR_SYNTAX);
  assert_int_equal(heft_plugin_set_replay(rig.set, records, size - 1, NULL), HEFT_ERR_SYNTAX);
  assert_int_equal(heft_plugin_set_restore(rig.set, start_of_set, data - 8), HEFT_ERR_SYNTAX);
  memset(start_of_set + data - 8, 255, 8);
  assert_int_equal(heft_plugin_set_restore(rig.set, start_of_set, data), HEFT_ERR_SYNTAX);
  free(records), free(start_of_set), free(start_of_world);
  free_rig(&rig);
}

static void data_of_a_recording_has_its_size(void** state) {
  (void)state;
  const int64_t capacity = 16;
  const size_t size = channel_size(model, capacity);
  ChannelState* block = calloc(1, size + 64);
  Channel channel;
  block->capacity = capacity;
  channel_place(&channel, model, block);
  channel_clear(&channel, capacity);
  assert_true(channel_fits(model, block, size));
  assert_false(channel_fits(model, block, size + 8));
  assert_false(channel_fits(model, block, size - 8));
  block->size += 8;
  assert_false(channel_fits(model, block, size));
  free(block);
}

static void time_goes_back(void** state) {
  (void)state;
  Arm arm = {.place = place};
  Rig rig = make_rig(place, ",delay=0.003");
  start(&arm);
  step(&rig, 50);
  const size_t moment = heft_world_snapshot_size(world), data = heft_plugin_set_save_size(rig.set);
  unsigned char *of_world = malloc(moment), *of_set = malloc(data);
  heft_world_snapshot(world, of_world);
  heft_plugin_set_save(rig.set, of_set);
  step(&rig, 50);
  const uint64_t hash = heft_world_hash(world);
  assert_int_equal(heft_world_restore(world, of_world, moment), HEFT_OK);
  assert_int_equal(heft_plugin_set_restore(rig.set, of_set, data), HEFT_OK);
  step(&rig, 50);
  assert_true(heft_world_hash(world) == hash);  // with the answers that were on their way
  heft_world_reset(world);
  assert_int_equal(heft_plugin_set_reset(rig.set, NULL), HEFT_OK);
  step(&rig, 100);
  assert_true(heft_world_hash(world) == hash);
  free(of_world), free(of_set);
  free_rig(&rig);
  stop(&arm);
  assert_int_equal(arm.restarts, 3);  // the controller was told
}

static void a_controller_dies_and_another_comes(void** state) {
  (void)state;
  Arm first = {.place = place, .limit = 20}, second = {.place = place};
  Rig rig = make_rig(place, "");
  start(&first);
  step(&rig, 20);
  stop(&first);
  const double last = heft_world_controls(world)[0];
  set_option(&rig, "timeout", 0.05);
  step(&rig, 30);  // waits once
  assert_true(heft_link_broken(rig.link));
  assert_true(value(&rig, "connected") == 0 && value(&rig, "repeated") == 30);
  assert_true(heft_world_controls(world)[0] == last);
  set_option(&rig, "timeout", 60);
  start(&second);
  for (int i = 0; i < 100000 && value(&rig, "connected") == 0; ++i) {
    poll(NULL, 0, 1);
    step(&rig, 1);
  }
  assert_true(value(&rig, "connected") == 1);
  const double repeated = value(&rig, "repeated");
  step(&rig, 10);
  assert_true(value(&rig, "repeated") == repeated);
  assert_true(heft_world_controls(world)[0] != last);
  free_rig(&rig);
  stop(&second);
  assert_int_equal(second.restarts, 1);
}

// In lockstep a controller that is started again while the world waits gets the same state.
static void a_controller_is_replaced_in_a_step(void** state) {
  (void)state;
  Arm first = {.place = place, .limit = 20}, second = {.place = place};
  Rig rig = make_rig(place, "");
  start(&first);
  step(&rig, 20);
  stop(&first);
  start(&second);
  step(&rig, 20);
  assert_false(heft_link_broken(rig.link));
  assert_true(value(&rig, "repeated") == 0 && value(&rig, "lost") == 0);
  free_rig(&rig);
  stop(&second);
  assert_int_equal(second.states, 20);
}

static void a_controller_leaves(void** state) {
  (void)state;
  Arm arm = {.place = place, .limit = 10, .polite = 1};
  Rig rig = make_rig(place, "");
  start(&arm);
  step(&rig, 40);  // does not wait for the timeout
  stop(&arm);
  assert_false(heft_link_broken(rig.link));
  assert_true(value(&rig, "repeated") == 30 && value(&rig, "connected") == 0);
  free_rig(&rig);
}

static void nobody_comes(void** state) {
  (void)state;
  Rig rig = make_rig(place, "");
  set_option(&rig, "wait", 0.02);
  step(&rig, 5);
  assert_true(value(&rig, "repeated") == 5 && value(&rig, "connected") == 0);
  free_rig(&rig);
}

static void free_running_repeats_controls(void** state) {
  (void)state;
  Arm arm = {.place = place, .limit = 50};
  Rig rig = make_rig(place, ",free,pace=0.5");
  const uint64_t begun = heft_clock_ns();
  start(&arm);
  for (int i = 0; i < 10000 && arm.states < 50 && value(&rig, "repeated") < 5000; ++i)
    step(&rig, 1);
  stop(&arm);
  const double time = *heft_world_state(world)->time;
  assert_true((double)(heft_clock_ns() - begun) * 1e-9 > 1.9 * time);  // not faster than its pace
  for (int i = 0; i < 100000 && value(&rig, "connected") == 1; ++i) step(&rig, 1);
  assert_true(value(&rig, "connected") == 0);
  assert_true(value(&rig, "repeated") > 0);
  assert_false(heft_link_broken(rig.link));
  free_rig(&rig);
}

// ---- strangers

static int stranger(void) {
  struct sockaddr_un at = {.sun_family = AF_UNIX};
  const int end = socket(AF_UNIX, SOCK_DGRAM, 0);
  snprintf(at.sun_path, sizeof at.sun_path, "%s", place + 5);
  assert_int_equal(bind(end, (struct sockaddr*)&at, sizeof at.sun_family), 0);
  assert_int_equal(connect(end, (struct sockaddr*)&at, sizeof at), 0);
  return end;
}

static void strangers_are_refused(void** state) {
  (void)state;
  Arm arm = {.place = place};
  Rig rig = make_rig(place, "");
  start(&arm);
  step(&rig, 10);
  const uint64_t before = (uint64_t)value(&rig, "refused");
  const int socket = stranger();
  unsigned char bytes[400];
  double numbers[4] = {1e9, 1e9, 1e9, 1e9};
  // noise, every type with a wrong session, a join beside a living controller
  memset(bytes, 0x5a, sizeof bytes);
  assert_true(send(socket, bytes, sizeof bytes, 0) > 0);
  for (int type = LINK_JOIN; type < LINK_TYPE_END; ++type) {
    const LinkHead head = {.type = (LinkType)type, .session = 1, .number = 12, .a = 2, .b = 2};
    link_put_numbers(bytes + LINK_HEAD, numbers, 4);
    assert_true(send(socket, bytes, link_packet_write(&head, 32, NULL, bytes), 0) > 0);
  }
  const LinkHead join = {.type = LINK_JOIN};
  assert_true(send(socket, bytes, link_packet_write(&join, 0, NULL, bytes), 0) > 0);
  step(&rig, 1);
  assert_int_equal((int)(value(&rig, "refused") - (double)before), 8);
  assert_true(heft_world_controls(world)[0] < 100);
  step(&rig, 20);
  close(socket);
  free_rig(&rig);
  stop(&arm);
  assert_int_equal(arm.states, 31);
}

static size_t tell(int end, LinkType type, uint64_t session, uint64_t number, int numbers) {
  unsigned char bytes[LINK_HEAD + 64];
  const double control[4] = {1, 2, 0, 0};
  const LinkHead head = {.type = type,
                         .session = session,
                         .number = number,
                         .a = numbers ? 2 : 0,
                         .b = numbers ? (uint32_t)numbers - 2 : 0};
  link_put_numbers(bytes + LINK_HEAD, control, numbers);
  const size_t size = link_packet_write(&head, 8 * (size_t)numbers, NULL, bytes);
  assert_int_equal(send(end, bytes, size, 0), (ssize_t)size);
  return size;
}

// The last datagram of a type that has come to a socket. Returns how many came.
static int heard(int end, LinkType type, LinkHead* out) {
  unsigned char bytes[4096];
  int count = 0;
  LinkHead head;
  size_t body;
  for (ssize_t size; (size = recv(end, bytes, sizeof bytes, MSG_DONTWAIT)) > 0;)
    if (link_packet_read(bytes, (size_t)size, NULL, &head, &body) && head.type == type) {
      *out = head;
      ++count;
    }
  return count;
}

// A controller that is slow, and a program of the same user that knows all but is not it.
static void only_the_controller_controls(void** state) {
  (void)state;
  Rig rig = make_rig(place, ",free,deadline=0.001,pace=10");
  struct stat file;
  assert_int_equal(stat(place + 5, &file), 0);
  assert_int_equal(file.st_mode & 077, 0);  // other users have no right
  set_option(&rig, "wait", 0.01);
  const int own = stranger(), other = stranger();
  LinkHead head = {0};
  char text_of[200];
  tell(own, LINK_JOIN, 0, 0, 0);
  step(&rig, 1);
  assert_true(heard(own, LINK_HELLO, &head) > 0);
  const uint64_t session = head.session;
  tell(own, LINK_READY, session + 1, 0, 0);  // of another run
  step(&rig, 1);
  assert_true(value(&rig, "connected") == 0);
  assert_int_equal(heard(own, LINK_BYE, &head), 1);
  tell(own, LINK_READY, session, 0, 0);
  step(&rig, 3);
  assert_true(heard(own, LINK_STATE, &head) > 0);
  const uint64_t number = head.number;
  // the other one: controls, a ready, a join
  tell(other, LINK_CONTROLS, session, number, 2);
  tell(other, LINK_READY, session, 0, 0);
  tell(other, LINK_JOIN, 0, 0, 0);
  step(&rig, 1);
  assert_int_equal(heard(other, LINK_HELLO, &head) + heard(other, LINK_STATE, &head), 0);
  assert_true(heft_world_controls(world)[1] == 0 && value(&rig, "refused") == 4);
  // the own: a state that was never sent, another count, twice the same
  tell(own, LINK_CONTROLS, session, number + 1000, 2);
  tell(own, LINK_CONTROLS, session, number, 1);
  step(&rig, 1);
  assert_true(heft_world_controls(world)[1] == 0 && value(&rig, "refused") == 6);
  tell(own, LINK_CONTROLS, session, number, 2);
  tell(own, LINK_CONTROLS, session, number, 2);
  step(&rig, 1);
  assert_true(heft_world_controls(world)[1] == 2 && value(&rig, "refused") == 6);
  assert_non_null(strstr(heft_link_report(rig.link, text_of, sizeof text_of), ", 1 answers"));
  close(own), close(other);
  free_rig(&rig);
}

static void places_are_checked(void** state) {
  (void)state;
  static const char* const wrong[] = {
      "tcp:80",     "unix:", "udp:0.0.0.0:7480", "udp:none", "unix:/no/such/folder/socket",
      "udp:7480#12"};
  HeftLink* link = NULL;
  HeftError error = {0};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    error.message[0] = '\0';
    assert_int_not_equal(heft_link_create(&link, wrong[i], true, NULL, &error), HEFT_OK);
    assert_true(!link && error.message[0]);
  }
  // a socket in use, a file, and a socket that was left behind
  Rig rig = make_rig(place, "");
  assert_int_equal(heft_link_create(&link, place, true, NULL, &error), HEFT_ERR_FILE);
  free_rig(&rig);
  FILE* file = fopen(place + 5, "w");
  assert_non_null(file);
  fclose(file);
  assert_int_equal(heft_link_create(&link, place, true, NULL, &error), HEFT_ERR_FILE);
  unlink(place + 5);
  struct sockaddr_un at = {.sun_family = AF_UNIX};
  snprintf(at.sun_path, sizeof at.sun_path, "%s", place + 5);
  const int left = socket(AF_UNIX, SOCK_DGRAM, 0);
  assert_int_equal(bind(left, (struct sockaddr*)&at, sizeof at), 0);
  close(left);
  rig = make_rig(place, ",free,delay=0.1");
  char spec[400];
  assert_non_null(strstr(heft_plugin_set_spec(rig.set, 0, spec, sizeof spec), "free=1"));
  free_rig(&rig);
  assert_int_not_equal(access(place + 5, F_OK), 0);  // removed
}

// A description of many parts.
static void* read_description(void* user) {
  HeftRobot* robot = NULL;
  Arm* arm = user;
  int joint = -1;
  arm->failed = heft_robot_open(&robot, arm->place, 60, NULL, NULL) != HEFT_OK ||
                heft_robot_find_joint(robot, "joint number 299", &joint, NULL) != HEFT_OK ||
                heft_robot_model(robot)->joint[joint].v != 299;
  while (!arm->failed && heft_robot_wait(robot)) heft_robot_send(robot);
  heft_robot_close(robot);
  return NULL;
}

static void a_description_has_many_parts(void** state) {
  (void)state;
  const size_t room = 100000;
  char* large = malloc(room);
  size_t used = (size_t)snprintf(large, room, "<mujoco><worldbody>");
  for (int i = 0; i < 300; ++i)
    used += (size_t)snprintf(large + used, room - used,
                             "<body><joint name='joint number %d'/><inertial pos='0 0 0' mass='1' "
                             "diaginertia='1 1 1'/></body>",
                             i);
  used += (size_t)snprintf(large + used, room - used, "</worldbody></mujoco>");
  HeftModel* many = NULL;
  HeftWorld *before = world, *crowd = NULL;
  assert_int_equal(heft_model_load_bytes(&many, large, used, "many", NULL, NULL), HEFT_OK);
  assert_int_equal(heft_world_create(&crowd, many, NULL, NULL), HEFT_OK);
  world = crowd;
  Rig rig = make_rig(place, "");
  Arm arm = {.place = place};
  assert_int_equal(pthread_create(&arm.thread, NULL, read_description, &arm), 0);
  step(&rig, 3);
  free_rig(&rig);
  stop(&arm);
  world = before;
  heft_world_destroy(crowd);
  heft_model_destroy(many);
  free(large);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_world, close_world)
  const struct CMUnitTest tests[] = {
      TEST(lockstep_has_the_bits_of_a_plugin),
      TEST(the_way_is_the_same_again),
      TEST(the_way_loses_and_delays),
      TEST(a_record_needs_no_controller),
      TEST(data_of_a_recording_has_its_size),
      TEST(time_goes_back),
      TEST(a_controller_dies_and_another_comes),
      TEST(a_controller_is_replaced_in_a_step),
      TEST(a_controller_leaves),
      TEST(nobody_comes),
      TEST(free_running_repeats_controls),
      TEST(strangers_are_refused),
      TEST(only_the_controller_controls),
      TEST(places_are_checked),
      TEST(a_description_has_many_parts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
