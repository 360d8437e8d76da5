#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""heft run --ros2 and a node of another vendor, in a network namespace of their own.

A Unitree G1 squats. Its drives would stretch the legs; a node on Fast DDS commands the squat, and it lasts. All joint
states arrive: their stamps follow each other without a gap from the first that the node receives. Then the node pauses
the world, resets it and lets it run.

usage: live.py HEFT PEER ROBOTS [SECONDS]     3 s of the world; the long form is 60
Needs root and the robots of MuJoCo Menagerie in ROBOTS; exit code 77 says what is missing."""
import csv
import os
import re
import shutil
import subprocess
import sys
import tempfile

STEP = 0.001
LOOPBACK = "<CycloneDDS><Domain><General><Interfaces><NetworkInterface name='lo' multicast='true'/></Interfaces></General></Domain></CycloneDDS>"
LEG = "-0.5 0 0 1 -0.5 0 "
SQUAT = "<keyframe><key name='squat' qpos='0 0 0.715 1 0 0 0 %s%s%s'/></keyframe>" % (LEG, LEG, "0 " * 17)


def skip(why):
    print("skipped: " + why)
    sys.exit(77)


def squatting(robots, folder):
    """A copy of the G1 with a keyframe in which it squats and its controls are zero."""
    source = os.path.join(robots, "mjcf", "unitree_g1")
    os.symlink(os.path.join(source, "assets"), os.path.join(folder, "assets"))
    shutil.copy(os.path.join(source, "scene.xml"), folder)
    with open(os.path.join(source, "g1.xml")) as f:
        text = re.sub(r"<keyframe>.*</keyframe>", SQUAT, f.read(), flags=re.S)
    with open(os.path.join(folder, "g1.xml"), "w") as f:
        f.write(text)
    return os.path.join(folder, "scene.xml")


def run(heft, scene, seconds, *options, **more):
    return subprocess.Popen([heft, "run", "--quiet", "--root", "/", "--step", str(STEP), "--time", str(seconds), "--key", "squat",
                             *options, scene], **more)


def heights(path):
    with open(path) as f:
        return [float(row["q2"]) for row in csv.DictReader(f)]


def live(heft, peer, robots, seconds):
    os.environ["CYCLONEDDS_URI"] = LOOPBACK
    with tempfile.TemporaryDirectory() as folder:
        scene, log, alone = squatting(robots, folder), os.path.join(folder, "log.csv"), os.path.join(folder, "alone.csv")
        if run(heft, scene, 1, "--log", alone, stdout=subprocess.DEVNULL).wait() != 0:
            sys.exit("live: the robot does not run")
        moved = max(heights(alone)) - heights(alone)[0]
        if moved < 0.04:
            sys.exit("live: without commands the robot keeps its squat, to %g m: the test shows nothing" % moved)
        node = subprocess.Popen([peer, str(seconds), str(STEP), "hold"])
        world = run(heft, scene, seconds + 1, "--ros2-wait", "60", "--log", log, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            out, err = world.communicate(timeout=100 + 10 * seconds)
            node.wait(100)
        finally:
            world.kill()
            node.kill()
        print(err, end="")
        row = heights(log)[:int(seconds / STEP)]
        moved = max(abs(z - row[0]) for z in row)
        print("live: the pelvis moved by %.1f mm" % (1000 * moved))
        if world.returncode or node.returncode:
            sys.exit("live: heft ended with %d, the node with %d\n%s" % (world.returncode, node.returncode, out))
        if moved > 0.02:
            sys.exit("live: the robot is not held")
        if not re.search(r" 0 dropped, 0 messages lost, [1-9]\d* commands, 0 refused;", err):
            sys.exit("live: states or commands were lost")


def main():
    heft, peer, robots = sys.argv[1:4]
    if not os.path.isdir(os.path.join(robots, "mjcf", "unitree_g1")):
        skip("there is no unitree_g1 in " + robots)
    if os.environ.get("HEFT_LIVE_INSIDE") != "1":
        inside = ["unshare", "--net", "sh", "-c", 'ip link set lo up multicast on && ip route add 224.0.0.0/4 dev lo && exec "$@"', "sh"]
        if not shutil.which("unshare") or not shutil.which("ip") or subprocess.run([*inside, "true"], capture_output=True).returncode != 0:
            skip("network namespaces need root, unshare and iproute2")
        os.environ["HEFT_LIVE_INSIDE"] = "1"
        os.execvp(inside[0], [*inside, sys.executable, "-B", *sys.argv])
    live(heft, peer, robots, float(sys.argv[4]) if len(sys.argv) > 4 else 3)


if __name__ == "__main__":
    main()
