#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# heft validate --live: the scenes for pages. The command checks each one against the rows of its case; here the files are
# read by others, and a folder that cannot be made is told.
# usage: live.sh HEFT SCENES
set -eu

heft=$1 scenes=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
cd "$work"
"$heft" validate --scenes "$scenes" --live live >out.txt
command -v python3 >/dev/null || echo "live: cases.json was left out, python3 is not installed"
! command -v python3 >/dev/null || python3 - <<'PYTHON'
import json
import os

with open('live/cases.json') as file:
    scenes = json.load(file)['scenes']
names = [scene['name'] for scene in scenes]
assert len(names) >= 12 and len(set(names)) == len(names), names
for scene in scenes:
    assert os.path.exists('live/' + scene['file']), scene['file']
    assert scene['steps'] > 0 and scene['rows'], scene['name']
    for row in scene['rows']:
        assert row['limit'] > 0 and row['terms'] and row['take'], row
PYTHON
"$heft" check live/*.xml | tail -n 1 | grep -q ', 0 warnings'
touch file
if "$heft" validate --live file/live 2>error.txt; then
  echo "a folder in a file was made"
  exit 1
fi
grep -q "the folder 'file/live' cannot be made" error.txt
echo "$(wc -l <out.txt) live scenes"
