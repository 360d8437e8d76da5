// SPDX-License-Identifier: Apache-2.0
// The start of a program on a Cortex-M7 without a system: QEMU's mps2-an500 gives it files and its
// command line by semihosting.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { GET_COMMAND_LINE = 0x15 };

void initialise_monitor_handles(void);  // newlib's files
int main(int argc, char** argv);
void reset(void);
void _init(void);  // newlib calls both
void _fini(void);
extern char stack_top;
__attribute__((section(".vectors"), used)) void* const vectors[] = {&stack_top, (void*)reset};

void _init(void) {}
void _fini(void) {}

static void call(int what, const void* with) {
  register int r0 __asm__("r0") = what;
  register const void* r1 __asm__("r1") = with;
  __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}

void reset(void) {
  static char line[256], *words[8];
  const uint32_t where[2] = {(uint32_t)line, sizeof line};
  int count = 0;
  *(volatile uint32_t*)0xE000ED88 |= 0xFu << 20;  // CPACR: floating point
  initialise_monitor_handles();
  call(GET_COMMAND_LINE, where);
  for (char* w = strtok(line, " "); w && count < 7; w = strtok(NULL, " ")) words[count++] = w;
  exit(main(count, words));
}
