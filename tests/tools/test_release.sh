#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# packaging/release.py in a small repository with programs that fail, wait or are missing: which stage failed, what to do, how to go on, and
# never a list of checksums beside files that are not complete. tools/version.py notices files that differ.
set -eu

for program in git xz python3 sha256sum; do
  command -v $program >/dev/null || { echo "skipped: $program is not installed"; exit 77; }
done
root=$PWD
work=$(mktemp -d)
pid=
trap '[ -z "$pid" ] || kill -9 "$pid" 2>/dev/null || true; rm -rf "$work"' EXIT INT TERM
bad=0
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.com GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.com \
  GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1

note() {
  if [ "$1" = 0 ]; then echo "ok: $2"; else echo "NOT ok: $2" && sed 's/^/    /' "$work/out" && bad=1; fi
}

# expect <exit code> <what> <text> <argument of release.py...>
expect() {
  wanted=$1 what=$2 text=$3 code=0
  shift 3
  PATH=$work/bin:$PATH python3 packaging/release.py "$@" >"$work/out" 2>&1 || code=$?
  wrong=0
  [ "$code" = "$wanted" ] && grep -qF -- "$text" "$work/out" || wrong=1
  note "$wrong" "$what (exit code $code)"
}
no_sums() {
  wrong=0
  [ ! -e build/dist/SHA256SUMS ] || wrong=1
  note "$wrong" "no checksums: $1"
}
holds() {
  wrong=0
  grep -qF -- "$2" "$work/out" || wrong=1
  note "$wrong" "$1"
}

# A repository with the command, and stand-ins for the programs that it calls.
mkdir -p "$work/bin" "$work/tree/tools" "$work/tree/packaging" "$work/tree/docs/releases"
cd "$work/tree"
cp "$root/packaging/release.py" packaging/
printf '#!/bin/sh\n[ "${1:-}" != --check ] || [ "${2:-}" = 0.2.0 ] || { echo "version: a.txt:3: has 0.2.0; write $2"; exit 1; }\necho 0.2.0\n' >tools/version.sh
printf 'import subprocess, sys\nsys.exit(subprocess.run(["sh", "tools/version.sh"] + sys.argv[1:]).returncode)\n' >tools/version.py
printf '# Changes\n\n## 0.2.0 (unreleased)\n\n- One thing.\n\n## 0.1.0 (2026-01-01)\n\n- Old.\n' >CHANGELOG.md
printf '# Heft 0.2\n' >docs/releases/0.2.md
echo build >.gitignore
git init -q . && git add -A && git commit -qm first
program() { printf '#!/bin/sh\n%s\n' "$2" >"$work/bin/$1" && chmod +x "$work/bin/$1"; }
program cmake 'echo "no compiler was found" && exit 3'

expect 1 "a word that is no version" 'is no version; write MAJOR.MINOR.PATCH, such as 0.2.0' next
expect 1 "an unknown stage" 'the stages are tree, source, npm' 0.2.0 --from sources
expect 1 "nothing to go on with" 'run without --from' 0.2.0 --from build
expect 1 "another version than that of the files" 'stage "tree" failed' 0.3.0 --rehearsal
holds "it shows what differs" 'a.txt:3: has 0.2.0; write 0.3.0'
expect 1 "a version without a date" 'CHANGELOG.md calls 0.2.0 unreleased' 0.2.0
echo more >>CHANGELOG.md
expect 1 "a change that is in no commit" 'M CHANGELOG.md' 0.2.0 --rehearsal
holds "it says what to do" 'commit or stash the changes'
git checkout -q CHANGELOG.md

others=build,python,npm,site,debian,reports
expect 0 "the source alone" 'This is a rehearsal or a part' 0.2.0 --rehearsal --without $others
(cd build/dist && sha256sum --check --quiet SHA256SUMS) >"$work/out" 2>&1 || true
wrong=0 && [ ! -s "$work/out" ] || wrong=1
note $wrong "its checksums are right"
cp build/dist/SHA256SUMS "$work/sums"
git clone -q . "$work/somewhere else"
cd "$work/somewhere else"
umask 0077
(TZ=America/Lima && export TZ && expect 0 "the source in another folder" heft-0.2.0.tar.xz 0.2.0 --rehearsal --without $others)
umask 0022
cp build/dist/SHA256SUMS "$work/out"
wrong=0 && cmp -s "$work/sums" build/dist/SHA256SUMS || wrong=1
note $wrong "has the same bytes"
cd "$work/tree"

expect 1 "a compiler that fails" 'stage "build" failed: "cmake --preset release' 0.2.0 --rehearsal --without npm
holds "the log is shown" 'no compiler was found'
holds "it says what to install" 'install the packages of docs/manual/installing.md'
holds "it says how to go on" 'go on by: packaging/release.py 0.2.0 --rehearsal --from build'
no_sums "a stage failed"
rm "$work/bin/cmake" && mkdir "$work/few"
for program in git xz tar sh gzip; do ln -s "$(command -v $program)" "$work/few/$program"; done
python=$(python3 -c 'import sys; print(sys.executable)') code=0
PATH=$work/few "$python" packaging/release.py 0.2.0 --rehearsal --from build >"$work/out" 2>&1 || code=$?
wrong=0 && grep -qF 'stage "build" failed: the program cmake was not found' "$work/out" || wrong=1
note $wrong "a program that is missing (exit code $code)"

# A run that is stopped: by a signal that can be caught, and by one that cannot.
for name in TERM KILL; do
  program cmake "echo \$\$ >$work/child && exec sleep 600"
  rm -f "$work/child"
  PATH=$work/bin:$PATH python3 packaging/release.py 0.2.0 --rehearsal --from build >"$work/out" 2>&1 &
  pid=$!
  while [ ! -s "$work/child" ]; do kill -0 $pid; sleep 0.1; done
  if [ $name = KILL ]; then
    cp "$work/out" "$work/first"
    expect 1 "a second run at the same time" 'another run works in this tree' 0.2.0 --rehearsal
  fi
  kill -$name $pid
  code=0
  wait $pid || code=$?
  pid=
  no_sums "stopped by SIG$name (exit code $code)"
  if [ $name = TERM ]; then
    holds "it says so" 'stage "build" failed: stopped by SIGTERM'
    while kill -0 "$(cat "$work/child")" 2>/dev/null; do sleep 0.1; done  # the child ends with it
  else
    kill -9 "$(cat "$work/child")"
  fi
done
expect 0 "it goes on after that" 'This is a rehearsal' 0.2.0 --rehearsal --from build --without $others
sed -i 's/unreleased/2026-12-01/' CHANGELOG.md && git commit -qam "set the date"
expect 1 "going on with another commit" 'run without --from' 0.2.0 --from build
expect 0 "a version with its date" 'left out: npm' 0.2.0 --without $others

# The versions of the real tree: what differs is named by file and line.
cd "$root"
[ -e .git ] || { echo "the versions of the tree are left out: this is no clone"; exit "$bad"; }
mkdir "$work/copy" && git ls-files -z -- '*.md' '*.1' '*.cff' '*.json' '*.json.in' '*.yaml' '*.toml' CMakeLists.txt include/heft/version.h \
  debian/changelog debian/control tests/faults/crafted.txt packaging/release.py tools/version.py | xargs -0 cp --parents -t "$work/copy"
cd "$work/copy"
versions() {
  code=0
  python3 tools/version.py --check >"$work/out" 2>&1 || code=$?
  wrong=0
  [ "$code" = "$1" ] && grep -qE -- "$3" "$work/out" || wrong=1
  note "$wrong" "$2"
}
versions 0 "all versions are equal" 'all files have'
sed -i 's/"Heft [0-9.]*"/"Heft 9.9.9"/' docs/man/heft.1
versions 1 "a man page differs" 'docs/man/heft.1:1: has 9.9.9; write'
sed -i 's/heft-[0-9.]*-cp311/heft-9.9.9-cp311/' docs/manual/python.md
versions 1 "an install line differs" 'docs/manual/python.md:[0-9]+: has 9.9.9'
sed -i 's/@PROJECT_VERSION@/1.0.0/' js/package.json.in
versions 1 "a build that no longer reads the header" 'js/package.json.in: does not take the version from'
python3 tools/version.py --set 9.9.9 >"$work/out" 2>&1 || true
wrong=0 && grep -q 'CHANGELOG.md: the first section' "$work/out" && grep -q 'MINOR 9 ' include/heft/version.h || wrong=1
note $wrong "a new version is set, and the change log asks for its section"
exit "$bad"
