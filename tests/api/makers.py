#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the headers with the rows of the tests in which memory runs out (tests/*/test_starved.c): every function that
may take memory must have a row, and every row a function. A function may take memory if it returns HeftStatus with
a HeftError, hands out an object (T** or T*), or takes an allocator. Headers that are not installed count, too.

    makers.py INCLUDE_FOLDER TEST.c..."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'tools'))
sys.dont_write_bytecode = True
from api import Api, load  # noqa: E402

ENDS = re.compile(r'_(destroy|close|release|free)$')

# Functions without a row, and the reason.
EXEMPT = {
    'heft_image_draw_text': 'Dear ImGui ends the program if it has no memory',
    'heft_viewer_create': 'Dear ImGui, SDL and drivers end the program if they have no memory',
    'heft_viewer_run': 'Dear ImGui, SDL and drivers end the program if they have no memory',
    'heft_replay_session': 'returns what is there',
    'heft_replay_world': 'returns what is there',
    'heft_session_probe': 'returns what is there',
    'heft_guest_join': 'libwebsockets has the connection, and the model comes from a server',
}


def may_take_memory(function):
    kinds = [p['type'] for p in function['parameters']]
    if ENDS.search(function['name']):
        return False
    return (function['type'] == 'HeftStatus' and 'HeftError*' in kinds) or \
        re.match(r'Heft\w+ ?\*$', function['type']) is not None or \
        any(kind.endswith('**') and not kind.startswith('const') for kind in kinds) or \
        any('HeftAllocator' in kind for kind in kinds)


def main():
    makers = {f['name'] for f in Api(load(sys.argv[1]), without=()).all_functions if not f['inline'] and may_take_memory(f)}
    rows = set()
    for path in sys.argv[2:]:
        with open(path) as file:
            rows |= set(re.findall(r'STARVED_ROW\((\w+),', file.read()))
    wrong = ['%s may take memory and has no row in tests/*/test_starved.c' % n for n in sorted(makers - rows - set(EXEMPT))]
    wrong += ['%s has a row or an exemption, and no header declares it as a function that may take memory' % n
              for n in sorted((rows | set(EXEMPT)) - makers)]
    wrong += ['%s has a row and an exemption' % n for n in sorted(rows & set(EXEMPT))]
    for line in wrong:
        print('makers: ' + line)
    print('makers: %d functions may take memory, %d have a row, %d are exempt' % (len(makers), len(rows & makers), len(EXEMPT)))
    sys.exit(1 if wrong else 0)


main()
