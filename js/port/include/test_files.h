// SPDX-License-Identifier: Apache-2.0
// Functions of POSIX that tests call and wasi-libc does not have, included before every test: js/port/test_files.c.
#ifndef HEFT_PORT_TEST_FILES_H
#define HEFT_PORT_TEST_FILES_H

#include <stdio.h>

int mkstemp(char* name);
char* mkdtemp(char* name);
FILE* popen(const char* command, const char* mode);
int pclose(FILE* file);
int mkfifo(const char* path, unsigned mode);

#endif
