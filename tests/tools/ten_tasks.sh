#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The ten tasks of a newcomer, typed as one would type them, on a terminal: each works at the first try, by name where there is a name,
# and ends with a next step. Times are short for the gate; --whole takes the defaults, each of which needs a minute of one processor at most
# and shows its progress if it takes seconds.
# usage: ten_tasks.sh <heft> <folder of scenes> [--whole]
set -eu
heft=$1
sweeps=$2/../examples/sweep
brief=1
[ "${3:-}" != --whole ] || brief=
command -v script >/dev/null || { echo "skipped: the program script, which makes a terminal, was not found"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
bad=0
# The processor time of all commands so far [s] from what `times` prints; another program on the machine does not change it.
spent() { sed -nE '2s/^([0-9]+)m([0-9]+).* ([0-9]+)m([0-9]+).*/\1 \2 \3 \4/p' | { read -r a b c d && echo $((60 * (a + c) + b + d)); }; }
complain() { echo "NOT ok: $*"; bad=1; tail -n 5 out; }

# task <exit code> <pattern of the output> <arguments...>
task() {
  code=0 wanted=$1 pattern=$2
  shift 2
  times >now && began=$(spent <now)
  script -qefc "'$heft' $*" /dev/null </dev/null >raw 2>&1 || code=$?
  tr '\r' '\n' <raw | grep -v '^ *$' >out
  times >now && seconds=$(($(spent <now) - began))
  if grep -q "built without the viewer" out; then
    echo "left out: heft $*"
    return
  fi
  [ "$code" = "$wanted" ] || complain "heft $*: exit code $code"
  grep -q -- "$pattern" out || complain "heft $*: the output lacks '$pattern'"
  tail -n 1 out | grep -q "^next: " || complain "heft $*: the last line is no next step"
  [ -n "$brief" ] || [ "$seconds" -le 60 ] || complain "heft $*: $seconds s"
  [ -n "$brief" ] || [ "$seconds" -le 3 ] || [ "$(tr -cd '\r' <raw | wc -c)" -gt "$(wc -l <raw)" ] || complain "heft $*: no progress in $seconds s"
  echo "ok: heft $* ($seconds s)"
}

cat >broken.xml <<'END'
<mujoco>
  <worldbody>
    <geom type="plan" size="1 1 1"/>
    <body><freejoint/><geom type="sphere" size="small"/></body>
  </worldbody>
  <actuator><motor joint="knee"/></actuator>
</mujoco>
END
cat >ankle.xml <<'END'
<mujoco><worldbody><body><joint name="ankle" axis="0 1 0" stiffness="30" damping="0.6" ref="0.1"/>
<geom type="box" pos="0 0 0.2" size="0.02 0.02 0.1" mass="2"/></body></worldbody>
<sensor><jointpos name="angle" joint="ankle"/></sensor></mujoco>
END
sed 's/="30"/="20"/' ankle.xml >guess.xml
"$heft" run ankle.xml --quiet --time 0.5 --log ankle.mcap >/dev/null
cp "$sweeps"/*.xml "$sweeps"/*.csv .
sed 's/^runs = .*/runs = 40/' "$sweeps/grasp.toml" >grasp.toml

if [ -n "${DISPLAY:-}" ]; then task 0 . view walk --seconds 1; fi
task 0 "steps solved" run quadruped ${brief:+--time 0.2}
if command -v ffmpeg >/dev/null; then task 0 . render quadruped film.mp4 ${brief:+--time 0.05 --size 160x90}; fi
task 1 "6:20: error.*knee" check broken.xml
[ "$(grep -c 'broken.xml:.*error' out)" = 3 ] || complain "heft check: not all three errors"
task 0 . convert hrp2_like robot.urdf
[ -s robot.urdf ] || complain "heft convert: nothing was written"
task 0 compare.svg compare slide ${brief:+--time 0.1}
task 0 "0 fail" validate pinch wall
task 0 . bench motion ${brief:+--seconds 0.05 --repeat 1}
task 0 "stiffness:ankle" identify ankle.mcap --fit stiffness:ankle --model guess.xml
task 0 "computed *40 runs" sweep run grasp.toml
exit $bad
