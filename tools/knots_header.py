#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes experiments/snatch_knots.h from the knots that heft optimise found, models/hrp2_lift_*.csv (docs/manual/judge.md):

    tools/knots_header.py [--check]     --check: compares with the file instead of writing it"""
import os
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..')
MASSES = ('8.4', '23.4')


def text():
    out = ['// SPDX-License-Identifier: Apache-2.0', '// Made by tools/knots_header.py from models/hrp2_lift_MASS.csv, which heft optimise wrote.',
           '// Knots of dynamic lifts: time [s], joints [rad].', '// clang-format off', '#ifndef HEFT_EXPERIMENTS_SNATCH_KNOTS_H', '#define HEFT_EXPERIMENTS_SNATCH_KNOTS_H', '']
    for mass in MASSES:
        with open(os.path.join(ROOT, 'models', 'hrp2_lift_%s.csv' % mass), encoding='utf-8') as file:
            rows = [line.strip().split(',') for line in file if line.strip()]
        if mass == MASSES[0]:
            out += ['enum { SNATCH_KNOTS = %d, SNATCH_COLUMNS = %d };' % (len(rows) - 1, len(rows[0])),
                    'static const char* const snatch_columns[SNATCH_COLUMNS] = {%s};' % ', '.join('"%s"' % n for n in rows[0])]
        out.append('static const double snatch_knots_%s[SNATCH_KNOTS][SNATCH_COLUMNS] = {' % mass.split('.')[0])
        out += ['    {%s}%s' % (', '.join(r), ',' if r is not rows[-1] else '};') for r in rows[1:]]
    return '\n'.join(out + ['', '#endif', ''])


def main():
    path = os.path.join(ROOT, 'experiments', 'snatch_knots.h')
    if '--check' in sys.argv[1:]:
        with open(path, encoding='utf-8') as file:
            if file.read() != text():
                print('experiments/snatch_knots.h does not follow from models/hrp2_lift_*.csv; run tools/knots_header.py')
                return 1
        print('knots: experiments/snatch_knots.h follows from the knots of models')
        return 0
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text())
    return 0


if __name__ == '__main__':
    sys.exit(main())
