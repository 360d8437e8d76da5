#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The version of Heft: include/heft/version.h has it, other files repeat it.

    tools/version.py               prints it
    tools/version.py --check       compares all files that repeat it; names file, line and what was found
    tools/version.py --check 0.2.0 compares them with this version
    tools/version.py --set 0.3.0   writes it into all of them; the sections of CHANGELOG.md and debian/changelog stay with you

Builds of C, Python and npm read the header, so that they cannot differ; the check sees to it that this stays so."""
import argparse
import glob
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HEADER = 'include/heft/version.h'
NUMBER = r'(\d+\.\d+\.\d+)'
MINOR = r'(\d+\.\d+)'

# Files that must repeat the version: file, pattern whose group is the version or MAJOR.MINOR, how many times at least.
PLACES = [
    ('docs/man/*.1', r'^\.TH \S+ \d "[^"]*" "Heft %s"' % NUMBER, 1),
    ('CITATION.cff', r'^version: %s$' % NUMBER, 1),
    ('README.md', r'Version %s\b' % NUMBER, 1),
    ('SECURITY.md', r'^\| %s\.x \| yes' % MINOR, 1),
    ('web/package.json', r'^  "version": "%s"' % NUMBER, 1),
    ('web/package-lock.json', r'"name": "heft-web",\n\s*"version": "%s"' % NUMBER, 2),
    ('site/package.json', r'^  "version": "%s"' % NUMBER, 1),
    ('site/package-lock.json', r'"name": "heft-site",\n\s*"version": "%s"' % NUMBER, 2),
    ('docs/manual/compatibility.md', r'(?:libheft\.so\.|find_package\(heft |for all versions |accepts |-version=)%s\b' % MINOR, 4),
    ('docs/manual/installing.md', r'^heft %s$' % NUMBER, 1),
    ('tests/faults/crafted.txt', r'\(\?, here %s\)' % NUMBER, 3),
    ('packaging/release.py', r'packaging/release\.py %s\b' % NUMBER, 4),
    ('debian/control', r'libheft(?:-view)?%s' % MINOR, 4),
]
# Names of packages in documents and examples: each must have the version, wherever it stands.
NAMES = r'\b(?:(?:heft|python3-heft|libheft[a-z-]*)[-_:=]|libheft(?:-view)?)(\d+\.\d+(?:\.\d+)?)'
DOCUMENTS = ['*.md', 'docs/**/*.md', 'site/own/**/*.md', 'python/*.md', 'js/*.md', 'examples/**/*.yaml', 'examples/**/*.md', 'packaging/**/*']
HISTORY = ('CHANGELOG.md', 'docs/releases/', 'docs/decisions/')  # these speak of former versions
# Builds that must take the version from the header: file, text that does.
READERS = [('pyproject.toml', 'dynamic = ["version"]'), ('js/package.json.in', '"version": "@PROJECT_VERSION@"'),
           ('CMakeLists.txt', 'file(STRINGS include/heft/version.h')]


def read(name):
    with open(os.path.join(ROOT, name), encoding='utf-8') as file:
        return file.read()


def files(pattern):
    found = glob.glob(os.path.join(ROOT, pattern), recursive=True)
    return sorted(os.path.relpath(path, ROOT) for path in found if os.path.isfile(path))


def version():
    return '.'.join(re.findall(r'^#define HEFT_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)', read(HEADER), re.M))


def wanted(found, number):
    """The version in the form of what was found: MAJOR.MINOR.PATCH or MAJOR.MINOR."""
    return number if found.count('.') == 2 else number.rpartition('.')[0]


def documents():
    names = {name for pattern in DOCUMENTS for name in files(pattern) if 'node_modules' not in name}
    return sorted(name for name in names if not name.startswith(HISTORY))


def places():
    """File, pattern, least number of matches: of everything that repeats the version."""
    for pattern, expression, least in PLACES:
        names = files(pattern)
        if not names:
            yield pattern, expression, least
        for name in names:
            yield name, expression, least
    for name in documents():
        yield name, NAMES, 0


def differences(number):
    for name, expression, least in places():
        if not os.path.exists(os.path.join(ROOT, name)):
            yield '%s: there is no such file; it should hold the version %s' % (name, number)
            continue
        text = read(name)
        matches = list(re.finditer(expression, text, re.M))
        if len(matches) < least:
            yield '%s: the version %s was not found in the form %s' % (name, number, expression)
        for match in matches:
            if match[1] != wanted(match[1], number):
                line = text.count('\n', 0, match.start(1)) + 1
                yield '%s:%d: has %s; write %s (tools/version.py --set %s)' % (name, line, match[1], wanted(match[1], number), number)
    for name, text in READERS:
        if text not in read(name):
            yield '%s: does not take the version from %s: %s was not found' % (name, HEADER, text)
    yield from logs(number)


def logs(number):
    """The newest sections of the change logs, and the release notes."""
    newest = re.search(r'^## (\S+)( \(.*\))?$', read('CHANGELOG.md'), re.M)
    if not newest or newest[1] != number or not re.fullmatch(r' \((unreleased|\d{4}-\d\d-\d\d)\)', newest[2] or ''):
        yield 'CHANGELOG.md: the first section is "%s"; write "## %s (unreleased)", or the date of the release as (YYYY-MM-DD)' % (
            newest[0] if newest else '', number)
    notes = 'docs/releases/%s.md' % wanted('0.0', number)
    if not os.path.exists(os.path.join(ROOT, notes)):
        yield '%s: there is no such file; write what users gain by this version' % notes
    if os.path.exists(os.path.join(ROOT, 'debian/changelog')):
        first = re.match(r'heft \(([^)]*)\)', read('debian/changelog'))
        upstream = re.sub(r'^\d+:|-[^-]*$', '', first[1]) if first else 'nothing'
        if upstream.split('~')[0] != number:
            yield 'debian/changelog:1: has %s; write %s' % (upstream, number)


def check(number):
    found = list(differences(number))
    if version() != number:
        found.insert(0, '%s: has %s, not %s' % (HEADER, version(), number))
    for line in found:
        print('version: ' + line)
    if not found:
        print('version: all files have %s' % number)
    return 1 if found else 0


def put(name, text):
    with open(os.path.join(ROOT, name), 'w', encoding='utf-8') as file:
        file.write(text)


def set_version(number):
    text = read(HEADER)
    for part, value in zip(('MAJOR', 'MINOR', 'PATCH'), number.split('.')):
        text = re.sub(r'^(#define HEFT_VERSION_%s )\d+' % part, r'\g<1>' + value, text, flags=re.M)
    put(HEADER, text)
    for name, expression, _ in places():
        if not os.path.exists(os.path.join(ROOT, name)):
            continue
        before = read(name)

        def renewed(match):
            start, end = match.start(1) - match.start(), match.end(1) - match.start()
            return match[0][:start] + wanted(match[1], number) + match[0][end:]
        after = re.sub(expression, renewed, before, flags=re.M)
        if after != before:
            put(name, after)
            print('version: wrote ' + name)
    return check(number)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--check', nargs='?', const='', metavar='VERSION')
    parser.add_argument('--set', metavar='VERSION')
    given = parser.parse_args()
    for number in (given.check, given.set):
        if number and not re.fullmatch(NUMBER, number):
            sys.exit('version: "%s" is no version; write MAJOR.MINOR.PATCH, such as %s' % (number, version()))
    if given.set:
        sys.exit(set_version(given.set))
    if given.check is not None:
        sys.exit(check(given.check or version()))
    print(version())


if __name__ == '__main__':
    main()
