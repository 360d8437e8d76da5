// SPDX-License-Identifier: Apache-2.0
// Answers as sentences that make sense when they are read aloud.
#ifndef HEFT_APPS_WHY_SENTENCE_H
#define HEFT_APPS_WHY_SENTENCE_H

#include "why/cause.h"

enum { WHY_TEXT = 2000 };

/// The name of a body with quotes, "the ground" or "body N". Returns text.
const char* why_body_text(const HeftModel* model, int body, int shape, char* text, size_t size);
/// The event: `At 0.412 s "cube" slips on "pad"`. Returns text.
const char* why_event_text(const HeftModel* model, const WhyAnswer* answer, const WhyEvent* event,
                           char* text, size_t size);
/// A cause as a clause: `the friction of "pad" was 0.21 instead of 0.6; 0.34 would have held`.
/// Returns text.
const char* why_cause_text(const HeftModel* model, const WhyRun* run, const WhyCause* cause,
                           char* text, size_t size);
/// A remedy as a noun: `friction 0.3402 instead of 0.3`. Returns text.
const char* why_remedy_text(const HeftModel* model, const WhyCause* remedy, char* text,
                            size_t size);
/// The whole answer. Returns text.
const char* why_answer_text(const WhyQuestion* question, const WhyAnswer* answer, char* text,
                            size_t size);

#endif
