#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks that every source file names its licence in the first line (the second after "#!").
# usage: check_spdx.sh [root of the tree]
set -eu

tools=$(cd "$(dirname "$0")" && pwd)
cd "${1:-$tools/..}"
list=$(mktemp)
trap 'rm -f "$list"' EXIT INT TERM
find . \( -name .git -o -name node_modules -o -name .cache \
  -o -type d \( -path './build*' -o -path './install*' \) \) -prune \
  -o -type f \( -name '*.c' -o -name '*.h' -o -name '*.cc' -o -name '*.cpp' -o -name '*.sh' -o -name '*.awk' \
  -o -name '*.py' -o -name '*.js' -o -name '*.ts' -o -name '*.cmake' -o -name 'CMakeLists.txt' \
  -o -path './.ci/run' \) -print | LC_ALL=C sort >"$list"
[ -s "$list" ] || { echo "check_spdx: nothing to check" >&2; exit 1; }

LC_ALL=C awk '
  {
    file = $0
    line = ""
    if ((getline line < file) > 0 && line ~ /^#!/) getline line < file
    close(file)
    if (line ~ /SPDX-License-Identifier: Apache-2\.0/) next
    sub(/^\.\//, "", file)
    print file ":1: write SPDX-License-Identifier: Apache-2.0 in a comment on the first line"
    bad++
  }
  END {
    if (bad) print "spdx: " bad " files without a licence"
    else print "spdx: " NR " files name their licence"
    exit bad > 0
  }' "$list"
