#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the C interface (api.json of tools/api.py) as a Rust source of declarations: extern "C" functions, structs, enums as
integers with constants, and the numbers of macros. It follows the C types and nothing else; examples/rust shows its use.

    heft.rs    the declarations
    sizes.c    heft_struct_sizes[], what a C compiler makes of the structs, to be compared with SIZES of heft.rs

usage: rust_bindings.py API.json OUTPUT_FOLDER
"""
import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'tools'))
from api import Api, comment_of, load, read_parameter, split_top, strip_comments, write  # noqa: E402

SCALARS = {'void': 'c_void', 'char': 'c_char', 'int': 'c_int', 'unsigned': 'c_uint', 'long': 'c_long', 'bool': 'bool',
           'double': 'f64', 'float': 'f32', 'size_t': 'usize', 'int32_t': 'i32', 'uint32_t': 'u32', 'int64_t': 'i64',
           'uint64_t': 'u64', 'uint8_t': 'u8', 'uint16_t': 'u16'}
KEYWORDS = set('as break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return '
               'self static struct super trait true type unsafe use where while async await box final macro override yield'.split())
HEAD = """// SPDX-License-Identifier: Apache-2.0
//! The C interface of Heft. Written by examples/rust/rust_bindings.py; the build makes it from the public headers.
#![allow(non_camel_case_types, improper_ctypes, dead_code)]
use std::os::raw::{c_char, c_int, c_long, c_uint, c_void};
"""


def safe(name):
    return name + '_' if name in KEYWORDS else name


class Writer:
    def __init__(self, api):
        self.api = api
        self.known = set(api.enums) | set(api.structs) | {e['name'] for h in api.headers for e in h['entries'] if e['kind'] == 'handle'}

    def base(self, name):
        if name in SCALARS or name in self.known:
            return SCALARS.get(name, name)
        return 'c_void'  # private

    def type(self, kind):
        """The Rust form of a C type: "const double*" is "*const f64"."""
        stars = kind.count('*')
        base = re.sub(r'\bconst\b|\*', '', kind).strip()
        if stars == 1 and base in self.api.hooks:
            return 'Option<%s>' % base
        text = self.base(base)
        for level in range(stars):
            text = ('*const ' if level == 0 and kind.startswith('const') else '*mut ') + text
        return text

    def parameter(self, p):
        if p['type'] == 'other':
            return '*const c_void'
        rows = re.fullmatch(r'(const )?(\w+) ?\(\*\)\[\]', p['type'])
        if rows:
            return '*%s [%s; %s]' % ('const' if rows.group(1) else 'mut', self.base(rows.group(2)), p['length'][1])
        return self.type(p['type'])

    def signature(self, parameters, kind):
        given = ['%s: %s' % (safe(p['name'] or 'other'), self.parameter(p)) for p in parameters]
        return '(%s)%s' % (', '.join(given), '' if kind == 'void' else ' -> ' + self.type(kind))

    def field(self, f):
        text = 'Option<unsafe extern "C" fn()>' if f['type'] == 'function' else self.type(f['type'])
        for dim in reversed(f['dims']):
            text = '[%s; %d]' % (text, self.api.number(dim))
        return '    pub %s: %s,' % (safe(f['name']), text)

    def entry(self, e):
        kind, name, doc = e['kind'], e['name'], '/// ' + comment_of(e) if e.get('doc') else ''
        if kind == 'enum':
            return [doc, 'pub type %s = c_int;' % name] + ['pub const %s: %s = %d;' % (m['name'], name, m['value']) for m in e['members']]
        if kind == 'struct':
            return [doc, '#[repr(C)]', '#[derive(Clone, Copy)]', 'pub struct %s {' % name] + [self.field(f) for f in e['fields']] + ['}']
        if kind == 'handle' and name not in self.api.structs:
            return [doc, '#[repr(C)]', 'pub struct %s {' % name, '    _private: [u8; 0],', '}']
        if kind == 'callback':
            parameters = [read_parameter(p) for p in split_top(strip_comments(e['parameters'])) if p != 'void']
            return [doc, 'pub type %s = unsafe extern "C" fn%s;' % (name, self.signature(parameters, e['type']))]
        if kind in ('constant', 'macro') and re.fullmatch(r'\d+', e['value']):
            return [doc, 'pub const %s: c_int = %s;' % (name, e['value'])]
        return []

    def text(self):
        out = [HEAD]
        for header in self.api.headers:
            for e in header['entries']:
                out += [line for line in self.entry(e) if line]
        out.append('extern "C" {')
        for f in self.api.functions:
            out += ['    /// ' + comment_of(f)] if f['doc'] else []
            out.append('    pub fn %s%s;' % (f['name'], self.signature(f['parameters'], f['type'])))
        out += ['}', '/// Sizes of all structs.', 'pub const SIZES: &[(&str, usize)] = &[']
        out += ['    ("%s", std::mem::size_of::<%s>()),' % (name, name) for name in self.api.structs]
        return '\n'.join(out + ['];', ''])

    def sizes(self):
        out = ['// SPDX-License-Identifier: Apache-2.0'] + ['#include <heft/%s>' % h['name'] for h in self.api.headers]
        out += ['extern const size_t heft_struct_sizes[];', 'const size_t heft_struct_sizes[] = {']
        return '\n'.join(out + ['    sizeof(%s),' % name for name in self.api.structs] + ['};', ''])


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    writer = Writer(Api(load(sys.argv[1])))
    write(os.path.join(sys.argv[2], 'heft.rs'), writer.text())
    write(os.path.join(sys.argv[2], 'sizes.c'), writer.sizes())


if __name__ == '__main__':
    main()
