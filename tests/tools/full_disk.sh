#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A full disk: a verb whose standard output cannot be written ends with a message and code 1, and a file that cannot be written
# whole keeps its old bytes. A limit on the size of files stands for the disk; /dev/full is the kernel's.
# usage: full_disk.sh HEFT SCENES
set -eu
heft=$1 scenes=$2
[ -w /dev/full ] || { echo "skipped: there is no /dev/full"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
cd "$work"
fail() { echo "full_disk: $1"; cat err; exit 1; }

cat >plan.toml <<END
model = "$scenes/slide.xml"
duration = 0.02
runs = 4
chunk = 2
END
"$heft" sweep run plan.toml --out results --quiet >out 2>err || fail "the sweep failed"
"$heft" run "$scenes/slide.xml" --time 0.02 --quiet --record session.mcap >out 2>err || fail "the recording failed"
tried=0
"$heft" --help | sed -nE 's/^  ([a-z]+) .*/\1 --help/p' >verbs
cat >>verbs <<END
--help
--version
info $scenes/slide.xml
check $scenes/slide.xml
run $scenes/slide.xml --time 0.02
run $scenes/slide.xml --time 0.02 --json
replay session.mcap
compare $scenes/slide.xml --time 0.02
devices
sweep check plan.toml
sweep show results
sweep export results
sweep hash results
sweep run plan.toml --out results
validate --list
experiment --list
END
while read -r verb; do
  code=0
  # shellcheck disable=SC2086  # a verb and its arguments
  "$heft" $verb >/dev/full 2>err </dev/null || code=$?
  [ "$code" -eq 1 ] || fail "'heft $verb >/dev/full' ends with code $code"
  [ -s err ] || fail "'heft $verb >/dev/full' says nothing"
  tried=$((tried + 1))
done <verbs

# keeps <name> <new> <old...>: the second command writes the file again, and has no room
keeps() {
  cp "$1" before
  # shellcheck disable=SC2086  # a verb and its arguments
  if (ulimit -f 1 && "$heft" $2 >out 2>err); then fail "'heft $2' has written a file that has no room"; fi
  cmp -s "$1" before || fail "'heft $2' has destroyed the file that was there"
  [ "$(find . -name '*.part' | wc -l)" -eq 0 ] || fail "'heft $2' leaves a part of a file"
  tried=$((tried + 1))
}
"$heft" convert "$scenes/humanoid.xml" m.heft >out 2>err && keeps m.heft "convert $scenes/quadruped.xml m.heft"
"$heft" convert "$scenes/humanoid.xml" m.xml >out 2>err && keeps m.xml "convert $scenes/quadruped.xml m.xml"
"$heft" generate "$scenes/humanoid.xml" -o m.c >out 2>err && keeps m.c "generate $scenes/quadruped.xml -o m.c"
"$heft" sweep export results --csv r.csv >out 2>err || fail "export failed"
sed 's/^runs = 4/runs = 40/' plan.toml >more.toml
"$heft" sweep run more.toml --out more --quiet >out 2>err || fail "the second sweep failed"
keeps r.csv "sweep export more --csv r.csv"
echo "full_disk: $tried verbs end with code 1, and keep what was there"
