#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Foxglove's official readers decode the logs of `heft run` and its bags of ROS 2, hyparquet the results of a sweep. The
# packages come from npm, if the network allows.
# usage: foxglove.sh HEFT SCENES FOLDER FOR PACKAGES
set -eu
skip() { echo "skipped: $*"; exit 77; }
command -v node >/dev/null && command -v npm >/dev/null || skip "node and npm are not installed"
here=$(cd "$(dirname "$0")" && pwd)
heft=$1 scenes=$2 packages=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
mkdir -p "$packages"
if ! [ -e "$packages/complete-3" ]; then
  (cd "$packages" && echo '{"private":true}' >package.json &&
    timeout 120 npm install --no-package-lock --no-audit --no-fund --ignore-scripts --silent \
      @mcap/core@2 @mcap/support@1 @foxglove/schemas@2 ajv@8 hyparquet@1 \
      @foxglove/rosmsg@5 @foxglove/rosmsg2-serialization@3 >"$work/npm" 2>&1) ||
    skip "npm cannot install @mcap/core: $(tail -n 1 "$work/npm")"
  touch "$packages/complete-3"
fi
"$heft" run --time 0.2 --log "$work/robot.mcap" --log "$work/robot.ros2.mcap" "$scenes/quadruped.xml" >/dev/null
"$heft" run --time 0.3 --log "$work/parts.mcap" "$here/log_parts.xml" >/dev/null
cp "$here"/../../examples/sweep/grasp.* "$work"
sed 's/^runs = .*/runs = 20\nfinal_state = true/' "$work/grasp.toml" >"$work/few.toml"
"$heft" sweep run "$work/few.toml" --out "$work/few" --quiet >/dev/null
for kind in csv parquet; do "$heft" sweep export "$work/few" --$kind "$work/few.$kind" >/dev/null; done
cd "$packages"
node "$here/foxglove.mjs" "$work/robot.mcap" "$work/parts.mcap"
node "$here/read_bag.mjs" "$work/robot.ros2.mcap" "$work/robot.mcap"
node "$here/read_parquet.mjs" "$work/few.parquet" "$work/few.csv"
