#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/manual/experiments.md from the experiments themselves: runs them all, takes the text
from the heads of experiments/*.c, the claims from what was measured, pictures and figures from
what was drawn. Needs ImageMagick (convert) to make the pictures small.

    tools/experiment_page.py build/release/bin/heft [--keep FOLDER]    FOLDER holds an earlier run
    tools/experiment_page.py build/release/bin/heft --texts            texts anew; measurements of the page stay
    tools/experiment_page.py build/release/bin/heft --some FOLDER      texts anew, and measurements of the experiments in FOLDER"""
import functools
import os
import re
import subprocess
import sys
import tempfile
import textwrap

INTRO = """# Experiments

Heft repeats the experiments of its [source papers](../references.md): humanoids that stand, sway, squat, walk, push, lift
and fall. The robots are our own
models (`models/`). [The table of the papers](../papers.md) states what is rebuilt, and counts what is reproduced.

Experiments of the papers with numbers or curves run in open loop, as there: drives with gear, viscous and dry friction
([Chardonnet 2012], Eq. 22) follow planned joint angles. The others run in closed loop with one controller and one set of gains
(`heft_biped_step()`), unless the text names servos.

```sh
heft experiment --list
heft experiment walk --brief --out results
```

`heft experiment --all --out results` runs all experiments in full and writes `NAME.csv`, `NAME.svg`, `NAME.png` and
`claims.md`. With `--check` the exit code states whether all claims hold. `--contact-model WORD` runs all worlds under one contact
model, for example `penalty:stiffness=20000,damping=100`; claims are then judged with it. The tests run the short form (`--brief`).

`heft experiment walk --starts 100` repeats the experiment from a hundred initial states. Measured: 100 successes of 100 for each of stand, walk, lift
(8.4 kg) and sofa.

`heft experiment --all --hands 100` runs sofa, carry, table, follow and welcome with 100 users each, whose hands no script moves
([decision 279](../decisions/279-one-supervisor-of-tasks.md)).

`--measured FILE` draws force plates and markers of a C3D or CSV file beside the curves, and prints RMS differences. Columns of CSV are
`time`, `plate1.fx`.. (force on the foot [N], z up), `MARKER.x`.. [m], or names of curves; fields may be
empty. With `--lead MARKER` sway and squat follow a marker. `--peer mujoco` compares pillar, squat
and sway with MuJoCo ([decision 387](../decisions/387-a-second-source.md)).

A claim *holds*, *fails* or *differs*: then Heft's result is sound as far as we can tell, but not the result of the source, and the text
gives the reason. A *contradiction* appears in no setting of a search. The tables have the claims of the sources, and of our own those that do not hold; claims without a verdict hold.

`tools/experiment_page.py` writes this page from the measurements and pictures of the program. Times are
processor times of one thread, on a machine with other load.

"""


# Claims of many experiments: a row only where they do not hold.
COMMON = re.compile('the certificate of the exact model stays below 1e-6|the couplings? (returns no more energy than it absorbed|give no energy that they did not take)')
LEAD = 35  # words of a description; the head of the file has the rest


def words(root, name):
    """The head comment of the experiment's file, without the licence."""
    text = []
    with open(os.path.join(root, 'experiments', name + '.c')) as file:
        for line in file:
            if not line.startswith('//'):
                break
            if 'SPDX' not in line and not line.startswith('// Papers:'):
                text.append(line[2:].strip())
    return '\n'.join(text)


OWN = ('own requirement', 'ours', 'ours, see the text')


def shown(claim, where, verdict):
    """Claims of a source, and of ours those that do not hold."""
    return verdict != 'holds' or where not in OWN and not COMMON.match(claim)


def lead(paragraph):
    """Its first sentences, up to LEAD words, at least one."""
    sentences = re.split(r'(?<=[.)])\s+(?=[A-Z`\[])', ' '.join(paragraph.split()))
    text = sentences[0]
    for sentence in sentences[1:]:
        if len((text + ' ' + sentence).split()) > LEAD:
            break
        text += ' ' + sentence
    return textwrap.fill(text, 120, break_on_hyphens=False, break_long_words=False)


def rows(folder):
    """name -> rows of claims; if an experiment has no claim of a source, all of its own."""
    every = {}
    with open(os.path.join(folder, 'claims.md')) as file:
        for line in file.readlines()[2:]:
            cells = [c.strip() for c in line.strip().strip('|').split(' | ')]
            if cells[-1] != 'holds' or not COMMON.match(cells[1]):
                every.setdefault(cells[0], []).append(cells[1:])
    return {name: [c for c in claims if shown(c[0], c[1], c[-1])] or claims for name, claims in every.items()}


def picture(folder, name, to):
    made = os.path.join(folder, name + '.png')
    if not os.path.exists(made):
        return False
    subprocess.run(['convert', made, '-resize', 'x300', '-colors', '160', '-define', 'png:compression-level=9',
                    os.path.join(to, name + '.png')], check=True)
    return True


def listed_experiments(heft):
    """(name, what happens, source) of every experiment."""
    text = subprocess.run([heft, 'experiment', '--list'], check=True, capture_output=True, text=True).stdout
    return [re.match(r'(\S+)\s+(.*?) \((.*)\)$', line).groups() for line in text.splitlines()]


def title(root, name, what, source, measured):
    """Heading and description: the lead, and the reason where a claim does not hold. The head of the file has the rest."""
    first, *others = words(root, name).split('\n\n')
    text = lead(first)
    reason = '\n\n'.join(others) if re.search(r'\*\*(differs|fails|contradiction)\*\* \|$', measured, re.M) else ''
    if len(text.split()) < len(first.split()) or len(others) and not reason:
        text += '\n[More](../../experiments/%s.c).' % name
    text += '\n\n' + reason if reason else ''
    summary = '' if re.search(r'\[[A-Z][a-z]+ \d{4}\]', text) else '%s (%s).\n\n' % (what[0].upper() + what[1:], source)
    return '## %s\n\n%s%s\n\n' % (name, summary, text)


def row_of(claim, where, figure, verdict):
    """A row of a table: the source behind the claim, a verdict only where the claim does not hold."""
    source = '' if where in OWN else ' (%s)' % where
    return '| %s%s | %s%s |\n' % (claim, source, figure, '' if verdict == 'holds' else ': **%s**' % verdict)


@functools.cache
def version(heft):
    """The first line of heft --version, as Heft 0.3.0."""
    return subprocess.run([heft, '--version'], check=True, capture_output=True, text=True).stdout.split('\n')[0].capitalize()


def measurements(heft, name, work, to, claims):
    """Version, pictures and claims of an experiment, from the folder of a run."""
    page = '%s\n\n' % version(heft)
    if picture(work, name, to):
        page += '![%s](experiments/%s.png)\n\n' % (name, name)
    figure = os.path.join(work, name + '.svg')
    if os.path.exists(figure):
        with open(figure) as old, open(os.path.join(to, name + '.svg'), 'w') as new:
            new.write(old.read())
        page += '![curves of %s](experiments/%s.svg)\n\n' % (name, name)
    page += '| claim | figure |\n|---|---|\n'
    return page + ''.join(row_of(*row) for row in claims.get(name, [])) + '\n'


def renew_texts(heft, root, work=None):
    """Writes introduction and descriptions again; versions, pictures and claims of the page stay, except for those of the
    experiments in the folder `work`."""
    to, claims = os.path.join(root, 'docs', 'manual', 'experiments'), rows(work) if work else {}
    path = os.path.join(root, 'docs', 'manual', 'experiments.md')
    with open(path) as file:
        old = file.read()
    page = INTRO
    for name, what, source in listed_experiments(heft):
        if name in claims:
            measured = measurements(heft, name, work, to, claims)
            page += title(root, name, what, source, measured) + measured
            continue
        measured = re.search(r'^## %s\n.*?^(Heft [0-9.]+\n.*?)(?=^## |\Z)' % name, old, re.M | re.S).group(1)
        page += title(root, name, what, source, measured) + measured.rstrip() + '\n\n'
    with open(path, 'w') as file:
        file.write(page.rstrip() + '\n')


def main():
    if sys.argv[2:3] in (['--texts'], ['--some']):
        return renew_texts(os.path.abspath(sys.argv[1]), os.path.dirname(os.path.dirname(os.path.abspath(__file__))), *sys.argv[3:])
    heft, root = os.path.abspath(sys.argv[1]), os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    work = sys.argv[3] if len(sys.argv) > 3 else tempfile.mkdtemp()
    if len(sys.argv) <= 3:
        subprocess.run([heft, 'experiment', '--all', '--peer', 'mujoco', '--out', work], check=True)
    to = os.path.join(root, 'docs', 'manual', 'experiments')
    os.makedirs(to, exist_ok=True)
    claims, page = rows(work), INTRO
    for name, what, source in listed_experiments(heft):
        measured = measurements(heft, name, work, to, claims)
        page += title(root, name, what, source, measured) + measured
    with open(os.path.join(root, 'docs', 'manual', 'experiments.md'), 'w') as file:
        file.write(page.rstrip() + '\n')


if __name__ == '__main__':
    main()
