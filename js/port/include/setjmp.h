// SPDX-License-Identifier: Apache-2.0
// setjmp and longjmp for WebAssembly, which wasi-libc of Debian 12 does not have: see js/port/setjmp.c.
#ifndef HEFT_PORT_SETJMP_H
#define HEFT_PORT_SETJMP_H

typedef unsigned long jmp_buf[8];

int setjmp(jmp_buf environment) __attribute__((returns_twice));
_Noreturn void longjmp(jmp_buf environment, int value);

#endif
