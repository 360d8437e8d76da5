#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Writes debian/*.symbols: the names that the libraries of a build export, each with the version that had it first.
# usage: symbols.sh BUILD
set -eu
[ $# -eq 1 ] || { echo "usage: symbols.sh BUILD" >&2; exit 2; }
build=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
version=$(dpkg-parsechangelog -S Version)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

# write <package> <package for developers> <library>...
write() {
  package=$1 dev=$2
  shift 2
  files=""
  for library in "$@"; do files="$files -e$build/lib/$library.so"; done
  cp "debian/$package.symbols" "$work/old" 2>/dev/null || : >"$work/old"
  # shellcheck disable=SC2086  # a list of options
  dpkg-gensymbols -q -c0 "-p$package" "-v$version" -P"$work" "-I$work/old" "-O$work/new" $files
  { sed "/^lib/a * Build-Depends-Package: $dev" "$work/new"; } | awk '!(/^\* Build/ && seen[library]) { print } /^lib/ { library = $1 } /^\* Build/ { seen[library] = 1 }' \
    >"debian/$package.symbols"
  echo "debian/$package.symbols: $(grep -c '^ ' "debian/$package.symbols") names"
}
so=$(sed -nE 's/^Package: libheft([0-9.]+)$/\1/p' debian/control)
write "libheft$so" libheft-dev libheft libheft_device libheft_io libheft_plugin
write "libheft-view$so" libheft-view-dev libheft_view
