#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the tables of docs/manual/speed.md anew.

A table is between two comments. The first has the command whose Markdown it is:

    <!-- measured: bench motion robots -->
    <!-- end -->

usage: speed_page.py <heft> <page> [part of a command...]   (default: all tables)
HEFT_ROBOTS names the folder of third-party robots.
"""
import datetime
import json
import os
import re
import subprocess
import sys


def table(head, rows):
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head)] + rows).replace("| --- |", "|---|").replace(" --- |", "---|")


def figure(x):
    """Three digits, and thousands apart."""
    return "%.3g" % x if x < 100 else "{:,.0f}".format(float("%.3g" % x))


def contact_table(rows):
    """Shortest and median step of each engine, one line for a scene."""
    engines, scenes = [], {}
    for row in rows:
        scene = scenes.setdefault(row["name"], {})
        scene[row["engine"]] = row
        if row["engine"] not in engines:
            engines.append(row["engine"])
    lines = []
    for of in scenes.values():
        heft = of["heft"]
        line = [heft["text"], "{:,.0f}".format(heft["instructions"]) if "instructions" in heft else "-"]
        for engine in engines:
            row = of.get(engine)
            other = row and abs(row["contacts"] - heft["contacts"]) > 0.5
            line.append("%s / %s%s" % (figure(row["min_us"]), figure(row["median_us"]), " (%.0f)" % row["contacts"] if other or row is heft else "") if row else "-")
        lines.append(line)
    return table(["scene", "instructions of Heft"] + ["Heft: shortest / median [µs] (contacts)" if e == "heft" else e for e in engines], lines)


def scenes_table(rows):
    """Slow scenes first; one row for all that are three times as fast as real time."""
    slow = sorted((row for row in rows if row["nominal"] < 3), key=lambda row: row["nominal"])
    fast = [row for row in rows if row["nominal"] >= 3]
    lines = [["`%s`" % row["name"], "%g" % (1e3 * row["time_step"]), figure(row["mean_us"]), figure(row["longest_us"]), "%.3g" % row["real_time"], "%.3g" % row["nominal"],
              "%d of %d" % (row["inexact"], row["steps"])] for row in slow]
    lines.append(["%d others" % len(fast), "", "", "", "", "above 3", "%d" % sum(row["inexact"] for row in fast)])
    return table(["scene", "time step [ms]", "mean step [µs]", "longest step [µs]", "times real time", "on the nominal core", "inexact steps"], lines)


def deadline_table(rows, deadline):
    def share(row, key):
        part = 100 * row[key] / row["steps"]
        return "0" if part == 0 else "%.2f %%" % part if part >= 0.005 else "below 0.01 %"

    lines = [["%s, %s µs" % (row["name"], deadline), "{:,}".format(row["steps"]), share(row, "above_deadline"), share(row, "above_1.25_deadline"), figure(row["longest_us"]),
              share(row, "inexact"), share(row, "above_1e-3")] for row in rows]
    return table(["case, deadline", "steps", "above the deadline", "above 1.25 times the deadline", "longest step [µs]", "inexact steps", "above 1e-3"], lines)


def brief(markdown):
    """A table of bench motion with mean and 99th percentile; the command prints the median and the longest step, too."""
    def cell(match):
        four = match.group(0).split(" / ")
        return " / ".join(four[1:3]) + match.group(1)

    return re.sub(r"[\w,.]+ / [\w,.]+ / [\w,.]+ / [\w,.]+((?: \(\d+ steps\))?)", cell, markdown)


def measure(heft, command):
    """The Markdown that the command prints, or that its JSON gives."""
    words = command.split()
    as_json = words[1] in ("contact", "scenes") or "--deadline" in words
    result = subprocess.run([heft, *words, "--json" if as_json else "--markdown"], stdout=subprocess.PIPE, text=True)
    if result.returncode != 0:
        print("speed_page: '%s' failed; its table stays partly empty" % command, file=sys.stderr)
    if not as_json:
        return brief(result.stdout.strip("\n"))
    rows = json.loads(result.stdout)["rows"]
    if words[1] == "contact":
        return contact_table(rows)
    if words[1] == "scenes":
        return scenes_table(rows)
    return deadline_table(rows, words[words.index("--deadline") + 1])


def load():
    """Processes that are ready to run, in the mean of the last minute."""
    return os.getloadavg()[0]


def stamp(heft, loads):
    """When, with which version and where the table was measured; loads: processes that were ready to run, before and after."""
    version = subprocess.run([heft, "--version"], stdout=subprocess.PIPE, text=True).stdout.split()[1]
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        names = re.findall(r"^model name\s*: (.*)$", file.read(), re.M)
    now = datetime.date.today()
    machine = "%d cores of %s" % (len(names), " ".join(names[0].split()) if names else "?")
    shared = ", which other programs shared (load %.0f to %.0f)" % (min(loads), max(loads)) if max(loads) >= 2.5 else ""
    return "Measured on %d %s with Heft %s on %s%s." % (now.day, now.strftime("%B %Y"), version, machine, shared)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    heft, page, parts = sys.argv[1], sys.argv[2], sys.argv[3:]
    with open(page, encoding="utf-8") as file:
        text = file.read()

    def renew(match):
        command = match.group(2)
        if parts and not any(part in command for part in parts):
            return match.group(0)
        loads = [load()]
        measured = measure(heft, command)
        loads.append(load())
        return "%s\n\n%s\n\n%s\n\n%s" % (match.group(1), measured, stamp(heft, loads), match.group(4))

    pattern = r"(<!-- measured: (.*?) -->)(.*?)(<!-- end -->)"
    renewed, count = re.subn(pattern, renew, text, flags=re.S)
    if count == 0:
        sys.exit("speed_page: %s has no table to measure" % page)
    with open(page, "w", encoding="utf-8") as file:
        file.write(renewed)


if __name__ == "__main__":
    main()
