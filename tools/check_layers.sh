#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks every #include against tools/layers.txt: a room includes only the rooms on its line, and
# outside src/ only the public <heft/...> headers are seen, and one header of each room that is not installed (tests may look inside). Inner rooms are held
# to the lines "inner". The table of rooms in ARCHITECTURE.md must be the same.
# usage: check_layers.sh [root of the tree]
set -eu

tools=$(cd "$(dirname "$0")" && pwd)
root=${1:-$tools/..}
cd "$root"

folders=
for folder in include/heft src apps bench examples scenes validation experiments python batch; do
  [ -d "$folder" ] && folders="$folders $folder"
done
[ -n "$folders" ] || { echo "check_layers: nothing to check in $root" >&2; exit 1; }

# shellcheck disable=SC2086  # a list of folders
find $folders -type f \( -name '*.c' -o -name '*.h' -o -name '*.cc' -o -name '*.cpp' -o -name '*.inc' \) \
  -print | LC_ALL=C sort | LC_ALL=C awk -v table=tools/layers.txt '
  function complain(what) {
    printf "%s:%d: %s\n", file, number, what
    errors++
  }
  # The room a file belongs to; "" for code outside the library.
  function room_of(path, part) {
    split(path, part, "/")
    if (part[1] == "src") return part[2]
    if (path ~ /^apps\/view\//) return "view"
    if (path ~ /^apps\/counted\//) return "counted"
    if (path ~ /^apps\/generate\//) return "generate"
    if (path ~ /^apps\/judge\//) return "judge"
    if (path ~ /^apps\/sweep\//) return "sweep"
    if (path ~ /^apps\/queue\//) return "queue"
    if (path ~ /^apps\/why\//) return "why"
    if (path ~ /^apps\/ros2\//) return "ros2"
    if (part[1] != "include") return ""
    sub(/\.h$/, "", part[3])
    return room_of_header(part[3])
  }
  function room_of_header(stem) {
    return stem in room_with ? room_with[stem] : stem
  }
  function allowed_list(room, r, list) {
    list = room
    for (r = 1; r <= room_count; r++)
      if (rooms[r] != room && (room, rooms[r]) in may) list = list " " rooms[r]
    return list
  }
  function check_use(room, other) {
    if (room == "heft" || room == other || (room, other) in may) return
    if (!(other in known)) complain("there is no room \"" other "\"; rooms are listed in tools/layers.txt")
    else complain("room \"" room "\" may not use room \"" other "\" (it may use: " allowed_list(room) "); " \
      "move the code to the room that may, or argue for the change in tools/layers.txt")
  }
  function check_outside(room, name, i, prefix) {
    if (("*", name) in outside || (room, name) in outside) return
    for (i = 1; i <= prefix_count; i++)
      if (index(name, prefixes[i]) == 1 && (room, prefixes[i]) in outside) return
    complain("room \"" room "\" may not include <" name ">; the core needs libc and libm alone " \
      "(list it as outside in tools/layers.txt if it must)")
  }
  function check_public(room, name, stem) {
    stem = name
    sub(/^heft\//, "", stem)
    sub(/\.h$/, "", stem)
    if (stem == "heft") {
      if (room != "") complain("<heft/heft.h> is for users; include the headers of the rooms used")
      return
    }
    if (room != "") check_use(room, room_of_header(stem))
  }
  function check_private(room, name, part, parts, own) {
    if (room == "") {
      own = file
      sub(/[^\/]*$/, "", own)
      if (name ~ /\.\./) complain("no \"..\" in includes")
      else if (name ~ /^(scenes|validation|experiments|examples\/controller)\// || exists(own name)) return
      else if (file ~ /^apps\// && name ~ /^(counted|generate|judge|ros2|sweep|queue|why)\//) return
      else if (file ~ /^python\// && name == "tables.h") return  # made by the build
      else if (name in open) return
      else complain("outside src/ only <heft/...> and headers of the same folder may be included, not \"" name "\"")
      return
    }
    if (file ~ /^include\//) {
      complain("a public header may not include the private \"" name "\"; include <heft/...>")
      return
    }
    parts = split(name, part, "/")
    if (name ~ /\.\./ || parts < 2 || parts > 3) {
      complain("write \"room/file.h\" (or \"room/folder/file.h\") instead of \"" name "\"")
      return
    }
    check_use(room, part[1])
    if (part[1] == room && parts <= 3) check_inner(room, parts == 3 ? part[2] : "", name)
  }
  # A file of an inner room uses its own folder and those on its line; never the files beside the folders.
  function check_inner(room, other, name, part, own) {
    if (split(file, part, "/") < 4) return
    own = part[3]
    if (!((room, own) in inner) || own == other || (room, own, other) in inner_may) return
    complain("inner room \"" room "/" own "\" may not use \"" name "\"; see the lines \"inner\" of tools/layers.txt")
  }
  function exists(path, line, found) {
    found = (getline line < path) >= 0
    close(path)
    return found
  }
  function read_table(line, words, n, i, who) {
    while ((status = (getline line < table)) > 0) {
      sub(/#.*/, "", line)
      if (line !~ /:/) continue
      who = line
      sub(/:.*/, "", who)
      sub(/^[^:]*:/, "", line)
      n = split(line, words, " ")
      if (who ~ /^outside /) {
        sub(/^outside /, "", who)
        for (i = 1; i <= n; i++) {
          outside[who, words[i]] = 1
          if (words[i] ~ /\/$/) prefixes[++prefix_count] = words[i]
        }
      } else if (who == "open headers") {
        for (i = 1; i <= n; i++) open[words[i]] = 1
      } else if (who ~ /^inner /) {
        sub(/^inner /, "", who)
        split(who, who_part, "/")
        inner[who_part[1], who_part[2]] = 1
        for (i = 1; i <= n; i++) inner_may[who_part[1], who_part[2], words[i]] = 1
      } else {
        known[who] = 1
        rooms[++room_count] = who
        for (i = 1; i <= n; i++) {
          if (!(words[i] in known)) {
            printf "%s: room \"%s\" uses \"%s\", which does not stand above it\n", table, who, words[i]
            errors++
          }
          may[who, words[i]] = 1
        }
      }
    }
    if (room_count == 0) {
      printf "check_layers: no rooms in %s\n", table
      exit broken = 1
    }
  }
  BEGIN {
    # Headers of rooms that have more than one.
    room_with["version"] = room_with["export"] = "base"
    room_with["access"] = room_with["batch"] = "world"
    room_with["deform"] = "dynamics"
    room_with["draw"] = "collision"
    room_with["spatial"] = "math"
    room_with["kinds"] = room_with["field"] = room_with["builder"] = room_with["parts"] = room_with["scenery"] = "model"
    room_with["step_report"] = room_with["inputs"] = room_with["results"] = room_with["law"] = "world"
    room_with["whole_body"] = "control"
    room_with["legged"] = "control"
    room_with["view_picture"] = room_with["view_simulation"] = "view"
    room_with["run_log"] = room_with["replay"] = "record"
    read_table()
  }
  {
    file = $0
    room = room_of(file)
    number = 0
    files++
    if (room != "" && room != "heft" && !(room in known)) {
      number = 1
      complain("there is no room \"" room "\"; add it to tools/layers.txt")
    }
    while ((getline line < file) > 0) {
      number++
      if (line !~ /^[ \t]*#[ \t]*include[ \t]*["<]/) continue
      quoted = line ~ /include[ \t]*"/
      name = line
      sub(/^[ \t]*#[ \t]*include[ \t]*["<]/, "", name)
      sub(/[">].*/, "", name)
      if (quoted) check_private(room, name)
      else if (name ~ /^heft\//) check_public(room, name)
      else if (room != "") check_outside(room, name)
    }
    close(file)
  }
  END {
    if (broken) exit 1
    if (errors) {
      printf "layers: %d forbidden include%s\n", errors, errors == 1 ? "" : "s"
      exit 1
    }
    printf "layers: %d files keep to tools/layers.txt\n", files
  }'

# The table of rooms in ARCHITECTURE.md is the same.
if [ -f ARCHITECTURE.md ]; then
  table=$(awk -F'|' '/^\| [a-z]+/ {
    sub(/\(.*/, "", $2); gsub(/ /, "", $2); gsub(/^ +| +$/, "", $3)
    if ($2 != "room") print $2 ": " $3
  }' ARCHITECTURE.md)
  rooms=$(sed -nE 's/^([a-z0-9_]+): */\1: /p' tools/layers.txt)
  if [ "$table" != "$rooms" ]; then
    echo "ARCHITECTURE.md: the table of rooms differs from tools/layers.txt"
    exit 1
  fi
fi
