// SPDX-License-Identifier: Apache-2.0
// The smallest program of a user: it must see the headers it compiled with in the library it runs.
#include <heft/heft.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  char expected[64];
  snprintf(expected, sizeof expected, "%d.%d.%d", HEFT_VERSION_MAJOR, HEFT_VERSION_MINOR,
           HEFT_VERSION_PATCH);
  printf("heft %s\n", heft_version());
  return strcmp(heft_version(), expected) == 0 ? 0 : 1;
}
