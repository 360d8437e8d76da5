#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the bill of materials of an installation of Heft, as SPDX 2.3 in JSON.

    packaging/sbom.py FOLDER > heft.spdx.json       FOLDER: what `cmake --install BUILD --prefix FOLDER` made

The document lists each installed file with its SHA-256 and licence, and each library that a program or library of Heft
needs, with the Debian package and version that provides it here. Nothing is vendored, so the list is complete. The same
installation and the same SOURCE_DATE_EPOCH (default: the time of the last commit) give the same bytes."""
import hashlib
import json
import os
import re
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def output(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return ''


def version():
    with open(os.path.join(ROOT, 'include', 'heft', 'version.h'), encoding='utf-8') as file:
        return '.'.join(re.findall(r'^#define HEFT_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)', file.read(), re.M))


def moment():
    given = os.environ.get('SOURCE_DATE_EPOCH') or output('git', '-C', ROOT, 'log', '-1', '--format=%ct').strip() or '0'
    return time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime(int(given)))


def identifier(text):
    return 'SPDXRef-' + re.sub(r'[^A-Za-z0-9.-]', '-', text)


def needed(path):
    """Libraries that an ELF file names."""
    return re.findall(r'\(NEEDED\).*\[(.*)\]', output('readelf', '-dW', path))


def provider(library):
    """Debian package, version and licence file of a shared library here."""
    found = re.search(r'^\s*%s .*=> (\S+)$' % re.escape(library), output('ldconfig', '-p'), re.M)
    where = os.path.realpath(found.group(1)) if found else ''
    owner = output('dpkg', '-S', where) or output('dpkg', '-S', where.replace('/usr/lib', '/lib', 1))
    name = owner.split(':')[0] if owner else ''
    return name, output('dpkg-query', '-W', '-f=${Version}', name).strip() if name else ''


def main():
    if len(sys.argv) != 2 or not os.path.isdir(sys.argv[1]):
        sys.exit(__doc__)
    folder = sys.argv[1]
    files, libraries = [], set()
    own = set()
    for base, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(base, name)
            if os.path.islink(path):
                own.add(name)
                continue
            with open(path, 'rb') as file:
                data = file.read()
            own.add(name)
            relative = os.path.relpath(path, folder)
            files.append({'SPDXID': identifier('file-' + relative), 'fileName': './' + relative,
                          'checksums': [{'algorithm': 'SHA256', 'checksumValue': hashlib.sha256(data).hexdigest()},
                                        {'algorithm': 'SHA1', 'checksumValue': hashlib.sha1(data).hexdigest()}],
                          'licenseConcluded': 'Apache-2.0', 'copyrightText': 'NOASSERTION'})
            if data[:4] == b'\x7fELF':
                libraries.update(needed(path))
    files.sort(key=lambda f: f['fileName'])
    packages = [{'SPDXID': 'SPDXRef-heft', 'name': 'heft', 'versionInfo': version(), 'downloadLocation': 'NOASSERTION',
                 'filesAnalyzed': True, 'licenseConcluded': 'Apache-2.0', 'licenseDeclared': 'Apache-2.0', 'copyrightText': 'NOASSERTION',
                 'packageVerificationCode': {'packageVerificationCodeValue': hashlib.sha1(
                     ''.join(sorted(f['checksums'][1]['checksumValue'] for f in files)).encode()).hexdigest()},
                 'hasFiles': [f['SPDXID'] for f in files]}]
    relations = [{'spdxElementId': 'SPDXRef-DOCUMENT', 'relationshipType': 'DESCRIBES', 'relatedSpdxElement': 'SPDXRef-heft'}]
    seen = set()
    for library in sorted(libraries):
        if library in own or library.startswith(('libheft', 'ld-linux')):
            continue
        name, number = provider(library)
        name = name or library
        if name in seen:
            continue
        seen.add(name)
        package = {'SPDXID': identifier('package-' + name), 'name': name, 'versionInfo': number or 'NOASSERTION',
                   'downloadLocation': 'NOASSERTION', 'filesAnalyzed': False, 'licenseConcluded': 'NOASSERTION',
                   'licenseDeclared': 'NOASSERTION', 'copyrightText': 'NOASSERTION', 'comment': 'provides ' + library}
        if number:
            package['externalRefs'] = [{'referenceCategory': 'PACKAGE-MANAGER', 'referenceType': 'purl',
                                        'referenceLocator': 'pkg:deb/debian/%s@%s' % (name, number)}]
        packages.append(package)
        relations.append({'spdxElementId': 'SPDXRef-heft', 'relationshipType': 'DEPENDS_ON', 'relatedSpdxElement': package['SPDXID']})
    digest = hashlib.sha256(json.dumps([files, packages], sort_keys=True).encode()).hexdigest()
    json.dump({'spdxVersion': 'SPDX-2.3', 'dataLicense': 'CC0-1.0', 'SPDXID': 'SPDXRef-DOCUMENT', 'name': 'heft-' + version(),
               'documentNamespace': 'urn:heft:spdx:' + digest, 'creationInfo': {'created': moment(), 'creators': ['Tool: heft-sbom']},
               'packages': packages, 'files': files, 'relationships': relations}, sys.stdout, indent=1)
    print()
    print('sbom: %d files, %d libraries' % (len(files), len(seen)), file=sys.stderr)


if __name__ == '__main__':
    main()
