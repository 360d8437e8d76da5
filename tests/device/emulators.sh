#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every driver end to end: `heft emulate` stands for the device in a process of its own, `heft
# devices` finds and pushes it, `heft feel` touches a box with it, and it is unplugged in between.
# usage: emulators.sh HEFT SCENES
set -u
heft=$1
scenes=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# run <name> <pattern> <command...>: its output must hold the pattern
run() {
  local name=$1 pattern=$2
  shift 2
  "$@" >"$work/out" 2>&1
  if grep -qE "$pattern" "$work/out"; then
    echo "$name: $(grep -E "$pattern" "$work/out" | head -n 1 | tr -s ' ')"
  else
    echo "FAILED: $name: $* (expected $pattern)"
    cat "$work/out"
    failed=1
  fi
}

# The hand presses down from 5 cm above the middle to 3 cm below it, through the top of a box.
down="0 0 0 0.03; 0.4 0 0 0.03; 1 0 0 -0.03; 9 0 0 -0.03"
for kind in udp haply haply/3.1 dhd openhaptics; do
  device=${kind%%/*}
  emulated=$device
  address=
  case $kind in
    udp) emulated=udp:7481 address=:7481 hand=omega ;;
    haply) emulated=haply:7482 address=:7482 hand=inverse3 ;;
    haply/3.1) emulated=haply:7483/3.1 address=:7483 hand=inverse3 ;;
    dhd) hand=omega ;;
    openhaptics) hand=touch ;;
  esac
  # A little stiff, so that a machine under load is no other device.
  run "$kind" 'moved +[0-9.]+ x [0-9.]+ x [1-9][0-9.]* mm' \
    "$heft" emulate "$emulated" --hand "$hand:$down" -- "$heft" devices "$device$address" --time 1.5
  run "$kind touches a box" 'largest force +([1-9]|0\.[1-9])' \
    "$heft" emulate "$emulated" --hand "$hand:$down" -- \
    "$heft" feel "$scenes/two_boxes.xml" --device "$device$address" --at 0,0,0.4 --scale 2 --time 2.5 --quiet
done
run joystick 'moved +[0-9.]+ x [1-9][0-9.]* x 0.0 mm' \
  "$heft" emulate joystick --hand 'joystick:0 0 0 0; 1 0 0.05 0' -- "$heft" devices joystick --time 1.5
run spacemouse 'moved +[1-9][0-9.]* x 0.0 x 0.0 mm; buttons pressed: 1' \
  "$heft" emulate spacemouse --hand 'spacemouse:0 0.008 0 0 1' -- "$heft" devices spacemouse --time 1
if ldconfig -p 2>/dev/null | grep -q libspnav; then
  run 'spacenav, with the real libspnav' 'moved +[1-9][0-9.]* x 0.0 x 0.0 mm; buttons pressed: 1' \
    "$heft" emulate "spacenav:$work/spnav.sock" --hand 'spacemouse:0 0.008 0 0 1' -- \
    "$heft" devices spacemouse --time 2
fi
# Unplugged after half a second: the driver goes on looking, and says what it had.
run 'unplugged' 'samples +[1-9][0-9]* in 1.5 s' \
  "$heft" emulate udp:7484 --time 0.7 -- "$heft" devices udp:7484 --time 1.5
run 'pushed' 'pushed +with up to 1\.' \
  "$heft" emulate udp:7485 --hand omega -- "$heft" devices udp:7485 --time 1.5 --push 1
# Keys: from a file of the owner or the environment, never among the arguments.
key=$work/key
(umask 077 && od -An -tx1 -N32 /dev/urandom | tr -d ' \n' >"$key")
cp "$key" "$work/open.key" && chmod 644 "$work/open.key"
if "$heft" devices udp:7486 --time 0.01 2>&1 | grep -q 'no libsodium'; then
  echo "skipped: keys of version 2, there is no libsodium"
else
  run 'a key in a file' 'samples +[1-9][0-9]* in' "$heft" emulate "udp:7486,key-file=$key" --hand omega -- \
    "$heft" devices "udp:7486,key-file=$key" --time 0.8
  HEFT_UDP_KEY=$(cat "$key")
  export HEFT_UDP_KEY
  run 'a key in the environment' 'samples +[1-9][0-9]* in' "$heft" emulate udp:7487 --hand omega -- \
    "$heft" devices udp:7487 --time 0.8
  # what other users see of a command with a key
  "$heft" devices "udp:7488,key-file=$key" --time 3 >/dev/null 2>&1 &
  if ps -o args= -p $! | grep -q "$HEFT_UDP_KEY"; then
    echo "FAILED: ps shows the key"
    failed=1
  fi
  kill $! 2>/dev/null
  wait $! 2>/dev/null
  run 'a key among the arguments' 'visible to all users' "$heft" devices "udp:7486#$HEFT_UDP_KEY"
  unset HEFT_UDP_KEY
  # A program with a key leaves no core; one without shows whether this machine writes cores at all.
  run 'cores' '^(no core|skipped)' python3 - "$heft" "$work" "$key" <<'PY'
import os, resource, signal, subprocess, sys, time
heft, work, key = map(os.path.abspath, sys.argv[1:])

def leaves_core(port, address):
    unlimited = lambda: resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    p = subprocess.Popen([heft, "devices", address, "--time", "60"], cwd=work, stdout=subprocess.DEVNULL, preexec_fn=unlimited)
    while p.poll() is None and ":%04X " % port not in open("/proc/net/udp").read():
        time.sleep(0.02)
    p.send_signal(signal.SIGABRT)
    return os.WCOREDUMP(os.waitpid(p.pid, 0)[1])

try:
    if not leaves_core(7491, "udp:7491,version=1"):
        print("skipped: cores of programs with keys, this machine writes none")
    elif leaves_core(7492, "udp:7492,key-file=" + key):
        print("a program with a key left a core")
    else:
        print("no core of a program with a key")
except (ValueError, subprocess.SubprocessError) as e:
    print("skipped: cores of programs with keys, %s" % e)
PY
  run 'another key' 'samples +0 in' "$heft" emulate udp:7489 --hand omega -- "$heft" devices "udp:7489,key-file=$key" --time 0.5
  run 'no key' 'needs a key' "$heft" devices udp:0.0.0.0:7489
fi
run 'a key that others can read' 'run chmod 600' "$heft" devices "udp:7486,key-file=$work/open.key"
run 'version 1' 'samples +[1-9][0-9]* in' "$heft" emulate udp:7490,version=1 --hand omega -- \
  "$heft" devices udp:7490,version=1 --time 0.8
run 'no such version' 'version=1 or version=2' "$heft" devices udp:7490,version=7
# Calls that are wrong.
run 'no such kind' "unknown kind of device 'phantom'" "$heft" emulate phantom
run 'no such device' 'there is no emulated device' "$heft" emulate udp --hand brick
run 'no such name' 'a change of the device is not understood' "$heft" emulate udp --hand touch,colour=3
run 'help' 'replaces libdhd' "$heft" emulate --help
run 'environment' '^export HEFT_DHD_LIBRARY=' "$heft" emulate dhd
[ $failed -eq 0 ] && echo "emulators and drivers are well"
exit $failed
