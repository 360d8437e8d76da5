// SPDX-License-Identifier: Apache-2.0
// heft feel http://...: a person with a device here, in a world that a server shares.
#ifndef HEFT_APPS_FEEL_SHARED_H
#define HEFT_APPS_FEEL_SHARED_H

#include <signal.h>

#include "users.h"

/// Whether the file of a command is the address of a server.
int feel_is_shared(const char* path);
/// Joins, and goes on until *ended, or for a time [s] if it is above 0. 0 on failure (reported).
int feel_shared(Users* users, const char* address, double time, const volatile sig_atomic_t* ended);

#endif
