#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every table of measured figures has its command near it, and says of which version of Heft it is; the pages of DATED say when and where, too.
Figures of another version than the present one, and engines of which the release is older than two years, must be called that.

    tools/check_figures.py --check [PAGE...]    default: README.md, docs but decisions, bench/results
    tools/check_figures.py --list [PAGE...]     each section with figures, its dates or "older", and the commands that measure it again

A table has measured figures if at least half of its rows have a number, and its head or its cells have a unit or an error. A
command is code that begins with heft, or names a program of tools, tests, bench, examples or a test_ program, in the same
section (above the table or below it) or in the first section of the page. In the same places is the version, as "Heft 0.3.0"; of another
MAJOR.MINOR than the present one with the word "older", which also belongs into each paragraph with a date up to the last release; a comment "held by: FILE" replaces it where a test or case asserts the figures. The pages of DATED have a date and a machine there, too. Sections with such a table, or with
a measurement and a version of another engine, state the year of its release if ENGINES has it as more than two years before."""
import datetime
import glob
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DATED = {'docs/manual/speed.md', 'docs/manual/validation.md', 'docs/manual/sweep.md'}
UNIT = re.compile(r'\[(?:µs|us|ms|s|ns|%|m|mm|µm|N|J|m/s|kB|MB)\]|\d (?:µs|ms|ns|mm|µm|%|kB|MB|MiB)\b|\d[eE]-\d|error|instructions|runs/s|steps/s')
SETTING = re.compile(r'\b(?:default|option|attribute|limit|key|range|meaning|effect|unit|field|type|needs|symbol|argument|column|byte|bytes|offset)\b', re.I)
COMMAND = re.compile(r'(?:^|`|<!-- measured: |    )(?:\$ )?(?:[A-Z_]+=\S+ )*(?:python3 |sh |node |nice |time )?(?:heft [a-z]|bench [a-z]|(?:\.\./)?(?:tools|tests|bench|build|examples|js|validation)/[\w/.-]+|test_\w+|python3? [\w/]+\.py|npm run|cmake|ctest)', re.M)
DATE = re.compile(r'\b\d{1,2}\s+(?:January|February|March|April|May|June|July|August|September|October|November|December)\s+20\d\d\b')
VERSION = re.compile(r'\bHeft (\d+\.\d+)\.\d+\b(,? older\b)?')
HELD = re.compile(r'<!-- held by: (\S+) -->')
# MAJOR.MINOR of engines that the pages name, and the year of their release.
ENGINES = {'Box3D': {'0.2': 2026}, 'Bullet': {'3.24': 2022}, 'DART': {'6.12': 2021}, 'ODE': {'0.16': 2020}, 'Siconos': {'4.4': 2021}, 'MuJoCo': {'2.2': 2022, '3.12': 2026, '3.14': 2026}}
ENGINE = re.compile(r'\b(%s) (\d+\.\d+)(?:\.\d+)?\b' % '|'.join(ENGINES))
YEARS = 2
MACHINE = re.compile(r'\b(?:Xeon|EPYC|Ryzen|Core i\d|processors?|cores?)\b')


def present():
    """MAJOR.MINOR of this tree, and the dates in CHANGELOG.md of its last section and of the last one of another MAJOR.MINOR."""
    with open(os.path.join(ROOT, 'include/heft/version.h'), encoding='utf-8') as file:
        numbers = '.'.join(re.findall(r'#define HEFT_VERSION_(?:MAJOR|MINOR) (\d+)', file.read()))
    with open(os.path.join(ROOT, 'CHANGELOG.md'), encoding='utf-8') as file:
        released = re.findall(r'^## (\d+\.\d+)\S* \((\d{4})-(\d\d)-(\d\d)\)', file.read(), re.M)
    dates = [(version, datetime.date(*map(int, date))) for version, *date in released]
    return numbers, max(date for _, date in dates).year, max(date for version, date in dates if version != numbers)


PRESENT, NOW, LAST = present()


def sections(text):
    """(first line, text) of each part between headings of level two; code fences hold no headings."""
    start, part, code = 1, [], False
    for number, line in enumerate(text.split('\n'), 1):
        code ^= line.startswith('```')
        if not code and re.match(r'## ', line) and part:
            yield start, part
            start, part = number, []
        part.append(line)
    yield start, part


def tables(first, lines):
    """(line, rows) of each table; the first row is the head."""
    rows, start = [], 0
    for number, line in enumerate(lines + [''], first):
        if line.startswith('|'):
            start = start or number
            rows.append(line)
        elif rows:
            yield start, rows
            rows, start = [], 0


def is_measured(rows):
    body = [re.sub(r'`[^`]*`', '', r) for r in rows[2:]]
    if not body or SETTING.search(rows[0]):
        return False
    numbers = [r for r in body if re.search(r'\|[^|a-zA-Z]*\d[^|]*(?=\|)', r)]
    return 2 * len(numbers) >= len(body) and bool(UNIT.search(rows[0]) or sum(bool(UNIT.search(r)) for r in body) * 2 >= len(body))


def old_dates(text):
    """(line, date) of dates up to the last release in paragraphs and items of lists without the word "older"."""
    line = 1
    for paragraph in re.split(r'\n(?=\n|- )', text):
        for date in [] if re.search(r'\bolder\b', paragraph) else DATE.findall(paragraph):
            if datetime.datetime.strptime(' '.join(date.split()), '%d %B %Y').date() <= LAST:
                yield line + paragraph[:paragraph.index(date)].count('\n'), date
        line += paragraph.count('\n') + 1


def listed(page, text):
    head = ''
    for first, lines in sections(text):
        whole = '\n'.join(lines)
        head = head or whole
        dates = {' '.join(date.split()) for date in DATE.findall(whole)}
        if dates or VERSION.search(whole) or any(is_measured(rows) for _, rows in tables(first, lines)):
            found = [re.split('`|\n| -->', where[m.start():].lstrip('` \n').replace('<!-- measured: ', '', 1))[0].strip()
                     for where in [whole if COMMAND.search(whole) else head] for m in COMMAND.finditer(where)]
            yield '%s:%d\t%s\t%s' % (page, first, ', '.join(['older'] * bool(re.search(r'\bolder\b', whole)) + sorted(dates)), ' ; '.join(dict.fromkeys(found)))


def mistakes(page, text):
    for line, date in old_dates(text):
        yield '%s:%d: %s is not after the last release; measure again, or write "older"' % (page, line, ' '.join(date.split()))
    parts = list(sections(text))
    head = '\n'.join(parts[0][1])
    for first, lines in parts:
        whole = '\n'.join(lines)
        found = [start for start, rows in tables(first, lines) if is_measured(rows)]
        for start in found:
            if not COMMAND.search(whole) and not COMMAND.search(head):
                yield '%s:%d: figures without the command that measures them' % (page, start)
        for what, pattern in (('date', DATE), ('machine', MACHINE)) if found and page in DATED else ():
            if not pattern.search(whole) and not pattern.search(head):
                yield '%s:%d: figures without a %s' % (page, found[0], what)
        held = HELD.search(whole)
        if held and not os.path.exists(os.path.join(ROOT, held.group(1))):
            yield '%s:%d: figures held by %s, which does not exist' % (page, first, held.group(1))
        if found and not held and not VERSION.search(whole) and not VERSION.search(head):
            yield '%s:%d: figures without the version of Heft, as "Heft %s.0"' % (page, found[0], PRESENT)
        for other in VERSION.finditer(whole):
            if other.group(1) != PRESENT and not other.group(2):
                yield '%s:%d: figures of Heft %s; measure them again, or write "Heft %s.0, older"' % (page, first, other.group(1), other.group(1))
        for engine, release in sorted({m.groups() for m in ENGINE.finditer(whole)}):
            year = ENGINES[engine].get(release)
            if not year:
                yield '%s:%d: %s %s: add the year of its release to tools/check_figures.py' % (page, first, engine, release)
            elif NOW - year > YEARS and str(year) not in whole + head:
                yield '%s:%d: %s %s is of %d; state the year, or compare with a newer one' % (page, first, engine, release, year)


def main():
    pages = [a for a in sys.argv[1:] if not a.startswith('--')] or sorted(
        page for pattern in ('README.md', 'docs/**/*.md', 'bench/results/*.md') for page in glob.glob(pattern, root_dir=ROOT, recursive=True)
        if not page.startswith(('docs/decisions/', 'docs/releases/')))
    wrong = count = 0
    for page in pages:
        with open(os.path.join(ROOT, page), encoding='utf-8') as file:
            text = file.read()
        if '--list' in sys.argv:
            for row in listed(page, text):
                print(row)
            continue
        count += sum(is_measured(rows) for first, lines in sections(text) for _, rows in tables(first, lines))
        for mistake in mistakes(page, text):
            wrong += 1
            print(mistake)
    if '--list' in sys.argv:
        return
    print('figures: %d tables of figures, %d mistakes' % (count, wrong))
    sys.exit(1 if wrong else 0)


if __name__ == '__main__':
    main()
