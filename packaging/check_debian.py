#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares debian/ with the version, with what `cmake --install` installs, and with the libraries of a build.

  - debian/changelog and the names of the libraries' packages have the version of include/heft/version.h;
  - each installed file belongs to one package, and each line of debian/*.install leads to a file;
  - the scenes and robots of heft-data load with nothing but the files of that package;
  - each name in debian/*.symbols is exported by its library (new names are counted: packaging/deb/symbols.sh writes them);
  - the pages have install lines (packaging/check_install_lines.py);
  - lintian has no error and no warning about the source package, and the pages of heft-doc have no dead link, where lintian,
    dpkg-source and cmark-gfm are installed.
What only a build in a clean system shows is tested by packaging/deb/packages.sh.

usage: check_debian.py BUILD     a folder in which Heft was built, with all its parts
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, 'packaging', 'deb'))
sys.dont_write_bytecode = True
from contents import below, hits, install, lines, packages, stage  # noqa: E402

wrong = []


def read(name):
    with open(os.path.join(ROOT, name), encoding='utf-8') as file:
        return file.read()


def run(*command, **more):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)


def check_version():
    number = run(sys.executable, '-B', ROOT + '/tools/version.py').stdout.strip()
    first = re.match(r'heft \(([^)]*)\)', read('debian/changelog'))
    if not first or first.group(1) != number:
        wrong.append('debian/changelog:1: the version is %s, that of Heft %s: add an entry (dch --newversion %s)' % (first and first.group(1), number, number))
    soname = number.rpartition('.')[0] if number.startswith('0.') else number.split('.')[0]
    for stem in ('libheft', 'libheft-view'):
        found = [p for p in packages() if re.fullmatch(stem + r'\d[\d.]*', p)]
        if found != [stem + soname]:
            wrong.append('debian/control: the libraries have the SONAME version %s, their package is %s: rename it to %s%s, also the files '
                         'debian/%s.* and the lines of docs, README.md and site/own' % (soname, ' '.join(found), stem, soname, ' '.join(found)))
    for name in os.listdir(os.path.join(ROOT, 'debian')):
        owner = name.rpartition('.')[0]
        if re.search(r'\.(install|symbols|links|docs|examples|manpages|doc-base)$', name) and owner not in packages():
            wrong.append('debian/%s: there is no package "%s"' % (name, owner))


def check_installed(build, scratch):
    error = install(build, scratch)
    if error:
        wrong.append(error)
        return 0
    # Scenes, robots and the page of heft serve are heft-data's, which takes them from the source folder.
    files = {f for f in below(scratch) if not re.match(r'usr/share/heft/(scenes|models|web)/', f)}
    owners = {f: set() for f in files}
    for package, name, number, words in [*lines('install'), *lines('manpages')]:
        if not words[0].startswith('usr/'):
            continue
        found = hits(words[0], files)
        if not found:
            wrong.append('debian/%s:%d: no installed file is "%s"; was a part not built?' % (name, number, words[0]))
        for f in found:
            owners[f].add(package)
    for f, who in sorted(owners.items()):
        if not who:
            wrong.append('%s is installed, and no debian/*.install has it' % f)
        elif len(who) > 1:
            wrong.append('%s is in several packages: %s' % (f, ' '.join(sorted(who))))
    return len(files)


def check_data(build, scratch):
    stage(scratch, ['heft-data'], scratch + '/data')
    files = glob.glob(scratch + '/data/usr/share/heft/*/*.xml') + glob.glob(scratch + '/data/usr/share/heft/*/*.urdf')
    # Who trusts a file lets it have as many convex pieces as it asks for.
    done = run(os.path.join(build, 'bin', 'heft'), 'check', '--decompose', '0.002', *sorted(files), env={**os.environ, 'XDG_CACHE_HOME': scratch + '/cache'})
    if done.returncode:
        wrong.append('a scene of heft-data does not load; does debian/heft-data.install have its meshes?\n' +
                     '\n'.join(line for line in done.stdout.split('\n') if 'error:' in line))


def check_symbols(build):
    new = 0
    for name in glob.glob(ROOT + '/debian/*.symbols'):
        library, wanted = None, {}
        for line in open(name):
            head = re.match(r'(libheft\w*\.so)\.\S+ ', line)
            if head:
                library = wanted.setdefault(head.group(1), set())
            elif library is not None and line.startswith(' '):
                library.add(line.split('@')[0].strip())
        for file, names in wanted.items():
            path = os.path.join(build, 'lib', file)
            if not os.path.exists(path):
                continue
            exported = set(re.findall(r' [TDBRVi] (heft_\w+)', run('nm', '-D', '--defined-only', path).stdout))
            for gone in sorted(names - exported):
                wrong.append('debian/%s: %s no longer exports %s; programs of this version need it' % (os.path.basename(name), file, gone))
            new += len(exported - names)
    return new


def check_source(scratch):
    """lintian's judgement of the source package, and links of the pages; returns what was left out."""
    left = []
    pages = run(sys.executable, '-B', ROOT + '/packaging/check_install_lines.py', '--list')
    if pages.returncode:
        wrong.append('packaging/check_install_lines.py --list: %s' % pages.stdout)
    if shutil.which('cmark-gfm'):
        made = run(sys.executable, '-B', ROOT + '/tools/manual_html.py', scratch + '/html')
        if made.returncode:
            wrong.append(made.stdout)
    else:
        left.append('cmark-gfm')
    missing = [p for p in ('lintian', 'dpkg-source', 'git') if not shutil.which(p)]
    if missing or not os.path.exists(ROOT + '/.git'):
        return left + missing
    folder = scratch + '/heft'
    os.mkdir(folder)
    archive = subprocess.run(['git', '-C', ROOT, 'archive', 'HEAD'], stdout=subprocess.PIPE, check=True).stdout
    subprocess.run(['tar', '-x', '-C', folder], input=archive, check=True)
    made = run('dpkg-source', '-z1', '-b', 'heft', cwd=scratch)
    found = run('lintian', '--allow-root', *glob.glob(scratch + '/*.dsc')) if not made.returncode else made
    for line in found.stdout.split('\n'):
        if made.returncode or re.match(r'[EW]: ', line):
            wrong.append(line)
    return left


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    build = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as scratch:
        check_version()
        count = check_installed(build, scratch)
        check_data(build, scratch)
        new = check_symbols(build)
        left = check_source(scratch)
    for line in wrong:
        print(line)
    print('debian: %d packages, %d installed files, %d new symbols, %d mistakes%s'
          % (len(packages()), count, new, len(wrong), '; left out, not installed: ' + ' '.join(left) if left else ''))
    return 1 if wrong else 0


sys.exit(main())
