// SPDX-License-Identifier: Apache-2.0
// Signatures and examples of all functions, classes and methods, as help() shows them. The build
// takes the signatures from the stub and the examples from python/examples.txt.
#ifndef HEFT_PYTHON_SIGNATURES_H
#define HEFT_PYTHON_SIGNATURES_H

#include "core.h"

typedef struct Signature {
  const char *name, *text;  ///< "function", "Class" or "Class.method"; "(a, b=1)", or NULL
  const char* example;      ///< lines of a doctest, or NULL
} Signature;

extern const Signature core_signatures[];  ///< sorted by name
extern const int core_signature_count;

/// Completes the docstrings of a table: class is NULL for functions. Tables stay completed.
void core_sign(const char* class, PyMethodDef* methods);
/// The docstring of a class, complete. It lives as long as the process.
const char* core_sign_class(const char* class, const char* doc);

#endif
