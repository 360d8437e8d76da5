// SPDX-License-Identifier: Apache-2.0
// Messages of clients: JSON text from anyone, read strictly. A message is one flat object with
// known fields, each once. If anything is wrong, nothing of it is used.
#ifndef HEFT_SRC_SERVE_MESSAGE_H
#define HEFT_SRC_SERVE_MESSAGE_H

#include <heft/math.h>
#include "serve/serve.h"

enum { MESSAGE_SIZE_MAX = 2048, MESSAGE_WHY = 240, MESSAGE_KEY_SIZE = 256 };

/// Kinds of messages: X(name, text).
#define MESSAGE_LIST(X)         \
  X(MESSAGE_HELLO, "hello")     \
  X(MESSAGE_MODEL, "model")     \
  X(MESSAGE_JOIN, "join")       \
  X(MESSAGE_PULL, "pull")       \
  X(MESSAGE_RELEASE, "release") \
  X(MESSAGE_PUSH, "push")       \
  X(MESSAGE_CONTROL, "control") \
  X(MESSAGE_RUN, "run")         \
  X(MESSAGE_STEP, "step")       \
  X(MESSAGE_RESET, "reset")

typedef enum MessageKind { MESSAGE_LIST(HEFT_ENUM_ENTRY) MESSAGE_COUNT } MessageKind;

typedef struct Message {
  MessageKind kind;
  int version;        ///< hello
  int body;           ///< pull, push
  int actuator;       ///< control
  int count;          ///< step
  int running;        ///< run
  double value;       ///< control
  double at[3];       ///< pull: in the frame of the body [m]; push: in the world [m]
  double target[3];   ///< pull: in the world [m]
  double impulse[3];  ///< push [N s]
  char token[HEFT_SERVE_TOKEN_MAX + 1];  ///< hello; "": none
  char key[MESSAGE_KEY_SIZE];            ///< reset: name of a keyframe; "": the start
} Message;

/// Reads a message; text need not end in a zero. Returns 1, or 0 with a sentence in `why`.
int message_read(const char* text, size_t size, Message* out, char why[MESSAGE_WHY]);
/// The right that a message needs; -1: none.
int message_right(MessageKind kind);

#endif
