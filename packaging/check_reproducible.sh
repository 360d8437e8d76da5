#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Two builds in folders of different names and lengths, in two time zones and languages, have the same bytes.
# usage: check_reproducible.sh                  builds and installs twice and compares every installed file; takes some minutes
#        check_reproducible.sh --short BUILD    compiles every C++ file of an existing build and some of its C files again in another
#                                               folder and compares the objects, and searches the programs and libraries of
#                                               the build for the path of the source; takes some seconds
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
jobs=$(nproc 2>/dev/null || echo 2)
unset CMAKE_C_COMPILER_LAUNCHER CMAKE_CXX_COMPILER_LAUNCHER  # a cache would give back the first build

short() {
  build=$(cd "$1" && pwd)
  # The copy is not a git repository and has other times of files.
  other="$work/another/folder of builds"
  mkdir -p "$other"
  (cd "$root" && tar cf - --exclude=./build --exclude=./.git --exclude=node_modules .) | (cd "$other" && tar xmf -)
  TZ=Asia/Kolkata LC_ALL=C.UTF-8 python3 - "$root" "$build" "$other" "$jobs" <<'PYTHON'
import concurrent.futures, json, os, re, shlex, subprocess, sys

root, build, other, jobs = sys.argv[1:]
rooms = r'CMakeFiles/(heft\w*)\.dir/'
commands = [c for c in json.load(open(os.path.join(build, 'compile_commands.json'))) if re.search(rooms, c['command']) and not c['file'].startswith(build)]
kept, count = [], {}
for c in commands:
    room = re.search(rooms, c['command']).group(1)
    count[room] = count.get(room, -1) + 1
    if c['file'].endswith('.cpp') or count[room] % 24 == 0:  # of each room the first, and some more
        kept.append(c)
moved = os.path.join(other, os.path.relpath(build, root))


def compile(words, folder, to):
    """The bytes of an object, compiled without a cache."""
    words = words[1:] if os.path.basename(words[0]) == 'ccache' else list(words)
    words[words.index('-o') + 1] = to
    os.makedirs(os.path.dirname(to), exist_ok=True)
    run = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    if run.returncode != 0:
        raise RuntimeError('%s: %s' % (words[-1], run.stderr.strip()[-300:]))
    return open(to, 'rb').read()


def compare(c):
    words = shlex.split(c['command'])
    name = words[words.index('-o') + 1]
    first = os.path.join(build, name)
    if not os.path.exists(first):
        return None  # not built yet
    mine = compile([w.replace(root, other) for w in words], moved, os.path.join(moved, name))
    # a cache may have compiled it with relative paths
    if open(first, 'rb').read() != mine and compile(words, build, os.path.join(moved, name + '.first')) != mine:
        return '%s has other bytes than the same file compiled in another folder' % os.path.relpath(first, root)
    compare.compared += 1


compare.compared = 0
os.makedirs(moved, exist_ok=True)
with concurrent.futures.ThreadPoolExecutor(int(jobs)) as pool:
    errors = [e for e in pool.map(compare, kept) if e]
searched = 0
for folder, name in [('bin', 'heft')] + [('lib', n) for n in sorted(os.listdir(os.path.join(build, 'lib'))) if re.match(r'libheft(?!_test_)\w*\.(so|a)$', n)]:
    path = os.path.join(build, folder, name)
    searched += 1
    if (root + '/').encode() in open(path, 'rb').read():
        errors.append('%s contains the path %s' % (os.path.relpath(path, root), root))
for e in errors:
    print(e)
if errors or compare.compared == 0:
    sys.exit('reproducible: no; -fmacro-prefix-map (cmake/HeftApps.cmake) hides paths of __FILE__')
print('reproducible: %d objects have the same bytes in another folder; %d programs and libraries without its path' %
      (compare.compared, searched))
PYTHON
}

# one <folder> <time zone> <number>
one() {
  git clone -q "$root" "$work/$1"
  git -C "$work/$1" checkout -q "$commit"
  (cd "$work/$1" && export TZ="$2" && cmake --preset release -DHEFT_BUILD_TESTS=OFF >/dev/null &&
    cmake --build --preset release -j "$jobs" >/dev/null &&
    cmake --install build/release --prefix "$work/installed/$3" >/dev/null)
}

case ${1:-} in
  --short) short "${2:?usage: check_reproducible.sh --short BUILD}" && exit 0 || exit 1 ;;
  "") ;;
  *) echo "usage: check_reproducible.sh [--short BUILD]" >&2; exit 2 ;;
esac
commit=$(git -C "$root" rev-parse HEAD)  # of both builds, also if commits come in between
one a UTC 1
one another/folder Asia/Kolkata 2
if diff -r "$work/installed/1" "$work/installed/2"; then
  echo "reproducible: $(find "$work/installed/1" -type f | wc -l) installed files are the same"
else
  echo "reproducible: the files above differ"
  exit 1
fi
