#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every scene of MuJoCo Menagerie for 1000 steps: a page of the outcomes, the attributes that Heft skips, and the difference
of accelerations from MuJoCo's.

    git clone https://github.com/google-deepmind/mujoco_menagerie
    npm install @mujoco/mujoco
    HEFT_NODE_MODULES=node_modules bench/menagerie.py build/ci/bin/heft mujoco_menagerie build/ci/bin/test_io_mujoco > bench/results/menagerie.md

The last program may be a file with its output; without it the differences are left out. A scene starts at its first named keyframe or else in the pose of the
file, and moves under its controls there. Files that differ from the commit are named: they stand in for missing ones."""
import collections
import datetime
import glob
import json
import os
import platform
import re
import subprocess
import sys

STEPS, SECONDS = 1000, 600
STEERS = re.compile(r"<option (wind|density|viscosity|magnetic)>|fluid|margin|springref|delay|muscle|adhesion|flex|plugin|actuatorgravcomp|lengthrange")


def call(*command):
    try:
        text = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS).stdout
        return json.loads(text) if text else {}
    except subprocess.TimeoutExpired:
        return {"errors": [{"message": "no end after %d s" % SECONDS}]}


def run(heft, scene):
    models = call(heft, "info", "--json", "--quiet", scene).get("models", [{}])
    model = models[0] if models else {}
    keys = [k for k in model.get("keyframe_names", []) if k]
    result = call(heft, "run", scene, "--json", "--time", repr(STEPS * model.get("time_step", 0.002)), *(["--key", keys[0]] if keys else []))
    return result, model.get("nv", 0)


def differences(program, folder):
    """Largest relative difference from MuJoCo's numbers at 100 random states, by scene."""
    if not program:
        return {}
    if os.access(program, os.X_OK):
        text = subprocess.run([program], capture_output=True, text=True, env=dict(os.environ, HEFT_MENAGERIE=os.path.abspath(folder))).stdout
    else:
        text = open(program).read()
    found = {}
    for line in text.splitlines():
        match = re.match(r".. %s/(\S+) .*difference (\S+) \((.*)\)" % re.escape(os.path.abspath(folder)), line)
        if match:
            found[match[1]] = (float(match[2]), match[3])
    return found


def main(heft, folder, program=None):
    scenes = sorted(os.path.relpath(p, folder) for p in glob.glob(folder + "/*/scene*.xml"))
    commit = subprocess.run(["git", "-C", folder, "log", "-1", "--format=%h of %cs"], capture_output=True, text=True).stdout.strip()
    changed = collections.Counter(p.split("/")[0] for p in subprocess.run(
        ["git", "-C", folder, "ls-files", "-m"], capture_output=True, text=True).stdout.split())
    rows, skipped = [], collections.defaultdict(list)
    ended = solved = dropped = 0
    for scene in scenes:
        result, nv = run(heft, os.path.join(folder, scene))
        ended += result.get("steps") == STEPS and result["rolled_back"] == 0
        solved += result.get("steps_by_status") == {"solved": STEPS}
        dropped += result.get("dropped_contacts", 0)
        for w in result.get("warnings", []):
            if STEERS.search(w["message"]):
                skipped[re.sub(r"'[^']*'", "NAME", w["message"])].append(scene)
        text = result.get("steps_text") or "; ".join(e["message"] for e in result.get("errors", [])) or "no result"
        text = re.sub(r": (shorten|raise|the laws)[^;]*", "", text).replace("all 1000 steps solved", "solved")
        rows.append([scene, str(nv), text, str(result.get("dropped_contacts", "")), "",
                     "%d files" % changed[scene.split("/")[0]] if changed[scene.split("/")[0]] else ""])
    apart = differences(program, folder)
    for row in rows:
        row[4] = "%.0e (%s)" % apart[row[0]] if row[0] in apart else ""
    version = subprocess.run([heft, "--version"], capture_output=True, text=True).stdout.split("\n")[0]
    print("# MuJoCo Menagerie\n\nH%s, Menagerie %s, %s, %s. By `bench/menagerie.py`, as its head has it.\n" % (
        version[1:], commit, datetime.date.today(), platform.machine()))
    print("%d of %d scenes ran %d steps without a rolled-back one; in %d every step was solved; %d contact points were dropped.\n" % (
        ended, len(scenes), STEPS, solved, dropped))
    if apart:
        close = sum(d < 1e-6 for d, _ in apart.values())
        print("At 100 random states, MuJoCo 3.14 has the same poses, bias forces, mass matrices, tendons, actuators and accelerations\n"
              "without contact, to 1e-6 in %d of the %d scenes compared. The column has the largest difference.\n" % (close, len(apart)))
    if changed:
        print("Stand-ins are files that differ from the commit.\n")
    print("| scene | dofs | steps | dropped | difference | stand-ins |\n|---|---|---|---|---|---|")
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print("\n## Skipped attributes that can change motion\n")
    for message, where in sorted(skipped.items()):
        print("- %s (%s)" % (message, ", ".join(sorted(set(where)))))
    return 0 if ended == len(scenes) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
