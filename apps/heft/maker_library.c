// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "maker_library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data_folder.h"

static const MakerLibrary libraries[] = {
    {"dhd", "HEFT_DHD_LIBRARY", "", "heft_emulated_dhd.so",
     "library that replaces libdhd of Force Dimension; device: an omega"},
    {"openhaptics", "HEFT_OPENHAPTICS_LIBRARY", "@", "heft_emulated_hd.so",
     "library that replaces libHD of OpenHaptics; device: a Touch"},
    {"joystick", "HEFT_JOYSTICK_LIBRARY", "0@", "heft_emulated_sdl2.so",
     "library that replaces SDL 2; device: a joystick with force feedback"},
    {"spacemouse", "HEFT_SPACEMOUSE_LIBRARY", "", "heft_emulated_spnav.so",
     "library that replaces libspnav; device: a SpaceMouse"},
};

const MakerLibrary* maker_library(int index) {
  return index >= 0 && index < (int)(sizeof libraries / sizeof *libraries) ? &libraries[index]
                                                                           : NULL;
}

int maker_library_path(const MakerLibrary* library, char* path, size_t size) {
  return module_path(library->file, path, size);
}

const char* maker_library_address(const char* driver, const char* address, char* out, size_t size) {
  for (int i = 0; maker_library(i) && !address[0]; ++i) {
    const MakerLibrary* m = maker_library(i);
    const char* reported = strcmp(m->driver, driver) == 0 ? getenv(m->variable) : NULL;
    if (!reported || !reported[0] || strlen(m->before) + strlen(reported) >= size) continue;
    snprintf(out, size, "%s%s", m->before, reported);
    return out;
  }
  return address;
}
