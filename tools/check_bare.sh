#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A bare Debian system: clones the repository into it and runs the lines of README.md's section "Build, test, install", read
# from there. Lines whose comment says optional are left out. Needs root, mmdebstrap and the network; takes some minutes of an
# idle machine.
# usage: check_bare.sh [COMMIT]      default: HEAD
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
commit=$(git -C "$here" rev-parse --verify "${1:-HEAD}^{commit}")
work=$(mktemp -d)
# shellcheck source=tools/deb/chroot.sh
. "$here/tools/deb/chroot.sh"
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
  inside sh -ec "cd /srv/heft && $line" >"$work/log" 2>&1 || {
    tail -n 60 "$work/log"
    fail "this line of README.md fails: $line"
  }
  grep -E "tests passed|tests failed|Skipped" "$work/log" || true
  tell "done"
done
echo "bare: all lines of README.md work in a bare system"
