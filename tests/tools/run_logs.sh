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
# With --margin, rows have the friction that bodies need: here half of the weight at each jaw, 0.045 * 9.81 / 2 / (0.7 * 0.5).
"$1" run --time 0.1 --key still --margin 1 --log "$work/m.csv" --log "$work/m.npy" --log "$work/m.mcap" "$2/grasp.xml" >/dev/null
python3 "$here/read_log.py" "$work/m.csv" "$work/m.npy" "$work/m.mcap"
awk -F, 'NR == 1 { bad = $NF != "margin.friction_needed" } NR > 2 && ($NF / 0.630642857 - 1) ^ 2 > 1e-12 { bad = 1 }
  END { exit bad || NR != 102 }' "$work/m.csv" || { echo "the log lacks the friction that a grasp needs"; exit 1; }
python3 "$here/read_log.py" "$work/m.mcap" /plugins | grep -q '"margin": *{"friction_needed": *0.6306' || { echo "the MCAP log lacks it"; exit 1; }
# The model is in the log: the same run comes from it, with the same bits.
"$1" run --time 0.3 "$2/quadruped.xml" | grep hash >"$work/file.txt"
"$1" run --time 0.3 "$work/a.mcap" | grep hash >"$work/log.txt"
cmp "$work/file.txt" "$work/log.txt"
if "$1" run --time 0.1 --log "$work/c.txt" "$2/slope.xml" 2>/dev/null; then
  echo "an unknown ending was taken"
  exit 1
fi
