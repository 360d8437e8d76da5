#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/manual/options.md: every verb of the command with all of its options, as `heft VERB --help` prints them.

    tools/options_page.py HEFT            writes the page
    tools/options_page.py --check HEFT    exit code 1 if the page is out of date, or if the sources of the command (apps/heft, or
                                          those of HEFT_OPTION_SOURCES) name an option that no help has

Sections of help that several verbs share (Loading, Contact models) are on the page once."""
import glob
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = os.path.join(ROOT, 'docs/manual/options.md')
ROW = re.compile(r'^  ([a-z]+) +\S', re.M)
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
    out = ['# All options', '',
           'Every verb of the command `heft` with its options. `tools/options_page.py` writes this page from `heft VERB --help`, and the gate',
           'compares them. [The command line](command-line.md) tells what all verbs have in common.', '']
    found = {}
    first = help_of(heft)
    out += ['## heft', '', '```', re.sub(r'^heft \S+:', 'heft:', first.rstrip()), '```', '']
    for verb in ROW.findall(first):
        text = help_of(heft, verb)
        calls = [(verb,)] + [(verb, part) for part in (ROW.findall(text) if verb in PARTS else [])]
        for call in calls:
            text, shared = help_of(heft, *call), []
            for name, pattern in SHARED:
                match = pattern.search(text)
                if match:
                    known = found.setdefault(name, match.group(0).strip())
                    if known == match.group(0).strip():
                        text = text.replace(match.group(0), '\n')
                        shared.append('[%s](#%s)' % (name, name.lower().replace(' ', '-')))
            out += ['##%s heft %s' % ('#' * (len(call) > 1), ' '.join(call)), '', '```', re.sub(r'\n{3,}', '\n\n', text).rstrip(), '```', '']
            if shared:
                out += ['Also the options of %s.' % ' and '.join(shared), '']
    for name, text in found.items():
        out += ['## ' + name, '', '```', text, '```', '']
    return '\n'.join(out).rstrip() + '\n'


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
                sys.exit('docs/manual/options.md is out of date; run tools/options_page.py build/ci/bin/heft')
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
