#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A sweep by GNU parallel: N jobs, two at a time, each with its share of the chunks. With --sshloginfile the jobs run
# on other machines that share the folder.
# usage: grasp.sh PLAN.toml RESULTS [N]
set -eu
n=${3:-8}
export HEFT_SHARD_COUNT="$n"
seq "$n" | parallel --will-cite --jobs 2 --halt now,fail=1 \
  "${HEFT:-heft}" sweep run "$1" --out "$2" --shard auto --workers 1 --quiet '#' {}
exec "${HEFT:-heft}" sweep run "$1" --out "$2" --quiet   # what is missing, and the file over all chunks
