#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Foxglove's official reader decodes the logs of `heft run`. Its packages come from npm, if the network allows.
# usage: foxglove.sh HEFT SCENES FOLDER FOR PACKAGES
set -eu
skip() { echo "skipped: $*"; exit 77; }
command -v node >/dev/null && command -v npm >/dev/null || skip "node and npm are not installed"
here=$(cd "$(dirname "$0")" && pwd)
heft=$1 scenes=$2 packages=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
mkdir -p "$packages"
if ! [ -e "$packages/complete" ]; then
  (cd "$packages" && echo '{"private":true}' >package.json &&
    timeout 120 npm install --no-package-lock --no-audit --no-fund --ignore-scripts --silent \
      @mcap/core@2 @mcap/support@1 @foxglove/schemas@2 ajv@8 >"$work/npm" 2>&1) ||
    skip "npm cannot install @mcap/core: $(tail -n 1 "$work/npm")"
  touch "$packages/complete"
fi
"$heft" run --time 0.2 --log "$work/robot.mcap" "$scenes/quadruped.xml" >/dev/null
"$heft" run --time 0.3 --log "$work/parts.mcap" "$here/log_parts.xml" >/dev/null
cd "$packages"
node "$here/foxglove.mjs" "$work/robot.mcap" "$work/parts.mcap"
