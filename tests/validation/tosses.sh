#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Heft follows the tosses of a real cube no worse than before, and names what is missing or damaged.
# usage: tosses.sh <heft> <folder of measurements>
set -eu
heft=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
mkdir "$work/tosses"

"$heft" validate --data "$work" tosses >"$work/out" && { echo "tosses without a file passed" >&2; exit 1; }
grep -q 'xz -dk tosses.txt.xz' "$work/out"
printf '4\n2\n1 2 3 nan' >"$work/tosses/tosses.txt"
"$heft" validate --data "$work" tosses >"$work/out" && { echo "damaged tosses passed" >&2; exit 1; }
grep -q 'is damaged' "$work/out"

if [ ! -r "$2/tosses/tosses.txt.xz" ]; then
  echo "skipped: there are no measurements in $2"
  exit 77
fi
xz -dc "$2/tosses/tosses.txt.xz" >"$work/tosses/tosses.txt"
"$heft" validate --data "$work" tosses
