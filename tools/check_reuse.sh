#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks with `reuse lint` (https://reuse.software) that the licence of every file is told and its text is there. Files name
# their licence in the first line where they can (tools/check_spdx.sh); .reuse/dep5 covers pictures, models and data.
# Where `reuse` is not installed, says so and passes.
# usage: check_reuse.sh
set -eu
cd "$(dirname "$0")/.."
command -v reuse >/dev/null || { echo "reuse: not checked; install the package reuse"; exit 0; }
# Messages about the text of a licence line inside a program's own string are no findings.
if ! out=$(reuse lint 2>/dev/null); then
  echo "$out"
  echo "reuse: name the licence of the files above, or put its text into LICENSES"
  exit 1
fi
echo "$out" | sed -n 's/^\* Files with license information: \([0-9]*\) .*/reuse: the licence of \1 files is known/p'
