// SPDX-License-Identifier: Apache-2.0
// Texts of the server, in JSON.
#ifndef HEFT_SRC_SERVE_GREETING_H
#define HEFT_SRC_SERVE_GREETING_H

#include "record/mcap.h"
#include "serve/serve.h"

enum { GREETING_NOTE = 640 };

/// The first message to each client: the model, the settings and the rights that a token gives.
/// Free it with heft_json_text_free().
HeftJsonText greeting_welcome(const HeftModel* model, double step, const HeftServeDef* def);
/// The rights of a client. seat -1: it watches. Returns the length.
int greeting_role(int seat, unsigned rights, char text[GREETING_NOTE]);
/// An error, for people.
int greeting_error(const char* why, char text[GREETING_NOTE]);

#endif
