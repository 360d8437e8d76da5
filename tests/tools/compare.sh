#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `heft compare` and `heft run --contact-model`: a table with a row per model, a figure that is sound
# XML with a curve per model, and errors that say which words there are.
# usage: compare.sh HEFT SCENES
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
fail() { echo "compare: $1"; cat "$work/out"; exit 1; }

models=exact,exact,penalty:stiffness=20000,damping=100,lcp:facets=6,micro_macro,foot_exact,lugre,volume
"$1" compare --time 0.2 --models $models --figure "$work/a.svg" "$2/slide.xml" >"$work/out" || fail "it failed"
[ "$(grep -c '^  \(exact\|penalty:\|lcp:\|micro\|foot\|lugre\|volume\)' "$work/out")" = 8 ] || fail "not one row per model"
# The second run of the exact model ends where the first one does.
awk '$1 == "exact" { ++n; if ($3 + 0 != 0) bad = 1 } END { exit bad || n != 2 }' "$work/out" || fail "exact differs from itself"
awk '$1 ~ /^penalty/ { exit !($7 + 0 > 1e-4) }' "$work/out" || fail "penalty has no residual"
[ "$(grep -c 'stroke-width="1.5"' "$work/a.svg")" = 48 ] || fail "the figure has not six curves per model"
if command -v python3 >/dev/null; then
  python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$work/a.svg" || fail "not XML"
fi
"$1" compare --time 0.01 --no-figure "$2/slide.xml" >"$work/out" || fail "all models failed"
[ ! -e compare.svg ] || fail "a figure was written that nobody wanted"

for spec in rubber penalty:colour=1 penalty:stiffness=soft lcp:facets=2 penalty:stiffness; do
  if "$1" run --time 0.01 --contact-model $spec "$2/slide.xml" >"$work/out" 2>&1; then fail "$spec was taken"; fi
done
"$1" run --time 0.01 --contact-model rubber "$2/slide.xml" >"$work/out" 2>&1 || true
grep -q "exact, penalty, lcp, micro_macro, foot_exact, foot_onestep, lugre, volume" "$work/out" || fail "the words are not listed"
"$1" run --time 0.1 --contact-model lcp "$2/slide.xml" | grep -q "contact model *lcp" || fail "run says another model"
echo "as it should be"
