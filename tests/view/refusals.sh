#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Where the window cannot work, one sentence says why and what to do: no display, no OpenGL, an old driver, a
# broken plug-in.
# usage: refusals.sh <heft> <folder>
set -u
heft=$1 out=$2
model=$(cd "$(dirname "$0")/../.." && pwd)/models/plank.xml
. "$(dirname "$0")/screen.sh"

# says <what> <pattern> command...: the command fails, in one sentence that contains the pattern.
says() {
  local what=$1 pattern=$2
  shift 2
  "$@" >"$out/said.txt" 2>&1 && { echo "FAILED: $what: no failure"; exit 1; }
  [ "$(grep -c '^heft ' "$out/said.txt")" -eq 1 ] && grep -q "$pattern" "$out/said.txt" ||
    { echo "FAILED: $what:"; cat "$out/said.txt"; exit 1; }
  echo "- $what: $(grep '^heft ' "$out/said.txt")"
}
view=("$heft" view "$model" --quiet --seconds 1)
says "no display" 'no screen for a window' env -u DISPLAY -u WAYLAND_DISPLAY "${view[@]}"
says "old driver" 'no OpenGL 3.3' env MESA_GL_VERSION_OVERRIDE=2.1 MESA_GLSL_VERSION_OVERRIDE=120 "${view[@]}"
echo 'no shared object' >"$out/broken.so"
says "a broken plug-in" 'broken.so' "${view[@]}" --plugin "$out/broken.so"
says "a plug-in that is not there" 'absent.so' "${view[@]}" --plugin "$out/absent.so"
says "a wrong option" 'expected NAME=NUMBER\|has no option\|unknown' "$heft" view walk:fast=yes --quiet

# A screen without GLX.
kill $server 2>/dev/null
rm -f "$out/display"
Xvfb -displayfd 3 -screen 0 640x480x24 -nolisten tcp -extension GLX 3>"$out/display" >/dev/null 2>&1 &
server=$!
for _ in $(seq 100); do [ -s "$out/display" ] && break; sleep 0.1; done
if [ -s "$out/display" ]; then
  DISPLAY=:$(cat "$out/display")
  export DISPLAY
  says "no OpenGL" 'no OpenGL 3.3' env SDL_VIDEO_X11_FORCE_EGL=0 "${view[@]}"
fi
echo "refusals: ok"
