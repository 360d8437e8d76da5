#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A scene that one core cannot solve in real time, 700 balls: the window keeps moving, counts the steps that
# the deadline cuts, and shows the speed that is reached. Without deadlines no step is cut.
# usage: late.sh <heft> <folder for pictures and log>
set -u
heft=$1 out=$2 screen=1100x700
model=$(dirname "$0")/../../scenes/load/balls_700.xml
. "$(dirname "$0")/screen.sh"

"$heft" view "$model" --quiet --size 1100x700 --log "$log" --folder "$out" --text-scale 1 --light &
viewer=$!
await_window
echo "- steps are cut, and counted"
until_log ' state .* deadline 1 cut [1-9]'

echo "- time goes on: 20 steps take no longer than 40 s"
from=$(value step)
for _ in $(seq 80); do settle; [ "$(value step)" -ge $((from + 20)) ] && break; done
[ "$(value step)" -ge $((from + 20)) ] || fail "the window stands still"
less 0 "$(value achieved)" || fail "the speed that is reached is not measured"
key p
until_log ' screenshot '

echo "- the Settings turn the deadlines off"
key s
until_log ' button keep '
press keep
until_log ' state .* deadline 0 '
press keep
until_log ' state .* deadline 1 ' 180
