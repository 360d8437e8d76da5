#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the tables of docs/manual/speed.md anew.

A table stands between two comments. The first has the command whose Markdown it is:

    <!-- measured: bench motion robots -->
    <!-- end -->

usage: speed_page.py <heft> <page> [part of a command...]   (default: all tables)
HEFT_MODELS names the folder of third-party robots.
"""
import datetime
import re
import subprocess
import sys


def measure(heft, command):
    result = subprocess.run([heft, *command.split(), "--markdown"], stdout=subprocess.PIPE, text=True)
    if result.returncode != 0:
        print("speed_page: '%s' failed; its table stays partly empty" % command, file=sys.stderr)
    return result.stdout.strip("\n")


def stamp(heft):
    """When, with which version and where the table was measured."""
    version = subprocess.run([heft, "--version"], stdout=subprocess.PIPE, text=True).stdout.split()[1]
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        names = re.findall(r"^model name\s*: (.*)$", file.read(), re.M)
    now = datetime.date.today()
    return "Measured on %d %s with Heft %s on %d cores of %s." % (now.day, now.strftime("%B %Y"), version, len(names), " ".join(names[0].split()) if names else "?")


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
        return "%s\n\n%s\n\n%s\n\n%s" % (match.group(1), measure(heft, command), stamp(heft), match.group(4))

    pattern = r"(<!-- measured: (.*?) -->)(.*?)(<!-- end -->)"
    renewed, count = re.subn(pattern, renew, text, flags=re.S)
    if count == 0:
        sys.exit("speed_page: %s has no table to measure" % page)
    with open(page, "w", encoding="utf-8") as file:
        file.write(renewed)


if __name__ == "__main__":
    main()
