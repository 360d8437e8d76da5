#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The three logs of `heft run` say the same, as an independent reader in Python reads them.
# usage: run_logs.sh HEFT SCENES
set -eu
command -v python3 >/dev/null || { echo "python3 is not here"; exit 77; }
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
"$1" run --time 0.3 --log "$work/a.csv" --log "$work/a.npy" --log "$work/a.mcap" "$2/quadruped.xml" >/dev/null
python3 "$here/read_log.py" "$work/a.csv" "$work/a.npy" "$work/a.mcap"
"$1" run --time 2 --every 3 --log "$work/b.csv" --log "$work/b.npy" --log "$work/b.mcap" "$2/two_boxes.xml" >/dev/null
python3 "$here/read_log.py" "$work/b.csv" "$work/b.npy" "$work/b.mcap"
# The model is in the log: the same run comes from it, with the same bits.
"$1" run --time 0.3 "$2/quadruped.xml" | grep hash >"$work/file.txt"
"$1" run --time 0.3 "$work/a.mcap" | grep hash >"$work/log.txt"
cmp "$work/file.txt" "$work/log.txt"
if "$1" run --time 0.1 --log "$work/c.txt" "$2/slope.xml" 2>/dev/null; then
  echo "an unknown ending was taken"
  exit 1
fi
