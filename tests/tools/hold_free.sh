#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Which pushes does G1 withstand while a controller in another process holds it, free running in real time, with a
# delay of 5 ms and 1 % of the datagrams lost? A push acts for 0.1 s every 1.5 s, to and fro. Not a part of the
# tests: it says something on an idle machine only.
# usage: hold_free.sh HEFT [SECONDS [FORCE]...]     forces in N; 8 s and 60, 70, 80 if there are none
set -eu
heft=$(realpath "$1")
root=$(cd "$(dirname "$0")/../.." && pwd)
seconds=${2:-8}
shift $(($# < 2 ? $# : 2))
[ $# -gt 0 ] || set -- 60 70 80
robot=${HEFT_SHARED:-$root/../shared}/models/mjcf/unitree_g1/scene.xml
hold=$(dirname "$heft")/example_hold
for file in "$robot" "$hold"; do
  [ -f "$file" ] || { echo "hold_free: there is no $file"; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work"
"${CC:-cc}" -O2 -shared -fPIC -I"$root/include" -o push.so "$root/tests/link/modules/push.c" -lm
fell=0
for force; do
  "$hold" unix:robot >/dev/null &
  "$heft" run "$robot" --quiet --key stand --step 0.001 --time "$seconds" --plugin "./push.so:force=$force" \
    --controller unix:robot,free,delay=0.005,loss=0.01 --every 10 --log run.csv >run.txt
  wait
  column=$(head -n 1 run.csv | tr ',' '\n' | grep -n '^push.height$' | cut -d: -f1)
  height=$(tail -n 1 run.csv | cut -d, -f"$column")
  if awk -v x="$height" 'BEGIN { exit !(x > 0.7) }'; then stands="stands"; else stands="fell" fell=1; fi
  echo "push of $force N: $stands, pelvis at $height m;$(sed -n 's/^ *controller *//p' run.txt)"
done
exit $fell
