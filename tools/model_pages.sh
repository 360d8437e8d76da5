#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Writes what the program itself knows about model files: docs/manual/mjcf-attributes.md from the table of the reader, and the
# end of docs/manual/models-and-files.md from loading every model of the shared folder. With --check it only reports whether
# the first one is up to date.
# usage: model_pages.sh [--check] <heft program> [folder of models]
set -eu

check=0
if [ "${1:-}" = --check ]; then
  check=1
  shift
fi
[ $# -gt 0 ] || { echo "usage: model_pages.sh [--check] <heft program> [folder of models]" >&2; exit 1; }
heft=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
cd "$(dirname "$0")/.."
models=${2:-../shared/models}
page=docs/manual/mjcf-attributes.md
work=$(mktemp)
trap 'rm -f "$work"' EXIT INT TERM

# Markdown of `heft info --mjcf-attributes`, shorter: rows that three or more elements share come once, and attributes that are not read
# are listed by reason.
shorter() {
  python3 -c '
import collections, re, sys
elements = []
for part in re.split("^## ", sys.stdin.read(), flags=re.M)[1:]:
    head, body = part.split("\n", 1)
    rows = [tuple(c.strip() for c in row[1:-1].split("|")) for row in body.split("\n") if row.startswith("|")]
    elements.append((head, rows[2:] if rows[0][0] == "attribute" else [], body))
count = collections.Counter(row for _, rows, _ in elements for row in rows)
often = {}  # attribute: its most frequent row
for row, n in count.most_common():
    if n >= 3:
        often.setdefault(row[0], row)
shared = list(often.values())
def show(rows):
    read = [row for row in rows if "*not read" not in row[3]]
    if read:
        print("\n| attribute | type (default) | meaning |\n|---|---|---|")
    for name, kind, default, meaning in read:
        print("| %s | %s%s | %s |" % (name, kind, " (%s)" % default if default else "", meaning))
    reasons = {}
    for row in rows:
        if row not in read:
            reasons.setdefault(row[3].replace("*not read:* ", ""), []).append(row[0])
    if reasons:
        print()
    for reason, names in reasons.items():
        print("- not read: `%s`: %s" % ("`, `".join(names), reason))
print("\n## Attributes that several elements have")
show(shared)
for head, rows, body in elements:
    print("\n## " + head)
    if not rows:
        print("\n" + body.strip())
    show([row for row in rows if row not in shared])
    also = [row[0] for row in rows if row in shared]
    if also:
        print("\nAlso (above): `%s`" % "`, `".join(also))
'
}

{
  echo '# MJCF elements and attributes'
  echo
  echo '`tools/model_pages.sh` writes this page from the table that reader and writer use. If a file has an attribute that'
  echo 'Heft does not support, the reader reports a warning. See [model files](models-and-files.md).'
  "$heft" info --mjcf-attributes | shorter
} >"$work"
if [ $check -eq 1 ]; then
  cmp -s "$work" $page || { echo "pages: $page is out of date; run tools/model_pages.sh"; exit 1; }
  echo "pages: $page is up to date"
  exit 0
fi
cp "$work" $page

if [ ! -d "$models" ]; then
  echo "pages: there is no folder $models, the table of models stays as it is"
  exit 0
fi
mark='<!-- tools/model_pages.sh writes the rest -->'
page=docs/manual/models-and-files.md
(
  awk -v mark="$mark" '{ print } $0 == mark { exit }' $page
  echo
  echo '## Models that were tried'
  echo
  echo 'Heft loads all of these robots and scenes of other projects, except parts that need another file. Behind a name is'
  echo 'the number of kinds of elements and attributes that Heft does not support in it (`heft info --floating --table`).'
  cd "$models"
  find mjcf urdf \( -path 'mjcf/*.xml' -o -name '*.urdf' \) | LC_ALL=C sort |
    xargs "$heft" info --floating --package example-robot-data/robots=urdf --table |
    awk -F ' *[|] *' '
      BEGIN { print "\n| folder | files |\n|---|---|" }
      $2 ~ /\// {
        folder = file = $2
        sub(/\/[^\/]*$/, "", folder)
        sub(/.*\//, "", file)
        if (folder != last) printf "%s| %s |", last ? " |\n" : "", folder
        printf "%s %s %s", folder == last ? "," : "", file, $7
        last = folder
      }
      END { print " |" }'
) >"$work"
cp "$work" $page
echo "pages: written"
