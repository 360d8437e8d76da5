// SPDX-License-Identifier: Apache-2.0
// A table lists the fields of each kind of message. The text is read twice: once for "type", once
// for the fields of that type. The grammar is from RFC 8259, without nested values but lists of
// three numbers.
#include "serve/message.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/decimal.h"

typedef enum FieldType { FIELD_INT, FIELD_BOOL, FIELD_NUMBER, FIELD_VECTOR, FIELD_TEXT } FieldType;

typedef struct Field {
  const char* name;
  size_t offset, size;  // in the message
  MessageKind kind;
  FieldType type;
  int optional;
} Field;

#define FIELD(kind, name, type, member, optional) \
  { name, offsetof(Message, member), sizeof(((Message*)0)->member), kind, type, optional }

static const Field fields[] = {
    FIELD(MESSAGE_HELLO, "version", FIELD_INT, version, 0),
    FIELD(MESSAGE_HELLO, "token", FIELD_TEXT, token, 1),
    FIELD(MESSAGE_PULL, "body", FIELD_INT, body, 0),
    FIELD(MESSAGE_PULL, "at", FIELD_VECTOR, at, 0),
    FIELD(MESSAGE_PULL, "target", FIELD_VECTOR, target, 0),
    FIELD(MESSAGE_PUSH, "body", FIELD_INT, body, 0),
    FIELD(MESSAGE_PUSH, "at", FIELD_VECTOR, at, 0),
    FIELD(MESSAGE_PUSH, "impulse", FIELD_VECTOR, impulse, 0),
    FIELD(MESSAGE_CONTROL, "actuator", FIELD_INT, actuator, 0),
    FIELD(MESSAGE_CONTROL, "value", FIELD_NUMBER, value, 0),
    FIELD(MESSAGE_RUN, "running", FIELD_BOOL, running, 0),
    FIELD(MESSAGE_STEP, "count", FIELD_INT, count, 0),
    FIELD(MESSAGE_RESET, "key", FIELD_TEXT, key, 1),
};
enum { FIELDS = (int)(sizeof fields / sizeof *fields), NAME_SIZE = 16 };

// Places of the world are in metres, impulses in N s: this is more than any of them needs.
static const double number_max = 1e9;

typedef struct Reader {
  const char *at, *end;
  char* why;
} Reader;

static int fail(Reader* r, const char* why) {
  if (!r->why[0]) snprintf(r->why, MESSAGE_WHY, "%s", why);
  return 0;
}

static void skip_blanks(Reader* r) {
  while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r'))
    ++r->at;
}

static int take(Reader* r, char c) {
  skip_blanks(r);
  if (r->at == r->end || *r->at != c) return 0;
  ++r->at;
  return 1;
}

// ---- texts

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// The character of an escape, or -1.
static long read_escape(Reader* r) {
  static const char codes[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
  if (r->at == r->end) return -1;
  const char c = *r->at++;
  const char* at = c ? strchr(codes, c) : NULL;
  if (at) return values[at - codes];
  if (c != 'u' || r->end - r->at < 4) return -1;
  long code = 0;
  for (int k = 0; k < 4; ++k) {
    const int digit = hex_digit(*r->at++);
    if (digit < 0) return -1;
    code = 16 * code + digit;
  }
  return code == 0 || (code >= 0xd800 && code < 0xe000) ? -1 : code;
}

// UTF-8 of a character below 0x10000. Returns the number of bytes.
static size_t encode(long code, char out[3]) {
  if (code < 0x80) {
    out[0] = (char)code;
    return 1;
  }
  if (code < 0x800) {
    out[0] = (char)(0xc0 | (code >> 6));
    out[1] = (char)(0x80 | (code & 63));
    return 2;
  }
  out[0] = (char)(0xe0 | (code >> 12));
  out[1] = (char)(0x80 | ((code >> 6) & 63));
  out[2] = (char)(0x80 | (code & 63));
  return 3;
}

static int read_text(Reader* r, char* out, size_t size) {
  size_t n = 0;
  if (!take(r, '"')) return fail(r, "a text in quotes is expected");
  while (r->at < r->end && *r->at != '"') {
    char bytes[3] = {*r->at++, 0, 0};
    size_t count = 1;
    if ((unsigned char)bytes[0] < 32) return fail(r, "a text contains a control character");
    if (bytes[0] == '\\') {
      const long code = read_escape(r);
      if (code < 0) return fail(r, "a text contains an unknown escape");
      count = encode(code, bytes);
    }
    if (n + count >= size) return fail(r, "a text is too long");
    memcpy(out + n, bytes, count);
    n += count;
  }
  out[n] = '\0';
  if (r->at == r->end) return fail(r, "a text has no end");
  ++r->at;
  return 1;
}

// ---- numbers

static const char* skip_digits(const char* at, const char* end) {
  while (at < end && *at >= '0' && *at <= '9') ++at;
  return at;
}

// The end of a number by the grammar of JSON; NULL: there is none.
static const char* number_end(const char* at, const char* end) {
  if (at < end && *at == '-') ++at;
  const char* digits = at;
  at = skip_digits(at, end);
  if (at == digits || (*digits == '0' && at > digits + 1)) return NULL;
  if (at < end && *at == '.') {
    digits = ++at;
    at = skip_digits(at, end);
    if (at == digits) return NULL;
  }
  if (at < end && (*at == 'e' || *at == 'E')) {
    ++at;
    if (at < end && (*at == '+' || *at == '-')) ++at;
    digits = at;
    at = skip_digits(at, end);
    if (at == digits) return NULL;
  }
  return at;
}

static int read_number(Reader* r, double* out) {
  skip_blanks(r);
  const char* stop = number_end(r->at, r->end);
  if (!stop || heft_decimal_read(r->at, stop, out) != stop) return fail(r, "a number is expected");
  if (!(*out >= -number_max && *out <= number_max)) return fail(r, "a number is larger than 1e9");
  r->at = stop;
  return 1;
}

static int read_int(Reader* r, int* out) {
  double x = 0;
  if (!read_number(r, &x)) return 0;
  if (x != (double)(int)x) return fail(r, "a whole number is expected");
  *out = (int)x;
  return 1;
}

static int read_vector(Reader* r, double out[3]) {
  if (!take(r, '[')) return fail(r, "a list of three numbers is expected");
  for (int k = 0; k < 3; ++k) {
    if (k > 0 && !take(r, ',')) return fail(r, "a list of three numbers is expected");
    if (!read_number(r, &out[k])) return 0;
  }
  return take(r, ']') || fail(r, "a list of three numbers is expected");
}

static int read_bool(Reader* r, int* out) {
  skip_blanks(r);
  const size_t left = (size_t)(r->end - r->at);
  if (left >= 4 && memcmp(r->at, "true", 4) == 0) {
    *out = 1;
    r->at += 4;
    return 1;
  }
  if (left < 5 || memcmp(r->at, "false", 5) != 0) return fail(r, "true or false is expected");
  *out = 0;
  r->at += 5;
  return 1;
}

// ---- fields

static int read_field(Reader* r, const Field* f, Message* out) {
  char* place = (char*)out + f->offset;
  switch (f->type) {
    case FIELD_INT:
      return read_int(r, (int*)(void*)place);
    case FIELD_BOOL:
      return read_bool(r, (int*)(void*)place);
    case FIELD_NUMBER:
      return read_number(r, (double*)(void*)place);
    case FIELD_VECTOR:
      return read_vector(r, (double*)(void*)place);
    case FIELD_TEXT:
      return read_text(r, place, f->size);
  }
  return 0;
}

static const char* kind_name(const void* from, int index) {
#define KIND_NAME(name, text) text,
  static const char* const names[] = {MESSAGE_LIST(KIND_NAME)};
  (void)from;
  return names[index];
}

static int find_kind(Reader* r, const char* name, MessageKind* out) {
  char hint[120];
  for (int k = 0; k < MESSAGE_COUNT; ++k) {
    if (strcmp(name, kind_name(NULL, k)) != 0) continue;
    *out = (MessageKind)k;
    return 1;
  }
  heft_names_hint((HeftNames){kind_name, NULL, MESSAGE_COUNT}, name, hint, sizeof hint);
  if (!r->why[0]) snprintf(r->why, MESSAGE_WHY, "unknown type '%.15s'; %s", name, hint);
  return 0;
}

// Moves behind a value of any of the types.
static int skip_field(Reader* r) {
  char text[MESSAGE_KEY_SIZE];
  double x = 0, v[3];
  int b = 0;
  skip_blanks(r);
  if (r->at == r->end) return fail(r, "the message has no end");
  if (*r->at == '"') return read_text(r, text, sizeof text);
  if (*r->at == '[') return read_vector(r, v);
  if (*r->at == 't' || *r->at == 'f') return read_bool(r, &b);
  return read_number(r, &x);
}

static int read_name(Reader* r, int first, char name[NAME_SIZE]) {
  if (!first && !take(r, ',')) return fail(r, "a comma or the end of the message is expected");
  if (!read_text(r, name, NAME_SIZE)) return 0;
  return take(r, ':') || fail(r, "a colon is expected");
}

static int read_kind(Reader* r, MessageKind* out) {
  char name[NAME_SIZE], type[NAME_SIZE];
  int found = 0;
  if (!take(r, '{')) return fail(r, "a message is an object: {\"type\": ...}");
  for (int first = 1; !take(r, '}'); first = 0) {
    if (!read_name(r, first, name)) return 0;
    if (strcmp(name, "type") != 0) {
      if (!skip_field(r)) return 0;
    } else if (found++ || !read_text(r, type, sizeof type) || !find_kind(r, type, out)) {
      return fail(r, "the type occurs twice");
    }
  }
  skip_blanks(r);
  if (r->at != r->end) return fail(r, "there is something behind the message");
  return found || fail(r, "a message needs a \"type\"");
}

static int field_index(MessageKind kind, const char* name) {
  for (int i = 0; i < FIELDS; ++i) {
    if (fields[i].kind == kind && strcmp(fields[i].name, name) == 0) return i;
  }
  return -1;
}

// The text has the form of a message by now.
static int read_fields(Reader* r, Message* out) {
  unsigned given = 0;
  char name[NAME_SIZE], type[NAME_SIZE];
  take(r, '{');
  for (int first = 1; !take(r, '}'); first = 0) {
    if (!read_name(r, first, name)) return 0;
    if (strcmp(name, "type") == 0) {
      if (!read_text(r, type, sizeof type)) return 0;
      continue;
    }
    const int i = field_index(out->kind, name);
    if (i < 0 || (given & (1u << i))) {
      if (!r->why[0])
        snprintf(r->why, MESSAGE_WHY, "a message of type '%s' has no field '%.15s'%s",
                 kind_name(NULL, (int)out->kind), name, i < 0 ? "" : " twice");
      return 0;
    }
    if (!read_field(r, &fields[i], out)) return 0;
    given |= 1u << i;
  }
  for (int i = 0; i < FIELDS; ++i) {
    if (fields[i].kind != out->kind || fields[i].optional || (given & (1u << i))) continue;
    snprintf(r->why, MESSAGE_WHY, "a message of type '%s' needs the field '%s'",
             kind_name(NULL, (int)out->kind), fields[i].name);
    return 0;
  }
  return 1;
}

int message_read(const char* text, size_t size, Message* out, char why[MESSAGE_WHY]) {
  Reader r = {text, text + size, why};
  *out = (Message){.kind = MESSAGE_COUNT};
  why[0] = '\0';
  if (size > MESSAGE_SIZE_MAX) return fail(&r, "the message is too long");
  if (!read_kind(&r, &out->kind)) return 0;
  r.at = text;
  return read_fields(&r, out);
}

int message_right(MessageKind kind) {
  switch (kind) {
    case MESSAGE_PULL:
    case MESSAGE_RELEASE:
      return HEFT_RIGHT_PULL;
    case MESSAGE_PUSH:
      return HEFT_RIGHT_PUSH;
    case MESSAGE_CONTROL:
      return HEFT_RIGHT_CONTROL;
    case MESSAGE_RUN:
    case MESSAGE_STEP:
      return HEFT_RIGHT_PAUSE;
    case MESSAGE_RESET:
      return HEFT_RIGHT_RESET;
    case MESSAGE_HELLO:
    case MESSAGE_MODEL:
    case MESSAGE_JOIN:
    case MESSAGE_COUNT:
      break;
  }
  return -1;
}
