#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes all files of a release of Heft in build/dist, from the last commit.

    packaging/release.py 0.3.0                  all stages; refuses a tree with changes, and files whose versions differ
    packaging/release.py 0.3.0 --rehearsal      the same before CHANGELOG.md has the date of the release
    packaging/release.py 0.3.0 --from npm       goes on at a stage, after one that failed or was stopped
    packaging/release.py 0.3.0 --without npm,site   leaves out stages; the table at the end says so
    packaging/release.py --list                 prints the stages

Everything is built from the source archive, so that nothing can be missing in it. A stage that fails ends the run; the message
names the stage, its log and what to do. SHA256SUMS is written last: a folder without it is no release.
docs/internals/release.md tells what each file is, and what to do before and after."""
import argparse
import fcntl
import glob
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OUT = os.path.join(ROOT, 'build', 'dist')
WORK = os.path.join(ROOT, 'build', 'dist-work')


class Failed(Exception):
    """What went wrong in a stage, in a sentence."""


class Run:
    """One run of the command: the version, the environment of all programs, the log of the present stage."""

    def __init__(self, version):
        self.version = version
        self.name = 'heft-' + version
        self.source = os.path.join(WORK, self.name)  # the source archive, unpacked
        self.child = None
        self.log = None
        self.env = {}

    def begin(self, stage):
        os.makedirs(os.path.join(WORK, 'log'), exist_ok=True)
        self.log = os.path.join(WORK, 'log', stage + '.log')
        open(self.log, 'w', encoding='utf-8').close()

    def call(self, *command, cwd=None, output=None, **env):
        """Runs a program; its output goes to the log, or to the file `output`."""
        with open(self.log, 'ab') as log:
            log.write(('$ ' + ' '.join(command) + '\n').encode())
            log.flush()
            target = open(output, 'wb') if output else log
            try:
                self.child = subprocess.Popen(command, cwd=cwd or self.source, env={**self.env, **env}, stdin=subprocess.DEVNULL,
                                              stdout=target, stderr=log, start_new_session=True)
                code = self.child.wait()
            except FileNotFoundError as error:
                raise Failed('the program %s was not found' % command[0]) from error
            finally:
                self.child = None
                if output:
                    target.close()
        if code:
            raise Failed('"%s" ended with exit code %d' % (' '.join(command), code))

    def stop(self):
        if self.child and self.child.poll() is None:
            os.killpg(self.child.pid, signal.SIGTERM)


def put(path, *folder):
    """Moves a finished file into the folder of the release, in one step."""
    target = os.path.join(OUT, *folder, os.path.basename(path))
    os.makedirs(os.path.dirname(target), exist_ok=True)
    shutil.move(path, target + '.part')
    os.replace(target + '.part', target)


def sha256(path):
    digest = hashlib.sha256()
    with open(path, 'rb') as file:
        for block in iter(lambda: file.read(1 << 20), b''):
            digest.update(block)
    return digest.hexdigest()


def git(*arguments):
    done = subprocess.run(['git', '-C', ROOT, *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failed('git %s: %s' % (' '.join(arguments), done.stderr.strip() or 'failed'))
    return done.stdout.strip()


# The stages, in their order. The text of a function begins with what it makes; "If it fails" is the advice of the message.

def tree(run):
    """The commit has no changes beside it, and all files agree on the version.
    If it fails: commit or stash the changes; set the version by tools/version.py --set VERSION; write the date of the release as
    "## VERSION (YYYY-MM-DD)" into CHANGELOG.md, or add --rehearsal."""
    dirty = git('status', '--porcelain')
    if dirty:
        raise Failed('the tree has changes that are in no commit:\n' + '\n'.join('    ' + line for line in dirty.splitlines()[:10]))
    run.call(sys.executable, os.path.join(ROOT, 'tools/version.py'), '--check', run.version, cwd=ROOT)
    if not run.rehearsal and not re.search(r'^## %s \(\d{4}-\d\d-\d\d\)$' % re.escape(run.version), change_log(), re.M):
        raise Failed('CHANGELOG.md calls %s unreleased' % run.version)


def pack(run, repository, file):
    """git archive as tar.xz: names, order, modes and times come from the commit."""
    with_umask = ('git', '-C', repository, '-c', 'tar.umask=0022')
    run.call(*with_umask, 'archive', '--format=tar', '--prefix=%s/' % run.name, '-o', file + '.tar', 'HEAD', cwd=WORK)
    run.call('xz', '--threads=1', '-9', '--force', file + '.tar', cwd=WORK)
    return file + '.tar.xz'


def source(run):
    """The source archive, made twice in two folders and time zones with the same bytes; unpacked for all later stages.
    If it fails: git and xz must be installed; if the two archives differ, compare them with diffoscope."""
    os.makedirs(WORK, exist_ok=True)
    first = pack(run, ROOT, os.path.join(WORK, run.name))
    again = os.path.join(WORK, 'another', 'folder')
    shutil.rmtree(os.path.join(WORK, 'another'), ignore_errors=True)
    run.call('git', 'clone', '-q', '--no-hardlinks', ROOT, again, cwd=WORK)
    run.call('git', '-C', again, 'checkout', '-q', '--detach', run.commit, cwd=WORK)
    zone, run.env['TZ'] = run.env['TZ'], 'Asia/Kolkata'
    mask = os.umask(0o077)
    second = pack(run, again, os.path.join(WORK, 'another', run.name))
    os.umask(mask)
    run.env['TZ'] = zone
    if sha256(first) != sha256(second):
        raise Failed('two archives of one commit differ: %s, %s' % (first, second))
    shutil.rmtree(run.source, ignore_errors=True)
    run.call('tar', 'xf', first, cwd=WORK)
    put(first)


def build(run):
    """Libraries and programs from the source archive, installed into a scratch folder; the command tells its version.
    If it fails: install the packages of docs/manual/installing.md; the log has the output of the compiler."""
    run.call('cmake', '--preset', 'release', '-DHEFT_BUILD_TESTS=OFF', '-DHEFT_BUILD_PYTHON=OFF')
    run.call('cmake', '--build', '--preset', 'release', '-j', run.jobs)
    run.call('cmake', '--install', 'build/release', '--prefix', os.path.join(WORK, 'installed'))
    told = os.path.join(WORK, 'told')
    run.call(os.path.join(WORK, 'installed/bin/heft'), '--version', output=told)
    with open(told, encoding='utf-8') as file:
        text = file.read().strip()
    if text != 'heft ' + run.version:
        raise Failed('the command says "%s", not "heft %s"' % (text, run.version))


def python(run):
    """Source distribution and wheel; the wheel is installed into an empty environment and steps a world.
    If it fails: install python3-build, python3-venv, python3-numpy and patchelf."""
    made = os.path.join(WORK, 'python')
    shutil.rmtree(made, ignore_errors=True)
    run.call('/usr/bin/python3', '-m', 'build', '--no-isolation', '--outdir', made)
    wheels = glob.glob(made + '/heft-%s-cp311-abi3-*.whl' % run.version)
    sdist = made + '/heft-%s.tar.gz' % run.version
    if len(wheels) != 1 or not os.path.exists(sdist):
        raise Failed('%s holds %s' % (made, os.listdir(made)))
    environment = os.path.join(WORK, 'environment')
    shutil.rmtree(environment, ignore_errors=True)
    run.call('/usr/bin/python3', '-m', 'venv', '--system-site-packages', environment)
    run.call(environment + '/bin/pip', 'install', '--no-index', '--no-deps', '--disable-pip-version-check', wheels[0])
    program = ('import heft; assert heft.__version__ == "%s"; assert heft.__file__.startswith("%s"); '
               'print(heft.World(heft.load(heft.models.path("quadruped"))).step(400).status)' % (run.version, environment))
    run.call(environment + '/bin/python', '-c', program, cwd=WORK)
    put(wheels[0], 'python')
    put(sdist, 'python')


def npm(run):
    """The npm package of the WebAssembly build, and the page of heft serve.
    If it fails: install clang-16, lld-16, llvm-16, wasi-libc, libclang-rt-16-dev-wasm32, binaryen, dpkg-dev, nodejs (20) and npm; apt must reach a mirror, npm a registry."""
    kept = os.path.join(ROOT, 'build', 'wasm-sources')  # fetched once for all builds
    run.call('sh', 'js/wasm_sources.sh', kept)
    os.makedirs(os.path.join(run.source, 'build'), exist_ok=True)
    link = os.path.join(run.source, 'build', 'wasm-sources')
    if not os.path.lexists(link):
        os.symlink(kept, link)
    run.call('cmake', '--preset', 'wasm-simd', '-DHEFT_BUILD_TESTS=OFF')
    run.call('cmake', '--build', '--preset', 'wasm-simd', '-j', run.jobs, '--target', 'npm')
    run.call('npm', 'pack', '--silent', '--pack-destination', WORK, cwd=run.source + '/build/wasm-simd/npm')
    made = os.path.join(WORK, run.name + '.tgz')
    with tarfile.open(made) as archive:
        names = archive.getnames()
    for name in ('heft.wasm', 'heft.js', 'index.d.ts', 'LICENSE', 'NOTICES.txt'):
        if 'package/' + name not in names:
            raise Failed('%s holds no %s' % (made, name))
    put(made, 'npm')
    # The page of heft serve, which all later packages contain.
    run.call('npm', 'install', '--no-save', '--silent', '--no-audit', '--no-fund', cwd=run.source + '/web')
    run.call('npm', 'run', 'build', cwd=run.source + '/web')
    shutil.rmtree(run.source + '/web/node_modules')


def give_page(run, tree):
    """Puts the page of heft serve into another tree, where the stage npm was not left out."""
    page = run.source + '/build/web'
    if os.path.isdir(page):
        shutil.copytree(page, os.path.join(tree, 'build', 'web'), dirs_exist_ok=True)


def site(run):
    """The site with its live scenes, as an archive for any server of files.
    If it fails: npm must reach a registry; run the stages build and npm first."""
    clone = os.path.join(WORK, 'another', 'folder')  # the pages list the files that git knows
    package = run.source + '/build/wasm-simd/npm'
    shutil.rmtree(os.path.join(clone, 'build', 'site'), ignore_errors=True)
    if not os.path.exists(package + '/heft.wasm'):
        raise Failed('there is no %s/heft.wasm' % package)
    for part in ('web', 'site'):
        if not os.path.isdir(os.path.join(clone, part, 'node_modules')):
            run.call('npm', 'install', '--no-save', '--silent', '--no-audit', '--no-fund', cwd=os.path.join(clone, part))
    command = os.path.join(WORK, 'installed', 'bin', 'heft')
    run.call('npm', 'run', 'gallery', cwd=clone + '/web', HEFT_NPM=package, HEFT=command)
    give_page(run, clone)
    run.call('npm', 'run', 'build', cwd=clone + '/site', HEFT_NPM=package)
    pages = glob.glob(clone + '/build/site/**/*.html', recursive=True)
    if len(pages) < 100:
        raise Failed('the site has %d pages only' % len(pages))
    made = os.path.join(WORK, run.name + '-site.tar')
    run.call('tar', '--sort=name', '--mtime=@' + run.env['SOURCE_DATE_EPOCH'], '--owner=0', '--group=0', '--numeric-owner', '--mode=u+rw,go+r-w',
             '--transform=s,^\\.,%s-site,' % run.name, '-cf', made, '-C', clone + '/build/site', '.')
    run.call('xz', '--threads=1', '--force', made)
    put(made + '.xz')


def debian(run):
    """Debian packages, where the source archive has debian/.
    If it fails: apt-get build-dep . in the source folder installs what a build needs."""
    if not os.path.isdir(run.source + '/debian'):
        return 'there is no debian/'
    folder = os.path.join(WORK, 'debian')
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    run.call('tar', 'xf', os.path.join(OUT, run.name + '.tar.xz'), '-C', folder)
    shutil.copy(os.path.join(OUT, run.name + '.tar.xz'), os.path.join(folder, 'heft_%s.orig.tar.xz' % run.version))
    give_page(run, os.path.join(folder, run.name))
    # .ci/run has run the tests of this commit.
    run.call('dpkg-buildpackage', '-us', '-uc', '-b', cwd=os.path.join(folder, run.name), DEB_BUILD_OPTIONS='nocheck parallel=' + run.jobs)
    made = [path for kind in ('deb', 'changes', 'buildinfo') for path in glob.glob(folder + '/*.' + kind)]
    if not any(path.endswith('.deb') for path in made):
        raise Failed('no package was made')
    for path in made:
        put(path, 'debian')
    return None


def reports(run):
    """Bill of materials (SPDX), licences of all that is needed or contained, changes of the binary interface, release notes.
    If it fails: install abigail-tools and binutils; if the binary interface breaks programs of the last release, raise the version
    (docs/manual/compatibility.md)."""
    def path(ending):
        return os.path.join(WORK, run.name + ending)
    # The interface first: it alone can refuse a release.
    run.call('sh', 'tools/check_abi.sh', cwd=run.source)
    run.call('sh', 'tools/check_abi.sh', '--report', cwd=run.source, output=path('-abi.md'))
    run.call(sys.executable, 'packaging/sbom.py', os.path.join(WORK, 'installed'), output=path('.spdx.json'))
    contained = glob.glob(OUT + '/python/*.whl') + glob.glob(OUT + '/npm/*.tgz')
    run.call(sys.executable, 'packaging/licence_report.py', path('.spdx.json'), *contained, output=path('-licences.md'))
    with open(path('-notes.md'), 'w', encoding='utf-8') as file:
        file.write(notes(run.version))
    for ending in ('-abi.md', '.spdx.json', '-licences.md', '-notes.md'):
        put(path(ending))


def change_log():
    with open(os.path.join(ROOT, 'CHANGELOG.md'), encoding='utf-8') as file:
        return file.read()


def relinked(text, folder, name):
    """A page of a folder of the repository, with links that lead into the source archive when it is unpacked beside the page."""
    def target(match):
        path, mark, anchor = match[1].partition('#')
        if not path or '://' in path or path.startswith('mailto:'):
            return match[0]
        path = os.path.normpath(os.path.join(folder, path))
        if not os.path.exists(os.path.join(ROOT, path)):
            raise Failed('the link "%s" of the release notes leads nowhere' % match[1])
        return '](%s/%s%s%s)' % (name, path, mark, anchor)
    return re.sub(r'\]\(([^)\s]+)\)', target, text)


def notes(version):
    """The release notes for users, where there are some for this minor version, and the section of the change log."""
    name = 'heft-' + version
    section = re.search(r'^## %s \(.*?(?=^## |\Z)' % re.escape(version), change_log(), re.M | re.S)
    if not section:
        raise Failed('CHANGELOG.md has no section "## %s (...)"' % version)
    text = ''
    page = os.path.join(ROOT, 'docs', 'releases', version.rpartition('.')[0] + '.md')
    if version.endswith('.0') and os.path.exists(page):
        with open(page, encoding='utf-8') as file:
            text = relinked(file.read(), 'docs/releases', name) + '\n# All changes\n\n'
    return ('_Unpack %s.tar.xz beside this file: links and pictures lead into it._\n\n' % name) + text + relinked(section[0].rstrip(), '', name) + '\n'


STAGES = [tree, source, npm, build, python, site, debian, reports]


def names():
    return [stage.__name__ for stage in STAGES]


def about(stage):
    made, _, advice = stage.__doc__.partition('If it fails: ')
    return ' '.join(made.split()), ' '.join(advice.split())


def fail(run, stage, reason):
    if run.log and os.path.exists(run.log):
        with open(run.log, encoding='utf-8', errors='replace') as file:
            for line in file.read().splitlines()[-15:]:
                print('    ' + line)
    print('release: stage "%s" failed: %s' % (stage.__name__, reason))
    print('  log:      %s' % os.path.relpath(run.log, ROOT))
    print('  help:     %s' % about(stage)[1])
    print('  go on by: packaging/release.py %s%s --from %s' % (run.version, ' --rehearsal' if run.rehearsal else '', stage.__name__))
    print('  build/dist is not complete; it has no SHA256SUMS')
    return 1


def checksums(run):
    """SHA256SUMS over all files, in the form that sha256sum --check reads; returns the rows of the table."""
    rows = []
    for path in sorted(glob.glob(OUT + '/**/*', recursive=True)):
        if os.path.isfile(path):
            rows.append((os.path.relpath(path, OUT), os.path.getsize(path), sha256(path)))
    part = os.path.join(OUT, 'SHA256SUMS.part')
    with open(part, 'w', encoding='utf-8') as file:
        for name, _, digest in rows:
            file.write('%s  %s\n' % (digest, name))
    os.replace(part, os.path.join(OUT, 'SHA256SUMS'))
    return rows


def table(rows):
    width = max(len(name) for name, _, _ in rows)
    print('\n%-*s %12s  %s' % (width, 'file', 'bytes', 'SHA-256'))
    for name, size, digest in rows:
        print('%-*s %12s  %s' % (width, name, format(size, ','), digest[:16]))


def perform(run, first, without):
    """All stages from `first` on. Returns the exit code."""
    left_out = []
    for number, stage in enumerate(STAGES, 1):
        name = stage.__name__
        head = '[%d/%d] %-8s' % (number, len(STAGES), name)
        if names().index(first) > number - 1 and name != 'tree':
            print(head + ' was made before')
            continue
        if name in without:
            print(head + ' left out')
            left_out.append(name)
            continue
        print(head + ' ' + about(stage)[0], flush=True)
        begin = time.monotonic()
        run.stage = stage
        run.begin(name)
        try:
            remark = stage(run)
        except (Failed, OSError, tarfile.TarError, UnicodeDecodeError) as error:
            return fail(run, stage, error)
        if remark:
            left_out.append('%s (%s)' % (name, remark))
        print('%s %.0f s%s' % (' ' * len(head), time.monotonic() - begin, ', left out: ' + remark if remark else ''), flush=True)
    rows = checksums(run)
    table(rows)
    if left_out:
        print('\nleft out: ' + ', '.join(left_out))
    if run.rehearsal or left_out:
        print('\nThis is a rehearsal or a part, not a release.')
    print('\nrelease: %d files of %s at commit %s in build/dist; next: docs/internals/release.md, "Sign and publish"'
          % (len(rows), run.name, run.commit[:12]))
    return 0


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('version', nargs='?', metavar='VERSION')
    parser.add_argument('--rehearsal', action='store_true')
    parser.add_argument('--from', dest='first', default=names()[0], metavar='STAGE')
    parser.add_argument('--without', default='', metavar='STAGE,...')
    parser.add_argument('--list', action='store_true')
    given = parser.parse_args()
    if given.list:
        for stage in STAGES:
            print('%-8s %s' % (stage.__name__, about(stage)[0]))
        sys.exit(0)
    if not given.version or not re.fullmatch(r'\d+\.\d+\.\d+', given.version):
        sys.exit('release: "%s" is no version; write MAJOR.MINOR.PATCH, such as %s' % (
            given.version or '', subprocess.run([sys.executable, os.path.join(ROOT, 'tools/version.py')], capture_output=True, text=True,
                                                check=True).stdout.strip()))
    given.without = [name for name in given.without.split(',') if name]
    for name in given.without + [given.first]:
        if name not in names():
            sys.exit('release: there is no stage "%s"; the stages are %s' % (name, ', '.join(names())))
    if 'tree' in given.without or 'source' in given.without:
        sys.exit('release: the stages tree and source cannot be left out; all others use what they make')
    return given


def prepare(run, given):
    """Empties the folders, or checks that they belong to this commit if the run goes on."""
    mark = os.path.join(WORK, 'commit')
    if names().index(given.first) >= names().index('build'):
        try:
            with open(mark, encoding='utf-8') as file:
                before = file.read().strip()
        except OSError:
            sys.exit('release: nothing was made yet; run without --from')
        if before != '%s %s' % (run.version, run.commit):
            sys.exit('release: build/dist was begun for "%s", and now it is "%s %s"; run without --from' % (before, run.version, run.commit))
    else:
        shutil.rmtree(OUT, ignore_errors=True)
        shutil.rmtree(WORK, ignore_errors=True)
        os.makedirs(WORK)
        with open(mark, 'w', encoding='utf-8') as file:
            file.write('%s %s\n' % (run.version, run.commit))
    os.makedirs(OUT, exist_ok=True)
    os.makedirs(os.path.join(WORK, 'tmp'), exist_ok=True)
    for name in ('SHA256SUMS', 'SHA256SUMS.asc'):
        if os.path.exists(os.path.join(OUT, name)):
            os.remove(os.path.join(OUT, name))


def main():
    given = arguments()
    run = Run(given.version)
    run.rehearsal = given.rehearsal
    run.stage = STAGES[0]
    os.makedirs(os.path.join(ROOT, 'build'), exist_ok=True)
    lock = open(os.path.join(ROOT, 'build', 'release.lock'), 'w', encoding='utf-8')
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        sys.exit('release: another run works in this tree; wait until it has ended')
    try:
        run.commit = git('rev-parse', 'HEAD')
        # Scratch folders are inside, where a compiler cache can recognise paths.
        run.env = {**os.environ, 'LC_ALL': 'C', 'TZ': 'UTC', 'TMPDIR': os.path.join(WORK, 'tmp'), 'SOURCE_DATE_EPOCH': git('log', '-1', '--format=%ct')}
    except Failed as error:
        sys.exit('release: %s\n  A release is made from a clone of the repository, not from a source archive.' % error)
    run.jobs = str(os.cpu_count() or 1)
    os.umask(0o022)

    def stopped(number, _):
        run.stop()
        raise KeyboardInterrupt(number)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stopped)
    try:
        prepare(run, given)
        sys.exit(perform(run, given.first, given.without))
    except KeyboardInterrupt as reason:
        fail(run, run.stage, 'stopped by %s' % signal.Signals(reason.args[0]).name if reason.args else 'stopped')
        sys.exit(130)


if __name__ == '__main__':
    main()
