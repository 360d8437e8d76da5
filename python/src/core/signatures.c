// SPDX-License-Identifier: Apache-2.0
// Docstrings with signatures. inspect.signature() and help() read the signature of a function of C
// from the head of its docstring: "name(a, b=1)\n--\n\n". A stub has all of them, so the build
// makes a table of it, and the docstrings of the source have the meaning only.
#include "signatures.h"

#include <string.h>

static const Signature* find(const char* name) {
  int low = 0, high = core_signature_count - 1;
  while (low <= high) {
    const int middle = (low + high) / 2;
    const int order = strcmp(name, core_signatures[middle].name);
    if (order == 0) return &core_signatures[middle];
    if (order < 0)
      high = middle - 1;
    else
      low = middle + 1;
  }
  return NULL;
}

// The meaning behind "name(arguments): ", if the docstring begins so.
static const char* meaning_of(const char* name, const char* doc) {
  const size_t length = strlen(name);
  if (strncmp(doc, name, length) != 0 || doc[length] != '(') return doc;
  const char* end = strstr(doc, "): ");
  return end ? end + 3 : doc;
}

// name + signature + meaning + example; doc itself if there is no memory.
static const char* compose(const char* name, const Signature* s, const char* doc) {
  static const char mark[] = "\n--\n\n", before[] = "\n\n";
  const char* meaning = meaning_of(name, doc);
  const char* example = s->example ? s->example : "";
  const size_t size = strlen(name) + strlen(s->text ? s->text : "") + sizeof mark +
                      strlen(meaning) + sizeof before + strlen(example) + 1;
  char* text = PyMem_Malloc(size);
  if (!text) return doc;
  PyOS_snprintf(text, size, "%s%s%s%s%s%s%s", s->text ? name : "", s->text ? s->text : "",
                s->text ? mark : "", meaning, example[0] ? before : "", example,
                example[0] ? "\n" : "");
  char* first = text + (s->text ? strlen(name) + strlen(s->text) + sizeof mark - 1 : 0);
  if (meaning != doc && *first >= 'a' && *first <= 'z') *first = (char)(*first - 'a' + 'A');
  return text;
}

void core_sign(const char* class, PyMethodDef* methods) {
  char name[128];
  for (PyMethodDef* one = methods; one->ml_name; ++one) {
    PyOS_snprintf(name, sizeof name, "%s%s%s", class ? class : "", class ? "." : "", one->ml_name);
    const Signature* s = find(name);
    const char* doc = one->ml_doc ? one->ml_doc : "";
    if (s && !strstr(doc, "\n--\n")) one->ml_doc = compose(one->ml_name, s, doc);
  }
}

const char* core_sign_class(const char* class, const char* doc) {
  const Signature* s = find(class);
  return s ? compose(class, s, doc ? doc : "") : doc;
}
