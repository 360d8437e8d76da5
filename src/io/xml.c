// SPDX-License-Identifier: Apache-2.0
#include "io/xml.h"

#include <expat.h>
#include <math.h>
#include <string.h>

#include "base/decimal.h"

// Operations: a byte that expat reads; an element that a reader looks at and a builder stores.
enum { WORK_OF_BYTE = 12, WORK_OF_ELEMENT = 900 };

typedef struct Parse {
  Load* load;
  const SourceFile* file;
  XML_Parser parser;
  XmlNode* root;
  XmlNode* open;  ///< the innermost element that is not closed yet
  int depth;
  int text_count;  ///< bytes of text of the open element
  Grow text;       ///< char, of the open element while it has no child
} Parse;

static Place here(const Parse* p) {
  return (Place){p->file, (int)XML_GetCurrentLineNumber(p->parser),
                 (int)XML_GetCurrentColumnNumber(p->parser) + 1};
}

static void stop(Parse* p) { XML_StopParser(p->parser, XML_FALSE); }

#define REFUSE(p, status, ...)                            \
  do {                                                    \
    load_fail((p)->load, (status), here(p), __VA_ARGS__); \
    stop(p);                                              \
    return;                                               \
  } while (0)

static int copy_attributes(Parse* p, XmlNode* node, const char** attributes) {
  Load* load = p->load;
  int count = 0;
  while (attributes[2L * count]) ++count;
  if (count > load->def->limits.xml_attributes) {
    load_fail(load, HEFT_ERR_LIMIT, here(p),
              "<%.60s> has %d attributes, at most %d are allowed; raise the limit xml_attributes",
              node->name, count, load->def->limits.xml_attributes);
    return 0;
  }
  node->attribute_count = count;
  node->attributes = load_take(load, (size_t)count, sizeof(XmlAttribute));
  for (int i = 0; i < count && LOAD_OK(load); ++i) {
    node->attributes[i].name = load_text(load, attributes[2L * i], strlen(attributes[2L * i]));
    node->attributes[i].value =
        load_text(load, attributes[2L * i + 1], strlen(attributes[2L * i + 1]));
  }
  return LOAD_OK(load);
}

static void on_start(void* user, const char* name, const char** attributes) {
  Parse* p = user;
  Load* load = p->load;
  if (++p->depth > load->def->limits.xml_depth) {
    REFUSE(p, HEFT_ERR_LIMIT,
           "%d levels of nested elements were found, at most %d are allowed; raise the limit "
           "xml_depth",
           p->depth, load->def->limits.xml_depth);
  }
  if (!load_work(load, here(p), WORK_OF_ELEMENT)) {
    stop(p);
    return;
  }
  if (++load->elements > load->def->limits.xml_elements) {
    REFUSE(p, HEFT_ERR_LIMIT, "there are more than %d elements; raise the limit xml_elements",
           load->def->limits.xml_elements);
  }
  XmlNode* node = LOAD_NEW(load, XmlNode);
  if (!node) {
    stop(p);
    return;
  }
  *node = (XmlNode){.parent = p->open,
                    .file = p->file,
                    .text = "",
                    .offset = (size_t)XML_GetCurrentByteIndex(p->parser),
                    .line = (int)XML_GetCurrentLineNumber(p->parser),
                    .column = (int)XML_GetCurrentColumnNumber(p->parser) + 1};
  node->name = load_text(load, name, strlen(name));
  if (!node->name || !copy_attributes(p, node, attributes)) {
    stop(p);
    return;
  }
  if (!p->open) {
    p->root = node;
  } else if (p->open->last) {
    p->open->last = p->open->last->next = node;
  } else {
    p->open->child = p->open->last = node;
  }
  p->open = node;
  p->text.count = 0;
}

// expat calls this for an empty element even if on_start() has stopped the parser at it.
static void on_end(void* user, const char* name) {
  (void)name;
  Parse* p = user;
  if (!LOAD_OK(p->load)) return;
  if (p->text.count > 0 && !p->open->child) {
    const char* copy = load_text(p->load, p->text.items, (size_t)p->text.count);
    if (!copy) {
      stop(p);
      return;
    }
    p->open->text = copy;
  }
  p->text.count = 0;
  p->open = p->open->parent;
  --p->depth;
}

static void on_text(void* user, const char* text, int length) {
  Parse* p = user;
  for (int i = 0; i < length; ++i) {
    char* slot = LOAD_ADD(p->load, &p->text, char);
    if (!slot) {
      stop(p);
      return;
    }
    *slot = text[i];
  }
}

static void on_doctype(void* user, const char* name, const char* system, const char* public_id,
                       int internal) {
  (void)name, (void)system, (void)public_id, (void)internal;
  Parse* p = user;
  REFUSE(p, HEFT_ERR_UNSUPPORTED,
         "<!DOCTYPE> was found; document types and their entities are rejected; write the text "
         "itself");
}

static void on_instruction(void* user, const char* target, const char* data) {
  (void)data;
  Parse* p = user;
  REFUSE(p, HEFT_ERR_UNSUPPORTED, "the processing instruction <?%.60s?> is not read; remove it",
         target);
}

static int same_letters(const char* a, const char* b) {
  for (; *a && *b; ++a, ++b) {
    const char x = *a >= 'A' && *a <= 'Z' ? (char)(*a + 32) : *a;
    if (x != *b) return 0;
  }
  return *a == *b;
}

static void on_declaration(void* user, const char* version, const char* encoding, int standalone) {
  (void)version, (void)standalone;
  Parse* p = user;
  if (encoding && !same_letters(encoding, "utf-8") && !same_letters(encoding, "us-ascii"))
    REFUSE(p, HEFT_ERR_UNSUPPORTED, "the encoding '%.60s' is not read; save the file as UTF-8",
           encoding);
}

static void set_handlers(XML_Parser parser, Parse* p) {
  XML_SetUserData(parser, p);
  XML_SetElementHandler(parser, on_start, on_end);
  XML_SetCharacterDataHandler(parser, on_text);
  XML_SetStartDoctypeDeclHandler(parser, on_doctype);
  XML_SetProcessingInstructionHandler(parser, on_instruction);
  XML_SetXmlDeclHandler(parser, on_declaration);
}

XmlNode* xml_parse(Load* load, const SourceFile* file) {
  if (file->size > load->def->limits.file_bytes || file->size > (1u << 30)) {
    load_fail(load, HEFT_ERR_LIMIT, (Place){.file = file},
              "the file has %zu bytes, at most %zu are allowed; raise the limit file_bytes",
              file->size, load->def->limits.file_bytes);
    return NULL;
  }
  if (!load_work(load, (Place){.file = file}, WORK_OF_BYTE * (double)file->size)) return NULL;
  Parse p = {.load = load, .file = file, .parser = XML_ParserCreate("UTF-8")};
  if (!p.parser) {
    load_fail(load, HEFT_ERR_MEMORY, (Place){.file = file}, "no memory to read XML");
    return NULL;
  }
  set_handlers(p.parser, &p);
  const enum XML_Status status = XML_Parse(p.parser, file->text, (int)file->size, 1);
  if (status != XML_STATUS_OK && LOAD_OK(load)) {
    const enum XML_Error code = XML_GetErrorCode(p.parser);
    load_fail(load, code == XML_ERROR_NO_MEMORY ? HEFT_ERR_MEMORY : HEFT_ERR_SYNTAX, here(&p),
              "this is not well-formed XML: %s%s%.60s%s", XML_ErrorString(code),
              p.open ? "; the innermost open element is <" : "", p.open ? p.open->name : "",
              p.open ? ">" : "");
  }
  XML_ParserFree(p.parser);
  return LOAD_OK(load) ? p.root : NULL;
}

int xml_root_name(const SourceFile* file, char* out, size_t size) {
  const char *at = file->text, *end = file->text + file->size;
  while (at < end) {
    at = memchr(at, '<', (size_t)(end - at));
    if (!at || at + 1 >= end) return 0;
    if (at[1] == '!' && end - at > 4 && at[2] == '-' && at[3] == '-') {
      for (at += 4; end - at >= 3 && (at[0] != '-' || at[1] != '-' || at[2] != '>');) ++at;
      continue;
    }
    if (at[1] == '?' || at[1] == '!') {
      at += 2;
      continue;
    }
    size_t length = 0;
    for (++at; at < end && length + 1 < size && strchr(" \t\r\n/>", *at) == NULL; ++at)
      out[length++] = *at;
    out[length] = '\0';
    return length > 0;
  }
  return 0;
}

Place xml_place(const XmlNode* node) { return (Place){node->file, node->line, node->column}; }

static int is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// Walks over the start tag in the text, quotes respected, until the attribute's name.
Place xml_attribute_place(const XmlNode* node, const char* name) {
  const char *at = node->file->text + node->offset, *end = node->file->text + node->file->size;
  const size_t length = strlen(name);
  Place place = xml_place(node);
  char quote = '\0';
  for (char before = '\0'; at < end; before = *at, ++at) {
    if (!quote && *at == '>') break;
    if (!quote && is_blank(before) && (size_t)(end - at) > length &&
        strncmp(at, name, length) == 0 && (is_blank(at[length]) || at[length] == '='))
      return place;
    if (quote ? *at == quote : (*at == '"' || *at == '\'')) quote = quote ? '\0' : *at;
    if (*at == '\n') {
      ++place.line;
      place.column = 1;
    } else {
      ++place.column;
    }
  }
  return xml_place(node);
}

XmlAttribute* xml_find(const XmlNode* node, const char* name) {
  for (int i = 0; i < node->attribute_count; ++i) {
    if (strcmp(node->attributes[i].name, name) == 0) return &node->attributes[i];
  }
  return NULL;
}

const char* xml_get(const XmlNode* node, const char* name) {
  XmlAttribute* a = xml_find(node, name);
  if (!a) return NULL;
  a->used |= 1;
  return a->value;
}

XmlNode* xml_child(const XmlNode* node, const char* name) {
  XmlNode* child = node->child;
  return !child || !name || xml_is(child, name) ? child : xml_next(child, name);
}

XmlNode* xml_next(const XmlNode* node, const char* name) {
  XmlNode* next = node->next;
  while (next && name && !xml_is(next, name)) next = next->next;
  return next;
}

static const char* skip_blanks(const char* at) {
  while (is_blank(*at)) ++at;
  return at;
}

static int word_length(const char* at) {
  int length = 0;
  while (at[length] && !is_blank(at[length])) ++length;
  return length;
}

static HeftStatus bad_number(Load* load, const XmlNode* node, const char* attribute, const char* at,
                             const char* expected) {
  return load_fail(load, HEFT_ERR_VALUE, xml_attribute_place(node, attribute),
                   "<%.40s %.40s>: '%.*s' was found, expected %s", node->name, attribute,
                   word_length(at) < 60 ? word_length(at) : 60, at, expected);
}

// Moments of inertia grow with the fifth power of the size: a ship's exceed 1e9. So do the moduli
// of metals [Pa], which are numbers of <numeric>; what reads those knows narrower bounds.
static int is_wide(const XmlNode* node, const char* attribute) {
  return strcmp(node->name, "inertia") == 0 || strcmp(node->name, "numeric") == 0 ||
         strcmp(attribute, "diaginertia") == 0 || strcmp(attribute, "fullinertia") == 0;
}

static const char* read_sane(Load* load, const XmlNode* node, const char* attribute, const char* at,
                             double* out) {
  const char* end = at + word_length(at);
  if (heft_decimal_read(at, end, out) != end) {
    bad_number(load, node, attribute, at, "a number");
    return NULL;
  }
  const int wide = is_wide(node, attribute);
  if (!(fabs(*out) <= (wide ? 1e15 : 1e9))) {
    bad_number(load, node, attribute, at,
               wide ? "a number of at most 1e15" : "a number of at most 1e9");
    return NULL;
  }
  return end;
}

static HeftStatus bad_count(Load* load, const XmlNode* node, const char* attribute, int count,
                            int min, int max) {
  const Place place = xml_attribute_place(node, attribute);
  if (min == max)
    return load_fail(load, HEFT_ERR_VALUE, place, "<%.40s %.40s>: %d number%s found, expected %d",
                     node->name, attribute, count, count == 1 ? " was" : "s were", max);
  return load_fail(load, HEFT_ERR_VALUE, place,
                   "<%.40s %.40s>: %d number%s found, expected %d to %d", node->name, attribute,
                   count, count == 1 ? " was" : "s were", min, max);
}

int xml_numbers(Load* load, const XmlNode* node, const char* attribute, const char* text, int min,
                int max, double* out) {
  if (!LOAD_OK(load)) return 0;
  int count = 0;
  for (const char* at = skip_blanks(text); *at; at = skip_blanks(at)) {
    double x;
    at = read_sane(load, node, attribute, at, &x);
    if (!at) return 0;
    if (count < max) out[count] = x;
    ++count;
  }
  if (count >= min && count <= max) return count;
  bad_count(load, node, attribute, count, min, max);
  return 0;
}

int xml_integers(Load* load, const XmlNode* node, const char* attribute, const char* text, int min,
                 int max, int* out) {
  if (!LOAD_OK(load)) return 0;
  int count = 0;
  for (const char* at = skip_blanks(text); *at; at = skip_blanks(at)) {
    const char* end = at + word_length(at);
    int x;
    if (heft_decimal_read_int(at, end, &x) != end) {
      bad_number(load, node, attribute, at, "a whole number");
      return 0;
    }
    if (count < max) out[count] = x;
    ++count;
    at = end;
  }
  if (count >= min && count <= max) return count;
  bad_count(load, node, attribute, count, min, max);
  return 0;
}

double* xml_number_list(Load* load, const XmlNode* node, const char* attribute, const char* text,
                        int* count) {
  *count = 0;
  int words = 0;
  for (const char* at = skip_blanks(text); *at; at = skip_blanks(at + word_length(at))) ++words;
  double* numbers = load_take(load, (size_t)words, sizeof(double));
  if (!numbers) return NULL;
  for (const char* at = skip_blanks(text); *at; at = skip_blanks(at)) {
    at = read_sane(load, node, attribute, at, &numbers[*count]);
    if (!at) return NULL;
    ++*count;
  }
  return numbers;
}
