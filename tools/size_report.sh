#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints the ten longest files and functions, and the sizes of libraries. It judges nothing: past
# 1000 lines of a file, or 70 of a function, ask whether there are two thoughts in it.
# usage: size_report.sh [library]...
set -eu

tools=$(cd "$(dirname "$0")" && pwd)
libraries=$(mktemp)
list=$(mktemp)
trap 'rm -f "$libraries" "$list"' EXIT INT TERM
for library in "$@"; do size "$library"; done >"$libraries" || true
cd "$tools/.."
for folder in include src apps bench examples scenes; do
  if [ -d "$folder" ]; then
    find "$folder" -type f \( -name '*.c' -o -name '*.h' -o -name '*.cc' -o -name '*.cpp' \) -print
  fi
done >"$list"

echo "Longest files [lines]"
while IFS= read -r file; do
  echo "$(wc -l <"$file") $file"
done <"$list" | sort -rn | head -n 10 | awk '{ printf "  %5d  %s\n", $1, $2 }'

# The formatter sees to it that a function begins with a line in column one, ends its head with "{"
# and is closed by "}" in column one.
echo "Longest functions [lines]"
while IFS= read -r file; do
  awk -v file="$file" '
    /^[A-Za-z_]/ { head = ""; first = FNR }
    !open && first { head = head $0 }
    !open && first && /\{$/ && head ~ /\(/ && head !~ /^(typedef|struct|enum|union|extern)/ && head !~ /=/ {
      open = 1
      sub(/\(.*/, "", head)
      sub(/.*[ *]/, "", head)
    }
    /^}/ {
      if (open) print FNR - first + 1, head, file ":" first
      open = 0
      first = 0
    }
    !open && /;$/ { first = 0 }' "$file"
done <"$list" >"$libraries.functions"
sort -rn "$libraries.functions" | head -n 10 | awk '{ printf "  %5d  %-40s %s\n", $1, $2, $3 }'
awk '{ n++; t += $1; if ($1 > 30) a++; if ($1 > 70) b++ }
  END { if (n) printf "  %d functions, %.1f lines on average, %d over 30, %d over 70\n", n, t / n, a, b }' \
  "$libraries.functions"
rm -f "$libraries.functions"
if [ -s "$libraries" ]; then
  echo "Sections [bytes]"
  sed 's/^/  /' "$libraries"
fi
"$tools/count_asserts.sh"
