// SPDX-License-Identifier: Apache-2.0
// A controller in a process of its own: holds a robot in its first keyframe, or in the pose of its
// file.
//   cc -O2 -o hold hold.c && ./hold unix:/tmp/robot
#include "hold.h"

#include "heft_robot.h"

// Number `index` of a list like "q":[0.1,0.2] behind a place of the description.
static double number_of(const char* text, const char* list, int index) {
  char key[32];
  snprintf(key, sizeof key, "\"%s\":[", list);
  const char* at = strstr(text, key);
  if (!at) return 0;
  for (at += strlen(key); index > 0; --index) at += strcspn(at, ",]") + 1;
  return strtod(at, NULL);
}

// The text between quotation marks behind "key":, in an entry.
static void text_of(const char* entry, const char* key, char* out, size_t size) {
  const char* at = strstr(entry, key);
  at = at ? at + strlen(key) : "";
  snprintf(out, size, "%.*s", (int)strcspn(at, "\""), at);
}

int main(int argc, char** argv) {
  static HeftRobot robot;
  static Hold hold;
  if (argc != 2 || !heft_robot_open(&robot, argv[1], 30)) {
    fprintf(stderr, "usage: hold unix:PATH|udp:PORT, of a simulation\n");
    return 1;
  }
  const char *key = strstr(robot.description, "\n\"keys\":[\n"), *joint = "";
  const char* entry = strstr(robot.description, "\n\"actuators\":[");
  for (int i = 0; i < robot.ncontrol; ++i) {
    char name[128], unit[16];
    entry = strstr(entry, "\n{\"name\":") + 1;
    text_of(entry, "\"unit\":\"", unit, sizeof unit);
    text_of(entry, "\"joint\":\"", name, sizeof name);
    heft_robot_find(&robot, "joints", name, &joint);
    const int q = (int)heft_robot_number(joint, "q"), v = (int)heft_robot_number(joint, "v");
    hold_add(&hold, name, q, v, strcmp(unit, "rad") == 0,
             number_of(key ? key : robot.description, "q", q));
  }
  long states = 0;
  for (; heft_robot_wait(&robot); ++states) {
    hold_act(&hold, robot.q, robot.v, robot.control);
    heft_robot_send(&robot);
  }
  printf("%ld states\n", states);
  heft_robot_close(&robot);
  return 0;
}
