// SPDX-License-Identifier: Apache-2.0
// Keys of UDP addresses, from files and the environment. 'ps' shows the arguments of a command to
// all users of a machine, so that a key must not be one of them.
#ifndef HEFT_APPS_HEFT_DEVICE_KEY_H
#define HEFT_APPS_HEFT_DEVICE_KEY_H

#include <heft/base.h>

/// Text on keys in the help of verbs.
extern const char device_key_help[];

/// Writes the address of a UDP device or controller with its key, for the library. The key is that
/// of the option key-file=FILE, else of the file of HEFT_UDP_KEY_FILE, else HEFT_UDP_KEY itself,
/// else none. An address that contains a key is refused.
HeftStatus device_key_address(const char* address, char* out, size_t size, HeftError* error);

#endif
