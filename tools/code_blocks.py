#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts the code blocks of the pages for users, and those that no test runs (tools/run_snippets.py, js/test/pages.test.mjs).

    tools/code_blocks.py           a line for each page that has blocks that are not run
    tools/code_blocks.py --list    also where they are"""
import glob
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FENCE = re.compile(r'^```(\w*)\n(.*?)^```$', re.S | re.M)


def is_run(kind, body):
    """The rules of run_snippets.py and pages.test.mjs; text is what a program prints."""
    if kind == 'c':
        return bool(re.search(r'\bint main\(', body)) and '<heft/view.h>' not in body
    if kind == 'xml':
        return bool(re.search(r'^<(mujoco|robot)\b', body, re.M))
    if kind == 'js':
        return 'await init()' in body
    return kind in ('sh', 'python', 'text')


def main():
    total = left = 0
    for page in ['README.md'] + sorted(glob.glob('docs/manual/*.md', root_dir=ROOT) + glob.glob('docs/tutorials/*.md', root_dir=ROOT)):
        with open(os.path.join(ROOT, page), encoding='utf-8') as file:
            text = file.read()
        blocks = [(m.start(), m.group(1), is_run(*m.groups())) for m in FENCE.finditer(text)]
        outside = FENCE.sub(lambda m: re.sub(r'[^\n]', '', m.group(0)), text)
        # Indented blocks hold lines that need a screen, a device, root or much time: they are shown, not run.
        for m in re.finditer(r'\n\n((?:    [^\n]*\n)+)', outside):
            if not re.search(r'^\s*([-*]|\d+\.) [^\n]*$', outside[:m.start()].rsplit('\n', 1)[-1]):
                blocks.append((m.start(1), 'indented', False))
        not_run = [(at, kind) for at, kind, run in blocks if not run]
        total, left = total + len(blocks), left + len(not_run)
        if not_run:
            print('%-44s %3d of %3d blocks are not run' % (page, len(not_run), len(blocks)))
        if '--list' in sys.argv:
            print(''.join('  %s:%d %s\n' % (page, text.count('\n', 0, at) + 1, kind) for at, kind in not_run), end='')
    print('code blocks: %d of %d are run or compared by tests' % (total - left, total))


if __name__ == '__main__':
    main()
