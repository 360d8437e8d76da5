#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks that relative links in *.md lead somewhere (file and heading), and that no text of the
# repository holds a path that exists on one person's machine only.
# usage: check_docs.sh [root of the tree]
set -eu

tools=$(cd "$(dirname "$0")" && pwd)
cd "${1:-$tools/..}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

find . \( -name .git -o -name node_modules -o -name .cache \
  -o -type d \( -path './build*' -o -path './install*' -o -path './site/pages' \) \) -prune \
  -o -type f -print | LC_ALL=C sort | sed 's|^\./||' >"$work/files"
grep '\.md$' "$work/files" >"$work/pages" || { echo "check_docs: there are no pages" >&2; exit 1; }
errors=0

# Private paths. Files with NUL bytes are not text (-I).
tr '\n' '\0' <"$work/files" |
  LC_ALL=C xargs -0 grep -HnIE '(^|[^A-Za-z0-9_.~/-])/(home|root|Users|work)/[A-Za-z0-9_]' >"$work/private" || true
if [ -s "$work/private" ]; then
  sed 's/$/   <- a path of one machine; write it relative to the repository/' "$work/private"
  errors=$((errors + $(wc -l <"$work/private")))
fi

# One line per link: page, line number, target. Code blocks and code spans hold no links.
tr '\n' '\0' <"$work/pages" | xargs -0 awk '
    FNR == 1 { code = 0 }
    /^[ \t]*(```|~~~)/ { code = !code; next }
    code { next }
    {
      gsub(/`[^`]*`/, "")
      while (match($0, /\]\([^)]*\)/)) {
        target = substr($0, RSTART + 2, RLENGTH - 3)
        sub(/[ \t]+".*$/, "", target)
        print FILENAME "\t" FNR "\t" target
        $0 = substr($0, RSTART + RLENGTH)
      }
    }' >"$work/links"

# The anchors a page has: headings in lower case, without punctuation, blanks as "-".
anchors() {
  awk '/^[ \t]*(```|~~~)/ { code = !code } !code && /^#+ /' "$1" | sed 's/^#* *//' |
    tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}

tab=$(printf '\t')
while IFS="$tab" read -r page line target; do
  case $target in
    [a-z]*://* | mailto:*) continue ;;
  esac
  path=${target%%#*}
  if [ -z "$path" ]; then
    file=$page
  else
    file=$(dirname "$page")/$path
  fi
  if [ ! -e "$file" ]; then
    echo "$page:$line: the link \"$target\" leads nowhere"
    errors=$((errors + 1))
  elif [ "$target" != "$path" ] && [ -f "$file" ] && ! anchors "$file" | grep -qxF -- "${target#*#}"; then
    echo "$page:$line: there is no heading \"${target#*#}\" in $file"
    errors=$((errors + 1))
  fi
done <"$work/links"

if [ "$errors" -gt 0 ]; then
  echo "docs: $errors mistakes"
  exit 1
fi
echo "docs: $(wc -l <"$work/links") links in $(wc -l <"$work/pages") pages lead somewhere"
