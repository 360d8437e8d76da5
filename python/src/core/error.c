// SPDX-License-Identifier: Apache-2.0
// Errors of the library as exceptions (heft/_errors.py has the classes), and broken contracts.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "core.h"

static PyObject* raise(HeftStatus status, const HeftError* error, PyObject* maker) {
  const char* message = error && error->message[0] ? error->message : heft_status_text(status);
  PyObject* made =
      PyObject_CallFunction(maker, "issii", (int)status, message, error ? error->file : "",
                            error ? error->line : 0, error ? error->column : 0);
  if (!made) return NULL;
  PyErr_SetObject((PyObject*)Py_TYPE(made), made);
  Py_DECREF(made);
  return NULL;
}

PyObject* core_fail(HeftStatus status, const HeftError* error) {
  if (core_contract_broken()) return NULL;
  return raise(status, error, core.make_error);
}

PyObject* core_fail_load(HeftStatus status, const HeftError* error) {
  if (core_contract_broken()) return NULL;
  return raise(status, error, core.load_error);
}

// ---- contracts

static _Thread_local char broken[256];

static bool is_word(const char* text, size_t length) {
  for (size_t i = 0; i < length; ++i)
    if (!isalnum((unsigned char)text[i]) && text[i] != '_') return false;
  return true;
}

// The condition in Python's words, without pointers, which Python always has; the file of C would
// help nobody.
static void note(const char* condition, const char* file, int line) {
  static const char* const words[][2] = {{"->", "."},      {"&&", "and"}, {"||", "or"},
                                         {"NULL", "None"}, {"heft_", ""}, {"HEFT_", ""}};
  enum { WORDS = sizeof words / sizeof words[0] };
  size_t length = 0;
  (void)file, (void)line;
  if (broken[0]) return;
  for (const char* next;
       (next = strstr(condition, " && ")) && is_word(condition, (size_t)(next - condition));)
    condition = next + strlen(" && ");
  while (*condition && length + 5 < sizeof broken) {
    size_t k = 0;
    while (k < WORDS && strncmp(condition, words[k][0], strlen(words[k][0])) != 0) ++k;
    const char* part = k < WORDS ? words[k][1] : condition;
    const size_t size = k < WORDS ? strlen(words[k][1]) : 1;
    memcpy(broken + length, part, size);
    length += size;
    condition += k < WORDS ? strlen(words[k][0]) : 1;
  }
  broken[length] = '\0';
}

void core_contract_watch(void) { heft_assert_set_hook(note); }

int core_contract_broken(void) {
  if (!broken[0]) return 0;
  HeftError error = {.status = HEFT_ERR_ARGUMENT};
  snprintf(error.message, sizeof error.message, "expected %s", broken);
  broken[0] = 0;
  raise(HEFT_ERR_ARGUMENT, &error, core.make_error);
  return 1;
}
