#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The page of the papers is current, and its tool notices keys that do not exist, verdicts without a file, and an old page.
# usage: test_papers.sh
set -eu
command -v python3 >/dev/null || { echo "skipped: python3 is not installed"; exit 77; }

root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
failed=0

"$root/tools/papers_table.py" --check || failed=1

copy() {
  rm -rf "$work/tree"
  mkdir -p "$work/tree/docs/manual" "$work/tree/tools"
  cp "$root/tools/papers_table.py" "$root/tools/papers.txt" "$root/tools/make_robots.py" "$work/tree/tools/"
  for folder in src apps tests experiments validation; do cp -r "$root/$folder" "$work/tree/"; done
  cp "$root/docs/papers.md" "$work/tree/docs/"
  cp "$root/docs/manual/experiments.md" "$work/tree/docs/manual/"
}

notices() {
  if "$work/tree/tools/papers_table.py" --check >"$work/out"; then
    echo "NOT ok: $1: the tool says nothing"
    failed=1
  elif grep -q "$2" "$work/out"; then
    echo "ok: $1"
  else
    echo "NOT ok: $1: the tool says:"
    cat "$work/out"
    failed=1
  fi
}

copy
printf '// SPDX-License-Identifier: Apache-2.0\n// Papers: R999.\n' >"$work/tree/src/stray.c"
notices "a key that does not exist" 'src/stray.c:2: there is no "R999"'
copy
sed -i '/^\/\/ Papers: /d' "$work/tree/src/dynamics/aba.c"
notices "a verdict without a file" "R1 is full, but no code names it"
copy
echo >>"$work/tree/docs/papers.md"
notices "an old page" "docs/papers.md is out of date"
copy
sed -i 's/^\(| it walks in open loop .*\) |$/\1: **differs** |/' "$work/tree/docs/manual/experiments.md"
notices "a claim that no longer holds" "docs/papers.md is out of date"
copy
sed -i 's/^\(| at 2.5 ms only the old damper leaps .*\): \*\*contradiction\*\* |$/\1 |/' "$work/tree/docs/manual/experiments.md"
notices "a contradiction that is none" "docs/papers.md is out of date"
exit $failed
