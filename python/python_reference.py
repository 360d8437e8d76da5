#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the reference of the Python package: one page for its classes, one for functions, enums, exceptions and structs.

    python/python_reference.py FOLDER     writes index.md and values.md
    python/python_reference.py --check    exit code 1 if a public name, method or attribute has no text or is on no page
    ... [ROOT]                           default: this repository

A public name is one that a module lists in __all__ or that heft/__init__.py imports. Its text is the docstring of its module or of the
stub of the core; for what is written in C, that of the method table in python/src/core; for a struct and its fields, that of
the C reference. Modules that the build makes are made here, too (python/python_bindings.py)."""
import ast
import glob
import os
import re
import sys

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__)), os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'tools')]
import api  # noqa: E402
import c_reference  # noqa: E402
import python_bindings  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGES = {
    'index': ('Python reference', 'Classes of the Python package heft: Model, World, Batch, Log and what they hold',
              'The package `heft`. [Heft from Python](../../manual/python.md) introduces it; [functions, enums and structs](./values.md) '
              'has the rest.', ['_model', '_world', '_batch', '_control', '_contact', '_log', '_replay', '_picture', '_sight', 'gym']),
    'values': ('Python functions, enums and structs', 'Functions, enums, exceptions and structs of the Python package heft',
               '[The classes](./index.md) are on a page of their own.',
               ['__init__', '_functions', 'math', 'models', 'plot', 'torch', '_enums', '_errors', '_structs']),
}
# Tables of C files that serve one class; other tables have the class in their name.
TABLES = {'world.c': 'World', 'batch.c': 'Batch', 'contact.c': 'ContactProblem', 'log.c': 'Log', 'replay.c': 'Replay', 'model.c': 'Model'}
ENTRY = re.compile(r'(?:\{|\bARRAY\(\s*)"(\w+)",((?:[^"{}]|\{[^}]*\})*?)((?:"(?:[^"\\]|\\.)*"\s*)+)')


def camel(name):
    return ''.join(part.capitalize() for part in name.split('_'))


def docs_of_c(root, made):
    """(class or '', name) -> text, from the tables of methods and attributes of the extension module."""
    found, texts = {}, {name: text for name, text in made.items() if name.endswith('.c')}
    for path in glob.glob(os.path.join(root, 'python/src/core/*.c')):
        with open(path, encoding='utf-8') as file:
            texts[os.path.basename(path)] = file.read()
    for path, text in sorted(texts.items()):
        for table in re.finditer(r'\b(?:PyMethodDef|PyGetSetDef) (\w+)\[\] = \{(.*?)\};$', text, re.S | re.M):
            name = table.group(1)
            owner = re.fullmatch(r'(?:methods|getset)_(\w+)|core_(\w+?)_(?:methods|getset|by_name)', name)
            kind = camel(owner.group(1) or owner.group(2)) if owner else \
                TABLES.get(path, '') if name in ('methods', 'getset') else ''
            for entry in ENTRY.finditer(table.group(2)):
                doc = ''.join(re.findall(r'"((?:[^"\\]|\\.)*)"', entry.group(3)))
                doc = re.sub(r'^%s\([^)]*\)[^:]*: ' % entry.group(1), '', doc.replace(r'\n', '\n').replace(r'\"', '"'))
                found.setdefault((kind, entry.group(1)), doc[:1].upper() + doc[1:])
        for doc in re.findall(r'\{Py_tp_doc, \(void\*\)\(uintptr_t\) "([^"]*)"', text):
            found[('', TABLES[path])] = doc
    return found


class Reference:
    def __init__(self, root):
        self.root = root
        python_bindings.ROOT = root
        self.made = python_bindings.Bindings(api.load(os.path.join(root, 'include', 'heft'))).files()
        self.stub = {n.name: n for n in self.parse('_core.pyi').body if isinstance(n, (ast.ClassDef, ast.FunctionDef))}
        self.of_c = docs_of_c(root, self.made)
        c_reference.INCLUDE = os.path.join(root, 'include', 'heft')
        entries = [e for page in c_reference.pages()[1] for e in page.entries]
        self.types = {e.name[4:]: e for e in entries if e.kind in ('struct', 'handle')}
        self.enums = {e.name[4:]: e.rows for e in entries if e.kind == 'enum'}
        self.functions = {e.name[5:]: e.text for e in entries if e.kind == 'function'}
        self.missing, self.names = [], set()

    def parse(self, name):
        text = self.made.get(name)
        if text is None:
            with open(os.path.join(self.root, 'python/heft', name), encoding='utf-8') as file:
                text = file.read()
        tree = ast.parse(text)
        for node in ast.walk(tree):  # "name: type  #: text" in a class
            if isinstance(node, (ast.AnnAssign, ast.Assign)):
                found = re.search(r'#: (.*)$', text.splitlines()[node.end_lineno - 1])
                node.remark = found.group(1) if found else ''
        return tree

    def public(self, module):
        """Public names of a module with the nodes that define them: its own, or those of the stub that it imports."""
        body = self.parse(module + '.py').body
        own = {n.name: n for n in body if isinstance(n, (ast.ClassDef, ast.FunctionDef)) and not n.name.startswith('_')}
        for node in body:
            if isinstance(node, ast.ImportFrom) and node.module == '_core':
                # "from ._core import X as X" makes a name public, "import X" uses it
                own.update({a.asname: self.stub.get(a.name) for a in node.names if a.asname == a.name})
            elif isinstance(node, ast.ImportFrom) and node.level and not module.startswith('_'):
                found = {n.name: n for n in self.parse(node.module + '.py').body if isinstance(n, (ast.ClassDef, ast.FunctionDef))}
                own.update({a.asname: found.get(a.name) for a in node.names if a.asname == a.name})
            if isinstance(node, ast.Assign) and getattr(node.targets[0], 'id', '') == '__all__':
                for name in ast.literal_eval(node.value):
                    own.setdefault(name, self.stub.get(name))
        return own

    def page(self, key):
        title, description, text, modules = PAGES[key]
        out = ['---', 'title: "%s"' % title, 'description: "%s"' % description, '---', '', '# ' + title, '', text, '']
        for module in modules:
            prefix = '' if module.startswith('_') else module + '.'
            for name, node in self.public(module).items():
                self.names.add(prefix + name)
                out += self.entry(name, node, prefix)
        return '\n'.join(out) + '\n'

    def text(self, what, *texts):
        """The first text that there is."""
        found = next((t.strip() for t in texts if t and t.strip()), '')
        if not found:
            self.missing.append(what)
        return found

    def entry(self, name, node, prefix):
        full = prefix + name
        out = ['## %s {#%s}' % (full.replace('_', '\\_'), full.replace('.', '-')), '']
        if node is None:
            self.missing.append(full)
            return out
        if isinstance(node, ast.FunctionDef):
            return out + ['```python', signature(node), '```', '',
                          shown(self.text(full, ast.get_docstring(node), self.of_c.get(('', name)), self.functions.get(name))), '']
        kind = self.types.get(name)
        own = ast.get_docstring(node) or self.of_c.get(('', name))
        out += [shown(self.text(full, own)) if own or not kind else self.text(full, kind.text), '']
        rows, calls = [], []
        for base in [b.attr for b in node.bases if isinstance(b, ast.Attribute) and b.attr in self.stub]:
            self.members(name, self.stub[base], rows, calls)
        self.members(name, node, rows, calls)
        if rows:
            out += ['| attribute | type | meaning |', '|---|---|---|']
            out += ['| `%s` | %s | %s |' % (n, '`%s`' % t.replace('|', r'\|') if t else '', ' '.join(shown(d).split()))
                    for n, t, d in {r[0]: r for r in rows}.values()] + ['']
        for item in {c.name: c for c in calls}.values():
            doc = self.text('%s.%s' % (full, item.name), ast.get_docstring(item), self.of_c.get((name, item.name)),
                            self.of_c.get(('', item.name)))
            out += ['### %s.%s {#%s-%s}' % (full, item.name.replace('_', '\\_'), full.replace('.', '-'), item.name), '', '```python',
                    signature(item), '```', '', shown(doc), '']
        return out

    def members(self, owner, node, rows, calls):
        fields = {r[0]: r[-1] for r in self.types[owner].rows} if owner in self.types else {}
        if owner in self.enums:  # HEFT_TEXTURE_2D is TextureType.N2D
            names = [item.targets[0].id for item in node.body if isinstance(item, ast.Assign)]
            fields = {n: next((text for c, text in self.enums[owner] if c.endswith('_' + re.sub(r'^N(?=\d)', '', n))), '') for n in names}

        def row(name, kind, doc):
            rows.append((name, kind, self.text('%s.%s' % (owner, name), doc, self.of_c.get((owner, name)), fields.get(name),
                                               fields.get(name.rstrip('_')), self.of_c.get(('', name)))))

        for i, item in enumerate(node.body):
            follows = node.body[i + 1] if i + 1 < len(node.body) else None
            doc = follows.value.value if isinstance(follows, ast.Expr) and isinstance(follows.value, ast.Constant) else ''
            if isinstance(item, ast.AnnAssign) and not item.target.id.startswith('_'):
                row(item.target.id, ast.unparse(item.annotation), str(doc) or item.remark)
            elif isinstance(item, ast.Assign) and isinstance(item.targets[0], ast.Name) and not item.targets[0].id.startswith('_'):
                row(item.targets[0].id, '', str(doc) or item.remark)
            elif isinstance(item, ast.FunctionDef) and not item.name.startswith('_'):
                decorators = [ast.unparse(d) for d in item.decorator_list]
                if 'property' in decorators:
                    row(item.name, ast.unparse(item.returns) if item.returns else '', ast.get_docstring(item) or '')
                elif not any('setter' in d for d in decorators):
                    calls.append(item)

    def forgotten(self):
        """Names that heft/__init__.py makes public and no page has."""
        for node in self.parse('__init__.py').body:
            if not isinstance(node, ast.ImportFrom) or not node.level:
                continue
            for alias in node.names:
                if alias.name == '*':
                    yield from (n for n in self.public(node.module) if n not in self.names)
                elif node.module and not alias.name.startswith('_') and (alias.asname or alias.name) not in self.names:
                    yield alias.asname or alias.name


def shown(text):
    """A docstring as Markdown: no HTML, no template; an example (>>>) is code."""
    out, example = [], False
    for line in (text or '').splitlines():
        begins = line.lstrip().startswith('>>>')
        if begins and not example:
            out.append('```python')
        if example and not line.strip():
            out.append('```')
        example = begins or (example and bool(line.strip()))
        out.append(line if example else re.sub(r'([<>])', lambda m: {'<': '&lt;', '>': '&gt;'}[m.group(1)], line)
                   .replace('{{', '{ {').replace('|', r'\|'))
    return '\n'.join(out + ['```'] * example)


def signature(node):
    return 'def %s(%s)%s' % (node.name, ast.unparse(node.args), ' -> ' + ast.unparse(node.returns) if node.returns else '')


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    reference = Reference(sys.argv[2] if len(sys.argv) > 2 else ROOT)
    pages = {key: reference.page(key) for key in PAGES}
    if sys.argv[1] == '--check':
        forgotten = sorted(set(reference.forgotten()))
        for name in reference.missing:
            print('heft.%s has no text' % name)
        for name in forgotten:
            print('heft.%s is on no page' % name)
        wrong = len(reference.missing) + len(forgotten)
        print('python_reference: %d names, %d mistakes' % (len(reference.names), wrong))
        sys.exit(1 if wrong else 0)
    os.makedirs(sys.argv[1], exist_ok=True)
    for key, text in pages.items():
        with open(os.path.join(sys.argv[1], key + '.md'), 'w', encoding='utf-8') as file:
            file.write(text)


if __name__ == '__main__':
    main()
