#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The example of a plug-in, built outside of the project as its page says: it acts, its values are logged,
# a recorded session replays to the same bits, and code is never loaded because a file names it.
# usage: plugins.sh HEFT SCENES
set -eu
heft=$1
scenes=$(cd "$2" && pwd)
root=$(cd "$scenes/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
fail() {
  echo "plugins: $1"
  exit 1
}
cp "$root/examples/plugin/trot.c" "$work"
cd "$work"
[ "$(wc -l <trot.c)" -le 60 ] || fail "the example is longer than 60 lines"
build() { "${CC:-cc}" -O2 -Wall -Wextra -Werror -shared -fPIC -I"$root/include" -o "$1" "$2"; }
build trot.so trot.c
quadruped=$scenes/quadruped.xml

# It trots: diagonal feet leave the ground, the trunk stays above it.
"$heft" run "$quadruped" --quiet --time 3 --plugin ./trot.so:bend=0.4 --log a.csv >a.txt || fail "$(cat a.txt)"
head -n 1 a.csv | grep -q ',trot.height$' || fail "the log has no column of the plug-in"
awk -F, 'NR > 200 { n = $NF; if (n < 0.4 || n > 0.6) bad = 1; if (!low || n < low) low = n; if (n > high) high = n }
  END { exit bad || high - low < 0.001 }' a.csv || fail "the quadruped does not trot"
"$heft" run "$quadruped" --quiet --time 3 >plain.txt
if cmp -s a.txt plain.txt; then fail "the plug-in changed nothing"; fi
"$heft" run "$quadruped" --quiet --time 0.1 --plugin ./trot.so --log a.mcap >/dev/null
if command -v python3 >/dev/null; then
  python3 "$root/tests/tools/read_log.py" a.mcap /plugins | grep '"trot": {"height":' >/dev/null || fail "MCAP has no values of the plug-in"
else
  echo "plugins: values in MCAP were left out, python3 is not installed"
fi

# Words for what is wrong.
says() { # <pattern> <argument>...
  pattern=$1
  shift
  if "$heft" run "$quadruped" --quiet --time 0.1 "$@" >out.txt 2>&1; then fail "accepted: $*"; fi
  grep -q "$pattern" out.txt || fail "no '$pattern' in: $(cat out.txt)"
}
says "no plug-in file './none.so'" --plugin ./none.so
says "there is no option 'frequenzy'; did you mean 'frequency'" --plugin ./trot.so:frequenzy=1
says "expected 0 to 5" --plugin ./trot.so:frequency=9
says "expected NAME=NUMBER" --plugin ./trot.so:fast
says "cannot load the plug-in './trot.c'" --plugin ./trot.c
"$heft" run "$scenes/slope.xml" --quiet --plugin ./trot.so >out.txt 2>&1 && fail "a box trots"
grep -q "plug-in trot: no 'lf_hfe' among the joints" out.txt || fail "$(cat out.txt)"

# A session: the same bits with the plug-in, none without it, others with other code.
"$heft" feel "$quadruped" --virtual --time 1 --plugin ./trot.so:frequency=3 --record s.mcap >s.txt
"$heft" replay s.mcap --plugin ./trot.so >r.txt || fail "the replay differs: $(cat r.txt)"
hash=$(sed -n 's/.*state hash *//p' s.txt)
grep -q "1000 steps, all with the same bits.*$hash" r.txt || fail "the replay ends elsewhere: $(cat r.txt)"
if "$heft" replay s.mcap >r.txt 2>&1; then fail "replayed without the plug-in"; fi
grep -q 'name each of them with --plugin FILE; it lists "./trot.so:frequency=3,bend=0.5"' r.txt || fail "$(cat r.txt)"
sed 's/-2 \* stiffness/-1.9 * stiffness/' trot.c >other.c
build other.so other.c
if "$heft" replay s.mcap --plugin ./other.so >r.txt 2>&1; then fail "other code has the same bits"; fi
grep -q "the bits differ" r.txt || fail "$(cat r.txt)"
sed 's/"trot"/"gallop"/' trot.c >third.c
build third.so third.c
if "$heft" replay s.mcap --plugin ./third.so >r.txt 2>&1; then fail "another plug-in was accepted"; fi
grep -q "or they are not those that it lists" r.txt || fail "$(cat r.txt)"

# A plug-in that builds its scene needs no file; the recording holds the scene. A push of 4 N for 0.1 s
# against a box of 0.5 kg, whose friction is 4.905 N, moves nothing; 30 N throw the highest of three down.
cp "$root/examples/plugin/tower.c" .
[ "$(wc -l <tower.c)" -le 60 ] || fail "the example is longer than 60 lines"
build tower.so tower.c
column() { awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) k = i } END { print $k }' "$1"; }
"$heft" run --plugin ./tower.so:boxes=3,push=4 --quiet --time 2 --log stays.csv >out.txt || fail "$(cat out.txt)"
"$heft" run --plugin ./tower.so:boxes=3,push=30 --quiet --time 2 --log falls.csv --record t.mcap >out.txt || fail "$(cat out.txt)"
[ "$(column stays.csv q16 | cut -c1-6)" = 0.2500 ] || [ "$(column stays.csv q16 | cut -c1-6)" = 0.2499 ] || fail "the tower does not stay"
column falls.csv q16 | awk '{ exit !($1 < 0.16) }' || fail "the highest box does not fall"
"$heft" replay t.mcap --plugin ./tower.so >r.txt || fail "$(cat r.txt)"
grep -q "2000 steps, all with the same bits" r.txt || fail "$(cat r.txt)"
if "$heft" run --plugin ./trot.so >out.txt 2>&1; then fail "ran without a scene"; fi
grep -q "the file is missing" out.txt || fail "$(cat out.txt)"
sed 's/box.mass = mass/box.mass = -1/' tower.c >heavy.c
build heavy.so heavy.c
if "$heft" run --plugin ./heavy.so >out.txt 2>&1; then fail "boxes with a wrong mass"; fi
grep -q "error: .*mass" out.txt || fail "$(cat out.txt)"
echo "plugins: ok"
