#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks that src/ and apps/view call no function of tools/banned.txt, but for what tools/banned_allow.txt lists.
# With a library it also looks at the symbols that the objects import, which finds what a macro or a
# function pointer hides.
# usage: check_banned.sh [root of the tree [library.a]...]
set -eu

tools=$(cd "$(dirname "$0")" && pwd)
root=${1:-$tools/..}
[ $# -gt 0 ] && shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

for library in "$@"; do
  [ -r "$library" ] || { echo "check_banned: cannot read $library" >&2; exit 1; }
  # "libheft.a:clock.c.o:      U clock_gettime" becomes "clock.c clock_gettime"
  nm -A -u "$library" | awk '{ n = split($1, p, ":"); f = p[n] == "" ? p[n - 1] : p[n]; sub(/\.o$/, "", f); print f, $NF }'
done >"$work/imports"

cd "$root"
find src include apps/view -type f \( -name '*.c' -o -name '*.h' -o -name '*.inc' \) -print | LC_ALL=C sort >"$work/files"
[ -s "$work/files" ] || { echo "check_banned: nothing to check in $root" >&2; exit 1; }
LC_ALL=C xargs awk -v place=1 -f "$tools/strip.awk" <"$work/files" >"$work/code"

LC_ALL=C awk -v list=tools/banned.txt -v allow=tools/banned_allow.txt -v imports="$work/imports" '
  function complain(where, name) {
    printf "%s: %s() is banned: %s (or give the reason in tools/banned_allow.txt)\n", where, name, advice[name]
    errors++
  }
  function allowed(file, name) {
    if (!((file, name) in allowance)) return 0
    used[file, name] = 1
    return 1
  }
  function read_lists(line, colon, names, n, i, words) {
    while ((getline line < list) > 0) {
      if (line ~ /^#/ || line !~ /:/) continue
      match(line, /: /)
      n = split(substr(line, RSTART + 2), names, " ")
      for (i = 1; i <= n; i++) advice[names[i]] = substr(line, 1, RSTART - 1)
      banned += n
    }
    while ((getline line < allow) > 0) {
      if (line ~ /^#/ || line ~ /^[ \t]*$/) continue
      n = split(line, words, " ")
      if (n < 3) {
        printf "%s: \"%s\" gives no reason\n", allow, line
        errors++
      }
      allowance[words[1], words[2]] = 1
      base = words[1]
      sub(/^.*\//, "", base)
      allowance_base[base, words[2]] = 1
    }
    if (banned == 0) {
      printf "check_banned: no names in %s\n", list
      errors++
    }
  }
  BEGIN { read_lists() }
  {
    match($0, /:[0-9]+:/)
    file = substr($0, 1, RSTART - 1)
    where = substr($0, 1, RSTART + RLENGTH - 2)
    rest = substr($0, RSTART + RLENGTH)
    before = ""
    # Each identifier followed by "(" that is not a member of a struct.
    while (match(rest, /[A-Za-z_][A-Za-z0-9_]*[ \t]*\(/)) {
      before = before substr(rest, 1, RSTART - 1)
      name = substr(rest, RSTART, RLENGTH)
      before_call = before
      before = before name
      rest = substr(rest, RSTART + RLENGTH)
      sub(/[ \t]*\($/, "", name)
      if (!(name in advice)) continue
      if (before_call ~ /(\.|->)[ \t]*$/ || before_call ~ /[A-Za-z0-9_]$/) continue
      if (!allowed(file, name)) complain(where, name)
    }
  }
  END {
    while ((getline line < imports) > 0) {
      split(line, words, " ")
      name = words[2]
      sub(/@.*$/, "", name)
      if (name ~ /^__.*_chk$/) {
        sub(/^__/, "", name)
        sub(/_chk$/, "", name)
      }
      if (name in advice && !((words[1], name) in allowance_base)) complain("object of " words[1], name)
      import_count++
    }
    if (errors) {
      printf "banned: %d use%s of banned functions\n", errors, errors == 1 ? "" : "s"
      exit 1
    }
    printf "banned: none of %d functions is used%s\n", banned, import_count ? " (" import_count " imports looked at)" : ""
  }' "$work/code"
