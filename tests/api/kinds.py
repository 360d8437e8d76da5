#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A new kind gives a diagnostic at every place that must change.

Kinds are the enums over which some switch goes, or some table that names its rows: types of joints, sensors, shapes and
so on. For each of them the test adds one kind to a copy of the sources and compiles the files that hold such a place,
with the flags of the build. Every switch and every table must give a diagnostic. Tables that a list makes need none.

At last one switch of the copy is hidden from the compiler, by a cast to int and a default: the test must notice it.

usage: kinds.py BUILD     BUILD: a build folder with compile_commands.json"""
import collections
import concurrent.futures
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDERS = ['include', 'src', 'apps']
EXTRA = '_OF_THE_TEST'


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def sources():
    """Text of every header and source, by its path from the root."""
    out = {}
    for folder in FOLDERS:
        for where, _, names in os.walk(os.path.join(ROOT, folder)):
            for name in names:
                if name.endswith(('.c', '.h', '.cpp')):
                    path = os.path.join(where, name)
                    out[os.path.relpath(path, ROOT)] = read(path)
    return out


Kind = collections.namedtuple('Kind', 'name file members count edit')


def list_rows(texts):
    """Lists of kinds: {name: (file, end of the text of the list, last row, first words of the rows)}."""
    out = {}
    for file, text in texts.items():
        for m in re.finditer(r'^#define (\w+_LIST)\(X\)((?:.*\\\n)*.*)$', text, re.M):
            names = re.findall(r'\bX\((\w+)', m.group(2))
            if names:
                out[m.group(1)] = (file, m.end(), m.group(2)[m.group(2).rindex('X('):], names)
    return out


def kinds_of(texts):
    """Every enum with a name, with the edit that adds a member: (file, place, text)."""
    lists, out = list_rows(texts), []
    for file, text in sorted(texts.items()):
        for m in re.finditer(r'^typedef enum (\w+) \{(.*?)\} \1;', text, re.S | re.M):
            body = re.sub(r'//[^\n]*|^#[^\n]*', lambda c: ' ' * len(c.group(0)), m.group(2), flags=re.M)
            used = re.search(r'\b(\w+_LIST)\(', body)
            words = re.findall(r'\b[A-Z][A-Z0-9]*_\w+\b|\b[A-Z]+\b', re.sub(r'\b\w+_LIST\(\w+\)', '', body))
            count = next((w for w in words if w.endswith('_COUNT')), None)
            if used and used.group(1) in lists:
                where, end, row, names = lists[used.group(1)]
                new = row.replace(names[-1], names[-1] + EXTRA, 1)
                out.append(Kind(m.group(1), file, set(names), count, (where, end, ' \\\n  ' + new)))
            elif words and not used:
                before = re.search(r'\b%s\b' % (count or words[0]), body)
                place = m.start(2) + before.start()
                value = '' if count or '=' not in body else ' = 1 << 20'
                new = words[0] + EXTRA
                if not count:  # behind the last member
                    place, new = m.start(2) + len(body.rstrip().rstrip(',')), ', ' + new + value
                    out.append(Kind(m.group(1), file, set(words), None, (file, place, new)))
                else:
                    out.append(Kind(m.group(1), file, set(words) - {count}, count, (file, place, new + ', ')))
    return out


def line_of(text, place):
    return text.count('\n', 0, place) + 1


def block_end(text, place):
    depth = 0
    for m in re.compile(r'[{}]').finditer(text, place):
        depth += 1 if m.group(0) == '{' else -1
        if depth == 0:
            return m.end()
    return len(text)


def places_of(texts):
    """Switches and tables that name kinds: {(file, first line, last line): the words they name}."""
    out = {}
    for file, text in texts.items():
        for m in re.finditer(r'\bswitch \(', text):
            body = text[m.start():block_end(text, text.index('{', m.start()))]
            inner = re.sub(r'(?<=.)\bswitch \(.*', '', body, flags=re.S)  # a switch inside has its own place
            labels = set(re.findall(r'\bcase ([A-Z]\w*):', inner))
            if any(not label.endswith('_COUNT') for label in labels):  # else a list makes the cases
                line = line_of(text, m.start())
                out[file, line, line] = labels
        for m in re.finditer(r'\b(?:KIND_TABLE_COVERS\(|_Static_assert\(sizeof (\w+) / sizeof \*\1 ==)[^;]*?\b(\w+_COUNT)\b[^;]*;', text):
            out[file, line_of(text, m.start()), line_of(text, m.end())] = {m.group(2)}
    return out


class Compiler:
    def __init__(self, build, copy, texts):
        self.copy, self.texts, self.commands = copy, texts, {}
        with open(os.path.join(build, 'compile_commands.json'), encoding='utf-8') as file:
            for entry in json.load(file):
                path = os.path.relpath(os.path.join(entry['directory'], entry['file']), ROOT)
                self.commands.setdefault(path, entry)

    def unit_of(self, file):
        """The compiled file that shows the diagnostics of a file: itself, or one that includes it."""
        if file in self.commands:
            return file
        name = re.sub(r'^(src|apps|include)/', '', file)
        for quoted in (name, os.path.basename(name)):
            for path in sorted(self.commands):
                if path in self.texts and re.search(r'#include ["<](?:\w+/)*%s[">]' % re.escape(quoted), self.texts[path]):
                    return path
        return None

    def diagnostics(self, unit):
        """Places that the compiler names: {(file, line)}."""
        entry = self.commands[unit]
        words = [w for w in shlex.split(entry['command']) if os.path.basename(w) != 'ccache']
        words = words[:words.index('-o')] + words[words.index('-o') + 2:]
        words = [re.sub(r'^(-I|-isystem)?%s/(%s)\b' % (re.escape(ROOT), '|'.join(FOLDERS)), r'\1%s/\2' % self.copy, w)
                 for w in words] + ['-fsyntax-only', '-fno-diagnostics-color', '-fmax-errors=0'
                                    if 'clang' not in words[0] else '-ferror-limit=0']
        words = [w for w in words if w not in ('-MD',) and not w.startswith('-fmacro-prefix-map')]
        result = subprocess.run(words, cwd=entry['directory'], capture_output=True, text=True, check=False)
        found = set()
        for m in re.finditer(r'^(\S+?):(\d+):\d+: (?:error|warning|note)', result.stderr, re.M):
            path = os.path.normpath(os.path.join(entry['directory'], m.group(1)))
            found.add((os.path.relpath(path, self.copy), int(m.group(2))))
        return found


def write(copy, file, text):
    with open(os.path.join(copy, file), 'w', encoding='utf-8') as out:
        out.write(text)


def silent_places(compiler, pool, kind, places):
    """Places of a kind that give no diagnostic, with the kind added to the copy."""
    file, place, new = kind.edit
    text = compiler.texts[file]
    write(compiler.copy, file, text[:place] + new + text[place:])
    moved = (file, line_of(text, place), new.count('\n'))
    units = sorted({compiler.unit_of(p[0]) for p in places})
    found = set().union(*pool.map(compiler.diagnostics, units))
    write(compiler.copy, file, text)

    def is_named(where):
        shift = moved[2] if where[0] == moved[0] and where[1] > moved[1] else 0
        return any((where[0], line + shift) in found for line in range(where[1], where[2] + 1))
    return [p for p in places if not is_named(p)]


def check_kind(compiler, pool, kind, places):
    silent = silent_places(compiler, pool, kind, places)
    files = {p[0] for p in places}
    print('%-24s %d of %d files, %d of %d places' % (kind.name, len(files - {p[0] for p in silent}), len(files),
                                                     len(places) - len(silent), len(places)))
    for where in silent:
        print('  %s:%d: no diagnostic' % where[:2])
    return len(files), len(places), not silent


def notices_hidden_switch(compiler, pool, kind, places):
    """Does the test see a switch that the compiler does not check?"""
    file, line, _ = next(p for p in sorted(places) if p[0].endswith('.c') and p[0] != kind.file)
    lines = compiler.texts[file].split('\n')
    hidden = re.sub(r'switch \((.*)\) \{', r'switch ((int)(\1)) { default: break;', lines[line - 1])
    write(compiler.copy, file, '\n'.join(lines[:line - 1] + [hidden] + lines[line:]))
    silent = silent_places(compiler, pool, kind, [(file, line, line)])
    write(compiler.copy, file, compiler.texts[file])
    return silent == [(file, line, line)]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    texts = sources()
    kinds, places = kinds_of(texts), places_of(texts)
    with tempfile.TemporaryDirectory() as copy, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for folder in FOLDERS:
            shutil.copytree(os.path.join(ROOT, folder), os.path.join(copy, folder))
        compiler = Compiler(sys.argv[1], copy, texts)
        files = count = 0
        good, checked = True, []
        for kind in kinds:
            own = sorted(p for p, words in places.items() if words & (kind.members | {kind.count})
                         and compiler.unit_of(p[0]))
            if own:
                f, n, ok = check_kind(compiler, pool, kind, own)
                files, count, good = files + f, count + n, good and ok
                checked.append((kind, own))
        print('kinds: %d kinds; a new one gives a diagnostic in all of %d files, at %d places' %
              (len(checked), files, count) if good else 'kinds: a new kind is not noticed at the places above')
        joint = next(c for c in checked if c[0].name == 'HeftJointType')
        if not notices_hidden_switch(compiler, pool, *joint):
            good = False
            print('kinds: this test does not notice a switch that is hidden from the compiler')
    sys.exit(0 if good else 1)


if __name__ == '__main__':
    main()
