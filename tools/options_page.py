#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the end of docs/manual/command-line.md, from the line MARK on: the options of every verb of the command, from `heft VERB --help`.

    tools/options_page.py HEFT            writes the page
    tools/options_page.py --check HEFT    exit code 1 if the page is out of date, or if the sources of the command (apps/heft, or
                                          those of HEFT_OPTION_SOURCES) name an option that no help has

Sections of help that several verbs share (Loading, Contact models) have a row of their own."""
import glob
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = os.path.join(ROOT, 'docs/manual/command-line.md')
ROW = re.compile(r'^  ([a-z]+) +\S', re.M)
MARK = '<!-- tools/options_page.py writes the rest -->\n'
PARTS = {'bench', 'sweep'}  # verbs whose first argument has options of its own
# Options that the command gives to a process of its own.
INTERNAL = {'--count': 'steps that valgrind counts, of bench motion', '--once': 'one pass that valgrind counts, of bench pieces'}
OPTION = re.compile(r'(?<![\w-])--[a-z][a-z0-9-]*')
SHARED = [('Loading', re.compile(r'\nLoading:\n.*?\nof a plain FOLDER is a package\.\n', re.S)),
          ('Contact models', re.compile(r'\nContact models, as NAME or NAME:OPTION=VALUE,OPTION=VALUE\.\.\.\n.*?(?=\n\n|\Z)', re.S))]


def help_of(heft, *words):
    done = subprocess.run([heft, *words, '--help'], capture_output=True, text=True, check=True)
    return done.stdout


def page(heft):
    """The page: what is before MARK as it is, the rest from the help."""
    with open(PAGE, encoding='utf-8') as file:
        out = [file.read().split(MARK)[0] + MARK, '## All options', '',
               'Each option by name; `heft VERB --help` prints its meaning. L: also the options of loading; C: also contact models, both in the last rows.',
               '', '| verb | options |', '|---|---|']
    found = {}
    first = help_of(heft)
    out += ['| heft | %s |' % ' '.join('`%s`' % n for n in sorted(set(OPTION.findall(first))))]
    for verb in ROW.findall(first):
        text = help_of(heft, verb)
        calls = [(verb,)] + [(verb, part) for part in (ROW.findall(text) if verb in PARTS else [])]
        for call in calls:
            text, shared = help_of(heft, *call), ''
            for name, pattern in SHARED:
                match = pattern.search(text)
                if match and found.setdefault(name, match.group(0).strip()) == match.group(0).strip():
                    text = text.replace(match.group(0), '\n')
                    shared += ' ' + name[0]
            names = sorted(set(OPTION.findall(text)))
            out += ['| heft %s | %s%s |' % (' '.join(call), ' '.join('`%s`' % n for n in names) or 'none', shared)]
    for name, text in found.items():
        names = sorted(set(OPTION.findall(text))) if name == 'Loading' else re.findall(r'^  ([a-z_]+) ', text, re.M)
        out += ['| %s: %s | %s |' % (name[0], name.lower(), ' '.join('`%s`' % n for n in names))]
    return '\n'.join(out) + '\n'


def undocumented(text):
    """Options that stand alone in a string of the sources and not on the page, with their files."""
    known = set(OPTION.findall(text)) | set(INTERNAL)
    folder = os.environ.get('HEFT_OPTION_SOURCES', os.path.join(ROOT, 'apps/heft'))
    found = []
    for path in sorted(glob.glob(os.path.join(folder, '*.c'))):
        with open(path, encoding='utf-8') as file:
            found += [(os.path.basename(path), o) for o in sorted(set(re.findall(r'"(--[a-z][a-z0-9-]*)=?"', file.read()))) if o not in known]
    return found


def main():
    if len(sys.argv) < 2 or (sys.argv[1] == '--check' and len(sys.argv) < 3):
        sys.exit(__doc__)
    text = page(sys.argv[-1])
    if sys.argv[1] == '--check':
        with open(PAGE, encoding='utf-8') as file:
            if file.read() != text:
                sys.exit('docs/manual/command-line.md is out of date; run tools/options_page.py build/ci/bin/heft')
        missing = undocumented(text)
        for name, option in missing:
            print('%s: no help has the option %s; describe it, or name it in INTERNAL of tools/options_page.py' % (name, option))
        if missing:
            sys.exit(1)
        print('options page: %d options' % len(set(OPTION.findall(text))))
        return
    with open(PAGE, 'w', encoding='utf-8') as file:
        file.write(text)


if __name__ == '__main__':
    main()
