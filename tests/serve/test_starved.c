// SPDX-License-Identifier: Apache-2.0
// Every request for memory of a server fails. Those of libwebsockets do not: when its own memory
// runs out, version 4.1 closes the descriptor 0 and uses lists that it does not have.
#include "faults/starved.h"
#include "serve/served.h"

static HeftModel* model;
static HeftWorld* world;

static int begin(void** state) {
  (void)state;
  model = scene_model(served_text);
  world = scene_world(model);
  return 0;
}

static int end(void** state) {
  (void)state;
  heft_world_destroy(world);
  heft_model_destroy(model);
  return 0;
}

static HeftServeDef any_port(void) {
  HeftServeDef def = served_def();
  def.port = 0;
  return def;
}

static HeftStatus create(HeftError* error) {
  HeftStatus status;
  HeftServer* made = NULL;
  const HeftServeDef def = any_port();
  STARVED(status, heft_server_create(&made, world, &def, error));
  assert_true((status == HEFT_OK) == (made != NULL));
  heft_server_destroy(made);
  return status;
}

static HeftStatus create_shared(HeftError* error) {
  HeftStatus status;
  HeftServer* made = NULL;
  HeftServeDef def = any_port();
  HeftProbeDef probes[8];
  for (int i = 0; i < 8; ++i) probes[i] = heft_probe_def_default();
  def.probes = probes;
  STARVED(status, heft_server_create(&made, world, &def, error));
  assert_true((status == HEFT_OK) == (made != NULL));
  heft_server_destroy(made);
  return status;
}

static HeftStatus start(HeftError* error) {
  HeftStatus status;
  HeftServer* made = NULL;
  const HeftServeDef def = any_port();
  assert_int_equal(heft_server_create(&made, world, &def, NULL), HEFT_OK);
  STARVED(status, heft_server_start(made, error));
  heft_server_destroy(made);
  return status;
}

static HeftStatus token(HeftError* error) {
  HeftStatus status;
  return STARVED(status, heft_serve_check_token(SERVED_TOKEN, error));
}

static void memory_may_run_out(void** state) {
  (void)state;
  static const StarvedRow all[] = {
      STARVED_ROW(heft_server_create, create, STARVED_OWN),
      STARVED_ROW(heft_server_create, create_shared, STARVED_OWN),
      STARVED_ROW(heft_server_start, start, STARVED_OWN),
      STARVED_ROW(heft_serve_check_token, token, 0),
  };
  starved_rows(all, (int)(sizeof all / sizeof *all));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(memory_may_run_out)};
  return cmocka_run_group_tests(tests, begin, end);
}
