#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lines of the readers of foreign bytes that the unit tests and the kept inputs of the fuzz targets reach.

Readers are the files of tests/fuzz/readers.txt, without those that compute with what was read (collision, world). Builds
build/coverage (gcc, HEFT_COVERAGE=ON), runs the tests of their rooms and the replay of every corpus, and adds up.

  coverage.py                  the table, as Markdown; exit code 1 if the readers as a whole are below the limit
  coverage.py --missing FILE   the lines of one file that nothing reaches
  coverage.py --no-run         the table of the last run
  --inputs FOLDER              inputs of a campaign beside the kept ones (build/campaign/inputs)"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from campaign import ROOT, readers  # noqa: E402

BUILD = os.path.join(ROOT, "build/coverage")
COUNTS = os.path.join(BUILD, "counts")  # what programs write at their end
ROOMS = "io|model|record|device|robot|link|serve|sweep|queue|collision/distance_shapes|fuzz"
# These targets try what computes, not what reads.
NO_READERS = {"collision", "step"}
LIMIT = 90.0  # percent of all lines


def programs():
    """Programs that the tests of these rooms run, also by a script: one of an older build would overwrite what others counted. CTest
    itself does not name a program that is not built yet."""
    found = set()
    with open(os.path.join(BUILD, "CTestTestfile.cmake")) as f:
        for test in re.findall(r"^add_test\(.*", f.read(), re.M):
            if re.match(rf'add_test\(\W*({ROOMS})', test):
                found |= set(re.findall(rf'"{re.escape(BUILD)}/bin/([^"/]+)"', test))
    return [f"bin/{name}" for name in sorted(found)]


def build(names):
    subprocess.run(["cmake", "--preset", "ci", "-B", BUILD, "-DHEFT_COVERAGE=ON"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", BUILD, "--target", *(names or programs())], cwd=ROOT, check=True,
                   stdout=subprocess.DEVNULL)


def environment(counts):
    return {**os.environ, "GCOV_PREFIX": counts}


def run(inputs):
    build([])
    shutil.rmtree(COUNTS, ignore_errors=True)
    done = subprocess.run(["ctest", "--test-dir", BUILD, "-R", f"^({ROOMS})", "-E", "determinism", "-j", "2"], cwd=ROOT,
                          env=environment(COUNTS), capture_output=True, text=True, check=False)
    for line in done.stdout.splitlines():
        if "tests passed" in line or "***Failed" in line or "Timeout" in line:
            print(line, file=sys.stderr)
    for target in sorted(readers()):
        folder = os.path.join(inputs, target)
        if os.path.isdir(folder):
            subprocess.run([os.path.join(BUILD, "bin", f"replay_{target}"), "--whole", folder], cwd=ROOT, env=environment(COUNTS),
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)


def lines(counts, files):
    """For each file, its lines with how often they were reached."""
    table = {f: {} for f in files}
    for here, _, names in os.walk(counts):
        for name in names:
            if not name.endswith(".gcda"):
                continue
            # The notes of the compiler lie beside the object.
            notes = os.path.join("/", os.path.relpath(here, counts), name[:-5] + ".gcno")
            link = os.path.join(here, name[:-5] + ".gcno")
            if not os.path.exists(notes):
                continue
            if not os.path.lexists(link):
                os.symlink(notes, link)
            out = subprocess.run(["gcov", "--json-format", "--stdout", name], cwd=here, capture_output=True, text=True, check=True)
            for text in out.stdout.splitlines():
                for f in json.loads(text)["files"]:
                    path = os.path.relpath(os.path.join(BUILD, f["file"]), ROOT)
                    if path in table:
                        for line in f["lines"]:
                            n = line["line_number"]
                            table[path][n] = table[path].get(n, 0) + line["count"]
    return table


def reached(table):
    return sum(1 for of in table.values() for n in of.values() if n > 0), sum(len(of) for of in table.values())


def missing(table, path):
    with open(os.path.join(ROOT, path)) as f:
        text = f.read().split("\n")
    for number, count in sorted(table[path].items()):
        if count == 0:
            print(f"{path}:{number}: {text[number - 1]}")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--missing", metavar="FILE", action="append")
    p.add_argument("--no-run", action="store_true")
    p.add_argument("--inputs", default=os.path.join(ROOT, "build/campaign/inputs"))
    args = p.parse_args()
    if not args.no_run and not args.missing:
        run(args.inputs)
    if not os.path.isdir(COUNTS):
        p.error("nothing was measured yet: run tools/coverage.py")
    files_of = {t: f for t, f in readers().items() if t not in NO_READERS}
    table = lines(COUNTS, sorted({f for files in files_of.values() for f in files}))
    if args.missing:
        for path in args.missing:
            if path not in table:
                p.error(f"{path} is not a file of a reader (tests/fuzz/readers.txt)")
            missing(table, path)
        return 0
    print("| reader | files | lines | reached | lowest file |")
    print("|---|---|---|---|---|")
    for target, files in sorted(files_of.items()):
        known = {f: table[f] for f in files if table[f]}
        got, count = reached(known)
        low = min(known, key=lambda f: reached({f: known[f]})[0] / len(known[f]), default="")
        share = 100 * reached({low: known[low]})[0] / len(known[low]) if low else 0
        print(f"| {target} | {len(known)} | {count} | {100 * got / max(count, 1):.1f} % | `{low}` {share:.0f} % |")
    got, count = reached(table)
    share = 100 * got / max(count, 1)
    print(f"| all | {len(table)} | {count} | {share:.1f} % | |")
    return 0 if share >= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
