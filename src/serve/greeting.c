// SPDX-License-Identifier: Apache-2.0
#include "serve/greeting.h"

#include <stdio.h>
#include <string.h>

#include "link/description.h"

#define RIGHT_NAME(name, text, meaning) text,
const char* heft_right_name(HeftRight right) {
  static const char* const names[] = {HEFT_RIGHT_LIST(RIGHT_NAME)};
  return (int)right >= 0 && right < HEFT_RIGHT_COUNT ? names[right] : "";
}

HeftServeDef heft_serve_def_default(void) {
  return (HeftServeDef){.allocator = heft_allocator_default(),
                        .address = "127.0.0.1",
                        .port = 0,
                        .rights = (1u << HEFT_RIGHT_COUNT) - 1,
                        .start_key = -1,
                        .speed = 1,
                        .picture_rate = 30,
                        .client_max = 256,
                        .address_max = 32,
                        .user_max = 8,
                        .message_rate = 200,
                        .watcher_rate = 10,
                        .mistake_max = 20};
}

static void put_rights(HeftJsonText* t, unsigned rights) {
  const char* comma = "";
  heft_json_text_put(t, "[");
  for (int r = 0; r < HEFT_RIGHT_COUNT; ++r) {
    if (!(rights & (1u << r))) continue;
    heft_json_text_put(t, comma);
    heft_json_text_quoted(t, heft_right_name((HeftRight)r));
    comma = ",";
  }
  heft_json_text_put(t, "]");
}

static void put_names(HeftJsonText* t, const HeftModel* m) {
  heft_json_text_put(t, ",\"bodies\":[");
  for (int b = 0; b < m->nbody; ++b) {
    if (b > 0) heft_json_text_put(t, ",");
    heft_json_text_quoted(t, heft_model_name(m, HEFT_NAMED_BODY, b));
  }
  heft_json_text_put(t, "]");
}

// The text of src/link has one end in memory of a known size.
static void put_description(HeftJsonText* t, const HeftModel* m, double step,
                            const HeftServeDef* def) {
  const DescriptionTimes times = {.step = step, .period = 1 / def->picture_rate, .free = true};
  const size_t size = description_write(m, &times, NULL, 0);
  char* text = def->allocator.allocate(def->allocator.user, size + 1, 64);
  if (!text) {
    t->text.failed = 1;
    return;
  }
  description_write(m, &times, text, size);
  text[size] = '\0';
  heft_json_text_put(t, ",\"description\":");
  heft_json_text_put(t, text);
  def->allocator.release(def->allocator.user, text, size + 1);
}

HeftJsonText greeting_welcome(const HeftModel* m, double step, const HeftServeDef* def) {
  HeftJsonText t = heft_json_text_make(&def->allocator);
  heft_json_text_say(&t, "{\"type\":\"welcome\",\"version\":%d,\"heft\":\"%s\",\"name\":",
                     HEFT_SERVE_VERSION, heft_version());
  heft_json_text_quoted(&t, def->name ? def->name : "");
  heft_json_text_say(&t, ",\"rate\":%g,\"step\":", def->picture_rate);
  heft_json_text_number(&t, step);
  heft_json_text_say(&t, ",\"model_size\":%zu,\"model_hash\":\"%016llx\",\"users\":%s,\"rights\":",
                     heft_model_save_size(m), (unsigned long long)heft_model_hash(m),
                     def->token ? "true" : "false");
  put_rights(&t, def->token ? def->rights : 0);
  put_names(&t, m);
  put_description(&t, m, step, def);
  heft_json_text_put(&t, "}");
  return t;
}

// ---- short texts

typedef struct Short {
  char* text;
  size_t used;
} Short;

static void put_short(void* user, const char* bytes, size_t size) {
  Short* s = user;
  const size_t room = GREETING_NOTE - 1 - s->used, count = size < room ? size : room;
  memcpy(s->text + s->used, bytes, count);
  s->used += count;
  s->text[s->used] = '\0';
}

int greeting_role(int seat, unsigned rights, char text[GREETING_NOTE]) {
  Short s = {text, 0};
  HeftJsonText t = heft_json_text_to(put_short, &s);
  heft_json_text_say(&t, "{\"type\":\"role\",\"user\":%s,\"seat\":%d,\"rights\":",
                     seat >= 0 ? "true" : "false", seat);
  put_rights(&t, seat >= 0 ? rights : 0);
  heft_json_text_put(&t, "}");
  return (int)s.used;
}

// The sentence may have grown sixfold by escapes: it is cut before.
int greeting_error(const char* why, char text[GREETING_NOTE]) {
  char cut[100];
  Short s = {text, 0};
  HeftJsonText t = heft_json_text_to(put_short, &s);
  snprintf(cut, sizeof cut, "%s", why);
  heft_json_text_put(&t, "{\"type\":\"error\",\"message\":");
  heft_json_text_quoted(&t, strlen(why) * 6 < GREETING_NOTE - 40 ? why : cut);
  heft_json_text_put(&t, "}");
  return (int)s.used;
}
