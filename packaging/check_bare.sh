#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A bare Debian system: clones the repository into it and runs the lines of README.md's section "Build, test, install", read
# from there. Lines whose comment says optional are left out. Needs root, mmdebstrap and the network; takes some minutes of an
# idle machine. Tells which tests were left out and why, and prints what failed tests said; the log of all tests stays in build/bare.log.
# usage: check_bare.sh [COMMIT]      default: HEAD
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
commit=$(git -C "$here" rev-parse --verify "${1:-HEAD}^{commit}")
work=$(mktemp -d)
# shellcheck source=packaging/deb/chroot.sh
. "$here/packaging/deb/chroot.sh"
leave() {
  unmount
  remove "$work"
}
trap leave EXIT

begin=$(date +%s)
# tell <what>: with the seconds since the last time
tell() {
  now=$(date +%s)
  echo "bare: $1 ($((now - begin)) s)"
  begin=$now
}

# tell_tests: keeps the log of ctest. For each test that was skipped its last line, for each that failed all it said.
tell_tests() {
  grep -E "tests passed|tests failed" "$work/log" || tail -n 60 "$work/log"
  mkdir -p "$here/build"
  cp "$root"/srv/heft/build/*/Testing/Temporary/LastTest.log "$here/build/bare.log"
  awk '
    NR == FNR { if (/\*\*\*Skipped/) { sub(/^.*#[0-9]+: */, ""); skipped[$1] = 1 } next }
    /^[0-9]+\/[0-9]+ Testing: / { name = $3; count = 0; inside = 0; next }
    /^Output:$/ { inside = 1; getline; next }
    /^<end of output>$/ { inside = 0; next }
    inside && NF > 0 { said[++count] = $0 }
    /^Test (Passed|Skipped)/ && skipped[name] { print "bare: skipped " name ": " reason() }
    /^Test Failed/ { print "bare: FAILED " name; for (i = 1; i <= count; ++i) print "  " said[i] }
    # of cmocka the line before its brackets
    function reason(i) {
      for (i = count; i > 1 && said[i] ~ /^\[|^ ?[0-9]+ SKIPPED/; --i) {}
      return said[i]
    }' "$work/log" "$here/build/bare.log"
}

# The lines with four blanks between the heading and the next one.
lines=$(awk '/^## /{ in_it = /^## Build, test, install/ } in_it && /^    / && !/# optional/ { sub(/^    /, ""); print }' "$here/README.md")
[ -n "$lines" ] || fail "README.md has no section 'Build, test, install'"
system bare
tell "system made"
git clone -q --no-local "$here" "$root/srv/heft"
git -C "$root/srv/heft" checkout -q "$commit"
tell "cloned $commit"
echo "$lines" | while IFS= read -r line; do
  case $line in *"apt-get install"*) line=$(echo "$line" | sed 's/apt-get install/apt-get install -qq -y --no-install-recommends/') ;; esac
  echo "bare: $line"
  good=1
  inside sh -ec "cd /srv/heft && $line" >"$work/log" 2>&1 || good=0
  case $line in
    ctest*) tell_tests ;;
    *) [ $good -eq 1 ] || tail -n 60 "$work/log" ;;
  esac
  [ $good -eq 1 ] || fail "this line of README.md fails: $line"
  tell "done"
done
echo "bare: all lines of README.md work in a bare system"
