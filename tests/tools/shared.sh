#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Two persons with devices, one at `heft serve`, one by `heft feel ADDRESS`, lift a plank: each feels half of it, with the same world.
# usage: shared.sh <heft> <folder of scenes>
set -eu
heft=$1
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$work"' EXIT
"$heft" serve no_such_file 2>"$work/err" || true
grep -q "without libwebsockets" "$work/err" && { echo "skipped: built without libwebsockets"; exit 77; }
bad=0
complain() { echo "NOT ok: $*"; bad=1; }
cat >"$work/plank.xml" <<'END'
<mujoco><option timestep="0.001"/><worldbody><geom type="plane" size="5 5 1" friction="0.8"/>
<geom type="box" size="0.08 0.05 0.1" pos="0 0.35 0.1"/><geom type="box" size="0.08 0.05 0.1" pos="0 -0.35 0.1"/>
<body name="plank" pos="0 0 0.22"><freejoint/><geom type="box" size="0.06 0.55 0.02" mass="1.2"/></body></worldbody></mujoco>
END
hand="hand-stiffness=1000,hand-damping=25"
export HEFT_SERVE_TOKEN=0123456789abcdef0123
"$heft" serve "$work/plank.xml" --listen 127.0.0.1:0 --mode attach --at 0,0.5,0.35 --scale 2 \
  --device "emulated:inverse3,$hand:0 0 0 -0.065; 1.5 0 0 -0.065; 3 0 0 0.035" >"$work/served" 2>&1 &
server=$!
for _ in $(seq 600); do
  grep -q "Ctrl-C" "$work/served" && break
  kill -0 "$server" 2>/dev/null || break
  sleep 0.05
done
url=$(sed -n 's/^  \(http[^#]*\)$/\1/p' "$work/served" | head -n 1)
timeout 60 "$heft" feel "$url#token=$HEFT_SERVE_TOKEN" --time 4.5 --at 0,-0.5,0.35 --scale 2 \
  --device "emulated:omega,$hand:0 0 0 -0.065; 1 0 0 -0.065; 2.5 0 0 0.035" >"$work/felt" 2>&1 || complain "exit code $?"
kill -INT "$server"
wait "$server" || complain "exit code $? of the server"
server=
grep -Eq '[1-9][0-9]* compared with the server, 0 different' "$work/felt" || complain "no equal hashes"
deepest=$(sed -n 's/.*of at most \([0-9]*\) steps.*/\1/p' "$work/felt")
[ "${deepest:-999}" -le 200 ] || complain "a correction of ${deepest:-unknown} steps"
# A person whose copy is computed too late feels too late: other tests beside this one would decide about forces.
if [ -z "${HEFT_SHORT:-}" ]; then
  force=$(sed -n 's/.*last force \([0-9.]*\) N.*/\1/p' "$work/felt")
  awk -v f="${force:-0}" 'BEGIN { h = 0.6 * 9.81; exit !(f > 0.95 * h && f < 1.05 * h) }' ||
    complain "the person elsewhere feels ${force:-nothing}, half of the plank weighs 5.886 N"
  for file in served felt; do
    ledger=$(sed -n 's/.*energy ledger \([-0-9.e+]*\) J.*/\1/p' "$work/$file")
    awk -v e="${ledger:--1}" 'BEGIN { exit !(e >= -1e-6) }' || complain "energy ledger ${ledger:-missing} in $file"
  done
fi
[ -z "${HEFT_SHOW:-}" ] && [ "$bad" = 0 ] || cat "$work/served" "$work/felt"
exit $bad
