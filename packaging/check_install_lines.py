#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does what the landing page tells a new user, in bare Debian systems: its install lines, then the first tutorial.

Each way (C, Python, browser) gets a fresh system with the essential packages, apt and nothing else. Lines are copied from the
pages and run as they stand, in one folder, in order:
  - ```sh blocks and indented blocks are run by sh, line by line; a line that fails ends the way;
  - a block of a program is saved under the name that the sentence before it gives: "Save this as `first.c`";
  - a ```text block is what the lines before it must print ("..." stands for anything);
  - a line that serves a folder goes on in the background, and Chromium of this machine opens the address that the page names.
Replaced: the download of a release. Its packages and the npm file lie in the folder in which the lines run. The mirror of Debian is that
of this machine's apt; packages that were fetched once come from a cache.

usage: check_install_lines.py WORK PACKAGES NPM [WAY...]
  WORK      folder for the systems; its base.tar is used again (packaging/deb/chroot.sh)
  PACKAGES  folder with the .deb files (packaging/deb/packages.sh makes them)
  NPM       the file heft-*.tgz
  WAY       c, python, browser; all where none is named
       check_install_lines.py --here BUILD NPM [WAY...]
  The short form, in seconds, on this machine instead of a bare one. The lines run in a namespace without a network, in which /usr also
  has the files of those packages of Heft that the install lines name, from a folder in which Heft was built. The lines of apt
  are not run: their packages of Debian must be installed. NPM is the folder of the npm package. Needs root.
       check_install_lines.py --list     prints the lines and files, and runs nothing
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, 'packaging', 'deb'))
sys.dont_write_bytecode = True
import contents  # noqa: E402

LANDING = 'site/own/index.md'
# Pages with the headings whose sections are read; None: the page as far as its first heading of the second level, '': all of it.
WAYS = {
    'c': [(LANDING, 'The command and C'), ('docs/manual/first-steps.md', None), ('docs/manual/first-steps.md', 'A first program')],
    'python': [(LANDING, 'Python'), ('docs/manual/python.md', 'A first program')],
    'browser': [(LANDING, 'Browser and node'), ('docs/manual/javascript.md', 'A first program')],
}
LIMIT = 300  # seconds for a way


def section(text, heading):
    """The part of a page below a heading, up to the next of its level or above."""
    if heading == '':
        return text
    if heading is None:
        return re.split(r'^## ', text, 1, re.M)[0]
    found = re.search(r'^(#+) %s$' % re.escape(heading), text, re.M)
    if not found:
        raise SystemExit('there is no heading "%s"' % heading)
    rest = text[found.end():]
    end = re.search(r'^#{1,%d} ' % len(found.group(1)), rest, re.M)
    return rest[:end.start()] if end else rest


def blocks(text):
    """(kind, content, paragraph before it) of the blocks of a page; the kind of an indented block is sh. Comments are left out."""
    lines = [line for line in text.split('\n') if not re.match(r'<!--.*-->$', line)]
    found, i, before = [], 0, ''
    while i < len(lines):
        fence = re.match(r'```(\w*)$', lines[i])
        if fence:
            end = lines.index('```', i + 1)
            found.append((fence.group(1), '\n'.join(lines[i + 1:end]) + '\n', before))
            i = end
        elif lines[i].startswith('    ') and not (i and lines[i - 1].strip()):
            end = i
            while end < len(lines) and (lines[end].startswith('    ') or not lines[end].strip()):
                end += 1
            found.append(('sh', '\n'.join(x[4:] for x in lines[i:end]).strip() + '\n', before))
            i = end - 1
        elif lines[i].strip():
            before = (before + ' ' if i and lines[i - 1].strip() else '') + lines[i].strip()
        i += 1
    return found


def tasks(way):
    """What to do, in order: ('save', name, text), ('run', line), ('print', text), ('serve', line, address)."""
    found = []
    for page, heading in WAYS[way]:
        for kind, text, before in blocks(section(open(os.path.join(ROOT, page)).read(), heading)):
            name = re.search(r'[Ss]ave (?:it|this) as `([^`]+)`', before)
            if kind == 'sh':
                for line in re.sub(r'\\\n', '', text).strip().split('\n'):
                    address = re.search(r'http://127\.0\.0\.1[^ ,]*', before)
                    found.append(('serve', line, address.group(0)) if address and 'http.server' in line else ('run', line))
            elif kind == 'text':
                found.append(('print', text))
            elif name:
                found.append(('save', name.group(1), text))
    if not any(t[0] == 'run' for t in found):
        raise SystemExit('%s: the pages have no line to run' % way)
    return found


def matches(wanted, printed):
    pattern = '.*?'.join(re.escape(part) for part in wanted.strip().split('...'))
    return re.search(pattern, printed.strip(), re.S) is not None


SYSTEM = """set -eu
source={root}
work={work}
. "$source/packaging/deb/chroot.sh"
system install-{way}
mkdir "$root/root/heft"
cp {files} "$root/root/heft/"
rm -rf "$root"/var/lib/apt/lists/*  # apt knows nothing yet, as in an image for containers
echo ready
read -r end
"""


ENVIRONMENT = {'PATH': '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'HOME': '/root', 'LC_ALL': 'C.UTF-8', 'TERM': 'dumb',
               'DEBIAN_FRONTEND': 'noninteractive'}


class Bare:
    """A system of its own below a folder."""

    def __init__(self, root):
        self.root, self.folder = root, os.path.join(root, 'root/heft')

    def start(self, line):
        return subprocess.Popen(['chroot', self.root, 'sh', '-euc', 'cd ~/heft && ' + line], env=ENVIRONMENT, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


class Here:
    """This machine, with the namespace of this process. apt is left alone."""

    def __init__(self, folder):
        self.folder = folder
        # Programs in /usr/local are this machine's own.
        self.env = {**ENVIRONMENT, 'PATH': '/usr/sbin:/usr/bin:/sbin:/bin', 'HOME': os.path.dirname(folder),
                    'npm_config_audit': 'false', 'npm_config_fund': 'false', 'npm_config_update_notifier': 'false'}

    def start(self, line):
        if line.split()[0] == 'apt-get':
            line = ':'
        return subprocess.Popen(['sh', '-euc', line], cwd=self.folder, env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True)


def debian_packages(line):
    """Packages that a line of apt-get installs: those of Heft, those of Debian"""
    words = [w for w in line.split()[2:] if not w.startswith('-')]
    return [re.match(r'\./(.*)_', w).group(1) for w in words if w.startswith('./')], [w for w in words if not w.startswith('./')]


def show(address, wanted):
    """The page at an address, as a browser makes it; waits until the server answers."""
    browser = shutil.which('chromium') or shutil.which('google-chrome')
    if not browser:
        return 'skipped: there is no Chromium'
    # A browser can hang before it loads a page, so that each try is short.
    shown = 'nothing'
    for _ in range(10):
        with tempfile.TemporaryDirectory(prefix='heft-chromium-') as profile:
            try:
                shown = subprocess.run([browser, '--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage',
                                        '--user-data-dir=' + profile, '--virtual-time-budget=30000', '--dump-dom', address],
                                       capture_output=True, text=True, timeout=40).stdout
            except subprocess.TimeoutExpired:
                continue
        if wanted in re.sub(r'<script.*?</script>', '', shown, flags=re.S):
            return 'Chromium shows "%s"' % wanted
        time.sleep(0.3)
    raise RuntimeError('Chromium shows at %s:\n%s' % (address, shown))


def walk(system, todo):
    """Does the tasks of a way in a system. Returns the number of lines."""
    count, printed = 0, ''
    for task in todo:
        if task[0] == 'save':
            with open(os.path.join(system.folder, task[1]), 'w') as file:
                file.write(task[2])
        elif task[0] == 'print':
            if not matches(task[1], printed):
                raise RuntimeError('expected:\n%s\nprinted:\n%s' % (task[1], printed))
            printed = ''
        elif task[0] == 'serve':
            server = system.start('exec ' + task[1])
            try:
                print('  %s   # %s' % (task[1], show(task[2], 'solved 0.000000,0.000000,0.100000')), flush=True)
            finally:
                server.terminate()
                server.wait()
            count += 1
        else:
            began = time.time()
            done = system.start(task[1])
            printed = done.communicate(timeout=900)[0]
            print('  %s   # %.0f s' % (task[1], time.time() - began), flush=True)
            if done.returncode:
                raise RuntimeError('the line ends with %d:\n%s' % (done.returncode, printed[-4000:]))
            count += 1
    return count


def timed(way, system):
    """Does a way. Returns whether it passes."""
    try:
        began = time.time()
        count = walk(system, tasks(way))
        seconds = time.time() - began
        print('%s: %d lines, %.0f s' % (way, count, seconds), flush=True)
        if seconds > LIMIT:
            raise RuntimeError('this took longer than %d s' % LIMIT)
        return True
    except RuntimeError as error:
        print('%s: %s' % (way, error), flush=True)
        return False


def one(way, work, files):
    keeper = subprocess.Popen(['sh', '-c', SYSTEM.format(root=ROOT, work=work, way=way, files=' '.join(files))], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True)
    try:
        for line in keeper.stdout:
            if line == 'ready\n':
                break
        else:
            raise RuntimeError('the system could not be made')
        return timed(way, Bare(os.path.join(work, 'install-' + way)))
    except RuntimeError as error:
        print('%s: %s' % (way, error), flush=True)
        return False
    finally:
        keeper.communicate('end\n')


NAMESPACE = """set -eu
mount -t overlay overlay -o lowerdir="$1:/usr" /usr
ip link set lo up
shift
exec "$@"
"""


def apart(usr, *command):
    """Runs a program with a /usr that also has the files below a folder, and without a network. Returns its exit code."""
    return subprocess.run(['unshare', '--mount', '--net', 'sh', '-c', NAMESPACE, 'sh', usr, *command], check=False).returncode


def here(build, npm, way, scratch):
    """The short form of a way. Returns whether it passes."""
    named = [debian_packages(task[1]) for task in tasks(way) if task[0] == 'run' and task[1].startswith('apt-get install')]
    ours, theirs = [sum(kind, []) for kind in zip(*named)]
    unknown = set(ours) - set(contents.packages())
    if unknown:
        print('%s: the install lines name %s; debian/control has no such package' % (way, ', '.join(sorted(unknown))))
        return False
    missing = [p for p in theirs if not shutil.which(p) and 'installed' != subprocess.run(
        ['dpkg-query', '-W', '-f', '${db:Status-Status}', p], capture_output=True, text=True, check=False).stdout]
    if missing:
        print('%s: skipped, not installed here: %s' % (way, ' '.join(missing)), flush=True)
        return True
    root = os.path.join(scratch, way)
    home = os.path.join(root, 'folder', 'heft')
    os.makedirs(home)
    os.makedirs(root + '/usr')
    error = contents.install(build, scratch + '/all') if ours and not os.path.exists(scratch + '/all') else ''
    if error:
        print(error)
        return False
    if ours:
        contents.stage(scratch + '/all', ours, root)
    if any('.tgz' in task[1] for task in tasks(way)):
        subprocess.run(['npm', 'pack', '--silent', os.path.abspath(npm)], cwd=home, check=True, stdout=subprocess.DEVNULL)
    return apart(root + '/usr', sys.executable, '-B', os.path.abspath(__file__), '--inside', home, way) == 0


def all_here(build, npm, ways):
    with tempfile.TemporaryDirectory(prefix='heft-lines-') as scratch:
        os.mkdir(scratch + '/usr')
        if os.geteuid() != 0 or not all(map(shutil.which, ('unshare', 'ip'))) or apart(scratch + '/usr', 'true'):
            print('skipped: namespaces and overlays need root, util-linux and iproute2')
            return True
        return all([here(build, npm, way, scratch) for way in ways])


def main():
    if sys.argv[1:2] == ['--inside']:
        return 0 if timed(sys.argv[3], Here(sys.argv[2])) else 1
    if sys.argv[1:2] == ['--here'] and len(sys.argv) > 3:
        return 0 if all_here(sys.argv[2], sys.argv[3], sys.argv[4:] or WAYS) else 1
    if sys.argv[1:] == ['--list']:
        for way in WAYS:
            for task in tasks(way):
                print('%-8s %-6s %s' % (way, task[0], task[1].strip().split('\n')[0]))
        return 0
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    work, folder, npm = map(os.path.abspath, sys.argv[1:4])
    files = [npm] + [os.path.join(folder, f) for f in sorted(os.listdir(folder)) if f.endswith('.deb') and 'dbgsym' not in f]
    os.makedirs(work, exist_ok=True)
    return 0 if all([one(way, work, files) for way in sys.argv[4:] or WAYS]) else 1


sys.exit(main())
