#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures Heft's columns of the table in docs/manual/validation.md anew; the columns of other engines stay.

usage: validation_page.py [--check] <heft> <page> [--json FILE] [group or case...]   (default: theory users)
--json FILE: takes the rows from the output of an earlier `heft validate --json`. --check: compares and writes nothing; exit code
1 if a row fails. A row that was not measured, such as one of the long form, stays as it is.

A row of the table of engines is found by its case and its text, equal texts in their order. Below it is when, with which version and
where it was measured."""
import json
import re
import subprocess
import sys

import speed_page

HEAD = '| case | what | exact | error | limit | MuJoCo |'
STAMP = re.compile(r"^Heft's columns: .*\n\n", re.M)


def table(text, head):
    """(start, end, lines) of the table with this head."""
    start = text.index(head)
    end = text.index('\n\n', start)
    return start, end, text[start:end].split('\n')


def numbers(row):
    """Cells exact, error, limit of a measured row."""
    return ['%.6g' % row['exact'], '%.1e' % row['error'] + ('' if row['ok'] else ' **fails**'), '%.1e' % row['limit']]


def main():
    words = sys.argv[1:]
    check = '--check' in words
    words = [w for w in words if w != '--check']
    stored = None
    if '--json' in words:
        at = words.index('--json')
        stored = words[at + 1]
        del words[at:at + 2]
    if len(words) < 2:
        sys.exit(__doc__)
    heft, page, names = words[0], words[1], words[2:] or ['theory', 'users']
    loads = [speed_page.load()]
    if stored:
        with open(stored, encoding='utf-8') as file:
            rows = json.load(file)['rows']
    else:
        rows = json.loads(subprocess.run([heft, 'validate', '--json', *names], stdout=subprocess.PIPE, text=True).stdout)['rows']
    loads.append(speed_page.load())
    measured = {}  # texts may repeat in a case: "the same: ..."
    for row in rows:
        if row['engine'] == 'heft':
            measured.setdefault((row['case'], row['what']), []).append(row)
    ran = {row['case'] for row in rows}

    with open(page, encoding='utf-8') as file:
        text = file.read()
    start, end, lines = table(text, HEAD)
    wrong = renewed = 0
    for number, line in enumerate(lines[2:], 2):
        cells = [c.strip() for c in line.strip().strip('|').split('|')]
        row = (measured.get((cells[0], cells[1])) or [None]).pop(0)
        if row is None:
            if cells[0] in ran:
                print('validation_page: %s: "%s" was not measured; the row stays' % (cells[0], cells[1]))
            continue
        if not row['ok']:
            wrong += 1
            print('validation_page: %s: %s fails: error %.1e, limit %.1e' % (cells[0], cells[1], row['error'], row['limit']))
        cells[2:5] = numbers(row)
        lines[number] = '| ' + ' | '.join(cells) + ' |'
        renewed += 1
    print('validation_page: %d rows renewed, %d mistakes' % (renewed, wrong))
    if check:
        sys.exit(1 if wrong else 0)
    command = '`heft validate %s`' % ' '.join(names)
    stamp = "Heft's columns: %s, %s" % (command, speed_page.stamp(heft, loads).replace('Measured', 'measured', 1))
    text = text[:start] + '\n'.join(lines) + '\n\n' + stamp + '\n\n' + STAMP.sub('', text[end + 2:], count=1)
    with open(page, 'w', encoding='utf-8') as file:
        file.write(text)


if __name__ == '__main__':
    main()
