#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the Debian packages in clean systems and tests them. Needs root, mmdebstrap, autopkgtest and piuparts; takes
# some minutes for each part (docs/internals/packages.md has figures).
#   build         two builds in one clean system, in two folders and two time zones; the packages must be the same bytes
#   lintian       no error and no warning
#   autopkgtest   debian/tests, in a clean system that has the packages alone
#   piuparts      install, remove, purge: nothing is left behind
# usage: packages.sh [--once] FOLDER [PART...]    all parts where none is named; FOLDER keeps systems, packages and logs
#   --once   one build, which is not compared
set -eu

source=$(cd "$(dirname "$0")/../.." && pwd)
once=no
if [ "${1:-}" = --once ]; then once=yes && shift; fi
[ $# -gt 0 ] || { sed -n '3,11s/^# \{0,1\}//p' "$0"; exit 2; }
mkdir -p "$1"
work=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- build lintian autopkgtest piuparts
. "$source/packaging/deb/chroot.sh"
commit=$(git -C "$source" rev-parse HEAD)
version=$(dpkg-parsechangelog -l "$source/debian/changelog" -S Version)
jobs=${HEFT_DEB_JOBS:-$(nproc)}

# export_to <folder>: the files of the commit with which this script began, and the page of heft serve
[ -f "$source/build/web/index.html" ] || fail "build/web is missing: the packages contain the page of heft serve (web/README.md)"
export_to() {
  mkdir -p "$1"
  git -C "$source" archive "$commit" | tar -x -C "$1"
  mkdir -p "$1/build"
  cp -r "$source/build/web" "$1/build/web"
}

# one <folder in the system> <time zone> <result>: builds there
one() {
  folder=$root$1/heft-$version
  remove "$root$1"
  export_to "$folder"
  TZ=$2 DEB_BUILD_OPTIONS="parallel=$jobs ${DEB_BUILD_OPTIONS:-}" inside sh -c "cd '$1/heft-$version' && dpkg-buildpackage -us -uc" \
    >"$work/build-$3.log" 2>&1 || { tail -n 40 "$work/build-$3.log"; fail "the build failed: $work/build-$3.log"; }
  rm -rf "${work:?}/$3"
  mkdir "$work/$3"
  find "$root$1" -maxdepth 1 -type f -exec cp {} "$work/$3/" \;
  remove "$root$1"
}

# The system of the builds, with what debian/control asks for. It is kept while that file is the same.
builder() {
  if [ -d "$work/builder" ] && cmp -s "$source/debian/control" "$work/builder.control"; then
    enter builder
    return 0
  fi
  rm -f "$work/builder.control"
  system builder
  export_to "$root/srv/control"
  inside sh -c 'cd /srv/control && apt-get install -qq --no-install-recommends build-essential fakeroot && apt-get build-dep -qq --no-install-recommends ./' \
    >"$work/build-dep.log" 2>&1 || { tail "$work/build-dep.log"; fail "build dependencies could not be installed"; }
  cp "$source/debian/control" "$work/builder.control"
}

build() {
  builder
  one /build UTC packages
  [ "$once" = no ] || { unmount; return 0; }
  one /srv/another/folder/of/another/length Asia/Kolkata again
  unmount
  (cd "$work/packages" && sha256sum -- *.deb *.tar.xz *.dsc) >"$work/packages.sha256"
  (cd "$work/again" && sha256sum -c --quiet "$work/packages.sha256") || fail "two builds differ"
  echo "build: $(wc -l <"$work/packages.sha256") files are the same bytes from two folders and two time zones"
}

# The lintian of this machine is not asked: a newer one may know other rules.
lintian_() {
  system lintian
  inside apt-get -qq install --no-install-recommends lintian >"$work/lintian-install.log" 2>&1 || fail "lintian could not be installed"
  attach "$work/packages" "$root/srv/packages"
  code=0
  inside sh -c 'lintian --allow-root --fail-on error,warning -EvIL +pedantic /srv/packages/*.changes' >"$work/lintian.log" 2>&1 || code=$?
  unmount
  if grep -E '^[EW]: ' "$work/lintian.log"; then fail "lintian found what is above"; fi
  [ "$code" -eq 0 ] || { cat "$work/lintian.log"; fail "lintian ended with exit code $code"; }
  echo "lintian: no error, no warning; $(grep -cE '^[IPX]: ' "$work/lintian.log") remarks, $(grep -c '^O: ' "$work/lintian.log") overrides in lintian.log"
}

autopkgtest_() {
  command -v autopkgtest >/dev/null || fail "autopkgtest was not found (Debian: apt install autopkgtest)"
  system tests
  rm -rf "$work/autopkgtest"
  code=0
  autopkgtest --output-dir="$work/autopkgtest" --apt-upgrade "$work/packages"/*.deb "$work/packages"/*.dsc -- chroot "$root" \
    >"$work/autopkgtest.log" 2>&1 || code=$?
  unmount
  grep -E ' (PASS|FAIL|SKIP)' "$work/autopkgtest/summary" || true
  [ "$code" -eq 0 ] || { tail -n 60 "$work/autopkgtest.log"; fail "autopkgtest failed: $work/autopkgtest.log"; }
}

piuparts_() {
  command -v piuparts >/dev/null || fail "piuparts was not found (Debian: apt install piuparts)"
  base
  [ -s "$work/base.tar.gz" ] || gzip -1 -k "$work/base.tar"
  # Not yet in an archive: there is no version to upgrade from.
  piuparts -d "$suite" -m "$(mirror)" -b "$work/base.tar.gz" --no-upgrade-test --warn-on-leftovers-after-purge \
    "$work/packages"/*.deb >"$work/piuparts.log" 2>&1 || { grep -E 'ERROR|FAIL' "$work/piuparts.log"; fail "piuparts failed: $work/piuparts.log"; }
  if grep -E 'WARN.*(left|purge)' "$work/piuparts.log"; then fail "files are left behind"; fi
  tail -n 1 "$work/piuparts.log"
}

for part in "$@"; do
  began=$(date +%s)
  case $part in
    build) build ;;
    lintian | autopkgtest | piuparts) "${part}_" ;;
    *) fail "there is no part '$part': build, lintian, autopkgtest, piuparts" ;;
  esac
  echo "$part: $(($(date +%s) - began)) s"
done
