#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Controllers in other processes, in C and in Python: the bits of the same law in a plug-in, over both kinds of
# sockets; delay and loss that are the same again; a recording that needs no controller; and a controller that is
# killed and started again while the world runs on.
# usage: HOLD=PROGRAM BALANCE=PROGRAM controller.sh HEFT SCENES; the programs are examples/controller/hold.c and balance.c
set -eu
heft=$1
root=$(cd "$2/.." && pwd)
examples=$root/examples/controller
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
fail() {
  echo "controller: $1"
  exit 1
}
cd "$work"
build() { "${CC:-cc}" -O2 -ffp-contract=off -Wall -Wextra -Werror "$@"; }
cp "$HOLD" hold
build -shared -fPIC -I"$root/include" -I"$examples" -o hold.so "$root/tests/link/modules/hold_plugin.c"
build -shared -fPIC -I"$root/include" -o push.so "$root/tests/link/modules/push.c" -lm
robot=$root/models/hoap_like.xml
place=unix:$work/robot
patient="wait=120,timeout=120"

hash_of() { sed -n 's/.*state hash *//p' "$1"; }
height() { tail -n 1 "$1" | awk -F, -v column="$(head -n 1 "$1" | tr ',' '\n' | grep -n '^push.height$' | cut -d: -f1)" '{ print $column }'; }
above() { awk -v x="$1" -v y="$2" 'BEGIN { exit !(x > y) }'; }
# lockstep <result> <place> <controller> <argument>...: a run with a controller
lockstep() {
  result=$1 where=$2 controller=$3
  shift 3
  $controller "${where%%,*}" >"$result.states" 2>&1 &
  other=$!
  "$heft" run "$@" --quiet --controller "$where,$patient" --log "$result.csv" >"$result" 2>"$result.err" ||
    fail "$(cat "$result" "$result.err")"
  wait "$other" || fail "the controller failed: $(cat "$result.states")"
}

# The same bits from a plug-in, from C over a Unix socket and from Python over UDP.
inside() {
  "$heft" run "$@" --quiet --plugin ./hold.so --log inside.csv >inside || fail "$(cat inside)"
}
set -- "$robot" --time 1.2 --plugin ./push.so:force=5,period=0.4
inside "$@"
lockstep c "$place" ./hold "$@"
[ "$(hash_of c)" = "$(hash_of inside)" ] || fail "the controller in C has other bits"
above "$(height c.csv)" 0.25 || fail "the robot fell, to $(height c.csv) m"
grep -q "1200 states, 1200 answers, 0 late, 0 lost, 0 out of order, 0 repeated" c || fail "$(cat c)"
"$heft" run "$@" --quiet --log none.csv >none
above 0.2 "$(height none.csv)" || fail "the robot stands without a controller"
port=$((20000 + $$ % 20000))
key=00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff
export HEFT_UDP_KEY=$key
lockstep ckey "udp:127.0.0.1:$port" ./hold "$robot" --time 0.05
grep -q "50 states, 50 answers" ckey || fail "$(cat ckey)"
unset HEFT_UDP_KEY
if command -v python3 >/dev/null; then
  lockstep py "udp:$port" "python3 $examples/hold.py" "$@"
  [ "$(hash_of py)" = "$(hash_of inside)" ] || fail "the controller in Python has other bits"
  export HEFT_UDP_KEY=$key
  lockstep key "udp:127.0.0.1:$port" "python3 $examples/hold.py" "$robot" --time 0.05
  unset HEFT_UDP_KEY
  grep -q "50 states, 50 answers" key || fail "$(cat key)"
else
  echo "controller: skipped the client in Python: there is no python3"
fi

# Delay and loss: the robot stands, the next run is the same, and the recording needs no controller.
lockstep a "$place,delay=0.005,loss=0.01,noise=0.001" ./hold "$@" --record a.mcap
lockstep b "$place,delay=0.005,loss=0.01,noise=0.001" ./hold "$@"
[ "$(hash_of a)" = "$(hash_of b)" ] || fail "delay and loss are not the same again"
above "$(height a.csv)" 0.25 || fail "the robot fell with a delay, to $(height a.csv) m"
grep -q ", 0 lost" a && fail "nothing was lost"
"$heft" replay a.mcap --plugin ./push.so >r.txt || fail "the replay differs: $(cat r.txt)"
grep -q "1200 steps, all with the same bits.*$(hash_of a)" r.txt || fail "$(cat r.txt)"
if "$heft" replay a.mcap >r.txt 2>&1; then fail "replayed without the plug-in"; fi

# Balance and capture steps in a process of their own: a push of 45 N s from the side, the bits of the same code inside.
cp "$BALANCE" balance
stumble() { # <result> <who controls> <argument>...
  result=$1 who=$2
  shift 2
  "$heft" run "stumble:feel=$who,force=150" --time 4 --quiet "$@" >"$result" 2>"$result.err" || fail "$(cat "$result.err")"
}
stumble feet.inside 2 --log feet.csv
./balance "$place" "$root/models/hrp2_like.xml" walk >feet.states 2>&1 &
other=$!
stumble feet 3 --controller "$place,$patient"
wait $other || fail "$(cat feet.states)"
[ "$(hash_of feet)" = "$(hash_of feet.inside)" ] || fail "the controller that steps has other bits"
above "$(tail -n 1 feet.csv | cut -d, -f4)" 0.55 || fail "the pushed robot fell"

# Free running: a controller is killed, the robot falls, and goes on; another controller comes.
rows() { cat "$1" 2>/dev/null | wc -l; }
until_true() { # <seconds> <command>...
  tries=$(($1 * 20))
  shift
  while ! "$@"; do
    tries=$((tries - 1))
    [ "$tries" -gt 0 ] || fail "waited in vain for: $*; $(cat free.err)"
    kill -0 "$world" 2>/dev/null || fail "the simulation ended: $(cat free free.err)"
    sleep 0.05
  done
}
has_rows() { [ "$(rows free.csv)" -ge "$1" ]; }
says() { [ "$(grep -c "$1" free.err)" -ge "$2" ]; }
attempt=1
stood=no
while [ $attempt -le 3 ] && [ $stood = no ]; do
  rm -f free.csv
  ./hold "$place" >/dev/null 2>&1 &
  other=$!
  "$heft" run "$robot" --quiet --time 10000 --plugin ./push.so:force=4,period=1 \
    --controller "$place,free,delay=0.005,loss=0.01,wait=120" --log free.csv >free 2>free.err &
  world=$!
  until_true 120 has_rows 800
  head -n 800 free.csv >stands.csv
  kill -9 $other
  wait $other 2>/dev/null || true
  above "$(height stands.csv)" 0.25 && stood=yes
  if [ $stood = no ] && [ $attempt -lt 3 ]; then
    kill -INT $world
    wait $world || true
  fi
  attempt=$((attempt + 1))
done
[ $stood = yes ] || echo "controller: not judged: this machine is too busy to hold a robot in real time"
until_true 120 says "does not answer" 1
until_true 120 has_rows $(($(rows free.csv) + 1500))
above 0.2 "$(height free.csv)" || fail "the robot stands without its controller: $(height free.csv) m"
./hold "$place" >/dev/null 2>&1 &
other=$!
until_true 120 says "is connected" 2
until_true 120 has_rows $(($(rows free.csv) + 200))
kill -INT $world
wait $world || fail "the simulation failed: $(cat free free.err)"
wait $other || fail "the second controller failed"
grep -q "controller  .* states" free || fail "no report: $(cat free)"

# Words for what is wrong.
refused() { # <pattern> <place>
  if "$heft" run "$robot" --quiet --time 0.01 --controller "$2" >out.txt 2>&1; then fail "accepted: $2"; fi
  grep -q "$1" out.txt || fail "no '$1' in: $(cat out.txt)"
}
refused "expected the place of a controller as unix:PATH or udp:PORT" tcp:80
refused "needs a key" udp:0.0.0.0:7480
refused "a key on the command line is visible" "udp:7480#$key"
refused "did you mean 'delay'" "$place,dealy=1"
refused "cannot create the socket" "unix:$work/none/robot"
refused "expected 0 to 1" "$place,loss=2"
"$heft" run "$robot" --quiet --time 0.01 --controller "$place,wait=0" >out.txt 2>&1 || fail "$(cat out.txt)"
"$heft" run "$robot" --quiet --time 0.01 --controller "$place,wait=0.01" >out.txt 2>&1 || fail "$(cat out.txt)"
grep -q "no controller came" out.txt || fail "$(cat out.txt)"

# A real robot, where it is.
g1=${HEFT_SHARED:-$root/../shared}/models/mjcf/unitree_g1/scene.xml
if [ -f "$g1" ]; then
  set -- "$g1" --key stand --step 0.001 --time 1.2 --plugin ./push.so:force=90,start=0.1,period=0.6
  inside "$@"
  lockstep g1 "$place" ./hold "$@"
  [ "$(hash_of g1)" = "$(hash_of inside)" ] || fail "G1 has other bits"
  above "$(height g1.csv)" 0.75 || fail "G1 fell"
  lockstep g1 "$place,delay=0.005,loss=0.01" ./hold "$@"
  above "$(height g1.csv)" 0.75 || fail "G1 fell with a delay"
else
  echo "controller: skipped G1: there is no $g1"
fi
echo "controller: ok"
