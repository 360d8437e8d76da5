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

# Markdown of `heft info --mjcf-attributes`, shorter: attributes by name. A meaning is shown where Heft's is its own. Lists that several
# elements share come once, and attributes that are not read are listed by reason.
shorter() {
  python3 -c '
import collections, re, sys
OWN = re.compile(r"Heft|no effect|not stored|left out|viewer|must be given|distance shape|only|see what")
elements = []
for part in re.split("^## ", sys.stdin.read(), flags=re.M)[1:]:
    head, body = part.split("\n", 1)
    rows = [tuple(c.strip() for c in row[1:-1].split("|")) for row in body.split("\n") if row.startswith("|")]
    elements.append((head, rows[2:] if rows[0][0] == "attribute" else [], body))
def name(row):
    return "`%s`" % row[0]
def split(rows):
    """Names, and lines: own meanings, attributes that are not read by reason."""
    read = [row for row in rows if "*not read" not in row[3]]
    lines = ["`%s`: %s" % (row[0], row[3]) for row in read if OWN.search(row[3])]
    reasons = {}
    for row in rows:
        if row not in read:
            reasons.setdefault(row[3].replace("*not read:* ", ""), []).append("`%s`" % row[0])
    return [name(row) for row in read], lines + ["not read: %s: %s" % (", ".join(names), reason) for reason, names in reasons.items()]
# Attributes that three elements and more do not read, for one reason, come once.
unread = collections.Counter((row[0], row[3]) for _, rows, _ in elements for row in rows if "*not read" in row[3])
common = [key for key, n in unread.items() if n >= 3]
plain = [(head, [row for row in rows if (row[0], row[3]) not in common], body) for head, rows, body in elements]
everywhere = [row for _, rows, _ in elements for row in rows if (row[0], row[3]) in common]
elements = plain
actuator = next(rows for head, rows, _ in elements if head.startswith("motor"))
orientation = [row for row in next(rows for head, rows, _ in elements if head.startswith("inertial")) if "orientation" in row[3]]
groups = [("Attributes of actuators", actuator), ("Orientation", orientation)]
print("\n## Elements\n")
print("- **In several elements**")
for line in split(list(dict.fromkeys(everywhere)))[1]:
    print("  - " + line)
for title, rows in groups:
    names, lines = split(rows)
    print("- **%s**: %s" % (title, ", ".join(names)))
    for line in lines:
        print("  - " + line)
for head, rows, body in elements:
    if not rows:
        print("\n## %s\n\n%s" % (head, body.strip()))
        continue
    also = []
    for title, shared in groups:
        if all(row in rows for row in shared):
            also.append(title.lower())
            rows = [row for row in rows if row not in shared]
    names, lines = split(rows)
    word, place = re.match(r"(.*) \((.*)\)", head).groups()
    print("- **%s** (%s): %s" % (word, place, ", ".join(names + also) or "no attributes"))
    for line in lines:
        print("  - " + line)
'
}

{
  echo '# MJCF elements and attributes'
  echo
  echo 'These are the elements and attributes that Heft reads. Attributes mean what they mean in MuJoCo, except where a line'
  echo 'here has another meaning; `heft info --mjcf-attributes` prints type, default and meaning of each. If a file has an attribute that'
  echo 'Heft does not support, the reader reports a warning. `tools/model_pages.sh` writes this page. See [model files](models-and-files.md).'
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
  echo 'Heft loads these robots and scenes of other projects, with the number of files. `heft info --floating --table FILE...` counts the kinds'
  echo 'of elements and attributes that Heft does not support in a file.'
  cd "$models"
  find mjcf urdf \( -path 'mjcf/*.xml' -o -name '*.urdf' \) | LC_ALL=C sort |
    xargs "$heft" info --floating --package example-robot-data/robots=urdf --table |
    awk -F ' *[|] *' '
      function close_name() { if (count) printf " %s %d%s", last, count, kind == part[1] ? "," : "." }
      $2 ~ /\// {
        split($2, part, "/")
        name = part[2] == "mujoco" ? part[2] "/" part[3] : part[2]
        if (name != last) {
          close_name()
          if (part[1] != kind) printf "\n- %s:", toupper(kind = part[1])
          count = 0
        }
        ++count
        last = name
        if ($7 ~ /refused/) refused = refused "\n- Refused: " $2 ", which belongs to another file"
      }
      END { part[1] = ""; close_name(); print refused }'
) >"$work"
cp "$work" $page
echo "pages: written"
