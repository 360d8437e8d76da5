# SPDX-License-Identifier: Apache-2.0
# For tests that use the window as a person would: a screen without a monitor, and questions about the log
# of the viewer. The caller sets `out`, a folder that is made anew, and may set `screen`, its size; `log` is the
# file for --log, `viewer` the process of the viewer.
for tool in Xvfb xdotool; do
  command -v $tool >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done
rm -rf "$out" && mkdir -p "$out/data" || exit 1
export XDG_DATA_HOME=$out/data LP_NUM_THREADS=${LP_NUM_THREADS:-1} SDL_AUDIODRIVER=dummy
log=$out/log.txt

Xvfb -displayfd 3 -screen 0 "${screen:-800x600}x24" -nolisten tcp 3>"$out/display" >/dev/null 2>&1 &
server=$!
viewer=
trap 'kill $viewer $server 2>/dev/null; wait 2>/dev/null' EXIT
for _ in $(seq 100); do [ -s "$out/display" ] && break; sleep 0.1; done
[ -s "$out/display" ] || { echo "skipped: Xvfb does not start"; exit 77; }
DISPLAY=:$(cat "$out/display")
export DISPLAY

fail() { echo "FAILED: $*"; tail -n 4 "$log" | cut -c1-400; exit 1; }
# until_log <pattern> [seconds]: waits for a line that was not there when begin_log was called.
lines=0
mark_log() { lines=$(wc -l <"$log"); }
fresh() { tail -n +$((lines + 1)) "$log"; }
until_log() {
  local end=$((SECONDS + ${2:-60}))
  until fresh | grep -qE "$1"; do
    kill -0 $viewer 2>/dev/null || fail "the viewer ended before: $1"
    [ $SECONDS -lt $end ] || fail "nothing like this came: $1"
    sleep 0.1
  done
}
# The last value of a word of the state lines.
value() { grep ' state ' "$log" | tail -n 1 | tr ' ' '\n' | grep -A1 -x "$1" | tail -n 1; }
settle() { mark_log; until_log ' state '; mark_log; until_log ' state '; }
place() { grep ' places ' "$log" | tail -n 1 | tr ' ' '\n' | sed -n "s/^$1://p" | tr ',' ' '; }
key() { mark_log; xdotool key --delay 60 "$1"; sleep 0.3; }
less() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a < b) }'; }

# await_window: waits for the first picture; ends the test where no window can be opened.
await_window() {
  for _ in $(seq 300); do [ -s "$log" ] && break; kill -0 $viewer 2>/dev/null || break; sleep 0.1; done
  [ -s "$log" ] || { wait $viewer; echo "skipped: no window could be opened here"; viewer=; exit 77; }
  until_log ' places '
  until_log 'first picture'
}

# press <name>: a button of a panel, by its name in the log.
press() {
  read -r x y < <(sed -n "s/.* button $1 //p" "$log" | tail -n 1)
  [ -n "${y:-}" ] || fail "there is no button $1"
  mark_log
  xdotool mousemove "$x" "$y" click 1  # at once, as remote desktops do
}
