#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# codespell finds no misspelt word in sources and documents but the words of tools/spelling.txt (one per line). Tests
# misspell on purpose and are left out. Where codespell is not installed, the last line says so.
# usage: check_spelling.sh [root of the tree]
set -eu

cd "${1:-$(dirname "$0")/..}"
command -v codespell >/dev/null || { echo "spelling: skipped, codespell was not found (Debian's package codespell)"; exit 0; }
work=$(mktemp)
trap 'rm -f "$work"' EXIT INT TERM
find ./*.md apps docs examples experiments include js python site src tools validation web \
  \( -name node_modules -o -name pages -o -name tests -o -name test -o -name __pycache__ \) -prune -o -type f \
  \( -name '*.[ch]' -o -name '*.cpp' -o -name '*.md' -o -name '*.py' -o -name '*.sh' -o -name '*.mjs' -o -name '*.js' -o -name '*.ts' \
  -o -name '*.txt' -o -name '*.1' \) ! -name spelling.txt -print >"$work"
xargs codespell --quiet-level 3 --ignore-words tools/spelling.txt <"$work" || {
  echo "spelling: mend these words, or add right ones to tools/spelling.txt"
  exit 1
}
echo "spelling: codespell has nothing to say about $(wc -l <"$work") files"
