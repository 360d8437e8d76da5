#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/papers.md: every requirement, scenario and open problem of the source papers with its code, its evidence and two
verdicts. The list is tools/papers.txt; code and evidence are the files that name a key in a line of their head comment:

    // Papers: R26, R27, S11.

Files under src, apps, include and models are code; files under tests, experiments, validation and examples are evidence. *Rebuilt*
is a judgement in the list: "full" needs both, "partial" needs some and a reason, "missing" needs a reason. *Reproduced* is in no list.
It follows from docs/manual/experiments.md, which is measured: in the experiments that name the key, the claims that cite a paper of
the item, and how many of them hold. A claim that does not hold is *contradicted* where a search over all settings that the paper
leaves open found none with its figure: a row whose verdict is "contradiction" cites that figure, or a range with it.

usage: papers_table.py [--check|--print]     --check: compares with the page instead of writing it; --print: prints the items that are full, too"""
import os
import re
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..')
CODE, EVIDENCE = ('src', 'apps', 'include', 'models', 'tools'), ('tests', 'experiments', 'validation', 'examples')
KEY = re.compile(r'^[RSU][0-9]+$')
LETTERS = {'A': 'Chardonnet 2012', 'B': 'Moraud 2008', 'C': 'Sugihara 2006', 'D': 'Chardonnet 2008', 'E': 'Keith 2008'}
KINDS = (('R', 'Requirements'), ('S', 'Scenarios'), ('U', 'Open problems'))


def rows():
    out, wrong = [], []
    with open(os.path.join(ROOT, 'tools', 'papers.txt'), encoding='utf-8') as file:
        for number, line in enumerate(file, 1):
            if line.startswith('#') or not line.strip():
                continue
            cells = [c.strip() for c in line.split(' | ')]
            good = len(cells) in (4, 5) and KEY.match(cells[0]) and cells[3] in ('full', 'partial', 'missing')
            if not good or (len(cells) == 5) != (cells[3] != 'full'):
                wrong.append('tools/papers.txt:%d: expected key | source | requirement | verdict | reason (unless full)' % number)
                continue
            out.append(dict(zip(('key', 'source', 'text', 'verdict', 'reason'), cells + [''])))
    keys = [r['key'] for r in out]
    for kind, last in (('R', 76), ('S', 19), ('U', 12)):
        for i in range(1, last + 1):
            if keys.count('%s%d' % (kind, i)) != 1:
                wrong.append('tools/papers.txt: %s%d is there %d times' % (kind, i, keys.count('%s%d' % (kind, i))))
    return out, wrong


def annotations(known):
    """key -> files, for code and for evidence."""
    code, evidence, wrong = {}, {}, []
    for tops, into in ((CODE, code), (EVIDENCE, evidence)):
        for top in tops:
            for folder, _, names in sorted(os.walk(os.path.join(ROOT, top))):
                for name in sorted(names):
                    if not name.endswith(('.c', '.h', '.cpp', '.py', '.sh')) or name == 'papers_table.py':
                        continue
                    path = os.path.relpath(os.path.join(folder, name), ROOT)
                    with open(os.path.join(ROOT, path), encoding='utf-8') as file:
                        head = [next(file, '') for _ in range(6)]
                    for number, line in enumerate(head, 1):
                        found = re.match(r'^(?://|#) Papers: (.*)\.$', line.rstrip())
                        for key in found.group(1).split(', ') if found else []:
                            if key in known:
                                into.setdefault(key, []).append(path)
                            else:
                                wrong.append('%s:%d: there is no "%s" in tools/papers.txt' % (path, number, key))
    return code, evidence, wrong


def figures(source):
    """(paper, figure or section) of a citation; Fig. 6-9 are four."""
    papers, out = re.findall(r'\[([A-Z][^]]*)\]', source), set()
    for first, last in re.findall(r'Fig\. (\d+)(?:-(\d+))?', source):
        out |= {'Fig. %d' % i for i in range(int(first), int(last or first) + 1)}
    out |= set(re.findall(r'\b[IVX]+-[A-Z]\b', source))
    return {(paper, figure) for paper in papers for figure in out}


def measured():
    """experiment -> (source, verdict) of each claim on the page of experiments: holds, contradiction, or another word."""
    out, name = {}, None
    with open(os.path.join(ROOT, 'docs', 'manual', 'experiments.md'), encoding='utf-8') as file:
        for line in file:
            if line.startswith('## '):
                name = line[3:].strip()
            row = re.match(r'^\| .* \((\[[A-Z].*?)\) \| (.*) \|$', line)
            if row:
                verdict = re.search(r': \*\*(differs|fails|contradiction)\*\*$', row.group(2))
                out.setdefault(name, []).append((row.group(1), verdict.group(1) if verdict else 'holds'))
    shown = set().union(*(figures(s) for claims in out.values() for s, v in claims if v == 'contradiction'))
    return {name: [(s, 'contradiction' if v == 'differs' and figures(s) and figures(s) <= shown else v) for s, v in claims]
            for name, claims in out.items()}


def reproduced(row, evidence, claims):
    """(claims that hold, contradicted claims, claims) on the item, from the experiments that name it."""
    papers = [LETTERS[letter] for letter in re.findall(r'\b[A-E]\b', row['source'])]
    found = [verdict for path in evidence.get(row['key'], []) if path.startswith('experiments/')
             for source, verdict in claims.get(os.path.basename(path)[:-2], []) if any(p in source for p in papers)]
    return found.count('holds'), found.count('contradiction'), len(found)


def word(result):
    holds, against, count = result
    if count == 0 or holds == count:
        return 'yes, %d' % count if count else 'no claim'
    return 'contradiction, %d of %d' % (against, count) if holds + against == count else '**%d of %d**' % (holds, count)


def links(paths):
    return ', '.join('[%s](../%s)' % (os.path.basename(p), p) for p in paths)


def page(table, code, evidence, every=False):
    claims = measured()
    results = {r['key']: reproduced(r, evidence, claims) for r in table}
    out = ['# The source papers, item by item', '',
           '`tools/papers_table.py` writes this page from the list `tools/papers.txt`, from the lines `Papers: ...` at the heads of',
           'sources, experiments and tests, and from the measured [experiments](manual/experiments.md). Tests compare both pages. Letters: ' +
           ', '.join('%s [%s]' % item for item in LETTERS.items()) + ' ([references](references.md)).', '',
           '*Rebuilt* is a judgement: Heft does what the paper asks or shows, with the robot, model and controller of the paper as far as',
           'it states them. *Reproduced* is computed: claims that cite the paper, in the experiments of the item, and how many of them',
           'hold. *Contradiction*: no setting has the others ([region](manual/experiments.md#region)). An item without such a claim is tested by the files it names. The page lists scenarios, and the other',
           'items that are not fully rebuilt or not reproduced; `tools/papers_table.py --print` prints all.', '',
           '| | items | rebuilt | partly | missing | reproduced | contradiction | not | no claim |', '|---|---|---|---|---|---|---|---|---|']
    for kind, name in KINDS:
        mine = [r for r in table if r['key'][0] == kind]
        built = [sum(r['verdict'] == v for r in mine) for v in ('full', 'partial', 'missing')]
        found = [results[r['key']] for r in mine]
        shown = [sum(n > 0 and h == n for h, c, n in found), sum(h < n and h + c == n for h, c, n in found),
                 sum(h + c < n for h, c, n in found), sum(n == 0 for h, c, n in found)]
        out.append('| %s | %s |' % (name, ' | '.join(map(str, [len(mine)] + built + shown))))
    for kind, name in KINDS:
        listed = [r for r in table if r['key'][0] == kind and
                  (every or kind == 'S' or r['verdict'] != 'full' or results[r['key']][0] < results[r['key']][2])]
        if listed:
            out += ['', '## ' + name, '', '| key | source | what | rebuilt | reproduced | code and evidence |', '|---|---|---|---|---|---|']
        for r in listed:
            built = r['verdict'] + (': ' + r['reason'] if r['reason'] else '')
            files = code.get(r['key'], []) + evidence.get(r['key'], [])
            out.append('| %s | %s | %s | %s | %s | %s |' % (r['key'], r['source'], r['text'], built, word(results[r['key']]), links(files)))
    return '\n'.join(out) + '\n'


def main():
    table, wrong = rows()
    code, evidence, more = annotations({r['key'] for r in table})
    wrong += more
    for r in table:
        if r['verdict'] == 'full' and not (code.get(r['key']) and evidence.get(r['key'])):
            wrong.append('tools/papers.txt: %s is full, but no %s names it' %
                         (r['key'], 'code' if not code.get(r['key']) else 'evidence'))
        if r['verdict'] == 'partial' and not (code.get(r['key']) or evidence.get(r['key'])):
            wrong.append('tools/papers.txt: %s is partial, but no file names it' % r['key'])
    if '--print' in sys.argv[1:]:
        print(page(table, code, evidence, every=True))
        return 1 if wrong else 0
    text, path = page(table, code, evidence), os.path.join(ROOT, 'docs', 'papers.md')
    if '--check' in sys.argv[1:]:
        old = open(path, encoding='utf-8').read() if os.path.exists(path) else ''
        if old != text:
            wrong.append('docs/papers.md is out of date; run tools/papers_table.py')
    elif not wrong:
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)
    print('\n'.join(wrong) if wrong else 'papers: docs/papers.md follows from %d items' % len(table))
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
