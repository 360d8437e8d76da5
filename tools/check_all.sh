#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every check that needs no build, on the working tree; a few seconds. .ci/run makes them first. If
# build/ci-clang is configured, clang-tidy then looks at the C files that differ from the upstream branch.
# usage: check_all.sh           runs the checks, all of them even where one fails
#        check_all.sh --list    prints them: name, tabulator, command
set -eu

cd "$(dirname "$0")/.."
list() {
  printf '%s\t%s\n' \
    "format" "tools/check_format.sh" \
    "licences" "tools/check_spdx.sh" \
    "reuse" "reuse lint" \
    "layers" "tools/check_layers.sh" \
    "call knots" "tools/call_knots.py --check" \
    "banned functions" "tools/check_banned.sh" \
    "documents" "tools/check_docs.sh" \
    "version" "tools/version.py --check" \
    "words" "tools/check_words.py --check" \
    "sentences" "tools/check_style.py --check" \
    "spelling" "codespell --count ." \
    "papers" "tools/papers_table.py --check" \
    "fuzz ledger" "tools/campaign.py page --check" \
    "pointers" "tools/api.py --check" \
    "C reference" "tools/c_reference.py --check" \
    "Python reference" "python/python_reference.py --check" \
    "figures" "tools/check_figures.py --check" \
    "code blocks" "tools/code_blocks.py --check" \
    "URDF page" "tools/urdf_page.py --check" \
    "knots" "tools/knots_header.py --check" \
    "softness" "bench/mujoco_softness.py --check"
}

# Changed against upstream, or against the last commit where there is no upstream; new files too.
changed() {
  base=$(git rev-parse --verify --quiet '@{upstream}' || echo HEAD)
  { git diff --name-only --diff-filter=d "$base" -- '*.c'; git ls-files --others --exclude-standard -- '*.c'; } | sort -u
}

tidy() {
  changed >"$work/changed"
  # Tests and benchmarks are not held to .clang-tidy (tools/check_tidy.sh).
  tools/check_tidy.sh --list build/ci-clang | grep -xF -f "$work/changed" >"$work/tidy" || { echo "tidy: no file changed"; return 0; }
  xargs -n 1 -P 2 clang-tidy -quiet -p build/ci-clang <"$work/tidy" &&
    echo "tidy: clang-tidy has nothing to say about $(wc -l <"$work/tidy") changed files"
}

if [ "${1:-}" = --list ]; then
  list
  exit
fi
[ $# -eq 0 ] || { echo "usage: check_all.sh [--list]" >&2; exit 2; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
tab=$(printf '\t')
failed=0
list >"$work/list"
[ -f build/ci-clang/compile_commands.json ] && printf 'tidy\ttidy\n' >>"$work/list"
while IFS="$tab" read -r name command; do
  if $command >"$work/out" 2>&1 </dev/null; then
    printf '%-18s %s\n' "$name" "$(tail -n 1 "$work/out")"
  else
    cat "$work/out"
    printf '%-18s FAILED\n' "$name"
    failed=$((failed + 1))
  fi
done <"$work/list"
[ "$failed" -eq 0 ] || { echo "$failed checks failed"; exit 1; }
echo "all checks passed"
