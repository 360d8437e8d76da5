# SPDX-License-Identifier: Apache-2.0
"""Which file belongs to which Debian package, read from debian/*.install, *.manpages and *.links. For packaging/check_debian.py and
packaging/check_install_lines.py: both compare the packages with a build that was not made by dpkg-buildpackage."""
import fnmatch
import glob
import os
import re
import shutil
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PYTHON = 'usr/lib/python3/dist-packages'


def packages():
    with open(ROOT + '/debian/control', encoding='utf-8') as file:
        return re.findall(r'^Package: (\S+)$', file.read(), re.M)


def lines(kind):
    """(package, file, line, words) of the files debian/*.kind"""
    for name in sorted(glob.glob(ROOT + '/debian/*.' + kind)):
        for number, line in enumerate(open(name, encoding='utf-8'), 1):
            if line.split():
                yield os.path.basename(name).rpartition('.')[0], os.path.basename(name), number, line.split()


def install(build, root):
    """Installs a build below a folder as debian/rules does, scenes and robots included. The libraries lie in usr/lib: the folder of
    the machine's kind is chosen when a build is configured. Returns an error text, or ''."""
    for more in ([root + '/usr'], [os.path.join(root, PYTHON), '--component', 'python']):
        done = subprocess.run(['cmake', '--install', build, '--prefix', *more], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            return 'cmake --install %s failed:\n%s' % (build, done.stdout[-2000:])
    shutil.rmtree(os.path.join(root, PYTHON, 'heft/data'), ignore_errors=True)  # debian/*.links has links
    return ''


def below(root):
    """Names of the files below a folder"""
    return {os.path.relpath(os.path.join(folder, name), root) for folder, _, names in os.walk(root) for name in names}


def hits(pattern, files):
    """The files that a pattern of debian/*.install names"""
    local = pattern.replace('usr/lib/*/', 'usr/lib/')
    return [f for f in files if fnmatch.fnmatchcase(f, local) and f.count('/') == local.count('/') or f.startswith(local.rstrip('/') + '/')]


def stage(root, chosen, target):
    """Puts the files of the chosen packages from an installation (see install) below another folder, as dpkg would."""
    files = below(root)
    source = {f for folder in ('scenes', 'models') for f in (folder + '/' + name for name in os.listdir(os.path.join(ROOT, folder)))}
    for package, _, _, words in [*lines('install'), *lines('manpages')]:
        if package not in chosen:
            continue
        for f in hits(words[0], files if words[0].startswith('usr/') else source):
            to = os.path.join(target, words[1], os.path.basename(f)) if len(words) > 1 else os.path.join(target, f)
            os.makedirs(os.path.dirname(to), exist_ok=True)
            given = os.path.join(root if f in files else ROOT, f)
            if os.path.isdir(given):  # a folder, with all that it holds
                shutil.copytree(given, to, symlinks=True)
            else:
                shutil.copy2(given, to, follow_symlinks=False)
    page = os.path.join(root, 'usr/share/heft/web')
    if 'heft-data' in chosen and os.path.isdir(page):  # as debian/rules does
        shutil.copytree(page, os.path.join(target, 'usr/share/heft/web'), dirs_exist_ok=True)
    for package, _, _, (to, name) in lines('links'):
        if package in chosen:
            os.makedirs(os.path.dirname(os.path.join(target, name)), exist_ok=True)
            os.symlink('/' + to, os.path.join(target, name))
