#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A campaign of fuzzing: every target in slices of time, in turn, until each has the executions asked for.

  campaign.py run [target...]    build the targets, fuzz, keep inputs, findings and counts; begins again where it ended
  campaign.py merge FOLDER...    take over the counts, inputs and findings of campaigns on other machines
  campaign.py minimise [target...]  keep the smallest set of inputs that reaches the same code
  campaign.py coverage [target...]  lines of the reader's files that the inputs reach (preset "coverage", gcc)
  campaign.py table              a table of all targets, as Markdown

The folder of a campaign (--state, build/campaign by default) has
  inputs/TARGET/     inputs that reach new code, beside those of tests/fuzz/corpus/TARGET
  findings/          TARGET-crash-..., TARGET-timeout-...: the input; the same name with .log: what was said
  counts/HOST-SHARD.tsv  a row per slice: target, digest of the reader's files, version, date, executions, seconds, findings
  coverage.tsv       a row per target: digest, version, date, lines reached, lines

Executions count for a reader as long as its files (tests/fuzz/readers.txt) and its target are unchanged: the table adds up the
rows with the present digest, and all rows. On many machines, each runs one shard with its own numbers at random:

  machine 1   tools/campaign.py run --shard 1/3 --minutes 600
  machine 2   tools/campaign.py run --shard 2/3 --minutes 600
  machine 3   tools/campaign.py run --shard 3/3 --minutes 600
  then        tools/campaign.py merge FOLDER_OF_2 FOLDER_OF_3 && tools/campaign.py minimise && tools/campaign.py table
With --shard i/n, the goal of each target is its n-th part. docs/internals/fuzzing.md says more."""
import argparse
import concurrent.futures
import datetime
import glob
import hashlib
import os
import re
import shutil
import socket
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# The longest input; without a line, 4096 bytes. Two shapes and a pose are few bytes.
LENGTH = {"collision": 64, "packet": 512, "compiled": 512, "step": 256}
# Inputs with thousands of features each: the default schedule (entropic) would take a third of the time for its bookkeeping.
PLAIN_SCHEDULE = {"compiled", "step", "mcap", "collision"}


def readers():
    table = {}
    with open(os.path.join(ROOT, "tests/fuzz/readers.txt")) as f:
        for number, line in enumerate(f, 1):
            words = line.split("#")[0].split()
            if not words:
                continue
            files = []
            for pattern in words[1:]:
                found = sorted(glob.glob(pattern, root_dir=ROOT))
                if not found:
                    sys.exit(f"tests/fuzz/readers.txt:{number}: no file matches {pattern}; name the reader's files")
                files += found
            table[words[0]] = sorted(set(files))
    targets = {os.path.basename(p)[5:-2] for p in glob.glob(os.path.join(ROOT, "tests/fuzz/fuzz_*.c"))}
    for target in sorted(targets - set(table)):
        sys.exit(f"tests/fuzz/readers.txt: no line for {target}; name the files that fuzz_{target}.c is to reach")
    for target in sorted(set(table) - targets):
        sys.exit(f"tests/fuzz/readers.txt: there is no tests/fuzz/fuzz_{target}.c; remove the line {target}")
    return table


def digest(target, files):
    """The text of the reader's files and of its target, without comments and layout."""
    h = hashlib.sha256()
    for path in files + [f"tests/fuzz/fuzz_{target}.c"]:
        with open(os.path.join(ROOT, path), encoding="utf-8", errors="replace") as f:
            text = re.sub(r"//[^\n]*|/\*.*?\*/", " ", f.read(), flags=re.S)
        h.update(re.sub(r"\s+", " ", text).encode())
    return h.hexdigest()[:12]


def version():
    out = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short=10", "HEAD"], capture_output=True, text=True)
    return out.stdout.strip() or "unknown"


def today():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def rows(state):
    for path in sorted(glob.glob(os.path.join(state, "counts", "*.tsv"))):
        with open(path) as f:
            for line in f:
                words = line.rstrip("\n").split("\t")
                if len(words) == 7:
                    yield words[0], words[1], words[2], words[3], int(words[4]), float(words[5]), int(words[6])


def corpus(state, target):
    folders = [os.path.join(state, "inputs", target), os.path.join(ROOT, "tests/fuzz/corpus", target)]
    os.makedirs(folders[0], exist_ok=True)
    return [f for f in folders if os.path.isdir(f)]


def build(preset, targets):
    subprocess.run(["cmake", "--preset", preset], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", "--preset", preset, "--target", *targets], cwd=ROOT, check=True,
                   stdout=subprocess.DEVNULL)


class Campaign:
    def __init__(self, args, targets):
        self.args, self.targets = args, targets
        self.state = os.path.abspath(args.state)
        self.table = readers()
        self.digests = {t: digest(t, self.table[t]) for t in targets}
        self.version = version()
        for folder in ("inputs", "findings", "counts", "logs"):
            os.makedirs(os.path.join(self.state, folder), exist_ok=True)
        self.index, self.count = (int(x) for x in args.shard.split("/"))
        self.own = os.path.join(self.state, "counts", f"{socket.gethostname()}-{self.index}of{self.count}.tsv")
        self.done = {t: [0, 0.0] for t in targets}  # executions of this machine since the last change, seconds
        if os.path.exists(self.own):
            with open(self.own) as f:
                for line in f:
                    w = line.split("\t")
                    if w[0] in self.done and w[1] == self.digests[w[0]]:
                        self.done[w[0]][0] += int(w[4])
                        self.done[w[0]][1] += float(w[5])
        self.findings = 0

    def slice(self, target):
        """One slice of one target."""
        a = self.args
        program = os.path.join(ROOT, "build", a.preset, "bin", f"fuzz_{target}")
        left = a.runs // self.count - self.done[target][0]
        log = os.path.join(self.state, "logs", f"{target}.log")
        prefix = os.path.join(self.state, "findings", f"{target}-")
        before = set(glob.glob(prefix + "*"))
        options = [f"-max_total_time={a.slice}", f"-runs={max(left, 1000)}", f"-timeout={a.timeout}", "-rss_limit_mb=2048",
                   f"-max_len={LENGTH.get(target, 4096)}", "-print_final_stats=1", f"-artifact_prefix={prefix}"]
        if target in PLAIN_SCHEDULE:
            options.append("-entropic=0")
        dictionary = os.path.join(ROOT, f"tests/fuzz/{target}.dict")
        if os.path.exists(dictionary):
            options.append(f"-dict={dictionary}")
        began = time.monotonic()
        with open(log, "w") as f:
            subprocess.run(["nice", "-n", "19", program, *options, *corpus(self.state, target)], cwd=ROOT, stdout=f,
                           stderr=subprocess.STDOUT, check=False)
        seconds = time.monotonic() - began
        with open(log, errors="replace") as f:
            text = f.read()
        found = re.findall(r"^stat::number_of_executed_units: *(\d+)", text, re.M)
        executions = int(found[-1]) if found else max([int(x) for x in re.findall(r"^#(\d+)", text, re.M)] or [0])
        fresh = sorted(p for p in set(glob.glob(prefix + "*")) - before if not os.path.basename(p).startswith(f"{target}-slow-unit"))
        for path in fresh:
            shutil.copy(log, path + ".log")
        return target, executions, seconds, len(fresh)

    def keep(self, target, executions, seconds, findings):
        self.done[target][0] += executions
        self.done[target][1] += seconds
        self.findings += findings
        with open(self.own, "a") as f:
            f.write(f"{target}\t{self.digests[target]}\t{self.version}\t{today()}\t{executions}\t{seconds:.1f}\t{findings}\n")
        rate = executions / max(seconds, 1e-3)
        print(f"{today()} {target:10} {executions:9d} executions {rate:8.0f}/s  {self.done[target][0]:11d} since the last change"
              f"{'  FOUND ' + str(findings) if findings else ''}", flush=True)

    def speed(self, target):
        executions, seconds = self.done[target]
        return executions / seconds if seconds > 0 else float("inf")

    def run(self):
        """The fastest target first; a round gives each target one slice."""
        end = time.monotonic() + 60 * self.args.minutes
        goal = self.args.runs // self.count
        with concurrent.futures.ThreadPoolExecutor(self.args.jobs) as pool:
            while time.monotonic() < end:
                open_targets = sorted((t for t in self.targets if self.done[t][0] < goal), key=lambda t: (-self.speed(t), t))
                if not open_targets:
                    break
                waiting, running = list(open_targets), set()
                while (waiting and time.monotonic() < end) or running:
                    while waiting and len(running) < self.args.jobs and time.monotonic() < end:
                        running.add(pool.submit(self.slice, waiting.pop(0)))
                    ready, running = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
                    for future in ready:
                        self.keep(*future.result())
        return self.findings


def merge(state, folders):
    for folder in folders:
        if os.path.abspath(folder) == os.path.abspath(state):
            continue
        for kind in ("inputs", "findings", "counts"):
            for here, _, files in os.walk(os.path.join(folder, kind)):
                to = os.path.join(state, os.path.relpath(here, folder))
                os.makedirs(to, exist_ok=True)
                for name in files:
                    # Inputs and findings are named by their bytes, counts by machine and shard; a count only grows.
                    source, goal = os.path.join(here, name), os.path.join(to, name)
                    if not os.path.exists(goal) or os.path.getsize(source) > os.path.getsize(goal):
                        shutil.copyfile(source, goal)


def minimise(state, preset, targets):
    for target in targets:
        own, *kept = corpus(state, target)
        fresh = own + ".small"
        shutil.rmtree(fresh, ignore_errors=True)
        os.makedirs(fresh)
        program = os.path.join(ROOT, "build", preset, "bin", f"fuzz_{target}")
        before = len(os.listdir(own))
        # What the kept inputs reach stays theirs.
        done = subprocess.run(["nice", "-n", "19", program, "-merge=1", "-rss_limit_mb=2048", fresh, *kept, own], cwd=ROOT,
                              capture_output=True, text=True, errors="replace", check=False)
        if done.returncode != 0:
            shutil.rmtree(fresh)
            print(f"{target}: not minimised: {done.stderr.strip().splitlines()[-1:]}")
            continue
        for folder in kept:
            for name in os.listdir(folder):
                with open(os.path.join(folder, name), "rb") as f:
                    same = os.path.join(fresh, hashlib.sha1(f.read()).hexdigest())
                if os.path.exists(same):
                    os.remove(same)
        shutil.rmtree(own)
        os.rename(fresh, own)
        print(f"{target}: {len(os.listdir(own))} of {before} inputs kept", flush=True)


def coverage(state, targets):
    """Of the inputs of a target alone, without unit tests."""
    import coverage as measured  # tools/coverage.py
    measured.build([f"replay_{t}" for t in targets])
    table, path = readers(), os.path.join(state, "coverage.tsv")
    kept = {}
    if os.path.exists(path):
        with open(path) as f:
            kept = {line.split("\t")[0]: line for line in f}
    for target in targets:
        if target in measured.NO_READERS:
            continue
        program = os.path.join(ROOT, "build/coverage/bin", f"replay_{target}")
        counts = os.path.join(state, "coverage", target)
        shutil.rmtree(counts, ignore_errors=True)
        subprocess.run(["nice", "-n", "19", program, "--whole", *corpus(state, target)], cwd=ROOT, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, env=measured.environment(counts), check=True)
        reached, lines = measured.reached(measured.lines(counts, table[target]))
        kept[target] = f"{target}\t{digest(target, table[target])}\t{version()}\t{today()}\t{reached}\t{lines}\n"
        print(f"{target:10} {reached:5d} of {lines:5d} lines  {100 * reached / max(lines, 1):5.1f} %", flush=True)
        with open(path, "w") as f:
            f.writelines(kept[t] for t in sorted(kept))


def millions(n):
    return f"{n / 1e6:.2f}" if n >= 1e4 else f"{n / 1e6:.4f}"


def print_table(state, targets):
    table = readers()
    covered = {}
    path = os.path.join(state, "coverage.tsv")
    if os.path.exists(path):
        with open(path) as f:
            for line in f:
                w = line.split("\t")
                covered[w[0]] = f"{100 * int(w[4]) / max(int(w[5]), 1):.0f} %"
    print("| target | executions since the last change [million] | all [million] | per second | lines reached | findings | last run | version |")
    print("|---|---|---|---|---|---|---|---|")
    total, total_now = 0, 0
    for target in targets:
        now, every, seconds, findings, last, by = 0, 0, 0.0, 0, "", ""
        d = digest(target, table[target])
        for t, row_digest, row_version, date, executions, took, found in rows(state):
            if t != target:
                continue
            every += executions
            if row_digest == d:
                now += executions
                seconds += took
                findings += found
            if date > last:
                last, by = date, row_version
        total += every
        total_now += now
        print(f"| {target} | {millions(now)} | {millions(every)} | {now / seconds if seconds else 0:.0f} | {covered.get(target, '')} "
              f"| {findings} | {last[:10]} | {by} |")
    print(f"| all | {millions(total_now)} | {millions(total)} | | | | | |")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("verb", choices=["run", "merge", "minimise", "coverage", "table"])
    p.add_argument("names", nargs="*", help="targets, or folders of campaigns for merge")
    p.add_argument("--state", default=os.path.join(ROOT, "build/campaign"), help="the folder of the campaign")
    p.add_argument("--preset", default="fuzz", choices=["fuzz", "fuzz-fast"],
                   help="fuzz: AddressSanitizer and UndefinedBehaviorSanitizer; fuzz-fast: the latter alone")
    p.add_argument("--runs", type=int, default=10_000_000, help="executions of each target since its last change")
    p.add_argument("--minutes", type=float, default=60, help="the longest time of this call")
    p.add_argument("--slice", type=int, default=60, help="seconds of a target at a time")
    p.add_argument("--timeout", type=int, default=25, help="seconds for one input, beyond which it is a finding")
    p.add_argument("--jobs", type=int, default=1, help="targets at the same time")
    p.add_argument("--shard", default="1/1", help="i/n: this machine does the i-th of n parts")
    args = p.parse_intermixed_args()
    if not re.fullmatch(r"[1-9]\d*/[1-9]\d*", args.shard) or int(args.shard.split("/")[0]) > int(args.shard.split("/")[1]):
        p.error(f"--shard {args.shard}: write i/n with 1 <= i <= n")
    os.makedirs(args.state, exist_ok=True)
    every = sorted(readers())
    if args.verb == "merge":
        for folder in args.names:
            if not os.path.isdir(os.path.join(folder, "counts")):
                p.error(f"{folder} has no folder counts: not a campaign")
        merge(args.state, args.names)
        return 0
    for name in args.names:
        if name not in every:
            p.error(f"there is no target {name}; there are {' '.join(every)}")
    targets = args.names or every
    if args.verb == "table":
        print_table(args.state, targets)
    elif args.verb == "coverage":
        coverage(args.state, targets)
    else:
        build(args.preset, [f"fuzz_{t}" for t in targets])
        if args.verb == "minimise":
            minimise(args.state, args.preset, targets)
        else:
            found = Campaign(args, targets).run()
            print(f"campaign: {found} findings in this call; inputs in {os.path.join(args.state, 'findings')}")
            return 1 if found else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
