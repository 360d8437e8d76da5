#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Contact problems in FCLIB's HDF5: `heft solve` gives the answer of the text that they came from, and
# survives files that are cut or bent. 77: heft-fclib-convert was not built.
# usage: fclib.sh HEFT SCENES
set -eu
convert=$(dirname "$1")/heft-fclib-convert
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
fail() { echo "fclib: $1"; cat "$work/out"; exit 1; }

# One contact, a box on two contacts in the plane, a ball that rolls.
echo "3 1 0 3 3 3 3 2 0 0 0 2 0.5 0 0.5 2 -1 0.5 0.25 0.4" >"$work/a.dat"
echo "2 2 0 4 4 4 4 2 0.5 1 0 0.5 2 0 0 1 0 2 -0.5 0 0 -0.5 2 -1 0.5 -1 0.5 0.3 0.6" >"$work/b.dat"
echo "5 1 0 5 5 5 5 2 0 0 0 0 0 7 0 0 5 0 0 7 5 0 0 0 5 9 0 0 5 0 0 9 -1 0.5 0 0.1 0 0.4 0.02" >"$work/c.dat"
if [ ! -x "$convert" ]; then
  printf '\211HDF\r\n\032\n and more' >"$work/a.hdf5"
  if "$1" solve "$work/a.hdf5" >"$work/out" 2>&1; then fail "a file that it cannot read was solved"; fi
  grep -q "libhdf5-dev" "$work/out" || fail "it does not say what is missing"
  echo "heft-fclib-convert is not built"
  exit 77
fi
for name in a b c; do
  "$convert" "$work/$name.dat" "$work/$name.hdf5" >"$work/out" 2>&1 || fail "$name was not written"
  "$convert" "$work/$name.hdf5" "$work/$name.txt" >"$work/out" 2>&1 || fail "$name was not read"
  for form in dat hdf5 txt; do
    "$1" solve --tolerance 1e-12 "$work/$name.$form" >"$work/out" 2>&1 || fail "$name.$form was not solved"
    awk 'NR == 2 { print $2, $4, $5, $6, $8, $9 }' "$work/out" >"$work/$name.$form.row"
  done
  cmp -s "$work/$name.dat.row" "$work/$name.hdf5.row" || fail "$name: HDF5 has another answer"
  cmp -s "$work/$name.dat.row" "$work/$name.txt.row" || fail "$name: its text has another answer"
done

# Cut and bent files: an answer or a sentence, and never a signal.
if command -v python3 >/dev/null; then
  python3 - "$1" "$work/a.hdf5" "$work/bent.hdf5" <<'PY' >"$work/out" 2>&1 || fail "a bent file was too much"
import random, subprocess, sys
data = open(sys.argv[2], "rb").read()
random.seed(7)
for trial in range(60):
    bent = bytearray(data)
    if trial % 3 == 0:
        bent = bent[: random.randrange(9, len(bent))]
    else:
        for _ in range(1 + trial % 5):
            bent[random.randrange(8, len(bent))] = random.randrange(256)
    open(sys.argv[3], "wb").write(bent)
    done = subprocess.run([sys.argv[1], "solve", "--effort", "100", sys.argv[3]], capture_output=True, timeout=60)
    if done.returncode not in (0, 1) or (done.returncode == 1 and not done.stderr and b"effort" not in done.stdout):
        sys.exit(f"trial {trial}: {done}")
PY
fi
echo "as it should be"
