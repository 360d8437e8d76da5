// SPDX-License-Identifier: Apache-2.0
#ifndef HEFT_SRC_SERVE_COMMAND_H
#define HEFT_SRC_SERVE_COMMAND_H

#include "serve/command_queue.h"

/// The command of a message that acts in the world, by a user. 0: a number does not fit the model;
/// `why` states which.
int command_make(const Message* message, const HeftModel* model, int user, Command* out,
                 char why[MESSAGE_WHY]);

#endif
