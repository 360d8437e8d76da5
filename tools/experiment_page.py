#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/manual/experiments.md from the experiments themselves: runs them all, takes the words
from the heads of experiments/*.c, the claims from what was measured, pictures and figures from
what was drawn. Needs ImageMagick (convert) to make the pictures small.

    tools/experiment_page.py build/release/bin/heft [--keep FOLDER]    FOLDER holds an earlier run"""
import os
import re
import subprocess
import sys
import tempfile

INTRO = """# Experiments

The papers that Heft comes from tell of humanoids that stand, sway, squat, walk, push, lift and fall. Here these
experiments are done again with robots of our own (`models/`), each by one command, with a log, a figure and a verdict
on every claim. All of them run closed loop with the same controller and the same gains
(`heft_biped_step()`, [control.h](../../include/heft/control.h)), except where it says that servos hold the joints.

```sh
heft experiment --list
heft experiment walk --brief --out results
```

`heft experiment --all --out results` runs them in full and writes `NAME.csv`, `NAME.svg`, `NAME.png` and
`claims.md`; with `--check` the exit code tells whether all claims hold. That takes 41 s of processor time with pictures.
`heft experiment walk --starts 100` starts a hundred times with the robot moved by up to 2 mm, turned by 1 degree and its
joints by up to a quarter of one, and counts how often it succeeds; measured were 100 of 100 for each of stand, sway, squat,
walk, pillar, lift (8.4 kg) and sofa. The worst certificate of all those steps was 3e-7 for pillar and lift, 1.3e-6 for
sofa. The tests run the short form of all (`--brief`).

A claim *holds*, *fails*, or *differs*: what we find is sound as far as we can tell, but not what a paper says; then the
text of the experiment says why.

This page is written by `tools/experiment_page.py` from what the program measured and drew. Figures of experiments that
tell times (table, avatar, greet, together, share, delassus) are of a run on a machine with less to do than that of the
others.

"""


def words(root, name):
    """The head comment of the experiment's file, without the licence."""
    text = []
    with open(os.path.join(root, 'experiments', name + '.c')) as file:
        for line in file:
            if not line.startswith('//'):
                break
            if 'SPDX' not in line:
                text.append(line[2:].strip())
    return '\n'.join(text)


def rows(folder):
    out = {}
    with open(os.path.join(folder, 'claims.md')) as file:
        for line in file.readlines()[2:]:
            cells = [c.strip() for c in line.strip().strip('|').split(' | ')]
            out.setdefault(cells[0], []).append(cells[1:])
    return out


def picture(folder, name, to):
    made = os.path.join(folder, name + '.png')
    if not os.path.exists(made):
        return False
    subprocess.run(['convert', made, '-resize', 'x300', '-colors', '160', '-define', 'png:compression-level=9',
                    os.path.join(to, name + '.png')], check=True)
    return True


def main():
    heft, root = os.path.abspath(sys.argv[1]), os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    work = sys.argv[3] if len(sys.argv) > 3 else tempfile.mkdtemp()
    if len(sys.argv) <= 3:
        subprocess.run([heft, 'experiment', '--all', '--out', work], check=True)
    listed = subprocess.run([heft, 'experiment', '--list'], check=True, capture_output=True, text=True).stdout
    to = os.path.join(root, 'docs', 'manual', 'experiments')
    os.makedirs(to, exist_ok=True)
    claims, page = rows(work), INTRO
    for line in listed.splitlines():
        name, what, source = re.match(r'(\S+)\s+(.*) \((.*)\)$', line).groups()
        page += '## %s\n%s (%s).\n\n%s\n\n`heft experiment %s`\n\n' % (
            name, what[0].upper() + what[1:], source, words(root, name), name)
        if picture(work, name, to):
            page += '![%s](experiments/%s.png)\n\n' % (what, name)
        figure = os.path.join(work, name + '.svg')
        if os.path.exists(figure):
            with open(figure) as old, open(os.path.join(to, name + '.svg'), 'w') as new:
                new.write(old.read())
            page += '![curves of %s](experiments/%s.svg)\n\n' % (name, name)
        page += '| claim | where | figure | verdict |\n|---|---|---|---|\n'
        page += ''.join('| %s |\n' % ' | '.join(row) for row in claims.get(name, [])) + '\n'
    with open(os.path.join(root, 'docs', 'manual', 'experiments.md'), 'w') as file:
        file.write(page.rstrip() + '\n')


if __name__ == '__main__':
    main()
