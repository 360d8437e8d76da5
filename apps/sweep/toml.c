// SPDX-License-Identifier: Apache-2.0
#include "sweep/toml.h"

#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/error.h"

typedef struct Reader {
  const char *at, *end, *line_start;
  int line;
  const char* file;
  char* out;  ///< next free byte of the strings; they are never longer than the text
  Toml* toml;
  HeftError* error;
} Reader;

static int column(const Reader* r) { return (int)(r->at - r->line_start) + 1; }

#define FAIL(r, ...) \
  heft_error_set_at((r)->error, HEFT_ERR_SYNTAX, (r)->file, (r)->line, column(r), __VA_ARGS__)

static int peek(const Reader* r) { return r->at < r->end ? (unsigned char)*r->at : -1; }

static void skip_blanks(Reader* r) {
  while (r->at < r->end && (*r->at == ' ' || *r->at == '\t')) ++r->at;
}

static void new_line(Reader* r) {
  ++r->at;
  ++r->line;
  r->line_start = r->at;
}

static int is_bare(int c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

// A comment and the end of the line. Control characters are not allowed in comments.
static HeftStatus read_line_end(Reader* r) {
  skip_blanks(r);
  if (peek(r) == '#')
    while (r->at < r->end && *r->at != '\n' && *r->at != '\r') {
      if ((unsigned char)*r->at < 32 && *r->at != '\t')
        return FAIL(r, "a control character in a comment");
      ++r->at;
    }
  if (peek(r) == '\r' && r->end - r->at > 1 && r->at[1] == '\n') ++r->at;
  if (peek(r) < 0) return HEFT_OK;
  if (peek(r) != '\n') return FAIL(r, "expected the end of the line, found '%.1s'", r->at);
  new_line(r);
  return HEFT_OK;
}

static HeftStatus read_name(Reader* r, const char** out) {
  const char* start = r->at;
  while (is_bare(peek(r))) ++r->at;
  const size_t size = (size_t)(r->at - start);
  if (size == 0) return FAIL(r, "expected a name of letters, digits, '_' and '-'");
  if (size > TOML_NAME_MAX) return FAIL(r, "a name has at most %d bytes", (int)TOML_NAME_MAX);
  memcpy(r->out, start, size);
  r->out[size] = '\0';
  *out = r->out;
  r->out += size + 1;
  return HEFT_OK;
}

// ---- values

static int hex(int c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static void put_utf8(Reader* r, unsigned code) {
  if (code < 0x80) {
    *r->out++ = (char)code;
  } else if (code < 0x800) {
    *r->out++ = (char)(0xC0 | code >> 6);
    *r->out++ = (char)(0x80 | (code & 63));
  } else if (code < 0x10000) {
    *r->out++ = (char)(0xE0 | code >> 12);
    *r->out++ = (char)(0x80 | (code >> 6 & 63));
    *r->out++ = (char)(0x80 | (code & 63));
  } else {
    *r->out++ = (char)(0xF0 | code >> 18);
    *r->out++ = (char)(0x80 | (code >> 12 & 63));
    *r->out++ = (char)(0x80 | (code >> 6 & 63));
    *r->out++ = (char)(0x80 | (code & 63));
  }
}

// \u with four digits or \U with eight: more bytes of text than of UTF-8.
static HeftStatus read_code(Reader* r, int digits) {
  unsigned code = 0;
  for (int i = 0; i < digits; ++i) {
    const int digit = hex(peek(r));
    if (digit < 0) return FAIL(r, "expected %d hexadecimal digits", digits);
    code = code * 16 + (unsigned)digit;
    ++r->at;
  }
  if (code == 0 || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000))
    return FAIL(r, "there is no such character");
  put_utf8(r, code);
  return HEFT_OK;
}

static HeftStatus read_escape(Reader* r) {
  static const char from[] = "\"\\bfnrt", to[] = "\"\\\b\f\n\r\t";
  const int c = peek(r);
  const char* found = c > 0 ? strchr(from, c) : NULL;
  if (c == 'u' || c == 'U') {
    ++r->at;
    return read_code(r, c == 'u' ? 4 : 8);
  }
  if (!found) return FAIL(r, "an unknown escape; use '...' for text with backslashes");
  *r->out++ = to[found - from];
  ++r->at;
  return HEFT_OK;
}

// One byte of a string, not of an escape. Bytes above 127 must form UTF-8.
static HeftStatus read_byte(Reader* r) {
  const unsigned char c = (unsigned char)*r->at;
  if ((c < 32 && c != '\t') || c == 127) return FAIL(r, "a string ends on its line");
  const int more = c < 0x80 ? 0 : (c >= 0xC2 && c < 0xE0 ? 1 : (c >= 0xE0 && c < 0xF0 ? 2 : 3));
  if (c >= 0x80 && (c < 0xC2 || c > 0xF4)) return FAIL(r, "a byte that is no UTF-8");
  *r->out++ = *r->at++;
  for (int i = 0; i < more; ++i) {
    if (peek(r) < 0x80 || peek(r) > 0xBF) return FAIL(r, "a byte that is no UTF-8");
    *r->out++ = *r->at++;
  }
  return HEFT_OK;
}

static HeftStatus read_string(Reader* r, TomlValue* out) {
  const char quote = *r->at++;
  HeftStatus status = HEFT_OK;
  if (r->end - r->at > 1 && r->at[0] == quote && r->at[1] == quote)
    return FAIL(r, "strings of several lines are not read");
  out->type = TOML_STRING;
  out->text = r->out;
  while (status == HEFT_OK && peek(r) != quote) {
    if (peek(r) < 0) return FAIL(r, "the text ends inside a string");
    if (quote == '"' && peek(r) == '\\') {
      ++r->at;
      status = read_escape(r);
    } else {
      status = read_byte(r);
    }
  }
  if (status != HEFT_OK) return status;
  ++r->at;
  *r->out++ = '\0';
  return HEFT_OK;
}

static int is_digit(int c) { return c >= '0' && c <= '9'; }

// The characters of a number without its underscores, which are between digits. Returns 0 if an
// underscore is elsewhere or the number is too long.
static int copy_number(Reader* r, char text[64]) {
  int size = 0, before = 0;
  for (; is_bare(peek(r)) || peek(r) == '.' || peek(r) == '+'; ++r->at) {
    const int c = peek(r), after = r->end - r->at > 1 ? (unsigned char)r->at[1] : -1;
    if (c == '_' && !(is_digit(before) && is_digit(after))) return 0;
    if (c != '_' && size == 63) return 0;
    if (c != '_') text[size++] = (char)c;
    before = c;
  }
  text[size] = '\0';
  return size;
}

// TOML's form of a number: no leading zeros, digits on both sides of a point.
static int well_formed(const char* s) {
  if (*s == '+' || *s == '-') ++s;
  if (!is_digit(*s) || (*s == '0' && is_digit(s[1]))) return 0;
  while (is_digit(*s)) ++s;
  if (*s == '.') {
    if (!is_digit(*++s)) return 0;
    while (is_digit(*s)) ++s;
  }
  if (*s == 'e' || *s == 'E') {
    ++s;
    if (*s == '+' || *s == '-') ++s;
    if (!is_digit(*s)) return 0;
    while (is_digit(*s)) ++s;
  }
  return *s == '\0';
}

static HeftStatus read_number(Reader* r, TomlValue* out) {
  char text[64] = "";
  const int size = copy_number(r, text);
  const char* start = text[0] == '+' ? text + 1 : text;
  out->type = TOML_NUMBER;
  if (size == 0 || !well_formed(text) ||
      heft_decimal_read(start, text + size, &out->number) != text + size)
    return FAIL(r,
                "expected a value: \"text\", a number such as 1.5 or 1e-3, true, false or [...]");
  if (!(out->number - out->number == 0)) return FAIL(r, "the number %s is too large", text);
  return HEFT_OK;
}

static int read_word(Reader* r, const char* word) {
  const size_t size = strlen(word);
  if ((size_t)(r->end - r->at) < size || memcmp(r->at, word, size) != 0 ||
      ((size_t)(r->end - r->at) > size && is_bare((unsigned char)r->at[size])))
    return 0;
  r->at += size;
  return 1;
}

static HeftStatus read_plain(Reader* r, TomlValue* out) {
  *out = (TomlValue){.line = r->line, .column = column(r)};
  if (peek(r) == '"' || peek(r) == '\'') return read_string(r, out);
  const int yes = read_word(r, "true");
  if (yes || read_word(r, "false")) {
    out->type = TOML_BOOL;
    out->number = yes;
    return HEFT_OK;
  }
  return read_number(r, out);
}

// Blanks, ends of lines and comments inside a list.
static HeftStatus skip_space(Reader* r) {
  HeftStatus status = HEFT_OK;
  for (skip_blanks(r); status == HEFT_OK && (peek(r) == '#' || peek(r) == '\n' || peek(r) == '\r');
       skip_blanks(r))
    status = read_line_end(r);
  return status;
}

static HeftStatus add_item(Reader* r, TomlValue* list, int* capacity) {
  TomlValue item;
  const HeftStatus status = read_plain(r, &item);
  if (status != HEFT_OK) return status;
  if (list->items && list->count > 0 && list->items[0].type != item.type)
    return FAIL(r, "the values of a list have one type");
  if (list->count == TOML_ITEMS_MAX)
    return FAIL(r, "a list has at most %d values", (int)TOML_ITEMS_MAX);
  if (list->count == *capacity) {
    *capacity = *capacity ? 2 * *capacity : 8;
    TomlValue* grown = realloc(list->items, (size_t)*capacity * sizeof *grown);
    if (!grown) return heft_error_set(r->error, HEFT_ERR_MEMORY, "no memory for a list");
    list->items = grown;
  }
  list->items[list->count++] = item;  // NOLINT(clang-analyzer-core.NullDereference): room > count
  return HEFT_OK;
}

static HeftStatus read_list(Reader* r, TomlValue* out) {
  int capacity = 0;
  *out = (TomlValue){.type = TOML_LIST, .line = r->line, .column = column(r)};
  ++r->at;
  HeftStatus status = skip_space(r);
  while (status == HEFT_OK && peek(r) != ']') {
    if (peek(r) == '[') return FAIL(r, "lists of lists are not read");
    status = add_item(r, out, &capacity);
    if (status == HEFT_OK) status = skip_space(r);
    if (status != HEFT_OK || peek(r) == ']') break;
    if (peek(r) != ',') return FAIL(r, "expected ',' or ']' in a list");
    ++r->at;
    status = skip_space(r);
  }
  if (status == HEFT_OK) ++r->at;
  return status;
}

// ---- tables

static HeftStatus read_entry(Reader* r, TomlTable* t) {
  TomlEntry entry = {.line = r->line, .column = column(r)};
  HeftStatus status = read_name(r, &entry.key);
  if (status != HEFT_OK) return status;
  if (toml_find(t, entry.key))
    return heft_error_set_at(r->error, HEFT_ERR_SYNTAX, r->file, entry.line, entry.column,
                             "the key '%s' stands here a second time", entry.key);
  if (t->count == TOML_KEYS_MAX) return FAIL(r, "a table has at most %d keys", (int)TOML_KEYS_MAX);
  skip_blanks(r);
  if (peek(r) != '=') return FAIL(r, "expected '=' after the key '%s'", entry.key);
  ++r->at;
  skip_blanks(r);
  if (t->count % 8 == 0) {
    TomlEntry* grown = realloc(t->entries, (size_t)(t->count + 8) * sizeof *grown);
    if (!grown) return heft_error_set(r->error, HEFT_ERR_MEMORY, "no memory for a table");
    t->entries = grown;
  }
  status = peek(r) == '[' ? read_list(r, &entry.value) : read_plain(r, &entry.value);
  t->entries[t->count++] = entry;  // also on failure, so that its list is released
  return status == HEFT_OK ? read_line_end(r) : status;
}

static HeftStatus add_table(Reader* r, const TomlTable* table) {
  Toml* t = r->toml;
  if (t->count == TOML_TABLES_MAX)
    return FAIL(r, "a file has at most %d tables", (int)TOML_TABLES_MAX);
  for (int i = 0; i < t->count; ++i)
    if (strcmp(t->tables[i].name, table->name) == 0 && !(t->tables[i].listed && table->listed))
      return heft_error_set_at(r->error, HEFT_ERR_SYNTAX, r->file, table->line, table->column,
                               "the table '%s' stands here a second time, first in line %d",
                               table->name, t->tables[i].line);
  TomlTable* grown = realloc(t->tables, (size_t)(t->count + 1) * sizeof *grown);
  if (!grown) return heft_error_set(r->error, HEFT_ERR_MEMORY, "no memory for a table");
  t->tables = grown;
  t->tables[t->count++] = *table;
  return HEFT_OK;
}

static HeftStatus read_header(Reader* r) {
  TomlTable table = {.line = r->line, .column = column(r)};
  ++r->at;
  table.listed = peek(r) == '[';
  r->at += table.listed;
  skip_blanks(r);
  const HeftStatus status = read_name(r, &table.name);
  if (status != HEFT_OK) return status;
  skip_blanks(r);
  for (int i = 0; i < 1 + table.listed; ++i) {
    if (peek(r) != ']') return FAIL(r, "expected '%s'", table.listed ? "]]" : "]");
    ++r->at;
  }
  const HeftStatus added = add_table(r, &table);
  return added == HEFT_OK ? read_line_end(r) : added;
}

static HeftStatus read_all(Reader* r) {
  const TomlTable top = {.name = "", .line = 1, .column = 1};
  HeftStatus status = add_table(r, &top);
  while (status == HEFT_OK && r->at < r->end) {
    skip_blanks(r);
    if (peek(r) == '[')
      status = read_header(r);
    else if (is_bare(peek(r)))
      status = read_entry(r, &r->toml->tables[r->toml->count - 1]);
    else
      status = read_line_end(r);
  }
  return status;
}

HeftStatus toml_read(Toml* out, const char* bytes, size_t size, const char* file,
                     HeftError* error) {
  *out = (Toml){0};
  if (size > TOML_BYTES_MAX)
    return heft_error_set_at(error, HEFT_ERR_LIMIT, file, 0, 0,
                             "the file has %zu bytes, expected at most %d", size,
                             (int)TOML_BYTES_MAX);
  out->text = malloc(2 * size + 2);  // a name of one byte becomes two with its zero
  if (!out->text) return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for %zu bytes", size);
  Reader r = {bytes, bytes + size, bytes, 1, file, out->text, out, error};
  const HeftStatus status = read_all(&r);
  if (status != HEFT_OK) toml_release(out);
  return status;
}

void toml_release(Toml* t) {
  for (int i = 0; i < t->count; ++i) {
    for (int k = 0; k < t->tables[i].count; ++k) free(t->tables[i].entries[k].value.items);
    free(t->tables[i].entries);
  }
  free(t->tables);
  free(t->text);
  *t = (Toml){0};
}

const TomlValue* toml_find(const TomlTable* t, const char* key) {
  for (int i = 0; i < t->count; ++i)
    if (strcmp(t->entries[i].key, key) == 0) return &t->entries[i].value;
  return NULL;
}
