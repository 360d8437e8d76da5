// SPDX-License-Identifier: Apache-2.0
// Sizes of structs and places of their fields, for JavaScript: js/js_bindings.py writes both sides.
#ifndef HEFT_PORT_TABLES_H
#define HEFT_PORT_TABLES_H

/// For each struct: its size, then the place of each field [bytes].
extern const unsigned heft_js_places[];

#endif
