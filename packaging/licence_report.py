#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes which licences a release of Heft touches, as Markdown.

    packaging/licence_report.py heft.spdx.json [WHEEL.whl] [PACKAGE.tgz] > licences.md

The bill of materials (packaging/sbom.py) names the libraries that an installation needs. The wheel and the npm package contain libraries
and carry their notices; a library without notice is an error. Names of licences are those of Debian's copyright files."""
import json
import os
import re
import sys
import tarfile
import zipfile


def short_names(text):
    """Names of licences in a copyright file of Debian that follows DEP 5; empty if it is running text. The files of the packaging
    itself (debian/) are in no library."""
    if 'www.debian.org/doc/packaging-manuals/copyright-format' not in text:
        return []
    found = []
    for paragraph in re.split(r'\n\s*\n', text):
        of = re.search(r'^Files: *(\S.*)$', paragraph, re.M)
        name = re.search(r'^License: *(\S.*)$', paragraph, re.M)
        if of and name and not all(file.startswith('debian/') for file in of[1].split()) and name[1].strip() not in found:
            found.append(name[1].strip())
    return found


def notice_of(package):
    try:
        with open('/usr/share/doc/%s/copyright' % package, encoding='utf-8', errors='replace') as file:
            return file.read()
    except OSError:
        return ''


def told(text):
    """What the report says of a copyright file."""
    return '; '.join(short_names(text)) or ('see its copyright file' if text else 'NOT KNOWN')


def rows_of_bill(path):
    with open(path, encoding='utf-8') as file:
        bill = json.load(file)
    for package in bill['packages']:
        if package['name'] == 'heft':
            continue
        yield package['name'], package['versionInfo'], package.get('comment', ''), told(notice_of(package['name']))


def rows_of_wheel(path):
    """Foreign libraries of a wheel and the notices that it carries."""
    with zipfile.ZipFile(path) as wheel:
        names = wheel.namelist()
        notices = {os.path.basename(name)[:-4]: wheel.read(name).decode('utf-8', 'replace')
                   for name in names if re.search(r'\.dist-info/licenses/[^/]+\.txt$', name)}
    for name in sorted(os.path.basename(name) for name in names if re.match(r'heft\.libs/[^/]+\.so', name)):
        if not name.startswith('libheft'):
            stem = name.split('-')[0]
            yield name, told(notices.get(stem, '')), 'carried' if stem in notices else 'MISSING'


def rows_of_npm(path):
    with tarfile.open(path) as package:
        try:
            text = package.extractfile('package/NOTICES.txt').read().decode('utf-8', 'replace')
        except KeyError:
            yield 'heft.wasm', 'NOT KNOWN', 'MISSING'
            return
    parts = re.split(r'^==== (\S+) ====$', text, flags=re.M)
    for name, notice in zip(parts[1::2], parts[2::2]):
        yield name, told(notice), 'carried'


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    lines = ['# Licences', '', 'Heft is under Apache-2.0 (LICENSE). No code of others is in its source.', '',
             '## Libraries that an installation needs', '',
             'They are not part of the archives; the packages of the system provide them. Versions are those of the machine that built '
             'the release.', '', '| package | version | | licences in its copyright file |', '|---|---|---|---|']
    lines += ['| %s | %s | %s | %s |' % row for row in rows_of_bill(sys.argv[1])]
    missing = []
    for path in sys.argv[2:]:
        rows = list(rows_of_wheel(path) if path.endswith('.whl') else rows_of_npm(path))
        lines += ['', '## Libraries inside %s' % os.path.basename(path), '', '| library | licences | notice |', '|---|---|---|']
        lines += ['| %s | %s | %s |' % row for row in rows]
        missing += ['%s in %s' % (row[0], path) for row in rows if row[2] == 'MISSING']
    print('\n'.join(lines))
    if missing:
        sys.exit('licences: no notice of %s; the licence asks for one' % ', '.join(missing))


if __name__ == '__main__':
    main()
