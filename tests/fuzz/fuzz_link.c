// SPDX-License-Identifier: Apache-2.0
// Datagrams of controllers: any bytes, any bytes with a right tag, the description for a
// controller, and the data of the plug-in in a recording.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "link/link.h"

#include "device/siphash.h"
#include "fuzz/fuzz.h"
#include "robot/packet.h"
#include "robot/robot_model.h"

enum { CONTROLS = 2, FORCES = 3, MOST = 4096 };

static void read_datagram(const unsigned char* bytes, size_t size, const unsigned char* key) {
  double numbers[CONTROLS + FORCES];
  LinkHead head;
  size_t body;
  bool forced;
  if (!link_packet_read(bytes, size, key, &head, &body)) return;
  if (body > size) __builtin_trap();
  if (!link_read_controls(&head, bytes + LINK_HEAD, body, CONTROLS, FORCES, numbers, &forced))
    return;
  for (int i = 0; i < CONTROLS + FORCES; ++i)
    if (!isfinite(numbers[i])) __builtin_trap();
  unsigned char again[MOST];
  memcpy(again + LINK_HEAD, bytes + LINK_HEAD, body);
  if (link_packet_write(&head, body, key, again) != size) __builtin_trap();
  if (memcmp(again, bytes, size) != 0) __builtin_trap();
}

// A description, as the controller's end reads it.
static void read_description(const uint8_t* data, size_t size) {
  const HeftAllocator allocator = heft_allocator_default();
  RobotModel model;
  char* text = malloc(size + 1);
  memcpy(text, data, size);
  text[size] = '\0';
  if (robot_model_read(&model, text, &allocator, NULL) == HEFT_OK) {
    for (int i = 0; i < model.list.ncontrol; ++i)
      if (model.list.actuator[i].joint >= model.list.joint_count) __builtin_trap();
    robot_model_release(&model, &allocator);
  }
  free(text);
}

// What a recording holds: the data of the plug-in, and what it took in a step.
static void replay_record(const uint8_t* data, size_t size) {
  static HeftWorld* world;
  static HeftPluginSet* set;
  HeftModel* model = NULL;
  HeftLink* link = NULL;
  if (!world) {
    if (heft_model_load_bytes(&model, fuzz_model, strlen(fuzz_model), "m.xml", NULL, NULL) ||
        heft_world_create(&world, model, NULL, NULL) ||
        heft_link_create(&link, NULL, true, NULL, NULL) ||
        heft_plugin_set_create(&set, NULL, NULL) ||
        heft_plugin_set_add(set, heft_link_plugin(link), NULL, NULL) ||
        heft_plugin_set_attach(set, world, NULL))
      abort();
  }
  const size_t whole = heft_plugin_set_save_size(set);
  unsigned char* bytes = malloc(whole);
  heft_plugin_set_save(set, bytes);
  for (size_t i = 0; i + 1 < size && i < 64; i += 2) bytes[data[i] * 8u % whole] ^= data[i + 1];
  heft_plugin_set_restore(set, bytes, whole);
  free(bytes);
  heft_plugin_set_replay(set, data, size, NULL);
  if (!isfinite(heft_world_controls(world)[0])) __builtin_trap();
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const unsigned char key[LINK_KEY] = {1};
  unsigned char bytes[MOST];
  if (size > sizeof bytes) return 0;
  read_datagram(data, size, NULL);
  read_description(data, size);
  replay_record(data, size);
  if (size < LINK_HEAD + LINK_TAG) return 0;
  memcpy(bytes, data, size);
  memcpy(bytes, "HFTC\1", 5);
  read_datagram(bytes, size, NULL);
  const uint64_t tag = siphash(key, bytes, size - LINK_TAG);
  for (int i = 0; i < LINK_TAG; ++i)
    bytes[size - LINK_TAG + (size_t)i] = (unsigned char)(tag >> (8 * i));
  read_datagram(bytes, size, key);
  return 0;
}
