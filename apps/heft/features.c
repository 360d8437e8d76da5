// SPDX-License-Identifier: Apache-2.0
// Features of this build of the command, for reports of problems: heft --version --verbose.
#include "features.h"

#include <heft/device.h>
#include <heft/heft.h>
#include <stdio.h>

static void line(const char* name, const char* value) { printf("  %-20s%s\n", name, value); }

static const char* compiler(void) {
#if defined(__clang__)
  return "clang " __clang_version__;
#elif defined(__GNUC__)
  return "gcc " __VERSION__;
#else
  return "unknown";
#endif
}

static const char* processor(void) {
#if defined(__x86_64__)
  return "x86-64";
#elif defined(__i386__)
  return "i386";
#elif defined(__aarch64__)
  return "aarch64";
#elif defined(__s390x__)
  return "s390x";
#else
  return "another one";
#endif
}

void heft_print_features(void) {
  line("compiler", compiler());
  line("processor", processor());
#ifdef HEFT_HAVE_VIEW
  line("window, pictures", "yes (SDL2, OpenGL)");
#else
  line("window, pictures",
       "no: SDL2, libepoxy, EGL and Dear ImGui were not found when it was built");
#endif
#ifdef HEFT_HAVE_SERVE
  line("heft serve", "yes (libwebsockets)");
#else
  line("heft serve", "no: libwebsockets was not found when it was built");
#endif
#ifdef HEFT_HAVE_NATS
  line("heft work", "yes (libnats)");
#else
  line("heft work", "no: libnats was not found when it was built");
#endif
#ifdef HEFT_HAVE_ROS2
  line("heft run --ros2", "yes (Cyclone DDS)");
#else
  line("heft run --ros2", "no: Cyclone DDS was not found when it was built");
#endif
#ifdef HEFT_HAVE_SODIUM
  line("UDP devices", "protocols 1 and 2 (libsodium)");
#else
  line("UDP devices", "protocol 1 alone: libsodium was not found when it was built");
#endif
#ifdef HEFT_HAVE_ZSTD
  line("compressed logs", "yes (zstd)");
#else
  line("compressed logs", "no: zstd was not found when it was built");
#endif
  printf("  %-20s", "contact models");
  for (int i = HEFT_CONTACT_MODEL_EXACT; i < HEFT_CONTACT_MODEL_COUNT; ++i)
    printf("%s%s", i > HEFT_CONTACT_MODEL_EXACT ? ", " : "",
           heft_contact_model_name((HeftContactModel)i));
  printf("\n  %-20s", "devices");
  for (int i = 0; heft_driver_at(i); ++i)
    printf("%s%s", i > 0 ? ", " : "", heft_driver_at(i)->name);
  printf("\n");
}
