// SPDX-License-Identifier: Apache-2.0
// What clients of a server send: messages, inputs of a shared world, and the texts of a request. A
// message is refused with a sentence, or all of its numbers are finite and fit the model.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "record/mcap.h"

#include "fuzz/fuzz.h"
#include "serve/admission.h"
#include "serve/command.h"
#include "serve/frame.h"
#include "serve/greeting.h"
#include "serve/page.h"

static const HeftModel* small_model(void) {
  static HeftModel* model;
  if (!model && heft_model_load_bytes(&model, fuzz_model, strlen(fuzz_model), "m.xml", NULL, NULL))
    abort();
  return model;
}

static void check_command(const Command* c, const HeftModel* m) {
  const int body = c->kind == MESSAGE_PULL || c->kind == MESSAGE_PUSH;
  if (body && (c->index < 1 || c->index >= m->nbody)) __builtin_trap();
  if (c->kind == MESSAGE_CONTROL && (c->index < 0 || c->index >= m->nactuator)) __builtin_trap();
  if (c->kind == MESSAGE_RESET && (c->index < -1 || c->index >= m->nkey)) __builtin_trap();
  if (!isfinite(c->value) || !isfinite(heft_vec3_norm(c->at)) ||
      !isfinite(heft_vec3_norm(c->vector)))
    __builtin_trap();
}

static void read_message(const uint8_t* data, size_t size) {
  char why[MESSAGE_WHY], text[GREETING_NOTE], *exact = malloc(size + 1);
  Message m;
  Command c;
  memcpy(exact, data, size);
  const int good = message_read(exact, size, &m, why);
  if (!good && (!why[0] || greeting_error(why, text) >= GREETING_NOTE)) __builtin_trap();
  if (good && strlen(m.token) > HEFT_SERVE_TOKEN_MAX) __builtin_trap();
  if (good && message_right(m.kind) >= 0 && command_make(&m, small_model(), 0, &c, why))
    check_command(&c, small_model());
  free(exact);
}

static void read_request(const uint8_t* data, size_t size) {
  HeftServeDef def = heft_serve_def_default();
  char *text = malloc(size + 1), path[256];
  const char* type = NULL;
  memcpy(text, data, size);
  text[size] = '\0';
  def.origin[def.origin_count++] = "https://example.org";
  admission_host(&def, text);
  if (admission_origin(&def, text, "127.0.0.1:1") && strcmp(text, "null") == 0) __builtin_trap();
  if (admission_token(text, "0123456789abcdef") && strcmp(text, "0123456789abcdef") != 0)
    __builtin_trap();
  heft_serve_check_token(text, NULL);
  if (page_find("tests/fuzz/corpus", text, path, sizeof path, &type) && strstr(path, ".."))
    __builtin_trap();
  free(text);
}

static void read_inputs(const uint8_t* data, size_t size) {
  static FrameInput ring[FRAME_RING];
  uint64_t first = 0;
  const int count = size > 0 ? frame_read(data, size, 1, &first, ring) : 0;
  for (int k = 0; k < count; ++k) {
    const HeftProbeInput in = frame_probe(&ring[(first + (uint64_t)k) % FRAME_RING]);
    if (!(heft_vec3_norm(in.pos) < 2e4 && heft_vec3_norm(in.vel) < 2e4 && in.rot.w * in.rot.w < 2))
      __builtin_trap();
  }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  read_message(data, size);
  read_inputs(data, size);
  read_request(data, size);
  return 0;
}
